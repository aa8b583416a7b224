// mr_execute_options.here: the call returns when the program has called the host for the last time, what follows may still run, and what
// fails until then has ended the execution.
#include <pthread.h>
#include <semaphore.h>

#include "compiler/ir/ir.h"
#include "ops/library/library.h"
#include "tests/compiler/execute_harness.h"

// What "wait" waits for, as many at once as there are calls; and how often the host was called.
static sem_t gate;
static _Atomic(int) host_calls;

static mr_status call_host(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  (void)call, (void)scratch, (void)group;
  const float *from = buffers[0];
  atomic_fetch_add(&host_calls, 1);
  memcpy(buffers[1], from, 4 * sizeof *from);
  return from[0] == 13 ? mr_error(MR_DATA_LOSS, "thirteen") : MR_OK;
}

// Takes ten milliseconds, as it says, and as long as the gate is closed.
static mr_status wait_at_gate(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  (void)call, (void)scratch, (void)group;
  while (sem_wait(&gate)) {
    continue;
  }
  memcpy(buffers[1], buffers[0], 4 * sizeof(float));
  return MR_OK;
}

// Ends at once, and is one that could end later: the program's steps are a strand.
static mr_status start_host(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group,
                            mr_future **out_done) {
  *out_done = NULL;
  return call_host(call, buffers, scratch, group);
}

static void keep_call(mr_library_call *call) { (void)call; }

static mr_library_call the_host = {.run = call_host, .destroy = keep_call, .calls_host = true, .name = "host"};
static mr_library_call the_starter = {
    .run = call_host, .start = start_host, .destroy = keep_call, .calls_host = true, .name = "starter"};
static mr_library_call the_wait = {.run = wait_at_gate, .destroy = keep_call, .cost_ns = 10000000, .name = "wait"};

static mr_status make_call(const struct mr_op *op, mr_library_call **out_call) {
  mr_str name = mr_op_string(op, MR_ATTR_call_target_name);
  *out_call = mr_str_is(name, "host")      ? &the_host
              : mr_str_is(name, "starter") ? &the_starter
              : mr_str_is(name, "wait")    ? &the_wait
                                           : NULL;
  return MR_OK;
}

static int open_calls(void **state) {
  mr_set_custom_call_maker(make_call);
  assert_int_equal(sem_init(&gate, 0, 0), 0);
  return open_platform(state);
}

#define CALL(to, from, name) \
  "  " to " = stablehlo.custom_call @" name "(" from ") {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>\n"
#define PROGRAM(first)                                                              \
  "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n" CALL("%b", "%a", first) \
      CALL("%c", "%b", "wait") "  return %c : tensor<4xf32>\n}\n"

static const char *const programs[] = {PROGRAM("host"), PROGRAM("starter")};
enum { PROGRAMS = 2 };
static const float four[4] = {1, 2, 3, 4};

static mr_status begin(mr_executable *executable, mr_buffer *argument, mr_buffer **out_result, mr_future **out_done) {
  return mr_execute(executable, device, &(mr_execute_options){.here = true}, &argument, 1, out_result, out_done);
}

static void test_what_follows_still_runs(void **state) {
  (void)state;
  for (int p = 0; p < PROGRAMS; p++) {
    mr_executable *executable = compile(programs[p]);
    for (int round = 0; round < 20; round++) {
      mr_buffer *argument = floats(four, 4), *result = NULL;
      mr_future *done = NULL;
      int before = atomic_load(&host_calls);
      expect_ok(begin(executable, argument, &result, &done));
      assert_int_equal(atomic_load(&host_calls), before + 1);
      assert_non_null(done);
      assert_false(mr_future_is_set(done));
      mr_buffer_release(argument);  // the execution has its own hold
      sem_post(&gate);
      mr_future_wait(done);
      assert_null(mr_future_status(done));
      expect_floats(result, four, 4);
      mr_future_release(done);
      mr_buffer_release(result);
    }
    mr_executable_release(executable);
  }
}

static void test_an_error_has_ended_it(void **state) {
  (void)state;
  for (int p = 0; p < PROGRAMS; p++) {
    mr_executable *executable = compile(programs[p]);
    for (int round = 0; round < 20; round++) {
      mr_buffer *argument = floats((float[]){13, 2, 3, 4}, 4), *result = NULL;
      mr_future *done = NULL;
      expect_ok(begin(executable, argument, &result, &done));
      assert_true(mr_future_is_set(done));
      assert_int_equal(mr_status_code(mr_future_status(done)), MR_DATA_LOSS);
      mr_future_release(done);
      mr_buffer_release(result);
      mr_buffer_release(argument);
    }
    mr_executable_release(executable);
  }
}

// Whatever cannot be allocated, the call returns, with an error or with what says how the execution ends.
static void test_each_allocation_fails(void **state) {
  (void)state;
  for (int p = 0; p < PROGRAMS; p++) {
    mr_executable *executable = compile(programs[p]);
    uint64_t refused = 0;
    for (uint64_t nth = 1, made = UINT64_MAX; made >= nth; nth++) {
      mr_buffer *argument = floats(four, 4), *result = NULL;
      mr_future *done = NULL;
      sem_post(&gate);
      mr_alloc_fail_nth(nth);
      mr_status status = begin(executable, argument, &result, &done);
      if (!status && done) {
        mr_future_wait(done);
        status = mr_status_retain(mr_future_status(done));
      }
      made = mr_alloc_fail_nth(0);
      if (status) {
        expect_code(status, MR_RESOURCE_EXHAUSTED);
        refused++;
      }
      sem_trywait(&gate);  // nobody has come to it
      mr_future_release(done);
      mr_buffer_release(result);
      mr_buffer_release(argument);
    }
#ifdef NDEBUG
    (void)refused;  // all are parts of blocks that are there, which fail in builds with asserts alone
#else
    expect_several(refused);
#endif
    mr_executable_release(executable);
  }
}

// ---- Threads ----------------------------------------------------------------------------------------------------------

enum { THREADS = 4, ROUNDS = 50 };

static void *call_again_and_again(void *argument) {
  mr_executable *executable = argument;
  for (int round = 0; round < ROUNDS; round++) {
    mr_buffer *given = floats(four, 4), *result = NULL;
    mr_future *done = NULL;
    expect_ok(begin(executable, given, &result, &done));
    sem_post(&gate);
    mr_buffer_release(given);
    wait_for(done);
    expect_floats(result, four, 4);
    mr_buffer_release(result);
  }
  return NULL;
}

static void test_threads_call_at_once(void **state) {
  (void)state;
  for (int p = 0; p < PROGRAMS; p++) {
    mr_executable *executable = compile(programs[p]);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
      assert_int_equal(pthread_create(&threads[i], NULL, call_again_and_again, executable), 0);
    }
    for (int i = 0; i < THREADS; i++) {
      pthread_join(threads[i], NULL);
    }
    mr_executable_release(executable);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_what_follows_still_runs), cmocka_unit_test(test_an_error_has_ended_it),
      cmocka_unit_test(test_each_allocation_fails), cmocka_unit_test(test_threads_call_at_once)};
  return cmocka_run_group_tests(tests, open_calls, close_platform);
}
