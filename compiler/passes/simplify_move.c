// Identities of ops that move elements: nothing moves, two moves in a row, moves of what is the same everywhere.
#include <string.h>

#include "compiler/passes/simplify.h"
#include "compiler/passes/tuning.h"

static mr_value *operand(const mr_op *op, uint32_t i) { return mr_op_operand(op, i); }

static mr_op *made_by(const mr_value *value, mr_op_kind kind) {
  return value->def && value->def->kind == kind ? value->def : NULL;
}

mr_value *mr_simplify_reshape(mr_op *op) {
  mr_value *x = operand(op, 0);
  const mr_type *type = &op->results[0].type;
  if (mr_type_same_dims(&x->type, type)) {
    return x;
  }
  mr_builder b = mr_builder_before(op);
  mr_op *inner = made_by(x, MR_OP_reshape);
  if (inner && mr_type_is_static(&mr_op_operand(inner, 0)->type)) {
    return mr_build_reshape(&b, mr_op_operand(inner, 0), type->rank, type->dims);
  }
  inner = made_by(x, MR_OP_broadcast_in_dim);
  if (inner && mr_op_operand(inner, 0)->type.rank == 0) {
    return mr_build_broadcast(&b, mr_op_operand(inner, 0), type, (mr_ints){0});
  }
  return NULL;
}

// Dimensions larger than one keep their order.
static bool moves_only_ones(const mr_type *x, mr_ints permutation) {
  int64_t last = -1;
  for (size_t i = 0; i < permutation.size; i++) {
    if (x->dims[permutation.data[i]] != 1) {
      if (permutation.data[i] < last) {
        return false;
      }
      last = permutation.data[i];
    }
  }
  return true;
}

static mr_value *simplify_alone(mr_op *op) {
  mr_value *x = operand(op, 0);
  mr_ints permutation = mr_op_ints(op, MR_ATTR_permutation);
  const mr_type *type = &op->results[0].type;
  mr_builder b = mr_builder_before(op);
  if (moves_only_ones(&x->type, permutation)) {
    return mr_build_reshape(&b, x, type->rank, type->dims);
  }
  int64_t composed[MR_MAX_RANK];
  mr_op *inner = made_by(x, MR_OP_transpose);
  if (inner) {
    mr_ints first = mr_op_ints(inner, MR_ATTR_permutation);
    for (size_t i = 0; i < permutation.size; i++) {
      composed[i] = first.data[permutation.data[i]];
    }
    return mr_build_transpose(&b, mr_op_operand(inner, 0), composed);
  }
  inner = made_by(x, MR_OP_broadcast_in_dim);
  if (inner) {
    mr_ints dims = mr_op_ints(inner, MR_ATTR_broadcast_dimensions);
    for (size_t i = 0; i < dims.size; i++) {
      composed[i] = 0;
      while (permutation.data[composed[i]] != dims.data[i]) {
        composed[i]++;
      }
    }
    return mr_build_broadcast(&b, mr_op_operand(inner, 0), type, (mr_ints){composed, dims.size});
  }
  return NULL;
}

mr_value *mr_simplify_transpose(mr_op *op) {
  mr_value *value = simplify_alone(op);
  return value ? value : mr_simplify_transposed_dot(op);
}

// No element is repeated and none changes its place.
static bool only_adds_ones(const mr_type *x, const mr_type *type, mr_ints dims) {
  for (size_t i = 0; i < dims.size; i++) {
    if (x->dims[i] != type->dims[dims.data[i]] || (i && dims.data[i] < dims.data[i - 1])) {
      return false;
    }
  }
  return mr_type_count(x) == mr_type_count(type);
}

// The reshape only puts ones between the dimensions of x; out: where these go in a broadcast by `dims` after it.
static bool inserts_ones(const mr_type *x, const mr_type *reshaped, mr_ints dims, int64_t *out) {
  uint32_t at = 0;
  for (uint32_t d = 0; d < reshaped->rank; d++) {
    if (at < x->rank && x->dims[at] == reshaped->dims[d]) {
      out[at++] = dims.data[d];
    } else if (reshaped->dims[d] != 1) {
      return false;
    }
  }
  return at == x->rank;
}

mr_value *mr_simplify_broadcast(mr_op *op) {
  mr_value *x = operand(op, 0);
  mr_ints dims = mr_op_ints(op, MR_ATTR_broadcast_dimensions);
  const mr_type *type = &op->results[0].type;
  mr_builder b = mr_builder_before(op);
  if (mr_type_is_static(&x->type) && only_adds_ones(&x->type, type, dims)) {
    return mr_build_reshape(&b, x, type->rank, type->dims);
  }
  mr_op *inner = made_by(x, MR_OP_broadcast_in_dim);
  if (inner) {
    mr_ints first = mr_op_ints(inner, MR_ATTR_broadcast_dimensions);
    int64_t composed[MR_MAX_RANK];
    for (size_t i = 0; i < first.size; i++) {
      composed[i] = dims.data[first.data[i]];
    }
    return mr_build_broadcast(&b, mr_op_operand(inner, 0), type, (mr_ints){composed, first.size});
  }
  inner = made_by(x, MR_OP_reshape);
  int64_t composed[MR_MAX_RANK];
  if (inner && inserts_ones(&mr_op_operand(inner, 0)->type, &x->type, dims, composed)) {
    return mr_build_broadcast(&b, mr_op_operand(inner, 0), type,
                              (mr_ints){composed, mr_op_operand(inner, 0)->type.rank});
  }
  // A reshape that made a single element of another rank.
  if (inner && mr_op_operand(inner, 0)->type.rank == 0) {
    return mr_build_broadcast(&b, mr_op_operand(inner, 0), type, (mr_ints){0});
  }
  return NULL;
}

static mr_value *build_slice(mr_op *op, mr_value *x, const int64_t *start, const int64_t *limit,
                             const int64_t *strides) {
  mr_builder b = mr_builder_before(op);
  return mr_build_slice(&b, x, &op->results[0].type, start, limit, strides);
}

static mr_value *slice_of_slice(mr_op *op, const mr_op *inner) {
  mr_ints start = mr_op_ints(op, MR_ATTR_start_indices), strides = mr_op_ints(op, MR_ATTR_strides);
  mr_ints first = mr_op_ints(inner, MR_ATTR_start_indices), steps = mr_op_ints(inner, MR_ATTR_strides);
  const mr_type *type = &op->results[0].type, *x = &inner->operands[0].value->type;
  int64_t from[MR_MAX_RANK], to[MR_MAX_RANK], by[MR_MAX_RANK];
  for (uint32_t d = 0; d < type->rank; d++) {
    if (__builtin_mul_overflow(strides.data[d], steps.data[d], &by[d])) {
      return NULL;
    }
    from[d] = first.data[d] + start.data[d] * steps.data[d];
    to[d] = type->dims[d] ? from[d] + (type->dims[d] - 1) * by[d] + 1 : from[d];
    if (to[d] > x->dims[d]) {
      return NULL;
    }
  }
  return build_slice(op, mr_op_operand(inner, 0), from, to, by);
}

// All of the slice lies in one operand of a concatenate.
static mr_value *slice_of_concatenate(mr_op *op, const mr_op *inner) {
  int64_t dim = mr_op_int(inner, MR_ATTR_dimension, 0), at = 0;
  mr_ints start = mr_op_ints(op, MR_ATTR_start_indices), limit = mr_op_ints(op, MR_ATTR_limit_indices);
  for (uint32_t i = 0; i < inner->num_operands; i++) {
    mr_value *piece = mr_op_operand(inner, i);
    int64_t size = piece->type.dims[dim];
    if (start.data[dim] >= at && limit.data[dim] <= at + size && start.data[dim] < limit.data[dim]) {
      int64_t from[MR_MAX_RANK], to[MR_MAX_RANK];
      memcpy(from, start.data, start.size * sizeof *from);
      memcpy(to, limit.data, limit.size * sizeof *to);
      from[dim] -= at;
      to[dim] -= at;
      return build_slice(op, piece, from, to, mr_op_ints(op, MR_ATTR_strides).data);
    }
    at += size;
  }
  return NULL;
}

mr_value *mr_simplify_slice(mr_op *op) {
  mr_value *x = operand(op, 0);
  const mr_type *type = &op->results[0].type;
  if (mr_type_same_dims(&x->type, type)) {
    return x;
  }
  if (!mr_type_is_static(&x->type)) {
    return NULL;
  }
  mr_op *inner = made_by(x, MR_OP_slice);
  if (inner) {
    return slice_of_slice(op, inner);
  }
  inner = made_by(x, MR_OP_concatenate);
  if (inner && mr_type_is_static(&inner->results[0].type)) {
    return slice_of_concatenate(op, inner);
  }
  inner = made_by(x, MR_OP_broadcast_in_dim);
  if (inner && mr_op_operand(inner, 0)->type.rank == 0) {
    mr_builder b = mr_builder_before(op);
    return mr_build_broadcast(&b, mr_op_operand(inner, 0), type, (mr_ints){0});
  }
  return NULL;
}

// Many operands, as many parts of about as many each: what finds a piece looks at each, and kernels of equal parts are one.
static mr_value *concatenate_parts(mr_op *op, int64_t dim) {
  uint32_t count = op->num_operands, parts = (count + MR_PASS_PIECES - 1) / MR_PASS_PIECES;
  mr_value **values = mr_alloc((parts + (size_t)MR_PASS_PIECES) * sizeof *values);
  if (!values) {
    return NULL;
  }
  mr_value **pieces = values + parts;
  mr_builder b = mr_builder_before(op);
  uint32_t next = 0;
  for (uint32_t part = 0; part < parts; part++) {
    uint32_t first = next;
    for (; next < (uint64_t)count * (part + 1) / parts; next++) {
      pieces[next - first] = operand(op, next);
    }
    values[part] = mr_build_concatenate(&b, next - first, pieces, dim);
  }
  mr_value *whole = mr_op_module(op)->out_of_memory ? NULL : mr_build_concatenate(&b, parts, values, dim);
  mr_free(values);
  return whole;
}

// Without its empty operands; alone it is the operand.
mr_value *mr_simplify_concatenate(mr_op *op) {
  int64_t dim = mr_op_int(op, MR_ATTR_dimension, 0);
  uint32_t full = 0, last = 0;
  for (uint32_t i = 0; i < op->num_operands; i++) {
    if (op->operands[i].value->type.dims[dim] != 0) {
      full++;
      last = i;
    }
  }
  if (op->num_operands == 1 || full == 0) {
    return operand(op, 0);
  }
  if (full == 1) {
    return operand(op, last);
  }
  if (full == op->num_operands) {
    return full > MR_PASS_PIECES ? concatenate_parts(op, dim) : NULL;
  }
  mr_value **kept = mr_alloc(full * sizeof *kept);
  if (!kept) {
    return NULL;
  }
  for (uint32_t i = 0, j = 0; i < op->num_operands; i++) {
    if (op->operands[i].value->type.dims[dim] != 0) {
      kept[j++] = operand(op, i);
    }
  }
  mr_builder b = mr_builder_before(op);
  mr_value *value = mr_build_concatenate(&b, full, kept, dim);
  mr_free(kept);
  return value;
}

bool mr_are_zero(mr_ints ints) {
  for (size_t i = 0; i < ints.size; i++) {
    if (ints.data[i] != 0) {
      return false;
    }
  }
  return true;
}

mr_value *mr_simplify_pad(mr_op *op) {
  bool nothing = mr_are_zero(mr_op_ints(op, MR_ATTR_edge_padding_low)) &&
                 mr_are_zero(mr_op_ints(op, MR_ATTR_edge_padding_high)) &&
                 mr_type_same_dims(&operand(op, 0)->type, &op->results[0].type);
  if (nothing) {
    return operand(op, 0);
  }
  if (mr_type_is_static(&operand(op, 0)->type) && mr_type_count(&operand(op, 0)->type) == 0) {
    mr_builder b = mr_builder_before(op);
    return mr_build_spread(&b, operand(op, 1), &op->results[0].type);
  }
  return NULL;
}

// Only dimensions with more than one element are worth reversing.
mr_value *mr_simplify_reverse(mr_op *op) {
  mr_value *x = operand(op, 0);
  mr_ints dims = mr_op_ints(op, MR_ATTR_dimensions);
  int64_t kept[MR_MAX_RANK];
  size_t count = 0;
  for (size_t i = 0; i < dims.size; i++) {
    if (x->type.dims[dims.data[i]] != 1) {
      kept[count++] = dims.data[i];
    }
  }
  if (count == 0) {
    return x;
  }
  mr_op *inner = made_by(x, MR_OP_reverse);
  if (inner && count == dims.size) {
    mr_ints other = mr_op_ints(inner, MR_ATTR_dimensions);
    bool same = other.size == dims.size && memcmp(other.data, dims.data, dims.size * sizeof *kept) == 0;
    return same ? mr_op_operand(inner, 0) : NULL;
  }
  if (count != dims.size) {
    mr_op_set_ints(mr_op_module(op), op, MR_ATTR_dimensions, (mr_ints){kept, count});
  }
  return NULL;
}

mr_value *mr_simplify_bitcast(mr_op *op) {
  mr_value *x = operand(op, 0);
  const mr_type *type = &op->results[0].type;
  if (mr_type_equal(&x->type, type)) {
    return x;
  }
  mr_op *inner = made_by(x, MR_OP_bitcast_convert);
  return inner && mr_type_equal(&mr_op_operand(inner, 0)->type, type) ? mr_op_operand(inner, 0) : NULL;
}

// A count that never leaves zero.
mr_value *mr_simplify_iota(mr_op *op) {
  const mr_type *type = &op->results[0].type;
  if (!mr_type_is_static(type) || type->dims[mr_op_int(op, MR_ATTR_iota_dimension, 0)] > 1) {
    return NULL;
  }
  mr_builder b = mr_builder_before(op);
  return mr_build_splat_int(&b, type, 0);
}

// reduce over no dimension with one op and its neutral element is the operand.
mr_value *mr_simplify_reduce(mr_op *op) {
  const mr_op *folding = op->regions[0]->first;
  bool single = op->num_operands == 2 && folding && folding->next && folding->next->kind == MR_OP_return &&
                folding->num_operands == 2 && folding->operands[0].value == op->regions[0]->args[0] &&
                folding->operands[1].value == op->regions[0]->args[1] &&
                folding->next->operands[0].value == &folding->results[0];
  if (!single || mr_op_ints(op, MR_ATTR_dimensions).size != 0) {
    return NULL;
  }
  bool is_float = mr_dtype_is_float(op->results[0].type.dtype);
  bool neutral = (folding->kind == MR_OP_add && mr_is_splat_of(operand(op, 1), is_float ? -0.0 : 0)) ||
                 (folding->kind == MR_OP_multiply && mr_is_splat_of(operand(op, 1), 1)) ||
                 (folding->kind == MR_OP_or && mr_is_splat_of(operand(op, 1), 0));
  return neutral && !mr_dtype_is_complex(op->results[0].type.dtype) ? operand(op, 0) : NULL;
}
