// Frozen graphs of own nodes and delays: their order, their ends, and what happens to wrong calls.
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "core/core.h"
#include "tests/alloc_loop.h"
#include "tests/millrace/engine_harness.h"

enum { HOUR_S = 3600 };
static const uint64_t hour_ns = HOUR_S * UINT64_C(1000000000);

// A run's context: what its nodes did, in order.
typedef struct ticket {
  _Atomic(int) count;
  int at[8];
  bool refuse;
} ticket;

static void note(millrace_step *step, void *argument) {
  ticket *t = millrace_step_context(step);
  t->at[(intptr_t)argument] = atomic_fetch_add(&t->count, 1) + 1;
}

static millrace_error *note_run(millrace_step *step, void *argument) {
  note(step, argument);
  return ((ticket *)millrace_step_context(step))->refuse ? millrace_error_create(MILLRACE_DATA_LOSS, "refused") : NULL;
}

static void *finish_elsewhere(void *argument) {
  usleep(200);
  millrace_step_finish(argument, NULL);
  return NULL;
}

static void note_start(millrace_step *step, void *argument) {
  note(step, argument);
  pthread_t thread;
  pthread_create(&thread, NULL, finish_elsewhere, step);
  pthread_detach(thread);
}

static void note_start_here(millrace_step *step, void *argument) {
  note(step, argument);
  millrace_step_finish(step, NULL);
}

static millrace_error *note_event(millrace_step *step, void *argument, millrace_event **out_event) {
  note(step, argument);
  return millrace_timer_create(200000, out_event);
}

static millrace_error *no_event(millrace_step *step, void *argument, millrace_event **out_event) {
  note(step, argument);
  *out_event = NULL;
  return NULL;
}

static const millrace_graph_work note_work = {.name = "note", .run = note_run};
static const millrace_graph_work brief_work = {.name = "brief", .run = note_run, .cost_ns = 100};
static const millrace_graph_work start_work = {.name = "start", .start = note_start};
static const millrace_graph_work here_work = {.name = "here", .start = note_start_here};
static const millrace_graph_work event_work = {.name = "event", .event = note_event};
static const millrace_graph_work none_work = {.name = "none", .event = no_event};

// A diamond: 0, then 1 and 2, then 3.
static millrace_graph *diamond(millrace_engine *engine, const millrace_graph_work *const works[4]) {
  millrace_graph *graph;
  uint32_t nodes[4];
  ok(millrace_graph_create(engine, &graph));
  ok(millrace_graph_node(graph, works[0], (void *)0, NULL, 0, &nodes[0]));
  ok(millrace_graph_node(graph, works[1], (void *)1, nodes, 1, &nodes[1]));
  ok(millrace_graph_node(graph, works[2], (void *)2, nodes, 1, &nodes[2]));
  ok(millrace_graph_node(graph, works[3], (void *)3, nodes + 1, 2, &nodes[3]));
  ok(millrace_graph_freeze(graph));
  return graph;
}

static void check_diamond(const ticket *t) {
  assert_int_equal(t->count, 4);
  assert_int_equal(t->at[0], 1);
  assert_int_equal(t->at[3], 4);
}

// Every kind of node keeps the order, in many runs at once, with workers of its own, shared ones and none.
static void test_order(void **state) {
  (void)state;
  enum { RUNS = 40 };
  const uint32_t workers[] = {0, 2, MILLRACE_NO_WORKERS};
  const millrace_graph_work *const kinds[][4] = {{&note_work, &note_work, &note_work, &note_work},
                                                 {&brief_work, &brief_work, &brief_work, &brief_work},
                                                 {&note_work, &start_work, &event_work, &note_work},
                                                 {&here_work, &none_work, &here_work, &none_work},
                                                 {&event_work, &brief_work, &start_work, &event_work}};
  for (size_t w = 0; w < 3; w++) {
    millrace_engine *engine = make(workers[w]);
    for (size_t k = 0; k < MR_ARRAY_SIZE(kinds); k++) {
      millrace_graph *graph = diamond(engine, kinds[k]);
      static ticket tickets[RUNS];
      millrace_event *events[RUNS];
      for (int i = 0; i < RUNS; i++) {
        tickets[i] = (ticket){0};
        ok(millrace_graph_run(graph, &tickets[i], NULL, 0, &events[i]));
      }
      for (int i = 0; i < RUNS; i++) {
        ends(engine, events[i]);
        check_diamond(&tickets[i]);
      }
      millrace_graph_release(graph);
    }
    millrace_engine_release(engine);
  }
}

// A graph that is released, and an event that nobody asked for, take nothing from a run that is under way.
static void test_released_while_it_runs(void **state) {
  (void)state;
  const millrace_graph_work *const kinds[4] = {&event_work, &event_work, &start_work, &note_work};
  millrace_engine *engine = make(2);
  static ticket t, unheard;
  t = unheard = (ticket){0};
  millrace_graph *graph = diamond(engine, kinds);
  millrace_event *event;
  ok(millrace_graph_run(graph, &unheard, NULL, 0, NULL));
  ok(millrace_graph_run(graph, &t, NULL, 0, &event));
  millrace_graph_release(graph);
  ends(engine, event);
  check_diamond(&t);
  while (atomic_load(&unheard.count) != 4) {
    usleep(100);
  }
  millrace_engine_release(engine);
}

// A graph without nodes is over when it has begun.
static void test_empty(void **state) {
  (void)state;
  millrace_engine *engine = make(1);
  millrace_graph *graph;
  millrace_event *event;
  ok(millrace_graph_create(engine, &graph));
  ok(millrace_graph_freeze(graph));
  ok(millrace_graph_run(graph, NULL, NULL, 0, &event));
  assert_true(millrace_event_is_done(event));
  ends(engine, event);
  millrace_graph_release(graph);
  millrace_engine_release(engine);
}

// The first error is the run's: what comes after the node does not begin, delays end, and the next run knows nothing of it.
static void test_failure(void **state) {
  (void)state;
  millrace_engine *engine = make(2);
  millrace_graph *graph;
  uint32_t refuse, delay, after;
  ok(millrace_graph_create(engine, &graph));
  ok(millrace_graph_delay(graph, hour_ns, NULL, 0, &delay));
  ok(millrace_graph_node(graph, &note_work, (void *)0, NULL, 0, &refuse));
  ok(millrace_graph_node(graph, &note_work, (void *)1, &refuse, 1, &after));
  ok(millrace_graph_node(graph, &note_work, (void *)2, &delay, 1, &after));
  ok(millrace_graph_freeze(graph));
  for (int i = 0; i < 20; i++) {
    ticket t = {.refuse = true};
    millrace_event *event;
    ok(millrace_graph_run(graph, &t, NULL, 0, &event));
    fails_with(millrace_engine_wait(engine, event), MILLRACE_DATA_LOSS, "refused");
    assert_int_equal(t.count, 1);
    millrace_event_release(event);
  }
  millrace_graph_release(graph);
  millrace_engine_release(engine);
}

// Graphs that cannot be, and calls at the wrong time, are refused in words, and leave the graph as it was.
static void test_misuse(void **state) {
  (void)state;
  millrace_engine *engine = make(1);
  millrace_graph *graph;
  millrace_event *event;
  uint32_t a, b, slot;
  ok(millrace_graph_create(engine, &graph));
  fails_with(millrace_graph_run(graph, NULL, NULL, 0, &event), MILLRACE_FAILED_PRECONDITION, "not frozen");
  assert_null(event);
  ok(millrace_graph_node(graph, &note_work, (void *)0, NULL, 0, &a));
  ok(millrace_graph_node(graph, &note_work, (void *)1, &a, 1, &b));
  fails_with(millrace_graph_node(graph, &note_work, NULL, &(uint32_t){2}, 1, NULL), MILLRACE_INVALID_ARGUMENT,
             "node 2 as an input, the graph has 2 nodes");
  fails_with(millrace_graph_delay(graph, 1, &(uint32_t){UINT32_MAX}, 1, NULL), MILLRACE_INVALID_ARGUMENT, "2 nodes");
  fails_with(millrace_graph_after(graph, 7, a), MILLRACE_INVALID_ARGUMENT, "node 7");
  fails_with(millrace_graph_after(graph, a, 7), MILLRACE_INVALID_ARGUMENT, "node 7");
  static const millrace_graph_work nothing = {.name = "nothing"}, two = {.run = note_run, .start = note_start};
  fails_with(millrace_graph_node(graph, &nothing, NULL, NULL, 0, NULL), MILLRACE_INVALID_ARGUMENT, "nothing has 0");
  fails_with(millrace_graph_node(graph, &two, NULL, NULL, 0, NULL), MILLRACE_INVALID_ARGUMENT, "has 2 functions");
  ok(millrace_graph_freeze(graph));
  fails_with(millrace_graph_freeze(graph), MILLRACE_FAILED_PRECONDITION, "frozen already");
  fails_with(millrace_graph_node(graph, &note_work, NULL, NULL, 0, NULL), MILLRACE_FAILED_PRECONDITION, "frozen");
  fails_with(millrace_graph_delay(graph, 1, NULL, 0, NULL), MILLRACE_FAILED_PRECONDITION, "frozen");
  fails_with(millrace_graph_after(graph, b, a), MILLRACE_FAILED_PRECONDITION, "frozen");
  fails_with(millrace_graph_slot(graph, &slot), MILLRACE_FAILED_PRECONDITION, "frozen");
  fails_with(millrace_graph_run(graph, NULL, (millrace_buffer *[]){NULL}, 1, NULL), MILLRACE_INVALID_ARGUMENT,
             "1 buffers for a graph of 0 slots");
  ticket t = {0};
  ok(millrace_graph_run(graph, &t, NULL, 0, &event));
  ends(engine, event);
  assert_int_equal(t.count, 2);
  millrace_graph_release(graph);
  millrace_graph_release(NULL);
  millrace_graph_cancel(NULL, millrace_error_create(MILLRACE_CANCELLED, "of nothing"));
  millrace_engine_release(engine);
}

// Nodes that wait for themselves are found when the graph is frozen, which may be mended by nobody.
static void test_cycle(void **state) {
  (void)state;
  millrace_engine *engine = make(1);
  millrace_graph *graph;
  uint32_t nodes[3];
  ok(millrace_graph_create(engine, &graph));
  for (int i = 0; i < 3; i++) {
    ok(millrace_graph_node(graph, &note_work, NULL, nodes, i ? 1 : 0, &nodes[i]));
  }
  ok(millrace_graph_after(graph, nodes[1], nodes[2]));
  ok(millrace_graph_after(graph, nodes[2], nodes[1]));
  fails_with(millrace_graph_freeze(graph), MILLRACE_INVALID_ARGUMENT, "(note) comes after itself");
  fails_with(millrace_graph_run(graph, NULL, NULL, 0, NULL), MILLRACE_FAILED_PRECONDITION, "not frozen");
  millrace_graph_release(graph);
  millrace_engine_release(engine);
}

// A node that was made first may come after one that was made last.
static void test_forward_edge(void **state) {
  (void)state;
  millrace_engine *engine = make(2);
  millrace_graph *graph;
  uint32_t first, last;
  ok(millrace_graph_create(engine, &graph));
  ok(millrace_graph_node(graph, &note_work, (void *)0, NULL, 0, &first));
  ok(millrace_graph_node(graph, &note_work, (void *)1, NULL, 0, &last));
  ok(millrace_graph_after(graph, first, last));
  ok(millrace_graph_freeze(graph));
  for (int i = 0; i < 20; i++) {
    ticket t = {0};
    millrace_event *event;
    ok(millrace_graph_run(graph, &t, NULL, 0, &event));
    ends(engine, event);
    assert_int_equal(t.at[1], 1);
    assert_int_equal(t.at[0], 2);
  }
  millrace_graph_release(graph);
  millrace_engine_release(engine);
}

static millrace_error *given_event(millrace_step *step, void *argument, millrace_event **out_event) {
  (void)step;
  *out_event = millrace_event_retain(*(millrace_event **)argument);
  return NULL;
}

// Of an engine that was released, a run fails; one that waited goes no further.
static void test_engine_released(void **state) {
  static const millrace_graph_work given_work = {.name = "given", .event = given_event};
  (void)state;
  const uint32_t workers[] = {0, 2};
  for (size_t w = 0; w < 2; w++) {
    millrace_engine *engine = make(workers[w]);
    millrace_graph *graph;
    millrace_event *gate, *waiting, *late;
    uint32_t wait, after;
    ok(millrace_event_create(&gate));
    ok(millrace_graph_create(engine, &graph));
    ok(millrace_graph_node(graph, &given_work, &gate, NULL, 0, &wait));
    ok(millrace_graph_node(graph, &note_work, (void *)0, &wait, 1, &after));
    ok(millrace_graph_freeze(graph));
    static ticket t;
    t = (ticket){0};
    ok(millrace_graph_run(graph, &t, NULL, 0, &waiting));
    usleep(2000);  // with workers, the run waits by then
    millrace_engine_release(engine);
    ok(millrace_graph_run(graph, &t, NULL, 0, &late));
    fails_with(millrace_event_wait(late), MILLRACE_CANCELLED, "released");
    millrace_event_set(gate, NULL);
    millrace_event_release(gate);
    fails_with(millrace_event_wait(waiting), MILLRACE_CANCELLED, "released");
    assert_int_equal(t.count, 0);
    millrace_event_release(late);
    millrace_event_release(waiting);
    millrace_graph_release(graph);
  }
}

static void *cancel_soon(void *event) {
  millrace_graph_cancel(event, millrace_error_create(MILLRACE_CANCELLED, "by another thread"));
  millrace_event_release(event);
  return NULL;
}

// Cancelled at any moment, a run either ends well or with that error, once, and never waits for its delays.
static void test_cancel_races(void **state) {
  (void)state;
  millrace_engine *engine = make(2);
  millrace_graph *graph;
  uint32_t nodes[4];
  ok(millrace_graph_create(engine, &graph));
  ok(millrace_graph_node(graph, &note_work, (void *)0, NULL, 0, &nodes[0]));
  ok(millrace_graph_delay(graph, 50000, nodes, 1, &nodes[1]));
  ok(millrace_graph_node(graph, &start_work, (void *)1, nodes, 1, &nodes[2]));
  ok(millrace_graph_node(graph, &note_work, (void *)2, nodes + 1, 2, &nodes[3]));
  ok(millrace_graph_freeze(graph));
  int cancelled = 0;
  for (int i = 0; i < 300 || (!cancelled && i < 30000);
       i++) {  // on a busy machine the thread may be late again and again
    ticket t = {0};
    millrace_event *event;
    ok(millrace_graph_run(graph, &t, NULL, 0, &event));
    pthread_t thread;
    for (volatile int spin = 0; spin < i % 30 * 1000; spin = spin + 1) {
    }
    pthread_create(&thread, NULL, cancel_soon, millrace_event_retain(event));
    millrace_error *error = millrace_engine_wait(engine, event);
    if (error) {
      fails_with(error, MILLRACE_CANCELLED, "by another thread");
      cancelled++;
    } else {
      assert_int_equal(t.count, 3);
    }
    pthread_join(thread, NULL);
    millrace_graph_cancel(event, millrace_error_create(MILLRACE_CANCELLED, "too late"));
    millrace_event_release(event);
  }
  assert_true(cancelled > 0);
  millrace_graph_release(graph);
  millrace_engine_release(engine);
}

static void ask(millrace_step *step, void *argument) {
  (void)argument;
  while (!millrace_step_is_cancelled(step)) {
    usleep(100);
  }
  millrace_step_finish(step, NULL);
}
static const millrace_graph_work ask_work = {.name = "ask", .start = ask};

// An hour's delay ends when its run is cancelled, and a node that asks hears of it.
static void test_cancel_ends_delays(void **state) {
  (void)state;
  millrace_engine *engine = make(2);
  millrace_graph *graph;
  ok(millrace_graph_create(engine, &graph));
  ok(millrace_graph_delay(graph, hour_ns, NULL, 0, NULL));
  ok(millrace_graph_node(graph, &ask_work, NULL, NULL, 0, NULL));
  ok(millrace_graph_freeze(graph));
  millrace_event *event;
  ok(millrace_graph_run(graph, NULL, NULL, 0, &event));
  usleep(1000);
  millrace_graph_cancel(event, millrace_error_create(MILLRACE_DEADLINE_EXCEEDED, "enough"));
  fails_with(millrace_engine_wait(engine, event), MILLRACE_DEADLINE_EXCEEDED, "enough");
  millrace_event_release(event);
  millrace_graph_release(graph);
  millrace_engine_release(engine);
}

// A run's end is an event like others: a descriptor becomes readable.
static void test_descriptor(void **state) {
  (void)state;
  const millrace_graph_work *const kinds[4] = {&event_work, &event_work, &event_work, &event_work};
  millrace_engine *engine = make(1);
  millrace_graph *graph = diamond(engine, kinds);
  ticket t = {0};
  millrace_event *event;
  int fd;
  ok(millrace_graph_run(graph, &t, NULL, 0, &event));
  ok(millrace_event_fd(event, &fd));
  struct pollfd wanted = {.fd = fd, .events = POLLIN};
  assert_int_equal(poll(&wanted, 1, 30000), 1);
  assert_true(millrace_event_is_done(event));
  check_diamond(&t);
  close(fd);
  millrace_event_release(event);
  millrace_graph_release(graph);
  millrace_engine_release(engine);
}

// ---- Memory -----------------------------------------------------------------------------------------------------------

static mr_status build_and_run(millrace_engine *engine, millrace_graph **out_graph) {
  uint32_t nodes[3];
  MR_TRY(millrace_graph_create(engine, out_graph));
  MR_TRY(millrace_graph_node(*out_graph, &note_work, (void *)0, NULL, 0, &nodes[0]));
  MR_TRY(millrace_graph_delay(*out_graph, 1000, nodes, 1, &nodes[1]));
  MR_TRY(millrace_graph_node(*out_graph, &none_work, (void *)1, nodes, 2, &nodes[2]));
  MR_TRY(millrace_graph_freeze(*out_graph));
  for (int i = 0; i < 2; i++) {
    ticket t = {0};
    millrace_event *event;
    MR_TRY(millrace_graph_run(*out_graph, &t, NULL, 0, &event));
    mr_status status = millrace_engine_wait(engine, event);
    millrace_event_release(event);
    MR_TRY(status);
  }
  return MR_OK;
}

static mr_status life(void *context) {
  (void)context;
  millrace_engine *engine = NULL;
  millrace_graph *graph = NULL;
  MR_TRY(millrace_engine_create(
      &(millrace_engine_options){.struct_size = sizeof(millrace_engine_options), .workers = MILLRACE_NO_WORKERS},
      &engine));
  mr_status status = build_and_run(engine, &graph);
  millrace_graph_release(graph);
  millrace_engine_release(engine);
  return status;
}

// Memory that runs out at any of its places is an error of the call or of the run.
static void test_memory(void **state) {
  (void)state;
  alloc_loop("a frozen graph and its runs", life, NULL, 10000);
  alloc_loops_ended_well();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_order),        cmocka_unit_test(test_released_while_it_runs),
      cmocka_unit_test(test_empty),        cmocka_unit_test(test_failure),
      cmocka_unit_test(test_misuse),       cmocka_unit_test(test_cycle),
      cmocka_unit_test(test_forward_edge), cmocka_unit_test(test_engine_released),
      cmocka_unit_test(test_cancel_races), cmocka_unit_test(test_cancel_ends_delays),
      cmocka_unit_test(test_descriptor),   cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
