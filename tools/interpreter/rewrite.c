// Text to text. An op in its generic form, "check.expect_eq"(%a, %b) : .., gets another name and its own as an attribute; the pretty
// forms, check.expect_eq %a, %b : T, are taken apart into operands, attributes and types.
#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "tools/interpreter/interpreter.h"

typedef struct rewriting {
  const char *at, *end;
  mr_text out;
} rewriting;

typedef struct pretty {
  mr_str name;
  mr_text operands, attributes, types;
  size_t num_operands;
} pretty;

static bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '$';
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static const char *skip_blank(const char *at, const char *end) {
  while (at < end && is_blank(*at)) {
    at++;
  }
  return at;
}

static const char *skip_name(const char *at, const char *end) {
  while (at < end && in_name(*at)) {
    at++;
  }
  return at;
}

// Behind the string that begins at `at`.
static const char *skip_string(const char *at, const char *end) {
  for (at++; at < end && *at != '"'; at++) {
    at += *at == '\\' && at + 1 < end;
  }
  return at < end ? at + 1 : end;
}

// Behind what begins at `at` and goes on, with all its brackets closed, to one of the characters of `stops`.
static const char *skip_balanced(const char *at, const char *end, const char *stops) {
  const char *start = at;
  int depth = 0;
  while (at < end && (depth > 0 || !strchr(stops, *at))) {
    if (*at == '"') {
      at = skip_string(at, end);
      continue;
    }
    depth += *at == '<' || *at == '(' || *at == '[' || *at == '{';
    depth -= (*at == '>' && (at == start || at[-1] != '-')) || *at == ')' || *at == ']' || *at == '}';
    at++;
    if (depth < 0) {
      return at - 1;
    }
  }
  return at;
}

static bool starts_with(const char *at, const char *end, const char *word) {
  size_t size = strlen(word);
  return (size_t)(end - at) >= size && memcmp(at, word, size) == 0;
}

static mr_str between(const char *from, const char *to) { return (mr_str){from, (size_t)(to - from)}; }

static void add_attribute(mr_text *attributes, mr_str text) {
  if (attributes->size) {
    mr_text_put(attributes, ", ");
  }
  mr_text_append(attributes, text);
}

// ---- The generic form -----------------------------------------------------------------------------------------------

// At `"name"(`: the operands are copied, and the name goes into the attributes.
static void rewrite_generic(rewriting *r, mr_str name) {
  const char *operands = r->at + name.size + 2;
  const char *next = skip_balanced(operands + 1, r->end, ")");
  next = next < r->end ? next + 1 : r->end;
  mr_text_put(&r->out, "\"stablehlo.custom_call\"");
  mr_text_append(&r->out, between(operands, next));
  const char *after = skip_blank(next, r->end);
  const char *open = starts_with(after, r->end, "<{") ? "<{" : starts_with(after, r->end, "{") ? "{" : NULL;
  mr_text_append(&r->out, open ? between(next, after) : MR_STR(" "));
  mr_text_put(&r->out, "%scall_target_name = \"%.*s\", has_side_effect = true", open ? open : "<{", MR_STR_ARG(name));
  if (open) {
    next = after + strlen(open);
    const char *first = skip_blank(next, r->end);
    mr_text_put(&r->out, first < r->end && *first == '}' ? "" : ", ");
  } else {
    mr_text_put(&r->out, "}>");
  }
  r->at = next;
}

// ---- The pretty forms -----------------------------------------------------------------------------------------------

// `dense<..> : T`: the constant ends in the type that serves every operand.
static bool read_constant(pretty *p, const char **at, const char *end) {
  const char *start = *at, *colon = skip_balanced(start, end, ":");
  const char *type = skip_blank(colon < end ? colon + 1 : end, end), *stop = skip_balanced(type, end, " \t\n\r,");
  if (type == stop) {
    return false;
  }
  add_attribute(&p->attributes, MR_STR("value = "));
  mr_text_append(&p->attributes, between(start, stop));
  mr_text_append(&p->types, between(type, stop));
  *at = stop;
  return true;
}

// `word = number`; distances are numbers without a sign.
static bool read_clause(pretty *p, const char **at, const char *end) {
  const char *stop = skip_name(*at, end), *equals = skip_blank(stop, end);
  if (stop == *at || equals == end || *equals != '=') {
    return false;
  }
  const char *value = skip_blank(equals + 1, end), *value_end = skip_balanced(value, end, " \t\n\r,:");
  add_attribute(&p->attributes, between(*at, value_end));
  if (memmem(*at, (size_t)(stop - *at), "ulp", 3)) {
    mr_text_put(&p->attributes, " : ui64");
  }
  *at = value_end;
  return true;
}

// `T` for all operands, or a type for each.
static void read_types(pretty *p, const char **at, const char *end) {
  for (;;) {
    const char *type = skip_blank(*at, end), *stop = skip_balanced(type, end, " \t\n\r,");
    add_attribute(&p->types, between(type, stop));
    *at = stop;
    const char *comma = skip_blank(stop, end);
    if (comma == end || *comma != ',') {
      return;
    }
    *at = comma + 1;
  }
}

// `{attributes}`, also behind the types on the same line.
static void read_attributes(pretty *p, const char **at, const char *end) {
  const char *open = *at;
  while (open < end && (*open == ' ' || *open == '\t')) {
    open++;
  }
  if (open == end || *open != '{') {
    return;
  }
  const char *close = skip_balanced(open + 1, end, "}");
  add_attribute(&p->attributes, between(open + 1, close));
  *at = close < end ? close + 1 : end;
}

static bool read_items(pretty *p, const char **at, const char *end) {
  for (;;) {
    *at = skip_blank(*at, end);
    if (*at == end) {
      return false;
    }
    const char *start = *at;
    if (*start == ',' || *start == '(' || *start == ')') {
      (*at)++;
    } else if (*start == '%') {
      *at = skip_balanced(start, end, " \t\n\r,:)");
      add_attribute(&p->operands, between(start, *at));
      p->num_operands++;
    } else if (*start == '{') {
      read_attributes(p, at, end);
    } else if (*start == ':') {
      (*at)++;
      read_types(p, at, end);
      return p->num_operands > 0;
    } else if (starts_with(start, end, "dense")) {
      return read_constant(p, at, end) && p->num_operands > 0;
    } else if (!read_clause(p, at, end)) {
      return false;
    }
  }
}

static bool read_pretty(pretty *p, const char **at, const char *end) {
  bool good = read_items(p, at, end);
  read_attributes(p, at, end);
  return good;
}

static void write_pretty(rewriting *r, const pretty *p) {
  mr_text_put(&r->out, "\"stablehlo.custom_call\"(%.*s) <{call_target_name = \"%.*s\", has_side_effect = true",
              (int)p->operands.size, p->operands.data, MR_STR_ARG(p->name));
  if (p->attributes.size) {
    mr_text_put(&r->out, ", ");
    mr_text_append(&r->out, (mr_str){p->attributes.data, p->attributes.size});
  }
  mr_text_put(&r->out, "}> : (");
  bool each = skip_balanced(p->types.data, p->types.data + p->types.size, ",") < p->types.data + p->types.size;
  for (size_t i = 0; i < (each ? 1 : p->num_operands); i++) {
    mr_text_put(&r->out, i ? ", " : "");
    mr_text_append(&r->out, (mr_str){p->types.data, p->types.size});
  }
  mr_text_put(&r->out, ") -> ()");
}

// At the op's name. An op over several lines leaves as many behind.
static void rewrite_pretty(rewriting *r, mr_str name) {
  pretty p = {.name = name};
  const char *at = r->at + name.size, *start = r->at;
  if (read_pretty(&p, &at, r->end)) {
    write_pretty(r, &p);
    for (; start < at; start++) {
      mr_text_put(&r->out, *start == '\n' ? "\n" : "");
    }
    r->at = at;
  } else {
    mr_text_append(&r->out, name);
    r->at += name.size;
  }
  mr_text_deinit(&p.operands);
  mr_text_deinit(&p.attributes);
  mr_text_deinit(&p.types);
}

// ---- The text -------------------------------------------------------------------------------------------------------

static void copy_to(rewriting *r, const char *to) {
  mr_text_append(&r->out, between(r->at, to));
  r->at = to;
}

static void step(rewriting *r) {
  const char *at = r->at;
  if (starts_with(at, r->end, "//")) {
    const char *newline = memchr(at, '\n', (size_t)(r->end - at));
    copy_to(r, newline ? newline : r->end);
  } else if (*at == '"') {
    const char *stop = skip_string(at, r->end);
    mr_str name = stop - at >= 2 ? between(at + 1, stop - 1) : (mr_str){at, 0};
    bool ours = mr_str_starts_with(name, MR_STR("check.")) || mr_str_is(name, RUN_PARALLEL);
    if (ours && stop < r->end && *stop == '(') {
      rewrite_generic(r, name);
    } else {
      copy_to(r, stop);
    }
  } else if (in_name(*at)) {
    mr_str name = between(at, skip_name(at, r->end));
    if (mr_str_starts_with(name, MR_STR("check.expect_"))) {
      rewrite_pretty(r, name);
    } else {
      copy_to(r, at + name.size);
    }
  } else {
    copy_to(r, at + 1);
  }
}

char *interpreter_rewrite(const char *text, size_t size, size_t *out_size) {
  rewriting r = {.at = text, .end = text + size};
  while (r.at < r.end) {
    step(&r);
  }
  char *copy = r.out.failed ? NULL : malloc(r.out.size + 1);
  if (copy) {
    memcpy(copy, r.out.data ? r.out.data : "", r.out.size);
    copy[r.out.size] = '\0';
  }
  *out_size = r.out.size;
  mr_text_deinit(&r.out);
  return copy;
}
