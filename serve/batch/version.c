// Versions: loaded, warmed up, drained, taken apart.
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "serve/batch/internal.h"

// Executions at once of a program that is spread over the cores: while one ends, the other has the cores already.
static const uint32_t DEFAULT_INSTANCES = 2;

const sv_signature *sv_version_signature(const sv_version *version) { return &version->signature; }

sv_version *sv_version_retain(sv_version *version) {
  atomic_fetch_add_explicit(&version->references, 1, memory_order_relaxed);  // whoever retains has one
  return version;
}

static void destroy(sv_version *version) {
  if (version->timer_event) {
    event_free(version->timer_event);
  }
  if (version->timer_fd >= 0) {
    close(version->timer_fd);
  }
  for (uint32_t i = 0; version->sizes && i < version->num_sizes; i++) {
    sv_sizes_free(version->sizes[i]);
  }
  free(version->sizes);
  millrace_model_release(version->model);
  sv_ports_free(version->inputs, version->signature.num_inputs);
  sv_ports_free(version->outputs, version->signature.num_outputs);
  free(version->input_order);
  free(version->output_order);
  free(version->batch_sizes);
  free(version->name);
  sv_config_release(version->config);
  pthread_mutex_destroy(&version->lock);
  sv_engine *engine = version->engine;
  free(version);
  sv_engine_add_version(engine, -1);
}

static void end(sv_task *task) { destroy((sv_version *)((char *)task - offsetof(sv_version, end))); }

void sv_version_release(sv_version *version) {
  // acq_rel: what the others did is over before the last one takes it apart.
  if (!version || atomic_fetch_sub_explicit(&version->references, 1, memory_order_acq_rel) != 1) {
    return;
  }
  if (version->timer_event) {
    version->end.run = end;
    sv_loop_post(sv_engine_loop(version->engine), &version->end);
  } else {
    destroy(version);
  }
}

// ---- Batch sizes ----------------------------------------------------------------------------------------------------

// Every input and output has an open size in front, the same symbol, and none elsewhere.
static bool has_open_front(const sv_version *version) {
  const sv_signature *s = &version->signature;
  const char *symbol = NULL;
  for (uint32_t i = 0; i < s->num_inputs + s->num_outputs; i++) {
    const bool is_output = i >= s->num_inputs;
    const sv_port *port = is_output ? &s->outputs[i - s->num_inputs] : &s->inputs[i];
    if (!port->rank || port->dims[0] >= 0) {
      return false;
    }
    for (uint32_t d = 1; d < port->rank; d++) {
      if (port->dims[d] < 0) {
        return false;
      }
    }
    if (!is_output) {
      millrace_port own = millrace_model_input(version->model, version->input_order[i]);
      const char *mine = own.symbols ? own.symbols[0] : NULL;
      if (!mine || (symbol && strcmp(symbol, mine) != 0)) {
        return false;
      }
      symbol = mine;
    }
  }
  return s->num_inputs > 0;
}

// A size in front that is fixed can be the batch of the configuration only if it is that size, and then there is one batch size.
static sv_error *check_front(sv_version *version, bool *out_is_fixed) {
  const sv_signature *s = &version->signature;
  const int64_t most = version->config->max_batch_size;
  *out_is_fixed = false;
  for (uint32_t i = 0; i < s->num_inputs + s->num_outputs; i++) {
    sv_port *port = i < s->num_inputs ? &version->inputs[i] : &version->outputs[i - s->num_inputs];
    if (!port->rank || (port->dims[0] >= 0 && port->dims[0] != most)) {
      sv_text shape = {0};
      sv_text_add_shape(&shape, port->dims, port->rank);
      sv_error *error =
          sv_errorf(MILLRACE_INVALID_ARGUMENT,
                    "max_batch_size is %lld, but '%s' has shape %.*s: its first size is to be open, or %lld",
                    (long long)most, port->name, SV_FMT(sv_text_str(&shape)), (long long)most);
      sv_text_free(&shape);
      return error;
    }
    *out_is_fixed |= port->dims[0] >= 0;
    port->dims[0] = -1;
  }
  return NULL;
}

static bool has_size(const sv_version *version, uint32_t rows) {
  for (uint32_t i = 0; i < version->num_batch_sizes; i++) {
    if (version->batch_sizes[i] == rows) {
      return true;
    }
  }
  return false;
}

static int ascending(const void *a, const void *b) {
  uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
  return (left > right) - (left < right);
}

static sv_error *choose_sizes(sv_version *version, bool is_fixed) {
  const sv_config *c = version->config;
  const uint32_t most = version->signature.max_batch_size;
  version->batch_sizes = calloc(64 + c->num_preferred + c->num_buckets, sizeof *version->batch_sizes);
  if (!version->batch_sizes) {
    return sv_no_memory();
  }
  uint32_t *sizes = version->batch_sizes;
  for (uint32_t i = 0; !is_fixed && i < c->num_buckets; i++) {
    sizes[version->num_batch_sizes++] = c->buckets[i];
  }
  for (uint32_t rows = 1; !is_fixed && !c->num_buckets && rows < most; rows *= 2) {
    sizes[version->num_batch_sizes++] = rows;
  }
  for (uint32_t i = 0; !is_fixed && i < c->num_preferred; i++) {
    if (!has_size(version, c->preferred[i])) {
      sizes[version->num_batch_sizes++] = c->preferred[i];
    }
  }
  if (!has_size(version, most)) {
    sizes[version->num_batch_sizes++] = most;
  }
  qsort(sizes, version->num_batch_sizes, sizeof *sizes, ascending);
  if (version->num_batch_sizes > 64 || sizes[0] < 1 || sizes[version->num_batch_sizes - 1] > most) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "batch sizes are 64 at most, each from 1 to max_batch_size (%u)", most);
  }
  return NULL;
}

static sv_error *settle_batch(sv_version *version) {
  sv_config *c = version->config;
  bool is_fixed = false;
  if (!c->says_max_batch_size && has_open_front(version)) {
    c->max_batch_size = SV_DEFAULT_BATCH;
    c->batching = true;
  }
  if (c->max_batch_size > SV_MOST_BATCH) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "max_batch_size is %u, the most is %u", c->max_batch_size,
                     SV_MOST_BATCH);
  }
  version->signature.max_batch_size = c->max_batch_size;
  version->joins = c->batching && c->max_batch_size > 1;
  if (c->max_batch_size) {
    SV_TRY(check_front(version, &is_fixed));
    SV_TRY(choose_sizes(version, is_fixed));
  }
  for (uint32_t i = 0; i < version->signature.num_inputs; i++) {
    const sv_port *port = &version->inputs[i];
    for (uint32_t d = c->max_batch_size ? 1 : 0; d < port->rank; d++) {
      version->is_open |= port->dims[d] < 0;
    }
  }
  return NULL;
}

// The program may say that it takes no more than so many rows ("b <= 16"). Where nobody asked for more, that is the most then.
static bool stop_at(sv_version *version, uint32_t bucket, const sv_error *error) {
  if (version->config->says_max_batch_size || bucket == 0 || sv_error_code(error) != MILLRACE_INVALID_ARGUMENT) {
    return false;
  }
  sv_sizes_keep(version->sizes[0], bucket);
  version->num_batch_sizes = bucket;
  version->signature.max_batch_size = version->config->max_batch_size = version->batch_sizes[bucket - 1];
  return true;
}

// Compiles batch size by batch size; a load that is stopped ends between two of them.
static sv_error *prepare_sizes(sv_version *version, const _Atomic(bool) *stop) {
  version->sizes = calloc(SV_MOST_SIZES, sizeof(sv_sizes *));
  if (!version->sizes) {
    return sv_no_memory();
  }
  if (version->is_open) {
    return NULL;  // compiled as requests come
  }
  sv_tensor *inputs = calloc(version->signature.num_inputs + 1, sizeof *inputs);
  if (!inputs) {
    return sv_no_memory();
  }
  for (uint32_t i = 0; i < version->signature.num_inputs; i++) {
    inputs[i] = (sv_tensor){.dtype = version->inputs[i].dtype, .rank = version->inputs[i].rank};
    memcpy(inputs[i].dims, version->inputs[i].dims, sizeof inputs[i].dims);
  }
  sv_error *error = sv_sizes_create(version, inputs, &version->sizes[0]);
  free(inputs);
  version->num_sizes = error ? 0 : 1;
  for (uint32_t b = 0; !error && b < version->sizes[0]->num_buckets; b++) {
    // Relaxed: seen soon is enough.
    error = stop && atomic_load_explicit(stop, memory_order_relaxed)
                ? sv_errorf(MILLRACE_CANCELLED, "loading model '%s' was stopped", version->name)
                : sv_bucket_prepare(&version->sizes[0]->buckets[b]);
    if (error && stop_at(version, b, error)) {
      sv_error_free(error);
      error = NULL;
    }
  }
  return error;
}

// ---- Loading --------------------------------------------------------------------------------------------------------

static void timer_fires(evutil_socket_t descriptor, short what, void *argument) {
  (void)what;
  sv_version *version = argument;
  uint64_t times;
  if (read(descriptor, &times, sizeof times) < 0) {
    return;
  }
  pthread_mutex_lock(&version->lock);
  version->armed_ns = 0;
  pthread_mutex_unlock(&version->lock);
  sv_version_dispatch(version);
}

typedef struct start {
  sv_task task;
  sv_version *version;  // retained
} start;

static void start_timer(sv_task *task) {
  start *begin = (start *)task;
  event_add(begin->version->timer_event, NULL);
  sv_version_release(begin->version);
  free(begin);
}

static sv_error *make_timer(sv_version *version) {
  if (!version->config->max_delay_us || !version->joins) {
    return NULL;
  }
  version->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (version->timer_fd < 0) {
    return sv_errorf(MILLRACE_UNAVAILABLE, "no descriptor for a timer of model '%s'", version->name);
  }
  sv_loop *loop = sv_engine_loop(version->engine);
  start *begin = malloc(sizeof *begin);
  version->timer_event = event_new(sv_loop_base(loop), version->timer_fd, EV_READ | EV_PERSIST, timer_fires, version);
  if (!begin || !version->timer_event) {
    free(begin);
    return sv_no_memory();
  }
  *begin = (start){{NULL, start_timer}, sv_version_retain(version)};
  sv_loop_post(loop, &begin->task);
  return NULL;
}

static void round_ends(sv_task *task) {
  sv_version *version = (sv_version *)((char *)task - offsetof(sv_version, round));
  pthread_mutex_lock(&version->lock);
  version->round_waits = false;
  pthread_mutex_unlock(&version->lock);
  sv_version_dispatch(version);
  sv_version_release(version);
}

static sv_error *load_program(sv_version *version, const sv_version_files *files) {
  version->device = millrace_context_device(sv_engine_context(version->engine), 0);
  millrace_model_options options = {
      .struct_size = sizeof options, .device = version->device, .weights_path = files->weights_path};
  SV_TRY(sv_error_of(
      millrace_model_open(sv_engine_context(version->engine), files->program_path, &options, &version->model)));
  SV_TRY(sv_ports_make(version));
  if (version->config->says_max_batch_size || !has_open_front(version)) {
    SV_TRY(sv_ports_apply(version));
    SV_TRY(settle_batch(version));
  } else {
    SV_TRY(settle_batch(version));
    SV_TRY(sv_ports_apply(version));
  }
  SV_TRY(sv_ports_label(version, files->labels));
  SV_TRY(prepare_sizes(version, files->stop));
  return make_timer(version);
}

static sv_error *load_ensemble(sv_version *version, const sv_version_files *files) {
  version->signature.ensemble = true;
  version->signature.max_batch_size = version->config->max_batch_size;
  version->find = files->find;
  version->find_self = files->find_self;
  SV_TRY(sv_ports_make_ensemble(version));
  return sv_ports_label(version, files->labels);
}

sv_error *sv_version_load(sv_engine *engine, const sv_version_files *files, sv_version **out_version) {
  *out_version = NULL;
  sv_version *version = calloc(1, sizeof *version);
  if (!version) {
    sv_config_release(files->take_config);
    return sv_no_memory();
  }
  atomic_init(&version->references, 1);
  pthread_mutex_init(&version->lock, NULL);
  version->engine = engine;
  sv_engine_add_version(engine, 1);
  version->config = files->take_config;
  version->timer_fd = -1;
  version->round.run = round_ends;
  version->config->instances = version->config->instances ? version->config->instances : DEFAULT_INSTANCES;
  version->name = sv_str_copy(sv_str_of(files->model));
  version->signature = (sv_signature){.model = version->name, .number = files->number, .config = version->config};
  sv_error *error = version->name ? NULL : sv_no_memory();
  if (!error) {
    error = files->program_path ? load_program(version, files) : load_ensemble(version, files);
  }
  if (error) {
    sv_version_release(version);
    return error;
  }
  *out_version = version;
  return NULL;
}

// ---- The end --------------------------------------------------------------------------------------------------------

void sv_version_look_drained(sv_version *version) {
  void (*drained)(void *) = NULL;
  void *argument = NULL;
  pthread_mutex_lock(&version->lock);
  if (version->drained && !version->pending && !version->running && !version->running_here) {
    drained = version->drained;
    argument = version->drained_argument;
    version->drained = NULL;
  }
  pthread_mutex_unlock(&version->lock);
  if (drained) {
    drained(argument);
  }
}

void sv_version_drain(sv_version *version, void (*drained)(void *argument), void *argument) {
  pthread_mutex_lock(&version->lock);
  version->drained = drained;
  version->drained_argument = argument;
  pthread_mutex_unlock(&version->lock);
  sv_version_look_drained(version);
}

uint64_t sv_version_bytes(sv_version *version) {
  uint64_t bytes = 0;
  pthread_mutex_lock(&version->lock);
  for (uint32_t i = 0; i < version->num_sizes; i++) {
    for (uint32_t b = 0; b < version->sizes[i]->num_buckets; b++) {
      const sv_bucket *bucket = &version->sizes[i]->buckets[b];
      bytes += bucket->state == SV_BUCKET_READY ? bucket->memory : 0;
    }
  }
  pthread_mutex_unlock(&version->lock);
  return bytes;
}
