// Places: what was written near some cores is read there, on machines of several sockets that are synthetic. The threads are
// never started: the test looks where a node is queued, who finds it first and who is woken for it.
#include "tests/cmocka.h"

#include <unistd.h>

#include "scheduler/internal.h"

static void task_run(mr_node *node) { mr_node_finish(node, MR_OK); }
static const mr_node_type task_type = {.name = "task", .kind = MR_NODE_CALLBACK, .run = task_run};

static mr_scheduler *make(const char *synthetic, uint32_t workers, bool running) {
  mr_scheduler *scheduler;
  assert_null(mr_scheduler_create(&(mr_scheduler_options){.workers = workers, .synthetic = synthetic}, &scheduler));
  if (running) {
    scheduler->state = SCHEDULER_RUNNING;
  }
  return scheduler;
}

static mr_future *submit(mr_executor *executor) {
  mr_node *node;
  assert_null(mr_node_create(&task_type, 0, executor, &node));
  node->cost_ns = 1000000;  // not inside the submission
  mr_future *done = mr_node_keep_done(node);
  mr_node_submit(node);
  return done;
}

// An executor is the first field of its group.
static const mr_group *group_of(mr_executor *executor) { return (const mr_group *)executor; }

// Workers of a place share its last-level cache; a worker knows its place, and another thread of a synthetic machine has none.
static void test_places(void **state) {
  (void)state;
  mr_scheduler *s = make("pack:4 numa:1 l3:2 core:16 pu:2", 256, false);
  assert_int_equal(mr_scheduler_place(s), MR_PLACE_UNKNOWN);
  for (uint32_t i = 0; i < 256; i += 31) {
    mr_worker_set_self(s->workers[i]);
    assert_int_equal(mr_scheduler_place(s), i / 32);
  }
  mr_worker_set_self(NULL);
  mr_scheduler_release(s);
}

// For a device that is the whole machine, "near" is the workers of the place; for one with a part of it, those of the place that
// it has; with none there, or a place that nobody knows, all that it has.
static void test_near(void **state) {
  (void)state;
  mr_scheduler *s = make("pack:4 numa:1 l3:2 core:16 pu:2", 256, false);
  mr_group *all = mr_scheduler_group(s, 0, 1), *third = mr_scheduler_group(s, 2, 3);  // workers 170 to 255
  const mr_group *near = group_of(mr_group_executor_near(all, 5));
  assert_int_equal(near->first, 160);
  assert_int_equal(near->count, 32);
  assert_ptr_equal(group_of(mr_group_executor_near(all, 5)), near);  // made once
  near = group_of(mr_group_executor_near(third, 5));
  assert_int_equal(near->first, 170);
  assert_int_equal(near->count, 22);
  assert_ptr_equal(mr_group_executor_near(third, 0), mr_group_executor(third));
  assert_ptr_equal(mr_group_executor_near(all, MR_PLACE_UNKNOWN), mr_group_executor(all));
  mr_group *eighth = mr_scheduler_group(s, 5, 8);
  assert_ptr_equal(mr_group_executor_near(eighth, 5), mr_group_executor(eighth));
  mr_scheduler_release(s);
}

// One place: nothing is made and nothing looked up.
static void test_one_place(void **state) {
  (void)state;
  mr_scheduler *s = make("pack:1 l3:1 core:4 pu:1", 4, false);
  mr_group *all = mr_scheduler_group(s, 0, 1);
  assert_int_equal(mr_scheduler_place(s), 0);
  assert_ptr_equal(mr_group_executor_near(all, 0), mr_group_executor(all));
  assert_int_equal(s->group_count, 1);
  mr_scheduler_release(s);
}

// A node for a place is first found by its workers; another worker takes its own place's first, and this one in the end.
static void test_who_finds_it(void **state) {
  (void)state;
  mr_scheduler *s = make("pack:2 l3:1 core:2 pu:1", 4, true);
  mr_group *all = mr_scheduler_group(s, 0, 1);
  mr_future *far = submit(mr_group_executor_near(all, 1)), *here = submit(mr_group_executor_near(all, 0));
  mr_worker_set_self(s->workers[0]);
  assert_true(mr_worker_run_one(s->workers[0]));
  assert_true(mr_future_is_set(here) && !mr_future_is_set(far));
  assert_true(mr_worker_run_one(s->workers[0]));
  assert_true(mr_future_is_set(far));
  assert_false(mr_worker_run_one(s->workers[0]));
  mr_future_release(far);
  mr_future_release(here);
  mr_worker_set_self(NULL);
  mr_scheduler_release(s);
}

static bool is_woken(mr_scheduler *s, uint32_t index) {
  bool woken = s->workers[index]->token;
  s->workers[index]->token = 0;
  s->searching -= woken;
  return woken;
}

// Of four workers that sleep, one of the node's place is woken; when those are awake, one from elsewhere.
static void test_who_is_woken(void **state) {
  (void)state;
  mr_scheduler *s = make("pack:2 l3:1 core:2 pu:1", 4, true);
  mr_group *all = mr_scheduler_group(s, 0, 1);
  mr_executor *near = mr_group_executor_near(all, 1);
  s->sleepers[0] = 0xf;
  s->sleeper_count = 4;
  mr_future_release(submit(near));
  assert_true(is_woken(s, 2));
  mr_future_release(submit(near));
  assert_true(is_woken(s, 3));
  mr_future_release(submit(near));
  assert_true(is_woken(s, 0));
  s->sleepers[0] = s->sleeper_count = 0;
  mr_scheduler_release(s);  // cancels them
}

// With threads: whatever the hints, every node runs once and none is left behind.
static void test_all_run(void **state) {
  (void)state;
  enum { NODES = 4000 };
  mr_scheduler *s = make("pack:4 l3:1 core:1 pu:1", 4, false);
  mr_group *all = mr_scheduler_group(s, 0, 1);
  static mr_future *done[NODES];
  for (int i = 0; i < NODES; i++) {
    done[i] = submit(mr_group_executor_near(all, (uint32_t)(i % 5)));
  }
  for (int i = 0; i < NODES; i++) {
    assert_true(mr_future_wait_until(done[i], mr_now_ns() + 60000000000u));
    assert_null(mr_future_status(done[i]));
    mr_future_release(done[i]);
  }
  assert_int_equal(mr_scheduler_count(s).items, NODES);
  mr_scheduler_release(s);
}

int main(void) {
  alarm(280);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_places),       cmocka_unit_test(test_near),         cmocka_unit_test(test_one_place),
      cmocka_unit_test(test_who_finds_it), cmocka_unit_test(test_who_is_woken), cmocka_unit_test(test_all_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
