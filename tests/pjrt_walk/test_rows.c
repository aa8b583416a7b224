// A program that two devices run together, as a host sees it: where it is placed, what its arrays are cut into, one call for all
// rows, and calls that have not all of them.
#include <string.h>

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host.h"

static PJRT_Client *client;

static int make_client(void **state) {
  (void)state;
  client = host_client_create(3);
  return 0;
}

static int destroy_client(void **state) {
  (void)state;
  host_client_destroy(client);
  return 0;
}

// (x + x, the sum of x).
static const char text[] =
    "module @rows {\n"
    "  sdy.mesh @mesh = <[\"x\"=2]>\n"
    "  func.func public @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) -> (tensor<4xf32>, "
    "tensor<f32>) {\n"
    "    %c = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "    %0 = stablehlo.add %a, %a : tensor<4xf32>\n"
    "    %1 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, "
    "tensor<f32>)"
    " -> tensor<f32>\n"
    "    return %0, %1 : tensor<4xf32>, tensor<f32>\n"
    "  }\n"
    "}\n";

// x + (0, 1, 2, 3), in which nobody needs anybody.
static const char apart_text[] =
    "module @apart {\n"
    "  sdy.mesh @mesh = <[\"x\"=2]>\n"
    "  func.func public @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) -> tensor<4xf32> {\n"
    "    %i = stablehlo.iota dim = 0 : tensor<4xf32>\n"
    "    %0 = stablehlo.add %a, %i : tensor<4xf32>\n"
    "    return %0 : tensor<4xf32>\n"
    "  }\n"
    "}\n";

// executable_build_options {2 partitions, assignment: partition 0 on device `first`, partition 1 on device `second`}
static PJRT_Error *compile(const char *program_text, char first, char second, PJRT_LoadedExecutable **out) {
  const char options[] = {0x1A, 0x10, 0x28, 0x02, 0x4A,  0x0C, 0x08, 0x01, 0x10,
                          0x02, 0x1A, 0x02, 0x08, first, 0x1A, 0x02, 0x08, second};
  const PJRT_Program program = {.struct_size = sizeof program,
                                .code = (char *)(uintptr_t)program_text,
                                .code_size = strlen(program_text),
                                .format = "mlir",
                                .format_size = 4};
  HOST_ARGS(args, Client_Compile, .client = client, .program = &program, .compile_options = options,
            .compile_options_size = sizeof options);
  PJRT_Error *error = host_api()->PJRT_Client_Compile(&args);
  *out = args.executable;
  return error;
}

// Rows are in the order of the assignment, arrays are told as they are cut.
static void test_places_and_shardings(void **state) {
  (void)state;
  PJRT_LoadedExecutable *loaded;
  host_ok(compile(text, 1, 0, &loaded), "compile");
  HOST_ARGS(devices, LoadedExecutable_AddressableDevices, .executable = loaded);
  HOST_OK(LoadedExecutable_AddressableDevices, &devices);
  assert_int_equal(devices.num_addressable_devices, 2);
  assert_ptr_equal(devices.addressable_devices[0], host_device(client, 1));
  assert_ptr_equal(devices.addressable_devices[1], host_device(client, 0));
  PJRT_Executable *executable = host_executable(loaded);
  const PJRT_Shardings_Extension *extension =
      (const PJRT_Shardings_Extension *)host_extension(PJRT_Extension_Type_Shardings);
  PJRT_Shardings_OutputShardings_Args args = {.struct_size = sizeof args, .executable = executable};
  host_ok(extension->output_shardings(&args), "output_shardings");
  assert_int_equal(args.num_outputs, 2);
  static const unsigned char tiled[] = {0x08, 0x03, 0x1A, 0x01, 0x02, 0x4A, 0x01, 0x02, 0x52, 0x01, 0x00};
  assert_int_equal(args.sharding_sizes[0], sizeof tiled);
  assert_memory_equal(args.shardings[0], tiled, sizeof tiled);
  assert_int_equal(args.sharding_sizes[1], 0);
  host_executable_destroy(executable);
  host_loaded_destroy(loaded);
}

static PJRT_Error *execute(PJRT_LoadedExecutable *loaded, PJRT_Buffer *const *buffers, PJRT_Device *device, size_t rows,
                           PJRT_Buffer *results[2][2], PJRT_Event **events) {
  PJRT_ExecuteOptions options = {.struct_size = sizeof options, .launch_id = 3};
  PJRT_Buffer *const *lists[] = {buffers, buffers + 1};
  PJRT_Buffer **outputs[] = {results[0], results[1]};
  HOST_ARGS(args, LoadedExecutable_Execute, .executable = loaded, .options = &options, .argument_lists = lists,
            .num_devices = rows, .num_args = 1, .output_lists = outputs, .device_complete_events = events,
            .execute_device = device);
  return host_api()->PJRT_LoadedExecutable_Execute(&args);
}

// One call starts both rows; each has its half of the doubled array, and both have the sum.
static void test_one_call_for_all_rows(void **state) {
  (void)state;
  PJRT_LoadedExecutable *loaded;
  host_ok(compile(text, 1, 0, &loaded), "compile");
  static const float whole[4] = {1, 2, 3, 4};
  static const int64_t two[] = {2};
  PJRT_Buffer *buffers[2], *results[2][2];
  PJRT_Event *events[2];
  for (size_t row = 0; row < 2; row++) {
    buffers[row] = host_put(client, host_device(client, 1 - row), whole + 2 * row, two, 1);
  }
  host_ok(execute(loaded, buffers, NULL, 2, results, events), "execute");
  for (size_t row = 0; row < 2; row++) {
    float half[2], sum;
    host_await(events[row], NULL);
    host_get(results[row][0], half, 2);
    host_get(results[row][1], &sum, 1);
    assert_true(half[0] == 2 * whole[2 * row] && half[1] == 2 * whole[2 * row + 1] && sum == 10);
    host_buffer_destroy(results[row][0]);
    host_buffer_destroy(results[row][1]);
  }
  host_refused(execute(loaded, buffers, host_device(client, 1), 1, results, events), PJRT_Error_Code_UNIMPLEMENTED,
               "execute_device: one device of a program over 2 devices, which meet in an op (all_reduce)");
  host_refused(execute(loaded, buffers, NULL, 1, results, events), PJRT_Error_Code_INVALID_ARGUMENT,
               "argument lists for 1 devices, wanted 2");
  PJRT_Buffer *const swapped[] = {buffers[1], buffers[0]};
  host_refused(execute(loaded, swapped, NULL, 2, results, events), PJRT_Error_Code_INVALID_ARGUMENT,
               "argument 0 is on device 0, wanted device 1");
  host_buffer_destroy(buffers[0]);
  host_buffer_destroy(buffers[1]);
  host_loaded_destroy(loaded);
}

// Where nobody meets, each device may run its part by itself, in any order and any number of times.
static void test_one_row_by_itself(void **state) {
  (void)state;
  PJRT_LoadedExecutable *loaded;
  host_ok(compile(apart_text, 1, 0, &loaded), "compile");
  static const float part[2] = {10, 20};
  static const int64_t two[] = {2};
  for (size_t device = 0; device < 2; device++) {
    PJRT_Buffer *buffer = host_put(client, host_device(client, device), part, two, 1), *results[2][2];
    PJRT_Event *event;
    host_ok(execute(loaded, &buffer, host_device(client, device), 1, results, &event), "execute");
    float sums[2];
    host_await(event, NULL);
    host_get(results[0][0], sums, 2);
    float first = device == 1 ? 0 : 2;  // device 1 is partition 0
    assert_true(sums[0] == 10 + first && sums[1] == 20 + first + 1);
    HOST_ARGS(on, Buffer_Device, .buffer = results[0][0]);
    HOST_OK(Buffer_Device, &on);
    assert_ptr_equal(on.device, host_device(client, device));
    host_buffer_destroy(results[0][0]);
    host_refused(execute(loaded, &buffer, host_device(client, 1 - device), 1, results, &event),
                 PJRT_Error_Code_INVALID_ARGUMENT, "argument 0 is on device");
    host_refused(execute(loaded, &buffer, host_device(client, 2), 1, results, &event), PJRT_Error_Code_INVALID_ARGUMENT,
                 "execute_device is device 2, which the program is not assigned to");
    host_buffer_destroy(buffer);
  }
  host_loaded_destroy(loaded);
}

// A device has one row.
static void test_a_device_twice(void **state) {
  (void)state;
  PJRT_LoadedExecutable *loaded;
  host_refused(compile(text, 1, 1, &loaded), PJRT_Error_Code_INVALID_ARGUMENT,
               "device 1 is assigned to places 0 and 1");
  assert_null(loaded);
}

int main(int argc, char **argv) {
  host_set_library(argc > 1 ? argv[1] : NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_places_and_shardings),
      cmocka_unit_test(test_one_call_for_all_rows),
      cmocka_unit_test(test_one_row_by_itself),
      cmocka_unit_test(test_a_device_twice),
  };
  return cmocka_run_group_tests(tests, make_client, destroy_client);
}
