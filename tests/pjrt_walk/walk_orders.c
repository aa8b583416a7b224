// The walk's part on calls in bad order: what was deleted, what is another client's, what is not there behind a pointer that
// is, what is not ready yet.
#include <stdlib.h>
#include <string.h>

#include "tests/pjrt_walk/walk.h"

static PJRT_Buffer *put_six(void) { return host_put(world.client, world.device, walk_six, walk_dims, 1); }

// The call is refused with INVALID_ARGUMENT and these words.
#define WALK_SAYS(slot, args, says) host_refused(host_api()->PJRT_##slot(args), PJRT_Error_Code_INVALID_ARGUMENT, says)

// ---- After deletion -------------------------------------------------------------------------------------------------

// A deleted buffer has its handle and its shape left; everything that wants its content says so. It is deleted twice.
static void use_after_delete(void) {
  static const char deleted[] = "has been deleted";
  PJRT_Buffer *buffer = put_six(), *arguments[] = {buffer, buffer}, *result = NULL;
  HOST_ARGS(erase, Buffer_Delete, .buffer = buffer);
  WALK_OK(Buffer_Delete, &erase);
  WALK_OK(Buffer_Delete, &erase);
  host_refused(host_execute(world.add, arguments, 2, &result), PJRT_Error_Code_INVALID_ARGUMENT, deleted);
  assert_null(result);
  float got[6];
  HOST_ARGS(to_host, Buffer_ToHostBuffer, .src = buffer, .dst = got, .dst_size = sizeof got);
  WALK_SAYS(Buffer_ToHostBuffer, &to_host, deleted);
  HOST_ARGS(raw, Buffer_CopyRawToHost, .buffer = buffer, .dst = got, .transfer_size = 4);
  WALK_SAYS(Buffer_CopyRawToHost, &raw, deleted);
  HOST_ARGS(later, Buffer_CopyRawToHostFuture, .buffer = buffer, .transfer_size = 4);
  WALK_SAYS(Buffer_CopyRawToHostFuture, &later, deleted);
  HOST_ARGS(to_memory, Buffer_CopyToMemory, .buffer = buffer, .dst_memory = host_memory(world.second, "device"));
  WALK_SAYS(Buffer_CopyToMemory, &to_memory, deleted);
  HOST_ARGS(to_device, Buffer_CopyToDevice, .buffer = buffer, .dst_device = world.second);
  WALK_SAYS(Buffer_CopyToDevice, &to_device, deleted);
  HOST_ARGS(cast, Buffer_Bitcast, .buffer = buffer, .element_type = PJRT_Buffer_Type_F32, .dims = walk_dims,
            .num_dims = 1);
  WALK_SAYS(Buffer_Bitcast, &cast, deleted);
  HOST_ARGS(donate, Buffer_DonateWithControlDependency, .buffer = buffer);
  WALK_SAYS(Buffer_DonateWithControlDependency, &donate, deleted);
  assert_null(donate.out_buffer);
  HOST_ARGS(pointer, Buffer_UnsafePointer, .buffer = buffer);
  WALK_SAYS(Buffer_UnsafePointer, &pointer, deleted);
  HOST_ARGS(opaque, Buffer_OpaqueDeviceMemoryDataPointer, .buffer = buffer);
  WALK_SAYS(Buffer_OpaqueDeviceMemoryDataPointer, &opaque, deleted);
  HOST_ARGS(pin, Buffer_IncreaseExternalReferenceCount, .buffer = buffer);
  WALK_SAYS(Buffer_IncreaseExternalReferenceCount, &pin, deleted);
  HOST_ARGS(unpin, Buffer_DecreaseExternalReferenceCount, .buffer = buffer);
  WALK_REFUSED(Buffer_DecreaseExternalReferenceCount, &unpin, INVALID_ARGUMENT);
  const char *message;
  assert_int_equal(host_await_buffer(buffer, &message), PJRT_Error_Code_INVALID_ARGUMENT);
  assert_non_null(strstr(message, deleted));
  HOST_ARGS(shape, Buffer_Dimensions, .buffer = buffer);
  WALK_OK(Buffer_Dimensions, &shape);
  assert_int_equal(shape.dims[0], 6);
  host_buffer_destroy(buffer);
}

// A deleted executable answers questions about itself and runs no more.
static void execute_after_delete(void) {
  PJRT_LoadedExecutable *loaded = host_compile(world.client, walk_add);
  HOST_ARGS(erase, LoadedExecutable_Delete, .executable = loaded);
  WALK_OK(LoadedExecutable_Delete, &erase);
  PJRT_Buffer *buffer = put_six(), *arguments[] = {buffer, buffer}, *result = NULL;
  host_refused(host_execute(loaded, arguments, 2, &result), PJRT_Error_Code_FAILED_PRECONDITION, "has been deleted");
  assert_null(result);
  HOST_ARGS(get, LoadedExecutable_GetExecutable, .loaded_executable = loaded);
  WALK_OK(LoadedExecutable_GetExecutable, &get);
  HOST_ARGS(gone, Executable_Destroy, .executable = get.executable);
  WALK_OK(Executable_Destroy, &gone);
  host_buffer_destroy(buffer);
  host_loaded_destroy(loaded);
}

// ---- What is another client's -----------------------------------------------------------------------------------------

static void fulfill_with(PJRT_Buffer *wrong, const char *says) {
  HOST_ARGS(alias, Client_CreateAliasBuffer, .client = world.client, .memory = host_memory(world.device, "device"),
            .shape_dims = walk_dims, .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32);
  WALK_OK(Client_CreateAliasBuffer, &alias);
  HOST_ARGS(fulfill, Client_FulfillAliasBuffer, .client = world.client, .buffer = wrong,
            .fulfill_alias_buffer_cb = alias.fulfill_alias_buffer_cb);
  WALK_SAYS(Client_FulfillAliasBuffer, &fulfill, says);
  const char *message;
  assert_int_equal(host_await_buffer(alias.alias_buffer, &message), PJRT_Error_Code_INVALID_ARGUMENT);
  assert_non_null(strstr(message, says));
  host_buffer_destroy(alias.alias_buffer);
}

// Nothing is made in a memory of another client.
static void make_in(PJRT_Memory *memory) {
  static const char says[] = "is a memory of another client";
  HOST_ARGS(put, Client_BufferFromHostBuffer, .client = world.client, .data = walk_six, .type = PJRT_Buffer_Type_F32,
            .dims = walk_dims, .num_dims = 1, .memory = memory);
  WALK_SAYS(Client_BufferFromHostBuffer, &put, says);
  put.memory = NULL;
  put.device = world.foreign;
  WALK_SAYS(Client_BufferFromHostBuffer, &put, says);
  HOST_ARGS(blank, Client_CreateUninitializedBuffer, .client = world.client, .shape_dims = walk_dims,
            .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32, .memory = memory);
  WALK_SAYS(Client_CreateUninitializedBuffer, &blank, says);
  HOST_ARGS(failed, Client_CreateErrorBuffer, .client = world.client, .error_code = PJRT_Error_Code_ABORTED,
            .shape_dims = walk_dims, .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32, .memory = memory);
  WALK_SAYS(Client_CreateErrorBuffer, &failed, says);
  HOST_ARGS(alias, Client_CreateAliasBuffer, .client = world.client, .memory = memory, .shape_dims = walk_dims,
            .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32);
  WALK_SAYS(Client_CreateAliasBuffer, &alias, says);
  HOST_ARGS(view, Client_CreateViewOfDeviceBuffer, .client = world.client, .device_buffer_ptr = (void *)walk_six,
            .dims = walk_dims, .num_dims = 1, .element_type = PJRT_Buffer_Type_F32, .memory = memory);
  WALK_SAYS(Client_CreateViewOfDeviceBuffer, &view, says);
  PJRT_ShapeSpec spec = {
      .struct_size = sizeof spec, .dims = walk_dims, .num_dims = 1, .element_type = PJRT_Buffer_Type_F32};
  HOST_ARGS(manager, Client_CreateBuffersForAsyncHostToDevice, .client = world.client, .shape_specs = &spec,
            .num_shape_specs = 1, .memory = memory);
  WALK_SAYS(Client_CreateBuffersForAsyncHostToDevice, &manager, says);
}

// Buffers, memories and devices of one client mean nothing to another but where a copy goes, and those of another device are not this
// one's.
static void use_of_others(void) {
  PJRT_Buffer *foreign = host_put(world.other, world.foreign, walk_six, walk_dims, 1), *result = NULL;
  PJRT_Buffer *elsewhere = host_put(world.client, world.second, walk_six, walk_dims, 1);
  PJRT_Buffer *arguments[] = {foreign, foreign}, *mixed[] = {elsewhere, elsewhere};
  host_refused(host_execute(world.add, arguments, 2, &result), PJRT_Error_Code_INVALID_ARGUMENT, "argument 0 is on");
  host_refused(host_execute(world.add, mixed, 2, &result), PJRT_Error_Code_INVALID_ARGUMENT, "wanted device 0");
  make_in(host_memory(world.foreign, "device"));
  fulfill_with(foreign, "not its own memory");
  fulfill_with(elsewhere, "not its own memory");
  host_buffer_destroy(elsewhere);
  host_buffer_destroy(foreign);
}

// ---- Behind a pointer that is there -------------------------------------------------------------------------------------

// Lists whose items are NULL, texts that have a size and no address.
static void nothing_inside(void) {
  PJRT_Program program = walk_program(walk_add);
  program.code = NULL;
  HOST_ARGS(compile, Client_Compile, .client = world.client, .program = &program);
  WALK_SAYS(Client_Compile, &compile, "code is NULL");
  program = walk_program(walk_add);
  program.format = NULL;
  WALK_SAYS(Client_Compile, &compile, "format is NULL");
  program = walk_program(walk_add);
  compile.compile_options_size = 5;
  WALK_SAYS(Client_Compile, &compile, "compile_options is NULL");

  PJRT_Buffer *buffer = put_six(), *arguments[] = {buffer, NULL}, *result = NULL;
  host_refused(host_execute(world.add, arguments, 2, &result), PJRT_Error_Code_INVALID_ARGUMENT, "argument 1 is NULL");
  host_refused(host_execute(world.add, NULL, 2, &result), PJRT_Error_Code_INVALID_ARGUMENT, "is NULL");
  arguments[1] = buffer;
  host_refused(host_execute(world.add, arguments, 2, NULL), PJRT_Error_Code_INVALID_ARGUMENT, "is NULL");
  PJRT_Buffer **outputs = &result, *const *list = arguments;
  PJRT_ExecuteOptions options = {.struct_size = sizeof options, .num_non_donatable_input_indices = 2};
  HOST_ARGS(run, LoadedExecutable_Execute, .executable = world.add, .options = &options, .argument_lists = &list,
            .num_devices = 1, .num_args = 2, .output_lists = &outputs);
  WALK_SAYS(LoadedExecutable_Execute, &run, "2 non-donatable inputs at NULL");
  host_buffer_destroy(buffer);

  PJRT_ShapeSpec spec = {.struct_size = sizeof spec, .num_dims = 1, .element_type = PJRT_Buffer_Type_F32};
  HOST_ARGS(manager, Client_CreateBuffersForAsyncHostToDevice, .client = world.client, .shape_specs = &spec,
            .num_shape_specs = 1);
  WALK_SAYS(Client_CreateBuffersForAsyncHostToDevice, &manager, "dimensions at NULL");
  spec.struct_size = 8;
  WALK_SAYS(Client_CreateBuffersForAsyncHostToDevice, &manager, "struct_size is 8");
  HOST_ARGS(client, Client_Create, .num_options = 1);
  WALK_SAYS(Client_Create, &client, "create_options is NULL");
}

// A manager of no buffers has none to fill; a copy that is told where to go learns so late that it cannot.
static void nothing_to_fill(void) {
  HOST_ARGS(create, Client_CreateBuffersForAsyncHostToDevice, .client = world.client);
  WALK_OK(Client_CreateBuffersForAsyncHostToDevice, &create);
  HOST_ARGS(size, AsyncHostToDeviceTransferManager_BufferSize, .transfer_manager = create.transfer_manager);
  WALK_SAYS(AsyncHostToDeviceTransferManager_BufferSize, &size, "buffer index 0 of 0 buffers");
  HOST_ARGS(destroy, AsyncHostToDeviceTransferManager_Destroy, .transfer_manager = create.transfer_manager);
  WALK_OK(AsyncHostToDeviceTransferManager_Destroy, &destroy);

  PJRT_Buffer *buffer = put_six();
  HOST_ARGS(later, Buffer_CopyRawToHostFuture, .buffer = buffer, .transfer_size = 4);
  WALK_OK(Buffer_CopyRawToHostFuture, &later);
  PJRT_Buffer_CopyRawToHostFuture_Callback_Args here = {.struct_size = sizeof here,
                                                        .callback_data = later.callback_data};
  later.future_ready_callback(&here);
  const char *message;
  assert_int_equal(host_await(later.event, &message), PJRT_Error_Code_INVALID_ARGUMENT);
  assert_non_null(strstr(message, "NULL"));
  host_buffer_destroy(buffer);
}

// ---- Before it is ready -------------------------------------------------------------------------------------------------

// Everything may be destroyed before it is ready.
static void destroy_early(void) {
  PJRT_ShapeSpec spec = {
      .struct_size = sizeof spec, .dims = walk_dims, .num_dims = 1, .element_type = PJRT_Buffer_Type_F32};
  HOST_ARGS(create, Client_CreateBuffersForAsyncHostToDevice, .client = world.client, .shape_specs = &spec,
            .num_shape_specs = 1);
  WALK_OK(Client_CreateBuffersForAsyncHostToDevice, &create);
  PJRT_Buffer *pending = walk_retrieve(create.transfer_manager, 0), *arguments[] = {pending, pending}, *result = NULL;
  PJRT_LoadedExecutable *loaded = host_compile(world.client, walk_add);
  PJRT_Buffer **outputs = &result, *const *list = arguments;
  PJRT_Event *done = NULL;
  HOST_ARGS(run, LoadedExecutable_Execute, .executable = loaded, .argument_lists = &list, .num_devices = 1,
            .num_args = 2, .output_lists = &outputs, .device_complete_events = &done);
  WALK_OK(LoadedExecutable_Execute, &run);
  HOST_ARGS(ready, Buffer_ReadyEvent, .buffer = result);
  WALK_OK(Buffer_ReadyEvent, &ready);
  host_loaded_destroy(loaded);
  host_buffer_destroy(result);
  host_buffer_destroy(pending);
  HOST_ARGS(gone, Event_Destroy, .event = done);
  WALK_OK(Event_Destroy, &gone);
  assert_int_equal(walk_piece(create.transfer_manager, 0, 24, true), PJRT_Error_Code_OK);
  assert_int_equal(host_await(ready.event, NULL), PJRT_Error_Code_OK);
  HOST_ARGS(destroy, AsyncHostToDeviceTransferManager_Destroy, .transfer_manager = create.transfer_manager);
  WALK_OK(AsyncHostToDeviceTransferManager_Destroy, &destroy);
}

void walk_bad_orders(void **state) {
  (void)state;
  use_after_delete();
  execute_after_delete();
  use_of_others();
  nothing_inside();
  nothing_to_fill();
  destroy_early();
}
