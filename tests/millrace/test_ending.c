// How a process of C's ends with executions queued: the libraries that are not ours are under them.
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "devices/devices.h"
#include "millrace/millrace.h"
#include "tests/endings.h"

enum { SIDE = 384, CALLS = 60 };

// Each is a function of one square matrix to another.
static const char product[] =
    "func.func public @main(%a: tensor<384x384xf32>) -> tensor<384x384xf32> {\n"
    "  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<384x384xf32>, tensor<384x384xf32>) -> "
    "tensor<384x384xf32>\n"
    "  return %0 : tensor<384x384xf32>\n}\n";
static const char convolution[] = "func.func public @main(%a: tensor<384x384xf32>) -> tensor<384x384xf32> {\n"
                                  "  %w = stablehlo.constant dense<0.01> : tensor<3x3x4x4xf32>\n"
                                  "  %0 = stablehlo.reshape %a : (tensor<384x384xf32>) -> tensor<1x192x192x4xf32>\n"
                                  "  %1 = stablehlo.convolution(%0, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, "
                                  "0, 1, f], window = {pad = [[1, 1], "
                                  "[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : "
                                  "(tensor<1x192x192x4xf32>, tensor<3x3x4x4xf32>) "
                                  "-> tensor<1x192x192x4xf32>\n"
                                  "  %2 = stablehlo.reshape %1 : (tensor<1x192x192x4xf32>) -> tensor<384x384xf32>\n"
                                  "  return %2 : tensor<384x384xf32>\n}\n";
static const char factor[] = "func.func public @main(%a: tensor<384x384xf32>) -> tensor<384x384xf32> {\n"
                             "  %0 = stablehlo.cholesky %a, lower = true : tensor<384x384xf32>\n"
                             "  return %0 : tensor<384x384xf32>\n}\n";
static const char elementwise[] = "func.func public @main(%a: tensor<384x384xf32>) -> tensor<384x384xf32> {\n"
                                  "  %0 = stablehlo.tanh %a : tensor<384x384xf32>\n"
                                  "  %1 = stablehlo.cosine %0 : tensor<384x384xf32>\n"
                                  "  return %1 : tensor<384x384xf32>\n}\n";

// Rounds without end; a library step among them keeps them from becoming one kernel.
static const char endless[] =
    "func.func public @main(%a: tensor<384x384xf32>) -> tensor<384x384xf32> {\n"
    "  %i = stablehlo.constant dense<1> : tensor<i32>\n"
    "  %0:2 = stablehlo.while(%x = %a, %n = %i) : tensor<384x384xf32>, tensor<i32>\n"
    "  cond {\n"
    "    %z = stablehlo.constant dense<0> : tensor<i32>\n"
    "    %c = stablehlo.compare GT, %n, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %c : tensor<i1>\n"
    "  } do {\n"
    "    %1 = stablehlo.fft %x, type = RFFT, length = [384] : (tensor<384x384xf32>) -> tensor<384x193xcomplex<f32>>\n"
    "    %2 = stablehlo.fft %1, type = IRFFT, length = [384] : (tensor<384x193xcomplex<f32>>) -> tensor<384x384xf32>\n"
    "    stablehlo.return %2, %n : tensor<384x384xf32>, tensor<i32>\n"
    "  }\n"
    "  return %0#0 : tensor<384x384xf32>\n}\n";

static const char *text;  // of the program
static millrace_context *context;
static millrace_program *program;
static millrace_buffer *last;

static void must(millrace_error *error) {
  if (error) {
    fprintf(stderr, "%s\n", millrace_error_message(error));
    _exit(WRONG);
  }
}

static millrace_buffer *identity(millrace_device *device) {
  static const int64_t dims[] = {SIDE, SIDE};
  static float values[SIDE * SIDE];
  for (int i = 0; i < SIDE; i++) {
    values[i * SIDE + i] = 1;
  }
  millrace_buffer *buffer = NULL;
  must(millrace_buffer_create(device, &(millrace_array){.data = values, .dtype = MILLRACE_F32, .dims = dims, .rank = 2},
                              &buffer));
  return buffer;
}

static void queue(void) {
  must(millrace_context_create(NULL, &context));
  millrace_device *device = millrace_context_device(context, 0);
  must(millrace_program_load(text, strlen(text), &program));
  last = identity(device);
  for (int i = 0; i < CALLS; i++) {
    millrace_buffer *next = NULL;
    must(millrace_execute(program, device, &last, 1, &next, 1, NULL));
    millrace_buffer_release(last);
    last = next;
  }
}

static void release(void) {
  millrace_buffer_release(last);
  millrace_program_release(program);
  millrace_context_release(context);
}
static void queue_and_release(void) {
  queue();
  release();
}

static void *queue_main(void *argument) {
  queue();
  return argument;
}
static void queue_in_a_thread_that_is_over(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, queue_main, NULL) != 0 || pthread_join(thread, NULL) != 0) {
    _exit(WRONG);
  }
}
static void *queue_and_exit(void *argument) {
  queue();
  (void)argument;
  exit(WRONG);  // look() has the last word
}
static void exit_in_a_thread(void) {
  start(queue_and_exit);
  pause();
}
static void queue_and_fork(void) {
  queue();
  pid_t child = fork();
  if (child == 0) {
    exit(WRONG);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != RIGHT) {
    _exit(WRONG);
  }
}

static bool at_all(void) { return true; }
static bool released(void) {
  release();
  return true;
}
static bool told(void) {
  millrace_event *ready = millrace_buffer_ready(last);
  millrace_error *error = millrace_event_wait(ready);
  bool right = !error || millrace_error_code(error) == MILLRACE_CANCELLED;
  millrace_error_free(error);
  millrace_event_release(ready);
  return right;
}

// Every kind of work ends in every way, with the status that was asked for: out of main, after an orderly release, with what the program holds
// released by a destructor, one that waits, from threads, beside a forked child.
static void test_endings(void **state) {
  (void)state;
  static const char *const programs[] = {product, convolution, factor, elementwise};
  static const struct {
    void (*live)(void);
    bool (*right)(void);
  } ways[] = {{queue, at_all},
              {queue_and_release, at_all},
              {queue, released},
              {queue, told},
              {queue_in_a_thread_that_is_over, at_all},
              {exit_in_a_thread, at_all},
              {queue_and_fork, at_all}};
  for (size_t p = 0; p < MR_ARRAY_SIZE(programs); p++) {
    for (size_t w = 0; w < MR_ARRAY_SIZE(ways); w++) {
      text = programs[p];
      print_message("program %zu, way %zu\n", p, w);
      assert_int_equal(status_of(ways[w].live, ways[w].right), RIGHT);
    }
  }
}

// The first product of a process makes what a library destroys when the process ends, which may be in the middle of it: one end in eight was, once.
static void queue_elsewhere(void) {
  must(millrace_context_create(NULL, &context));
  millrace_device *device = millrace_context_device(context, 0);
  must(millrace_program_load(text, strlen(text), &program));
  const millrace_execute_options options = {.struct_size = sizeof options, .elsewhere = true};
  last = identity(device);
  for (int i = 0; i < 20; i++) {
    millrace_buffer *result = NULL;
    must(millrace_execute_with(program, device, &last, 1, &options, &result, 1, NULL));
  }
}

static void test_end_in_the_first_product(void **state) {
  (void)state;
  text = product;
  for (int i = 0; i < 60; i++) {
    assert_int_equal(status_of(queue_elsewhere, at_all), RIGHT);
  }
}

static void live_and_look_after_release(void) {
  queue();
  mr_platform *platform = mr_platform_enter(context);
  release();
  mr_admission_counts counts = mr_admission_count(&mr_platform_device(platform, 0)->admission);
  _exit(counts.calls == 0 && counts.peak_calls > 0 ? RIGHT : WRONG);
}

// When a context has been released, none of what was queued is under way.
static void test_release_waits(void **state) {
  (void)state;
  text = product;
  assert_int_equal(status_of(live_and_look_after_release, at_all), RIGHT);
}

static void execute_endless(void) {
  must(millrace_context_create(NULL, &context));
  millrace_device *device = millrace_context_device(context, 0);
  must(millrace_program_load(text, strlen(text), &program));
  millrace_buffer *first = identity(device);
  must(millrace_execute(program, device, &first, 1, &last, 1, NULL));
  usleep(20000);
}

// A loop of ours that would go on for ever ends with the process, and who waits for it in a destructor is told.
static void test_endless_loop(void **state) {
  (void)state;
  text = endless;
  assert_int_equal(status_of(execute_endless, told), RIGHT);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_endings), cmocka_unit_test(test_end_in_the_first_product),
                                     cmocka_unit_test(test_release_waits), cmocka_unit_test(test_endless_loop)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
