// Host transfers: stablehlo.send and stablehlo.recv to and from the host, by the callbacks of the execute options, and the
// stream through which a host fills what a program receives.
//
// A send gives the callback a copy of the data, so that the program goes on. A receive calls its callback with a stream
// and is over when the host has put all bytes into it, from any thread; no thread waits for that.
#include <string.h>

#include "compiler/ir/calls.h"
#include "compiler/ir/ir.h"
#include "core/census.h"
#include "core/trace.h"
#include "ops/library/library.h"
#include "pjrt/calls/launch.h"

// ---- Streams ----------------------------------------------------------------------------------------------------------------

// Counted: the host has one reference, the program that waits has another, and so has each chunk that is on its way.
struct PJRT_CopyToDeviceStream {
  mr_ref ref;
  pthread_mutex_t lock;
  mr_device *device;  // of that program, which keeps it while it waits
  char *target;       // of the program that waits; NULL once it has gone on
  mr_dtype dtype;
  int64_t total;
  int64_t current;    // bytes handed in
  int64_t copied;     // of those, bytes that are there
  mr_future *filled;  // NULL once it is set
  mr_status stopped;  // owned; it takes no more, and ends with this when what is being copied is there
  bool torn;          // some bytes never come, and `stopped` says why
};
typedef struct PJRT_CopyToDeviceStream stream;

static mr_status stream_create(mr_device *device, char *target, int64_t total, mr_dtype dtype, stream **out_stream,
                               mr_future **out_filled) {
  mr_future *filled;
  MR_TRY(mr_future_create(&filled));
  stream *self = mr_alloc_zeroed(1, sizeof *self);
  if (self == NULL) {
    mr_future_release(filled);
    return MR_NO_MEMORY();
  }
  mr_census_add(MR_CENSUS_transfers, 1);
  mr_ref_init(&self->ref);
  pthread_mutex_init(&self->lock, NULL);
  self->device = device;
  self->target = target;
  self->total = total;
  self->dtype = dtype;
  self->filled = mr_future_retain(filled);
  *out_stream = self;
  *out_filled = filled;
  return MR_OK;
}

// Sets the future that the program waits for, unless that has happened.
static void stream_finish(stream *self, mr_status take_status) {
  pthread_mutex_lock(&self->lock);
  mr_future *filled = self->filled;
  self->filled = NULL;
  pthread_mutex_unlock(&self->lock);
  if (filled == NULL) {
    mr_status_free(take_status);
    return;
  }
  mr_future_set(filled, take_status);
  mr_future_release(filled);
}

static void stream_release(stream *self) {
  if (mr_ref_release(&self->ref)) {
    pthread_mutex_destroy(&self->lock);
    mr_status_free(self->stopped);
    mr_census_add(MR_CENSUS_transfers, -1);
    mr_free(self);
  }
}

// The program does not want any more. Its memory is touched until what is being copied is there, and the last of that ends it.
static void stream_stop(stream *self, mr_status status) {
  pthread_mutex_lock(&self->lock);
  bool ends = self->copied == self->current;
  if (!self->stopped) {
    self->stopped = mr_status_retain(status);
  }
  pthread_mutex_unlock(&self->lock);
  if (ends) {
    stream_finish(self, mr_status_retain(status));
  }
}

// Takes room for a chunk; its place stays when the lock is gone, so that chunks are copied side by side.
static mr_status take_room(stream *self, size_t size, char **out_at) {
  mr_status status = MR_OK;
  pthread_mutex_lock(&self->lock);
  if (size > (size_t)(self->total - self->current)) {
    status = mr_error(MR_INVALID_ARGUMENT, "a chunk of %zu bytes for a stream that has %lld of %lld bytes", size,
                      (long long)self->current, (long long)self->total);
  } else if (size % mr_dtype_bytes(self->dtype) != 0) {
    status = mr_error(MR_INVALID_ARGUMENT, "a chunk of %zu bytes, wanted a multiple of the granule, %zu bytes", size,
                      mr_dtype_bytes(self->dtype));
  } else if ((self->filled == NULL || self->stopped) && size > 0) {
    status = mr_error(MR_FAILED_PRECONDITION, "the program does not wait for this stream any more");
  } else {
    *out_at = self->target + self->current;
    self->current += (int64_t)size;
  }
  pthread_mutex_unlock(&self->lock);
  return status;
}

// So many bytes are there, or, with an error, never come. Whoever waited may let go of the device from here on.
static void count_copied(stream *self, size_t size, mr_status take_status) {
  pthread_mutex_lock(&self->lock);
  self->torn |= take_status != MR_OK;
  if (!self->stopped) {
    self->stopped = take_status;
  } else {
    mr_status_free(take_status);
  }
  self->copied += (int64_t)size;
  bool full = self->copied == self->total && !self->torn, last = self->stopped && self->copied == self->current;
  mr_status end = full ? MR_OK : mr_status_retain(self->stopped);
  pthread_mutex_unlock(&self->lock);
  if (full || last) {
    stream_finish(self, end);
  } else {
    mr_status_free(end);
  }
}

static void delete_chunk(const PJRT_Chunk *chunk) {
  if (chunk->deleter) {
    chunk->deleter(chunk->data, chunk->deleter_arg);
  }
}

// ---- Chunks on their way ------------------------------------------------------------------------------------------------------

typedef struct chunk_sent {
  mr_waiter waiter;
  mr_future *copied;
  mr_future *done;  // one reference; the host has another
  stream *self;     // has a reference
  mr_device *device;
  PJRT_Chunk chunk;
} chunk_sent;

// The host's deleter may sleep or wait for other threads of its own.
static void chunk_is_copied(mr_waiter *waiter, mr_status status) {
  chunk_sent *c = MR_CONTAINER_OF(waiter, chunk_sent, waiter);
  mr_future *copied = c->copied, *done = c->done;
  mr_admission_leave_copy(&c->device->admission, c->chunk.size);
  count_copied(c->self, c->chunk.size, mr_status_retain(status));
  bool begun = mr_scheduler_begin_host_call();
  delete_chunk(&c->chunk);
  if (begun) {
    mr_scheduler_end_host_call();
  }
  stream_release(c->self);
  mr_free(c);
  mr_future_set(done, mr_status_retain(status));
  mr_progress_end(MR_PROGRESS_OWN);
  mr_future_release(done);
  mr_future_release(copied);
}

// Fails for lack of memory alone. Who sends too much is held up.
static mr_status send_chunk(stream *self, const PJRT_Chunk *chunk, const mr_piece *piece, mr_future **out_done) {
  chunk_sent *c = mr_alloc(sizeof *c);
  if (c == NULL) {
    return MR_NO_MEMORY();
  }
  *c = (chunk_sent){.waiter.run = chunk_is_copied, .self = self, .device = piece->device, .chunk = *chunk};
  mr_status status = mr_future_create(&c->done);
  status = status ? status : mr_piece_send(piece, NULL, 0, &c->copied);
  if (status) {
    mr_future_release(c->done);
    mr_free(c);
    return status;
  }
  mr_ref_retain(&self->ref);
  // From here on it may be over at any time, and whoever hears of that may let go of the client.
  mr_admission *admission = &piece->device->admission;
  mr_platform *platform = mr_platform_enter(piece->device->platform);
  *out_done = mr_future_retain(c->done);
  mr_admission_enter_copy(admission, chunk->size);
  mr_future_then(c->copied, &c->waiter);
  mr_admission_wait(admission, mr_platform_scheduler(platform));
  mr_platform_leave(platform);
  return MR_OK;
}

// *out_done NULL: it is over; else a counted future, which the deleter comes before.
static mr_status add_chunk(stream *self, const PJRT_Chunk *chunk, mr_future **out_done) {
  char *at = NULL;
  *out_done = NULL;
  if (chunk->data == NULL && chunk->size > 0) {
    return mr_error(MR_INVALID_ARGUMENT, "a chunk of %zu bytes has no data", chunk->size);
  }
  MR_TRY(take_room(self, chunk->size, &at));
  const mr_piece piece = {.device = self->device,
                          .name = "chunk to device",
                          .to = at,
                          .from = chunk->data,
                          .bytes = chunk->size,
                          .dtype = self->dtype};
  if (!mr_piece_is_short(chunk->size)) {
    mr_status status = send_chunk(self, chunk, &piece, out_done);
    if (!status) {
      return MR_OK;
    }
    mr_status_free(status);  // without memory for that it is copied here
  }
  uint64_t start = mr_trace_begin();
  if (chunk->size > 0) {
    mr_piece_copy_now(&piece);
  }
  mr_trace_end_call(MR_TRACE_TRANSFER, "chunk to device", MR_NODE_HOST_TO_DEVICE, -1, start);
  count_copied(self, chunk->size, MR_OK);
  return MR_OK;
}

PJRT_Error *mr_pjrt_CopyToDeviceStream_AddChunk(PJRT_CopyToDeviceStream_AddChunk_Args *args) {
  MR_PJRT_NEED(args, transfer_complete);
  MR_PJRT_NONNULL(args, stream);
  MR_PJRT_NONNULL(args, chunk);
  args->transfer_complete = NULL;
  mr_future *done;
  mr_status status = add_chunk(args->stream, args->chunk, &done);
  if (done) {
    args->transfer_complete = mr_pjrt_event_take(done);
    return NULL;
  }
  delete_chunk(args->chunk);
  if (status) {
    MR_PJRT_TRY(mr_pjrt_event_failed(status, &args->transfer_complete));
    return NULL;
  }
  args->transfer_complete = mr_pjrt_event_ready();
  return NULL;
}

// A host that lets go of a stream before it is full fails the program that waits for it, once what is on its way is there.
PJRT_Error *mr_pjrt_CopyToDeviceStream_Destroy(PJRT_CopyToDeviceStream_Destroy_Args *args) {
  MR_PJRT_NEED(args, stream);
  stream *self = args->stream;
  if (self) {
    pthread_mutex_lock(&self->lock);
    bool waits = self->filled != NULL;
    int64_t got = self->current;
    pthread_mutex_unlock(&self->lock);
    if (waits && got < self->total) {
      mr_status status = mr_error(MR_CANCELLED, "the host destroyed the stream after %lld of %lld bytes",
                                  (long long)got, (long long)self->total);
      stream_stop(self, status);
      mr_status_free(status);
    }
    stream_release(self);
  }
  return NULL;
}

PJRT_Error *mr_pjrt_CopyToDeviceStream_TotalBytes(PJRT_CopyToDeviceStream_TotalBytes_Args *args) {
  MR_PJRT_NEED(args, total_bytes);
  MR_PJRT_NONNULL(args, stream);
  args->total_bytes = args->stream->total;
  return NULL;
}

PJRT_Error *mr_pjrt_CopyToDeviceStream_GranuleSize(PJRT_CopyToDeviceStream_GranuleSize_Args *args) {
  MR_PJRT_NEED(args, granule_size_in_bytes);
  MR_PJRT_NONNULL(args, stream);
  args->granule_size_in_bytes = (int64_t)mr_dtype_bytes(args->stream->dtype);
  return NULL;
}

PJRT_Error *mr_pjrt_CopyToDeviceStream_CurrentBytes(PJRT_CopyToDeviceStream_CurrentBytes_Args *args) {
  MR_PJRT_NEED(args, current_bytes);
  MR_PJRT_NONNULL(args, stream);
  pthread_mutex_lock(&args->stream->lock);
  args->current_bytes = args->stream->current;
  pthread_mutex_unlock(&args->stream->lock);
  return NULL;
}

// ---- Calls ------------------------------------------------------------------------------------------------------------------

// One of the arrays of a send or a receive.
typedef struct host_array {
  uint32_t buffer;  // which of the call's buffers
  mr_dtype dtype;
  size_t bytes;
} host_array;

// A send or a receive. Buffers: send: the arrays, tokens; receive: the token, then the arrays and a token. Each array is a
// transfer of its own on the channel, in the order of the program.
typedef struct host_call {
  mr_library_call base;
  int64_t channel;
  uint32_t count;
  host_array arrays[];
} host_call;

static PJRT_Error *make_error(PJRT_Error_Code code, const char *message, size_t message_size) {
  return mr_pjrt_error(mr_pjrt_status_of_code(code, message, message_size));
}

static void delete_copy(void *data, void *arg) {
  (void)arg;
  mr_free(data);
}

static mr_status no_callback(const char *what, int64_t channel) {
  return mr_error(MR_FAILED_PRECONDITION,
                  "the program %s the host on channel %lld, for which the execute options have no "
                  "callback",
                  what, (long long)channel);
}

static mr_status send_array(const PJRT_SendCallbackInfo *info, const host_array *array, const void *data,
                            mr_group *group) {
  void *copy = mr_alloc(MR_MAX(array->bytes, (size_t)1));
  if (copy == NULL) {
    return MR_NO_MEMORY();
  }
  mr_copy_bytes(group, copy, data, array->bytes);
  PJRT_Chunk chunk = {.data = copy, .size = array->bytes, .deleter = delete_copy};
  PJRT_CallbackError callback_error = make_error;
  uint64_t start = mr_trace_begin();
  PJRT_Error *error = info->send_callback(&chunk, &callback_error, array->bytes, true, info->user_arg);
  mr_trace_end_call(MR_TRACE_NODE, "send callback", MR_NODE_CALLBACK, mr_trace_device, start);
  return mr_pjrt_status_of_foreign(error);
}

static mr_status send_run(const mr_library_call *base, void *const *buffers, void *scratch, mr_group *group) {
  (void)scratch;
  const host_call *call = (const host_call *)base;
  const mr_pjrt_launch *launch = mr_pjrt_launch_current();
  const PJRT_SendCallbackInfo *info = NULL;
  for (size_t i = 0; launch && i < launch->num_sends; i++) {
    info = launch->sends[i].channel_id == call->channel ? &launch->sends[i] : info;
  }
  if (info == NULL) {
    return no_callback("sends to", call->channel);
  }
  mr_status status = MR_OK;
  for (uint32_t i = 0; !status && i < call->count; i++) {
    status = send_array(info, &call->arrays[i], buffers[call->arrays[i].buffer], group);
  }
  return mr_status_note(status, "send callback of channel %lld", (long long)call->channel);
}

// A receive on its way: a stream for each array. Counted: its waiter has a reference, and while the launch knows it that has another.
typedef struct receive {
  mr_ref ref;
  mr_pjrt_stop stop;
  mr_pjrt_launch *launch;  // retained
  mr_waiter waiter;        // of `filled`
  mr_future *filled;       // all streams are
  mr_future *done;
  int64_t channel;
  uint32_t count;
  stream *streams[];
} receive;

static void receive_release(receive *self) {
  if (!mr_ref_release(&self->ref)) {
    return;
  }
  while (self->count > 0) {
    stream_release(self->streams[--self->count]);
  }
  mr_future_release(self->filled);
  mr_pjrt_launch_release(self->launch);
  mr_free(self);
}

// Of streams that nobody has got.
static void receive_abandon(receive *self) {
  for (uint32_t i = 0; i < self->count; i++) {
    stream_finish(self->streams[i], MR_OK);
  }
  mr_future_release(self->done);
  receive_release(self);
}

static mr_status note_channel(mr_status status, int64_t channel) {
  return mr_status_note(status, "receiving from the host on channel %lld", (long long)channel);
}

static void receive_is_over(mr_waiter *waiter, mr_status status) {
  receive *self = MR_CONTAINER_OF(waiter, receive, waiter);
  mr_future *done = self->done;
  mr_status noted = note_channel(mr_status_retain(status), self->channel);
  if (mr_pjrt_launch_forget(self->launch, &self->stop)) {
    receive_release(self);
  }
  receive_release(self);
  mr_future_set(done, noted);
  mr_future_release(done);
}

// The execution has failed, or was cancelled: what the host has not given is not waited for.
static void receive_stops(mr_pjrt_stop *stop, mr_status status) {
  receive *self = MR_CONTAINER_OF(stop, receive, stop);
  for (uint32_t i = 0; i < self->count; i++) {
    stream_stop(self->streams[i], status);
  }
  receive_release(self);
}

// The streams, and what is set when all of them are full.
static mr_status open_streams(const host_call *call, void *const *buffers, receive *self) {
  mr_future **filled = mr_alloc_zeroed(call->count + 1, sizeof *filled);
  if (filled == NULL) {
    return MR_NO_MEMORY();
  }
  mr_status status = MR_OK;
  while (!status && self->count < call->count) {
    const host_array *array = &call->arrays[self->count];
    status = stream_create(self->launch->device, buffers[array->buffer], (int64_t)array->bytes, array->dtype,
                           &self->streams[self->count], &filled[self->count]);
    self->count += status == NULL;
  }
  if (!status) {
    status = mr_future_all(filled, self->count, &self->filled);
  }
  for (uint32_t i = 0; i < self->count; i++) {
    mr_future_release(filled[i]);  // the stream has one until it is set
  }
  mr_free(filled);
  return status;
}

// The host gets all streams before any of them is waited for: it may fill them in any order.
static void hand_out_streams(const host_call *call, const PJRT_RecvCallbackInfo *info, const receive *self) {
  for (uint32_t i = 0; i < call->count; i++) {
    mr_ref_retain(&self->streams[i]->ref);  // the host destroys its own
    if (call->arrays[i].bytes == 0) {
      stream_finish(self->streams[i], MR_OK);
    }
    uint64_t start = mr_trace_begin();
    info->recv_callback(self->streams[i], info->user_arg);
    mr_trace_end_call(MR_TRACE_NODE, "receive callback", MR_NODE_CALLBACK, mr_trace_device, start);
  }
}

static mr_status recv_start(const mr_library_call *base, void *const *buffers, void *scratch, mr_group *group,
                            mr_future **out_done) {
  (void)scratch, (void)group;
  *out_done = NULL;
  const host_call *call = (const host_call *)base;
  mr_pjrt_launch *launch = mr_pjrt_launch_current();
  const PJRT_RecvCallbackInfo *info = NULL;
  for (size_t i = 0; launch && i < launch->num_recvs; i++) {
    info = launch->recvs[i].channel_id == call->channel ? &launch->recvs[i] : info;
  }
  if (info == NULL) {
    return note_channel(no_callback("receives from", call->channel), call->channel);
  }
  receive *self = mr_alloc_zeroed(1, sizeof *self + call->count * sizeof(stream *));
  if (self == NULL) {
    return MR_NO_MEMORY();
  }
  mr_ref_init(&self->ref);
  mr_ref_retain(&launch->context.base.ref);
  self->launch = launch;
  self->stop.run = receive_stops;
  self->waiter.run = receive_is_over;
  self->channel = call->channel;
  mr_status status = mr_future_create(&self->done);
  status = status ? status : open_streams(call, buffers, self);
  if (!status) {
    mr_ref_retain(&self->ref);
    status = mr_pjrt_launch_watch(launch, &self->stop);
    if (status) {
      receive_release(self);
    }
  }
  if (status) {
    receive_abandon(self);
    return note_channel(status, call->channel);
  }
  *out_done = mr_future_retain(self->done);
  hand_out_streams(call, info, self);
  mr_future_then(self->filled, &self->waiter);
  return MR_OK;
}

static void host_call_destroy(mr_library_call *base) { mr_free(base); }

// The values that are no tokens.
static mr_status find_arrays(const mr_op *op, bool sends, host_call *out) {
  uint32_t count = sends ? op->num_operands : op->num_results;
  for (uint32_t i = 0; i < count; i++) {
    const mr_type *type = sends ? &mr_op_operand(op, i)->type : &op->results[i].type;
    if (type->kind == MR_TYPE_TOKEN) {
      continue;
    }
    if (type->kind != MR_TYPE_TENSOR || !mr_type_is_static(type)) {
      return mr_error(MR_UNIMPLEMENTED, "a host transfer of values that are not static arrays");
    }
    out->arrays[out->count++] =
        (host_array){.buffer = sends ? i : op->num_operands + i, .dtype = type->dtype, .bytes = mr_type_bytes(type)};
  }
  return MR_OK;
}

static mr_status make_host_call(const mr_op *op, bool sends, mr_library_call **out_call) {
  // What a blocked execution costs; far above what would run on the thread that calls Execute and may have to feed it.
  enum { COST_NS = 1000000 };
  if (mr_op_int(op, MR_ATTR_is_host_transfer, 0) == 0) {
    return mr_error(MR_UNIMPLEMENTED, "a transfer between devices in a program for one device");
  }
  uint32_t most = sends ? op->num_operands : op->num_results;
  host_call *call = mr_alloc_zeroed(1, sizeof *call + most * sizeof call->arrays[0]);
  if (call == NULL) {
    return MR_NO_MEMORY();
  }
  call->base = (mr_library_call){.run = sends ? send_run : NULL,
                                 .start = sends ? NULL : recv_start,
                                 .calls_host = true,
                                 .destroy = host_call_destroy,
                                 .cost_ns = COST_NS,
                                 .name = sends ? "send" : "recv"};
  call->channel = mr_op_int(op, MR_ATTR_channel_id, 0);
  mr_status status = find_arrays(op, sends, call);
  if (status) {
    mr_free(call);
    return status;
  }
  *out_call = &call->base;
  return MR_OK;
}

mr_status mr_pjrt_make_call(const mr_op *op, mr_library_call **out_call) {
  *out_call = NULL;
  if (op->kind == MR_OP_send || op->kind == MR_OP_recv) {
    return make_host_call(op, op->kind == MR_OP_send, out_call);
  }
  if (mr_str_is(mr_op_string(op, MR_ATTR_call_target_name), MR_HLO_OUTPUT)) {
    return mr_pjrt_make_output_call(op, out_call);
  }
  return mr_pjrt_ffi_make_call(op, out_call);
}
