// Inside net/: what stream.c asks of TLS.
#ifndef SV_NET_TLS_H
#define SV_NET_TLS_H

#include "serve/net/stream.h"

typedef struct ssl_st SSL;

SSL *sv_tls_open(sv_tls *tls, int descriptor);  // the server's side of a connection; NULL without memory
// Like sv_stream_read() and sv_stream_write(). *out_other: AGAIN, and it waits for the other direction than the call's own.
sv_io sv_tls_read(SSL *ssl, void *to, size_t room, size_t *out_size, bool *out_other);
sv_io sv_tls_write(SSL *ssl, const struct iovec *pieces, int count, size_t *out_size, bool *out_other);
bool sv_tls_has_pending(const SSL *ssl);  // bytes were taken from the socket that no read has given yet
bool sv_tls_is_open(const SSL *ssl);      // the handshake is over
bool sv_tls_chose_h2(const SSL *ssl);
char *sv_tls_identity(const SSL *ssl);  // a copy, for free(); NULL: none
void sv_tls_end(SSL *ssl);              // says that nothing more is sent, once
void sv_tls_close(SSL *ssl);

#endif
