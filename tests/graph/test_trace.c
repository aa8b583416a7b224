// What a trace has of plans: every node of a plan whose nodes are long or unknown, a record for many where they are brief.
#include "tests/cmocka.h"

#include <pthread.h>
#include <semaphore.h>
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

// ---- Who learns that a node is done finds it in the trace ---------------------------------------------------------------

typedef struct onlooker {
  mr_waiter waiter;
  mr_trace_session session;
  int seen;
} onlooker;

static void see(void *context, const mr_trace_event *event) {
  *(int *)context += event->name.size == 4 && memcmp(event->name.data, "work", 4) == 0;
}

static void look(mr_waiter *waiter, mr_status status) {
  onlooker *o = MR_CONTAINER_OF(waiter, onlooker, waiter);
  (void)status;
  mr_trace_session_stop(&o->session);
  mr_trace_session_visit(&o->session, see, &o->seen);
  mr_trace_session_close(&o->session);
}

static void finish(mr_node *node) { mr_node_finish(node, MR_OK); }

static void test_recorded_before_it_is_announced(void **state) {
  (void)state;
  static const mr_node_type type = {.name = "work", .kind = MR_NODE_KERNEL, .run = finish};
  onlooker o = {.waiter = {.run = look}};
  mr_node *node;
  assert_null(mr_node_create(&type, 0, NULL, &node));
  mr_future *done = mr_future_retain(mr_node_done(node));
  mr_future_then(done, &o.waiter);
  mr_trace_session_start(&o.session);
  mr_node_submit(node);
  assert_int_equal(o.seen, 1);
  mr_future_release(done);
}

// The same where another thread finishes it, before the one that began with it gets to say what it has done.

static sem_t begun, looked;

static void *finish_elsewhere(void *node) {
  sem_wait(&begun);
  mr_node_finish(node, MR_OK);
  sem_post(&looked);
  return NULL;
}

static void wait_until_looked(mr_node *node) {
  (void)node;
  sem_post(&begun);
  sem_wait(&looked);
}

static void test_seen_when_another_thread_announces_it(void **state) {
  (void)state;
  static const mr_node_type type = {.name = "work", .kind = MR_NODE_KERNEL, .run = wait_until_looked};
  onlooker o = {.waiter = {.run = look}};
  mr_node *node;
  pthread_t thread;
  sem_init(&begun, 0, 0);
  sem_init(&looked, 0, 0);
  assert_null(mr_node_create(&type, 0, NULL, &node));
  mr_future *done = mr_future_retain(mr_node_done(node));
  mr_future_then(done, &o.waiter);
  assert_int_equal(pthread_create(&thread, NULL, finish_elsewhere, node), 0);
  mr_trace_session_start(&o.session);
  mr_node_submit(node);
  pthread_join(thread, NULL);
  assert_int_equal(o.seen, 1);
  mr_future_release(done);
  sem_destroy(&begun);
  sem_destroy(&looked);
}

// While another session goes on, the thread still says it, once.
static void test_seen_once_by_who_goes_on(void **state) {
  (void)state;
  static const mr_node_type type = {.name = "work", .kind = MR_NODE_KERNEL, .run = finish};
  mr_trace_session session;
  mr_node *node;
  int seen = 0;
  mr_trace_session_start(&session);
  for (int i = 0; i < 3; i++) {
    assert_null(mr_node_create(&type, 0, NULL, &node));
    mr_node_submit(node);
  }
  mr_trace_session_stop(&session);
  mr_trace_session_visit(&session, see, &seen);
  mr_trace_session_close(&session);
  assert_int_equal(seen, 3);
}

int main(void) {
  close(mkstemp(path));
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unknown_nodes_one_by_one),
      cmocka_unit_test(test_brief_nodes_together),
      cmocka_unit_test(test_recorded_before_it_is_announced),
      cmocka_unit_test(test_seen_when_another_thread_announces_it),
      cmocka_unit_test(test_seen_once_by_who_goes_on),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failed;
}
