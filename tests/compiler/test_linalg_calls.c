// LAPACK's custom calls as programs have them: what is taken and what is refused, before anything runs.
#include <stdio.h>
#include <string.h>

#include "compiler/compiler.h"
#include "tests/cmocka.h"

static mr_status compile_call(const char *call, const char *result) {
  char text[2048];
  snprintf(text, sizeof text,
           "func.func @main(%%a: tensor<4x4xf32>) -> tensor<4x4xf32> {\n  %s\n  return %s : tensor<4x4xf32>\n}\n", call,
           result);
  mr_executable *executable = NULL;
  mr_status status = mr_compile((mr_span){text, strlen(text)}, NULL, &executable);
  mr_executable_release(executable);
  return status;
}

#define LAYOUTS                                           \
  "operand_layouts = [dense<[0, 1]> : tensor<2xindex>], " \
  "result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]"

// Column-major layouts and a known triangle are all that it takes.
static void test_a_factorisation_is_taken(void **state) {
  (void)state;
  mr_status status = compile_call(
      "%0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}, " LAYOUTS
      "} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)",
      "%0#0");
  assert_null(status);
}

// Each is refused by name: row-major matrices, a triangle that is none, results of other types, too few operands, targets
// that nobody knows.
static void test_what_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *call, *result, *named;
  } cases[] = {
      {"%0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : "
       "(tensor<4x4xf32>) -> "
       "(tensor<4x4xf32>, tensor<i32>)",
       "%0#0", "lapack_spotrf_ffi"},
      {"%0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 99 : ui8}, " LAYOUTS
       "} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)",
       "%0#0", "uplo = 99"},
      {"%0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}, " LAYOUTS
       "} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i64>)",
       "%0#0", "lapack_spotrf_ffi"},
      {"%0:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}, " LAYOUTS
       "} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)",
       "%0#0", "lapack_dpotrf_ffi"},
      {"%0 = stablehlo.custom_call @lapack_sorgqr_ffi(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>", "%0",
       "lapack_sorgqr_ffi"},
      {"%0 = stablehlo.custom_call @nobody(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>", "%0", "nobody"},
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    mr_status status = compile_call(cases[i].call, cases[i].result);
    assert_int_equal(mr_status_code(status), MR_UNIMPLEMENTED);
    if (!strstr(mr_status_message(status), cases[i].named)) {
      fail_msg("%s", mr_status_message(status));
    }
    mr_status_free(status);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_factorisation_is_taken),
      cmocka_unit_test(test_what_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
