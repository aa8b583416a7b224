// The simplifying sweep: constants first, then identities of arithmetic, of moving ops, of indexing, of control flow.
#include "compiler/passes/simplify.h"

#include <math.h>
#include <string.h>

#include "compiler/ir/scalar.h"
#include "compiler/passes/decompose.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/tuning.h"

bool mr_is_splat_of(const mr_value *value, double number) {
  uint8_t element[MR_SCALAR_BYTES], wanted[MR_SCALAR_BYTES] = {0};
  mr_dtype dtype = value->type.dtype;
  if (value->type.quant || !mr_value_splat(value, element)) {
    return false;
  }
  mr_scalar_from_double(dtype, number, wanted);
  // A type that cannot hold the number holds another one in its place.
  return (mr_scalar_to_double(dtype, wanted) == number || mr_dtype_is_complex(dtype)) &&
         memcmp(element, wanted, mr_dtype_bytes(dtype)) == 0;
}

bool mr_constant_ints(const mr_value *value, size_t count, int64_t *out) {
  const mr_dense *dense = mr_value_constant(value);
  if (!dense || !mr_dtype_is_integer(dense->type.dtype) || mr_type_count(&dense->type) != (int64_t)count) {
    return false;
  }
  size_t one = mr_dtype_bytes(dense->type.dtype);
  for (size_t i = 0; i < count; i++) {
    out[i] = mr_scalar_to_int(dense->type.dtype, (const char *)dense->data + (dense->splat ? 0 : i * one));
    if (mr_dtype_is_unsigned(dense->type.dtype) && out[i] < 0) {
      out[i] = INT64_MAX;  // beyond any dimension, as its value is
    }
  }
  return true;
}

// ---- Control flow --------------------------------------------------------------------------------------------------

// A region whose arguments are not used runs exactly once in place of the op.
static void inline_branch(mr_op *op, uint32_t branch) {
  mr_block *block = op->regions[branch];
  mr_op *terminator = mr_block_terminator(block);
  mr_block_splice_before(block, op);
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_value_replace_all_uses(&op->results[i], mr_op_operand(terminator, i));
  }
  mr_op_erase(op);
}

static bool simplify_case(mr_op *op) {
  int64_t index = 0;
  if (op->num_regions > 1 && !mr_constant_ints(mr_op_operand(op, 0), 1, &index)) {
    return false;
  }
  uint32_t last = op->num_regions - 1;
  inline_branch(op, index < 0 || index > last ? last : (uint32_t)index);
  return true;
}

// The loop runs once: its body in its place.
static void inline_round(mr_op *op) {
  mr_block *body = op->regions[1];
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_value_replace_all_uses(body->args[i], mr_op_operand(op, i));
  }
  inline_branch(op, 1);
}

static bool simplify_while(mr_op *op) {
  const mr_op *condition = mr_block_terminator(op->regions[0]);
  int64_t trips = mr_is_splat_of(mr_op_operand(condition, 0), 0) ? 0 : -1;
  if (trips < 0 && !mr_while_trips(op, &trips)) {
    return false;
  }
  if (trips == 1) {
    inline_round(op);
    return true;
  }
  if (trips != 0) {
    return false;
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_value_replace_all_uses(&op->results[i], mr_op_operand(op, i));
  }
  mr_op_erase(op);
  return true;
}

// Slots that a loop hands on unchanged are what came in: the uses inside and behind the loop see that directly, and dead
// code elimination takes the slot away.
static void forward_invariants(mr_op *op) {
  const mr_op *terminator = mr_block_terminator(op->regions[1]);
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_value *initial = mr_op_operand(op, i), *argument = op->regions[1]->args[i];
    if (mr_op_operand(terminator, i) == argument || mr_op_operand(terminator, i) == initial) {
      mr_value_replace_all_uses(op->regions[0]->args[i], initial);
      mr_value_replace_all_uses(argument, initial);
      mr_value_replace_all_uses(&op->results[i], initial);
    }
  }
}

// Two slots that start alike and count alike are one. JAX's loops carry their trip count and their index so.
static void merge_counters(mr_op *op) {
  enum { MOST = 16 };
  uint32_t slots[MOST], count = 0;
  int64_t steps[MOST];
  for (uint32_t i = 0; i < op->num_results && count < MOST; i++) {
    if (!mr_while_step(op, i, &steps[count])) {
      continue;
    }
    for (uint32_t k = 0; k < count; k++) {
      uint32_t j = slots[k];
      if (steps[k] == steps[count] && mr_op_operand(op, i) == mr_op_operand(op, j)) {
        mr_value_replace_all_uses(op->regions[0]->args[i], op->regions[0]->args[j]);
        mr_value_replace_all_uses(op->regions[1]->args[i], op->regions[1]->args[j]);
        mr_value_replace_all_uses(&op->results[i], &op->results[j]);
        break;
      }
    }
    slots[count++] = i;
  }
}

// ---- Sizes that become known ---------------------------------------------------------------------------------------

// What the program returns is as large as it turned out to be.
static void refine_results(mr_module *module) {
  mr_function *entry = mr_module_entry(module);
  const mr_op *end = entry && !entry->is_declaration ? mr_block_terminator(&entry->body) : NULL;
  for (uint32_t i = 0; end && i < entry->num_results; i++) {
    const mr_type *type = &mr_op_operand(end, i)->type;
    if (entry->result_types[i].kind == MR_TYPE_TENSOR && !mr_type_is_static(&entry->result_types[i]) &&
        mr_type_is_static(type)) {
      entry->result_types[i] = *type;
    }
  }
}

// ---- The sweep -----------------------------------------------------------------------------------------------------

#define mr_simplify_NONE NULL
static const mr_simplify_rule rules[MR_OP_COUNT] = {
#define OP(name, spelling, operands, results, class, rule, regions, types, cost, code, hlo, effect, fold, simplify, \
           ...)                                                                                                     \
  [MR_OP_##name] = mr_simplify_##simplify,
#include "ops/ops.def"
};
#undef mr_simplify_NONE

static mr_value *simplified(mr_op *op) {
  mr_value *value = mr_fold(op);
  mr_simplify_rule rule = rules[op->kind];
  return value || !rule ? value : rule(op);
}

// What has no elements is a constant, and what was there for it alone is dead.
static mr_value *empty_constant(mr_op *op) {
  if (op->kind == MR_OP_constant || mr_type_count(&op->results[0].type) != 0 || mr_pass_sees_effect(op)) {
    return NULL;
  }
  mr_builder b = mr_builder_before(op);
  return mr_build_splat(&b, &op->results[0].type, 0);
}

static mr_status rewrite(mr_op *op, bool *out_changed) {
  if (mr_decompose_rewrite_of(op->kind) == mr_decompose_dynamic) {
    return mr_decompose_dynamic(op, out_changed);
  }
  if (mr_op_module(op)->made_types & MR_MADE_OPEN) {
    MR_TRY(mr_refine_sizes(op));
    if (op->kind == MR_OP_custom_call || op->kind == MR_OP_get_dimension_size) {
      return mr_refine_op(op, out_changed);
    }
  }
  if (op->kind == MR_OP_case) {
    *out_changed = simplify_case(op);
    return MR_OK;
  }
  if (op->kind == MR_OP_while) {
    *out_changed = simplify_while(op);
    if (!*out_changed) {
      forward_invariants(op);
      merge_counters(op);
    }
    return MR_OK;
  }
  if (op->num_results != 1 || op->results[0].type.kind != MR_TYPE_TENSOR || op->results[0].type.quant ||
      mr_value_is_unused(&op->results[0]) || !mr_type_is_static(&op->results[0].type)) {
    return MR_OK;
  }
  mr_value *value = empty_constant(op);
  if (!value) {
    value = simplified(op);
  }
  // An equal value of another static type would be a rule's mistake; dynamic shapes are left alone.
  if (value && mr_type_equal(&value->type, &op->results[0].type)) {
    *out_changed = mr_replace(op, value);
  }
  return MR_OK;
}

mr_status mr_pass_simplify(mr_module *module) {
  MR_TRY(mr_sweep(module, rewrite));
  refine_results(module);
  return MR_OK;
}

// ---- Before a program is partitioned ---------------------------------------------------------------------------------

static bool is_plainly_simple(mr_op_kind kind) {
  switch (kind) {
  case MR_OP_slice:
  case MR_OP_multiply:
  case MR_OP_add:
  case MR_OP_subtract:
  case MR_OP_xor:
  case MR_OP_select: return true;
  default: return false;
  }
}

// Nothing changes its place or its type.
static bool is_idle(const mr_op *op) {
  switch (op->kind) {
  case MR_OP_transpose: return mr_ints_count_up(mr_op_ints(op, MR_ATTR_permutation));
  case MR_OP_broadcast_in_dim: return mr_ints_count_up(mr_op_ints(op, MR_ATTR_broadcast_dimensions));
  case MR_OP_reverse: return mr_op_ints(op, MR_ATTR_dimensions).size == 0;
  case MR_OP_convert:
  case MR_OP_reshape: return true;
  default: return false;
  }
}

// At places that are all constants, also where a dimension leaves no choice.
static bool is_placed(const mr_op *op) {
  bool placed = true;
  for (uint32_t i = 1; i < op->num_operands; i++) {
    const mr_op *maker = mr_op_operand(op, i)->def;
    placed = placed && maker && maker->kind == MR_OP_constant;
  }
  return placed;
}

static mr_value *plainly_simplified(mr_op *op) {
  mr_value *x = op->num_operands ? mr_op_operand(op, 0) : NULL;
  switch (op->kind) {
  case MR_OP_compare:
    return x == mr_op_operand(op, 1) && !mr_dtype_is_float(mr_dtype_real(x->type.dtype)) ? rules[op->kind](op) : NULL;
  case MR_OP_and:
  case MR_OP_or: return x != mr_op_operand(op, 1) ? rules[op->kind](op) : NULL;  // XLA keeps x & x
  case MR_OP_dynamic_slice: return is_placed(op) ? rules[op->kind](op) : NULL;
  case MR_OP_concatenate: return op->num_operands <= MR_PASS_PIECES ? rules[op->kind](op) : NULL;
  case MR_OP_dynamic_update_slice: return mr_type_count(&mr_op_operand(op, 1)->type) == 0 ? x : NULL;
  case MR_OP_scatter: return op->num_operands == 3 && mr_type_count(&mr_op_operand(op, 2)->type) == 0 ? x : NULL;
  default: return is_plainly_simple(op->kind) ? rules[op->kind](op) : NULL;
  }
}

// Only what leaves operands or a constant, and sizes that operands say: how values are cut is decided by the ops that are there, and
// users expect what other compilers decide, who do as much before.
static mr_status rewrite_plain(mr_op *op, bool *out_changed) {
  if (op->kind == MR_OP_while) {
    forward_invariants(op);
    return MR_OK;
  }
  if (mr_decompose_rewrite_of(op->kind) == mr_decompose_dynamic) {
    return mr_decompose_dynamic(op, out_changed);
  }
  if (op->num_results != 1 || op->results[0].type.kind != MR_TYPE_TENSOR || op->results[0].type.quant ||
      mr_value_is_unused(&op->results[0]) || !mr_type_is_static(&op->results[0].type)) {
    return MR_OK;
  }
  mr_value *value = empty_constant(op);
  if (!value) {
    value = mr_fold(op);
  }
  if (!value) {
    value = plainly_simplified(op);
  }
  if (!value && is_idle(op) && mr_type_equal(&mr_op_operand(op, 0)->type, &op->results[0].type)) {
    value = mr_op_operand(op, 0);
  }
  if (value && mr_type_equal(&value->type, &op->results[0].type)) {
    *out_changed = mr_replace(op, value);
  }
  return MR_OK;
}

mr_status mr_pass_simplify_plain(mr_module *module) { return mr_sweep(module, rewrite_plain); }
