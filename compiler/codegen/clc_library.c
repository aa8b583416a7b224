// The functions that kernels in OpenCL C may call: the text of ops/element and of clc_support.cl as the build left it, without
// comments and macros. A program gets what it calls, and what that calls, each function behind those it calls.
//
// The text is cut into pieces at its outermost level: a function, a type, or a declaration, which nobody needs once functions
// stand in the order of their calls.
#include <ctype.h>
#include <string.h>

#include "compiler/codegen/clc_emit.h"

extern const char mr_clc_source[];
extern const uint64_t mr_clc_source_size;

typedef struct piece {
  mr_str name, text;
  bool is_function, needed;
} piece;

typedef struct library {
  piece *pieces;
  uint32_t count, capacity;
  uint32_t *slots;  // open addressing by name: number + 1
  uint32_t num_slots;
  bool uses_f64;
  mr_text *out;
} library;

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// The next identifier or number at or after *at; empty at the end.
static mr_str next_word(mr_str text, size_t *at) {
  size_t i = *at;
  while (i < text.size && !is_word(text.data[i])) {
    i++;
  }
  size_t begin = i;
  while (i < text.size && is_word(text.data[i])) {
    i++;
  }
  *at = i;
  return (mr_str){text.data + begin, i - begin};
}

static uint32_t *slot_of(library *l, mr_str name) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < name.size; i++) {
    hash = (hash ^ (uint8_t)name.data[i]) * 16777619u;
  }
  uint32_t i = hash & (l->num_slots - 1);
  while (l->slots[i] && !mr_str_equal(l->pieces[l->slots[i] - 1].name, name)) {
    i = (i + 1) & (l->num_slots - 1);
  }
  return &l->slots[i];
}

// Ends behind the `}` of a function or the `;` of anything else.
static size_t end_of_piece(mr_str rest, bool is_type) {
  int depth = 0;
  for (size_t i = 0; i < rest.size; i++) {
    char c = rest.data[i];
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (!depth && (c == ';' || (c == '}' && !is_type))) {
      return i + 1;
    }
  }
  return rest.size;
}

// A type's name is its last word, a function's the one before the first parenthesis.
static mr_str name_of(mr_str text, bool is_type) {
  mr_str name = {0};
  for (size_t at = 0; at < text.size;) {
    mr_str word = next_word(text, &at);
    if (!word.size) {
      break;
    }
    name = word;
    if (!is_type && at < text.size && text.data[at] == '(') {
      break;
    }
  }
  return name;
}

static bool add_piece(library *l, mr_str text) {
  bool is_type = mr_str_starts_with(text, MR_STR("typedef")), is_function = text.data[text.size - 1] == '}';
  if (!is_type && !is_function) {
    return true;
  }
  if (l->count == l->capacity) {
    uint32_t capacity = l->capacity ? l->capacity * 2 : 512;
    piece *pieces = mr_realloc(l->pieces, capacity * sizeof *pieces);
    if (!pieces) {
      return false;
    }
    l->pieces = pieces;
    l->capacity = capacity;
  }
  l->pieces[l->count++] = (piece){name_of(text, is_type), text, is_function, false};
  return true;
}

static bool cut(library *l, mr_str source) {
  while (source.size) {
    if (isspace((unsigned char)*source.data)) {
      source = (mr_str){source.data + 1, source.size - 1};
      continue;
    }
    size_t end = end_of_piece(source, mr_str_starts_with(source, MR_STR("typedef")));
    if (!add_piece(l, (mr_str){source.data, end})) {
      return false;
    }
    source = (mr_str){source.data + end, source.size - end};
  }
  l->num_slots = 1024;
  while (l->num_slots < 2 * l->count) {
    l->num_slots *= 2;
  }
  l->slots = mr_alloc_zeroed(l->num_slots, sizeof *l->slots);
  for (uint32_t i = 0; i < l->count && l->slots; i++) {
    *slot_of(l, l->pieces[i].name) = i + 1;
  }
  return l->slots != NULL;
}

// Puts what the text names, and what that names, behind the library's text. Functions do not call themselves, so the depth
// is that of their calls.
static void need(library *l, mr_str text) {  // NOLINT(misc-no-recursion)
  for (size_t at = 0; at < text.size;) {
    mr_str word = next_word(text, &at);
    l->uses_f64 = l->uses_f64 || mr_str_is(word, "double");
    uint32_t number = *slot_of(l, word);
    piece *named = number ? &l->pieces[number - 1] : NULL;
    if (!named || named->needed) {
      continue;
    }
    named->needed = true;
    need(l, named->text);
    if (named->is_function) {
      // A loop with a call in it does not become one of vectors.
      bool is_static = mr_str_starts_with(named->text, MR_STR("static"));
      mr_text_put(l->out, "MR_INLINE %s", is_static ? "" : "static ");
    }
    mr_text_append(l->out, named->text);
    mr_text_append(l->out, MR_STR("\n"));
  }
}

mr_status mr_clc_library(mr_str kernels, mr_text *out, bool *out_uses_f64) {
  library l = {.out = out};
  bool complete = cut(&l, (mr_str){mr_clc_source, mr_clc_source_size});
  if (complete) {
    need(&l, kernels);
  }
  *out_uses_f64 = l.uses_f64;
  mr_free(l.pieces);
  mr_free(l.slots);
  return complete && !out->failed ? MR_OK : MR_NO_MEMORY();
}
