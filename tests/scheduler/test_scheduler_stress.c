// The deque, parking and whole graphs under several threads. Stops on counts; the seed is printed.
#include "tests/cmocka.h"
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scheduler/deque.h"
#include "scheduler/scheduler.h"

static uint32_t base_seed = 4711;
static uint32_t next_random(uint32_t *seed) { return *seed = *seed * 1664525u + 1013904223u, *seed >> 8; }

// ---- Deque ------------------------------------------------------------------------------------------------------------

enum { ITEMS = 200000, THIEVES = 3 };
static mr_deque deque;
static _Atomic(uint8_t) seen[ITEMS + 1];
static _Atomic(uint32_t) found;

static void see(mr_item item) {
  uintptr_t index = item / 8;
  if (index == 0 || index > ITEMS || atomic_fetch_add(&seen[index], 1) != 0) {
    abort();
  }
  atomic_fetch_add(&found, 1);
}

static void *thief(void *unused) {
  (void)unused;
  uintptr_t last = 0;
  while (atomic_load(&found) < ITEMS) {
    mr_item item = mr_deque_steal(&deque);
    if (!item) {
      sched_yield();
      continue;
    }
    if (item / 8 <= last) {
      abort();  // a thief sees them in the order in which they were pushed
    }
    last = item / 8;
    see(item);
  }
  return NULL;
}

// Every item is taken by exactly one thread, also when owner and thieves fight for the last one.
static void test_deque(void **state) {
  (void)state;
  uint32_t seed = base_seed;
  pthread_t threads[THIEVES];
  for (size_t i = 0; i < THIEVES; i++) {
    pthread_create(&threads[i], NULL, thief, NULL);
  }
  uintptr_t next = 1;
  while (atomic_load(&found) < ITEMS) {
    uint32_t pushes = next_random(&seed) % 4, takes = next_random(&seed) % 4;
    if (next_random(&seed) % 500 == 0) {
      pushes = 5000;  // more than it holds
    }
    for (; pushes && next <= ITEMS && mr_deque_push(&deque, next * 8); pushes--) {
      next++;
    }
    for (; takes; takes--) {
      mr_item item = mr_deque_take(&deque);
      if (item) {
        see(item);
      }
    }
  }
  for (size_t i = 0; i < THIEVES; i++) {
    pthread_join(threads[i], NULL);
  }
  assert_int_equal(found, ITEMS);
}

// ---- Graphs -----------------------------------------------------------------------------------------------------------

enum { NODES = 3000 };
typedef struct graph_node {
  _Atomic(int) runs, fails;
  uint32_t inputs[4], input_count;
} graph_node;
typedef struct graph {
  graph_node nodes[NODES];
  mr_future *done[NODES];
  uint32_t fail_at;
  _Atomic(int) wrong;
} graph;
typedef struct node_args {
  graph *g;
  uint32_t index;
} node_args;

static void graph_run(mr_node *node) {
  node_args args = *(node_args *)mr_node_payload(node);
  graph_node *n = &args.g->nodes[args.index];
  for (uint32_t i = 0; i < n->input_count; i++) {
    if (atomic_load(&args.g->nodes[n->inputs[i]].runs) != 1) {
      atomic_fetch_add(&args.g->wrong, 1);
    }
  }
  atomic_fetch_add(&n->runs, 1);
  mr_node_finish(node, args.index == args.g->fail_at ? mr_error(MR_DATA_LOSS, "here") : MR_OK);
}
static void graph_fail(mr_node *node, mr_status status) {
  node_args args = *(node_args *)mr_node_payload(node);
  if (mr_status_code(status) != MR_DATA_LOSS && mr_status_code(status) != MR_CANCELLED) {
    abort();
  }
  atomic_fetch_add(&args.g->nodes[args.index].fails, 1);
}
static const mr_node_type graph_type = {.name = "g", .kind = MR_NODE_CALLBACK, .run = graph_run, .fail = graph_fail};

static void submit_graph(graph *g, mr_executor *executor, uint32_t *seed) {
  for (uint32_t i = 0; i < NODES; i++) {
    graph_node *n = &g->nodes[i];
    mr_node *node;
    if (mr_node_create(&graph_type, sizeof(node_args), executor, &node)) {
      abort();
    }
    *(node_args *)mr_node_payload(node) = (node_args){g, i};
    node->cost_ns = next_random(seed) % 3 == 0 ? 100 : 0;
    node->priority = next_random(seed) % 10 == 0;
    n->input_count = i ? next_random(seed) % 5 : 0;
    for (uint32_t k = 0; k < n->input_count; k++) {
      uint32_t reach = next_random(seed) % 2 ? i : MR_MIN(i, 10u);
      n->inputs[k] = i - 1 - next_random(seed) % reach;
      if (mr_node_after(node, g->done[n->inputs[k]])) {
        abort();
      }
    }
    g->done[i] = mr_future_retain(mr_node_done(node));
    mr_node_submit(node);
  }
}

static void check_graph(graph *g, bool all_run) {
  assert_int_equal(g->wrong, 0);
  for (uint32_t i = 0; i < NODES; i++) {
    assert_true(mr_future_is_set(g->done[i]));
    assert_int_equal(g->nodes[i].runs + g->nodes[i].fails, 1);
    if (all_run) {
      assert_int_equal(g->nodes[i].runs, 1);
    }
    mr_future_release(g->done[i]);
  }
}

typedef struct client {
  mr_scheduler *scheduler;
  uint32_t seed;
  int rounds;
} client;

static void *client_thread(void *argument) {
  client *c = argument;
  mr_executor *executor = mr_group_executor(mr_scheduler_group(c->scheduler, c->seed % 2, 2));
  for (int round = 0; round < c->rounds; round++) {
    graph *g = calloc(1, sizeof *g);
    g->fail_at = round % 2 ? UINT32_MAX : next_random(&c->seed) % NODES;
    submit_graph(g, executor, &c->seed);
    for (uint32_t i = 0; i < NODES; i += 1 + next_random(&c->seed) % 500) {
      if (next_random(&c->seed) % 2) {
        mr_scheduler_wait(c->scheduler, g->done[i]);
      } else {
        mr_future_wait(g->done[i]);
      }
    }
    for (uint32_t i = 0; i < NODES; i++) {
      mr_future_wait(g->done[i]);
    }
    check_graph(g, g->fail_at == UINT32_MAX);
    free(g);
    if (next_random(&c->seed) % 3 == 0) {
      usleep(next_random(&c->seed) % 300);
    }
  }
  return NULL;
}

// Random graphs from several clients on shared workers: every node once, after its inputs, failures arrive, nobody hangs.
static void test_graphs(void **state) {
  (void)state;
  printf("seed %u\n", base_seed);
  for (uint32_t workers = 1; workers <= 4; workers++) {
    mr_scheduler *scheduler;
    assert_null(mr_scheduler_create(&(mr_scheduler_options){.workers = workers}, &scheduler));
    pthread_t threads[3];
    client clients[3];
    for (uint32_t i = 0; i < 3; i++) {
      clients[i] = (client){scheduler, base_seed + workers * 10 + i, 8};
      pthread_create(&threads[i], NULL, client_thread, &clients[i]);
    }
    for (size_t i = 0; i < 3; i++) {
      pthread_join(threads[i], NULL);
    }
    mr_scheduler_release(scheduler);
  }
}

// Shutting down in the middle: every node finishes, run or cancelled, once.
static void test_shutdown(void **state) {
  (void)state;
  uint32_t seed = base_seed;
  for (int round = 0; round < 30; round++) {
    mr_scheduler *scheduler;
    assert_null(mr_scheduler_create(&(mr_scheduler_options){.workers = 1 + round % 3}, &scheduler));
    graph *g = calloc(1, sizeof *g);
    g->fail_at = UINT32_MAX;
    submit_graph(g, mr_group_executor(mr_scheduler_group(scheduler, 0, 1)), &seed);
    if (round % 2) {
      usleep(next_random(&seed) % 1000);
    }
    mr_scheduler_release(scheduler);
    check_graph(g, false);
    free(g);
  }
}

// ---- Plans ------------------------------------------------------------------------------------------------------------

typedef struct plan_context {
  const uint32_t *offsets, *inputs;
  _Atomic(int) runs[NODES];
  _Atomic(int) wrong;
} plan_context;

static mr_status plan_step(mr_run *run, uint32_t node) {
  plan_context *c = mr_run_context(run);
  for (uint32_t e = c->offsets[node]; e < c->offsets[node + 1]; e++) {
    if (atomic_load(&c->runs[c->inputs[e]]) != 1) {
      atomic_fetch_add(&c->wrong, 1);
    }
  }
  atomic_fetch_add(&c->runs[node], 1);
  return MR_OK;
}

// Runs of one plan, several at once, on workers: every node once and after its inputs.
static void test_plans(void **state) {
  (void)state;
  uint32_t seed = base_seed, edges = 0;
  static uint32_t offsets[NODES + 1], inputs[NODES * 4];
  static mr_plan_node nodes[NODES];
  for (uint32_t i = 0; i < NODES; i++) {
    uint32_t count = i ? next_random(&seed) % 4 : 0;
    for (uint32_t k = 0; k < count; k++) {
      inputs[edges++] = i - 1 - next_random(&seed) % MR_MIN(i, 200u);
    }
    offsets[i + 1] = edges;
    nodes[i] = (mr_plan_node){.run = plan_step, .cost_ns = next_random(&seed) % 2 ? 150 : 0};
  }
  mr_plan *plan;
  assert_null(mr_plan_create(nodes, NODES, offsets, inputs, &plan));
  mr_scheduler *scheduler;
  assert_null(mr_scheduler_create(&(mr_scheduler_options){.workers = 3}, &scheduler));
  mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
  enum { RUNS = 6 };
  for (int round = 0; round < 20; round++) {
    plan_context *contexts = calloc(RUNS, sizeof *contexts);
    mr_run *runs[RUNS];
    for (int i = 0; i < RUNS; i++) {
      contexts[i].offsets = offsets;
      contexts[i].inputs = inputs;
      assert_null(mr_run_create(plan, executor, &contexts[i], &runs[i]));
      if (i % 2) {
        mr_run_start(runs[i]);
      } else {
        mr_run_start_here(runs[i]);
      }
    }
    for (int i = 0; i < RUNS; i++) {
      if (i % 3) {
        mr_scheduler_wait(scheduler, mr_run_done(runs[i]));
      } else {
        mr_future_wait(mr_run_done(runs[i]));
      }
      assert_null(mr_future_status(mr_run_done(runs[i])));
      mr_run_release(runs[i]);
      assert_int_equal(contexts[i].wrong, 0);
      for (int k = 0; k < NODES; k++) {
        assert_int_equal(contexts[i].runs[k], 1);
      }
    }
    free(contexts);
  }
  mr_scheduler_release(scheduler);
  mr_plan_release(plan);
}

// ---- Parking ------------------------------------------------------------------------------------------------------------

// Single submissions at random distances around the time after which workers sleep: none is slept through.
static void test_parking(void **state) {
  (void)state;
  uint32_t seed = base_seed;
  mr_scheduler *scheduler;
  assert_null(mr_scheduler_create(&(mr_scheduler_options){.workers = 2}, &scheduler));
  graph *g = calloc(1, sizeof *g);
  g->fail_at = UINT32_MAX;
  for (uint32_t i = 0; i < NODES; i++) {
    mr_node *node;
    // Either group, so that the worker of the other one is sometimes the only one awake.
    mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, next_random(&seed) % 2, 2));
    assert_null(mr_node_create(&graph_type, sizeof(node_args), executor, &node));
    *(node_args *)mr_node_payload(node) = (node_args){g, i};
    g->done[i] = mr_node_keep_done(node);
    mr_node_submit(node);
    assert_true(mr_future_wait_until(g->done[i], mr_now_ns() + 20000000000u));
    uint64_t end = mr_now_ns() + next_random(&seed) % 160000;
    while (mr_now_ns() < end) {
    }
  }
  check_graph(g, true);
  free(g);
  mr_scheduler_counters counters = mr_scheduler_count(scheduler);
  assert_int_equal(counters.items, NODES);
  mr_scheduler_release(scheduler);
}

int main(void) {
  const char *seed = getenv("MILLRACE_TEST_SEED");
  if (seed) {
    base_seed = (uint32_t)strtoul(seed, NULL, 10);
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_deque), cmocka_unit_test(test_graphs),  cmocka_unit_test(test_shutdown),
      cmocka_unit_test(test_plans), cmocka_unit_test(test_parking),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
