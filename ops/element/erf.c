// erf, erfc.
#include "ops/element/exp_core.h"

// erf(x) = 1 - e^(-x h(x)), h smooth from 2/sqrt(pi) upwards; expm1 keeps it relatively exact near zero. Beyond 4 the
// result is 1. The constant part of h is split as 1 + (h - 1) so that rounding it costs little.
EL_FUNCTION float mr_el_erf_f32(float x) {
  float a = el_abs_f32(x);
  a = a > 4.0f ? 4.0f : a;
  el_exp_f32 e = el_exp_split_f32(-mr_el_fma_f32(a, el_poly_erf_f32(a), a));
  float s = el_exp2i_f32(e.n);
  return el_copysign_f32(-mr_el_fma_f32(e.p, s, s - 1.0f), x);
}

EL_FUNCTION double mr_el_erf_f64(double x) {
  double a = el_abs_f64(x);
  a = a > 6.0 ? 6.0 : a;
  el_exp_f64 e = el_exp_split_f64(-mr_el_fma_f64(a, el_poly_erf_f64(a), a));
  double s = el_exp2i_f64(e.n);
  return el_copysign_f64(-mr_el_fma_f64(e.p, s, s - 1.0), x);
}

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

EL_FUNCTION double mr_el_erfc_f64(double x) {
  double a = el_abs_f64(x);
  a = a > 27.3 ? 27.3 : a;  // erfc(27.3) rounds to 0
  double square = a * a;
  double low = mr_el_fma_f64(a, a, -square);
  double sum = a + 3.0;
  double g = mr_el_fma_f64(2.0 * a / sum, el_poly_erfcx_f64((a - 3.0) / sum), 1.0);
  double r = g / mr_el_fma_f64(a, 2.0, 1.0);
  el_exp_f64 e = el_exp_split_f64(-square);
  double y = mr_el_fma_f64(mr_el_fma_f64(-low, e.p, e.p - low), r, r);
  y = el_scale_f64(y, e.n);
  double reflected = 2.0 - y;
  return x < 0.0 ? reflected : y;
}
