// subnormal: programs run with subnormal numbers taken for zero and results that would be subnormal flushed to zero, as
// XLA:CPU runs them: a processor takes some 150 cycles for an operation on them, which slows decaying simulations by orders
// of magnitude. MILLRACE_SUBNORMALS=keep runs them by IEEE 754.
//
// Threads: the mode is the calling thread's and that of who helps it, and what it was before is restored.
#ifndef MR_COMPILER_RUN_SUBNORMAL_H
#define MR_COMPILER_RUN_SUBNORMAL_H

#include "core/core.h"
#include "core/processor/processor.h"

// Read from the environment once.
bool mr_subnormals_are_kept(void);

static inline unsigned mr_subnormals_flush(void) {
  unsigned before = mr_float_mode();
  if (!mr_subnormals_are_kept()) {
    mr_float_mode_set(before | MR_FLOAT_FLUSH);
  }
  return before;
}

// The opposite, for what is computed while a program is compiled, whoever compiles it: jaxlib's threads flush.
static inline unsigned mr_subnormals_honour(void) {
  unsigned before = mr_float_mode();
  mr_float_mode_set(before & ~MR_FLOAT_FLUSH);
  return before;
}

static inline void mr_subnormals_restore(unsigned before) { mr_float_mode_set(before); }

#endif
