// The safetensors format: eight bytes of length, so many bytes of JSON, then the arrays. The JSON is an object of objects: name, and of each
// "dtype", "shape" and "data_offsets" from where the arrays begin; "__metadata__" has texts that mean nothing here. Its writers make no other
// JSON, and what it may be nested in is bounded.
#include <string.h>

#include "millrace/weights.h"

typedef struct json {
  const char *at, *end;
  mr_arena *arena;  // of texts that have escapes
} json;

static mr_status bad(const json *j, const char *wanted) {
  return mr_error(MR_INVALID_ARGUMENT, "safetensors: %s was wanted, %zu bytes before the header's end", wanted,
                  (size_t)(j->end - j->at));
}

static void skip_blank(json *j) {
  while (j->at < j->end && (*j->at == ' ' || *j->at == '\n' || *j->at == '\t' || *j->at == '\r')) {
    j->at++;
  }
}

static bool accept(json *j, char c) {
  skip_blank(j);
  bool is = j->at < j->end && *j->at == c;
  j->at += is;
  return is;
}

static mr_status expect(json *j, char c) {
  const char wanted[] = {c, 0};
  return accept(j, c) ? MR_OK : bad(j, wanted);
}

// ---- Texts --------------------------------------------------------------------------------------------------------------------

// Behind `\u`: a unit of UTF-16.
static mr_status read_unit(json *j, uint32_t *out) {
  *out = 0;
  for (int i = 0; i < 4; i++) {
    int digit = j->at < j->end ? mr_hex_digit(*j->at) : -1;
    if (digit < 0) {
      return bad(j, "four hexadecimal digits");
    }
    *out = *out * 16 + (uint32_t)digit;
    j->at++;
  }
  return MR_OK;
}

static mr_status read_code_point(json *j, uint32_t *out) {
  uint32_t low;
  MR_TRY(read_unit(j, out));
  if (*out < 0xd800 || *out > 0xdfff) {
    return MR_OK;
  }
  if (*out > 0xdbff || j->end - j->at < 2 || j->at[0] != '\\' || j->at[1] != 'u') {
    return bad(j, "a pair of surrogates");
  }
  j->at += 2;
  MR_TRY(read_unit(j, &low));
  if (low < 0xdc00 || low > 0xdfff) {
    return bad(j, "a pair of surrogates");
  }
  *out = 0x10000 + ((*out - 0xd800) << 10) + (low - 0xdc00);
  return MR_OK;
}

static char *put_code_point(char *to, uint32_t c) {
  if (c < 0x80) {
    *to++ = (char)c;
  } else if (c < 0x800) {
    *to++ = (char)(0xc0 | c >> 6);
    *to++ = (char)(0x80 | (c & 63));
  } else if (c < 0x10000) {
    *to++ = (char)(0xe0 | c >> 12);
    *to++ = (char)(0x80 | (c >> 6 & 63));
    *to++ = (char)(0x80 | (c & 63));
  } else {
    *to++ = (char)(0xf0 | c >> 18);
    *to++ = (char)(0x80 | (c >> 12 & 63));
    *to++ = (char)(0x80 | (c >> 6 & 63));
    *to++ = (char)(0x80 | (c & 63));
  }
  return to;
}

// Behind the backslash. What is written is never longer than what was read.
static mr_status read_escape(json *j, char **inout_to) {
  static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  char c = j->at < j->end ? *j->at++ : 0;
  if (c == 'u') {
    uint32_t point;
    MR_TRY(read_code_point(j, &point));
    *inout_to = put_code_point(*inout_to, point);
    return MR_OK;
  }
  const char *found = c ? strchr(names, c) : NULL;
  if (!found) {
    return bad(j, "an escape of JSON");
  }
  *(*inout_to)++ = values[found - names];
  return MR_OK;
}

static mr_status read_text(json *j, mr_str *out) {
  MR_TRY(expect(j, '"'));
  const char *start = j->at;
  bool plain = true;
  for (; j->at < j->end && *j->at != '"'; j->at++) {
    plain = plain && *j->at != '\\';
    j->at += *j->at == '\\' && j->at + 1 < j->end;
    if ((unsigned char)*j->at < ' ') {
      return bad(j, "a text without control characters");
    }
  }
  const char *end = j->at;
  MR_TRY(expect(j, '"'));
  *out = (mr_str){start, (size_t)(end - start)};
  if (plain) {
    return MR_OK;
  }
  char *text = mr_arena_alloc(j->arena, out->size + 1), *to = text;
  if (!text) {
    return MR_NO_MEMORY();
  }
  json inside = {start, end, j->arena};
  while (inside.at < inside.end) {
    char c = *inside.at++;
    if (c == '\\') {
      MR_TRY(read_escape(&inside, &to));
    } else {
      *to++ = c;
    }
  }
  *out = (mr_str){text, (size_t)(to - text)};
  return MR_OK;
}

static mr_status read_number(json *j, uint64_t *out) {
  skip_blank(j);
  const char *start = j->at;
  *out = 0;
  for (; j->at < j->end && *j->at >= '0' && *j->at <= '9'; j->at++) {
    uint64_t digit = (uint64_t)(*j->at - '0');
    if (*out > ((uint64_t)INT64_MAX - digit) / 10) {
      return bad(j, "a smaller number");
    }
    *out = *out * 10 + digit;
  }
  return j->at > start ? MR_OK : bad(j, "a number");
}

// ---- Arrays -------------------------------------------------------------------------------------------------------------------

static const struct {
  const char *name;
  mr_dtype dtype;
} dtypes[] = {{"BOOL", MR_PRED},
              {"I8", MR_S8},
              {"U8", MR_U8},
              {"I16", MR_S16},
              {"U16", MR_U16},
              {"I32", MR_S32},
              {"U32", MR_U32},
              {"I64", MR_S64},
              {"U64", MR_U64},
              {"F16", MR_F16},
              {"BF16", MR_BF16},
              {"F32", MR_F32},
              {"F64", MR_F64},
              {"C64", MR_C64},
              {"F8_E4M3", MR_F8E4M3FN},
              {"F8_E5M2", MR_F8E5M2},
              {"F8_E8M0", MR_F8E8M0FNU}};

static mr_status read_dtype(json *j, mr_dtype *out) {
  mr_str name;
  MR_TRY(read_text(j, &name));
  for (size_t i = 0; i < MR_ARRAY_SIZE(dtypes); i++) {
    if (mr_str_is(name, dtypes[i].name)) {
      *out = dtypes[i].dtype;
      return MR_OK;
    }
  }
  return mr_error(MR_UNIMPLEMENTED, "safetensors: element type %.*s", MR_STR_ARG(name));
}

// [1, 2, ..], at most `room`.
static mr_status read_numbers(json *j, int64_t *out, size_t room, size_t *out_count) {
  *out_count = 0;
  MR_TRY(expect(j, '['));
  if (accept(j, ']')) {
    return MR_OK;
  }
  do {
    uint64_t number;
    if (*out_count == room) {
      return bad(j, "a shorter list");
    }
    MR_TRY(read_number(j, &number));
    out[(*out_count)++] = (int64_t)number;
  } while (accept(j, ','));
  return expect(j, ']');
}

typedef struct entry {
  mr_dtype dtype;
  int64_t dims[MR_MAX_RANK], offsets[2];
  size_t rank, num_offsets;
} entry;

static mr_status read_field(json *j, entry *e) {
  mr_str key;
  MR_TRY(read_text(j, &key));
  MR_TRY(expect(j, ':'));
  if (mr_str_is(key, "dtype")) {
    return read_dtype(j, &e->dtype);
  }
  if (mr_str_is(key, "shape")) {
    return read_numbers(j, e->dims, MR_MAX_RANK, &e->rank);
  }
  if (mr_str_is(key, "data_offsets")) {
    return read_numbers(j, e->offsets, 2, &e->num_offsets);
  }
  return mr_error(MR_INVALID_ARGUMENT, "safetensors: %.*s of an array, wanted dtype, shape or data_offsets",
                  MR_STR_ARG(key));
}

static mr_status read_array(json *j, mr_weights *weights, mr_str name, size_t base) {
  entry e = {.dtype = MR_INVALID};
  MR_TRY(expect(j, '{'));
  do {
    MR_TRY(read_field(j, &e));
  } while (accept(j, ','));
  MR_TRY(expect(j, '}'));
  if (e.dtype == MR_INVALID || e.num_offsets != 2 || e.offsets[1] < e.offsets[0]) {
    return mr_error(MR_INVALID_ARGUMENT, "safetensors: array %.*s lacks a type, or its two offsets in order",
                    MR_STR_ARG(name));
  }
  size_t begin = (size_t)e.offsets[0], bytes = (size_t)(e.offsets[1] - e.offsets[0]);
  if (begin > weights->file.bytes.size - base) {
    return mr_error(MR_INVALID_ARGUMENT, "safetensors: array %.*s begins at byte %zu, behind the file's end",
                    MR_STR_ARG(name), begin);
  }
  return mr_weights_add(weights, name, e.dtype, e.dims, e.rank, false, base + begin, bytes);
}

// {"key": "text", ..}
static mr_status skip_metadata(json *j) {
  MR_TRY(expect(j, '{'));
  if (accept(j, '}')) {
    return MR_OK;
  }
  do {
    mr_str text;
    MR_TRY(read_text(j, &text));
    MR_TRY(expect(j, ':'));
    MR_TRY(read_text(j, &text));
  } while (accept(j, ','));
  return expect(j, '}');
}

static mr_status read_header(json *j, mr_weights *weights, size_t base) {
  MR_TRY(expect(j, '{'));
  if (accept(j, '}')) {
    return MR_OK;
  }
  do {
    mr_str name;
    MR_TRY(read_text(j, &name));
    MR_TRY(expect(j, ':'));
    MR_TRY(mr_str_is(name, "__metadata__") ? skip_metadata(j) : read_array(j, weights, name, base));
  } while (accept(j, ','));
  return expect(j, '}');
}

mr_status mr_safetensors_read(mr_weights *weights) {
  mr_span file = weights->file.bytes;
  uint64_t size = 0;
  if (file.size < sizeof size) {
    return mr_error(MR_INVALID_ARGUMENT, "safetensors: a file of %zu bytes, wanted at least 8", file.size);
  }
  memcpy(&size, file.data, sizeof size);  // little-endian, as every machine we run on
  if (size > file.size - sizeof size) {
    return mr_error(MR_INVALID_ARGUMENT, "safetensors: a header of %llu bytes in a file of %zu",
                    (unsigned long long)size, file.size);
  }
  const char *start = (const char *)file.data + sizeof size;
  json j = {start, start + size, &weights->arena};
  MR_TRY(read_header(&j, weights, sizeof size + (size_t)size));
  skip_blank(&j);
  return j.at == j.end ? MR_OK : bad(&j, "the header's end");
}
