// What the files of the stress program share. A scenario is one round of something that should hold whatever the order of
// threads; main() goes through them again and again.
#ifndef MR_TESTS_STRESS_H
#define MR_TESTS_STRESS_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "scheduler/scheduler.h"

#if defined(__SANITIZE_THREAD__)
#define UNDER_TSAN 1
#elif defined(__has_feature)
#define UNDER_TSAN __has_feature(thread_sanitizer)
#else
#define UNDER_TSAN 0
#endif

#define CHECK(holds)                                                                                                  \
  do {                                                                                                                \
    if (!(holds)) {                                                                                                   \
      fprintf(stderr, "%s:%d: does not hold: %s (MILLRACE_TEST_SEED=%u)\n", __FILE__, __LINE__, #holds, stress_seed); \
      abort();                                                                                                        \
    }                                                                                                                 \
  } while (0)

extern uint32_t stress_seed;  // of the whole run
// Long enough for anything, also on a machine that is busy with other things.
#define STRESS_DEADLINE (mr_now_ns() + 120000000000u)

static inline uint32_t next_random(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}

// A few threads that all run `main`; argument + i * size is the i-th one's.
static inline void stress_start(pthread_t *threads, uint32_t count, void *(*main)(void *), void *argument,
                                size_t size) {
  for (uint32_t i = 0; i < count; i++) {
    CHECK(!pthread_create(&threads[i], NULL, main, (char *)argument + i * size));
  }
}
static inline void stress_join(pthread_t *threads, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    CHECK(!pthread_join(threads[i], NULL));
  }
}

// graphs.c
void stress_cancel(uint32_t seed);
void stress_shutdown(uint32_t seed);
void stress_fork(uint32_t seed);
// runs.c
void stress_runs(uint32_t seed);
void stress_waits_inside(uint32_t seed);
void stress_fork_waits(uint32_t seed);
void stress_loops(uint32_t seed);
void stress_scopes(uint32_t seed);
// units.c
void stress_units(uint32_t seed);
// queues.c
void stress_waiters(uint32_t seed);
void stress_deque(uint32_t seed);
void stress_parking(uint32_t seed);
void stress_timers(uint32_t seed);

#endif
