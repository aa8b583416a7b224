// asin, acos, atan, atan2.
#include "ops/element/coef.h"
#include "ops/element/element.h"

#define EL_PI_2_F64 0x1.921fb54442d18p0
#define EL_PI_2_LOW_F64 0x1.1a62633145c07p-54

// The f32 functions of this file compute in double, so that only the last rounding is left of the error: they differ from
// the f64 ones in the degree of the polynomials, and in what is added of pi's lower half.

// With a = |x|: asin a up to 1/2, above it asin sqrt((1-a)/2), which is (pi/2 - asin a)/2. NaN where a > 1.
#define EL_ASIN_PART(s)                                                                      \
  EL_INLINE double el_asin_part_##s(double a) {                                              \
    int small = a <= 0.5;                                                                    \
    double square = a * a, halved = mr_el_fma_f64(-0.5, a, 0.5), root = el_sqrt_f64(halved); \
    double z = small ? square : halved, t = small ? a : root;                                \
    return mr_el_fma_f64(t * z, el_poly_asin_##s(z), t);                                     \
  }
EL_ASIN_PART(f32)
EL_ASIN_PART(f64)

// pi/2 - asin x, 2p or pi - 2p: a base, in quarter turns, and a signed multiple of p.
typedef struct el_acos_terms {
  double base, rest;
} el_acos_terms;

EL_INLINE el_acos_terms el_acos_parts(double a, int negative, double p) {
  int small = a <= 0.5;
  double base = negative ? 2.0 : 0.0, factor = small ? -1.0 : 2.0;
  base = small ? 1.0 : base;
  factor = negative ? -factor : factor;
  return (el_acos_terms){base, factor * p};
}

EL_FUNCTION float mr_el_asin_f32(float x) {
  double a = el_abs_f32(x);
  double p = el_asin_part_f32(a);
  double large = mr_el_fma_f64(-2.0, p, EL_PI_2_F64);
  return el_copysign_f32((float)(a <= 0.5 ? p : large), x);
}

EL_FUNCTION float mr_el_acos_f32(float x) {
  double a = el_abs_f32(x);
  el_acos_terms t = el_acos_parts(a, x < 0.0f, el_asin_part_f32(a));
  return (float)mr_el_fma_f64(t.base, EL_PI_2_F64, t.rest);
}

EL_FUNCTION double mr_el_asin_f64(double x) {
  double a = el_abs_f64(x);
  double p = el_asin_part_f64(a);
  double large = EL_PI_2_F64 + mr_el_fma_f64(-2.0, p, EL_PI_2_LOW_F64);
  return el_copysign_f64(a <= 0.5 ? p : large, x);
}

EL_FUNCTION double mr_el_acos_f64(double x) {
  double a = el_abs_f64(x);
  el_acos_terms t = el_acos_parts(a, x < 0.0, el_asin_part_f64(a));
  return mr_el_fma_f64(t.base, EL_PI_2_F64, mr_el_fma_f64(t.base, EL_PI_2_LOW_F64, t.rest));
}

// atan t for t in [0, 1].
#define EL_ATAN_UNIT(s)                                    \
  EL_INLINE double el_atan_unit_##s(double t) {            \
    double tt = t * t;                                     \
    return mr_el_fma_f64(t * tt, el_poly_atan_##s(tt), t); \
  }
EL_ATAN_UNIT(f32)
EL_ATAN_UNIT(f64)

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
#define EL_ATAN2(s, type, sign_bit, low)                                    \
  EL_FUNCTION type mr_el_atan2_##s(type y, type x) {                        \
    type ax = el_abs_##s(x), ay = el_abs_##s(y);                            \
    int swap = ay > ax, left = (el_bits_##s(x) >> sign_bit) != 0;           \
    double small = swap ? ax : ay, large = swap ? ay : ax;                  \
    double t = small / large;                                               \
    double diagonal = large == 0.0 ? 0.0 : 1.0;                             \
    t = small == large ? diagonal : t;                                      \
    double p = el_atan_unit_##s(t);                                         \
    p = swap != left ? -p : p;                                              \
    double base = left ? 2.0 : 0.0;                                         \
    base = swap ? 1.0 : base;                                               \
    return el_copysign_##s((type)mr_el_fma_f64(base, EL_PI_2_F64, low), y); \
  }
EL_ATAN2(f32, float, 31, p)
EL_ATAN2(f64, double, 63, mr_el_fma_f64(base, EL_PI_2_LOW_F64, p))

EL_FUNCTION double mr_el_atan_f64(double x) {
  double a = el_abs_f64(x);
  int large = a > 1.0;
  double inverse = 1.0 / a;
  double p = el_atan_unit_f64(large ? inverse : a);
  double rest = EL_PI_2_F64 + (EL_PI_2_LOW_F64 - p);
  return el_copysign_f64(large ? rest : p, x);
}
