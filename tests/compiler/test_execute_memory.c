// Plan runs without memory: whichever allocation fails, on the calling thread or on a worker, what was asked for ends with
// a status, and everything that was taken is given back.
#include <time.h>

#include "core/census.h"
#include "tests/compiler/execute_harness.h"

enum { SIDE = 300, COUNT = SIDE * SIDE };

static const int64_t dims[2] = {SIDE, SIDE};

static mr_buffer *filled(float value) {
  float *data = malloc(COUNT * sizeof *data);
  for (int i = 0; i < COUNT; i++) {
    data[i] = value;
  }
  mr_buffer *buffer = NULL;
  mr_host_array host = {.data = data, .dtype = MR_F32, .dims = dims, .rank = 2};
  expect_ok(mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &buffer));
  free(data);
  return buffer;
}

// A product, which has scratch memory, a loop around a sort, which is not part of one kernel, and a donated parameter.
static const char program[] =
    "func.func @main(%a: tensor<300x300xf32>, %b: tensor<300x300xf32> {tf.aliasing_output = 0 : i32}) -> "
    "tensor<300x300xf32> {\n"
    "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
    "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
    "  %two = stablehlo.constant dense<2> : tensor<i32>\n"
    "  %r:2 = stablehlo.while(%i = %zero, %x = %b) : tensor<i32>, tensor<300x300xf32>\n"
    "  cond {\n"
    "    %c = stablehlo.compare LT, %i, %two, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %c : tensor<i1>\n"
    "  } do {\n"
    "    %j = stablehlo.add %i, %one : tensor<i32>\n"
    "    %d = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<300x300xf32>, tensor<300x300xf32>) "
    "-> "
    "tensor<300x300xf32>\n"
    "    %m = stablehlo.add %d, %x : tensor<300x300xf32>\n"
    "    stablehlo.return %j, %m : tensor<i32>, tensor<300x300xf32>\n"
    "  }\n"
    "  return %r#1 : tensor<300x300xf32>\n}\n";

// Two executions and a copy, each waiting for the one before, the first for `gate`.
typedef struct attempt {
  mr_buffer *pending, *donated, *results[2];
  mr_future *gate, *done[3];
  mr_storage *content;
  float *host;
} attempt;

static void prepare(attempt *a) {
  *a = (attempt){.donated = filled(1), .host = malloc(COUNT * sizeof(float))};
  expect_ok(mr_future_create(&a->gate));
  expect_ok(mr_buffer_create(memory, MR_F32, dims, 2, NULL, mr_future_retain(a->gate), &a->pending));
  expect_ok(mr_storage_allocate(memory, COUNT * sizeof(float), &a->content));
  memset(a->content->data, 0, COUNT * sizeof(float));  // so that each product is zero and the sums stay what they were
}

static mr_status start(attempt *a, mr_executable *executable) {
  MR_TRY(mr_execute(executable, device, NULL, (mr_buffer *[]){a->pending, a->donated}, 2, &a->results[0], &a->done[0]));
  MR_TRY(
      mr_execute(executable, device, NULL, (mr_buffer *[]){a->pending, a->results[0]}, 2, &a->results[1], &a->done[1]));
  return mr_buffer_to_host(a->results[1], a->host, NULL, &a->done[2]);
}

// The first error of all there was to wait for.
static mr_status finish(attempt *a, mr_status status) {
  mr_buffer_define(a->pending, a->content);
  mr_future_set(a->gate, MR_OK);
  for (int i = 0; i < 3; i++) {
    if (!a->done[i]) {
      continue;
    }
    mr_future_wait(a->done[i]);
    status = mr_status_join(status, mr_status_retain(mr_future_status(a->done[i])));
  }
  return status;
}

static void clean_up(attempt *a) {
  for (int i = 0; i < 3; i++) {
    mr_future_release(a->done[i]);
  }
  mr_buffer_release(a->results[0]);
  mr_buffer_release(a->results[1]);
  mr_buffer_release(a->pending);
  mr_buffer_release(a->donated);
  mr_future_release(a->gate);
  free(a->host);
}

// A worker lets go of a node a moment after the node's end was told.
static void expect_in_use(uint64_t bytes) {
  for (int i = 0; i < 10000 && mr_device_stats(device).bytes_in_use != bytes; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  assert_int_equal(mr_device_stats(device).bytes_in_use, bytes);
}

static void test_each_allocation_fails(void **state) {
  (void)state;
  mr_executable *executable = NULL;
  expect_ok(mr_compile((mr_span){program, sizeof program - 1}, NULL, &executable));
  uint64_t before = mr_device_stats(device).bytes_in_use, failures = 0, nth = 1;
  for (bool reached = true; reached; nth++) {
    attempt a;
    prepare(&a);
    mr_alloc_fail_nth(nth);
    mr_status status = start(&a, executable);
    bool refused = status != MR_OK;
    status = finish(&a, status);
    reached = mr_alloc_fail_nth(0) >= nth;
    if (status) {
      assert_true(reached);
      assert_int_equal(mr_status_code(status), MR_RESOURCE_EXHAUSTED);
      // What was refused at the call leaves its arguments alone.
      if (refused && !a.done[0] && !a.results[0]) {
        assert_false(mr_buffer_is_deleted(a.donated));
      }
      mr_status_free(status);
      failures++;
    } else {
      for (int i = 0; i < COUNT; i++) {
        assert_true(a.host[i] == 1);
      }
    }
    clean_up(&a);
    expect_in_use(before);
    assert_true(nth < 1000);
  }
  expect_several(failures);
  mr_executable_release(executable);
}

// ---- Results that cannot be made ------------------------------------------------------------------------------------

static _Atomic(int) contexts_left;

static void context_goes(mr_call_context *context) {
  (void)context;
  atomic_fetch_sub(&contexts_left, 1);
}

// An execution that is refused because some result of several cannot be made, the first or a later one, lets go of all it
// had: its arguments, the results before, the program, the context.
static void test_any_of_several_results_fails(void **state) {
  (void)state;
  mr_executable *executable =
      compile("func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32> {jax.buffer_donor = true}) -> "
              "(tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {\n"
              "  %c = stablehlo.add %a, %b : tensor<4xf32>\n"
              "  %d = stablehlo.multiply %a, %b : tensor<4xf32>\n"
              "  %e = stablehlo.subtract %a, %b : tensor<4xf32>\n"
              "  return %c, %d, %e : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>\n}\n");
  const int64_t four = 4;
  uint64_t refused = 0;
  for (uint64_t nth = 1, made = UINT64_MAX; made >= nth; nth++) {
    mr_future *gate = NULL, *done = NULL;
    mr_buffer *pending = NULL, *donated = floats((float[]){1, 2, 3, 4}, 4), *results[3] = {NULL};
    expect_ok(mr_future_create(&gate));
    expect_ok(mr_buffer_create(memory, MR_F32, &four, 1, NULL, mr_future_retain(gate), &pending));
    mr_call_context context = {.destroy = context_goes};
    mr_ref_init(&context.ref);
    atomic_store(&contexts_left, 1);
    mr_alloc_fail_nth(nth);
    mr_status status = mr_execute(executable, device, &(mr_execute_options){.context = &context},
                                  (mr_buffer *[]){pending, donated}, 2, results, &done);
    made = mr_alloc_fail_nth(0);
    if (status) {
      assert_int_equal(mr_status_code(status), MR_RESOURCE_EXHAUSTED);
      mr_status_free(status);
      assert_null(done);
      for (int k = 0; k < 3; k++) {
        assert_null(results[k]);
      }
      assert_false(mr_buffer_is_deleted(donated));
      assert_true(mr_ref_is_unique(&context.ref));
      refused++;
    }
    mr_future_set(gate, mr_error(MR_ABORTED, "no content"));
    wait_for(done);
    if (mr_ref_release(&context.ref)) {
      context_goes(&context);
    }
    release_all(results, 3);
    mr_buffer_release(pending);
    mr_buffer_release(donated);
    mr_future_release(gate);
    // A worker lets go of a node a moment after the node's end was told.
    for (int i = 0; i < 10000 && atomic_load(&contexts_left); i++) {
      nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    assert_int_equal(atomic_load(&contexts_left), 0);
  }
  expect_several(refused);
  mr_executable_release(executable);
}

// A platform that is let go of while work is queued stays until the work is over, and goes then.
static void test_platform_stays_for_queued_work(void **state) {
  (void)state;
  mr_executable *executable = compile("func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                                      "  %b = stablehlo.add %a, %a : tensor<4xf32>\n"
                                      "  return %b : tensor<4xf32>\n}\n");
  const int64_t four = 4;
  for (int fails = 0; fails < 2; fails++) {
    mr_platform *own = NULL;
    mr_future *gate = NULL, *done = NULL;
    mr_buffer *pending = NULL, *result = NULL, *copy = NULL;
    mr_storage *content = NULL;
    int64_t before[MR_CENSUS_KINDS], now[MR_CENSUS_KINDS];
    mr_census(before);
    expect_ok(mr_platform_create(NULL, &own));
    mr_device *its = mr_platform_device(own, 0);
    mr_memory *there = &its->memories[MR_MEMORY_DEVICE];
    expect_ok(mr_future_create(&gate));
    expect_ok(mr_storage_allocate(there, 16, &content));
    memset(content->data, 0, 16);
    expect_ok(mr_buffer_create(there, MR_F32, &four, 1, content, mr_future_retain(gate), &pending));
    expect_ok(mr_execute(executable, its, NULL, &pending, 1, &result, &done));
    expect_ok(mr_buffer_copy_to(result, there, &copy));
    mr_buffer_release(pending);
    mr_buffer_release(result);
    mr_buffer_release(copy);
    mr_platform_release(own);
    mr_census(now);
    assert_int_equal(now[MR_CENSUS_platforms], before[MR_CENSUS_platforms] + 1);
    mr_future_set(gate, fails ? mr_error(MR_ABORTED, "no content") : MR_OK);
    wait_for(done);
    for (int i = 0; i < 10000 && now[MR_CENSUS_platforms] != before[MR_CENSUS_platforms]; i++) {
      nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
      mr_census(now);
    }
    assert_int_equal(now[MR_CENSUS_platforms], before[MR_CENSUS_platforms]);
    mr_future_release(gate);
  }
  mr_executable_release(executable);
}

// Tokens take buffers of the plan as values do. Without memory for one the program is refused.
static void test_no_memory_for_a_token(void **state) {
  (void)state;
#ifdef NDEBUG
  enum { TOKENS = 5000 };  // enough for each growth of the plan's list to be an allocation of its own
#else
  enum { TOKENS = 40 };  // each piece of an arena is one that fails
#endif
  mr_text text = {0};
  mr_text_put(&text, "func.func @main() -> !stablehlo.token {\n  %%0 = stablehlo.create_token : !stablehlo.token\n");
  for (int i = 1; i < TOKENS; i++) {
    mr_text_put(&text, "  %%%d = stablehlo.after_all %%%d : !stablehlo.token\n", i, i - 1);
  }
  mr_text_put(&text, "  return %%%d : !stablehlo.token\n}\n", TOKENS - 1);
  for (uint64_t nth = 1, made = UINT64_MAX; made >= nth; nth++) {
    mr_executable *executable = NULL;
    mr_alloc_fail_nth(nth);
    mr_status status = mr_compile((mr_span){text.data, text.size}, NULL, &executable);
    made = mr_alloc_fail_nth(0);
    assert_true(status ? mr_status_code(status) == MR_RESOURCE_EXHAUSTED && !executable : executable != NULL);
    mr_status_free(status);
    if (executable) {
      mr_executable_release(executable);
    }
    assert_true(nth < 10000);
  }
  mr_text_deinit(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_allocation_fails),
      cmocka_unit_test(test_any_of_several_results_fails),
      cmocka_unit_test(test_platform_stays_for_queued_work),
      cmocka_unit_test(test_no_memory_for_a_token),
  };
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
