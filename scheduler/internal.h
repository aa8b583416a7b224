// What the files of scheduler/ know of each other.
//
//   scheduler.c   making and ending one; the process's one; fork; exit
//   group.c       groups, inboxes, where ready tasks go
//   worker.c      the loop of a worker and of a guest, and its sleep
//   wake.c        waking those that sleep
//   parallel.c    parallel_for
//   wait.c        guests, and waiting
//   fork.c        forking with threads at work
//   ending.c      the process's end
//   topology.c    the processing units there are, and quota.c how much of them
//   substitute.c  threads in place of workers that are inside a call of the host's
//   units.c       fewer processing units while it runs
//   calls.c       the ring of a thread's calls
//   scope.c       scopes, whose calls these are
#ifndef MR_SCHEDULER_INTERNAL_H
#define MR_SCHEDULER_INTERNAL_H

#include <pthread.h>

#include "core/fork.h"
#include "core/trace.h"
#include "scheduler/calls.h"
#include "scheduler/deque.h"
#include "scheduler/policy.h"
#include "scheduler/scheduler.h"
#include "scheduler/topology.h"
#include "scheduler/tuning.h"

// A contiguous part of a loop's tiles. relaxed everywhere: opening the job publishes them, and before that they are a hint.
typedef struct stripe {
  _Alignas(MR_CACHE_LINE) _Atomic(int64_t) next;  // the first tile that nobody has taken
  _Atomic(int64_t) end;
} stripe;

// A parallel_for that workers may join. The storage is the group's and is used again and again, so a helper that comes too
// late finds a closed job or a later one, never freed memory.
typedef struct job {
  // OPEN | SLEEPER | helpers at work in the low 16 bits; the high half counts uses (parallel.c).
  _Alignas(MR_CACHE_LINE) _Atomic(uint64_t) state;
  // Written by the caller before OPEN, constant while it is open or helpers are at work.
  void (*fn)(void *context, int64_t begin, int64_t end);
  void *context;
  int64_t piece;
  mr_group *group;
  uint32_t caller_stripe;  // where the caller begins
  unsigned float_mode;     // the caller's
  // Also read before joining, when it may be about to change: then the join fails. relaxed everywhere.
  _Atomic(uint32_t) max_helpers;
  stripe stripes[MR_PARALLEL_STRIPES];  // as many as threads may take part, if that is fewer
} job;

// Many threads put, any worker takes everything at once (group.c).
typedef struct inbox {
  _Alignas(MR_CACHE_LINE) _Atomic(mr_task *) newest;
  _Atomic(uint32_t) count;  // about; bounds it
} inbox;

struct mr_group {
  mr_executor executor;  // first: the executor is how a group is known to nodes
  mr_scheduler *scheduler;
  uint32_t first, count;  // its workers; count 0: the scheduler has none
  inbox urgent, normal;
  _Alignas(MR_CACHE_LINE) _Atomic(uint32_t) open_jobs;  // one bit per job that may be joined
  _Alignas(MR_CACHE_LINE) _Atomic(uint32_t) used_jobs;  // one bit per job that belongs to a caller
  job jobs[MR_GROUP_JOBS];
};

// What a worker's thread does, as others may want to know.
typedef enum activity {
  ACTIVITY_NONE,   // it sleeps or stands still, and has nothing in hand
  ACTIVITY_WORK,   // it looks for work or is inside a task
  ACTIVITY_WAITS,  // it sleeps inside a task that waits for something
} activity;

typedef struct worker {
  mr_deque deque;
  mr_calls calls;
  mr_call found_call;  // what an item ITEM_CALL stands for
  // Ticks of mr_trace_now(): when this thread stole many calls, 0 when it has been back for more; and until when it steals none.
  uint64_t many_stolen_at, stays_away_until;
  mr_scheduler *scheduler;
  uint32_t index;
  uint32_t group_count;  // how many of the scheduler's groups it serves, at the front of `groups`
  uint32_t other_count;  // the others, at the back
  uint32_t groups_seen;
  uint32_t *victims;  // other workers, nearest first; then guests
  uint32_t victim_count;
  uint64_t stolen_at;  // when this thread stole a task last; ticks of mr_trace_now(). 0: it was a piece of a run
  pthread_t thread;
  _Atomic(int32_t) thread_id;  // the system's; 0: it has not begun
  uintptr_t stack_limit;       // a task that waits below this address of the stack runs no others meanwhile
  // 1: a wake-up is there. The sleeper waits on it; see `sleepers`.
  _Alignas(MR_CACHE_LINE) _Atomic(uint32_t) token;
  _Atomic(uint32_t) activity;  // an `activity`; for fork and exit
  bool joinable;               // under the scheduler's lock
  bool is_guest;
  // A guest that only waits: it helps with loops, and takes tasks in place of a worker that is idle, not on top of them.
  bool only_waits;
  bool only_loops;            // of these, one that takes no tasks at all
  struct worker *out_before;  // of a guest whose thread is inside a call of the host's: see mr_guest_goes_out()
  bool ahead;                 // it runs a node inside submitting, because enough others are queued
  bool in_task;               // it will look for more when the task it is in returns
  // What the task that returned last made ready: the next link of a chain, which goes past the queue. Empty while the thread
  // is inside a task that has not come to its end.
  mr_item next_item;
  bool searching;  // this thread is counted in the scheduler's `searching` / `sleeper_count`
  bool sleeping;
  // A call of the host's (substitute.c). Since when.
  _Atomic(uint32_t) host;
  _Atomic(uint64_t) host_since;
  // Of a substitute: 1: whom it works for is back. Whether it is somebody's: 0 no, 1 yes, 2 it ends; under the lock, with:
  _Atomic(uint32_t) over, assigned;
  bool has_thread;
  bool express;  // of the last substitute: it runs what is urgent, and nothing else
  // Counters, written by this thread alone.
  _Atomic(uint64_t) items, stolen, from_inbox, loop_shares, sleeps;
  mr_group *groups[MR_SCHEDULER_GROUPS];
} worker;

enum {
  MAX_WORKERS = 1024,
  SLEEPER_WORDS = (MAX_WORKERS + MR_SCHEDULER_GUESTS + MR_SCHEDULER_SUBSTITUTES + 63) / 64,
  SUBSTITUTE_WORDS = MR_SCHEDULER_SUBSTITUTES / 64
};

typedef enum scheduler_state {
  SCHEDULER_IDLE,  // no threads yet; the first ready task starts them
  SCHEDULER_RUNNING,
  SCHEDULER_STOPPING,  // nothing queued is run any more, only cancelled
} scheduler_state;

struct mr_scheduler {
  _Atomic(uint32_t) refs;
  _Atomic(uint32_t) state;
  _Atomic(uint32_t) stopping;  // 1: the workers' loops end
  // workers[0 .. worker_count), then MR_SCHEDULER_GUESTS guests, then MR_SCHEDULER_SUBSTITUTES, NULL until there is a use for one
  uint32_t worker_count;
  mr_topology *topology;
  const mr_policy *policy;
  worker **workers;
  // Threads that look for work. Whoever wakes a sleeper counts it here on its behalf.
  _Alignas(MR_CACHE_LINE) _Atomic(uint32_t) searching;
  _Atomic(uint32_t) lengthy;  // tasks that take long, of those that have begun; seq_cst: see group.c: is_held_up()
  _Atomic(uint32_t) sleeper_count;  // bits in `sleepers`, changed before or after them; a hint
  // States of mr_scheduler.sleepers, worker.token, a bit and a word for each worker:
  //
  //   awake: 0, 0 --announces sleep--> 1, 0 --who wakes takes the bit--> 0, 0 --and gives the token--> 0, 1
  //     ^                               |                                                               |
  //     +-- it has found something -----+                                                               |
  //     +------------------------------ the sleeper takes the token ------------------------------------+
  //
  //   who                     operation                         order, and with what it pairs                               at once
  //   worker                  sets its bit                      seq_cst, then it looks once more: the protocol in worker.c  everybody
  //   who wakes; the worker,  clears the bit; whose it was has  seq_cst likewise                                            everybody
  //   with something found    it
  //   who has taken the bit   store, token 0 -> 1               release of what the worker is woken for                     nobody
  //   worker                  parks; load of token              acquire, of that                                            who has its bit
  //   worker                  store, token 1 -> 0               relaxed: the next one is given after the bit is set again   nobody
  _Alignas(MR_CACHE_LINE) _Atomic(uint64_t) sleepers[SLEEPER_WORDS];
  _Alignas(MR_CACHE_LINE) _Atomic(uint32_t) guests;  // one bit per guest in use (wait.c)
  // One bit per substitute that has a thread; somebody watches; the watcher is to end; threads that have not ended.
  _Alignas(MR_CACHE_LINE) _Atomic(uint64_t) substitutes[SUBSTITUTE_WORDS];
  _Atomic(uint32_t) watch, watch_ends, substitute_threads;
  pthread_mutex_t substitutes_lock;  // which substitute is whose, and
  bool has_watcher;
  pthread_t watcher;
  // Threads between making something visible and waking somebody for it. What they made visible may let the last reference
  // go, so ending waits for them.
  _Alignas(MR_CACHE_LINE) _Atomic(uint32_t) inside;
  _Atomic(uint32_t) group_count;
  mr_group *groups[MR_SCHEDULER_GROUPS];  // written before group_count covers them
  pthread_mutex_t lock;                   // starting, ending, making groups
  mr_fork_lock locks_in_forks[2];         // both
  mr_scheduler *next;                     // of mr_schedulers
  // Workers from this index on are too many; the time of the next look; under the lock: how many looks, and the CPU quota.
  _Atomic(uint32_t) active;
  _Atomic(uint64_t) next_look;
  uint32_t looks, quota;
  bool was_running;  // when this process was forked off
};

static inline void mr_scheduler_step_inside(mr_scheduler *scheduler) {
  // relaxed: comes before the store that makes something visible, and that releases it.
  atomic_fetch_add_explicit(&scheduler->inside, 1, memory_order_relaxed);
}
static inline void mr_scheduler_step_outside(mr_scheduler *scheduler) {
  // release, pairs with the acquire in shut_down(): we do not touch the scheduler any more.
  atomic_fetch_sub_explicit(&scheduler->inside, 1, memory_order_release);
}

// seq_cst: see mr_worker_share_calls().
static inline bool mr_scheduler_has_idle(mr_scheduler *scheduler) {
  return atomic_load_explicit(&scheduler->searching, memory_order_seq_cst) != 0 ||
         atomic_load_explicit(&scheduler->sleeper_count, memory_order_seq_cst) != 0;
}

// One more; a plain addition, since one thread writes it. relaxed: read for statistics.
static inline void mr_count(_Atomic(uint64_t) *counter) {
  uint64_t value = atomic_load_explicit(counter, memory_order_relaxed);
  atomic_store_explicit(counter, value + 1, memory_order_relaxed);
}

// The calling thread's worker, of whatever scheduler.
worker *mr_worker_self(void);
void mr_worker_set_self(worker *w);
// A guest that does not only wait is none while it is inside a call of the host's: what waits there is the program's thread, which takes
// no tasks. Its place stays its own. False: it stays a guest, as nobody else would do what it has made ready.
bool mr_guest_goes_out(worker *w);
bool mr_guest_comes_back(void);  // false: this thread is not one that went out
worker *mr_guest_outside(void);  // this thread's that went out last, the one before in `out_before`

// Items as graph/ makes them, and two more kinds: a job that was joined, and the worker's `found_call`.
enum { ITEM_JOB = 2, ITEM_CALL = 4 };

// ---- worker.c -------------------------------------------------------------------------------------------------------

void *mr_worker_main(void *worker);
// Works until *done is not zero. The caller's worker is `w`.
void mr_worker_work_until(worker *w, const _Atomic(uint32_t) *done);
// Runs the worker's own items until `future` is set (true) or none is left (false).
bool mr_worker_work_down(worker *w, const mr_future *future);
void mr_worker_cancel_all(worker *w);
// The loop ends in which it would be taken: queues `next_item`.
void mr_worker_queue_next(worker *w);
// Where `eighths` of the calling thread's stack are left; 0, no limit, where it is not known.
uintptr_t mr_thread_stack_limit(unsigned eighths);
static inline bool mr_worker_stack_is_deep(const worker *w) {
  return (uintptr_t)__builtin_frame_address(0) < w->stack_limit;
}
void mr_worker_run_item(worker *w, mr_item item);
// Runs one item if there is any.
bool mr_worker_run_one(worker *w);
bool mr_worker_run_urgent(worker *w);  // likewise, of the thread's own and of what is urgent

// ---- wake.c ---------------------------------------------------------------------------------------------------------

// After something was made visible: wakes one sleeper of [first, first + count) unless a worker is looking already.
void mr_scheduler_wake_one(mr_scheduler *scheduler, uint32_t first, uint32_t count);
// The same for a loop that only these may join; a worker that searches may not be one of them.
void mr_scheduler_wake_helper(mr_scheduler *scheduler, uint32_t first, uint32_t count);
// Wakes exactly this one if it sleeps.
void mr_scheduler_wake(mr_scheduler *scheduler, uint32_t index);
// Worker `index` sleeps no more. False: it did not, or another thread has said so before.
bool mr_scheduler_take_sleeper(mr_scheduler *scheduler, uint32_t index);

// ---- group.c --------------------------------------------------------------------------------------------------------

mr_status mr_group_create(mr_scheduler *scheduler, uint32_t first, uint32_t count, mr_group **out_group) MR_WARN_UNUSED;
// Moves what is in the inbox to the worker's deque and returns one of it; 0 when it is empty.
mr_item mr_inbox_take(inbox *box, worker *w);
bool mr_inbox_is_empty(inbox *box);
void mr_inbox_cancel(inbox *box);

// ---- parallel.c -----------------------------------------------------------------------------------------------------

// Joins an open job of the group: NULL, or one that mr_job_help() must be called for.
job *mr_job_join(mr_group *group);
void mr_job_help(job *j);
// For a worker's last look: a job of the group has room for one more.
bool mr_group_wants_help(mr_group *group);

// True while this thread is inside a loop that it shares with others.
bool mr_loops_are_open(void);

// ---- scope.c --------------------------------------------------------------------------------------------------------

// The calls that this thread keeps to itself become public, and somebody is woken for them.
void mr_worker_share_calls(worker *w);
// The same before this thread sleeps; there may be none.
void mr_worker_give_calls(worker *w);
void mr_worker_make_call(worker *w, const mr_call *call);

// ---- scheduler.c ----------------------------------------------------------------------------------------------------

void mr_scheduler_start_threads(mr_scheduler *scheduler);
worker *mr_worker_create(mr_scheduler *scheduler, uint32_t index);  // NULL without memory
// All there are, for fork and exit.
extern pthread_mutex_t mr_schedulers_lock;
extern mr_scheduler *mr_schedulers;  // under the lock

// ---- units.c --------------------------------------------------------------------------------------------------------

// Now and then: how many workers there should be at work. Cheap when it is too early.
void mr_scheduler_look_at_units(mr_scheduler *scheduler);
void mr_scheduler_forget_units(mr_scheduler *scheduler);  // it ends
bool mr_worker_is_surplus(const worker *w);
// Returns when it is surplus no more, or the scheduler stops.
void mr_worker_stand_aside(worker *w);

// ---- wait.c ---------------------------------------------------------------------------------------------------------

// For mr_future_wait_hook.
bool mr_scheduler_wait_hook(mr_future *future, uint64_t deadline_ns);

// ---- substitute.c ---------------------------------------------------------------------------------------------------

// The next substitute from *inout_number on that has a thread, whose number that becomes; NULL: none.
static inline worker *mr_substitutes_live(mr_scheduler *scheduler, uint32_t *inout_number) {
  for (uint32_t k = *inout_number; k < MR_SCHEDULER_SUBSTITUTES; k = (k / 64 + 1) * 64) {
    // acquire, pairs with send() of substitute.c.
    uint64_t bits = atomic_load_explicit(&scheduler->substitutes[k / 64], memory_order_acquire) >> (k % 64);
    if (bits) {
      *inout_number = k + (uint32_t)__builtin_ctzll(bits);
      return scheduler->workers[scheduler->worker_count + MR_SCHEDULER_GUESTS + *inout_number];
    }
  }
  *inout_number = MR_SCHEDULER_SUBSTITUTES;
  return NULL;
}
void mr_substitutes_end(mr_scheduler *scheduler);     // returns when their threads and the watcher have ended
void mr_substitutes_forget(mr_scheduler *scheduler);  // in a forked child
// Something urgent lies in an inbox, and no worker will look there soon: the express does, where it is not at it already.
void mr_scheduler_call_express(mr_scheduler *scheduler);

// ---- ending.c -------------------------------------------------------------------------------------------------------

void mr_scheduler_watch_ending(void);
// As mr_worker_hold(), when the process is ending. True: what the caller has in hand is to be cancelled (mr_worker_run_item() does so).
bool mr_worker_hold_at_exit(worker *w, mr_item item);

// ---- fork.c ---------------------------------------------------------------------------------------------------------

// Not zero: workers come to mr_worker_hold() before they begin another item. How many threads are about to fork, how many
// schedulers have too many workers, and whether the process is on its way out.
enum { HOLD_FORK = 1, HOLD_SURPLUS = 1 << 16, HOLD_EXIT = 1 << 30, HOLD_FORKS = HOLD_SURPLUS - 1 };
extern _Atomic(uint32_t) mr_scheduler_hold;
// Before a worker begins `item`: returns when the reason is gone. False: the item was put back.
bool mr_worker_hold(worker *w, mr_item item);
// Before a thread that has been doing nothing looks at queues: it is at work from here on, unless another one forks, which it
// waits for.
void mr_worker_comes_back(worker *w);
void mr_scheduler_guard_forks(mr_scheduler *scheduler);
void mr_scheduler_ignore_forks(mr_scheduler *scheduler);
// Returns when no other worker is inside a task, or sleeps in one, or after this time.
void mr_workers_wait(bool also_waiting, uint64_t most_ns);
extern uint64_t mr_fork_wait_ns;  // MR_FORK_WAIT_NS; tests on a busy machine want more
// In a forked child that waits for something: what was queued needs threads. Elsewhere a load and a branch.
extern _Atomic(uint32_t) mr_scheduler_forked;
void mr_scheduler_start_again(void);
static inline void mr_scheduler_go_on_after_fork(void) {
  // relaxed: set while there was one thread.
  if (MR_UNLIKELY(atomic_load_explicit(&mr_scheduler_forked, memory_order_relaxed))) {
    mr_scheduler_start_again();
  }
}

#endif
