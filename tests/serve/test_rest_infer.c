// POST .../infer: bodies as clients send them, answers as they want them, and everything that can be wrong with them.
#include "tests/serve/check.h"
#include "tests/serve/fake_engine.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "serve/json/json.h"

static sv_service service = {.name = "millrace", .version = "0", .body_bytes = 1 << 20};

// A body, exact in memory of its own; answered when this returns, unless fake_defers.
static sv_exchange *ask_sized(const char *model, const void *body, size_t size, int64_t json_size) {
  static sv_exchange exchange;
  fake_exchange_free(&exchange);
  char *copy = size ? malloc(size) : NULL;
  if (size) {
    memcpy(copy, body, size);
  }
  exchange = (sv_exchange){.http = {.body = {copy, size}, .json_size = json_size}};
  sv_rest_infer(&service, &exchange, &exchange.http, sv_str_of(model), (sv_str){0});
  if (!fake_defers) {
    assert_int_equal(exchange.answers, 1);
    free(copy);
    assert_true(fake_is_idle());
  }
  return &exchange;
}

static sv_exchange *ask(const char *model, const char *json) { return ask_sized(model, json, strlen(json), -1); }

static void check_body(const sv_exchange *exchange, int status, const char *wanted) {
  if (exchange->status != status || !sv_str_is(sv_text_str(&exchange->body), wanted)) {
    fail_msg("got %d %.*s, wanted %d %s", exchange->status, SV_FMT(sv_text_str(&exchange->body)), status, wanted);
  }
}

static void check_error(const sv_exchange *exchange, millrace_code code, const char *words) {
  sv_text text = exchange->body;
  if (exchange->status != -(int)code || !memmem(text.data, text.size, words, strlen(words))) {
    fail_msg("got %d %.*s, wanted code %d with '%s'", exchange->status, SV_FMT(sv_text_str(&text)), (int)code, words);
  }
}

#define ANSWER_M \
  "{\"model_name\":\"m\",\"model_version\":\"3\",\"outputs\":[{\"name\":\"y\",\"datatype\":\"FP32\",\"shape\":"

// Members come in any order, data nested in any way, and what nobody knows is skipped.
static void test_json(void **state) {
  (void)state;
  static const char *const bodies[] = {
      "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,3],\"datatype\":\"FP32\",\"data\":[1,2,3]}]}",
      "{\"inputs\":[{\"data\":[[1,2,3]],\"datatype\":\"FP32\",\"shape\":[1,3],\"name\":\"x\"}]}",
      "{\"inputs\":[{\"shape\":[1,3],\"data\":[[1],[2,[3]]],\"\\u006eame\":\"\\u0078\",\"new\":{\"a\":[]},"
      "\"datatype\":\"FP32\"}],\"outputs\":[]}",
      " {\"new\":[1,{}],\"parameters\":{\"mine\":\"x\",\"other\":1.5,\"third\":true},\"outputs\":[{\"name\":\"y\"}] ,"
      "\"model_name\":\"other\",\"inputs\":[{\"name\":\"x\",\"parameters\":{},\"shape\":[1,3],\"datatype\":\"FP32\","
      "\"data\":[1.0,2e0,0.3e1]}]} ",
      "{\"outputs\":[{\"name\":\"y\"},{\"name\":\"y\",\"parameters\":{\"binary_data\":false}}],"
      "\"inputs\":[{\"name\":\"x\",\"shape\":[1,3],\"datatype\":\"FP32\",\"data\":[1,2,3]}],"
      "\"parameters\":{\"binary_data_output\":true}}",
  };
  for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
    const sv_exchange *exchange = ask("m", bodies[i]);
    check_body(exchange, 200, ANSWER_M "[1,3],\"data\":[3.0,5.0,7.0]}]}");
    assert_int_equal(exchange->json_size, -1);
    assert_false(exchange->is_binary);
  }
}

static void test_id_and_access(void **state) {
  (void)state;
  const sv_exchange *exchange = ask("m", "{\"id\":\"a\\\"\\u00e9\",\"inputs\":[{\"name\":\"x\",\"shape\":[2,3],"
                                         "\"datatype\":\"FP32\",\"data\":[0,0,0,1,1,1]}]}");
  check_body(exchange, 200,
             "{\"id\":\"a\\\"\xc3\xa9\",\"model_name\":\"m\",\"model_version\":\"3\",\"outputs\":[{\"name\":\"y\","
             "\"datatype\":\"FP32\",\"shape\":[2,3],\"data\":[1.0,1.0,1.0,3.0,3.0,3.0]}]}");
  assert_true(sv_str_is(exchange->access.model, "m"));
  assert_int_equal(exchange->access.version, 3);
  assert_true(sv_str_is(exchange->access.request_id, "a\"\xc3\xa9"));
  assert_int_equal(exchange->access.batch_size, 2);
  assert_int_equal(exchange->access.queue_us, 5);
  assert_int_equal(exchange->access.compute_us, 7);
}

// JSON, and the tensors' bytes behind it.
static sv_exchange *ask_binary(const char *model, const char *json, const void *bytes, size_t size) {
  sv_text body = {0};
  sv_text_puts(&body, json);
  int64_t json_size = (int64_t)body.size;
  sv_text_add(&body, bytes, size);
  sv_exchange *exchange = ask_sized(model, body.data, body.size, json_size);
  sv_text_free(&body);
  return exchange;
}

static void check_binary(const sv_exchange *exchange, const char *json, const void *bytes, size_t size) {
  assert_int_equal(exchange->status, 200);
  assert_true(exchange->is_binary);
  assert_int_equal(exchange->json_size, strlen(json));
  assert_int_equal(exchange->body.size, strlen(json) + size);
  assert_memory_equal(exchange->body.data, json, strlen(json));
  assert_memory_equal(exchange->body.data + strlen(json), bytes, size);
}

// What tritonclient sends by default: binary both ways.
static void test_binary(void **state) {
  (void)state;
  static const float x[] = {1, 2, 3}, y[] = {3, 5, 7};
  const char *json =
      "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,3],\"datatype\":\"FP32\",\"parameters\":{\"binary_data_size\":12}}],"
      "\"parameters\":{\"binary_data_output\":true}}";
  check_binary(ask_binary("m", json, x, sizeof x), ANSWER_M "[1,3],\"parameters\":{\"binary_data_size\":12}}]}", y,
               sizeof y);
  // An output's own word counts more than the request's.
  json =
      "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,3],\"datatype\":\"FP32\",\"parameters\":{\"binary_data_size\":12}}],"
      "\"outputs\":[{\"name\":\"y\",\"parameters\":{\"binary_data\":true}}]}";
  check_binary(ask_binary("m", json, x, sizeof x), ANSWER_M "[1,3],\"parameters\":{\"binary_data_size\":12}}]}", y,
               sizeof y);
  json =
      "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,3],\"datatype\":\"FP32\",\"parameters\":{\"binary_data_size\":12}}]}";
  check_body(ask_binary("m", json, x, sizeof x), 200, ANSWER_M "[1,3],\"data\":[3.0,5.0,7.0]}]}");
}

// JSON and binary inputs mixed, in another order than the model's; one output binary and one not.
static void test_mixed(void **state) {
  (void)state;
  static const int64_t b[] = {10, -20};
  const char *json =
      "{\"inputs\":[{\"name\":\"b\",\"shape\":[1,2],\"datatype\":\"INT64\",\"parameters\":{\"binary_data_size\":16}},"
      "{\"name\":\"a\",\"shape\":[1,2],\"datatype\":\"FP32\",\"data\":[0.5,1]}],"
      "\"outputs\":[{\"name\":\"less\",\"parameters\":{\"binary_data\":true}},{\"name\":\"sum\"}]}";
  check_binary(
      ask_binary("two", json, b, sizeof b),
      "{\"model_name\":\"two\",\"model_version\":\"1\",\"outputs\":[{\"name\":\"sum\",\"datatype\":\"FP64\","
      "\"shape\":[1,2],"
      "\"data\":[10.5,-19.0]},{\"name\":\"less\",\"datatype\":\"BOOL\",\"shape\":[1,2],\"parameters\":{\"binary_"
      "data_size\":2}}]}",
      "\1\0", 2);
  // Only what was asked for.
  check_body(ask("two", "{\"inputs\":[{\"name\":\"a\",\"shape\":[1,2],\"datatype\":\"FP32\",\"data\":[1,1]},{\"name\":"
                        "\"b\",\"shape\":[1,2],"
                        "\"datatype\":\"INT64\",\"data\":[9007199254740993,1]}],\"outputs\":[{\"name\":\"less\"}]}"),
             200,
             "{\"model_name\":\"two\",\"model_version\":\"1\",\"outputs\":[{\"name\":\"less\",\"datatype\":\"BOOL\","
             "\"shape\":[1,2],"
             "\"data\":[true,false]}]}");
}

// Two inputs that lie in memory which grows while they are read.
static void test_inputs_that_move(void **state) {
  (void)state;
  sv_text json = {0};
  for (int i = 0; i < 2; i++) {
    sv_text_puts(&json,
                 i ? ",{\"name\":\"b\",\"shape\":[3,2],\"datatype\":\"INT64\",\"data\":[1,2,3,4,5,6]}]}"
                   : "{\"inputs\":[{\"name\":\"a\",\"shape\":[3,2],\"datatype\":\"FP32\",\"data\":[1,2,3,4,5,6]}");
  }
  sv_text_putc(&json, 0);
  const sv_exchange *exchange = ask("two", json.data);
  assert_int_equal(exchange->status, 200);
  assert_non_null(memmem(exchange->body.data, exchange->body.size, "\"data\":[2.0,4.0,6.0,8.0,10.0,12.0]", 34));
  assert_true(fake_seen.body_block);
  sv_text_free(&json);
}

static void test_half(void **state) {
  (void)state;
  const char *json =
      "{\"inputs\":[{\"name\":\"h\",\"shape\":[1,2],\"datatype\":\"FP16\",\"parameters\":{\"binary_data_size\":4}}]}";
  check_error(ask_binary("half", json, "\0\x3c\0\x40", 4), MILLRACE_INVALID_ARGUMENT,
              "output 'h' is of type FP16, which has no text in JSON: ask for it with binary_data");
  json = "{\"parameters\":{\"binary_data_output\":true},\"inputs\":[{\"name\":\"h\",\"shape\":[1,2],\"datatype\":"
         "\"FP16\",\"data\":[1,2]}]}";
  check_error(ask("half", json), MILLRACE_INVALID_ARGUMENT, "input 'h': elements of type FP16 have no text in JSON");
  json = "{\"inputs\":[{\"name\":\"h\",\"shape\":[1,2],\"datatype\":\"FP16\",\"parameters\":{\"binary_data_size\":4}}],"
         "\"parameters\":{\"binary_data_output\":true}}";
  check_binary(ask_binary("half", json, "\0\x3c\0\x40", 4),
               "{\"model_name\":\"half\",\"model_version\":\"1\",\"outputs\":[{\"name\":\"h\",\"datatype\":\"FP16\","
               "\"shape\":[1,2],"
               "\"parameters\":{\"binary_data_size\":4}}]}",
               "\0\x3c\0\x40", 4);
}

// A body that is one tensor.
static void test_raw(void **state) {
  (void)state;
  static const float x[] = {1, 2, 3}, y[] = {3, 5, 7};
  static const int32_t i[] = {1, 2, 3, 4, 5, 6}, o[] = {2, 3, 4, 5, 6, 7};
  check_binary(ask_sized("m", x, sizeof x, 0), ANSWER_M "[1,3],\"parameters\":{\"binary_data_size\":12}}]}", y,
               sizeof y);
  check_binary(ask_sized("fixed", i, sizeof i, 0),
               "{\"model_name\":\"fixed\",\"model_version\":\"1\",\"outputs\":[{\"name\":\"i\",\"datatype\":\"INT32\","
               "\"shape\":[2,3],"
               "\"parameters\":{\"binary_data_size\":24}}]}",
               o, sizeof o);
  check_error(ask_sized("m", x, 8, 0), MILLRACE_INVALID_ARGUMENT, "is 8, wanted 12 (FP32 of shape [1,3])");
  check_error(ask_sized("fixed", i, 20, 0), MILLRACE_INVALID_ARGUMENT, "is 20, wanted 8");
  check_error(ask_sized("two", x, sizeof x, 0), MILLRACE_INVALID_ARGUMENT, "has 2 inputs");
  check_error(ask_sized("m", NULL, 0, -1), MILLRACE_INVALID_ARGUMENT, "is 0, wanted 12");
  // Nothing at all is a tensor too, where a dimension is open.
  check_body(ask_sized("fixed", NULL, 0, -1), 200,
             "{\"model_name\":\"fixed\",\"model_version\":\"1\",\"outputs\":[{\"name\":\"i\",\"datatype\":\"INT32\","
             "\"shape\":[2,0],"
             "\"parameters\":{\"binary_data_size\":0}}]}");
  check_body(ask("fixed", "{\"inputs\":[{\"name\":\"i\",\"shape\":[2,0],\"datatype\":\"INT32\",\"data\":[[],[]]}],"
                          "\"outputs\":[{\"name\":\"i\",\"parameters\":{\"classification\":2}}]}"),
             200,
             "{\"model_name\":\"fixed\",\"model_version\":\"1\",\"outputs\":[{\"name\":\"i\",\"datatype\":\"BYTES\","
             "\"shape\":[0],"
             "\"data\":[]}]}");
}

#define X "\"name\":\"x\",\"shape\":[1,3],\"datatype\":\"FP32\""

static const struct {
  const char *json, *words;
} refused_cases[] = {
    {"{", "ends at byte 1"},
    {"[]", "wanted an object"},
    {"{}", "input 'x' of model 'm' is missing"},
    {"{\"inputs\":[]}", "input 'x' of model 'm' is missing"},
    {"{\"inputs\":{}}", "wanted an array"},
    {"{\"inputs\":[1]}", "wanted an object"},
    {"{\"id\":7,\"inputs\":[]}", "wanted a text"},
    {"{\"inputs\":[{\"name\":\"z\",\"shape\":[1,3],\"datatype\":\"FP32\",\"data\":[1,2,3]}]}",
     "model 'm' has no input 'z', wanted 'x'"},
    {"{\"inputs\":[{" X ",\"data\":[1,2,3]},{" X ",\"data\":[1,2,3]}]}", "input 'x' is there twice"},
    {"{\"inputs\":[{\"shape\":[1,3],\"datatype\":\"FP32\",\"data\":[1,2,3]}]}", "has no member 'name'"},
    {"{\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP32\",\"data\":[1,2,3]}]}", "input 'x' has no member 'shape'"},
    {"{\"inputs\":[{\"name\":\"x\",\"shape\":[1,3],\"data\":[1,2,3]}]}", "input 'x' has no member 'datatype'"},
    {"{\"inputs\":[{" X "}]}", "has none of data"},
    {"{\"inputs\":[{" X ",\"data\":[1,2,3],\"parameters\":{\"binary_data_size\":12}}]}", "has more than one of data"},
    {"{\"inputs\":[{" X ",\"data\":[1,2,3],\"data\":[1,2,3]}]}", "member 'data' twice"},
    {"{\"inputs\":[{" X ",\"name\":\"x\",\"data\":[1,2,3]}]}", "member 'name' twice"},
    {"{\"inputs\":[{" X ",\"data\":[1,2]}]}", "input 'x': JSON at byte 67: wanted 3 elements, got fewer"},
    {"{\"inputs\":[{\"data\":[1,2]," X "}]}", "input 'x': its shape has 3 elements, its data fewer"},
    {"{\"inputs\":[{" X ",\"data\":[1,2,3,4]}]}", "got more"},
    {"{\"inputs\":[{" X ",\"data\":[1,2,\"3\"]}]}", "wanted a number"},
    {"{\"inputs\":[{" X ",\"data\":[1,2,true]}]}", "wanted a number"},
    {"{\"inputs\":[{" X ",\"data\":7}]}", "wanted an array"},
    {"{\"inputs\":[{\"name\":\"x\",\"shape\":[1,3],\"datatype\":\"FP64\",\"data\":[1,2,3]}]}",
     "has datatype 'FP64', wanted 'FP32'"},
    {"{\"inputs\":[{\"name\":\"x\",\"shape\":[1,3],\"datatype\":\"BYTES\",\"data\":[\"\"]}]}",
     "datatype 'BYTES', wanted 'FP32'"},
    {"{\"inputs\":[{\"name\":\"x\",\"shape\":[1,3],\"datatype\":7,\"data\":[1]}]}", "wanted a text"},
    {"{\"inputs\":[{\"name\":\"x\",\"shape\":[1,-3],\"datatype\":\"FP32\",\"data\":[1]}]}", "not negative, got -3"},
    {"{\"inputs\":[{\"name\":\"x\",\"shape\":[1.5],\"datatype\":\"FP32\",\"data\":[1]}]}", "whole number"},
    {"{\"inputs\":[{\"name\":\"x\",\"shape\":\"3\",\"datatype\":\"FP32\",\"data\":[1]}]}", "wanted an array"},
    {"{\"inputs\":[{\"name\":\"x\",\"shape\":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],\"datatype\":\"FP32\",\"data\":[1]}]"
     "}",
     "more than 16 dimensions"},
    {"{\"inputs\":[{\"name\":\"x\",\"shape\":[1000000000,1000000000,1000000000],\"datatype\":\"FP32\",\"data\":[1]}]"
     "}",
     "more bytes than there can be"},
    {"{\"inputs\":[{\"name\":\"x\",\"shape\":[1000000000,3],\"datatype\":\"FP32\",\"data\":[1]}]}",
     "its shape has 3000000000 elements, its data fewer"},
    {"{\"inputs\":[{\"name\":\"x\",\"shape\":[18446744073709551615],\"datatype\":\"FP32\",\"data\":[1]}]}",
     "dimension"},
    {"{\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"FP32\",\"data\":[1,2]}]}", "wrong shape"},
    {"{\"inputs\":[{\"name\":\"x\",\"shape\":[9,3],\"datatype\":\"FP32\",\"data\":[1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,"
     "3,1,2,3,1,2,3,1,2,3]}]}",
     "wrong shape"},
    {"{\"inputs\":[{" X ",\"parameters\":{\"binary_data_size\":12}}]}",
     "wanted 12 bytes behind the JSON, got 0 (without Inference-Header"},
    {"{\"inputs\":[{" X ",\"parameters\":{\"binary_data_size\":8}}]}",
     "binary_data_size is 8, wanted 12 (FP32 of shape [1,3])"},
    {"{\"inputs\":[{" X ",\"parameters\":{\"binary_data_size\":-1}}]}", "parameter 'binary_data_size'"},
    {"{\"inputs\":[{" X ",\"parameters\":7}]}", "wanted an object"},
    {"{\"inputs\":[{" X ",\"parameters\":{\"shared_memory_region\":\"r\"}}]}", "belong together"},
    {"{\"inputs\":[{" X ",\"data\":[1,2,3]}],\"outputs\":[{\"name\":\"z\"}]}", "model 'm' has no output 'z'"},
    {"{\"inputs\":[{" X ",\"data\":[1,2,3]}],\"outputs\":[{}]}", "an output has no member 'name'"},
    {"{\"inputs\":[{" X ",\"data\":[1,2,3]}],\"outputs\":[{\"name\":\"y\",\"parameters\":{\"binary_data\":1}}]}",
     "parameter 'binary_data'"},
    {"{\"inputs\":[{" X
     ",\"data\":[1,2,3]}],\"outputs\":[{\"name\":\"y\",\"parameters\":{\"classification\":99999999999}}]}",
     "classification of"},
    {"{\"inputs\":[{" X ",\"data\":[1,2,3]}],\"parameters\":{\"triton_x\":1}}", "parameter 'triton_x'"},
    {"{\"inputs\":[{" X ",\"data\":[1,2,3]}],\"parameters\":{\"priority\":-1}}", "parameter 'priority'"},
    {"{\"inputs\":[{" X ",\"data\":[1,2,3]}],\"parameters\":{\"priority\":4294967296}}", "parameter 'priority'"},
    {"{\"inputs\":[{" X ",\"data\":[1,2,3]}],\"parameters\":[]}", "wanted an object"},
    {"{\"inputs\":[{" X ",\"data\":[1,2,3]}]} x", "wanted the end"},
    {"{\"inputs\":[{" X ",\"data\":[1,2,3]}]", "ends at byte"},
};

static void test_refused(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof refused_cases / sizeof refused_cases[0]; i++) {
    fake_versions[FAKE_M].failures = 0;
    const sv_exchange *exchange = ask("m", refused_cases[i].json);
    check_error(exchange, MILLRACE_INVALID_ARGUMENT, refused_cases[i].words);
    // The engine counts what it refuses itself.
    assert_int_equal(fake_versions[FAKE_M].failures, strcmp(refused_cases[i].words, "wrong shape") != 0);
  }
  check_error(ask("none", "{}"), MILLRACE_NOT_FOUND, "model 'none' is not there");
  static const float x[] = {1, 2, 3, 4};
  const char *json = "{\"inputs\":[{" X ",\"parameters\":{\"binary_data_size\":12}}]}";
  check_error(ask_binary("m", json, x, 16), MILLRACE_INVALID_ARGUMENT, "4 bytes are left over");
  check_error(ask_binary("m", json, x, 8), MILLRACE_INVALID_ARGUMENT, "wanted 12 bytes behind the JSON, got 8");
}

static void test_schedule(void **state) {
  (void)state;
  ask("m",
      "{\"parameters\":{\"priority\":2,\"timeout\":1500,\"sequence_id\":0,\"sequence_start\":false},\"inputs\":[{" X
      ",\"data\":[1,2,3]}]}");
  assert_int_equal(fake_seen.priority, 2);
  assert_int_equal(fake_seen.timeout_ns, 1500000);
  ask("m", "{\"parameters\":{\"timeout\":18446744073709551615},\"inputs\":[{" X ",\"data\":[1,2,3]}]}");
  assert_int_equal(fake_seen.priority, 0);
  assert_true(fake_seen.timeout_ns == UINT64_MAX);
  check_error(ask("m", "{\"parameters\":{\"sequence_id\":5},\"inputs\":[{" X ",\"data\":[1,2,3]}]}"),
              MILLRACE_UNIMPLEMENTED, "sequences");
  check_error(ask("m", "{\"parameters\":{\"sequence_id\":\"s\"},\"inputs\":[{" X ",\"data\":[1,2,3]}]}"),
              MILLRACE_UNIMPLEMENTED, "sequences");
}

// The most probable classes, as texts: in JSON, and as bytes with lengths.
static void test_classification(void **state) {
  (void)state;
  check_body(ask("m", "{\"inputs\":[{\"name\":\"x\",\"shape\":[2,3],\"datatype\":\"FP32\",\"data\":[1,2,3,5,5,0]}],"
                      "\"outputs\":[{\"name\":\"y\",\"parameters\":{\"classification\":2}}]}"),
             200,
             "{\"model_name\":\"m\",\"model_version\":\"3\",\"outputs\":[{\"name\":\"y\",\"datatype\":\"BYTES\","
             "\"shape\":[2,2],"
             "\"data\":[\"7.000000:2:dog\",\"5.000000:1\",\"11.000000:0:cat\",\"11.000000:1\"]}]}");
  check_binary(ask("m", "{\"inputs\":[{" X ",\"data\":[1,2,3]}],"
                        "\"outputs\":[{\"name\":\"y\",\"parameters\":{\"classification\":1,\"binary_data\":true}}]}"),
               "{\"model_name\":\"m\",\"model_version\":\"3\",\"outputs\":[{\"name\":\"y\",\"datatype\":\"BYTES\","
               "\"shape\":[1,1],"
               "\"parameters\":{\"binary_data_size\":18}}]}",
               "\x0e\0\0\0"
               "7.000000:2:dog",
               18);
}

// A client that goes: the request is cancelled, and the exchange is answered when it is over.
static void test_gone(void **state) {
  (void)state;
  fake_defers = true;
  sv_exchange *exchange = ask("m", "{\"inputs\":[{" X ",\"data\":[1,2,3]}]}");
  assert_int_equal(exchange->answers, 0);
  assert_non_null(fake_waiting);
  exchange->gone(exchange->argument);
  assert_true(fake_cancelled);
  fake_finish(fake_waiting, sv_errorf(MILLRACE_CANCELLED, "the client is gone"));
  check_error(exchange, MILLRACE_CANCELLED, "gone");
  free((char *)exchange->http.body.data);
  // And one that waits for an answer that comes later.
  exchange = ask("m", "{\"inputs\":[{" X ",\"data\":[1,2,3]}]}");
  fake_finish(fake_waiting, NULL);
  check_body(exchange, 200, ANSWER_M "[1,3],\"data\":[3.0,5.0,7.0]}]}");
  free((char *)exchange->http.body.data);
  fake_defers = false;
  assert_true(fake_is_idle());
}

static void test_shared_memory(void **state) {
  (void)state;
  check_error(
      ask("m", "{\"inputs\":[{" X ",\"parameters\":{\"shared_memory_region\":\"r\",\"shared_memory_byte_size\":12}}]}"),
      MILLRACE_UNAVAILABLE, "does not use shared memory");
  check_error(ask("m", "{\"inputs\":[],\"outputs\":[{\"name\":\"y\",\"parameters\":{\"shared_memory_region\":\"r\","
                       "\"shared_memory_byte_size\":12}}]}"),
              MILLRACE_UNAVAILABLE, "does not use shared memory");
  char key[64];
  snprintf(key, sizeof key, "/millrace_test_infer_%d", (int)getpid());
  int descriptor = shm_open(key, O_RDWR | O_CREAT | O_EXCL, 0600);
  assert_true(descriptor >= 0);
  assert_int_equal(ftruncate(descriptor, 64), 0);
  static const float x[] = {1, 2, 3}, y[] = {3, 5, 7};
  assert_int_equal(pwrite(descriptor, x, sizeof x, 16), sizeof x);
  service.regions = sv_regions_create();
  check_ok(sv_regions_register(service.regions, SV_STR("r"), sv_str_of(key), 0, 64));
#define IN(size)                                                                                         \
  "{\"inputs\":[{" X ",\"parameters\":{\"shared_memory_region\":\"r\",\"shared_memory_byte_size\":" size \
  ",\"shared_memory_offset\":16}}]"
#define OUT(size)                                                                                                  \
  ",\"outputs\":[{\"name\":\"y\",\"parameters\":{\"shared_memory_region\":\"r\",\"shared_memory_byte_size\":" size \
  ",\"shared_memory_offset\":32}}]"
  check_body(ask("m", IN("12") OUT("32") "}"), 200, ANSWER_M "[1,3]}]}");
  float got[3];
  assert_int_equal(pread(descriptor, got, sizeof got, 32), sizeof got);
  assert_memory_equal(got, y, sizeof y);
  check_body(ask("m", IN("12") "}"), 200, ANSWER_M "[1,3],\"data\":[3.0,5.0,7.0]}]}");
  fake_is_remote = true;
  check_error(ask("m", IN("12") "}"), MILLRACE_PERMISSION_DENIED, "on the server's machine alone");
  check_error(ask("m", "{\"inputs\":[{" X ",\"data\":[1,2,3]}]" OUT("32") "}"), MILLRACE_PERMISSION_DENIED,
              "machine alone");
  fake_is_remote = false;
  check_error(ask("m", IN("16") "}"), MILLRACE_INVALID_ARGUMENT, "shared_memory_byte_size is 16, wanted 12");
  check_error(ask("m", IN("12") OUT("8") "}"), MILLRACE_INVALID_ARGUMENT,
              "output 'y' has 12 bytes, its shared memory 8");
  check_error(ask("m", IN("12") OUT("33") "}"), MILLRACE_INVALID_ARGUMENT, "output 'y'");
  check_error(ask("m", "{\"inputs\":[{" X
                       ",\"parameters\":{\"shared_memory_region\":\"none\",\"shared_memory_byte_size\":12}}]}"),
              MILLRACE_NOT_FOUND, "none");
  sv_regions_release(service.regions);
  service.regions = NULL;
  close(descriptor);
  shm_unlink(key);
}

static void *ask_often(void *argument) {
  for (int i = 0; i < 3; i++) {
    ask("m", "{\"id\":\"\\u0041\",\"inputs\":[{" X ",\"data\":[1,2,3]}]}");
  }
  *(int *)argument = fake_requests;
  return NULL;
}

// A thread makes one request for inferences that follow each other, and takes it along when it ends.
static void test_store(void **state) {
  (void)state;
  int before = fake_requests, during = 0;
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, ask_often, &during), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_int_equal(during, before + 1);
  assert_int_equal(fake_requests, before);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_json),  cmocka_unit_test(test_id_and_access),    cmocka_unit_test(test_binary),
      cmocka_unit_test(test_mixed), cmocka_unit_test(test_inputs_that_move), cmocka_unit_test(test_half),
      cmocka_unit_test(test_raw),   cmocka_unit_test(test_refused),          cmocka_unit_test(test_schedule),
      cmocka_unit_test(test_gone),  cmocka_unit_test(test_classification),   cmocka_unit_test(test_shared_memory),
      cmocka_unit_test(test_store),
  };
  return check_run(tests);
}
