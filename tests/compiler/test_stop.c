// Executions that are ended from outside: by their stop source and by their deadline, on each kind of device, wherever they are: in a loop that
// never ends, in the middle of many steps, before they begin, in a call that does not come back, in a meeting. Whoever waits is told, and
// nothing is left.
#include "tests/alloc_loop.h"
#include "tests/compiler/rows_harness.h"
#include "tests/compiler/strands.h"

#define ENDLESS(body)                                                                             \
  "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"                                         \
  "  %one = stablehlo.constant dense<1> : tensor<i32>\n"                                          \
  "  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<256x256xf32>\n"            \
  "  cond {\n"                                                                                    \
  "    %c = stablehlo.compare GE, %i, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n" \
  "    stablehlo.return %c : tensor<i1>\n"                                                        \
  "  } do {\n"                                                                                    \
  "    %n = stablehlo.not %one : tensor<i32>\n"                                                   \
  "    %j = stablehlo.and %n, %one : tensor<i32>\n" body                                          \
  "    stablehlo.return %j, %y : tensor<i32>, tensor<256x256xf32>\n"                              \
  "  }\n"

#define DOT(to, from)                                                                         \
  "    %" to " = stablehlo.dot_general %" from ", %" from ", contracting_dims = [1] x [0] : " \
  "(tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>\n"

#define MAIN(body, result)                                                                             \
  "func.func @main(%a: tensor<256x256xf32>) -> tensor<256x256xf32> {\n" body "  return %" result " : " \
  "tensor<256x256xf32>\n}\n"

// A loop of several steps, one that becomes a kernel with loops in it, and one that becomes a kernel of scalars.
static const char steps[] = MAIN(ENDLESS(DOT("y", "x")), "r#1");
static const char kernel[] = MAIN(ENDLESS("    %y = stablehlo.negate %x : tensor<256x256xf32>\n"), "r#1");
static const char scalars[] =
    MAIN("  %z = stablehlo.constant dense<0> : tensor<i32>\n"
         "  %s:2 = stablehlo.while(%i = %z, %k = %z) : tensor<i32>, tensor<i32>\n"
         "  cond {\n"
         "    %c = stablehlo.compare EQ, %i, %z, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
         "    stablehlo.return %c : tensor<i1>\n"
         "  } do {\n"
         "    %l = stablehlo.xor %k, %z : tensor<i32>\n"
         "    %j = stablehlo.multiply %i, %l : tensor<i32>\n"
         "    stablehlo.return %j, %l : tensor<i32>, tensor<i32>\n"
         "  }\n"
         "  %f = stablehlo.convert %s#0 : (tensor<i32>) -> tensor<f32>\n"
         "  %b = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<256x256xf32>\n"
         "  %y = stablehlo.add %a, %b : tensor<256x256xf32>\n",
         "y");
static const char call[] =
    MAIN("  %y = stablehlo.custom_call @slow(%a) : (tensor<256x256xf32>) -> tensor<256x256xf32>\n", "y");

// Many steps, none of which is long.
static char *many_steps(void) {
  enum { COUNT = 10000, EACH = 160 };
  char *text = malloc((COUNT + 2) * EACH), *at = text;
  at += sprintf(at, "func.func @main(%%v0: tensor<256x256xf32>) -> tensor<256x256xf32> {\n");
  for (int i = 0; i < COUNT; i++) {
    at += sprintf(at,
                  "%%v%d = stablehlo.dot_general %%v%d, %%v%d, contracting_dims = [1] x [0] : "
                  "(tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>\n",
                  i + 1, i, i);
  }
  sprintf(at, "return %%v%d : tensor<256x256xf32>\n}\n", COUNT);
  return text;
}

static const char *kinds[] = {"cpu", "fenced", "opencl:cpu"};
// What PoCL does beside its threads is more than a sanitizer can follow.
enum { CPU, FENCED, OPENCL, KINDS = MR_TEST_SANITIZED ? OPENCL : OPENCL + 1 };

// False where there is no such device.
static bool open_kind(int kind, uint32_t count) {
  mr_set_custom_call_maker(make_slow_call);
  mr_platform_options options = {.num_devices = count, .kinds = kinds[kind]};
  mr_status status = mr_platform_create(&options, &platform);
  if (status) {
    assert_int_equal(kind, OPENCL);
    mr_status_free(status);
    return false;
  }
  device = mr_platform_device(platform, 0);
  memory = &device->memories[MR_MEMORY_DEVICE];
  return true;
}

static mr_executable *compile_on(int kind, const char *text) {
  (void)kind;
  mr_executable *executable = NULL;
  mr_compile_options options = {.target = mr_device_target(device)};
  expect_ok(mr_compile((mr_span){text, strlen(text)}, &options, &executable));
  return executable;
}

static mr_buffer *square(uint32_t which) {
  static const float ones[256 * 256];
  return on_device(which, MR_F32, ones, (int64_t[]){256, 256}, 2);
}

// Until nothing of the device's is under way any more.
static void until_idle(void) {
  for (size_t i = 0; i < mr_platform_device_count(platform); i++) {
    while (mr_admission_count(&mr_platform_device(platform, i)->admission).calls) {
      sched_yield();
    }
  }
}

// NULL: it was over when the call returned.
static mr_status ask(mr_future *take_done) {
  if (!take_done) {
    return MR_OK;
  }
  mr_future_wait(take_done);
  mr_status status = mr_status_retain(mr_future_status(take_done));
  mr_future_release(take_done);
  return status;
}

typedef enum end { BY_SOURCE, BY_DEADLINE, ENDS } end;

// The execution ends early, with what it was ended with, and so do its results.
static void ends_early(mr_executable *executable, mr_buffer *argument, end by) {
  mr_stopper *source = NULL;
  mr_execute_options options = {0};
  if (by == BY_SOURCE) {
    expect_ok(mr_stopper_create(&source));
    options.stop = source;
  } else {
    options.deadline_ns = mr_now_ns() + 3000000;
  }
  mr_buffer *result;
  mr_future *done = NULL;
  expect_ok(mr_execute(executable, device, &options, &argument, 1, &result, &done));
  assert_non_null(done);
  if (by == BY_SOURCE) {
    mr_stopper_stop(source, mr_error(MR_ABORTED, "the client is gone"));
    mr_stopper_stop(source, mr_error(MR_INTERNAL, "a second time"));
    mr_stopper_release(source);
  }
  mr_code code = by == BY_SOURCE ? MR_ABORTED : MR_DEADLINE_EXCEEDED;
  expect_code(ask(done), code);
  mr_future_wait(mr_buffer_ready(result));
  assert_int_equal(mr_status_code(mr_future_status(mr_buffer_ready(result))), code);
  mr_buffer_release(result);
}

static void end_program(const char *text, int first, int last) {
  for (int kind = first; kind <= last; kind++) {
    if (!open_kind(kind, 1)) {
      continue;
    }
    mr_executable *executable = compile_on(kind, text);
    mr_buffer *argument = square(0);
    for (int by = 0; by < ENDS; by++) {
      ends_early(executable, argument, (end)by);
      until_idle();
    }
    mr_buffer_release(argument);
    mr_executable_release(executable);
    mr_platform_release(platform);
  }
}

static void test_loop_of_steps(void **state) {
  (void)state;
  end_program(steps, CPU, KINDS - 1);
}

// What a driver has compiled is not ended: not on OpenCL.
static void test_loop_in_a_kernel(void **state) {
  (void)state;
  end_program(kernel, CPU, FENCED);
  end_program(scalars, CPU, FENCED);
}

static void test_many_steps(void **state) {
  (void)state;
  char *text = many_steps();
  end_program(text, CPU, KINDS - 1);
  free(text);
}

// Who waits is told while the call has the execution's memory; that goes when the call comes back.
static void test_call_that_does_not_come_back(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    if (!open_kind(kind, 1)) {
      continue;
    }
    mr_executable *executable = compile_on(kind, call);
    mr_buffer *argument = square(0);
    ends_early(executable, argument, BY_SOURCE);
    ends_early(executable, argument, BY_DEADLINE);
    mr_buffer_release(argument);
    mr_executable_release(executable);
    while (let_one_end(MR_OK) || mr_admission_count(&device->admission).calls) {
      sched_yield();
    }
    mr_platform_release(platform);
  }
}

// It never begins, and lets go of what it waited for when that is there.
static void test_before_it_begins(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    if (!open_kind(kind, 1)) {
      continue;
    }
    mr_executable *executable = compile_on(kind, call), *next = compile_on(kind, steps);
    mr_buffer *argument = square(0), *never;
    mr_future *done = NULL;
    expect_ok(mr_execute(executable, device, NULL, &argument, 1, &never, &done));
    for (int by = 0; by < ENDS; by++) {
      ends_early(next, never, (end)by);
    }
    assert_false(mr_future_is_set(done));
    while (!let_one_end(MR_OK)) {
      sched_yield();
    }
    expect_ok(ask(done));
    mr_buffer_release(never);
    mr_buffer_release(argument);
    mr_executable_release(next);
    mr_executable_release(executable);
    until_idle();
    mr_platform_release(platform);
  }
}

// A source that has stopped stops what it is given afterwards; one that is let go of stops nothing, and who is over is not touched.
static void test_sources(void **state) {
  (void)state;
  assert_true(open_kind(CPU, 1));
  mr_executable *executable = compile_on(CPU, MAIN("  %y = stablehlo.negate %a : tensor<256x256xf32>\n", "y"));
  mr_buffer *argument = square(0), *result;
  mr_stopper *source;
  expect_ok(mr_stopper_create(&source));
  mr_execute_options options = {.stop = source, .deadline_ns = UINT64_MAX};
  mr_future *done = NULL;
  expect_ok(mr_execute(executable, device, &options, &argument, 1, &result, &done));
  expect_ok(ask(done));
  mr_stopper_stop(source, MR_OK);
  assert_true(!mr_buffer_ready(result) || !mr_future_status(mr_buffer_ready(result)));
  mr_buffer_release(result);
  expect_ok(mr_execute(executable, device, &options, &argument, 1, &result, &done));
  expect_code(ask(done), MR_CANCELLED);
  mr_buffer_release(result);
  mr_stopper_release(source);

  mr_executable *slow = compile_on(CPU, call);
  expect_ok(mr_stopper_create(&source));
  options = (mr_execute_options){.stop = source};
  expect_ok(mr_execute(slow, device, &options, &argument, 1, &result, &done));
  mr_stopper_release(source);
  while (!let_one_end(MR_OK)) {
    sched_yield();
  }
  expect_ok(ask(done));
  mr_buffer_release(result);
  mr_buffer_release(argument);
  mr_executable_release(slow);
  mr_executable_release(executable);
  until_idle();
  mr_platform_release(platform);
}

// ---- Rows -----------------------------------------------------------------------------------------------------------------

#define SUM(to, from)                                    \
  "  %" to " = \"stablehlo.all_reduce\"(%" from ") ({\n" \
  "    ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"        \
  "      %w = stablehlo.add %p, %q : tensor<f32>\n"      \
  "      stablehlo.return %w : tensor<f32>\n"            \
  "    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<256x256xf32>) -> tensor<256x256xf32>\n"

// The second device never comes to the meeting, since it goes round for ever.
static const char one_never_comes[] =
    MAIN("  %id = stablehlo.replica_id : tensor<ui32>\n"
         "  %which = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>\n"
         "  %b = \"stablehlo.case\"(%which) ({\n"
         "    stablehlo.return %a : tensor<256x256xf32>\n"
         "  }, {\n" ENDLESS(DOT("y", "x")) "    stablehlo.return %r#1 : tensor<256x256xf32>\n"
                                           "  }) : (tensor<i32>) -> tensor<256x256xf32>\n" SUM("m", "b"),
         "m");
static const char meet_for_ever[] = MAIN(ENDLESS(DOT("z", "x") SUM("y", "z")), "r#1");

static void rows_end_early(const char *text, int kind, end by) {
  rows_case *c = rows_of(text, 2, 1);
  mr_stopper *source;
  expect_ok(mr_stopper_create(&source));
  mr_execute_options options = {.stop = source};
  if (by == BY_DEADLINE) {
    options = (mr_execute_options){.deadline_ns = mr_now_ns() + 3000000};
  }
  (void)kind;
  for (uint32_t i = 0; i < c->count; i++) {
    c->arguments[i][0] = square(i);
    c->rows[i].options = i || by == BY_SOURCE ? &options : NULL;  // of one device is enough
  }
  expect_ok(mr_execute_rows(c->executable, c->rows, c->count, 1));
  if (by == BY_SOURCE) {
    mr_stopper_stop(source, mr_error(MR_ABORTED, "the client is gone"));
  }
  for (uint32_t i = 0; i < c->count; i++) {
    expect_code(ask(c->rows[i].done), by == BY_SOURCE ? MR_ABORTED : MR_DEADLINE_EXCEEDED);
    mr_buffer_release(c->results[i][0]);
    mr_buffer_release(c->arguments[i][0]);
  }
  mr_stopper_release(source);
  mr_executable_release(c->executable);
  free(c);
  until_idle();
}

static void test_rows(void **state) {
  (void)state;
  for (int kind = 0; kind < FENCED + 1; kind++) {
    assert_true(open_kind(kind, 2));
    for (int by = 0; by < ENDS; by++) {
      rows_end_early(one_never_comes, kind, (end)by);
      rows_end_early(meet_for_ever, kind, (end)by);
    }
    mr_platform_release(platform);
  }
}

// ---- Everything -------------------------------------------------------------------------------------------------------------

// What a platform runs ends when that is stopped, also a kernel.
static void test_platform(void **state) {
  (void)state;
  static const char *const programs[] = {steps, kernel, scalars};
  for (size_t i = 0; i < MR_ARRAY_SIZE(programs); i++) {
    assert_true(open_kind(CPU, 1));
    mr_executable *executable = compile_on(CPU, programs[i]);
    mr_buffer *argument = square(0), *result;
    mr_stopper *source;
    expect_ok(mr_stopper_create(&source));
    mr_execute_options options = {.stop = source};  // so that it does not run on this thread
    mr_future *done = NULL;
    expect_ok(mr_execute(executable, device, &options, &argument, 1, &result, &done));
    mr_platform_stop(platform, mr_error(MR_CANCELLED, "nobody is there"));
    mr_platform_stop(platform, mr_error(MR_INTERNAL, "a second time"));
    expect_code(ask(done), MR_CANCELLED);
    mr_stopper_release(source);
    mr_buffer_release(result);
    mr_buffer_release(argument);
    mr_executable_release(executable);
    until_idle();
    mr_platform_release(platform);
  }
}

// ---- Without memory -------------------------------------------------------------------------------------------------------

static mr_status stop_one(void *context) {
  mr_executable *executable = context;
  mr_stopper *source = NULL;
  mr_buffer *argument = NULL, *result = NULL;
  mr_future *done = NULL;
  const mr_host_array host = {.data = (float[4]){1, 2, 3, 4}, .dtype = MR_F32, .dims = (int64_t[]){4}, .rank = 1};
  mr_status status = mr_stopper_create(&source);
  status = status ? status : mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &argument);
  if (!status) {
    const mr_execute_options options = {.stop = source, .deadline_ns = UINT64_MAX};
    status = mr_execute(executable, device, &options, &argument, 1, &result, &done);
  }
  if (!status) {
    status = ask(done);
    mr_buffer_release(result);
    until_idle();
  }
  mr_buffer_release(argument);
  mr_stopper_release(source);
  return status;
}

static void test_without_memory(void **state) {
  (void)state;
  assert_true(open_kind(CPU, 1));
  mr_executable *executable =
      compile_on(CPU, "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                      "  %y = stablehlo.negate %a : tensor<4xf32>\n  return %y : tensor<4xf32>\n}\n");
  expect_ok(stop_one(executable));  // what is made once: the reactor
  alloc_loop("an execution with a source and a deadline", stop_one, executable, 4000);
  alloc_loops_ended_well();
  mr_executable_release(executable);
  mr_platform_release(platform);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_loop_of_steps),
      cmocka_unit_test(test_loop_in_a_kernel),
      cmocka_unit_test(test_many_steps),
      cmocka_unit_test(test_call_that_does_not_come_back),
      cmocka_unit_test(test_before_it_begins),
      cmocka_unit_test(test_sources),
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_platform),
      cmocka_unit_test(test_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
