// What a model takes and gives: the protocol's metadata, and the states that KServe v1 and TensorFlow Serving ask for.
#include <string.h>

#include "serve/rest/answers.h"

static void put_shape(sv_text *out, const sv_port *port, bool batched) {
  int64_t dims[SV_MAX_RANK];
  memcpy(dims, port->dims, sizeof dims);
  if (batched) {
    dims[0] = -1;
  }
  sv_text_add_shape(out, dims, port->rank);
}

static void put_ports(sv_text *out, const char *name, const sv_port *ports, uint32_t count, bool batched) {
  sv_rest_put_name(out, name);
  sv_text_putc(out, '[');
  for (uint32_t i = 0; i < count; i++) {
    const char *datatype = sv_datatype_name(ports[i].dtype);
    sv_text_puts(out, i ? ",{" : "{");
    sv_rest_put_text(out, "name", sv_str_of(ports[i].name));
    sv_rest_put_text(out, "datatype", sv_str_of(datatype ? datatype : "INVALID"));
    sv_rest_put_name(out, "shape");
    put_shape(out, &ports[i], batched);
    sv_text_putc(out, '}');
  }
  sv_text_putc(out, ']');
}

static void put_versions(sv_text *out, sv_version **versions, size_t count) {
  sv_rest_put_name(out, "versions");
  sv_text_putc(out, '[');
  for (size_t i = 0; i < count; i++) {
    sv_text_puts(out, i ? ",\"" : "\"");
    sv_text_add_uint(out, sv_version_signature(versions[i])->number);
    sv_text_putc(out, '"');
  }
  sv_text_putc(out, ']');
}

static void put_model(sv_text *out, sv_version *version, sv_version **versions, size_t count) {
  const sv_signature *signature = sv_version_signature(version);
  bool batched = signature->max_batch_size > 0;
  sv_text_putc(out, '{');
  sv_rest_put_text(out, "name", sv_str_of(signature->model));
  put_versions(out, versions, count);
  sv_rest_put_text(out, "platform", signature->ensemble ? SV_STR("ensemble") : SV_STR("millrace_stablehlo"));
  put_ports(out, "inputs", signature->inputs, signature->num_inputs, batched);
  put_ports(out, "outputs", signature->outputs, signature->num_outputs, batched);
  sv_text_putc(out, '}');
}

// Without a version in the path: of the highest, and with all that are served.
void sv_rest_model(const sv_rest_call *call) {
  sv_version *version;
  sv_error *error = sv_repository_find(call->service->repository, call->route.model, call->route.version, &version);
  if (error) {
    sv_exchange_fail(call->exchange, error);
    return;
  }
  sv_version **versions = NULL;
  size_t count = 0;
  if (!call->route.version.size) {
    error = sv_repository_versions(call->service->repository, call->route.model, &versions, &count);
  }
  if (error) {
    sv_version_release(version);
    sv_exchange_fail(call->exchange, error);
    return;
  }
  // A model may have gone between the two questions.
  put_model(sv_exchange_text(call->exchange), version, count ? versions : &version, count ? count : 1);
  sv_versions_free(versions, count);
  sv_version_release(version);
  sv_rest_answer_json(call->exchange);
}

// ---- /v1 ------------------------------------------------------------------------------------------------------------

// TensorFlow Serving's words.
static const char *v1_state(sv_state state) {
  switch (state) {
  case SV_STATE_READY: return "AVAILABLE";
  case SV_STATE_LOADING: return "LOADING";
  case SV_STATE_UNLOADING: return "UNLOADING";
  case SV_STATE_UNAVAILABLE: return "END";
  default: return "START";
  }
}

static void put_v1_status(sv_text *out, const sv_index_entry *entry) {
  bool failed = entry->state == SV_STATE_UNAVAILABLE && entry->reason[0] && strcmp(entry->reason, "unloaded") != 0;
  sv_text_puts(out, out->data[out->size - 1] == '[' ? "{\"version\":\"" : ",{\"version\":\"");
  sv_text_add_uint(out, entry->version);
  sv_text_putc(out, '"');
  sv_rest_put_text(out, "state", sv_str_of(v1_state(entry->state)));
  sv_rest_put_name(out, "status");
  sv_text_putc(out, '{');
  sv_rest_put_text(out, "error_code", failed ? SV_STR("UNKNOWN") : SV_STR("OK"));
  sv_rest_put_text(out, "error_message", failed ? sv_str_of(entry->reason) : (sv_str){0});
  sv_text_puts(out, "}}");
}

static bool is_asked(const sv_rest_call *call, const sv_index_entry *entry) {
  uint64_t number = 0;
  sv_str_number(call->route.version, UINT64_MAX, &number);
  return sv_str_is(call->route.model, entry->name) && (!call->route.version.size || entry->version == number);
}

// KServe's {"name","ready"} and TensorFlow Serving's {"model_version_status"} in one.
static sv_error *put_v1_model(sv_text *out, const sv_rest_call *call, const sv_index_entry *entries, size_t count) {
  bool known = false, ready = false;
  for (size_t i = 0; i < count; i++) {
    bool asked = is_asked(call, &entries[i]);
    known = known || asked;
    ready = ready || (asked && entries[i].state == SV_STATE_READY);
  }
  if (!known) {
    return sv_errorf(MILLRACE_NOT_FOUND, "model '%.*s'%s%.*s is not there", SV_FMT(call->route.model),
                     call->route.version.size ? " version " : "", SV_FMT(call->route.version));
  }
  sv_text_putc(out, '{');
  sv_rest_put_text(out, "name", call->route.model);
  sv_rest_put_bool(out, "ready", ready);
  sv_rest_put_name(out, "model_version_status");
  sv_text_putc(out, '[');
  for (size_t i = 0; i < count && !out->failed; i++) {
    if (is_asked(call, &entries[i]) && entries[i].version) {
      put_v1_status(out, &entries[i]);
    }
  }
  sv_text_puts(out, "]}");
  return NULL;
}

void sv_rest_v1_model(const sv_rest_call *call) {
  sv_index_entry *entries = NULL;
  size_t count = 0;
  sv_error *error = sv_repository_index(call->service->repository, &entries, &count);
  if (!error) {
    error = put_v1_model(sv_exchange_text(call->exchange), call, entries, count);
    sv_index_free(entries, count);
  }
  if (error) {
    sv_exchange_fail(call->exchange, error);
  } else {
    sv_rest_answer_json(call->exchange);
  }
}

// {"models":["a","b"]}: those that are served.
void sv_rest_v1_models(const sv_rest_call *call) {
  sv_version **versions = NULL;
  size_t count = 0;
  sv_error *error = sv_repository_versions(call->service->repository, (sv_str){0}, &versions, &count);
  if (error) {
    sv_exchange_fail(call->exchange, error);
    return;
  }
  sv_text *out = sv_exchange_text(call->exchange);
  sv_text_puts(out, "{\"models\":[");
  const char *before = "";
  for (size_t i = 0; i < count; i++) {
    const char *name = sv_version_signature(versions[i])->model;
    if (strcmp(name, before) != 0) {
      sv_text_puts(out, *before ? "," : "");
      sv_json_put_string(out, sv_str_of(name));
      before = name;
    }
  }
  sv_text_puts(out, "]}");
  sv_versions_free(versions, count);
  sv_rest_answer_json(call->exchange);
}
