// What the front doors share: extensions, readiness, rights.
#include "serve/service/service.h"

#include "serve/service/keys.h"
#include "serve/service/regions.h"

// Of this machine's clients or of all: the same but for shared memory and for who asks to unload.
#define ALWAYS                                                                                                        \
  "classification", "model_repository", "schedule_policy", "model_configuration", "binary_tensor_data", "parameters", \
      "statistics"

const char *const *sv_service_extensions(const sv_service *service) {
  static const char *const plain[] = {ALWAYS, NULL};
  static const char *const control[] = {ALWAYS, "model_repository(unload_dependents)", NULL};
  static const char *const regions[] = {ALWAYS, "system_shared_memory", NULL};
  static const char *const both[] = {ALWAYS, "model_repository(unload_dependents)", "system_shared_memory", NULL};
  if (service->regions) {
    return service->control ? both : regions;
  }
  return service->control ? control : plain;
}

bool sv_service_is_ready(sv_service *service) {
  return !atomic_load_explicit(&service->draining, memory_order_relaxed) && sv_repository_is_ready(service->repository);
}

// "Bearer KEY", the word in any case; empty for anything else.
static sv_str bearer(sv_str authorization) {
  if (authorization.size < 7 || !sv_str_is_nocase((sv_str){authorization.data, 7}, "bearer ")) {
    return (sv_str){0};
  }
  sv_str key = {authorization.data + 7, authorization.size - 7};
  while (key.size && key.data[0] == ' ') {
    key.data++;
    key.size--;
  }
  return key;
}

static sv_error *allow_control(sv_service *service, bool is_local) {
  if (!service->control) {
    return sv_errorf(MILLRACE_UNAVAILABLE, "this server does not load and unload models by request");
  }
  if (!service->keys && !is_local && !service->control_is_open) {
    return sv_errorf(MILLRACE_PERMISSION_DENIED,
                     "without API keys the server loads and unloads for clients on its own machine alone");
  }
  return NULL;
}

sv_error *sv_service_allow(sv_service *service, sv_right right, sv_str authorization, sv_str api_key,
                           const char *identity, bool is_local) {
  if (right == SV_RIGHT_NONE) {
    return NULL;
  }
  if (right == SV_RIGHT_CONTROL) {
    SV_TRY(allow_control(service, is_local));
  }
  if (!service->keys) {
    return NULL;
  }
  sv_str key = bearer(authorization);
  return sv_keys_allow(service->keys, right, key.size ? key : api_key, identity);
}
