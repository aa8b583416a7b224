// What OpenBLAS finds when it asks the environment for its settings.
//
// It reads them once, in its constructor: how many threads to start, and which processor's kernels to use. Setting them
// around dlopen would change the environment of the host, other threads of which may be reading it. So OpenBLAS's archive is
// linked into a library of our own (cmake/openblas.cmake) in which its getenv() is this one.
#include <stdint.h>

#include "ops/library/isa.h"

char *__real_getenv(const char *name);
char *__wrap_getenv(const char *name);

// OpenBLAS knows processors by their model numbers and gives one that came out after it (0.3.21: any after Sapphire Rapids)
// the kernels of 2004, at a tenth of the speed.
static const char *core(void) {
  switch (mr_isa_best()) {
  case MR_VECTORS_AVX512_BF16:
  case MR_VECTORS_AVX512_VNNI:
  case MR_VECTORS_AVX512: return "SkylakeX";
  case MR_VECTORS_AVX2: return "Haswell";
  case MR_VECTORS_PLAIN: return mr_isa_allowed() == MR_VECTORS_PLAIN ? "Nehalem" : NULL;  // NULL: its own choice
  }
  return NULL;
}

char *__wrap_getenv(const char *name) {
  // Its functions are called on our threads, one piece of work on each.
  static char one[] = "1";
  if (strcmp(name, "OPENBLAS_NUM_THREADS") == 0) {
    return one;
  }
  char *asked = __real_getenv(name);
  return asked || strcmp(name, "OPENBLAS_CORETYPE") != 0 ? asked : (char *)(uintptr_t)core();
}
