// Requests and answers over connections: order, bodies, lengths, ends.
#include "tests/serve/http_server.h"

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

// One connection serves many requests, and says what they are.
static void test_keep_alive(void **state) {
  (void)state;
  int c = client_connect(&s);
  for (int i = 0; i < 100; i++) {
    client_expect(c, "GET /a/b?x=1&y HTTP/1.1\r\n" HOST "\r\n", 200,
                  "GET /a/b ?x=1&y json=-1 size=0 sum=0 buffer fields=1");
    client_expect(c, "POST /p HTTP/1.1\r\n" HOST "Content-Length: 5\r\nInference-Header-Content-Length: 2\r\n\r\nhello",
                  200, "POST /p ? json=2 size=5 sum=99162322 buffer fields=3");
  }
  close(c);
  wait_until(&s.closed, 1);
  assert_int_equal(atomic_load(&s.released), 200);
}

// HTTP/1.0 closes unless asked, 1.1 stays unless asked; the answer says which.
static void test_connection(void **state) {
  (void)state;
  static const struct {
    const char *request, *line;
    bool closes;
  } cases[] = {
      {"GET / HTTP/1.0\r\n\r\n", "Connection: close\r\n", true},
      {"GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "Connection: keep-alive\r\n", false},
      {"GET / HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n", "Connection: close\r\n", true},
      {"GET / HTTP/1.1\r\n" HOST "Connection: foo, close\r\n\r\n", "Connection: close\r\n", true},
      {"GET / HTTP/1.1\r\n" HOST "\r\n", NULL, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    int c = client_connect(&s);
    client_puts(c, cases[i].request);
    client_answer answer = client_receive(c);
    assert_int_equal(answer.status, 200);
    assert_true(cases[i].line ? strstr(answer.head, cases[i].line) != NULL : !strstr(answer.head, "Connection:"));
    client_answer_free(&answer);
    if (cases[i].closes) {
      assert_true(client_sees_end(c));
    } else {
      client_expect(c, "GET /again HTTP/1.1\r\n" HOST "\r\n", 200, "/again");
    }
    close(c);
  }
}

static void answer_held(server *on, void *argument) {
  int which = *(int *)argument;
  server_answer(on, on->held[which], "text/plain", "late", 4);
}

// Requests that come in one piece are answered in order, also when the first takes its time.
static void test_pipelining(void **state) {
  (void)state;
  int c = client_connect(&s);
  client_puts(c, "GET /late HTTP/1.1\r\n" HOST "\r\nGET /2 HTTP/1.1\r\n" HOST "\r\n"
                 "POST /3 HTTP/1.1\r\n" HOST "Content-Length: 3\r\n\r\nabcGET /late HTTP/1.1\r\n" HOST "\r\n");
  sem_wait(&s.arrived);
  assert_int_equal(atomic_load(&s.requests), 1);
  server_do(&s, answer_held, &(int){0});
  client_expect(c, "GET /5 HTTP/1.1\r\n" HOST "\r\n", 200, "late");
  client_expect(c, "", 200, "GET /2 ");
  client_expect(c, "", 200, "POST /3 ? json=-1 size=3");
  sem_wait(&s.arrived);
  server_do(&s, answer_held, &(int){1});
  client_expect(c, "", 200, "late");
  client_expect(c, "", 200, "GET /5 ");
  close(c);
}

// A thousand requests at once do not go deeper and deeper.
static void test_long_pipeline(void **state) {
  (void)state;
  int c = client_connect(&s);
  enum { COUNT = 5000 };
  sv_text text = {0};
  for (int i = 0; i < COUNT; i++) {
    sv_text_addf(&text, "GET /%d HTTP/1.1\r\n" HOST "\r\n", i);
  }
  pid_t writer = fork();
  if (writer == 0) {
    client_send(c, text.data, text.size);
    _exit(0);
  }
  for (int i = 0; i < COUNT; i++) {
    char words[32];
    snprintf(words, sizeof words, "GET /%d ?", i);
    client_expect(c, "", 200, words);
  }
  sv_text_free(&text);
  close(c);
}

static uint32_t sum_of(const char *bytes, size_t size) {
  uint32_t sum = 0;
  for (size_t i = 0; i < size; i++) {
    sum = sum * 31 + (unsigned char)bytes[i];
  }
  return sum;
}

static char *make_bytes(size_t size) {
  char *bytes = malloc(size);
  for (size_t i = 0; i < size; i++) {
    bytes[i] = (char)(i * 7 + i / 251);
  }
  return bytes;
}

// Bodies of many sizes arrive whole; large ones begin, behind their JSON, on 64 bytes.
static void test_sizes(void **state) {
  (void)state;
  int c = client_connect(&s);
  static const size_t sizes[] = {1, 3000, 16000, 16383, 16384, 16385, 20000, 100000, 3000000};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    size_t size = sizes[i], json = size > 133 ? 133 : 0;
    char *bytes = make_bytes(size), head[256], words[256];
    snprintf(head, sizeof head,
             "POST /s HTTP/1.1\r\n" HOST "Content-Length: %zu\r\nInference-Header-Content-Length: %zu\r\n\r\n", size,
             json);
    snprintf(words, sizeof words, "json=%zu size=%zu sum=%u %s", json, size, sum_of(bytes, size),
             size > 16384 ? "aligned" : "buffer");
    client_puts(c, head);
    client_send(c, bytes, size);
    client_expect(c, "", 200, words);
    free(bytes);
  }
  close(c);
}

// Chunks of many sizes, split anywhere, with extensions and trailers.
static void test_chunked(void **state) {
  (void)state;
  int c = client_connect(&s);
  client_expect(c,
                "POST /s HTTP/1.1\r\n" HOST "Transfer-Encoding: Chunked\r\n\r\n"
                "3;a=b\r\nabc\r\n00002\r\nde\r\n0\r\nX-Trailer: 1\r\nY: 2\r\n\r\n",
                200, "size=5");
  client_expect(c, "POST /s HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 200, "size=0");
  size_t size = 300000;
  char *bytes = make_bytes(size), words[128];
  for (size_t step = 1; step < 200000; step = step * 3 + 1) {
    sv_text text = {0};
    sv_text_puts(&text, "POST /s HTTP/1.1\r\n" HOST
                        "Transfer-Encoding: chunked\r\nInference-Header-Content-Length: 77\r\n\r\n");
    size_t all = step < 100 ? 3000 : size;
    for (size_t at = 0; at < all; at += step) {
      size_t part = all - at < step ? all - at : step;
      sv_text_addf(&text, "%zX\r\n", part);
      sv_text_add(&text, bytes + at, part);
      sv_text_puts(&text, "\r\n");
    }
    sv_text_puts(&text, "0\r\n\r\n");
    client_send(c, text.data, text.size);
    snprintf(words, sizeof words, "json=77 size=%zu sum=%u aligned", all, sum_of(bytes, all));
    client_expect(c, "", 200, words);
    sv_text_free(&text);
  }
  free(bytes);
  close(c);
}

// A request that comes byte by byte is the same request.
static void test_drip(void **state) {
  (void)state;
  int c = client_connect(&s);
  static const char request[] =
      "\r\nPOST /drip HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n4\r\nwxyz\r\n0\r\n\r\n";
  for (size_t i = 0; i < sizeof request - 1; i++) {
    client_send(c, request + i, 1);
    usleep(100);
  }
  client_expect(c, "", 200, "POST /drip ? json=-1 size=4");
  close(c);
}

// HEAD is answered as GET, without the body.
static void test_head(void **state) {
  (void)state;
  int c = client_connect(&s);
  client_puts(c, "HEAD /h HTTP/1.1\r\n" HOST "\r\n");
  client_answer answer = client_receive_as(c, true);
  assert_int_equal(answer.status, 200);
  assert_true(client_length(answer.head) > 10);
  client_answer_free(&answer);
  client_expect(c, "GET /next HTTP/1.1\r\n" HOST "\r\n", 200, "GET /next");
  close(c);
}

// The client that asks first is told to go on, or is refused before it sends.
static void test_continue(void **state) {
  (void)state;
  int c = client_connect(&s);
  char interim[25];
  client_puts(c, "POST /x HTTP/1.1\r\n" HOST "Content-Length: 4\r\nExpect: 100-continue\r\n\r\n");
  assert_int_equal(recv(c, interim, sizeof interim, MSG_WAITALL), 25);
  assert_memory_equal(interim, "HTTP/1.1 100 Continue\r\n\r\n", 25);
  client_expect(c, "abcd", 200, "size=4");
  client_puts(c, "POST /x HTTP/1.1\r\n" HOST "Content-Length: 100000\r\nExpect: 100-continue\r\n\r\n");
  assert_int_equal(recv(c, interim, sizeof interim, MSG_WAITALL), 25);
  char *bytes = make_bytes(100000);
  client_send(c, bytes, 100000);
  free(bytes);
  client_expect(c, "", 200, "size=100000");
  client_expect(c, "POST /forbidden HTTP/1.1\r\n" HOST "Content-Length: 4\r\nExpect: 100-continue\r\n\r\n", 401,
                "no key");
  assert_true(client_sees_end(c));
  close(c);
  c = client_connect(&s);
  client_expect(c, "POST /x HTTP/1.1\r\n" HOST "Content-Length: 4\r\nExpect: tea\r\n\r\n", 417, "Expect");
  close(c);
}

// What the service refuses by its head: a small body is read and the connection stays; a large one ends it.
static void test_refused(void **state) {
  (void)state;
  int c = client_connect(&s);
  client_expect(c, "POST /forbidden HTTP/1.1\r\n" HOST "Content-Length: 4\r\n\r\nabcd", 401,
                "{\"error\":\"no key for \\\"/forbidden\\\"\"}");
  client_expect(c,
                "POST /small HTTP/1.1\r\n" HOST "Content-Length: 100\r\n\r\n"
                "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789",
                200, "size=100");
  client_expect(c, "GET /fail HTTP/1.1\r\n" HOST "\r\n", 404, "{\"error\":\"no \\\"model\\\" named \\n here\"}");
  client_expect(c, "POST /small HTTP/1.1\r\n" HOST "Content-Length: 101\r\n\r\n", 413, "larger");
  assert_true(client_sees_end(c));
  close(c);
  c = client_connect(&s);
  client_expect(c, "POST /forbidden HTTP/1.1\r\n" HOST "Content-Length: 400000\r\n\r\n", 401, "no key");
  assert_true(client_sees_end(c));
  close(c);
  c = client_connect(&s);
  client_expect(c, "POST /small HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n65\r\n", 413, "larger");
  close(c);
  c = client_connect(&s);
  client_expect(c, "POST /x HTTP/1.1\r\n" HOST "Content-Length: 4\r\nInference-Header-Content-Length: 5\r\n\r\nabcd",
                400, "Inference-Header-Content-Length");
  close(c);
}

// An answer that the client takes slowly arrives whole; its memory is let go once.
static void test_slow_reader(void **state) {
  (void)state;
  s.big_size = 20000000;
  s.big = make_bytes(s.big_size);
  int c = client_connect(&s);
  client_puts(c, "GET /big HTTP/1.1\r\n" HOST "\r\nGET /behind HTTP/1.1\r\n" HOST "\r\n");
  usleep(50000);
  assert_int_equal(atomic_load(&s.released), 0);
  assert_true(atomic_load(&s.in_flight) > 10000000);
  client_answer answer = client_receive(c);
  assert_int_equal(answer.size, s.big_size);
  assert_memory_equal(answer.body, s.big, s.big_size);
  client_answer_free(&answer);
  client_expect(c, "", 200, "GET /behind");
  assert_int_equal(atomic_load(&s.released), 2);
  close(c);
}

// A client that goes while its request is in work is noticed; the answer is let go.
static void test_gone(void **state) {
  (void)state;
  int c = client_connect(&s);
  client_puts(c, "GET /late HTTP/1.1\r\n" HOST "\r\n");
  sem_wait(&s.arrived);
  close(c);
  wait_until(&s.gone, 1);
  size_t count = 0;
  server_do(&s, server_count, &count);
  assert_int_equal(count, 1);
  server_do(&s, answer_held, &(int){0});
  wait_until(&s.released, 1);
  wait_until(&s.closed, 1);
}

// A client that shuts its sending side is told of to the service, and gets its answer.
static void test_half_closed(void **state) {
  (void)state;
  int c = client_connect(&s);
  client_puts(c, "GET /late HTTP/1.1\r\n" HOST "\r\n");
  sem_wait(&s.arrived);
  shutdown(c, SHUT_WR);
  wait_until(&s.gone, 1);
  server_do(&s, answer_held, &(int){0});
  client_expect(c, "", 200, "late");
  assert_true(client_sees_end(c));
  close(c);
}

static void drain(server *on, void *argument) {
  (void)argument;
  atomic_store(&on->draining, true);
  sv_http_drain(on->connections);
}

// Draining closes who is idle at once, and the others behind their answer.
static void test_drain(void **state) {
  (void)state;
  int idle = client_connect(&s), busy = client_connect(&s);
  client_expect(idle, "GET / HTTP/1.1\r\n" HOST "\r\n", 200, "GET /");
  client_puts(busy, "GET /late HTTP/1.1\r\n" HOST "\r\n");
  sem_wait(&s.arrived);
  server_do(&s, drain, NULL);
  assert_true(client_sees_end(idle));
  server_do(&s, answer_held, &(int){0});
  client_answer answer = client_receive(busy);
  assert_non_null(strstr(answer.head, "Connection: close"));
  client_answer_free(&answer);
  assert_true(client_sees_end(busy));
  close(idle);
  close(busy);
}

static void ask_and_drain(server *on, void *argument) {
  client_puts(*(int *)argument, "GET / HTTP/1.1\r\n" HOST "\r\n");
  drain(on, NULL);
}

// A request that is there already when the drain begins, on a connection that seems idle because the loop has not read it, is answered.
static void test_drain_unread(void **state) {
  (void)state;
  int c = client_connect(&s);
  client_expect(c, "GET / HTTP/1.1\r\n" HOST "\r\n", 200, "GET /");
  server_do(&s, ask_and_drain, &c);
  client_expect(c, "", 200, "GET /");
  assert_true(client_sees_end(c));
  close(c);
}

// Who has connected has some time to say why, and is closed then.
static void test_drain_fresh(void **state) {
  (void)state;
  int late = client_connect(&s), silent = client_connect(&s);
  server_do(&s, drain, NULL);
  client_expect(late, "GET / HTTP/1.1\r\n" HOST "\r\n", 200, "GET /");
  assert_true(client_sees_end(late));
  assert_true(client_sees_end(silent));
  close(late);
  close(silent);
}

// Closing everything tells of the requests in work, which are answered into nothing.
static void test_close_all(void **state) {
  (void)state;
  int a = client_connect(&s), b = client_connect(&s);
  client_puts(a, "GET /late HTTP/1.1\r\n" HOST "\r\n");
  client_puts(b, "GET /la");
  sem_wait(&s.arrived);
  server_do(&s, server_close_all, NULL);
  assert_int_equal(atomic_load(&s.gone), 1);
  assert_int_equal(atomic_load(&s.closed), 2);
  server_do(&s, answer_held, &(int){0});
  assert_int_equal(atomic_load(&s.released), 1);
  close(a);
  close(b);
}

// A body that is cut off never reaches the service.
static void test_cut_body(void **state) {
  (void)state;
  int c = client_connect(&s);
  client_puts(c, "POST /x HTTP/1.1\r\n" HOST "Content-Length: 10\r\n\r\nabc");
  shutdown(c, SHUT_WR);
  assert_true(client_sees_end(c));
  assert_int_equal(atomic_load(&s.requests), 0);
  close(c);
}

// HTTP/2's preface, also in two pieces, hands the stream over with what was read.
static void test_http2(void **state) {
  (void)state;
  int c = client_connect(&s);
  client_puts(c, "PRI * HTTP/2.0\r\n");
  usleep(20000);
  client_puts(c, "\r\nSM\r\n\r\nframes");
  wait_until(&s.handed_over, 1);
  assert_memory_equal(s.h2_bytes, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 24);
  assert_int_equal(atomic_load(&s.closed), 0);
  close(c);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(keep_alive),  TEST(connection), TEST(pipelining),  TEST(long_pipeline), TEST(sizes),
      TEST(chunked),     TEST(drip),       TEST(head),        TEST(continue),      TEST(refused),
      TEST(slow_reader), TEST(gone),       TEST(half_closed), TEST(drain),         TEST(drain_unread),
      TEST(drain_fresh), TEST(close_all),  TEST(cut_body),    TEST(http2),
  };
  return check_run(tests);
}
