// The way out of a call: its response's headers, messages with their prefixes, trailers.
#include <stdlib.h>
#include <string.h>

#include "serve/h2/internal.h"

// Shorter stretches of a message are copied beside the frame's head: less work than a piece of their own in writev.
static const size_t COPY_BELOW = 2048;

#define NV(name_text, value_text, more_flags)                                               \
  {                                                                                         \
      .name = (uint8_t *)(uintptr_t)(name_text),                                            \
      .namelen = sizeof(name_text) - 1,                                                     \
      .value = (uint8_t *)(uintptr_t)(value_text),                                          \
      .valuelen = sizeof(value_text) - 1,                                                   \
      .flags = NGHTTP2_NV_FLAG_NO_COPY_NAME | NGHTTP2_NV_FLAG_NO_COPY_VALUE | (more_flags), \
  }
static const nghttp2_nv status_ok = NV(":status", "200", 0), content_type = NV("content-type", "application/grpc", 0),
                        accept_encoding = NV("grpc-accept-encoding", "identity, deflate, gzip", 0);

// Decimal numbers of the codes, which stay where they are.
static nghttp2_nv code_field(int code) {
  static const char numbers[17][3] = {"0", "1",  "2",  "3",  "4",  "5",  "6",  "7", "8",
                                      "9", "10", "11", "12", "13", "14", "15", "16"};
  nghttp2_nv field = NV("grpc-status", "", 0);
  const char *number = numbers[code >= 0 && code < 17 ? code : MILLRACE_UNKNOWN];
  field.value = (uint8_t *)(uintptr_t)number;
  field.valuelen = strlen(number);
  return field;
}

static nghttp2_nv message_field(const sv_call *call) {
  nghttp2_nv field = NV("grpc-message", "", NGHTTP2_NV_FLAG_NO_INDEX);
  field.value = (uint8_t *)call->status_text.data;
  field.valuelen = call->status_text.size;
  field.flags &= (uint8_t)~NGHTTP2_NV_FLAG_NO_COPY_VALUE;
  return field;
}

// Nothing more can be said on this stream.
static void give_up(sv_call *call) {
  nghttp2_submit_rst_stream(call->connection->session, NGHTTP2_FLAG_NONE, call->stream_id, NGHTTP2_INTERNAL_ERROR);
}

static void sv_h2_respond(sv_call *call) {
  const nghttp2_nv fields[] = {status_ok, content_type};
  const nghttp2_data_provider provider = {.source.ptr = call, .read_callback = sv_h2_send_read};
  call->responded = true;
  call->last_output_ns = sv_now_ns();
  if (nghttp2_submit_response(call->connection->session, call->stream_id, fields, 2, &provider)) {
    give_up(call);
  }
}

void sv_h2_respond_trailers(sv_call *call) {
  nghttp2_nv fields[5] = {status_ok, content_type, code_field(call->code)};
  size_t count = 3;
  if (call->status_text.size) {
    fields[count++] = message_field(call);
  }
  if (call->encoding == SV_H2_UNKNOWN_ENCODING) {
    fields[count++] = accept_encoding;
  }
  call->responded = call->trailers_sent = true;
  call->last_output_ns = sv_now_ns();
  if (nghttp2_submit_response(call->connection->session, call->stream_id, fields, count, NULL)) {
    give_up(call);
  }
}

void sv_h2_respond_http(sv_call *call, int status) {
  nghttp2_nv field = status == 405 ? (nghttp2_nv)NV(":status", "405", 0) : (nghttp2_nv)NV(":status", "415", 0);
  const nghttp2_nv fields[] = {field, NV("allow", "POST", 0)};
  call->responded = call->trailers_sent = true;
  call->last_output_ns = sv_now_ns();
  if (nghttp2_submit_response(call->connection->session, call->stream_id, fields, status == 405 ? 2 : 1, NULL)) {
    give_up(call);
  }
}

static bool submit_trailers(sv_call *call) {
  nghttp2_nv fields[2] = {code_field(call->code)};
  size_t count = 1;
  if (call->status_text.size) {
    fields[count++] = message_field(call);
  }
  call->trailers_sent = true;
  return !nghttp2_submit_trailer(call->connection->session, call->stream_id, fields, count);
}

static ssize_t send_read(nghttp2_session *session, int32_t stream_id, uint8_t *buffer, size_t most, uint32_t *flags,
                         nghttp2_data_source *source, void *user_data) {
  (void)session, (void)stream_id, (void)buffer, (void)user_data;
  sv_call *call = source->ptr;
  size_t size = call->unsent < most ? call->unsent : most;
  *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
  if (size == call->unsent) {
    if (call->finished) {
      *flags |= NGHTTP2_DATA_FLAG_EOF | NGHTTP2_DATA_FLAG_NO_END_STREAM;
      return submit_trailers(call) ? (ssize_t)size : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    }
    if (!size) {
      return NGHTTP2_ERR_DEFERRED;
    }
  }
  return (ssize_t)size;
}
const nghttp2_data_source_read_callback sv_h2_send_read = send_read;

// The next `length` bytes of the call's messages become part of the output.
static void take(sv_call *call, sv_h2_output *output, size_t length) {
  while (length) {
    sv_h2_message *message = call->send_first;
    sv_piece *piece = &message->pieces[message->piece];
    size_t part = piece->size - message->offset;
    part = part < length ? part : length;
    const char *data = (const char *)piece->data + message->offset;
    if (part < COPY_BELOW) {
      sv_h2_output_copy(output, data, part);
    } else {
      sv_h2_output_refer(output, message, data, part);
    }
    length -= part;
    call->unsent -= part;
    message->left -= part;
    message->offset += part;
    if (message->offset == piece->size) {
      message->piece++;
      message->offset = 0;
    }
    if (!message->left) {
      call->send_first = message->next;
      sv_h2_message_release(message);
    }
  }
}

int sv_h2_send_data(nghttp2_session *session, nghttp2_frame *frame, const uint8_t *head, size_t length,
                    nghttp2_data_source *source, void *user_data) {
  (void)session, (void)frame;
  enum { FRAME_HEAD = 9 };
  sv_h2_connection *connection = user_data;
  sv_call *call = source->ptr;
  if (connection->output.size >= SV_H2_HIGH_WATER) {
    return NGHTTP2_ERR_WOULDBLOCK;  // nghttp2 hands over frames of this kind without end
  }
  sv_h2_output_copy(&connection->output, head, FRAME_HEAD);
  take(call, &connection->output, length);
  sv_h2_connection_unhold(connection, length);
  call->bytes_out += length;
  call->last_output_ns = sv_now_ns();
  return connection->output.failed ? NGHTTP2_ERR_CALLBACK_FAILURE : 0;
}

void sv_call_send(sv_call *call, const sv_piece *pieces, size_t num_pieces, void (*released)(void *argument),
                  void *argument) {
  size_t size = 0, filled = 1;
  for (size_t i = 0; i < num_pieces; i++) {
    size += pieces[i].size;
  }
  bool wanted = !call->finished && !call->stream_closed && !call->trailers_sent && size <= UINT32_MAX;
  sv_h2_message *message = wanted ? sv_h2_message_create(call->connection, num_pieces + 1) : NULL;
  if (!message) {
    if (released) {
      released(argument);
    }
    if (wanted) {
      give_up(call);  // the service is told when the stream is closed, not from within its own call
      sv_h2_connection_wake(call->connection);
    }
    return;
  }
  message->prefix[0] = 0;
  const uint32_t big_endian = __builtin_bswap32((uint32_t)size);
  memcpy(message->prefix + 1, &big_endian, sizeof big_endian);
  message->pieces[0] = (sv_piece){message->prefix, sizeof message->prefix};
  for (size_t i = 0; i < num_pieces; i++) {
    if (pieces[i].size) {
      message->pieces[filled++] = pieces[i];
    }
  }
  message->num_pieces = filled;
  message->left = size + sizeof message->prefix;
  message->released = released;
  message->argument = argument;
  if (call->send_first) {
    call->send_last->next = message;
  } else {
    call->send_first = message;
  }
  call->send_last = message;
  if (!call->unsent) {
    call->last_output_ns = sv_now_ns();
  }
  call->unsent += message->left;
  sv_h2_connection_hold(call->connection, message->left);
  if (!call->responded) {
    sv_h2_respond(call);
  } else {
    nghttp2_session_resume_data(call->connection->session, call->stream_id);
  }
  sv_h2_connection_wake(call->connection);
}

void sv_h2_send_forget(sv_call *call) {
  sv_h2_connection_unhold(call->connection, call->unsent);
  call->unsent = 0;
  while (call->send_first) {
    sv_h2_message *message = call->send_first;
    call->send_first = message->next;
    sv_h2_message_release(message);
  }
}
