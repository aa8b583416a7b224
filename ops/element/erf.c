// erf, erfc, erf_inv.
#include "ops/element/exp_core.h"
#include "ops/element/log_core.h"

// erf(x) = 1 - e^(-x h(x)), h smooth from 2/sqrt(pi) upwards; expm1 keeps it relatively exact near zero. Beyond 4 the
// result is 1. The constant part of h is split as 1 + (h - 1) so that rounding it costs little.
EL_FUNCTION float mr_el_erf_f32(float x) {
  float a = el_abs_f32(x);
  a = a > 4.0f ? 4.0f : a;
  el_exp_f32 e = el_exp_split_f32(-mr_el_fma_f32(a, el_poly_erf_f32(a), a));
  float s = el_exp2i_f32((el_u32)e.n);
  return el_copysign_f32(-mr_el_fma_f32(e.p, s, s - 1.0f), x);
}

// For x >= 0.
EL_INLINE double el_erf_part_f64(double a) {
  a = a > 6.0 ? 6.0 : a;
  el_exp_f64 e = el_exp_split_f64(-mr_el_fma_f64(a, el_poly_erf_f64(a), a));
  double s = el_exp2i_f64(e.n);
  return -mr_el_fma_f64(e.p, s, s - 1.0);
}

EL_FUNCTION double mr_el_erf_f64(double x) { return el_copysign_f64(el_erf_part_f64(el_abs_f64(x)), x); }

// erfc(|x|) = e^(-x^2) G / (1 + 2|x|), reflected for negative x. G = (1 + 2x) e^(x^2) erfc(x) starts at 1 and stays
// below 1.3, so with t = (|x| - 3)/(|x| + 3) and G = 1 + (1 + t) P(t) the polynomial's rounding errors hardly count;
// fitting e^(x^2) erfc(x) itself costs 8 ulp. The rounding error of x^2 would be multiplied by x^2, so it is put back:
// e^(-s-l) = e^-s (1 - l).
EL_FUNCTION float mr_el_erfc_f32(float x) {
  float a = el_abs_f32(x);
  a = a > 10.1f ? 10.1f : a;  // erfc(10.1) rounds to 0
  float square = a * a;
  float low = mr_el_fma_f32(a, a, -square);
  float sum = a + 3.0f;
  float g = mr_el_fma_f32(2.0f * a / sum, el_poly_erfcx_f32((a - 3.0f) / sum), 1.0f);
  float r = g / mr_el_fma_f32(a, 2.0f, 1.0f);
  el_exp_f32 e = el_exp_split_f32(-square);
  float y = mr_el_fma_f32(mr_el_fma_f32(-low, e.p, e.p - low), r, r);
  y = el_scale_f32(y, e.n);
  float reflected = 2.0f - y;
  return x < 0.0f ? reflected : y;
}

// For x >= 0.
EL_INLINE double el_erfc_part_f64(double a) {
  a = a > 27.3 ? 27.3 : a;  // erfc(27.3) rounds to 0
  double square = a * a;
  double low = mr_el_fma_f64(a, a, -square);
  double sum = a + 3.0;
  double g = mr_el_fma_f64(2.0 * a / sum, el_poly_erfcx_f64((a - 3.0) / sum), 1.0);
  double r = g / mr_el_fma_f64(a, 2.0, 1.0);
  el_exp_f64 e = el_exp_split_f64(-square);
  double y = mr_el_fma_f64(mr_el_fma_f64(-low, e.p, e.p - low), r, r);
  return el_scale_f64(y, e.n);
}

EL_FUNCTION double mr_el_erfc_f64(double x) {
  double y = el_erfc_part_f64(el_abs_f64(x));
  double reflected = 2.0 - y;
  return x < 0.0 ? reflected : y;
}

// erf_inv(x) = x P(w), w = -log(1 - x^2), after Giles, "Approximating the erfinv function" (2010): one polynomial up to
// w = 5, one in sqrt(w) beyond. 1 - x^2 is one FMA, and exact where it is small.
EL_FUNCTION float mr_el_erf_inv_f32(float x) {
  float rest = mr_el_fma_f32(-x, x, 1.0f);
  el_i32 k = el_exponent_f32(rest);
  float m = el_from_bits_f32(el_bits_f32(rest) - ((el_u32)k << 23));
  float w = -el_log_join_f32(m - 1.0f, (float)k);
  float near = el_poly_erf_inv_near_f32(w - 2.5f), far = el_poly_erf_inv_far_f32(el_sqrt_f32(w) - 3.0f);
  float y = (w < 5.0f ? near : far) * x;
  float edge = el_abs_f32(x) == 1.0f ? EL_INF_F32 : EL_NAN_F32;
  edge = el_copysign_f32(edge, x);
  return el_abs_f32(x) < 1.0f ? y : edge;
}

// The same polynomials give 8 digits; one step of Halley's method on erf y - x, taken as (1 - x) - erfc y in the tail,
// where that difference is exact, gives the rest.
EL_FUNCTION double mr_el_erf_inv_f64(double x) {
  double a = el_abs_f64(x);
  int inside = a < 1.0;
  double b = inside ? a : 0.0;
  double w = -el_log_core_f64((1.0 - b) * (1.0 + b));
  double near = el_poly_erf_inv_near_f64(w - 2.5), far = el_poly_erf_inv_far_f64(el_sqrt_f64(w) - 4.0);
  double y = (w < 5.0 ? near : far) * b;
  double head = el_erf_part_f64(y) - b, tail = (1.0 - b) - el_erfc_part_f64(y);
  double u = (b < 0.5 ? head : tail) * el_exp_core_f64(y * y) * 0x1.c5bf891b4ef6bp-1;
  y = y - u / mr_el_fma_f64(y, u, 1.0);
  double edge = a == 1.0 ? EL_INF_F64 : EL_NAN_F64;
  y = inside ? y : edge;
  double linear = a * 0x1.c5bf891b4ef6bp-1;
  return el_copysign_f64(a < 0x1p-300 ? linear : y, x);
}
