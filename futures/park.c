// Futex, by hand: pthread conditions need a lock, and a lock may not be held when callbacks run.
#include "futures/park.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/core.h"

_Bool mr_park(const void *word, uint32_t expected, uint64_t deadline_ns) {
  struct timespec deadline;
  if (deadline_ns) {
    deadline.tv_sec = (time_t)(deadline_ns / 1000000000u);
    deadline.tv_nsec = (long)(deadline_ns % 1000000000u);
  }
  // FUTEX_WAIT_BITSET takes an absolute CLOCK_MONOTONIC time, which is what mr_now_ns() counts.
  long rc = syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, expected, deadline_ns ? &deadline : NULL, NULL,
                    FUTEX_BITSET_MATCH_ANY);
  return !(rc == -1 && errno == ETIMEDOUT);
}

void mr_unpark(const void *word, int count) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0); }

void mr_yield(void) { sched_yield(); }

static uint32_t count_allowed_units(void) {
  size_t bits = 1024;
  // The kernel refuses a mask shorter than its own; grow until it fits.
  for (; bits <= 1u << 20; bits *= 2) {
    cpu_set_t *set = CPU_ALLOC(bits);
    if (!set) {
      return 1;
    }
    size_t size = CPU_ALLOC_SIZE(bits);
    if (sched_getaffinity(0, size, set) == 0) {
      int count = CPU_COUNT_S(size, set);
      CPU_FREE(set);
      return count > 0 ? (uint32_t)count : 1;
    }
    CPU_FREE(set);
    if (errno != EINVAL) {
      break;
    }
  }
  return 1;
}

// relaxed throughout: a hint.
static _Atomic(uint32_t) allowed_units;

uint32_t mr_allowed_units(void) {
  uint32_t count = atomic_load_explicit(&allowed_units, memory_order_relaxed);
  if (count == 0) {
    mr_note_allowed_units(count = count_allowed_units());
  }
  return count;
}

void mr_note_allowed_units(uint32_t count) { atomic_store_explicit(&allowed_units, count, memory_order_relaxed); }
