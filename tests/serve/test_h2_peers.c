// Connections over HTTP/2: how they end, and peers that mean no good.
#include "tests/serve/h2_client.h"

#include <errno.h>

static struct {
  _Atomic(int) opened, messages, gone;
  sv_call *held;  // on the loop
} seen;

// "/t/Hold" is finished by the test, all else at once when its message is there.
static bool on_open(void *self, sv_call *call) {
  (void)self;
  atomic_fetch_add(&seen.opened, 1);
  seen.held = call;
  return true;
}

static void on_message(void *self, sv_call *call, sv_str message) {
  (void)self, (void)message;
  atomic_fetch_add(&seen.messages, 1);
  if (!sv_str_is(sv_call_path(call), "/t/Hold")) {
    sv_call_finish(call, MILLRACE_OK, NULL);
  }
}

static void on_half_closed(void *self, sv_call *call) { (void)self, (void)call; }

static void on_gone(void *self, sv_call *call, millrace_code why) {
  (void)self;
  atomic_fetch_add(&seen.gone, 1);
  sv_call_finish(call, why, "gone");
}

static const sv_rpc_service service = {
    .open = on_open, .message = on_message, .half_closed = on_half_closed, .gone = on_gone};

static void begin(h2_server *s, h2_client *c) {
  memset(&seen, 0, sizeof seen);
  h2_start(s, &service);
  h2c_open(c, s);
}

static void end(h2_server *s, h2_client *c) {
  h2c_end(c);
  h2_stop(s);
}

static void finish_held(void *argument) {
  (void)argument;
  sv_call_finish(seen.held, MILLRACE_OK, NULL);
}

// Draining: a call that runs is finished, one that comes before the second GOAWAY is taken, and then the connection ends.
static void test_drain(void **state) {
  (void)state;
  h2_server s = {0};
  h2_client c;
  begin(&s, &c);
  h2_stream *stream = h2c_call(&c, "/t/Hold", NULL);
  h2c_put(stream, 0, "x", 1);
  stream->out_ends = true;
  h2c_step(&c, 50);
  h2_wait_for(atomic_load(&seen.messages) == 1);
  h2_do(&s, h2_drain_here, &s);
  h2c_until(&c, c.goaways == 2);
  assert_int_equal(c.goaway_error, NGHTTP2_NO_ERROR);
  assert_int_equal(c.last_id, stream->id);
  assert_false(stream->closed);
  h2_do(&s, finish_held, NULL);
  h2c_until(&c, stream->closed);
  assert_string_equal(stream->grpc_status, "0");
  while (h2c_step(&c, 1000)) {
  }
  assert_true(c.ended);
  h2_wait_for(h2_count(&s) == 0);
  end(&s, &c);
}

// A client that never acknowledges is not waited for.
static void test_drain_without_answer(void **state) {
  (void)state;
  h2_server s = {0};
  h2_client c;
  begin(&s, &c);
  h2c_unary(&c, "/t/Do", "x", 1, NULL);
  h2_do(&s, h2_drain_here, &s);
  h2_wait_for(h2_count(&s) == 0);
  end(&s, &c);
}

// Idle connections are told and closed; those with calls are asked whether they live.
static void test_idle(void **state) {
  (void)state;
  h2_server s = {.limits.idle_timeout_ns = 200000000, .limits.stall_timeout_ns = 200000000};
  h2_client c, silent;
  begin(&s, &c);
  h2c_unary(&c, "/t/Do", "x", 1, NULL);
  h2c_begin(&silent, h2_connect(&s), 0);
  h2_stream *stream = h2c_call(&silent, "/t/Hold", NULL);
  h2c_put(stream, 0, "x", 1);
  stream->out_ends = true;
  h2c_flush(&silent);
  h2_wait_for(atomic_load(&seen.messages) == 2);
  h2c_until(&c, c.goaways == 1);
  assert_int_equal(c.goaway_error, NGHTTP2_NO_ERROR);
  h2_wait_for(atomic_load(&seen.gone) == 1);  // the silent one does not answer the PING
  h2_wait_for(h2_count(&s) == 0);
  h2c_end(&silent);
  end(&s, &c);
}

// A client that answers PINGs keeps its call.
static void test_alive(void **state) {
  (void)state;
  h2_server s = {.limits.idle_timeout_ns = 100000000, .limits.stall_timeout_ns = 200000000};
  h2_client c;
  begin(&s, &c);
  h2_stream *stream = h2c_call(&c, "/t/Hold", NULL);
  h2c_put(stream, 0, "x", 1);
  stream->out_ends = true;
  uint64_t begun = sv_now_ns();
  while (sv_now_ns() - begun < 1000000000) {
    h2c_step(&c, 10);
  }
  assert_false(c.ended);
  h2_do(&s, finish_held, NULL);
  h2c_until(&c, stream->closed);
  assert_string_equal(stream->grpc_status, "0");
  end(&s, &c);
}

// Calls that are opened and reset, over and over (CVE-2023-44487): the connection ends, and every call that was opened ended.
static void test_rapid_reset(void **state) {
  (void)state;
  h2_server s = {0};
  h2_client c;
  begin(&s, &c);
  for (int i = 0; i < 4000 && !c.ended; i++) {
    h2_stream *stream = h2c_call(&c, "/t/Hold", NULL);
    h2c_flush(&c);
    nghttp2_submit_rst_stream(c.session, 0, stream->id, NGHTTP2_CANCEL);
    h2c_flush(&c);
  }
  while (!c.ended && h2c_step(&c, 1000)) {
  }
  h2_wait_for(h2_count(&s) == 0);
  assert_true(atomic_load(&seen.opened) < 4000);
  assert_int_equal(atomic_load(&seen.gone), atomic_load(&seen.opened));
  end(&s, &c);
}

// More calls at once than are allowed are refused, one by one.
static void test_too_many_calls(void **state) {
  (void)state;
  h2_server s = {.limits.streams = 3};
  h2_client c;
  begin(&s, &c);
  h2c_flush(&c);
  for (int i = 0; i < 5; i++) {
    h2_stream *stream = h2c_call(&c, "/t/Hold", NULL);
    h2c_put(stream, 0, "x", 1);
  }
  h2c_step(&c, 100);
  h2c_until(&c, c.max_streams == 3);
  h2_wait_for(atomic_load(&seen.opened) >= 3);
  for (int i = 0; i < 20; i++) {
    h2c_step(&c, 5);
  }
  assert_int_equal(atomic_load(&seen.opened), 3);
  end(&s, &c);
}

static void test_large_headers(void **state) {
  (void)state;
  h2_server s = {0};
  h2_client c;
  begin(&s, &c);
  const char *more[2 * 120 + 1] = {0};
  static char names[120][8];
  for (int i = 0; i < 120; i++) {
    snprintf(names[i], sizeof names[i], "x-%d", i);
    more[2 * i] = names[i];
    more[2 * i + 1] = "v";
  }
  assert_string_equal(h2c_unary(&c, "/t/Do", "x", 1, more)->grpc_status, "8");
  static char value[30000];
  memset(value, 'v', sizeof value - 1);
  assert_string_equal(h2c_unary(&c, "/t/Do", "x", 1, (const char *[]){"x-a", value, NULL})->grpc_status, "0");
  end(&s, &c);
}

static void put_frame(sv_text *out, size_t size, int type, int flags, uint32_t stream, const void *content) {
  const unsigned char head[] = {
      (unsigned char)(size >> 16),   (unsigned char)(size >> 8),   (unsigned char)size,
      (unsigned char)type,           (unsigned char)flags,         (unsigned char)(stream >> 24),
      (unsigned char)(stream >> 16), (unsigned char)(stream >> 8), (unsigned char)stream};
  sv_text_add(out, head, sizeof head);
  sv_text_add(out, content, size);
}

#define PREFACE "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// Frames as they are; whether the server then ends the connection within ten seconds.
static bool is_refused(h2_server *s, const sv_text *bytes) {
  int fd = h2_connect(s);
  char got[4096];
  size_t at = 0;
  struct timeval wait = {.tv_sec = 10};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
  while (at < bytes->size) {
    ssize_t size = send(fd, bytes->data + at, bytes->size - at, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size > 0) {
      at += (size_t)size;
    } else if (errno == EAGAIN) {
      struct pollfd event = {.fd = fd, .events = POLLOUT | POLLIN};
      poll(&event, 1, 1000);
      if (event.revents & POLLIN && recv(fd, got, sizeof got, MSG_DONTWAIT) == 0) {
        break;
      }
    } else {
      break;
    }
  }
  ssize_t size;
  while ((size = recv(fd, got, sizeof got, 0)) > 0) {
  }
  bool refused = size == 0 || errno == ECONNRESET;
  close(fd);
  return refused;
}

// A field of 3 KB that is put into HPACK's table and then named a thousand times, a byte each: 3 MB of headers in 4 KB.
static void test_header_bomb(void **state) {
  (void)state;
  h2_server s = {0};
  memset(&seen, 0, sizeof seen);
  h2_start(&s, &service);
  static char content[4 + 3000 + 1000 + 3];
  sv_text bytes = {0}, block = {0};
  // :method POST, :scheme http, :path by its name, then a new field "x" of 3000 bytes: 127 + (2873 as a varint).
  sv_text_add(&block, "\x83\x86\x04\x05/t/Do\x40\x01x\x7f\xb9\x16", 14);
  memset(content, 'v', 3000);
  sv_text_add(&block, content, 3000);
  memset(content, 0xbe, 1000);  // 62: the newest of the table
  sv_text_add(&block, content, 1000);
  sv_text_puts(&bytes, PREFACE);
  put_frame(&bytes, 0, 4, 0, 0, NULL);
  put_frame(&bytes, block.size, 1, 5, 1, block.data);
  put_frame(&bytes, 3, 4, 0, 0, "abc");  // what ends the connection
  assert_true(is_refused(&s, &bytes));
  assert_int_equal(atomic_load(&seen.opened), 0);
  sv_text_free(&bytes);
  sv_text_free(&block);
  h2_stop(&s);
}

// What is not HTTP/2, or breaks its rules, ends the connection.
static void test_wrong_bytes(void **state) {
  (void)state;
  h2_server s = {0};
  memset(&seen, 0, sizeof seen);
  h2_start(&s, &service);
  static char zeros[20000];
  sv_text bytes = {0};
  sv_text_puts(&bytes, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  assert_true(is_refused(&s, &bytes));
  sv_text_clear(&bytes);
  sv_text_puts(&bytes, PREFACE);
  put_frame(&bytes, 3, 4, 0, 0, "abc");  // SETTINGS of a wrong size
  assert_true(is_refused(&s, &bytes));
  sv_text_clear(&bytes);
  sv_text_puts(&bytes, PREFACE);
  put_frame(&bytes, 0, 4, 0, 0, NULL);
  put_frame(&bytes, 5, 0, 0, 7, "abcde");  // DATA without a stream
  assert_true(is_refused(&s, &bytes));
  sv_text_clear(&bytes);
  sv_text_puts(&bytes, PREFACE);
  put_frame(&bytes, 0, 4, 0, 0, NULL);
  put_frame(&bytes, 20000, 1, 4, 1, zeros);  // larger than the largest frame
  assert_true(is_refused(&s, &bytes));
  sv_text_clear(&bytes);
  sv_text_puts(&bytes, PREFACE);
  put_frame(&bytes, 0, 4, 0, 0, NULL);
  put_frame(&bytes, 4, 8, 0, 0, "\x7f\xff\xff\xff");  // a window beyond 2^31 - 1
  assert_true(is_refused(&s, &bytes));
  sv_text_free(&bytes);
  h2_wait_for(h2_count(&s) == 0);
  assert_int_equal(atomic_load(&s.closed), 5);
  h2_stop(&s);
}

// Floods: CONTINUATION without end, SETTINGS and PINGs whose acknowledgements nobody reads.
static void test_floods(void **state) {
  (void)state;
  h2_server s = {.limits.stall_timeout_ns = 1000000000};
  memset(&seen, 0, sizeof seen);
  h2_start(&s, &service);
  sv_text bytes = {0};
  sv_text_puts(&bytes, PREFACE);
  put_frame(&bytes, 0, 4, 0, 0, NULL);
  put_frame(&bytes, 1, 1, 0, 1, "\x83");
  for (int i = 0; i < 1000; i++) {
    put_frame(&bytes, 4, 9, 0, 1, "\0\1a\0");  // a field "a" without a value
  }
  assert_true(is_refused(&s, &bytes));
  for (int settings = 0; settings < 2; settings++) {
    h2_client c;
    h2c_begin(&c, h2_connect(&s), 0);
    h2c_flush(&c);
    sv_text_clear(&bytes);
    for (int i = 0; i < 100000; i++) {
      put_frame(&bytes, settings ? 0 : 8, settings ? 4 : 6, 0, 0, "12345678");
    }
    // Nothing is read: sooner or later the server takes no more.
    for (size_t at = 0; at < bytes.size;) {
      struct pollfd event = {.fd = c.fd, .events = POLLOUT};
      if (poll(&event, 1, 200) <= 0) {
        break;
      }
      ssize_t size = send(c.fd, bytes.data + at, bytes.size - at, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (size <= 0) {
        break;
      }
      at += (size_t)size;
    }
    h2_wait_for(h2_count(&s) == 0);
    h2c_end(&c);
  }
  sv_text_free(&bytes);
  h2_stop(&s);
}

// Headers that do not end, and a preface that does not.
static void test_slow_beginnings(void **state) {
  (void)state;
  h2_server s = {.limits.stall_timeout_ns = 200000000};
  memset(&seen, 0, sizeof seen);
  h2_start(&s, &service);
  sv_text bytes = {0};
  sv_text_puts(&bytes, "PRI * HTTP");
  assert_true(is_refused(&s, &bytes));
  sv_text_clear(&bytes);
  sv_text_puts(&bytes, PREFACE);
  put_frame(&bytes, 0, 4, 0, 0, NULL);
  put_frame(&bytes, 1, 1, 0, 1, "\x83");
  assert_true(is_refused(&s, &bytes));
  assert_int_equal(atomic_load(&seen.opened), 0);
  sv_text_free(&bytes);
  h2_stop(&s);
}

// A PING is answered at once, also while a call runs.
static void test_ping(void **state) {
  (void)state;
  h2_server s = {0};
  h2_client c;
  begin(&s, &c);
  h2_stream *stream = h2c_call(&c, "/t/Hold", NULL);
  h2c_put(stream, 0, "x", 1);
  nghttp2_submit_ping(c.session, 0, (const uint8_t *)"12345678");
  h2c_until(&c, c.pongs == 1);
  end(&s, &c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_drain),         cmocka_unit_test(test_drain_without_answer),
      cmocka_unit_test(test_idle),          cmocka_unit_test(test_alive),
      cmocka_unit_test(test_rapid_reset),   cmocka_unit_test(test_too_many_calls),
      cmocka_unit_test(test_large_headers), cmocka_unit_test(test_wrong_bytes),
      cmocka_unit_test(test_floods),        cmocka_unit_test(test_slow_beginnings),
      cmocka_unit_test(test_ping),          cmocka_unit_test(test_header_bomb),
  };
  return check_run(tests);
}
