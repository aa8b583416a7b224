// roots: ops that are not computed element by element of their result, and so are the last op of their kernel. Private to
// compiler/lower. Each appends the whole kernel, results into the kernel's result buffers first, first + 1, ...
//
// Threads, ownership and errors: the lowering's (element.h).
#ifndef MR_COMPILER_LOWER_ROOTS_H
#define MR_COMPILER_LOWER_ROOTS_H

#include "compiler/lower/element.h"

typedef struct mr_root {
  const mr_op *op;
  uint32_t first;  // number of the kernel's result that is the op's first
  int64_t range;   // out
  int *inplace;    // out, by result of the op: operand of the kernel that it is computed in place of, -1 by default
} mr_root;

// One function per name in the root column of ops.def; concatenate is for many operands, scan for a reduce_window over
// everything up to each element. False: not a case for it, and nothing was appended.
#define OP(name, spelling, operands, results, class, rule, regions, types, cost, code, hlo, effect, fold, simplify, \
           rewrite, complex, element, root, ...)                                                                    \
  bool mr_root_##root(mr_lower *lw, mr_root *root);
#include "ops/ops.def"

// Loops over row-major positions of dims with constant bounds; at[d] for d in dims. Ends with mr_lw_end per dimension.
void mr_root_loops(mr_lower *lw, uint32_t rank, const int64_t *dims, const mr_ix **at, uint32_t last_flags);
// Opens the share's loop over [begin, end) of a range and gives the coordinates in dims (row-major).
void mr_root_range(mr_lower *lw, uint32_t rank, const int64_t *dims, const mr_ix **at, int64_t *out_range);

#endif
