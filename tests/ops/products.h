// Descriptors of matrix products for tests.
#ifndef MR_TESTS_OPS_PRODUCTS_H
#define MR_TESTS_OPS_PRODUCTS_H

#include "ops/library/library.h"

// `sizes`: batch, m, n, k. Operands lie by rows one behind the other, or by columns where they are transposed; the result by rows.
static inline mr_matmul_desc describe_product(mr_dtype in, mr_dtype out, const int64_t sizes[4], bool a_by_columns,
                                              bool b_by_columns) {
  int64_t m = sizes[1], n = sizes[2], k = sizes[3];
  return (mr_matmul_desc){.a = in,
                          .b = in,
                          .c = out,
                          .batch = sizes[0],
                          .m = m,
                          .n = n,
                          .k = k,
                          .a_stride = {m * k, a_by_columns ? 1 : k, a_by_columns ? m : 1},
                          .b_stride = {k * n, b_by_columns ? 1 : n, b_by_columns ? k : 1},
                          .c_stride = {m * n, n, 1}};
}

// Of one matrix of f32 with another.
static inline mr_matmul_desc describe_f32(int64_t m, int64_t n, int64_t k, bool a_by_columns, bool b_by_columns) {
  return describe_product(MR_F32, MR_F32, (int64_t[]){1, m, n, k}, a_by_columns, b_by_columns);
}

#endif
