// Shape rules of the ops that are told places: slices and updates at indices, and gathers.
#include "compiler/ir/infer_internal.h"

// Operands from `first` on are `count` integer scalars of one type.
static mr_status check_indices(const mr_infer *in, uint32_t first, uint32_t count) {
  if (in->op->num_operands != first + count) {
    return mr_op_error(in->op, "has %u operands, wanted %u", in->op->num_operands, first + count);
  }
  for (uint32_t i = first; i < first + count; i++) {
    MR_TRY(mr_infer_rank(in, i, 0));
    MR_TRY(mr_infer_integer(in, i));
    if (mr_infer_type(in, i)->dtype != mr_infer_type(in, first)->dtype) {
      return mr_op_error(in->op, "index %u has elements %s, the first %s", i - first,
                         mr_dtype_name(mr_infer_type(in, i)->dtype), mr_dtype_name(mr_infer_type(in, first)->dtype));
    }
  }
  return MR_OK;
}

mr_status mr_rule_dynamic_slice(const mr_infer *in) {
  if (in->op->num_operands == 0) {
    return mr_op_error(in->op, "has no operands, wanted one at least");
  }
  MR_TRY(mr_infer_tensor(in, 0));
  const mr_type *x = mr_infer_type(in, 0);
  mr_ints sizes;
  MR_TRY(check_indices(in, 1, x->rank));
  MR_TRY(mr_infer_ints(in, MR_ATTR_slice_sizes, x->rank, &sizes));
  for (uint32_t d = 0; d < x->rank; d++) {
    if (sizes.data[d] < 0 || (x->dims[d] >= 0 && sizes.data[d] > x->dims[d])) {
      return mr_op_error(in->op, "slice size %lld in dimension %u of size %lld", (long long)sizes.data[d], d,
                         (long long)x->dims[d]);
    }
  }
  return mr_infer_result(in, 0, x->dtype, x->rank, sizes.data);
}

mr_status mr_rule_dynamic_update_slice(const mr_infer *in) {
  if (in->op->num_operands < 2) {
    return mr_op_error(in->op, "has %u operands, wanted at least 2", in->op->num_operands);
  }
  MR_TRY(mr_infer_tensor(in, 0));
  const mr_type *x = mr_infer_type(in, 0), *update = mr_infer_type(in, 1);
  MR_TRY(mr_infer_rank(in, 1, x->rank));
  MR_TRY(check_indices(in, 2, x->rank));
  if (update->dtype != x->dtype) {
    return mr_op_error(in->op, "update has elements %s, wanted %s", mr_dtype_name(update->dtype),
                       mr_dtype_name(x->dtype));
  }
  for (uint32_t d = 0; d < x->rank; d++) {
    if (x->dims[d] >= 0 && update->dims[d] > x->dims[d]) {
      return mr_op_error(in->op, "update is larger (%lld) than dimension %u (%lld)", (long long)update->dims[d], d,
                         (long long)x->dims[d]);
    }
  }
  in->out[0] = *x;
  return MR_OK;
}

// ---- Gather --------------------------------------------------------------------------------------------------------

typedef struct gather_dims {
  mr_ints offset, collapsed, operand_batching, indices_batching, start_map, sizes;
  int64_t index_vector;
} gather_dims;

static mr_status check_gather_maps(const mr_infer *in, gather_dims *g) {
  const mr_type *x = mr_infer_type(in, 0), *indices = mr_infer_type(in, 1);
  MR_TRY(mr_infer_int(in, MR_ATTR_index_vector_dim, 0, indices->rank, &g->index_vector));
  int64_t vector = g->index_vector < indices->rank ? indices->dims[g->index_vector] : 1;
  MR_TRY(mr_infer_dims(in, MR_ATTR_start_index_map, MR_ANY_LENGTH, x->rank, &g->start_map));
  MR_TRY(mr_infer_dims(in, MR_ATTR_collapsed_slice_dims, MR_ANY_LENGTH, x->rank, &g->collapsed));
  MR_TRY(mr_infer_dims(in, MR_ATTR_operand_batching_dims, MR_ANY_LENGTH, x->rank, &g->operand_batching));
  MR_TRY(mr_infer_dims(in, MR_ATTR_start_indices_batching_dims, g->operand_batching.size, indices->rank,
                       &g->indices_batching));
  if (!mr_dim_agrees(vector, (int64_t)g->start_map.size)) {
    return mr_op_error(in->op, "start_index_map has %zu entries, an index %lld", g->start_map.size, (long long)vector);
  }
  return mr_infer_index_batching(in, indices,
                                 &(mr_index_batching){.operand = g->operand_batching,
                                                      .indices = g->indices_batching,
                                                      .dropped = g->collapsed,
                                                      .mapped = g->start_map,
                                                      .index_vector = g->index_vector});
}

static mr_status check_gather_sizes(const mr_infer *in, const gather_dims *g) {
  const mr_type *x = mr_infer_type(in, 0);
  for (uint32_t d = 0; d < x->rank; d++) {
    int64_t size = g->sizes.data[d];
    bool dropped = mr_ints_has(g->collapsed, d) || mr_ints_has(g->operand_batching, d);
    if (size < 0 || (x->dims[d] >= 0 && size > x->dims[d]) || (dropped && size > 1)) {
      return mr_op_error(in->op, "slice size %lld in dimension %u of size %lld%s", (long long)size, d,
                         (long long)x->dims[d], dropped ? ", which is dropped" : "");
    }
  }
  return MR_OK;
}

mr_status mr_rule_gather(const mr_infer *in) {
  bool dynamic = in->op->kind == MR_OP_dynamic_gather;
  gather_dims g;
  MR_TRY(mr_infer_tensor(in, 0));
  MR_TRY(mr_infer_integer(in, 1));
  const mr_type *x = mr_infer_type(in, 0), *indices = mr_infer_type(in, 1);
  MR_TRY(check_gather_maps(in, &g));
  int64_t unknown[MR_MAX_RANK];
  if (dynamic) {
    MR_TRY(mr_infer_rank(in, 2, 1));
    MR_TRY(mr_infer_integer(in, 2));
    for (uint32_t d = 0; d < x->rank; d++) {
      unknown[d] = MR_DYNAMIC;
    }
    g.sizes = (mr_ints){unknown, x->rank};
  } else {
    MR_TRY(mr_infer_ints(in, MR_ATTR_slice_sizes, x->rank, &g.sizes));
    MR_TRY(check_gather_sizes(in, &g));
  }
  uint32_t batch = indices->rank - (g.index_vector < indices->rank ? 1 : 0);
  uint32_t kept = x->rank - (uint32_t)(g.collapsed.size + g.operand_batching.size);
  uint32_t rank = batch + kept;
  MR_TRY(mr_infer_dims(in, MR_ATTR_offset_dims, kept, rank, &g.offset));
  if (rank > MR_MAX_RANK) {
    return mr_op_error(in->op, "result has rank %u, at most %d are supported", rank, MR_MAX_RANK);
  }
  int64_t dims[MR_MAX_RANK];
  uint32_t next_batch = 0, next_offset = 0;
  for (uint32_t d = 0; d < rank; d++) {
    if (mr_ints_has(g.offset, d)) {
      while (mr_ints_has(g.collapsed, next_offset) || mr_ints_has(g.operand_batching, next_offset)) {
        next_offset++;
      }
      dims[d] = g.sizes.data[next_offset++];
    } else {
      next_batch += next_batch == g.index_vector;
      dims[d] = indices->dims[next_batch++];
    }
  }
  return mr_infer_result(in, 0, x->dtype, rank, dims);
}

mr_status mr_rule_torch_index_select(const mr_infer *in) {
  MR_TRY(mr_infer_tensor(in, 0));
  MR_TRY(mr_infer_integer(in, 1));
  const mr_type *x = mr_infer_type(in, 0), *index = mr_infer_type(in, 1);
  int64_t dim, batch, dims[2 * MR_MAX_RANK];
  MR_TRY(mr_infer_int(in, MR_ATTR_dim, 0, (int64_t)x->rank - 1, &dim));
  MR_TRY(mr_infer_int(in, MR_ATTR_batch_dims, 0, MR_MIN(dim, (int64_t)index->rank), &batch));
  uint32_t rank = 0;
  for (int64_t d = 0; d < dim; d++) {
    if (d < batch && !mr_dim_agrees(x->dims[d], index->dims[d])) {
      return mr_op_error(in->op, "batch dimension %lld has sizes %lld and %lld", (long long)d, (long long)x->dims[d],
                         (long long)index->dims[d]);
    }
    dims[rank++] = x->dims[d];
  }
  for (int64_t d = batch; d < index->rank; d++) {
    dims[rank++] = index->dims[d];
  }
  for (int64_t d = dim + 1; d < x->rank; d++) {
    dims[rank++] = x->dims[d];
  }
  return mr_infer_result(in, 0, x->dtype, rank, dims);
}
