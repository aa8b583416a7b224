// HTTP/1.1: connections on a loop, requests to a service, answers in order.
//
// Every request that the service gets is answered once, also when its client is gone: then the answer is let go.
// All of it on the loop's thread of the connection.
#ifndef SV_HTTP_H
#define SV_HTTP_H

#include "serve/metrics/access.h"
#include "serve/net/stream.h"

typedef struct sv_exchange sv_exchange;  // one request and its answer

typedef enum sv_method { SV_GET, SV_HEAD, SV_POST, SV_PUT, SV_DELETE, SV_OPTIONS, SV_PATCH, SV_OTHER_METHOD } sv_method;

typedef struct sv_field {
  sv_str name, value;  // name as it was sent
} sv_field;

// Valid until the request is answered.
typedef struct sv_http_request {
  sv_method method;    // HEAD comes to the service as GET; the answer's body is left out
  sv_str path, query;  // as sent, without '?'; not decoded
  const sv_field *fields;
  size_t num_fields;
  // Complete, decoded from chunks and inflated. Where json_size was given and the body was large, body.data + json_size begins on 64 bytes.
  sv_str body;
  sv_block *
      body_block;  // what holds the body; NULL: the connection's own buffer, which is gone when the request is answered
  int64_t json_size;  // Inference-Header-Content-Length; -1: there was none. At most body.size, else 400 was answered
} sv_http_request;

sv_str sv_http_field(const sv_http_request *request,
                     const char *name);  // the first of this name, any case; empty when there is none

typedef struct sv_http_service {
  void *self;
  // The head of a request is there, its body is not: NULL to go on (*inout_body_limit may be lowered or raised), or what is wrong (no such
  // place, no right to it), which is answered with this status before the body is read. *out_status has HTTP's number then, and
  // *out_headers further lines ("WWW-Authenticate: Bearer\r\n") or NULL.
  sv_error *(*head)(void *self, sv_exchange *exchange, const sv_http_request *request, size_t *inout_body_limit,
                    int *out_status, const char **out_headers);
  void (*request)(void *self, sv_exchange *exchange, const sv_http_request *request);
} sv_http_service;

typedef struct sv_http_limits {
  size_t body_bytes;           // also of what is inflated. 64 MiB
  uint64_t header_timeout_ns;  // from the first byte. 10 s
  uint64_t idle_timeout_ns;    // between requests. 75 s
  uint64_t stall_timeout_ns;   // a body that does not come, an answer that is not taken. 30 s
  _Atomic(uint64_t) *
      bytes_in_flight;  // of all connections: bodies that are being read or are with the service, and answers not yet written
  uint64_t most_bytes_in_flight;  // above it a connection stops reading until there is room. 1 GiB
} sv_http_limits;

typedef struct sv_http_server {
  const sv_http_service *service;
  const sv_http_limits *limits;
  sv_access_log *log;
  _Atomic(bool) *draining;  // true: answers say Connection: close, and connections close behind them
  // The connection speaks HTTP/2: takes the stream and what was read of it. NULL: refused.
  void (*http2)(void *self, sv_stream *take_stream, sv_str first_bytes);
  void *http2_self;
  void (*closed)(void *self);  // a connection is gone (not when http2 took it); any loop
  void *closed_self;
} sv_http_server;

typedef struct sv_http_connection sv_http_connection;
typedef struct sv_http_connections sv_http_connections;  // those of one loop

sv_http_connections *sv_http_connections_create(sv_loop *loop,
                                                const sv_http_server *server);  // borrowed; NULL without memory
// On the loop. Takes the descriptor.
void sv_http_accept(sv_http_connections *connections, int take_descriptor, sv_tls *tls);
// On the loop, when draining was set: closes those that are idle. Others close when their request is answered; whoever has not sent a first request
// yet has half a second for it.
void sv_http_drain(sv_http_connections *connections);
size_t sv_http_connection_count(const sv_http_connections *connections);
// On the loop: closes all, whatever they do; requests in work are told so (gone), and freed when they are answered.
void sv_http_close_all(sv_http_connections *connections);
void sv_http_connections_release(sv_http_connections *connections);

// ---- Answering ------------------------------------------------------------------------------------------------------

typedef struct sv_answer {
  int status;
  const char *content_type;  // NULL: none
  int64_t json_size;         // Inference-Header-Content-Length; -1: none
  const char *headers;       // further lines, each ended by CR LF; NULL: none
  bool plain;  // never compressed: of clients that say they take it, some inflate the answers of inferences alone
  const sv_piece *pieces;  // the body, in order; the list is copied, the memory stays until released()
  size_t num_pieces;
  void (*released)(
      void *argument);  // once, on the loop, when the pieces have been written or are not wanted; NULL: nothing to do
  void *argument;
} sv_answer;

// Written with one writev where the socket takes it. Compressed when the client asks for it (Accept-Encoding: gzip, deflate; by q-value) and
// the body is worth it.
void sv_exchange_answer(sv_exchange *exchange, const sv_answer *answer);
// {"error":"message"} and the status that belongs to the error's code (sv_http_status), which is taken.
void sv_exchange_fail(sv_exchange *exchange, sv_error *take_error);
// For JSON that answers: memory of the connection's, empty when the request comes, the same at each call, valid until the answer is
// written.
sv_text *sv_exchange_text(sv_exchange *exchange);
sv_loop *sv_exchange_loop(const sv_exchange *exchange);
sv_stream *sv_exchange_stream(const sv_exchange *exchange);  // NULL when the client is gone
// Where the service writes what it knows (model, times, batch). Its texts stay until the answer has been written.
sv_access *sv_exchange_access(sv_exchange *exchange);
// Called once at most, when the client goes before the answer. The request is still to be answered.
void sv_exchange_on_gone(sv_exchange *exchange, void (*gone)(void *argument), void *argument);

int sv_http_status(millrace_code code);
const char *sv_http_reason(int status);

#endif
