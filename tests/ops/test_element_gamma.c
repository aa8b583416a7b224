// lgamma, digamma, zeta, polygamma, bessel_i1e and erf_inv. The first two cross zero between their poles, where a result
// can only be right to the size of what cancels, so f64 errors are counted relative to at least 1.
#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdbool.h>

#include "ops/element/element.h"
#include "tests/cmocka.h"

enum { PRECISION = 200, TRIES = 1000 };

typedef int mpfr_unary(mpfr_t, const mpfr_t, mpfr_rnd_t);

static int exact_lgamma(mpfr_t out, const mpfr_t x, mpfr_rnd_t r) {
  int sign;
  return mpfr_lgamma(out, &sign, x, r);
}

// Newton's method on erf from our own result, which it only has to polish.
static int exact_erf_inv(mpfr_t out, const mpfr_t x, mpfr_rnd_t r) {
  mpfr_t y, slope, error;
  mpfr_inits2(2 * PRECISION, y, slope, error, (mpfr_ptr)0);
  mpfr_set_d(y, mr_el_erf_inv_f64(mpfr_get_d(x, r)), r);
  for (int i = 0; i < 4; i++) {
    mpfr_const_pi(slope, r);
    mpfr_sqrt(slope, slope, r);
    mpfr_sqr(error, y, r);
    mpfr_exp(error, error, r);
    mpfr_mul(slope, slope, error, r);
    mpfr_div_2ui(slope, slope, 1, r);
    mpfr_erf(error, y, r);
    mpfr_sub(error, error, x, r);
    mpfr_mul(error, error, slope, r);
    mpfr_sub(y, y, error, r);
  }
  int inexact = mpfr_set(out, y, r);
  mpfr_clears(y, slope, error, (mpfr_ptr)0);
  return inexact;
}

static uint64_t seed = 88172645463325252u;

static double uniform(double lo, double hi) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return lo + (hi - lo) * (double)(seed >> 11) * 0x1p-53;
}

static bool close(double y, double exact, double relative, double floor) {
  if (isnan(exact) || isinf(exact)) {
    return isnan(exact) ? isnan(y) : y == exact;
  }
  return fabs(y - exact) <= relative * fmax(fabs(exact), floor);
}

static void check(const char *name, mpfr_unary *exact, double (*f64)(double), float (*f32)(float), double x) {
  mpfr_t in, out;
  mpfr_inits2(PRECISION, in, out, (mpfr_ptr)0);
  mpfr_set_d(in, x, MPFR_RNDN);
  exact(out, in, MPFR_RNDN);
  if (!close(f64(x), mpfr_get_d(out, MPFR_RNDN), 2e-15, 1)) {
    fail_msg("%s(%a) = %a, not %a", name, x, f64(x), mpfr_get_d(out, MPFR_RNDN));
  }
  float x32 = (float)x;
  mpfr_set_d(in, (double)x32, MPFR_RNDN);
  exact(out, in, MPFR_RNDN);
  double want = mpfr_get_d(out, MPFR_RNDN);
  // 2 units in the last place; a zero closer than 1e-8 is right to f64's rounding only.
  if (!close((double)f32(x32), fabs(want) > 3.4e38 ? (double)(float)want : want, 0x1p-22, 1e-8)) {
    fail_msg("f32 %s(%a) = %a, not %a", name, (double)x32, (double)f32(x32), want);
  }
  mpfr_clears(in, out, (mpfr_ptr)0);
}

// lgamma and digamma agree with MPFR from the poles on the left to large arguments, f32 to 2 units in the last place.
static void test_gamma_family(void **state) {
  (void)state;
  for (int i = 0; i < TRIES; i++) {
    double spots[] = {uniform(0, 3),
                      uniform(3, 200),
                      uniform(-30, 0),
                      exp(uniform(-600, 3)),
                      exp(uniform(5, 80)),
                      1 + ldexp(uniform(-1, 1), -i % 40),
                      2 + ldexp(uniform(-1, 1), -i % 40)};
    for (size_t k = 0; k < sizeof spots / sizeof *spots; k++) {
      check("lgamma", exact_lgamma, mr_el_lgamma_f64, mr_el_lgamma_f32, spots[k]);
      if (spots[k] > 1e-30) {
        check("digamma", mpfr_digamma, mr_el_digamma_f64, mr_el_digamma_f32, spots[k]);
      }
    }
  }
}

// erf_inv inverts erf over (-1, 1), up to the last double before 1.
static void test_erf_inv(void **state) {
  (void)state;
  for (int i = 0; i < TRIES; i++) {
    check("erf_inv", exact_erf_inv, mr_el_erf_inv_f64, mr_el_erf_inv_f32, uniform(-0.9999, 0.9999));
    check("erf_inv", exact_erf_inv, mr_el_erf_inv_f64, mr_el_erf_inv_f32, exp(uniform(-80, -1)));
    double near_one = 1 - exp(uniform(-36, -2));
    if ((float)near_one < 1) {
      check("erf_inv", exact_erf_inv, mr_el_erf_inv_f64, mr_el_erf_inv_f32, near_one);
    }
    mpfr_t x;
    mpfr_init2(x, PRECISION);
    mpfr_set_d(x, near_one, MPFR_RNDN);
    exact_erf_inv(x, x, MPFR_RNDN);
    assert_true(close(mr_el_erf_inv_f64(near_one), mpfr_get_d(x, MPFR_RNDN), 1e-15, 0));
    mpfr_clear(x);
  }
}

// Values from mpmath at 600 bits.
// clang-format off
static const double zetas[][3] = {
    {2, 0.5, 4.9348022005446793094}, {1.25, 3.75, 2.9755258350759671269}, {3.5, 0.125, 1448.9224454756914249},
    {12, 7.25, 6.1160800726055764828e-11}, {40, 2.5, 1.2089275466329262211e-16}, {1.0009765625, 10, 1021.7507209250524221},
    {2, -1.5, 9.3792466449891237539}, {3, -2.25, -61.948474887030082791}, {7.5, 120, 4.832073035721079754e-15},
    {2, -1, INFINITY}, {2.5, -1.5, NAN}, {1, 2, INFINITY}, {0.5, 2, NAN}, {INFINITY, 1, 1}, {INFINITY, 2, 0},
    {2, INFINITY, 0}, {NAN, 1, NAN}, {2, NAN, NAN},
};
// clang-format on
// clang-format off
static const double polygammas[][3] = {
    {0, 2.5, 0.70315664064524318723}, {1, 0.5, 4.9348022005446793094}, {2, 3.25, -0.12815694713911512072},
    {5, 0.75, 678.75334287457971361}, {8, 28.5, -1.328948184200388057e-8}, {1, -1.5, 9.3792466449891237539},
    {1.5, 3, NAN}, {-1, 3, NAN},
};
// clang-format on
// clang-format off
static const double bessels[][2] = {
    {0, 0}, {0.0625, 0.029370994851936599621}, {0.5, 0.15642080318487169714}, {1, 0.20791041534970844887},
    {3, 0.19682671329730085363}, {7.984375, 0.13425949434847889662}, {8, 0.13414249329269817831},
    {8.015625, 0.13402579009546622441}, {25, 0.078576113319292772028}, {700, 0.015070519444716846949},
    {1e6, 0.00039894213079803077631}, {INFINITY, 0}, {NAN, NAN},
};
// clang-format on

// zeta, polygamma and bessel_i1e reproduce tabulated values, and bessel_i1e is odd.
static void test_tabulated_values(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof zetas / sizeof *zetas; i++) {
    const double *z = zetas[i];
    assert_true(close(mr_el_zeta_f64(z[0], z[1]), z[2], 4e-16, 0));
    assert_true(close((double)mr_el_zeta_f32((float)z[0], (float)z[1]), z[2], 0x1p-22, 0));
  }
  for (size_t i = 0; i < sizeof polygammas / sizeof *polygammas; i++) {
    const double *p = polygammas[i];
    assert_true(close(mr_el_polygamma_f64(p[0], p[1]), p[2], 4e-15, 0));
    assert_true(close((double)mr_el_polygamma_f32((float)p[0], (float)p[1]), p[2], 0x1p-22, 0));
  }
  for (size_t i = 0; i < sizeof bessels / sizeof *bessels; i++) {
    const double *b = bessels[i];
    assert_true(close(mr_el_bessel_i1e_f64(b[0]), b[1], 4e-16, 0));
    assert_true(close(mr_el_bessel_i1e_f64(-b[0]), -b[1], 4e-16, 0));
    assert_true(close((double)mr_el_bessel_i1e_f32((float)b[0]), b[1], 0x1p-22, 0));
  }
}

// Poles and edges: infinite for lgamma, NaN for digamma, infinite at +-1 and NaN beyond for erf_inv.
static void test_edges(void **state) {
  (void)state;
  assert_true(mr_el_lgamma_f64(1) == 0 && mr_el_lgamma_f64(2) == 0 && mr_el_lgamma_f32(1) == 0);
  double poles[] = {0, -0.0, -1, -2, -1e300, -DBL_MAX, INFINITY, -INFINITY};
  for (size_t i = 0; i < sizeof poles / sizeof *poles; i++) {
    assert_true(mr_el_lgamma_f64(poles[i]) == INFINITY && mr_el_lgamma_f32((float)poles[i]) == INFINITY);
    if (poles[i] <= 0) {
      assert_true(isnan(mr_el_digamma_f64(poles[i])) && isnan(mr_el_digamma_f32((float)poles[i])));
    }
  }
  assert_true(mr_el_digamma_f64(INFINITY) == INFINITY);
  assert_true(mr_el_erf_inv_f64(1) == INFINITY && mr_el_erf_inv_f64(-1) == -INFINITY);
  assert_true(mr_el_erf_inv_f32(1) == INFINITY && mr_el_erf_inv_f32(-1) == -INFINITY);
  assert_true(isnan(mr_el_erf_inv_f64(1.5)) && isnan(mr_el_erf_inv_f32(-1.5f)) && isnan(mr_el_erf_inv_f32(NAN)));
  assert_true(signbit(mr_el_erf_inv_f64(-0.0)) && signbit(mr_el_erf_inv_f32(-0.0f)));
  assert_true(isnan(mr_el_lgamma_f64(NAN)) && isnan(mr_el_digamma_f64(NAN)) && isnan(mr_el_erf_inv_f64(NAN)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gamma_family),
      cmocka_unit_test(test_erf_inv),
      cmocka_unit_test(test_tabulated_values),
      cmocka_unit_test(test_edges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
