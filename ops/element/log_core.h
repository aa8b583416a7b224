// x = 2^k m, sqrt(1/2) <= m < sqrt(2), and log1p for arguments already in range. Private to ops/element.
#ifndef MR_OPS_ELEMENT_LOG_CORE_H
#define MR_OPS_ELEMENT_LOG_CORE_H

#include "ops/element/coef.h"
#include "ops/element/element.h"

#define EL_LN2_F32 0x1.62e43p-1f
#define EL_LN2_LOW_F32 -0x1.05c61p-29f
#define EL_LN2_F64 0x1.62e42fefa39efp-1
#define EL_LN2_LOW_F64 0x1.abc9e3b39803fp-56

// k of a positive normal x.
EL_INLINE el_i32 el_exponent_f32(float x) { return (el_i32)(el_bits_f32(x) - 0x3f3504f3u) >> 23; }

// log((1 + f) 2^k), 1 + f in [sqrt(1/2), sqrt(2)]: log(1+f) = f - f^2/2 + f^3 P(f), the small terms first.
EL_INLINE float el_log_join_f32(float f, float k) {
  float ff = f * f;
  float tail = mr_el_fma_f32(f, el_poly_log_f32(f), -0.5f);
  float low = mr_el_fma_f32(k, EL_LN2_LOW_F32, ff * tail);
  return mr_el_fma_f32(k, EL_LN2_F32, low + f);
}

// log(1 + x) for finite x > -1, and NaN for NaN. With k the exponent of the rounded sum 1 + x, the reduced argument
// (1 + x) 2^-k - 1 = x 2^-k + (2^-k - 1) is one FMA with one rounding, and it is exactly x when k = 0, so nothing is
// lost near zero. 2^-k comes as two factors because k reaches 128.
EL_INLINE float el_log1p_core_f32(float x) {
  el_i32 k = el_exponent_f32(1.0f + x);
  float s1 = el_from_bits_f32((el_u32)(127 - (k >> 1)) << 23);
  float s2 = el_from_bits_f32((el_u32)(127 - (k - (k >> 1))) << 23);
  float y = el_log_join_f32(mr_el_fma_f32(x * s1, s2, s1 * s2 - 1.0f), (float)k);
  return el_abs_f32(x) < 0x1p-25f ? x : y;
}

// The exponent field of a positive normal x, counted from sqrt(1/2) instead of 1: k + 1023.
EL_INLINE el_u64 el_biased_exponent_f64(double x) {
  return (el_bits_f64(x) - 0x3fe6a09e667f3bcdu + 0x3ff0000000000000u) >> 52;
}

// An integer below 2^52 as a double; there is no vector instruction for it before AVX-512.
EL_INLINE double el_from_int_f64(el_u64 n) { return el_from_bits_f64(n | 0x4330000000000000u) - 0x1p52; }

EL_INLINE double el_mantissa_f64(double x, el_u64 biased_exponent) {
  return el_from_bits_f64(el_bits_f64(x) - (biased_exponent << 52) + 0x3ff0000000000000u);
}

// As el_log_join_f32, through s = f/(2+f) as in FreeBSD's e_log.c: log(1+f) = f - f^2/2 + s (f^2/2 + s^2 R(s^2)).
EL_INLINE double el_log_join_f64(double f, double k) {
  double s = f / (2.0 + f);
  double z = s * s;
  double halved = 0.5 * f * f;
  double tail = mr_el_fma_f64(s, mr_el_fma_f64(z, el_poly_log_f64(z), halved), k * EL_LN2_LOW_F64);
  return mr_el_fma_f64(k, EL_LN2_F64, f - (halved - tail));
}

// log x for every x. Special results are added rather than selected: see log.c.
EL_INLINE double el_log_core_f64(double x) {
  int subnormal = x < 0x1p-1022;
  double scaled = x * 0x1p54;
  double normal = subnormal ? scaled : x;
  el_u64 e = el_biased_exponent_f64(normal);
  double k = el_from_int_f64(e) - (subnormal ? 1077.0 : 1023.0);
  double y = el_log_join_f64(el_mantissa_f64(normal, e) - 1.0, k);
  double special = x == 0.0 ? -EL_INF_F64 : EL_NAN_F64;
  special = x > 0.0 ? 0.0 : special;
  return y + (x == EL_INF_F64 ? x : special);
}

EL_INLINE double el_log1p_core_f64(double x) {
  el_u64 e = el_biased_exponent_f64(1.0 + x);
  el_u64 h = e >> 1;
  double s1 = el_from_bits_f64((1534 - h) << 52);
  double s2 = el_from_bits_f64((1535 - (e - h)) << 52);
  double y = el_log_join_f64(mr_el_fma_f64(x * s1, s2, s1 * s2 - 1.0), el_from_int_f64(e) - 1023.0);
  return el_abs_f64(x) < 0x1p-54 ? x : y;
}

#endif
