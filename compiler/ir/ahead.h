// ahead: going through a long block. Its ops lie in memory mostly as they were made, one after the other and not evenly: constants take more
// than sums. What comes five ops later is asked for while this one is looked at; where it lies elsewhere nothing is lost but a fetch. Of a
// program that is larger than the caches each step waits for memory otherwise, 150 ns.
//
// Ops with regions of a few ops each, one after the other, lie so as well, with what is in them before them: where a region begins or ends,
// what is as far behind this op as the op four after the one that it is in is behind that.
#ifndef MR_COMPILER_IR_AHEAD_H
#define MR_COMPILER_IR_AHEAD_H

#include "compiler/ir/ir.h"

// Addresses of nothing, perhaps, and so numbers.
static inline void mr_look_at(uintptr_t later) {
  __builtin_prefetch((const void *)later);
  __builtin_prefetch((const void *)(later + 64));
}

// The same of a block that is gone through from its end.
static inline void mr_op_look_back(const mr_op *op) {
  if (op->next && op->prev) {
    mr_look_at((uintptr_t)op->prev - 2 * ((uintptr_t)op->next - (uintptr_t)op->prev));
  }
}

static inline void mr_op_look_ahead(const mr_op *op) {
  uintptr_t next = (uintptr_t)op->next, two = next - (uintptr_t)op->prev;
  if (op->next && op->prev) {
    mr_look_at(next + 2 * two);
    for (uint32_t r = 0; r < MR_MIN(op->num_regions, 4u); r++) {
      mr_look_at((uintptr_t)op->regions[r] + 2 * two);
    }
    return;
  }
  const mr_op *around = op->block->parent;
  if (around && around->next && around->prev) {
    mr_look_at((uintptr_t)op + 2 * ((uintptr_t)around->next - (uintptr_t)around->prev));
  }
}

#endif
