// Thousands of waiters on one future, joins of thousands, the deque alone, parking alone, timers that are cancelled.
#include <sched.h>
#include <unistd.h>

#include "scheduler/deque.h"
#include "scheduler/loop.h"
#include "tests/stress/stress.h"

// ---- Waiters ------------------------------------------------------------------------------------------------------------

enum { WAITERS = 1500, THREADS = 3 };

typedef struct counting_waiter {
  mr_waiter waiter;
  _Atomic(uint32_t) calls;
} counting_waiter;

typedef struct crowd {
  mr_future *future;
  counting_waiter *waiters;  // of one thread
} crowd;

static void count_call(mr_waiter *waiter, mr_status status) {
  CHECK(mr_status_code(status) == MR_UNKNOWN);
  atomic_fetch_add(&MR_CONTAINER_OF(waiter, counting_waiter, waiter)->calls, 1);
}

static void *add_waiters(void *argument) {
  crowd *c = argument;
  for (int i = 0; i < WAITERS; i++) {
    c->waiters[i].waiter.run = count_call;
    mr_future_then(c->future, &c->waiters[i].waiter);
  }
  CHECK(mr_future_wait_until(c->future, STRESS_DEADLINE));
  return NULL;
}

static void *set_some(void *argument) {
  mr_future **futures = argument;
  for (int i = 0; i < WAITERS; i++) {
    mr_future_set(futures[i], MR_OK);
  }
  return NULL;
}

static void check_joins(void) {
  mr_future **futures = calloc(THREADS * WAITERS, sizeof *futures), *all, *any;
  for (int i = 0; i < THREADS * WAITERS; i++) {
    CHECK(!mr_future_create(&futures[i]));
  }
  pthread_t threads[THREADS];
  CHECK(!mr_future_any((mr_future *const *)futures, THREADS * WAITERS, &any));
  stress_start(threads, THREADS, set_some, futures, WAITERS * sizeof *futures);
  CHECK(!mr_future_all((mr_future *const *)futures, THREADS * WAITERS, &all));
  CHECK(mr_future_wait_until(any, STRESS_DEADLINE) && mr_future_wait_until(all, STRESS_DEADLINE));
  CHECK(!mr_future_status(any) && !mr_future_status(all));
  stress_join(threads, THREADS);
  for (int i = 0; i < THREADS * WAITERS; i++) {
    CHECK(mr_future_is_set(futures[i]));
    mr_future_release(futures[i]);
  }
  mr_future_release(all);
  mr_future_release(any);
  free(futures);
}

void stress_waiters(uint32_t seed) {
  mr_future *future;
  CHECK(!mr_future_create(&future));
  counting_waiter *waiters = calloc(THREADS * WAITERS, sizeof *waiters);
  crowd crowds[THREADS];
  for (int i = 0; i < THREADS; i++) {
    crowds[i] = (crowd){future, waiters + i * WAITERS};
  }
  pthread_t threads[THREADS];
  stress_start(threads, THREADS, add_waiters, crowds, sizeof crowds[0]);
  usleep(next_random(&seed) % 200);
  CHECK(mr_future_try_set(future, mr_error(MR_UNKNOWN, "as expected")));
  stress_join(threads, THREADS);
  for (int i = 0; i < THREADS * WAITERS; i++) {
    CHECK(waiters[i].calls == 1);
  }
  mr_future_release(future);
  free(waiters);
  check_joins();
}

// ---- The deque ------------------------------------------------------------------------------------------------------------

enum { ITEMS = 20000 };
static mr_deque deque;
static _Atomic(uint8_t) had[ITEMS + 1];
static _Atomic(uint32_t) had_in_all;

static void have(mr_item item) {
  CHECK(item % 8 == 0 && item / 8 >= 1 && item / 8 <= ITEMS);
  CHECK(atomic_fetch_add(&had[item / 8], 1) == 0);
  atomic_fetch_add(&had_in_all, 1);
}

static void *steal(void *argument) {
  uint32_t seed = *(uint32_t *)argument;
  while (atomic_load(&had_in_all) < ITEMS) {
    mr_item items[MR_DEQUE_BATCH];
    bool many = next_random(&seed) % 2;
    uint32_t count = many ? mr_deque_steal_many(&deque, items) : (items[0] = mr_deque_steal(&deque)) != 0;
    for (uint32_t i = 0; i < count; i++) {
      have(items[i]);
    }
    if (!count) {
      sched_yield();
    }
  }
  return NULL;
}

void stress_deque(uint32_t seed) {
  for (int i = 0; i <= ITEMS; i++) {
    atomic_store(&had[i], 0);
  }
  atomic_store(&had_in_all, 0);
  uint32_t seeds[THREADS] = {next_random(&seed), next_random(&seed), next_random(&seed)};
  pthread_t threads[THREADS];
  stress_start(threads, THREADS, steal, seeds, sizeof seeds[0]);
  uintptr_t next = 1;
  while (atomic_load(&had_in_all) < ITEMS) {
    uint32_t pushes = next_random(&seed) % 4, takes = next_random(&seed) % 4;
    if (next_random(&seed) % 100 == 0) {
      pushes = 3 * MR_DEQUE_BATCH;
    }
    if (next_random(&seed) % 500 == 0) {
      pushes = MR_DEQUE_CAPACITY + 10;
    }
    for (; pushes && next <= ITEMS && mr_deque_push(&deque, next * 8) != MR_PUSH_FULL; pushes--) {
      next++;
    }
    for (; takes; takes--) {
      mr_item item = mr_deque_take(&deque);
      if (item) {
        have(item);
      }
    }
  }
  stress_join(threads, THREADS);
}

// ---- Parking --------------------------------------------------------------------------------------------------------------

static void count_run(mr_node *node) {
  atomic_fetch_add(*(_Atomic(uint32_t) **)mr_node_payload(node), 1);
  mr_node_finish(node, MR_OK);
}
static const mr_node_type count_type = {.name = "count", .kind = MR_NODE_CALLBACK, .run = count_run};

typedef struct submitter {
  mr_scheduler *scheduler;
  uint32_t seed;
  _Atomic(uint32_t) ran;
} submitter;

enum { SUBMISSIONS = 120 };

static void *submit_singly(void *argument) {
  submitter *s = argument;
  for (uint32_t i = 0; i < SUBMISSIONS; i++) {
    mr_node *node;
    mr_executor *executor = mr_group_executor(mr_scheduler_group(s->scheduler, next_random(&s->seed) % 2, 2));
    CHECK(!mr_node_create(&count_type, sizeof(void *), executor, &node));
    *(_Atomic(uint32_t) **)mr_node_payload(node) = &s->ran;
    node->priority = next_random(&s->seed) % 4 == 0;
    mr_future *done = mr_node_keep_done(node);
    mr_node_submit(node);
    // Half of the time the thread waits as a guest, which takes the place of a worker that sleeps.
    if (next_random(&s->seed) % 2) {
      mr_scheduler_wait(s->scheduler, done);
    }
    CHECK(mr_future_wait_until(done, STRESS_DEADLINE));
    mr_future_release(done);
    if (next_random(&s->seed) % 2) {
      usleep(next_random(&s->seed) % 150);
    }
  }
  return NULL;
}

// Single submissions around the time after which workers sleep: none is slept through.
void stress_parking(uint32_t seed) {
  mr_scheduler *scheduler;
  CHECK(!mr_scheduler_create(&(mr_scheduler_options){.workers = 1 + seed % 3}, &scheduler));
  submitter submitters[THREADS] = {
      {scheduler, next_random(&seed), 0}, {scheduler, seed * 3, 0}, {scheduler, seed * 7, 0}};
  pthread_t threads[THREADS];
  stress_start(threads, THREADS, submit_singly, submitters, sizeof submitters[0]);
  stress_join(threads, THREADS);
  for (int i = 0; i < THREADS; i++) {
    CHECK(submitters[i].ran == SUBMISSIONS);
  }
  mr_scheduler_release(scheduler);
}

// ---- Timers ---------------------------------------------------------------------------------------------------------------

static void *cancel_timers(void *argument) {
  mr_future **timers = argument;
  for (int i = 0; i < 100; i++) {
    mr_reactor_cancel(timers[i]);
  }
  return NULL;
}

// A timer that is cancelled while it fires is one or the other, never both.
void stress_timers(uint32_t seed) {
  mr_future *timers[100];
  for (int i = 0; i < 100; i++) {
    CHECK(!mr_reactor_timer(mr_now_ns() + next_random(&seed) % 1000000, &timers[i]));
  }
  pthread_t thread;
  stress_start(&thread, 1, cancel_timers, timers, 0);
  for (int i = 0; i < 100; i++) {
    CHECK(mr_future_wait_until(timers[i], STRESS_DEADLINE));
    mr_status status = mr_future_status(timers[i]);
    CHECK(!status || mr_status_code(status) == MR_CANCELLED);
  }
  stress_join(&thread, 1);
  for (int i = 0; i < 100; i++) {
    mr_future_release(timers[i]);
  }
}
