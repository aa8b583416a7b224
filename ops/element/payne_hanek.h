// x modulo pi/2 for any double, in integer arithmetic. Private to ops/element.
//
// Payne and Hanek, "Radian reduction for trigonometric functions", SIGNUM Newsletter 18 (1983). With x = M 2^(E-52),
// the bits of 2/pi of weight 2^(54-E) and more only add multiples of 4 and are skipped; the next 192 bits, W, give
// x 2/pi = M W 2^-190 modulo 4, cut off at 2^-126. No double is closer than 2^-61 to a multiple of pi/2 relative to a
// quarter turn, so the fraction keeps at least 64 good bits.
//
// W is fetched by a barrel shifter over the words of 2/pi instead of a table: 31 selects, which vectorise, where a
// gather would cost more and a branch would not vectorise at all.
#ifndef MR_OPS_ELEMENT_PAYNE_HANEK_H
#define MR_OPS_ELEMENT_PAYNE_HANEK_H

#include "ops/element/element.h"

typedef struct {
  double r, low;  // r + low in [-pi/4, pi/4], or r is NaN
  el_u64 q;       // |x| = r + low + q pi/2 modulo 2 pi, two low bits
} el_quarter_f64;

typedef struct {
  el_u64 w0, w1, w2;  // most significant first
} el_window;

// 64 zero bits, then 2/pi = 0.w1 w2 w3 ... in base 2^64.
#define EL_2PI_0 0x0000000000000000u
#define EL_2PI_1 0xa2f9836e4e441529u
#define EL_2PI_2 0xfc2757d1f534ddc0u
#define EL_2PI_3 0xdb6295993c439041u
#define EL_2PI_4 0xfe5163abdebbc561u
#define EL_2PI_5 0xb7246e3a424dd2e0u
#define EL_2PI_6 0x06492eea09d1921cu
#define EL_2PI_7 0xfe1deb1cb129a73eu
#define EL_2PI_8 0xe88235f52ebb4484u
#define EL_2PI_9 0xe99c7026b45f7e41u
#define EL_2PI_10 0x3991d639835339f4u
#define EL_2PI_11 0x9c845f8bbdf9283bu
#define EL_2PI_12 0x1ff897ffde05980fu
#define EL_2PI_13 0xef2f118b5a0a6d1fu
#define EL_2PI_14 0x6d367ecf27cb09b7u
#define EL_2PI_15 0x4f463f669e5fea2du
#define EL_2PI_16 0x7527bac7ebe5f17bu
#define EL_2PI_17 0x3d0739f78a5292eau
#define EL_2PI_18 0x6bfb5fb11f8d5d08u
#define EL_2PI_19 0x56033046fc7b6babu

// The 192 bits from bit `start` (0 to 1033) of that sequence. Each stage moves the words by 8, 4, 2 and 1 places and
// keeps only what later stages can still need; a start of 1024 or more (16 places) has no smaller step set.
EL_INLINE el_window el_two_over_pi_window(el_u64 start) {
  int s16 = (start & 1024) != 0, s8 = (start & 512) != 0, s4 = (start & 256) != 0, s2 = (start & 128) != 0;
  int s1 = (start & 64) != 0;
  el_u64 a0 = s16 ? EL_2PI_16 : EL_2PI_0, a1 = s16 ? EL_2PI_17 : EL_2PI_1, a2 = s16 ? EL_2PI_18 : EL_2PI_2,
         a3 = s16 ? EL_2PI_19 : EL_2PI_3;
  el_u64 b0 = s8 ? EL_2PI_8 : a0, b1 = s8 ? EL_2PI_9 : a1, b2 = s8 ? EL_2PI_10 : a2, b3 = s8 ? EL_2PI_11 : a3,
         b4 = s8 ? EL_2PI_12 : EL_2PI_4, b5 = s8 ? EL_2PI_13 : EL_2PI_5, b6 = s8 ? EL_2PI_14 : EL_2PI_6,
         b7 = s8 ? EL_2PI_15 : EL_2PI_7, b8 = s8 ? EL_2PI_16 : EL_2PI_8, b9 = s8 ? EL_2PI_17 : EL_2PI_9,
         b10 = s8 ? EL_2PI_18 : EL_2PI_10;
  el_u64 c0 = s4 ? b4 : b0, c1 = s4 ? b5 : b1, c2 = s4 ? b6 : b2, c3 = s4 ? b7 : b3, c4 = s4 ? b8 : b4,
         c5 = s4 ? b9 : b5, c6 = s4 ? b10 : b6;
  el_u64 d0 = s2 ? c2 : c0, d1 = s2 ? c3 : c1, d2 = s2 ? c4 : c2, d3 = s2 ? c5 : c3, d4 = s2 ? c6 : c4;
  el_u64 e0 = s1 ? d1 : d0, e1 = s1 ? d2 : d1, e2 = s1 ? d3 : d2, e3 = s1 ? d4 : d3;
  el_u64 left = start & 63, right = 63 - left;
  el_window w = {e0 << left | (e1 >> 1) >> right, e1 << left | (e2 >> 1) >> right, e2 << left | (e3 >> 1) >> right};
  return w;
}

#define EL_LOW32(x) ((x) & 0xffffffffu)

// The low 192 bits of M W, less its lowest 64: four 32-bit digits, most significant first. Products of 32-bit halves,
// which every vector unit has; what the dropped low products would carry is below 2^-126.
typedef struct {
  el_u64 d5, d4, d3, d2;
} el_digits;

EL_INLINE el_digits el_multiply_window(el_u64 mantissa, el_window w) {
  el_u64 m0 = EL_LOW32(mantissa), m1 = mantissa >> 32;
  el_u64 t1 = m0 * EL_LOW32(w.w2 >> 32), u1 = m1 * EL_LOW32(w.w2);
  el_u64 t2 = m0 * EL_LOW32(w.w1), u2 = m1 * EL_LOW32(w.w2 >> 32);
  el_u64 t3 = m0 * EL_LOW32(w.w1 >> 32), u3 = m1 * EL_LOW32(w.w1);
  el_u64 t4 = m0 * EL_LOW32(w.w0), u4 = m1 * EL_LOW32(w.w1 >> 32);
  el_u64 t5 = m0 * EL_LOW32(w.w0 >> 32), u5 = m1 * EL_LOW32(w.w0);
  el_u64 s2 = EL_LOW32(t2) + u2 + (t1 >> 32) + (u1 >> 32);
  el_u64 s3 = EL_LOW32(t3) + u3 + (t2 >> 32) + (s2 >> 32);
  el_u64 s4 = EL_LOW32(t4) + u4 + (t3 >> 32) + (s3 >> 32);
  el_u64 s5 = t5 + u5 + (t4 >> 32) + (s4 >> 32);
  el_digits d = {EL_LOW32(s5), EL_LOW32(s4), EL_LOW32(s3), EL_LOW32(s2)};
  return d;
}

// A 32-bit digit as digit * 2^exponent, exactly: it becomes the low bits of a double whose unit is 2^exponent.
#define EL_DIGIT(digit, exponent) \
  (el_from_bits_f64((digit) | (el_u64)(1075 + (exponent)) << 52) - el_from_bits_f64((el_u64)(1075 + (exponent)) << 52))

EL_INLINE el_quarter_f64 el_quarter_split_f64(double ax) {
  el_u64 bits = el_bits_f64(ax);
  el_u64 mantissa = (bits & 0xfffffffffffffu) | 0x10000000000000u;
  el_digits d = el_multiply_window(mantissa, el_two_over_pi_window((bits >> 52) - 1013));
  el_u64 q = (d.d5 + 0x20000000u) >> 30;  // the nearest multiple
  // The top digit keeps 30 bits and a sign: flipping the sign bit and taking it off again after conversion.
  double a = EL_DIGIT((d.d5 & 0x3fffffffu) ^ 0x20000000u, -30) - 0.5;
  double b = EL_DIGIT(d.d4, -62);
  double hi = a + b;
  double lo = ((a - hi) + b) + (EL_DIGIT(d.d3, -94) + EL_DIGIT(d.d2, -126));
  double f = hi + lo;
  lo = (hi - f) + lo;
  double r = f * 0x1.921fb54442d18p0;
  double low = mr_el_fma_f64(f, 0x1.921fb54442d18p0, -r);
  low = mr_el_fma_f64(f, 0x1.1a62633145c07p-54, low) + lo * 0x1.921fb54442d18p0;
  int small = ax < 0x1.921fb54442d18p-1;  // also everything whose exponent is below the window
  el_quarter_f64 out = {(small ? ax : r) + (ax - ax), small ? 0.0 : low, small ? 0u : q};
  return out;
}

#endif
