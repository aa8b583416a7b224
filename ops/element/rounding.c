// round_nearest_afz, sign, maximum, minimum.
#include "ops/element/element.h"

// (suffix, type)
#define EL_ROUNDING(s, type)                                                                      \
  /* Half away from zero. x - trunc x is exact, unlike x + 0.5; the copysign keeps -0.2 at -0. */ \
  EL_FUNCTION type mr_el_round_nearest_afz_##s(type x) {                                          \
    type whole = el_trunc_##s(x);                                                                 \
    type up = el_abs_##s(x - whole) >= (type)0.5 ? (type)1 : (type)0;                             \
    return whole + el_copysign_##s(up, x);                                                        \
  }                                                                                               \
                                                                                                  \
  /* -0 and NaN stay what they are. */                                                            \
  EL_FUNCTION type mr_el_sign_##s(type x) {                                                       \
    type y = x < (type)0 ? (type) - 1 : x;                                                        \
    return x > (type)0 ? (type)1 : y;                                                             \
  }                                                                                               \
                                                                                                  \
  /* A NaN wins. Equal operands differ at most in the sign of zero: + has the sign bit clear. */  \
  EL_FUNCTION type mr_el_maximum_##s(type x, type y) {                                            \
    type greater = x > y ? x : y;                                                                 \
    type equal = el_from_bits_##s(el_bits_##s(x) & el_bits_##s(y));                               \
    type z = x == y ? equal : greater;                                                            \
    type sum = x + y;                                                                             \
    return ((x != x) | (y != y)) ? sum : z;                                                       \
  }                                                                                               \
                                                                                                  \
  EL_FUNCTION type mr_el_minimum_##s(type x, type y) {                                            \
    type less = x < y ? x : y;                                                                    \
    type equal = el_from_bits_##s(el_bits_##s(x) | el_bits_##s(y));                               \
    type z = x == y ? equal : less;                                                               \
    type sum = x + y;                                                                             \
    return ((x != x) | (y != y)) ? sum : z;                                                       \
  }

EL_ROUNDING(f32, float)
EL_ROUNDING(f64, double)
