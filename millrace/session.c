// State: results of a model's call that become its inputs of the next one.
//
// Calls come one at a time, so no lock is over the state. A call that fails takes the state with it, as its buffers were donated: what the
// failed call gave in their place are buffers with its error, which later calls fail with.
#include <string.h>

#include "core/size.h"
#include "millrace/internal.h"
#include "millrace/model.h"

typedef struct mr_session mr_session;

typedef struct state {
  uint32_t input, output;   // the model's numbers
  millrace_buffer *buffer;  // owned: for the next call
} state;

struct mr_session {
  mr_model *model;            // retained
  millrace_program *program;  // the model's
  uint32_t num_states, num_inputs, num_outputs;
  state *states;
  uint32_t *inputs, *outputs;   // the model's numbers of those that are no state
  millrace_buffer **arguments;  // room for one call, by the model's inputs
  millrace_buffer **results;    // likewise, by its outputs
  millrace_destination *destinations;
};

// ---- The object ---------------------------------------------------------------------------------------------------------------

// Which input becomes which output, by the program's donations.
static bool is_state(const mr_model *model, uint32_t input, uint32_t *out_output) {
  const mr_signature_port *param = &model->signature->params[model->inputs[input].parameter];
  *out_output = (uint32_t)param->alias;
  return param->donated && param->alias >= 0;
}

static void list_ports(mr_session *s) {
  const mr_model *model = s->model;
  for (uint32_t i = 0; i < model->num_inputs; i++) {
    uint32_t output;
    if (is_state(model, i, &output)) {
      s->states[s->num_states++] = (state){.input = i, .output = output};
    } else {
      s->inputs[s->num_inputs++] = i;
    }
  }
  for (uint32_t k = 0; k < model->signature->num_results; k++) {
    if (model->signature->results[k].alias < 0) {
      s->outputs[s->num_outputs++] = k;
    }
  }
}

// All of them in one block, behind the struct.
static mr_session *allocate(const mr_model *model) {
  const size_t inputs = model->num_inputs, outputs = model->signature->num_results;
  size_t bytes = sizeof(mr_session) + inputs * (sizeof(state) + sizeof(millrace_buffer *)) +
                 outputs * (sizeof(millrace_buffer *) + sizeof(millrace_destination)) +
                 (inputs + outputs) * sizeof(uint32_t);
  mr_session *s = mr_alloc_zeroed(1, bytes);
  if (s) {
    s->states = (state *)(s + 1);
    s->arguments = (millrace_buffer **)(s->states + inputs);
    s->results = s->arguments + inputs;
    s->destinations = (millrace_destination *)(s->results + outputs);
    s->inputs = (uint32_t *)(void *)(s->destinations + outputs);
    s->outputs = s->inputs + inputs;
  }
  return s;
}

static mr_status make_zeros(const mr_session *s, state *to) {
  const mr_port *port = mr_executable_param(s->program, s->model->inputs[to->input].parameter);
  void *zeros = mr_alloc_zeroed(1, MR_MAX(port->bytes, 1));
  if (!zeros) {
    return MR_NO_MEMORY();
  }
  const millrace_array array = {
      .data = zeros, .dtype = (millrace_dtype)port->dtype, .dims = port->dims, .rank = port->rank};
  mr_status status = millrace_buffer_create(s->model->device, &array, &to->buffer);
  mr_free(zeros);
  return status;
}

millrace_error *millrace_session_create(millrace_model *model, const millrace_shape *shapes, size_t num_shapes,
                                        millrace_session **out_session) {
  *out_session = NULL;
  int64_t *dims;
  size_t count;
  mr_size *size;
  MR_TRY(mr_model_dims(model, shapes, num_shapes, &dims, &count));
  mr_status status = mr_model_size(model, dims, count, &size);
  mr_free(dims);
  MR_TRY(status);
  mr_session *s = allocate(model);
  if (!s) {
    return MR_NO_MEMORY();
  }
  s->model = millrace_model_retain(model);
  s->program = size->program;
  list_ports(s);
  for (uint32_t i = 0; !status && i < s->num_states; i++) {
    status = make_zeros(s, &s->states[i]);
  }
  if (status) {
    millrace_session_release(s);
    return status;
  }
  *out_session = s;
  return MR_OK;
}

void millrace_session_release(millrace_session *session) {
  if (session) {
    for (uint32_t i = 0; i < session->num_states; i++) {
      millrace_buffer_release(session->states[i].buffer);
    }
    millrace_model_release(session->model);
    mr_free(session);
  }
}

size_t millrace_session_input_count(const millrace_session *session) { return session->num_inputs; }
size_t millrace_session_output_count(const millrace_session *session) { return session->num_outputs; }
size_t millrace_session_state_count(const millrace_session *session) { return session->num_states; }
size_t millrace_session_input(const millrace_session *session, size_t index) { return session->inputs[index]; }
size_t millrace_session_output(const millrace_session *session, size_t index) { return session->outputs[index]; }
size_t millrace_session_state(const millrace_session *session, size_t index) { return session->states[index].input; }

// ---- What it is ---------------------------------------------------------------------------------------------------------------

static mr_status check_state(const mr_session *s, size_t index, const millrace_buffer *buffer) {
  const size_t number = s->model->inputs[s->states[index].input].parameter;
  const mr_port *port = mr_executable_param(s->program, number);
  if (mr_buffer_dtype(buffer) == port->dtype && mr_buffer_rank(buffer) == port->rank &&
      (port->rank == 0 || memcmp(mr_buffer_dims(buffer), port->dims, port->rank * sizeof(int64_t)) == 0)) {
    return MR_OK;
  }
  char got[256], wanted[256];
  return mr_error(
      MR_INVALID_ARGUMENT, "state %s is %s, the buffer %s", s->model->inputs[s->states[index].input].name,
      mr_dims_text(port->dtype, port->dims, port->rank, wanted, sizeof wanted),
      mr_dims_text(mr_buffer_dtype(buffer), mr_buffer_dims(buffer), mr_buffer_rank(buffer), got, sizeof got));
}

static mr_status check_index(const mr_session *s, size_t index) {
  return index < s->num_states ? MR_OK : mr_error(MR_INVALID_ARGUMENT, "state %zu of %u", index, s->num_states);
}

millrace_error *millrace_session_set(millrace_session *session, size_t index, millrace_buffer *buffer) {
  MR_TRY(check_index(session, index));
  MR_TRY(check_state(session, index, buffer));
  millrace_buffer_release(session->states[index].buffer);
  session->states[index].buffer = millrace_buffer_retain(buffer);
  return MR_OK;
}

millrace_error *millrace_session_get(millrace_session *session, size_t index, millrace_buffer **out_buffer) {
  *out_buffer = NULL;
  MR_TRY(check_index(session, index));
  return millrace_buffer_copy(session->states[index].buffer, session->model->device, out_buffer);
}

// ---- Calls --------------------------------------------------------------------------------------------------------------------

// Destinations by the model's outputs, of those that the caller gave by the session's.
static mr_status spread_destinations(mr_session *s, millrace_execute_options *options) {
  if (!options->destinations) {
    return MR_OK;
  }
  if (options->num_destinations != s->num_outputs) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu destinations for %u results", options->num_destinations, s->num_outputs);
  }
  const size_t outputs = s->model->signature->num_results;
  memset(s->destinations, 0, outputs * sizeof *s->destinations);
  for (uint32_t k = 0; k < s->num_outputs; k++) {
    s->destinations[s->outputs[k]] = options->destinations[k];
  }
  options->destinations = s->destinations;
  options->num_destinations = outputs;
  return MR_OK;
}

millrace_error *millrace_session_call(millrace_session *session, millrace_buffer *const *inputs, size_t num_inputs,
                                      const millrace_execute_options *options, millrace_buffer **out_results,
                                      size_t num_results, millrace_event **out_event) {
  mr_session *s = session;
  if (out_event) {
    *out_event = NULL;
  }
  if (num_inputs != s->num_inputs || num_results != s->num_outputs) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu inputs and room for %zu results, wanted %u and %u beside the state",
                    num_inputs, num_results, s->num_inputs, s->num_outputs);
  }
  millrace_execute_options all = {.struct_size = sizeof all};
  if (options) {
    memcpy(&all, options, MR_MIN(options->struct_size, sizeof all));
  }
  MR_TRY(spread_destinations(s, &all));
  for (uint32_t i = 0; i < num_inputs; i++) {
    s->arguments[s->inputs[i]] = inputs[i];
  }
  for (uint32_t i = 0; i < s->num_states; i++) {
    s->arguments[s->states[i].input] = s->states[i].buffer;
  }
  const size_t outputs = s->model->signature->num_results;
  MR_TRY(millrace_model_call(s->model, s->arguments, s->model->num_inputs, options ? &all : NULL, s->results, outputs,
                             out_event));
  for (uint32_t i = 0; i < s->num_states; i++) {
    millrace_buffer_release(s->states[i].buffer);
    s->states[i].buffer = s->results[s->states[i].output];
  }
  for (uint32_t k = 0; k < s->num_outputs; k++) {
    out_results[k] = s->results[s->outputs[k]];
  }
  return MR_OK;
}
