// The future in every order of its operations: each waiter is called once, each sleeper wakes, the first setter wins.
#include "tests/model/model.h"

#include <string.h>

#include "core/core.h"
#include "futures/park.h"

static uint32_t one_unit(void) { return 1; }
#define mr_park(word, expected, deadline) (model_park(word, expected, (deadline) != 0))
#define mr_unpark(word, count) model_unpark(word)
#define mr_allowed_units one_unit  // so waiting does not spin

#include "futures/future.c"

static mr_future future;
static MODEL_COUNTS int calls, set_by;
// What each setter wrote before, which whoever sees the future set may read; and what it sets: the first OK, the other an error.
static int results[2];
static mr_status broken;
static mr_waiter waiters[2];

static void called(mr_waiter *waiter, mr_status status) {
  (void)waiter;
  model_check(results[status != MR_OK] == 1, "a waiter is called before the result is there");
  calls++;
}

static void set(void *argument) {
  (void)argument;
  results[0] = 1;
  mr_future_set(&future, MR_OK);
}
static void try_set(void *number) {
  int *result = number;
  *result = 1;
  set_by += mr_future_try_set(&future, result == results ? MR_OK : mr_status_retain(broken));
}
static void set_for_sleepers(void *argument) {
  (void)argument;
  results[0] = 1;
  if (!mr_future_set_for_sleepers(&future)) {
    mr_future_set(&future, MR_OK);
  }
}
static void then(void *argument) {
  mr_waiter *waiter = argument;
  waiter->run = called;
  mr_future_then(&future, waiter);
}
static void wait(void *argument) {
  (void)argument;
  mr_future_wait(&future);
  uintptr_t state = atomic_load_explicit(&future.state, memory_order_relaxed);
  model_check(state & MR_FUTURE_SET, "waiting ended too early");
  model_check(results[(state & ~(uintptr_t)MR_FUTURE_BITS) != 0] == 1, "waiting ended before the result was there");
}

static void look(void *argument) {
  (void)argument;
  if (mr_future_is_set(&future)) {
    model_check(results[0] == 1, "it is set before the result is there");
  }
}

static void reset(void) {
  mr_future_init(&future);
  calls = set_by = results[0] = results[1] = 0;
}

// Waiters that come while it is set, and a sleeper.
static void one_setter(void) {
  reset();
  model_thread(set, NULL);
  model_thread(then, &waiters[0]);
  model_thread(then, &waiters[1]);
  model_thread(wait, NULL);
  model_join();
  model_check(calls == 2, "a waiter was not called once");
}

// Two that set, two that sleep.
static void two_setters(void) {
  reset();
  model_thread(try_set, &results[0]);
  model_thread(try_set, &results[1]);
  model_thread(wait, NULL);
  model_thread(wait, NULL);
  model_join();
  model_check(set_by == 1, "not exactly one setter won");
  mr_future_deinit(&future);
}

// A waiter whose fields either of two may be the one to read.
static void two_setters_and_a_waiter(void) {
  reset();
  model_thread(try_set, &results[0]);
  model_thread(try_set, &results[1]);
  model_thread(then, &waiters[0]);
  model_join();
  model_check(set_by == 1 && calls == 1, "not exactly one setter won, or a waiter was not called once");
  mr_future_deinit(&future);
}

// One that sets it by a swap when nobody but sleepers waits, a waiter, and one that only looks.
static void for_sleepers(void) {
  reset();
  model_thread(set_for_sleepers, NULL);
  model_thread(then, &waiters[0]);
  model_thread(wait, NULL);
  model_thread(look, NULL);
  model_join();
  model_check(calls == 1, "a waiter was not called once");
}

static void explore(void) {
  model_explore("one setter", one_setter, MODEL_ALL);
  model_explore("two setters", two_setters, MODEL_ALL);
  model_explore("two setters and a waiter", two_setters_and_a_waiter, MODEL_ALL);
  model_explore("for sleepers", for_sleepers, MODEL_ALL);
}

static const model_mutant mutants[] = {
    {"mr_future_set", "exchange &future->state", memory_order_acquire, "one setter"},
    {"mr_future_set", "exchange &future->state", memory_order_release, "one setter"},
    {"mr_future_try_set", "swap &future->state", memory_order_acquire, "two setters"},
    {"mr_future_try_set", "swap &future->state", memory_order_release, "two setters and a waiter"},
    {"mr_future_set_for_sleepers", "swap &future->state", memory_order_relaxed, "for sleepers"},
    {"mr_future_sleep_until", "load &future->state", memory_order_relaxed, "one setter"},
    {"mr_future_sleep_until", "swap &future->state", memory_order_relaxed, "one setter"},
    {"put_link", "swap &future->state", memory_order_relaxed, "one setter"},
    {"mr_future_is_set", "load &future->state", memory_order_relaxed, "one setter"},
};

int main(void) {
  if (MODEL_CANNOT_RUN) {
    return 0;
  }
  broken = mr_error(MR_INTERNAL, "broken");
  model_local(&debt, sizeof debt);
  return model_main(explore, mutants, sizeof mutants / sizeof *mutants);
}
