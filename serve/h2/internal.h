// Inside h2/: connections, calls, what is to be written.
#ifndef SV_H2_INTERNAL_H
#define SV_H2_INTERNAL_H

#include <event2/event.h>
#include <event2/event_struct.h>
#include <nghttp2/nghttp2.h>

#include "serve/h2/h2.h"

typedef struct sv_h2_connection sv_h2_connection;

// ---- Messages to be sent --------------------------------------------------------------------------------------------

// One message with its prefix. Counted: by the call until nghttp2 has taken all of it, and by each stretch of it in the output.
typedef struct sv_h2_message {
  struct sv_h2_message *next;
  sv_h2_connection *connection;  // takes it back, to be used again
  uint32_t references;
  sv_piece *pieces;
  size_t num_pieces, room_pieces;
  size_t piece, offset;  // what nghttp2 has taken: all pieces before this one, and so much of it
  size_t left;           // bytes that nghttp2 has not taken
  sv_piece first_pieces[8];
  void (*released)(void *argument);
  void *argument;
  unsigned char prefix[5];
} sv_h2_message;

// ---- Output of a connection -----------------------------------------------------------------------------------------

// In order: copied bytes (frames' heads, small messages), and stretches of messages' memory.
typedef struct sv_h2_stretch {
  sv_h2_message *message;  // NULL: copied bytes
  const char *data;        // of a message
  size_t offset;           // of copied bytes, in `bytes`
  size_t size;
} sv_h2_stretch;

#define SV_H2_HIGH_WATER ((size_t)256 * 1024)  // bytes gathered for one writev and its like

typedef struct sv_h2_output {
  sv_text bytes;
  sv_h2_stretch *stretches;
  size_t num_stretches, room_stretches, first;  // `first`: those before it are written
  size_t size;                                  // bytes not yet written
  bool failed;                                  // out of memory: the connection cannot go on
} sv_h2_output;

void sv_h2_output_copy(sv_h2_output *output, const void *bytes, size_t size);
void sv_h2_output_refer(sv_h2_output *output, sv_h2_message *message, const void *data, size_t size);
// Up to so many pieces for writev.
int sv_h2_output_pieces(const sv_h2_output *output, struct iovec *pieces, int most);
void sv_h2_output_written(sv_h2_output *output, size_t size);
void sv_h2_output_free(sv_h2_output *output);  // lets go of the messages

// NULL without memory.
sv_h2_message *sv_h2_message_create(sv_h2_connection *connection, size_t num_pieces);
void sv_h2_message_release(sv_h2_message *message);
void sv_h2_messages_free(sv_h2_message *list);

// ---- Calls ----------------------------------------------------------------------------------------------------------

typedef enum sv_h2_encoding { SV_H2_IDENTITY, SV_H2_GZIP, SV_H2_DEFLATE, SV_H2_UNKNOWN_ENCODING } sv_h2_encoding;

typedef struct sv_h2_header {  // offsets into the call's texts
  uint32_t name, name_size, value, value_size;
} sv_h2_header;

struct sv_call {
  sv_h2_connection *connection;
  sv_call *previous, *next;  // of the connection's open ones; `next` also of those that wait to be used again
  int32_t stream_id;
  void *user;
  uint64_t begin_ns, deadline_ns;
  struct event deadline;
  bool has_deadline_event;

  // States, each set once.
  bool opened;         // the service was told of it
  bool let_go;         // the service has finished it, or never had it
  bool finished;       // its code is known: trailers follow what is queued
  bool told_gone;      // the service knows that the client does not wait any more
  bool half_closed;    // by the peer: no further DATA
  bool told_half;      // the service knows
  bool responded;      // the response's HEADERS are submitted
  bool trailers_sent;  // submitted
  bool stream_closed;  // nghttp2 has no such stream any more
  bool in_list;        // of the connection's calls

  // Headers. Names and values lie in `texts`.
  sv_text texts;
  sv_h2_header *headers;
  size_t num_headers, room_headers, header_bytes;
  bool too_many_headers;
  sv_str path;  // these four are set when all headers are there
  sv_str content_type, user_agent;
  sv_h2_encoding encoding;

  // The message that is coming in.
  unsigned char prefix[5];
  uint32_t prefix_size;
  sv_block *block;  // room for a message; reused where nobody else holds it
  size_t message_size, message_have;
  size_t message_at;  // where in the block it begins
  uint64_t last_input_ns;
  sv_text backlog;    // bytes that came while the service was busy; the client's window is closed by so much
  size_t unconsumed;  // bytes of messages that are with the service
  uint32_t unconsumed_messages;
  uint64_t bytes_in, bytes_out;
  bool backlog_queued;
  sv_call *next_backlog;

  // What is to be sent.
  sv_h2_message *send_first, *send_last;
  size_t unsent;
  uint64_t last_output_ns;
  int code;             // gRPC's, or above 99 HTTP's
  sv_text status_text;  // percent-encoded
  sv_text access_texts;
  sv_access access;
};

struct sv_h2_connections {
  sv_loop *loop;
  const sv_h2_server *server;
  nghttp2_session_callbacks *callbacks;
  nghttp2_option *option;
  sv_h2_connection *first;  // that live
  uint64_t tick_ns;         // how often a connection looks at its times
  size_t count;             // that live, or have calls which are not finished
  bool released;
  unsigned char *buffer;  // what is read from any of them
};

struct sv_h2_connection {
  sv_h2_connections *all;
  sv_h2_connection *previous, *next;
  sv_stream *stream;  // NULL: lost or closed
  nghttp2_session *session;
  sv_h2_output output;
  uint32_t references;  // lives, each call, the task
  sv_task round_end;
  bool round_end_waits;
  struct event timer;
  char *remote;
  bool reading, writing;  // wished for
  bool broken;            // to be closed as soon as nothing runs in it
  bool peer_ended;        // the peer has shut its side
  bool settings_seen, draining, drain_final;
  bool pinged;
  uint64_t begin_ns, last_read_ns, last_write_ns, drain_ns, ping_ns;
  sv_call *calls, *spare;
  size_t num_calls, num_spare;
  sv_call *backlogs;
  sv_h2_message *spare_messages;
  size_t num_spare_messages;
  size_t held;  // bytes in the server's bytes_in_flight
};

// connection.c
void sv_h2_connection_wake(
    sv_h2_connection *connection);  // there may be something to write or to do at the round's end
void sv_h2_connection_release(sv_h2_connection *connection);
void sv_h2_connection_drain_last(sv_h2_connection *connection);  // the final GOAWAY, where the first is sent
void sv_h2_connection_hold(sv_h2_connection *connection, size_t bytes);
void sv_h2_connection_unhold(sv_h2_connection *connection, size_t bytes);

// session.c
bool sv_h2_session_setup(sv_h2_connections *connections);
bool sv_h2_session_create(sv_h2_connection *connection);
// Moves frames into the output, up to its high-water mark. False: the session is over.
bool sv_h2_session_gather(sv_h2_connection *connection);

// call.c
// The call's outcome, if it has none yet; the service is told that it is gone.
sv_call *sv_h2_call_create(sv_h2_connection *connection, int32_t stream_id);
void sv_h2_call_opened(sv_call *call);  // the headers are complete
void sv_h2_call_closed(sv_call *call, uint32_t error_code);
void sv_h2_call_fail(sv_call *call, millrace_code code, const char *message);
void sv_h2_calls_destroy(sv_call *list);  // those kept to be used again

// headers.c
bool sv_h2_header_add(sv_call *call, sv_str name, sv_str value);
// "100m": 8 digits at most and one of H M S m u n. False where it is not that.
bool sv_h2_timeout_parse(sv_str text, uint64_t *out_ns);
// grpc-message: UTF-8, percent-encoded.
void sv_h2_percent_encode(sv_text *out, const char *message);

// receive.c
void sv_h2_receive(sv_call *call, const uint8_t *data, size_t size);
void sv_h2_receive_half_close(sv_call *call);
void sv_h2_receive_backlog(sv_call *call);  // some of what waited
void sv_h2_receive_forget(sv_call *call);   // the call is over: what came in of it is dropped

// send.c
extern const nghttp2_data_source_read_callback sv_h2_send_read;
int sv_h2_send_data(nghttp2_session *session, nghttp2_frame *frame, const uint8_t *head, size_t length,
                    nghttp2_data_source *source, void *user_data);
void sv_h2_send_forget(sv_call *call);
void sv_h2_respond_trailers(sv_call *call);  // Trailers-Only
void sv_h2_respond_http(sv_call *call, int status);

// inflate.c
sv_error *sv_h2_inflate(sv_h2_encoding encoding, const unsigned char *from, size_t size, size_t most,
                        sv_block **out_block, size_t *out_size);

#endif
