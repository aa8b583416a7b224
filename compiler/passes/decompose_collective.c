// Collectives of a program for one device: every group is that device. For several: reductions with a region that the devices do not
// know themselves are gathered and folded by each.
#include "compiler/ir/fold.h"
#include "compiler/passes/decompose.h"

static bool sends_to_itself(const mr_op *op) {
  mr_ints pairs = mr_op_ints(op, MR_ATTR_source_target_pairs);
  for (size_t i = 0; i + 1 < pairs.size; i += 2) {
    if (pairs.data[i] == 0 && pairs.data[i + 1] == 0) {
      return true;
    }
  }
  return false;
}

// ---- Regions ----------------------------------------------------------------------------------------------------------------

// How many devices each group has; 0: not as many in each.
static int64_t group_size(const mr_op *op) {
  const mr_module *module = mr_op_module(op);
  const mr_attr *groups = mr_op_attr(op, MR_ATTR_replica_groups), *flat = mr_op_attr(op, MR_ATTR_use_global_device_ids);
  int64_t replicas = mr_module_replicas(module), partitions = mr_module_partitions(module);
  bool channel = mr_op_int(op, MR_ATTR_channel_id, 0) > 0;
  bool global = channel && flat && flat->kind == MR_ATTR_INT && flat->integer;
  if (!groups || (groups->kind == MR_ATTR_INTS && groups->ints.size == 0)) {
    return channel ? replicas * partitions : replicas;
  }
  if (groups->kind != MR_ATTR_INTS || groups->rows <= 0 || mr_ints_has(groups->ints, -1)) {
    return 0;
  }
  return (int64_t)groups->ints.size / groups->rows * (channel && !global ? partitions : 1);
}

// The region on each pair of elements, by the op that does that within one device.
static mr_value *fold_pair(mr_builder *b, mr_module *module, const mr_block *region, mr_value *x, mr_value *y) {
  int64_t dims[MR_MAX_RANK];
  for (uint32_t d = 0; x && d < x->type.rank; d++) {
    dims[d] = d;
  }
  mr_op *map = x && y ? mr_build(b, MR_OP_map, 2, (mr_value *[]){x, y}, 1, &x->type, 1) : NULL;
  mr_value_map *values = mr_value_map_create(module);
  if (!map || !values) {
    return NULL;
  }
  mr_op_set_ints(module, map, MR_ATTR_dimensions, (mr_ints){dims, x->type.rank});
  for (uint32_t i = 0; i < 2; i++) {
    mr_value_map_set(values, region->args[i], mr_block_add_arg(module, map->regions[0], &region->args[i]->type));
  }
  mr_builder inner = mr_builder_at_end(map->regions[0]);
  if (!mr_block_clone_into(&inner, region, values)) {
    return NULL;
  }
  mr_value *result = mr_value_map_get(values, mr_block_terminator(region)->operands[0].value);
  mr_build_return(&inner, 1, &result);
  return &map->results[0];
}

// What all of the group have of the operand, or of one's part of it, along a new first dimension.
static mr_value *gather(mr_builder *b, mr_op *op, mr_value *x, const mr_type *result, int64_t size) {
  mr_module *module = mr_op_module(op);
  int64_t dims[MR_MAX_RANK];
  dims[0] = 1;
  for (uint32_t d = 0; d < x->type.rank; d++) {
    dims[d + 1] = x->type.dims[d];
  }
  mr_value *one = mr_build_reshape(b, x, x->type.rank + 1, dims);
  dims[0] = size;
  for (uint32_t d = 0; d < result->rank; d++) {
    dims[d + 1] = result->dims[d];
  }
  mr_type type = mr_type_tensor(module, x->type.dtype, x->type.rank + 1, dims);
  bool scatters = op->kind == MR_OP_reduce_scatter;
  mr_op *all = one ? mr_build(b, scatters ? MR_OP_all_to_all : MR_OP_all_gather, 1, &one, 1, &type, 0) : NULL;
  if (!all) {
    return NULL;
  }
  static const mr_attr_key kept[] = {MR_ATTR_replica_groups, MR_ATTR_channel_id, MR_ATTR_channel_type,
                                     MR_ATTR_use_global_device_ids};
  for (size_t i = 0; i < MR_ARRAY_SIZE(kept); i++) {
    const mr_attr *attr = mr_op_attr(op, kept[i]);
    if (attr) {
      mr_op_set_attr(module, all, *attr);
    }
  }
  if (scatters) {
    mr_op_set_int(module, all, MR_ATTR_split_dimension, mr_op_int(op, MR_ATTR_scatter_dimension, 0) + 1);
    mr_op_set_int(module, all, MR_ATTR_concat_dimension, 0);
    mr_op_set_int(module, all, MR_ATTR_split_count, size);
  } else {
    mr_op_set_int(module, all, MR_ATTR_all_gather_dim, 0);
  }
  return &all->results[0];
}

static mr_value *gather_and_fold(mr_builder *b, mr_op *op, mr_value *x, const mr_type *result, int64_t size) {
  mr_value *all = gather(b, op, x, result, size), *sum = NULL;
  for (int64_t k = 0; all && k < size; k++) {
    mr_value *slice = mr_build_slice_dim(b, all, 0, k, k + 1);
    mr_value *one = slice ? mr_build_reshape(b, slice, result->rank, result->dims) : NULL;
    sum = k ? fold_pair(b, mr_op_module(op), op->regions[0], sum, one) : one;
  }
  return sum;
}

static mr_status fold_by_region(mr_op *op, bool *out_changed) {
  enum { MOST_MEMBERS = 256 };
  mr_module *module = mr_op_module(op);
  int64_t size = group_size(op);
  // The ids of an exchange between replicas and partitions at once would mean something else.
  bool crosses = mr_op_int(op, MR_ATTR_channel_id, 0) > 0 && mr_module_replicas(module) > 1;
  if (size < 1 || size > MOST_MEMBERS || op->kind == MR_OP_collective_reduce ||
      (crosses && op->kind == MR_OP_reduce_scatter)) {
    return mr_unimplemented(op, "with a region of its own in groups of this form");
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_builder b = mr_builder_before(op);
    if (mr_op_operand(op, i)->type.rank == MR_MAX_RANK) {
      return mr_unimplemented(op, "with a region of its own on operands of rank %d", MR_MAX_RANK);
    }
    mr_value *value = gather_and_fold(&b, op, mr_op_operand(op, i), &op->results[i].type, size);
    MR_TRY(mr_module_memory(module));
    mr_value_replace_all_uses(&op->results[i], value);
  }
  mr_op_erase(op);
  *out_changed = true;
  return MR_OK;
}

// A reduction between devices: in the type of its region, and by the region where that says more than the devices know.
static mr_status settle_region(mr_op *op, bool *out_changed) {
  mr_fold fold;
  const mr_block *region = op->regions[0];
  mr_dtype dtype = region->args[0]->type.dtype;
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_value *x = mr_op_operand(op, i);
    if (x->type.dtype != dtype) {
      mr_builder b = mr_builder_before(op);
      mr_value *wide = mr_build_convert(&b, x, dtype);
      MR_TRY(mr_module_memory(mr_op_module(op)));
      mr_op_set_operand(op, i, wide);
      *out_changed = true;
    }
  }
  return mr_block_is_fold(region, &fold) ? MR_OK : fold_by_region(op, out_changed);
}

static bool folds(mr_op_kind kind) {
  return kind == MR_OP_all_reduce || kind == MR_OP_reduce_scatter || kind == MR_OP_collective_reduce;
}

// ---- All of them ------------------------------------------------------------------------------------------------------------

mr_status mr_decompose_collective(mr_op *op, bool *out_changed) {
  mr_module *module = mr_op_module(op);
  if (mr_pass_devices(module) != 1) {
    return folds(op->kind) ? settle_region(op, out_changed) : MR_OK;
  }
  mr_builder b = mr_builder_before(op);
  if (op->kind == MR_OP_partition_id || op->kind == MR_OP_replica_id) {
    *out_changed = mr_replace(op, mr_build_splat_int(&b, &op->results[0].type, 0));
    return mr_module_memory(module);
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    if (op->num_operands < op->num_results || !mr_type_same_dims(&op->operands[i].value->type, &op->results[i].type)) {
      return mr_unimplemented(op, "changes shapes in a program for one device");
    }
  }
  bool zeros = op->kind == MR_OP_collective_permute && !sends_to_itself(op);
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_value *x = mr_build_convert(&b, mr_op_operand(op, i), op->results[i].type.dtype);  // as the region promotes it
    MR_TRY(mr_module_memory(module));
    mr_value_replace_all_uses(&op->results[i], zeros ? mr_build_splat_int(&b, &x->type, 0) : x);
  }
  MR_TRY(mr_module_memory(module));
  mr_op_erase(op);
  *out_changed = true;
  return MR_OK;
}
