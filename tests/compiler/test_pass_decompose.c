// Rare ops become common ones of the same types.
#include "tests/compiler/pass_text.h"

static mr_module *lowered(const char *text) {
  mr_module *module = read_ok(text);
  run_ok(mr_pass_inline, module);
  run_ok(mr_pass_decompose, module);
  run_ok(mr_pass_complex, module);
  return module;
}

// The op is gone from the program, which is still valid; `instead` is there.
static void replaces(mr_op_kind gone, mr_op_kind instead, const char *text) {
  mr_module *module = lowered(text);
  assert_int_equal(count_kind(module, gone), 0);
  assert_true(count_kind(module, instead) > 0);
  mr_module_release(module);
}

// if becomes case with the true branch at index 0.
static void test_if(void **state) {
  (void)state;
  mr_module *module = lowered("func.func public @main(%p: tensor<i1>, %a: tensor<f32>) -> tensor<f32> {\n"
                              "  %0 = \"stablehlo.if\"(%p) ({\n    %1 = stablehlo.sine %a : tensor<f32>\n    "
                              "stablehlo.return %1 : tensor<f32>\n"
                              "  }, {\n    stablehlo.return %a : tensor<f32>\n  }) : (tensor<i1>) -> tensor<f32>\n  "
                              "return %0 : tensor<f32>\n}\n");
  mr_op *op = find_kind(module, MR_OP_case);
  assert_int_equal(count_kind(module, MR_OP_if), 0);
  assert_int_equal(op->regions[0]->first->kind, MR_OP_sine);
  assert_int_equal(mr_op_operand(op, 0)->def->kind, MR_OP_convert);
  assert_int_equal(mr_op_operand(mr_op_operand(op, 0)->def, 0)->def->kind, MR_OP_not);
  mr_module_release(module);
}

static void test_contractions(void **state) {
  (void)state;
  replaces(MR_OP_einsum, MR_OP_dot_general,
           "func.func @main(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) -> tensor<5x2xf32> {\n"
           "  %0 = stablehlo.einsum %a, %b, config = \"bij,bjk->kb\" : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> "
           "tensor<5x2xf32>\n  return %0 : tensor<5x2xf32>\n}\n");
  replaces(MR_OP_dot, MR_OP_dot_general,
           "func.func @main(%a: tensor<3x4xf32>, %b: tensor<4xf32>) -> tensor<3xf32> {\n"
           "  %0 = stablehlo.dot %a, %b : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3xf32>\n"
           "  return %0 : tensor<3xf32>\n}\n");
}

static void test_batch_norm(void **state) {
  (void)state;
  replaces(
      MR_OP_batch_norm_training, MR_OP_reduce,
      "func.func @main(%x: tensor<4x3xf32>, %s: tensor<3xf32>, %o: tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, "
      "tensor<3xf32>) {\n"
      "  %0:3 = \"stablehlo.batch_norm_training\"(%x, %s, %o) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : "
      "(tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)\n"
      "  return %0#0, %0#1, %0#2 : tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>\n}\n");
}

// The exponent comes as PyTorch/XLA sends it, broadcast: three is a product, and only others go through a logarithm.
static void test_complex_powers(void **state) {
  (void)state;
  for (int exponent = 3; exponent <= 4; exponent++) {
    char text[512];
    snprintf(text, sizeof text,
             "func.func @main(%%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {\n"
             "  %%c = stablehlo.constant dense<(%d.0, 0.0)> : tensor<complex<f32>>\n"
             "  %%b = stablehlo.broadcast_in_dim %%c, dims = [] : (tensor<complex<f32>>) -> tensor<4xcomplex<f32>>\n"
             "  %%r = stablehlo.power %%x, %%b : tensor<4xcomplex<f32>>\n"
             "  return %%r : tensor<4xcomplex<f32>>\n}\n",
             exponent);
    mr_module *module = lowered(text);
    assert_int_equal(count_kind(module, MR_OP_power), 0);
    assert_int_equal(count_kind(module, MR_OP_exponential) == 0, exponent == 3);
    mr_module_release(module);
  }
}

// Random bits are integer arithmetic on a count, for every algorithm, width and odd shape.
static void test_random_bits(void **state) {
  (void)state;
  static const char *const algorithms[] = {"DEFAULT", "THREE_FRY", "PHILOX"};
  static const char *const shapes[] = {"tensor<ui32>", "tensor<3x5xui8>", "tensor<7xui64>", "tensor<0x3xui16>"};
  for (size_t a = 0; a < 3; a++) {
    for (size_t s = 0; s < 4; s++) {
      char text[1024];
      snprintf(text, sizeof text,
               "func.func @main(%%s: tensor<2xui64>) -> (tensor<2xui64>, %s) {\n"
               "  %%0:2 = stablehlo.rng_bit_generator %%s, algorithm = %s : (tensor<2xui64>) -> (tensor<2xui64>, %s)\n"
               "  return %%0#0, %%0#1 : tensor<2xui64>, %s\n}\n",
               shapes[s], algorithms[a], shapes[s], shapes[s]);
      replaces(MR_OP_rng_bit_generator, MR_OP_xor, text);
    }
  }
}

// On one device a collective is its operand, and the device is number 0.
static void test_collectives_of_one(void **state) {
  (void)state;
  replaces(MR_OP_all_gather, MR_OP_return,
           "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
           "  %0 = \"stablehlo.all_gather\"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : "
           "tensor<1x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n");
  replaces(MR_OP_partition_id, MR_OP_constant,
           "func.func @main() -> tensor<ui32> {\n  %0 = stablehlo.partition_id : tensor<ui32>\n"
           "  return %0 : tensor<ui32>\n}\n");
}

// A reduction that accumulates in a wider type has its operands converted first.
static void test_promotion(void **state) {
  (void)state;
  mr_module *module = lowered("func.func @main(%a: tensor<4xbf16>, %z: tensor<bf16>) -> tensor<f32> {\n"
                              "  %0 = \"stablehlo.reduce\"(%a, %z) <{dimensions = array<i64: 0>}> ({\n  ^bb0(%x: "
                              "tensor<f32>, %y: tensor<f32>):\n"
                              "    %1 = stablehlo.add %x, %y : tensor<f32>\n    stablehlo.return %1 : tensor<f32>\n"
                              "  }) : (tensor<4xbf16>, tensor<bf16>) -> tensor<f32>\n  return %0 : tensor<f32>\n}\n");
  mr_op *reduce = find_kind(module, MR_OP_reduce);
  assert_int_equal(mr_op_operand(reduce, 0)->type.dtype, MR_F32);
  assert_int_equal(mr_op_operand(reduce, 1)->type.dtype, MR_F32);
  mr_module_release(module);
}

// No function of complex numbers beyond arithmetic is left.
static void test_complex_functions(void **state) {
  (void)state;
  static const char *const names[] = {"exponential", "exponential_minus_one",
                                      "log",         "log_plus_one",
                                      "sqrt",        "rsqrt",
                                      "sine",        "cosine",
                                      "tanh",        "tan",
                                      "logistic",    "cbrt"};
  for (size_t i = 0; i < MR_ARRAY_SIZE(names); i++) {
    char text[512];
    snprintf(text, sizeof text,
             "func.func @main(%%z: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {\n"
             "  %%0 = stablehlo.%s %%z : tensor<4xcomplex<f32>>\n  return %%0 : tensor<4xcomplex<f32>>\n}\n",
             names[i]);
    mr_module *module = lowered(text);
    for (mr_op *op = mr_walk_first(&module->functions->body); op; op = op->next) {
      bool arithmetic = op->kind == MR_OP_complex || op->kind == MR_OP_real || op->kind == MR_OP_imag ||
                        op->kind == MR_OP_divide || op->kind == MR_OP_add || op->kind == MR_OP_multiply ||
                        op->kind == MR_OP_abs || op->kind == MR_OP_constant || op->kind == MR_OP_return ||
                        op->kind == MR_OP_negate || op->kind == MR_OP_select;
      assert_true(arithmetic || !mr_dtype_is_complex(mr_op_operand(op, 0)->type.dtype));
    }
    mr_module_release(module);
  }
}

// Qr and the product of its reflectors become loops over columns.
static void test_qr(void **state) {
  (void)state;
  replaces(MR_OP_custom_call, MR_OP_while,
           "func.func @main(%a: tensor<2x5x3xcomplex<f32>>) -> tensor<2x5x3xcomplex<f32>> {\n"
           "  %0:2 = stablehlo.custom_call @Qr(%a) : (tensor<2x5x3xcomplex<f32>>) -> (tensor<2x5x3xcomplex<f32>>, "
           "tensor<2x3xcomplex<f32>>)\n"
           "  %1 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%0#0, %0#1) : "
           "(tensor<2x5x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x5x3xcomplex<f32>>\n"
           "  return %1 : tensor<2x5x3xcomplex<f32>>\n}\n");
}

// Eigh becomes a call that says besides whether it has found them; one whose values are not one for each row is left as it is.
static void test_eigh(void **state) {
  (void)state;
#define EIGH(values)                                                                                      \
  "func.func @main(%a: tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<" values ">) {\n"                 \
  "  %0:2 = stablehlo.custom_call @Eigh(%a) {backend_config = \"1,1,100,0.0\"} : (tensor<2x3x3xf32>) -> " \
  "(tensor<2x3x3xf32>, tensor<" values ">)\n  return %0#0, %0#1 : tensor<2x3x3xf32>, tensor<" values ">\n}\n"
  static const struct {
    const char *text;
    uint32_t results;
  } cases[] = {
      {EIGH("2x3xf32"), 3}, {EIGH("f32"), 2}, {EIGH("2x4xf32"), 2}, {EIGH("2x3xf64"), 2}, {EIGH("2x3x3xf32"), 2}};
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    mr_module *module = read_ok(cases[i].text);
    run_ok(mr_pass_decompose, module);
    const mr_op *call = module->functions->body.first;
    assert_int_equal(call->kind, MR_OP_custom_call);
    assert_int_equal(call->num_results, cases[i].results);
    assert_ok(mr_module_verify(module));
    mr_module_release(module);
  }
}

// Shape operands that are constants become attributes.
static void test_dynamic_shapes_that_are_known(void **state) {
  (void)state;
  replaces(MR_OP_real_dynamic_slice, MR_OP_slice,
           "func.func @main(%a: tensor<4xf32>) -> tensor<2xf32> {\n"
           "  %s = stablehlo.constant dense<1> : tensor<1xi64>\n  %l = stablehlo.constant dense<3> : tensor<1xi64>\n"
           "  %0 = stablehlo.real_dynamic_slice %a, %s, %l, %s : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, "
           "tensor<1xi64>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_if),
      cmocka_unit_test(test_contractions),
      cmocka_unit_test(test_batch_norm),
      cmocka_unit_test(test_complex_powers),
      cmocka_unit_test(test_random_bits),
      cmocka_unit_test(test_collectives_of_one),
      cmocka_unit_test(test_promotion),
      cmocka_unit_test(test_complex_functions),
      cmocka_unit_test(test_qr),
      cmocka_unit_test(test_eigh),
      cmocka_unit_test(test_dynamic_shapes_that_are_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
