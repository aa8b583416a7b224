// erf, erfc.
#include "ops/element/exp_core.h"

// erf(x) = 1 - e^(-x h(x)), h smooth from 2/sqrt(pi) upwards; expm1 keeps it relatively exact near zero. Beyond 4 the
// result is 1. The constant part of h is split as 1 + (h - 1) so that rounding it costs little.
float mr_el_erf_f32(float x) {
  float a = el_abs_f32(x);
  a = a > 4.0f ? 4.0f : a;
  el_exp_f32 e = el_exp_split_f32(-mr_el_fma_f32(a, el_poly_erf_f32(a), a));
  float s = el_exp2i_f32(e.n);
  return el_copysign_f32(-mr_el_fma_f32(e.p, s, s - 1.0f), x);
}
