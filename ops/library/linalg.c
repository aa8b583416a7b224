// Cholesky factors and triangular systems.
//
// What is row-major here is the transposed matrix to BLAS, which is column-major. Nothing is copied for that: the other
// triangle or the other side is named instead.
#include "ops/library/linalg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ops/library/dnnl.h"
#include "ops/library/tuning.h"

typedef void (*potrf_fn)(const char *uplo, const int *n, void *a, const int *lda, int *info, size_t uplo_length);
typedef void (*trsm_fn)(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,
                        const int *n, const void *alpha, const void *a, const int *lda, void *b, const int *ldb,
                        size_t side_length, size_t uplo_length, size_t trans_length, size_t diag_length);

bool mr_linalg_has_type(mr_dtype dtype) {
  return dtype == MR_F32 || dtype == MR_F64 || dtype == MR_C64 || dtype == MR_C128;
}

static char letter(mr_dtype dtype) {
  return dtype == MR_F32 ? 's' : dtype == MR_F64 ? 'd' : dtype == MR_C64 ? 'c' : 'z';
}

static mr_status open_routine(mr_dtype dtype, const char *routine, void *out_function) {
  char name[16];
  void *function;
  snprintf(name, sizeof name, "%c%s_", letter(dtype), routine);
  MR_TRY(mr_blas_symbol(name, &function));
  memcpy(out_function, &function, sizeof function);
  return MR_OK;
}

static bool is_double(mr_dtype dtype) { return mr_dtype_real(dtype) == MR_F64; }

static mr_status check_type(mr_dtype dtype, int64_t n, int64_t m) {
  if (!mr_linalg_has_type(dtype)) {
    return mr_error(MR_UNIMPLEMENTED, "linear algebra on %s", mr_dtype_name(dtype));
  }
  if (n > INT32_MAX / 2 || m > INT32_MAX / 2) {
    return mr_error(MR_UNIMPLEMENTED, "a matrix of more than 2^30 rows or columns");
  }
  return MR_OK;
}

static uint64_t price(mr_dtype dtype, double flops) {
  double per_ns = is_double(dtype) ? MR_LINALG_F64_PER_NS : MR_LINALG_F32_PER_NS;
  return (uint64_t)((mr_dtype_is_complex(dtype) ? 4 : 1) * flops / per_ns) + 100;
}

// ---- Plain loops for small real matrices ------------------------------------------------------------------------------

// Lower triangle by index; the upper one is the same with its strides exchanged. False: not positive definite.
#define SMALL_CHOLESKY(REAL, root)                                                     \
  static bool small_cholesky_##REAL(REAL *a, int64_t n, int64_t row, int64_t column) { \
    for (int64_t j = 0; j < n; j++) {                                                  \
      REAL diagonal = a[j * row + j * column];                                         \
      for (int64_t k = 0; k < j; k++) {                                                \
        diagonal -= a[j * row + k * column] * a[j * row + k * column];                 \
      }                                                                                \
      if (!(diagonal > 0)) {                                                           \
        return false;                                                                  \
      }                                                                                \
      REAL d = a[j * row + j * column] = root(diagonal), inverse = 1 / d;              \
      for (int64_t i = j + 1; i < n; i++) {                                            \
        REAL sum = a[i * row + j * column];                                            \
        for (int64_t k = 0; k < j; k++) {                                              \
          sum -= a[i * row + k * column] * a[j * row + k * column];                    \
        }                                                                              \
        a[i * row + j * column] = sum * inverse;                                       \
      }                                                                                \
    }                                                                                  \
    return true;                                                                       \
  }
SMALL_CHOLESKY(float, sqrtf)
SMALL_CHOLESKY(double, sqrt)

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

// ---- Cholesky ---------------------------------------------------------------------------------------------------------

typedef struct cholesky {
  mr_library_call base;
  mr_cholesky_desc desc;
  potrf_fn potrf;  // NULL: plain loops
} cholesky;

typedef struct cholesky_run {
  const cholesky *self;
  const char *in;
  char *out;
} cholesky_run;

static void fill_nan(mr_dtype dtype, void *out, int64_t count) {
  int64_t numbers = count * (mr_dtype_is_complex(dtype) ? 2 : 1);
  for (int64_t i = 0; i < numbers; i++) {
    if (is_double(dtype)) {
      ((double *)out)[i] = (double)NAN;
    } else {
      ((float *)out)[i] = NAN;
    }
  }
}

// Copies the triangle that counts and clears the other.
static void copy_triangle(char *out, const char *in, int64_t n, bool lower, size_t unit) {
  for (int64_t i = 0; i < n; i++) {
    size_t begin = lower ? 0 : (size_t)i * unit, end = lower ? (size_t)(i + 1) * unit : (size_t)n * unit;
    char *row = out + (size_t)(i * n) * unit;
    memset(row, 0, begin);
    memcpy(row + begin, in + (size_t)(i * n) * unit + begin, end - begin);
    memset(row + end, 0, (size_t)n * unit - end);
  }
}

static bool factorise(const cholesky *self, void *a) {
  int n = (int)self->desc.n, info = 0;
  bool lower = self->desc.lower;
  if (self->potrf) {
    // The row-major lower triangle L of A = L L^H is the upper U of conj(A) = U^H U to LAPACK.
    self->potrf(lower ? "U" : "L", &n, a, &n, &info, 1);
    return info == 0;
  }
  int64_t row = lower ? n : 1, column = lower ? 1 : n;
  return self->desc.dtype == MR_F64 ? small_cholesky_double(a, n, row, column)
                                    : small_cholesky_float(a, n, row, column);
}

static void cholesky_entries(void *context, int64_t begin, int64_t end) {
  const cholesky_run *r = context;
  const mr_cholesky_desc *d = &r->self->desc;
  size_t unit = mr_dtype_bytes(d->dtype), bytes = (size_t)(d->n * d->n) * unit;
  for (int64_t i = begin; i < end; i++) {
    char *out = r->out + (size_t)i * bytes;
    copy_triangle(out, r->in + (size_t)i * bytes, d->n, d->lower, unit);
    if (!factorise(r->self, out)) {
      fill_nan(d->dtype, out, d->n * d->n);
    }
  }
}

static mr_status cholesky_run_call(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  (void)scratch;
  const cholesky *self = (const cholesky *)call;
  cholesky_run r = {self, buffers[0], buffers[1]};
  if (self->desc.n > 0) {
    mr_parallel_for(group, self->desc.batch, cholesky_entries, &r, 1, call->cost_ns);
  }
  return MR_OK;
}

static void destroy(mr_library_call *call) { mr_free(call); }

mr_status mr_cholesky_create(const mr_cholesky_desc *desc, mr_library_call **out_call) {
  *out_call = NULL;
  MR_TRY(check_type(desc->dtype, desc->n, 0));
  cholesky *self = mr_alloc_zeroed(1, sizeof *self);
  if (!self) {
    return MR_NO_MEMORY();
  }
  self->desc = *desc;
  bool plain = desc->n <= MR_LINALG_SMALL && !mr_dtype_is_complex(desc->dtype);
  mr_status status = plain ? MR_OK : open_routine(desc->dtype, "potrf", &self->potrf);
  if (status) {
    mr_free(self);
    return status;
  }
  double flops = (double)desc->batch * (double)desc->n * (double)desc->n * ((double)desc->n / 3 + 4);
  self->base = (mr_library_call){.run = cholesky_run_call,
                                 .destroy = destroy,
                                 .name = "cholesky",
                                 .flops = (uint64_t)flops,
                                 .cost_ns = price(desc->dtype, flops)};
  *out_call = &self->base;
  return MR_OK;
}

// ---- Triangular systems -------------------------------------------------------------------------------------------------

typedef struct solve {
  mr_library_call base;
  mr_solve_desc desc;
  trsm_fn trsm;
} solve;

typedef struct solve_run {
  const solve *self;
  const char *a;
  char *x;
  int64_t cuts;  // of the right-hand sides of one matrix
} solve_run;

static void solve_small(const mr_solve_desc *d, const void *a, void *x, int64_t rhs) {
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

static void solve_blas(const solve *self, const void *a, void *x, int64_t rhs) {
  const mr_solve_desc *d = &self->desc;
  static const double one_double[2] = {1, 0};
  static const float one_float[2] = {1, 0};
  const void *one = is_double(d->dtype) ? (const void *)one_double : one_float;
  int n = (int)d->n, cut = (int)rhs, m_arg = d->left ? cut : n, n_arg = d->left ? n : cut;
  int ldb = d->left ? (int)d->rhs : n;
  const char *trans = d->transpose == MR_TRANSPOSE_NONE ? "N" : d->transpose == MR_TRANSPOSE_PLAIN ? "T" : "C";
  self->trsm(d->left ? "R" : "L", d->lower ? "U" : "L", trans, d->unit_diagonal ? "U" : "N", &m_arg, &n_arg, one, a, &n,
             x, &ldb, 1, 1, 1, 1);
}

static void solve_entries(void *context, int64_t begin, int64_t end) {
  const solve_run *r = context;
  const mr_solve_desc *d = &r->self->desc;
  size_t unit = mr_dtype_bytes(d->dtype);
  for (int64_t i = begin; i < end; i++) {
    int64_t entry = i / r->cuts, cut = i % r->cuts;
    int64_t from = cut * d->rhs / r->cuts, to = (cut + 1) * d->rhs / r->cuts;
    const char *a = r->a + (size_t)(entry * d->n * d->n) * unit;
    char *x = r->x + (size_t)(entry * d->n * d->rhs + from * (d->left ? 1 : d->n)) * unit;
    if (r->self->trsm) {
      solve_blas(r->self, a, x, to - from);
    } else {
      solve_small(d, a, x, to - from);
    }
  }
}

static mr_status solve_run_call(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  (void)scratch;
  const solve *self = (const solve *)call;
  const mr_solve_desc *d = &self->desc;
  solve_run r = {.self = self, .a = buffers[0], .x = buffers[2], .cuts = 1};
  if (d->batch * d->n * d->rhs == 0) {
    return MR_OK;
  }
  memcpy(buffers[2], buffers[1], (size_t)(d->batch * d->n * d->rhs) * mr_dtype_bytes(d->dtype));
  int64_t cores = group ? mr_group_concurrency(group) : 1;
  if (d->batch < cores && call->cost_ns > MR_LINALG_CUT_NS) {
    r.cuts = MR_MIN(cores, (d->rhs + 15) / 16);
  }
  mr_parallel_for(group, d->batch * r.cuts, solve_entries, &r, 1, call->cost_ns);
  return MR_OK;
}

mr_status mr_solve_create(const mr_solve_desc *desc, mr_library_call **out_call) {
  *out_call = NULL;
  MR_TRY(check_type(desc->dtype, desc->n, desc->rhs));
  solve *self = mr_alloc_zeroed(1, sizeof *self);
  if (!self) {
    return MR_NO_MEMORY();
  }
  self->desc = *desc;
  bool plain = desc->n <= MR_LINALG_SMALL && !mr_dtype_is_complex(desc->dtype);
  mr_status status = plain ? MR_OK : open_routine(desc->dtype, "trsm", &self->trsm);
  if (status) {
    mr_free(self);
    return status;
  }
  double flops = (double)desc->batch * (double)desc->n * ((double)desc->n + 2) * (double)desc->rhs;
  self->base = (mr_library_call){.run = solve_run_call,
                                 .destroy = destroy,
                                 .name = "triangular_solve",
                                 .flops = (uint64_t)flops,
                                 .cost_ns = price(desc->dtype, flops)};
  *out_call = &self->base;
  return MR_OK;
}
