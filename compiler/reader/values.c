// Types and attribute values both readers make: checked tensor types, constant data in normal form.
#include <string.h>

#include "compiler/reader/normalize.h"

// ---- Types ---------------------------------------------------------------------------------------------------------

bool mr_read_dtype(unsigned width, char sign, mr_dtype *out_dtype) {
  static const struct {
    unsigned width;
    mr_dtype plain, sign, unsign;
  } widths[] = {
      {1, MR_PRED, MR_S1, MR_U1},   {2, MR_S2, MR_S2, MR_U2},     {4, MR_S4, MR_S4, MR_U4},
      {8, MR_S8, MR_S8, MR_U8},     {16, MR_S16, MR_S16, MR_U16}, {32, MR_S32, MR_S32, MR_U32},
      {64, MR_S64, MR_S64, MR_U64},
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(widths); i++) {
    if (widths[i].width == width) {
      *out_dtype = sign == 'u' ? widths[i].unsign : sign == 's' ? widths[i].sign : widths[i].plain;
      return true;
    }
  }
  return false;
}

// Dynamic sizes count as one here: what can be known about the size must not overflow.
static mr_status check_dims(mr_dtype dtype, size_t rank, const int64_t *dims) {
  int64_t known[MR_MAX_RANK];
  for (size_t i = 0; i < rank; i++) {
    if (dims[i] < 0 && dims[i] != MR_DYNAMIC) {
      return mr_error(MR_INVALID_ARGUMENT, "tensor size %lld is negative", (long long)dims[i]);
    }
    known[i] = dims[i] == MR_DYNAMIC ? 1 : dims[i];
  }
  size_t bytes;
  return mr_dims_bytes(dtype, known, rank, &bytes);
}

// Scales belong to the sizes of one dimension; bounds are sizes or nothing.
static mr_status check_quant_and_bounds(const mr_quant *quant, size_t rank, const int64_t *dims,
                                        const int64_t *bounds) {
  if (quant && quant->axis >= 0 &&
      ((size_t)quant->axis >= rank ||
       (dims[quant->axis] != MR_DYNAMIC && (uint64_t)dims[quant->axis] != quant->count))) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu scales on axis %lld do not fit the tensor", quant->count,
                    (long long)quant->axis);
  }
  for (size_t i = 0; bounds && i < rank; i++) {
    if (bounds[i] != MR_DYNAMIC && bounds[i] < 0) {
      return mr_error(MR_INVALID_ARGUMENT, "bound %lld is negative", (long long)bounds[i]);
    }
  }
  return MR_OK;
}

mr_status mr_read_tensor_type(mr_arena *arena, const mr_type *element, size_t rank, const int64_t *dims,
                              const int64_t *bounds, mr_type *out_type) {
  if (rank > MR_MAX_RANK) {
    return mr_error(MR_INVALID_ARGUMENT, "tensor has rank %zu, at most %d is supported", rank, MR_MAX_RANK);
  }
  MR_TRY(check_dims(element->dtype, rank, dims));
  MR_TRY(check_quant_and_bounds(element->quant, rank, dims, bounds));
  *out_type = *element;
  out_type->rank = (uint32_t)rank;
  out_type->dims = mr_arena_copy(arena, dims, rank * sizeof(int64_t));
  if (bounds) {
    out_type->bounds = mr_arena_copy(arena, bounds, rank * sizeof(int64_t));
  }
  if (rank && (!out_type->dims || (bounds && !out_type->bounds))) {
    return MR_NO_MEMORY();
  }
  return MR_OK;
}

// ---- Small attributes ----------------------------------------------------------------------------------------------

mr_attr mr_read_attr_int(int64_t value, mr_dtype dtype) {
  return (mr_attr){.kind = MR_ATTR_INT, .dtype = dtype, .integer = value};
}

mr_attr mr_read_attr_string(mr_str value) { return (mr_attr){.kind = MR_ATTR_STRING, .string = value}; }

mr_attr mr_read_attr_ints(mr_ints ints, int64_t rows) {
  return (mr_attr){.kind = MR_ATTR_INTS, .dtype = MR_S64, .ints = ints, .rows = rows};
}

static mr_status make_types(mr_arena *arena, const char *name, uint32_t count, const mr_type *types, mr_attr *out) {
  mr_attr *items = mr_arena_array(arena, mr_attr, count + 1);
  if (!items) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < count; i++) {
    items[i] = (mr_attr){.kind = MR_ATTR_TYPE, .type = types[i]};
  }
  *out = (mr_attr){.name = mr_str_of(name), .kind = MR_ATTR_ARRAY, .items = items, .count = count};
  return MR_OK;
}

mr_status mr_read_attr_function(mr_arena *arena, const mr_rtype *type, mr_attr *out) {
  mr_attr *lists = mr_arena_array(arena, mr_attr, 2);
  if (!lists) {
    return MR_NO_MEMORY();
  }
  MR_TRY(make_types(arena, "inputs", type->num_inputs, type->inputs, &lists[0]));
  MR_TRY(make_types(arena, "results", type->num_results, type->results, &lists[1]));
  *out = (mr_attr){.kind = MR_ATTR_DICT, .items = lists, .count = 2};
  return MR_OK;
}

mr_status mr_read_attr_type(mr_arena *arena, const mr_rtype *type, mr_attr *out) {
  switch (type->form) {
  case MR_RTYPE_VALUE:
  case MR_RTYPE_ELEMENT: *out = (mr_attr){.kind = MR_ATTR_TYPE, .type = type->type}; return MR_OK;
  case MR_RTYPE_FUNCTION: return mr_read_attr_function(arena, type, out);
  case MR_RTYPE_NONE: *out = (mr_attr){.kind = MR_ATTR_TEXT, .string = MR_STR("none")}; return MR_OK;
  default:
    *out = (mr_attr){.kind = MR_ATTR_TEXT, .string = mr_str_of(type->name ? type->name : "unsupported type")};
    return MR_OK;
  }
}

// ---- Constant data -------------------------------------------------------------------------------------------------

// Bytes as files hold them to bytes as the IR holds them: 0 or 1 for i1, sign in every bit for small signed integers.
static void normalise_bytes(mr_dtype dtype, uint8_t *bytes, size_t count) {
  unsigned bits = mr_dtype_bits(dtype);
  if (bits >= 8) {
    return;
  }
  if (dtype == MR_PRED) {
    for (size_t i = 0; i < count; i++) {
      bytes[i] = bytes[i] != 0;
    }
    return;
  }
  uint8_t mask = (uint8_t)((1u << bits) - 1), sign = (uint8_t)(1u << (bits - 1));
  bool extend = mr_dtype_is_signed(dtype);
  for (size_t i = 0; i < count; i++) {
    uint8_t value = bytes[i] & mask;
    bytes[i] = extend && (value & sign) ? (uint8_t)(value | ~mask) : value;
  }
}

static mr_status read_packed(mr_arena *arena, size_t count, const uint8_t *bits, mr_dense *out) {
  uint8_t *data = mr_arena_alloc(arena, count);
  if (!data) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    data[i] = (bits[i / 8] >> (i % 8)) & 1;
  }
  out->data = data;
  out->size = count;
  return MR_OK;
}

static mr_status read_plain(mr_arena *arena, mr_dtype dtype, mr_span bytes, mr_dense *out) {
  uint8_t *data = mr_arena_copy(arena, bytes.data, bytes.size);
  if (!data && bytes.size) {
    return MR_NO_MEMORY();
  }
  normalise_bytes(dtype, data, bytes.size);
  out->data = data;
  out->size = bytes.size;
  return MR_OK;
}

static mr_status read_bits(mr_arena *arena, size_t count, mr_span bytes, bool packed, mr_dense *out) {
  const uint8_t *data = bytes.data;
  size_t packed_size = count / 8 + (count % 8 != 0);
  // One byte of all ones or zeros is a splat; for eight elements or fewer both readings agree.
  if (bytes.size == 1 && count != 1 && (data[0] == 0xFF || data[0] == 0 || (!packed && data[0] == 1))) {
    out->splat = true;
    return read_plain(arena, MR_PRED, bytes, out);
  }
  // Writers are not of one mind: the length tells packed from one byte per element, except where both fit.
  if (bytes.size == packed_size && (packed || bytes.size != count)) {
    return read_packed(arena, count, data, out);
  }
  if (bytes.size == count) {
    return read_plain(arena, MR_PRED, bytes, out);
  }
  return mr_error(MR_INVALID_ARGUMENT, "constant of %zu i1 elements has %zu bytes, wanted %zu, %zu or 1", count,
                  bytes.size, packed_size, count);
}

mr_status mr_read_dense(mr_arena *arena, const mr_type *type, mr_span bytes, bool packed, mr_dense *out_dense) {
  *out_dense = (mr_dense){.type = *type};
  size_t element = mr_dtype_bytes(type->dtype);
  if (type->kind != MR_TYPE_TENSOR || !mr_type_is_static(type) || element == 0) {
    return mr_error(MR_INVALID_ARGUMENT, "constant data needs a tensor type with known sizes");
  }
  size_t count = (size_t)mr_type_count(type);
  if (count == 0) {
    // A splat of nothing may store its element.
    return bytes.size == 0 || bytes.size == element
               ? MR_OK
               : mr_error(MR_INVALID_ARGUMENT, "empty constant has %zu bytes", bytes.size);
  }
  if (type->dtype == MR_PRED) {
    return read_bits(arena, count, bytes, packed, out_dense);
  }
  if (bytes.size == element) {
    out_dense->splat = count != 1;
  } else if (bytes.size / element != count || bytes.size % element != 0) {
    return mr_error(MR_INVALID_ARGUMENT, "constant of %zu elements of %s has %zu bytes, wanted %zu per element", count,
                    mr_dtype_name(type->dtype), bytes.size, element);
  }
  return read_plain(arena, type->dtype, bytes, out_dense);
}
