// Calls over HTTP/2, from frames to a service and back.
#include "tests/serve/h2_client.h"

#include <zlib.h>

// What the service of these tests does, by path.
//   /t/Echo    each message comes back at once; finished when the client half-closes
//   /t/Fail    finished at its beginning
//   /t/Hold    messages are counted and kept; tests finish the call and let messages go
//   /t/Big     one message of 8 MiB
static struct {
  _Atomic(int) opened, messages, half_closed, gone, released;
  _Atomic(int) gone_code;
  sv_call *held;  // on the loop
  size_t held_sizes[4096];
  int num_held;
  char traced[64], metadata[64];
} seen;

static const size_t BIG = 8 << 20;
static char *big;

static void released(void *argument) {
  free(argument);
  atomic_fetch_add(&seen.released, 1);
}

static bool on_open(void *self, sv_call *call) {
  (void)self;
  atomic_fetch_add(&seen.opened, 1);
  if (sv_str_is(sv_call_path(call), "/t/Fail")) {
    sv_call_finish(call, MILLRACE_FAILED_PRECONDITION, "100% of \xc3\xbc\n");
    return false;
  }
  snprintf(seen.traced, sizeof seen.traced, "%s", sv_call_access(call)->trace_id);
  snprintf(seen.metadata, sizeof seen.metadata, "%.*s", SV_FMT(sv_call_metadata(call, "x-test")));
  seen.held = call;
  return true;
}

static void on_message(void *self, sv_call *call, sv_str message) {
  (void)self;
  atomic_fetch_add(&seen.messages, 1);
  if (sv_str_is(sv_call_path(call), "/t/Hold")) {
    seen.held_sizes[seen.num_held++] = message.size;
  } else if (sv_str_is(sv_call_path(call), "/t/Big")) {
    const sv_piece piece = {big, BIG};
    sv_call_send(call, &piece, 1, released, malloc(1));
    sv_call_finish(call, MILLRACE_OK, NULL);
  } else {
    char *copy = malloc(message.size + 1);
    memcpy(copy, message.data, message.size);
    // In two pieces, one of them perhaps empty.
    const sv_piece pieces[] = {{copy, message.size / 2}, {copy + message.size / 2, message.size - message.size / 2}};
    sv_call_send(call, pieces, 2, released, copy);
    sv_call_consumed(call, message.size);
  }
}

static void on_half_closed(void *self, sv_call *call) {
  (void)self;
  atomic_fetch_add(&seen.half_closed, 1);
  if (!sv_str_is(sv_call_path(call), "/t/Hold")) {
    sv_call_finish(call, MILLRACE_OK, NULL);
  }
}

static void on_gone(void *self, sv_call *call, millrace_code why) {
  (void)self;
  atomic_store(&seen.gone_code, (int)why);
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

// Messages of any size and number come back, whatever frames they are in; then the trailers.
static void test_echo(void **state) {
  (void)state;
  h2_server s = {0};
  h2_client c;
  begin(&s, &c);
  static const size_t sizes[] = {0, 1, 5, 3000, 70000, 1000000, 3};
  static char bytes[1000000];
  for (size_t i = 0; i < sizeof bytes; i++) {
    bytes[i] = (char)(i * 7 + i / 251);
  }
  h2_stream *stream = h2c_call(&c, "/t/Echo",
                               (const char *[]){"x-test", "yes", "x-bin", "AA", "traceparent",
                                                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", NULL});
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    h2c_put(stream, 0, bytes, sizes[i]);
  }
  stream->out_ends = true;
  h2c_until(&c, stream->closed);
  assert_string_equal(stream->status, "200");
  assert_string_equal(stream->content_type, "application/grpc");
  assert_string_equal(stream->grpc_status, "0");
  assert_string_equal(seen.metadata, "yes");
  assert_string_equal(seen.traced, "0af7651916cd43dd8448eb211c80319c");
  size_t at = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    sv_str message;
    assert_true(h2c_message(stream, &at, &message));
    assert_int_equal(message.size, sizes[i]);
    assert_memory_equal(message.data, bytes, sizes[i]);
  }
  assert_int_equal(at, stream->got.size);
  h2_wait_for(atomic_load(&seen.released) == 7);
  end(&s, &c);
}

// A message may come byte by byte.
static void test_dribble(void **state) {
  (void)state;
  h2_server s = {0};
  h2_client c;
  begin(&s, &c);
  h2_stream *stream = h2c_call(&c, "/t/Echo", NULL);
  h2c_flush(&c);
  sv_text whole = {0};
  sv_text_add(&whole, "\0\0\0\0\3abc\0\0\0\0\1z", 14);
  for (size_t i = 0; i < whole.size; i++) {
    sv_text_add(&stream->out, whole.data + i, 1);
    nghttp2_session_resume_data(c.session, stream->id);
    h2c_flush(&c);
  }
  h2c_half_close(&c, stream);
  h2c_until(&c, stream->closed);
  assert_int_equal(stream->got.size, whole.size);
  assert_memory_equal(stream->got.data, whole.data, whole.size);
  sv_text_free(&whole);
  end(&s, &c);
}

// A call that fails before it has sent anything is one frame; its message is percent-encoded.
static void test_trailers_only(void **state) {
  (void)state;
  h2_server s = {0};
  h2_client c;
  begin(&s, &c);
  h2_stream *stream = h2c_unary(&c, "/t/Fail", "x", 1, NULL);
  assert_string_equal(stream->status, "200");
  assert_string_equal(stream->grpc_status, "9");
  assert_string_equal(stream->grpc_message, "100%25 of %C3%BC%0A");
  assert_int_equal(stream->got.size, 0);
  assert_int_equal(atomic_load(&seen.messages), 0);
  end(&s, &c);
}

static void test_what_is_no_call(void **state) {
  (void)state;
  h2_server s = {0};
  h2_client c;
  begin(&s, &c);
  h2_stream *stream = h2c_unary(&c, "/t/Echo", "x", 1, (const char *[]){"content-type", "application/json", NULL});
  assert_string_equal(stream->status, "415");
  stream = h2c_unary(&c, "/t/Echo", "x", 1, (const char *[]){"content-type", "application/grpcx", NULL});
  assert_string_equal(stream->status, "415");
  stream = h2c_unary(&c, "/t/Echo", "x", 1, (const char *[]){":method", "PUT", NULL});
  assert_string_equal(stream->status, "405");
  stream = h2c_unary(&c, "/t/Echo", "x", 1, (const char *[]){"content-type", "application/grpc+proto; v=1", NULL});
  assert_string_equal(stream->grpc_status, "0");
  stream = h2c_unary(&c, "/t/Echo", "x", 1, (const char *[]){"grpc-timeout", "123456789m", NULL});
  assert_string_equal(stream->grpc_status, "13");
  stream = h2c_unary(&c, "/t/Echo", "x", 1, (const char *[]){"grpc-encoding", "br", NULL});
  assert_string_equal(stream->grpc_status, "12");
  assert_string_equal(stream->accept_encoding, "identity, deflate, gzip");
  assert_int_equal(atomic_load(&seen.opened), 1);
  end(&s, &c);
}

static size_t compress_as(int window_bits, const void *from, size_t size, void *to, size_t room) {
  z_stream z = {.next_in = (Bytef *)(uintptr_t)from, .avail_in = (uInt)size, .next_out = to, .avail_out = (uInt)room};
  assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
  assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
  deflateEnd(&z);
  return room - z.avail_out;
}

static h2_stream *send_as(h2_client *c, const char *encoding, int flag, const void *data, size_t size) {
  h2_stream *stream = h2c_call(c, "/t/Echo", encoding ? (const char *[]){"grpc-encoding", encoding, NULL} : NULL);
  h2c_put(stream, flag, data, size);
  stream->out_ends = true;
  h2c_until(c, stream->closed);
  return stream;
}

// gzip and deflate are inflated, within the limit; anything else says what is wrong.
static void test_compression(void **state) {
  (void)state;
  h2_server s = {.limits.message_bytes = 1 << 20};
  h2_client c;
  begin(&s, &c);
  static char plain[(1 << 20) + 1], packed[100000];
  const size_t sizes[] = {0, 10, 65536, 300000, 1 << 20};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    size_t size = compress_as(i % 2 ? 15 : 31, plain, sizes[i], packed, sizeof packed);
    h2_stream *stream = send_as(&c, i % 2 ? "deflate" : "gzip", 1, packed, size);
    assert_string_equal(stream->grpc_status, "0");
    assert_int_equal(stream->got.size, sizes[i] + 5);
  }
  size_t size = compress_as(31, plain, sizeof plain, packed, sizeof packed);
  assert_string_equal(send_as(&c, "gzip", 1, packed, size)->grpc_status, "8");  // a byte too many
  assert_string_equal(send_as(&c, "gzip", 1, packed, size - 9)->grpc_status,
                      "8");  // cut off, but too large before that
  size = compress_as(31, plain, 1000, packed, sizeof packed);
  assert_string_equal(send_as(&c, "gzip", 1, packed, size - 1)->grpc_status, "3");  // cut off
  assert_string_equal(send_as(&c, "gzip", 1, packed, size + 1)->grpc_status, "3");  // something behind it
  assert_string_equal(send_as(&c, "gzip", 1, "hello", 5)->grpc_status, "3");
  assert_string_equal(send_as(&c, "gzip", 1, "", 0)->grpc_status, "3");
  assert_string_equal(send_as(&c, "gzip", 0, "hello", 5)->grpc_status, "0");  // need not be compressed
  assert_string_equal(send_as(&c, NULL, 1, "hello", 5)->grpc_status, "13");
  assert_string_equal(send_as(&c, NULL, 2, "hello", 5)->grpc_status, "13");
  end(&s, &c);
}

// A claim of more than is allowed fails before the message comes, and the rest is not wanted.
static void test_too_large(void **state) {
  (void)state;
  h2_server s = {.limits.message_bytes = 1000};
  h2_client c;
  begin(&s, &c);
  h2_stream *stream = h2c_call(&c, "/t/Echo", NULL);
  sv_text_add(&stream->out, "\0\xff\xff\xff\xff", 5);
  h2c_until(&c, stream->closed);
  assert_string_equal(stream->grpc_status, "8");
  assert_non_null(strstr(stream->grpc_message, "1000 are allowed"));
  assert_int_equal(stream->error_code, NGHTTP2_NO_ERROR);
  assert_int_equal(atomic_load(&seen.gone), 1);
  static char bytes[1001];
  assert_string_equal(h2c_unary(&c, "/t/Echo", bytes, 1000, NULL)->grpc_status, "0");
  assert_string_equal(h2c_unary(&c, "/t/Echo", bytes, 1001, NULL)->grpc_status, "8");
  end(&s, &c);
}

// A request that ends within a message, or within its prefix, is told so.
static void test_cut_off(void **state) {
  (void)state;
  h2_server s = {0};
  h2_client c;
  begin(&s, &c);
  for (size_t size = 1; size < 8; size++) {
    h2_stream *stream = h2c_call(&c, "/t/Echo", NULL);
    sv_text_add(&stream->out, "\0\0\0\0\3ab", size);
    stream->out_ends = true;
    h2c_until(&c, stream->closed);
    assert_string_equal(stream->grpc_status, "13");
  }
  end(&s, &c);
}

static void finish_held(void *argument) {
  (void)argument;
  sv_call_finish(seen.held, MILLRACE_OK, NULL);
}

// When the deadline is over the client has its answer, and the service is told.
static void test_deadline(void **state) {
  (void)state;
  h2_server s = {0};
  h2_client c;
  begin(&s, &c);
  h2_stream *stream = h2c_unary(&c, "/t/Hold", "x", 1, (const char *[]){"grpc-timeout", "20m", NULL});
  assert_string_equal(stream->grpc_status, "4");
  assert_int_equal(atomic_load(&seen.gone), 1);
  assert_int_equal(atomic_load(&seen.gone_code), MILLRACE_DEADLINE_EXCEEDED);
  // One that is met leaves nothing behind.
  stream = h2c_unary(&c, "/t/Echo", "x", 1, (const char *[]){"grpc-timeout", "99999999H", NULL});
  assert_string_equal(stream->grpc_status, "0");
  stream = h2c_unary(&c, "/t/Echo", "x", 1, (const char *[]){"grpc-timeout", "10S", NULL});
  assert_string_equal(stream->grpc_status, "0");
  end(&s, &c);
}

// A deadline that is over while an answer is on its way, half of it in frames: the call is reset, the connection goes on.
static void test_deadline_of_an_answer(void **state) {
  (void)state;
  h2_server s = {0};
  h2_client c;
  memset(&seen, 0, sizeof seen);
  h2_start(&s, &service);
  h2c_begin(&c, h2_connect(&s), 64 << 20);
  nghttp2_session_set_local_window_size(c.session, 0, 0, 64 << 20);
  h2c_flush(&c);
  h2_stream *stream = h2c_call(&c, "/t/Echo", (const char *[]){"grpc-timeout", "2S", NULL});
  h2c_put(stream, 0, big, 3 << 20);
  for (int i = 0; i < 1000 && !atomic_load(&seen.messages); i++) {
    // What is written is flow-controlled; what is read is no more than the windows' updates and some of the answer.
    h2c_step(&c, 1);
  }
  assert_int_equal(atomic_load(&seen.messages), 1);
  h2_wait_for(atomic_load(&seen.gone) == 1);
  assert_int_equal(atomic_load(&seen.gone_code), MILLRACE_DEADLINE_EXCEEDED);
  h2c_until(&c, stream->closed);
  assert_true(stream->got.size < (3 << 20));
  h2_wait_for(atomic_load(&seen.released) == 1);
  assert_string_equal(h2c_unary(&c, "/t/Echo", "x", 1, NULL)->grpc_status, "0");
  end(&s, &c);
}

static void test_reset_and_loss(void **state) {
  (void)state;
  h2_server s = {0};
  h2_client c;
  begin(&s, &c);
  h2_stream *stream = h2c_call(&c, "/t/Hold", NULL);
  h2c_send(&c, stream, "x", 1);
  h2c_step(&c, 50);
  h2_wait_for(atomic_load(&seen.messages) == 1);
  nghttp2_submit_rst_stream(c.session, 0, stream->id, NGHTTP2_CANCEL);
  h2c_flush(&c);
  h2_wait_for(atomic_load(&seen.gone) == 1);
  assert_int_equal(atomic_load(&seen.gone_code), MILLRACE_CANCELLED);
  stream = h2c_call(&c, "/t/Hold", NULL);
  h2c_send(&c, stream, "x", 1);
  h2_wait_for(atomic_load(&seen.messages) == 2);
  close(c.fd);
  c.fd = -1;
  h2_wait_for(atomic_load(&seen.gone) == 2);
  h2_wait_for(h2_count(&s) == 0);
  assert_int_equal(atomic_load(&s.closed), 1);
  end(&s, &c);
}

static void consume_held(void *argument) {
  (void)argument;
  while (seen.num_held) {
    sv_call_consumed(seen.held, seen.held_sizes[--seen.num_held]);
  }
}

// A service that does not take messages gets 64 of them; the client's window closes behind them, and opens again.
static void test_back_pressure(void **state) {
  (void)state;
  h2_server s = {.limits.window = 65536};
  h2_client c;
  begin(&s, &c);
  h2_stream *stream = h2c_call(&c, "/t/Hold", NULL);
  static char bytes[995];
  for (int i = 0; i < 500; i++) {
    h2c_put(stream, 0, bytes, sizeof bytes);
  }
  stream->out_ends = true;
  h2c_step(&c, 50);
  h2_wait_for(atomic_load(&seen.messages) == 64);
  for (int i = 0; i < 10; i++) {
    h2c_step(&c, 5);
  }
  assert_int_equal(atomic_load(&seen.messages), 64);
  // What was delivered, and a window.
  assert_in_range(stream->sent, 65536, 64 * 1000 + 65536 + 1000);
  assert_true(stream->sent < stream->out.size);
  for (int i = 0; i < 1000 && atomic_load(&seen.messages) < 500; i++) {
    h2_do(&s, consume_held, NULL);
    h2c_step(&c, 1);
  }
  assert_int_equal(atomic_load(&seen.messages), 500);
  h2_do(&s, consume_held, NULL);
  h2_wait_for(atomic_load(&seen.half_closed) == 1);
  h2_do(&s, finish_held, NULL);
  h2c_until(&c, stream->closed);
  assert_string_equal(stream->grpc_status, "0");
  end(&s, &c);
}

// A client that does not read holds up its own call alone, and little of it is in memory of the connection's; in the end all of it comes.
static void test_slow_reader(void **state) {
  (void)state;
  h2_server s = {0};
  h2_client c;
  memset(&seen, 0, sizeof seen);
  h2_start(&s, &service);
  h2c_begin(&c, h2_connect(&s), 64 << 20);
  nghttp2_session_set_local_window_size(c.session, 0, 0, 64 << 20);
  h2_stream *stream = h2c_call(&c, "/t/Big", NULL);
  h2c_put(stream, 0, "x", 1);
  stream->out_ends = true;
  h2c_flush(&c);
  h2_wait_for(atomic_load(&seen.messages) == 1);
  nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
  assert_int_equal(atomic_load(&seen.released), 0);
  assert_true(atomic_load(&s.in_flight) > BIG / 2);
  h2c_until(&c, stream->closed);
  assert_string_equal(stream->grpc_status, "0");
  assert_int_equal(stream->got.size, BIG + 5);
  assert_memory_equal(stream->got.data + 5, big, BIG);
  assert_int_equal(atomic_load(&seen.released), 1);
  end(&s, &c);
}

// What is not taken for longer than the stall timeout is given up, with its memory: by the window, and by the socket.
static void test_stall(void **state) {
  (void)state;
  for (int whole_window = 0; whole_window < 2; whole_window++) {
    h2_server s = {.limits.stall_timeout_ns = 300000000};
    h2_client c;
    memset(&seen, 0, sizeof seen);
    h2_start(&s, &service);
    h2c_begin(&c, h2_connect(&s), whole_window ? 64 << 20 : 65535);
    if (whole_window) {
      nghttp2_session_set_local_window_size(c.session, 0, 0, 64 << 20);
    }
    h2_stream *stream = h2c_call(&c, "/t/Big", NULL);
    h2c_put(stream, 0, "x", 1);
    stream->out_ends = true;
    h2c_flush(&c);
    h2_wait_for(atomic_load(&seen.released) == 1);
    h2_wait_for(atomic_load(&s.in_flight) == 0);
    end(&s, &c);
  }
}

// A message whose rest does not come ends its call.
static void test_stalled_message(void **state) {
  (void)state;
  h2_server s = {.limits.stall_timeout_ns = 200000000};
  h2_client c;
  begin(&s, &c);
  h2_stream *stream = h2c_call(&c, "/t/Echo", NULL);
  sv_text_add(&stream->out, "\0\0\0\0\3a", 6);
  h2c_until(&c, stream->closed);
  assert_string_equal(stream->grpc_status, "1");
  assert_int_equal(atomic_load(&seen.gone), 1);
  end(&s, &c);
}

int main(void) {
  big = malloc(BIG);
  for (size_t i = 0; big && i < BIG; i++) {
    big[i] = (char)(i % 253);
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_echo),
      cmocka_unit_test(test_dribble),
      cmocka_unit_test(test_trailers_only),
      cmocka_unit_test(test_what_is_no_call),
      cmocka_unit_test(test_compression),
      cmocka_unit_test(test_too_large),
      cmocka_unit_test(test_cut_off),
      cmocka_unit_test(test_deadline),
      cmocka_unit_test(test_reset_and_loss),
      cmocka_unit_test(test_back_pressure),
      cmocka_unit_test(test_slow_reader),
      cmocka_unit_test(test_stall),
      cmocka_unit_test(test_stalled_message),
      cmocka_unit_test(test_deadline_of_an_answer),
  };
  int failed = check_run(tests);
  free(big);
  return failed;
}
