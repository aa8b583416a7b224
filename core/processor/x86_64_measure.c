#include "core/processor/measure.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "core/processor/processor.h"

#define WITH(features) __attribute__((target(features)))

// What was computed is looked at, or it would not be.
#define KEEP(value) __asm__ volatile("" ::"v"(value))

// ---- Memory -----------------------------------------------------------------------------------------------------------

WITH("avx512f") static void read_512(const char *data, size_t bytes) {
  __m512i a = _mm512_setzero_si512(), b = a, c = a, d = a;
  for (size_t i = 0; i < bytes; i += 256) {
    a = _mm512_or_si512(a, _mm512_load_si512(data + i));
    b = _mm512_or_si512(b, _mm512_load_si512(data + i + 64));
    c = _mm512_or_si512(c, _mm512_load_si512(data + i + 128));
    d = _mm512_or_si512(d, _mm512_load_si512(data + i + 192));
  }
  a = _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));
  KEEP(a);
}

WITH("avx2") static void read_256(const char *data, size_t bytes) {
  __m256i sums[4] = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256()};
  for (size_t i = 0; i < bytes; i += 128) {
    for (size_t j = 0; j < 4; j++) {
      sums[j] = _mm256_or_si256(sums[j], _mm256_load_si256((const void *)(data + i + 32 * j)));
    }
  }
  __m256i all = _mm256_or_si256(_mm256_or_si256(sums[0], sums[1]), _mm256_or_si256(sums[2], sums[3]));
  KEEP(all);
}

static void read_128(const char *data, size_t bytes) {
  __m128i sums[4] = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
  for (size_t i = 0; i < bytes; i += 64) {
    for (size_t j = 0; j < 4; j++) {
      sums[j] = _mm_or_si128(sums[j], _mm_load_si128((const void *)(data + i + 16 * j)));
    }
  }
  __m128i all = _mm_or_si128(_mm_or_si128(sums[0], sums[1]), _mm_or_si128(sums[2], sums[3]));
  __asm__ volatile("" ::"x"(all));
}

void mr_processor_read(const void *data, size_t bytes) {
  mr_vectors vectors = mr_processor_vectors();
  (vectors >= MR_VECTORS_AVX512 ? read_512 : vectors >= MR_VECTORS_AVX2 ? read_256 : read_128)(data, bytes);
}

WITH("avx512f") static void write_512(char *data, size_t bytes) {
  const __m512i ones = _mm512_set1_epi32(1);
  for (size_t i = 0; i < bytes; i += 64) {
    _mm512_store_si512(data + i, ones);
  }
}

WITH("avx2") static void write_256(char *data, size_t bytes) {
  const __m256i ones = _mm256_set1_epi32(1);
  for (size_t i = 0; i < bytes; i += 32) {
    _mm256_store_si256((void *)(data + i), ones);
  }
}

static void write_128(char *data, size_t bytes) {
  const __m128i ones = _mm_set1_epi32(1);
  for (size_t i = 0; i < bytes; i += 16) {
    _mm_store_si128((void *)(data + i), ones);
  }
}

void mr_processor_write(void *data, size_t bytes) {
  mr_vectors vectors = mr_processor_vectors();
  (vectors >= MR_VECTORS_AVX512 ? write_512 : vectors >= MR_VECTORS_AVX2 ? write_256 : write_128)(data, bytes);
  __asm__ volatile("" ::"r"(data) : "memory");
}

bool mr_processor_stream(void *data, size_t bytes) {
  const __m128i ones = _mm_set1_epi32(1);
  for (size_t i = 0; i < bytes; i += 16) {
    _mm_stream_si128((void *)((char *)data + i), ones);
  }
  _mm_sfence();
  return true;
}

// ---- Products and sums ------------------------------------------------------------------------------------------------

// Sums that depend on nothing but themselves: enough of them that two units of a latency of up to five are never short of one.
enum { CHAINS = 10 };

#define MULTIPLY(name, features, type, zero, step)                                  \
  WITH(features) static void name(int64_t rounds) {                                 \
    type sums[CHAINS];                                                              \
    for (int c = 0; c < CHAINS; c++) {                                              \
      sums[c] = zero;                                                               \
    }                                                                               \
    type x = sums[0];                                                               \
    for (int64_t i = 0; i < rounds; i++) {                                          \
      _Pragma("GCC unroll 10") for (int c = 0; c < CHAINS; c++) { sums[c] = step; } \
    }                                                                               \
    for (int c = 0; c < CHAINS; c++) {                                              \
      KEEP(sums[c]);                                                                \
    }                                                                               \
  }

MULTIPLY(f32_512, "avx512f", __m512, _mm512_setzero_ps(), _mm512_fmadd_ps(x, x, sums[c]))
MULTIPLY(f64_512, "avx512f", __m512d, _mm512_setzero_pd(), _mm512_fmadd_pd(x, x, sums[c]))
MULTIPLY(f32_256, "avx2,fma", __m256, _mm256_setzero_ps(), _mm256_fmadd_ps(x, x, sums[c]))
MULTIPLY(f64_256, "avx2,fma", __m256d, _mm256_setzero_pd(), _mm256_fmadd_pd(x, x, sums[c]))
MULTIPLY(s8_512, "avx512f,avx512vnni", __m512i, _mm512_setzero_si512(), _mm512_dpbusd_epi32(sums[c], x, x))
MULTIPLY(bf16_512, "avx512f,avx512bf16", __m512, _mm512_setzero_ps(),
         _mm512_dpbf16_ps(sums[c], (__m512bh)x, (__m512bh)x))
MULTIPLY(f16_512, "avx512f,avx512fp16", __m512h, _mm512_setzero_ph(), _mm512_fmadd_ph(x, x, sums[c]))
#undef MULTIPLY

// Without fused products: a product and a sum.
static void f32_128(int64_t rounds) {
  __m128 sums[CHAINS] = {0}, x = _mm_setzero_ps();
  for (int64_t i = 0; i < rounds; i++) {
    for (int c = 0; c < CHAINS; c++) {
      sums[c] = _mm_add_ps(sums[c], _mm_mul_ps(sums[c], x));
    }
  }
  for (int c = 0; c < CHAINS; c++) {
    __asm__ volatile("" ::"x"(sums[c]));
  }
}

static void f64_128(int64_t rounds) {
  __m128d sums[CHAINS] = {0}, x = _mm_setzero_pd();
  for (int64_t i = 0; i < rounds; i++) {
    for (int c = 0; c < CHAINS; c++) {
      sums[c] = _mm_add_pd(sums[c], _mm_mul_pd(sums[c], x));
    }
  }
  for (int c = 0; c < CHAINS; c++) {
    __asm__ volatile("" ::"x"(sums[c]));
  }
}

double mr_processor_multiply(mr_dtype type, int64_t rounds) {
  mr_vectors vectors = mr_processor_vectors();
  void (*work)(int64_t rounds) = NULL;
  double lanes = vectors >= MR_VECTORS_AVX512 ? 16 : vectors >= MR_VECTORS_AVX2 ? 8 : 4;
  switch ((int)type) {
  case MR_F32: work = lanes == 16 ? f32_512 : lanes == 8 ? f32_256 : f32_128; break;
  case MR_F64:
    work = lanes == 16 ? f64_512 : lanes == 8 ? f64_256 : f64_128;
    lanes /= 2;
    break;
  case MR_S8:
    work = vectors >= MR_VECTORS_AVX512_VNNI ? s8_512 : NULL;
    lanes *= 4;
    break;
  case MR_BF16:
    work = vectors >= MR_VECTORS_AVX512_BF16 ? bf16_512 : NULL;
    lanes *= 2;
    break;
  case MR_F16:
    work = vectors >= MR_VECTORS_AVX512 && __builtin_cpu_supports("avx512fp16") ? f16_512 : NULL;
    lanes *= 2;
    break;
  default: break;
  }
  if (!work) {
    return 0;
  }
  work(rounds);
  return (double)rounds * CHAINS * lanes * 2;
}

#else

#include <string.h>

#include "core/processor/processor.h"

void mr_processor_read(const void *data, size_t bytes) {
  const volatile uint64_t *words = data;
  for (size_t i = 0; i < bytes / sizeof *words; i++) {
    (void)words[i];
  }
}

void mr_processor_write(void *data, size_t bytes) {
  memset(data, 1, bytes);
  __asm__ volatile("" ::"r"(data) : "memory");
}

bool mr_processor_stream(void *data, size_t bytes) {
  mr_processor_write(data, bytes);
  return false;
}

double mr_processor_multiply(mr_dtype type, int64_t rounds) {
  (void)type, (void)rounds;
  return 0;
}

#endif
