// Tokens of MLIR text, read where they stand; nothing is stored.
#include "compiler/reader/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_word_start(char c) { return is_letter(c) || c == '_'; }
static bool is_word(char c) { return is_word_start(c) || is_digit(c) || c == '$' || c == '.'; }

static char at(const mr_parser *p, size_t index) { return index < p->size ? p->text[index] : '\0'; }

// ---- Errors and places ---------------------------------------------------------------------------------------------

// Counts lines from the last place asked for when that is before `at`: ops ask in file order.
mr_loc mr_parse_loc(mr_parser *p, size_t where) {
  if (where < p->seen || p->seen_line == 0) {
    p->seen = p->seen_line_start = 0;
    p->seen_line = 1;
  }
  const char *newline;
  while (p->seen < where && (newline = memchr(p->text + p->seen, '\n', where - p->seen)) != NULL) {
    p->seen = p->seen_line_start = (size_t)(newline - p->text) + 1;
    p->seen_line++;
  }
  p->seen = where;
  return (mr_loc){.line = p->seen_line, .column = (uint32_t)(where - p->seen_line_start) + 1};
}

// The token at the place, shortened, for messages.
static mr_str found_at(const mr_parser *p, size_t where) {
  size_t end = where;
  if (is_word(at(p, end))) {
    while (end - where < 40 && is_word(at(p, end))) {
      end++;
    }
  } else if (end < p->size) {
    end++;
  }
  return end == where ? MR_STR("the end of the text") : (mr_str){p->text + where, end - where};
}

mr_status mr_parse_error(mr_parser *p, const char *format, ...) {
  char message[200];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof(message), format, args);
  va_end(args);
  mr_parse_blank(p);
  mr_loc loc = mr_parse_loc(p, p->at);
  mr_str found = found_at(p, p->at);
  return mr_error(MR_INVALID_ARGUMENT, "%u:%u: expected %s, found '%.*s'", loc.line, loc.column, message,
                  MR_STR_ARG(found));
}

mr_status mr_parse_unsupported(mr_parser *p, size_t where, const char *what, mr_str name) {
  mr_loc loc = mr_parse_loc(p, where);
  return mr_error(MR_UNIMPLEMENTED, "%u:%u: %s %.*s", loc.line, loc.column, what, (int)MR_MIN(name.size, 100),
                  name.data);
}

mr_status mr_parse_note(mr_parser *p, size_t where, mr_status take_status) {
  if (!take_status) {
    return MR_OK;
  }
  mr_loc loc = mr_parse_loc(p, where);
  return mr_status_note(take_status, "%u:%u", loc.line, loc.column);
}

mr_status mr_parse_enter(mr_parser *p) {
  if (p->depth >= MR_READ_DEPTH) {
    return mr_parse_error(p, "no deeper nesting than %d", MR_READ_DEPTH);
  }
  p->depth++;
  return MR_OK;
}

mr_status mr_parse_weigh(mr_parser *p, uint64_t weight) {
  p->weight += weight;
  return p->weight <= p->weight_limit ? MR_OK : mr_parse_error(p, "aliases that expand to less");
}

mr_status mr_parse_grow_in(mr_arena *arena, void **items, size_t count, size_t *room, size_t item_size) {
  if (count < *room) {
    return MR_OK;
  }
  size_t larger = *room ? *room * 2 : 8;
  void *memory = mr_arena_alloc(arena, larger * item_size);
  if (!memory) {
    return MR_NO_MEMORY();
  }
  if (count) {
    memcpy(memory, *items, count * item_size);
  }
  *items = memory;
  *room = larger;
  return MR_OK;
}

mr_status mr_parse_grow(mr_parser *p, void **items, size_t count, size_t *room, size_t item_size) {
  return mr_parse_grow_in(&p->scratch, items, count, room, item_size);
}

// ---- Blanks and punctuation ----------------------------------------------------------------------------------------

void mr_parse_blank(mr_parser *p) {
  while (p->at < p->size) {
    char c = p->text[p->at];
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      p->at++;
    } else if (c == '/' && at(p, p->at + 1) == '/') {
      const char *newline = memchr(p->text + p->at, '\n', p->size - p->at);
      p->at = newline ? (size_t)(newline - p->text) : p->size;
    } else {
      return;
    }
  }
}

char mr_parse_peek(mr_parser *p) {
  mr_parse_blank(p);
  return at(p, p->at);
}

bool mr_parse_accept(mr_parser *p, const char *punctuation) {
  mr_parse_blank(p);
  size_t size = strlen(punctuation);
  if (p->size - p->at < size || memcmp(p->text + p->at, punctuation, size) != 0) {
    return false;
  }
  p->at += size;
  return true;
}

mr_status mr_parse_expect(mr_parser *p, const char *punctuation) {
  return mr_parse_accept(p, punctuation) ? MR_OK : mr_parse_error(p, "'%s'", punctuation);
}

// ---- Words ---------------------------------------------------------------------------------------------------------

bool mr_parse_peek_word(mr_parser *p, mr_str *out) {
  mr_parse_blank(p);
  size_t end = p->at;
  if (!is_word_start(at(p, end))) {
    return false;
  }
  while (is_word(at(p, end))) {
    end++;
  }
  *out = (mr_str){p->text + p->at, end - p->at};
  return true;
}

bool mr_parse_accept_word(mr_parser *p, const char *word) {
  mr_str found;
  if (!mr_parse_peek_word(p, &found) || !mr_str_is(found, word)) {
    return false;
  }
  p->at += found.size;
  return true;
}

mr_status mr_parse_expect_word(mr_parser *p, const char *word) {
  return mr_parse_accept_word(p, word) ? MR_OK : mr_parse_error(p, "'%s'", word);
}

mr_status mr_parse_word(mr_parser *p, mr_str *out) {
  if (!mr_parse_peek_word(p, out)) {
    return mr_parse_error(p, "a name");
  }
  p->at += out->size;
  return MR_OK;
}

mr_status mr_parse_suffix(mr_parser *p, mr_str *out) {
  size_t end = p->at;
  if (is_digit(at(p, end))) {
    while (is_digit(at(p, end))) {
      end++;
    }
  } else {
    // A minus belongs to the name unless it begins an arrow.
    while (is_word(at(p, end)) || (at(p, end) == '-' && at(p, end + 1) != '>')) {
      end++;
    }
  }
  if (end == p->at) {
    return mr_parse_error(p, "a name");
  }
  *out = (mr_str){p->text + p->at, end - p->at};
  p->at = end;
  return MR_OK;
}

// ---- Strings -------------------------------------------------------------------------------------------------------

mr_status mr_parse_raw_string(mr_parser *p, mr_str *out) {
  MR_TRY(mr_parse_expect(p, "\""));
  size_t end = p->at;
  while (end < p->size && p->text[end] != '"' && p->text[end] != '\n') {
    end += p->text[end] == '\\' ? 2 : 1;
  }
  if (at(p, end) != '"') {
    p->at = MR_MIN(end, p->size);
    return mr_parse_error(p, "'\"' at the end of a string");
  }
  *out = (mr_str){p->text + p->at, end - p->at};
  p->at = end + 1;
  return MR_OK;
}

// What follows a backslash: n, t, the character itself, or two hexadecimal digits.
static bool unescape(const char *from, size_t left, size_t *used, char *out) {
  *used = 1;
  if (from[0] == 'n' || from[0] == 't') {
    *out = from[0] == 'n' ? '\n' : '\t';
    return true;
  }
  if (from[0] == '"' || from[0] == '\\') {
    *out = from[0];
    return true;
  }
  if (left < 2 || mr_hex_digit(from[0]) < 0 || mr_hex_digit(from[1]) < 0) {
    return false;
  }
  *used = 2;
  *out = (char)(mr_hex_digit(from[0]) * 16 + mr_hex_digit(from[1]));
  return true;
}

mr_status mr_parse_string(mr_parser *p, mr_str *out) {
  mr_str raw;
  MR_TRY(mr_parse_raw_string(p, &raw));
  char *copy = mr_arena_alloc(p->arena, raw.size + 1);
  if (!copy) {
    return MR_NO_MEMORY();
  }
  size_t size = 0;
  for (size_t i = 0; i < raw.size; i++) {
    char c = raw.data[i];
    size_t used;
    if (c == '\\') {
      if (!unescape(raw.data + i + 1, raw.size - i - 1, &used, &c)) {
        p->at = (size_t)(raw.data - p->text) + i;
        return mr_parse_error(p, "an escape \\n, \\t, \\\", \\\\ or two hexadecimal digits");
      }
      i += used;
    }
    copy[size++] = c;
  }
  *out = (mr_str){copy, size};
  return MR_OK;
}

// ---- Numbers -------------------------------------------------------------------------------------------------------

static size_t skip_digits(const mr_parser *p, size_t end) {
  while (is_digit(at(p, end))) {
    end++;
  }
  return end;
}

// A dot and an exponent after the digits; the dot makes the float.
static size_t skip_fraction(const mr_parser *p, size_t end) {
  end = skip_digits(p, end + 1);
  if (at(p, end) == 'e' || at(p, end) == 'E') {
    size_t digits = end + 1 + (at(p, end + 1) == '+' || at(p, end + 1) == '-');
    if (is_digit(at(p, digits))) {
      end = skip_digits(p, digits);
    }
  }
  return end;
}

mr_status mr_parse_number(mr_parser *p, mr_str *out, bool *out_is_float) {
  mr_parse_blank(p);
  size_t end = p->at + (at(p, p->at) == '-');
  if (!is_digit(at(p, end))) {
    return mr_parse_error(p, "a number");
  }
  *out_is_float = false;
  if (at(p, end) == '0' && at(p, end + 1) == 'x' && mr_hex_digit(at(p, end + 2)) >= 0) {
    end += 2;
    while (mr_hex_digit(at(p, end)) >= 0) {
      end++;
    }
  } else {
    end = skip_digits(p, end);
    if (at(p, end) == '.') {
      *out_is_float = true;
      end = skip_fraction(p, end);
    }
  }
  *out = (mr_str){p->text + p->at, end - p->at};
  p->at = end;
  return MR_OK;
}

bool mr_parse_digits(mr_str number, uint64_t *out_magnitude, bool *out_negative, bool *out_hex) {
  size_t i = *out_negative = number.data[0] == '-';
  *out_hex = number.size > i + 2 && number.data[i + 1] == 'x';
  uint64_t base = *out_hex ? 16 : 10, value = 0;
  for (i += *out_hex ? 2 : 0; i < number.size; i++) {
    if (__builtin_mul_overflow(value, base, &value) ||
        __builtin_add_overflow(value, (uint64_t)mr_hex_digit(number.data[i]), &value)) {
      return false;
    }
  }
  *out_magnitude = value;
  return true;
}

mr_status mr_parse_int(mr_parser *p, int64_t *out) {
  mr_str number;
  bool is_float, negative, hex;
  uint64_t magnitude;
  size_t start = p->at;
  MR_TRY(mr_parse_number(p, &number, &is_float));
  if (is_float || !mr_parse_digits(number, &magnitude, &negative, &hex) ||
      (negative && magnitude > (uint64_t)INT64_MAX + 1)) {
    p->at = start;
    return mr_parse_error(p, "an integer of 64 bits");
  }
  *out = (int64_t)(negative ? ~magnitude + 1 : magnitude);
  return MR_OK;
}

mr_status mr_parse_bool(mr_parser *p, int64_t *out) {
  *out = 1;
  if (mr_parse_accept_word(p, "true")) {
    return MR_OK;
  }
  *out = 0;
  if (mr_parse_accept_word(p, "false")) {
    return MR_OK;
  }
  return mr_parse_error(p, "true or false");
}

mr_status mr_parse_double(mr_parser *p, mr_str number, double *out) {
  char buffer[400];
  if (number.size >= sizeof buffer) {
    return mr_parse_error(p, "a number of less than %zu characters", sizeof buffer);
  }
  memcpy(buffer, number.data, number.size);
  buffer[number.size] = '\0';
  *out = strtod_l(buffer, NULL, p->locale);
  return MR_OK;
}

// ---- Bracketed groups ----------------------------------------------------------------------------------------------

static char closing(char c, bool angles) {
  return c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : angles && c == '<' ? '>' : '\0';
}

mr_status mr_parse_skip_group(mr_parser *p, bool angles) {
  size_t level = 0;
  do {
    char c = mr_parse_peek(p);
    mr_str raw;
    if (c == '\0') {
      return mr_parse_error(p, "a closing bracket");
    }
    if (c == '"') {
      MR_TRY(mr_parse_raw_string(p, &raw));
      continue;
    }
    p->at++;
    if (c == '-' && at(p, p->at) == '>') {
      p->at++;
    } else if (closing(c, angles)) {
      level++;
    } else if (level && (c == ')' || c == ']' || c == '}' || (angles && c == '>'))) {
      level--;
    }
  } while (level);
  return MR_OK;
}

mr_status mr_parse_raw_group(mr_parser *p, mr_str *out) {
  mr_parse_blank(p);
  size_t start = p->at;
  MR_TRY(mr_parse_skip_group(p, true));
  *out = mr_arena_str(p->arena, (mr_str){p->text + start, p->at - start});
  return out->data ? MR_OK : MR_NO_MEMORY();
}

mr_status mr_parse_optional_location(mr_parser *p) {
  if (!mr_parse_accept_word(p, "loc")) {
    return MR_OK;
  }
  return mr_parse_peek(p) == '(' ? mr_parse_skip_group(p, false) : mr_parse_error(p, "'(' after loc");
}
