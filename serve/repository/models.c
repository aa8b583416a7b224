// The models that the repository knows, and what is seen of them. On the repository's thread.
#include <stdlib.h>
#include <string.h>

#include "serve/repository/internal.h"

// ---- Models and versions --------------------------------------------------------------------------------------------

// Where the model is, or belongs.
static size_t position(const sv_repository *repository, const char *name) {
  size_t low = 0, high = repository->num_models;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(repository->models[middle]->name, name) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

sv_model *sv_models_find(sv_repository *repository, const char *name) {
  size_t at = position(repository, name);
  return at < repository->num_models && strcmp(repository->models[at]->name, name) == 0 ? repository->models[at] : NULL;
}

static void free_model(sv_model *model) {
  for (uint32_t i = 0; i < model->num_versions; i++) {
    sv_version_release(model->versions[i].version);
    free(model->versions[i].reason);
  }
  free(model->versions);
  sv_found_free(model->found);
  sv_view_release(model->view);
  free(model->config);
  free(model->reason);
  free(model->name);
  free(model);
}

sv_model *sv_models_add(sv_repository *repository, const char *name) {
  sv_model *model = sv_models_find(repository, name);
  if (model) {
    return model;
  }
  if (repository->num_models == repository->room_models) {
    size_t room = repository->room_models ? 2 * repository->room_models : 16;
    sv_model **more = reallocarray(repository->models, room, sizeof(sv_model *));
    if (!more) {
      return NULL;
    }
    repository->models = more;
    repository->room_models = room;
  }
  model = calloc(1, sizeof *model);
  char *copy = strdup(name);
  if (!model || !copy) {
    free(model);
    free(copy);
    return NULL;
  }
  model->name = copy;
  size_t at = position(repository, name);
  memmove(&repository->models[at + 1], &repository->models[at], (repository->num_models - at) * sizeof(sv_model *));
  repository->models[at] = model;
  repository->num_models++;
  return model;
}

sv_model_version *sv_model_find_version(sv_model *model, uint64_t number) {
  for (uint32_t i = 0; i < model->num_versions; i++) {
    if (model->versions[i].number == number) {
      return &model->versions[i];
    }
  }
  return NULL;
}

sv_model_version *sv_model_add_version(sv_model *model, uint64_t number) {
  sv_model_version *version = sv_model_find_version(model, number);
  if (version) {
    return version;
  }
  sv_model_version *more = reallocarray(model->versions, model->num_versions + 1, sizeof *more);
  if (!more) {
    return NULL;
  }
  model->versions = more;
  uint32_t at = model->num_versions++;
  for (; at > 0 && more[at - 1].number > number; at--) {
    more[at] = more[at - 1];
  }
  more[at] = (sv_model_version){.number = number};
  return &more[at];
}

bool sv_model_is_served(const sv_model *model) {
  for (uint32_t i = 0; i < model->num_versions; i++) {
    if (model->versions[i].version && !model->versions[i].retiring) {
      return true;
    }
  }
  return false;
}

void sv_model_say(char **reason, const char *text) {
  free(*reason);
  *reason = text ? strdup(text) : NULL;
}

// ---- What is seen ---------------------------------------------------------------------------------------------------

static sv_view *make_view(const sv_model *model) {
  sv_view *view = sv_view_create(model->name, model->num_versions);
  if (!view) {
    return NULL;
  }
  view->state = model->state;
  view->reason = model->reason ? strdup(model->reason) : NULL;
  for (uint32_t i = 0; i < model->num_versions; i++) {
    const sv_model_version *version = &model->versions[i];
    view->versions[i] = (sv_view_version){.number = version->number,
                                          .state = version->state,
                                          .reason = version->reason ? strdup(version->reason) : NULL,
                                          .version = version->version ? sv_version_retain(version->version) : NULL};
  }
  return view;
}

static bool all_ready(const sv_repository *repository) {
  if (!repository->started || !repository->met) {
    return false;
  }
  for (size_t i = 0; i < repository->num_models; i++) {
    const sv_model *model = repository->models[i];
    if (model->at_start && model->wanted && !sv_model_is_served(model)) {
      return false;
    }
  }
  return true;
}

// Without memory the table stays as it was until the next change.
void sv_models_publish(sv_repository *repository) {
  size_t count = 0;
  sv_table *table = sv_table_create(repository->num_models);
  for (size_t i = 0; table && i < repository->num_models; i++) {
    if (repository->models[i]->view) {
      table->views[count++] = sv_view_retain(repository->models[i]->view);
    }
  }
  if (table) {
    table->count = count;
    pthread_rwlock_wrlock(&repository->table_lock);
    sv_table *old = repository->table;
    repository->table = table;
    pthread_rwlock_unlock(&repository->table_lock);
    sv_table_release(old);
  }
  if (repository->met) {
    atomic_store_explicit(&repository->beginning, false, memory_order_relaxed);
  }
  atomic_store_explicit(&repository->ready, all_ready(repository), memory_order_relaxed);  // a hint that stands alone
}

void sv_model_show(sv_repository *repository, sv_model *model) {
  sv_view *view = make_view(model);
  if (view) {
    sv_view_release(model->view);
    model->view = view;
  }
  sv_models_publish(repository);
}

// ---- Ends -----------------------------------------------------------------------------------------------------------

void sv_model_retire(sv_repository *repository, sv_model *model, sv_model_version *version, const char *reason) {
  if (version->version && !version->retiring) {
    version->retiring = true;
    version->state = SV_STATE_UNLOADING;
    sv_model_say(&version->reason, reason);
    model->changed = true;
    sv_drain_add(repository, model, version->number, sv_version_retain(version->version), version->level, true);
  } else if (!version->version && version->state != SV_STATE_UNLOADING) {
    version->state = SV_STATE_UNAVAILABLE;
    sv_model_say(&version->reason, reason ? reason : "unloaded");
  }
}

void sv_model_retire_all(sv_repository *repository, sv_model *model, const char *reason) {
  for (uint32_t i = 0; i < model->num_versions; i++) {
    sv_model_retire(repository, model, &model->versions[i], reason);
    model->versions[i].stamp = 0;
  }
  model->state = SV_STATE_UNAVAILABLE;
  sv_model_say(&model->reason, reason ? reason : "unloaded");
  sv_model_show(repository, model);
}

void sv_models_retire_all(sv_repository *repository) {
  for (size_t i = 0; i < repository->num_models; i++) {
    sv_model_retire_all(repository, repository->models[i], NULL);
  }
}

bool sv_model_is_found(const sv_model *model, uint64_t number) {
  for (uint32_t i = 0; model->found && i < model->found->num_versions; i++) {
    if (model->found->versions[i].number == number) {
      return true;
    }
  }
  return false;
}

// Versions that are neither served nor in the folder. True: one was forgotten.
static bool forget_versions(sv_model *model) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < model->num_versions; i++) {
    sv_model_version *version = &model->versions[i];
    bool gone = !model->there || (model->found && !model->found->error && !sv_model_is_found(model, version->number));
    if (gone && !version->version && version->state != SV_STATE_UNLOADING) {
      free(version->reason);
    } else {
      model->versions[kept++] = *version;
    }
  }
  bool any = kept < model->num_versions;
  model->num_versions = kept;
  return any;
}

void sv_models_forget(sv_repository *repository) {
  size_t kept = 0;
  bool any = false;
  for (size_t i = 0; i < repository->num_models; i++) {
    sv_model *model = repository->models[i];
    bool fewer = forget_versions(model);
    any |= fewer;
    // One that was wanted by name at start stays to be told of.
    if (!model->there && !model->num_versions && !(model->at_start && repository->by_request && model->wanted)) {
      free_model(model);
      any = true;
      continue;
    }
    repository->models[kept++] = model;
    sv_view *view = fewer ? make_view(model) : NULL;
    if (view) {
      sv_view_release(model->view);
      model->view = view;
    }
  }
  repository->num_models = kept;
  if (any) {
    sv_models_publish(repository);
  }
}

void sv_models_free(sv_repository *repository) {
  for (size_t i = 0; i < repository->num_models; i++) {
    free_model(repository->models[i]);
  }
  free(repository->models);
}
