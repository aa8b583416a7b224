// Cholesky factors and triangular systems as StableHLO has them.
#include "ops/library/linalg.h"

#include <math.h>
#include <string.h>

#include "ops/library/factor.h"
#include "ops/library/small.h"
#include "ops/library/tuning.h"

bool mr_linalg_has_type(mr_dtype dtype) {
  return dtype == MR_F32 || dtype == MR_F64 || dtype == MR_C64 || dtype == MR_C128;
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

// For the whole call; what its parts are cut by is their own (factor.c).
static uint64_t price(mr_dtype dtype, int64_t n, double flops) {
  double most = is_double(dtype) ? MR_LINALG_F64_MOST_PER_NS : MR_LINALG_F32_MOST_PER_NS;
  double per_ns = most * (double)n / ((double)n + MR_LINALG_HALF_ROWS);
  return (uint64_t)((mr_dtype_is_complex(dtype) ? 4 : 1) * flops / per_ns) + MR_LINALG_CALL_NS;
}

typedef struct linalg_call {
  mr_library_call base;
  mr_products dense;  // unused for plain loops
  union {
    mr_cholesky_desc cholesky;
    mr_solve_desc solve;
  };
} linalg_call;

typedef mr_status (*run_function)(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group);

static void destroy(mr_library_call *call) { mr_free(call); }

// A call on matrices of n rows with m other columns, without its descriptor yet. What is not plain loops needs the library's
// kernels.
static mr_status make_call(const char *name, mr_dtype dtype, int64_t n, int64_t m, double flops, run_function run,
                           linalg_call **out_call) {
  MR_TRY(check_type(dtype, n, m));
  linalg_call *self = mr_alloc_zeroed(1, sizeof *self);
  if (!self) {
    return MR_NO_MEMORY();
  }
  mr_status status = mr_small_fits(dtype, n) ? MR_OK : mr_products_open(dtype, &self->dense);
  if (status) {
    mr_free(self);
    return status;
  }
  self->base = (mr_library_call){.run = run,
                                 .foreign = self->dense.gemm != NULL,
                                 .destroy = destroy,
                                 .name = name,
                                 .flops = (uint64_t)flops,
                                 .cost_ns = price(dtype, MR_MAX(n, 1), flops)};
  *out_call = self;
  return MR_OK;
}

// ---- Cholesky ---------------------------------------------------------------------------------------------------------

typedef struct cholesky_run {
  const linalg_call *self;
  const char *in;
  char *out;
  mr_group *group;  // that works on one matrix; NULL: each is one core's
} cholesky_run;

// With fewer matrices than cores the cores share each of them.
static mr_group *inner_group(mr_group *group, int64_t batch) {
  return group && batch < (int64_t)mr_group_concurrency(group) ? group : NULL;
}

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

static bool factorise(const linalg_call *self, void *a, mr_group *group) {
  const mr_cholesky_desc *d = &self->cholesky;
  return (mr_small_fits(d->dtype, d->n) ? mr_small_cholesky(d->dtype, a, d->n, d->lower)
                                        : mr_factor_cholesky(&self->dense, group, a, d->n, d->n, d->lower)) == 0;
}

static void cholesky_entries(void *context, int64_t begin, int64_t end) {
  const cholesky_run *r = context;
  const mr_cholesky_desc *d = &r->self->cholesky;
  size_t unit = mr_dtype_bytes(d->dtype), bytes = (size_t)(d->n * d->n) * unit;
  for (int64_t i = begin; i < end; i++) {
    char *out = r->out + (size_t)i * bytes;
    copy_triangle(out, r->in + (size_t)i * bytes, d->n, d->lower, unit);
    if (!factorise(r->self, out, r->group)) {
      fill_nan(d->dtype, out, d->n * d->n);
    }
  }
}

static mr_status cholesky_run_call(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  (void)scratch;
  const linalg_call *self = (const linalg_call *)call;
  cholesky_run r = {self, buffers[0], buffers[1], inner_group(group, self->cholesky.batch)};
  if (self->cholesky.n > 0) {
    mr_parallel_for(group, self->cholesky.batch, cholesky_entries, &r, 1, call->cost_ns);
  }
  return MR_OK;
}

mr_status mr_cholesky_create(const mr_cholesky_desc *desc, mr_library_call **out_call) {
  *out_call = NULL;
  double flops = (double)desc->batch * (double)desc->n * (double)desc->n * ((double)desc->n / 3 + 4);
  linalg_call *self;
  MR_TRY(make_call("cholesky", desc->dtype, desc->n, 0, flops, cholesky_run_call, &self));
  self->cholesky = *desc;
  *out_call = &self->base;
  return MR_OK;
}

// ---- Triangular systems -------------------------------------------------------------------------------------------------

typedef struct solve_run {
  const linalg_call *self;
  const char *a;
  char *x;
  mr_group *group;  // that works on one system; NULL: each is one core's
} solve_run;

static void solve_entries(void *context, int64_t begin, int64_t end) {
  const solve_run *r = context;
  const mr_solve_desc *d = &r->self->solve;
  size_t unit = mr_dtype_bytes(d->dtype);
  for (int64_t i = begin; i < end; i++) {
    const char *a = r->a + (size_t)(i * d->n * d->n) * unit;
    char *x = r->x + (size_t)(i * d->n * d->rhs) * unit;
    if (mr_small_fits(d->dtype, d->n)) {
      mr_small_solve(d, a, x, d->rhs);
    } else {
      mr_triangle t = {a, d->n, d->n, d->left, d->lower, d->unit_diagonal, d->transpose};
      mr_factor_solve(&r->self->dense, r->group, &t, x, d->left ? d->rhs : d->n, d->rhs);
    }
  }
}

static mr_status solve_run_call(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  (void)scratch;
  const linalg_call *self = (const linalg_call *)call;
  const mr_solve_desc *d = &self->solve;
  solve_run r = {self, buffers[0], buffers[2], inner_group(group, d->batch)};
  if (d->batch * d->n * d->rhs == 0) {
    return MR_OK;
  }
  mr_copy_bytes(group, buffers[2], buffers[1], (size_t)(d->batch * d->n * d->rhs) * mr_dtype_bytes(d->dtype));
  mr_parallel_for(group, d->batch, solve_entries, &r, 1, call->cost_ns);
  return MR_OK;
}

mr_status mr_solve_create(const mr_solve_desc *desc, mr_library_call **out_call) {
  *out_call = NULL;
  double flops = (double)desc->batch * (double)desc->n * ((double)desc->n + 2) * (double)desc->rhs;
  linalg_call *self;
  MR_TRY(make_call("triangular_solve", desc->dtype, desc->n, desc->rhs, flops, solve_run_call, &self));
  self->solve = *desc;
  *out_call = &self->base;
  return MR_OK;
}
