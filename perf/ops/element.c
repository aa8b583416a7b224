// Nanoseconds per element of each element function in a vectorised loop, next to the C library called per element.
//
//   clang-19 -std=gnu17 -O2 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math -I.
//     perf/ops/element.c -lm -o /tmp/element && /tmp/perf_element [function...]
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "perf/ops/element_all.h"

enum { COUNT = 4096, ROUNDS = 15 };

typedef void run_f32(const float *, const float *, float *);
typedef void run_f64(const double *, const double *, double *);

typedef struct {
  const char *name;
  double lo, hi;
  run_f32 *ours32, *libm32;
  run_f64 *ours64, *libm64;
} entry;

static float logistic_f(float x) { return 1.0f / (1.0f + expf(-x)); }
static double logistic_d(double x) { return 1.0 / (1.0 + exp(-x)); }
// Where the C library has no such function.
static float none_f(float x) { return x; }
static double none_d(double x) { return x; }
static float none2_f(float x, float y) { return x + y; }
static double none2_d(double x, double y) { return x + y; }
static float rsqrt_f(float x) { return 1.0f / sqrtf(x); }
static double rsqrt_d(double x) { return 1.0 / sqrt(x); }

// X(name, lowest input, highest input, float C function, double C function)
// clang-format off
#define UNARY(X)                                                                                \
  X(exp, -80, 80, expf, exp) X(expm1, -10, 10, expm1f, expm1) X(log, 1e-3, 1e3, logf, log)      \
  X(log1p, -0.9, 100, log1pf, log1p) X(sin, -10, 10, sinf, sin) X(cos, -10, 10, cosf, cos)      \
  X(tan, -10, 10, tanf, tan) X(tanh, -4, 4, tanhf, tanh)                                        \
  X(logistic, -10, 10, logistic_f, logistic_d) X(erf, -3, 3, erff, erf)                         \
  X(erfc, -1, 5, erfcf, erfc) X(cbrt, -10, 10, cbrtf, cbrt) X(rsqrt, 0.1, 10, rsqrt_f, rsqrt_d) \
  X(asin, -1, 1, asinf, asin) X(acos, -1, 1, acosf, acos) X(atan, -4, 4, atanf, atan)           \
  X(sinh, -4, 4, sinhf, sinh) X(cosh, -4, 4, coshf, cosh) X(asinh, -4, 4, asinhf, asinh)        \
  X(acosh, 1, 9, acoshf, acosh) X(atanh, -1, 1, atanhf, atanh)                                  \
  X(round_nearest_afz, -9, 9, roundf, round) X(lgamma, 0, 20, lgammaf, lgamma)                  \
  X(erf_inv, -1, 1, none_f, none_d) X(digamma, 0, 20, none_f, none_d)                           \
  X(bessel_i1e, -20, 20, none_f, none_d)
#define BINARY(X)                                                                            \
  X(pow, 0.1, 10, powf, pow) X(atan2, -4, 4, atan2f, atan2) X(remainder, -9, 9, fmodf, fmod) \
  X(maximum, -1, 1, fmaxf, fmax) X(zeta, 2, 9, none2_f, none2_d)
// clang-format on

#define LOOPS(name, type, ctype, call)                                    \
  static void name##_##type(const ctype *x, const ctype *y, ctype *out) { \
    (void)y;                                                              \
    for (int i = 0; i < COUNT; i++) out[i] = call;                        \
  }
#define UNARY_LOOPS(name, lo, hi, f, d)                     \
  LOOPS(ours_##name, f32, float, mr_el_##name##_f32(x[i]))  \
  LOOPS(libm_##name, f32, float, f(x[i]))                   \
  LOOPS(ours_##name, f64, double, mr_el_##name##_f64(x[i])) \
  LOOPS(libm_##name, f64, double, d(x[i]))
#define BINARY_LOOPS(name, lo, hi, f, d)                          \
  LOOPS(ours_##name, f32, float, mr_el_##name##_f32(x[i], y[i]))  \
  LOOPS(libm_##name, f32, float, f(x[i], y[i]))                   \
  LOOPS(ours_##name, f64, double, mr_el_##name##_f64(x[i], y[i])) \
  LOOPS(libm_##name, f64, double, d(x[i], y[i]))
#define ENTRY(name, lo, hi, f, d) \
  {#name, lo, hi, ours_##name##_f32, libm_##name##_f32, ours_##name##_f64, libm_##name##_f64},

UNARY(UNARY_LOOPS)
BINARY(BINARY_LOOPS)
static const entry entries[] = {UNARY(ENTRY) BINARY(ENTRY)};

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static float x32[COUNT], y32[COUNT], out32[COUNT];
static double x64[COUNT], y64[COUNT], out64[COUNT];

static void fill(double lo, double hi) {
  unsigned long long s = 88172645463325252ull;
  for (int i = 0; i < COUNT; i++) {
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    x64[i] = lo + (hi - lo) * (double)(s >> 11) * 0x1p-53;
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    y64[i] = lo + (hi - lo) * (double)(s >> 11) * 0x1p-53;
    x32[i] = (float)x64[i], y32[i] = (float)y64[i];
  }
}

// The best of several rounds: the machine is shared and the minimum is what the code costs.
static double best32(run_f32 *run) {
  double best = 1e30;
  for (int r = 0; r < ROUNDS; r++) {
    double start = now_ns();
    for (int k = 0; k < 4; k++) {
      run(x32, y32, out32);
    }
    double ns = (now_ns() - start) / (4.0 * COUNT);
    best = ns < best ? ns : best;
  }
  return best;
}

static double best64(run_f64 *run) {
  double best = 1e30;
  for (int r = 0; run && r < ROUNDS; r++) {
    double start = now_ns();
    for (int k = 0; k < 4; k++) {
      run(x64, y64, out64);
    }
    double ns = (now_ns() - start) / (4.0 * COUNT);
    best = ns < best ? ns : best;
  }
  return run ? best : 0;
}

int main(int argc, char **argv) {
  printf("%-18s %10s %10s %10s %10s   ns per element\n", "", "f32", "libm f32", "f64", "libm f64");
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
    const entry *e = &entries[i];
    int wanted = argc < 2;
    for (int a = 1; a < argc; a++) {
      wanted |= strcmp(argv[a], e->name) == 0;
    }
    if (!wanted) {
      continue;
    }
    fill(e->lo, e->hi);
    printf("%-18s %10.2f %10.2f %10.2f %10.2f\n", e->name, best32(e->ours32), best32(e->libm32), best64(e->ours64),
           best64(e->libm64));
  }
  return 0;
}
