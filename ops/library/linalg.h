// linalg: factorisations and solvers of dense matrices, behind the library's call interface.
//
// Threads and buffers as in library.h. Matrices are dense and row-major, batches of them lead. Batches are spread over the
// group. With fewer matrices than cores, Cholesky, LU and triangular systems use all cores for each (factor.h); the other
// routines are OpenBLAS's, kept to one thread, so that a matrix is the work of one core. Small real ones are plain loops.
//
//   mr_cholesky_desc desc = {.dtype = MR_F32, .batch = 4, .n = 100, .lower = true};
//   MR_TRY(mr_cholesky_create(&desc, &call));   // buffers: a, the factor
#ifndef MR_OPS_LIBRARY_LINALG_H
#define MR_OPS_LIBRARY_LINALG_H

#include "ops/library/library.h"

// Reads the triangle that it writes; the other one of the result is zero. Not positive definite: all NaN.
typedef struct mr_cholesky_desc {
  mr_dtype dtype;  // f32, f64 and their complex types, as everywhere here
  int64_t batch, n;
  bool lower;
} mr_cholesky_desc;
bool mr_linalg_has_type(mr_dtype dtype);
// LAPACK can be opened on this machine and has routines for the type.
bool mr_linalg_has_lapack(mr_dtype dtype);
mr_status mr_cholesky_create(const mr_cholesky_desc *desc, mr_library_call **out_call) MR_WARN_UNUSED;

// ORDER transpose: as StableHLO numbers them.
typedef enum mr_transpose { MR_TRANSPOSE_NONE = 1, MR_TRANSPOSE_PLAIN = 2, MR_TRANSPOSE_ADJOINT = 3 } mr_transpose;

// op(a) x = b on the left, where b is [n, rhs], or x op(a) = b, where b is [rhs, n]. Buffers: a, b, x.
typedef struct mr_solve_desc {
  mr_dtype dtype;
  int64_t batch, n, rhs;
  bool left, lower, unit_diagonal;
  mr_transpose transpose;
} mr_solve_desc;
mr_status mr_solve_create(const mr_solve_desc *desc, mr_library_call **out_call) MR_WARN_UNUSED;

// LAPACK's routines as JAX's custom calls have them. Buffers are the operands, then the results; `info` is i32, one per
// matrix.
typedef enum mr_lapack_routine {
  MR_LAPACK_POTRF,  // a -> factor, info
  MR_LAPACK_GETRF,  // a -> factors, pivots (i32, from 1), info
  MR_LAPACK_GEQRF,  // a -> factors, tau
  MR_LAPACK_ORGQR,  // factors, tau -> q
  MR_LAPACK_TRSM,   // a, b -> x
  MR_LAPACK_SYEVD,  // a -> vectors, values, info; heevd when complex
  MR_LAPACK_GESDD,  // a -> overwritten, s, u, vt, info
  MR_LAPACK_GEEV,   // a -> values (real types: real parts, imaginary parts), left vectors, right vectors, info
  MR_LAPACK_COUNT
} mr_lapack_routine;

typedef struct mr_lapack_desc {
  mr_lapack_routine routine;
  mr_dtype dtype;
  int64_t batch;
  int64_t m, n;            // of the matrix; TRSM: of b
  int64_t k;               // ORGQR: reflectors
  char uplo;               // 'U', 'L': POTRF, TRSM, SYEVD
  char side, trans, diag;  // TRSM
  char mode;               // SYEVD: 'V', 'N'; GESDD: 'A', 'S', 'N'
  char left, right;        // GEEV: 'V', 'N'
} mr_lapack_desc;
mr_status mr_lapack_create(const mr_lapack_desc *desc, mr_library_call **out_call) MR_WARN_UNUSED;

#endif
