// A model's programs, one for each combination of sizes: compiled by whoever wants one first, while others that want the same wait.
#include <string.h>

#include "core/size.h"
#include "millrace/internal.h"
#include "millrace/model.h"

size_t mr_model_rank(const mr_model *model) {
  size_t rank = 0;
  for (uint32_t i = 0; i < model->num_inputs; i++) {
    rank += model->inputs[i].type.rank;
  }
  return rank;
}

static mr_status check_shape(const mr_model *model, uint32_t i, const millrace_shape *shape) {
  const millrace_type *wanted = &model->inputs[i].type;
  bool fits = shape->rank == wanted->rank;
  for (size_t d = 0; fits && d < wanted->rank; d++) {
    fits = wanted->dims[d] < 0 ? shape->dims[d] >= 0 : shape->dims[d] == wanted->dims[d];
  }
  if (fits) {
    return MR_OK;
  }
  char got[256], text[256];
  return mr_error(MR_INVALID_ARGUMENT, "input %s is %s, wanted %s (-1: any)", model->inputs[i].name,
                  mr_dims_text((mr_dtype)wanted->dtype, shape->dims, shape->rank, got, sizeof got),
                  mr_dims_text((mr_dtype)wanted->dtype, wanted->dims, wanted->rank, text, sizeof text));
}

mr_status mr_model_dims(const mr_model *model, const millrace_shape *shapes, size_t num_shapes, int64_t **out_dims,
                        size_t *out_count) {
  *out_dims = NULL;
  *out_count = 0;
  if (!shapes && !model->signature->is_open) {
    return MR_OK;
  }
  if (!shapes || num_shapes != model->num_inputs) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu shapes for %u inputs", shapes ? num_shapes : 0, model->num_inputs);
  }
  for (uint32_t i = 0; i < model->num_inputs; i++) {
    MR_TRY(check_shape(model, i, &shapes[i]));
  }
  int64_t *dims = mr_alloc((mr_model_rank(model) + 1) * sizeof *dims);
  if (!dims) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < model->num_inputs; i++) {
    for (size_t d = 0; d < shapes[i].rank; d++) {
      dims[(*out_count)++] = shapes[i].dims[d];
    }
  }
  *out_dims = dims;
  return MR_OK;
}

// ---- Compiling ----------------------------------------------------------------------------------------------------------------

// All parameters' shapes: those of what is bound are the program's own.
static void fill_shapes(const mr_model *model, const int64_t *dims, mr_shape *out_shapes) {
  const mr_signature *s = model->signature;
  for (uint32_t i = 0; i < s->num_params; i++) {
    bool is_input = model->input_of[i] != MR_NOT_BOUND;
    out_shapes[i] =
        (mr_shape){.dims = is_input && !s->params[i].is_token ? dims : s->params[i].dims, .rank = s->params[i].rank};
    dims += is_input ? model->inputs[model->input_of[i]].type.rank : 0;
  }
}

static mr_status compile(mr_model *model, const mr_size *size, millrace_program **out_program) {
  const mr_signature *s = model->signature;
  if ((uint64_t)s->num_replicas * s->num_partitions > 1) {
    return mr_error(MR_UNIMPLEMENTED, "calls of a model over %llu devices: millrace_execute_rows() takes its program",
                    (unsigned long long)s->num_replicas * s->num_partitions);
  }
  millrace_shape *shapes = NULL;
  millrace_program_options options = {
      .struct_size = sizeof options, .device = model->device, .keeps_bytes = model->saves};
  static_assert(sizeof(millrace_shape) == sizeof(mr_shape), "the same struct under two names");
  if (s->is_open) {
    shapes = mr_alloc((s->num_params + 1) * sizeof *shapes);
    if (!shapes) {
      return MR_NO_MEMORY();
    }
    fill_shapes(model, size->dims, (mr_shape *)shapes);
    options.shapes = shapes;
    options.num_shapes = s->num_params;
  }
  mr_status status = millrace_program_load_for(model->program.data, model->program.size, &options, out_program);
  mr_free(shapes);
  return status;
}

// ---- The list -----------------------------------------------------------------------------------------------------------------

// What was refused for lack of memory, or stopped, may go another way the next time; what the program itself refuses it always does.
static bool is_worth_another_try(const mr_size *size) {
  mr_status status = mr_future_is_set(size->ready) ? mr_future_status(size->ready) : MR_OK;
  return status && mr_status_code(status) != MR_INVALID_ARGUMENT && mr_status_code(status) != MR_UNIMPLEMENTED;
}

static mr_size *find(mr_size *list, const int64_t *dims, size_t num_dims) {
  for (mr_size *size = list; size; size = size->next) {
    if (!is_worth_another_try(size) && size->num_dims == num_dims &&
        (num_dims == 0 || memcmp(size->dims, dims, num_dims * sizeof *dims) == 0)) {
      return size;
    }
  }
  return NULL;
}

static mr_status make_size(const int64_t *dims, size_t num_dims, mr_size **out_size) {
  mr_size *size = mr_alloc_zeroed(1, sizeof *size + num_dims * sizeof *dims);
  if (!size) {
    return MR_NO_MEMORY();
  }
  mr_status status = mr_future_create(&size->ready);
  if (status) {
    mr_free(size);
    return status;
  }
  size->num_dims = num_dims;
  if (num_dims) {
    memcpy(size->dims, dims, num_dims * sizeof *dims);
  }
  *out_size = size;
  return MR_OK;
}

// The size, and whether this thread is to compile it.
static mr_status enter(mr_model *model, const int64_t *dims, size_t num_dims, mr_size **out_size, bool *out_first) {
  mr_status status = MR_OK;
  pthread_mutex_lock(&model->lock);
  mr_size *size = find(model->sizes, dims, num_dims);
  *out_first = !size;
  if (!size) {
    status = make_size(dims, num_dims, &size);
    if (!status) {
      size->next = model->sizes;
      model->sizes = size;
    }
  }
  pthread_mutex_unlock(&model->lock);
  *out_size = size;
  return status;
}

static void compile_size(mr_model *model, mr_size *size) {
  mr_status status = compile(model, size, &size->program);
  mr_future_set(size->ready, status);
}

mr_status mr_model_size(mr_model *model, const int64_t *dims, size_t num_dims, mr_size **out_size) {
  bool first;
  MR_TRY(enter(model, dims, num_dims, out_size, &first));
  if (first) {
    compile_size(model, *out_size);
  }
  mr_future_wait((*out_size)->ready);
  return mr_status_retain(mr_future_status((*out_size)->ready));
}

millrace_error *millrace_model_program(millrace_model *model, const millrace_shape *shapes, size_t num_shapes,
                                       millrace_program **out_program) {
  *out_program = NULL;
  int64_t *dims;
  size_t count;
  MR_TRY(mr_model_dims(model, shapes, num_shapes, &dims, &count));
  mr_size *size;
  mr_status status = mr_model_size(model, dims, count, &size);
  mr_free(dims);
  if (!status) {
    *out_program = millrace_program_retain(size->program);
  }
  return status;
}

// ---- On another thread --------------------------------------------------------------------------------------------------------

typedef struct preparation {
  mr_model *model;  // retained
  mr_size *size;    // NULL: somebody else compiles it
} preparation;

static void prepare_run(mr_node *node) {
  preparation *p = mr_node_payload(node);
  compile_size(p->model, p->size);
  mr_node_finish(node, mr_status_retain(mr_future_status(p->size->ready)));
}

// A node that is cancelled, as the process ends, leaves nobody waiting.
static void prepare_fail(mr_node *node, mr_status status) {
  preparation *p = mr_node_payload(node);
  if (p->size) {
    mr_future_set(p->size->ready, mr_status_retain(status));
  }
}

static void prepare_drop(mr_node *node) { millrace_model_release(((preparation *)mr_node_payload(node))->model); }

static const mr_node_type prepare_type = {
    .name = "prepare model", .kind = MR_NODE_COMPILE, .run = prepare_run, .fail = prepare_fail, .drop = prepare_drop};

static mr_status prepare(mr_model *model, const int64_t *dims, size_t count, mr_future **out_done) {
  mr_node *node = NULL;
  MR_TRY(mr_node_create(&prepare_type, sizeof(preparation), model->device->executor, &node));
  preparation *p = mr_node_payload(node);
  p->model = millrace_model_retain(model);
  bool first;
  mr_size *size;
  mr_status status = enter(model, dims, count, &size, &first);
  p->size = !status && first ? size : NULL;
  if (!p->size) {
    mr_future *ready = status ? NULL : size->ready;
    *out_done = ready && !mr_future_is_set(ready) ? mr_future_retain(ready) : NULL;
    mr_node_discard(node);
    return status;
  }
  node->cost_ns = UINT32_MAX;  // never on this thread
  *out_done = mr_future_retain(mr_node_done(node));
  mr_node_submit(node);
  return MR_OK;
}

millrace_error *millrace_model_prepare(millrace_model *model, const millrace_shape *shapes, size_t num_shapes,
                                       millrace_event **out_event) {
  *out_event = NULL;
  int64_t *dims;
  size_t count;
  MR_TRY(mr_model_dims(model, shapes, num_shapes, &dims, &count));
  mr_status status = prepare(model, dims, count, out_event);
  mr_free(dims);
  return status;
}
