// matmul_view: how a gemm sees the matrices of a product. Private to ops/library.
#ifndef MR_OPS_LIBRARY_MATMUL_VIEW_H
#define MR_OPS_LIBRARY_MATMUL_VIEW_H

#include "ops/library/library.h"

typedef struct mr_matrix_view {
  bool transposed;
  int64_t lead;  // leading dimension
} mr_matrix_view;

// Of a matrix of `rows` x `columns` with these strides, of which one is 1.
static inline mr_matrix_view mr_matrix_view_of(int64_t rows, int64_t columns, int64_t row_stride,
                                               int64_t column_stride) {
  if (column_stride == 1 || columns == 1) {
    // A single column with a stride is a row-major matrix whose rows are that far apart.
    return (mr_matrix_view){false, rows == 1 ? MR_MAX(columns, (int64_t)1) : MR_MAX(row_stride, columns)};
  }
  return (mr_matrix_view){true, columns == 1 ? MR_MAX(rows, (int64_t)1) : MR_MAX(column_stride, rows)};
}

static inline mr_matrix_view mr_matmul_view_a(const mr_matmul_desc *d) {
  return mr_matrix_view_of(d->m, d->k, d->a_stride[1], d->a_stride[2]);
}
static inline mr_matrix_view mr_matmul_view_b(const mr_matmul_desc *d) {
  return mr_matrix_view_of(d->k, d->n, d->b_stride[1], d->b_stride[2]);
}
static inline int64_t mr_matmul_lead_of_c(const mr_matmul_desc *d) {
  return d->m == 1 ? d->n : MR_MAX(d->c_stride[1], d->n);
}

#endif
