// millrace.Weights: the arrays of a file, by name.
#include "core.h"

typedef struct weights_object {
  PyObject_HEAD millrace_weights *weights;
} weights_object;

millrace_weights *mp_weights_of(PyObject *object) { return ((weights_object *)object)->weights; }

PyObject *mp_weights_open(PyObject *module, PyObject *path) {
  (void)module;
  const char *text = PyUnicode_AsUTF8AndSize(path, NULL);
  weights_object *object = text ? PyObject_New(weights_object, mp.weights) : NULL;
  if (!object) {
    return NULL;
  }
  mp_live.weights++;
  PyThreadState *thread = PyEval_SaveThread();
  millrace_error *error = millrace_weights_open(text, &object->weights);
  PyEval_RestoreThread(thread);
  if (error) {
    object->weights = NULL;
    Py_DECREF(object);
    return mp_raise(error);
  }
  return (PyObject *)object;
}

static void weights_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  millrace_weights_release(mp_weights_of(self));
  mp_live.weights--;
  PyObject_Free(self);
  Py_DECREF(type);
}

static Py_ssize_t weights_length(PyObject *self) { return (Py_ssize_t)millrace_weights_count(mp_weights_of(self)); }

static PyObject *weights_get(PyObject *self, PyObject *key) {
  const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
  if (!name) {
    return NULL;
  }
  const size_t index = millrace_weights_find(mp_weights_of(self), name);
  if (index == SIZE_MAX) {
    PyErr_SetObject(PyExc_KeyError, key);
    return NULL;
  }
  const millrace_array array = millrace_weights_array(mp_weights_of(self), index);
  return mp_memory_array(&array, self, NULL, Py_None, Py_None);
}

static PyObject *weights_keys(PyObject *self, PyObject *nothing) {
  (void)nothing;
  const size_t count = millrace_weights_count(mp_weights_of(self));
  PyObject *list = PyList_New((Py_ssize_t)count);
  for (size_t i = 0; list && i < count; i++) {
    PyObject *name = PyUnicode_FromString(millrace_weights_name(mp_weights_of(self), i));
    if (!name || PyList_SetItem(list, (Py_ssize_t)i, name)) {
      Py_CLEAR(list);
    }
  }
  return list;
}

static PyObject *weights_iterate(PyObject *self) {
  PyObject *keys = weights_keys(self, NULL);
  PyObject *iterator = keys ? PyObject_GetIter(keys) : NULL;
  Py_XDECREF(keys);
  return iterator;
}

static int weights_contains(PyObject *self, PyObject *key) {
  const char *name = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, NULL) : NULL;
  PyErr_Clear();
  return name && millrace_weights_find(mp_weights_of(self), name) != SIZE_MAX;
}

PyTypeObject *mp_weights_type(PyObject *module) {
  static PyMethodDef methods[] = {{"keys", weights_keys, METH_NOARGS, "The names, in the order of the file."}, {0}};
  static PyType_Slot slots[] = {
      {Py_tp_dealloc, weights_dealloc},
      {Py_tp_methods, methods},
      {Py_tp_iter, weights_iterate},
      {Py_mp_length, weights_length},
      {Py_mp_subscript, weights_get},
      {Py_sq_contains, weights_contains},
      {Py_tp_doc,
       "Arrays of a .safetensors or .npz file by name, where they lie in the file: it is mapped, and must not change."},
      {0}};
  static PyType_Spec spec = {"millrace.Weights", sizeof(weights_object), 0, Py_TPFLAGS_DEFAULT, slots};
  return mp_type(module, "Weights", &spec);
}
