// Operations that are read and checked and cannot be run are refused by name when a program is compiled, and what needs a
// second device is refused as such. tools/ops_page.py takes the list of the first from here.
#include "tests/compiler/execute_harness.h"

typedef struct refusal {
  const char *op;  // what the message names
  const char *program;
} refusal;

// Run nowhere.
static const refusal refused[] = {
    {"stablehlo.infeed", "func.func @main() -> tensor<2xf32> {\n"
                         "  %0 = stablehlo.create_token : !stablehlo.token\n"
                         "  %1:2 = \"stablehlo.infeed\"(%0) {infeed_config = \"\"} : (!stablehlo.token) -> "
                         "(tensor<2xf32>, !stablehlo.token)\n"
                         "  return %1#0 : tensor<2xf32>\n}\n"},
    {"stablehlo.outfeed",
     "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
     "  %0 = stablehlo.create_token : !stablehlo.token\n"
     "  %1 = \"stablehlo.outfeed\"(%x, %0) {outfeed_config = \"\"} : (tensor<2xf32>, !stablehlo.token) -> "
     "!stablehlo.token\n"
     "  return %x : tensor<2xf32>\n}\n"},
    {"stablehlo.set_dimension_size",
     "func.func @main(%x: tensor<3xi32>) -> tensor<i32> {\n"
     "  %0 = stablehlo.constant dense<2> : tensor<i32>\n"
     "  %1 = \"stablehlo.set_dimension_size\"(%x, %0) {dimension = 0 : i64} : (tensor<3xi32>, tensor<i32>) -> "
     "tensor<?xi32, #stablehlo.bounds<3>>\n"
     "  %2 = \"stablehlo.get_dimension_size\"(%1) {dimension = 0 : i64} : (tensor<?xi32, #stablehlo.bounds<3>>) -> "
     "tensor<i32>\n"
     "  return %2 : tensor<i32>\n}\n"},
};

// Run on one device.
static const refusal for_several[] = {
    {"stablehlo.all_gather",
     "func.func @main(%x: tensor<2xi32>) -> tensor<4xi32> {\n"
     "  %0 = \"stablehlo.all_gather\"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : "
     "tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<4xi32>\n"
     "  return %0 : tensor<4xi32>\n}\n"},
    {"stablehlo.send",  // to another device: only a host's callbacks are reached
     "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
     "  %0 = stablehlo.create_token : !stablehlo.token\n"
     "  %1 = \"stablehlo.send\"(%x, %0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, "
     "is_host_transfer = false} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token\n"
     "  return %x : tensor<2xf32>\n}\n"},
    {"stablehlo.recv",
     "func.func @main() -> tensor<2xf32> {\n"
     "  %0 = stablehlo.create_token : !stablehlo.token\n"
     "  %1:2 = \"stablehlo.recv\"(%0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, "
     "is_host_transfer = false} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)\n"
     "  return %1#0 : tensor<2xf32>\n}\n"},
};

static void expect_refused(const refusal *wanted) {
  mr_executable *executable = NULL;
  mr_status status = mr_compile((mr_span){wanted->program, strlen(wanted->program)}, NULL, &executable);
  assert_null(executable);
  if (mr_status_code(status) != MR_UNIMPLEMENTED || !strstr(mr_status_message(status), wanted->op)) {
    fail_msg("%s: %s: %s", wanted->op, mr_status_code_name(mr_status_code(status)), mr_status_message(status));
  }
  mr_status_free(status);
}

static void test_by_name(void **state) {
  (void)state;
  for (size_t i = 0; i < MR_ARRAY_SIZE(refused); i++) {
    expect_refused(&refused[i]);
  }
}

static void test_several_devices(void **state) {
  (void)state;
  for (size_t i = 0; i < MR_ARRAY_SIZE(for_several); i++) {
    expect_refused(&for_several[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_by_name),
      cmocka_unit_test(test_several_devices),
  };
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
