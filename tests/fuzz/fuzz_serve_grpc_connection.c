// A whole connection of HTTP/2 with gRPC over it, over fake models: the input is what a client sends behind the preface. First byte: how large the
// reads are, and how much the socket takes.
#include <assert.h>
#include <event2/event.h>

#include "serve/grpc/internal.h"
#include "tests/serve/fake_service_grpc.h"

// ---- In place of net/ -----------------------------------------------------------------------------------------------

struct sv_loop {
  struct event_base *base;
  sv_task *first, **last;
};
static struct sv_loop loop;

static void add(sv_task *task) {
  task->next = NULL;
  *loop.last = task;
  loop.last = &task->next;
}
void sv_loop_post(sv_loop *any, sv_task *task) {
  (void)any;
  add(task);
}
void sv_loop_at_round_end(sv_loop *any, sv_task *task) {
  (void)any;
  add(task);
}
struct event_base *sv_loop_base(sv_loop *any) { return any->base; }

static void run_tasks(void) {
  while (loop.first) {
    sv_task *task = loop.first;
    loop.first = task->next;
    if (!loop.first) {
      loop.last = &loop.first;
    }
    task->run(task);
  }
}

struct sv_stream {
  const uint8_t *data;
  size_t size, at, chunk, room;
  uint64_t written;
  bool closed, reading, writing;
  void (*ready)(void *argument);
  void *argument;
};

sv_io sv_stream_read(sv_stream *stream, void *to, size_t room, size_t *out_size) {
  size_t size = stream->size - stream->at;
  size = size < stream->chunk ? size : stream->chunk;
  size = size < room ? size : room;
  if (!size) {
    return SV_IO_END;
  }
  memcpy(to, stream->data + stream->at, size);
  stream->at += size;
  *out_size = size;
  return SV_IO_OK;
}

sv_io sv_stream_write(sv_stream *stream, const struct iovec *pieces, int count, size_t *out_size) {
  size_t room = stream->room;
  *out_size = 0;
  if (!room || (stream->written & 3) == 3) {
    stream->written++;
    return SV_IO_AGAIN;
  }
  for (int i = 0; i < count && room; i++) {
    size_t part = pieces[i].iov_len < room ? pieces[i].iov_len : room;
    unsigned sum = 0;
    for (size_t b = 0; b < part; b += 64) {
      sum += ((const unsigned char *)pieces[i].iov_base)[b];
    }
    (void)*(volatile unsigned *)&sum;
    room -= part;
    *out_size += part;
  }
  stream->written += *out_size;
  return *out_size ? SV_IO_OK : SV_IO_AGAIN;
}
void sv_stream_set_ready(sv_stream *stream, void (*ready)(void *argument), void *argument) {
  stream->ready = ready;
  stream->argument = argument;
}
void sv_stream_wish(sv_stream *stream, bool reading, bool writing) {
  stream->reading = reading;
  stream->writing = writing;
}
const char *sv_stream_remote(const sv_stream *stream) { return stream ? "test" : NULL; }
const char *sv_stream_identity(const sv_stream *stream) {
  (void)stream;
  return NULL;
}
bool sv_stream_is_local(const sv_stream *stream) { return stream != NULL; }
void sv_stream_close(sv_stream *stream) { stream->closed = true; }

// ---- The target -----------------------------------------------------------------------------------------------------

static _Atomic(uint64_t) in_flight;
static const sv_h2_limits limits = {.message_bytes = 1 << 16,
                                    .streams = 16,
                                    .window = 1 << 16,
                                    .idle_timeout_ns = 1000000000,
                                    .stall_timeout_ns = 1000000000,
                                    .bytes_in_flight = &in_flight,
                                    .most_bytes_in_flight = 1 << 20};

static void run(sv_stream *stream, const sv_h2_server *server) {
  static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0";
  sv_h2_connections *connections = sv_h2_connections_create(&loop, server);
  assert(connections);
  sv_h2_accept(connections, stream, (sv_str){preface, sizeof preface - 1});
  run_tasks();
  for (int i = 0; i < 2000 && !stream->closed && (stream->reading || stream->writing); i++) {
    stream->ready(stream->argument);
    run_tasks();
    if (i % 8 == 7) {
      fake_let_go();
    }
    if (i % 64 == 63) {
      event_base_loop(loop.base, EVLOOP_NONBLOCK | EVLOOP_ONCE);
    }
  }
  sv_h2_drain(connections);
  run_tasks();
  sv_h2_close_all(connections);
  run_tasks();
  fake_let_go();
  run_tasks();
  assert(sv_h2_connection_count(connections) == 0 && stream->closed && atomic_load(&in_flight) == 0);
  sv_h2_connections_release(connections);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static sv_service service = {
      .name = "millrace", .version = "1", .body_bytes = 1 << 20, .control = true, .control_is_open = true};
  static sv_h2_server server;
  if (!loop.base) {
    loop.base = event_base_new();
    loop.last = &loop.first;
    service.regions = sv_regions_create();
    server = (sv_h2_server){.service = sv_grpc_service(sv_grpc_create(&service)), .limits = &limits};
  }
  if (!size) {
    return 0;
  }
  sv_stream stream = {.data = data + 1,
                      .size = size - 1,
                      .chunk = 1 + (data[0] & 15) * (data[0] & 15) * 300,
                      .room = (size_t)(data[0] >> 4) * 1000};
  run(&stream, &server);
  return 0;
}
