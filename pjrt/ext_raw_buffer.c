// Extension RawBuffer: the bytes of a buffer, read and written without regard to its type.
#include <string.h>

#include "pjrt/extensions.h"
#include "pjrt/objects.h"

// Keeps the content alive by an external reference, so that its address stays good and nobody writes it in place.
struct PJRT_RawBuffer {
  mr_buffer *buffer;  // retained
  mr_pjrt_memory *memory;
};

static mr_status create_alias(PJRT_Buffer *source, PJRT_RawBuffer **out_raw) {
  if (mr_buffer_is_deleted(source->buffer)) {
    return mr_error(MR_INVALID_ARGUMENT, "buffer has been deleted or donated");
  }
  PJRT_RawBuffer *raw = mr_alloc(sizeof *raw);
  if (raw == NULL) {
    return MR_NO_MEMORY();
  }
  *raw = (PJRT_RawBuffer){.buffer = mr_buffer_retain(source->buffer), .memory = source->memory};
  mr_buffer_external_retain(raw->buffer);
  *out_raw = raw;
  return MR_OK;
}

static PJRT_Error *create_raw_alias_of_buffer(PJRT_RawBuffer_CreateRawAliasOfBuffer_Args *args) {
  MR_PJRT_NEED(args, raw_buffer);
  MR_PJRT_NONNULL(args, buffer);
  args->raw_buffer = NULL;
  MR_PJRT_TRY(create_alias(args->buffer, &args->raw_buffer));
  return NULL;
}

static PJRT_Error *raw_destroy(PJRT_RawBuffer_Destroy_Args *args) {
  MR_PJRT_NEED(args, buffer);
  if (args->buffer == NULL) {
    return NULL;
  }
  mr_status status = mr_buffer_external_release(args->buffer->buffer);
  mr_buffer_release(args->buffer->buffer);
  mr_free(args->buffer);
  return mr_pjrt_error(status);
}

static PJRT_Error *get_on_device_size_in_bytes(PJRT_RawBuffer_GetOnDeviceSizeInBytes_Args *args) {
  MR_PJRT_NEED(args, on_device_size_in_bytes);
  MR_PJRT_NONNULL(args, buffer);
  args->on_device_size_in_bytes = mr_buffer_bytes(args->buffer->buffer);
  return NULL;
}

static PJRT_Error *get_memory_space(PJRT_RawBuffer_GetMemorySpace_Args *args) {
  MR_PJRT_NEED(args, memory_space);
  MR_PJRT_NONNULL(args, buffer);
  args->memory_space = &args->buffer->memory->base;
  return NULL;
}

static mr_status range_of(PJRT_RawBuffer *raw, int64_t offset, int64_t size, char **out_data) {
  MR_TRY(mr_pjrt_check_range(mr_buffer_bytes(raw->buffer), offset, size));
  void *data;
  MR_TRY(mr_buffer_data(raw->buffer, &data));
  *out_data = (char *)data + offset;
  return MR_OK;
}

static mr_status copy_in(PJRT_RawBuffer_CopyRawHostToDevice_Args *args) {
  char *data;
  MR_TRY(range_of(args->buffer, args->offset, args->transfer_size, &data));
  mr_storage *storage;
  MR_TRY(mr_buffer_storage(args->buffer->buffer, &storage));
  mr_copy_bytes(args->buffer->memory->memory->device->group, data, args->src, (size_t)args->transfer_size);
  mr_storage_touch(storage);  // what was packed from the old content is outdated
  mr_storage_release(storage);
  args->event = mr_pjrt_event_ready();
  return MR_OK;
}

static PJRT_Error *copy_raw_host_to_device(PJRT_RawBuffer_CopyRawHostToDevice_Args *args) {
  MR_PJRT_NEED(args, event);
  MR_PJRT_NONNULL(args, buffer);
  args->event = NULL;
  MR_PJRT_TRY(copy_in(args));
  return NULL;
}

static mr_status copy_out(PJRT_RawBuffer_CopyRawDeviceToHost_Args *args) {
  char *data;
  MR_TRY(range_of(args->buffer, args->offset, args->transfer_size, &data));
  mr_copy_bytes(args->buffer->memory->memory->device->group, args->dst, data, (size_t)args->transfer_size);
  args->event = mr_pjrt_event_ready();
  return MR_OK;
}

static PJRT_Error *copy_raw_device_to_host(PJRT_RawBuffer_CopyRawDeviceToHost_Args *args) {
  MR_PJRT_NEED(args, event);
  MR_PJRT_NONNULL(args, buffer);
  args->event = NULL;
  MR_PJRT_TRY(copy_out(args));
  return NULL;
}

static PJRT_Error *get_host_pointer(PJRT_RawBuffer_GetHostPointer_Args *args) {
  MR_PJRT_NEED(args, host_pointer);
  MR_PJRT_NONNULL(args, buffer);
  char *data;
  args->host_pointer = NULL;
  MR_PJRT_TRY(range_of(args->buffer, 0, 0, &data));
  args->host_pointer = data;
  return NULL;
}

PJRT_RawBuffer_Extension mr_pjrt_ext_raw_buffer = {
    .base = {.struct_size = sizeof(PJRT_RawBuffer_Extension),
             .type = PJRT_Extension_Type_RawBuffer,
             .next = &mr_pjrt_ext_stream.base},
    .create_raw_alias_of_buffer = create_raw_alias_of_buffer,
    .destroy = raw_destroy,
    .get_on_device_size_in_bytes = get_on_device_size_in_bytes,
    .get_memory_space = get_memory_space,
    .copy_raw_host_to_device = copy_raw_host_to_device,
    .copy_raw_device_to_host = copy_raw_device_to_host,
    .get_host_pointer = get_host_pointer,
};
