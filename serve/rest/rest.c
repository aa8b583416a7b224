// The router: which place a path is, whether this client may go there, and who answers.
#include "serve/rest/rest.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "serve/rest/answers.h"
#include "serve/rest/doors.h"

// Bodies of what is neither infer nor predict nor load: a few members.
static const size_t SMALL_BODY = 1 << 20;

// Names of models that /invocations went to, kept for as long as the server: the answer's log line may still use one when its model is gone.
typedef struct kept_name {
  struct kept_name *next;
  char text[];
} kept_name;

struct sv_rest {
  sv_service *service;
  sv_http_service http;
  pthread_mutex_t lock;  // of names
  kept_name *names;
};

// ---- Rights ---------------------------------------------------------------------------------------------------------

static bool is_regions(sv_place place) {
  return place == SV_PLACE_REGIONS_STATUS || place == SV_PLACE_REGIONS_REGISTER || place == SV_PLACE_REGIONS_UNREGISTER;
}

static bool is_loopback_name(sv_str host) {
  const char *colon = host.size ? memrchr(host.data, ':', host.size) : NULL;
  bool has_port = colon && !memchr(colon, ']', (size_t)(host.data + host.size - colon));
  sv_str name = {host.data, has_port ? (size_t)(colon - host.data) : host.size};
  return sv_str_is_nocase(name, "localhost") || sv_str_begins(name, "127.") || sv_str_is(name, "[::1]");
}

// A browser lets any web page send a POST to this machine, and says in Origin whose page it is: none but our own may change something here. Nor may
// a page whose name was made to point at this machine, where no key stands in its way.
static sv_error *check_origin(const sv_service *service, const sv_http_request *request) {
  sv_str origin = sv_http_field(request, "Origin"), host = sv_http_field(request, "Host");
  if (!origin.size) {
    return NULL;
  }
  size_t scheme = sv_str_begins(origin, "http://") ? 7 : sv_str_begins(origin, "https://") ? 8 : 0;
  sv_str rest = {origin.data + scheme, origin.size - scheme};
  bool is_own = scheme && rest.size == host.size && strncasecmp(rest.data, host.data, host.size) == 0;
  if (is_own && (service->keys || service->control_is_open || is_loopback_name(host))) {
    return NULL;
  }
  return sv_errorf(MILLRACE_PERMISSION_DENIED, "a web page of '%.*s' may not change this server",
                   (int)(origin.size < 200 ? origin.size : 200), origin.data);
}

static sv_error *check_rights(sv_service *service, sv_exchange *exchange, const sv_http_request *request,
                              sv_place place, int *out_status, const char **out_headers) {
  const sv_place_rules *rules = sv_place_rules_of(place);
  bool changes = rules->right == SV_RIGHT_CONTROL || is_regions(place);
  if (rules->right == SV_RIGHT_NONE || (!service->keys && !changes)) {
    return NULL;
  }
  sv_stream *stream = sv_exchange_stream(exchange);
  bool is_local = sv_stream_is_local(stream);
  sv_error *error = sv_service_allow(service, rules->right, sv_http_field(request, "Authorization"),
                                     sv_http_field(request, "X-API-Key"), sv_stream_identity(stream), is_local);
  bool by_key = error != NULL;
  if (!error && is_regions(place)) {
    error = sv_service_allow_regions(service, is_local);
  }
  if (!error && changes) {
    error = check_origin(service, request);
  }
  *out_status = sv_http_status(sv_error_code(error));
  if (sv_error_code(error) == MILLRACE_UNAUTHENTICATED) {
    *out_status = 401;
    *out_headers = "WWW-Authenticate: Bearer\r\n";
  } else if (by_key && sv_error_code(error) == MILLRACE_RESOURCE_EXHAUSTED) {
    *out_status = 429;
    *out_headers = "Retry-After: 1\r\n";
  }
  return error;
}

static sv_error *head(void *self, sv_exchange *exchange, const sv_http_request *request, size_t *inout_body_limit,
                      int *out_status, const char **out_headers) {
  sv_service *service = ((sv_rest *)self)->service;
  atomic_fetch_add_explicit(&service->http_requests, 1, memory_order_relaxed);
  sv_route route = sv_route_of(request->path);
  const sv_place_rules *rules = sv_place_rules_of(route.place);
  *out_headers = NULL;
  if (route.place == SV_PLACE_NONE) {
    *out_status = 404;
    size_t size = request->path.size < 200 ? request->path.size : 200;
    return sv_errorf(MILLRACE_NOT_FOUND, "there is nothing at '%.*s'", (int)size, request->path.data);
  }
  bool good_method = (rules->get && (request->method == SV_GET || request->method == SV_HEAD)) ||
                     (rules->post && request->method == SV_POST);
  if (!good_method) {
    *out_status = 405;
    *out_headers = rules->allow;
    return sv_errorf(MILLRACE_UNIMPLEMENTED, "this method is not for this place (%.*s)", (int)strlen(rules->allow) - 2,
                     rules->allow);
  }
  if (!rules->large && *inout_body_limit > SMALL_BODY) {
    *inout_body_limit = SMALL_BODY;
  }
  return check_rights(service, exchange, request, route.place, out_status, out_headers);
}

// ---- Places that hand on --------------------------------------------------------------------------------------------

static void metrics(const sv_rest_call *call) {
  sv_service_metrics(call->service, sv_exchange_text(call->exchange));
  sv_rest_answer_text(call->exchange, "text/plain; version=0.0.4; charset=utf-8", NULL);
}

static void logging(const sv_rest_call *call) {
  if (call->request->method == SV_POST) {
    sv_rest_not_done(call->exchange, "changing the settings of the log by request");
    return;
  }
  sv_text_puts(sv_exchange_text(call->exchange),
               "{\"log_file\":\"\",\"log_info\":true,\"log_warning\":true,\"log_error\":true,\"log_verbose_level\":0,"
               "\"log_format\":\"default\"}");
  sv_rest_answer_json(call->exchange);
}

static void trace(const sv_rest_call *call) { sv_rest_not_done(call->exchange, "trace/setting"); }

static void generate(const sv_rest_call *call) { sv_rest_not_done(call->exchange, "generate"); }

static void v1_other(const sv_rest_call *call) { sv_rest_not_done(call->exchange, "explain, classify, regress"); }

static void cuda(const sv_rest_call *call) { sv_rest_not_done(call->exchange, "CUDA shared memory"); }

// There are none, so that all of them are gone: perf_analyzer asks for this before it begins.
static void cuda_unregister(const sv_rest_call *call) { sv_rest_answer_nothing(call->exchange); }

static void page(const sv_rest_call *call) { sv_page_answer(call->service, call->exchange, call->request->path); }

static void infer(const sv_rest_call *call) {
  sv_rest_infer(call->service, call->exchange, call->request, call->route.model, call->route.version);
}

static void predict(const sv_rest_call *call) {
  sv_rest_predict(call->service, call->exchange, call->request, call->route.model, call->route.version);
}

// The name of the only model that is served.
static sv_error *find_only(sv_service *service, char **out_name) {
  sv_version **versions;
  size_t count;
  SV_TRY(sv_repository_versions(service->repository, (sv_str){0}, &versions, &count));
  sv_error *error = count ? NULL : sv_errorf(MILLRACE_NOT_FOUND, "no model is served");
  for (size_t i = 1; i < count && !error; i++) {
    const char *first = sv_version_signature(versions[0])->model, *other = sv_version_signature(versions[i])->model;
    if (strcmp(first, other) != 0) {
      error = sv_errorf(MILLRACE_INVALID_ARGUMENT,
                        "/invocations is for a server with one model, and this one has '%s' and '%s': name one, "
                        "/v1/models/NAME:predict",
                        first, other);
    }
  }
  *out_name = error ? NULL : strdup(sv_version_signature(versions[0])->model);
  sv_versions_free(versions, count);
  return error ? error : *out_name ? NULL : sv_no_memory();
}

static const char *keep_name(sv_rest *rest, const char *name) {
  pthread_mutex_lock(&rest->lock);
  kept_name *kept = rest->names;
  while (kept && strcmp(kept->text, name) != 0) {
    kept = kept->next;
  }
  if (!kept && (kept = malloc(sizeof *kept + strlen(name) + 1))) {
    strcpy(kept->text, name);
    kept->next = rest->names;
    rest->names = kept;
  }
  pthread_mutex_unlock(&rest->lock);
  return kept ? kept->text : NULL;
}

static void invocations(sv_rest *rest, const sv_rest_call *call) {
  char *name = NULL;
  sv_error *error = find_only(call->service, &name);
  const char *kept = error ? NULL : keep_name(rest, name);
  free(name);
  if (!kept) {
    sv_exchange_fail(call->exchange, error ? error : sv_no_memory());
    return;
  }
  sv_rest_predict(call->service, call->exchange, call->request, sv_str_of(kept), (sv_str){0});
}

// ---- The service ----------------------------------------------------------------------------------------------------

static void (*const ANSWERS[SV_NUM_PLACES])(const sv_rest_call *call) = {
    [SV_PLACE_INFER] = infer,
    [SV_PLACE_LIVE] = sv_rest_live,
    [SV_PLACE_READY] = sv_rest_ready,
    [SV_PLACE_SERVER] = sv_rest_server,
    [SV_PLACE_MODEL] = sv_rest_model,
    [SV_PLACE_MODEL_READY] = sv_rest_model_ready,
    [SV_PLACE_CONFIG] = sv_rest_config,
    [SV_PLACE_STATISTICS] = sv_rest_statistics,
    [SV_PLACE_INDEX] = sv_rest_index,
    [SV_PLACE_LOAD] = sv_rest_load,
    [SV_PLACE_UNLOAD] = sv_rest_unload,
    [SV_PLACE_REGIONS_STATUS] = sv_rest_regions_status,
    [SV_PLACE_REGIONS_REGISTER] = sv_rest_regions_register,
    [SV_PLACE_REGIONS_UNREGISTER] = sv_rest_regions_unregister,
    [SV_PLACE_CUDA_STATUS] = cuda,
    [SV_PLACE_CUDA_REGISTER] = cuda,
    [SV_PLACE_CUDA_UNREGISTER] = cuda_unregister,
    [SV_PLACE_LOGGING] = logging,
    [SV_PLACE_TRACE] = trace,
    [SV_PLACE_GENERATE] = generate,
    [SV_PLACE_V1_MODELS] = sv_rest_v1_models,
    [SV_PLACE_V1_MODEL] = sv_rest_v1_model,
    [SV_PLACE_PREDICT] = predict,
    [SV_PLACE_V1_OTHER] = v1_other,
    [SV_PLACE_METRICS] = metrics,
    [SV_PLACE_PAGE] = page,
    [SV_PLACE_PING] = sv_rest_ready,
};

static void answer(void *self, sv_exchange *exchange, const sv_http_request *request) {
  sv_rest *rest = self;
  sv_rest_call call = {rest->service, exchange, request, sv_route_of(request->path)};
  if (call.route.place == SV_PLACE_INVOCATIONS) {
    invocations(rest, &call);
  } else if (ANSWERS[call.route.place]) {
    ANSWERS[call.route.place](&call);
  } else {
    sv_exchange_fail(exchange, sv_errorf(MILLRACE_NOT_FOUND, "there is nothing at this path"));
  }
}

sv_rest *sv_rest_create(sv_service *service) {
  sv_rest *rest = calloc(1, sizeof *rest);
  if (rest) {
    rest->service = service;
    rest->http = (sv_http_service){.self = rest, .head = head, .request = answer};
    pthread_mutex_init(&rest->lock, NULL);
  }
  return rest;
}

const sv_http_service *sv_rest_service(sv_rest *rest) { return &rest->http; }

void sv_rest_release(sv_rest *rest) {
  if (rest) {
    for (kept_name *name = rest->names, *next; name; name = next) {
      next = name->next;
      free(name);
    }
    pthread_mutex_destroy(&rest->lock);
    free(rest);
  }
}
