// Futures and the block pool under several threads. Stops on counts; the seed is printed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "futures/futures.h"
#include "futures/pool.h"

enum { THREADS = 4, ROUNDS = 3000, WAITERS = 8 };

static uint32_t next_random(uint32_t *seed) { return *seed = *seed * 1664525u + 1013904223u, *seed >> 8; }

static void jitter(uint32_t *seed) {
  uint32_t r = next_random(seed) % 64;
  if (r == 0) {
    sched_yield();
  }
  for (volatile uint32_t i = 0; i < r; i++) {
  }
}

typedef struct stress_waiter {
  mr_waiter waiter;
  _Atomic(int) *calls;
  int *written;
} stress_waiter;

typedef struct future_round {
  mr_future *future;
  int written;  // before the set; read by waiters: what a set publishes
  _Atomic(int) calls, winners;
  stress_waiter waiters[THREADS][WAITERS];
} future_round;

static future_round rounds[ROUNDS];
static pthread_barrier_t barrier;
static uint32_t base_seed = 12345;

static void check_and_count(mr_waiter *waiter, mr_status status) {
  stress_waiter *self = MR_CONTAINER_OF(waiter, stress_waiter, waiter);
  if (mr_status_code(status) != MR_ABORTED || *self->written != 7) {
    abort();
  }
  atomic_fetch_add(self->calls, 1);
}

// One thread sets; all add waiters before, during and after; some sleep; some try to set again.
static void *future_thread(void *argument) {
  uintptr_t me = (uintptr_t)argument;
  uint32_t seed = base_seed + (uint32_t)me;
  for (int r = 0; r < ROUNDS; r++) {
    future_round *now = &rounds[r];
    pthread_barrier_wait(&barrier);
    bool setter = (uintptr_t)r % THREADS == me;
    int before = (int)(next_random(&seed) % (WAITERS + 1));
    for (int w = 0; w < WAITERS; w++) {
      if (setter && w == before) {
        jitter(&seed);
        now->written = 7;
        if (mr_future_try_set(now->future, mr_error(MR_ABORTED, "round %d", r))) {
          atomic_fetch_add(&now->winners, 1);
        }
      }
      now->waiters[me][w] =
          (stress_waiter){.waiter.run = check_and_count, .calls = &now->calls, .written = &now->written};
      mr_future_then(now->future, &now->waiters[me][w].waiter);
      jitter(&seed);
    }
    if (setter && before == WAITERS) {
      now->written = 7;
      if (mr_future_try_set(now->future, mr_error(MR_ABORTED, "round %d", r))) {
        atomic_fetch_add(&now->winners, 1);
      }
    }
    if (next_random(&seed) % 2) {
      mr_future_wait_until(now->future, mr_now_ns() + next_random(&seed) % 100000);
    }
    mr_future_wait(now->future);
    if (now->written != 7) {
      abort();
    }
    if (mr_future_try_set(now->future, MR_OK)) {
      atomic_fetch_add(&now->winners, 1);
    }
    mr_future_release(now->future);
  }
  return NULL;
}

static void run_threads(void *(*main)(void *)) {
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_create(&threads[i], NULL, main, (void *)i), 0);
  }
  for (size_t i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
}

// Nothing is lost, nothing runs twice, one setter wins, and what was written before the set is seen after it.
static void test_future_stress(void **state) {
  (void)state;
  printf("seed %u\n", base_seed);
  for (int r = 0; r < ROUNDS; r++) {
    rounds[r] = (future_round){0};
    assert_null(mr_future_create(&rounds[r].future));
    for (int i = 1; i < THREADS; i++) {
      mr_future_retain(rounds[r].future);
    }
  }
  pthread_barrier_init(&barrier, NULL, THREADS);
  run_threads(future_thread);
  pthread_barrier_destroy(&barrier);
  for (int r = 0; r < ROUNDS; r++) {
    assert_int_equal(rounds[r].calls, THREADS * WAITERS);
    assert_int_equal(rounds[r].winners, 1);
  }
}

// ---- Waiting on the stack ---------------------------------------------------------------------------------------------

enum { HANDOVERS = 5000 };
static _Atomic(mr_future *) slot;

static void *setter_thread(void *unused) {
  (void)unused;
  for (int i = 0; i < HANDOVERS; i++) {
    mr_future *future;
    while (!(future = atomic_exchange(&slot, NULL))) {
      sched_yield();
    }
    mr_future_set(future, i % 3 ? MR_OK : mr_error(MR_INTERNAL, "%d", i));
  }
  return NULL;
}

// A future on the stack may be gone the moment its wait is over, while the setter is still inside.
static void test_stack_futures(void **state) {
  (void)state;
  pthread_t thread;
  pthread_create(&thread, NULL, setter_thread, NULL);
  for (int i = 0; i < HANDOVERS; i++) {
    mr_future future;
    mr_future_init(&future);
    atomic_store(&slot, &future);
    mr_future_wait(&future);
    assert_int_equal(mr_future_status(&future) != MR_OK, i % 3 == 0);
    mr_future_deinit(&future);
  }
  pthread_join(thread, NULL);
}

// ---- Pool -------------------------------------------------------------------------------------------------------------

enum { BLOCKS = 40000, RING = 512 };
typedef struct pool_block {
  uint64_t stamp;
  size_t size;
  char rest[];
} pool_block;
static _Atomic(pool_block *) ring[RING];

// Blocks wander: who makes one is rarely who frees it. A block is never in two hands.
static void *pool_thread(void *argument) {
  uint32_t seed = base_seed * 7 + (uint32_t)(uintptr_t)argument;
  for (int i = 0; i < BLOCKS; i++) {
    size_t size = 24 + next_random(&seed) % (i % 8 ? 300 : 40000);
    pool_block *block = mr_struct_alloc(size);
    if (!block || (uintptr_t)block % ((size + 31) / 32 % 2 ? 32 : 64)) {
      abort();
    }
    block->size = size;
    block->stamp = (uint64_t)(uintptr_t)block * 3;
    block = atomic_exchange(&ring[next_random(&seed) % RING], block);
    if (!block) {
      continue;
    }
    if (block->stamp != (uint64_t)(uintptr_t)block * 3) {
      abort();
    }
    block->stamp = 0;
    mr_struct_free(block, block->size);
  }
  return NULL;
}

static void test_pool_stress(void **state) {
  (void)state;
  for (int round = 0; round < 3; round++) {
    run_threads(pool_thread);
  }
  for (int i = 0; i < RING; i++) {
    pool_block *block = atomic_exchange(&ring[i], NULL);
    if (block) {
      mr_struct_free(block, block->size);
    }
  }
}

int main(void) {
  const char *seed = getenv("MILLRACE_TEST_SEED");
  if (seed) {
    base_seed = (uint32_t)strtoul(seed, NULL, 10);
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_future_stress),
      cmocka_unit_test(test_stack_futures),
      cmocka_unit_test(test_pool_stress),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
