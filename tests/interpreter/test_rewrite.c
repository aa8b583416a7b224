// Ops of StableHLO's interpreter tests as custom calls, which is how the engine reads them.
#include <stdlib.h>

#include "tests/cmocka.h"
#include "tools/interpreter/rewrite.c"

static void expect(const char *text, const char *wanted) {
  size_t size;
  char *got = interpreter_rewrite(text, strlen(text), &size);
  assert_non_null(got);
  assert_int_equal(size, strlen(got));
  assert_string_equal(got, wanted);
  free(got);
}

#define CALL(operands, attributes, types) \
  "\"stablehlo.custom_call\"(" operands ") <{call_target_name = \"" attributes "}> : (" types ") -> ()"

// Operands, constants, clauses and dictionaries of the pretty forms, with a type for all operands or one for each.
static void test_pretty_forms(void **state) {
  (void)state;
  expect("check.expect_eq %a, %b#1 : tensor<2xf32>\n",
         CALL("%a, %b#1", "check.expect_eq\", has_side_effect = true", "tensor<2xf32>, tensor<2xf32>") "\n");
  expect("check.expect_eq_const %a, dense<[1, 2]> : tensor<2xi32>\nreturn",
         CALL("%a", "check.expect_eq_const\", has_side_effect = true, value = dense<[1, 2]> : tensor<2xi32>",
              "tensor<2xi32>") "\nreturn");
  expect("check.expect_close %a, %b, max_ulp_difference = 3 : tensor<f32>, tensor<f32>",
         CALL("%a, %b", "check.expect_close\", has_side_effect = true, max_ulp_difference = 3 : ui64",
              "tensor<f32>, tensor<f32>"));
  expect(
      "check.expect_almost_eq_const %a, dense<2.0> : tensor<f32> {tolerance = 0.1 : f64}",
      CALL("%a",
           "check.expect_almost_eq_const\", has_side_effect = true, value = dense<2.0> : tensor<f32>, tolerance = 0.1 "
           ": f64",
           "tensor<f32>"));
}

// The generic form keeps what it has; lines stay where they are.
static void test_generic_forms(void **state) {
  (void)state;
  expect(
      "%r:2 = \"interpreter.run_parallel\"(%a) {programs = [[@f]]} : (tensor<f32>)\n  -> tensor<f32>",
      "%r:2 = \"stablehlo.custom_call\"(%a) {call_target_name = \"interpreter.run_parallel\", has_side_effect = true, "
      "programs = [[@f]]} : (tensor<f32>)\n  -> tensor<f32>");
  expect("\"check.expect_eq\"(%a, %b) : (T, T) -> ()", "\"stablehlo.custom_call\"(%a, %b) <{call_target_name = "
                                                       "\"check.expect_eq\", has_side_effect = true}> : (T, T) -> "
                                                       "()");
  expect("check.expect_eq\n %a,\n %b : T", CALL("%a, %b", "check.expect_eq\", has_side_effect = true", "T, T") "\n\n");
}

// Comments, strings and other ops are none of this; what is not understood is left for the reader to refuse.
static void test_the_rest_stays(void **state) {
  (void)state;
  static const char *const same[] = {
      "// check.expect_eq %a, %b : T\nreturn",
      "\"a \\\" check.expect_eq %a : T\"",
      "%check.expect = stablehlo.add %a, %b",
      "check.expect_eq",
      "check.expect_eq %a, = : T",
      "func.func @check.expect_x() {}",
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(same); i++) {
    expect(same[i], same[i]);
  }
}

// Text that ends anywhere is read to its end and no further. (The sanitizers watch.)
static void test_cut_anywhere(void **state) {
  (void)state;
  static const char text[] = "\"check.expect_eq\"(%a) {x = \"y\"} : (T) -> ()\n// c\ncheck.expect_close %a, %b, "
                             "max_ulp_difference = 3 {z = [1]} : tensor<2xf32>, tensor<2xf32> {w}\n"
                             "check.expect_eq_const %a, dense<[1, 2]> : tensor<2xi32>";
  for (size_t size = 0; size < sizeof text; size++) {
    char *exact = malloc(size + (size == 0));
    size_t got;
    memcpy(exact, text, size);
    free(interpreter_rewrite(exact, size, &got));
    free(exact);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pretty_forms),
      cmocka_unit_test(test_generic_forms),
      cmocka_unit_test(test_the_rest_stays),
      cmocka_unit_test(test_cut_anywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
