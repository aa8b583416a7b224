// Elements of a tensor, from nested arrays straight into memory.
#include <string.h>

#include "serve/json/cursor.h"

// One element at json->at, which is not white space; the cursor goes behind it.
typedef sv_error *(*read_element)(sv_json *json, void *to);

static inline sv_error *scan(sv_json *json, sv_number *number) {
  const char *wrong = NULL, *behind = sv_number_scan_plain(json->at, json->end, number);
  if (__builtin_expect(!behind, 0)) {
    behind = sv_number_scan(json->at, json->end, number, &wrong);
  }
  if (__builtin_expect(!behind, 0)) {
    return sv_json_wrong(json, wrong, wrong == json->at ? "a number" : "a digit");
  }
  json->at = behind;
  return NULL;
}

// "-0.123456," and its like, of at most seven digits behind the point, without a description of it in memory: both factors are exact as floats, so
// that the quotient is rounded once. False: read it in another way.
static inline bool read_short_float(sv_json *json, float *to) {
  static const float tens[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f};
  static const uint32_t whole_tens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
  const char *at = json->at;
  if (json->end - at < 12) {
    return false;
  }
  bool negative = *at == '-';
  at += negative;
  uint64_t first = (uint64_t)(unsigned char)*at - '0', more;
  if (first > 9 || at[1] != '.') {
    return false;
  }
  int count = sv_number_eight(at + 2, &more);
  uint64_t digits = first * whole_tens[count & 7] + more;
  at += 2 + count;
  if (count == 0 || count == 8 || digits >> 24 || (*at | 0x20) == 'e') {
    return false;
  }
  float value = (float)(int32_t)digits / tens[count];
  *to = negative ? -value : value;
  json->at = at;
  return true;
}

static __attribute__((noinline)) sv_error *read_any_float(sv_json *json, float *to) {
  sv_number number;
  SV_TRY(scan(json, &number));
  return sv_number_float(&number, to) ? NULL : sv_json_number_wrong(json, &number, "a number in FP32's range");
}

static inline __attribute__((always_inline)) sv_error *read_f32(sv_json *json, void *to) {
  return read_short_float(json, to) ? NULL : read_any_float(json, to);
}

static inline sv_error *read_f64(sv_json *json, void *to) {
  sv_number number;
  SV_TRY(scan(json, &number));
  return sv_number_double(&number, to) ? NULL : sv_json_number_wrong(json, &number, "a number in FP64's range");
}

static inline sv_error *read_pred(sv_json *json, void *to) {
  bool value;
  SV_TRY(sv_json_bool(json, &value));
  *(unsigned char *)to = value;
  return NULL;
}

#define READ_INT(name, type, protocol, least, most, wide, convert)                          \
  static inline sv_error *read_##name(sv_json *json, void *to) {                            \
    sv_number number;                                                                       \
    wide value;                                                                             \
    SV_TRY(scan(json, &number));                                                            \
    if (!convert) {                                                                         \
      return sv_json_number_wrong(json, &number, "a whole number in " protocol "'s range"); \
    }                                                                                       \
    *(type *)to = (type)value;                                                              \
    return NULL;                                                                            \
  }
#define READ_SIGNED(name, type, protocol, least, most) \
  READ_INT(name, type, protocol, least, most, int64_t, sv_number_int(&number, least, most, &value))
#define READ_UNSIGNED(name, type, protocol, most) \
  READ_INT(name, type, protocol, 0, most, uint64_t, sv_number_uint(&number, most, &value))
READ_SIGNED(s8, int8_t, "INT8", INT8_MIN, INT8_MAX)
READ_SIGNED(s16, int16_t, "INT16", INT16_MIN, INT16_MAX)
READ_SIGNED(s32, int32_t, "INT32", INT32_MIN, INT32_MAX)
READ_SIGNED(s64, int64_t, "INT64", INT64_MIN, INT64_MAX)
READ_UNSIGNED(u8, uint8_t, "UINT8", UINT8_MAX)
READ_UNSIGNED(u16, uint16_t, "UINT16", UINT16_MAX)
READ_UNSIGNED(u32, uint32_t, "UINT32", UINT32_MAX)
READ_UNSIGNED(u64, uint64_t, "UINT64", UINT64_MAX)

// T(name of the engine's type, of its reader, bytes)
#define ALL_TYPES(T) \
  T(PRED, pred, 1)   \
  T(S8, s8, 1)       \
  T(S16, s16, 2)     \
  T(S32, s32, 4)     \
  T(S64, s64, 8)     \
  T(U8, u8, 1)       \
  T(U16, u16, 2)     \
  T(U32, u32, 4)     \
  T(U64, u64, 8)     \
  T(F32, f32, 4)     \
  T(F64, f64, 8)

static sv_error *wrong_count(const sv_json *json, size_t count, bool more) {
  return sv_errorf(MILLRACE_INVALID_ARGUMENT, "JSON at byte %llu: wanted %zu elements, got %s",
                   (unsigned long long)(json->at - json->begin), count, more ? "more" : "fewer");
}

// The cursor is on the opening bracket. Inlined into one loop for each type.
static inline __attribute__((always_inline)) sv_error *read_all(sv_json *json, size_t count, unsigned char *to,
                                                                size_t bytes, read_element read) {
  uint32_t outside = json->depth;
  size_t got = 0;
  SV_TRY(sv_json_deeper(json));
  bool first = true;  // in this array
  for (;;) {
    // In front of an element, an array, or (only the first time) the end of an empty one.
    json->at = sv_json_space(json->at, json->end);
    char c = json->at < json->end ? *json->at : 0;
    if (c == '[') {
      SV_TRY(sv_json_deeper(json));
      first = true;
      continue;
    }
    if (c != ']' || !first) {
      if (got == count) {
        return wrong_count(json, count, true);
      }
      SV_TRY(read(json, to + got * bytes));
      got++;
    }
    first = false;
    // Behind an element, or in front of the end of an empty array.
    for (;;) {
      if (json->at < json->end && *json->at == ',') {
        json->at++;
        break;
      }
      json->at = sv_json_space(json->at, json->end);
      c = json->at < json->end ? *json->at : 0;
      if (c == ']') {
        json->at++;
        if (--json->depth == outside) {
          return got == count ? NULL : wrong_count(json, count, false);
        }
      } else if (c != ',') {
        return sv_json_wrong(json, json->at, "',' or ']'");
      }
    }
  }
}

static sv_error *no_text(millrace_dtype dtype) {
  const char *name = sv_datatype_name(dtype);
  return sv_errorf(MILLRACE_INVALID_ARGUMENT, "elements of type %s have no text in JSON: send them as binary data",
                   name ? name : "that JSON does not know");
}

sv_error *sv_json_tensor(sv_json *json, millrace_dtype dtype, size_t count, void *to) {
  json->at = sv_json_space(json->at, json->end);
  if (json->at == json->end || *json->at != '[') {
    return sv_json_wrong(json, json->at, "an array ('[')");
  }
  switch ((int)dtype) {
#define READ(name, letters, bytes) \
  case MILLRACE_##name: return read_all(json, count, to, bytes, read_##letters);
    ALL_TYPES(READ)
#undef READ
  default: return no_text(dtype);
  }
}

sv_error *sv_json_scalar(sv_json *json, millrace_dtype dtype, void *to) {
  json->at = sv_json_space(json->at, json->end);
  switch ((int)dtype) {
#define READ(name, letters, bytes) \
  case MILLRACE_##name: return read_##letters(json, to);
    ALL_TYPES(READ)
#undef READ
  default: return no_text(dtype);
  }
}
