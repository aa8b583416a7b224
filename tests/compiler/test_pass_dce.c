// Dead code and common subexpressions.
#include <time.h>

#include "tests/compiler/pass_text.h"

// %0 counts and is returned; the second slot feeds only itself, the third is handed on unchanged, the fourth is used by
// the condition.
static const char loop[] =
    "func.func public @main(%a: tensor<i32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<i32>) -> tensor<i32> {\n"
    "  %0:4 = \"stablehlo.while\"(%a, %b, %c, %d) ({\n"
    "  ^bb0(%i: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>, %n: tensor<i32>):\n"
    "    %l = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %l : tensor<i1>\n  }, {\n"
    "  ^bb0(%i: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>, %n: tensor<i32>):\n"
    "    %1 = stablehlo.add %i, %i : tensor<i32>\n    %2 = stablehlo.multiply %x, %y : tensor<f32>\n"
    "    %3 = stablehlo.negate %n : tensor<i32>\n"
    "    stablehlo.return %1, %2, %y, %3 : tensor<i32>, tensor<f32>, tensor<f32>, tensor<i32>\n"
    "  }) : (tensor<i32>, tensor<f32>, tensor<f32>, tensor<i32>) -> (tensor<i32>, tensor<f32>, tensor<f32>, "
    "tensor<i32>)\n"
    "  return %0#0 : tensor<i32>\n}\n";

// A loop keeps the slots that its result or its condition needs.
static void test_loop_slots(void **state) {
  (void)state;
  mr_module *module = read_ok(loop);
  run_ok(mr_pass_dce, module);
  mr_op *op = find_kind(module, MR_OP_while);
  assert_int_equal(op->num_results, 2);
  assert_int_equal(op->regions[1]->num_args, 2);
  assert_ptr_equal(mr_op_operand(op, 1), argument(module, 3));
  assert_int_equal(count_kind(module, MR_OP_multiply), 0);
  assert_int_equal(count_kind(module, MR_OP_negate), 1);
  mr_module_release(module);
}

// A loop without effect that nobody looks at disappears.
static void test_unused_loop(void **state) {
  (void)state;
  mr_module *module = read_ok(loop);
  mr_op_set_operand(mr_block_terminator(&module->functions->body), 0, argument(module, 0));
  run_ok(mr_pass_dce, module);
  assert_int_equal(count_kind(module, MR_OP_while), 0);
  assert_int_equal(count_kind(module, MR_OP_return), 1);
  mr_module_release(module);
}

// Branch results that nobody uses go from every branch; an effect inside a dead result's op stays.
static void test_branches_and_effects(void **state) {
  (void)state;
  mr_module *module = read_ok(
      "func.func public @main(%p: tensor<i32>, %a: tensor<f32>) -> tensor<f32> {\n"
      "  %0:2 = \"stablehlo.case\"(%p) ({\n    %1 = stablehlo.sine %a : tensor<f32>\n"
      "    stablehlo.return %1, %a : tensor<f32>, tensor<f32>\n  }, {\n    %1 = stablehlo.cosine %a : tensor<f32>\n"
      "    %2 = stablehlo.custom_call @ring(%a) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>\n"
      "    stablehlo.return %1, %2 : tensor<f32>, tensor<f32>\n  }) : (tensor<i32>) -> (tensor<f32>, tensor<f32>)\n"
      "  return %0#1 : tensor<f32>\n}\n");
  run_ok(mr_pass_dce, module);
  assert_int_equal(find_kind(module, MR_OP_case)->num_results, 1);
  assert_int_equal(count_kind(module, MR_OP_sine) + count_kind(module, MR_OP_cosine), 0);
  assert_int_equal(count_kind(module, MR_OP_custom_call), 1);
  mr_op_set_operand(mr_block_terminator(&module->functions->body), 0, argument(module, 1));
  run_ok(mr_pass_dce, module);
  assert_int_equal(find_kind(module, MR_OP_case)->num_results, 0);
  assert_int_equal(count_kind(module, MR_OP_custom_call), 1);
  mr_module_release(module);
}

// Slots that pass their value on to the next one are needed as far as the chain is: here all thousand.
static void test_rotating_slots(void **state) {
  (void)state;
  enum { SLOTS = 1000 };
  mr_module *module = NULL;
  assert_ok(mr_module_create(0, &module));
  mr_type type = mr_type_scalar(MR_F32), truth = mr_type_scalar(MR_PRED);
  mr_function *f = mr_module_add_function(module, MR_STR("main"), true, 1, &type, 1, &type);
  mr_value *operands[SLOTS];
  mr_type types[SLOTS];
  for (int i = 0; i < SLOTS; i++) {
    operands[i] = f->body.args[0];
    types[i] = type;
  }
  mr_builder b = mr_builder_at_end(&f->body);
  mr_op *op = mr_build(&b, MR_OP_while, SLOTS, operands, SLOTS, types, 2);
  for (int i = 0; i < SLOTS; i++) {
    mr_block_add_arg(module, op->regions[0], &type);
    operands[(i + SLOTS - 1) % SLOTS] = mr_block_add_arg(module, op->regions[1], &type);
  }
  mr_builder cond = mr_builder_at_end(op->regions[0]), body = mr_builder_at_end(op->regions[1]);
  mr_value *no = mr_build_splat_int(&cond, &truth, 0);
  mr_build(&cond, MR_OP_return, 1, &no, 0, NULL, 0);
  mr_build(&body, MR_OP_return, SLOTS, operands, 0, NULL, 0);
  mr_value *result = mr_op_result(op, 0);
  mr_build(&b, MR_OP_return, 1, &result, 0, NULL, 0);
  run_ok(mr_pass_dce, module);
  assert_int_equal(find_kind(module, MR_OP_while)->num_results, SLOTS);
  mr_module_release(module);
}

// Equal ops are one: in one block, in a nested one after an outer one, reductions with equal bodies; sibling branches and
// different attributes stay apart.
static void test_cse(void **state) {
  (void)state;
#define REDUCE(name, kind)                                                                                         \
  "  " name                                                                                                        \
  " = \"stablehlo.reduce\"(%a, %z) <{dimensions = array<i64: 0>}> ({\n  ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n" \
  "    %s = stablehlo." kind " %x, %y : tensor<f32>\n    stablehlo.return %s : tensor<f32>\n"                      \
  "  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>\n"
  mr_module *module = read_ok(
      "func.func public @main(%p: tensor<i32>, %a: tensor<4xf32>, %z: tensor<f32>) -> (tensor<f32>, tensor<f32>, "
      "tensor<f32>, tensor<4xf32>, tensor<4xf32>) {\n" REDUCE("%0", "add") REDUCE("%1", "add") REDUCE(
          "%2",
          "maximum") "  %3 = stablehlo.sine %a : tensor<4xf32>\n"
                     "  %4 = \"stablehlo.case\"(%p) ({\n    %5 = stablehlo.sine %a : tensor<4xf32>\n"
                     "    %6 = stablehlo.cosine %a : tensor<4xf32>\n    %7 = stablehlo.add %5, %6 : tensor<4xf32>\n"
                     "    stablehlo.return %7 : tensor<4xf32>\n  }, {\n    %6 = stablehlo.cosine %a : tensor<4xf32>\n"
                     "    stablehlo.return %6 : tensor<4xf32>\n  }) : (tensor<i32>) -> tensor<4xf32>\n"
                     "  return %0, %1, %2, %3, %4 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<4xf32>, "
                     "tensor<4xf32>\n}\n");
  run_ok(mr_pass_cse, module);
  assert_int_equal(count_kind(module, MR_OP_reduce), 2);
  assert_ptr_equal(returned(module, 0), returned(module, 1));
  assert_int_equal(count_kind(module, MR_OP_sine), 1);
  assert_int_equal(count_kind(module, MR_OP_cosine), 2);
  mr_module_release(module);
}

// Processor time of finding that `count` sorts are none twice: they differ in a constant of what compares.
static double cse_of_sorts_ms(int count) {
  static const char format[] =
      "  %%r%d = \"stablehlo.sort\"(%%a) ({\n  ^bb0(%%x: tensor<f32>, %%y: tensor<f32>):\n"
      "    %%k = stablehlo.constant dense<%d.0> : tensor<f32>\n    %%m = stablehlo.multiply %%x, %%k : tensor<f32>\n"
      "    %%c = stablehlo.compare LT, %%m, %%y : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
      "    stablehlo.return %%c : tensor<i1>\n  }) : (tensor<4xf32>) -> tensor<4xf32>\n";
  mr_text text = {0};
  mr_text_put(&text, "func.func public @main(%%a: tensor<4xf32>) -> tensor<4xf32> {\n");
  for (int i = 0; i < count; i++) {
    mr_text_put(&text, format, i, i);
  }
  mr_text_put(&text, "  return %%r0 : tensor<4xf32>\n}\n");
  mr_text_append(&text, (mr_str){"", 1});
  assert_false(text.failed);
  mr_module *module = read_ok(text.data);
  mr_text_deinit(&text);
  clock_t before = clock();
  assert_ok(mr_pass_cse(module));
  double ms = (double)(clock() - before) * 1e3 / CLOCKS_PER_SEC;
  assert_int_equal(count_kind(module, MR_OP_sort), count);
  mr_module_release(module);
  return ms;
}

// Ops whose regions differ in attributes alone are not compared each with each: of eight times as many it would be 64 times
// the work.
static void test_cse_is_linear(void **state) {
  (void)state;
  enum { FEW = 1000, TURNS = 5 };
  double few = 1e9, many = 1e9;
  for (int turn = 0; turn < TURNS && (turn == 0 || many > 40 * few + 2); turn++) {
    few = MR_MIN(few, cse_of_sorts_ms(FEW));
    many = MR_MIN(many, cse_of_sorts_ms(8 * FEW));
  }
  print_message("%d: %.2f ms, %d: %.2f ms\n", FEW, few, 8 * FEW, many);
  assert_true(many <= 40 * few + 2);
}

// What goes round an outer loop only to go round an inner one, and that nothing needs, leaves both.
static void test_slots_of_loops_in_loops(void **state) {
  (void)state;
#define COUNT(i, below)                                                                                   \
  "cond {\n  %" i "p = stablehlo.compare LT, %" i ", %" below ", SIGNED : (tensor<i32>, tensor<i32>) -> " \
  "tensor<i1>\n  stablehlo.return %" i "p : tensor<i1>\n} do {\n"
  mr_module *module =
      read_ok("func.func @main(%n: tensor<i32>, %a: tensor<4xf32>) -> tensor<i32> {\n"
              "%0:2 = stablehlo.while(%i = %n, %x = %a) : tensor<i32>, tensor<4xf32>\n" COUNT(
                  "i", "n") "%1:2 = stablehlo.while(%j = %i, %y = %x) : tensor<i32>, "
                            "tensor<4xf32>\n" COUNT("j", "n") "%2 = stablehlo.add %j, %n : tensor<i32>\n"
                                                              "stablehlo.return %2, %y : tensor<i32>, "
                                                              "tensor<4xf32>\n}\n"
                                                              "stablehlo.return %1#0, %1#1 : tensor<i32>, "
                                                              "tensor<4xf32>\n}\n"
                                                              "return %0#0 : tensor<i32>\n}\n");
  assert_null(mr_pass_dce(module));
  assert_int_equal(count_kind(module, MR_OP_while), 2);
  const mr_block *root = &mr_module_entry(module)->body;
  for (const mr_op *op = mr_walk_first(root); op; op = mr_walk_next(op, root)) {
    assert_true(op->kind != MR_OP_while || op->num_results == 1);
  }
  mr_module_release(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_slots_of_loops_in_loops),
      cmocka_unit_test(test_loop_slots),
      cmocka_unit_test(test_unused_loop),
      cmocka_unit_test(test_branches_and_effects),
      cmocka_unit_test(test_rotating_slots),
      cmocka_unit_test(test_cse),
      cmocka_unit_test(test_cse_is_linear),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
