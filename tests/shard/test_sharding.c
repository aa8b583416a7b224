// Shardings as text and as tiles.
#include "compiler/shard/sharding.h"
#include "compiler/shard/tiling.h"
#include "tests/compiler/pass_text.h"

static mr_module *meshes(void) {
  return read_ok("sdy.mesh @mesh = <[\"x\"=4, \"y\"=2, \"one\"=1]>\n"
                 "sdy.mesh @other = <[\"q\"=2, \"r\"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>\n"
                 "sdy.mesh @maximal = <[], device_ids=[3]>\n"
                 "func.func public @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n  return %a : tensor<8xf32>\n}\n");
}

static void assert_text(mr_text *text, const char *wanted) {
  mr_text_append(text, (mr_str){"", 1});
  assert_false(text->failed);
  assert_string_equal(text->data, wanted);
  mr_text_deinit(text);
}

static const mr_sharding *parse_ok(mr_module *module, const char *text) {
  const mr_sharding *sharding;
  assert_ok(mr_sharding_parse(module, mr_str_of(text), &sharding));
  return sharding;
}

// What is read is what is printed, but for axes of one device, which say nothing.
static void test_text(void **state) {
  (void)state;
  static const char *const texts[][2] = {
      {"#sdy.sharding<@mesh, [{\"x\"}, {}]>", "<@mesh, [{\"x\"}, {}]>"},
      {"<@mesh, [{\"x\", ?}, {?}]>", "<@mesh, [{\"x\", ?}, {?}]>"},
      {"<@mesh, [{\"y\", \"x\"}p2]>", "<@mesh, [{\"y\", \"x\"}p2]>"},
      {"<@mesh, [{\"one\", \"x\":(2)2, \"one\"}, {\"one\", ?}]>", "<@mesh, [{\"x\":(2)2}, {?}]>"},
      {"<@mesh, [{}], replicated={\"y\", \"x\"}>", "<@mesh, [{}], replicated={\"x\", \"y\"}>"},
      {"<@mesh, [{\"x\"}], unreduced={\"y\"}>", "<@mesh, [{\"x\"}], unreduced={\"y\"}>"},
      {"<@maximal, []>", "<@maximal, []>"},
      {"<mesh<[\"a\"=2, \"b\"=1]>, [{\"a\"}]>", "<mesh<[\"a\"=2]>, [{\"a\"}]>"},
  };
  mr_module *module = meshes();
  for (size_t i = 0; i < MR_ARRAY_SIZE(texts); i++) {
    mr_text text = {0};
    mr_sharding_print(parse_ok(module, texts[i][0]), &text);
    assert_text(&text, texts[i][1]);
  }
  mr_module_release(module);
}

// What is no sharding of the program's meshes is refused.
static void test_refused(void **state) {
  (void)state;
  static const char *const texts[] = {
      "",
      "<@mesh>",
      "<@nothing, []>",
      "<@mesh, [{\"x\"}, {\"x\"}]>",
      "<@mesh, [{\"x\":(1)2, \"x\"}]>",
      "<@mesh, [{\"x\":(3)2}]>",
      "<@mesh, [{\"x\"}]> ?",
      "<@mesh, [{\"x\"}], replicated={\"x\"}>",
      "<@mesh, [{\"x\"",
      "<@mesh, [{\"x\"}], unreduced={\"y\", \"x\"}>",
  };
  mr_module *module = meshes();
  for (size_t i = 0; i < MR_ARRAY_SIZE(texts); i++) {
    const mr_sharding *sharding;
    mr_status status = mr_sharding_parse(module, mr_str_of(texts[i]), &sharding);
    assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
    mr_status_free(status);
  }
  const mr_sharding **list;
  mr_status status = mr_sharding_parse_per_value(module, MR_STR("[<@mesh, []>]"), 2, &list);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  mr_status_free(status);
  mr_module_release(module);
}

// Clients of PJRT see tiles, which say the same as the axes; and axes are found in tiles again.
static void test_tiles(void **state) {
  (void)state;
  static const struct {
    const char *sharding, *tiles;
  } cases[] = {
      {"<@mesh, [{}, {}]>", "{replicated}"},
      {"<@mesh, [{\"x\"}, {\"y\"}]>", "{devices=[4,2]<=[8]}"},
      {"<@mesh, [{\"x\"}, {}]>", "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"},
      {"<@mesh, [{\"y\"}, {}]>", "{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}"},
      {"<@mesh, [{\"y\"}, {\"x\"}]>", "{devices=[2,4]<=[4,2]T(1,0)}"},
      {"<@mesh, [{\"y\", \"x\"}, {}]>", "{devices=[8,1]<=[4,2]T(1,0)}"},
      {"<@mesh, [{}, {\"x\":(2)2}]>", "{devices=[1,2,4]<=[2,2,2]T(1,0,2) last_tile_dim_replicate}"},
      {"<@mesh, [{\"x\"}, {}], unreduced={\"y\"}>", "{devices=[4,1,2]<=[8] last_tile_dims={unreduced}}"},
      {"<@mesh, [{\"y\"}, {}], unreduced={\"x\":(1)2}>",
       "{devices=[2,1,2,2]<=[2,2,2]T(2,1,0) last_tile_dims={replicated, unreduced}}"},
  };
  mr_module *module = meshes();
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    const mr_sharding *sharding = parse_ok(module, cases[i].sharding), *again;
    mr_tile_sharding tiles, read;
    mr_text text = {0};
    assert_ok(mr_sharding_to_tiles(&module->arena, sharding, 8, &tiles));
    mr_sharding_tiles_print(&tiles, &text);
    assert_text(&text, cases[i].tiles);
    assert_ok(mr_sharding_tiles_parse(&module->arena, mr_str_of(cases[i].tiles), &read));
    assert_ok(mr_sharding_from_tiles(module, sharding->mesh, &read, 2, 8, &again));
    assert_true(mr_sharding_equal(sharding, again));
  }
  mr_tile_sharding tiles;
  mr_text text = {0};
  assert_ok(mr_sharding_to_tiles(&module->arena, parse_ok(module, "<@other, [{\"r\"}, {}]>"), 8, &tiles));
  mr_sharding_tiles_print(&tiles, &text);
  assert_text(&text, "{devices=[4,1,2]7,3,6,2,5,1,4,0 last_tile_dim_replicate}");
  assert_ok(mr_sharding_to_tiles(&module->arena, parse_ok(module, "<@maximal, []>"), 8, &tiles));
  assert_int_equal(tiles.kind, MR_TILE_MAXIMAL);
  assert_int_equal(tiles.devices[0], 3);
  mr_module_release(module);
}

// What a host says may be anything: tiles that are not as many as devices, or in no order, are refused.
static void test_tiles_of_hosts(void **state) {
  (void)state;
  mr_module *module = meshes();
  const mr_sharding *found;
  int64_t tile_dims[] = {4, 2}, dims[] = {4, 2}, large[] = {INT64_MAX, 2};
  int32_t order[] = {1, 0}, twice[] = {1, 1}, outside[] = {0, 2};
  const mr_tile_sharding good = {.kind = MR_TILE_OTHER,
                                 .tile_rank = 2,
                                 .tile_dims = tile_dims,
                                 .reshape_rank = 2,
                                 .reshape_dims = dims,
                                 .transpose = order};
  mr_tile_sharding wrong[5] = {good, good, good, good, good};
  wrong[0].transpose = twice;
  wrong[1].transpose = outside;
  wrong[2].reshape_dims = large;
  wrong[3].reshape_rank = 1;
  wrong[4].reshape_rank = 0;  // a list of no devices
  assert_ok(mr_sharding_from_tiles(module, NULL, &good, 2, 8, &found));
  for (size_t i = 0; i < MR_ARRAY_SIZE(wrong); i++) {
    mr_status status = mr_sharding_from_tiles(module, NULL, &wrong[i], 2, 8, &found);
    assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
    mr_status_free(status);
  }
  mr_module_release(module);
}

// A list of devices in the order of some axes is as good as their names.
static void test_listed_devices(void **state) {
  (void)state;
  mr_module *module = meshes();
  const mr_sharding *found;
  mr_tile_sharding tiles;
  assert_ok(mr_sharding_tiles_parse(&module->arena, MR_STR("{devices=[2,1,4]0,2,4,6,1,3,5,7 last_tile_dim_replicate}"),
                                    &tiles));
  const mr_mesh *mesh = parse_ok(module, "<@mesh, []>")->mesh;
  assert_ok(mr_sharding_from_tiles(module, mesh, &tiles, 2, 8, &found));
  assert_true(mr_sharding_equal(found, parse_ok(module, "<@mesh, [{\"y\"}, {}]>")));
  assert_ok(mr_sharding_from_tiles(module, NULL, &tiles, 2, 8, &found));
  assert_int_equal(found->mesh->num_axes, 2);
  assert_int_equal(mr_axis_list_size(found->dims[0].axes), 2);
  assert_ok(mr_sharding_tiles_parse(&module->arena, MR_STR("{devices=[8]0,2,1,3,4,7,5,6}"), &tiles));
  mr_status status = mr_sharding_from_tiles(module, mesh, &tiles, 1, 8, &found);
  assert_int_equal(mr_status_code(status), MR_UNIMPLEMENTED);
  mr_status_free(status);
  mr_module_release(module);
}

static void assert_no(mr_status status, mr_code code, const char *words) {
  if (mr_status_code(status) != code || !strstr(mr_status_message(status), words)) {
    fail_msg("%s: %s", mr_status_code_name(mr_status_code(status)), status ? mr_status_message(status) : "");
  }
  mr_status_free(status);
}

// Meshes that no grid of atoms is fine enough for: of too many factors, cut at too many places, and two that do not nest.
static void test_grids_that_are_none(void **state) {
  (void)state;
  enum { DEVICES = 720720, MESHES = 80 };  // of 240 divisors
  mr_grid grid;
  const mr_axis vast[] = {{MR_STR("x"), INT64_C(1) << 40}}, six[] = {{MR_STR("a"), 2}, {MR_STR("b"), 3}},
                other[] = {{MR_STR("c"), 3}, {MR_STR("d"), 2}};
  const mr_mesh huge = {.axes = vast, .num_axes = 1, .maximal = -1};
  assert_no(mr_grid_make(INT64_C(1) << 40, &(const mr_mesh *){&huge}, 1, &grid), MR_UNIMPLEMENTED, "prime factors");
  const mr_mesh two[] = {{.axes = six, .num_axes = 2, .maximal = -1}, {.axes = other, .num_axes = 2, .maximal = -1}};
  assert_no(mr_grid_make(6, (const mr_mesh *[]){&two[0], &two[1]}, 2, &grid), MR_UNIMPLEMENTED, "do not nest");
  assert_no(mr_grid_make(7, (const mr_mesh *[]){&two[0]}, 1, &grid), MR_INVALID_ARGUMENT, "wanted the program's 7");
  static mr_axis axes[MESHES][2];
  static mr_mesh many[MESHES];
  const mr_mesh *list[MESHES];
  int64_t divisor = 1;
  for (size_t i = 0; i < MESHES; i++) {
    do {
      divisor++;
    } while (DEVICES % divisor);
    axes[i][0] = (mr_axis){MR_STR("x"), divisor};
    axes[i][1] = (mr_axis){MR_STR("y"), DEVICES / divisor};
    many[i] = (mr_mesh){.axes = axes[i], .num_axes = 2, .maximal = -1};
    list[i] = &many[i];
  }
  assert_no(mr_grid_make(DEVICES, list, MESHES, &grid), MR_UNIMPLEMENTED, "meshes of more than 64 different axes");
}

// Shardings that a reader would refuse, and a pass might make.
static void test_tilings_that_are_none(void **state) {
  (void)state;
  const mr_axis axes[] = {{MR_STR("x"), 4}, {MR_STR("y"), 2}};
  const int64_t ids[] = {7, 6, 5, 4, 3, 2, 1, 0};
  const mr_mesh mesh = {.axes = axes, .num_axes = 2, .maximal = -1},
                turned = {
                    .name = MR_STR("turned"), .axes = axes, .num_axes = 2, .maximal = -1, .ids = ids, .num_ids = 8};
  mr_grid grid;
  mr_tiling tiling;
  mr_atoms atoms;
  assert_ok(mr_grid_make(8, &(const mr_mesh *){&mesh}, 1, &grid));
  mr_axis_ref x[64];
  for (size_t i = 0; i < MR_ARRAY_SIZE(x); i++) {
    x[i] = (mr_axis_ref){.axis = 0, .pre = 1, .size = 4};
  }
  mr_dim_sharding dims[2] = {{.axes = {1, x}}, {.axes = {1, x}}};
  mr_sharding sharding = {.mesh = &mesh, .rank = 2, .dims = dims};
  assert_no(mr_tiling_of(&grid, &sharding, 3, &tiling), MR_INVALID_ARGUMENT,
            "a sharding of rank 2 for a value of rank 3");
  assert_no(mr_tiling_of(&grid, &sharding, 2, &tiling), MR_INVALID_ARGUMENT, "cuts two dimensions along one axis");
  dims[0].axes.count = MR_ARRAY_SIZE(x);
  assert_no(mr_tiling_of(&grid, &sharding, 2, &tiling), MR_INVALID_ARGUMENT, "names axis \"x\" more than once");
  dims[0].axes.count = dims[1].axes.count = 0;
  sharding.unreduced = (mr_axis_list){MR_ARRAY_SIZE(x), x};
  assert_no(mr_tiling_of(&grid, &sharding, 2, &tiling), MR_INVALID_ARGUMENT, "names axis \"x\" more than once");
  assert_no(mr_atoms_of(&grid, &turned, &sharding.unreduced, &atoms), MR_UNIMPLEMENTED,
            "mesh @turned with an order of devices of its own");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_text),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_tiles),
      cmocka_unit_test(test_tiles_of_hosts),
      cmocka_unit_test(test_listed_devices),
      cmocka_unit_test(test_grids_that_are_none),
      cmocka_unit_test(test_tilings_that_are_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
