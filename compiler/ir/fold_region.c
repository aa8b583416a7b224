// Which regions of reductions are a fold that collective/ knows.
#include "compiler/ir/fold.h"

static bool fold_of_kind(mr_op_kind kind, mr_fold *out_fold) {
  static const struct {
    bool is_fold;
    mr_fold fold;
  } folds[MR_OP_COUNT] = {
#define JOIN(op, fold, on, neutral, clc) [MR_OP_##op] = {true, MR_FOLD_##fold},
#include "ops/instructions.def"
  };
  *out_fold = folds[kind].fold;
  return folds[kind].is_fold;
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
