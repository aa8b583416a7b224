// Attributes of bytecode: builtin's and VHLO's encodings, read once each, on demand.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "compiler/reader/bytecode.h"

static mr_status add_weight(mr_bytecode *b, const mr_cursor *c, mr_attr_value *out, uint64_t weight) {
  out->weight += weight;
  if (out->weight > b->weight_limit) {
    return mr_bytecode_error(c, "attribute expands to more than %" PRIu64 " attributes", b->weight_limit);
  }
  return MR_OK;
}

// A copy in the IR's memory.
static mr_status keep_string(mr_bytecode *b, mr_str text, mr_str *out) {
  *out = mr_arena_str(b->arena, text);
  return out->data ? MR_OK : MR_NO_MEMORY();
}

static mr_status set_text(mr_attr_value *out, const char *text) {
  out->attr = (mr_attr){.kind = MR_ATTR_TEXT, .string = mr_str_of(text)};
  return MR_OK;
}

// ---- Numbers -------------------------------------------------------------------------------------------------------

// A number of `bits` bits: one raw byte up to 8, else a signed varint.
static mr_status read_bits(mr_cursor *c, unsigned bits, uint64_t *out) {
  if (bits <= 8) {
    uint8_t byte;
    MR_TRY(mr_cursor_byte(c, &byte));
    *out = byte;
  } else {
    int64_t value;
    MR_TRY(mr_cursor_svarint(c, &value));
    *out = (uint64_t)value;
  }
  if (bits < 64) {
    *out &= ((uint64_t)1 << bits) - 1;
  }
  return MR_OK;
}

static mr_status read_number_type(mr_bytecode *b, mr_cursor *c, mr_dtype *out) {
  const mr_rtype *type;
  MR_TRY(mr_cursor_type(b, c, &type));
  if (type->form != MR_RTYPE_ELEMENT || mr_dtype_is_complex(type->type.dtype)) {
    return mr_error(MR_UNIMPLEMENTED, "bytecode offset %zu: number of an unsupported type", c->at);
  }
  *out = type->type.dtype;
  return MR_OK;
}

static mr_status read_integer(mr_bytecode *b, mr_cursor *c, mr_attr_value *out) {
  mr_dtype dtype;
  uint64_t bits;
  MR_TRY(read_number_type(b, c, &dtype));
  unsigned width = mr_dtype_bits(dtype);
  MR_TRY(read_bits(c, width, &bits));
  int64_t value = (int64_t)bits;
  if (mr_dtype_is_signed(dtype) && width < 64) {
    value = (int64_t)(bits << (64 - width)) >> (64 - width);
  }
  out->attr = mr_read_attr_int(value, dtype);
  return MR_OK;
}

// Value of a float format of at most 16 bits: sign, exponent, mantissa; enough for the attributes that use it.
static double small_float(mr_dtype dtype, uint64_t bits) {
  uint32_t wide;
  float single;
  if (dtype == MR_BF16) {
    wide = (uint32_t)bits << 16;
    memcpy(&single, &wide, sizeof single);
    return single;
  }
  unsigned exponent = (bits >> 10) & 31;
  double mantissa = (double)(bits & 1023), sign = bits >> 15 ? -1 : 1;
  if (exponent == 31) {
    return bits & 1023 ? (double)NAN : sign * (double)INFINITY;
  }
  return sign * (exponent ? ldexp(1024 + mantissa, (int)exponent - 25) : ldexp(mantissa, -24));
}

static mr_status read_float(mr_bytecode *b, mr_cursor *c, mr_attr_value *out) {
  mr_dtype dtype;
  uint64_t bits;
  MR_TRY(read_number_type(b, c, &dtype));
  MR_TRY(read_bits(c, mr_dtype_bits(dtype), &bits));
  double value = 0;
  if (dtype == MR_F64) {
    memcpy(&value, &bits, sizeof(value));
  } else if (dtype == MR_F32) {
    uint32_t narrow = (uint32_t)bits;
    float single;
    memcpy(&single, &narrow, sizeof single);
    value = single;
  } else if (dtype == MR_F16 || dtype == MR_BF16) {
    value = small_float(dtype, bits);
  } else {
    return mr_error(MR_UNIMPLEMENTED, "bytecode offset %zu: float attribute of type %s", c->at, mr_dtype_name(dtype));
  }
  out->attr = (mr_attr){.kind = MR_ATTR_FLOAT, .dtype = dtype, .number = value};
  return MR_OK;
}

static mr_status read_enum(mr_cursor *c, mr_dtype dtype, mr_attr_value *out) {
  uint64_t number;
  MR_TRY(mr_cursor_varint(c, &number));
  if (number > 16) {
    return mr_bytecode_error(c, "enum value %" PRIu64 " is unknown", number);
  }
  out->attr = mr_read_attr_int((int64_t)number, dtype);
  return MR_OK;
}

// ---- Strings, arrays, dictionaries ---------------------------------------------------------------------------------

static mr_status read_string(mr_bytecode *b, mr_cursor *c, mr_attr_value *out) {
  mr_str text;
  MR_TRY(mr_cursor_string(b, c, &text));
  out->attr.kind = MR_ATTR_STRING;
  return keep_string(b, text, &out->attr.string);
}

static mr_status read_named(mr_bytecode *b, mr_cursor *c, mr_str *out) {
  const mr_attr_value *name;
  MR_TRY(mr_cursor_attr(b, c, &name));
  if (name->attr.kind != MR_ATTR_STRING) {
    return mr_bytecode_error(c, "expected a name");
  }
  *out = name->attr.string;
  return MR_OK;
}

static mr_status read_symbol(mr_bytecode *b, mr_cursor *c, mr_attr_value *out) {
  out->is_symbol = true;
  out->attr.kind = MR_ATTR_STRING;
  return read_named(b, c, &out->attr.string);
}

static mr_status read_array(mr_bytecode *b, mr_cursor *c, bool named, mr_attr_value *out) {
  size_t count;
  MR_TRY(mr_cursor_count(c, "attributes", &count));
  mr_attr *items = mr_arena_array(b->arena, mr_attr, count + 1);
  if (!items) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    const mr_attr_value *value;
    mr_str name = {0};
    if (named) {
      MR_TRY(read_named(b, c, &name));
    }
    MR_TRY(mr_cursor_attr(b, c, &value));
    MR_TRY(add_weight(b, c, out, value->weight));
    items[i] = value->attr;
    items[i].name = name;
    items[i].key = MR_ATTR_none;
  }
  out->attr = (mr_attr){.kind = named ? MR_ATTR_DICT : MR_ATTR_ARRAY, .items = items, .count = count};
  return MR_OK;
}

// A dictionary of the fields that come next, for struct attributes.
static mr_status make_dict(mr_bytecode *b, size_t count, const mr_attr *fields, mr_attr_value *out) {
  mr_attr *items = mr_arena_copy(b->arena, fields, count * sizeof(mr_attr));
  if (!items) {
    return MR_NO_MEMORY();
  }
  out->attr = (mr_attr){.kind = MR_ATTR_DICT, .items = items, .count = count};
  return MR_OK;
}

static mr_attr named(const char *name, mr_attr attr) {
  attr.name = mr_str_of(name);
  return attr;
}

// ---- Constant data -------------------------------------------------------------------------------------------------

static mr_status make_dense(mr_bytecode *b, const mr_cursor *c, const mr_type *type, mr_blob blob, bool packed,
                            mr_attr_value *out) {
  out->attr.kind = MR_ATTR_DENSE;
  out->attr.dtype = type->dtype;
  mr_span bytes = {b->file.base + blob.at, blob.size};
  return mr_status_note(mr_read_dense(b->arena, type, bytes, packed, &out->attr.dense), "bytecode offset %zu", c->at);
}

static mr_status read_dense(mr_bytecode *b, mr_cursor *c, mr_attr_value *out) {
  mr_type type;
  mr_blob blob;
  MR_TRY(mr_cursor_value_type(b, c, &type));
  MR_TRY(mr_cursor_blob(c, &blob));
  return make_dense(b, c, &type, blob, true, out);
}

static mr_status read_dense_resource(mr_bytecode *b, mr_cursor *c, mr_attr_value *out) {
  mr_type type;
  size_t number;
  MR_TRY(mr_cursor_value_type(b, c, &type));
  MR_TRY(mr_cursor_index(c, "resource", b->num_resources, &number));
  return make_dense(b, c, &type, b->resources[number], false, out);
}

// array<i64: ..> becomes a list; other element types constant data of rank 1.
static mr_status read_dense_array(mr_bytecode *b, mr_cursor *c, mr_attr_value *out) {
  mr_dtype dtype;
  uint64_t count;
  mr_blob blob;
  mr_type type;
  MR_TRY(read_number_type(b, c, &dtype));
  MR_TRY(mr_cursor_varint(c, &count));
  MR_TRY(mr_cursor_blob(c, &blob));
  size_t bytes = mr_dtype_bytes(dtype);
  if (blob.size % bytes || blob.size / bytes != count) {
    return mr_bytecode_error(c, "array of %" PRIu64 " elements has %zu bytes", count, blob.size);
  }
  mr_type element = mr_type_scalar(dtype);
  MR_TRY(mr_read_tensor_type(b->arena, &element, 1, &(int64_t){(int64_t)count}, NULL, &type));
  MR_TRY(make_dense(b, c, &type, blob, false, out));
  if (dtype != MR_S64 || out->attr.dense.splat) {
    return MR_OK;
  }
  mr_ints ints = {out->attr.dense.data, (size_t)count};
  out->attr = mr_read_attr_ints(ints, -1);
  return MR_OK;
}

// ---- Types ---------------------------------------------------------------------------------------------------------

static mr_status read_type(mr_bytecode *b, mr_cursor *c, mr_attr_value *out) {
  const mr_rtype *type;
  MR_TRY(mr_cursor_type(b, c, &type));
  MR_TRY(add_weight(b, c, out, type->weight));
  return mr_read_attr_type(b->arena, type, &out->attr);
}

// ---- builtin -------------------------------------------------------------------------------------------------------

static mr_status read_builtin(mr_bytecode *b, mr_cursor *c, uint64_t code, mr_attr_value *out) {
  switch (code) {
  case 0: return read_array(b, c, false, out);
  case 1: return read_array(b, c, true, out);
  case 2:
  case 3:  // the type of a typed string says nothing we need
    return read_string(b, c, out);
  case 4:
  case 5:  // of a nested symbol the root
    return read_symbol(b, c, out);
  case 6: return read_type(b, c, out);
  case 7: out->attr.kind = MR_ATTR_UNIT; return MR_OK;
  case 8: return read_integer(b, c, out);
  case 9: return read_float(b, c, out);
  case 10:
  case 11:
  case 12:
  case 13:
  case 14:
  case 15:
  case 22: return set_text(out, "loc(unknown)");
  case 16: return read_dense_resource(b, c, out);
  case 17: return read_dense_array(b, c, out);
  case 18: return read_dense(b, c, out);
  default: return mr_error(MR_UNIMPLEMENTED, "bytecode offset %zu: builtin attribute of code %" PRIu64, c->at, code);
  }
}

// ---- VHLO ----------------------------------------------------------------------------------------------------------

static mr_status read_alias(mr_bytecode *b, mr_cursor *c, mr_attr_value *out) {
  mr_ints output, input;
  int64_t operand;
  MR_TRY(mr_cursor_ints(b, c, &output));
  MR_TRY(mr_cursor_svarint(c, &operand));
  MR_TRY(mr_cursor_ints(b, c, &input));
  mr_attr fields[] = {named("output_tuple_indices", mr_read_attr_ints(output, -1)),
                      named("operand_index", mr_read_attr_int(operand, MR_S64)),
                      named("operand_tuple_indices", mr_read_attr_ints(input, -1))};
  return make_dict(b, MR_ARRAY_SIZE(fields), fields, out);
}

static mr_status read_bounds(mr_bytecode *b, mr_cursor *c, mr_attr_value *out) {
  mr_ints bounds;
  MR_TRY(mr_cursor_ints(b, c, &bounds));
  out->attr = mr_read_attr_ints(bounds, -1);
  return MR_OK;
}

// All zero is what an op has that asks for nothing: left out, as in text.
static mr_status read_accuracy(mr_bytecode *b, mr_cursor *c, mr_attr_value *out) {
  double atol, rtol;
  int64_t ulps;
  const mr_attr_value *mode;
  MR_TRY(mr_cursor_f64(c, &atol));
  MR_TRY(mr_cursor_f64(c, &rtol));
  MR_TRY(mr_cursor_svarint(c, &ulps));
  MR_TRY(mr_cursor_attr(b, c, &mode));
  if (mode->attr.kind != MR_ATTR_INT) {
    return mr_bytecode_error(c, "expected an accuracy mode");
  }
  if (atol == 0 && rtol == 0 && ulps == 0 && mode->attr.integer == 0) {
    return set_text(out, "none");
  }
  mr_attr fields[] = {named("atol", (mr_attr){.kind = MR_ATTR_FLOAT, .dtype = MR_F64, .number = atol}),
                      named("mode", mode->attr),
                      named("rtol", (mr_attr){.kind = MR_ATTR_FLOAT, .dtype = MR_F64, .number = rtol}),
                      named("ulps", mr_read_attr_int(ulps, MR_S64))};
  return make_dict(b, MR_ARRAY_SIZE(fields), fields, out);
}

static mr_status read_sub_axis(mr_bytecode *b, mr_cursor *c, mr_attr_value *out) {
  int64_t pre, size;
  MR_TRY(mr_cursor_svarint(c, &pre));
  MR_TRY(mr_cursor_svarint(c, &size));
  mr_attr fields[] = {named("pre_size", mr_read_attr_int(pre, MR_S64)), named("size", mr_read_attr_int(size, MR_S64))};
  return make_dict(b, MR_ARRAY_SIZE(fields), fields, out);
}

static mr_status read_axis_ref(mr_bytecode *b, mr_cursor *c, mr_attr_value *out) {
  mr_str name;
  uint64_t has_sub;
  const mr_attr_value *sub;
  size_t count = 1;
  MR_TRY(read_named(b, c, &name));
  MR_TRY(mr_cursor_varint(c, &has_sub));
  mr_attr fields[2] = {named("name", mr_read_attr_string(name))};
  if (has_sub) {
    MR_TRY(mr_cursor_attr(b, c, &sub));
    fields[count++] = named("sub_axis_info", sub->attr);
  }
  return make_dict(b, count, fields, out);
}

// Two attributes under their names: replica groups (mesh, axes).
static mr_status read_mesh_axes(mr_bytecode *b, mr_cursor *c, mr_attr_value *out) {
  const mr_attr_value *mesh, *axes;
  MR_TRY(mr_cursor_attr(b, c, &mesh));
  MR_TRY(mr_cursor_attr(b, c, &axes));
  MR_TRY(add_weight(b, c, out, mesh->weight + axes->weight));
  mr_attr fields[] = {named("axes", axes->attr), named("mesh", mesh->attr)};
  return make_dict(b, MR_ARRAY_SIZE(fields), fields, out);
}

static mr_status read_mesh_axis(mr_bytecode *b, mr_cursor *c, mr_attr_value *out) {
  mr_str name;
  int64_t size;
  MR_TRY(read_named(b, c, &name));
  MR_TRY(mr_cursor_svarint(c, &size));
  mr_attr fields[] = {named("name", mr_read_attr_string(name)), named("size", mr_read_attr_int(size, MR_S64))};
  return make_dict(b, MR_ARRAY_SIZE(fields), fields, out);
}

static mr_status read_mesh(mr_bytecode *b, mr_cursor *c, mr_attr_value *out) {
  const mr_attr_value *axes, *ids;
  uint64_t index;
  bool has_ids;
  MR_TRY(mr_cursor_attr(b, c, &axes));
  MR_TRY(add_weight(b, c, out, axes->weight));
  MR_TRY(mr_cursor_flagged(c, &index, &has_ids));
  mr_attr fields[2] = {named("axes", axes->attr)};
  if (has_ids) {
    if (index >= b->num_attrs) {
      return mr_bytecode_error(c, "attribute %" PRIu64 " does not exist, there are %zu", index, b->num_attrs);
    }
    MR_TRY(mr_bytecode_attr(b, (size_t)index, &ids));
    fields[1] = named("device_ids", ids->attr);
  }
  return make_dict(b, has_ids ? 2 : 1, fields, out);
}

static mr_status read_vhlo(mr_bytecode *b, mr_cursor *c, uint64_t code, mr_attr_value *out) {
  switch (code) {
  case 1: return read_array(b, c, false, out);
  case 2: return read_enum(c, MR_PRED, out);
  case 3:
  case 4:
  case 5:
  case 7:
  case 11:
  case 12:
  case 13:
  case 16:
  case 19: return read_enum(c, MR_INVALID, out);
  case 6: return read_array(b, c, true, out);
  case 8: return read_float(b, c, out);
  case 9: return read_integer(b, c, out);
  case 10: return read_alias(b, c, out);
  case 14: return read_string(b, c, out);
  case 15: return read_dense(b, c, out);
  case 17: return read_type(b, c, out);
  case 18: return read_bounds(b, c, out);
  case 20: return read_accuracy(b, c, out);
  case 21: return read_sub_axis(b, c, out);
  case 22: return read_axis_ref(b, c, out);
  case 23: return read_mesh_axes(b, c, out);
  case 24: return read_mesh_axis(b, c, out);
  case 25: return read_mesh(b, c, out);
  default: return mr_error(MR_UNIMPLEMENTED, "bytecode offset %zu: VHLO attribute of code %" PRIu64, c->at, code);
  }
}

// ---- On demand -----------------------------------------------------------------------------------------------------

static mr_status read_sdy(mr_bytecode *b, size_t index, mr_attr_value *out) {
  mr_text text = {0};
  mr_status status = mr_bytecode_sdy_text(b, index, false, &text);
  if (!status && text.failed) {
    status = MR_NO_MEMORY();
  }
  if (!status) {
    out->attr.kind = MR_ATTR_TEXT;
    status = keep_string(b, (mr_str){text.data, text.size}, &out->attr.string);
  }
  mr_text_deinit(&text);
  return status;
}

static mr_status read_entry(mr_bytecode *b, size_t index, mr_attr_value *out) {
  const mr_entry *entry = &b->attrs[index];
  mr_cursor c = {b->file.base, entry->at, entry->at + entry->size};
  uint64_t code;
  out->weight = 1;
  if (entry->is_text) {  // assembly text, ending in a NUL
    size_t size = entry->size ? entry->size - 1 : 0;
    out->attr.kind = MR_ATTR_TEXT;
    return keep_string(b, (mr_str){(const char *)c.base + c.at, size}, &out->attr.string);
  }
  switch (b->dialects[entry->dialect].id) {
  case MR_DIALECT_BUILTIN: MR_TRY(mr_cursor_varint(&c, &code)); return read_builtin(b, &c, code, out);
  case MR_DIALECT_VHLO: MR_TRY(mr_cursor_varint(&c, &code)); return read_vhlo(b, &c, code, out);
  case MR_DIALECT_STABLEHLO: MR_TRY(mr_cursor_varint(&c, &code)); return mr_native_attr(b, &c, code, out);
  case MR_DIALECT_SDY: return read_sdy(b, index, out);
  case MR_DIALECT_OTHER: break;
  }
  return set_text(out, "unknown");  // an unknown dialect's own encoding
}

mr_status mr_bytecode_attr(mr_bytecode *b, size_t index, const mr_attr_value **out) {
  mr_entry *entry = &b->attrs[index];
  if (entry->state != MR_ENTRY_READ) {
    mr_cursor at = {b->file.base, entry->at, entry->at};
    MR_TRY(mr_bytecode_guard(b, entry, &at));
    mr_attr_value *value = mr_arena_new(&b->scratch, mr_attr_value);
    if (!value) {
      return MR_NO_MEMORY();
    }
    b->depth++;
    mr_status status = read_entry(b, index, value);
    b->depth--;
    MR_TRY(status);
    entry->value = value;
    entry->state = MR_ENTRY_READ;
  }
  *out = entry->value;
  return MR_OK;
}

mr_status mr_cursor_attr(mr_bytecode *b, mr_cursor *cursor, const mr_attr_value **out) {
  size_t index;
  MR_TRY(mr_cursor_index(cursor, "attribute", b->num_attrs, &index));
  return mr_bytecode_attr(b, index, out);
}
