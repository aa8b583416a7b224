// log|gamma x| and its derivative, in double for both float types. Private to ops/element.
#ifndef MR_OPS_ELEMENT_GAMMA_CORE_H
#define MR_OPS_ELEMENT_GAMMA_CORE_H

#include "ops/element/log_core.h"

#define EL_PI_F64 0x1.921fb54442d18p1

// sin(pi t) for 0 <= t <= 1/2.
EL_INLINE double el_sinpi_f64(double t) {
  double tt = t * t;
  return mr_el_fma_f64(t * tt, el_poly_sinpi_f64(tt), t * EL_PI_F64);
}

// z > 2.5 moves down by one and multiplies the product, so that gamma(before) = product * gamma(after).
#define EL_GAMMA_DOWN(z, product)    \
  {                                  \
    double below = (z) - 1.0;        \
    double more = (product) * below; \
    int far = (z) > 2.5;             \
    z = far ? below : z;             \
    product = far ? more : product;  \
  }

// log gamma(a), a >= 0 or NaN. From 8 on Stirling's series; below it the recurrence moves a to within 1/2 of 2, where
// log gamma(2 + e) = e P(e) is relatively exact, and takes the log of the product it moved through.
EL_INLINE double el_lgamma_positive_f64(double a) {
  int large = a >= 8.0, tiny = a < 0.5, low = a < 1.5;
  double z = a, product = 1.0;
  EL_GAMMA_DOWN(z, product)
  EL_GAMMA_DOWN(z, product)
  EL_GAMMA_DOWN(z, product)
  EL_GAMMA_DOWN(z, product)
  EL_GAMMA_DOWN(z, product)
  EL_GAMMA_DOWN(z, product)
  double e_down = z - 2.0, e_up = a - 1.0, rising = a * (a + 1.0);
  double e = low ? e_up : e_down;  // a in [1/2, 3/2): one up
  e = tiny ? a : e;                // a in [0, 1/2): two up
  double up = tiny ? rising : a;
  product = low ? up : product;
  double l = el_log_core_f64(large ? a : product);
  double moved = mr_el_fma_f64(e, el_poly_lgamma_f64(e), low ? -l : l);
  double inverse = 1.0 / a;
  double series = inverse * el_poly_stirling_f64(inverse * inverse);
  // (a - 1/2) log a - a + log(2 pi)/2, arranged not to overflow early.
  double stirling = mr_el_fma_f64(a - 0.5, l - 1.0, 0x1.acfe390c97d69p-2 + series);
  return large ? stirling : moved;
}

// Negative x by reflection: log(pi/|x sin(pi x)|) - log gamma(-x). Infinite at the poles and at both infinities.
EL_INLINE double el_lgamma_core_f64(double x) {
  double a = el_abs_f64(x);
  double positive = el_lgamma_positive_f64(a);
  double s = el_sinpi_f64(el_abs_f64(a - el_rint_f64(a)));
  double reflected = 0x1.250d048e7a1bdp0 - el_log_core_f64(a * s) - positive;
  int mirror = (x < 0.0) & (a > 0x1p-60);  // nearer to 0 both sides are -log|x|
  double y = mirror ? reflected : positive;
  // A pole: log(pi/0) is infinite, and so is log gamma of the largest numbers, which are whole ones.
  y = (mirror & (s == 0.0)) ? EL_INF_F64 : y;
  return a == EL_INF_F64 ? a : y;
}

// Adds 1/z to the fraction sum/over and moves z up by one while z < 8.
#define EL_DIGAMMA_UP(z, sum, over)                    \
  {                                                    \
    double next_sum = mr_el_fma_f64(sum, z, over);     \
    double next_over = (over) * (z), next = (z) + 1.0; \
    int near = (z) < 8.0;                              \
    sum = near ? next_sum : sum;                       \
    over = near ? next_over : over;                    \
    z = near ? next : z;                               \
  }

// d/dx log gamma(x): the asymptotic series from 8 on, the recurrence below, reflection below 0. NaN at the poles, as
// StableHLO's expansion has it.
EL_INLINE double el_digamma_core_f64(double x) {
  int left = x <= 0.0;
  double mirrored = 1.0 - x;
  double z = left ? mirrored : x, sum = 0.0, over = 1.0;
  EL_DIGAMMA_UP(z, sum, over)
  EL_DIGAMMA_UP(z, sum, over)
  EL_DIGAMMA_UP(z, sum, over)
  EL_DIGAMMA_UP(z, sum, over)
  EL_DIGAMMA_UP(z, sum, over)
  EL_DIGAMMA_UP(z, sum, over)
  EL_DIGAMMA_UP(z, sum, over)
  EL_DIGAMMA_UP(z, sum, over)
  double inverse = 1.0 / z, square = inverse * inverse;
  double tail = mr_el_fma_f64(square, el_poly_digamma_f64(square), 0.5 * inverse);
  double y = el_log_core_f64(z) - tail - sum / over;
  double whole = el_rint_f64(x);
  double f = x - whole, g = el_abs_f64(f);
  double cotangent = el_copysign_f64(el_sinpi_f64(0.5 - g) / el_sinpi_f64(g), f);
  double reflected = mr_el_fma_f64(-EL_PI_F64, cotangent, y);
  double below = x == whole ? EL_NAN_F64 : reflected;
  return left ? below : y;
}

#endif
