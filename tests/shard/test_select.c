// select_and_scatter along a dimension that eight devices cut: what they give together is what the whole would, with padding, strides and
// regions of any kind, however the last parts end, and nothing is gathered for it.
#include "compiler/shard/shard.h"
#include "tests/compiler/pass_text.h"
#include "tests/compiler/rows_harness.h"

enum { DEVICES = 8, MOST = 128 };

typedef struct windows {
  int size, window, stride, low, high;
} windows;

static int sources_of(const windows *w) { return (w->size + w->low + w->high - w->window) / w->stride + 1; }

// ---- What is right --------------------------------------------------------------------------------------------------

// Who of two is kept depends on the order in which they are asked: no value may stand in for one that is not there.
static bool keeps(bool odd, int x, int y) { return odd ? ((3 * x + y) & 7) < 3 : x >= y; }

static void select_whole(const windows *w, bool odd, const int *x, const int *sources, int *out) {
  for (int i = 0; i < w->size; i++) {
    out[i] = 5;
  }
  for (int k = 0; k < sources_of(w); k++) {
    int best = -1;
    for (int i = k * w->stride - w->low; i < k * w->stride - w->low + w->window; i++) {
      if (i >= 0 && i < w->size) {
        best = best < 0 || !keeps(odd, x[best], x[i]) ? i : best;
      }
    }
    if (best >= 0) {
      out[best] = odd ? 3 * out[best] - sources[k] : out[best] + sources[k];
    }
  }
}

// ---- What devices give ----------------------------------------------------------------------------------------------

static void write_program(const windows *w, bool odd, char *text, size_t size) {
  static const char maximum[] = "%k = stablehlo.compare GE, %x, %y, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>",
                    sum[] = "%k = stablehlo.add %x, %y : tensor<i32>",
                    odd_one[] = "%t = stablehlo.constant dense<3> : tensor<i32>\n"
                                "%q = stablehlo.multiply %x, %t : tensor<i32>\n"
                                "%r = stablehlo.add %q, %y : tensor<i32>\n"
                                "%m = stablehlo.constant dense<7> : tensor<i32>\n"
                                "%n = stablehlo.and %r, %m : tensor<i32>\n"
                                "%k = stablehlo.compare LT, %n, %t, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>",
                    odd_fold[] = "%t = stablehlo.constant dense<3> : tensor<i32>\n"
                                 "%q = stablehlo.multiply %x, %t : tensor<i32>\n"
                                 "%k = stablehlo.subtract %q, %y : tensor<i32>";
  int length = snprintf(
      text, size,
      "sdy.mesh @mesh = <[\"x\"=8]>\n"
      "func.func public @main(%%a: tensor<%dxi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>},\n"
      "    %%b: tensor<%dxi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})\n"
      "    -> (tensor<%dxi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {\n"
      "  %%c = sdy.sharding_constraint %%a <@mesh, [{\"x\"}]> : tensor<%dxi32>\n"
      "  %%i = stablehlo.constant dense<5> : tensor<i32>\n"
      "  %%0 = \"stablehlo.select_and_scatter\"(%%c, %%b, %%i) <{padding = dense<[[%d, %d]]> : tensor<1x2xi64>,\n"
      "      window_dimensions = array<i64: %d>, window_strides = array<i64: %d>}> ({\n"
      "  ^bb0(%%x: tensor<i32>, %%y: tensor<i32>):\n%s\n  stablehlo.return %%k : tensor<i1>\n}, {\n"
      "  ^bb0(%%x: tensor<i32>, %%y: tensor<i32>):\n%s\n  stablehlo.return %%k : tensor<i32>\n"
      "  }) : (tensor<%dxi32>, tensor<%dxi32>, tensor<i32>) -> tensor<%dxi32>\n"
      "  %%1 = sdy.sharding_constraint %%0 <@mesh, [{\"x\"}]> : tensor<%dxi32>\n"
      "  %%2 = stablehlo.negate %%1 : tensor<%dxi32>\n"
      "  return %%2 : tensor<%dxi32>\n}\n",
      w->size, sources_of(w), w->size, w->size, w->low, w->high, w->window, w->stride, odd ? odd_one : maximum,
      odd ? odd_fold : sum, w->size, sources_of(w), w->size, w->size, w->size, w->size);
  assert_in_range(length, 1, size - 1);
}

// But what the program returns, which is whole on all.
static void expect_nothing_gathered(const char *text) {
  mr_module *module = read_ok(text);
  mr_compile_options options = {.num_partitions = DEVICES};
  mr_shard_boundary boundary;
  module->num_partitions = DEVICES;
  assert_ok(mr_shard_run(module, &options, &boundary));
  assert_int_equal(boundary.whole_ops, 0);
  assert_int_equal(count_kind(module, MR_OP_all_gather), 1);
  mr_module_release(module);
}

static void check_windows(const windows *w, bool odd) {
  int x[MOST], sources[MOST], wanted[MOST], got[MOST];
  for (int i = 0; i < w->size; i++) {
    x[i] = i * i * 7 % 11;
  }
  for (int i = 0; i < sources_of(w); i++) {
    sources[i] = 1 + i * 5 % 7;
  }
  select_whole(w, odd, x, sources, wanted);
  char text[4096];
  write_program(w, odd, text, sizeof text);
  expect_nothing_gathered(text);
  rows_case *c = rows_of(text, 1, DEVICES);
  for (uint32_t row = 0; row < DEVICES; row++) {
    c->arguments[row][0] = on_device(row, MR_S32, x, (int64_t[]){w->size}, 1);
    c->arguments[row][1] = on_device(row, MR_S32, sources, (int64_t[]){sources_of(w)}, 1);
  }
  run_rows(c);
  for (uint32_t row = 0; row < DEVICES; row += DEVICES - 1) {
    read_result(c, row, 0, got);
    for (int i = 0; i < w->size; i++) {
      if (got[i] != -wanted[i]) {
        fail_msg("element %d of %d, windows of %d by %d, padding %d and %d: %d, wanted %d", i, w->size, w->window,
                 w->stride, w->low, w->high, got[i], -wanted[i]);
      }
    }
  }
  end_rows(c);
}

static const windows all_windows[] = {
    {64, 3, 2, 0, 0},    // parts begin where windows do
    {64, 3, 2, 1, 0},    // with padding before,
    {64, 3, 2, 0, 1},    // behind,
    {64, 3, 1, 1, 1},    // and on both sides
    {64, 4, 1, 3, 0},    // as wide as the window reaches
    {64, 4, 3, 4, 5},    // whole windows of padding
    {64, 3, 2, -2, -3},  // what is taken away
    {120, 1, 3, 2, 0},   // windows that leave something out
    {104, 3, 2, 1, 1},   // parts of 13, of which every other begins within a window
    {61, 3, 2, 1, 1},    // the last part is shorter
    {57, 3, 2, 1, 0},    // is one element
    {65, 3, 2, 2, 2},    // the last device has nothing
    {73, 2, 3, 1, 1},    // neither where windows are apart
    {64, 1, 1, 1, -1},   // what is moved by one
};

// With the comparison and the sum of a pool's gradient.
static void test_gradients_of_pools(void **state) {
  (void)state;
  for (size_t i = 0; i < MR_ARRAY_SIZE(all_windows); i++) {
    check_windows(&all_windows[i], false);
  }
}

// With regions of which nothing is known.
static void test_any_regions(void **state) {
  (void)state;
  for (size_t i = 0; i < MR_ARRAY_SIZE(all_windows); i++) {
    check_windows(&all_windows[i], true);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gradients_of_pools),
      cmocka_unit_test(test_any_regions),
  };
  return cmocka_run_group_tests(tests, open_eight, close_platform);
}
