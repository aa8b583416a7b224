// Health, and who the server is.
#include "serve/rest/answers.h"

void sv_rest_live(const sv_rest_call *call) { sv_rest_answer_nothing(call->exchange); }

// What is being loaded yet; else the first model that is not served, and why.
static sv_error *not_ready(sv_service *service) {
  sv_index_entry *entries;
  size_t count;
  SV_TRY(sv_repository_index(service->repository, &entries, &count));
  sv_error *error = NULL;
  bool loading = false;
  for (size_t i = 0; i < count; i++) {
    loading |= entries[i].state == SV_STATE_LOADING;
  }
  for (size_t i = 0; i < count && !loading && !error; i++) {
    if (entries[i].state == SV_STATE_UNAVAILABLE) {
      error = sv_errorf(MILLRACE_UNAVAILABLE, "model '%s' is not served: %s", entries[i].name, entries[i].reason);
    }
  }
  sv_index_free(entries, count);
  return error ? error : sv_errorf(MILLRACE_UNAVAILABLE, "models are still being loaded");
}

void sv_rest_ready(const sv_rest_call *call) {
  if (sv_service_is_ready(call->service)) {
    sv_rest_answer_nothing(call->exchange);
    return;
  }
  bool draining = atomic_load_explicit(&call->service->draining, memory_order_relaxed);
  sv_exchange_fail(call->exchange, draining ? sv_errorf(MILLRACE_UNAVAILABLE, "the server is shutting down")
                                            : not_ready(call->service));
}

// The repository has this model (and this version, where one is given), whether it is served or not.
static bool is_known(sv_service *service, sv_str model, sv_str version) {
  uint64_t number = 0;
  sv_str_number(version, UINT64_MAX, &number);
  sv_index_entry *entries;
  size_t count;
  sv_error *error = sv_repository_index(service->repository, &entries, &count);
  if (error) {
    sv_error_free(error);
    return false;
  }
  bool known = false;
  for (size_t i = 0; i < count; i++) {
    known = known || (sv_str_is(model, entries[i].name) && (!version.size || entries[i].version == number));
  }
  sv_index_free(entries, count);
  return known;
}

// 404 for a model that nobody knows, 503 for one that is not served now.
void sv_rest_model_ready(const sv_rest_call *call) {
  sv_version *version;
  sv_error *error = sv_repository_find(call->service->repository, call->route.model, call->route.version, &version);
  if (!error) {
    sv_version_release(version);
    sv_rest_answer_nothing(call->exchange);
    return;
  }
  if (sv_error_code(error) == MILLRACE_NOT_FOUND && is_known(call->service, call->route.model, call->route.version)) {
    sv_error *unavailable = sv_errorf(MILLRACE_UNAVAILABLE, "%s", sv_error_message(error));
    sv_error_free(error);
    error = unavailable;
  }
  sv_exchange_fail(call->exchange, error);
}

void sv_rest_server(const sv_rest_call *call) {
  sv_text *out = sv_exchange_text(call->exchange);
  sv_text_putc(out, '{');
  sv_rest_put_text(out, "name", sv_str_of(call->service->name));
  sv_rest_put_text(out, "version", sv_str_of(call->service->version));
  sv_rest_put_name(out, "extensions");
  const char *separator = "[";
  for (const char *const *name = sv_service_extensions(call->service); *name; name++) {
    sv_text_puts(out, separator);
    sv_json_put_string(out, sv_str_of(*name));
    separator = ",";
  }
  sv_text_puts(out, "]}");
  sv_rest_answer_json(call->exchange);
}
