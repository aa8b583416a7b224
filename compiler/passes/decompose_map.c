// map: its region on scalars becomes the same ops on whole tensors.
#include "compiler/passes/decompose.h"

static bool can_widen(const mr_op *op) {
  return mr_op_kind_is_elementwise(op->kind) || op->kind == MR_OP_constant ||
         (op->kind == MR_OP_bitcast_convert && op->results[0].type.rank == 0);
}

// The value as a tensor of the map's shape: what the region made has been widened, anything else is a scalar.
static mr_value *widened(mr_builder *b, mr_value_map *map, mr_value *value, const mr_type *shape) {
  mr_value *mapped = mr_value_map_get(map, value);
  return mapped->type.rank == shape->rank ? mapped : mr_build_spread(b, mapped, shape);
}

static bool widen_op(mr_builder *b, mr_op *op, mr_value_map *map, const mr_type *shape) {
  if (op->kind == MR_OP_constant) {
    return mr_op_clone(b, op, map) != NULL;
  }
  mr_value *operands[3];
  for (uint32_t i = 0; i < op->num_operands; i++) {
    operands[i] = widened(b, map, mr_op_operand(op, i), shape);
  }
  mr_type type = mr_type_with_dtype(shape, op->results[0].type.dtype);
  mr_value *wide = mr_build_like(b, op, operands, &type);
  if (!wide) {
    return false;
  }
  mr_value_map_set(map, &op->results[0], wide);
  return true;
}

mr_status mr_decompose_map(mr_op *op, bool *out_changed) {
  mr_module *module = mr_op_module(op);
  mr_block *block = op->regions[0];
  mr_op *terminator = mr_block_terminator(block);
  for (mr_op *inner = block->first; inner != terminator; inner = inner->next) {
    if (!can_widen(inner)) {
      return MR_OK;  // the back end runs the region element by element
    }
  }
  mr_builder b = mr_builder_before(op);
  mr_value_map *map = mr_value_map_create(module);
  const mr_type *shape = &op->operands[0].value->type;
  for (uint32_t i = 0; i < op->num_operands; i++) {
    mr_value_map_set(map, block->args[i], mr_op_operand(op, i));
  }
  for (mr_op *inner = block->first; inner != terminator; inner = inner->next) {
    if (!widen_op(&b, inner, map, shape)) {
      return mr_module_memory(module);
    }
  }
  *out_changed = mr_replace(op, widened(&b, map, mr_op_operand(terminator, 0), shape));
  return mr_module_memory(module);
}
