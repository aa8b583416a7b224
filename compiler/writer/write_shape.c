// Types and constants as HLO's shapes and literals.
#include <string.h>

#include "compiler/writer/hlo_put.h"

// ---- Shapes ------------------------------------------------------------------------------------------------------------

enum { XLA_TUPLE = 13, XLA_TOKEN = 17 };

static const int32_t element_numbers[MR_DTYPE_COUNT] = {
#define HLO_TYPE(number, dtype, field, store) [MR_##dtype] = (number),
#include "compiler/proto/hlo_types.def"
};

bool mr_put_is_foreign(const mr_type *type) {
  return type->kind == MR_TYPE_TENSOR && (type->quant || !element_numbers[type->dtype]);
}

static mr_status tuple_shape(hlo_writer *w, const mr_type *type, const mr_attr *layouts, Millrace__Hlo__Shape *shape) {
  shape->element_type = XLA_TUPLE;
  shape->n_tuple_shapes = type->rank;
  shape->tuple_shapes = mr_arena_array(&w->arena, ProtobufCBinaryData, type->rank + 1);
  if (!shape->tuple_shapes) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < type->rank; i++) {
    MR_TRY(mr_put_shape_in(w, &type->elements[i], layouts, i, &shape->tuple_shapes[i]));
  }
  return MR_OK;
}

// A dynamic size is written as its bound, which may be missing as well.
static mr_status array_shape(hlo_writer *w, const mr_type *type, mr_ints layout, ProtobufCBinaryData *out) {
  Millrace__Hlo__Layout order = MILLRACE__HLO__LAYOUT__INIT;
  Millrace__Hlo__Shape shape = MILLRACE__HLO__SHAPE__INIT;
  int64_t dims[MR_MAX_RANK], minor_to_major[MR_MAX_RANK];
  protobuf_c_boolean dynamic[MR_MAX_RANK];
  for (uint32_t i = 0; i < type->rank; i++) {
    dynamic[i] = type->dims[i] == MR_DYNAMIC;
    dims[i] = dynamic[i] && type->bounds ? type->bounds[i] : type->dims[i];
    minor_to_major[i] = layout.size == type->rank ? layout.data[i] : (int64_t)(type->rank - 1 - i);
  }
  order.n_minor_to_major = type->rank;
  order.minor_to_major = minor_to_major;
  shape.element_type = element_numbers[element_numbers[type->dtype] ? type->dtype : MR_U8];
  shape.n_dimensions = type->rank;
  shape.dimensions = dims;
  shape.n_is_dynamic_dimension = type->rank;
  shape.is_dynamic_dimension = dynamic;
  shape.layout = &order;
  return mr_put_pack(w, &shape.base, out);
}

static mr_ints layout_at(const mr_attr *layouts, size_t i) {
  bool said = layouts && layouts->kind == MR_ATTR_ARRAY && i < layouts->count && layouts->items[i].kind == MR_ATTR_INTS;
  return said ? layouts->items[i].ints : (mr_ints){0};
}

mr_status mr_put_shape_in(hlo_writer *w, const mr_type *type, const mr_attr *layouts, size_t index,
                          ProtobufCBinaryData *out) {
  Millrace__Hlo__Shape shape = MILLRACE__HLO__SHAPE__INIT;
  switch (type->kind) {
  case MR_TYPE_TENSOR: return array_shape(w, type, layout_at(layouts, index), out);
  case MR_TYPE_TOKEN: shape.element_type = XLA_TOKEN; break;
  case MR_TYPE_TUPLE:
  case MR_TYPE_FUTURE: MR_TRY(tuple_shape(w, type, layouts, &shape)); break;
  }
  return mr_put_pack(w, &shape.base, out);
}

mr_status mr_put_shape(hlo_writer *w, const mr_type *type, ProtobufCBinaryData *out) {
  return mr_put_shape_in(w, type, NULL, 0, out);
}

mr_status mr_put_program_shape(hlo_writer *w, size_t count, const mr_type *params, const mr_type *result,
                               ProtobufCBinaryData *out) {
  Millrace__Hlo__ProgramShape shape = MILLRACE__HLO__PROGRAM_SHAPE__INIT;
  shape.n_parameters = shape.n_parameter_names = count;
  shape.parameters = mr_arena_array(&w->arena, ProtobufCBinaryData, count + 1);
  shape.parameter_names = mr_arena_array(&w->arena, char *, count + 1);
  if (!shape.parameters || !shape.parameter_names) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    MR_TRY(mr_put_shape(w, &params[i], &shape.parameters[i]));
    MR_TRY(mr_put_numbered(w, "p", (int64_t)i, &shape.parameter_names[i]));
  }
  MR_TRY(mr_put_shape(w, result, &shape.result));
  return mr_put_pack(w, &shape.base, out);
}

// ---- Constants -----------------------------------------------------------------------------------------------------------

// Every element where the type's field has it; `data` is what memory has.
#define PUT_FLAGS(dtype, field)             \
  case MR_##dtype:                          \
    literal->n_##field = count;             \
    literal->field = flags(w, data, count); \
    return literal->field ? MR_OK : MR_NO_MEMORY();
#define PUT_WORDS(dtype, field)                                                         \
  case MR_##dtype:                                                                      \
    literal->n_##field = count * mr_dtype_bytes(MR_##dtype) / sizeof literal->field[0]; \
    literal->field = (void *)data;                                                      \
    return MR_OK;
#define PUT_BYTES(dtype, field)                                                                  \
  case MR_##dtype:                                                                               \
    literal->field = (ProtobufCBinaryData){count * mr_dtype_bytes(MR_##dtype), (uint8_t *)data}; \
    return MR_OK;
#define HLO_TYPE(number, dtype, field, store) PUT_##store(dtype, field)

static protobuf_c_boolean *flags(hlo_writer *w, const uint8_t *data, size_t count) {
  protobuf_c_boolean *list = mr_arena_array(&w->arena, protobuf_c_boolean, count + 1);
  for (size_t i = 0; list && i < count; i++) {
    list[i] = data[i] != 0;
  }
  return list;
}

static mr_status put_elements(hlo_writer *w, mr_dtype dtype, const void *data, size_t count,
                              Millrace__Hlo__Literal *literal) {
  switch (dtype) {
#include "compiler/proto/hlo_types.def"
  default:  // foreign
    literal->u8s = (ProtobufCBinaryData){count * mr_dtype_bytes(dtype), (uint8_t *)data};
    return MR_OK;
  }
}

// A splat is a scalar spread out: its elements are many more than what stores it.
mr_status mr_put_constant(hlo_writer *w, const mr_dense *dense, hlo_instruction *proto, int64_t *out_id) {
  Millrace__Hlo__Literal literal = MILLRACE__HLO__LITERAL__INIT;
  mr_type type = dense->type;
  int64_t count = mr_type_count(&type);
  bool spread = dense->splat && type.rank > 0 && count > 0;
  if (spread) {
    type.rank = 0;
    type.dims = NULL;
  }
  MR_TRY(mr_put_shape(w, &type, &literal.shape));
  MR_TRY(put_elements(w, type.dtype, dense->data, spread ? 1 : (size_t)count, &literal));
  MR_TRY(mr_put_pack(w, &literal.base, &proto->literal));
  proto->opcode = "constant";
  MR_TRY(mr_put_emit(w, proto, &type, out_id));
  return spread ? mr_put_broadcast(w, *out_id, &type, &dense->type, (mr_ints){0}, out_id) : MR_OK;
}
