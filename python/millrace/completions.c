// Completions: the ends of calls for an event loop of Python's, by one descriptor.
#include <stdlib.h>

#include "core.h"

enum { AT_ONCE = 64 };

typedef struct completions_object {
  PyObject_HEAD millrace_completions *completions;
  Py_ssize_t waiting;  // tags that are with the engine
} completions_object;

millrace_completions *mp_completions_of(PyObject *object) { return ((completions_object *)object)->completions; }

static void pending_free(mp_pending *pending) {
  Py_XDECREF(pending->future);
  Py_XDECREF(pending->result);
  Py_XDECREF(pending->again);
  mp_live.pending--;
  free(pending);
}

bool mp_pending_add(PyObject *completions, millrace_event *take_event, PyObject *future, PyObject *result,
                    PyObject *again) {
  mp_pending *pending = malloc(sizeof *pending);
  if (!pending) {
    millrace_event_release(take_event);
    PyErr_NoMemory();
    return false;
  }
  *pending = (mp_pending){future, result, again};
  Py_XINCREF(future);
  Py_XINCREF(result);
  Py_XINCREF(again);
  mp_live.pending++;
  millrace_error *error = millrace_completions_add(mp_completions_of(completions), take_event, pending);
  millrace_event_release(take_event);
  if (error) {
    pending_free(pending);
    mp_raise(error);
    return false;
  }
  ((completions_object *)completions)->waiting++;
  return true;
}

PyObject *mp_completions_create(PyObject *module, PyObject *nothing) {
  (void)module;
  (void)nothing;
  completions_object *object = PyObject_New(completions_object, mp.completions);
  if (!object) {
    return NULL;
  }
  object->completions = NULL;
  object->waiting = 0;
  mp_live.completions++;
  millrace_error *error = millrace_completions_create(&object->completions);
  if (error) {
    Py_DECREF(object);
    return mp_raise(error);
  }
  return (PyObject *)object;
}

// What one end becomes: (future, result, None or an error, again).
static PyObject *one_end(const millrace_completion *completion) {
  mp_pending *pending = completion->tag;
  PyObject *error = completion->error ? mp_error_object(completion->error) : NULL;
  PyObject *item = PyErr_Occurred() ? NULL
                                    : PyTuple_Pack(4, pending->future ? pending->future : Py_None,
                                                   pending->result ? pending->result : Py_None, error ? error : Py_None,
                                                   pending->again ? pending->again : Py_None);
  Py_XDECREF(error);
  pending_free(pending);
  return item;
}

static Py_ssize_t take_some(completions_object *object, PyObject *list, millrace_completion *ends) {
  const size_t count = millrace_completions_take(object->completions, ends, AT_ONCE);
  object->waiting -= (Py_ssize_t)count;
  bool fine = true;
  for (size_t i = 0; i < count; i++) {
    PyObject *item = one_end(&ends[i]);
    fine = fine && item && !PyList_Append(list, item);
    Py_XDECREF(item);
  }
  return fine ? (Py_ssize_t)count : -1;
}

static PyObject *completions_take(PyObject *self, PyObject *nothing) {
  (void)nothing;
  millrace_completion ends[AT_ONCE];
  PyObject *list = PyList_New(0);
  Py_ssize_t count = list ? AT_ONCE : -1;
  while (count == AT_ONCE) {
    count = take_some((completions_object *)self, list, ends);
  }
  if (count < 0) {
    Py_CLEAR(list);
  }
  mp_take_back();
  return list;
}

// The engine writes to the results of calls that are under way: what they hold stays until they are over. Without a loop nobody is told.
static void completions_dealloc(PyObject *self) {
  completions_object *object = (completions_object *)self;
  PyTypeObject *type = Py_TYPE(self);
  while (object->completions && object->waiting > 0) {
    millrace_completion end;
    PyThreadState *thread = PyEval_SaveThread();
    const size_t count = millrace_completions_wait(object->completions, &end, 1, UINT64_MAX);
    PyEval_RestoreThread(thread);
    if (count) {
      millrace_error_free(end.error);
      pending_free(end.tag);
      object->waiting--;
    }
  }
  millrace_completions_release(object->completions);
  mp_live.completions--;
  PyObject_Free(self);
  Py_DECREF(type);
}

static PyObject *completions_fd(PyObject *self, PyObject *nothing) {
  (void)nothing;
  return PyLong_FromLong(millrace_completions_fd(mp_completions_of(self)));
}

static PyObject *completions_waiting(PyObject *self, PyObject *nothing) {
  (void)nothing;
  return PyLong_FromSsize_t(((completions_object *)self)->waiting);
}

// room(device, future): True, or False and the future's end is announced when there is room.
static PyObject *completions_room(PyObject *self, PyObject *arguments) {
  PyObject *which = NULL, *future = NULL;
  if (!PyArg_ParseTuple(arguments, "OO:room", &which, &future)) {
    return NULL;
  }
  millrace_device *device = mp_device(which);
  millrace_event *event = NULL;
  if (!device) {
    return NULL;
  }
  millrace_error *error = millrace_device_room(device, &event);
  if (error) {
    return mp_raise(error);
  }
  if (event && !mp_pending_add(self, event, future, NULL, NULL)) {
    return NULL;
  }
  return PyBool_FromLong(!event);
}

PyTypeObject *mp_completions_type(PyObject *module) {
  static PyMethodDef methods[] = {{"take", completions_take, METH_NOARGS, NULL},
                                  {"fd", completions_fd, METH_NOARGS, NULL},
                                  {"waiting", completions_waiting, METH_NOARGS, NULL},
                                  {"room", completions_room, METH_VARARGS, NULL},
                                  {0}};
  static PyType_Slot slots[] = {{Py_tp_dealloc, completions_dealloc}, {Py_tp_methods, methods}, {0}};
  static PyType_Spec spec = {"millrace._core.Completions", sizeof(completions_object), 0, Py_TPFLAGS_DEFAULT, slots};
  return mp_type(module, "Completions", &spec);
}

// ---- Ending a call early --------------------------------------------------------------------------------------------------

typedef struct stop_object {
  PyObject_HEAD millrace_stop_source *source;
} stop_object;

PyObject *mp_stop_object(millrace_stop_source *take_source) {
  stop_object *object = PyObject_New(stop_object, mp.stop);
  if (!object) {
    millrace_stop_source_release(take_source);
    return NULL;
  }
  object->source = take_source;
  return (PyObject *)object;
}

static void stop_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  millrace_stop_source_release(((stop_object *)self)->source);
  PyObject_Free(self);
  Py_DECREF(type);
}

static PyObject *stop_call(PyObject *self, PyObject *arguments, PyObject *keywords) {
  (void)arguments;
  (void)keywords;
  millrace_stop_source_stop(((stop_object *)self)->source, NULL);
  Py_RETURN_NONE;
}

PyTypeObject *mp_stop_type(PyObject *module) {
  static PyType_Slot slots[] = {{Py_tp_dealloc, stop_dealloc}, {Py_tp_call, stop_call}, {0}};
  static PyType_Spec spec = {"millrace._core.Stop", sizeof(stop_object), 0, Py_TPFLAGS_DEFAULT, slots};
  return mp_type(module, "Stop", &spec);
}
