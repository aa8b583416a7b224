// What the functions of the extensions refuse: arguments cut short, and NULL in each field that holds an address. The
// profiler, which has errors of its own, has its tests elsewhere.
#include <stddef.h>
#include <string.h>

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host_refusals.h"
#include "tests/pjrt_walk/walk.h"

static PJRT_Client *client;
static PJRT_Device *device;
static PJRT_Buffer *buffer;
static PJRT_LoadedExecutable *loaded;
static PJRT_Executable *executable;

static int setup(void **state) {
  (void)state;
  client = host_client_create(1);
  device = host_device(client, 0);
  buffer = host_put(client, device, walk_six, walk_dims, 1);
  loaded = host_compile(client, walk_add);
  executable = host_executable(loaded);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  host_executable_destroy(executable);
  host_loaded_destroy(loaded);
  host_buffer_destroy(buffer);
  host_client_destroy(client);
  return 0;
}

static PJRT_TopologyDescription *topology(void) {
  HOST_ARGS(args, Client_TopologyDescription, .client = client);
  HOST_OK(Client_TopologyDescription, &args);
  return args.topology;
}

// `function` of the extension, with what else its arguments have. All of it must be there.
#define REFUSES(extension, function, type, ...)                                                                    \
  do {                                                                                                             \
    type args_ = {.struct_size = sizeof args_, __VA_ARGS__};                                                       \
    host_refuses_bad_args(#function, (host_function)(void *)(extension)->function, &args_, sizeof args_, NULL, 0); \
  } while (0)

static void test_layouts_shardings_and_memories(void **state) {
  (void)state;
  const PJRT_Layouts_Extension *layouts = (const void *)host_extension(PJRT_Extension_Type_Layouts);
  PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args of = {.struct_size = sizeof of, .buffer = buffer};
  HOST_GUARDED_OK(layouts->buffer_memory_layout, &of);
  REFUSES(layouts, memory_layout_serialize, PJRT_Layouts_MemoryLayout_Serialize_Args, .layout = of.layout);
  PJRT_Layouts_MemoryLayout_Destroy_Args gone = {.struct_size = sizeof gone, .layout = of.layout};
  HOST_GUARDED_OK(layouts->memory_layout_destroy, &gone);
  REFUSES(layouts, buffer_memory_layout, PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args, .buffer = buffer);
  REFUSES(layouts, client_get_default_layout, PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args, .client = client,
          .type = PJRT_Buffer_Type_F32, .dims = walk_dims, .num_dims = 1);
  REFUSES(layouts, topology_get_default_layout, PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args,
          .topology_description = topology(), .type = PJRT_Buffer_Type_F32, .dims = walk_dims, .num_dims = 1);
  REFUSES(layouts, executable_get_output_layouts, PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args,
          .executable = executable);
  REFUSES(layouts, executable_get_parameter_layouts, PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args,
          .executable = executable);
  const PJRT_Shardings_Extension *shardings = (const void *)host_extension(PJRT_Extension_Type_Shardings);
  REFUSES(shardings, parameter_shardings, PJRT_Shardings_ParameterShardings_Args, .executable = executable);
  REFUSES(shardings, output_shardings, PJRT_Shardings_OutputShardings_Args, .executable = executable);
  const PJRT_MemoryDescriptions_Extension *memories =
      (const void *)host_extension(PJRT_Extension_Type_MemoryDescriptions);
  HOST_ARGS(description, Device_GetDescription, .device = device);
  HOST_OK(Device_GetDescription, &description);
  PJRT_DeviceDescription_MemoryDescriptions_Args list = {.struct_size = sizeof list,
                                                         .device_description = description.device_description};
  REFUSES(memories, device_description_memory_descriptions, PJRT_DeviceDescription_MemoryDescriptions_Args,
          .device_description = description.device_description);
  HOST_GUARDED_OK(memories->device_description_memory_descriptions, &list);
  PJRT_DeviceDescription_MemoryDescriptions_Args draft = list;  // without the index of the default memory
  host_ok(host_call_guarded((host_function)(void *)memories->device_description_memory_descriptions, &draft,
                            sizeof draft, 40, 40),
          "memory_descriptions");
  assert_int_equal(draft.num_memory_descriptions, list.num_memory_descriptions);
  REFUSES(memories, memory_description_kind, PJRT_MemoryDescription_Kind_Args,
          .memory_description = list.memory_descriptions[0]);
}

// Also: a copy past the end, a raw alias of a buffer that is deleted, and one that outlives its buffer.
static void test_raw_buffers(void **state) {
  (void)state;
  const PJRT_RawBuffer_Extension *raw = (const void *)host_extension(PJRT_Extension_Type_RawBuffer);
  REFUSES(raw, create_raw_alias_of_buffer, PJRT_RawBuffer_CreateRawAliasOfBuffer_Args, .buffer = buffer);
  PJRT_Buffer *source = host_put(client, device, walk_six, walk_dims, 1);
  PJRT_RawBuffer_CreateRawAliasOfBuffer_Args create = {.struct_size = sizeof create, .buffer = source};
  HOST_GUARDED_OK(raw->create_raw_alias_of_buffer, &create);
  PJRT_RawBuffer *alias = create.raw_buffer;
  HOST_ARGS(erase, Buffer_Delete, .buffer = source);
  HOST_OK(Buffer_Delete, &erase);
  host_refused(raw->create_raw_alias_of_buffer(&create), PJRT_Error_Code_INVALID_ARGUMENT, "has been deleted");
  host_buffer_destroy(source);
  float got[6] = {0};
  REFUSES(raw, get_on_device_size_in_bytes, PJRT_RawBuffer_GetOnDeviceSizeInBytes_Args, .buffer = alias);
  REFUSES(raw, get_memory_space, PJRT_RawBuffer_GetMemorySpace_Args, .buffer = alias);
  REFUSES(raw, get_host_pointer, PJRT_RawBuffer_GetHostPointer_Args, .buffer = alias);
  REFUSES(raw, copy_raw_host_to_device, PJRT_RawBuffer_CopyRawHostToDevice_Args, .buffer = alias, .src = walk_six,
          .transfer_size = 24);
  REFUSES(raw, copy_raw_device_to_host, PJRT_RawBuffer_CopyRawDeviceToHost_Args, .buffer = alias, .dst = got,
          .transfer_size = 24);
  PJRT_RawBuffer_CopyRawDeviceToHost_Args copy = {
      .struct_size = sizeof copy, .buffer = alias, .dst = got, .offset = 8, .transfer_size = 20};
  host_refused(raw->copy_raw_device_to_host(&copy), PJRT_Error_Code_INVALID_ARGUMENT,
               "20 bytes at offset 8 of a buffer of 24 bytes");
  copy.offset = -4;
  host_refused(raw->copy_raw_device_to_host(&copy), PJRT_Error_Code_INVALID_ARGUMENT, "at offset -4");
  copy.offset = 4;
  HOST_GUARDED_OK(raw->copy_raw_device_to_host, &copy);
  assert_int_equal(host_await(copy.event, NULL), PJRT_Error_Code_OK);
  assert_memory_equal(got, walk_six + 1, 20);
  PJRT_RawBuffer_Destroy_Args gone = {.struct_size = sizeof gone, .buffer = alias};
  HOST_GUARDED_OK(raw->destroy, &gone);
  gone.buffer = NULL;
  HOST_GUARDED_OK(raw->destroy, &gone);
}

static void never_called(void *args, void *user) {
  (void)args;
  (void)user;
  fail_msg("a callback that was refused is called");
}

static void test_streams_callbacks_and_host_memory(void **state) {
  (void)state;
  const PJRT_Stream_Extension *streams = (const void *)host_extension(PJRT_Extension_Type_Stream);
  REFUSES(streams, get_stream, PJRT_Get_Stream_For_External_Ready_Events_Args, .device = device);
  PJRT_Get_Stream_For_External_Ready_Events_Args get = {.struct_size = sizeof get, .device = device};
  HOST_GUARDED_OK(streams->get_stream, &get);
  PJRT_Wait_Until_Buffer_Ready_On_Stream_Args wait = {.struct_size = sizeof wait, .stream = get.stream};
  host_refused(streams->wait_stream(&wait), PJRT_Error_Code_INVALID_ARGUMENT, "buffer is NULL");
  wait.buffer = buffer;
  wait.stream = 0;
  host_refused(streams->wait_stream(&wait), PJRT_Error_Code_INVALID_ARGUMENT, "is none of the 1 devices'");

  const PJRT_Callback_Extension *callbacks = (const void *)host_extension(PJRT_Extension_Type_Callback);
  static const size_t optional[] = {offsetof(PJRT_Callback_RegisterCallback_Args, user_arg)};
  PJRT_Callback_RegisterCallback_Args add = {.struct_size = sizeof add,
                                             .client = client,
                                             .type = PJRT_Callback_Type_Prefatal,
                                             .callback = never_called,
                                             .user_arg = client};
  host_refuses_bad_args("register_callback", (host_function)(void *)callbacks->register_callback, &add, sizeof add,
                        optional, 1);
  REFUSES(callbacks, invoke_callback, PJRT_Callback_InvokeCallback_Args, .client = client,
          .type = PJRT_Callback_Type_Prefatal);

  const PJRT_HostAllocator_Extension *allocator = (const void *)host_extension(PJRT_Extension_Type_HostAllocator);
  REFUSES(allocator, get_preferred_alignment, PJRT_HostAllocator_GetPreferredAlignment_Args, .client = client);
  REFUSES(allocator, allocate, PJRT_HostAllocator_Allocate_Args, .client = client, .size = 64, .alignment = 64);
  const PJRT_HostMemoryAllocator_Extension *on_node =
      (const void *)host_extension(PJRT_Extension_Type_HostMemoryAllocator);
  REFUSES(on_node, allocate, PJRT_HostMemoryAllocator_Allocate_Args, .client = client, .size = 64, .numa_node = -1);
}

static void test_ffi_and_partitioners(void **state) {
  (void)state;
  const PJRT_FFI_Extension *ffi = (const void *)host_extension(PJRT_Extension_Type_FFI);
  REFUSES(ffi, type_register, PJRT_FFI_Type_Register_Args, .type_name = "refused", .type_name_size = 7);
  PJRT_FFI_Register_Handler_Args handler = {
      .struct_size = sizeof handler, .target_name = "refused", .target_name_size = 7, .handler = &handler};
  host_refuses_bad_args("register_handler", (host_function)(void *)ffi->register_handler, &handler, sizeof handler,
                        NULL, 0);
  HOST_ARGS(context, ExecuteContext_Create);
  HOST_OK(ExecuteContext_Create, &context);
  static const size_t data[] = {offsetof(PJRT_FFI_UserData_Add_Args, user_data.data)};
  PJRT_FFI_UserData_Add_Args user = {
      .struct_size = sizeof user, .context = context.context, .user_data = {.type_id = 4711, .data = &user}};
  host_refuses_bad_args("user_data_add", (host_function)(void *)ffi->user_data_add, &user, sizeof user, data, 1);
  HOST_ARGS(gone, ExecuteContext_Destroy, .context = context.context);
  HOST_OK(ExecuteContext_Destroy, &gone);

  const PJRT_Custom_Partitioner_Extension *partitioners =
      (const void *)host_extension(PJRT_Extension_Type_Custom_Partitioner);
  static JAX_CustomCallPartitioner_Callbacks callbacks;
  REFUSES(partitioners, register_custom_partitioner, PJRT_Register_Custom_Partitioner_Args, .name = "refused",
          .name_size = 7, .callbacks = &callbacks);
  REFUSES(partitioners, register_batch_partitionable, PJRT_Register_Batch_Partitionable_Args, .name = "refused",
          .name_size = 7);
}

static void test_phases(void **state) {
  (void)state;
  const PJRT_PhaseCompile_Extension *phases = (const void *)host_extension(PJRT_Extension_Type_PhaseCompile);
  PJRT_PhaseCompile_Get_Compiler_Args get = {.struct_size = sizeof get};
  HOST_GUARDED_OK(phases->get_compiler, &get);
  static const char *programs[] = {""}, *names[] = {"check"};
  static const size_t program_sizes[] = {0}, name_sizes[] = {5};
  static const size_t optional[] = {offsetof(PJRT_PhaseCompile_Run_Phase_Args, topology)};
  PJRT_PhaseCompile_Run_Phase_Args run = {.struct_size = sizeof run,
                                          .phase_compiler = get.phase_compiler,
                                          .input_programs = programs,
                                          .input_programs_sizes = program_sizes,
                                          .num_input_programs = 1,
                                          .phases_to_run = names,
                                          .phases_to_run_sizes = name_sizes,
                                          .num_phases_to_run = 1,
                                          .compile_options = "options",
                                          .compile_options_size = 7,
                                          .topology = topology()};
  host_refuses_bad_args("run_phases", (host_function)(void *)phases->run_phases, &run, sizeof run, optional, 1);
  REFUSES(phases, get_phase_names, PJRT_PhaseCompile_Get_PhaseNames_Args, .phase_compiler = get.phase_compiler);
  programs[0] = NULL;
  host_refused(phases->run_phases(&run), PJRT_Error_Code_INVALID_ARGUMENT, "partial program 0 is NULL");
}

static void test_versions(void **state) {
  (void)state;
  const PJRT_AbiVersion_Extension *versions = (const void *)host_extension(PJRT_Extension_Type_AbiVersion);
  REFUSES(versions, client_runtime_abi_version, PJRT_Client_RuntimeAbiVersion_Args, .client = client);
  PJRT_Client_RuntimeAbiVersion_Args runtime = {.struct_size = sizeof runtime, .client = client};
  HOST_GUARDED_OK(versions->client_runtime_abi_version, &runtime);
  REFUSES(versions, executable_get_abi_version, PJRT_Executable_GetAbiVersion_Args, .executable = executable);
  PJRT_Executable_GetAbiVersion_Args none = {.struct_size = sizeof none, .executable = executable};
  host_refused(versions->executable_get_abi_version(&none), PJRT_Error_Code_UNIMPLEMENTED, "serialized form");
  PJRT_ExecutableAbiVersion *program = host_executable_version(versions, runtime.abi_version);
  REFUSES(versions, runtime_abi_version_is_compatible_with_runtime, PJRT_RuntimeAbiVersion_IsCompatibleWithRuntime_Args,
          .abi_version = runtime.abi_version, .other_abi_version = runtime.abi_version);
  REFUSES(versions, runtime_abi_version_is_compatible_with_executable,
          PJRT_RuntimeAbiVersion_IsCompatibleWithExecutable_Args, .abi_version = runtime.abi_version,
          .executable_abi_version = program);
  REFUSES(versions, runtime_abi_version_to_proto, PJRT_RuntimeAbiVersion_ToProto_Args,
          .abi_version = runtime.abi_version);
  REFUSES(versions, runtime_abi_version_platform_id, PJRT_RuntimeAbiVersion_PlatformId_Args,
          .abi_version = runtime.abi_version);
  REFUSES(versions, executable_abi_version_to_proto, PJRT_ExecutableAbiVersion_ToProto_Args, .abi_version = program);
  REFUSES(versions, executable_abi_version_platform_id, PJRT_ExecutableAbiVersion_PlatformId_Args,
          .abi_version = program);
  REFUSES(versions, runtime_abi_version_from_proto, PJRT_RuntimeAbiVersion_FromProto_Args, .serialized_proto = "proto",
          .serialized_proto_size = 5);
  REFUSES(versions, executable_abi_version_from_proto, PJRT_ExecutableAbiVersion_FromProto_Args,
          .serialized_proto = "proto", .serialized_proto_size = 5);
  PJRT_RuntimeAbiVersion_Destroy_Args gone = {.struct_size = sizeof gone, .abi_version = runtime.abi_version};
  HOST_GUARDED_OK(versions->runtime_abi_version_destroy, &gone);
  PJRT_ExecutableAbiVersion_Destroy_Args end = {.struct_size = sizeof end, .abi_version = program};
  HOST_GUARDED_OK(versions->executable_abi_version_destroy, &end);
}

// The error is lent.
static void note_failure(PJRT_Error *error, bool sent, void *user) {
  assert_false(sent);
  HOST_ARGS(code, Error_GetCode, .error = error);
  HOST_OK(Error_GetCode, &code);
  *(PJRT_Error_Code *)user = code.code;
}

// Also: a buffer to send that is not there, or another client's.
static void test_transfers_between_hosts(void **state) {
  (void)state;
  const PJRT_CrossHostTransfers_Extension *transfers =
      (const void *)host_extension(PJRT_Extension_Type_CrossHostTransfers);
  PJRT_Buffer *to_send[] = {buffer}, *received[1];
  PJRT_Event *sent[1];
  size_t ranks[] = {1};
  const int64_t *dims[] = {walk_dims}, keys[] = {1};
  const int32_t peers[] = {0};
  PJRT_Buffer_Type types[] = {PJRT_Buffer_Type_F32};
  REFUSES(transfers, make_cross_host_receive_buffers, PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args,
          .client = client, .num_shapes = 1, .shape_num_dims = ranks, .num_dims = dims, .element_types = types,
          .device = device, .buffers = received);
  REFUSES(transfers, cross_host_receive_buffers, PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args,
          .client = client, .num_shapes = 1, .shape_num_dims = ranks, .num_dims = dims, .element_types = types,
          .device = device, .src_global_device_ids = peers, .transfer_keys = keys, .buffers = received);
  REFUSES(transfers, cross_host_send_buffers, PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args, .client = client,
          .num_buffers = 1, .buffers = to_send, .dst_global_device_ids = peers, .transfer_keys = keys,
          .send_events = sent);
  PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args send = {.struct_size = sizeof send,
                                                               .client = client,
                                                               .num_buffers = 1,
                                                               .buffers = to_send,
                                                               .dst_global_device_ids = peers,
                                                               .transfer_keys = keys,
                                                               .send_events = sent};
  to_send[0] = NULL;
  host_refused(transfers->cross_host_send_buffers(&send), PJRT_Error_Code_INVALID_ARGUMENT, "buffer 0 to send is NULL");
  to_send[0] = buffer;
  send.client = host_client_create(1);
  host_refused(transfers->cross_host_send_buffers(&send), PJRT_Error_Code_INVALID_ARGUMENT, "is another client's");
  host_client_destroy(send.client);

  char *descriptor = NULL;
  size_t size = 0;
  PJRT_Error_Code code = PJRT_Error_Code_OK;
  PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args copy = {.struct_size = sizeof copy,
                                                             .serialized_descriptor = &descriptor,
                                                             .serialized_descriptor_size = &size,
                                                             .on_done = {&code, note_failure}};
  transfers->copy_to_remote_device(&copy);
  assert_int_equal(code, PJRT_Error_Code_INVALID_ARGUMENT);
  code = PJRT_Error_Code_OK;
  copy.buffer = buffer;
  copy.serialized_descriptor = NULL;
  transfers->copy_to_remote_device(&copy);
  assert_int_equal(code, PJRT_Error_Code_INVALID_ARGUMENT);
}

int main(int argc, char **argv) {
  host_set_library(argc > 1 ? argv[1] : NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_layouts_shardings_and_memories),
      cmocka_unit_test(test_raw_buffers),
      cmocka_unit_test(test_streams_callbacks_and_host_memory),
      cmocka_unit_test(test_ffi_and_partitioners),
      cmocka_unit_test(test_phases),
      cmocka_unit_test(test_versions),
      cmocka_unit_test(test_transfers_between_hosts),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
