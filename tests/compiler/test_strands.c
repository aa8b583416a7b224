// Runs that wait without a thread: calls that end later, alone, in loops and in branches, and sequences as graphs.
#include "tests/compiler/strands.h"
#include "tests/gone.h"

static int open_all(void **state) {
  mr_set_custom_call_maker(make_slow_call);
  return open_platform(state);
}

#define SLOW(to, from) "  %" to " = stablehlo.custom_call @slow(%" from ") : (tensor<2xf32>) -> tensor<2xf32>\n"

static const char chain[] = "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n" SLOW(
    "b", "a") "  %c = stablehlo.add %b, %b : tensor<2xf32>\n" SLOW("d", "c") "  return %d : tensor<2xf32>\n}\n";

static const char loop[] =
    "func.func @main(%n: tensor<i32>, %a: tensor<2xf32>) -> tensor<2xf32> {\n"
    "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
    "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
    "  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<2xf32>\n"
    "  cond {\n"
    "    %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %c : tensor<i1>\n"
    "  } do {\n"
    "    %j = stablehlo.add %i, %one : tensor<i32>\n"
    "    %s:2 = stablehlo.while(%k = %zero, %y = %x) : tensor<i32>, tensor<2xf32>\n"
    "    cond {\n"
    "      %c = stablehlo.compare LT, %k, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "      stablehlo.return %c : tensor<i1>\n"
    "    } do {\n"
    "      %l = stablehlo.add %k, %one : tensor<i32>\n" SLOW(
        "z", "y") "      stablehlo.return %l, %z : tensor<i32>, tensor<2xf32>\n"
                  "    }\n"
                  "    stablehlo.return %j, %s#1 : tensor<i32>, tensor<2xf32>\n"
                  "  }\n"
                  "  return %r#1 : tensor<2xf32>\n"
                  "}\n";

static const char branches[] =
    "func.func @main(%i: tensor<i32>, %a: tensor<2xf32>) -> tensor<2xf32> {\n"
    "  %0 = \"stablehlo.case\"(%i) ({\n"
    "    stablehlo.return %a : tensor<2xf32>\n"
    "  }, {\n" SLOW("b", "a")
        SLOW("c", "b") "    stablehlo.return %c : tensor<2xf32>\n"
                       "  }) : (tensor<i32>) -> tensor<2xf32>\n"
                       "  %1 = stablehlo.add %0, %0 : tensor<2xf32>\n" SLOW("d", "1") "  return %d : tensor<2xf32>\n"
                                                                                      "}\n";

// Four calls that do not depend on one another, two of them in a loop's rounds, and what joins them.
static const char wide[] =
    "func.func @main(%n: tensor<i32>, %a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {\n"
    "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
    "  %one = stablehlo.constant dense<1> : tensor<i32>\n" SLOW(
        "b", "a") "  %m = stablehlo.negate %a : tensor<2xf32>\n" SLOW("c",
                                                                      "m") "  %r:3 = stablehlo.while(%i = %zero, %x = "
                                                                           "%a, %y = %a) : tensor<i32>, tensor<2xf32>, "
                                                                           "tensor<2xf32>\n"
                                                                           "  cond {\n"
                                                                           "    %more = stablehlo.compare LT, %i, %n, "
                                                                           "SIGNED : (tensor<i32>, tensor<i32>) -> "
                                                                           "tensor<i1>\n"
                                                                           "    stablehlo.return %more : tensor<i1>\n"
                                                                           "  } do {\n"
                                                                           "    %j = stablehlo.add %i, %one : "
                                                                           "tensor<i32>\n" SLOW("u", "x") SLOW(
                                                                               "v",
                                                                               "y") "    %w = stablehlo.add %v, %v : "
                                                                                    "tensor<2xf32>\n"
                                                                                    "    stablehlo.return %j, %u, %w : "
                                                                                    "tensor<i32>, tensor<2xf32>, "
                                                                                    "tensor<2xf32>\n"
                                                                                    "  }\n"
                                                                                    "  %s = stablehlo.add %b, %r#1 : "
                                                                                    "tensor<2xf32>\n"
                                                                                    "  %t = stablehlo.add %c, %r#2 : "
                                                                                    "tensor<2xf32>\n"
                                                                                    "  return %s, %t : tensor<2xf32>, "
                                                                                    "tensor<2xf32>\n"
                                                                                    "}\n";

// Lets all calls end, one after another, until the execution is over.
static void drive(mr_future *take_done) {
  while (take_done && !mr_future_is_set(take_done)) {
    if (!let_one_end(MR_OK)) {
      sched_yield();
    }
  }
  mr_future_release(take_done);
}

static mr_status drive_and_ask(mr_future *take_done) {
  mr_future *done = mr_future_retain(take_done);
  drive(take_done);
  mr_status status = mr_status_retain(mr_future_status(done));
  mr_future_release(done);
  return status;
}

// The call returns while a step is waited for, and the rest runs when that is over.
static void test_a_call_that_ends_later(void **state) {
  (void)state;
  mr_executable *executable = compile(chain);
  mr_buffer *argument = floats((float[]){1, 2}, 2), *result;
  mr_future *done = NULL;
  expect_ok(mr_execute(executable, device, NULL, &argument, 1, &result, &done));
  assert_non_null(done);
  until_waiting(1);
  assert_false(mr_future_is_set(done));
  assert_true(let_one_end(MR_OK));
  drive(done);
  expect_floats(result, (float[]){5, 7}, 2);
  mr_buffer_release(result);
  mr_buffer_release(argument);
  mr_executable_release(executable);
}

// Loops keep their place, also one in another.
static void test_loops_keep_their_place(void **state) {
  (void)state;
  mr_executable *executable = compile(loop);
  for (int32_t n = 0; n < 8; n++) {
    mr_buffer *arguments[2] = {scalar_int(n), floats((float[]){0, 100}, 2)}, *result;
    for (int at_once = 0; at_once < 2; at_once++) {
      mr_future *done = NULL;
      calls_end_at_once = at_once;
      expect_ok(mr_execute(executable, device, NULL, arguments, 2, &result, &done));
      drive(done);
      float rounds = (float)(n * (n - 1) / 2);
      expect_floats(result, (float[]){rounds, 100 + rounds}, 2);
      mr_buffer_release(result);
    }
    calls_end_at_once = false;
    release_all(arguments, 2);
  }
  mr_executable_release(executable);
}

static void test_branches_keep_their_place(void **state) {
  (void)state;
  mr_executable *executable = compile(branches);
  for (int32_t i = 0; i < 2; i++) {
    mr_buffer *arguments[2] = {scalar_int(i), floats((float[]){1, 2}, 2)}, *result;
    mr_future *done = NULL;
    expect_ok(mr_execute(executable, device, NULL, arguments, 2, &result, &done));
    drive(done);
    expect_floats(result, i ? (float[]){7, 9} : (float[]){3, 5}, 2);
    mr_buffer_release(result);
    release_all(arguments, 2);
  }
  mr_executable_release(executable);
}

// What a step comes to is what the execution comes to, whether it is refused or fails later, and all is let go of.
static void test_a_step_that_fails(void **state) {
  (void)state;
  mr_executable *executable = compile(chain);
  mr_buffer *argument = floats((float[]){1, 2}, 2), *result;
  for (int refused = 0; refused < 2; refused++) {
    mr_future *done = NULL;
    calls_fail = refused;
    expect_ok(mr_execute(executable, device, NULL, &argument, 1, &result, &done));
    if (!refused) {
      until_waiting(1);
      assert_true(let_one_end(mr_error(MR_DATA_LOSS, "lost on the way")));
    }
    expect_code(drive_and_ask(done), MR_DATA_LOSS);
    calls_fail = false;
    mr_buffer_release(result);
  }
  mr_buffer_release(argument);
  mr_executable_release(executable);
}

// An execution that is cancelled while a step is waited for runs no other step.
static void test_cancelled_while_it_waits(void **state) {
  (void)state;
  mr_executable *executable = compile(chain);
  mr_buffer *argument = floats((float[]){1, 2}, 2), *result;
  mr_future *done = NULL;
  uint32_t before = atomic_load(&calls_begun);
  expect_ok(mr_execute(executable, device, NULL, &argument, 1, &result, &done));
  until_waiting(1);
  mr_node_cancel(mr_node_of_done(done), mr_error(MR_CANCELLED, "not wanted any more"));
  expect_code(drive_and_ask(done), MR_CANCELLED);
  assert_int_equal(atomic_load(&calls_begun) - before, 1);
  mr_buffer_release(result);
  mr_buffer_release(argument);
  mr_executable_release(executable);
}

// ---- Graphs -----------------------------------------------------------------------------------------------------------

// Independent calls are all begun before any of them is over, and loops whose bodies are graphs come round.
static void test_a_graph_overlaps(void **state) {
  (void)state;
  mr_executable *executable = compile(wide);
  cut_into_strands(executable);
  for (int32_t n = 0; n < 20; n++) {
    mr_buffer *arguments[2] = {scalar_int(n), floats((float[]){0, 1}, 2)}, *results[2];
    mr_future *done = NULL;
    expect_ok(mr_execute(executable, device, NULL, arguments, 2, results, &done));
    until_waiting(n ? 4 : 2);
    drive(done);
    float y[2] = {0, 1};
    for (int32_t i = 0; i < n; i++) {
      y[0] = 2 * (y[0] + 1);
      y[1] = 2 * (y[1] + 1);
    }
    expect_floats(results[0], (float[]){1 + (float)n, 3 + (float)n}, 2);
    expect_floats(results[1], (float[]){1 + y[0], y[1]}, 2);
    release_all(results, 2);
    release_all(arguments, 2);
  }
  mr_executable_release(executable);
}

// One strand fails while others wait: all end, with its status.
static void test_a_strand_that_fails(void **state) {
  (void)state;
  mr_executable *executable = compile(wide);
  cut_into_strands(executable);
  for (uint32_t at = 0; at < 12; at++) {
    mr_buffer *arguments[2] = {scalar_int(3), floats((float[]){0, 1}, 2)}, *results[2];
    mr_future *done = NULL;
    expect_ok(mr_execute(executable, device, NULL, arguments, 2, results, &done));
    uint32_t ended = 0;
    while (!mr_future_is_set(done) && ended < at) {
      ended += let_one_end(MR_OK);
    }
    while (ended < 8 && !let_one_end(mr_error(MR_DATA_LOSS, "lost on the way"))) {
      sched_yield();
    }
    mr_status status = drive_and_ask(done);
    mr_code wanted = at < 8 ? MR_DATA_LOSS : (mr_code)0;
    assert_int_equal(mr_status_code(status), wanted);
    mr_status_free(status);
    release_all(results, 2);
    release_all(arguments, 2);
  }
  mr_executable_release(executable);
}

// A thread that ends calls as they come.
typedef struct ender {
  _Atomic bool stop;
} ender;

static void *end_calls(void *context) {
  ender *self = context;
  while (!atomic_load(&self->stop)) {
    if (!let_one_end(MR_OK)) {
      sched_yield();
    }
  }
  return NULL;
}

// Many executions at once, whose calls end on other threads while they are begun.
static void test_many_at_once(void **state) {
  (void)state;
  enum { AT_ONCE = 16, ROUNDS = 30, THREADS = 2 };
  mr_executable *executable = compile(wide);
  cut_into_strands(executable);
  ender end = {false};
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    pthread_create(&threads[i], NULL, end_calls, &end);
  }
  mr_buffer *arguments[2] = {scalar_int(5), floats((float[]){0, 1}, 2)};
  for (int round = 0; round < ROUNDS; round++) {
    mr_buffer *results[AT_ONCE][2];
    mr_future *done[AT_ONCE];
    for (int i = 0; i < AT_ONCE; i++) {
      expect_ok(mr_execute(executable, device, NULL, arguments, 2, results[i], &done[i]));
    }
    for (int i = 0; i < AT_ONCE; i++) {
      wait_for(done[i]);
      expect_floats(results[i][0], (float[]){6, 8}, 2);
      expect_floats(results[i][1], (float[]){63, 94}, 2);
      release_all(results[i], 2);
    }
  }
  atomic_store(&end.stop, true);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  release_all(arguments, 2);
  mr_executable_release(executable);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_call_that_ends_later),    cmocka_unit_test(test_loops_keep_their_place),
      cmocka_unit_test(test_branches_keep_their_place), cmocka_unit_test(test_a_step_that_fails),
      cmocka_unit_test(test_cancelled_while_it_waits),  cmocka_unit_test(test_a_graph_overlaps),
      cmocka_unit_test(test_a_strand_that_fails),       cmocka_unit_test(test_many_at_once),
  };
  return cmocka_run_group_tests(tests, open_all, close_platform);
}
