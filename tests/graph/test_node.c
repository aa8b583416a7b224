// Dynamic nodes: inputs, failure, exactly once, inline mode in a fixed order.
#include "tests/cmocka.h"
#include <stdlib.h>
#include <time.h>

#include "graph/graph.h"
#include "tests/under_asan.h"

typedef struct trace_args {
  int *log;
  int *length;
  int id;
  mr_code code;  // what the node itself finishes with
} trace_args;

static int failed_with, dropped;

static void trace_run(mr_node *node) {
  trace_args *args = mr_node_payload(node);
  args->log[(*args->length)++] = args->id;
  mr_node_finish(node, args->code ? mr_error(args->code, "node %d", args->id) : MR_OK);
}
static void trace_fail(mr_node *node, mr_status status) {
  (void)node;
  failed_with = (int)mr_status_code(status);
}
static void trace_drop(mr_node *node) {
  (void)node;
  dropped++;
}
static const mr_node_type trace_type = {
    .name = "trace", .kind = MR_NODE_CALLBACK, .run = trace_run, .fail = trace_fail, .drop = trace_drop};

static int lines[100000], length;

static mr_node *trace(int id) {
  mr_node *node;
  assert_null(mr_node_create(&trace_type, sizeof(trace_args), NULL, &node));
  *(trace_args *)mr_node_payload(node) = (trace_args){lines, &length, id, 0};
  return node;
}

// A node runs when its last input is set, and not before; any number of inputs.
static void test_runs_after_all_inputs(void **state) {
  (void)state;
  enum { INPUTS = 9 };
  length = 0;
  mr_future inputs[INPUTS];
  mr_node *node = trace(5);
  for (int i = 0; i < INPUTS; i++) {
    mr_future_init(&inputs[i]);
    if (i == 4) {
      mr_future_set(&inputs[i], MR_OK);  // one is there already
    }
    assert_null(mr_node_after(node, &inputs[i]));
  }
  mr_future *done = mr_future_retain(mr_node_done(node));
  mr_node_submit(node);
  for (int i = 0; i < INPUTS; i++) {
    assert_int_equal(length, 0);
    assert_false(mr_future_is_set(done));
    if (i != 4) {
      mr_future_set(&inputs[i], MR_OK);
    }
  }
  assert_int_equal(length, 1);
  assert_true(mr_future_is_set(done));
  assert_null(mr_future_status(done));
  mr_future_release(done);
}

// Inputs that are set before submit do not run it early.
static void test_waits_for_submit(void **state) {
  (void)state;
  length = 0;
  mr_future input;
  mr_future_init(&input);
  mr_node *node = trace(1);
  assert_null(mr_node_after(node, &input));
  mr_future_set(&input, MR_OK);
  assert_int_equal(length, 0);
  mr_node_submit(node);
  assert_int_equal(length, 1);
}

// When an input fails the node does not run, `fail` hears of it, and dependents finish with the same error.
static void test_failure_travels(void **state) {
  (void)state;
  length = 0;
  failed_with = 0;
  dropped = 0;
  mr_node *first = trace(1), *second = trace(2), *third = trace(3);
  ((trace_args *)mr_node_payload(first))->code = MR_DATA_LOSS;
  assert_null(mr_node_after(second, mr_node_done(first)));
  assert_null(mr_node_after(third, mr_node_done(second)));
  mr_future *done = mr_future_retain(mr_node_done(third));
  mr_node_submit(third);
  mr_node_submit(second);
  mr_node_submit(first);
  assert_int_equal(length, 1);
  assert_int_equal(failed_with, MR_DATA_LOSS);
  assert_int_equal(mr_status_code(mr_future_status(done)), MR_DATA_LOSS);
  assert_string_equal(mr_status_message(mr_future_status(done)), "node 1");
  mr_future_release(done);
  assert_int_equal(dropped, 3);
}

// A failed input that was set before the edge was made counts as well.
static void test_failed_before_edge(void **state) {
  (void)state;
  length = 0;
  mr_future input;
  mr_future_init(&input);
  mr_future_set(&input, mr_error(MR_ABORTED, "early"));
  mr_node *node = trace(1);
  assert_null(mr_node_after(node, &input));
  mr_future *done = mr_future_retain(mr_node_done(node));
  mr_node_submit(node);
  assert_int_equal(length, 0);
  assert_int_equal(mr_status_code(mr_future_status(done)), MR_ABORTED);
  mr_future_release(done);
  mr_future_deinit(&input);
}

// Of several inputs that fail the first in time is what the node fails with: the very error, its place included, however many
// nodes it passes.
static void test_first_error_keeps_its_origin(void **state) {
  (void)state;
  mr_future *inputs[3];
  mr_node *node = trace(1);
  for (int i = 0; i < 3; i++) {
    assert_null(mr_future_create(&inputs[i]));
    assert_null(mr_node_after(node, inputs[i]));
  }
  mr_future *done = mr_node_keep_done(node);
  mr_node_submit(node);
  for (int i = 0; i < 100; i++) {
    mr_node *next = trace(2 + i);
    assert_null(mr_node_after(next, done));
    mr_future_release(done);
    done = mr_node_keep_done(next);
    mr_node_submit(next);
  }
  mr_status first = mr_error(MR_OUT_OF_RANGE, "the origin");
  mr_future_set(inputs[2], mr_status_retain(first));
  mr_future_set(inputs[0], mr_error(MR_INTERNAL, "too late"));
  mr_future_set(inputs[1], MR_OK);
  assert_true(mr_future_is_set(done));
  assert_ptr_equal(mr_future_status(done), first);
  mr_status_free(first);
  mr_future_release(done);
  for (int i = 0; i < 3; i++) {
    mr_future_release(inputs[i]);
  }
}

// A cancelled node does not run; one that is discarded tells its dependents.
static void test_cancel_and_discard(void **state) {
  (void)state;
  length = 0;
  mr_future input;
  mr_future_init(&input);
  mr_node *node = trace(1), *dependent = trace(2), *thrown = trace(3);
  assert_null(mr_node_after(node, &input));
  mr_node_retain(node);
  mr_node_submit(node);
  mr_node_cancel(node, mr_error(MR_CANCELLED, "not needed"));
  mr_node_cancel(node, mr_error(MR_INTERNAL, "too late"));
  mr_future_set(&input, MR_OK);
  assert_int_equal(mr_status_code(mr_future_status(mr_node_done(node))), MR_CANCELLED);
  mr_node_release(node);
  assert_null(mr_node_after(dependent, mr_node_done(thrown)));
  mr_future *done = mr_future_retain(mr_node_done(dependent));
  mr_node_submit(dependent);
  mr_node_discard(thrown);
  assert_int_equal(mr_status_code(mr_future_status(done)), MR_ABORTED);
  mr_future_release(done);
  assert_int_equal(length, 0);
}

// Inline mode runs the same graph in the same order every time, and a long chain in a bounded stack.
static void test_inline_order(void **state) {
  (void)state;
  enum { COUNT = 50000 };
  static int before[COUNT];
  for (int round = 0; round < 2; round++) {
    length = 0;
    mr_future start;
    mr_future_init(&start);
    mr_future *last = NULL;
    for (int i = 0; i < COUNT; i++) {
      mr_node *node = trace(i);
      assert_null(mr_node_after(node, i % 5 == 0 && last ? last : &start));
      if (i % 5 == 0) {
        mr_future_release(last);
        last = mr_future_retain(mr_node_done(node));
      }
      mr_node_submit(node);
    }
    mr_future_set(&start, MR_OK);
    assert_int_equal(length, COUNT);
    assert_true(mr_future_is_set(last));
    mr_future_release(last);
    for (int i = 0; i < COUNT && round; i++) {
      assert_int_equal(before[i], lines[i]);
    }
    for (int i = 0; i < COUNT; i++) {
      before[i] = lines[i];
    }
  }
}

// A pending node of two inputs and 32 bytes of payload takes 128 bytes, and a second round of them no allocation at all.
static void test_memory_per_node(void **state) {
  (void)state;
  enum { COUNT = 60000 };
  mr_future start[2];
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 2; i++) {
      mr_future_init(&start[i]);
    }
    length = 0;
    mr_alloc_fail_nth(0);
    for (int i = 0; i < COUNT; i++) {
      mr_node *node;
      assert_null(mr_node_create(&trace_type, 32, NULL, &node));
      *(trace_args *)mr_node_payload(node) = (trace_args){lines, &length, i, 0};
      assert_null(mr_node_after(node, &start[0]));
      assert_null(mr_node_after(node, &start[1]));
      mr_node_submit(node);
    }
    uint64_t allocations = mr_alloc_fail_nth(0);
    if (round == 0 && !UNDER_ASAN) {
      assert_true(allocations * (128 << 10) <= (uint64_t)COUNT * 128 + (1 << 20));
    }
    if (round == 1 && !UNDER_ASAN) {
      assert_int_equal(allocations, 0);
    }
    for (int i = 0; i < 2; i++) {
      mr_future_set(&start[i], MR_OK);
    }
    assert_int_equal(length, COUNT);
  }
}

// Without memory for an edge the node is poisoned: it finishes, with that error.
static void test_allocation_failure(void **state) {
  (void)state;
  mr_future inputs[200];
  for (int i = 0; i < 200; i++) {
    mr_future_init(&inputs[i]);
  }
  mr_node *node = trace(1);
  mr_future *done = mr_future_retain(mr_node_done(node));
  mr_alloc_fail_nth(1);
  bool failed = false;
  for (int i = 0; i < 200; i++) {
    mr_status status = mr_node_after(node, &inputs[i]);
    failed = failed || status;
    mr_status_free(status);
  }
  mr_alloc_fail_nth(0);
  length = 0;
  mr_node_submit(node);
  for (int i = 0; i < 200; i++) {
    mr_future_set(&inputs[i], MR_OK);
  }
  assert_true(mr_future_is_set(done));
  assert_int_equal(length, failed ? 0 : 1);  // the pool may have had room
  mr_future_release(done);
}

static uint64_t thread_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void count_run(mr_node *node) {
  length++;
  mr_node_finish(node, MR_OK);
}
static const mr_node_type count_type = {.name = "count", .kind = MR_NODE_CALLBACK, .run = count_run};

// Time to make `count` nodes wait for one future, set it, and have one node that waits for them all.
static uint64_t time_crowd(uint32_t count) {
  mr_future *gate;
  assert_null(mr_future_create(&gate));
  mr_node *last = trace(0);
  uint64_t start = thread_ns();
  length = 0;
  for (uint32_t i = 0; i < count; i++) {
    mr_node *node;
    assert_null(mr_node_create(&count_type, 0, NULL, &node));
    assert_null(mr_node_after(node, gate));
    assert_null(mr_node_after(last, mr_node_done(node)));
    mr_node_submit(node);
  }
  mr_future *done = mr_node_keep_done(last);
  mr_node_submit(last);
  mr_future_set(gate, MR_OK);
  uint64_t took = thread_ns() - start;
  assert_true(mr_future_is_set(done));
  assert_int_equal(length, count + 1);
  mr_future_release(done);
  mr_future_release(gate);
  return took;
}

// Ten times as many waiters, on one side and on the other, take about ten times as long.
static void test_crowds_are_linear(void **state) {
  (void)state;
  enum { SMALL = 5000, FACTOR = 10 };
  time_crowd(SMALL * FACTOR);  // memory
  uint64_t small = UINT64_MAX, large = UINT64_MAX;
  for (int round = 0; round < 5; round++) {
    uint64_t one = time_crowd(SMALL), other = time_crowd(SMALL * FACTOR);
    small = MR_MIN(small, one);
    large = MR_MIN(large, other);
  }
  assert_true(large < small * FACTOR * 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_runs_after_all_inputs), cmocka_unit_test(test_waits_for_submit),
      cmocka_unit_test(test_failure_travels),       cmocka_unit_test(test_failed_before_edge),
      cmocka_unit_test(test_cancel_and_discard),    cmocka_unit_test(test_inline_order),
      cmocka_unit_test(test_allocation_failure),    cmocka_unit_test(test_memory_per_node),
      cmocka_unit_test(test_crowds_are_linear),     cmocka_unit_test(test_first_error_keeps_its_origin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
