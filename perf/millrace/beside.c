// How long a short program takes beside a long one: the median and the 99th percentile of a chain of small products, alone and while other
// threads run programs of large products one after another, on one device and on several. What an inference server sees that has two
// models.
//
//   perf_millrace_beside [devices [rounds [side [timeout in ms]]]]
//
// `side` of the short program's matrices: 96, which runs on the thread that calls; from about 120 on it runs on a thread of the engine's.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "millrace/millrace.h"

enum { SHORT_STEPS = 4, LONG_SIDE = 768, LONG_STEPS = 8, MOST_DEVICES = 64 };

static millrace_context *context;
static millrace_program *brief, *lengthy;
static _Atomic(bool) over;
static int short_side = 96;
static uint64_t timeout_ns;  // of the short program; 0: none

static void check(millrace_error *error) {
  if (error) {
    fprintf(stderr, "%s\n", millrace_error_message(error));
    exit(1);
  }
}

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static millrace_program *products(int side, int steps) {
  char *text = malloc((size_t)(steps + 2) * 256), *at = text;
  at += sprintf(at, "func.func public @main(%%v0: tensor<%dx%dxf32>) -> tensor<%dx%dxf32> {\n", side, side, side, side);
  for (int i = 0; i < steps; i++) {
    at += sprintf(at,
                  "%%v%d = stablehlo.dot_general %%v%d, %%v0, contracting_dims = [1] x [0] : (tensor<%dx%dxf32>, "
                  "tensor<%dx%dxf32>) -> tensor<%dx%dxf32>\n",
                  i + 1, i, side, side, side, side, side, side);
  }
  sprintf(at, "return %%v%d : tensor<%dx%dxf32>\n}\n", steps, side, side);
  millrace_program *program;
  check(millrace_program_load(text, strlen(text), &program));
  free(text);
  return program;
}

static millrace_buffer *zeros(millrace_device *device, int side) {
  float *data = calloc((size_t)side * (size_t)side, sizeof *data);
  const millrace_array array = {.data = data, .dtype = MILLRACE_F32, .dims = (int64_t[]){side, side}, .rank = 2};
  millrace_buffer *buffer;
  check(millrace_buffer_create(device, &array, &buffer));
  free(data);
  return buffer;
}

// Until its results are there.
static double run_once(millrace_program *program, millrace_device *device, millrace_buffer *argument) {
  const millrace_execute_options options = {.struct_size = sizeof options,
                                            .timeout_ns = program == brief ? timeout_ns : 0};
  millrace_buffer *result;
  millrace_event *event;
  double start = now_us();
  check(millrace_execute_with(program, device, &argument, 1, &options, &result, 1, &event));
  check(millrace_event_wait(event));
  double took = now_us() - start;
  millrace_event_release(event);
  millrace_buffer_release(result);
  return took;
}

static void *run_long(void *argument) {
  millrace_device *device = argument;
  millrace_buffer *x = zeros(device, LONG_SIDE);
  while (!atomic_load(&over)) {
    run_once(lengthy, device, x);
  }
  millrace_buffer_release(x);
  return NULL;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

typedef struct spread {
  double median, p99;
} spread;

static spread measure(millrace_device *device, int rounds) {
  millrace_buffer *x = zeros(device, short_side);
  double *took = malloc((size_t)rounds * sizeof *took);
  for (int i = 0; i < rounds; i++) {
    took[i] = run_once(brief, device, x);
    struct timespec pause = {0, 300000};  // as requests come
    nanosleep(&pause, NULL);
  }
  qsort(took, (size_t)rounds, sizeof *took, by_size);
  spread s = {took[rounds / 2], took[rounds * 99 / 100]};
  free(took);
  millrace_buffer_release(x);
  return s;
}

int main(int argc, char **argv) {
  uint32_t devices = argc > 1 ? (uint32_t)atoi(argv[1]) : 1;
  int rounds = argc > 2 ? atoi(argv[2]) : 2000;
  short_side = argc > 3 ? atoi(argv[3]) : short_side;
  timeout_ns = argc > 4 ? (uint64_t)atoi(argv[4]) * 1000000 : 0;
  const millrace_context_options options = {.struct_size = sizeof options, .num_devices = devices};
  check(millrace_context_create(&options, &context));
  brief = products(short_side, SHORT_STEPS);
  lengthy = products(LONG_SIDE, LONG_STEPS);
  millrace_device *device = millrace_context_device(context, 0);
  measure(device, 200);
  millrace_buffer *x = zeros(device, LONG_SIDE);
  double least = 1e30;
  for (int i = 0; i < 5; i++) {
    double took = run_once(lengthy, device, x);
    least = took < least ? took : least;
  }
  millrace_buffer_release(x);
  spread alone = measure(device, rounds);
  pthread_t threads[MOST_DEVICES];
  uint32_t others = devices == 1 ? 1 : devices - 1;
  others = others > MOST_DEVICES ? MOST_DEVICES : others;
  for (uint32_t i = 0; i < others; i++) {
    pthread_create(&threads[i], NULL, run_long, millrace_context_device(context, (i + 1) % devices));
  }
  spread beside = measure(device, rounds);
  atomic_store(&over, true);
  for (uint32_t i = 0; i < others; i++) {
    pthread_join(threads[i], NULL);
  }
  printf("%u devices; the long program takes %.1f ms\n", devices, least / 1e3);
  printf("alone   median %8.1f us  p99 %8.1f us\n", alone.median, alone.p99);
  printf("beside  median %8.1f us  p99 %8.1f us  p99 / median alone %.1f\n", beside.median, beside.p99,
         beside.p99 / alone.median);
  millrace_program_release(brief);
  millrace_program_release(lengthy);
  millrace_context_release(context);
  return 0;
}
