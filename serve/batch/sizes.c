// The batch sizes that a version is compiled for, and where a batch of each lies in memory.
#include <stdlib.h>
#include <string.h>

#include "serve/batch/internal.h"

// How often a batch size is run before requests come, unless it takes long: the first runs touch memory, the others tell its time.
enum { WARM_RUNS = 4 };
static const uint64_t WARM_NS = 1000000000;

static void free_bucket(sv_bucket *bucket) {
  while (bucket->kept) {
    sv_batch *next = bucket->kept->next;
    sv_batch_destroy(bucket->kept);
    bucket->kept = next;
  }
  sv_error_free(bucket->error);
  free(bucket->inputs);
  free(bucket->input_at);
}

void sv_sizes_keep(sv_sizes *sizes, uint32_t num_buckets) {
  while (sizes->num_buckets > num_buckets) {
    free_bucket(&sizes->buckets[--sizes->num_buckets]);
  }
}

void sv_sizes_free(sv_sizes *sizes) {
  if (sizes) {
    sv_sizes_keep(sizes, 0);
    free(sizes->buckets);
    free(sizes->inputs);
    free(sizes);
  }
}

static sv_error *make_bucket(sv_version *version, sv_sizes *sizes, sv_bucket *bucket, uint32_t rows) {
  const sv_signature *s = &version->signature;
  const uint32_t count = s->num_inputs + s->num_outputs;
  *bucket = (sv_bucket){.version = version, .sizes = sizes, .rows = rows, .ns = UINT64_MAX};
  bucket->inputs = calloc(count + 1, sizeof *bucket->inputs);
  bucket->input_at = calloc(count + 1, sizeof *bucket->input_at);
  if (!bucket->inputs || !bucket->input_at) {
    return sv_no_memory();
  }
  bucket->outputs = bucket->inputs + s->num_inputs;
  bucket->output_at = bucket->input_at + s->num_inputs;
  for (uint32_t i = 0; i < s->num_inputs; i++) {
    sv_tensor *input = &bucket->inputs[i];
    *input = sizes->inputs[i];
    input->data = NULL;
    if (rows) {
      input->dims[0] = rows;
    }
    if (!sv_tensor_bytes(input->dtype, input->dims, input->rank, &input->bytes)) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%s' would have more bytes than there can be",
                       s->inputs[i].name);
    }
  }
  return NULL;
}

sv_error *sv_sizes_create(sv_version *version, const sv_tensor *inputs, sv_sizes **out_sizes) {
  *out_sizes = NULL;
  const uint32_t count = version->signature.num_inputs,
                 buckets = version->num_batch_sizes ? version->num_batch_sizes : 1;
  sv_sizes *sizes = calloc(1, sizeof *sizes);
  sv_error *error = sizes ? NULL : sv_no_memory();
  if (sizes) {
    sizes->inputs = calloc(count + 1, sizeof *inputs);
    sizes->buckets = calloc(buckets, sizeof *sizes->buckets);
    error = sizes->inputs && sizes->buckets ? NULL : sv_no_memory();
  }
  if (!error) {
    memcpy(sizes->inputs, inputs, count * sizeof *inputs);
    for (uint32_t b = 0; b < buckets && !error; b++) {
      sizes->num_buckets++;
      error = make_bucket(version, sizes, &sizes->buckets[b], version->num_batch_sizes ? version->batch_sizes[b] : 0);
    }
  }
  if (error) {
    sv_sizes_free(sizes);
    return error;
  }
  *out_sizes = sizes;
  return NULL;
}

static bool is_same(const sv_version *version, const sv_sizes *sizes, const sv_tensor *inputs) {
  const uint32_t begin = version->signature.max_batch_size ? 1 : 0;
  for (uint32_t i = 0; i < version->signature.num_inputs; i++) {
    for (uint32_t d = begin; d < inputs[i].rank; d++) {
      if (sizes->inputs[i].dims[d] != inputs[i].dims[d]) {
        return false;
      }
    }
  }
  return true;
}

sv_error *sv_sizes_find(sv_version *version, const sv_tensor *inputs, sv_sizes **out_sizes) {
  if (!version->is_open) {
    *out_sizes = version->sizes[0];
    return NULL;
  }
  for (uint32_t i = 0; i < version->num_sizes; i++) {
    if (is_same(version, version->sizes[i], inputs)) {
      *out_sizes = version->sizes[i];
      return NULL;
    }
  }
  if (version->num_sizes == SV_MOST_SIZES) {
    return sv_errorf(
        MILLRACE_RESOURCE_EXHAUSTED,
        "model '%s' has been compiled for %u combinations of sizes, which is the most: only those are taken",
        version->signature.model, SV_MOST_SIZES);
  }
  SV_TRY(sv_sizes_create(version, inputs, &version->sizes[version->num_sizes]));
  *out_sizes = version->sizes[version->num_sizes++];
  return NULL;
}

// ---- Compiling ------------------------------------------------------------------------------------------------------

// The shapes in the order of the model's inputs; freed with free().
static millrace_shape *shapes_of(const sv_bucket *bucket) {
  const sv_version *version = bucket->version;
  millrace_shape *shapes = calloc(version->signature.num_inputs + 1, sizeof *shapes);
  for (uint32_t i = 0; shapes && i < version->signature.num_inputs; i++) {
    shapes[version->input_order[i]] = (millrace_shape){bucket->inputs[i].dims, bucket->inputs[i].rank};
  }
  return shapes;
}

// What the outputs are, where everything lies, and whether a run's time is known.
static sv_error *lay_out(sv_bucket *bucket, const millrace_program *program) {
  const sv_version *version = bucket->version;
  const sv_signature *s = &version->signature;
  for (uint32_t i = 0; i < s->num_outputs; i++) {
    size_t number = millrace_model_output(version->model, version->output_order[i]).parameter;
    millrace_type type = millrace_program_result(program, number);
    sv_tensor *output = &bucket->outputs[i];
    *output = (sv_tensor){.dtype = type.dtype, .rank = (uint32_t)type.rank, .bytes = type.bytes};
    memcpy(output->dims, type.dims, type.rank * sizeof *type.dims);
    if (bucket->rows && (!type.rank || type.dims[0] != bucket->rows)) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "output '%s' has no row for each row of the inputs",
                       s->outputs[i].name);
    }
  }
  size_t at = 0;
  for (uint32_t i = 0; i < s->num_inputs + s->num_outputs; i++) {
    bucket->input_at[i] = at;
    at += (bucket->inputs[i].bytes + SV_ALIGNMENT - 1) / SV_ALIGNMENT * SV_ALIGNMENT;
  }
  bucket->memory = at;
  bucket->is_unbounded = millrace_program_costs_of(program).unbounded;
  return NULL;
}

static sv_error *warm_up(sv_bucket *bucket, uint64_t *out_ns) {
  pthread_mutex_lock(&bucket->version->lock);
  sv_batch *batch = sv_batch_take(bucket);
  pthread_mutex_unlock(&bucket->version->lock);
  if (!batch) {
    return sv_no_memory();
  }
  sv_error *error = NULL;
  *out_ns = UINT64_MAX;
  uint64_t all_ns = 0;
  for (int i = 0; i < WARM_RUNS && !error && all_ns < WARM_NS; i++) {
    batch->rows = bucket->rows;
    uint64_t begin = sv_now_ns();
    millrace_event *event;
    error = sv_batch_call(batch, false, &event);
    error = error ? error : sv_error_of(millrace_event_wait(event));
    millrace_event_release(event);
    uint64_t ns = sv_now_ns() - begin;
    *out_ns = ns < *out_ns ? ns : *out_ns;
    all_ns += ns;
  }
  sv_batch_release(batch);
  return error;
}

static sv_error *compile(sv_bucket *bucket, millrace_program **out_program) {
  millrace_shape *shapes = shapes_of(bucket);
  if (!shapes) {
    return sv_no_memory();
  }
  sv_error *error = sv_error_of(
      millrace_model_program(bucket->version->model, shapes, bucket->version->signature.num_inputs, out_program));
  free(shapes);
  return error;
}

static void set_state(sv_bucket *bucket, sv_error *take_error, uint64_t ns) {
  pthread_mutex_lock(&bucket->version->lock);
  bucket->error = take_error;
  bucket->ns = ns;
  bucket->state = take_error ? SV_BUCKET_FAILED : SV_BUCKET_READY;
  pthread_mutex_unlock(&bucket->version->lock);
}

sv_error *sv_bucket_prepare(sv_bucket *bucket) {
  millrace_program *program = NULL;
  uint64_t ns = 0;
  sv_error *error = compile(bucket, &program);
  error = error ? error : lay_out(bucket, program);
  millrace_program_release(program);
  error = error ? error : warm_up(bucket, &ns);
  set_state(bucket, sv_error_copy(error), ns);
  return error;
}

// ---- In the background ----------------------------------------------------------------------------------------------

// On a thread of the engine's, where nothing may be waited for: the time is the compiler's estimate until the first run.
static void prepared(void *argument, millrace_error *error) {
  sv_bucket *bucket = argument;
  sv_version *version = bucket->version;
  millrace_program *program = NULL;
  uint64_t ns = 0;
  sv_error *mine = error ? sv_errorf(millrace_error_code(error), "%s", millrace_error_message(error)) : NULL;
  mine = mine ? mine : compile(bucket, &program);
  mine = mine ? mine : lay_out(bucket, program);
  if (!mine) {
    ns = millrace_program_costs_of(program).estimate_ns;
  }
  millrace_program_release(program);
  set_state(bucket, mine, ns);
  sv_version_dispatch(version);
  sv_version_release(version);
}

void sv_bucket_prepare_later(sv_bucket *bucket) {
  sv_version *version = bucket->version;
  millrace_shape *shapes = shapes_of(bucket);
  millrace_event *event = NULL;
  sv_error *error =
      shapes ? sv_error_of(millrace_model_prepare(version->model, shapes, version->signature.num_inputs, &event))
             : sv_no_memory();
  free(shapes);
  sv_version_retain(version);  // let go by prepared()
  if (!error && event) {
    error = sv_error_of(millrace_event_on_done(event, prepared, bucket));
  } else if (!error) {
    prepared(bucket, NULL);
  }
  millrace_event_release(event);
  if (error) {
    set_state(bucket, error, 0);
    sv_version_release(version);
  }
}
