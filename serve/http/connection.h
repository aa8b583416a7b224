// Inside http/: one connection, its one request at a time, and what the files of this folder ask of each other.
//
// connection.c: lists, timers, the end. reading.c: bytes to heads. body.c: bytes to bodies. answer.c: answers to bytes.
#ifndef SV_HTTP_CONNECTION_H
#define SV_HTTP_CONNECTION_H

#include "serve/http/coding.h"

typedef enum sv_state {
  SV_READING_HEAD,  // also idle: exchange.begin_ns is 0 then
  SV_READING_BODY,
  SV_IN_SERVICE,  // the service has the request; also when the stream is gone
  SV_WRITING,     // the answer
  SV_LINGERING,  // everything is written and shut; what the client still sends is dropped, so that no reset overtakes the answer
} sv_state;

struct sv_exchange {
  sv_http_request request;
  sv_head head;
  sv_access access;
  uint64_t begin_ns;  // of the first byte; 0: none
  void (*gone)(void *argument);
  void *gone_argument;
  void (*released)(void *argument);
  void *released_argument;
};

// How a body comes.
typedef enum sv_body_kind {
  SV_BODY_NONE,
  SV_BODY_BUFFER,   // small, of known length: stays where the head is
  SV_BODY_BLOCK,    // of known length, as it is: read straight into its block
  SV_BODY_DECODED,  // chunked or compressed: its block grows
} sv_body_kind;

typedef struct sv_body {
  sv_body_kind kind;
  sv_block *block;
  size_t place;   // of the first byte in the block
  size_t size;    // bytes there
  size_t limit;   // the service's
  uint64_t left;  // of Content-Length, on the wire
  sv_chunked chunked;
  sv_inflater *inflater;
  bool inflated;  // the compressed stream is complete
} sv_body;

enum { SV_OWN_PIECES = 8 };

struct sv_http_connection {
  sv_exchange exchange;  // first: an exchange is its connection
  sv_http_connections *owner;
  sv_http_connection *previous, *next;
  sv_stream *stream;  // NULL: lost, waits for the service's answer alone
  sv_state state;
  int entered;  // functions of this folder that are under way; freed when the last one ends
  bool closing, half_closed, close_after, unread, waits_for_room, spoke, skipped_line, counted;

  char *buffer;
  size_t capacity, begin, end;  // of what is not yet understood
  size_t raw;                   // where the body's bytes begin, behind the head
  sv_head_scan scan;
  sv_field *fields;
  size_t fields_room;
  sv_body body;
  sv_error *refusal;  // the service's, held until a small body has been read
  int refusal_status;
  const char *refusal_headers;

  sv_text head_text, text, coded;
  struct iovec own_pieces[SV_OWN_PIECES], *pieces;
  size_t pieces_room, num_pieces, next_piece;
  size_t interim_left;  // bytes of "100 Continue" yet to be written

  // 0: the next tick sets it, from the state. So the hot path needs no clock.
  uint64_t deadline_ns;
  uint64_t moved, moved_before;  // bytes of the body or the answer, and at the last deadline: how slow may it be
  char remote[64];               // outlives the stream
  uint64_t in_flight;            // bytes counted in limits->bytes_in_flight
};

struct sv_http_connections {
  sv_loop *loop;
  const sv_http_server *server;
  sv_http_connection *first;
  size_t count, num_waiting;
  bool released, drains;
  int visits;          // walks over the list that are under way
  uint64_t now_ns;     // of the tick
  struct event *tick;  // while there are connections
  bool tick_is_short;
  sv_deflater *deflater;
  char date[48];  // "Date: ...\r\n"
  size_t date_size;
  uint64_t date_second;
};

// connection.c
void sv_connection_enter(sv_http_connection *connection);
// Goes on with what can be done, and frees the connection when it is at its end: not to be touched after this.
void sv_connection_leave(sv_http_connection *connection);
void sv_connection_close(sv_http_connection *connection);  // in order or not; frees at leave()
void sv_connection_lost(
    sv_http_connection *connection);  // the stream is of no use; the service may still have the request
void sv_connection_hand_over(sv_http_connection *connection);  // to HTTP/2
void sv_connection_wait_for_room(sv_http_connection *connection, bool waits);
bool sv_connection_reserve(sv_http_connection *connection, uint64_t size);  // false: not now
void sv_connection_count(sv_http_connection *connection, uint64_t size);    // without asking
void sv_connection_unreserve(sv_http_connection *connection);

// reading.c
void sv_connection_process(sv_http_connection *connection);
sv_io sv_connection_read(sv_http_connection *connection, bool *out_full);  // once

// body.c
bool sv_body_begin(sv_http_connection *connection);  // false: waits for room, or was refused
bool sv_body_take(sv_http_connection *connection);   // from the buffer. True: it is complete
bool sv_body_is_direct(const sv_http_connection *connection);
sv_io sv_body_read(sv_http_connection *connection, size_t *out_size, bool *out_full);
void sv_body_reset(sv_http_connection *connection);

// answer.c
void sv_connection_write(sv_http_connection *connection);
void sv_connection_refuse(sv_http_connection *connection, int status, const char *message, const char *headers);
void sv_connection_fault(sv_http_connection *connection, sv_fault fault);
void sv_connection_continue(sv_http_connection *connection);       // "100 Continue"
void sv_connection_let_answer_go(sv_http_connection *connection);  // calls released()

#endif
