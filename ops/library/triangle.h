// triangle: triangular systems of up to MR_SOLVE_LEAF real unknowns, many right-hand sides at once in vector registers.
// Private to ops/library.
//
// Threads: any. OpenBLAS's strsm does 14 to 28 GFLOP/s on such (one core with AVX-512), these about 100.
//
//   const mr_triangle_kernel *kernel = mr_triangle_choose(MR_F32);
//   if (kernel) mr_triangle_solve(kernel, &t, x, x_lead, rhs);   // t as in dense.h
#ifndef MR_OPS_LIBRARY_TRIANGLE_H
#define MR_OPS_LIBRARY_TRIANGLE_H

#include "ops/library/dense.h"

struct mr_triangle_kernel {
  int64_t columns;  // of x, which is n rows of them, 64-byte aligned
  size_t unit;      // bytes of an element
  void (*solve)(const void *packed, int64_t n, void *x);
};
extern const mr_triangle_kernel mr_triangle_f32_avx2, mr_triangle_f64_avx2;
extern const mr_triangle_kernel mr_triangle_f32_avx512, mr_triangle_f64_avx512;

// NULL: BLAS does it as well on this processor or for this type.
const mr_triangle_kernel *mr_triangle_choose(mr_dtype dtype);
// As mr_products_solve(), for t->n up to MR_SOLVE_LEAF.
void mr_triangle_solve(const mr_triangle_kernel *kernel, const mr_triangle *t, void *x, int64_t x_lead, int64_t rhs);

#endif
