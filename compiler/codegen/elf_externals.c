// The functions generated code may call. LLVM makes calls of the memory ones by itself; the others stand in for
// operations without an instruction. A fixed table: an object from disk cannot reach anything else.
#include <math.h>
#include <string.h>

#include "compiler/codegen/elf_loader.h"

typedef void (*any_function)(void);

static const struct {
  const char *name;
  any_function function;
} externals[] = {
#define EXTERNAL(name) {#name, (any_function)name}
    EXTERNAL(memcpy),     EXTERNAL(memmove), EXTERNAL(memset),    EXTERNAL(memcmp), EXTERNAL(bcmp),
    EXTERNAL(fmod),       EXTERNAL(fmodf),   EXTERNAL(fma),       EXTERNAL(fmaf),   EXTERNAL(round),
    EXTERNAL(roundf),     EXTERNAL(rint),    EXTERNAL(rintf),     EXTERNAL(floor),  EXTERNAL(floorf),
    EXTERNAL(ceil),       EXTERNAL(ceilf),   EXTERNAL(trunc),     EXTERNAL(truncf), EXTERNAL(sqrt),
    EXTERNAL(sqrtf),      EXTERNAL(nearbyint), EXTERNAL(nearbyintf),
#undef EXTERNAL
};

void *mr_elf_external(const char *name) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(externals); i++) {
    if (strcmp(externals[i].name, name)) continue;
    void *address;
    memcpy(&address, &externals[i].function, sizeof address);
    return address;
  }
  return NULL;
}
