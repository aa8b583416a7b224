// An engine and an exchange for tests of doors: a few models that compute at once (or when told), and an exchange that keeps its answer. Defines the
// functions of batch/, repository/ and http/ that doors call; include it once, and do not link those rooms.
#ifndef SV_TESTS_FAKE_ENGINE_H
#define SV_TESTS_FAKE_ENGINE_H

#include <stdlib.h>
#include <string.h>

#include "serve/rest/doors.h"
#include "serve/service/regions.h"

struct sv_version {
  sv_signature signature;
  int references, failures;
  millrace_code failure;
};

#define FAKE_PORT(port_name, port_dtype, port_rank, ...)                               \
  {                                                                                    \
    .name = port_name, .dtype = port_dtype, .rank = port_rank, .dims = { __VA_ARGS__ } \
  }

static char *fake_labels[] = {"cat", "", "dog"};
static const sv_port fake_x[] = {FAKE_PORT("x", MILLRACE_F32, 2, -1, 3)};
static const sv_port fake_y[] = {
    {.name = "y", .dtype = MILLRACE_F32, .rank = 2, .dims = {-1, 3}, .labels = fake_labels, .num_labels = 3}};
static const sv_port fake_two_in[] = {FAKE_PORT("a", MILLRACE_F32, 2, -1, 2), FAKE_PORT("b", MILLRACE_S64, 2, -1, 2)};
static const sv_port fake_two_out[] = {FAKE_PORT("sum", MILLRACE_F64, 2, -1, 2),
                                       FAKE_PORT("less", MILLRACE_PRED, 2, -1, 2)};
static const sv_port fake_half[] = {FAKE_PORT("h", MILLRACE_F16, 2, -1, 2)};
static const sv_port fake_fixed[] = {FAKE_PORT("i", MILLRACE_S32, 2, 2, -1)};

enum { FAKE_M, FAKE_TWO, FAKE_HALF, FAKE_FIXED, FAKE_MODELS };
static sv_version fake_versions[FAKE_MODELS] = {
    // y = 2 x + 1
    [FAKE_M] = {.signature = {.model = "m",
                              .number = 3,
                              .inputs = fake_x,
                              .outputs = fake_y,
                              .num_inputs = 1,
                              .num_outputs = 1,
                              .max_batch_size = 8}},
    // sum = a + b, less = a < b
    [FAKE_TWO] = {.signature = {.model = "two",
                                .number = 1,
                                .inputs = fake_two_in,
                                .outputs = fake_two_out,
                                .num_inputs = 2,
                                .num_outputs = 2,
                                .max_batch_size = 4}},
    [FAKE_HALF] = {.signature = {.model = "half",
                                 .number = 1,
                                 .inputs = fake_half,
                                 .outputs = fake_half,
                                 .num_inputs = 1,
                                 .num_outputs = 1,
                                 .max_batch_size = 4}},
    [FAKE_FIXED] = {.signature = {.model = "fixed",
                                  .number = 1,
                                  .inputs = fake_fixed,
                                  .outputs = fake_fixed,
                                  .num_inputs = 1,
                                  .num_outputs = 1}},
};

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
void sv_version_count_failure(sv_version *version, millrace_code code, uint64_t ns) {
  (void)ns;
  version->failures++;
  version->failure = code;
}

sv_error *sv_repository_find(sv_repository *repository, sv_str model, sv_str number, sv_version **out_version) {
  (void)repository;
  for (int i = 0; i < FAKE_MODELS; i++) {
    uint64_t version;
    const sv_signature *s = &fake_versions[i].signature;
    if (sv_str_is(model, s->model) &&
        (!number.size || (sv_str_number(number, UINT64_MAX, &version) && version == s->number))) {
      *out_version = sv_version_retain(&fake_versions[i]);
      return NULL;
    }
  }
  return sv_errorf(MILLRACE_NOT_FOUND, "model '%.*s' is not there", SV_FMT(model));
}

// ---- Requests -------------------------------------------------------------------------------------------------------

typedef struct fake_request {
  sv_request request;
  sv_tensor inputs[2], outputs[2];
  void *memory[2];
} fake_request;

static bool fake_defers;          // submitted requests wait for fake_finish()
static sv_request *fake_waiting;  // the one that does
static bool fake_cancelled;
static int fake_requests;  // that exist
static struct {
  uint32_t priority;
  uint64_t timeout_ns;
  bool body_block;
} fake_seen;  // of the last request

sv_error *sv_request_create(sv_loop *loop, sv_request **out_request) {
  (void)loop;
  fake_request *fake = calloc(1, sizeof *fake);
  *out_request = fake ? &fake->request : NULL;
  fake_requests++;
  return fake ? NULL : sv_no_memory();
}

sv_error *sv_request_prepare(sv_request *request, sv_version *version) {
  fake_request *fake = (fake_request *)request;
  request->version = sv_version_retain(version);
  request->inputs = fake->inputs;
  request->outputs = fake->outputs;
  const sv_signature *s = &version->signature;
  request->num_outputs = s->num_outputs;
  for (uint32_t i = 0; i < s->num_inputs; i++) {
    fake->inputs[i] = (sv_tensor){.dtype = s->inputs[i].dtype, .rank = s->inputs[i].rank};
    memcpy(fake->inputs[i].dims, s->inputs[i].dims, sizeof fake->inputs[i].dims);
  }
  return NULL;
}

void sv_request_reset(sv_request *request) {
  fake_request *fake = (fake_request *)request;
  for (int i = 0; i < 2; i++) {
    free(fake->memory[i]);
  }
  sv_error_free(request->error);
  sv_version_release(request->version);
  sv_block_release(request->inputs_block);
  *fake = (fake_request){0};
}

void sv_request_release(sv_request *request) {
  if (request) {
    sv_request_reset(request);
    free(request);
    fake_requests--;
  }
}

static sv_error *fake_check(const sv_request *request) {
  const sv_signature *s = sv_version_signature(request->version);
  for (uint32_t i = 0; i < s->num_inputs; i++) {
    const sv_port *port = &s->inputs[i];
    const sv_tensor *input = &request->inputs[i];
    bool fits = input->dtype == port->dtype && input->rank == port->rank;
    for (uint32_t d = 0; fits && d < port->rank; d++) {
      fits = port->dims[d] < 0 || port->dims[d] == input->dims[d];
    }
    size_t bytes;
    fits = fits && sv_tensor_bytes(input->dtype, input->dims, input->rank, &bytes) && bytes == input->bytes;
    fits = fits && (!s->max_batch_size || (input->dims[0] > 0 && input->dims[0] <= s->max_batch_size &&
                                           input->dims[0] == request->inputs[0].dims[0]));
    if (!fits) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%s' has the wrong shape", port->name);
    }
  }
  return NULL;
}

static void fake_element(const sv_signature *s, void *const *out, const sv_tensor *in, size_t i) {
  float a;
  int64_t b;
  int32_t whole;
  switch (s->model[0]) {
  case 'm':
    memcpy(&a, (const char *)in[0].data + i * 4, 4);
    ((float *)out[0])[i] = 2 * a + 1;
    return;
  case 't':
    memcpy(&a, (const char *)in[0].data + i * 4, 4);
    memcpy(&b, (const char *)in[1].data + i * 8, 8);
    ((double *)out[0])[i] = (double)a + (double)b;
    ((unsigned char *)out[1])[i] = (double)a < (double)b;
    return;
  case 'h': memcpy((char *)out[0] + i * 2, (const char *)in[0].data + i * 2, 2); return;
  default: memcpy(&whole, (const char *)in[0].data + i * 4, 4); ((int32_t *)out[0])[i] = (int32_t)((uint32_t)whole + 1);
  }
}

static void fake_compute(sv_request *request) {
  fake_request *fake = (fake_request *)request;
  const sv_signature *s = sv_version_signature(request->version);
  for (uint32_t o = 0; o < s->num_outputs; o++) {
    sv_tensor *output = &fake->outputs[o];
    *output = request->inputs[0];
    output->dtype = s->outputs[o].dtype;
    sv_tensor_bytes(output->dtype, output->dims, output->rank, &output->bytes);
    output->data = fake->memory[o] = malloc(output->bytes + 1);
  }
  size_t count = request->inputs[0].bytes / millrace_dtype_bytes(request->inputs[0].dtype);
  for (size_t i = 0; i < count; i++) {
    fake_element(s, fake->memory, request->inputs, i);
  }
  request->batch_rows = s->max_batch_size ? (uint32_t)request->inputs[0].dims[0] : 0;
  request->queue_ns = 5000;
  request->compute_ns = 7000;
}

static void fake_finish(sv_request *request, sv_error *take_error) {
  fake_waiting = NULL;
  request->error = take_error;
  if (!take_error) {
    fake_compute(request);
  }
  request->done(request);
}

void sv_request_submit(sv_request *request) {
  fake_seen.priority = request->priority;
  fake_seen.timeout_ns = request->timeout_ns;
  fake_seen.body_block = request->inputs_block != NULL;
  sv_error *error = fake_check(request);
  if (fake_defers && !error) {
    fake_waiting = request;
    return;
  }
  fake_finish(request, error);
}

void sv_request_cancel(sv_request *request) { fake_cancelled = request == fake_waiting; }

// ---- Exchanges ------------------------------------------------------------------------------------------------------

struct sv_exchange {
  sv_http_request http;
  sv_text text, body, headers;
  sv_access access;
  int answers, status;
  int64_t json_size;
  bool is_binary;
  void (*gone)(void *argument);
  void *argument;
};

// Its address is what counts.
static char fake_loop_here;
// Whether the client is on another machine.
static bool fake_is_remote;
static char fake_stream;

sv_stream *sv_exchange_stream(const sv_exchange *exchange) {
  (void)exchange;
  return (sv_stream *)&fake_stream;
}

bool sv_stream_is_local(const sv_stream *stream) {
  (void)stream;
  return !fake_is_remote;
}

sv_loop *sv_exchange_loop(const sv_exchange *exchange) {
  (void)exchange;
  return (sv_loop *)(void *)&fake_loop_here;
}
sv_text *sv_exchange_text(sv_exchange *exchange) { return &exchange->text; }
sv_access *sv_exchange_access(sv_exchange *exchange) { return &exchange->access; }
void sv_exchange_on_gone(sv_exchange *exchange, void (*gone)(void *argument), void *argument) {
  exchange->gone = gone;
  exchange->argument = argument;
}

void sv_exchange_answer(sv_exchange *exchange, const sv_answer *answer) {
  exchange->answers++;
  exchange->status = answer->status;
  exchange->json_size = answer->json_size;
  exchange->is_binary = strcmp(answer->content_type, "application/octet-stream") == 0;
  for (size_t i = 0; i < answer->num_pieces; i++) {
    sv_text_add(&exchange->body, answer->pieces[i].data, answer->pieces[i].size);
  }
  if (answer->released) {
    answer->released(answer->argument);
  }
}

void sv_exchange_fail(sv_exchange *exchange, sv_error *take_error) {
  exchange->answers++;
  exchange->status = -(int)sv_error_code(take_error);  // negative: the error's code, not HTTP's status
  exchange->json_size = -1;
  sv_text_puts(&exchange->body, sv_error_message(take_error));
  sv_error_free(take_error);
}

static void fake_exchange_free(sv_exchange *exchange) {
  sv_text_free(&exchange->text);
  sv_text_free(&exchange->body);
}

// Nothing that a door took is kept: versions, waiting requests.
static bool fake_is_idle(void) {
  for (int i = 0; i < FAKE_MODELS; i++) {
    if (fake_versions[i].references) {
      return false;
    }
  }
  return !fake_waiting;
}

#endif
