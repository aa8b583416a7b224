// log, log1p.
#include "ops/element/log_core.h"

float mr_el_log_f32(float x) {
  int subnormal = x < 0x1p-126f;
  float normal = subnormal ? x * 0x1p24f : x;
  el_i32 k = el_exponent_f32(normal);
  float m = el_from_bits_f32(el_bits_f32(normal) - ((el_u32)k << 23));
  float y = el_log_join_f32(m - 1.0f, (float)k - (subnormal ? 24.0f : 0.0f));
  y = x == EL_INF_F32 ? EL_INF_F32 : y;
  y = x == 0.0f ? -EL_INF_F32 : y;
  y = x < 0.0f ? EL_NAN_F32 : y;
  return x != x ? x : y;
}

// With k the exponent of the rounded sum 1 + x, the reduced argument (1 + x) 2^-k - 1 = x 2^-k + (2^-k - 1) is one FMA
// with one rounding, and it is exactly x when k = 0, so nothing is lost near zero. 2^-k comes as two factors because
// k reaches 128.
float mr_el_log1p_f32(float x) {
  float u = 1.0f + x;
  el_i32 k = el_exponent_f32(u);
  float s1 = el_from_bits_f32((el_u32)(127 - (k >> 1)) << 23);
  float s2 = el_from_bits_f32((el_u32)(127 - (k - (k >> 1))) << 23);
  float f = mr_el_fma_f32(x * s1, s2, s1 * s2 - 1.0f);
  float y = el_log_join_f32(f, (float)k);
  y = el_abs_f32(x) < 0x1p-25f ? x : y;
  y = x == EL_INF_F32 ? x : y;
  y = x == -1.0f ? -EL_INF_F32 : y;
  y = x < -1.0f ? EL_NAN_F32 : y;
  return x != x ? x : y;
}
