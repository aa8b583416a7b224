// Ops whose source coordinates are read from tensors: dynamic slices and gather.
#include "compiler/lower/element.h"

#include <string.h>

#include "compiler/ir/in_place.h"

const mr_ix *mr_lw_start(mr_lower *lw, const mr_value *scalar, int64_t hi) {
  int64_t known;
  if (mr_known_start(scalar, hi, &known)) {  // so that a slice and an update at one known place are seen to be one
    return mr_ix_const(&lw->ix, known);
  }
  return mr_ix_dyn(&lw->ix, scalar, mr_at(0, NULL), true, 0, hi);
}

mr_elem mr_lw_of_dynamic_slice(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  const mr_value *x = mr_op_operand(op, 0);
  const mr_type *to = &op->results[0].type;
  const mr_ix *storage[MR_MAX_RANK], *source[MR_MAX_RANK];
  at = mr_lw_vector(lw, to, at, storage);
  for (uint32_t d = 0; d < at.n; d++) {
    const mr_ix *start = mr_lw_start(lw, mr_op_operand(op, 1 + d), x->type.dims[d] - to->dims[d]);
    source[d] = mr_ix_add(&lw->ix, at.at[d], start);
  }
  return mr_lw_element(lw, x, mr_at(at.n, source));
}

// As a producer: the update's element inside the window, the operand's outside.
mr_elem mr_lw_of_update_slice(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  const mr_value *x = mr_op_operand(op, 0), *update = mr_op_operand(op, 1);
  const mr_ix *storage[MR_MAX_RANK], *source[MR_MAX_RANK];
  at = mr_lw_vector(lw, &x->type, at, storage);
  mr_lv condition = 0;
  for (uint32_t d = 0; d < at.n; d++) {
    int64_t size = update->type.dims[d];
    const mr_ix *start = mr_lw_start(lw, mr_op_operand(op, 2 + d), x->type.dims[d] - size);
    source[d] = mr_ix_sub(&lw->ix, at.at[d], start);
    if (size == x->type.dims[d]) {
      continue;
    }
    mr_range_answer answer = mr_lw_range(lw, source[d], 0, size);
    if (answer == MR_RANGE_NEVER) {
      return mr_lw_element(lw, x, at);
    }
    if (answer == MR_RANGE_ASK) {
      condition = mr_lw_and(lw, condition, mr_lw_in_range(lw, source[d], 0, size));
    }
  }
  if (!condition) {
    return mr_lw_element(lw, update, mr_at(at.n, source));
  }
  mr_elem var = mr_lw_var(lw, mr_lw_constant(lw, x->type.dtype, 0));
  mr_lw_if(lw, condition);
  mr_lw_set(lw, var, mr_lw_element(lw, update, mr_at(at.n, source)));
  mr_lw_else(lw);
  mr_lw_set(lw, var, mr_lw_element(lw, x, at));
  mr_lw_end(lw);
  return mr_lw_get(lw, var);
}

// The batch coordinate that belongs to dimension `dim` of the indices.
static const mr_ix *batch_of(const mr_ix *const *batch, int64_t dim, int64_t vector_dim) {
  return batch[dim > vector_dim ? dim - 1 : dim];
}

mr_elem mr_lw_of_gather(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  const mr_value *x = mr_op_operand(op, 0), *indices = mr_op_operand(op, 1);
  const mr_type *to = &op->results[0].type;
  mr_ints offset_dims = mr_op_ints(op, MR_ATTR_offset_dims), collapsed = mr_op_ints(op, MR_ATTR_collapsed_slice_dims);
  mr_ints batching = mr_op_ints(op, MR_ATTR_operand_batching_dims);
  mr_ints index_batching = mr_op_ints(op, MR_ATTR_start_indices_batching_dims);
  mr_ints map = mr_op_ints(op, MR_ATTR_start_index_map), sizes = mr_op_ints(op, MR_ATTR_slice_sizes);
  int64_t vector_dim = mr_op_int(op, MR_ATTR_index_vector_dim, 0);
  const mr_ix *storage[MR_MAX_RANK], *batch[MR_MAX_RANK + 1], *source[MR_MAX_RANK], *index[MR_MAX_RANK + 1];
  at = mr_lw_vector(lw, to, at, storage);
  uint32_t num_batch = 0, offset = 0;
  for (uint32_t d = 0; d < at.n; d++) {
    if (!mr_ints_has(offset_dims, d)) {
      batch[num_batch++] = at.at[d];
    }
  }
  for (uint32_t d = 0; d < x->type.rank; d++) {
    source[d] = mr_ix_const(&lw->ix, 0);
    if (!mr_ints_has(collapsed, d) && !mr_ints_has(batching, d)) {
      source[d] = at.at[offset_dims.data[offset++]];
    }
  }
  for (size_t k = 0; k < batching.size; k++) {
    source[batching.data[k]] = batch_of(batch, index_batching.data[k], vector_dim);
  }
  for (size_t k = 0; k < map.size; k++) {
    uint32_t n = 0;
    for (uint32_t d = 0; d < indices->type.rank; d++) {
      index[d] = d == (uint32_t)vector_dim ? mr_ix_const(&lw->ix, (int64_t)k) : batch[n++];
    }
    int64_t d = map.data[k];
    const mr_ix *start =
        mr_ix_dyn(&lw->ix, indices, mr_at(indices->type.rank, index), true, 0, x->type.dims[d] - sizes.data[d]);
    source[d] = mr_ix_add(&lw->ix, source[d], start);
  }
  return mr_lw_element(lw, x, mr_at(x->type.rank, source));
}
