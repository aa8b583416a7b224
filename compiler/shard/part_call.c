// Calls: those of the host that run on one device, and those that look at shardings.
#include <assert.h>
#include <string.h>

#include "compiler/shard/partition.h"

// The device that a call is to run on, -1 when it is not bound to one.
static mr_status device_of(mr_part *p, const mr_op *op, int64_t *out_device) {
  const mr_attr *attr = mr_op_extra(op, "sdy.sharding");
  *out_device = -1;
  if (!attr || attr->kind != MR_ATTR_TEXT) {
    return MR_OK;
  }
  uint32_t count;
  const mr_sharding **list;
  MR_TRY(mr_sharding_parse_list(p->module, attr->string, &count, &list));
  if (count && list[0]->mesh && list[0]->mesh->maximal >= 0) {
    *out_device = list[0]->mesh->maximal;
    assert(*out_device < p->grid->num_devices);  // import.c has looked
  }
  return MR_OK;
}

// i1 scalar: whether this device is it.
static mr_value *is_device(mr_part *p, int64_t device) {
  mr_type type = mr_type_scalar(MR_U32);
  mr_op *id = mr_build(&p->b, MR_OP_partition_id, 0, NULL, 1, &type, 0);
  return id ? mr_build_compare(&p->b, MR_COMPARE_EQ, MR_COMPARE_UNSIGNED, &id->results[0],
                               mr_build_splat_int(&p->b, &type, device))
            : NULL;
}

// What the other devices have instead of the call: zeros, and tokens as they came.
static mr_value *instead(mr_part *p, const mr_op *op, const mr_type *type) {
  if (type->kind == MR_TYPE_TENSOR) {
    return mr_build_splat_int(&p->b, type, 0);
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    if (mr_op_operand(op, i)->type.kind == type->kind) {
      return mr_part_get_replicated(p, mr_op_operand(op, i));
    }
  }
  mr_op *token = mr_build(&p->b, MR_OP_create_token, 0, NULL, 1, type, 0);
  return token ? &token->results[0] : NULL;
}

static mr_status fill_branch(mr_part *p, mr_op *op, mr_block *block, mr_value **values, const mr_type *types,
                             bool calls) {
  mr_builder outside = p->b;
  p->b = mr_builder_at_end(block);
  mr_value **results = mr_arena_array(&p->module->arena, mr_value *, op->num_results + 1);
  if (!results) {
    return MR_NO_MEMORY();
  }
  mr_op *call = calls ? mr_part_clone(p, op, values, types) : NULL;
  for (uint32_t i = 0; i < op->num_results; i++) {
    results[i] = call ? &call->results[i] : instead(p, op, &types[i]);
  }
  mr_build_return(&p->b, op->num_results, results);
  p->b = outside;
  return mr_module_memory(p->module);
}

// From the device that has it to all others.
static mr_value *spread_from(mr_part *p, mr_value *value, int64_t device) {
  int64_t count = p->grid->num_devices;
  int64_t *ids = mr_arena_array(&p->module->arena, int64_t, count);
  mr_op *op = ids ? mr_build(&p->b, MR_OP_collective_broadcast, 1, &value, 1, &value->type, 0) : NULL;
  if (!op) {
    p->module->out_of_memory = true;
    return NULL;
  }
  ids[0] = device;
  for (int64_t i = 0, at = 1; i < count; i++) {
    if (i != device) {
      ids[at++] = i;
    }
  }
  mr_attr groups = {
      .key = MR_ATTR_replica_groups,
      .name = {mr_attr_key_name(MR_ATTR_replica_groups), strlen(mr_attr_key_name(MR_ATTR_replica_groups))},
      .kind = MR_ATTR_INTS,
      .dtype = MR_S64,
      .ints = {ids, (size_t)count},
      .rows = 1};
  mr_op_set_attr(p->module, op, groups);
  mr_op_set_int(p->module, op, MR_ATTR_channel_id, 1);
  mr_op_set_int(p->module, op, MR_ATTR_channel_type, 1);
  p->spread.bytes_moved += mr_type_bytes(&value->type);
  return &op->results[0];
}

// A call that one device makes, with whole operands; what it gives goes to all, who are asked for it.
static mr_status call_on_one(mr_part *p, mr_op *op, int64_t device) {
  mr_value **operands;
  mr_type *types;
  MR_TRY(mr_part_room(p, op, &operands, &types));
  for (uint32_t i = 0; i < op->num_operands; i++) {
    operands[i] = mr_part_get_replicated(p, mr_op_operand(op, i));
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    types[i] = op->results[i].type;
  }
  mr_value *which = mr_build_convert(&p->b, is_device(p, device), MR_S32);
  MR_TRY(mr_module_memory(p->module));
  mr_op *branches = mr_build(&p->b, MR_OP_case, 1, &which, op->num_results, types, 2);
  MR_TRY(mr_module_memory(p->module));
  MR_TRY(fill_branch(p, op, branches->regions[0], operands, types, false));
  MR_TRY(fill_branch(p, op, branches->regions[1], operands, types, true));
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_value *value = &branches->results[i];
    bool tensor = value->type.kind == MR_TYPE_TENSOR;
    mr_tiling whole = mr_tiling_replicated(tensor ? value->type.rank : 0);
    bool wanted = tensor && !mr_value_is_unused(&op->results[i]);
    mr_part_set(p, &op->results[i], wanted ? spread_from(p, value, device) : value, &whole);
  }
  return mr_module_memory(p->module);
}

static bool all_unused(const mr_op *op) {
  for (uint32_t i = 0; i < op->num_results; i++) {
    if (!mr_value_is_unused(&op->results[i])) {
      return false;
    }
  }
  return true;
}

// A call that each device makes with what it has, and that gives nothing but a token: a partitioned callback, an order of two ops.
static bool is_made_by_each(const mr_op *op) {
  bool tensors = false;
  for (uint32_t i = 0; i < op->num_results; i++) {
    tensors |= op->results[i].type.kind == MR_TYPE_TENSOR;
  }
  mr_str target = mr_op_string(op, MR_ATTR_call_target_name);
  return !tensors && (mr_str_is(target, "xla_ffi_partitioned_python_cpu_callback") || mr_str_is(target, "control_dep"));
}

static mr_status call_on_each(mr_part *p, mr_op *op) {
  mr_value **operands;
  mr_type *types;
  MR_TRY(mr_part_room(p, op, &operands, &types));
  for (uint32_t i = 0; i < op->num_operands; i++) {
    // As propagation has it, which the host sees: how an op was done on the way may be cut more.
    mr_tiling tiling;
    (void)mr_part_wanted(p, mr_op_operand(op, i), &tiling);
    tiling.unreduced = 0;
    operands[i] = mr_part_get(p, mr_op_operand(op, i), &tiling);
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    types[i] = op->results[i].type;
  }
  MR_TRY(mr_module_memory(p->module));
  mr_op *call = mr_part_clone(p, op, operands, types);
  for (uint32_t i = 0; call && i < op->num_results; i++) {
    mr_tiling whole = mr_tiling_replicated(0);
    mr_part_set(p, &op->results[i], &call->results[i], &whole);
  }
  return mr_module_memory(p->module);
}

mr_status mr_local_call(mr_part *p, mr_op *op, bool *out_done) {
  // The host saw the sharding when it was known.
  if (mr_str_is(mr_op_string(op, MR_ATTR_call_target_name), "InspectSharding") && all_unused(op)) {
    *out_done = true;
    return MR_OK;
  }
  if (is_made_by_each(op)) {
    *out_done = true;
    return call_on_each(p, op);
  }
  int64_t device;
  MR_TRY(device_of(p, op, &device));
  if (device < 0 || p->spread.manual) {
    return MR_OK;
  }
  *out_done = true;
  return call_on_one(p, op, device);
}
