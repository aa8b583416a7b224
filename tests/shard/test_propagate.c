// What propagation finds. Meshes of 4 x 2 devices; arguments' shardings, then results', after the boundary was made even.
#include <time.h>

#include "compiler/shard/shard.h"
#include "tests/shard/propagated.h"

#define MESH "module { sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]> "
#define SHARDED(type, dims) "tensor<" type "> {sdy.sharding = #sdy.sharding<@mesh, [" dims "]>}"
#define X "{\"x\"}"
#define Y "{\"y\"}"
#define XY "{\"x\", \"y\"}"
#define N "{}"

static void check(const char *program, bool exported, const char *wanted) {
  char *found = propagated(program, 8, exported);
  if (strcmp(found, wanted) != 0) {
    fail_msg("%s\n gives  %s\n wanted %s", program, found, wanted);
  }
  free(found);
}

#define BINARY(op, type, a, b)                                                                                        \
  MESH "func.func @main(%a: " SHARDED(type, a) ", %b: " SHARDED(type, b) ") -> tensor<" type "> { %0 = stablehlo." op \
                                                                         " %a, %b : tensor<" type                     \
                                                                         "> return %0 : tensor<" type "> } }"

// Of two that want an axis along different dims the larger comes first, then who wants more, then the first.
static void test_conflicts_of_elementwise_ops(void **state) {
  (void)state;
  check(BINARY("add", "8x8xf32", X ", " N, N ", " X), true, "[{x}, {}] [{}, {x}] -> [{x}, {}]");
  check(BINARY("add", "8x8xf32", Y ", " N, N ", " X), true, "[{y}, {}] [{}, {x}] -> [{y}, {x}]");
  check(BINARY("add", "8x8xf32", N ", " XY, X ", " N), true, "[{}, {x, y}] [{x}, {}] -> [{}, {x, y}]");
  check(BINARY("add", "8xf32", X, Y), true, "[{x}] [{y}] -> -");
  check(BINARY("add", "8xf32", X, XY), true, "[{x}] [{x, y}] -> [{x, y}]");
}

// One argument, one op.
#define UNARY(type, a, op, result)                                                                               \
  MESH "func.func @main(%a: " SHARDED(type, a) ") -> tensor<" result "> { %0 = stablehlo." op " : (tensor<" type \
                                               ">) -> tensor<" result "> return %0 : tensor<" result "> } }"
#define DOT(m, k, n, a, b, result)                                                                               \
  MESH "func.func @main(%a: tensor<" m "x" k "xf32>" a ", %b: tensor<" k "x" n "xf32>" b ") -> (tensor<" m "x" n \
       "xf32>" result ") { %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<" m "x" k   \
       "xf32>, tensor<" k "x" n "xf32>) -> tensor<" m "x" n "xf32> return %0 : tensor<" m "x" n "xf32> } }"
#define SAYS(dims) " {sdy.sharding = #sdy.sharding<@mesh, [" dims "]>}"

// The larger source wins an axis that two dims of the result want; a contracted dim spreads to the other operand.
static void test_contractions(void **state) {
  (void)state;
  check(DOT("8", "8", "8", SAYS(X ", " N), SAYS(N ", " X), ""), true, "[{x}, {}] [{}, {x}] -> [{x}, {}]");
  check(DOT("4", "8", "16", SAYS(X ", " N), SAYS(N ", " X), ""), true, "[{x}, {}] [{}, {x}] -> [{}, {x}]");
  check(DOT("8", "8", "8", SAYS(N ", " X), SAYS(N ", " Y), ""), true, "[{}, {x}] [{}, {y}] -> [{}, {y}]");
  check(DOT("8", "8", "8", SAYS(N ", " X), "", ""), true, "[{}, {x}] [{x}, {}] -> -");
  check(DOT("8", "8", "8", SAYS(X ", " N), "", SAYS(X ", " Y)), true, "[{x}, {}] [{}, {y}] -> [{x}, {y}]");
}

// Where an axis does not divide a part of a dim it is cut, and what is behind a part that is not full stays whole. The
// boundary has whole axes.
static void test_reshapes_and_parts_of_axes(void **state) {
  (void)state;
  check(UNARY("64xf32", X, "reshape %a", "2x32xf32"), false, "[{x}] -> [{x:(1)2, ?}, {x:(2)2, ?}]");
  check(UNARY("64xf32", X, "reshape %a", "2x32xf32"), true, "[{x}] -> [{}, {}]");
  check(UNARY("8x4xf32", X ", " Y, "reshape %a", "2x16xf32"), false, "[{x}, {y}] -> [{x:(1)2, ?}, {x:(2)2, ?}]");
  check(UNARY("12xf32", X, "reshape %a", "3x4xf32"), true, "[{x}] -> -");
  check(UNARY("12xf32", X, "reshape %a", "4x3xf32"), true, "[{x}] -> [{x}, {}]");
  check(UNARY("4x2xf32", X ", " Y, "reshape %a", "8xf32"), true, "[{x}, {y}] -> [{x, y}]");
  check(UNARY("64xf32", XY, "reshape %a", "4x16xf32"), true, "[{x, y}] -> [{x}, {y}]");
  check(UNARY("8x8xf32", X ", " Y, "reshape %a", "64xf32"), true, "[{x}, {y}] -> [{x}]");
  check(UNARY("8x8xf32", X ", " Y, "slice %a [0:6, 0:8]", "6x8xf32"), false, "[{x}, {y}] -> [{x, ?}, {y, ?}]");
  check(UNARY("8x8xf32", X ", " Y, "slice %a [0:6, 0:8]", "6x8xf32"), true, "[{x}, {y}] -> [{}, {y}]");
}

#define CHAIN(mesh, arguments, results, body) mesh "func.func @main(" arguments ") -> (" results ") { " body " } }"
#define T "tensor<8x8xf32>"

// To XLA these are constants, or what they were made of, before it propagates; and two ops stop everything there.
static void test_what_is_simplified_away(void **state) {
  (void)state;
  check(UNARY("8x8xf32", X ", " Y, "slice %a [0:0, 0:8]", "0x8xf32"), true, "[{x}, {y}] -> -");
  check(CHAIN(MESH, "%a: " SHARDED("8xi32", X), "tensor<8xi32>",
              "%0 = stablehlo.subtract %a, %a : tensor<8xi32> return %0 : tensor<8xi32>"),
        true, "[{x}] -> -");
  check(CHAIN(MESH, "%a: " SHARDED("8xi32", X), "tensor<8xi32>",
              "%0 = stablehlo.and %a, %a : tensor<8xi32> return %0 : tensor<8xi32>"),
        true, "[{x}] -> [{x}]");
  check(CHAIN(MESH, "%a: " T SAYS(X ", " Y), T, "%0 = chlo.erf %a : " T " -> " T " return %0 : " T), true,
        "[{x}, {y}] -> -");
}

// Results that are fixed spread backward, to arguments too; a closed dim takes nothing, an open one may.
static void test_fixed_results_and_open_dims(void **state) {
  (void)state;
  check(CHAIN(MESH, "%a: " T, T SAYS(X ", " Y), "%0 = stablehlo.add %a, %a : " T " return %0 : " T), true,
        "[{x}, {y}] -> [{x}, {y}]");
  check(CHAIN(MESH, "%a: " T SAYS("{\"x\", ?}, {}") ", %b: " T SAYS(XY ", " N), T,
              "%0 = stablehlo.add %a, %b : " T " return %0 : " T),
        true, "[{x, y}, {}] [{x, y}, {}] -> [{x, y}, {}]");
  check(CHAIN(MESH, "%a: " T SAYS(X ", " N) ", %b: " T, T, "%0 = stablehlo.add %a, %b : " T " return %0 : " T), true,
        "[{x}, {}] [{x}, {}] -> [{x}, {}]");
}

// An axis that is said to be replicated goes nowhere; one that is not reduced yet neither.
static void test_replicated_and_unreduced_axes(void **state) {
  (void)state;
  const char *program =
      CHAIN(MESH,
            "%a: " T SAYS(X ", " Y) ", %b: " T " {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}], "
                                    "replicated={\"y\"}>}",
            T ", " T, "%0 = stablehlo.add %a, %b : " T " %1 = stablehlo.negate %b : " T " return %0, %1 : " T ", " T);
  check(program, true, "[{x}, {y}] [{x}, {}] -> [{x}, {y}] [{x}, {}]");
  check(CHAIN(MESH,
              "%a: " T " {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}], unreduced={\"x\"}>}, %b: " T SAYS(X ", " Y),
              T, "%0 = stablehlo.add %a, %b : " T " return %0 : " T),
        false, "[{?}, {y, ?}], unreduced={x} [{x}, {y}] -> [{x, ?}, {y, ?}]");
}

// Values on different meshes do not talk; meshes that are equal are one; one device's values say nothing.
static void test_several_meshes(void **state) {
  (void)state;
#define MESHES(other) "module { sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]> sdy.mesh @b = " other " "
#define ON_B(dims) " {sdy.sharding = #sdy.sharding<@b, " dims ">}"
#define ADDED(other, b) \
  CHAIN(MESHES(other), "%a: " T SAYS(X ", " N) ", %b: " T b, T, "%0 = stablehlo.add %a, %b : " T " return %0 : " T)
  check(ADDED("<[\"q\"=2, \"r\"=4]>", ON_B("[{\"q\"}, {}]")), false, "[{x}, {}] [{q}, {}] -> -");
  check(ADDED("<[\"x\"=4, \"y\"=2]>", ON_B("[{\"x\"}, {\"y\"}]")), false, "[{x}, {}] [{x}, {y}] -> [{x, ?}, {y, ?}]");
  check(ADDED("<[\"x\"=4, \"y\"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>", ON_B("[{\"x\"}, {\"y\"}]")), false,
        "[{x}, {}] [{x}, {y}] -> -");
  check(ADDED("<[], device_ids=[3]>", ON_B("[{}, {}]")), false, "[{x}, {}] [{}, {}] -> -");
  check(ADDED("<[]>", ON_B("[{}, {}]")), false, "[{x}, {}] [{}, {}] -> [{x, ?}, {?}]");
}

// A dim of less urgent priority waits until the others have spread: it loses a conflict that it would have won.
static void test_priorities(void **state) {
  (void)state;
  check(BINARY("add", "8x8xf32", N ", {\"x\"}p1", "{\"x\"}p0, " N), true, "[{}, {x}] [{x}, {}] -> [{x}, {}]");
  check(BINARY("add", "8x8xf32", "{}p0, {\"x\"}p0", "{\"x\"}p1, " N), true, "[{}, {x}] [{x}, {}] -> [{}, {x}]");
  check(BINARY("add", "8x8xf32", N ", {\"y\"}p2", "{\"x\"}p1, " N), true, "[{}, {y}] [{x}, {}] -> [{x}, {y}]");
}

#define IN_GROUP(value, id) "sdy.sharding_group %" value " group_id=" id " : " T "\n"

// Members of a group are sharded alike, whoever gets it first.
static void test_groups(void **state) {
  (void)state;
  check(CHAIN(MESH, "%a: " T SAYS(X ", " N) ", %b: " T, T ", " T,
              "%0 = stablehlo.sine %a : " T " %1 = stablehlo.cosine %b : " T " sdy.sharding_group %0 group_id=0 : " T
              " sdy.sharding_group %1 group_id=0 : " T " return %0, %1 : " T ", " T),
        true, "[{x}, {}] [{x}, {}] -> [{x}, {}] [{x}, {}]");
}

// Groups that share a value are one, in whatever order it is said; saying it twice changes nothing, and others stay apart.
static void test_groups_that_share(void **state) {
  (void)state;
  static const char *const orders[] = {
      IN_GROUP("a", "7") IN_GROUP("0", "-3") IN_GROUP("b", "7") IN_GROUP("b", "-3") IN_GROUP("1", "5"),
      IN_GROUP("b", "-3") IN_GROUP("1", "5") IN_GROUP("0", "-3") IN_GROUP("b", "7") IN_GROUP("b", "7")
          IN_GROUP("a", "7"),
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(orders); i++) {
    char *text = NULL;
    assert_true(asprintf(&text,
                         MESH "func.func @main(%%a: " T SAYS(
                             X ", " N) ", %%b: " T ", %%c: " T ", %%d: " T ") -> (" T ", " T
                                       ") {\n%%0 = stablehlo.cosine %%d : " T "\n%%1 = stablehlo.sine %%c : " T
                                       "\n%%2 = stablehlo.negate %%0 : " T "\n%sreturn %%2, %%1 : " T ", " T "\n}\n}\n",
                         orders[i]) > 0);
    check(text, true, "[{x}, {}] [{x}, {}] - [{x}, {}] -> [{x}, {}] -");
    free(text);
  }
}

// A constant that is in a group is in it wherever it is used, each of its copies.
static void test_groups_of_constants(void **state) {
  (void)state;
  check(CHAIN(MESH, "%a: " T SAYS(X ", " N), T ", " T,
              "%z = stablehlo.constant dense<0.0> : tensor<f32> %0 = stablehlo.broadcast_in_dim %z, dims = [] : "
              "(tensor<f32>) "
              "-> " T " sdy.sharding_group %a group_id=0 : " T " sdy.sharding_group %0 group_id=0 : " T
              " %1 = stablehlo.sine %0 : " T " return %0, %1 : " T ", " T),
        true, "[{x}, {}] -> [{x}, {}] [{x}, {}]");
}

// What a loop carries, what branches return, what passes a barrier and what is manual over one axis: the other goes through.
static void test_edges(void **state) {
  (void)state;
  check(
      CHAIN(
          MESH, "%a: " T ", %i: tensor<i32>", T SAYS(X ", " Y),
          "%0:2 = stablehlo.while(%p = %a, %k = %i) : " T ", tensor<i32> cond { %c = stablehlo.compare LT, %k, %k : "
          "(tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %c : tensor<i1> } do { %1 = stablehlo.sine %p : " T
          " stablehlo.return %1, %k : " T ", tensor<i32> } return %0#0 : " T),
      true, "[{x}, {y}] - -> [{x}, {y}]");
  check(CHAIN(MESH, "%a: " T SAYS(X ", " N) ", %b: " T SAYS(N ", " Y), T ", " T,
              "%0:2 = stablehlo.optimization_barrier %a, %b : " T ", " T " return %0#0, %0#1 : " T ", " T),
        true, "[{x}, {}] [{}, {y}] -> [{x}, {}] [{}, {y}]");
  check(
      CHAIN(MESH, "%a: " T SAYS(X ", " Y), T,
            "%0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{\"x\", ?}, {?}]>] out_shardings=[<@mesh, [{\"x\", "
            "?}, {?}]>] manual_axes={\"x\"} (%b: tensor<2x8xf32>) { %1 = stablehlo.sine %b : tensor<2x8xf32> "
            "sdy.return %1 : tensor<2x8xf32> } : (" T ") -> " T " return %0 : " T),
      true, "[{x}, {y}] -> [{x}, {y}]");
}

// ---- Time -----------------------------------------------------------------------------------------------------------------

// A chain of elementwise ops and products with one weight, whose end is sharded.
static mr_module *chain(uint32_t num_ops, const char *mesh) {
  char text[512];
  snprintf(text, sizeof text,
           "module { sdy.mesh @mesh = %s func.func @main(%%a: tensor<1024x64xf32> {sdy.sharding = #sdy.sharding<@mesh, "
           "[{\"x\"}, {}]>}, %%w: tensor<64x64xf32>) -> tensor<1024x64xf32> { return %%a : tensor<1024x64xf32> } }",
           mesh);
  mr_module *module = read_ok(text);
  mr_block *body = &mr_module_entry(module)->body;
  mr_op *end = mr_block_terminator(body);
  mr_builder b = mr_builder_before(end);
  mr_value *value = body->args[0];
  for (uint32_t i = 0; i < num_ops; i++) {
    value = i % 3 == 0   ? mr_build_unary(&b, MR_OP_sine, value)
            : i % 3 == 1 ? mr_build_binary(&b, MR_OP_add, value, mr_op_operand(value->def, 0))
                         : mr_build_transpose(&b, value, (int64_t[]){1, 0});
    if (i % 3 == 2) {
      value = mr_build_transpose(&b, value, (int64_t[]){1, 0});
    }
  }
  mr_op_set_operand(end, 0, value);
  return module;
}

// Of the processor: other programs of a busy machine do not count.
static uint64_t thread_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static double seconds_of(uint32_t num_ops, const char *mesh, int64_t num_devices) {
  double best = 1e9;
  for (int round = 0; round < 3; round++) {
    mr_module *module = chain(num_ops, mesh);
    mr_import *import;
    assert_ok(mr_import_run(module, num_devices, &import));
    uint64_t start = thread_ns();
    assert_ok(mr_propagate(import));
    best = MR_MIN(best, (double)(thread_ns() - start) * 1e-9);
    assert_non_null(import->results[0]);
    assert_int_equal(import->results[0]->dims[0].axes.count, 1);
    mr_module_release(module);
  }
  return best;
}

// Ten times the ops take ten times the time (twenty pass, for caches), and as many devices as there are none more.
static void test_time_is_linear_in_ops_and_not_in_devices(void **state) {
  (void)state;
  double few = seconds_of(2000, "<[\"x\"=4, \"y\"=2]>", 8), many = seconds_of(20000, "<[\"x\"=4, \"y\"=2]>", 8);
  double wide = seconds_of(20000, "<[\"x\"=256, \"y\"=4]>", 1024);
  print_message("2000 ops %.2f ms, 20000 ops %.2f ms, on 1024 devices %.2f ms\n", few * 1e3, many * 1e3, wide * 1e3);
  assert_true(many < 20 * few);
  assert_true(wide < 3 * many);
}

// Seconds to cut a chain of so many manual computations.
static double seconds_of_manuals(uint32_t count) {
  mr_text text = {0};
  mr_text_put(&text, "module attributes {mhlo.num_partitions = 8 : i32} { sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]> "
                     "func.func @main(%%v0: tensor<8xf32>) -> tensor<8xf32> {\n");
  for (uint32_t i = 0; i < count; i++) {
    mr_text_put(
        &text,
        "%%v%u = sdy.manual_computation(%%v%u) in_shardings=[<@mesh, [{\"x\"}]>] out_shardings=[<@mesh, "
        "[{\"x\"}]>] manual_axes={\"x\", \"y\"} (%%b: tensor<2xf32>) { %%c = stablehlo.sine %%b : tensor<2xf32>\n"
        "sdy.return %%c : tensor<2xf32>\n} : (tensor<8xf32>) -> tensor<8xf32>\n",
        i + 1, i);
  }
  mr_text_put(&text, "return %%v%u : tensor<8xf32> } }", count);
  assert_false(text.failed);
  double best = 1e9;
  const mr_compile_options options = {.num_partitions = 8};
  for (int round = 0; round < 3; round++) {
    mr_module *module = read_ok(text.data);
    mr_shard_boundary boundary = {0};
    uint64_t start = thread_ns();
    assert_ok(mr_shard_run(module, &options, &boundary));
    best = MR_MIN(best, (double)(thread_ns() - start) * 1e-9);
    assert_int_equal(boundary.num_results, 1);
    mr_module_release(module);
  }
  mr_text_deinit(&text);
  return best;
}

static void test_time_is_linear_in_manual_computations(void **state) {
  (void)state;
  double few = seconds_of_manuals(1000), many = seconds_of_manuals(10000);
  print_message("1000 manual computations %.2f ms, 10000 %.2f ms\n", few * 1e3, many * 1e3);
  assert_true(many < 30 * few);
}

// A token in front of what a computation takes and gives, which has no sharding.
static void test_tokens_of_manual_computations(void **state) {
  (void)state;
  check(MESH "func.func @main(%t: !stablehlo.token, %a: tensor<8xf32>) -> (!stablehlo.token, tensor<8xf32>) {\n"
             "%0:2 = sdy.manual_computation(%t, %a) in_shardings=[<@mesh, []>, <@mesh, [{\"x\"}]>] "
             "out_shardings=[<@mesh, []>, <@mesh, [{\"x\"}]>] manual_axes={\"x\", \"y\"} "
             "(%u: !stablehlo.token, %b: tensor<2xf32>) { %1 = stablehlo.sine %b : tensor<2xf32>\n"
             "sdy.return %u, %1 : !stablehlo.token, tensor<2xf32>\n} : (!stablehlo.token, tensor<8xf32>) -> "
             "(!stablehlo.token, tensor<8xf32>)\n return %0#0, %0#1 : !stablehlo.token, tensor<8xf32> } }",
        true, "- [{x}] -> - [{x}]");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tokens_of_manual_computations),
      cmocka_unit_test(test_conflicts_of_elementwise_ops),
      cmocka_unit_test(test_contractions),
      cmocka_unit_test(test_reshapes_and_parts_of_axes),
      cmocka_unit_test(test_what_is_simplified_away),
      cmocka_unit_test(test_fixed_results_and_open_dims),
      cmocka_unit_test(test_replicated_and_unreduced_axes),
      cmocka_unit_test(test_several_meshes),
      cmocka_unit_test(test_priorities),
      cmocka_unit_test(test_groups),
      cmocka_unit_test(test_groups_that_share),
      cmocka_unit_test(test_groups_of_constants),
      cmocka_unit_test(test_edges),
      cmocka_unit_test(test_time_is_linear_in_ops_and_not_in_devices),
      cmocka_unit_test(test_time_is_linear_in_manual_computations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
