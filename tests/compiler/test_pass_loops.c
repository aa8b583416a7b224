// Loops: what their counters tell, rounds that can be counted, code that does not change from round to round.
#include "tests/compiler/pass_text.h"

// for (i = 0; i < limit; i++) x = body(x, i, j), where j counts as i does. %u is a captured argument.
static mr_module *loop(const char *limit, const char *body) {
  char text[4096];
  snprintf(text, sizeof text,
           "func.func public @main(%%x: tensor<4xf32>, %%u: tensor<4xf32>, %%n: tensor<i32>) -> tensor<4xf32> {\n"
           "  %%z = stablehlo.constant dense<0> : tensor<i32>\n"
           "  %%0:3 = \"stablehlo.while\"(%%z, %%z, %%x) ({\n"
           "  ^bb0(%%i: tensor<i32>, %%j: tensor<i32>, %%a: tensor<4xf32>):\n"
           "    %%k = stablehlo.constant dense<%s> : tensor<i32>\n"
           "    %%l = stablehlo.compare LT, %%i, %%k : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
           "    stablehlo.return %%l : tensor<i1>\n  }, {\n"
           "  ^bb0(%%i: tensor<i32>, %%j: tensor<i32>, %%a: tensor<4xf32>):\n"
           "    %%one = stablehlo.constant dense<1> : tensor<i32>\n"
           "    %%i1 = stablehlo.add %%i, %%one : tensor<i32>\n    %%j1 = stablehlo.add %%j, %%one : tensor<i32>\n%s\n"
           "    stablehlo.return %%i1, %%j1, %%r : tensor<i32>, tensor<i32>, tensor<4xf32>\n"
           "  }) : (tensor<i32>, tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<i32>, tensor<4xf32>)\n"
           "  return %%0#2 : tensor<4xf32>\n}\n",
           limit, body);
  return read_ok(text);
}

#define SUM "    %r = stablehlo.add %a, %u : tensor<4xf32>"

// No round: what went in; one round: the body alone; more: a loop with one counter.
static void test_trip_counts(void **state) {
  (void)state;
  mr_module *module = loop("0", SUM);
  run_ok(mr_pass_simplify, module);
  assert_ptr_equal(returned(module, 0), argument(module, 0));
  mr_module_release(module);

  module = loop("1", SUM);
  run_ok(mr_pass_simplify, module);
  assert_int_equal(count_kind(module, MR_OP_while), 0);
  assert_ptr_equal(mr_op_operand(returned(module, 0)->def, 0), argument(module, 0));
  mr_module_release(module);

  module = loop("2", SUM);
  run_ok(mr_pass_simplify, module);
  run_ok(mr_pass_dce, module);
  mr_op *op = find_kind(module, MR_OP_while);
  int64_t trips = 0;
  assert_true(mr_while_trips(op, &trips));
  assert_int_equal(trips, 2);
  assert_int_equal(op->num_results, 2);
  mr_module_release(module);
}

// An index that counts from zero to a small limit is never negative: the wrap-around of negative indices goes.
static void test_counters_have_bounds(void **state) {
  (void)state;
  static const char body[] =
      "    %f = stablehlo.constant dense<4> : tensor<i32>\n    %y = stablehlo.constant dense<0> : tensor<i32>\n"
      "    %neg = stablehlo.compare LT, %j, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    %w = stablehlo.add %j, %f : tensor<i32>\n    %at = stablehlo.select %neg, %w, %j : tensor<i1>, tensor<i32>\n"
      "    %s = stablehlo.dynamic_slice %u, %at, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>\n"
      "    %t = stablehlo.reshape %s : (tensor<1xf32>) -> tensor<f32>\n"
      "    %b = stablehlo.broadcast_in_dim %t, dims = [] : (tensor<f32>) -> tensor<4xf32>\n"
      "    %r = stablehlo.add %a, %b : tensor<4xf32>";
  mr_module *module = loop("4", body);
  run_ok(mr_pass_simplify, module);
  run_ok(mr_pass_dce, module);
  assert_int_equal(count_kind(module, MR_OP_select), 0);
  mr_op *slice = find_kind(module, MR_OP_dynamic_slice);
  int64_t low, high;
  assert_true(mr_value_range(mr_op_operand(slice, 1), &low, &high));
  assert_int_equal(low, 0);
  assert_int_equal(high, 3);
  mr_module_release(module);

  // With steps of one the largest limit is still reached without wrapping, but that is not worth knowing: one step more
  // than the limit must fit.
  module = loop("2147483647", body);
  run_ok(mr_pass_simplify, module);
  run_ok(mr_pass_dce, module);
  assert_int_equal(count_kind(module, MR_OP_select), 1);
  mr_module_release(module);
}

// Arithmetic that may wrap has no range beyond its type's.
static void test_ranges_do_not_wrap(void **state) {
  (void)state;
  mr_module *module =
      read_ok("func.func public @main(%a: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>, tensor<4xui8>) {\n"
              "  %c = stablehlo.constant dense<100> : tensor<4xi8>\n  %s = stablehlo.constant dense<7> : tensor<4xi8>\n"
              "  %m = stablehlo.and %a, %s : tensor<4xi8>\n  %0 = stablehlo.add %m, %c : tensor<4xi8>\n"
              "  %1 = stablehlo.add %0, %c : tensor<4xi8>\n"
              "  %2 = stablehlo.convert %m : (tensor<4xi8>) -> tensor<4xui8>\n"
              "  return %0, %1, %2 : tensor<4xi8>, tensor<4xi8>, tensor<4xui8>\n}\n");
  static const int64_t wanted[3][2] = {{100, 107}, {-128, 127}, {0, 7}};
  for (uint32_t i = 0; i < 3; i++) {
    int64_t low, high;
    assert_true(mr_value_range(returned(module, i), &low, &high));
    assert_int_equal(low, wanted[i][0]);
    assert_int_equal(high, wanted[i][1]);
  }
  mr_module_release(module);
}

// What depends only on captured values moves in front of the loop, with its constants; what grows stays.
static void test_hoisting(void **state) {
  (void)state;
  mr_module *module =
      loop("9", "    %c = stablehlo.constant dense<2.0> : tensor<4xf32>\n"
                "    %m = stablehlo.multiply %u, %c : tensor<4xf32>\n"
                "    %e = stablehlo.exponential %m : tensor<4xf32>\n"
                "    %g = stablehlo.slice %u [0:1] : (tensor<4xf32>) -> tensor<1xf32>\n"
                "    %h = stablehlo.reshape %g : (tensor<1xf32>) -> tensor<f32>\n"
                "    %b = stablehlo.broadcast_in_dim %h, dims = [] : (tensor<f32>) -> tensor<4xf32>\n"
                "    %d = stablehlo.sine %a : tensor<4xf32>\n"
                "    %s = stablehlo.add %d, %b : tensor<4xf32>\n    %r = stablehlo.add %s, %e : tensor<4xf32>");
  run_ok(mr_pass_hoist, module);
  mr_block *outside = &module->functions->body;
  assert_ptr_equal(find_kind(module, MR_OP_exponential)->block, outside);
  assert_ptr_equal(find_kind(module, MR_OP_slice)->block, outside);
  assert_ptr_not_equal(find_kind(module, MR_OP_broadcast_in_dim)->block, outside);
  assert_ptr_not_equal(find_kind(module, MR_OP_sine)->block, outside);
  mr_module_release(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_trip_counts),
      cmocka_unit_test(test_counters_have_bounds),
      cmocka_unit_test(test_ranges_do_not_wrap),
      cmocka_unit_test(test_hoisting),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
