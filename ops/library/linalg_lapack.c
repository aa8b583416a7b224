// LAPACK's routines on batches: every matrix is copied to column-major order, worked on and copied back. Cholesky and LU are
// ours and work in place.
//
// A call's scratch has one piece for each core that may work on it. The routines' own work space is asked for when the call
// is made, which is why every routine is written once and called twice: the first time it only says how much it needs.
#include <math.h>
#include <string.h>

#include "ops/library/cores.h"
#include "ops/library/factor.h"
#include "ops/library/small.h"
#include "ops/library/tuning.h"

enum { MAX_MATRICES = 4 };  // column-major copies that a routine needs at once

typedef struct lapack {
  mr_library_call base;
  mr_lapack_desc desc;
  size_t unit, real;       // bytes of an element and of its real part
  void (*function)(void);  // cast to its own type (lapack_abi.h); NULL: ours
  mr_products dense;       // POTRF, GETRF
  // Of one piece of scratch: the matrices, the work space, the real work space, the integer one.
  size_t matrix[MAX_MATRICES], work, rwork, iwork, piece_bytes;
  int lwork, lrwork, liwork;  // as the routines are told
  int64_t pieces;
} lapack;

// One matrix: its buffers, and where its copies are.
typedef struct entry {
  const lapack *self;
  void *const *buffers;
  char *scratch;
  mr_group *group;  // that works on one matrix; NULL: each is one core's
  int64_t index;
} entry;

// ---- Buffers and copies -----------------------------------------------------------------------------------------------

// This entry's part of a buffer whose entries have `count` elements of `unit` bytes.
static void *part(const entry *e, int buffer, int64_t count, size_t unit) {
  return (char *)e->buffers[buffer] + (size_t)(e->index * count) * unit;
}

static int *info_of(const entry *e, int buffer) { return (int *)e->buffers[buffer] + e->index; }

static void *matrix_of(const entry *e, int which) { return e->scratch + e->self->matrix[which]; }

// Row-major buffer to column-major scratch, and back.
static void *load(const entry *e, int buffer, int which, int64_t rows, int64_t columns) {
  void *to = matrix_of(e, which);
  size_t unit = e->self->unit;
  mr_products_transpose(unit, to, rows, part(e, buffer, rows * columns, unit), columns, rows, columns);
  return to;
}

static void store(const entry *e, int buffer, int which, int64_t rows, int64_t columns) {
  size_t unit = e->self->unit;
  mr_products_transpose(unit, part(e, buffer, rows * columns, unit), columns, matrix_of(e, which), rows, columns, rows);
}

// ---- Routines -----------------------------------------------------------------------------------------------------------

static int at_least_one(int64_t n) { return n > 1 ? (int)n : 1; }

// A copy of the first operand in the first result, for what works in place and row-major.
static void *bring(const entry *e, int result) {
  const mr_lapack_desc *d = &e->self->desc;
  size_t bytes = (size_t)(d->m * d->n) * e->self->unit;
  void *to = part(e, result, d->m * d->n, e->self->unit), *from = part(e, 0, d->m * d->n, e->self->unit);
  if (to != from) {
    mr_copy_bytes(e->group, to, from, bytes);
  }
  return to;
}

static void run_potrf(const entry *e) {
  const mr_lapack_desc *d = &e->self->desc;
  void *a = bring(e, 1);
  bool lower = d->uplo == 'L';
  *info_of(e, 2) = mr_small_fits(d->dtype, d->n) ? mr_small_cholesky(d->dtype, a, d->n, lower)
                                                 : mr_factor_cholesky(&e->self->dense, e->group, a, d->n, d->n, lower);
}

static void run_getrf(const entry *e) {
  const mr_lapack_desc *d = &e->self->desc;
  void *a = bring(e, 1);
  int *pivots = part(e, 2, MR_MIN(d->m, d->n), sizeof(int));
  *info_of(e, 3) = mr_small_fits(d->dtype, MR_MAX(d->m, d->n))
                       ? mr_small_lu(d->dtype, a, d->m, d->n, pivots)
                       : mr_factor_lu(&e->self->dense, e->group, a, d->m, d->n, pivots, e->scratch);
}

static void run_geqrf(const entry *e) {
  const lapack *self = e->self;
  const mr_lapack_desc *d = &self->desc;
  int m = (int)d->m, n = (int)d->n, lda = at_least_one(m), info = 0;
  void *a = load(e, 0, 0, m, n);
  ((lapack_geqrf)self->function)(&m, &n, a, &lda, part(e, 2, MR_MIN(m, n), self->unit), e->scratch + self->work,
                                 &self->lwork, &info);
  store(e, 1, 0, m, n);
}

static void run_orgqr(const entry *e) {
  const lapack *self = e->self;
  const mr_lapack_desc *d = &self->desc;
  int m = (int)d->m, n = (int)d->n, k = (int)d->k, lda = at_least_one(m), info = 0;
  void *a = load(e, 0, 0, m, n);
  ((lapack_orgqr)self->function)(&m, &n, &k, a, &lda, part(e, 1, k, self->unit), e->scratch + self->work, &self->lwork,
                                 &info);
  store(e, 2, 0, m, n);
}

static void call_syevd(const lapack *self, void *a, void *values, void *work, int lwork, void *rwork, int lrwork,
                       int *iwork, int liwork, int *info) {
  const mr_lapack_desc *d = &self->desc;
  int n = (int)d->n, lda = at_least_one(n);
  if (self->unit == self->real) {
    ((lapack_syevd)self->function)(&d->mode, &d->uplo, &n, a, &lda, values, work, &lwork, iwork, &liwork, info, 1, 1);
  } else {
    ((lapack_heevd)self->function)(&d->mode, &d->uplo, &n, a, &lda, values, work, &lwork, rwork, &lrwork, iwork,
                                   &liwork, info, 1, 1);
  }
}

static void run_syevd(const entry *e) {
  const lapack *self = e->self;
  int64_t n = self->desc.n;
  void *a = load(e, 0, 0, n, n);
  call_syevd(self, a, part(e, 2, n, self->real), e->scratch + self->work, self->lwork, e->scratch + self->rwork,
             self->lrwork, (int *)(void *)(e->scratch + self->iwork), self->liwork, info_of(e, 3));
  store(e, 1, 0, n, n);
}

static int64_t columns_of_u(const mr_lapack_desc *d) { return d->mode == 'S' ? MR_MIN(d->m, d->n) : d->m; }
static int64_t rows_of_vt(const mr_lapack_desc *d) { return d->mode == 'S' ? MR_MIN(d->m, d->n) : d->n; }

static void call_gesdd(const lapack *self, void *a, void *s, void *u, void *vt, void *work, int lwork, void *rwork,
                       int *iwork, int *info) {
  const mr_lapack_desc *d = &self->desc;
  int m = (int)d->m, n = (int)d->n, lda = at_least_one(m), ldu = at_least_one(m), ldvt = at_least_one(rows_of_vt(d));
  if (self->unit == self->real) {
    ((lapack_gesdd)self->function)(&d->mode, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, work, &lwork, iwork, info, 1);
  } else {
    ((lapack_gesdd_complex)self->function)(&d->mode, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, work, &lwork, rwork, iwork,
                                           info, 1);
  }
}

static void run_gesdd(const entry *e) {
  const lapack *self = e->self;
  const mr_lapack_desc *d = &self->desc;
  int64_t least = MR_MIN(d->m, d->n), uc = columns_of_u(d), vr = rows_of_vt(d);
  void *a = load(e, 0, 0, d->m, d->n);
  call_gesdd(self, a, part(e, 2, least, self->real), matrix_of(e, 1), matrix_of(e, 2), e->scratch + self->work,
             self->lwork, e->scratch + self->rwork, (int *)(void *)(e->scratch + self->iwork), info_of(e, 5));
  store(e, 1, 0, d->m, d->n);
  if (d->mode == 'N') {  // nobody looks; it should not be what was there before
    memset(part(e, 3, d->m * uc, self->unit), 0, (size_t)(d->m * uc) * self->unit);
    memset(part(e, 4, vr * d->n, self->unit), 0, (size_t)(vr * d->n) * self->unit);
    return;
  }
  store(e, 3, 1, d->m, uc);
  store(e, 4, 2, vr, d->n);
}

static void call_geev(const lapack *self, void *a, void *wr, void *wi, void *vl, void *vr, void *work, int lwork,
                      void *rwork, int *info) {
  const mr_lapack_desc *d = &self->desc;
  int n = (int)d->n, ld = at_least_one(n);
  if (self->unit == self->real) {
    ((lapack_geev)self->function)(&d->left, &d->right, &n, a, &ld, wr, wi, vl, &ld, vr, &ld, work, &lwork, info, 1, 1);
  } else {
    ((lapack_geev_complex)self->function)(&d->left, &d->right, &n, a, &ld, wr, vl, &ld, vr, &ld, work, &lwork, rwork,
                                          info, 1, 1);
  }
}

// LAPACK packs a pair of conjugate vectors as a column of real and one of imaginary parts. `out` is row-major and complex.
#define UNPACK(REAL)                                                                            \
  static void unpack_##REAL(REAL *out, const REAL *columns, const REAL *imaginary, int64_t n) { \
    for (int64_t j = 0; j < n; j++) {                                                           \
      bool pair = imaginary[j] != 0 && j + 1 < n;                                               \
      const REAL *re = columns + j * n, *im = re + n;                                           \
      for (int64_t i = 0; i < n; i++) {                                                         \
        out[2 * (i * n + j)] = re[i];                                                           \
        out[2 * (i * n + j) + 1] = pair ? im[i] : 0;                                            \
        if (pair) {                                                                             \
          out[2 * (i * n + j + 1)] = re[i];                                                     \
          out[2 * (i * n + j + 1) + 1] = -im[i];                                                \
        }                                                                                       \
      }                                                                                         \
      j += pair;                                                                                \
    }                                                                                           \
  }
UNPACK(float)
UNPACK(double)

static void store_vectors(const entry *e, int buffer, int which, bool computed, const void *imaginary) {
  const lapack *self = e->self;
  int64_t n = self->desc.n;
  void *out = part(e, buffer, n * n, 2 * self->real);
  if (!computed) {
    memset(out, 0, (size_t)(n * n) * 2 * self->real);
  } else if (self->unit != self->real) {
    store(e, buffer, which, n, n);
  } else if (self->real == 8) {
    unpack_double(out, matrix_of(e, which), imaginary, n);
  } else {
    unpack_float(out, matrix_of(e, which), imaginary, n);
  }
}

static void run_geev(const entry *e) {
  const lapack *self = e->self;
  const mr_lapack_desc *d = &self->desc;
  bool real = self->unit == self->real;
  int64_t n = d->n;
  int at = real ? 3 : 2;  // of the left vectors
  void *wr = part(e, 1, n, self->unit), *wi = real ? part(e, 2, n, self->unit) : NULL;
  int *info = info_of(e, at + 2);
  call_geev(self, load(e, 0, 0, n, n), wr, wi, matrix_of(e, 1), matrix_of(e, 2), e->scratch + self->work, self->lwork,
            e->scratch + self->rwork, info);
  // After a failure the vectors mean nothing, and neither do the imaginary parts that say which ones are pairs.
  store_vectors(e, at, 1, d->left == 'V' && *info == 0, wi);
  store_vectors(e, at + 1, 2, d->right == 'V' && *info == 0, wi);
}

// ---- Work space -----------------------------------------------------------------------------------------------------------

// The elements of a routine's largest work array, as LAPACK's manual has it. Where it is wider than an int the routine
// counts beyond what it can, in silence.
static int64_t least_work(const mr_lapack_desc *d) {
  int64_t least = MR_MIN(d->m, d->n), most = MR_MAX(d->m, d->n);
  switch (d->routine) {
  case MR_LAPACK_SYEVD: return d->mode == 'N' ? 5 * d->n : (2 * d->n + 6) * d->n + 1;
  case MR_LAPACK_GESDD:
    // Values alone are little; much longer than wide it is first made square.
    return d->mode == 'N'      ? 8 * least + most
           : most >= 2 * least ? least * (5 * least + 7) + most
                               : least * MR_MAX(5 * least + 7, 2 * most + 2 * least + 1);
  default: return 0;
  }
}

static int number(double wanted) { return wanted > 1 ? (int)MR_MIN(wanted, (double)INT32_MAX) : 1; }

static int first_number(const lapack *self, const void *work) {
  return number(self->real == 8 ? *(const double *)work : (double)*(const float *)work);
}

// Asks a routine how much work space it wants.
static void ask_sizes(lapack *self) {
  const mr_lapack_desc *d = &self->desc;
  double work[2] = {1, 0}, rwork[2] = {1, 0}, dummy[2] = {0};
  int iwork[8] = {1}, info = 0, ask = -1, m = (int)d->m, n = (int)d->n, k = (int)d->k, lda = at_least_one(m);
  int64_t least = MR_MIN(m, n);
  switch (d->routine) {
  case MR_LAPACK_GEQRF: ((lapack_geqrf)self->function)(&m, &n, dummy, &lda, dummy, work, &ask, &info); break;
  case MR_LAPACK_ORGQR: ((lapack_orgqr)self->function)(&m, &n, &k, dummy, &lda, dummy, work, &ask, &info); break;
  case MR_LAPACK_SYEVD:
    call_syevd(self, dummy, dummy, work, -1, rwork, -1, iwork, -1, &info);
    self->lrwork = first_number(self, rwork);
    self->liwork = MR_MAX(1, iwork[0]);
    break;
  case MR_LAPACK_GESDD:
    call_gesdd(self, dummy, dummy, dummy, dummy, work, -1, rwork, iwork, &info);
    self->liwork = number(8 * (double)least);
    self->lrwork = number((double)least_work(d));
    break;
  case MR_LAPACK_GEEV:
    call_geev(self, dummy, dummy, dummy, dummy, dummy, work, -1, rwork, &info);
    self->lrwork = MR_MAX(1, 2 * n);
    break;
  default: return;
  }
  self->lwork = first_number(self, work);
}

static size_t place(lapack *self, int64_t count, size_t unit) {
  size_t at = self->piece_bytes;
  self->piece_bytes += ((size_t)MR_MAX(count, 1) * unit + 63) & ~(size_t)63;
  return at;
}

static void place_all(lapack *self) {
  const mr_lapack_desc *d = &self->desc;
  int64_t a = d->m * d->n;
  if (d->routine == MR_LAPACK_GETRF) {
    place(self, (int64_t)mr_factor_lu_scratch(&self->dense, d->m, d->n), 1);
    return;
  }
  if (d->routine == MR_LAPACK_POTRF) {
    return;
  }
  self->matrix[0] = place(self, a, self->unit);
  if (d->routine == MR_LAPACK_GESDD && d->mode != 'N') {
    self->matrix[1] = place(self, d->m * columns_of_u(d), self->unit);
    self->matrix[2] = place(self, rows_of_vt(d) * d->n, self->unit);
  } else if (d->routine == MR_LAPACK_GEEV) {
    self->matrix[1] = place(self, d->left == 'V' ? a : 1, self->unit);
    self->matrix[2] = place(self, d->right == 'V' ? a : 1, self->unit);
  }
  self->work = place(self, self->lwork, self->unit);
  self->rwork = place(self, self->lrwork, self->real);
  self->iwork = place(self, self->liwork, sizeof(int));
}

// ---- The call ---------------------------------------------------------------------------------------------------------------

// Work, times m * n * min(m, n), roughly; for values alone where they can be had without vectors.
static const struct routine {
  const char *name, *complex_name;  // NULL: ours
  void (*run)(const entry *e);
  double flops, values_flops;
} routines[MR_LAPACK_COUNT] = {
    [MR_LAPACK_POTRF] = {"potrf", NULL, run_potrf, 0.4, 0.4},
    [MR_LAPACK_GETRF] = {"getrf", NULL, run_getrf, 0.7, 0.7},
    [MR_LAPACK_GEQRF] = {"geqrf", "geqrf", run_geqrf, 2, 2},
    [MR_LAPACK_ORGQR] = {"orgqr", "ungqr", run_orgqr, 2, 2},
    [MR_LAPACK_TRSM] = {"trsm", NULL, NULL, 1, 1},
    [MR_LAPACK_SYEVD] = {"syevd", "heevd", run_syevd, 9, 3},
    [MR_LAPACK_GESDD] = {"gesdd", "gesdd", run_gesdd, 20, 4.5},
    [MR_LAPACK_GEEV] = {"geev", "geev", run_geev, 40, 17},
};

// What one matrix takes, of which the work is counted by the table.
static double matrix_ns(const lapack *self, double work) {
  const mr_lapack_desc *d = &self->desc;
  double half = mr_dtype_real(d->dtype) == MR_F64 ? 2 : 1;
  double m = (double)d->m, n = (double)d->n;
  if (!routines[d->routine].complex_name) {
    double fixed = mr_small_fits(d->dtype, MR_MAX(d->m, d->n)) ? MR_FACTOR_SMALL_NS : MR_FACTOR_MATRIX_NS;
    return fixed + m * n * MR_FACTOR_ELEMENT_NS + work * half / MR_FACTOR_PER_NS;
  }
  double rate = MR_MIN(MR_MAX(sqrt(m * n) / MR_LAPACK_ROWS_PER_NS, 1), MR_LAPACK_MOST_PER_NS / half);
  return MR_LAPACK_MATRIX_NS + work / rate;
}

static bool wants_vectors(const mr_lapack_desc *d) {
  return d->routine == MR_LAPACK_GEEV ? d->left == 'V' || d->right == 'V' : d->mode != 'N';
}

typedef struct lapack_run {
  const lapack *self;
  void *const *buffers;
  char *scratch;
  mr_group *group;  // as an entry's
} lapack_run;

// Pieces [begin, end) use the memory of the first.
static void run_pieces(void *context, int64_t begin, int64_t end) {
  const lapack_run *r = context;
  const lapack *self = r->self;
  entry e = {.self = self,
             .buffers = r->buffers,
             .scratch = r->scratch ? r->scratch + (size_t)begin * self->piece_bytes : NULL,  // some need none
             .group = r->group};
  for (e.index = begin * self->desc.batch / self->pieces; e.index < end * self->desc.batch / self->pieces; e.index++) {
    routines[self->desc.routine].run(&e);
  }
}

static mr_status lapack_run_call(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  bool few = group && ((const lapack *)call)->desc.batch < (int64_t)mr_group_concurrency(group);
  lapack_run r = {(const lapack *)call, buffers, scratch, few ? group : NULL};
  if (r.self->desc.batch > 0) {
    mr_parallel_for(group, r.self->pieces, run_pieces, &r, 1, call->cost_ns);
  }
  return MR_OK;
}

static void destroy(mr_library_call *call) { mr_free(call); }

static mr_status open_routine(lapack *self) {
  const struct routine *routine = &routines[self->desc.routine];
  if (!routine->complex_name) {
    return mr_products_open(self->desc.dtype, &self->dense);
  }
  return mr_blas_routine(self->desc.dtype, self->unit == self->real ? routine->name : routine->complex_name,
                         &self->function);
}

bool mr_linalg_has_lapack(mr_dtype dtype) {
  void *symbol;
  mr_status status = mr_linalg_has_type(dtype) ? mr_blas_symbol("sgeqrf_", &symbol) : MR_OK;
  bool here = mr_linalg_has_type(dtype) && !status;
  mr_status_free(status);
  return here;
}

// TRSM is the solver that triangular_solve has.
static mr_status create_solve(const mr_lapack_desc *d, mr_library_call **out_call) {
  bool left = d->side == 'L';
  mr_solve_desc solve = {.dtype = d->dtype,
                         .batch = d->batch,
                         .n = left ? d->m : d->n,
                         .rhs = left ? d->n : d->m,
                         .left = left,
                         .lower = d->uplo == 'L',
                         .unit_diagonal = d->diag == 'U',
                         .transpose = d->trans == 'N'   ? MR_TRANSPOSE_NONE
                                      : d->trans == 'T' ? MR_TRANSPOSE_PLAIN
                                                        : MR_TRANSPOSE_ADJOINT};
  return mr_solve_create(&solve, out_call);
}

mr_status mr_lapack_create(const mr_lapack_desc *desc, mr_library_call **out_call) {
  *out_call = NULL;
  if (!mr_linalg_has_type(desc->dtype) || desc->m > 1 << 20 || desc->n > 1 << 20 || desc->k > 1 << 20 ||
      least_work(desc) > INT32_MAX) {
    return mr_error(MR_UNIMPLEMENTED, "%s on %lld x %lld %s", routines[desc->routine].name, (long long)desc->m,
                    (long long)desc->n, mr_dtype_name(desc->dtype));
  }
  if (desc->routine == MR_LAPACK_TRSM) {
    return create_solve(desc, out_call);
  }
  lapack *self = mr_alloc_zeroed(1, sizeof *self);
  if (!self) {
    return MR_NO_MEMORY();
  }
  self->desc = *desc;
  self->unit = mr_dtype_bytes(desc->dtype);
  self->real = mr_dtype_bytes(mr_dtype_real(desc->dtype));
  mr_status status = open_routine(self);
  if (status) {
    mr_free(self);
    return status;
  }
  ask_sizes(self);
  place_all(self);
  double m = (double)desc->m, n = (double)desc->n;
  const struct routine *routine = &routines[desc->routine];
  double work = (wants_vectors(desc) ? routine->flops : routine->values_flops) * m * n * MR_MIN(m, n) *
                (self->unit == self->real ? 1 : 4);
  double batch = (double)desc->batch;
  self->pieces = MR_MAX(1, MR_MIN(desc->batch, mr_cores()));
  self->base = (mr_library_call){.run = lapack_run_call,
                                 .foreign = true,
                                 .destroy = destroy,
                                 .name = routine->name,
                                 .scratch_bytes = (size_t)self->pieces * self->piece_bytes,
                                 .flops = (uint64_t)(batch * work),
                                 .cost_ns = (uint64_t)(batch * matrix_ns(self, work))};
  *out_call = &self->base;
  return MR_OK;
}
