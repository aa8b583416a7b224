// tanh, sinh, cosh.
#include "ops/element/exp_core.h"

// A polynomial up to 0.6, 1 - 2/(e^2|x| + 1) above, which is 1 from 10 on. Two ranges, because the quotient
// expm1(2x)/(expm1(2x) + 2), good everywhere, measures 2.4 ulp near zero.
EL_FUNCTION float mr_el_tanh_f32(float x) {
  float a = el_abs_f32(x);
  float xx = x * x;
  float small = mr_el_fma_f32(a * xx, el_poly_tanh_f32(xx), a);
  float twice = 2.0f * a;
  el_exp_f32 e = el_exp_split_f32(twice > 20.0f ? 20.0f : twice);
  float s = el_exp2i_f32((el_u32)e.n);
  float large = 1.0f - 2.0f / mr_el_fma_f32(e.p, s, s + 1.0f);
  return el_copysign_f32(a < 0.6f ? small : large, x);
}

// expm1(2x)/(expm1(2x) + 2) = (2^n p + (2^n - 1)) / (2^n p + (2^n + 1)); above 7/8 as 1 - 2/(...), where the error of
// the quotient shrinks.
EL_FUNCTION double mr_el_tanh_f64(double x) {
  double a = el_abs_f64(x);
  double twice = 2.0 * a;
  el_exp_f64 e = el_exp_split_f64(twice > 40.0 ? 40.0 : twice);
  double s = el_exp2i_f64(e.n);
  int large = a > 0.875;
  double numerator = mr_el_fma_f64(e.p, s, s - 1.0);
  double y = (large ? -2.0 : numerator) / mr_el_fma_f64(e.p, s, s + 1.0);
  double z = 1.0 + y;
  return el_copysign_f64(large ? z : y, x);
}

// e^x = 2^n (C + S) with C = cosh r, S = sinh r, hence
//   sinh x = (2^(n-1) - 2^(-n-1)) C + (2^(n-1) + 2^(-n-1)) S, cosh x with the signs swapped.
// No division, and at n = 0 sinh is S itself. `up` and `down` are half of those powers, so that n = 129 is in range.
typedef struct {
  float c, s, up, down;
} el_cosh_sinh_f32;

EL_INLINE el_cosh_sinh_f32 el_cosh_sinh_split_f32(float a) {
  el_reduced_f32 e = el_exp_reduce_f32(a > 89.6f ? 89.6f : a);
  float rr = e.r * e.r;
  el_i32 n = e.n < 100 ? e.n : 100;  // 2^-100 is already nothing next to 2^100
  el_cosh_sinh_f32 out = {mr_el_fma_f32(rr, el_poly_cosh_f32(rr), 1.0f),
                          mr_el_fma_f32(e.r * rr, el_poly_sinh_f32(rr), e.r), el_exp2i_f32((el_u32)e.n - 2),
                          el_exp2i_f32(0u - 2 - (el_u32)n)};
  return out;
}

EL_FUNCTION float mr_el_sinh_f32(float x) {
  float a = el_abs_f32(x);
  el_cosh_sinh_f32 t = el_cosh_sinh_split_f32(a);
  float y = 2.0f * mr_el_fma_f32(t.up - t.down, t.c, (t.up + t.down) * t.s);
  return el_copysign_f32(a < 0x1p-13f ? a : y, x);
}

EL_FUNCTION float mr_el_cosh_f32(float x) {
  el_cosh_sinh_f32 t = el_cosh_sinh_split_f32(el_abs_f32(x));
  return 2.0f * mr_el_fma_f32(t.up + t.down, t.c, (t.up - t.down) * t.s);
}

typedef struct {
  double c, s, up, down;
} el_cosh_sinh_f64;

EL_INLINE el_cosh_sinh_f64 el_cosh_sinh_split_f64(double a) {
  el_reduced_f64 e = el_exp_reduce_f64(a > 710.6 ? 710.6 : a);
  double rr = e.r * e.r;
  double up = el_exp2i_f64(e.n - 2);
  el_cosh_sinh_f64 out = {mr_el_fma_f64(rr, el_poly_cosh_f64(rr), 1.0),
                          mr_el_fma_f64(e.r * rr, el_poly_sinh_f64(rr), e.r), up,
                          0x1p-4 / up};  // 2^(-n-2), subnormal at the end
  return out;
}

EL_FUNCTION double mr_el_sinh_f64(double x) {
  double a = el_abs_f64(x);
  el_cosh_sinh_f64 t = el_cosh_sinh_split_f64(a);
  double y = 2.0 * mr_el_fma_f64(t.up - t.down, t.c, (t.up + t.down) * t.s);
  return el_copysign_f64(a < 0x1p-28 ? a : y, x);
}

EL_FUNCTION double mr_el_cosh_f64(double x) {
  el_cosh_sinh_f64 t = el_cosh_sinh_split_f64(el_abs_f64(x));
  return 2.0 * mr_el_fma_f64(t.up + t.down, t.c, (t.up - t.down) * t.s);
}
