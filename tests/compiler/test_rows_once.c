// Programs over several devices: what all would compute alike is computed once and lies in one place, and nobody can tell from what is
// in the buffers.
#include "tests/compiler/rows_harness.h"

enum { DEVICES = 8, N = 1 << 20 };

#define WHOLE "{sdy.sharding = #sdy.sharding<@mesh, [{}]>}"
#define CUT "{sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}"
#define LARGE "tensor<1048576xf32>"
// w and a sum over what is cut: new w = 2 * w + sum, and the cut parameter with one more. `donated`: of w.
#define PROGRAM(donated)                                                                                   \
  "module @m attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {\n"                  \
  "sdy.mesh @mesh = <[\"x\"=8]>\n"                                                                         \
  "func.func public @main(%w: " LARGE " {" donated "sdy.sharding = #sdy.sharding<@mesh, [{}]>}, "          \
  "%a: tensor<16xf32> " CUT ") -> (" LARGE " " WHOLE ", tensor<16xf32> " CUT ") {\n"                       \
  "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"                                                   \
  "  %one = stablehlo.constant dense<1.0> : tensor<16xf32>\n"                                              \
  "  %s = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, " \
  "tensor<f32>) -> tensor<f32>\n"                                                                          \
  "  %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> " LARGE "\n"                         \
  "  %d = stablehlo.add %w, %w : " LARGE "\n"                                                              \
  "  %r = stablehlo.add %d, %b : " LARGE "\n"                                                              \
  "  %c = stablehlo.add %a, %one : tensor<16xf32>\n"                                                       \
  "  return %r, %c : " LARGE ", tensor<16xf32>\n}\n}\n"

// Element k of w on each device, and of its part of a: the sum of all is 120.
static float weight(int64_t k) { return (float)(k % 1000); }
static const float SUM = 120;

static void give(rows_case *c) {
  static float w[N];
  for (int64_t k = 0; k < N; k++) {
    w[k] = weight(k);
  }
  for (uint32_t i = 0; i < c->count; i++) {
    float a[2] = {(float)(2 * i), (float)(2 * i + 1)};
    c->arguments[i][0] = on_device(i, MR_F32, w, (int64_t[]){N}, 1);
    c->arguments[i][1] = on_device(i, MR_F32, a, (int64_t[]){2}, 1);
  }
}

static const float *address(mr_buffer *buffer) {
  void *data = NULL;
  expect_ok(mr_buffer_address(buffer, false, false, &data));
  return data;
}

static bool in_one_place(const rows_case *c) {
  for (uint32_t i = 1; i < c->count; i++) {
    if (address(c->results[i][0]) != address(c->results[0][0])) {
      return false;
    }
  }
  return true;
}

static void expect_weights(rows_case *c, uint32_t row, float factor, float added) {
  static float got[N];
  read_result(c, row, 0, got);
  for (int64_t k = 0; k < N; k++) {
    if (got[k] != factor * weight(k) + added) {
      fail_msg("row %u, element %lld is %g, wanted %g", row, (long long)k, (double)got[k],
               (double)(factor * weight(k) + added));
    }
  }
}

static void expect_all(rows_case *c, float factor, float added) {
  for (uint32_t i = 0; i < c->count; i++) {
    expect_weights(c, i, factor, added);
    float part[2];
    read_result(c, i, 1, part);
    assert_true(part[0] == (float)(2 * i + 1) && part[1] == (float)(2 * i + 2));
  }
}

static rows_case *first_run(const char *text) {
  rows_case *c = rows_of(text, 1, DEVICES);
  give(c);
  run_rows(c);
  return c;
}

static void test_computed_once(void **state) {
  (void)state;
  rows_case *c = first_run(PROGRAM(""));
  assert_true(in_one_place(c));
  expect_all(c, 2, SUM);
  // What is deleted on one device stays on the others.
  mr_buffer_delete(c->results[0][0]);
  expect_weights(c, 5, 2, SUM);
  end_rows(c);
}

// A host may give one device something else: then each has its own.
static void test_other_content(void **state) {
  (void)state;
  rows_case *c = rows_of(PROGRAM(""), 1, DEVICES);
  give(c);
  static float zeros[N];
  mr_buffer_release(c->arguments[3][0]);
  c->arguments[3][0] = on_device(3, MR_F32, zeros, (int64_t[]){N}, 1);
  run_rows(c);
  for (uint32_t i = 0; i < DEVICES; i++) {
    expect_weights(c, i, i == 3 ? 0 : 2, SUM);
  }
  assert_false(in_one_place(c));
  end_rows(c);
}

// The results become the arguments.
static void hand_on(rows_case *c) {
  for (uint32_t i = 0; i < c->count; i++) {
    mr_buffer_release(c->arguments[i][0]);
    c->arguments[i][0] = c->results[i][0];
    c->results[i][0] = NULL;
    mr_buffer_release(c->results[i][1]);
    c->results[i][1] = NULL;
  }
}

// What nobody but the rows has is written in its one place; what somebody looks at is not.
static void test_donated(void **state) {
  (void)state;
  rows_case *c = first_run(PROGRAM("tf.aliasing_output = 0 : i32, "));
  assert_true(in_one_place(c));
  expect_all(c, 2, SUM);
  const float *before = address(c->results[0][0]);
  hand_on(c);
  run_rows(c);
  assert_true(in_one_place(c));
  assert_ptr_equal(address(c->results[0][0]), before);
  expect_all(c, 4, 3 * SUM);
  hand_on(c);
  mr_buffer *seen = mr_buffer_retain(c->arguments[2][0]);
  mr_buffer_external_retain(seen);
  const float *view = address(seen);
  assert_ptr_equal(view, before);
  run_rows(c);
  assert_true(in_one_place(c));
  assert_ptr_not_equal(address(c->results[0][0]), before);
  expect_all(c, 8, 7 * SUM);
  assert_true(view[17] == 4 * weight(17) + 3 * SUM);
  mr_buffer_external_release(seen);
  mr_buffer_release(seen);
  end_rows(c);
}

// One of the rows keeps its argument: it stays as it is.
static void test_donated_by_some(void **state) {
  (void)state;
  rows_case *c = first_run(PROGRAM("tf.aliasing_output = 0 : i32, "));
  hand_on(c);
  mr_buffer *kept = c->arguments[6][0];
  mr_execute_options keep = {.donates = (const bool[]){false, false}};
  c->rows[6].options = &keep;
  run_rows(c);
  expect_all(c, 4, 3 * SUM);
  assert_false(mr_buffer_is_deleted(kept));
  assert_true(address(kept)[17] == 2 * weight(17) + SUM);
  assert_true(mr_buffer_is_deleted(c->arguments[5][0]));
  end_rows(c);
}

// Who writes to one device's buffer from outside does not write to the others'.
static void test_written_from_outside(void **state) {
  (void)state;
  rows_case *c = first_run(PROGRAM(""));
  mr_buffer *one = c->results[4][0];
  mr_buffer_external_retain(one);
  void *data = NULL;
  expect_ok(mr_buffer_address(one, true, false, &data));
  ((float *)data)[0] = -1;
  assert_ptr_equal(address(one), data);
  expect_weights(c, 3, 2, SUM);
  expect_weights(c, 5, 2, SUM);
  float first = 0;
  mr_hold *hold = NULL;
  mr_future *done = NULL;
  expect_ok(mr_buffer_hold(c->results[1][0], false, &hold));
  expect_ok(mr_hold_write(hold, 0, sizeof first, &(float){-2}, &done));
  wait_for(done);
  mr_hold_release(hold);
  assert_true(address(c->results[1][0])[0] == -2 && address(one)[0] == -1 && address(c->results[0][0])[0] == SUM);
  // And the next run takes what each has.
  hand_on(c);
  run_rows(c);
  assert_true(address(c->results[4][0])[0] == -2 + SUM && address(c->results[1][0])[0] == -4 + SUM);
  expect_weights(c, 7, 4, 3 * SUM);
  mr_buffer_external_release(c->arguments[4][0]);
  end_rows(c);
}

// Devices that share no memory each do all of it.
static void test_fenced(void **state) {
  (void)state;
  rows_case *c = first_run(PROGRAM(""));
  expect_all(c, 2, SUM);
  end_rows(c);
}

// Content that is the same is compared once.
static void test_twins(void **state) {
  (void)state;
  rows_case *c = first_run(PROGRAM(""));
  mr_storage *a = NULL, *b = NULL;
  expect_ok(mr_buffer_storage(c->arguments[0][0], &a));
  expect_ok(mr_buffer_storage(c->arguments[7][0], &b));
  assert_true(a != b && mr_storage_are_twins(a, b));
  mr_storage_touch(b);
  assert_false(mr_storage_are_twins(a, b));
  mr_storage_release(a);
  mr_storage_release(b);
  end_rows(c);
}

int main(void) {
#define ON(test, devices) cmocka_unit_test_setup_teardown(test, open_##devices, close_platform)
  const struct CMUnitTest tests[] = {
      ON(test_computed_once, eight),   ON(test_other_content, eight),        ON(test_donated, eight),
      ON(test_donated_by_some, eight), ON(test_written_from_outside, eight), ON(test_twins, eight),
      ON(test_fenced, eight_fenced)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
