// What a call is given: arrays by the buffer protocol, those of other libraries by DLPack, ours on a device, and what numpy makes of the rest.
#include <string.h>

#include "core.h"
#include "dlpack.h"

static_assert(sizeof(Py_ssize_t) == sizeof(int64_t), "sizes of the buffer protocol are the engine's");

// Strides that say no more than the shape are left out: the engine then need not look.
static const int64_t *strides_of(const int64_t *dims, const int64_t *strides, size_t rank, int64_t size) {
  for (size_t d = rank; strides && d-- > 0;) {
    if (dims[d] != 1 && strides[d] != size) {
      return strides;
    }
    size *= dims[d];
  }
  return NULL;
}

static bool has_rank(long long rank) {
  if (rank > MP_RANK) {
    mp_fail(MILLRACE_INVALID_ARGUMENT, "the array has %lld dimensions, at most %d are possible", rank, MP_RANK);
  }
  return rank <= MP_RANK;
}

static void set_view(mp_input *input, millrace_dtype dtype) {
  const Py_buffer *view = &input->view;
  const int64_t *dims = (const int64_t *)view->shape;
  const size_t rank = (size_t)view->ndim;
  input->array = (millrace_array){.data = view->buf, .dtype = dtype, .dims = dims, .rank = rank};
  input->array.byte_strides = strides_of(dims, (const int64_t *)view->strides, rank, view->itemsize);
}

// False without an error: the object has no buffer, or one that says nothing of what is in it.
static bool by_buffer(PyObject *object, mp_input *input) {
  if (PyObject_GetBuffer(object, &input->view, PyBUF_RECORDS_RO)) {
    PyErr_Clear();
    input->view.obj = NULL;
    return false;
  }
  const millrace_dtype dtype = mp_dtype_of_format(input->view.format, input->view.itemsize);
  if (dtype == MILLRACE_INVALID || input->view.ndim > MP_RANK) {
    PyBuffer_Release(&input->view);
    return false;
  }
  set_view(input, dtype);
  return true;
}

// An array of a type that the buffer protocol does not know: its bits as unsigned numbers, and ml_dtypes' name of it.
static bool by_bits(PyObject *object, mp_input *input) {
  PyObject *pair = PyObject_CallFunctionObjArgs(mp.bits_of, object, NULL);
  PyObject *bits = pair ? PyTuple_GetItem(pair, 0) : NULL;
  const char *name = pair ? PyUnicode_AsUTF8AndSize(PyTuple_GetItem(pair, 1), NULL) : NULL;
  bool fine = bits && name && !PyObject_GetBuffer(bits, &input->view, PyBUF_RECORDS_RO);
  if (fine) {
    millrace_dtype dtype = MILLRACE_INVALID;
    for (int one = MILLRACE_PRED; one <= MILLRACE_F6E3M2FN; one++) {
      dtype = strcmp(mp_numpy_name((millrace_dtype)one), name) == 0 ? (millrace_dtype)one : dtype;
    }
    set_view(input, dtype);
    fine = dtype != MILLRACE_INVALID && has_rank(input->view.ndim);
    if (dtype == MILLRACE_INVALID) {
      mp_fail(MILLRACE_INVALID_ARGUMENT, "the array is of %s, of which there are no arrays here", name);
    }
  }
  Py_XDECREF(pair);
  return fine;
}

static bool by_numpy(PyObject *object, millrace_dtype dtype, mp_input *input) {
  PyObject *array = dtype == MILLRACE_INVALID ? PyObject_CallFunctionObjArgs(mp.asarray, object, NULL)
                                              : PyObject_CallFunction(mp.asarray, "Os", object, mp_numpy_name(dtype));
  const bool fine = array && (by_buffer(array, input) || by_bits(array, input));
  Py_XDECREF(array);
  return fine;
}

static bool set_tensor(const mp_dlpack_tensor *tensor, mp_input *input) {
  const millrace_dtype dtype = mp_dtype_of_dlpack(tensor->code, tensor->bits);
  if (tensor->device_type != MP_DLPACK_CPU || tensor->lanes != 1 || dtype == MILLRACE_INVALID) {
    mp_fail(
        MILLRACE_INVALID_ARGUMENT,
        "a DLPack array of type %d with %d bits and %d lanes on a device of type %d; wanted one lane on device type %d",
        tensor->code, tensor->bits, tensor->lanes, (int)tensor->device_type, MP_DLPACK_CPU);
    return false;
  }
  if (!has_rank(tensor->rank)) {
    return false;
  }
  const int64_t size = (int64_t)millrace_dtype_bytes(dtype);
  for (int d = 0; tensor->strides && d < tensor->rank; d++) {
    input->strides[d] = tensor->strides[d] * size;
  }
  const int64_t *strides = tensor->strides ? input->strides : NULL;
  input->array = (millrace_array){.data = (const char *)tensor->data + tensor->byte_offset,
                                  .dtype = dtype,
                                  .dims = tensor->dims,
                                  .rank = (size_t)tensor->rank};
  input->array.byte_strides = strides_of(tensor->dims, strides, (size_t)tensor->rank, size);
  return true;
}

// Whether an object says that it lies where the processor reads it. False, without an error: it does not, or says nothing.
static bool is_on_cpu(PyObject *object) {
  PyObject *device = PyObject_CallMethodObjArgs(object, mp.str_dlpack_device, NULL);
  PyObject *kind = device ? PySequence_GetItem(device, 0) : NULL;
  const long number = kind ? PyLong_AsLong(kind) : -1;
  PyErr_Clear();
  Py_XDECREF(kind);
  Py_XDECREF(device);
  return number == MP_DLPACK_CPU;
}

// The capsule stays the producer's: its memory is read until the capsule goes. False without an error: there is none to be had.
static bool by_dlpack(PyObject *object, mp_input *input) {
  if (!PyObject_HasAttr(object, mp.str_dlpack) || !is_on_cpu(object)) {
    return false;
  }
  PyObject *capsule = PyObject_CallMethodObjArgs(object, mp.str_dlpack, NULL);
  const mp_dlpack_managed *managed = capsule ? PyCapsule_GetPointer(capsule, "dltensor") : NULL;
  if (!managed) {  // what has no such form may have another: a PyTorch tensor that wants a gradient tells so itself
    PyErr_Clear();
    Py_XDECREF(capsule);
    return false;
  }
  input->owner = capsule;
  return set_tensor(&managed->tensor, input);
}

bool mp_input_open(PyObject *object, millrace_dtype dtype, mp_input *input) {
  input->view.obj = input->owner = NULL;
  input->buffer = NULL;
  input->array.data = NULL;
  if (mp_is_buffer(object)) {
    Py_INCREF(object);
    input->owner = object;
    input->buffer = mp_buffer_of(object);
    return input->buffer != NULL;
  }
  const bool is_numpys = PyObject_TypeCheck(object, (PyTypeObject *)mp.ndarray);
  if (is_numpys ? by_buffer(object, input) || by_bits(object, input) : by_dlpack(object, input)) {
    return true;
  }
  const bool fine = !PyErr_Occurred() && !is_numpys && (by_buffer(object, input) || by_numpy(object, dtype, input));
  if (!fine) {
    mp_input_close(input);
  }
  return fine;
}

void mp_input_close(mp_input *input) {
  if (input->view.obj) {
    PyBuffer_Release(&input->view);
  }
  Py_CLEAR(input->owner);
}

millrace_type mp_input_type(const mp_input *input) {
  if (input->buffer) {
    return millrace_buffer_type(input->buffer);
  }
  return (millrace_type){.dtype = input->array.dtype, .dims = input->array.dims, .rank = input->array.rank};
}

millrace_error *mp_input_buffer(mp_input *input, millrace_device *device, bool copies, millrace_buffer **out_buffer) {
  if (input->buffer) {
    *out_buffer = millrace_buffer_retain(input->buffer);
    return NULL;
  }
  size_t bytes = millrace_dtype_bytes(input->array.dtype);
  for (size_t d = 0; d < input->array.rank; d++) {
    bytes *= (size_t)input->array.dims[d];
  }
  if (copies || bytes <= MP_COPIED) {
    return millrace_buffer_create(device, &input->array, out_buffer);
  }
  PyObject *owner = input->owner;
  input->owner = NULL;
  return mp_lend(device, &input->array, &input->view, owner, out_buffer);
}
