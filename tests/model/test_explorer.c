// The explorer itself: it reaches every outcome that orders of a few steps have and no other, and finds what is wrong.
#include "tests/model/model.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static _Atomic(uint32_t) x, y;
static uint32_t seen[2], outcomes;  // outcomes: a bit for each

static void store_x_read_y(void *out) {
  atomic_store_explicit(&x, 1, memory_order_seq_cst);
  *(uint32_t *)out = atomic_load_explicit(&y, memory_order_seq_cst);
}
static void store_y_read_x(void *out) {
  atomic_store_explicit(&y, 1, memory_order_seq_cst);
  *(uint32_t *)out = atomic_load_explicit(&x, memory_order_seq_cst);
}

// Both store, then look: at least one sees the other.
static void store_then_look(void) {
  x = y = 0;
  model_thread(store_x_read_y, &seen[0]);
  model_thread(store_y_read_x, &seen[1]);
  model_join();
  outcomes |= 1u << (seen[0] + 2 * seen[1]);
}

static void add_in_two_steps(void *argument) {
  (void)argument;
  uint32_t value = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&x, value + 1, memory_order_relaxed);
}

// Three additions that are no additions: 1, 2 or 3 come out.
static void lost_additions(void) {
  x = 0;
  for (int i = 0; i < 3; i++) {
    model_thread(add_in_two_steps, NULL);
  }
  model_join();
  outcomes |= 1u << x;
}

static void sleep_until_set(void *argument) {
  (void)argument;
  while (!atomic_load_explicit(&x, memory_order_seq_cst)) {
    model_park(&y, 0, false);
  }
}
static void set_and_wake(void *argument) {
  (void)argument;
  atomic_store_explicit(&x, 1, memory_order_seq_cst);
  model_unpark(&y);
}

// Setting and waking between the sleeper's look and its sleep is slept through.
static void sleep_without_announcement(void) {
  x = y = 0;
  model_thread(sleep_until_set, NULL);
  model_thread(set_and_wake, NULL);
  model_join();
}

static void poll(void *argument) {
  (void)argument;
  while (!atomic_load_explicit(&x, memory_order_seq_cst)) {
    model_yield();
  }
}

// Two that look again and again, and one with a deadline that they wait for.
static void set_in_time(void *argument) {
  (void)argument;
  model_check(!model_park(&y, 0, true), "woken by nobody");
  atomic_store_explicit(&x, 1, memory_order_seq_cst);
}
static void time_passes(void) {
  x = y = 0;
  model_thread(poll, NULL);
  model_thread(poll, NULL);
  model_thread(set_in_time, NULL);
  model_join();
}

static void expect(uint32_t wanted, const char *what) {
  model_check(outcomes == wanted, what);
  outcomes = 0;
}

// In a process of its own, as it ends with the first thing that is wrong.
static bool finds_it(void (*scenario)(void), int preemptions) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    model_explore("on purpose", scenario, preemptions);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

int main(void) {
  if (MODEL_CANNOT_RUN) {
    return 0;
  }
  model_set_passes(MODEL_SC);  // test_orders.c has the other
  model_explore("store, then look", store_then_look, MODEL_ALL);
  expect(1u << 1 | 1u << 2 | 1u << 3, "not the outcomes of store, then look");
  model_explore("lost additions", lost_additions, MODEL_ALL);
  expect(1u << 1 | 1u << 2 | 1u << 3, "not the outcomes of lost additions");
  model_explore("lost additions, in turn", lost_additions, 0);
  expect(1u << 3, "an addition is lost without a preemption");
  model_explore("time passes", time_passes, MODEL_ALL);
  model_check(finds_it(sleep_without_announcement, 1), "a lost wake-up was not found");
  model_check(!finds_it(sleep_without_announcement, 0), "a preemption too many");
  return 0;
}
