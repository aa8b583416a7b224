// millrace.Buffer: an array on a device; and the memory of one as numpy takes it.
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "dlpack.h"

typedef struct buffer_object {
  PyObject_HEAD millrace_buffer *buffer;  // NULL: freed
} buffer_object;

typedef struct memory_object {
  PyObject_HEAD PyObject *owner;  // retained, or NULL
  millrace_buffer *mapped;        // retained and mapped, or NULL
  const void *data;
  Py_ssize_t size, item, rank;
  const char *format;
  Py_ssize_t dims[MP_RANK], strides[MP_RANK];
} memory_object;

// ---- Memory ---------------------------------------------------------------------------------------------------------------

static void memory_free(PyObject *self) {
  memory_object *memory = (memory_object *)self;
  PyTypeObject *type = Py_TYPE(self);
  if (memory->mapped) {
    millrace_buffer_unmap(memory->mapped);
    millrace_buffer_release(memory->mapped);
  }
  Py_XDECREF(memory->owner);
  PyObject_Free(self);
  Py_DECREF(type);
}

static int memory_get(PyObject *self, Py_buffer *view, int flags) {
  memory_object *memory = (memory_object *)self;
  if (flags & PyBUF_WRITABLE) {
    view->obj = NULL;
    PyErr_SetString(PyExc_BufferError, "the memory is not to be written");
    return -1;
  }
  Py_INCREF(self);
  *view = (Py_buffer){.buf = (void *)(uintptr_t)memory->data,
                      .obj = self,
                      .len = memory->size,
                      .itemsize = memory->item,
                      .readonly = 1,
                      .ndim = (int)memory->rank,
                      .format = flags & PyBUF_FORMAT ? (char *)(uintptr_t)memory->format : NULL,
                      .shape = memory->dims,
                      .strides = memory->strides};
  return 0;
}

static PyObject *memory_object_of(const millrace_array *array, PyObject *owner, millrace_buffer *take_mapped) {
  memory_object *memory = PyObject_New(memory_object, mp.memory);
  if (!memory) {
    if (take_mapped) {
      millrace_buffer_unmap(take_mapped);
      millrace_buffer_release(take_mapped);
    }
    return NULL;
  }
  static const char nothing[MP_ALIGNMENT];  // numpy takes no NULL, which an array without elements may have
  memory->owner = owner;
  Py_XINCREF(owner);
  memory->mapped = take_mapped;
  memory->data = array->data ? array->data : nothing;
  memory->item = (Py_ssize_t)millrace_dtype_bytes(array->dtype);
  memory->rank = (Py_ssize_t)array->rank;
  memory->format = mp_format_of(array->dtype);
  memory->size = memory->item;
  for (size_t d = array->rank; d-- > 0;) {
    memory->dims[d] = array->dims[d];
    memory->strides[d] = array->byte_strides ? array->byte_strides[d] : memory->size;
    memory->size *= array->dims[d];
  }
  return (PyObject *)memory;
}

// numpy's array of it. `dtype` and `copy` are those of __array__().
PyObject *mp_memory_array(const millrace_array *array, PyObject *owner, millrace_buffer *take_mapped, PyObject *dtype,
                          PyObject *copy) {
  PyObject *memory = memory_object_of(array, owner, take_mapped), *plain = NULL, *shown = NULL, *result = NULL;
  if (memory && mp_numpy_types(array->dtype, &plain, &shown)) {
    result = PyObject_CallFunctionObjArgs(mp.to_numpy, memory, shown ? shown : Py_None, dtype, copy, NULL);
  }
  Py_XDECREF(plain);
  Py_XDECREF(shown);
  Py_XDECREF(memory);
  return result;
}

PyTypeObject *mp_memory_type(PyObject *module) {
  static PyType_Slot slots[] = {
      {Py_tp_dealloc, memory_free}, {Py_bf_getbuffer, memory_get}, {Py_tp_doc, "Elements that the engine holds."}, {0}};
  static PyType_Spec spec = {"millrace._core.Memory", sizeof(memory_object), 0, Py_TPFLAGS_DEFAULT, slots};
  return mp_type(module, "Memory", &spec);
}

// ---- Buffers --------------------------------------------------------------------------------------------------------------

bool mp_is_buffer(PyObject *object) { return Py_TYPE(object) == mp.buffer; }

millrace_buffer *mp_buffer_of(PyObject *object) {
  millrace_buffer *buffer = ((buffer_object *)object)->buffer;
  if (!buffer) {
    mp_fail(MILLRACE_FAILED_PRECONDITION, "the buffer was freed: Buffer.free() was called, and nothing is left of it");
  }
  return buffer;
}

PyObject *mp_buffer_object(millrace_buffer *take_buffer) {
  buffer_object *object = PyObject_New(buffer_object, mp.buffer);
  if (!object) {
    millrace_buffer_release(take_buffer);
    return NULL;
  }
  object->buffer = take_buffer;
  mp_live.buffers++;
  return (PyObject *)object;
}

static void buffer_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  millrace_buffer_release(((buffer_object *)self)->buffer);
  mp_live.buffers--;
  PyObject_Free(self);
  Py_DECREF(type);
}

static PyObject *buffer_free(PyObject *self, PyObject *nothing) {
  (void)nothing;
  millrace_buffer_release(((buffer_object *)self)->buffer);
  ((buffer_object *)self)->buffer = NULL;
  Py_RETURN_NONE;
}

// Waits; mapped, and a reference more, when *out_data is set.
static millrace_buffer *map(PyObject *self, const void **out_data) {
  millrace_buffer *buffer = mp_buffer_of(self);
  if (!buffer) {
    return NULL;
  }
  buffer = millrace_buffer_retain(buffer);  // another thread may free it meanwhile
  PyThreadState *thread = PyEval_SaveThread();
  millrace_error *error = millrace_buffer_map(buffer, out_data);
  PyEval_RestoreThread(thread);
  if (error) {
    millrace_buffer_release(buffer);
    mp_raise(error);
    return NULL;
  }
  return buffer;
}

static PyObject *buffer_array(PyObject *self, PyObject *arguments, PyObject *keywords) {
  static char *words[] = {"dtype", "copy", NULL};
  PyObject *dtype = Py_None, *copy = Py_None;
  const void *data = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|OO:__array__", words, &dtype, &copy)) {
    return NULL;
  }
  millrace_buffer *buffer = map(self, &data);
  if (!buffer) {
    return NULL;
  }
  const millrace_type type = millrace_buffer_type(buffer);
  const millrace_array all = {.data = data, .dtype = type.dtype, .dims = type.dims, .rank = type.rank};
  return mp_memory_array(&all, NULL, buffer, dtype, copy);
}

static PyObject *buffer_ready(PyObject *self, PyObject *nothing) {
  (void)nothing;
  millrace_buffer *buffer = mp_buffer_of(self);
  if (!buffer) {
    return NULL;
  }
  millrace_event *event = millrace_buffer_ready(buffer);
  const bool done = millrace_event_is_done(event);
  millrace_event_release(event);
  return PyBool_FromLong(done);
}

static PyObject *buffer_wait(PyObject *self, PyObject *nothing) {
  (void)nothing;
  millrace_buffer *buffer = mp_buffer_of(self);
  if (!buffer) {
    return NULL;
  }
  millrace_event *event = millrace_buffer_ready(buffer);
  PyThreadState *thread = PyEval_SaveThread();
  millrace_error *error = millrace_event_wait(event);
  millrace_event_release(event);
  PyEval_RestoreThread(thread);
  if (error) {
    return mp_raise(error);
  }
  Py_INCREF(self);
  return self;
}

static PyObject *buffer_shape(PyObject *self, void *nothing) {
  (void)nothing;
  millrace_buffer *buffer = mp_buffer_of(self);
  if (!buffer) {
    return NULL;
  }
  const millrace_type type = millrace_buffer_type(buffer);
  return mp_dims_tuple(type.dims, type.rank);
}

static PyObject *buffer_dtype(PyObject *self, void *nothing) {
  (void)nothing;
  millrace_buffer *buffer = mp_buffer_of(self);
  return buffer ? PyUnicode_FromString(millrace_dtype_name(millrace_buffer_type(buffer).dtype)) : NULL;
}

static PyObject *buffer_repr(PyObject *self) {
  millrace_buffer *buffer = ((buffer_object *)self)->buffer;
  if (!buffer) {
    return PyUnicode_FromString("<millrace.Buffer, freed>");
  }
  char text[256];
  const millrace_type type = millrace_buffer_type(buffer);
  return PyUnicode_FromFormat("<millrace.Buffer %s>",
                              mp_print_type(type.dtype, type.dims, type.rank, text, sizeof text));
}

static PyObject *buffer_copy(PyObject *self, PyObject *arguments) {
  PyObject *which = Py_None;
  millrace_buffer *buffer = mp_buffer_of(self), *copy = NULL;
  if (!buffer || !PyArg_ParseTuple(arguments, "|O:copy", &which)) {
    return NULL;
  }
  millrace_device *device = mp_device(which);
  if (!device) {
    return NULL;
  }
  millrace_error *error = millrace_buffer_copy(buffer, device, &copy);
  return error ? mp_raise(error) : mp_buffer_object(copy);
}

// ---- DLPack ---------------------------------------------------------------------------------------------------------------

// In both forms: the tensor stands at different places of them.
typedef struct exported {
  union {
    mp_dlpack_managed plain;
    mp_dlpack_versioned versioned;
  } form;
  millrace_buffer *mapped;
  int64_t dims[MP_RANK];
} exported;

// On any thread, with the GIL or without.
static void end_export(exported *one) {
  millrace_buffer_unmap(one->mapped);
  millrace_buffer_release(one->mapped);
  free(one);
}
static void end_plain(mp_dlpack_managed *self) { end_export(self->context); }
static void end_versioned(mp_dlpack_versioned *self) { end_export(self->context); }

// Of a capsule that nobody has taken what is in it from: who does gives it another name.
static void end_capsule(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor")) {
    mp_dlpack_managed *managed = PyCapsule_GetPointer(capsule, "dltensor");
    managed->destroy(managed);
  } else if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
    mp_dlpack_versioned *managed = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    managed->destroy(managed);
  }
}

static PyObject *export_tensor(millrace_buffer *take_mapped, const void *data, bool versioned) {
  const millrace_type type = millrace_buffer_type(take_mapped);
  exported *one = calloc(1, sizeof *one);
  mp_dlpack_tensor tensor = {
      .data = (void *)(uintptr_t)data, .device_type = MP_DLPACK_CPU, .rank = (int32_t)type.rank, .lanes = 1};
  if (!one || !mp_dlpack_type(type.dtype, &tensor.code, &tensor.bits)) {
    free(one);
    millrace_buffer_unmap(take_mapped);
    millrace_buffer_release(take_mapped);
    return one ? PyErr_Format(PyExc_BufferError, "DLPack has no arrays of %s", millrace_dtype_name(type.dtype))
               : PyErr_NoMemory();
  }
  if (type.rank) {
    memcpy(one->dims, type.dims, type.rank * sizeof *type.dims);
  }
  one->mapped = take_mapped;
  tensor.dims = one->dims;
  if (versioned) {
    one->form.versioned = (mp_dlpack_versioned){
        .major = 1, .context = one, .destroy = end_versioned, .flags = MP_DLPACK_READ_ONLY, .tensor = tensor};
  } else {
    one->form.plain = (mp_dlpack_managed){.tensor = tensor, .context = one, .destroy = end_plain};
  }
  PyObject *capsule = PyCapsule_New(&one->form, versioned ? "dltensor_versioned" : "dltensor", end_capsule);
  if (!capsule) {
    end_export(one);
  }
  return capsule;
}

static PyObject *buffer_dlpack(PyObject *self, PyObject *arguments, PyObject *keywords) {
  static char *words[] = {"stream", "max_version", "dl_device", "copy", NULL};
  PyObject *stream = Py_None, *version = Py_None, *device = Py_None, *copy = Py_None;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|$OOOO:__dlpack__", words, &stream, &version, &device,
                                   &copy)) {
    return NULL;
  }
  if (device != Py_None) {
    int kind = 0, number = 0;
    if (!PyArg_ParseTuple(device, "ii;dl_device is a pair of numbers", &kind, &number)) {
      return NULL;
    }
    if (kind != MP_DLPACK_CPU) {
      return PyErr_Format(PyExc_BufferError, "the array is wanted on a device of type %d, and lies on one of type %d",
                          kind, MP_DLPACK_CPU);
    }
  }
  int major = 0, minor = 0;
  if (version != Py_None && !PyArg_ParseTuple(version, "ii;max_version is a pair of numbers", &major, &minor)) {
    return NULL;
  }
  const void *data = NULL;
  millrace_buffer *buffer = NULL;
  if (copy == Py_True) {
    PyObject *other = PyObject_CallMethod(self, "copy", NULL);
    buffer = other ? map(other, &data) : NULL;
    Py_XDECREF(other);
  } else {
    buffer = map(self, &data);
  }
  return buffer ? export_tensor(buffer, data, major >= 1) : NULL;
}

static PyObject *buffer_dlpack_device(PyObject *self, PyObject *nothing) {
  (void)self;
  (void)nothing;
  return Py_BuildValue("(ii)", MP_DLPACK_CPU, 0);
}

// ---- The type -------------------------------------------------------------------------------------------------------------

PyObject *mp_put(PyObject *module, PyObject *arguments, PyObject *keywords) {
  (void)module;
  static char *words[] = {"array", "device", NULL};
  PyObject *object = NULL, *which = Py_None;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O:put", words, &object, &which)) {
    return NULL;
  }
  millrace_device *device = mp_device(which);
  mp_input input;
  if (!device || !mp_input_open(object, MILLRACE_INVALID, &input)) {
    return NULL;
  }
  millrace_buffer *buffer = NULL;
  millrace_error *error = input.buffer ? millrace_buffer_copy(input.buffer, device, &buffer)
                                       : millrace_buffer_create(device, &input.array, &buffer);
  mp_input_close(&input);
  return error ? mp_raise(error) : mp_buffer_object(buffer);
}

PyTypeObject *mp_buffer_type(PyObject *module) {
  static PyMethodDef methods[] = {
      {"__array__", (PyCFunction)(void (*)(void))buffer_array, METH_VARARGS | METH_KEYWORDS,
       "The elements where they lie, once they are there: a numpy array that is not to be written, or a copy where "
       "dtype or copy want one."},
      {"__dlpack__", (PyCFunction)(void (*)(void))buffer_dlpack, METH_VARARGS | METH_KEYWORDS,
       "Likewise, not to be written."},
      {"__dlpack_device__", buffer_dlpack_device, METH_NOARGS, "(1, 0): where the processor reads it."},
      {"is_ready", buffer_ready, METH_NOARGS, "Whether the elements are there, or the error that came instead."},
      {"wait", buffer_wait, METH_NOARGS,
       "Waits for the elements, or raises the error that came instead. The buffer itself."},
      {"copy", buffer_copy, METH_VARARGS,
       "copy(device=None): another buffer with the elements, on a device, which gets them when they are there."},
      {"free", buffer_free, METH_NOARGS,
       "Gives the memory back as soon as nothing that was queued needs it. The buffer cannot be used then."},
      {0}};
  static PyGetSetDef attributes[] = {
      {"shape", buffer_shape, NULL, "Its sizes, a tuple.", NULL},
      {"dtype", buffer_dtype, NULL, "Its elements' type as programs spell it: \"f32\".", NULL},
      {0}};
  static PyType_Slot slots[] = {
      {Py_tp_dealloc, buffer_dealloc},
      {Py_tp_methods, methods},
      {Py_tp_getset, attributes},
      {Py_tp_repr, buffer_repr},
      {Py_tp_doc, "An array on a device. Its elements may come later: what it is given to waits for them."},
      {0}};
  static PyType_Spec spec = {"millrace.Buffer", sizeof(buffer_object), 0, Py_TPFLAGS_DEFAULT, slots};
  return mp_type(module, "Buffer", &spec);
}
