// isa: the instruction sets that our own library kernels and the libraries underneath may use. Private to ops/library.
//
// MILLRACE_LIBRARY_ISA=sse4.2|avx2|avx512 allows no more than that: what a result is on another processor can be seen on this
// one. Another name, and one of more than this processor has, refuses every library call (isa.c). Kernels that are generated go
// by MILLRACE_CPU.
#ifndef MR_OPS_LIBRARY_ISA_H
#define MR_OPS_LIBRARY_ISA_H

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/processor/processor.h"

// What a name of MILLRACE_LIBRARY_ISA allows; false: there is no such name.
static inline bool mr_isa_of_name(const char *name, mr_vectors *out) {
  *out = strcmp(name, "sse4.2") == 0   ? MR_VECTORS_PLAIN
         : strcmp(name, "avx2") == 0   ? MR_VECTORS_AVX2
         : strcmp(name, "avx512") == 0 ? MR_VECTORS_AVX512
                                       : MR_VECTORS_AVX512_BF16;
  return *out != MR_VECTORS_AVX512_BF16;
}

// The most that MILLRACE_LIBRARY_ISA allows.
static inline mr_vectors mr_isa_allowed(void) {
  const char *asked = getenv("MILLRACE_LIBRARY_ISA");
  mr_vectors allowed = MR_VECTORS_AVX512_BF16;
  if (asked && *asked) {
    mr_isa_of_name(asked, &allowed);
  }
  return allowed;
}

static inline mr_vectors mr_isa_best(void) {
  static _Atomic(int) known;                                        // one more than the answer
  int answer = atomic_load_explicit(&known, memory_order_relaxed);  // relaxed: every thread finds the same
  if (answer == 0) {
    mr_vectors has = mr_processor_vectors(), allowed = mr_isa_allowed();
    answer = (int)(has < allowed ? has : allowed) + 1;
    atomic_store_explicit(&known, answer, memory_order_relaxed);
  }
  return (mr_vectors)(answer - 1);
}

#endif
