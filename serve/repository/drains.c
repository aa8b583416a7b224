// Ends of versions. A version that others depend on, as the steps of an ensemble are, ends when those have ended: their requests may need it yet.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve/repository/internal.h"

static void free_drain(sv_drain *drain) {
  sv_version_release(drain->version);
  free(drain->model);
  free(drain);
}

void sv_drain_add(sv_repository *repository, sv_model *model, uint64_t number, sv_version *take_version, uint32_t level,
                  bool retire) {
  sv_drain *drain = calloc(1, sizeof *drain);
  char *name = strdup(model->name);
  if (!drain || !name) {
    // Not waited for, but ended all the same.
    free(drain);
    free(name);
    sv_version_release(take_version);
    return;
  }
  *drain = (sv_drain){.repository = repository,
                      .version = take_version,
                      .model = name,
                      .number = number,
                      .level = level,
                      .retire = retire,
                      .next = repository->drains};
  repository->drains = drain;
}

// On any thread.
static void drained(void *argument) {
  sv_drain *drain = argument;
  sv_repository *repository = drain->repository;
  pthread_mutex_lock(&repository->lock);
  drain->next = repository->drained;
  repository->drained = drain;
  pthread_mutex_unlock(&repository->lock);
  uint64_t one = 1;
  if (write(repository->wake, &one, sizeof one) < 0) {
    // The counter is full: the thread is woken already.
  }
  sv_repository_release_reference(repository);
}

// Takes it out of the table, unless another version has its place already.
static void hide(sv_repository *repository, const sv_drain *drain) {
  sv_model *model = sv_models_find(repository, drain->model);
  sv_model_version *version = model ? sv_model_find_version(model, drain->number) : NULL;
  if (version && version->version == drain->version && version->retiring) {
    version->version = NULL;
    version->retiring = false;
    sv_model_show(repository, model);
    sv_version_release(drain->version);  // the model's reference; the drain has its own
  }
}

static void start(sv_repository *repository, sv_drain *drain) {
  if (drain->retire) {
    hide(repository, drain);
  }
  atomic_fetch_add_explicit(&repository->references, 1, memory_order_relaxed);  // the caller has one
  sv_version_drain(drain->version, drained, drain);
}

// drain->next is used by drained() on another thread, so those under way are known by number alone.
static uint32_t top_level(const sv_repository *repository) {
  uint32_t level = 0;
  for (uint32_t i = 0; i < SV_MAX_LEVELS; i++) {
    level = repository->draining[i] ? i : level;
  }
  for (const sv_drain *drain = repository->drains; drain; drain = drain->next) {
    level = drain->level > level ? drain->level : level;
  }
  return level;
}

void sv_drains_start(sv_repository *repository, bool all) {
  uint32_t level = top_level(repository);
  for (sv_drain **at = &repository->drains; *at;) {
    sv_drain *drain = *at;
    if (all || drain->level == level) {
      *at = drain->next;
      repository->draining[drain->level]++;
      start(repository, drain);
    } else {
      at = &drain->next;
    }
  }
}

bool sv_drains_are_over(const sv_repository *repository) {
  for (uint32_t i = 0; i < SV_MAX_LEVELS; i++) {
    if (repository->draining[i]) {
      return false;
    }
  }
  return !repository->drains;
}

// The version is gone; what is said of it changes if no other one has its number.
static void ended(sv_repository *repository, const sv_drain *drain) {
  repository->draining[drain->level]--;
  sv_model *model = sv_models_find(repository, drain->model);
  sv_model_version *version = model ? sv_model_find_version(model, drain->number) : NULL;
  if (version && !version->version && version->state == SV_STATE_UNLOADING) {
    version->state = SV_STATE_UNAVAILABLE;
    if (!version->reason) {
      version->reason = strdup("unloaded");
    }
    sv_model_show(repository, model);
  }
}

void sv_drains_end(sv_repository *repository) {
  pthread_mutex_lock(&repository->lock);
  sv_drain *drain = repository->drained;
  repository->drained = NULL;
  pthread_mutex_unlock(&repository->lock);
  bool any = drain != NULL;
  while (drain) {
    sv_drain *next = drain->next;
    ended(repository, drain);
    free_drain(drain);
    drain = next;
  }
  if (any) {
    sv_models_forget(repository);
  }
}

void sv_drains_free(sv_repository *repository) {
  for (sv_drain *drain = repository->drained; drain;) {
    sv_drain *next = drain->next;
    free_drain(drain);
    drain = next;
  }
  repository->drained = NULL;
}
