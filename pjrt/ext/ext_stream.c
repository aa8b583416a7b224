// Extension Stream: an order of work that a host and we agree on. Each device has one stream: a chain of futures. A host puts
// buffers on it, and a view of foreign memory that names it (Client_CreateViewOfDeviceBuffer) is ready when they all are.
#include "pjrt/ext/extensions.h"
#include "pjrt/objects/ext_client.h"
#include "pjrt/objects/stream.h"

static PJRT_Error *get_stream(PJRT_Get_Stream_For_External_Ready_Events_Args *args) {
  MR_PJRT_NEED(args, stream);
  MR_PJRT_NONNULL(args, device);
  MR_PJRT_TRY(mr_pjrt_check_addressable(args->device));
  if (args->device->client->ext->no_streams) {
    return mr_pjrt_error(mr_error(MR_UNIMPLEMENTED, "the client was created with the option streams = 0"));
  }
  args->stream = mr_pjrt_stream_of(args->device);
  return NULL;
}

static PJRT_Error *wait_stream(PJRT_Wait_Until_Buffer_Ready_On_Stream_Args *args) {
  MR_PJRT_NEED(args, buffer);
  MR_PJRT_NONNULL(args, buffer);
  MR_PJRT_TRY(mr_pjrt_stream_put(args->stream, args->buffer));
  return NULL;
}

PJRT_Stream_Extension mr_pjrt_ext_stream = {
    .base = {.struct_size = sizeof(PJRT_Stream_Extension),
             .type = PJRT_Extension_Type_Stream,
             .next = &mr_pjrt_ext_callback.base},
    .get_stream = get_stream,
    .wait_stream = wait_stream,
};
