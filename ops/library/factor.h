// factor: Cholesky and LU factorisations of one row-major matrix by all cores of a group. Private to ops/library.
//
// Threads: the calling one and idle ones of the group; with no group the calling one alone. The same matrix gives the same
// bits whoever helps only as far as oneDNN's and OpenBLAS's products do not depend on how they are cut.
//
//   int info = mr_factor_cholesky(&dense, group, a, n, n, true);   // 0, or the row, from 1, at which it failed
#ifndef MR_OPS_LIBRARY_FACTOR_H
#define MR_OPS_LIBRARY_FACTOR_H

#include "ops/library/dense.h"

// In place, from and to the triangle that is named; the other one is neither read nor written.
int mr_factor_cholesky(const mr_products *dense, mr_group *group, void *a, int64_t lead, int64_t n, bool lower);

// Bytes that mr_factor_lu() works with.
size_t mr_factor_lu_scratch(const mr_products *dense, int64_t m, int64_t n);
// In place, rows exchanged as `pivots` say (from 1, as LAPACK's). 0, or the first pivot, from 1, that is zero.
int mr_factor_lu(const mr_products *dense, mr_group *group, void *a, int64_t m, int64_t n, int *pivots, void *scratch);

// Right-hand sides of one system are independent: each core takes some.
void mr_factor_solve(const mr_products *dense, mr_group *group, const mr_triangle *t, void *x, int64_t x_lead,
                     int64_t rhs);

#endif
