// log, log1p. Special results are added rather than selected: a select on the result makes LLVM branch around the
// computation.
#include "ops/element/log_core.h"

EL_FUNCTION float mr_el_log_f32(float x) {
  int subnormal = x < 0x1p-126f;
  float scaled = x * 0x1p24f;
  float normal = subnormal ? scaled : x;
  el_i32 k = el_exponent_f32(normal);
  float m = el_from_bits_f32(el_bits_f32(normal) - ((el_u32)k << 23));
  float y = el_log_join_f32(m - 1.0f, (float)k - (subnormal ? 24.0f : 0.0f));
  float special = x == 0.0f ? -EL_INF_F32 : EL_NAN_F32;
  special = x > 0.0f ? 0.0f : special;
  return y + (x == EL_INF_F32 ? x : special);
}

EL_FUNCTION double mr_el_log_f64(double x) { return el_log_core_f64(x); }

// The core sees 0 where the argument is out of its range.
EL_FUNCTION float mr_el_log1p_f32(float x) {
  int inside = (x > -1.0f) & (x < EL_INF_F32);
  float special = x == -1.0f ? -EL_INF_F32 : EL_NAN_F32;
  special = x == EL_INF_F32 ? x : special;
  float y = el_log1p_core_f32(inside ? x : 0.0f);
  return inside ? y : special;
}

EL_FUNCTION double mr_el_log1p_f64(double x) {
  int inside = (x > -1.0) & (x < EL_INF_F64);
  double special = x == -1.0 ? -EL_INF_F64 : EL_NAN_F64;
  special = x == EL_INF_F64 ? x : special;
  double y = el_log1p_core_f64(inside ? x : 0.0);
  return inside ? y : special;
}
