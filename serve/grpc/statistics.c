// ModelStatistics.
#include <stdlib.h>

#include "serve/grpc/internal.h"

static void put_duration(sv_text *out, uint32_t field, sv_duration duration) {
  size_t mark = sv_wire_put_begin(out, field);
  sv_wire_put_uint(out, 1, duration.count);
  sv_wire_put_uint(out, 2, duration.ns);
  sv_wire_put_end(out, mark);
}

static void put_sums(sv_text *out, const sv_statistics *statistics) {
  const sv_duration none = {0};  // the two of the response cache, which is not there
  const sv_duration durations[] = {statistics->success,
                                   statistics->fail,
                                   statistics->queue,
                                   statistics->compute_input,
                                   statistics->compute_infer,
                                   statistics->compute_output,
                                   none,
                                   none};
  size_t mark = sv_wire_put_begin(out, 6);
  for (uint32_t i = 0; i < sizeof durations / sizeof durations[0]; i++) {
    put_duration(out, i + 1, durations[i]);
  }
  sv_wire_put_end(out, mark);
}

static void put_memory(sv_text *out, sv_version *version) {
  size_t mark = sv_wire_put_begin(out, 8);
  sv_wire_put_str(out, 1, SV_STR("CPU"));
  sv_wire_put_uint(out, 3, sv_version_bytes(version));
  sv_wire_put_end(out, mark);
}

static void put_statistics(sv_text *out, sv_version *version, const sv_statistics *statistics) {
  const sv_signature *signature = sv_version_signature(version);
  sv_text number = {0};
  sv_text_add_uint(&number, signature->number);
  size_t mark = sv_wire_put_begin(out, 1);
  sv_wire_put_str(out, 1, sv_str_of(signature->model));
  sv_wire_put_str(out, 2, sv_text_str(&number));
  sv_wire_put_uint(out, 3, statistics->last_inference_ms);
  sv_wire_put_uint(out, 4, statistics->inference_count);
  sv_wire_put_uint(out, 5, statistics->execution_count);
  put_sums(out, statistics);
  for (uint32_t i = 0; i < statistics->num_batches && i < SV_BATCH_STATS; i++) {
    const sv_batch_stats *batch = &statistics->batches[i];
    size_t entry = sv_wire_put_begin(out, 7);
    sv_wire_put_uint(out, 1, batch->rows);
    put_duration(out, 2, batch->compute_input);
    put_duration(out, 3, batch->compute_infer);
    put_duration(out, 4, batch->compute_output);
    sv_wire_put_end(out, entry);
  }
  put_memory(out, version);
  sv_wire_put_end(out, mark);
  sv_text_free(&number);
}

sv_error *sv_grpc_model_statistics(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out) {
  (void)call;
  sv_str name, number;
  SV_TRY(sv_grpc_read_texts(message, &name, &number));
  sv_repository *repository = sv_grpc_of(grpc)->repository;
  if (name.size) {  // of a model that is not there: an error that says so
    sv_version *version;
    SV_TRY(sv_repository_find(repository, name, number, &version));
    sv_version_release(version);
  }
  sv_version **versions;
  size_t count;
  SV_TRY(sv_repository_versions(repository, name, &versions, &count));
  sv_statistics *statistics = malloc(sizeof *statistics);
  uint64_t wanted = 0;
  bool one = sv_str_number(number, UINT64_MAX, &wanted);
  for (size_t i = 0; statistics && i < count; i++) {
    const sv_signature *signature = sv_version_signature(versions[i]);
    if (!one || signature->number == wanted) {
      sv_version_statistics(versions[i], statistics);
      put_statistics(out, versions[i], statistics);
    }
  }
  sv_versions_free(versions, count);
  bool failed = !statistics;
  free(statistics);
  return failed ? sv_no_memory() : NULL;
}
