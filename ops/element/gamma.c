// lgamma, digamma, zeta, polygamma. All in double: the f32 results are correctly rounded but for a few.
#include "ops/element/gamma_core.h"
#include "ops/element/pow_core.h"

EL_FUNCTION float mr_el_lgamma_f32(float x) { return (float)el_lgamma_core_f64(x); }

EL_FUNCTION double mr_el_lgamma_f64(double x) { return el_lgamma_core_f64(x); }

EL_FUNCTION float mr_el_digamma_f32(float x) { return (float)el_digamma_core_f64(x); }

EL_FUNCTION double mr_el_digamma_f64(double x) { return el_digamma_core_f64(x); }

// base^-s, base finite and not 0; a negative base with a whole s has a sign.
EL_INLINE double el_zeta_term(double base, double s, int odd) {
  double a = el_abs_f64(base);
  int subnormal = a < 0x1p-1022;
  double scaled = a * 0x1p54;
  el_pair_f64 l = el_log_pair_f64(subnormal ? scaled : a, subnormal ? 1077.0 : 1023.0);
  double t = -s * l.hi;
  double y = el_exp_pair_f64(t, mr_el_fma_f64(-s, l.lo, mr_el_fma_f64(-s, l.hi, -t)));
  double negative = -y;
  return (odd & (base < 0.0)) ? negative : y;
}

// One term of the tail of Euler and Maclaurin's formula: rising is s (s+1) ... (s+2j-2) w^(-s-2j+1).
#define EL_ZETA_TAIL(j, coefficient)             \
  sum = mr_el_fma_f64(coefficient, rising, sum); \
  rising *= (c + (2 * (j) - 1)) * (c + 2 * (j)) * square;

// Hurwitz's zeta(s, q) = sum of (q + k)^-s: ten terms, then Euler and Maclaurin with B_2j/(2j)! up to j = 10. Infinite at
// s = 1 and where q is 0 or a negative whole number; NaN for s < 1, and for q < 0 unless s is whole.
EL_INLINE double el_zeta_core_f64(double s, double q) {
  double halved = 0.5 * s;
  int whole = el_rint_f64(s) == s;
  int odd = whole & (el_rint_f64(halved) != halved);
  s = s > 1e300 ? 1e300 : s;     // infinity times log 1 must be 0
  double c = s > 1e5 ? 1e5 : s;  // past it only q^-s counts, and the products below must stay finite
  double sum = el_zeta_term(q, s, odd) + el_zeta_term(q + 1.0, s, odd) + el_zeta_term(q + 2.0, s, odd);
  sum += el_zeta_term(q + 3.0, s, odd) + el_zeta_term(q + 4.0, s, odd) + el_zeta_term(q + 5.0, s, odd);
  sum += el_zeta_term(q + 6.0, s, odd) + el_zeta_term(q + 7.0, s, odd) + el_zeta_term(q + 8.0, s, odd);
  sum += el_zeta_term(q + 9.0, s, odd);
  double w = q + 10.0, b = el_zeta_term(w, s, odd), inverse = 1.0 / w, square = inverse * inverse;
  sum += mr_el_fma_f64(b, w / (c - 1.0), 0.5 * b);
  double rising = c * b * inverse;
  EL_ZETA_TAIL(1, 0x1.5555555555555p-4)
  EL_ZETA_TAIL(2, -0x1.6c16c16c16c17p-10)
  EL_ZETA_TAIL(3, 0x1.1566abc011567p-15)
  EL_ZETA_TAIL(4, -0x1.bbd779334ef0bp-21)
  EL_ZETA_TAIL(5, 0x1.66a8f2bf70ebep-26)
  EL_ZETA_TAIL(6, -0x1.22805d644267fp-31)
  EL_ZETA_TAIL(7, 0x1.d6db2c4e09163p-37)
  EL_ZETA_TAIL(8, -0x1.7da4e1f79955cp-42)
  EL_ZETA_TAIL(9, 0x1.355871d652e9ep-47)
  EL_ZETA_TAIL(10, -0x1.f57d968caacf1p-53)
  sum = q == EL_INF_F64 ? 0.0 : sum;
  sum = ((q <= 0.0) & (el_rint_f64(q) == q)) ? EL_INF_F64 : sum;
  sum = ((q < 0.0) & !whole) ? EL_NAN_F64 : sum;
  sum = s == 1.0 ? EL_INF_F64 : sum;
  return ((s >= 1.0) & (q == q)) ? sum : EL_NAN_F64;
}

EL_FUNCTION float mr_el_zeta_f32(float s, float q) { return (float)el_zeta_core_f64(s, q); }

EL_FUNCTION double mr_el_zeta_f64(double s, double q) { return el_zeta_core_f64(s, q); }

// The n-th derivative of digamma: (-1)^(n+1) n! zeta(n + 1, x). NaN unless n is a whole number and not negative.
EL_INLINE double el_polygamma_core_f64(double n, double x) {
  double halved = 0.5 * n;
  double y = el_zeta_core_f64(n + 1.0, x) * el_exp_core_f64(el_lgamma_positive_f64(n + 1.0));
  double negative = -y;
  y = el_rint_f64(halved) == halved ? negative : y;
  double first = el_digamma_core_f64(x);
  y = n == 0.0 ? first : y;
  return ((n >= 0.0) & (el_rint_f64(n) == n)) ? y : EL_NAN_F64;
}

EL_FUNCTION float mr_el_polygamma_f32(float n, float x) { return (float)el_polygamma_core_f64(n, x); }

EL_FUNCTION double mr_el_polygamma_f64(double n, double x) { return el_polygamma_core_f64(n, x); }
