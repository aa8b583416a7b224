// Inlining and forwarding: after them the entry function stands alone.
#include <time.h>

#include "compiler/ir/calls.h"
#include "tests/compiler/pass_text.h"

// A function called from a loop and from another function ends up in @main, twice.
static void test_calls_from_loops(void **state) {
  (void)state;
  mr_module *module =
      read_ok("func.func public @main(%a: tensor<f32>) -> tensor<f32> {\n"
              "  %0 = \"stablehlo.while\"(%a) ({\n  ^bb0(%x: tensor<f32>):\n"
              "    %l = \"stablehlo.compare\"(%x, %a) <{comparison_direction = #stablehlo<comparison_direction LT>}> : "
              "(tensor<f32>, tensor<f32>) -> tensor<i1>\n"
              "    \"stablehlo.return\"(%l) : (tensor<i1>) -> ()\n  }, {\n  ^bb0(%x: tensor<f32>):\n"
              "    %c = func.call @outer(%x) : (tensor<f32>) -> tensor<f32>\n"
              "    \"stablehlo.return\"(%c) : (tensor<f32>) -> ()\n  }) : (tensor<f32>) -> tensor<f32>\n"
              "  %1 = call @inner(%0) : (tensor<f32>) -> tensor<f32>\n  return %1 : tensor<f32>\n}\n"
              "func.func private @outer(%a: tensor<f32>) -> tensor<f32> {\n"
              "  %0 = call @inner(%a) : (tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}\n"
              "func.func private @inner(%a: tensor<f32>) -> tensor<f32> {\n"
              "  %0 = stablehlo.negate %a : tensor<f32>\n  return %0 : tensor<f32>\n}\n");
  run_ok(mr_pass_inline, module);
  assert_int_equal(count_kind(module, MR_OP_call), 0);
  assert_int_equal(count_kind(module, MR_OP_negate), 2);
  assert_null(module->functions->next);
  mr_module_release(module);
}

// A known composite of floats becomes the native op, of other types its decomposition.
static void test_composites(void **state) {
  (void)state;
  const char *text =
      "func.func public @main(%%a: tensor<4x%s>) -> tensor<4x%s> {\n"
      "  %%0 = stablehlo.composite \"chlo.erf\" %%a {decomposition = @erf, version = 1 : i32} : (tensor<4x%s>) -> "
      "tensor<4x%s>\n  return %%0 : tensor<4x%s>\n}\n"
      "func.func private @erf(%%a: tensor<4x%s>) -> tensor<4x%s> {\n"
      "  %%0 = stablehlo.negate %%a : tensor<4x%s>\n  return %%0 : tensor<4x%s>\n}\n";
  const char *types[] = {"f32", "f8E5M2"};
  for (int i = 0; i < 2; i++) {
    const char *t = types[i];
    char program[1024];
    snprintf(program, sizeof program, text, t, t, t, t, t, t, t, t, t);
    mr_module *module = read_ok(program);
    run_ok(mr_pass_inline, module);
    assert_int_equal(count_kind(module, MR_OP_composite), 0);
    assert_int_equal(count_kind(module, MR_OP_erf), i == 0);
    assert_int_equal(count_kind(module, MR_OP_negate), i == 1);
    mr_module_release(module);
  }
}

// Functions that call one another twice each are refused before they fill the memory.
static void test_doubling_calls_are_bounded(void **state) {
  (void)state;
  mr_module *module = NULL;
  assert_ok(mr_module_create(0, &module));
  mr_type type = mr_type_scalar(MR_F32);
  enum { LEVELS = 40 };
  for (int i = 0; i < LEVELS; i++) {
    char name[16], next[16];
    snprintf(name, sizeof name, i ? "f%d" : "main", i);
    snprintf(next, sizeof next, "f%d", i + 1);
    mr_function *f = mr_module_add_function(module, mr_str_of(name), i == 0, 1, &type, 1, &type);
    mr_builder b = mr_builder_at_end(&f->body);
    mr_value *x = f->body.args[0];
    for (int j = 0; j < 2 && i + 1 < LEVELS; j++) {
      mr_op *call = mr_build(&b, MR_OP_call, 1, &x, 1, &type, 0);
      mr_op_set_string(module, call, MR_ATTR_callee, mr_str_of(next));
      x = mr_op_result(call, 0);
    }
    mr_build(&b, MR_OP_return, 1, &x, 0, NULL, 0);
  }
  assert_ok(mr_module_verify(module));
  mr_status status = mr_pass_inline(module);
  assert_int_equal(mr_status_code(status), MR_RESOURCE_EXHAUSTED);
  mr_status_free(status);
  mr_module_release(module);
}

// Barriers, sharding annotations, tuples and annotating custom calls leave nothing behind.
static void test_forwarding(void **state) {
  (void)state;
  mr_module *module =
      read_ok("func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
              "  %0 = stablehlo.optimization_barrier %a : tensor<4xf32>\n"
              "  %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = \"{replicated}\"} : (tensor<4xf32>) -> "
              "tensor<4xf32>\n"
              "  %2 = stablehlo.tuple %1, %a : tuple<tensor<4xf32>, tensor<4xf32>>\n"
              "  %3 = stablehlo.get_tuple_element %2[0] : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>\n"
              "  return %3 : tensor<4xf32>\n}\n");
  run_ok(mr_pass_forward, module);
  run_ok(mr_pass_dce, module);
  assert_ptr_equal(returned(module, 0), argument(module, 0));
  assert_int_equal(count_kind(module, MR_OP_return), 1);
  assert_ptr_equal(module->functions->body.first, module->functions->body.last);
  mr_module_release(module);
}

// Calls that give tuples, of no part, one and two, give the parts, and say that they gave a tuple; one that is passed on as it is does not.
static void test_calls_of_tuples(void **state) {
  (void)state;
#define PART(from, index, types) \
  "stablehlo.get_tuple_element %" from "[" index "] : (tuple<" types ">) -> tensor<4xf32>\n"
  mr_module *module = read_ok(
      "func.func public @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {\n"
      "  %0 = stablehlo.custom_call @none(%a) {has_side_effect = true} : (tensor<4xf32>) -> tuple<>\n"
      "  %1 = stablehlo.custom_call @one(%a) : (tensor<4xf32>) -> tuple<tensor<4xf32>>\n"
      "  %2 = " PART(
          "1", "0",
          "tensor<4xf32>") "  %3 = stablehlo.custom_call @two(%2) : (tensor<4xf32>) -> tuple<tensor<4xf32>, "
                           "tensor<4xf32>>\n"
                           "  %4 = " PART("3", "1", "tensor<4xf32>, tensor<4xf32>") "  %5 = " PART(
                               "3", "0",
                               "tensor<4xf32>, tensor<4xf32>") "  return %4, %5 : tensor<4xf32>, tensor<4xf32>\n}\n");
  run_ok(mr_pass_forward, module);
  uint32_t parts = 0;
  for (const mr_op *op = module->functions->body.first; op; op = op->next) {
    if (op->kind == MR_OP_custom_call) {
      assert_int_equal(op->num_results, parts++);
      assert_non_null(mr_op_extra(op, MR_CALL_GAVE_TUPLE));
    }
  }
  assert_int_equal(parts, 3);
  assert_ptr_equal(returned(module, 0), &returned(module, 1)->def->results[1]);
  assert_int_equal(count_kind(module, MR_OP_get_tuple_element), 0);
  mr_module_release(module);
}

// What is started aside is computed where it starts; nothing of the future is left, whether anybody waits for it or not.
static void test_async(void **state) {
  (void)state;
#define START(name)                                                                                            \
  "%" name " = \"stablehlo.async_start\"(%x) ({\n^bb0(%a: tensor<8xf32>):\n"                                   \
  "%s = stablehlo.slice %a [2:6] : (tensor<8xf32>) -> tensor<4xf32>\nstablehlo.return %s : tensor<4xf32>\n}) " \
  ": (tensor<8xf32>) -> !stablehlo.future<tensor<4xf32>>\n"
  mr_module *module =
      read_ok("func.func @main(%x: tensor<8xf32>) -> tensor<4xf32> {\n" START("f")
                  START("g") "%r = \"stablehlo.async_done\"(%f) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>\n"
                             "return %r : tensor<4xf32>\n}\n");
  run_ok(mr_pass_inline, module);
  assert_int_equal(returned(module, 0)->def->kind, MR_OP_slice);
  assert_int_equal(count_kind(module, MR_OP_async_start) + count_kind(module, MR_OP_async_done), 0);
  mr_module_release(module);
}

// An order that a start is in goes with it: between start and end there is nothing left to come.
static void test_async_in_an_order(void **state) {
  (void)state;
#define ORDER(before, after, types) \
  "stablehlo.custom_call @control_dep(%" before ", %" after ") {has_side_effect = true} : (" types ") -> ()\n"
  mr_module *module =
      read_ok("func.func @main(%x: tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {\n" START(
          "f") "%y = stablehlo.sine %x : tensor<8xf32>\n"
               "%r = \"stablehlo.async_done\"(%f) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>\n" ORDER(
                   "f", "y", "!stablehlo.future<tensor<4xf32>>, tensor<8xf32>")
                   ORDER("y", "r", "tensor<8xf32>, tensor<4xf32>") "return %r, %y : tensor<4xf32>, tensor<8xf32>\n}\n");
  run_ok(mr_pass_inline, module);
  assert_int_equal(count_kind(module, MR_OP_custom_call), 1);
  run_ok(mr_pass_order, module);
  assert_int_equal(count_kind(module, MR_OP_custom_call), 0);
  assert_ptr_equal(returned(module, 1)->def->next, returned(module, 0)->def);
  mr_module_release(module);
}

// A chain of a hundred thousand ops goes through the whole pipeline in linear time.
static void test_long_chain(void **state) {
  (void)state;
  mr_module *module = NULL;
  assert_ok(mr_module_create(0, &module));
  mr_type type = mr_type_tensor(module, MR_F32, 1, (int64_t[]){8});
  mr_function *f = mr_module_add_function(module, MR_STR("main"), true, 1, &type, 1, &type);
  mr_builder b = mr_builder_at_end(&f->body);
  mr_value *x = f->body.args[0];
  for (int i = 0; i < 50000; i++) {
    x = mr_build_binary(&b, MR_OP_add, x, mr_build_unary(&b, MR_OP_sine, x));
  }
  mr_build(&b, MR_OP_return, 1, &x, 0, NULL, 0);
  // Of the processor, which a busy machine takes no more of.
  struct timespec start, end;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
  assert_ok(mr_passes_run(module));
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  assert_true(end.tv_sec - start.tv_sec < 20);
  assert_int_equal(count_kind(module, MR_OP_sine), 50000);
  mr_module_release(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_calls_from_loops),
      cmocka_unit_test(test_composites),
      cmocka_unit_test(test_doubling_calls_are_bounded),
      cmocka_unit_test(test_forwarding),
      cmocka_unit_test(test_calls_of_tuples),
      cmocka_unit_test(test_async),
      cmocka_unit_test(test_async_in_an_order),
      cmocka_unit_test(test_long_chain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
