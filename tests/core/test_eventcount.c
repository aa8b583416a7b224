// Parking and waking.
#include "tests/cmocka.h"

#include <pthread.h>
#include <stdatomic.h>

#include "core/core.h"
#include "core/eventcount.h"
#include "core/ref.h"

enum { ITEMS = 20000, CONSUMERS = 3 };

typedef struct work_pool {
  mr_eventcount event;
  atomic_int available;  // seq_cst, as eventcount.h asks of what is looked at
  atomic_int taken;
  unsigned spins;
} work_pool;

static bool take_one(work_pool *pool) {
  int available = atomic_load_explicit(&pool->available, memory_order_seq_cst);
  while (available > 0) {
    if (atomic_compare_exchange_weak_explicit(&pool->available, &available, available - 1,
                                              memory_order_seq_cst, memory_order_seq_cst)) {
      return true;
    }
  }
  return false;
}

static void *consume(void *argument) {
  work_pool *pool = argument;
  for (;;) {
    uint32_t key = mr_eventcount_prepare(&pool->event);
    if (take_one(pool)) {
      mr_eventcount_cancel(&pool->event);
      // relaxed: read after the joins
      if (atomic_fetch_add_explicit(&pool->taken, 1, memory_order_relaxed) >= ITEMS) return NULL;
      continue;
    }
    mr_eventcount_wait(&pool->event, key, pool->spins);
  }
}

// Every item is taken though the consumers sleep whenever there is none: a lost wake-up would hang this test.
static void test_no_wake_up_is_lost(void **state) {
  (void)state;
  for (unsigned spins = 0; spins <= 50; spins += 50) {
    work_pool pool = {.spins = spins};
    mr_eventcount_init(&pool.event);
    pthread_t threads[CONSUMERS];
    for (int i = 0; i < CONSUMERS; i++) assert_int_equal(pthread_create(&threads[i], NULL, consume, &pool), 0);
    // One more item for each consumer: the one it stops on.
    for (int i = 0; i < ITEMS + CONSUMERS; i++) {
      atomic_fetch_add_explicit(&pool.available, 1, memory_order_seq_cst);
      mr_eventcount_notify(&pool.event, 1);
    }
    for (int i = 0; i < CONSUMERS; i++) pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load_explicit(&pool.taken, memory_order_relaxed), ITEMS + CONSUMERS);
  }
}

// Without a notify the deadline ends the wait; with one before the wait it returns at once.
static void test_deadline(void **state) {
  (void)state;
  mr_eventcount event;
  mr_eventcount_init(&event);
  uint64_t start = mr_now_ns();
  uint32_t key = mr_eventcount_prepare(&event);
  assert_false(mr_eventcount_wait_until(&event, key, 10, start + 2000000));
  assert_true(mr_now_ns() - start >= 2000000);
  key = mr_eventcount_prepare(&event);
  mr_eventcount_notify(&event, 1);
  assert_true(mr_eventcount_wait_until(&event, key, 0, UINT64_MAX));
}

// Exactly the last release destroys.
static void test_last_release_destroys(void **state) {
  (void)state;
  mr_ref ref;
  mr_ref_init(&ref);
  assert_true(mr_ref_is_unique(&ref));
  mr_ref_retain(&ref);
  assert_false(mr_ref_is_unique(&ref));
  assert_false(mr_ref_release(&ref));
  assert_true(mr_ref_release(&ref));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_no_wake_up_is_lost),
      cmocka_unit_test(test_deadline),
      cmocka_unit_test(test_last_release_destroys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
