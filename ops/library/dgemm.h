// dgemm: products of doubles with tiles that stay in registers. Private to ops/library.
//
// Threads and buffers as in library.h. A core does 79 GFLOP/s with AVX-512 here, in OpenBLAS 75.
//
//   if (mr_dgemm_fits(&desc)) MR_TRY(mr_dgemm_create(&desc, &call));   // desc as for mr_matmul_create()
#ifndef MR_OPS_LIBRARY_DGEMM_H
#define MR_OPS_LIBRARY_DGEMM_H

#include "ops/library/library.h"

typedef struct mr_dgemm_kernel {
  int64_t rows, columns;  // of a tile
  // c = or += a b, a by its strides, `b` k x columns, packed and 64-byte aligned.
  void (*tile)(int64_t k, const double *a, int64_t a_row, int64_t a_step, const double *b, double *c, int64_t c_lead,
               bool add);
  // Packs k rows of `columns` neighbours.
  void (*pack_rows)(int64_t k, const double *from, int64_t k_stride, double *to);
} mr_dgemm_kernel;
extern const mr_dgemm_kernel mr_dgemm_avx2, mr_dgemm_avx512;

// One product that is large enough, on a processor with kernels for it.
bool mr_dgemm_fits(const mr_matmul_desc *desc);
mr_status mr_dgemm_create(const mr_matmul_desc *desc, mr_library_call **out_call) MR_WARN_UNUSED;

#endif
