// Plain loops for small real matrices.
#include "ops/library/small.h"

#include <math.h>

#include "ops/library/tuning.h"

bool mr_small_fits(mr_dtype dtype, int64_t n) { return n <= MR_LINALG_SMALL && !mr_dtype_is_complex(dtype); }

// ---- Cholesky ---------------------------------------------------------------------------------------------------------

// Lower triangle by index; the upper one is the same with its strides exchanged.
#define SMALL_CHOLESKY(REAL, root)                                                    \
  static int small_cholesky_##REAL(REAL *a, int64_t n, int64_t row, int64_t column) { \
    for (int64_t j = 0; j < n; j++) {                                                 \
      REAL diagonal = a[j * row + j * column];                                        \
      for (int64_t k = 0; k < j; k++) {                                               \
        diagonal -= a[j * row + k * column] * a[j * row + k * column];                \
      }                                                                               \
      if (!(diagonal > 0)) {                                                          \
        return (int)j + 1;                                                            \
      }                                                                               \
      REAL d = a[j * row + j * column] = root(diagonal), inverse = 1 / d;             \
      for (int64_t i = j + 1; i < n; i++) {                                           \
        REAL sum = a[i * row + j * column];                                           \
        for (int64_t k = 0; k < j; k++) {                                             \
          sum -= a[i * row + k * column] * a[j * row + k * column];                   \
        }                                                                             \
        a[i * row + j * column] = sum * inverse;                                      \
      }                                                                               \
    }                                                                                 \
    return 0;                                                                         \
  }
SMALL_CHOLESKY(float, sqrtf)
SMALL_CHOLESKY(double, sqrt)

int mr_small_cholesky(mr_dtype dtype, void *a, int64_t n, bool lower) {
  int64_t row = lower ? n : 1, column = lower ? 1 : n;
  return dtype == MR_F64 ? small_cholesky_double(a, n, row, column) : small_cholesky_float(a, n, row, column);
}

// ---- LU ---------------------------------------------------------------------------------------------------------------

// A column of zeros is left as it is, and its pivot is the row it is in, as in LAPACK.
#define SMALL_LU(REAL, magnitude)                                               \
  static int small_lu_##REAL(REAL *a, int64_t m, int64_t n, int *pivots) {      \
    int info = 0;                                                               \
    for (int64_t j = 0; j < m && j < n; j++) {                                  \
      int64_t best = j;                                                         \
      for (int64_t i = j + 1; i < m; i++) {                                     \
        best = magnitude(a[i * n + j]) > magnitude(a[best * n + j]) ? i : best; \
      }                                                                         \
      pivots[j] = (int)best + 1;                                                \
      if (a[best * n + j] == 0) {                                               \
        info = info ? info : (int)j + 1;                                        \
        continue;                                                               \
      }                                                                         \
      for (int64_t c = 0; c < n && best != j; c++) {                            \
        REAL kept = a[j * n + c];                                               \
        a[j * n + c] = a[best * n + c];                                         \
        a[best * n + c] = kept;                                                 \
      }                                                                         \
      for (int64_t i = j + 1; i < m; i++) {                                     \
        REAL factor = a[i * n + j] /= a[j * n + j];                             \
        for (int64_t c = j + 1; c < n; c++) {                                   \
          a[i * n + c] -= factor * a[j * n + c];                                \
        }                                                                       \
      }                                                                         \
    }                                                                           \
    return info;                                                                \
  }
SMALL_LU(float, fabsf)
SMALL_LU(double, fabs)

int mr_small_lu(mr_dtype dtype, void *a, int64_t m, int64_t n, int *pivots) {
  return dtype == MR_F64 ? small_lu_double(a, m, n, pivots) : small_lu_float(a, m, n, pivots);
}

// ---- Triangular systems -----------------------------------------------------------------------------------------------

// Strides of a matrix by row and column.
typedef struct strides {
  int64_t row, column;
} strides;

// t x = b in place, t by its strides; x is n x rhs by its strides.
#define SMALL_SOLVE(REAL)                                                                                          \
  static void small_solve_##REAL(const REAL *t, strides ts, bool lower, bool unit, REAL *x, strides xs, int64_t n, \
                                 int64_t rhs) {                                                                    \
    for (int64_t step = 0; step < n; step++) {                                                                     \
      int64_t i = lower ? step : n - 1 - step;                                                                     \
      REAL *to = x + i * xs.row;                                                                                   \
      for (int64_t s = 0; s < step; s++) {                                                                         \
        int64_t k = lower ? s : n - 1 - s;                                                                         \
        REAL factor = t[i * ts.row + k * ts.column];                                                               \
        const REAL *from = x + k * xs.row;                                                                         \
        for (int64_t c = 0; c < rhs; c++) {                                                                        \
          to[c * xs.column] -= factor * from[c * xs.column];                                                       \
        }                                                                                                          \
      }                                                                                                            \
      REAL d = t[i * ts.row + i * ts.column];                                                                      \
      for (int64_t c = 0; c < rhs && !unit; c++) {                                                                 \
        to[c * xs.column] /= d;                                                                                    \
      }                                                                                                            \
    }                                                                                                              \
  }
SMALL_SOLVE(float)
SMALL_SOLVE(double)

void mr_small_solve(const mr_solve_desc *d, const void *a, void *x, int64_t rhs) {
  bool transposed = d->transpose != MR_TRANSPOSE_NONE;
  // x op(a) = b is op(a)^T x^T = b^T.
  bool by_columns = transposed == d->left;
  strides t = by_columns ? (strides){1, d->n} : (strides){d->n, 1};
  bool lower = d->lower != by_columns;
  strides xs = d->left ? (strides){d->rhs, 1} : (strides){1, d->n};
  if (d->dtype == MR_F64) {
    small_solve_double(a, t, lower, d->unit_diagonal, x, xs, d->n, rhs);
  } else {
    small_solve_float(a, t, lower, d->unit_diagonal, x, xs, d->n, rhs);
  }
}
