// A pipeline as a frozen graph: nodes of its own, compiled programs and timers, described once and run for every frame.
//
//   cc examples/pipeline.c $(pkg-config --cflags --libs millrace) -o pipeline
//   ./pipeline 100
//
//   capture -> settle (1 ms) -> read -> smooth -> score -> report
//                                          \-> edges ------^
//
// `capture`, `read` and `report` are functions of this file, `settle` is a timer that takes no thread, `smooth`, `edges` and
// `score` are StableHLO programs. Frames in flight overlap; those of one frame wait for each other only along the arrows.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <millrace/engine.h>

enum { PIXELS = 1024, IN_FLIGHT = 8 };

static const char smooth_text[] = "module @smooth {\n"
                                  "  func.func public @main(%a: tensor<1024xf32>) -> tensor<1022xf32> {\n"
                                  "    %l = stablehlo.slice %a [0:1022] : (tensor<1024xf32>) -> tensor<1022xf32>\n"
                                  "    %c = stablehlo.slice %a [1:1023] : (tensor<1024xf32>) -> tensor<1022xf32>\n"
                                  "    %r = stablehlo.slice %a [2:1024] : (tensor<1024xf32>) -> tensor<1022xf32>\n"
                                  "    %0 = stablehlo.add %l, %r : tensor<1022xf32>\n"
                                  "    %1 = stablehlo.add %0, %c : tensor<1022xf32>\n"
                                  "    return %1 : tensor<1022xf32>\n"
                                  "  }\n"
                                  "}\n";
static const char edges_text[] = "module @edges {\n"
                                 "  func.func public @main(%a: tensor<1024xf32>) -> tensor<1022xf32> {\n"
                                 "    %l = stablehlo.slice %a [0:1022] : (tensor<1024xf32>) -> tensor<1022xf32>\n"
                                 "    %r = stablehlo.slice %a [2:1024] : (tensor<1024xf32>) -> tensor<1022xf32>\n"
                                 "    %0 = stablehlo.subtract %r, %l : tensor<1022xf32>\n"
                                 "    %1 = stablehlo.abs %0 : tensor<1022xf32>\n"
                                 "    return %1 : tensor<1022xf32>\n"
                                 "  }\n"
                                 "}\n";
static const char score_text[] =
    "module @score {\n"
    "  func.func public @main(%a: tensor<1022xf32>, %b: tensor<1022xf32>) -> tensor<f32> {\n"
    "    %0 = stablehlo.multiply %a, %b : tensor<1022xf32>\n"
    "    %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "    %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]\n"
    "        : (tensor<1022xf32>, tensor<f32>) -> tensor<f32>\n"
    "    return %1 : tensor<f32>\n"
    "  }\n"
    "}\n";

// Errors end this program; a real one would pass them on.
static void check(millrace_error *error) {
  if (error) {
    fprintf(stderr, "%s: %s\n", millrace_code_name(millrace_error_code(error)), millrace_error_message(error));
    exit(1);
  }
}

// What stays the same from frame to frame: the nodes' argument.
typedef struct pipeline {
  millrace_device *device;
  uint32_t image, smooth, edges, score;  // slots
} pipeline;

// What a frame has for itself: the run's context.
typedef struct frame {
  int number;
  float pixels[PIXELS];
  float score;
} frame;

static millrace_error *capture(millrace_step *step, void *argument) {
  (void)argument;
  frame *f = millrace_step_context(step);
  for (int i = 0; i < PIXELS; i++) {
    f->pixels[i] = (float)((i * (f->number + 1)) % 7);
  }
  return NULL;
}

static millrace_error *read_image(millrace_step *step, void *argument) {
  const pipeline *p = argument;
  frame *f = millrace_step_context(step);
  millrace_buffer *buffer = NULL;
  const int64_t dims[] = {PIXELS};
  const millrace_array array = {.data = f->pixels, .dtype = MILLRACE_F32, .dims = dims, .rank = 1};
  millrace_error *error = millrace_buffer_create(p->device, &array, &buffer);
  return error ? error : millrace_step_put(step, p->image, buffer);
}

static millrace_error *report(millrace_step *step, void *argument) {
  const pipeline *p = argument;
  frame *f = millrace_step_context(step);
  return millrace_buffer_read(millrace_step_buffer(step, p->score), &f->score, sizeof f->score);
}

static const millrace_graph_work capture_work = {.name = "capture", .run = capture, .cost_ns = 2000};
static const millrace_graph_work read_work = {.name = "read", .run = read_image, .cost_ns = 1000};
static const millrace_graph_work report_work = {.name = "report", .run = report, .cost_ns = 500};

// A node for a program with up to two arguments and one result.
static uint32_t add_program(millrace_graph *graph, const pipeline *p, const char *text, const uint32_t *arguments,
                            size_t num_arguments, uint32_t result, const uint32_t *inputs, size_t num_inputs) {
  millrace_program *program = NULL;
  uint32_t node;
  check(millrace_program_load(text, strlen(text), &program));
  check(millrace_graph_execute(graph, program, p->device, arguments, num_arguments, &result, 1, inputs, num_inputs,
                               &node));
  millrace_program_release(program);  // the graph has it
  return node;
}

static millrace_graph *build(millrace_engine *engine, pipeline *p) {
  millrace_graph *graph = NULL;
  uint32_t captured, settled, read, parts[2], scored;
  check(millrace_graph_create(engine, &graph));
  check(millrace_graph_slot(graph, &p->image));
  check(millrace_graph_slot(graph, &p->smooth));
  check(millrace_graph_slot(graph, &p->edges));
  check(millrace_graph_slot(graph, &p->score));
  check(millrace_graph_node(graph, &capture_work, p, NULL, 0, &captured));
  check(millrace_graph_delay(graph, 1000000, &captured, 1, &settled));
  check(millrace_graph_node(graph, &read_work, p, &settled, 1, &read));
  parts[0] = add_program(graph, p, smooth_text, &p->image, 1, p->smooth, &read, 1);
  parts[1] = add_program(graph, p, edges_text, &p->image, 1, p->edges, &read, 1);
  scored = add_program(graph, p, score_text, (uint32_t[]){p->smooth, p->edges}, 2, p->score, parts, 2);
  check(millrace_graph_node(graph, &report_work, p, &scored, 1, NULL));
  check(millrace_graph_freeze(graph));
  return graph;
}

int main(int argc, char **argv) {
  int frames = argc > 1 ? atoi(argv[1]) : 100;
  millrace_context *context = NULL;
  millrace_engine *engine = NULL;
  check(millrace_context_create(NULL, &context));
  check(millrace_engine_create(NULL, &engine));
  pipeline p = {.device = millrace_context_device(context, 0)};
  millrace_graph *graph = build(engine, &p);

  static frame flying[IN_FLIGHT];
  millrace_event *events[IN_FLIGHT] = {NULL};
  double sum = 0;
  for (int i = 0; i < frames + IN_FLIGHT; i++) {
    int place = i % IN_FLIGHT;
    if (i >= IN_FLIGHT && i - IN_FLIGHT < frames) {  // the frame that was started here a round ago
      check(millrace_event_wait(events[place]));
      millrace_event_release(events[place]);
      sum += flying[place].score;
    }
    if (i < frames) {
      flying[place].number = i;
      check(millrace_graph_run(graph, &flying[place], NULL, 0, &events[place]));
    }
  }
  printf("%d frames, scores add up to %.0f\n", frames, sum);

  millrace_graph_release(graph);
  millrace_engine_release(engine);
  millrace_context_release(context);
  return 0;
}
