// Nanoseconds: a future made, waited for and set on one thread; a hand-over to another thread, spinning and asleep.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "futures/futures.h"
#include "futures/park.h"

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void nothing(mr_waiter *waiter, mr_status status) {
  (void)waiter;
  (void)status;
}

static void one_thread(void) {
  enum { COUNT = 1000000 };
  uint64_t start = mr_now_ns();
  for (int i = 0; i < COUNT; i++) {
    mr_future future;
    mr_waiter waiter = {.run = nothing};
    mr_future_init(&future);
    mr_future_then(&future, &waiter);
    mr_future_set(&future, MR_OK);
    mr_future_deinit(&future);
  }
  printf("then + set, embedded       %7.1f ns\n", (double)(mr_now_ns() - start) / COUNT);
  start = mr_now_ns();
  for (int i = 0; i < COUNT; i++) {
    mr_future *future;
    mr_waiter waiter = {.run = nothing};
    if (mr_future_create(&future)) {
      abort();
    }
    mr_future_then(future, &waiter);
    mr_future_set(future, MR_OK);
    mr_future_release(future);
  }
  printf("create, then, set, release %7.1f ns\n", (double)(mr_now_ns() - start) / COUNT);
}

enum { SAMPLES = 400 };
static mr_future futures[SAMPLES];
static _Atomic(int) at = -1;
static uint64_t woken[SAMPLES];

static void *waiter_thread(void *unused) {
  (void)unused;
  for (int i = 0; i < SAMPLES; i++) {
    atomic_store(&at, i);
    mr_future_wait(&futures[i]);
    woken[i] = mr_now_ns();
  }
  return NULL;
}

static void hand_over(const char *name, uint64_t idle_ns) {
  double ns[SAMPLES];
  pthread_t thread;
  atomic_store(&at, -1);
  for (int i = 0; i < SAMPLES; i++) {
    mr_future_init(&futures[i]);
  }
  pthread_create(&thread, NULL, waiter_thread, NULL);
  uint64_t set[SAMPLES];
  for (int i = 0; i < SAMPLES; i++) {
    while (atomic_load(&at) != i) {
      mr_pause();
    }
    uint64_t end = mr_now_ns() + idle_ns;
    while (mr_now_ns() < end) {
      mr_pause();
    }
    set[i] = mr_now_ns();
    mr_future_set(&futures[i], MR_OK);
  }
  pthread_join(thread, NULL);
  for (int i = 0; i < SAMPLES; i++) {
    ns[i] = (double)(woken[i] - set[i]);
  }
  qsort(ns, SAMPLES, sizeof *ns, compare);
  printf("%-26s %7.0f ns (best %.0f)\n", name, ns[SAMPLES / 2], ns[0]);
}

int main(void) {
  one_thread();
  hand_over("hand-over, spinning", 2000);
  hand_over("hand-over, asleep", 300000);
  return 0;
}
