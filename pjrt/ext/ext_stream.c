// Extension Stream: an order of work that a host and we agree on. Each device has one stream: a chain of futures. A host puts
// buffers on it, and a view of foreign memory that names it (Client_CreateViewOfDeviceBuffer) is ready when they all are.
#include "pjrt/ext/extensions.h"
#include "pjrt/objects/ext_client.h"
#include "pjrt/objects/objects.h"

// A device's own address is the number of its stream; 0 stays what the ABI says, no stream.
static intptr_t stream_of(const PJRT_Device *device) { return (intptr_t)device; }

static mr_status find_stream(const PJRT_Client *client, intptr_t stream, size_t *out_index) {
  for (size_t i = 0; i < client->local_count; i++) {
    if (stream_of(client->local_list[i]) == stream) {
      *out_index = i;
      return MR_OK;
    }
  }
  return mr_error(MR_INVALID_ARGUMENT, "stream %p is none of the %zu devices' of this client", (void *)stream,
                  client->local_count);
}

static bool is_over(mr_future *future) { return mr_future_is_set(future) && mr_future_status(future) == MR_OK; }

mr_status mr_pjrt_stream_tail(PJRT_Client *client, intptr_t stream, mr_future **out_tail) {
  *out_tail = NULL;
  if (stream == 0) {
    return MR_OK;
  }
  size_t index;
  MR_TRY(find_stream(client, stream, &index));
  pthread_mutex_lock(&client->ext->lock);
  mr_future *tail = client->ext->streams[index];
  if (tail && !is_over(tail)) {
    *out_tail = mr_future_retain(tail);
  }
  pthread_mutex_unlock(&client->ext->lock);
  return MR_OK;
}

// What comes after `tail` (may be NULL) and the buffer; NULL when both are over.
static mr_status join(mr_future *tail, mr_future *ready, mr_future **out_tail) {
  mr_future *both[2];
  size_t count = 0;
  if (tail && !is_over(tail)) {
    both[count++] = tail;
  }
  if (ready && !is_over(ready)) {
    both[count++] = ready;
  }
  *out_tail = NULL;
  return count ? mr_future_all(both, count, out_tail) : MR_OK;
}

// A client without streams takes any number: the content is there when the call returns.
static mr_status wait_here(PJRT_Buffer *buffer) {
  mr_hold *hold;
  mr_status status = MR_OK;
  MR_TRY(mr_buffer_hold(buffer->buffer, false, &hold));
  mr_future *ready = mr_hold_ready(hold);
  if (ready) {
    mr_scheduler_wait(mr_platform_scheduler(mr_buffer_memory(buffer->buffer)->device->platform), ready);
    status = mr_status_retain(mr_future_status(ready));
  }
  mr_hold_release(hold);
  return status;
}

static mr_status wait_for(intptr_t stream, PJRT_Buffer *buffer) {
  if (mr_buffer_is_deleted(buffer->buffer)) {
    return mr_error(MR_INVALID_ARGUMENT, "buffer has been deleted or donated");
  }
  PJRT_Client *client = buffer->memory->device->client;
  if (client->ext->no_streams) {
    return wait_here(buffer);
  }
  size_t index;
  MR_TRY(find_stream(client, stream, &index));
  // A hold, because the buffer may be deleted while its content is on the way.
  mr_hold *hold;
  MR_TRY(mr_buffer_hold(buffer->buffer, false, &hold));
  pthread_mutex_lock(&client->ext->lock);
  mr_future *before = client->ext->streams[index], *after;
  mr_status status = join(before, mr_hold_ready(hold), &after);
  if (!status) {
    client->ext->streams[index] = after;
  }
  pthread_mutex_unlock(&client->ext->lock);
  mr_hold_release(hold);
  if (!status) {
    mr_future_release(before);
  }
  return status;
}

static PJRT_Error *get_stream(PJRT_Get_Stream_For_External_Ready_Events_Args *args) {
  MR_PJRT_NEED(args, stream);
  MR_PJRT_NONNULL(args, device);
  MR_PJRT_TRY(mr_pjrt_check_addressable(args->device));
  if (args->device->client->ext->no_streams) {
    return mr_pjrt_error(mr_error(MR_UNIMPLEMENTED, "the client was created with the option streams = 0"));
  }
  args->stream = stream_of(args->device);
  return NULL;
}

static PJRT_Error *wait_stream(PJRT_Wait_Until_Buffer_Ready_On_Stream_Args *args) {
  MR_PJRT_NEED(args, buffer);
  MR_PJRT_NONNULL(args, buffer);
  MR_PJRT_TRY(wait_for(args->stream, args->buffer));
  return NULL;
}

PJRT_Stream_Extension mr_pjrt_ext_stream = {
    .base = {.struct_size = sizeof(PJRT_Stream_Extension),
             .type = PJRT_Extension_Type_Stream,
             .next = &mr_pjrt_ext_callback.base},
    .get_stream = get_stream,
    .wait_stream = wait_stream,
};
