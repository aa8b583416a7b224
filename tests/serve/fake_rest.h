// Stands in for the exchange, the loop, the stream and the repository: tests of service/ and rest/ say what there is, and see what was answered.
// Nothing here is of use to more than one thread.
#ifndef SV_TESTS_FAKE_REST_H
#define SV_TESTS_FAKE_REST_H

#include <stdlib.h>

#include "serve/http/http.h"
#include "serve/service/service.h"
#include "tests/serve/check.h"

// ---- Versions and the repository ------------------------------------------------------------------------------------

struct sv_version {
  sv_signature signature;
  sv_statistics statistics;
  int references;
};

static struct {
  sv_version *versions[8];
  size_t num_versions;
  sv_index_entry entries[8];
  size_t num_entries;
  bool ready;
  // What came to load and unload, until fake_finish() brings the end.
  char loaded[256], config[256];
  bool unloads, dependents;
  void (*done)(void *argument, sv_error *take_error);
  void *argument;
} fake_repository;

const sv_signature *sv_version_signature(const sv_version *version) { return &version->signature; }
sv_version *sv_version_retain(sv_version *version) {
  version->references++;
  return version;
}
void sv_version_release(sv_version *version) {
  if (version) {
    version->references--;
  }
}
void sv_version_statistics(sv_version *version, sv_statistics *out) { *out = version->statistics; }
uint64_t sv_version_bytes(sv_version *version) { return 1000 * version->signature.number; }

bool sv_repository_is_ready(sv_repository *repository) {
  (void)repository;
  return fake_repository.ready;
}

sv_error *sv_repository_find(sv_repository *repository, sv_str model, sv_str number, sv_version **out_version) {
  (void)repository;
  uint64_t wanted = 0;
  sv_str_number(number, UINT64_MAX, &wanted);
  *out_version = NULL;
  for (size_t i = 0; i < fake_repository.num_versions; i++) {
    sv_version *version = fake_repository.versions[i];
    if (sv_str_is(model, version->signature.model) && (!number.size || version->signature.number == wanted)) {
      *out_version = version;  // the last is the highest
    }
  }
  if (!*out_version) {
    return sv_errorf(MILLRACE_NOT_FOUND, "model '%.*s' is not there", SV_FMT(model));
  }
  sv_version_retain(*out_version);
  return NULL;
}

const char *sv_state_name(sv_state state) {
  static const char *const names[] = {"UNKNOWN", "READY", "UNAVAILABLE", "LOADING", "UNLOADING"};
  return names[state];
}

sv_error *sv_repository_index(sv_repository *repository, sv_index_entry **out_entries, size_t *out_count) {
  (void)repository;
  size_t count = fake_repository.num_entries;
  *out_entries = calloc(count + 1, sizeof **out_entries);
  *out_count = count;
  for (size_t i = 0; i < count; i++) {
    (*out_entries)[i] = fake_repository.entries[i];
    (*out_entries)[i].name = strdup(fake_repository.entries[i].name);
    (*out_entries)[i].reason = strdup(fake_repository.entries[i].reason);
  }
  return NULL;
}

void sv_index_free(sv_index_entry *entries, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(entries[i].name);
    free(entries[i].reason);
  }
  free(entries);
}

sv_error *sv_repository_versions(sv_repository *repository, sv_str model, sv_version ***out_versions,
                                 size_t *out_count) {
  (void)repository;
  *out_versions = calloc(9, sizeof **out_versions);
  *out_count = 0;
  for (size_t i = 0; i < fake_repository.num_versions; i++) {
    sv_version *version = fake_repository.versions[i];
    if (!model.size || sv_str_is(model, version->signature.model)) {
      (*out_versions)[(*out_count)++] = sv_version_retain(version);
    }
  }
  return NULL;
}

void sv_versions_free(sv_version **versions, size_t count) {
  for (size_t i = 0; i < count; i++) {
    sv_version_release(versions[i]);
  }
  free(versions);
}

static inline void fake_begin_job(sv_str model, void (*done)(void *argument, sv_error *take_error), void *argument) {
  snprintf(fake_repository.loaded, sizeof fake_repository.loaded, "%.*s", SV_FMT(model));
  fake_repository.done = done;
  fake_repository.argument = argument;
}
void sv_repository_load(sv_repository *repository, sv_str model, sv_str config,
                        void (*done)(void *argument, sv_error *take_error), void *argument) {
  (void)repository;
  snprintf(fake_repository.config, sizeof fake_repository.config, "%.*s", SV_FMT(config));
  fake_repository.unloads = false;
  fake_begin_job(model, done, argument);
}
void sv_repository_unload(sv_repository *repository, sv_str model, bool dependents,
                          void (*done)(void *argument, sv_error *take_error), void *argument) {
  (void)repository;
  fake_repository.unloads = true;
  fake_repository.dependents = dependents;
  fake_begin_job(model, done, argument);
}

// ---- Models to look at ----------------------------------------------------------------------------------------------

static sv_port fake_inputs[] = {{.name = "x", .dtype = MILLRACE_F32, .rank = 2, .dims = {8, 784}}};
static sv_port fake_outputs[] = {{.name = "y", .dtype = MILLRACE_F32, .rank = 2, .dims = {-1, 10}},
                                 {.name = "\"n\"", .dtype = MILLRACE_S64, .rank = 1, .dims = {-1}}};
static sv_config_port fake_config_outputs[] = {{.name = "y", .label_filename = "labels.txt"}};
static uint32_t fake_preferred[] = {4, 8};
static sv_config fake_config = {.instances = 2,
                                .max_batch_size = 8,
                                .outputs = fake_config_outputs,
                                .num_outputs = 1,
                                .batching = true,
                                .preferred = fake_preferred,
                                .num_preferred = 2,
                                .max_delay_us = 100,
                                .latest = 1};
static sv_config_map fake_maps[] = {{"a", "b"}, {"c", "d"}};
static sv_config_step fake_steps[] = {{"mlp", -1, fake_maps, fake_maps + 1, 1, 1}};
static uint64_t fake_specific[] = {1, 3};
static uint32_t fake_buckets[] = {1, 16};
static sv_config fake_ensemble_config = {.steps = fake_steps,
                                         .num_steps = 1,
                                         .versions = SV_VERSIONS_SPECIFIC,
                                         .specific = fake_specific,
                                         .num_specific = 2,
                                         .buckets = fake_buckets,
                                         .num_buckets = 2,
                                         .instances = 2,
                                         .filename = "m.mlir"};
static sv_version fake_mlp_1, fake_mlp_2, fake_chain;

// "mlp" in versions 1 and 2, the ensemble "chain", and one that failed.
static inline void fake_models(void) {
  memset(&fake_repository, 0, sizeof fake_repository);
  fake_mlp_1 = (sv_version){.signature = {"mlp", 1, fake_inputs, fake_outputs, 1, 2, 8, &fake_config, false}};
  fake_mlp_2 = fake_mlp_1;
  fake_mlp_2.signature.number = 2;
  fake_chain = (sv_version){.signature = {"chain", 1, fake_inputs, fake_outputs, 1, 1, 0, &fake_ensemble_config, true}};
  fake_repository.versions[0] = &fake_chain;
  fake_repository.versions[1] = &fake_mlp_1;
  fake_repository.versions[2] = &fake_mlp_2;
  fake_repository.num_versions = 3;
  const sv_index_entry entries[] = {{"bad", 0, SV_STATE_UNAVAILABLE, "no \"main\" function"},
                                    {"chain", 1, SV_STATE_READY, ""},
                                    {"mlp", 1, SV_STATE_READY, ""},
                                    {"mlp", 2, SV_STATE_READY, ""},
                                    {"mlp", 3, SV_STATE_LOADING, ""}};
  memcpy(fake_repository.entries, entries, sizeof entries);
  fake_repository.num_entries = 5;
  fake_repository.ready = true;
}

// ---- Loop, stream, exchange -----------------------------------------------------------------------------------------

struct sv_loop {
  sv_task *posted;
};
struct sv_stream {
  bool is_local;
  const char *identity;
};
struct sv_exchange {
  sv_text text;
  sv_access access;
  sv_stream stream;
  sv_loop loop;
  int answers, status;
  char type[64], headers[1024];
  sv_text body;  // with a NUL behind it
};

void sv_loop_post(sv_loop *loop, sv_task *task) {
  assert_null(loop->posted);
  loop->posted = task;
}
bool sv_stream_is_local(const sv_stream *stream) { return stream->is_local; }
const char *sv_stream_identity(const sv_stream *stream) { return stream->identity; }

sv_str sv_http_field(const sv_http_request *request, const char *name) {
  for (size_t i = 0; i < request->num_fields; i++) {
    if (sv_str_is_nocase(request->fields[i].name, name)) {
      return request->fields[i].value;
    }
  }
  return (sv_str){0};
}

int sv_http_status(millrace_code code) {
  switch (code) {
  case MILLRACE_INVALID_ARGUMENT: return 400;
  case MILLRACE_UNAUTHENTICATED: return 401;
  case MILLRACE_PERMISSION_DENIED: return 403;
  case MILLRACE_NOT_FOUND: return 404;
  case MILLRACE_UNIMPLEMENTED: return 501;
  case MILLRACE_UNAVAILABLE: return 503;
  default: return code == MILLRACE_INTERNAL ? 500 : 400;
  }
}

sv_loop *sv_exchange_loop(const sv_exchange *exchange) { return &((sv_exchange *)(uintptr_t)exchange)->loop; }
sv_stream *sv_exchange_stream(const sv_exchange *exchange) { return &((sv_exchange *)(uintptr_t)exchange)->stream; }
sv_text *sv_exchange_text(sv_exchange *exchange) { return &exchange->text; }
sv_access *sv_exchange_access(sv_exchange *exchange) { return &exchange->access; }

void sv_exchange_answer(sv_exchange *exchange, const sv_answer *answer) {
  exchange->answers++;
  exchange->status = answer->status;
  snprintf(exchange->type, sizeof exchange->type, "%s", answer->content_type ? answer->content_type : "");
  snprintf(exchange->headers, sizeof exchange->headers, "%s", answer->headers ? answer->headers : "");
  for (size_t i = 0; i < answer->num_pieces; i++) {
    sv_text_add(&exchange->body, answer->pieces[i].data, answer->pieces[i].size);
  }
  sv_text_putc(&exchange->body, 0);
  if (answer->released) {
    answer->released(answer->argument);
  }
}

void sv_exchange_fail(sv_exchange *exchange, sv_error *take_error) {
  exchange->answers++;
  exchange->status = sv_http_status(sv_error_code(take_error));
  strcpy(exchange->type, "application/json");
  sv_text_addf(&exchange->body, "{\"error\":\"%s\"}", sv_error_message(take_error));
  sv_text_putc(&exchange->body, 0);
  sv_error_free(take_error);
}

#endif
