// asinh, acosh, atanh: all through log1p, so that small results keep their relative accuracy.
#include "ops/element/log_core.h"

// asinh a = log1p(a + a^2/(1 + sqrt(1 + a^2))); from 2^30 on that is log(2a), and a^2 must not overflow.
EL_FUNCTION float mr_el_asinh_f32(float x) {
  float a = el_abs_f32(x);
  int huge = a > 0x1p30f;
  float u = a + a * a / (1.0f + el_sqrt_f32(mr_el_fma_f32(a, a, 1.0f)));
  float y = el_log1p_core_f32(huge ? a : u) + (huge ? EL_LN2_F32 : 0.0f);
  return el_copysign_f32(a == EL_INF_F32 ? a : y, x);
}

// acosh x = log1p(t + sqrt(t (t + 2))), t = x - 1.
EL_FUNCTION float mr_el_acosh_f32(float x) {
  int huge = x > 0x1p30f;
  float t = x - 1.0f;
  float u = t + el_sqrt_f32(t * (t + 2.0f));
  u = huge ? x : u;
  float y = el_log1p_core_f32(x >= 1.0f ? u : 0.0f) + (huge ? EL_LN2_F32 : 0.0f);
  y = x == EL_INF_F32 ? x : y;
  return x >= 1.0f ? y : EL_NAN_F32;
}

// atanh a = log1p(2a/(1 - a))/2.
EL_FUNCTION float mr_el_atanh_f32(float x) {
  float a = el_abs_f32(x);
  float u = 2.0f * a / (1.0f - a);
  float y = 0.5f * el_log1p_core_f32(a < 1.0f ? u : 0.0f);
  float special = a == 1.0f ? EL_INF_F32 : EL_NAN_F32;
  return el_copysign_f32(a < 1.0f ? y : special, x);
}

EL_FUNCTION double mr_el_asinh_f64(double x) {
  double a = el_abs_f64(x);
  int huge = a > 0x1p60;
  double u = a + a * a / (1.0 + el_sqrt_f64(mr_el_fma_f64(a, a, 1.0)));
  double y = el_log1p_core_f64(huge ? a : u) + (huge ? EL_LN2_F64 : 0.0);
  return el_copysign_f64(a == EL_INF_F64 ? a : y, x);
}

EL_FUNCTION double mr_el_acosh_f64(double x) {
  int huge = x > 0x1p60;
  double t = x - 1.0;
  double u = t + el_sqrt_f64(t * (t + 2.0));
  u = huge ? x : u;
  double y = el_log1p_core_f64(x >= 1.0 ? u : 0.0) + (huge ? EL_LN2_F64 : 0.0);
  y = x == EL_INF_F64 ? x : y;
  return x >= 1.0 ? y : EL_NAN_F64;
}

EL_FUNCTION double mr_el_atanh_f64(double x) {
  double a = el_abs_f64(x);
  double u = 2.0 * a / (1.0 - a);
  double y = 0.5 * el_log1p_core_f64(a < 1.0 ? u : 0.0);
  double special = a == 1.0 ? EL_INF_F64 : EL_NAN_F64;
  return el_copysign_f64(a < 1.0 ? y : special, x);
}
