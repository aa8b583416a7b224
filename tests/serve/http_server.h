// A server of HTTP/1.1 on a loop of its own with a service that tests can steer, and clients that block.
#ifndef SV_TESTS_HTTP_SERVER_H
#define SV_TESTS_HTTP_SERVER_H

#include "tests/serve/check.h"

#include <errno.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "serve/http/http.h"

typedef struct server {
  sv_loop *loop;
  sv_http_connections *connections;
  sv_http_limits limits;
  sv_http_service service;
  sv_http_server http;
  sv_tls *tls;
  _Atomic(uint64_t) in_flight;
  _Atomic(bool) draining;
  _Atomic(int) closed, released, gone, requests, handed_over;
  sem_t arrived;          // posted for every request that is held
  sv_exchange *held[64];  // "/late", in order of arrival; on the loop
  int num_held;
  sv_stream *h2_stream;
  char h2_bytes[256];
  size_t h2_size;
  char *big;  // what "/big" answers with
  size_t big_size;
} server;

typedef struct server_call {
  sv_task task;
  void (*run)(server *s, void *argument);
  server *s;
  void *argument;
  sem_t done;
} server_call;

static inline void server_run_call(sv_task *task) {
  server_call *call = (server_call *)task;
  call->run(call->s, call->argument);
  sem_post(&call->done);
}

// On the loop's thread, and waits for it.
static inline void server_do(server *s, void (*run)(server *s, void *argument), void *argument) {
  server_call call = {.task.run = server_run_call, .run = run, .s = s, .argument = argument};
  sem_init(&call.done, 0, 0);
  sv_loop_post(s->loop, &call.task);
  while (sem_wait(&call.done)) {
  }
  sem_destroy(&call.done);
}

static inline void server_released(void *argument) { atomic_fetch_add(&((server *)argument)->released, 1); }
static inline void server_gone(void *argument) { atomic_fetch_add(&((server *)argument)->gone, 1); }
static inline void server_closed(void *self) { atomic_fetch_add(&((server *)self)->closed, 1); }

static inline sv_error *server_head(void *self, sv_exchange *exchange, const sv_http_request *request,
                                    size_t *inout_body_limit, int *out_status, const char **out_headers) {
  (void)self;
  (void)exchange;
  if (sv_str_is(request->path, "/small")) {
    *inout_body_limit = 100;
  }
  if (sv_str_is(request->path, "/forbidden")) {
    *out_status = 401;
    *out_headers = "WWW-Authenticate: Bearer\r\n";
    return sv_errorf(MILLRACE_UNAUTHENTICATED, "no key for \"%.*s\"", SV_FMT(request->path));
  }
  return NULL;
}

static inline void server_answer(server *s, sv_exchange *exchange, const char *type, const void *data, size_t size) {
  sv_piece piece = {data, size};
  sv_exchange_answer(exchange, &(sv_answer){.status = 200,
                                            .content_type = type,
                                            .json_size = -1,
                                            .pieces = &piece,
                                            .num_pieces = 1,
                                            .released = server_released,
                                            .argument = s});
}

// What the server saw: tests compare it.
static inline void server_describe(sv_exchange *exchange, const sv_http_request *request, sv_text *out) {
  static const char *const methods[] = {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "OTHER"};
  (void)exchange;
  uint32_t sum = 0;
  for (size_t i = 0; i < request->body.size; i++) {
    sum = sum * 31 + (unsigned char)request->body.data[i];
  }
  size_t json = request->json_size < 0 ? 0 : (size_t)request->json_size;
  bool aligned = request->body_block && (uintptr_t)(request->body.data + json) % SV_ALIGNMENT == 0;
  sv_text_addf(out, "%s %.*s ?%.*s json=%d size=%zu sum=%u %s fields=%zu", methods[request->method],
               SV_FMT(request->path), SV_FMT(request->query), (int)request->json_size, request->body.size, sum,
               request->body_block ? aligned ? "aligned" : "block" : "buffer", request->num_fields);
}

static inline void server_request(void *self, sv_exchange *exchange, const sv_http_request *request) {
  server *s = self;
  atomic_fetch_add(&s->requests, 1);
  if (sv_str_is(request->path, "/late")) {
    s->held[s->num_held++] = exchange;
    sv_exchange_on_gone(exchange, server_gone, s);
    sem_post(&s->arrived);
  } else if (sv_str_is(request->path, "/echo")) {
    server_answer(s, exchange, "application/octet-stream", request->body.data, request->body.size);
  } else if (sv_str_is(request->path, "/big")) {
    server_answer(s, exchange, "application/octet-stream", s->big, s->big_size);
  } else if (sv_str_is(request->path, "/fail")) {
    sv_exchange_fail(exchange, sv_errorf(MILLRACE_NOT_FOUND, "no \"model\" named \n here"));
  } else {
    sv_text *text = sv_exchange_text(exchange);
    server_describe(exchange, request, text);
    server_answer(s, exchange, "text/plain", text->data, text->size);
  }
}

static inline void server_http2(void *self, sv_stream *take_stream, sv_str first_bytes) {
  server *s = self;
  s->h2_stream = take_stream;
  s->h2_size = first_bytes.size < sizeof s->h2_bytes ? first_bytes.size : sizeof s->h2_bytes;
  memcpy(s->h2_bytes, first_bytes.data, s->h2_size);
  sv_stream_wish(take_stream, false, false);
  atomic_fetch_add(&s->handed_over, 1);
}

static inline void server_begin(server *s) {
  *s = (server){.limits = {.body_bytes = (size_t)64 << 20,
                           .header_timeout_ns = 10000000000,
                           .idle_timeout_ns = 75000000000,
                           .stall_timeout_ns = 30000000000,
                           .most_bytes_in_flight = (uint64_t)1 << 30}};
  s->limits.bytes_in_flight = &s->in_flight;
  s->service = (sv_http_service){s, server_head, server_request};
  s->http = (sv_http_server){.service = &s->service,
                             .limits = &s->limits,
                             .draining = &s->draining,
                             .http2 = server_http2,
                             .http2_self = s,
                             .closed = server_closed,
                             .closed_self = s};
  sem_init(&s->arrived, 0, 0);
  check_ok(sv_loop_create("test-http", &s->loop));
  s->connections = sv_http_connections_create(s->loop, &s->http);
  assert_non_null(s->connections);
}

static inline void server_close_all(server *s, void *argument) {
  (void)argument;
  sv_http_close_all(s->connections);
  sv_stream_close(s->h2_stream);
  s->h2_stream = NULL;
}

static inline void server_count(server *s, void *argument) {
  *(size_t *)argument = sv_http_connection_count(s->connections);
}

static inline void server_end(server *s) {
  server_do(s, server_close_all, NULL);
  size_t count = 1;
  server_do(s, server_count, &count);
  assert_int_equal(count, 0);
  assert_int_equal(atomic_load(&s->in_flight), 0);
  sv_loop_release(s->loop);
  sv_http_connections_release(s->connections);
  sv_tls_release(s->tls);
  sem_destroy(&s->arrived);
  free(s->big);
}

static inline void server_accept(server *s, void *argument) {
  sv_http_accept(s->connections, *(int *)argument, s->tls);
}

static inline void client_timeout(int descriptor) {
  struct timeval limit = {.tv_sec = 20};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

// A client's end of a new connection.
static inline int client_connect(server *s) {
  int pair[2];
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
  client_timeout(pair[0]);
  server_do(s, server_accept, &pair[1]);
  return pair[0];
}

static inline void client_send(int descriptor, const void *bytes, size_t size) {
  while (size) {
    ssize_t sent = send(descriptor, bytes, size, MSG_NOSIGNAL);
    if (sent < 0) {
      return;  // the server has closed: what it said is still to be read
    }
    bytes = (const char *)bytes + sent;
    size -= (size_t)sent;
  }
}

static inline void client_puts(int descriptor, const char *text) { client_send(descriptor, text, strlen(text)); }

// One answer, read to its end; what comes behind it stays in `rest`.
typedef struct client_answer {
  int status;
  char head[4096];
  char *body;
  size_t size;
  bool closed;
} client_answer;

static inline void client_answer_free(client_answer *answer) {
  free(answer->body);
  answer->body = NULL;
}

static inline ssize_t client_read(int descriptor, void *to, size_t room) {
  ssize_t got;
  do {
    got = recv(descriptor, to, room, 0);
  } while (got < 0 && errno == EINTR);
  return got;
}

static inline size_t client_length(const char *head) {
  const char *line = strstr(head, "\r\nContent-Length: ");
  return line ? strtoull(line + 18, NULL, 10) : 0;
}

// Byte by byte up to the body, so that nothing of the next answer is taken. no_body: the answer to HEAD.
static inline client_answer client_receive_as(int descriptor, bool no_body) {
  client_answer answer = {0};
  size_t size = 0;
  while (size < sizeof answer.head - 1 && (size < 4 || memcmp(answer.head + size - 4, "\r\n\r\n", 4) != 0)) {
    if (client_read(descriptor, answer.head + size, 1) <= 0) {
      answer.closed = true;
      return answer;
    }
    size++;
  }
  answer.status = (int)strtol(answer.head + 9, NULL, 10);
  answer.size = no_body ? 0 : client_length(answer.head);
  answer.body = malloc(answer.size + 1);
  for (size_t at = 0; at < answer.size;) {
    ssize_t got = client_read(descriptor, answer.body + at, answer.size - at);
    if (got <= 0) {
      answer.closed = true;
      answer.size = at;
      break;
    }
    at += (size_t)got;
  }
  answer.body[answer.size] = 0;
  return answer;
}

static inline client_answer client_receive(int descriptor) { return client_receive_as(descriptor, false); }

static inline bool client_sees_end(int descriptor) {
  char byte;
  return client_read(descriptor, &byte, 1) == 0;
}

// Sends, and the answer has this status and these words in its body.
static inline void client_expect_at(int descriptor, const char *request, int status, const char *words,
                                    const char *file, int line) {
  client_puts(descriptor, request);
  client_answer answer = client_receive(descriptor);
  if (answer.status != status || !answer.body || !strstr(answer.body, words)) {
    printf("%s:%d: wanted %d '%s', got %d '%s'\n", file, line, status, words, answer.status,
           answer.body ? answer.body : "(nothing)");
    _fail(file, line);
  }
  client_answer_free(&answer);
}
#define client_expect(descriptor, request, status, words) \
  client_expect_at(descriptor, request, status, words, __FILE__, __LINE__)

static inline void wait_until_at(_Atomic(int) *counter, int wanted, const char *file, int line) {
  for (int i = 0; i < 2000 && atomic_load(counter) < wanted; i++) {
    usleep(10000);
  }
  if (atomic_load(counter) != wanted) {
    printf("%s:%d: wanted %d, got %d\n", file, line, wanted, atomic_load(counter));
    _fail(file, line);
  }
}
#define wait_until(counter, wanted) wait_until_at(counter, wanted, __FILE__, __LINE__)

#endif
