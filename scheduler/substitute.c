// Threads in place of workers that are inside a call of the host's which takes its time.
//
// A worker says when it goes into such a call and when it comes back. A thread that watches looks at them a while later: when one
// is still inside and something is queued, another thread works in its place until it is back. The watcher is there while such
// calls are made and sleeps otherwise; a substitute that is not needed waits a while for the next time, then ends.
//
// The last slot is the express: a thread that runs what is urgent, one thing after the other, while every worker is at something and some of that
// takes long (group.c: is_held_up). The system shares a core between the two. Whoever puts something urgent calls it, where it is nobody's.
//
// States of worker.host:
//
//   0: outside --begins a call--> 1: inside --replace()--> 2 + k: inside, and substitute k works for it
//      ^                             |  ^---no thread for k---+  |
//      +----- the call is over ------+------ and k is told ------+
//
//   who      operation           order, and with what it pairs                         at once
//   worker   store, 0 -> 1       seq_cst, then it reads `watch`: below                 watcher looks
//   watcher  swap, 1 -> 2 + k    acq_rel: release of k's `over`, for who tells k       worker
//   watcher  swap, 2 + k -> 1    likewise; where it fails it waits for k's being told  worker
//   worker   exchange, any -> 0  acq_rel: acquire of k's `over`                        watcher
//   watcher  load                seq_cst, after `watch`: below                         worker
//
// States of worker.over, worker.assigned, of substitute k; `assigned` changes with the lock only:
//
//   nobody's: -, 0 --send()--> 0, 1: works --its worker is back--> 1, 1 --it has heard--> 1, 0: nobody's
//        |                        |                                                         |
//        |                        +-- the express: nothing is urgent --> 0, 0: nobody's ----|
//        +---- mr_substitutes_end() ----> 1, 2: ends <--------------------------------------+
//
//   who                  operation                        order, and with what it pairs                             at once
//   watcher              over: store, 1 -> 0              relaxed: the swap of `host` publishes it                  nobody: k is nobody's
//   worker that is back  over: store, 0 -> 1              seq_cst, then it looks whether k sleeps: the protocol in  k
//                                                         worker.c
//   k                    over: load                       seq_cst, after it has announced sleep, and always         who is back
//   watcher, who ends    assigned: store, 0 -> 1, 0 -> 2  release of the slot                                       k
//   k                    assigned: store, 1 -> 0          relaxed: with the lock                                    nobody
//   k                    assigned: parks on 0; load       acquire; relaxed where it looks again, or has the lock    watcher
//
// States of mr_scheduler.substitutes, a bit for each k: whether it has a thread. Set and cleared with the lock, read without:
//
//   0 --send()--> 1 --it is not needed for a while, or there is no thread--> 0
//
//   who                operation                        order, and with what it pairs           at once
//   watcher            sets, or clears what it has set  release of the slot, which is complete  who steals, looks
//   thread that ends   clears                           release of what it did to the deque     who steals, looks
//   who steals, looks  load                             acquire, of both                        everybody
//
// States of mr_scheduler.watch:
//
//   0: nobody watches --a worker inside a call--> 1: somebody does --nobody was inside for a while--> 0
//
//   who                     operation               order, and with what it pairs                             at once
//   worker                  load; exchange, 0 -> 1  seq_cst, after `host`: below; who finds 0 wakes or makes  workers, watcher
//                                                   the watcher
//   watcher                 store, 1 -> 0           seq_cst, then it looks at `host` of all: below            workers
//   watcher, with a call    store, -> 1             seq_cst likewise                                          workers
//   seen
//   who ends the scheduler  store, -> 1             seq_cst, after `watch_ends`: see watcher_main()           watcher
//   who could make none     store, 1 -> 0           relaxed: the next call tries again                        workers
//   watcher                 parks on 0; load        acquire, of nothing but the value                         workers
//
//   a worker                              the watcher
//   1 host = 1                            1 watch = 0
//   2 reads watch: wakes the watcher      2 looks at all workers once more
//
// All seq_cst: either the first sees that nobody watches, or the second sees the call.
#include <stdio.h>

#include "core/signals.h"
#include "futures/park.h"
#include "scheduler/internal.h"

static uint32_t first_slot(const mr_scheduler *scheduler) { return scheduler->worker_count + MR_SCHEDULER_GUESTS; }

static bool start(void *(*main_of)(void *), void *argument, pthread_t *out_thread) {
  sigset_t before;
  mr_signals_leave_to_others(&before);
  bool made = pthread_create(out_thread, NULL, main_of, argument) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return made;
}

// The last slot.
enum { EXPRESS = MR_SCHEDULER_SUBSTITUTES - 1 };

static bool something_is_urgent(mr_scheduler *scheduler) {
  // acquire, pairs with the release in mr_scheduler_group().
  uint32_t groups = atomic_load_explicit(&scheduler->group_count, memory_order_acquire);
  for (uint32_t i = 0; i < groups; i++) {
    if (!mr_inbox_is_empty(&scheduler->groups[i]->urgent)) {
      return true;
    }
  }
  return false;
}

// ---- A substitute -----------------------------------------------------------------------------------------------------

// False: it is not needed any more. With what is in its deque it stays, for others to steal from.
static bool wait_for_the_next_time(worker *w) {
  mr_scheduler *scheduler = w->scheduler;
  uint64_t deadline = mr_now_ns() + MR_SUBSTITUTE_REST_NS;
  pthread_mutex_lock(&scheduler->substitutes_lock);
  // relaxed, here and below: under the lock, or looked at again under it. Who calls the express puts something urgent into an inbox first.
  bool again = w->express && something_is_urgent(scheduler) && !atomic_load_explicit(&w->over, memory_order_relaxed);
  atomic_store_explicit(&w->assigned, again, memory_order_relaxed);
  pthread_mutex_unlock(&scheduler->substitutes_lock);
  if (again) {
    return true;
  }
  for (;;) {
    mr_park(&w->assigned, 0, deadline);
    if (atomic_load_explicit(&w->assigned, memory_order_relaxed)) {
      // acquire, pairs with send().
      return atomic_load_explicit(&w->assigned, memory_order_acquire) == 1;
    }
    if (mr_now_ns() < deadline || !mr_deque_is_empty(&w->deque)) {
      deadline = MR_MAX(deadline, mr_now_ns() + MR_SUBSTITUTE_REST_NS / 16);
      continue;
    }
    pthread_mutex_lock(&scheduler->substitutes_lock);
    bool needed = atomic_load_explicit(&w->assigned, memory_order_relaxed) == 1;
    if (!needed) {
      w->has_thread = false;
      uint32_t k = w->index - first_slot(scheduler);
      // release: what this thread did to the deque.
      atomic_fetch_and_explicit(&scheduler->substitutes[k / 64], ~((uint64_t)1 << (k % 64)), memory_order_release);
    }
    pthread_mutex_unlock(&scheduler->substitutes_lock);
    if (!needed) {
      return false;
    }
  }
}

static void *substitute_main(void *argument) {
  worker *w = argument;
  mr_scheduler *scheduler = w->scheduler;
  mr_worker_set_self(w);
  w->stack_limit = mr_thread_stack_limit(4);
  char name[16];
  snprintf(name, sizeof name, "millrace+%u", (w->index - first_slot(scheduler)) % 1000);
  pthread_setname_np(pthread_self(), name);
  do {
    mr_worker_comes_back(w);
    if (w->express) {
      // seq_cst, as a worker looks at it.
      while (!atomic_load_explicit(&w->over, memory_order_seq_cst) && mr_worker_run_urgent(w)) {
        continue;
      }
    } else {
      mr_worker_work_until(w, &w->over);
    }
    mr_worker_give_calls(w);
    if (!mr_deque_is_empty(&w->deque)) {
      mr_scheduler_wake_one(scheduler, 0, scheduler->worker_count);
    }
    // release, pairs with the acquire in fork.c: this thread is through with the queues.
    atomic_store_explicit(&w->activity, ACTIVITY_NONE, memory_order_release);
  } while (wait_for_the_next_time(w));
  mr_worker_set_self(NULL);
  // release, pairs with mr_substitutes_end(): the scheduler may be gone afterwards.
  atomic_fetch_sub_explicit(&scheduler->substitute_threads, 1, memory_order_release);
  return NULL;
}

// ---- The watcher --------------------------------------------------------------------------------------------------------

// A slot whose thread waits, or that has none. Under the lock.
static worker *find_slot(mr_scheduler *scheduler) {
  for (uint32_t k = 0; k < EXPRESS; k++) {
    worker **slot = &scheduler->workers[first_slot(scheduler) + k];
    if (!*slot) {
      *slot = mr_worker_create(scheduler, first_slot(scheduler) + k);
      return *slot;
    }
    // relaxed: changed under the lock.
    if (!atomic_load_explicit(&(*slot)->assigned, memory_order_relaxed)) {
      return *slot;
    }
  }
  return NULL;
}

// Under the lock. False: no thread can be made.
static bool send(worker *s) {
  mr_scheduler *scheduler = s->scheduler;
  // release, pairs with the acquire in wait_for_the_next_time().
  atomic_store_explicit(&s->assigned, 1, memory_order_release);
  if (s->has_thread) {
    mr_unpark(&s->assigned, 1);
    return true;
  }
  uint32_t k = s->index - first_slot(scheduler);
  // release, pairs with mr_substitutes_live(): the slot is complete.
  atomic_fetch_or_explicit(&scheduler->substitutes[k / 64], (uint64_t)1 << (k % 64), memory_order_release);
  atomic_fetch_add_explicit(&scheduler->substitute_threads, 1, memory_order_relaxed);  // relaxed: counts
  pthread_t thread;
  s->has_thread = start(substitute_main, s, &thread);
  if (s->has_thread) {
    pthread_detach(thread);
    return true;
  }
  atomic_fetch_and_explicit(&scheduler->substitutes[k / 64], ~((uint64_t)1 << (k % 64)), memory_order_release);
  atomic_fetch_sub_explicit(&scheduler->substitute_threads, 1, memory_order_relaxed);
  atomic_store_explicit(&s->assigned, 0, memory_order_relaxed);
  return false;
}

void mr_scheduler_call_express(mr_scheduler *scheduler) {
  pthread_mutex_lock(&scheduler->substitutes_lock);
  worker **slot = &scheduler->workers[first_slot(scheduler) + EXPRESS];
  if (!*slot && (*slot = mr_worker_create(scheduler, first_slot(scheduler) + EXPRESS)) != NULL) {
    (*slot)->express = true;
  }
  // relaxed: under the lock.
  if (*slot && !atomic_load_explicit(&(*slot)->assigned, memory_order_relaxed) &&
      !atomic_load_explicit(&scheduler->watch_ends, memory_order_relaxed)) {
    atomic_store_explicit(&(*slot)->over, 0, memory_order_relaxed);
    (void)send(*slot);  // without a thread whichever worker looks next finds it
  }
  pthread_mutex_unlock(&scheduler->substitutes_lock);
}

void mr_scheduler_begin_lengthy(mr_scheduler *scheduler) {
  atomic_fetch_add_explicit(&scheduler->lengthy, 1, memory_order_seq_cst);  // see group.c: is_held_up()
  if (something_is_urgent(scheduler)) {
    mr_scheduler_call_express(scheduler);
  }
}

void mr_scheduler_end_lengthy(mr_scheduler *scheduler) {
  atomic_fetch_sub_explicit(&scheduler->lengthy, 1, memory_order_relaxed);  // the express may be called in vain
}

static bool replace(worker *w) {
  mr_scheduler *scheduler = w->scheduler;
  pthread_mutex_lock(&scheduler->substitutes_lock);
  worker *s = find_slot(scheduler);
  bool sent = false;
  if (s) {
    uint32_t inside = 1, with = 2 + s->index - first_slot(scheduler);
    atomic_store_explicit(&s->over, 0, memory_order_relaxed);  // relaxed: published by the swap
    // acq_rel, pairs with mr_scheduler_end_host_call().
    if (atomic_compare_exchange_strong_explicit(&w->host, &inside, with, memory_order_acq_rel, memory_order_relaxed)) {
      sent = send(s);
      if (!sent &&
          !atomic_compare_exchange_strong_explicit(&w->host, &with, 1, memory_order_acq_rel, memory_order_relaxed)) {
        // It came back meanwhile, and tells the slot. Before that nobody else gets it. relaxed: about this word alone.
        while (!atomic_load_explicit(&s->over, memory_order_relaxed)) {
          mr_yield();
        }
      }
    }
  }
  pthread_mutex_unlock(&scheduler->substitutes_lock);
  return sent;
}

static bool something_is_queued(mr_scheduler *scheduler) {
  // acquire, pairs with the release in mr_scheduler_group().
  uint32_t groups = atomic_load_explicit(&scheduler->group_count, memory_order_acquire);
  for (uint32_t i = 0; i < groups; i++) {
    if (!mr_inbox_is_empty(&scheduler->groups[i]->urgent) || !mr_inbox_is_empty(&scheduler->groups[i]->normal)) {
      return true;
    }
  }
  for (uint32_t i = 0; i < first_slot(scheduler); i++) {
    if (!mr_deque_is_empty(&scheduler->workers[i]->deque)) {
      return true;
    }
  }
  for (uint32_t k = 0; k < MR_SCHEDULER_SUBSTITUTES; k++) {
    worker *s = mr_substitutes_live(scheduler, &k);
    if (s && !mr_deque_is_empty(&s->deque)) {
      return true;
    }
  }
  return false;
}

typedef struct sight {
  uint64_t before_ns;  // the look before
  uint32_t inside, replaced, begun;
} sight;

static void look_at(worker *w, uint64_t now, sight *out) {
  uint32_t host = atomic_load_explicit(&w->host, memory_order_seq_cst);         // see above
  uint64_t since = atomic_load_explicit(&w->host_since, memory_order_relaxed);  // relaxed: about when
  out->inside += host != 0;
  out->begun += since > out->before_ns;
  if (host == 1 && now - since >= MR_HOST_CALL_NS && something_is_queued(w->scheduler)) {
    out->replaced += replace(w);
  }
}

static sight look(mr_scheduler *scheduler, uint64_t before_ns) {
  sight seen = {.before_ns = before_ns};
  uint64_t now = mr_now_ns();
  for (uint32_t i = 0; i < scheduler->worker_count; i++) {
    look_at(scheduler->workers[i], now, &seen);
  }
  for (uint32_t k = 0; k < MR_SCHEDULER_SUBSTITUTES; k++) {
    worker *s = mr_substitutes_live(scheduler, &k);
    if (s) {
      look_at(s, now, &seen);
    }
  }
  return seen;
}

// How long after this look the next one is. Where calls are made that are over before anybody sees them, looks are seldom, but there are
// some: to begin anew with each call costs the thread that calls a wake-up.
static uint64_t next_period(const sight *seen, uint64_t period) {
  if (seen->replaced) {
    return MR_HOST_CALL_NS;
  }
  return MR_MIN(2 * period, (uint64_t)(seen->inside ? MR_WATCH_MOST_NS : MR_WATCH_SELDOM_NS));
}

// True: nobody has been inside for a while. False: the scheduler ends.
static bool watch_for_a_while(mr_scheduler *scheduler) {
  uint64_t period = MR_HOST_CALL_NS, before_ns = mr_now_ns();
  for (uint32_t quiet = 0; quiet < MR_WATCH_QUIET_LOOKS;) {
    mr_park(&scheduler->watch_ends, 0, mr_now_ns() + period);
    if (atomic_load_explicit(&scheduler->watch_ends, memory_order_acquire)) {
      return false;
    }
    uint64_t now = mr_now_ns();
    sight seen = look(scheduler, before_ns);
    before_ns = now;
    quiet = seen.inside || seen.begun ? 0 : quiet + 1;
    period = next_period(&seen, period);
  }
  return true;
}

static void *watcher_main(void *argument) {
  mr_scheduler *scheduler = argument;
  pthread_setname_np(pthread_self(), "millrace-watch");
  while (watch_for_a_while(scheduler)) {
    atomic_store_explicit(&scheduler->watch, 0, memory_order_seq_cst);  // see above
    if (look(scheduler, 0).inside) {
      atomic_store_explicit(&scheduler->watch, 1, memory_order_seq_cst);
      continue;
    }
    // watch_ends: seq_cst, against mr_substitutes_end(), whose `watch` the store above may have come after.
    while (!atomic_load_explicit(&scheduler->watch, memory_order_acquire) &&
           !atomic_load_explicit(&scheduler->watch_ends, memory_order_seq_cst)) {
      mr_park(&scheduler->watch, 0, 0);
    }
  }
  return NULL;
}

static void begin_to_watch(mr_scheduler *scheduler) {
  if (atomic_exchange_explicit(&scheduler->watch, 1, memory_order_seq_cst)) {
    return;
  }
  mr_unpark(&scheduler->watch, 1);
  pthread_mutex_lock(&scheduler->substitutes_lock);
  if (!scheduler->has_watcher && !atomic_load_explicit(&scheduler->watch_ends, memory_order_relaxed)) {
    scheduler->has_watcher = start(watcher_main, scheduler, &scheduler->watcher);
    if (!scheduler->has_watcher) {
      atomic_store_explicit(&scheduler->watch, 0, memory_order_relaxed);  // relaxed: the next call tries again
    }
  }
  pthread_mutex_unlock(&scheduler->substitutes_lock);
}

void mr_substitutes_end(mr_scheduler *scheduler) {
  pthread_mutex_lock(&scheduler->substitutes_lock);
  atomic_store_explicit(&scheduler->watch_ends, 1, memory_order_seq_cst);  // then `watch`: see watcher_main()
  bool has_watcher = scheduler->has_watcher;
  pthread_mutex_unlock(&scheduler->substitutes_lock);
  atomic_store_explicit(&scheduler->watch, 1, memory_order_seq_cst);
  mr_unpark(&scheduler->watch, 1);
  mr_unpark(&scheduler->watch_ends, 1);
  if (has_watcher) {
    pthread_join(scheduler->watcher, NULL);
  }
  // acquire, pairs with the end of substitute_main().
  while (atomic_load_explicit(&scheduler->substitute_threads, memory_order_acquire)) {
    pthread_mutex_lock(&scheduler->substitutes_lock);
    for (uint32_t k = 0; k < MR_SCHEDULER_SUBSTITUTES; k++) {
      worker *s = mr_substitutes_live(scheduler, &k);
      if (s) {
        atomic_store_explicit(&s->over, 1, memory_order_seq_cst);
        mr_scheduler_wake(scheduler, s->index);
        if (!atomic_load_explicit(&s->assigned, memory_order_relaxed)) {
          atomic_store_explicit(&s->assigned, 2, memory_order_release);
          mr_unpark(&s->assigned, 1);
        }
      }
    }
    pthread_mutex_unlock(&scheduler->substitutes_lock);
    mr_yield();
  }
}

void mr_substitutes_forget(mr_scheduler *scheduler) {
  worker *heir = scheduler->worker_count ? scheduler->workers[0] : NULL;
  for (uint32_t k = 0; heir && k < MR_SCHEDULER_SUBSTITUTES; k++) {
    worker *s = mr_substitutes_live(scheduler, &k);
    if (!s) {
      continue;
    }
    mr_item item;
    while ((item = mr_deque_steal(&s->deque))) {
      mr_deque_push(&heir->deque, item);
    }
    mr_calls_init(&s->calls);
    s->in_task = s->ahead = s->searching = s->sleeping = s->has_thread = false;
    s->next_item = 0;
    atomic_store_explicit(&s->assigned, 0, memory_order_relaxed);
    atomic_store_explicit(&s->token, 0, memory_order_relaxed);
    atomic_store_explicit(&s->host, 0, memory_order_relaxed);
    atomic_store_explicit(&s->activity, ACTIVITY_NONE, memory_order_relaxed);
  }
  for (uint32_t i = 0; i < scheduler->worker_count; i++) {
    atomic_store_explicit(&scheduler->workers[i]->host, 0, memory_order_relaxed);
  }
  for (size_t i = 0; i < SUBSTITUTE_WORDS; i++) {
    atomic_store_explicit(&scheduler->substitutes[i], 0, memory_order_relaxed);
  }
  atomic_store_explicit(&scheduler->substitute_threads, 0, memory_order_relaxed);
  atomic_store_explicit(&scheduler->watch, 0, memory_order_relaxed);
  scheduler->has_watcher = false;
}

// ---- The worker ---------------------------------------------------------------------------------------------------------

bool mr_scheduler_begin_host_call(void) {
  worker *w = mr_worker_self();
  // A guest is a thread of the program's, in nobody's way. relaxed: this thread's, as long as it is 0.
  if (!w || atomic_load_explicit(&w->host, memory_order_relaxed)) {
    return false;
  }
  mr_worker_give_calls(w);
  if (w->next_item) {
    mr_worker_queue_next(w);
  }
  if (w->is_guest && w->index < first_slot(w->scheduler)) {
    return mr_guest_goes_out(w);
  }
  atomic_store_explicit(&w->host_since, mr_now_ns(), memory_order_relaxed);  // relaxed: about when
  atomic_store_explicit(&w->host, 1, memory_order_seq_cst);                  // see above
  if (!atomic_load_explicit(&w->scheduler->watch, memory_order_seq_cst)) {
    begin_to_watch(w->scheduler);
  }
  return true;
}

void mr_scheduler_end_host_call(void) {
  if (mr_guest_comes_back()) {
    return;
  }
  worker *w = mr_worker_self();
  // acq_rel, pairs with replace().
  uint32_t host = atomic_exchange_explicit(&w->host, 0, memory_order_acq_rel);
  if (host > 1) {
    worker *s = w->scheduler->workers[first_slot(w->scheduler) + host - 2];
    // seq_cst: it announces sleep, then looks at this; we look for its announcement afterwards.
    atomic_store_explicit(&s->over, 1, memory_order_seq_cst);
    mr_scheduler_wake(w->scheduler, s->index);
  }
}
