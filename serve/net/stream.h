// A connected socket without blocking, plain or under TLS. On its loop's thread.
#ifndef SV_STREAM_H
#define SV_STREAM_H

#include <sys/uio.h>

#include "serve/net/loop.h"

typedef struct sv_stream sv_stream;
typedef struct sv_tls sv_tls;  // certificates, shared by connections (OpenSSL's SSL_CTX)

typedef enum sv_io {
  SV_IO_OK,     // some bytes (*out_size > 0)
  SV_IO_AGAIN,  // not now: the stream's event tells when
  SV_IO_END,    // the peer has shut its side, in order
  SV_IO_LOST,   // reset, or a TLS failure: nothing more can be done but to close
} sv_io;

// Takes the descriptor, also when this fails. `ready` is called on the loop when the stream may be readable or writable, as wished for.
sv_error *sv_stream_create(sv_loop *loop, int take_descriptor, sv_tls *tls, void (*ready)(void *argument),
                           void *argument, sv_stream **out_stream);
void sv_stream_set_ready(sv_stream *stream, void (*ready)(void *argument), void *argument);
sv_loop *sv_stream_loop(const sv_stream *stream);
sv_io sv_stream_read(sv_stream *stream, void *to, size_t room, size_t *out_size);
// May write less than all. After SV_IO_AGAIN the next call begins with the same bytes (TLS has encrypted some of them already).
sv_io sv_stream_write(sv_stream *stream, const struct iovec *pieces, int count, size_t *out_size);
// What the stream waits for from here on. Under TLS it sees itself to what the handshake and renegotiation need.
void sv_stream_wish(sv_stream *stream, bool reading, bool writing);
const char *sv_stream_remote(const sv_stream *stream);    // "127.0.0.1:4711", "[::1]:1", "unix:pid=7,uid=0"
bool sv_stream_is_local(const sv_stream *stream);         // loopback, or a unix socket
bool sv_stream_chose_h2(const sv_stream *stream);         // by ALPN, once the handshake is over
const char *sv_stream_identity(const sv_stream *stream);  // of the verified client certificate, else NULL
bool sv_stream_is_open(const sv_stream *stream);          // the handshake is over; always, where there is none
// Says that nothing more is sent (shutdown(), TLS's close_notify); reading goes on.
void sv_stream_end(sv_stream *stream);
void sv_stream_close(sv_stream *stream);  // frees it; NULL is fine. No call of ready() after it.

// Certificates in PEM files. `client_ca_path`: clients must show a certificate that this signed; NULL: no certificates of clients.
// TLS 1.2 at least; ALPN offers http/1.1 and h2, in this order.
sv_error *sv_tls_create(const char *certificate_path, const char *key_path, const char *client_ca_path,
                        sv_tls **out_tls);
sv_error *sv_tls_reload(sv_tls *tls);  // connections that come later see the new files; on failure the old ones stay
void sv_tls_release(sv_tls *tls);

#endif
