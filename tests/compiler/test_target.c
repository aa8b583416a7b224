// Programs that are compiled for a device that takes text: what runs them, what refuses them, and that they compute what the CPU does,
// on a device of OpenCL's where there is one (PoCL); else that is skipped.
#include <math.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compiler/compiler.h"
#include "devices/faulty/faulty.h"
#include "tests/cmocka.h"

enum { SIDE = 96, COUNT = SIDE * SIDE };

static const mr_target text_target = {.language = MR_CODE_OPENCL_C,
                                      .has_f64 = true,
                                      .has_correct_division = true,
                                      .largest_block_bytes = 1 << 30,
                                      .parameter_bytes = 1024,
                                      .host_steps = true,
                                      .key = {1, 2}};

// A product that is a kernel of text, a loop that the host looks at since its round calls the host's library, a branch, a constant.
static const char program_text[] =
    "func.func @main(%x: tensor<96x96xf32>, %rounds: tensor<i32>) -> (tensor<96x96xf32>, tensor<96xf32>) {\n"
    "  %eye = stablehlo.constant dense<0.5> : tensor<96x96xf32>\n"
    "  %row = stablehlo.iota dim = 0 : tensor<96x96xi32>\n"
    "  %column = stablehlo.iota dim = 1 : tensor<96x96xi32>\n"
    "  %same = stablehlo.compare EQ, %row, %column : (tensor<96x96xi32>, tensor<96x96xi32>) -> tensor<96x96xi1>\n"
    "  %zero = stablehlo.constant dense<0.0> : tensor<96x96xf32>\n"
    "  %many = stablehlo.constant dense<96.0> : tensor<96x96xf32>\n"
    "  %diagonal = stablehlo.select %same, %many, %zero : tensor<96x96xi1>, tensor<96x96xf32>\n"
    "  %first = stablehlo.constant dense<0> : tensor<i32>\n"
    "  %r:2 = stablehlo.while(%i = %first, %a = %x) : tensor<i32>, tensor<96x96xf32>\n"
    "  cond {\n"
    "    %c = stablehlo.compare LT, %i, %rounds : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %c : tensor<i1>\n"
    "  } do {\n"
    "    %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<96x96xf32>) -> tensor<96x96xf32>\n"
    "    %p = stablehlo.dot_general %a, %t, contracting_dims = [1] x [0] : (tensor<96x96xf32>, tensor<96x96xf32>) -> "
    "tensor<96x96xf32>\n"
    "    %s = stablehlo.add %p, %diagonal : tensor<96x96xf32>\n"
    "    %l = \"stablehlo.cholesky\"(%s) {lower = true} : (tensor<96x96xf32>) -> tensor<96x96xf32>\n"
    "    %h = stablehlo.multiply %l, %eye : tensor<96x96xf32>\n"
    "    %one = stablehlo.constant dense<1> : tensor<i32>\n"
    "    %n = stablehlo.add %i, %one : tensor<i32>\n"
    "    stablehlo.return %n, %h : tensor<i32>, tensor<96x96xf32>\n"
    "  }\n"
    "  %b = \"stablehlo.case\"(%r#0) ({\n"
    "    %e = stablehlo.exponential %r#1 : tensor<96x96xf32>\n"
    "    stablehlo.return %e : tensor<96x96xf32>\n"
    "  }, {\n"
    "    %e = \"stablehlo.cholesky\"(%diagonal) {lower = true} : (tensor<96x96xf32>) -> tensor<96x96xf32>\n"
    "    stablehlo.return %e : tensor<96x96xf32>\n"
    "  }, {\n"
    "    %e = stablehlo.negate %r#1 : tensor<96x96xf32>\n"
    "    stablehlo.return %e : tensor<96x96xf32>\n"
    "  }) : (tensor<i32>) -> tensor<96x96xf32>\n"
    "  %none = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %sum = stablehlo.reduce(%b init: %none) applies stablehlo.add across dimensions = [1] : (tensor<96x96xf32>, "
    "tensor<f32>) -> tensor<96xf32>\n"
    "  return %b, %sum : tensor<96x96xf32>, tensor<96xf32>\n"
    "}\n";

// More rounds of products than go to a device at once, whose number is known.
static const char counting_text[] =
    "func.func @main(%x: tensor<96x96xf32>, %unused: tensor<i32>) -> (tensor<96x96xf32>, tensor<96xf32>) {\n"
    "  %first = stablehlo.constant dense<3> : tensor<i32>\n"
    "  %r:2 = stablehlo.while(%i = %first, %a = %x) : tensor<i32>, tensor<96x96xf32>\n"
    "  cond {\n"
    "    %last = stablehlo.constant dense<1203> : tensor<i32>\n"
    "    %c = stablehlo.compare LT, %i, %last : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %c : tensor<i1>\n"
    "  } do {\n"
    "    %p = stablehlo.dot_general %a, %x, contracting_dims = [1] x [0] : (tensor<96x96xf32>, tensor<96x96xf32>) -> "
    "tensor<96x96xf32>\n"
    "    %s = stablehlo.tanh %p : tensor<96x96xf32>\n"
    "    %two = stablehlo.constant dense<2> : tensor<i32>\n"
    "    %n = stablehlo.add %i, %two : tensor<i32>\n"
    "    stablehlo.return %n, %s : tensor<i32>, tensor<96x96xf32>\n"
    "  }\n"
    "  %count = stablehlo.convert %r#0 : (tensor<i32>) -> tensor<f32>\n"
    "  %counts = stablehlo.broadcast_in_dim %count, dims = [] : (tensor<f32>) -> tensor<96xf32>\n"
    "  return %r#1, %counts : tensor<96x96xf32>, tensor<96xf32>\n"
    "}\n";

static const char cholesky_text[] =
    "func.func @main(%x: tensor<96x96xf32>) -> tensor<96x96xf32> {\n"
    "  %l = \"stablehlo.cholesky\"(%x) {lower = true} : (tensor<96x96xf32>) -> tensor<96x96xf32>\n"
    "  return %l : tensor<96x96xf32>\n"
    "}\n";

static const char sum_text[] = "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {\n"
                               "  %s = stablehlo.add %a, %b : tensor<4xf32>\n"
                               "  return %s : tensor<4xf32>\n"
                               "}\n";

static void expect_ok(mr_status status) {
  if (status) {
    fail_msg("%s: %s", mr_status_code_name(mr_status_code(status)), mr_status_message(status));
  }
}

// The status has this code and says both of these.
static void expect_words(mr_status status, mr_code code, const char *first, const char *second) {
  assert_int_equal(mr_status_code(status), code);
  if (!strstr(mr_status_message(status), first) || !strstr(mr_status_message(status), second)) {
    fail_msg("'%s', wanted '%s' and '%s' in it", mr_status_message(status), first, second);
  }
  mr_status_free(status);
}

static mr_status compile_for(const char *text, const mr_target *target, mr_executable **out) {
  const mr_compile_options options = {.target = target};
  return mr_compile((mr_span){text, strlen(text)}, &options, out);
}

static mr_buffer *array(mr_device *device, mr_dtype dtype, const void *data, size_t rank, const int64_t *dims) {
  mr_buffer *buffer = NULL;
  mr_host_array host = {.data = data, .dtype = dtype, .dims = dims, .rank = rank};
  expect_ok(
      mr_buffer_from_host(&device->memories[MR_MEMORY_DEVICE], &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &buffer));
  return buffer;
}

static mr_status end_of(mr_future *take_done) {
  mr_status status = MR_OK;
  if (take_done) {
    mr_future_wait(take_done);
    status = mr_status_retain(mr_future_status(take_done));
    mr_future_release(take_done);
  }
  return status;
}

static void read_floats(mr_buffer *take_buffer, float *to) {
  mr_future *done = NULL;
  expect_ok(mr_buffer_to_host(take_buffer, to, NULL, &done));
  expect_ok(end_of(done));
  mr_buffer_release(take_buffer);
}

// Both results into `to`, one behind the other.
static mr_status run_program(mr_executable *e, mr_device *device, int32_t rounds, float *to) {
  static float x[COUNT];
  for (int i = 0; i < COUNT; i++) {
    x[i] = (float)(i * 7 % 11) / 8;
  }
  mr_buffer *arguments[] = {array(device, MR_F32, x, 2, (int64_t[]){SIDE, SIDE}),
                            array(device, MR_S32, &rounds, 0, NULL)};
  mr_buffer *results[2] = {0};
  mr_future *done = NULL;
  mr_status status = mr_execute(e, device, NULL, arguments, 2, results, &done);
  status = status ? status : end_of(done);
  for (int i = 0; i < 2; i++) {
    if (!status) {
      read_floats(results[i], to + i * COUNT);
    } else if (results[i]) {
      mr_buffer_release(results[i]);
    }
    mr_buffer_release(arguments[i]);
  }
  return status;
}

// ---- Without a device of OpenCL's -----------------------------------------------------------------------------------

static void count_one(void *context, mr_hash128 key, mr_span object) {
  (void)key, (void)object;
  ++*(int *)context;
}

static void test_other_targets_are_other_programs(void **state) {
  (void)state;
  mr_target other = text_target;
  other.key.high = 3;
  mr_executable *native, *text, *third;
  expect_ok(compile_for(sum_text, NULL, &native));
  expect_ok(compile_for(sum_text, &text_target, &text));
  expect_ok(compile_for(sum_text, &other, &third));
  assert_string_not_equal(mr_executable_fingerprint(native), mr_executable_fingerprint(text));
  assert_string_not_equal(mr_executable_fingerprint(third), mr_executable_fingerprint(text));
  int natives = 0, texts = 0;
  mr_executable_each_kernel(native, count_one, &natives);
  mr_executable_each_kernel(text, count_one, &texts);
  assert_int_equal(natives, 1);
  assert_int_equal(texts, 0);  // no machine code
  mr_executable_release(native);
  mr_executable_release(text);
  mr_executable_release(third);
}

static void test_native_devices_refuse_text(void **state) {
  (void)state;
  mr_platform *platform;
  expect_ok(mr_platform_create(&(mr_platform_options){.kinds = "cpu,fenced"}, &platform));
  mr_executable *text;
  expect_ok(compile_for(sum_text, &text_target, &text));
  for (size_t i = 0; i < 2; i++) {
    mr_device *device = mr_platform_device(platform, i);
    const float numbers[4] = {1, 2, 3, 4};
    mr_buffer *a = array(device, MR_F32, numbers, 1, (int64_t[]){4}), *arguments[] = {a, a}, *result = NULL;
    mr_future *done = NULL;
    expect_words(mr_execute(text, device, NULL, arguments, 2, &result, &done), MR_INVALID_ARGUMENT, "OpenCL C",
                 "native code");
    expect_words(mr_executable_load(text, device), MR_INVALID_ARGUMENT, "OpenCL C", "native code");
    assert_null(result);
    assert_null(done);
    mr_buffer_release(a);
  }
  mr_executable_release(text);
  mr_platform_release(platform);
}

static const char double_text[] = "func.func @main(%a: tensor<4xf64>) -> tensor<4xf64> {\n"
                                  "  %s = stablehlo.add %a, %a : tensor<4xf64>\n"
                                  "  return %s : tensor<4xf64>\n"
                                  "}\n";

// Its type is f32, and what computes it goes by way of f64.
static const char power_text[] = "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {\n"
                                 "  %s = stablehlo.power %a, %b : tensor<4xf32>\n"
                                 "  return %s : tensor<4xf32>\n"
                                 "}\n";

// What a device without f64 has no code for is a step of the host's, or refused by name.
static void test_devices_without_f64(void **state) {
  (void)state;
  mr_target alone = text_target;
  alone.has_f64 = alone.host_steps = false;
  mr_executable *e = NULL;
  expect_words(compile_for(double_text, &alone, &e), MR_UNIMPLEMENTED, "add", "f64 on a device without it");
  assert_null(e);
  expect_words(compile_for(power_text, &alone, &e), MR_UNIMPLEMENTED, "power",
               "a function that is computed in f64, on a device without it");
  assert_null(e);
  expect_ok(compile_for(sum_text, &alone, &e));
  mr_executable_release(e);
  alone.host_steps = true;
  expect_ok(compile_for(double_text, &alone, &e));
  mr_executable_release(e);
  expect_ok(compile_for(power_text, &alone, &e));
  mr_executable_release(e);
}

static void test_steps_on_the_host_can_be_refused(void **state) {
  (void)state;
  mr_target alone = text_target;
  alone.host_steps = false;
  mr_executable *e = NULL;
  expect_words(compile_for(cholesky_text, &alone, &e), MR_UNIMPLEMENTED, "stablehlo.cholesky", "no code");
  expect_ok(compile_for(cholesky_text, &text_target, &e));
  mr_executable_release(e);
  alone.parameter_bytes = 48;  // room for two buffers
  expect_words(compile_for(sum_text, &alone, &e), MR_RESOURCE_EXHAUSTED, "add", "48");
  alone.host_steps = true;
  expect_ok(compile_for(sum_text, &alone, &e));
  mr_executable_release(e);
}

static const char table_text[] = "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                                 "  %t = stablehlo.constant dense<[1.0, 3.0, 2.0, 7.0]> : tensor<4xf32>\n"
                                 "  %s = stablehlo.add %a, %t : tensor<4xf32>\n"
                                 "  return %s : tensor<4xf32>\n"
                                 "}\n";

static mr_status add_table(mr_executable *e, mr_device *device, mr_buffer *a) {
  mr_buffer *result = NULL;
  mr_future *done = NULL;
  float got[4];
  mr_status status = mr_execute(e, device, NULL, &a, 1, &result, &done);
  status = status ? status : end_of(done);
  if (!status) {
    read_floats(result, got);
    assert_true(got[0] == 2 && got[1] == 5 && got[2] == 5 && got[3] == 11);
  } else if (result) {
    mr_buffer_release(result);
  }
  return status;
}

// A program whose constants did not come to the device fails, and brings them there when it runs again.
static void test_constants_are_brought_again(void **state) {
  (void)state;
  mr_platform *platform;
  expect_ok(mr_platform_create(&(mr_platform_options){.kinds = "faulty:cpu"}, &platform));
  mr_device *device = mr_platform_device(platform, 0);
  const float numbers[4] = {1, 2, 3, 4};
  mr_buffer *a = array(device, MR_F32, numbers, 1, (int64_t[]){4});
  expect_ok(mr_buffer_ready(a) ? end_of(mr_future_retain(mr_buffer_ready(a))) : MR_OK);
  static const char *const orders[] = {"copy_in:1", "copy_in:1:refuse"};
  for (size_t i = 0; i < MR_ARRAY_SIZE(orders); i++) {
    mr_executable *e;
    expect_ok(compile_for(table_text, NULL, &e));
    for (int tries = 0; tries < 2; tries++) {
      expect_ok(mr_faulty_set(device, mr_str_of(orders[i])));
      expect_words(add_table(e, device, a), MR_INTERNAL, "copy_in", "");
    }
    expect_ok(mr_faulty_set(device, mr_str_of("")));
    expect_ok(add_table(e, device, a));
    expect_ok(add_table(e, device, a));
    assert_int_equal(mr_faulty_count(device, "copy_in"), 1);
    mr_executable_release(e);
  }
  mr_buffer_release(a);
  mr_platform_release(platform);
}

// ---- With one -------------------------------------------------------------------------------------------------------

// NULL, and a word, where there is none.
static mr_platform *open_platform(const char *kinds) {
  mr_platform *platform = NULL;
  mr_status status = mr_platform_create(&(mr_platform_options){.kinds = kinds}, &platform);
  if (status) {
    print_message("no device of OpenCL's: skipped\n");
    mr_status_free(status);
  }
  return platform;
}

static void expect_close(const float *got, const float *wanted, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!(fabsf(got[i] - wanted[i]) <= 1e-4F * (1 + fabsf(wanted[i])))) {
      fail_msg("number %zu is %g, wanted %g", i, (double)got[i], (double)wanted[i]);
    }
  }
}

static void compare_devices(const char *memory) {
  static float wanted[COUNT + SIDE], got[COUNT + SIDE];
  setenv("MILLRACE_OPENCL_MEMORY", memory, 1);
  mr_platform *platform = open_platform("cpu,opencl:cpu");
  if (!platform) {
    return;
  }
  mr_device *cpu = mr_platform_device(platform, 0), *opencl = mr_platform_device(platform, 1);
  mr_executable *native, *text;
  expect_ok(compile_for(program_text, mr_device_target(cpu), &native));
  expect_ok(compile_for(program_text, mr_device_target(opencl), &text));
  expect_words(run_program(native, opencl, 1, got), MR_INVALID_ARGUMENT, "native code", "OpenCL C");
  expect_words(run_program(text, cpu, 1, got), MR_INVALID_ARGUMENT, "OpenCL C", "native code");
  expect_ok(mr_executable_load(text, opencl));
  for (int32_t rounds = 0; rounds < 4; rounds++) {
    expect_ok(run_program(native, cpu, rounds, wanted));
    expect_ok(run_program(text, opencl, rounds, got));
    expect_close(got, wanted, COUNT + SIDE);
  }
  mr_executable_release(native);
  mr_executable_release(text);
  expect_ok(compile_for(counting_text, mr_device_target(cpu), &native));
  expect_ok(compile_for(counting_text, mr_device_target(opencl), &text));
  expect_ok(run_program(native, cpu, 0, wanted));
  expect_ok(run_program(text, opencl, 0, got));
  assert_true(got[COUNT] == 1203);
  expect_close(got, wanted, COUNT + SIDE);
  mr_executable_release(native);
  mr_executable_release(text);
  mr_platform_give_up(platform);
  mr_platform_release(platform);
}

static void test_both_kinds_compute_alike(void **state) {
  (void)state;
  compare_devices("shared");
  compare_devices("buffers");
  unsetenv("MILLRACE_OPENCL_MEMORY");
}

// Whatever is in a queue when the next piece is refused is waited for, although nothing was to be told of it.
static void test_a_chain_that_breaks_ends(void **state) {
  (void)state;
  static float got[COUNT + SIDE];
  mr_platform *platform = open_platform("faulty:opencl:cpu");
  if (!platform) {
    return;
  }
  mr_device *device = mr_platform_device(platform, 0);
  mr_executable *text;
  expect_ok(compile_for(program_text, mr_device_target(device), &text));
  expect_ok(run_program(text, device, 2, got));
  static const char *const kinds[] = {"launch", "call", "copy"};
  for (size_t k = 0; k < MR_ARRAY_SIZE(kinds); k++) {
    for (int n = 1; n <= 6; n++) {
      char order[64];
      snprintf(order, sizeof order, "%s:%d:refuse", kinds[k], n);
      expect_ok(mr_faulty_set(device, mr_str_of(order)));
      mr_status status = run_program(text, device, 2, got);
      assert_true(!status || mr_status_code(status) == MR_INTERNAL);
      mr_status_free(status);
    }
  }
  expect_ok(mr_faulty_set(device, mr_str_of("")));
  expect_ok(run_program(text, device, 2, got));
  mr_executable_release(text);
  mr_platform_give_up(platform);
  mr_platform_release(platform);
}

typedef struct blocker {
  mr_task task;
  sem_t *begun, *goes_on;
} blocker;

static void block(mr_task *task) {
  const blocker *b = MR_CONTAINER_OF(task, blocker, task);
  sem_post(b->begun);
  sem_wait(b->goes_on);
}

// With all workers at other work, who sleeps for a result is woken all the same: by the thread that hears of its last kernel. What the
// execution holds is let go of when a worker is free. A device that is done before mr_execute() returns needs nobody to be woken: then
// it is done again.
static void test_a_sleeper_needs_no_worker(void **state) {
  (void)state;
  enum { MOST = 64 };
  static blocker blockers[MOST];
  mr_platform *platform = open_platform("opencl:cpu");
  if (!platform) {
    return;
  }
  mr_device *device = mr_platform_device(platform, 0);
  const float numbers[4] = {1, 2, 3, 4};
  float got[4];
  mr_buffer *a = array(device, MR_F32, numbers, 1, (int64_t[]){4}), *arguments[] = {a, a}, *result;
  mr_executable *text;
  mr_future *done;
  sem_t begun, goes_on;
  expect_ok(compile_for(sum_text, mr_device_target(device), &text));
  expect_ok(mr_executable_load(text, device));
  if (mr_buffer_ready(a)) {
    mr_future_wait(mr_buffer_ready(a));
  }
  sem_init(&begun, 0, 0);
  sem_init(&goes_on, 0, 0);
  uint32_t workers = mr_scheduler_worker_count(mr_platform_scheduler(platform));
  assert_true(workers <= MOST);
  for (uint32_t i = 0; i < workers; i++) {
    blockers[i] = (blocker){.task = {.run = block}, .begun = &begun, .goes_on = &goes_on};
    device->executor->ready(device->executor, &blockers[i].task, 0, false);
  }
  for (uint32_t i = 0; i < workers; i++) {
    sem_wait(&begun);
  }
  expect_ok(mr_execute(text, device, NULL, arguments, 2, &result, &done));
  for (int tries = 0; mr_future_is_set(done); tries++) {
    assert_true(tries < 10000);
    expect_ok(end_of(done));
    mr_buffer_release(result);
    expect_ok(mr_execute(text, device, NULL, arguments, 2, &result, &done));
  }
  assert_true(mr_future_sleep_until(mr_buffer_ready(result), mr_now_ns() + UINT64_C(60000000000)));
  assert_false(mr_future_is_set(done));
  for (uint32_t i = 0; i < workers; i++) {
    sem_post(&goes_on);
  }
  expect_ok(end_of(done));
  read_floats(result, got);
  for (int i = 0; i < 4; i++) {
    assert_true(got[i] == 2 * numbers[i]);
  }
  sem_destroy(&begun);
  sem_destroy(&goes_on);
  mr_buffer_release(a);
  mr_executable_release(text);
  mr_platform_give_up(platform);
  mr_platform_release(platform);
}

int main(void) {
  // Two devices of PoCL's, and its cache where it disturbs nobody.
  setenv("POCL_DEVICES", "pthread pthread", 0);
  mkdir(MR_BINARY_DIR "/pocl", 0777);
  setenv("POCL_CACHE_DIR", MR_BINARY_DIR "/pocl", 0);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_other_targets_are_other_programs),
      cmocka_unit_test(test_native_devices_refuse_text),
      cmocka_unit_test(test_constants_are_brought_again),
      cmocka_unit_test(test_steps_on_the_host_can_be_refused),
      cmocka_unit_test(test_devices_without_f64),
      cmocka_unit_test(test_both_kinds_compute_alike),
      cmocka_unit_test(test_a_chain_that_breaks_ends),
      cmocka_unit_test(test_a_sleeper_needs_no_worker),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
