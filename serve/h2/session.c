// nghttp2's side: its options, its callbacks, its frames into the output.
#include <string.h>

#include "serve/h2/internal.h"

enum {
  // An upload of large messages on several streams at once is held up by neither window.
  CONNECTION_WINDOWS = 8,
  MOST_ACKS = 100,     // SETTINGS and PINGs that wait for their acknowledgement; the library's default is 1000
  MOST_SETTINGS = 32,  // in one frame
  RESETS_AT_ONCE =
      1000,  // streams that a client may reset; then RESETS_A_SECOND: clients with short deadlines come near
  RESETS_A_SECOND = 300,
  MOST_CONTINUATIONS = 8,
  HEADER_LIST = 64 * 1024,     // what headers.c takes
  LARGEST_FRAME = 128 * 1024,  // of DATA that is sent, where the client allows it
};

static int on_begin_headers(nghttp2_session *session, const nghttp2_frame *frame, void *user_data) {
  sv_h2_connection *connection = user_data;
  if (frame->hd.type != NGHTTP2_HEADERS || frame->headers.cat != NGHTTP2_HCAT_REQUEST) {
    return 0;
  }
  sv_call *call = sv_h2_call_create(connection, frame->hd.stream_id);
  if (!call) {
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  }
  nghttp2_session_set_stream_user_data(session, frame->hd.stream_id, call);
  return 0;
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name, size_t name_size,
                     const uint8_t *value, size_t value_size, uint8_t flags, void *user_data) {
  (void)flags, (void)user_data;
  if (frame->hd.type != NGHTTP2_HEADERS || frame->headers.cat != NGHTTP2_HCAT_REQUEST) {
    return 0;
  }
  sv_call *call = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
  if (call &&
      !sv_h2_header_add(call, (sv_str){(const char *)name, name_size}, (sv_str){(const char *)value, value_size})) {
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  }
  return 0;
}

static int on_data(nghttp2_session *session, uint8_t flags, int32_t stream_id, const uint8_t *data, size_t size,
                   void *user_data) {
  (void)flags, (void)user_data;
  sv_call *call = nghttp2_session_get_stream_user_data(session, stream_id);
  if (call) {
    sv_h2_receive(call, data, size);
  } else {
    nghttp2_session_consume(session, stream_id, size);
  }
  return 0;
}

static void on_stream_frame(nghttp2_session *session, const nghttp2_frame *frame) {
  sv_call *call = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
  if (!call) {
    return;
  }
  if (frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST) {
    sv_h2_call_opened(call);
  }
  if (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) {
    sv_h2_receive_half_close(call);
  }
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *user_data) {
  sv_h2_connection *connection = user_data;
  switch (frame->hd.type) {
  case NGHTTP2_HEADERS:
  case NGHTTP2_DATA: on_stream_frame(session, frame); break;
  case NGHTTP2_SETTINGS: connection->settings_seen = true; break;
  case NGHTTP2_PING:
    if (frame->hd.flags & NGHTTP2_FLAG_ACK) {
      sv_h2_connection_drain_last(connection);
    }
    break;
  default: break;
  }
  return 0;
}

static int on_frame_sent(nghttp2_session *session, const nghttp2_frame *frame, void *user_data) {
  (void)user_data;
  if (frame->hd.type == NGHTTP2_HEADERS && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM)) {
    sv_call *call = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
    if (call && !call->half_closed) {
      // The answer is complete: what the client has yet to send is not wanted (RFC 9113, 8.1).
      nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, frame->hd.stream_id, NGHTTP2_NO_ERROR);
    }
  }
  return 0;
}

static int on_stream_close(nghttp2_session *session, int32_t stream_id, uint32_t error_code, void *user_data) {
  (void)user_data;
  sv_call *call = nghttp2_session_get_stream_user_data(session, stream_id);
  if (call) {
    nghttp2_session_set_stream_user_data(session, stream_id, NULL);
    sv_h2_call_closed(call, error_code);
  }
  return 0;
}

static ssize_t frame_length(nghttp2_session *session, uint8_t type, int32_t stream_id, int32_t session_window,
                            int32_t stream_window, uint32_t remote_max_frame_size, void *user_data) {
  (void)session, (void)type, (void)stream_id, (void)user_data;
  uint32_t length = remote_max_frame_size < LARGEST_FRAME ? remote_max_frame_size : LARGEST_FRAME;
  length = (int64_t)length > session_window ? (uint32_t)session_window : length;
  return (int64_t)length > stream_window ? stream_window : (ssize_t)length;
}

bool sv_h2_session_setup(sv_h2_connections *all) {
  if (nghttp2_session_callbacks_new(&all->callbacks) || nghttp2_option_new(&all->option)) {
    return false;
  }
  nghttp2_session_callbacks_set_on_begin_headers_callback(all->callbacks, on_begin_headers);
  nghttp2_session_callbacks_set_on_header_callback(all->callbacks, on_header);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(all->callbacks, on_data);
  nghttp2_session_callbacks_set_on_frame_recv_callback(all->callbacks, on_frame);
  nghttp2_session_callbacks_set_on_frame_send_callback(all->callbacks, on_frame_sent);
  nghttp2_session_callbacks_set_on_stream_close_callback(all->callbacks, on_stream_close);
  nghttp2_session_callbacks_set_send_data_callback(all->callbacks, sv_h2_send_data);
  nghttp2_session_callbacks_set_data_source_read_length_callback(all->callbacks, frame_length);
  nghttp2_option_set_no_auto_window_update(all->option, 1);
  nghttp2_option_set_no_closed_streams(all->option, 1);
  nghttp2_option_set_max_outbound_ack(all->option, MOST_ACKS);
  nghttp2_option_set_max_settings(all->option, MOST_SETTINGS);
  nghttp2_option_set_stream_reset_rate_limit(all->option, RESETS_AT_ONCE, RESETS_A_SECOND);
  nghttp2_option_set_max_continuations(all->option, MOST_CONTINUATIONS);
  return true;
}

bool sv_h2_session_create(sv_h2_connection *connection) {
  sv_h2_connections *all = connection->all;
  const sv_h2_limits *limits = all->server->limits;
  if (nghttp2_session_server_new2(&connection->session, all->callbacks, connection, all->option)) {
    return false;
  }
  const nghttp2_settings_entry settings[] = {
      {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits->streams},
      {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, limits->window},
      {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, HEADER_LIST},
  };
  int64_t window = (int64_t)limits->window * CONNECTION_WINDOWS;
  window = window > INT32_MAX ? INT32_MAX : window;
  return !nghttp2_submit_settings(connection->session, NGHTTP2_FLAG_NONE, settings,
                                  sizeof settings / sizeof settings[0]) &&
         !nghttp2_session_set_local_window_size(connection->session, NGHTTP2_FLAG_NONE, 0, (int32_t)window);
}

bool sv_h2_session_gather(sv_h2_connection *connection) {
  while (connection->output.size < SV_H2_HIGH_WATER) {
    const uint8_t *bytes;
    ssize_t size = nghttp2_session_mem_send(connection->session, &bytes);
    if (size < 0) {
      return false;
    }
    if (size == 0) {
      break;
    }
    sv_h2_output_copy(&connection->output, bytes, (size_t)size);
  }
  return !connection->output.failed;
}
