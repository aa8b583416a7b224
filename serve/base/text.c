// Text that grows.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/base/base.h"

static const size_t FIRST_CAPACITY = 256;

char *sv_text_room(sv_text *text, size_t size) {
  size_t wanted;
  if (text->failed || __builtin_add_overflow(text->size, size, &wanted)) {
    text->failed = true;
    return NULL;
  }
  if (wanted > text->capacity) {
    size_t capacity = text->capacity ? text->capacity : FIRST_CAPACITY;
    while (capacity < wanted) {
      capacity = capacity > SIZE_MAX / 2 ? wanted : capacity * 2;
    }
    char *data = realloc(text->data, capacity);
    if (!data) {
      text->failed = true;
      return NULL;
    }
    text->data = data;
    text->capacity = capacity;
  }
  return text->data + text->size;
}

void sv_text_add(sv_text *text, const void *bytes, size_t size) {
  char *room = size ? sv_text_room(text, size) : NULL;
  if (room) {
    memcpy(room, bytes, size);
    text->size += size;
  }
}

void sv_text_add_str(sv_text *text, sv_str more) { sv_text_add(text, more.data, more.size); }

void sv_text_puts(sv_text *text, const char *more) { sv_text_add(text, more, strlen(more)); }

void sv_text_putc(sv_text *text, char c) { sv_text_add(text, &c, 1); }

void sv_text_addf(sv_text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  int size = vsnprintf(NULL, 0, format, arguments);
  char *room = size >= 0 ? sv_text_room(text, (size_t)size + 1) : NULL;
  if (room) {
    vsnprintf(room, (size_t)size + 1, format, again);
    text->size += (size_t)size;
  }
  va_end(again);
  va_end(arguments);
}

void sv_text_add_uint(sv_text *text, uint64_t number) {
  char digits[20];
  size_t at = sizeof digits;
  do {
    digits[--at] = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  sv_text_add(text, digits + at, sizeof digits - at);
}

void sv_text_add_int(sv_text *text, int64_t number) {
  if (number < 0) {
    sv_text_putc(text, '-');
  }
  sv_text_add_uint(text, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

void sv_text_add_shape(sv_text *text, const int64_t *dims, uint32_t rank) {
  sv_text_putc(text, '[');
  for (uint32_t d = 0; d < rank; d++) {
    if (d) {
      sv_text_putc(text, ',');
    }
    sv_text_add_int(text, dims[d]);
  }
  sv_text_putc(text, ']');
}

void sv_text_clear(sv_text *text) {
  text->size = 0;
  text->failed = false;
}

void sv_text_free(sv_text *text) {
  free(text->data);
  *text = (sv_text){0};
}

sv_str sv_text_str(const sv_text *text) { return (sv_str){text->data, text->size}; }
