// Models: a program with its names and open sizes, and what is bound to its parameters.
#include "millrace/model.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/size.h"
#include "millrace/internal.h"

// ---- Ports --------------------------------------------------------------------------------------------------------------------

static const char *name_of(mr_arena *arena, mr_str name, const char *otherwise, uint32_t index) {
  char text[32];
  if (!name.size) {
    snprintf(text, sizeof text, "%s%u", otherwise, index);
    name = mr_arena_str(arena, mr_str_of(text));
  }
  return name.data;
}

static mr_status fill_port(mr_arena *arena, const mr_signature_port *from, const char *name, size_t number,
                           millrace_port *port) {
  // Tokens travel as arrays without elements: pred[0].
  static const int64_t no_elements[1] = {0};
  *port = (millrace_port){.name = name, .donated = from->donated, .parameter = number};
  port->type = from->is_token
                   ? (millrace_type){.dtype = MILLRACE_PRED, .dims = no_elements, .rank = 1}
                   : (millrace_type){.dtype = (millrace_dtype)from->dtype, .dims = from->dims, .rank = from->rank};
  port->type.bytes = mr_dtype_bytes((mr_dtype)port->type.dtype);
  for (size_t d = 0; d < port->type.rank; d++) {
    int64_t size = port->type.dims[d];
    port->type.bytes = size < 0 ? 0 : mr_size_mul(port->type.bytes, (size_t)size);
  }
  if (from->symbols) {
    const char **symbols = mr_arena_array(arena, const char *, from->rank + 1);
    for (size_t d = 0; symbols && d < from->rank; d++) {
      symbols[d] = from->symbols[d].size ? from->symbols[d].data : NULL;
    }
    port->symbols = symbols;
  }
  return name && (port->symbols || !from->symbols) ? MR_OK : MR_NO_MEMORY();
}

static mr_status fill_inputs(mr_model *model) {
  mr_signature *s = model->signature;
  model->inputs = mr_arena_array(&s->arena, millrace_port, s->num_params + 1);
  if (!model->inputs) {
    return MR_NO_MEMORY();
  }
  model->num_inputs = 0;
  for (uint32_t i = 0; i < s->num_params; i++) {
    bool is_bound = model->bound_index[i] != MR_NOT_BOUND;
    model->input_of[i] = is_bound ? MR_NOT_BOUND : model->num_inputs;
    if (!is_bound) {
      uint32_t index = model->num_inputs++;
      const char *name = name_of(&s->arena, s->params[i].name, "input", index);
      MR_TRY(fill_port(&s->arena, &s->params[i], name, i, &model->inputs[index]));
    }
  }
  return MR_OK;
}

static mr_status fill_outputs(mr_model *model) {
  mr_signature *s = model->signature;
  model->outputs = mr_arena_array(&s->arena, millrace_port, s->num_results + 1);
  for (uint32_t k = 0; model->outputs && k < s->num_results; k++) {
    const char *name = name_of(&s->arena, s->results[k].name, "output", k);
    MR_TRY(fill_port(&s->arena, &s->results[k], name, k, &model->outputs[k]));
  }
  return model->outputs ? MR_OK : MR_NO_MEMORY();
}

size_t millrace_model_input_count(const millrace_model *model) { return model->num_inputs; }
size_t millrace_model_output_count(const millrace_model *model) { return model->signature->num_results; }
millrace_port millrace_model_input(const millrace_model *model, size_t index) { return model->inputs[index]; }
millrace_port millrace_model_output(const millrace_model *model, size_t index) { return model->outputs[index]; }
millrace_device *millrace_model_device(const millrace_model *model) { return model->device; }

static size_t find_port(const millrace_port *ports, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(ports[i].name, name) == 0) {
      return i;
    }
  }
  return SIZE_MAX;
}

size_t millrace_model_find_input(const millrace_model *model, const char *name) {
  return find_port(model->inputs, model->num_inputs, name);
}

size_t millrace_model_find_output(const millrace_model *model, const char *name) {
  return find_port(model->outputs, model->signature->num_results, name);
}

// ---- What is bound --------------------------------------------------------------------------------------------------------------

void mr_bound_release(mr_bound *bound) {
  if (bound && mr_ref_release(&bound->ref)) {
    for (uint32_t i = 0; i < bound->count; i++) {
      millrace_buffer_release(bound->buffers[i]);
    }
    millrace_weights_release(bound->weights);
    mr_free(bound);
  }
}

mr_bound *mr_model_bound(mr_model *model) {
  pthread_mutex_lock(&model->lock);
  mr_bound *bound = model->bound;
  if (bound) {
    mr_ref_retain(&bound->ref);
  }
  pthread_mutex_unlock(&model->lock);
  return bound;
}

static mr_status check_weight(const mr_signature_port *param, const millrace_array *array) {
  bool same = (mr_dtype)array->dtype == param->dtype && array->rank == param->rank && !param->is_token;
  for (size_t d = 0; same && d < param->rank; d++) {
    same = param->dims[d] == array->dims[d];
  }
  if (same) {
    return MR_OK;
  }
  char got[256], wanted[256];
  return mr_error(MR_INVALID_ARGUMENT, "weight %.*s is %s, the parameter is %s", MR_STR_ARG(param->name),
                  mr_dims_text((mr_dtype)array->dtype, array->dims, array->rank, got, sizeof got),
                  mr_dims_text(param->dtype, param->dims, param->rank, wanted, sizeof wanted));
}

static void unused_weight(void *weights) { millrace_weights_release(weights); }

// Where it lies, if it begins as kernels want it; else a copy, once and for all calls.
static mr_status make_weight(const mr_model *model, millrace_weights *weights, const millrace_array *array,
                             millrace_buffer **out_buffer) {
  if ((uintptr_t)array->data % 64 || array->byte_strides) {
    return millrace_buffer_create(model->device, array, out_buffer);
  }
  mr_status status =
      millrace_buffer_wrap(model->device, array, unused_weight, millrace_weights_retain(weights), out_buffer);
  if (status) {
    millrace_weights_release(weights);
  }
  return status;
}

// Which of the weights each parameter is bound to; SIZE_MAX: to none. Those that were bound before must be there.
static mr_status find_weights(const mr_model *model, const millrace_weights *weights, size_t *out_found) {
  const mr_signature *s = model->signature;
  for (uint32_t i = 0; i < s->num_params; i++) {
    const mr_signature_port *param = &s->params[i];
    bool was_bound = model->bound && model->bound_index[i] != MR_NOT_BOUND;
    out_found[i] =
        !param->name.size || (model->bound && !was_bound) ? SIZE_MAX : millrace_weights_find(weights, param->name.data);
    if (was_bound && out_found[i] == SIZE_MAX) {
      return mr_error(MR_INVALID_ARGUMENT, "there is no weight %.*s, which was bound before", MR_STR_ARG(param->name));
    }
    if (out_found[i] != SIZE_MAX) {
      millrace_array array = millrace_weights_array(weights, out_found[i]);
      MR_TRY(check_weight(param, &array));
    }
  }
  return MR_OK;
}

static mr_status make_bound(const mr_model *model, millrace_weights *weights, const size_t *found,
                            mr_bound **out_bound) {
  const mr_signature *s = model->signature;
  mr_bound *bound = mr_alloc_zeroed(1, sizeof *bound + s->num_params * sizeof(millrace_buffer *));
  if (!bound) {
    return MR_NO_MEMORY();
  }
  mr_ref_init(&bound->ref);
  bound->weights = millrace_weights_retain(weights);
  for (uint32_t i = 0; i < s->num_params; i++) {
    if (found[i] != SIZE_MAX) {
      millrace_array array = millrace_weights_array(weights, found[i]);
      mr_status status = make_weight(model, weights, &array, &bound->buffers[bound->count]);
      if (status) {
        mr_bound_release(bound);
        return mr_status_note(status, "weight %.*s", MR_STR_ARG(s->params[i].name));
      }
      bound->count++;
    }
  }
  *out_bound = bound;
  return MR_OK;
}

// The first decides what is bound. With the lock; out of it the one that was there before goes.
static mr_status put_bound(mr_model *model, const size_t *found, mr_bound **inout_bound) {
  mr_bound *before = model->bound;
  if (!before && model->sizes) {
    return mr_error(MR_FAILED_PRECONDITION, "weights are bound before the first call, or to what was bound before it");
  }
  if (!before) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->signature->num_params; i++) {
      model->bound_index[i] = found[i] == SIZE_MAX ? MR_NOT_BOUND : count++;
    }
    model->num_bound = count;
    MR_TRY(fill_inputs(model));
  }
  model->bound = *inout_bound;
  *inout_bound = before;
  return MR_OK;
}

millrace_error *millrace_model_bind(millrace_model *model, millrace_weights *weights) {
  size_t *found = mr_alloc((model->signature->num_params + 1) * sizeof *found);
  if (!found) {
    return MR_NO_MEMORY();
  }
  mr_bound *bound = NULL;
  pthread_mutex_lock(&model->binding);
  mr_status status = find_weights(model, weights, found);
  status = status ? status : make_bound(model, weights, found, &bound);
  if (!status) {
    pthread_mutex_lock(&model->lock);
    status = put_bound(model, found, &bound);
    pthread_mutex_unlock(&model->lock);
  }
  pthread_mutex_unlock(&model->binding);
  mr_bound_release(bound);
  mr_free(found);
  return status;
}

// An .npz beside a program may be anything, its inputs for instance: one that cannot be weights is none. What is called .safetensors is weights.
static bool is_something_else(const char *path, millrace_error *error) {
  const size_t size = strlen(path);
  const millrace_code code = millrace_error_code(error);
  return size > 4 && strcmp(path + size - 4, ".npz") == 0 &&
         (code == MILLRACE_INVALID_ARGUMENT || code == MILLRACE_UNIMPLEMENTED);
}

// Beside PROGRAM.mlirbc: PROGRAM.safetensors or PROGRAM.npz. Empty: neither is there.
static void find_beside(const char *path, char *out, size_t size) {
  static const char *const ends[] = {".safetensors", ".npz"};
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  int stem = (int)(dot && dot != (slash ? slash + 1 : path) ? dot - path : (ptrdiff_t)strlen(path));
  for (size_t i = 0; i < MR_ARRAY_SIZE(ends); i++) {
    if ((size_t)snprintf(out, size, "%.*s%s", stem, path, ends[i]) >= size) {
      break;
    }
    if (access(out, F_OK) == 0) {
      return;
    }
  }
  out[0] = '\0';
}

static mr_status bind_file(mr_model *model, const char *program_path, const char *weights_path) {
  char beside[4096] = "";
  if (!weights_path && program_path) {
    find_beside(program_path, beside, sizeof beside);
    weights_path = beside;
  }
  if (!weights_path || !*weights_path) {
    return MR_OK;
  }
  millrace_weights *weights;
  mr_status status = millrace_weights_open(weights_path, &weights);
  if (!status) {
    status = millrace_model_bind(model, weights);
    status = status ? mr_status_note(status, "%s", weights_path) : status;
    millrace_weights_release(weights);
  }
  if (status && weights_path == beside && is_something_else(beside, status)) {
    mr_status_free(status);
    return MR_OK;
  }
  return status;
}

// ---- The object ---------------------------------------------------------------------------------------------------------------

static mr_status read_options(millrace_context *context, const millrace_model_options *options,
                              millrace_model_options *out) {
  *out = (millrace_model_options){.struct_size = sizeof *out};
  if (options) {
    if (options->struct_size < sizeof options->struct_size) {
      return mr_error(MR_INVALID_ARGUMENT, "model options: struct_size is %zu", options->struct_size);
    }
    memcpy(out, options, MR_MIN(options->struct_size, sizeof *out));
  }
  out->device = out->device ? out->device : millrace_context_device(context, 0);
  return out->device->platform == context
             ? MR_OK
             : mr_error(MR_INVALID_ARGUMENT, "model options: the device is another context's");
}

static mr_status describe(mr_model *model) {
  MR_TRY(mr_signature_read(model->program, MR_PROGRAM_MLIR, &model->signature));
  const mr_signature *s = model->signature;
  model->input_of = mr_arena_array(&model->signature->arena, uint32_t, s->num_params + 1);
  model->bound_index = mr_arena_array(&model->signature->arena, uint32_t, s->num_params + 1);
  if (!model->input_of || !model->bound_index) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < s->num_params; i++) {
    model->bound_index[i] = MR_NOT_BOUND;
  }
  MR_TRY(fill_inputs(model));
  return fill_outputs(model);
}

static void free_sizes(mr_size *size) {
  while (size) {
    mr_size *next = size->next;
    mr_future_release(size->ready);
    millrace_program_release(size->program);
    mr_free(size);
    size = next;
  }
}

millrace_model *millrace_model_retain(millrace_model *model) {
  mr_ref_retain(&model->ref);
  return model;
}

void millrace_model_release(millrace_model *model) {
  if (!model || !mr_ref_release(&model->ref)) {
    return;
  }
  free_sizes(model->sizes);
  mr_bound_release(model->bound);
  mr_signature_free(model->signature);
  if (!model->file.bytes.size) {
    mr_free((void *)(uintptr_t)model->program.data);
  }
  mr_file_unmap(&model->file);
  pthread_mutex_destroy(&model->lock);
  pthread_mutex_destroy(&model->binding);
  mr_platform_leave(model->device->platform);
  mr_free(model);
}

static mr_status create(millrace_context *context, const millrace_model_options *options, mr_model **out_model,
                        millrace_model_options *out_options) {
  *out_model = NULL;
  MR_TRY(read_options(context, options, out_options));
  mr_model *model = mr_alloc_zeroed(1, sizeof *model);
  if (!model) {
    return MR_NO_MEMORY();
  }
  mr_ref_init(&model->ref);
  pthread_mutex_init(&model->lock, NULL);
  pthread_mutex_init(&model->binding, NULL);
  model->device = out_options->device;
  model->saves = out_options->saves;
  mr_platform_enter(model->device->platform);
  *out_model = model;
  return MR_OK;
}

static mr_status finish(mr_model *model, const char *path, const millrace_model_options *options, mr_status status,
                        millrace_model **out_model) {
  status = status ? status : describe(model);
  status = status ? status : bind_file(model, path, options->weights_path);
  if (status) {
    millrace_model_release(model);
    return status;
  }
  *out_model = model;
  return MR_OK;
}

millrace_error *millrace_model_open(millrace_context *context, const char *path, const millrace_model_options *options,
                                    millrace_model **out_model) {
  *out_model = NULL;
  mr_model *model;
  millrace_model_options all;
  MR_TRY(create(context, options, &model, &all));
  mr_status status = mr_file_map(path, &model->file);
  model->program = model->file.bytes;
  return finish(model, path, &all, status, out_model);
}

millrace_error *millrace_model_load(millrace_context *context, const void *bytes, size_t size,
                                    const millrace_model_options *options, millrace_model **out_model) {
  *out_model = NULL;
  mr_model *model;
  millrace_model_options all;
  MR_TRY(create(context, options, &model, &all));
  void *copy = mr_alloc(MR_MAX(size, 1));
  mr_status status = copy ? MR_OK : MR_NO_MEMORY();
  if (copy) {
    memcpy(copy, bytes, size);
    model->program = (mr_span){copy, size};
  }
  return finish(model, NULL, &all, status, out_model);
}
