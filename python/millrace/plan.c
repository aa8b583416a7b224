// What is known of calls with inputs of certain shapes: found by these, so that a call asks the engine for no type.
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "millrace/engine.h"

static void plan_free(mp_plan *plan, size_t num_outputs) {
  for (size_t i = 0; plan->empty && i < num_outputs; i++) {
    Py_XDECREF(plan->empty[i]);
  }
  free(plan->empty);
  free(plan->bytes);
  free(plan->dims);
  free(plan);
}

void mp_plan_release(mp_plan *plan) {
  if (plan && --plan->references == 0) {
    plan_free(plan, plan->num_outputs);
  }
}

void mp_plans_free(mp_plan *plan) {
  while (plan) {
    mp_plan *next = plan->next;
    plan->next = NULL;
    mp_plan_release(plan);
    plan = next;
  }
}

// The arguments of numpy.empty for a result.
static PyObject *empty_for(const mp_port *port, const millrace_type *type) {
  PyObject *shape = mp_dims_tuple(type->dims, type->rank);
  PyObject *both = shape ? PyTuple_Pack(2, shape, port->plain) : NULL;
  Py_XDECREF(shape);
  return both;
}

static bool set_results(mp_plan *plan, const mp_callee *callee, const millrace_program *program) {
  for (size_t i = 0; i < callee->num_outputs; i++) {
    const mp_port *port = &callee->outputs[i];
    const millrace_type type = millrace_program_result(program, port->port.parameter);
    plan->bytes[i] = type.bytes;
    plan->empty[i] = empty_for(port, &type);
    if (!plan->empty[i]) {
      return false;
    }
  }
  return true;
}

// At the front, before those for other shapes; the last goes where there are too many.
static void remember(mp_callee *callee, mp_plan *plan) {
  plan->next = callee->plans;
  callee->plans = plan;
  size_t count = 1;
  for (mp_plan *at = plan; at->next; at = at->next, count++) {
    if (count == MP_PLANS) {
      mp_plan *last = at->next;
      at->next = last->next;
      last->next = NULL;
      mp_plan_release(last);
      return;
    }
  }
}

// Over before it would pay to let go of the GIL, or to go to another thread: for certain: a loop may go on for ever, whatever is estimated of
// a round.
static bool is_quick(const mp_callee *callee, const millrace_program *program) {
  const millrace_program_costs costs = millrace_program_costs_of(program);
  return callee->direct && !callee->timeout_ns && !costs.unbounded && costs.estimate_ns <= MP_QUICK_NS;
}

mp_plan *mp_plan_of(mp_callee *callee, const millrace_program *program, const int64_t *dims) {
  mp_plan *plan = calloc(1, sizeof *plan);
  if (!plan) {
    PyErr_NoMemory();
    return NULL;
  }
  plan->references = 1;
  plan->num_outputs = callee->num_outputs;
  plan->dims = calloc(callee->num_dims + 1, sizeof *plan->dims);
  plan->bytes = calloc(callee->num_outputs + 1, sizeof *plan->bytes);
  plan->empty = calloc(callee->num_outputs + 1, sizeof *plan->empty);
  const bool room = plan->dims && plan->bytes && plan->empty;
  if (!room || !set_results(plan, callee, program)) {
    plan_free(plan, plan->num_outputs);
    return room ? NULL : (mp_plan *)PyErr_NoMemory();
  }
  memcpy(plan->dims, dims, callee->num_dims * sizeof *dims);
  plan->quick = is_quick(callee, program);
  remember(callee, plan);
  return plan;
}

mp_plan *mp_plan_make(mp_callee *callee, const int64_t *dims, const millrace_shape *shapes) {
  millrace_program *program = NULL;
  millrace_model *model = callee->model;
  const size_t num_shapes = callee->num_inputs;
  PyThreadState *thread = PyEval_SaveThread();
  millrace_error *error = millrace_model_program(model, shapes, num_shapes, &program);
  PyEval_RestoreThread(thread);
  if (error) {
    return (mp_plan *)mp_raise(error);
  }
  mp_plan *plan = mp_plan_of(callee, program, dims);
  millrace_program_release(program);
  return plan;
}

// Moved to the front when it is found: calls mostly have the shapes of the one before.
mp_plan *mp_plan_find(mp_callee *callee, const mp_input *inputs) {
  for (mp_plan *before = NULL, *plan = callee->plans; plan; before = plan, plan = plan->next) {
    const int64_t *dims = plan->dims;
    bool same = true;
    for (size_t i = 0; same && i < callee->num_inputs; i++) {
      const millrace_type type = mp_input_type(&inputs[i]);
      same = type.rank == 0 || memcmp(dims, type.dims, type.rank * sizeof *dims) == 0;
      dims += type.rank;
    }
    if (same) {
      if (before) {
        before->next = plan->next;
        plan->next = callee->plans;
        callee->plans = plan;
      }
      return plan;
    }
  }
  return NULL;
}
