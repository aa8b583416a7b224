// system_memory: how much memory this process may use, and how much of it there is at this moment.
//
// Threads: any; nothing is kept between calls. Each reads some files, which takes tens of microseconds.
#ifndef MR_CORE_SYSTEM_MEMORY_H
#define MR_CORE_SYSTEM_MEMORY_H

#include "core/core.h"

// The machine's memory, or less when a control group allows less (core/cgroup.h). UINT64_MAX: not known.
uint64_t mr_system_memory_limit(void);
// What can be had without anybody being killed: the machine's, or less when a control group has less left. Pages that programs
// have asked for and not written yet count as there. UINT64_MAX: not known.
uint64_t mr_system_memory_available(void);

#endif
