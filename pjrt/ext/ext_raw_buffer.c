// Extension RawBuffer: the bytes of a buffer, read and written without regard to its type, in the order in which they lie on
// the device.
#include "core/census.h"
#include "pjrt/ext/extensions.h"
#include "pjrt/objects/objects.h"

// Keeps the content also when the buffer is deleted; an external reference sees to it that nobody writes it in place.
struct PJRT_RawBuffer {
  mr_buffer *buffer;  // retained
  mr_hold *content;   // owned
  mr_pjrt_memory *memory;
  bool is_external;  // not when the buffer was deleted meanwhile
};

static mr_status create_alias(PJRT_Buffer *source, PJRT_RawBuffer **out_raw) {
  PJRT_RawBuffer *raw = mr_alloc(sizeof *raw);
  if (raw == NULL) {
    return MR_NO_MEMORY();
  }
  *raw = (PJRT_RawBuffer){.memory = source->memory};
  mr_status status = mr_buffer_hold(source->buffer, false, &raw->content);
  if (status) {
    mr_free(raw);
    return status;
  }
  raw->buffer = mr_buffer_retain(source->buffer);
  raw->is_external = mr_buffer_external_retain(raw->buffer);
  mr_census_add(MR_CENSUS_others, 1);
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

// Copies that are under way have holds of their own.
static PJRT_Error *raw_destroy(PJRT_RawBuffer_Destroy_Args *args) {
  MR_PJRT_NEED(args, buffer);
  if (args->buffer == NULL) {
    return NULL;
  }
  if (args->buffer->is_external) {
    mr_buffer_external_release(args->buffer->buffer);
  }
  mr_hold_release(args->buffer->content);
  mr_buffer_release(args->buffer->buffer);
  mr_census_add(MR_CENSUS_others, -1);
  mr_free(args->buffer);
  return NULL;
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

// ---- Copies ---------------------------------------------------------------------------------------------------------

// Between the host and a part of the content, `to` or `from` NULL: here and now when that can be, else later. The caller
// never waits.
static mr_status copy_part(const PJRT_RawBuffer *raw, int64_t offset, int64_t size, void *to, const void *from,
                           PJRT_Event **out_event) {
  MR_TRY(mr_pjrt_check_range(mr_buffer_bytes(raw->buffer), offset, size));
  if (to == NULL && from == NULL && size > 0) {
    return mr_error(MR_INVALID_ARGUMENT, "a raw copy of %lld bytes with a host address of NULL", (long long)size);
  }
  static char nothing;  // a copy of no bytes may come without an address
  mr_future *done;
  MR_TRY(from ? mr_hold_write(raw->content, (size_t)offset, (size_t)size, from, &done)
              : mr_hold_read(raw->content, (size_t)offset, (size_t)size, to ? to : &nothing, &done));
  *out_event = mr_pjrt_event_of_done(done);
  return MR_OK;
}

static PJRT_Error *copy_raw_host_to_device(PJRT_RawBuffer_CopyRawHostToDevice_Args *args) {
  MR_PJRT_NEED(args, event);
  MR_PJRT_NONNULL(args, buffer);
  args->event = NULL;
  MR_PJRT_TRY(copy_part(args->buffer, args->offset, args->transfer_size, NULL, args->src, &args->event));
  return NULL;
}

static PJRT_Error *copy_raw_device_to_host(PJRT_RawBuffer_CopyRawDeviceToHost_Args *args) {
  MR_PJRT_NEED(args, event);
  MR_PJRT_NONNULL(args, buffer);
  args->event = NULL;
  MR_PJRT_TRY(copy_part(args->buffer, args->offset, args->transfer_size, args->dst, NULL, &args->event));
  return NULL;
}

static PJRT_Error *get_host_pointer(PJRT_RawBuffer_GetHostPointer_Args *args) {
  MR_PJRT_NEED(args, host_pointer);
  MR_PJRT_NONNULL(args, buffer);
  args->host_pointer = NULL;
  // The host may write there at any time; of a pending buffer it is where the content will be.
  MR_PJRT_TRY(mr_buffer_address(args->buffer->buffer, true, args->buffer->is_external, &args->host_pointer));
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
