// millrace.Model: a program with its weights, and what is told of it.
#include <stdlib.h>
#include <string.h>

#include "core.h"

// ---- Inputs and outputs ---------------------------------------------------------------------------------------------------

void mp_ports_free(mp_port *ports, size_t count) {
  for (size_t i = 0; ports && i < count; i++) {
    Py_XDECREF(ports[i].name);
    Py_XDECREF(ports[i].plain);
    Py_XDECREF(ports[i].shown);
  }
  free(ports);
}

bool mp_port_open(mp_port *port, const millrace_port *from, bool output) {
  *port = (mp_port){.port = *from, .name = PyUnicode_FromString(from->name)};
  return port->name && (!output || mp_numpy_types(from->type.dtype, &port->plain, &port->shown));
}

bool mp_names_of(mp_callee *callee) {
  callee->names = PyDict_New();
  for (size_t i = 0; callee->names && i < callee->num_inputs; i++) {
    PyObject *index = PyLong_FromSize_t(i);
    const bool fine = index && !PyDict_SetItem(callee->names, callee->inputs[i].name, index);
    Py_XDECREF(index);
    if (!fine) {
      return false;
    }
    callee->num_dims += callee->inputs[i].port.type.rank;
  }
  return callee->names != NULL;
}

// Sizes as numbers, open ones as their symbols, or None where the program computes them of several.
static PyObject *shape_of(const millrace_port *port) {
  PyObject *shape = PyTuple_New((Py_ssize_t)port->type.rank);
  for (size_t d = 0; shape && d < port->type.rank; d++) {
    PyObject *size = NULL;
    if (port->type.dims[d] != MILLRACE_OPEN) {
      size = PyLong_FromLongLong(port->type.dims[d]);
    } else if (port->symbols && port->symbols[d]) {
      size = PyUnicode_FromString(port->symbols[d]);
    } else {
      size = Py_None;
      Py_INCREF(size);
    }
    if (!size || PyTuple_SetItem(shape, (Py_ssize_t)d, size)) {
      Py_CLEAR(shape);
    }
  }
  return shape;
}

static PyObject *port_object(const mp_port *port) {
  PyObject *shape = shape_of(&port->port);
  PyObject *object = shape
                         ? PyObject_CallFunction(mp.port_type, "OsOO", port->name, mp_numpy_name(port->port.type.dtype),
                                                 shape, port->port.donated ? Py_True : Py_False)
                         : NULL;
  Py_XDECREF(shape);
  return object;
}

PyObject *mp_ports_list(const mp_port *ports, size_t count) {
  PyObject *list = PyList_New((Py_ssize_t)count);
  for (size_t i = 0; list && i < count; i++) {
    PyObject *object = port_object(&ports[i]);
    if (!object || PyList_SetItem(list, (Py_ssize_t)i, object)) {
      Py_CLEAR(list);
    }
  }
  return list;
}

static bool read_ports(mp_callee *callee) {
  callee->num_inputs = millrace_model_input_count(callee->model);
  callee->num_outputs = millrace_model_output_count(callee->model);
  callee->inputs = calloc(callee->num_inputs + 1, sizeof *callee->inputs);
  callee->outputs = calloc(callee->num_outputs + 1, sizeof *callee->outputs);
  if (!callee->inputs || !callee->outputs) {
    PyErr_NoMemory();
    return false;
  }
  for (size_t i = 0; i < callee->num_inputs; i++) {
    const millrace_port port = millrace_model_input(callee->model, i);
    if (!mp_port_open(&callee->inputs[i], &port, false)) {
      return false;
    }
  }
  for (size_t i = 0; i < callee->num_outputs; i++) {
    const millrace_port port = millrace_model_output(callee->model, i);
    if (!mp_port_open(&callee->outputs[i], &port, true)) {
      return false;
    }
  }
  return mp_names_of(callee);
}

void mp_callee_close(mp_callee *callee) {
  mp_plans_free(callee->plans);
  mp_ports_free(callee->inputs, callee->num_inputs);
  mp_ports_free(callee->outputs, callee->num_outputs);
  Py_CLEAR(callee->names);
  callee->plans = NULL;
  callee->inputs = callee->outputs = NULL;
  callee->num_inputs = callee->num_outputs = callee->num_dims = 0;
}

// ---- Opening --------------------------------------------------------------------------------------------------------------

static mp_callee *new_model(void) {
  mp_callee *callee = PyObject_New(mp_callee, mp.model);
  if (callee) {
    memset((char *)callee + sizeof(PyObject), 0, sizeof *callee - sizeof(PyObject));
    mp_live.models++;
  }
  return callee;
}

static void model_dealloc(PyObject *self) {
  mp_callee *callee = (mp_callee *)self;
  PyTypeObject *type = Py_TYPE(self);
  mp_callee_close(callee);
  millrace_model_release(callee->model);
  mp_live.models--;
  PyObject_Free(self);
  Py_DECREF(type);
}

static bool model_is_ready(mp_callee *callee) {
  callee->device = millrace_model_device(callee->model);
  callee->direct = strcmp(millrace_device_info_of(callee->device).kind, "cpu") == 0;
  return read_ports(callee);
}

// load(path or bytes, device, weights_path or None)
PyObject *mp_load(PyObject *module, PyObject *arguments) {
  (void)module;
  PyObject *from = NULL, *which = Py_None;
  const char *weights = NULL;
  char *bytes = NULL;
  Py_ssize_t size = 0;
  if (!PyArg_ParseTuple(arguments, "OOz:load", &from, &which, &weights)) {
    return NULL;
  }
  const char *path = PyUnicode_Check(from) ? PyUnicode_AsUTF8AndSize(from, NULL) : NULL;
  millrace_device *device = mp_device(which);
  if (!device || (PyUnicode_Check(from) ? !path : PyBytes_AsStringAndSize(from, &bytes, &size) < 0)) {
    return NULL;
  }
  mp_callee *callee = new_model();
  if (!callee) {
    return NULL;
  }
  const millrace_model_options options = {.struct_size = sizeof options, .device = device, .weights_path = weights};
  millrace_context *context = mp_context();
  PyThreadState *thread = PyEval_SaveThread();
  millrace_error *error = path ? millrace_model_open(context, path, &options, &callee->model)
                               : millrace_model_load(context, bytes, (size_t)size, &options, &callee->model);
  PyEval_RestoreThread(thread);
  if (error) {
    callee->model = NULL;
    mp_raise(error);
  }
  if (error || !model_is_ready(callee)) {
    Py_DECREF(callee);
    return NULL;
  }
  return (PyObject *)callee;
}

static PyObject *model_bind(PyObject *self, PyObject *object) {
  mp_callee *callee = (mp_callee *)self;
  if (Py_TYPE(object) != mp.weights) {
    return PyErr_Format(PyExc_TypeError, "bind() takes a path or millrace.Weights, got %R", object);
  }
  millrace_weights *weights = mp_weights_of(object);
  PyThreadState *thread = PyEval_SaveThread();
  millrace_error *error = millrace_model_bind(callee->model, weights);
  PyEval_RestoreThread(thread);
  if (error) {
    return mp_raise(error);
  }
  // The first time it decides what the inputs are; later they stay, and with them what calls that run have of them.
  if (millrace_model_input_count(callee->model) != callee->num_inputs) {
    mp_callee_close(callee);
    if (!read_ports(callee)) {
      return NULL;
    }
  }
  Py_RETURN_NONE;
}

// options(timeout, priority): another object for the same model
static PyObject *model_options(PyObject *self, PyObject *arguments, PyObject *keywords) {
  static char *words[] = {"timeout", "priority", NULL};
  const mp_callee *from = (mp_callee *)self;
  double timeout = (double)from->timeout_ns * 1e-9;
  int priority = from->priority;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|$di:options", words, &timeout, &priority)) {
    return NULL;
  }
  if (!(timeout >= 0 && timeout < 1e9) || priority < -100 || priority > 100) {
    return mp_fail(MILLRACE_INVALID_ARGUMENT,
                   "timeout is a number of seconds, 0 for none, and priority from -100 to 100; got %d of priority",
                   priority);
  }
  mp_callee *callee = new_model();
  if (!callee) {
    return NULL;
  }
  callee->model = millrace_model_retain(from->model);
  callee->timeout_ns = (uint64_t)(timeout * 1e9);
  callee->priority = priority;
  if (!model_is_ready(callee)) {
    Py_CLEAR(callee);
  }
  return (PyObject *)callee;
}

// ---- Sizes ----------------------------------------------------------------------------------------------------------------

// The keyword is the name of an input, and says its shape.
static bool shape_from(const mp_port *port, PyObject *shape, int64_t *dims) {
  const Py_ssize_t rank = PySequence_Size(shape);
  if (rank != (Py_ssize_t)port->port.type.rank) {
    if (!PyErr_Occurred()) {
      mp_fail(MILLRACE_INVALID_ARGUMENT, "the shape for %s has %zd sizes, wanted %zu", port->port.name, rank,
              port->port.type.rank);
    }
    return false;
  }
  for (Py_ssize_t d = 0; d < rank; d++) {
    PyObject *size = PySequence_GetItem(shape, d);
    dims[d] = size ? PyLong_AsLongLong(size) : -1;
    Py_XDECREF(size);
    if (PyErr_Occurred()) {
      return false;
    }
  }
  return true;
}

static bool size_of(const mp_port *port, size_t d, PyObject *keywords, int64_t *out_size) {
  const millrace_port *of = &port->port;
  *out_size = of->type.dims[d];
  if (*out_size != MILLRACE_OPEN) {
    return true;
  }
  const char *symbol = of->symbols ? of->symbols[d] : NULL;
  PyObject *size = symbol && keywords ? PyDict_GetItemString(keywords, symbol) : NULL;
  if (!size) {
    mp_fail(MILLRACE_INVALID_ARGUMENT, "dimension %zu of %s is open: give %s", d, of->name,
            symbol ? "its size by the name of its symbol, or the input's shape by the input's name"
                   : "the input's shape by the input's name, since it is no symbol alone");
    return false;
  }
  *out_size = PyLong_AsLongLong(size);
  return !PyErr_Occurred();
}

static bool is_symbol(const mp_callee *callee, const char *name) {
  for (size_t i = 0; i < callee->num_inputs; i++) {
    const millrace_port *port = &callee->inputs[i].port;
    for (size_t d = 0; port->symbols && d < port->type.rank; d++) {
      if (port->symbols[d] && strcmp(port->symbols[d], name) == 0) {
        return true;
      }
    }
  }
  return false;
}

static bool are_known(const mp_callee *callee, PyObject *keywords) {
  PyObject *key = NULL, *value = NULL;
  for (Py_ssize_t at = 0; keywords && PyDict_Next(keywords, &at, &key, &value);) {
    const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
    const bool number = PyLong_Check(value);
    if (!name || (number ? !is_symbol(callee, name) : !PyDict_GetItemWithError(callee->names, key))) {
      if (name) {
        mp_fail(MILLRACE_INVALID_ARGUMENT,
                number ? "no size of the model is called %s" : "no input of the model is called %s", name);
      }
      return false;
    }
  }
  return true;
}

bool mp_shapes(const mp_callee *callee, PyObject *keywords, int64_t *dims, millrace_shape *shapes) {
  if (!are_known(callee, keywords)) {
    return false;
  }
  for (size_t i = 0; i < callee->num_inputs; i++) {
    const mp_port *port = &callee->inputs[i];
    const size_t rank = port->port.type.rank;
    PyObject *said = keywords ? PyDict_GetItemWithError(keywords, port->name) : NULL;
    if (said && !PyLong_Check(said)) {
      if (!shape_from(port, said, dims)) {
        return false;
      }
    } else {
      for (size_t d = 0; d < rank; d++) {
        if (!size_of(port, d, keywords, &dims[d])) {
          return false;
        }
      }
    }
    shapes[i] = (millrace_shape){dims, rank};
    dims += rank;
  }
  return true;
}

static PyObject *model_prepare(PyObject *self, PyObject *arguments, PyObject *keywords) {
  mp_callee *callee = (mp_callee *)self;
  if (PyTuple_Size(arguments)) {
    return mp_fail(MILLRACE_INVALID_ARGUMENT, "prepare() takes sizes by name: prepare(b=8), or prepare(x=(8, 128))");
  }
  int64_t *dims = calloc(callee->num_dims + 1, sizeof *dims);
  millrace_shape *shapes = calloc(callee->num_inputs + 1, sizeof *shapes);
  mp_plan *plan = NULL;
  if (!dims || !shapes) {
    PyErr_NoMemory();
  } else if (mp_shapes(callee, keywords, dims, shapes)) {
    plan = mp_plan_make(callee, dims, shapes);
  }
  free(dims);
  free(shapes);
  if (!plan) {
    return NULL;
  }
  Py_RETURN_NONE;
}

// ---- The type -------------------------------------------------------------------------------------------------------------

static PyObject *model_inputs(PyObject *self, void *nothing) {
  (void)nothing;
  return mp_ports_list(((mp_callee *)self)->inputs, ((mp_callee *)self)->num_inputs);
}
static PyObject *model_outputs(PyObject *self, void *nothing) {
  (void)nothing;
  return mp_ports_list(((mp_callee *)self)->outputs, ((mp_callee *)self)->num_outputs);
}
static PyObject *model_device(PyObject *self, void *nothing) {
  (void)nothing;
  return mp_device_object(((mp_callee *)self)->device);
}

PyTypeObject *mp_model_type(PyObject *module) {
  static PyMethodDef methods[] = {
      {"on_device", (PyCFunction)(void (*)(void))mp_call_on_device, METH_VARARGS | METH_KEYWORDS,
       "As a call, but with millrace.Buffers for results, which may get their elements later."},
      {"_start", mp_call_start, METH_VARARGS, NULL},
      {"prepare", (PyCFunction)(void (*)(void))model_prepare, METH_VARARGS | METH_KEYWORDS,
       "prepare(b=8) or prepare(x=(8, 3)): compiles for these sizes, so that the first call finds it done. Waits for "
       "it."},
      {"session", (PyCFunction)(void (*)(void))mp_model_session, METH_VARARGS | METH_KEYWORDS,
       "session(b=1): calls whose donated inputs are results of the call before, for these sizes."},
      {"options", (PyCFunction)(void (*)(void))model_options, METH_VARARGS | METH_KEYWORDS,
       "options(timeout=seconds, priority=-100 to 100): the same model, whose calls have these."},
      {"_bind", model_bind, METH_O, NULL},
      {0}};
  static PyGetSetDef attributes[] = {
      {"inputs", model_inputs, NULL, "Its inputs in order: name, dtype, shape, donated.", NULL},
      {"outputs", model_outputs, NULL, "Its outputs in order.", NULL},
      {"device", model_device, NULL, "The device that it runs on.", NULL},
      {0}};
  static PyType_Slot slots[] = {
      {Py_tp_dealloc, model_dealloc}, {Py_tp_methods, methods}, {Py_tp_getset, attributes}, {Py_tp_call, mp_call}, {0}};
  static PyType_Spec spec = {"millrace._core.Model", sizeof(mp_callee), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                             slots};
  return mp_type(module, "Model", &spec);
}
