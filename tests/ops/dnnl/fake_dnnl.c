// The machine's oneDNN under another number: a library that is linked to it and answers some functions itself. Who looks in it by
// name finds these first (MILLRACE_ONEDNN_LIBRARY). MR_FAKE_DNNL="major.minor.patch" is what it says that it is.
//
// The private functions that pack are here too, by the names that C++ gives them: called, they end the process, and by the status
// its parent knows.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <oneapi/dnnl/dnnl.h>

#include "tests/ops/dnnl/fake_dnnl.h"

#define SEEN __attribute__((visibility("default")))

SEEN const dnnl_version_t *dnnl_version(void) {
  static dnnl_version_t version = {.hash = "fake", .cpu_runtime = DNNL_RUNTIME_OMP};
  const char *text = getenv("MR_FAKE_DNNL");
  if (!text || sscanf(text, "%d.%d.%d", &version.major, &version.minor, &version.patch) != 3) {
    abort();
  }
  return &version;
}

// Of the types that ops/library/dnnl.h gives them.
SEEN dnnl_status_t
fake_pack_get_size(const char *which, const char *transa, const char *transb, const int64_t *m, const int64_t *n,
                   const int64_t *k, const int64_t *lda, const int64_t *ldb, size_t *size,
                   bool *pack) __asm__("_ZN4dnnl4impl3cpu19sgemm_pack_get_sizeEPKcS3_S3_PKlS5_S5_S5_S5_PmPb");
SEEN dnnl_status_t fake_pack(const char *which, const char *transa, const char *transb, const int64_t *m,
                             const int64_t *n, const int64_t *k, const int64_t *lda, const int64_t *ldb,
                             const float *from,
                             float *to) __asm__("_ZN4dnnl4impl3cpu10sgemm_packEPKcS3_S3_PKlS5_S5_S5_S5_PKfPf");
SEEN dnnl_status_t
fake_compute(const char *transa, const char *transb, const int64_t *m, const int64_t *n, const int64_t *k,
             const float *a, const int64_t *lda, const float *b, const int64_t *ldb, const float *beta, float *c,
             const int64_t *ldc) __asm__("_ZN4dnnl4impl3cpu13sgemm_computeEPKcS3_PKlS5_S5_PKfS5_S7_S5_S7_PfS5_");

dnnl_status_t fake_pack_get_size(const char *which, const char *transa, const char *transb, const int64_t *m,
                                 const int64_t *n, const int64_t *k, const int64_t *lda, const int64_t *ldb,
                                 size_t *size, bool *pack) {
  (void)which, (void)transa, (void)transb, (void)m, (void)n, (void)k, (void)lda, (void)ldb, (void)size, (void)pack;
  _exit(FAKE_DNNL_WAS_PRIVATE);
}

dnnl_status_t fake_pack(const char *which, const char *transa, const char *transb, const int64_t *m, const int64_t *n,
                        const int64_t *k, const int64_t *lda, const int64_t *ldb, const float *from, float *to) {
  (void)which, (void)transa, (void)transb, (void)m, (void)n, (void)k, (void)lda, (void)ldb, (void)from, (void)to;
  _exit(FAKE_DNNL_WAS_PRIVATE);
}

dnnl_status_t fake_compute(const char *transa, const char *transb, const int64_t *m, const int64_t *n, const int64_t *k,
                           const float *a, const int64_t *lda, const float *b, const int64_t *ldb, const float *beta,
                           float *c, const int64_t *ldc) {
  (void)transa, (void)transb, (void)m, (void)n, (void)k, (void)a, (void)lda, (void)b, (void)ldb, (void)beta, (void)c;
  (void)ldc;
  _exit(FAKE_DNNL_WAS_PRIVATE);
}
