// What only HLO can say, computed: the programs of hlo_only, whose numbers are worked out by hand here.
#include <math.h>

#include "compiler/reader/reader.h"
#include "tests/compiler/execute_harness.h"

enum { MOST_BYTES = 8192 };

static mr_span bytes_of(const char *name, char bytes[MOST_BYTES]) {
  char path[200];
  snprintf(path, sizeof path, "tests/compiler/hlo_only/%s.pb", name);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  size_t size = fread(bytes, 1, MOST_BYTES, file);
  fclose(file);
  assert_true(size > 50 && size < MOST_BYTES);
  return (mr_span){bytes, size};
}

// Reads and verifies; the caller compiles.
static mr_module *read_hlo_only(const char *name) {
  char bytes[MOST_BYTES];
  mr_module *module = NULL;
  expect_ok(mr_read_hlo(bytes_of(name, bytes), false, &module));
  expect_ok(mr_module_verify(module));
  return module;
}

static mr_status compile_hlo_only(const char *name, mr_executable **out_executable) {
  char bytes[MOST_BYTES];
  return mr_compile(bytes_of(name, bytes), &(mr_compile_options){.format = MR_PROGRAM_HLO}, out_executable);
}

static mr_buffer *array(mr_dtype dtype, const void *data, size_t rank, const int64_t *dims) {
  mr_buffer *buffer = NULL;
  const mr_host_array host = {.data = data, .dtype = dtype, .dims = dims, .rank = rank};
  expect_ok(mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &buffer));
  return buffer;
}

static void expect_bytes(mr_buffer *take_buffer, const void *wanted, size_t bytes) {
  char got[128];
  mr_future *done = NULL;
  assert_true(bytes <= sizeof got);
  assert_int_equal(mr_buffer_bytes(take_buffer), bytes);
  expect_ok(mr_buffer_to_host(take_buffer, got, NULL, &done));
  wait_for(done);
  assert_memory_equal(got, wanted, bytes);
  mr_buffer_release(take_buffer);
}

// The smallest two of a row and their places, in order; of equals the first. A negative NaN is below everything in the
// total order, a positive one above.
static void test_smallest(void **state) {
  (void)state;
  const float x[10] = {3, -1, 2, -1, 5, NAN, 4, copysignf(NAN, -1), 9, -INFINITY};
  mr_executable *executable = NULL;
  mr_buffer *argument = array(MR_F32, x, 2, (const int64_t[]){2, 5}), *results[2];
  expect_ok(compile_hlo_only("smallest", &executable));
  run(executable, &argument, 1, results);
  expect_bytes(results[0], (const float[]){-1, -1, x[7], -INFINITY}, 16);
  expect_bytes(results[1], (const int32_t[]){1, 3, 2, 4}, 16);
  mr_buffer_release(argument);
  mr_executable_release(executable);
}

// Each run gets the counter as it was and adds 3; another executable counts for itself.
static void test_rng_counter(void **state) {
  (void)state;
  for (int round = 0; round < 2; round++) {
    mr_executable *executable = NULL;
    expect_ok(compile_hlo_only("rng_counter", &executable));
    for (uint64_t i = 0; i < 3; i++) {
      mr_buffer *result;
      run(executable, NULL, 0, &result);
      expect_bytes(result, (const uint64_t[]){0x7012395 + 3 * i, 0}, 16);
    }
    mr_executable_release(executable);
  }
}

// A loop whose state is a constant tuple, and both kinds of branches.
static void test_control(void **state) {
  (void)state;
  mr_executable *executable = NULL;
  expect_ok(compile_hlo_only("control", &executable));
  for (int32_t k = 0; k < 2; k++) {
    mr_buffer *arguments[] = {floats((float[]){1, 2}, 2), scalar_int(k)}, *result;
    run(executable, arguments, 2, &result);
    expect_floats(result, k ? (float[]){-1, -2} : (float[]){8, 12}, 2);
    mr_buffer_release(result);
    release_all(arguments, 2);
  }
  mr_executable_release(executable);
}

static void expect_says(const char *name, const char *const *words, size_t count) {
  mr_text text = {0};
  mr_module *module = read_hlo_only(name);
  mr_module_print(module, &text);
  mr_text_put(&text, "%c", 0);
  for (size_t i = 0; i < count; i++) {
    if (!strstr(text.data, words[i])) {
      fail_msg("%s does not say %s:\n%s", name, words[i], text.data);
    }
  }
  mr_text_deinit(&text);
  mr_module_release(module);
}

// What calls say beside their operands; and windows, groups and slices.
static void test_calls_and_windows(void **state) {
  (void)state;
  static const char alias[] =
      "output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, "
      "operand_tuple_indices = []>]";
  static const char *const calls[] = {"stablehlo.composite",
                                      "my.twice",
                                      "n = 3 : i64",
                                      "version = 1 : i32",
                                      alias,
                                      "call_target_name = \"g\"",
                                      "called_computations = [@twice]",
                                      "k = \"v\"",
                                      "call_target_name = \"h\"",
                                      "operand_layouts = [dense<",
                                      "result_layouts = [dense<"};
  static const char *const windows[] = {"stablehlo.dynamic_slice", "stablehlo.reduce_window",
                                        "stablehlo.select_and_scatter", "stablehlo.convolution",
                                        "replica_groups = dense<"};
  expect_says("calls", calls, MR_ARRAY_SIZE(calls));
  expect_says("windows", windows, MR_ARRAY_SIZE(windows));
}

// A composite's version is a number.
static void test_composite_version(void **state) {
  (void)state;
  char bytes[MOST_BYTES];
  mr_span program = bytes_of("calls", bytes);
  char *version = memmem(bytes, program.size,
                         "composite.version\x12\x01"
                         "1",
                         20);
  assert_non_null(version);
  version[19] = 'x';
  mr_module *module;
  mr_status status = mr_read_hlo(program, false, &module);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  assert_non_null(strstr(mr_status_message(status), "composite.version is \"x\", wanted a number of 32 bits"));
  mr_status_free(status);
}

// A fraction rounds away from zero when the random word lies below it; the ends of the type hold, NaN is zero.
static void test_stochastic_convert(void **state) {
  (void)state;
  const float x[8] = {2.25f, 2.25f, -2.25f, -2.25f, 300, -300, NAN, 5};
  const uint32_t r[8] = {0x3fffffff, 0x40000000, 0x3fffffff, 0x40000000, 0, 0, 0, 0};
  mr_executable *executable = NULL;
  const int64_t dims[] = {8};
  mr_buffer *arguments[] = {array(MR_F32, x, 1, dims), array(MR_U32, r, 1, dims)}, *result;
  expect_ok(compile_hlo_only("stochastic", &executable));
  run(executable, arguments, 2, &result);
  expect_bytes(result, (const int8_t[]){3, 2, -3, -2, 127, -128, 0, 5}, 8);
  release_all(arguments, 2);
  mr_executable_release(executable);
}

// Sizes that constants add up to are known once those are folded.
static void test_dynamic_reshape(void **state) {
  (void)state;
  mr_executable *executable = NULL;
  mr_buffer *argument = floats((const float[]){1, 2, 3, 4, 5, 6}, 6), *result;
  expect_ok(compile_hlo_only("dynamic_reshape", &executable));
  run(executable, &argument, 1, &result);
  expect_floats(result, (const float[]){2, 8, 4, 10, 6, 12}, 6);
  mr_buffer_release(result);
  mr_buffer_release(argument);
  mr_executable_release(executable);
}

// From the last row to the first, each minus what was carried.
static void test_scan(void **state) {
  (void)state;
  mr_executable *executable = NULL;
  const float x[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  mr_buffer *arguments[] = {array(MR_F32, x, 2, (const int64_t[]){5, 2}), floats((const float[]){1, -1}, 2)};
  mr_buffer *results[2];
  float wanted[10], carry[2] = {1, -1};
  for (int row = 4; row >= 0; row--) {
    for (int i = 0; i < 2; i++) {
      wanted[2 * row + i] = carry[i] = x[2 * row + i] - carry[i];
    }
  }
  expect_ok(compile_hlo_only("scan", &executable));
  run(executable, arguments, 2, results);
  expect_floats(results[0], wanted, 10);
  expect_floats(results[1], carry, 2);
  release_all(results, 2);
  release_all(arguments, 2);
  mr_executable_release(executable);
}

// Bytes stay where they lie while elements become narrower or wider: here columns one after the other.
static void test_bitcasts(void **state) {
  (void)state;
  mr_executable *executable = NULL;
  const float x[4] = {1, 2, 3, 4}, columns[4] = {1, 3, 2, 4};
  mr_buffer *argument = array(MR_F32, x, 2, (const int64_t[]){2, 2}), *results[3];
  uint16_t lying[8], halves[8];
  memcpy(lying, columns, sizeof lying);
  for (int row = 0; row < 2; row++) {
    for (int column = 0; column < 4; column++) {
      halves[4 * row + column] = lying[2 * column + row];
    }
  }
  expect_ok(compile_hlo_only("bitcasts", &executable));
  run(executable, &argument, 1, results);
  expect_bytes(results[0], halves, sizeof halves);
  expect_bytes(results[1], columns, sizeof columns);
  expect_bytes(results[2], columns, sizeof columns);
  mr_buffer_release(argument);
  mr_executable_release(executable);
}

// Feeds are read as StableHLO's are, and answered as those: nothing in the API can feed them.
static void test_feeds(void **state) {
  (void)state;
  mr_text text = {0};
  mr_module *module = read_hlo_only("feeds");
  mr_module_print(module, &text);
  mr_module_release(module);
  mr_text_append(&text, MR_STR("\0"));
  assert_non_null(strstr(text.data, "infeed_config = \"in\""));
  assert_non_null(strstr(text.data, "outfeed_config = \"out\""));
  mr_text_deinit(&text);
  mr_executable *executable = NULL;
  mr_status status = compile_hlo_only("feeds", &executable);
  assert_int_equal(mr_status_code(status), MR_UNIMPLEMENTED);
  assert_non_null(strstr(mr_status_message(status), "feed is not implemented on millrace"));
  mr_status_free(status);
}

// Ops with attributes of their own, a few elements each: what is damaged and read without memory (test_reader_hlo_damage.c).
static void test_attributes(void **state) {
  (void)state;
  mr_text text = {0};
  mr_module *module = read_hlo_only("attributes");
  mr_module_print(module, &text);
  mr_module_release(module);
  mr_text_append(&text, MR_STR("\0"));
  static const char *const ops[] = {
      "cholesky", "triangular_solve", "batch_norm_training", "batch_norm_grad", "top_k", "sort",
      "map",      "custom_call",      "rng_bit_generator",   "all_gather"};
  for (size_t i = 0; i < MR_ARRAY_SIZE(ops); i++) {
    assert_non_null(strstr(text.data, ops[i]));
  }
  mr_text_deinit(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_smallest),
      cmocka_unit_test(test_rng_counter),
      cmocka_unit_test(test_control),
      cmocka_unit_test(test_calls_and_windows),
      cmocka_unit_test(test_composite_version),
      cmocka_unit_test(test_stochastic_convert),
      cmocka_unit_test(test_dynamic_reshape),
      cmocka_unit_test(test_scan),
      cmocka_unit_test(test_feeds),
      cmocka_unit_test(test_bitcasts),
      cmocka_unit_test(test_attributes),
  };
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
