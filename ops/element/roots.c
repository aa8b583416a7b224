// cbrt, rsqrt, hypot.
#include "ops/element/element.h"

// z = x^(-1/3) without a division: a third of the exponent and significand taken off a constant (the integer trick,
// here with the constant that minimises the largest e = 1 - x z^3, 0.103), then z (1 + e/3 + 2/9 e^2 + 14/81 e^3), the
// series of (1 - e)^(-1/3), twice. y = x z^2 is the root, and a last Newton step with the exact residual rounds it.
EL_FUNCTION float mr_el_cbrt_f32(float x) {
  float a = el_abs_f32(x);
  int small = a < 0x1p-90f;  // the residual of the last step must not become subnormal, which may count as zero
  float scaled = a * 0x1p60f;
  float v = small ? scaled : a;
  el_i32 third = (el_i32)((float)(el_i32)el_bits_f32(v) * 0x1.555556p-2f);
  float z = el_from_bits_f32((el_u32)(0x54a1f800 - third));
  float e = mr_el_fma_f32(-(v * z) * z, z, 1.0f);
  float series = mr_el_fma_f32(e, mr_el_fma_f32(e, 0x1.61f9aep-3f, 0x1.c71c72p-3f), 0x1.555556p-2f);
  z = mr_el_fma_f32(z * e, series, z);
  e = mr_el_fma_f32(-(v * z) * z, z, 1.0f);
  z = mr_el_fma_f32(z * e, 0x1.555556p-2f, z);
  float zz = z * z;
  float y = v * zz;
  y = mr_el_fma_f32(mr_el_fma_f32(-y * y, y, v), zz * 0x1.555556p-2f, y);
  y *= small ? 0x1p-20f : 1.0f;
  int special = (x == 0.0f) | !(a < EL_INF_F32);
  y = el_copysign_f32(y, x);
  return special ? x : y;
}

EL_FUNCTION double mr_el_cbrt_f64(double x) {
  double a = el_abs_f64(x);
  int subnormal = a < 0x1p-1022;
  double scaled = a * 0x1p54;
  double v = subnormal ? scaled : a;
  el_u64 third = ((el_bits_f64(v) >> 32) * 0xaaaaaaabu) >> 33;
  double z = el_from_bits_f64((0x553ee800u - third) << 32);
  double e = mr_el_fma_f64(-(v * z) * z, z, 1.0);
  double series = mr_el_fma_f64(e, mr_el_fma_f64(e, 0x1.61f9add3c0ca4p-3, 0x1.c71c71c71c71cp-3), 0x1.5555555555555p-2);
  z = mr_el_fma_f64(z * e, series, z);
  e = mr_el_fma_f64(-(v * z) * z, z, 1.0);
  series = mr_el_fma_f64(e, mr_el_fma_f64(e, 0x1.61f9add3c0ca4p-3, 0x1.c71c71c71c71cp-3), 0x1.5555555555555p-2);
  z = mr_el_fma_f64(z * e, series, z);
  double zz = z * z;
  double y = v * zz;
  double square = y * y;
  double residual = mr_el_fma_f64(-square, y, v) - mr_el_fma_f64(y, y, -square) * y;
  y = mr_el_fma_f64(residual, zz * 0x1.5555555555555p-2, y);
  y *= subnormal ? 0x1p-18 : 1.0;
  int special = (x == 0.0) | !(a < EL_INF_F64);
  y = el_copysign_f64(y, x);
  return special ? x : y;
}

// The quotient has two roundings, of which a Newton step with the residual 1 - x y^2 leaves little.
EL_FUNCTION float mr_el_rsqrt_f32(float x) {
  float y = 1.0f / el_sqrt_f32(x);
  float root = x * y;
  float low = mr_el_fma_f32(x, y, -root);
  float e = mr_el_fma_f32(-low, y, mr_el_fma_f32(-root, y, 1.0f));
  float better = mr_el_fma_f32(0.5f * y, e, y);
  // Asked of y, which is never subnormal: a test of x could be answered from its bits, and a subnormal one counts as zero.
  return ((y > 0.0f) & (y < EL_INF_F32)) ? better : y;
}

EL_FUNCTION double mr_el_rsqrt_f64(double x) { return 1.0 / el_sqrt_f64(x); }

// Both sides are scaled by a power of two that makes the longer one a number around 1, so that nothing overflows or is lost on
// the way, and no division is needed. What is so small or so large that the power would be no normal number is scaled by less.
EL_FUNCTION float mr_el_hypot_f32(float x, float y) {
  float a = el_abs_f32(x), b = el_abs_f32(y);
  float big = a > b ? a : b;
  el_u32 power = el_bits_f32(big) & 0x7f800000u;
  el_u32 least = 0x00800000u, most = 0x7e000000u;
  power = power > least ? power : least;
  power = power < most ? power : most;
  float scale = el_from_bits_f32(0x7f000000u - power);
  float p = a * scale, q = b * scale;
  float length = el_sqrt_f32(mr_el_fma_f32(p, p, q * q)) * el_from_bits_f32(power);
  int infinite = (a == EL_INF_F32) | (b == EL_INF_F32);
  return infinite ? EL_INF_F32 : length;
}

EL_FUNCTION double mr_el_hypot_f64(double x, double y) {
  double a = el_abs_f64(x), b = el_abs_f64(y);
  double big = a > b ? a : b;
  el_u64 power = el_bits_f64(big) & 0x7ff0000000000000u;
  el_u64 least = 0x0010000000000000u, most = 0x7fc0000000000000u;
  power = power > least ? power : least;
  power = power < most ? power : most;
  double scale = el_from_bits_f64(0x7fe0000000000000u - power);
  double p = a * scale, q = b * scale;
  double length = el_sqrt_f64(mr_el_fma_f64(p, p, q * q)) * el_from_bits_f64(power);
  int infinite = (a == EL_INF_F64) | (b == EL_INF_F64);
  return infinite ? EL_INF_F64 : length;
}
