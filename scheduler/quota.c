// /proc/self/cgroup names the process's group in each hierarchy, a line each:
//
//   0::/user.slice/a              version 2: /sys/fs/cgroup/user.slice/a/cpu.max, "QUOTA PERIOD" or "max PERIOD"
//   4:cpu,cpuacct:/docker/a       version 1: /sys/fs/cgroup/cpu/docker/a/cpu.cfs_quota_us and cpu.cfs_period_us
//
// A limit of any group above counts as well. In a container the names are often the host's while only the container's own
// part is mounted, at the root: names that lead nowhere are passed over on the way up.
#include "scheduler/quota.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *mr_quota_root = "";

enum { PATH_ROOM = 2 * PATH_MAX };

uint32_t mr_quota_parse(const char *line) {
  char *end = NULL;
  double quota = strtod(line, &end);
  if (end == line) return 0;  // "max"
  double period = strtod(end, NULL);
  if (!(quota > 0) || !(period > 0)) return 0;
  double units = quota / period;
  if (units >= 1e6) return 0;
  uint32_t whole = (uint32_t)units;
  return units > whole ? whole + 1 : whole;
}

// The first line of `folder` + `name`; false when there is no such file.
static bool read_line(const char *folder, const char *name, char *out_line, int size) {
  char path[PATH_ROOM];
  if (snprintf(path, sizeof(path), "%s%s/%s", mr_quota_root, folder, name) >= (int)sizeof(path)) return false;
  FILE *file = fopen(path, "re");
  if (!file) return false;
  bool ok = fgets(out_line, size, file) != NULL;
  fclose(file);
  if (ok) out_line[strcspn(out_line, "\n")] = 0;
  return ok;
}

static uint32_t limit_v2(const char *folder) {
  char line[64];
  return read_line(folder, "cpu.max", line, sizeof(line)) ? mr_quota_parse(line) : 0;
}

static uint32_t limit_v1(const char *folder) {
  char quota[32], period[32], line[80];
  if (!read_line(folder, "cpu.cfs_quota_us", quota, sizeof(quota))) return 0;
  if (!read_line(folder, "cpu.cfs_period_us", period, sizeof(period))) return 0;
  snprintf(line, sizeof(line), "%s %s", quota, period);
  return mr_quota_parse(line);
}

// The smaller of two limits, of which 0 is none.
static uint32_t smaller(uint32_t a, uint32_t b) { return !a || (b && b < a) ? b : a; }

// From `mount` + `group` up to `mount`.
static uint32_t walk_up(const char *mount, const char *group, uint32_t (*limit)(const char *folder)) {
  char folder[PATH_ROOM];
  int length = snprintf(folder, sizeof(folder), "%s%s", mount, group);
  if (length >= (int)sizeof(folder)) return 0;
  // Outside of what this process sees: "/../a". Only the root is there for it.
  if (strstr(group, "/..")) folder[strlen(mount)] = 0;
  uint32_t smallest = 0;
  for (char *end = folder + strlen(folder); end; end = strrchr(folder + strlen(mount), '/')) {
    *end = 0;
    smallest = smaller(smallest, limit(folder));
  }
  return smallest;
}

static bool names_cpu(const char *controllers, size_t length) {
  for (const char *at = controllers, *end = controllers + length; at < end;) {
    size_t word = strcspn(at, ",:");
    if (word == 3 && memcmp(at, "cpu", 3) == 0) return true;
    at += word + 1;
  }
  return false;
}

// One line of /proc/self/cgroup: "ID:CONTROLLERS:GROUP".
static uint32_t limit_of(const char *line) {
  if (strncmp(line, "0::", 3) == 0) {
    // Beside version 1 the mount of version 2 is one folder further down.
    uint32_t unified = walk_up("/sys/fs/cgroup/unified", line + 3, limit_v2);
    return smaller(unified, walk_up("/sys/fs/cgroup", line + 3, limit_v2));
  }
  const char *controllers = strchr(line, ':');
  const char *group = controllers ? strchr(controllers + 1, ':') : NULL;
  if (!group || !names_cpu(controllers + 1, (size_t)(group - controllers - 1))) return 0;
  // Most systems have a link "cpu" where several controllers share a mount, named after all of them.
  char mount[128];
  snprintf(mount, sizeof(mount), "/sys/fs/cgroup/%.*s", (int)(group - controllers - 1), controllers + 1);
  return smaller(walk_up("/sys/fs/cgroup/cpu", group + 1, limit_v1), walk_up(mount, group + 1, limit_v1));
}

uint32_t mr_cpu_quota(void) {
  char path[PATH_ROOM], line[PATH_MAX + 128];
  if (snprintf(path, sizeof(path), "%s/proc/self/cgroup", mr_quota_root) >= (int)sizeof(path)) return 0;
  FILE *file = fopen(path, "re");
  if (!file) return 0;
  uint32_t smallest = 0;
  while (fgets(line, sizeof(line), file)) {
    line[strcspn(line, "\n")] = 0;
    smallest = smaller(smallest, limit_of(line));
  }
  fclose(file);
  return smallest;
}
