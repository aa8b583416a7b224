// Conversions between f32 and the 16-bit floats. The loops are compiled for three instruction sets and chosen when first
// used: the library itself is built for any x86-64.
#include "ops/library/widen.h"

#include <immintrin.h>
#include <string.h>

#include "ops/library/isa.h"
#include "ops/library/tuning.h"

static inline uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// Nearest even; NaN stays a NaN (quiet).
static inline uint16_t bf16_of(float value) {
  uint32_t bits = bits_of(value);
  uint32_t rounded = (bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16;
  return (uint16_t)(value != value ? (bits >> 16 | 0x40u) : rounded);
}

#define BODY_WIDEN_BF16                        \
  for (size_t i = 0; i < count; i++) {         \
    to[i] = float_of((uint32_t)from[i] << 16); \
  }
#define BODY_NARROW_BF16               \
  for (size_t i = 0; i < count; i++) { \
    to[i] = bf16_of(from[i]);          \
  }

#define VARIANT(suffix, features)                                                                                   \
  features static void widen_bf16_##suffix(float *restrict to, const uint16_t *restrict from, size_t count){        \
      BODY_WIDEN_BF16} features static void narrow_bf16_##suffix(uint16_t *restrict to, const float *restrict from, \
                                                                 size_t count) {                                    \
    BODY_NARROW_BF16                                                                                                \
  }
VARIANT(plain, )
VARIANT(avx2, __attribute__((target("avx2,fma"))))
VARIANT(avx512, __attribute__((target("avx512f,avx512bw,avx512vl,prefer-vector-width=512"))))

// f16 has instructions for it wherever there is AVX2, which compilers do not use for more than one value of a loop; the
// compiler's own conversion is for what is left and for other processors.
typedef _Float16 half;
static void widen_f16_plain(float *restrict to, const half *restrict from, size_t count) {
  for (size_t i = 0; i < count; i++) {
    to[i] = (float)from[i];
  }
}
static void narrow_f16_plain(half *restrict to, const float *restrict from, size_t count) {
  for (size_t i = 0; i < count; i++) {
    to[i] = (half)from[i];
  }
}
__attribute__((target("avx2,f16c"))) static void widen_f16_avx2(float *restrict to, const half *restrict from,
                                                                size_t count) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(from + i))));
  }
  widen_f16_plain(to + i, from + i, count - i);
}
__attribute__((target("avx2,f16c"))) static void narrow_f16_avx2(half *restrict to, const float *restrict from,
                                                                 size_t count) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    _mm_storeu_si128((__m128i *)(void *)(to + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  }
  narrow_f16_plain(to + i, from + i, count - i);
}

static int level(void) {
  mr_vectors isa = mr_isa_best();
  return isa >= MR_VECTORS_AVX512 ? 2 : isa == MR_VECTORS_AVX2 ? 1 : 0;
}

typedef struct job {
  mr_dtype type;
  bool widen;
  char *to;
  const char *from;
  size_t count;
} job;

enum { TILE = 65536 };

static void convert(const job *j, char *to, const char *from, size_t count) {
  void *t = to;
  const void *f = from;
  int which = level();
  if (j->type == MR_F16) {
    if (j->widen) {
      (which ? widen_f16_avx2 : widen_f16_plain)(t, f, count);
    } else {
      (which ? narrow_f16_avx2 : narrow_f16_plain)(t, f, count);
    }
  } else if (j->widen) {
    (which == 2 ? widen_bf16_avx512 : which ? widen_bf16_avx2 : widen_bf16_plain)(t, f, count);
  } else {
    (which == 2 ? narrow_bf16_avx512 : which ? narrow_bf16_avx2 : narrow_bf16_plain)(t, f, count);
  }
}

static void convert_tiles(void *context, int64_t begin, int64_t end) {
  const job *j = context;
  size_t first = (size_t)begin * TILE, last = MR_MIN((size_t)end * TILE, j->count);
  size_t to_bytes = j->widen ? 4 : 2, from_bytes = j->widen ? 2 : 4;
  convert(j, j->to + first * to_bytes, j->from + first * from_bytes, last - first);
}

static void start(mr_group *group, job j) {
  mr_parallel_for(group, (int64_t)((j.count + TILE - 1) / TILE), convert_tiles, &j, 1, j.count / MR_WIDEN_PER_NS);
}

void mr_widen(mr_group *group, mr_dtype from, void *to, const void *source, size_t count) {
  start(group, (job){from, true, to, source, count});
}

void mr_narrow(mr_group *group, mr_dtype to, void *target, const void *source, size_t count) {
  start(group, (job){to, false, target, source, count});
}
