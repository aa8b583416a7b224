// See eventcount.h for the argument that no wake-up is lost.
#include "core/eventcount.h"

#include "core/core.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long futex(atomic_uint_least32_t *word, int operation, uint32_t value, const struct timespec *timeout) {
  return syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, timeout, NULL,
                 FUTEX_BITSET_MATCH_ANY);
}

void mr_eventcount_init(mr_eventcount *event) {
  atomic_init(&event->epoch, 0);
  atomic_init(&event->waiters, 0);
}

uint32_t mr_eventcount_prepare(mr_eventcount *event) {
  // seq_cst: the waiter's store, before it looks for work; pairs with the load in mr_eventcount_notify.
  atomic_fetch_add_explicit(&event->waiters, 1, memory_order_seq_cst);
  // seq_cst: not before the line above. It also acquires: whoever reads an epoch sees what was published before it
  // moved there, so a waiter that comes between publish and notify finds the work.
  return atomic_load_explicit(&event->epoch, memory_order_seq_cst);
}

void mr_eventcount_cancel(mr_eventcount *event) {
  // relaxed: a notifier that still counts us wakes for nothing, which is allowed.
  atomic_fetch_sub_explicit(&event->waiters, 1, memory_order_relaxed);
}

static bool moved(mr_eventcount *event, uint32_t key) {
  // acquire, pairs with the fetch_add in mr_eventcount_notify: the work behind the wake-up is visible.
  return atomic_load_explicit(&event->epoch, memory_order_acquire) != key;
}

bool mr_eventcount_wait_until(mr_eventcount *event, uint32_t key, unsigned spins, uint64_t deadline_ns) {
  bool woken = moved(event, key);
  for (unsigned i = 0; i < spins && !woken; i++) {
    mr_cpu_relax();
    woken = moved(event, key);
  }
  const struct timespec deadline = {.tv_sec = (time_t)(deadline_ns / 1000000000u),
                                    .tv_nsec = (long)(deadline_ns % 1000000000u)};
  const struct timespec *timeout = deadline_ns == UINT64_MAX ? NULL : &deadline;
  while (!woken) {
    // The kernel compares the epoch with the key under its own lock, so a notify just before this call is seen.
    // FUTEX_WAIT_BITSET takes an absolute CLOCK_MONOTONIC time, which is what mr_now_ns counts.
    long result = futex(&event->epoch, FUTEX_WAIT_BITSET, key, timeout);
    int error = errno;
    woken = moved(event, key);
    if (result != 0 && error == ETIMEDOUT) break;
  }
  mr_eventcount_cancel(event);
  return woken;
}

void mr_eventcount_wait(mr_eventcount *event, uint32_t key, unsigned spins) {
  (void)mr_eventcount_wait_until(event, key, spins, UINT64_MAX);
}

void mr_eventcount_notify(mr_eventcount *event, int count) {
  // seq_cst: the notifier's look, after it published; pairs with the fetch_add in mr_eventcount_prepare.
  if (atomic_load_explicit(&event->waiters, memory_order_seq_cst) == 0) return;
  // acq_rel: release hands the published work to waiters whose spin or sleep ends with this value.
  atomic_fetch_add_explicit(&event->epoch, 1, memory_order_acq_rel);
  futex(&event->epoch, FUTEX_WAKE, (uint32_t)(count < 0 ? INT_MAX : count), NULL);
}
