// A machine's figures are in /proc/meminfo; a group's in memory.max, memory.current and memory.stat (version 2) or
// memory.limit_in_bytes, memory.usage_in_bytes and memory.stat (version 1).
#include "core/system_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/cgroup.h"

// The number behind `key` on a line of a file; false when there is none.
static bool read_field(const char *folder, const char *name, const char *key, uint64_t *out_value) {
  char path[512], line[256];
  size_t length = strlen(key);
  if (snprintf(path, sizeof path, "%s%s/%s", mr_cgroup_root, folder, name) >= (int)sizeof path) {
    return false;
  }
  FILE *file = fopen(path, "re");
  if (!file) {
    return false;
  }
  bool found = false;
  while (!found && fgets(line, sizeof line, file)) {
    found = strncmp(line, key, length) == 0 && sscanf(line + length, "%" SCNu64, out_value) == 1;
  }
  fclose(file);
  return found;
}

// A file of one number; false when it is not there or says "max".
static bool read_number(const char *folder, const char *name, uint64_t *out_value) {
  char line[64];
  return mr_cgroup_read(folder, name, line, sizeof line) && sscanf(line, "%" SCNu64, out_value) == 1;
}

static uint64_t group_limit(const char *folder, bool v2, void *context) {
  (void)context;
  uint64_t limit;
  return read_number(folder, v2 ? "memory.max" : "memory.limit_in_bytes", &limit) ? limit : MR_CGROUP_NONE;
}

// What is left below the group's limit. Cached files count as use there and go when memory is wanted.
static uint64_t group_left(const char *folder, bool v2, void *context) {
  uint64_t limit = group_limit(folder, v2, context), used, files = 0;
  if (limit == MR_CGROUP_NONE) {
    return MR_CGROUP_NONE;
  }
  if (!read_number(folder, v2 ? "memory.current" : "memory.usage_in_bytes", &used)) {
    return MR_CGROUP_NONE;
  }
  read_field(folder, "memory.stat", v2 ? "inactive_file " : "total_inactive_file ", &files);
  used -= MR_MIN(used, files);
  return limit - MR_MIN(limit, used);
}

static bool machine_field(const char *key, uint64_t *out_bytes) {
  uint64_t kib;
  if (!read_field("/proc", "meminfo", key, &kib)) {
    return false;
  }
  *out_bytes = kib << 10;
  return true;
}

uint64_t mr_system_memory_limit(void) {
  uint64_t limit = UINT64_MAX, machine;
  if (machine_field("MemTotal:", &machine)) {
    limit = machine;
  }
  uint64_t group = mr_cgroup_least("memory", group_limit, NULL);
  return MR_MIN(limit, group);
}

uint64_t mr_system_memory_available(void) {
  uint64_t machine, swap = 0;
  if (!machine_field("MemAvailable:", &machine)) {
    machine = UINT64_MAX;
  }
  if (machine != UINT64_MAX && machine_field("SwapFree:", &swap)) {
    machine += swap;
  }
  uint64_t group = mr_cgroup_least("memory", group_left, NULL);
  return MR_MIN(machine, group);
}
