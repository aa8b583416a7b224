// Texts of JSON: checked, and decoded where they have escapes.
#include <string.h>

#include "serve/json/cursor.h"

static int hex(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Four hexadecimal digits; -1 when they are not there.
static int unit(const char *at, const char *end) {
  if (end - at < 4) {
    return -1;
  }
  int value = 0;
  for (int i = 0; i < 4; i++) {
    int digit = hex(at[i]);
    if (digit < 0) {
      return -1;
    }
    value = value * 16 + digit;
  }
  return value;
}

static char *put_utf8(char *to, uint32_t c) {
  if (c < 0x80) {
    *to++ = (char)c;
    return to;
  }
  int size = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
  *to++ = (char)(lead[size] | c >> (6 * (size - 1)));
  for (int i = size - 2; i >= 0; i--) {
    *to++ = (char)(0x80 | ((c >> (6 * i)) & 0x3f));
  }
  return to;
}

// The escape behind a backslash: its character, and the end of it. NULL: there is none; *out_wanted says what should be there.
static const char *escape(const char *at, const char *end, uint32_t *out_character, const char **out_wanted) {
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  *out_wanted = "an escape (one of \"\\/bfnrtu)";
  if (at == end) {
    return NULL;
  }
  const char *letter = *at ? strchr(letters, *at) : NULL;
  if (letter) {
    *out_character = (unsigned char)meanings[letter - letters];
    return at + 1;
  }
  if (*at != 'u') {
    return NULL;
  }
  *out_wanted = "four hexadecimal digits";
  int first = unit(at + 1, end);
  if (first < 0) {
    return NULL;
  }
  at += 5;
  *out_character = (uint32_t)first;
  if (first < 0xd800 || first > 0xdfff) {
    return at;
  }
  // Half of a pair alone is no character.
  *out_wanted = "both halves of a surrogate pair";
  int second = first < 0xdc00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u' ? unit(at + 2, end) : -1;
  if (second < 0xdc00 || second > 0xdfff) {
    return NULL;
  }
  *out_character = 0x10000 + (((uint32_t)first - 0xd800) << 10) + ((uint32_t)second - 0xdc00);
  return at + 6;
}

// The text between the quotes, with the cursor behind it.
static sv_error *raw(sv_json *json, sv_str *out_raw, bool *out_escapes) {
  json->at = sv_json_space(json->at, json->end);
  if (json->at == json->end || *json->at != '"') {
    return sv_json_wrong(json, json->at, "a text in quotes");
  }
  const char *begin = json->at + 1, *at = begin;
  unsigned char high = 0;
  *out_escapes = false;
  for (;; at++) {
    if (at == json->end) {
      return sv_json_wrong(json, at, "the end of a text ('\"')");
    }
    unsigned char c = (unsigned char)*at;
    if (c == '"') {
      break;
    }
    if (c < 0x20) {
      return sv_json_wrong(json, at, "no control character in a text");
    }
    high |= c;
    if (c == '\\') {
      uint32_t character;
      const char *wanted, *behind = escape(at + 1, json->end, &character, &wanted);
      if (!behind) {
        return sv_json_wrong(json, at + 1, wanted);
      }
      at = behind - 1;
      *out_escapes = true;
    }
  }
  *out_raw = (sv_str){begin, (size_t)(at - begin)};
  json->at = at + 1;
  if (high >= 0x80 && !sv_str_is_utf8(*out_raw)) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "JSON at byte %llu: a text that is not UTF-8",
                     (unsigned long long)(begin - json->begin));
  }
  return NULL;
}

sv_error *sv_json_string_skip(sv_json *json) {
  sv_str text;
  bool escapes;
  return raw(json, &text, &escapes);
}

sv_error *sv_json_string(sv_json *json, sv_str *out_text) {
  bool escapes;
  SV_TRY(raw(json, out_text, &escapes));
  if (!escapes) {
    return NULL;
  }
  // Room for all that is left of the document, because no text is longer decoded than written: only the first text with escapes may move the
  // scratch, and the ones before it stay valid.
  const char *at = out_text->data, *end = at + out_text->size;
  char *begin = sv_text_room(json->scratch, (size_t)(json->end - at)), *to = begin;
  if (!to) {
    return sv_no_memory();
  }
  while (at < end) {
    if (*at != '\\') {
      *to++ = *at++;
      continue;
    }
    uint32_t character = 0;
    const char *wanted;
    at = escape(at + 1, end, &character, &wanted);
    to = put_utf8(to, character);
  }
  *out_text = (sv_str){begin, (size_t)(to - begin)};
  json->scratch->size += out_text->size;
  return NULL;
}
