// What a host is told about a program's cost, against what a run then uses.
#include <stdlib.h>
#include <string.h>

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host.h"

// Two products with a 1 MiB array between them, and a result of 512 KiB.
static const char chain[] =
    "func.func public @main(%x: tensor<256x512xf32>, %w: tensor<512x1024xf32>, %v: tensor<1024x512xf32>) -> "
    "tensor<256x512xf32> {\n"
    "  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<256x512xf32>, tensor<512x1024xf32>) "
    "-> "
    "tensor<256x1024xf32>\n"
    "  %t = stablehlo.tanh %a : tensor<256x1024xf32>\n"
    "  %b = stablehlo.dot_general %t, %v, contracting_dims = [1] x [0] : (tensor<256x1024xf32>, tensor<1024x512xf32>) "
    "-> "
    "tensor<256x512xf32>\n"
    "  return %b : tensor<256x512xf32>\n}\n";

static PJRT_Client *client;
static PJRT_Device *device;
static PJRT_LoadedExecutable *loaded;
static PJRT_Executable *executable;

static int setup(void **state) {
  (void)state;
  client = host_client_create(1);
  device = host_device(client, 0);
  loaded = host_compile(client, chain);
  executable = host_executable(loaded);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  host_executable_destroy(executable);
  host_loaded_destroy(loaded);
  host_client_destroy(client);
  return 0;
}

static PJRT_Device_MemoryStats_Args memory_now(void) {
  HOST_ARGS(stats, Device_MemoryStats, .device = device);
  HOST_OK(Device_MemoryStats, &stats);
  return stats;
}

static PJRT_Buffer *put_zeros(int64_t rows, int64_t columns) {
  float *zeros = calloc((size_t)(rows * columns), sizeof *zeros);
  PJRT_Buffer *buffer = host_put(client, device, zeros, (const int64_t[]){rows, columns}, 2);
  assert_int_equal(host_await_buffer(buffer, NULL), PJRT_Error_Code_OK);  // nothing else is held for it then
  free(zeros);
  return buffer;
}

// The peak of a run is what the statistics say: results and temporaries, arguments being there already. Blocks come in quarter
// steps between powers of two, so one may be up to a quarter larger than what it is asked for; these are within an eighth.
static void test_memory_statistics_match_a_run(void **state) {
  (void)state;
  HOST_ARGS(wanted, Executable_GetCompiledMemoryStats, .executable = executable);
  HOST_OK(Executable_GetCompiledMemoryStats, &wanted);
  int64_t before_arguments = memory_now().bytes_in_use;
  PJRT_Buffer *arguments[] = {put_zeros(256, 512), put_zeros(512, 1024), put_zeros(1024, 512)}, *result = NULL;
  int64_t before = memory_now().bytes_in_use;
  assert_in_range(before - before_arguments, wanted.argument_size_in_bytes, wanted.argument_size_in_bytes * 9 / 8);
  HOST_ARGS(clear, Device_ClearMemoryStats, .device = device);
  HOST_OK(Device_ClearMemoryStats, &clear);
  host_ok(host_execute(loaded, arguments, 3, &result), "Execute");
  assert_int_equal(host_await_buffer(result, NULL), PJRT_Error_Code_OK);
  PJRT_Device_MemoryStats_Args after = memory_now();
  int64_t run = wanted.output_size_in_bytes + wanted.temp_size_in_bytes;
  assert_true(wanted.temp_size_in_bytes >= 1 << 20);
  assert_in_range(after.peak_bytes_in_use - before, run, run * 9 / 8);
  assert_in_range(after.bytes_in_use - before, wanted.output_size_in_bytes, wanted.output_size_in_bytes * 9 / 8);
  assert_int_equal(wanted.total_allocation_bytes, wanted.argument_size_in_bytes + run);
  host_buffer_destroy(result);
  for (int i = 0; i < 3; i++) {
    host_buffer_destroy(arguments[i]);
  }
}

static float cost(const char *name) {
  HOST_ARGS(args, Executable_GetCostAnalysis, .executable = executable);
  HOST_OK(Executable_GetCostAnalysis, &args);
  for (size_t i = 0; i < args.num_properties; i++) {
    if (args.properties[i].name_size == strlen(name) && !memcmp(args.properties[i].name, name, strlen(name))) {
      assert_int_equal(args.properties[i].type, PJRT_NamedValue_kFloat);
      return args.properties[i].float_value;
    }
  }
  fail_msg("no cost '%s'", name);
  return 0;
}

// Operations are counted: two for each product, one for each element of the rest.
static void test_costs_are_counted(void **state) {
  (void)state;
  const float products = 2.f * 256 * 512 * 1024 * 2, bytes = 4.f * (256 * 512 + 512 * 1024 + 1024 * 512 + 256 * 512);
  assert_true(cost("flops") >= products && cost("flops") <= products + 256 * 1024);
  assert_true(cost("transcendentals") == 256 * 1024);
  assert_true(cost("bytes accessed") >= bytes && cost("bytes accessed") <= bytes + 4.f * 4 * 256 * 1024);
}

// What a run is thought to take: so many operations take some time, on any core between one and ten thousand of them a nanosecond.
static void test_the_time_is_estimated(void **state) {
  (void)state;
  const float seconds = cost("optimal_seconds"), operations = cost("flops");
  assert_true(seconds > operations * 1e-13f && seconds < operations * 1e-9f);
}

// ---- Memory of the host's -------------------------------------------------------------------------------------------------

// (x + 1, y + 1, x): x lies in pinned memory, as do the first result and the third, which is where a donated x was.
static const char far[] =
    "func.func public @main(%x: tensor<65536xf32> {mhlo.memory_kind = \"pinned_host\", tf.aliasing_output = 2 : i32}, "
    "%y: tensor<1024xf32>) -> (tensor<65536xf32> {mhlo.memory_kind = \"pinned_host\"}, tensor<1024xf32>, "
    "tensor<65536xf32> {mhlo.memory_kind = \"pinned_host\"}) {\n"
    "  %a = stablehlo.add %x, %x : tensor<65536xf32>\n"
    "  %b = stablehlo.add %y, %y : tensor<1024xf32>\n"
    "  return %a, %b, %x : tensor<65536xf32>, tensor<1024xf32>, tensor<65536xf32>\n}\n";

// What lies in the host's memory is counted apart, and is no use of a device's: neither what is put there nor a result.
static void test_memory_of_the_host_is_counted_apart(void **state) {
  (void)state;
  enum { FAR = 65536 * 4, NEAR = 1024 * 4 };
  PJRT_LoadedExecutable *far_loaded = host_compile(client, far);
  PJRT_Executable *far_executable = host_executable(far_loaded);
  HOST_ARGS(stats, Executable_GetCompiledMemoryStats, .executable = far_executable);
  HOST_OK(Executable_GetCompiledMemoryStats, &stats);
  assert_int_equal(stats.argument_size_in_bytes, NEAR);
  assert_int_equal(stats.output_size_in_bytes, NEAR);
  assert_int_equal(stats.alias_size_in_bytes, 0);
  assert_int_equal(stats.host_argument_size_in_bytes, FAR);
  assert_int_equal(stats.host_output_size_in_bytes, 2 * FAR);
  assert_int_equal(stats.host_alias_size_in_bytes, FAR);
  assert_int_equal(stats.total_allocation_bytes, 2 * NEAR + stats.temp_size_in_bytes);
  int64_t before = memory_now().bytes_in_use;
  float *zeros = calloc(65536, sizeof *zeros);
  PJRT_Buffer *arguments[] = {
      host_put_in(client, host_memory(device, "pinned_host"), zeros, (const int64_t[]){65536}, 1),
      host_put(client, device, zeros, (const int64_t[]){1024}, 1)};
  free(zeros);
  PJRT_Buffer *results[3];
  host_ok(host_execute(far_loaded, arguments, 2, results), "Execute");
  assert_in_range(memory_now().bytes_in_use - before, 2 * NEAR, 3 * NEAR);
  for (int i = 0; i < 3; i++) {
    host_buffer_destroy(results[i]);
  }
  host_buffer_destroy(arguments[0]);
  host_buffer_destroy(arguments[1]);
  assert_int_equal(memory_now().bytes_in_use, before);
  host_executable_destroy(far_executable);
  host_loaded_destroy(far_loaded);
}

int main(int argc, char **argv) {
  host_set_library(argc > 1 ? argv[1] : NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_memory_statistics_match_a_run), cmocka_unit_test(test_costs_are_counted),
      cmocka_unit_test(test_the_time_is_estimated), cmocka_unit_test(test_memory_of_the_host_is_counted_apart)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
