// simplify: what fold.c and the rewrites of one op share. Private to compiler/passes.
#ifndef MR_COMPILER_PASSES_SIMPLIFY_H
#define MR_COMPILER_PASSES_SIMPLIFY_H

#include "compiler/passes/rewrite.h"

// The constant an op comes to when its operands are constants and working it out here is cheap and exact; else NULL.
mr_value *mr_fold(mr_op *op);
// An equal but simpler value for the op's one result, possibly made of new ops before it; NULL: none is known.
mr_value *mr_simplify_math(mr_op *op);
mr_value *mr_simplify_move(mr_op *op);
mr_value *mr_simplify_dot(mr_op *op);    // transposes in front of and behind contractions
mr_value *mr_simplify_index(mr_op *op);  // gather, scatter, dynamic slices

// Every element of the constant is this number (for floats by value and sign of zero).
bool mr_is_splat_of(const mr_value *value, double number);
// The entries of a constant list or scalar of integers.
bool mr_constant_ints(const mr_value *value, size_t count, int64_t *out);

#endif
