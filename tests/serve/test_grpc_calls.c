// Streams, and all that is not inference.
#include "tests/serve/grpc_client.h"

static void let_go_here(void *argument) {
  (void)argument;
  fake_let_go();
}

// ---- Streams --------------------------------------------------------------------------------------------------------

static void send_pair(grpc_server *s, h2_stream *stream, const char *model, const char *id, int first) {
  sv_text request = {0};
  put_pair_request(&request, model, id, 1, first);
  h2c_send(&s->client, stream, request.data, request.size);
  sv_text_free(&request);
}

// ModelStreamInferResponse: its id, and whether it is an error.
static sv_str response_id(sv_str response, bool *out_failed) {
  sv_str inner = grpc_bytes(response, 2, 0);
  *out_failed = grpc_bytes(response, 1, 0).size > 0;
  if (!*out_failed) {
    sv_str parameter = grpc_bytes(inner, 4, 0);
    assert_true(sv_str_is(grpc_bytes(parameter, 1, 0), "triton_final_response"));
    assert_int_equal(grpc_number(grpc_bytes(parameter, 2, 0), 1), 1);
  }
  return grpc_bytes(inner, 3, 0);
}

// Every request of a stream has one response with its id; those that fail say so and the stream goes on. After the half-close what is outstanding
// comes, then the trailers.
static void test_stream(void **state) {
  (void)state;
  enum { REQUESTS = 300 };
  grpc_server s = {0};
  grpc_begin(&s);
  h2_stream *stream = h2c_call(&s.client, INFERENCE "ModelStreamInfer", NULL);
  static const char *const models[] = {"echo", "now", "fail", "hold", "nope"};
  for (int i = 0; i < REQUESTS; i++) {
    char id[16];
    snprintf(id, sizeof id, "%d", i);
    send_pair(&s, stream, models[i % 5 == 3 && i > 50 ? 0 : i % 5], id, i);
  }
  h2c_half_close(&s.client, stream);
  for (int i = 0; i < 5; i++) {
    h2c_step(&s.client, 20);
  }
  assert_false(stream->closed);
  h2_do(&s.h2, let_go_here, NULL);
  h2c_until(&s.client, stream->closed);
  assert_string_equal(stream->grpc_status, "0");
  bool seen[REQUESTS] = {false};
  size_t at = 0;
  sv_str response;
  int count = 0;
  while (h2c_message(stream, &at, &response)) {
    bool failed;
    uint64_t number;
    assert_true(sv_str_number(response_id(response, &failed), REQUESTS - 1, &number));
    assert_false(seen[number]);
    seen[number] = true;
    assert_int_equal(failed, number % 5 == 2 || number % 5 == 4);
    if (!failed) {
      float first;
      memcpy(&first, grpc_bytes(grpc_bytes(response, 2, 0), 6, 0).data, sizeof first);
      assert_true(first == (float)number);
    }
    count++;
  }
  assert_int_equal(at, stream->got.size);
  assert_int_equal(count, REQUESTS);
  grpc_end(&s);
}

// A stream that is reset cancels what it has in flight.
static void test_stream_is_reset(void **state) {
  (void)state;
  grpc_server s = {0};
  grpc_begin(&s);
  h2_stream *stream = h2c_call(&s.client, INFERENCE "ModelStreamInfer", NULL);
  for (int i = 0; i < 100; i++) {
    send_pair(&s, stream, "hold", "x", i);
  }
  h2c_step(&s.client, 50);
  h2_wait_for(atomic_load(&fake.held) == 64);  // no more at once
  nghttp2_submit_rst_stream(s.client.session, 0, stream->id, NGHTTP2_CANCEL);
  h2c_flush(&s.client);
  h2_wait_for(atomic_load(&fake.cancelled) == 64);
  assert_int_equal(atomic_load(&fake.held), 0);
  grpc_end(&s);
}

// A stream without requests ends well.
static void test_empty_stream(void **state) {
  (void)state;
  grpc_server s = {0};
  grpc_begin(&s);
  h2_stream *stream = h2c_call(&s.client, INFERENCE "ModelStreamInfer", NULL);
  stream->out_ends = true;
  h2c_until(&s.client, stream->closed);
  assert_string_equal(stream->grpc_status, "0");
  grpc_end(&s);
}

// A server that ends answers what has come on a stream, then ends it; watches end at once.
static void test_drained_stream(void **state) {
  (void)state;
  grpc_server s = {0};
  grpc_begin(&s);
  h2_stream *stream = h2c_call(&s.client, INFERENCE "ModelStreamInfer", NULL);
  h2_stream *watch = h2c_call(&s.client, "/grpc.health.v1.Health/Watch", NULL);
  h2c_send(&s.client, watch, NULL, 0);
  for (int i = 0; i < 100; i++) {
    send_pair(&s, stream, "hold", "x", i);
  }
  h2_wait_for(atomic_load(&fake.held) == 64);
  h2_do(&s.h2, h2_drain_here, &s.h2);
  h2c_until(&s.client, watch->closed);
  assert_string_equal(watch->grpc_status, "14");
  assert_false(stream->closed);
  for (int i = 0; i < 500 && !stream->closed; i++) {
    h2_do(&s.h2, let_go_here, NULL);
    h2c_step(&s.client, 10);
  }
  assert_true(stream->closed);
  assert_string_equal(stream->grpc_status, "14");
  size_t at = 0;
  sv_str response;
  int count = 0;
  while (h2c_message(stream, &at, &response)) {
    count++;
  }
  assert_int_equal(count, 100);
  h2_wait_for(h2_count(&s.h2) == 0);
  grpc_end(&s);
}

// ---- Unary calls that end otherwise ---------------------------------------------------------------------------------

static h2_stream *hold(grpc_server *s, const char *const *more) {
  sv_text request = {0};
  put_pair_request(&request, "hold", "", 1, 0);
  h2_stream *stream = h2c_call(&s->client, INFERENCE "ModelInfer", more);
  h2c_put(stream, 0, request.data, request.size);
  stream->out_ends = true;
  h2c_flush(&s->client);
  sv_text_free(&request);
  return stream;
}

// A request leaves the queue when its client resets it, when its deadline is over, and when the connection is lost.
static void test_cancelled(void **state) {
  (void)state;
  grpc_server s = {0};
  grpc_begin(&s);
  h2_stream *stream = hold(&s, NULL);
  h2c_step(&s.client, 50);
  h2_wait_for(atomic_load(&fake.held) == 1);
  nghttp2_submit_rst_stream(s.client.session, 0, stream->id, NGHTTP2_CANCEL);
  h2c_flush(&s.client);
  h2_wait_for(atomic_load(&fake.cancelled) == 1);
  stream = hold(&s, (const char *[]){"grpc-timeout", "30m", NULL});
  h2c_until(&s.client, stream->closed);
  assert_string_equal(stream->grpc_status, "4");
  assert_int_equal(atomic_load(&fake.cancelled), 2);
  hold(&s, NULL);
  hold(&s, NULL);
  h2_wait_for(atomic_load(&fake.held) == 2);
  close(s.client.fd);
  s.client.fd = -1;
  h2_wait_for(atomic_load(&fake.cancelled) == 4);
  grpc_end(&s);
}

static void test_no_message_and_two(void **state) {
  (void)state;
  grpc_server s = {0};
  grpc_begin(&s);
  h2_stream *stream = h2c_call(&s.client, INFERENCE "ServerLive", NULL);
  stream->out_ends = true;
  h2c_until(&s.client, stream->closed);
  assert_string_equal(stream->grpc_status, "13");
  stream = h2c_call(&s.client, INFERENCE "ServerLive", NULL);
  h2c_put(stream, 0, NULL, 0);
  h2c_put(stream, 0, NULL, 0);
  stream->out_ends = true;
  h2c_until(&s.client, stream->closed);
  assert_string_equal(stream->grpc_status, "0");
  sv_text nothing = {0};
  grpc_fails(grpc_call(&s, INFERENCE "Nothing", &nothing), "12", "Nothing");
  grpc_fails(grpc_call(&s, "/", &nothing), "12", "");
  grpc_end(&s);
}

// ---- Methods --------------------------------------------------------------------------------------------------------

static void test_server(void **state) {
  (void)state;
  grpc_server s = {0};
  grpc_begin(&s);
  sv_text request = {0};
  assert_int_equal(grpc_number(grpc_answer(grpc_call(&s, INFERENCE "ServerLive", &request)), 1), 1);
  assert_int_equal(grpc_number(grpc_answer(grpc_call(&s, INFERENCE "ServerReady", &request)), 1), 1);
  atomic_store(&fake.not_ready, true);
  assert_int_equal(grpc_number(grpc_answer(grpc_call(&s, INFERENCE "ServerReady", &request)), 1), 0);
  sv_str metadata = grpc_answer(grpc_call(&s, INFERENCE "ServerMetadata", &request));
  assert_true(sv_str_is(grpc_bytes(metadata, 1, 0), "millrace") && sv_str_is(grpc_bytes(metadata, 2, 0), "1.2.3"));
  assert_true(grpc_bytes(metadata, 3, 0).size > 0);
  const char *const missing[] = {"TraceSetting", "LogSettings", "CudaSharedMemoryStatus", "CudaSharedMemoryRegister"};
  for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
    char path[100];
    snprintf(path, sizeof path, INFERENCE "%s", missing[i]);
    s.service.control = s.service.control_is_open = true;
    grpc_fails(grpc_call(&s, path, &request), "12", missing[i]);
  }
  grpc_answer(grpc_call(&s, INFERENCE "CudaSharedMemoryUnregister", &request));
  grpc_end(&s);
}

static void test_model(void **state) {
  (void)state;
  grpc_server s = {0};
  grpc_begin(&s);
  sv_text request = {0};
  put_text(&request, 1, "echo");
  assert_int_equal(grpc_number(grpc_answer(grpc_call(&s, INFERENCE "ModelReady", &request)), 1), 1);
  sv_str metadata = grpc_answer(grpc_call(&s, INFERENCE "ModelMetadata", &request));
  assert_true(sv_str_is(grpc_bytes(metadata, 1, 0), "echo"));
  assert_true(sv_str_is(grpc_bytes(metadata, 2, 0), "1") && sv_str_is(grpc_bytes(metadata, 2, 1), "3"));
  sv_str x = grpc_bytes(metadata, 4, 0);
  assert_true(sv_str_is(grpc_bytes(x, 1, 0), "x") && sv_str_is(grpc_bytes(x, 2, 0), "FP32"));
  assert_true(sv_str_equal(grpc_bytes(x, 3, 0), SV_STR("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x04")));
  sv_str config = grpc_bytes(grpc_answer(grpc_call(&s, INFERENCE "ModelConfig", &request)), 1, 0);
  assert_true(sv_str_is(grpc_bytes(config, 1, 0), "echo"));
  assert_int_equal(grpc_number(config, 4), 8);
  assert_int_equal(grpc_number(grpc_bytes(config, 5, 1), 2), 8);                          // TYPE_INT32
  assert_true(sv_str_equal(grpc_bytes(grpc_bytes(config, 5, 0), 4, 0), SV_STR("\x04")));  // dims without the batch
  assert_true(sv_str_equal(grpc_bytes(grpc_bytes(config, 6, 0), 3, 0), SV_STR("\x04")));
  sv_str statistics = grpc_answer(grpc_call(&s, INFERENCE "ModelStatistics", &request));
  sv_str one = grpc_bytes(statistics, 1, 0), other = grpc_bytes(statistics, 1, 1);
  assert_int_equal(grpc_number(one, 4), 20);
  assert_int_equal(grpc_number(other, 4), 60);
  assert_int_equal(grpc_number(grpc_bytes(grpc_bytes(one, 6, 0), 1, 0), 2), 500);
  assert_int_equal(grpc_number(grpc_bytes(one, 7, 0), 1), 2);
  put_text(&request, 2, "3");
  statistics = grpc_answer(grpc_call(&s, INFERENCE "ModelStatistics", &request));
  assert_true(sv_str_is(grpc_bytes(grpc_bytes(statistics, 1, 0), 2, 0), "3"));
  assert_int_equal(grpc_bytes(statistics, 1, 1).size, 0);
  metadata = grpc_answer(grpc_call(&s, INFERENCE "ModelMetadata", &request));
  assert_true(sv_str_is(grpc_bytes(metadata, 2, 0), "3") && !grpc_bytes(metadata, 2, 1).size);
  sv_text_clear(&request);
  put_text(&request, 1, "nope");
  assert_int_equal(grpc_number(grpc_answer(grpc_call(&s, INFERENCE "ModelReady", &request)), 1), 0);
  grpc_fails(grpc_call(&s, INFERENCE "ModelMetadata", &request), "5", "nope");
  grpc_fails(grpc_call(&s, INFERENCE "ModelConfig", &request), "5", "nope");
  grpc_fails(grpc_call(&s, INFERENCE "ModelStatistics", &request), "5", "nope");
  request.size--;
  grpc_fails(grpc_call(&s, INFERENCE "ModelMetadata", &request), "3", "well formed");
  sv_text_free(&request);
  grpc_end(&s);
}

static void test_repository(void **state) {
  (void)state;
  grpc_server s = {0};
  grpc_begin(&s);
  sv_text request = {0};
  sv_str index = grpc_answer(grpc_call(&s, INFERENCE "RepositoryIndex", &request));
  sv_str bad = grpc_bytes(index, 1, 1);
  assert_true(sv_str_is(grpc_bytes(bad, 1, 0), "bad") && sv_str_is(grpc_bytes(bad, 3, 0), "UNAVAILABLE"));
  assert_true(sv_str_is(grpc_bytes(bad, 4, 0), "it is broken"));
  sv_wire_put_uint(&request, 2, 1);
  index = grpc_answer(grpc_call(&s, INFERENCE "RepositoryIndex", &request));
  assert_int_equal(grpc_bytes(index, 1, 1).size, 0);
  sv_text_clear(&request);
  put_text(&request, 2, "echo");
  put_param(&request, 3, "config", 0, 0, "{\"a\":1}");
  h2_stream *refused = grpc_call(&s, INFERENCE "RepositoryModelLoad", &request);
  assert_string_not_equal(refused->grpc_status, "0");
  s.service.control = s.service.control_is_open = true;
  grpc_answer(grpc_call(&s, INFERENCE "RepositoryModelLoad", &request));
  assert_string_equal(fake.loaded, "echo");
  assert_string_equal(fake.config, "{\"a\":1}");
  put_param(&request, 3, "file:1/model.mlir", 0, 0, "x");
  grpc_fails(grpc_call(&s, INFERENCE "RepositoryModelLoad", &request), "12", "file:1/model.mlir");
  sv_text_clear(&request);
  grpc_fails(grpc_call(&s, INFERENCE "RepositoryModelLoad", &request), "3", "model_name");
  put_text(&request, 2, "bad");
  grpc_fails(grpc_call(&s, INFERENCE "RepositoryModelLoad", &request), "5", "bad");
  put_param(&request, 3, "unload_dependents", 1, 1, NULL);
  grpc_answer(grpc_call(&s, INFERENCE "RepositoryModelUnload", &request));
  assert_true(fake.dependents);
  sv_text_free(&request);
  grpc_end(&s);
}

// Check answers once, Watch whenever something changes; a server that ends ends its watches.
static void test_health(void **state) {
  (void)state;
  grpc_server s = {0};
  grpc_begin(&s);
  sv_text request = {0};
  assert_int_equal(grpc_number(grpc_answer(grpc_call(&s, "/grpc.health.v1.Health/Check", &request)), 1), 1);
  put_text(&request, 1, "echo");
  assert_int_equal(grpc_number(grpc_answer(grpc_call(&s, "/grpc.health.v1.Health/Check", &request)), 1), 1);
  sv_text_clear(&request);
  put_text(&request, 1, "nope");
  grpc_fails(grpc_call(&s, "/grpc.health.v1.Health/Check", &request), "5", "nope");
  h2_stream *unknown = h2c_call(&s.client, "/grpc.health.v1.Health/Watch", NULL);
  h2c_send(&s.client, unknown, request.data, request.size);
  h2c_until(&s.client, unknown->got.size == 7);
  assert_memory_equal(unknown->got.data, "\0\0\0\0\2\x08\3", 7);
  h2_stream *watch = h2c_call(&s.client, "/grpc.health.v1.Health/Watch", NULL);
  h2c_send(&s.client, watch, NULL, 0);
  h2c_half_close(&s.client, watch);
  h2c_until(&s.client, watch->got.size == 7);
  assert_memory_equal(watch->got.data, "\0\0\0\0\2\x08\1", 7);
  atomic_store(&fake.not_ready, true);
  h2c_until(&s.client, watch->got.size == 14);
  assert_memory_equal(watch->got.data + 7, "\0\0\0\0\2\x08\2", 7);
  nghttp2_submit_rst_stream(s.client.session, 0, unknown->id, NGHTTP2_CANCEL);
  atomic_store(&s.service.draining, true);
  h2c_until(&s.client, watch->closed);
  assert_string_equal(watch->grpc_status, "14");
  sv_text_free(&request);
  grpc_end(&s);
}

// With keys, every call but health needs one with the right to it.
static void test_rights(void **state) {
  (void)state;
  char path[] = "/tmp/mr_grpc_keys_XXXXXX";
  int fd = mkstemp(path);
  static const char lines[] = "secret infer - one\n";
  assert_int_equal(write(fd, lines, sizeof lines - 1), sizeof lines - 1);
  close(fd);
  grpc_server s = {.service.control = true};
  check_ok(sv_keys_open(path, &s.service.keys));
  unlink(path);
  grpc_begin(&s);
  sv_text request = {0};
  put_pair_request(&request, "echo", "", 1, 0);
  const char *const good[] = {"authorization", "Bearer secret", NULL}, *const other[] = {"x-api-key", "secret", NULL},
                    *const wrong[] = {"authorization", "Bearer sekret", NULL};
  h2_client *c = &s.client;
  assert_string_equal(h2c_unary(c, INFERENCE "ModelInfer", request.data, request.size, NULL)->grpc_status, "16");
  assert_string_equal(h2c_unary(c, INFERENCE "ModelInfer", request.data, request.size, wrong)->grpc_status, "16");
  assert_string_equal(h2c_unary(c, INFERENCE "ModelInfer", request.data, request.size, good)->grpc_status, "0");
  assert_string_equal(h2c_unary(c, INFERENCE "ModelInfer", request.data, request.size, other)->grpc_status, "0");
  assert_string_equal(h2c_unary(c, INFERENCE "RepositoryModelLoad", NULL, 0, good)->grpc_status, "7");
  assert_string_equal(h2c_unary(c, INFERENCE "ModelStreamInfer", NULL, 0, NULL)->grpc_status, "16");
  assert_string_equal(h2c_unary(c, INFERENCE "ServerReady", NULL, 0, NULL)->grpc_status, "0");
  assert_string_equal(h2c_unary(c, "/grpc.health.v1.Health/Check", NULL, 0, NULL)->grpc_status, "0");
  sv_text_free(&request);
  grpc_end(&s);
  sv_keys_release(s.service.keys);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stream),    cmocka_unit_test(test_stream_is_reset),    cmocka_unit_test(test_empty_stream),
      cmocka_unit_test(test_cancelled), cmocka_unit_test(test_no_message_and_two), cmocka_unit_test(test_server),
      cmocka_unit_test(test_model),     cmocka_unit_test(test_repository),         cmocka_unit_test(test_health),
      cmocka_unit_test(test_rights),    cmocka_unit_test(test_drained_stream),
  };
  return check_run(tests);
}
