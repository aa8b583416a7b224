// A worker's loop: own deque, inboxes, open jobs, stealing, a while of looking around, sleep.
//
// Sleeping loses no wake-up. Both sides store, then look, all seq_cst:
//
//   whoever makes work visible            a worker that found nothing
//   1 push (deque, inbox, job)            1 searching - 1
//   2 read searching, sleepers            2 set its bit in `sleepers`
//   3 nobody searches: take a bit,        3 look at everything once more
//     searching + 1, token = 1, wake      4 wait for the token
//
// Either the first sees the bit, or the second sees the work. While somebody searches nobody is woken: the searcher either
// finds the work, or gets to its own 1 to 3 after it. Who stops searching because it found something and was the last wakes
// the next, since there may be more. So wake-ups come one at a time, and each sleeper is woken by at most one.
#include <stdio.h>
#include <unistd.h>

#include "core/trace.h"
#include "futures/park.h"
#include "scheduler/internal.h"

static _Thread_local worker *self __attribute__((tls_model("initial-exec")));

worker *mr_worker_self(void) { return self; }
void mr_worker_set_self(worker *w) { self = w; }

// ---- Finding --------------------------------------------------------------------------------------------------------

void mr_worker_run_item(worker *w, mr_item item) {
  if (MR_UNLIKELY(item & (ITEM_JOB | ITEM_CALL))) {
    if (item & ITEM_CALL) {
      mr_call call = w->found_call;
      mr_worker_make_call(w, &call);
      return;
    }
    mr_count(&w->loop_shares);
    uint64_t start = mr_trace_begin();
    mr_job_help((job *)(item & ~(mr_item)ITEM_JOB));
    mr_trace_end(MR_TRACE_WORKER, "loop share", start);
    return;
  }
  mr_count(&w->items);
  // relaxed: a task more or less is begun. A worker that waits inside a task gets here while the others end.
  if (MR_UNLIKELY(atomic_load_explicit(&w->scheduler->stopping, memory_order_relaxed) ||
                  atomic_load_explicit(&mr_scheduler_hold, memory_order_relaxed) >= HOLD_EXIT)) {
    mr_item_cancel(item);
  } else {
    mr_item_run(item);
  }
}

static void run_found(worker *w, mr_item item) {
  bool outer = w->in_task;
  w->in_task = true;
  mr_worker_run_item(w, item);
  w->in_task = outer;
}

// Never more threads at work than workers: a thread that merely waits takes the place of an idle one.
static bool may_take_tasks(const worker *w) {
  if (MR_LIKELY(!w->only_waits)) {
    return true;
  }
  if (w->only_loops) {
    return false;
  }
  const mr_scheduler *scheduler = w->scheduler;
  // seq_cst: after this thread has announced sleep, a worker that is not idle by this looks once more before it sleeps.
  return atomic_load_explicit(&scheduler->searching, memory_order_seq_cst) > w->searching ||
         atomic_load_explicit(&scheduler->sleeper_count, memory_order_seq_cst) > w->sleeping;
}

static bool serves(const worker *w, const mr_group *group) {
  return w->is_guest || (w->index >= group->first && w->index - group->first < group->count);
}

// Groups are made while workers run; each keeps its own list: those that it serves in front, the others at the back.
static void refresh_groups(worker *w) {
  // acquire, pairs with the release in mr_scheduler_group(): the groups below the count are complete.
  uint32_t count = atomic_load_explicit(&w->scheduler->group_count, memory_order_acquire);
  if (MR_LIKELY(count == w->groups_seen)) {
    return;
  }
  for (; w->groups_seen < count; w->groups_seen++) {
    mr_group *group = w->scheduler->groups[w->groups_seen];
    if (serves(w, group)) {
      w->groups[w->group_count++] = group;
    } else {
      w->groups[MR_SCHEDULER_GROUPS - ++w->other_count] = group;
    }
  }
}

static mr_item find_urgent(worker *w) {
  for (uint32_t i = 0; i < w->group_count; i++) {
    mr_item item = mr_inbox_take(&w->groups[i]->urgent, w);
    if (MR_UNLIKELY(item != 0)) {
      return item;
    }
  }
  return 0;
}

static mr_item find_job(worker *w) {
  for (uint32_t i = 0; i < w->group_count; i++) {
    job *j = mr_job_join(w->groups[i]);
    if (j) {
      return (mr_item)j | ITEM_JOB;
    }
  }
  return 0;
}

static mr_item find_in_groups(worker *w) {
  for (uint32_t i = 0; i < w->group_count; i++) {
    mr_item item = mr_inbox_take(&w->groups[i]->normal, w);
    if (!item) {
      continue;
    }
    mr_count(&w->from_inbox);
    return item;
  }
  return 0;
}

// The last resort, as stealing: "somebody searches" is only good news for all tasks if who searches takes any.
static mr_item find_in_other_groups(worker *w) {
  for (uint32_t i = 1; i <= w->other_count; i++) {
    mr_group *group = w->groups[MR_SCHEDULER_GROUPS - i];
    mr_item item = mr_inbox_take(&group->urgent, w);
    if (!item) {
      item = mr_inbox_take(&group->normal, w);
    }
    if (item) {
      return item;
    }
  }
  return 0;
}

// A call that this thread has promised to make, or has stolen.
static mr_item find_call(worker *w) {
  if (!mr_calls_take(&w->calls, &w->found_call)) {
    return 0;
  }
  if (mr_calls_should_share(&w->calls)) {
    mr_worker_share_calls(w);
  }
  return ITEM_CALL;
}

// After many calls that took next to no time a thread stays away for a while: moving them costs more than making them.
static bool stays_away(worker *w) {
  if (MR_LIKELY(!w->many_stolen_at && !w->stays_away_until)) {
    return false;
  }
  uint64_t now = mr_trace_now();
  if (w->many_stolen_at) {
    uint64_t took = now - w->many_stolen_at;
    w->many_stolen_at = 0;
    w->stays_away_until = took < MR_CALLS_SHORT_TICKS ? now + took * MR_CALLS_STAY_AWAY : 0;
  }
  if (now < w->stays_away_until) {
    return true;
  }
  w->stays_away_until = 0;
  return false;
}

static mr_item steal_call(worker *w, worker *victim) {
  if (stays_away(w)) {
    return 0;
  }
  mr_call calls[MR_CALLS_BATCH];
  uint32_t count = mr_calls_steal(&victim->calls, calls, w->only_waits ? 1 : MR_CALLS_BATCH);
  if (!count) {
    return 0;
  }
  mr_count(&w->stolen);
  // Newest first, so that the next to be taken is the next in the victim's order.
  for (uint32_t i = 1, k = count - 1; i < k; i++, k--) {
    mr_call other = calls[i];
    calls[i] = calls[k];
    calls[k] = other;
  }
  if (count > 1) {
    mr_calls_put_many(&w->calls, calls + 1, count - 1);
    w->many_stolen_at = mr_trace_now();
  }
  w->found_call = calls[0];
  return ITEM_CALL;
}

// The oldest is on top then: this thread goes on in the victim's order of submission.
static void keep_stolen(worker *w, mr_item *items, uint32_t count) {
  for (uint32_t i = 0; i < count / 2; i++) {
    mr_item other = items[i];
    items[i] = items[count - 1 - i];
    items[count - 1 - i] = other;
  }
  mr_deque_push_many(&w->deque, items, count);  // it has room: who steals has run out
}

static mr_item steal_from(worker *w, worker *victim) {
  mr_item call = steal_call(w, victim);
  if (call) {
    return call;
  }
  // relaxed looks before the seq_cst ones of the steal: most deques are empty.
  int64_t top = atomic_load_explicit(&victim->deque.top, memory_order_relaxed);
  int64_t bottom = atomic_load_explicit(&victim->deque.bottom, memory_order_relaxed);
  if (bottom <= top) {
    return 0;
  }
  if (w->stolen_at && bottom - top < 2 * MR_DEQUE_BATCH && mr_trace_now() - w->stolen_at < MR_STEAL_AGAIN_TICKS) {
    for (int k = 0; k < MR_STEAL_PAUSES; k++) {
      mr_pause();
    }
  }
  mr_item items[MR_DEQUE_BATCH];
  uint32_t count = 1;
  if (w->only_waits) {
    items[0] = mr_deque_steal(&victim->deque);  // it will not stay for more
    if (!items[0]) {
      return 0;
    }
  } else {
    count = mr_deque_steal_many(&victim->deque, items);
    if (!count) {
      return 0;
    }
  }
  if (count > 1) {
    keep_stolen(w, items + 1, count - 1);
  }
  mr_count(&w->stolen);
  w->stolen_at = items[0] & 1 ? 0 : mr_trace_now();
  return items[0];
}

static mr_item steal(worker *w) {
  for (uint32_t i = 0; i < w->victim_count; i++) {
    mr_item item = steal_from(w, w->scheduler->workers[w->victims[i]]);
    if (item) {
      return item;
    }
  }
  for (uint32_t k = 0; k < MR_SCHEDULER_SUBSTITUTES; k++) {
    worker *victim = mr_substitutes_live(w->scheduler, &k);
    mr_item item = victim && victim != w ? steal_from(w, victim) : 0;
    if (item) {
      return item;
    }
  }
  return 0;
}

static mr_item take_next(worker *w) {
  mr_item item = w->next_item;
  w->next_item = 0;
  return item;
}

static mr_item find_anywhere(worker *w) {
  refresh_groups(w);
  if (MR_UNLIKELY(!may_take_tasks(w))) {
    mr_item item = take_next(w);
    if (!item) {
      item = find_call(w);
    }
    if (!item) {
      item = mr_deque_take(&w->deque);
    }
    return item ? item : find_job(w);
  }
  const mr_policy *policy = w->scheduler->policy;
  mr_item item = find_urgent(w);
  if (!item) {
    item = take_next(w);
  }
  if (!item) {
    item = find_call(w);
  }
  if (!item && policy->inbox_first) {
    item = find_in_groups(w);
  }
  if (!item) {
    item = policy->oldest_first ? mr_deque_steal(&w->deque) : mr_deque_take(&w->deque);
  }
  if (!item) {
    item = find_job(w);
  }
  if (!item) {
    item = find_in_groups(w);
  }
  if (!item) {
    item = steal(w);
  }
  if (!item) {
    item = find_in_other_groups(w);
  }
  return item;
}

static bool inboxes_are_empty(mr_group *group) {
  return mr_inbox_is_empty(&group->urgent) && mr_inbox_is_empty(&group->normal);
}

// True when nothing is queued anywhere that this worker could take.
static bool sees_nothing(worker *w) {
  refresh_groups(w);
  if (!mr_deque_is_empty(&w->deque)) {
    return false;
  }
  for (uint32_t i = 0; i < w->group_count; i++) {
    if (mr_group_wants_help(w->groups[i])) {
      return false;
    }
  }
  if (!may_take_tasks(w)) {
    return true;
  }
  for (uint32_t i = 0; i < w->group_count; i++) {
    if (!inboxes_are_empty(w->groups[i])) {
      return false;
    }
  }
  for (uint32_t i = 1; i <= w->other_count; i++) {
    if (!inboxes_are_empty(w->groups[MR_SCHEDULER_GROUPS - i])) {
      return false;
    }
  }
  for (uint32_t i = 0; i < w->victim_count; i++) {
    worker *victim = w->scheduler->workers[w->victims[i]];
    if (!mr_deque_is_empty(&victim->deque) || !mr_calls_have_nothing(&victim->calls)) {
      return false;
    }
  }
  for (uint32_t k = 0; k < MR_SCHEDULER_SUBSTITUTES; k++) {
    worker *victim = mr_substitutes_live(w->scheduler, &k);
    if (victim && victim != w && (!mr_deque_is_empty(&victim->deque) || !mr_calls_have_nothing(&victim->calls))) {
      return false;
    }
  }
  return true;
}

// ---- Looking around and sleeping --------------------------------------------------------------------------------------

static bool is_done(const _Atomic(uint32_t) *done) {
  // seq_cst: also the last look before sleep; pairs with the store before mr_scheduler_wake().
  return atomic_load_explicit(done, memory_order_seq_cst) != 0;
}

// What a searching worker does when it has found something.
static void stop_searching(worker *w) {
  mr_scheduler *scheduler = w->scheduler;
  w->searching = false;
  if (atomic_fetch_sub_explicit(&scheduler->searching, 1, memory_order_seq_cst) == 1) {
    if (atomic_load_explicit(&scheduler->sleeper_count, memory_order_seq_cst) && !sees_nothing(w)) {
      mr_scheduler_wake_one(scheduler, 0, scheduler->worker_count);
    }
  }
}

// Looks until something turns up (returned), `done`, or it is time to sleep (0).
static mr_item look_around_now(worker *w, const _Atomic(uint32_t) *done) {
  uint64_t start = mr_now_ns(), yielded = start;
  uint64_t limit = mr_allowed_units() > 1 ? MR_WORKER_SPIN_NS : 0;
  for (;;) {
    for (int round = 0; round < MR_WORKER_ROUNDS; round++) {
      mr_item item = find_anywhere(w);
      if (item || is_done(done)) {
        return item;
      }
      for (int i = 0; i < MR_WORKER_PAUSES; i++) {
        mr_pause();
      }
    }
    uint64_t now = mr_now_ns();
    if (now - start > limit) {
      return 0;
    }
    if (now - yielded < MR_WORKER_YIELD_NS) {
      continue;
    }
    mr_yield();
    yielded = mr_now_ns();
    if (yielded - now > MR_WORKER_CONTENDED_NS) {
      return 0;
    }
  }
}

static mr_item look_around(worker *w, const _Atomic(uint32_t) *done) {
  uint64_t start = mr_trace_begin();
  mr_item item = look_around_now(w, done);
  mr_trace_end(MR_TRACE_WORKER, "search", start);
  return item;
}

// Waits for the token, and takes it. This thread is counted as searching then.
static void sleep_on_token(worker *w) {
  mr_count(&w->sleeps);
  uint64_t start = mr_trace_begin();
  // release, pairs with the acquire in fork.c: we are through with the queues.
  atomic_store_explicit(&w->activity, w->in_task ? ACTIVITY_WAITS : ACTIVITY_NONE, memory_order_release);
  // acquire, pairs with give_token() of wake.c.
  while (!atomic_load_explicit(&w->token, memory_order_acquire)) {
    mr_park(&w->token, 0, 0);
  }
  atomic_store_explicit(&w->token, 0,
                        memory_order_relaxed);  // relaxed: the next one is given after our bit is set again
  mr_worker_comes_back(w);
  mr_trace_end(MR_TRACE_WORKER, "sleep", start);
}

// Announces, looks again, sleeps. Afterwards this thread is counted as searching.
static void sleep_once(worker *w, const _Atomic(uint32_t) *done) {
  mr_scheduler *scheduler = w->scheduler;
  uint64_t bit = (uint64_t)1 << (w->index % 64);
  w->sleeping = true;
  atomic_fetch_add_explicit(&scheduler->sleeper_count, 1, memory_order_seq_cst);
  atomic_fetch_or_explicit(&scheduler->sleepers[w->index / 64], bit, memory_order_seq_cst);
  bool nothing = sees_nothing(w) && !is_done(done);
  // If there is something: when somebody took the bit in the meantime, a token comes, and with it the count.
  if (!nothing && mr_scheduler_take_sleeper(scheduler, w->index)) {
    atomic_fetch_add_explicit(&scheduler->searching, 1, memory_order_seq_cst);
  } else {
    sleep_on_token(w);
  }
  w->sleeping = false;
}

// A few spinning threads find work as fast as many, and a spinning thread may sit on the core that the work needs.
static bool may_search(mr_scheduler *scheduler) {
  uint32_t most = MR_MAX(scheduler->worker_count / 2, 1u);
  // relaxed: one too many does no harm.
  return atomic_load_explicit(&scheduler->searching, memory_order_relaxed) < most;
}

// Nothing to do at first sight. The item found, or 0 when `done`.
static mr_item find_or_sleep(worker *w, const _Atomic(uint32_t) *done) {
  mr_scheduler *scheduler = w->scheduler;
  bool look = may_search(scheduler);
  atomic_fetch_add_explicit(&scheduler->searching, 1, memory_order_seq_cst);
  for (;;) {
    w->searching = true;
    mr_item item = look ? look_around(w, done) : find_anywhere(w);
    if (item || is_done(done)) {
      stop_searching(w);
      return item;
    }
    w->searching = false;
    atomic_fetch_sub_explicit(&scheduler->searching, 1, memory_order_seq_cst);
    sleep_once(w, done);
    look = true;
  }
}

void mr_worker_queue_next(worker *w) {
  mr_item item = take_next(w);
  if (!item) {
    return;
  }
  if (mr_deque_push(&w->deque, item) == MR_PUSH_FULL) {
    run_found(w, item);
    mr_worker_queue_next(w);
  } else {
    mr_scheduler_wake_one(w->scheduler, 0, w->scheduler->worker_count);
  }
}

void mr_worker_work_until(worker *w, const _Atomic(uint32_t) *done) {
  while (!is_done(done)) {
    mr_item item = find_anywhere(w);
    if (!item) {
      item = find_or_sleep(w, done);
    }
    if (!item) {
      continue;
    }
    // relaxed: a task more or less is begun.
    if (MR_UNLIKELY(atomic_load_explicit(&mr_scheduler_hold, memory_order_relaxed)) && !mr_worker_hold(w, item)) {
      continue;
    }
    run_found(w, item);
  }
  mr_worker_queue_next(w);
}

bool mr_worker_work_down(worker *w, const mr_future *future) {
  mr_item item;
  if (w->scheduler->policy->oldest_first) {
    return false;
  }
  while ((item = take_next(w)) || (item = mr_deque_take(&w->deque))) {
    run_found(w, item);
    if (!mr_future_is_set(future)) {
      continue;
    }
    mr_worker_queue_next(w);
    return true;
  }
  return false;
}

bool mr_worker_run_one(worker *w) {
  mr_item item = find_anywhere(w);
  if (!item) {
    return false;
  }
  // relaxed: as above.
  if (MR_UNLIKELY(atomic_load_explicit(&mr_scheduler_hold, memory_order_relaxed)) && !mr_worker_hold(w, item)) {
    return true;
  }
  run_found(w, item);
  return true;
}

bool mr_worker_run_urgent(worker *w) {
  refresh_groups(w);
  mr_item item = mr_deque_take(&w->deque);
  if (!item) {
    item = find_urgent(w);
  }
  if (!item) {
    return false;
  }
  // relaxed: as above.
  if (MR_LIKELY(!atomic_load_explicit(&mr_scheduler_hold, memory_order_relaxed)) || mr_worker_hold(w, item)) {
    run_found(w, item);
  }
  return true;
}

void mr_worker_cancel_all(worker *w) {
  mr_item item;
  while ((item = find_call(w))) {
    mr_worker_run_item(w, item);  // somebody's scope waits for them
  }
  while ((item = mr_deque_take(&w->deque))) {
    mr_item_cancel(item);
  }
}

uintptr_t mr_thread_stack_limit(unsigned eighths) {
  pthread_attr_t attributes;
  void *lowest = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
    return 0;
  }
  bool known = pthread_attr_getstack(&attributes, &lowest, &size) == 0;
  pthread_attr_destroy(&attributes);
  return known ? (uintptr_t)lowest + size / 8 * eighths : 0;
}

void *mr_worker_main(void *argument) {
  worker *w = argument;
  self = w;
  w->stack_limit = mr_thread_stack_limit(4);
  atomic_store_explicit(&w->thread_id, (int32_t)gettid(), memory_order_relaxed);  // relaxed: a hint
  char name[16];
  snprintf(name, sizeof name, "millrace-%u", w->index % 10000);
  pthread_setname_np(pthread_self(), name);
  mr_worker_comes_back(w);
  mr_worker_work_until(w, &w->scheduler->stopping);
  mr_worker_cancel_all(w);
  atomic_store_explicit(&w->activity, ACTIVITY_NONE, memory_order_release);  // as in sleep_on_token()
  self = NULL;
  return NULL;
}
