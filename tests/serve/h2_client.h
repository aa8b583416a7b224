// A client of gRPC on nghttp2 for tests: it blocks, and remembers all that it was told. Beside it, a loop with connections that are given one end of
// a pair of sockets.
#ifndef SV_TESTS_H2_CLIENT_H
#define SV_TESTS_H2_CLIENT_H

#include "tests/serve/check.h"

#include <nghttp2/nghttp2.h>
#include <poll.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve/h2/h2.h"

// ---- The server's side ----------------------------------------------------------------------------------------------

typedef struct h2_server {
  sv_loop *loop;
  sv_h2_connections *connections;
  sv_h2_limits limits;
  sv_h2_server server;
  _Atomic(uint64_t) in_flight;
  _Atomic(bool) draining;
  _Atomic(int) closed;
} h2_server;

typedef struct h2_task {
  sv_task task;
  void (*run)(void *argument);
  void *argument;
  sem_t done;
} h2_task;

static inline void h2_run_task(sv_task *task) {
  h2_task *call = (h2_task *)task;
  call->run(call->argument);
  sem_post(&call->done);
}

// On the loop's thread, and waits for it.
static inline void h2_do(h2_server *s, void (*run)(void *argument), void *argument) {
  h2_task call = {.task.run = h2_run_task, .run = run, .argument = argument};
  sem_init(&call.done, 0, 0);
  sv_loop_post(s->loop, &call.task);
  while (sem_wait(&call.done)) {
  }
  sem_destroy(&call.done);
}

static inline void h2_closed(void *self) { atomic_fetch_add(&((h2_server *)self)->closed, 1); }

static inline void h2_create_here(void *argument) {
  h2_server *s = argument;
  s->connections = sv_h2_connections_create(s->loop, &s->server);
}

// The caller may change limits before; 0: the usual.
static inline void h2_start(h2_server *s, const sv_rpc_service *service) {
  s->limits.message_bytes = s->limits.message_bytes ? s->limits.message_bytes : 4 << 20;
  s->limits.streams = s->limits.streams ? s->limits.streams : 128;
  s->limits.window = s->limits.window ? s->limits.window : 1 << 20;
  s->limits.idle_timeout_ns = s->limits.idle_timeout_ns ? s->limits.idle_timeout_ns : 75000000000u;
  s->limits.stall_timeout_ns = s->limits.stall_timeout_ns ? s->limits.stall_timeout_ns : 30000000000u;
  s->limits.bytes_in_flight = &s->in_flight;
  s->limits.most_bytes_in_flight = s->limits.most_bytes_in_flight ? s->limits.most_bytes_in_flight : 1 << 30;
  s->server.service = service;
  s->server.limits = &s->limits;
  s->server.draining = &s->draining;
  s->server.closed = h2_closed;
  s->server.closed_self = s;
  check_ok(sv_loop_create("test-h2", &s->loop));
  h2_do(s, h2_create_here, s);
  assert_non_null(s->connections);
}

typedef struct h2_accepted {
  h2_server *s;
  int descriptor;
} h2_accepted;

static inline void h2_accept_here(void *argument) {
  h2_accepted *accepted = argument;
  sv_stream *stream;
  check_ok(sv_stream_create(accepted->s->loop, accepted->descriptor, NULL, NULL, NULL, &stream));
  sv_h2_accept(accepted->s->connections, stream, (sv_str){0});
}

// The client's end of a new connection.
static inline int h2_connect(h2_server *s) {
  int pair[2];
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
  h2_accepted accepted = {s, pair[1]};
  h2_do(s, h2_accept_here, &accepted);
  return pair[0];
}

static inline void h2_drain_here(void *argument) { sv_h2_drain(((h2_server *)argument)->connections); }

static inline void h2_close_here(void *argument) {
  h2_server *s = argument;
  sv_h2_close_all(s->connections);
}

typedef struct h2_counted {
  h2_server *s;
  size_t count;
} h2_counted;

static inline void h2_count_here(void *argument) {
  h2_counted *counted = argument;
  counted->count = sv_h2_connection_count(counted->s->connections);
}

static inline size_t h2_count(h2_server *s) {
  h2_counted counted = {.s = s};
  h2_do(s, h2_count_here, &counted);
  return counted.count;
}

static inline void h2_release_here(void *argument) { sv_h2_connections_release(((h2_server *)argument)->connections); }

// Waits until something is so, ten seconds at most.
#define h2_wait_for(condition)                                       \
  do {                                                               \
    for (int h2_try = 0; h2_try < 10000 && !(condition); h2_try++) { \
      nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);       \
    }                                                                \
    assert_true(condition);                                          \
  } while (0)

// Nothing is left: no connection, no bytes in flight.
static inline void h2_stop(h2_server *s) {
  h2_do(s, h2_close_here, s);
  h2_wait_for(h2_count(s) == 0);
  assert_int_equal(atomic_load(&s->in_flight), 0);
  h2_do(s, h2_release_here, s);
  sv_loop_release(s->loop);
}

// ---- The client's side ----------------------------------------------------------------------------------------------

typedef struct h2_stream {
  int32_t id;
  char status[8], content_type[64], grpc_status[8], grpc_message[512], accept_encoding[64];
  sv_text got;  // DATA
  sv_text out;  // to be sent
  size_t sent;
  bool out_ends, closed, headers_ended;
  uint32_t error_code;
} h2_stream;

typedef struct h2_client {
  int fd;
  nghttp2_session *session;
  h2_stream *streams[4096];
  int num_streams;
  int goaways, pongs;
  int32_t last_id;
  uint32_t goaway_error, max_streams, header_list;
  bool ended;  // the server has closed
} h2_client;

static inline int h2c_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
                             size_t name_size, const uint8_t *value, size_t value_size, uint8_t flags, void *user) {
  (void)flags, (void)user;
  h2_stream *stream = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
  const struct {
    const char *name;
    char *to;
    size_t room;
  } known[] = {{":status", stream->status, sizeof stream->status},
               {"content-type", stream->content_type, sizeof stream->content_type},
               {"grpc-status", stream->grpc_status, sizeof stream->grpc_status},
               {"grpc-message", stream->grpc_message, sizeof stream->grpc_message},
               {"grpc-accept-encoding", stream->accept_encoding, sizeof stream->accept_encoding}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (sv_str_is((sv_str){(const char *)name, name_size}, known[i].name)) {
      snprintf(known[i].to, known[i].room, "%.*s", (int)value_size, (const char *)value);
    }
  }
  return 0;
}

static inline int h2c_data(nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *data, size_t size,
                           void *user) {
  (void)flags, (void)user;
  h2_stream *stream = nghttp2_session_get_stream_user_data(session, id);
  sv_text_add(&stream->got, data, size);
  return 0;
}

static inline int h2c_frame(nghttp2_session *session, const nghttp2_frame *frame, void *user) {
  (void)session;
  h2_client *c = user;
  if (frame->hd.type == NGHTTP2_GOAWAY) {
    c->goaways++;
    c->last_id = frame->goaway.last_stream_id;
    c->goaway_error = frame->goaway.error_code;
  } else if (frame->hd.type == NGHTTP2_PING && (frame->hd.flags & NGHTTP2_FLAG_ACK)) {
    c->pongs++;
  } else if (frame->hd.type == NGHTTP2_SETTINGS && !(frame->hd.flags & NGHTTP2_FLAG_ACK)) {
    for (size_t i = 0; i < frame->settings.niv; i++) {
      if (frame->settings.iv[i].settings_id == NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS) {
        c->max_streams = frame->settings.iv[i].value;
      }
    }
  }
  return 0;
}

static inline int h2c_close(nghttp2_session *session, int32_t id, uint32_t error_code, void *user) {
  (void)user;
  h2_stream *stream = nghttp2_session_get_stream_user_data(session, id);
  if (stream) {
    stream->closed = true;
    stream->error_code = error_code;
  }
  return 0;
}

static inline ssize_t h2c_read(nghttp2_session *session, int32_t id, uint8_t *to, size_t room, uint32_t *flags,
                               nghttp2_data_source *source, void *user) {
  (void)session, (void)id, (void)user;
  h2_stream *stream = source->ptr;
  size_t size = stream->out.size - stream->sent;
  size = size < room ? size : room;
  if (size) {
    memcpy(to, stream->out.data + stream->sent, size);
  }
  stream->sent += size;
  if (stream->sent == stream->out.size) {
    if (stream->out_ends) {
      *flags |= NGHTTP2_DATA_FLAG_EOF;
    } else if (!size) {
      return NGHTTP2_ERR_DEFERRED;
    }
  }
  return (ssize_t)size;
}

static inline void h2c_begin(h2_client *c, int fd, uint32_t window) {
  *c = (h2_client){.fd = fd};
  nghttp2_session_callbacks *callbacks;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, h2c_header);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, h2c_data);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, h2c_frame);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, h2c_close);
  nghttp2_session_client_new(&c->session, callbacks, c);
  nghttp2_session_callbacks_del(callbacks);
  const nghttp2_settings_entry settings[] = {{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, window ? window : 65535}};
  nghttp2_submit_settings(c->session, 0, settings, 1);
}

static inline void h2c_open(h2_client *c, h2_server *s) { h2c_begin(c, h2_connect(s), 0); }

static inline void h2c_end(h2_client *c) {
  nghttp2_session_del(c->session);
  if (c->fd >= 0) {
    close(c->fd);
  }
  for (int i = 0; i < c->num_streams; i++) {
    sv_text_free(&c->streams[i]->got);
    sv_text_free(&c->streams[i]->out);
    free(c->streams[i]);
  }
}

static inline void h2c_write_all(h2_client *c, const void *data, size_t size) {
  for (size_t at = 0; at < size && !c->ended;) {
    ssize_t part = send(c->fd, (const char *)data + at, size - at, MSG_NOSIGNAL);
    if (part <= 0) {
      c->ended = true;
    } else {
      at += (size_t)part;
    }
  }
}

// What is queued is written, as far as windows go.
static inline void h2c_flush(h2_client *c) {
  const uint8_t *bytes;
  for (ssize_t size; !c->ended && (size = nghttp2_session_mem_send(c->session, &bytes)) > 0;) {
    h2c_write_all(c, bytes, (size_t)size);
  }
}

// One read, if something comes within so many ms.
static inline bool h2c_step(h2_client *c, int ms) {
  static uint8_t bytes[65536];
  h2c_flush(c);
  struct pollfd event = {.fd = c->fd, .events = POLLIN};
  if (c->ended || poll(&event, 1, ms) <= 0) {
    return false;
  }
  ssize_t size = recv(c->fd, bytes, sizeof bytes, 0);
  if (size <= 0) {
    c->ended = true;
    return false;
  }
  if (nghttp2_session_mem_recv(c->session, bytes, (size_t)size) < 0) {
    c->ended = true;
  }
  h2c_flush(c);
  return true;
}

#define h2c_until(client, condition)                                                    \
  do {                                                                                  \
    for (int h2_try = 0; h2_try < 2000 && !(condition) && !(client)->ended; h2_try++) { \
      h2c_step((client), 10);                                                           \
    }                                                                                   \
    assert_true(condition);                                                             \
  } while (0)

// Further headers: pairs, ended by NULL. POST and application/grpc where they do not say otherwise.
static inline h2_stream *h2c_call(h2_client *c, const char *path, const char *const *more) {
  nghttp2_nv fields[200];
  size_t count = 0;
  const char *const usual[] = {":method", "POST",         ":scheme",          "http", ":path",    path, ":authority",
                               "test",    "content-type", "application/grpc", "te",   "trailers", NULL};
  for (int i = 0; usual[i]; i += 2) {
    const char *value = usual[i + 1];
    for (int m = 0; more && more[m]; m += 2) {
      value = strcmp(more[m], usual[i]) ? value : more[m + 1];
    }
    fields[count++] =
        (nghttp2_nv){(uint8_t *)(uintptr_t)usual[i], (uint8_t *)(uintptr_t)value, strlen(usual[i]), strlen(value), 0};
  }
  for (int m = 0; more && more[m]; m += 2) {
    if (more[m][0] != ':' && strcmp(more[m], "content-type") != 0) {
      fields[count++] = (nghttp2_nv){(uint8_t *)(uintptr_t)more[m], (uint8_t *)(uintptr_t)more[m + 1], strlen(more[m]),
                                     strlen(more[m + 1]), 0};
    }
  }
  h2_stream *stream = calloc(1, sizeof *stream);
  assert_true(c->num_streams < 4096);
  c->streams[c->num_streams++] = stream;
  const nghttp2_data_provider provider = {.source.ptr = stream, .read_callback = h2c_read};
  stream->id = nghttp2_submit_request(c->session, NULL, fields, count, &provider, stream);
  assert_true(stream->id > 0);
  return stream;
}

// A message with its prefix.
static inline void h2c_put(h2_stream *stream, int flag, const void *data, size_t size) {
  const unsigned char prefix[5] = {(unsigned char)flag, (unsigned char)(size >> 24), (unsigned char)(size >> 16),
                                   (unsigned char)(size >> 8), (unsigned char)size};
  sv_text_add(&stream->out, prefix, sizeof prefix);
  sv_text_add(&stream->out, data, size);
}

static inline void h2c_send(h2_client *c, h2_stream *stream, const void *data, size_t size) {
  h2c_put(stream, 0, data, size);
  nghttp2_session_resume_data(c->session, stream->id);
  h2c_flush(c);
}

static inline void h2c_half_close(h2_client *c, h2_stream *stream) {
  stream->out_ends = true;
  nghttp2_session_resume_data(c->session, stream->id);
  h2c_flush(c);
}

// A unary call from beginning to end.
static inline h2_stream *h2c_unary(h2_client *c, const char *path, const void *data, size_t size,
                                   const char *const *more) {
  h2_stream *stream = h2c_call(c, path, more);
  h2c_put(stream, 0, data, size);
  stream->out_ends = true;
  h2c_until(c, stream->closed);
  return stream;
}

// The next message of what came, from `*at` on; false when there is none.
static inline bool h2c_message(const h2_stream *stream, size_t *at, sv_str *out) {
  const unsigned char *data = (const unsigned char *)stream->got.data + *at;
  if (stream->got.size - *at < 5) {
    return false;
  }
  size_t size = (size_t)data[1] << 24 | (size_t)data[2] << 16 | (size_t)data[3] << 8 | data[4];
  if (data[0] || stream->got.size - *at < 5 + size) {
    return false;
  }
  *out = (sv_str){(const char *)data + 5, size};
  *at += 5 + size;
  return true;
}

#endif
