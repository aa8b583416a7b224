// The repository extension: index, load, unload.
#include <stdlib.h>

#include "serve/rest/answers.h"

// ---- Index ----------------------------------------------------------------------------------------------------------

static sv_error *read_index(void *argument, sv_str name, sv_json *json) {
  return sv_str_is(name, "ready") ? sv_json_bool(json, argument) : sv_json_skip(json, NULL);
}

static void put_entry(sv_text *out, const sv_index_entry *entry) {
  sv_text_putc(out, '{');
  sv_rest_put_text(out, "name", sv_str_of(entry->name));
  sv_rest_put_name(out, "version");
  sv_text_putc(out, '"');
  if (entry->version) {
    sv_text_add_uint(out, entry->version);
  }
  sv_text_putc(out, '"');
  sv_rest_put_text(out, "state", sv_str_of(sv_state_name(entry->state)));
  if (entry->reason && entry->reason[0]) {
    sv_rest_put_text(out, "reason", sv_str_of(entry->reason));
  }
  sv_text_putc(out, '}');
}

void sv_rest_index(const sv_rest_call *call) {
  bool ready = false;
  sv_index_entry *entries = NULL;
  size_t count = 0;
  sv_error *error = sv_rest_read_object(call->request->body, read_index, &ready);
  if (!error) {
    error = sv_repository_index(call->service->repository, &entries, &count);
  }
  if (error) {
    sv_exchange_fail(call->exchange, error);
    return;
  }
  sv_text *out = sv_exchange_text(call->exchange);
  const char *separator = "[";
  for (size_t i = 0; i < count; i++) {
    if (!ready || entries[i].state == SV_STATE_READY) {
      sv_text_puts(out, separator);
      put_entry(out, &entries[i]);
      separator = ",";
    }
  }
  sv_text_puts(out, *separator == '[' ? "[]" : "]");
  sv_index_free(entries, count);
  sv_rest_answer_json(call->exchange);
}

// ---- Load, unload ---------------------------------------------------------------------------------------------------

typedef struct parameters {
  bool unloads;
  char *config;  // JSON in a string; NULL: not given
  bool dependents;
} parameters;

static sv_error *read_config(parameters *given, sv_json *json) {
  sv_str text;
  SV_TRY(sv_json_string(json, &text));
  free(given->config);
  given->config = sv_str_copy(text);
  return given->config ? NULL : sv_no_memory();
}

static sv_error *read_parameter(parameters *given, sv_str name, sv_json *json) {
  if (given->unloads && sv_str_is(name, "unload_dependents")) {
    return sv_json_bool(json, &given->dependents);
  }
  if (!given->unloads && sv_str_is(name, "config")) {
    return read_config(given, json);
  }
  if (!given->unloads && sv_str_begins(name, "file:")) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT,
                     "parameter '%.*s': this server takes no files of models by request, put them into its repository",
                     SV_FMT(name));
  }
  return sv_errorf(MILLRACE_INVALID_ARGUMENT, "parameter '%.*s' is not known, wanted '%s'", SV_FMT(name),
                   given->unloads ? "unload_dependents" : "config");
}

static sv_error *read_parameters(void *argument, sv_str name, sv_json *json) {
  if (!sv_str_is(name, "parameters")) {
    return sv_json_skip(json, NULL);
  }
  sv_json_kind kind;
  SV_TRY(sv_json_peek(json, &kind));
  if (kind == SV_JSON_NULL) {
    return sv_json_null(json);
  }
  SV_TRY(sv_json_object(json));
  while (true) {
    bool more;
    sv_str parameter;
    SV_TRY(sv_json_member(json, &more, &parameter));
    if (!more) {
      return NULL;
    }
    SV_TRY(read_parameter(argument, parameter, json));
  }
}

// What a load brings back to the exchange's loop.
typedef struct job {
  sv_task task;
  sv_loop *loop;
  sv_exchange *exchange;
  sv_error *error;
} job;

static void answer_job(sv_task *task) {
  job *done = (job *)task;
  if (done->error) {
    sv_exchange_fail(done->exchange, done->error);
  } else {
    sv_rest_answer_nothing(done->exchange);
  }
  free(done);
}

// On the repository's thread.
static void finish_job(void *argument, sv_error *take_error) {
  job *done = argument;
  done->error = take_error;
  sv_loop_post(done->loop, &done->task);
}

static void start(const sv_rest_call *call, bool unloads) {
  parameters given = {.unloads = unloads};
  sv_error *error = sv_rest_read_object(call->request->body, read_parameters, &given);
  job *made = error ? NULL : malloc(sizeof *made);
  if (!made) {
    sv_exchange_fail(call->exchange, error ? error : sv_no_memory());
  } else {
    *made = (job){.task.run = answer_job, .loop = sv_exchange_loop(call->exchange), .exchange = call->exchange};
    sv_repository *repository = call->service->repository;
    if (unloads) {
      sv_repository_unload(repository, call->route.model, given.dependents, finish_job, made);
    } else {
      sv_repository_load(repository, call->route.model, sv_str_of(given.config), finish_job, made);
    }
  }
  free(given.config);
}

void sv_rest_load(const sv_rest_call *call) { start(call, false); }

void sv_rest_unload(const sv_rest_call *call) { start(call, true); }
