// cgroup: the limits of the control groups (versions 1 and 2) that this process is in.
//
// Threads: any; nothing is kept between calls, since limits change while processes run.
//
//   static uint64_t limit(const char *folder, bool v2, void *context) { ... mr_cgroup_read(folder, v2 ? ... }
//   uint64_t least = mr_cgroup_least("memory", limit, NULL);
#ifndef MR_CORE_CGROUP_H
#define MR_CORE_CGROUP_H

#include "core/core.h"

// In front of "/proc/..." and "/sys/fs/cgroup"; "" except in tests, which put files of their own there.
extern const char *mr_cgroup_root;

// What limit() answers for a group without a limit.
#define MR_CGROUP_NONE UINT64_MAX
typedef uint64_t mr_cgroup_limit_fn(const char *folder, bool v2, void *context);
// The least of the limits of the control groups between this process's group and the root, in either version. `controller`: as version 1
// names it, "cpu" or "memory". limit() is called for every group on the way, also for folders that are not there.
uint64_t mr_cgroup_least(const char *controller, mr_cgroup_limit_fn *limit, void *context);
// The first line of `folder` + "/" + `name`, without its end; false when there is no such file.
bool mr_cgroup_read(const char *folder, const char *name, char *out_line, int size);

#endif
