// cost: what ops cost, one against another, for whoever weighs computing them again, or beside one another.
//
// Threads: pure functions.
#ifndef MR_COMPILER_IR_COST_H
#define MR_COMPILER_IR_COST_H

#include "compiler/ir/ir.h"

// What one element of the op's result costs to compute, in simple operations; a function costs MR_FUNCTION_COST or more.
#define MR_FUNCTION_COST 15
double mr_op_cost(const mr_op *op);
// Multiplications, of every row with every matrix, from which on a ragged_dot is computed group by group.
#define MR_RAGGED_MULTIPLIES (1 << 15)

#endif
