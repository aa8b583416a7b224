// The functions generated code may call. LLVM makes calls of the memory ones by itself; the others stand in for
// operations without an instruction. A fixed table: an object from disk cannot reach anything else.
#include <math.h>
#include <string.h>

#include "compiler/codegen/elf_loader.h"

typedef void (*any_function)(void);

// Machines without F16C call these for f16, under the names of the compilers' run-time libraries.
static float extend_half(_Float16 x) { return (float)x; }
static _Float16 truncate_float(float x) { return (_Float16)x; }
static _Float16 truncate_double(double x) { return (_Float16)x; }

static const struct {
  const char *name;
  any_function function;
} externals[] = {
#define EXTERNAL(name) {#name, (any_function)name}
    EXTERNAL(memcpy),
    EXTERNAL(memmove),
    EXTERNAL(memset),
    EXTERNAL(memcmp),
    EXTERNAL(bcmp),  // NOLINT(bugprone-unsafe-functions): LLVM calls it by name
    EXTERNAL(fmod),
    EXTERNAL(fmodf),
    EXTERNAL(fma),
    EXTERNAL(fmaf),
    EXTERNAL(round),
    EXTERNAL(roundf),
    EXTERNAL(rint),
    EXTERNAL(rintf),
    EXTERNAL(floor),
    EXTERNAL(floorf),
    EXTERNAL(ceil),
    EXTERNAL(ceilf),
    EXTERNAL(trunc),
    EXTERNAL(truncf),
    EXTERNAL(sqrt),
    EXTERNAL(sqrtf),
    EXTERNAL(nearbyint),
    EXTERNAL(nearbyintf),
#undef EXTERNAL
    // Equal in the default rounding mode, which kernels run in.
    {"roundeven", (any_function)rint},
    {"roundevenf", (any_function)rintf},
    {"__extendhfsf2", (any_function)extend_half},
    {"__truncsfhf2", (any_function)truncate_float},
    {"__truncdfhf2", (any_function)truncate_double},
};

void *mr_elf_external(const char *name) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(externals); i++) {
    if (strcmp(externals[i].name, name) != 0) {
      continue;
    }
    void *address;
    memcpy(&address, &externals[i].function, sizeof address);
    return address;
  }
  return NULL;
}
