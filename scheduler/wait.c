// Guests, which are threads of the program that work for a while, and waiting.
//
// A thread of the scheduler's that waits inside a task runs others meanwhile, on top of its stack. When half of the stack is in
// use, it sleeps instead and a thread that is made for the purpose takes its place: the recursion is bounded, and never
// are more threads runnable than before. While no such thread can be made the waiting one goes on, until an eighth of its stack is
// left; from there it can only wait for another worker, or for a thread to be had.
//
// States of mr_scheduler.guests, a bit for each place:
//
//   0 --mr_scheduler_enter()--> 1 --mr_scheduler_leave()--> 0
//
//   who                 operation         order, and with what it pairs                     at once
//   thread that enters  swap, sets a bit  acquire, of what the last guest did to the deque  everybody
//   thread that leaves  clears it         release of that                                   everybody
#include <assert.h>

#include "core/signals.h"
#include "scheduler/internal.h"

// ---- Guests -----------------------------------------------------------------------------------------------------------

bool mr_scheduler_on_worker(const mr_scheduler *scheduler) {
  worker *w = mr_worker_self();
  return w && w->scheduler == scheduler;
}

bool mr_scheduler_on_any_worker(void) { return mr_worker_self() != NULL; }

bool mr_scheduler_enter(mr_scheduler *scheduler) {
  if (mr_worker_self()) {
    return false;
  }
  uint32_t used = atomic_load_explicit(&scheduler->guests, memory_order_relaxed);  // relaxed: a guess for the swap
  for (;;) {
    uint32_t unused = ~used & ((1u << MR_SCHEDULER_GUESTS) - 1);
    if (!unused) {
      return false;
    }
    uint32_t index = (uint32_t)__builtin_ctz(unused);
    // acquire, pairs with the release in leave: the deque's former owner is through with it.
    if (atomic_compare_exchange_weak_explicit(&scheduler->guests, &used, used | 1u << index, memory_order_acquire,
                                              memory_order_relaxed)) {
      worker *w = scheduler->workers[scheduler->worker_count + index];
      w->only_waits = false;
      w->only_loops = false;
      w->in_task = false;
      w->stack_limit = scheduler->worker_count ? (uintptr_t)__builtin_frame_address(0) - MR_GUEST_STACK_BYTES : 0;
      mr_worker_set_self(w);
      return true;
    }
  }
}

void mr_scheduler_leave(mr_scheduler *scheduler) {
  worker *w = mr_worker_self();
  assert(w && w->scheduler == scheduler && w->is_guest);
  if (!mr_deque_is_empty(&w->deque)) {
    // acquire, pairs with mr_scheduler_start_threads().
    if (atomic_load_explicit(&scheduler->state, memory_order_acquire) == SCHEDULER_IDLE) {
      mr_scheduler_start_threads(scheduler);
    }
    // acquire: as above. Idle still: no thread could be made.
    if (scheduler->worker_count == 0 ||
        atomic_load_explicit(&scheduler->state, memory_order_acquire) == SCHEDULER_IDLE) {
      mr_item item;
      while ((item = mr_deque_take(&w->deque))) {
        mr_item_run(item);
      }
    }
    // Workers steal what is left: pushing it woke one.
    mr_scheduler_wake_one(scheduler, 0, scheduler->worker_count);
  }
  mr_worker_set_self(NULL);
  uint32_t bit = 1u << (w->index - scheduler->worker_count);
  // release, pairs with enter.
  atomic_fetch_and_explicit(&scheduler->guests, ~bit, memory_order_release);
}

static _Thread_local worker *outside __attribute__((tls_model("initial-exec")));

worker *mr_guest_outside(void) { return outside; }

bool mr_guest_goes_out(worker *w) {
  if (w->only_waits || !w->scheduler->worker_count) {
    return false;
  }
  w->out_before = outside;
  outside = w;
  mr_worker_set_self(NULL);
  return true;
}

bool mr_guest_comes_back(void) {
  worker *w = outside;
  if (!w || mr_worker_self()) {
    return false;
  }
  outside = w->out_before;
  mr_worker_set_self(w);
  return true;
}

// ---- Waiting ----------------------------------------------------------------------------------------------------------

typedef struct end_of_wait {
  mr_waiter waiter;
  mr_scheduler *scheduler;
  uint32_t worker;
  _Atomic(uint32_t) done;
} end_of_wait;

static void future_is_set(mr_waiter *waiter, mr_status status) {
  (void)status;
  end_of_wait *end = MR_CONTAINER_OF(waiter, end_of_wait, waiter);
  mr_scheduler *scheduler = end->scheduler;  // read first: the waiting thread may leave with `end`
  uint32_t index = end->worker;
  mr_scheduler_step_inside(scheduler);
  // seq_cst: the waiting worker announces sleep, then looks at it; we look for its announcement afterwards.
  atomic_store_explicit(&end->done, 1, memory_order_seq_cst);
  mr_scheduler_wake(scheduler, index);
  mr_scheduler_step_outside(scheduler);
}

// Works until `future` is set.
static void work_until_set(worker *w, mr_future *future) {
  end_of_wait end = {.waiter.run = future_is_set, .scheduler = w->scheduler, .worker = w->index};
  if (mr_future_then_unless_set(future, &end.waiter)) {
    mr_worker_work_until(w, &end.done);
  }
}

typedef struct stand_in {
  mr_scheduler *scheduler;
  mr_future *future;
} stand_in;

static void *stand_in_main(void *argument) {
  stand_in *self = argument;
  if (!mr_scheduler_enter(self->scheduler)) {
    return NULL;  // too many do so already
  }
  worker *w = mr_worker_self();
  w->stack_limit = mr_thread_stack_limit(4);
  work_until_set(w, self->future);
  mr_scheduler_leave(self->scheduler);
  return NULL;
}

static bool start_stand_in(stand_in *self, pthread_t *out_thread) {
  sigset_t before;
  mr_signals_leave_to_others(&before);
  bool made = pthread_create(out_thread, NULL, stand_in_main, self) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return made;
}

// Sleeps until the future is set, while another thread does what this one would. This may be the only one that can do what the
// future waits for, so where no thread is to be had it does what it can itself, and asks again.
static void sleep_deep(worker *w, mr_future *future) {
  stand_in other = {w->scheduler, future};
  pthread_t thread;
  bool made = start_stand_in(&other, &thread);
  if (!made) {
    bool has_stack = (uintptr_t)__builtin_frame_address(0) > mr_thread_stack_limit(1);
    while (!made && !mr_future_is_set(future)) {
      if (!has_stack || !mr_worker_run_one(w)) {
        mr_future_sleep_until(future, mr_now_ns() + MR_WAIT_SLICE_MAX_NS);
      }
      made = !mr_future_is_set(future) && start_stand_in(&other, &thread);
    }
    mr_worker_queue_next(w);
  }
  mr_future_sleep_until(future, 0);
  if (made) {
    pthread_join(thread, NULL);
  }
}

static void wait_as_worker(worker *w, mr_future *future) {
  if (MR_UNLIKELY(mr_worker_stack_is_deep(w))) {
    mr_worker_give_calls(w);
    sleep_deep(w, future);
    return;
  }
  // Fork and join: what this thread waits for is most often what it made ready last.
  if (mr_worker_work_down(w, future)) {
    return;
  }
  mr_scheduler_go_on_after_fork();
  work_until_set(w, future);
}

void mr_scheduler_wait(mr_scheduler *scheduler, mr_future *future) {
  if (mr_future_is_set(future)) {
    return;
  }
  worker *w = mr_worker_self();
  bool entered = !w && mr_scheduler_enter(scheduler);
  w = mr_worker_self();
  if (!w) {
    mr_future_wait(future);
    return;
  }
  if (entered) {
    w->only_waits = scheduler->worker_count > 0;
  }
  uint32_t depth = mr_future_begin_wait();
  wait_as_worker(w, future);
  mr_future_end_wait(depth);
  if (entered) {
    mr_scheduler_leave(scheduler);
  }
}

// A deadline cannot take back the waiter that work_until_set() leaves in the future: this thread looks for work from time to
// time instead.
static void work_until_deadline(worker *w, mr_future *future, uint64_t deadline_ns) {
  uint64_t slice = MR_WAIT_SLICE_MIN_NS, now;
  while (!mr_future_is_set(future) && (now = mr_now_ns()) < deadline_ns) {
    if (!mr_worker_stack_is_deep(w) && mr_worker_run_one(w)) {
      slice = MR_WAIT_SLICE_MIN_NS;
      continue;
    }
    mr_future_sleep_until(future, MR_MIN(deadline_ns, now + slice));
    slice = MR_MIN(2 * slice, (uint64_t)MR_WAIT_SLICE_MAX_NS);
  }
  mr_worker_queue_next(w);
}

bool mr_scheduler_help_until(mr_scheduler *scheduler, mr_future *future, uint64_t deadline_ns) {
  mr_scheduler_go_on_after_fork();
  if (mr_worker_self() || !mr_scheduler_enter(scheduler)) {
    return mr_future_sleep_until(future, deadline_ns);
  }
  worker *w = mr_worker_self();
  // Without workers nobody else does what the future waits for.
  w->only_waits = w->only_loops = scheduler->worker_count > 0;
  uint32_t depth = mr_future_begin_wait();
  work_until_deadline(w, future, deadline_ns);
  mr_future_end_wait(depth);
  mr_scheduler_leave(scheduler);
  return mr_future_is_set(future);
}

bool mr_scheduler_wait_hook(mr_future *future, uint64_t deadline_ns) {
  mr_scheduler_go_on_after_fork();
  worker *w = mr_worker_self();
  if (!w) {
    return false;
  }
  if (!deadline_ns) {
    mr_scheduler_wait(w->scheduler, future);
    return true;
  }
  uint32_t depth = mr_future_begin_wait();
  work_until_deadline(w, future, deadline_ns);
  mr_future_end_wait(depth);
  return true;
}
