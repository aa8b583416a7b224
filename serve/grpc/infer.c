// ModelInfer: one request, one answer.
#include "serve/grpc/internal.h"

static void sv_grpc_infer_note(const sv_grpc_work *work, sv_access *access) {
  access->request_id = work->id;
  access->model = work->model;
  if (work->version) {
    access->version = sv_version_signature(work->version)->number;
    access->batch_size = work->request->batch_rows;
    access->queue_us = work->request->queue_ns / 1000;
    access->compute_us = work->request->compute_ns / 1000;
  }
}

static void written(void *argument) { sv_grpc_work_release(argument); }

static void answer(sv_grpc_work *work) {
  const sv_piece *pieces = (const sv_piece *)(const void *)work->pieces.data;
  work->references++;  // until it is written
  sv_call_send(work->call, pieces, work->pieces.size / sizeof *pieces, written, work);
  sv_call_finish(work->call, MILLRACE_OK, NULL);
  sv_grpc_work_release(work);
}

static void finish(sv_grpc_work *work, sv_error *take_error) {
  sv_error *error = take_error;
  work->running = false;
  if (work->gone && !error) {
    error = sv_errorf(work->gone, "the client is gone");
  }
  if (!error) {
    error = sv_grpc_infer_write(work);
  }
  if (work->stream) {
    sv_grpc_stream_done(work, error);
    return;
  }
  sv_grpc_infer_note(work, sv_call_access(work->call));
  if (error) {
    sv_grpc_work_fail(work, error);
  } else {
    answer(work);
  }
}

static void done(sv_request *request) {
  sv_error *error = request->error;
  request->error = NULL;
  finish(request->argument, error);
}

void sv_grpc_infer_start(sv_grpc_work *work, sv_str message) {
  sv_error *error = sv_grpc_infer_read(work, message);
  if (error) {
    if (work->version) {
      sv_version_count_failure(work->version, sv_error_code(error), sv_now_ns() - sv_call_begin_ns(work->call));
    }
    finish(work, error);
    return;
  }
  sv_request *request = work->request;
  const sv_access *access = sv_call_access(work->call);
  request->deadline_ns = sv_call_deadline_ns(work->call);
  request->trace_id_set = access->trace_id[0] != 0;
  for (size_t i = 0; request->trace_id_set && i < sizeof request->trace_id; i++) {
    request->trace_id[i] = access->trace_id[i];
  }
  request->done = done;
  request->argument = work;
  work->running = true;
  sv_request_submit(request);  // the work may be over when this returns
}

void sv_grpc_infer_gone(void *argument, millrace_code why) {
  sv_grpc_work *work = argument;
  work->gone = why;
  if (!work->cancelled) {
    work->cancelled = true;
    if (work->running) {
      sv_request_cancel(work->request);  // done() comes, perhaps from within
    }
  }
}
