// PJRT_NamedValue: making the ones a host reads, and reading the ones a host sends.
//
// Threads: plain data. Ownership: names and texts stay their owner's. Errors: INVALID_ARGUMENT that names the value and what was
// wanted.
#ifndef MR_PJRT_ABI_NAMED_VALUE_H
#define MR_PJRT_ABI_NAMED_VALUE_H

#include <string.h>

#include "core/core.h"
#include "pjrt/abi.h"

// Names and texts are borrowed.
static inline PJRT_NamedValue mr_pjrt_value_head(const char *name, PJRT_NamedValue_Type type) {
  return (PJRT_NamedValue){.struct_size = PJRT_ABI_END(PJRT_NamedValue, value_size),
                           .name = name,
                           .name_size = strlen(name),
                           .type = type,
                           .value_size = 1};
}
static inline PJRT_NamedValue mr_pjrt_value_int(const char *name, int64_t value) {
  PJRT_NamedValue result = mr_pjrt_value_head(name, PJRT_NamedValue_kInt64);
  result.int64_value = value;
  return result;
}
static inline PJRT_NamedValue mr_pjrt_value_string(const char *name, const char *text) {
  PJRT_NamedValue result = mr_pjrt_value_head(name, PJRT_NamedValue_kString);
  result.string_value = text;
  result.value_size = strlen(text);
  return result;
}
static inline PJRT_NamedValue mr_pjrt_value_float(const char *name, float value) {
  PJRT_NamedValue result = mr_pjrt_value_head(name, PJRT_NamedValue_kFloat);
  result.float_value = value;
  return result;
}

static inline mr_str mr_pjrt_value_name(const PJRT_NamedValue *value) {
  return (mr_str){value->name, value->name_size};
}
// An integer option. JAX's jax_pjrt_client_create_options sends everything as strings, so digits are read too.
mr_status mr_pjrt_value_as_int(const PJRT_NamedValue *value, int64_t min, int64_t max,
                               int64_t *out_value) MR_WARN_UNUSED;
mr_status mr_pjrt_value_as_string(const PJRT_NamedValue *value, mr_str *out_value) MR_WARN_UNUSED;

#endif
