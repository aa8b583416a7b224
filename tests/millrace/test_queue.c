// What a host may queue through the native API: executions, and runs of a graph, by a host that waits for nothing.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "millrace/millrace.h"
#include "tests/millrace/engine_harness.h"

enum { SIDE = 256, LIMIT = 4, CALLS = 60, RUNS = 40 };

static const char product[] =
    "func.func public @main(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>) -> tensor<256x256xf32> {\n"
    "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<256x256xf32>, "
    "tensor<256x256xf32>) -> tensor<256x256xf32>\n"
    "  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<256x256xf32>, "
    "tensor<256x256xf32>) -> tensor<256x256xf32>\n"
    "  return %1 : tensor<256x256xf32>\n"
    "}\n";

static const int64_t dims[] = {SIDE, SIDE};

// A block of the host's, which is freed when the engine is done with it.
static _Atomic(int) alive, most_alive;

static void count(void) {
  int now = atomic_fetch_add(&alive, 1) + 1, most = atomic_load(&most_alive);
  while (now > most && !atomic_compare_exchange_weak(&most_alive, &most, now)) {
  }
}

static void unused(void *argument) {
  free(argument);
  atomic_fetch_sub(&alive, 1);
}

static millrace_buffer *batch(millrace_device *device) {
  float *values = aligned_alloc(64, SIDE * SIDE * sizeof(float));
  assert_non_null(values);
  memset(values, 0, SIDE * SIDE * sizeof(float));
  count();
  millrace_array array = {.data = values, .dtype = MILLRACE_F32, .dims = dims, .rank = 2};
  millrace_buffer *buffer = NULL;
  assert_null(millrace_buffer_wrap(device, &array, unused, values, &buffer));
  return buffer;
}

static millrace_context *open_context(uint32_t queue_calls, size_t struct_size) {
  const millrace_context_options options = {.struct_size = struct_size, .num_devices = 1, .queue_calls = queue_calls};
  millrace_context *context = NULL;
  assert_null(millrace_context_create(&options, &context));
  return context;
}

// A loop that is fed a new array each time: the host has as many as calls may be queued.
static void test_executions(void **state) {
  (void)state;
  millrace_context *context = open_context(LIMIT, sizeof(millrace_context_options));
  millrace_device *device = millrace_context_device(context, 0);
  millrace_program *program = NULL;
  assert_null(millrace_program_load(product, strlen(product), &program));
  millrace_buffer *y = batch(device);
  for (int i = 0; i < CALLS; i++) {
    millrace_buffer *x = batch(device), *next = NULL;
    assert_null(millrace_execute(program, device, (millrace_buffer *[]){x, y}, 2, &next, 1, NULL));
    millrace_buffer_release(x);
    millrace_buffer_release(y);
    y = next;
  }
  millrace_event *ready = millrace_buffer_ready(y), *room = NULL;
  assert_null(millrace_event_wait(ready));
  millrace_event_release(ready);
  millrace_queue queue = millrace_device_queue(device);
  assert_int_equal(queue.calls, 0);
  assert_int_equal(queue.bytes, 0);
  assert_true(queue.peak_calls > 0 && queue.peak_calls <= LIMIT + 1);
  assert_true(queue.peak_bytes > 0 && queue.peak_bytes <= (uint64_t)(LIMIT + 2) * SIDE * SIDE * 4);
  assert_true(atomic_load(&most_alive) <= LIMIT + 3);
  assert_null(millrace_device_room(device, &room));
  assert_null(room);
  millrace_buffer_release(y);
  millrace_program_release(program);
  millrace_context_release(context);
}

// Who is not to be held up asks for room first. What the device has to wait for here is the host's own event.
static void test_room(void **state) {
  (void)state;
  millrace_context *context = open_context(1, sizeof(millrace_context_options));
  millrace_device *device = millrace_context_device(context, 0);
  millrace_program *program = NULL;
  assert_null(millrace_program_load(product, strlen(product), &program));
  millrace_buffer *x = batch(device), *y[2] = {NULL};
  millrace_event *room = NULL, *done = NULL;
  assert_null(millrace_execute(program, device, (millrace_buffer *[]){x, x}, 2, &y[0], 1, &done));
  assert_null(millrace_device_room(device, &room));
  assert_null(millrace_event_wait(room));
  millrace_event_release(room);
  assert_null(millrace_execute(program, device, (millrace_buffer *[]){y[0], x}, 2, &y[1], 1, NULL));
  assert_null(millrace_event_wait(done));
  millrace_event_release(done);
  for (int i = 0; i < 2; i++) {
    millrace_buffer_release(y[i]);
  }
  millrace_buffer_release(x);
  millrace_program_release(program);
  millrace_context_release(context);
}

// A caller that knows the options as they were without limits has the default ones.
static void test_shorter_options(void **state) {
  (void)state;
  millrace_context *context = open_context(77, offsetof(millrace_context_options, queue_calls));
  assert_int_equal(millrace_context_device_count(context), 1);
  millrace_context_release(context);
}

// ---- Graphs -----------------------------------------------------------------------------------------------------------------

static millrace_error *begin(millrace_step *step, void *argument) {
  (void)argument;
  *(void **)millrace_step_context(step) = malloc(1 << 16);
  count();
  return NULL;
}

static millrace_error *consume(millrace_step *step, void *argument) {
  (void)argument;
  usleep(500);
  unused(*(void **)millrace_step_context(step));
  return NULL;
}

static const millrace_graph_work begin_work = {.name = "begin", .run = begin, .cost_ns = 1000000};
static const millrace_graph_work consume_work = {.name = "consume", .run = consume, .cost_ns = 1000000};

static millrace_graph *graph_of(millrace_engine *engine) {
  millrace_graph *graph = NULL;
  uint32_t made;
  assert_null(millrace_graph_create(engine, &graph));
  assert_null(millrace_graph_node(graph, &begin_work, NULL, NULL, 0, &made));
  assert_null(millrace_graph_node(graph, &consume_work, NULL, &made, 1, NULL));
  assert_null(millrace_graph_freeze(graph));
  return graph;
}

static void until_none_is_alive(void) {
  while (atomic_load(&alive)) {
    usleep(100);
  }
}

// Runs whose consumer is slow, from two threads that wait for nothing: each may have passed the look for a place at the same time.
static void *start_runs(void *argument) {
  static void *contexts[2][RUNS];
  static _Atomic(int) threads;
  millrace_event *events[RUNS];
  int which = atomic_fetch_add(&threads, 1) % 2;
  for (int i = 0; i < RUNS; i++) {
    assert_null(millrace_graph_run(argument, &contexts[which][i], NULL, 0, &events[i]));
  }
  for (int i = 0; i < RUNS; i++) {
    assert_null(millrace_event_wait(events[i]));
    millrace_event_release(events[i]);
  }
  return NULL;
}

static void test_runs(void **state) {
  (void)state;
  millrace_engine *engine = make(2);
  millrace_graph *graph = graph_of(engine);
  atomic_store(&most_alive, 0);
  millrace_graph_limit(graph, LIMIT);
  pthread_t other;
  assert_int_equal(pthread_create(&other, NULL, start_runs, graph), 0);
  start_runs(graph);
  pthread_join(other, NULL);
  assert_int_equal(atomic_load(&alive), 0);
  assert_true(atomic_load(&most_alive) <= LIMIT + 1);
  millrace_graph_release(graph);
  millrace_engine_release(engine);
}

// A node that starts runs of its graph is never held up: it may be what they wait for.
static millrace_graph *nested;

static millrace_error *start_many(void *argument) {
  static void *contexts[RUNS];
  (void)argument;
  for (int i = 0; i < RUNS; i++) {
    millrace_error *error = millrace_graph_run(nested, &contexts[i], NULL, 0, NULL);
    if (error) {
      return error;
    }
  }
  return NULL;
}

static void test_runs_from_a_node(void **state) {
  (void)state;
  millrace_engine *engine = make(2);
  millrace_event *event = NULL, *room = NULL;
  nested = graph_of(engine);
  millrace_graph_limit(nested, 1);
  assert_null(millrace_submit(engine, start_many, NULL, NULL, 0, &event));
  assert_null(millrace_event_wait(event));
  millrace_event_release(event);
  assert_null(millrace_graph_room(nested, &room));
  assert_null(millrace_event_wait(room));  // happens when none is left
  millrace_event_release(room);
  until_none_is_alive();
  millrace_graph_release(nested);
  millrace_engine_release(engine);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_executions),       cmocka_unit_test(test_room),
      cmocka_unit_test(test_shorter_options),  cmocka_unit_test(test_runs),
      cmocka_unit_test(test_runs_from_a_node),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
