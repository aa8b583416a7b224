// HTTP/1.1 under TLS: certificates, those of clients, other files while it runs, HTTP/2 by ALPN, peers that do not speak it.
#include "tests/serve/http_server.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <signal.h>

#define HOST "Host: x\r\n"

static server s;
static char folder[] = "/tmp/sv-tls-XXXXXX";
static char paths[6][64];  // ORDER file
enum { CERT_A, KEY_A, CERT_B, KEY_B, CERT_CLIENT, KEY_CLIENT };

// ---- Certificates ---------------------------------------------------------------------------------------------------

// Signed by itself, so that it is its own authority.
static void make_certificate(const char *name, const char *certificate_path, const char *key_path) {
  EVP_PKEY *key = EVP_EC_gen("P-256");
  X509 *certificate = X509_new();
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 86400);
  X509_set_pubkey(certificate, key);
  X509_NAME *subject = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const unsigned char *)name, -1, -1, 0);
  X509_set_issuer_name(certificate, subject);
  assert_true(X509_sign(certificate, key, EVP_sha256()) > 0);
  FILE *file = fopen(certificate_path, "w");
  PEM_write_X509(file, certificate);
  fclose(file);
  file = fopen(key_path, "w");
  PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL);
  fclose(file);
  X509_free(certificate);
  EVP_PKEY_free(key);
}

static int make_files(void **state) {
  (void)state;
  static const char *const names[] = {"a.pem", "a.key", "b.pem", "b.key", "client.pem", "client.key"};
  assert_non_null(mkdtemp(folder));
  for (int i = 0; i < 6; i++) {
    snprintf(paths[i], sizeof paths[i], "%s/%s", folder, names[i]);
  }
  make_certificate("a", paths[CERT_A], paths[KEY_A]);
  make_certificate("b", paths[CERT_B], paths[KEY_B]);
  make_certificate("client", paths[CERT_CLIENT], paths[KEY_CLIENT]);
  return 0;
}

static void copy(const char *from, const char *to) {
  char bytes[8192];
  FILE *file = fopen(from, "r");
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  file = fopen(to, "w");
  fwrite(bytes, 1, size, file);
  fclose(file);
}

// ---- Clients --------------------------------------------------------------------------------------------------------

typedef struct client {
  int descriptor;
  SSL *ssl;
  SSL_CTX *context;
} client;

static client open_client(const char *alpn, bool with_certificate, int version) {
  client c = {.descriptor = client_connect(&s), .context = SSL_CTX_new(TLS_client_method())};
  SSL_CTX_set_min_proto_version(c.context, version);
  SSL_CTX_set_max_proto_version(c.context, version);
  if (with_certificate) {
    SSL_CTX_use_certificate_file(c.context, paths[CERT_CLIENT], SSL_FILETYPE_PEM);
    SSL_CTX_use_PrivateKey_file(c.context, paths[KEY_CLIENT], SSL_FILETYPE_PEM);
  }
  c.ssl = SSL_new(c.context);
  if (alpn) {
    SSL_set_alpn_protos(c.ssl, (const unsigned char *)alpn, (unsigned)strlen(alpn));
  }
  SSL_set_fd(c.ssl, c.descriptor);
  return c;
}

static void close_client(client *c, bool politely) {
  if (politely) {
    SSL_shutdown(c->ssl);
  }
  SSL_free(c->ssl);
  SSL_CTX_free(c->context);
  close(c->descriptor);
  ERR_clear_error();
}

static void name_of_peer(client *c, char out[64]) {
  X509 *certificate = SSL_get1_peer_certificate(c->ssl);
  X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, out, 64);
  X509_free(certificate);
}

static void send_text(client *c, const char *text) {
  assert_int_equal(SSL_write(c->ssl, text, (int)strlen(text)), (int)strlen(text));
}

// An answer's body of so many bytes, at most 1 MiB, ended by a NUL.
static char *receive(client *c, size_t *out_size) {
  char head[4096];
  size_t size = 0;
  while (size < 4 || memcmp(head + size - 4, "\r\n\r\n", 4) != 0) {
    assert_int_equal(SSL_read(c->ssl, head + size++, 1), 1);
  }
  head[size] = 0;
  *out_size = client_length(head);
  char *body = malloc(*out_size + 1);
  for (size_t at = 0; at < *out_size;) {
    int got = SSL_read(c->ssl, body + at, (int)(*out_size - at));
    assert_true(got > 0);
    at += (size_t)got;
  }
  body[*out_size] = 0;
  return body;
}

static void expect(client *c, const char *request, const char *words) {
  size_t size = 0;
  send_text(c, request);
  char *body = receive(c, &size);
  assert_non_null(strstr(body, words));
  free(body);
}

static int setup(void **state) {
  (void)state;
  server_begin(&s);
  check_ok(sv_tls_create(paths[CERT_A], paths[KEY_A], NULL, &s.tls));
  return 0;
}

static int setup_clients(void **state) {
  (void)state;
  server_begin(&s);
  check_ok(sv_tls_create(paths[CERT_A], paths[KEY_A], paths[CERT_CLIENT], &s.tls));
  return 0;
}

static int teardown(void **state) {
  (void)state;
  server_end(&s);
  return 0;
}

// ---- Tests ----------------------------------------------------------------------------------------------------------

// Many requests over one connection, several in one record, one in several records, in both versions.
static void test_requests(void **state) {
  (void)state;
  for (int version = TLS1_2_VERSION; version <= TLS1_3_VERSION; version++) {
    client c = open_client("\x08http/1.1", false, version);
    assert_int_equal(SSL_connect(c.ssl), 1);
    for (int i = 0; i < 20; i++) {
      expect(&c, "POST /a HTTP/1.1\r\n" HOST "Content-Length: 3\r\n\r\nabc", "POST /a ? json=-1 size=3");
    }
    send_text(&c, "GET /1 HTTP/1.1\r\n" HOST "\r\nGET /2 HTTP/1.1\r\n" HOST "\r\nGET /3 HTTP/1.1\r\nHo");
    expect(&c, "st: x\r\n\r\n", "GET /1");
    expect(&c, "GET /4 HTTP/1.1\r\n" HOST "\r\n", "GET /2");
    for (int i = 3; i < 5; i++) {
      size_t size = 0;
      char *body = receive(&c, &size);
      free(body);
    }
    close_client(&c, true);
  }
  wait_until(&s.closed, 2);
}

// Large bodies both ways, with a reader that is slower than the writer.
static void test_large(void **state) {
  (void)state;
  client c = open_client(NULL, false, TLS1_3_VERSION);
  assert_int_equal(SSL_connect(c.ssl), 1);
  size_t size = 3000000, got = 0;
  char *bytes = malloc(size);
  for (size_t i = 0; i < size; i++) {
    bytes[i] = (char)(i * 7 + i / 251);
  }
  for (int i = 0; i < 3; i++) {
    send_text(&c, "POST /echo HTTP/1.1\r\n" HOST "Content-Length: 3000000\r\n\r\n");
    assert_int_equal(SSL_write(c.ssl, bytes, (int)size), (int)size);
    usleep(20000);
    char *body = receive(&c, &got);
    assert_int_equal(got, size);
    assert_memory_equal(body, bytes, size);
    free(body);
  }
  expect(&c, "GET /after HTTP/1.1\r\n" HOST "\r\n", "GET /after");
  free(bytes);
  close_client(&c, false);
  wait_until(&s.closed, 1);
}

static void identity(server *on, void *argument) {
  const char *text = sv_stream_identity(sv_exchange_stream(on->held[0]));
  snprintf(argument, 64, "%s", text ? text : "(none)");
  server_answer(on, on->held[0], "text/plain", "late", 4);
}

static void check_identity(client *c, const char *wanted) {
  char name[64] = "";
  send_text(c, "GET /late HTTP/1.1\r\n" HOST "\r\n");
  sem_wait(&s.arrived);
  server_do(&s, identity, name);
  s.num_held = 0;
  assert_string_equal(name, wanted);
  size_t size = 0;
  free(receive(c, &size));
}

static void test_no_identity(void **state) {
  (void)state;
  client c = open_client(NULL, true, TLS1_3_VERSION);
  assert_int_equal(SSL_connect(c.ssl), 1);
  check_identity(&c, "(none)");
  close_client(&c, true);
}

// With an authority for clients only those with a certificate get in, and are known by its name.
static void test_clients(void **state) {
  (void)state;
  for (int version = TLS1_2_VERSION; version <= TLS1_3_VERSION; version++) {
    client c = open_client(NULL, true, version);
    assert_int_equal(SSL_connect(c.ssl), 1);
    check_identity(&c, "CN=client");
    close_client(&c, true);
    c = open_client(NULL, false, version);
    char byte;
    assert_true(SSL_connect(c.ssl) != 1 || SSL_read(c.ssl, &byte, 1) <= 0);  // 1.3 learns it with the first read
    close_client(&c, false);
  }
  wait_until(&s.closed, 4);
}

// Connections that come after a reload see the new files; files that do not fit leave the old ones.
static void test_reload(void **state) {
  (void)state;
  char certificate[80], key[80], name[64] = "";
  snprintf(certificate, sizeof certificate, "%s/live.pem", folder);
  snprintf(key, sizeof key, "%s/live.key", folder);
  copy(paths[CERT_A], certificate);
  copy(paths[KEY_A], key);
  sv_tls_release(s.tls);
  check_ok(sv_tls_create(certificate, key, NULL, &s.tls));
  client before = open_client(NULL, false, TLS1_3_VERSION);
  assert_int_equal(SSL_connect(before.ssl), 1);
  name_of_peer(&before, name);
  assert_string_equal(name, "a");

  copy(paths[CERT_B], certificate);
  check_fails(sv_tls_reload(s.tls), MILLRACE_INVALID_ARGUMENT, key);  // the key is still the old one's
  copy(paths[KEY_B], key);
  check_ok(sv_tls_reload(s.tls));
  client after = open_client(NULL, false, TLS1_3_VERSION);
  assert_int_equal(SSL_connect(after.ssl), 1);
  name_of_peer(&after, name);
  assert_string_equal(name, "b");
  expect(&before, "GET /x HTTP/1.1\r\n" HOST "\r\n", "GET /x");
  expect(&after, "GET /x HTTP/1.1\r\n" HOST "\r\n", "GET /x");
  close_client(&before, true);
  close_client(&after, true);
  unlink(certificate);
  check_fails(sv_tls_reload(s.tls), MILLRACE_INVALID_ARGUMENT, certificate);
  unlink(key);
}

// A client that chose h2, as gRPC's do, is handed over with its first bytes; one that offers both gets http/1.1, which REST is spoken over.
static void test_alpn(void **state) {
  (void)state;
  const unsigned char *name = NULL;
  unsigned size = 0;
  client both = open_client("\x02h2\x08http/1.1", false, TLS1_3_VERSION);
  assert_int_equal(SSL_connect(both.ssl), 1);
  SSL_get0_alpn_selected(both.ssl, &name, &size);
  assert_int_equal(size, 8);
  assert_memory_equal(name, "http/1.1", 8);
  close_client(&both, true);
  client c = open_client("\x02h2", false, TLS1_3_VERSION);
  assert_int_equal(SSL_connect(c.ssl), 1);
  SSL_get0_alpn_selected(c.ssl, &name, &size);
  assert_int_equal(size, 2);
  assert_memory_equal(name, "h2", 2);
  send_text(&c, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  wait_until(&s.handed_over, 1);
  assert_memory_equal(s.h2_bytes, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 24);
  close_client(&c, true);
}

// What does not speak TLS, or only a version that is too old, or nothing, is closed and harms nobody.
static void test_strangers(void **state) {
  (void)state;
  s.limits.header_timeout_ns = 200000000;
  int plain = client_connect(&s), silent = client_connect(&s);
  client_puts(plain, "GET / HTTP/1.1\r\n" HOST "\r\n");
  char bytes[256];
  while (client_read(plain, bytes, sizeof bytes) > 0) {
  }
  while (client_read(silent, bytes, sizeof bytes) > 0) {
  }
  close(plain);
  close(silent);
  client old = open_client(NULL, false, TLS1_1_VERSION);
  SSL_set_security_level(old.ssl, 0);
  assert_int_not_equal(SSL_connect(old.ssl), 1);
  close_client(&old, false);
  wait_until(&s.closed, 3);
  client c = open_client(NULL, false, TLS1_3_VERSION);
  assert_int_equal(SSL_connect(c.ssl), 1);
  expect(&c, "GET /x HTTP/1.1\r\n" HOST "\r\n", "GET /x");
  close_client(&c, true);
}

static void answer_held(server *on, void *argument) {
  (void)argument;
  server_answer(on, on->held[0], "text/plain", "late", 4);
}

// A client that goes while its request is in work is noticed, with TLS's goodbye and without.
static void test_gone(void **state) {
  (void)state;
  for (int politely = 0; politely < 2; politely++) {
    client c = open_client(NULL, false, TLS1_3_VERSION);
    assert_int_equal(SSL_connect(c.ssl), 1);
    send_text(&c, "GET /late HTTP/1.1\r\n" HOST "\r\n");
    sem_wait(&s.arrived);
    close_client(&c, politely);
    wait_until(&s.gone, politely + 1);
    server_do(&s, answer_held, NULL);
    s.num_held = 0;
    wait_until(&s.closed, politely + 1);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(requests),    TEST(large),
      TEST(no_identity), cmocka_unit_test_setup_teardown(test_clients, setup_clients, teardown),
      TEST(reload),      TEST(alpn),
      TEST(strangers),   TEST(gone),
  };
  signal(SIGPIPE, SIG_IGN);
  make_files(NULL);
  int failed = check_run(tests);
  for (int i = 0; i < 6; i++) {
    unlink(paths[i]);
  }
  rmdir(folder);
  return failed;
}
