// What is executed and with which buffers: the program for the sizes that were found, its devices, its arguments.
#include <stdio.h>
#include <stdlib.h>

#include "tools/commands.h"
#include "tools/element.h"
#include "tools/feed.h"

static bool out_of_memory(void) {
  fputs("millrace: out of memory\n", stderr);
  return false;
}

static millrace_device *find_device(const feed *f, size_t index) {
  millrace_device *device = millrace_context_device(f->context, index);
  if (!device) {
    fprintf(stderr, "millrace: no device %zu, there are %zu\n", index, millrace_context_device_count(f->context));
  }
  return device;
}

bool feed_compile(const feed *f, millrace_program **out_program) {
  millrace_shape *shapes = calloc(f->num_parameters + 1, sizeof *shapes);
  if (!shapes) {
    return out_of_memory();
  }
  bool open = feed_is_open(f);
  for (size_t i = 0; i < f->num_parameters; i++) {
    const feed_parameter *p = &f->parameters[i];
    shapes[i] = (millrace_shape){.dims = p->dims, .rank = p->port.type.rank};
  }
  const millrace_program_options options = {
      .struct_size = sizeof options,
      .num_partitions = (uint32_t)f->num_devices,
      .device = find_device(f, f->device_index),
      .shapes = open ? shapes : NULL,
      .num_shapes = open ? f->num_parameters : 0,
  };
  bool ok = options.device && command_report(millrace_program_load_for(f->bytes, f->size, &options, out_program));
  free(shapes);
  return ok;
}

bool feed_choose_devices(feed *f, const millrace_program *program) {
  free(f->devices);
  f->num_rows = millrace_program_device_count(program);
  f->devices = calloc(f->num_rows, sizeof(millrace_device *));
  if (!f->devices) {
    return out_of_memory();
  }
  for (size_t row = 0; row < f->num_rows; row++) {
    f->devices[row] = find_device(f, f->device_index + row);
    if (!f->devices[row]) {
      return false;
    }
  }
  return true;
}

// ---- Arrays ---------------------------------------------------------------------------------------------------------

static bool make_up(const feed *f, size_t i) {
  feed_parameter *p = &f->parameters[i];
  size_t bytes = millrace_dtype_bytes(p->port.type.dtype);
  bool fits = true;
  for (size_t d = 0; d < p->port.type.rank; d++) {
    fits = fits && !__builtin_mul_overflow(bytes, (size_t)p->dims[d], &bytes);
  }
  free(p->owned);
  p->owned = fits ? malloc(bytes ? bytes : 1) : NULL;
  if (!p->owned) {
    fprintf(stderr, "millrace: out of memory for the input %s of %zu bytes\n", p->port.name, fits ? bytes : SIZE_MAX);
    return false;
  }
  // Each has numbers of its own, whatever the others' sizes are.
  element_make_up(p->port.type.dtype, f->seed * 1000003 + i, p->owned, bytes);
  p->array = (millrace_array){.data = p->owned};
  return true;
}

bool feed_fill(feed *f) {
  for (size_t i = 0; i < f->num_parameters; i++) {
    feed_parameter *p = &f->parameters[i];
    if (p->source == FEED_GIVEN) {
      const npy_array *given = &f->inputs.arrays[p->index];
      p->array = (millrace_array){.data = given->data, .byte_strides = given->byte_strides};
    } else if (p->source == FEED_WEIGHTS) {
      p->array = millrace_weights_array(f->weights, p->index);
    } else if (!make_up(f, i)) {
      return false;
    }
    p->array.dtype = p->port.type.dtype;
    p->array.dims = p->dims;
    p->array.rank = p->port.type.rank;
  }
  return true;
}

static void drop_weights(void *weights) { millrace_weights_release(weights); }

// Of several devices' parts each begins somewhere in the whole array, whose strides it has.
static millrace_array part_of(const feed_parameter *p, millrace_program *program, size_t row, size_t i,
                              int64_t strides[NPY_MAX_RANK]) {
  millrace_array part = p->array;
  millrace_type type = millrace_program_parameter(program, i);
  int64_t offsets[NPY_MAX_RANK] = {0}, stride = (int64_t)millrace_dtype_bytes(type.dtype);
  millrace_program_parameter_part(program, i, row, offsets);
  const char *data = part.data;
  for (size_t d = part.rank; d-- > 0;) {
    strides[d] = part.byte_strides ? part.byte_strides[d] : stride;
    stride *= part.dims[d];
    data += offsets[d] * strides[d];
  }
  part.data = data;
  part.dims = type.dims;
  part.byte_strides = part.byte_strides || millrace_program_device_count(program) > 1 ? strides : NULL;
  return part;
}

millrace_error *feed_argument(const feed *f, millrace_program *program, size_t row, size_t i,
                              millrace_buffer **out_buffer) {
  const feed_parameter *p = &f->parameters[i];
  int64_t strides[NPY_MAX_RANK];
  millrace_array part = part_of(p, program, row, i, strides);
  if (p->source != FEED_WEIGHTS) {
    return millrace_buffer_create(f->devices[row], &part, out_buffer);
  }
  // The file stays mapped as long as a buffer is in it.
  millrace_weights *held = millrace_weights_retain(f->weights);
  millrace_error *error = millrace_buffer_wrap(f->devices[row], &part, drop_weights, held, out_buffer);
  if (error) {
    millrace_weights_release(held);
  }
  return error;
}
