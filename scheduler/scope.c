// States of mr_scope.balance, mr_scope.done, of a scope of which others took n calls:
//
//   0, 0 --others have made m--> -m, 0 --the end, with calls left: + n--> n - m, 0 --the others--> 0, 0 --the last--> 0, 1
//     |                             |
//     +--- the end, n = 0           +--- the end, n = m: 0, 0, and nobody sets `done`
//
//   who                    operation                order, and with what it pairs                              at once
//   who made stolen calls  balance: subtraction     acq_rel: release of what the calls wrote; acquire of that  everybody
//                                                   of others, for the owner
//   owner, at the end      balance: addition of n   acq_rel: acquire of the same; release of `sleeps`, which   who made calls
//                                                   the last reads
//   who was last           done: store, 0 -> 1      seq_cst, then it looks whether the owner sleeps: the       owner
//                                                   protocol in worker.c
//   owner                  done: load; parks on it  seq_cst after it has announced sleep; else acquire, of     who was last
//                                                   what the calls wrote
#include "scheduler/scope.h"

#include "futures/park.h"
#include "scheduler/internal.h"

void mr_scope_begin(mr_scope *scope, mr_scheduler *scheduler) {
  worker *w = mr_worker_self();
  scope->entered = scope->waits = false;
  if (MR_UNLIKELY(!w) && mr_scheduler_enter(scheduler)) {
    scope->entered = true;
    w = mr_worker_self();
  }
  scope->worker = w;
  scope->first = w ? w->calls.bottom : 0;
  scope->open = 0;
  // relaxed: the ring publishes the scope to whoever takes a call.
  atomic_store_explicit(&scope->done, 0, memory_order_relaxed);
  atomic_store_explicit(&scope->balance, 0, memory_order_relaxed);
}

// All that this thread keeps to itself is for whoever looks for it or sleeps.
void mr_worker_share_calls(worker *w) {
  mr_scheduler *scheduler = w->scheduler;
  mr_calls_publish(&w->calls, mr_calls_private(&w->calls));
  // acquire, pairs with mr_scheduler_start_threads().
  if (MR_UNLIKELY(atomic_load_explicit(&scheduler->state, memory_order_acquire) == SCHEDULER_IDLE)) {
    mr_scheduler_start_threads(scheduler);
  }
  mr_scheduler_wake_one(scheduler, 0, scheduler->worker_count);
  if (mr_scheduler_has_idle(scheduler)) {
    return;
  }
  // Everybody is busy. seq_cst on both, in this order: who becomes idle is counted first, then looks at `wanted`; one of us
  // sees the other.
  atomic_store_explicit(&w->calls.wanted, false, memory_order_seq_cst);
  if (mr_scheduler_has_idle(scheduler)) {
    atomic_store_explicit(&w->calls.wanted, true, memory_order_relaxed);  // relaxed: a hint to this thread itself
  }
}

void mr_worker_give_calls(worker *w) {
  if (mr_calls_private(&w->calls)) {
    mr_worker_share_calls(w);
  }
}

void mr_scope_spawn(mr_scope *scope, void (*run)(void *argument), void *argument) {
  worker *w = scope->worker;
  if (MR_UNLIKELY(!w) ||
      MR_UNLIKELY(!mr_calls_put(&w->calls, &(mr_call){.run = run, .argument = argument, .scope = scope}))) {
    run(argument);
    return;
  }
  scope->open++;
  if (mr_calls_should_share(&w->calls)) {
    mr_worker_share_calls(w);
  }
}

// Others have made `count` calls of the scope. Unless these were the last, the scope may be gone afterwards.
static void report(mr_scope *scope, uint32_t count) {
  // acq_rel, pairs with itself and with the addition in wait_for_others(): the thread that ends the scope sees what all calls
  // wrote. Zero can only be reached after that addition: before it the balance is below.
  if (atomic_fetch_sub_explicit(&scope->balance, count, memory_order_acq_rel) != count) {
    return;
  }
  worker *owner = scope->worker;  // read first: with `done` the scope goes
  mr_scheduler *scheduler = owner->scheduler;
  bool sleeps = scope->sleeps;
  mr_scheduler_step_inside(scheduler);
  // seq_cst: the owner announces sleep, then looks at it; we look for its announcement afterwards.
  atomic_store_explicit(&scope->done, 1, memory_order_seq_cst);
  if (MR_UNLIKELY(sleeps)) {
    mr_unpark(&scope->done, 1);  // the address only
  } else {
    mr_scheduler_wake(scheduler, owner->index);
  }
  mr_scheduler_step_outside(scheduler);
}

// The newest call if it is one of the scope's.
static bool take_of(mr_calls *calls, const mr_scope *scope, mr_call *out_call) {
  if (!mr_calls_take(calls, out_call)) {
    return false;
  }
  if (out_call->scope == scope) {
    return true;
  }
  calls->bottom++;  // back: its slot is as it was
  return false;
}

void mr_worker_make_call(worker *w, const mr_call *call) {
  mr_scope *scope = call->scope;
  // Its own calls, also when it has stolen them back; while it waits for others, `balance` is what counts.
  if (scope->worker == w && !scope->waits) {
    scope->open--;
    call->run(call->argument);
    return;
  }
  // Stolen, maybe with others of the same scope, which are reported together: as long as one of them is being made, the scope
  // cannot end, so nobody waits for the report in vain.
  mr_call next = *call;
  uint32_t count = 0;
  do {
    next.run(next.argument);
    count++;
  } while (count < MR_CALLS_BATCH && take_of(&w->calls, scope, &next));
  report(scope, count);
}

// Others have what is left. Where half of the stack is in use, this thread does not take more on top of it.
static void wait_for_others(mr_scope *scope, worker *w) {
  scope->waits = true;
  scope->sleeps = mr_worker_stack_is_deep(w);
  // acq_rel, pairs with report().
  int64_t before = atomic_fetch_add_explicit(&scope->balance, scope->open, memory_order_acq_rel);
  if (before + scope->open == 0) {
    return;
  }
  if (MR_UNLIKELY(scope->sleeps)) {
    mr_worker_give_calls(w);
    // acquire, pairs with report().
    while (!atomic_load_explicit(&scope->done, memory_order_acquire)) {
      mr_park(&scope->done, 0, 0);
    }
    return;
  }
  if (scope->entered) {
    w->only_waits = w->scheduler->worker_count > 0;
  }
  mr_worker_work_until(w, &scope->done);
}

void mr_scope_end(mr_scope *scope) {
  worker *w = scope->worker;
  if (MR_UNLIKELY(!w)) {
    return;
  }
  mr_call call;
  while (scope->open && w->calls.bottom > scope->first && mr_calls_take(&w->calls, &call)) {
    if (mr_calls_should_share(&w->calls)) {
      mr_worker_share_calls(w);
    }
    mr_worker_make_call(w, &call);
  }
  if (MR_UNLIKELY(scope->open)) {
    wait_for_others(scope, w);
  }
  if (MR_UNLIKELY(scope->entered)) {
    mr_scheduler_leave(w->scheduler);
  }
}
