#include "pjrt/objects/stream.h"

#include "pjrt/objects/ext_client.h"

static mr_status find_stream(const PJRT_Client *client, intptr_t stream, size_t *out_index) {
  for (size_t i = 0; i < client->local_count; i++) {
    if (mr_pjrt_stream_of(client->local_list[i]) == stream) {
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

mr_status mr_pjrt_stream_put(intptr_t stream, PJRT_Buffer *buffer) {
  if (mr_buffer_is_deleted(buffer->buffer)) {
    return mr_error(MR_INVALID_ARGUMENT, "buffer has been deleted or donated");
  }
  PJRT_Client *client = buffer->memory->device->client;
  MR_TRY(mr_pjrt_client_check(client));
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
