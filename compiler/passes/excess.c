// Where a number is kept with more digits than bf16 has: what converts a result to f32 right away takes it as it was computed,
// before it was rounded, as on XLA:CPU. Nothing else does: every operation on bf16 rounds what others see.
//
// "Right away" is about the program as it came: nothing lies in between, not even a reshape or a barrier, and both are in one
// region. So the pass runs before what moves ops. But for what does nothing (a reshape to the same shape, a choice between twice
// the same, a sum with zero), which XLA drops as it reads a program, and what it makes of constants as it reads it, which rounds.
#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"
#include "compiler/passes/simplify.h"

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

// ---- As XLA reads it --------------------------------------------------------------------------------------------------

static bool is_ascending(mr_ints dims) {
  for (size_t i = 0; i < dims.size; i++) {
    if (dims.data[i] != (int64_t)i) {
      return false;
    }
  }
  return true;
}

// A constant of this number everywhere, spread or not.
static bool is_all(const mr_value *value, double number) {
  while (value->def && (value->def->kind == MR_OP_broadcast_in_dim || value->def->kind == MR_OP_reshape)) {
    value = mr_op_operand(value->def, 0);
  }
  return mr_is_splat_of(value, number);
}

static bool is_zeros(const mr_value *value) { return is_all(value, 0) || is_all(value, -0.0); }

static mr_value *chosen(const mr_op *op) {
  mr_value *p = mr_op_operand(op, 0), *x = mr_op_operand(op, 1), *y = mr_op_operand(op, 2);
  return x == y || is_all(p, 1) ? x : is_all(p, 0) ? y : NULL;
}

// A reshape of a reshape is one reshape.
static mr_value *before_reshapes(const mr_op *op) {
  mr_value *x = mr_op_operand(op, 0);
  while (!mr_type_equal(&x->type, &op->results[0].type) && x->def && x->def->kind == MR_OP_reshape) {
    x = mr_op_operand(x->def, 0);
  }
  return x;
}

// The operand that the op hands on as it is; NULL: it does something.
static mr_value *handed_on(const mr_op *op) {
  mr_value *x = op->num_operands ? mr_op_operand(op, 0) : NULL;
  switch (op->kind) {
  case MR_OP_reshape: x = before_reshapes(op); break;
  case MR_OP_concatenate: x = op->num_operands == 1 ? x : NULL; break;
  case MR_OP_convert:
  case MR_OP_dynamic_slice:
  case MR_OP_slice: break;
  case MR_OP_dynamic_update_slice: x = mr_op_operand(op, 1); break;
  case MR_OP_reverse: x = mr_op_ints(op, MR_ATTR_dimensions).size == 0 ? x : NULL; break;
  case MR_OP_transpose: x = is_ascending(mr_op_ints(op, MR_ATTR_permutation)) ? x : NULL; break;
  case MR_OP_broadcast_in_dim: x = is_ascending(mr_op_ints(op, MR_ATTR_broadcast_dimensions)) ? x : NULL; break;
  case MR_OP_pad:
    x = mr_are_zero(mr_op_ints(op, MR_ATTR_edge_padding_low)) && mr_are_zero(mr_op_ints(op, MR_ATTR_interior_padding))
            ? x
            : NULL;
    break;
  case MR_OP_select: x = chosen(op); break;
  case MR_OP_add: x = is_zeros(x) ? mr_op_operand(op, 1) : is_zeros(mr_op_operand(op, 1)) ? x : NULL; break;
  case MR_OP_subtract: x = is_zeros(mr_op_operand(op, 1)) ? x : NULL; break;
  case MR_OP_multiply: x = is_all(x, 1) ? mr_op_operand(op, 1) : is_all(mr_op_operand(op, 1), 1) ? x : NULL; break;
  default: return NULL;
  }
  return x && mr_type_is_static(&x->type) && mr_type_equal(&x->type, &op->results[0].type) ? x : NULL;
}

static mr_status drop_what_does_nothing(mr_op *op, bool *out_changed) {
  mr_value *x = op->num_results == 1 && is_bf16(&op->results[0].type) ? handed_on(op) : NULL;
  if (x) {
    mr_value_replace_all_uses(&op->results[0], x);
    mr_op_erase(op);
    *out_changed = true;
  }
  return MR_OK;
}

static bool is_folded(mr_op_kind kind) {
  switch (kind) {
  case MR_OP_atan2:
  case MR_OP_cbrt:
  case MR_OP_exponential_minus_one:
  case MR_OP_power: return false;
  case MR_OP_broadcast_in_dim:
  case MR_OP_reshape:
  case MR_OP_transpose: return true;
  default: return mr_op_kind_is_elementwise(kind);
  }
}

// Whether XLA computes it as it reads the program. Not what is made of constants in very many steps.
static bool is_constant(const mr_op *op, int steps) {
  if (!op || steps == 0 || op->kind == MR_OP_constant) {
    return op && steps;
  }
  bool all = op->num_operands > 0 && is_folded(op->kind);
  for (uint32_t i = 0; i < op->num_operands && all; i++) {
    all = (i && mr_op_operand(op, i) == mr_op_operand(op, i - 1)) || is_constant(mr_op_operand(op, i)->def, steps - 1);
  }
  return all;
}

// ---- What is converted right away ------------------------------------------------------------------------------------

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
  }
  mr_type type = mr_type_with_dtype(&op->results[0].type, MR_F32);
  return mr_build_like(b, op, operands, &type);
}

static bool all_bf16(const mr_op *op) {
  bool all = op->num_results == 1 && op->num_operands <= 3 && op->num_regions == 0 && is_bf16(&op->results[0].type);
  for (uint32_t i = 0; i < op->num_operands; i++) {
    all = all && is_bf16(&mr_op_operand(op, i)->type);
  }
  return all;
}

static mr_status rewrite(mr_op *op, bool *out_changed) {
  if (!has_more_digits(op) || !all_bf16(op) || !next_conversion(op, op->results[0].uses) || is_constant(op, 8)) {
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
  if (module->round_steps || !module->made[MR_OP_convert]) {
    return MR_OK;
  }
  MR_TRY(mr_sweep(module, drop_what_does_nothing));
  return mr_sweep(module, rewrite);
}
