// Texts of shardings, tiles and rules that are cut short, that have a character too few or another one, and that there is no memory
// for: each is taken or refused with a status that says why, and nothing else happens.
#include "compiler/shard/rule.h"
#include "compiler/shard/sharding.h"
#include "tests/compiler/pass_text.h"

typedef mr_status (*parser)(mr_module *module, mr_str text);

static mr_status parse_sharding(mr_module *module, mr_str text) {
  const mr_sharding *sharding;
  mr_status status = mr_sharding_parse(module, text, &sharding);
  if (!status && sharding->mesh->maximal < 0) {
    mr_tile_sharding tiles;
    status = mr_sharding_to_tiles(&module->arena, sharding, mr_mesh_devices(sharding->mesh), &tiles);
  }
  return status;
}

static mr_status parse_list(mr_module *module, mr_str text) {
  const mr_sharding **list;
  return mr_sharding_parse_per_value(module, text, 2, &list);
}

static mr_status parse_names(mr_module *module, mr_str text) {
  uint32_t count;
  const mr_str *names;
  return mr_sharding_parse_names(module, text, &count, &names);
}

// The mesh itself is the text.
static mr_status parse_mesh(mr_module *module, mr_str text) {
  mr_attr *meshes = mr_arena_new(&module->arena, mr_attr), *mesh = mr_arena_new(&module->arena, mr_attr);
  const mr_mesh *found;
  if (!meshes || !mesh) {
    return MR_NO_MEMORY();
  }
  *mesh = (mr_attr){.name = MR_STR("mesh"), .kind = MR_ATTR_TEXT, .string = text};
  *meshes = (mr_attr){.name = MR_STR("meshes"), .kind = MR_ATTR_DICT};
  meshes->items = mesh;
  meshes->count = 1;
  module->meshes = meshes;
  return mr_mesh_named(module, MR_STR("mesh"), &found);
}

static mr_status parse_tiles(mr_module *module, mr_str text) {
  mr_tile_sharding tiles;
  const mr_sharding *sharding;
  MR_TRY(mr_sharding_tiles_parse(&module->arena, text, &tiles));
  return mr_sharding_from_tiles(module, NULL, &tiles, 2, 8, &sharding);
}

static mr_status parse_rule(mr_module *module, mr_str text) {
  const mr_rule *rule;
  const mr_block *body = &mr_module_entry(module)->body;
  return mr_factors_parse(&module->arena, mr_op_operand(mr_block_terminator(body), 0)->def, text, &rule);
}

static const struct {
  parser parse;
  const char *text;
} samples[] = {
    {parse_sharding, "#sdy.sharding<@mesh, [{\"x\":(2)2, ?}p1, {\"y\"}], replicated={\"x\":(1)2}>"},
    {parse_sharding, "<@mesh, [{\"x\"}, {?}], unreduced={\"y\"}>"},
    {parse_sharding, "<mesh<[\"a\"=2, \"b\"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>, [{\"b\", \"a\"}, {}]>"},
    {parse_list, "#sdy.sharding_per_value<[<@mesh, [{\"x\"}]>, <@other, [{}, {\"q\"}]>]>"},
    {parse_names, "#sdy<manual_axes{\"x\", \"y\", \"one\"}>"},
    {parse_mesh, "<[\"x\"=4, \"y\"=2, \"one\"=1]>"},
    {parse_mesh, "<[\"q\"=2, \"r\"=2], device_ids=[3, 1, 2, 0]>"},
    {parse_mesh, "<[], device_ids=[3]>"},
    {parse_tiles, "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"},
    {parse_tiles, "{devices=[2,2,2]<=[2,4]T(1,0) last_tile_dims={unreduced}}"},
    {parse_tiles, "{devices=[2,4]0,4,1,5,2,6,3,7}"},
    {parse_tiles, "{maximal device=3}"},
    {parse_tiles, "{replicated}"},
    {parse_tiles, "{manual}"},
    {parse_rule,
     "#sdy.op_sharding_rule<([i, jk])->([i, jk]) {i=8, j=2, k=4} reduction={j} need_replication={k}, custom>"},
};

static mr_module *program(void) {
  return read_ok("sdy.mesh @mesh = <[\"x\"=4, \"y\"=2, \"one\"=1]>\n"
                 "sdy.mesh @other = <[\"q\"=2, \"r\"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>\n"
                 "func.func public @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {\n"
                 "  %0 = stablehlo.sine %a : tensor<8x8xf32>\n  return %0 : tensor<8x8xf32>\n}\n");
}

// True when the text was taken.
static bool try_text(const mr_module *take_module, parser parse, const char *text, size_t size) {
  mr_module *module = (mr_module *)take_module;
  char *exact = malloc(size ? size : 1);  // so that a reader that goes on behind the end is seen
  assert_non_null(exact);
  memcpy(exact, text, size);
  mr_status status = parse(module, (mr_str){exact, size});
  bool taken = status == MR_OK;
  if (status) {
    mr_code code = mr_status_code(status);
    assert_true(code == MR_INVALID_ARGUMENT || code == MR_UNIMPLEMENTED);
    assert_true(strlen(mr_status_message(status)) > 8);
    mr_status_free(status);
  }
  mr_module_release(module);
  free(exact);
  return taken;
}

static void test_whole_texts(void **state) {
  (void)state;
  for (size_t i = 0; i < MR_ARRAY_SIZE(samples); i++) {
    mr_module *module = program();
    assert_ok(samples[i].parse(module, mr_str_of(samples[i].text)));
    mr_module_release(module);
  }
}

static void test_cut_short(void **state) {
  (void)state;
  for (size_t i = 0; i < MR_ARRAY_SIZE(samples); i++) {
    for (size_t size = 0; size < strlen(samples[i].text); size++) {
      if (try_text(program(), samples[i].parse, samples[i].text, size)) {
        fail_msg("taken: %.*s", (int)size, samples[i].text);
      }
    }
  }
}

static void test_other_characters(void **state) {
  (void)state;
  static const char others[] = "<>[]{}(),=:?@\"x09-T ";
  for (size_t i = 0; i < MR_ARRAY_SIZE(samples); i++) {
    char text[256];
    size_t size = strlen(samples[i].text);
    for (size_t at = 0; at < size; at++) {
      memcpy(text, samples[i].text, at);
      memcpy(text + at, samples[i].text + at + 1, size - at - 1);
      (void)try_text(program(), samples[i].parse, text, size - 1);
      memcpy(text, samples[i].text, size);
      for (size_t k = 0; k < sizeof others - 1; k++) {
        text[at] = others[k];
        (void)try_text(program(), samples[i].parse, text, size);
      }
    }
  }
}

// Each allocation fails once.
static void test_no_memory(void **state) {
  (void)state;
  for (size_t i = 0; i < MR_ARRAY_SIZE(samples); i++) {
    mr_status status = MR_OK;
    int n = 0;
    do {
      mr_module *module = program();
      mr_alloc_fail_nth(++n);
      status = samples[i].parse(module, mr_str_of(samples[i].text));
      bool failed = status || module->out_of_memory;
      mr_alloc_fail_nth(0);
      if (status) {
        assert_int_equal(mr_status_code(status), MR_RESOURCE_EXHAUSTED);
      }
      mr_status_free(status);
      mr_module_release(module);
      status = failed ? (mr_status)1 : MR_OK;
    } while (status && n < 1000);
    assert_true(n < 1000);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_whole_texts),
      cmocka_unit_test(test_cut_short),
      cmocka_unit_test(test_other_characters),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
