// The extensions that keep or hand out something: Stream, Callback, the host allocators, ExecutableMetadata,
// CustomPartitioner, AbiVersion. Each function is called in good and in bad order.
#define HOST_DEVICES 2

#include <stdlib.h>
#include <string.h>

#include "pjrt/ext/extensions.h"
#include "tests/cmocka.h"
#include "tests/pjrt_walk/host_client.h"
#include "tests/pjrt_walk/host_refusals.h"

static const char add_text[] = "module @jit_add {\n"
                               "  func.func public @main(%arg0: tensor<6xf32>) -> tensor<6xf32> {\n"
                               "    %0 = stablehlo.add %arg0, %arg0 : tensor<6xf32>\n"
                               "    return %0 : tensor<6xf32>\n"
                               "  }\n"
                               "}\n";
static const float six[] = {1, 2, 3, 4, 5, 6};
static const int64_t dims_6[] = {6};

// The chain has each extension once, with at least the size that the ABI gives it.
static void test_chain(void **state) {
  (void)state;
  static const struct {
    PJRT_Extension_Type type;
    size_t size;
  } wanted[] = {{PJRT_Extension_Type_Profiler, sizeof(PJRT_Profiler_Extension)},
                {PJRT_Extension_Type_Custom_Partitioner, sizeof(PJRT_Custom_Partitioner_Extension)},
                {PJRT_Extension_Type_Stream, sizeof(PJRT_Stream_Extension)},
                {PJRT_Extension_Type_Layouts, sizeof(PJRT_Layouts_Extension)},
                {PJRT_Extension_Type_FFI, sizeof(PJRT_FFI_Extension)},
                {PJRT_Extension_Type_MemoryDescriptions, sizeof(PJRT_MemoryDescriptions_Extension)},
                {PJRT_Extension_Type_RawBuffer, sizeof(PJRT_RawBuffer_Extension)},
                {PJRT_Extension_Type_PhaseCompile, sizeof(PJRT_PhaseCompile_Extension)},
                {PJRT_Extension_Type_CrossHostTransfers, sizeof(PJRT_CrossHostTransfers_Extension)},
                {PJRT_Extension_Type_ExecutableMetadata, sizeof(PJRT_ExecutableMetadata_Extension)},
                {PJRT_Extension_Type_Callback, sizeof(PJRT_Callback_Extension)},
                {PJRT_Extension_Type_HostAllocator, sizeof(PJRT_HostAllocator_Extension)},
                {PJRT_Extension_Type_Shardings, sizeof(PJRT_Shardings_Extension)},
                {PJRT_Extension_Type_AbiVersion, sizeof(PJRT_AbiVersion_Extension)},
                {PJRT_Extension_Type_HostMemoryAllocator, sizeof(PJRT_HostMemoryAllocator_Extension)},
                {(PJRT_Extension_Type)MR_PJRT_ENDING_TYPE, sizeof(mr_pjrt_ending_extension)},
                {(PJRT_Extension_Type)MR_PJRT_CENSUS_TYPE, sizeof(mr_pjrt_census_extension)}};
  size_t length = 0;
  for (const PJRT_Extension_Base *e = host_api()->extension_start; e; e = e->next) {
    length++;
  }
  assert_int_equal(length, sizeof wanted / sizeof wanted[0]);
  for (size_t i = 0; i < length; i++) {
    const PJRT_Extension_Base *found = host_extension(wanted[i].type);
    assert_true(found->struct_size >= wanted[i].size);
    void *const *functions = (void *const *)(found + 1);
    assert_non_null(functions[0]);
  }
}

// ---- Stream ---------------------------------------------------------------------------------------------------------

static PJRT_Buffer *view_on_stream(float *data, intptr_t stream, PJRT_Error **out_error) {
  HOST_ARGS(args, Client_CreateViewOfDeviceBuffer, .client = client, .device_buffer_ptr = data, .dims = dims_6,
            .num_dims = 1, .element_type = PJRT_Buffer_Type_F32, .memory = host_visible_memory(device),
            .stream = stream);
  *out_error = host_api()->PJRT_Client_CreateViewOfDeviceBuffer(&args);
  return args.buffer;
}

static bool is_ready(PJRT_Buffer *buffer) {
  HOST_ARGS(ready, Buffer_ReadyEvent, .buffer = buffer);
  HOST_OK(Buffer_ReadyEvent, &ready);
  HOST_ARGS(args, Event_IsReady, .event = ready.event);
  HOST_OK(Event_IsReady, &args);
  HOST_ARGS(destroy, Event_Destroy, .event = ready.event);
  HOST_OK(Event_Destroy, &destroy);
  return args.is_ready;
}

// A buffer without content until the host gives it some, and how.
static PJRT_Buffer *pending_buffer(PJRT_FulfillAliasBufferCallback **out_handle) {
  HOST_ARGS(args, Client_CreateAliasBuffer, .client = client, .memory = host_memory(device, "device"),
            .shape_dims = dims_6, .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32);
  HOST_OK(Client_CreateAliasBuffer, &args);
  *out_handle = args.fulfill_alias_buffer_cb;
  return args.alias_buffer;
}

static void fulfill(PJRT_FulfillAliasBufferCallback *handle, PJRT_Buffer *buffer, PJRT_Error_Code code) {
  HOST_ARGS(args, Client_FulfillAliasBuffer, .client = client, .buffer = buffer, .status_code = code,
            .error_message = "no", .error_message_size = 2, .fulfill_alias_buffer_cb = handle);
  HOST_OK(Client_FulfillAliasBuffer, &args);
}

// A view of foreign memory is ready when everything that was put on its stream is; so is its error.
static void test_stream(void **state) {
  (void)state;
  // A client of its own: a stream that failed stays so.
  PJRT_Client *others = client;
  client = host_client_create(HOST_DEVICES);
  device = host_device(client, 0);
  const PJRT_Stream_Extension *stream = (const void *)host_extension(PJRT_Extension_Type_Stream);
  PJRT_Get_Stream_For_External_Ready_Events_Args get = {.struct_size = sizeof get, .device = device};
  HOST_GUARDED_OK(stream->get_stream, &get);
  assert_int_not_equal(get.stream, 0);
  PJRT_Get_Stream_For_External_Ready_Events_Args other = {.struct_size = sizeof other,
                                                          .device = host_device(client, 1)};
  HOST_GUARDED_OK(stream->get_stream, &other);
  assert_int_not_equal(get.stream, other.stream);

  _Alignas(64) float data[] = {1, 2, 3, 4, 5, 6};
  PJRT_Error *error;
  for (int fails = 0; fails < 2; fails++) {
    PJRT_FulfillAliasBufferCallback *handle;
    PJRT_Buffer *pending = pending_buffer(&handle);
    PJRT_Wait_Until_Buffer_Ready_On_Stream_Args wait = {
        .struct_size = sizeof wait, .stream = get.stream, .buffer = pending};
    HOST_GUARDED_OK(stream->wait_stream, &wait);
    PJRT_Buffer *view = view_on_stream(data, get.stream, &error), *beside = view_on_stream(data, other.stream, &error);
    assert_null(error);
    assert_false(is_ready(view));
    assert_true(is_ready(beside));
    PJRT_Buffer *content = host_put(client, device, six, dims_6, 1);
    fulfill(handle, fails ? NULL : content, fails ? PJRT_Error_Code_ABORTED : PJRT_Error_Code_OK);
    assert_int_equal(host_await_buffer(view, NULL), fails ? PJRT_Error_Code_ABORTED : PJRT_Error_Code_OK);
    PJRT_Buffer *all[] = {view, beside, pending, content};
    for (int i = 0; i < 4; i++) {
      host_buffer_destroy(all[i]);
    }
  }

  PJRT_Buffer *buffer = host_put(client, device, six, dims_6, 1);
  PJRT_Wait_Until_Buffer_Ready_On_Stream_Args bad = {.struct_size = sizeof bad, .stream = 17, .buffer = buffer};
  host_refused(stream->wait_stream(&bad), PJRT_Error_Code_INVALID_ARGUMENT, "stream 0x11");
  view_on_stream(data, 17, &error);
  host_refused(error, PJRT_Error_Code_INVALID_ARGUMENT, "stream 0x11");
  HOST_ARGS(erase, Buffer_Delete, .buffer = buffer);
  HOST_OK(Buffer_Delete, &erase);
  bad.stream = get.stream;
  host_refused(stream->wait_stream(&bad), PJRT_Error_Code_INVALID_ARGUMENT, "deleted");
  bad.buffer = NULL;
  host_refused(stream->wait_stream(&bad), PJRT_Error_Code_INVALID_ARGUMENT, "buffer is NULL");
  get.struct_size = 8;
  host_refused(stream->get_stream(&get), PJRT_Error_Code_INVALID_ARGUMENT, "struct_size");
  host_buffer_destroy(buffer);
  host_client_destroy(client);
  client = others;
  device = host_device(client, 0);
}

// ---- Callback -------------------------------------------------------------------------------------------------------

typedef struct heard {
  int calls;
  PJRT_Error_Code code;
} heard;

static void hear(void *args, void *user_arg) {
  heard *all = user_arg;
  all->calls++;
  all->code = ((PJRT_Callback_PrefatalArgs *)args)->error_code;
}

// Whoever registered hears what is announced, on this client alone.
static void test_callback(void **state) {
  (void)state;
  const PJRT_Callback_Extension *callback = (const void *)host_extension(PJRT_Extension_Type_Callback);
  heard first = {0}, second = {0};
  PJRT_Callback_RegisterCallback_Args args = {.struct_size = sizeof args,
                                              .client = client,
                                              .type = PJRT_Callback_Type_Prefatal,
                                              .callback = hear,
                                              .user_arg = &first};
  HOST_GUARDED_OK(callback->register_callback, &args);
  args.user_arg = &second;
  HOST_GUARDED_OK(callback->register_callback, &args);
  PJRT_Callback_PrefatalArgs fatal = {.struct_size = sizeof fatal, .error_code = PJRT_Error_Code_INTERNAL};
  PJRT_Callback_InvokeCallback_Args invoke = {
      .struct_size = sizeof invoke, .client = client, .type = PJRT_Callback_Type_Prefatal, .args = &fatal};
  HOST_GUARDED_OK(callback->invoke_callback, &invoke);
  assert_int_equal(first.calls, 1);
  assert_int_equal(second.calls, 1);
  assert_int_equal(second.code, PJRT_Error_Code_INTERNAL);
  PJRT_Client *other = host_client_create(1);
  invoke.client = other;
  HOST_GUARDED_OK(callback->invoke_callback, &invoke);
  assert_int_equal(first.calls, 1);
  host_client_destroy(other);

  args.type = PJRT_Callback_Type_Tpu_SliceBuilder;
  host_refused(callback->register_callback(&args), PJRT_Error_Code_UNIMPLEMENTED, "Prefatal");
  invoke.client = client;
  invoke.type = PJRT_Callback_Type_Unknown;
  host_refused(callback->invoke_callback(&invoke), PJRT_Error_Code_INVALID_ARGUMENT, "Prefatal");
  args.callback = NULL;
  host_refused(callback->register_callback(&args), PJRT_Error_Code_INVALID_ARGUMENT, "callback is NULL");
}

// ---- Host memory ----------------------------------------------------------------------------------------------------

// Memory that a host asks for is aligned as it wants, writable, and can be used in place.
static void test_host_allocator(void **state) {
  (void)state;
  const PJRT_HostAllocator_Extension *host = (const void *)host_extension(PJRT_Extension_Type_HostAllocator);
  PJRT_HostAllocator_GetPreferredAlignment_Args preferred = {.struct_size = sizeof preferred, .client = client};
  HOST_GUARDED_OK(host->get_preferred_alignment, &preferred);
  assert_int_equal(preferred.preferred_alignment, 64);
  PJRT_HostAllocator_Allocate_Args args = {
      .struct_size = sizeof args, .client = client, .size = 10000, .alignment = 4096};
  HOST_GUARDED_OK(host->allocate, &args);
  assert_int_equal((uintptr_t)args.ptr % 4096, 0);
  memset(args.ptr, 1, 10000);
  PJRT_HostAllocator_Free_Args release = {.struct_size = sizeof release, .client = client, .ptr = args.ptr};
  HOST_GUARDED_OK(host->free, &release);
  args.alignment = 48;
  host_refused(host->allocate(&args), PJRT_Error_Code_INVALID_ARGUMENT, "alignment 48");
  args = (PJRT_HostAllocator_Allocate_Args){.struct_size = sizeof args, .client = client, .size = SIZE_MAX / 2};
  host_refused(host->allocate(&args), PJRT_Error_Code_RESOURCE_EXHAUSTED, "bytes of host memory");

  const PJRT_HostMemoryAllocator_Extension *on_node =
      (const void *)host_extension(PJRT_Extension_Type_HostMemoryAllocator);
  for (int node = -1; node < 1; node++) {
    PJRT_HostMemoryAllocator_Allocate_Args map = {
        .struct_size = sizeof map, .client = client, .size = 1 << 20, .numa_node = node};
    HOST_GUARDED_OK(on_node->allocate, &map);
    memset(map.ptr, 1, 1 << 20);
    map.deleter(map.ptr, map.deleter_arg);
  }
  PJRT_HostMemoryAllocator_Allocate_Args nowhere = {
      .struct_size = sizeof nowhere, .client = client, .size = 1, .numa_node = 1000};
  host_refused(on_node->allocate(&nowhere), PJRT_Error_Code_INVALID_ARGUMENT, "NUMA node 1000");
}

// ---- Executables ----------------------------------------------------------------------------------------------------

static PJRT_Executable *compile(PJRT_LoadedExecutable **out_loaded) {
  *out_loaded = host_compile(client, add_text);
  return host_executable(*out_loaded);
}

static void destroy(PJRT_Executable *executable, PJRT_LoadedExecutable *loaded) {
  host_executable_destroy(executable);
  host_loaded_destroy(loaded);
}

// The metadata are a message with the sizes of arguments (field 2) and results (3), and outlive the executable.
static void test_executable_metadata(void **state) {
  (void)state;
  const PJRT_ExecutableMetadata_Extension *extension =
      (const void *)host_extension(PJRT_Extension_Type_ExecutableMetadata);
  PJRT_LoadedExecutable *loaded;
  PJRT_Executable *executable = compile(&loaded);
  PJRT_ExecutableMetadata_GetExecutableMetadata_Args args = {.executable = executable};
  host_ok(extension->get_executable_metadata(&args), "get_executable_metadata");  // a struct without struct_size
  destroy(executable, loaded);
  const uint8_t *bytes = (const uint8_t *)args.metadata->serialized_metadata;
  assert_true(args.metadata->serialized_metadata_size > 4);
  assert_int_equal(bytes[0], 1 << 3 | 2);
  assert_int_equal(bytes[1], args.metadata->serialized_metadata_size - 2);
  static const uint8_t sizes[] = {2 << 3, 24, 3 << 3, 24};
  assert_non_null(memmem(bytes, args.metadata->serialized_metadata_size, sizes, sizeof sizes));
  PJRT_ExecutableMetadata_DestroySerializedMetadata_Args release = {.metadata = args.metadata};
  extension->destroy_serialized_metadata(&release);
  args.executable = NULL;
  host_refused(extension->get_executable_metadata(&args), PJRT_Error_Code_INVALID_ARGUMENT, "executable is NULL");
}

static void never(JAX_CustomCallPartitioner_Callbacks *data) { (void)data; }

// Partitioners and names are taken; those without a name or callbacks are not.
static void test_custom_partitioner(void **state) {
  (void)state;
  const PJRT_Custom_Partitioner_Extension *extension =
      (const void *)host_extension(PJRT_Extension_Type_Custom_Partitioner);
  static JAX_CustomCallPartitioner_Callbacks callbacks = {.version = 1, .dtor = never};
  PJRT_Register_Custom_Partitioner_Args args = {
      .struct_size = sizeof args, .name = "mine", .name_size = 4, .callbacks = &callbacks};
  HOST_GUARDED_OK(extension->register_custom_partitioner, &args);
  PJRT_Register_Batch_Partitionable_Args batch = {.struct_size = sizeof batch, .name = "solve", .name_size = 5};
  HOST_GUARDED_OK(extension->register_batch_partitionable, &batch);
  HOST_GUARDED_OK(extension->register_batch_partitionable, &batch);
  batch.name_size = 0;
  host_refused(extension->register_batch_partitionable(&batch), PJRT_Error_Code_INVALID_ARGUMENT, "without a name");
  args.callbacks = NULL;
  host_refused(extension->register_custom_partitioner(&args), PJRT_Error_Code_INVALID_ARGUMENT, "callbacks is NULL");
}

// ---- AbiVersion -----------------------------------------------------------------------------------------------------

static PJRT_RuntimeAbiVersion *runtime_of(const PJRT_AbiVersion_Extension *abi) {
  PJRT_Client_RuntimeAbiVersion_Args args = {.struct_size = sizeof args, .client = client};
  HOST_GUARDED_OK(abi->client_runtime_abi_version, &args);
  return args.abi_version;
}

static void runtime_destroy(const PJRT_AbiVersion_Extension *abi, PJRT_RuntimeAbiVersion *version) {
  PJRT_RuntimeAbiVersion_Destroy_Args args = {.struct_size = sizeof args, .abi_version = version};
  HOST_GUARDED_OK(abi->runtime_abi_version_destroy, &args);
}

static void executable_version_destroy(const PJRT_AbiVersion_Extension *abi, PJRT_ExecutableAbiVersion *version) {
  PJRT_ExecutableAbiVersion_Destroy_Args args = {.struct_size = sizeof args, .abi_version = version};
  HOST_GUARDED_OK(abi->executable_abi_version_destroy, &args);
}

// A runtime's version survives serialization, and one of another library does not fit.
static void test_runtime_version(void **state) {
  (void)state;
  const PJRT_AbiVersion_Extension *abi = (const void *)host_extension(PJRT_Extension_Type_AbiVersion);
  PJRT_RuntimeAbiVersion *mine = runtime_of(abi);
  PJRT_RuntimeAbiVersion_PlatformId_Args id = {.struct_size = sizeof id, .abi_version = mine};
  HOST_GUARDED_OK(abi->runtime_abi_version_platform_id, &id);
  assert_int_not_equal(id.platform_id, 0);
  PJRT_RuntimeAbiVersion_ToProto_Args to = {.struct_size = sizeof to, .abi_version = mine};
  HOST_GUARDED_OK(abi->runtime_abi_version_to_proto, &to);
  PJRT_RuntimeAbiVersion_FromProto_Args from = {.struct_size = sizeof from,
                                                .serialized_proto = to.serialized_proto,
                                                .serialized_proto_size = to.serialized_proto_size};
  HOST_GUARDED_OK(abi->runtime_abi_version_from_proto, &from);
  PJRT_RuntimeAbiVersion_IsCompatibleWithRuntime_Args fits = {
      .struct_size = sizeof fits, .abi_version = mine, .other_abi_version = from.abi_version};
  HOST_GUARDED_OK(abi->runtime_abi_version_is_compatible_with_runtime, &fits);
  runtime_destroy(abi, from.abi_version);

  char *changed = malloc(to.serialized_proto_size);
  memcpy(changed, to.serialized_proto, to.serialized_proto_size);
  changed[to.serialized_proto_size - 1] ^= 1;
  from.serialized_proto = changed;
  HOST_GUARDED_OK(abi->runtime_abi_version_from_proto, &from);
  fits.other_abi_version = from.abi_version;
  host_refused(abi->runtime_abi_version_is_compatible_with_runtime(&fits), PJRT_Error_Code_FAILED_PRECONDITION,
               "wanted 'millrace");
  runtime_destroy(abi, from.abi_version);
  from.serialized_proto_size = 3;
  host_refused(abi->runtime_abi_version_from_proto(&from), PJRT_Error_Code_INVALID_ARGUMENT, "3 bytes");
  from.serialized_proto_size = 0;
  host_refused(abi->runtime_abi_version_from_proto(&from), PJRT_Error_Code_INVALID_ARGUMENT, "platform");
  free(changed);
  to.serialized_proto_deleter(to.serialized_proto_holder);
  runtime_destroy(abi, mine);
  runtime_destroy(abi, NULL);
}

// The version of an executable fits the runtime of the same, before and after serialization. An executable itself tells none.
static void test_executable_version(void **state) {
  (void)state;
  const PJRT_AbiVersion_Extension *abi = (const void *)host_extension(PJRT_Extension_Type_AbiVersion);
  PJRT_RuntimeAbiVersion *runtime = runtime_of(abi);
  PJRT_LoadedExecutable *loaded;
  PJRT_Executable *executable = compile(&loaded);
  PJRT_Executable_GetAbiVersion_Args get = {.struct_size = sizeof get, .executable = executable};
  host_refused(abi->executable_get_abi_version(&get), PJRT_Error_Code_UNIMPLEMENTED, "serialized form");
  destroy(executable, loaded);
  PJRT_ExecutableAbiVersion *first = host_executable_version(abi, runtime);
  PJRT_ExecutableAbiVersion_ToProto_Args to = {.struct_size = sizeof to, .abi_version = first};
  HOST_GUARDED_OK(abi->executable_abi_version_to_proto, &to);
  PJRT_ExecutableAbiVersion_FromProto_Args from = {.struct_size = sizeof from,
                                                   .serialized_proto = to.serialized_proto,
                                                   .serialized_proto_size = to.serialized_proto_size};
  HOST_GUARDED_OK(abi->executable_abi_version_from_proto, &from);
  to.serialized_proto_deleter(to.serialized_proto_holder);
  PJRT_ExecutableAbiVersion_PlatformId_Args id = {.struct_size = sizeof id, .abi_version = from.abi_version};
  HOST_GUARDED_OK(abi->executable_abi_version_platform_id, &id);
  assert_int_not_equal(id.platform_id, 0);
  PJRT_RuntimeAbiVersion_IsCompatibleWithExecutable_Args fits = {
      .struct_size = sizeof fits, .abi_version = runtime, .executable_abi_version = from.abi_version};
  HOST_GUARDED_OK(abi->runtime_abi_version_is_compatible_with_executable, &fits);
  fits.executable_abi_version = NULL;
  host_refused(abi->runtime_abi_version_is_compatible_with_executable(&fits), PJRT_Error_Code_INVALID_ARGUMENT,
               "is NULL");
  executable_version_destroy(abi, first);
  executable_version_destroy(abi, from.abi_version);
  runtime_destroy(abi, runtime);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    host_set_library(argv[1]);
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_chain),
      cmocka_unit_test(test_stream),
      cmocka_unit_test(test_callback),
      cmocka_unit_test(test_host_allocator),
      cmocka_unit_test(test_executable_metadata),
      cmocka_unit_test(test_custom_partitioner),
      cmocka_unit_test(test_runtime_version),
      cmocka_unit_test(test_executable_version),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
