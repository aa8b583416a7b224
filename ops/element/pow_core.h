// x^y in double. Private to ops/element.
#ifndef MR_OPS_ELEMENT_POW_CORE_H
#define MR_OPS_ELEMENT_POW_CORE_H

#include "ops/element/exp_core.h"
#include "ops/element/log_core.h"

typedef struct {
  double hi, lo;
} el_pair_f64;

// log x as an unevaluated sum good to about 2^-66, x positive and normal: 2 atanh(s) = 2s + s^3 Q(s^2), where
// Q = 2/3 + 2/5 z + z^2 T(z). s, z and the first two coefficients of Q carry their rounding errors along (products by
// FMA, sums as Dekker's fast two-sum); T is small enough to be a plain double.
EL_INLINE el_pair_f64 el_log_pair_f64(double x, double k_offset) {
  el_u64 e = el_biased_exponent_f64(x);
  double k = el_from_int_f64(e) - k_offset;
  double m = el_mantissa_f64(x, e);
  double f = m - 1.0, d = m + 1.0;
  double d_lo = m - (d - 1.0);
  double inverse = 1.0 / d;
  double s = f * inverse;
  double s_lo = mr_el_fma_f64(-s, d_lo, mr_el_fma_f64(-s, d, f)) * inverse;
  double z = s * s;
  double z_lo = mr_el_fma_f64(2.0 * s, s_lo, mr_el_fma_f64(s, s, -z));
  double p = z * el_poly_log_pow_f64(z);
  double u = 0x1.999999999999ap-2 + p;
  double u_lo = ((0x1.999999999999ap-2 - u) + p) - 0x1.999999999999ap-56;
  double v = z * u;
  double v_lo = mr_el_fma_f64(z, u, -v) + mr_el_fma_f64(z, u_lo, z_lo * u);
  double q = 0x1.5555555555555p-1 + v;
  double q_lo = ((0x1.5555555555555p-1 - q) + v) + (v_lo + 0x1.5555555555555p-55);
  double w = s * z;
  double w_lo = mr_el_fma_f64(s, z, -w) + mr_el_fma_f64(s, z_lo, s_lo * z);
  double g = w * q;
  double g_lo = mr_el_fma_f64(w, q, -g) + mr_el_fma_f64(w, q_lo, w_lo * q);
  double a = 2.0 * s + g;
  double a_lo = ((2.0 * s - a) + g) + mr_el_fma_f64(2.0, s_lo, g_lo);
  double kl = k * 0x1.62e42fefa38p-1;  // ln2 to 42 bits: the product is exact
  double sum = kl + a;
  el_pair_f64 out = {sum, ((kl - sum) + a) + mr_el_fma_f64(k, 0x1.ef35793c7673p-45, a_lo)};
  return out;
}

// e^(hi + lo) for any hi; lo is ignored where the result is 0 or infinity anyway.
EL_INLINE double el_exp_pair_f64(double hi, double lo) {
  lo = el_abs_f64(hi) > 800.0 ? 0.0 : lo;
  hi = hi < -800.0 ? -800.0 : hi;
  hi = hi > 800.0 ? 800.0 : hi;
  double biased = mr_el_fma_f64(hi, 0x1.71547652b82fep0, EL_MAGIC_F64);
  double n = biased - EL_MAGIC_F64;
  double r_hi = mr_el_fma_f64(n, -EL_LN2_F64, hi);
  double r_lo = mr_el_fma_f64(n, -EL_LN2_LOW_F64, lo);
  double r = r_hi + r_lo;
  double p = mr_el_fma_f64(r * r, el_poly_exp_f64(r), (r_hi - r) + r_lo) + r;
  return el_scale_f64(1.0 + p, el_bits_f64(biased) - el_bits_f64(EL_MAGIC_F64));
}

// The special cases of the C standard, F.10.4.4, are selected last.
EL_INLINE double el_pow_core_f64(double x, double y) {
  double ax = el_abs_f64(x);
  int subnormal = ax < 0x1p-1022;
  double scaled = ax * 0x1p54;
  el_pair_f64 log_x = el_log_pair_f64(subnormal ? scaled : ax, subnormal ? 1077.0 : 1023.0);
  double cy = y > 0x1p70 ? 0x1p70 : y;  // beyond it every power but that of 1 is 0 or infinity
  cy = cy < -0x1p70 ? -0x1p70 : cy;
  double t = cy * log_x.hi;
  double z = el_exp_pair_f64(t, mr_el_fma_f64(cy, log_x.lo, mr_el_fma_f64(cy, log_x.hi, -t)));

  double halved = 0.5 * y;
  int whole = el_rint_f64(y) == y;
  int odd = whole & (el_rint_f64(halved) != halved);
  double overflow = y < 0.0 ? 0.0 : EL_INF_F64;
  double underflow = y < 0.0 ? EL_INF_F64 : 0.0;
  z = ax == EL_INF_F64 ? overflow : z;
  z = ax == 0.0 ? underflow : z;
  double with_sign = el_copysign_f64(z, x);
  z = odd ? with_sign : z;
  z = ((x < 0.0) & (ax != EL_INF_F64) & !whole) ? EL_NAN_F64 : z;
  z = ((x != x) | (y != y)) ? EL_NAN_F64 : z;
  return ((x == 1.0) | (y == 0.0)) ? 1.0 : z;
}

#endif
