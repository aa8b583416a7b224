// HLO that is written is what was meant: read back it is right, and computes the same, as the program came and as the passes leave it.
#include <stdlib.h>
#include <string.h>

#include "compiler/reader/reader.h"
#include "compiler/writer/writer.h"
#include "tests/compiler/optimized_program.h"
#include "tests/compiler/two_programs.h"
#include "tests/file.h"

static uint32_t written[MR_OP_COUNT];
static size_t files, ran;

static mr_module *read_back(mr_text *take_bytes, const char *what) {
  mr_module *back = NULL;
  expect_ok(mr_read_hlo((mr_span){take_bytes->data, take_bytes->size}, false, &back), what);
  expect_ok(mr_module_verify(back), what);
  mr_text_deinit(take_bytes);
  return back;
}

static mr_module *there_and_back(const mr_module *module, const char *what) {
  mr_text bytes = {0};
  for (mr_function *f = module->functions; f; f = f->next) {
    for (mr_op *op = mr_walk_first(&f->body); op; op = mr_walk_next(op, &f->body)) {
      written[op->kind]++;
    }
  }
  expect_ok(mr_write_hlo(module, NULL, &bytes), what);
  return read_back(&bytes, what);
}

// ---- Programs ------------------------------------------------------------------------------------------------------------

static bool has_unknown_calls(const mr_module *module) {
  for (mr_function *f = module->functions; f; f = f->next) {
    for (mr_op *op = mr_walk_first(&f->body); op; op = mr_walk_next(op, &f->body)) {
      mr_str target = mr_op_string(op, MR_ATTR_call_target_name);
      if (mr_str_starts_with(target, MR_STR("chlo.")) || mr_str_starts_with(target, MR_STR("stablehlo.")) ||
          mr_str_starts_with(target, MR_STR("lapack_"))) {
        return true;
      }
    }
  }
  return false;
}

static mr_executable *compile_module(const mr_module *module, const char *what) {
  mr_text text = {0};
  mr_executable *executable = NULL;
  mr_module_print(module, &text);
  expect_ok(mr_compile((mr_span){text.data, text.size}, NULL, &executable), what);
  mr_text_deinit(&text);
  return executable;
}

static void check_runs(mr_span program, mr_module *take_back, const char *path) {
  if (!has_unknown_calls(take_back)) {
    mr_executable *wanted = NULL;
    expect_ok(mr_compile(program, NULL, &wanted), path);
    check_same(path, wanted, compile_module(take_back, path));
    ran++;
  }
  mr_module_release(take_back);
}

// The field of an HloProto that its module is in.
static mr_text module_of(mr_text *take_program) {
  mr_text module = {0};
  size_t at = 1, size = 0;
  assert_int_equal(take_program->data[0], 0x0A);
  for (unsigned shift = 0;; shift += 7) {
    unsigned char byte = (unsigned char)take_program->data[at++];
    size |= (size_t)(byte & 127) << shift;
    if (byte < 128) {
      break;
    }
  }
  assert_int_equal(at + size, take_program->size);
  mr_text_append(&module, (mr_str){take_program->data + at, size});
  mr_text_deinit(take_program);
  return module;
}

static void check_program(void *context, const char *path, mr_span bytes) {
  (void)context;
  mr_module *module = NULL;
  mr_text after = {0}, inner;
  expect_ok(mr_read_program(bytes, &module), path);
  expect_ok(mr_module_verify(module), path);
  check_runs(bytes, there_and_back(module, path), path);
  mr_module_release(module);
  expect_ok(optimized_program(bytes, NULL, NULL, &after), path);
  inner = module_of(&after);
  check_runs(bytes, read_back(&inner, path), path);
  files++;
}

static void test_programs_compute_the_same(void **state) {
  (void)state;
  file_each("tests/programs", ".mlirbc", SIZE_MAX, check_program, NULL);
  file_each("tests/compiler/programs", ".mlir", SIZE_MAX, check_program, NULL);
  assert_true(files > 70);
  assert_true(ran > 2 * files - 10);
}

// ---- Programs over devices -------------------------------------------------------------------------------------------------

static mr_module *cut(mr_span program, const mr_compile_options *options, const char *path) {
  mr_text text = {0};
  mr_module *module = NULL;
  expect_ok(optimized_program(program, options, &text, NULL), path);
  expect_ok(mr_read_program((mr_span){text.data, text.size}, &module), path);
  mr_text_deinit(&text);
  return module;
}

// How often devices meet in each way.
static void count_meetings(const mr_module *module, int *counts) {
  const mr_function *f = mr_module_entry(module);
  for (mr_op *op = mr_walk_first(&f->body); op; op = mr_walk_next(op, &f->body)) {
    counts[op->kind] += mr_op_table[op->kind].op_class == MR_OPS_COLLECTIVE;
  }
}

static void compare_cuts(const mr_module *a, const mr_module *b, const char *path) {
  const mr_function *f = mr_module_entry(a), *g = mr_module_entry(b);
  int wanted[MR_OP_COUNT] = {0}, found[MR_OP_COUNT] = {0};
  count_meetings(a, wanted);
  count_meetings(b, found);
  bool same = f->body.num_args == g->body.num_args && f->num_results == g->num_results &&
              memcmp(wanted, found, sizeof wanted) == 0;
  for (uint32_t i = 0; same && i < f->body.num_args; i++) {
    same = mr_type_equal(&f->body.args[i]->type, &g->body.args[i]->type);
  }
  for (uint32_t i = 0; same && i < f->num_results; i++) {
    same = mr_type_equal(&f->result_types[i], &g->result_types[i]);
  }
  if (!same) {
    fail_msg("%s is cut otherwise", path);
  }
}

static void check_cut(void *context, const char *path, mr_span bytes) {
  size_t *count = context;
  mr_module *module = NULL;
  mr_text text = {0};
  expect_ok(mr_read_program(bytes, &module), path);
  expect_ok(mr_module_verify(module), path);
  const mr_compile_options options = {.num_replicas = (uint32_t)mr_module_replicas(module),
                                      .num_partitions = (uint32_t)mr_module_partitions(module)};
  mr_module *back = there_and_back(module, path);
  mr_module_print(back, &text);
  if (!has_unknown_calls(back)) {
    mr_module *a = cut(bytes, &options, path), *b = cut((mr_span){text.data, text.size}, &options, path);
    compare_cuts(a, b, path);
    mr_module_release(a);
    mr_module_release(b);
    (*count)++;
  }
  mr_text_deinit(&text);
  mr_module_release(back);
  mr_module_release(module);
}

// What is said of shardings arrives: the parts are the same, and devices meet as often.
static void test_programs_are_cut_alike(void **state) {
  (void)state;
  size_t count = 0;
  file_each("tests/shard/programs", ".mlir", SIZE_MAX, check_cut, &count);
  assert_true(count > 180);
}

// What runs on several devices, or nowhere.
static void check_file(void *context, const char *path, mr_span bytes) {
  (void)context;
  mr_module *module = NULL;
  bool hlo = file_ends_with(path, ".pb");
  expect_ok(hlo ? mr_read_hlo(bytes, false, &module) : mr_read_program(bytes, &module), path);
  expect_ok(mr_module_verify(module), path);
  mr_module_release(there_and_back(module, path));
  mr_module_release(module);
}

static void test_files_are_read_back(void **state) {
  (void)state;
  static const char *const folders[][2] = {
      {"tests/compiler/hlo", ".pb"}, {"tests/compiler/hlo_only", ".pb"}, {"tests/compiler/reader_data", ".mlir"}};
  for (size_t i = 0; i < MR_ARRAY_SIZE(folders); i++) {
    file_each(folders[i][0], folders[i][1], SIZE_MAX, check_file, NULL);
  }
}

// ---- Single ops ----------------------------------------------------------------------------------------------------------

// One op of this kind and a type that it takes; false when there is none.
static bool try_elementwise(mr_op_kind kind, mr_dtype dtype) {
  mr_module *module;
  const mr_type type = {.kind = MR_TYPE_TENSOR, .dtype = dtype, .rank = 1, .dims = (int64_t[]){3}};
  const mr_type types[] = {type, type, type};
  expect_ok(mr_module_create(0, &module), "module");
  mr_function *f = mr_module_add_function(module, MR_STR("main"), true, 3, types, 1, &type);
  mr_builder b = mr_builder_at_end(&f->body);
  mr_op *op = mr_build(&b, kind, (uint32_t)mr_op_table[kind].operands, f->body.args, 1, &type, 0);
  mr_type inferred;
  mr_status status = mr_op_infer(module, op, &inferred);
  bool fits = status == MR_OK;
  mr_status_free(status);
  if (fits) {
    op->results[0].type = f->result_types[0] = inferred;
    mr_build_return(&b, 1, (mr_value *[]){mr_op_result(op, 0)});
    mr_module_release(there_and_back(module, mr_op_table[kind].name));
  }
  mr_module_release(module);
  return fits;
}

// Those that need attributes are in programs.
static void test_each_elementwise_op(void **state) {
  (void)state;
  static const mr_dtype dtypes[] = {MR_F32, MR_S32, MR_PRED, MR_C64};
  for (int kind = 0; kind < MR_OP_COUNT; kind++) {
    for (size_t i = 0; mr_op_kind_is_elementwise(kind) && i < MR_ARRAY_SIZE(dtypes); i++) {
      try_elementwise(kind, dtypes[i]);
    }
  }
}

typedef struct form {
  const char *text;    // of the program's ops and results
  const char *wanted;  // a part of the text of what is read back
  const char *also;    // another; NULL: nothing
} form;

static void check_form(const char *text, const char *wanted, const char *also) {
  mr_module *module = NULL;
  mr_text found = {0};
  expect_ok(mr_read_program((mr_span){text, strlen(text)}, &module), text);
  expect_ok(mr_module_verify(module), text);
  mr_module *back = there_and_back(module, text);
  mr_module_print(back, &found);
  mr_text_append(&found, (mr_str){"", 1});
  if (!strstr(found.data, wanted) || (also && !strstr(found.data, also))) {
    fail_msg("no %s %s in\n%s", wanted, also ? also : "", found.data);
  }
  mr_text_deinit(&found);
  mr_module_release(back);
  mr_module_release(module);
}

#define MAIN(params, results, body) "func.func public @main(" params ") -> (" results ") {\n" body "}\n"
#define F4 "tensor<4xf32>"

// What HLO has under another name or in another form, or not at all.
static const form forms[] = {
    {MAIN("%x: " F4, "tensor<2x4xf32>",
          "%r = \"stablehlo.broadcast\"(%x) {broadcast_sizes = array<i64: 2>} : (" F4 ") -> tensor<2x4xf32>\n"
          "return %r : tensor<2x4xf32>\n"),
     "broadcast_dimensions = array<i64: 1>", NULL},
    {MAIN("%x: tensor<4x1xf32>", "tensor<4x3xf32>",
          "%r = \"stablehlo.broadcast_in_dim\"(%x) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<4x1xf32>) -> "
          "tensor<4x3xf32>\nreturn %r : tensor<4x3xf32>\n"),
     "stablehlo.reshape", "broadcast_dimensions = array<i64: 0>"},
    {MAIN("%p: tensor<i1>, %x: " F4, F4,
          "%r = \"stablehlo.select\"(%p, %x, %x) : (tensor<i1>, " F4 ", " F4 ") -> " F4 "\nreturn %r : " F4 "\n"),
     "-> (tensor<4xi1>)", "stablehlo.select"},
    {MAIN("%x: tensor<3x4xf32>, %y: tensor<4x2xf32>", "tensor<3x2xf32>",
          "%r = \"stablehlo.dot\"(%x, %y) : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>\n"
          "return %r : tensor<3x2xf32>\n"),
     "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]", NULL},
    {MAIN("%x: " F4 ", %n: tensor<i32>", "tensor<i32>",
          "%s = \"stablehlo.set_dimension_size\"(%x, %n) {dimension = 0 : i64} : (" F4
          ", tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>\n"
          "%r = \"stablehlo.get_dimension_size\"(%s) {dimension = 0 : i64} : (tensor<?xf32, #stablehlo.bounds<4>>) -> "
          "tensor<i32>\nreturn %r : tensor<i32>\n"),
     "tensor<?xf32, #stablehlo.bounds<4>>", "stablehlo.get_dimension_size"},
    {MAIN("%x: " F4 ", %n: tensor<1xi32>", "tensor<?xf32>",
          "%r = \"stablehlo.dynamic_iota\"(%n) {iota_dimension = 0 : i64} : (tensor<1xi32>) -> tensor<?xf32>\n"
          "return %r : tensor<?xf32>\n"),
     "call_target_name = \"stablehlo.dynamic_iota\"", "iota_dimension = 0"},
    {MAIN("%x: " F4 ", %n: tensor<2xi32>", "tensor<?x?xf32>",
          "%r = \"stablehlo.dynamic_broadcast_in_dim\"(%x, %n) {broadcast_dimensions = array<i64: 1>} : (" F4
          ", tensor<2xi32>) -> tensor<?x?xf32>\nreturn %r : tensor<?x?xf32>\n"),
     "stablehlo.dynamic_broadcast_in_dim", NULL},
    {MAIN("%x: tensor<3x4xf32>, %i: tensor<2xi32>", "tensor<2x4xf32>",
          "%r = \"stablehlo.torch_index_select\"(%x, %i) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<3x4xf32>, "
          "tensor<2xi32>) -> tensor<2x4xf32>\nreturn %r : tensor<2x4xf32>\n"),
     "stablehlo.torch_index_select", NULL},
    {MAIN("%x: tensor<3x4xf32>, %y: tensor<4x2xf32>", "tensor<3x2xf32>",
          "%r = \"stablehlo.einsum\"(%x, %y) {einsum_config = \"ab,bc->ac\"} : (tensor<3x4xf32>, tensor<4x2xf32>) -> "
          "tensor<3x2xf32>\nreturn %r : tensor<3x2xf32>\n"),
     "stablehlo.einsum", "ab,bc->ac"},
    {MAIN("%x: tensor<3x4xf32>", "tensor<3xf32>",
          "%r = \"stablehlo.unary_einsum\"(%x) {einsum_config = \"ab->a\"} : (tensor<3x4xf32>) -> tensor<3xf32>\n"
          "return %r : tensor<3xf32>\n"),
     "stablehlo.unary_einsum", NULL},
    {MAIN("%x: " F4, "tensor<4x!quant.uniform<i8:f32, 0.5>>",
          "%r = \"stablehlo.uniform_quantize\"(%x) : (" F4 ") -> tensor<4x!quant.uniform<i8:f32, 0.5>>\n"
          "return %r : tensor<4x!quant.uniform<i8:f32, 0.5>>\n"),
     "stablehlo.uniform_quantize", "-> (tensor<4xi8>)"},
    {MAIN("%x: " F4, "!stablehlo.token, tensor<ui32>",
          "%t = \"stablehlo.create_token\"() : () -> !stablehlo.token\n"
          "%i = \"stablehlo.replica_id\"() : () -> tensor<ui32>\n"
          "return %t, %i : !stablehlo.token, tensor<ui32>\n"),
     "stablehlo.after_all", "stablehlo.replica_id"},
    {MAIN("%x: " F4, F4,
          "%r = \"stablehlo.collective_broadcast\"(%x) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, "
          "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (" F4 ") -> " F4 "\nreturn %r : " F4
          "\n"),
     "stablehlo.collective_broadcast", "dense<[[0, 1]]>"},
    {MAIN("%x: tensor<4x6xf32>", "tensor<2x12xf32>",
          "%r = \"stablehlo.all_to_all\"(%x) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : "
          "i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<2x12xf32>\n"
          "return %r : tensor<2x12xf32>\n"),
     "permutation = array<i64: 1, 0, 2>", "concat_dimension = 0 : i64"},
    {MAIN("%x: tensor<4xf32>, %y: tensor<f32>", "tensor<f32>",
          "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
          "%r = \"stablehlo.reduce\"(%x, %z) ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
          "%s = stablehlo.add %a, %b : tensor<f32>\n%t = stablehlo.multiply %s, %y : tensor<f32>\n"
          "stablehlo.return %t : tensor<f32>\n}) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> "
          "tensor<f32>\nreturn %r : tensor<f32>\n"),
     "call_target_name = \"stablehlo.reduce\"", "called_computations = [@reduce"},
    {MAIN("%x: tensor<4xf32>", "tensor<f32>",
          "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
          "%r = \"stablehlo.reduce\"(%x, %z) ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
          "%s = stablehlo.add %a, %b : tensor<f32>\n%t = stablehlo.multiply %s, %z : tensor<f32>\n"
          "stablehlo.return %t : tensor<f32>\n}) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> "
          "tensor<f32>\nreturn %r : tensor<f32>\n"),
     "\"stablehlo.reduce\"", NULL},
    {MAIN("%x: " F4, F4,
          "%f = \"stablehlo.async_start\"(%x) ({\n^bb0(%a: " F4 "):\n"
          "%s = \"stablehlo.collective_permute\"(%a) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} "
          ": "
          "(" F4 ") -> " F4 "\n\"stablehlo.return\"(%s) : (" F4 ") -> ()\n}) : (" F4 ") -> !stablehlo.future<" F4 ">\n"
          "%r = \"stablehlo.async_done\"(%f) : (!stablehlo.future<" F4 ">) -> " F4 "\nreturn %r : " F4 "\n"),
     "source_target_pairs = dense<[[0, 1], [1, 0]]>", "func.call"},
    {"module attributes {mhlo.frontend_attributes = {word = \"said\"}} {\n"
     "func.func public @main(%x: " F4 " {jax.buffer_donor = true, mhlo.sharding = \"{devices=[2]<=[2]}\"}, %y: " F4
     " {tf.aliasing_output = 1 : i32}) -> (" F4 " {mhlo.sharding = \"{replicated}\"}, " F4 ") {\n"
     "%s = stablehlo.add %x, %y {mhlo.sharding = \"{maximal device=1}\"} : " F4 "\nreturn %s, %y : " F4 ", " F4
     "\n}\n}\n",
     "mhlo.sharding = \"{devices=[2]<=[2]T(0)}\"", "tf.aliasing_output = 1"},
    {"func.func public @main(%x: " F4 ") -> (" F4 " {mhlo.sharding = \"{replicated}\"}) {\n"
     "%s = stablehlo.add %x, %x : " F4 "\nreturn %s : " F4 "\n}\n",
     "-> (tensor<4xf32> {mhlo.sharding = \"{replicated}\"})", NULL},
    {"func.func public @main(%x: " F4 " {mhlo.sharding = \"{replicated}\"}) -> " F4 " {\n"
     "%s = stablehlo.add %x, %x : " F4 "\nreturn %s : " F4 "\n}\n",
     "tensor<4xf32> {mhlo.sharding = \"{replicated}\"})", NULL},
    {"module {\nsdy.mesh @mesh = <[\"x\"=2]>\n"
     "func.func public @main(%x: " F4 ") -> (" F4 " {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) {\n"
     "%r = sdy.sharding_constraint %x <@mesh, [{}]> : " F4 "\nreturn %r : " F4 "\n}\n}\n",
     "#sdy.sharding_per_value<[<@mesh, [{\\22x\\22}]>]>", "call_target_name = \"Sharding\""},
    {MAIN("%x: tensor<8xf32>, %i: tensor<2x1xi32>, %n: tensor<1xi32>", "tensor<2x?xf32>",
          "%r = \"stablehlo.dynamic_gather\"(%x, %i, %n) {dimension_numbers = #stablehlo.gather<offset_dims = [1], "
          "start_index_map = [0], index_vector_dim = 1>} : (tensor<8xf32>, tensor<2x1xi32>, tensor<1xi32>) -> "
          "tensor<2x?xf32>\nreturn %r : tensor<2x?xf32>\n"),
     "stablehlo.dynamic_gather", "start_index_map = [0]"},
    {MAIN("%x: tensor<8xf32>, %n: tensor<1xi32>", "tensor<?xf32>",
          "%r = \"stablehlo.real_dynamic_slice\"(%x, %n, %n, %n) : (tensor<8xf32>, tensor<1xi32>, tensor<1xi32>, "
          "tensor<1xi32>) -> tensor<?xf32>\nreturn %r : tensor<?xf32>\n"),
     "stablehlo.real_dynamic_slice", NULL},
    {MAIN("%x: tensor<1x8x8x1xf32>, %k: tensor<3x3x1x1xf32>, %p: tensor<2x2xi32>", "tensor<1x?x?x1xf32>",
          "%r = \"stablehlo.dynamic_conv\"(%x, %k, %p) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->"
          "[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x1xf32>, "
          "tensor<3x3x1x1xf32>, tensor<2x2xi32>) -> tensor<1x?x?x1xf32>\nreturn %r : tensor<1x?x?x1xf32>\n"),
     "stablehlo.dynamic_conv", NULL},
    {MAIN("%x: " F4, F4,
          "%r = \"stablehlo.cross-replica-sum\"(%x) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (" F4
          ") -> " F4 "\nreturn %r : " F4 "\n"),
     "stablehlo.cross-replica-sum", "replica_groups = dense<[[0, 1]]>"},
    {MAIN("%x: tensor<4x!quant.uniform<i8:f32, 0.5>>", F4,
          "%r = \"stablehlo.uniform_dequantize\"(%x) : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> " F4
          "\nreturn %r : " F4 "\n"),
     "stablehlo.uniform_dequantize", "(tensor<4xi8>)"},
    {MAIN("%x: tensor<f32>", "tensor<f32>",
          "%r = \"stablehlo.pad\"(%x, %x) {edge_padding_low = array<i64>, edge_padding_high = array<i64>, "
          "interior_padding = array<i64>} : (tensor<f32>, tensor<f32>) -> tensor<f32>\nreturn %r : tensor<f32>\n"),
     "\"func.return\"(%0)", NULL},
    {MAIN("%x: tensor<2xf6E2M3FN>", "tensor<2xf32>",
          "%c = stablehlo.constant dense<1.0> : tensor<2xf6E2M3FN>\n"
          "%s = stablehlo.add %x, %c : tensor<2xf6E2M3FN>\n"
          "%r = stablehlo.convert %s : (tensor<2xf6E2M3FN>) -> tensor<2xf32>\nreturn %r : tensor<2xf32>\n"),
     "call_target_name = \"stablehlo.add\"", "(tensor<2xui8>, tensor<2xui8>) -> (tensor<2xui8>)"},
    {MAIN("%x: " F4, "tensor<?xf32>",
          "%r = builtin.unrealized_conversion_cast %x : " F4 " to tensor<?xf32>\nreturn %r : tensor<?xf32>\n"),
     "builtin.unrealized_conversion_cast", NULL},
    {"func.func public @main(%x: " F4 ") -> (" F4 ", " F4 ") {\n"
     "%r:2 = \"stablehlo.composite\"(%x) {name = \"a.b\", decomposition = @two, composite_attributes = {k = 3 : i64}, "
     "version = 2 : i32} : "
     "(" F4 ") -> (" F4 ", " F4 ")\n%s = \"stablehlo.composite\"(%r#0) {name = \"c.d\", decomposition = @one} : (" F4
     ") -> " F4 "\nreturn %s, %r#1 : " F4 ", " F4 "\n}\n"
     "func.func private @two(%x: " F4 ") -> (" F4 ", " F4 ") {\nreturn %x, %x : " F4 ", " F4 "\n}\n"
     "func.func private @one(%x: " F4 ") -> (" F4 ") {\nreturn %x : " F4 "\n}\n",
     "name = \"c.d\"", "func.call"},
};

static void test_each_form(void **state) {
  (void)state;
  for (size_t i = 0; i < MR_ARRAY_SIZE(forms); i++) {
    check_form(forms[i].text, forms[i].wanted, forms[i].also);
  }
}

// Kernels do not get into dumps; they have an instruction all the same.
static void test_fusion(void **state) {
  (void)state;
  mr_module *module;
  const mr_type type = {.kind = MR_TYPE_TENSOR, .dtype = MR_F32, .rank = 1, .dims = (int64_t[]){3}};
  expect_ok(mr_module_create(0, &module), "module");
  mr_function *f = mr_module_add_function(module, MR_STR("main"), true, 1, &type, 1, &type);
  mr_builder b = mr_builder_at_end(&f->body);
  mr_op *fusion = mr_build(&b, MR_OP_fusion, 1, f->body.args, 1, &type, 1);
  mr_value *inner = mr_block_add_arg(module, fusion->regions[0], &type);
  mr_build_return(&b, 1, (mr_value *[]){mr_op_result(fusion, 0)});
  b = mr_builder_at_end(fusion->regions[0]);
  inner = mr_build_unary(&b, MR_OP_negate, inner);
  mr_build_return(&b, 1, &inner);
  mr_text text = {0};
  mr_module *back = there_and_back(module, "fusion");
  mr_module_print(back, &text);
  mr_text_append(&text, (mr_str){"", 1});
  assert_non_null(strstr(text.data, "func.call"));
  assert_non_null(strstr(text.data, "stablehlo.negate"));
  mr_text_deinit(&text);
  mr_module_release(back);
  mr_module_release(module);
}

// ---- What programs could be made to cost -----------------------------------------------------------------------------------

// Loops in loops, each with something from the outermost.
static void test_deep_regions(void **state) {
  (void)state;
  enum { DEPTH = MR_MAX_NESTING - 10 };
  mr_module *module;
  const mr_type types[] = {mr_type_scalar(MR_F32), mr_type_scalar(MR_PRED)};
  expect_ok(mr_module_create(0, &module), "module");
  mr_function *f = mr_module_add_function(module, MR_STR("main"), true, 2, types, 1, types);
  mr_value *condition = f->body.args[1], *x = f->body.args[0];
  mr_builder b = mr_builder_at_end(&f->body);
  for (int i = 0; i < DEPTH; i++) {
    mr_op *loop = mr_build(&b, MR_OP_while, 1, &x, 1, types, 2);
    mr_builder end = mr_builder_at_end(b.block);
    mr_build_return(&end, 1, (mr_value *[]){mr_op_result(loop, 0)});
    mr_block_add_arg(module, loop->regions[0], types);
    x = mr_block_add_arg(module, loop->regions[1], types);
    b = mr_builder_at_end(loop->regions[0]);
    mr_build_return(&b, 1, &condition);
    b = mr_builder_at_end(loop->regions[1]);
  }
  x = mr_build_binary(&b, MR_OP_add, x, f->body.args[0]);
  mr_build_return(&b, 1, &x);
  expect_ok(mr_module_verify(module), "deep");
  mr_module_release(there_and_back(module, "deep"));
  mr_module_release(module);
}

// A chain of calls as long as a program likes.
static void test_long_chain_of_calls(void **state) {
  (void)state;
  enum { CALLS = 20000 };
  mr_text text = {0};
  mr_module *module = NULL;
  mr_text_put(&text,
              "func.func public @main(%%x: tensor<f32>) -> tensor<f32> {\n%%r = call @f0(%%x) : (tensor<f32>) -> "
              "tensor<f32>\nreturn %%r : tensor<f32>\n}\n");
  for (int i = 0; i < CALLS; i++) {
    mr_text_put(&text, "func.func private @f%d(%%x: tensor<f32>) -> tensor<f32> {\n", i);
    if (i + 1 < CALLS) {
      mr_text_put(&text, "%%r = call @f%d(%%x) : (tensor<f32>) -> tensor<f32>\nreturn %%r : tensor<f32>\n}\n", i + 1);
    } else {
      mr_text_put(&text, "return %%x : tensor<f32>\n}\n");
    }
  }
  expect_ok(mr_read_program((mr_span){text.data, text.size}, &module), "chain");
  mr_text_deinit(&text);
  expect_ok(mr_module_verify(module), "chain");
  mr_module *back = there_and_back(module, "chain");
  assert_int_equal(back->num_functions, CALLS + 1);
  mr_module_release(back);
  mr_module_release(module);
}

// A splat is as large as its program says, and takes no more than a scalar does.
static void test_large_splat(void **state) {
  (void)state;
  static const char text[] = MAIN("%x: tensor<4xf32>", "tensor<1000000x1000xf32>",
                                  "%r = stablehlo.constant dense<2.0> : tensor<1000000x1000xf32>\n"
                                  "return %r : tensor<1000000x1000xf32>\n");
  mr_module *module = NULL;
  mr_text bytes = {0};
  expect_ok(mr_read_program((mr_span){text, sizeof text - 1}, &module), "splat");
  expect_ok(mr_write_hlo(module, NULL, &bytes), "splat");
  assert_true(bytes.size < 1000);
  mr_text_deinit(&bytes);
  mr_module_release(module);
}

// XLA refuses a message with a string that is no UTF-8.
static void test_texts_are_utf8(void **state) {
  (void)state;
  static const char text[] = "module @m {\nfunc.func public @main(%x: tensor<f32>) -> tensor<f32> {\n"
                             "%r = stablehlo.negate %x : tensor<f32> loc(\"a\\FFb\\C3\\A9\\C0\\80\"(\"f.py\":3:0))\n"
                             "return %r : tensor<f32>\n}\n}\n";
  mr_module *module = NULL;
  mr_text bytes = {0};
  expect_ok(mr_read_program((mr_span){text, sizeof text - 1}, &module), "texts");
  expect_ok(mr_write_hlo(module, NULL, &bytes), "texts");
  assert_non_null(memmem(bytes.data, bytes.size, "a?b\xC3\xA9??", 7));
  assert_non_null(memmem(bytes.data, bytes.size, "f.py", 4));
  mr_text_deinit(&bytes);
  mr_module_release(module);
}

// What no program of these tests has: reduces for one root, and words of Shardy that are read from bytecode.
static void test_all_kinds_were_written(void **state) {
  (void)state;
  static const mr_op_kind others[] = {MR_OP_collective_reduce, MR_OP_sdy_data_flow_edge};
  for (int kind = 0; kind < MR_OP_COUNT; kind++) {
    bool other = false;
    for (size_t i = 0; i < MR_ARRAY_SIZE(others); i++) {
      other = other || (mr_op_kind)kind == others[i];
    }
    if (!written[kind] != other) {
      fail_msg("%s was written %u times", mr_op_table[kind].spelling, written[kind]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_programs_compute_the_same),
      cmocka_unit_test(test_programs_are_cut_alike),
      cmocka_unit_test(test_files_are_read_back),
      cmocka_unit_test(test_each_elementwise_op),
      cmocka_unit_test(test_each_form),
      cmocka_unit_test(test_fusion),
      cmocka_unit_test(test_deep_regions),
      cmocka_unit_test(test_long_chain_of_calls),
      cmocka_unit_test(test_large_splat),
      cmocka_unit_test(test_texts_are_utf8),
      cmocka_unit_test(test_all_kinds_were_written),  // by those before it
  };
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
