// Strings with a length, and a growing text.
#include "core/core.h"

#include <stdio.h>
#include <string.h>

mr_str mr_str_of(const char *nul_terminated) {
  return (mr_str){nul_terminated, nul_terminated ? strlen(nul_terminated) : 0};
}

bool mr_str_equal(mr_str a, mr_str b) {
  return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

int mr_hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

bool mr_str_is(mr_str a, const char *nul_terminated) { return mr_str_equal(a, mr_str_of(nul_terminated)); }

bool mr_str_starts_with(mr_str a, mr_str prefix) {
  return a.size >= prefix.size && mr_str_equal((mr_str){a.data, prefix.size}, prefix);
}

// Makes room for `more` bytes and a NUL. After the first failure the text stays as it is.
static bool text_reserve(mr_text *text, size_t more) {
  if (text->failed) {
    return false;
  }
  if (more < text->capacity - text->size) {
    return true;
  }
  size_t needed = text->size + more + 1;
  size_t capacity = MR_MAX(needed, text->capacity * 2);
  char *data = needed > text->size ? mr_realloc(text->data, MR_MAX(capacity, (size_t)64)) : NULL;
  if (!data) {
    text->failed = true;
    return false;
  }
  text->data = data;
  text->capacity = MR_MAX(capacity, (size_t)64);
  return true;
}

void mr_text_put(mr_text *text, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int size = vsnprintf(NULL, 0, format, args);
  if (size < 0) {
    text->failed = true;
  }
  if (size >= 0 && text_reserve(text, (size_t)size)) {
    vsnprintf(text->data + text->size, (size_t)size + 1, format, again);
    text->size += (size_t)size;
  }
  va_end(again);
  va_end(args);
}

void mr_text_append(mr_text *text, mr_str piece) {
  if (!text_reserve(text, piece.size)) {
    return;
  }
  if (piece.size) {
    memcpy(text->data + text->size, piece.data, piece.size);
  }
  text->size += piece.size;
  text->data[text->size] = '\0';
}

void mr_text_deinit(mr_text *text) {
  mr_free(text->data);
  *text = (mr_text){0};
}
