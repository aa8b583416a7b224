// What parallel_for adds: an empty loop with workers awake and asleep, and the speed-up of loops of known length.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "scheduler/scheduler.h"

enum { REPEATS = 101 };

static void spin_ns(uint64_t ns) {
  uint64_t end = mr_now_ns() + ns;
  while (mr_now_ns() < end) {
  }
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static uint64_t tile_ns;
static void work(void *context, int64_t begin, int64_t end) {
  (void)context;
  if (tile_ns) {
    spin_ns(tile_ns * (uint64_t)(end - begin));
  }
}

static void measure(mr_group *group, uint64_t total_ns, uint64_t gap_ns, const char *gap) {
  enum { TILES = 64 };
  double us[REPEATS];
  tile_ns = total_ns / TILES;
  for (int r = 0; r < REPEATS; r++) {
    if (gap_ns) {
      struct timespec pause = {.tv_nsec = (long)gap_ns};
      nanosleep(&pause, NULL);
    }
    uint64_t start = mr_now_ns();
    mr_parallel_for(group, TILES, work, NULL, 1, total_ns ? total_ns : 1000000);
    us[r] = (double)(mr_now_ns() - start) / 1000;
  }
  qsort(us, REPEATS, sizeof *us, compare);
  printf("  %8.1f us of work, %-14s median %8.1f us, 90%% %8.1f us, speed-up %.2f\n", (double)total_ns / 1000, gap,
         us[REPEATS / 2], us[REPEATS * 9 / 10], (double)total_ns / 1000 / us[REPEATS / 2]);
}

int main(void) {
  for (uint32_t threads = 1; threads <= 2; threads++) {
    mr_scheduler *scheduler;
    if (mr_scheduler_create(&(mr_scheduler_options){.workers = threads}, &scheduler)) {
      abort();
    }
    mr_group *group = mr_scheduler_group(scheduler, 0, 1);
    printf("%u thread(s)\n", threads);
    const uint64_t totals[] = {0, 20000, 60000, 100000, 200000, 500000, 2000000};
    for (size_t i = 0; i < MR_ARRAY_SIZE(totals); i++) {
      measure(group, totals[i], 0, "back to back");
      measure(group, totals[i], 2000000, "after 2 ms");
    }
    mr_scheduler_release(scheduler);
  }
  return 0;
}
