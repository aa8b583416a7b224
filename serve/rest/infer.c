// An inference over HTTP: taken from the loop's store, read, submitted, answered, and put back.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "serve/rest/infer.h"

enum {
  MOST_STORED = 64,  // inferences kept for later by a loop: as many as are in work at once under a usual load
  MOST_KEPT_BYTES = 1024 * 1024,  // of each piece of memory kept with one; what large requests took is given back
  MOST_STORED_BYTES = 16 * 1024 * 1024,  // of all that a loop keeps
};

// ---- The store of a loop's thread -----------------------------------------------------------------------------------

typedef struct store {
  sv_infer *first;
  uint32_t count;
  size_t bytes;
} store;

static pthread_key_t store_key;
static pthread_once_t store_once = PTHREAD_ONCE_INIT;
static bool has_store_key;

static void infer_free(sv_infer *infer) {
  sv_request_release(infer->request);
  sv_block_release(infer->block);
  sv_text_free(&infer->scratch);
  sv_text_free(&infer->classes);
  free(infer->inputs);
  free(infer->outputs);
  free(infer->pieces);
  free(infer);
}

static void store_free(void *argument) {
  store *mine = argument;
  while (mine->first) {
    sv_infer *infer = mine->first;
    mine->first = infer->next;
    infer_free(infer);
  }
  free(mine);
}

static void make_store_key(void) { has_store_key = pthread_key_create(&store_key, store_free) == 0; }

// NULL without memory.
static store *store_here(void) {
  pthread_once(&store_once, make_store_key);
  store *mine = has_store_key ? pthread_getspecific(store_key) : NULL;
  if (!mine && has_store_key) {
    mine = calloc(1, sizeof *mine);
    if (mine && pthread_setspecific(store_key, mine) != 0) {
      free(mine);
      mine = NULL;
    }
  }
  return mine;
}

static size_t bytes_of(const sv_infer *infer) {
  return infer->scratch.capacity + infer->classes.capacity + (infer->block ? infer->block->size : 0);
}

static sv_infer *take(sv_loop *loop) {
  store *mine = store_here();
  while (mine && mine->first) {
    sv_infer *infer = mine->first;
    mine->first = infer->next;
    mine->count--;
    mine->bytes -= bytes_of(infer);
    if (infer->loop == loop) {
      return infer;
    }
    infer_free(infer);  // of a loop that ran on this thread before
  }
  sv_infer *infer = calloc(1, sizeof *infer);
  if (!infer) {
    return NULL;
  }
  infer->loop = loop;
  sv_error *error = sv_request_create(loop, &infer->request);
  if (error) {
    sv_error_free(error);
    free(infer);
    return NULL;
  }
  return infer;
}

static void trim(sv_text *text) {
  if (text->capacity > MOST_KEPT_BYTES) {
    sv_text_free(text);
  }
  sv_text_clear(text);
}

static void put_back(sv_infer *infer) {
  for (uint32_t i = 0; infer->signature && i < infer->signature->num_outputs; i++) {
    sv_region_release(infer->outputs[i].region);
    infer->outputs[i].region = NULL;
  }
  sv_request_reset(infer->request);
  infer->signature = NULL;
  infer->exchange = NULL;
  infer->http = NULL;
  // acquire: the engine may still have the block; where it has let go, it is done with what was in it.
  if (infer->block && (infer->block->size > MOST_KEPT_BYTES ||
                       atomic_load_explicit(&infer->block->references, memory_order_acquire) > 1)) {
    sv_block_release(infer->block);
    infer->block = NULL;
  }
  trim(&infer->scratch);
  trim(&infer->classes);
  store *mine = store_here();
  if (!mine || mine->count >= MOST_STORED || mine->bytes + bytes_of(infer) > MOST_STORED_BYTES) {
    infer_free(infer);
    return;
  }
  infer->next = mine->first;
  mine->first = infer;
  mine->count++;
  mine->bytes += bytes_of(infer);
}

// ---- From begin to end ----------------------------------------------------------------------------------------------

static sv_error *grow(void **list, size_t size, uint32_t count) {
  void *larger = realloc(*list, (count ? count : 1) * size);
  if (!larger) {
    return sv_no_memory();
  }
  *list = larger;
  return NULL;
}

static sv_error *prepare(sv_infer *infer, sv_version *version) {
  const sv_signature *signature = sv_version_signature(version);
  if (signature->num_inputs > infer->room_inputs || !infer->inputs) {
    SV_TRY(grow((void **)&infer->inputs, sizeof *infer->inputs, signature->num_inputs));
    infer->room_inputs = signature->num_inputs;
  }
  if (signature->num_outputs > infer->room_outputs || !infer->outputs) {
    SV_TRY(grow((void **)&infer->outputs, sizeof *infer->outputs, signature->num_outputs));
    SV_TRY(grow((void **)&infer->pieces, sizeof *infer->pieces, signature->num_outputs + 1));
    infer->room_outputs = signature->num_outputs;
  }
  memset(infer->inputs, 0, signature->num_inputs * sizeof *infer->inputs);
  memset(infer->outputs, 0, signature->num_outputs * sizeof *infer->outputs);
  infer->signature = signature;
  infer->block_used = infer->binary_begin = infer->binary_used = 0;
  infer->id = (sv_str){0};
  infer->lists_outputs = infer->binary_outputs = infer->has_binary_outputs = false;
  infer->columns = false;
  infer->rows = 0;
  return sv_request_prepare(infer->request, version);
}

static void released(void *argument) { put_back(argument); }

// The record is written when the inference may be in use again: an id that was decoded into its memory is left out of it.
static void fail(sv_infer *infer, sv_error *take_error) {
  const sv_str *body = &infer->http->body;
  sv_access *access = sv_exchange_access(infer->exchange);
  if (access->request_id.size &&
      (access->request_id.data < body->data || access->request_id.data >= body->data + body->size)) {
    access->request_id = (sv_str){0};
  }
  sv_exchange_fail(infer->exchange, take_error);
  put_back(infer);
}

static void answer(sv_infer *infer) {
  sv_request *request = infer->request;
  sv_access *access = sv_exchange_access(infer->exchange);
  access->batch_size = request->batch_rows;
  access->queue_us = request->queue_ns / 1000;
  access->compute_us = request->compute_ns / 1000;
  sv_answer out = {.status = 200,
                   .content_type = "application/json",
                   .json_size = -1,
                   .pieces = infer->pieces,
                   .released = released,
                   .argument = infer};
  sv_error *error = request->error;
  request->error = NULL;
  error = error ? error : infer->write(infer, &out);
  if (error) {
    sv_text_clear(sv_exchange_text(infer->exchange));
    fail(infer, error);
    return;
  }
  sv_exchange_answer(infer->exchange, &out);
}

static void done(sv_request *request) { answer(request->argument); }

static void gone(void *argument) {
  sv_infer *infer = argument;
  sv_request_cancel(infer->request);
}

static void submit(sv_infer *infer) {
  sv_request *request = infer->request;
  sv_access *access = sv_exchange_access(infer->exchange);
  if (access->trace_id[0]) {
    memcpy(request->trace_id, access->trace_id, sizeof request->trace_id);
    request->trace_id_set = 1;
  }
  request->done = done;
  request->argument = infer;
  sv_exchange_on_gone(infer->exchange, gone, infer);
  sv_request_submit(request);
}

void sv_infer_run(sv_service *service, sv_exchange *exchange, const sv_http_request *http, sv_str model, sv_str version,
                  sv_error *(*read)(sv_infer *infer), sv_error *(*write)(sv_infer *infer, sv_answer *out)) {
  uint64_t begin_ns = sv_now_ns();
  sv_access *access = sv_exchange_access(exchange);
  access->model = model;  // the path's text, which outlives the version in any case
  sv_version *found;
  sv_error *error = sv_repository_find(service->repository, model, version, &found);
  if (error) {
    sv_exchange_fail(exchange, error);
    return;
  }
  access->version = sv_version_signature(found)->number;
  sv_infer *infer = take(sv_exchange_loop(exchange));
  if (infer) {
    infer->service = service;
    infer->exchange = exchange;
    infer->http = http;
    infer->write = write;
    error = prepare(infer, found);
    error = error ? error : read(infer);
    error = error ? error : sv_infer_place_end(infer);
  } else {
    error = sv_no_memory();
  }
  if (error) {
    sv_version_count_failure(found, sv_error_code(error), sv_now_ns() - begin_ns);
    if (infer) {
      fail(infer, error);
    } else {
      sv_exchange_fail(exchange, error);
    }
  } else {
    submit(infer);
  }
  sv_version_release(found);
}

void sv_rest_infer(sv_service *service, sv_exchange *exchange, const sv_http_request *request, sv_str model,
                   sv_str version) {
  sv_infer_run(service, exchange, request, model, version, sv_infer_read, sv_infer_write);
}

int sv_infer_find(const sv_port *ports, uint32_t count, sv_str name) {
  for (uint32_t i = 0; i < count; i++) {
    if (sv_str_is(name, ports[i].name)) {
      return (int)i;
    }
  }
  return -1;
}

sv_error *sv_infer_note(sv_error *take_error, const char *what, sv_str name) {
  if (!take_error) {
    return NULL;
  }
  sv_error *error =
      sv_errorf(sv_error_code(take_error), "%s '%.*s': %s", what, SV_FMT(name), sv_error_message(take_error));
  sv_error_free(take_error);
  return error;
}
