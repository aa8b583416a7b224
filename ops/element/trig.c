// sin, cos, tan.
//
// Range reduction after Payne and Hanek, "Radian reduction for trigonometric functions" (1983): only the bits of 2/pi
// that change x * 2/pi modulo 4 and reach the result are multiplied.
#include "ops/element/coef.h"
#include "ops/element/element.h"
#include "ops/element/payne_hanek.h"

typedef struct {
  double r;  // in [-pi/4, pi/4], or NaN
  el_u32 q;  // |x| = r + q pi/2 modulo 2 pi, two low bits
} el_quarter_f32;

// In double: x has 24 bits, so its products with 29-bit pieces of 2/pi are exact. Bits of 2/pi that make x * bit a
// multiple of 4 are left out, and the window that remains depends on x's exponent alone; four windows cover floats.
// The sums are exact whenever the result is close to zero, which is when it matters; the last piece, 53 bits wide,
// contributes less than 2^-9, so the fraction is off by less than 2^-60, and no float comes closer to a multiple
// of pi/2 than about 2^-30.
EL_INLINE el_quarter_f32 el_quarter_split_f32(float ax) {
  double x = ax;
  int w1 = ax >= 0x1p50f, w2 = ax >= 0x1p76f, w3 = ax >= 0x1p102f;
  double c0 = w1 ? 0x1.b939105p-26 : 0x1.45f306dp-1;
  double c1 = w1 ? 0x1.29fc274p-56 : 0x1.9391054p-30;
  double c2 = w1 ? 0x1.7d1f534ddc0dbp-84 : 0x1.4fe13abe8fa9ap-59;
  c0 = w2 ? 0x1.529fc27p-52 : c0;
  c1 = w2 ? 0x1.5f47d4cp-82 : c1;
  c2 = w2 ? 0x1.377036d8a5665p-110 : c2;
  c0 = w3 ? 0x1.d5f47d4p-78 : c0;
  c1 = w3 ? 0x1.a6ee06cp-107 : c1;
  c2 = w3 ? 0x1.b14acc9e21c82p-135 : c2;
  double turns = x * c0;
  turns = mr_el_fma_f64(-4.0, el_rint_f64(turns * 0.25), turns);
  turns = mr_el_fma_f64(x, c1, turns);
  double biased = turns + EL_MAGIC_F64;
  double fraction = mr_el_fma_f64(x, c2, turns - (biased - EL_MAGIC_F64));
  el_quarter_f32 out = {fraction * 0x1.921fb54442d18p0, (el_u32)el_bits_f64(biased)};
  return out;
}

// In double, so that only the last rounding is left of the error; the C library's functions are as good.
EL_INLINE double el_sin_kernel_f32(double r, double rr) { return mr_el_fma_f64(r * rr, el_poly_sin_f32(rr), r); }

EL_INLINE double el_cos_kernel_f32(double rr) {
  return mr_el_fma_f64(rr * rr, el_poly_cos_f32(rr), mr_el_fma_f64(rr, -0.5, 1.0));
}

// sin(r + q pi/2).
EL_INLINE float el_sin_quarter_f32(double r, el_u32 q) {
  double rr = r * r;
  double s = el_sin_kernel_f32(r, rr), c = el_cos_kernel_f32(rr);
  float y = (float)((q & 1) ? c : s);
  return EL_FLIP_F32(y, q << 30);
}

EL_FUNCTION float mr_el_sin_f32(float x) {
  el_quarter_f32 t = el_quarter_split_f32(el_abs_f32(x));
  return EL_FLIP_F32(el_sin_quarter_f32(t.r, t.q), el_bits_f32(x));
}

EL_FUNCTION float mr_el_cos_f32(float x) {
  el_quarter_f32 t = el_quarter_split_f32(el_abs_f32(x));
  return el_sin_quarter_f32(t.r, t.q + 1);
}

EL_FUNCTION float mr_el_tan_f32(float x) {
  el_quarter_f32 t = el_quarter_split_f32(el_abs_f32(x));
  double rr = t.r * t.r;
  double s = el_sin_kernel_f32(t.r, rr), c = el_cos_kernel_f32(rr);
  double minus_s = -s;
  int odd = t.q & 1;
  float y = (float)((odd ? c : s) / (odd ? minus_s : c));
  return EL_FLIP_F32(y, el_bits_f32(x));
}

// sin(r + low) = sin r + low cos r, with cos r to two terms.
EL_INLINE double el_sin_kernel_f64(double r, double low, double rr) {
  double tail = mr_el_fma_f64(r * rr, el_poly_sin_f64(rr), low);
  return r + mr_el_fma_f64(-0.5 * rr, low, tail);
}

// cos(r + low) = cos r - low sin r. 1 - rr/2 is rounded, and what the rounding lost is added with the small terms.
EL_INLINE double el_cos_kernel_f64(double r, double low, double rr) {
  double halved = 0.5 * rr;
  double w = 1.0 - halved;
  double lost = (1.0 - w) - halved;
  return w + mr_el_fma_f64(rr * rr, el_poly_cos_f64(rr), mr_el_fma_f64(-r, low, lost));
}

EL_INLINE double el_sin_quarter_f64(el_quarter_f64 t, el_u64 q) {
  double rr = t.r * t.r;
  double s = el_sin_kernel_f64(t.r, t.low, rr), c = el_cos_kernel_f64(t.r, t.low, rr);
  return EL_FLIP_F64((q & 1) ? c : s, q << 62);
}

EL_FUNCTION double mr_el_sin_f64(double x) {
  el_quarter_f64 t = el_quarter_split_f64(el_abs_f64(x));
  return EL_FLIP_F64(el_sin_quarter_f64(t, t.q), el_bits_f64(x));
}

EL_FUNCTION double mr_el_cos_f64(double x) {
  el_quarter_f64 t = el_quarter_split_f64(el_abs_f64(x));
  return el_sin_quarter_f64(t, t.q + 1);
}

EL_FUNCTION double mr_el_tan_f64(double x) {
  el_quarter_f64 t = el_quarter_split_f64(el_abs_f64(x));
  double rr = t.r * t.r;
  double s = el_sin_kernel_f64(t.r, t.low, rr), c = el_cos_kernel_f64(t.r, t.low, rr);
  int odd = (t.q & 1) != 0;
  double y = (odd ? c : s) / (odd ? -s : c);
  return EL_FLIP_F64(y, el_bits_f64(x));
}
