// The work-stealing deque in every order of its operations: each item is had by exactly one thread.
#include "tests/model/model.h"

// Small numbers make the corners reachable.
#define MR_SCHEDULER_TUNING_H
enum { MR_DEQUE_CAPACITY = 8, MR_DEQUE_BATCH = 2 };

#include <string.h>

#include "scheduler/deque.c"

enum { ITEMS = 16 };
static mr_deque deque;
static int had[ITEMS];

static void have(mr_item item) {
  model_check(item > 0 && item < ITEMS, "an item that nobody pushed");
  model_check(had[item]++ == 0, "an item was had twice");
}

static void reset(int pushed) {
  memset(&deque, 0, sizeof deque);
  memset(had, 0, sizeof had);
  for (int i = 1; i <= pushed; i++) {
    mr_deque_push(&deque, (mr_item)i);
  }
}

static void check_all(int count) {
  mr_item item;
  while ((item = mr_deque_take(&deque))) {
    have(item);
  }
  for (int i = 1; i <= count; i++) {
    model_check(had[i] == 1, "an item is lost");
  }
}

static void take_some(void *argument) {
  for (int i = 0; i < *(int *)argument; i++) {
    mr_item item = mr_deque_take(&deque);
    if (item) {
      have(item);
    }
  }
}

static void steal_some(void *argument) {
  for (int i = 0; i < *(int *)argument; i++) {
    mr_item items[MR_DEQUE_BATCH];
    uint32_t count = mr_deque_steal_many(&deque, items);
    for (uint32_t k = 0; k < count; k++) {
      have(items[k]);
    }
  }
}

static void push_and_take(void *argument) {
  (void)argument;
  static const char plan[] = "pptpttpptt";
  mr_item next = 1;
  for (const char *at = plan; *at; at++) {
    if (*at == 'p') {
      model_check(mr_deque_push(&deque, next++) != MR_PUSH_FULL, "full too early");
    } else {
      mr_item item = mr_deque_take(&deque);
      if (item) {
        have(item);
      }
    }
  }
}

static int one = 1, two = 2, three = 3, six = 6;

// An owner that comes and goes around the last item, and two thieves.
static void few(void) {
  reset(0);
  model_thread(push_and_take, NULL);
  model_thread(steal_some, &two);
  model_thread(steal_some, &one);
  model_join();
  check_all(5);
}

// An owner that takes down from many while thieves claim several at once.
static void many(void) {
  reset(6);
  model_thread(take_some, &six);
  model_thread(steal_some, &two);
  model_thread(steal_some, &two);
  model_join();
  check_all(6);
}

static void push_more(void *argument) {
  (void)argument;
  for (mr_item item = 8; item <= 11; item++) {
    // Full, or about: the caller would run it itself.
    if (mr_deque_push(&deque, item) == MR_PUSH_FULL) {
      have(item);
    }
  }
  int all = 3;
  take_some(&all);
}

// An owner that fills the ring over its end while thieves read it.
static void full(void) {
  reset(7);
  model_thread(push_more, NULL);
  model_thread(steal_some, &three);
  model_join();
  check_all(11);
}

static void explore(void) {
  model_explore("few", few, 3);
  model_explore("many", many, 3);
  model_explore("full", full, 4);
}

static const model_mutant mutants[] = {
    {"mr_deque_push", "store &deque->bottom", memory_order_relaxed, "few"},
    {"mr_deque_take", "store &deque->bottom", memory_order_release, "few"},
    {"mr_deque_take", "load &deque->top", memory_order_acquire, "few"},
    {"mr_deque_steal_many", "load &deque->bottom", memory_order_acquire, "few"},
    {"mr_deque_steal_many", "load &deque->top", memory_order_relaxed, "few"},
};

int main(void) {
  if (MODEL_CANNOT_RUN) {
    return 0;
  }
  return model_main(explore, mutants, sizeof mutants / sizeof *mutants);
}
