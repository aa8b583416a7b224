// Connections of a loop: reading, one write a round, times, draining, the end.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "serve/h2/internal.h"

static const size_t READ_SIZE = 64 * 1024;
static const int MOST_READS = 4;    // a round: then others have their turn
static const int MOST_WRITES = 16;  // likewise
static const int MOST_PIECES = 64;  // of one writev
// A peer that does not read what it makes us write (acknowledgements, refusals) is not read from.
static const size_t MOST_QUEUED_FRAMES = 1000;
static const uint64_t DRAIN_WAIT_NS = 1000000000;    // for the acknowledgement of the first GOAWAY
static const uint64_t LONGEST_TICK_NS = 5000000000;  // between two looks at the times
static const uint64_t THROTTLED_TICK_NS = 5000000;   // while the server has too many bytes in flight
static const uint8_t DRAIN_PING[8] = "mr-drain", ALIVE_PING[8] = "mr-alive";

static void close_now(sv_h2_connection *connection);
static void on_ready(void *argument);
static void on_timer(evutil_socket_t descriptor, short what, void *argument);

// ---- Memory in flight -----------------------------------------------------------------------------------------------

void sv_h2_connection_hold(sv_h2_connection *connection, size_t bytes) {
  _Atomic(uint64_t) *all = connection->all->server->limits->bytes_in_flight;
  connection->held += bytes;
  if (all && bytes) {
    atomic_fetch_add_explicit(all, bytes, memory_order_relaxed);  // a count, nothing depends on its order
  }
}

void sv_h2_connection_unhold(sv_h2_connection *connection, size_t bytes) {
  _Atomic(uint64_t) *all = connection->all->server->limits->bytes_in_flight;
  connection->held -= bytes;
  if (all && bytes) {
    atomic_fetch_sub_explicit(all, bytes, memory_order_relaxed);  // likewise
  }
}

static bool is_throttled(const sv_h2_connection *connection) {
  const sv_h2_limits *limits = connection->all->server->limits;
  return limits->bytes_in_flight && limits->most_bytes_in_flight &&
         atomic_load_explicit(limits->bytes_in_flight, memory_order_relaxed) > limits->most_bytes_in_flight;
}

// ---- Times ----------------------------------------------------------------------------------------------------------

static void set_timer(sv_h2_connection *connection, uint64_t ns) {
  const struct timeval after = {.tv_sec = (time_t)(ns / 1000000000), .tv_usec = (suseconds_t)(ns % 1000000000 / 1000)};
  event_add(&connection->timer, &after);
}

static uint64_t tick_of(const sv_h2_limits *limits) {
  uint64_t least = limits->idle_timeout_ns && limits->idle_timeout_ns < limits->stall_timeout_ns
                       ? limits->idle_timeout_ns
                       : limits->stall_timeout_ns;
  uint64_t tick = least ? least / 4 : LONGEST_TICK_NS;
  tick = tick < LONGEST_TICK_NS ? tick : LONGEST_TICK_NS;
  return tick > THROTTLED_TICK_NS ? tick : THROTTLED_TICK_NS;
}

static bool is_over(uint64_t now, uint64_t since, uint64_t limit) {
  return limit && now > since && now - since > limit;
}

// A call that neither comes nor is taken. False: the connection is to be closed.
static bool look_at_call(sv_call *call, uint64_t now, uint64_t stall) {
  bool whole_headers = call->path.size || call->finished || call->opened;
  if (!whole_headers) {
    return !is_over(now, call->begin_ns, stall);  // headers that do not end keep the whole connection
  }
  if (call->finished ? is_over(now, call->last_output_ns, stall)
                     : call->unsent && is_over(now, call->last_output_ns, stall)) {
    nghttp2_submit_rst_stream(call->connection->session, NGHTTP2_FLAG_NONE, call->stream_id, NGHTTP2_CANCEL);
  } else if (call->prefix_size && !call->backlog.size && is_over(now, call->last_input_ns, stall)) {
    sv_h2_call_fail(call, MILLRACE_CANCELLED, "the rest of the message does not come");
  }
  return true;
}

static bool look_at_times(sv_h2_connection *connection, uint64_t now) {
  const sv_h2_limits *limits = connection->all->server->limits;
  uint64_t stall = limits->stall_timeout_ns;
  if (connection->output.size && is_over(now, connection->last_write_ns, stall)) {
    return false;
  }
  if (!connection->settings_seen && is_over(now, connection->begin_ns, stall)) {
    return false;
  }
  for (sv_call *call = connection->calls, *next; call; call = next) {
    next = call->next;
    if (!look_at_call(call, now, stall)) {
      return false;
    }
  }
  if (connection->draining && !connection->drain_final && is_over(now, connection->drain_ns, DRAIN_WAIT_NS)) {
    sv_h2_connection_drain_last(connection);
  }
  if (!is_over(now, connection->last_read_ns, limits->idle_timeout_ns) || !connection->reading) {
    return true;
  }
  if (!connection->num_calls) {
    nghttp2_session_terminate_session(connection->session, NGHTTP2_NO_ERROR);
    return !is_over(now, connection->last_read_ns, limits->idle_timeout_ns + stall);
  }
  // Calls run, and nothing is heard of the client: it may be gone without a word.
  if (!connection->pinged) {
    connection->pinged = true;
    nghttp2_submit_ping(connection->session, NGHTTP2_FLAG_NONE, ALIVE_PING);
    connection->ping_ns = now;
    return true;
  }
  return !is_over(now, connection->ping_ns, stall);
}

static void on_timer(evutil_socket_t descriptor, short what, void *argument) {
  (void)descriptor, (void)what;
  sv_h2_connection *connection = argument;
  if (!look_at_times(connection, sv_now_ns())) {
    close_now(connection);
    return;
  }
  set_timer(connection, is_throttled(connection) ? THROTTLED_TICK_NS : connection->all->tick_ns);
  sv_h2_connection_wake(connection);
}

// ---- Draining -------------------------------------------------------------------------------------------------------

static void drain(sv_h2_connection *connection) {
  if (connection->draining || connection->broken) {
    return;
  }
  // Two GOAWAYs with a round trip between them: calls that are on their way are still taken.
  connection->draining = true;
  connection->drain_ns = sv_now_ns();
  nghttp2_submit_shutdown_notice(connection->session);
  nghttp2_submit_ping(connection->session, NGHTTP2_FLAG_NONE, DRAIN_PING);
  set_timer(connection, DRAIN_WAIT_NS + THROTTLED_TICK_NS);
  sv_h2_connection_wake(connection);
}

void sv_h2_connection_drain_last(sv_h2_connection *connection) {
  if (connection->draining && !connection->drain_final) {
    connection->drain_final = true;
    nghttp2_submit_goaway(connection->session, NGHTTP2_FLAG_NONE,
                          nghttp2_session_get_last_proc_stream_id(connection->session), NGHTTP2_NO_ERROR, NULL, 0);
    sv_h2_connection_wake(connection);
    const sv_rpc_service *service = connection->all->server->service;
    for (sv_call *call = connection->calls, *next; service->draining && call; call = next) {
      next = call->next;  // a call that is finished stays in the list until its stream is closed
      if (call->opened && !call->let_go && !call->told_gone) {
        service->draining(service->self, call);
      }
    }
  }
}

// ---- Reading and writing --------------------------------------------------------------------------------------------

static void feed(sv_h2_connection *connection, const void *bytes, size_t size) {
  connection->last_read_ns = sv_now_ns();
  connection->pinged = false;
  if (nghttp2_session_mem_recv(connection->session, bytes, size) < 0) {
    connection->broken = true;
  }
}

static void read_some(sv_h2_connection *connection) {
  unsigned char *buffer = connection->all->buffer;
  for (int i = 0; i < MOST_READS && connection->reading && !connection->broken; i++) {
    size_t size = 0;
    switch (sv_stream_read(connection->stream, buffer, READ_SIZE, &size)) {
    case SV_IO_OK: feed(connection, buffer, size); break;
    case SV_IO_AGAIN: return;
    case SV_IO_END:
    case SV_IO_LOST:
      // HTTP/2 has no use for half a connection: calls end with it.
      connection->broken = true;
      return;
    }
  }
}

static void on_ready(void *argument) {
  sv_h2_connection *connection = argument;
  if (connection->reading) {
    read_some(connection);
  }
  sv_h2_connection_wake(connection);
}

// Writes what there is. False: the connection is lost.
static bool write_some(sv_h2_connection *connection) {
  struct iovec pieces[MOST_PIECES];
  sv_h2_output *output = &connection->output;
  for (int i = 0; i < MOST_WRITES; i++) {
    if (!output->size) {
      if (!sv_h2_session_gather(connection)) {
        return false;
      }
      connection->last_write_ns = sv_now_ns();
      if (!output->size) {
        return true;
      }
    }
    size_t size = 0;
    int count = sv_h2_output_pieces(output, pieces, MOST_PIECES);
    sv_io io = sv_stream_write(connection->stream, pieces, count, &size);
    if (io == SV_IO_AGAIN) {
      return true;
    }
    if (io != SV_IO_OK) {
      return false;
    }
    connection->last_write_ns = sv_now_ns();
    sv_h2_output_written(output, size);
  }
  return true;
}

static void read_backlogs(sv_h2_connection *connection) {
  sv_call *list = connection->backlogs;
  connection->backlogs = NULL;
  while (list) {
    sv_call *call = list;
    list = call->next_backlog;
    call->backlog_queued = false;
    sv_h2_receive_backlog(call);
  }
}

// What the stream is to tell of, from here on.
static void wish(sv_h2_connection *connection) {
  bool writing = connection->output.size || nghttp2_session_want_write(connection->session);
  bool throttled = is_throttled(connection);
  bool flooded = writing && nghttp2_session_get_outbound_queue_size(connection->session) > MOST_QUEUED_FRAMES;
  bool reading = !throttled && !flooded;
  if (throttled && connection->reading) {
    set_timer(connection, THROTTLED_TICK_NS);
  }
  if (reading != connection->reading || writing != connection->writing) {
    connection->reading = reading;
    connection->writing = writing;
    sv_stream_wish(connection->stream, reading, writing);
  }
}

static void on_round_end(sv_task *task) {
  sv_h2_connection *connection = (sv_h2_connection *)((char *)task - offsetof(sv_h2_connection, round_end));
  connection->round_end_waits = false;
  if (connection->stream) {
    read_backlogs(connection);
    bool lost = !write_some(connection);
    bool over = !connection->output.size && !nghttp2_session_want_read(connection->session) &&
                !nghttp2_session_want_write(connection->session);
    if (lost || connection->broken || over) {
      close_now(connection);
    } else {
      wish(connection);
    }
  }
  sv_h2_connection_release(connection);
}

void sv_h2_connection_wake(sv_h2_connection *connection) {
  if (!connection->round_end_waits && connection->stream) {
    connection->round_end_waits = true;
    connection->references++;
    sv_loop_at_round_end(connection->all->loop, &connection->round_end);
  }
}

// ---- Beginning and end ----------------------------------------------------------------------------------------------

static void free_all(sv_h2_connections *all) {
  nghttp2_session_callbacks_del(all->callbacks);
  nghttp2_option_del(all->option);
  free(all->buffer);
  free(all);
}

void sv_h2_connection_release(sv_h2_connection *connection) {
  if (--connection->references) {
    return;
  }
  sv_h2_connections *all = connection->all;
  sv_h2_calls_destroy(connection->spare);
  sv_h2_messages_free(connection->spare_messages);
  free(connection->remote);
  free(connection);
  all->count--;
  if (all->server->closed) {
    all->server->closed(all->server->closed_self);
  }
  if (all->released && !all->count) {
    free_all(all);
  }
}

static void close_now(sv_h2_connection *connection) {
  sv_h2_connections *all = connection->all;
  if (!connection->stream) {
    return;
  }
  // What can still be said is said: a GOAWAY with what was wrong.
  if (connection->broken && !connection->output.size) {
    write_some(connection);
  }
  event_del(&connection->timer);
  sv_stream *stream = connection->stream;
  while (connection->calls) {
    sv_h2_call_closed(connection->calls, NGHTTP2_CANCEL);
  }
  connection->stream = NULL;
  connection->backlogs = NULL;
  nghttp2_session_del(connection->session);
  connection->session = NULL;
  sv_h2_output_free(&connection->output);
  sv_stream_close(stream);
  *(connection->previous ? &connection->previous->next : &all->first) = connection->next;
  if (connection->next) {
    connection->next->previous = connection->previous;
  }
  sv_h2_connection_release(connection);
}

void sv_h2_accept(sv_h2_connections *all, sv_stream *take_stream, sv_str first_bytes) {
  sv_h2_connection *connection = calloc(1, sizeof *connection);
  char *remote = sv_str_copy(sv_str_of(sv_stream_remote(take_stream)));
  if (connection) {
    connection->all = all;
  }
  if (!connection || !remote || !sv_h2_session_create(connection)) {
    if (connection) {
      nghttp2_session_del(connection->session);
    }
    free(connection);
    free(remote);
    sv_stream_close(take_stream);
    if (all->server->closed) {
      all->server->closed(all->server->closed_self);
    }
    return;
  }
  connection->stream = take_stream;
  connection->remote = remote;
  connection->references = 1;
  connection->round_end.run = on_round_end;
  connection->begin_ns = connection->last_read_ns = connection->last_write_ns = sv_now_ns();
  connection->next = all->first;
  if (all->first) {
    all->first->previous = connection;
  }
  all->first = connection;
  all->count++;
  event_assign(&connection->timer, sv_loop_base(all->loop), -1, 0, on_timer, connection);
  set_timer(connection, all->tick_ns);
  sv_stream_set_ready(take_stream, on_ready, connection);
  connection->reading = true;
  sv_stream_wish(take_stream, true, false);
  if (first_bytes.size) {
    feed(connection, first_bytes.data, first_bytes.size);
  }
  sv_h2_connection_wake(connection);
  if (all->server->draining && atomic_load_explicit(all->server->draining, memory_order_relaxed)) {
    drain(connection);
  }
}

sv_h2_connections *sv_h2_connections_create(sv_loop *loop, const sv_h2_server *server) {
  sv_h2_connections *all = calloc(1, sizeof *all);
  if (!all) {
    return NULL;
  }
  all->loop = loop;
  all->server = server;
  all->tick_ns = tick_of(server->limits);
  all->buffer = malloc(READ_SIZE);
  if (!all->buffer || !sv_h2_session_setup(all)) {
    free_all(all);
    return NULL;
  }
  return all;
}

void sv_h2_drain(sv_h2_connections *all) {
  for (sv_h2_connection *connection = all->first; connection; connection = connection->next) {
    drain(connection);
  }
}

size_t sv_h2_connection_count(const sv_h2_connections *all) { return all->count; }

void sv_h2_close_all(sv_h2_connections *all) {
  while (all->first) {
    close_now(all->first);
  }
}

void sv_h2_connections_release(sv_h2_connections *all) {
  if (all) {
    all->released = true;
    if (!all->count) {
      free_all(all);
    }
  }
}
