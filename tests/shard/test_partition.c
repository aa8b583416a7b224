// Programs with shardings become programs on local parts: which collectives are in them, and how many.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/shard/shard.h"
#include "core/trace.h"
#include "tests/compiler/pass_text.h"

// Programs over a mesh of x=4, y=2. In their text "@[x,-,xy]" stands for the sharding that cuts by x, not at all, and by both.
static void expand(const char *text, char *out, size_t size) {
  size_t at = (size_t)snprintf(out, size, "sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]>\n");
  for (const char *c = text; *c; c++) {
    if (c[0] != '@' || c[1] != '[') {
      at += (size_t)snprintf(out + at, size - at, "%c", *c);
      continue;
    }
    at += (size_t)snprintf(out + at, size - at, "#sdy.sharding<@mesh, [{");
    bool first = true;
    for (c += 2; *c != ']'; c++) {
      if (*c == ',') {
        at += (size_t)snprintf(out + at, size - at, "}, {");
      } else if (*c != '-') {
        at += (size_t)snprintf(out + at, size - at, "%s\"%c\"", first ? "" : ", ", *c);
      }
      first = *c == ',';
    }
    at += (size_t)snprintf(out + at, size - at, "}]>");
  }
  assert_true(at < size);
}

typedef struct counts {
  size_t all_gather, all_reduce, reduce_scatter, all_to_all, permute;
} counts;

static mr_module *partitioned(const char *text) {
  char program[8192];
  expand(text, program, sizeof program);
  mr_module *module = read_ok(program);
  module->num_partitions = 8;
  mr_compile_options options = {.num_partitions = 8};
  mr_shard_boundary boundary;
  module->num_partitions = 8;
  assert_ok(mr_shard_run(module, &options, &boundary));
  assert_ok(mr_module_verify(module));
  assert_int_equal(boundary.num_params, mr_module_entry(module)->body.num_args);
  assert_int_equal(boundary.whole_ops, 0);
  return module;
}

static void print(const mr_module *module, const char *name) {
  mr_text text = {0};
  mr_module_print(module, &text);
  printf("%s:\n%.*s\n", name, (int)text.size, text.data);
  mr_text_deinit(&text);
}

// How many of a kind stand in loops.
static size_t count_in_loops(const mr_module *module, mr_op_kind kind) {
  size_t count = 0;
  const mr_block *root = &mr_module_entry(module)->body;
  for (const mr_op *op = mr_walk_first(root); op; op = mr_walk_next(op, root)) {
    count += op->kind == kind && op->block != root && op->block->parent->kind == MR_OP_while;
  }
  return count;
}

static void expect(const char *name, const char *text, const char *result, counts wanted) {
  mr_module *module = partitioned(text);
  counts found = {count_kind(module, MR_OP_all_gather), count_kind(module, MR_OP_all_reduce),
                  count_kind(module, MR_OP_reduce_scatter), count_kind(module, MR_OP_all_to_all),
                  count_kind(module, MR_OP_collective_permute)};
  assert_int_equal(count_in_loops(module, MR_OP_all_reduce), 0);
  char type[64];
  mr_type_text(&returned(module, 0)->type, type, sizeof type);
  if (memcmp(&found, &wanted, sizeof found) != 0 || strcmp(type, result) != 0) {
    print(module, name);
    fail_msg("%s gives %s with %zu all_gather, %zu all_reduce, %zu reduce_scatter, %zu all_to_all, %zu permute", name,
             type, found.all_gather, found.all_reduce, found.reduce_scatter, found.all_to_all, found.permute);
  }
  mr_module_release(module);
}

#define ARG(name, type, tiles) "%" name ": tensor<" type "> {sdy.sharding = @[" tiles "]}"
#define GIVES(type, tiles) "(tensor<" type "> {sdy.sharding = @[" tiles "]})"
#define MAIN(args, results, body) "func.func public @main(" args ") -> " results " {\n" body "}\n"
#define DOT(lhs, rhs, result)                                                                                  \
  "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<" lhs ">, tensor<" rhs ">) -> " \
  "tensor<" result ">\n  return %0 : tensor<" result ">\n"
#define REDUCE(kind, init, from, dims, to)                                                                         \
  "  %i = stablehlo.constant dense<" init "> : tensor<f32>\n"                                                      \
  "  %0 = stablehlo.reduce(%a init: %i) applies stablehlo." kind " across dimensions = [" dims "] : (tensor<" from \
  ">, tensor<f32>) -> tensor<" to ">\n  return %0 : tensor<" to ">\n"
#define SELF(type) "  return %a : tensor<" type ">\n"

// Elementwise ops and what spreads are done where their operands are.
static void test_elementwise(void **state) {
  (void)state;
  expect("x + 1",
         MAIN(ARG("a", "8x8xf32", "x,y"), GIVES("8x8xf32", "x,y"),
              "  %c = stablehlo.constant dense<1.0> : tensor<8x8xf32>\n"
              "  %0 = stablehlo.add %a, %c : tensor<8x8xf32>\n  return %0 : tensor<8x8xf32>\n"),
         "tensor<2x4xf32>", (counts){0});
  expect("x + iota",
         MAIN(ARG("a", "8x8xf32", "x,y"), GIVES("8x8xf32", "x,y"),
              "  %c = stablehlo.iota dim = 1 : tensor<8x8xf32>\n"
              "  %0 = stablehlo.add %a, %c : tensor<8x8xf32>\n  return %0 : tensor<8x8xf32>\n"),
         "tensor<2x4xf32>", (counts){0});
  expect("one side is cut, the other whole",
         MAIN(ARG("a", "8x8xf32", "x,y") ", " ARG("b", "8x8xf32", "-,-"), GIVES("8x8xf32", "x,y"),
              "  %0 = stablehlo.add %a, %b : tensor<8x8xf32>\n  return %0 : tensor<8x8xf32>\n"),
         "tensor<2x4xf32>", (counts){0});
}

// A reshard between the boundaries is the collective that does it.
static void test_reshards(void **state) {
  (void)state;
  expect("gathered", MAIN(ARG("a", "8x8xf32", "x,-"), GIVES("8x8xf32", "-,-"), SELF("8x8xf32")), "tensor<8x8xf32>",
         (counts){.all_gather = 1});
  expect("rows to columns", MAIN(ARG("a", "8x8xf32", "x,-"), GIVES("8x8xf32", "-,x"), SELF("8x8xf32")),
         "tensor<8x2xf32>", (counts){.all_to_all = 1});
  expect("sliced", MAIN(ARG("a", "8x8xf32", "x,-"), GIVES("8x8xf32", "xy,-"), SELF("8x8xf32")), "tensor<1x8xf32>",
         (counts){0});
}

// Contractions: free dimensions are local, a contracted one leaves sums, and what does not fit is gathered.
static void test_contractions(void **state) {
  (void)state;
  expect("rows and columns",
         MAIN(ARG("a", "8x8xf32", "x,-") ", " ARG("b", "8x8xf32", "-,y"), GIVES("8x8xf32", "x,y"),
              DOT("8x8xf32", "8x8xf32", "8x8xf32")),
         "tensor<2x4xf32>", (counts){0});
  expect("contracted",
         MAIN(ARG("a", "8x8xf32", "-,x") ", " ARG("b", "8x8xf32", "x,-"), GIVES("8x8xf32", "-,-"),
              DOT("8x8xf32", "8x8xf32", "8x8xf32")),
         "tensor<8x8xf32>", (counts){.all_reduce = 1});
  expect("contracted, cut afterwards",
         MAIN(ARG("a", "8x8xf32", "-,x") ", " ARG("b", "8x8xf32", "x,-"), GIVES("8x8xf32", "x,-"),
              DOT("8x8xf32", "8x8xf32", "8x8xf32")),
         "tensor<2x8xf32>", (counts){.reduce_scatter = 1});
  expect("both by rows",
         MAIN(ARG("a", "8x8xf32", "x,-") ", " ARG("b", "8x8xf32", "x,-"), GIVES("8x8xf32", "x,-"),
              DOT("8x8xf32", "8x8xf32", "8x8xf32")),
         "tensor<2x8xf32>", (counts){.all_gather = 1});
}

static void test_reductions(void **state) {
  (void)state;
  expect("sum of all", MAIN(ARG("a", "8x8xf32", "x,y"), "tensor<f32>", REDUCE("add", "0.0", "8x8xf32", "0, 1", "f32")),
         "tensor<f32>", (counts){.all_reduce = 1});
  expect("sum of a column that is whole",
         MAIN(ARG("a", "8x8xf32", "x,-"), GIVES("8xf32", "x"), REDUCE("add", "0.0", "8x8xf32", "1", "8xf32")),
         "tensor<2xf32>", (counts){0});
  expect(
      "greatest",
      MAIN(ARG("a", "8x8xf32", "x,y"), GIVES("8xf32", "y"), REDUCE("maximum", "0xFF800000", "8x8xf32", "0", "8xf32")),
      "tensor<4xf32>", (counts){.all_reduce = 1});
}

// Sums that do not need one another are one op, behind which comes what needs them; a sum of a sum stays apart.
static void test_joined_sums(void **state) {
  (void)state;
#define SUM(name, from, type)                                                                                        \
  "  %" name " = stablehlo.reduce(%" from " init: %i) applies stablehlo.add across dimensions = [0] : (tensor<" type \
  ">, tensor<f32>) -> tensor<8xf32>\n"
  expect("two columns' sums, one used in between",
         MAIN(ARG("a", "8x8xf32", "x,-") ", " ARG("b", "8x8xf32", "x,-"), GIVES("8xf32", "-"),
              "  %i = stablehlo.constant dense<0.0> : tensor<f32>\n" SUM(
                  "0", "a",
                  "8x8xf32") "  %1 = stablehlo.sine %0 : tensor<8xf32>\n" SUM("2", "b",
                                                                              "8x8xf32") "  %3 = stablehlo.add %1, %2 "
                                                                                         ": tensor<8xf32>\n  return %3 "
                                                                                         ": tensor<8xf32>\n"),
         "tensor<8xf32>", (counts){.all_reduce = 1});
  expect("a sum that needs another",
         MAIN(ARG("a", "8x8xf32", "x,-") ", " ARG("b", "8x8xf32", "x,-"), GIVES("8xf32", "-"),
              "  %i = stablehlo.constant dense<0.0> : tensor<f32>\n" SUM(
                  "0", "a",
                  "8x8xf32") "  %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>\n"
                             "  %2 = stablehlo.multiply %1, %b : tensor<8x8xf32>\n" SUM(
                                 "3", "2", "8x8xf32") "  return %3 : tensor<8xf32>\n"),
         "tensor<8xf32>", (counts){.all_reduce = 2});
}

// What the program returns is a sum over devices of what an op of this kind gives.
static void expect_sum_of(const char *name, const char *text, mr_op_kind sum, mr_op_kind of) {
  mr_module *module = partitioned(text);
  const mr_op *last = returned(module, 0)->def;
  const mr_op *before = last && last->kind == sum ? mr_op_operand(last, 0)->def : NULL;
  if (!before || before->kind != of || count_kind(module, sum) != 1) {
    print(module, name);
    fail_msg("%s: not one sum behind the rest", name);
  }
  mr_module_release(module);
}

// What may be done before a sum as well is done before it: the transpose of a product is another product, a part of a sum is less, and
// two sums that are added are one.
static void test_late_sums(void **state) {
  (void)state;
#define TWO ARG("a", "8x16xf32", "-,x") ", " ARG("b", "16x4xf32", "x,-")
#define PRODUCT(name)                                                                                               \
  "  %" name " = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>)" \
  " -> tensor<8x4xf32>\n"
#define TURN "  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>\n"
  expect_sum_of("a gradient turned",
                MAIN(TWO, GIVES("4x8xf32", "-,-"), PRODUCT("0") TURN "  return %1 : tensor<4x8xf32>\n"),
                MR_OP_all_reduce, MR_OP_transpose);
  expect_sum_of("a gradient turned twice",
                MAIN(TWO, GIVES("8x4xf32", "-,-"),
                     PRODUCT("0") TURN "  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<4x8xf32>) -> "
                                       "tensor<8x4xf32>\n  return %2 : tensor<8x4xf32>\n"),
                MR_OP_all_reduce, MR_OP_transpose);
  expect_sum_of("a gradient turned and cut",
                MAIN(TWO, GIVES("4x8xf32", "-,x"), PRODUCT("0") TURN "  return %1 : tensor<4x8xf32>\n"),
                MR_OP_reduce_scatter, MR_OP_transpose);
  expect_sum_of("a part of a sum",
                MAIN(TWO, GIVES("2x4xf32", "-,-"),
                     PRODUCT("0") "  %1 = stablehlo.slice %0 [1:3, 0:4] : (tensor<8x4xf32>) -> tensor<2x4xf32>\n"
                                  "  return %1 : tensor<2x4xf32>\n"),
                MR_OP_all_reduce, MR_OP_slice);
  expect_sum_of("two gradients of one weight",
                MAIN(TWO, GIVES("8x4xf32", "-,-"),
                     PRODUCT("0") "  %n = stablehlo.negate %b : tensor<16x4xf32>\n"
                                  "  %1 = stablehlo.dot_general %a, %n, contracting_dims = [1] x [0] : "
                                  "(tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>\n"
                                  "  %2 = stablehlo.add %1, %0 : tensor<8x4xf32>\n  return %2 : tensor<8x4xf32>\n"),
                MR_OP_all_reduce, MR_OP_add);
}

// What goes round a loop as summands is summed once, behind it.
static void test_summands_in_a_loop(void **state) {
  (void)state;
#define APART "<@mesh, [{}], unreduced={\"x\"}>"
  expect(
      "gradients of rounds",
      MAIN(ARG("a", "8xf32", "x"), GIVES("8xf32", "-"),
           "  %c = stablehlo.constant dense<0> : tensor<i32>\n  %n = stablehlo.constant dense<3> : tensor<i32>\n"
           "  %s = stablehlo.constant dense<1> : tensor<i32>\n  %f = stablehlo.constant dense<0.0> : tensor<f32>\n"
           "  %z = stablehlo.constant dense<0.0> : tensor<8xf32>\n"
           "  %u = sdy.sharding_constraint %z " APART " : tensor<8xf32>\n"
           "  %0:2 = stablehlo.while(%i = %c, %g = %u) : tensor<i32>, tensor<8xf32>\n  cond {\n"
           "    %l = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
           "    stablehlo.return %l : tensor<i1>\n  } do {\n"
           "    %1 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>\n"
           "    %2 = stablehlo.reduce(%1 init: %f) applies stablehlo.add across dimensions = [0] : (tensor<8x8xf32>, "
           "tensor<f32>) -> tensor<8xf32>\n    %3 = sdy.sharding_constraint %2 " APART " : tensor<8xf32>\n"
           "    %4 = stablehlo.add %g, %3 : tensor<8xf32>\n    %5 = sdy.sharding_constraint %4 " APART
           " : tensor<8xf32>\n    %6 = stablehlo.add %i, %s : tensor<i32>\n"
           "    stablehlo.return %6, %5 : tensor<i32>, tensor<8xf32>\n  }\n"
           "  %7 = sdy.sharding_constraint %0#1 " APART " : tensor<8xf32>\n"
           "  %8 = sdy.sharding_constraint %7 <@mesh, [{}]> : tensor<8xf32>\n  return %8 : tensor<8xf32>\n"),
      "tensor<8xf32>", (counts){.all_reduce = 1});
}

// A part of an array of summands that is taken out, put in, or converted is summands.
static void test_summands_in_arrays(void **state) {
  (void)state;
#define ROWS_APART "<@mesh, [{}, {}], unreduced={\"x\"}>"
  expect(
      "a gradient put in its place",
      MAIN(ARG("a", "8x8xbf16", "x,-") ", "
                                       "%i: tensor<i32>, " ARG("w", "4x8xf32", "-,-"),
           GIVES("4x8xf32", "-,-"),
           "  %f = stablehlo.constant dense<0.0> : tensor<bf16>\n  %c = stablehlo.constant dense<0> : tensor<i32>\n"
           "  %z = sdy.sharding_constraint %w " ROWS_APART " : tensor<4x8xf32>\n"
           "  %0 = stablehlo.reduce(%a init: %f) applies stablehlo.add across dimensions = [0] : (tensor<8x8xbf16>, "
           "tensor<bf16>) -> tensor<8xbf16>\n  %1 = sdy.sharding_constraint %0 " APART " : tensor<8xbf16>\n"
           "  %2 = stablehlo.convert %1 : (tensor<8xbf16>) -> tensor<8xf32>\n"
           "  %3 = sdy.sharding_constraint %2 " APART " : tensor<8xf32>\n"
           "  %4 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>\n"
           "  %5 = sdy.sharding_constraint %4 " ROWS_APART " : tensor<1x8xf32>\n"
           "  %6 = stablehlo.dynamic_slice %z, %i, %c, sizes = [1, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> "
           "tensor<1x8xf32>\n  %7 = sdy.sharding_constraint %6 " ROWS_APART " : tensor<1x8xf32>\n"
           "  %8 = stablehlo.add %5, %7 : tensor<1x8xf32>\n"
           "  %9 = sdy.sharding_constraint %8 " ROWS_APART " : tensor<1x8xf32>\n"
           "  %10 = stablehlo.dynamic_update_slice %z, %9, %i, %c : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, "
           "tensor<i32>) -> tensor<4x8xf32>\n  %11 = sdy.sharding_constraint %10 " ROWS_APART " : tensor<4x8xf32>\n"
           "  %12 = sdy.sharding_constraint %11 <@mesh, [{}, {}]> : tensor<4x8xf32>\n  return %12 : tensor<4x8xf32>\n"),
      "tensor<4x8xf32>", (counts){.all_reduce = 1});
}

// Who has an element of a cut dimension gives it, or takes it: the dimension is not gathered.
static void test_dynamic_places(void **state) {
  (void)state;
#define AT "%i: tensor<i32>, %j: tensor<i32>"
#define TAKE(window)                                                                                      \
  "  %0 = stablehlo.dynamic_slice %a, %i, %j, sizes = [" window ", 8] : (tensor<64x8xf32>, tensor<i32>, " \
  "tensor<i32>) -> tensor<" window "x8xf32>\n  return %0 : tensor<" window "x8xf32>\n"
  expect("a row", MAIN(ARG("a", "64x8xf32", "x,-") ", " AT, GIVES("1x8xf32", "-,-"), TAKE("1")), "tensor<1x8xf32>",
         (counts){.all_reduce = 1});
  expect("rows of two devices", MAIN(ARG("a", "64x8xf32", "x,y") ", " AT, GIVES("3x8xf32", "-,y"), TAKE("3")),
         "tensor<3x4xf32>", (counts){.all_reduce = 1});
  expect("nearly all", MAIN(ARG("a", "64x8xf32", "x,-") ", " AT, GIVES("63x8xf32", "-,-"), TAKE("63")),
         "tensor<63x8xf32>", (counts){.all_gather = 1});
  expect("a row put in",
         MAIN(ARG("a", "64x8xf32", "x,y") ", %u: tensor<1x8xf32>, " AT, GIVES("64x8xf32", "x,y"),
              "  %0 = stablehlo.dynamic_update_slice %a, %u, %i, %j : (tensor<64x8xf32>, tensor<1x8xf32>, tensor<i32>, "
              "tensor<i32>) -> tensor<64x8xf32>\n  return %0 : tensor<64x8xf32>\n"),
         "tensor<16x4xf32>", (counts){0});
}

// Thirds of a dimension that four devices have: one exchange lets all of them be taken, and another cuts what comes of them, where
// windows of neighbours would be half of the dimension for each third. A border of some elements is a neighbour's.
static void test_slices_of_a_cut_dimension(void **state) {
  (void)state;
#define THIRD(name, at) \
  "  %" name " = stablehlo.slice %a [0:512, " at "] : (tensor<512x768xf32>) -> tensor<512x256xf32>\n"
#define THIRDS(op, name, x, y) "  %" name " = stablehlo." op " %" x ", %" y " : tensor<512x256xf32>\n"
  expect("thirds",
         MAIN(ARG("a", "512x768xf32", "-,x"), GIVES("512x256xf32", "-,x"),
              THIRD("q", "0:256") THIRD("k", "256:512") THIRD("v", "512:768") THIRDS("multiply", "0", "q", "k")
                  THIRDS("maximum", "1", "0", "v") "  return %1 : tensor<512x256xf32>\n"),
         "tensor<512x64xf32>", (counts){.all_to_all = 2});
  expect("all but the first four",
         MAIN(ARG("a", "512x768xf32", "-,x"), GIVES("512x764xf32", "-,x"),
              "  %0 = stablehlo.slice %a [0:512, 4:768] : (tensor<512x768xf32>) -> tensor<512x764xf32>\n"
              "  return %0 : tensor<512x764xf32>\n"),
         "tensor<512x191xf32>", (counts){.permute = 1});
}

// Where nothing is said of a product it is taken to be wanted whole: its parts are summed rather than that weights are gathered, and then what
// comes of them.
static void test_product_nobody_cuts(void **state) {
  (void)state;
  expect("the gradient behind thirds",
         MAIN(ARG("a", "512x256xf32", "-,x") ", " ARG("b", "512x256xf32", "-,x") ", " ARG("w", "256x512xf32", "-,x"),
              GIVES("512x256xf32", "-,-"),
              "  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<512x256xf32>, tensor<512x256xf32>) -> "
              "tensor<512x512xf32>\n"
              "  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [1] : (tensor<512x512xf32>, "
              "tensor<256x512xf32>) -> tensor<512x256xf32>\n  return %1 : tensor<512x256xf32>\n"),
         "tensor<512x256xf32>", (counts){.all_reduce = 1, .all_to_all = 3});
}

// A slice that one device has is one sum of it, wherever it was wanted.
static void test_owned_slices(void **state) {
  (void)state;
#define CUT_OUT(from, to, rows)                                                                       \
  "  %0 = stablehlo.slice %a [" from ":" to ", 0:8] : (tensor<64x8xf32>) -> tensor<" rows "x8xf32>\n" \
  "  return %0 : tensor<" rows "x8xf32>\n"
  expect("a row", MAIN(ARG("a", "64x8xf32", "x,-"), GIVES("1x8xf32", "-,-"), CUT_OUT("17", "18", "1")),
         "tensor<1x8xf32>", (counts){.all_reduce = 1});
  expect("rows of one device", MAIN(ARG("a", "64x8xf32", "x,y"), GIVES("3x8xf32", "-,y"), CUT_OUT("33", "36", "3")),
         "tensor<3x4xf32>", (counts){.all_reduce = 1});
}

// The halves of a value the other way round come from one neighbour and the next, around the end.
static void test_turned_around(void **state) {
  (void)state;
#define ROLL(at, before, after)                                                                            \
  "  %0 = stablehlo.slice %a [" at ":64, 0:8] : (tensor<64x8xf32>) -> tensor<" after "x8xf32>\n"           \
  "  %1 = stablehlo.slice %a [0:" at ", 0:8] : (tensor<64x8xf32>) -> tensor<" before "x8xf32>\n"           \
  "  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<" after "x8xf32>, tensor<" before "x8xf32>) -> " \
  "tensor<64x8xf32>\n  return %2 : tensor<64x8xf32>\n"
  expect("by one", MAIN(ARG("a", "64x8xf32", "x,-"), GIVES("64x8xf32", "x,-"), ROLL("63", "63", "1")),
         "tensor<16x8xf32>", (counts){.permute = 1});
  expect("by a part", MAIN(ARG("a", "64x8xf32", "x,-"), GIVES("64x8xf32", "x,-"), ROLL("16", "16", "48")),
         "tensor<16x8xf32>", (counts){.permute = 1});
  expect("by a half", MAIN(ARG("a", "64x8xf32", "x,-"), GIVES("64x8xf32", "x,-"), ROLL("24", "24", "40")),
         "tensor<16x8xf32>", (counts){.permute = 2});
}

// What nothing is known of is done whole by every device, which a trace tells.
static void test_told_whole(void **state) {
  (void)state;
  char path[] = "/tmp/millrace-whole-XXXXXX", program[8192], text[8192];
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_ok(mr_trace_start(path));
  expand(MAIN(ARG("a", "64x8xf32", "x,-"), GIVES("64x8xf32", "x,-"),
              "  %0 = \"stablehlo.custom_call\"(%a) {call_target_name = \"unknown\"} : (tensor<64x8xf32>) -> "
              "tensor<64x8xf32>\n  return %0 : tensor<64x8xf32>\n"),
         program, sizeof program);
  mr_module *module = read_ok(program);
  module->num_partitions = 8;
  mr_compile_options options = {.num_partitions = 8};
  mr_shard_boundary boundary;
  assert_ok(mr_shard_run(module, &options, &boundary));
  assert_ok(mr_trace_stop());
  assert_int_equal(boundary.whole_ops, 1);
  ssize_t size = read(fd, text, sizeof text - 1);
  assert_true(size > 0);
  text[size] = '\0';
  assert_non_null(strstr(text, "\"name\":\"whole: custom_call\""));
  close(fd);
  unlink(path);
  mr_module_release(module);
}

// Parts of a sum of narrow floats are summed as f32, so that only the sum is rounded.
static void test_narrow_sums(void **state) {
  (void)state;
  mr_module *module = partitioned(MAIN(ARG("a", "8x8xf16", "-,x") ", " ARG("b", "8x8xf16", "x,-"),
                                       GIVES("8x8xf16", "-,-"), DOT("8x8xf16", "8x8xf16", "8x8xf16")));
  const mr_block *root = &mr_module_entry(module)->body;
  size_t sums = 0;
  for (const mr_op *op = mr_walk_first(root); op; op = mr_walk_next(op, root)) {
    if (op->kind == MR_OP_all_reduce || op->kind == MR_OP_dot_general) {
      assert_int_equal(op->results[0].type.dtype, MR_F32);
      sums++;
    }
  }
  assert_int_equal(sums, 2);
  mr_module_release(module);
}

// So are the updates of a scatter that each device folds apart.
static void test_narrow_scatters(void **state) {
  (void)state;
#define INTO(op)                                                                                                    \
  "  %0 = \"stablehlo.scatter\"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = " \
  "[1], "                                                                                                           \
  "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({\n"                    \
  "    ^bb0(%p: tensor<f16>, %q: tensor<f16>):\n      %s = stablehlo." op " %p, %q : tensor<f16>\n"                 \
  "      stablehlo.return %s : tensor<f16>\n    }) : (tensor<64x8xf16>, tensor<512x1xi32>, tensor<512x8xf16>) -> "  \
  "tensor<64x8xf16>\n  return %0 : tensor<64x8xf16>\n"
  static const char *const programs[] = {
      MAIN(ARG("a", "64x8xf16", "-,-") ", " ARG("i", "512x1xi32", "x,-") ", " ARG("u", "512x8xf16", "x,-"),
           GIVES("64x8xf16", "-,-"), INTO("add")),
      MAIN(ARG("a", "64x8xf16", "-,-") ", " ARG("i", "512x1xi32", "x,-") ", " ARG("u", "512x8xf16", "x,-"),
           GIVES("64x8xf16", "-,-"), INTO("multiply"))};
  for (size_t i = 0; i < MR_ARRAY_SIZE(programs); i++) {
    mr_module *module = partitioned(programs[i]);
    const mr_op *scatter = find_kind(module, MR_OP_scatter), *sum = find_kind(module, MR_OP_all_reduce);
    assert_non_null(sum);
    assert_int_equal(scatter->results[0].type.dtype, MR_F32);
    assert_int_equal(sum->results[0].type.dtype, MR_F32);
    assert_int_equal(returned(module, 0)->type.dtype, MR_F16);
    mr_module_release(module);
  }
}

// Factors that a reshape keeps together stay where they are.
static void test_reshape(void **state) {
  (void)state;
  expect("joined",
         MAIN(ARG("a", "8x8xf32", "x,y"), GIVES("64xf32", "x"),
              "  %0 = stablehlo.reshape %a : (tensor<8x8xf32>) -> tensor<64xf32>\n  return %0 : tensor<64xf32>\n"),
         "tensor<16xf32>", (counts){.all_gather = 1});
  expect("apart",
         MAIN(ARG("a", "64xf32", "xy"), GIVES("4x16xf32", "x,y"),
              "  %0 = stablehlo.reshape %a : (tensor<64xf32>) -> tensor<4x16xf32>\n  return %0 : tensor<4x16xf32>\n"),
         "tensor<1x8xf32>", (counts){0});
}

#define FFT(type, size) \
  "  %0 = stablehlo.fft %a, type = FFT, length = [" size "] : tensor<" type ">\n  return %0 : tensor<" type ">\n"

// The best along a cut dimension are the best of each part's; where that is no less than the whole, the whole comes.
static void test_best_of_parts(void **state) {
  (void)state;
#define BEST(k, from, to, indices)                                                                                \
  "  %0:2 = \"chlo.top_k\"(%a) {k = " k " : i64} : (tensor<" from ">) -> (tensor<" to ">, tensor<" indices ">)\n" \
  "  return %0#0 : tensor<" to ">\n"
  expect("best of parts",
         MAIN(ARG("a", "8x4096xf32", "y,x"), GIVES("8x3xf32", "y,-"), BEST("3", "8x4096xf32", "8x3xf32", "8x3xi32")),
         "tensor<4x3xf32>", (counts){.all_gather = 2});
  expect("best of all",
         MAIN(ARG("a", "4096xf32", "x"), GIVES("1000xf32", "-"), BEST("1000", "4096xf32", "1000xf32", "1000xi32")),
         "tensor<1000xf32>", (counts){.all_gather = 1});
}

// What is wanted whole along a cut dimension is cut along another one meanwhile, when it is large enough for two exchanges.
static void test_turned(void **state) {
  (void)state;
  expect("large",
         MAIN(ARG("a", "512x256xcomplex<f32>", "-,x"), GIVES("512x256xcomplex<f32>", "-,x"),
              FFT("512x256xcomplex<f32>", "256")),
         "tensor<512x64xcomplex<f32>>", (counts){.all_to_all = 2});
  expect("small",
         MAIN(ARG("a", "4x16xcomplex<f32>", "-,x"), GIVES("4x16xcomplex<f32>", "-,x"), FFT("4x16xcomplex<f32>", "16")),
         "tensor<4x4xcomplex<f32>>", (counts){.all_gather = 1});
  expect(
      "nothing to turn to",
      MAIN(ARG("a", "3x256xcomplex<f32>", "-,x"), GIVES("3x256xcomplex<f32>", "-,x"), FFT("3x256xcomplex<f32>", "256")),
      "tensor<3x64xcomplex<f32>>", (counts){.all_gather = 1});
}

// What a manual computation says is done as it stands.
static void test_manual(void **state) {
  (void)state;
  expect(
      "psum",
      MAIN(ARG("a", "8x8xf32", "x,-"), "tensor<2x8xf32>",
           "  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{\"x\"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] "
           "manual_axes={\"x\", \"y\"} (%b: tensor<2x8xf32>) {\n"
           "    %1 = \"stablehlo.all_reduce\"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, "
           "replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({\n"
           "    ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n      %s = stablehlo.add %p, %q : tensor<f32>\n"
           "      stablehlo.return %s : tensor<f32>\n    }) : (tensor<2x8xf32>) -> tensor<2x8xf32>\n"
           "    sdy.return %1 : tensor<2x8xf32>\n  } : (tensor<8x8xf32>) -> tensor<2x8xf32>\n"
           "  return %0 : tensor<2x8xf32>\n"),
      "tensor<2x8xf32>", (counts){.all_reduce = 1});
}

// Manual computations that nothing goes into say the same of nothing.
static void test_manual_without_operands(void **state) {
  (void)state;
#define MANUAL(name)                                                                                               \
  name " = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, [{\"x\"}]>] manual_axes={\"x\"} () {\n" \
       "%1 = stablehlo.constant dense<1.0> : tensor<2xf32> sdy.return %1 : tensor<2xf32>} : () -> tensor<8xf32>\n"
#define TWO_MANUALS MANUAL("%a") MANUAL("%b") "%c = stablehlo.add %a, %b : tensor<8xf32> return %c : tensor<8xf32>\n"
  expect("two", MAIN("", "tensor<8xf32>", TWO_MANUALS), "tensor<2xf32>", (counts){0});
}

#define SUM_OVER_X(result, operand)                                                                                  \
  "    " result " = \"stablehlo.all_reduce\"(" operand                                                               \
  ") <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, " \
  "3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({\n    ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n      "    \
  "%s = stablehlo.add %p, %q : tensor<f32>\n      stablehlo.return %s : tensor<f32>\n    }) : (tensor<2x8xf32>) -> " \
  "tensor<2x8xf32>\n"

#define SUM_IN(dtype, result, operand)                                                                               \
  "    " result " = \"stablehlo.all_reduce\"(" operand                                                               \
  ") <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, " \
  "3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({\n    ^bb0(%p: tensor<" dtype ">, %q: tensor<" dtype      \
  ">):\n      %s = stablehlo.add %p, %q : tensor<" dtype ">\n      stablehlo.return %s : tensor<" dtype              \
  ">\n    }) : (tensor<2x8x" dtype ">) -> tensor<2x8x" dtype ">\n"
#define TWO_SUMS(dtype)                                                                                             \
  MAIN(ARG("a", "8x8x" dtype, "x,-"), "tensor<2x8x" dtype ">",                                                      \
       "  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{\"x\"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] " \
       "manual_axes={\"x\", \"y\"} (%b: tensor<2x8x" dtype ">) {\n    %c = stablehlo.negate %b : tensor<2x8x" dtype \
       ">\n" SUM_IN(dtype, "%1", "%b")                                                                              \
           SUM_IN(dtype, "%2", "%c") "    %3 = stablehlo.add %1, %2 : tensor<2x8x" dtype                            \
                                     ">\n    sdy.return %3 : tensor<2x8x" dtype ">\n  } : (tensor<8x8x" dtype       \
                                     ">) -> tensor<2x8x" dtype ">\n  return %0 : tensor<2x8x" dtype ">\n")

// A device's two parts of narrow sums are not added first: that would be rounded on each device, and of f16 be infinite where the sums are not.
static void test_narrow_sums_stay_two(void **state) {
  (void)state;
  expect_sum_of("two of f32", TWO_SUMS("f32"), MR_OP_all_reduce, MR_OP_add);
  static const char *const narrow[] = {TWO_SUMS("f16"), TWO_SUMS("bf16")};
  for (size_t i = 0; i < MR_ARRAY_SIZE(narrow); i++) {
    mr_module *module = partitioned(narrow[i]);
    assert_int_equal(returned(module, 0)->def->kind, MR_OP_add);
    mr_module_release(module);
  }
}

// Sums that are joined may be what their block begins with, as in a loop.
static void test_sums_begin_a_block(void **state) {
  (void)state;
  mr_module *module = partitioned(MAIN(
      ARG("a", "8x8xf32", "x,-"), "tensor<2x8xf32>",
      "  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{\"x\"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] "
      "manual_axes={\"x\", \"y\"} (%b: tensor<2x8xf32>) {\n"
      "    %5:3 = \"stablehlo.while\"(%b, %b, %b) ({\n    ^bb0(%c: tensor<2x8xf32>, %d: tensor<2x8xf32>, "
      "%e: tensor<2x8xf32>):\n"
      "      %f = stablehlo.slice %e [0:1, 0:1] : (tensor<2x8xf32>) -> tensor<1x1xf32>\n"
      "      %g = stablehlo.reshape %f : (tensor<1x1xf32>) -> tensor<f32>\n"
      "      %h = stablehlo.compare LT, %g, %g : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
      "      stablehlo.return %h : tensor<i1>\n    }, {\n    ^bb0(%c: tensor<2x8xf32>, %d: tensor<2x8xf32>, "
      "%e: tensor<2x8xf32>):\n" SUM_OVER_X("%1", "%c") SUM_OVER_X(
          "%2",
          "%d") "      %3 = stablehlo.add %1, %2 : tensor<2x8xf32>\n"
                "      %4 = stablehlo.sine %e : tensor<2x8xf32>\n"
                "      stablehlo.return %2, %3, %4 : tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>\n"
                "    }) : (tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>, "
                "tensor<2x8xf32>)\n"
                "    sdy.return %5#1 : tensor<2x8xf32>\n  } : (tensor<8x8xf32>) -> tensor<2x8xf32>\n"
                "  return %0 : tensor<2x8xf32>\n"));
  assert_int_equal(count_in_loops(module, MR_OP_all_reduce), 1);
  mr_module_release(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_elementwise),
      cmocka_unit_test(test_reshards),
      cmocka_unit_test(test_contractions),
      cmocka_unit_test(test_reductions),
      cmocka_unit_test(test_reshape),
      cmocka_unit_test(test_joined_sums),
      cmocka_unit_test(test_late_sums),
      cmocka_unit_test(test_summands_in_a_loop),
      cmocka_unit_test(test_manual),
      cmocka_unit_test(test_manual_without_operands),
      cmocka_unit_test(test_narrow_sums_stay_two),
      cmocka_unit_test(test_sums_begin_a_block),
      cmocka_unit_test(test_turned),
      cmocka_unit_test(test_summands_in_arrays),
      cmocka_unit_test(test_narrow_sums),
      cmocka_unit_test(test_narrow_scatters),
      cmocka_unit_test(test_dynamic_places),
      cmocka_unit_test(test_slices_of_a_cut_dimension),
      cmocka_unit_test(test_product_nobody_cuts),
      cmocka_unit_test(test_owned_slices),
      cmocka_unit_test(test_turned_around),
      cmocka_unit_test(test_told_whole),
      cmocka_unit_test(test_best_of_parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
