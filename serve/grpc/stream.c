// ModelStreamInfer: requests as they come, answers as they are ready. A request that fails is an answer that says so.
#include <stdlib.h>

#include "serve/grpc/internal.h"

typedef struct sv_grpc_stream {
  sv_grpc_user user;
  sv_grpc *grpc;
  sv_call *call;
  sv_grpc_work *works;  // in flight; at most as many as the call has messages with the service (h2)
  bool half_closed;
  bool draining;    // what has come is answered, no more is waited for
  bool cancelling;  // works are being cancelled: the stream stays
  millrace_code gone;
} request_stream;

static void finish_if_over(request_stream *stream) {
  bool drained = stream->draining && !sv_call_has_more(stream->call);
  if (stream->works || stream->cancelling || !(stream->half_closed || stream->gone || drained)) {
    return;
  }
  if (stream->gone) {
    sv_call_finish(stream->call, stream->gone, "the client is gone");
  } else if (stream->half_closed) {
    sv_call_finish(stream->call, MILLRACE_OK, NULL);
  } else {
    sv_call_finish(stream->call, MILLRACE_UNAVAILABLE, "the server is shutting down");
  }
  free(stream);
}

bool sv_grpc_stream_open(sv_grpc *grpc, sv_call *call, const sv_grpc_method *method) {
  request_stream *stream = calloc(1, sizeof *stream);
  if (!stream) {
    sv_call_finish(call, MILLRACE_RESOURCE_EXHAUSTED, "out of memory");
    return false;
  }
  stream->user.method = method;
  stream->grpc = grpc;
  stream->call = call;
  sv_call_set_user(call, stream);
  return true;
}

static void link_work(request_stream *stream, sv_grpc_work *work) {
  work->stream = stream;
  work->next = stream->works;
  if (work->next) {
    work->next->previous = work;
  }
  stream->works = work;
}

static void unlink_work(request_stream *stream, sv_grpc_work *work) {
  *(work->previous ? &work->previous->next : &stream->works) = work->next;
  if (work->next) {
    work->next->previous = work->previous;
  }
  work->next = work->previous = NULL;
}

void sv_grpc_stream_message(void *user, sv_call *call, sv_str message) {
  request_stream *stream = user;
  sv_grpc_work *work = stream->gone ? NULL : sv_grpc_work_create(stream->grpc, call);
  if (!work) {
    sv_call_consumed(call, message.size);
    return;
  }
  work->block = sv_block_retain(sv_call_message_block(call));
  work->message_size = message.size;
  link_work(stream, work);
  sv_grpc_infer_start(work, message);
}

// ModelStreamInferResponse { 1: error_message, 2: { 1: model, 2: version, 3: id } }: the id tells the client which request failed.
static void write_failure(sv_grpc_work *work, const sv_error *error) {
  sv_text_clear(&work->head);
  sv_text_clear(&work->pieces);
  sv_wire_put_element(&work->head, 1, sv_str_of(sv_error_message(error)));
  size_t mark = sv_wire_put_begin(&work->head, 2);
  sv_wire_put_str(&work->head, 1, work->model);
  sv_wire_put_str(&work->head, 2, work->number);
  sv_wire_put_str(&work->head, 3, work->id);
  sv_wire_put_end(&work->head, mark);
  const sv_piece piece = {work->head.data, work->head.size};
  sv_text_add(&work->pieces, &piece, sizeof piece);
}

static void written(void *argument) { sv_grpc_work_release(argument); }

void sv_grpc_stream_done(sv_grpc_work *work, sv_error *take_error) {
  request_stream *stream = work->stream;
  sv_call *call = stream->call;
  unlink_work(stream, work);
  if (take_error) {
    write_failure(work, take_error);
    sv_error_free(take_error);
  }
  size_t size = work->message_size;
  if (work->head.failed || work->pieces.failed) {
    stream->gone = MILLRACE_RESOURCE_EXHAUSTED;  // no memory to say what became of this one
  } else if (!stream->gone) {
    const sv_piece *pieces = (const sv_piece *)(const void *)work->pieces.data;
    work->references++;
    sv_call_send(call, pieces, work->pieces.size / sizeof *pieces, written, work);
  }
  sv_grpc_work_release(work);
  sv_call_consumed(call, size);
  finish_if_over(stream);
}

void sv_grpc_stream_half_closed(void *user, sv_call *call) {
  (void)call;
  request_stream *stream = user;
  stream->half_closed = true;
  finish_if_over(stream);
}

void sv_grpc_stream_gone(void *user, millrace_code why) {
  request_stream *stream = user;
  stream->gone = why;
  // Cancelling may finish a request from within, and others with it: the list is looked at anew each time.
  stream->cancelling = true;
  for (sv_grpc_work *work = stream->works; work;) {
    if (work->cancelled) {
      work = work->next;
    } else {
      sv_grpc_infer_gone(work, why);
      work = stream->works;
    }
  }
  stream->cancelling = false;
  finish_if_over(stream);
}

void sv_grpc_stream_draining(void *user) {
  request_stream *stream = user;
  stream->draining = true;
  finish_if_over(stream);
}
