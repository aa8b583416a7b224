// The engine without tensor programs, through its public C API.
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "tests/millrace/engine_harness.h"

static _Atomic(int) calls;

static millrace_error *count_call(void *argument) {
  int *order = argument;
  int at = atomic_fetch_add(&calls, 1);
  if (order) {
    *order = at;
  }
  return NULL;
}

static millrace_error *refuse(void *argument) {
  (void)argument;
  return millrace_error_create(MILLRACE_DATA_LOSS, "the page is torn");
}

// A function runs after its inputs, with workers of its own, shared ones and none.
static void test_submit_in_order(void **state) {
  (void)state;
  const uint32_t workers[] = {0, 2, MILLRACE_NO_WORKERS};
  for (size_t w = 0; w < 3; w++) {
    millrace_engine *engine = make(workers[w]);
    atomic_store(&calls, 0);
    int order[3] = {-1, -1, -1};
    millrace_event *events[3];
    assert_null(millrace_submit(engine, count_call, &order[0], NULL, 0, &events[0]));
    assert_null(millrace_submit(engine, count_call, &order[1], &events[0], 1, &events[1]));
    assert_null(millrace_submit(engine, count_call, &order[2], events, 2, &events[2]));
    assert_null(millrace_engine_wait(engine, events[2]));
    for (int i = 0; i < 3; i++) {
      assert_int_equal(order[i], i);
      millrace_event_release(events[i]);
    }
    millrace_engine_release(engine);
  }
}

// The error of a function reaches everything after it, which does not run.
static void test_errors_travel(void **state) {
  (void)state;
  millrace_engine *engine = make(1);
  atomic_store(&calls, 0);
  millrace_event *torn, *after, *all;
  assert_null(millrace_submit(engine, refuse, NULL, NULL, 0, &torn));
  assert_null(millrace_submit(engine, count_call, NULL, &torn, 1, &after));
  assert_null(millrace_event_all((millrace_event *[]){NULL, after}, 2, &all));
  millrace_error *error = millrace_event_wait(all);
  assert_int_equal(millrace_error_code(error), MILLRACE_DATA_LOSS);
  assert_string_equal(millrace_error_message(error), "the page is torn");
  assert_int_equal(calls, 0);
  millrace_error_free(error);
  millrace_event_release(torn);
  millrace_event_release(after);
  millrace_event_release(all);
  millrace_engine_release(engine);
}

typedef struct asked {
  millrace_node *node;
  millrace_event *go;
  int runs, fails, drops;
  millrace_code code;
} asked;

static void *finish_elsewhere(void *argument) {
  usleep(1000);
  millrace_node_finish(argument, NULL);
  return NULL;
}
static void asked_run(millrace_node *node, void *argument) {
  ((asked *)argument)->runs++;
  pthread_t thread;
  pthread_create(&thread, NULL, finish_elsewhere, node);
  pthread_detach(thread);
}
static void asked_fail(millrace_node *node, void *argument, millrace_error *error) {
  (void)node;
  ((asked *)argument)->fails++;
  ((asked *)argument)->code = millrace_error_code(error);
}
static void asked_drop(void *argument) { ((asked *)argument)->drops++; }
static const millrace_work asked_work = {
    .name = "asked", .run = asked_run, .fail = asked_fail, .drop = asked_drop, .priority = 1000};

// A node may finish on another thread, later; it is dropped when its event is.
static void test_asynchronous_node(void **state) {
  (void)state;
  millrace_engine *engine = make(1);
  static asked a;  // the node may be dropped a moment after its event
  a = (asked){0};
  millrace_node *node;
  millrace_event *done;
  assert_null(millrace_node_create(engine, &asked_work, &a, &node));
  millrace_node_event(node, &done);
  millrace_node_submit(node);
  assert_null(millrace_event_wait(done));
  millrace_event_release(done);
  millrace_engine_release(engine);
  assert_int_equal(a.runs, 1);
  assert_int_equal(a.fails, 0);
}

// Cancelled, discarded, and left waiting when the engine goes: each fails once and never runs.
static void test_nodes_that_do_not_run(void **state) {
  (void)state;
  millrace_engine *engine = make(1);
  millrace_event *go, *done;
  assert_null(millrace_event_create(&go));
  static asked cancelled, discarded, left;  // as above
  millrace_node *node;
  assert_null(millrace_node_create(engine, &asked_work, &cancelled, &node));
  millrace_node_after(node, go);
  millrace_node_event(node, &done);
  millrace_node_submit(node);
  millrace_node_cancel(done, millrace_error_create(MILLRACE_DEADLINE_EXCEEDED, "too late"));
  assert_null(millrace_node_create(engine, &asked_work, &discarded, &node));
  millrace_node_discard(node);
  assert_int_equal(discarded.code, MILLRACE_ABORTED);
  assert_int_equal(discarded.drops, 1);
  assert_null(millrace_node_create(engine, &asked_work, &left, &node));
  millrace_node_after(node, go);
  millrace_event *left_done;
  millrace_node_event(node, &left_done);
  millrace_node_submit(node);
  millrace_engine_release(engine);
  assert_true(millrace_event_set(go, NULL));
  assert_false(millrace_event_set(go, NULL));
  assert_true(millrace_event_wait_for(left_done, 10000000000u));
  assert_int_equal(millrace_error_code(millrace_event_error(left_done)), MILLRACE_CANCELLED);
  assert_true(millrace_event_wait_for(done, 10000000000u));
  assert_int_equal(cancelled.code, MILLRACE_DEADLINE_EXCEEDED);
  assert_int_equal(cancelled.runs + discarded.runs + left.runs, 0);
  assert_int_equal(left.fails, 1);
  millrace_event_release(done);
  millrace_event_release(left_done);
  millrace_event_release(go);
}

typedef struct slow {
  _Atomic(bool) begun, ended;
} slow;
static millrace_error *be_slow(void *argument) {
  slow *self = argument;
  atomic_store(&self->begun, true);
  usleep(20000);
  atomic_store(&self->ended, true);
  return NULL;
}

// Releasing an engine waits for what runs.
static void test_release_waits(void **state) {
  (void)state;
  for (uint32_t workers = 0; workers < 2; workers++) {
    millrace_engine *engine = make(workers);
    slow s = {0};
    assert_null(millrace_submit(engine, be_slow, &s, NULL, 0, NULL));
    while (!atomic_load(&s.begun)) {
      usleep(100);
    }
    millrace_engine_release(engine);
    assert_true(atomic_load(&s.ended));
  }
}

// Timers, descriptors and any-of together: the first wins, the other is cancelled.
static void test_timers_and_descriptors(void **state) {
  (void)state;
  millrace_event *soon, *never, *first;
  assert_null(millrace_timer_create(1000000, &soon));
  assert_null(millrace_timer_create(3600000000000u, &never));
  assert_null(millrace_event_any((millrace_event *[]){soon, never}, 2, &first));
  int fd;
  assert_null(millrace_event_fd(first, &fd));
  struct pollfd poller = {.fd = fd, .events = POLLIN};
  assert_int_equal(poll(&poller, 1, 10000), 1);
  close(fd);
  assert_true(millrace_event_is_done(first));
  assert_false(millrace_event_is_done(never));
  assert_false(millrace_event_wait_for(never, 1000));
  millrace_timer_cancel(never);
  assert_int_equal(millrace_error_code(millrace_event_error(never)), MILLRACE_CANCELLED);
  millrace_event_release(soon);
  millrace_event_release(never);
  millrace_event_release(first);
  int pipes[2];
  assert_int_equal(pipe(pipes), 0);
  millrace_event *readable;
  assert_null(millrace_fd_ready(pipes[0], false, 1000000, &readable));
  millrace_error *error = millrace_event_wait(readable);
  assert_int_equal(millrace_error_code(error), MILLRACE_DEADLINE_EXCEEDED);
  millrace_error_free(error);
  millrace_event_release(readable);
  close(pipes[0]);
  close(pipes[1]);
}

static void count_done(void *argument, millrace_error *error) {
  assert_null(error);
  ++*(int *)argument;
}

// NULL is an event that has happened, for every function that takes an event.
static void test_event_that_is_null(void **state) {
  (void)state;
  millrace_engine *engine = make(1);
  millrace_event *event = NULL, *two[2] = {NULL, NULL};
  int told = 0, fd;
  assert_true(millrace_event_is_done(NULL));
  assert_null(millrace_event_wait(NULL));
  assert_true(millrace_event_wait_for(NULL, 0));
  assert_null(millrace_engine_wait(engine, NULL));
  assert_null(millrace_event_error(NULL));
  assert_null(millrace_event_retain(NULL));
  millrace_event_release(NULL);
  assert_false(millrace_event_set(NULL, NULL));
  assert_false(millrace_event_set(NULL, millrace_error_create(MILLRACE_ABORTED, "nobody hears of this")));
  millrace_node_cancel(NULL, millrace_error_create(MILLRACE_CANCELLED, "nor of this"));
  millrace_graph_cancel(NULL, millrace_error_create(MILLRACE_CANCELLED, "nor of this"));
  millrace_timer_cancel(NULL);
  assert_null(millrace_event_on_done(NULL, count_done, &told));
  assert_int_equal(told, 1);
  assert_null(millrace_event_all(two, 2, &event));
  assert_true(millrace_event_is_done(event));
  millrace_event_release(event);
  assert_null(millrace_event_any(two, 2, &event));
  assert_true(millrace_event_is_done(event));
  millrace_event_release(event);
  assert_null(millrace_event_fd(NULL, &fd));
  struct pollfd poller = {.fd = fd, .events = POLLIN};
  assert_int_equal(poll(&poller, 1, 10000), 1);
  close(fd);
  millrace_engine_release(engine);
}

static void add_tiles(void *argument, int64_t begin, int64_t end) {
  atomic_fetch_add((_Atomic(int64_t) *)argument, end - begin);
}

static void add_one(void *argument) { atomic_fetch_add((_Atomic(int64_t) *)argument, 1); }

static void add_ten(void *argument) {
  millrace_scope scope;
  millrace_scope_begin(((void **)argument)[0], &scope);
  for (int i = 0; i < 10; i++) {
    millrace_spawn(&scope, add_one, ((void **)argument)[1]);
  }
  millrace_scope_end(&scope);
}

// All calls of a scope, and of those that its calls begin, have returned when it ends.
static void test_scope(void **state) {
  (void)state;
  millrace_engine *engine = make(2);
  _Atomic(int64_t) sum = 0;
  void *both[] = {engine, &sum};
  for (int round = 1; round <= 20; round++) {
    millrace_scope scope;
    millrace_scope_begin(engine, &scope);
    for (int i = 0; i < 100; i++) {
      millrace_spawn(&scope, add_ten, both);
    }
    millrace_scope_end(&scope);
    assert_int_equal(sum, round * 1000);
  }
  millrace_engine_release(engine);
}

// A function that waits for another one, in either way, on the only thread there is.
typedef struct asker {
  millrace_engine *engine;
  bool for_a_time;
} asker;

static millrace_error *ask(void *argument) {
  asker *a = argument;
  millrace_event *event = NULL;
  millrace_error *error = millrace_submit(a->engine, count_call, NULL, NULL, 0, &event);
  if (error) {
    return error;
  }
  if (a->for_a_time) {
    if (!millrace_event_wait_for(event, 60000000000u)) {
      error = millrace_error_create(MILLRACE_DEADLINE_EXCEEDED, "stuck");
    }
  } else {
    error = millrace_event_wait(event);
  }
  millrace_event_release(event);
  return error;
}

static void test_wait_inside(void **state) {
  (void)state;
  millrace_engine *engine = make(1);
  atomic_store(&calls, 0);
  for (int i = 0; i < 20; i++) {
    asker a = {engine, i % 2};
    millrace_event *answer;
    assert_null(millrace_submit(engine, ask, &a, NULL, 0, &answer));
    assert_null(millrace_event_wait(answer));
    millrace_event_release(answer);
    assert_int_equal(calls, i + 1);
  }
  millrace_engine_release(engine);
}

// Every tile of a loop is done once.
static void test_parallel_for(void **state) {
  (void)state;
  millrace_engine *engine = make(2);
  _Atomic(int64_t) sum = 0;
  millrace_parallel_for(engine, 1000, add_tiles, &sum, 10, 100000000);
  assert_int_equal(sum, 1000);
  assert_int_equal(millrace_engine_worker_count(engine), 2);
  millrace_engine_release(engine);
}

// Engines are made and released with chains of nodes in flight: every node ends.
static void test_engines_come_and_go(void **state) {
  (void)state;
  for (int round = 0; round < 30; round++) {
    millrace_engine *engine = make(round % 3 ? 2 : 0);
    millrace_event *previous = NULL;
    for (int i = 0; i < 300; i++) {
      millrace_event *next;
      assert_null(millrace_submit(engine, count_call, NULL, &previous, 1, &next));
      millrace_event_release(previous);
      previous = next;
    }
    if (round % 2) {
      millrace_engine_release(engine);
    }
    assert_true(millrace_event_wait_for(previous, 10000000000u));
    millrace_event_release(previous);
    if (round % 2 == 0) {
      millrace_engine_release(engine);
    }
  }
}

// What nodes do is in the trace, under the names of their work.
static void test_trace(void **state) {
  (void)state;
  char path[] = "/tmp/millrace-engine-trace-XXXXXX";
  begin_trace(path);
  test_asynchronous_node(state);
  test_submit_in_order(state);
  const char *text = end_trace(path);
  assert_non_null(strstr(text, "\"name\":\"asked\""));
  assert_non_null(strstr(text, "\"name\":\"call\""));
  assert_non_null(strstr(text, "\"ph\":\"s\""));
  assert_non_null(strstr(text, "\"ph\":\"f\""));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_submit_in_order),     cmocka_unit_test(test_errors_travel),
      cmocka_unit_test(test_asynchronous_node),   cmocka_unit_test(test_nodes_that_do_not_run),
      cmocka_unit_test(test_release_waits),       cmocka_unit_test(test_timers_and_descriptors),
      cmocka_unit_test(test_parallel_for),        cmocka_unit_test(test_scope),
      cmocka_unit_test(test_engines_come_and_go), cmocka_unit_test(test_trace),
      cmocka_unit_test(test_wait_inside),         cmocka_unit_test(test_event_that_is_null),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
