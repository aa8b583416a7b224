// The affinity mask of a whole process, for tests that take processing units away while threads run.
#ifndef MR_TESTS_MASKS_H
#define MR_TESTS_MASKS_H

#include <dirent.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>

// As `taskset -a -p` does: every thread of the process. False: the threads cannot be listed.
static inline bool set_mask_of_all(const cpu_set_t *set) {
  DIR *threads = opendir("/proc/self/task");
  if (!threads) {
    return false;
  }
  for (struct dirent *entry; (entry = readdir(threads));) {
    if (entry->d_name[0] != '.') {
      (void)sched_setaffinity(atoi(entry->d_name), sizeof *set, set);  // or it has just ended
    }
  }
  return closedir(threads) == 0;
}

// This thread's mask, and its first unit alone. False: it cannot be read.
static inline bool get_masks(cpu_set_t *out_all, cpu_set_t *out_one) {
  if (sched_getaffinity(0, sizeof *out_all, out_all) != 0) {
    return false;
  }
  CPU_ZERO(out_one);
  for (int i = 0; i < CPU_SETSIZE && !CPU_COUNT(out_one); i++) {
    if (CPU_ISSET(i, out_all)) {
      CPU_SET(i, out_one);
    }
  }
  return true;
}

#endif
