// Version 2 of control groups has the file cpu.max, "QUOTA PERIOD" or "max PERIOD"; version 1 has cpu.cfs_quota_us and
// cpu.cfs_period_us. Which group, and what is above it: core/cgroup.h.
#include "scheduler/quota.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/cgroup.h"

uint32_t mr_quota_parse(const char *line) {
  char *end = NULL;
  double quota = strtod(line, &end);
  if (end == line) {
    return 0;  // "max"
  }
  double period = strtod(end, NULL);
  if (!(quota > 0) || !(period > 0)) {
    return 0;
  }
  double units = quota / period;
  if (units >= 1e6) {
    return 0;
  }
  uint32_t whole = (uint32_t)units;
  return units > whole ? whole + 1 : whole;
}

static uint64_t limit_of(const char *folder, bool v2, void *context) {
  (void)context;
  char quota[32], period[32], line[80] = "";
  if (v2) {
    if (!mr_cgroup_read(folder, "cpu.max", line, sizeof(line))) {
      return MR_CGROUP_NONE;
    }
  } else if (mr_cgroup_read(folder, "cpu.cfs_quota_us", quota, sizeof quota) &&
             mr_cgroup_read(folder, "cpu.cfs_period_us", period, sizeof period)) {
    snprintf(line, sizeof(line), "%s %s", quota, period);
  }
  uint32_t units = mr_quota_parse(line);
  return units ? units : MR_CGROUP_NONE;
}

uint32_t mr_quota_units(void) {
  uint64_t least = mr_cgroup_least("cpu", limit_of, NULL);
  return least == MR_CGROUP_NONE ? 0 : (uint32_t)least;
}
