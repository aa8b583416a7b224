// Executions that are ended early through the native API.
#include <stdio.h>
#include <string.h>

#include "millrace/millrace.h"
#include "tests/millrace/engine_harness.h"

// Goes round for ever.
static const char endless[] = "func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                              "  %t = stablehlo.constant dense<true> : tensor<i1>\n"
                              "  %r:2 = stablehlo.while(%c = %t, %x = %a) : tensor<i1>, tensor<4xf32>\n"
                              "  cond {\n"
                              "    stablehlo.return %c : tensor<i1>\n"
                              "  } do {\n"
                              "    %y = stablehlo.negate %x : tensor<4xf32>\n"
                              "    stablehlo.return %c, %y : tensor<i1>, tensor<4xf32>\n"
                              "  }\n"
                              "  return %r#1 : tensor<4xf32>\n"
                              "}\n";

static millrace_context *context;
static millrace_device *device;
static millrace_program *program;
static millrace_buffer *argument;

static int open_all(void **state) {
  (void)state;
  assert_null(millrace_context_create(NULL, &context));
  device = millrace_context_device(context, 0);
  assert_null(millrace_program_load(endless, strlen(endless), &program));
  const millrace_array array = {
      .data = (float[4]){1, 2, 3, 4}, .dtype = MILLRACE_F32, .dims = (int64_t[]){4}, .rank = 1};
  assert_null(millrace_buffer_create(device, &array, &argument));
  return 0;
}

static int close_all(void **state) {
  (void)state;
  millrace_buffer_release(argument);
  millrace_program_release(program);
  while (millrace_device_queue(device).calls) {
  }
  millrace_context_release(context);
  return 0;
}

static void ends_with(const millrace_execute_options *options, millrace_code code) {
  millrace_buffer *result;
  millrace_event *event;
  assert_null(millrace_execute_with(program, device, &argument, 1, options, &result, 1, &event));
  if (options->stop) {
    millrace_stop_source_stop(options->stop, NULL);
  }
  millrace_error *error = millrace_event_wait(event);
  assert_int_equal(millrace_error_code(error), code);
  millrace_error_free(error);
  float read[4];
  error = millrace_buffer_read(result, read, sizeof read);
  assert_int_equal(millrace_error_code(error), code);
  millrace_error_free(error);
  millrace_event_release(event);
  millrace_buffer_release(result);
}

static void test_a_source(void **state) {
  (void)state;
  millrace_stop_source *stop;
  assert_null(millrace_stop_source_create(&stop));
  ends_with(&(millrace_execute_options){.struct_size = sizeof(millrace_execute_options), .stop = stop},
            MILLRACE_CANCELLED);
  ends_with(&(millrace_execute_options){.struct_size = sizeof(millrace_execute_options), .stop = stop},
            MILLRACE_CANCELLED);
  millrace_stop_source_release(stop);
  millrace_stop_source_release(NULL);
}

static void test_a_timeout(void **state) {
  (void)state;
  ends_with(&(millrace_execute_options){.struct_size = sizeof(millrace_execute_options), .timeout_ns = 1000000},
            MILLRACE_DEADLINE_EXCEEDED);
}

// Products of a side, in a chain: brief, and too long to run on the thread that calls.
static millrace_program *products(int side, int count) {
  char text[4096], *at = text;
  at += sprintf(at, "func.func public @main(%%v0: tensor<%dx%dxf32>) -> tensor<%dx%dxf32> {\n", side, side, side, side);
  for (int i = 0; i < count; i++) {
    at += sprintf(at,
                  "%%v%d = stablehlo.dot_general %%v%d, %%v0, contracting_dims = [1] x [0] : (tensor<%dx%dxf32>, "
                  "tensor<%dx%dxf32>) -> tensor<%dx%dxf32>\n",
                  i + 1, i, side, side, side, side, side, side);
  }
  sprintf(at, "return %%v%d : tensor<%dx%dxf32>\n}\n", count, side, side);
  millrace_program *made;
  assert_null(millrace_program_load(text, strlen(text), &made));
  return made;
}

// Programs that never end have every worker: what is brief, or has a priority, ends all the same.
static void test_beside_programs_without_end(void **state) {
  (void)state;
  enum { ENDLESS = 8, SIDE = 128 };
  millrace_stop_source *stop;
  assert_null(millrace_stop_source_create(&stop));
  const millrace_execute_options stopped = {.struct_size = sizeof stopped, .stop = stop};
  const millrace_execute_options urgent = {.struct_size = sizeof urgent, .priority = 5};
  millrace_buffer *results[ENDLESS], *brief_result;
  millrace_event *events[ENDLESS], *event;
  static float data[SIDE * SIDE];
  const millrace_array array = {.data = data, .dtype = MILLRACE_F32, .dims = (int64_t[]){SIDE, SIDE}, .rank = 2};
  millrace_buffer *x;
  millrace_program *brief = products(SIDE, 3);
  assert_null(millrace_buffer_create(device, &array, &x));
  for (int i = 0; i < ENDLESS; i++) {
    assert_null(millrace_execute_with(program, device, &argument, 1, &stopped, &results[i], 1, &events[i]));
  }
  for (int i = 0; i < 20; i++) {
    assert_null(millrace_execute_with(brief, device, &x, 1, i % 2 ? &urgent : NULL, &brief_result, 1, &event));
    assert_null(millrace_event_wait(event));
    millrace_event_release(event);
    millrace_buffer_release(brief_result);
  }
  millrace_stop_source_stop(stop, NULL);
  for (int i = 0; i < ENDLESS; i++) {
    millrace_error_free(millrace_event_wait(events[i]));
    millrace_event_release(events[i]);
    millrace_buffer_release(results[i]);
  }
  millrace_buffer_release(x);
  millrace_program_release(brief);
  millrace_stop_source_release(stop);
}

// A client from before there were priorities.
static void test_older_options(void **state) {
  (void)state;
  ends_with(&(millrace_execute_options){.struct_size = offsetof(millrace_execute_options, priority),
                                        .timeout_ns = 1000000,
                                        .priority = 77},
            MILLRACE_DEADLINE_EXCEEDED);
}

static void test_wrong_options(void **state) {
  (void)state;
  millrace_buffer *result = NULL;
  millrace_event *event = NULL;
  millrace_error *error = millrace_execute_with(program, device, &argument, 1,
                                                &(millrace_execute_options){.struct_size = 8}, &result, 1, &event);
  assert_int_equal(millrace_error_code(error), MILLRACE_INVALID_ARGUMENT);
  assert_non_null(strstr(millrace_error_message(error), "struct_size is 8"));
  assert_null(event);
  millrace_error_free(error);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_source),      cmocka_unit_test(test_a_timeout),
      cmocka_unit_test(test_wrong_options), cmocka_unit_test(test_beside_programs_without_end),
      cmocka_unit_test(test_older_options),
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
