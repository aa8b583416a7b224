// Plans as they run: loops with carried values, branches, donation, results that are arguments, failures.
#include <pthread.h>

#include "tests/compiler/execute_harness.h"

static const char swap_loop[] =
    "func.func @main(%n: tensor<i32>, %a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {\n"
    "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
    "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
    "  %r:3 = stablehlo.while(%i = %zero, %x = %a, %y = %b) : tensor<i32>, tensor<2xf32>, tensor<2xf32>\n"
    "  cond {\n"
    "    %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %c : tensor<i1>\n"
    "  } do {\n"
    "    %j = stablehlo.add %i, %one : tensor<i32>\n"
    "    stablehlo.return %j, %y, %x : tensor<i32>, tensor<2xf32>, tensor<2xf32>\n"
    "  }\n"
    "  return %r#1, %r#2 : tensor<2xf32>, tensor<2xf32>\n"
    "}\n";

// Carried values that change places each round are exchanged, not overwritten; the arguments stay as they were.
static void test_loop_swaps_carried_values(void **state) {
  (void)state;
  mr_executable *executable = compile(swap_loop);
  mr_buffer *arguments[3] = {NULL, floats((float[]){1, 2}, 2), floats((float[]){3, 4}, 2)};
  for (int32_t n = 0; n < 4; n++) {
    mr_buffer *results[2];
    arguments[0] = scalar_int(n);
    run(executable, arguments, 3, results);
    expect_floats(results[n % 2], (float[]){1, 2}, 2);
    expect_floats(results[1 - n % 2], (float[]){3, 4}, 2);
    release_all(results, 2);
    mr_buffer_release(arguments[0]);
  }
  expect_floats(arguments[1], (float[]){1, 2}, 2);
  release_all(arguments + 1, 2);
  mr_executable_release(executable);
}

static const char old_and_new_loop[] =
    "func.func @main(%n: tensor<i32>, %a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {\n"
    "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
    "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
    "  %k = stablehlo.constant dense<10.0> : tensor<1xf32>\n"
    "  %r:3 = stablehlo.while(%i = %zero, %x = %a, %last = %a) : tensor<i32>, tensor<4xf32>, tensor<4xf32>\n"
    "  cond {\n"
    "    %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %c : tensor<i1>\n"
    "  } do {\n"
    "    %j = stablehlo.add %i, %one : tensor<i32>\n"
    "    %u = stablehlo.dynamic_update_slice %x, %k, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> "
    "tensor<4xf32>\n"
    "    stablehlo.return %j, %u, %x : tensor<i32>, tensor<4xf32>, tensor<4xf32>\n"
    "  }\n"
    "  return %r#1, %r#2 : tensor<4xf32>, tensor<4xf32>\n"
    "}\n";

// An update in a loop must not touch the value of the round before while that is still needed.
static void test_loop_keeps_the_old_value(void **state) {
  (void)state;
  mr_executable *executable = compile(old_and_new_loop);
  mr_buffer *arguments[2] = {scalar_int(3), floats((float[]){1, 2, 3, 4}, 4)}, *results[2];
  run(executable, arguments, 2, results);
  expect_floats(results[0], (float[]){10, 10, 10, 4}, 4);
  expect_floats(results[1], (float[]){10, 10, 3, 4}, 4);
  expect_floats(arguments[1], (float[]){1, 2, 3, 4}, 4);
  release_all(results, 2);
  release_all(arguments, 2);
  mr_executable_release(executable);
}

static const char ending_loop[] =
    "func.func @main(%four: tensor<4xf32>) -> tensor<1xf32> {\n"
    "  %a = stablehlo.reshape %four : (tensor<4xf32>) -> tensor<2x2xf32>\n"
    "  %no = stablehlo.constant dense<false> : tensor<i1>\n"
    "  %limit = stablehlo.constant dense<1.5> : tensor<f32>\n"
    "  %r:2 = stablehlo.while(%done = %no, %x = %a) : tensor<i1>, tensor<2x2xf32>\n"
    "  cond {\n"
    "    %c = stablehlo.not %done : tensor<i1>\n"
    "    stablehlo.return %c : tensor<i1>\n"
    "  } do {\n"
    "    %l = stablehlo.cholesky %x, lower = true : tensor<2x2xf32>\n"
    "    %s = stablehlo.slice %l [0:1, 0:1] : (tensor<2x2xf32>) -> tensor<1x1xf32>\n"
    "    %v = stablehlo.reshape %s : (tensor<1x1xf32>) -> tensor<f32>\n"
    "    %d = stablehlo.compare LT, %v, %limit, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
    "    stablehlo.return %d, %l : tensor<i1>, tensor<2x2xf32>\n"
    "  }\n"
    "  %f = stablehlo.convert %r#0 : (tensor<i1>) -> tensor<f32>\n"
    "  %g = stablehlo.reshape %f : (tensor<f32>) -> tensor<1xf32>\n"
    "  return %g : tensor<1xf32>\n"
    "}\n";

// A condition does not overwrite the value it reads, which is the loop's result after the last round.
static void test_loop_ends_with_what_its_condition_read(void **state) {
  (void)state;
  mr_executable *executable = compile(ending_loop);
  mr_buffer *argument = floats((float[]){16, 0, 0, 16}, 4), *results[1];
  run(executable, &argument, 1, results);
  expect_floats(results[0], (float[]){1}, 1);
  release_all(results, 1);
  release_all(&argument, 1);
  mr_executable_release(executable);
}

static const char branches[] = "func.func @main(%i: tensor<i32>, %a: tensor<2xf32>) -> tensor<2xf32> {\n"
                               "  %0 = \"stablehlo.case\"(%i) ({\n"
                               "    stablehlo.return %a : tensor<2xf32>\n"
                               "  }, {\n"
                               "    %n = stablehlo.negate %a : tensor<2xf32>\n"
                               "    stablehlo.return %n : tensor<2xf32>\n"
                               "  }, {\n"
                               "    %d = stablehlo.add %a, %a : tensor<2xf32>\n"
                               "    stablehlo.return %d : tensor<2xf32>\n"
                               "  }) : (tensor<i32>) -> tensor<2xf32>\n"
                               "  return %0 : tensor<2xf32>\n"
                               "}\n";

// An index out of bounds runs the last branch; a branch may hand a captured value out.
static void test_case_clamps_to_the_last_branch(void **state) {
  (void)state;
  static const struct {
    int32_t index;
    float wanted[2];
  } cases[] = {{0, {1, 2}}, {1, {-1, -2}}, {2, {2, 4}}, {3, {2, 4}}, {-1, {2, 4}}};
  mr_executable *executable = compile(branches);
  mr_buffer *arguments[2] = {NULL, floats((float[]){1, 2}, 2)}, *result;
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    arguments[0] = scalar_int(cases[i].index);
    run(executable, arguments, 2, &result);
    expect_floats(result, cases[i].wanted, 2);
    mr_buffer_release(result);
    mr_buffer_release(arguments[0]);
  }
  mr_buffer_release(arguments[1]);
  mr_executable_release(executable);
}

static const char nested_branches[] =
    "func.func @main(%i: tensor<i32>, %j: tensor<i32>, %x: tensor<1xf32>, %u: tensor<1xf32>,\n"
    "    %v: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>) {\n"
    "  %0:2 = \"stablehlo.case\"(%i) ({\n"
    "    stablehlo.return %u, %u : tensor<1xf32>, tensor<1xf32>\n"
    "  }, {\n"
    "    %1:2 = \"stablehlo.case\"(%j) ({\n"
    "      stablehlo.return %x, %u : tensor<1xf32>, tensor<1xf32>\n"
    "    }, {\n"
    "      %n = stablehlo.negate %x : tensor<1xf32>\n"
    "      stablehlo.return %n, %v : tensor<1xf32>, tensor<1xf32>\n"
    "    }) : (tensor<i32>) -> (tensor<1xf32>, tensor<1xf32>)\n"
    "    stablehlo.return %1#0, %1#1 : tensor<1xf32>, tensor<1xf32>\n"
    "  }) : (tensor<i32>) -> (tensor<1xf32>, tensor<1xf32>)\n"
    "  return %0#0, %0#1 : tensor<1xf32>, tensor<1xf32>\n"
    "}\n";

// A value that an inner branch only moves has no type there, and may be moved with one that has a type outside.
static void test_branches_in_branches_move_values(void **state) {
  (void)state;
  static const struct {
    int32_t outer, inner;
    float wanted[2];
  } cases[] = {{0, 0, {5, 5}}, {1, 0, {3, 5}}, {1, 1, {-3, 7}}};
  mr_executable *executable = compile(nested_branches);
  mr_buffer *arguments[5] = {NULL, NULL}, *results[2];
  for (size_t i = 2; i < 5; i++) {
    arguments[i] = floats((float[]){(float)(2 * i - 1)}, 1);
  }
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    arguments[0] = scalar_int(cases[i].outer);
    arguments[1] = scalar_int(cases[i].inner);
    run(executable, arguments, 5, results);
    expect_floats(results[0], &cases[i].wanted[0], 1);
    expect_floats(results[1], &cases[i].wanted[1], 1);
    release_all(results, 2);
    release_all(arguments, 2);
  }
  release_all(arguments + 2, 3);
  mr_executable_release(executable);
}

static const char empty_constant[] = "func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<0x2xf32>) {\n"
                                     "  %e = stablehlo.constant dense<1.0> : tensor<0x2xf32>\n"
                                     "  %n = stablehlo.negate %a : tensor<2xf32>\n"
                                     "  return %n, %e : tensor<2xf32>, tensor<0x2xf32>\n"
                                     "}\n";

// A program whose only constants have no elements has no memory for constants.
static void test_constant_without_elements(void **state) {
  (void)state;
  mr_executable *executable = compile(empty_constant);
  mr_buffer *argument = floats((float[]){1, 2}, 2), *results[2];
  run(executable, &argument, 1, results);
  expect_floats(results[0], (float[]){-1, -2}, 2);
  expect_floats(results[1], NULL, 0);
  release_all(results, 2);
  mr_buffer_release(argument);
  mr_executable_release(executable);
}

static void *address(mr_buffer *buffer) {
  void *data = NULL;
  assert_true(mr_buffer_external_retain(buffer));
  expect_ok(mr_buffer_data(buffer, &data));
  mr_buffer_external_release(buffer);
  return data;
}

// A returned argument is a fresh buffer, and so is the second of two equal results.
static void test_results_do_not_share_memory(void **state) {
  (void)state;
  if (!memory->addressable) {
    skip();  // it looks at addresses
  }
  mr_executable *executable =
      compile("func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {\n"
              "  %n = stablehlo.negate %a : tensor<2xf32>\n"
              "  return %a, %n, %n : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>\n}\n");
  mr_buffer *argument = floats((float[]){1, 2}, 2), *results[3];
  run(executable, &argument, 1, results);
  expect_floats(results[0], (float[]){1, 2}, 2);
  expect_floats(results[1], (float[]){-1, -2}, 2);
  expect_floats(results[2], (float[]){-1, -2}, 2);
  assert_ptr_not_equal(address(results[0]), address(argument));
  assert_ptr_not_equal(address(results[1]), address(results[2]));
  release_all(results, 3);
  mr_buffer_release(argument);
  mr_executable_release(executable);
}

static const char donating[] =
    "func.func @main(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %s = stablehlo.add %a, %b : tensor<4xf32>\n"
    "  return %s : tensor<4xf32>\n}\n";

// A donated argument that nobody else holds becomes the result, in the same memory, and is gone.
static void test_donation_reuses_the_block(void **state) {
  (void)state;
  if (!memory->addressable) {
    skip();  // it looks at addresses
  }
  mr_executable *executable = compile(donating);
  mr_buffer *arguments[2] = {floats((float[]){1, 2, 3, 4}, 4), floats((float[]){1, 1, 1, 1}, 4)}, *result;
  void *before = address(arguments[0]);
  run(executable, arguments, 2, &result);
  assert_true(mr_buffer_is_deleted(arguments[0]));
  assert_ptr_equal(address(result), before);
  expect_floats(result, (float[]){2, 3, 4, 5}, 4);
  mr_buffer *again;
  mr_future *done;
  expect_code(mr_execute(executable, device, NULL, arguments, 2, &again, &done), MR_INVALID_ARGUMENT);
  mr_buffer_release(result);
  release_all(arguments, 2);
  mr_executable_release(executable);
}

// A donated argument that somebody still looks at is copied: what they see does not change. Likewise for memory that is a
// host's and may only be read, and for a donation that the caller forbids.
static void test_donation_spares_other_readers(void **state) {
  (void)state;
  if (!memory->addressable) {
    skip();  // it looks at addresses
  }
  _Alignas(64) static const float host_data[4] = {1, 2, 3, 4};
  mr_executable *executable = compile(donating);
  mr_buffer *b = floats((float[]){1, 1, 1, 1}, 4);
  for (int way = 0; way < 3; way++) {
    const int64_t count = 4, except[] = {INT64_MIN, 0, 2, INT64_MAX};
    mr_buffer *a = NULL, *result = NULL;
    mr_host_array host = {.data = host_data, .dtype = MR_F32, .dims = &count, .rank = 1};
    expect_ok(mr_buffer_from_host(memory, &host, way == 0 ? MR_HOST_IMMUTABLE_ZERO_COPY : MR_HOST_ONLY_DURING_CALL,
                                  NULL, NULL, &a));
    float *seen = address(a);
    if (way == 1) {
      assert_true(mr_buffer_external_retain(a));
    }
    bool donates[2];
    mr_executable_donates_except(executable, except, way == 2 ? MR_ARRAY_SIZE(except) : 0, donates);
    mr_execute_options options = {.donates = donates};
    mr_future *done = NULL;
    expect_ok(mr_execute(executable, device, &options, (mr_buffer *[]){a, b}, 2, &result, &done));
    wait_for(done);
    expect_floats(result, (float[]){2, 3, 4, 5}, 4);
    assert_int_equal(mr_buffer_is_deleted(a), way != 2);
    if (way < 2) {
      assert_memory_equal(seen, host_data, sizeof host_data);
    } else {
      expect_floats(a, host_data, 4);
    }
    if (way == 1) {
      mr_buffer_external_release(a);
    }
    mr_buffer_release(result);
    mr_buffer_release(a);
  }
  mr_buffer_release(b);
  mr_executable_release(executable);
}

// The same buffer as a donated and as an ordinary argument works; donated twice it is refused and stays alive.
static void test_one_buffer_for_two_arguments(void **state) {
  (void)state;
  mr_executable *executable = compile(donating);
  mr_buffer *a = floats((float[]){1, 2, 3, 4}, 4), *result;
  run(executable, (mr_buffer *[]){a, a}, 2, &result);
  expect_floats(result, (float[]){2, 4, 6, 8}, 4);
  mr_buffer_release(result);
  mr_buffer_release(a);
  mr_executable_release(executable);
  executable =
      compile("func.func @main(%a: tensor<2xf32> {jax.buffer_donor = true}, %b: tensor<2xf32> {jax.buffer_donor = "
              "true}) -> tensor<2xf32> {\n  %s = stablehlo.add %a, %b : tensor<2xf32>\n  return %s : "
              "tensor<2xf32>\n}\n");
  a = floats((float[]){1, 2}, 2);
  mr_future *done;
  expect_code(mr_execute(executable, device, NULL, (mr_buffer *[]){a, a}, 2, &result, &done), MR_INVALID_ARGUMENT);
  assert_false(mr_buffer_is_deleted(a));
  expect_floats(a, (float[]){1, 2}, 2);
  mr_buffer_release(a);
  mr_executable_release(executable);
}

// Wrong counts, shapes and types are named; nothing runs.
static void test_arguments_are_checked(void **state) {
  (void)state;
  mr_executable *executable = compile(donating);
  mr_buffer *two = floats((float[]){1, 2}, 2), *four = floats((float[]){1, 2, 3, 4}, 4), *result;
  mr_future *done;
  expect_code(mr_execute(executable, device, NULL, &four, 1, &result, &done), MR_INVALID_ARGUMENT);
  mr_status status = mr_execute(executable, device, NULL, (mr_buffer *[]){four, two}, 2, &result, &done);
  assert_non_null(strstr(mr_status_message(status), "argument 1 is"));
  assert_non_null(strstr(mr_status_message(status), "wanted"));
  expect_code(status, MR_INVALID_ARGUMENT);
  assert_false(mr_buffer_is_deleted(four));
  release_all((mr_buffer *[]){two, four}, 2);
  mr_executable_release(executable);
}

// Results of a program whose argument failed fail with the same error, and so do results of those.
static void test_failed_arguments_poison_results(void **state) {
  (void)state;
  mr_executable *executable = compile("func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
                                      "  %n = stablehlo.negate %a : tensor<2xf32>\n  return %n : tensor<2xf32>\n}\n");
  int64_t count = 2;
  mr_future *ready = NULL, *done = NULL;
  mr_buffer *argument = NULL, *first = NULL, *second = NULL;
  expect_ok(mr_future_create(&ready));
  expect_ok(mr_buffer_create(memory, MR_F32, &count, 1, NULL, mr_future_retain(ready), &argument));
  expect_ok(mr_execute(executable, device, NULL, &argument, 1, &first, &done));
  mr_future_release(done);
  expect_ok(mr_execute(executable, device, NULL, &first, 1, &second, &done));
  assert_false(mr_buffer_is_ready_now(second));
  mr_future_set(ready, mr_error(MR_DATA_LOSS, "gone"));
  mr_future_wait(done);
  assert_int_equal(mr_status_code(mr_future_status(done)), MR_DATA_LOSS);
  assert_int_equal(mr_status_code(mr_future_status(mr_buffer_ready(second))), MR_DATA_LOSS);
  mr_future_release(done);
  mr_future_release(ready);
  release_all((mr_buffer *[]){argument, first, second}, 3);
  mr_executable_release(executable);
}

static const char heavy[] =
    "func.func @main(%a: tensor<300x300xf32>) -> tensor<300x300xf32> {\n"
    "  %d = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<300x300xf32>, tensor<300x300xf32>) -> "
    "tensor<300x300xf32>\n"
    "  %e = stablehlo.dot_general %d, %a, contracting_dims = [1] x [0] : (tensor<300x300xf32>, tensor<300x300xf32>) -> "
    "tensor<300x300xf32>\n"
    "  return %e : tensor<300x300xf32>\n}\n";

typedef struct crowd {
  mr_executable *executable;
  mr_buffer *argument;
  const float *wanted;
} crowd;

static void *run_chain(void *arg) {
  crowd *c = arg;
  static const int64_t rounds = 6;
  for (int64_t i = 0; i < rounds; i++) {
    mr_buffer *results[3];
    mr_future *done = NULL, *copied = NULL;
    float *got = malloc(300 * 300 * sizeof *got);
    expect_ok(mr_execute(c->executable, device, NULL, &c->argument, 1, &results[0], &done));
    wait_for(done);
    expect_ok(mr_execute(c->executable, device, NULL, &results[0], 1, &results[1], &done));
    mr_buffer_release(results[0]);  // the queued execution keeps it
    if (done) {
      mr_future_release(done);
    }
    expect_ok(mr_buffer_to_host(results[1], got, NULL, &copied));
    wait_for(copied);
    assert_memory_equal(got, c->wanted, 300 * 300 * sizeof *got);
    mr_buffer_release(results[1]);
    free(got);
  }
  return NULL;
}

// One executable run from several threads at once, in chains of pending results, gives everyone the same.
static void test_many_threads_run_one_executable(void **state) {
  (void)state;
  float *data = malloc(300 * 300 * sizeof *data);
  for (int i = 0; i < 300 * 300; i++) {
    data[i] = i % 301 == 0 ? 1.0f : 0.0f;  // the identity: products are exact
  }
  int64_t dims[2] = {300, 300};
  mr_host_array host = {.data = data, .dtype = MR_F32, .dims = dims, .rank = 2};
  crowd c = {.executable = compile(heavy), .wanted = data};
  expect_ok(mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &c.argument));
  pthread_t threads[3];
  for (size_t t = 0; t < MR_ARRAY_SIZE(threads); t++) {
    assert_int_equal(pthread_create(&threads[t], NULL, run_chain, &c), 0);
  }
  for (size_t t = 0; t < MR_ARRAY_SIZE(threads); t++) {
    pthread_join(threads[t], NULL);
  }
  mr_buffer_release(c.argument);
  mr_executable_release(c.executable);
  free(data);
}

// When the nth allocation of a call fails, the call says so, or its future does, and nothing is lost; n grows until it succeeds.
static void test_allocation_failures_in_execute(void **state) {
  (void)state;
  mr_executable *executable = compile(old_and_new_loop);
  mr_buffer *arguments[2] = {scalar_int(3), floats((float[]){1, 2, 3, 4}, 4)}, *results[2];
  mr_status status = MR_OK;
  uint64_t n = 0;
  do {
    mr_future *done = NULL;
    mr_alloc_fail_nth(++n);
    status = mr_execute(executable, device, NULL, arguments, 2, results, &done);
    if (status) {
      assert_null(results[0]);
      assert_null(results[1]);
    } else if (done) {
      mr_future_wait(done);
      status = mr_status_retain(mr_future_status(done));
      release_all(results, status ? 2 : 0);
      mr_future_release(done);
    }
    mr_alloc_fail_nth(0);
    if (status) {
      expect_code(status, MR_RESOURCE_EXHAUSTED);
    }
  } while (status && n < 1000);
  assert_null(status);
  expect_floats(results[1], (float[]){10, 10, 3, 4}, 4);
  release_all(results, 2);
  release_all(arguments, 2);
  mr_executable_release(executable);
}

// What is not there yet is refused by name when the program is compiled.
static void test_unimplemented_names_itself(void **state) {
  (void)state;
  static const char text[] = "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
                             "  %0 = stablehlo.custom_call @nobody_has_this(%a) : (tensor<2xf32>) -> tensor<2xf32>\n"
                             "  return %0 : tensor<2xf32>\n}\n";
  mr_executable *executable = NULL;
  mr_status status = mr_compile((mr_span){text, sizeof text - 1}, NULL, &executable);
  assert_null(executable);
  assert_non_null(strstr(mr_status_message(status), "nobody_has_this"));
  expect_code(status, MR_UNIMPLEMENTED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_loop_swaps_carried_values),
      cmocka_unit_test(test_loop_keeps_the_old_value),
      cmocka_unit_test(test_loop_ends_with_what_its_condition_read),
      cmocka_unit_test(test_case_clamps_to_the_last_branch),
      cmocka_unit_test(test_branches_in_branches_move_values),
      cmocka_unit_test(test_constant_without_elements),
      cmocka_unit_test(test_results_do_not_share_memory),
      cmocka_unit_test(test_donation_reuses_the_block),
      cmocka_unit_test(test_donation_spares_other_readers),
      cmocka_unit_test(test_one_buffer_for_two_arguments),
      cmocka_unit_test(test_arguments_are_checked),
      cmocka_unit_test(test_failed_arguments_poison_results),
      cmocka_unit_test(test_many_threads_run_one_executable),
      cmocka_unit_test(test_allocation_failures_in_execute),
      cmocka_unit_test(test_unimplemented_names_itself),
  };
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
