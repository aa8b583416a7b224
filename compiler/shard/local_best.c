// The best along a dimension that is cut: each device finds the best of its part, and the best of these are the best of all.
#include "compiler/shard/partition.h"

// What is in `from` at the places `at` along the last dimension.
static mr_value *take_along_last(mr_part *p, mr_value *from, mr_value *at) {
  uint32_t last = at->type.rank - 1;
  mr_type type = mr_type_with_dtype(&at->type, from->type.dtype);
  mr_op *gather = mr_build(&p->b, MR_OP_gather, 2, (mr_value *[]){from, at}, 1, &type, 0);
  int64_t rows[MR_MAX_RANK], ones[MR_MAX_RANK], dim = last;
  if (!gather) {
    return NULL;
  }
  for (uint32_t d = 0; d <= last; d++) {
    rows[d] = d;
    ones[d] = 1;
  }
  mr_module *module = p->module;
  mr_op_set_ints(module, gather, MR_ATTR_offset_dims, (mr_ints){0});
  mr_op_set_ints(module, gather, MR_ATTR_collapsed_slice_dims, (mr_ints){&dim, 1});
  mr_op_set_ints(module, gather, MR_ATTR_operand_batching_dims, (mr_ints){rows, last});
  mr_op_set_ints(module, gather, MR_ATTR_start_indices_batching_dims, (mr_ints){rows, last});
  mr_op_set_ints(module, gather, MR_ATTR_start_index_map, (mr_ints){&dim, 1});
  mr_op_set_ints(module, gather, MR_ATTR_slice_sizes, (mr_ints){ones, last + 1});
  mr_op_set_int(module, gather, MR_ATTR_index_vector_dim, last + 1);
  return &gather->results[0];
}

// The `k` best of the last dimension and where they are; false without memory.
static bool find_best(mr_part *p, const mr_op *op, mr_value *x, int64_t k, mr_value *out[2]) {
  mr_type types[2];
  int64_t dims[MR_MAX_RANK];
  for (uint32_t d = 0; x && d < x->type.rank; d++) {
    dims[d] = d + 1 == x->type.rank ? k : x->type.dims[d];
  }
  if (!x) {
    return false;
  }
  for (int i = 0; i < 2; i++) {
    types[i] = mr_type_tensor(p->module, op->results[i].type.dtype, x->type.rank, dims);
  }
  mr_op *made = mr_build(&p->b, MR_OP_top_k, 1, &x, 2, types, 0);
  if (!made) {
    return false;
  }
  mr_op_copy_attrs(p->module, made, op);
  mr_op_set_int(p->module, made, MR_ATTR_k, k);
  out[0] = &made->results[0];
  out[1] = &made->results[1];
  return true;
}

// Less than the dimension, which else would come whole; of several rows it might be exchanged for another dimension.
static bool pays(const mr_type *x, int64_t local, int64_t shards, int64_t best) {
  int64_t bytes = (int64_t)mr_dtype_bytes(x->dtype), times = x->rank > 1 ? shards : 1;
  return times * best * (bytes + (int64_t)sizeof(int32_t)) < local * bytes;
}

mr_status mr_local_top_k(mr_part *p, mr_op *op, bool *out_done) {
  mr_value *operand = mr_op_operand(op, 0), *best[2], *all[2];
  const mr_type *x = &operand->type;
  if (x->kind != MR_TYPE_TENSOR || x->rank == 0 || x->quant || !mr_type_is_static(x) || mr_part_is_free(operand) ||
      op->results[1].type.dtype != MR_S32) {
    return MR_OK;
  }
  mr_tiling tiling = mr_part_tiling(p, operand), whole = tiling;
  uint32_t last = x->rank - 1;
  const mr_atoms *atoms = &tiling.dims[last];
  int64_t shards = mr_atoms_shards(p->grid, atoms), local = x->dims[last] / shards, k = op->results[0].type.dims[last];
  if (shards == 1 || k == 0 || tiling.unreduced || tiling.order || !mr_part_is_even(p, x->dims[last], atoms) ||
      !pays(x, local, shards, MR_MIN(k, local))) {
    return MR_OK;
  }
  whole.dims[last] = (mr_atoms){0};
  if (!find_best(p, op, mr_part_get(p, operand, &tiling), MR_MIN(k, local), best)) {
    return mr_module_memory(p->module);
  }
  mr_value *offset = mr_spread_offset(&p->spread, &p->b, atoms, local);
  offset = offset ? mr_build_spread(&p->b, offset, &best[1]->type) : NULL;
  best[1] = mr_build_binary(&p->b, MR_OP_add, best[1], offset);
  for (int i = 0; i < 2; i++) {
    all[i] = mr_spread_all_gather(&p->spread, &p->b, best[i], last, atoms);
  }
  // Of equals the first: shards come in their order.
  if (find_best(p, op, all[0], k, best) && all[1]) {
    mr_part_set(p, &op->results[0], best[0], &whole);
    mr_part_set(p, &op->results[1], take_along_last(p, all[1], best[1]), &whole);
  }
  *out_done = true;
  return mr_module_memory(p->module);
}
