// Blocked factorisations by halves: the first half's columns, the rest brought up to date with products, the second half.
// Products and right-hand sides are cut for the cores; only the blocks on the diagonal are one core's.
#include "ops/library/factor.h"

#include <string.h>

#include "ops/library/pieces.h"
#include "ops/library/tuning.h"

static uint64_t price(const mr_products *dense, double multiplies) {
  double per_ns = dense->real == sizeof(double) ? MR_F64_FLOPS_PER_NS : MR_F32_FLOPS_PER_NS;
  return (uint64_t)((mr_dtype_is_complex(dense->dtype) ? 8 : 2) * multiplies / per_ns);
}

enum { MOST_PIECES = 8 };

static int64_t round_up(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

// How many of `count` one piece takes. By the shape alone (pieces.h).
static int64_t piece_for(int64_t count, uint64_t cost_ns) {
  int64_t pieces = MR_MIN(mr_product_pieces(cost_ns, MR_FACTOR_CUT_NS, false), (int64_t)MOST_PIECES);
  return MR_MAX(round_up((count + pieces - 1) / pieces, 16), MR_FACTOR_MIN_PIECE);
}

// ---- Triangular systems -----------------------------------------------------------------------------------------------

typedef struct solve_job {
  const mr_products *dense;
  const mr_triangle *t;
  void *x;
  int64_t x_lead, rhs, piece;
} solve_job;

static void solve_pieces(void *context, int64_t begin, int64_t end) {
  const solve_job *j = context;
  int before = mr_single_threaded_begin();
  for (int64_t i = begin; i < end; i++) {
    int64_t from = i * j->piece;
    void *x = mr_products_at(j->dense, j->x, j->x_lead, j->t->left ? 0 : from, j->t->left ? from : 0);
    mr_products_solve(j->dense, j->t, x, j->x_lead, MR_MIN(j->piece, j->rhs - from));
  }
  mr_single_threaded_end(before);
}

void mr_factor_solve(const mr_products *dense, mr_group *group, const mr_triangle *t, void *x, int64_t x_lead,
                     int64_t rhs) {
  uint64_t cost_ns = price(dense, (double)t->n * (double)t->n * (double)rhs / 2);
  solve_job j = {dense, t, x, x_lead, rhs, piece_for(rhs, cost_ns)};
  mr_parallel_for(group, (rhs + j.piece - 1) / j.piece, solve_pieces, &j, 1, cost_ns);
}

// ---- Cholesky ---------------------------------------------------------------------------------------------------------

// What is left of the triangle, less a panel times itself, in strips of rows (lower) or columns (upper).
typedef struct update_job {
  const mr_products *dense;
  void *a;
  const void *panel;
  int64_t lead, n, depth, strip, strips;
  bool lower;
} update_job;

// The block on the diagonal: its own triangle only.
static void update_diagonal(const update_job *j, const void *panel, int64_t from, int64_t size) {
  static const double one_double = 1, less_double = -1;
  static const float one_float = 1, less_float = -1;
  bool wide = j->dense->real == sizeof(double);
  int n = (int)size, k = (int)j->depth, lead = (int)j->lead;
  j->dense->herk(j->lower ? "U" : "L", j->lower ? "C" : "N", &n, &k, wide ? (const void *)&less_double : &less_float,
                 panel, &lead, wide ? (const void *)&one_double : &one_float,
                 mr_products_at(j->dense, j->a, j->lead, from, from), &lead, 1, 1);
}

static void update_strip(const update_job *j, int64_t index) {
  int64_t from = index * j->strip, size = MR_MIN(j->strip, j->n - from);
  if (j->lower) {
    const void *mine = mr_products_at(j->dense, j->panel, j->lead, from, 0);
    mr_products_subtract(j->dense, size, from, j->depth, (mr_factor){mine, j->lead, MR_TRANSPOSE_NONE},
                         (mr_factor){j->panel, j->lead, MR_TRANSPOSE_ADJOINT},
                         mr_products_at(j->dense, j->a, j->lead, from, 0), j->lead);
    update_diagonal(j, mine, from, size);
  } else {
    const void *mine = mr_products_at(j->dense, j->panel, j->lead, 0, from);
    mr_products_subtract(j->dense, from, size, j->depth, (mr_factor){j->panel, j->lead, MR_TRANSPOSE_ADJOINT},
                         (mr_factor){mine, j->lead, MR_TRANSPOSE_NONE},
                         mr_products_at(j->dense, j->a, j->lead, 0, from), j->lead);
    update_diagonal(j, mine, from, size);
  }
}

// Short and long strips in turn, so that neighbouring pieces are alike.
static void update_strips(void *context, int64_t begin, int64_t end) {
  const update_job *j = context;
  int before = mr_single_threaded_begin();
  for (int64_t i = begin; i < end; i++) {
    update_strip(j, i % 2 ? j->strips - 1 - i / 2 : i / 2);
  }
  mr_single_threaded_end(before);
}

static void update_triangle(const mr_products *dense, mr_group *group, update_job j) {
  j.strip = MR_MAX(round_up(j.n, MR_FACTOR_STRIPS) / MR_FACTOR_STRIPS, MR_FACTOR_MIN_PIECE);
  j.strips = (j.n + j.strip - 1) / j.strip;
  mr_parallel_for(group, j.strips, update_strips, &j, 1, price(dense, (double)j.n * (double)j.n * (double)j.depth / 2));
}

int mr_factor_cholesky(const mr_products *dense, mr_group *group, void *a, int64_t lead, int64_t n, bool lower) {
  if (n <= MR_CHOLESKY_LEAF) {
    // The row-major lower triangle L of A = L L^H is the upper U of conj(A) = U^H U to LAPACK.
    int size = (int)n, lda = (int)MR_MAX(lead, 1), info = 0;
    dense->potrf(lower ? "U" : "L", &size, a, &lda, &info, 1);
    return info;
  }
  int64_t half = round_up(n / 2, MR_CHOLESKY_LEAF), rest = n - half;
  int info = mr_factor_cholesky(dense, group, a, lead, half, lower);
  if (info) {
    return info;
  }
  void *panel = mr_products_at(dense, a, lead, lower ? half : 0, lower ? 0 : half);
  void *corner = mr_products_at(dense, a, lead, half, half);
  mr_triangle t = {a, lead, half, !lower, lower, false, MR_TRANSPOSE_ADJOINT};
  mr_factor_solve(dense, group, &t, panel, lead, rest);
  update_triangle(
      dense, group,
      (update_job){
          .dense = dense, .a = corner, .panel = panel, .lead = lead, .n = rest, .depth = half, .lower = lower});
  info = mr_factor_cholesky(dense, group, corner, lead, rest, lower);
  return info ? info + (int)half : 0;
}

// ---- LU ---------------------------------------------------------------------------------------------------------------

typedef struct lu {
  const mr_products *dense;
  mr_group *group;
  void *a;
  int64_t m, n;  // rows are n apart
  int *pivots;
  void *scratch;
  int info;
} lu;

static void *lu_at(const lu *f, int64_t row, int64_t column) {
  return mr_products_at(f->dense, f->a, f->n, row, column);
}

static void exchange(const lu *f, int64_t first, int64_t count, int64_t column, int64_t columns) {
  char kept[1024];
  size_t bytes = (size_t)columns * f->dense->unit;
  for (int64_t i = first; i < first + count; i++) {
    char *x = lu_at(f, i, column), *y = lu_at(f, f->pivots[i] - 1, column);
    for (size_t at = 0; x != y && at < bytes; at += sizeof kept) {
      size_t size = MR_MIN(bytes - at, sizeof kept);
      memcpy(kept, x + at, size);
      memcpy(x + at, y + at, size);
      memcpy(y + at, kept, size);
    }
  }
}

// Columns that the exchanges of rows [first, first + count) reach, and when `eliminates` the elimination too.
typedef struct columns_job {
  const lu *f;
  int64_t first, count, column, columns, piece;
  bool eliminates;
} columns_job;

static void column_piece(const columns_job *j, int64_t index) {
  const lu *f = j->f;
  int64_t from = j->column + index * j->piece, size = MR_MIN(j->piece, j->columns - index * j->piece);
  exchange(f, j->first, j->count, from, size);
  if (!j->eliminates) {
    return;
  }
  int64_t below = j->first + j->count;
  mr_triangle t = {lu_at(f, j->first, j->first), f->n, j->count, true, true, true, MR_TRANSPOSE_NONE};
  void *x = lu_at(f, j->first, from);
  mr_products_solve(f->dense, &t, x, f->n, size);
  mr_products_subtract(f->dense, f->m - below, size, j->count,
                       (mr_factor){lu_at(f, below, j->first), f->n, MR_TRANSPOSE_NONE},
                       (mr_factor){x, f->n, MR_TRANSPOSE_NONE}, lu_at(f, below, from), f->n);
}

static void column_pieces(void *context, int64_t begin, int64_t end) {
  int before = mr_single_threaded_begin();
  for (int64_t i = begin; i < end; i++) {
    column_piece(context, i);
  }
  mr_single_threaded_end(before);
}

static void spread_columns(columns_job j) {
  const lu *f = j.f;
  double rows = (double)(f->m - j.first), count = (double)j.count, columns = (double)j.columns;
  // Exchanging costs about as much as eight multiplications for each element.
  uint64_t cost = price(f->dense, columns * count * (j.eliminates ? rows - count / 2 : 8));
  j.piece = piece_for(j.columns, cost);
  mr_parallel_for(f->group, (j.columns + j.piece - 1) / j.piece, column_pieces, &j, 1, cost);
}

// A few columns as one panel, which LAPACK wants column by column.
static void factor_panel(lu *f, int64_t first, int64_t count) {
  int64_t rows = f->m - first;
  void *panel = lu_at(f, first, first);
  int m = (int)rows, n = (int)count, info = 0, *pivots = f->pivots + first;
  mr_products_transpose(f->dense->unit, f->scratch, rows, panel, f->n, rows, count);
  f->dense->getrf(&m, &n, f->scratch, &m, pivots, &info);
  mr_products_transpose(f->dense->unit, panel, f->n, f->scratch, rows, count, rows);
  for (int64_t i = 0; i < MR_MIN(rows, count); i++) {
    pivots[i] += (int)first;
  }
  if (info > 0 && !f->info) {
    f->info = info + (int)first;
  }
}

// Columns [first, first + count), rows from `first` on.
static void factor_columns(lu *f, int64_t first, int64_t count, int64_t leaf) {
  if (count <= leaf) {
    factor_panel(f, first, count);
    return;
  }
  int64_t half = round_up(count / 2, leaf), rest = count - half;
  factor_columns(f, first, half, leaf);
  spread_columns((columns_job){
      .f = f, .first = first, .count = half, .column = first + half, .columns = rest, .eliminates = true});
  factor_columns(f, first + half, rest, leaf);
  spread_columns((columns_job){.f = f, .first = first + half, .count = rest, .column = first, .columns = half});
}

// Matrices of a few panels are one: cutting them costs more than it gives.
static int64_t lu_leaf(int64_t m, int64_t n) {
  int64_t least = MR_MIN(m, n);
  return least <= MR_LU_WHOLE ? MR_MAX(least, 1) : MR_LU_LEAF;
}

size_t mr_factor_lu_scratch(const mr_products *dense, int64_t m, int64_t n) {
  return (size_t)(m * lu_leaf(m, n)) * dense->unit;
}

int mr_factor_lu(const mr_products *dense, mr_group *group, void *a, int64_t m, int64_t n, int *pivots, void *scratch) {
  lu f = {.dense = dense, .group = group, .a = a, .m = m, .n = n, .pivots = pivots, .scratch = scratch};
  int64_t least = MR_MIN(m, n);
  if (least > 0) {
    factor_columns(&f, 0, least, lu_leaf(m, n));
  }
  if (least > 0 && n > least) {
    spread_columns(
        (columns_job){.f = &f, .first = 0, .count = least, .column = least, .columns = n - least, .eliminates = true});
  }
  return f.info;
}
