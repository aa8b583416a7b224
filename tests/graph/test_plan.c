// Plans and runs: checked once, shared by runs, every node once and after its inputs.
#include "tests/cmocka.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "graph/graph.h"

enum { MAX_NODES = 2000 };

typedef struct context {
  const uint32_t *offsets, *inputs;
  int started[MAX_NODES], finished[MAX_NODES];
  uint32_t fail_at;
  int wrong;
} context;

static mr_status step(mr_run *run, uint32_t node) {
  context *c = mr_run_context(run);
  for (uint32_t e = c->offsets[node]; e < c->offsets[node + 1]; e++) {
    if (!c->finished[c->inputs[e]]) {
      c->wrong++;
    }
  }
  c->started[node]++;
  if (node == c->fail_at) {
    return mr_error(MR_DATA_LOSS, "node %u", node);
  }
  c->finished[node] = 1;
  return MR_OK;
}

typedef struct random_graph {
  uint32_t count, *offsets, *inputs;
  mr_plan_node *nodes;
} random_graph;

// Node numbers are shuffled, so that the order of the numbers says nothing.
static random_graph make_graph(uint32_t count, uint32_t seed) {
  random_graph g = {.count = count};
  uint32_t *name = malloc(sizeof *name * count), *order = malloc(sizeof *order * count);
  srand(seed);
  for (uint32_t i = 0; i < count; i++) {
    name[i] = i;
  }
  for (uint32_t i = count; i > 1; i--) {
    uint32_t k = (uint32_t)rand() % i, t = name[i - 1];
    name[i - 1] = name[k];
    name[k] = t;
  }
  for (uint32_t i = 0; i < count; i++) {
    order[name[i]] = i;
  }
  g.offsets = calloc(count + 1, sizeof *g.offsets);
  g.inputs = malloc(sizeof *g.inputs * count * 6);
  g.nodes = calloc(count, sizeof *g.nodes);
  uint32_t edges = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = order[i], wanted = at ? (uint32_t)rand() % 6 : 0;
    for (uint32_t e = 0; e < wanted; e++) {
      g.inputs[edges++] = name[(uint32_t)rand() % at];
    }
    g.offsets[i + 1] = edges;
    g.nodes[i] = (mr_plan_node){.run = step, .name = "step", .cost_ns = 100};
  }
  free(name);
  free(order);
  return g;
}

static void free_graph(random_graph *g) {
  free(g->offsets);
  free(g->inputs);
  free(g->nodes);
}

// Every node runs once and after its inputs, in any number of runs of one plan.
static void test_random_graphs(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= 30; seed++) {
    random_graph g = make_graph(seed * 60, seed);
    mr_plan *plan;
    assert_null(mr_plan_create(g.nodes, g.count, g.offsets, g.inputs, &plan));
    assert_int_equal(mr_plan_node_count(plan), g.count);
    for (int round = 0; round < 3; round++) {
      context *c = calloc(1, sizeof *c);
      c->offsets = g.offsets;
      c->inputs = g.inputs;
      c->fail_at = UINT32_MAX;
      mr_run *run;
      assert_null(mr_run_create(plan, NULL, c, &run));
      if (round == 1) {
        mr_run_start_here(run);
      } else {
        mr_run_start(run);
      }
      assert_true(mr_future_is_set(mr_run_done(run)));
      assert_null(mr_future_status(mr_run_done(run)));
      mr_run_release(run);
      assert_int_equal(c->wrong, 0);
      for (uint32_t i = 0; i < g.count; i++) {
        assert_int_equal(c->started[i], 1);
      }
      free(c);
    }
    mr_plan_release(plan);
    free_graph(&g);
  }
}

// A failing node ends the run with its error; nothing that depends on it runs; the next run is not affected.
static void test_failure(void **state) {
  (void)state;
  random_graph g = make_graph(500, 3);
  mr_plan *plan;
  assert_null(mr_plan_create(g.nodes, g.count, g.offsets, g.inputs, &plan));
  for (uint32_t fail_at = 0; fail_at < 500; fail_at += 50) {
    context *c = calloc(1, sizeof *c);
    c->offsets = g.offsets;
    c->inputs = g.inputs;
    c->fail_at = fail_at;
    mr_run *run;
    assert_null(mr_run_create(plan, NULL, c, &run));
    mr_run_start(run);
    assert_int_equal(mr_status_code(mr_future_status(mr_run_done(run))), MR_DATA_LOSS);
    mr_run_release(run);
    assert_int_equal(c->wrong, 0);
    for (uint32_t i = 0; i < g.count; i++) {
      for (uint32_t e = g.offsets[i]; e < g.offsets[i + 1]; e++) {
        if (g.inputs[e] == fail_at) {
          assert_int_equal(c->started[i], 0);
        }
      }
    }
    free(c);
  }
  mr_plan_release(plan);
  free_graph(&g);
}

// A run that was cancelled before it started runs nothing.
static void test_cancel(void **state) {
  (void)state;
  random_graph g = make_graph(100, 5);
  mr_plan *plan;
  assert_null(mr_plan_create(g.nodes, g.count, g.offsets, g.inputs, &plan));
  context *c = calloc(1, sizeof *c);
  c->offsets = g.offsets;
  c->inputs = g.inputs;
  mr_run *run;
  assert_null(mr_run_create(plan, NULL, c, &run));
  mr_run_cancel(run, mr_error(MR_CANCELLED, "no"));
  mr_run_start(run);
  assert_int_equal(mr_status_code(mr_future_status(mr_run_done(run))), MR_CANCELLED);
  for (uint32_t i = 0; i < g.count; i++) {
    assert_int_equal(c->started[i], 0);
  }
  mr_run_release(run);
  mr_plan_release(plan);
  free(c);
  free_graph(&g);
}

static void refuse(const uint32_t *offsets, const uint32_t *inputs, uint32_t count, const char *message) {
  mr_plan_node nodes[4] = {{.run = step, .name = "a"}, {.run = step, .name = "b"}, {.run = step}, {.run = step}};
  mr_plan *plan;
  mr_status status = mr_plan_create(nodes, count, offsets, inputs, &plan);
  assert_non_null(status);
  assert_null(plan);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  assert_string_equal(mr_status_message(status), message);
  mr_status_free(status);
}

static mr_status cancel_at_four(mr_run *run, uint32_t node) {
  (*(int *)mr_run_context(run))++;
  if (node == 4) {
    mr_run_cancel(run, mr_error(MR_CANCELLED, "after node 4"));
  }
  return MR_OK;
}

// A run that is cancelled in the middle finishes the node that runs and begins no other; the second reason is forgotten.
static void test_cancel_between_nodes(void **state) {
  (void)state;
  enum { NODES = 10 };
  uint32_t offsets[NODES + 1] = {0}, inputs[NODES];
  for (uint32_t i = 0; i < NODES; i++) {
    offsets[i + 1] = i;
    if (i) {
      inputs[i - 1] = i - 1;
    }
  }
  mr_plan *plan;
  assert_null(mr_plan_create_uniform(&(mr_plan_node){.run = cancel_at_four}, NODES, offsets, inputs, &plan));
  int begun = 0;
  mr_run *run;
  assert_null(mr_run_create(plan, NULL, &begun, &run));
  mr_run_start(run);
  assert_int_equal(begun, 5);
  mr_run_cancel(run, mr_error(MR_INTERNAL, "too late"));
  mr_status status = mr_future_status(mr_run_done(run));
  assert_int_equal(mr_status_code(status), MR_CANCELLED);
  assert_string_equal(mr_status_message(status), "after node 4");
  mr_run_release(run);
  mr_plan_release(plan);
}

// Cycles and edges to nowhere are refused, naming the node.
static void test_refusals(void **state) {
  (void)state;
  refuse((uint32_t[]){0, 1}, (uint32_t[]){0}, 1, "node 0 (a) comes after itself");
  refuse((uint32_t[]){0, 0, 2, 3}, (uint32_t[]){0, 2, 1}, 3, "node 2 (unnamed) comes after itself");
  refuse((uint32_t[]){0, 0, 1}, (uint32_t[]){7}, 2, "node 1 comes after node 7, but there are only 2 nodes");
}

// A plan of nothing is done at once.
static void test_empty(void **state) {
  (void)state;
  mr_plan *plan;
  assert_null(mr_plan_create(NULL, 0, (uint32_t[]){0}, NULL, &plan));
  mr_run *run;
  assert_null(mr_run_create(plan, NULL, NULL, &run));
  mr_run_start(run);
  assert_true(mr_future_is_set(mr_run_done(run)));
  mr_run_release(run);
  mr_plan_release(plan);
}

static pthread_t later;
static void *finish_second(void *run) {
  mr_run_node_finish(run, 1, MR_OK);
  return NULL;
}
static mr_status start_async(mr_run *run, uint32_t node) {
  (void)node;
  return pthread_create(&later, NULL, finish_second, run) ? mr_error(MR_INTERNAL, "no thread") : MR_OK;
}
static mr_status count_step(mr_run *run, uint32_t node) {
  (void)node;
  (*(int *)mr_run_context(run))++;
  return MR_OK;
}

// An async node keeps its successors back until it is finished, from whatever thread.
static void test_async(void **state) {
  (void)state;
  const mr_plan_node nodes[3] = {{.run = count_step}, {.run = start_async, .async = true}, {.run = count_step}};
  mr_plan *plan;
  assert_null(mr_plan_create(nodes, 3, (uint32_t[]){0, 0, 1, 2}, (uint32_t[]){0, 1}, &plan));
  int count = 0;
  mr_run *run;
  assert_null(mr_run_create(plan, NULL, &count, &run));
  mr_run_start(run);
  mr_future_wait(mr_run_done(run));
  pthread_join(later, NULL);
  assert_int_equal(count, 2);
  mr_run_release(run);
  mr_plan_release(plan);
}

// After the first run of a plan, further runs allocate nothing; each failing allocation before is a status.
static void test_allocations(void **state) {
  (void)state;
  random_graph g = make_graph(1000, 9);
  context *c = calloc(1, sizeof *c);
  c->offsets = g.offsets;
  c->inputs = g.inputs;
  c->fail_at = UINT32_MAX;
  mr_plan *plan = NULL;
  for (uint64_t nth = 1; !plan; nth++) {
    mr_alloc_fail_nth(nth);
    mr_status status = mr_plan_create(g.nodes, g.count, g.offsets, g.inputs, &plan);
    mr_run *run = NULL;
    if (!status) {
      status = mr_run_create(plan, NULL, c, &run);
    }
    mr_alloc_fail_nth(0);
    if (status) {
      assert_int_equal(mr_status_code(status), MR_RESOURCE_EXHAUSTED);
      mr_status_free(status);
      mr_plan_release(plan);
      plan = NULL;
      continue;
    }
    mr_run_start(run);
    mr_run_release(run);
  }
  mr_alloc_fail_nth(0);
  for (int i = 0; i < 10; i++) {
    memset(c->finished, 0, sizeof c->finished);
    mr_run *run;
    assert_null(mr_run_create(plan, NULL, c, &run));
    mr_run_start(run);
    mr_run_release(run);
  }
  assert_int_equal(mr_alloc_fail_nth(0), 0);
  mr_plan_release(plan);
  free(c);
  free_graph(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_graphs), cmocka_unit_test(test_failure),
      cmocka_unit_test(test_cancel),        cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_empty),         cmocka_unit_test(test_async),
      cmocka_unit_test(test_allocations),   cmocka_unit_test(test_cancel_between_nodes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
