// Models without an engine, for tests of grpc/: they answer with what they were given. Repository, versions and requests of their own; the service is
// the real one.
//
//   echo    x FP32 [-1,4], n INT32 [-1,2] -> y, m; batches of 1 to 8. Answered in the loop's next round
//   now     the same, answered before sv_request_submit() returns
//   hold    the same, answered by fake_let_go() or when it is cancelled
//   fail    the same, INTERNAL "it does not work"
//   types   an input and an output of every type, [2] each, named as the type in lower case
//   big     x FP32 [-1] -> y
//   mlp     x FP32 [-1,784] -> y FP32 [-1,10], zeros
#ifndef SV_TESTS_FAKE_SERVICE_GRPC_H
#define SV_TESTS_FAKE_SERVICE_GRPC_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/service/service.h"

struct sv_version {
  sv_signature signature;
};

typedef struct fake_request {
  sv_request base;
  sv_task task;
  sv_loop *loop;
  bool held, waits;
  struct fake_request *next_held;
  sv_tensor inputs[13], outputs[13];
} fake_request;

#define FAKE_PORT(text, type, dims_rank, ...) \
  {.name = (char *)(uintptr_t)(text), .dtype = (type), .rank = (dims_rank), .dims = __VA_ARGS__}
static const sv_port fake_pair_inputs[] = {FAKE_PORT("x", MILLRACE_F32, 2, {-1, 4}),
                                           FAKE_PORT("n", MILLRACE_S32, 2, {-1, 2})};
static const sv_port fake_pair_outputs[] = {FAKE_PORT("y", MILLRACE_F32, 2, {-1, 4}),
                                            FAKE_PORT("m", MILLRACE_S32, 2, {-1, 2})};
static const sv_port fake_types[] = {
    FAKE_PORT("bool", MILLRACE_PRED, 1, {2}),  FAKE_PORT("int8", MILLRACE_S8, 1, {2}),
    FAKE_PORT("int16", MILLRACE_S16, 1, {2}),  FAKE_PORT("int32", MILLRACE_S32, 1, {2}),
    FAKE_PORT("int64", MILLRACE_S64, 1, {2}),  FAKE_PORT("uint8", MILLRACE_U8, 1, {2}),
    FAKE_PORT("uint16", MILLRACE_U16, 1, {2}), FAKE_PORT("uint32", MILLRACE_U32, 1, {2}),
    FAKE_PORT("uint64", MILLRACE_U64, 1, {2}), FAKE_PORT("fp16", MILLRACE_F16, 1, {2}),
    FAKE_PORT("fp32", MILLRACE_F32, 1, {2}),   FAKE_PORT("fp64", MILLRACE_F64, 1, {2}),
    FAKE_PORT("bf16", MILLRACE_BF16, 1, {2}),
};
static const sv_port fake_big_input = FAKE_PORT("x", MILLRACE_F32, 1, {-1}),
                     fake_big_output = FAKE_PORT("y", MILLRACE_F32, 1, {-1});
static const sv_port fake_mlp_input = FAKE_PORT("x", MILLRACE_F32, 2, {-1, 784}),
                     fake_mlp_output = FAKE_PORT("y", MILLRACE_F32, 2, {-1, 10});
static sv_config fake_config = {.latest = 1};
#define FAKE_PAIR(name, version_number)                                                       \
  {                                                                                           \
    {                                                                                         \
      name, version_number, fake_pair_inputs, fake_pair_outputs, 2, 2, 8, &fake_config, false \
    }                                                                                         \
  }
static sv_version fake_versions[] = {
    FAKE_PAIR("echo", 1),
    FAKE_PAIR("echo", 3),
    FAKE_PAIR("now", 1),
    FAKE_PAIR("hold", 1),
    FAKE_PAIR("fail", 1),
    {{"types", 1, fake_types, fake_types, 13, 13, 0, &fake_config, false}},
    {{"big", 1, &fake_big_input, &fake_big_output, 1, 1, 0, &fake_config, false}},
    {{"mlp", 1, &fake_mlp_input, &fake_mlp_output, 1, 1, 32, &fake_config, false}},
};
enum { FAKE_VERSIONS = sizeof fake_versions / sizeof fake_versions[0] };

static struct {
  _Atomic(int) alive, submitted, cancelled, held, failures;
  _Atomic(bool) not_ready;
  _Atomic(bool) aligned;     // the first input of the last request began on 64 bytes
  fake_request *first_held;  // on the loop
  char loaded[64], config[64];
  bool dependents;
} fake;

static bool fake_is(const sv_request *request, const char *model) {
  return !strcmp(request->version->signature.model, model);
}

// ---- Versions -------------------------------------------------------------------------------------------------------

const sv_signature *sv_version_signature(const sv_version *version) { return &version->signature; }
sv_version *sv_version_retain(sv_version *version) { return version; }
void sv_version_release(sv_version *version) { (void)version; }
void sv_version_count_failure(sv_version *version, millrace_code code, uint64_t ns) {
  (void)version, (void)code, (void)ns;
  atomic_fetch_add(&fake.failures, 1);
}
uint64_t sv_version_bytes(sv_version *version) { return 1000 * version->signature.number; }
void sv_version_statistics(sv_version *version, sv_statistics *out) {
  *out = (sv_statistics){.last_inference_ms = 7,
                         .inference_count = 20 * version->signature.number,
                         .execution_count = 10,
                         .success = {5, 500},
                         .compute_infer = {4, 400},
                         .num_batches = 1,
                         .batches = {{.rows = 2, .compute_infer = {10, 1000}}}};
}

// ---- Requests -------------------------------------------------------------------------------------------------------

sv_error *sv_request_create(sv_loop *loop, sv_request **out_request) {
  fake_request *request = calloc(1, sizeof *request);
  if (!request) {
    return sv_no_memory();
  }
  atomic_fetch_add(&fake.alive, 1);
  request->loop = loop;
  request->base.inputs = request->inputs;
  request->base.outputs = request->outputs;
  *out_request = &request->base;
  return NULL;
}

sv_error *sv_request_prepare(sv_request *request, sv_version *version) {
  request->version = version;
  for (uint32_t i = 0; i < version->signature.num_inputs; i++) {
    const sv_port *port = &version->signature.inputs[i];
    request->inputs[i] = (sv_tensor){.dtype = port->dtype, .rank = port->rank};
    memcpy(request->inputs[i].dims, port->dims, sizeof port->dims);
  }
  return NULL;
}

static void fake_answer(sv_request *request) {
  static const float zeros[32 * 10];
  const sv_signature *signature = &request->version->signature;
  request->num_outputs = signature->num_outputs;
  request->queue_ns = 3000;
  request->compute_ns = 5000;
  request->batch_rows = 2;
  for (uint32_t i = 0; i < signature->num_outputs; i++) {
    request->outputs[i] = request->inputs[i];
  }
  if (fake_is(request, "mlp")) {
    request->outputs[0] =
        (sv_tensor){.dtype = MILLRACE_F32, .rank = 2, .dims = {request->inputs[0].dims[0], 10}, .data = zeros};
    request->outputs[0].bytes = (size_t)request->inputs[0].dims[0] * 40;
  }
  if (fake_is(request, "fail")) {
    request->error = sv_errorf(MILLRACE_INTERNAL, "it does not work");
  }
  request->done(request);
}

static void fake_run(sv_task *task) {
  fake_request *request = (fake_request *)(void *)((char *)task - offsetof(fake_request, task));
  request->waits = false;
  fake_answer(&request->base);
}

void sv_request_submit(sv_request *base) {
  fake_request *request = (fake_request *)base;
  atomic_fetch_add(&fake.submitted, 1);
  const sv_signature *signature = &base->version->signature;
  for (uint32_t i = 0; i < signature->num_inputs; i++) {
    const sv_tensor *input = &base->inputs[i];
    bool fits = input->rank == signature->inputs[i].rank &&
                (!signature->max_batch_size || (input->dims[0] >= 1 && input->dims[0] <= signature->max_batch_size));
    for (uint32_t d = 0; fits && d < input->rank; d++) {
      fits = signature->inputs[i].dims[d] < 0 || signature->inputs[i].dims[d] == input->dims[d];
    }
    if (!fits) {
      base->error =
          sv_errorf(MILLRACE_INVALID_ARGUMENT, "the shape of input '%s' does not fit", signature->inputs[i].name);
      base->done(base);
      return;
    }
    // Every byte can be read, for as long as the block is there.
    unsigned sum = 0;
    for (size_t b = 0; b < input->bytes; b += 511) {
      sum += ((const unsigned char *)input->data)[b];
    }
    (void)*(volatile unsigned *)&sum;
  }
  atomic_store(&fake.aligned, (uintptr_t)base->inputs[0].data % SV_ALIGNMENT == 0);
  if (fake_is(base, "hold")) {
    request->held = true;
    request->next_held = fake.first_held;
    fake.first_held = request;
    atomic_fetch_add(&fake.held, 1);
  } else if (fake_is(base, "now") || fake_is(base, "fail")) {
    fake_answer(base);
  } else {
    request->waits = true;
    request->task.run = fake_run;
    sv_loop_post(request->loop, &request->task);
  }
}

static void fake_unhold(fake_request *request) {
  fake_request **link = &fake.first_held;
  while (*link != request) {
    link = &(*link)->next_held;
  }
  *link = request->next_held;
  request->held = false;
  atomic_fetch_sub(&fake.held, 1);
}

void sv_request_cancel(sv_request *base) {
  fake_request *request = (fake_request *)base;
  if (request->held) {
    fake_unhold(request);
    atomic_fetch_add(&fake.cancelled, 1);
    base->error = sv_errorf(MILLRACE_CANCELLED, "cancelled");
    base->done(base);
  }
}

// On the loop: all that are held are answered.
static inline void fake_let_go(void) {
  while (fake.first_held) {
    fake_request *request = fake.first_held;
    fake_unhold(request);
    fake_answer(&request->base);
  }
}

void sv_request_reset(sv_request *base) {
  fake_request *request = (fake_request *)base;
  sv_error_free(base->error);
  sv_block_release(base->inputs_block);
  memset(base, 0, sizeof *base);
  base->inputs = request->inputs;
  base->outputs = request->outputs;
}

void sv_request_release(sv_request *base) {
  if (base) {
    sv_error_free(base->error);
    sv_block_release(base->inputs_block);
    free(base);
    atomic_fetch_sub(&fake.alive, 1);
  }
}

// ---- The repository -------------------------------------------------------------------------------------------------

bool sv_repository_is_ready(sv_repository *repository) {
  (void)repository;
  return !atomic_load(&fake.not_ready);
}

sv_error *sv_repository_find(sv_repository *repository, sv_str model, sv_str number, sv_version **out_version) {
  (void)repository;
  uint64_t wanted = 0;
  *out_version = NULL;
  if (number.size && !sv_str_number(number, UINT64_MAX, &wanted)) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "version '%.*s' is not a number", SV_FMT(number));
  }
  for (size_t i = 0; i < FAKE_VERSIONS; i++) {
    if (sv_str_is(model, fake_versions[i].signature.model) &&
        (!number.size || fake_versions[i].signature.number == wanted)) {
      *out_version = &fake_versions[i];
    }
  }
  return *out_version ? NULL : sv_errorf(MILLRACE_NOT_FOUND, "model '%.*s' is not there", SV_FMT(model));
}

sv_error *sv_repository_versions(sv_repository *repository, sv_str model, sv_version ***out_versions,
                                 size_t *out_count) {
  (void)repository;
  sv_version **list = calloc(FAKE_VERSIONS, sizeof *list);
  *out_count = 0;
  if (!list) {
    return sv_no_memory();
  }
  for (size_t i = 0; i < FAKE_VERSIONS; i++) {
    if (!model.size || sv_str_is(model, fake_versions[i].signature.model)) {
      list[(*out_count)++] = &fake_versions[i];
    }
  }
  *out_versions = list;
  return NULL;
}

void sv_versions_free(sv_version **versions, size_t count) {
  (void)count;
  free(versions);
}

const char *sv_state_name(sv_state state) { return state == SV_STATE_READY ? "READY" : "UNAVAILABLE"; }

sv_error *sv_repository_index(sv_repository *repository, sv_index_entry **out_entries, size_t *out_count) {
  (void)repository;
  static char good[] = "echo", bad[] = "bad", none[] = "", reason[] = "it is broken";
  sv_index_entry *entries = calloc(2, sizeof *entries);
  if (!entries) {
    return sv_no_memory();
  }
  entries[0] = (sv_index_entry){.name = good, .version = 3, .state = SV_STATE_READY, .reason = none};
  entries[1] = (sv_index_entry){.name = bad, .version = 0, .state = SV_STATE_UNAVAILABLE, .reason = reason};
  *out_entries = entries;
  *out_count = 2;
  return NULL;
}

void sv_index_free(sv_index_entry *entries, size_t count) {
  (void)count;
  free(entries);
}

static void fake_note(char *to, size_t room, sv_str text) { snprintf(to, room, "%.*s", SV_FMT(text)); }

void sv_repository_load(sv_repository *repository, sv_str model, sv_str config,
                        void (*done)(void *argument, sv_error *take_error), void *argument) {
  (void)repository;
  fake_note(fake.loaded, sizeof fake.loaded, model);
  fake_note(fake.config, sizeof fake.config, config);
  done(argument, sv_str_is(model, "bad") ? sv_errorf(MILLRACE_NOT_FOUND, "model 'bad' is not there") : NULL);
}

void sv_repository_unload(sv_repository *repository, sv_str model, bool dependents,
                          void (*done)(void *argument, sv_error *take_error), void *argument) {
  (void)repository;
  fake_note(fake.loaded, sizeof fake.loaded, model);
  fake.dependents = dependents;
  done(argument, NULL);
}

#endif
