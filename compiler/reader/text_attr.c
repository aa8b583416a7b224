// Attributes of MLIR text: numbers, strings, lists, dictionaries, symbols, types. Those with a # are in text_struct.c,
// constant data in text_dense.c.
#include "compiler/reader/text.h"

#include <math.h>
#include <string.h>

#include "compiler/ir/scalar.h"

// ---- Numbers -------------------------------------------------------------------------------------------------------

// `: type` after a number; without it `fallback`.
static mr_status parse_number_type(mr_parser *p, mr_dtype fallback, mr_dtype *out) {
  *out = fallback;
  if (!mr_parse_accept(p, ":")) {
    return MR_OK;
  }
  mr_rtype type;
  mr_parse_blank(p);
  size_t start = p->at;
  MR_TRY(mr_parse_type(p, &type));
  if (type.form != MR_RTYPE_ELEMENT || mr_dtype_is_complex(type.type.dtype)) {
    return mr_parse_unsupported(p, start, "number of type", (mr_str){p->text + start, p->at - start});
  }
  *out = type.type.dtype;
  return MR_OK;
}

// Rounded to the type, or its bits when written in hexadecimal; kept as a double, which holds every such value.
static mr_status make_float(mr_parser *p, mr_str number, mr_dtype dtype, mr_attr *out) {
  uint8_t element[MR_SCALAR_BYTES] = {0};
  uint64_t magnitude;
  bool negative, hex;
  if (memchr(number.data, 'x', number.size)) {
    if (!mr_parse_digits(number, &magnitude, &negative, &hex)) {
      return mr_parse_error(p, "at most 64 bits before this");
    }
    memcpy(element, &magnitude, sizeof magnitude);
  } else {
    double value;
    MR_TRY(mr_parse_double(p, number, &value));
    mr_scalar_from_double(dtype, value, element);
  }
  *out = (mr_attr){.kind = MR_ATTR_FLOAT, .dtype = dtype, .number = mr_scalar_to_double(dtype, element)};
  return MR_OK;
}

static mr_status parse_number_attr(mr_parser *p, mr_attr *out) {
  mr_str number;
  bool is_float, negative, hex;
  mr_dtype dtype;
  uint64_t magnitude;
  mr_parse_blank(p);
  size_t start = p->at;
  MR_TRY(mr_parse_number(p, &number, &is_float));
  MR_TRY(parse_number_type(p, is_float ? MR_F64 : MR_S64, &dtype));
  if (is_float || mr_dtype_is_float(dtype)) {
    if (!mr_dtype_is_float(dtype)) {
      p->at = start;
      return mr_parse_error(p, "an integer for an integer type");
    }
    return make_float(p, number, dtype, out);
  }
  if (!mr_parse_digits(number, &magnitude, &negative, &hex)) {
    p->at = start;
    return mr_parse_error(p, "an integer of 64 bits");
  }
  *out = mr_read_attr_int((int64_t)(negative ? ~magnitude + 1 : magnitude), dtype);
  return MR_OK;
}

// ---- Symbols -------------------------------------------------------------------------------------------------------

// After the sign: a word or a string.
static mr_status parse_symbol_part(mr_parser *p, mr_str *out) {
  if (p->at < p->size && p->text[p->at] == '"') {
    return mr_parse_string(p, out);
  }
  mr_str name;
  MR_TRY(mr_parse_word(p, &name));
  *out = mr_arena_str(p->arena, name);
  return out->data ? MR_OK : MR_NO_MEMORY();
}

// @name, @"odd name", @outer::@inner, of which the outer name is kept.
mr_status mr_parse_symbol(mr_parser *p, mr_str *out) {
  MR_TRY(mr_parse_expect(p, "@"));
  MR_TRY(parse_symbol_part(p, out));
  while (p->size - p->at > 2 && memcmp(p->text + p->at, "::@", 3) == 0) {
    mr_str inner;
    p->at += 3;
    MR_TRY(parse_symbol_part(p, &inner));
  }
  return MR_OK;
}

// ---- Lists and dictionaries ----------------------------------------------------------------------------------------

mr_status mr_parse_ints(mr_parser *p, mr_ints *out) {
  int64_t *ints = NULL;
  size_t count = 0, room = 0;
  MR_TRY(mr_parse_expect(p, "["));
  if (!mr_parse_accept(p, "]")) {
    do {
      MR_TRY(mr_parse_grow(p, (void **)&ints, count, &room, sizeof(int64_t)));
      MR_TRY(mr_parse_int(p, &ints[count]));
      count++;
    } while (mr_parse_accept(p, ","));
    MR_TRY(mr_parse_expect(p, "]"));
  }
  int64_t *copy = mr_arena_array(p->arena, int64_t, count + 1);
  if (!copy) {
    return MR_NO_MEMORY();
  }
  if (count) {
    memcpy(copy, ints, count * sizeof(int64_t));
  }
  *out = (mr_ints){copy, count};
  return MR_OK;
}

mr_status mr_parse_keep_items(mr_parser *p, mr_attr_kind kind, const mr_attr *items, size_t count, mr_attr *out) {
  mr_attr *copy = mr_arena_array(p->arena, mr_attr, count + 1);
  if (!copy) {
    return MR_NO_MEMORY();
  }
  if (count) {
    memcpy(copy, items, count * sizeof(mr_attr));
  }
  *out = (mr_attr){.kind = kind, .items = copy, .count = count};
  return MR_OK;
}

// [a, b]
static mr_status parse_list(mr_parser *p, mr_attr *out) {
  mr_attr *items = NULL;
  size_t count = 0, room = 0;
  MR_TRY(mr_parse_expect(p, "["));
  if (!mr_parse_accept(p, "]")) {
    do {
      MR_TRY(mr_parse_grow(p, (void **)&items, count, &room, sizeof(mr_attr)));
      MR_TRY(mr_parse_attr(p, &items[count]));
      count++;
    } while (mr_parse_accept(p, ","));
    MR_TRY(mr_parse_expect(p, "]"));
  }
  return mr_parse_keep_items(p, MR_ATTR_ARRAY, items, count, out);
}

// name = value, or a name alone for unit.
static mr_status parse_entry(mr_parser *p, mr_attr *out) {
  mr_str name;
  if (mr_parse_peek(p) == '"') {
    MR_TRY(mr_parse_string(p, &name));
  } else {
    MR_TRY(mr_parse_word(p, &name));
    name = mr_arena_str(p->arena, name);
    if (!name.data) {
      return MR_NO_MEMORY();
    }
  }
  *out = (mr_attr){.kind = MR_ATTR_UNIT};
  if (mr_parse_accept(p, "=")) {
    MR_TRY(mr_parse_attr(p, out));
  }
  out->name = name;
  return MR_OK;
}

static bool has_name(const mr_attr *items, size_t count, mr_str name) {
  for (size_t i = 0; i < count; i++) {
    if (mr_str_equal(items[i].name, name)) {
      return true;
    }
  }
  return false;
}

mr_status mr_parse_dict(mr_parser *p, mr_attr *out) {
  mr_attr *items = NULL;
  size_t count = 0, room = 0;
  MR_TRY(mr_parse_expect(p, "{"));
  if (!mr_parse_accept(p, "}")) {
    do {
      MR_TRY(mr_parse_grow(p, (void **)&items, count, &room, sizeof(mr_attr)));
      mr_parse_blank(p);
      size_t start = p->at;
      MR_TRY(parse_entry(p, &items[count]));
      if (count == MR_READ_ATTRS || has_name(items, count, items[count].name)) {
        p->at = start;
        return mr_parse_error(p, "a name not used before, and at most %d of them", MR_READ_ATTRS);
      }
      count++;
    } while (mr_parse_accept(p, ","));
    MR_TRY(mr_parse_expect(p, "}"));
  }
  return mr_parse_keep_items(p, MR_ATTR_DICT, items, count, out);
}

mr_status mr_parse_draft_dict(mr_parser *p, mr_draft *draft) {
  mr_attr dict;
  MR_TRY(mr_parse_dict(p, &dict));
  for (size_t i = 0; i < dict.count; i++) {
    mr_draft_attr(draft, dict.items[i].name, &dict.items[i]);
  }
  return MR_OK;
}

// ---- Any attribute -------------------------------------------------------------------------------------------------

static mr_status parse_string_attr(mr_parser *p, mr_attr *out) {
  mr_rtype type;
  *out = (mr_attr){.kind = MR_ATTR_STRING};
  MR_TRY(mr_parse_string(p, &out->string));
  return mr_parse_accept(p, ":") ? mr_parse_type(p, &type) : MR_OK;
}

static mr_status parse_symbol_attr(mr_parser *p, mr_attr *out) {
  *out = (mr_attr){.kind = MR_ATTR_STRING};
  return mr_parse_symbol(p, &out->string);
}

static mr_status parse_type_attr(mr_parser *p, mr_attr *out) {
  mr_rtype type;
  MR_TRY(mr_parse_type(p, &type));
  return mr_read_attr_type(p->arena, &type, out);
}

// Builtin attributes that nothing here understands, as their text: affine_map<..>, loc(..).
static mr_status parse_opaque(mr_parser *p, mr_str word, mr_attr *out) {
  size_t start = p->at - word.size;
  while (mr_parse_peek(p) == '<' || mr_parse_peek(p) == '[' || mr_parse_peek(p) == '(') {
    MR_TRY(mr_parse_skip_group(p, mr_parse_peek(p) == '<'));
  }
  *out = (mr_attr){.kind = MR_ATTR_TEXT};
  out->string = mr_arena_str(p->arena, (mr_str){p->text + start, p->at - start});
  return out->string.data ? MR_OK : MR_NO_MEMORY();
}

static mr_status parse_word_attr(mr_parser *p, mr_attr *out) {
  static const char *const opaque[] = {"affine_map", "affine_set", "distinct", "sparse", "strided", "loc"};
  mr_str word;
  if (!mr_parse_peek_word(p, &word)) {
    return mr_parse_error(p, "an attribute");
  }
  if (mr_str_is(word, "true") || mr_str_is(word, "false")) {
    *out = mr_read_attr_int(word.data[0] == 't', MR_PRED);
    p->at += word.size;
    return MR_OK;
  }
  if (mr_parse_accept_word(p, "unit")) {
    *out = (mr_attr){.kind = MR_ATTR_UNIT};
    return MR_OK;
  }
  if (mr_parse_accept_word(p, "dense")) {
    return mr_parse_dense(p, out);
  }
  if (mr_parse_accept_word(p, "dense_resource")) {
    return mr_parse_dense_resource(p, out);
  }
  if (mr_parse_accept_word(p, "array")) {
    return mr_parse_array(p, out);
  }
  for (size_t i = 0; i < MR_ARRAY_SIZE(opaque); i++) {
    if (mr_parse_accept_word(p, opaque[i])) {
      return parse_opaque(p, word, out);
    }
  }
  return parse_type_attr(p, out);
}

static mr_status parse_any(mr_parser *p, mr_attr *out) {
  char c = mr_parse_peek(p);
  switch (c) {
  case '"': return parse_string_attr(p, out);
  case '[': return parse_list(p, out);
  case '{': return mr_parse_dict(p, out);
  case '@': return parse_symbol_attr(p, out);
  case '#': return mr_parse_hash(p, out);
  case '<': return mr_parse_struct(p, out);  // in a list of structs, whose name may be left away
  case '(':
  case '!': return parse_type_attr(p, out);
  default: return c == '-' || (c >= '0' && c <= '9') ? parse_number_attr(p, out) : parse_word_attr(p, out);
  }
}

mr_status mr_parse_attr(mr_parser *p, mr_attr *out) {
  MR_TRY(mr_parse_enter(p));
  mr_status status = mr_parse_weigh(p, 1);
  if (!status) {
    status = parse_any(p, out);
  }
  p->depth--;
  return status;
}
