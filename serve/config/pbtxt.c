// Protobuf's text format, as far as model configurations use it.
#include <string.h>

#include "serve/config/tree.h"

typedef struct cursor {
  sv_tree *tree;
  const char *at, *end;
  size_t line;
  int depth;
} cursor;

#define WRONG(cursor, ...) sv_tree_errorf((cursor)->tree, (cursor)->line, MILLRACE_INVALID_ARGUMENT, __VA_ARGS__)

// White space and comments.
static void skip_space(cursor *c) {
  for (; c->at < c->end; c->at++) {
    if (*c->at == '#') {
      while (c->at < c->end && *c->at != '\n') {
        c->at++;
      }
      if (c->at == c->end) {
        return;
      }
    }
    if (*c->at == '\n') {
      c->line++;
    } else if (*c->at != ' ' && *c->at != '\t' && *c->at != '\r' && *c->at != '\v' && *c->at != '\f') {
      return;
    }
  }
}

// The next character that is not space; 0 at the end.
static char peek(cursor *c) {
  skip_space(c);
  return c->at < c->end ? *c->at : 0;
}

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '-' || c == '+';
}

static sv_str word(cursor *c) {
  const char *from = c->at;
  while (c->at < c->end && is_word(*c->at)) {
    c->at++;
  }
  return (sv_str){from, (size_t)(c->at - from)};
}

static int digit_of(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : 99;
}

// At most `most` digits of a number; the caller sees by `at` whether there was one.
static uint32_t number(cursor *c, int base, int most) {
  uint32_t value = 0;
  for (int i = 0; i < most && c->at < c->end && digit_of(*c->at) < base; i++) {
    value = value * (uint32_t)base + (uint32_t)digit_of(*c->at++);
  }
  return value;
}

static char *put_character(char *to, uint32_t code) {
  if (code < 0x80) {
    *to++ = (char)code;
    return to;
  }
  int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static const uint8_t first[] = {0, 0xc0, 0xe0, 0xf0};
  *to++ = (char)(first[more] | code >> (6 * more));
  while (more--) {
    *to++ = (char)(0x80 | (code >> (6 * more) & 0x3f));
  }
  return to;
}

// What follows a backslash. Writes no more bytes than it reads.
static sv_error *escape(cursor *c, char **to) {
  static const char letters[] = "abfnrtv\\'\"?", values[] = "\a\b\f\n\r\t\v\\'\"?";
  char kind = c->at < c->end ? *c->at++ : 0;
  const char *letter = kind ? strchr(letters, kind) : NULL;
  const char *digits = c->at;
  uint32_t code = 0;
  if (letter) {
    *(*to)++ = values[letter - letters];
    return NULL;
  }
  if (kind >= '0' && kind <= '7') {
    c->at--;
    *(*to)++ = (char)number(c, 8, 3);
    return NULL;
  }
  if (kind == 'x' || kind == 'X') {
    code = number(c, 16, 2);
    *(*to)++ = (char)code;
  } else if (kind == 'u' || kind == 'U') {
    int wanted = kind == 'u' ? 4 : 8;
    code = number(c, 16, wanted);
    if (c->at - digits != wanted || code > 0x10ffff) {
      return WRONG(c, "a bad \\%c in a text", kind);
    }
    *to = put_character(*to, code);
  }
  if (c->at == digits) {
    return WRONG(c, "a text with an unknown escape after its backslash");
  }
  return NULL;
}

// A quoted text and those that follow it directly, which belong to it. The first pass finds their end, and so the room that they need at most.
static sv_error *string(cursor *c, sv_str *out_text) {
  size_t most = 0;
  const char *begin = c->at;
  for (char quote; (quote = peek(c)) == '"' || quote == '\'';) {
    for (c->at++; c->at < c->end && *c->at != quote && *c->at != '\n'; c->at++) {
      c->at += *c->at == '\\' && c->at + 1 < c->end;
    }
    if (c->at >= c->end || *c->at != quote) {
      return WRONG(c, "a text without its closing %c", quote);
    }
    c->at++;
    most = (size_t)(c->at - begin);
  }
  cursor again = {.tree = c->tree, .at = begin, .end = begin + most, .line = c->line};
  char *text = sv_tree_room(c->tree, most), *to = text;
  if (!text) {
    return sv_no_memory();
  }
  for (char quote; (quote = peek(&again)) == '"' || quote == '\'';) {
    for (again.at++; *again.at != quote;) {
      if (*again.at == '\\') {
        again.at++;
        SV_TRY(escape(&again, &to));
      } else {
        *to++ = *again.at++;
      }
    }
    again.at++;
  }
  *out_text = (sv_str){text, (size_t)(to - text)};
  return sv_str_is_utf8(*out_text) ? NULL : WRONG(c, "a text that is not UTF-8");
}

static sv_error *message(cursor *c, char close, sv_node *node);

static sv_error *value(cursor *c, bool in_list, sv_node **out_node);

static sv_error *list(cursor *c, sv_node *node) {
  sv_node **last = &node->first;
  c->at++;
  if (peek(c) == ']') {
    c->at++;
    return NULL;
  }
  for (;;) {
    SV_TRY(value(c, true, last));
    last = &(*last)->next;
    char next = peek(c);
    if (next != ',' && next != ']') {
      return WRONG(c, "wanted a comma or ] in a list");
    }
    c->at++;
    if (next == ']') {
      return NULL;
    }
  }
}

static sv_error *value(cursor *c, bool in_list, sv_node **out_node) {
  char next = peek(c);
  sv_node_kind kind = next == '{' || next == '<'    ? SV_NODE_MESSAGE
                      : next == '['                 ? SV_NODE_LIST
                      : next == '"' || next == '\'' ? SV_NODE_STRING
                                                    : SV_NODE_WORD;
  sv_node *node = sv_tree_node(c->tree, kind, c->line);
  if (!node) {
    return sv_no_memory();
  }
  *out_node = node;
  if (kind == SV_NODE_MESSAGE) {
    c->at++;
    return message(c, next == '{' ? '}' : '>', node);
  }
  if (kind == SV_NODE_LIST) {
    return in_list ? WRONG(c, "a list in a list") : list(c, node);
  }
  if (kind == SV_NODE_STRING) {
    return string(c, &node->text);
  }
  sv_str text = word(c);
  if (!text.size) {
    return WRONG(c, "wanted a value");
  }
  char *copy = sv_tree_room(c->tree, text.size);
  if (!copy) {
    return sv_no_memory();
  }
  memcpy(copy, text.data, text.size);
  node->text = (sv_str){copy, text.size};
  return NULL;
}

static sv_error *field(cursor *c, sv_node **out_node) {
  sv_str name = word(c);
  size_t line = c->line;
  if (!name.size) {
    return WRONG(c, "wanted the name of a field");
  }
  char *copy = sv_tree_room(c->tree, name.size);
  if (!copy) {
    return sv_no_memory();
  }
  memcpy(copy, name.data, name.size);
  char next = peek(c);
  if (next == ':') {
    c->at++;
  } else if (next != '{' && next != '<' && next != '[') {
    return WRONG(c, "wanted : or { after %.*s", SV_FMT(name));
  }
  SV_TRY(value(c, false, out_node));
  (*out_node)->name = (sv_str){copy, name.size};
  (*out_node)->where = line;
  next = peek(c);
  if (next == ',' || next == ';') {
    c->at++;
  }
  return NULL;
}

// Fields up to `close`, which is 0 for the whole file.
static sv_error *message(cursor *c, char close, sv_node *node) {
  if (++c->depth > SV_CONFIG_DEPTH) {
    return WRONG(c, "messages in messages: at most %d are read", SV_CONFIG_DEPTH);
  }
  sv_node **last = &node->first;
  while (peek(c) != close || (!close && c->at < c->end)) {
    if (c->at == c->end) {
      return WRONG(c, "the file ends before %c", close);
    }
    SV_TRY(field(c, last));
    last = &(*last)->next;
  }
  c->at += close != 0;
  c->depth--;
  return NULL;
}

sv_error *sv_tree_read_pbtxt(sv_tree *tree, sv_str text) {
  SV_TRY(sv_tree_check_size(tree, text));
  cursor c = {.tree = tree, .at = text.data, .end = text.data + text.size, .line = 1};
  if (text.size == 0) {
    c.at = c.end = "";
  }
  tree->root = sv_tree_node(tree, SV_NODE_MESSAGE, 1);
  return tree->root ? message(&c, 0, tree->root) : sv_no_memory();
}
