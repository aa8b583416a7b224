// The extensions that JAX cannot do without (FFI, Layouts, Shardings, MemoryDescriptions), and RawBuffer: each function.
#include <stdlib.h>
#include <string.h>

#include "pjrt/ffi/xla_ffi.h"
#include "tests/cmocka.h"
#include "tests/pjrt/ffi_answer.h"
#include "tests/pjrt_walk/host_client.h"
#include "tests/pjrt_walk/host_refusals.h"

static const char add_text[] =
    "module @jit_add {\n"
    "  func.func public @main(%arg0: tensor<2x3xf32> {mhlo.layout_mode = \"{0,1}\"}, %arg1: tensor<2x3xf32>)\n"
    "      -> (tensor<2x3xf32> {mhlo.layout_mode = \"{0,1}\"}, tensor<f32>) {\n"
    "    %0 = stablehlo.add %arg0, %arg1 : tensor<2x3xf32>\n"
    "    %1 = stablehlo.constant dense<1.0> : tensor<f32>\n"
    "    return %0, %1 : tensor<2x3xf32>, tensor<f32>\n"
    "  }\n"
    "}\n";
static const char call_text[] =
    "module @jit_call {\n"
    "  func.func public @main(%arg0: tensor<6xf32>) -> tensor<6xf32> {\n"
    "    %0 = stablehlo.custom_call @times_user_data(%arg0) {api_version = 4 : i32, backend_config = {}} :\n"
    "        (tensor<6xf32>) -> tensor<6xf32>\n"
    "    return %0 : tensor<6xf32>\n"
    "  }\n"
    "}\n";
static const float six[] = {1, 2, 3, 4, 5, 6};
static const int64_t dims_6[] = {6}, dims_2x3[] = {2, 3};

static PJRT_TopologyDescription *topology(void) {
  HOST_ARGS(args, Client_TopologyDescription, .client = client);
  HOST_OK(Client_TopologyDescription, &args);
  return args.topology;
}

// ---- Layouts, shardings, memories -----------------------------------------------------------------------------------

static const PJRT_Layouts_Extension *layouts(void) { return (const void *)host_extension(PJRT_Extension_Type_Layouts); }

// The text stays until its deleter is called, also when the layout is gone.
static void assert_layout(PJRT_Layouts_MemoryLayout *layout, bool destroys, const char *wanted) {
  PJRT_Layouts_MemoryLayout_Serialize_Args text = {.struct_size = sizeof text, .layout = layout};
  HOST_GUARDED_OK(layouts()->memory_layout_serialize, &text);
  if (destroys) {
    PJRT_Layouts_MemoryLayout_Destroy_Args destroy = {.struct_size = sizeof destroy, .layout = layout};
    HOST_GUARDED_OK(layouts()->memory_layout_destroy, &destroy);
  }
  assert_int_equal(text.serialized_bytes_size, strlen(wanted));
  assert_memory_equal(text.serialized_bytes, wanted, strlen(wanted));
  text.serialized_layout_deleter(text.serialized_layout);
}

static void test_layouts(void **state) {
  (void)state;
  PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args of_client = {
      .struct_size = sizeof of_client, .client = client, .type = PJRT_Buffer_Type_F32, .dims = dims_2x3, .num_dims = 2};
  HOST_GUARDED_OK(layouts()->client_get_default_layout, &of_client);
  assert_layout(of_client.layout, true, "{1,0}");
  PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args of_topology = {.struct_size = sizeof of_topology,
                                                                  .topology_description = topology(),
                                                                  .type = PJRT_Buffer_Type_F32,
                                                                  .dims = dims_6,
                                                                  .num_dims = 1};
  HOST_GUARDED_OK(layouts()->topology_get_default_layout, &of_topology);
  assert_layout(of_topology.layout, true, "{0}");
  of_topology.type = PJRT_Buffer_Type_INVALID;
  host_refused(layouts()->topology_get_default_layout(&of_topology), PJRT_Error_Code_INVALID_ARGUMENT, "");

  const int64_t order[] = {0, 1};
  PJRT_Buffer_MemoryLayout column_major = {
      .struct_size = sizeof column_major,
      .tiled = {.struct_size = sizeof column_major.tiled, .minor_to_major = order, .minor_to_major_size = 2},
      .type = PJRT_Buffer_MemoryLayout_Type_Tiled};
  HOST_ARGS(put, Client_BufferFromHostBuffer, .client = client, .data = six, .type = PJRT_Buffer_Type_F32,
            .dims = dims_2x3, .num_dims = 2, .device = device, .device_layout = &column_major);
  HOST_OK(Client_BufferFromHostBuffer, &put);
  assert_int_equal(host_await(put.done_with_host_buffer, NULL), PJRT_Error_Code_OK);
  PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args of_buffer = {.struct_size = sizeof of_buffer, .buffer = put.buffer};
  HOST_GUARDED_OK(layouts()->buffer_memory_layout, &of_buffer);
  host_buffer_destroy(put.buffer);
  assert_layout(of_buffer.layout, true, "{0,1}");
  of_buffer.buffer = NULL;
  host_refused(layouts()->buffer_memory_layout(&of_buffer), PJRT_Error_Code_INVALID_ARGUMENT, "buffer is NULL");

  PJRT_LoadedExecutable *loaded = host_compile(client, add_text);
  PJRT_Executable *executable = host_executable(loaded);
  PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args out = {.struct_size = sizeof out, .executable = executable};
  HOST_GUARDED_OK(layouts()->executable_get_output_layouts, &out);
  assert_int_equal(out.num_outputs, 2);
  assert_layout(out.layouts[0], false, "{0,1}");
  assert_layout(out.layouts[1], false, "{}");
  PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args in = {.struct_size = sizeof in, .executable = executable};
  HOST_GUARDED_OK(layouts()->executable_get_parameter_layouts, &in);
  assert_int_equal(in.num_parameters, 2);
  assert_layout(in.layouts[0], false, "{0,1}");
  assert_layout(in.layouts[1], false, "{1,0}");
  host_executable_destroy(executable);
  host_loaded_destroy(loaded);
}

// Every parameter and result has a sharding; on one device it is the replicated one.
static void test_shardings(void **state) {
  (void)state;
  const PJRT_Shardings_Extension *shardings = (const void *)host_extension(PJRT_Extension_Type_Shardings);
  PJRT_LoadedExecutable *loaded = host_compile(client, add_text);
  PJRT_Executable *executable = host_executable(loaded);
  PJRT_Shardings_ParameterShardings_Args in = {.struct_size = sizeof in, .executable = executable};
  HOST_GUARDED_OK(shardings->parameter_shardings, &in);
  assert_int_equal(in.num_parameters, 2);
  PJRT_Shardings_OutputShardings_Args out = {.struct_size = sizeof out, .executable = executable};
  HOST_GUARDED_OK(shardings->output_shardings, &out);
  assert_int_equal(out.num_outputs, 2);
  for (int i = 0; i < 2; i++) {
    assert_non_null(in.shardings[i]);
    assert_int_equal(in.sharding_sizes[i], 0);
    assert_int_equal(out.sharding_sizes[i], 0);
  }
  host_executable_destroy(executable);
  host_loaded_destroy(loaded);
  in.executable = NULL;
  host_refused(shardings->parameter_shardings(&in), PJRT_Error_Code_INVALID_ARGUMENT, "executable is NULL");
}

// The described memories are those that a client's device has.
static void test_memory_descriptions(void **state) {
  (void)state;
  const PJRT_MemoryDescriptions_Extension *memories =
      (const void *)host_extension(PJRT_Extension_Type_MemoryDescriptions);
  HOST_ARGS(description, Device_GetDescription, .device = device);
  HOST_OK(Device_GetDescription, &description);
  PJRT_DeviceDescription_MemoryDescriptions_Args args = {.struct_size = sizeof args,
                                                         .device_description = description.device_description};
  HOST_GUARDED_OK(memories->device_description_memory_descriptions, &args);
  assert_int_equal(args.num_memory_descriptions, 3);
  assert_in_range(args.default_memory_index, 0, 2);
  for (size_t i = 0; i < 3; i++) {
    PJRT_MemoryDescription_Kind_Args kind = {.struct_size = sizeof kind,
                                             .memory_description = args.memory_descriptions[i]};
    HOST_GUARDED_OK(memories->memory_description_kind, &kind);
    char name[32] = "";
    memcpy(name, kind.kind, kind.kind_size);
    HOST_ARGS(id, Memory_Kind_Id, .memory = host_memory(device, name));
    HOST_OK(Memory_Kind_Id, &id);
    assert_int_equal(id.kind_id, kind.kind_id);
    assert_int_equal(strcmp(name, "device") == 0, i == args.default_memory_index);
  }
}

// ---- RawBuffer ------------------------------------------------------------------------------------------------------

static const PJRT_RawBuffer_Extension *raws(void) {
  return (const void *)host_extension(PJRT_Extension_Type_RawBuffer);
}

static PJRT_RawBuffer *alias_of(PJRT_Buffer *buffer) {
  PJRT_RawBuffer_CreateRawAliasOfBuffer_Args args = {.struct_size = sizeof args, .buffer = buffer};
  HOST_GUARDED_OK(raws()->create_raw_alias_of_buffer, &args);
  return args.raw_buffer;
}

static PJRT_Event *raw_put(PJRT_RawBuffer *raw, const float *from, int64_t offset, int64_t size) {
  PJRT_RawBuffer_CopyRawHostToDevice_Args args = {
      .struct_size = sizeof args, .buffer = raw, .src = from, .offset = offset, .transfer_size = size};
  HOST_GUARDED_OK(raws()->copy_raw_host_to_device, &args);
  return args.event;
}

static PJRT_Event *raw_get(PJRT_RawBuffer *raw, float *to, int64_t offset, int64_t size) {
  PJRT_RawBuffer_CopyRawDeviceToHost_Args args = {
      .struct_size = sizeof args, .buffer = raw, .dst = to, .offset = offset, .transfer_size = size};
  HOST_GUARDED_OK(raws()->copy_raw_device_to_host, &args);
  return args.event;
}

static void raw_destroy(PJRT_RawBuffer *raw) {
  PJRT_RawBuffer_Destroy_Args args = {.struct_size = sizeof args, .buffer = raw};
  HOST_GUARDED_OK(raws()->destroy, &args);
}

// The alias sees what the buffer has, also after the host deleted the buffer.
static void test_raw_buffer(void **state) {
  (void)state;
  PJRT_Memory *visible = host_visible_memory(device);
  PJRT_Buffer *buffer = host_put_in(client, visible, six, dims_6, 1);
  PJRT_RawBuffer *raw = alias_of(buffer);
  PJRT_RawBuffer_GetOnDeviceSizeInBytes_Args size = {.struct_size = sizeof size, .buffer = raw};
  HOST_GUARDED_OK(raws()->get_on_device_size_in_bytes, &size);
  assert_int_equal(size.on_device_size_in_bytes, 24);
  PJRT_RawBuffer_GetMemorySpace_Args memory = {.struct_size = sizeof memory, .buffer = raw};
  HOST_GUARDED_OK(raws()->get_memory_space, &memory);
  assert_ptr_equal(memory.memory_space, visible);
  PJRT_RawBuffer_GetHostPointer_Args pointer = {.struct_size = sizeof pointer, .buffer = raw};
  HOST_GUARDED_OK(raws()->get_host_pointer, &pointer);
  assert_memory_equal(pointer.host_pointer, six, sizeof six);
  HOST_ARGS(erase, Buffer_Delete, .buffer = buffer);
  HOST_OK(Buffer_Delete, &erase);
  const float ten = 10;
  float got[2];
  assert_int_equal(host_await(raw_put(raw, &ten, 4, 4), NULL), PJRT_Error_Code_OK);
  assert_int_equal(host_await(raw_get(raw, got, 4, 8), NULL), PJRT_Error_Code_OK);
  assert_true(got[0] == 10 && got[1] == 3);
  assert_int_equal(host_await(raw_get(raw, NULL, 24, 0), NULL), PJRT_Error_Code_OK);

  PJRT_RawBuffer_CopyRawDeviceToHost_Args beyond = {
      .struct_size = sizeof beyond, .buffer = raw, .dst = got, .offset = 20, .transfer_size = 8};
  host_refused(raws()->copy_raw_device_to_host(&beyond), PJRT_Error_Code_INVALID_ARGUMENT, "");
  beyond.offset = 0;
  beyond.dst = NULL;
  host_refused(raws()->copy_raw_device_to_host(&beyond), PJRT_Error_Code_INVALID_ARGUMENT, "NULL");
  PJRT_RawBuffer_CreateRawAliasOfBuffer_Args gone = {.struct_size = sizeof gone, .buffer = buffer};
  host_refused(raws()->create_raw_alias_of_buffer(&gone), PJRT_Error_Code_INVALID_ARGUMENT, "deleted");
  raw_destroy(raw);
  raw_destroy(NULL);
  host_buffer_destroy(buffer);
}

// Memory at which a host may not look is copied all the same, and has no address.
static void test_raw_buffer_without_address(void **state) {
  (void)state;
  PJRT_Buffer *buffer = host_put(client, device, six, dims_6, 1);
  PJRT_RawBuffer *raw = alias_of(buffer);
  HOST_ARGS(erase, Buffer_Delete, .buffer = buffer);
  HOST_OK(Buffer_Delete, &erase);
  const float ten = 10;
  float got[6];
  assert_int_equal(host_await(raw_put(raw, &ten, 4, 4), NULL), PJRT_Error_Code_OK);
  assert_int_equal(host_await(raw_get(raw, got, 0, 24), NULL), PJRT_Error_Code_OK);
  assert_true(got[0] == 1 && got[1] == 10 && got[5] == 6);
  PJRT_RawBuffer_GetHostPointer_Args pointer = {.struct_size = sizeof pointer, .buffer = raw};
  PJRT_Error *error = raws()->get_host_pointer(&pointer);
  assert_int_equal(host_take_error(error, NULL),
                   host_sees_device_memory() ? PJRT_Error_Code_OK : PJRT_Error_Code_UNIMPLEMENTED);
  assert_int_equal(pointer.host_pointer != NULL, host_sees_device_memory());
  raw_destroy(raw);
  host_buffer_destroy(buffer);
}

// Copies of a buffer whose content is on the way wait for it, not their caller; an error instead of content is theirs too.
static void test_raw_copies_of_pending_buffers(void **state) {
  (void)state;
  for (int fails = 0; fails < 2; fails++) {
    PJRT_Memory *visible = host_visible_memory(device);
    HOST_ARGS(make, Client_CreateAliasBuffer, .client = client, .memory = visible, .shape_dims = dims_6,
              .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32);
    HOST_OK(Client_CreateAliasBuffer, &make);
    PJRT_RawBuffer *raw = alias_of(make.alias_buffer);
    PJRT_RawBuffer_GetHostPointer_Args pointer = {.struct_size = sizeof pointer, .buffer = raw};
    HOST_GUARDED_OK(raws()->get_host_pointer, &pointer);
    const float *place = pointer.host_pointer;
    float got[6] = {0};
    PJRT_Event *event = raw_get(raw, got, 0, 24);
    HOST_ARGS(ready, Event_IsReady, .event = event);
    HOST_OK(Event_IsReady, &ready);
    assert_false(ready.is_ready);
    PJRT_Buffer *content = host_put_in(client, visible, six, dims_6, 1);
    HOST_ARGS(fulfill, Client_FulfillAliasBuffer, .client = client, .buffer = fails ? NULL : content,
              .status_code = fails ? PJRT_Error_Code_ABORTED : PJRT_Error_Code_OK, .error_message = "no",
              .error_message_size = 2, .fulfill_alias_buffer_cb = make.fulfill_alias_buffer_cb);
    HOST_OK(Client_FulfillAliasBuffer, &fulfill);
    assert_int_equal(host_await(event, NULL), fails ? PJRT_Error_Code_ABORTED : PJRT_Error_Code_OK);
    assert_true(got[5] == (fails ? 0 : 6));
    assert_true(fails || place[5] == 6);
    assert_int_equal(host_take_error(raws()->get_host_pointer(&pointer), NULL),
                     fails ? PJRT_Error_Code_ABORTED : PJRT_Error_Code_OK);
    raw_destroy(raw);
    host_buffer_destroy(content);
    host_buffer_destroy(make.alias_buffer);
  }
}

// ---- FFI ------------------------------------------------------------------------------------------------------------

static int64_t factor_type;
static int deleted;

static void delete_factor(void *object) {
  (void)object;
  deleted++;
}

static XLA_FFI_Error *times_user_data(XLA_FFI_CallFrame *frame) {
  FFI_ANSWER(frame, XLA_FFI_MINOR);
  XLA_FFI_TypeId id = {factor_type};
  XLA_FFI_InvokeContext_Get_Args args = {.struct_size = sizeof args, .ctx = frame->ctx, .type_id = &id};
  XLA_FFI_Error *error = frame->api->XLA_FFI_InvokeContext_Get(&args);
  const XLA_FFI_Buffer *x = frame->args.args[0], *y = frame->rets.args[0];
  for (int i = 0; !error && i < 6; i++) {
    ((float *)y->data)[i] = *(const float *)args.data * ((const float *)x->data)[i];
  }
  return error;
}

static PJRT_Error *register_handler(const PJRT_FFI_Extension *ffi, const char *target, const char *platform) {
  XLA_FFI_Handler *handler = times_user_data;
  PJRT_FFI_Register_Handler_Args args = {.struct_size = sizeof args,
                                         .target_name = target,
                                         .target_name_size = strlen(target),
                                         .platform_name = platform,
                                         .platform_name_size = strlen(platform)};
  memcpy(&args.handler, &handler, sizeof handler);
  return ffi->register_handler(&args);
}

static PJRT_Error *call_with(PJRT_LoadedExecutable *loaded, PJRT_ExecuteContext *context, PJRT_Buffer *x, float *out) {
  PJRT_ExecuteOptions options = {.struct_size = sizeof options, .launch_id = 1, .context = context};
  PJRT_Buffer *const *arguments[] = {&x};
  PJRT_Buffer *y = NULL, **results[] = {&y};
  PJRT_Event *events[] = {NULL};
  HOST_ARGS(args, LoadedExecutable_Execute, .executable = loaded, .options = &options, .argument_lists = arguments,
            .num_devices = 1, .num_args = 1, .output_lists = results, .device_complete_events = events);
  PJRT_Error *error = host_api()->PJRT_LoadedExecutable_Execute(&args);
  if (error) {
    return error;
  }
  // What fails after the call, on whatever thread, is told by the result.
  host_await(events[0], NULL);
  HOST_ARGS(to_host, Buffer_ToHostBuffer, .src = y, .dst = out, .dst_size = 6 * sizeof *out);
  error = host_api()->PJRT_Buffer_ToHostBuffer(&to_host);
  if (error == NULL) {
    host_await(to_host.event, NULL);
  }
  host_buffer_destroy(y);
  return error;
}

static int deleted_itself;
static void delete_itself(void *data) {
  (void)data;
  deleted_itself++;
}

// User data of an older host brings its deleter along; without one the type's is called, and of a struct that is longer than
// that one nothing is taken for a deleter.
static void add_with_deleters(const PJRT_FFI_Extension *ffi, float *factor) {
  const struct {
    void (*deleter)(void *data);
    size_t size;
    int itself, by_type;
  } cases[] = {{delete_itself, 48, 1, 0}, {NULL, 48, 0, 1}, {delete_itself, 56, 0, 1}};
  for (int i = 0; i < 3; i++) {
    deleted = deleted_itself = 0;
    HOST_ARGS(context, ExecuteContext_Create);
    HOST_OK(ExecuteContext_Create, &context);
    PJRT_FFI_UserData_Add_Args_WithDeleter add = {.context = context.context,
                                                  .user_data = {factor_type, factor, cases[i].deleter}};
    host_ok(
        host_call_guarded((host_function)(void *)ffi->user_data_add, &add, sizeof add, cases[i].size, cases[i].size),
        "user_data_add");
    HOST_ARGS(end, ExecuteContext_Destroy, .context = context.context);
    HOST_OK(ExecuteContext_Destroy, &end);
    assert_int_equal(deleted_itself, cases[i].itself);
    assert_int_equal(deleted, cases[i].by_type);
  }
}

// A handler finds what the host added to this execution under a type, which is deleted once.
static void test_ffi(void **state) {
  (void)state;
  const PJRT_FFI_Extension *ffi = (const void *)host_extension(PJRT_Extension_Type_FFI);
  PJRT_FFI_Type_Info info = {.deleter = delete_factor};
  PJRT_FFI_Type_Register_Args type = {
      .struct_size = sizeof type, .type_name = "factor", .type_name_size = 6, .type_info = &info};
  HOST_GUARDED_OK(ffi->type_register, &type);
  assert_int_not_equal(type.type_id, 0);
  factor_type = type.type_id;
  type.type_id = 0;
  HOST_GUARDED_OK(ffi->type_register, &type);
  assert_int_equal(type.type_id, factor_type);
  type.type_id++;
  host_refused(ffi->type_register(&type), PJRT_Error_Code_ALREADY_EXISTS, "factor");

  host_ok(register_handler(ffi, "times_user_data", "Host"), "register_handler");
  host_ok(register_handler(ffi, "prepared", "Host:prepare"), "register_handler");
  host_refused(register_handler(ffi, "x", "Host:twice"), PJRT_Error_Code_INVALID_ARGUMENT, "'twice'");
  PJRT_FFI_Register_Handler_Args none = {.struct_size = sizeof none, .target_name = "x", .target_name_size = 1};
  host_refused(ffi->register_handler(&none), PJRT_Error_Code_INVALID_ARGUMENT, "handler is NULL");

  PJRT_LoadedExecutable *loaded = host_compile(client, call_text);
  PJRT_Buffer *x = host_put(client, device, six, dims_6, 1);
  float factor = 3, got[6];
  HOST_ARGS(context, ExecuteContext_Create);
  HOST_OK(ExecuteContext_Create, &context);
  PJRT_FFI_UserData_Add_Args add = {
      .struct_size = sizeof add, .context = context.context, .user_data = {factor_type, &factor}};
  HOST_GUARDED_OK(ffi->user_data_add, &add);
  host_refused(ffi->user_data_add(&add), PJRT_Error_Code_ALREADY_EXISTS, "before");
  host_ok(call_with(loaded, context.context, x, got), "Execute");
  assert_true(got[0] == 3 && got[5] == 18);
  assert_int_equal(deleted, 0);
  HOST_ARGS(end, ExecuteContext_Destroy, .context = context.context);
  HOST_OK(ExecuteContext_Destroy, &end);
  assert_int_equal(deleted, 1);
  add.context = NULL;
  host_refused(ffi->user_data_add(&add), PJRT_Error_Code_INVALID_ARGUMENT, "context is NULL");
  add_with_deleters(ffi, &factor);
  host_buffer_destroy(x);
  host_loaded_destroy(loaded);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    host_set_library(argv[1]);
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_layouts),
      cmocka_unit_test(test_shardings),
      cmocka_unit_test(test_memory_descriptions),
      cmocka_unit_test(test_raw_buffer),
      cmocka_unit_test(test_raw_buffer_without_address),
      cmocka_unit_test(test_ffi),
      cmocka_unit_test(test_raw_copies_of_pending_buffers),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
