// The cursor: kinds, objects, arrays, texts, single numbers, and values that are skipped.
#include <string.h>

#include "serve/json/cursor.h"

sv_error *sv_json_wrong(const sv_json *json, const char *at, const char *wanted) {
  unsigned long long byte = (unsigned long long)(at - json->begin);
  if (at >= json->end) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "JSON ends at byte %llu where %s was wanted", byte, wanted);
  }
  unsigned char c = (unsigned char)*at;
  if (c > 0x20 && c < 0x7f) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "JSON at byte %llu: wanted %s, got '%c'", byte, wanted, c);
  }
  return sv_errorf(MILLRACE_INVALID_ARGUMENT, "JSON at byte %llu: wanted %s, got the byte 0x%02x", byte, wanted, c);
}

static void skip_space(sv_json *json) { json->at = sv_json_space(json->at, json->end); }

static bool is_next(const sv_json *json, char c) { return json->at < json->end && *json->at == c; }

void sv_json_begin(sv_json *json, sv_str text, sv_text *scratch) {
  const char *data = text.data ? text.data : "";
  *json = (sv_json){.at = data, .begin = data, .end = data + text.size, .scratch = scratch};
}

sv_error *sv_json_end(sv_json *json) {
  skip_space(json);
  return json->at == json->end ? NULL : sv_json_wrong(json, json->at, "the end");
}

sv_error *sv_json_peek(sv_json *json, sv_json_kind *out_kind) {
  skip_space(json);
  switch (json->at < json->end ? *json->at : 0) {
  case 'n': *out_kind = SV_JSON_NULL; return NULL;
  case 't':
  case 'f': *out_kind = SV_JSON_BOOL; return NULL;
  case '"': *out_kind = SV_JSON_STRING; return NULL;
  case '[': *out_kind = SV_JSON_ARRAY; return NULL;
  case '{': *out_kind = SV_JSON_OBJECT; return NULL;
  case '0' ... '9':
  case '-':
  case 'N':
  case 'I': *out_kind = SV_JSON_NUMBER; return NULL;
  default: return sv_json_wrong(json, json->at, "a value");
  }
}

sv_error *sv_json_deeper(sv_json *json) {
  if (json->depth >= SV_JSON_DEPTH) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "JSON at byte %llu: nested more than %d deep",
                     (unsigned long long)(json->at - json->begin), SV_JSON_DEPTH);
  }
  json->depth++;
  json->at++;
  return NULL;
}

sv_error *sv_json_object(sv_json *json) {
  skip_space(json);
  return is_next(json, '{') ? sv_json_deeper(json) : sv_json_wrong(json, json->at, "an object ('{')");
}

sv_error *sv_json_array(sv_json *json) {
  skip_space(json);
  return is_next(json, '[') ? sv_json_deeper(json) : sv_json_wrong(json, json->at, "an array ('[')");
}

// What comes in an object or array: *out_more is false behind its end. White space is skipped only in front of values, so that the byte before the
// cursor is the opening bracket only when nothing was read yet.
static sv_error *next(sv_json *json, char open, char close, const char *wanted, bool *out_more) {
  bool first = json->at[-1] == open;
  skip_space(json);
  *out_more = false;
  if (is_next(json, close)) {
    json->at++;
    json->depth--;
    return NULL;
  }
  if (!first) {
    if (!is_next(json, ',')) {
      return sv_json_wrong(json, json->at, wanted);
    }
    json->at++;
    skip_space(json);
  }
  *out_more = true;
  return NULL;
}

sv_error *sv_json_element(sv_json *json, bool *out_more) {
  SV_TRY(next(json, '[', ']', "',' or ']'", out_more));
  return *out_more && is_next(json, ']') ? sv_json_wrong(json, json->at, "a value") : NULL;
}

static sv_error *colon(sv_json *json) {
  skip_space(json);
  if (!is_next(json, ':')) {
    return sv_json_wrong(json, json->at, "':'");
  }
  json->at++;
  return NULL;
}

sv_error *sv_json_member(sv_json *json, bool *out_more, sv_str *out_name) {
  SV_TRY(next(json, '{', '}', "',' or '}'", out_more));
  if (!*out_more) {
    return NULL;
  }
  if (!is_next(json, '"')) {
    return sv_json_wrong(json, json->at, "a member's name in quotes");
  }
  SV_TRY(sv_json_string(json, out_name));
  return colon(json);
}

// ---- Names and numbers ----------------------------------------------------------------------------------------------

static bool take_word(sv_json *json, const char *word) {
  size_t size = strlen(word);
  if ((size_t)(json->end - json->at) < size || memcmp(json->at, word, size) != 0) {
    return false;
  }
  json->at += size;
  return true;
}

sv_error *sv_json_null(sv_json *json) {
  skip_space(json);
  return take_word(json, "null") ? NULL : sv_json_wrong(json, json->at, "null");
}

sv_error *sv_json_bool(sv_json *json, bool *out_value) {
  skip_space(json);
  *out_value = is_next(json, 't');
  return take_word(json, *out_value ? "true" : "false") ? NULL : sv_json_wrong(json, json->at, "true or false");
}

static sv_error *number(sv_json *json, const char *wanted, sv_number *out_number) {
  skip_space(json);
  const char *wrong = NULL, *behind = sv_number_scan_plain(json->at, json->end, out_number);
  behind = behind ? behind : sv_number_scan(json->at, json->end, out_number, &wrong);
  if (!behind) {
    return sv_json_wrong(json, wrong, wrong == json->at ? wanted : "a digit");
  }
  json->at = behind;
  return NULL;
}

sv_error *sv_json_number_wrong(const sv_json *json, const sv_number *number, const char *wanted) {
  size_t size = (size_t)(number->end - number->begin);
  return sv_errorf(MILLRACE_INVALID_ARGUMENT, "JSON at byte %llu: wanted %s, got %.*s%s",
                   (unsigned long long)(number->begin - json->begin), wanted, (int)(size > 40 ? 40 : size),
                   number->begin, size > 40 ? "..." : "");
}

sv_error *sv_json_int(sv_json *json, int64_t *out_value) {
  sv_number text;
  SV_TRY(number(json, "a whole number", &text));
  return sv_number_int(&text, INT64_MIN, INT64_MAX, out_value)
             ? NULL
             : sv_json_number_wrong(json, &text, "a whole number of 64 bits");
}

sv_error *sv_json_uint(sv_json *json, uint64_t *out_value) {
  sv_number text;
  SV_TRY(number(json, "a whole number", &text));
  return sv_number_uint(&text, UINT64_MAX, out_value)
             ? NULL
             : sv_json_number_wrong(json, &text, "a whole number of 64 bits that is not negative");
}

// ---- Skipping -------------------------------------------------------------------------------------------------------

static sv_error *skip_scalar(sv_json *json) {
  sv_json_kind kind;
  bool value;
  sv_number text;
  SV_TRY(sv_json_peek(json, &kind));
  switch (kind) {
  case SV_JSON_NULL: return sv_json_null(json);
  case SV_JSON_BOOL: return sv_json_bool(json, &value);
  case SV_JSON_STRING: return sv_json_string_skip(json);
  default: return number(json, "a value", &text);
  }
}

// In front of a member's value, or of an element; or behind the end of the innermost object or array.
static sv_error *skip_to_value(sv_json *json, bool object, bool *out_more) {
  if (!object) {
    return sv_json_element(json, out_more);
  }
  SV_TRY(next(json, '{', '}', "',' or '}'", out_more));
  if (!*out_more) {
    return NULL;
  }
  if (!is_next(json, '"')) {
    return sv_json_wrong(json, json->at, "a member's name in quotes");
  }
  SV_TRY(sv_json_string_skip(json));
  return colon(json);
}

sv_error *sv_json_skip(sv_json *json, sv_str *out_text) {
  skip_space(json);
  const char *begin = json->at;
  bool is_object[SV_JSON_DEPTH + 1];  // by depth
  uint32_t outside = json->depth;
  do {
    bool more = true;
    skip_space(json);
    if (is_next(json, '{') || is_next(json, '[')) {
      bool object = *json->at == '{';
      SV_TRY(sv_json_deeper(json));
      is_object[json->depth] = object;
    } else {
      SV_TRY(skip_scalar(json));
    }
    // Out of everything that ends here.
    do {
      more = true;
      if (json->depth > outside) {
        SV_TRY(skip_to_value(json, is_object[json->depth], &more));
      }
    } while (!more);
  } while (json->depth > outside);
  if (out_text) {
    *out_text = (sv_str){begin, (size_t)(json->at - begin)};
  }
  return NULL;
}
