// A call's life: its headers, its deadline, its outcome, and its end when both the service and the stream are done with it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/h2/internal.h"

// Calls that a connection keeps to use again, with their texts.
enum { MOST_SPARE_CALLS = 16 };
static const size_t MOST_SPARE_TEXT = 4096;

static const sv_h2_server *server_of(const sv_call *call) { return call->connection->all->server; }

static void link_call(sv_call *call) {
  sv_h2_connection *connection = call->connection;
  call->previous = NULL;
  call->next = connection->calls;
  if (call->next) {
    call->next->previous = call;
  }
  connection->calls = call;
  connection->num_calls++;
  call->in_list = true;
}

static void unlink_call(sv_call *call) {
  sv_h2_connection *connection = call->connection;
  if (!call->in_list) {
    return;
  }
  *(call->previous ? &call->previous->next : &connection->calls) = call->next;
  if (call->next) {
    call->next->previous = call->previous;
  }
  connection->num_calls--;
  call->in_list = false;
}

sv_call *sv_h2_call_create(sv_h2_connection *connection, int32_t stream_id) {
  sv_call *call = connection->spare;
  if (call) {
    connection->spare = call->next;
    connection->num_spare--;
  } else if (!(call = calloc(1, sizeof *call))) {
    return NULL;
  }
  call->connection = connection;
  connection->references++;
  call->stream_id = stream_id;
  call->begin_ns = call->last_input_ns = call->last_output_ns = sv_now_ns();
  call->deadline_ns = UINT64_MAX;
  link_call(call);
  return call;
}

static void write_access(sv_call *call) {
  sv_access *access = &call->access;
  const sv_h2_server *server = server_of(call);
  if (!server->log || !call->path.size) {
    return;
  }
  access->remote = sv_str_of(call->connection->remote);
  access->protocol = SV_STR("grpc");
  access->method = sv_call_metadata(call, ":method");
  access->path = call->path;
  access->status = call->code;
  access->bytes_in = call->bytes_in;
  access->bytes_out = call->bytes_out;
  access->total_us = (sv_now_ns() - call->begin_ns) / 1000;
  access->user_agent = sv_call_metadata(call, "user-agent");
  sv_access_write(server->log, access);
}

static void trim(sv_text *text) {
  if (text->capacity > MOST_SPARE_TEXT) {
    sv_text_free(text);
  } else {
    sv_text_clear(text);
  }
}

static void destroy(sv_call *call) {
  sv_text_free(&call->texts);
  sv_text_free(&call->status_text);
  sv_text_free(&call->access_texts);
  sv_text_free(&call->backlog);
  sv_block_release(call->block);
  free(call->headers);
  free(call);
}

void sv_h2_calls_destroy(sv_call *list) {
  while (list) {
    sv_call *next = list->next;
    destroy(list);
    list = next;
  }
}

static void sv_h2_call_free(sv_call *call) {
  sv_h2_connection *connection = call->connection;
  write_access(call);
  unlink_call(call);
  if (call->backlog_queued) {
    sv_call **link = &connection->backlogs;
    while (*link != call) {
      link = &(*link)->next_backlog;
    }
    *link = call->next_backlog;
  }
  if (connection->stream && connection->num_spare < MOST_SPARE_CALLS) {
    trim(&call->texts);
    trim(&call->status_text);
    trim(&call->access_texts);
    // What is kept; all else begins at zero.
    sv_call kept = {.texts = call->texts,
                    .status_text = call->status_text,
                    .access_texts = call->access_texts,
                    .headers = call->headers,
                    .room_headers = call->room_headers,
                    .block = call->block,
                    .next = connection->spare};
    *call = kept;
    connection->spare = call;
    connection->num_spare++;
  } else {
    destroy(call);
  }
  sv_h2_connection_release(connection);
}

// ---- Its outcome ----------------------------------------------------------------------------------------------------

static void set_outcome(sv_call *call, int code, const char *message) {
  call->finished = true;
  call->code = code;
  if (code && message && *message) {
    sv_h2_percent_encode(&call->status_text, message);
    if (call->status_text.failed) {
      sv_text_clear(&call->status_text);
    }
  }
  if (call->has_deadline_event) {
    event_del(&call->deadline);
    call->has_deadline_event = false;
  }
}

// The outcome is known: what is left to be written follows.
static void send_outcome(sv_call *call) {
  if (call->stream_closed) {
    return;
  }
  if (call->responded) {
    nghttp2_session_resume_data(call->connection->session, call->stream_id);
  } else {
    sv_h2_respond_trailers(call);
  }
  sv_h2_connection_wake(call->connection);
}

static void tell_gone(sv_call *call, millrace_code why) {
  if (call->opened && !call->let_go && !call->told_gone) {
    call->told_gone = true;
    const sv_rpc_service *service = server_of(call)->service;
    service->gone(service->self, call, why);
  }
}

void sv_h2_call_fail(sv_call *call, millrace_code code, const char *message) {
  if (call->finished || call->stream_closed) {
    return;
  }
  set_outcome(call, code, message);
  send_outcome(call);
  tell_gone(call, code);
}

void sv_h2_call_closed(sv_call *call, uint32_t error_code) {
  (void)error_code;
  call->stream_closed = true;
  unlink_call(call);
  sv_h2_send_forget(call);
  sv_h2_receive_forget(call);
  if (!call->finished) {
    set_outcome(call, MILLRACE_CANCELLED, NULL);
  }
  if (call->let_go || !call->opened) {
    sv_h2_call_free(call);
  } else {
    tell_gone(call, MILLRACE_CANCELLED);  // the service finishes it, perhaps in there
  }
}

// The service's texts may be gone before the access log has them.
static void keep_access_texts(sv_call *call) {
  sv_access *access = &call->access;
  if (!server_of(call)->log || (!access->model.size && !access->request_id.size)) {
    access->model = access->request_id = (sv_str){0};
    return;
  }
  size_t model = access->model.size, id = access->request_id.size;
  sv_text_add_str(&call->access_texts, access->model);
  sv_text_add_str(&call->access_texts, access->request_id);
  bool failed = call->access_texts.failed;
  access->model = failed ? (sv_str){0} : (sv_str){call->access_texts.data, model};
  access->request_id = failed ? (sv_str){0} : (sv_str){call->access_texts.data + model, id};
}

void sv_call_finish(sv_call *call, millrace_code code, const char *message) {
  keep_access_texts(call);
  call->let_go = true;
  if (call->stream_closed) {
    call->code = (int)code ? (int)code : call->code;
    sv_h2_call_free(call);
  } else if (!call->finished) {
    set_outcome(call, (int)code, message);
    send_outcome(call);
  }
}

// ---- Its beginning --------------------------------------------------------------------------------------------------

static void on_deadline(evutil_socket_t descriptor, short what, void *argument) {
  (void)descriptor, (void)what;
  sv_call *call = argument;
  call->has_deadline_event = false;
  if (!call->unsent) {
    sv_h2_call_fail(call, MILLRACE_DEADLINE_EXCEEDED, "the deadline that the client set is over");
    return;
  }
  // Part of a message may be promised in a frame's head: nothing else can be said on this stream.
  set_outcome(call, MILLRACE_DEADLINE_EXCEEDED, NULL);
  nghttp2_submit_rst_stream(call->connection->session, NGHTTP2_FLAG_NONE, call->stream_id, NGHTTP2_CANCEL);
  sv_h2_connection_wake(call->connection);
  tell_gone(call, MILLRACE_DEADLINE_EXCEEDED);
}

static bool set_deadline(sv_call *call) {
  sv_str text = sv_call_metadata(call, "grpc-timeout");
  uint64_t ns;
  if (!text.size) {
    return true;
  }
  if (!sv_h2_timeout_parse(text, &ns)) {
    return false;
  }
  if (__builtin_add_overflow(call->begin_ns, ns, &call->deadline_ns)) {
    call->deadline_ns = UINT64_MAX;
  }
  // A year is as good as never, and fits every timer.
  const uint64_t year = 365ull * 86400 * 1000000000;
  if (ns > year) {
    return true;
  }
  event_assign(&call->deadline, sv_loop_base(call->connection->all->loop), -1, 0, on_deadline, call);
  const struct timeval after = {.tv_sec = (time_t)(ns / 1000000000), .tv_usec = (suseconds_t)(ns % 1000000000 / 1000)};
  call->has_deadline_event = event_add(&call->deadline, &after) == 0;
  return true;
}

static sv_h2_encoding encoding_of(sv_str text) {
  return !text.size || sv_str_is(text, "identity") ? SV_H2_IDENTITY
         : sv_str_is(text, "gzip")                 ? SV_H2_GZIP
         : sv_str_is(text, "deflate")              ? SV_H2_DEFLATE
                                                   : SV_H2_UNKNOWN_ENCODING;
}

// "application/grpc", "application/grpc+proto", either with parameters.
static bool is_grpc(sv_str type) {
  size_t size = 0;
  while (size < type.size && type.data[size] != ';' && type.data[size] != ' ') {
    size++;
  }
  sv_str name = {type.data, size};
  return sv_str_is_nocase(name, "application/grpc") || sv_str_is_nocase(name, "application/grpc+proto");
}

static void refuse_http(sv_call *call, int status) {
  call->let_go = true;
  set_outcome(call, status, NULL);
  sv_h2_respond_http(call, status);
  sv_h2_connection_wake(call->connection);
}

static void refuse(sv_call *call, millrace_code code, const char *message) {
  call->let_go = true;
  sv_h2_call_fail(call, code, message);
}

void sv_h2_call_opened(sv_call *call) {
  call->path = sv_call_metadata(call, ":path");
  if (call->too_many_headers) {
    refuse(call, MILLRACE_RESOURCE_EXHAUSTED, "the request has more than 64 KiB or 100 fields of headers");
  } else if (!sv_str_is(sv_call_metadata(call, ":method"), "POST")) {
    refuse_http(call, 405);
  } else if (!is_grpc(sv_call_metadata(call, "content-type"))) {
    refuse_http(call, 415);
  } else if ((call->encoding = encoding_of(sv_call_metadata(call, "grpc-encoding"))) == SV_H2_UNKNOWN_ENCODING) {
    refuse(call, MILLRACE_UNIMPLEMENTED, "the grpc-encoding is none of identity, deflate, gzip");
  } else if (!set_deadline(call)) {
    refuse(call, MILLRACE_INTERNAL, "grpc-timeout is not a number of at most 8 digits and one of H M S m u n");
  } else {
    sv_traceparent_parse(sv_call_metadata(call, "traceparent"), call->access.trace_id, call->access.span_id);
    call->opened = true;
    const sv_rpc_service *service = server_of(call)->service;
    service->open(service->self, call);
  }
}

// ---- What the service asks ------------------------------------------------------------------------------------------

sv_str sv_call_path(const sv_call *call) { return call->path; }
uint64_t sv_call_deadline_ns(const sv_call *call) { return call->deadline_ns; }
sv_loop *sv_call_loop(const sv_call *call) { return call->connection->all->loop; }
sv_stream *sv_call_stream(const sv_call *call) { return call->connection->stream; }
uint64_t sv_call_begin_ns(const sv_call *call) { return call->begin_ns; }
void sv_call_set_user(sv_call *call, void *user) { call->user = user; }
void *sv_call_user(const sv_call *call) { return call->user; }
sv_access *sv_call_access(sv_call *call) { return &call->access; }
