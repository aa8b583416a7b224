// What fails on one device fails the run on all of them, soon, with that error and where it was; the next run is as if nothing had been.
#include <unistd.h>

#include "compiler/ir/ir.h"
#include "devices/faulty/faulty.h"
#include "ops/library/library.h"
#include "tests/alloc_loop.h"
#include "tests/compiler/rows_harness.h"

enum { DEVICES = 8 };

#define GLOBAL "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids"
#define ALL "replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>"
#define SUM(to, from)                                                                                        \
  "  " to " = \"stablehlo.all_reduce\"(" from ") ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"              \
  "    %s = stablehlo.add %p, %q : tensor<f32>\n    stablehlo.return %s : tensor<f32>\n}) {" ALL ", " GLOBAL \
  "} : (tensor<4xf32>) -> tensor<4xf32>\n"

// A call of the host's, which fails where its operand begins with 13.
static mr_status run_call(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  (void)call, (void)scratch, (void)group;
  const float *from = buffers[0];
  memcpy(buffers[1], from, 4 * sizeof *from);
  return from[0] == 13 ? mr_error(MR_DATA_LOSS, "thirteen") : MR_OK;
}

static void keep_call(mr_library_call *call) { (void)call; }

static mr_library_call the_call = {.run = run_call, .destroy = keep_call, .calls_host = true, .name = "host"};

static mr_status make_call(const struct mr_op *op, mr_library_call **out_call) {
  *out_call = mr_str_is(mr_op_string(op, MR_ATTR_call_target_name), "host") ? &the_call : NULL;
  return MR_OK;
}

static const char calling[] = "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n" SUM(
    "%x", "%a") "  %y = stablehlo.custom_call @host(%a) {has_side_effect = true} : (tensor<4xf32>) -> "
                "tensor<4xf32>\n" SUM("%z", "%y") "  %w = stablehlo.add %z, %x : tensor<4xf32>\n"
                                                  "  return %w : tensor<4xf32>\n}\n";

static mr_buffer *of_row(uint32_t row, float first) {
  const float data[4] = {first, 2, 3, 4};
  return on_device(row, MR_F32, data, (int64_t[]){4}, 1);
}

static void give(rows_case *c, float first) {
  for (uint32_t i = 0; i < c->count; i++) {
    mr_buffer_release(c->arguments[i][0]);
    c->arguments[i][0] = of_row(i, first);
  }
}

// The row's argument is ready with the future, of which the caller has a reference.
static mr_future *pend(rows_case *c, uint32_t row) {
  mr_future *ready;
  mr_memory *there = &mr_platform_device(platform, row)->memories[MR_MEMORY_DEVICE];
  mr_buffer_release(c->arguments[row][0]);
  assert_null(mr_future_create(&ready));
  expect_ok(mr_buffer_create(there, MR_F32, (int64_t[]){4}, 1, NULL, mr_future_retain(ready), &c->arguments[row][0]));
  return ready;
}

static int open_devices_of(const char *kinds) {
  mr_set_custom_call_maker(make_call);
  return open_devices(DEVICES, kinds);
}
static int open_calling(void **state) {
  (void)state;
  return open_devices_of(NULL);
}
static int open_calling_fenced(void **state) {
  (void)state;
  return open_devices_of("fenced");
}
static int open_faulty(void **state) {
  (void)state;
  return open_devices_of("faulty:cpu");
}

// The bar is 100 ms. A busy machine may take the time of a try: one of them is to be as short.
static const uint64_t soon_ns = MR_TEST_SANITIZED ? 2000000000 : 100000000;
enum { TRIES = 30 };

// Every row ends with the code, and says so in the same words, of which `words` are some. How long that took.
static uint64_t time_to_fail(rows_case *c, mr_code code, const char *words) {
  uint64_t start = mr_now_ns();
  for (uint32_t i = 0; i < c->count; i++) {
    assert_non_null(c->rows[i].done);
    mr_future_wait(c->rows[i].done);
    mr_status status = mr_future_status(c->rows[i].done);
    if (mr_status_code(status) != code || !strstr(mr_status_message(status), words)) {
      fail_msg("row %u: %s: %s", i, mr_status_code_name(mr_status_code(status)),
               status ? mr_status_message(status) : "");
    }
    mr_future_release(c->rows[i].done);
    c->rows[i].done = NULL;
  }
  uint64_t took = mr_now_ns() - start;
  drop_results(c);
  return took;
}

// Lets `fail_once` make one row fail, which says how long it took until all had ended.
static void expect_soon(uint64_t (*fail_once)(rows_case *c, uint32_t which), rows_case *c, uint32_t which) {
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < TRIES && least >= soon_ns; i++) {
    uint64_t took = fail_once(c, which);
    least = MR_MIN(least, took);
  }
  assert_true(least < soon_ns);
}

static void expect_works(rows_case *c) {
  give(c, 1);
  run_rows(c);
  for (uint32_t i = 0; i < c->count; i++) {
    float got[4];
    read_result(c, i, 0, got);
    assert_true(got[0] == 16 && got[3] == 64);
  }
  drop_results(c);
}

static uint64_t call_fails(rows_case *c, uint32_t bad) {
  uint64_t took = 0;
  give(c, 1);
  mr_buffer_release(c->arguments[bad][0]);
  c->arguments[bad][0] = of_row(bad, 13);
  mr_status status = mr_execute_rows(c->executable, c->rows, c->count, 1);
  char words[32];
  snprintf(words, sizeof words, "device %u, partition %u", bad, bad);
  if (status) {  // within the call
    assert_non_null(strstr(mr_status_message(status), words));
    expect_code(status, MR_DATA_LOSS);
  } else {
    took = time_to_fail(c, MR_DATA_LOSS, words);
  }
  expect_works(c);
  return took;
}

// A call that fails on one device, while the others wait in the meeting after it.
static void test_call_fails(void **state) {
  (void)state;
  rows_case *c = rows_of(calling, 1, DEVICES);
  for (uint32_t bad = 0; bad < DEVICES; bad++) {
    expect_soon(call_fails, c, bad);
  }
  end_rows(c);
}

static uint64_t argument_fails(rows_case *c, uint32_t which) {
  give(c, 1);
  mr_future *ready = pend(c, which);
  expect_ok(mr_execute_rows(c->executable, c->rows, c->count, 1));
  mr_future_set(ready, mr_error(MR_DATA_LOSS, "the argument was lost"));
  mr_future_release(ready);
  uint64_t took = time_to_fail(c, MR_DATA_LOSS, "the argument was lost");
  expect_works(c);
  return took;
}

// An argument that never becomes any fails all rows; those that could begin wait in the first meeting until then.
static void test_argument_fails(void **state) {
  (void)state;
  rows_case *c = rows_of(calling, 1, DEVICES);
  expect_soon(argument_fails, c, 5);
  end_rows(c);
}

static uint64_t cancel(rows_case *c, uint32_t which) {
  give(c, 1);
  mr_future *ready = pend(c, 5);
  expect_ok(mr_execute_rows(c->executable, c->rows, c->count, 1));
  mr_node_cancel(mr_node_of_done(c->rows[which].done), mr_error(MR_CANCELLED, "nobody wants it"));
  // At once, but for the row that waits for its argument: a node ends when its inputs are there.
  for (uint32_t i = 0; i < DEVICES; i++) {
    if (i != 5) {
      assert_true(mr_future_wait_until(c->rows[i].done, mr_now_ns() + 5000000000));
    }
    if (i == 4) {
      mr_future_set(ready, mr_error(MR_CANCELLED, "nobody wants it"));
    }
  }
  mr_future_release(ready);
  uint64_t took = time_to_fail(c, MR_CANCELLED, "nobody wants it");
  expect_works(c);
  return took;
}

// Cancelling one row, one that has not begun or one that waits in a meeting, cancels all.
static void test_cancel(void **state) {
  (void)state;
  rows_case *c = rows_of(calling, 1, DEVICES);
  for (uint32_t which = 4; which < 6; which++) {
    expect_soon(cancel, c, which);
  }
  end_rows(c);
}

// Rows in loops that would take for ever end between two steps, and those that could not begin yet.
static void expect_endless_cancelled(const char *end) {
  char text[4096];
  snprintf(text, sizeof text,
           "func.func @main(%%a: tensor<4xf32>) -> tensor<4xf32> {\n"
           "  %%zero = stablehlo.constant dense<0> : tensor<i32>\n  %%one = stablehlo.constant dense<1> : tensor<i32>\n"
           "  %%many = stablehlo.constant dense<2000000000> : tensor<i32>\n"
           "  %%m = stablehlo.broadcast_in_dim %%a, dims = [0] : (tensor<4xf32>) -> tensor<4x64x64xf32>\n"
           "  %%w:2 = stablehlo.while(%%i = %%zero, %%v = %%m) : tensor<i32>, tensor<4x64x64xf32>\n  cond {\n"
           "    %%c = stablehlo.compare LT, %%i, %%many, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
           "    stablehlo.return %%c : tensor<i1>\n  } do {\n    %%j = stablehlo.add %%i, %%one : tensor<i32>\n"
           "    %%u = stablehlo.dot_general %%v, %%v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : "
           "(tensor<4x64x64xf32>, tensor<4x64x64xf32>) -> tensor<4x64x64xf32>\n"
           "    stablehlo.return %%j, %%u : tensor<i32>, tensor<4x64x64xf32>\n  }\n"
           "  %%cut = stablehlo.slice %%w#1 [0:4, 0:1, 0:1] : (tensor<4x64x64xf32>) -> tensor<4x1x1xf32>\n"
           "  %%b = stablehlo.reshape %%cut : (tensor<4x1x1xf32>) -> tensor<4xf32>\n%s",
           end);
  rows_case *c = rows_of(text, 1, DEVICES);
  give(c, 1);
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < TRIES && least >= soon_ns; i++) {
    expect_ok(mr_execute_rows(c->executable, c->rows, c->count, 1));
    usleep(20000);
    mr_node_cancel(mr_node_of_done(c->rows[4].done), mr_error(MR_CANCELLED, "nobody wants it"));
    uint64_t took = time_to_fail(c, MR_CANCELLED, "nobody wants it");
    least = MR_MIN(least, took);
  }
  print_message("all rows have ended %.2f ms after one was cancelled\n", (double)least * 1e-6);
  assert_true(least < soon_ns);
  end_rows(c);
}

static void test_cancel_loops(void **state) {
  (void)state;
  expect_endless_cancelled("  return %b : tensor<4xf32>\n}\n");
  expect_endless_cancelled(SUM("%x", "%b") "  return %x : tensor<4xf32>\n}\n");
  expect_endless_cancelled(SUM("%x", "%b") "  %y = stablehlo.custom_call @host(%x) {has_side_effect = true} : "
                                           "(tensor<4xf32>) -> tensor<4xf32>\n  return %y : tensor<4xf32>\n}\n");
}

// A device that fails once at each thing that it is asked for.
static void test_faulty(void **state) {
  (void)state;
  static const char *const operations[] = {"copy_in", "copy_out", "launch", "allocate", "call", "load"};
  rows_case *c = rows_of(calling, 1, DEVICES);
  for (size_t o = 0; o < MR_ARRAY_SIZE(operations); o++) {
    for (int nth = 1; nth <= 3; nth++) {
      char list[64];
      give(c, 1);
      snprintf(list, sizeof list, "%s:%d", operations[o], nth);
      expect_ok(mr_faulty_set(mr_platform_device(platform, 3), mr_str_of(list)));
      mr_status status = mr_execute_rows(c->executable, c->rows, c->count, 1);
      if (status) {
        mr_status_free(status);
      } else {
        uint32_t failed = 0;
        for (uint32_t i = 0; i < DEVICES; i++) {
          assert_true(mr_future_wait_until(c->rows[i].done, mr_now_ns() + 20000000000));
          failed += mr_future_status(c->rows[i].done) != MR_OK;
          mr_future_release(c->rows[i].done);
          c->rows[i].done = NULL;
        }
        assert_true(failed == 0 || failed == DEVICES);
        drop_results(c);
      }
      expect_ok(mr_faulty_set(mr_platform_device(platform, 3), mr_str_of("")));
      expect_works(c);
    }
  }
  end_rows(c);
}

static void expect_refused(rows_case *c, size_t count, mr_code code, const char *words) {
  mr_status status = mr_execute_rows(c->executable, c->rows, count, 1);
  if (mr_status_code(status) != code || !strstr(mr_status_message(status), words)) {
    fail_msg("%s: %s", mr_status_code_name(mr_status_code(status)), status ? mr_status_message(status) : "");
  }
  mr_status_free(status);
  for (uint32_t i = 0; i < c->count; i++) {
    assert_null(c->rows[i].done);
    assert_null(c->results[i][0]);
  }
}

// Rows that are not the program's, and arguments that are not a row's, are refused before anything is begun.
static void test_wrong_rows(void **state) {
  (void)state;
  rows_case *c = rows_of(calling, 1, DEVICES);
  give(c, 1);
  expect_refused(c, DEVICES - 1, MR_INVALID_ARGUMENT, "7 rows for a program over 1 replicas of 8 partitions");
  c->rows[3].partition = DEVICES;
  expect_refused(c, DEVICES, MR_INVALID_ARGUMENT, "row 3: replica 0, partition 8 of 1 replicas of 8 partitions");
  c->rows[3].partition = 2;
  rows_case *one =
      rows_of("func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n  return %a : tensor<4xf32>\n}\n", 1, 1);
  one->rows[0].partition = 1;
  expect_refused(one, 1, MR_INVALID_ARGUMENT, "replica 0, partition 1 of 1 replicas of 1 partitions");
  end_rows(one);
  expect_refused(c, DEVICES, MR_INVALID_ARGUMENT, "two rows are replica 0, partition 2");
  c->rows[3].partition = 3;
  mr_buffer *right = c->arguments[6][0];
  c->arguments[6][0] = on_device(6, MR_S32, (int32_t[]){1, 2, 3, 4}, (int64_t[]){4}, 1);
  expect_refused(c, DEVICES, MR_INVALID_ARGUMENT, "row 6");
  mr_buffer_release(c->arguments[6][0]);
  c->arguments[6][0] = right;
  mr_buffer_delete(right);
  expect_refused(c, DEVICES, MR_INVALID_ARGUMENT, "row 6");
  expect_works(c);
  end_rows(c);
}

typedef struct scarce {
  rows_case *rows;
  bool pending;  // an argument comes when all rows have been begun
} scarce;

static mr_status run_scarce(void *context) {
  const scarce *s = context;
  rows_case *c = s->rows;
  mr_future *ready = NULL;
  if (s->pending) {
    mr_storage *content = NULL;
    mr_memory *there = &mr_platform_device(platform, 5)->memories[MR_MEMORY_DEVICE];
    mr_buffer_release(c->arguments[5][0]);
    c->arguments[5][0] = NULL;
    MR_TRY(mr_future_create(&ready));
    mr_status status = mr_storage_allocate(there, 4 * sizeof(float), &content);
    status = status ? status
                    : mr_buffer_create(there, MR_F32, (int64_t[]){4}, 1, content, mr_future_retain(ready),
                                       &c->arguments[5][0]);
    if (status) {
      mr_future_set(ready, MR_OK);
      mr_future_release(ready);
      return status;
    }
  }
  mr_status status = mr_execute_rows(c->executable, c->rows, c->count, 1);
  if (ready) {
    mr_future_set(ready, MR_OK);
    mr_future_release(ready);
  }
  for (uint32_t i = 0; i < c->count; i++) {
    if (c->rows[i].done) {
      mr_future_wait(c->rows[i].done);
      status = mr_status_join(status, mr_status_retain(mr_future_status(c->rows[i].done)));
      mr_future_release(c->rows[i].done);
      c->rows[i].done = NULL;
    }
  }
  drop_results(c);
  return status;
}

// Whichever allocation fails, on whichever row: all rows end with that, and nothing is kept.
static void test_no_memory(void **state) {
  (void)state;
  rows_case *c = rows_of(calling, 1, DEVICES);
  give(c, 1);
  alloc_loop("rows within the call", run_scarce, &(scarce){c, false}, 50000);
  alloc_loop("rows after an argument", run_scarce, &(scarce){c, true}, 50000);
  expect_works(c);
  end_rows(c);
  alloc_loops_ended_well();
}

int main(void) {
#define ON(open, test) cmocka_unit_test_setup_teardown(test, open, close_platform)
  const struct CMUnitTest tests[] = {
      ON(open_calling, test_call_fails),
      ON(open_calling, test_argument_fails),
      ON(open_calling, test_cancel),
      ON(open_calling, test_cancel_loops),
      ON(open_calling_fenced, test_cancel_loops),
      ON(open_calling_fenced, test_call_fails),
      ON(open_calling_fenced, test_argument_fails),
      ON(open_faulty, test_faulty),
      ON(open_calling, test_wrong_rows),
      ON(open_calling, test_no_memory),
      ON(open_calling_fenced, test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
