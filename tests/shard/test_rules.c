// Rules of ops, as text: "(ij, jk) -> (ik)" and behind it what is said of factors.
#include <stdio.h>
#include <string.h>

#include "compiler/shard/rule.h"
#include "tests/compiler/pass_text.h"

static void put_tensors(mr_text *text, uint32_t count, const mr_tensor_factors *tensors) {
  mr_text_put(text, "(");
  for (uint32_t i = 0; i < count; i++) {
    mr_text_put(text, i ? ", [" : "[");
    for (uint32_t d = 0; d < tensors[i].rank; d++) {
      mr_text_put(text, d ? ", " : "");
      for (uint32_t f = 0; f < tensors[i].dims[d].count; f++) {
        mr_text_put(text, "%c", 'i' + tensors[i].dims[d].factors[f]);
      }
    }
    mr_text_put(text, "]");
  }
  mr_text_put(text, ")");
}

// As Shardy writes it, but for size-1 factors, which are left out of the list of sizes.
static void put_rule(mr_text *text, const mr_rule *rule) {
  static const char letters[] = " rnp";
  put_tensors(text, rule->num_operands, rule->operands);
  mr_text_put(text, "->");
  put_tensors(text, rule->num_results, rule->results);
  for (uint32_t f = 0; f < rule->num_factors; f++) {
    const mr_factor *factor = &rule->factors[f];
    mr_text_put(text, " %c%lld", 'i' + f, (long long)factor->size);
    if (factor->kind != MR_FACTOR_PASS) {
      mr_text_put(text, "%c", letters[factor->kind]);
    }
    mr_text_put(text, factor->blocked ? "!" : "");
  }
}

// The rule of what the program returns first; "" when there is none.
static void check_rule(const char *program, const char *wanted) {
  mr_module *module = read_ok(program);
  mr_arena arena;
  mr_arena_init(&arena, 0);
  const mr_rule *rule;
  mr_rules rules = {.arena = &arena};
  assert_ok(mr_factors_of(&rules, returned(module, 0)->def, &rule));
  mr_text text = {0};
  if (rule) {
    put_rule(&text, rule);
  }
  mr_text_put(&text, "%s", "");
  mr_text_append(&text, (mr_str){"", 1});
  if (strcmp(text.data, wanted) != 0) {
    fail_msg("%s\n has the rule %s\n wanted       %s", program, text.data, wanted);
  }
  mr_text_deinit(&text);
  mr_arena_deinit(&arena);
  mr_module_release(module);
}

// One op of arguments a, b, c.
#define PROGRAM(args, op, type, result) \
  "func.func @main(" args ") -> " result " { %0 = " op " : " type " return %0 : " result " }"
#define T(x) "tensor<" x ">"

static void test_rules_of_moves(void **state) {
  (void)state;
  check_rule(PROGRAM("%a: " T("4x8xf32"), "stablehlo.add %a, %a", T("4x8xf32"), T("4x8xf32")),
             "([i, j], [i, j])->([i, j]) i4 j8");
  check_rule(
      PROGRAM("%a: " T("i1") ", %b: " T("4xf32"), "stablehlo.select %a, %b, %b", T("i1") ", " T("4xf32"), T("4xf32")),
      "([], [i], [i])->([i]) i4");
  check_rule(PROGRAM("%a: " T("4x8x2xf32"), "stablehlo.transpose %a, dims = [2, 0, 1]",
                     "(" T("4x8x2xf32") ") -> " T("2x4x8xf32"), T("2x4x8xf32")),
             "([j, k, i])->([i, j, k]) i2 j4 k8");
  check_rule(PROGRAM("%a: " T("4x1xf32"), "stablehlo.broadcast_in_dim %a, dims = [0, 2]",
                     "(" T("4x1xf32") ") -> " T("4x2x8xf32"), T("4x2x8xf32")),
             "([i, j])->([i, k, l]) i4 j1 k2 l8");
  check_rule(PROGRAM("%a: " T("4x8xf32"), "stablehlo.reverse %a, dims = [1]", T("4x8xf32"), T("4x8xf32")),
             "([i, j])->([i, j]) i4 j8p");
  check_rule(PROGRAM("%a: " T("4x8xf32"), "stablehlo.slice %a [0:4, 2:6]", "(" T("4x8xf32") ") -> " T("4x4xf32"),
                     T("4x4xf32")),
             "([i, j])->([i, j]) i4 j8p");
  check_rule(PROGRAM("%a: " T("4x8xf32") ", %b: " T("f32"),
                     "stablehlo.pad %a, %b, low = [0, 1], high = [0, 2], interior = [0, 0]",
                     "(" T("4x8xf32") ", " T("f32") ") -> " T("4x11xf32"), T("4x11xf32")),
             "([i, j], [])->([i, j]) i4 j8p");
  check_rule(PROGRAM("%a: " T("4x8xf32") ", %b: " T("4x2xf32"), "stablehlo.concatenate %a, %b, dim = 1",
                     "(" T("4x8xf32") ", " T("4x2xf32") ") -> " T("4x10xf32"), T("4x10xf32")),
             "([i, j], [i, j])->([i, j]) i4 j10n");
  check_rule(PROGRAM("%a: " T("4x8xf32"), "stablehlo.bitcast_convert %a", "(" T("4x8xf32") ") -> " T("4x8x2xi16"),
                     T("4x8x2xi16")),
             "([i, j])->([i, j, k]) i4 j8 k2n");
  check_rule(PROGRAM("%a: " T("4x8xf32") ", %b: " T("i32"), "stablehlo.dynamic_slice %a, %b, %b, sizes = [4, 2]",
                     "(" T("4x8xf32") ", " T("i32") ", " T("i32") ") -> " T("4x2xf32"), T("4x2xf32")),
             "([i, j], [], [])->([i, j]) i4 j8n!");
  check_rule(PROGRAM("%a: " T("4x8xf32") ", %b: " T("4x2xf32") ", %c: " T("i32"),
                     "stablehlo.dynamic_update_slice %a, %b, %c, %c",
                     "(" T("4x8xf32") ", " T("4x2xf32") ", " T("i32") ", " T("i32") ") -> " T("4x8xf32"), T("4x8xf32")),
             "([i, j], [i, k], [], [])->([i, j]) i4 j8 k2n");
}

#define RESHAPE(from, to) PROGRAM("%a: " T(from), "stablehlo.reshape %a", "(" T(from) ") -> " T(to), T(to))

// Where both sides have come equally far they have the greatest common factor.
static void test_rules_of_reshapes(void **state) {
  (void)state;
  check_rule(RESHAPE("64xf32", "2x32xf32"), "([ij])->([i, j]) i2 j32");
  check_rule(RESHAPE("8x4xf32", "2x16xf32"), "([ij, k])->([i, jk]) i2 j4 k4");
  check_rule(RESHAPE("12xf32", "3x4xf32"), "([ij])->([i, j]) i3 j4");
  check_rule(RESHAPE("4x2xf32", "8xf32"), "([i, j])->([ij]) i4 j2");
  check_rule(RESHAPE("4x1x2xf32", "1x8xf32"), "([j, k, l])->([i, jl]) i1 j4 k1 l2");
  check_rule(RESHAPE("2x3xf32", "3x2xf32"), "([i, k])->([j, l]) i2 j3 k3 l2");
  check_rule(RESHAPE("1xf32", "f32"), "([i])->([]) i1");
  check_rule(RESHAPE("4x0xf32", "0x3xf32"), "");
}

static void test_rules_of_contractions(void **state) {
  (void)state;
  check_rule(PROGRAM("%a: " T("2x4x8xf32") ", %b: " T("2x8x16xf32"),
                     "stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]",
                     "(" T("2x4x8xf32") ", " T("2x8x16xf32") ") -> " T("2x4x16xf32"), T("2x4x16xf32")),
             "([i, j, l], [i, l, k])->([i, j, k]) i2 j4 k16 l8r");
  check_rule(PROGRAM("%a: " T("8x16x16x4xf32") ", %b: " T("3x3x2x6xf32"),
                     "stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = "
                     "{pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64}",
                     "(" T("8x16x16x4xf32") ", " T("3x3x2x6xf32") ") -> " T("8x16x16x6xf32"), T("8x16x16x6xf32")),
             "([j, mn, op, ik], [n, p, k, il])->([j, m, o, il]) i2 j8 k2r l3 m16p n3r o16p p3r");
}

#define REDUCE                                                                                               \
  "func.func @main(%a: tensor<4x8xf32>, %b: tensor<f32>) -> tensor<4xf32> { %0 = stablehlo.reduce(%a init: " \
  "%b) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32> "     \
  "return %0 : tensor<4xf32> }"
#define SORT(type)                                                                                         \
  "func.func @main(%a: tensor<" type ">) -> tensor<" type "> { %0 = \"stablehlo.sort\"(%a) ({ ^bb0(%x: "   \
  "tensor<f32>, %y: tensor<f32>): %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> "      \
  "tensor<i1> stablehlo.return %1 : tensor<i1> }) {dimension = 0 : i64, is_stable = true} : (tensor<" type \
  ">) -> tensor<" type "> return %0 : tensor<" type "> }"

static void test_rules_of_reductions(void **state) {
  (void)state;
  check_rule(REDUCE, "([i, j], [])->([i]) i4 j8r");
  check_rule(SORT("4x8xf32"), "([i, j])->([i, j]) i4n j8");
  check_rule(SORT("4x1xf32"), "([i, j])->([i, j]) i4n! j1");
  check_rule(PROGRAM("%a: " T("2x4x4xf32"), "stablehlo.cholesky %a, lower = true", T("2x4x4xf32"), T("2x4x4xf32")),
             "([i, j, k])->([i, j, k]) i2 j4n k4n");
  check_rule(PROGRAM("%a: " T("2x8xf32"), "stablehlo.fft %a, type = RFFT, length = [8]",
                     "(" T("2x8xf32") ") -> " T("2x5xcomplex<f32>"), T("2x5xcomplex<f32>")),
             "([i, j])->([i, j]) i2 j8n!");
}

#define GATHER(offset, collapsed, sizes, out)                                                                    \
  "func.func @main(%a: tensor<16x8xf32>, %b: tensor<4x1xi32>) -> tensor<" out                                    \
  "> { %0 = \"stablehlo.gather\"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [" offset         \
  "], collapsed_slice_dims = [" collapsed                                                                        \
  "], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: " sizes \
  ">}> : (tensor<16x8xf32>, tensor<4x1xi32>) -> tensor<" out "> return %0 : tensor<" out "> }"
#define SCATTER(region)                                                                                           \
  "func.func @main(%a: tensor<16x8xf32>, %b: tensor<4x1xi32>, %c: tensor<4x8xf32>) -> tensor<16x8xf32> { %0 = "   \
  "\"stablehlo.scatter\"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], " \
  "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = "  \
  "false, "                                                                                                       \
  "unique_indices = false}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): " region                                   \
  " }) : (tensor<16x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<16x8xf32> return %0 : tensor<16x8xf32> }"

static void test_rules_of_gather_and_scatter(void **state) {
  (void)state;
  check_rule(GATHER("1", "0", "1, 8", "4x8xf32"), "([k, j], [i, l])->([i, j]) i4 j8 k16r l1n");
  check_rule(GATHER("1, 2", "", "1, 8", "4x1x8xf32"), "([j, l], [i, m])->([i, k, l]) i4 j16r k1n l8 m1n");
  check_rule(GATHER("1, 2", "", "2, 8", "4x2x8xf32"), "([j, k], [i, l])->([i, j, k]) i4 j16n! k8 l1n");
  check_rule(SCATTER("%1 = stablehlo.add %x, %y : tensor<f32> stablehlo.return %1 : tensor<f32>"),
             "([k, j], [i, l], [i, j])->([k, j]) i4r j8 k16 l1n");
  check_rule(SCATTER("stablehlo.return %y : tensor<f32>"), "([k, j], [i, l], [i, j])->([k, j]) i4n j8 k16 l1n");
}

#define CALL(name, rule)                                                                                          \
  "func.func @main(%a: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> { %0 = stablehlo.custom_call @" name "(%a) {" rule \
  "} : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32> return %0 : tensor<2x4x4xf32> }"

// What a program says itself comes first; calls that nobody knows have no rule.
static void test_rules_of_calls(void **state) {
  (void)state;
  check_rule(CALL("whatever", ""), "");
  check_rule(CALL("MoveToHost", ""), "([i, j, k])->([i, j, k]) i2 j4 k4");
  check_rule(CALL("lapack", "sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m]) {i=2, j=4, k=4, l=4, "
                            "m=4}, custom>"),
             "([i, j, k])->([i, l, m]) i2 j4 k4 l4 m4");
  check_rule(CALL("split", "sdy.sharding_rule = #sdy.op_sharding_rule<([i, jk, l])->([i, j, kl]) {i=2, j=2, k=2, l=4} "
                           "reduction={j} need_replication={k, l} blocked_propagation={i}>"),
             "([i, jk, l])->([i, j, kl]) i2! j2r k2n l4n");
}

// A text that does not fit its op is refused, and the message names the op's place and what was wanted.
static void test_texts_that_are_no_rule(void **state) {
  (void)state;
  static const char *const wrong[] = {"",
                                      "<([i])->([i]) {i=2}>",
                                      "<([i, j, k])->([i, j, k]) {i=2, j=4}>",
                                      "<([i, j, k])->([i, j, k]) {i=2, k=4, j=4}>",
                                      "<([i, j, k])->([i, j, k]) {i=0, j=1, k=1}>",
                                      "<([i, j, k])->([i, j, k]) {i=2, j=4, k=4} reduction={l}>",
                                      "<([i, j, k])->([i, j, k]) {i=2, j=4, k=4}, what>",
                                      "<([i, j, k])->([i, j, j]) {i=2, j=4, k=4}>",
                                      "<([i, j, k])->([i, j, k]) {i=2, j=4, k=99999999999999999999999}>"};
  mr_module *module = read_ok(CALL("whatever", ""));
  mr_arena arena;
  mr_arena_init(&arena, 0);
  for (size_t i = 0; i < MR_ARRAY_SIZE(wrong); i++) {
    const mr_rule *rule = (const mr_rule *)&arena;
    mr_status status = mr_factors_parse(&arena, returned(module, 0)->def, mr_str_of(wrong[i]), &rule);
    assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
    assert_null(rule);
    mr_status_free(status);
  }
  mr_arena_deinit(&arena);
  mr_module_release(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rules_of_moves),
      cmocka_unit_test(test_rules_of_reshapes),
      cmocka_unit_test(test_rules_of_contractions),
      cmocka_unit_test(test_rules_of_reductions),
      cmocka_unit_test(test_rules_of_gather_and_scatter),
      cmocka_unit_test(test_rules_of_calls),
      cmocka_unit_test(test_texts_that_are_no_rule),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
