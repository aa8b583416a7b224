#include "collective/fold.h"

#include <string.h>

// ---- Lanes ------------------------------------------------------------------------------------------------------------------
// Elements side by side in 16 bytes, which every processor of ours has registers for. A test is all ones in the lanes where it holds.

enum { LANE_BYTES = 16, AT_ONCE = 4 };
#define LANES(name, type) typedef type name __attribute__((vector_size(LANE_BYTES)))
LANES(lanes_s8, int8_t);
LANES(lanes_s16, int16_t);
LANES(lanes_s32, int32_t);
LANES(lanes_s64, int64_t);
LANES(lanes_u8, uint8_t);
LANES(lanes_u16, uint16_t);
LANES(lanes_u32, uint32_t);
LANES(lanes_u64, uint64_t);
LANES(lanes_f16, _Float16);
LANES(lanes_f32, float);
LANES(lanes_f64, double);

#define INLINE inline __attribute__((always_inline))
#define CHOOSE(lanes, test, yes, no) \
  ((lanes)(((lanes_u64)(test) & (lanes_u64)(yes)) | (~(lanes_u64)(test) & (lanes_u64)(no))))

// ---- Loops ------------------------------------------------------------------------------------------------------------------

static INLINE lanes_u64 load(const char *from) {
  lanes_u64 x;
  memcpy(&x, from, sizeof x);
  return x;
}

static INLINE lanes_u64 load_some(const char *from, size_t bytes) {
  lanes_u64 x = {0};
  memcpy(&x, from, bytes);
  return x;
}

// All sources are read side by side, each from its beginning to its end, so that the processor sees in each of them what comes next.
// begin_, next_ and finish_ of the name: from 16 bytes of the first source to a `sum`, on with those of another, and to 16 bytes.
#define WALK(name, sum)                                                                \
  static void name(void *to, const mr_fold_sources *from, size_t bytes) {              \
    const size_t chunk = (size_t)AT_ONCE * LANE_BYTES;                                 \
    size_t i = 0;                                                                      \
    for (; i + chunk <= bytes; i += chunk) {                                           \
      sum so_far[AT_ONCE];                                                             \
      const char *x = mr_fold_source(from, 0) + i;                                     \
      _Pragma("GCC unroll 4") for (size_t j = 0; j < AT_ONCE; j++) {                   \
        so_far[j] = begin_##name(load(x + j * LANE_BYTES));                            \
      }                                                                                \
      for (uint32_t rank = 1; rank < from->count; rank++) {                            \
        x = mr_fold_source(from, rank) + i;                                            \
        _Pragma("GCC unroll 4") for (size_t j = 0; j < AT_ONCE; j++) {                 \
          so_far[j] = next_##name(so_far[j], load(x + j * LANE_BYTES));                \
        }                                                                              \
      }                                                                                \
      _Pragma("GCC unroll 4") for (size_t j = 0; j < AT_ONCE; j++) {                   \
        lanes_u64 made = finish_##name(so_far[j]);                                     \
        memcpy((char *)to + i + j * LANE_BYTES, &made, sizeof made);                   \
      }                                                                                \
    }                                                                                  \
    for (size_t left; i < bytes; i += left) {                                          \
      left = MR_MIN(bytes - i, (size_t)LANE_BYTES);                                    \
      sum so_far = begin_##name(load_some(mr_fold_source(from, 0) + i, left));         \
      for (uint32_t rank = 1; rank < from->count; rank++) {                            \
        so_far = next_##name(so_far, load_some(mr_fold_source(from, rank) + i, left)); \
      }                                                                                \
      lanes_u64 made = finish_##name(so_far);                                          \
      memcpy((char *)to + i, &made, left);                                             \
    }                                                                                  \
  }

// `first` is of a, the first source; `value` of a, what there is so far, and of b, the next one.
#define FOLD(name, lanes, first, value)                                   \
  static INLINE lanes begin_##name(lanes_u64 x) {                         \
    lanes a = (lanes)x;                                                   \
    return first;                                                         \
  }                                                                       \
  static INLINE lanes next_##name(lanes a, lanes_u64 x) {                 \
    lanes b = (lanes)x;                                                   \
    return value;                                                         \
  }                                                                       \
  static INLINE lanes_u64 finish_##name(lanes a) { return (lanes_u64)a; } \
  WALK(name, lanes)

// Integers are added and multiplied without a sign, where they wrap.
#define INTEGER(bits)                                                         \
  FOLD(add_##bits, lanes_u##bits, a, a + b)                                   \
  FOLD(multiply_##bits, lanes_u##bits, a, (a) * (b))                          \
  FOLD(minimum_s##bits, lanes_s##bits, a, CHOOSE(lanes_s##bits, a < b, a, b)) \
  FOLD(maximum_s##bits, lanes_s##bits, a, CHOOSE(lanes_s##bits, a > b, a, b)) \
  FOLD(minimum_u##bits, lanes_u##bits, a, CHOOSE(lanes_u##bits, a < b, a, b)) \
  FOLD(maximum_u##bits, lanes_u##bits, a, CHOOSE(lanes_u##bits, a > b, a, b))

INTEGER(8)
INTEGER(16)
INTEGER(32)
INTEGER(64)
FOLD(and_bits, lanes_u64, a, (a) & (b))
FOLD(or_bits, lanes_u64, a, a | b)
FOLD(xor_bits, lanes_u64, a, a ^ b)

// Sums begin with a zero, which has no sign. What is not a number stays, as in a kernel.
#define SMALLER(lanes, a, b) CHOOSE(lanes, (b < a) | (b != b), b, a)
#define LARGER(lanes, a, b) CHOOSE(lanes, (b > a) | (b != b), b, a)
#define REAL(name)                                                   \
  FOLD(add_##name, lanes_##name, a + (lanes_##name){0}, a + b)       \
  FOLD(multiply_##name, lanes_##name, a, (a) * (b))                  \
  FOLD(minimum_##name, lanes_##name, a, SMALLER(lanes_##name, a, b)) \
  FOLD(maximum_##name, lanes_##name, a, LARGER(lanes_##name, a, b))

REAL(f32)
REAL(f64)
// Of two that are added or multiplied in f32, rounding that to f16 is rounding once.
REAL(f16)

// Real and imaginary parts take turns.
static INLINE lanes_f32 product_c64(lanes_f32 a, lanes_f32 b) {
  const lanes_f32 sign = {-1, 1, -1, 1};
  lanes_f32 re = __builtin_shufflevector(a, a, 0, 0, 2, 2), im = __builtin_shufflevector(a, a, 1, 1, 3, 3);
  return re * b + sign * (im * __builtin_shufflevector(b, b, 1, 0, 3, 2));
}
static INLINE lanes_f64 product_c128(lanes_f64 a, lanes_f64 b) {
  const lanes_f64 sign = {-1, 1};
  lanes_f64 re = __builtin_shufflevector(a, a, 0, 0), im = __builtin_shufflevector(a, a, 1, 1);
  return re * b + sign * (im * __builtin_shufflevector(b, b, 1, 0));
}
FOLD(multiply_c64, lanes_f32, a, product_c64(a, b))
FOLD(multiply_c128, lanes_f64, a, product_c128(a, b))

// ---- bf16 -------------------------------------------------------------------------------------------------------------------
// Each 32 bits hold two elements; those in the upper halves are f32 as they are but for what is below them.

typedef struct pair {
  lanes_f32 upper, lower;
} pair;

static const uint32_t UPPER = 0xffff0000;

static INLINE pair widen(lanes_u64 x) {
  lanes_u32 both = (lanes_u32)x;
  return (pair){(lanes_f32)(both & UPPER), (lanes_f32)(both << 16)};
}

// To the nearest, ties to even, in the upper half; what is not a number stays one.
static INLINE lanes_u32 narrow(lanes_f32 x) {
  lanes_u32 bits = (lanes_u32)x, rounded = bits + 0x7fff + (bits >> 16 & 1);
  return CHOOSE(lanes_u32, x != x, bits | 0x400000, rounded) & UPPER;
}

#define FOLD_BF16(name, first, value)                                                                            \
  static INLINE pair begin_##name(lanes_u64 x) {                                                                 \
    pair p = widen(x);                                                                                           \
    return (pair){first(p.upper), first(p.lower)};                                                               \
  }                                                                                                              \
  static INLINE pair next_##name(pair a, lanes_u64 x) {                                                          \
    pair b = widen(x);                                                                                           \
    return (pair){value(a.upper, b.upper), value(a.lower, b.lower)};                                             \
  }                                                                                                              \
  static INLINE lanes_u64 finish_##name(pair a) { return (lanes_u64)(narrow(a.upper) | narrow(a.lower) >> 16); } \
  WALK(name, pair)

#define ITSELF(a) (a)
#define AFTER_ZERO(a) ((a) + (lanes_f32){0})
#define SUM(a, b) ((a) + (b))
#define PRODUCT(a, b) ((a) * (b))
#define SMALLER_F32(a, b) SMALLER(lanes_f32, a, b)
#define LARGER_F32(a, b) LARGER(lanes_f32, a, b)
FOLD_BF16(add_bf16, AFTER_ZERO, SUM)
FOLD_BF16(multiply_bf16, ITSELF, PRODUCT)
FOLD_BF16(minimum_bf16, ITSELF, SMALLER_F32)
FOLD_BF16(maximum_bf16, ITSELF, LARGER_F32)

// ---- Which ------------------------------------------------------------------------------------------------------------------

#define INTEGER_ROW(sign, bits) \
  {add_##bits, multiply_##bits, minimum_##sign##bits, maximum_##sign##bits, and_bits, or_bits, xor_bits}
#define REAL_ROW(name) {add_##name, multiply_##name, minimum_##name, maximum_##name, NULL, NULL, NULL}

// A sum of truth values is whether any is true. Real and imaginary parts are added each for itself.
static const mr_folding foldings[MR_DTYPE_COUNT][MR_FOLDS] = {
    [MR_PRED] = {or_bits, and_bits, and_bits, or_bits, and_bits, or_bits, xor_bits},
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
    [MR_BF16] = REAL_ROW(bf16),
    [MR_C64] = {add_f32, multiply_c64, NULL, NULL, NULL, NULL, NULL},
    [MR_C128] = {add_f64, multiply_c128, NULL, NULL, NULL, NULL, NULL},
};

mr_folding mr_folding_find(mr_fold fold, mr_dtype dtype) {
  return (size_t)dtype < MR_ARRAY_SIZE(foldings) ? foldings[dtype][fold] : NULL;
}

bool mr_folding_supports(mr_fold fold, mr_dtype dtype) { return mr_folding_find(fold, dtype) != NULL; }
