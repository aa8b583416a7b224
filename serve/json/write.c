// Writing JSON into growing text.
#include <math.h>
#include <string.h>

#include "serve/json/number.h"

// The bytes of the character that begins here; 0 when it is not UTF-8.
static size_t character(sv_str text, size_t at) {
  unsigned char lead = (unsigned char)text.data[at];
  size_t size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return size <= text.size - at && sv_str_is_utf8((sv_str){text.data + at, size}) ? size : 0;
}

static void put_escaped(sv_text *out, unsigned char c) {
  static const char letters[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
  const char *letter = c ? strchr(letters, c) : NULL;
  if (letter) {
    sv_text_putc(out, '\\');
    sv_text_putc(out, names[letter - letters]);
  } else {
    sv_text_addf(out, "\\u%04x", c);
  }
}

void sv_json_put_string(sv_text *out, sv_str text) {
  sv_text_putc(out, '"');
  size_t done = 0, at = 0;  // what lies between is added as it is
  while (at < text.size) {
    unsigned char c = (unsigned char)text.data[at];
    if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
      at++;
      continue;
    }
    size_t size = c >= 0x80 ? character(text, at) : 0;
    if (size) {
      at += size;
      continue;
    }
    sv_text_add(out, text.data + done, at - done);
    if (c >= 0x80) {
      sv_text_puts(out, "\xef\xbf\xbd");
    } else {
      put_escaped(out, c);
    }
    done = ++at;
  }
  if (at > done) {
    sv_text_add(out, text.data + done, at - done);
  }
  sv_text_putc(out, '"');
}

void sv_json_put_double(sv_text *out, double value) {
  char *to = sv_text_room(out, SV_NUMBER_ROOM);
  if (to) {
    char *end = sv_number_put_double(to, value);
    end -= end - to > 2 && memcmp(end - 2, ".0", 2) == 0 && (value != 0 || !signbit(value)) ? 2 : 0;
    out->size += (size_t)(end - to);
  }
}

// ---- Tensors --------------------------------------------------------------------------------------------------------

static char *put_pred(char *to, bool value) {
  memcpy(to, value ? "true" : "false", 5);
  return to + (value ? 4 : 5);
}

#define PUT_EACH(type, put)                                 \
  for (size_t i = 0; i < count; i++) {                      \
    type value;                                             \
    memcpy(&value, bytes + i * sizeof value, sizeof value); \
    to = put(to, value);                                    \
    *to++ = ',';                                            \
  }                                                         \
  return to

// Writes "1,2.5," from memory that need not be aligned.
static char *put_elements(char *to, millrace_dtype dtype, const unsigned char *bytes, size_t count) {
  switch ((int)dtype) {
  case MILLRACE_PRED: PUT_EACH(unsigned char, put_pred);
  case MILLRACE_S8: PUT_EACH(int8_t, sv_number_put_int);
  case MILLRACE_S16: PUT_EACH(int16_t, sv_number_put_int);
  case MILLRACE_S32: PUT_EACH(int32_t, sv_number_put_int);
  case MILLRACE_S64: PUT_EACH(int64_t, sv_number_put_int);
  case MILLRACE_U8: PUT_EACH(uint8_t, sv_number_put_uint);
  case MILLRACE_U16: PUT_EACH(uint16_t, sv_number_put_uint);
  case MILLRACE_U32: PUT_EACH(uint32_t, sv_number_put_uint);
  case MILLRACE_U64: PUT_EACH(uint64_t, sv_number_put_uint);
  case MILLRACE_F32: PUT_EACH(float, sv_number_put_float);
  case MILLRACE_F64: PUT_EACH(double, sv_number_put_double);
  default: return NULL;
  }
}

bool sv_json_put_tensor(sv_text *out, millrace_dtype dtype, const void *from, size_t count) {
  enum { AT_ONCE = 256 };  // elements for which room is made together
  char nothing[1];
  if (!put_elements(nothing, dtype, NULL, 0)) {
    return false;
  }
  const unsigned char *bytes = from;
  size_t size = millrace_dtype_bytes(dtype);
  sv_text_putc(out, '[');
  for (size_t done = 0; done < count;) {
    size_t now = count - done < AT_ONCE ? count - done : AT_ONCE;
    char *to = sv_text_room(out, now * (SV_NUMBER_ROOM + 1));
    if (!to) {
      return true;  // the text says that it failed
    }
    char *end = put_elements(to, dtype, bytes + done * size, now);
    out->size += (size_t)(end - to);
    done += now;
  }
  if (count && !out->failed) {
    out->size--;  // the last comma
  }
  sv_text_putc(out, ']');
  return true;
}
