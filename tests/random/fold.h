// fold: folding elements with a region in one order, and what other orders may give.
#ifndef MR_TESTS_RANDOM_FOLD_H
#define MR_TESTS_RANDOM_FOLD_H

#include "tests/random/random.h"

typedef struct fold {
  const mr_block *block;
  uint32_t n;
  mr_op_kind kind;  // what the region does when that is one operation, else MR_OP_COUNT
  int64_t count;
  real sizes[2], logs;
  bool odd, whole;           // something is not finite; all are certain whole numbers
  bool nan, infinite, zero;  // one certainly is
} fold;

void fold_begin(fold *f, const mr_block *block, uint32_t n);
void fold_note(fold *f, const tensor *x, int64_t at);
void fold_step(evaluator *ev, fold *f, tensor **accumulators, tensor *const *elements);
void fold_end(const fold *f, tensor *accumulator);
// Folds `count` elements, n tensors each, and where the region is more than one operation also in other orders: what
// depends on the order is anything then. The accumulators begin as the initial values.
void fold_all(evaluator *ev, fold *f, tensor **accumulators, tensor *const *elements, int64_t count);
// A new scalar with element `at` of x, converted when the region computes in a wider type.
tensor *scalar_of(evaluator *ev, const mr_type *type, const tensor *x, int64_t at);

#endif
