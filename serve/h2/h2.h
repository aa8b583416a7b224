// gRPC: HTTP/2 by nghttp2, calls to a service. All of it on the loop's thread of the connection.
//
// A call is finished once by the service (sv_call_finish), also when its client is gone; it is freed then.
#ifndef SV_H2_H
#define SV_H2_H

#include "serve/metrics/access.h"
#include "serve/net/stream.h"

typedef struct sv_call sv_call;

typedef struct sv_rpc_service {
  void *self;
  // The call's headers are there. False: the service has finished it.
  bool (*open)(void *self, sv_call *call);
  // One whole message, inflated. Its memory is there for as long as this runs; whoever needs it longer retains sv_call_message_block(). It counts
  // as being with the service until sv_call_consumed() or the call's end: a call with 64 such messages, or with more bytes of them than a message
  // may have, is given no more, and the client's window closes behind what comes.
  void (*message)(void *self, sv_call *call, sv_str message);
  void (*half_closed)(void *self, sv_call *call);  // no further message comes
  // The client reset the call, its deadline is over, or the connection is lost. Still to be finished.
  void (*gone)(void *self, sv_call *call, millrace_code why);
  // The beginning of a large message is there: which byte of it is to lie on 64 bytes; 0: none in particular. May be NULL.
  size_t (*aligned)(void *self, sv_call *call, sv_str beginning);
  // The connection takes no further calls and ends with its last one: a call that has no end of its own looks for one. May be NULL.
  void (*draining)(void *self, sv_call *call);
} sv_rpc_service;

typedef struct sv_h2_limits {
  size_t message_bytes;  // above it RESOURCE_EXHAUSTED. 64 MiB
  uint32_t streams;      // at once, a connection. 128
  uint32_t window;       // bytes a stream. 1 MiB
  uint64_t idle_timeout_ns, stall_timeout_ns;
  _Atomic(uint64_t) *bytes_in_flight;
  uint64_t most_bytes_in_flight;
} sv_h2_limits;

typedef struct sv_h2_server {
  const sv_rpc_service *service;
  const sv_h2_limits *limits;
  sv_access_log *log;
  _Atomic(bool) *draining;
  void (*closed)(void *self);  // a connection is gone, and its last call has been finished; any loop
  void *closed_self;
} sv_h2_server;

typedef struct sv_h2_connections sv_h2_connections;  // those of one loop

sv_h2_connections *sv_h2_connections_create(sv_loop *loop, const sv_h2_server *server);
// On the loop. Takes the stream, of which first_bytes have been read.
void sv_h2_accept(sv_h2_connections *connections, sv_stream *take_stream, sv_str first_bytes);
void sv_h2_drain(sv_h2_connections *connections);  // GOAWAY; calls that run are finished
size_t sv_h2_connection_count(const sv_h2_connections *connections);
void sv_h2_close_all(sv_h2_connections *connections);
void sv_h2_connections_release(sv_h2_connections *connections);

// ---- Calls ----------------------------------------------------------------------------------------------------------

sv_str sv_call_path(const sv_call *call);                        // "/inference.GRPCInferenceService/ModelInfer"
sv_str sv_call_metadata(const sv_call *call, const char *name);  // lower case; empty when there is none
uint64_t sv_call_deadline_ns(const sv_call *call);               // sv_now_ns()'s clock; UINT64_MAX: none
sv_loop *sv_call_loop(const sv_call *call);
sv_stream *sv_call_stream(const sv_call *call);
uint64_t sv_call_begin_ns(const sv_call *call);
void sv_call_set_user(sv_call *call, void *user);
void *sv_call_user(const sv_call *call);
sv_access *sv_call_access(sv_call *call);
// Once for each message, with its size.
void sv_call_consumed(sv_call *call, size_t bytes);
// In message(): what holds the message.
sv_block *sv_call_message_block(const sv_call *call);
// Queues one message; the memory of the pieces stays until released(argument), once, on the loop.
void sv_call_send(sv_call *call, const sv_piece *pieces, size_t num_pieces, void (*released)(void *argument),
                  void *argument);
bool sv_call_has_more(
    const sv_call *call);  // messages, or parts of one, have come that the service has not been given yet
void sv_call_finish(sv_call *call, millrace_code code, const char *message);  // trailers, behind what was sent

#endif
