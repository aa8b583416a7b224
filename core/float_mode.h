// float_mode: how the calling thread rounds, and whether subnormal numbers count as zero.
//
// Work that is handed to another thread takes the mode along (scheduler/parallel.c), so that what a number becomes does not
// depend on who computes it.
#ifndef MR_CORE_FLOAT_MODE_H
#define MR_CORE_FLOAT_MODE_H

#if defined(__x86_64__)
#include <xmmintrin.h>
#define MR_FLOAT_FLUSH 0x8040u  // MXCSR: flush to zero, denormals are zero

static inline unsigned mr_float_mode(void) { return _mm_getcsr(); }
static inline void mr_float_mode_set(unsigned mode) { _mm_setcsr(mode); }
#else
#define MR_FLOAT_FLUSH 0u

static inline unsigned mr_float_mode(void) { return 0; }
static inline void mr_float_mode_set(unsigned mode) { (void)mode; }
#endif

#endif
