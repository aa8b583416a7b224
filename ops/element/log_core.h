// log(1 + f) 2^k taken apart. Private to ops/element.
#ifndef MR_OPS_ELEMENT_LOG_CORE_H
#define MR_OPS_ELEMENT_LOG_CORE_H

#include "ops/element/coef.h"
#include "ops/element/element.h"

// The exponent k for which x 2^-k is in [sqrt(1/2), sqrt(2)), x positive and normal.
static inline el_i32 el_exponent_f32(float x) { return (el_i32)(el_bits_f32(x) - 0x3f3504f3u) >> 23; }

// log((1 + f) 2^k), 1 + f in [sqrt(1/2), sqrt(2)]: log(1+f) = f - f^2/2 + f^3 P(f), the small terms first.
static inline float el_log_join_f32(float f, float k) {
  float ff = f * f;
  float tail = mr_el_fma_f32(f, el_poly_log_f32(f), -0.5f);
  float low = mr_el_fma_f32(k, -0x1.05c61p-29f, ff * tail);
  return mr_el_fma_f32(k, 0x1.62e43p-1f, low + f);
}

#endif
