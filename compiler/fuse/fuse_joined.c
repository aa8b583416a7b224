// Products that are rounded together with the sum they go into, as targets with such an instruction do it.
//
// It is decided once for an op of the program, before there are groups, and not for each kernel: an op may be computed in several, and
// has to come to one number in all of them. `z == max(z)` found nothing where it did not, and so the gradient of a largest element
// was zero.
#include "compiler/fuse/fuse_internal.h"

// A product that nobody but the sum wants, or the negative of one.
static bool is_joined(const mr_op *sum, uint32_t operand) {
  const mr_value *value = mr_op_operand(sum, operand);
  for (int looks = 0; looks < 2; looks++) {
    const mr_op *def = value->def;
    if (!def || def->block != sum->block || !value->uses || value->uses->next) {
      return false;
    }
    if (def->kind == MR_OP_multiply || def->kind == MR_OP_square) {
      return true;
    }
    if (def->kind != MR_OP_negate) {
      return false;
    }
    value = mr_op_operand(def, 0);
  }
  return false;
}

static void mark(mr_op *op) {
  const mr_type *type = &op->results[0].type;
  if ((op->kind != MR_OP_add && op->kind != MR_OP_subtract) || type->kind != MR_TYPE_TENSOR ||
      !mr_dtype_is_float(type->dtype)) {
    return;
  }
  op->joined_operand = is_joined(op, 0) ? 1 : is_joined(op, 1) ? 2 : 0;
}

void mr_fuse_mark_joined(mr_function *function) {
  const bool *made = function->module->made;
  bool any = made[MR_OP_multiply] || made[MR_OP_square];
  for (mr_op *op = any ? mr_walk_first(&function->body) : NULL; op; op = mr_walk_next(op, &function->body)) {
    if (op->num_results == 1 && op->num_operands == 2) {
      mark(op);
    }
  }
}
