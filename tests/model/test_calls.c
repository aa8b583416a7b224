// The ring of calls in every order of its operations: each call is had by exactly one thread.
#include "tests/model/model.h"

// Small numbers make the corners reachable.
#define MR_SCHEDULER_TUNING_H
enum { MR_CALLS_PRIVATE = 4, MR_CALLS_ENOUGH = 7, MR_CALLS_CAPACITY = 8, MR_CALLS_BATCH = 2 };

#include <string.h>

#include "scheduler/calls.c"

enum { CALLS = 16 };
static mr_calls ring;
static int had[CALLS];

// A call is known by its argument.
static mr_call call_of(uintptr_t number) { return (mr_call){.argument = (void *)number}; }

static void have(const mr_call *call) {
  uintptr_t number = (uintptr_t)call->argument;
  model_check(number > 0 && number < CALLS, "a call that nobody put");
  model_check(had[number]++ == 0, "a call was had twice");
}

static void put(uintptr_t number) {
  mr_call call = call_of(number);
  if (!mr_calls_put(&ring, &call)) {
    have(&call);  // full: whoever puts it makes it
  }
}

static void reset(uintptr_t count) {
  memset(&ring, 0, sizeof(ring));
  memset(had, 0, sizeof had);
  mr_calls_init(&ring);
  for (uintptr_t i = 1; i <= count; i++) {
    put(i);
  }
}

static void check_all(int count) {
  mr_call call;
  while (mr_calls_take(&ring, &call)) {
    have(&call);
  }
  for (int i = 1; i <= count; i++) {
    model_check(had[i] == 1, "a call is lost");
  }
}

// As mr_worker_share_calls() while nobody is idle for long.
static void share(void) {
  mr_calls_publish(&ring, mr_calls_private(&ring));
  atomic_store_explicit(&ring.wanted, false, memory_order_seq_cst);
}

static void take(int count) {
  mr_call call;
  for (int i = 0; i < count && mr_calls_take(&ring, &call); i++) {
    have(&call);
    if (mr_calls_should_share(&ring)) {
      share();
    }
  }
}

static void steal_times(void *argument) {
  for (int i = 0; i < *(int *)argument; i++) {
    mr_call calls[MR_CALLS_BATCH];
    uint32_t count = mr_calls_steal(&ring, calls, MR_CALLS_BATCH);
    for (uint32_t k = 0; k < count; k++) {
      have(&calls[k]);
    }
  }
}

static void put_and_take(void *argument) {
  (void)argument;
  uintptr_t next = 1;
  for (const char *at = "pptttppptttt"; *at; at++) {
    if (*at == 'p') {
      put(next++);
      if (mr_calls_should_share(&ring)) {
        share();
      }
    } else {
      take(1);
    }
  }
}

static void take_down(void *argument) { take(*(int *)argument); }

static void put_over_the_end(void *argument) {
  (void)argument;
  for (uintptr_t i = 7; i <= 10; i++) {
    put(i);
  }
  take(2);
}

static int one = 1, two = 2, three = 3, seven = 7;

// An owner that comes and goes around the border, and two thieves that ask for more.
static void few(void) {
  reset(0);
  model_thread(put_and_take, NULL);
  model_thread(steal_times, &two);
  model_thread(steal_times, &one);
  model_join();
  check_all(5);
}

// An owner that takes back few, one of which a thief may be about to have.
static void border(void) {
  reset(3);
  mr_calls_publish(&ring, 3);
  model_thread(take_down, &three);
  model_thread(steal_times, &two);
  model_thread(steal_times, &one);
  model_join();
  check_all(3);
}

// An owner that takes back from many while thieves claim several at once.
static void many(void) {
  reset(7);
  mr_calls_publish(&ring, mr_calls_private(&ring));
  model_thread(take_down, &seven);
  model_thread(steal_times, &two);
  model_thread(steal_times, &two);
  model_join();
  check_all(7);
}

// An owner that fills the ring over its end while a thief reads it.
static void full(void) {
  reset(6);
  model_thread(put_over_the_end, NULL);
  model_thread(steal_times, &three);
  model_join();
  check_all(10);
}

static void explore(void) {
  model_explore("few", few, 3);
  model_explore("border", border, 3);
  model_explore("many", many, 2);
  model_explore("full", full, 4);
}

static const model_mutant mutants[] = {
    {"raise_split", "store &calls->split", memory_order_relaxed, "few"},
    {"settle", "store &calls->split", memory_order_relaxed, "few"},
    {"mr_calls_reclaim", "store &calls->split", memory_order_release, "border"},
    {"mr_calls_reclaim", "load &calls->top", memory_order_acquire, "border"},
    {"mr_calls_steal", "load &calls->split", memory_order_acquire, "border"},
    {"mr_calls_steal", "load &calls->top", memory_order_relaxed, "few"},
};

int main(void) {
  if (MODEL_CANNOT_RUN) {
    return 0;
  }
  return model_main(explore, mutants, sizeof mutants / sizeof *mutants);
}
