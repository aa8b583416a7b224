// The engine under stress: goes through its scenarios a few times as an ordinary test; `./dev stress` gives it a time, minutes, with
// ThreadSanitizer, and in builds with delays before atomic operations (core/chaos.h).
//
//   MILLRACE_STRESS_SECONDS   how long, and through all of them at least once
//   MILLRACE_TEST_SEED        repeats a run, as far as threads repeat themselves; printed
#include <string.h>

#include "scheduler/internal.h"
#include "tests/stress/stress.h"

uint32_t stress_seed;

static const struct scenario {
  const char *name;
  void (*run)(uint32_t seed);
} scenarios[] = {
    {"waiters", stress_waiters}, {"deque", stress_deque},   {"parking", stress_parking},
    {"timers", stress_timers},   {"cancel", stress_cancel}, {"shutdown", stress_shutdown},
    {"fork", stress_fork},       {"runs", stress_runs},     {"waits inside", stress_waits_inside},
    {"loops", stress_loops},     {"scopes", stress_scopes}, {"fork waits", stress_fork_waits},
    {"units", stress_units},
};

static uint64_t setting(const char *name, uint64_t fallback) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 10) : fallback;
}

enum { ROUNDS = UNDER_TSAN ? 1 : 4 };

// One argument: only the scenario of that name.
int main(int argc, char **argv) {
  uint64_t seconds = setting("MILLRACE_STRESS_SECONDS", 0), end = mr_now_ns() + seconds * 1000000000;
  stress_seed = (uint32_t)setting("MILLRACE_TEST_SEED", 1);
  printf("seed %u\n", stress_seed);
  fflush(stdout);
  mr_fork_wait_ns = 100000000000;  // however busy the machine is
  uint32_t rounds = 0;
  do {
    for (size_t i = 0; i < MR_ARRAY_SIZE(scenarios); i++) {
      if (argc > 1 && strcmp(argv[1], scenarios[i].name) != 0) {
        continue;
      }
      scenarios[i].run(stress_seed + rounds * 1000003u + (uint32_t)i * 7919u);
    }
    rounds++;
  } while (seconds ? mr_now_ns() < end : rounds < ROUNDS);
  printf("%u rounds of %zu scenarios, nothing lost and nothing twice\n", rounds, MR_ARRAY_SIZE(scenarios));
  return 0;
}
