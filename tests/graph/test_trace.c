// What a trace has of plans: every node of a plan whose nodes are long or unknown, a record for many where they are brief.
#include "tests/cmocka.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/trace.h"
#include "graph/graph.h"

enum { NODES = 100 };

static char path[] = "/tmp/millrace-graph-trace-XXXXXX";

static mr_status nothing(mr_run *run, uint32_t node) {
  (void)run, (void)node;
  return MR_OK;
}

// Runs a chain under a trace.
static void trace_chain(uint32_t cost_ns) {
  uint32_t offsets[NODES + 1], inputs[NODES];
  for (uint32_t i = 0; i <= NODES; i++) {
    offsets[i] = i ? i - 1 : 0;
  }
  for (uint32_t i = 0; i < NODES; i++) {
    inputs[i] = i;
  }
  const mr_plan_node node = {.run = nothing, .name = "link", .kind = MR_NODE_KERNEL, .cost_ns = cost_ns};
  mr_plan *plan;
  mr_run *run;
  assert_null(mr_plan_create_uniform(&node, NODES, offsets, inputs, &plan));
  assert_null(mr_run_create(plan, NULL, NULL, &run));
  assert_null(mr_trace_start(path));
  mr_run_start_here(run);
  assert_true(mr_future_is_set(mr_run_done(run)));
  assert_null(mr_trace_stop());
  mr_run_release(run);
  mr_plan_release(plan);
}

static int count_lines(const char *text) {
  char line[512];
  int count = 0;
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file)) {
    count += strstr(line, text) != NULL;
  }
  fclose(file);
  return count;
}

// Nodes of unknown length have a record each, and a flow from the one before.
static void test_unknown_nodes_one_by_one(void **state) {
  (void)state;
  trace_chain(0);
  assert_int_equal(count_lines("\"name\":\"link\""), NODES);
  assert_int_equal(count_lines("\"ph\":\"s\""), NODES - 1);
  assert_int_equal(count_lines("\"ph\":\"f\""), NODES - 1);
}

// Brief ones that a thread runs without a pause are one record, which says how many they were.
static void test_brief_nodes_together(void **state) {
  (void)state;
  trace_chain(50);
  assert_int_equal(count_lines("\"name\":\"link\""), 1);
  assert_int_equal(count_lines("\"args\":{\"kind\":\"kernel\",\"cost_ns\":50,\"nodes\":100}"), 1);
  assert_int_equal(count_lines("\"cat\":\"flow\""), 0);
}

int main(void) {
  close(mkstemp(path));
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unknown_nodes_one_by_one),
      cmocka_unit_test(test_brief_nodes_together),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failed;
}
