// Frozen graphs that execute compiled programs: tensors in slots, beside nodes of one's own.
#include <string.h>

#include "core/core.h"
#include "tests/alloc_loop.h"
#include "tests/millrace/engine_harness.h"

static millrace_error *count_call(millrace_step *step, void *argument) {
  (void)argument;
  ++*(int *)millrace_step_context(step);
  return NULL;
}
static const millrace_graph_work count_work = {.name = "count", .run = count_call};

static const char add_text[] = "module @add {\n"
                               "  func.func public @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {\n"
                               "    %0 = stablehlo.add %a, %b : tensor<4xf32>\n"
                               "    return %0 : tensor<4xf32>\n"
                               "  }\n"
                               "}\n";
// Queued rather than run on the spot.
static const char square_text[] =
    "module @square {\n"
    "  func.func public @main(%a: tensor<384x384xf32>) -> (tensor<384x384xf32>, tensor<4xf32>) {\n"
    "    %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<384x384xf32>, "
    "tensor<384x384xf32>) -> tensor<384x384xf32>\n"
    "    %1 = stablehlo.slice %0 [0:1, 0:4] : (tensor<384x384xf32>) -> tensor<1x4xf32>\n"
    "    %2 = stablehlo.reshape %1 : (tensor<1x4xf32>) -> tensor<4xf32>\n"
    "    return %0, %2 : tensor<384x384xf32>, tensor<4xf32>\n"
    "  }\n"
    "}\n";

typedef struct answers {
  float values[4];
  uint32_t slot;
} answers;

static millrace_error *read_answers(millrace_step *step, void *argument) {
  (void)argument;
  answers *a = millrace_step_context(step);
  millrace_buffer *buffer = millrace_step_take(step, a->slot);
  if (!buffer || millrace_step_buffer(step, a->slot) || millrace_step_buffer(step, 1000)) {
    return millrace_error_create(MILLRACE_INTERNAL, "the slot has nothing to take, or still has it");
  }
  millrace_error *error = millrace_buffer_read(buffer, a->values, sizeof a->values);
  // Back in it, and once more where there is no slot.
  millrace_error *wrong = error ? NULL : millrace_step_put(step, 1000, buffer);
  if (error) {
    millrace_buffer_release(buffer);
  } else if (millrace_error_code(wrong) != MILLRACE_INVALID_ARGUMENT) {
    error = millrace_error_create(MILLRACE_INTERNAL, "a slot that is not there took a buffer");
  }
  millrace_error_free(wrong);
  return error;
}
static const millrace_graph_work read_work = {.name = "read", .run = read_answers};

static millrace_program *load(const char *text) {
  millrace_program *program = NULL;
  ok(millrace_program_load(text, strlen(text), &program));
  return program;
}

static millrace_buffer *filled(millrace_device *device, float value, int64_t n, size_t rank) {
  size_t count = rank == 2 ? (size_t)(n * n) : (size_t)n;
  float *values = malloc(count * sizeof *values);
  for (size_t i = 0; i < count; i++) {
    values[i] = value;
  }
  millrace_buffer *buffer = NULL;
  ok(millrace_buffer_create(
      device, &(millrace_array){.data = values, .dtype = MILLRACE_F32, .dims = (int64_t[]){n, n}, .rank = rank},
      &buffer));
  free(values);
  return buffer;
}

// Programs pass tensors on in slots, beside delays and nodes of one's own, in several runs at once.
static void test_programs(void **state) {
  (void)state;
  enum { RUNS = 6 };
  millrace_context *context;
  ok(millrace_context_create(NULL, &context));
  millrace_device *device = millrace_context_device(context, 0);
  millrace_engine *engine = make(0);
  millrace_graph *graph;
  millrace_program *square = load(square_text), *add = load(add_text);
  uint32_t matrix, first, product, nodes[4];
  ok(millrace_graph_create(engine, &graph));
  ok(millrace_graph_slot(graph, &matrix));
  ok(millrace_graph_slot(graph, &product));
  ok(millrace_graph_slot(graph, &first));
  ok(millrace_graph_delay(graph, 100000, NULL, 0, &nodes[0]));
  ok(millrace_graph_execute(graph, square, device, &matrix, 1, (uint32_t[]){product, first}, 2, nodes, 1, &nodes[1]));
  ok(millrace_graph_execute(graph, add, device, (uint32_t[]){first, first}, 2, &first, 1, nodes + 1, 1, &nodes[2]));
  ok(millrace_graph_node(graph, &read_work, NULL, nodes + 2, 1, &nodes[3]));
  fails_with(millrace_graph_execute(graph, add, device, &first, 1, &first, 1, NULL, 0, NULL), MILLRACE_INVALID_ARGUMENT,
             "1 arguments for a program that has 2");
  fails_with(millrace_graph_execute(graph, square, device, &first, 1, &first, 1, NULL, 0, NULL),
             MILLRACE_INVALID_ARGUMENT, "1 results for a program that has 2");
  fails_with(millrace_graph_execute(graph, add, device, (uint32_t[]){9, 0}, 2, &first, 1, NULL, 0, NULL),
             MILLRACE_INVALID_ARGUMENT, "slot 9, the graph has 3 slots");
  fails_with(millrace_graph_execute(graph, add, device, (uint32_t[]){0, 0}, 2, &first, 1, &(uint32_t){99}, 1, NULL),
             MILLRACE_INVALID_ARGUMENT, "node 99");
  ok(millrace_graph_freeze(graph));
  millrace_program_release(square);
  millrace_program_release(add);
  answers got[RUNS] = {0};
  millrace_event *events[RUNS];
  for (int i = 0; i < RUNS; i++) {
    got[i].slot = first;
    millrace_buffer *input = filled(device, (float)(i + 1), 384, 2);
    ok(millrace_graph_run(graph, &got[i], &input, 1, &events[i]));
    millrace_buffer_release(input);
  }
  millrace_context_release(context);
  for (int i = 0; i < RUNS; i++) {
    ends(engine, events[i]);
    assert_true(got[i].values[3] == (float)(2 * 384 * (i + 1) * (i + 1)));
  }
  millrace_graph_release(graph);
  millrace_engine_release(engine);
}

// An argument that no node has put in its slot, or of another shape, fails the run, and what comes after is skipped.
static void test_wrong_tensors(void **state) {
  (void)state;
  millrace_context *context;
  ok(millrace_context_create(NULL, &context));
  millrace_device *device = millrace_context_device(context, 0);
  millrace_engine *engine = make(2);
  millrace_graph *graph;
  millrace_program *add = load(add_text);
  uint32_t slots[2], sum;
  ok(millrace_graph_create(engine, &graph));
  ok(millrace_graph_slot(graph, &slots[0]));
  ok(millrace_graph_slot(graph, &slots[1]));
  ok(millrace_graph_execute(graph, add, device, slots, 2, slots, 1, NULL, 0, &sum));
  ok(millrace_graph_node(graph, &count_work, NULL, &sum, 1, NULL));
  ok(millrace_graph_freeze(graph));
  int count = 0;
  millrace_buffer *four = filled(device, 1, 4, 1), *five = filled(device, 1, 5, 1);
  millrace_event *event;
  ok(millrace_graph_run(graph, &count, &four, 1, &event));
  fails_with(millrace_event_wait(event), MILLRACE_FAILED_PRECONDITION, "slot 1, argument 1 of add, is empty");
  millrace_event_release(event);
  ok(millrace_graph_run(graph, &count, (millrace_buffer *[]){four, five}, 2, &event));
  fails_with(millrace_event_wait(event), MILLRACE_INVALID_ARGUMENT, "argument 1 is 5xf32, wanted 4xf32");
  millrace_event_release(event);
  assert_int_equal(count, 0);
  ok(millrace_graph_run(graph, &count, (millrace_buffer *[]){four, four}, 2, &event));
  ends(engine, event);
  assert_int_equal(count, 1);
  millrace_buffer_release(four);
  millrace_buffer_release(five);
  millrace_program_release(add);
  millrace_graph_release(graph);
  millrace_engine_release(engine);
  millrace_context_release(context);
}

// ---- Memory -----------------------------------------------------------------------------------------------------------

enum { WIDE = 70 };  // more arguments than lists on the stack have room for

typedef struct wide {
  millrace_device *device;
  millrace_program *join;
  millrace_buffer *input;
} wide;

static mr_status build_and_run(const wide *w, millrace_engine *engine, millrace_graph **out_graph) {
  uint32_t slots[WIDE + 1];
  MR_TRY(millrace_graph_create(engine, out_graph));
  for (size_t i = 0; i <= WIDE; i++) {
    MR_TRY(millrace_graph_slot(*out_graph, &slots[i]));
  }
  MR_TRY(millrace_graph_execute(*out_graph, w->join, w->device, slots, WIDE, slots + WIDE, 1, NULL, 0, NULL));
  MR_TRY(millrace_graph_freeze(*out_graph));
  millrace_buffer *inputs[WIDE];
  for (size_t i = 0; i < WIDE; i++) {
    inputs[i] = w->input;
  }
  millrace_event *event;
  MR_TRY(millrace_graph_run(*out_graph, NULL, inputs, WIDE, &event));
  mr_status status = millrace_engine_wait(engine, event);
  millrace_event_release(event);
  return status;
}

static mr_status life(void *context) {
  millrace_engine *engine = NULL;
  millrace_graph *graph = NULL;
  MR_TRY(millrace_engine_create(
      &(millrace_engine_options){.struct_size = sizeof(millrace_engine_options), .workers = MILLRACE_NO_WORKERS},
      &engine));
  mr_status status = build_and_run(context, engine, &graph);
  millrace_graph_release(graph);
  millrace_engine_release(engine);
  return status;
}

// Memory that runs out at any of its places is an error of the call or of the run.
static void test_memory(void **state) {
  (void)state;
  mr_text text = {0};
  mr_text_put(&text, "func.func @main(%%a0: tensor<4xf32>");
  for (int i = 1; i < WIDE; i++) {
    mr_text_put(&text, ", %%a%d: tensor<4xf32>", i);
  }
  mr_text_put(&text,
              ") -> tensor<4xf32> {\n  %%0 = stablehlo.add %%a0, %%a%d : tensor<4xf32>\n  return %%0 : "
              "tensor<4xf32>\n}\n",
              WIDE - 1);
  assert_false(text.failed);
  millrace_context *context;
  wide w;
  ok(millrace_context_create(NULL, &context));
  ok(millrace_program_load(text.data, text.size, &w.join));
  w.device = millrace_context_device(context, 0);
  w.input = filled(w.device, 1, 4, 1);
  mr_text_deinit(&text);
  alloc_loop("a graph that executes a program", life, &w, 4500);
  millrace_buffer_release(w.input);
  millrace_program_release(w.join);
  millrace_context_release(context);
  alloc_loops_ended_well();
}

static void test_trace(void **state) {
  (void)state;
  char path[] = "/tmp/millrace-graph-trace-XXXXXX";
  begin_trace(path);
  test_wrong_tensors(state);
  const char *text = end_trace(path);
  assert_non_null(strstr(text, "\"name\":\"count\""));
  assert_non_null(strstr(text, "\"name\":\"add\""));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs), cmocka_unit_test(test_wrong_tensors),
                                     cmocka_unit_test(test_trace), cmocka_unit_test(test_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
