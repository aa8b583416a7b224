// fold: blocks of elements put together element by element. Private to collective/.
//
// Elements are folded in a type that may be wider than their own: bf16 in f32, rounded once at the end, and f16 in itself, rounded
// each time, as XLA:CPU does. The types of the lists are those of core/dtype.def that arithmetic is known for here.
#ifndef MR_COLLECTIVE_FOLD_H
#define MR_COLLECTIVE_FOLD_H

#include "collective/collective.h"

typedef struct mr_folding {
  size_t bytes, inner_bytes;  // of an element, and of one that is being folded
  // The first two, and then what there is with each of the others: sums begin with a zero, which has no sign.
  void (*first)(void *to, const void *a, const void *b, size_t n);
  void (*fold)(void *to, const void *a, const void *b, size_t n);  // inner ones; `to` may be `a`
  void (*widen)(void *to, const void *from, size_t n);             // to inner ones; NULL: they are the same
  void (*narrow)(void *to, const void *from, size_t n);            // and back
} mr_folding;

// False: not a pair of fold and type that is known here.
bool mr_folding_find(mr_fold fold, mr_dtype dtype, mr_folding *out_folding);

#endif
