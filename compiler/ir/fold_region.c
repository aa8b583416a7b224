#include "compiler/ir/fold.h"

static bool fold_of_kind(mr_op_kind kind, mr_fold *out_fold) {
  switch (kind) {
  case MR_OP_add: *out_fold = MR_FOLD_ADD; return true;
  case MR_OP_multiply: *out_fold = MR_FOLD_MULTIPLY; return true;
  case MR_OP_minimum: *out_fold = MR_FOLD_MINIMUM; return true;
  case MR_OP_maximum: *out_fold = MR_FOLD_MAXIMUM; return true;
  case MR_OP_and: *out_fold = MR_FOLD_AND; return true;
  case MR_OP_or: *out_fold = MR_FOLD_OR; return true;
  case MR_OP_xor: *out_fold = MR_FOLD_XOR; return true;
  default: return false;
  }
}

bool mr_block_is_fold(const mr_block *region, mr_fold *out_fold) {
  const mr_op *first = region->first;
  if (!first || region->num_args != 2 || first->num_operands != 2 || !fold_of_kind(first->kind, out_fold) ||
      !first->next || first->next->kind != MR_OP_return || mr_op_operand(first->next, 0) != &first->results[0]) {
    return false;
  }
  const mr_value *a = mr_op_operand(first, 0), *b = mr_op_operand(first, 1);
  const mr_value *x = region->args[0], *y = region->args[1];
  return ((a == x && b == y) || (a == y && b == x)) && !x->type.quant && mr_folding_supports(*out_fold, x->type.dtype);
}
