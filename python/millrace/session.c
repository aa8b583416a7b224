// millrace.Session: a model's calls whose donated inputs are results of the call before.
#include "session.h"

#include <stdlib.h>
#include <string.h>

#include "core.h"

static mp_callee *new_session(millrace_model *model) {
  mp_callee *callee = PyObject_New(mp_callee, mp.session);
  if (callee) {
    memset((char *)callee + sizeof(PyObject), 0, sizeof *callee - sizeof(PyObject));
    callee->model = millrace_model_retain(model);
    mp_live.sessions++;
  }
  return callee;
}

static void session_dealloc(PyObject *self) {
  mp_callee *callee = (mp_callee *)self;
  PyTypeObject *type = Py_TYPE(self);
  millrace_session_release(callee->session);
  mp_callee_close(callee);
  millrace_model_release(callee->model);
  if (callee->lock) {
    pthread_mutex_destroy(&callee->lock->inside);
    free(callee->lock);
  }
  mp_live.sessions--;
  PyObject_Free(self);
  Py_DECREF(type);
}

static bool read_ports(mp_callee *callee) {
  const size_t inputs = millrace_session_input_count(callee->session),
               outputs = millrace_session_output_count(callee->session);
  callee->inputs = calloc(inputs + 1, sizeof *callee->inputs);
  callee->outputs = calloc(outputs + 1, sizeof *callee->outputs);
  callee->lock = malloc(sizeof *callee->lock);
  if (!callee->inputs || !callee->outputs || !callee->lock) {
    PyErr_NoMemory();
    return false;
  }
  pthread_mutex_init(&callee->lock->inside, NULL);
  for (; callee->num_inputs < inputs; callee->num_inputs++) {
    const millrace_port port =
        millrace_model_input(callee->model, millrace_session_input(callee->session, callee->num_inputs));
    if (!mp_port_open(&callee->inputs[callee->num_inputs], &port, false)) {
      return false;
    }
  }
  for (; callee->num_outputs < outputs; callee->num_outputs++) {
    const millrace_port port =
        millrace_model_output(callee->model, millrace_session_output(callee->session, callee->num_outputs));
    if (!mp_port_open(&callee->outputs[callee->num_outputs], &port, true)) {
      return false;
    }
  }
  return mp_names_of(callee);
}

// The one plan of a session: shapes are those of the model's inputs, of which the session's are some.
static bool make_plan(mp_callee *callee, const millrace_shape *shapes, const millrace_program *program) {
  int64_t *dims = calloc(callee->num_dims + 1, sizeof *dims), *at = dims;
  if (!dims) {
    PyErr_NoMemory();
    return false;
  }
  for (size_t i = 0; i < callee->num_inputs; i++) {
    const millrace_shape *shape = &shapes[millrace_session_input(callee->session, i)];
    if (shape->rank) {
      memcpy(at, shape->dims, shape->rank * sizeof *at);
    }
    at += shape->rank;
  }
  const bool fine = mp_plan_of(callee, program, dims) != NULL;
  free(dims);
  return fine;
}

static mp_callee *open_session(mp_callee *from, const millrace_shape *shapes) {
  mp_callee *callee = new_session(from->model);
  if (!callee) {
    return NULL;
  }
  callee->device = from->device;
  callee->direct = from->direct;
  callee->timeout_ns = from->timeout_ns;
  callee->priority = from->priority;
  const size_t num_shapes = from->num_inputs;
  millrace_program *program = NULL;
  PyThreadState *thread = PyEval_SaveThread();
  millrace_error *error = millrace_model_program(callee->model, shapes, num_shapes, &program);
  if (!error) {
    error = millrace_session_create(callee->model, shapes, num_shapes, &callee->session);
  }
  PyEval_RestoreThread(thread);
  if (error) {
    callee->session = NULL;
    mp_raise(error);
  }
  if (error || !read_ports(callee) || !make_plan(callee, shapes, program)) {
    Py_CLEAR(callee);
  }
  millrace_program_release(program);
  return callee;
}

PyObject *mp_model_session(PyObject *self, PyObject *arguments, PyObject *keywords) {
  mp_callee *from = (mp_callee *)self, *callee = NULL;
  if (PyTuple_Size(arguments)) {
    return mp_fail(MILLRACE_INVALID_ARGUMENT, "session() takes sizes by name: session(b=8), or session(x=(8, 128))");
  }
  int64_t *dims = calloc(from->num_dims + 1, sizeof *dims);
  millrace_shape *shapes = calloc(from->num_inputs + 1, sizeof *shapes);
  if (!dims || !shapes) {
    PyErr_NoMemory();
  } else if (mp_shapes(from, keywords, dims, shapes)) {
    callee = open_session(from, shapes);
  }
  free(dims);
  free(shapes);
  return (PyObject *)callee;
}

// ---- State ----------------------------------------------------------------------------------------------------------------

static const char *state_name(const mp_callee *callee, size_t state) {
  return millrace_model_input(callee->model, millrace_session_state(callee->session, state)).name;
}

// SIZE_MAX with an error: there is none of that name.
static size_t find_state(const mp_callee *callee, PyObject *key) {
  const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
  const size_t count = millrace_session_state_count(callee->session);
  for (size_t i = 0; name && i < count; i++) {
    if (strcmp(state_name(callee, i), name) == 0) {
      return i;
    }
  }
  if (name) {
    PyErr_SetObject(PyExc_KeyError, key);
  }
  return SIZE_MAX;
}

static PyObject *session_get(PyObject *self, PyObject *key) {
  mp_callee *callee = (mp_callee *)self;
  const size_t state = find_state(callee, key);
  millrace_buffer *buffer = NULL;
  if (state == SIZE_MAX) {
    return NULL;
  }
  PyThreadState *thread = PyEval_SaveThread();
  pthread_mutex_lock(&callee->lock->inside);
  millrace_error *error = millrace_session_get(callee->session, state, &buffer);
  pthread_mutex_unlock(&callee->lock->inside);
  PyEval_RestoreThread(thread);
  return error ? mp_raise(error) : mp_buffer_object(buffer);
}

// A buffer is taken by the next call; of an array there is a copy.
static int session_set(PyObject *self, PyObject *key, PyObject *value) {
  mp_callee *callee = (mp_callee *)self;
  if (!value) {
    PyErr_SetString(PyExc_TypeError, "state cannot be deleted");
    return -1;
  }
  const size_t state = find_state(callee, key);
  if (state == SIZE_MAX) {
    return -1;
  }
  const millrace_port port = millrace_model_input(callee->model, millrace_session_state(callee->session, state));
  mp_input input;
  millrace_buffer *buffer = NULL;
  if (!mp_input_open(value, port.type.dtype, &input)) {
    return -1;
  }
  millrace_error *error = mp_input_buffer(&input, callee->device, true, &buffer);
  if (!error) {
    PyThreadState *thread = PyEval_SaveThread();
    pthread_mutex_lock(&callee->lock->inside);
    error = millrace_session_set(callee->session, state, buffer);
    pthread_mutex_unlock(&callee->lock->inside);
    PyEval_RestoreThread(thread);
  }
  millrace_buffer_release(buffer);
  mp_input_close(&input);
  if (error) {
    mp_raise(error);
  }
  return error ? -1 : 0;
}

static PyObject *session_keys(PyObject *self, PyObject *nothing) {
  (void)nothing;
  const mp_callee *callee = (mp_callee *)self;
  const size_t count = millrace_session_state_count(callee->session);
  PyObject *list = PyList_New((Py_ssize_t)count);
  for (size_t i = 0; list && i < count; i++) {
    PyObject *name = PyUnicode_FromString(state_name(callee, i));
    if (!name || PyList_SetItem(list, (Py_ssize_t)i, name)) {
      Py_CLEAR(list);
    }
  }
  return list;
}

static Py_ssize_t session_length(PyObject *self) {
  return (Py_ssize_t)millrace_session_state_count(((mp_callee *)self)->session);
}

static PyObject *session_inputs(PyObject *self, void *nothing) {
  (void)nothing;
  return mp_ports_list(((mp_callee *)self)->inputs, ((mp_callee *)self)->num_inputs);
}
static PyObject *session_outputs(PyObject *self, void *nothing) {
  (void)nothing;
  return mp_ports_list(((mp_callee *)self)->outputs, ((mp_callee *)self)->num_outputs);
}
static PyObject *session_device(PyObject *self, void *nothing) {
  (void)nothing;
  return mp_device_object(((mp_callee *)self)->device);
}

PyTypeObject *mp_session_type(PyObject *module) {
  static PyMethodDef methods[] = {
      {"on_device", (PyCFunction)(void (*)(void))mp_call_on_device, METH_VARARGS | METH_KEYWORDS,
       "As a call, but with millrace.Buffers for results, which may get their elements later."},
      {"_start", mp_call_start, METH_VARARGS, NULL},
      {"keys", session_keys, METH_NOARGS, "The names of the state: those of the donated inputs."},
      {0}};
  static PyGetSetDef attributes[] = {{"inputs", session_inputs, NULL, "The inputs that are no state.", NULL},
                                     {"outputs", session_outputs, NULL, "The outputs that are no state.", NULL},
                                     {"device", session_device, NULL, "The device that it runs on.", NULL},
                                     {0}};
  static PyType_Slot slots[] = {{Py_tp_dealloc, session_dealloc},
                                {Py_tp_methods, methods},
                                {Py_tp_getset, attributes},
                                {Py_tp_call, mp_call},
                                {Py_mp_length, session_length},
                                {Py_mp_subscript, session_get},
                                {Py_mp_ass_subscript, session_set},
                                {Py_tp_doc, "Calls that keep state on the device: session(x) takes the inputs that are "
                                            "no state and gives the outputs that are none. "
                                            "session[name] is a copy of what state is after the calls that were "
                                            "queued, a Buffer; session[name] = array sets it."},
                                {0}};
  static PyType_Spec spec = {"millrace.Session", sizeof(mp_callee), 0, Py_TPFLAGS_DEFAULT, slots};
  return mp_type(module, "Session", &spec);
}
