// x86_64: see processor.h, which includes this.
#ifndef MR_CORE_PROCESSOR_X86_64_H
#define MR_CORE_PROCESSOR_X86_64_H

#include <string.h>
#include <x86intrin.h>

#define MR_FLOAT_FLUSH 0x8040u  // MXCSR: flush to zero, denormals are zero
#define MR_PROCESSOR_HUGE_PAGE ((size_t)2 << 20)
#define MR_PROCESSOR_STUB_BYTES 16
#define MR_PROCESSOR_LLVM_STREAMS "+avx,"
#define MR_PROCESSOR_LLVM_STREAM_STORE \
  "testb $$%u, ${0:b}\n\tjne 1f\n\tvmovntps $1, ($0)\n\tjmp 2f\n1:\tvmovups $1, ($0)\n2:"
#define MR_PROCESSOR_LLVM_STREAM_FENCE "llvm.x86.sse.sfence"
#define MR_PROCESSOR_LLVM_MASKS "+avx512bw"
#define MR_PROCESSOR_LLVM_ANY_TRIPLE "i686-unknown-linux-gnu"
#define MR_PROCESSOR_LLVM_NEEDED "sse2"
#define MR_PROCESSOR_LLVM_NARROW "pentium-m pentium4 pentium4m pentium_4 pentium_4_sse3 pentium_m prescott yonah"
#define MR_PROCESSOR_LLVM_UNUSED                                                                                \
  "cldemote clflushopt clwb clzero enqcmd fsgsbase hreset invpcid kl lwp movdir64b movdiri mwaitx pconfig pku " \
  "ptwrite rdpid rdpru rdrnd rdseed rtm serialize sgx shstk tsxldtrk uintr usermsr waitpkg wbnoinvd widekl "    \
  "xsave xsavec xsaveopt xsaves"

static inline void mr_processor_pause(void) { __builtin_ia32_pause(); }
static inline uint64_t mr_processor_ticks(void) { return __rdtsc(); }
static inline unsigned mr_float_mode(void) { return _mm_getcsr(); }
static inline void mr_float_mode_set(unsigned mode) { _mm_setcsr(mode); }
static inline size_t mr_processor_page(void) { return 4096; }

static inline void mr_processor_copy_past(void *to, const void *from, size_t bytes) {
  char *t = to;
  const char *f = from;
  size_t head = MR_MIN(-(uintptr_t)t % MR_CACHE_LINE, bytes);
  memcpy(t, f, head);
  for (t += head, f += head, bytes -= head; bytes >= MR_CACHE_LINE; bytes -= MR_CACHE_LINE) {
    for (int i = 0; i < MR_CACHE_LINE / 16; i++, t += 16, f += 16) {
      _mm_stream_si128((void *)t, _mm_loadu_si128((const void *)f));
    }
  }
  memcpy(t, f, bytes);
}
static inline void mr_processor_copied_past(void) { _mm_sfence(); }

// What each set of kernels needs, beside what those before it do; and x86-64-v2, what all needs that is here or underneath (oneDNN
// has nothing for less than SSE4.1).
// clang-format off
#define MR_X86_64_LEAST(X) X(PLAIN, "ssse3") X(PLAIN, "sse4.1") X(PLAIN, "sse4.2") X(PLAIN, "popcnt")
#define MR_X86_64_VECTORS(X) \
  X(AVX2, "avx2") X(AVX2, "fma") X(AVX2, "f16c") \
  X(AVX512, "avx512f") X(AVX512, "avx512bw") X(AVX512, "avx512dq") X(AVX512, "avx512vl") X(AVX512, "avx512cd") \
  X(AVX512_VNNI, "avx512vnni") X(AVX512_BF16, "avx512bf16")
// clang-format on

static inline mr_vectors mr_processor_vectors(void) {
#define X(set, feature)                   \
  if (!__builtin_cpu_supports(feature)) { \
    return MR_VECTORS_##set - 1;          \
  }
  MR_X86_64_VECTORS(X)
#undef X
  return MR_VECTORS_AVX512_BF16;
}

#endif
