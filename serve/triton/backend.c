// The functions that Triton calls: a context for the process, a model's program, and execution: the requests of a call are joined into one
// call of the program.
#include <stdlib.h>
#include <string.h>

#include "serve/triton/backend.h"

// Memory that a batch is gathered in. It begins on 64 bytes, and grows.
typedef struct gathered {
  unsigned char *data;
  size_t size;
} gathered;

typedef struct runner {
  sv_triton_model *model;      // borrowed
  gathered *inputs, *outputs;  // by port
} runner;

// One request of a call.
typedef struct joined {
  TRITONBACKEND_Request *request;
  TRITONBACKEND_Response *response;
  TRITONSERVER_Error *error;  // of this one alone
  uint64_t rows;              // 1 where requests are not joined
} joined;

// One call of the program.
typedef struct batch {
  runner *instance;
  joined *members;
  uint32_t count;
  uint64_t rows, size;  // rows of the members; of the program that is called
  int64_t (*dims)[SV_MAX_RANK];
  millrace_array *arrays;
  millrace_destination *destinations;
  uint64_t begin_ns, compute_ns, computed_ns;
} batch;

static TRITONSERVER_Error *of_millrace(millrace_error *take_error) {
  return sv_triton_error_of(sv_error_of(take_error));
}

static TRITONSERVER_Error *make_room(gathered *room, size_t size) {
  if (size <= room->size) {
    return NULL;
  }
  free(room->data);
  room->size = (size + SV_ALIGNMENT - 1) / SV_ALIGNMENT * SV_ALIGNMENT;
  room->data = aligned_alloc(SV_ALIGNMENT, room->size);
  if (!room->data) {
    room->size = 0;
    return sv_triton_errorf(TRITONSERVER_ERROR_UNAVAILABLE, "no memory for %zu bytes", size);
  }
  return NULL;
}

// ---- Inputs ---------------------------------------------------------------------------------------------------------

static TRITONSERVER_Error *input_of(const joined *member, const sv_triton_port *port, TRITONBACKEND_Input **out_input,
                                    const int64_t **out_dims, uint64_t *out_bytes, uint32_t *out_buffers) {
  uint32_t rank;
  SV_TRITON_TRY(TRITONBACKEND_RequestInput(member->request, port->name, out_input));
  SV_TRITON_TRY(TRITONBACKEND_InputProperties(*out_input, NULL, NULL, out_dims, &rank, out_bytes, out_buffers));
  if (rank != port->of.type.rank) {
    return sv_triton_errorf(TRITONSERVER_ERROR_INVALID_ARG, "'%s' has %u dimensions, and the program wants %zu",
                            port->name, rank, port->of.type.rank);
  }
  return NULL;
}

// How many rows each request brings. Triton has checked that they are the same in all of its inputs.
static TRITONSERVER_Error *count_rows(batch *b) {
  const sv_triton_model *model = b->instance->model;
  for (uint32_t i = 0; i < b->count; i++) {
    b->members[i].rows = 1;
    if (model->max_batch_size && model->num_inputs) {
      TRITONBACKEND_Input *input;
      const int64_t *dims;
      SV_TRITON_TRY(input_of(&b->members[i], &model->inputs[0], &input, &dims, NULL, NULL));
      b->members[i].rows = (uint64_t)dims[0];
    }
    b->rows += b->members[i].rows;
  }
  b->size = model->max_batch_size ? sv_triton_batch(model, b->rows) : 1;
  return NULL;
}

static TRITONSERVER_Error *buffer_of(TRITONBACKEND_Input *input, uint32_t index, const void **out_data,
                                     uint64_t *out_bytes) {
  TRITONSERVER_MemoryType place = TRITONSERVER_MEMORY_CPU;
  int64_t id = 0;
  SV_TRITON_TRY(TRITONBACKEND_InputBuffer(input, index, out_data, out_bytes, &place, &id));
  if (place == TRITONSERVER_MEMORY_GPU) {
    return sv_triton_errorf(TRITONSERVER_ERROR_UNSUPPORTED, "an input lies in a GPU's memory");
  }
  return NULL;
}

static TRITONSERVER_Error *gather_one(TRITONBACKEND_Input *input, uint32_t buffers, unsigned char *to, uint64_t room) {
  for (uint32_t i = 0; i < buffers; i++) {
    const void *data;
    uint64_t bytes;
    SV_TRITON_TRY(buffer_of(input, i, &data, &bytes));
    if (bytes > room) {
      return sv_triton_errorf(TRITONSERVER_ERROR_INVALID_ARG, "an input is larger than its shape says");
    }
    memcpy(to, data, bytes);
    to += bytes;
    room -= bytes;
  }
  return NULL;
}

// All requests' rows one behind the other, and zeros for those that the program has more.
static TRITONSERVER_Error *gather(batch *b, uint32_t index, size_t bytes) {
  const sv_triton_port *port = &b->instance->model->inputs[index];
  gathered *room = &b->instance->inputs[index];
  SV_TRITON_TRY(make_room(room, bytes));
  uint64_t at = 0;
  for (uint32_t i = 0; i < b->count; i++) {
    TRITONBACKEND_Input *input;
    const int64_t *dims;
    uint64_t own;
    uint32_t buffers;
    SV_TRITON_TRY(input_of(&b->members[i], port, &input, &dims, &own, &buffers));
    const size_t rest = (port->of.type.rank - 1) * sizeof *dims;
    if (b->count > 1 && memcmp(dims + 1, b->dims[index] + 1, rest) != 0) {
      return sv_triton_errorf(TRITONSERVER_ERROR_INVALID_ARG, "'%s' has different shapes in one batch", port->name);
    }
    SV_TRITON_TRY(gather_one(input, buffers, room->data + at, bytes - at));
    at += own;
  }
  memset(room->data + at, 0, bytes - at);
  b->arrays[index].data = room->data;
  return NULL;
}

// A single request whose rows are as many as the program takes, in one piece, is used where it lies.
static TRITONSERVER_Error *fill_input(batch *b, uint32_t index) {
  const sv_triton_model *model = b->instance->model;
  const sv_triton_port *port = &model->inputs[index];
  TRITONBACKEND_Input *input;
  const int64_t *dims;
  uint64_t own;
  uint32_t buffers;
  size_t bytes;
  SV_TRITON_TRY(input_of(&b->members[0], port, &input, &dims, &own, &buffers));
  memcpy(b->dims[index], dims, port->of.type.rank * sizeof *dims);
  if (model->max_batch_size) {
    b->dims[index][0] = (int64_t)b->size;
  }
  if (!sv_tensor_bytes(port->of.type.dtype, b->dims[index], (uint32_t)port->of.type.rank, &bytes)) {
    return sv_triton_errorf(TRITONSERVER_ERROR_INVALID_ARG, "'%s' is too large", port->name);
  }
  b->arrays[index] = (millrace_array){.dtype = port->of.type.dtype, .dims = b->dims[index], .rank = port->of.type.rank};
  if (b->count > 1 || b->rows != b->size || buffers != 1) {
    return gather(b, index, bytes);
  }
  SV_TRITON_TRY(buffer_of(input, 0, &b->arrays[index].data, &own));
  if (own != bytes) {
    return sv_triton_errorf(TRITONSERVER_ERROR_INVALID_ARG, "'%s' has %llu bytes, and its shape says %zu", port->name,
                            (unsigned long long)own, bytes);
  }
  return NULL;
}

// ---- Outputs --------------------------------------------------------------------------------------------------------

static TRITONSERVER_Error *wants(const joined *member, const char *name, bool *out_wanted) {
  uint32_t count;
  SV_TRITON_TRY(TRITONBACKEND_RequestOutputCount(member->request, &count));
  *out_wanted = count == 0;
  for (uint32_t i = 0; i < count && !*out_wanted; i++) {
    const char *asked;
    SV_TRITON_TRY(TRITONBACKEND_RequestOutputName(member->request, i, &asked));
    *out_wanted = strcmp(asked, name) == 0;
  }
  return NULL;
}

// Where Triton wants an output of one request; *out_data is NULL where it does not.
static TRITONSERVER_Error *place_of(const batch *b, joined *member, const sv_triton_port *port, millrace_type type,
                                    void **out_data, uint64_t *out_bytes) {
  bool wanted;
  *out_data = NULL;
  SV_TRITON_TRY(wants(member, port->name, &wanted));
  if (!wanted) {
    return NULL;
  }
  int64_t dims[SV_MAX_RANK];
  memcpy(dims, type.dims, type.rank * sizeof *dims);
  *out_bytes = type.bytes;
  if (b->instance->model->max_batch_size) {
    dims[0] = (int64_t)member->rows;
    *out_bytes = type.bytes / b->size * member->rows;
  }
  TRITONBACKEND_Output *output;
  TRITONSERVER_MemoryType place = TRITONSERVER_MEMORY_CPU;
  int64_t id = 0;
  SV_TRITON_TRY(
      TRITONBACKEND_ResponseOutput(member->response, &output, port->name, port->type, dims, (uint32_t)type.rank));
  SV_TRITON_TRY(TRITONBACKEND_OutputBuffer(output, out_data, *out_bytes, &place, &id));
  if (place == TRITONSERVER_MEMORY_GPU) {
    return sv_triton_errorf(TRITONSERVER_ERROR_UNSUPPORTED, "an output is wanted in a GPU's memory");
  }
  return NULL;
}

// Results are written to Triton's memory where one request has all rows, else to the instance's, from where scatter() takes them.
static TRITONSERVER_Error *place_outputs(batch *b, millrace_program *program) {
  const sv_triton_model *model = b->instance->model;
  const bool direct = b->count == 1 && b->rows == b->size;
  for (uint32_t i = 0; i < model->num_outputs; i++) {
    const millrace_type type = millrace_program_result(program, model->outputs[i].of.parameter);
    b->destinations[i].size = type.bytes;
    if (direct) {
      uint64_t bytes;
      SV_TRITON_TRY(place_of(b, &b->members[0], &model->outputs[i], type, &b->destinations[i].data, &bytes));
    } else {
      SV_TRITON_TRY(make_room(&b->instance->outputs[i], type.bytes));
      b->destinations[i].data = b->instance->outputs[i].data;
    }
  }
  return NULL;
}

static TRITONSERVER_Error *scatter_one(const batch *b, millrace_program *program, joined *member, uint64_t row) {
  const sv_triton_model *model = b->instance->model;
  for (uint32_t i = 0; i < model->num_outputs; i++) {
    const millrace_type type = millrace_program_result(program, model->outputs[i].of.parameter);
    void *data;
    uint64_t bytes;
    SV_TRITON_TRY(place_of(b, member, &model->outputs[i], type, &data, &bytes));
    if (data) {
      memcpy(data, (const char *)b->destinations[i].data + type.bytes / b->size * row, bytes);
    }
  }
  return NULL;
}

static void scatter(batch *b, millrace_program *program) {
  for (uint64_t i = 0, row = 0; i < b->count; row += b->members[i++].rows) {
    b->members[i].error = scatter_one(b, program, &b->members[i], row);
  }
}

// ---- Execution ------------------------------------------------------------------------------------------------------

static TRITONSERVER_Error *call(batch *b, millrace_program *program) {
  const sv_triton_model *model = b->instance->model;
  millrace_buffer *results[model->num_outputs + 1];  // of what nobody wants
  memset(results, 0, sizeof results);
  SV_TRITON_TRY(place_outputs(b, program));
  const millrace_execute_options options = {
      .struct_size = sizeof options, .destinations = b->destinations, .num_destinations = model->num_outputs};
  b->compute_ns = sv_now_ns();
  SV_TRITON_TRY(of_millrace(
      millrace_model_run(model->program, b->arrays, model->num_inputs, &options, results, model->num_outputs)));
  b->computed_ns = sv_now_ns();
  for (uint32_t i = 0; i < model->num_outputs; i++) {
    millrace_buffer_release(results[i]);
  }
  if (b->count > 1 || b->rows != b->size) {
    scatter(b, program);
  }
  return NULL;
}

static TRITONSERVER_Error *run(batch *b) {
  const sv_triton_model *model = b->instance->model;
  millrace_shape shapes[model->num_inputs + 1];
  millrace_program *program = NULL;
  SV_TRITON_TRY(count_rows(b));
  for (uint32_t i = 0; i < model->num_inputs; i++) {
    SV_TRITON_TRY(fill_input(b, i));
    shapes[i] = (millrace_shape){b->dims[i], b->arrays[i].rank};
  }
  SV_TRITON_TRY(of_millrace(millrace_model_program(model->program, shapes, model->num_inputs, &program)));
  TRITONSERVER_Error *error = call(b, program);
  millrace_program_release(program);
  return error;
}

// An error belongs to the request that it is of; `all` to each.
static TRITONSERVER_Error *error_of(const joined *member, TRITONSERVER_Error *all) {
  if (member->error || !all) {
    return member->error;
  }
  return TRITONSERVER_ErrorNew(TRITONSERVER_ErrorCode(all), TRITONSERVER_ErrorMessage(all));
}

static void drop(TRITONSERVER_Error *take_error) {
  if (take_error) {
    TRITONSERVER_ErrorDelete(take_error);
  }
}

// Answers each, counts, and lets the requests go. What fails here has no one to be told to.
static void answer(TRITONBACKEND_ModelInstance *triton, batch *b, TRITONSERVER_Error *take_all) {
  const uint64_t end = sv_now_ns(), begin = b->begin_ns;
  const uint64_t compute = b->compute_ns ? b->compute_ns : end, computed = b->computed_ns ? b->computed_ns : end;
  for (uint32_t i = 0; i < b->count; i++) {
    joined *member = &b->members[i];
    TRITONSERVER_Error *error = error_of(member, take_all);
    if (member->response) {
      drop(TRITONBACKEND_ResponseSend(member->response, TRITONSERVER_RESPONSE_COMPLETE_FINAL, error));
    }
    drop(TRITONBACKEND_ModelInstanceReportStatistics(triton, member->request, !error, begin, compute, computed, end));
    drop(error);
    drop(TRITONBACKEND_RequestRelease(member->request, TRITONSERVER_REQUEST_RELEASE_ALL));
  }
  if (!take_all) {
    drop(TRITONBACKEND_ModelInstanceReportBatchStatistics(triton, b->rows, begin, compute, computed, end));
  }
  drop(take_all);
}

// `count` is above 1 only where the model has a batch.
static void execute(TRITONBACKEND_ModelInstance *triton, runner *instance, TRITONBACKEND_Request **requests,
                    uint32_t count) {
  const sv_triton_model *model = instance->model;
  joined members[count];
  int64_t dims[model->num_inputs + 1][SV_MAX_RANK];
  millrace_array arrays[model->num_inputs + 1];
  millrace_destination destinations[model->num_outputs + 1];
  batch b = {.instance = instance,
             .members = members,
             .count = count,
             .dims = dims,
             .arrays = arrays,
             .destinations = destinations,
             .begin_ns = sv_now_ns()};
  TRITONSERVER_Error *error = NULL;
  for (uint32_t i = 0; i < count; i++) {
    members[i] = (joined){.request = requests[i]};
    TRITONSERVER_Error *own = TRITONBACKEND_ResponseNew(&members[i].response, requests[i]);
    if (error) {
      drop(own);
    } else {
      error = own;
    }
  }
  answer(triton, &b, error ? error : run(&b));
}

SV_TRITON_EXPORT TRITONSERVER_Error *TRITONBACKEND_ModelInstanceExecute(TRITONBACKEND_ModelInstance *triton,
                                                                        TRITONBACKEND_Request **requests,
                                                                        const uint32_t count) {
  void *state;
  SV_TRITON_TRY(TRITONBACKEND_ModelInstanceState(triton, &state));
  runner *instance = state;
  const uint32_t step = instance->model->max_batch_size ? count : 1;
  for (uint32_t i = 0; i < count; i += step) {
    execute(triton, instance, requests + i, step);
  }
  return NULL;
}

// ---- Coming and going -----------------------------------------------------------------------------------------------

SV_TRITON_EXPORT TRITONSERVER_Error *TRITONBACKEND_Initialize(TRITONBACKEND_Backend *backend) {
  uint32_t major, minor;
  SV_TRITON_TRY(TRITONBACKEND_ApiVersion(&major, &minor));
  if (major != TRITONBACKEND_API_VERSION_MAJOR) {
    return sv_triton_errorf(TRITONSERVER_ERROR_UNSUPPORTED, "Triton's backend interface is %u.%u, and %d is wanted",
                            major, minor, TRITONBACKEND_API_VERSION_MAJOR);
  }
  millrace_context *context;
  SV_TRITON_TRY(of_millrace(millrace_context_create(NULL, &context)));
  return TRITONBACKEND_BackendSetState(backend, context);
}

SV_TRITON_EXPORT TRITONSERVER_Error *TRITONBACKEND_Finalize(TRITONBACKEND_Backend *backend) {
  void *context;
  SV_TRITON_TRY(TRITONBACKEND_BackendState(backend, &context));
  millrace_context_release(context);
  return NULL;
}

SV_TRITON_EXPORT TRITONSERVER_Error *TRITONBACKEND_ModelInitialize(TRITONBACKEND_Model *triton) {
  TRITONBACKEND_Backend *backend;
  void *context;
  sv_triton_model *model;
  SV_TRITON_TRY(TRITONBACKEND_ModelBackend(triton, &backend));
  SV_TRITON_TRY(TRITONBACKEND_BackendState(backend, &context));
  SV_TRITON_TRY(sv_triton_model_open(context, triton, &model));
  return TRITONBACKEND_ModelSetState(triton, model);
}

SV_TRITON_EXPORT TRITONSERVER_Error *TRITONBACKEND_ModelFinalize(TRITONBACKEND_Model *triton) {
  void *model;
  SV_TRITON_TRY(TRITONBACKEND_ModelState(triton, &model));
  sv_triton_model_free(model);
  return NULL;
}

static void free_rooms(gathered *rooms, uint32_t count) {
  for (uint32_t i = 0; rooms && i < count; i++) {
    free(rooms[i].data);
  }
  free(rooms);
}

static void free_instance(runner *instance) {
  if (instance) {
    free_rooms(instance->inputs, instance->model->num_inputs);
    free_rooms(instance->outputs, instance->model->num_outputs);
    free(instance);
  }
}

SV_TRITON_EXPORT TRITONSERVER_Error *TRITONBACKEND_ModelInstanceInitialize(TRITONBACKEND_ModelInstance *triton) {
  TRITONSERVER_InstanceGroupKind kind;
  TRITONBACKEND_Model *model;
  void *state;
  SV_TRITON_TRY(TRITONBACKEND_ModelInstanceKind(triton, &kind));
  if (kind == TRITONSERVER_INSTANCEGROUPKIND_GPU) {
    return sv_triton_errorf(TRITONSERVER_ERROR_UNSUPPORTED, "the millrace backend runs on KIND_CPU, not on KIND_GPU");
  }
  SV_TRITON_TRY(TRITONBACKEND_ModelInstanceModel(triton, &model));
  SV_TRITON_TRY(TRITONBACKEND_ModelState(model, &state));
  runner *instance = calloc(1, sizeof *instance);
  if (instance) {
    instance->model = state;
    instance->inputs = calloc(instance->model->num_inputs + 1, sizeof(gathered));
    instance->outputs = calloc(instance->model->num_outputs + 1, sizeof(gathered));
  }
  if (!instance || !instance->inputs || !instance->outputs) {
    free_instance(instance);
    return sv_triton_error_of(sv_no_memory());
  }
  return TRITONBACKEND_ModelInstanceSetState(triton, instance);
}

SV_TRITON_EXPORT TRITONSERVER_Error *TRITONBACKEND_ModelInstanceFinalize(TRITONBACKEND_ModelInstance *triton) {
  void *instance;
  SV_TRITON_TRY(TRITONBACKEND_ModelInstanceState(triton, &instance));
  free_instance(instance);
  return NULL;
}
