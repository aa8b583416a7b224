// pjrt/proto/options.c: compile options as JAX sends them.
#include <string.h>

#include "pjrt/proto/options.h"
#include "pjrt/proto/sharding.h"
#include "tests/alloc_loop.h"
#include "tests/cmocka.h"
#include "tests/wire.h"

// executable_build_options {device_ordinal -1, debug_options {a field that is not declared}, 1 replica, 4 partitions, assignment
// 1x4 = 3,2,1,0, outputs [1]}, env_option_overrides {"a": true, "b": "xy", "c": 7, "d": 0.5}.
static const unsigned char jax_bytes[] = {
    0x1A, 0x2D,                                                        // 3: build options, 45 bytes
    0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01,  // 1: -1
    0x1A, 0x02, 0x08, 0x01,                                            // 3: {1: 1}
    0x20, 0x01, 0x28, 0x04,                                            // 4: 1, 5: 4
    0x4A, 0x14, 0x08, 0x01, 0x10, 0x04,                                // 9: {1: 1, 2: 4,
    0x1A, 0x02, 0x08, 0x03, 0x1A, 0x02, 0x08, 0x02,                    //   3: {1: 3}, 3: {1: 2}
    0x1A, 0x02, 0x08, 0x01, 0x1A, 0x02, 0x08, 0x00,                    //   3: {1: 1}, 3: {1: 0}}
    0x60, 0x01, 0x30, 0x01,                                            // 12: 1, 6: 1
    0x3A, 0x07, 0x0A, 0x01, 'a',  0x12, 0x02, 0x10, 0x01,              // 7: {"a", {2: true}}
    0x3A, 0x09, 0x0A, 0x01, 'b',  0x12, 0x04, 0x0A, 0x02, 'x',  'y',   // 7: {"b", {1: "xy"}}
    0x3A, 0x07, 0x0A, 0x01, 'c',  0x12, 0x02, 0x18, 0x07,              // 7: {"c", {3: 7}}
    0x3A, 0x0E, 0x0A, 0x01, 'd',  0x12, 0x09, 0x21, 0,    0,    0,    0, 0, 0, 0xE0, 0x3F,  // 7: {"d", {4: 0.5}}
};

// What JAX sends comes out typed, with the assignment turned to replica-major order.
static void test_parses_what_jax_sends(void **state) {
  (void)state;
  mr_pjrt_options options;
  assert_null(mr_pjrt_options_parse(jax_bytes, sizeof jax_bytes, &options));
  assert_int_equal(options.device_ordinal, -1);
  assert_int_equal(options.replicas, 1);
  assert_int_equal(options.partitions, 4);
  for (int64_t i = 0; i < 4; i++) {
    assert_int_equal(options.device_ids[i], 3 - i);
  }
  assert_true(options.allow_excess_precision);
  assert_int_equal(options.override_count, 4);
  assert_true(mr_str_is(options.overrides[0].key, "a"));
  assert_int_equal(options.overrides[0].type, MR_OVERRIDE_BOOL);
  assert_true(options.overrides[0].boolean);
  assert_int_equal(options.overrides[1].type, MR_OVERRIDE_STRING);
  assert_true(mr_str_is(options.overrides[1].string, "xy"));
  assert_int_equal(options.overrides[2].type, MR_OVERRIDE_INT);
  assert_int_equal(options.overrides[2].integer, 7);
  assert_int_equal(options.overrides[3].type, MR_OVERRIDE_DOUBLE);
  assert_true(options.overrides[3].real == 0.5);
  mr_pjrt_options_deinit(&options);
}

// No options at all mean one replica, one partition, no assignment.
static void test_empty_options_are_the_defaults(void **state) {
  (void)state;
  mr_pjrt_options options;
  assert_null(mr_pjrt_options_parse(NULL, 0, &options));
  assert_int_equal(options.replicas, 1);
  assert_int_equal(options.partitions, 1);
  assert_int_equal(options.device_ordinal, -1);
  assert_null(options.device_ids);
  mr_pjrt_options_deinit(&options);
}

static void assert_refused(const unsigned char *bytes, size_t size, const char *reason) {
  mr_pjrt_options options;
  mr_status status = mr_pjrt_options_parse(bytes, size, &options);
  assert_non_null(status);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  assert_non_null(strstr(mr_status_message(status), reason));
  mr_status_free(status);
}

// Bytes that end early, too many devices and an assignment of another size are refused.
static void test_wrong_options_are_refused(void **state) {
  (void)state;
  assert_refused(jax_bytes, 20, "compile options: 20 bytes that are not a serialized one");
  static const unsigned char many[] = {0x1A, 0x08, 0x20, 0xFF, 0xFF, 0x03, 0x28, 0xFF, 0xFF, 0x03};
  assert_refused(many, sizeof many, "65535 replicas times 65535 partitions");
  static const unsigned char mismatch[] = {0x1A, 0x08, 0x28, 0x02, 0x4A, 0x04, 0x1A, 0x02, 0x08, 0x00};
  assert_refused(mismatch, sizeof mismatch, "device assignment has 1 computations, wanted 2 partitions");
}

// An assignment that is written reads back as it was.
static void test_assignment_round_trip(void **state) {
  (void)state;
  const int64_t ids[] = {5, 4, 3, 2, 1, 0};
  char *bytes;
  size_t size;
  assert_null(mr_pjrt_assignment_serialize(ids, 2, 3, &bytes, &size));
  unsigned char options_bytes[64] = {0x1A, (unsigned char)(size + 6), 0x20, 2, 0x28, 3, 0x4A, (unsigned char)size};
  assert_in_range(size, 1, 50);
  memcpy(options_bytes + 8, bytes, size);
  mr_pjrt_options options;
  assert_null(mr_pjrt_options_parse(options_bytes, size + 8, &options));
  assert_memory_equal(options.device_ids, ids, sizeof ids);
  mr_pjrt_options_deinit(&options);
  mr_free(bytes);
}

static void assert_bytes(const mr_tile_sharding *tiles, const unsigned char *wanted, size_t wanted_size) {
  char *bytes;
  size_t size;
  assert_null(mr_pjrt_sharding_pack(tiles, &bytes, &size));
  assert_int_equal(size, wanted_size);
  assert_memory_equal(bytes, wanted, wanted_size);
  mr_arena arena;
  mr_arena_init(&arena, 0);
  mr_tile_sharding again;
  assert_null(mr_pjrt_sharding_unpack((mr_span){bytes, size}, 1, &arena, &again));
  mr_free(bytes);
  assert_null(mr_pjrt_sharding_pack(&again, &bytes, &size));
  assert_int_equal(size, wanted_size);
  assert_memory_equal(bytes, wanted, wanted_size);
  mr_free(bytes);
  mr_arena_deinit(&arena);
}

// A replicated sharding has no bytes; a tiled one names its tiles, and its devices as a list or as an iota. These bytes are XLA's.
// Read and written again they are the same.
static void test_sharding_bytes(void **state) {
  (void)state;
  assert_bytes(NULL, (const unsigned char *)"", 0);
  static const int64_t two[] = {2, 1}, devices[] = {0, 1}, grid[] = {2, 1, 4}, reshape[] = {4, 2};
  static const int32_t turned[] = {1, 0};
  static const uint8_t unreduced[] = {MR_TILE_LAST_UNREDUCED};
  mr_tile_sharding tiles = {
      .kind = MR_TILE_OTHER, .tile_rank = 2, .tile_dims = two, .devices = devices, .num_devices = 2};
  assert_bytes(&tiles, (const unsigned char[]){0x08, 0x03, 0x1A, 0x02, 0x02, 0x01, 0x22, 0x02, 0x00, 0x01}, 10);
  tiles = (mr_tile_sharding){.kind = MR_TILE_OTHER,
                             .tile_rank = 3,
                             .tile_dims = grid,
                             .reshape_rank = 2,
                             .reshape_dims = reshape,
                             .transpose = turned,
                             .replicate_on_last = true};
  static const unsigned char turned_bytes[] = {0x08, 0x03, 0x1A, 0x03, 0x02, 0x01, 0x04, 0x30, 0x01,
                                               0x4A, 0x02, 0x04, 0x02, 0x52, 0x02, 0x01, 0x00};
  assert_bytes(&tiles, turned_bytes, sizeof turned_bytes);
  tiles.replicate_on_last = false;
  tiles.num_last = 1;
  tiles.last_tile_dims = unreduced;
  static const unsigned char unreduced_bytes[] = {0x08, 0x03, 0x1A, 0x03, 0x02, 0x01, 0x04, 0x42, 0x01,
                                                  0x06, 0x4A, 0x02, 0x04, 0x02, 0x52, 0x02, 0x01, 0x00};
  assert_bytes(&tiles, unreduced_bytes, sizeof unreduced_bytes);
  tiles = (mr_tile_sharding){.kind = MR_TILE_MAXIMAL, .devices = devices, .num_devices = 1};
  assert_bytes(&tiles, (const unsigned char[]){0x08, 0x01, 0x22, 0x01, 0x00}, 5);
}

static void assert_no_sharding(const unsigned char *bytes, size_t size, size_t count, const char *reason) {
  mr_arena arena;
  mr_arena_init(&arena, 0);
  mr_tile_sharding tiles[2];
  mr_status status = mr_pjrt_sharding_unpack((mr_span){bytes, size}, count, &arena, tiles);
  assert_non_null(status);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  assert_non_null(strstr(mr_status_message(status), reason));
  mr_status_free(status);
  mr_arena_deinit(&arena);
}

// A tuple has as many shardings as it has arrays; tiles without devices, and devices that are transposed by no permutation, are refused.
static void test_shardings_of_others(void **state) {
  (void)state;
  const mr_tile_sharding replicated = {0}, *both[] = {&replicated, NULL};
  char *bytes;
  size_t size;
  assert_null(mr_pjrt_sharding_pack_tuple(both, 2, &bytes, &size));
  assert_int_equal(size, 6);
  assert_memory_equal(bytes, ((const unsigned char[]){0x08, 0x02, 0x2A, 0x00, 0x2A, 0x00}), 6);
  assert_no_sharding((const unsigned char *)bytes, size, 1, "a tuple of 2 shardings, wanted 1");
  mr_free(bytes);
  assert_no_sharding((const unsigned char[]){0x08, 0x03, 0x1A, 0x01, 0x02}, 5, 1, "2 tiles over 0 devices");
  assert_no_sharding((const unsigned char[]){0x08, 0x03, 0x1A, 0x01, 0x00}, 5, 1, "0 tiles in dimension 0");
  static const unsigned char twice[] = {0x08, 0x03, 0x1A, 0x01, 0x04, 0x4A, 0x02, 0x02, 0x02, 0x52, 0x02, 0x01, 0x01};
  assert_no_sharding(twice, sizeof twice, 1, "transposed by 1 at 1");
  static const unsigned char none_of_them[] = {0x08, 0x03, 0x1A, 0x01, 0x04, 0x4A, 0x01, 0x00, 0x52, 0x01, 0x00};
  assert_no_sharding(none_of_them, sizeof none_of_them, 1, "sharding over 0 devices in dimension 0");
  static const unsigned char more_trailing[] = {0x08, 0x03, 0x1A, 0x01, 0x01, 0x22, 0x01, 0x00, 0x42, 0x02, 0x00, 0x00};
  assert_no_sharding(more_trailing, sizeof more_trailing, 1, "2 trailing of 1 dimensions");
  static const unsigned char odd_trailing[] = {0x08, 0x03, 0x1A, 0x01, 0x01, 0x22, 0x01, 0x00, 0x42, 0x01, 0x03};
  assert_no_sharding(odd_trailing, sizeof odd_trailing, 1, "trailing dimension 0 is of type 3");
  static const unsigned char two_devices[] = {0x08, 0x01, 0x22, 0x02, 0x00, 0x01};
  assert_no_sharding(two_devices, sizeof two_devices, 1, "maximal sharding on 2 devices");
  assert_no_sharding((const unsigned char[]){0x08, 0x05}, 2, 1, "sharding of type 5");
  assert_no_sharding((const unsigned char[]){0x08, 0x01}, 2, 2, "one sharding, wanted a tuple of 2");
}

// More trailing dimensions than anything has are not written.
static void test_sharding_that_is_none(void **state) {
  (void)state;
  const mr_tile_sharding tiles = {.kind = MR_TILE_OTHER, .num_last = MR_MAX_RANK + 1};
  char *bytes;
  size_t size;
  mr_status status = mr_pjrt_sharding_pack(&tiles, &bytes, &size);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  assert_non_null(strstr(mr_status_message(status), "33 trailing dimensions, wanted at most 32"));
  assert_null(bytes);
  mr_status_free(status);
  status = mr_pjrt_sharding_pack_tuple(&(const mr_tile_sharding *){&tiles}, 1, &bytes, &size);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  assert_null(bytes);
  mr_status_free(status);
}

static void assert_override(const char *key, mr_pjrt_override value, const char *reason) {
  value.key = mr_str_of(key);
  const mr_pjrt_options options = {.overrides = &value, .override_count = 1};
  mr_status status = mr_pjrt_options_check(&options);
  if (reason == NULL) {
    assert_null(status);
    return;
  }
  assert_non_null(status);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  assert_non_null(strstr(mr_status_message(status), reason));
  mr_status_free(status);
}

// A name that XLA does not know is an error, and so is a value that the option cannot have: as on XLA:CPU, where each of these was
// tried, in its words.
static void test_overrides_by_name_and_kind(void **state) {
  (void)state;
  const mr_pjrt_override yes = {.type = MR_OVERRIDE_BOOL, .boolean = true};
  const mr_pjrt_override seven = {.type = MR_OVERRIDE_INT, .integer = 7};
  const mr_pjrt_override huge = {.type = MR_OVERRIDE_INT, .integer = INT64_C(1) << 40};
  const mr_pjrt_override half = {.type = MR_OVERRIDE_DOUBLE, .real = 0.5};
  assert_override("xla_cpu_enable_fast_math", yes, NULL);
  assert_override("xla_cpu_enable_fast_math", seven,
                  "While setting option xla_cpu_enable_fast_math, '7' is not a valid bool value.");
  assert_override("xla_backend_optimization_level", seven, NULL);
  assert_override("xla_backend_optimization_level", huge, "'1099511627776' is not a valid int32 value");
  assert_override("xla_backend_optimization_level", half, "'0.5' is not a valid int32 value");
  assert_override("xla_backend_optimization_level", yes, "'1' is not a valid int32 value");
  assert_override("xla_debug_buffer_assignment_show_max", huge, NULL);
  assert_override("xla_gpu_auto_spmd_partitioning_memory_budget_ratio", half, NULL);
  assert_override("xla_gpu_auto_spmd_partitioning_memory_budget_ratio", seven, "'7' is not a valid float value");
  assert_override("xla_dump_to", seven, "'7' is not a valid string value");
  assert_override("xla_disable_hlo_passes", seven, "'7' is not a valid string value");
  assert_override("xla_step_marker_location", seven, NULL);
  assert_override("xla_step_marker_location", yes, "'1' is not a valid enum value");
  assert_override("xla_cpu_experimental_onednn_fusion_type", huge, NULL);
  assert_override("xla_backend_extra_options", seven, "'7' is not a valid message value");
  assert_override("xla_no_such_thing", yes, "No such compile option: 'xla_no_such_thing'");
  assert_override("exec_time_optimization_effort", half, "No such compile option");  // a field of its own
}

// Likewise of values that are given as text.
static void test_overrides_by_text(void **state) {
  (void)state;
  static const struct {
    const char *name, *text;
    bool fits;
  } cases[] = {
      {"xla_cpu_enable_fast_math", "True", true},
      {"xla_cpu_enable_fast_math", "False", true},
      {"xla_cpu_enable_fast_math", "true", false},
      {"xla_cpu_enable_fast_math", "1", false},
      {"xla_backend_optimization_level", "-12", true},
      {"xla_backend_optimization_level", "2x", false},
      {"xla_backend_optimization_level", "99999999999", false},
      {"xla_debug_buffer_assignment_show_max", "99999999999", true},
      {"xla_debug_buffer_assignment_show_max", "99999999999999999999", false},
      {"xla_debug_buffer_assignment_show_max", "\t+5\n", true},
      {"xla_debug_buffer_assignment_show_max", "- 5", false},
      {"xla_debug_buffer_assignment_show_max", "", false},
      {"xla_gpu_auto_spmd_partitioning_memory_budget_ratio", " 0x1p3 ", true},
      {"xla_gpu_auto_spmd_partitioning_memory_budget_ratio", "1e999", true},
      {"xla_gpu_auto_spmd_partitioning_memory_budget_ratio", "1f", false},
      {"xla_gpu_auto_spmd_partitioning_memory_budget_ratio", "", false},
      {"xla_dump_to", "", true},
      {"xla_disable_hlo_passes", "a,b", true},
      {"xla_step_marker_location", "STEP_MARK_NONE", true},
      {"xla_step_marker_location", "step_mark_none", false},
      {"xla_step_marker_location", " 77", true},
      {"xla_step_marker_location", "", false},
      {"xla_cpu_experimental_onednn_fusion_type", "LIBRARY_FUSION_TYPE_DOT,1,LIBRARY_FUSION_TYPE_REDUCE", true},
      {"xla_cpu_experimental_onednn_fusion_type", "", true},
      {"xla_cpu_experimental_onednn_fusion_type", "LIBRARY_FUSION_TYPE_DOT,", false},
      {"xla_cpu_experimental_onednn_fusion_type", "LIBRARY_FUSION_TYPE_DOT, LIBRARY_FUSION_TYPE_REDUCE", false},
      {"xla_backend_extra_options", "a=b", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const mr_pjrt_override value = {.type = MR_OVERRIDE_STRING, .string = mr_str_of(cases[i].text)};
    assert_override(cases[i].name, value, cases[i].fits ? NULL : "is not a valid");
  }
}

// What XLA_FLAGS say comes in debug_options; an override is over it.
static void test_excess_precision(void **state) {
  (void)state;
  static const unsigned char exact[] = {0x1A, 0x05, 0x1A, 0x03, 0xD0, 0x07, 0x00};  // 3: {3: {122: false}}
  mr_pjrt_options options;
  assert_null(mr_pjrt_options_parse(exact, sizeof exact, &options));
  assert_false(options.allow_excess_precision);
  mr_pjrt_override on = {.key = MR_STR("xla_allow_excess_precision"), .type = MR_OVERRIDE_BOOL, .boolean = true};
  options.overrides = &on;
  options.override_count = 1;
  assert_true(mr_pjrt_options_flag(&options, "xla_allow_excess_precision", options.allow_excess_precision));
  on = (mr_pjrt_override){.key = on.key, .type = MR_OVERRIDE_STRING, .string = MR_STR("False")};
  assert_false(mr_pjrt_options_flag(&options, "xla_allow_excess_precision", true));
  mr_pjrt_options_deinit(&options);
}

// Where dumps go, and in which form.
static void test_dumps(void **state) {
  (void)state;
  // 3: {3: {113: true, 112: false, 109: "d"}}
  static const unsigned char protos[] = {0x1A, 0x0C, 0x1A, 0x0A, 0x88, 0x07, 0x01,
                                         0x80, 0x07, 0x00, 0xEA, 0x06, 0x01, 'd'};
  static const unsigned char texts[] = {0x1A, 0x05, 0x1A, 0x03, 0x80, 0x07, 0x01};  // 3: {3: {112: true}}
  mr_pjrt_options options;
  assert_null(mr_pjrt_options_parse(protos, sizeof protos, &options));
  assert_true(options.dump_proto && !options.dump_text && mr_str_is(options.dump_to, "d"));
  mr_pjrt_options_deinit(&options);
  assert_null(mr_pjrt_options_parse(texts, sizeof texts, &options));
  assert_true(options.dump_text && !options.dump_proto && options.dump_to.size == 0);
  mr_pjrt_options_deinit(&options);
}

static const unsigned char layout_bytes[] = {
    0x0A, 0x0C, 0x10, 0x0B, 0x1A, 0x02, 2,    3,    0x2A, 0x04, 0x0A, 0x02, 0,    1,           // 1: f32[2,3]{0,1}
    0x0A, 0x04, 0x10, 0x0B, 0x1A, 0x00,                                                        // 1: f32[]
    0x1A, 0x0E, 0x12, 0x0C, 0x10, 0x0B, 0x1A, 0x02, 3,    2,    0x2A, 0x04, 0x0A, 0x02, 1, 0,  // 3: {2: f32[3,2]{1,0}}
};

// Layouts of arguments one by one or as a tuple; of the result; a shape without one leaves the choice.
static void test_layouts(void **state) {
  (void)state;
  mr_pjrt_options options;
  assert_null(mr_pjrt_options_parse(layout_bytes, sizeof layout_bytes, &options));
  assert_int_equal(options.argument_layouts.count, 2);
  assert_true(mr_str_is(mr_pjrt_layout_text(options.argument_layouts.layouts[0]), "{0,1}"));
  assert_null(options.argument_layouts.layouts[1]);
  assert_int_equal(options.result_layouts.count, 1);
  assert_true(mr_str_is(mr_pjrt_layout_text(options.result_layouts.layouts[0]), "{1,0}"));
  mr_pjrt_options_deinit(&options);
  static const unsigned char tuple[] = {0x0A, 0x10, 0x10, 0x0D, 0x22, 0x0C, 0x10, 0x0B, 0x1A,
                                        0x02, 2,    3,    0x2A, 0x04, 0x0A, 0x02, 0,    1};  // 1: (f32[2,3]{0,1})
  assert_null(mr_pjrt_options_parse(tuple, sizeof tuple, &options));
  assert_int_equal(options.argument_layouts.count, 1);
  assert_true(mr_str_is(mr_pjrt_layout_text(options.argument_layouts.layouts[0]), "{0,1}"));
  mr_pjrt_options_deinit(&options);
  static const unsigned char short_order[] = {0x0A, 0x0B, 0x10, 0x0B, 0x1A, 0x02, 2, 3, 0x2A, 0x03, 0x0A, 0x01, 0};
  assert_refused(short_order, sizeof short_order, "a layout of 1 dimensions for a shape of 2");
  static const unsigned char slices[] = {0x32, 0x01, 'x'};
  mr_status status = mr_pjrt_options_parse(slices, sizeof slices, &options);
  assert_int_equal(mr_status_code(status), MR_UNIMPLEMENTED);
  mr_status_free(status);
}

static void look(void *context, mr_span damaged) {
  (void)context;
  mr_pjrt_options options;
  mr_status status = mr_pjrt_options_parse(damaged.data, damaged.size, &options);
  mr_code code = mr_status_code(status);
  if (status && ((code != MR_INVALID_ARGUMENT && code != MR_UNIMPLEMENTED) ||
                 (!strstr(mr_status_message(status), "layout") && !strstr(mr_status_message(status), "option")))) {
    fail_msg("%s: %s", mr_status_code_name(code), mr_status_message(status));
  }
  if (!status) {
    mr_pjrt_options_deinit(&options);
  }
  mr_status_free(status);
}

// Each field wrong once: a status that says it was the options, or others that are right.
static void test_damaged_options(void **state) {
  (void)state;
  wire_damage((mr_span){jax_bytes, sizeof jax_bytes}, look, NULL);
  wire_damage((mr_span){layout_bytes, sizeof layout_bytes}, look, NULL);
}

// The same by their words.
static void test_wrong_fields(void **state) {
  (void)state;
  static const unsigned char devices[] = {0x1A, 0x0A, 0x20, 0x02, 0x28, 0x01, 0x4A, 0x04, 0x1A, 0x02, 0x08, 0x00};
  assert_refused(devices, sizeof devices, "partition 0 has 1 devices, wanted 2 replicas");
  static const unsigned char valueless[] = {0x3A, 0x03, 0x0A, 0x01, 'a'};
  assert_refused(valueless, sizeof valueless, "override 'a' has no value");
}

static mr_status parse(void *context) {
  const mr_span *bytes = context;
  mr_pjrt_options options;
  MR_TRY(mr_pjrt_options_parse(bytes->data, bytes->size, &options));
  mr_pjrt_options_deinit(&options);
  return MR_OK;
}

static void test_without_memory(void **state) {
  (void)state;
  alloc_loop("options", parse, &(mr_span){jax_bytes, sizeof jax_bytes}, 200000);
  alloc_loop("layouts", parse, &(mr_span){layout_bytes, sizeof layout_bytes}, 200000);
  alloc_loops_ended_well();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_parses_what_jax_sends),
      cmocka_unit_test(test_empty_options_are_the_defaults),
      cmocka_unit_test(test_wrong_options_are_refused),
      cmocka_unit_test(test_assignment_round_trip),
      cmocka_unit_test(test_sharding_bytes),
      cmocka_unit_test(test_shardings_of_others),
      cmocka_unit_test(test_sharding_that_is_none),
      cmocka_unit_test(test_overrides_by_name_and_kind),
      cmocka_unit_test(test_overrides_by_text),
      cmocka_unit_test(test_excess_precision),
      cmocka_unit_test(test_dumps),
      cmocka_unit_test(test_layouts),
      cmocka_unit_test(test_damaged_options),
      cmocka_unit_test(test_wrong_fields),
      cmocka_unit_test(test_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
