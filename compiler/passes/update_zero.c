// Whether an array may hold the floating point number -0: x + 0 is x but for that.
#include "compiler/ir/scalar.h"
#include "compiler/passes/update.h"

enum { MOST_VALUES = 64, MOST_LOOPS = 4, MOST_ELEMENTS = 4096 };

typedef struct walk {
  uint32_t values;
  // Slots of loops that are being looked at. Of them it is assumed: a round that gives no -0 when it got none never does.
  const mr_op *loops[MOST_LOOPS];
  uint32_t slots[MOST_LOOPS], num_loops;
  bool refuted;  // one of them does
} walk;

static bool is_free(walk *w, const mr_value *value);

static bool constant_is_free(const mr_dense *dense) {
  size_t one = mr_dtype_bytes(dense->type.dtype), count = dense->splat ? 1 : (size_t)mr_type_count(&dense->type);
  for (size_t i = 0; i < count && count <= MOST_ELEMENTS; i++) {
    double number = mr_scalar_to_double(dense->type.dtype, (const char *)dense->data + i * one);
    if (number == 0 && __builtin_signbit(number)) {
      return false;
    }
  }
  return count <= MOST_ELEMENTS;
}

static bool slot_is_free(walk *w, const mr_op *loop, uint32_t slot) {
  for (uint32_t i = 0; i < w->num_loops; i++) {
    if (w->loops[i] == loop && w->slots[i] == slot) {
      return true;
    }
  }
  if (w->num_loops == MOST_LOOPS) {
    return false;
  }
  w->loops[w->num_loops] = loop;
  w->slots[w->num_loops++] = slot;
  bool holds =
      is_free(w, mr_op_operand(loop, slot)) && is_free(w, mr_op_operand(mr_block_terminator(loop->regions[1]), slot));
  w->refuted = w->refuted || !holds;
  return holds;
}

static bool argument_is_free(walk *w, const mr_value *value) {
  const mr_op *parent = value->block->parent;
  return parent && parent->kind == MR_OP_while && slot_is_free(w, parent, value->index);
}

static bool branches_are_free(walk *w, const mr_value *value) {
  for (uint32_t r = 0; r < value->def->num_regions; r++) {
    if (!is_free(w, mr_op_operand(mr_block_terminator(value->def->regions[r]), value->index))) {
      return false;
    }
  }
  return true;
}

static bool scatter_is_free(walk *w, const mr_op *op) {
  const mr_block *region = op->regions[0];
  if (op->num_operands != 3 || !is_free(w, mr_op_operand(op, 0))) {
    return false;
  }
  bool stores = mr_op_operand(mr_block_terminator(region), 0) == region->args[1];
  return mr_block_fold_kind(region) == MR_OP_add || (stores && is_free(w, mr_op_operand(op, 2)));
}

// Of the results of these ops the operands' elements are all there is.
static bool op_is_free(walk *w, const mr_value *value) {
  const mr_op *op = value->def;
  const mr_value *x = op->num_operands ? mr_op_operand(op, 0) : NULL;
  switch (op->kind) {
  case MR_OP_constant: return constant_is_free(mr_value_constant(value));
  case MR_OP_iota:
  case MR_OP_exponential:
  case MR_OP_abs: return true;
  case MR_OP_convert: return !mr_dtype_is_float(x->type.dtype);  // small negative numbers may round to -0
  case MR_OP_multiply: return x == mr_op_operand(op, 1);
  case MR_OP_add: return is_free(w, x) || is_free(w, mr_op_operand(op, 1));  // only -0 + -0 is -0
  case MR_OP_select: return is_free(w, mr_op_operand(op, 1)) && is_free(w, mr_op_operand(op, 2));
  case MR_OP_maximum:
  case MR_OP_minimum:
  case MR_OP_pad:
  case MR_OP_dynamic_update_slice: return is_free(w, x) && is_free(w, mr_op_operand(op, 1));
  case MR_OP_scatter: return scatter_is_free(w, op);
  case MR_OP_broadcast_in_dim:
  case MR_OP_reshape:
  case MR_OP_transpose:
  case MR_OP_reverse:
  case MR_OP_slice:
  case MR_OP_dynamic_slice:
  case MR_OP_gather: return is_free(w, x);
  case MR_OP_while: return slot_is_free(w, op, value->index);
  case MR_OP_case: return branches_are_free(w, value);
  default: return false;
  }
}

static bool is_free(walk *w, const mr_value *value) {
  if (value->type.kind != MR_TYPE_TENSOR || value->type.quant || mr_dtype_is_complex(value->type.dtype)) {
    return false;
  }
  if (!mr_dtype_is_float(value->type.dtype)) {
    return true;
  }
  return w->values++ < MOST_VALUES && (value->def ? op_is_free(w, value) : argument_is_free(w, value));
}

bool mr_update_lacks_minus_zero(const mr_value *value) {
  walk w = {0};
  return is_free(&w, value) && !w.refuted;
}
