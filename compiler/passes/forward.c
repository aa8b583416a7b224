// Values that only pass through an op on one device: the op goes, its operands take the place of its results.
#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

// Custom calls that annotate their operand.
static bool is_identity_call(const mr_op *op) {
  static const char *const targets[] = {
      "Sharding",         "SPMDFullToShardShape", "SPMDShardToFullShape", "annotate_device_placement",
      "LayoutConstraint", "MoveToHost",           "MoveToDevice"};
  mr_str target = mr_op_string(op, MR_ATTR_call_target_name);
  for (size_t i = 0; i < MR_ARRAY_SIZE(targets); i++) {
    if (mr_str_is(target, targets[i])) {
      return true;
    }
  }
  return false;
}

// A call that looks at values for the sake of the partitioner.
static bool is_idle_call(const mr_op *op) {
  return mr_str_is(mr_op_string(op, MR_ATTR_call_target_name), "InspectSharding");
}

static bool keeps_types(const mr_op *op) {
  if (op->num_operands != op->num_results) {
    return false;
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    if (!mr_type_compatible(&op->operands[i].value->type, &op->results[i].type)) {
      return false;
    }
  }
  return true;
}

static void forward_operands(mr_op *op) {
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_value_replace_all_uses(&op->results[i], mr_op_operand(op, i));
  }
  mr_op_erase(op);
}

static bool all_unused(const mr_op *op) {
  for (uint32_t i = 0; i < op->num_results; i++) {
    if (!mr_value_is_unused(&op->results[i])) {
      return false;
    }
  }
  return true;
}

static mr_status forward_sdy_other(mr_op *op, bool *out_changed) {
  const mr_attr *value = mr_op_attr(op, MR_ATTR_value);
  *out_changed = true;
  if (op->num_operands == 0 && op->num_results == 1 && value && value->kind == MR_ATTR_DENSE) {
    mr_builder b = mr_builder_before(op);
    mr_replace(op, mr_build_constant(&b, &value->dense));
    return MR_OK;
  }
  if (op->num_results == 0 && op->num_regions == 0) {
    mr_op_erase(op);
    return MR_OK;
  }
  if (op->num_regions == 0 && keeps_types(op)) {
    forward_operands(op);
    return MR_OK;
  }
  return mr_unimplemented(op, "has no meaning on one device that is known here");
}

static mr_status forward_custom_call(mr_op *op, bool *out_changed) {
  MR_TRY(mr_forward_twin_call(op, out_changed));
  if (*out_changed) {
    return MR_OK;
  }
  if (is_identity_call(op)) {
    if (!keeps_types(op)) {
      return mr_unimplemented(op, "%.*s changes its operand's type",
                              MR_STR_ARG(mr_op_string(op, MR_ATTR_call_target_name)));
    }
    forward_operands(op);
    *out_changed = true;
  } else if (is_idle_call(op) && all_unused(op)) {
    mr_op_erase(op);
    *out_changed = true;
  }
  return MR_OK;
}

// What has no meaning on any number of devices.
static mr_status forward_plain(mr_op *op, bool *out_changed) {
  if (op->kind == MR_OP_custom_call) {
    return mr_forward_twin_call(op, out_changed);
  }
  if (op->kind == MR_OP_cast) {
    if (!keeps_types(op)) {
      return mr_unimplemented(op, "between different types");
    }
    forward_operands(op);
    *out_changed = true;
  } else if (op->kind == MR_OP_get_tuple_element) {
    const mr_op *tuple = mr_op_operand(op, 0)->def;
    if (tuple && tuple->kind == MR_OP_tuple) {
      *out_changed = mr_replace(op, mr_op_operand(tuple, (uint32_t)mr_op_int(op, MR_ATTR_index, 0)));
    }
  }
  return MR_OK;
}

static mr_status rewrite(mr_op *op, bool *out_changed) {
  switch (op->kind) {
  case MR_OP_optimization_barrier:
  case MR_OP_sdy_sharding_constraint:
  case MR_OP_sdy_propagation_barrier:
  case MR_OP_sdy_data_flow_edge:
    forward_operands(op);
    *out_changed = true;
    return MR_OK;
  case MR_OP_sdy_sharding_group:
    mr_op_erase(op);
    *out_changed = true;
    return MR_OK;
  case MR_OP_cast:
  case MR_OP_get_tuple_element: return forward_plain(op, out_changed);
  case MR_OP_sdy_other: return forward_sdy_other(op, out_changed);
  case MR_OP_custom_call: return forward_custom_call(op, out_changed);
  default: return MR_OK;
  }
}

static bool is_aggregate(const mr_type *type) { return type->kind == MR_TYPE_TUPLE || type->kind == MR_TYPE_FUTURE; }

// Tuples that are taken apart where they are made are gone; others (loops over tuples, futures) nobody behind knows.
static mr_status refuse_aggregates(const mr_function *entry) {
  for (uint32_t i = 0; i < entry->body.num_args; i++) {
    if (is_aggregate(&entry->body.args[i]->type)) {
      return mr_error(MR_UNIMPLEMENTED, "parameter %u of @%.*s is a tuple", i, MR_STR_ARG(entry->name));
    }
  }
  if (!(entry->module->made_types & MR_MADE_AGGREGATES)) {
    return MR_OK;
  }
  for (mr_op *op = mr_walk_first(&entry->body); op; op = mr_walk_next(op, &entry->body)) {
    for (uint32_t i = 0; i < op->num_results; i++) {
      if (is_aggregate(&op->results[i].type) && !mr_value_is_unused(&op->results[i])) {
        return mr_unimplemented(op, "result %u is a tuple or a future", i);
      }
    }
  }
  return MR_OK;
}

// Tuples in tuples: the inner one is unused once the outer one is gone.
static void drop_unused_tuples(mr_function *entry) {
  bool again = entry->module->made[MR_OP_tuple] || entry->module->made[MR_OP_get_tuple_element];
  while (again) {
    again = false;
    for (mr_op *op = mr_walk_first(&entry->body), *next; op; op = next) {
      next = mr_walk_next(op, &entry->body);
      if ((op->kind == MR_OP_tuple || op->kind == MR_OP_get_tuple_element) && mr_value_is_unused(&op->results[0])) {
        mr_op_erase(op);
        again = true;
      }
    }
  }
}

mr_status mr_pass_forward(mr_module *module) {
  static const mr_op_kind kinds[] = {MR_OP_optimization_barrier,
                                     MR_OP_sdy_sharding_constraint,
                                     MR_OP_sdy_propagation_barrier,
                                     MR_OP_sdy_data_flow_edge,
                                     MR_OP_sdy_sharding_group,
                                     MR_OP_cast,
                                     MR_OP_get_tuple_element,
                                     MR_OP_sdy_other,
                                     MR_OP_custom_call};
  MR_TRY(mr_sweep_for(module, rewrite, kinds, MR_ARRAY_SIZE(kinds)));
  drop_unused_tuples(mr_module_entry(module));
  return refuse_aggregates(mr_module_entry(module));
}

mr_status mr_pass_forward_plain(mr_module *module) {
  static const mr_op_kind kinds[] = {MR_OP_cast, MR_OP_get_tuple_element, MR_OP_custom_call};
  MR_TRY(mr_sweep_for(module, forward_plain, kinds, MR_ARRAY_SIZE(kinds)));
  drop_unused_tuples(mr_module_entry(module));
  return MR_OK;
}
