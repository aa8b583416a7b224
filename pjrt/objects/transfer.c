// The asynchronous host-to-device transfer manager: buffers that exist at once and are filled piece by piece (fill.c).
#include <string.h>

#include "core/census.h"
#include "core/size.h"
#include "pjrt/objects/fill.h"

typedef struct PJRT_AsyncHostToDeviceTransferManager manager;
typedef mr_pjrt_fill fill;

// ---- Lifecycle ----------------------------------------------------------------------------------------------------------

static mr_status slot_init(fill *slot, mr_memory *memory, const PJRT_ShapeSpec *spec,
                           const PJRT_Buffer_MemoryLayout *layout) {
  if (spec->struct_size < PJRT_ABI_END(PJRT_ShapeSpec, element_type)) {
    return mr_error(MR_INVALID_ARGUMENT, "shape: struct_size is %zu, wanted at least %zu", spec->struct_size,
                    PJRT_ABI_END(PJRT_ShapeSpec, element_type));
  }
  mr_pjrt_shape *shape = &slot->shape;
  MR_TRY(mr_pjrt_shape_init(shape, spec->element_type, spec->dims, spec->num_dims, layout));
  MR_TRY(mr_storage_allocate(memory, shape->bytes, &slot->storage));
  MR_TRY(mr_future_create(&slot->ready));
  return mr_buffer_create(memory, shape->block_dtype, shape->block_dims, shape->block_rank,
                          mr_storage_retain(slot->storage), mr_future_retain(slot->ready), &slot->buffer);
}

static void slot_deinit(fill *slot) {
  mr_future_release(slot->ready);
  mr_storage_release(slot->storage);
  mr_buffer_release(slot->buffer);
  mr_pjrt_shape_deinit(&slot->shape);
}

void mr_pjrt_manager_release(manager *self) {
  if (!mr_ref_release(&self->ref)) {
    return;
  }
  mr_platform *platform = self->where->device->platform;
  for (size_t i = 0; i < self->count; i++) {
    slot_deinit(&self->slots[i]);
  }
  pthread_mutex_destroy(&self->lock);
  mr_census_add(MR_CENSUS_transfers, -1);
  mr_free(self);
  mr_platform_leave(platform);
}

static mr_status manager_create(PJRT_Client_CreateBuffersForAsyncHostToDevice_Args *args) {
  PJRT_Memory *memory;
  MR_TRY(mr_pjrt_choose_memory(args->client, args->memory, NULL, &memory));
  if (args->device_layouts && args->num_device_layouts && args->num_device_layouts != args->num_shape_specs) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu layouts for %zu shapes", args->num_device_layouts, args->num_shape_specs);
  }
  manager *self = mr_alloc_zeroed(1, mr_size_add(sizeof *self, mr_size_mul(args->num_shape_specs, sizeof(fill))));
  if (self == NULL) {
    return MR_NO_MEMORY();
  }
  mr_census_add(MR_CENSUS_transfers, 1);
  mr_ref_init(&self->ref);
  pthread_mutex_init(&self->lock, NULL);
  self->memory = mr_pjrt_memory_of(memory);
  self->where = self->memory->memory;
  mr_platform_enter(self->where->device->platform);
  mr_status status = MR_OK;
  for (size_t i = 0; !status && i < args->num_shape_specs; i++) {
    const PJRT_Buffer_MemoryLayout *layout =
        args->num_device_layouts && args->device_layouts ? args->device_layouts[i] : NULL;
    self->count = i + 1;
    status = slot_init(&self->slots[i], self->where, MR_PJRT_ELEMENT(args->shape_specs, i), layout);
  }
  if (status) {
    mr_pjrt_manager_release(self);
    return status;
  }
  args->transfer_manager = self;
  return MR_OK;
}

PJRT_Error *mr_pjrt_Client_CreateBuffersForAsyncHostToDevice(PJRT_Client_CreateBuffersForAsyncHostToDevice_Args *args) {
  MR_PJRT_NEED(args, transfer_manager);
  MR_PJRT_NONNULL(args, client);
  MR_PJRT_NONNULL_IF(args, num_shape_specs, shape_specs);
  args->transfer_manager = NULL;
  MR_PJRT_TRY(manager_create(args));
  return NULL;
}

// ---- Filling ------------------------------------------------------------------------------------------------------------------

static mr_status find_slot(manager *self, int index, fill **out_slot) {
  if (index < 0 || (size_t)index >= self->count) {
    return mr_error(MR_INVALID_ARGUMENT, "buffer index %d of %zu buffers", index, self->count);
  }
  *out_slot = &self->slots[index];
  return MR_OK;
}

// What is not going to be filled any more fails.
PJRT_Error *mr_pjrt_AsyncHostToDeviceTransferManager_Destroy(PJRT_AsyncHostToDeviceTransferManager_Destroy_Args *args) {
  MR_PJRT_NEED(args, transfer_manager);
  manager *self = args->transfer_manager;
  for (size_t i = 0; self && i < self->count; i++) {
    (void)mr_pjrt_fill_fail(self, &self->slots[i], true,
                            mr_error(MR_CANCELLED, "the transfer manager was destroyed before the buffer was filled"));
  }
  if (self) {
    mr_pjrt_manager_release(self);
  }
  return NULL;
}

// ---- Transfers ----------------------------------------------------------------------------------------------------------------

// *out_done NULL: it is over; else a counted future.
static mr_status transfer(manager *self, int index, const void *data, int64_t offset, int64_t size, bool last,
                          mr_future **out_done) {
  fill *slot;
  MR_TRY(find_slot(self, index, &slot));
  MR_TRY(mr_pjrt_check_range(slot->shape.bytes, offset, size));
  if (size > 0 && data == NULL) {
    return mr_error(MR_INVALID_ARGUMENT, "a piece of %lld bytes at NULL", (long long)size);
  }
  return mr_pjrt_fill_bytes(self, slot, data, (size_t)offset, (size_t)size, last, out_done);
}

PJRT_Error *
mr_pjrt_AsyncHostToDeviceTransferManager_TransferData(PJRT_AsyncHostToDeviceTransferManager_TransferData_Args *args) {
  MR_PJRT_NEED(args, done_with_h2d_transfer);
  MR_PJRT_NONNULL(args, transfer_manager);
  args->done_with_h2d_transfer = NULL;
  mr_future *done = NULL;
  MR_PJRT_TRY(transfer(args->transfer_manager, args->buffer_index, args->data, args->offset, args->transfer_size,
                       args->is_last_transfer, &done));
  args->done_with_h2d_transfer = mr_pjrt_event_of_done(done);
  return NULL;
}

static mr_status transfer_literal(PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args *args,
                                  mr_future **out_done) {
  mr_dtype dtype;
  size_t bytes;
  fill *slot;
  MR_TRY(mr_pjrt_check_shape(args->shape_element_type, args->shape_dims, args->shape_num_dims, &dtype));
  MR_TRY(mr_dims_bytes(dtype, args->shape_dims, args->shape_num_dims, &bytes));
  MR_TRY(find_slot(args->transfer_manager, args->buffer_index, &slot));
  if (bytes && args->data == NULL) {
    return mr_error(MR_INVALID_ARGUMENT, "a literal of %zu bytes at NULL", bytes);
  }
  if (args->shape_layout || slot->shape.form) {
    return mr_pjrt_fill_literal(args->transfer_manager, slot, args, out_done);
  }
  if (bytes != slot->shape.bytes) {
    return mr_error(MR_INVALID_ARGUMENT, "a literal of %zu bytes for a buffer of %zu bytes", bytes, slot->shape.bytes);
  }
  return transfer(args->transfer_manager, args->buffer_index, args->data, 0, (int64_t)bytes, true, out_done);
}

PJRT_Error *mr_pjrt_AsyncHostToDeviceTransferManager_TransferLiteral(
    PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args *args) {
  MR_PJRT_NEED(args, done_with_h2d_transfer);
  MR_PJRT_NONNULL(args, transfer_manager);
  args->done_with_h2d_transfer = NULL;
  mr_future *done = NULL;
  MR_PJRT_TRY(transfer_literal(args, &done));
  args->done_with_h2d_transfer = mr_pjrt_event_of_done(done);
  return NULL;
}

static mr_status set_error(manager *self, int index, mr_status take_error) {
  fill *slot;
  mr_status status = find_slot(self, index, &slot);
  if (status) {
    mr_status_free(take_error);
    return status;
  }
  return mr_pjrt_fill_fail(self, slot, false, take_error)
             ? MR_OK
             : mr_error(MR_FAILED_PRECONDITION, "the buffer had its last transfer or an error already");
}

PJRT_Error *mr_pjrt_AsyncHostToDeviceTransferManager_SetBufferError(
    PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args *args) {
  MR_PJRT_NEED(args, error_message_size);
  MR_PJRT_NONNULL(args, transfer_manager);
  mr_status error = mr_pjrt_status_of_code(args->error_code, args->error_message, args->error_message_size);
  MR_PJRT_TRY(set_error(args->transfer_manager, args->buffer_index, error));
  return NULL;
}

static mr_status check_metadata(const PJRT_NamedValue *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const PJRT_NamedValue *value = MR_PJRT_ELEMENT(values, i);
    if (value->struct_size < PJRT_ABI_END(PJRT_NamedValue, value_size)) {
      return mr_error(MR_INVALID_ARGUMENT, "metadata %zu: struct_size is %zu, wanted at least %zu", i,
                      value->struct_size, PJRT_ABI_END(PJRT_NamedValue, value_size));
    }
    if (value->name == NULL || (unsigned)value->type > PJRT_NamedValue_kBool) {
      return mr_error(MR_INVALID_ARGUMENT, "metadata %zu: a value of type %d, wanted a name and a type of 0 to %d", i,
                      (int)value->type, (int)PJRT_NamedValue_kBool);
    }
  }
  return MR_OK;
}

// Without effect: it is checked and dropped; nothing shows what a transfer was for.
PJRT_Error *
mr_pjrt_AsyncHostToDeviceTransferManager_AddMetadata(PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args *args) {
  MR_PJRT_NEED(args, num_metadata);
  MR_PJRT_NONNULL(args, transfer_manager);
  MR_PJRT_NONNULL_IF(args, num_metadata, transfer_metadata);
  MR_PJRT_TRY(check_metadata(args->transfer_metadata, args->num_metadata));
  return NULL;
}

// ---- Questions ------------------------------------------------------------------------------------------------------------------

static mr_status retrieve(manager *self, int index, PJRT_Buffer **out_buffer) {
  fill *slot;
  MR_TRY(find_slot(self, index, &slot));
  pthread_mutex_lock(&self->lock);
  mr_buffer *buffer = slot->buffer;
  slot->buffer = NULL;
  pthread_mutex_unlock(&self->lock);
  if (buffer == NULL) {
    return mr_error(MR_FAILED_PRECONDITION, "buffer %d was retrieved before", index);
  }
  mr_status status =
      mr_pjrt_buffer_wrap_checked(&self->memory->base, mr_buffer_retain(buffer), slot->shape.form, out_buffer);
  if (status) {  // for the next time
    pthread_mutex_lock(&self->lock);
    slot->buffer = buffer;
    pthread_mutex_unlock(&self->lock);
    return status;
  }
  mr_buffer_release(buffer);
  return MR_OK;
}

PJRT_Error *mr_pjrt_AsyncHostToDeviceTransferManager_RetrieveBuffer(
    PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args *args) {
  MR_PJRT_NEED(args, buffer_out);
  MR_PJRT_NONNULL(args, transfer_manager);
  args->buffer_out = NULL;
  MR_PJRT_TRY(retrieve(args->transfer_manager, args->buffer_index, &args->buffer_out));
  return NULL;
}

MR_PJRT_GETTER(AsyncHostToDeviceTransferManager_Device, transfer_manager, device_out,
               args->device_out = args->transfer_manager->memory->device)

PJRT_Error *
mr_pjrt_AsyncHostToDeviceTransferManager_BufferCount(PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args *args) {
  MR_PJRT_NEED(args, buffer_count);
  MR_PJRT_NONNULL(args, transfer_manager);
  args->buffer_count = args->transfer_manager->count;
  return NULL;
}

PJRT_Error *
mr_pjrt_AsyncHostToDeviceTransferManager_BufferSize(PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args *args) {
  MR_PJRT_NEED(args, buffer_size);
  MR_PJRT_NONNULL(args, transfer_manager);
  fill *slot;
  MR_PJRT_TRY(find_slot(args->transfer_manager, args->buffer_index, &slot));
  args->buffer_size = slot->shape.bytes;
  return NULL;
}
