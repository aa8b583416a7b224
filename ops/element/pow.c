// pow.
#include "ops/element/exp_core.h"
#include "ops/element/log_core.h"
#include "ops/element/pow_core.h"

// In double: log2(x) = k + log2(m), log2(m) = 2 atanh(s)/ln2 with s = (m-1)/(m+1), then 2^(y log2 x), rounded to float
// at the end, so subnormals come right by themselves. The C standard's special cases (F.10.4.4) are selected last.
EL_FUNCTION float mr_el_pow_f32(float x, float y) {
  float ax = el_abs_f32(x);
  el_u64 e = el_biased_exponent_f64(ax);
  double m = el_mantissa_f64(ax, e);
  double s = (m - 1.0) / (m + 1.0);
  double log2x = mr_el_fma_f64(s, el_poly_log2_pow_f32(s * s), el_from_int_f64(e) - 1023.0);
  double t = (double)y * log2x;
  t = log2x == 0.0 ? 0.0 : t;  // 1 to the infinity is 1
  t = t < -200.0 ? -200.0 : t;
  t = t > 200.0 ? 200.0 : t;
  double biased = t + EL_MAGIC_F64;
  double p = el_poly_exp2_pow_f32(t - (biased - EL_MAGIC_F64));
  float z = (float)el_from_bits_f64(el_bits_f64(p) + (el_bits_f64(biased) << 52));

  float halved = 0.5f * y;
  int whole = el_rint_f32(y) == y;
  int odd = whole & (el_rint_f32(halved) != halved);
  float overflow = y < 0.0f ? 0.0f : EL_INF_F32;   // of |x| = inf
  float underflow = y < 0.0f ? EL_INF_F32 : 0.0f;  // of |x| = 0
  z = ax == EL_INF_F32 ? overflow : z;
  z = ax == 0.0f ? underflow : z;
  float with_sign = el_copysign_f32(z, x);
  z = odd ? with_sign : z;
  z = ((x < 0.0f) & (ax != EL_INF_F32) & !whole) ? EL_NAN_F32 : z;
  z = ((x != x) | (y != y)) ? EL_NAN_F32 : z;
  return ((x == 1.0f) | (y == 0.0f)) ? 1.0f : z;
}

EL_FUNCTION double mr_el_pow_f64(double x, double y) { return el_pow_core_f64(x, y); }
