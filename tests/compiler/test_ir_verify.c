// The verifier and the shape rules: what is refused, by which words.
#include "tests/compiler/pass_text.h"

#define MAIN(args, result, body) "func.func public @main(" args ") -> " result " {\n" body "\n}\n"

// Elementwise operands must agree, and the result must be what the rule says.
static void test_elementwise(void **state) {
  (void)state;
  refuse(MAIN("%a: tensor<4xf32>, %b: tensor<5xf32>", "tensor<4xf32>",
              "%0 = \"stablehlo.add\"(%a, %b) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>\n"
              "return %0 : tensor<4xf32>"),
         MR_INVALID_ARGUMENT, "tensor<5xf32>");
  refuse(MAIN("%a: tensor<4xf32>", "tensor<5xf32>",
              "%0 = \"stablehlo.negate\"(%a) : (tensor<4xf32>) -> tensor<5xf32>\nreturn %0 : tensor<5xf32>"),
         MR_INVALID_ARGUMENT, "tensor<5xf32>");
  refuse(MAIN("%a: tensor<4xf32>", "tensor<4xf32>",
              "%0 = \"stablehlo.and\"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n"
              "return %0 : tensor<4xf32>"),
         MR_INVALID_ARGUMENT, "not defined on tensor<4xf32>");
}

// Tensors that no memory holds and ranks beyond the limit are refused by name.
static void test_sizes(void **state) {
  (void)state;
  refuse(MAIN("%a: tensor<2147483648x2147483648xi8>", "tensor<2147483648x2147483648xi8>",
              "return %a : tensor<2147483648x2147483648xi8>"),
         MR_INVALID_ARGUMENT, "2147483648x2147483648xi8");
  refuse(MAIN("%a: tensor<f32>", "tensor<4611686018427387904xf32>",
              "%0 = \"stablehlo.broadcast_in_dim\"(%a) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> "
              "tensor<4611686018427387904xf32>\nreturn %0 : tensor<4611686018427387904xf32>"),
         MR_INVALID_ARGUMENT, "4611686018427387904");
}

// Attributes are checked against the operand's shape without overflow.
static void test_attributes(void **state) {
  (void)state;
  refuse(MAIN("%a: tensor<4xf32>", "tensor<2xf32>",
              "%0 = \"stablehlo.slice\"(%a) <{start_indices = array<i64: 1>, limit_indices = array<i64: 6>, strides = "
              "array<i64: 2>}> : (tensor<4xf32>) -> tensor<2xf32>\nreturn %0 : tensor<2xf32>"),
         MR_INVALID_ARGUMENT, "1:6:2");
  refuse(MAIN("%a: tensor<4xf32>, %v: tensor<f32>", "tensor<4xf32>",
              "%0 = \"stablehlo.pad\"(%a, %v) <{edge_padding_low = array<i64: 9223372036854775807>, edge_padding_high "
              "= array<i64: 1>, interior_padding = array<i64: 0>}> : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>\n"
              "return %0 : tensor<4xf32>"),
         MR_INVALID_ARGUMENT, "9223372036854775807");
  refuse(MAIN("%a: tensor<2x3xf32>", "tensor<3x2xf32>",
              "%0 = \"stablehlo.transpose\"(%a) <{permutation = array<i64: 1, 1>}> : (tensor<2x3xf32>) -> "
              "tensor<3x2xf32>\nreturn %0 : tensor<3x2xf32>"),
         MR_INVALID_ARGUMENT, "permutation has 1 twice");
  refuse(
      MAIN("%a: tensor<2x3xf32>", "tensor<3x3xf32>",
           "%0 = \"stablehlo.dot_general\"(%a, %a) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions "
           "= [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>\n"
           "return %0 : tensor<3x3xf32>"),
      MR_INVALID_ARGUMENT, "contracting dimensions 1 and 0 have sizes 3 and 2");
}

// Regions take and return what their op says.
static void test_regions(void **state) {
  (void)state;
  refuse(MAIN("%a: tensor<4xf32>, %i: tensor<f32>", "tensor<f32>",
              "%0 = \"stablehlo.reduce\"(%a, %i) <{dimensions = array<i64: 0>}> ({\n^bb0(%x: tensor<f32>):\n"
              "  \"stablehlo.return\"(%x) : (tensor<f32>) -> ()\n}) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>\n"
              "return %0 : tensor<f32>"),
         MR_INVALID_ARGUMENT, "region 0 has 1 arguments");
  refuse(MAIN("%a: tensor<4xf32>", "tensor<4xf32>",
              "%0 = \"stablehlo.while\"(%a) ({\n^bb0(%x: tensor<4xf32>):\n"
              "  \"stablehlo.return\"(%x) : (tensor<4xf32>) -> ()\n}, {\n^bb0(%x: tensor<4xf32>):\n"
              "  \"stablehlo.return\"(%x) : (tensor<4xf32>) -> ()\n}) : (tensor<4xf32>) -> tensor<4xf32>\n"
              "return %0 : tensor<4xf32>"),
         MR_INVALID_ARGUMENT, "value returned by the region");
}

// Calls name a function with their signature and never come back to where they started.
static void test_calls(void **state) {
  (void)state;
  refuse(MAIN("%a: tensor<4xf32>", "tensor<4xf32>",
              "%0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>\n"
              "return %0 : tensor<4xf32>"),
         MR_INVALID_ARGUMENT, "@f");
  refuse(MAIN("%a: tensor<4xf32>", "tensor<4xf32>",
              "%0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>\n"
              "return %0 : tensor<4xf32>") "func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                                           "%0 = call @g(%a) : (tensor<4xf32>) -> tensor<4xf32>\nreturn %0 : "
                                           "tensor<4xf32>\n}\n"
                                           "func.func private @g(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                                           "%0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>\nreturn %0 : "
                                           "tensor<4xf32>\n}\n",
         MR_INVALID_ARGUMENT, "@f calls itself");
}

// A value of one region is not visible in another, nor before its op, nor in another function.
static void test_scopes(void **state) {
  (void)state;
  mr_module *module = NULL;
  assert_ok(mr_module_create(0, &module));
  mr_type type = mr_type_scalar(MR_F32);
  mr_function *f = mr_module_add_function(module, MR_STR("main"), true, 1, &type, 1, &type);
  mr_builder b = mr_builder_at_end(&f->body);
  mr_value *first = mr_build_unary(&b, MR_OP_negate, f->body.args[0]);
  mr_value *second = mr_build_unary(&b, MR_OP_negate, first);
  mr_build(&b, MR_OP_return, 1, &second, 0, NULL, 0);
  assert_ok(mr_module_verify(module));
  mr_op_move_before(second->def, first->def);
  mr_status status = mr_module_verify(module);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  assert_non_null(strstr(mr_status_message(status), "not defined here"));
  mr_status_free(status);
  mr_op_move_before(first->def, second->def);

  mr_function *g = mr_module_add_function(module, MR_STR("g"), false, 0, NULL, 1, &type);
  mr_builder inside = mr_builder_at_end(&g->body);
  mr_build(&inside, MR_OP_return, 1, &first, 0, NULL, 0);
  status = mr_module_verify(module);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  mr_status_free(status);
  mr_module_release(module);
}

// Too deep a nest is a status, not a stack overflow.
static void test_depth(void **state) {
  (void)state;
  mr_module *module = NULL;
  assert_ok(mr_module_create(0, &module));
  mr_type type = mr_type_scalar(MR_F32), index = mr_type_scalar(MR_S32);
  mr_function *f = mr_module_add_function(module, MR_STR("main"), true, 2, (mr_type[]){type, index}, 1, &type);
  mr_value *x = f->body.args[0], *i = f->body.args[1];
  mr_block *block = &f->body;
  for (int depth = 0; depth <= 10000; depth++) {
    mr_builder b = mr_builder_at_end(block);
    mr_op *op = depth < 10000 ? mr_build(&b, MR_OP_case, 1, &i, 1, &type, 1) : NULL;
    mr_value *value = op ? mr_op_result(op, 0) : x;
    mr_build(&b, MR_OP_return, 1, &value, 0, NULL, 0);
    block = op ? op->regions[0] : NULL;
  }
  mr_status status = mr_module_verify(module);
  assert_int_equal(mr_status_code(status), MR_UNIMPLEMENTED);
  mr_status_free(status);
  mr_module_release(module);
}

// What no reader makes, and a pass might: each is refused in words, and none looked into.
static void test_types_by_hand(void **state) {
  (void)state;
  static const int64_t many[MR_MAX_RANK + 1] = {0}, negative[] = {4, -7}, vast[] = {INT64_MAX / 2, INT64_MAX / 2};
  const struct {
    mr_type type;
    const char *words;
  } cases[] = {
      {{.dtype = MR_F32, .rank = MR_MAX_RANK + 1, .dims = many}, "a tensor of rank 33: at most 32 dimensions"},
      {{.dtype = (mr_dtype)250}, "element type 250"},
      {{.dtype = MR_F32, .rank = 2, .dims = negative}, "dimension 1 of"},
      {{.dtype = MR_F32, .rank = 2, .dims = vast}, "more than 2^63 - 1 bytes"},
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    mr_module *module = NULL;
    assert_ok(mr_module_create(0, &module));
    mr_type scalar = mr_type_scalar(MR_F32);
    mr_function *f = mr_module_add_function(module, MR_STR("main"), true, 1, &scalar, 0, NULL);
    f->body.args[0]->type = cases[i].type;
    mr_builder b = mr_builder_at_end(&f->body);
    mr_build(&b, MR_OP_return, 0, NULL, 0, NULL, 0);
    mr_status status = mr_module_verify(module);
    assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
    if (!strstr(mr_status_message(status), cases[i].words)) {
      fail_msg("%s", mr_status_message(status));
    }
    mr_status_free(status);
    mr_module_release(module);
  }
}

// Unknown dimensions agree with any size.
static void test_dynamic_dimensions(void **state) {
  (void)state;
  mr_module *module = read_ok(MAIN("%a: tensor<?x3xf32>, %b: tensor<2x?xf32>", "tensor<2x3xf32>",
                                   "%0 = \"stablehlo.add\"(%a, %b) : (tensor<?x3xf32>, tensor<2x?xf32>) -> "
                                   "tensor<2x3xf32>\nreturn %0 : tensor<2x3xf32>"));
  mr_module_release(module);
}

// What is printed is read back as the same program.
static void test_print_is_read_back(void **state) {
  (void)state;
  mr_module *module = read_ok(MAIN(
      "%a: tensor<4x4xf32>, %i: tensor<f32>, %k: tensor<2x1xi32>", "(tensor<4xf32>, tensor<2x4xf32>)",
      "%0 = \"stablehlo.reduce\"(%a, %i) <{dimensions = array<i64: 0>}> ({\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
      "  %s = \"stablehlo.add\"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n"
      "  \"stablehlo.return\"(%s) : (tensor<f32>) -> ()\n}) : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>\n"
      "%1 = \"stablehlo.gather\"(%a, %k) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], "
      "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, "
      "slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>\n"
      "%c = \"stablehlo.constant\"() <{value = dense<[1.5, -0.0, 0x7F800000, 3.25]> : tensor<4xf32>}> : () -> "
      "tensor<4xf32>\n"
      "%2 = \"stablehlo.compare\"(%0, %c) <{comparison_direction = #stablehlo<comparison_direction LE>, compare_type = "
      "#stablehlo<comparison_type TOTALORDER>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>\n"
      "%3 = \"stablehlo.select\"(%2, %0, %c) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n"
      "return %3, %1 : tensor<4xf32>, tensor<2x4xf32>"));
  char *first = print_text(module);
  mr_module *again = read_ok(first);
  char *second = print_text(again);
  assert_string_equal(first, second);
  free(first);
  free(second);
  mr_module_release(again);
  mr_module_release(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_elementwise),
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_attributes),
      cmocka_unit_test(test_regions),
      cmocka_unit_test(test_calls),
      cmocka_unit_test(test_scopes),
      cmocka_unit_test(test_depth),
      cmocka_unit_test(test_types_by_hand),
      cmocka_unit_test(test_dynamic_dimensions),
      cmocka_unit_test(test_print_is_read_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
