// exp, expm1, logistic.
#include "ops/element/exp_core.h"

EL_FUNCTION float mr_el_exp_f32(float x) { return el_exp_core_f32(x); }

EL_FUNCTION double mr_el_exp_f64(double x) { return el_exp_core_f64(x); }

// 2^n (1 + p) - 1 = 2 (2^(n-1) p + (2^(n-1) - 1/2)): one rounding, and n = 128 does not overflow early.
// For tiny x the halving would lose a subnormal's last bit, and the sign of -0, so those return x.
EL_FUNCTION float mr_el_expm1_f32(float x) {
  float c = x < -20.0f ? -20.0f : x;
  c = c > 89.0f ? 89.0f : c;
  el_exp_f32 e = el_exp_split_f32(c);
  float part = el_exp2i_f32((el_u32)e.n - 1);
  float y = 2.0f * mr_el_fma_f32(e.p, part, part - 0.5f);
  return el_abs_f32(x) < 0x1p-25f ? x : y;
}

EL_FUNCTION double mr_el_expm1_f64(double x) {
  double c = x < -40.0 ? -40.0 : x;
  c = c > 710.0 ? 710.0 : c;
  el_exp_f64 e = el_exp_split_f64(c);
  double part = el_exp2i_f64(e.n - 1);
  double y = 2.0 * mr_el_fma_f64(e.p, part, part - 0.5);
  return el_abs_f64(x) < 0x1p-54 ? x : y;
}

// e^-|x| never overflows: 1/(1+e) for x >= 0, e/(1+e) for x < 0, which keeps the subnormal tail.
EL_FUNCTION float mr_el_logistic_f32(float x) {
  float e = el_exp_core_f32(-el_abs_f32(x));
  return (x < 0.0f ? e : 1.0f) / (1.0f + e);
}

EL_FUNCTION double mr_el_logistic_f64(double x) {
  double e = el_exp_core_f64(-el_abs_f64(x));
  return (x < 0.0 ? e : 1.0) / (1.0 + e);
}
