// Names of element types: the protocol's and those of model configurations.
#include "serve/base/base.h"

// By number of Triton's DataType. TYPE_STRING (13) has no element type of the engine's.
static const struct {
  millrace_dtype dtype;
  const char *name, *config;
  uint32_t number;
} types[] = {
    {MILLRACE_PRED, "BOOL", "TYPE_BOOL", 1},    {MILLRACE_U8, "UINT8", "TYPE_UINT8", 2},
    {MILLRACE_U16, "UINT16", "TYPE_UINT16", 3}, {MILLRACE_U32, "UINT32", "TYPE_UINT32", 4},
    {MILLRACE_U64, "UINT64", "TYPE_UINT64", 5}, {MILLRACE_S8, "INT8", "TYPE_INT8", 6},
    {MILLRACE_S16, "INT16", "TYPE_INT16", 7},   {MILLRACE_S32, "INT32", "TYPE_INT32", 8},
    {MILLRACE_S64, "INT64", "TYPE_INT64", 9},   {MILLRACE_F16, "FP16", "TYPE_FP16", 10},
    {MILLRACE_F32, "FP32", "TYPE_FP32", 11},    {MILLRACE_F64, "FP64", "TYPE_FP64", 12},
    {MILLRACE_BF16, "BF16", "TYPE_BF16", 14},
};
enum { NUM_TYPES = sizeof types / sizeof types[0] };

const char *sv_datatype_name(millrace_dtype dtype) {
  for (int i = 0; i < NUM_TYPES; i++) {
    if (types[i].dtype == dtype) {
      return types[i].name;
    }
  }
  return NULL;
}

millrace_dtype sv_datatype_parse(sv_str name) {
  for (int i = 0; i < NUM_TYPES; i++) {
    if (sv_str_is(name, types[i].name)) {
      return types[i].dtype;
    }
  }
  return MILLRACE_INVALID;
}

const char *sv_config_type_name(millrace_dtype dtype) {
  for (int i = 0; i < NUM_TYPES; i++) {
    if (types[i].dtype == dtype) {
      return types[i].config;
    }
  }
  return NULL;
}

uint32_t sv_config_type_number(millrace_dtype dtype) {
  for (int i = 0; i < NUM_TYPES; i++) {
    if (types[i].dtype == dtype) {
      return types[i].number;
    }
  }
  return 0;
}

millrace_dtype sv_config_type_parse(sv_str name) {
  for (int i = 0; i < NUM_TYPES; i++) {
    if (sv_str_is(name, types[i].config)) {
      return types[i].dtype;
    }
  }
  return MILLRACE_INVALID;
}

bool sv_tensor_bytes(millrace_dtype dtype, const int64_t *dims, uint32_t rank, size_t *out_bytes) {
  // A product that fits whatever the zeros among the dims are: one that does not is refused also where it is empty.
  size_t bytes = millrace_dtype_bytes(dtype), empty = 1;
  for (uint32_t d = 0; d < rank; d++) {
    if (dims[d] < 0 || (dims[d] > 0 && __builtin_mul_overflow(bytes, (size_t)dims[d], &bytes))) {
      return false;
    }
    empty &= dims[d] != 0;
  }
  *out_bytes = empty ? bytes : 0;
  return bytes <= PTRDIFF_MAX;
}
