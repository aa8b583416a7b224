// cores: how many pieces of scratch a call may want at once, before the group that runs it is known. Private to ops/library.
#ifndef MR_OPS_LIBRARY_CORES_H
#define MR_OPS_LIBRARY_CORES_H

#include <stdint.h>
#include <unistd.h>

static inline int64_t mr_cores(void) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return cores < 1 ? 1 : cores > 256 ? 256 : cores;
}

#endif
