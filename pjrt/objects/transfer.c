// The asynchronous host-to-device transfer manager: buffers that exist at once and are filled piece by piece.
#include <string.h>

#include "core/census.h"
#include "core/trace.h"
#include "pjrt/objects/objects.h"

// Pieces for memory that the host addresses are copied within the call. The others are on their way when it returns, and keep
// the manager until they are there, however early the host destroys it.

// One buffer being filled. The counts are under the manager's lock; the bytes are not, as pieces do not overlap.
typedef struct fill {
  mr_buffer *buffer;    // until it is retrieved
  mr_storage *storage;  // where the bytes go; NULL once no more may come, so that the buffer's user is alone with them
  mr_future *ready;     // NULL once it is set
  mr_pjrt_shape shape;  // of the buffer
  bool last_seen;       // the piece that is_last_transfer marks has begun
  uint32_t under_way;   // pieces being copied
} fill;

struct PJRT_AsyncHostToDeviceTransferManager {
  mr_ref ref;  // the host's, and one for each piece that is on its way
  pthread_mutex_t lock;
  mr_pjrt_memory *memory;
  size_t count;
  fill slots[];
};
typedef struct PJRT_AsyncHostToDeviceTransferManager manager;

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

static void manager_release(manager *self) {
  if (!mr_ref_release(&self->ref)) {
    return;
  }
  for (size_t i = 0; i < self->count; i++) {
    slot_deinit(&self->slots[i]);
  }
  pthread_mutex_destroy(&self->lock);
  mr_census_add(MR_CENSUS_transfers, -1);
  mr_free(self);
}

static mr_status manager_create(PJRT_Client_CreateBuffersForAsyncHostToDevice_Args *args) {
  PJRT_Memory *memory;
  MR_TRY(mr_pjrt_choose_memory(args->client, args->memory, NULL, &memory));
  if (args->device_layouts && args->num_device_layouts && args->num_device_layouts != args->num_shape_specs) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu layouts for %zu shapes", args->num_device_layouts, args->num_shape_specs);
  }
  manager *self = mr_alloc_zeroed(1, sizeof *self + args->num_shape_specs * sizeof(fill));
  if (self == NULL) {
    return MR_NO_MEMORY();
  }
  mr_census_add(MR_CENSUS_transfers, 1);
  mr_ref_init(&self->ref);
  pthread_mutex_init(&self->lock, NULL);
  self->memory = mr_pjrt_memory_of(memory);
  mr_status status = MR_OK;
  for (size_t i = 0; !status && i < args->num_shape_specs; i++) {
    const PJRT_Buffer_MemoryLayout *layout =
        args->num_device_layouts && args->device_layouts ? args->device_layouts[i] : NULL;
    self->count = i + 1;
    status = slot_init(&self->slots[i], self->memory->memory, MR_PJRT_ELEMENT(args->shape_specs, i), layout);
  }
  if (status) {
    manager_release(self);
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

static mr_status begin_piece(manager *self, fill *slot, bool last) {
  pthread_mutex_lock(&self->lock);
  bool open = slot->ready && !slot->last_seen;
  if (open) {
    slot->last_seen = last;
    slot->under_way++;
  }
  pthread_mutex_unlock(&self->lock);
  return open ? MR_OK : mr_error(MR_FAILED_PRECONDITION, "the buffer had its last transfer or an error already");
}

// What is to be done outside the lock when nothing more comes: under the lock, when that is so.
typedef struct ending {
  mr_storage *storage;
  mr_future *ready;
} ending;

static ending end_slot(fill *slot) {
  ending end = {NULL, slot->ready};
  slot->ready = NULL;
  if (slot->under_way == 0) {
    end.storage = slot->storage;
    slot->storage = NULL;
  }
  return end;
}

// The storage first: who waits may be about to donate the buffer.
static void finish_slot(ending end, mr_status take_status) {
  mr_storage_release(end.storage);
  if (end.ready) {
    mr_future_set(end.ready, take_status);
    mr_future_release(end.ready);
  } else {
    mr_status_free(take_status);
  }
}

// The piece that ends last makes the buffer ready, and one that failed fails it; the future is set outside the lock, as waiters
// run there.
static void end_piece(manager *self, fill *slot, mr_status take_status) {
  ending end = {0};
  pthread_mutex_lock(&self->lock);
  slot->under_way--;
  if (take_status || slot->ready == NULL || (slot->under_way == 0 && slot->last_seen)) {
    end = end_slot(slot);
  }
  pthread_mutex_unlock(&self->lock);
  finish_slot(end, take_status);
}

// As if the piece had not begun.
static void take_back_piece(manager *self, fill *slot, bool last) {
  pthread_mutex_lock(&self->lock);
  slot->last_seen = slot->last_seen && !last;
  pthread_mutex_unlock(&self->lock);
  end_piece(self, slot, MR_OK);
}

// What is not going to be filled any more fails.
PJRT_Error *mr_pjrt_AsyncHostToDeviceTransferManager_Destroy(PJRT_AsyncHostToDeviceTransferManager_Destroy_Args *args) {
  MR_PJRT_NEED(args, transfer_manager);
  manager *self = args->transfer_manager;
  for (size_t i = 0; self && i < self->count; i++) {
    fill *slot = &self->slots[i];
    pthread_mutex_lock(&self->lock);
    ending end = slot->ready && !slot->last_seen ? end_slot(slot) : (ending){0};
    pthread_mutex_unlock(&self->lock);
    finish_slot(end, end.ready
                         ? mr_error(MR_CANCELLED, "the transfer manager was destroyed before the buffer was filled")
                         : MR_OK);
  }
  if (self) {
    manager_release(self);
  }
  return NULL;
}

// ---- Pieces on their way --------------------------------------------------------------------------------------------------

// A piece of bytes into memory that the host does not address.
typedef struct piece {
  mr_waiter waiter;
  mr_future *written;
  mr_future *done;  // one reference; the host has another
  manager *self;    // has a reference
  fill *slot;
  mr_platform *platform;  // retained: of the device that copies
  mr_storage *staging;    // owned; where the bytes are when not in the host's array, NULL
} piece;

static void piece_free(piece *p) {
  mr_storage_release(p->staging);
  manager_release(p->self);
  mr_platform_release(p->platform);
  mr_free(p);
}

static void piece_is_written(mr_waiter *waiter, mr_status status) {
  piece *p = MR_CONTAINER_OF(waiter, piece, waiter);
  mr_future *written = p->written, *done = p->done;
  end_piece(p->self, p->slot, mr_status_retain(status));
  piece_free(p);  // before the future is set: who waits for it may destroy the client next
  mr_future_set(done, mr_status_retain(status));
  mr_future_release(done);
  mr_future_release(written);
}

static mr_status piece_create(manager *self, fill *slot, mr_storage *take_staging, piece **out_piece) {
  piece *p = mr_alloc(sizeof *p);
  mr_status status = p ? MR_OK : MR_NO_MEMORY();
  if (!status) {
    *p = (piece){.waiter.run = piece_is_written, .self = self, .slot = slot, .staging = take_staging};
    status = mr_future_create(&p->done);
  }
  if (status) {
    mr_storage_release(take_staging);
    mr_free(p);
    return status;
  }
  mr_ref_retain(&self->ref);
  p->platform = mr_platform_retain(self->memory->memory->device->platform);
  *out_piece = p;
  return MR_OK;
}

// Begun already, and taken back when this fails. *out_done NULL: it is over; else a counted future.
static mr_status send_piece(manager *self, fill *slot, bool last, size_t offset, size_t size, const void *from,
                            mr_storage *take_staging, mr_future **out_done) {
  piece *p;
  mr_status status = piece_create(self, slot, take_staging, &p);
  if (status) {
    take_back_piece(self, slot, last);
    return status;
  }
  status = mr_storage_write(slot->storage, offset, size, from, NULL, 0, &p->written);
  if (status || !p->written) {
    mr_future_release(p->done);
    if (status) {
      take_back_piece(self, slot, last);
    } else {
      end_piece(self, slot, MR_OK);
    }
    piece_free(p);
    return status;
  }
  *out_done = mr_future_retain(p->done);
  mr_future_then(p->written, &p->waiter);
  return MR_OK;
}

// ---- Transfers ----------------------------------------------------------------------------------------------------------------

// *out_done NULL: it is over; else a counted future.
static mr_status transfer(manager *self, int index, const void *data, int64_t offset, int64_t size, bool last,
                          mr_future **out_done) {
  fill *slot;
  mr_memory *memory = self->memory->memory;
  MR_TRY(find_slot(self, index, &slot));
  MR_TRY(mr_pjrt_check_range(slot->shape.bytes, offset, size));
  if (size > 0 && data == NULL) {
    return mr_error(MR_INVALID_ARGUMENT, "a piece of %lld bytes at NULL", (long long)size);
  }
  mr_dtype dtype = slot->shape.block_dtype;
  mr_storage *staging = NULL;
  if (size > 0 && !memory->addressable && mr_dtype_is_narrow(dtype)) {
    MR_TRY(mr_storage_allocate(mr_memory_on_host(memory), (size_t)size, &staging));
    memcpy(staging->data, data, (size_t)size);
    mr_dtype_clear_above(dtype, staging->data, (size_t)size);
    data = staging->data;
  }
  mr_status status = begin_piece(self, slot, last);
  if (status) {
    mr_storage_release(staging);
    return status;
  }
  if (size > 0 && !memory->addressable) {
    return send_piece(self, slot, last, (size_t)offset, (size_t)size, data, staging, out_done);
  }
  uint64_t start = mr_trace_begin();
  if (size > 0) {
    char *to = (char *)slot->storage->data + offset;
    mr_copy_bytes(memory->device->group, to, data, (size_t)size);
    mr_dtype_clear_above(dtype, to, (size_t)size);
  }
  end_piece(self, slot, MR_OK);
  // Behind it: what the last piece makes ready comes out of this span.
  mr_trace_end_call(MR_TRACE_TRANSFER, "piece to device", MR_NODE_HOST_TO_DEVICE, memory->device->id, start);
  return MR_OK;
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

static mr_status literal_places(const PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args *args,
                                const mr_pjrt_shape *shape, mr_pjrt_placing *from, mr_pjrt_placing *to) {
  size_t rank = args->shape_num_dims;
  if (rank != shape->rank || (mr_dtype)args->shape_element_type != shape->dtype ||
      (rank && memcmp(args->shape_dims, shape->dims, rank * sizeof(int64_t)) != 0)) {
    return mr_error(MR_INVALID_ARGUMENT, "a literal of another shape than the buffer's");
  }
  MR_TRY(mr_pjrt_placing_of_host(from, args->shape_layout, shape->dtype, shape->dims, rank));
  if (shape->form) {
    *to = shape->form->places;
    return MR_OK;
  }
  return mr_pjrt_placing_of_host(to, NULL, shape->dtype, shape->dims, rank);
}

// A literal is an array of its own: the same type and dimensions as the buffer's, in any layout. With negative strides its
// first element is not at its start.
static mr_status literal_copy(manager *self, fill *slot,
                              const PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args *args,
                              mr_future **out_done) {
  mr_pjrt_placing from, to;
  mr_memory *memory = self->memory->memory;
  mr_storage *staging = NULL;
  MR_TRY(literal_places(args, &slot->shape, &from, &to));
  MR_TRY(begin_piece(self, slot, true));
  uint64_t start = mr_trace_begin();
  mr_status status =
      memory->addressable ? MR_OK : mr_storage_allocate(mr_memory_on_host(memory), slot->shape.bytes, &staging);
  if (!status) {
    void *block = staging ? staging->data : slot->storage->data;
    status = mr_pjrt_move(memory->device->group, &to, block, &from, args->data);
  }
  mr_trace_end(MR_TRACE_TRANSFER, "literal to device", start);
  if (status) {  // for lack of memory
    mr_storage_release(staging);
    take_back_piece(self, slot, true);
  } else if (staging) {
    status = send_piece(self, slot, true, 0, slot->shape.bytes, staging->data, staging, out_done);
  } else {
    end_piece(self, slot, MR_OK);
  }
  return status;
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
    manager *self = args->transfer_manager;
    uint64_t start = mr_trace_begin();
    mr_status status = literal_copy(self, slot, args, out_done);
    mr_trace_end_call(MR_TRACE_TRANSFER, "literal to device", MR_NODE_HOST_TO_DEVICE, self->memory->memory->device->id,
                      start);
    return status;
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
  ending end = {0};
  if (!status) {
    pthread_mutex_lock(&self->lock);
    end = slot->ready ? end_slot(slot) : end;
    pthread_mutex_unlock(&self->lock);
    if (end.ready == NULL) {
      status = mr_error(MR_FAILED_PRECONDITION, "the buffer had its last transfer or an error already");
    }
  }
  finish_slot(end, take_error);
  return status;
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
