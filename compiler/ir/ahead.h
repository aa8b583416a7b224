// ahead: going through a long block. Its ops lie in memory mostly as they were made, one after the other and not evenly: constants take more
// than sums. What comes five ops later is asked for while this one is looked at; where it lies elsewhere nothing is lost but a fetch. Of a
// program that is larger than the caches each step waits for memory otherwise, 150 ns.
#ifndef MR_COMPILER_IR_AHEAD_H
#define MR_COMPILER_IR_AHEAD_H

#include "compiler/ir/ir.h"

static inline void mr_op_look_ahead(const mr_op *op) {
  uintptr_t next = (uintptr_t)op->next, two = next - (uintptr_t)op->prev;
  uintptr_t later = next + 2 * two;  // an address of nothing, perhaps, and so a number
  __builtin_prefetch((const void *)later);
  __builtin_prefetch((const void *)(later + 64));
}

#endif
