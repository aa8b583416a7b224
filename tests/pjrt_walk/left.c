// Each kind of thing that a host may have of a client when it destroys it.
#include "tests/pjrt_walk/left.h"

#include <string.h>
#include <time.h>

#include "pjrt/ext/extensions.h"
#include "tests/cmocka.h"
#include "tests/pjrt_walk/walk.h"

static const char refusal[] = "the client has been destroyed";

void left_expect_six(PJRT_Buffer *buffer, float factor) {
  float got[6];
  host_get(buffer, got, 6);
  for (int i = 0; i < 6; i++) {
    assert_true(got[i] == factor * walk_six[i]);
  }
}

// ---- Buffers ------------------------------------------------------------------------------------------------------------

static void make_buffer(left *l) { l->buffer = host_put(l->client, l->device, walk_six, walk_dims, 1); }

static void drop_buffer(left *l) { host_buffer_destroy(l->buffer); }

// It still says where it is, and what is in it, and goes nowhere.
static void use_buffer(left *l) {
  left_expect_six(l->buffer, 1);
  HOST_ARGS(where, Buffer_Device, .buffer = l->buffer);
  HOST_OK(Buffer_Device, &where);
  HOST_ARGS(described, Device_GetDescription, .device = where.device);
  HOST_OK(Device_GetDescription, &described);
  HOST_ARGS(id, DeviceDescription_Id, .device_description = described.device_description);
  HOST_OK(DeviceDescription_Id, &id);
  assert_int_equal(id.id, 0);
  HOST_ARGS(memory, Buffer_Memory, .buffer = l->buffer);
  HOST_OK(Buffer_Memory, &memory);
  HOST_ARGS(named, Memory_Kind, .memory = memory.memory);
  HOST_OK(Memory_Kind, &named);
  assert_memory_equal(named.kind, "device", 6);
  HOST_ARGS(copy, Buffer_CopyToDevice, .buffer = l->buffer, .dst_device = where.device);
  host_refused(host_api()->PJRT_Buffer_CopyToDevice(&copy), PJRT_Error_Code_FAILED_PRECONDITION, refusal);
  HOST_ARGS(across, Buffer_CopyToDevice, .buffer = l->buffer, .dst_device = host_device(l->bystander, 0));
  HOST_OK(Buffer_CopyToDevice, &across);
  left_expect_six(across.dst_buffer, 1);
  host_buffer_destroy(across.dst_buffer);
  HOST_ARGS(again, Client_Destroy, .client = l->client);
  host_refused(host_api()->PJRT_Client_Destroy(&again), PJRT_Error_Code_FAILED_PRECONDITION, refusal);
}

static void use_ready(left *l) { assert_int_equal(host_await_buffer(l->buffer, NULL), PJRT_Error_Code_OK); }

static void make_empty(left *l) {
  static const int64_t none[] = {0};
  l->buffer = host_put(l->client, l->device, walk_six, none, 1);
}

static void make_deleted(left *l) {
  make_buffer(l);
  HOST_ARGS(erase, Buffer_Delete, .buffer = l->buffer);
  HOST_OK(Buffer_Delete, &erase);
}

static void use_deleted(left *l) { assert_true(host_buffer_is_deleted(l->buffer)); }

static void make_pinned(left *l) {
  PJRT_Buffer *source = host_put(l->client, l->device, walk_six, walk_dims, 1);
  HOST_ARGS(copy, Buffer_CopyToMemory, .buffer = source, .dst_memory = host_memory(l->device, "pinned_host"));
  HOST_OK(Buffer_CopyToMemory, &copy);
  host_buffer_destroy(source);
  l->buffer = copy.dst_buffer;
}

static void use_content(left *l) { left_expect_six(l->buffer, 1); }

static void note_end(void *data, void *arg) {
  (void)data;
  *(int *)arg += 1;
}

static void make_view(left *l) {
  HOST_ARGS(view, Client_CreateViewOfDeviceBuffer, .client = l->client, .device_buffer_ptr = (void *)walk_six,
            .dims = walk_dims, .num_dims = 1, .element_type = PJRT_Buffer_Type_F32, .device = l->device,
            .on_delete_callback = note_end, .on_delete_callback_arg = &l->told,
            .memory = host_visible_memory(l->device));
  HOST_OK(Client_CreateViewOfDeviceBuffer, &view);
  l->buffer = view.buffer;
}

static void drop_view(left *l) {
  assert_int_equal(l->told, 0);
  drop_buffer(l);
  assert_int_equal(l->told, 1);
}

// The host's array, which is used in place where the device can.
static void make_lent(left *l) {
  HOST_ARGS(put, Client_BufferFromHostBuffer, .client = l->client, .data = walk_six, .dims = walk_dims, .num_dims = 1,
            .type = PJRT_Buffer_Type_F32, .memory = host_visible_memory(l->device),
            .host_buffer_semantics = PJRT_HostBufferSemantics_kImmutableZeroCopy);
  HOST_OK(Client_BufferFromHostBuffer, &put);
  l->buffer = put.buffer;
  l->event = put.done_with_host_buffer;
}

static void drop_lent(left *l) {
  drop_buffer(l);
  assert_int_equal(host_await(l->event, NULL), PJRT_Error_Code_OK);
}

// As numpy has an array that looks at one.
static void make_referred(left *l) {
  l->buffer = host_put_in(l->client, host_visible_memory(l->device), walk_six, walk_dims, 1);
  HOST_ARGS(more, Buffer_IncreaseExternalReferenceCount, .buffer = l->buffer);
  HOST_OK(Buffer_IncreaseExternalReferenceCount, &more);
}

static void use_referred(left *l) {
  HOST_ARGS(pointer, Buffer_OpaqueDeviceMemoryDataPointer, .buffer = l->buffer);
  HOST_OK(Buffer_OpaqueDeviceMemoryDataPointer, &pointer);
  assert_memory_equal(pointer.device_memory_ptr, walk_six, 24);
  HOST_ARGS(less, Buffer_DecreaseExternalReferenceCount, .buffer = l->buffer);
  HOST_OK(Buffer_DecreaseExternalReferenceCount, &less);
}

static const PJRT_RawBuffer_Extension *raws(void) {
  return (const PJRT_RawBuffer_Extension *)host_extension(PJRT_Extension_Type_RawBuffer);
}

static void make_raw(left *l) {
  PJRT_Buffer *buffer = host_put(l->client, l->device, walk_six, walk_dims, 1);
  PJRT_RawBuffer_CreateRawAliasOfBuffer_Args make = {.struct_size = sizeof make, .buffer = buffer};
  host_ok(raws()->create_raw_alias_of_buffer(&make), "CreateRawAliasOfBuffer");
  l->raw = make.raw_buffer;
  host_buffer_destroy(buffer);
}

static void use_raw(left *l) {
  float got[6];
  PJRT_RawBuffer_CopyRawDeviceToHost_Args get = {
      .struct_size = sizeof get, .buffer = l->raw, .dst = got, .transfer_size = sizeof got};
  host_ok(raws()->copy_raw_device_to_host(&get), "CopyRawDeviceToHost");
  assert_int_equal(host_await(get.event, NULL), PJRT_Error_Code_OK);
  assert_memory_equal(got, walk_six, sizeof got);
}

static void drop_raw(left *l) {
  PJRT_RawBuffer_Destroy_Args destroy = {.struct_size = sizeof destroy, .buffer = l->raw};
  host_ok(raws()->destroy(&destroy), "RawBuffer_Destroy");
}

// A copy to the host whose destination the host names later, of a buffer that has no handle any more.
static void make_later(left *l) {
  make_buffer(l);
  HOST_ARGS(later, Buffer_CopyRawToHostFuture, .buffer = l->buffer, .transfer_size = 24);
  HOST_OK(Buffer_CopyRawToHostFuture, &later);
  l->event = later.event;
  l->copy_later = later.future_ready_callback;
  l->copy_data = later.callback_data;
  drop_buffer(l);
}

static void drop_later(left *l) {
  float got[6];
  PJRT_Buffer_CopyRawToHostFuture_Callback_Args here = {
      .struct_size = sizeof here, .callback_data = l->copy_data, .dst = got};
  l->copy_later(&here);
  assert_int_equal(host_await(l->event, NULL), PJRT_Error_Code_OK);
  assert_memory_equal(got, walk_six, sizeof got);
}

// ---- Managers of transfers ----------------------------------------------------------------------------------------------

static void make_manager(left *l) {
  PJRT_ShapeSpec spec = {
      .struct_size = sizeof spec, .dims = walk_dims, .num_dims = 1, .element_type = PJRT_Buffer_Type_F32};
  HOST_ARGS(create, Client_CreateBuffersForAsyncHostToDevice, .client = l->client, .shape_specs = &spec,
            .num_shape_specs = 1, .memory = host_memory(l->device, "device"));
  HOST_OK(Client_CreateBuffersForAsyncHostToDevice, &create);
  l->manager = create.transfer_manager;
  assert_int_equal(walk_piece(l->manager, 0, 8, false), PJRT_Error_Code_OK);
}

static void use_manager(left *l) {
  PJRT_Buffer *buffer = walk_retrieve(l->manager, 0);
  assert_int_equal(walk_piece(l->manager, 8, 16, true), PJRT_Error_Code_OK);
  left_expect_six(buffer, 1);
  host_buffer_destroy(buffer);
}

static void drop_manager(left *l) {
  HOST_ARGS(destroy, AsyncHostToDeviceTransferManager_Destroy, .transfer_manager = l->manager);
  HOST_OK(AsyncHostToDeviceTransferManager_Destroy, &destroy);
}

static void make_manager_of_none(left *l) {
  HOST_ARGS(create, Client_CreateBuffersForAsyncHostToDevice, .client = l->client,
            .memory = host_memory(l->device, "device"));
  HOST_OK(Client_CreateBuffersForAsyncHostToDevice, &create);
  l->manager = create.transfer_manager;
}

static void use_manager_of_none(left *l) {
  HOST_ARGS(where, AsyncHostToDeviceTransferManager_Device, .transfer_manager = l->manager);
  HOST_OK(AsyncHostToDeviceTransferManager_Device, &where);
  assert_ptr_equal(where.device_out, l->device);
}

// ---- Executables --------------------------------------------------------------------------------------------------------

static void make_loaded(left *l) { l->loaded = host_compile(l->client, walk_add); }

static void use_loaded(left *l) {
  HOST_ARGS(args, LoadedExecutable_Execute, .executable = l->loaded, .num_devices = 1);
  host_refused(host_api()->PJRT_LoadedExecutable_Execute(&args), PJRT_Error_Code_FAILED_PRECONDITION, refusal);
  HOST_ARGS(where, LoadedExecutable_AddressableDevices, .executable = l->loaded);
  HOST_OK(LoadedExecutable_AddressableDevices, &where);
  assert_int_equal(where.num_addressable_devices, 1);
  assert_ptr_equal(where.addressable_devices[0], l->device);
}

static void drop_loaded(left *l) { host_loaded_destroy(l->loaded); }

PJRT_Buffer *left_run(PJRT_LoadedExecutable *loaded, PJRT_Buffer *x, PJRT_Event **out_done) {
  PJRT_Buffer *arguments[] = {x, x}, *const *list = arguments, *result = NULL, **results = &result;
  HOST_ARGS(args, LoadedExecutable_Execute, .executable = loaded, .argument_lists = &list, .num_devices = 1,
            .num_args = 2, .output_lists = &results, .device_complete_events = out_done);
  HOST_OK(LoadedExecutable_Execute, &args);
  return result;
}

// What was run, without what it was loaded as.
static void make_executable(left *l) {
  make_loaded(l);
  l->executable = host_executable(l->loaded);
  make_buffer(l);
  PJRT_Buffer *result = left_run(l->loaded, l->buffer, NULL);
  assert_int_equal(host_await_buffer(result, NULL), PJRT_Error_Code_OK);
  host_buffer_destroy(result);
  drop_buffer(l);
  drop_loaded(l);
}

static void use_executable(left *l) {
  HOST_ARGS(outputs, Executable_NumOutputs, .executable = l->executable);
  HOST_OK(Executable_NumOutputs, &outputs);
  assert_int_equal(outputs.num_outputs, 1);
}

static void drop_executable(left *l) { host_executable_destroy(l->executable); }

// ---- Under way ----------------------------------------------------------------------------------------------------------

static PJRT_FulfillAliasBufferCallback *make_alias(left *l, PJRT_Buffer **out_buffer) {
  HOST_ARGS(alias, Client_CreateAliasBuffer, .client = l->client, .memory = host_memory(l->device, "device"),
            .shape_dims = walk_dims, .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32);
  HOST_OK(Client_CreateAliasBuffer, &alias);
  *out_buffer = alias.alias_buffer;
  return alias.fulfill_alias_buffer_cb;
}

static void fulfill(left *l, PJRT_Buffer *source) {
  HOST_ARGS(args, Client_FulfillAliasBuffer, .client = l->client, .buffer = source,
            .fulfill_alias_buffer_cb = l->fulfill);
  HOST_OK(Client_FulfillAliasBuffer, &args);
}

// The event of an execution whose argument is still to come, its result and what the argument will be.
static void make_pending(left *l) {
  PJRT_LoadedExecutable *loaded = host_compile(l->client, walk_add);
  PJRT_Buffer *alias;
  l->fulfill = make_alias(l, &alias);
  l->other = host_put(l->client, l->device, walk_six, walk_dims, 1);
  l->buffer = left_run(loaded, alias, &l->event);
  host_buffer_destroy(alias);
  host_loaded_destroy(loaded);
}

static void use_pending(left *l) {
  HOST_ARGS(asked, Event_IsReady, .event = l->event);
  HOST_OK(Event_IsReady, &asked);
  assert_false(asked.is_ready);
}

static void drop_pending(left *l) {
  fulfill(l, l->other);
  host_buffer_destroy(l->other);
  assert_int_equal(host_await(l->event, NULL), PJRT_Error_Code_OK);
  left_expect_six(l->buffer, 2);
  host_buffer_destroy(l->buffer);
}

// The same, of which the host keeps the event alone.
static void make_event(left *l) {
  make_pending(l);
  host_buffer_destroy(l->buffer);
}

static void drop_event(left *l) {
  fulfill(l, l->other);
  host_buffer_destroy(l->other);
  assert_int_equal(host_await(l->event, NULL), PJRT_Error_Code_OK);
}

// An alias that comes to nothing, of which nobody has a buffer any more.
static void make_lost(left *l) {
  l->fulfill = make_alias(l, &l->buffer);
  HOST_ARGS(ready, Buffer_ReadyEvent, .buffer = l->buffer);
  HOST_OK(Buffer_ReadyEvent, &ready);
  l->event = ready.event;
  drop_buffer(l);
}

static void drop_lost(left *l) {
  HOST_ARGS(args, Client_FulfillAliasBuffer, .client = l->client, .status_code = PJRT_Error_Code_ABORTED,
            .fulfill_alias_buffer_cb = l->fulfill);
  HOST_OK(Client_FulfillAliasBuffer, &args);
  assert_int_equal(host_await(l->event, NULL), PJRT_Error_Code_ABORTED);
}

static const char receiving[] =
    "func.func public @main(%x: tensor<6xf32>, %y: tensor<6xf32>) -> tensor<6xf32> {\n"
    "  %t = stablehlo.create_token : !stablehlo.token\n"
    "  %r:2 = \"stablehlo.recv\"(%t) {channel_handle = #stablehlo.channel_handle<handle = 6, type = 3>,\n"
    "    is_host_transfer = true} : (!stablehlo.token) -> (tensor<6xf32>, !stablehlo.token)\n"
    "  %z = stablehlo.add %r#0, %x : tensor<6xf32>\n"
    "  return %z : tensor<6xf32>\n}\n";

static void take_stream(PJRT_CopyToDeviceStream *stream, void *user) { atomic_store(&((left *)user)->stream, stream); }

// A program that waits for what its host sends it.
static void make_receiver(left *l) {
  PJRT_LoadedExecutable *loaded = host_compile(l->client, receiving);
  PJRT_Buffer *x = host_put(l->client, l->device, walk_six, walk_dims, 1);
  PJRT_RecvCallbackInfo recv = {.channel_id = 6, .user_arg = l, .recv_callback = take_stream}, *recvs = &recv;
  PJRT_ExecuteOptions options = {.struct_size = sizeof options, .recv_callbacks = &recvs, .num_recv_ops = 1};
  PJRT_Buffer *arguments[] = {x, x}, *const *list = arguments, **results = &l->buffer;
  HOST_ARGS(args, LoadedExecutable_Execute, .executable = loaded, .options = &options, .argument_lists = &list,
            .num_devices = 1, .num_args = 2, .output_lists = &results, .device_complete_events = &l->event);
  HOST_OK(LoadedExecutable_Execute, &args);
  host_buffer_destroy(x);
  host_loaded_destroy(loaded);
  while (!atomic_load(&l->stream)) {
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  }
}

static void use_receiver(left *l) {
  HOST_ARGS(total, CopyToDeviceStream_TotalBytes, .stream = l->stream);
  HOST_OK(CopyToDeviceStream_TotalBytes, &total);
  assert_int_equal(total.total_bytes, 24);
}

static void drop_receiver(left *l) {
  PJRT_Chunk chunk = {.data = (void *)walk_six, .size = 24, .deleter = note_end, .deleter_arg = &l->told};
  HOST_ARGS(put, CopyToDeviceStream_AddChunk, .stream = l->stream, .chunk = &chunk);
  HOST_OK(CopyToDeviceStream_AddChunk, &put);
  assert_int_equal(host_await(put.transfer_complete, NULL), PJRT_Error_Code_OK);
  assert_int_equal(host_await(l->event, NULL), PJRT_Error_Code_OK);
  left_expect_six(l->buffer, 2);
  host_buffer_destroy(l->buffer);
  HOST_ARGS(destroy, CopyToDeviceStream_Destroy, .stream = l->stream);
  HOST_OK(CopyToDeviceStream_Destroy, &destroy);
}

const left_kind left_kinds[LEFT_KINDS] = {
    {"buffer", make_buffer, use_buffer, drop_buffer, false},
    {"empty buffer", make_empty, use_ready, drop_buffer, false},
    {"deleted buffer", make_deleted, use_deleted, drop_buffer, false},
    {"buffer in pinned memory", make_pinned, use_content, drop_buffer, false},
    {"view", make_view, use_content, drop_view, false},
    {"lent array", make_lent, use_content, drop_lent, false},
    {"buffer with an external reference", make_referred, use_referred, drop_buffer, false},
    {"raw buffer", make_raw, use_raw, drop_raw, false},
    {"copy to be told where", make_later, NULL, drop_later, false},
    {"manager of transfers", make_manager, use_manager, drop_manager, false},
    {"manager of no buffers", make_manager_of_none, use_manager_of_none, drop_manager, false},
    {"loaded executable", make_loaded, use_loaded, drop_loaded, false},
    {"executable", make_executable, use_executable, drop_executable, true},
    {"execution that waits", make_pending, use_pending, drop_pending, false},
    {"event", make_event, use_pending, drop_event, false},
    {"alias of nothing", make_lost, NULL, drop_lost, false},
    {"receiver", make_receiver, use_receiver, drop_receiver, false},
};
