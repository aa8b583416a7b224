// Element types as numpy, the buffer protocol and DLPack have them.
#include <stdio.h>
#include <string.h>

#include "core.h"

// A type that the buffer protocol has no name for is an unsigned number of its size there, and ml_dtypes' type for numpy. DLPack: code 0 is
// int, 1 uint, 2 float, 4 bfloat, 5 complex, 6 bool, 7 to 14 floats of 8 bits; -1 is what it does not have with a byte for each.
static const struct {
  const char *numpy, *format;
  bool own;  // the format says which type it is
  int8_t code;
  uint8_t bits;
} elements[] = {
    [MILLRACE_PRED] = {"bool", "?", true, 6, 8},
    [MILLRACE_S8] = {"int8", "b", true, 0, 8},
    [MILLRACE_S16] = {"int16", "h", true, 0, 16},
    [MILLRACE_S32] = {"int32", "i", true, 0, 32},
    [MILLRACE_S64] = {"int64", "l", true, 0, 64},
    [MILLRACE_U8] = {"uint8", "B", true, 1, 8},
    [MILLRACE_U16] = {"uint16", "H", true, 1, 16},
    [MILLRACE_U32] = {"uint32", "I", true, 1, 32},
    [MILLRACE_U64] = {"uint64", "L", true, 1, 64},
    [MILLRACE_F16] = {"float16", "e", true, 2, 16},
    [MILLRACE_F32] = {"float32", "f", true, 2, 32},
    [MILLRACE_F64] = {"float64", "d", true, 2, 64},
    [MILLRACE_BF16] = {"bfloat16", "H", false, 4, 16},
    [MILLRACE_C64] = {"complex64", "Zf", true, 5, 64},
    [MILLRACE_C128] = {"complex128", "Zd", true, 5, 128},
    [MILLRACE_F8E5M2] = {"float8_e5m2", "B", false, 12, 8},
    [MILLRACE_F8E4M3FN] = {"float8_e4m3fn", "B", false, 10, 8},
    [MILLRACE_F8E4M3B11FNUZ] = {"float8_e4m3b11fnuz", "B", false, 9, 8},
    [MILLRACE_F8E5M2FNUZ] = {"float8_e5m2fnuz", "B", false, 13, 8},
    [MILLRACE_F8E4M3FNUZ] = {"float8_e4m3fnuz", "B", false, 11, 8},
    [MILLRACE_S4] = {"int4", "B", false, -1, 0},
    [MILLRACE_U4] = {"uint4", "B", false, -1, 0},
    [MILLRACE_S2] = {"int2", "B", false, -1, 0},
    [MILLRACE_U2] = {"uint2", "B", false, -1, 0},
    [MILLRACE_F8E4M3] = {"float8_e4m3", "B", false, 8, 8},
    [MILLRACE_F8E3M4] = {"float8_e3m4", "B", false, 7, 8},
    [MILLRACE_F8E8M0FNU] = {"float8_e8m0fnu", "B", false, 14, 8},
    [MILLRACE_F4E2M1FN] = {"float4_e2m1fn", "B", false, -1, 0},
    [MILLRACE_S1] = {"int1", "B", false, -1, 0},
    [MILLRACE_U1] = {"uint1", "B", false, -1, 0},
    [MILLRACE_F6E2M3FN] = {"float6_e2m3fn", "B", false, -1, 0},
    [MILLRACE_F6E3M2FN] = {"float6_e3m2fn", "B", false, -1, 0},
};
enum { COUNT = sizeof elements / sizeof *elements };

static bool is_known(millrace_dtype dtype) { return (unsigned)dtype < COUNT && elements[dtype].numpy; }

const char *mp_format_of(millrace_dtype dtype) { return is_known(dtype) ? elements[dtype].format : "B"; }
bool mp_has_format(millrace_dtype dtype) { return is_known(dtype) && elements[dtype].own; }
const char *mp_numpy_name(millrace_dtype dtype) { return is_known(dtype) ? elements[dtype].numpy : "uint8"; }

static millrace_dtype of_size(const millrace_dtype by_log2[4], Py_ssize_t size) {
  for (int log2 = 0; log2 < 4; log2++) {
    if (size == (Py_ssize_t)1 << log2) {
      return by_log2[log2];
    }
  }
  return MILLRACE_INVALID;
}

// C's types come in several letters of one size.
millrace_dtype mp_dtype_of_format(const char *format, Py_ssize_t size) {
  static const millrace_dtype is_signed[] = {MILLRACE_S8, MILLRACE_S16, MILLRACE_S32, MILLRACE_S64};
  static const millrace_dtype is_unsigned[] = {MILLRACE_U8, MILLRACE_U16, MILLRACE_U32, MILLRACE_U64};
  static const millrace_dtype is_float[] = {MILLRACE_INVALID, MILLRACE_F16, MILLRACE_F32, MILLRACE_F64};
  if (!format) {
    return size == 1 ? MILLRACE_U8 : MILLRACE_INVALID;
  }
  if (*format == '@' || *format == '=' || *format == '<') {
    format++;
  }
  if (format[0] == 'Z' && format[1] && !format[2]) {
    return size == 8 ? MILLRACE_C64 : size == 16 ? MILLRACE_C128 : MILLRACE_INVALID;
  }
  if (!format[0] || format[1]) {
    return MILLRACE_INVALID;
  }
  if (strchr("bhilq", format[0])) {
    return of_size(is_signed, size);
  }
  if (strchr("BHILQ", format[0])) {
    return of_size(is_unsigned, size);
  }
  if (strchr("efd", format[0])) {
    return of_size(is_float, size);
  }
  return format[0] == '?' && size == 1 ? MILLRACE_PRED : MILLRACE_INVALID;
}

bool mp_numpy_types(millrace_dtype dtype, PyObject **out_plain, PyObject **out_shown) {
  *out_plain = *out_shown = NULL;
  if (!is_known(dtype)) {
    mp_fail(MILLRACE_UNIMPLEMENTED, "numpy has no arrays of %s", millrace_dtype_name(dtype));
    return false;
  }
  PyObject *pair = PyObject_CallFunction(mp.dtype_of, "sns", elements[dtype].numpy,
                                         (Py_ssize_t)millrace_dtype_bytes(dtype), elements[dtype].own ? "own" : "");
  if (!pair) {
    return false;
  }
  *out_plain = PyTuple_GetItem(pair, 0);
  PyObject *shown = PyTuple_GetItem(pair, 1);
  Py_INCREF(*out_plain);
  if (shown != Py_None) {
    Py_INCREF(shown);
    *out_shown = shown;
  }
  Py_DECREF(pair);
  return true;
}

PyObject *mp_dims_tuple(const int64_t *dims, size_t rank) {
  PyObject *tuple = PyTuple_New((Py_ssize_t)rank);
  for (size_t d = 0; tuple && d < rank; d++) {
    PyObject *size = PyLong_FromLongLong(dims[d]);
    if (!size || PyTuple_SetItem(tuple, (Py_ssize_t)d, size)) {
      Py_CLEAR(tuple);
    }
  }
  return tuple;
}

const char *mp_print_type(millrace_dtype dtype, const int64_t *dims, size_t rank, char *text, size_t room) {
  size_t at = (size_t)snprintf(text, room, "%s[", millrace_dtype_name(dtype));
  for (size_t d = 0; d < rank && at + 24 < room; d++) {
    at += dims[d] == MILLRACE_OPEN ? (size_t)snprintf(text + at, room - at, "%s?", d ? "," : "")
                                   : (size_t)snprintf(text + at, room - at, "%s%lld", d ? "," : "", (long long)dims[d]);
  }
  snprintf(text + at, room - at, "]");
  return text;
}

bool mp_dlpack_type(millrace_dtype dtype, uint8_t *out_code, uint8_t *out_bits) {
  if (!is_known(dtype) || elements[dtype].code < 0) {
    return false;
  }
  *out_code = (uint8_t)elements[dtype].code;
  *out_bits = elements[dtype].bits;
  return true;
}

millrace_dtype mp_dtype_of_dlpack(uint8_t code, uint8_t bits) {
  for (int dtype = 0; dtype < COUNT; dtype++) {
    if (elements[dtype].numpy && elements[dtype].bits == bits && elements[dtype].code == (int)code) {
      return (millrace_dtype)dtype;
    }
  }
  return MILLRACE_INVALID;
}
