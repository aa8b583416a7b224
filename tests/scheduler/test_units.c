// A mask of processing units that shrinks and grows while workers run.
#include "tests/cmocka.h"
#include <unistd.h>

#include "futures/park.h"
#include "scheduler/scheduler.h"
#include "tests/masks.h"

static _Atomic(int) inside, most_inside;

static void be_inside(void) {
  int now = atomic_fetch_add(&inside, 1) + 1, most = atomic_load(&most_inside);
  while (now > most && !atomic_compare_exchange_weak(&most_inside, &most, now)) {
  }
  uint64_t end = mr_now_ns() + 200000;
  while (mr_now_ns() < end) {
  }
  atomic_fetch_sub(&inside, 1);
}

static void task_run(mr_node *node) {
  be_inside();
  mr_node_finish(node, MR_OK);
}
static const mr_node_type task_type = {.name = "task", .kind = MR_NODE_CALLBACK, .run = task_run};

// How many tasks of a batch were inside at once. This thread only sleeps meanwhile.
static int run_batch(mr_scheduler *scheduler) {
  enum { TASKS = 60 };
  mr_future *done[TASKS];
  atomic_store(&most_inside, 0);
  for (int i = 0; i < TASKS; i++) {
    mr_node *node;
    assert_null(mr_node_create(&task_type, 0, mr_group_executor(mr_scheduler_group(scheduler, 0, 1)), &node));
    done[i] = mr_node_keep_done(node);
    mr_node_submit(node);
  }
  for (int i = 0; i < TASKS; i++) {
    mr_future_wait(done[i]);
    mr_future_release(done[i]);
  }
  usleep(3000);  // the workers go to sleep, and look at the units when they wake up
  return atomic_load(&most_inside);
}

// Batches until `wanted` were inside at once at most.
static bool becomes(mr_scheduler *scheduler, int wanted) {
  uint64_t end = mr_now_ns() + 60000000000u;
  while (mr_now_ns() < end) {
    if (run_batch(scheduler) == wanted) {
      return true;
    }
  }
  return false;
}

// With one unit left one worker works, and with all of them back all do.
static void test_shrink_and_grow(void **state) {
  (void)state;
  cpu_set_t all, one;
  assert_true(get_masks(&all, &one));
  if (CPU_COUNT(&all) < 2) {
    skip();
  }
  mr_scheduler *scheduler;
  assert_null(mr_scheduler_create(&(mr_scheduler_options){.workers = 2}, &scheduler));
  assert_true(becomes(scheduler, 2));
  assert_true(set_mask_of_all(&one));
  assert_true(becomes(scheduler, 1));
  usleep(150000);
  run_batch(scheduler);  // the first after a pause may begin with a worker that has not looked
  for (int i = 0; i < 5; i++) {
    assert_int_equal(run_batch(scheduler), 1);
  }
  assert_int_equal(mr_allowed_units(), 1);
  assert_true(set_mask_of_all(&all));
  assert_true(becomes(scheduler, 2));
  mr_scheduler_release(scheduler);
}

// A scheduler ends while one of its workers stands aside.
static void test_release_while_shrunk(void **state) {
  (void)state;
  cpu_set_t all, one;
  assert_true(get_masks(&all, &one));
  if (CPU_COUNT(&all) < 2) {
    skip();
  }
  mr_scheduler *scheduler;
  assert_null(mr_scheduler_create(&(mr_scheduler_options){.workers = 2}, &scheduler));
  assert_true(becomes(scheduler, 2));
  assert_true(set_mask_of_all(&one));
  assert_true(becomes(scheduler, 1));
  mr_scheduler_release(scheduler);
  assert_true(set_mask_of_all(&all));
  assert_null(mr_scheduler_create(&(mr_scheduler_options){.workers = 2}, &scheduler));
  assert_true(becomes(scheduler, 2));
  mr_scheduler_release(scheduler);
}

int main(void) {
  alarm(280);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shrink_and_grow),
      cmocka_unit_test(test_release_while_shrunk),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
