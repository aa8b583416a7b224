// The engine of the embedding API, and turns: how many executions are under way at once, and whose is next.
//
// A version that finds all turns taken waits; when one ends, the version that has used least gets it. "Used" is time, counted from where the
// others are when a version begins to wait, so that a model that was idle does not make up for it.
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "serve/batch/internal.h"

static const uint32_t DEFAULT_EXECUTIONS = 2, DEFAULT_QUEUE = 10000;

struct sv_engine {
  _Atomic(uint32_t) versions;  // that there are
  millrace_context *context;
  sv_loop *loop;
  uint32_t executions, queue_limit, cores;
  pthread_mutex_t lock;
  uint32_t running;
  sv_version *waiting;  // a list, retained
  uint64_t floor_ns;    // what the last one who got a turn had used
};

sv_error *sv_engine_create(const sv_engine_options *options, sv_engine **out_engine) {
  *out_engine = NULL;
  sv_engine *engine = calloc(1, sizeof *engine);
  if (!engine) {
    return sv_no_memory();
  }
  pthread_mutex_init(&engine->lock, NULL);
  engine->executions = options && options->executions ? options->executions : DEFAULT_EXECUTIONS;
  engine->queue_limit = options && options->max_queue_size ? options->max_queue_size : DEFAULT_QUEUE;
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  engine->cores = cores > 0 ? (uint32_t)cores : 1;
  // The server's own limits hold, and a loop is never to be held up.
  millrace_context_options wanted = {.struct_size = sizeof wanted, .queue_calls = UINT32_MAX, .queue_mb = UINT32_MAX};
  sv_error *error = sv_error_of(millrace_context_create(&wanted, &engine->context));
  error = error ? error : sv_loop_create("serve-timers", &engine->loop);
  if (error) {
    sv_engine_release(engine);
    return error;
  }
  *out_engine = engine;
  return NULL;
}

// Versions are let go of by whoever has them last, which may be a thread of the engine's a moment after it answered.
static bool versions_are_gone(const sv_engine *engine) {
  for (int i = 0; i < 5000; i++) {
    // acquire: pairs with sv_engine_add_version().
    if (atomic_load_explicit(&engine->versions, memory_order_acquire) == 0) {
      return true;
    }
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  return false;
}

void sv_engine_release(sv_engine *engine) {
  if (!engine) {
    return;
  }
  if (!versions_are_gone(engine)) {
    return;  // somebody uses it yet: it ends with the process
  }
  if (engine->loop) {
    sv_loop_release(engine->loop);
  }
  millrace_context_release(engine->context);
  pthread_mutex_destroy(&engine->lock);
  free(engine);
}

void sv_engine_add_version(sv_engine *engine, int more) {
  // release: what a version did is over for whoever sees that it is gone.
  atomic_fetch_add_explicit(&engine->versions, (uint32_t)more, memory_order_release);
}

millrace_context *sv_engine_context(sv_engine *engine) { return engine->context; }
sv_loop *sv_engine_loop(sv_engine *engine) { return engine->loop; }
uint32_t sv_engine_queue_limit(const sv_engine *engine) { return engine->queue_limit; }
uint32_t sv_engine_cores(const sv_engine *engine) { return engine->cores; }

bool sv_engine_take_turn(sv_engine *engine, sv_version *version) {
  pthread_mutex_lock(&engine->lock);
  bool free_turn = engine->running < engine->executions;
  if (free_turn) {
    engine->running++;
  } else if (!version->waits_for_turn) {
    version->waits_for_turn = true;
    if (version->used_ns < engine->floor_ns) {
      version->used_ns = engine->floor_ns;
    }
    version->next_waiting = engine->waiting;
    engine->waiting = sv_version_retain(version);
  }
  pthread_mutex_unlock(&engine->lock);
  return free_turn;
}

// The one that has used least, taken from the list. With the lock.
static sv_version *next_one(sv_engine *engine) {
  sv_version **least = &engine->waiting;
  for (sv_version **at = least; *at; at = &(*at)->next_waiting) {
    if ((*at)->used_ns < (*least)->used_ns) {
      least = at;
    }
  }
  sv_version *version = *least;
  if (version) {
    *least = version->next_waiting;
    version->waits_for_turn = false;
    engine->floor_ns = version->used_ns;
  }
  return version;
}

void sv_engine_end_turn(sv_engine *engine, sv_version *version, uint64_t ns) {
  pthread_mutex_lock(&engine->lock);
  engine->running--;
  version->used_ns += ns;
  sv_version *next = next_one(engine);
  pthread_mutex_unlock(&engine->lock);
  if (next) {
    sv_version_dispatch(next);
    sv_version_release(next);
  }
}
