// lapack_abi: the shapes of BLAS's and LAPACK's functions, as Fortran compilers make them: everything by address, and the length of
// each character argument after all others. Private to ops/library.
#ifndef MR_OPS_LIBRARY_LAPACK_ABI_H
#define MR_OPS_LIBRARY_LAPACK_ABI_H

#include <stddef.h>

typedef void (*blas_gemm)(const char *transa, const char *transb, const int *m, const int *n, const int *k,
                          const void *alpha, const void *a, const int *lda, const void *b, const int *ldb,
                          const void *beta, void *c, const int *ldc, size_t, size_t);
typedef void (*blas_trsm)(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,
                          const int *n, const void *alpha, const void *a, const int *lda, void *b, const int *ldb,
                          size_t, size_t, size_t, size_t);
// syrk for real types; alpha and beta are real.
typedef void (*blas_herk)(const char *uplo, const char *trans, const int *n, const int *k, const void *alpha,
                          const void *a, const int *lda, const void *beta, void *c, const int *ldc, size_t, size_t);
typedef void (*lapack_potrf)(const char *uplo, const int *n, void *a, const int *lda, int *info, size_t);
typedef void (*lapack_getrf)(const int *m, const int *n, void *a, const int *lda, int *pivots, int *info);
typedef void (*lapack_geqrf)(const int *m, const int *n, void *a, const int *lda, void *tau, void *work,
                             const int *lwork, int *info);
typedef void (*lapack_orgqr)(const int *m, const int *n, const int *k, void *a, const int *lda, const void *tau,
                             void *work, const int *lwork, int *info);
typedef void (*lapack_syevd)(const char *job, const char *uplo, const int *n, void *a, const int *lda, void *w,
                             void *work, const int *lwork, int *iwork, const int *liwork, int *info, size_t, size_t);
typedef void (*lapack_heevd)(const char *job, const char *uplo, const int *n, void *a, const int *lda, void *w,
                             void *work, const int *lwork, void *rwork, const int *lrwork, int *iwork,
                             const int *liwork, int *info, size_t, size_t);
typedef void (*lapack_gesdd)(const char *job, const int *m, const int *n, void *a, const int *lda, void *s, void *u,
                             const int *ldu, void *vt, const int *ldvt, void *work, const int *lwork, int *iwork,
                             int *info, size_t);
typedef void (*lapack_gesdd_complex)(const char *job, const int *m, const int *n, void *a, const int *lda, void *s,
                                     void *u, const int *ldu, void *vt, const int *ldvt, void *work, const int *lwork,
                                     void *rwork, int *iwork, int *info, size_t);
typedef void (*lapack_geev)(const char *left, const char *right, const int *n, void *a, const int *lda, void *wr,
                            void *wi, void *vl, const int *ldvl, void *vr, const int *ldvr, void *work,
                            const int *lwork, int *info, size_t, size_t);
typedef void (*lapack_geev_complex)(const char *left, const char *right, const int *n, void *a, const int *lda, void *w,
                                    void *vl, const int *ldvl, void *vr, const int *ldvr, void *work, const int *lwork,
                                    void *rwork, int *info, size_t, size_t);

#endif
