// Functions of complex numbers where they are hard: next to the largest and smallest numbers, on both sides of their branch
// cuts, and where parts of the result are small differences.
#include <math.h>

#include "tests/compiler/execute_harness.h"

typedef struct row {
  const char *op;
  double re, im, want_re, want_im;
} row;

// Wanted: mpmath with 1200 bits; a negative zero is the limit from below.
static const row rows[] = {
    {"stablehlo.log", 3.0, -4.0, 1.6094379124341003, -0.9272952180016122},
    {"stablehlo.log", 0.6, 0.8, 2.2204460492503132e-17, 0.9272952180016123},
    {"stablehlo.log", 1.5e+308, 1.5e+308, 709.9482473405542, 0.7853981633974483},
    {"stablehlo.log", -1e-300, 1e-300, -690.4289543079337, 2.356194490192345},
    {"stablehlo.log", -2.0, -0.0, 0.6931471805599453, -3.141592653589793},
    {"stablehlo.log_plus_one", 1e-10, 1e-09, 1.00000000495e-10, 9.999999999000001e-10},
    {"stablehlo.log_plus_one", -0.5, 0.8660254037844386, -4.345318932600586e-17, 1.0471975511965976},
    {"stablehlo.log_plus_one", -1.5e+308, 1.5e+308, 709.9482473405542, 2.356194490192345},
    {"stablehlo.log_plus_one", -1.0, 1e-200, -460.51701859880916, 1.5707963267948966},
    {"stablehlo.sqrt", 1.5e+308, -1.5e+308, 1.345607733249115e+154, -5.5736897274590134e+153},
    {"stablehlo.sqrt", -1.5e+308, 0.0, 0.0, 1.224744871391589e+154},
    {"stablehlo.sqrt", -4.0, -0.0, 0.0, -2.0},
    {"stablehlo.sqrt", -1e-300, 1e-200, 7.071067811865475e-101, 7.071067811865475e-101},
    {"stablehlo.exponential", 709.9, 1.0, 1.092168192007999e+308, 1.7009511788556363e+308},
    {"stablehlo.exponential", -1.0, 3.0, -0.36419788641329287, 0.05191514970317339},
    {"stablehlo.exponential", 0.0, 100000.0, -0.9993608074382124, 0.03574879797201651},
    {"chlo.square", 1e+154, 1e+154, 0.0, INFINITY},
    {"chlo.square", -1e+200, 1e-200, INFINITY, -2.0},
    {"chlo.square", 1.0000000001, 1.0, 2.000000165580742e-10, 2.0000000002},
    {"chlo.asin", 0.5, 0.25, 0.5016088532755008, 0.2813960562452928},
    {"chlo.asin", 2.0, 0.0, 1.5707963267948966, 1.3169578969248168},
    {"chlo.asin", 2.0, -0.0, 1.5707963267948966, -1.3169578969248168},
    {"chlo.asin", 1.5e+308, 1.5e+308, 0.7853981633974483, 710.6413945211142},
    {"chlo.asin", 1.0, 1e-300, 1.5707963267948966, 1e-150},
    {"chlo.asin", 1e-200, 1e+200, 0.0, 461.2101657793691},
    {"chlo.acos", 0.5, 0.25, 1.0691874735193958, -0.2813960562452928},
    {"chlo.acos", -2.0, 0.0, 3.141592653589793, -1.3169578969248168},
    {"chlo.acos", 2.0, -0.0, 0.0, 1.3169578969248168},
    {"chlo.acos", -1.5e+308, 1.0, 3.141592653589793, -710.2948209308341},
    {"chlo.acos", 1.0, 1e-300, 1e-150, -1e-150},
    {"chlo.asinh", 0.5, 0.25, 0.4926756834207706, 0.2243284526346675},
    {"chlo.asinh", 0.0, 2.0, 1.3169578969248168, 1.5707963267948966},
    {"chlo.asinh", -0.0, 2.0, -1.3169578969248168, 1.5707963267948966},
    {"chlo.asinh", 1.5e+308, -1.5e+308, 710.6413945211142, -0.7853981633974483},
    {"chlo.acosh", 0.5, 0.25, 0.2813960562452928, 1.0691874735193958},
    {"chlo.acosh", -2.0, 0.0, 1.3169578969248168, 3.141592653589793},
    {"chlo.acosh", -2.0, -0.0, 1.3169578969248168, -3.141592653589793},
    {"chlo.acosh", 1.0, 1e-300, 1e-150, 1e-150},
    {"chlo.acosh", 1.5e+308, 1.5e+308, 710.6413945211142, 0.7853981633974483},
    {"chlo.atan", 0.5, 0.25, 0.4842544903299662, 0.20058661813123432},
    {"chlo.atan", 0.0, 2.0, 1.5707963267948966, 0.5493061443340549},
    {"chlo.atan", -0.0, 2.0, -1.5707963267948966, 0.5493061443340549},
    {"chlo.atan", 1e-200, 1.0, 0.7853981633974483, 230.60508288968455},
    {"chlo.atanh", 0.5, 0.25, 0.5003700000525311, 0.3143981432077165},
    {"chlo.atanh", 2.0, 0.0, 0.5493061443340549, 1.5707963267948966},
    {"chlo.atanh", 2.0, -0.0, 0.5493061443340549, -1.5707963267948966},
    {"chlo.atanh", 1.0, 1e-200, 230.60508288968455, 0.7853981633974483},
    {"chlo.atanh", 1e+200, 1e-200, 1e-200, 1.5707963267948966},
};

// In units of the last place of the wanted number; zeros and infinities must be met exactly.
static double error_of(double got, double want) {
  if (got == want) {
    return 0;
  }
  return want == 0 || !isfinite(want) ? INFINITY : fabs(got - want) / (nextafter(fabs(want), INFINITY) - fabs(want));
}

enum { MOST_ROWS = 8 };

// One program for the rows of one operation.
static void expect_rows(const row *r, int64_t count) {
  char text[512];
  snprintf(text, sizeof text,
           "func.func @main(%%z: tensor<%dxcomplex<f64>>) -> tensor<%dxcomplex<f64>> {\n"
           "  %%r = \"%s\"(%%z) : (tensor<%dxcomplex<f64>>) -> tensor<%dxcomplex<f64>>\n"
           "  return %%r : tensor<%dxcomplex<f64>>\n}\n",
           (int)count, (int)count, r->op, (int)count, (int)count, (int)count);
  mr_executable *executable = compile(text);
  double z[2 * MOST_ROWS], got[2 * MOST_ROWS];
  for (int64_t i = 0; i < count; i++) {
    z[2 * i] = r[i].re;
    z[2 * i + 1] = r[i].im;
  }
  mr_host_array host = {.data = z, .dtype = MR_C128, .dims = &count, .rank = 1};
  mr_buffer *argument, *result;
  expect_ok(mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &argument));
  run(executable, &argument, 1, &result);
  mr_future *done = NULL;
  expect_ok(mr_buffer_to_host(result, got, NULL, &done));
  wait_for(done);
  for (int64_t i = 0; i < count; i++) {
    if (!(error_of(got[2 * i], r[i].want_re) <= 4 && error_of(got[2 * i + 1], r[i].want_im) <= 4)) {
      fail_msg("%s of (%.17g, %.17g): (%.17g, %.17g), wanted (%.17g, %.17g)", r->op, r[i].re, r[i].im, got[2 * i],
               got[2 * i + 1], r[i].want_re, r[i].want_im);
    }
  }
  mr_buffer_release(argument);
  mr_buffer_release(result);
  mr_executable_release(executable);
}

static void test_hard_places(void **state) {
  (void)state;
  size_t all = sizeof rows / sizeof *rows;
  for (size_t i = 0, next; i < all; i = next) {
    for (next = i + 1; next < all && next < i + MOST_ROWS && strcmp(rows[i].op, rows[next].op) == 0;) {
      next++;
    }
    expect_rows(&rows[i], (int64_t)(next - i));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_hard_places)};
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
