// Where ready nodes go: bounded queues, cheap nodes, groups, and in which order others are robbed.
#include "tests/cmocka.h"
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "scheduler/internal.h"

static mr_scheduler *make(uint32_t workers) {
  mr_scheduler *scheduler;
  assert_null(mr_scheduler_create(&(mr_scheduler_options){.workers = workers}, &scheduler));
  return scheduler;
}

// What a node counts, and where it ran.
typedef struct counts {
  pthread_t submitter;
  _Atomic(uint32_t) ran, by_submitter, by_worker[4];
} counts;

static void count_run(mr_node *node) {
  counts *c = *(counts **)mr_node_payload(node);
  worker *w = mr_worker_self();
  if (pthread_equal(pthread_self(), c->submitter)) {
    atomic_fetch_add(&c->by_submitter, 1);
  } else if (w && w->index < MR_ARRAY_SIZE(c->by_worker)) {
    atomic_fetch_add(&c->by_worker[w->index], 1);
  }
  atomic_fetch_add(&c->ran, 1);
  mr_node_finish(node, MR_OK);
}
static const mr_node_type count_type = {.name = "count", .kind = MR_NODE_CALLBACK, .run = count_run};

static mr_node *count_node(mr_executor *executor, counts *c) {
  mr_node *node;
  assert_null(mr_node_create(&count_type, sizeof(counts *), executor, &node));
  *(counts **)mr_node_payload(node) = c;
  return node;
}

// Occupies a worker until it is told to go on: 0 before, 1 inside, 2 go on.
static void gate_run(mr_node *node) {
  _Atomic(uint32_t) *gate = *(_Atomic(uint32_t) **)mr_node_payload(node);
  atomic_store(gate, 1);
  while (atomic_load(gate) != 2) {
    usleep(50);
  }
  mr_node_finish(node, MR_OK);
}
static const mr_node_type gate_type = {.name = "gate", .kind = MR_NODE_CALLBACK, .run = gate_run};

static void close_gate(mr_executor *executor, _Atomic(uint32_t) *gate) {
  mr_node *node;
  assert_null(mr_node_create(&gate_type, sizeof(void *), executor, &node));
  *(_Atomic(uint32_t) **)mr_node_payload(node) = gate;
  mr_node_submit(node);
  while (atomic_load(gate) != 1) {
    usleep(50);
  }
}

// While the only worker is busy, a foreign thread fills the inbox and then runs its own nodes; all run once.
static void test_full_inbox_makes_submitter_help(void **state) {
  (void)state;
  enum { SURPLUS = 500 };
  mr_scheduler *scheduler = make(1);
  mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
  _Atomic(uint32_t) gate = 0;
  close_gate(executor, &gate);
  counts c = {.submitter = pthread_self()};
  for (uint32_t i = 0; i < MR_INBOX_LIMIT + SURPLUS; i++) {
    mr_node_submit(count_node(executor, &c));
  }
  assert_int_equal(c.by_submitter, SURPLUS);
  assert_int_equal(c.ran, SURPLUS);
  mr_node *last = count_node(executor, &c);
  mr_node_submit(last);
  atomic_store(&gate, 2);
  while (atomic_load(&c.ran) < MR_INBOX_LIMIT + SURPLUS + 1) {
    usleep(100);
  }
  mr_scheduler_release(scheduler);
  assert_int_equal(c.ran, MR_INBOX_LIMIT + SURPLUS + 1);
}

// A node on a worker that submits more than anybody takes runs part of it itself: what is queued stays bounded.
typedef struct flood {
  mr_executor *executor;
  counts *counts;
  int64_t most;
} flood;

static void flood_run(mr_node *node) {
  flood *f = *(flood **)mr_node_payload(node);
  f->counts->submitter = pthread_self();
  for (int i = 0; i < 100000; i++) {
    mr_node_submit(count_node(f->executor, f->counts));
    mr_deque *deque = &mr_worker_self()->deque;
    f->most = MR_MAX(f->most, atomic_load(&deque->bottom) - atomic_load(&deque->top));
  }
  mr_node_finish(node, MR_OK);
}

static void test_flooding_worker_helps(void **state) {
  (void)state;
  static const mr_node_type flood_type = {.name = "flood", .kind = MR_NODE_CALLBACK, .run = flood_run};
  mr_scheduler *scheduler = make(1);
  mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
  counts c = {0};
  flood f = {executor, &c, 0};
  mr_node *node;
  assert_null(mr_node_create(&flood_type, sizeof(flood *), executor, &node));
  *(flood **)mr_node_payload(node) = &f;
  mr_node_submit(node);
  while (atomic_load(&c.ran) < 100000) {
    usleep(100);
  }
  assert_true(f.most <= MR_DEQUE_CAPACITY);
  mr_scheduler_release(scheduler);
}

// A ready node that is known to be cheap runs inside submit; one that is not, or not known, does not.
static void test_cost_decides_where(void **state) {
  (void)state;
  mr_scheduler *scheduler = make(1);
  mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
  _Atomic(uint32_t) gate = 0;
  close_gate(executor, &gate);
  counts c = {.submitter = pthread_self()};
  const uint32_t costs[3] = {100, 0, 10000000};
  for (int i = 0; i < 3; i++) {
    mr_node *node = count_node(executor, &c);
    node->cost_ns = costs[i];
    mr_node_submit(node);
    assert_int_equal(c.ran, 1);
    assert_int_equal(c.by_submitter, 1);
  }
  atomic_store(&gate, 2);
  while (atomic_load(&c.ran) < 3) {
    usleep(100);
  }
  assert_int_equal(c.by_submitter, 1);
  mr_scheduler_release(scheduler);
}

// Both workers sleep, and have looked for the last time before they do.
static bool both_sleep(const mr_scheduler *scheduler) {
  return atomic_load(&scheduler->sleeper_count) == 2 &&
         atomic_load(&scheduler->workers[0]->activity) == ACTIVITY_NONE &&
         atomic_load(&scheduler->workers[1]->activity) == ACTIVITY_NONE;
}

// Nodes of a group run on the group's worker while it is free, and on another one when it is not.
static void test_groups_are_kept_to(void **state) {
  (void)state;
  mr_scheduler *scheduler = make(2);
  mr_executor *second = mr_group_executor(mr_scheduler_group(scheduler, 1, 2));
  counts c = {.submitter = pthread_self()};
  enum { NODES = 50 };
  mr_node_submit(count_node(mr_group_executor(mr_scheduler_group(scheduler, 0, 2)), &c));  // starts the threads
  while (atomic_load(&c.ran) < 1) {
    usleep(100);
  }
  uint32_t before = c.by_worker[1];
  for (int i = 0; i < NODES; i++) {
    while (!both_sleep(scheduler)) {
      usleep(100);
    }
    mr_node *node = count_node(second, &c);
    mr_future *done = mr_node_keep_done(node);
    mr_node_submit(node);
    mr_future_wait(done);
    mr_future_release(done);
  }
  assert_int_equal(c.by_worker[1] - before, NODES);
  _Atomic(uint32_t) gate = 0;
  close_gate(second, &gate);
  before = c.ran;
  for (int i = 0; i < NODES; i++) {
    mr_node_submit(count_node(second, &c));
  }
  while (atomic_load(&c.ran) < before + NODES) {
    usleep(100);
  }
  atomic_store(&gate, 2);
  mr_scheduler_release(scheduler);
}

// On a machine of four sockets each worker has every other one in its list once, from the nearest to the farthest, and not all
// begin with the same one.
static void test_steal_order(void **state) {
  (void)state;
  mr_scheduler *scheduler;
  const char *machine = "pack:4 numa:1 l3:2 core:16 pu:2";
  assert_null(mr_scheduler_create(&(mr_scheduler_options){.workers = 256, .synthetic = machine}, &scheduler));
  assert_int_equal(scheduler->worker_count, 256);
  uint32_t begins_with[256] = {0};
  for (uint32_t i = 0; i < 256; i++) {
    const worker *w = scheduler->workers[i];
    bool seen[256] = {false};
    uint32_t distance = 0;
    assert_int_equal(w->victim_count, 255 + MR_SCHEDULER_GUESTS);
    for (uint32_t k = 0; k < 255; k++) {
      uint32_t victim = w->victims[k], now = mr_topology_distance(scheduler->topology, i, victim);
      assert_true(victim < 256 && victim != i && !seen[victim] && now >= distance);
      seen[victim] = true;
      distance = now;
    }
    assert_int_equal(mr_topology_distance(scheduler->topology, i, w->victims[0]), 0);
    begins_with[w->victims[0]]++;
  }
  for (uint32_t i = 0; i < 256; i++) {
    assert_int_equal(begins_with[i], 1);
  }
  // Devices by socket: each group lies within one NUMA node.
  for (uint32_t d = 0; d < 4; d++) {
    assert_int_equal(mr_group_numa_node(mr_scheduler_group(scheduler, d, 4)), (int)d);
    assert_int_equal(mr_group_concurrency(mr_scheduler_group(scheduler, d, 4)), 64);
  }
  assert_int_equal(mr_group_numa_node(mr_scheduler_group(scheduler, 0, 1)), -1);
  mr_scheduler_release(scheduler);
}

int main(void) {
  alarm(280);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_full_inbox_makes_submitter_help),
      cmocka_unit_test(test_flooding_worker_helps),
      cmocka_unit_test(test_cost_decides_where),
      cmocka_unit_test(test_groups_are_kept_to),
      cmocka_unit_test(test_steal_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
