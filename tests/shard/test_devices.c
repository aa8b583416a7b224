// Shardings that name devices which the program does not have are refused, wherever a program says them.
#include "compiler/shard/shard.h"
#include "compiler/shard/sharding.h"
#include "tests/compiler/pass_text.h"
#include "tests/file.h"

enum { DEVICES = 4 };

#define T "tensor<8xf32>"

static mr_status run(const char *text) {
  mr_module *module = read_ok(text);
  module->num_partitions = DEVICES;
  mr_compile_options options = {.num_partitions = DEVICES};
  mr_shard_boundary boundary;
  mr_status status = mr_shard_run(module, &options, &boundary);
  mr_module_release(module);
  return status;
}

// `part`: of the message; NULL: it is taken.
static void expect(const char *text, const char *part) {
  mr_status status = run(text);
  bool right =
      part ? mr_status_code(status) == MR_INVALID_ARGUMENT && strstr(mr_status_message(status), part) : !status;
  if (!right) {
    fail_msg("%s\n%s: %s, wanted \"%s\"", text, mr_status_code_name(mr_status_code(status)),
             status ? mr_status_message(status) : "", part ? part : "");
  }
  mr_status_free(status);
}

// ---- GSPMD's form -------------------------------------------------------------------------------------------------------

// Where a program in that form has tiles. %s: the tiles.
static const char *const tile_places[] = {
    "func.func public @main(%%a: " T " {mhlo.sharding = \"%s\"}) -> " T " {\n  return %%a : " T "\n}\n",
    "func.func public @main(%%a: " T ") -> (" T " {mhlo.sharding = \"%s\"}) {\n  return %%a : " T "\n}\n",
    "func.func public @main(%%a: " T ") -> " T " {\n"
    "  %%0 = stablehlo.custom_call @Sharding(%%a) {mhlo.sharding = \"%s\"} : (" T ") -> " T "\n"
    "  return %%0 : " T "\n}\n",
    "func.func public @main(%%a: " T ") -> " T " {\n"
    "  %%0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%%a) {mhlo.sharding = \"%s\"} : (" T ") -> " T "\n"
    "  return %%0 : " T "\n}\n",
    "func.func public @main(%%a: " T ") -> " T " {\n"
    "  %%0 = stablehlo.negate %%a {mhlo.sharding = \"%s\"} : " T "\n"
    "  return %%0 : " T "\n}\n",
    "func.func public @main(%%a: " T ") -> " T " {\n  %%0 = call @f(%%a) : (" T ") -> " T "\n  return %%0 : " T "\n}\n"
    "func.func private @f(%%a: " T ") -> " T " {\n"
    "  %%0 = stablehlo.custom_call @Sharding(%%a) {mhlo.sharding = \"%s\"} : (" T ") -> " T "\n"
    "  return %%0 : " T "\n}\n",
};

static void test_tiles(void **state) {
  (void)state;
  static const struct {
    const char *tiles, *part;
  } cases[] = {
      {"{maximal device=3}", NULL},
      {"{devices=[4]0,1,2,3}", NULL},
      {"{maximal device=7}", "names device 7, the program has 4"},
      {"{maximal device=4}", "names device 4, the program has 4"},
      {"{devices=[4]0,1,2,7}", "names device 7, the program has 4"},
      {"{devices=[8]<=[8]}", "over 8 tiles, wanted the program's 4"},
      {"{devices=[2]0,1}", "over 2 tiles, wanted the program's 4"},
      {"{devices=[2,2]0,1,2,7 last_tile_dim_replicate}", "names device 7, the program has 4"},
      {"{devices=[4]0,1,1,2}", "names device 1 twice"},
      {"{{maximal device=3}}", NULL},
      {"{{maximal device=7}}", "names device 7, the program has 4"},
      {"{{replicated}, {maximal device=7}}", "names device 7, the program has 4"},
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    for (size_t k = 0; k < MR_ARRAY_SIZE(tile_places); k++) {
      char text[1024];
      snprintf(text, sizeof text, tile_places[k], cases[i].tiles);
      expect(text, cases[i].part);
    }
  }
}

// A call that one device is to make is made by that one, as Shardy's form has it; its results are one list.
static void test_call_on_one(void **state) {
  (void)state;
  mr_module *module = read_ok(
      "func.func public @main(%a: " T ") -> (" T ", " T ") {\n"
      "  %0:2 = stablehlo.custom_call @f(%a) {mhlo.sharding = \"{{maximal device=3}, {maximal device=3}}\"} : (" T
      ") -> (" T ", " T ")\n  return %0#0, %0#1 : " T ", " T "\n}\n");
  module->num_partitions = DEVICES;
  mr_compile_options options = {.num_partitions = DEVICES};
  mr_shard_boundary boundary;
  assert_ok(mr_shard_run(module, &options, &boundary));
  assert_ok(mr_module_verify(module));
  assert_int_equal(count_kind(module, MR_OP_case), 1);
  assert_ptr_equal(find_kind(module, MR_OP_custom_call)->block->parent, find_kind(module, MR_OP_case));
  const mr_attr *groups = mr_op_attr(find_kind(module, MR_OP_collective_broadcast), MR_ATTR_replica_groups);
  assert_int_equal(groups->ints.data[0], 3);
  mr_module_release(module);
}

// What an op says of its result in this form is so, and spreads.
static void test_ops(void **state) {
  (void)state;
  mr_module *module = read_ok("func.func public @main(%a: " T ") -> " T " {\n"
                              "  %0 = stablehlo.negate %a {mhlo.sharding = \"{devices=[4]<=[4]}\"} : " T "\n"
                              "  %1 = stablehlo.cosine %0 : " T "\n  return %1 : " T "\n}\n");
  module->num_partitions = DEVICES;
  mr_compile_options options = {.num_partitions = DEVICES};
  mr_shard_boundary boundary;
  assert_ok(mr_shard_run(module, &options, &boundary));
  assert_int_equal(boundary.results[0].tiles->kind, MR_TILE_OTHER);
  assert_int_equal(boundary.params[0].tiles->kind, MR_TILE_OTHER);
  assert_int_equal(find_kind(module, MR_OP_cosine)->results[0].type.dims[0], 2);
  mr_module_release(module);
  mr_status status = run("func.func public @main(%a: " T ") -> " T " {\n"
                         "  %0 = stablehlo.negate %a {mhlo.sharding = \"{{replicated}, {replicated}}\"} : " T "\n"
                         "  return %0 : " T "\n}\n");
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  mr_status_free(status);
}

// ---- HLO ------------------------------------------------------------------------------------------------------------------

// By way of text, as the plugin has it.
static mr_module *read_hlo(const char *path) {
  mr_module *module;
  mr_text text = {0};
  mr_span bytes = file_read(path);
  assert_ok(mr_read_hlo(bytes, false, &module));
  mr_free((void *)bytes.data);
  mr_module_print(module, &text);
  mr_module_release(module);
  assert_ok(mr_read_text((mr_span){text.data, text.size}, &module));
  mr_text_deinit(&text);
  assert_ok(mr_module_verify(module));
  module->num_partitions = DEVICES;
  return module;
}

static void expect_dims(const mr_shard_port *port, int64_t rows, int64_t columns) {
  int64_t cut = port->tiles->kind == MR_TILE_OTHER ? port->tiles->tile_dims[0] : 1;
  int64_t cut_columns = port->tiles->kind == MR_TILE_OTHER && columns ? port->tiles->tile_dims[1] : 1;
  assert_int_equal(cut, rows);
  assert_int_equal(cut_columns, columns ? columns : 1);
}

// A program in HLO says its shardings on parameters, the root and ops, those of tuples by their elements.
static void test_hlo(void **state) {
  (void)state;
  mr_module *module = read_hlo("tests/compiler/hlo_only/sharded.pb");
  mr_compile_options options = {.num_partitions = DEVICES};
  mr_shard_boundary boundary;
  assert_ok(mr_shard_run(module, &options, &boundary));
  assert_int_equal(boundary.num_params, 3);
  expect_dims(&boundary.params[0], 4, 1);
  expect_dims(&boundary.params[1], 4, 0);
  expect_dims(&boundary.params[2], 1, 0);
  assert_int_equal(boundary.num_results, 3);
  expect_dims(&boundary.results[0], 1, 4);
  expect_dims(&boundary.results[1], 2, 0);
  expect_dims(&boundary.results[2], 1, 0);
  const mr_type *local = &find_kind(module, MR_OP_negate)->results[0].type;
  assert_int_equal(local->dims[0], 2);
  assert_int_equal(local->dims[1], 4);
  mr_module_release(module);

  module = read_hlo("tests/compiler/hlo_only/sharded_outside.pb");
  mr_status status = mr_shard_run(module, &options, &boundary);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  assert_non_null(strstr(mr_status_message(status), "names device 7, the program has 4"));
  mr_status_free(status);
  mr_module_release(module);
}

// So does one that JAX makes, in Shardy's words beside HLO's own.
static void test_hlo_of_jax(void **state) {
  (void)state;
  mr_module *module = read_hlo("tests/compiler/hlo_only/sharded_by_axes.pb");
  mr_compile_options options = {.num_partitions = DEVICES};
  mr_shard_boundary boundary;
  assert_ok(mr_shard_run(module, &options, &boundary));
  expect_dims(&boundary.params[0], 4, 1);
  expect_dims(&boundary.results[0], 1, 4);
  assert_int_equal(count_kind(module, MR_OP_custom_call), 0);
  mr_module_release(module);
}

// ---- Shardy's ------------------------------------------------------------------------------------------------------------

static const char *const sdy_places[] = {
    "%1$s\nfunc.func public @main(%%a: " T " {sdy.sharding = #sdy.sharding<%2$s, [{}]>}) -> " T " {\n  return %%a : " T
    "\n}\n",
    "%1$s\nfunc.func public @main(%%a: " T ") -> (" T
    " {sdy.sharding = #sdy.sharding<%2$s, [{}]>}) {\n  return %%a : " T "\n}\n",
    "%1$s\nfunc.func public @main(%%a: " T ") -> " T " {\n  %%0 = sdy.sharding_constraint %%a <%2$s, [{}]> : " T
    "\n  return %%0 : " T "\n}\n",
    "%1$s\nfunc.func public @main(%%a: " T ") -> " T " {\n"
    "  %%0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%%a) {sdy.sharding = #sdy.sharding_per_value<[<%2$s, "
    "[]>]>} : (" T ") -> " T "\n"
    "  return %%0 : " T "\n}\n",
    "%1$s\nfunc.func public @main(%%a: " T ") -> " T " {\n"
    "  %%0 = stablehlo.negate %%a {sdy.sharding = #sdy.sharding_per_value<[<%2$s, [{}]>]>} : " T "\n"
    "  return %%0 : " T "\n}\n",
    "%1$s\nfunc.func public @main(%%a: " T ") -> " T " {\n"
    "  stablehlo.custom_call @f(%%a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<%2$s, []>]>} : "
    "(" T ") -> ()\n"
    "  return %%a : " T "\n}\n",
    "%1$s\nsdy.mesh @all = <[\"all\"=4]>\n"
    "func.func public @main(%%a: " T ") -> " T " {\n"
    "  %%0 = sdy.manual_computation(%%a) in_shardings=[<@all, [{}]>] out_shardings=[<@all, [{}]>] manual_axes={} "
    "(%%b: " T ") {\n"
    "    %%1 = sdy.sharding_constraint %%b <%2$s, [{}]> : " T "\n"
    "    sdy.return %%1 : " T "\n  } : (" T ") -> " T "\n"
    "  return %%0 : " T "\n}\n",
};

static void test_meshes(void **state) {
  (void)state;
  static const struct {
    const char *mesh, *use, *part;
  } cases[] = {
      {"sdy.mesh @m = <[], device_ids=[3]>", "@m", NULL},
      {"sdy.mesh @m = <[], device_ids=[7]>", "@m", "names device 7, the program has 4"},
      {"", "mesh<[], device_ids=[7]>", "names device 7, the program has 4"},
      {"sdy.mesh @m = <[\"x\"=4], device_ids=[0, 1, 2, 7]>", "@m", "names device 7, the program has 4"},
      {"", "mesh<[\"x\"=4], device_ids=[0, 1, 2, 7]>", "names device 7, the program has 4"},
      {"sdy.mesh @m = <[\"x\"=4], device_ids=[0, 1, 1, 3]>", "@m", "names device 1 twice"},
      {"sdy.mesh @m = <[\"x\"=8]>", "@m", "has 8 devices, wanted the program's 4"},
      {"", "mesh<[\"x\"=8]>", "has 8 devices, wanted the program's 4"},
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    for (size_t k = 0; k < MR_ARRAY_SIZE(sdy_places); k++) {
      char text[1024];
      snprintf(text, sizeof text, sdy_places[k], cases[i].mesh, cases[i].use);
      expect(text, cases[i].part);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_tiles),      cmocka_unit_test(test_call_on_one),
                                     cmocka_unit_test(test_ops),        cmocka_unit_test(test_hlo),
                                     cmocka_unit_test(test_hlo_of_jax), cmocka_unit_test(test_meshes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
