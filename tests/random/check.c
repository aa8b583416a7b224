// One program: compiled and run as in production on several inputs, each result against what the evaluator allows.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/reader/reader.h"
#include "tests/random/random.h"

static bool is_allowed(cell wanted, cell got) {
  if (cell_is_anything(wanted)) {
    return true;
  }
  if (isnan(wanted.v) || isnan(got.v)) {
    return isnan(wanted.v) && isnan(got.v);
  }
  if (cell_is_sure(wanted)) {
    bool zero = wanted.v == 0 && wanted.exact;
    return got.v == wanted.v && (!zero || signbit(got.v) == signbit(wanted.v));
  }
  return isfinite(got.v) && fabsl(got.v - wanted.v) <= wanted.e * (1 + 1e-12L);
}

bool compare_result(session *s, const tensor *wanted, const void *got, uint32_t index, mr_text *why) {
  mr_dtype part = mr_dtype_real(wanted->type.dtype);
  size_t one = mr_dtype_bytes(part);
  for (int64_t i = 0; i < wanted->count * wanted->parts; i++) {
    const uint8_t *bytes = (const uint8_t *)got + (size_t)i * one;
    cell want = wanted->cells[i], have = cell_decode(part, bytes);
    *(cell_is_anything(want) ? &s->unsure : cell_is_sure(want) ? &s->sure : &s->bounded) += 1;
    bool canonical = part == MR_PRED ? *bytes <= 1 : !mr_dtype_is_narrow(part) || *bytes >> mr_dtype_bits(part) == 0;
    if (!is_allowed(want, have) || !canonical) {
      char type[256];
      mr_text_put(why, "result %u (%s), part %lld: got %.20Lg, wanted %.20Lg within %.6g%s%s", index,
                  mr_type_text(&wanted->type, type, sizeof type), (long long)i, have.v, want.v, want.e,
                  want.exact ? ", of that sign" : "", canonical ? "" : ", with bits set above its own");
      return false;
    }
  }
  return true;
}

// ---- Running ----------------------------------------------------------------------------------------------------------

typedef struct run {
  session *s;
  mr_executable *executable;
  uint32_t devices;
  size_t num_params, num_results;
  void *inputs[128];
  mr_buffer *arguments[128], *results[128];
} run;

static bool fill_inputs(run *r, uint64_t seed, int kind) {
  rng random = rng_of(seed * INPUT_KINDS + (uint64_t)kind);
  for (size_t i = 0; i < r->num_params; i++) {
    const mr_port *port = mr_executable_param(r->executable, i);
    size_t bytes = global_bytes(port);
    r->inputs[i] = malloc(bytes + 16);
    if (!r->inputs[i]) {
      return false;
    }
    make_input(&random, port->dtype, (int64_t)(bytes / mr_dtype_bytes(port->dtype)), kind, r->inputs[i]);
  }
  return true;
}

// For other judges (xla.py): the inputs, and what the evaluator allows.
static void dump(const run *r, uint64_t seed, int kind, const tensor *wanted) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%llu.%d", r->s->dump, (unsigned long long)seed, kind);
  FILE *file = fopen(path, "wb");
  for (size_t i = 0; file && i < r->num_params; i++) {
    fwrite(r->inputs[i], 1, mr_executable_param(r->executable, i)->bytes, file);
  }
  for (size_t i = 0; file && i < r->num_results; i++) {
    fwrite(wanted[i].cells, sizeof(cell), (size_t)(wanted[i].count * wanted[i].parts), file);
  }
  if (file) {
    fclose(file);
  }
}

static mr_status execute(run *r) {
  for (size_t i = 0; i < r->num_params; i++) {
    const mr_port *port = mr_executable_param(r->executable, i);
    mr_host_array host = {.data = r->inputs[i], .dtype = port->dtype, .dims = port->dims, .rank = port->rank};
    MR_TRY(mr_buffer_from_host(r->s->memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &r->arguments[i]));
  }
  mr_future *done = NULL;
  MR_TRY(mr_execute(r->executable, r->s->device, NULL, r->arguments, r->num_params, r->results, &done));
  if (done) {
    mr_future_wait(done);
    mr_future_release(done);
  }
  return MR_OK;
}

static mr_status read_result(run *r, size_t i, void **out_bytes) {
  size_t size = mr_executable_result(r->executable, i)->bytes;
  mr_future *done = NULL;
  *out_bytes = malloc(size + 1);
  if (!*out_bytes) {
    return MR_NO_MEMORY();
  }
  MR_TRY(mr_buffer_to_host(r->results[i], *out_bytes, NULL, &done));
  if (done) {
    mr_future_wait(done);
    mr_future_release(done);
  }
  return MR_OK;
}

static void clear_run(run *r) {
  for (size_t i = 0; i < r->num_params; i++) {
    free(r->inputs[i]);
    mr_buffer_release(r->arguments[i]);
    r->inputs[i] = NULL;
    r->arguments[i] = NULL;
  }
  for (size_t i = 0; i < r->num_results; i++) {
    mr_buffer_release(r->results[i]);
    r->results[i] = NULL;
  }
}

static outcome fail_with(mr_status status, mr_text *why, outcome result) {
  mr_text_put(why, "%s: %s", mr_status_code_name(mr_status_code(status)), mr_status_message(status));
  mr_status_free(status);
  return result;
}

static outcome run_on_rows(run *r, const tensor *wanted, mr_text *why) {
  void *got[128] = {0};
  mr_status status = execute_on_rows(r->s, r->executable, r->devices, r->inputs, got);
  outcome result = status ? fail_with(status, why, DIFFERS) : AGREES;
  for (size_t i = 0; i < r->num_results; i++) {
    if (result == AGREES && !compare_result(r->s, &wanted[i], got[i], (uint32_t)i, why)) {
      result = DIFFERS;
    }
    free(got[i]);
  }
  return result;
}

static outcome run_on_one(run *r, const tensor *wanted, mr_text *why) {
  mr_status status = execute(r);
  outcome result = status ? fail_with(status, why, DIFFERS) : AGREES;
  for (size_t i = 0; result == AGREES && i < r->num_results; i++) {
    void *got = NULL;
    status = read_result(r, i, &got);
    if (status) {
      result = fail_with(status, why, DIFFERS);
    } else if (!compare_result(r->s, &wanted[i], got, (uint32_t)i, why)) {
      result = DIFFERS;
    }
    free(got);
  }
  return result;
}

static outcome run_kind(run *r, mr_module *module, uint64_t seed, int kind, mr_text *why) {
  evaluator ev;
  tensor wanted[128];
  outcome result = NO_VERDICT;
  if (fill_inputs(r, seed, kind) && evaluate(&ev, module, (const void *const *)r->inputs, wanted)) {
    if (r->s->dump) {
      dump(r, seed, kind, wanted);
    }
    result = r->devices > 1 ? run_on_rows(r, wanted, why) : run_on_one(r, wanted, why);
    if (result == DIFFERS) {
      mr_text_put(why, ", inputs of kind %d", kind);
    }
  } else {
    mr_text_put(why, "%s; ", ev.gave_up);
  }
  evaluator_deinit(&ev);
  clear_run(r);
  return result;
}

outcome check_program(session *s, mr_str text, uint64_t seed, mr_text *why) {
  mr_module *module = NULL;
  run r = {.s = s};
  mr_span bytes = {(const uint8_t *)text.data, text.size};
  mr_status status = mr_read_program(bytes, &module);
  if (!status) {
    status = mr_module_verify(module);
  }
  if (status) {
    mr_module_release(module);
    return fail_with(status, why, INVALID);
  }
  if (!can_evaluate(module)) {
    mr_module_release(module);
    mr_text_put(why, "a type");
    return NO_VERDICT;
  }
  r.devices = devices_of_program(module);
  mr_compile_options options = {.num_partitions = r.devices};
  status = mr_compile(bytes, &options, &r.executable);
  if (status) {
    mr_module_release(module);
    return fail_with(status, why, mr_status_code(status) == MR_UNIMPLEMENTED ? REFUSED : INVALID);
  }
  r.num_params = mr_executable_param_count(r.executable);
  r.num_results = mr_executable_result_count(r.executable);
  outcome result = NO_VERDICT;
  for (int kind = 0; kind < INPUT_KINDS && result != DIFFERS; kind++) {
    outcome one = run_kind(&r, module, seed, kind, why);
    result = one == NO_VERDICT ? result : one;
  }
  mr_executable_release(r.executable);
  mr_module_release(module);
  return result;
}
