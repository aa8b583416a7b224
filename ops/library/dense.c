// Products and triangular systems on row-major blocks.
#include "ops/library/dense.h"

#include <stdio.h>
#include <string.h>

#include "ops/library/triangle.h"
#include "ops/library/tuning.h"

// ---- Opening ----------------------------------------------------------------------------------------------------------

mr_status mr_blas_routine(mr_dtype dtype, const char *name, void *out_function) {
  char full[16], letter = dtype == MR_F32 ? 's' : dtype == MR_F64 ? 'd' : dtype == MR_C64 ? 'c' : 'z';
  void *function;
  snprintf(full, sizeof full, "%c%s_", letter, name);
  MR_TRY(mr_blas_symbol(full, &function));
  memcpy(out_function, &function, sizeof function);
  return MR_OK;
}

mr_status mr_products_open(mr_dtype dtype, mr_products *out_dense) {
  *out_dense =
      (mr_products){.dtype = dtype, .unit = mr_dtype_bytes(dtype), .real = mr_dtype_bytes(mr_dtype_real(dtype))};
  out_dense->triangle = mr_triangle_choose(dtype);
  if (dtype == MR_F32) {
    MR_TRY(mr_dnnl_open_gemm(MR_F32, &out_dense->dnnl));
  }
  MR_TRY(mr_blas_routine(dtype, "gemm", &out_dense->gemm));
  MR_TRY(mr_blas_routine(dtype, "trsm", &out_dense->trsm));
  MR_TRY(mr_blas_routine(dtype, mr_dtype_is_complex(dtype) ? "herk" : "syrk", &out_dense->herk));
  MR_TRY(mr_blas_routine(dtype, "potrf", &out_dense->potrf));
  return mr_blas_routine(dtype, "getrf", &out_dense->getrf);
}

// ---- Products ---------------------------------------------------------------------------------------------------------

static const char *letter_of(mr_transpose op) {
  return op == MR_TRANSPOSE_NONE ? "N" : op == MR_TRANSPOSE_PLAIN ? "T" : "C";
}

void mr_products_subtract(const mr_products *dense, int64_t m, int64_t n, int64_t k, mr_factor a, mr_factor b, void *c,
                          int64_t c_lead) {
  if (m == 0 || n == 0 || k == 0) {
    return;
  }
  if (dense->dnnl) {
    char ta = a.op == MR_TRANSPOSE_NONE ? 'N' : 'T', tb = b.op == MR_TRANSPOSE_NONE ? 'N' : 'T';
    dnnl_status_t status = dense->dnnl->sgemm(ta, tb, m, n, k, -1.0f, a.data, a.lead, b.data, b.lead, 1.0f, c, c_lead);
    if (status == dnnl_success) {
      return;
    }  // no memory for its copies; OpenBLAS has had its own since it was opened
  }
  static const double one_double[2] = {1, 0}, less_double[2] = {-1, 0};
  static const float one_float[2] = {1, 0}, less_float[2] = {-1, 0};
  bool wide = dense->real == sizeof(double);
  int rows = (int)n, columns = (int)m, depth = (int)k, lda = (int)a.lead, ldb = (int)b.lead, ldc = (int)c_lead;
  dense->gemm(letter_of(b.op), letter_of(a.op), &rows, &columns, &depth, wide ? (const void *)less_double : less_float,
              b.data, &ldb, a.data, &lda, wide ? (const void *)one_double : one_float, c, &ldc, 1, 1);
}

// ---- Triangular systems -----------------------------------------------------------------------------------------------

static void solve_leaf(const mr_products *dense, const mr_triangle *t, void *x, int64_t x_lead, int64_t rhs) {
  if (dense->triangle && rhs >= MR_SOLVE_MIN_RHS) {
    mr_triangle_solve(dense->triangle, t, x, x_lead, rhs);
    return;
  }
  static const double one_double[2] = {1, 0};
  static const float one_float[2] = {1, 0};
  const void *one = dense->real == sizeof(double) ? (const void *)one_double : one_float;
  int m = (int)(t->left ? rhs : t->n), n = (int)(t->left ? t->n : rhs), lda = (int)t->lead, ldb = (int)x_lead;
  dense->trsm(t->left ? "R" : "L", t->lower ? "U" : "L", letter_of(t->transpose), t->unit_diagonal ? "U" : "N", &m, &n,
              one, t->data, &lda, x, &ldb, 1, 1, 1, 1);
}

// The known part of x, times the block beside the diagonal, is taken from the other part.
static void eliminate(const mr_products *dense, const mr_triangle *t, const void *block, const void *known,
                      int64_t known_size, void *rest, int64_t rest_size, int64_t x_lead, int64_t rhs) {
  mr_factor beside = {block, t->lead, t->transpose}, x = {known, x_lead, MR_TRANSPOSE_NONE};
  if (t->left) {
    mr_products_subtract(dense, rest_size, rhs, known_size, beside, x, rest, x_lead);
  } else {
    mr_products_subtract(dense, rhs, rest_size, known_size, x, beside, rest, x_lead);
  }
}

// In halves: most of the work becomes products. A few right-hand sides are trsm's.
void mr_products_solve(const mr_products *dense, const mr_triangle *t, void *x, int64_t x_lead, int64_t rhs) {
  if (t->n <= MR_SOLVE_LEAF || rhs < MR_SOLVE_MIN_RHS) {
    if (rhs > 0 && t->n > 0) {
      solve_leaf(dense, t, x, x_lead, rhs);
    }
    return;
  }
  int64_t half = (t->n / 2 + MR_SOLVE_LEAF - 1) / MR_SOLVE_LEAF * MR_SOLVE_LEAF;
  mr_triangle first = *t, last = *t;
  first.n = half;
  last.n = t->n - half;
  last.data = mr_products_at(dense, t->data, t->lead, half, half);
  const void *block = mr_products_at(dense, t->data, t->lead, t->lower ? half : 0, t->lower ? 0 : half);
  void *behind = mr_products_at(dense, x, x_lead, t->left ? half : 0, t->left ? 0 : half);
  bool op_lower = t->lower == (t->transpose == MR_TRANSPOSE_NONE);
  if (op_lower == t->left) {  // the first unknowns depend on no others
    mr_products_solve(dense, &first, x, x_lead, rhs);
    eliminate(dense, t, block, x, first.n, behind, last.n, x_lead, rhs);
    mr_products_solve(dense, &last, behind, x_lead, rhs);
  } else {
    mr_products_solve(dense, &last, behind, x_lead, rhs);
    eliminate(dense, t, block, behind, last.n, x, first.n, x_lead, rhs);
    mr_products_solve(dense, &first, x, x_lead, rhs);
  }
}

// ---- Transposing --------------------------------------------------------------------------------------------------------

enum { COPY_BLOCK = 16 };

// In blocks that keep both sides in the cache; whole blocks have loops of known length.
#define TRANSPOSE(name, type)                                                                                       \
  static inline void block_##name(type *restrict to, int64_t to_lead, const type *restrict from, int64_t from_lead, \
                                  int64_t rows, int64_t columns) {                                                  \
    for (int64_t c = 0; c < columns; c++) {                                                                         \
      for (int64_t r = 0; r < rows; r++) {                                                                          \
        to[c * to_lead + r] = from[r * from_lead + c];                                                              \
      }                                                                                                             \
    }                                                                                                               \
  }                                                                                                                 \
  static void transpose_##name(type *restrict to, int64_t to_lead, const type *restrict from, int64_t from_lead,    \
                               int64_t rows, int64_t columns) {                                                     \
    for (int64_t r = 0; r < rows; r += COPY_BLOCK) {                                                                \
      for (int64_t c = 0; c < columns; c += COPY_BLOCK) {                                                           \
        type *there = to + c * to_lead + r;                                                                         \
        const type *here = from + r * from_lead + c;                                                                \
        if (rows - r >= COPY_BLOCK && columns - c >= COPY_BLOCK) {                                                  \
          block_##name(there, to_lead, here, from_lead, COPY_BLOCK, COPY_BLOCK);                                    \
        } else {                                                                                                    \
          block_##name(there, to_lead, here, from_lead, MR_MIN(rows - r, COPY_BLOCK),                               \
                       MR_MIN(columns - c, COPY_BLOCK));                                                            \
        }                                                                                                           \
      }                                                                                                             \
    }                                                                                                               \
  }
typedef struct wide {
  double part[2];
} wide;
TRANSPOSE(4, float)
TRANSPOSE(8, double)
TRANSPOSE(16, wide)

void mr_products_transpose(size_t unit, void *to, int64_t to_lead, const void *from, int64_t from_lead, int64_t rows,
                           int64_t columns) {
  if (unit == 4) {
    transpose_4(to, to_lead, from, from_lead, rows, columns);
  } else if (unit == 8) {
    transpose_8(to, to_lead, from, from_lead, rows, columns);
  } else {
    transpose_16(to, to_lead, from, from_lead, rows, columns);
  }
}
