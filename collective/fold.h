// fold: blocks of elements put together element by element. Private to collective/.
//
// Elements are folded in a type that may be wider than their own: bf16 in f32, rounded once at the end, and f16 in itself, rounded
// each time, as XLA:CPU does. The types of the lists are those of core/dtype.def that arithmetic is known for here.
#ifndef MR_COLLECTIVE_FOLD_H
#define MR_COLLECTIVE_FOLD_H

#include "collective/collective.h"

// What participants give, in the order of their ranks.
typedef struct mr_fold_sources {
  void *const *const *buffers;  // by rank
  uint32_t operand, count;      // which of them; how many ranks, 1 at least
  size_t at;                    // bytes before the first element
} mr_fold_sources;
static inline const char *mr_fold_source(const mr_fold_sources *from, uint32_t rank) {
  return (const char *)from->buffers[rank][from->operand] + from->at;
}

// Puts `bytes` of all sources together, whole elements; `to` may be a source.
typedef void (*mr_folding)(void *to, const mr_fold_sources *from, size_t bytes);

// NULL: not a pair of fold and type that is known here.
mr_folding mr_folding_find(mr_fold fold, mr_dtype dtype);

#endif
