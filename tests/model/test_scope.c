// A scope's end in every order: the thread that waits and the worker that takes its calls, with the code of both (scope.c,
// calls.c, worker.c, wake.c). Every call is made once, and the end is not slept through.
#include "tests/model/engine.h"

#include "scheduler/calls.c"
#include "scheduler/scope.c"
#include "scheduler/wake.c"
#include "scheduler/worker.c"

enum { CALLS = 3 };
static mr_scheduler *scheduler;
static int made[CALLS], wanted;
static bool ended;
static _Atomic(uint32_t) done;

static void make(void *argument) {
  model_check(!ended, "a call after the end");
  (*(int *)argument)++;
}

static void spawn_and_end(void *argument) {
  self = argument;
  mr_scope scope;
  mr_scope_begin(&scope, scheduler);
  for (int i = 0; i < wanted; i++) {
    mr_scope_spawn(&scope, make, &made[i]);
  }
  mr_scope_end(&scope);
  ended = true;
  for (int i = 0; i < wanted; i++) {
    model_check(made[i] == 1, "a call was not made once when the scope ended");
  }
  atomic_store_explicit(&done, 1, memory_order_seq_cst);
  mr_scheduler_wake(scheduler, 1);
  self = NULL;
}

static void work(void *argument) {
  self = argument;
  mr_worker_work_until(argument, &done);
  self = NULL;
}

static void reset(int calls) {
  model_engine_reset(&scheduler, 2);
  memset(made, 0, sizeof made);
  wanted = calls;
  ended = false;
  done = 0;
}

static void scope_and_thief(int calls) {
  reset(calls);
  model_thread(spawn_and_end, scheduler->workers[0]);
  model_thread(work, scheduler->workers[1]);
  model_join();
}
static void one_call(void) { scope_and_thief(1); }
static void three_calls(void) { scope_and_thief(3); }

static void explore(void) {
  model_explore("one call and a thief", one_call, 3);
  model_explore("three calls and a thief", three_calls, 2);
}

static const model_mutant mutants[] = {
    {"report", "store &scope->done", memory_order_release, "one call and a thief"},
    {"report", "fetch_sub &scope->balance", memory_order_acquire, "one call and a thief"},
    {"report", "fetch_sub &scope->balance", memory_order_release, "one call and a thief"},
    {"wait_for_others", "fetch_add &scope->balance", memory_order_acquire, "one call and a thief"},
    {"wait_for_others", "fetch_add &scope->balance", memory_order_release, "one call and a thief"},
    {"sleep_once", "fetch_or &scheduler->sleepers[w->index / 64]", memory_order_acq_rel, "one call and a thief"},
};

int main(void) {
  if (MODEL_CANNOT_RUN) {
    return 0;
  }
  model_local(&self, sizeof self);
  return model_main(explore, mutants, sizeof mutants / sizeof *mutants);
}
