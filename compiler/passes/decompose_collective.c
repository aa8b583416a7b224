// Collectives of a program for one device: every group is that device.
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

mr_status mr_decompose_collective(mr_op *op, bool *out_changed) {
  mr_module *module = mr_op_module(op);
  if (mr_pass_devices(module) != 1) {
    return MR_OK;
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
