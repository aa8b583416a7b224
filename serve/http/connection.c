// The life of connections: lists, deadlines, the budget of bytes, the end.
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve/http/connection.h"

static const uint64_t LINGER_NS = 2000000000;      // for the peer to see the answer and close
static const uint64_t SHORT_TICK_NS = 10000000;    // while connections wait for room that others may free
static const uint64_t DRAIN_GRACE_NS = 500000000;  // for the first request of a connection that came before the end
static const uint64_t LONGEST_TICK_NS = 1000000000;
static const uint64_t SHORTEST_TICK_NS = 5000000;
static const uint64_t LEAST_BYTES_A_SECOND = 1024;   // of a body or an answer that is not to be called stalled
static const size_t READ_A_ROUND = (size_t)1 << 20;  // bytes of one connection, so that others have their turn

static void start_tick(sv_http_connections *connections);

// ---- The budget -----------------------------------------------------------------------------------------------------

// Relaxed: a number, which guards no memory.
bool sv_connection_reserve(sv_http_connection *connection, uint64_t size) {
  const sv_http_limits *limits = connection->owner->server->limits;
  uint64_t before = atomic_fetch_add_explicit(limits->bytes_in_flight, size, memory_order_relaxed);
  // What is alone is let through however large it is, or it would wait for ever.
  if (before > connection->in_flight && before + size > limits->most_bytes_in_flight) {
    atomic_fetch_sub_explicit(limits->bytes_in_flight, size, memory_order_relaxed);
    return false;
  }
  connection->in_flight += size;
  return true;
}

void sv_connection_count(sv_http_connection *connection, uint64_t size) {
  atomic_fetch_add_explicit(connection->owner->server->limits->bytes_in_flight, size, memory_order_relaxed);
  connection->in_flight += size;
}

void sv_connection_unreserve(sv_http_connection *connection) {
  if (connection->in_flight) {
    atomic_fetch_sub_explicit(connection->owner->server->limits->bytes_in_flight, connection->in_flight,
                              memory_order_relaxed);
    connection->in_flight = 0;
  }
}

void sv_connection_wait_for_room(sv_http_connection *connection, bool waits) {
  if (connection->waits_for_room != waits) {
    connection->waits_for_room = waits;
    connection->owner->num_waiting += waits ? 1 : (size_t)-1;
    if (waits && !connection->owner->tick_is_short) {
      start_tick(connection->owner);
    }
  }
}

// ---- Ends -----------------------------------------------------------------------------------------------------------

static void free_connections(sv_http_connections *connections) {
  sv_deflater_release(connections->deflater);
  free(connections);
}

static void close_stream(sv_http_connection *connection) {
  const sv_http_server *server = connection->owner->server;
  if (connection->stream) {
    sv_stream_close(connection->stream);
    connection->stream = NULL;
    if (server->closed) {
      server->closed(server->closed_self);
    }
  }
}

static void unlink_from_owner(sv_http_connection *connection) {
  sv_http_connections *owner = connection->owner;
  *(connection->previous ? &connection->previous->next : &owner->first) = connection->next;
  if (connection->next) {
    connection->next->previous = connection->previous;
  }
  if (--owner->count == 0) {
    event_free(owner->tick);
    owner->tick = NULL;
    if (owner->released && !owner->visits) {
      free_connections(owner);
    }
  }
}

static void destroy(sv_http_connection *connection) {
  close_stream(connection);
  sv_connection_let_answer_go(connection);
  sv_body_reset(connection);
  sv_connection_wait_for_room(connection, false);
  sv_connection_unreserve(connection);
  sv_error_free(connection->refusal);
  sv_text_free(&connection->head_text);
  sv_text_free(&connection->text);
  sv_text_free(&connection->coded);
  if (connection->pieces != connection->own_pieces) {
    free(connection->pieces);
  }
  free(connection->fields);
  free(connection->buffer);
  unlink_from_owner(connection);
  free(connection);
}

void sv_connection_close(sv_http_connection *connection) { connection->closing = true; }

void sv_connection_lost(sv_http_connection *connection) {
  close_stream(connection);
  if (connection->state != SV_IN_SERVICE) {
    sv_connection_close(connection);
    return;
  }
  sv_exchange *exchange = &connection->exchange;
  void (*gone)(void *) = exchange->gone;
  exchange->gone = NULL;
  if (gone) {
    gone(exchange->gone_argument);
  }
}

// ---- Events ---------------------------------------------------------------------------------------------------------

void sv_connection_enter(sv_http_connection *connection) { connection->entered++; }

static void wish(sv_http_connection *connection) {
  bool held = connection->state == SV_IN_SERVICE || connection->state == SV_WRITING;
  // While a request is in work, what comes behind it is read into what room there is; and the end of the connection is seen.
  bool reading =
      !connection->half_closed && !connection->waits_for_room && (!held || connection->end < connection->capacity);
  bool writing = connection->interim_left || (connection->state == SV_WRITING && connection->num_pieces);
  sv_stream_wish(connection->stream, reading, writing);
}

void sv_connection_leave(sv_http_connection *connection) {
  if (connection->entered == 1 && !connection->closing && connection->stream) {
    sv_connection_process(connection);
  }
  if (--connection->entered) {
    return;
  }
  if (connection->closing) {
    destroy(connection);
  } else if (connection->stream) {
    wish(connection);
  }
}

static void ended(sv_http_connection *connection) {
  connection->half_closed = true;
  if (connection->state == SV_IN_SERVICE) {
    // The peer may still listen (printf | nc): the service decides whether the work is worth it.
    sv_exchange *exchange = &connection->exchange;
    void (*gone)(void *) = exchange->gone;
    exchange->gone = NULL;
    if (gone) {
      gone(exchange->gone_argument);
    }
  } else if (connection->state == SV_READING_BODY || connection->state == SV_LINGERING) {
    sv_connection_close(connection);
  }
}

static bool wants_bytes(const sv_http_connection *connection) {
  return connection->stream && !connection->closing && !connection->half_closed && !connection->waits_for_room;
}

static void ready(void *argument) {
  sv_http_connection *connection = argument;
  sv_connection_enter(connection);
  if (connection->interim_left || connection->state == SV_WRITING) {
    sv_connection_write(connection);
  }
  size_t before = connection->moved;
  bool full = true;
  while (full && wants_bytes(connection) && connection->moved - before < READ_A_ROUND) {
    sv_io io = sv_connection_read(connection, &full);
    if (io == SV_IO_END) {
      ended(connection);
    } else if (io == SV_IO_LOST) {
      sv_connection_lost(connection);
    }
    if (io != SV_IO_OK) {
      break;
    }
    if (full) {
      sv_connection_process(connection);
    }
  }
  sv_connection_leave(connection);
}

// ---- Deadlines ------------------------------------------------------------------------------------------------------

static uint64_t timeout_of(const sv_http_connection *connection) {
  const sv_http_limits *limits = connection->owner->server->limits;
  switch (connection->state) {
  case SV_READING_HEAD:
    return connection->exchange.begin_ns || !sv_stream_is_open(connection->stream) ? limits->header_timeout_ns
                                                                                   : limits->idle_timeout_ns;
  case SV_LINGERING: return LINGER_NS;
  default: return limits->stall_timeout_ns;
  }
}

// Nothing has moved, or too little.
static bool is_stalled(sv_http_connection *connection) {
  uint64_t timeout = connection->owner->server->limits->stall_timeout_ns;
  uint64_t wanted = timeout / 1000000 * LEAST_BYTES_A_SECOND / 1000;
  bool stalled = connection->moved - connection->moved_before < (wanted ? wanted : 1);
  connection->moved_before = connection->moved;
  return stalled;
}

static void timed_out(sv_http_connection *connection) {
  connection->deadline_ns = 0;
  switch (connection->state) {
  case SV_READING_HEAD:
    if (connection->exchange.begin_ns) {
      sv_connection_fault(connection, (sv_fault){408, "the request's head did not come in time"});
    } else {
      sv_connection_close(connection);
    }
    return;
  case SV_READING_BODY:
    if (connection->waits_for_room) {
      sv_connection_wait_for_room(connection, false);
      sv_connection_refuse(connection, 503, "the server holds as many bytes of requests as it may; try again later",
                           "Retry-After: 1\r\n");
    } else if (is_stalled(connection)) {
      sv_connection_fault(connection, (sv_fault){408, "the request's body did not come in time"});
    }
    return;
  case SV_WRITING:
    if (is_stalled(connection)) {
      sv_connection_lost(connection);
    }
    return;
  case SV_LINGERING: sv_connection_close(connection); return;
  case SV_IN_SERVICE: return;
  }
}

static void resume(sv_http_connection *connection) {
  if (connection->waits_for_room && sv_body_begin(connection)) {
    sv_connection_process(connection);
  }
}

static bool is_idle(const sv_http_connection *connection) {
  return connection->state == SV_READING_HEAD && connection->begin == connection->end;
}

// Many connections may be idle: they keep nothing but themselves.
static void free_memory(sv_http_connection *connection) {
  free(connection->buffer);
  connection->buffer = NULL;
  connection->capacity = connection->begin = connection->end = 0;
  sv_text_free(&connection->head_text);
  sv_text_free(&connection->text);
  sv_text_free(&connection->coded);
}

static void check_deadline(sv_http_connection *connection) {
  uint64_t now = connection->owner->now_ns;
  resume(connection);
  if (!connection->stream || connection->state == SV_IN_SERVICE) {
    return;
  }
  if (!connection->deadline_ns) {
    connection->deadline_ns = now + timeout_of(connection);
    connection->moved_before = connection->moved;
  } else if (now >= connection->deadline_ns) {
    timed_out(connection);
  } else if (is_idle(connection)) {
    free_memory(connection);
  }
}

// All of them, also while callbacks of the service end some: the next one is held before this one may go.
static void for_each(sv_http_connections *connections, void (*visit)(sv_http_connection *connection)) {
  sv_http_connection *connection = connections->first;
  if (connection) {
    sv_connection_enter(connection);
  }
  while (connection) {
    visit(connection);
    sv_http_connection *next = connection->next;
    if (next) {
      sv_connection_enter(next);
    }
    sv_connection_leave(connection);
    connection = next;
  }
}

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

static void start_tick(sv_http_connections *connections) {
  const sv_http_limits *limits = connections->server->limits;
  uint64_t nanoseconds = smaller(limits->header_timeout_ns, smaller(limits->idle_timeout_ns, limits->stall_timeout_ns));
  nanoseconds = smaller(nanoseconds / 4, LONGEST_TICK_NS);
  nanoseconds = nanoseconds > SHORTEST_TICK_NS ? nanoseconds : SHORTEST_TICK_NS;
  connections->tick_is_short = connections->num_waiting > 0 || connections->drains;
  if (connections->tick_is_short) {
    nanoseconds = smaller(nanoseconds, SHORT_TICK_NS);
  }
  event_add(connections->tick, &(struct timeval){.tv_sec = (time_t)(nanoseconds / 1000000000),
                                                 .tv_usec = (suseconds_t)(nanoseconds % 1000000000 / 1000)});
}

static void end_visit(sv_http_connections *connections) {
  connections->visits--;
  if (connections->released && !connections->visits && !connections->count) {
    free_connections(connections);
  }
}

static void tick(evutil_socket_t descriptor, short what, void *argument) {
  (void)descriptor;
  (void)what;
  sv_http_connections *connections = argument;
  connections->visits++;
  connections->now_ns = sv_now_ns();
  for_each(connections, check_deadline);
  if (connections->tick) {
    start_tick(connections);
  }
  end_visit(connections);
}

// ---- Lists ----------------------------------------------------------------------------------------------------------

sv_http_connections *sv_http_connections_create(sv_loop *loop, const sv_http_server *server) {
  sv_http_connections *connections = calloc(1, sizeof *connections);
  if (connections) {
    connections->loop = loop;
    connections->server = server;
  }
  return connections;
}

static bool add(sv_http_connections *connections, sv_http_connection *connection) {
  if (!connections->tick) {
    connections->tick = event_new(sv_loop_base(connections->loop), -1, 0, tick, connections);
    if (!connections->tick) {
      return false;
    }
    start_tick(connections);
  }
  connection->owner = connections;
  connection->next = connections->first;
  if (connections->first) {
    connections->first->previous = connection;
  }
  connections->first = connection;
  connections->count++;
  return true;
}

static void refuse(sv_http_connections *connections, int descriptor) {
  const sv_http_server *server = connections->server;
  if (descriptor >= 0) {
    close(descriptor);
  }
  if (server->closed) {
    server->closed(server->closed_self);
  }
}

void sv_http_accept(sv_http_connections *connections, int take_descriptor, sv_tls *tls) {
  sv_http_connection *connection = calloc(1, sizeof *connection);
  if (!connection) {
    refuse(connections, take_descriptor);
    return;
  }
  connection->pieces = connection->own_pieces;
  connection->pieces_room = SV_OWN_PIECES;
  sv_error *error = sv_stream_create(connections->loop, take_descriptor, tls, ready, connection, &connection->stream);
  if (error || !add(connections, connection)) {
    sv_error_free(error);
    sv_stream_close(connection->stream);
    free(connection);
    refuse(connections, -1);
    return;
  }
  snprintf(connection->remote, sizeof connection->remote, "%s", sv_stream_remote(connection->stream));
  wish(connection);
}

// A request that has come already is read, and answered; the loop may only not have got to it. Closing with bytes unread would answer with a reset.
static void close_idle(sv_http_connection *connection) {
  if (is_idle(connection)) {
    ready(connection);
  }
  if (!is_idle(connection) || !connection->stream) {
    return;
  }
  if (connection->spoke) {
    sv_connection_close(connection);
  } else {
    connection->deadline_ns = sv_now_ns() + DRAIN_GRACE_NS;
  }
}

void sv_http_drain(sv_http_connections *connections) {
  connections->visits++;
  connections->drains = true;
  for_each(connections, close_idle);
  if (connections->tick) {
    start_tick(connections);
  }
  end_visit(connections);
}

size_t sv_http_connection_count(const sv_http_connections *connections) { return connections->count; }

void sv_http_close_all(sv_http_connections *connections) {
  connections->visits++;
  for_each(connections, sv_connection_lost);
  end_visit(connections);
}

void sv_http_connections_release(sv_http_connections *connections) {
  if (connections) {
    connections->released = true;
    if (!connections->count && !connections->visits) {
      free_connections(connections);
    }
  }
}

void sv_connection_hand_over(sv_http_connection *connection) {
  const sv_http_server *server = connection->owner->server;
  sv_stream *stream = connection->stream;
  connection->stream = NULL;  // it is not closed, and closed() is not called
  sv_connection_close(connection);
  server->http2(server->http2_self, stream,
                (sv_str){connection->buffer + connection->begin, connection->end - connection->begin});
}
