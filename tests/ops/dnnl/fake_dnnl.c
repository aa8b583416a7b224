// The machine's oneDNN under another number: a library that is linked to it and answers some functions itself. Who looks in it by
// name finds these first (MILLRACE_ONEDNN_LIBRARY). MR_FAKE_DNNL="major.minor.patch" is what it says that it is.
//
// The private functions that pack are here too, by the names that C++ gives them: called, they end the process, and by the status
// its parent knows.
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

SEEN void fake_pack_get_size(void) __asm__("_ZN4dnnl4impl3cpu19sgemm_pack_get_sizeEPKcS3_S3_PKlS5_S5_S5_S5_PmPb");
SEEN void fake_pack(void) __asm__("_ZN4dnnl4impl3cpu10sgemm_packEPKcS3_S3_PKlS5_S5_S5_S5_PKfPf");
SEEN void fake_compute(void) __asm__("_ZN4dnnl4impl3cpu13sgemm_computeEPKcS3_PKlS5_S5_PKfS5_S7_S5_S7_PfS5_");

void fake_pack_get_size(void) { _exit(FAKE_DNNL_WAS_PRIVATE); }
void fake_pack(void) { _exit(FAKE_DNNL_WAS_PRIVATE); }
void fake_compute(void) { _exit(FAKE_DNNL_WAS_PRIVATE); }
