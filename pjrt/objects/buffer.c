// Buffers: handles, questions, deletion, external references and copies.
#include <string.h>

#include "core/census.h"
#include "futures/pool.h"
#include "pjrt/objects/across.h"
#include "pjrt/objects/objects.h"

// ---- Handles --------------------------------------------------------------------------------------------------------------

PJRT_Buffer *mr_pjrt_buffer_allocate(void) {
  PJRT_Buffer *buffer = mr_struct_alloc(sizeof *buffer);
  if (buffer) {
    mr_census_add(MR_CENSUS_buffer_handles, 1);
  }
  return buffer;
}

void mr_pjrt_buffer_free(PJRT_Buffer *buffer) {
  if (buffer == NULL) {
    return;
  }
  mr_census_add(MR_CENSUS_buffer_handles, -1);
  mr_struct_free(buffer, sizeof *buffer);
}

void mr_pjrt_buffer_place(PJRT_Buffer *handle, PJRT_Memory *memory, mr_pjrt_form *form) {
  handle->memory = mr_pjrt_memory_of(memory);
  handle->form = mr_pjrt_form_retain(form);
  atomic_init(&handle->external, 0);
  handle->is_token = false;
}

// A handle for `take_buffer`, which must be in this client's memory, with its form (NULL: row-major), of which it has a
// reference of its own. NULL when memory is short; the buffer is then gone.
static PJRT_Buffer *buffer_wrap(PJRT_Memory *memory, mr_buffer *take_buffer, mr_pjrt_form *form) {
  PJRT_Buffer *buffer = mr_pjrt_buffer_allocate();
  if (buffer == NULL) {
    mr_buffer_release(take_buffer);
    return NULL;
  }
  *buffer = (PJRT_Buffer){.buffer = take_buffer};
  mr_pjrt_buffer_place(buffer, memory, form);
  return buffer;
}

mr_status mr_pjrt_buffer_wrap_checked(PJRT_Memory *memory, mr_buffer *take_buffer, mr_pjrt_form *form,
                                      PJRT_Buffer **out_buffer) {
  *out_buffer = buffer_wrap(memory, take_buffer, form);
  return *out_buffer ? MR_OK : MR_NO_MEMORY();
}

mr_status mr_pjrt_check_shape(PJRT_Buffer_Type type, const int64_t *dims, size_t rank, mr_dtype *out_dtype) {
  if (type <= PJRT_Buffer_Type_INVALID || (unsigned)type >= MR_DTYPE_COUNT) {
    return mr_error(MR_INVALID_ARGUMENT, "element type %d, wanted 1 to %d", (int)type, MR_DTYPE_COUNT - 1);
  }
  if (rank > MR_MAX_RANK) {
    return mr_error(MR_INVALID_ARGUMENT, "array of rank %zu, wanted at most %d", rank, MR_MAX_RANK);
  }
  if (rank && dims == NULL) {
    return mr_error(MR_INVALID_ARGUMENT, "array of rank %zu with its dimensions at NULL", rank);
  }
  size_t bytes;
  *out_dtype = (mr_dtype)type;
  return mr_dims_bytes(*out_dtype, dims, rank, &bytes);
}

typedef mr_status (*form_maker)(const PJRT_Buffer_MemoryLayout *layout, mr_dtype dtype, const int64_t *dims,
                                size_t rank, mr_pjrt_form **out_form);

static mr_status shape_init(mr_pjrt_shape *shape, PJRT_Buffer_Type type, const int64_t *dims, size_t rank,
                            const PJRT_Buffer_MemoryLayout *layout, form_maker make_form) {
  *shape = (mr_pjrt_shape){.rank = rank};
  MR_TRY(mr_pjrt_check_shape(type, dims, rank, &shape->dtype));
  if (rank) {
    memcpy(shape->dims, dims, rank * sizeof *dims);
  }
  MR_TRY(mr_dims_bytes(shape->dtype, dims, rank, &shape->bytes));
  MR_TRY(make_form(layout, shape->dtype, dims, rank, &shape->form));
  shape->bytes = shape->form ? shape->form->places.bytes : shape->bytes;
  shape->block_rank = mr_pjrt_form_block(shape->form, shape->dtype, dims, rank, &shape->block_dtype, shape->block_dims);
  return MR_OK;
}

mr_status mr_pjrt_shape_init(mr_pjrt_shape *shape, PJRT_Buffer_Type type, const int64_t *dims, size_t rank,
                             const PJRT_Buffer_MemoryLayout *layout) {
  return shape_init(shape, type, dims, rank, layout, mr_pjrt_form_of_host);
}

mr_status mr_pjrt_shape_init_bytes(mr_pjrt_shape *shape, PJRT_Buffer_Type type, const int64_t *dims, size_t rank,
                                   const PJRT_Buffer_MemoryLayout *layout) {
  return shape_init(shape, type, dims, rank, layout, mr_pjrt_form_of_bytes);
}

mr_status mr_pjrt_shape_init_view(mr_pjrt_shape *shape, PJRT_Buffer_Type type, const int64_t *dims, size_t rank,
                                  const PJRT_Buffer_MemoryLayout *layout) {
  return shape_init(shape, type, dims, rank, layout, mr_pjrt_form_of_view);
}

// Whether the handle had an external reference: the caller releases it.
static bool take_external(PJRT_Buffer *buffer) {
  uint32_t count = atomic_load_explicit(&buffer->external, memory_order_relaxed);  // relaxed: a count of the host's own
  do {
    if (count == 0) {
      return false;
    }
  } while (!atomic_compare_exchange_weak_explicit(&buffer->external, &count, count - 1, memory_order_relaxed,
                                                  memory_order_relaxed));
  return true;
}

// External references go with their handle. jaxlib has one when it asks for the address of a result that failed, and keeps it.
PJRT_Error *mr_pjrt_Buffer_Destroy(PJRT_Buffer_Destroy_Args *args) {
  MR_PJRT_NEED(args, buffer);
  if (args->buffer) {
    while (take_external(args->buffer)) {
      mr_buffer_external_release(args->buffer->buffer);
    }
    mr_buffer_release(args->buffer->buffer);
    mr_pjrt_form_release(args->buffer->form);
    mr_pjrt_buffer_free(args->buffer);
  }
  return NULL;
}

PJRT_Error *mr_pjrt_Buffer_Delete(PJRT_Buffer_Delete_Args *args) {
  MR_PJRT_NEED(args, buffer);
  MR_PJRT_NONNULL(args, buffer);
  mr_buffer_delete(args->buffer->buffer);
  return NULL;
}

// ---- Questions ------------------------------------------------------------------------------------------------------------

static mr_dtype buffer_dtype(const PJRT_Buffer *buffer) {
  return buffer->form ? buffer->form->dtype : mr_buffer_dtype(buffer->buffer);
}

MR_PJRT_GETTER(Buffer_ElementType, buffer, type,
               args->type = args->buffer->is_token ? PJRT_Buffer_Type_TOKEN
                                                   : (PJRT_Buffer_Type)buffer_dtype(args->buffer))

// As the host sees it; a token has no dimensions.
static size_t buffer_dims(const PJRT_Buffer *buffer, const int64_t **out_dims) {
  *out_dims = buffer->form ? buffer->form->places.dims : mr_buffer_dims(buffer->buffer);
  return buffer->is_token ? 0 : buffer->form ? buffer->form->places.rank : mr_buffer_rank(buffer->buffer);
}

PJRT_Layouts_MemoryLayout *mr_pjrt_buffer_layout(const PJRT_Buffer *buffer) {
  size_t rank = buffer->is_token ? 0 : mr_buffer_rank(buffer->buffer);
  return buffer->form ? buffer->form->layout : mr_pjrt_layout_row_major(rank);
}

MR_PJRT_GETTER(Buffer_Dimensions, buffer, num_dims, args->num_dims = buffer_dims(args->buffer, &args->dims))
MR_PJRT_GETTER(Buffer_UnpaddedDimensions, buffer, num_dims,
               args->num_dims = buffer_dims(args->buffer, &args->unpadded_dims))

// A buffer's dimensions are numbers, whatever the program's were.
MR_PJRT_GETTER(Buffer_DynamicDimensionIndices, buffer, num_dynamic_dims, args->dynamic_dim_indices = NULL;
               args->num_dynamic_dims = 0)

static PJRT_Buffer_MemoryLayout describe_tiled(const PJRT_Layouts_MemoryLayout *layout) {
  const mr_pjrt_layout_spec *spec = mr_pjrt_layout_spec_of(layout);
  bool tiled = spec->num_tiles > 0;
  return (PJRT_Buffer_MemoryLayout){.type = PJRT_Buffer_MemoryLayout_Type_Tiled,
                                    .tiled = {.struct_size = PJRT_ABI_END(PJRT_Buffer_MemoryLayout_Tiled, num_tiles),
                                              .minor_to_major = spec->order,
                                              .minor_to_major_size = spec->rank,
                                              .tile_dims = tiled ? spec->tile_sizes : NULL,
                                              .tile_dim_sizes = tiled ? spec->tile_ranks : NULL,
                                              .num_tiles = spec->num_tiles}};
}

static PJRT_Buffer_MemoryLayout describe_strides(const mr_pjrt_placing *places) {
  return (PJRT_Buffer_MemoryLayout){
      .type = PJRT_Buffer_MemoryLayout_Type_Strides,
      .strides = {.struct_size = PJRT_ABI_END(PJRT_Buffer_MemoryLayout_Strides, num_byte_strides),
                  .byte_strides = places->strides,
                  .num_byte_strides = places->rank}};
}

// The lists live as long as the buffer.
PJRT_Error *mr_pjrt_Buffer_GetMemoryLayout(PJRT_Buffer_GetMemoryLayout_Args *args) {
  MR_PJRT_NEED(args, layout.type);
  MR_PJRT_NONNULL(args, buffer);
  PJRT_Layouts_MemoryLayout *layout = mr_pjrt_buffer_layout(args->buffer);
  args->layout = layout ? describe_tiled(layout) : describe_strides(&args->buffer->form->places);
  args->layout.struct_size = PJRT_ABI_END(PJRT_Buffer_MemoryLayout, type);
  return NULL;
}

MR_PJRT_GETTER(Buffer_OnDeviceSizeInBytes, buffer, on_device_size_in_bytes,
               args->on_device_size_in_bytes = mr_buffer_bytes(args->buffer->buffer))
MR_PJRT_GETTER(Buffer_Device, buffer, device, args->device = args->buffer->memory->device)
MR_PJRT_GETTER(Buffer_Memory, buffer, memory, args->memory = &args->buffer->memory->base)
MR_PJRT_GETTER(Buffer_IsDeleted, buffer, is_deleted, args->is_deleted = mr_buffer_is_deleted(args->buffer->buffer))

// Hosts take it to mean that they may look at the content in place, as numpy does.
MR_PJRT_GETTER(Buffer_IsOnCpu, buffer, is_on_cpu, args->is_on_cpu = args->buffer->memory->memory->addressable)

static mr_status deleted(void) { return mr_error(MR_INVALID_ARGUMENT, "buffer has been deleted or donated"); }

PJRT_Error *mr_pjrt_Buffer_ReadyEvent(PJRT_Buffer_ReadyEvent_Args *args) {
  MR_PJRT_NEED(args, event);
  MR_PJRT_NONNULL(args, buffer);
  mr_buffer *buffer = args->buffer->buffer;
  args->event = NULL;
  if (mr_buffer_is_deleted(buffer)) {
    MR_PJRT_TRY(mr_pjrt_event_failed(deleted(), &args->event));
    return NULL;
  }
  mr_future *ready = mr_buffer_ready(buffer);
  args->event = ready ? mr_pjrt_event_retain(ready) : mr_pjrt_event_ready();
  return NULL;
}

// ---- Addresses --------------------------------------------------------------------------------------------------------------

// Of the first element, which strides count from.
static mr_status address_of(PJRT_Buffer *buffer, bool writable, void **out_data) {
  bool held = atomic_load_explicit(&buffer->external, memory_order_relaxed);  // relaxed: a count of the host's own
  MR_TRY(mr_buffer_address(buffer->buffer, writable, held, out_data));
  *out_data = (char *)*out_data + (buffer->form ? buffer->form->places.origin : 0);
  return MR_OK;
}

PJRT_Error *mr_pjrt_Buffer_UnsafePointer(PJRT_Buffer_UnsafePointer_Args *args) {
  MR_PJRT_NEED(args, buffer_pointer);
  MR_PJRT_NONNULL(args, buffer);
  void *data;
  args->buffer_pointer = 0;
  MR_PJRT_TRY(address_of(args->buffer, true, &data));
  args->buffer_pointer = (uintptr_t)data;
  return NULL;
}

PJRT_Error *mr_pjrt_Buffer_IncreaseExternalReferenceCount(PJRT_Buffer_IncreaseExternalReferenceCount_Args *args) {
  MR_PJRT_NEED(args, buffer);
  MR_PJRT_NONNULL(args, buffer);
  if (!mr_buffer_external_retain(args->buffer->buffer)) {
    return mr_pjrt_error(deleted());
  }
  atomic_fetch_add_explicit(&args->buffer->external, 1, memory_order_relaxed);  // relaxed: a count of the host's own
  return NULL;
}

PJRT_Error *mr_pjrt_Buffer_DecreaseExternalReferenceCount(PJRT_Buffer_DecreaseExternalReferenceCount_Args *args) {
  MR_PJRT_NEED(args, buffer);
  MR_PJRT_NONNULL(args, buffer);
  if (!take_external(args->buffer)) {
    return mr_pjrt_error(mr_error(MR_INVALID_ARGUMENT, "buffer has no external reference to release"));
  }
  mr_buffer_external_release(args->buffer->buffer);
  return NULL;
}

PJRT_Error *mr_pjrt_Buffer_OpaqueDeviceMemoryDataPointer(PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args *args) {
  MR_PJRT_NEED(args, device_memory_ptr);
  MR_PJRT_NONNULL(args, buffer);
  args->device_memory_ptr = NULL;
  MR_PJRT_TRY(address_of(args->buffer, false, &args->device_memory_ptr));
  return NULL;
}

// ---- From a host --------------------------------------------------------------------------------------------------------------

// The done event exists before anybody knows whether there is something to wait for; it is swapped for the shared ready
// event when the array was copied within the call.
static void host_array_done(void *arg) {
  mr_future *done = arg;
  mr_future_set(done, MR_OK);
  mr_future_release(done);
}

static mr_status check_host(const PJRT_Client_BufferFromHostBuffer_Args *args, const mr_pjrt_shape *shape) {
  if (args->num_byte_strides != 0 && args->num_byte_strides != shape->rank) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu byte strides for an array of rank %zu", args->num_byte_strides,
                    shape->rank);
  }
  if ((unsigned)args->host_buffer_semantics > MR_HOST_MUTABLE_ZERO_COPY) {
    return mr_error(MR_INVALID_ARGUMENT, "host buffer semantics %d, wanted 0 to 3", (int)args->host_buffer_semantics);
  }
  if (args->data == NULL && shape->bytes > 0) {
    return mr_error(MR_INVALID_ARGUMENT, "a host array of %zu bytes at NULL", shape->bytes);
  }
  return MR_OK;
}

// Into a block of bytes that the host addresses: always within the call.
static mr_status block_on_host(const PJRT_Client_BufferFromHostBuffer_Args *args, const mr_pjrt_shape *shape,
                               mr_memory *memory, mr_buffer **out_buffer) {
  mr_pjrt_placing host;
  mr_storage *storage;
  if (args->num_byte_strides) {
    MR_TRY(mr_pjrt_placing_of_strides(&host, args->byte_strides, shape->dtype, shape->dims, shape->rank));
  } else {
    MR_TRY(mr_pjrt_placing_of_host(&host, NULL, shape->dtype, shape->dims, shape->rank));
  }
  MR_TRY(mr_storage_allocate(memory, shape->bytes, &storage));
  // The host says where the first element is, not where the block begins.
  const char *start = args->data ? (const char *)args->data - host.origin : NULL;
  mr_status status = mr_pjrt_move(memory->device->group, &shape->form->places, storage->data, &host, start);
  if (status) {
    mr_storage_release(storage);
    return status;
  }
  return mr_buffer_create(memory, shape->block_dtype, shape->block_dims, shape->block_rank, storage, NULL, out_buffer);
}

static mr_status block_from_host(const PJRT_Client_BufferFromHostBuffer_Args *args, const mr_pjrt_shape *shape,
                                 mr_memory *memory, mr_buffer **out_buffer) {
  if (memory->addressable) {
    return block_on_host(args, shape, memory, out_buffer);
  }
  mr_buffer *block;
  MR_TRY(block_on_host(args, shape, mr_memory_on_host(memory), &block));
  mr_status status = mr_buffer_copy_to(block, memory, out_buffer);
  mr_buffer_release(block);
  return status;
}

// With its dimensions in physical order, as the buffer is going to have them.
static mr_status order_from_host(const PJRT_Client_BufferFromHostBuffer_Args *args, const mr_pjrt_shape *shape,
                                 mr_memory *memory, mr_future *done, mr_buffer **out_buffer) {
  int64_t dense[MR_MAX_RANK], strides[MR_MAX_RANK];
  mr_dtype dtype;
  mr_host_array host = {
      .data = args->data, .dtype = shape->dtype, .dims = shape->block_dims, .rank = shape->block_rank};
  if (args->num_byte_strides || shape->form) {
    mr_pjrt_dense_strides(mr_dtype_bytes(shape->dtype), args->dims, shape->rank, NULL, dense);
    mr_pjrt_form_block(shape->form, shape->dtype, args->num_byte_strides ? args->byte_strides : dense, shape->rank,
                       &dtype, strides);
    host.byte_strides = strides;
  }
  mr_future_retain(done);
  mr_status status = mr_buffer_from_host(memory, &host, (mr_host_semantics)args->host_buffer_semantics, host_array_done,
                                         done, out_buffer);
  if (status) {
    mr_future_release(done);
  }
  return status;
}

static mr_status from_host_shape(PJRT_Client_BufferFromHostBuffer_Args *args, const mr_pjrt_shape *shape,
                                 PJRT_Memory *memory, mr_future *done) {
  MR_TRY(check_host(args, shape));
  PJRT_Buffer *buffer = mr_pjrt_buffer_allocate();
  if (buffer == NULL) {
    return MR_NO_MEMORY();
  }
  mr_status status;
  if (shape->form && shape->form->is_block) {
    status = block_from_host(args, shape, mr_pjrt_unwrap_memory(memory), &buffer->buffer);
    if (!status) {
      mr_future_set(done, MR_OK);
    }
  } else {
    status = order_from_host(args, shape, mr_pjrt_unwrap_memory(memory), done, &buffer->buffer);
  }
  if (status) {
    mr_pjrt_buffer_free(buffer);
    return status;
  }
  mr_pjrt_buffer_place(buffer, memory, shape->form);
  args->buffer = buffer;
  return MR_OK;
}

static mr_status from_host(PJRT_Client_BufferFromHostBuffer_Args *args, PJRT_Memory *memory, mr_future *done) {
  mr_pjrt_shape shape;
  MR_TRY(mr_pjrt_shape_init(&shape, args->type, args->dims, args->num_dims, args->device_layout));
  mr_status status = from_host_shape(args, &shape, memory, done);
  mr_pjrt_shape_deinit(&shape);
  return status;
}

PJRT_Error *mr_pjrt_Client_BufferFromHostBuffer(PJRT_Client_BufferFromHostBuffer_Args *args) {
  MR_PJRT_NEED(args, buffer);
  args->buffer = NULL;
  args->done_with_host_buffer = NULL;
  PJRT_Memory *memory;
  MR_PJRT_NONNULL(args, client);
  MR_PJRT_TRY(mr_pjrt_choose_memory(args->client, args->memory, args->device, &memory));
  mr_future *done;
  MR_PJRT_TRY(mr_future_create(&done));
  mr_status status = from_host(args, memory, done);
  if (status) {
    mr_future_release(done);
    return mr_pjrt_error(status);
  }
  args->done_with_host_buffer = mr_pjrt_event_take(done);
  return NULL;
}

// ---- To a host and to other memories ----------------------------------------------------------------------------------------

// Without a layout the host gets the bytes as they lie on the device. Otherwise the array fills the destination: with negative
// strides the first element is not at its start.
static mr_status to_host_as(PJRT_Buffer_ToHostBuffer_Args *args, const mr_pjrt_placing *wanted, mr_future **out_done) {
  mr_pjrt_placing from;
  MR_TRY(mr_pjrt_form_placing(args->src->form, args->src->buffer, &from));
  MR_TRY(mr_pjrt_placing_check_apart(wanted));
  return mr_pjrt_move_to_host(args->src->buffer, &from, wanted, args->dst, out_done);
}

// What jaxlib asks for: the order that the buffer has.
static bool lies_like(const PJRT_Buffer *buffer, const PJRT_Buffer_MemoryLayout *host) {
  PJRT_Layouts_MemoryLayout *layout = mr_pjrt_buffer_layout(buffer);
  if (host == NULL) {
    return !buffer->form || !buffer->form->is_lent;
  }
  mr_ints order = layout ? mr_pjrt_layout_order(layout) : (mr_ints){0};
  return layout && (buffer->form == NULL || !buffer->form->is_block) &&
         host->type == PJRT_Buffer_MemoryLayout_Type_Tiled && host->tiled.num_tiles == 0 &&
         host->tiled.minor_to_major_size == order.size &&
         (order.size == 0 || (host->tiled.minor_to_major &&
                              memcmp(host->tiled.minor_to_major, order.data, order.size * sizeof(int64_t)) == 0));
}

static mr_status to_host(PJRT_Buffer_ToHostBuffer_Args *args) {
  mr_buffer *buffer = args->src->buffer;
  mr_pjrt_placing wanted = {.bytes = mr_buffer_bytes(buffer)};
  bool as_it_lies = lies_like(args->src, args->host_layout);
  if (!as_it_lies && args->host_layout == NULL) {
    wanted = args->src->form->places;
  } else if (!as_it_lies) {
    const int64_t *dims;
    size_t rank = buffer_dims(args->src, &dims);
    MR_TRY(mr_pjrt_placing_of_host(&wanted, args->host_layout, buffer_dtype(args->src), dims, rank));
  }
  if (args->dst == NULL) {
    args->dst_size = wanted.bytes;
    return MR_OK;
  }
  if (args->dst_size < wanted.bytes) {
    return mr_error(MR_INVALID_ARGUMENT, "destination has %zu bytes, wanted %zu", args->dst_size, wanted.bytes);
  }
  mr_future *done;
  MR_TRY(as_it_lies ? mr_buffer_to_host(buffer, args->dst, NULL, &done) : to_host_as(args, &wanted, &done));
  args->event = mr_pjrt_event_of_done(done);
  return MR_OK;
}

PJRT_Error *mr_pjrt_Buffer_ToHostBuffer(PJRT_Buffer_ToHostBuffer_Args *args) {
  MR_PJRT_NEED(args, event);
  MR_PJRT_NONNULL(args, src);
  args->event = NULL;
  MR_PJRT_TRY(to_host(args));
  return NULL;
}

mr_status mr_pjrt_check_range(size_t bytes, int64_t offset, int64_t size) {
  if (offset < 0 || size < 0 || (uint64_t)offset > bytes || (uint64_t)size > bytes - (uint64_t)offset) {
    return mr_error(MR_INVALID_ARGUMENT, "%lld bytes at offset %lld of a buffer of %zu bytes", (long long)size,
                    (long long)offset, bytes);
  }
  return MR_OK;
}

PJRT_Error *mr_pjrt_Buffer_CopyRawToHost(PJRT_Buffer_CopyRawToHost_Args *args) {
  MR_PJRT_NEED(args, event);
  MR_PJRT_NONNULL(args, buffer);
  args->event = NULL;
  mr_future *done;
  mr_status status = mr_pjrt_check_range(mr_buffer_bytes(args->buffer->buffer), args->offset, args->transfer_size);
  if (status) {  // told where hosts look for the outcome of a copy
    MR_PJRT_TRY(mr_pjrt_event_failed(status, &args->event));
    return NULL;
  }
  MR_PJRT_NONNULL_IF(args, transfer_size, dst);
  MR_PJRT_TRY(
      mr_buffer_raw_to_host(args->buffer->buffer, args->dst, (size_t)args->offset, (size_t)args->transfer_size, &done));
  args->event = mr_pjrt_event_of_done(done);
  return NULL;
}

static mr_status copy_to(PJRT_Buffer *source, PJRT_Memory *memory, PJRT_Buffer **out_buffer) {
  mr_buffer *copy;
  mr_memory *inner = mr_pjrt_unwrap_memory(memory);
  PJRT_Client *client = mr_pjrt_memory_of(memory)->device->client;
  bool across = client != source->memory->device->client;
  MR_TRY(mr_pjrt_client_check(client));
  MR_TRY(across ? mr_pjrt_copy_across(source->buffer, inner, &copy) : mr_buffer_copy_to(source->buffer, inner, &copy));
  return mr_pjrt_buffer_wrap_checked(memory, copy, source->form, out_buffer);
}

PJRT_Error *mr_pjrt_Buffer_CopyToMemory(PJRT_Buffer_CopyToMemory_Args *args) {
  MR_PJRT_NEED(args, dst_buffer);
  MR_PJRT_NONNULL(args, buffer);
  MR_PJRT_NONNULL(args, dst_memory);
  args->dst_buffer = NULL;
  MR_PJRT_TRY(copy_to(args->buffer, args->dst_memory, &args->dst_buffer));
  return NULL;
}

PJRT_Error *mr_pjrt_Buffer_CopyToDevice(PJRT_Buffer_CopyToDevice_Args *args) {
  MR_PJRT_NEED(args, dst_buffer);
  MR_PJRT_NONNULL(args, buffer);
  MR_PJRT_NONNULL(args, dst_device);
  MR_PJRT_TRY(mr_pjrt_check_addressable(args->dst_device));
  args->dst_buffer = NULL;  // on the buffer's own device: a second copy there
  MR_PJRT_TRY(copy_to(args->buffer, args->dst_device->memory_list[0], &args->dst_buffer));
  return NULL;
}

// ---- A copy whose destination comes later -------------------------------------------------------------------------------------

typedef struct later_copy {
  mr_buffer *buffer;  // retained
  size_t offset, size;
  mr_future *done;  // one reference; the host has another
} later_copy;

static void later_copy_finish(void *context, mr_status status) {
  later_copy *copy = context;
  mr_future *done = copy->done;
  // Before the future is set: who waits for it may destroy the client next.
  mr_buffer_release(copy->buffer);
  mr_census_add(MR_CENSUS_transfers, -1);
  mr_free(copy);
  mr_future_set(done, mr_status_retain(status));
  mr_future_release(done);
}

static void later_copy_fail(later_copy *copy, mr_status take_status) {
  later_copy_finish(copy, take_status);
  mr_status_free(take_status);
}

static void later_copy_start(PJRT_Buffer_CopyRawToHostFuture_Callback_Args *args) {
  later_copy *copy = args->callback_data;
  mr_status status =
      MR_PJRT_HAS(args, dst)
          ? mr_pjrt_status_of_code(args->error_code, args->error_message, args->error_message_size)
          : mr_error(MR_INVALID_ARGUMENT, "a raw copy to the host: struct_size is %zu, wanted at least %zu",
                     args->struct_size, sizeof *args);
  mr_future *copied = NULL;
  if (!status && copy->size && args->dst == NULL) {
    status = mr_error(MR_INVALID_ARGUMENT, "a raw copy of %zu bytes to a host address of NULL", copy->size);
  }
  if (!status) {
    status = mr_buffer_raw_to_host(copy->buffer, args->dst, copy->offset, copy->size, &copied);
  }
  if (status || copied == NULL) {
    later_copy_fail(copy, status);
    return;
  }
  status = mr_future_on_ready(copied, later_copy_finish, copy);
  if (status) {
    mr_future_wait(copied);  // no memory for a waiter: the host's memory is in use until the copy is through
    later_copy_fail(copy, status);
  }
  mr_future_release(copied);
}

PJRT_Error *mr_pjrt_Buffer_CopyRawToHostFuture(PJRT_Buffer_CopyRawToHostFuture_Args *args) {
  MR_PJRT_NEED(args, future_ready_callback);
  MR_PJRT_NONNULL(args, buffer);
  if (mr_buffer_is_deleted(args->buffer->buffer)) {
    return mr_pjrt_error(deleted());
  }
  MR_PJRT_TRY(mr_pjrt_check_range(mr_buffer_bytes(args->buffer->buffer), args->offset, args->transfer_size));
  later_copy *copy = mr_alloc(sizeof *copy);
  if (copy == NULL) {
    return mr_pjrt_error(MR_NO_MEMORY());
  }
  mr_status status = mr_future_create(&copy->done);
  if (status) {
    mr_free(copy);
    return mr_pjrt_error(status);
  }
  copy->buffer = mr_buffer_retain(args->buffer->buffer);
  copy->offset = (size_t)args->offset;
  copy->size = (size_t)args->transfer_size;
  mr_census_add(MR_CENSUS_transfers, 1);
  args->event = (PJRT_Event *)mr_future_retain(copy->done);
  args->callback_data = copy;
  args->future_ready_callback = later_copy_start;
  return NULL;
}
