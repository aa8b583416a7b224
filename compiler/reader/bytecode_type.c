// Types of bytecode: builtin's and VHLO's encodings, read once each, on demand.
#include <inttypes.h>

#include "compiler/reader/bytecode.h"

// ---- Building blocks -----------------------------------------------------------------------------------------------

static mr_rtype element_of(mr_dtype dtype) {
  return (mr_rtype){.form = MR_RTYPE_ELEMENT, .type = mr_type_scalar(dtype), .weight = 1};
}

static mr_rtype plain(mr_rtype_form form) { return (mr_rtype){.form = form, .weight = 1}; }

static mr_status add_weight(mr_bytecode *b, const mr_cursor *c, mr_rtype *out, uint64_t weight) {
  out->weight += weight;
  if (out->weight > b->weight_limit) {
    return mr_bytecode_error(c, "type expands to more than %" PRIu64 " types", b->weight_limit);
  }
  return MR_OK;
}

static mr_status read_element(mr_bytecode *b, mr_cursor *c, mr_type *out) {
  const mr_rtype *type;
  size_t at = c->at;
  MR_TRY(mr_cursor_type(b, c, &type));
  if (type->form != MR_RTYPE_ELEMENT) {
    return mr_error(MR_UNIMPLEMENTED, "bytecode offset %zu: element type of an unsupported kind", at);
  }
  *out = type->type;
  return MR_OK;
}

mr_status mr_cursor_value_type(mr_bytecode *b, mr_cursor *cursor, mr_type *out) {
  const mr_rtype *type;
  size_t at = cursor->at;
  MR_TRY(mr_cursor_type(b, cursor, &type));
  if (type->form == MR_RTYPE_OTHER) {
    return mr_error(MR_UNIMPLEMENTED, "bytecode offset %zu: value of an unsupported type", at);
  }
  if (type->form != MR_RTYPE_VALUE) {
    return mr_error(MR_INVALID_ARGUMENT, "bytecode offset %zu: expected the type of a value", at);
  }
  *out = type->type;
  return MR_OK;
}

// List of types that values may have.
static mr_status read_types(mr_bytecode *b, mr_cursor *c, mr_rtype *owner, uint32_t *out_count, const mr_type **out) {
  size_t count;
  MR_TRY(mr_cursor_count(c, "types", &count));
  mr_type *types = mr_arena_array(b->arena, mr_type, count + 1);
  if (!types) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    const mr_rtype *type;
    mr_cursor peek = *c;
    MR_TRY(mr_cursor_value_type(b, c, &types[i]));
    MR_TRY(mr_cursor_type(b, &peek, &type));
    MR_TRY(add_weight(b, c, owner, type->weight));
  }
  *out_count = (uint32_t)count;
  *out = types;
  return MR_OK;
}

static mr_status read_aggregate(mr_bytecode *b, mr_cursor *c, mr_type_kind kind, mr_rtype *out) {
  *out = plain(MR_RTYPE_VALUE);
  out->type.kind = kind;
  return read_types(b, c, out, &out->type.rank, &out->type.elements);
}

static mr_status read_function(mr_bytecode *b, mr_cursor *c, mr_rtype *out) {
  *out = plain(MR_RTYPE_FUNCTION);
  MR_TRY(read_types(b, c, out, &out->num_inputs, &out->inputs));
  return read_types(b, c, out, &out->num_results, &out->results);
}

static mr_status read_tensor(mr_bytecode *b, mr_cursor *c, const mr_attr_value *encoding, mr_rtype *out) {
  mr_ints dims;
  mr_type element;
  *out = plain(MR_RTYPE_VALUE);
  MR_TRY(mr_cursor_ints(b, c, &dims));
  MR_TRY(read_element(b, c, &element));
  const int64_t *bounds = NULL;
  if (encoding && encoding->attr.kind == MR_ATTR_INTS) {
    if (encoding->attr.ints.size != dims.size) {
      return mr_bytecode_error(c, "%zu bounds for a tensor of rank %zu", encoding->attr.ints.size, dims.size);
    }
    bounds = encoding->attr.ints.data;
  }
  mr_status status = mr_read_tensor_type(b->arena, &element, dims.size, dims.data, bounds, &out->type);
  return mr_status_note(status, "bytecode offset %zu", c->at);
}

static mr_status read_encoded_tensor(mr_bytecode *b, mr_cursor *c, mr_rtype *out) {
  const mr_attr_value *encoding;
  MR_TRY(mr_cursor_attr(b, c, &encoding));
  return read_tensor(b, c, encoding, out);
}

static mr_status read_complex(mr_bytecode *b, mr_cursor *c, mr_rtype *out) {
  mr_type part;
  MR_TRY(read_element(b, c, &part));
  if (part.dtype != MR_F32 && part.dtype != MR_F64) {
    return mr_error(MR_UNIMPLEMENTED, "bytecode offset %zu: complex of %s", c->at, mr_dtype_name(part.dtype));
  }
  *out = element_of(part.dtype == MR_F32 ? MR_C64 : MR_C128);
  return MR_OK;
}

// ---- Quantised elements --------------------------------------------------------------------------------------------

// Flag 1: the storage is signed; artifacts store signless integers there.
static mr_status read_storage(mr_bytecode *b, mr_cursor *c, mr_dtype *out_storage, mr_quant *out) {
  uint64_t flags;
  mr_type storage, expressed;
  MR_TRY(mr_cursor_varint(c, &flags));
  MR_TRY(read_element(b, c, &storage));
  MR_TRY(read_element(b, c, &expressed));
  out->expressed = expressed.dtype;
  *out_storage = storage.dtype;
  if (!mr_dtype_is_integer(storage.dtype) || !mr_dtype_is_float(expressed.dtype)) {
    return mr_bytecode_error(c, "quantised type stores %s for %s", mr_dtype_name(storage.dtype),
                             mr_dtype_name(expressed.dtype));
  }
  if (!(flags & 1) && mr_dtype_is_signed(storage.dtype)) {
    mr_read_dtype(mr_dtype_bits(storage.dtype), 'u', out_storage);
  }
  return MR_OK;
}

static mr_status finish_quant(mr_bytecode *b, mr_dtype storage, const mr_quant *quant, mr_rtype *out) {
  *out = element_of(storage);
  out->type.quant = mr_arena_copy(b->arena, quant, sizeof *quant);
  return out->type.quant ? MR_OK : MR_NO_MEMORY();
}

static mr_status read_quantised(mr_bytecode *b, mr_cursor *c, mr_rtype *out) {
  mr_quant quant = {.axis = -1, .count = 1};
  mr_dtype storage;
  double *scale = mr_arena_new(b->arena, double);
  int64_t *zero = mr_arena_new(b->arena, int64_t);
  if (!scale || !zero) {
    return MR_NO_MEMORY();
  }
  MR_TRY(read_storage(b, c, &storage, &quant));
  MR_TRY(mr_cursor_f64(c, scale));
  MR_TRY(mr_cursor_svarint(c, zero));
  MR_TRY(mr_cursor_svarint(c, &quant.storage_min));
  MR_TRY(mr_cursor_svarint(c, &quant.storage_max));
  quant.scales = scale;
  quant.zero_points = zero;
  return finish_quant(b, storage, &quant, out);
}

static mr_status read_quantised_axis(mr_bytecode *b, mr_cursor *c, mr_rtype *out) {
  mr_quant quant = {0};
  mr_dtype storage;
  uint64_t axis;
  mr_ints zeros;
  MR_TRY(read_storage(b, c, &storage, &quant));
  MR_TRY(mr_cursor_varint(c, &axis));
  MR_TRY(mr_cursor_svarint(c, &quant.storage_min));
  MR_TRY(mr_cursor_svarint(c, &quant.storage_max));
  MR_TRY(mr_cursor_count(c, "scales", &quant.count));
  double *scales = mr_arena_array(b->arena, double, quant.count + 1);
  if (!scales) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < quant.count; i++) {
    MR_TRY(mr_cursor_f64(c, &scales[i]));
  }
  MR_TRY(mr_cursor_ints(b, c, &zeros));
  if (zeros.size != quant.count || axis >= MR_MAX_RANK) {
    return mr_bytecode_error(c, "%zu scales and %zu zero points on axis %" PRIu64, quant.count, zeros.size, axis);
  }
  quant.axis = (int64_t)axis;
  quant.scales = scales;
  quant.zero_points = zeros.data;
  return finish_quant(b, storage, &quant, out);
}

// ---- The two encodings ---------------------------------------------------------------------------------------------

static mr_status read_integer(mr_cursor *c, mr_rtype *out) {
  uint64_t packed;
  MR_TRY(mr_cursor_varint(c, &packed));
  static const char signs[4] = {'i', 's', 'u', '?'};
  mr_dtype dtype;
  *out = plain(MR_RTYPE_OTHER);
  if ((packed & 3) != 3 && packed >> 2 <= 64 && mr_read_dtype((unsigned)(packed >> 2), signs[packed & 3], &dtype)) {
    *out = element_of(dtype);
  }
  return MR_OK;
}

static mr_status read_builtin(mr_bytecode *b, mr_cursor *c, uint64_t code, mr_rtype *out) {
  // Codes without fields; the float formats after 20 are the newer MLIR's.
  static const uint8_t elements[33] = {
      [1] = MR_S64,
      [3] = MR_BF16,
      [4] = MR_F16,
      [5] = MR_F32,
      [6] = MR_F64,
      [22] = MR_F8E5M2,
      [23] = MR_F8E4M3,
      [24] = MR_F8E4M3FN,
      [25] = MR_F8E5M2FNUZ,
      [26] = MR_F8E4M3FNUZ,
      [27] = MR_F8E4M3B11FNUZ,
      [28] = MR_F8E3M4,
      [29] = MR_F4E2M1FN,
      [30] = MR_F6E2M3FN,
      [31] = MR_F6E3M2FN,
      [32] = MR_F8E8M0FNU,
  };
  if (code < MR_ARRAY_SIZE(elements) && elements[code]) {
    *out = element_of((mr_dtype)elements[code]);
    return MR_OK;
  }
  switch (code) {
  case 0: return read_integer(c, out);
  case 2: return read_function(b, c, out);
  case 9: return read_complex(b, c, out);
  case 10:  // A buffer of JAX's refs is a tensor to us; its layout is the default one.
  case 13: return read_tensor(b, c, NULL, out);
  case 14: return read_encoded_tensor(b, c, out);
  case 21: *out = (mr_rtype){.form = MR_RTYPE_OTHER, .weight = 1, .name = "tf32"}; return MR_OK;
  case 12: *out = plain(MR_RTYPE_NONE); return MR_OK;
  case 15: return read_aggregate(b, c, MR_TYPE_TUPLE, out);
  default: *out = plain(MR_RTYPE_OTHER); return MR_OK;
  }
}

static mr_status read_vhlo(mr_bytecode *b, mr_cursor *c, uint64_t code, mr_rtype *out) {
  static const uint8_t elements[41] = {
      [0] = MR_PRED,           [2] = MR_BF16,      [3] = MR_F16,       [4] = MR_F32,         [5] = MR_F64,
      [6] = MR_F8E4M3FN,       [7] = MR_F8E5M2,    [9] = MR_S64,       [10] = MR_S4,         [11] = MR_S8,
      [12] = MR_S16,           [13] = MR_S32,      [14] = MR_S64,      [15] = MR_U4,         [16] = MR_U8,
      [17] = MR_U16,           [18] = MR_U32,      [19] = MR_U64,      [27] = MR_F8E4M3FNUZ, [28] = MR_F8E5M2FNUZ,
      [29] = MR_F8E4M3B11FNUZ, [31] = MR_S2,       [32] = MR_U2,       [35] = MR_F8E4M3,     [36] = MR_F8E3M4,
      [37] = MR_F4E2M1FN,      [38] = MR_F6E2M3FN, [39] = MR_F6E3M2FN, [40] = MR_F8E8M0FNU,
  };
  if (code < MR_ARRAY_SIZE(elements) && elements[code]) {
    *out = element_of((mr_dtype)elements[code]);
    return MR_OK;
  }
  switch (code) {
  case 1: return read_complex(b, c, out);
  case 8: return read_function(b, c, out);
  case 20:
  case 41:  // buffer
    return read_tensor(b, c, NULL, out);
  case 21: return read_encoded_tensor(b, c, out);
  case 22:
    *out = plain(MR_RTYPE_VALUE);
    out->type.kind = MR_TYPE_TOKEN;
    return MR_OK;
  case 23: return read_aggregate(b, c, MR_TYPE_TUPLE, out);
  case 24: return read_quantised(b, c, out);
  case 30: return read_quantised_axis(b, c, out);
  case 33: *out = plain(MR_RTYPE_NONE); return MR_OK;
  case 34: *out = (mr_rtype){.form = MR_RTYPE_OTHER, .weight = 1, .name = "tf32"}; return MR_OK;
  case 42: return read_aggregate(b, c, MR_TYPE_FUTURE, out);
  default:  // 25 unranked, 26 witness, and what is not known yet
    *out = plain(MR_RTYPE_OTHER);
    return MR_OK;
  }
}

// ---- On demand -----------------------------------------------------------------------------------------------------

mr_status mr_bytecode_guard(mr_bytecode *b, mr_entry *entry, const mr_cursor *cursor) {
  if (entry->state == MR_ENTRY_OPEN) {
    return mr_bytecode_error(cursor, "attribute or type contains itself");
  }
  if (b->depth >= MR_READ_DEPTH) {
    return mr_bytecode_error(cursor, "attributes and types nest deeper than %d", MR_READ_DEPTH);
  }
  entry->state = MR_ENTRY_OPEN;
  return MR_OK;
}

static mr_status read_entry(mr_bytecode *b, const mr_entry *entry, mr_rtype *out) {
  mr_cursor c = {b->file.base, entry->at, entry->at + entry->size};
  uint64_t code;
  if (entry->is_text) {
    *out = plain(MR_RTYPE_OTHER);
    return MR_OK;
  }
  switch (b->dialects[entry->dialect].id) {
  case MR_DIALECT_BUILTIN: MR_TRY(mr_cursor_varint(&c, &code)); return read_builtin(b, &c, code, out);
  case MR_DIALECT_VHLO: MR_TRY(mr_cursor_varint(&c, &code)); return read_vhlo(b, &c, code, out);
  case MR_DIALECT_STABLEHLO:
    MR_TRY(mr_cursor_varint(&c, &code));
    *out = plain(code == 0 ? MR_RTYPE_VALUE : MR_RTYPE_OTHER);
    out->type.kind = MR_TYPE_TOKEN;  // the only type of its own
    return MR_OK;
  default: *out = plain(MR_RTYPE_OTHER); return MR_OK;
  }
}

mr_status mr_bytecode_type(mr_bytecode *b, size_t index, const mr_rtype **out) {
  mr_entry *entry = &b->types[index];
  if (entry->state != MR_ENTRY_READ) {
    mr_cursor at = {b->file.base, entry->at, entry->at};
    MR_TRY(mr_bytecode_guard(b, entry, &at));
    mr_rtype *type = mr_arena_new(&b->scratch, mr_rtype);
    if (!type) {
      return MR_NO_MEMORY();
    }
    b->depth++;
    mr_status status = read_entry(b, entry, type);
    b->depth--;
    MR_TRY(status);
    entry->value = type;
    entry->state = MR_ENTRY_READ;
  }
  *out = entry->value;
  return MR_OK;
}

mr_status mr_cursor_type(mr_bytecode *b, mr_cursor *cursor, const mr_rtype **out) {
  size_t index;
  MR_TRY(mr_cursor_index(cursor, "type", b->num_types, &index));
  return mr_bytecode_type(b, index, out);
}
