// Calls: arguments to inputs, results to fresh arrays of numpy's or to buffers.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "session.h"

typedef struct frame {
  mp_callee *callee;  // retained
  size_t num_inputs, num_outputs;
  mp_plan *plan;  // retained
  bool has_buffers;
  size_t num_open;  // of the inputs
  mp_input *inputs, few_inputs[MP_FEW];
  millrace_destination *destinations, few_destinations[MP_FEW];
  millrace_buffer **buffers, *few_buffers[2 * MP_FEW];  // those of the inputs, and those of the outputs behind
} frame;

// ---- Arguments ------------------------------------------------------------------------------------------------------------

static bool has_room(frame *f) {
  f->inputs = f->num_inputs <= MP_FEW ? f->few_inputs : malloc(f->num_inputs * sizeof *f->inputs);
  f->destinations = f->num_outputs <= MP_FEW ? f->few_destinations : malloc(f->num_outputs * sizeof *f->destinations);
  const size_t both = f->num_inputs + f->num_outputs;
  f->buffers = both <= 2 * (size_t)MP_FEW ? f->few_buffers : malloc(both * sizeof *f->buffers);
  if (!f->inputs || !f->destinations || !f->buffers) {
    PyErr_NoMemory();
    return false;
  }
  memset(f->buffers, 0, both * sizeof *f->buffers);
  return true;
}

static PyObject *print_inputs(const mp_callee *callee) {
  PyObject *names = PyDict_Keys(callee->names), *comma = PyUnicode_FromString(", ");
  PyObject *text = names && comma ? PyUnicode_Join(comma, names) : NULL;
  Py_XDECREF(comma);
  Py_XDECREF(names);
  return text;
}

static bool wrong_arguments(const mp_callee *callee, const char *what, PyObject *name) {
  PyObject *inputs = print_inputs(callee);
  PyObject *message = inputs ? PyUnicode_FromFormat("%s%S; the inputs are %S", what, name, inputs) : NULL;
  const char *text = message ? PyUnicode_AsUTF8AndSize(message, NULL) : NULL;
  if (text) {
    mp_fail(MILLRACE_INVALID_ARGUMENT, "%s", text);
  }
  Py_XDECREF(message);
  Py_XDECREF(inputs);
  return false;
}

static bool by_name(const mp_callee *callee, PyObject *keywords, size_t num_given, PyObject **objects) {
  PyObject *key = NULL, *value = NULL;
  for (Py_ssize_t at = 0; PyDict_Next(keywords, &at, &key, &value);) {
    PyObject *number = PyDict_GetItemWithError(callee->names, key);
    if (!number) {
      return !PyErr_Occurred() && wrong_arguments(callee, "there is no input ", key);
    }
    const size_t index = PyLong_AsSize_t(number);
    if (index < num_given) {
      return wrong_arguments(callee, "given by position and by name: ", key);
    }
    objects[index] = value;
  }
  return true;
}

// `objects` has room for all inputs and gets them borrowed.
static bool gather(const mp_callee *callee, PyObject *arguments, PyObject *keywords, PyObject **objects) {
  const size_t given = (size_t)PyTuple_Size(arguments);
  if (given > callee->num_inputs) {
    PyObject *count = PyLong_FromSize_t(given);
    const bool never = count && wrong_arguments(callee, "more arguments than inputs: ", count);
    Py_XDECREF(count);
    return never;
  }
  for (size_t i = 0; i < callee->num_inputs; i++) {
    objects[i] = i < given ? PyTuple_GetItem(arguments, (Py_ssize_t)i) : NULL;
  }
  if (keywords && !by_name(callee, keywords, given, objects)) {
    return false;
  }
  for (size_t i = given; i < callee->num_inputs; i++) {
    if (!objects[i]) {
      return wrong_arguments(callee, "there is no argument for ", callee->inputs[i].name);
    }
  }
  return true;
}

static bool wrong_type(const mp_port *port, const millrace_type *got, const char *why) {
  char is[256], wanted[256];
  const millrace_type *want = &port->port.type;
  mp_fail(MILLRACE_INVALID_ARGUMENT, "%s is %s, wanted %s%s", port->port.name,
          mp_print_type(got->dtype, got->dims, got->rank, is, sizeof is),
          mp_print_type(want->dtype, want->dims, want->rank, wanted, sizeof wanted), why);
  return false;
}

static bool opened(frame *f, PyObject **objects) {
  for (size_t i = 0; i < f->num_inputs; i++) {
    const mp_port *port = &f->callee->inputs[i];
    mp_input *input = &f->inputs[i];
    if (!mp_input_open(objects[i], port->port.type.dtype, input)) {
      return false;
    }
    f->num_open++;
    f->has_buffers |= input->buffer != NULL;
    const millrace_type type = mp_input_type(input);
    if (type.rank != port->port.type.rank) {
      return wrong_type(port, &type, "");
    }
    if (type.dtype != port->port.type.dtype) {
      // Without ml_dtypes what numpy has of such elements is unsigned numbers.
      const bool bits = !input->buffer && !mp_has_format(port->port.type.dtype) &&
                        strcmp(mp_format_of(type.dtype), mp_format_of(port->port.type.dtype)) == 0;
      if (!bits) {
        return wrong_type(port, &type, ": arrays are not converted");
      }
      input->array.dtype = port->port.type.dtype;
    }
  }
  return true;
}

static bool sizes_fit(const frame *f) {
  for (size_t i = 0; i < f->num_inputs; i++) {
    const mp_port *port = &f->callee->inputs[i];
    const millrace_type type = mp_input_type(&f->inputs[i]);
    for (size_t d = 0; d < type.rank; d++) {
      if (port->port.type.dims[d] != MILLRACE_OPEN && port->port.type.dims[d] != type.dims[d]) {
        return wrong_type(port, &type, "");
      }
    }
  }
  return true;
}

static void close_frame(frame *f) {
  for (size_t i = 0; i < f->num_open; i++) {
    mp_input_close(&f->inputs[i]);
  }
  for (size_t i = 0; f->buffers && i < f->num_inputs + f->num_outputs; i++) {
    millrace_buffer_release(f->buffers[i]);
  }
  mp_plan_release(f->plan);
  if (f->inputs != f->few_inputs) {
    free(f->inputs);
  }
  if (f->destinations != f->few_destinations) {
    free(f->destinations);
  }
  if (f->buffers != f->few_buffers) {
    free(f->buffers);
  }
  Py_DECREF(f->callee);
}

// Closed by close_frame(), also where this fails. Of all calls: arguments and their types are looked at first.
static bool open_frame(frame *f, PyObject *self, PyObject *arguments, PyObject *keywords) {
  mp_callee *callee = (mp_callee *)self;
  Py_INCREF(self);
  f->callee = callee;
  f->num_inputs = callee->num_inputs;
  f->num_outputs = callee->num_outputs;
  f->plan = NULL;
  f->has_buffers = false;
  f->num_open = 0;
  mp_take_back();
  PyObject *few[MP_FEW], **objects = f->num_inputs <= MP_FEW ? few : malloc(f->num_inputs * sizeof *objects);
  if (!objects) {
    PyErr_NoMemory();
  }
  const bool fine = has_room(f) && objects && gather(callee, arguments, keywords, objects) && opened(f, objects);
  if (objects != few) {
    free(objects);
  }
  return fine;
}

// ---- Plans ----------------------------------------------------------------------------------------------------------------

static void shapes_of(const frame *f, int64_t *dims, millrace_shape *shapes) {
  for (size_t i = 0; i < f->num_inputs; i++) {
    const millrace_type type = mp_input_type(&f->inputs[i]);
    if (type.rank) {
      memcpy(dims, type.dims, type.rank * sizeof *dims);
    }
    shapes[i] = (millrace_shape){dims, type.rank};
    dims += type.rank;
  }
}

// All sizes of a session were said when it began: names the input that has another. Always false.
static bool other_shape(const frame *f) {
  const int64_t *dims = f->callee->plans->dims;
  for (size_t i = 0; i < f->num_inputs; i++) {
    const millrace_type type = mp_input_type(&f->inputs[i]);
    if (type.rank && memcmp(dims, type.dims, type.rank * sizeof *dims) != 0) {
      mp_port said = f->callee->inputs[i];
      said.port.type.dims = dims;
      return wrong_type(&said, &type, ", as the session has it");
    }
    dims += type.rank;
  }
  mp_fail(MILLRACE_INTERNAL, "the session has no plan for shapes that are its own");
  return false;
}

// Compiles for the shapes of the inputs: at once, or with *out_event, where that is not NULL, on a thread of the engine's.
static bool make_plan(frame *f, millrace_event **out_event) {
  mp_callee *callee = f->callee;
  if (!sizes_fit(f)) {
    return false;
  }
  if (callee->session) {
    return other_shape(f);
  }
  int64_t *dims = calloc(callee->num_dims + 1, sizeof *dims);
  millrace_shape *shapes = calloc(f->num_inputs + 1, sizeof *shapes);
  millrace_error *error = NULL;
  if (!dims || !shapes) {
    PyErr_NoMemory();
  } else {
    shapes_of(f, dims, shapes);
    error = out_event ? millrace_model_prepare(callee->model, shapes, f->num_inputs, out_event) : NULL;
    f->plan = error || (out_event && *out_event) ? NULL : mp_plan_make(callee, dims, shapes);
  }
  free(dims);
  free(shapes);
  if (error) {
    mp_raise(error);
  }
  return f->plan || (!PyErr_Occurred() && out_event && *out_event);
}

static bool has_plan(frame *f, millrace_event **out_event) {
  f->plan = mp_plan_find(f->callee, f->inputs);
  if (!f->plan && !make_plan(f, out_event)) {
    return false;
  }
  if (f->plan) {
    f->plan->references++;
  }
  return true;
}

// ---- Results --------------------------------------------------------------------------------------------------------------

static PyObject *fresh_array(frame *f, size_t i) {
  const mp_port *port = &f->callee->outputs[i];
  PyObject *array = PyObject_Call(f->plan->bytes[i] < MP_ALIGNED ? mp.empty : mp.aligned, f->plan->empty[i], NULL);
  Py_buffer view;
  if (!array || PyObject_GetBuffer(array, &view, PyBUF_SIMPLE)) {
    Py_XDECREF(array);
    return NULL;
  }
  f->destinations[i] = (millrace_destination){view.buf, f->plan->bytes[i]};
  PyBuffer_Release(&view);  // nobody else has the array, whose memory stays where it is
  if (port->shown) {
    PyObject *shown = PyObject_CallFunctionObjArgs(mp.view_as, array, port->shown, NULL);
    Py_DECREF(array);
    array = shown;
  }
  return array;
}

static PyObject *buffer_of_result(frame *f, size_t i) {
  millrace_buffer *buffer = f->buffers[f->num_inputs + i];
  f->buffers[f->num_inputs + i] = NULL;
  return mp_buffer_object(buffer);
}

// One result, or a tuple of them: arrays that are to be written, or buffers that there are.
static PyObject *each_result(frame *f, PyObject *(*make)(frame *f, size_t i)) {
  if (f->num_outputs == 1) {
    return make(f, 0);
  }
  PyObject *all = PyTuple_New((Py_ssize_t)f->num_outputs);
  for (size_t i = 0; all && i < f->num_outputs; i++) {
    PyObject *one = make(f, i);
    if (!one || PyTuple_SetItem(all, (Py_ssize_t)i, one)) {
      Py_CLEAR(all);
    }
  }
  return all;
}

// ---- Running --------------------------------------------------------------------------------------------------------------

static millrace_execute_options options_of(const frame *f, bool to_arrays) {
  return (millrace_execute_options){.struct_size = sizeof(millrace_execute_options),
                                    .timeout_ns = f->callee->timeout_ns,
                                    .priority = f->callee->priority,
                                    .destinations = to_arrays ? f->destinations : NULL,
                                    .num_destinations = to_arrays ? f->num_outputs : 0};
}

// From arrays to arrays, which is the shortest way.
static millrace_error *run_arrays(frame *f) {
  millrace_array few[MP_FEW], *arrays = f->num_inputs <= MP_FEW ? few : malloc(f->num_inputs * sizeof *arrays);
  if (!arrays) {
    PyErr_NoMemory();
    return NULL;
  }
  for (size_t i = 0; i < f->num_inputs; i++) {
    arrays[i] = f->inputs[i].array;
  }
  const millrace_execute_options options = options_of(f, true);
  PyThreadState *thread = f->plan->quick ? NULL : PyEval_SaveThread();
  millrace_error *error =
      millrace_model_run(f->callee->model, arrays, f->num_inputs, &options, f->buffers + f->num_inputs, f->num_outputs);
  if (thread) {
    PyEval_RestoreThread(thread);
  }
  if (arrays != few) {
    free(arrays);
  }
  return error;
}

static millrace_error *make_buffers(frame *f) {
  millrace_error *error = NULL;
  for (size_t i = 0; !error && i < f->num_inputs; i++) {
    error = mp_input_buffer(&f->inputs[i], f->callee->device, f->callee->inputs[i].port.donated, &f->buffers[i]);
  }
  return error;
}

// Whether the call can be over when it returns: what waits for a buffer is queued, and who queues may be held up for long.
static bool is_quick(const frame *f) {
  bool quick = f->plan->quick;
  for (size_t i = 0; f->has_buffers && quick && i < f->num_inputs; i++) {
    millrace_event *ready = f->inputs[i].buffer ? millrace_buffer_ready(f->inputs[i].buffer) : NULL;
    quick = millrace_event_is_done(ready);
    millrace_event_release(ready);
  }
  return quick;
}

// Queues the call; *out_event may be NULL when it is over.
static millrace_error *queue(frame *f, const millrace_execute_options *options, millrace_event **out_event) {
  mp_callee *callee = f->callee;
  millrace_error *error = make_buffers(f);
  if (error) {
    return error;
  }
  millrace_buffer **results = f->buffers + f->num_inputs;
  PyThreadState *thread = is_quick(f) ? NULL : PyEval_SaveThread();
  if (callee->session) {
    // Who waits here with the GIL waits for somebody inside the engine, who does not.
    pthread_mutex_lock(&callee->lock->inside);
    error =
        millrace_session_call(callee->session, f->buffers, f->num_inputs, options, results, f->num_outputs, out_event);
    pthread_mutex_unlock(&callee->lock->inside);
  } else {
    error = millrace_model_call(callee->model, f->buffers, f->num_inputs, options, results, f->num_outputs, out_event);
  }
  if (thread) {
    PyEval_RestoreThread(thread);
  }
  return error;
}

static millrace_error *wait_for(millrace_event *event) {
  if (millrace_event_is_done(event)) {
    return millrace_event_wait(event);
  }
  PyThreadState *thread = PyEval_SaveThread();
  millrace_error *error = millrace_event_wait(event);
  PyEval_RestoreThread(thread);
  return error;
}

static millrace_error *run_buffers(frame *f) {
  millrace_event *event = NULL;
  const millrace_execute_options options = options_of(f, true);
  millrace_error *error = queue(f, &options, &event);
  if (!error) {
    error = wait_for(event);
  }
  millrace_event_release(event);
  return error;
}

static PyObject *result_or(PyObject *take_result, millrace_error *error) {
  if (error) {
    mp_raise(error);
  }
  if (PyErr_Occurred()) {
    Py_CLEAR(take_result);
  }
  return take_result;
}

PyObject *mp_call(PyObject *self, PyObject *arguments, PyObject *keywords) {
  frame f;
  PyObject *result = NULL;
  if (open_frame(&f, self, arguments, keywords) && has_plan(&f, NULL)) {
    result = each_result(&f, fresh_array);
    if (result) {
      result = result_or(result, f.has_buffers || f.callee->session ? run_buffers(&f) : run_arrays(&f));
    }
  }
  close_frame(&f);
  return result;
}

PyObject *mp_call_on_device(PyObject *self, PyObject *arguments, PyObject *keywords) {
  frame f;
  PyObject *result = NULL;
  if (open_frame(&f, self, arguments, keywords) && has_plan(&f, NULL)) {
    const millrace_execute_options options = options_of(&f, false);
    millrace_error *error = queue(&f, &options, NULL);
    result = error ? mp_raise(error) : each_result(&f, buffer_of_result);
  }
  close_frame(&f);
  return result;
}

// ---- For event loops ------------------------------------------------------------------------------------------------------

// What is to be done again when the event has happened: (self, arguments, keywords).
static PyObject *start_later(frame *f, millrace_event *take_event, PyObject *completions, PyObject *future,
                             PyObject *arguments, PyObject *keywords) {
  PyObject *again = PyTuple_Pack(3, (PyObject *)f->callee, arguments, keywords);
  if (!again) {
    millrace_event_release(take_event);
    return NULL;
  }
  const bool fine = mp_pending_add(completions, take_event, future, NULL, again);
  Py_DECREF(again);
  if (!fine) {
    return NULL;
  }
  Py_RETURN_NONE;
}

// What ends the call when the future is cancelled: its attribute `stop`.
static millrace_error *give_stop(PyObject *future, PyObject **out_stop, millrace_stop_source **out_source) {
  *out_stop = NULL;
  millrace_error *error = millrace_stop_source_create(out_source);
  if (!error) {
    *out_stop = mp_stop_object(*out_source);
    if (*out_stop && PyObject_SetAttr(future, mp.str_stop, *out_stop)) {
      Py_CLEAR(*out_stop);
    }
  }
  return error;
}

static PyObject *queue_for(frame *f, PyObject *completions, PyObject *future, PyObject *take_result) {
  PyObject *stop = NULL;
  millrace_event *event = NULL;
  millrace_execute_options options = options_of(f, true);
  options.when_full = MILLRACE_WHEN_FULL_FAIL;
  millrace_error *error = give_stop(future, &stop, &options.stop);
  if (!error && stop) {
    error = queue(f, &options, &event);
  }
  Py_XDECREF(stop);
  if (error || PyErr_Occurred() || millrace_event_is_done(event)) {
    error = error || PyErr_Occurred() ? error : millrace_event_wait(event);
    millrace_event_release(event);
    return result_or(take_result, error);
  }
  const bool fine = mp_pending_add(completions, event, future, take_result, NULL);
  Py_DECREF(take_result);
  if (!fine) {
    return NULL;
  }
  Py_RETURN_NONE;
}

// The result when the call is over, None when it is to be announced. What is quick is over before a loop could be told of it.
static PyObject *start(frame *f, PyObject *completions, PyObject *future) {
  PyObject *result = each_result(f, fresh_array);
  if (result && f->plan->quick && !f->has_buffers && !f->callee->session) {
    return result_or(result, run_arrays(f));
  }
  return result ? queue_for(f, completions, future, result) : NULL;
}

PyObject *mp_call_start(PyObject *self, PyObject *all) {
  PyObject *completions = NULL, *future = NULL, *arguments = NULL, *keywords = NULL, *result = NULL;
  if (!PyArg_ParseTuple(all, "OOOO:_start", &completions, &future, &arguments, &keywords)) {
    return NULL;
  }
  frame f;
  millrace_event *event = NULL;
  if (open_frame(&f, self, arguments, keywords) && has_plan(&f, &event)) {
    result = event ? start_later(&f, event, completions, future, arguments, keywords) : start(&f, completions, future);
  }
  close_frame(&f);
  return result;
}
