// Folding and identities: what is known becomes a constant, what changes nothing goes, and nothing else.
#include <math.h>

#include "tests/compiler/pass_text.h"

// Runs simplify and dead code elimination over a function of (tensor<4xf32> %x, tensor<4xi32> %i, tensor<f32> %s).
static mr_module *simplify(const char *result, const char *body) {
  char text[2048];
  snprintf(text, sizeof text,
           "func.func public @main(%%x: tensor<4xf32>, %%i: tensor<4xi32>, %%s: tensor<f32>) -> %s {\n%s\n"
           "return %%r : %s\n}\n",
           result, body, result);
  mr_module *module = read_ok(text);
  run_ok(mr_pass_simplify, module);
  run_ok(mr_pass_dce, module);
  return module;
}

static void becomes_argument(uint32_t i, const char *result, const char *body) {
  mr_module *module = simplify(result, body);
  if (returned(module, 0) != argument(module, i)) {
    fail_msg("not argument %u: %s", i, body);
  }
  mr_module_release(module);
}

static void stays(mr_op_kind kind, const char *result, const char *body) {
  mr_module *module = simplify(result, body);
  if (!returned(module, 0)->def || returned(module, 0)->def->kind != kind) {
    fail_msg("not %s: %s", mr_op_table[kind].name, body);
  }
  mr_module_release(module);
}

#define F "tensor<4xf32>"
#define I "tensor<4xi32>"
#define CONST(value, type) "%c = stablehlo.constant dense<" value "> : " type "\n"

// x + -0, x - 0, x * 1, x / 1 are x for floats; x + 0 and x * 0 are not what they look like.
static void test_float_identities(void **state) {
  (void)state;
  becomes_argument(0, F, CONST("-0.0", F) "%r = stablehlo.add %x, %c : " F);
  becomes_argument(0, F, CONST("0.0", F) "%r = stablehlo.subtract %x, %c : " F);
  becomes_argument(0, F, CONST("1.0", F) "%r = stablehlo.multiply %c, %x : " F);
  becomes_argument(0, F, CONST("1.0", F) "%r = stablehlo.divide %x, %c : " F);
  becomes_argument(0, F, CONST("0xFF800000", F) "%r = stablehlo.maximum %c, %x : " F);
  becomes_argument(0, F, "%n = stablehlo.negate %x : " F "\n%r = stablehlo.negate %n : " F);
  stays(MR_OP_add, F, CONST("0.0", F) "%r = stablehlo.add %x, %c : " F);
  stays(MR_OP_subtract, F, CONST("-0.0", F) "%r = stablehlo.subtract %x, %c : " F);
  stays(MR_OP_multiply, F, CONST("0.0", F) "%r = stablehlo.multiply %x, %c : " F);
  stays(MR_OP_multiply, F, CONST("4.0", F) "%r = stablehlo.divide %x, %c : " F);
  stays(MR_OP_divide, F, CONST("3.0", F) "%r = stablehlo.divide %x, %c : " F);
  stays(MR_OP_compare, "tensor<4xi1>", "%r = stablehlo.compare EQ, %x, %x : (" F ", " F ") -> tensor<4xi1>");
}

#define Z "tensor<4xcomplex<f32>>"

// The powers that XLA makes products and a quotient of, of every type that has them, and no others.
static void test_small_powers(void **state) {
  (void)state;
  becomes_argument(0, F, CONST("1.0", F) "%r = stablehlo.power %x, %c : " F);
  becomes_argument(1, I, CONST("1", I) "%r = stablehlo.power %i, %c : " I);
  stays(MR_OP_constant, F, CONST("-0.0", F) "%r = stablehlo.power %x, %c : " F);
  stays(MR_OP_constant, I, CONST("0", I) "%r = stablehlo.power %i, %c : " I);
  stays(MR_OP_multiply, F, CONST("2.0", F) "%r = stablehlo.power %x, %c : " F);
  stays(MR_OP_multiply, F, CONST("3.0", F) "%r = stablehlo.power %x, %c : " F);
  stays(MR_OP_multiply, I, CONST("3", I) "%r = stablehlo.power %i, %c : " I);
  stays(MR_OP_divide, F, CONST("-1.0", F) "%r = stablehlo.power %x, %c : " F);
  stays(MR_OP_power, I, CONST("-1", I) "%r = stablehlo.power %i, %c : " I);
  stays(MR_OP_power, F, CONST("4.0", F) "%r = stablehlo.power %x, %c : " F);
  stays(MR_OP_power, F, CONST("0.5", F) "%r = stablehlo.power %x, %c : " F);
  // Rounded once, as the power is.
  mr_module *halves =
      simplify("tensor<4xbf16>",
               "%b = stablehlo.convert %i : (" I ") -> tensor<4xbf16>\n"
               "%c = stablehlo.constant dense<3.0> : tensor<4xbf16>\n%r = stablehlo.power %b, %c : tensor<4xbf16>");
  mr_op *rounded = returned(halves, 0)->def;
  assert_int_equal(rounded->kind, MR_OP_convert);
  assert_int_equal(mr_op_operand(rounded, 0)->def->kind, MR_OP_multiply);
  assert_int_equal(mr_op_operand(rounded, 0)->type.dtype, MR_F32);
  mr_module_release(halves);
  stays(MR_OP_power, "tensor<4xf8E5M2>",
        "%b = stablehlo.convert %x : (" F ") -> tensor<4xf8E5M2>\n"
        "%c = stablehlo.constant dense<3.0> : tensor<4xf8E5M2>\n%r = stablehlo.power %b, %c : tensor<4xf8E5M2>");
  const char *to_complex = "%z = stablehlo.complex %x, %x : " Z "\n";
  const struct {
    const char *exponent;
    mr_op_kind kind;
  } complex[] = {{"(0.0, 0.0)", MR_OP_constant}, {"(1.0, 0.0)", MR_OP_complex}, {"(2.0, 0.0)", MR_OP_multiply},
                 {"(3.0, 0.0)", MR_OP_multiply}, {"(-1.0, 0.0)", MR_OP_divide}, {"(3.0, 1.0)", MR_OP_power},
                 {"(4.0, 0.0)", MR_OP_power}};
  for (size_t i = 0; i < MR_ARRAY_SIZE(complex); i++) {
    char body[512];
    snprintf(body, sizeof body, "%s%%c = stablehlo.constant dense<%s> : " Z "\n%%r = stablehlo.power %%z, %%c : " Z,
             to_complex, complex[i].exponent);
    stays(complex[i].kind, Z, body);
  }
}

// An inner product is a sum of products and an outer one elementwise; a matrix times a vector stays a contraction.
static void test_products_of_vectors(void **state) {
  (void)state;
  stays(MR_OP_reduce, "tensor<f32>",
        "%r = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (" F ", " F ") -> tensor<f32>");
  stays(MR_OP_multiply, "tensor<4x4xf32>",
        "%r = stablehlo.dot_general %x, %x, contracting_dims = [] x [] : (" F ", " F ") -> tensor<4x4xf32>");
  stays(MR_OP_dot_general, "tensor<2xf32>",
        "%m = stablehlo.broadcast_in_dim %x, dims = [1] : (" F ") -> tensor<2x4xf32>\n"
        "%r = stablehlo.dot_general %m, %x, contracting_dims = [1] x [0] : (tensor<2x4xf32>, " F ") -> tensor<2xf32>");
}

static void test_integer_identities(void **state) {
  (void)state;
  becomes_argument(1, I, CONST("0", I) "%r = stablehlo.add %c, %i : " I);
  becomes_argument(1, I, CONST("-1", I) "%r = stablehlo.and %c, %i : " I);
  becomes_argument(1, I, CONST("0", I) "%r = stablehlo.shift_left %i, %c : " I);
  stays(MR_OP_constant, I, CONST("0", I) "%r = stablehlo.multiply %i, %c : " I);
  stays(MR_OP_constant, I, "%r = stablehlo.xor %i, %i : " I);
  stays(MR_OP_constant, "tensor<4xi1>", "%r = stablehlo.compare LE, %i, %i : (" I ", " I ") -> tensor<4xi1>");
}

// Conversions there and back go when nothing is lost on the way.
static void test_conversions(void **state) {
  (void)state;
  becomes_argument(1, I,
                   "%w = stablehlo.convert %i : (" I ") -> tensor<4xi64>\n"
                   "%r = stablehlo.convert %w : (tensor<4xi64>) -> " I);
  becomes_argument(0, F,
                   "%w = stablehlo.convert %x : (" F ") -> tensor<4xf64>\n"
                   "%r = stablehlo.convert %w : (tensor<4xf64>) -> " F);
  stays(MR_OP_convert, F,
        "%w = stablehlo.convert %x : (" F ") -> tensor<4xbf16>\n"
        "%r = stablehlo.convert %w : (tensor<4xbf16>) -> " F);
  // Through f64 an i32 saturates where it would wrap on the straight way.
  mr_module *module = simplify("tensor<4xi8>", "%w = stablehlo.convert %i : (" I ") -> tensor<4xf64>\n"
                                               "%r = stablehlo.convert %w : (tensor<4xf64>) -> tensor<4xi8>");
  assert_int_equal(count_kind(module, MR_OP_convert), 2);
  mr_module_release(module);
}

static void test_moves(void **state) {
  (void)state;
  becomes_argument(0, F,
                   "%a = stablehlo.reshape %x : (" F ") -> tensor<2x2xf32>\n"
                   "%r = stablehlo.reshape %a : (tensor<2x2xf32>) -> " F);
  becomes_argument(0, F, "%r = stablehlo.slice %x [0:4] : (" F ") -> " F);
  becomes_argument(0, F, "%r = stablehlo.concatenate %x, dim = 0 : (" F ") -> " F);
  becomes_argument(0, F,
                   "%a = stablehlo.concatenate %x, %x, dim = 0 : (" F ", " F ") -> tensor<8xf32>\n"
                   "%r = stablehlo.slice %a [4:8] : (tensor<8xf32>) -> " F);
  becomes_argument(0, F,
                   "%r = stablehlo.pad %x, %s, low = [0], high = [0], interior = [0] : (" F ", tensor<f32>) -> " F);
  stays(MR_OP_reshape, "tensor<4x1xf32>",
        "%a = stablehlo.reshape %x : (" F ") -> tensor<1x4xf32>\n"
        "%r = stablehlo.transpose %a, dims = [1, 0] : (tensor<1x4xf32>) -> tensor<4x1xf32>");
  stays(MR_OP_pad, "tensor<13xf32>",
        "%r = stablehlo.pad %x, %s, low = [0], high = [0], interior = [3] : (" F ", tensor<f32>) -> tensor<13xf32>");
}

// One window: gather clamps as dynamic_slice does; a constant place makes it a slice.
static void test_gather_of_one_window(void **state) {
  (void)state;
  stays(
      MR_OP_dynamic_slice, "tensor<2xf32>",
      "%z = stablehlo.slice %i [0:1] : (" I ") -> tensor<1xi32>\n"
      "%r = \"stablehlo.gather\"(%x, %z) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], start_index_map = "
      "[0], index_vector_dim = 0>, indices_are_sorted = false, slice_sizes = array<i64: 2>}> : (" F
      ", tensor<1xi32>) -> tensor<2xf32>");
  mr_module *module =
      simplify("tensor<2xf32>", CONST("9", "tensor<i32>") "%r = stablehlo.dynamic_slice %x, %c, sizes = [2] : (" F
                                                          ", tensor<i32>) -> tensor<2xf32>");
  mr_op *slice = returned(module, 0)->def;
  assert_int_equal(slice->kind, MR_OP_slice);
  assert_int_equal(mr_op_ints(slice, MR_ATTR_start_indices).data[0], 2);
  mr_module_release(module);
}

// A scatter that stores outside is skipped, so only a place inside becomes an update slice.
static void test_scatter_of_one_window(void **state) {
  (void)state;
#define SCATTER                                                                                                     \
  "%r = \"stablehlo.scatter\"(%x, %c, %s) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = " \
  "[0], scatter_dims_to_operand_dims = [0], index_vector_dim = 0>, indices_are_sorted = false, unique_indices = "   \
  "false}> ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n  stablehlo.return %b : tensor<f32>\n}) : (" F              \
  ", tensor<1xi32>, tensor<f32>) -> " F
  stays(MR_OP_dynamic_update_slice, F, CONST("3", "tensor<1xi32>") SCATTER);
  stays(MR_OP_scatter, F, CONST("4", "tensor<1xi32>") SCATTER);
}

// Constant index, constant condition, one branch.
static void test_control_flow(void **state) {
  (void)state;
  becomes_argument(0, F,
                   CONST("7", "tensor<i32>") "%r = \"stablehlo.case\"(%c) ({\n%n = stablehlo.negate %x : " F
                                             "\nstablehlo.return %n : " F "\n}, {\nstablehlo.return %x : " F
                                             "\n}) : (tensor<i32>) -> " F);
  becomes_argument(0, F,
                   "%r = \"stablehlo.while\"(%x) ({\n^bb0(%a: " F
                   "):\n" CONST("false", "tensor<i1>") "stablehlo.return %c : tensor<i1>\n}, {\n^bb0(%a: " F
                                                       "):\n%n = stablehlo.negate %a : " F "\nstablehlo.return %n : " F
                                                       "\n}) : (" F ") -> " F);
}

static void folds_to(const char *type, const char *body, const void *bytes, size_t size) {
  mr_module *module = simplify(type, body);
  const mr_dense *dense = mr_value_constant(returned(module, 0));
  assert_non_null(dense);
  assert_int_equal(dense->size, size);
  assert_memory_equal(dense->data, bytes, size);
  mr_module_release(module);
}

// Integer arithmetic wraps and never traps; floats round as their type does.
static void test_folding(void **state) {
  (void)state;
#define TWO(kind, a, b, type)                                                                     \
  "%a = stablehlo.constant dense<" a "> : " type "\n%b = stablehlo.constant dense<" b "> : " type \
  "\n%r = stablehlo." kind " %a, %b : " type
  folds_to("tensor<3xi8>", TWO("divide", "[-128, 5, -7]", "[-1, 0, 2]", "tensor<3xi8>"), (int8_t[]){-128, -1, -3}, 3);
  folds_to("tensor<3xi8>", TWO("remainder", "[-128, 5, -7]", "[-1, 0, 2]", "tensor<3xi8>"), (int8_t[]){0, 5, -1}, 3);
  folds_to("tensor<2xui8>", TWO("subtract", "[3, 200]", "[5, 100]", "tensor<2xui8>"), (uint8_t[]){254, 100}, 2);
  folds_to("tensor<3xi32>", TWO("shift_right_arithmetic", "[-8, -8, 8]", "[1, 40, -1]", "tensor<3xi32>"),
           (int32_t[]){-4, -1, 0}, 12);
  folds_to("tensor<2xbf16>", TWO("add", "[1.0, 256.0]", "[0.5, 2.0]", "tensor<2xbf16>"), (uint16_t[]){0x3FC0, 0x4381},
           4);
  folds_to("tensor<1xf8E5M2>", TWO("add", "[8.0]", "[0.25]", "tensor<1xf8E5M2>"), (uint8_t[]){0x48}, 1);
  folds_to("tensor<1000xf32>", TWO("multiply", "3.0", "0.1", "tensor<1000xf32>"), (float[]){3.0f * 0.1f}, 4);
  folds_to("tensor<3xi8>",
           "%a = stablehlo.constant dense<[300.0, 0x7FC00000, -1.9]> : tensor<3xf32>\n"
           "%r = stablehlo.convert %a : (tensor<3xf32>) -> tensor<3xi8>",
           (int8_t[]){127, 0, -1}, 3);
  folds_to("tensor<2x2xi32>",
           "%a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>\n"
           "%r = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x2xi32>) -> tensor<2x2xi32>",
           (int32_t[]){1, 3, 2, 4}, 16);
}

// Every step on bf16 rounds, on constants too.
static void test_folding_rounds_small_floats(void **state) {
  (void)state;
  folds_to("tensor<2xbf16>", TWO("add", "[1.0, 256.0]", "[0.00390625, 1.0]", "tensor<2xbf16>"),
           (uint16_t[]){0x3F80, 0x4380}, 4);
}

// Functions with an error bound are not folded: a constant and a computed operand must give the same bits.
static void test_transcendentals_are_left(void **state) {
  (void)state;
  stays(MR_OP_sine, F, CONST("0.5", F) "%r = stablehlo.sine %c : " F);
}

// What has no elements needs no code, whatever it would be made by: a constant.
static void test_empty_results(void **state) {
  (void)state;
  stays(MR_OP_constant, "tensor<0xcomplex<f32>>",
        "%e = stablehlo.slice %x [4:4] : (" F
        ") -> tensor<0xf32>\n%z = stablehlo.complex %e, %e : tensor<0xcomplex<f32>>\n"
        "%r = stablehlo.fft %z, type = FFT, length = [0] : (tensor<0xcomplex<f32>>) -> tensor<0xcomplex<f32>>");
  stays(MR_OP_constant, "tensor<0x4xf32>",
        "%r = stablehlo.broadcast_in_dim %x, dims = [1] : (" F ") -> tensor<0x4xf32>");
  stays(MR_OP_custom_call, "tensor<0xf32>",
        "%r = stablehlo.custom_call @told(%x) {has_side_effect = true} : (" F ") -> tensor<0xf32>");
  stays(MR_OP_reduce, "tensor<f32>",
        CONST("0.0", "tensor<f32>") "%e = stablehlo.broadcast_in_dim %x, dims = [1] : (" F ") -> tensor<2x4xf32>\n"
                                    "%r = stablehlo.reduce(%e init: %c) applies stablehlo.add across dimensions = [0, "
                                    "1] : (tensor<2x4xf32>, "
                                    "tensor<f32>) -> tensor<f32>");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_float_identities),
      cmocka_unit_test(test_small_powers),
      cmocka_unit_test(test_products_of_vectors),
      cmocka_unit_test(test_integer_identities),
      cmocka_unit_test(test_conversions),
      cmocka_unit_test(test_moves),
      cmocka_unit_test(test_gather_of_one_window),
      cmocka_unit_test(test_scatter_of_one_window),
      cmocka_unit_test(test_control_flow),
      cmocka_unit_test(test_folding),
      cmocka_unit_test(test_folding_rounds_small_floats),
      cmocka_unit_test(test_transcendentals_are_left),
      cmocka_unit_test(test_empty_results),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
