// quota: how much CPU time the control groups (cgroups, versions 1 and 2) that this process is in leave it. Private to the
// scheduler and its tests.
//
// Threads: any; nothing is kept between calls, since limits change while processes run.
//
//   uint32_t quota = mr_quota_units();
//   uint32_t threads = quota && quota < units ? quota : units;
#ifndef MR_SCHEDULER_QUOTA_H
#define MR_SCHEDULER_QUOTA_H

#include "core/core.h"

// CPUs' worth of the smallest limit between this process's group and the root, in either version; 0: none. A part of a CPU
// counts as a whole one: with one thread fewer that part could not be used.
uint32_t mr_quota_units(void);
// CPUs' worth of "QUOTA PERIOD" as in cgroup's cpu.max, "250000 100000"; 0: "max", -1, or no such line.
uint32_t mr_quota_parse(const char *line);

#endif
