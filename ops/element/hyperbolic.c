// tanh, sinh, cosh.
#include "ops/element/exp_core.h"

// A polynomial up to 0.6, 1 - 2/(e^2|x| + 1) above, which is 1 from 10 on. Two ranges, because the quotient
// expm1(2x)/(expm1(2x) + 2), good everywhere, measures 2.4 ulp near zero.
float mr_el_tanh_f32(float x) {
  float a = el_abs_f32(x);
  float xx = x * x;
  float small = mr_el_fma_f32(a * xx, el_poly_tanh_f32(xx), a);
  el_exp_f32 e = el_exp_split_f32(a > 10.0f ? 20.0f : 2.0f * a);
  float s = el_exp2i_f32(e.n);
  float large = 1.0f - 2.0f / mr_el_fma_f32(e.p, s, s + 1.0f);
  return el_copysign_f32(a < 0.6f ? small : large, x);
}
