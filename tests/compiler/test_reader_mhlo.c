// The mhlo dialect in text: the same module as StableHLO's spelling gives; what has no twin is refused by name.
#include <stdio.h>
#include <string.h>

#include "compiler/reader/reader.h"
#include "tests/cmocka.h"

static mr_status read(const char *text, mr_module **out) {
  mr_status status = mr_read_text((mr_span){text, strlen(text)}, out);
  return status ? status : mr_module_verify(*out);
}

static void print(const char *source, mr_text *text) {
  mr_module *module;
  mr_status status = read(source, &module);
  if (status) {
    fail_msg("%s\n%s", mr_status_message(status), source);
  }
  mr_module_print(module, text);
  mr_text_append(text, (mr_str){"", 1});
  mr_module_release(module);
}

static void expect_same(const char *mhlo, const char *stablehlo) {
  mr_text a = {0}, b = {0};
  print(mhlo, &a);
  print(stablehlo, &b);
  assert_string_equal(a.data, b.data);
  mr_text_deinit(&a);
  mr_text_deinit(&b);
}

static void expect_refused(const char *text, mr_code code, const char *part) {
  mr_module *module;
  mr_status status = read(text, &module);
  assert_non_null(status);
  assert_int_equal(mr_status_code(status), code);
  assert_non_null(strstr(mr_status_message(status), part));
  mr_status_free(status);
  mr_module_release(module);
}

// Generic and pretty forms, a copy, and constants as a Rust client writes them.
static void test_plain_ops(void **state) {
  (void)state;
  expect_same("func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"
              "  %0 = \"mhlo.copy\"(%a) : (tensor<f32>) -> tensor<f32>\n"
              "  %1 = mhlo.constant dense<1.000000e+00> : tensor<f32>\n"
              "  %2 = mhlo.add %0, %1 : tensor<f32>\n"
              "  return %2 : tensor<f32>\n}",
              "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"
              "  %0 = stablehlo.convert %a : tensor<f32>\n"
              "  %1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>\n"
              "  %2 = stablehlo.add %0, %1 : tensor<f32>\n"
              "  return %2 : tensor<f32>\n}");
}

// Lists as dense constants, reducers in the short form, regions that end in mhlo.return.
static void test_reductions(void **state) {
  (void)state;
  expect_same("func.func @main(%a: tensor<2x3xf32>, %z: tensor<f32>) -> (tensor<2xf32>, tensor<3xf32>) {\n"
              "  %0 = mhlo.reduce(%a init: %z) applies mhlo.add across dimensions = [1] : "
              "(tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>\n"
              "  %1 = \"mhlo.reduce\"(%a, %z) ({\n"
              "  ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
              "    %m = mhlo.maximum %x, %y : tensor<f32>\n"
              "    mhlo.return %m : tensor<f32>\n"
              "  }) {dimensions = dense<0> : tensor<1xi64>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>\n"
              "  return %0, %1 : tensor<2xf32>, tensor<3xf32>\n}",
              "func.func @main(%a: tensor<2x3xf32>, %z: tensor<f32>) -> (tensor<2xf32>, tensor<3xf32>) {\n"
              "  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : "
              "(tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>\n"
              "  %1 = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions = [0] : "
              "(tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>\n"
              "  return %0, %1 : tensor<2xf32>, tensor<3xf32>\n}");
}

// Tokens, enums by mhlo's name, a schedule that only XLA knows, functions that StableHLO keeps in CHLO.
static void test_attributes_and_types(void **state) {
  (void)state;
  expect_same("func.func @main(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, !mhlo.token) {\n"
              "  %t = mhlo.create_token : !mhlo.token\n"
              "  %0 = \"mhlo.dot\"(%a, %a) {precision_config = [#mhlo<precision HIGHEST>, #mhlo<precision HIGHEST>]} : "
              "(tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>\n"
              "  %1 = mhlo.erf %0 : tensor<4x4xf32>\n"
              "  return %1, %t : tensor<4x4xf32>, !mhlo.token\n}",
              "func.func @main(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, !stablehlo.token) {\n"
              "  %t = stablehlo.create_token : !stablehlo.token\n"
              "  %0 = stablehlo.dot %a, %a, precision = [HIGHEST, HIGHEST] : "
              "(tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>\n"
              "  %1 = chlo.erf %0 : tensor<4x4xf32> -> tensor<4x4xf32>\n"
              "  return %1, %t : tensor<4x4xf32>, !stablehlo.token\n}");
  mr_text text = {0};
  print("func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"
        "  %0 = mhlo.custom_call @f(%a) {custom_call_schedule = #mhlo<custom_call_schedule NONE>} : "
        "(tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}",
        &text);
  assert_non_null(strstr(text.data, "call_target_name = \"f\""));
  mr_text_deinit(&text);
}

static void test_top_k(void **state) {
  (void)state;
  expect_same("func.func @main(%a: tensor<8xf32>) -> (tensor<3xf32>, tensor<3xi32>) {\n"
              "  %0:2 = mhlo.topk(%a, k = 3) : tensor<8xf32> -> (tensor<3xf32>, tensor<3xi32>)\n"
              "  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>\n}",
              "func.func @main(%a: tensor<8xf32>) -> (tensor<3xf32>, tensor<3xi32>) {\n"
              "  %0:2 = chlo.top_k(%a, k = 3) : tensor<8xf32> -> (tensor<3xf32>, tensor<3xi32>)\n"
              "  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>\n}");
  expect_refused("func.func @main(%a: tensor<8xf32>) -> (tensor<3xf32>, tensor<3xi32>) {\n"
                 "  %0:2 = mhlo.topk(%a, k = 3, largest = false) : tensor<8xf32> -> (tensor<3xf32>, tensor<3xi32>)\n"
                 "  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>\n}",
                 MR_UNIMPLEMENTED, "2:10: mhlo.topk of the smallest");
}

static void test_what_has_no_twin(void **state) {
  (void)state;
  expect_refused("func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"
                 "  %0 = \"mhlo.stochastic_convert\"(%a) : (tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}",
                 MR_UNIMPLEMENTED, "op mhlo.stochastic_convert");
  expect_refused("func.func @main(%a: tensor<2x3xf32>) -> tensor<6xf32> {\n"
                 "  %0 = \"mhlo.bitcast\"(%a) {source_layout = dense<[0, 1]> : tensor<2xindex>} : (tensor<2x3xf32>) -> "
                 "tensor<6xf32>\n  return %0 : tensor<6xf32>\n}",
                 MR_UNIMPLEMENTED, "layouts that are not row-major");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plain_ops),
      cmocka_unit_test(test_reductions),
      cmocka_unit_test(test_attributes_and_types),
      cmocka_unit_test(test_top_k),
      cmocka_unit_test(test_what_has_no_twin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
