// JSON, read from memory without a tree and written into growing text.
//
// The reader is a cursor over a text that stays: no allocations, numbers of tensors go straight where they belong. Depth is at most 100. NaN,
// Infinity and -Infinity are numbers (tritonclient sends them).
#ifndef SV_JSON_H
#define SV_JSON_H

#include "serve/base/base.h"

#define SV_JSON_DEPTH 100

typedef enum sv_json_kind {
  SV_JSON_NULL,
  SV_JSON_BOOL,
  SV_JSON_NUMBER,
  SV_JSON_STRING,
  SV_JSON_ARRAY,
  SV_JSON_OBJECT,
} sv_json_kind;

typedef struct sv_json {
  const char *at, *begin, *end;
  // Where strings with escapes are decoded. Grows, and is not cleared by the reader; texts in it stay where they are while one document is read from
  // front to back, since the first of them makes room for all.
  sv_text *scratch;
  uint32_t depth;
} sv_json;

// Every function that returns an error says where ("at byte 17") and what was wanted; INVALID_ARGUMENT. After an error the cursor is of no use.
void sv_json_begin(sv_json *json, sv_str text, sv_text *scratch);
sv_error *sv_json_peek(sv_json *json, sv_json_kind *out_kind);  // of the value that comes
sv_error *sv_json_end(sv_json *json);                           // nothing but white space is left

// Objects: sv_json_object(), then sv_json_member() until *out_more is false; after each member its value is read or skipped. Arrays alike.
sv_error *sv_json_object(sv_json *json);
sv_error *sv_json_member(sv_json *json, bool *out_more, sv_str *out_name);
sv_error *sv_json_array(sv_json *json);
sv_error *sv_json_element(sv_json *json, bool *out_more);

sv_error *sv_json_string(sv_json *json,
                         sv_str *out_text);  // valid UTF-8; in the text itself, or in scratch where it has escapes
sv_error *sv_json_bool(sv_json *json, bool *out_value);
sv_error *sv_json_null(sv_json *json);
sv_error *sv_json_int(sv_json *json, int64_t *out_value);  // without fraction and exponent, in range
sv_error *sv_json_uint(sv_json *json, uint64_t *out_value);
sv_error *sv_json_skip(sv_json *json, sv_str *out_text);  // any value, checked; its text where out_text is not NULL

// The elements of a tensor: an array, nested in any way. `count` elements of the type are written to `to`: too few and too many are errors, so
// are numbers out of an integer's range, fractions for integers, texts and booleans for numbers. PRED takes true and false. Not for f16, bf16 and
// complex numbers: INVALID_ARGUMENT says that these are sent as binary data.
sv_error *sv_json_tensor(sv_json *json, millrace_dtype dtype, size_t count, void *to);
sv_error *sv_json_scalar(sv_json *json, millrace_dtype dtype, void *to);  // one element, without an array around it

// ---- Writing --------------------------------------------------------------------------------------------------------

void sv_json_put_string(sv_text *out, sv_str text);  // with quotes; invalid UTF-8 becomes U+FFFD
// The shortest text that reads back the same, "2" for 2.0; NaN, Infinity, -Infinity.
void sv_json_put_double(sv_text *out, double value);
// A flat array of the elements: "[1,2]" of whole numbers, "[1.0,2.5]" of floats. False for a type that JSON has no text for.
bool sv_json_put_tensor(sv_text *out, millrace_dtype dtype, const void *from, size_t count);

#endif
