// The way into a call: bytes of DATA frames become messages, as fast as the service takes them.
#include <stdio.h>
#include <string.h>

#include "serve/h2/internal.h"

// A message begins in so much room, or in four times what has come of it, and grows as its bytes come: what a client claims costs nothing.
static const size_t FIRST_ROOM = 4 * 1024;
// A call's block that is not larger is kept for its next message. Connections keep several calls.
static const size_t MOST_SPARE_ROOM = 8 * 1024;
// From here on it is worth a thought where a message lies: what is copied anyway is smaller.
static const size_t ALIGNED_SIZE = 16 * 1024;
// So many messages of a call are with the service at once; and a client that does not read answers is not read from.
static const uint32_t MOST_MESSAGES = 64;
static const size_t MOST_UNSENT = 1024 * 1024;

static const sv_h2_server *server_of(const sv_call *call) { return call->connection->all->server; }

static bool is_busy(const sv_call *call) {
  return call->unconsumed_messages >= MOST_MESSAGES || call->unconsumed > server_of(call)->limits->message_bytes ||
         call->unsent > MOST_UNSENT;
}

static void no_memory(sv_call *call) { sv_h2_call_fail(call, MILLRACE_RESOURCE_EXHAUSTED, "out of memory"); }

// A block with `room` bytes that nobody else holds, with the first `used` bytes of the present one.
static bool make_room(sv_call *call, size_t room, size_t used) {
  if (call->block && call->block->size >= room &&
      atomic_load_explicit(&call->block->references, memory_order_acquire) == 1) {  // pairs with the last release
    return true;
  }
  sv_block *block = sv_block_create(room ? room : 1);
  if (!block) {
    no_memory(call);
    return false;
  }
  if (used) {
    memcpy(block->data, call->block->data, used);
  }
  sv_block_release(call->block);
  call->block = block;
  return true;
}

// Where in its block a message begins.
static size_t place_message(sv_call *call, const uint8_t *come, size_t size) {
  const sv_rpc_service *service = server_of(call)->service;
  if (!service->aligned || call->prefix[0] || call->message_size < ALIGNED_SIZE || !size) {
    return 0;
  }
  size_t offset = service->aligned(service->self, call, (sv_str){(const char *)come, size});
  return (SV_ALIGNMENT - offset % SV_ALIGNMENT) % SV_ALIGNMENT;
}

// `come`: bytes of it that are there already.
static bool begin_message(sv_call *call, const uint8_t *come, size_t num_come) {
  uint32_t size;
  memcpy(&size, call->prefix + 1, sizeof size);
  size = __builtin_bswap32(size);
  size_t most = server_of(call)->limits->message_bytes;
  char text[160];
  if (size > most) {
    snprintf(text, sizeof text, "the message has %u bytes, %zu are allowed", size, most);
    sv_h2_call_fail(call, MILLRACE_RESOURCE_EXHAUSTED, text);
    return false;
  }
  if (call->prefix[0] > 1 || (call->prefix[0] && call->encoding == SV_H2_IDENTITY)) {
    sv_h2_call_fail(call, MILLRACE_INTERNAL,
                    call->prefix[0] > 1 ? "the message's first byte is neither 0 nor 1"
                                        : "the message is compressed, but there is no grpc-encoding");
    return false;
  }
  call->message_size = size;
  call->message_have = 0;
  call->message_at = place_message(call, come, num_come);
  size_t room = 4 * num_come > FIRST_ROOM ? 4 * num_come : FIRST_ROOM;
  return make_room(call, call->message_at + (size < room ? size : room), 0);
}

static bool inflate_message(sv_call *call) {
  sv_block *block;
  size_t size;
  sv_error *error = sv_h2_inflate(call->encoding, call->block->data, call->message_size,
                                  server_of(call)->limits->message_bytes, &block, &size);
  if (error) {
    sv_h2_call_fail(call, sv_error_code(error), sv_error_message(error));
    sv_error_free(error);
    return false;
  }
  sv_block_release(call->block);
  call->block = block;
  sv_h2_connection_unhold(call->connection, call->message_size);
  sv_h2_connection_hold(call->connection, size);
  call->message_size = call->message_have = size;
  return true;
}

static void deliver(sv_call *call) {
  if (call->prefix[0] && !inflate_message(call)) {
    return;
  }
  const sv_rpc_service *service = server_of(call)->service;
  sv_str message = {(const char *)call->block->data + call->message_at, call->message_size};
  call->unconsumed += message.size;
  call->unconsumed_messages++;
  call->prefix_size = 0;
  call->message_have = 0;  // the bytes count as unconsumed from here on
  service->message(service->self, call, message);
}

// Takes bytes up to a message's end at most; how many.
static size_t feed(sv_call *call, const uint8_t *data, size_t size) {
  size_t used = 0;
  if (call->prefix_size < sizeof call->prefix) {
    used = sizeof call->prefix - call->prefix_size;
    used = used < size ? used : size;
    memcpy(call->prefix + call->prefix_size, data, used);
    call->prefix_size += (uint32_t)used;
    if (call->prefix_size < sizeof call->prefix || !begin_message(call, data + used, size - used)) {
      return used;
    }
  }
  while (used < size && call->message_have < call->message_size) {
    size_t wanted = call->message_size - call->message_have;
    size_t room = call->block->size - call->message_at;  // for this message
    if (call->message_have == room) {
      room = room < call->message_size / 4 ? room * 4 : call->message_size;
      if (!make_room(call, call->message_at + room, call->message_at + call->message_have)) {
        return used;
      }
      room = call->block->size - call->message_at;
    }
    size_t part = room - call->message_have;
    part = part < wanted ? part : wanted;
    part = part < size - used ? part : size - used;
    memcpy(call->block->data + call->message_at + call->message_have, data + used, part);
    sv_h2_connection_hold(call->connection, part);
    call->message_have += part;
    used += part;
  }
  if (call->message_have == call->message_size) {
    deliver(call);
  }
  return used;
}

// How many bytes of these are not wanted in the window any more; the others wait for the service.
static size_t take(sv_call *call, const uint8_t *data, size_t size) {
  size_t used = 0;
  while (used < size) {
    if (call->finished) {
      return size;
    }
    if (!call->prefix_size && is_busy(call)) {
      break;
    }
    used += feed(call, data + used, size - used);
  }
  return used;
}

static void consume(sv_call *call, size_t size) {
  if (size && !call->stream_closed) {
    nghttp2_session_consume(call->connection->session, call->stream_id, size);
  }
}

void sv_h2_receive(sv_call *call, const uint8_t *data, size_t size) {
  call->bytes_in += size;
  call->last_input_ns = call->connection->last_read_ns;
  size_t used = call->backlog.size ? 0 : take(call, data, size);
  if (used < size) {
    sv_text_add(&call->backlog, data + used, size - used);
    if (call->backlog.failed) {
      no_memory(call);
      used = size;
    }
  }
  consume(call, used);
}

static void half_close(sv_call *call) {
  if (call->told_half || call->finished) {
    return;
  }
  call->told_half = true;
  if (call->prefix_size) {
    sv_h2_call_fail(call, MILLRACE_INTERNAL, "the request ends within a message");
    return;
  }
  const sv_rpc_service *service = server_of(call)->service;
  service->half_closed(service->self, call);
}

void sv_h2_receive_half_close(sv_call *call) {
  call->half_closed = true;
  if (!call->backlog.size) {
    half_close(call);
  }
}

void sv_h2_receive_backlog(sv_call *call) {
  if (call->stream_closed) {
    return;
  }
  size_t used = take(call, (const uint8_t *)call->backlog.data, call->backlog.size);
  if (used) {
    memmove(call->backlog.data, call->backlog.data + used, call->backlog.size - used);
    call->backlog.size -= used;
    consume(call, used);
  }
  if (!call->backlog.size && call->half_closed) {
    half_close(call);
  }
}

void sv_h2_receive_forget(sv_call *call) {
  sv_h2_connection *connection = call->connection;
  if (call->backlog.size && connection->session) {
    nghttp2_session_consume_connection(connection->session, call->backlog.size);
  }
  sv_text_free(&call->backlog);
  sv_h2_connection_unhold(connection, call->unconsumed + call->message_have);
  call->unconsumed = call->message_have = 0;
  call->unconsumed_messages = 0;
  if (call->block && (call->block->size > MOST_SPARE_ROOM ||
                      atomic_load_explicit(&call->block->references, memory_order_acquire) > 1)) {
    sv_block_release(call->block);
    call->block = NULL;
  }
}

// The backlogs are read at the end of the loop's round: not from within the service.
static void sv_h2_receive_again(sv_call *call) {
  if (call->backlog.size && !call->backlog_queued && !call->stream_closed) {
    call->backlog_queued = true;
    call->next_backlog = call->connection->backlogs;
    call->connection->backlogs = call;
    sv_h2_connection_wake(call->connection);
  }
}

void sv_call_consumed(sv_call *call, size_t bytes) {
  bytes = bytes < call->unconsumed ? bytes : call->unconsumed;
  call->unconsumed -= bytes;
  call->unconsumed_messages -= call->unconsumed_messages > 0;
  sv_h2_connection_unhold(call->connection, bytes);
  sv_h2_receive_again(call);
}

sv_block *sv_call_message_block(const sv_call *call) { return call->block; }

bool sv_call_has_more(const sv_call *call) { return call->backlog.size || call->prefix_size; }
