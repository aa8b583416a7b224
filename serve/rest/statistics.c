// Triton's statistics extension.
#include "serve/rest/answers.h"

static void put_duration(sv_text *out, const char *name, sv_duration duration) {
  sv_rest_put_name(out, name);
  sv_text_putc(out, '{');
  sv_rest_put_number(out, "count", duration.count);
  sv_rest_put_number(out, "ns", duration.ns);
  sv_text_putc(out, '}');
}

static void put_inferences(sv_text *out, const sv_statistics *statistics) {
  sv_rest_put_name(out, "inference_stats");
  sv_text_putc(out, '{');
  put_duration(out, "success", statistics->success);
  put_duration(out, "fail", statistics->fail);
  put_duration(out, "queue", statistics->queue);
  put_duration(out, "compute_input", statistics->compute_input);
  put_duration(out, "compute_infer", statistics->compute_infer);
  put_duration(out, "compute_output", statistics->compute_output);
  put_duration(out, "cache_hit", (sv_duration){0});  // there is no cache
  put_duration(out, "cache_miss", (sv_duration){0});
  sv_text_putc(out, '}');
}

static void put_batches(sv_text *out, const sv_statistics *statistics) {
  sv_rest_put_name(out, "batch_stats");
  sv_text_putc(out, '[');
  for (uint32_t i = 0; i < statistics->num_batches && i < SV_BATCH_STATS; i++) {
    const sv_batch_stats *batch = &statistics->batches[i];
    sv_text_puts(out, i ? ",{" : "{");
    sv_rest_put_number(out, "batch_size", batch->rows);
    put_duration(out, "compute_input", batch->compute_input);
    put_duration(out, "compute_infer", batch->compute_infer);
    put_duration(out, "compute_output", batch->compute_output);
    sv_text_putc(out, '}');
  }
  sv_text_putc(out, ']');
}

static void put_version(sv_text *out, sv_version *version) {
  const sv_signature *signature = sv_version_signature(version);
  sv_statistics statistics;
  sv_version_statistics(version, &statistics);
  sv_text_putc(out, '{');
  sv_rest_put_text(out, "name", sv_str_of(signature->model));
  sv_rest_put_name(out, "version");
  sv_text_addf(out, "\"%llu\"", (unsigned long long)signature->number);
  sv_rest_put_number(out, "last_inference", statistics.last_inference_ms);
  sv_rest_put_number(out, "inference_count", statistics.inference_count);
  sv_rest_put_number(out, "execution_count", statistics.execution_count);
  put_inferences(out, &statistics);
  sv_rest_put_name(out, "response_stats");
  sv_text_puts(out, "{}");
  put_batches(out, &statistics);
  sv_rest_put_name(out, "memory_usage");
  sv_text_addf(out, "[{\"type\":\"CPU\",\"id\":0,\"byte_size\":%llu}]}", (unsigned long long)sv_version_bytes(version));
}

static void put_all(sv_text *out, sv_version **versions, size_t count) {
  sv_text_puts(out, "{\"model_stats\":[");
  for (size_t i = 0; i < count; i++) {
    if (i) {
      sv_text_putc(out, ',');
    }
    put_version(out, versions[i]);
  }
  sv_text_puts(out, "]}");
}

// Of one version; without a version of all that the model has; without a model of all.
void sv_rest_statistics(const sv_rest_call *call) {
  sv_repository *repository = call->service->repository;
  sv_version *version = NULL, **versions = NULL;
  size_t count = 0;
  sv_error *error = NULL;
  if (call->route.model.size) {  // also says which model is not there
    error = sv_repository_find(repository, call->route.model, call->route.version, &version);
  }
  if (!error && !call->route.version.size) {
    error = sv_repository_versions(repository, call->route.model, &versions, &count);
  }
  if (!error) {
    bool one = call->route.version.size > 0;
    put_all(sv_exchange_text(call->exchange), one ? &version : versions, one ? 1 : count);
  }
  sv_versions_free(versions, count);
  sv_version_release(version);
  if (error) {
    sv_exchange_fail(call->exchange, error);
  } else {
    sv_rest_answer_json(call->exchange);
  }
}
