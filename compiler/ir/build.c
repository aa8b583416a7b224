// Builders: where to put ops, and shorthands for the common ones.
#include "compiler/ir/ir.h"
#include "compiler/ir/scalar.h"

#include <string.h>

mr_builder mr_builder_at_end(mr_block *block) {
  return (mr_builder){.module = block->function->module, .block = block};
}

mr_builder mr_builder_before(mr_op *op) {
  return (mr_builder){.module = op->block->function->module, .block = op->block, .before = op, .loc = op->loc};
}

static mr_value *result_of(mr_op *op) { return op ? &op->results[0] : NULL; }

// The result type of the elementwise kinds that do not keep their operand's.
static mr_type elementwise_type(mr_op_kind kind, const mr_type *x) {
  mr_dtype dtype = x->dtype;
  if (kind == MR_OP_real || kind == MR_OP_imag || kind == MR_OP_abs) {
    dtype = mr_dtype_real(dtype);
  } else if (kind == MR_OP_is_finite || kind == MR_OP_is_inf || kind == MR_OP_is_pos_inf || kind == MR_OP_is_neg_inf ||
             kind == MR_OP_compare) {
    dtype = MR_PRED;
  } else if (kind == MR_OP_complex) {
    dtype = dtype == MR_F64 ? MR_C128 : MR_C64;
  }
  return mr_type_with_dtype(x, dtype);
}

mr_value *mr_build_like(mr_builder *b, const mr_op *op, mr_value *const *operands, const mr_type *type) {
  for (uint32_t i = 0; i < op->num_operands; i++) {
    if (!operands[i]) {
      return NULL;
    }
  }
  mr_op *made = mr_build(b, op->kind, op->num_operands, operands, 1, type, 0);
  if (!made) {
    return NULL;
  }
  mr_op_copy_attrs(b->module, made, op);
  return &made->results[0];
}

mr_value *mr_build_unary(mr_builder *b, mr_op_kind kind, mr_value *x) {
  if (!x) {
    return NULL;
  }
  mr_type type = elementwise_type(kind, &x->type);
  return result_of(mr_build(b, kind, 1, &x, 1, &type, 0));
}

mr_value *mr_build_binary(mr_builder *b, mr_op_kind kind, mr_value *x, mr_value *y) {
  if (!x || !y) {
    return NULL;
  }
  mr_type type = elementwise_type(kind, &x->type);
  return result_of(mr_build(b, kind, 2, (mr_value *[]){x, y}, 1, &type, 0));
}

mr_value *mr_build_constant(mr_builder *b, const mr_dense *dense) {
  if (!dense->data && dense->size) {
    return NULL;
  }
  mr_op *op = mr_build(b, MR_OP_constant, 0, NULL, 1, &dense->type, 0);
  if (!op) {
    return NULL;
  }
  mr_attr attr = {.key = MR_ATTR_value, .kind = MR_ATTR_DENSE, .dense = *dense};
  attr.dense.type = op->results[0].type;
  return mr_op_set_attr(b->module, op, attr) ? &op->results[0] : NULL;
}

static mr_value *build_splat_bytes(mr_builder *b, const mr_type *type, const void *element) {
  int64_t count = mr_type_count(type);
  mr_dense dense = {.type = *type, .splat = count > 1, .size = count ? mr_dtype_bytes(type->dtype) : 0};
  if (dense.size) {
    dense.data = mr_arena_copy(&b->module->arena, element, dense.size);
    b->module->out_of_memory |= !dense.data;
  }
  return mr_build_constant(b, &dense);
}

mr_value *mr_build_splat(mr_builder *b, const mr_type *type, double value) {
  uint8_t element[16] = {0};
  mr_scalar_from_double(type->dtype, value, element);
  return build_splat_bytes(b, type, element);
}

mr_value *mr_build_splat_int(mr_builder *b, const mr_type *type, int64_t value) {
  uint8_t element[16] = {0};
  if (mr_dtype_is_float(type->dtype) || mr_dtype_is_complex(type->dtype)) {
    mr_scalar_from_double(type->dtype, (double)value, element);
  } else {
    mr_scalar_from_int(type->dtype, value, element);
  }
  return build_splat_bytes(b, type, element);
}

mr_value *mr_build_convert(mr_builder *b, mr_value *x, mr_dtype dtype) {
  if (!x || x->type.dtype == dtype) {
    return x;
  }
  mr_type type = mr_type_with_dtype(&x->type, dtype);
  return result_of(mr_build(b, MR_OP_convert, 1, &x, 1, &type, 0));
}

mr_value *mr_build_reshape(mr_builder *b, mr_value *x, uint32_t rank, const int64_t *dims) {
  if (!x) {
    return NULL;
  }
  mr_type type = {.kind = MR_TYPE_TENSOR, .dtype = x->type.dtype, .rank = rank, .dims = dims};
  if (mr_type_same_dims(&x->type, &type)) {
    return x;
  }
  return result_of(mr_build(b, MR_OP_reshape, 1, &x, 1, &type, 0));
}

mr_value *mr_build_transpose(mr_builder *b, mr_value *x, const int64_t *permutation) {
  if (!x) {
    return NULL;
  }
  int64_t dims[MR_MAX_RANK];
  bool identity = true;
  for (uint32_t i = 0; i < x->type.rank; i++) {
    dims[i] = x->type.dims[permutation[i]];
    identity = identity && permutation[i] == (int64_t)i;
  }
  if (identity) {
    return x;
  }
  mr_type type = {.kind = MR_TYPE_TENSOR, .dtype = x->type.dtype, .rank = x->type.rank, .dims = dims};
  mr_op *op = mr_build(b, MR_OP_transpose, 1, &x, 1, &type, 0);
  if (op) {
    mr_op_set_ints(b->module, op, MR_ATTR_permutation, (mr_ints){permutation, x->type.rank});
  }
  return result_of(op);
}

mr_value *mr_build_broadcast(mr_builder *b, mr_value *x, const mr_type *type, mr_ints dims) {
  if (!x) {
    return NULL;
  }
  mr_type result = mr_type_with_dtype(type, x->type.dtype);
  mr_op *op = mr_build(b, MR_OP_broadcast_in_dim, 1, &x, 1, &result, 0);
  if (op) {
    mr_op_set_ints(b->module, op, MR_ATTR_broadcast_dimensions, dims);
  }
  return result_of(op);
}

mr_value *mr_build_compare(mr_builder *b, int direction, int compare_type, mr_value *x, mr_value *y) {
  mr_value *result = mr_build_binary(b, MR_OP_compare, x, y);
  if (result) {
    mr_op_set_int(b->module, result->def, MR_ATTR_comparison_direction, direction);
    mr_op_set_int(b->module, result->def, MR_ATTR_compare_type, compare_type);
  }
  return result;
}

mr_value *mr_build_select(mr_builder *b, mr_value *p, mr_value *t, mr_value *f) {
  if (!p || !t || !f) {
    return NULL;
  }
  return result_of(mr_build(b, MR_OP_select, 3, (mr_value *[]){p, t, f}, 1, &t->type, 0));
}

mr_value *mr_build_spread(mr_builder *b, mr_value *x, const mr_type *type) {
  if (!x || type->rank == 0) {
    return x;
  }
  return mr_build_broadcast(b, x, type, (mr_ints){0});
}

mr_value *mr_build_along(mr_builder *b, mr_value *x, const mr_type *type, int64_t dim) {
  return mr_build_broadcast(b, x, type, (mr_ints){&dim, 1});
}

mr_value *mr_build_slice(mr_builder *b, mr_value *x, const mr_type *type, const int64_t *start, const int64_t *limit,
                         const int64_t *strides) {
  mr_op *op = mr_build(b, MR_OP_slice, 1, &x, 1, type, 0);
  if (!op) {
    return NULL;
  }
  mr_op_set_ints(b->module, op, MR_ATTR_start_indices, (mr_ints){start, type->rank});
  mr_op_set_ints(b->module, op, MR_ATTR_limit_indices, (mr_ints){limit, type->rank});
  mr_op_set_ints(b->module, op, MR_ATTR_strides, (mr_ints){strides, type->rank});
  return &op->results[0];
}

mr_value *mr_build_slice_dim(mr_builder *b, mr_value *x, uint32_t dim, int64_t from, int64_t to) {
  if (!x) {
    return NULL;
  }
  int64_t start[MR_MAX_RANK] = {0}, strides[MR_MAX_RANK], limit[MR_MAX_RANK], dims[MR_MAX_RANK];
  for (uint32_t d = 0; d < x->type.rank; d++) {
    strides[d] = 1;
    dims[d] = limit[d] = x->type.dims[d];
  }
  start[dim] = from;
  limit[dim] = to;
  dims[dim] = to - from;
  mr_type type = {.kind = MR_TYPE_TENSOR, .dtype = x->type.dtype, .rank = x->type.rank, .dims = dims};
  return mr_build_slice(b, x, &type, start, limit, strides);
}

mr_value *mr_build_pad_dim(mr_builder *b, mr_value *x, uint32_t dim, int64_t low, int64_t high, mr_value *fill) {
  if (!x || (low == 0 && high == 0)) {
    return x;
  }
  int64_t dims[MR_MAX_RANK], lows[MR_MAX_RANK] = {0}, highs[MR_MAX_RANK] = {0}, none[MR_MAX_RANK] = {0};
  memcpy(dims, x->type.dims, x->type.rank * sizeof *dims);
  lows[dim] = low;
  highs[dim] = high;
  dims[dim] += low + high;
  mr_type type = {.kind = MR_TYPE_TENSOR, .dtype = x->type.dtype, .rank = x->type.rank, .dims = dims};
  mr_op *pad = fill ? mr_build(b, MR_OP_pad, 2, (mr_value *[]){x, fill}, 1, &type, 0) : NULL;
  if (!pad) {
    return NULL;
  }
  mr_op_set_ints(b->module, pad, MR_ATTR_edge_padding_low, (mr_ints){lows, type.rank});
  mr_op_set_ints(b->module, pad, MR_ATTR_edge_padding_high, (mr_ints){highs, type.rank});
  mr_op_set_ints(b->module, pad, MR_ATTR_interior_padding, (mr_ints){none, type.rank});
  return &pad->results[0];
}

mr_value *mr_build_dynamic_slice(mr_builder *b, mr_value *x, mr_value *const *starts, const int64_t *sizes) {
  mr_value *operands[1 + MR_MAX_RANK] = {x};
  if (!x) {
    return NULL;
  }
  mr_type type = x->type;
  type.dims = sizes;
  for (uint32_t d = 0; d < type.rank; d++) {
    operands[1 + d] = starts[d];
  }
  mr_op *op = mr_build(b, MR_OP_dynamic_slice, 1 + type.rank, operands, 1, &type, 0);
  if (!op) {
    return NULL;
  }
  mr_op_set_ints(b->module, op, MR_ATTR_slice_sizes, (mr_ints){sizes, type.rank});
  return &op->results[0];
}

mr_value *mr_build_dynamic_slice_dim(mr_builder *b, mr_value *x, uint32_t dim, mr_value *start, int64_t size) {
  mr_value *starts[MR_MAX_RANK];
  int64_t sizes[MR_MAX_RANK];
  mr_value *zero = x && start ? mr_build_splat_int(b, &start->type, 0) : NULL;
  if (!zero) {
    return NULL;
  }
  for (uint32_t d = 0; d < x->type.rank; d++) {
    starts[d] = d == dim ? start : zero;
    sizes[d] = d == dim ? size : x->type.dims[d];
  }
  return mr_build_dynamic_slice(b, x, starts, sizes);
}

mr_value *mr_build_dynamic_update_slice(mr_builder *b, mr_value *x, mr_value *window, mr_value *const *starts) {
  mr_value *operands[2 + MR_MAX_RANK] = {x, window};
  for (uint32_t d = 0; x && window && d < x->type.rank; d++) {
    if (!starts[d]) {
      return NULL;
    }
    operands[2 + d] = starts[d];
  }
  mr_op *op = x && window ? mr_build(b, MR_OP_dynamic_update_slice, 2 + x->type.rank, operands, 1, &x->type, 0) : NULL;
  return op ? &op->results[0] : NULL;
}

mr_value *mr_build_concatenate(mr_builder *b, uint32_t count, mr_value *const *values, int64_t dim) {
  int64_t dims[MR_MAX_RANK], size = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!values[i]) {
      return NULL;
    }
    size += values[i]->type.dims[dim];
  }
  mr_type type = values[0]->type;
  memcpy(dims, type.dims, type.rank * sizeof *dims);
  dims[dim] = size;
  type.dims = dims;
  mr_op *op = mr_build(b, MR_OP_concatenate, count, values, 1, &type, 0);
  if (!op) {
    return NULL;
  }
  mr_op_set_int(b->module, op, MR_ATTR_dimension, dim);
  return &op->results[0];
}

mr_value *mr_build_iota(mr_builder *b, const mr_type *type, int64_t dim) {
  mr_op *op = mr_build(b, MR_OP_iota, 0, NULL, 1, type, 0);
  if (!op) {
    return NULL;
  }
  mr_op_set_int(b->module, op, MR_ATTR_iota_dimension, dim);
  return &op->results[0];
}

mr_value *mr_build_bitcast(mr_builder *b, mr_value *x, const mr_type *type) {
  mr_op *op = x ? mr_build(b, MR_OP_bitcast_convert, 1, &x, 1, type, 0) : NULL;
  return op ? &op->results[0] : NULL;
}

void mr_build_return(mr_builder *b, uint32_t count, mr_value *const *values) {
  (void)mr_build(b, MR_OP_return, count, values, 0, NULL, 0);
}

mr_value *mr_build_reduce(mr_builder *b, mr_op_kind kind, mr_value *x, mr_value *init, mr_ints dims) {
  if (!x || !init) {
    return NULL;
  }
  int64_t kept[MR_MAX_RANK];
  mr_type type = {.kind = MR_TYPE_TENSOR, .dtype = x->type.dtype, .dims = kept};
  for (uint32_t d = 0; d < x->type.rank; d++) {
    bool reduced = false;
    for (size_t i = 0; i < dims.size; i++) {
      reduced |= dims.data[i] == d;
    }
    if (!reduced) {
      kept[type.rank++] = x->type.dims[d];
    }
  }
  mr_op *op = mr_build(b, MR_OP_reduce, 2, (mr_value *[]){x, init}, 1, &type, 1);
  if (!op) {
    return NULL;
  }
  mr_op_set_ints(b->module, op, MR_ATTR_dimensions, dims);
  mr_type scalar = mr_type_scalar(type.dtype);
  mr_builder inner = mr_builder_at_end(op->regions[0]);
  mr_value *accumulated = mr_block_add_arg(b->module, op->regions[0], &scalar);
  mr_value *element = mr_block_add_arg(b->module, op->regions[0], &scalar);
  mr_value *folded = mr_build_binary(&inner, kind, accumulated, element);
  mr_build_return(&inner, 1, &folded);
  return b->module->out_of_memory ? NULL : &op->results[0];
}
