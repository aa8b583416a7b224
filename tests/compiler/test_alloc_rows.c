// Memory that runs out while a program runs over several devices: whichever allocation fails, on whichever thread, all rows end with a
// status or the call does, and nothing is kept.
#include "compiler/ir/ir.h"
#include "ops/library/library.h"
#include "tests/alloc_loop.h"
#include "tests/compiler/rows_harness.h"

enum { FEW = 4, MANY = 130 };

#define SUM(to, from)                                                                                         \
  "  " to " = \"stablehlo.all_reduce\"(" from ") ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"               \
  "    %m = stablehlo.add %p, %q : tensor<f32>\n    stablehlo.return %m : tensor<f32>\n}) {replica_groups = " \
  "dense<[]> : tensor<0x0xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : "         \
  "(tensor<4xf32>) -> tensor<4xf32>\n"
#define CALL(to, from) \
  "  " to " = stablehlo.custom_call @host(" from ") {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>\n"
#define HEAD "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"

static const char in_step[] = HEAD SUM("%x", "%a") SUM("%y", "%x") "  return %y : tensor<4xf32>\n}\n";
static const char calling[] = HEAD SUM("%x", "%a") CALL("%y", "%x") SUM("%z", "%y") "  return %z : tensor<4xf32>\n}\n";

static mr_status run_call(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  (void)call, (void)scratch, (void)group;
  memcpy(buffers[1], buffers[0], 4 * sizeof(float));
  return MR_OK;
}
static void keep_call(mr_library_call *call) { (void)call; }
static mr_library_call the_call = {.run = run_call, .destroy = keep_call, .calls_host = true, .name = "host"};
static mr_status make_call(const struct mr_op *op, mr_library_call **out_call) {
  (void)op;
  *out_call = &the_call;
  return MR_OK;
}

typedef struct attempt {
  rows_case *rows;
  bool pending;  // one argument comes when the call has returned
} attempt;

static mr_status make_pending(attempt *a, mr_future **out_ready, mr_storage **out_content) {
  mr_memory *there = &a->rows->rows[0].device->memories[MR_MEMORY_DEVICE];
  MR_TRY(mr_storage_allocate(there, 4 * sizeof(float), out_content));
  if (a->rows->rows[0].device->direct) {  // else it has whatever it has
    memset((*out_content)->data, 0, 4 * sizeof(float));
  }
  mr_status status = mr_future_create(out_ready);
  if (!status) {
    status = mr_buffer_create(there, MR_F32, (int64_t[]){4}, 1, NULL, mr_future_retain(*out_ready),
                              &a->rows->arguments[0][0]);
    if (status) {
      mr_future_set(*out_ready, MR_OK);
      mr_future_release(*out_ready);
    }
  }
  if (status) {
    mr_storage_release(*out_content);
  }
  return status;
}

// What all rows come to: the same, where it is an error.
static mr_status wait_for_all(rows_case *c) {
  mr_status first = MR_OK;
  uint32_t failed = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    if (c->rows[i].done) {
      assert_true(mr_future_wait_until(c->rows[i].done, mr_now_ns() + 60000000000));
      mr_status status = mr_future_status(c->rows[i].done);
      failed += status != MR_OK;
      first = first ? first : mr_status_retain(status);
      mr_future_release(c->rows[i].done);
      c->rows[i].done = NULL;
    }
  }
  assert_true(failed == 0 || failed == c->count);
  drop_results(c);
  return first;
}

static mr_status execute(void *context) {
  attempt *a = context;
  rows_case *c = a->rows;
  mr_buffer *there = c->arguments[0][0];
  mr_future *ready = NULL;
  mr_storage *content = NULL;
  if (a->pending) {
    mr_status status = make_pending(a, &ready, &content);
    if (status) {
      c->arguments[0][0] = there;
      return status;
    }
  }
  mr_status status = mr_execute_rows(c->executable, c->rows, c->count, 1);
  if (a->pending) {
    mr_buffer_define(c->arguments[0][0], content);
    mr_future_set(ready, MR_OK);
    mr_future_release(ready);
  }
  status = status ? status : wait_for_all(c);
  if (a->pending) {
    mr_buffer_release(c->arguments[0][0]);
    c->arguments[0][0] = there;
  }
  return status;
}

static void loop(const char *what, const char *text, uint32_t count, bool pending) {
  attempt a = {.rows = rows_of(text, 1, count), .pending = pending};
  for (uint32_t i = 0; i < count; i++) {
    a.rows->arguments[i][0] = on_device(i, MR_F32, (float[]){1, 2, 3, 4}, (int64_t[]){4}, 1);
  }
  expect_ok(execute(&a));
  print_message("%s: %llu allocations\n", what, (unsigned long long)alloc_loop(what, execute, &a, 1300000));
  end_rows(a.rows);
}

static void test_few(void **state) {
  (void)state;
  loop("rows in step", in_step, FEW, false);
  loop("rows in step, later", in_step, FEW, true);
  loop("rows that call the host", calling, FEW, false);
  loop("rows that call the host, later", calling, FEW, true);
  alloc_loops_ended_well();
}

static void test_many(void **state) {
  (void)state;
  loop("many rows in step", in_step, MANY, false);
  loop("many rows in step, later", in_step, MANY, true);
  loop("many rows that call the host", calling, MANY, true);
  alloc_loops_ended_well();
}

static int open_few(void **state) {
  (void)state;
  mr_set_custom_call_maker(make_call);
  return open_devices(FEW, NULL);
}
static int open_fenced(void **state) {
  (void)state;
  mr_set_custom_call_maker(make_call);
  return open_devices(FEW, "fenced");
}
static int open_many(void **state) {
  (void)state;
  mr_set_custom_call_maker(make_call);
  return open_devices(MANY, NULL);
}

int main(void) {
#define ON(open, test) cmocka_unit_test_setup_teardown(test, open, close_platform)
  const struct CMUnitTest tests[] = {ON(open_few, test_few), ON(open_fenced, test_few), ON(open_many, test_many)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
