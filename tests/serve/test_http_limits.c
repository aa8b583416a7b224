// Compressed bodies, deadlines and the budget of bytes.
#include "tests/serve/http_server.h"

#include <zlib.h>

#include "serve/http/coding.h"

#define HOST "Host: x\r\n"

static server s;

static int setup(void **state) {
  (void)state;
  server_begin(&s);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  server_end(&s);
  return 0;
}

// ---- Codings --------------------------------------------------------------------------------------------------------

static sv_text pack(sv_coding coding, const char *bytes, size_t size) {
  sv_deflater *deflater = sv_deflater_create();
  assert_non_null(deflater);
  sv_text out = {0};
  size_t half = size / 3;
  sv_piece pieces[] = {{bytes, half}, {bytes + half, size - half}, {NULL, 0}};
  assert_true(sv_deflate(deflater, coding, pieces, 3, &out));
  sv_deflater_release(deflater);
  return out;
}

// zlib itself reads what was written; window_bits as zlib counts them.
static void check_unpacks(const char *bytes, size_t size, int window_bits, const char *wanted, size_t wanted_size) {
  char *out = malloc(wanted_size + 1);
  z_stream stream = {.next_in = (Bytef *)(uintptr_t)bytes,
                     .avail_in = (uInt)size,
                     .next_out = (Bytef *)out,
                     .avail_out = (uInt)wanted_size + 1};
  assert_int_equal(inflateInit2(&stream, window_bits), Z_OK);
  assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
  assert_int_equal(stream.total_out, wanted_size);
  assert_memory_equal(out, wanted, wanted_size);
  inflateEnd(&stream);
  free(out);
}

static char *make_bytes(size_t size) {
  char *bytes = malloc(size + 1);
  for (size_t i = 0; i < size; i++) {
    bytes[i] = (char)("0123456789abcdef"[(i * 7 + i / 16) % 16] + i % 3);
  }
  bytes[size] = 0;
  return bytes;
}

static int post(int c, const char *lines, const char *body, size_t size, const char *words) {
  char head[512];
  snprintf(head, sizeof head, "POST /echo HTTP/1.1\r\n" HOST "%sContent-Length: %zu\r\n\r\n", lines, size);
  client_puts(c, head);
  client_send(c, body, size);
  client_answer answer = client_receive(c);
  if (words) {
    assert_non_null(strstr(answer.body, words));
  }
  int status = answer.status;
  client_answer_free(&answer);
  return status;
}

// Bodies of both codings are inflated, whole or in chunks, in small steps and in large ones.
static void test_inflate(void **state) {
  (void)state;
  int c = client_connect(&s);
  static const size_t sizes[] = {0, 1, 100, 20000, 3000000};
  for (size_t i = 0; i < 2 * sizeof sizes / sizeof sizes[0]; i++) {
    size_t size = sizes[i / 2];
    bool gzip = i % 2 == 0;
    char *bytes = make_bytes(size);
    sv_text packed = pack(gzip ? SV_GZIP : SV_DEFLATE, bytes, size);
    char head[512];
    snprintf(head, sizeof head, "POST /echo HTTP/1.1\r\n" HOST "Content-Encoding: %s\r\nContent-Length: %zu\r\n\r\n",
             gzip ? "gzip" : "deflate", packed.size);
    client_puts(c, head);
    size_t first = packed.size / 2;
    client_send(c, packed.data, first);
    usleep(1000);
    client_send(c, packed.data + first, packed.size - first);
    client_answer answer = client_receive(c);
    assert_int_equal(answer.status, 200);
    assert_int_equal(answer.size, size);
    assert_memory_equal(answer.body, bytes, size);
    client_answer_free(&answer);

    snprintf(head, sizeof head,
             "POST /echo HTTP/1.1\r\n" HOST "Content-Encoding: %s\r\nTransfer-Encoding: chunked\r\n\r\n%zx\r\n",
             gzip ? "x-gzip" : "deflate", packed.size);
    client_puts(c, head);
    client_send(c, packed.data, packed.size);
    client_puts(c, "\r\n0\r\n\r\n");
    answer = client_receive(c);
    assert_int_equal(answer.size, size);
    assert_memory_equal(answer.body, bytes, size);
    client_answer_free(&answer);
    sv_text_free(&packed);
    free(bytes);
  }
  close(c);
}

// The JSON's length counts what is inflated, and what is behind it is aligned.
static void test_inflated_json(void **state) {
  (void)state;
  int c = client_connect(&s);
  sv_text packed = pack(SV_GZIP, "{\"a\":1}tensor", 13);
  char head[256];
  snprintf(head, sizeof head,
           "POST /x HTTP/1.1\r\n" HOST
           "Content-Encoding: gzip\r\nInference-Header-Content-Length: 7\r\nContent-Length: %zu\r\n\r\n",
           packed.size);
  client_puts(c, head);
  client_send(c, packed.data, packed.size);
  client_expect(c, "", 200, "json=7 size=13 sum=");
  snprintf(head, sizeof head,
           "POST /x HTTP/1.1\r\n" HOST
           "Content-Encoding: gzip\r\nInference-Header-Content-Length: 14\r\nContent-Length: %zu\r\n\r\n",
           packed.size);
  client_puts(c, head);
  client_send(c, packed.data, packed.size);
  client_expect(c, "", 400, "Inference-Header-Content-Length");
  sv_text_free(&packed);
  close(c);
}

// What is not compressed as it says, is cut, or goes on behind its end is refused; so is a bomb, before it is whole.
static void test_bad_compression(void **state) {
  (void)state;
  int c = client_connect(&s);
  assert_int_equal(post(c, "Content-Encoding: gzip\r\n", "not gzip at all", 15, "Content-Encoding"), 400);
  close(c);
  c = client_connect(&s);
  char *bytes = make_bytes(5000);
  sv_text packed = pack(SV_GZIP, bytes, 5000);
  assert_int_equal(post(c, "Content-Encoding: gzip\r\n", packed.data, packed.size - 1, "before it is complete"), 400);
  close(c);
  c = client_connect(&s);
  assert_int_equal(post(c, "Content-Encoding: deflate\r\n", packed.data, packed.size, "Content-Encoding"), 400);
  close(c);
  c = client_connect(&s);
  sv_text_putc(&packed, 'x');
  assert_int_equal(post(c, "Content-Encoding: gzip\r\n", packed.data, packed.size, "behind"), 400);
  close(c);
  sv_text_free(&packed);
  free(bytes);

  size_t size = (size_t)80 << 20;  // the limit is 64 MiB
  char *zeros = calloc(1, size);
  packed = pack(SV_GZIP, zeros, size);
  free(zeros);
  assert_true(packed.size < 1000000);
  c = client_connect(&s);
  assert_int_equal(post(c, "Content-Encoding: gzip\r\n", packed.data, packed.size, "larger"), 413);
  close(c);
  sv_text_free(&packed);
  c = client_connect(&s);
  client_puts(c, "POST /x HTTP/1.1\r\n" HOST "Content-Encoding: br\r\nContent-Length: 1\r\n\r\nx");
  client_answer answer = client_receive(c);
  assert_int_equal(answer.status, 415);
  assert_non_null(strstr(answer.head, "Accept-Encoding: gzip, deflate\r\n"));
  client_answer_free(&answer);
  close(c);
}

// A body of exactly the limit passes, compressed or not; a byte more does not.
static void test_inflated_limit(void **state) {
  (void)state;
  for (size_t size = 99; size <= 102; size++) {
    char *bytes = make_bytes(size), head[256];
    sv_text packed = pack(SV_DEFLATE, bytes, size);
    int c = client_connect(&s);
    snprintf(head, sizeof head,
             "POST /small HTTP/1.1\r\n" HOST "Content-Encoding: deflate\r\nContent-Length: %zu\r\n\r\n", packed.size);
    client_puts(c, head);
    client_send(c, packed.data, packed.size);
    client_expect(c, "", size <= 100 ? 200 : 413, size <= 100 ? "size=" : "larger");
    close(c);
    sv_text_free(&packed);
    free(bytes);
  }
}

// Answers are compressed for those who ask, where it is worth it.
static void test_deflate(void **state) {
  (void)state;
  int c = client_connect(&s);
  char *bytes = make_bytes(100000);
  static const char *const asks[] = {"gzip", "deflate", "deflate;q=0.5, gzip;q=0.4", "identity"};
  for (size_t i = 0; i < 8; i++) {
    size_t size = i < 4 ? 100000 : 1023;
    char head[512];
    snprintf(head, sizeof head, "POST /echo HTTP/1.1\r\n" HOST "Accept-Encoding: %s\r\nContent-Length: %zu\r\n\r\n",
             asks[i % 4], size);
    client_puts(c, head);
    client_send(c, bytes, size);
    client_answer answer = client_receive(c);
    bool packed = i < 3, gzip = i == 0;
    assert_int_equal(answer.status, 200);
    assert_int_equal(strstr(answer.head, "Content-Encoding: gzip\r\n") != NULL, packed && gzip);
    assert_int_equal(strstr(answer.head, "Content-Encoding: deflate\r\n") != NULL, packed && !gzip);
    if (packed) {
      check_unpacks(answer.body, answer.size, gzip ? 31 : 15, bytes, size);
    } else {
      assert_int_equal(answer.size, size);
      assert_memory_equal(answer.body, bytes, size);
    }
    client_answer_free(&answer);
  }
  assert_int_equal(atomic_load(&s.released), 8);
  free(bytes);
  close(c);
}

// ---- Deadlines ------------------------------------------------------------------------------------------------------

enum { MS = 1000000 };

// A head that drips is cut off at its deadline, however steady the drip is.
static void test_header_timeout(void **state) {
  (void)state;
  s.limits.header_timeout_ns = 300 * MS;
  int c = client_connect(&s);
  client_puts(c, "GET / HTTP/1.1\r\n" HOST);
  for (int i = 0; i < 400; i++) {
    char byte;
    client_puts(c, "a");
    if (recv(c, &byte, 1, MSG_DONTWAIT | MSG_PEEK) > 0) {
      break;
    }
    usleep(10000);
  }
  client_expect(c, "", 408, "head");
  assert_true(client_sees_end(c));
  close(c);
}

// A connection without a request is closed without a word.
static void test_idle_timeout(void **state) {
  (void)state;
  s.limits.idle_timeout_ns = 100 * MS;
  int fresh = client_connect(&s), used = client_connect(&s);
  client_expect(used, "GET / HTTP/1.1\r\n" HOST "\r\n", 200, "GET /");
  assert_true(client_sees_end(fresh));
  assert_true(client_sees_end(used));
  wait_until(&s.closed, 2);
  close(fresh);
  close(used);
}

// A body that stops, or all but stops, is given up; a request in work is not.
static void test_stalled_body(void **state) {
  (void)state;
  s.limits.stall_timeout_ns = 200 * MS;
  int c = client_connect(&s), late = client_connect(&s);
  client_puts(late, "GET /late HTTP/1.1\r\n" HOST "\r\n");
  sem_wait(&s.arrived);
  client_puts(c, "POST /x HTTP/1.1\r\n" HOST "Content-Length: 100000\r\n\r\n");
  for (int i = 0; i < 1000; i++) {
    char byte;
    client_puts(c, "a");
    if (recv(c, &byte, 1, MSG_DONTWAIT | MSG_PEEK) > 0) {
      break;
    }
    usleep(10000);
  }
  client_expect(c, "", 408, "body");
  close(c);
  assert_int_equal(atomic_load(&s.gone), 0);
  close(late);
  wait_until(&s.gone, 1);
}

static void let_held_go(server *on, void *argument) {
  (void)argument;
  for (int i = 0; i < on->num_held; i++) {
    server_answer(on, on->held[i], "text/plain", "late", 4);
  }
  on->num_held = 0;
}

static int teardown_held(void **state) {
  server_do(&s, let_held_go, NULL);
  return teardown(state);
}

// An answer that nobody takes is let go.
static void test_stalled_answer(void **state) {
  (void)state;
  s.limits.stall_timeout_ns = 200 * MS;
  s.big_size = 20000000;
  s.big = calloc(1, s.big_size);
  int c = client_connect(&s);
  client_puts(c, "GET /big HTTP/1.1\r\n" HOST "\r\n");
  wait_until(&s.released, 1);
  wait_until(&s.closed, 1);
  close(c);
}

// ---- The budget -----------------------------------------------------------------------------------------------------

// Above the budget a connection is not read; when there is room, it goes on.
static void test_budget(void **state) {
  (void)state;
  s.limits.most_bytes_in_flight = 150000;
  int a = client_connect(&s), b = client_connect(&s);
  char *bytes = make_bytes(100000);
  client_puts(a, "POST /late HTTP/1.1\r\n" HOST "Content-Length: 100000\r\n\r\n");
  client_send(a, bytes, 100000);
  sem_wait(&s.arrived);
  assert_int_equal(atomic_load(&s.in_flight), 100000);
  client_puts(b, "POST /x HTTP/1.1\r\n" HOST "Content-Length: 100000\r\n\r\n");
  client_send(b, bytes, 100000);
  usleep(100000);
  assert_int_equal(atomic_load(&s.requests), 1);
  server_do(&s, let_held_go, NULL);
  client_expect(a, "", 200, "late");
  client_expect(b, "", 200, "size=100000");
  // Alone, even what is above the budget is served.
  free(bytes);
  bytes = make_bytes(200000);
  client_puts(b, "POST /x HTTP/1.1\r\n" HOST "Content-Length: 200000\r\n\r\n");
  client_send(b, bytes, 200000);
  client_expect(b, "", 200, "size=200000");
  free(bytes);
  close(a);
  close(b);
}

// Who waits too long for room is told so.
static void test_budget_timeout(void **state) {
  (void)state;
  s.limits.most_bytes_in_flight = 150000;
  s.limits.stall_timeout_ns = 200 * MS;
  int a = client_connect(&s), b = client_connect(&s);
  char *bytes = make_bytes(100000);
  client_puts(a, "POST /late HTTP/1.1\r\n" HOST "Content-Length: 100000\r\n\r\n");
  client_send(a, bytes, 100000);
  sem_wait(&s.arrived);
  client_puts(b, "POST /x HTTP/1.1\r\n" HOST "Content-Length: 100000\r\n\r\n");
  client_expect(b, "", 503, "try again");
  client_puts(b, "more");
  free(bytes);
  close(a);
  close(b);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown_held)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(inflate),        TEST(inflated_json),  TEST(bad_compression), TEST(inflated_limit),
      TEST(deflate),        TEST(header_timeout), TEST(idle_timeout),    TEST(stalled_body),
      TEST(stalled_answer), TEST(budget),         TEST(budget_timeout),
  };
  return check_run(tests);
}
