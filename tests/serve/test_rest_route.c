// Paths, methods, rights: what the router lets through, and what it answers where it does not.
#include <unistd.h>

#include "serve/rest/doors.h"
#include "serve/rest/route.h"
#include "serve/service/regions.h"
#include "tests/serve/fake_rest.h"

// Infer and predict are tested elsewhere: here they say what they were called with.
void sv_rest_infer(sv_service *service, sv_exchange *exchange, const sv_http_request *request, sv_str model,
                   sv_str version) {
  (void)service, (void)request;
  sv_exchange_fail(exchange, sv_errorf(MILLRACE_INVALID_ARGUMENT, "infer %.*s %.*s", SV_FMT(model), SV_FMT(version)));
}
void sv_rest_predict(sv_service *service, sv_exchange *exchange, const sv_http_request *request, sv_str model,
                     sv_str version) {
  (void)service, (void)request;
  sv_exchange_fail(exchange, sv_errorf(MILLRACE_INVALID_ARGUMENT, "predict %.*s %.*s", SV_FMT(model), SV_FMT(version)));
}

typedef struct path_case {
  const char *path;
  sv_place place;
  const char *model, *version, *region;
} path_case;

static const path_case paths_cases[] = {
    {"/", SV_PLACE_PAGE, "", "", ""},
    {"/page/page.js", SV_PLACE_PAGE, "", "", ""},
    {"/v2", SV_PLACE_SERVER, "", "", ""},
    {"/v2/", SV_PLACE_NONE, "", "", ""},
    {"v2", SV_PLACE_NONE, "", "", ""},
    {"", SV_PLACE_NONE, "", "", ""},
    {"*", SV_PLACE_NONE, "", "", ""},
    {"//v2", SV_PLACE_NONE, "", "", ""},
    {"/v2/health/live", SV_PLACE_LIVE, "", "", ""},
    {"/v2/health/ready", SV_PLACE_READY, "", "", ""},
    {"/v2/health/ready/", SV_PLACE_NONE, "", "", ""},
    {"/v2/health", SV_PLACE_NONE, "", "", ""},
    {"/v2/models", SV_PLACE_NONE, "", "", ""},
    {"/v2/models/m", SV_PLACE_MODEL, "m", "", ""},
    {"/v2/models/ml%70", SV_PLACE_MODEL, "ml%70", "", ""},
    {"/v2/models/..", SV_PLACE_MODEL, "..", "", ""},
    {"/v2/models/m/", SV_PLACE_NONE, "", "", ""},
    {"/v2/models//ready", SV_PLACE_NONE, "", "", ""},
    {"/v2/models/m/versions/3", SV_PLACE_MODEL, "m", "3", ""},
    {"/v2/models/m/versions/x", SV_PLACE_NONE, "m", "", ""},
    {"/v2/models/m/versions/3x/infer", SV_PLACE_NONE, "m", "", ""},
    {"/v2/models/m/versions/99999999999999999999999/infer", SV_PLACE_NONE, "m", "", ""},
    {"/v2/models/m/versions", SV_PLACE_NONE, "m", "", ""},
    {"/v2/models/m/infer", SV_PLACE_INFER, "m", "", ""},
    {"/v2/models/infer/infer", SV_PLACE_INFER, "infer", "", ""},
    {"/v2/models/versions/versions/1/infer", SV_PLACE_INFER, "versions", "1", ""},
    {"/v2/models/m/versions/12/infer", SV_PLACE_INFER, "m", "12", ""},
    {"/v2/models/m/infer/x", SV_PLACE_NONE, "m", "", ""},
    {"/v2/models/m/Infer", SV_PLACE_NONE, "m", "", ""},
    {"/v2/models/m/ready", SV_PLACE_MODEL_READY, "m", "", ""},
    {"/v2/models/m/versions/1/ready", SV_PLACE_MODEL_READY, "m", "1", ""},
    {"/v2/models/m/config", SV_PLACE_CONFIG, "m", "", ""},
    {"/v2/models/m/versions/1/config", SV_PLACE_CONFIG, "m", "1", ""},
    {"/v2/models/m/stats", SV_PLACE_STATISTICS, "m", "", ""},
    {"/v2/models/m/versions/1/stats", SV_PLACE_STATISTICS, "m", "1", ""},
    {"/v2/models/stats", SV_PLACE_STATISTICS, "", "", ""},
    {"/v2/models/m/generate", SV_PLACE_GENERATE, "m", "", ""},
    {"/v2/models/m/generate_stream", SV_PLACE_GENERATE, "m", "", ""},
    {"/v2/models/m/trace/setting", SV_PLACE_TRACE, "m", "", ""},
    {"/v2/trace/setting", SV_PLACE_TRACE, "", "", ""},
    {"/v2/logging", SV_PLACE_LOGGING, "", "", ""},
    {"/v2/repository/index", SV_PLACE_INDEX, "", "", ""},
    {"/v2/repository/r/index", SV_PLACE_INDEX, "", "", ""},
    {"/v2/repository/models/m/load", SV_PLACE_LOAD, "m", "", ""},
    {"/v2/repository/models/m/unload", SV_PLACE_UNLOAD, "m", "", ""},
    {"/v2/repository/r/models/m/load", SV_PLACE_LOAD, "m", "", ""},
    {"/v2/repository/r/s/models/m/load", SV_PLACE_NONE, "", "", ""},
    {"/v2/repository/models/m/reload", SV_PLACE_NONE, "m", "", ""},
    {"/v2/systemsharedmemory/status", SV_PLACE_REGIONS_STATUS, "", "", ""},
    {"/v2/systemsharedmemory/unregister", SV_PLACE_REGIONS_UNREGISTER, "", "", ""},
    {"/v2/systemsharedmemory/register", SV_PLACE_NONE, "", "", ""},
    {"/v2/systemsharedmemory/region/a/register", SV_PLACE_REGIONS_REGISTER, "", "", "a"},
    {"/v2/systemsharedmemory/region/a/status", SV_PLACE_REGIONS_STATUS, "", "", "a"},
    {"/v2/systemsharedmemory/region/a/unregister", SV_PLACE_REGIONS_UNREGISTER, "", "", "a"},
    {"/v2/cudasharedmemory/unregister", SV_PLACE_CUDA_UNREGISTER, "", "", ""},
    {"/v2/cudasharedmemory/region/a/register", SV_PLACE_CUDA_REGISTER, "", "", "a"},
    {"/v2/cudasharedmemory/status", SV_PLACE_CUDA_STATUS, "", "", ""},
    {"/v1/models", SV_PLACE_V1_MODELS, "", "", ""},
    {"/v1/models/m", SV_PLACE_V1_MODEL, "m", "", ""},
    {"/v1/models/m:predict", SV_PLACE_PREDICT, "m", "", ""},
    {"/v1/models/m/versions/2:predict", SV_PLACE_PREDICT, "m", "2", ""},
    {"/v1/models/m/versions/2", SV_PLACE_V1_MODEL, "m", "2", ""},
    {"/v1/models/a:b:predict", SV_PLACE_PREDICT, "a:b", "", ""},
    {"/v1/models/:predict", SV_PLACE_NONE, "", "", ""},
    {"/v1/models/m:explain", SV_PLACE_V1_OTHER, "m", "", ""},
    {"/v1/models/m:dance", SV_PLACE_NONE, "m", "", ""},
    {"/v1/models/m/predict", SV_PLACE_NONE, "m", "", ""},
    {"/metrics", SV_PLACE_METRICS, "", "", ""},
    {"/metrics/x", SV_PLACE_NONE, "", "", ""},
    {"/ping", SV_PLACE_PING, "", "", ""},
    {"/invocations", SV_PLACE_INVOCATIONS, "", "", ""},
    {"/a/b/c/d/e/f/g/h/i/j", SV_PLACE_NONE, "", "", ""},
};

static void test_paths(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof paths_cases / sizeof *paths_cases; i++) {
    sv_route route = sv_route_of(sv_str_of(paths_cases[i].path));
    bool good = route.place == paths_cases[i].place &&
                (route.place == SV_PLACE_NONE || sv_str_is(route.model, paths_cases[i].model)) &&
                sv_str_is(route.region, paths_cases[i].region) &&
                (route.place == SV_PLACE_NONE || sv_str_is(route.version, paths_cases[i].version));
    if (!good) {
      fail_msg("%s: place %d, model '%.*s', version '%.*s'", paths_cases[i].path, (int)route.place, SV_FMT(route.model),
               SV_FMT(route.version));
    }
  }
}

// ---- Through the service --------------------------------------------------------------------------------------------

static const size_t LIMIT = 64 << 20;

typedef struct asked {
  int status;  // 0: the head was let through
  size_t limit;
  const char *headers;
} asked;

static asked ask(sv_service *service, bool local, sv_method method, const char *path, const sv_field *fields,
                 size_t num_fields) {
  sv_rest *rest = sv_rest_create(service);
  sv_exchange exchange = {.stream.is_local = local};
  sv_http_request request = {
      .method = method, .path = sv_str_of(path), .fields = fields, .num_fields = num_fields, .json_size = -1};
  asked got = {.limit = LIMIT, .headers = NULL};
  int status = -1;
  sv_error *error = sv_rest_service(rest)->head(rest, &exchange, &request, &got.limit, &status, &got.headers);
  got.status = error ? status : 0;
  sv_error_free(error);
  sv_rest_release(rest);
  return got;
}

static asked ask_plain(sv_service *service, sv_method method, const char *path) {
  return ask(service, true, method, path, NULL, 0);
}

static void test_methods_and_limits(void **state) {
  (void)state;
  fake_models();
  sv_service service = {.control = true};
  assert_int_equal(ask_plain(&service, SV_GET, "/nowhere").status, 404);
  assert_int_equal(ask_plain(&service, SV_GET, "/v2").status, 0);
  assert_int_equal(ask_plain(&service, SV_HEAD, "/v2").status, 0);
  asked wrong = ask_plain(&service, SV_POST, "/v2");
  assert_int_equal(wrong.status, 405);
  assert_string_equal(wrong.headers, "Allow: GET, HEAD\r\n");
  wrong = ask_plain(&service, SV_GET, "/v2/models/m/infer");
  assert_int_equal(wrong.status, 405);
  assert_string_equal(wrong.headers, "Allow: POST\r\n");
  wrong = ask_plain(&service, SV_DELETE, "/v2/logging");
  assert_int_equal(wrong.status, 405);
  assert_string_equal(wrong.headers, "Allow: GET, HEAD, POST\r\n");
  assert_int_equal(ask_plain(&service, SV_OPTIONS, "/v2/models/m/infer").status, 405);
  assert_int_equal(ask_plain(&service, SV_POST, "/v2/models/m/infer").limit, LIMIT);
  assert_int_equal(ask_plain(&service, SV_POST, "/v1/models/m:predict").limit, LIMIT);
  assert_int_equal(ask_plain(&service, SV_POST, "/v2/repository/models/m/load").limit, LIMIT);
  assert_int_equal(ask_plain(&service, SV_POST, "/v2/repository/index").limit, 1 << 20);
  assert_int_equal(ask_plain(&service, SV_GET, "/v2").limit, 1 << 20);
  assert_int_equal(service.http_requests, 12);
}

static void test_rights_without_keys(void **state) {
  (void)state;
  fake_models();
  sv_service service = {.control = true};
  const char *load = "/v2/repository/models/m/load", *regions = "/v2/systemsharedmemory/region/r/register";
  assert_int_equal(ask(&service, true, SV_POST, load, NULL, 0).status, 0);
  assert_int_equal(ask(&service, false, SV_POST, load, NULL, 0).status, 403);
  assert_int_equal(ask(&service, false, SV_POST, "/v2/models/m/infer", NULL, 0).status, 0);
  assert_int_equal(ask(&service, true, SV_POST, regions, NULL, 0).status, 503);
  service.regions = sv_regions_create();
  assert_int_equal(ask(&service, true, SV_POST, regions, NULL, 0).status, 0);
  assert_int_equal(ask(&service, false, SV_POST, regions, NULL, 0).status, 403);
  assert_int_equal(ask(&service, false, SV_GET, "/v2/systemsharedmemory/status", NULL, 0).status, 403);
  service.control = false;
  assert_int_equal(ask(&service, true, SV_POST, load, NULL, 0).status, 503);
  service.control = service.control_is_open = true;
  assert_int_equal(ask(&service, false, SV_POST, load, NULL, 0).status, 0);
  sv_regions_release(service.regions);
}

// A page of somebody else's that a browser shows may not unload models of the machine it runs on; our own may.
static void test_origins(void **state) {
  (void)state;
  fake_models();
  sv_service service = {.control = true};
  const struct {
    const char *origin, *host;
    int status;
  } cases[] = {
      {"http://localhost:8000", "localhost:8000", 0},
      {"http://127.0.0.1:8000", "127.0.0.1:8000", 0},
      {"https://[::1]:8000", "[::1]:8000", 0},
      {"http://evil.example", "127.0.0.1:8000", 403},
      {"null", "127.0.0.1:8000", 403},
      {"http://127.0.0.1:8001", "127.0.0.1:8000", 403},
      {"http://evil.example:80", "evil.example:80", 403},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sv_field fields[] = {{SV_STR("host"), sv_str_of(cases[i].host)}, {SV_STR("origin"), sv_str_of(cases[i].origin)}};
    assert_int_equal(ask(&service, true, SV_POST, "/v2/repository/models/m/unload", fields, 2).status, cases[i].status);
    assert_int_equal(ask(&service, true, SV_POST, "/v2/models/m/infer", fields, 2).status, 0);
  }
}

static void test_rights_with_keys(void **state) {
  (void)state;
  fake_models();
  char path[] = "/tmp/sv_rest_keys_XXXXXX";
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  assert_true(dprintf(descriptor, "user infer - u\nslow infer 1/s s\nadmin control - a\n") > 0);
  sv_keys *keys;
  check_ok(sv_keys_open(path, &keys));
  sv_service service = {.control = true, .keys = keys};
  sv_field user = {SV_STR("authorization"), SV_STR("Bearer user")}, slow = {SV_STR("x-api-key"), SV_STR("slow")},
           admin = {SV_STR("X-Api-Key"), SV_STR("admin")};
  const char *infer = "/v2/models/m/infer", *load = "/v2/repository/models/m/load";
  asked none = ask_plain(&service, SV_POST, infer);
  assert_int_equal(none.status, 401);
  assert_string_equal(none.headers, "WWW-Authenticate: Bearer\r\n");
  assert_int_equal(ask(&service, false, SV_POST, infer, &user, 1).status, 0);
  assert_int_equal(ask(&service, true, SV_POST, load, &user, 1).status, 403);
  assert_int_equal(ask(&service, false, SV_POST, load, &admin, 1).status, 0);
  assert_int_equal(ask(&service, false, SV_POST, infer, &admin, 1).status, 403);
  assert_int_equal(ask(&service, false, SV_GET, "/metrics", NULL, 0).status, 401);
  assert_int_equal(ask(&service, false, SV_GET, "/metrics", &user, 1).status, 0);
  const char *const open[] = {"/v2/health/live", "/v2/health/ready", "/v2/models/m/ready", "/ping", "/",
                              "/page/page.css"};
  for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
    assert_int_equal(ask(&service, false, SV_GET, open[i], NULL, 0).status, 0);
  }
  uint64_t begin_ns = sv_now_ns();
  assert_int_equal(ask(&service, false, SV_POST, infer, &slow, 1).status, 0);
  asked second = ask(&service, false, SV_POST, infer, &slow, 1);
  if (sv_now_ns() - begin_ns < 900000000) {
    assert_int_equal(second.status, 429);
    assert_string_equal(second.headers, "Retry-After: 1\r\n");
  }
  sv_keys_release(keys);
  close(descriptor);
  unlink(path);
}

// Every place that the router knows answers once, whatever it is asked.
static void test_everybody_answers(void **state) {
  (void)state;
  static const char *const paths[] = {"/",
                                      "/v2",
                                      "/v2/health/live",
                                      "/v2/health/ready",
                                      "/v2/models/mlp",
                                      "/v2/models/mlp/ready",
                                      "/v2/models/mlp/config",
                                      "/v2/models/mlp/stats",
                                      "/v2/models/stats",
                                      "/v2/models/mlp/infer",
                                      "/v2/models/mlp/generate",
                                      "/v2/trace/setting",
                                      "/v2/logging",
                                      "/v2/repository/index",
                                      "/v2/cudasharedmemory/status",
                                      "/v2/cudasharedmemory/unregister",
                                      "/v1/models",
                                      "/v1/models/mlp",
                                      "/v1/models/mlp:predict",
                                      "/v1/models/mlp:explain",
                                      "/metrics",
                                      "/ping",
                                      "/invocations",
                                      "/nowhere",
                                      "/page/nothing"};
  fake_models();
  sv_service service = {.name = "millrace", .version = "1", .begin_ns = sv_now_ns()};
  sv_rest *rest = sv_rest_create(&service);
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    sv_exchange exchange = {.stream.is_local = true};
    sv_http_request request = {.path = sv_str_of(paths[i]), .json_size = -1};
    sv_rest_service(rest)->request(rest, &exchange, &request);
    assert_int_equal(exchange.answers, 1);
    sv_text_free(&exchange.text);
    sv_text_free(&exchange.body);
  }
  sv_rest_release(rest);
}

// /invocations goes to the only model, and says so when there are several.
static void test_invocations(void **state) {
  (void)state;
  fake_models();
  sv_service service = {0};
  sv_rest *rest = sv_rest_create(&service);
  sv_http_request request = {.method = SV_POST, .path = SV_STR("/invocations"), .json_size = -1};
  static const struct {
    size_t first, count;
    const char *body;
  } cases[] = {
      {0, 3, "'chain' and 'mlp'"},
      {1, 2, "predict mlp "},
      {1, 1, "predict mlp "},
      {0, 0, "no model"},
  };
  sv_version *all[] = {&fake_chain, &fake_mlp_1, &fake_mlp_2};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    memcpy(fake_repository.versions, all + cases[i].first, cases[i].count * sizeof *all);
    fake_repository.num_versions = cases[i].count;
    sv_exchange exchange = {0};
    sv_rest_service(rest)->request(rest, &exchange, &request);
    assert_int_equal(exchange.answers, 1);
    assert_non_null(strstr(exchange.body.data, cases[i].body));
    sv_text_free(&exchange.body);
  }
  sv_rest_release(rest);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_paths),
      cmocka_unit_test(test_methods_and_limits),
      cmocka_unit_test(test_rights_without_keys),
      cmocka_unit_test(test_origins),
      cmocka_unit_test(test_rights_with_keys),
      cmocka_unit_test(test_everybody_answers),
      cmocka_unit_test(test_invocations),
  };
  return check_run(tests);
}
