// Shapes and constant data of HLO.
#include <string.h>

#include "compiler/reader/hlo.h"

// ---- Types -------------------------------------------------------------------------------------------------------------

// By XLA's PrimitiveType.
static const mr_dtype element_types[] = {
#define HLO_TYPE(number, dtype, field, store) [number] = MR_##dtype,
#include "compiler/proto/hlo_types.def"
};
enum { XLA_TUPLE = 13, XLA_TOKEN = 17 };

bool mr_hlo_is_row_major(mr_ints layout) {
  for (size_t i = 0; i < layout.size; i++) {
    if (layout.data[i] != (int64_t)(layout.size - 1 - i)) {
      return false;
    }
  }
  return true;
}

static mr_status read_layout(hlo_reader *r, const Millrace__Hlo__Layout *proto, size_t rank, mr_ints *out) {
  *out = (mr_ints){0};
  // Nothing said, or said of an array without dimensions.
  if (proto == NULL || proto->n_minor_to_major == 0) {
    return MR_OK;
  }
  bool seen[MR_MAX_RANK] = {false};
  if (proto->n_minor_to_major != rank) {
    return mr_error(MR_INVALID_ARGUMENT, "layout of %zu dimensions for an array of %zu", proto->n_minor_to_major, rank);
  }
  for (size_t i = 0; i < rank; i++) {
    int64_t dim = proto->minor_to_major[i];
    if (dim < 0 || (size_t)dim >= rank || seen[dim]) {
      return mr_error(MR_INVALID_ARGUMENT, "layout names dimension %lld of %zu, wanted each once", (long long)dim,
                      rank);
    }
    seen[dim] = true;
  }
  int64_t *copy = mr_arena_copy(&r->scratch, proto->minor_to_major, rank * sizeof(int64_t));
  *out = (mr_ints){copy, rank};
  return copy ? MR_OK : MR_NO_MEMORY();
}

static mr_status read_array(hlo_reader *r, const Millrace__Hlo__Shape *proto, mr_type *out) {
  mr_type element = {.kind = MR_TYPE_TENSOR};
  size_t number = (size_t)proto->element_type, rank = proto->n_dimensions;
  if (proto->element_type < 0 || number >= MR_ARRAY_SIZE(element_types) || element_types[number] == MR_INVALID) {
    return mr_error(MR_UNIMPLEMENTED, "shape of element type %d", (int)proto->element_type);
  }
  element.dtype = element_types[number];
  if (rank > MR_MAX_RANK || (proto->n_is_dynamic_dimension && proto->n_is_dynamic_dimension != rank)) {
    return mr_error(MR_INVALID_ARGUMENT, "shape of %zu dimensions and %zu flags, wanted at most %d and as many", rank,
                    proto->n_is_dynamic_dimension, MR_MAX_RANK);
  }
  // HLO writes a dynamic size as its bound.
  int64_t dims[MR_MAX_RANK], bounds[MR_MAX_RANK];
  bool dynamic = false;
  for (size_t i = 0; i < rank; i++) {
    bool flag = proto->n_is_dynamic_dimension && proto->is_dynamic_dimension[i];
    dims[i] = flag ? MR_DYNAMIC : proto->dimensions[i];
    bounds[i] = flag && proto->dimensions[i] >= 0 ? proto->dimensions[i] : MR_DYNAMIC;
    dynamic = dynamic || flag;
    if (!flag && dims[i] < 0) {
      return mr_error(MR_INVALID_ARGUMENT, "shape: size %lld of dimension %zu is negative", (long long)dims[i], i);
    }
  }
  return mr_read_tensor_type(r->arena, &element, rank, dims, dynamic ? bounds : NULL, out);
}

static mr_status read_shape(hlo_reader *r, ProtobufCBinaryData bytes, int depth, mr_type *out_type,
                            mr_ints *out_layout);

static mr_status read_tuple(hlo_reader *r, const Millrace__Hlo__Shape *proto, int depth, mr_type *out) {
  mr_type *elements = mr_arena_array(r->arena, mr_type, proto->n_tuple_shapes + 1);
  if (!elements) {
    return MR_NO_MEMORY();
  }
  if (depth >= HLO_TUPLE_DEPTH) {
    return mr_error(MR_INVALID_ARGUMENT, "tuples nest deeper than %d", HLO_TUPLE_DEPTH);
  }
  for (size_t i = 0; i < proto->n_tuple_shapes; i++) {
    mr_ints ignored;
    MR_TRY(read_shape(r, proto->tuple_shapes[i], depth + 1, &elements[i], &ignored));
  }
  *out = (mr_type){.kind = MR_TYPE_TUPLE, .rank = (uint32_t)proto->n_tuple_shapes, .elements = elements};
  return MR_OK;
}

static mr_status read_shape(hlo_reader *r, ProtobufCBinaryData bytes, int depth, mr_type *out_type,
                            mr_ints *out_layout) {
  *out_layout = (mr_ints){0};
  Millrace__Hlo__Shape *proto = millrace__hlo__shape__unpack(&r->allocator, bytes.len, bytes.data);
  if (!proto) {
    return mr_hlo_not_a(r, "ShapeProto", bytes.len);
  }
  if (proto->element_type == XLA_TUPLE) {
    return read_tuple(r, proto, depth, out_type);
  }
  if (proto->element_type == XLA_TOKEN) {
    *out_type = mr_type_token();
    return MR_OK;
  }
  MR_TRY(read_array(r, proto, out_type));
  return read_layout(r, proto->layout, out_type->rank, out_layout);
}

mr_status mr_hlo_read_shape(hlo_reader *r, ProtobufCBinaryData bytes, mr_type *out_type, mr_ints *out_layout) {
  mr_ints ignored;
  return read_shape(r, bytes, 0, out_type, out_layout ? out_layout : &ignored);
}

// ---- Leaves --------------------------------------------------------------------------------------------------------------

uint32_t mr_hlo_leaf_count(const mr_type *type) {
  if (type->kind != MR_TYPE_TUPLE) {
    return 1;
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i < type->rank; i++) {
    count += mr_hlo_leaf_count(&type->elements[i]);
  }
  return count;
}

void mr_hlo_leaf_types(const mr_type *type, mr_type *out_types) {
  if (type->kind != MR_TYPE_TUPLE) {
    *out_types = *type;
    return;
  }
  for (uint32_t i = 0; i < type->rank; i++) {
    mr_hlo_leaf_types(&type->elements[i], out_types);
    out_types += mr_hlo_leaf_count(&type->elements[i]);
  }
}

bool mr_hlo_leaf_at(const mr_type *type, const int64_t *index, size_t depth, uint32_t *out_leaf) {
  *out_leaf = 0;
  for (size_t d = 0; d < depth; d++) {
    if (type->kind != MR_TYPE_TUPLE || index[d] < 0 || index[d] >= type->rank) {
      return false;
    }
    for (int64_t i = 0; i < index[d]; i++) {
      *out_leaf += mr_hlo_leaf_count(&type->elements[i]);
    }
    type = &type->elements[index[d]];
  }
  return true;
}

// ---- Constants -----------------------------------------------------------------------------------------------------------

// The bytes of a literal's elements in memory order, wherever its element type keeps them.
typedef struct stored {
  const void *data;
  size_t count;  // of units
  size_t unit;   // bytes each
} stored;

#define STORED_WORDS(dtype, field) \
  case MR_##dtype: *out = (stored){literal->field, literal->n_##field, sizeof literal->field[0]}; return true;
#define STORED_FLAGS(dtype, field)
#define STORED_BYTES(dtype, field)
#define HLO_TYPE(number, dtype, field, store) STORED_##store(dtype, field)
static bool stored_numbers(const Millrace__Hlo__Literal *literal, mr_dtype dtype, stored *out) {
  switch (dtype) {
#include "compiler/proto/hlo_types.def"
  default: return false;
  }
}
#undef STORED_WORDS
#undef STORED_BYTES

#define STORED_WORDS(dtype, field)
#define STORED_BYTES(dtype, field) \
  case MR_##dtype: return &literal->field;
#define HLO_TYPE(number, dtype, field, store) STORED_##store(dtype, field)
static const ProtobufCBinaryData *stored_bytes(const Millrace__Hlo__Literal *literal, mr_dtype dtype) {
  switch (dtype) {
#include "compiler/proto/hlo_types.def"
  default: return NULL;
  }
}
#undef STORED_FLAGS
#undef STORED_WORDS
#undef STORED_BYTES

#define HLO_TYPE(number, dtype, field, store) [MR_##dtype] = #field,
static const char *const element_fields[] = {
#include "compiler/proto/hlo_types.def"
};

// The field with the elements of that type, if its bytes on the wire are those of memory: neither flags nor integers of varying length.
static const ProtobufCFieldDescriptor *field_of(const mr_type *type) {
  const char *name = type->kind == MR_TYPE_TENSOR && (size_t)type->dtype < MR_ARRAY_SIZE(element_fields)
                         ? element_fields[type->dtype]
                         : NULL;
  const ProtobufCFieldDescriptor *field = name ? HLO_FIELD(literal, name) : NULL;
  bool as_memory = field && (field->type == PROTOBUF_C_TYPE_FLOAT || field->type == PROTOBUF_C_TYPE_DOUBLE ||
                             field->type == PROTOBUF_C_TYPE_BYTES);
  return as_memory ? field : NULL;
}

// A literal, and its elements where they lie in the file. Those of several fields are in the message, as protobuf-c joins them.
typedef struct hlo_literal {
  Millrace__Hlo__Literal *proto;
  const ProtobufCBinaryData *elements;  // NULL: in the message
} hlo_literal;

static mr_status unpack_message(hlo_reader *r, ProtobufCBinaryData bytes, const mr_type *declared, hlo_literal *out) {
  const ProtobufCFieldDescriptor *field = field_of(declared);
  hlo_split split = {.rest = bytes};
  stored others = {0};
  *out = (hlo_literal){0};
  MR_TRY(field ? mr_hlo_split(&r->locals, bytes, field, &split) : MR_OK);
  if (split.count == 1) {
    out->elements = split.parts;
    out->proto = millrace__hlo__literal__unpack(&r->allocator, split.rest.len, split.rest.data);
  }
  if (!out->proto || (stored_numbers(out->proto, declared->dtype, &others) && others.count)) {
    out->elements = NULL;
    out->proto = millrace__hlo__literal__unpack(&r->allocator, bytes.len, bytes.data);
  }
  return out->proto ? MR_OK : mr_hlo_not_a(r, "LiteralProto", bytes.len);
}

static mr_status wrong_size(const mr_type *type, size_t found, size_t wanted) {
  char text[160];
  return mr_error(MR_INVALID_ARGUMENT, "literal of %s has %zu bytes, wanted %zu", mr_type_text(type, text, sizeof text),
                  found, wanted);
}

// Narrow numbers come one to a byte or, from other versions of XLA, several, the first in the low bits.
static void unpack_narrow(mr_dtype dtype, const uint8_t *from, size_t each, size_t count, uint8_t *to) {
  unsigned bits = mr_dtype_bits(dtype);
  uint8_t mask = (uint8_t)((1u << bits) - 1), sign = (uint8_t)(1u << (bits - 1));
  bool extend = mr_dtype_is_integer(dtype) && mr_dtype_is_signed(dtype);
  for (size_t i = 0; i < count; i++) {
    uint8_t value = (uint8_t)(from[i / each] >> (i % each * bits)) & mask;
    to[i] = extend && (value & sign) ? (uint8_t)(value | ~mask) : value;
  }
}

static mr_status unpack_bytes(const mr_type *type, const ProtobufCBinaryData *bytes, size_t count, uint8_t *to) {
  unsigned bits = mr_dtype_bits(type->dtype);
  size_t each = bits < 8 ? 8 / bits : 1, packed = (count + each - 1) / each,
         wanted = count * mr_dtype_bytes(type->dtype);
  if (bytes->len != wanted && (bits >= 8 || bytes->len != packed)) {
    return wrong_size(type, bytes->len, wanted);
  }
  if (bits < 8) {
    unpack_narrow(type->dtype, bytes->data, bytes->len == wanted ? 1 : each, count, to);
  } else if (wanted) {
    memcpy(to, bytes->data, wanted);
  }
  return MR_OK;
}

// Elements as the IR holds them, in the file's order.
static mr_status unpack_literal(const hlo_literal *from, const mr_type *type, size_t count, uint8_t *to) {
  const Millrace__Hlo__Literal *literal = from->proto;
  stored numbers;
  if (from->elements) {
    return unpack_bytes(type, from->elements, count, to);
  }
  if (type->dtype == MR_PRED) {
    if (literal->n_preds != count) {
      return wrong_size(type, literal->n_preds, count);
    }
    for (size_t i = 0; i < count; i++) {
      to[i] = literal->preds[i] != 0;
    }
    return MR_OK;
  }
  if (stored_numbers(literal, type->dtype, &numbers)) {
    size_t wanted = count * mr_dtype_bytes(type->dtype);
    if (numbers.count * numbers.unit != wanted) {
      return wrong_size(type, numbers.count * numbers.unit, wanted);
    }
    if (wanted) {
      memcpy(to, numbers.data, wanted);
    }
    return MR_OK;
  }
  const ProtobufCBinaryData *bytes = stored_bytes(literal, type->dtype);
  if (!bytes) {
    return mr_error(MR_UNIMPLEMENTED, "literal of %s", mr_dtype_name(type->dtype));
  }
  return unpack_bytes(type, bytes, count, to);
}

// From the file's order of elements to row-major order.
static void to_row_major(const mr_type *type, mr_ints layout, const uint8_t *from, uint8_t *to) {
  int64_t strides[MR_MAX_RANK], index[MR_MAX_RANK] = {0}, stride = 1;
  size_t element = mr_dtype_bytes(type->dtype), count = (size_t)mr_type_count(type);
  for (size_t i = 0; i < layout.size; i++) {
    strides[layout.data[i]] = stride;
    stride *= type->dims[layout.data[i]];
  }
  int64_t at = 0;
  for (size_t i = 0; i < count; i++) {
    memcpy(to + i * element, from + (size_t)at * element, element);
    for (uint32_t d = type->rank; d-- > 0;) {
      at += strides[d];
      if (++index[d] < type->dims[d]) {
        break;
      }
      at -= strides[d] * type->dims[d];
      index[d] = 0;
    }
  }
}

static mr_status add_constant(hlo_context *c, const mr_type *type, const void *data, mr_value **out) {
  mr_dense dense = mr_dense_make(c->reader->module, type, data);
  mr_builder b = mr_hlo_builder(c);
  *out = mr_build_constant(&b, &dense);
  return mr_module_memory(c->reader->module);
}

static mr_status build_array(hlo_context *c, const hlo_literal *literal, const mr_type *type, mr_ints layout,
                             mr_value **out) {
  size_t count = (size_t)mr_type_count(type), bytes = mr_type_bytes(type);
  if (!mr_type_is_static(type)) {
    return mr_error(MR_UNIMPLEMENTED, "literal of dynamic size");
  }
  // A literal is as large as what stores it, so one that claims more is refused before memory is taken for it.
  if (count > ((size_t)64 << 20) + 64 * c->proto->literal.len) {
    return wrong_size(type, c->proto->literal.len, bytes);
  }
  if (literal->elements && literal->elements->len == bytes && bytes && mr_dtype_bits(type->dtype) >= 8 &&
      mr_hlo_is_row_major(layout)) {
    return add_constant(c, type, literal->elements->data, out);
  }
  uint8_t *data = mr_alloc(bytes + 1), *sorted = NULL;
  mr_status status = data ? unpack_literal(literal, type, count, data) : MR_NO_MEMORY();
  if (!status && !mr_hlo_is_row_major(layout)) {
    sorted = mr_alloc(bytes + 1);
    status = sorted ? MR_OK : MR_NO_MEMORY();
    if (sorted) {
      to_row_major(type, layout, data, sorted);
    }
  }
  status = status ? status : add_constant(c, type, sorted ? sorted : data, out);
  mr_free(sorted);
  mr_free(data);
  return status;
}

static mr_status build_literal(hlo_context *c, ProtobufCBinaryData bytes, const mr_type *declared, int depth,
                               mr_value **leaves);

static mr_status build_parts(hlo_context *c, const hlo_literal *literal, const mr_type *type, mr_ints layout, int depth,
                             mr_value **leaves) {
  if (type->kind == MR_TYPE_TOKEN) {
    mr_builder b = mr_hlo_builder(c);
    mr_op *op = mr_build(&b, MR_OP_create_token, 0, NULL, 1, type, 0);
    *leaves = op ? mr_op_result(op, 0) : NULL;
    return op ? MR_OK : MR_NO_MEMORY();
  }
  if (type->kind != MR_TYPE_TUPLE) {
    return build_array(c, literal, type, layout, leaves);
  }
  const Millrace__Hlo__Literal *tuple = literal->proto;
  if (tuple->n_tuple_literals != type->rank || depth >= HLO_TUPLE_DEPTH) {
    return mr_error(MR_INVALID_ARGUMENT, "literal of a tuple has %zu elements, wanted %u", tuple->n_tuple_literals,
                    type->rank);
  }
  for (uint32_t i = 0; i < type->rank; i++) {
    MR_TRY(build_literal(c, tuple->tuple_literals[i], &type->elements[i], depth + 1, leaves));
    leaves += mr_hlo_leaf_count(&type->elements[i]);
  }
  return MR_OK;
}

static mr_status build_literal(hlo_context *c, ProtobufCBinaryData bytes, const mr_type *declared, int depth,
                               mr_value **leaves) {
  hlo_reader *r = c->reader;
  hlo_literal literal;
  mr_type type;
  mr_ints layout;
  MR_TRY(unpack_message(r, bytes, declared, &literal));
  MR_TRY(mr_hlo_read_shape(r, literal.proto->shape, &type, &layout));
  if (!mr_type_equal(&type, declared)) {
    char found[160], wanted[160];
    return mr_error(MR_INVALID_ARGUMENT, "literal is %s, wanted %s", mr_type_text(&type, found, sizeof found),
                    mr_type_text(declared, wanted, sizeof wanted));
  }
  return build_parts(c, &literal, &type, layout, depth, leaves);
}

mr_status mr_hlo_constant(hlo_context *c) {
  c->num_leaves = mr_hlo_leaf_count(&c->type);
  c->leaves = mr_arena_array(&c->reader->locals, mr_value *, c->num_leaves + 1);
  return c->leaves ? build_literal(c, c->proto->literal, &c->type, 0, c->leaves) : MR_NO_MEMORY();
}
