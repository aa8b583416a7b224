// e^x taken apart: x = n ln2 + r with |r| <= ln2/2, e^r = 1 + p. Private to ops/element.
//
// The two-constant reduction is Cody and Waite, "Software Manual for the Elementary Functions" (1980), ch. 6, with FMA.
#ifndef MR_OPS_ELEMENT_EXP_CORE_H
#define MR_OPS_ELEMENT_EXP_CORE_H

#include "ops/element/coef.h"
#include "ops/element/element.h"

typedef struct {
  float r;
  el_i32 n;  // any value when x is NaN, in which case r is NaN
} el_reduced_f32;

typedef struct {
  double r;
  el_u64 n;  // two's complement: 64 bits like its neighbours, so that a vector loop need not change width
} el_reduced_f64;

typedef struct {
  float p;  // e^r - 1, in [-0.293, 0.415]
  el_i32 n;
} el_exp_f32;

typedef struct {
  double p;
  el_u64 n;
} el_exp_f64;

// x must be in [-2^20, 2^20] or NaN.
EL_INLINE el_reduced_f32 el_exp_reduce_f32(float x) {
  float biased = mr_el_fma_f32(x, 0x1.715476p0f, EL_MAGIC_F32);
  float n = biased - EL_MAGIC_F32;
  float r = mr_el_fma_f32(n, -0x1.62e43p-1f, x);
  el_reduced_f32 out = {mr_el_fma_f32(n, 0x1.05c61p-29f, r), (el_i32)(el_bits_f32(biased) - el_bits_f32(EL_MAGIC_F32))};
  return out;
}

EL_INLINE el_exp_f32 el_exp_split_f32(float x) {
  el_reduced_f32 a = el_exp_reduce_f32(x);
  el_exp_f32 out = {mr_el_fma_f32(a.r * a.r, el_poly_exp_f32(a.r), a.r), a.n};
  return out;
}

// 2^n for n in [-126, 127], modulo 2^32: unsigned, because n is anything at all after a NaN.
EL_INLINE float el_exp2i_f32(el_u32 n) { return el_from_bits_f32((n + 127) << 23); }

// y * 2^n for n in [-252, 254], rounded once: the two factors are chosen so that only the second product can underflow.
EL_INLINE float el_scale_f32(float y, el_i32 n) {
  el_i32 part = n >> 1;
  return y * el_exp2i_f32((el_u32)part) * el_exp2i_f32((el_u32)(n - part));
}

// e^x everywhere: the clamp keeps n in range and does not change the result, a NaN passes through both comparisons.
EL_INLINE float el_exp_core_f32(float x) {
  x = x < -104.0f ? -104.0f : x;
  x = x > 89.0f ? 89.0f : x;
  el_exp_f32 e = el_exp_split_f32(x);
  return el_scale_f32(1.0f + e.p, e.n);
}

// x must be in [-2^20, 2^20] or NaN.
EL_INLINE el_reduced_f64 el_exp_reduce_f64(double x) {
  double biased = mr_el_fma_f64(x, 0x1.71547652b82fep0, EL_MAGIC_F64);
  double n = biased - EL_MAGIC_F64;
  double r = mr_el_fma_f64(n, -0x1.62e42fefa39efp-1, x);
  el_reduced_f64 out = {mr_el_fma_f64(n, -0x1.abc9e3b39803fp-56, r), el_bits_f64(biased) - el_bits_f64(EL_MAGIC_F64)};
  return out;
}

EL_INLINE el_exp_f64 el_exp_split_f64(double x) {
  el_reduced_f64 a = el_exp_reduce_f64(x);
  el_exp_f64 out = {mr_el_fma_f64(a.r * a.r, el_poly_exp_f64(a.r), a.r), a.n};
  return out;
}

// 2^n for n in [-1022, 1023].
EL_INLINE double el_exp2i_f64(el_u64 n) { return el_from_bits_f64((n + 1023) << 52); }

// y * 2^n for n in [-2044, 2046], rounded once. Halving by a logical shift of something positive, since AVX2 has no
// arithmetic shift of 64 bits.
EL_INLINE double el_scale_f64(double y, el_u64 n) {
  el_u64 part = ((n + 4096) >> 1) - 2048;
  return y * el_exp2i_f64(part) * el_exp2i_f64(n - part);
}

EL_INLINE double el_exp_core_f64(double x) {
  x = x < -746.0 ? -746.0 : x;
  x = x > 710.0 ? 710.0 : x;
  el_exp_f64 e = el_exp_split_f64(x);
  return el_scale_f64(1.0 + e.p, e.n);
}

#endif
