#include "tools/simulate/arguments.h"

#include <stdlib.h>
#include <string.h>

#include "core/core.h"

millrace_error *sim_arguments_init(sim_arguments *a, millrace_program *program, millrace_device *device,
                                   npy_list *inputs) {
  *a = (sim_arguments){.program = program,
                       .device = device,
                       .inputs = inputs && inputs->size ? inputs : NULL,
                       .num_arguments = millrace_program_parameter_count(program),
                       .num_results = millrace_program_result_count(program)};
  a->arguments = mr_alloc_zeroed(a->num_arguments + 1, sizeof(millrace_buffer *));
  a->results = mr_alloc_zeroed(a->num_results + 1, sizeof(millrace_buffer *));
  if (!a->arguments || !a->results) {
    return MR_NO_MEMORY();
  }
  if (a->inputs && a->inputs->size != a->num_arguments) {
    return mr_error(MR_INVALID_ARGUMENT, "the program has %zu parameters, the inputs are %zu arrays", a->num_arguments,
                    a->inputs->size);
  }
  return MR_OK;
}

static void let_go(millrace_buffer **buffers, size_t count) {
  for (size_t i = 0; buffers && i < count; i++) {
    millrace_buffer_release(buffers[i]);
    buffers[i] = NULL;
  }
}

void sim_arguments_deinit(sim_arguments *a) {
  let_go(a->arguments, a->num_arguments);
  let_go(a->results, a->num_results);
  mr_free(a->arguments);
  mr_free(a->results);
}

// Between 0 and 1, and for integers 0: what is a place in another array is in it.
static void make_up(millrace_type type, void *data) {
  memset(data, 0, type.bytes);
  uint32_t state = 12345;
  size_t size = millrace_dtype_bytes(type.dtype), count = size ? type.bytes / size : 0;
  for (size_t i = 0; i < count; i++) {
    state = state * 1664525 + 1013904223;
    float value = (float)(state >> 8) / (float)(1 << 24);
    if (type.dtype == MILLRACE_F32) {
      ((float *)data)[i] = value;
    } else if (type.dtype == MILLRACE_F64) {
      ((double *)data)[i] = (double)value;
    } else if (type.dtype == MILLRACE_BF16) {
      uint32_t bits;
      memcpy(&bits, &value, sizeof bits);
      ((uint16_t *)data)[i] = (uint16_t)(bits >> 16);
    }
  }
}

static millrace_error *make_one(sim_arguments *a, size_t i) {
  millrace_type type = millrace_program_parameter(a->program, i);
  millrace_array array = {.dtype = type.dtype, .dims = type.dims, .rank = type.rank};
  if (a->inputs) {
    const npy_array *input = &a->inputs->arrays[i];
    size_t count = 1;
    for (size_t d = 0; d < input->rank; d++) {
      count *= (size_t)input->dims[d];
    }
    if (input->rank != type.rank || count * input->item_bytes != type.bytes) {
      return mr_error(MR_INVALID_ARGUMENT, "parameter %zu has %zu bytes, the input %zu", i, type.bytes,
                      count * input->item_bytes);
    }
    array.data = input->data;
    array.byte_strides = input->byte_strides;
    return millrace_buffer_create(a->device, &array, &a->arguments[i]);
  }
  void *data = mr_alloc(type.bytes + 1);
  if (!data) {
    return MR_NO_MEMORY();
  }
  make_up(type, data);
  array.data = data;
  millrace_error *error = millrace_buffer_create(a->device, &array, &a->arguments[i]);
  mr_free(data);
  return error;
}

millrace_error *sim_arguments_make(sim_arguments *a) {
  for (size_t i = 0; i < a->num_arguments; i++) {
    if (a->arguments[i] && !millrace_program_donates(a->program, i)) {
      continue;
    }
    millrace_buffer_release(a->arguments[i]);
    a->arguments[i] = NULL;
    MR_TRY(make_one(a, i));
  }
  return MR_OK;
}

millrace_error *sim_arguments_execute(sim_arguments *a) {
  millrace_event *event = NULL;
  MR_TRY(millrace_execute(a->program, a->device, a->arguments, a->num_arguments, a->results, a->num_results, &event));
  millrace_error *error = millrace_event_wait(event);
  millrace_event_release(event);
  let_go(a->results, a->num_results);
  return error;
}
