// The error of every float element function against MPFR, in units of the last place, over the whole range of inputs.
//
// Every MILLRACE_SWEEP_STRIDE-th float is tried (default 200003; 1 is all of them, days with MPFR:
// perf/ops/element_exhaustive.c does that in minutes against the C library), as many doubles, and the neighbourhoods
// of the inputs where algorithms change or results overflow, vanish or cancel.
#include <math.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "ops/element/element.h"
#include "tests/cmocka.h"

enum { NEIGHBOURS = 24, PRECISION = 100 };

typedef int mpfr_unary(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int mpfr_binary(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

typedef struct {
  const char *name;
  float (*f32)(float);
  double (*f64)(double);
  mpfr_unary *exact;
  double bar32, bar64;
} unary;

typedef struct {
  const char *name;
  float (*f32)(float, float);
  double (*f64)(double, double);
  mpfr_binary *exact;
  double bar32, bar64;
} binary;

typedef struct {
  double worst, x, y;
} record;

static int exact_logistic(mpfr_t out, const mpfr_t x, mpfr_rnd_t r) {
  mpfr_t t;
  mpfr_init2(t, 4 * PRECISION);
  mpfr_neg(t, x, r);
  mpfr_exp(t, t, r);
  mpfr_add_ui(t, t, 1, r);
  int inexact = mpfr_ui_div(out, 1, t, r);
  mpfr_clear(t);
  return inexact;
}

// Not mpfr_rec_sqrt, which loses the sign of -0.
static int exact_rsqrt(mpfr_t out, const mpfr_t x, mpfr_rnd_t r) {
  mpfr_t t;
  mpfr_init2(t, 4 * PRECISION);
  mpfr_sqrt(t, x, r);
  int inexact = mpfr_ui_div(out, 1, t, r);
  mpfr_clear(t);
  return inexact;
}

#define ROW(name, exact, bar32, bar64) {#name, mr_el_##name##_f32, mr_el_##name##_f64, exact, bar32, bar64}

static const unary unaries[] = {
    ROW(exp, mpfr_exp, 2, 2),      ROW(expm1, mpfr_expm1, 4, 4),  ROW(log, mpfr_log, 2, 2),
    ROW(log1p, mpfr_log1p, 4, 4),  ROW(sin, mpfr_sin, 0.75, 2),   ROW(cos, mpfr_cos, 0.75, 2),
    ROW(tan, mpfr_tan, 0.75, 4),   ROW(tanh, mpfr_tanh, 2, 4),    ROW(logistic, exact_logistic, 4, 4),
    ROW(erf, mpfr_erf, 2, 4),      ROW(erfc, mpfr_erfc, 4, 4),    ROW(cbrt, mpfr_cbrt, 1, 4),
    ROW(asin, mpfr_asin, 0.75, 4), ROW(acos, mpfr_acos, 0.75, 4), ROW(atan, mpfr_atan, 0.75, 4),
    ROW(sinh, mpfr_sinh, 4, 4),    ROW(cosh, mpfr_cosh, 4, 4),    ROW(asinh, mpfr_asinh, 4, 4),
    ROW(acosh, mpfr_acosh, 4, 4),  ROW(atanh, mpfr_atanh, 4, 4),  ROW(rsqrt, exact_rsqrt, 0.75, 4),
};

static const binary binaries[] = {ROW(pow, mpfr_pow, 0.75, 2), ROW(atan2, mpfr_atan2, 0.75, 4),
                                  ROW(hypot, mpfr_hypot, 1.5, 1.5)};

// Where ranges end, in the code or in the mathematics; both signs are tried. The last two doubles come closest of all to
// a multiple of pi/2.
// clang-format off
static const double places[] = {
    0.25, 0.3466, 0.5, 0.6, 0.7071, 0.7854, 0.875, 1, 1.4142, 1.5708, 2, 3, 3.1416, 3.92, 4, 6, 6.2832, 9.01, 10, 10.06,
    15.7, 17.33, 19.06, 20, 26.54, 27.23, 37.4, 87.34, 88.723, 89.416, 103.28, 103.97, 355, 708.4, 709.783, 710.476,
    744.44, 745.13, 0x1p22, 0x1p30, 0x1p50, 0x1p54, 0x1p60, 0x1p76, 0x1p102, 0x1p127, 0x1.fffffep127, 0x1p-126, 0x1p-149,
    0x1p-25, 0x1p-13, 0x1p-1022, 0x1p-54, 0x1p-28, 0x1p1023, 0x1.fffffffffffffp1023, 0x1.6ac5b262ca1ffp849,
    0x1.951133d2a5dbbp1019,
};
// clang-format on

// |y - exact| in units of exact's last place, for a format with `bits` of significand and least exponent `least`. An
// infinite result counts as the next power of two, so overflow a hair early is a small error; a wrong NaN, infinity or
// sign of zero is a huge one.
static double error_ulps(double y, const mpfr_t exact, int bits, int least, int top) {
  if (mpfr_nan_p(exact) || isnan(y)) {
    return mpfr_nan_p(exact) && isnan(y) ? 0 : 1e9;
  }
  if (signbit(y) != (mpfr_signbit(exact) != 0)) {
    return 1e9;
  }
  mpfr_t d;
  mpfr_init2(d, 4 * PRECISION);
  mpfr_set_d(d, y, MPFR_RNDN);
  if (isinf(y)) {
    mpfr_set_si_2exp(d, y > 0 ? 1 : -1, top, MPFR_RNDN);
  }
  double ulps = 0;
  if (!isinf(y) || mpfr_cmpabs(exact, d) < 0) {
    long e = mpfr_zero_p(exact) || mpfr_inf_p(exact) ? 0 : mpfr_get_exp(exact);
    mpfr_sub(d, d, exact, MPFR_RNDN);
    mpfr_mul_2si(d, d, bits - (e < least ? least : e), MPFR_RNDN);
    ulps = fabs(mpfr_get_d(d, MPFR_RNDN));
  }
  mpfr_clear(d);
  return ulps;
}

static void note(record *r, double ulps, double x, double y) {
  if (ulps > r->worst) {
    *r = (record){ulps, x, y};
  }
}

static void try_unary(const unary *u, double x, bool wide, record *r) {
  if (isnan(x)) {
    return;
  }
  mpfr_t in, out;
  mpfr_inits2(PRECISION, in, out, (mpfr_ptr)0);
  mpfr_set_d(in, x, MPFR_RNDN);
  u->exact(out, in, MPFR_RNDN);
  double y = wide ? u->f64(x) : u->f32((float)x);
  note(r, wide ? error_ulps(y, out, 53, -1021, 1024) : error_ulps(y, out, 24, -125, 128), x, 0);
  mpfr_clears(in, out, (mpfr_ptr)0);
}

static void try_binary(const binary *b, double x, double y, bool wide, record *r) {
  if (isnan(x) || isnan(y)) {
    return;
  }
  mpfr_t p, q, out;
  mpfr_inits2(PRECISION, p, q, out, (mpfr_ptr)0);
  mpfr_set_d(p, x, MPFR_RNDN);
  mpfr_set_d(q, y, MPFR_RNDN);
  b->exact(out, p, q, MPFR_RNDN);
  double z = wide ? b->f64(x, y) : b->f32((float)x, (float)y);
  note(r, wide ? error_ulps(z, out, 53, -1021, 1024) : error_ulps(z, out, 24, -125, 128), x, y);
  mpfr_clears(p, q, out, (mpfr_ptr)0);
}

static uint64_t stride(void) {
  const char *text = getenv("MILLRACE_SWEEP_STRIDE");
  uint64_t n = text ? strtoull(text, NULL, 0) : 0;
  return n ? n : 200003;
}

// Spreads the bits of a counter (the finaliser of splitmix64): reproducible, no state.
static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static void sweep_near(const unary *u, record *r32, record *r64) {
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    for (int k = -NEIGHBOURS; k <= NEIGHBOURS; k++) {
      double x = el_from_bits_f64(el_bits_f64(places[i]) + (uint64_t)k);
      float f = el_from_bits_f32(el_bits_f32((float)places[i]) + (uint32_t)k);
      for (int sign = 0; sign < 2; sign++) {
        try_unary(u, sign ? -x : x, true, r64);
        try_unary(u, (double)(sign ? -f : f), false, r32);
      }
    }
  }
}

static bool report(const char *name, record r32, double bar32, record r64, double bar64) {
  printf("%-9s f32 %6.3f ulp at %a, %a   f64 %6.3f ulp at %a, %a\n", name, r32.worst, r32.x, r32.y, r64.worst, r64.x,
         r64.y);
  return r32.worst <= bar32 && r64.worst <= bar64;
}

// No one-argument function is further from the exact result than its bar anywhere in the sweep.
static void test_unary_error_bars(void **state) {
  (void)state;
  int above = 0;
  for (size_t i = 0; i < sizeof unaries / sizeof *unaries; i++) {
    const unary *u = &unaries[i];
    record r32 = {0}, r64 = {0};
    for (uint64_t bits = 0; bits < (uint64_t)1 << 32; bits += stride()) {
      try_unary(u, (double)el_from_bits_f32((uint32_t)bits), false, &r32);
      // Doubles: any bit pattern, and one of ordinary size.
      uint64_t random = mix(bits);
      try_unary(u, el_from_bits_f64(random), true, &r64);
      double ordinary = ldexp((double)(int64_t)mix(random), (int)(random % 24) - 76);
      try_unary(u, ordinary, true, &r64);
      try_unary(u, (double)(float)ordinary, false, &r32);
    }
    sweep_near(u, &r32, &r64);
    above += !report(u->name, r32, u->bar32, r64, u->bar64);
  }
  assert_int_equal(above, 0);
}

// No two-argument function either: random bit patterns, ordinary sizes, and bases close to one.
static void test_binary_error_bars(void **state) {
  (void)state;
  int above = 0;
  for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++) {
    const binary *b = &binaries[i];
    record r32 = {0}, r64 = {0};
    for (uint64_t bits = 0; bits < (uint64_t)1 << 32; bits += stride()) {
      uint64_t p = mix(bits), q = mix(p);
      try_binary(b, el_from_bits_f64(p), el_from_bits_f64(q), true, &r64);
      try_binary(b, (double)el_from_bits_f32((uint32_t)p), (double)el_from_bits_f32((uint32_t)q), false, &r32);
      double x = ldexp((double)(p | 1), (int)(p % 16) - 72), y = ldexp((double)(int64_t)q, (int)(q % 16) - 66);
      try_binary(b, x, y, true, &r64);
      try_binary(b, (double)(float)x, (double)(float)y, false, &r32);
      double close = 1 + ldexp((double)(int64_t)p, -64 - (int)(q % 24)), far = ldexp(y, (int)(q % 24) + 1);
      try_binary(b, close, far, true, &r64);
      try_binary(b, (double)(float)close, (double)(float)far, false, &r32);
    }
    above += !report(b->name, r32, b->bar32, r64, b->bar64);
  }
  assert_int_equal(above, 0);
}

int main(void) {
  // Results beyond these exponents need no digits: MPFR answers 0 or infinity at once.
  mpfr_set_emin(-5000);
  mpfr_set_emax(5000);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unary_error_bars),
      cmocka_unit_test(test_binary_error_bars),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
