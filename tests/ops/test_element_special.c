// The element functions at the values the standards name: zeros, infinities, NaN, domain edges, exact results.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "ops/element/element.h"
#include "tests/cmocka.h"

#define INF INFINITY

// Equal bit for bit, any NaN equal to any other.
static bool same(double a, double b) { return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b); }

typedef struct {
  const char *name;
  float (*f32)(float);
  double (*f64)(double);
  double x, want;
} unary_case;

typedef struct {
  const char *name;
  float (*f32)(float, float);
  double (*f64)(double, double);
  double x, y, want;
} binary_case;

#define U(name, x, want) {#name, mr_el_##name##_f32, mr_el_##name##_f64, x, want}
#define B(name, x, y, want) {#name, mr_el_##name##_f32, mr_el_##name##_f64, x, y, want}

// Functions that keep the sign of zero and have no other special value there.
#define ODD(name) U(name, 0.0, 0.0), U(name, -0.0, -0.0), U(name, NAN, NAN)

// clang-format off
static const unary_case unary_cases[] = {
    U(exp, 0, 1), U(exp, -0.0, 1), U(exp, INF, INF), U(exp, -INF, 0), U(exp, NAN, NAN), U(exp, 1e4, INF),
    U(exp, -1e4, 0),
    ODD(expm1), U(expm1, INF, INF), U(expm1, -INF, -1), U(expm1, -1e3, -1), U(expm1, 1e4, INF),
    U(log, 1, 0), U(log, 0, -INF), U(log, -0.0, -INF), U(log, INF, INF), U(log, -1, NAN), U(log, -INF, NAN),
    U(log, NAN, NAN),
    ODD(log1p), U(log1p, -1, -INF), U(log1p, -2, NAN), U(log1p, INF, INF), U(log1p, -INF, NAN),
    ODD(sin), U(sin, INF, NAN), U(sin, -INF, NAN), U(cos, 0, 1), U(cos, -0.0, 1), U(cos, INF, NAN), U(cos, -INF, NAN),
    U(cos, NAN, NAN), ODD(tan), U(tan, INF, NAN), U(tan, -INF, NAN),
    ODD(tanh), U(tanh, INF, 1), U(tanh, -INF, -1), U(tanh, 100, 1), U(tanh, -100, -1),
    U(logistic, 0, 0.5), U(logistic, -0.0, 0.5), U(logistic, INF, 1), U(logistic, -INF, 0), U(logistic, NAN, NAN),
    U(logistic, 200, 1), U(logistic, -1e4, 0),
    ODD(erf), U(erf, INF, 1), U(erf, -INF, -1), U(erf, 7, 1), U(erf, -7, -1),
    U(erfc, 0, 1), U(erfc, -0.0, 1), U(erfc, INF, 0), U(erfc, -INF, 2), U(erfc, -7, 2), U(erfc, 30, 0),
    U(erfc, NAN, NAN),
    ODD(cbrt), U(cbrt, INF, INF), U(cbrt, -INF, -INF), U(cbrt, 27, 3), U(cbrt, -8, -2), U(cbrt, 1, 1),
    U(rsqrt, 0, INF), U(rsqrt, -0.0, -INF), U(rsqrt, INF, 0), U(rsqrt, -1, NAN), U(rsqrt, NAN, NAN),
    U(rsqrt, 4, 0.5),
    ODD(asin), U(asin, 1.5, NAN), U(asin, -1.5, NAN), U(asin, INF, NAN),
    U(acos, 1, 0), U(acos, 1.5, NAN), U(acos, -1.5, NAN), U(acos, NAN, NAN), U(acos, INF, NAN),
    ODD(atan), ODD(sinh), U(sinh, INF, INF), U(sinh, -INF, -INF), U(sinh, 1e4, INF),
    U(cosh, 0, 1), U(cosh, -0.0, 1), U(cosh, INF, INF), U(cosh, -INF, INF), U(cosh, 1e4, INF), U(cosh, NAN, NAN),
    ODD(asinh), U(asinh, INF, INF), U(asinh, -INF, -INF),
    U(acosh, 1, 0), U(acosh, INF, INF), U(acosh, 0.5, NAN), U(acosh, -INF, NAN), U(acosh, NAN, NAN),
    ODD(atanh), U(atanh, 1, INF), U(atanh, -1, -INF), U(atanh, 2, NAN), U(atanh, -INF, NAN),
    ODD(round_nearest_afz), U(round_nearest_afz, 0.5, 1), U(round_nearest_afz, -0.5, -1),
    U(round_nearest_afz, 2.5, 3), U(round_nearest_afz, -0.25, -0.0), U(round_nearest_afz, INF, INF),
    U(round_nearest_afz, -INF, -INF), U(round_nearest_afz, 0x1.fffffep-2, 0), U(round_nearest_afz, 8388609, 8388609),
    ODD(sign), U(sign, 3, 1), U(sign, -3, -1), U(sign, INF, 1), U(sign, -INF, -1), U(sign, 1e-40, 1),
};
// clang-format on

// clang-format off
static const binary_case binary_cases[] = {
    // C standard F.10.4.4.
    B(pow, 0, -3, INF), B(pow, -0.0, -3, -INF), B(pow, 0, -2, INF), B(pow, -0.0, -2, INF), B(pow, -0.0, -2.5, INF),
    B(pow, 0, -INF, INF), B(pow, -0.0, -INF, INF), B(pow, 0, 3, 0), B(pow, -0.0, 3, -0.0), B(pow, -0.0, 2, 0),
    B(pow, -0.0, 2.5, 0), B(pow, -1, INF, 1), B(pow, -1, -INF, 1), B(pow, 1, NAN, 1), B(pow, 1, INF, 1),
    B(pow, NAN, 0, 1), B(pow, NAN, -0.0, 1), B(pow, INF, 0, 1), B(pow, 0, 0, 1), B(pow, -8, 1.0 / 3, NAN),
    B(pow, -1, 0.5, NAN), B(pow, 0.5, -INF, INF), B(pow, -0.5, -INF, INF), B(pow, 2, -INF, 0), B(pow, -2, -INF, 0),
    B(pow, 0.5, INF, 0), B(pow, -0.5, INF, 0), B(pow, 2, INF, INF), B(pow, -2, INF, INF), B(pow, -INF, -3, -0.0),
    B(pow, -INF, -2, 0), B(pow, -INF, -0.5, 0), B(pow, -INF, 3, -INF), B(pow, -INF, 2, INF), B(pow, -INF, 0.5, INF),
    B(pow, INF, -1, 0), B(pow, INF, 1, INF), B(pow, NAN, 1, NAN), B(pow, 2, NAN, NAN), B(pow, -1, NAN, NAN),
    B(pow, -2, 3, -8), B(pow, -2, 2, 4), B(pow, 2, 10, 1024), B(pow, 9, 0.5, 3), B(pow, -1, 16777215, -1),
    B(pow, -1, 16777216, 1), B(pow, -3, 1, -3), B(pow, 2, 5000, INF), B(pow, 2, -5000, 0), B(pow, -2, 4999, -INF),
    B(pow, -2, -4999, -0.0),
    // F.10.1.4; the multiples of pi are compared with the library in the sweep.
    B(hypot, 3, -4, 5), B(hypot, 0, -0.0, 0), B(hypot, -0.0, 2, 2), B(hypot, INF, NAN, INF), B(hypot, NAN, -INF, INF),
    B(hypot, NAN, 1, NAN), B(hypot, 1, NAN, NAN), B(hypot, 0x3p125, 0x1p127, 0x5p125), B(hypot, 0x3p-125, 0x1p-123, 0x5p-125),
    B(hypot, 0x3p-100, 0x1p-98, 0x5p-100), B(hypot, 0x1p120, 0x1p-120, 0x1p120), B(hypot, -5, 12, 13),
    B(atan2, 0, 1, 0), B(atan2, -0.0, 1, -0.0), B(atan2, 0, 0, 0), B(atan2, -0.0, 0, -0.0), B(atan2, 1, INF, 0),
    B(atan2, -1, INF, -0.0), B(atan2, NAN, 1, NAN), B(atan2, 1, NAN, NAN), B(atan2, NAN, 0, NAN),
    B(atan2, 0, NAN, NAN), B(atan2, INF, NAN, NAN),
    B(remainder, 5, 3, 2), B(remainder, -5, 3, -2), B(remainder, 5, -3, 2), B(remainder, -4, 2, -0.0),
    B(remainder, 5, INF, 5), B(remainder, -5, -INF, -5), B(remainder, INF, 3, NAN), B(remainder, 5, 0, NAN),
    B(remainder, NAN, 1, NAN), B(remainder, 1, NAN, NAN), B(remainder, 0, 3, 0), B(remainder, -0.0, 3, -0.0),
    B(remainder, 0, 0, NAN), B(remainder, INF, INF, NAN), B(remainder, NAN, INF, NAN), B(remainder, 0x1p127, 3, 2),
    B(maximum, -0.0, 0, 0), B(maximum, 0, -0.0, 0), B(maximum, -0.0, -0.0, -0.0), B(maximum, NAN, 1, NAN),
    B(maximum, 1, NAN, NAN), B(maximum, -INF, 1, 1), B(maximum, 2, 1, 2), B(maximum, INF, INF, INF),
    B(minimum, -0.0, 0, -0.0), B(minimum, 0, -0.0, -0.0), B(minimum, 0, 0, 0), B(minimum, NAN, 1, NAN),
    B(minimum, 1, NAN, NAN), B(minimum, -INF, 1, -INF), B(minimum, 2, 1, 1), B(minimum, -3, -3, -3),
};
// clang-format on

// Every listed one-argument result is exact, sign of zero included, in f32 and in f64.
static void test_unary_special_values(void **state) {
  (void)state;
  int wrong = 0;
  for (size_t i = 0; i < sizeof unary_cases / sizeof *unary_cases; i++) {
    const unary_case *c = &unary_cases[i];
    double y32 = c->f32((float)c->x), y64 = c->f64(c->x);
    if (same(y32, (float)c->want) && same(y64, c->want)) {
      continue;
    }
    print_error("%s(%g): f32 %a, f64 %a, want %g\n", c->name, c->x, y32, y64, c->want);
    wrong++;
  }
  assert_int_equal(wrong, 0);
}

// Every listed two-argument result is exact, sign of zero included, in f32 and in f64.
static void test_binary_special_values(void **state) {
  (void)state;
  int wrong = 0;
  for (size_t i = 0; i < sizeof binary_cases / sizeof *binary_cases; i++) {
    const binary_case *c = &binary_cases[i];
    double y32 = c->f32((float)c->x, (float)c->y), y64 = c->f64(c->x, c->y);
    if (same(y32, (float)c->want) && same(y64, c->want)) {
      continue;
    }
    print_error("%s(%g, %g): f32 %a, f64 %a, want %g\n", c->name, c->x, c->y, y32, y64, c->want);
    wrong++;
  }
  assert_int_equal(wrong, 0);
}

// A NaN stays a NaN whatever its payload and sign: the bits of one run through all the exponent arithmetic.
static void test_any_nan_stays_nan(void **state) {
  (void)state;
  uint64_t payloads[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x7ffffffffffff, 0x4000000000000};
  for (size_t i = 0; i < sizeof unary_cases / sizeof *unary_cases; i++) {
    for (size_t k = 0; k < 2 * sizeof payloads / sizeof *payloads; k++) {
      uint64_t sign = k & 1, payload = payloads[k / 2];
      double x = el_from_bits_f64(sign << 63 | 0x7ff8000000000000u | payload);
      float f = el_from_bits_f32((uint32_t)(sign << 31 | 0x7fc00000u | (payload & 0x3fffff)));
      assert_true(isnan(unary_cases[i].f64(x)) && isnan(unary_cases[i].f32(f)));
    }
  }
}

// Functions with f(x) = x(1 + O(x)) return the smallest subnormals unchanged: nothing is flushed or halved away.
static void test_smallest_subnormals_survive(void **state) {
  (void)state;
  float (*const f32[])(float) = {mr_el_expm1_f32, mr_el_log1p_f32, mr_el_sin_f32,  mr_el_tan_f32,   mr_el_tanh_f32,
                                 mr_el_asin_f32,  mr_el_atan_f32,  mr_el_sinh_f32, mr_el_asinh_f32, mr_el_atanh_f32};
  double (*const f64[])(double) = {mr_el_expm1_f64, mr_el_log1p_f64, mr_el_sin_f64,  mr_el_tan_f64,   mr_el_tanh_f64,
                                   mr_el_asin_f64,  mr_el_atan_f64,  mr_el_sinh_f64, mr_el_asinh_f64, mr_el_atanh_f64};
  for (size_t i = 0; i < sizeof f32 / sizeof *f32; i++) {
    for (int k = -7; k <= 7; k++) {
      assert_true(same(f32[i]((float)k * 0x1p-149f), (float)k * 0x1p-149f));
      assert_true(same(f64[i](k * 0x1p-1074), k * 0x1p-1074));
    }
  }
}

// The remainder is exact at every distance between the operands, which C's fmod is too.
static void test_remainder_is_exact(void **state) {
  (void)state;
  uint64_t s = 88172645463325252u;
  for (int i = 0; i < 200000; i++) {
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    double x = el_from_bits_f64(s);
    float xf = el_from_bits_f32((uint32_t)s), yf = el_from_bits_f32((uint32_t)(s >> 32));
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    double y = el_from_bits_f64(s);
    if (isfinite(x) && isfinite(y) && i % 2) {
      y = ldexp(y, ilogb(x) - ilogb(y) - i % 70);
    }
    if (!same(mr_el_remainder_f64(x, y), fmod(x, y))) {
      fail_msg("f64 remainder of %a by %a", x, y);
    }
    if (!same(mr_el_remainder_f32(xf, yf), fmodf(xf, yf))) {
      fail_msg("f32 remainder of %a by %a", xf, yf);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unary_special_values), cmocka_unit_test(test_binary_special_values),
      cmocka_unit_test(test_any_nan_stays_nan),    cmocka_unit_test(test_smallest_subnormals_survive),
      cmocka_unit_test(test_remainder_is_exact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
