// Programs from compile to result, and what a host asks about them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host.h"

static const char add_text[] =
    "module @jit_add attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {\n"
    "  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
    "    %0 = stablehlo.add %arg0, %arg1 : tensor<2x3xf32>\n"
    "    return %0 : tensor<2x3xf32>\n"
    "  }\n"
    "}\n";
static const char donating_text[] =
    "module @jit_inc attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {\n"
    "  func.func public @main(%arg0: tensor<6xf32> {tf.aliasing_output = 0 : i32}) -> tensor<6xf32> {\n"
    "    %0 = stablehlo.add %arg0, %arg0 : tensor<6xf32>\n"
    "    return %0 : tensor<6xf32>\n"
    "  }\n"
    "}\n";
static const float six[] = {1, 2, 3, 4, 5, 6};
static const float doubled[] = {2, 4, 6, 8, 10, 12};
static const int64_t dims_2x3[] = {2, 3}, dims_6[] = {6};

static PJRT_Client *client;
static PJRT_Device *device;
static PJRT_LoadedExecutable *add;

static int setup(void **state) {
  (void)state;
  client = host_client_create(2);
  device = host_device(client, 0);
  add = host_compile(client, add_text);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  host_loaded_destroy(add);
  host_client_destroy(client);
  return 0;
}

static void assert_adds(PJRT_LoadedExecutable *loaded) {
  PJRT_Buffer *x = host_put(client, device, six, dims_2x3, 2), *arguments[] = {x, x}, *result = NULL;
  host_ok(host_execute(loaded, arguments, 2, &result), "Execute");
  float got[6];
  host_get(result, got, 6);
  assert_memory_equal(got, doubled, sizeof got);
  host_buffer_destroy(x);
  host_buffer_destroy(result);
}

// A program runs, more than once, and its inputs stay.
static void test_execute(void **state) {
  (void)state;
  assert_adds(add);
  assert_adds(add);
}

// A host learns names, counts, types, layouts and kinds of what it compiled.
static void test_questions(void **state) {
  (void)state;
  PJRT_Executable *executable = host_executable(add);
  HOST_ARGS(outputs, Executable_NumOutputs, .executable = executable);
  HOST_OK(Executable_NumOutputs, &outputs);
  assert_int_equal(outputs.num_outputs, 1);
  HOST_ARGS(types, Executable_OutputElementTypes, .executable = executable);
  HOST_OK(Executable_OutputElementTypes, &types);
  assert_int_equal(types.output_types[0], PJRT_Buffer_Type_F32);
  HOST_ARGS(dims, Executable_OutputDimensions, .executable = executable);
  HOST_OK(Executable_OutputDimensions, &dims);
  assert_int_equal(dims.dim_sizes[0], 2);
  assert_int_equal(dims.dims[1], 3);
  HOST_ARGS(kinds, Executable_OutputMemoryKinds, .executable = executable);
  HOST_OK(Executable_OutputMemoryKinds, &kinds);
  assert_int_equal(kinds.memory_kind_sizes[0], 6);
  assert_memory_equal(kinds.memory_kinds[0], "device", 6);
  HOST_ARGS(in_kinds, Executable_ParameterMemoryKinds, .executable = executable);
  HOST_OK(Executable_ParameterMemoryKinds, &in_kinds);
  assert_int_equal(in_kinds.num_parameters, 2);
  HOST_ARGS(print, Executable_Fingerprint, .executable = executable);
  HOST_OK(Executable_Fingerprint, &print);
  assert_int_equal(print.executable_fingerprint_size, 32);
  HOST_ARGS(costs, Executable_GetCostAnalysis, .executable = executable);
  HOST_OK(Executable_GetCostAnalysis, &costs);
  assert_true(costs.num_properties >= 2);
  PJRT_Executable_GetCompiledMemoryStats_Args stats;
  memset(&stats, 0x5A, sizeof stats);
  stats.struct_size = sizeof stats;
  stats.executable = executable;
  HOST_OK(Executable_GetCompiledMemoryStats, &stats);
  assert_int_equal(stats.argument_size_in_bytes, 48);
  assert_int_equal(stats.output_size_in_bytes, 24);
  assert_int_equal(stats.host_temp_size_in_bytes, 0);
  assert_int_equal(stats.indefinite_allocations, 0);
  host_executable_destroy(executable);
}

// The device assignment of a program for one device is that device.
static void test_device_assignment(void **state) {
  (void)state;
  HOST_ARGS(args, LoadedExecutable_GetDeviceAssignment, .executable = add);
  HOST_OK(LoadedExecutable_GetDeviceAssignment, &args);
  static const unsigned char wanted[] = {0x08, 0x01, 0x10, 0x01, 0x1A, 0x03, 0x0A, 0x01, 0x00};
  assert_int_equal(args.serialized_bytes_size, sizeof wanted);
  assert_memory_equal(args.serialized_bytes, wanted, sizeof wanted);
  args.serialized_device_assignment_deleter(args.serialized_device_assignment);
  HOST_ARGS(ids, LoadedExecutable_AddressableDeviceLogicalIds, .executable = add);
  HOST_OK(LoadedExecutable_AddressableDeviceLogicalIds, &ids);
  assert_int_equal(ids.num_addressable_device_logical_ids, 1);
  assert_int_equal(ids.addressable_device_logical_ids[0].partition, 0);
}

// Donated arguments are gone after the call, unless the host said that they may not be.
static void test_donation(void **state) {
  (void)state;
  PJRT_LoadedExecutable *loaded = host_compile(client, donating_text);
  PJRT_Buffer *x = host_put(client, device, six, dims_6, 1), *result = NULL;
  host_ok(host_execute(loaded, &x, 1, &result), "Execute");
  assert_true(host_buffer_is_deleted(x));
  float got[6];
  host_get(result, got, 6);
  assert_memory_equal(got, doubled, sizeof got);
  host_buffer_destroy(x);

  const char *message;
  PJRT_Buffer *other = NULL;
  HOST_ARGS(erase, Buffer_Delete, .buffer = result);
  HOST_OK(Buffer_Delete, &erase);
  assert_int_equal(host_take_error(host_execute(loaded, &result, 1, &other), &message),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  assert_null(other);
  host_buffer_destroy(result);
  host_loaded_destroy(loaded);
}

// What has external references stays, unchanged, as on XLA:CPU: whoever has them shares it with the host, which goes on having it. When
// the last one is released it can be donated.
static void test_donation_of_what_is_shared(void **state) {
  (void)state;
  PJRT_LoadedExecutable *loaded = host_compile(client, donating_text);
  PJRT_Buffer *x = host_put(client, device, six, dims_6, 1), *result = NULL;
  HOST_ARGS(more, Buffer_IncreaseExternalReferenceCount, .buffer = x);
  HOST_ARGS(less, Buffer_DecreaseExternalReferenceCount, .buffer = x);
  HOST_OK(Buffer_IncreaseExternalReferenceCount, &more);
  HOST_OK(Buffer_IncreaseExternalReferenceCount, &more);
  for (int references = 2; references >= 0; references--) {
    float got[6];
    host_ok(host_execute(loaded, &x, 1, &result), "Execute");
    host_get(result, got, 6);
    assert_memory_equal(got, doubled, sizeof got);
    host_buffer_destroy(result);
    assert_int_equal(host_buffer_is_deleted(x), references == 0);
    if (references) {
      host_get(x, got, 6);
      assert_memory_equal(got, six, sizeof got);
      HOST_OK(Buffer_DecreaseExternalReferenceCount, &less);
    }
  }
  host_buffer_destroy(x);
  host_loaded_destroy(loaded);
}

// 0 where there are none.
static uintptr_t address_of(PJRT_Buffer *buffer) {
  if (!host_sees_device_memory()) {
    return 0;
  }
  HOST_ARGS(address, Buffer_UnsafePointer, .buffer = buffer);
  HOST_OK(Buffer_UnsafePointer, &address);
  return address.buffer_pointer;
}

// A buffer that was filled in pieces is its holder's alone when the last piece is there, whatever becomes of the manager: the
// result takes its place.
static void test_donation_of_pieces(void **state) {
  (void)state;
  PJRT_LoadedExecutable *loaded = host_compile(client, donating_text);
  PJRT_ShapeSpec spec = {
      .struct_size = sizeof spec, .dims = dims_6, .num_dims = 1, .element_type = PJRT_Buffer_Type_F32};
  HOST_ARGS(create, Client_CreateBuffersForAsyncHostToDevice, .client = client, .shape_specs = &spec,
            .num_shape_specs = 1);
  HOST_OK(Client_CreateBuffersForAsyncHostToDevice, &create);
  HOST_ARGS(get, AsyncHostToDeviceTransferManager_RetrieveBuffer, .transfer_manager = create.transfer_manager);
  HOST_OK(AsyncHostToDeviceTransferManager_RetrieveBuffer, &get);
  HOST_ARGS(data, AsyncHostToDeviceTransferManager_TransferData, .transfer_manager = create.transfer_manager,
            .data = six, .transfer_size = sizeof six, .is_last_transfer = true);
  HOST_OK(AsyncHostToDeviceTransferManager_TransferData, &data);
  host_await(data.done_with_h2d_transfer, NULL);
  uintptr_t place = address_of(get.buffer_out);
  PJRT_Buffer *result = NULL;
  host_ok(host_execute(loaded, &get.buffer_out, 1, &result), "Execute");
  float got[6];
  host_get(result, got, 6);
  assert_memory_equal(got, doubled, sizeof got);
  assert_true(address_of(result) == place);
  host_buffer_destroy(result);
  host_buffer_destroy(get.buffer_out);
  host_loaded_destroy(loaded);
  HOST_ARGS(destroy, AsyncHostToDeviceTransferManager_Destroy, .transfer_manager = create.transfer_manager);
  HOST_OK(AsyncHostToDeviceTransferManager_Destroy, &destroy);
}

// A buffer that is donated and given a second time is refused, and stays.
static void test_double_donation(void **state) {
  (void)state;
  static const char text[] =
      "module @jit_both attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {\n"
      "  func.func public @main(%arg0: tensor<6xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<6xf32>)\n"
      "      -> tensor<6xf32> {\n"
      "    %0 = stablehlo.add %arg0, %arg1 : tensor<6xf32>\n"
      "    return %0 : tensor<6xf32>\n"
      "  }\n"
      "}\n";
  PJRT_LoadedExecutable *loaded = host_compile(client, text);
  PJRT_Buffer *x = host_put(client, device, six, dims_6, 1), *arguments[] = {x, x}, *result = NULL;
  const char *message;
  assert_int_equal(host_take_error(host_execute(loaded, arguments, 2, &result), &message),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  assert_non_null(strstr(message, "argument 0 is donated"));
  assert_false(host_buffer_is_deleted(x));
  host_buffer_destroy(x);
  host_loaded_destroy(loaded);
}

// The same holds for long argument lists, which are looked through in another way; distinct buffers pass.
static void test_double_donation_among_many(void **state) {
  (void)state;
  enum { MANY = 140 };  // more than lists on the stack have room for
  static char text[65536];
  char *at = text, *end = text + sizeof text;
  at += snprintf(at, (size_t)(end - at), "module @jit_many {\n  func.func public @main(");
  for (int i = 0; i < MANY; i++) {
    at += snprintf(at, (size_t)(end - at), "%s%%arg%d: tensor<6xf32> {tf.aliasing_output = %d : i32}", i ? ", " : "", i,
                   i);
  }
  at += snprintf(at, (size_t)(end - at), ") -> (tensor<6xf32>");
  for (int i = 1; i < MANY; i++) {
    at += snprintf(at, (size_t)(end - at), ", tensor<6xf32>");
  }
  at += snprintf(at, (size_t)(end - at), ") {\n");
  for (int i = 0; i < MANY; i++) {
    at += snprintf(at, (size_t)(end - at), "    %%%d = stablehlo.add %%arg%d, %%arg%d : tensor<6xf32>\n", i, i, i);
  }
  at += snprintf(at, (size_t)(end - at), "    return %%0");
  for (int i = 1; i < MANY; i++) {
    at += snprintf(at, (size_t)(end - at), ", %%%d", i);
  }
  at += snprintf(at, (size_t)(end - at), " : tensor<6xf32>");
  for (int i = 1; i < MANY; i++) {
    at += snprintf(at, (size_t)(end - at), ", tensor<6xf32>");
  }
  snprintf(at, (size_t)(end - at), "\n  }\n}\n");
  PJRT_LoadedExecutable *loaded = host_compile(client, text);
  PJRT_Buffer *arguments[MANY], *twice[MANY], *results[MANY];
  for (int i = 0; i < MANY; i++) {
    arguments[i] = twice[i] = host_put(client, device, six, dims_6, 1);
  }
  twice[MANY - 1] = twice[3];
  assert_int_equal(host_take_error(host_execute(loaded, twice, MANY, results), NULL), PJRT_Error_Code_INVALID_ARGUMENT);
  const int64_t kept = 7;
  PJRT_ExecuteOptions options = {
      .struct_size = sizeof options, .non_donatable_input_indices = &kept, .num_non_donatable_input_indices = 1};
  PJRT_Buffer *const *list = arguments;
  PJRT_Buffer **outputs = results;
  HOST_ARGS(run, LoadedExecutable_Execute, .executable = loaded, .options = &options, .argument_lists = &list,
            .num_devices = 1, .num_args = MANY, .output_lists = &outputs);
  HOST_OK(LoadedExecutable_Execute, &run);
  for (int i = 0; i < MANY; i++) {
    float got[6];
    host_get(results[i], got, 6);
    assert_memory_equal(got, doubled, sizeof got);
    assert_int_equal(host_buffer_is_deleted(arguments[i]), i != kept);
    host_buffer_destroy(arguments[i]);
    host_buffer_destroy(results[i]);
  }
  host_loaded_destroy(loaded);
}

// An argument list of the wrong length, shape or device is refused, with nothing produced and nothing donated.
static void test_wrong_arguments(void **state) {
  (void)state;
  PJRT_Buffer *good = host_put(client, device, six, dims_2x3, 2), *shape = host_put(client, device, six, dims_6, 1),
              *elsewhere = host_put(client, host_device(client, 1), six, dims_2x3, 2), *result = NULL;
  PJRT_Buffer *lists[][2] = {{good, shape}, {elsewhere, good}, {good, NULL}};
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(host_take_error(host_execute(add, lists[i], 2, &result), NULL), PJRT_Error_Code_INVALID_ARGUMENT);
    assert_null(result);
  }
  assert_int_equal(host_take_error(host_execute(add, lists[0], 1, &result), NULL), PJRT_Error_Code_INVALID_ARGUMENT);
  host_buffer_destroy(good);
  host_buffer_destroy(shape);
  host_buffer_destroy(elsewhere);
}

static PJRT_Error *deserialize(const char *bytes, size_t size, PJRT_LoadedExecutable **out_loaded) {
  HOST_ARGS(args, Executable_DeserializeAndLoad, .client = client, .serialized_executable = bytes,
            .serialized_executable_size = size);
  PJRT_Error *error = host_api()->PJRT_Executable_DeserializeAndLoad(&args);
  *out_loaded = args.loaded_executable;
  return error;
}

// A serialized executable loads and runs; one byte changed, anywhere, is noticed.
static void test_serialization(void **state) {
  (void)state;
  PJRT_Executable *executable = host_executable(add);
  HOST_ARGS(args, Executable_Serialize, .executable = executable);
  HOST_OK(Executable_Serialize, &args);
  host_executable_destroy(executable);
  PJRT_LoadedExecutable *loaded;
  host_ok(deserialize(args.serialized_bytes, args.serialized_bytes_size, &loaded), "DeserializeAndLoad");
  assert_adds(loaded);
  host_loaded_destroy(loaded);
  char *copy = malloc(args.serialized_bytes_size);
  for (size_t i = 0; i < args.serialized_bytes_size; i += 7) {
    memcpy(copy, args.serialized_bytes, args.serialized_bytes_size);
    copy[i] ^= 1;
    assert_true(host_take_error(deserialize(copy, args.serialized_bytes_size, &loaded), NULL) != PJRT_Error_Code_OK);
    assert_null(loaded);
  }
  for (size_t size = 0; size < args.serialized_bytes_size; size += 11) {
    assert_true(host_take_error(deserialize(args.serialized_bytes, size, &loaded), NULL) != PJRT_Error_Code_OK);
  }
  free(copy);
  args.serialized_executable_deleter(args.serialized_executable);
}

// What cannot be compiled is an error that says why.
static void test_compile_errors(void **state) {
  (void)state;
  PJRT_Program program = {
      .struct_size = sizeof program, .code = "nonsense", .code_size = 8, .format = "mlir", .format_size = 4};
  HOST_ARGS(args, Client_Compile, .client = client, .program = &program);
  assert_int_equal(host_take_error(host_api()->PJRT_Client_Compile(&args), NULL), PJRT_Error_Code_INVALID_ARGUMENT);
  assert_null(args.executable);
  program.format = "hlo";
  program.format_size = 3;
  assert_int_equal(host_take_error(host_api()->PJRT_Client_Compile(&args), NULL), PJRT_Error_Code_INVALID_ARGUMENT);
  program.format = "tosa";
  program.format_size = 4;
  const char *message;
  assert_int_equal(host_take_error(host_api()->PJRT_Client_Compile(&args), &message), PJRT_Error_Code_UNIMPLEMENTED);
  assert_non_null(strstr(message, "'tosa'"));
}

// A program compiled for the topology runs once it is loaded on a client.
static void test_ahead_of_time(void **state) {
  (void)state;
  HOST_ARGS(topology, Client_TopologyDescription, .client = client);
  HOST_OK(Client_TopologyDescription, &topology);
  const PJRT_Program program = {.struct_size = sizeof program,
                                .code = (char *)add_text,
                                .code_size = sizeof add_text - 1,
                                .format = "mlir",
                                .format_size = 4};
  HOST_ARGS(compile, Compile, .topology = topology.topology, .program = &program);
  HOST_OK(Compile, &compile);
  HOST_ARGS(load, Client_Load, .client = client, .executable = compile.executable);
  HOST_OK(Client_Load, &load);
  host_executable_destroy(compile.executable);
  assert_adds(load.loaded_executable);
  host_loaded_destroy(load.loaded_executable);
}

// A deleted executable runs no more.
static void test_deleted_executable(void **state) {
  (void)state;
  PJRT_LoadedExecutable *loaded = host_compile(client, donating_text);
  HOST_ARGS(args, LoadedExecutable_Delete, .executable = loaded);
  HOST_OK(LoadedExecutable_Delete, &args);
  HOST_ARGS(asked, LoadedExecutable_IsDeleted, .executable = loaded);
  HOST_OK(LoadedExecutable_IsDeleted, &asked);
  assert_true(asked.is_deleted);
  PJRT_Buffer *x = host_put(client, device, six, dims_6, 1), *result = NULL;
  assert_int_equal(host_take_error(host_execute(loaded, &x, 1, &result), NULL), PJRT_Error_Code_FAILED_PRECONDITION);
  assert_false(host_buffer_is_deleted(x));
  host_buffer_destroy(x);
  host_loaded_destroy(loaded);
}

int main(int argc, char **argv) {
  host_set_library(argc > 1 ? argv[1] : NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_execute),
      cmocka_unit_test(test_questions),
      cmocka_unit_test(test_device_assignment),
      cmocka_unit_test(test_donation),
      cmocka_unit_test(test_donation_of_what_is_shared),
      cmocka_unit_test(test_donation_of_pieces),
      cmocka_unit_test(test_double_donation),
      cmocka_unit_test(test_double_donation_among_many),
      cmocka_unit_test(test_wrong_arguments),
      cmocka_unit_test(test_serialization),
      cmocka_unit_test(test_compile_errors),
      cmocka_unit_test(test_ahead_of_time),
      cmocka_unit_test(test_deleted_executable),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
