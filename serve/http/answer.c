// From answers to bytes: the head and the pieces in one write where the socket takes it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "serve/http/connection.h"
#include "serve/json/json.h"

static const size_t LEAST_COMPRESSED = 1024;            // below it a packet is saved by nothing
static const size_t MOST_COMPRESSED = (size_t)1 << 20;  // the loop does nothing else meanwhile: some 10 ms
static const size_t KEPT_TEXT = (size_t)64 << 10;       // of memory for answers, between requests
static const char CONTINUE[] = "HTTP/1.1 100 Continue\r\n\r\n";

static sv_http_connection *of(const sv_exchange *exchange) { return (sv_http_connection *)(uintptr_t)exchange; }

// ---- What the service may ask ---------------------------------------------------------------------------------------

sv_text *sv_exchange_text(sv_exchange *exchange) { return &of(exchange)->text; }

sv_loop *sv_exchange_loop(const sv_exchange *exchange) { return of(exchange)->owner->loop; }

sv_stream *sv_exchange_stream(const sv_exchange *exchange) { return of(exchange)->stream; }

sv_access *sv_exchange_access(sv_exchange *exchange) { return &exchange->access; }

void sv_exchange_on_gone(sv_exchange *exchange, void (*gone)(void *argument), void *argument) {
  exchange->gone = gone;
  exchange->gone_argument = argument;
}

sv_str sv_http_field(const sv_http_request *request, const char *name) {
  size_t size = strlen(name);
  for (size_t i = 0; i < request->num_fields; i++) {
    const sv_field *field = &request->fields[i];
    if (field->name.size == size && sv_str_is_nocase(field->name, name)) {
      return field->value;
    }
  }
  return (sv_str){0};
}

// ---- The end of a request -------------------------------------------------------------------------------------------

void sv_connection_let_answer_go(sv_http_connection *connection) {
  void (*released)(void *) = connection->exchange.released;
  connection->exchange.released = NULL;
  if (released) {
    released(connection->exchange.released_argument);
  }
}

static void log_access(sv_http_connection *connection) {
  sv_access_log *log = connection->owner->server->log;
  if (log && connection->exchange.begin_ns) {
    sv_access *access = &connection->exchange.access;
    access->remote = sv_str_of(connection->remote);
    access->total_us = (sv_now_ns() - connection->exchange.begin_ns) / 1000;
    sv_access_write(log, access);
  }
}

static void keep_little(sv_text *text) {
  sv_text_clear(text);
  if (text->capacity > KEPT_TEXT) {
    sv_text_free(text);
  }
}

// The answer is written: on to the next request, or to the end.
static void finish(sv_http_connection *connection) {
  log_access(connection);
  sv_connection_let_answer_go(connection);
  sv_connection_unreserve(connection);
  sv_body_reset(connection);
  keep_little(&connection->text);
  keep_little(&connection->coded);
  connection->exchange = (sv_exchange){0};
  connection->scan = (sv_head_scan){0};
  connection->num_pieces = connection->next_piece = 0;
  connection->skipped_line = connection->counted = false;
  connection->deadline_ns = 0;
  if (!connection->close_after) {
    connection->state = SV_READING_HEAD;
  } else if (connection->half_closed || (!connection->unread && connection->begin == connection->end)) {
    sv_connection_close(connection);
  } else {
    connection->state = SV_LINGERING;
    connection->moved = 0;
    sv_stream_end(connection->stream);
  }
}

// ---- Writing --------------------------------------------------------------------------------------------------------

static void advance(sv_http_connection *connection, size_t size) {
  connection->moved += size;
  while (connection->next_piece < connection->num_pieces) {
    struct iovec *piece = &connection->pieces[connection->next_piece];
    if (size < piece->iov_len) {
      piece->iov_base = (char *)piece->iov_base + size;
      piece->iov_len -= size;
      return;
    }
    size -= piece->iov_len;
    connection->next_piece++;
  }
}

static bool write_interim(sv_http_connection *connection) {
  while (connection->interim_left) {
    size_t size = 0;
    const char *from = CONTINUE + (sizeof CONTINUE - 1 - connection->interim_left);
    struct iovec piece = {(void *)(uintptr_t)from, connection->interim_left};
    sv_io io = sv_stream_write(connection->stream, &piece, 1, &size);
    connection->interim_left -= size;
    if (io == SV_IO_LOST) {
      sv_connection_lost(connection);
    }
    if (io != SV_IO_OK) {
      return false;
    }
  }
  return true;
}

static size_t unwritten(const sv_http_connection *connection) {
  size_t size = 0;
  for (size_t i = connection->next_piece; i < connection->num_pieces; i++) {
    size += connection->pieces[i].iov_len;
  }
  return size;
}

void sv_connection_write(sv_http_connection *connection) {
  if (!write_interim(connection) || connection->state != SV_WRITING) {
    return;
  }
  while (connection->next_piece < connection->num_pieces) {
    size_t size = 0;
    sv_io io = sv_stream_write(connection->stream, connection->pieces + connection->next_piece,
                               (int)(connection->num_pieces - connection->next_piece), &size);
    if (io == SV_IO_AGAIN && !connection->counted) {
      // Counted from the first time that it has to wait.
      connection->counted = true;
      sv_connection_count(connection, unwritten(connection));
    }
    if (io == SV_IO_LOST || io == SV_IO_END) {
      sv_connection_lost(connection);
    }
    if (io != SV_IO_OK) {
      return;
    }
    advance(connection, size);
  }
  finish(connection);
}

void sv_connection_continue(sv_http_connection *connection) {
  connection->interim_left = sizeof CONTINUE - 1;
  write_interim(connection);
}

// ---- Heads ----------------------------------------------------------------------------------------------------------

// Once a second.
static void add_date(sv_http_connections *connections, uint64_t now_ns, sv_text *head) {
  uint64_t second = now_ns / 1000000000 + 1;  // 0: never made
  if (connections->date_second != second) {
    connections->date_second = second;
    time_t now = (time_t)(sv_wall_ms() / 1000);
    struct tm parts;
    gmtime_r(&now, &parts);
    static const char days[][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    int size = snprintf(connections->date, sizeof connections->date, "Date: %s, %02d %s %d %02d:%02d:%02d GMT\r\n",
                        days[parts.tm_wday], parts.tm_mday, months[parts.tm_mon], parts.tm_year + 1900, parts.tm_hour,
                        parts.tm_min, parts.tm_sec);
    connections->date_size = size > 0 && (size_t)size < sizeof connections->date ? (size_t)size : 0;
  }
  sv_text_add(head, connections->date, connections->date_size);
}

static void add_line(sv_text *head, const char *name, const char *value) {
  sv_text_puts(head, name);
  sv_text_puts(head, value);
  sv_text_puts(head, "\r\n");
}

static void add_number_line(sv_text *head, const char *name, uint64_t value) {
  sv_text_puts(head, name);
  sv_text_add_uint(head, value);
  sv_text_puts(head, "\r\n");
}

static void add_status_line(sv_text *head, int status) {
  sv_text_puts(head, "HTTP/1.1 ");
  sv_text_add_uint(head, (uint64_t)status);
  add_line(head, " ", sv_http_reason(status));
}

static void make_head(sv_http_connection *connection, const sv_answer *answer, size_t body_size, sv_coding coding) {
  sv_text *head = &connection->head_text;
  const sv_exchange *exchange = &connection->exchange;
  sv_text_clear(head);
  add_status_line(head, answer->status);
  add_date(connection->owner, exchange->begin_ns, head);
  if (answer->content_type) {
    add_line(head, "Content-Type: ", answer->content_type);
  }
  if (answer->status >= 200 && answer->status != 204 && answer->status != 304) {
    add_number_line(head, "Content-Length: ", body_size);
  }
  if (answer->json_size >= 0) {
    add_number_line(head, "Inference-Header-Content-Length: ", (uint64_t)answer->json_size);
  }
  if (coding != SV_IDENTITY) {
    add_line(head, "Content-Encoding: ", coding == SV_GZIP ? "gzip" : "deflate");
    add_line(head, "Vary: ", "Accept-Encoding");
  }
  if (connection->close_after) {
    add_line(head, "Connection: ", "close");
  } else if (exchange->head.minor == 0) {
    add_line(head, "Connection: ", "keep-alive");
  }
  if (answer->headers) {
    sv_text_puts(head, answer->headers);
  }
  sv_text_puts(head, "\r\n");
}

// ---- Bodies ---------------------------------------------------------------------------------------------------------

static size_t size_of(const sv_answer *answer) {
  size_t size = 0;
  for (size_t i = 0; i < answer->num_pieces; i++) {
    size += answer->pieces[i].size;
  }
  return size;
}

// What the body is encoded with; it is in connection->coded then.
static sv_coding compress(sv_http_connection *connection, const sv_answer *answer, size_t size) {
  const sv_head *head = &connection->exchange.head;
  if (answer->plain || !head->has_accept_encoding || size < LEAST_COMPRESSED || size > MOST_COMPRESSED ||
      head->method == SV_HEAD) {
    return SV_IDENTITY;
  }
  sv_http_connections *owner = connection->owner;
  sv_coding coding = sv_accept_coding(head->accept_encoding);
  if (coding != SV_IDENTITY && !owner->deflater) {
    owner->deflater = sv_deflater_create();
  }
  sv_text_clear(&connection->coded);
  bool good = coding != SV_IDENTITY && owner->deflater &&
              sv_deflate(owner->deflater, coding, answer->pieces, answer->num_pieces, &connection->coded);
  return good ? coding : SV_IDENTITY;
}

static bool make_room(sv_http_connection *connection, size_t pieces) {
  if (pieces <= connection->pieces_room) {
    return true;
  }
  struct iovec *more = calloc(pieces, sizeof *more);
  if (!more) {
    return false;
  }
  if (connection->pieces != connection->own_pieces) {
    free(connection->pieces);
  }
  connection->pieces = more;
  connection->pieces_room = pieces;
  return true;
}

static void add_piece(sv_http_connection *connection, const void *data, size_t size) {
  if (size) {
    connection->pieces[connection->num_pieces++] = (struct iovec){(void *)(uintptr_t)data, size};
  }
}

static bool make_pieces(sv_http_connection *connection, const sv_answer *answer) {
  size_t size = size_of(answer);
  sv_coding coding = compress(connection, answer, size);
  size = coding == SV_IDENTITY ? size : connection->coded.size;
  make_head(connection, answer, size, coding);
  if (connection->head_text.failed || !make_room(connection, answer->num_pieces + 1)) {
    return false;
  }
  bool bodiless = connection->exchange.head.method == SV_HEAD || answer->status == 204 || answer->status == 304;
  connection->num_pieces = connection->next_piece = 0;
  add_piece(connection, connection->head_text.data, connection->head_text.size);
  if (!bodiless && coding != SV_IDENTITY) {
    add_piece(connection, connection->coded.data, connection->coded.size);
  }
  for (size_t i = 0; !bodiless && coding == SV_IDENTITY && i < answer->num_pieces; i++) {
    add_piece(connection, answer->pieces[i].data, answer->pieces[i].size);
  }
  connection->exchange.access.bytes_out = connection->head_text.size + (bodiless ? 0 : size);
  if (coding != SV_IDENTITY) {
    sv_connection_let_answer_go(connection);
  }
  return true;
}

// ---- Answering ------------------------------------------------------------------------------------------------------

void sv_exchange_answer(sv_exchange *exchange, const sv_answer *answer) {
  sv_http_connection *connection = of(exchange);
  sv_connection_enter(connection);
  exchange->gone = NULL;
  exchange->released = answer->released;
  exchange->released_argument = answer->argument;
  exchange->access.status = answer->status;
  connection->close_after |=
      !exchange->head.keep_alive ||
      atomic_load_explicit(connection->owner->server->draining, memory_order_relaxed);  // guards nothing
  connection->state = SV_WRITING;
  connection->deadline_ns = 0;
  if (!connection->stream) {
    log_access(connection);
    sv_connection_close(connection);
  } else if (!make_pieces(connection, answer)) {
    sv_connection_lost(connection);
  } else {
    sv_connection_write(connection);
  }
  sv_connection_leave(connection);
}

static void answer_error(sv_http_connection *connection, int status, const char *message, const char *headers) {
  sv_text *text = sv_exchange_text(&connection->exchange);
  sv_text_clear(text);
  sv_text_puts(text, "{\"error\":");
  sv_json_put_string(text, sv_str_of(message));
  sv_text_puts(text, "}");
  sv_piece piece = {text->data, text->failed ? 0 : text->size};
  sv_exchange_answer(&connection->exchange, &(sv_answer){.status = status,
                                                         .content_type = "application/json",
                                                         .json_size = -1,
                                                         .headers = headers,
                                                         .pieces = &piece,
                                                         .num_pieces = 1});
}

static const char *headers_of(int status) {
  return status == 401 ? "WWW-Authenticate: Bearer\r\n" : status == 429 || status == 503 ? "Retry-After: 1\r\n" : NULL;
}

void sv_exchange_fail(sv_exchange *exchange, sv_error *take_error) {
  int status = sv_http_status(sv_error_code(take_error));
  answer_error(of(exchange), status, sv_error_message(take_error), headers_of(status));
  sv_error_free(take_error);
}

void sv_connection_refuse(sv_http_connection *connection, int status, const char *message, const char *headers) {
  if (connection->state != SV_IN_SERVICE) {
    connection->unread = connection->close_after = true;
  }
  if (connection->interim_left == sizeof CONTINUE - 1) {
    connection->interim_left = 0;  // none of it is written: the answer says more
  }
  answer_error(connection, status, message, headers);
}

void sv_connection_fault(sv_http_connection *connection, sv_fault fault) {
  const char *headers = fault.status == 415   ? "Accept-Encoding: gzip, deflate\r\n"
                        : fault.status == 405 ? "Allow: GET, HEAD, POST\r\n"
                                              : headers_of(fault.status);
  sv_connection_refuse(connection, fault.status, fault.message, headers);
}
