// A pipeline as a frozen graph: nodes of its own, compiled programs, copies and timers, described once and run for every frame.
//
//   cc examples/pipeline.c $(pkg-config --cflags --libs millrace) -lm -o pipeline
//   ./pipeline 100                                                       frames of 1,024 pixels
//   MILLRACE_DEVICES=cpu,opencl ./pipeline 100 1000000                   two kinds of devices at once
//   MILLRACE_DEVICES=cpu,opencl ./pipeline 100 1000000 2                 with a filter of 2 rounds for 24: a lighter one
//   ./pipeline 1000 1000000 24 5                                         who takes the scores needs 5 ms for each
//
//   capture -> settle (1 ms) -> read -> smooth -> fetch -> score -> report
//                                  \--> edges --> fetch --/
//
// `capture`, `read` and `report` are functions of this file, `settle` is a timer that takes no thread, `smooth`, `edges` and
// `score` are StableHLO programs. With two devices the first two of them run on the second one, to which `read` brings the pixels and from
// which `fetch` brings the results back, and `score` on the first: while one frame is copied in, another is smoothed, a third one
// comes back, and a fourth is scored. Frames in flight overlap; those of one frame wait for each other only along the arrows.
//
// Who starts frames waits for nothing: millrace_graph_limit() holds it up while as many are in flight as may be, so that a consumer that is
// slow does not fill the memory with frames. Each has its pixels from `capture` to `report`.
//
// At the end it says what a frame took, what each of the four takes alone, and how many frames there were at most.
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <millrace/engine.h>

enum { IN_FLIGHT = 8, ROUNDS = 24, MOST_ROUNDS = 64, TEXT = 8192 };

// Errors end this program; a real one would pass them on.
static void check(millrace_error *error) {
  if (error) {
    fprintf(stderr, "%s: %s\n", millrace_code_name(millrace_error_code(error)), millrace_error_message(error));
    exit(1);
  }
}

// ---- Programs ---------------------------------------------------------------------------------------------------------

static void put(char *text, const char *format, ...) {
  size_t there = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + there, TEXT - there, format, arguments);
  va_end(arguments);
}

// smooth: sums of three pixels, and `rounds` times y = 1 + sin(y). edges: differences.
static void write_filter(char *text, const char *name, int pixels, bool smooth, int rounds) {
  int n = pixels - 2;
  *text = '\0';
  put(text, "module @%s {\n  func.func public @main(%%a: tensor<%dxf32>) -> tensor<%dxf32> {\n", name, pixels, n);
  for (int k = 0; k < 3; k++) {
    put(text, "    %%p%d = stablehlo.slice %%a [%d:%d] : (tensor<%dxf32>) -> tensor<%dxf32>\n", k, k, k + n, pixels, n);
  }
  if (smooth) {
    put(text, "    %%one = stablehlo.constant dense<1.0> : tensor<%dxf32>\n", n);
    put(text, "    %%s = stablehlo.add %%p0, %%p1 : tensor<%dxf32>\n", n);
    put(text, "    %%y0 = stablehlo.add %%s, %%p2 : tensor<%dxf32>\n", n);
    for (int k = 0; k < rounds; k++) {
      put(text, "    %%s%d = stablehlo.sine %%y%d : tensor<%dxf32>\n", k, k, n);
      put(text, "    %%y%d = stablehlo.add %%s%d, %%one : tensor<%dxf32>\n", k + 1, k, n);
    }
    put(text, "    return %%y%d : tensor<%dxf32>\n  }\n}\n", rounds, n);
  } else {
    put(text, "    %%d = stablehlo.subtract %%p2, %%p0 : tensor<%dxf32>\n", n);
    put(text, "    %%y = stablehlo.abs %%d : tensor<%dxf32>\n    return %%y : tensor<%dxf32>\n  }\n}\n", n, n);
  }
}

// The mean of the products.
static void write_score(char *text, int pixels) {
  int n = pixels - 2;
  *text = '\0';
  put(text, "module @score {\n  func.func public @main(%%a: tensor<%dxf32>, %%b: tensor<%dxf32>) -> tensor<f32> {\n", n,
      n);
  put(text, "    %%0 = stablehlo.multiply %%a, %%b : tensor<%dxf32>\n", n);
  put(text, "    %%zero = stablehlo.constant dense<0.0> : tensor<f32>\n");
  put(text, "    %%1 = stablehlo.reduce(%%0 init: %%zero) applies stablehlo.add across dimensions = [0]\n");
  put(text, "        : (tensor<%dxf32>, tensor<f32>) -> tensor<f32>\n", n);
  put(text, "    %%count = stablehlo.constant dense<%d.0> : tensor<f32>\n", n);
  put(text, "    %%2 = stablehlo.divide %%1, %%count : tensor<f32>\n    return %%2 : tensor<f32>\n  }\n}\n");
}

// ---- Nodes -------------------------------------------------------------------------------------------------------------

// What stays the same from frame to frame: the nodes' argument.
typedef struct pipeline {
  int pixels, rounds, slow_ms;
  millrace_device *filters, *scores;  // may be one
  millrace_program *smooth_program, *edges_program, *score_program;
  uint32_t image, smooth, edges, smooth_there, edges_there, score;  // slots
} pipeline;

// What a frame has for itself: the run's context.
typedef struct frame {
  int number;
  float *pixels;
  float score;
} frame;

static pipeline the;
static _Atomic(int) frames_alive, most_alive;

static void count_frame(void) {
  int alive = atomic_fetch_add(&frames_alive, 1) + 1, most = atomic_load(&most_alive);
  while (alive > most && !atomic_compare_exchange_weak(&most_alive, &most, alive)) {
  }
}

static millrace_error *capture(millrace_step *step, void *argument) {
  (void)argument;
  frame *f = millrace_step_context(step);
  f->pixels = malloc((size_t)the.pixels * sizeof(float));
  if (!f->pixels) {
    return millrace_error_create(MILLRACE_RESOURCE_EXHAUSTED, "no memory for a frame");
  }
  count_frame();
  for (int i = 0; i < the.pixels; i++) {
    f->pixels[i] = (float)((i * (f->number + 1LL)) % 7);
  }
  return NULL;
}

static millrace_error *send(const frame *f, millrace_buffer **out_buffer) {
  const int64_t dims[] = {the.pixels};
  const millrace_array array = {.data = f->pixels, .dtype = MILLRACE_F32, .dims = dims, .rank = 1};
  return millrace_buffer_create(the.filters, &array, out_buffer);
}

static millrace_error *read_image(millrace_step *step, void *argument) {
  (void)argument;
  millrace_buffer *buffer = NULL;
  millrace_error *error = send(millrace_step_context(step), &buffer);
  return error ? error : millrace_step_put(step, the.image, buffer);
}

// A node that ends when the copy is there, and takes no thread until then.
static millrace_error *fetch(millrace_step *step, uint32_t from, uint32_t to, millrace_event **out_event) {
  millrace_buffer *copy = NULL;
  millrace_error *error = millrace_buffer_copy(millrace_step_buffer(step, from), the.scores, &copy);
  if (error) {
    return error;
  }
  *out_event = millrace_buffer_ready(copy);
  return millrace_step_put(step, to, copy);
}

static millrace_error *fetch_smooth(millrace_step *step, void *argument, millrace_event **out_event) {
  (void)argument;
  return fetch(step, the.smooth_there, the.smooth, out_event);
}

static millrace_error *fetch_edges(millrace_step *step, void *argument, millrace_event **out_event) {
  (void)argument;
  return fetch(step, the.edges_there, the.edges, out_event);
}

static millrace_error *report(millrace_step *step, void *argument) {
  (void)argument;
  frame *f = millrace_step_context(step);
  nanosleep(&(struct timespec){.tv_sec = the.slow_ms / 1000, .tv_nsec = the.slow_ms % 1000 * 1000000L}, NULL);
  free(f->pixels);
  f->pixels = NULL;
  atomic_fetch_sub(&frames_alive, 1);
  return millrace_buffer_read(millrace_step_buffer(step, the.score), &f->score, sizeof f->score);
}

static const millrace_graph_work capture_work = {.name = "capture", .run = capture, .cost_ns = 2000};
static const millrace_graph_work read_work = {.name = "read", .run = read_image, .cost_ns = 1000};
static const millrace_graph_work fetch_smooth_work = {.name = "fetch smooth", .event = fetch_smooth};
static const millrace_graph_work fetch_edges_work = {.name = "fetch edges", .event = fetch_edges};
static const millrace_graph_work report_work = {.name = "report", .run = report, .cost_ns = 500};

// ---- The graph ---------------------------------------------------------------------------------------------------------

static millrace_program *load(const char *text, millrace_device *device) {
  const millrace_program_options options = {.struct_size = sizeof options, .device = device};
  millrace_program *program = NULL;
  check(millrace_program_load_for(text, strlen(text), &options, &program));
  return program;
}

static void load_programs(void) {
  static char text[TEXT];
  write_filter(text, "smooth", the.pixels, true, the.rounds);
  the.smooth_program = load(text, the.filters);
  write_filter(text, "edges", the.pixels, false, 0);
  the.edges_program = load(text, the.filters);
  write_score(text, the.pixels);
  the.score_program = load(text, the.scores);
}

// A filter, and, where another device wants what it gives, its way there.
static uint32_t add_filter(millrace_graph *graph, millrace_program *program, const millrace_graph_work *fetch_work,
                           uint32_t there, uint32_t here, uint32_t read) {
  uint32_t node, last;
  bool stays = the.filters == the.scores;
  check(millrace_graph_execute(graph, program, the.filters, &the.image, 1, stays ? &here : &there, 1, &read, 1, &node));
  if (stays) {
    return node;
  }
  check(millrace_graph_node(graph, fetch_work, NULL, &node, 1, &last));
  return last;
}

static millrace_graph *build(millrace_engine *engine) {
  millrace_graph *graph = NULL;
  uint32_t captured, settled, read, parts[2], scored;
  uint32_t *const slots[] = {&the.image, &the.smooth, &the.edges, &the.smooth_there, &the.edges_there, &the.score};
  check(millrace_graph_create(engine, &graph));
  for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
    check(millrace_graph_slot(graph, slots[i]));
  }
  check(millrace_graph_node(graph, &capture_work, NULL, NULL, 0, &captured));
  check(millrace_graph_delay(graph, 1000000, &captured, 1, &settled));
  check(millrace_graph_node(graph, &read_work, NULL, &settled, 1, &read));
  parts[0] = add_filter(graph, the.smooth_program, &fetch_smooth_work, the.smooth_there, the.smooth, read);
  parts[1] = add_filter(graph, the.edges_program, &fetch_edges_work, the.edges_there, the.edges, read);
  check(millrace_graph_execute(graph, the.score_program, the.scores, (uint32_t[]){the.smooth, the.edges}, 2, &the.score,
                               1, parts, 2, &scored));
  check(millrace_graph_node(graph, &report_work, NULL, &scored, 1, NULL));
  check(millrace_graph_freeze(graph));
  millrace_graph_limit(graph, IN_FLIGHT);
  return graph;
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

// The scores' sum; *out_ms: what a frame took. A run's event also tells of an error.
static double run_frames(millrace_graph *graph, frame *all, int frames, double *out_ms) {
  millrace_event **events = calloc((size_t)frames, sizeof(millrace_event *));
  double sum = 0, start = now_ms();
  if (!events) {
    fprintf(stderr, "no memory for %d events\n", frames);
    exit(1);
  }
  for (int i = 0; i < frames; i++) {
    all[i].number = i;
    check(millrace_graph_run(graph, &all[i], NULL, 0, &events[i]));
  }
  for (int i = 0; i < frames; i++) {
    check(millrace_event_wait(events[i]));
    millrace_event_release(events[i]);
    sum += all[i].score;
  }
  free(events);
  *out_ms = (now_ms() - start) / frames;
  return sum;
}

// ---- Alone --------------------------------------------------------------------------------------------------------------

static millrace_buffer *execute(millrace_program *program, millrace_device *device, millrace_buffer **arguments,
                                size_t count) {
  millrace_buffer *result = NULL;
  check(millrace_execute(program, device, arguments, count, &result, 1, NULL));
  return result;
}

static void wait_for(millrace_buffer *buffer) {
  millrace_event *ready = millrace_buffer_ready(buffer);
  check(millrace_event_wait(ready));
  millrace_event_release(ready);
}

// One frame with a stop after each of the four stages; the least that each took is kept.
static void run_alone(const frame *f, double *least) {
  millrace_buffer *image = NULL, *there[2], *here[2], *score;
  double t[5] = {now_ms()};
  check(send(f, &image));
  wait_for(image);
  t[1] = now_ms();
  there[0] = execute(the.smooth_program, the.filters, &image, 1);
  there[1] = execute(the.edges_program, the.filters, &image, 1);
  wait_for(there[0]);
  wait_for(there[1]);
  t[2] = now_ms();
  for (int k = 0; k < 2; k++) {
    here[k] = NULL;
    check(millrace_buffer_copy(there[k], the.scores, &here[k]));
  }
  wait_for(here[0]);
  wait_for(here[1]);
  t[3] = now_ms();
  score = execute(the.score_program, the.scores, here, 2);
  wait_for(score);
  t[4] = now_ms();
  for (int k = 0; k < 4; k++) {
    double took = t[k + 1] - t[k];
    least[k] = took < least[k] ? took : least[k];
  }
  millrace_buffer *all[] = {image, there[0], there[1], here[0], here[1], score};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    millrace_buffer_release(all[i]);
  }
}

int main(int argc, char **argv) {
  int frames = argc > 1 ? atoi(argv[1]) : 100;
  the.pixels = argc > 2 ? atoi(argv[2]) : 1024;
  the.rounds = argc > 3 ? atoi(argv[3]) : ROUNDS;
  the.slow_ms = argc > 4 ? atoi(argv[4]) : 0;
  if (frames < 1 || the.pixels < 3 || the.rounds < 0 || the.rounds > MOST_ROUNDS || the.slow_ms < 0) {
    fprintf(stderr,
            "usage: pipeline [FRAMES [PIXELS [ROUNDS [MS]]]], at least 1 and 3, rounds of the filter 0 to 64\n");
    return 2;
  }
  millrace_context *context = NULL;
  millrace_engine *engine = NULL;
  check(millrace_context_create(NULL, &context));
  check(millrace_engine_create(NULL, &engine));
  the.scores = millrace_context_device(context, 0);
  the.filters = millrace_context_device(context, millrace_context_device_count(context) > 1);
  load_programs();
  millrace_graph *graph = build(engine);

  frame *all = calloc((size_t)frames, sizeof(frame)), alone = {.pixels = calloc((size_t)the.pixels, sizeof(float))};
  if (!all || !alone.pixels) {
    fprintf(stderr, "no memory for %d frames of %d pixels\n", frames, the.pixels);
    return 1;
  }
  double ms, least[4] = {1e9, 1e9, 1e9, 1e9};
  for (int i = 0; i < 5; i++) {
    run_alone(&alone, least);
  }
  double sum = run_frames(graph, all, frames, &ms);
  printf("%d frames, scores add up to %.6g\n", frames, sum);
  printf("a frame %.3f ms; alone: copy in %.3f, filters %.3f, copies out %.3f, score %.3f\n", ms, least[0], least[1],
         least[2], least[3]);
  printf("at most %d frames at once\n", atomic_load(&most_alive));

  free(alone.pixels);
  free(all);
  millrace_program_release(the.smooth_program);
  millrace_program_release(the.edges_program);
  millrace_program_release(the.score_program);
  millrace_graph_release(graph);
  millrace_engine_release(engine);
  millrace_context_release(context);
  return 0;
}
