// Memory that runs out while a program is cut for several devices: whichever allocation fails, the answer is a status, and nothing is
// kept.
#include "compiler/shard/shard.h"
#include "compiler/shard/sharding.h"
#include "tests/alloc_loop.h"
#include "tests/compiler/cache_folder.h"
#include "tests/compiler/pass_text.h"
#include "tests/file.h"

static const mr_compile_options for_eight = {.num_partitions = 8};

typedef struct program {
  mr_span text;
  mr_code refusal;  // what is answered with all the memory there is
} program;

static mr_status cut_module(mr_module *module) {
  mr_shard_boundary boundary;
  module->num_partitions = for_eight.num_partitions;
  MR_TRY(mr_module_verify(module));
  MR_TRY(mr_shard_run(module, &for_eight, &boundary));
  MR_TRY(mr_module_memory(module));
  assert_non_null(boundary.params);  // it was cut
  return MR_OK;
}

static mr_status cut(const program *p) {
  mr_module *module = NULL;
  MR_TRY(mr_read_text(p->text, &module));
  mr_status status = mr_module_end(module, cut_module(module));
  mr_module_release(module);
  return status;
}

static mr_status compile_whole(const program *p) {
  mr_executable *executable = NULL;
  mr_status status = mr_compile(p->text, &for_eight, &executable);
  assert_true((status == MR_OK) == (executable != NULL));
  mr_executable_release(executable);
  return status;
}

// Programs that are refused are there as well, and that is their good end.
static mr_status unless_refused(const program *p, mr_status take_status) {
  if (mr_status_code(take_status) == p->refusal) {
    mr_status_free(take_status);
    return MR_OK;
  }
  return take_status;
}

static mr_status try_to_cut(void *context) { return unless_refused(context, cut(context)); }
static mr_status try_to_compile(void *context) { return unless_refused(context, compile_whole(context)); }

static void loop_cut(void *context, const char *path, mr_span text) {
  (void)context;
  program p = {.text = text};
  mr_status refused = cut(&p);
  p.refusal = mr_status_code(refused);
  mr_status_free(refused);
  alloc_loop(path, try_to_cut, &p, 12000);
}

#define MESHES "sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]>\nsdy.mesh @one = <[], device_ids=[3]>\n"
#define TURNED "sdy.mesh @turned = <[\"q\"=2, \"r\"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>\n"

#define SAYS(word)                                                                                         \
  "mhlo.frontend_attributes = {xla.sdy." word " = \"#sdy.sharding_per_value<[<@mesh, [{\\22x\\22}]>]>\", " \
  "xla.sdy.manual_axes = \"#sdy<manual_axes{\\22x\\22}>\"}"

// A call that one device makes; axes that wait for others; a window that reaches over the edges of parts.
static const char *const rare[] = {
    MESHES "func.func public @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
           "  %0 = stablehlo.custom_call @nobody(%a) {sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>} : "
           "(tensor<8xf32>) -> "
           "tensor<8xf32>\n  return %0 : tensor<8xf32>\n}\n",
    MESHES "func.func public @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {\"x\"}p1]>}, "
           "%b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}p0, {}]>}) -> tensor<8x8xf32> {\n"
           "  %0 = stablehlo.add %a, %b : tensor<8x8xf32>\n  return %0 : tensor<8x8xf32>\n}\n",
    MESHES
    "func.func public @main(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) -> (tensor<16xf32> "
    "{sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) {\n"
    "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %0 = \"stablehlo.reduce_window\"(%a, %z) ({\n  ^bb0(%l: tensor<f32>, %r: tensor<f32>):\n"
    "    %s = stablehlo.add %l, %r : tensor<f32>\n    stablehlo.return %s : tensor<f32>\n"
    "  }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 1>, padding = dense<1> : tensor<1x2xi64>} : "
    "(tensor<16xf32>, tensor<f32>) -> tensor<16xf32>\n  return %0 : tensor<16xf32>\n}\n",
    // Windows that select, with padding.
    MESHES "func.func public @main(%a: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}, %b: "
           "tensor<32xf32>) -> "
           "(tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) {\n"
           "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
           "  %0 = \"stablehlo.select_and_scatter\"(%a, %b, %z) ({\n  ^bb0(%l: tensor<f32>, %r: tensor<f32>):\n"
           "    %s = stablehlo.compare GE, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
           "    stablehlo.return %s : tensor<i1>\n  }, {\n  ^bb0(%l: tensor<f32>, %r: tensor<f32>):\n"
           "    %s = stablehlo.add %l, %r : tensor<f32>\n    stablehlo.return %s : tensor<f32>\n"
           "  }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : "
           "tensor<1x2xi64>} "
           ": (tensor<64xf32>, tensor<32xf32>, tensor<f32>) -> tensor<64xf32>\n  return %0 : tensor<64xf32>\n}\n",
    // Shardings as GSPMD's calls and attributes have them, and a manual computation between its two calls.
    "func.func public @main(%a: tensor<8xf32> {mhlo.sharding = \"{devices=[4,2]<=[8] last_tile_dim_replicate}\"}) -> "
    "(tensor<8xf32> {mhlo.sharding = \"{devices=[8]<=[8]}\"}) {\n"
    "  %b = stablehlo.custom_call @Sharding(%a) {backend_config = \"unspecified_dims=[0]\", mhlo.sharding = "
    "\"{devices=[8]<=[8]}\"} : (tensor<8xf32>) -> tensor<8xf32>\n"
    "  %c = stablehlo.custom_call @SPMDFullToShardShape(%b) {mhlo.sharding = \"{manual}\"} : (tensor<8xf32>) -> "
    "tensor<1xf32>\n"
    "  %d = call @body(%c) : (tensor<1xf32>) -> tensor<1xf32>\n"
    "  %e = stablehlo.custom_call @SPMDShardToFullShape(%d) {mhlo.sharding = \"{devices=[8]<=[8]}\"} : (tensor<1xf32>) "
    "-> tensor<8xf32>\n"
    "  return %e : tensor<8xf32>\n}\n"
    "func.func private @body(%a: tensor<1xf32>) -> tensor<1xf32> {\n"
    "  %0 = stablehlo.negate %a : tensor<1xf32>\n  return %0 : tensor<1xf32>\n}\n",
    // The same in frontend attributes, with a group and with what a result says.
    "module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = \"{mesh = #sdy.mesh<[\\22x\\22=8]>}\"}} {\n"
    "func.func public @main(%a: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "
    "\"#sdy.sharding<@mesh, [{\\22x\\22}]>\"}}) -> (tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "
    "\"#sdy.sharding<@mesh, [{}]>\"}}) {\n"
    "  %b = stablehlo.custom_call @Sharding(%a) {" SAYS(
        "sharding") "} : (tensor<8xf32>) -> tensor<8xf32>\n"
                    "  stablehlo.custom_call @xla.sdy.ShardingGroup(%b) {has_side_effect = true, "
                    "mhlo.frontend_attributes = "
                    "{xla.sdy.sharding_group_id = \"3 : i64\"}} : (tensor<8xf32>) -> ()\n"
                    "  %c = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%b) {has_side_effect = true, " SAYS(
                        "in_shardings") "} : "
                                        "(tensor<8xf32>) -> tensor<1xf32>\n"
                                        "  %d = call @xla.sdy.manual_computation_body(%c) : (tensor<1xf32>) -> "
                                        "tensor<1xf32>\n"
                                        "  %e = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%d) {has_side_effect "
                                        "= true, " SAYS(
                                            "out_shardings") "} : "
                                                             "(tensor<1xf32>) -> tensor<8xf32>\n"
                                                             "  %f = stablehlo.custom_call "
                                                             "@xla.sdy.FuncResultSharding(%e) {has_side_effect = "
                                                             "true, " SAYS(
                                                                 "sharding") "} : "
                                                                             "(tensor<8xf32>) -> tensor<8xf32>\n"
                                                                             "  return %f : tensor<8xf32>\n}\n"
                                                                             "func.func private "
                                                                             "@xla.sdy.manual_computation_body(%a: "
                                                                             "tensor<1xf32>) -> tensor<1xf32> {\n"
                                                                             "  %0 = stablehlo.negate %a : "
                                                                             "tensor<1xf32>\n  return %0 : "
                                                                             "tensor<1xf32>\n}\n}\n",
};

#define MANUAL(result, argument, body)                                         \
  "  " result " = sdy.manual_computation(" argument                            \
  ") in_shardings=[<@mesh, [{\"x\", \"y\"}]>] out_shardings=[<@mesh, "         \
  "[{\"x\", \"y\"}]>] manual_axes={\"x\", \"y\"} (%p: tensor<1xf32>) {\n" body \
  "    sdy.return %q : tensor<1xf32>\n  } : (tensor<8xf32>) -> tensor<8xf32>\n"
#define SUM(mesh, axis)                                                                                               \
  "    %q = \"stablehlo.all_reduce\"(%p) ({\n    ^bb0(%l: tensor<f32>, %r: tensor<f32>):\n"                           \
  "      %s = stablehlo.add %l, %r : tensor<f32>\n      stablehlo.return %s : tensor<f32>\n    }) {replica_groups = " \
  "#stablehlo.replica_group_mesh_axes<mesh = " mesh ", axes = [#stablehlo.axis_ref<name = \"" axis                    \
  "\">]>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : "                \
  "(tensor<1xf32>) -> tensor<1xf32>\n"
#define IN_PLACE                                                                                     \
  "#stablehlo.mesh<axes = [<name = \"a\", size = 2>, <name = \"b\", size = 4>], device_ids = dense<" \
  "[7, 6, 5, 4, 3, 2, 1, 0]> : tensor<8xi64>>"

// Groups by axes of the program's mesh and of one in the attribute, in manual computations that say the same.
static const char groups[] =
    MESHES "func.func public @main(%g: tensor<8xf32>) -> tensor<8xf32> {\n" MANUAL("%0", "%g", SUM("@mesh", "x"))
        MANUAL("%1", "%0", SUM(IN_PLACE, "b")) "  return %1 : tensor<8xf32>\n}\n";

static void test_rare_programs(void **state) {
  (void)state;
  for (size_t i = 0; i <= MR_ARRAY_SIZE(rare); i++) {
    const char *text = i < MR_ARRAY_SIZE(rare) ? rare[i] : groups;
    mr_status status = cut(&(program){.text = {text, strlen(text)}});
    assert_ok(status);
    loop_cut(NULL, "a rare program", (mr_span){text, strlen(text)});
  }
  alloc_loops_ended_well();
}

// Shardings as text and as tiles, and back.
static mr_status write_and_read(mr_module *module) {
  static const char *const texts[] = {"<mesh<[\"a\"=2, \"b\"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>, [{\"b\"}, {}]>",
                                      "<@turned, [{\"q\"}, {\"r\"}]>", "<@one, []>"};
  static const char *const tiles_texts[] = {"{devices=[2,1,4]0,2,4,6,1,3,5,7 last_tile_dim_replicate}",
                                            "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}",
                                            "{maximal device=2}"};
  for (size_t i = 0; i < MR_ARRAY_SIZE(texts); i++) {
    const mr_sharding *sharding;
    mr_tile_sharding tiles;
    MR_TRY(mr_sharding_parse(module, mr_str_of(texts[i]), &sharding));
    MR_TRY(mr_sharding_to_tiles(&module->arena, sharding, 8, &tiles));
  }
  for (size_t i = 0; i < MR_ARRAY_SIZE(tiles_texts); i++) {
    const mr_sharding *sharding;
    mr_tile_sharding tiles;
    MR_TRY(mr_sharding_tiles_parse(&module->arena, mr_str_of(tiles_texts[i]), &tiles));
    MR_TRY(mr_sharding_from_tiles(module, NULL, &tiles, 2, 8, &sharding));
  }
  return MR_OK;
}

static mr_status try_forms(void *context) {
  mr_module *module = NULL;
  MR_TRY(mr_read_text(*(const mr_span *)context, &module));
  mr_status status = mr_module_end(module, write_and_read(module));
  mr_module_release(module);
  return status;
}

static void test_forms(void **state) {
  (void)state;
  static const char meshes[] = MESHES TURNED "func.func public @main() {\n  return\n}\n";
  mr_span text = {meshes, sizeof meshes - 1};
  alloc_loop("shardings as text and tiles", try_forms, &text, 20000);
  alloc_loops_ended_well();
}

static void test_cutting(void **state) {
  (void)state;
  assert_true(file_each("tests/shard/programs", ".mlir", SIZE_MAX, loop_cut, NULL) > 20);
  alloc_loops_ended_well();
}

static void compile_small(void *context, const char *path, mr_span text) {
  (void)context;
  program p = {.text = text};
  mr_status refused = compile_whole(&p);
  p.refusal = mr_status_code(refused);
  mr_status_free(refused);
  alloc_each_place(path, try_to_compile, &p);
}

// Each sends the others as many rows as it likes.
#define NUMBERS "tensor<4xi32>"
static const char ragged[] =
    "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: " NUMBERS ", %d: " NUMBERS ", %e: " NUMBERS
    ", %f: " NUMBERS ") -> tensor<4xf32> {\n"
    "  %0 = stablehlo.custom_call @ragged_all_to_all(%a, %b, %c, %d, %e, %f) {api_version = 4 : i32, backend_config = "
    "{channel_id = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>}} : "
    "(tensor<4xf32>, tensor<4xf32>, " NUMBERS ", " NUMBERS ", " NUMBERS ", " NUMBERS ") -> tensor<4xf32>\n"
    "  return %0 : tensor<4xf32>\n}\n";

// What is compiled of parts and of what devices say to one another.
static void test_compiling(void **state) {
  (void)state;
  assert_true(file_each("tests/shard/programs", ".mlir", 1500, compile_small, NULL) > 5);
  mr_executable *executable = NULL;
  assert_ok(mr_compile((mr_span){ragged, strlen(ragged)}, &for_eight, &executable));
  mr_executable_release(executable);
  compile_small(NULL, "rows for everybody", (mr_span){ragged, strlen(ragged)});
  alloc_loops_ended_well();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cutting), cmocka_unit_test(test_compiling),
                                     cmocka_unit_test(test_rare_programs), cmocka_unit_test(test_forms)};
  return cmocka_run_group_tests(tests, open_with_cache, close_and_clean);
}
