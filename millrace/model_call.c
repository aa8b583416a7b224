// Calls of models: the program for the inputs' sizes, the weights among the arguments.
#include <string.h>

#include "core/size.h"
#include "millrace/internal.h"
#include "millrace/model.h"

enum { FEW = 64 };

static mr_status program_for(mr_model *model, millrace_buffer *const *inputs, millrace_program **out_program) {
  mr_size *size;
  int64_t few[FEW], *dims = NULL;
  size_t count = 0;
  if (model->signature->is_open) {
    count = mr_model_rank(model);
    dims = count <= FEW ? few : mr_alloc(count * sizeof *dims);
    if (!dims) {
      return MR_NO_MEMORY();
    }
    int64_t *at = dims;
    for (uint32_t i = 0; i < model->num_inputs; i++) {
      const size_t rank = model->inputs[i].type.rank;
      if (mr_buffer_rank(inputs[i]) != rank) {
        if (dims != few) {
          mr_free(dims);
        }
        return mr_error(MR_INVALID_ARGUMENT, "input %s has %zu dimensions, wanted %zu", model->inputs[i].name,
                        mr_buffer_rank(inputs[i]), rank);
      }
      if (rank) {
        memcpy(at, mr_buffer_dims(inputs[i]), rank * sizeof *at);
      }
      at += rank;
    }
  }
  mr_status status = mr_model_size(model, dims, count, &size);
  if (dims != few) {
    mr_free(dims);
  }
  *out_program = status ? NULL : size->program;  // as long as the model
  return status;
}

static mr_status check_inputs(const mr_model *model, millrace_buffer *const *inputs, size_t num_inputs) {
  if (num_inputs != model->num_inputs) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu inputs for a model of %u", num_inputs, model->num_inputs);
  }
  for (uint32_t i = 0; i < num_inputs; i++) {
    if (!inputs[i]) {
      return mr_error(MR_INVALID_ARGUMENT, "input %s is NULL", model->inputs[i].name);
    }
    if (mr_buffer_dtype(inputs[i]) != (mr_dtype)model->inputs[i].type.dtype) {
      return mr_error(MR_INVALID_ARGUMENT, "input %s has elements of type %s, wanted %s", model->inputs[i].name,
                      mr_dtype_name(mr_buffer_dtype(inputs[i])), mr_dtype_name((mr_dtype)model->inputs[i].type.dtype));
    }
  }
  return MR_OK;
}

static void put_arguments(const mr_model *model, const mr_bound *bound, millrace_buffer *const *inputs,
                          millrace_buffer **out_arguments) {
  for (uint32_t i = 0; i < model->signature->num_params; i++) {
    out_arguments[i] =
        model->input_of[i] != MR_NOT_BOUND ? inputs[model->input_of[i]] : bound->buffers[model->bound_index[i]];
  }
}

millrace_error *millrace_model_call(millrace_model *model, millrace_buffer *const *inputs, size_t num_inputs,
                                    const millrace_execute_options *options, millrace_buffer **out_results,
                                    size_t num_results, millrace_event **out_event) {
  if (out_event) {
    *out_event = NULL;
  }
  MR_TRY(check_inputs(model, inputs, num_inputs));
  millrace_program *program;
  MR_TRY(program_for(model, inputs, &program));
  const size_t count = model->signature->num_params;
  millrace_buffer *few[FEW], **arguments = count <= FEW ? few : mr_alloc(count * sizeof *arguments);
  if (!arguments) {
    return MR_NO_MEMORY();
  }
  mr_bound *bound = model->num_bound ? mr_model_bound(model) : NULL;
  put_arguments(model, bound, inputs, arguments);
  mr_status status =
      millrace_execute_with(program, model->device, arguments, count, options, out_results, num_results, out_event);
  mr_bound_release(bound);  // what is queued holds the buffers
  if (arguments != few) {
    mr_free(arguments);
  }
  return status;
}

// ---- From arrays to arrays ----------------------------------------------------------------------------------------------------

// The array may change as soon as the call is over, and the call waits for that: it is used where it lies.
static void still_used(void *argument) { (void)argument; }

// An execution that is stopped has told so before it ends, and may still be reading: then (`may_stop`) inputs are not the caller's arrays.
static mr_status make_inputs(const mr_model *model, const millrace_array *inputs, size_t num_inputs, bool may_stop,
                             millrace_buffer **out_buffers) {
  if (num_inputs != model->num_inputs) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu inputs for a model of %u", num_inputs, model->num_inputs);
  }
  for (size_t i = 0; i < num_inputs; i++) {
    mr_status status = may_stop || model->inputs[i].donated
                           ? millrace_buffer_create(model->device, &inputs[i], &out_buffers[i])
                           : millrace_buffer_wrap(model->device, &inputs[i], still_used, NULL, &out_buffers[i]);
    if (status) {
      return mr_status_note(status, "input %s", model->inputs[i].name);
    }
  }
  return MR_OK;
}

// A copy of the caller's array that is on its way to its buffer reads it until the buffer is ready.
static void wait_for_inputs(millrace_buffer *const *buffers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    mr_future *ready = buffers[i] ? mr_buffer_ready(buffers[i]) : NULL;
    if (ready) {
      mr_future_wait(ready);
    }
  }
}

millrace_error *millrace_model_run(millrace_model *model, const millrace_array *inputs, size_t num_inputs,
                                   const millrace_execute_options *options, millrace_buffer **out_results,
                                   size_t num_results) {
  const size_t room = MR_MAX(num_inputs, 1);
  millrace_buffer *few[FEW], **buffers = room <= FEW ? few : mr_alloc(mr_size_mul(room, sizeof *buffers));
  if (!buffers) {
    return MR_NO_MEMORY();
  }
  memset(buffers, 0, room * sizeof *buffers);
  millrace_event *event = NULL;
  bool may_stop = options && (options->stop || options->timeout_ns);
  mr_status status = make_inputs(model, inputs, num_inputs, may_stop, buffers);
  status = status ? status : millrace_model_call(model, buffers, num_inputs, options, out_results, num_results, &event);
  status = status ? status : millrace_event_wait(event);
  millrace_event_release(event);
  wait_for_inputs(buffers, num_inputs);
  for (size_t i = 0; i < num_inputs; i++) {
    millrace_buffer_release(buffers[i]);
  }
  if (buffers != few) {
    mr_free(buffers);
  }
  return status;
}
