// isa: the instruction sets that our own library kernels and the libraries underneath may use. Private to ops/library.
//
// MILLRACE_LIBRARY_ISA=sse4.2|avx2|avx512 allows no more than that: what a result is on another processor can be seen on this
// one. Kernels that are generated go by MILLRACE_CPU.
#ifndef MR_OPS_LIBRARY_ISA_H
#define MR_OPS_LIBRARY_ISA_H

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef enum mr_isa {
  MR_ISA_PLAIN,        // what every x86-64 processor has, or another architecture
  MR_ISA_AVX2,         // with FMA and F16C
  MR_ISA_AVX512,       // F, BW, DQ, VL and CD
  MR_ISA_AVX512_VNNI,  // and products of bytes that do not saturate
  MR_ISA_AVX512_BF16,  // and products of bf16
} mr_isa;

static inline mr_isa mr_isa_of_processor(void) {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("f16c")) {
    return MR_ISA_PLAIN;
  }
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl") ||
      !__builtin_cpu_supports("avx512cd")) {
    return MR_ISA_AVX2;
  }
  if (!__builtin_cpu_supports("avx512vnni")) {
    return MR_ISA_AVX512;
  }
  return __builtin_cpu_supports("avx512bf16") ? MR_ISA_AVX512_BF16 : MR_ISA_AVX512_VNNI;
#else
  return MR_ISA_PLAIN;
#endif
}

// The most that MILLRACE_LIBRARY_ISA allows.
static inline mr_isa mr_isa_allowed(void) {
  const char *asked = getenv("MILLRACE_LIBRARY_ISA");
  if (!asked) {
    return MR_ISA_AVX512_BF16;
  }
  return strcmp(asked, "sse4.2") == 0   ? MR_ISA_PLAIN
         : strcmp(asked, "avx2") == 0   ? MR_ISA_AVX2
         : strcmp(asked, "avx512") == 0 ? MR_ISA_AVX512
                                        : MR_ISA_AVX512_BF16;
}

static inline mr_isa mr_isa_best(void) {
  static _Atomic(int) known;                                        // one more than the answer
  int answer = atomic_load_explicit(&known, memory_order_relaxed);  // relaxed: every thread finds the same
  if (answer == 0) {
    mr_isa has = mr_isa_of_processor(), allowed = mr_isa_allowed();
    answer = (int)(has < allowed ? has : allowed) + 1;
    atomic_store_explicit(&known, answer, memory_order_relaxed);
  }
  return (mr_isa)(answer - 1);
}

#endif
