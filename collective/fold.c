#include "collective/fold.h"

#include <complex.h>
#include <string.h>

// ---- Loops ------------------------------------------------------------------------------------------------------------------
// The compiler makes vectors of these. Integers are added and multiplied without a sign, where they wrap.

#define LOOP(name, type, value)                                               \
  static void name(void *to, const void *left, const void *right, size_t n) { \
    type *t = to;                                                             \
    const type *l = left, *r = right;                                         \
    for (size_t i = 0; i < n; i++) {                                          \
      type a = l[i], b = r[i];                                                \
      t[i] = (type)(value);                                                   \
    }                                                                         \
  }

#define INTEGER(bits)                                             \
  LOOP(add_##bits, uint##bits##_t, (uint64_t)a + (uint64_t)b)     \
  LOOP(multiply_##bits, uint##bits##_t, (uint64_t)a *(uint64_t)b) \
  LOOP(and_##bits, uint##bits##_t, a &b)                          \
  LOOP(or_##bits, uint##bits##_t, a | b)                          \
  LOOP(xor_##bits, uint##bits##_t, a ^ b)                         \
  LOOP(minimum_s##bits, int##bits##_t, a < b ? a : b)             \
  LOOP(maximum_s##bits, int##bits##_t, a > b ? a : b)             \
  LOOP(minimum_u##bits, uint##bits##_t, a < b ? a : b)            \
  LOOP(maximum_u##bits, uint##bits##_t, a > b ? a : b)

INTEGER(8)
INTEGER(16)
INTEGER(32)
INTEGER(64)

// What is not a number stays, as in a kernel.
#define REAL(name, type)                              \
  LOOP(add_##name, type, a + b)                       \
  LOOP(multiply_##name, type, a *b)                   \
  LOOP(minimum_##name, type, b < a || b != b ? b : a) \
  LOOP(maximum_##name, type, b > a || b != b ? b : a)

LOOP(begin_f32, float, (0.0f + a) + b)
LOOP(begin_f64, double, (0.0 + a) + b)
LOOP(begin_f16, _Float16, ((_Float16)0 + a) + b)

REAL(f32, float)
REAL(f64, double)
// Of two that are added or multiplied in f32, rounding that to f16 is rounding once.
REAL(f16, _Float16)

typedef struct c64 {
  float re, im;
} c64;
typedef struct c128 {
  double re, im;
} c128;
#define COMPLEX(name, type)                                  \
  LOOP(add_##name, type, ((type){a.re + b.re, a.im + b.im})) \
  LOOP(multiply_##name, type, ((type){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}))

LOOP(begin_c64, c64, ((c64){(0.0f + a.re) + b.re, (0.0f + a.im) + b.im}))
LOOP(begin_c128, c128, ((c128){(0.0 + a.re) + b.re, (0.0 + a.im) + b.im}))

COMPLEX(c64, c64)
COMPLEX(c128, c128)

// ---- bf16 -------------------------------------------------------------------------------------------------------------------

static void widen_bf16(void *to, const void *from, size_t n) {
  uint32_t *t = to;
  const uint16_t *f = from;
  for (size_t i = 0; i < n; i++) {
    t[i] = (uint32_t)f[i] << 16;
  }
}

// To the nearest, ties to even; what is not a number stays one.
static void narrow_bf16(void *to, const void *from, size_t n) {
  uint16_t *t = to;
  const uint32_t *f = from;
  for (size_t i = 0; i < n; i++) {
    uint32_t bits = f[i], rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    bool is_nan = (bits & 0x7fffffff) > 0x7f800000;
    t[i] = (uint16_t)(is_nan ? bits >> 16 | 0x40 : rounded);
  }
}

// ---- Which ------------------------------------------------------------------------------------------------------------------

typedef void (*loop)(void *to, const void *a, const void *b, size_t n);

#define INTEGER_ROW(sign, bits) \
  {add_##bits, multiply_##bits, minimum_##sign##bits, maximum_##sign##bits, and_##bits, or_##bits, xor_##bits}
#define REAL_ROW(name) {add_##name, multiply_##name, minimum_##name, maximum_##name, NULL, NULL, NULL}

// ORDER fold. A sum of truth values is whether any is true.
static const loop loops[MR_DTYPE_COUNT][MR_FOLDS] = {
    [MR_PRED] = {or_8, and_8, and_8, or_8, and_8, or_8, xor_8},
    [MR_S8] = INTEGER_ROW(s, 8),
    [MR_S16] = INTEGER_ROW(s, 16),
    [MR_S32] = INTEGER_ROW(s, 32),
    [MR_S64] = INTEGER_ROW(s, 64),
    [MR_U8] = INTEGER_ROW(u, 8),
    [MR_U16] = INTEGER_ROW(u, 16),
    [MR_U32] = INTEGER_ROW(u, 32),
    [MR_U64] = INTEGER_ROW(u, 64),
    [MR_F16] = REAL_ROW(f16),
    [MR_F32] = REAL_ROW(f32),
    [MR_F64] = REAL_ROW(f64),
    [MR_BF16] = REAL_ROW(f32),
    [MR_C64] = {add_c64, multiply_c64, NULL, NULL, NULL, NULL, NULL},
    [MR_C128] = {add_c128, multiply_c128, NULL, NULL, NULL, NULL, NULL},
};

// Of sums.
static const loop begins[MR_DTYPE_COUNT] = {[MR_F16] = begin_f16,  [MR_F32] = begin_f32, [MR_F64] = begin_f64,
                                            [MR_BF16] = begin_f32, [MR_C64] = begin_c64, [MR_C128] = begin_c128};

bool mr_folding_find(mr_fold fold, mr_dtype dtype, mr_folding *out) {
  if ((size_t)dtype >= MR_ARRAY_SIZE(loops) || !loops[dtype][fold]) {
    return false;
  }
  size_t bytes = mr_dtype_bytes(dtype);
  *out = (mr_folding){.bytes = bytes, .inner_bytes = bytes, .fold = loops[dtype][fold]};
  out->first = fold == MR_FOLD_ADD && begins[dtype] ? begins[dtype] : out->fold;
  if (dtype == MR_BF16) {
    out->inner_bytes = sizeof(float);
    out->widen = widen_bf16;
    out->narrow = narrow_bf16;
  }
  return true;
}

bool mr_folding_supports(mr_fold fold, mr_dtype dtype) {
  mr_folding folding;
  return mr_folding_find(fold, dtype, &folding);
}
