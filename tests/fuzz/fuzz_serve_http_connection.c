// A whole connection: the same bytes, split in two ways, get the same answers, and the server lets go of everything.
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve/http/http.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static _Atomic(uint64_t) in_flight;
static _Atomic(bool) draining;
static sv_loop *loop;
static sv_http_connections *connections;

static void must(bool holds) {
  if (!holds) {
    abort();
  }
}

static sv_error *look_at_head(void *self, sv_exchange *exchange, const sv_http_request *request, size_t *inout_limit,
                              int *out_status, const char **out_headers) {
  (void)self;
  (void)exchange;
  (void)out_headers;
  if (sv_str_is(request->path, "/no")) {
    *out_status = 403;
    return sv_errorf(MILLRACE_PERMISSION_DENIED, "no");
  }
  *inout_limit = 100000;
  return NULL;
}

static void serve(void *self, sv_exchange *exchange, const sv_http_request *request) {
  (void)self;
  sv_text *text = sv_exchange_text(exchange);
  sv_text_addf(text, "%d %d %zu %zu ", (int)request->method, (int)request->json_size, request->num_fields,
               request->body.size);
  sv_text_add_str(text, request->path);
  sv_text_add_str(text, request->body);
  sv_piece piece = {text->data, text->size};
  sv_exchange_answer(exchange, &(sv_answer){.status = 200, .json_size = -1, .pieces = &piece, .num_pieces = 1});
}

static const sv_http_service service = {NULL, look_at_head, serve};
static const sv_http_limits limits = {.body_bytes = 100000,
                                      .header_timeout_ns = 10000000000,
                                      .idle_timeout_ns = 10000000000,
                                      .stall_timeout_ns = 10000000000,
                                      .bytes_in_flight = &in_flight,
                                      .most_bytes_in_flight = 1000000};
static const sv_http_server server = {.service = &service, .limits = &limits, .draining = &draining};

typedef struct accept_task {
  sv_task task;
  int descriptor;
  size_t count;
  sem_t done;
} accept_task;

static void accept_one(sv_task *task) {
  accept_task *a = (accept_task *)task;
  sv_http_accept(connections, a->descriptor, NULL);
  sem_post(&a->done);
}

static void count_all(sv_task *task) {
  accept_task *a = (accept_task *)task;
  a->count = sv_http_connection_count(connections);
  sem_post(&a->done);
}

static size_t on_loop(void (*run)(sv_task *task), int descriptor) {
  accept_task task = {.task.run = run, .descriptor = descriptor};
  sem_init(&task.done, 0, 0);
  sv_loop_post(loop, &task.task);
  sem_wait(&task.done);
  sem_destroy(&task.done);
  return task.count;
}

// Answers without their dates, which are the clock's.
static sv_text drop_dates(const sv_text *from) {
  sv_text out = {0};
  size_t at = 0;
  while (at < from->size) {
    const char *date = memmem(from->data + at, from->size - at, "\r\nDate: ", 8);
    size_t end = date ? (size_t)(date - from->data) : from->size;
    sv_text_add(&out, from->data + at, end - at);
    at = date ? end + 39 : end;  // "\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT" and its CR LF but two
  }
  return out;
}

static sv_text talk(const uint8_t *data, size_t size, size_t step) {
  int pair[2];
  must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
  on_loop(accept_one, pair[1]);
  for (size_t at = 0; at < size;) {
    size_t part = size - at < step ? size - at : step;
    ssize_t sent = send(pair[0], data + at, part, MSG_NOSIGNAL);
    if (sent <= 0) {
      break;
    }
    at += (size_t)sent;
    if (step < size) {
      on_loop(count_all, 0);  // a round of the loop: the server sees the pieces one by one
    }
  }
  shutdown(pair[0], SHUT_WR);
  sv_text text = {0};
  ssize_t got;
  do {
    char *room = sv_text_room(&text, 4096);
    must(room != NULL);
    got = recv(pair[0], room, 4096, 0);
    text.size += got > 0 ? (size_t)got : 0;
  } while (got > 0);
  close(pair[0]);
  while (on_loop(count_all, 0)) {
  }
  must(atomic_load(&in_flight) == 0);
  sv_text answers = drop_dates(&text);
  sv_text_free(&text);
  return answers;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!loop) {
    signal(SIGPIPE, SIG_IGN);
    sv_error_free(sv_loop_create("fuzz", &loop));
    connections = sv_http_connections_create(loop, &server);
    must(loop && connections);
  }
  if (size < 2 || size > 8192) {
    return 0;
  }
  size_t step = data[0] + 1u;
  step = step < size / 64 + 1 ? size / 64 + 1 : step;  // at most 64 pieces
  sv_text whole = talk(data + 1, size - 1, size), split = talk(data + 1, size - 1, step);
  must(whole.size == split.size && (!whole.size || memcmp(whole.data, split.data, whole.size) == 0));
  sv_text_free(&whole);
  sv_text_free(&split);
  return 0;
}
