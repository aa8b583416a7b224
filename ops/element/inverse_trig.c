// asin, acos, atan, atan2.
#include "ops/element/coef.h"
#include "ops/element/element.h"

#define EL_PI_2_F64 0x1.921fb54442d18p0
#define EL_PI_2_LOW_F64 0x1.1a62633145c07p-54

// With a = |x|: asin a up to 1/2, above it asin sqrt((1-a)/2), which is (pi/2 - asin a)/2. NaN where a > 1. The f32
// functions of this file compute in double, so that only the last rounding is left of the error.
EL_INLINE double el_asin_part_f32(double a) {
  int small = a <= 0.5;
  double square = a * a, halved = mr_el_fma_f64(-0.5, a, 0.5), root = el_sqrt_f64(halved);
  double z = small ? square : halved, s = small ? a : root;
  return mr_el_fma_f64(s * z, el_poly_asin_f32(z), s);
}

EL_FUNCTION float mr_el_asin_f32(float x) {
  double a = el_abs_f32(x);
  double p = el_asin_part_f32(a);
  double large = mr_el_fma_f64(-2.0, p, EL_PI_2_F64);
  return el_copysign_f32((float)(a <= 0.5 ? p : large), x);
}

// pi/2 - asin x, 2p or pi - 2p: a base and a signed multiple of p.
EL_FUNCTION float mr_el_acos_f32(float x) {
  double a = el_abs_f32(x);
  double p = el_asin_part_f32(a);
  int small = a <= 0.5;
  double base = x < 0.0f ? 2.0 : 0.0;  // in quarter turns
  base = small ? 1.0 : base;
  double factor = small ? -1.0 : 2.0;
  factor = x < 0.0f ? -factor : factor;
  return (float)mr_el_fma_f64(base, EL_PI_2_F64, factor * p);
}

EL_INLINE double el_asin_part_f64(double a) {
  int small = a <= 0.5;
  double square = a * a, halved = mr_el_fma_f64(-0.5, a, 0.5), root = el_sqrt_f64(halved);
  double z = small ? square : halved, s = small ? a : root;
  return mr_el_fma_f64(s * z, el_poly_asin_f64(z), s);
}

EL_FUNCTION double mr_el_asin_f64(double x) {
  double a = el_abs_f64(x);
  double p = el_asin_part_f64(a);
  double large = EL_PI_2_F64 + mr_el_fma_f64(-2.0, p, EL_PI_2_LOW_F64);
  return el_copysign_f64(a <= 0.5 ? p : large, x);
}

EL_FUNCTION double mr_el_acos_f64(double x) {
  double a = el_abs_f64(x);
  double p = el_asin_part_f64(a);
  int small = a <= 0.5;
  double base = x < 0.0 ? 2.0 : 0.0;
  base = small ? 1.0 : base;
  double factor = small ? -1.0 : 2.0;
  factor = x < 0.0 ? -factor : factor;
  return mr_el_fma_f64(base, EL_PI_2_F64, mr_el_fma_f64(factor, p, base * EL_PI_2_LOW_F64));
}

// atan t for t in [0, 1].
EL_INLINE double el_atan_unit_f32(double t) {
  double tt = t * t;
  return mr_el_fma_f64(t * tt, el_poly_atan_f32(tt), t);
}

EL_FUNCTION float mr_el_atan_f32(float x) {
  double a = el_abs_f32(x);
  int large = a > 1.0;
  double inverse = 1.0 / a;
  double p = el_atan_unit_f32(large ? inverse : a);
  double rest = EL_PI_2_F64 - p;
  return el_copysign_f32((float)(large ? rest : p), x);
}

// The angle in the first octant, moved to its place as base +- p. Equal operands (both infinite too) are at pi/4, and
// two zeros at zero, as C's F.10.1.4 has it.
EL_FUNCTION float mr_el_atan2_f32(float y, float x) {
  float ax = el_abs_f32(x), ay = el_abs_f32(y);
  int swap = ay > ax, left = (el_bits_f32(x) >> 31) != 0;
  double small = swap ? ax : ay, large = swap ? ay : ax;
  double t = small / large;
  double diagonal = large == 0.0 ? 0.0 : 1.0;
  t = small == large ? diagonal : t;
  double p = el_atan_unit_f32(t);
  p = swap != left ? -p : p;
  double base = left ? 2.0 : 0.0;
  base = swap ? 1.0 : base;
  return el_copysign_f32((float)mr_el_fma_f64(base, EL_PI_2_F64, p), y);
}

EL_INLINE double el_atan_unit_f64(double t) {
  double tt = t * t;
  return mr_el_fma_f64(t * tt, el_poly_atan_f64(tt), t);
}

EL_FUNCTION double mr_el_atan_f64(double x) {
  double a = el_abs_f64(x);
  int large = a > 1.0;
  double inverse = 1.0 / a;
  double p = el_atan_unit_f64(large ? inverse : a);
  double rest = EL_PI_2_F64 + (EL_PI_2_LOW_F64 - p);
  return el_copysign_f64(large ? rest : p, x);
}

EL_FUNCTION double mr_el_atan2_f64(double y, double x) {
  double ax = el_abs_f64(x), ay = el_abs_f64(y);
  int swap = ay > ax, left = (el_bits_f64(x) >> 63) != 0;
  double small = swap ? ax : ay, large = swap ? ay : ax;
  double t = small / large;
  double diagonal = large == 0.0 ? 0.0 : 1.0;
  t = small == large ? diagonal : t;
  double p = el_atan_unit_f64(t);
  p = swap != left ? -p : p;
  double base = left ? 2.0 : 0.0;
  base = swap ? 1.0 : base;
  return el_copysign_f64(mr_el_fma_f64(base, EL_PI_2_F64, mr_el_fma_f64(base, EL_PI_2_LOW_F64, p)), y);
}
