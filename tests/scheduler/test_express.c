// What is urgent, or brief, while every worker is inside what takes long: it is run beside that, it alone, and nothing is left when the scheduler
// goes.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "scheduler/scheduler.h"
#include "tests/cmocka.h"

enum { WORKERS = 2, MANY = 2000 };

// Nodes that hold a worker until they may go.
typedef struct gate {
  mr_scheduler *scheduler;
  _Atomic(int) inside, open;
} gate;

static void gate_run(mr_node *node) {
  gate *g = *(gate **)mr_node_payload(node);
  mr_scheduler_begin_lengthy(g->scheduler);
  atomic_fetch_add(&g->inside, 1);
  while (!atomic_load(&g->open)) {
    usleep(100);
  }
  mr_scheduler_end_lengthy(g->scheduler);
  mr_node_finish(node, MR_OK);
}

static const mr_node_type gate_type = {.name = "gate", .run = gate_run};

static void hold_all(mr_executor *executor, gate *g, mr_future **out_done) {
  for (int i = 0; i < WORKERS; i++) {
    mr_node *node;
    assert_null(mr_node_create(&gate_type, sizeof(gate *), executor, &node));
    *(gate **)mr_node_payload(node) = g;
    out_done[i] = mr_node_keep_done(node);
    mr_node_submit(node);
  }
  while (atomic_load(&g->inside) < WORKERS) {
    usleep(100);
  }
}

static void let_go(gate *g, mr_future **done) {
  atomic_store(&g->open, 1);
  for (int i = 0; i < WORKERS; i++) {
    mr_future_wait(done[i]);
    mr_future_release(done[i]);
  }
}

// Counts, and remembers who counted.
typedef struct note {
  _Atomic(int) *count;
  pthread_t *by;  // NULL: nobody asks
} note;

static void note_run(mr_node *node) {
  const note *n = mr_node_payload(node);
  if (n->by) {
    *n->by = pthread_self();
  }
  atomic_fetch_add(n->count, 1);
  mr_node_finish(node, MR_OK);
}

static const mr_node_type note_type = {.name = "note", .run = note_run};

static mr_node *make_note(mr_executor *executor, int8_t priority, _Atomic(int) *count, pthread_t *by) {
  mr_node *node;
  assert_null(mr_node_create(&note_type, sizeof(note), executor, &node));
  *(note *)mr_node_payload(node) = (note){count, by};
  node->priority = priority;
  node->cost_ns = 1000000;  // so that it does not run where it is submitted
  return node;
}

static mr_future *submit(mr_node *node) {
  mr_future *done = mr_node_keep_done(node);
  mr_node_submit(node);
  return done;
}

static bool happens(mr_future *take_done) {
  bool happened = mr_future_wait_until(take_done, mr_now_ns() + 20000000000);
  mr_future_release(take_done);
  return happened;
}

// Both kinds, many times, the thread asleep or awake; it ends by itself or with the scheduler.
static void test_beside_what_is_long(void **state) {
  (void)state;
  for (int round = 0; round < 20; round++) {
    mr_scheduler *scheduler;
    assert_null(mr_scheduler_create(&(mr_scheduler_options){.workers = WORKERS}, &scheduler));
    mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
    gate g = {.scheduler = scheduler};
    mr_future *held[WORKERS];
    _Atomic(int) count = 0;
    hold_all(executor, &g, held);
    for (int i = 0; i < MANY; i++) {
      assert_true(happens(submit(make_note(executor, i % 2 ? MR_PRIORITY_BRIEF : 1, &count, NULL))));
    }
    assert_int_equal(count, MANY);
    let_go(&g, held);
    mr_scheduler_release(scheduler);
  }
}

typedef struct crowd {
  mr_executor *executor;
  _Atomic(int) count;
} crowd;

static void *submit_many(void *argument) {
  crowd *c = argument;
  mr_future *last = NULL;
  for (int i = 0; i < MANY; i++) {
    mr_future_release(last);
    last = submit(make_note(c->executor, MR_PRIORITY_BRIEF, &c->count, NULL));
  }
  assert_true(happens(last));
  return NULL;
}

// From several threads at once, while workers come back and go in again.
static void test_from_many_threads(void **state) {
  (void)state;
  mr_scheduler *scheduler;
  assert_null(mr_scheduler_create(&(mr_scheduler_options){.workers = WORKERS}, &scheduler));
  crowd c = {.executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1))};
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) {
    pthread_create(&threads[i], NULL, submit_many, &c);
  }
  for (int round = 0; round < 20; round++) {
    gate g = {.scheduler = scheduler};
    mr_future *held[WORKERS];
    hold_all(c.executor, &g, held);
    usleep(500);
    let_go(&g, held);
  }
  for (int i = 0; i < 3; i++) {
    pthread_join(threads[i], NULL);
  }
  while (atomic_load(&c.count) < 3 * MANY) {
    usleep(100);
  }
  mr_scheduler_release(scheduler);
}

// What comes after it waits for a worker, and so does what is neither.
static void test_nothing_else(void **state) {
  (void)state;
  mr_scheduler *scheduler;
  assert_null(mr_scheduler_create(&(mr_scheduler_options){.workers = WORKERS}, &scheduler));
  mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
  gate g = {.scheduler = scheduler};
  mr_future *held[WORKERS];
  _Atomic(int) count = 0;
  pthread_t express, later = 0;
  hold_all(executor, &g, held);
  mr_node *brief = make_note(executor, MR_PRIORITY_BRIEF, &count, &express);
  mr_node *after = make_note(executor, 0, &count, &later);
  assert_null(mr_node_after(after, mr_node_done(brief)));
  mr_future *after_done = submit(after), *other = submit(make_note(executor, 0, &count, NULL));
  assert_true(happens(submit(brief)));
  usleep(20000);
  assert_int_equal(count, 1);
  let_go(&g, held);
  assert_true(happens(after_done));
  assert_true(happens(other));
  assert_int_equal(count, 3);
  assert_false(pthread_equal(express, later));
  mr_scheduler_release(scheduler);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_beside_what_is_long),
      cmocka_unit_test(test_from_many_threads),
      cmocka_unit_test(test_nothing_else),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
