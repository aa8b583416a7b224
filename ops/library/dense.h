// dense: what blocked factorisations are made of: products and triangular systems on row-major blocks. Private to
// ops/library.
//
// Threads: everything runs on the calling thread, between mr_single_threaded_begin() and its end. An mr_products is immutable.
// What is row-major here is the transposed matrix to BLAS, which is column-major. Nothing is copied for that: the other
// triangle, the other side or the other order of factors is named instead.
//
//   MR_TRY(mr_products_open(MR_F64, &dense));
//   mr_triangle l = {.data = a, .lead = 100, .n = 40, .left = true, .lower = true, .transpose = MR_TRANSPOSE_NONE};
//   mr_products_solve(&dense, &l, b, 7, 7);   // l x = b in place; b is 40 x 7
#ifndef MR_OPS_LIBRARY_DENSE_H
#define MR_OPS_LIBRARY_DENSE_H

#include "ops/library/dnnl.h"
#include "ops/library/lapack_abi.h"
#include "ops/library/linalg.h"

typedef struct mr_triangle_kernel mr_triangle_kernel;  // triangle.h

typedef struct mr_products {
  mr_dtype dtype;
  size_t unit, real;                   // bytes of an element and of its real part
  const mr_dnnl_table *dnnl;           // f32 alone
  const mr_triangle_kernel *triangle;  // NULL: trsm
  blas_gemm gemm;
  blas_trsm trsm;
  blas_herk herk;
  lapack_potrf potrf;
  lapack_getrf getrf;
} mr_products;
mr_status mr_products_open(mr_dtype dtype, mr_products *out_dense) MR_WARN_UNUSED;

// BLAS's or LAPACK's routine for the type: "trsm" is strsm_ for f32. `out_function` is the address of a function pointer.
mr_status mr_blas_routine(mr_dtype dtype, const char *name, void *out_function) MR_WARN_UNUSED;

// A block of a matrix whose rows are `lead` elements apart, transposed as `op` says.
typedef struct mr_factor {
  const void *data;
  int64_t lead;
  mr_transpose op;
} mr_factor;
// c -= a b, where c is m x n and k is what is summed over.
void mr_products_subtract(const mr_products *dense, int64_t m, int64_t n, int64_t k, mr_factor a, mr_factor b, void *c,
                          int64_t c_lead);

// op(t) x = b, or x op(t) = b when not `left`.
typedef struct mr_triangle {
  const void *data;
  int64_t lead, n;
  bool left, lower, unit_diagonal;
  mr_transpose transpose;
} mr_triangle;
// In place; `x` is n x rhs, or rhs x n when not left.
void mr_products_solve(const mr_products *dense, const mr_triangle *t, void *x, int64_t x_lead, int64_t rhs);

// to[c][r] = from[r][c]; elements of `unit` bytes.
void mr_products_transpose(size_t unit, void *to, int64_t to_lead, const void *from, int64_t from_lead, int64_t rows,
                           int64_t columns);

// The element at a row and column.
static inline void *mr_products_at(const mr_products *dense, const void *a, int64_t lead, int64_t row, int64_t column) {
  return (char *)(uintptr_t)a + (size_t)(row * lead + column) * dense->unit;
}

#endif
