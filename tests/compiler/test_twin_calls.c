// Custom calls in the place of ops, as hosts write them that know no chlo, and in the place of several results.
#include "tests/compiler/execute_harness.h"

static void run_one(const char *text, const float *in, size_t count, const float *wanted, size_t num_wanted) {
  mr_executable *e = compile(text);
  mr_buffer *argument = floats(in, (int64_t)count), *result;
  run(e, &argument, 1, &result);
  expect_floats(result, wanted, num_wanted);
  release_all(&argument, 1);
  release_all(&result, 1);
  mr_executable_release(e);
}

static void test_elementwise(void **state) {
  (void)state;
  run_one("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
          "%y = stablehlo.custom_call @mhlo.square(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64}"
          " : (tensor<2xf32>) -> tensor<2xf32>\n"
          "%z = stablehlo.custom_call @mhlo.sinh(%y) {mhlo.attributes = {}, mhlo.version = 1 : i64}"
          " : (tensor<2xf32>) -> tensor<2xf32>\n"
          "return %z : tensor<2xf32>\n}\n",
          (float[]){0, 1}, 2, (float[]){0, 1.17520119364380145688F}, 2);
}

static void test_top_k(void **state) {
  (void)state;
  run_one("func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {\n"
          "%v, %i = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = true}, "
          "mhlo.version = 1 : i64} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)\n"
          "return %v : tensor<2xf32>\n}\n",
          (float[]){3, 9, 1, 5}, 4, (float[]){9, 5}, 2);
}

// What the words do not say is refused by its name, as other calls are.
static void expect_refused(const char *text, mr_code code, const char *says) {
  mr_executable *executable = NULL;
  mr_status status = mr_compile((mr_span){text, strlen(text)}, NULL, &executable);
  assert_int_equal(mr_status_code(status), code);
  assert_non_null(strstr(mr_status_message(status), says));
  mr_status_free(status);
}

static void test_refuses(void **state) {
  (void)state;
  expect_refused("func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {\n"
                 "%v, %i = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = false}}"
                 " : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)\n"
                 "return %v : tensor<2xf32>\n}\n",
                 MR_UNIMPLEMENTED, "mhlo.topk");
  expect_refused("func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {\n"
                 "%v = stablehlo.custom_call @mhlo.erf(%x) : (tensor<4xf32>) -> tensor<2xf32>\n"
                 "return %v : tensor<2xf32>\n}\n",
                 MR_INVALID_ARGUMENT, "erf");
  expect_refused("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                 "%v = stablehlo.custom_call @mhlo.nothing(%x) : (tensor<4xf32>) -> tensor<4xf32>\n"
                 "return %v : tensor<4xf32>\n}\n",
                 MR_UNIMPLEMENTED, "mhlo.nothing");
}

// Operands that the op has not, more or fewer of them, and types that it is not for.
static void test_bad_operands(void **state) {
  (void)state;
  static const char *const calls[][2] = {
      {"@mhlo.zeta(%x) : (tensor<4xf32>) -> tensor<4xf32>", "zeta"},
      {"@mhlo.erf(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>", "erf"},
      {"@mhlo.erf() : () -> tensor<4xf32>", "erf"},
      {"@mhlo.is_inf(%x) : (tensor<4xf32>) -> tensor<4xf32>", "is_inf"},
      {"@mhlo.topk(%x) {mhlo.attributes = {k = 9 : i64}} : (tensor<4xf32>) -> tensor<4xf32>", "k"},
      {"@mhlo.erf(%i) : (tensor<4xi32>) -> tensor<4xf32>", "erf"},
      {"@mhlo.lgamma(%i) : (tensor<4xi32>) -> tensor<4xi32>", "lgamma"},
  };
  for (size_t k = 0; k < MR_ARRAY_SIZE(calls); k++) {
    char text[512];
    snprintf(text, sizeof text,
             "func.func @main(%%x: tensor<4xf32>, %%i: tensor<4xi32>) -> tensor<4xf32> {\n"
             "%%v = stablehlo.custom_call %s\nreturn %%x : tensor<4xf32>\n}\n",
             calls[k][0]);
    expect_refused(text, MR_INVALID_ARGUMENT, calls[k][1]);
  }
}

// The name of the call is what is told, no longer that it gives a tuple.
static void test_takes_tuples_apart(void **state) {
  (void)state;
  expect_refused("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                 "%t = stablehlo.custom_call @gives_two(%x) : (tensor<4xf32>) -> tuple<tensor<4xf32>, tensor<4xf32>>\n"
                 "%b = stablehlo.get_tuple_element %t[1] : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>\n"
                 "return %b : tensor<4xf32>\n}\n",
                 MR_UNIMPLEMENTED, "gives_two");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_elementwise),
      cmocka_unit_test(test_top_k),
      cmocka_unit_test(test_refuses),
      cmocka_unit_test(test_bad_operands),
      cmocka_unit_test(test_takes_tuples_apart),
  };
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
