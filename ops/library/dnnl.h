// dnnl: oneDNN and OpenBLAS, opened when something first needs them, and kept to the calling thread. Private to ops/library.
//
// oneDNN is wanted in version 2.6 or newer of 2.x; another is refused by its number. MILLRACE_ONEDNN_LIBRARY says which file it is.
//
// Debian's oneDNN is built on OpenMP, whose number of threads is a setting of the calling thread: mr_single_threaded_begin()
// sets it to one and remembers what the host program had, which mr_single_threaded_end() restores.
#ifndef MR_OPS_LIBRARY_DNNL_H
#define MR_OPS_LIBRARY_DNNL_H

#include <stdatomic.h>

#include <oneapi/dnnl/dnnl.h>

#include "core/core.h"
#include "core/ending.h"

// Functions of oneDNN that are used, by their names without "dnnl_".
#define MR_DNNL_FUNCTIONS(X)                     \
  X(sgemm)                                       \
  X(matmul_desc_init)                            \
  X(gemm_s8s8s32)                                \
  X(engine_create)                               \
  X(stream_create)                               \
  X(stream_destroy)                              \
  X(memory_desc_init_by_strides)                 \
  X(memory_desc_equal)                           \
  X(memory_desc_get_size)                        \
  X(memory_create)                               \
  X(memory_destroy)                              \
  X(primitive_attr_create)                       \
  X(primitive_attr_destroy)                      \
  X(primitive_attr_set_scratchpad_mode)          \
  X(primitive_desc_create)                       \
  X(primitive_desc_destroy)                      \
  X(primitive_desc_query_md)                     \
  X(primitive_create)                            \
  X(primitive_destroy)                           \
  X(primitive_execute)                           \
  X(reorder_primitive_desc_create)               \
  X(dilated_convolution_forward_desc_init)       \
  X(dilated_convolution_backward_data_desc_init) \
  X(dilated_convolution_backward_weights_desc_init)

typedef struct mr_dnnl_table {
#define X(name) __typeof__(dnnl_##name) *name;
  MR_DNNL_FUNCTIONS(X)
#undef X
  // What oneDNN's own recurrent layers use: exported, but in no header of its. NULL in a version that the tests were not run on
  // (dnnl.c: tried), and in a build that hides it. A matrix is packed once, and products with parts of the other are computed
  // with it. Named as gemm's in Fortran; "A" or "B" says which one is packed, the letter "P" in place of its transposition that
  // it is. Columns are contiguous. size: bytes; pack: whether it is worth it.
  dnnl_status_t (*sgemm_pack_get_size)(const char *which, const char *transa, const char *transb, const int64_t *m,
                                       const int64_t *n, const int64_t *k, const int64_t *lda, const int64_t *ldb,
                                       size_t *size, bool *pack);
  dnnl_status_t (*sgemm_pack)(const char *which, const char *transa, const char *transb, const int64_t *m,
                              const int64_t *n, const int64_t *k, const int64_t *lda, const int64_t *ldb,
                              const float *from, float *to);
  dnnl_status_t (*sgemm_compute)(const char *transa, const char *transb, const int64_t *m, const int64_t *n,
                                 const int64_t *k, const float *a, const int64_t *lda, const float *b,
                                 const int64_t *ldb, const float *beta, float *c, const int64_t *ldc);
} mr_dnnl_table;

// UNAVAILABLE when the library cannot be opened.
mr_status mr_dnnl_open(const mr_dnnl_table **out_table) MR_WARN_UNUSED;
// The same for who calls its products of matrices with elements of this type (s8, or floats), of which one has been made then.
mr_status mr_dnnl_open_gemm(mr_dtype dtype, const mr_dnnl_table **out_table) MR_WARN_UNUSED;
// The process's CPU engine; after mr_dnnl_open().
dnnl_engine_t mr_dnnl_engine(void);
mr_status mr_dnnl_status(dnnl_status_t status, const char *what) MR_WARN_UNUSED;
// NULL is fine. When the process is ending oneDNN may be gone, and the primitive stays.
void mr_dnnl_destroy(const mr_dnnl_table *dnnl, dnnl_primitive_t primitive);

// cblas_dgemm with the enumerations as integers: 101 row-major; 111 as is, 112 transposed.
typedef void (*mr_dgemm_fn)(int order, int transa, int transb, int m, int n, int k, double alpha, const double *a,
                            int lda, const double *b, int ldb, double beta, double *c, int ldc);
mr_status mr_blas_open(mr_dgemm_fn *out_dgemm) MR_WARN_UNUSED;
// A function of OpenBLAS, which contains LAPACK, by its Fortran name ("spotrf_"), of those that cmake/openblas.cmake lists.
// UNAVAILABLE names what is missing.
mr_status mr_blas_symbol(const char *name, void **out_function) MR_WARN_UNUSED;

// The pieces of a parallel loop leave their status here; the first error stays.
static inline void mr_first_status(_Atomic(uintptr_t) *slot, mr_status take_status) {
  uintptr_t none = 0;
  // relaxed: read by the thread that waits for the loop's end, which orders.
  if (take_status && !atomic_compare_exchange_strong_explicit(slot, &none, (uintptr_t)take_status, memory_order_relaxed,
                                                              memory_order_relaxed)) {
    mr_status_free(take_status);
  }
}

// After mr_dnnl_open(), which brings the setting: what is made before is made for as many threads as OpenMP would have, and makes them.
int mr_single_threaded_begin(void);
void mr_single_threaded_end(int before);

#endif
