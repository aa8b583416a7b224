// /proc/self/cgroup names the process's group in each hierarchy, a line each:
//
//   0::/user.slice/a              version 2: /sys/fs/cgroup/user.slice/a/cpu.max, memory.max
//   4:cpu,cpuacct:/docker/a       version 1: /sys/fs/cgroup/cpu/docker/a/cpu.cfs_quota_us
//   5:memory:/docker/a            version 1: /sys/fs/cgroup/memory/docker/a/memory.limit_in_bytes
//
// A limit of any group above counts as well. In a container the names are often the host's while only the container's own
// part is mounted, at the root: names that lead nowhere are passed over on the way up.
#include "core/cgroup.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

const char *mr_cgroup_root = "";

enum { PATH_ROOM = 2 * PATH_MAX };

typedef struct walk {
  const char *controller;
  mr_cgroup_limit_fn *limit;
  void *context;
  uint64_t least;
} walk;

bool mr_cgroup_read(const char *folder, const char *name, char *out_line, int size) {
  char path[PATH_ROOM];
  if (snprintf(path, sizeof path, "%s%s/%s", mr_cgroup_root, folder, name) >= (int)sizeof path) {
    return false;
  }
  FILE *file = fopen(path, "re");
  if (!file) {
    return false;
  }
  bool ok = fgets(out_line, size, file) != NULL;
  fclose(file);
  if (ok) {
    out_line[strcspn(out_line, "\n")] = 0;
  }
  return ok;
}

// From `mount` + `group` up to `mount`.
static void walk_up(walk *w, const char *mount, const char *group, bool v2) {
  char folder[PATH_ROOM];
  int length = snprintf(folder, sizeof folder, "%s%s", mount, group);
  if (length >= (int)sizeof folder) {
    return;
  }
  // Outside of what this process sees: "/../a". Only the root is there for it.
  if (strstr(group, "/..")) {
    folder[strlen(mount)] = 0;
  }
  for (char *end = folder + strlen(folder); end; end = strrchr(folder + strlen(mount), '/')) {
    *end = 0;
    uint64_t limit = w->limit(folder, v2, w->context);
    w->least = MR_MIN(w->least, limit);
  }
}

static bool names(const char *controllers, size_t length, const char *controller) {
  size_t wanted = strlen(controller);
  for (const char *at = controllers, *end = controllers + length; at < end;) {
    size_t word = strcspn(at, ",:");
    if (word == wanted && memcmp(at, controller, wanted) == 0) {
      return true;
    }
    at += word + 1;
  }
  return false;
}

// One line of /proc/self/cgroup: "ID:CONTROLLERS:GROUP".
static void walk_line(walk *w, const char *line) {
  if (strncmp(line, "0::", 3) == 0) {
    // Beside version 1 the mount of version 2 is one folder further down.
    walk_up(w, "/sys/fs/cgroup/unified", line + 3, true);
    walk_up(w, "/sys/fs/cgroup", line + 3, true);
    return;
  }
  const char *controllers = strchr(line, ':');
  const char *group = controllers ? strchr(controllers + 1, ':') : NULL;
  if (!group || !names(controllers + 1, (size_t)(group - controllers - 1), w->controller)) {
    return;
  }
  // Most systems have a link "cpu" where several controllers share a mount, named after all of them.
  char link[128], mount[128];
  snprintf(link, sizeof(link), "/sys/fs/cgroup/%s", w->controller);
  snprintf(mount, sizeof mount, "/sys/fs/cgroup/%.*s", (int)(group - controllers - 1), controllers + 1);
  walk_up(w, link, group + 1, false);
  walk_up(w, mount, group + 1, false);
}

uint64_t mr_cgroup_least(const char *controller, mr_cgroup_limit_fn *limit, void *context) {
  walk w = {controller, limit, context, MR_CGROUP_NONE};
  char path[PATH_ROOM], line[PATH_MAX + 128];
  if (snprintf(path, sizeof path, "%s/proc/self/cgroup", mr_cgroup_root) >= (int)sizeof path) {
    return w.least;
  }
  FILE *file = fopen(path, "re");
  if (!file) {
    return w.least;
  }
  while (fgets(line, sizeof(line), file)) {
    line[strcspn(line, "\n")] = 0;
    walk_line(&w, line);
  }
  fclose(file);
  return w.least;
}
