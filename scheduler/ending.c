// The process's end (core/ending.h). What is queued does not begin, and mostly nobody is told: the host that would hear of it is being taken
// apart. But a thread that ends the process may wait for something first, in a destructor of the host's, or for another thread that
// does. So whoever waits cancels what comes to it, and a process that is still there after a while has workers that do so.
#include "core/ending.h"

#include "futures/park.h"
#include "scheduler/internal.h"

static _Atomic(uint64_t) since_ns;  // relaxed: HOLD_EXIT is set after it

// By who has seen HOLD_EXIT.
static bool is_over(void) {
  // acquire, pairs with stop(): with the time.
  (void)atomic_load_explicit(&mr_scheduler_hold, memory_order_acquire);
  return mr_now_ns() - atomic_load_explicit(&since_ns, memory_order_relaxed) > MR_EXIT_STAND_NS;
}

// Where it is put back others find it.
static bool put_back(worker *w, mr_item item) { return mr_deque_push(&w->deque, item) != MR_PUSH_FULL; }

bool mr_worker_hold_at_exit(worker *w, mr_item item) {
  // Part of what somebody is inside, or what somebody waits for.
  if ((item & (ITEM_JOB | ITEM_CALL)) || w->in_task || w->is_guest || is_over() || !put_back(w, item)) {
    return true;
  }
  // release, pairs with the acquire in somebody_works(). The rest relaxed: there is another look soon.
  atomic_store_explicit(&w->activity, ACTIVITY_NONE, memory_order_release);
  while (!is_over() && !atomic_load_explicit(&w->scheduler->stopping, memory_order_relaxed)) {
    uint32_t hold = atomic_load_explicit(&mr_scheduler_hold, memory_order_relaxed);
    mr_park(&mr_scheduler_hold, hold, mr_now_ns() + MR_HOLD_LOOK_NS);
  }
  atomic_store_explicit(&w->activity, ACTIVITY_WORK, memory_order_relaxed);
  return false;
}

static void stop(void) {
  atomic_store_explicit(&since_ns, mr_now_ns(), memory_order_relaxed);
  // release, pairs with is_over().
  atomic_fetch_or_explicit(&mr_scheduler_hold, HOLD_EXIT, memory_order_release);
}

// Kernels of ours, which no library is under, get a moment.
static void wait_for_workers(void) { mr_workers_wait(false, MR_EXIT_WAIT_NS); }

void mr_scheduler_watch_ending(void) {
  static mr_ending_part part = {.stop = stop, .wait = wait_for_workers};
  mr_ending_guard(&part);
}
