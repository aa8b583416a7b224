// The walk's parts on buffers: questions, copies, kinds of buffers, and the transfer manager.
#include <stdlib.h>
#include <string.h>

#include "tests/pjrt_walk/walk.h"

static PJRT_Buffer *put_six(void) { return host_put(world.client, world.device, walk_six, walk_dims, 1); }

static void assert_six(PJRT_Buffer *buffer) {
  float got[6];
  host_get(buffer, got, 6);
  assert_memory_equal(got, walk_six, sizeof got);
}

void walk_buffer_questions(void **state) {
  (void)state;
  HOST_ARGS(put, Client_BufferFromHostBuffer, .client = world.client, .data = walk_six, .type = PJRT_Buffer_Type_F32,
            .dims = walk_dims, .num_dims = 1, .memory = host_visible_memory(world.device));
  WALK_OK(Client_BufferFromHostBuffer, &put);
  assert_int_equal(host_await(put.done_with_host_buffer, NULL), PJRT_Error_Code_OK);
  PJRT_Buffer *buffer = put.buffer;
#define ASK(slot, ...)                       \
  do {                                       \
    HOST_ARGS(args, slot, .buffer = buffer); \
    WALK_OK(slot, &args);                    \
    __VA_ARGS__;                             \
  } while (0)
  ASK(Buffer_ElementType, assert_int_equal(args.type, PJRT_Buffer_Type_F32));
  ASK(Buffer_Dimensions, assert_int_equal(args.dims[0], 6));
  ASK(Buffer_UnpaddedDimensions, assert_int_equal(args.unpadded_dims[0], 6));
  ASK(Buffer_DynamicDimensionIndices, assert_int_equal(args.num_dynamic_dims, 0));
  ASK(Buffer_GetMemoryLayout, assert_int_equal(args.layout.tiled.minor_to_major_size, 1));
  ASK(Buffer_OnDeviceSizeInBytes, assert_int_equal(args.on_device_size_in_bytes, 24));
  ASK(Buffer_Device, assert_ptr_equal(args.device, world.device));
  ASK(Buffer_Memory, assert_non_null(args.memory));
  ASK(Buffer_IsDeleted, assert_false(args.is_deleted));
  ASK(Buffer_IsOnCpu, assert_true(args.is_on_cpu));
  ASK(Buffer_ReadyEvent, assert_int_equal(host_await(args.event, NULL), PJRT_Error_Code_OK));
  ASK(Buffer_IncreaseExternalReferenceCount, (void)0);
  ASK(Buffer_OpaqueDeviceMemoryDataPointer, assert_memory_equal(args.device_memory_ptr, walk_six, 24));
  ASK(Buffer_UnsafePointer, assert_memory_equal((void *)args.buffer_pointer, walk_six, 24));
  ASK(Buffer_DecreaseExternalReferenceCount, (void)0);
  ASK(Buffer_Delete, (void)0);
  ASK(Buffer_Delete, (void)0);  // twice
  ASK(Buffer_Destroy, (void)0);
  buffer = NULL;
  ASK(Buffer_Destroy, (void)0);
#undef ASK
}

void walk_buffer_copies(void **state) {
  (void)state;
  PJRT_Buffer *buffer = put_six();
  HOST_ARGS(to_device, Buffer_CopyToDevice, .buffer = buffer, .dst_device = world.second);
  WALK_OK(Buffer_CopyToDevice, &to_device);
  assert_six(to_device.dst_buffer);
  host_buffer_destroy(to_device.dst_buffer);
  to_device.dst_device = world.device;
  WALK_OK(Buffer_CopyToDevice, &to_device);  // where it is: a copy as well
  host_buffer_destroy(to_device.dst_buffer);
  HOST_ARGS(to_memory, Buffer_CopyToMemory, .buffer = buffer, .dst_memory = host_memory(world.second, "pinned_host"));
  WALK_OK(Buffer_CopyToMemory, &to_memory);
  assert_six(to_memory.dst_buffer);
  host_buffer_destroy(to_memory.dst_buffer);
  float got[6] = {0};
  HOST_ARGS(to_host, Buffer_ToHostBuffer, .src = buffer, .dst = got, .dst_size = sizeof got);
  WALK_OK(Buffer_ToHostBuffer, &to_host);
  assert_int_equal(host_await(to_host.event, NULL), PJRT_Error_Code_OK);
  assert_memory_equal(got, walk_six, sizeof got);
  to_host.dst_size = 23;
  WALK_REFUSED(Buffer_ToHostBuffer, &to_host, INVALID_ARGUMENT);
  HOST_ARGS(raw, Buffer_CopyRawToHost, .buffer = buffer, .dst = got, .offset = 8, .transfer_size = 8);
  WALK_OK(Buffer_CopyRawToHost, &raw);
  assert_int_equal(host_await(raw.event, NULL), PJRT_Error_Code_OK);
  assert_memory_equal(got, walk_six + 2, 8);
  raw.offset = 20;
  WALK_OK(Buffer_CopyRawToHost, &raw);
  assert_int_equal(host_await(raw.event, NULL), PJRT_Error_Code_INVALID_ARGUMENT);  // past the end
  HOST_ARGS(later, Buffer_CopyRawToHostFuture, .buffer = buffer, .offset = 4, .transfer_size = 12);
  WALK_OK(Buffer_CopyRawToHostFuture, &later);
  PJRT_Buffer_CopyRawToHostFuture_Callback_Args here = {
      .struct_size = sizeof here, .callback_data = later.callback_data, .dst = got};
  later.future_ready_callback(&here);
  assert_int_equal(host_await(later.event, NULL), PJRT_Error_Code_OK);
  assert_memory_equal(got, walk_six + 1, 12);
  host_buffer_destroy(buffer);
}

static void note_deleted(void *data, void *arg) {
  assert_ptr_equal(data, walk_six);
  *(int *)arg += 1;
}

static void walk_aliases(PJRT_Memory *memory) {
  PJRT_Buffer *buffer = host_put_in(world.client, memory, walk_six, walk_dims, 1);
  HOST_ARGS(alias, Client_CreateAliasBuffer, .client = world.client, .memory = memory, .shape_dims = walk_dims,
            .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32);
  WALK_OK(Client_CreateAliasBuffer, &alias);
  HOST_ARGS(early, Buffer_UnsafePointer, .buffer = alias.alias_buffer);
  WALK_OK(Buffer_UnsafePointer, &early);  // does not wait; the content comes there
  HOST_ARGS(fulfill, Client_FulfillAliasBuffer, .client = world.client, .buffer = buffer,
            .fulfill_alias_buffer_cb = alias.fulfill_alias_buffer_cb);
  WALK_OK(Client_FulfillAliasBuffer, &fulfill);
  assert_six(alias.alias_buffer);
  assert_memory_equal((void *)early.buffer_pointer, walk_six, 24);
  host_buffer_destroy(alias.alias_buffer);
  WALK_OK(Client_CreateAliasBuffer, &alias);
  fulfill.fulfill_alias_buffer_cb = alias.fulfill_alias_buffer_cb;
  fulfill.buffer = NULL;
  WALK_REFUSED(Client_FulfillAliasBuffer, &fulfill, INVALID_ARGUMENT);  // neither a buffer nor an error
  assert_int_equal(host_await_buffer(alias.alias_buffer, NULL), PJRT_Error_Code_INVALID_ARGUMENT);
  host_buffer_destroy(alias.alias_buffer);
  host_buffer_destroy(buffer);
}

static void count_payload(const char *key, size_t key_size, const char *value, size_t value_size, void *user) {
  *(int *)user += key_size == 4 && !memcmp(key, "kind", 4) && value_size == 5 && !memcmp(value, "value", 5);
}

// An error with a payload reaches whoever asks for the content.
static void walk_error_buffers(PJRT_Memory *memory) {
  const PJRT_NamedValue payload = {.struct_size = sizeof payload,
                                   .name = "kind",
                                   .name_size = 4,
                                   .type = PJRT_NamedValue_kString,
                                   .string_value = "value",
                                   .value_size = 5};
  HOST_ARGS(create, Client_CreateErrorBuffer, .client = world.client, .error_code = PJRT_Error_Code_DATA_LOSS,
            .error_message = "lost", .error_message_size = 4, .shape_dims = walk_dims, .shape_num_dims = 1,
            .shape_element_type = PJRT_Buffer_Type_F32, .memory = memory, .payload = &payload, .num_payload = 1);
  WALK_OK(Client_CreateErrorBuffer, &create);
  HOST_ARGS(ready, Buffer_ReadyEvent, .buffer = create.buffer);
  WALK_OK(Buffer_ReadyEvent, &ready);
  HOST_ARGS(await, Event_Await, .event = ready.event);
  PJRT_Error *error = host_api()->PJRT_Event_Await(&await);
  int found = 0;
  HOST_ARGS(visit, Error_ForEachPayload, .error = error, .visitor = count_payload, .user_arg = &found);
  WALK_OK(Error_ForEachPayload, &visit);
  assert_int_equal(found, WALK_HAS(Client_CreateErrorBuffer, num_payload));
  assert_int_equal(host_take_error(error, NULL), PJRT_Error_Code_DATA_LOSS);
  HOST_ARGS(gone, Event_Destroy, .event = ready.event);
  WALK_OK(Event_Destroy, &gone);
  PJRT_Buffer *arguments[] = {create.buffer, create.buffer}, *result = NULL;
  host_ok(host_execute(world.add, arguments, 2, &result), "Execute");
  assert_int_equal(host_await_buffer(result, NULL), PJRT_Error_Code_DATA_LOSS);
  host_buffer_destroy(result);
  host_buffer_destroy(create.buffer);
  create.error_code = PJRT_Error_Code_OK;
  WALK_REFUSED(Client_CreateErrorBuffer, &create, INVALID_ARGUMENT);
}

void walk_buffer_kinds(void **state) {
  (void)state;
  PJRT_Memory *memory = host_memory(world.device, "device");
  int deleted = 0;
  HOST_ARGS(view, Client_CreateViewOfDeviceBuffer, .client = world.client, .device_buffer_ptr = (void *)walk_six,
            .dims = walk_dims, .num_dims = 1, .element_type = PJRT_Buffer_Type_F32, .device = world.device,
            .on_delete_callback = note_deleted, .on_delete_callback_arg = &deleted,
            .memory = host_sees_device_memory() ? NULL : host_visible_memory(world.device));
  if (host_sees_device_memory() || WALK_HAS(Client_CreateViewOfDeviceBuffer, memory)) {
    WALK_OK(Client_CreateViewOfDeviceBuffer, &view);
    assert_six(view.buffer);
    host_buffer_destroy(view.buffer);
    assert_int_equal(deleted, 1);
  } else {
    view.memory = NULL;
    WALK_REFUSED(Client_CreateViewOfDeviceBuffer, &view, UNIMPLEMENTED);
  }
  HOST_ARGS(blank, Client_CreateUninitializedBuffer, .client = world.client, .shape_dims = walk_dims,
            .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32, .memory = memory);
  WALK_OK(Client_CreateUninitializedBuffer, &blank);
  host_buffer_destroy(blank.buffer);
  walk_error_buffers(memory);
  walk_aliases(host_visible_memory(world.device));

  PJRT_Buffer *buffer = put_six();
  static const int64_t as_bytes[] = {3, 8};
  HOST_ARGS(cast, Buffer_Bitcast, .buffer = buffer, .element_type = PJRT_Buffer_Type_U8, .dims = as_bytes,
            .num_dims = 2);
  WALK_OK(Buffer_Bitcast, &cast);
  host_buffer_destroy(cast.out_buffer);
  cast.num_dims = 1;
  WALK_REFUSED(Buffer_Bitcast, &cast, INVALID_ARGUMENT);  // of another size
  HOST_ARGS(donate, Buffer_DonateWithControlDependency, .buffer = buffer);
  WALK_OK(Buffer_DonateWithControlDependency, &donate);
  assert_true(host_buffer_is_deleted(buffer));
  PJRT_Buffer_DonateWithControlDependency_Callback_Args go = {.struct_size = sizeof go,
                                                              .callback_data = donate.callback_data};
  donate.dependency_ready_callback(&go);
  assert_six(donate.out_buffer);
  host_buffer_destroy(donate.out_buffer);
  WALK_REFUSED(Buffer_DonateWithControlDependency, &donate, INVALID_ARGUMENT);  // given away already
  host_buffer_destroy(buffer);
}

// ---- The transfer manager ------------------------------------------------------------------------------------------------------

PJRT_Error_Code walk_piece(PJRT_AsyncHostToDeviceTransferManager *manager, int64_t offset, int64_t size, bool last) {
  HOST_ARGS(args, AsyncHostToDeviceTransferManager_TransferData, .transfer_manager = manager, .buffer_index = 0,
            .data = (const char *)walk_six + offset, .offset = offset, .transfer_size = size, .is_last_transfer = last);
  WALK_OK(AsyncHostToDeviceTransferManager_TransferData, &args);
  return host_await(args.done_with_h2d_transfer, NULL);
}

PJRT_Buffer *walk_retrieve(PJRT_AsyncHostToDeviceTransferManager *manager, int index) {
  HOST_ARGS(args, AsyncHostToDeviceTransferManager_RetrieveBuffer, .transfer_manager = manager, .buffer_index = index);
  WALK_OK(AsyncHostToDeviceTransferManager_RetrieveBuffer, &args);
  return args.buffer_out;
}

static void walk_manager_queries(PJRT_AsyncHostToDeviceTransferManager *manager) {
  HOST_ARGS(count, AsyncHostToDeviceTransferManager_BufferCount, .transfer_manager = manager);
  WALK_OK(AsyncHostToDeviceTransferManager_BufferCount, &count);
  assert_int_equal(count.buffer_count, 4);
  HOST_ARGS(size, AsyncHostToDeviceTransferManager_BufferSize, .transfer_manager = manager, .buffer_index = 3);
  WALK_OK(AsyncHostToDeviceTransferManager_BufferSize, &size);
  assert_int_equal(size.buffer_size, 24);
  size.buffer_index = 4;
  WALK_REFUSED(AsyncHostToDeviceTransferManager_BufferSize, &size, INVALID_ARGUMENT);
  HOST_ARGS(device, AsyncHostToDeviceTransferManager_Device, .transfer_manager = manager);
  WALK_OK(AsyncHostToDeviceTransferManager_Device, &device);
  assert_ptr_equal(device.device_out, world.device);
  PJRT_NamedValue metadata = {.struct_size = sizeof metadata,
                              .name = "step",
                              .name_size = 4,
                              .type = PJRT_NamedValue_kInt64,
                              .int64_value = 3,
                              .value_size = 1};
  HOST_ARGS(add, AsyncHostToDeviceTransferManager_AddMetadata, .transfer_manager = manager,
            .transfer_metadata = &metadata, .num_metadata = 1);
  WALK_OK(AsyncHostToDeviceTransferManager_AddMetadata, &add);
  metadata.type = 77;
  WALK_REFUSED(AsyncHostToDeviceTransferManager_AddMetadata, &add, INVALID_ARGUMENT);
}

// In pieces, from the end; used before it is full, by an execution that is poisoned and one that is not.
static PJRT_Buffer *walk_filled(PJRT_AsyncHostToDeviceTransferManager *manager) {
  PJRT_Buffer *filled = walk_retrieve(manager, 0), *arguments[] = {filled, filled};
  PJRT_Buffer *result = NULL, **outputs = &result, *const *list = arguments;
  PJRT_ExecuteOptions options = {.struct_size = sizeof options, .launch_id = 41};
  HOST_ARGS(run, LoadedExecutable_Execute, .executable = world.add, .options = &options, .argument_lists = &list,
            .num_devices = 1, .num_args = 2, .output_lists = &outputs);
  WALK_OK(LoadedExecutable_Execute, &run);
  PJRT_Buffer *poisoned = result;
  options.launch_id = 42;
  WALK_OK(LoadedExecutable_Execute, &run);
  HOST_ARGS(poison, Device_PoisonExecution, .device = world.device, .launch_id = 41,
            .error_code = PJRT_Error_Code_ABORTED, .error_message = "stop", .error_message_size = 4);
  WALK_OK(Device_PoisonExecution, &poison);
  assert_true(poison.poisoned);
  assert_int_equal(walk_piece(manager, 16, 8, false), PJRT_Error_Code_OK);
  assert_int_equal(walk_piece(manager, 0, 16, true), PJRT_Error_Code_OK);
  assert_six(filled);
  assert_int_equal(host_await_buffer(poisoned, NULL), PJRT_Error_Code_ABORTED);
  assert_int_equal(host_await_buffer(result, NULL), PJRT_Error_Code_OK);
  host_buffer_destroy(poisoned);
  host_buffer_destroy(result);
  HOST_ARGS(late, AsyncHostToDeviceTransferManager_TransferData, .transfer_manager = manager, .data = walk_six,
            .transfer_size = 8);
  WALK_REFUSED(AsyncHostToDeviceTransferManager_TransferData, &late, FAILED_PRECONDITION);  // after the last piece
  late.offset = 20;
  WALK_REFUSED(AsyncHostToDeviceTransferManager_TransferData, &late, INVALID_ARGUMENT);
  HOST_ARGS(again, AsyncHostToDeviceTransferManager_RetrieveBuffer, .transfer_manager = manager);
  WALK_REFUSED(AsyncHostToDeviceTransferManager_RetrieveBuffer, &again, FAILED_PRECONDITION);
  return filled;
}

void walk_transfer_manager(void **state) {
  (void)state;
  PJRT_ShapeSpec specs[4];
  for (int i = 0; i < 4; i++) {
    specs[i] = (PJRT_ShapeSpec){
        .struct_size = sizeof specs[i], .dims = walk_dims, .num_dims = 1, .element_type = PJRT_Buffer_Type_F32};
  }
  HOST_ARGS(create, Client_CreateBuffersForAsyncHostToDevice, .client = world.client, .shape_specs = specs,
            .num_shape_specs = 4, .memory = host_memory(world.device, "device"));
  WALK_OK(Client_CreateBuffersForAsyncHostToDevice, &create);
  PJRT_AsyncHostToDeviceTransferManager *manager = create.transfer_manager;
  walk_manager_queries(manager);
  PJRT_Buffer *filled = walk_filled(manager);
  PJRT_Buffer *literal = walk_retrieve(manager, 1), *failed = walk_retrieve(manager, 2),
              *left = walk_retrieve(manager, 3);
  HOST_ARGS(whole, AsyncHostToDeviceTransferManager_TransferLiteral, .transfer_manager = manager, .buffer_index = 1,
            .data = walk_six, .shape_dims = walk_dims, .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32);
  WALK_OK(AsyncHostToDeviceTransferManager_TransferLiteral, &whole);
  assert_int_equal(host_await(whole.done_with_h2d_transfer, NULL), PJRT_Error_Code_OK);
  assert_six(literal);
  HOST_ARGS(error, AsyncHostToDeviceTransferManager_SetBufferError, .transfer_manager = manager, .buffer_index = 2,
            .error_code = PJRT_Error_Code_UNAVAILABLE, .error_message = "gone", .error_message_size = 4);
  WALK_OK(AsyncHostToDeviceTransferManager_SetBufferError, &error);
  assert_int_equal(host_await_buffer(failed, NULL), PJRT_Error_Code_UNAVAILABLE);
  WALK_REFUSED(AsyncHostToDeviceTransferManager_SetBufferError, &error, FAILED_PRECONDITION);
  HOST_ARGS(destroy, AsyncHostToDeviceTransferManager_Destroy, .transfer_manager = manager);
  WALK_OK(AsyncHostToDeviceTransferManager_Destroy, &destroy);
  assert_int_equal(host_await_buffer(left, NULL), PJRT_Error_Code_CANCELLED);  // never filled
  destroy.transfer_manager = NULL;
  WALK_OK(AsyncHostToDeviceTransferManager_Destroy, &destroy);
  PJRT_Buffer *buffers[] = {filled, literal, failed, left};
  for (int i = 0; i < 4; i++) {
    host_buffer_destroy(buffers[i]);
  }
}
