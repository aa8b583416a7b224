// dot: the dimensions of a dot_general's operands by what they are: batch, contracted, free.
//
// Threads: as the module's.
//
//   mr_dot_side left = mr_dot_side_of(op, 0);
//   for (uint32_t i = 0; i < left.contracted.count; i++) use(left.dims[left.contracted.first + i]);
#ifndef MR_COMPILER_IR_DOT_H
#define MR_COMPILER_IR_DOT_H

#include "compiler/ir/ir.h"

typedef struct mr_dot_dims {
  uint32_t first, count;  // in mr_dot_side.dims
  int64_t elements;       // their sizes multiplied
} mr_dot_dims;

typedef struct mr_dot_side {
  mr_value *x;                // borrowed
  int64_t dims[MR_MAX_RANK];  // batch, contracted, free ones: a permutation of all
  mr_dot_dims batch, contracted, free;
} mr_dot_side;

// Operand `which` (0: left, 1: right) of a dot_general.
mr_dot_side mr_dot_side_of(const mr_op *op, uint32_t which);
// Whether a ragged_dot of static shapes is of groups of rows, each times its own matrix, in floats, and so much that a
// library's call for each group costs less than to multiply every row with every matrix, all but one of them masked.
bool mr_dot_is_rows_by_group(const mr_op *op);

#endif
