// bessel_i1e: e^-|x| I1(x).
#include "ops/element/coef.h"
#include "ops/element/element.h"

// A polynomial in x up to 8, and one in 1/x above for e^-x I1(x) sqrt(x), which tends to 1/sqrt(2 pi).
EL_INLINE double el_bessel_i1e_core_f64(double x) {
  double a = el_abs_f64(x);
  double small = a * el_poly_i1e_small_f64(mr_el_fma_f64(a, 0.25, -1.0));
  double large = el_poly_i1e_large_f64(16.0 / a - 1.0) / el_sqrt_f64(a);
  return el_copysign_f64(a <= 8.0 ? small : large, x);
}

EL_FUNCTION float mr_el_bessel_i1e_f32(float x) { return (float)el_bessel_i1e_core_f64(x); }

EL_FUNCTION double mr_el_bessel_i1e_f64(double x) { return el_bessel_i1e_core_f64(x); }
