// asinh, acosh, atanh: all through log1p, so that small results keep their relative accuracy.
#include "ops/element/log_core.h"

// asinh a = log1p(a + a^2/(1 + sqrt(1 + a^2))). Beyond `limit` that is log(2a), and a^2 must not
// overflow.
//
// acosh x = log1p(t + sqrt(t (t + 2))), t = x - 1.
//
// atanh a = log1p(2a/(1 - a))/2.
#define EL_INVERSE_HYPERBOLIC(s, S, type, limit)                                            \
  EL_FUNCTION type mr_el_asinh_##s(type x) {                                                \
    type a = el_abs_##s(x);                                                                 \
    int huge = a > limit;                                                                   \
    type u = a + a * a / ((type)1 + el_sqrt_##s(mr_el_fma_##s(a, a, (type)1)));             \
    type y = el_log1p_core_##s(huge ? a : u) + (huge ? EL_LN2_##S : (type)0);               \
    return el_copysign_##s(a == EL_INF_##S ? a : y, x);                                     \
  }                                                                                         \
  EL_FUNCTION type mr_el_acosh_##s(type x) {                                                \
    int huge = x > limit;                                                                   \
    type t = x - (type)1;                                                                   \
    type u = t + el_sqrt_##s(t * (t + (type)2));                                            \
    u = huge ? x : u;                                                                       \
    type y = el_log1p_core_##s(x >= (type)1 ? u : (type)0) + (huge ? EL_LN2_##S : (type)0); \
    y = x == EL_INF_##S ? x : y;                                                            \
    return x >= (type)1 ? y : EL_NAN_##S;                                                   \
  }                                                                                         \
  EL_FUNCTION type mr_el_atanh_##s(type x) {                                                \
    type a = el_abs_##s(x);                                                                 \
    type u = (type)2 * a / ((type)1 - a);                                                   \
    type y = (type)0.5 * el_log1p_core_##s(a < (type)1 ? u : (type)0);                      \
    type special = a == (type)1 ? EL_INF_##S : EL_NAN_##S;                                  \
    return el_copysign_##s(a < (type)1 ? y : special, x);                                   \
  }

EL_INVERSE_HYPERBOLIC(f32, F32, float, 0x1p30f)
EL_INVERSE_HYPERBOLIC(f64, F64, double, 0x1p60)
