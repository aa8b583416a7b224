// Constant data of MLIR text: dense<..>, dense_resource<..>, array<..>. The type stands after the literal, so the
// literal is skipped first and read when the type is known.
#include "compiler/reader/text.h"

#include <string.h>

#include "compiler/ir/scalar.h"

// Elements as they are collected.
typedef struct elements {
  const mr_type *type;
  uint8_t *data;
  size_t count, room;
} elements;

// ---- One element ---------------------------------------------------------------------------------------------------

// Both readings of an integer's width are fine: 200 is an i8 of -56.
static bool fits(mr_dtype dtype, uint64_t magnitude, bool negative) {
  unsigned bits = mr_dtype_bits(dtype);
  uint64_t limit = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
  return negative ? magnitude <= (uint64_t)1 << (bits - 1) : magnitude <= limit;
}

static mr_status parse_integer(mr_parser *p, mr_dtype dtype, uint8_t *out) {
  mr_str number;
  bool is_float, negative, hex;
  uint64_t magnitude;
  mr_parse_blank(p);
  size_t start = p->at;
  MR_TRY(mr_parse_number(p, &number, &is_float));
  if (is_float || !mr_parse_digits(number, &magnitude, &negative, &hex) || !fits(dtype, magnitude, negative)) {
    p->at = start;
    return mr_parse_error(p, "an integer that fits %s", mr_dtype_name(dtype));
  }
  mr_scalar_from_int(dtype, (int64_t)(negative ? ~magnitude + 1 : magnitude), out);
  return MR_OK;
}

// Decimal with a dot; hexadecimal digits are the bits.
static mr_status parse_float(mr_parser *p, mr_dtype dtype, uint8_t *out) {
  mr_str number;
  bool is_float, negative, hex;
  uint64_t bits;
  double value;
  mr_parse_blank(p);
  size_t start = p->at;
  MR_TRY(mr_parse_number(p, &number, &is_float));
  if (is_float || !memchr(number.data, 'x', number.size)) {
    MR_TRY(mr_parse_double(p, number, &value));
    mr_scalar_from_double(dtype, value, out);
    return MR_OK;
  }
  if (!mr_parse_digits(number, &bits, &negative, &hex) || negative || !fits(dtype, bits, false)) {
    p->at = start;
    return mr_parse_error(p, "the bits of a %s", mr_dtype_name(dtype));
  }
  memcpy(out, &bits, mr_dtype_bytes(dtype));
  return MR_OK;
}

static mr_status parse_element(mr_parser *p, mr_dtype dtype, uint8_t *out) {
  mr_dtype part = mr_dtype_real(dtype);
  int64_t truth;
  if (mr_dtype_is_complex(dtype)) {
    MR_TRY(mr_parse_expect(p, "("));
    MR_TRY(parse_float(p, part, out));
    MR_TRY(mr_parse_expect(p, ","));
    MR_TRY(parse_float(p, part, out + mr_dtype_bytes(part)));
    return mr_parse_expect(p, ")");
  }
  if (mr_dtype_is_float(dtype)) {
    return parse_float(p, dtype, out);
  }
  if (dtype == MR_PRED && (mr_parse_peek(p) == 't' || mr_parse_peek(p) == 'f')) {
    MR_TRY(mr_parse_bool(p, &truth));
    *out = (uint8_t)truth;
    return MR_OK;
  }
  return parse_integer(p, dtype, out);
}

// ---- Lists ---------------------------------------------------------------------------------------------------------

static mr_status parse_one(mr_parser *p, elements *e) {
  size_t size = mr_dtype_bytes(e->type->dtype);
  if (e->count == e->room) {
    return mr_parse_error(p, "no more than %zu elements", e->room);
  }
  MR_TRY(parse_element(p, e->type->dtype, e->data + e->count * size));
  e->count++;
  return MR_OK;
}

// Dimension `dim` of the shape: a list of exactly its size.
static mr_status parse_nested(mr_parser *p, elements *e, uint32_t dim) {
  if (dim == e->type->rank) {
    return parse_one(p, e);
  }
  int64_t count = 0;
  MR_TRY(mr_parse_expect(p, "["));
  if (mr_parse_peek(p) != ']') {
    do {
      MR_TRY(parse_nested(p, e, dim + 1));
      count++;
    } while (mr_parse_accept(p, ","));
  }
  if (count != e->type->dims[dim]) {
    return mr_parse_error(p, "%lld items in dimension %u, not %lld", (long long)e->type->dims[dim], dim,
                          (long long)count);
  }
  return mr_parse_expect(p, "]");
}

// ---- "0x.." --------------------------------------------------------------------------------------------------------

static mr_status parse_hex_bytes(mr_parser *p, mr_span *out) {
  mr_parse_blank(p);
  size_t start = p->at;
  mr_str raw;
  MR_TRY(mr_parse_raw_string(p, &raw));
  bool good = raw.size >= 2 && raw.size % 2 == 0 && raw.data[0] == '0' && raw.data[1] == 'x';
  uint8_t *bytes = mr_arena_alloc(&p->scratch, raw.size / 2 + 1);
  if (!bytes) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 2; good && i < raw.size; i += 2) {
    int high = mr_hex_digit(raw.data[i]), low = mr_hex_digit(raw.data[i + 1]);
    good = high >= 0 && low >= 0;
    bytes[i / 2 - 1] = (uint8_t)(high * 16 + low);
  }
  if (!good) {
    p->at = start;
    return mr_parse_error(p, "\"0x\" and pairs of hexadecimal digits");
  }
  *out = (mr_span){bytes, raw.size / 2 - 1};
  return MR_OK;
}

// ---- dense<..> -----------------------------------------------------------------------------------------------------

// To the end of the literal, whose only brackets are square and round.
static mr_status skip_literal(mr_parser *p) {
  mr_str raw;
  while (p->at < p->size && p->text[p->at] != '>') {
    if (p->text[p->at] == '"') {
      MR_TRY(mr_parse_raw_string(p, &raw));
    } else {
      p->at++;
    }
  }
  return mr_parse_expect(p, ">");
}

// The literal's elements into data: all of them, or one for a splat. Every element takes a character at least, so a
// count beyond the literal's length is wrong and allocates nothing.
static mr_status parse_elements(mr_parser *p, size_t length, mr_dense *out) {
  elements e = {.type = &out->type};
  size_t count = (size_t)mr_type_count(&out->type), size = mr_dtype_bytes(out->type.dtype);
  bool list = mr_parse_peek(p) == '[';
  if (mr_parse_peek(p) == '>' && count == 0) {
    return MR_OK;
  }
  if (list && count > length) {
    return mr_parse_error(p, "%zu elements", count);
  }
  e.room = list ? count : 1;
  e.data = mr_arena_alloc(p->arena, e.room * size + 1);
  if (!e.data) {
    return MR_NO_MEMORY();
  }
  MR_TRY(list ? parse_nested(p, &e, 0) : parse_one(p, &e));
  if (list && e.count != count) {  // an empty dimension outside of others
    return mr_parse_error(p, "%zu elements, not %zu", count, e.count);
  }
  out->data = e.data;
  out->size = count ? e.count * size : 0;
  out->splat = !list && count > 1;
  return MR_OK;
}

static mr_status parse_literal(mr_parser *p, size_t length, mr_dense *out) {
  mr_span bytes;
  if (mr_parse_peek(p) != '"') {
    return parse_elements(p, length, out);
  }
  size_t start = p->at;
  MR_TRY(parse_hex_bytes(p, &bytes));
  mr_type type = out->type;
  return mr_parse_note(p, start, mr_read_dense(p->arena, &type, bytes, false, out));
}

static mr_status parse_dense_type(mr_parser *p, mr_type *out) {
  MR_TRY(mr_parse_expect(p, ":"));
  mr_parse_blank(p);
  size_t start = p->at;
  MR_TRY(mr_parse_value_type(p, out));
  if (out->kind != MR_TYPE_TENSOR || !mr_type_is_static(out) || mr_dtype_bytes(out->dtype) == 0) {
    p->at = start;
    return mr_parse_error(p, "a tensor type with known sizes");
  }
  return MR_OK;
}

mr_status mr_parse_dense(mr_parser *p, mr_attr *out) {
  mr_dense dense = {0};
  MR_TRY(mr_parse_expect(p, "<"));
  size_t start = p->at;
  MR_TRY(skip_literal(p));
  size_t length = p->at - start;
  MR_TRY(parse_dense_type(p, &dense.type));
  size_t end = p->at;
  p->at = start;
  MR_TRY(parse_literal(p, length, &dense));
  MR_TRY(mr_parse_expect(p, ">"));
  p->at = end;
  *out = (mr_attr){.kind = MR_ATTR_DENSE, .dtype = dense.type.dtype, .dense = dense};
  return MR_OK;
}

// <key> : type, the bytes in the file's trailer after four bytes of alignment.
mr_status mr_parse_dense_resource(mr_parser *p, mr_attr *out) {
  mr_str key;
  mr_type type;
  mr_span bytes;
  MR_TRY(mr_parse_expect(p, "<"));
  mr_parse_blank(p);
  size_t start = p->at;
  MR_TRY(mr_parse_peek(p) == '"' ? mr_parse_string(p, &key) : mr_parse_word(p, &key));
  const mr_named_blob *blob = mr_resource_find(p, key);
  if (!blob) {
    p->at = start;
    return mr_parse_error(p, "a resource that the end of the file defines");
  }
  MR_TRY(mr_parse_expect(p, ">"));
  MR_TRY(parse_dense_type(p, &type));
  size_t end = p->at;
  p->at = blob->at;
  MR_TRY(parse_hex_bytes(p, &bytes));
  if (bytes.size < 4) {
    p->at = blob->at;
    return mr_parse_error(p, "four bytes of alignment");
  }
  p->at = end;
  *out = (mr_attr){.kind = MR_ATTR_DENSE, .dtype = type.dtype};
  mr_span data = {(const uint8_t *)bytes.data + 4, bytes.size - 4};
  return mr_parse_note(p, blob->at, mr_read_dense(p->arena, &type, data, false, &out->dense));
}

// ---- array<..> -----------------------------------------------------------------------------------------------------

static mr_status finish_array(mr_parser *p, const mr_type *element, const uint8_t *data, size_t count, mr_attr *out) {
  size_t size = mr_dtype_bytes(element->dtype);
  mr_type type;
  void *copy = mr_arena_copy(p->arena, data, count * size);
  if (!copy && count) {
    return MR_NO_MEMORY();
  }
  if (element->dtype == MR_S64) {
    *out = mr_read_attr_ints((mr_ints){copy, count}, -1);
    return MR_OK;
  }
  MR_TRY(mr_read_tensor_type(p->arena, element, 1, &(int64_t){(int64_t)count}, NULL, &type));
  *out = (mr_attr){.kind = MR_ATTR_DENSE, .dtype = element->dtype, .dense = {type, copy, count * size, false}};
  return MR_OK;
}

// <i64: 1, 2>; without a colon it is empty. Integers of 64 bits become a list, others constant data of rank 1.
mr_status mr_parse_array(mr_parser *p, mr_attr *out) {
  mr_rtype element;
  uint8_t *data = NULL;
  size_t count = 0, room = 0;
  MR_TRY(mr_parse_expect(p, "<"));
  MR_TRY(mr_parse_type(p, &element));
  if (element.form != MR_RTYPE_ELEMENT || mr_dtype_is_complex(element.type.dtype)) {
    return mr_parse_error(p, "an integer or float type before this");
  }
  size_t size = mr_dtype_bytes(element.type.dtype);
  if (mr_parse_accept(p, ":")) {
    do {
      MR_TRY(mr_parse_grow(p, (void **)&data, count, &room, size));
      MR_TRY(parse_element(p, element.type.dtype, data + count * size));
      count++;
    } while (mr_parse_accept(p, ","));
  }
  MR_TRY(mr_parse_expect(p, ">"));
  return finish_array(p, &element.type, data, count, out);
}
