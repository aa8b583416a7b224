// Buffers: handles, questions, deletion, external references and copies.
#include <string.h>

#include "futures/pool.h"
#include "pjrt/objects.h"
#include "pjrt/tiles.h"

// ---- Handles --------------------------------------------------------------------------------------------------------------

PJRT_Buffer *mr_pjrt_buffer_allocate(void) { return mr_pool_alloc(sizeof(PJRT_Buffer)); }
void mr_pjrt_buffer_free(PJRT_Buffer *buffer) { mr_pool_free(buffer, sizeof *buffer); }

PJRT_Buffer *mr_pjrt_buffer_wrap(PJRT_Memory *memory, mr_buffer *take_buffer, mr_pjrt_form *form) {
  PJRT_Buffer *buffer = mr_pjrt_buffer_allocate();
  if (buffer == NULL) {
    mr_buffer_release(take_buffer);
    return NULL;
  }
  *buffer =
      (PJRT_Buffer){.buffer = take_buffer, .form = mr_pjrt_form_retain(form), .memory = mr_pjrt_memory_of(memory)};
  return buffer;
}

mr_status mr_pjrt_buffer_wrap_checked(PJRT_Memory *memory, mr_buffer *take_buffer, mr_pjrt_form *form,
                                      PJRT_Buffer **out_buffer) {
  *out_buffer = mr_pjrt_buffer_wrap(memory, take_buffer, form);
  return *out_buffer ? MR_OK : MR_NO_MEMORY();
}

mr_status mr_pjrt_check_shape(PJRT_Buffer_Type type, const int64_t *dims, size_t rank, mr_dtype *out_dtype) {
  if (type <= PJRT_Buffer_Type_INVALID || (unsigned)type >= MR_DTYPE_COUNT) {
    return mr_error(MR_INVALID_ARGUMENT, "element type %d, wanted 1 to %d", (int)type, MR_DTYPE_COUNT - 1);
  }
  if (rank > MR_MAX_RANK) {
    return mr_error(MR_INVALID_ARGUMENT, "array of rank %zu, wanted at most %d", rank, MR_MAX_RANK);
  }
  size_t bytes;
  *out_dtype = (mr_dtype)type;
  return mr_dims_bytes(*out_dtype, dims, rank, &bytes);
}

mr_status mr_pjrt_shape_init(mr_pjrt_shape *shape, PJRT_Buffer_Type type, const int64_t *dims, size_t rank,
                             const PJRT_Buffer_MemoryLayout *layout) {
  *shape = (mr_pjrt_shape){.rank = rank};
  MR_TRY(mr_pjrt_check_shape(type, dims, rank, &shape->dtype));
  MR_TRY(mr_dims_bytes(shape->dtype, dims, rank, &shape->bytes));
  MR_TRY(mr_pjrt_form_of_layout(layout, shape->dtype, dims, rank, &shape->form));
  mr_pjrt_form_physical(shape->form, dims, rank, shape->dims);
  return MR_OK;
}

PJRT_Error *mr_pjrt_Buffer_Destroy(PJRT_Buffer_Destroy_Args *args) {
  MR_PJRT_NEED(args, buffer);
  if (args->buffer) {
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

MR_PJRT_GETTER(Buffer_ElementType, buffer, type,
               args->type = args->buffer->is_token ? PJRT_Buffer_Type_TOKEN
                                                   : (PJRT_Buffer_Type)mr_buffer_dtype(args->buffer->buffer))

// How many there are; a token has none.
static size_t dimensions_of(const PJRT_Buffer *buffer, const int64_t **out_dims) {
  *out_dims = buffer->form ? buffer->form->dims : mr_buffer_dims(buffer->buffer);
  return buffer->is_token ? 0 : mr_buffer_rank(buffer->buffer);
}

PJRT_Layouts_MemoryLayout *mr_pjrt_buffer_layout(const PJRT_Buffer *buffer) {
  size_t rank = buffer->is_token ? 0 : mr_buffer_rank(buffer->buffer);
  return buffer->form ? buffer->form->layout : mr_pjrt_layout_row_major(rank);
}

MR_PJRT_GETTER(Buffer_Dimensions, buffer, num_dims, args->num_dims = dimensions_of(args->buffer, &args->dims))
MR_PJRT_GETTER(Buffer_UnpaddedDimensions, buffer, num_dims,
               args->num_dims = dimensions_of(args->buffer, &args->unpadded_dims))

// A buffer's dimensions are numbers, whatever the program's were.
PJRT_Error *mr_pjrt_Buffer_DynamicDimensionIndices(PJRT_Buffer_DynamicDimensionIndices_Args *args) {
  MR_PJRT_NEED(args, num_dynamic_dims);
  args->dynamic_dim_indices = NULL;
  args->num_dynamic_dims = 0;
  return NULL;
}

PJRT_Error *mr_pjrt_Buffer_GetMemoryLayout(PJRT_Buffer_GetMemoryLayout_Args *args) {
  MR_PJRT_NEED(args, layout.type);
  MR_PJRT_NONNULL(args, buffer);
  mr_ints order = mr_pjrt_layout_order(mr_pjrt_buffer_layout(args->buffer));
  args->layout.struct_size = PJRT_ABI_END(PJRT_Buffer_MemoryLayout, type);
  args->layout.extension_start = NULL;
  args->layout.type = PJRT_Buffer_MemoryLayout_Type_Tiled;
  args->layout.tiled = (PJRT_Buffer_MemoryLayout_Tiled){
      .struct_size = PJRT_ABI_END(PJRT_Buffer_MemoryLayout_Tiled, num_tiles),
      .minor_to_major = order.data,
      .minor_to_major_size = order.size,
  };
  return NULL;
}

MR_PJRT_GETTER(Buffer_OnDeviceSizeInBytes, buffer, on_device_size_in_bytes,
               args->on_device_size_in_bytes = mr_buffer_bytes(args->buffer->buffer))
MR_PJRT_GETTER(Buffer_Device, buffer, device, args->device = args->buffer->memory->device)
MR_PJRT_GETTER(Buffer_Memory, buffer, memory, args->memory = &args->buffer->memory->base)
MR_PJRT_GETTER(Buffer_IsDeleted, buffer, is_deleted, args->is_deleted = mr_buffer_is_deleted(args->buffer->buffer))

// Every memory is ordinary memory: numpy looks at it in place.
PJRT_Error *mr_pjrt_Buffer_IsOnCpu(PJRT_Buffer_IsOnCpu_Args *args) {
  MR_PJRT_NEED(args, is_on_cpu);
  args->is_on_cpu = true;
  return NULL;
}

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

PJRT_Error *mr_pjrt_Buffer_UnsafePointer(PJRT_Buffer_UnsafePointer_Args *args) {
  MR_PJRT_NEED(args, buffer_pointer);
  MR_PJRT_NONNULL(args, buffer);
  void *data;
  args->buffer_pointer = 0;
  MR_PJRT_TRY(mr_buffer_address(args->buffer->buffer, true, &data));
  args->buffer_pointer = (uintptr_t)data;
  return NULL;
}

PJRT_Error *mr_pjrt_Buffer_IncreaseExternalReferenceCount(PJRT_Buffer_IncreaseExternalReferenceCount_Args *args) {
  MR_PJRT_NEED(args, buffer);
  MR_PJRT_NONNULL(args, buffer);
  if (mr_buffer_is_deleted(args->buffer->buffer)) {
    return mr_pjrt_error(deleted());
  }
  mr_buffer_external_retain(args->buffer->buffer);
  return NULL;
}

PJRT_Error *mr_pjrt_Buffer_DecreaseExternalReferenceCount(PJRT_Buffer_DecreaseExternalReferenceCount_Args *args) {
  MR_PJRT_NEED(args, buffer);
  MR_PJRT_NONNULL(args, buffer);
  MR_PJRT_TRY(mr_buffer_external_release(args->buffer->buffer));
  return NULL;
}

PJRT_Error *mr_pjrt_Buffer_OpaqueDeviceMemoryDataPointer(PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args *args) {
  MR_PJRT_NEED(args, device_memory_ptr);
  MR_PJRT_NONNULL(args, buffer);
  args->device_memory_ptr = NULL;
  MR_PJRT_TRY(mr_buffer_address(args->buffer->buffer, false, &args->device_memory_ptr));
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

// The host's array with its dimensions in physical order, as the buffer is going to have them.
static mr_status describe_host(const PJRT_Client_BufferFromHostBuffer_Args *args, const mr_pjrt_shape *shape,
                               int64_t *strides, mr_host_array *out) {
  int64_t dense[MR_MAX_RANK];
  *out = (mr_host_array){.data = args->data, .dtype = shape->dtype, .dims = shape->dims, .rank = shape->rank};
  if (args->num_byte_strides != 0 && args->num_byte_strides != args->num_dims) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu byte strides for an array of rank %zu", args->num_byte_strides,
                    args->num_dims);
  }
  if ((unsigned)args->host_buffer_semantics > MR_HOST_MUTABLE_ZERO_COPY) {
    return mr_error(MR_INVALID_ARGUMENT, "host buffer semantics %d, wanted 0 to 3", (int)args->host_buffer_semantics);
  }
  if (args->num_byte_strides || shape->form) {
    mr_pjrt_dense_strides(mr_dtype_bytes(shape->dtype), args->dims, shape->rank, NULL, dense);
    mr_pjrt_form_physical(shape->form, args->num_byte_strides ? args->byte_strides : dense, shape->rank, strides);
    out->byte_strides = strides;
  }
  return MR_OK;
}

static mr_status from_host_shape(PJRT_Client_BufferFromHostBuffer_Args *args, const mr_pjrt_shape *shape,
                                 PJRT_Memory *memory, mr_future *done) {
  mr_host_array host;
  int64_t strides[MR_MAX_RANK];
  MR_TRY(describe_host(args, shape, strides, &host));
  PJRT_Buffer *buffer = mr_pjrt_buffer_allocate();
  if (buffer == NULL) {
    return MR_NO_MEMORY();
  }
  mr_future_retain(done);
  mr_status status =
      mr_buffer_from_host(mr_pjrt_unwrap_memory(memory), &host, (mr_host_semantics)args->host_buffer_semantics,
                          host_array_done, done, &buffer->buffer);
  if (status) {
    mr_future_release(done);
    mr_pjrt_buffer_free(buffer);
    return status;
  }
  buffer->memory = mr_pjrt_memory_of(memory);
  buffer->form = mr_pjrt_form_retain(shape->form);
  buffer->is_token = false;
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

static PJRT_Event *event_of_done(mr_future *take_done) {
  return take_done ? mr_pjrt_event_take(take_done) : mr_pjrt_event_ready();
}

// Bytes from the first to the last element of an array with these strides.
static mr_status extent_of(const PJRT_Buffer *buffer, const int64_t *strides, size_t *out_extent) {
  const int64_t *dims;
  size_t rank = dimensions_of(buffer, &dims), extent = mr_dtype_bytes(mr_buffer_dtype(buffer->buffer));
  for (size_t i = 0; i < rank; i++) {
    if (dims[i] == 0) {
      *out_extent = 0;
      return MR_OK;
    }
    size_t reach;
    if (strides[i] < 0 || __builtin_mul_overflow((size_t)strides[i], (size_t)(dims[i] - 1), &reach) ||
        __builtin_add_overflow(extent, reach, &extent)) {
      return mr_error(MR_INVALID_ARGUMENT, "host layout: stride %zu is %lld bytes, wanted a positive one", i,
                      (long long)strides[i]);
    }
  }
  *out_extent = extent;
  return MR_OK;
}

// ---- To a host, in tiles: a dense copy first, the tiles when it is there.

typedef struct tiled_copy {
  mr_pjrt_tiling tiling;
  char *dense, *to;
  mr_future *done;  // one reference; the host has another
} tiled_copy;

static void tiled_copy_finish(void *context, mr_status status) {
  tiled_copy *copy = context;
  if (!status) {
    mr_pjrt_tiling_copy(&copy->tiling, copy->to, copy->dense, true);
  }
  mr_future_set(copy->done, mr_status_retain(status));
  mr_future_release(copy->done);
  mr_free(copy->dense);
  mr_free(copy);
}

static void tiled_copy_drop(tiled_copy *copy) {
  mr_future_release(copy->done);
  mr_free(copy->dense);
  mr_free(copy);
}

static mr_status tiled_copy_start(tiled_copy *copy, const PJRT_Buffer *source, const int64_t *dims) {
  int64_t strides[MR_MAX_RANK], physical[MR_MAX_RANK];
  size_t rank = copy->tiling.rank;
  mr_pjrt_dense_strides(copy->tiling.element_bytes, dims, rank, NULL, strides);
  mr_pjrt_form_physical(source->form, strides, rank, physical);
  mr_future *copied;
  mr_status status = mr_buffer_to_host(source->buffer, copy->dense, physical, &copied);
  if (status) {
    tiled_copy_drop(copy);
    return status;
  }
  if (copied == NULL) {
    tiled_copy_finish(copy, MR_OK);
    return MR_OK;
  }
  status = mr_future_on_ready(copied, tiled_copy_finish, copy);
  if (status) {
    mr_future_wait(copied);  // no memory for a waiter
    tiled_copy_finish(copy, status);
    mr_status_free(status);
  }
  mr_future_release(copied);
  return MR_OK;
}

static mr_status tiled_to_host(PJRT_Buffer_ToHostBuffer_Args *args) {
  const int64_t *dims;
  size_t rank = dimensions_of(args->src, &dims);
  mr_buffer *buffer = args->src->buffer;
  mr_pjrt_tiling tiling;
  MR_TRY(mr_pjrt_tiling_init(&tiling, args->host_layout, mr_dtype_bytes(mr_buffer_dtype(buffer)), dims, rank));
  if (args->dst == NULL) {
    args->dst_size = tiling.bytes;
    return MR_OK;
  }
  if (args->dst_size < tiling.bytes) {
    return mr_error(MR_INVALID_ARGUMENT, "destination has %zu bytes, wanted %zu", args->dst_size, tiling.bytes);
  }
  tiled_copy *copy = mr_alloc_zeroed(1, sizeof *copy);
  if (copy == NULL) {
    return MR_NO_MEMORY();
  }
  copy->tiling = tiling;
  copy->to = args->dst;
  copy->dense = mr_alloc(MR_MAX(mr_buffer_bytes(buffer), (size_t)1));
  mr_status status = copy->dense ? mr_future_create(&copy->done) : MR_NO_MEMORY();
  if (status) {
    mr_free(copy->dense);
    mr_free(copy);
    return status;
  }
  mr_future *done = mr_future_retain(copy->done);
  status = tiled_copy_start(copy, args->src, dims);
  if (status) {
    mr_future_release(done);
    return status;
  }
  args->event = mr_pjrt_event_take(done);
  return MR_OK;
}

// Without a layout the host gets the bytes as they lie on the device.
static mr_status to_host(PJRT_Buffer_ToHostBuffer_Args *args) {
  mr_buffer *buffer = args->src->buffer;
  int64_t strides[MR_MAX_RANK], physical[MR_MAX_RANK];
  size_t wanted = mr_buffer_bytes(buffer);
  if (mr_pjrt_is_tiled(args->host_layout)) {
    return tiled_to_host(args);
  }
  if (args->host_layout) {
    const int64_t *dims;
    size_t rank = dimensions_of(args->src, &dims);
    MR_TRY(mr_pjrt_host_strides(args->host_layout, mr_dtype_bytes(mr_buffer_dtype(buffer)), dims, rank, strides));
    MR_TRY(extent_of(args->src, strides, &wanted));
    mr_pjrt_form_physical(args->src->form, strides, rank, physical);
  }
  if (args->dst == NULL) {
    args->dst_size = wanted;
    return MR_OK;
  }
  if (args->dst_size < wanted) {
    return mr_error(MR_INVALID_ARGUMENT, "destination has %zu bytes, wanted %zu", args->dst_size, wanted);
  }
  mr_future *done;
  MR_TRY(mr_buffer_to_host(buffer, args->dst, args->host_layout ? physical : NULL, &done));
  args->event = event_of_done(done);
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
  MR_PJRT_TRY(
      mr_buffer_raw_to_host(args->buffer->buffer, args->dst, (size_t)args->offset, (size_t)args->transfer_size, &done));
  args->event = event_of_done(done);
  return NULL;
}

static mr_status copy_to(PJRT_Buffer *source, PJRT_Memory *memory, PJRT_Buffer **out_buffer) {
  mr_buffer *copy;
  MR_TRY(mr_pjrt_choose_memory(source->memory->device->client, memory, NULL, &memory));
  MR_TRY(mr_buffer_copy_to(source->buffer, mr_pjrt_unwrap_memory(memory), &copy));
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
  mr_future_set(copy->done, mr_status_retain(status));
  mr_future_release(copy->done);
  mr_buffer_release(copy->buffer);
  mr_free(copy);
}

static void later_copy_fail(later_copy *copy, mr_status take_status) {
  later_copy_finish(copy, take_status);
  mr_status_free(take_status);
}

static void later_copy_start(PJRT_Buffer_CopyRawToHostFuture_Callback_Args *args) {
  later_copy *copy = args->callback_data;
  mr_status status = mr_pjrt_status_of_code(args->error_code, args->error_message, args->error_message_size);
  mr_future *copied = NULL;
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
  args->event = (PJRT_Event *)mr_future_retain(copy->done);
  args->callback_data = copy;
  args->future_ready_callback = later_copy_start;
  return NULL;
}
