// The text reader: every form of the syntax on a few lines, and what it says about mistakes.
#include "tests/cmocka.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/reader/reader.h"
#include "tests/compiler/text_forms.h"

static mr_status read_text(const char *text, mr_module **out) {
  // An exact copy without a NUL, so that a sanitizer sees a byte too many.
  size_t size = strlen(text);
  char *copy = mr_alloc(size + (size == 0));
  memcpy(copy, text, size);
  mr_status status = mr_read_text((mr_span){copy, size}, out);
  mr_free(copy);
  return status;
}

static mr_module *must_read(const char *text) {
  mr_module *module;
  mr_status status = read_text(text, &module);
  if (!status) {
    status = mr_module_verify(module);
  }
  if (status) {
    print_error("%s\n%s\n", text, mr_status_message(status));
  }
  assert_null(status);
  return module;
}

static char *printed(const char *text) {
  mr_module *module = must_read(text);
  mr_text out = {0};
  mr_module_print(module, &out);
  assert_false(out.failed);
  char *copy = mr_alloc(out.size + 1);
  memcpy(copy, out.data, out.size);
  copy[out.size] = '\0';
  mr_text_deinit(&out);
  mr_module_release(module);
  return copy;
}

// Two texts are one module.
static void same(const char *a, const char *b) {
  char *first = printed(a), *second = printed(b);
  assert_string_equal(first, second);
  mr_free(first);
  mr_free(second);
}

static void expect_error(const char *text, mr_code code, const char *message) {
  mr_module *module;
  mr_status status = read_text(text, &module);
  assert_null(module);
  assert_non_null(status);
  assert_string_equal(mr_status_message(status), message);
  assert_int_equal(mr_status_code(status), code);
  mr_status_free(status);
}

// A function around a few lines; `args` and the lines are the caller's.
static const char *function(const char *args, const char *lines) {
  static char text[2][4096];
  static int turn;
  turn ^= 1;
  snprintf(text[turn], sizeof text[turn], "func.func @main(%s) {\n%s\nreturn\n}", args, lines);
  return text[turn];
}

// The pretty form of an op and its generic form give the same op, defaults included.
static void test_pretty_is_generic(void **state) {
  (void)state;
  for (size_t i = 0; i < MR_ARRAY_SIZE(text_forms); i++) {
    same(function(text_forms[i].args, text_forms[i].pretty), function(text_forms[i].args, text_forms[i].generic));
  }
}

// Defaults that text leaves away are there afterwards.
static void test_defaults_are_filled_in(void **state) {
  (void)state;
  mr_module *module =
      must_read("func.func @main(%a: tensor<4x4xf32>, %i: tensor<f32>) {\n"
                "%0 = \"stablehlo.reduce_window\"(%a, %i) <{window_dimensions = array<i64: 2, 2>}> ({\n"
                "^bb0(%x: tensor<f32>, %y: tensor<f32>):\nstablehlo.return %y : tensor<f32>\n"
                "}) : (tensor<4x4xf32>, tensor<f32>) -> tensor<3x3xf32>\n"
                "%1 = \"stablehlo.sort\"(%a) ({\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
                "%2 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
                "stablehlo.return %2 : tensor<i1>\n}) : (tensor<4x4xf32>) -> tensor<4x4xf32>\nreturn\n}");
  mr_op *window = module->functions->body.first, *sort = window->next;
  mr_ints strides = mr_op_ints(window, MR_ATTR_window_strides), padding = mr_op_ints(window, MR_ATTR_padding);
  assert_true(strides.size == 2 && strides.data[0] == 1 && strides.data[1] == 1);
  assert_true(padding.size == 4 && padding.data[3] == 0);
  assert_int_equal(mr_op_attr(window, MR_ATTR_padding)->rows, 2);
  assert_int_equal(mr_op_ints(window, MR_ATTR_base_dilations).size, 2);
  assert_int_equal(mr_op_int(sort, MR_ATTR_dimension, 7), -1);
  assert_int_equal(mr_op_int(sort, MR_ATTR_is_stable, 7), 0);
  assert_int_equal(mr_op_int(sort->regions[0]->first, MR_ATTR_compare_type, 7), 0);
  mr_module_release(module);
}

// Comments, locations, aliases and odd spacing change nothing.
static void test_decoration_changes_nothing(void **state) {
  (void)state;
  same(
      "#loc1 = loc(\"x\")\n!t = tensor<2xf32>\n#perm = array<i64: 1, 0>\n"
      "module @m attributes {a.b = 1 : i32} { // a comment\n"
      "  func.func public @main(%a: tensor<3x2xf32> loc(\"a\"), %b: !t loc(#loc1)) -> (!t {jax.result_info = \"r\"}) "
      "{\n"
      "    %0 = \"stablehlo.transpose\"(%a) <{permutation = #perm}> : (tensor<3x2xf32>) -> tensor<2x3xf32> loc(#loc2)\n"
      "    return %b : !t loc(fused<\"k\">[\"a\"(#loc1), callsite(\"f.py\":1:2 at unknown)])\n"
      "  } loc(#loc2)\n} loc(#loc)\n#loc = loc(unknown)\n#loc2 = loc(\"f(x) { ) \\\"\":3:7 to :9)\n",
      "module @m attributes {a.b = 1 : i32} {func.func @main(%0:tensor<3x2xf32>,%1:tensor<2xf32>)->"
      "(tensor<2xf32>{jax.result_info=\"r\"}){%2=stablehlo.transpose %0,dims=[1,0]:(tensor<3x2xf32>)->tensor<2x3xf32> "
      "return %1:tensor<2xf32>}}");
}

// The generic form of modules and functions, old and new, is the pretty one.
static void test_generic_functions(void **state) {
  (void)state;
  const char *pretty = "module @m { func.func private @f(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }\n"
                       "func.func public @main(%a: tensor<f32> {tf.aliasing_output = 0 : i32}) -> tensor<f32> {\n"
                       "%0 = call @f(%a) : (tensor<f32>) -> tensor<f32>\nreturn %0 : tensor<f32> } }";
  same(pretty,
       "\"builtin.module\"() <{sym_name = \"m\"}> ({\n"
       "\"func.func\"() <{function_type = (tensor<f32>) -> tensor<f32>, sym_name = \"f\", sym_visibility = "
       "\"private\"}> ({\n"
       "^bb0(%a: tensor<f32>):\n\"func.return\"(%a) : (tensor<f32>) -> ()\n}) : () -> ()\n"
       "\"func.func\"() <{arg_attrs = [{tf.aliasing_output = 0 : i32}], function_type = (tensor<f32>) -> tensor<f32>, "
       "sym_name = \"main\", sym_visibility = \"public\"}> ({\n^bb0(%a: tensor<f32>):\n"
       "%0 = \"func.call\"(%a) <{callee = @f}> : (tensor<f32>) -> tensor<f32>\n"
       "\"func.return\"(%0) : (tensor<f32>) -> ()\n}) : () -> ()\n}) : () -> ()");
  same(
      pretty,
      "\"builtin.module\"() ({\n\"func.func\"() ({\n^bb0(%a: tensor<f32>):\n\"func.return\"(%a) : (tensor<f32>) -> ()\n"
      "}) {function_type = (tensor<f32>) -> tensor<f32>, sym_name = \"f\", sym_visibility = \"private\"} : () -> ()\n"
      "\"func.func\"() ({\n^bb0(%a: tensor<f32>):\n%0 = \"func.call\"(%a) {callee = @f} : (tensor<f32>) -> "
      "tensor<f32>\n"
      "\"func.return\"(%0) : (tensor<f32>) -> ()\n}) {arg_attrs = [{tf.aliasing_output = 0 : i32}], "
      "function_type = (tensor<f32>) -> tensor<f32>, sym_name = \"main\"} : () -> ()\n}) {sym_name = \"m\"} : () -> "
      "()");
}

typedef struct literal {
  const char *text;
  mr_dtype dtype;
  size_t size;
  bool splat;
  const char *bytes;
} literal;

// Constants of every form are the bytes they stand for.
static void test_dense_literals(void **state) {
  (void)state;
  static const literal literals[] = {
      {"dense<[1, -2, 0x10]> : tensor<3xi16>", MR_S16, 6, false, "\x01\0\xFE\xFF\x10\0"},
      {"dense<[[1, 2], [3, 4]]> : tensor<2x2xui8>", MR_U8, 4, false, "\1\2\3\4"},
      {"dense<7> : tensor<2x3xi8>", MR_S8, 1, true, "\7"},
      {"dense<200> : tensor<i8>", MR_S8, 1, false, "\xC8"},
      {"dense<-3> : tensor<4xi4>", MR_S4, 1, true, "\xFD"},
      {"dense<[true, false, 1]> : tensor<3xi1>", MR_PRED, 3, false, "\1\0\1"},
      {"dense<> : tensor<0x3xf32>", MR_F32, 0, false, ""},
      {"dense<1.5> : tensor<f32>", MR_F32, 4, false, "\0\0\xC0\x3F"},
      {"dense<[0x7FC00000, -0.0]> : tensor<2xf32>", MR_F32, 8, false, "\0\0\xC0\x7F\0\0\0\x80"},
      {"dense<0xFFC0> : tensor<bf16>", MR_BF16, 2, false, "\xC0\xFF"},
      {"dense<1.000000e+00> : tensor<f16>", MR_F16, 2, false, "\0\x3C"},
      {"dense<0.1> : tensor<f4E2M1FN>", MR_F4E2M1FN, 1, false, "\0"},
      {"dense<1.401300e-45> : tensor<f32>", MR_F32, 4, false, "\1\0\0\0"},
      {"dense<(1.0, -1.0)> : tensor<2xcomplex<f32>>", MR_C64, 8, true, "\0\0\x80\x3F\0\0\x80\xBF"},
      {"dense<[(1.0,0.0), (0.0,0.0)]> : tensor<2xcomplex<f32>>", MR_C64, 16, false,
       "\0\0\x80\x3F\0\0\0\0\0\0\0\0\0\0\0\0"},
      {"dense<\"0x0100FEFF\"> : tensor<2xi16>", MR_S16, 4, false, "\1\0\xFE\xFF"},
      {"dense<\"0x0500\"> : tensor<9xi16>", MR_S16, 2, true, "\5\0"},
      {"dense<\"0x010001\"> : tensor<3xi1>", MR_PRED, 3, false, "\1\0\1"},
      {"dense<\"0x0502\"> : tensor<10xi1>", MR_PRED, 10, false, "\1\0\1\0\0\0\0\0\0\1"},
      {"dense<\"0xFF\"> : tensor<10xi1>", MR_PRED, 1, true, "\1"},
      {"dense<\"0x0E\"> : tensor<i4>", MR_S4, 1, false, "\xFE"},
      {"dense_resource<key> : tensor<2xf32>", MR_F32, 8, false, "\0\0\x80\x3F\0\0\0\x40"},
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(literals); i++) {
    char text[512];
    snprintf(text, sizeof text, "func.func @main() {\n%%0 = stablehlo.constant %s\nreturn\n}\n%s", literals[i].text,
             "{-#\n dialect_resources: {\n builtin: {\n key: \"0x040000000000803F00000040\",\n \"o d d\": \"0x00\"\n "
             "}\n }\n#-}\n");
    mr_module *module = must_read(text);
    const mr_dense *dense = &mr_op_attr(module->functions->body.first, MR_ATTR_value)->dense;
    assert_int_equal(dense->type.dtype, literals[i].dtype);
    assert_int_equal(dense->size, literals[i].size);
    assert_int_equal(dense->splat, literals[i].splat);
    assert_memory_equal(dense->data ? dense->data : "", literals[i].bytes, literals[i].size);
    mr_module_release(module);
  }
}

typedef struct type_text {
  const char *text, *printed;
} type_text;

// Types of every form, shapes that look like numbers among them.
static void test_types(void **state) {
  (void)state;
  static const type_text types[] = {
      {"tensor<0x4xf32>", "tensor<0x4xf32>"},
      {"tensor<0xf32>", "tensor<0xf32>"},
      {"tensor<i1>", "tensor<i1>"},
      {"tensor<?x3xbf16, #stablehlo.bounds<4, ?>>", "tensor<?x3xbf16, #stablehlo.bounds<4, ?>>"},
      {"tensor<?xf32, #stablehlo.type_extensions<bounds = [3]>>", "tensor<?xf32, #stablehlo.bounds<3>>"},
      {"tensor<2xcomplex<f64>>", "tensor<2xcomplex<f64>>"},
      {"tuple<tensor<f8E4M3B11FNUZ>, tuple<>>", "tuple<tensor<f8E4M3B11FNUZ>, tuple<>>"},
      {"!stablehlo.future<tensor<2xui4>>", "!stablehlo.future<tensor<2xui4>>"},
      {"memref<2xf32>", "tensor<2xf32>"},
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(types); i++) {
    char text[256], buffer[128];
    snprintf(text, sizeof text, "func.func @main(%%a: %s) { return }", types[i].text);
    mr_module *module = must_read(text);
    assert_string_equal(mr_type_text(&module->functions->body.args[0]->type, buffer, sizeof buffer), types[i].printed);
    mr_module_release(module);
  }
  mr_module *module =
      must_read("func.func @main(%a: tensor<2x!quant.uniform<i8<-127:127>:f32:0, {1.0e-01:-30, 5.0e-01}>>) { return }");
  const mr_quant *quant = module->functions->body.args[0]->type.quant;
  assert_int_equal(quant->expressed, MR_F32);
  assert_true(quant->axis == 0 && quant->count == 2 && quant->storage_min == -127 && quant->zero_points[0] == -30);
  assert_true(fabs(quant->scales[0] - 0.1) < 1e-12 && quant->zero_points[1] == 0);
  mr_module_release(module);
}

// A name is visible in inner regions, siblings may reuse it, and a group's results are counted from zero.
static void test_names_have_scopes(void **state) {
  (void)state;
  mr_module *module = must_read(
      "func.func @main(%i: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {\n"
      "%0:2 = \"stablehlo.case\"(%i) ({\n%y = stablehlo.abs %x : tensor<f32>\nstablehlo.return %y, %x : tensor<f32>, "
      "tensor<f32>\n"
      "}, {\n%y = stablehlo.sign %x : tensor<f32>\nstablehlo.return %x, %y : tensor<f32>, tensor<f32>\n"
      "}) : (tensor<i32>) -> (tensor<f32>, tensor<f32>)\n"
      "%a, %b:1 = stablehlo.optimization_barrier %0#1, %0 : tensor<f32>, tensor<f32>\nreturn %b : tensor<f32>\n}\n"
      "func.func @other(%x: tensor<i1>) { return }");
  mr_op *branches = module->functions->body.first, *barrier = branches->next;
  assert_ptr_equal(mr_op_operand(barrier, 0), mr_op_result(branches, 1));
  assert_ptr_equal(mr_op_operand(barrier, 1), mr_op_result(branches, 0));
  mr_module_release(module);
}

// Shardy's meshes and shardings are kept as text, arguments' attributes by name.
static void test_meshes_and_argument_attributes(void **state) {
  (void)state;
  mr_module *module = must_read("module { sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]> {stablehlo.mesh = {axes = []}}\n"
                                "func.func @main(%a: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\":(1)2, "
                                "?}p1]>, jax.buffer_donor = true,"
                                " \"odd name\" = unit, mhlo.memory_kind = \"device\"}) { return } }");
  assert_true(mr_str_is(mr_dict_find(module->meshes, "mesh")->string, "<[\"x\"=2, \"y\"=4]>"));
  const mr_attr *attrs = module->functions->arg_attrs[0];
  assert_true(mr_str_is(mr_dict_find(attrs, "sdy.sharding")->string, "#sdy.sharding<@mesh, [{\"x\":(1)2, ?}p1]>"));
  assert_int_equal(mr_dict_find(attrs, "jax.buffer_donor")->integer, 1);
  assert_int_equal(mr_dict_find(attrs, "odd name")->kind, MR_ATTR_UNIT);
  assert_true(mr_str_is(mr_dict_find(attrs, "mhlo.memory_kind")->string, "device"));
  mr_module_release(module);
}

// Mistakes are answered with line, column, what was expected and what is there.
static void test_messages_say_where_and_what(void **state) {
  (void)state;
  expect_error("", MR_INVALID_ARGUMENT, "1:1: expected a module or a function, found 'the end of the text'");
  expect_error("module {\n  func.func main() { return }\n}", MR_INVALID_ARGUMENT,
               "2:13: expected public, private, nested or a function's name, found 'main'");
  expect_error(function("%a: tensor<f32>", "%0 = stablehlo.abs %b : tensor<f32>"), MR_INVALID_ARGUMENT,
               "2:20: expected a value that is defined before, found '%'");
  expect_error(function("%a: tensor<f32>", "%a = stablehlo.abs %a : tensor<f32>"), MR_INVALID_ARGUMENT,
               "2:2: %a is defined twice");
  expect_error(function("%a: tensor<f32>", "%0 = stablehlo.abs %a#1 : tensor<f32>"), MR_INVALID_ARGUMENT,
               "2:20: expected one of the 1 results of %a, found '%'");
  expect_error(function("%a: tensor<f32>", "%0 = stablehlo.nonsense %a : tensor<f32>"), MR_UNIMPLEMENTED,
               "2:6: op stablehlo.nonsense");
  expect_error(function("%a: tensor<f32>", "%0 = stablehlo.reshape %a : (tensor<2xf32>) -> tensor<f32>"),
               MR_INVALID_ARGUMENT, "2:29: operand 0 is declared tensor<2xf32> and is tensor<f32>");
  expect_error(function("%a: tensor<f32>", "%0:2 = stablehlo.abs %a : tensor<f32>"), MR_INVALID_ARGUMENT,
               "2:1: 2 names for 1 results");
  expect_error(function("%a: tensor<2x3xf32>", "%0 = stablehlo.transpose %a : (tensor<2x3xf32>) -> tensor<3x2xf32>"),
               MR_INVALID_ARGUMENT, "2:6: stablehlo.transpose: attribute permutation is missing");
  expect_error(function("", "%0 = stablehlo.constant dense<[1, 2, 3]> : tensor<2xi32>"), MR_INVALID_ARGUMENT,
               "2:38: expected no more than 2 elements, found '3'");
  expect_error(function("", "%0 = stablehlo.constant dense<[1, 2]> : tensor<3xi32>"), MR_INVALID_ARGUMENT,
               "2:36: expected 3 items in dimension 0, not 2, found ']'");
  expect_error(function("", "%0 = stablehlo.constant dense<300> : tensor<i8>"), MR_INVALID_ARGUMENT,
               "2:31: expected an integer that fits i8, found '300'");
  expect_error(function("", "%0 = stablehlo.constant dense<\"0x00\"> : tensor<3xi16>"), MR_INVALID_ARGUMENT,
               "2:31: constant of 3 elements of i16 has 1 bytes, wanted 2 per element");
  expect_error(function("", "%0 = stablehlo.constant dense_resource<nope> : tensor<3xi16>"), MR_INVALID_ARGUMENT,
               "2:40: expected a resource that the end of the file defines, found 'nope'");
  expect_error(function("%a: tensor<i1>", "%0 = stablehlo.select %a, %a, %a : >"), MR_INVALID_ARGUMENT,
               "2:36: expected 2 types, not 0, found '>'");
  expect_error("func.func @main(%a: tensor<*xf32>) { return }", MR_UNIMPLEMENTED, "1:27: unranked tensor type ");
  expect_error(
      "func.func @main(%a: tensor<4294967296x4294967296x4294967296xf32>) { return }", MR_INVALID_ARGUMENT,
      "1:27: tensor of 4294967296x4294967296x4294967296xf32 has a negative dimension or more than 2^63 - 1 bytes");
  expect_error("func.func @main(%a: tensor<f32>) {\n  return \"x", MR_INVALID_ARGUMENT,
               "2:12: expected '\"' at the end of a string, found 'the end of the text'");
  expect_error("#a = #b\n#b = #a\nfunc.func @main() { return }", MR_INVALID_ARGUMENT,
               "1:6: expected an alias that does not contain itself, found '#'");
}

static char *nested(const char *before, const char *open, const char *close, const char *after, size_t depth) {
  mr_text text = {0};
  mr_text_put(&text, "%s", before);
  for (size_t i = 0; i < depth; i++) {
    mr_text_put(&text, "%s", open);
  }
  for (size_t i = 0; i < depth; i++) {
    mr_text_put(&text, "%s", close);
  }
  mr_text_put(&text, "%s%c", after, 0);
  return text.data;
}

// However deep a file nests, the answer is a status.
static void test_depth_is_bounded(void **state) {
  (void)state;
  char *texts[] = {
      nested("module attributes {a = ", "[", "]", "} {}", 100000),
      nested("module attributes {a = ", "{a = ", "}", "} {}", 100000),
      nested("func.func @main(%a: ", "tuple<", ">", ") { return }", 100000),
      nested("func.func @main(%i: tensor<i32>) {", "\"stablehlo.case\"(%i) ({", "}) : (tensor<i32>) -> ()", "}",
             100000),
      nested("func.func @main(%a: ", "!quant.uniform<i8:", ", 1.0>", ") { return }", 100000),
      nested("", "module {", "}", "", 100000),
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(texts); i++) {
    mr_module *module;
    mr_status status = read_text(texts[i], &module);
    assert_non_null(status);
    mr_status_free(status);
    free(texts[i]);
  }
}

// Aliases that double at every step are refused before they are unrolled.
static void test_alias_bombs_are_refused(void **state) {
  (void)state;
  mr_text text = {0};
  mr_text_put(&text, "#a0 = 1\n!t0 = tensor<f32>\n");
  for (int i = 1; i < 100; i++) {
    mr_text_put(&text, "#a%d = [#a%d, #a%d]\n!t%d = tuple<!t%d, !t%d>\n", i, i - 1, i - 1, i, i - 1, i - 1);
  }
  size_t size = text.size;
  mr_text_put(&text, "module attributes {a = #a99} {}%c", 0);
  mr_module *module;
  mr_status status = read_text(text.data, &module);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  mr_status_free(status);
  text.size = size;
  mr_text_put(&text, "func.func @main(%%a: !t99) { return }%c", 0);
  status = read_text(text.data, &module);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  mr_status_free(status);
  mr_text_deinit(&text);
}

// Whichever allocation fails, the reader says so and keeps nothing.
static void test_failing_allocations(void **state) {
  (void)state;
  const char *text = function("%a: tensor<2xf32> {sdy.sharding = #sdy.sharding<@m, []>}",
                              "%0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>\n"
                              "%1 = stablehlo.add %a, %0 {k = [1, 2]} : tensor<2xf32>");
  for (uint64_t nth = 1;; nth++) {
    mr_alloc_fail_nth(nth);
    mr_module *module;
    mr_status status = mr_read_text((mr_span){text, strlen(text)}, &module);
    mr_alloc_fail_nth(0);
    mr_module_release(module);
    if (!status) {
      assert_true(nth > 1);
      return;
    }
    assert_int_equal(mr_status_code(status), MR_RESOURCE_EXHAUSTED);
    mr_status_free(status);
    assert_true(nth < 1000);
  }
}

// A pass may give an op that was read attributes of any key: as many as it likes, and no other op's change.
static void test_attributes_are_added(void **state) {
  (void)state;
#define WINDOW(result, operand)                                                                              \
  "%" result " = \"stablehlo.reduce_window\"(%" operand ", %z) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n" \
  "  %s = stablehlo.add %a, %b : tensor<f32>\n  stablehlo.return %s : tensor<f32>\n"                         \
  "}) {window_dimensions = array<i64: 1>, window_strides = array<i64: 1>, base_dilations = array<i64: 1>,\n" \
  "  window_dilations = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>}\n"                              \
  "  : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>\n"
  mr_module *module = must_read("func.func @main(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<4xf32> {\n" WINDOW(
      "p", "x") WINDOW("q", "p") "return %q : tensor<4xf32>\n}\n");
#undef WINDOW
  mr_op *first = mr_module_entry(module)->body.first, *second = first->next;
  assert_int_equal(first->num_attrs, 5);
  mr_attr attrs[2][5];
  memcpy(attrs[0], first->attrs, sizeof attrs[0]);
  memcpy(attrs[1], second->attrs, sizeof attrs[1]);
  mr_op before = *second;
  static const mr_attr_key more[] = {MR_ATTR_slice_sizes, MR_ATTR_iota_dimension, MR_ATTR_callee, MR_ATTR_k,
                                     MR_ATTR_dimension};
  const mr_str text = mr_arena_str(&module->arena, MR_STR("after all that was read"));
  for (int i = 0; i < 5; i++) {
    mr_op_set_int(module, first, more[i], i);
  }
  for (int i = 0; i < 5; i++) {
    assert_int_equal(mr_op_int(first, more[i], -1), i);
    const mr_attr *kept = mr_op_attr(first, attrs[0][i].key);
    assert_non_null(kept);
    assert_memory_equal(kept, &attrs[0][i], sizeof *kept);
  }
  assert_memory_equal(second->attrs, attrs[1], sizeof attrs[1]);
  assert_memory_equal(second, &before, sizeof before);
  assert_true(mr_str_is(text, "after all that was read"));
  assert_null(mr_module_verify(module));
  mr_module_release(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pretty_is_generic),
      cmocka_unit_test(test_defaults_are_filled_in),
      cmocka_unit_test(test_decoration_changes_nothing),
      cmocka_unit_test(test_generic_functions),
      cmocka_unit_test(test_dense_literals),
      cmocka_unit_test(test_types),
      cmocka_unit_test(test_names_have_scopes),
      cmocka_unit_test(test_meshes_and_argument_attributes),
      cmocka_unit_test(test_messages_say_where_and_what),
      cmocka_unit_test(test_depth_is_bounded),
      cmocka_unit_test(test_alias_bombs_are_refused),
      cmocka_unit_test(test_failing_allocations),
      cmocka_unit_test(test_attributes_are_added),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
