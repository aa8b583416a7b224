// What a queue of completions costs: one call at a time, told by its event and by the queue; and as many as a loop gets through that has 1,000
// under way on one descriptor, of a program that does nothing much.
//
//   perf_millrace_completions [rounds]
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "millrace/millrace.h"

enum { IN_FLIGHT = 1000, REPEATS = 9 };

static const char text[] = "func.func public @main(%x: tensor<f32>) -> tensor<f32> {\n"
                           "  %y = stablehlo.negate %x : tensor<f32>\n"
                           "  return %y : tensor<f32>\n}\n";

static millrace_device *device;
static millrace_program *program;
static millrace_buffer *argument;
static millrace_completions *queue;

static void check(millrace_error *error) {
  if (error) {
    fprintf(stderr, "%s\n", millrace_error_message(error));
    exit(1);
  }
}

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void call(const millrace_execute_options *options) {
  millrace_buffer *result;
  check(millrace_execute_with(program, device, &argument, 1, options, &result, 1, NULL));
  millrace_buffer_release(result);
}

// ---- One at a time ------------------------------------------------------------------------------------------------------------------

static void by_event(int count) {
  for (int i = 0; i < count; i++) {
    millrace_buffer *result;
    millrace_event *event;
    check(millrace_execute(program, device, &argument, 1, &result, 1, &event));
    check(millrace_event_wait(event));
    millrace_event_release(event);
    millrace_buffer_release(result);
  }
}

static void by_queue(int count) {
  const millrace_execute_options options = {.struct_size = sizeof options, .completions = queue};
  for (int i = 0; i < count; i++) {
    millrace_completion done;
    call(&options);
    if (millrace_completions_take(queue, &done, 1) != 1) {
      millrace_completions_wait(queue, &done, 1, UINT64_MAX);
    }
  }
}

// ---- Many -----------------------------------------------------------------------------------------------------------------------------

// As a loop does it: 1,000 are under way, and for each that ends another one begins.
static void many(int count, bool elsewhere) {
  const millrace_execute_options options = {
      .struct_size = sizeof options, .completions = queue, .elsewhere = elsewhere};
  millrace_completion done[256];
  int begun = 0, ended = 0;
  for (; begun < IN_FLIGHT; begun++) {
    call(&options);
  }
  while (ended < count) {
    struct pollfd file = {.fd = millrace_completions_fd(queue), .events = POLLIN};
    poll(&file, 1, -1);
    size_t got = millrace_completions_take(queue, done, sizeof done / sizeof *done);
    ended += (int)got;
    for (size_t i = 0; i < got && begun < count; i++, begun++) {
      call(&options);
    }
  }
}

static void many_here(int count) { many(count, false); }
static void many_elsewhere(int count) { many(count, true); }

// The fastest of some repeats, for each call.
static double measure(void (*run)(int count), int count) {
  double best = 1e30;
  for (int i = 0; i < REPEATS; i++) {
    double start = now_ns();
    run(count);
    double each = (now_ns() - start) / count;
    best = each < best ? each : best;
  }
  return best;
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 100000;
  millrace_context *context;
  const millrace_context_options options = {
      .struct_size = sizeof options, .queue_calls = UINT32_MAX, .queue_mb = UINT32_MAX};
  check(millrace_context_create(&options, &context));
  device = millrace_context_device(context, 0);
  check(millrace_program_load(text, strlen(text), &program));
  const millrace_array array = {.data = &(float){1}, .dtype = MILLRACE_F32};
  check(millrace_buffer_create(device, &array, &argument));
  check(millrace_completions_create(&queue));
  double event = measure(by_event, rounds), told = measure(by_queue, rounds);
  printf("one at a time, told by its event  %7.0f ns\n", event);
  printf("one at a time, told by the queue  %7.0f ns, %+.0f\n", told, told - event);
  printf("1,000 under way, run by the loop  %7.0f ns, %.0f thousand a second\n", measure(many_here, rounds),
         1e6 / measure(many_here, rounds));
  printf("1,000 under way, run elsewhere    %7.0f ns, %.0f thousand a second\n", measure(many_elsewhere, rounds),
         1e6 / measure(many_elsewhere, rounds));
  millrace_completions_release(queue);
  millrace_buffer_release(argument);
  millrace_program_release(program);
  millrace_context_release(context);
  return 0;
}
