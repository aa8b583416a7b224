// Loops that workers share: every tile runs exactly once, whoever calls and whoever helps.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/processor/processor.h"
#include "scheduler/internal.h"
#include "tests/scheduler/shared_loop.h"

static void count_inner(void *context, int64_t begin, int64_t end) {
  loop *l = context;
  atomic_fetch_add(&l->inner, (int)(end - begin));
}
static void nest(void *context, int64_t begin, int64_t end) {
  loop *l = context;
  for (int64_t i = begin; i < end; i++) {
    mr_parallel_for(l->group, 50, count_inner, l, 1, 1000000);
  }
}

// Every tile runs exactly once, whatever the grain, with workers asleep or awake; after the first loop nothing is allocated.
static void test_parallel_for(void **state) {
  (void)state;
  const uint32_t workers[] = {MR_SCHEDULER_NO_WORKERS, 1, 2, 3, 8};
  for (size_t w = 0; w < MR_ARRAY_SIZE(workers); w++) {
    mr_scheduler *scheduler = make(workers[w]);
    loop l = {.group = mr_scheduler_group(scheduler, 0, 1)};
    for (int round = 0; round < 200; round++) {
      memset(l.hits, 0, sizeof l.hits);
      mr_parallel_for(l.group, TILES, hit, &l, round % 7, 1000000);
      for (int i = 0; i < TILES; i++) {
        assert_int_equal(l.hits[i], 1);
      }
      if (round == 0) {
        mr_alloc_fail_nth(0);
      }
    }
    assert_int_equal(mr_alloc_fail_nth(0), 0);
    mr_parallel_for(l.group, 0, hit, &l, 1, 1000000);
    mr_scheduler_release(scheduler);
  }
}

// A loop inside a loop is complete, also when all slots are in use.
static void test_nested_parallel_for(void **state) {
  (void)state;
  mr_scheduler *scheduler = make(3);
  loop l = {.group = mr_scheduler_group(scheduler, 0, 1)};
  for (int round = 0; round < 20; round++) {
    atomic_store(&l.inner, 0);
    mr_parallel_for(l.group, 40, nest, &l, 1, 1000000);
    assert_int_equal(l.inner, 40 * 50);
  }
  mr_scheduler_release(scheduler);
}

typedef struct mode_loop {
  unsigned wanted;
  pthread_t caller;
  _Atomic(int) helped, wrong;
} mode_loop;

static void look_at_mode(void *context, int64_t begin, int64_t end) {
  mode_loop *l = context;
  (void)begin, (void)end;
  // The caller leaves tiles for whoever comes.
  if (pthread_equal(l->caller, pthread_self())) {
    sched_yield();
  }
  atomic_fetch_add(&l->helped, !pthread_equal(l->caller, pthread_self()));
  atomic_fetch_add(&l->wrong, mr_float_mode() != l->wanted);
}

// Whoever helps computes as the caller does: subnormal numbers count as zero for all of them or for none.
static void test_helpers_take_the_float_mode_over(void **state) {
  (void)state;
  mr_scheduler *scheduler = make(3);
  mr_group *group = mr_scheduler_group(scheduler, 0, 1);
  unsigned before = mr_float_mode();
  for (int flush = 0; flush < 2; flush++) {
    unsigned mode = flush ? before | MR_FLOAT_FLUSH : before & ~MR_FLOAT_FLUSH;
    mode_loop l = {.wanted = mode, .caller = pthread_self()};
    mr_float_mode_set(mode);
    for (int round = 0; round < 10000 && atomic_load(&l.helped) < 100; round++) {
      mr_parallel_for(group, TILES, look_at_mode, &l, 1, 10000000);
    }
    mr_float_mode_set(before);
    assert_int_equal(l.wrong, 0);
    assert_true(l.helped > 0);
  }
  mr_scheduler_release(scheduler);
}

static void *loops_on_thread(void *context) {
  loop *l = context;
  for (int round = 0; round < 200; round++) {
    loop mine = {.group = l->group};
    mr_parallel_for(mine.group, TILES, hit, &mine, 1, 1000000);
    for (int i = 0; i < TILES; i++) {
      if (mine.hits[i] != 1) {
        abort();
      }
    }
  }
  return NULL;
}

// Foreign threads may all run loops at once.
static void test_parallel_for_from_many_threads(void **state) {
  (void)state;
  mr_scheduler *scheduler = make(2);
  loop l = {.group = mr_scheduler_group(scheduler, 0, 1)};
  pthread_t threads[12];
  for (size_t i = 0; i < MR_ARRAY_SIZE(threads); i++) {
    pthread_create(&threads[i], NULL, loops_on_thread, &l);
  }
  for (size_t i = 0; i < MR_ARRAY_SIZE(threads); i++) {
    pthread_join(threads[i], NULL);
  }
  mr_scheduler_release(scheduler);
}

typedef struct short_loop {
  pthread_t caller;
  _Atomic(bool) helped;
} short_loop;

static void spin_here(void *context, int64_t begin, int64_t end) {
  short_loop *l = context;
  if (!pthread_equal(pthread_self(), l->caller)) {
    atomic_store(&l->helped, true);
  }
  uint64_t until = mr_now_ns() + 2000 * (uint64_t)(end - begin);
  while (mr_now_ns() < until) {
    mr_processor_pause();
  }
}

// A loop that is too short to wake a worker for is shared when it follows others, and not when it comes now and then.
static void test_short_loops_in_a_row(void **state) {
  (void)state;
  enum { SHORT_NS = 20000, FEW = 20, DEADLINE_S = 20 };
  mr_scheduler *scheduler = make(2);
  mr_group *group = mr_scheduler_group(scheduler, 0, 1);
  short_loop l = {.caller = pthread_self()};
  for (int i = 0; i < FEW; i++) {
    mr_parallel_for(group, 10, spin_here, &l, 1, SHORT_NS);
    nanosleep(&(struct timespec){.tv_nsec = 2 * MR_WORKER_SPIN_NS}, NULL);
  }
  // relaxed: nobody else is there to start threads.
  assert_int_equal(atomic_load_explicit(&scheduler->state, memory_order_relaxed), SCHEDULER_IDLE);
  for (uint64_t end = mr_now_ns() + DEADLINE_S * 1000000000ull; !atomic_load(&l.helped) && mr_now_ns() < end;) {
    mr_parallel_for(group, 10, spin_here, &l, 1, SHORT_NS);
  }
  assert_true(atomic_load(&l.helped));
  mr_scheduler_release(scheduler);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_parallel_for),
      cmocka_unit_test(test_nested_parallel_for),
      cmocka_unit_test(test_helpers_take_the_float_mode_over),
      cmocka_unit_test(test_parallel_for_from_many_threads),
      cmocka_unit_test(test_short_loops_in_a_row),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
