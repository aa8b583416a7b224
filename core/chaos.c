// The delays. Nothing here synchronizes: a delay must not order what the code under test leaves unordered, so that
// ThreadSanitizer still sees it.
#ifdef MILLRACE_CHAOS
#include "core/chaos.h"

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static uint32_t seed;          // written before there are threads
static uint32_t thread_count;  // relaxed
static _Thread_local uint32_t random_state __attribute__((tls_model("initial-exec")));

__attribute__((constructor)) static void read_seed(void) {
  const char *text = getenv("MILLRACE_CHAOS");
  if (text) {
    seed = (uint32_t)strtoul(text, NULL, 10);
  }
}

static uint32_t next_random(void) {
  uint32_t x = random_state;
  if (!x) {
    uint32_t thread = __atomic_add_fetch(&thread_count, 1, __ATOMIC_RELAXED);
    x = (seed ^ thread * 2654435769u) | 1;
  }
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return random_state = x;
}

static void pause_for(uint32_t pauses) {
  for (volatile uint32_t i = 0; i < pauses; i++) {
  }
}

void mr_chaos(void) {
  if (!seed) {
    return;
  }
  uint32_t r = next_random();
  if (r % 16) {
    return;
  }
  r /= 16;
  uint32_t kind = r % 256;
  r /= 256;
  if (kind == 0) {
    nanosleep(&(struct timespec){.tv_nsec = (long)(r % 200000)}, NULL);
  } else if (kind < 16) {
    sched_yield();
  } else {
    pause_for(r % 512);
  }
}

bool mr_chaos_fails(void) { return seed && next_random() % 8 == 0; }

#endif
