// TLS by OpenSSL: contexts from files, and reading and writing without blocking.
#include <limits.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "serve/net/tls.h"

struct sv_tls {
  char *certificate_path, *key_path, *client_ca_path;
  pthread_mutex_t mutex;  // over context: connections are made on any loop
  SSL_CTX *context;
};

// What a record holds at most; several small pieces go out as one record.
#define RECORD_BYTES ((size_t)16384)

// ---- Contexts -------------------------------------------------------------------------------------------------------

static sv_error *failed(const char *what, const char *path) {
  char reason[256] = "unknown";
  unsigned long code = ERR_peek_last_error();
  if (code) {
    ERR_error_string_n(code, reason, sizeof reason);
  }
  ERR_clear_error();
  return sv_errorf(MILLRACE_INVALID_ARGUMENT, "TLS: %s \"%s\" cannot be used: %s", what, path, reason);
}

// The server's order of preference: http/1.1, which REST is spoken over, then h2, which is gRPC alone, and whose clients offer nothing else. A
// client that names neither goes on without a choice.
static int choose_protocol(SSL *ssl, const unsigned char **out, unsigned char *out_size, const unsigned char *in,
                           unsigned in_size, void *argument) {
  (void)ssl;
  (void)argument;
  static const unsigned char ours[] = "\x08http/1.1\x02h2";
  unsigned char *chosen = NULL;
  if (SSL_select_next_proto(&chosen, out_size, ours, sizeof ours - 1, in, in_size) != OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_NOACK;
  }
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

static sv_error *load_files(const sv_tls *tls, SSL_CTX *context) {
  if (SSL_CTX_use_certificate_chain_file(context, tls->certificate_path) != 1) {
    return failed("the certificate", tls->certificate_path);
  }
  if (SSL_CTX_use_PrivateKey_file(context, tls->key_path, SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(context) != 1) {
    return failed("the key", tls->key_path);
  }
  if (tls->client_ca_path) {
    STACK_OF(X509_NAME) *names = SSL_load_client_CA_file(tls->client_ca_path);
    if (!names || SSL_CTX_load_verify_locations(context, tls->client_ca_path, NULL) != 1) {
      sk_X509_NAME_pop_free(names, X509_NAME_free);
      return failed("the authority of the clients' certificates", tls->client_ca_path);
    }
    SSL_CTX_set_client_CA_list(context, names);  // takes the names
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
  }
  return NULL;
}

static sv_error *create_context(const sv_tls *tls, SSL_CTX **out_context) {
  ERR_clear_error();
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  if (!context) {
    ERR_clear_error();
    return sv_no_memory();
  }
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  // A peer that closes without saying so is a close: HTTP's lengths tell what was cut.
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_IGNORE_UNEXPECTED_EOF | SSL_OP_NO_COMPRESSION |
                                   SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(context,
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_id_context(context, (const unsigned char *)"millrace", 8);  // wanted when clients are verified
  SSL_CTX_set_alpn_select_cb(context, choose_protocol, NULL);
  sv_error *error = load_files(tls, context);
  if (error) {
    SSL_CTX_free(context);
    return error;
  }
  *out_context = context;
  return NULL;
}

sv_error *sv_tls_create(const char *certificate_path, const char *key_path, const char *client_ca_path,
                        sv_tls **out_tls) {
  *out_tls = NULL;
  sv_tls *tls = calloc(1, sizeof *tls);
  if (!tls) {
    return sv_no_memory();
  }
  pthread_mutex_init(&tls->mutex, NULL);
  tls->certificate_path = strdup(certificate_path);
  tls->key_path = strdup(key_path);
  tls->client_ca_path = client_ca_path ? strdup(client_ca_path) : NULL;
  bool copied = tls->certificate_path && tls->key_path && (tls->client_ca_path || !client_ca_path);
  sv_error *error = copied ? create_context(tls, &tls->context) : sv_no_memory();
  if (error) {
    sv_tls_release(tls);
    return error;
  }
  *out_tls = tls;
  return NULL;
}

sv_error *sv_tls_reload(sv_tls *tls) {
  SSL_CTX *context = NULL;
  SV_TRY(create_context(tls, &context));
  pthread_mutex_lock(&tls->mutex);
  SSL_CTX *before = tls->context;
  tls->context = context;
  pthread_mutex_unlock(&tls->mutex);
  SSL_CTX_free(before);  // connections have references of their own
  return NULL;
}

void sv_tls_release(sv_tls *tls) {
  if (tls) {
    SSL_CTX_free(tls->context);
    free(tls->certificate_path);
    free(tls->key_path);
    free(tls->client_ca_path);
    pthread_mutex_destroy(&tls->mutex);
    free(tls);
  }
}

// ---- Connections ----------------------------------------------------------------------------------------------------

SSL *sv_tls_open(sv_tls *tls, int descriptor) {
  pthread_mutex_lock(&tls->mutex);
  SSL *ssl = SSL_new(tls->context);
  pthread_mutex_unlock(&tls->mutex);
  if (ssl && SSL_set_fd(ssl, descriptor) != 1) {
    SSL_free(ssl);
    ssl = NULL;
  }
  ERR_clear_error();
  if (ssl) {
    SSL_set_accept_state(ssl);
    SSL_set_read_ahead(ssl, 1);  // one recv() for a record's head and body
  }
  return ssl;
}

static sv_io result_of(SSL *ssl, int result, int other_error, bool *out_other) {
  int error = SSL_get_error(ssl, result);
  ERR_clear_error();
  *out_other = error == other_error;
  switch (error) {
  case SSL_ERROR_WANT_READ:
  case SSL_ERROR_WANT_WRITE: return SV_IO_AGAIN;
  case SSL_ERROR_ZERO_RETURN: return SV_IO_END;
  default: return SV_IO_LOST;
  }
}

sv_io sv_tls_read(SSL *ssl, void *to, size_t room, size_t *out_size, bool *out_other) {
  *out_size = 0;
  *out_other = false;
  // A record a call: several are taken while they have arrived already, so that a large body needs few rounds of the loop.
  while (*out_size < room) {
    size_t size = 0;
    int result = SSL_read_ex(ssl, (char *)to + *out_size, room - *out_size, &size);
    if (result != 1) {
      sv_io io = result_of(ssl, result, SSL_ERROR_WANT_WRITE, out_other);
      return *out_size ? SV_IO_OK : io;
    }
    *out_size += size;
    if (!SSL_has_pending(ssl)) {
      break;
    }
  }
  return SV_IO_OK;
}

sv_io sv_tls_write(SSL *ssl, const struct iovec *pieces, int count, size_t *out_size, bool *out_other) {
  *out_size = 0;
  *out_other = false;
  char record[RECORD_BYTES];
  const void *from = record;
  size_t size = 0;
  for (int i = 0; i < count && size < sizeof record; i++) {
    size_t part = pieces[i].iov_len;
    if (size == 0 && part >= sizeof record) {
      from = pieces[i].iov_base;
      size = sizeof record;
    } else if (part) {
      part = part < sizeof record - size ? part : sizeof record - size;
      memcpy(record + size, pieces[i].iov_base, part);
      size += part;
    }
  }
  if (size == 0) {
    return SV_IO_OK;
  }
  int result = SSL_write_ex(ssl, from, size, out_size);
  if (result == 1) {
    return SV_IO_OK;
  }
  sv_io io = result_of(ssl, result, SSL_ERROR_WANT_READ, out_other);
  return io == SV_IO_END ? SV_IO_LOST : io;
}

bool sv_tls_has_pending(const SSL *ssl) { return SSL_has_pending(ssl); }

bool sv_tls_is_open(const SSL *ssl) { return SSL_is_init_finished(ssl); }

bool sv_tls_chose_h2(const SSL *ssl) {
  const unsigned char *name = NULL;
  unsigned size = 0;
  SSL_get0_alpn_selected(ssl, &name, &size);
  return size == 2 && memcmp(name, "h2", 2) == 0;
}

char *sv_tls_identity(const SSL *ssl) {
  X509 *certificate = SSL_get0_peer_certificate(ssl);
  if (!certificate || SSL_get_verify_result(ssl) != X509_V_OK) {
    return NULL;
  }
  BIO *memory = BIO_new(BIO_s_mem());
  char *text = NULL;
  if (memory && X509_NAME_print_ex(memory, X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253) >= 0) {
    char *bytes = NULL;
    long size = BIO_get_mem_data(memory, &bytes);
    text = size > 0 ? sv_str_copy((sv_str){bytes, (size_t)size}) : NULL;
  }
  BIO_free(memory);
  ERR_clear_error();
  return text;
}

void sv_tls_end(SSL *ssl) {
  if (SSL_is_init_finished(ssl) && !(SSL_get_shutdown(ssl) & SSL_SENT_SHUTDOWN)) {
    SSL_shutdown(ssl);  // what the socket does not take now is not waited for
  }
  ERR_clear_error();
}

void sv_tls_close(SSL *ssl) {
  SSL_free(ssl);
  ERR_clear_error();
}
