// Largest error of each f32 unary element function over all floats, against the f64 C library. A full run
// takes about a minute per function. docs/accuracy.md holds its results.
//
//   clang-19 -std=gnu17 -O2 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math -I.
//     perf/ops/element_exhaustive.c -lm -o /tmp/exhaustive && /tmp/exhaustive [stride [function...]]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perf/ops/element_all.h"

enum { BLOCK = 4096 };

typedef struct {
  const char *name;
  void (*run)(const float *, float *);
  double (*reference)(double);
} entry;

#define ENTRY_LOOP(name)                                             \
  static void run_##name(const float *x, float *y) {                 \
    for (int i = 0; i < BLOCK; i++) y[i] = mr_el_##name##_f32(x[i]); \
  }
#define ENTRY(name, reference) {#name, run_##name, reference},
// clang-format off
#define ENTRIES(X)                                                                            \
  X(exp, exp) X(expm1, expm1) X(log, log) X(log1p, log1p) X(sin, sin) X(cos, cos) X(tan, tan) \
  X(tanh, tanh) X(logistic, logistic) X(erf, erf) X(erfc, erfc) X(cbrt, cbrt) X(rsqrt, rsqrt) \
  X(asin, asin) X(acos, acos) X(atan, atan) X(sinh, sinh) X(cosh, cosh) X(asinh, asinh)       \
  X(acosh, acosh) X(atanh, atanh) X(round_nearest_afz, round)
// clang-format on
#define LOOP(name, reference) ENTRY_LOOP(name)

static double logistic(double x) { return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x)); }
static double rsqrt(double x) { return 1 / sqrt(x); }

ENTRIES(LOOP)
static const entry entries[] = {ENTRIES(ENTRY)};

// Distance of y from the exact value in units of the last place of the exact value's float binade.
static double ulps(float y, double exact) {
  if (isnan(exact)) {
    return isnan(y) ? 0 : 1e30;
  }
  if (isinf((float)exact) && !isinf(exact) && isinf(y)) {
    return 0;
  }
  if (isinf(exact)) {
    return y == exact ? 0 : 1e30;
  }
  if (isnan(y)) {
    return 1e30;
  }
  int e;
  frexp(exact, &e);
  if (isinf(y)) {
    y = copysignf(0x1p127f, y), exact *= 0.5, e -= 1, y *= 1.0f;
  }
  double ulp = ldexp(1.0, (e < -125 ? -125 : e) - 24);
  if (exact == 0 && (signbit(exact) != signbit(y))) {
    return 1e30;
  }
  return fabs((double)y - exact) / ulp;
}

static void measure(const entry *e, uint64_t stride) {
  static float x[BLOCK], y[BLOCK];
  double worst = 0;
  float worst_x = 0, worst_y = 0;
  for (uint64_t bits = 0; bits < (1ull << 32);) {
    for (int i = 0; i < BLOCK; i++, bits += stride) {
      uint32_t b = (uint32_t)(bits < (1ull << 32) ? bits : 0);
      memcpy(&x[i], &b, 4);
    }
    e->run(x, y);
    for (int i = 0; i < BLOCK; i++) {
      double u = ulps(y[i], e->reference((double)x[i]));
      if (u > worst) {
        worst = u, worst_x = x[i], worst_y = y[i];
      }
    }
  }
  printf("%-10s %8.3f ulp at %a (%.9g) -> %a, exact %a\n", e->name, worst, worst_x, worst_x, worst_y,
         e->reference((double)worst_x));
  fflush(stdout);
}

int main(int argc, char **argv) {
  uint64_t stride = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
    int wanted = argc < 3;
    for (int a = 2; a < argc; a++) {
      wanted |= strcmp(argv[a], entries[i].name) == 0;
    }
    if (wanted) {
      measure(&entries[i], stride ? stride : 1);
    }
  }
  return 0;
}
