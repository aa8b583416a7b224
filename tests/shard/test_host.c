// What a host is asked while a program is cut: to look at shardings, and to partition its own custom calls.
#include "compiler/shard/export.h"
#include "compiler/shard/propagate.h"
#include "compiler/shard/shard.h"
#include "tests/alloc_loop.h"
#include "tests/compiler/pass_text.h"

#define MESH "sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]>\n"
#define SHARDED "{sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}"

static mr_import *import_ok(mr_module *module) {
  mr_import *import;
  assert_ok(mr_import_run(module, 8, &import));
  assert_ok(mr_propagate(import));
  assert_ok(mr_export_run(import));
  return import;
}

typedef struct host_log {
  mr_arena arena;
  unsigned inspected, partitioned;
  const char *tiles, *program;
} host_log;

static void assert_tiles(const mr_tile_sharding *tiles, const char *wanted) {
  mr_text text = {0};
  mr_sharding_tiles_print(tiles, &text);
  mr_text_append(&text, (mr_str){"", 1});
  assert_false(text.failed);
  assert_string_equal(text.data, wanted);
  mr_text_deinit(&text);
}

static mr_status inspect(void *context, mr_str backend_config, const mr_tile_sharding *tiles) {
  host_log *log = context;
  assert_true(mr_str_is(backend_config, "two pointers"));
  assert_tiles(tiles, log->tiles);
  log->inspected++;
  return MR_OK;
}

static bool has_partitioner(void *context, mr_str target) {
  (void)context;
  return mr_str_is(target, "Mine");
}

// Wants the operand as it comes, and its result along the other axis.
static mr_status partition(void *context, const mr_shard_call *call, mr_arena *arena, mr_shard_answer *out) {
  host_log *log = context;
  assert_int_equal(call->num_operands, 1);
  assert_int_equal(call->operands[0].dims[0], 8);
  assert_tiles(call->operands[0].tiles, log->tiles);
  mr_tile_sharding *result = mr_arena_new(arena, mr_tile_sharding);
  assert_non_null(result);
  assert_ok(mr_sharding_tiles_parse(arena, MR_STR("{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}"), result));
  *out = (mr_shard_answer){call->operands[0].tiles, result, {log->program, strlen(log->program)}};
  log->partitioned++;
  return MR_OK;
}

// The host sees what propagation decided, once, and nothing of the call is left.
static void test_inspection(void **state) {
  (void)state;
  mr_module *module =
      read_ok(MESH "func.func public @main(%a: tensor<8x4xf32> " SHARDED ") -> tensor<8x4xf32> {\n"
                   "  %0 = stablehlo.negate %a : tensor<8x4xf32>\n"
                   "  %1 = stablehlo.custom_call @InspectSharding(%0) {backend_config = \"two pointers\", "
                   "has_side_effect = true} : (tensor<8x4xf32>) -> tensor<8x4xf32>\n"
                   "  return %0 : tensor<8x4xf32>\n}\n");
  host_log log = {.tiles = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"};
  mr_shard_host host = {.context = &log, .inspect = inspect};
  assert_ok(mr_export_inspect(import_ok(module), &host));
  assert_int_equal(log.inspected, 1);
  assert_int_equal(count_kind(module, MR_OP_custom_call), 0);
  assert_ok(mr_module_verify(module));
  mr_module_release(module);
}

static const char text_of_host[] =
    MESH "func.func public @main(%a: tensor<8x4xf32> " SHARDED ") -> tensor<8x4xf32> {\n"
         "  %0 = stablehlo.custom_call @Mine(%a) {backend_config = \"7\", sdy.sharding_rule = "
         "#sdy.op_sharding_rule<([i, j])->([k, j]) {i=8, j=4, k=8}, custom>} : (tensor<8x4xf32>) -> "
         "tensor<8x4xf32>\n  return %0 : tensor<8x4xf32>\n}\n";

static mr_module *program_of_host(void) { return read_ok(text_of_host); }

// The host's program takes the call's place, as a manual computation with the shardings that it names.
static void test_partitioner(void **state) {
  (void)state;
  mr_module *module = program_of_host();
  host_log log = {.tiles = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}",
                  .program = "func.func public @main(%a: tensor<2x4xf32>) -> tensor<4x4xf32> {\n"
                             "  %0 = call @twice(%a) : (tensor<2x4xf32>) -> tensor<4x4xf32>\n"
                             "  return %0 : tensor<4x4xf32>\n}\n"
                             "func.func private @twice(%a: tensor<2x4xf32>) -> tensor<4x4xf32> {\n"
                             "  %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> "
                             "tensor<4x4xf32>\n  return %0 : tensor<4x4xf32>\n}\n"};
  mr_shard_host host = {.context = &log, .has_partitioner = has_partitioner, .partition = partition};
  mr_import *import = import_ok(module);
  assert_ok(mr_export_customs(import, &host));
  assert_ok(mr_module_verify(module));
  assert_int_equal(log.partitioned, 1);
  assert_int_equal(count_kind(module, MR_OP_custom_call), 0);
  mr_op *manual = find_kind(module, MR_OP_sdy_manual_computation);
  assert_non_null(manual);
  assert_int_equal(manual->regions[0]->first->kind, MR_OP_concatenate);
  const mr_manual *said = mr_import_manual(import, manual);
  assert_non_null(said);
  assert_int_equal(said->axes.count, 2);
  assert_int_equal(mr_axis_list_size(said->in[0]->dims[0].axes), 4);
  assert_int_equal(mr_axis_list_size(said->out[0]->dims[0].axes), 2);
  assert_ptr_equal(manual->results[0].sharding, said->out[0]);
  mr_module_release(module);
}

// A program for other parts than the shardings say is refused.
static void test_partitioner_of_other_parts(void **state) {
  (void)state;
  mr_module *module = program_of_host();
  host_log log = {.tiles = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}",
                  .program = "func.func public @main(%a: tensor<2x4xf32>) -> tensor<2x4xf32> {\n"
                             "  return %a : tensor<2x4xf32>\n}\n"};
  mr_shard_host host = {.context = &log, .has_partitioner = has_partitioner, .partition = partition};
  mr_status status = mr_export_customs(import_ok(module), &host);
  assert_int_equal(mr_status_code(status), MR_UNIMPLEMENTED);
  mr_status_free(status);
  mr_module_release(module);
}

// A call of the host's that there is nothing to cut along, that has a token, or that stands where some axes are manual already, is refused
// by name, and the host is not asked.
static void test_calls_that_cannot_be_cut(void **state) {
  (void)state;
  static const struct {
    const char *text, *words;
  } cases[] = {
      {"func.func public @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {\n"
       "  %0 = stablehlo.custom_call @Mine(%a) : (tensor<8x4xf32>) -> tensor<8x4xf32>\n  return %0 : "
       "tensor<8x4xf32>\n}\n",
       "in a program without a mesh over its devices"},
      {MESH "func.func public @main(%a: tensor<8x4xf32> " SHARDED ", %t: !stablehlo.token) -> tensor<8x4xf32> {\n"
            "  %0 = stablehlo.custom_call @Mine(%a, %t) : (tensor<8x4xf32>, !stablehlo.token) -> tensor<8x4xf32>\n"
            "  return %0 : tensor<8x4xf32>\n}\n",
       "with a value that is no array"},
      {MESH "func.func public @main(%a: tensor<8x4xf32> " SHARDED ") -> tensor<8x4xf32> {\n"
            "  %0 = \"sdy.manual_computation\"(%a) ({\n  ^bb0(%b: tensor<2x4xf32>):\n"
            "    %c = stablehlo.custom_call @Mine(%b) : (tensor<2x4xf32>) -> tensor<2x4xf32>\n"
            "    \"sdy.return\"(%c) : (tensor<2x4xf32>) -> ()\n  }) {in_shardings = "
            "#sdy.sharding_per_value<[<@mesh, [{\"x\"}, {}]>]>, out_shardings = #sdy.sharding_per_value<[<@mesh, "
            "[{\"x\"}, {}]>]>, manual_axes = #sdy<manual_axes{\"x\"}>} : (tensor<8x4xf32>) -> tensor<8x4xf32>\n"
            "  return %0 : tensor<8x4xf32>\n}\n",
       "that the host partitions, in a manual computation over some of the axes"},
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    mr_module *module = read_ok(cases[i].text);
    host_log log = {0};
    mr_shard_host host = {.context = &log, .has_partitioner = has_partitioner, .partition = partition};
    mr_status status = mr_export_customs(import_ok(module), &host);
    if (mr_status_code(status) != MR_UNIMPLEMENTED || !strstr(mr_status_message(status), cases[i].words)) {
      fail_msg("%zu: %s", i, status ? mr_status_message(status) : "taken");
    }
    assert_int_equal(log.partitioned, 0);
    mr_status_free(status);
    mr_module_release(module);
  }
}

// ---- Memory -----------------------------------------------------------------------------------------------------------------

static mr_status answer(void *context, const mr_shard_call *call, mr_arena *arena, mr_shard_answer *out) {
  static const int64_t grid[] = {2, 1, 4}, reshape[] = {4, 2};
  static const int32_t turned[] = {1, 0};
  static const mr_tile_sharding result = {.kind = MR_TILE_OTHER,
                                          .tile_rank = 3,
                                          .tile_dims = grid,
                                          .reshape_rank = 2,
                                          .reshape_dims = reshape,
                                          .transpose = turned,
                                          .replicate_on_last = true};
  (void)arena;
  *out = (mr_shard_answer){call->operands[0].tiles, &result, {context, strlen(context)}};
  return MR_OK;
}

static mr_status cut(void *context) {
  mr_module *module = NULL;
  mr_shard_boundary boundary;
  MR_TRY(mr_read_text((mr_span){text_of_host, sizeof text_of_host - 1}, &module));
  module->num_partitions = 8;
  mr_shard_host host = {.context = context, .has_partitioner = has_partitioner, .partition = answer};
  mr_compile_options options = {.num_partitions = 8, .host = &host};
  mr_status status = mr_module_end(module, mr_shard_run(module, &options, &boundary));
  mr_module_release(module);
  return status;
}

// Memory that runs out while the host's program takes the call's place.
static void test_memory(void **state) {
  (void)state;
  static char program[] = "func.func @main(%a: tensor<2x4xf32>) -> tensor<4x4xf32> {\n"
                          "  %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> "
                          "tensor<4x4xf32>\n  return %0 : tensor<4x4xf32>\n}\n";
  alloc_loop("a program that its host partitions in part", cut, program, 50000);
  alloc_loops_ended_well();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_inspection),
      cmocka_unit_test(test_partitioner),
      cmocka_unit_test(test_calls_that_cannot_be_cut),
      cmocka_unit_test(test_partitioner_of_other_parts),
      cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
