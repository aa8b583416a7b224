// Forking while threads are at work.
//
// A child has the forking thread alone. So that no item is in the hands of a thread that is not there, workers stand still
// while another thread forks: both sides store, then look, seq_cst:
//
//   the forking thread                    a worker that has slept
//   1 hold + 1                            1 activity = WORK
//   2 waits until every activity is NONE  2 reads hold; waits while it is set, with activity NONE
//
// Either the first waits, or the second does. A worker at work looks at `hold` before each item, puts the item back and
// stands still. One that is inside a task goes on, also with what that task waits for; and while some worker sleeps inside a
// task, all go on, since they may have what it waits for.
//
// States of mr_scheduler_hold: how many threads fork, how many schedulers have too many workers, and whether the process ends:
//
//   0 <--before_fork(), after_fork--> n FORK       each of the three by itself; EXIT stays
//   0 <-----set_active()------------> n SURPLUS
//   0 ------stop() of ending.c------> EXIT
//
//   who                    operation               order, and with what it pairs                             at once
//   thread that forks      + FORK, - FORK          seq_cst, then it looks at `activity`: above               everybody
//   scheduler              + SURPLUS, - SURPLUS    relaxed: a worker that learns it late does one more item  everybody
//   who ends the process   sets EXIT               release of since_ns, for is_over()                        everybody
//   forked child           clears FORKs            relaxed: there is nobody else                             nobody
//   worker                 load, before each item  relaxed: a hint; mr_worker_comes_back() looks again       everybody
//   worker that has slept  load                    seq_cst, after its `activity`: above                      everybody
//
// States of worker.activity:
//
//   NONE --mr_worker_comes_back()--> WORK --sleeps, or stands still--> NONE
//    ^------------ held -------------+ |---sleeps inside a task--> WAITS --> WORK
//
//   who                     operation              order, and with what it pairs                          at once
//   worker                  store, -> WORK         seq_cst, then it reads `hold`; relaxed where it stood  who forks
//                                                  still while the process ends
//   worker                  store, -> NONE, WAITS  release of what it has put back into queues            who forks
//   who forks, or ends the  load                   seq_cst, after `hold`: above; acquire of the queues    workers
//   process
//   worker that is held     load of the others'    relaxed: there is another look soon                    everybody
#include <time.h>

#include "futures/park.h"
#include "scheduler/internal.h"

_Atomic(uint32_t) mr_scheduler_hold;
_Atomic(uint32_t) mr_scheduler_forked;
uint64_t mr_fork_wait_ns = MR_FORK_WAIT_NS;

// ---- Workers --------------------------------------------------------------------------------------------------------

static bool somebody_waits_inside(const mr_scheduler *scheduler) {
  for (uint32_t i = 0; i < scheduler->worker_count; i++) {
    // relaxed: there is another look soon.
    uint32_t now = atomic_load_explicit(&scheduler->workers[i]->activity, memory_order_relaxed);
    if (now == ACTIVITY_WAITS) {
      return true;
    }
  }
  return false;
}

void mr_worker_comes_back(worker *w) {
  for (;;) {
    // seq_cst on both: see above.
    atomic_store_explicit(&w->activity, ACTIVITY_WORK, memory_order_seq_cst);
    uint32_t hold = atomic_load_explicit(&mr_scheduler_hold, memory_order_seq_cst);
    if (MR_LIKELY(!(hold & HOLD_FORKS)) || hold >= HOLD_EXIT || w->in_task || w->is_guest) {
      break;
    }
    if (somebody_waits_inside(w->scheduler)) {
      break;
    }
    // release, pairs with the acquire in somebody_works(): what this thread put back.
    atomic_store_explicit(&w->activity, ACTIVITY_NONE, memory_order_release);
    mr_park(&mr_scheduler_hold, hold, mr_now_ns() + MR_HOLD_LOOK_NS);
  }
  mr_scheduler_look_at_units(w->scheduler);
}

bool mr_worker_hold(worker *w, mr_item item) {
  uint32_t hold = atomic_load_explicit(&mr_scheduler_hold, memory_order_relaxed);
  if (hold >= HOLD_EXIT) {
    return mr_worker_hold_at_exit(w, item);
  }
  bool surplus = mr_worker_is_surplus(w);
  if (!surplus && !(hold & HOLD_FORKS)) {
    return true;
  }
  if (surplus && !w->in_task && (item & (ITEM_JOB | ITEM_CALL))) {
    w->in_task = true;
    mr_worker_run_item(w, item);
    w->in_task = false;
    mr_worker_stand_aside(w);
    return false;
  }
  // A loop's share and a scope's call are part of what somebody is inside.
  if (w->in_task || w->is_guest || (item & (ITEM_JOB | ITEM_CALL))) {
    return true;
  }
  if (!surplus && somebody_waits_inside(w->scheduler)) {
    return true;
  }
  if (mr_deque_push(&w->deque, item) == MR_PUSH_FULL) {
    return true;
  }
  if (surplus) {
    mr_scheduler_wake_one(w->scheduler, 0, w->scheduler->worker_count);
    mr_worker_stand_aside(w);
  } else {
    mr_worker_comes_back(w);
  }
  return false;
}

// ---- The forking thread -----------------------------------------------------------------------------------------------

static bool somebody_works(bool also_waiting) {
  bool found = false;
  pthread_mutex_lock(&mr_schedulers_lock);
  for (mr_scheduler *s = mr_schedulers; s && !found; s = s->next) {
    for (uint32_t i = 0; i < s->worker_count && !found; i++) {
      // seq_cst, for fork: see above. Acquire for what the worker put back.
      uint32_t now = atomic_load_explicit(&s->workers[i]->activity, memory_order_seq_cst);
      found = s->workers[i] != mr_worker_self() && (now == ACTIVITY_WORK || (also_waiting && now == ACTIVITY_WAITS));
    }
    for (uint32_t k = 0; k < MR_SCHEDULER_SUBSTITUTES && !found; k++) {
      worker *w = mr_substitutes_live(s, &k);
      found = w && w != mr_worker_self() &&
              atomic_load_explicit(&w->activity, memory_order_seq_cst) == ACTIVITY_WORK;  // likewise
    }
  }
  pthread_mutex_unlock(&mr_schedulers_lock);
  return found;
}

void mr_workers_wait(bool also_waiting, uint64_t most_ns) {
  uint64_t deadline = mr_now_ns() + most_ns;
  while (somebody_works(also_waiting) && mr_now_ns() < deadline) {
    nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
  }
}

static void before_fork(void) {
  atomic_fetch_add_explicit(&mr_scheduler_hold, HOLD_FORK, memory_order_seq_cst);  // see above
  mr_workers_wait(true, mr_fork_wait_ns);
}

static void after_fork_in_parent(void) {
  atomic_fetch_sub_explicit(&mr_scheduler_hold, HOLD_FORK, memory_order_seq_cst);
  mr_unpark(&mr_scheduler_hold, INT32_MAX);
}

// ---- The child: relaxed throughout, there is nobody else ----------------------------------------------------------------

// A thread that is not there may have been in the middle of taking from its deque: bottom is one too low then.
static void repair_deque(mr_deque *deque) {
  int64_t top = atomic_load_explicit(&deque->top, memory_order_relaxed);
  int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
  if (bottom < top) {
    atomic_store_explicit(&deque->bottom, top, memory_order_relaxed);
  }
}

// Loops whose callers are gone must not be joined. Those of this thread go on.
static void forget_loops(mr_group *group) {
  bool mine = mr_loops_are_open();
  for (size_t k = 0; k < MR_GROUP_JOBS; k++) {
    job *j = &group->jobs[k];
    uint64_t state = atomic_load_explicit(&j->state, memory_order_relaxed);
    atomic_store_explicit(&j->state, state & ~(uint64_t)(mine ? 0xffff : 0xffffffff), memory_order_relaxed);
  }
  if (mine) {
    return;
  }
  atomic_store_explicit(&group->open_jobs, 0, memory_order_relaxed);
  atomic_store_explicit(&group->used_jobs, 0, memory_order_relaxed);
}

static bool is_this_threads(const worker *w) {
  bool is = w == mr_worker_self();
  for (const worker *out = mr_guest_outside(); out && !is; out = out->out_before) {
    is = out == w;
  }
  return is;
}

static void forget_threads(mr_scheduler *scheduler) {
  for (size_t i = 0; i < SLEEPER_WORDS; i++) {
    atomic_store_explicit(&scheduler->sleepers[i], 0, memory_order_relaxed);
  }
  atomic_store_explicit(&scheduler->sleeper_count, 0, memory_order_relaxed);
  atomic_store_explicit(&scheduler->searching, 0, memory_order_relaxed);
  uint32_t guests = 0;
  for (uint32_t i = 0; i < scheduler->worker_count + MR_SCHEDULER_GUESTS; i++) {
    worker *w = scheduler->workers[i];
    w->joinable = false;
    if (is_this_threads(w)) {
      if (w->is_guest) {
        guests |= 1u << (i - scheduler->worker_count);
      }
      continue;
    }
    w->in_task = w->ahead = w->searching = w->sleeping = false;
    repair_deque(&w->deque);
    if (w->next_item) {
      mr_deque_push(&w->deque, w->next_item);
    }
    w->next_item = 0;
    mr_calls_init(&w->calls);  // of scopes on stacks that are not there any more
    atomic_store_explicit(&w->token, 0, memory_order_relaxed);
    atomic_store_explicit(&w->activity, ACTIVITY_NONE, memory_order_relaxed);
    atomic_store_explicit(&w->thread_id, 0, memory_order_relaxed);
  }
  mr_substitutes_forget(scheduler);
  atomic_store_explicit(&scheduler->guests, guests, memory_order_relaxed);
  atomic_store_explicit(&scheduler->inside, 0, memory_order_relaxed);
  uint32_t groups = atomic_load_explicit(&scheduler->group_count, memory_order_relaxed);
  for (uint32_t i = 0; i < groups; i++) {
    forget_loops(scheduler->groups[i]);
  }
  if (atomic_load_explicit(&scheduler->state, memory_order_relaxed) == SCHEDULER_RUNNING) {
    atomic_store_explicit(&scheduler->state, SCHEDULER_IDLE, memory_order_relaxed);
    scheduler->was_running = true;
    atomic_store_explicit(&mr_scheduler_forked, 1, memory_order_relaxed);
  }
}

void mr_scheduler_start_again(void) {
  if (!atomic_exchange_explicit(&mr_scheduler_forked, 0, memory_order_relaxed)) {
    return;
  }
  pthread_mutex_lock(&mr_schedulers_lock);
  for (mr_scheduler *s = mr_schedulers; s; s = s->next) {
    if (s->was_running) {
      mr_scheduler_start_threads(s);
    }
  }
  pthread_mutex_unlock(&mr_schedulers_lock);
}

static void after_fork_in_child(void) {
  for (mr_scheduler *s = mr_schedulers; s; s = s->next) {
    forget_threads(s);
  }
  atomic_fetch_and_explicit(&mr_scheduler_hold, ~(uint32_t)HOLD_FORKS, memory_order_relaxed);
}

// ---- Being told -------------------------------------------------------------------------------------------------------

static mr_fork_lock list_lock = {.lock = &mr_schedulers_lock};
__attribute__((constructor)) static void list_is_listed(void) { mr_fork_add_lock(&list_lock); }

void mr_scheduler_guard_forks(mr_scheduler *scheduler) {
  static mr_fork_part part = {.order = MR_FORK_WORKERS,
                              .before = before_fork,
                              .in_parent = after_fork_in_parent,
                              .in_child = after_fork_in_child};
  mr_fork_guard(&part);
  scheduler->locks_in_forks[0].lock = &scheduler->lock;
  scheduler->locks_in_forks[1].lock = &scheduler->substitutes_lock;
  mr_fork_add_lock(&scheduler->locks_in_forks[0]);
  mr_fork_add_lock(&scheduler->locks_in_forks[1]);
}

void mr_scheduler_ignore_forks(mr_scheduler *scheduler) {
  mr_fork_remove_lock(&scheduler->locks_in_forks[0]);
  mr_fork_remove_lock(&scheduler->locks_in_forks[1]);
}
