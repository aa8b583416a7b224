// From bytes to requests: heads, and when the service is asked.
#include <stdlib.h>
#include <string.h>

#include "serve/http/connection.h"

static const size_t FIRST_BUFFER = 16384;  // a request of 3 KB and what is pipelined behind it
static const size_t MOST_BUFFER = 8192 + 65536 + 16384 + 65536;
static const size_t SMALL_BODY = 16384;  // stays in the buffer: below this a copy costs less than memory of its own
static const size_t RAW_ROOM = 4096;     // behind the head, for a body that is decoded
static const size_t LINGER_BYTES = (size_t)16 << 20;  // that are dropped for a client that does not stop sending

// ---- The buffer -----------------------------------------------------------------------------------------------------

// At least `room` bytes behind connection->begin, those that are there included. Moves them: only while nothing points at them.
static bool make_room(sv_http_connection *connection, size_t room) {
  size_t held = connection->end - connection->begin;
  if (connection->buffer && connection->capacity - connection->begin >= room) {
    return true;
  }
  if (connection->buffer && connection->capacity >= room) {
    memmove(connection->buffer, connection->buffer + connection->begin, held);
  } else {
    size_t capacity = connection->capacity ? connection->capacity : FIRST_BUFFER;
    while (capacity < room) {
      capacity *= 2;
    }
    char *buffer = room <= MOST_BUFFER ? malloc(capacity) : NULL;
    if (!buffer) {
      return false;
    }
    if (held) {
      memcpy(buffer, connection->buffer + connection->begin, held);
    }
    free(connection->buffer);
    connection->buffer = buffer;
    connection->capacity = capacity;
  }
  connection->begin = 0;
  connection->end = held;
  return true;
}

static sv_io read_more(sv_http_connection *connection, bool *out_full) {
  size_t room = connection->capacity - connection->end, size = 0;
  if (!room) {
    return SV_IO_AGAIN;  // wish() does not ask for more than there is room for
  }
  sv_io io = sv_stream_read(connection->stream, connection->buffer + connection->end, room, &size);
  connection->end += size;
  connection->moved += size;
  *out_full = size == room;
  return io;
}

static sv_io drop(sv_http_connection *connection, bool *out_full) {
  connection->begin = connection->end = 0;
  sv_io io = read_more(connection, out_full);
  if (connection->moved > LINGER_BYTES) {
    sv_connection_close(connection);
  }
  return io;
}

sv_io sv_connection_read(sv_http_connection *connection, bool *out_full) {
  *out_full = false;
  size_t size = 0;
  switch (connection->state) {
  case SV_READING_HEAD:
    if (!make_room(connection, connection->end - connection->begin + (connection->capacity ? 1 : FIRST_BUFFER))) {
      return SV_IO_LOST;
    }
    return read_more(connection, out_full);
  case SV_READING_BODY:
    if (sv_body_is_direct(connection)) {
      sv_io io = sv_body_read(connection, &size, out_full);
      connection->moved += size;
      return io;
    }
    return read_more(connection, out_full);
  case SV_LINGERING: return drop(connection, out_full);
  default: return read_more(connection, out_full);
  }
}

// ---- Heads ----------------------------------------------------------------------------------------------------------

static const char PREFACE[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

// True: it is HTTP/2's, or may become it: nothing else is to be done yet.
static bool is_http2(sv_http_connection *connection) {
  size_t size = connection->end - connection->begin, whole = sizeof PREFACE - 1;
  if (connection->spoke || !connection->owner->server->http2) {
    return false;
  }
  bool chose = sv_stream_chose_h2(connection->stream);
  if (!chose && memcmp(connection->buffer + connection->begin, PREFACE, size < whole ? size : whole) != 0) {
    connection->spoke = true;
    return false;
  }
  if (chose || size >= whole) {
    sv_connection_hand_over(connection);
  }
  return true;
}

static bool parse(sv_http_connection *connection) {
  sv_exchange *exchange = &connection->exchange;
  if (connection->scan.lines > connection->fields_room) {
    size_t room = connection->scan.lines < 16 ? 16 : SV_MOST_FIELDS;
    sv_field *fields = realloc(connection->fields, room * sizeof *fields);
    if (!fields) {
      sv_connection_fault(connection, (sv_fault){503, "out of memory"});
      return false;
    }
    connection->fields = fields;
    connection->fields_room = room;
  }
  sv_str text = {connection->buffer + connection->begin, connection->scan.scanned};
  sv_fault wrong =
      sv_head_parse(text, connection->scan.first_line, connection->fields, connection->fields_room, &exchange->head);
  if (wrong.status) {
    sv_connection_fault(connection, wrong);
  }
  return !wrong.status;
}

// What the body may need beside the head is made room for before anybody sees the head, since that moves it.
static bool place(sv_http_connection *connection) {
  const sv_head *head = &connection->exchange.head;
  size_t size = connection->scan.scanned;
  if (head->content_length == 0 || (head->content_length < 0 && !head->chunked)) {
    connection->body.kind = SV_BODY_NONE;
  } else if (head->chunked || head->coding != SV_IDENTITY) {
    connection->body.kind = SV_BODY_DECODED;
    size += RAW_ROOM;
  } else if ((uint64_t)head->content_length <= SMALL_BODY) {
    connection->body.kind = SV_BODY_BUFFER;
    size += (size_t)head->content_length;
  } else {
    connection->body.kind = SV_BODY_BLOCK;
  }
  uintptr_t before = (uintptr_t)(connection->buffer + connection->begin);
  if (!make_room(connection, size)) {
    sv_connection_fault(connection, (sv_fault){503, "out of memory"});
    return false;
  }
  return before == (uintptr_t)(connection->buffer + connection->begin) || parse(connection);
}

static void fill_request(sv_http_connection *connection) {
  sv_exchange *exchange = &connection->exchange;
  const sv_head *head = &exchange->head;
  exchange->request = (sv_http_request){
      .method = head->method == SV_HEAD ? SV_GET : head->method,
      .path = head->path,
      .query = head->query,
      .fields = connection->fields,
      .num_fields = head->num_fields,
      .json_size = head->json_size,
  };
  sv_access *access = &exchange->access;
  access->remote = sv_str_of(connection->remote);
  access->protocol = head->minor ? SV_STR("http/1.1") : SV_STR("http/1.0");
  access->method = head->method_text;
  access->path = head->path;
  access->user_agent = head->user_agent;
  access->bytes_in = connection->scan.scanned;
  if (head->traceparent.size) {
    sv_traceparent_parse(head->traceparent, access->trace_id, access->span_id);
  }
}

// The service looks at the head. False: it is refused, now.
static bool ask_service(sv_http_connection *connection) {
  sv_exchange *exchange = &connection->exchange;
  const sv_http_service *service = connection->owner->server->service;
  size_t limit = connection->owner->server->limits->body_bytes;
  int status = 0;
  const char *headers = NULL;
  sv_error *error =
      service->head ? service->head(service->self, exchange, &exchange->request, &limit, &status, &headers) : NULL;
  connection->body.limit = limit;
  if (!error) {
    return true;
  }
  // A small body is read all the same, so that the connection can be kept.
  if (connection->body.kind <= SV_BODY_BUFFER && !exchange->head.expects_continue) {
    connection->refusal = error;
    connection->refusal_status = status;
    connection->refusal_headers = headers;
    return true;
  }
  sv_connection_refuse(connection, status, sv_error_message(error), headers);
  sv_error_free(error);
  return false;
}

static void begin_request(sv_http_connection *connection) {
  if (!parse(connection) || !place(connection)) {
    return;
  }
  fill_request(connection);
  connection->begin += connection->scan.scanned;
  connection->raw = connection->begin;
  connection->state = SV_READING_BODY;
  connection->deadline_ns = 0;
  if (ask_service(connection)) {
    sv_body_begin(connection);
  }
}

// An empty line in front of a request is let by, one: old clients send it behind a body.
static bool skip_line(sv_http_connection *connection) {
  const char *at = connection->buffer + connection->begin;
  size_t size = connection->end - connection->begin;
  if (!connection->skipped_line && size && at[0] == '\r') {
    if (size == 1) {
      return false;
    }
    if (at[1] == '\n') {
      connection->begin += 2;
      connection->skipped_line = true;
    }
  }
  return connection->begin < connection->end;
}

static void nothing_more(sv_http_connection *connection) {
  if (connection->half_closed) {
    sv_connection_close(connection);
  } else if (connection->begin == connection->end) {
    connection->begin = connection->end = 0;
  }
}

// True: there was a whole head.
static bool take_head(sv_http_connection *connection) {
  if (connection->begin == connection->end || is_http2(connection) || !skip_line(connection)) {
    if (!connection->closing) {
      nothing_more(connection);
    }
    return false;
  }
  if (!connection->exchange.begin_ns) {
    connection->exchange.begin_ns = sv_now_ns();
    connection->deadline_ns = 0;  // from here on the head's
  }
  sv_fault wrong;
  if (sv_head_find(connection->buffer + connection->begin, connection->end - connection->begin, &connection->scan,
                   &wrong)) {
    begin_request(connection);
    return true;
  }
  if (wrong.status) {
    sv_connection_fault(connection, wrong);
  } else {
    nothing_more(connection);
  }
  return false;
}

// ---- Requests -------------------------------------------------------------------------------------------------------

static void sv_connection_dispatch(sv_http_connection *connection) {
  const sv_http_service *service = connection->owner->server->service;
  sv_exchange *exchange = &connection->exchange;
  connection->state = SV_IN_SERVICE;
  connection->deadline_ns = 0;
  if (connection->refusal) {
    sv_error *error = connection->refusal;
    connection->refusal = NULL;
    connection->unread = false;
    sv_connection_refuse(connection, connection->refusal_status, sv_error_message(error), connection->refusal_headers);
    sv_error_free(error);
    return;
  }
  service->request(service->self, exchange, &exchange->request);
}

void sv_connection_process(sv_http_connection *connection) {
  // A service that answers at once comes back here with the next request, not deeper.
  connection->entered++;
  while (!connection->closing && connection->stream) {
    if (connection->state == SV_READING_HEAD) {
      if (!take_head(connection)) {
        break;
      }
    } else if (connection->state == SV_READING_BODY && !connection->waits_for_room) {
      if (!sv_body_take(connection)) {
        break;
      }
      sv_connection_dispatch(connection);
    } else {
      break;
    }
  }
  connection->entered--;
}
