// Where a number is kept with more digits than bf16 has: what converts a result to f32 right away takes it as it was computed,
// before it was rounded, as on XLA:CPU. Nothing else does: every operation on bf16 rounds what others see.
//
// "Right away" is about the program as it came: nothing lies in between, not even a reshape or a barrier, and both are in one
// region. So the pass runs before what moves ops.
#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

// Computes in f32 what bf16 may not hold; the others' results are numbers of the type anyway.
static bool has_more_digits(const mr_op *op) {
  switch (op->kind) {
  case MR_OP_dot:
  case MR_OP_dot_general:
  case MR_OP_convolution:
  case MR_OP_iota: return true;
  case MR_OP_abs:
  case MR_OP_bitcast_convert:
  case MR_OP_clamp:
  case MR_OP_convert:
  case MR_OP_maximum:
  case MR_OP_minimum:
  case MR_OP_negate:
  case MR_OP_next_after:
  case MR_OP_reduce_precision:
  case MR_OP_select: return false;
  default: return mr_op_kind_is_elementwise(op->kind);
  }
}

static bool is_bf16(const mr_type *type) { return type->dtype == MR_BF16 && !type->quant; }

// The next use from `use` on that is a conversion to f32 beside the op.
static mr_use *next_conversion(const mr_op *op, mr_use *use) {
  while (use && (use->user->kind != MR_OP_convert || use->user->results[0].type.dtype != MR_F32 ||
                 use->user->block != op->block)) {
    use = use->next;
  }
  return use;
}

// The same op with its result in f32. Contractions add up in f32 whatever their operands are; elementwise ops have one type.
static mr_value *in_f32(mr_builder *b, const mr_op *op) {
  bool one_type = mr_op_kind_is_elementwise(op->kind);
  mr_value *operands[3] = {NULL};
  for (uint32_t i = 0; i < op->num_operands; i++) {
    operands[i] = one_type ? mr_build_convert(b, mr_op_operand(op, i), MR_F32) : mr_op_operand(op, i);
    if (!operands[i]) {
      return NULL;
    }
  }
  mr_type type = mr_type_with_dtype(&op->results[0].type, MR_F32);
  mr_op *wide = mr_build(b, op->kind, op->num_operands, operands, 1, &type, 0);
  if (!wide) {
    return NULL;
  }
  mr_op_copy_attrs(b->module, wide, op);
  return &wide->results[0];
}

static bool all_bf16(const mr_op *op) {
  bool all = op->num_results == 1 && op->num_operands <= 3 && op->num_regions == 0 && is_bf16(&op->results[0].type);
  for (uint32_t i = 0; i < op->num_operands; i++) {
    all = all && is_bf16(&mr_op_operand(op, i)->type);
  }
  return all;
}

static mr_status rewrite(mr_op *op, bool *out_changed) {
  if (!has_more_digits(op) || !all_bf16(op) || !next_conversion(op, op->results[0].uses)) {
    return MR_OK;
  }
  mr_builder b = mr_builder_before(op);
  mr_value *wide = in_f32(&b, op);
  if (!wide) {
    return mr_module_memory(b.module);
  }
  for (mr_use *use; (use = next_conversion(op, op->results[0].uses));) {
    mr_op *conversion = use->user;
    mr_value_replace_all_uses(&conversion->results[0], wide);
    mr_op_erase(conversion);
  }
  if (!mr_value_is_unused(&op->results[0])) {
    mr_value *rounded = mr_build_convert(&b, wide, MR_BF16);
    if (!rounded) {
      return mr_module_memory(b.module);
    }
    mr_value_replace_all_uses(&op->results[0], rounded);
  }
  mr_op_erase(op);
  *out_changed = true;
  return MR_OK;
}

mr_status mr_pass_excess(mr_module *module) {
  return module->round_steps || !module->made[MR_OP_convert] ? MR_OK : mr_sweep(module, rewrite);
}
