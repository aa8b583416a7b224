// What the endpoints say: metadata, configuration, statistics, index, load and unload, shared memory.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "serve/json/json.h"
#include "serve/rest/doors.h"
#include "serve/service/regions.h"
#include "tests/serve/fake_rest.h"

void sv_rest_infer(sv_service *service, sv_exchange *exchange, const sv_http_request *request, sv_str model,
                   sv_str version) {
  (void)service, (void)request, (void)model, (void)version;
  sv_exchange_fail(exchange, sv_errorf(MILLRACE_INTERNAL, "not here"));
}
void sv_rest_predict(sv_service *service, sv_exchange *exchange, const sv_http_request *request, sv_str model,
                     sv_str version) {
  sv_rest_infer(service, exchange, request, model, version);
}

static sv_service service;
static sv_exchange exchange;

static void drop_answer(void) {
  sv_text_free(&exchange.text);
  sv_text_free(&exchange.body);
  memset(&exchange, 0, sizeof exchange);
  exchange.stream.is_local = true;
}

static int begin(void **state) {
  (void)state;
  fake_models();
  memset(&service, 0, sizeof service);
  service.name = "millrace";
  service.version = "0.2.0";
  service.control = true;
  drop_answer();
  return 0;
}

static int end(void **state) {
  (void)state;
  drop_answer();
  sv_regions_release(service.regions);
  assert_int_equal(fake_mlp_1.references, 0);
  assert_int_equal(fake_mlp_2.references, 0);
  assert_int_equal(fake_chain.references, 0);
  return 0;
}

// Sends a request; a body makes it a POST.
static void send(const char *path, const char *body) {
  drop_answer();
  sv_rest *rest = sv_rest_create(&service);
  sv_http_request request = {
      .method = body ? SV_POST : SV_GET, .path = sv_str_of(path), .body = sv_str_of(body), .json_size = -1};
  sv_rest_service(rest)->request(rest, &exchange, &request);
  sv_rest_release(rest);
}

static void check_json(void) {
  sv_json json;
  sv_text scratch = {0};
  sv_json_begin(&json, sv_str_of(exchange.body.data), &scratch);
  check_ok(sv_json_skip(&json, NULL));
  check_ok(sv_json_end(&json));
  sv_text_free(&scratch);
}

static void check_answer(const char *path, const char *body, int status, const char *wanted) {
  send(path, body);
  if (exchange.answers != 1 || exchange.status != status || strcmp(exchange.body.data, wanted) != 0) {
    fail_msg("%s: %d answers, status %d\n%s\nwanted %d\n%s", path, exchange.answers, exchange.status,
             exchange.body.data, status, wanted);
  }
  if (*wanted) {
    assert_string_equal(exchange.type, "application/json");
    check_json();
  }
}

static void check_refused(const char *path, const char *body, int status, const char *words) {
  send(path, body);
  if (exchange.answers != 1 || exchange.status != status || !strstr(exchange.body.data, words)) {
    fail_msg("%s: %d answers, status %d\n%s\nwanted %d\n%s", path, exchange.answers, exchange.status,
             exchange.body.data, status, words);
  }
}

static void test_server(void **state) {
  (void)state;
  check_answer("/v2", NULL, 200,
               "{\"name\":\"millrace\",\"version\":\"0.2.0\",\"extensions\":[\"classification\",\"model_repository\","
               "\"schedule_policy\",\"model_configuration\",\"binary_tensor_data\",\"parameters\",\"statistics\","
               "\"model_repository(unload_dependents)\"]}");
  check_answer("/v2/logging", NULL, 200,
               "{\"log_file\":\"\",\"log_info\":true,\"log_warning\":true,\"log_error\":true,\"log_verbose_level\":0,"
               "\"log_format\":\"default\"}");
  check_refused("/v2/logging", "{}", 501, "log by request is not implemented");
  check_refused("/v2/trace/setting", NULL, 501, "trace/setting");
  check_refused("/v2/models/mlp/generate", "{}", 501, "generate");
}

static void test_health(void **state) {
  (void)state;
  check_answer("/v2/health/live", NULL, 200, "");
  check_answer("/v2/health/ready", NULL, 200, "");
  check_answer("/ping", NULL, 200, "");
  fake_repository.ready = false;
  check_answer("/v2/health/live", NULL, 200, "");
  check_refused("/v2/health/ready", NULL, 503, "being loaded");
  fake_repository.ready = true;
  atomic_store(&service.draining, true);
  check_refused("/v2/health/ready", NULL, 503, "shutting down");
  check_answer("/v2/models/mlp/ready", NULL, 200, "");
  check_answer("/v2/models/mlp/versions/2/ready", NULL, 200, "");
  check_refused("/v2/models/mlp/versions/3/ready", NULL, 503, "error");
  check_refused("/v2/models/bad/ready", NULL, 503, "error");
  check_refused("/v2/models/mlp/versions/4/ready", NULL, 404, "error");
  check_refused("/v2/models/nobody/ready", NULL, 404, "nobody");
}

static void test_metadata(void **state) {
  (void)state;
#define PORTS                                                                                      \
  "\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":[-1,784]}],"                        \
  "\"outputs\":[{\"name\":\"y\",\"datatype\":\"FP32\",\"shape\":[-1,10]},{\"name\":\"\\\"n\\\"\"," \
  "\"datatype\":\"INT64\",\"shape\":[-1]}]}"
  check_answer("/v2/models/mlp", NULL, 200,
               "{\"name\":\"mlp\",\"versions\":[\"1\",\"2\"],\"platform\":\"millrace_stablehlo\"," PORTS);
  check_answer("/v2/models/mlp/versions/1", NULL, 200,
               "{\"name\":\"mlp\",\"versions\":[\"1\"],\"platform\":\"millrace_stablehlo\"," PORTS);
  check_answer("/v2/models/chain", NULL, 200,
               "{\"name\":\"chain\",\"versions\":[\"1\"],\"platform\":\"ensemble\","
               "\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":[8,784]}],"
               "\"outputs\":[{\"name\":\"y\",\"datatype\":\"FP32\",\"shape\":[-1,10]}]}");
  check_refused("/v2/models/nobody", NULL, 404, "nobody");
  check_refused("/v2/models/mlp/versions/7", NULL, 404, "mlp");
}

static void test_config(void **state) {
  (void)state;
#define INPUT(dims)                                                                                      \
  "\"input\":[{\"name\":\"x\",\"data_type\":\"TYPE_FP32\",\"dims\":" dims ",\"format\":\"FORMAT_NONE\"," \
  "\"is_shape_tensor\":false,\"allow_ragged_batch\":false,\"optional\":false}]"
  check_answer(
      "/v2/models/mlp/config", NULL, 200,
      "{\"name\":\"mlp\",\"platform\":\"millrace_stablehlo\",\"backend\":\"millrace\","
      "\"version_policy\":{\"latest\":{\"num_versions\":1}},\"max_batch_size\":8," INPUT(
          "[784]") ","
                   "\"output\":[{\"name\":\"y\",\"data_type\":\"TYPE_FP32\",\"dims\":[10],\"label_filename\":\"labels."
                   "txt\","
                   "\"is_shape_tensor\":false},{\"name\":\"\\\"n\\\"\",\"data_type\":\"TYPE_INT64\",\"dims\":[],"
                   "\"label_filename\":\"\",\"is_shape_tensor\":false}],"
                   "\"instance_group\":[{\"name\":\"mlp\",\"kind\":\"KIND_CPU\",\"count\":2}],\"default_model_"
                   "filename\":\"\","
                   "\"dynamic_batching\":{\"preferred_batch_size\":[4,8],\"max_queue_delay_microseconds\":100,"
                   "\"preserve_ordering\":false,\"priority_levels\":0,\"default_priority_level\":0,"
                   "\"default_queue_policy\":{\"timeout_action\":\"REJECT\",\"default_timeout_microseconds\":0,"
                   "\"allow_timeout_override\":false,\"max_queue_size\":0},\"priority_queue_policy\":{}},"
                   "\"parameters\":{},\"model_warmup\":[]}");
  check_answer(
      "/v2/models/chain/versions/1/config", NULL, 200,
      "{\"name\":\"chain\",\"platform\":\"ensemble\",\"backend\":\"\","
      "\"version_policy\":{\"specific\":{\"versions\":[1,3]}},\"max_batch_size\":0," INPUT(
          "[8,784]") ","
                     "\"output\":[{\"name\":\"y\",\"data_type\":\"TYPE_FP32\",\"dims\":[-1,10],\"label_filename\":\"\","
                     "\"is_shape_tensor\":false}],\"instance_group\":[{\"name\":\"chain\",\"kind\":\"KIND_CPU\","
                     "\"count\":2}],"
                     "\"default_model_filename\":\"m.mlir\",\"ensemble_scheduling\":{\"step\":[{\"model_name\":\"mlp\","
                     "\"model_version\":-1,\"input_map\":{\"a\":\"b\"},\"output_map\":{\"c\":\"d\"}}]},"
                     "\"parameters\":{\"batch_sizes\":{\"string_value\":\"1,16\"}},\"model_warmup\":[]}");
  check_refused("/v2/models/nobody/config", NULL, 404, "nobody");
}

static void test_statistics(void **state) {
  (void)state;
  fake_mlp_2.statistics = (sv_statistics){.last_inference_ms = 1700000000123,
                                          .inference_count = 9,
                                          .execution_count = 3,
                                          .success = {4, 100},
                                          .fail = {1, 2},
                                          .queue = {4, 10},
                                          .compute_input = {4, 11},
                                          .compute_infer = {4, 12},
                                          .compute_output = {4, 13},
                                          .num_batches = 1};
  fake_mlp_2.statistics.batches[0] = (sv_batch_stats){3, {3, 5}, {3, 6}, {3, 7}};
#define NONE "{\"count\":0,\"ns\":0}"
#define MLP_2                                                                                                          \
  "{\"name\":\"mlp\",\"version\":\"2\",\"last_inference\":1700000000123,\"inference_count\":9,\"execution_count\":3,"  \
  "\"inference_stats\":{\"success\":{\"count\":4,\"ns\":100},\"fail\":{\"count\":1,\"ns\":2},"                         \
  "\"queue\":{\"count\":4,\"ns\":10},\"compute_input\":{\"count\":4,\"ns\":11},\"compute_infer\":{\"count\":4,\"ns\":" \
  "12},"                                                                                                               \
  "\"compute_output\":{\"count\":4,\"ns\":13},\"cache_hit\":" NONE ",\"cache_miss\":" NONE                             \
  "},\"response_stats\":{},\"batch_stats\":[{\"batch_size\":3,\"compute_input\":{\"count\":3,\"ns\":5},"               \
  "\"compute_infer\":{\"count\":3,\"ns\":6},\"compute_output\":{\"count\":3,\"ns\":7}}],"                              \
  "\"memory_usage\":[{\"type\":\"CPU\",\"id\":0,\"byte_size\":2000}]}"
  check_answer("/v2/models/mlp/versions/2/stats", NULL, 200, "{\"model_stats\":[" MLP_2 "]}");
  send("/v2/models/mlp/stats", NULL);
  assert_non_null(strstr(exchange.body.data, "\"version\":\"1\""));
  assert_non_null(strstr(exchange.body.data, "," MLP_2 "]}"));
  assert_null(strstr(exchange.body.data, "chain"));
  check_json();
  send("/v2/models/stats", NULL);
  assert_non_null(strstr(exchange.body.data, "\"name\":\"chain\""));
  assert_non_null(strstr(exchange.body.data, MLP_2));
  check_json();
  check_refused("/v2/models/nobody/stats", NULL, 404, "nobody");
  check_refused("/v2/models/mlp/versions/9/stats", NULL, 404, "mlp");
}

static void test_index(void **state) {
  (void)state;
#define READY                                                   \
  "{\"name\":\"chain\",\"version\":\"1\",\"state\":\"READY\"}," \
  "{\"name\":\"mlp\",\"version\":\"1\",\"state\":\"READY\"},{\"name\":\"mlp\",\"version\":\"2\",\"state\":\"READY\"}"
#define ALL                                                                                                       \
  "[{\"name\":\"bad\",\"version\":\"\",\"state\":\"UNAVAILABLE\",\"reason\":\"no \\\"main\\\" function\"}," READY \
  ",{\"name\":\"mlp\",\"version\":\"3\",\"state\":\"LOADING\"}]"
  check_answer("/v2/repository/index", "", 200, ALL);
  check_answer("/v2/repository/index", "{}", 200, ALL);
  check_answer("/v2/repository/index", "{\"ready\":false,\"other\":[1]}", 200, ALL);
  check_answer("/v2/repository/any/index", "{\"ready\":true}", 200, "[" READY "]");
  check_refused("/v2/repository/index", "{\"ready\":1}", 400, "");
  check_refused("/v2/repository/index", "[]", 400, "");
  fake_repository.num_entries = 0;
  check_answer("/v2/repository/index", "", 200, "[]");
}

static void finish(sv_error *error) {
  assert_int_equal(exchange.answers, 0);
  fake_repository.done(fake_repository.argument, error);
  sv_task *task = exchange.loop.posted;
  assert_non_null(task);
  assert_int_equal(exchange.answers, 0);  // not from the repository's thread
  task->run(task);
  assert_int_equal(exchange.answers, 1);
}

// The answer comes when the repository is done, on the exchange's loop.
static void test_load(void **state) {
  (void)state;
  send("/v2/repository/models/m/load", "{}");
  assert_string_equal(fake_repository.loaded, "m");
  assert_string_equal(fake_repository.config, "");
  finish(NULL);
  assert_int_equal(exchange.status, 200);
  assert_string_equal(exchange.body.data, "");
  send("/v2/repository/models/m/load", "{\"parameters\":{\"config\":\"{\\\"max_batch_size\\\": 4}\"}}");
  assert_string_equal(fake_repository.config, "{\"max_batch_size\": 4}");
  finish(sv_errorf(MILLRACE_NOT_FOUND, "no 'm'"));
  assert_int_equal(exchange.status, 404);
  assert_string_equal(exchange.body.data, "{\"error\":\"no 'm'\"}");
  fake_repository.loaded[0] = 0;
  check_refused("/v2/repository/models/m/load", "{\"parameters\":{\"file:1/model.mlir\":\"AAAA\"}}", 400,
                "'file:1/model.mlir': this server takes no files");
  check_refused("/v2/repository/models/m/load", "{\"parameters\":{\"config\":1}}", 400, "");
  check_refused("/v2/repository/models/m/load", "{\"parameters\":{\"speed\":1}}", 400, "'speed' is not known");
  check_refused("/v2/repository/models/m/load", "{\"parameters\":", 400, "");
  check_refused("/v2/repository/models/m/load", "{\"parameters\":{\"config\":\"{}\"}} x", 400, "");
  assert_string_equal(fake_repository.loaded, "");
}

static void test_unload(void **state) {
  (void)state;
  send("/v2/repository/models/m/unload", "{\"parameters\":{\"unload_dependents\":true}}");
  assert_true(fake_repository.unloads && fake_repository.dependents);
  finish(NULL);
  assert_int_equal(exchange.status, 200);
  send("/v2/repository/models/m/unload", "");
  assert_false(fake_repository.dependents);
  finish(NULL);
  send("/v2/repository/models/m/unload", "{\"parameters\":null}");
  finish(NULL);
  check_refused("/v2/repository/models/m/unload", "{\"parameters\":{\"config\":\"{}\"}}", 400, "'config' is not known");
}

static void test_v1(void **state) {
  (void)state;
  check_answer("/v1/models", NULL, 200, "{\"models\":[\"chain\",\"mlp\"]}");
#define AVAILABLE(n) \
  "{\"version\":\"" n "\",\"state\":\"AVAILABLE\",\"status\":{\"error_code\":\"OK\",\"error_message\":\"\"}}"
  check_answer(
      "/v1/models/mlp", NULL, 200,
      "{\"name\":\"mlp\",\"ready\":true,\"model_version_status\":[" AVAILABLE("1") "," AVAILABLE(
          "2") ","
               "{\"version\":\"3\",\"state\":\"LOADING\",\"status\":{\"error_code\":\"OK\",\"error_message\":\"\"}}]}");
  check_answer("/v1/models/mlp/versions/2", NULL, 200,
               "{\"name\":\"mlp\",\"ready\":true,\"model_version_status\":[" AVAILABLE("2") "]}");
  check_answer("/v1/models/bad", NULL, 200, "{\"name\":\"bad\",\"ready\":false,\"model_version_status\":[]}");
  check_refused("/v1/models/nobody", NULL, 404, "nobody");
  check_refused("/v1/models/mlp/versions/9", NULL, 404, "version 9");
}

static void test_regions(void **state) {
  (void)state;
  service.regions = sv_regions_create();
  char key[40], body[200], wanted[300];
  snprintf(key, sizeof key, "/sv_rest_%d", (int)getpid());
  int descriptor = shm_open(key, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  assert_true(descriptor >= 0 && ftruncate(descriptor, 128) == 0);
  snprintf(body, sizeof body, "{\"key\":\"%s\",\"offset\":64,\"byte_size\":64}", key);
  check_answer("/v2/systemsharedmemory/region/r/register", body, 200, "");
  check_refused("/v2/systemsharedmemory/region/r/register", body, 400, "registered already");
  snprintf(body, sizeof body, "{\"key\":\"%s\",\"byte_size\":128}", key);
  check_answer("/v2/systemsharedmemory/region/s/register", body, 200, "");
  snprintf(wanted, sizeof wanted,
           "[{\"name\":\"r\",\"key\":\"%s\",\"offset\":64,\"byte_size\":64},"
           "{\"name\":\"s\",\"key\":\"%s\",\"offset\":0,\"byte_size\":128}]",
           key, key);
  check_answer("/v2/systemsharedmemory/status", NULL, 200, wanted);
  snprintf(wanted, sizeof wanted, "[{\"name\":\"r\",\"key\":\"%s\",\"offset\":64,\"byte_size\":64}]", key);
  check_answer("/v2/systemsharedmemory/region/r/status", NULL, 200, wanted);
  check_refused("/v2/systemsharedmemory/region/t/status", NULL, 404, "'t'");
  check_refused("/v2/systemsharedmemory/region/t/register", "{\"byte_size\":1}", 400, "'key' is missing");
  check_refused("/v2/systemsharedmemory/region/t/register", "{\"key\":\"/x\"}", 400, "'byte_size' is missing");
  check_refused("/v2/systemsharedmemory/region/t/register", "", 400, "'key' is missing");
  check_refused("/v2/systemsharedmemory/region/t/register", "{\"key\":\"/sv_nobody\",\"byte_size\":1}", 404,
                "sv_nobody");
  check_refused("/v2/systemsharedmemory/region/t/register", "{\"key\":\"/x\\u0000y\",\"byte_size\":1}", 400, "code 0");
  check_refused("/v2/systemsharedmemory/region/t/register", "{\"key\":\"/x\",\"byte_size\":-1}", 400, "");
  check_answer("/v2/systemsharedmemory/region/r/unregister", "", 200, "");
  check_answer("/v2/systemsharedmemory/unregister", "", 200, "");
  check_answer("/v2/systemsharedmemory/status", NULL, 200, "[]");
  check_answer("/v2/cudasharedmemory/unregister", "", 200, "");
  check_refused("/v2/cudasharedmemory/status", NULL, 501, "CUDA shared memory");
  close(descriptor);
  shm_unlink(key);
}

static void test_metrics(void **state) {
  (void)state;
  send("/metrics", NULL);
  assert_int_equal(exchange.status, 200);
  assert_string_equal(exchange.type, "text/plain; version=0.0.4; charset=utf-8");
  assert_non_null(strstr(exchange.body.data, "\nnv_inference_count{model=\"mlp\",version=\"1\"} 0\n"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_server, begin, end),
      cmocka_unit_test_setup_teardown(test_health, begin, end),
      cmocka_unit_test_setup_teardown(test_metadata, begin, end),
      cmocka_unit_test_setup_teardown(test_config, begin, end),
      cmocka_unit_test_setup_teardown(test_statistics, begin, end),
      cmocka_unit_test_setup_teardown(test_index, begin, end),
      cmocka_unit_test_setup_teardown(test_load, begin, end),
      cmocka_unit_test_setup_teardown(test_unload, begin, end),
      cmocka_unit_test_setup_teardown(test_v1, begin, end),
      cmocka_unit_test_setup_teardown(test_regions, begin, end),
      cmocka_unit_test_setup_teardown(test_metrics, begin, end),
  };
  return check_run(tests);
}
