// eventcount: park a thread until something it looks at has changed, without a lock around that something.
//
// Threads: any number of waiters and notifiers at once. A wake-up is never lost, a spurious one is possible.
// Both sides store, then look, and the four accesses are seq_cst:
//
//   waiter                                      notifier
//   1 key = mr_eventcount_prepare(&event);      1 publish the work (seq_cst store or read-modify-write)
//   2 look for work (seq_cst load)              2 mr_eventcount_notify(&event, 1);  // looks for waiters
//   3 found:  mr_eventcount_cancel(&event);
//     none:   mr_eventcount_wait(&event, key, spins);  then look again
//
// In the single order of the seq_cst accesses either the waiter's 1 comes before the notifier's 2, which then wakes it,
// or the notifier's 1 comes before the waiter's 2, which then finds the work.
#ifndef MR_CORE_EVENTCOUNT_H
#define MR_CORE_EVENTCOUNT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct mr_eventcount {
  atomic_uint_least32_t epoch;    // the futex; moves on with every notify that found a waiter
  atomic_uint_least32_t waiters;  // threads between prepare and cancel or the end of wait
} mr_eventcount;

void mr_eventcount_init(mr_eventcount *event);
// Announces that the caller may sleep. Must be followed by cancel or wait.
uint32_t mr_eventcount_prepare(mr_eventcount *event);
void mr_eventcount_cancel(mr_eventcount *event);
// Looks `spins` times for a notify that came after prepare, then sleeps until one comes.
void mr_eventcount_wait(mr_eventcount *event, uint32_t key, unsigned spins);
// The same with a deadline in mr_now_ns() time; false when it passed first.
bool mr_eventcount_wait_until(mr_eventcount *event, uint32_t key, unsigned spins, uint64_t deadline_ns);
// Wakes up to `count` waiters. One load when nobody waits.
void mr_eventcount_notify(mr_eventcount *event, int count);

static inline void mr_cpu_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

#endif
