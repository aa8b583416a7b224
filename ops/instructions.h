// instructions: what an elementwise operation is in a kernel, as far as all who make kernels want to know it: the rest of
// instructions.def they make columns of.
#ifndef MR_OPS_INSTRUCTIONS_H
#define MR_OPS_INSTRUCTIONS_H

#include "ops/ops.h"

// What a result on floats is, the column `outcome` of instructions.def; of what has no row there, ROUNDED.
typedef enum mr_op_outcome {
  MR_OUTCOME_ROUNDED,
  MR_OUTCOME_ARITHMETIC,
  MR_OUTCOME_PICKED,
  MR_OUTCOME_KEEPS,
  MR_OUTCOME_FLIPS,
  MR_OUTCOME_CLEARS,
} mr_op_outcome;

mr_op_outcome mr_op_outcome_of(mr_op_kind kind);
// Whether it is one of the operands, or what is done to its sign is always a number of the type: it needs no rounding.
bool mr_op_is_exact(mr_op_kind kind, mr_dtype dtype);
// The same as mr_op_outcome_of, but FLIPS and CLEARS only where the top bit is all that changes.
mr_op_outcome mr_op_outcome_on_bits(mr_op_kind kind, mr_dtype dtype);
// The op that it is on PRED: itself, mostly.
mr_op_kind mr_op_on_pred(mr_op_kind kind);
// Whether what is joined by it may be joined in any order.
bool mr_op_is_join(mr_op_kind kind);
// Whether it gives PRED, whatever its operands are. By a table: asked of every value of a kernel.
extern const bool mr_op_tests[MR_OP_COUNT];
static inline bool mr_op_is_test(mr_op_kind kind) { return kind < MR_OP_COUNT && mr_op_tests[kind]; }

#endif
