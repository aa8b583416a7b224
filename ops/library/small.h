// small: plain loops for small real matrices, where a call of BLAS alone costs about a microsecond. Private to ops/library.
//
// Threads: any. Everything is in place and row-major.
//
//   if (mr_small_fits(MR_F32, n)) info = mr_small_lu(MR_F32, a, n, n, pivots);
#ifndef MR_OPS_LIBRARY_SMALL_H
#define MR_OPS_LIBRARY_SMALL_H

#include "ops/library/linalg.h"

bool mr_small_fits(mr_dtype dtype, int64_t n);
// Of the triangle that is named; the other one is neither read nor written. 0, or the row, from 1, at which it failed.
int mr_small_cholesky(mr_dtype dtype, void *a, int64_t n, bool lower);
// Pivots from 1, as LAPACK's. 0, or the first pivot, from 1, that is zero.
int mr_small_lu(mr_dtype dtype, void *a, int64_t m, int64_t n, int *pivots);
// The system of `d` with `rhs` of its right-hand sides; those of x are as far apart as the description's.
void mr_small_solve(const mr_solve_desc *d, const void *a, void *x, int64_t rhs);

#endif
