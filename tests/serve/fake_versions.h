// Versions without an engine, for tests of the repository: a program is a text file.
//
//   ok ...     loads          slow ...   takes 50 ms to load        gate ...   loads when fake_open_gate() was called
//   bad ...    is refused, with the rest as the reason             (empty)     is refused: "is empty"
#ifndef SV_TESTS_FAKE_VERSIONS_H
#define SV_TESTS_FAKE_VERSIONS_H

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "serve/repository/repository.h"
#include "tests/serve/check.h"

struct sv_engine {
  _Atomic(int) versions;  // that are alive
  _Atomic(int) loads;
  _Atomic(int) drained;
  _Atomic(bool) hold_drains;  // drains end by fake_end_drains() alone
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool gate;
  struct fake_drain *held;
  char log[4096];  // "load a/1;drain a/1;"
};

struct sv_version {
  _Atomic(uint32_t) references;
  sv_engine *engine;
  sv_signature signature;
  sv_config *config;
  char *name, *text;
  char labels[64];
  _Atomic(bool) draining;
  sv_error *(*find)(void *self, sv_str model, int64_t number, sv_version **out_version);
  void *find_self;
};

typedef struct fake_drain {
  struct fake_drain *next;
  void (*drained)(void *argument);
  void *argument;
} fake_drain;

static void fake_log(sv_engine *engine, const char *what, const char *model, uint64_t number) {
  pthread_mutex_lock(&engine->lock);
  size_t size = strlen(engine->log);
  snprintf(engine->log + size, sizeof engine->log - size, "%s %s/%llu;", what, model, (unsigned long long)number);
  pthread_mutex_unlock(&engine->lock);
}

const sv_signature *sv_version_signature(const sv_version *version) { return &version->signature; }

sv_version *sv_version_retain(sv_version *version) {
  assert_true(atomic_fetch_add_explicit(&version->references, 1, memory_order_relaxed) > 0);
  return version;
}

void sv_version_release(sv_version *version) {
  if (!version || atomic_fetch_sub_explicit(&version->references, 1, memory_order_acq_rel) != 1) {
    return;
  }
  atomic_fetch_sub_explicit(&version->engine->versions, 1, memory_order_relaxed);
  sv_config_release(version->config);
  free(version->name);
  free(version->text);
  free(version);
}

static sv_error *fake_wait(sv_engine *engine, const _Atomic(bool) *stop) {
  for (;;) {
    pthread_mutex_lock(&engine->lock);
    bool open = engine->gate;
    pthread_mutex_unlock(&engine->lock);
    if (open) {
      return NULL;
    }
    if (stop && atomic_load_explicit(stop, memory_order_relaxed)) {
      return sv_errorf(MILLRACE_CANCELLED, "stopped while it was loaded");
    }
    usleep(1000);
  }
}

static sv_error *fake_read(sv_engine *engine, const sv_version_files *files, char **out_text) {
  char room[256] = "";
  FILE *file = fopen(files->program_path, "r");
  if (!file) {
    return sv_errorf(MILLRACE_NOT_FOUND, "%s cannot be opened", files->program_path);
  }
  size_t size = fread(room, 1, sizeof room - 1, file);
  fclose(file);
  room[size] = 0;
  *out_text = strdup(room);
  if (strncmp(room, "gate", 4) == 0) {
    return fake_wait(engine, files->stop);
  }
  if (strncmp(room, "slow", 4) == 0) {
    usleep(50000);
    return NULL;
  }
  return strncmp(room, "ok", 2) == 0 ? NULL
         : room[0]                   ? sv_errorf(MILLRACE_INVALID_ARGUMENT, "refused: %s", room)
                                     : sv_errorf(MILLRACE_INVALID_ARGUMENT, "%s is empty", files->program_path);
}

sv_error *sv_version_load(sv_engine *engine, const sv_version_files *files, sv_version **out_version) {
  *out_version = NULL;
  char *text = NULL;
  atomic_fetch_add_explicit(&engine->loads, 1, memory_order_relaxed);
  fake_log(engine, "load", files->model, files->number);
  sv_error *error = files->program_path ? fake_read(engine, files, &text) : NULL;
  for (uint32_t i = 0; !error && i < files->take_config->num_steps; i++) {
    const sv_config_step *step = &files->take_config->steps[i];
    sv_version *version;
    error = files->find(files->find_self, sv_str_of(step->model_name), step->model_version, &version);
    if (!error) {
      sv_version_release(version);
    }
  }
  if (error) {
    free(text);
    sv_config_release(files->take_config);
    return error;
  }
  sv_version *version = calloc(1, sizeof *version);
  atomic_init(&version->references, 1);
  version->engine = engine;
  version->config = files->take_config;
  version->name = strdup(files->model);
  version->text = text;
  version->find = files->find;
  version->find_self = files->find_self;
  version->signature = (sv_signature){.model = version->name,
                                      .number = files->number,
                                      .config = version->config,
                                      .max_batch_size = version->config->max_batch_size,
                                      .ensemble = version->config->num_steps > 0};
  for (uint32_t i = 0; files->labels && i < version->config->num_outputs; i++) {
    snprintf(version->labels + strlen(version->labels), sizeof version->labels - strlen(version->labels), "%.*s|",
             SV_FMT(files->labels[i]));
  }
  if (files->weights_path) {
    snprintf(version->labels, sizeof version->labels, "%s", strrchr(files->weights_path, '/') + 1);
  }
  atomic_fetch_add_explicit(&engine->versions, 1, memory_order_relaxed);
  *out_version = version;
  return NULL;
}

void sv_version_drain(sv_version *version, void (*drained)(void *argument), void *argument) {
  sv_engine *engine = version->engine;
  assert_false(atomic_exchange_explicit(&version->draining, true, memory_order_relaxed));
  fake_log(engine, "drain", version->name, version->signature.number);
  atomic_fetch_add_explicit(&engine->drained, 1, memory_order_relaxed);
  if (!atomic_load_explicit(&engine->hold_drains, memory_order_relaxed)) {
    drained(argument);
    return;
  }
  fake_drain *drain = malloc(sizeof *drain);
  pthread_mutex_lock(&engine->lock);
  *drain = (fake_drain){.next = engine->held, .drained = drained, .argument = argument};
  engine->held = drain;
  pthread_mutex_unlock(&engine->lock);
}

static inline void fake_end_drains(sv_engine *engine) {
  pthread_mutex_lock(&engine->lock);
  fake_drain *drain = engine->held;
  engine->held = NULL;
  pthread_mutex_unlock(&engine->lock);
  while (drain) {
    fake_drain *next = drain->next;
    drain->drained(drain->argument);
    free(drain);
    drain = next;
  }
}

static inline void fake_open_gate(sv_engine *engine) {
  pthread_mutex_lock(&engine->lock);
  engine->gate = true;
  pthread_mutex_unlock(&engine->lock);
}

// ---- Files ----------------------------------------------------------------------------------------------------------

typedef struct fake_place {
  char root[64];
  sv_engine engine;
  sv_repository *repository;
} fake_place;

static inline void fake_setup(fake_place *place) {
  memset(place, 0, sizeof *place);
  strcpy(place->root, "/tmp/sv-repository-XXXXXX");
  assert_non_null(mkdtemp(place->root));
  pthread_mutex_init(&place->engine.lock, NULL);
}

static inline void fake_run(const char *format, ...) {
  char command[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(command, sizeof command, format, arguments);
  va_end(arguments);
  assert_int_equal(system(command), 0);
}

// Writes a file, with its folders, as a copy does that is not renamed into its place.
static inline void fake_write(const fake_place *place, const char *path, const char *text) {
  char whole[512];
  snprintf(whole, sizeof whole, "%s/%s", place->root, path);
  *strrchr(whole, '/') = 0;
  fake_run("mkdir -p '%s'", whole);
  snprintf(whole, sizeof whole, "%s/%s", place->root, path);
  FILE *file = fopen(whole, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static inline void fake_set(void *argument) {
  atomic_store_explicit((_Atomic(bool) *)argument, true, memory_order_release);
}

static inline void fake_wait_for(_Atomic(bool) *flag) {
  for (int i = 0; i < 20000; i++) {
    if (atomic_load_explicit(flag, memory_order_acquire)) {
      return;
    }
    usleep(1000);
  }
  fail_msg("nothing came in 20 s");
}

static inline void fake_create(fake_place *place, bool watch, const char *const *names, uint32_t num_names, bool none) {
  const char *roots[] = {place->root};
  sv_repository_options options = {
      .roots = roots, .num_roots = 1, .watch = watch, .names = names, .num_names = num_names, .none = none};
  check_ok(sv_repository_create(&place->engine, &options, &place->repository));
}

static inline void fake_start(fake_place *place) {
  _Atomic(bool) loaded = false;
  sv_repository_start(place->repository, fake_set, &loaded);
  fake_wait_for(&loaded);
}

// All models, started.
static inline void fake_open(fake_place *place) {
  fake_create(place, false, NULL, 0, false);
  fake_start(place);
}

static inline void fake_close(fake_place *place) {
  sv_repository_release(place->repository, sv_now_ns() + 20000000000);
  assert_int_equal(atomic_load(&place->engine.versions), 0);
  pthread_mutex_destroy(&place->engine.lock);
  fake_run("rm -rf '%s'", place->root);
}

typedef struct fake_answer {
  _Atomic(bool) done;
  sv_error *error;
} fake_answer;

static inline void fake_take(void *argument, sv_error *take_error) {
  fake_answer *answer = argument;
  answer->error = take_error;
  fake_set(&answer->done);
}

static inline sv_error *fake_load(fake_place *place, const char *model, const char *config) {
  fake_answer answer = {0};
  sv_repository_load(place->repository, sv_str_of(model), sv_str_of(config), fake_take, &answer);
  fake_wait_for(&answer.done);
  return answer.error;
}

static inline sv_error *fake_unload(fake_place *place, const char *model, bool dependents) {
  fake_answer answer = {0};
  sv_repository_unload(place->repository, sv_str_of(model), dependents, fake_take, &answer);
  fake_wait_for(&answer.done);
  return answer.error;
}

// Commands come in order: when this one is answered, a rescan before it is over.
static inline void fake_rescan(fake_place *place) {
  sv_repository_rescan(place->repository);
  check_ok(fake_unload(place, "there-is-no-such-model", false));
}

// What the program of this version says; "" and the error's message in `reason` where it is not served.
static inline const char *fake_text(fake_place *place, const char *model, const char *number, char reason[512]) {
  sv_version *version;
  sv_error *error = sv_repository_find(place->repository, sv_str_of(model), sv_str_of(number), &version);
  snprintf(reason, 512, "%s", error ? sv_error_message(error) : version->text ? version->text : "ensemble");
  assert_true(!error || sv_error_code(error) == MILLRACE_NOT_FOUND ||
              (sv_error_code(error) == MILLRACE_UNAVAILABLE && strstr(reason, "is being loaded")));
  sv_error_free(error);
  sv_version_release(version);
  return reason;
}

#define check_text(place, model, number, wanted)                              \
  do {                                                                        \
    char check_room[512];                                                     \
    assert_string_equal(fake_text(place, model, number, check_room), wanted); \
  } while (0)

// "a/1 READY;b/0 UNAVAILABLE reason;"
static inline void fake_index(fake_place *place, char *out, size_t size) {
  sv_index_entry *entries;
  size_t count;
  check_ok(sv_repository_index(place->repository, &entries, &count));
  out[0] = 0;
  for (size_t i = 0; i < count; i++) {
    snprintf(out + strlen(out), size - strlen(out), "%s/%llu %s%s%s;", entries[i].name,
             (unsigned long long)entries[i].version, sv_state_name(entries[i].state), entries[i].reason[0] ? " " : "",
             entries[i].reason);
  }
  sv_index_free(entries, count);
}

#define check_index(place, wanted)                    \
  do {                                                \
    char check_room[4096];                            \
    fake_index(place, check_room, sizeof check_room); \
    assert_string_equal(check_room, wanted);          \
  } while (0)

// The same, when it has come to be so.
#define check_index_soon(place, wanted)                 \
  do {                                                  \
    char check_room[4096];                              \
    for (int check_i = 0; check_i < 20000; check_i++) { \
      fake_index(place, check_room, sizeof check_room); \
      if (strcmp(check_room, wanted) == 0) {            \
        break;                                          \
      }                                                 \
      usleep(1000);                                     \
    }                                                   \
    assert_string_equal(check_room, wanted);            \
  } while (0)

#endif
