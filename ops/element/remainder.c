// remainder: C's fmod, exact, with the sign of the dividend.
#include "ops/element/element.h"

// One step of long division by b 2^k, in double: any quotient below 2^52 comes out within one of the truth, the FMA is
// exact because the difference is a multiple of the smaller unit and less than the divisor, and a rounded quotient
// leaves |r| <= 0.6 b 2^k, so the next step, 50 binary places further down, is in range again.
EL_INLINE double el_remainder_step(double r, double b, double inverse, double power) {
  double q = el_rint_f64(r * (inverse * (1.0 / power)));
  return mr_el_fma_f64(-q, b * power, r);
}

// Two floats are at most 277 binary places apart: six steps always suffice, so there is no loop.
EL_FUNCTION float mr_el_remainder_f32(float x, float y) {
  double a = el_abs_f32(x), b = el_abs_f32(y);
  double inverse = 1.0 / b;
  double r = el_remainder_step(a, b, inverse, 0x1p250);
  r = el_remainder_step(r, b, inverse, 0x1p200);
  r = el_remainder_step(r, b, inverse, 0x1p150);
  r = el_remainder_step(r, b, inverse, 0x1p100);
  r = el_remainder_step(r, b, inverse, 0x1p50);
  r = el_remainder_step(r, b, inverse, 1.0);
  double corrected = r + b;
  r = r < 0.0 ? corrected : r;
  float z = el_copysign_f32((float)r, x);
  z = (a < b) ? x : z;  // also when y is infinite
  return ((a != a) | (b != b) | (a == EL_INF_F64) | (b == 0.0)) ? EL_NAN_F32 : z;
}

// The exponent of a positive finite x, right for subnormals too.
EL_INLINE int el_ilogb_f64(double x) {
  int subnormal = x < 0x1p-1022;
  return (int)(el_bits_f64(subnormal ? x * 0x1p54 : x) >> 52) - (subnormal ? 1077 : 1023);
}

// Doubles are up to 2098 places apart, so this one loops, 50 places a time; operands within 2^50 of each other, that is
// nearly all, take one turn. It does not vectorise.
EL_FUNCTION double mr_el_remainder_f64(double x, double y) {
  double r = el_abs_f64(x), b = el_abs_f64(y);
  if (!(r < EL_INF_F64) || !(b > 0.0)) {
    return EL_NAN_F64;
  }
  while (r >= b) {
    int places = el_ilogb_f64(r) - el_ilogb_f64(b) - 50;
    places = places < 0 ? 0 : places > 2046 ? 2046 : places;  // 2047 would need a factor of 2^1024
    double divisor = b * el_from_bits_f64((el_u64)(1023 + places / 2) << 52) *
                     el_from_bits_f64((el_u64)(1023 + places - places / 2) << 52);
    r = mr_el_fma_f64(-el_trunc_f64(r / divisor), divisor, r);
    r = r < 0.0 ? r + divisor : r;
  }
  return el_copysign_f64(r, x);
}
