// What a host queues is bounded: calls and the blocks that they hold, on one device and on several; and nobody waits for what only the
// host can do.
#include <sched.h>
#include <stdatomic.h>

#include "tests/compiler/rows_harness.h"

enum { SIDE = 256, LIMIT = 4, CALLS = 60, BLOCK_BYTES = SIDE * SIDE * 4 };

// Long enough to be queued.
static const char product[] =
    "func.func public @main(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>) -> tensor<256x256xf32> {\n"
    "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<256x256xf32>, "
    "tensor<256x256xf32>) -> tensor<256x256xf32>\n"
    "  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<256x256xf32>, "
    "tensor<256x256xf32>) -> tensor<256x256xf32>\n"
    "  %2 = stablehlo.dot_general %1, %b, contracting_dims = [1] x [0] : (tensor<256x256xf32>, "
    "tensor<256x256xf32>) -> tensor<256x256xf32>\n"
    "  return %2 : tensor<256x256xf32>\n"
    "}\n";

static const int64_t dims[] = {SIDE, SIDE};
static _Alignas(64) float ones[SIDE * SIDE];

static int open_with(uint32_t devices, uint32_t queue_calls, uint32_t queue_mb) {
  const mr_platform_options options = {.num_devices = devices, .queue_calls = queue_calls, .queue_mb = queue_mb};
  assert_null(mr_platform_create(&options, &platform));
  device = mr_platform_device(platform, 0);
  memory = &device->memories[MR_MEMORY_DEVICE];
  return 0;
}

static int open_limited(void **state) {
  (void)state;
  return open_with(1, LIMIT, MR_ADMISSION_ANY);
}

static int open_limited_eight(void **state) {
  (void)state;
  return open_with(8, LIMIT, MR_ADMISSION_ANY);
}

static int open_fenced(void **state) {
  (void)state;
  const mr_platform_options options = {
      .num_devices = 1, .kinds = "fenced", .queue_calls = MR_ADMISSION_ANY, .queue_mb = 1};
  assert_null(mr_platform_create(&options, &platform));
  device = mr_platform_device(platform, 0);
  memory = &device->memories[MR_MEMORY_DEVICE];
  return 0;
}

static void until_nothing_is_queued(void) {
  for (size_t d = 0; d < mr_platform_device_count(platform); d++) {
    while (mr_admission_count(&mr_platform_device(platform, d)->admission).calls) {
      sched_yield();
    }
  }
}

static void expect_nothing_queued(void) {
  for (size_t d = 0; d < mr_platform_device_count(platform); d++) {
    mr_admission_counts counts = mr_admission_count(&mr_platform_device(platform, d)->admission);
    assert_int_equal(counts.calls, 0);
    assert_int_equal(counts.bytes, 0);
  }
}

static _Atomic(int) arrays, most_arrays;

static void array_is_unused(void *arg) {
  (void)arg;
  atomic_fetch_sub(&arrays, 1);
}

// An array of the host's own that is used in place, and counted while somebody has it.
static mr_buffer *batch(void) {
  mr_buffer *buffer = NULL;
  mr_host_array host = {.data = ones, .dtype = MR_F32, .dims = dims, .rank = 2};
  int now = atomic_fetch_add(&arrays, 1) + 1;
  if (now > atomic_load(&most_arrays)) {
    atomic_store(&most_arrays, now);
  }
  expect_ok(mr_buffer_from_host(memory, &host, MR_HOST_IMMUTABLE_ZERO_COPY, array_is_unused, NULL, &buffer));
  return buffer;
}

static mr_buffer *pending(mr_future *ready) {
  mr_buffer *buffer = NULL;
  mr_storage *storage;
  expect_ok(mr_storage_allocate(memory, BLOCK_BYTES, &storage));
  memset(storage->data, 0, BLOCK_BYTES);
  expect_ok(mr_buffer_create(memory, MR_F32, dims, 2, storage, mr_future_retain(ready), &buffer));
  return buffer;
}

static mr_buffer *queue(mr_executable *e, mr_buffer *a, mr_buffer *b, mr_future **out_done) {
  mr_buffer *result = NULL;
  mr_future *done = NULL;
  expect_ok(mr_execute(e, device, NULL, (mr_buffer *[]){a, b}, 2, &result, &done));
  assert_non_null(done);  // it is a node
  if (out_done) {
    *out_done = done;
  } else {
    mr_future_release(done);
  }
  return result;
}

// A loop that is fed a new array each time, by a host that waits for nothing: as many arrays are in use as calls may be queued, and
// one that the host has in hand.
static void test_a_loop_that_is_fed(void **state) {
  (void)state;
  mr_executable *e = compile(product);
  mr_buffer *y = batch();
  mr_future *done = NULL;
  for (int i = 0; i < CALLS; i++) {
    mr_buffer *x = batch(), *next;
    mr_future_release(done);
    next = queue(e, x, y, &done);
    mr_buffer_release(x);
    mr_buffer_release(y);
    y = next;
  }
  wait_for(done);
  mr_buffer_release(y);
  mr_executable_release(e);
  mr_admission_counts counts = mr_admission_count(&device->admission);
  assert_true(counts.peak_calls > 0);  // they were queued
  assert_true(counts.peak_calls <= LIMIT + 1);
  assert_true(atomic_load(&most_arrays) <= LIMIT + 3);
  expect_nothing_queued();
}

// Arguments that are still on their way into a device's own memory have their block there already. Of four to a megabyte, as many are queued as
// that, and one that the host has in hand.
static void test_a_loop_that_is_fed_by_transfers(void **state) {
  (void)state;
  mr_executable *e = compile(product);
  mr_future *done[CALLS];
  for (int i = 0; i < CALLS; i++) {
    mr_buffer *x = NULL;
    mr_host_array host = {.data = ones, .dtype = MR_F32, .dims = dims, .rank = 2};
    expect_ok(mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &x));
    mr_buffer *result = queue(e, x, x, &done[i]);
    release_all((mr_buffer *[]){x, result}, 2);
  }
  for (int i = 0; i < CALLS; i++) {
    wait_for(done[i]);
  }
  mr_executable_release(e);
  mr_admission_counts counts = mr_admission_count(&device->admission);
  assert_in_range(counts.peak_bytes, 1, (1 << 20) + BLOCK_BYTES);
  assert_in_range(counts.peak_calls, 1, CALLS / 2);  // a call lets go of its blocks before it is over
  expect_nothing_queued();
}

// Calls that wait for the host are queued at once, any number of them, and so are those that wait for these; when the host has done its
// part they all are right, and nothing is left.
static void test_what_waits_for_the_host(void **state) {
  (void)state;
  mr_executable *e = compile(product);
  mr_future *ready;
  expect_ok(mr_future_create(&ready));
  mr_buffer *outside = pending(ready), *y = mr_buffer_retain(outside), *weights = batch();
  mr_future *done = NULL;
  for (int i = 0; i < CALLS; i++) {
    mr_future_release(done);
    mr_buffer *next = queue(e, y, weights, &done);
    mr_buffer_release(y);
    y = next;
  }
  mr_admission_counts counts = mr_admission_count(&device->admission);
  assert_int_equal(counts.calls, CALLS);
  // All of them hold the weights, and the first one the block that is to be filled: the others' come when they are made.
  assert_int_equal(counts.bytes, 2 * BLOCK_BYTES);
  mr_future_set(ready, MR_OK);
  wait_for(done);
  mr_future_release(ready);
  release_all((mr_buffer *[]){outside, y, weights}, 3);
  mr_executable_release(e);
  expect_nothing_queued();
}

// Those that are at work are waited for all the same.
static void test_some_wait_for_the_host(void **state) {
  (void)state;
  mr_executable *e = compile(product);
  mr_future *ready, *done[2] = {NULL};
  expect_ok(mr_future_create(&ready));
  mr_buffer *outside = pending(ready), *x = batch(), *y = mr_buffer_retain(x);
  for (int i = 0; i < CALLS; i++) {
    mr_future_release(done[0]);
    mr_buffer *stuck = queue(e, outside, x, &done[0]), *next;
    mr_future_release(done[1]);
    next = queue(e, x, y, &done[1]);
    release_all((mr_buffer *[]){stuck, y}, 2);
    y = next;
  }
  wait_for(done[1]);
  assert_int_equal(mr_admission_count(&device->admission).calls, CALLS);  // that wait for the host
  mr_future_set(ready, MR_OK);
  mr_future_release(ready);
  wait_for(done[0]);
  release_all((mr_buffer *[]){outside, x, y}, 3);
  mr_executable_release(e);
  until_nothing_is_queued();  // these run in any order
  expect_nothing_queued();
}

// Calls that fail, because their argument does or because they are cancelled, give back what they counted for.
static void test_failing_and_cancelled(void **state) {
  (void)state;
  mr_executable *e = compile(product);
  mr_future *ready, *done[CALLS];
  mr_buffer *results[CALLS], *weights = batch();
  expect_ok(mr_future_create(&ready));
  mr_buffer *outside = pending(ready);
  for (int i = 0; i < CALLS; i++) {
    results[i] = queue(e, outside, weights, &done[i]);
  }
  for (int i = 0; i < CALLS; i += 2) {
    mr_node_cancel(mr_node_of_done(done[i]), mr_error(MR_CANCELLED, "not today"));
  }
  mr_future_set(ready, mr_error(MR_DATA_LOSS, "torn"));
  for (int i = 0; i < CALLS; i++) {
    mr_future_wait(done[i]);
    assert_int_equal(mr_status_code(mr_future_status(done[i])), i % 2 ? MR_DATA_LOSS : MR_CANCELLED);
    mr_future_release(done[i]);
  }
  release_all(results, CALLS);
  release_all((mr_buffer *[]){outside, weights}, 2);
  mr_future_release(ready);
  mr_executable_release(e);
  expect_nothing_queued();
}

// Donated arguments count as well, for the call that has them, and a call that is refused counts for nothing.
static void test_donated_and_refused(void **state) {
  (void)state;
  mr_executable *e = compile("func.func public @main(%a: tensor<256x256xf32> {tf.aliasing_output = 0 : i32}, %b: "
                             "tensor<256x256xf32>) -> tensor<256x256xf32> {\n"
                             "  %0 = stablehlo.dot_general %b, %b, contracting_dims = [1] x [0] : "
                             "(tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>\n"
                             "  %1 = stablehlo.add %a, %0 : tensor<256x256xf32>\n"
                             "  return %1 : tensor<256x256xf32>\n"
                             "}\n");
  mr_future *ready, *done;
  expect_ok(mr_future_create(&ready));
  mr_buffer *outside = pending(ready), *mine = NULL, *result, *refused;
  mr_host_array host = {.data = ones, .dtype = MR_F32, .dims = dims, .rank = 2};
  expect_ok(mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &mine));
  result = queue(e, mine, outside, &done);
  assert_int_equal(mr_admission_count(&device->admission).bytes, 2 * BLOCK_BYTES);
  mr_future *none = NULL;
  expect_code(mr_execute(e, device, NULL, (mr_buffer *[]){mine, outside}, 2, &refused, &none), MR_INVALID_ARGUMENT);
  assert_int_equal(mr_admission_count(&device->admission).calls, 1);
  mr_future_set(ready, MR_OK);
  wait_for(done);
  mr_future_release(ready);
  release_all((mr_buffer *[]){outside, mine, result}, 3);
  mr_executable_release(e);
  expect_nothing_queued();
}

// What runs on the calling thread is never counted.
static void test_small_calls(void **state) {
  (void)state;
  mr_executable *e = compile("func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
                             "  %0 = stablehlo.add %a, %a : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n");
  mr_buffer *argument = floats((float[]){1, 2}, 2), *result;
  run(e, &argument, 1, &result);
  expect_floats(result, (float[]){2, 4}, 2);
  assert_int_equal(mr_admission_count(&device->admission).peak_calls, 0);
  release_all((mr_buffer *[]){argument, result}, 2);
  mr_executable_release(e);
}

// A call of a program over several devices counts once for each of them.
static void test_rows(void **state) {
  (void)state;
  rows_case *c = rows_of("module @m attributes {mhlo.num_replicas = 8 : i32} {\n"
                         "func.func public @main(%a: tensor<256x256xf32>) -> tensor<256x256xf32> {\n"
                         "  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<256x256xf32>, "
                         "tensor<256x256xf32>) -> tensor<256x256xf32>\n"
                         "  %1 = \"stablehlo.all_reduce\"(%0) ({\n"
                         "  ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
                         "    %s = stablehlo.add %x, %y : tensor<f32>\n"
                         "    stablehlo.return %s : tensor<f32>\n"
                         "  }) {replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>} : "
                         "(tensor<256x256xf32>) -> tensor<256x256xf32>\n"
                         "  return %1 : tensor<256x256xf32>\n"
                         "}\n}\n",
                         8, 1);
  for (uint32_t i = 0; i < 8; i++) {
    c->arguments[i][0] = on_device(i, MR_F32, ones, dims, 2);
  }
  for (int round = 0; round < CALLS; round++) {
    drop_results(c);
    for (uint32_t i = 0; i < 8; i++) {
      mr_future_release(c->rows[i].done);
    }
    expect_ok(mr_execute_rows(c->executable, c->rows, 8, 1));
  }
  for (uint32_t i = 0; i < 8; i++) {
    wait_for(c->rows[i].done);
    mr_admission_counts counts = mr_admission_count(&mr_platform_device(platform, i)->admission);
    assert_true(counts.peak_calls > 0);
    assert_true(counts.peak_calls <= LIMIT + 1);
  }
  // One row cannot begin, and so the others cannot end: nobody waits for them.
  mr_future *ready;
  expect_ok(mr_future_create(&ready));
  mr_memory *last = &mr_platform_device(platform, 7)->memories[MR_MEMORY_DEVICE];
  mr_storage *storage;
  expect_ok(mr_storage_allocate(last, BLOCK_BYTES, &storage));
  memset(storage->data, 0, BLOCK_BYTES);
  mr_buffer_release(c->arguments[7][0]);
  expect_ok(mr_buffer_create(last, MR_F32, dims, 2, storage, mr_future_retain(ready), &c->arguments[7][0]));
  for (int round = 0; round < 3 * LIMIT; round++) {
    for (uint32_t i = 0; round && i < 8; i++) {
      mr_future_release(c->rows[i].done);
    }
    drop_results(c);
    expect_ok(mr_execute_rows(c->executable, c->rows, 8, 1));
  }
  assert_int_equal(mr_admission_count(&device->admission).calls, 3 * LIMIT);
  mr_future_set(ready, MR_OK);
  mr_future_release(ready);
  for (uint32_t i = 0; i < 8; i++) {
    wait_for(c->rows[i].done);
    c->rows[i].done = NULL;
  }
  until_nothing_is_queued();
  end_rows(c);
}

int main(void) {
  for (int i = 0; i < SIDE * SIDE; i++) {
    ones[i] = 1.0f / SIDE;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_a_loop_that_is_fed, open_limited, close_platform),
      cmocka_unit_test_setup_teardown(test_a_loop_that_is_fed_by_transfers, open_fenced, close_platform),
      cmocka_unit_test_setup_teardown(test_what_waits_for_the_host, open_limited, close_platform),
      cmocka_unit_test_setup_teardown(test_some_wait_for_the_host, open_limited, close_platform),
      cmocka_unit_test_setup_teardown(test_failing_and_cancelled, open_limited, close_platform),
      cmocka_unit_test_setup_teardown(test_donated_and_refused, open_limited, close_platform),
      cmocka_unit_test_setup_teardown(test_small_calls, open_limited, close_platform),
      cmocka_unit_test_setup_teardown(test_rows, open_limited_eight, close_platform),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
