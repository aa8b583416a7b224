// Text with a length.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "serve/base/base.h"

sv_str sv_str_of(const char *text) { return (sv_str){text, text ? strlen(text) : 0}; }

bool sv_str_equal(sv_str a, sv_str b) {
  return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

bool sv_str_is(sv_str a, const char *b) { return sv_str_equal(a, sv_str_of(b)); }

bool sv_str_is_nocase(sv_str a, const char *b) {
  size_t size = strlen(b);
  if (a.size != size) {
    return false;
  }
  for (size_t i = 0; i < size; i++) {
    unsigned char left = (unsigned char)a.data[i], right = (unsigned char)b[i];
    left |= left >= 'A' && left <= 'Z' ? 0x20 : 0;
    right |= right >= 'A' && right <= 'Z' ? 0x20 : 0;
    if (left != right) {
      return false;
    }
  }
  return true;
}

bool sv_str_begins(sv_str a, const char *b) {
  size_t size = strlen(b);
  return a.size >= size && memcmp(a.data, b, size) == 0;
}

char *sv_str_copy(sv_str text) {
  char *copy = malloc(text.size + 1);
  if (copy) {
    if (text.size) {
      memcpy(copy, text.data, text.size);
    }
    copy[text.size] = 0;
  }
  return copy;
}

bool sv_str_number(sv_str text, uint64_t most, uint64_t *out_number) {
  uint64_t number = 0;
  for (size_t i = 0; i < text.size; i++) {
    unsigned digit = (unsigned)(unsigned char)text.data[i] - '0';
    if (digit > 9 || __builtin_mul_overflow(number, 10, &number) || __builtin_add_overflow(number, digit, &number) ||
        number > most) {
      return false;
    }
  }
  *out_number = number;
  return text.size > 0;
}

// How many bytes the character that begins here has; 0 when none does.
static size_t character(const unsigned char *at, size_t left) {
  if (at[0] < 0x80) {
    return 1;
  }
  size_t size = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
  if (at[0] < 0xc2 || at[0] > 0xf4 || left < size) {
    return 0;
  }
  for (size_t i = 1; i < size; i++) {
    if ((at[i] & 0xc0) != 0x80) {
      return 0;
    }
  }
  // Longer than need be, a half of a pair, or beyond the last character.
  bool wrong = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) || (at[0] == 0xf0 && at[1] < 0x90) ||
               (at[0] == 0xf4 && at[1] > 0x8f);
  return wrong ? 0 : size;
}

bool sv_str_is_utf8(sv_str text) {
  for (size_t i = 0; i < text.size;) {
    size_t size = character((const unsigned char *)text.data + i, text.size - i);
    if (!size) {
      return false;
    }
    i += size;
  }
  return true;
}
