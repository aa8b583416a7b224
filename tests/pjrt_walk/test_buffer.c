// Buffers and events as a host uses them.
#define HOST_DEVICES 2

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host_client.h"
#include "tests/thread_waits.h"

static const float six[] = {1, 2, 3, 4, 5, 6};
static const int64_t dims_2x3[] = {2, 3}, dims_6[] = {6};

static void assert_content(PJRT_Buffer *buffer, const float *wanted, size_t count) {
  float got[64];
  host_get(buffer, got, count);
  assert_memory_equal(got, wanted, count * sizeof(float));
}

// A host array comes back as it went, and the buffer describes it.
static void test_round_trip(void **state) {
  (void)state;
  PJRT_Buffer *buffer = host_put(client, device, six, dims_2x3, 2);
  assert_content(buffer, six, 6);
  HOST_ARGS(dims, Buffer_Dimensions, .buffer = buffer);
  HOST_OK(Buffer_Dimensions, &dims);
  assert_int_equal(dims.num_dims, 2);
  assert_int_equal(dims.dims[1], 3);
  HOST_ARGS(type, Buffer_ElementType, .buffer = buffer);
  HOST_OK(Buffer_ElementType, &type);
  assert_int_equal(type.type, PJRT_Buffer_Type_F32);
  HOST_ARGS(where, Buffer_Memory, .buffer = buffer);
  HOST_OK(Buffer_Memory, &where);
  assert_ptr_equal(where.memory, host_memory(device, "device"));
  HOST_ARGS(layout, Buffer_GetMemoryLayout, .buffer = buffer);
  HOST_OK(Buffer_GetMemoryLayout, &layout);
  assert_int_equal(layout.layout.type, PJRT_Buffer_MemoryLayout_Type_Tiled);
  assert_int_equal(layout.layout.tiled.minor_to_major[0], 1);
  host_buffer_destroy(buffer);
}

// Strided arrays - transposed, reversed, broadcast - arrive in logical order.
static void test_strided_arrays(void **state) {
  (void)state;
  static const struct {
    size_t first;
    int64_t strides[2];
    float wanted[6];
  } cases[] = {
      {0, {4, 8}, {1, 3, 5, 2, 4, 6}},
      {5, {-12, -4}, {6, 5, 4, 3, 2, 1}},
      {2, {0, 4}, {3, 4, 5, 3, 4, 5}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    HOST_ARGS(args, Client_BufferFromHostBuffer, .client = client, .data = six + cases[i].first,
              .type = PJRT_Buffer_Type_F32, .dims = dims_2x3, .num_dims = 2, .byte_strides = cases[i].strides,
              .num_byte_strides = 2, .host_buffer_semantics = PJRT_HostBufferSemantics_kImmutableZeroCopy,
              .memory = host_memory(device, "device"));
    HOST_OK(Client_BufferFromHostBuffer, &args);
    assert_content(args.buffer, cases[i].wanted, 6);
    host_buffer_destroy(args.buffer);
    assert_int_equal(host_await(args.done_with_host_buffer, NULL), PJRT_Error_Code_OK);
  }
}

// A host layout other than row-major gets the elements where it says. Its struct_size is not asked: jaxlib leaves it
// unset.
static void test_to_host_with_layout(void **state) {
  (void)state;
  PJRT_Buffer *buffer = host_put(client, device, six, dims_2x3, 2);
  static const int64_t column_major[] = {0, 1};
  PJRT_Buffer_MemoryLayout layout = {
      .struct_size = 0,
      .tiled = {.struct_size = sizeof layout.tiled, .minor_to_major = column_major, .minor_to_major_size = 2},
      .type = PJRT_Buffer_MemoryLayout_Type_Tiled};
  float got[6];
  HOST_ARGS(args, Buffer_ToHostBuffer, .src = buffer, .host_layout = &layout, .dst = got, .dst_size = sizeof got);
  HOST_OK(Buffer_ToHostBuffer, &args);
  assert_int_equal(host_await(args.event, NULL), PJRT_Error_Code_OK);
  static const float wanted[] = {1, 4, 2, 5, 3, 6};
  assert_memory_equal(got, wanted, sizeof got);
  HOST_ARGS(small, Buffer_ToHostBuffer, .src = buffer, .dst = got, .dst_size = sizeof got - 1);
  assert_int_equal(host_take_error(host_api()->PJRT_Buffer_ToHostBuffer(&small), NULL),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  host_buffer_destroy(buffer);
}

// A deleted buffer says so, and its ready event carries the error.
static void test_delete(void **state) {
  (void)state;
  PJRT_Buffer *buffer = host_put(client, device, six, dims_6, 1);
  assert_false(host_buffer_is_deleted(buffer));
  HOST_ARGS(args, Buffer_Delete, .buffer = buffer);
  HOST_OK(Buffer_Delete, &args);
  assert_true(host_buffer_is_deleted(buffer));
  const char *message;
  assert_int_equal(host_await_buffer(buffer, &message), PJRT_Error_Code_INVALID_ARGUMENT);
  assert_non_null(strstr(message, "deleted"));
  host_buffer_destroy(buffer);
}

// An external reference keeps the content in place; releasing one too many is refused.
static void test_external_references(void **state) {
  (void)state;
  PJRT_Buffer *buffer = host_put_in(client, host_visible_memory(device), six, dims_6, 1);
  HOST_ARGS(more, Buffer_IncreaseExternalReferenceCount, .buffer = buffer);
  HOST_OK(Buffer_IncreaseExternalReferenceCount, &more);
  HOST_ARGS(pointer, Buffer_OpaqueDeviceMemoryDataPointer, .buffer = buffer);
  HOST_OK(Buffer_OpaqueDeviceMemoryDataPointer, &pointer);
  assert_int_equal((uintptr_t)pointer.device_memory_ptr % 64, 0);
  HOST_ARGS(erase, Buffer_Delete, .buffer = buffer);
  HOST_OK(Buffer_Delete, &erase);
  assert_memory_equal(pointer.device_memory_ptr, six, sizeof six);
  HOST_ARGS(less, Buffer_DecreaseExternalReferenceCount, .buffer = buffer);
  HOST_OK(Buffer_DecreaseExternalReferenceCount, &less);
  assert_int_equal(host_take_error(host_api()->PJRT_Buffer_DecreaseExternalReferenceCount(&less), NULL),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  host_buffer_destroy(buffer);
}

// A host that is refused the address lets go of the buffer, and not of the reference that it has for it: they go together. Other
// references to the content stay.
static void test_external_references_go_with_the_handle(void **state) {
  (void)state;
  HOST_ARGS(args, Client_CreateErrorBuffer, .client = client, .error_code = PJRT_Error_Code_DATA_LOSS,
            .error_message = "lost", .error_message_size = 4, .shape_dims = dims_6, .shape_num_dims = 1,
            .shape_element_type = PJRT_Buffer_Type_F32, .memory = host_visible_memory(device));
  HOST_OK(Client_CreateErrorBuffer, &args);
  PJRT_Buffer *buffers[] = {args.buffer, host_put_in(client, host_visible_memory(device), six, dims_6, 1)};
  for (size_t i = 0; i < 2; i++) {
    HOST_ARGS(more, Buffer_IncreaseExternalReferenceCount, .buffer = buffers[i]);
    HOST_OK(Buffer_IncreaseExternalReferenceCount, &more);
    HOST_OK(Buffer_IncreaseExternalReferenceCount, &more);
    HOST_ARGS(pointer, Buffer_OpaqueDeviceMemoryDataPointer, .buffer = buffers[i]);
    assert_int_equal(host_take_error(host_api()->PJRT_Buffer_OpaqueDeviceMemoryDataPointer(&pointer), NULL),
                     i == 0 ? PJRT_Error_Code_DATA_LOSS : PJRT_Error_Code_OK);
    host_buffer_destroy(buffers[i]);
  }
}

// Where a host may not look there is no address to be had: the refusal says which device that is, and what asks before it looks
// is told so.
static void test_addresses(void **state) {
  (void)state;
  PJRT_Memory *memory = host_memory(device, "device");
  PJRT_Buffer *buffer = host_put_in(client, memory, six, dims_6, 1);
  HOST_ARGS(ask, Buffer_IsOnCpu, .buffer = buffer);
  HOST_OK(Buffer_IsOnCpu, &ask);
  assert_int_equal(ask.is_on_cpu, host_sees_device_memory());
  HOST_ARGS(address, Buffer_UnsafePointer, .buffer = buffer);
  HOST_ARGS(pointer, Buffer_OpaqueDeviceMemoryDataPointer, .buffer = buffer);
  HOST_ARGS(view, Client_CreateViewOfDeviceBuffer, .client = client, .device_buffer_ptr = (void *)six, .dims = dims_6,
            .num_dims = 1, .element_type = PJRT_Buffer_Type_F32, .memory = memory);
  if (host_sees_device_memory()) {
    HOST_OK(Buffer_UnsafePointer, &address);
    HOST_OK(Buffer_OpaqueDeviceMemoryDataPointer, &pointer);
    HOST_OK(Client_CreateViewOfDeviceBuffer, &view);
    host_buffer_destroy(view.buffer);
  } else {
    static const char says[] = "device memory of device 0, which is of kind";
    host_refused(host_api()->PJRT_Buffer_UnsafePointer(&address), PJRT_Error_Code_UNIMPLEMENTED, says);
    host_refused(host_api()->PJRT_Buffer_OpaqueDeviceMemoryDataPointer(&pointer), PJRT_Error_Code_UNIMPLEMENTED, says);
    host_refused(host_api()->PJRT_Client_CreateViewOfDeviceBuffer(&view), PJRT_Error_Code_UNIMPLEMENTED, says);
    assert_null(view.buffer);
  }
  assert_int_equal(address.buffer_pointer != 0, host_sees_device_memory());
  assert_int_equal(pointer.device_memory_ptr != NULL, host_sees_device_memory());
  // The count is kept all the same.
  HOST_ARGS(more, Buffer_IncreaseExternalReferenceCount, .buffer = buffer);
  HOST_OK(Buffer_IncreaseExternalReferenceCount, &more);
  HOST_ARGS(less, Buffer_DecreaseExternalReferenceCount, .buffer = buffer);
  HOST_OK(Buffer_DecreaseExternalReferenceCount, &less);
  host_buffer_destroy(buffer);
}

// A copy to another memory or device has the content and lives there.
static void test_copies(void **state) {
  (void)state;
  PJRT_Buffer *buffer = host_put(client, device, six, dims_2x3, 2);
  PJRT_Memory *targets[] = {host_memory(device, "pinned_host"), host_memory(host_device(client, 1), "device"),
                            host_memory(device, "device")};
  for (size_t i = 0; i < 3; i++) {
    HOST_ARGS(args, Buffer_CopyToMemory, .buffer = buffer, .dst_memory = targets[i]);
    HOST_OK(Buffer_CopyToMemory, &args);
    assert_content(args.dst_buffer, six, 6);
    HOST_ARGS(where, Buffer_Memory, .buffer = args.dst_buffer);
    HOST_OK(Buffer_Memory, &where);
    assert_ptr_equal(where.memory, targets[i]);
    host_buffer_destroy(args.dst_buffer);
  }
  HOST_ARGS(same, Buffer_CopyToDevice, .buffer = buffer, .dst_device = device);
  HOST_OK(Buffer_CopyToDevice, &same);
  host_buffer_destroy(buffer);
  assert_content(same.dst_buffer, six, 6);
  host_buffer_destroy(same.dst_buffer);
}

static PJRT_Buffer *copy_into(PJRT_Buffer *buffer, PJRT_Memory *memory) {
  HOST_ARGS(args, Buffer_CopyToMemory, .buffer = buffer, .dst_memory = memory);
  HOST_OK(Buffer_CopyToMemory, &args);
  HOST_ARGS(where, Buffer_Memory, .buffer = args.dst_buffer);
  HOST_OK(Buffer_Memory, &where);
  assert_ptr_equal(where.memory, memory);
  return args.dst_buffer;
}

// Into any memory of another client of the process goes a copy as well, by way of the host; it is that client's, whatever becomes of
// the first one's buffer.
static void test_copies_into_another_client(void **state) {
  (void)state;
  static const char *const kinds[] = {"device", "pinned_host", "unpinned_host"};
  static const int64_t none[] = {0, 3};
  PJRT_Client *other = host_client_create(1);
  PJRT_Device *there = host_device(other, 0);
  for (size_t i = 0; i < 3; i++) {
    for (size_t k = 0; k < 3; k++) {
      PJRT_Buffer *buffer = host_put_in(client, host_memory(host_device(client, 1), kinds[k]), six, dims_2x3, 2);
      PJRT_Buffer *copy = copy_into(buffer, host_memory(there, kinds[i]));
      host_buffer_destroy(buffer);
      assert_content(copy, six, 6);
      host_buffer_destroy(copy);
    }
  }
  PJRT_Buffer *empty = host_put(client, device, six, none, 2), *copy = copy_into(empty, host_memory(there, "device"));
  assert_int_equal(host_await_buffer(copy, NULL), PJRT_Error_Code_OK);
  host_buffer_destroy(copy);
  host_buffer_destroy(empty);
  PJRT_Buffer *buffer = host_put(client, device, six, dims_6, 1);
  HOST_ARGS(across, Buffer_CopyToDevice, .buffer = buffer, .dst_device = there);
  HOST_OK(Buffer_CopyToDevice, &across);
  host_buffer_destroy(buffer);
  assert_content(across.dst_buffer, six, 6);
  host_buffer_destroy(across.dst_buffer);
  host_client_destroy(other);
}

// A copy of what is not there yet comes when that does, or fails as it does.
static void test_copies_of_pending_buffers_into_another_client(void **state) {
  (void)state;
  PJRT_Client *other = host_client_create(1);
  for (int fails = 0; fails < 2; fails++) {
    HOST_ARGS(args, Client_CreateAliasBuffer, .client = client, .memory = host_memory(device, "device"),
              .shape_dims = dims_6, .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32);
    HOST_OK(Client_CreateAliasBuffer, &args);
    PJRT_Buffer *copy = copy_into(args.alias_buffer, host_memory(host_device(other, 0), "device"));
    PJRT_Buffer *source = host_put(client, device, six, dims_6, 1);
    HOST_ARGS(fulfill, Client_FulfillAliasBuffer, .client = client, .buffer = fails ? NULL : source,
              .status_code = fails ? PJRT_Error_Code_ABORTED : PJRT_Error_Code_OK,
              .fulfill_alias_buffer_cb = args.fulfill_alias_buffer_cb);
    HOST_OK(Client_FulfillAliasBuffer, &fulfill);
    host_buffer_destroy(source);
    host_buffer_destroy(args.alias_buffer);
    assert_int_equal(host_await_buffer(copy, NULL), fails ? PJRT_Error_Code_ABORTED : PJRT_Error_Code_OK);
    if (!fails) {
      assert_content(copy, six, 6);
    }
    host_buffer_destroy(copy);
  }
  host_client_destroy(other);
}

// A byte range comes out as asked; the event of one that reaches past the end has an error.
static void test_raw_range(void **state) {
  (void)state;
  PJRT_Buffer *buffer = host_put(client, device, six, dims_6, 1);
  float got[2];
  HOST_ARGS(args, Buffer_CopyRawToHost, .buffer = buffer, .dst = got, .offset = 8, .transfer_size = 8);
  HOST_OK(Buffer_CopyRawToHost, &args);
  assert_int_equal(host_await(args.event, NULL), PJRT_Error_Code_OK);
  assert_true(got[0] == 3 && got[1] == 4);
  HOST_ARGS(wrong, Buffer_CopyRawToHost, .buffer = buffer, .dst = got, .offset = 20, .transfer_size = 8);
  HOST_OK(Buffer_CopyRawToHost, &wrong);
  assert_int_equal(host_await(wrong.event, NULL), PJRT_Error_Code_INVALID_ARGUMENT);

  HOST_ARGS(later, Buffer_CopyRawToHostFuture, .buffer = buffer, .offset = 4, .transfer_size = 8);
  HOST_OK(Buffer_CopyRawToHostFuture, &later);
  host_buffer_destroy(buffer);
  PJRT_Buffer_CopyRawToHostFuture_Callback_Args give = {
      .struct_size = sizeof give, .callback_data = later.callback_data, .dst = got};
  later.future_ready_callback(&give);
  assert_int_equal(host_await(later.event, NULL), PJRT_Error_Code_OK);
  assert_true(got[0] == 2 && got[1] == 3);
}

static int deleted_calls;
static void view_deleted(void *data, void *arg) {
  assert_ptr_equal(data, six);
  assert_ptr_equal(arg, &deleted_calls);
  deleted_calls++;
}

// A view reads the owner's memory and tells it once when nobody looks any more.
static void test_view(void **state) {
  (void)state;
  deleted_calls = 0;
  HOST_ARGS(args, Client_CreateViewOfDeviceBuffer, .client = client, .device_buffer_ptr = (void *)six, .dims = dims_6,
            .num_dims = 1, .element_type = PJRT_Buffer_Type_F32, .memory = host_visible_memory(device),
            .on_delete_callback = view_deleted, .on_delete_callback_arg = &deleted_calls);
  HOST_OK(Client_CreateViewOfDeviceBuffer, &args);
  assert_content(args.buffer, six, 6);
  assert_int_equal(deleted_calls, 0);
  host_buffer_destroy(args.buffer);
  assert_int_equal(deleted_calls, 1);
}

// A bitcast shows the same bytes under another shape.
static void test_bitcast(void **state) {
  (void)state;
  PJRT_Buffer *buffer = host_put(client, device, six, dims_6, 1);
  HOST_ARGS(args, Buffer_Bitcast, .buffer = buffer, .element_type = PJRT_Buffer_Type_F32, .dims = dims_2x3,
            .num_dims = 2);
  HOST_OK(Buffer_Bitcast, &args);
  host_buffer_destroy(buffer);
  assert_content(args.out_buffer, six, 6);
  host_buffer_destroy(args.out_buffer);
}

// A buffer made as an error has that error.
static void test_error_buffer(void **state) {
  (void)state;
  HOST_ARGS(args, Client_CreateErrorBuffer, .client = client, .error_code = PJRT_Error_Code_DATA_LOSS,
            .error_message = "lost", .error_message_size = 4, .shape_dims = dims_6, .shape_num_dims = 1,
            .shape_element_type = PJRT_Buffer_Type_F32, .memory = host_memory(device, "device"));
  HOST_OK(Client_CreateErrorBuffer, &args);
  const char *message;
  assert_int_equal(host_await_buffer(args.buffer, &message), PJRT_Error_Code_DATA_LOSS);
  assert_non_null(strstr(message, "lost"));
  host_buffer_destroy(args.buffer);
}

// An alias is pending until it is fulfilled, with a buffer or with an error.
static void test_alias(void **state) {
  (void)state;
  for (int fails = 0; fails < 2; fails++) {
    HOST_ARGS(args, Client_CreateAliasBuffer, .client = client, .memory = host_memory(device, "device"),
              .shape_dims = dims_6, .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32);
    HOST_OK(Client_CreateAliasBuffer, &args);
    HOST_ARGS(ready, Buffer_ReadyEvent, .buffer = args.alias_buffer);
    HOST_OK(Buffer_ReadyEvent, &ready);
    HOST_ARGS(asked, Event_IsReady, .event = ready.event);
    HOST_OK(Event_IsReady, &asked);
    assert_false(asked.is_ready);
    PJRT_Buffer *source = host_put(client, device, six, dims_6, 1);
    HOST_ARGS(fulfill, Client_FulfillAliasBuffer, .client = client, .buffer = fails ? NULL : source,
              .status_code = fails ? PJRT_Error_Code_ABORTED : PJRT_Error_Code_OK,
              .fulfill_alias_buffer_cb = args.fulfill_alias_buffer_cb);
    HOST_OK(Client_FulfillAliasBuffer, &fulfill);
    host_buffer_destroy(source);
    assert_int_equal(host_await(ready.event, NULL), fails ? PJRT_Error_Code_ABORTED : PJRT_Error_Code_OK);
    if (!fails) {
      assert_content(args.alias_buffer, six, 6);
    }
    host_buffer_destroy(args.alias_buffer);
  }
}

// A donated buffer is gone at once; the new one has its content when the host lets it. What has external references stays.
static void test_donation_with_dependency(void **state) {
  (void)state;
  PJRT_Buffer *buffer = host_put(client, device, six, dims_6, 1);
  HOST_ARGS(more, Buffer_IncreaseExternalReferenceCount, .buffer = buffer);
  HOST_OK(Buffer_IncreaseExternalReferenceCount, &more);
  HOST_ARGS(args, Buffer_DonateWithControlDependency, .buffer = buffer);
  assert_int_equal(host_take_error(host_api()->PJRT_Buffer_DonateWithControlDependency(&args), NULL),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  assert_false(host_buffer_is_deleted(buffer));
  HOST_ARGS(less, Buffer_DecreaseExternalReferenceCount, .buffer = buffer);
  HOST_OK(Buffer_DecreaseExternalReferenceCount, &less);
  HOST_OK(Buffer_DonateWithControlDependency, &args);
  assert_true(host_buffer_is_deleted(buffer));
  host_buffer_destroy(buffer);
  PJRT_Buffer_DonateWithControlDependency_Callback_Args go = {.struct_size = sizeof go,
                                                              .callback_data = args.callback_data};
  args.dependency_ready_callback(&go);
  assert_content(args.out_buffer, six, 6);
  host_buffer_destroy(args.out_buffer);
}

// A transfer manager's buffer is ready when its last piece is in, in whatever order the pieces come.
static void test_transfer_manager(void **state) {
  (void)state;
  PJRT_ShapeSpec specs[] = {
      {.struct_size = sizeof specs[0], .dims = dims_6, .num_dims = 1, .element_type = PJRT_Buffer_Type_F32},
      {.struct_size = sizeof specs[0], .dims = dims_6, .num_dims = 1, .element_type = PJRT_Buffer_Type_F32}};
  HOST_ARGS(args, Client_CreateBuffersForAsyncHostToDevice, .client = client, .shape_specs = specs,
            .num_shape_specs = 2, .memory = host_memory(device, "device"));
  HOST_OK(Client_CreateBuffersForAsyncHostToDevice, &args);
  PJRT_Buffer *buffers[2];
  for (int i = 0; i < 2; i++) {
    HOST_ARGS(get, AsyncHostToDeviceTransferManager_RetrieveBuffer, .transfer_manager = args.transfer_manager,
              .buffer_index = i);
    HOST_OK(AsyncHostToDeviceTransferManager_RetrieveBuffer, &get);
    buffers[i] = get.buffer_out;
  }
  for (int piece = 2; piece >= 0; piece--) {
    HOST_ARGS(put, AsyncHostToDeviceTransferManager_TransferData, .transfer_manager = args.transfer_manager,
              .data = six + 2 * piece, .offset = 8 * piece, .transfer_size = 8, .is_last_transfer = piece == 0);
    HOST_OK(AsyncHostToDeviceTransferManager_TransferData, &put);
    assert_int_equal(host_await(put.done_with_h2d_transfer, NULL), PJRT_Error_Code_OK);
  }
  assert_int_equal(host_await_buffer(buffers[0], NULL), PJRT_Error_Code_OK);
  assert_content(buffers[0], six, 6);
  HOST_ARGS(destroy, AsyncHostToDeviceTransferManager_Destroy, .transfer_manager = args.transfer_manager);
  HOST_OK(AsyncHostToDeviceTransferManager_Destroy, &destroy);
  assert_int_equal(host_await_buffer(buffers[1], NULL), PJRT_Error_Code_CANCELLED);
  host_buffer_destroy(buffers[0]);
  host_buffer_destroy(buffers[1]);
}

// A raw alias reads and writes the bytes of a buffer, also after the buffer's handle is gone.
static void test_raw_buffer(void **state) {
  (void)state;
  const PJRT_RawBuffer_Extension *raw = NULL;
  for (const PJRT_Extension_Base *ext = host_api()->extension_start; ext; ext = ext->next) {
    raw = ext->type == PJRT_Extension_Type_RawBuffer ? (const PJRT_RawBuffer_Extension *)ext : raw;
  }
  assert_non_null(raw);
  PJRT_Buffer *buffer = host_put(client, device, six, dims_6, 1);
  PJRT_RawBuffer_CreateRawAliasOfBuffer_Args make = {.struct_size = sizeof make, .buffer = buffer};
  host_ok(raw->create_raw_alias_of_buffer(&make), "CreateRawAliasOfBuffer");
  const float ten = 10;
  PJRT_RawBuffer_CopyRawHostToDevice_Args put = {
      .struct_size = sizeof put, .buffer = make.raw_buffer, .src = &ten, .offset = 4, .transfer_size = 4};
  host_ok(raw->copy_raw_host_to_device(&put), "CopyRawHostToDevice");
  assert_int_equal(host_await(put.event, NULL), PJRT_Error_Code_OK);
  host_buffer_destroy(buffer);
  float got[2];
  PJRT_RawBuffer_CopyRawDeviceToHost_Args get = {
      .struct_size = sizeof get, .buffer = make.raw_buffer, .dst = got, .offset = 4, .transfer_size = 8};
  host_ok(raw->copy_raw_device_to_host(&get), "CopyRawDeviceToHost");
  assert_int_equal(host_await(get.event, NULL), PJRT_Error_Code_OK);
  assert_true(got[0] == 10 && got[1] == 3);
  PJRT_RawBuffer_Destroy_Args destroy = {.struct_size = sizeof destroy, .buffer = make.raw_buffer};
  host_ok(raw->destroy(&destroy), "Destroy");
}

typedef struct callback_log {
  int calls;
  PJRT_Error_Code code;
  PJRT_Event *destroy;
} callback_log;

static void log_callback(PJRT_Error *error, void *user_arg) {
  callback_log *log = user_arg;
  log->calls++;
  log->code = host_take_error(error, NULL);
  HOST_ARGS(args, Event_Destroy, .event = log->destroy);
  HOST_OK(Event_Destroy, &args);
}

// A host's own event calls back once, with the error it was set to; the callback may destroy the event.
static void test_host_event(void **state) {
  (void)state;
  HOST_ARGS(make, Event_Create);
  HOST_OK(Event_Create, &make);
  callback_log log = {.destroy = make.event};
  HOST_ARGS(wait, Event_OnReady, .event = make.event, .callback = log_callback, .user_arg = &log);
  HOST_OK(Event_OnReady, &wait);
  assert_int_equal(log.calls, 0);
  HOST_ARGS(set, Event_Set, .event = make.event, .error_code = PJRT_Error_Code_NOT_FOUND, .error_message = "x",
            .error_message_size = 1);
  HOST_OK(Event_Set, &set);
  assert_int_equal(log.calls, 1);
  assert_int_equal(log.code, PJRT_Error_Code_NOT_FOUND);
}

static void slow_callback(PJRT_Error *error, void *user_arg) {
  assert_null(error);
  usleep(50000);
  atomic_store_explicit((_Atomic(int) *)user_arg, 1, memory_order_release);  // pairs with the load after the wait
}

typedef struct late_set {
  PJRT_Event *event;
  pid_t waiter;            // a thread
  _Atomic(bool) is_about;  // to wait
} late_set;

// When the other thread waits: who finds the event set does not wait for its callbacks.
static void *set_late(void *context) {
  late_set *self = context;
  while (!atomic_load(&self->is_about) || !thread_waits(self->waiter)) {
    usleep(1000);
  }
  HOST_ARGS(set, Event_Set, .event = self->event);
  HOST_OK(Event_Set, &set);
  return NULL;
}

// Who waits for an event goes on after the callbacks that it was given before.
static void test_await_comes_after_callbacks(void **state) {
  (void)state;
  _Atomic(int) called;
  atomic_init(&called, 0);
  HOST_ARGS(make, Event_Create);
  HOST_OK(Event_Create, &make);
  HOST_ARGS(callback, Event_OnReady, .event = make.event, .callback = slow_callback, .user_arg = &called);
  HOST_OK(Event_OnReady, &callback);
  late_set late = {.event = make.event, .waiter = gettid()};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, set_late, &late), 0);
  atomic_store(&late.is_about, true);
  HOST_ARGS(wait, Event_Await, .event = make.event);
  HOST_OK(Event_Await, &wait);
  assert_int_equal(atomic_load_explicit(&called, memory_order_acquire), 1);
  pthread_join(thread, NULL);
  HOST_ARGS(done, Event_Destroy, .event = make.event);
  HOST_OK(Event_Destroy, &done);
}

int main(int argc, char **argv) {
  host_set_library(argc > 1 ? argv[1] : NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_strided_arrays),
      cmocka_unit_test(test_to_host_with_layout),
      cmocka_unit_test(test_delete),
      cmocka_unit_test(test_external_references),
      cmocka_unit_test(test_external_references_go_with_the_handle),
      cmocka_unit_test(test_addresses),
      cmocka_unit_test(test_copies),
      cmocka_unit_test(test_copies_into_another_client),
      cmocka_unit_test(test_copies_of_pending_buffers_into_another_client),
      cmocka_unit_test(test_raw_range),
      cmocka_unit_test(test_raw_buffer),
      cmocka_unit_test(test_view),
      cmocka_unit_test(test_bitcast),
      cmocka_unit_test(test_error_buffer),
      cmocka_unit_test(test_alias),
      cmocka_unit_test(test_donation_with_dependency),
      cmocka_unit_test(test_transfer_manager),
      cmocka_unit_test(test_host_event),
      cmocka_unit_test(test_await_comes_after_callbacks),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
