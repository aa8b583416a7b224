// The asynchronous host-to-device transfer manager: buffers that exist at once and are filled piece by piece (devices/fill.c).
#include <string.h>

#include "core/census.h"
#include "core/size.h"
#include "devices/fill.h"
#include "pjrt/objects/objects.h"

typedef struct PJRT_AsyncHostToDeviceTransferManager manager;

typedef struct slot {
  mr_fill fill;         // its buffer until it is retrieved
  mr_pjrt_shape shape;  // of the buffer
} slot;

struct PJRT_AsyncHostToDeviceTransferManager {
  mr_fills base;
  mr_pjrt_memory *memory;  // of a client that stays, because the base's platform does
  size_t count;
  slot slots[];
};

// ---- Lifecycle ----------------------------------------------------------------------------------------------------------

static mr_status slot_init(const manager *self, slot *s, const PJRT_ShapeSpec *spec,
                           const PJRT_Buffer_MemoryLayout *layout) {
  if (spec->struct_size < PJRT_ABI_END(PJRT_ShapeSpec, element_type)) {
    return mr_error(MR_INVALID_ARGUMENT, "shape: struct_size is %zu, wanted at least %zu", spec->struct_size,
                    PJRT_ABI_END(PJRT_ShapeSpec, element_type));
  }
  mr_pjrt_shape *shape = &s->shape;
  MR_TRY(mr_pjrt_shape_init(shape, spec->element_type, spec->dims, spec->num_dims, layout));
  return mr_fill_init(&self->base, &s->fill, shape->block_dtype, shape->block_dims, shape->block_rank);
}

static void manager_destroy(mr_fills *base) {
  manager *self = MR_CONTAINER_OF(base, manager, base);
  for (size_t i = 0; i < self->count; i++) {
    mr_fill_deinit(&self->slots[i].fill);
    mr_pjrt_shape_deinit(&self->slots[i].shape);
  }
  mr_census_add(MR_CENSUS_transfers, -1);
  mr_free(self);
}

static mr_status manager_create(PJRT_Client_CreateBuffersForAsyncHostToDevice_Args *args) {
  PJRT_Memory *memory;
  MR_TRY(mr_pjrt_choose_memory(args->client, args->memory, NULL, &memory));
  if (args->device_layouts && args->num_device_layouts && args->num_device_layouts != args->num_shape_specs) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu layouts for %zu shapes", args->num_device_layouts, args->num_shape_specs);
  }
  manager *self = mr_alloc_zeroed(1, mr_size_add(sizeof *self, mr_size_mul(args->num_shape_specs, sizeof(slot))));
  if (self == NULL) {
    return MR_NO_MEMORY();
  }
  mr_census_add(MR_CENSUS_transfers, 1);
  self->memory = mr_pjrt_memory_of(memory);
  mr_fills_init(&self->base, self->memory->memory, manager_destroy);
  mr_status status = MR_OK;
  for (size_t i = 0; !status && i < args->num_shape_specs; i++) {
    const PJRT_Buffer_MemoryLayout *layout =
        args->num_device_layouts && args->device_layouts ? args->device_layouts[i] : NULL;
    self->count = i + 1;
    status = slot_init(self, &self->slots[i], MR_PJRT_ELEMENT(args->shape_specs, i), layout);
  }
  if (status) {
    mr_fills_release(&self->base);
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

static mr_status find_slot(manager *self, int index, slot **out_slot) {
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
    (void)mr_fill_fail(&self->base, &self->slots[i].fill, true,
                       mr_error(MR_CANCELLED, "the transfer manager was destroyed before the buffer was filled"));
  }
  if (self) {
    mr_fills_release(&self->base);
  }
  return NULL;
}

// ---- Transfers ----------------------------------------------------------------------------------------------------------------

// *out_done NULL: it is over; else a counted future.
static mr_status transfer(manager *self, int index, const void *data, int64_t offset, int64_t size, bool last,
                          mr_future **out_done) {
  slot *found;
  MR_TRY(find_slot(self, index, &found));
  MR_TRY(mr_pjrt_check_range(found->shape.bytes, offset, size));
  if (size > 0 && data == NULL) {
    return mr_error(MR_INVALID_ARGUMENT, "a piece of %lld bytes at NULL", (long long)size);
  }
  return mr_fill_bytes(&self->base, &found->fill, data, (size_t)offset, (size_t)size, last, out_done);
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

// A literal whose elements lie elsewhere in the buffer.
typedef struct literal_move {
  mr_fill_move base;
  mr_pjrt_placing from, to;
  int64_t *tables;  // owned
  const void *data;
} literal_move;

static void literal_drop(mr_fill_move *take_move) {
  literal_move *move = MR_CONTAINER_OF(take_move, literal_move, base);
  mr_free(move->tables);
  mr_free(move);
}

static void literal_run(mr_fill_move *base, mr_group *group) {
  literal_move *move = MR_CONTAINER_OF(base, literal_move, base);
  mr_pjrt_move_with(group, &move->to, base->block, &move->from, move->data, move->tables);
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

static mr_status send_literal(const PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args *args, slot *found,
                              mr_future **out_done) {
  literal_move *move = mr_alloc_zeroed(1, sizeof *move);
  if (move == NULL) {
    return MR_NO_MEMORY();
  }
  move->base = (mr_fill_move){.run = literal_run, .drop = literal_drop};
  move->data = args->data;
  mr_status status = literal_places(args, &found->shape, &move->from, &move->to);
  status = status ? status : mr_pjrt_move_tables(&move->to, &move->from, &move->tables);
  if (status) {
    literal_drop(&move->base);
    return status;
  }
  return mr_fill_moved(&args->transfer_manager->base, &found->fill, &move->base, out_done);
}

static mr_status transfer_literal(PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args *args,
                                  mr_future **out_done) {
  mr_dtype dtype;
  size_t bytes;
  slot *found;
  MR_TRY(mr_pjrt_check_shape(args->shape_element_type, args->shape_dims, args->shape_num_dims, &dtype));
  MR_TRY(mr_dims_bytes(dtype, args->shape_dims, args->shape_num_dims, &bytes));
  MR_TRY(find_slot(args->transfer_manager, args->buffer_index, &found));
  if (bytes && args->data == NULL) {
    return mr_error(MR_INVALID_ARGUMENT, "a literal of %zu bytes at NULL", bytes);
  }
  if (args->shape_layout || found->shape.form) {
    return send_literal(args, found, out_done);
  }
  if (bytes != found->shape.bytes) {
    return mr_error(MR_INVALID_ARGUMENT, "a literal of %zu bytes for a buffer of %zu bytes", bytes, found->shape.bytes);
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
  slot *found;
  mr_status status = find_slot(self, index, &found);
  if (status) {
    mr_status_free(take_error);
    return status;
  }
  return mr_fill_fail(&self->base, &found->fill, false, take_error)
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
  slot *found;
  MR_TRY(find_slot(self, index, &found));
  pthread_mutex_lock(&self->base.lock);
  mr_buffer *buffer = found->fill.buffer;
  found->fill.buffer = NULL;
  pthread_mutex_unlock(&self->base.lock);
  if (buffer == NULL) {
    return mr_error(MR_FAILED_PRECONDITION, "buffer %d was retrieved before", index);
  }
  mr_status status =
      mr_pjrt_buffer_wrap_checked(&self->memory->base, mr_buffer_retain(buffer), found->shape.form, out_buffer);
  if (status) {  // for the next time
    pthread_mutex_lock(&self->base.lock);
    found->fill.buffer = buffer;
    pthread_mutex_unlock(&self->base.lock);
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
  slot *found;
  MR_PJRT_TRY(find_slot(args->transfer_manager, args->buffer_index, &found));
  args->buffer_size = found->shape.bytes;
  return NULL;
}
