// subnormal: programs run with subnormal numbers taken for zero and results that would be subnormal flushed to zero, as
// XLA:CPU runs them: a processor takes some 150 cycles for an operation on them, which slows decaying simulations by orders
// of magnitude. MILLRACE_SUBNORMALS=keep runs them by IEEE 754.
//
// Threads: the mode is the calling thread's, and what it was before is restored.
#ifndef MR_COMPILER_PLAN_SUBNORMAL_H
#define MR_COMPILER_PLAN_SUBNORMAL_H

#if defined(__x86_64__)
#include <xmmintrin.h>
#define MR_SUBNORMAL_BITS 0x8040u  // MXCSR: flush to zero, denormals are zero
#endif

#include "core/core.h"

// Read from the environment once.
bool mr_subnormals_are_kept(void);

static inline unsigned mr_subnormals_flush(void) {
#if defined(__x86_64__)
  unsigned before = _mm_getcsr();
  if (!mr_subnormals_are_kept()) {
    _mm_setcsr(before | MR_SUBNORMAL_BITS);
  }
  return before;
#else
  return 0;
#endif
}

// The opposite, for what is computed while a program is compiled, whoever compiles it: jaxlib's threads flush.
static inline unsigned mr_subnormals_honour(void) {
#if defined(__x86_64__)
  unsigned before = _mm_getcsr();
  _mm_setcsr(before & ~MR_SUBNORMAL_BITS);
  return before;
#else
  return 0;
#endif
}

static inline void mr_subnormals_restore(unsigned before) {
#if defined(__x86_64__)
  _mm_setcsr(before);
#else
  (void)before;
#endif
}

#endif
