// From bytes to bodies: in the buffer, straight into a block, or decoded from chunks and inflated.
#include <string.h>

#include "serve/http/connection.h"

static const size_t FIRST_DECODED = 16384;  // of a body whose size is not known
static const size_t DIRECT_CHUNK = 16384;   // what is left of a chunk that is worth a read of its own

// ---- The block ------------------------------------------------------------------------------------------------------

// Where a body begins so that what is behind its JSON begins on SV_ALIGNMENT.
static size_t place_of(const sv_http_connection *connection) {
  int64_t json_size = connection->exchange.head.json_size;
  return json_size > 0 ? (SV_ALIGNMENT - (size_t)json_size % SV_ALIGNMENT) % SV_ALIGNMENT : 0;
}

static size_t room_of(const sv_body *body) { return body->block ? body->block->size - body->place - body->size : 0; }

static bool no_memory(sv_http_connection *connection) {
  sv_connection_fault(connection, (sv_fault){503, "there is no memory for the request's body"});
  return false;
}

static bool too_large(sv_http_connection *connection) {
  sv_connection_fault(connection, (sv_fault){413, "the request's body is larger than this server takes"});
  return false;
}

// Room for `wanted` bytes in all, at most the limit; twice as much as there was when the size is not known.
static bool grow(sv_http_connection *connection, size_t wanted) {
  sv_body *body = &connection->body;
  size_t capacity = body->size + room_of(body);
  if (wanted <= capacity) {
    return true;
  }
  capacity = capacity > wanted / 2 ? capacity * 2 : wanted;
  capacity = capacity > FIRST_DECODED ? capacity : FIRST_DECODED;
  capacity = capacity < body->limit ? capacity : body->limit;
  // Between the two copies nobody may wait: others could wait for this one.
  if (!sv_connection_reserve(connection, capacity - body->size)) {
    sv_connection_refuse(connection, 503, "the server holds as many bytes of requests as it may; try again later",
                         "Retry-After: 1\r\n");
    return false;
  }
  sv_block *block = sv_block_create(body->place + capacity);
  if (!block) {
    return no_memory(connection);
  }
  if (body->size) {
    memcpy(block->data + body->place, body->block->data + body->place, body->size);
  }
  sv_block_release(body->block);
  body->block = block;
  return true;
}

// ---- The beginning --------------------------------------------------------------------------------------------------

static bool check_sizes(sv_http_connection *connection) {
  const sv_head *head = &connection->exchange.head;
  int64_t length = connection->body.kind == SV_BODY_NONE ? 0 : head->content_length;
  if (length > 0 && (uint64_t)length > connection->body.limit) {
    return too_large(connection);
  }
  if (connection->body.kind != SV_BODY_DECODED && head->json_size > length) {
    sv_connection_fault(connection,
                        (sv_fault){400, "the request's Inference-Header-Content-Length is larger than its body"});
    return false;
  }
  return true;
}

static bool begin_block(sv_http_connection *connection) {
  sv_body *body = &connection->body;
  uint64_t length = (uint64_t)connection->exchange.head.content_length;
  if (!sv_connection_reserve(connection, length)) {
    sv_connection_wait_for_room(connection, true);
    return false;
  }
  sv_connection_wait_for_room(connection, false);
  body->block = sv_block_create(body->place + (size_t)length);
  if (!body->block) {
    return no_memory(connection);
  }
  size_t there = connection->end - connection->begin;
  there = there < length ? there : (size_t)length;
  memcpy(body->block->data + body->place, connection->buffer + connection->begin, there);
  connection->begin += there;
  body->size = there;
  body->left = length - there;
  return true;
}

static bool begin_decoded(sv_http_connection *connection) {
  sv_body *body = &connection->body;
  const sv_head *head = &connection->exchange.head;
  body->left = head->chunked ? 0 : (uint64_t)head->content_length;
  if (head->coding != SV_IDENTITY) {
    body->inflater = sv_inflater_create(head->coding);
    if (!body->inflater) {
      return no_memory(connection);
    }
  }
  return true;
}

bool sv_body_begin(sv_http_connection *connection) {
  sv_body *body = &connection->body;
  body->place = place_of(connection);
  if (!check_sizes(connection)) {
    return false;
  }
  if ((body->kind == SV_BODY_BLOCK && !begin_block(connection)) ||
      (body->kind == SV_BODY_DECODED && !begin_decoded(connection))) {
    return false;
  }
  connection->deadline_ns = 0;
  // Who has begun to send does not wait for it.
  if (connection->exchange.head.expects_continue && body->kind != SV_BODY_NONE && !body->size &&
      connection->begin == connection->end) {
    sv_connection_continue(connection);
  }
  return true;
}

// ---- Decoding -------------------------------------------------------------------------------------------------------

static bool store(sv_http_connection *connection, sv_str data) {
  sv_body *body = &connection->body;
  if (data.size > body->limit - body->size) {
    return too_large(connection);
  }
  if (!grow(connection, body->size + data.size)) {
    return false;
  }
  memcpy(body->block->data + body->place + body->size, data.data, data.size);
  body->size += data.size;
  return true;
}

// What zlib still holds when all input is taken comes with the next bytes: the checksum at the end is taken last.
static bool store_inflated(sv_http_connection *connection, sv_str data) {
  sv_body *body = &connection->body;
  while (data.size) {
    if (body->inflated) {
      sv_connection_fault(connection, (sv_fault){400, "there are bytes behind the request's compressed body"});
      return false;
    }
    char beyond;  // where the first byte above the limit shows itself
    bool full = body->size == body->limit;
    if (!full && !grow(connection, body->size + 1)) {
      return false;
    }
    char *to = full ? &beyond : (char *)body->block->data + body->place + body->size;
    size_t taken = 0, made = 0;
    sv_inflated result = sv_inflate(body->inflater, data, &taken, to, full ? 1 : room_of(body), &made);
    if (full && made) {
      return too_large(connection);
    }
    body->size += made;
    body->inflated = result == SV_INFLATED_END;
    if (result == SV_INFLATED_BAD || (!taken && !made && !body->inflated)) {
      sv_connection_fault(connection, (sv_fault){400, "the request's body is not what its Content-Encoding says"});
      return false;
    }
    data = (sv_str){data.data + taken, data.size - taken};
  }
  return true;
}

static bool store_any(sv_http_connection *connection, sv_str data) {
  return connection->body.inflater ? store_inflated(connection, data) : store(connection, data);
}

// One step of what is in the buffer. True: go on.
static bool decode_chunks(sv_http_connection *connection, bool *out_complete) {
  sv_body *body = &connection->body;
  size_t taken = 0;
  sv_str data;
  sv_fault wrong;
  sv_chunked_result result = sv_chunked_next(&body->chunked, connection->buffer + connection->begin,
                                             connection->end - connection->begin, &taken, &data, &wrong);
  if (result == SV_CHUNKED_BAD) {
    sv_connection_fault(connection, wrong);
    return false;
  }
  connection->begin += taken;
  connection->exchange.access.bytes_in += taken;
  *out_complete = result == SV_CHUNKED_DONE;
  if (!body->inflater && data.size + sv_chunked_left(&body->chunked) > body->limit - body->size) {
    return too_large(connection);
  }
  return !data.size || store_any(connection, data);
}

static bool decode_length(sv_http_connection *connection, bool *out_complete) {
  sv_body *body = &connection->body;
  size_t there = connection->end - connection->begin;
  there = there < body->left ? there : (size_t)body->left;
  sv_str data = {connection->buffer + connection->begin, there};
  connection->begin += there;
  connection->exchange.access.bytes_in += there;
  body->left -= there;
  *out_complete = body->left == 0;
  return store_any(connection, data);
}

static bool check_decoded(sv_http_connection *connection) {
  const sv_body *body = &connection->body;
  if (body->inflater && !body->inflated) {
    sv_connection_fault(connection, (sv_fault){400, "the request's compressed body ends before it is complete"});
    return false;
  }
  if (connection->exchange.head.json_size > (int64_t)body->size) {
    sv_connection_fault(connection,
                        (sv_fault){400, "the request's Inference-Header-Content-Length is larger than its body"});
    return false;
  }
  return true;
}

static bool take_decoded(sv_http_connection *connection) {
  bool complete = false;
  while (!complete && connection->begin < connection->end) {
    bool good =
        connection->exchange.head.chunked ? decode_chunks(connection, &complete) : decode_length(connection, &complete);
    if (!good) {
      return false;
    }
  }
  if (connection->begin == connection->end) {
    connection->begin = connection->end = connection->raw;
  }
  return complete && check_decoded(connection);
}

// ---- Reading --------------------------------------------------------------------------------------------------------

bool sv_body_is_direct(const sv_http_connection *connection) {
  const sv_body *body = &connection->body;
  return body->kind == SV_BODY_BLOCK ||
         (body->kind == SV_BODY_DECODED && !body->inflater && connection->begin == connection->end &&
          sv_chunked_left(&body->chunked) >= DIRECT_CHUNK);
}

sv_io sv_body_read(sv_http_connection *connection, size_t *out_size, bool *out_full) {
  sv_body *body = &connection->body;
  bool is_block = body->kind == SV_BODY_BLOCK;
  uint64_t left = is_block ? body->left : sv_chunked_left(&body->chunked);
  if (!is_block && !grow(connection, body->size + DIRECT_CHUNK)) {
    return SV_IO_AGAIN;  // refused
  }
  size_t room = room_of(body);
  room = room < left ? room : (size_t)left;
  sv_io io = sv_stream_read(connection->stream, body->block->data + body->place + body->size, room, out_size);
  body->size += *out_size;
  *out_full = *out_size == room;
  if (is_block) {
    body->left -= *out_size;
  } else {
    connection->exchange.access.bytes_in += *out_size;
    sv_chunked_skip(&body->chunked, *out_size);
  }
  return io;
}

bool sv_body_take(sv_http_connection *connection) {
  sv_body *body = &connection->body;
  sv_exchange *exchange = &connection->exchange;
  size_t length = body->kind == SV_BODY_BUFFER ? (size_t)exchange->head.content_length : 0;
  switch (body->kind) {
  case SV_BODY_NONE: return true;
  case SV_BODY_BUFFER:
    if (connection->end - connection->begin < length) {
      return false;
    }
    exchange->request.body = (sv_str){connection->buffer + connection->begin, length};
    connection->begin += length;
    exchange->access.bytes_in += length;
    return true;
  case SV_BODY_BLOCK:
    if (body->left) {
      return false;
    }
    exchange->access.bytes_in += body->size;
    break;
  case SV_BODY_DECODED:
    if (!take_decoded(connection)) {
      return false;
    }
    break;
  }
  if (body->block) {
    exchange->request.body = (sv_str){(const char *)body->block->data + body->place, body->size};
    exchange->request.body_block = body->block;
  }
  return true;
}

void sv_body_reset(sv_http_connection *connection) {
  sv_body *body = &connection->body;
  sv_block_release(body->block);
  sv_inflater_release(body->inflater);
  *body = (sv_body){0};
}
