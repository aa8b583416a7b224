// The kernels of each instruction set that this processor has, also those it would not choose for itself.
#include <math.h>
#include <string.h>

#include "ops/library/dgemm.h"
#include "ops/library/triangle.h"
#include "ops/library/tuning.h"
#include "tests/cmocka.h"

enum { LEAD = 80, RHS = 75, DEPTH = 37 };

static double some(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 40) / (1 << 24) - 0.5;
}

static bool has(const char *set) {
#if defined(__x86_64__)
  return strcmp(set, "avx512") == 0 ? __builtin_cpu_supports("avx512f")
                                    : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  (void)set;
  return false;
#endif
}

static double get(const void *data, bool f64, int64_t at) {
  return f64 ? ((const double *)data)[at] : (double)((const float *)data)[at];
}

static void put(void *data, bool f64, int64_t at, double value) {
  if (f64) {
    ((double *)data)[at] = value;
  } else {
    ((float *)data)[at] = (float)value;
  }
}

// The element at (i, k) of op(t) as the solver is to see it.
static double element(const mr_triangle *t, bool f64, int64_t i, int64_t k) {
  bool transposed = t->transpose != MR_TRANSPOSE_NONE;
  int64_t row = transposed ? k : i, column = transposed ? i : k;
  if (row == column) {
    return t->unit_diagonal ? 1 : get(t->data, f64, row * t->lead + column);
  }
  return (row > column) == t->lower ? get(t->data, f64, row * t->lead + column) : 0;
}

// The largest difference between the system's two sides.
static double residual(const mr_triangle *t, bool f64, const void *x, const void *b) {
  double worst = 0;
  for (int64_t i = 0; i < t->n; i++) {
    for (int64_t c = 0; c < RHS; c++) {
      int64_t at = t->left ? i * LEAD + c : c * LEAD + i;
      double sum = -get(b, f64, at);
      for (int64_t k = 0; k < t->n; k++) {
        int64_t from = t->left ? k * LEAD + c : c * LEAD + k;
        sum += (t->left ? element(t, f64, i, k) : element(t, f64, k, i)) * get(x, f64, from);
      }
      worst = fmax(worst, fabs(sum));
    }
  }
  return worst;
}

// A residual of eight units of 1: sums of up to LEAD terms.
static void check_triangle(const mr_triangle_kernel *kernel, bool f64, int64_t n, int shape) {
  static _Alignas(64) double a[LEAD * LEAD], b[LEAD * LEAD], x[LEAD * LEAD];
  mr_triangle t = {.data = a,
                   .lead = LEAD,
                   .n = n,
                   .left = shape & 1,
                   .lower = shape & 2,
                   .unit_diagonal = shape & 4,
                   .transpose = shape & 8 ? MR_TRANSPOSE_PLAIN : MR_TRANSPOSE_NONE};
  uint64_t seed = (uint64_t)(n * 16 + shape);
  for (int64_t i = 0; i < LEAD * LEAD; i++) {
    put(a, f64, i, some(&seed) / (double)n + (i % (LEAD + 1) ? 0 : 2));
    put(b, f64, i, some(&seed));
  }
  memcpy(x, b, sizeof x);
  mr_triangle_solve(kernel, &t, x, LEAD, RHS);
  assert_true(residual(&t, f64, x, b) < (f64 ? 0x1p-49 : 0x1p-20));
}

// A triangular system is solved from either side, with either triangle, transposed or not, up to the largest size.
static void test_triangles(void **state) {
  (void)state;
  const struct {
    const mr_triangle_kernel *kernel;
    const char *set;
    bool f64;
  } kernels[] = {{&mr_triangle_f32_avx2, "avx2", false},
                 {&mr_triangle_f64_avx2, "avx2", true},
                 {&mr_triangle_f32_avx512, "avx512", false},
                 {&mr_triangle_f64_avx512, "avx512", true}};
  static const int64_t sizes[] = {1, 2, 17, 63, MR_SOLVE_LEAF};
  for (size_t k = 0; k < MR_ARRAY_SIZE(kernels); k++) {
    if (!has(kernels[k].set)) {
      continue;
    }
    for (size_t s = 0; s < MR_ARRAY_SIZE(sizes); s++) {
      for (int shape = 0; shape < 16; shape++) {
        check_triangle(kernels[k].kernel, kernels[k].f64, sizes[s], shape);
      }
    }
  }
}

static void check_tile(const mr_dgemm_kernel *kernel, bool transposed, bool add) {
  double a[16 * DEPTH], from[DEPTH * 64], c[16 * 64], before[16 * 64];
  _Alignas(64) double b[DEPTH * 64];
  uint64_t seed = 7;
  for (size_t i = 0; i < MR_ARRAY_SIZE(a); i++) {
    a[i] = some(&seed);
  }
  for (size_t i = 0; i < MR_ARRAY_SIZE(from); i++) {
    from[i] = some(&seed);
  }
  for (size_t i = 0; i < MR_ARRAY_SIZE(c); i++) {
    c[i] = before[i] = some(&seed);
  }
  assert_true(kernel->rows <= 16 && kernel->columns < 64);
  int64_t row = transposed ? 1 : DEPTH, step = transposed ? 16 : 1;
  kernel->pack_rows(DEPTH, from, 64, b);
  kernel->tile(DEPTH, a, row, step, b, c, 64, add);
  for (int64_t i = 0; i < 16; i++) {
    for (int64_t j = 0; j < 64; j++) {
      bool inside = i < kernel->rows && j < kernel->columns;
      double sum = add || !inside ? before[i * 64 + j] : 0;
      for (int64_t k = 0; inside && k < DEPTH; k++) {
        sum += a[i * row + k * step] * from[k * 64 + j];
      }
      assert_true(sum == c[i * 64 + j]);
    }
  }
}

// A tile is its product, put or added, from rows or columns, and nothing beside it is written.
static void test_tiles(void **state) {
  (void)state;
  for (int shape = 0; shape < 4; shape++) {
    if (has("avx2")) {
      check_tile(&mr_dgemm_avx2, shape & 1, shape & 2);
    }
    if (has("avx512")) {
      check_tile(&mr_dgemm_avx512, shape & 1, shape & 2);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_triangles),
      cmocka_unit_test(test_tiles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
