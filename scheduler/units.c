// The processing units that the process may use can become fewer while it runs (taskset, a container's limits). Workers look now
// and then when they wake up; those that are too many put back what they have and stand aside until there are more units again.
//
// A worker stands aside on its own token without a bit in `sleepers`, so nobody wakes it for work. What is in its deque is
// there for others to steal. There never come to be more workers than the scheduler began with.
#include <sched.h>
#include <string.h>

#include "futures/park.h"
#include "scheduler/internal.h"
#include "scheduler/quota.h"

enum { MASK_BITS = 1 << 13 };

typedef union mask {
  cpu_set_t set;  // for its alignment
  uint64_t words[MASK_BITS / 64];
} mask;

// What all workers together may run on. 0: not known.
static uint32_t count_units(const mr_scheduler *scheduler) {
  mask all, one;
  memset(&all, 0, sizeof all);
  for (uint32_t i = 0; i < scheduler->worker_count; i++) {
    // relaxed: a thread that has just begun is counted the next time.
    int32_t id = atomic_load_explicit(&scheduler->workers[i]->thread_id, memory_order_relaxed);
    if (!id) {
      continue;
    }
    memset(&one, 0, sizeof one);
    if (sched_getaffinity(id, sizeof one, &one.set) != 0) {
      return 0;
    }
    for (size_t k = 0; k < MR_ARRAY_SIZE(all.words); k++) {
      all.words[k] |= one.words[k];
    }
  }
  uint32_t count = 0;
  for (size_t k = 0; k < MR_ARRAY_SIZE(all.words); k++) {
    count += (uint32_t)__builtin_popcountll(all.words[k]);
  }
  return count;
}

// With the scheduler's lock held.
static void set_active(mr_scheduler *scheduler, uint32_t active) {
  // relaxed throughout: a worker that learns it late does one more item, or looks again.
  uint32_t before = atomic_load_explicit(&scheduler->active, memory_order_relaxed);
  if (active == before) {
    return;
  }
  bool was_surplus = before < scheduler->worker_count, is_surplus = active < scheduler->worker_count;
  atomic_store_explicit(&scheduler->active, active, memory_order_relaxed);
  if (is_surplus && !was_surplus) {
    atomic_fetch_add_explicit(&mr_scheduler_hold, HOLD_SURPLUS, memory_order_relaxed);
  }
  if (was_surplus && !is_surplus) {
    atomic_fetch_sub_explicit(&mr_scheduler_hold, HOLD_SURPLUS, memory_order_relaxed);
  }
  for (uint32_t i = before; i < active; i++) {
    mr_unpark(&scheduler->workers[i]->token, 1);
  }
}

void mr_scheduler_look_at_units(mr_scheduler *scheduler) {
  uint64_t now = mr_now_ns();
  // relaxed: about when.
  if (now < atomic_load_explicit(&scheduler->next_look, memory_order_relaxed) || scheduler->topology->synthetic) {
    return;
  }
  if (pthread_mutex_trylock(&scheduler->lock) != 0) {
    return;
  }
  // A look takes a system call for each worker.
  uint64_t pause_ns = MR_UNITS_LOOK_NS * (uint64_t)(1 + scheduler->worker_count / 16);
  atomic_store_explicit(&scheduler->next_look, now + pause_ns, memory_order_relaxed);
  if (scheduler->looks++ % MR_UNITS_LOOKS_PER_QUOTA == 0) {
    scheduler->quota = mr_quota_units();
  }
  uint32_t units = count_units(scheduler), began_with = scheduler->topology->unit_count;
  if (!units || units > began_with) {
    units = began_with;
  }
  if (scheduler->quota && scheduler->quota < units) {
    units = scheduler->quota;
  }
  mr_note_allowed_units(units);
  // Who asked for more workers than units has them as long as the units are those that there were.
  bool fewer = units < scheduler->topology->parallelism;
  set_active(scheduler, fewer ? MR_MIN(units, scheduler->worker_count) : scheduler->worker_count);
  pthread_mutex_unlock(&scheduler->lock);
}

void mr_scheduler_forget_units(mr_scheduler *scheduler) { set_active(scheduler, scheduler->worker_count); }

bool mr_worker_is_surplus(const worker *w) {
  // relaxed: as in set_active().
  return !w->is_guest && w->index >= atomic_load_explicit(&w->scheduler->active, memory_order_relaxed);
}

void mr_worker_stand_aside(worker *w) {
  mr_scheduler *scheduler = w->scheduler;
  uint64_t start = mr_trace_begin();
  mr_worker_give_calls(w);
  // release, pairs with the acquire in fork.c: what this thread put back.
  atomic_store_explicit(&w->activity, ACTIVITY_NONE, memory_order_release);
  // relaxed: there is another look soon.
  while (mr_worker_is_surplus(w) && !atomic_load_explicit(&scheduler->stopping, memory_order_relaxed)) {
    mr_park(&w->token, 0, mr_now_ns() + MR_UNITS_LOOK_NS);
    mr_scheduler_look_at_units(scheduler);
  }
  mr_trace_end(MR_TRACE_WORKER, "stands aside", start);
  mr_worker_comes_back(w);
}
