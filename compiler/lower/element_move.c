// Ops that rearrange or make elements: an index of the result becomes an index of an operand.
#include "compiler/lower/element.h"
#include "compiler/lower/reduction.h"
#include "compiler/lower/tuning.h"

#include <string.h>

static mr_elem zero_of(mr_lower *lw, mr_dtype dtype) { return mr_lw_constant(lw, dtype, 0); }

mr_elem mr_lw_of_broadcast_in_dim(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  const mr_value *x = mr_op_operand(op, 0);
  mr_ints dims = mr_op_ints(op, MR_ATTR_broadcast_dimensions);
  const mr_type *to = &op->results[0].type;
  if (at.flat && mr_type_same_dims(to, &x->type) && mr_ints_count_up(dims)) {
    return mr_lw_element(lw, x, at);
  }
  const mr_ix *storage[MR_MAX_RANK], *source[MR_MAX_RANK];
  at = mr_lw_vector(lw, to, at, storage);
  for (uint32_t d = 0; d < x->type.rank; d++) {
    source[d] = x->type.dims[d] == 1 ? mr_ix_const(&lw->ix, 0) : at.at[dims.data[d]];
  }
  return mr_lw_element(lw, x, mr_at(x->type.rank, source));
}

mr_elem mr_lw_of_broadcast(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  const mr_value *x = mr_op_operand(op, 0);
  const mr_ix *storage[MR_MAX_RANK];
  at = mr_lw_vector(lw, &op->results[0].type, at, storage);
  return mr_lw_element(lw, x, mr_at(x->type.rank, at.at + (at.n - x->type.rank)));
}

mr_elem mr_lw_of_reshape(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  const mr_value *x = mr_op_operand(op, 0);
  const mr_ix *flat = at.n == 0 ? mr_ix_const(&lw->ix, 0) : mr_lw_linear(lw, &op->results[0].type, at);
  mr_index source = {true, 1, &flat};
  // A vector asked for stays a vector, so that both ways of asking meet in what is remembered.
  const mr_ix *storage[MR_MAX_RANK];
  if (!at.flat && x->type.rank > 0) {
    source = mr_lw_vector(lw, &x->type, source, storage);
  }
  return mr_lw_element(lw, x, source);
}

mr_elem mr_lw_of_transpose(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  const mr_value *x = mr_op_operand(op, 0);
  mr_ints permutation = mr_op_ints(op, MR_ATTR_permutation);
  const mr_ix *storage[MR_MAX_RANK], *source[MR_MAX_RANK];
  at = mr_lw_vector(lw, &op->results[0].type, at, storage);
  for (uint32_t d = 0; d < at.n; d++) {
    source[permutation.data[d]] = at.at[d];
  }
  return mr_lw_element(lw, x, mr_at(at.n, source));
}

static int64_t inner_count(const mr_type *type, uint32_t d) {
  int64_t count = 1;
  for (uint32_t k = d + 1; k < type->rank; k++) {
    count *= type->dims[k];
  }
  return count;
}

mr_elem mr_lw_of_slice(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  const mr_value *x = mr_op_operand(op, 0);
  mr_ints start = mr_op_ints(op, MR_ATTR_start_indices), stride = mr_op_ints(op, MR_ATTR_strides);
  const mr_type *to = &op->results[0].type;
  const mr_ix *storage[MR_MAX_RANK], *source[MR_MAX_RANK];
  bool whole_rows = to->rank > 0 && (to->dims[0] <= 1 || stride.data[0] == 1);
  for (uint32_t d = 1; d < to->rank; d++) {
    whole_rows = whole_rows && to->dims[d] == x->type.dims[d];
  }
  if (at.flat && whole_rows) {
    const mr_ix *flat = mr_ix_plus(&lw->ix, at.at[0], start.data[0] * inner_count(to, 0));
    return mr_lw_element(lw, x, (mr_index){true, 1, &flat});
  }
  at = mr_lw_vector(lw, to, at, storage);
  for (uint32_t d = 0; d < at.n; d++) {
    source[d] = mr_ix_plus(&lw->ix, mr_ix_scale(&lw->ix, at.at[d], stride.data[d]), start.data[d]);
  }
  return mr_lw_element(lw, x, mr_at(at.n, source));
}

mr_elem mr_lw_of_reverse(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  const mr_value *x = mr_op_operand(op, 0);
  mr_ints dims = mr_op_ints(op, MR_ATTR_dimensions);
  const mr_ix *storage[MR_MAX_RANK], *source[MR_MAX_RANK];
  at = mr_lw_vector(lw, &x->type, at, storage);
  for (uint32_t d = 0; d < at.n; d++) {
    source[d] = at.at[d];
  }
  for (size_t i = 0; i < dims.size; i++) {
    int64_t d = dims.data[i];
    source[d] = mr_ix_plus(&lw->ix, mr_ix_scale(&lw->ix, at.at[d], -1), x->type.dims[d] - 1);
  }
  return mr_lw_element(lw, x, mr_at(at.n, source));
}

// Row-major number over dimension d and those behind it.
static const mr_ix *trailing(mr_lower *lw, const mr_type *type, mr_index at, uint32_t d) {
  const mr_ix *sum = mr_ix_const(&lw->ix, 0);
  int64_t stride = 1;
  for (uint32_t k = type->rank; k-- > d;) {
    sum = mr_ix_add(&lw->ix, sum, mr_ix_scale(&lw->ix, at.at[k], stride));
    stride *= type->dims[k];
  }
  return sum;
}

// One dimension of a pad: the source coordinate, and whether it is one. False: never.
static bool pad_dim(mr_lower *lw, const mr_op *op, mr_index at, uint32_t d, const mr_ix **out_at, mr_lv *condition) {
  const mr_type *from = &mr_op_operand(op, 0)->type, *to = &op->results[0].type;
  int64_t low = mr_op_ints(op, MR_ATTR_edge_padding_low).data[d];
  int64_t step = mr_op_ints(op, MR_ATTR_interior_padding).data[d] + 1;
  int64_t n = from->dims[d], last = n ? (n - 1) * step + 1 : 0;
  const mr_ix *x = mr_ix_plus(&lw->ix, at.at[d], -low);
  *out_at = mr_ix_div(&lw->ix, x, step);
  int64_t scale = 1;
  const mr_ix *asked = x;
  // In terms of whole inner blocks, so that dimensions behind this one may join its loop.
  if (step == 1 && d + 1 < to->rank && inner_count(from, d) == inner_count(to, d) && inner_count(to, d) > 0) {
    scale = inner_count(to, d);
    asked = mr_ix_plus(&lw->ix, trailing(lw, to, at, d), -low * scale);
  }
  bool known = (x->lo >= 0 && x->hi < last) || x->hi < 0 || x->lo >= last;
  mr_range_answer answer = known ? mr_lw_range(lw, x, 0, last) : mr_lw_range(lw, asked, 0, last * scale);
  if (answer == MR_RANGE_NEVER) {
    return false;
  }
  if (answer == MR_RANGE_ASK) {
    *condition = mr_lw_and(lw, *condition, mr_lw_in_range(lw, asked, 0, last * scale));
  }
  if (step > 1) {
    const mr_ix *hole = mr_ix_mod(&lw->ix, x, step);
    answer = mr_lw_range(lw, hole, 0, 1);
    if (answer == MR_RANGE_NEVER) {
      return false;
    }
    if (answer == MR_RANGE_ASK) {
      *condition = mr_lw_and(lw, *condition, mr_lw_in_range(lw, hole, 0, 1));
    }
  }
  return true;
}

mr_elem mr_lw_of_pad(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  const mr_value *x = mr_op_operand(op, 0);
  const mr_type *to = &op->results[0].type;
  const mr_ix *storage[MR_MAX_RANK], *source[MR_MAX_RANK];
  at = mr_lw_vector(lw, to, at, storage);
  mr_lv condition = 0;
  for (uint32_t d = 0; d < at.n; d++) {
    if (!pad_dim(lw, op, at, d, &source[d], &condition)) {
      return mr_lw_scalar(lw, mr_op_operand(op, 1));
    }
  }
  if (!condition) {
    return mr_lw_element(lw, x, mr_at(at.n, source));
  }
  mr_elem var = mr_lw_var(lw, mr_lw_scalar(lw, mr_op_operand(op, 1)));
  mr_lw_if(lw, condition);
  mr_lw_set(lw, var, mr_lw_element(lw, x, mr_at(at.n, source)));
  mr_lw_end(lw);
  return mr_lw_get(lw, var);
}

typedef struct pieces {
  const mr_op *op;
  mr_index at;
  uint32_t dim;
  const mr_ix *asked;  // row-major number from dim on
  int64_t inner;
} pieces;

static mr_elem piece_element(mr_lower *lw, const pieces *c, uint32_t piece, int64_t offset) {
  const mr_value *x = mr_op_operand(c->op, piece);
  const mr_ix *source[MR_MAX_RANK];
  if (c->at.flat) {
    source[0] = mr_ix_plus(&lw->ix, c->at.at[0], -offset * c->inner);
    return mr_lw_element(lw, x, (mr_index){true, 1, source});
  }
  memcpy(source, c->at.at, c->at.n * sizeof source[0]);
  source[c->dim] = mr_ix_plus(&lw->ix, source[c->dim], -offset);
  return mr_lw_element(lw, x, mr_at(c->at.n, source));
}

// Whether the element lies before `end` along the dimension.
static mr_range_answer lies_before(mr_lower *lw, const pieces *c, int64_t end) {
  if (!c->at.flat) {  // the coordinate alone may know
    const mr_ix *d = c->at.at[c->dim];
    if (d->hi < end) {
      return MR_RANGE_ALWAYS;
    }
    if (d->lo >= end) {
      return MR_RANGE_NEVER;
    }
  }
  return mr_lw_range(lw, c->asked, MR_MIN(c->asked->lo, 0), end * c->inner);
}

// Of the pieces `first` to `last`. A few are asked for in turn, many by halves: scopes nest as deep as there are questions.
static mr_elem concatenate_from(mr_lower *lw, const pieces *c, uint32_t first, uint32_t last, int64_t offset) {
  if (first == last) {
    return piece_element(lw, c, first, offset);
  }
  uint32_t middle = last - first < MR_LOWER_FEW_PIECES ? first : first + (last - first) / 2;
  int64_t end = offset;
  for (uint32_t i = first; i <= middle; i++) {
    end += mr_op_operand(c->op, i)->type.dims[c->dim];
  }
  mr_range_answer answer = end == offset ? MR_RANGE_NEVER : lies_before(lw, c, end);
  if (answer == MR_RANGE_ALWAYS) {
    return concatenate_from(lw, c, first, middle, offset);
  }
  if (answer == MR_RANGE_NEVER) {
    return concatenate_from(lw, c, middle + 1, last, end);
  }
  mr_elem var = mr_lw_var(lw, zero_of(lw, c->op->results[0].type.dtype));
  mr_lw_if(lw, mr_lw_in_range(lw, c->asked, c->asked->lo, end * c->inner));
  mr_lw_set(lw, var, concatenate_from(lw, c, first, middle, offset));
  mr_lw_else(lw);
  mr_lw_set(lw, var, concatenate_from(lw, c, middle + 1, last, end));
  mr_lw_end(lw);
  return mr_lw_get(lw, var);
}

mr_elem mr_lw_of_concatenate(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  const mr_type *to = &op->results[0].type;
  const mr_ix *storage[MR_MAX_RANK];
  pieces c = {.op = op, .dim = (uint32_t)mr_op_int(op, MR_ATTR_dimension, 0)};
  c.inner = inner_count(to, c.dim);
  c.at = at.flat && c.dim == 0 ? at : mr_lw_vector(lw, to, at, storage);
  c.asked = c.at.flat ? at.at[0] : trailing(lw, to, c.at, c.dim);
  return concatenate_from(lw, &c, 0, op->num_operands - 1, 0);
}

mr_elem mr_lw_of_iota(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  const mr_type *to = &op->results[0].type;
  const mr_ix *storage[MR_MAX_RANK];
  at = mr_lw_vector(lw, to, at, storage);
  const mr_ix *i = at.at[mr_op_int(op, MR_ATTR_iota_dimension, 0)];
  mr_lw_use(lw, i);
  mr_lv v = mr_lw_ix(lw, i);
  mr_dtype real = mr_dtype_real(to->dtype);
  // From 32 bits where they suffice: vectors of those convert directly.
  if (mr_dtype_is_float(real) && i->lo >= 0 && i->hi <= INT32_MAX) {
    v = mr_l_convert(lw->p, MR_S32, v);
  }
  return (mr_elem){mr_l_convert(lw->p, real, v), mr_dtype_is_complex(to->dtype) ? mr_l_float(lw->p, real, 0) : 0};
}

// A short constant is a chain of selects over the element's number.
mr_elem mr_lw_of_constant(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  const mr_type *type = &op->results[0].type;
  const mr_attr *attr = mr_op_attr(op, MR_ATTR_value);
  if (!attr || attr->kind != MR_ATTR_DENSE) {
    mr_lw_fail(lw, mr_error(MR_INTERNAL, "a constant has no value"));
    return zero_of(lw, type->dtype);
  }
  const mr_dense *dense = &attr->dense;
  int64_t count = mr_type_count(type);
  size_t size = mr_dtype_bytes(type->dtype);
  if (dense->splat || count == 1) {
    return mr_lw_bits(lw, type->dtype, dense->data);
  }
  if (count == 0) {
    return zero_of(lw, type->dtype);
  }
  if (count > MR_LOWER_SELECTED_CONSTANT) {
    mr_lw_fail(lw, mr_error(MR_UNIMPLEMENTED, "constant of %lld elements inside a kernel", (long long)count));
    return zero_of(lw, type->dtype);
  }
  const mr_ix *linear = mr_lw_linear(lw, type, at);
  mr_lw_use(lw, linear);
  const char *data = dense->data;
  if (mr_ix_is_const(linear) && linear->constant >= 0 && linear->constant < count) {
    return mr_lw_bits(lw, type->dtype, data + (size_t)linear->constant * size);
  }
  mr_lv i = mr_lw_ix(lw, linear);
  mr_elem chosen = mr_lw_bits(lw, type->dtype, data + (size_t)(count - 1) * size);
  for (int64_t k = count - 1; k-- > 0;) {
    mr_lv here = mr_l_compare(lw->p, 0, 3, MR_S64, i, mr_l_index(lw->p, k));
    chosen = mr_lw_select(lw, type->dtype, here, mr_lw_bits(lw, type->dtype, data + (size_t)k * size), chosen);
  }
  return chosen;
}

// One element becomes several: the part that the last coordinate names, lowest bits first.
static mr_lv narrow_bits(mr_lower *lw, mr_lv wide, mr_dtype wide_bits, mr_dtype to, mr_dtype to_bits,
                         const mr_ix *part) {
  mr_loop_program *p = lw->p;
  mr_lw_use(lw, part);
  mr_lv bits = mr_l_bitcast(p, wide_bits, wide);
  mr_lv amount = mr_l_convert(p, wide_bits, mr_lw_ix(lw, mr_ix_scale(&lw->ix, part, (int64_t)mr_dtype_bits(to_bits))));
  bits = mr_l_binary(p, MR_OP_shift_right_logical, wide_bits, bits, amount);
  return mr_l_bitcast(p, to, mr_l_convert(p, to_bits, bits));
}

mr_elem mr_lw_of_bitcast_convert(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  const mr_value *x = mr_op_operand(op, 0);
  const mr_type *to = &op->results[0].type;
  mr_dtype from_type = x->type.dtype, to_type = to->dtype;
  if (from_type == to_type) {
    return mr_lw_element(lw, x, at);
  }
  unsigned from_width = mr_dtype_bits(from_type), to_width = mr_dtype_bits(to_type);
  mr_dtype from_bits = mr_dtype_unsigned_of(from_width), to_bits = mr_dtype_unsigned_of(to_width);
  bool complex_types = mr_dtype_is_complex(from_type) || mr_dtype_is_complex(to_type);
  if (!complex_types && from_width == to_width) {
    return (mr_elem){mr_l_bitcast(lw->p, to_type, mr_lw_element(lw, x, at).re), 0};
  }
  if (complex_types || from_bits == MR_INVALID || to_bits == MR_INVALID) {
    mr_lw_fail(lw, mr_error(MR_UNIMPLEMENTED, "bitcast_convert from %s to %s", mr_dtype_name(from_type),
                            mr_dtype_name(to_type)));
    return zero_of(lw, to_type);
  }
  const mr_ix *storage[MR_MAX_RANK], *source[MR_MAX_RANK + 1];
  at = mr_lw_vector(lw, to, at, storage);
  if (from_width > to_width) {
    mr_lv wide = mr_lw_element(lw, x, mr_at(at.n - 1, at.at)).re;
    return (mr_elem){narrow_bits(lw, wide, from_bits, to_type, to_bits, at.at[at.n - 1]), 0};
  }
  if (at.n) {
    memcpy(source, at.at, at.n * sizeof source[0]);
  }
  mr_lv bits = mr_l_int(lw->p, to_bits, 0);
  for (unsigned part = 0; part < to_width / from_width; part++) {
    source[at.n] = mr_ix_const(&lw->ix, part);
    mr_lv piece = mr_l_bitcast(lw->p, from_bits, mr_lw_element(lw, x, mr_at(at.n + 1, source)).re);
    piece = mr_l_binary(lw->p, MR_OP_shift_left, to_bits, mr_l_convert(lw->p, to_bits, piece),
                        mr_l_int(lw->p, to_bits, (int64_t)part * from_width));
    bits = mr_l_binary(lw->p, MR_OP_or, to_bits, bits, piece);
  }
  return (mr_elem){mr_l_bitcast(lw->p, to_type, bits), 0};
}

mr_elem mr_lw_of_map(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  mr_elem *args = mr_lw_alloc(lw, (op->num_operands + 1) * sizeof *args), out = {0};
  for (uint32_t i = 0; i < op->num_operands; i++) {
    args[i] = mr_lw_element(lw, mr_op_operand(op, i), at);
  }
  mr_lw_region(lw, op->regions[0], args, &out);
  return out;
}

mr_elem mr_lw_of_dimension_size(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  (void)at;
  int64_t d = mr_op_int(op, MR_ATTR_dimension, 0);
  return mr_lw_constant(lw, op->results[0].type.dtype, (double)mr_op_operand(op, 0)->type.dims[d]);
}
