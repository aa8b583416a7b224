// top_k: what its two ways of keeping the best so far share. Private to compiler/lower/top_k*.c.
//
// Threads, ownership and errors: the lowering's (element.h).
#ifndef MR_COMPILER_LOWER_TOP_K_H
#define MR_COMPILER_LOWER_TOP_K_H

#include "compiler/lower/sort.h"

typedef struct mr_top_k {
  mr_lower *lw;
  const mr_value *x;
  const mr_ix **at;  // the row's coordinates
  uint32_t dim;
  int64_t k, size;
  mr_dtype dtype, number;
  mr_lbuf best, where;
  mr_lv base, count;  // where the row's list begins; variable: how long it is
  int order;
  bool heap;  // else a sorted list
} mr_top_k;

// top_k_heap.c: takes a value that gets in; sorts the full heap, best first.
void mr_top_k_heap_insert(mr_top_k *t, mr_lv value, mr_lv number);
void mr_top_k_heap_sort(mr_top_k *t);

#endif
