// The module millrace._core: errors, devices, and what it takes of numpy.
#include "core.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct mp_live mp_live;
struct mp_names mp;

// ---- Errors ---------------------------------------------------------------------------------------------------------------

static PyObject *error_of(millrace_code code, const char *message) {
  PyObject *text = PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace");
  PyObject *error = text ? PyObject_CallFunctionObjArgs(mp.error, text, NULL) : NULL;
  PyObject *name = error ? PyUnicode_FromString(millrace_code_name(code)) : NULL;
  if (!name || PyObject_SetAttrString(error, "code", name)) {
    Py_CLEAR(error);
  }
  Py_XDECREF(name);
  Py_XDECREF(text);
  return error;
}

static PyObject *raise_object(PyObject *take_error) {
  if (take_error) {
    PyErr_SetObject(mp.error, take_error);
    Py_DECREF(take_error);
  }
  return NULL;
}

PyObject *mp_error_object(millrace_error *take_error) {
  PyObject *error = error_of(millrace_error_code(take_error), millrace_error_message(take_error));
  millrace_error_free(take_error);
  return error;
}

PyObject *mp_raise(millrace_error *take_error) { return raise_object(mp_error_object(take_error)); }

PyObject *mp_fail(millrace_code code, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return raise_object(error_of(code, text));
}

// ---- Context and devices --------------------------------------------------------------------------------------------------

static millrace_context *context;

millrace_context *mp_context(void) {
  if (!context) {
    millrace_error *error = millrace_context_create(NULL, &context);
    if (error) {
      context = NULL;
      mp_raise(error);
    }
  }
  return context;
}

typedef struct device_object {
  PyObject_HEAD millrace_device *device;  // the context's, which stays
} device_object;

PyObject *mp_device_object(millrace_device *device) {
  device_object *object = PyObject_New(device_object, mp.device);
  if (object) {
    object->device = device;
  }
  return (PyObject *)object;
}

millrace_device *mp_device(PyObject *which) {
  millrace_context *all = mp_context();
  if (!all) {
    return NULL;
  }
  if (which == Py_None) {
    return millrace_context_device(all, 0);
  }
  if (Py_TYPE(which) == mp.device) {
    return ((device_object *)which)->device;
  }
  const Py_ssize_t index = PyNumber_AsSsize_t(which, PyExc_OverflowError);
  if (PyErr_Occurred()) {
    return NULL;
  }
  millrace_device *device = index < 0 ? NULL : millrace_context_device(all, (size_t)index);
  if (!device) {
    mp_fail(MILLRACE_NOT_FOUND, "there is no device %zd, there are %zu (MILLRACE_NUM_DEVICES)", index,
            millrace_context_device_count(all));
  }
  return device;
}

static PyObject *devices(PyObject *module, PyObject *nothing) {
  (void)module;
  (void)nothing;
  millrace_context *all = mp_context();
  const size_t count = all ? millrace_context_device_count(all) : 0;
  PyObject *list = all ? PyList_New((Py_ssize_t)count) : NULL;
  for (size_t i = 0; list && i < count; i++) {
    PyObject *device = mp_device_object(millrace_context_device(all, i));
    if (!device || PyList_SetItem(list, (Py_ssize_t)i, device)) {
      Py_CLEAR(list);
    }
  }
  return list;
}

static void device_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(type);
}

static millrace_device_info info_of(PyObject *self) { return millrace_device_info_of(((device_object *)self)->device); }

static PyObject *device_id(PyObject *self, void *nothing) {
  (void)nothing;
  return PyLong_FromLong(info_of(self).id);
}
static PyObject *device_kind(PyObject *self, void *nothing) {
  (void)nothing;
  return PyUnicode_FromString(info_of(self).kind);
}
static PyObject *device_memory(PyObject *self, void *nothing) {
  (void)nothing;
  const millrace_device_info info = info_of(self);
  return Py_BuildValue("(KKK)", (unsigned long long)info.memory_in_use, (unsigned long long)info.memory_peak,
                       (unsigned long long)info.memory_limit);
}
static PyObject *device_repr(PyObject *self) {
  const millrace_device_info info = info_of(self);
  return PyUnicode_FromFormat("<millrace.Device %d, %s>", info.id, info.kind);
}
static PyObject *device_compare(PyObject *self, PyObject *other, int how) {
  if (Py_TYPE(other) != mp.device || (how != Py_EQ && how != Py_NE)) {
    Py_RETURN_NOTIMPLEMENTED;
  }
  const bool same = ((device_object *)self)->device == ((device_object *)other)->device;
  return PyBool_FromLong(same == (how == Py_EQ));
}
static Py_hash_t device_hash(PyObject *self) { return info_of(self).id + 1; }

static PyTypeObject *device_type(PyObject *module) {
  static PyGetSetDef attributes[] = {
      {"id", device_id, NULL, "Its number.", NULL},
      {"kind", device_kind, NULL, "\"cpu\", or what else it is.", NULL},
      {"memory", device_memory, NULL, "Bytes in use, the most that these were, the most that is possible.", NULL},
      {0}};
  static PyType_Slot slots[] = {{Py_tp_dealloc, device_dealloc},
                                {Py_tp_getset, attributes},
                                {Py_tp_repr, device_repr},
                                {Py_tp_richcompare, device_compare},
                                {Py_tp_hash, device_hash},
                                {Py_tp_doc, "A device of this process: millrace.devices() has all."},
                                {0}};
  static PyType_Spec spec = {"millrace.Device", sizeof(device_object), 0, Py_TPFLAGS_DEFAULT, slots};
  return mp_type(module, "Device", &spec);
}

// ---- The module -----------------------------------------------------------------------------------------------------------

PyTypeObject *mp_type(PyObject *module, const char *name, PyType_Spec *spec) {
  spec->flags |= Py_TPFLAGS_DISALLOW_INSTANTIATION;  // functions make them, which know what must be there
  PyObject *type = PyType_FromSpec(spec);
  if (type && PyModule_AddObjectRef(module, name, type)) {
    Py_CLEAR(type);
  }
  return (PyTypeObject *)type;  // retained: as long as the process
}

static PyObject *live(PyObject *module, PyObject *nothing) {
  (void)module;
  (void)nothing;
  mp_take_back();
  return Py_BuildValue("{snsnsnsnsnsnsn}", "models", mp_live.models, "sessions", mp_live.sessions, "buffers",
                       mp_live.buffers, "weights", mp_live.weights, "pending", mp_live.pending, "lent", mp_live.lent,
                       "completions", mp_live.completions);
}

static PyObject *ending(PyObject *module, PyObject *nothing) {
  (void)module;
  (void)nothing;
  mp_lent_end();
  Py_RETURN_NONE;
}

static bool take(PyObject *from, const char *name, PyObject **out) {
  *out = PyObject_GetAttrString(from, name);
  return *out != NULL;
}

// numpy is imported before this, and _arrays with it.
static bool take_names(void) {
  PyObject *numpy = PyImport_ImportModule("numpy"), *arrays = numpy ? PyImport_ImportModule("millrace._arrays") : NULL;
  const bool fine = arrays && take(numpy, "empty", &mp.empty) && take(numpy, "ndarray", &mp.ndarray) &&
                    take(numpy, "asarray", &mp.asarray) && take(arrays, "aligned", &mp.aligned) &&
                    take(arrays, "view_as", &mp.view_as) && take(arrays, "dtype_of", &mp.dtype_of) &&
                    take(arrays, "to_numpy", &mp.to_numpy) && take(arrays, "bits_of", &mp.bits_of) &&
                    take(arrays, "Error", &mp.error) && take(arrays, "Port", &mp.port_type);
  Py_XDECREF(arrays);
  Py_XDECREF(numpy);
  mp.str_dlpack = PyUnicode_InternFromString("__dlpack__");
  mp.str_dlpack_device = PyUnicode_InternFromString("__dlpack_device__");
  mp.str_stop = PyUnicode_InternFromString("stop");
  return fine && mp.str_stop && mp.str_dlpack && mp.str_dlpack_device;
}

static bool make_types(PyObject *module) {
  return (mp.device = device_type(module)) && (mp.weights = mp_weights_type(module)) &&
         (mp.model = mp_model_type(module)) && (mp.session = mp_session_type(module)) &&
         (mp.buffer = mp_buffer_type(module)) && (mp.memory = mp_memory_type(module)) &&
         (mp.completions = mp_completions_type(module)) && (mp.stop = mp_stop_type(module));
}

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void) {
  static PyMethodDef functions[] = {
      {"load", mp_load, METH_VARARGS, NULL},
      {"open_weights", mp_weights_open, METH_O, NULL},
      {"devices", devices, METH_NOARGS, "The devices of this process, which the first call makes."},
      {"put", (PyCFunction)(void (*)(void))mp_put, METH_VARARGS | METH_KEYWORDS,
       "put(array, device=None): a copy on a device, a Buffer."},
      {"completions", mp_completions_create, METH_NOARGS, NULL},
      {"live", live, METH_NOARGS, "How many objects of each kind there are."},
      {"ending", ending, METH_NOARGS, NULL},
      {0}};
  static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "millrace._core", .m_size = -1,
                                   .m_methods = functions};
  PyObject *module = PyModule_Create(&definition);
  if (module && !(take_names() && make_types(module))) {
    Py_CLEAR(module);
  }
  return module;
}
