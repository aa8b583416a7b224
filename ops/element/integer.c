// Integer operations, defined for every operand: nothing here traps or is undefined in C.
#include "ops/element/element.h"

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
#define EL_POPCOUNT(x) popcount((el_u64)(x))
#define EL_CLZ64(x) clz((el_u64)(x))
#define EL_CLZ32(x) clz((el_u32)(x))
#else
#define EL_POPCOUNT(x) __builtin_popcountll(x)
#define EL_CLZ64(x) __builtin_clzll(x)
#define EL_CLZ32(x) __builtin_clz(x)
#endif

// There is no vector integer division, so narrow types divide in floating point: for w-bit operands a quotient that is
// not whole differs from the next whole number by 2^-w of itself or more, which a significand of w + 1 bits keeps apart,
// so truncating the rounded quotient is exact. 64-bit division stays scalar.
#define EL_QUOTIENT_i8(x, y) (el_i8)((float)(x) / (float)(y))
#define EL_QUOTIENT_u8(x, y) (el_u8)((float)(x) / (float)(y))
#define EL_QUOTIENT_i16(x, y) (el_i16)((float)(x) / (float)(y))
#define EL_QUOTIENT_u16(x, y) (el_u16)((float)(x) / (float)(y))
#define EL_QUOTIENT_i32(x, y) (el_i32)((double)(x) / (double)(y))
#define EL_QUOTIENT_u32(x, y) (el_u32)((double)(x) / (double)(y))
#define EL_QUOTIENT_i64(x, y) ((x) / (y))
#define EL_QUOTIENT_u64(x, y) ((x) / (y))

// x/0 is all ones and x rem 0 is x. The divisor becomes 1 where it must not be used, which also makes MIN/-1 = MIN and
// MIN rem -1 = 0.
#define EL_DIVIDE(s, type, utype, is_bad)                             \
  EL_FUNCTION type mr_el_divide_##s(type x, type y) {                 \
    type divisor = (y == 0) | (is_bad) ? (type)1 : y;                 \
    type q = EL_QUOTIENT_##s(x, divisor);                             \
    return y == 0 ? (type) - 1 : q;                                   \
  }                                                                   \
                                                                      \
  EL_FUNCTION type mr_el_remainder_##s(type x, type y) {              \
    type divisor = (y == 0) | (is_bad) ? (type)1 : y;                 \
    type q = EL_QUOTIENT_##s(x, divisor);                             \
    type r = (type)((utype)x - (utype)((el_u64)q * (el_u64)divisor)); \
    return y == 0 ? x : r;                                            \
  }

#define EL_SIGNED_DIVIDE(s, type, utype, width) \
  EL_DIVIDE(s, type, utype, (x == (type)((utype)1 << (width - 1))) & (y == -1))
#define EL_UNSIGNED_DIVIDE(s, type, utype, width) EL_DIVIDE(s, type, utype, 0)
MR_EL_SIGNED_TYPES(EL_SIGNED_DIVIDE)
MR_EL_UNSIGNED_TYPES(EL_UNSIGNED_DIVIDE)

// Square and multiply, one step for every bit of the exponent and no loop: with a constant exponent LLVM folds the
// steps that do nothing. The arithmetic is unsigned and wraps.
#define EL_POWER_STEP(wide)                   \
  result *= (wide)((n & 1) ? base : (wide)1); \
  base *= base;                               \
  n >>= 1;
// clang-format off
#define EL_POWER_8(w)                                                 \
  EL_POWER_STEP(w) EL_POWER_STEP(w) EL_POWER_STEP(w) EL_POWER_STEP(w) \
  EL_POWER_STEP(w) EL_POWER_STEP(w) EL_POWER_STEP(w) EL_POWER_STEP(w)
// clang-format on
#define EL_POWER_16(w) EL_POWER_8(w) EL_POWER_8(w)
#define EL_POWER_32(w) EL_POWER_16(w) EL_POWER_16(w)
#define EL_POWER_64(w) EL_POWER_32(w) EL_POWER_32(w)

// Narrow types compute in 32 bits, because C would promote them to a signed int that can overflow.
#define EL_WIDE_8 el_u32
#define EL_WIDE_16 el_u32
#define EL_WIDE_32 el_u32
#define EL_WIDE_64 el_u64

#define EL_POWER(s, type, utype, width)                    \
  EL_INLINE type el_power_##s(type x, utype n) {           \
    EL_WIDE_##width base = (EL_WIDE_##width)x, result = 1; \
    EL_POWER_##width(EL_WIDE_##width) return (type)result; \
  }

// A negative exponent gives the integer part of the reciprocal, which only 1 and -1 have; 0 gives 0 too.
#define EL_SIGNED_POWER(s, type, utype, width)       \
  EL_POWER(s, type, utype, width)                    \
  EL_FUNCTION type mr_el_power_##s(type x, type y) { \
    type reciprocal = x == 1 ? (type)1 : (type)0;    \
    type unit = (y & 1) ? (type) - 1 : (type)1;      \
    reciprocal = x == -1 ? unit : reciprocal;        \
    type power = el_power_##s(x, (utype)y);          \
    return y < 0 ? reciprocal : power;               \
  }
#define EL_UNSIGNED_POWER(s, type, utype, width) \
  EL_POWER(s, type, utype, width)                \
  EL_FUNCTION type mr_el_power_##s(type x, type y) { return el_power_##s(x, y); }
MR_EL_SIGNED_TYPES(EL_SIGNED_POWER)
MR_EL_UNSIGNED_TYPES(EL_UNSIGNED_POWER)

// The amount counts as unsigned, and one of the width or more shifts everything out. The arithmetic shift fills with
// the top bit, of unsigned types too.
#define EL_SHIFT(s, type, utype, width, stype)                        \
  EL_FUNCTION type mr_el_shift_left_##s(type x, type y) {             \
    utype z = (utype)((el_u64)(utype)x << ((utype)y & (width - 1)));  \
    return (type)((utype)y >= width ? (utype)0 : z);                  \
  }                                                                   \
                                                                      \
  EL_FUNCTION type mr_el_shift_right_logical_##s(type x, type y) {    \
    utype z = (utype)((utype)x >> ((utype)y & (width - 1)));          \
    return (type)((utype)y >= width ? (utype)0 : z);                  \
  }                                                                   \
                                                                      \
  EL_FUNCTION type mr_el_shift_right_arithmetic_##s(type x, type y) { \
    utype amount = (utype)y >= width ? (utype)(width - 1) : (utype)y; \
    return (type)((stype)x >> amount);                                \
  }
#define EL_SHIFT_8(s, type, utype, width) EL_SHIFT(s, type, utype, width, el_i8)
#define EL_SHIFT_16(s, type, utype, width) EL_SHIFT(s, type, utype, width, el_i16)
#define EL_SHIFT_32(s, type, utype, width) EL_SHIFT(s, type, utype, width, el_i32)
#define EL_SHIFT_64(s, type, utype, width) EL_SHIFT(s, type, utype, width, el_i64)
#define EL_SHIFT_ANY(s, type, utype, width) EL_SHIFT_##width(s, type, utype, width)
MR_EL_SIGNED_TYPES(EL_SHIFT_ANY)
MR_EL_UNSIGNED_TYPES(EL_SHIFT_ANY)

// A count of leading zeros is undefined for 0, hence the `| 1` and the select.
#define EL_COUNT(s, type, utype, width)                                                                                \
  EL_FUNCTION type mr_el_popcnt_##s(type x) { return (type)EL_POPCOUNT((utype)x); }                                    \
                                                                                                                       \
  EL_FUNCTION type mr_el_count_leading_zeros_##s(type x) {                                                             \
    type zeros = (type)(width == 64 ? EL_CLZ64((el_u64)(utype)x | 1) : EL_CLZ32((el_u32)(utype)x | 1) - (32 - width)); \
    return x == 0 ? (type)width : zeros;                                                                               \
  }
MR_EL_SIGNED_TYPES(EL_COUNT)
MR_EL_UNSIGNED_TYPES(EL_COUNT)
