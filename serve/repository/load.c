// Makes what is served follow what lies in the folders. On the repository's thread.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve/repository/internal.h"

// One look at the folders.
typedef struct survey {
  sv_repository *repository;
  sv_place *places;
  size_t count;
} survey;

static void end_look(survey *look) {
  sv_places_free(look->places, look->count);
  for (uint32_t i = 0; i < look->repository->num_roots; i++) {
    sv_root *root = &look->repository->roots[i];
    if (root->fd >= 0) {
      close(root->fd);
      root->fd = -1;
    }
  }
}

// Nothing is changed when a root cannot be read: what is served goes on.
static sv_error *begin_look(sv_repository *repository, survey *look) {
  look->repository = repository;
  sv_watcher_clear(repository->watcher);
  for (uint32_t i = 0; i < repository->num_roots; i++) {
    sv_root *root = &repository->roots[i];
    root->fd = open(root->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (root->fd < 0) {
      char room[128];
      int why = errno;
      sv_watcher_add(repository->watcher, root->path, "");  // cannot be: so that it is looked at again soon
      return sv_errorf(MILLRACE_UNAVAILABLE, "%s: %s", root->path, strerror_r(why, room, sizeof room));
    }
  }
  SV_TRY(sv_places_list(repository->roots, repository->num_roots, repository->watcher, &look->places, &look->count));
  for (size_t i = 0; i < repository->num_models; i++) {
    sv_model *model = repository->models[i];
    model->tried = model->changed = model->visiting = false;
  }
  return NULL;
}

static const sv_place *find_place(const survey *look, const char *name) {
  for (size_t i = 0; i < look->count; i++) {
    if (strcmp(look->places[i].name, name) == 0) {
      return &look->places[i];
    }
  }
  return NULL;
}

static sv_error *read_found(const survey *look, sv_model *model, const sv_place *place) {
  sv_found *found = sv_found_read(place, model->config, look->repository->watcher);
  if (!found) {
    return sv_no_memory();
  }
  sv_found_free(model->found);
  model->found = found;
  return NULL;
}

// ---- One version ----------------------------------------------------------------------------------------------------

// Ensembles find the versions of their steps here, at load and for each request.
static sv_error *find_step(void *self, sv_str model, int64_t number, sv_version **out_version) {
  char text[24] = "";
  if (number > 0) {
    snprintf(text, sizeof text, "%lld", (long long)number);
  }
  return sv_repository_find(self, model, sv_str_of(text), out_version);
}

static sv_error *open_version(sv_repository *repository, const sv_model *model, const sv_found_version *found,
                              sv_version **out_version) {
  const sv_found *of = model->found;
  sv_str *labels = calloc(of->num_labels + 1, sizeof *labels);
  sv_config *config = NULL;
  sv_error *error = labels ? sv_found_config(of, &config) : sv_no_memory();
  if (!error) {
    for (uint32_t i = 0; i < of->num_labels; i++) {
      labels[i] = sv_text_str(&of->labels[i]);
    }
    sv_version_files files = {.model = model->name,
                              .number = found->number,
                              .program_path = found->program,
                              .weights_path = found->weights,
                              .take_config = config,
                              .labels = labels,
                              .find = find_step,
                              .find_self = repository,
                              .stop = &repository->stop};
    error = sv_version_load(repository->engine, &files, out_version);
  }
  free(labels);
  return error;
}

// The new one takes the place of what was there.
static void put_version(sv_repository *repository, sv_model *model, sv_model_version *version, sv_version *take_new) {
  sv_version *old = version->version;
  uint32_t level = version->level;
  bool retiring = version->retiring;
  version->version = take_new;
  version->retiring = false;
  version->level = model->level;
  version->state = SV_STATE_READY;
  sv_model_say(&version->reason, NULL);
  model->changed = true;
  sv_model_show(repository, model);
  if (old && retiring) {
    sv_version_release(old);  // has its drain already
  } else if (old) {
    sv_drain_add(repository, model, version->number, old, level, false);
  }
}

static sv_error *failed(sv_repository *repository, sv_model *model, sv_model_version *version, sv_error *error) {
  if (!version->version && version->state != SV_STATE_UNLOADING) {
    version->state = SV_STATE_UNAVAILABLE;
  }
  sv_model_say(&version->reason, sv_error_message(error));
  sv_model_show(repository, model);
  return error;
}

// With `force` also when its files are those that were tried before.
static sv_error *load_version(sv_repository *repository, sv_model *model, const sv_found_version *found, bool force) {
  sv_model_version *version = sv_model_add_version(model, found->number);
  if (!version) {
    return sv_no_memory();
  }
  if (!found->error && !force && version->stamp == found->stamp && !version->retiring &&
      (version->version || version->state == SV_STATE_UNAVAILABLE)) {
    return version->version && !version->reason
               ? NULL
               : sv_errorf(MILLRACE_FAILED_PRECONDITION, "%s", version->reason ? version->reason : "not loaded");
  }
  version->stamp = found->stamp;
  if (found->error) {
    return failed(repository, model, version, sv_error_copy(found->error));
  }
  // Relaxed: seen soon is enough.
  if (atomic_load_explicit(&repository->stop, memory_order_relaxed)) {
    return failed(repository, model, version, sv_errorf(MILLRACE_CANCELLED, "the server is stopping"));
  }
  if (!version->version) {
    version->state = SV_STATE_LOADING;
    sv_model_say(&version->reason, NULL);
    sv_model_show(repository, model);
  }
  sv_version *loaded = NULL;
  sv_error *error = open_version(repository, model, found, &loaded);
  if (error) {
    return failed(repository, model, version, error);
  }
  put_version(repository, model, version, loaded);
  return NULL;
}

// ---- One model ------------------------------------------------------------------------------------------------------

static sv_error *keep_first(sv_error *first, sv_error *take_other) {
  if (first) {
    sv_error_free(take_other);
    return first;
  }
  return take_other;
}

// The versions that are wanted, the highest first. If none of them can be loaded and nothing else is served, the highest that can: what is whole is
// better than nothing.
static sv_error *load_versions(sv_repository *repository, sv_model *model, bool force) {
  const sv_found *found = model->found;
  sv_error *error = NULL;
  for (uint32_t i = found->num_versions; i-- > 0;) {
    if (found->versions[i].wanted) {
      error = keep_first(error, load_version(repository, model, &found->versions[i], force));
    }
  }
  for (uint32_t i = found->num_versions; error && i-- > 0 && !sv_model_is_served(model);) {
    if (!found->versions[i].wanted && found->config->versions == SV_VERSIONS_LATEST) {
      sv_error_free(load_version(repository, model, &found->versions[i], force));
    }
  }
  return error;
}

static bool is_wanted(const sv_found *found, uint64_t number) {
  for (uint32_t i = 0; i < found->num_versions; i++) {
    if (found->versions[i].number == number) {
      return found->versions[i].wanted;
    }
  }
  return false;
}

static void retire_unwanted(sv_repository *repository, sv_model *model) {
  bool any = false;
  for (uint32_t i = 0; i < model->num_versions; i++) {
    if (!is_wanted(model->found, model->versions[i].number)) {
      sv_model_retire(repository, model, &model->versions[i], NULL);
      model->versions[i].stamp = 0;
      any = true;
    }
  }
  if (any) {
    sv_model_show(repository, model);
  }
}

// Where something could not be loaded, what was served before goes on; but a version whose folder was taken away does so only if it is the last.
static void retire_gone(sv_repository *repository, sv_model *model) {
  bool left = false, any = false;
  for (uint32_t i = 0; i < model->num_versions; i++) {
    const sv_model_version *version = &model->versions[i];
    left |= version->version && !version->retiring && sv_model_is_found(model, version->number);
  }
  for (uint32_t i = 0; left && i < model->num_versions; i++) {
    if (!sv_model_is_found(model, model->versions[i].number)) {
      sv_model_retire(repository, model, &model->versions[i], NULL);
      any = true;
    }
  }
  if (any) {
    sv_model_show(repository, model);
  }
}

// What is wrong with the model as a whole is said of its highest version, where it has one.
static void say_error(sv_repository *repository, sv_model *model, const sv_error *error) {
  const char *text = sv_error_message(error);
  model->state = SV_STATE_UNAVAILABLE;
  sv_model_say(&model->reason, text);
  if (model->num_versions) {
    sv_model_version *version = &model->versions[model->num_versions - 1];
    sv_model_say(&version->reason, text);
    version->stamp = 0;
  }
  sv_model_show(repository, model);
}

static sv_error *load_model(survey *look, sv_model *model, bool force, bool pull);

// A step's version that can be counted on.
static bool has_step(sv_model *model, int64_t number) {
  sv_model_version *version = model && number > 0 ? sv_model_find_version(model, (uint64_t)number) : NULL;
  return version ? version->version && !version->retiring : model && number <= 0 && sv_model_is_served(model);
}

static const char *why_not(const sv_model *step) {
  if (!step) {
    return "it is not there";
  }
  if (!step->wanted) {
    return "it is not loaded";
  }
  return step->num_versions ? step->versions[step->num_versions - 1].reason : step->reason;
}

// Steps come before the ensemble. *out_changed: one of them is another one than before.
static sv_error *load_steps(survey *look, sv_model *model, bool pull, bool *out_changed) {
  const sv_config *config = model->found->config;
  uint32_t level = 0;
  sv_error *error = NULL;
  for (uint32_t i = 0; i < config->num_steps; i++) {
    const sv_config_step *step = &config->steps[i];
    sv_model *other = sv_models_find(look->repository, step->model_name);
    const sv_place *place = find_place(look, step->model_name);
    if (pull && other && place && other != model && !sv_model_is_served(other) && !other->tried) {
      other->wanted = other->there = true;
      error = keep_first(error, read_found(look, other, place));
    }
    if (other && other->wanted && other->found) {
      sv_error_free(load_model(look, other, false, pull));
      *out_changed |= other->changed;
      level = other->level + 1 > level ? other->level + 1 : level;
    }
    if (other == model || (other && other->visiting)) {
      error = keep_first(error, sv_errorf(MILLRACE_INVALID_ARGUMENT, "the ensemble '%s' is a step of itself, by '%s'",
                                          model->name, step->model_name));
    } else if (!has_step(other, step->model_version)) {
      const char *why = why_not(other);
      error = keep_first(error, sv_errorf(MILLRACE_FAILED_PRECONDITION, "step '%s' is not served%s%s", step->model_name,
                                          why ? ": " : "", why ? why : ""));
    }
  }
  model->level = level < SV_MAX_LEVELS ? level : SV_MAX_LEVELS - 1;
  return error;
}

// An ensemble whose steps no longer fit it cannot go on as it was.
static void retire_failed(sv_repository *repository, sv_model *model) {
  for (uint32_t i = 0; i < model->num_versions; i++) {
    sv_model_version *version = &model->versions[i];
    char *reason = version->version && version->reason ? strdup(version->reason) : NULL;
    if (reason) {
      sv_model_retire(repository, model, version, reason);
      free(reason);
    }
  }
  sv_model_show(repository, model);
}

static sv_error *load_ensemble(survey *look, sv_model *model, bool force, bool pull) {
  bool changed = false;
  sv_error *error = load_steps(look, model, pull, &changed);
  if (error) {
    sv_model_retire_all(look->repository, model, sv_error_message(error));
    return error;
  }
  error = load_versions(look->repository, model, force || changed);
  if (error && changed) {
    retire_failed(look->repository, model);
  }
  return error;
}

static sv_error *load_found(survey *look, sv_model *model, bool force, bool pull) {
  if (model->found->error) {
    return sv_error_copy(model->found->error);
  }
  if (model->found->config->num_steps) {
    return load_ensemble(look, model, force, pull);
  }
  model->level = 0;
  return load_versions(look->repository, model, force);
}

// With `pull`, the steps of an ensemble too, even if nobody wanted them.
static sv_error *load_model(survey *look, sv_model *model, bool force, bool pull) {
  if (model->tried || model->visiting) {
    return NULL;
  }
  model->visiting = true;
  sv_error *error = load_found(look, model, force, pull);
  model->visiting = false;
  model->tried = true;
  if (error && (model->found->error || !model->num_versions)) {
    say_error(look->repository, model, error);
  } else if (error) {
    retire_gone(look->repository, model);
  } else {
    sv_model_say(&model->reason, NULL);
    retire_unwanted(look->repository, model);
  }
  return error;
}

// Ensembles that have a step that is another one than before, or gone.
static void load_dependents(survey *look) {
  sv_repository *repository = look->repository;
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < repository->num_models; i++) {
      sv_model *model = repository->models[i];
      bool ensemble = model->wanted && model->found && !model->found->error && model->found->config->num_steps;
      bool touched = false;
      for (uint32_t s = 0; ensemble && !model->tried && s < model->found->config->num_steps; s++) {
        sv_model *step = sv_models_find(repository, model->found->config->steps[s].model_name);
        touched |= step && step->changed;
      }
      if (touched) {
        sv_error_free(load_model(look, model, false, false));
        more = true;
      }
    }
  }
}

// ---- All ------------------------------------------------------------------------------------------------------------

static bool is_named(const sv_repository *repository, const char *name) {
  for (uint32_t i = 0; i < repository->num_names; i++) {
    if (strcmp(repository->names[i], name) == 0) {
      return true;
    }
  }
  return false;
}

// A model that is there, perhaps for the first time.
static sv_error *meet(survey *look, const sv_place *place, bool start) {
  sv_repository *repository = look->repository;
  sv_model *model = sv_models_find(repository, place->name);
  bool known = model != NULL;
  model = known ? model : sv_models_add(repository, place->name);
  if (!model) {
    return sv_no_memory();
  }
  if (!known || (start && !model->at_start)) {
    bool wanted = repository->by_request ? start && is_named(repository, place->name) : true;
    model->wanted |= wanted;
    model->at_start = start && wanted;
  }
  model->there = true;
  if (!known) {
    sv_model_show(repository, model);
  }
  return model->wanted ? read_found(look, model, place) : NULL;
}

static void lose(sv_repository *repository, sv_model *model) {
  model->there = false;
  sv_found_free(model->found);
  model->found = NULL;
  sv_model_retire_all(repository, model, "is not in the repository");
}

// Those wanted by name that are not there are told of.
static sv_error *meet_named(survey *look) {
  sv_repository *repository = look->repository;
  for (uint32_t i = 0; i < repository->num_names; i++) {
    if (!sv_models_find(repository, repository->names[i])) {
      sv_model *model = sv_models_add(repository, repository->names[i]);
      if (!model) {
        return sv_no_memory();
      }
      model->wanted = model->at_start = true;
      lose(repository, model);
    }
  }
  return NULL;
}

static sv_error *refresh(survey *look, bool start) {
  sv_repository *repository = look->repository;
  for (size_t i = 0; i < look->count; i++) {
    SV_TRY(meet(look, &look->places[i], start));
  }
  SV_TRY(start ? meet_named(look) : NULL);
  for (size_t i = 0; i < repository->num_models; i++) {
    sv_model *model = repository->models[i];
    if (model->there && !find_place(look, model->name)) {
      lose(repository, model);
    }
  }
  for (size_t i = 0; i < repository->num_models; i++) {
    sv_model *model = repository->models[i];
    if (model->wanted && model->found) {
      sv_error_free(load_model(look, model, false, false));
    }
  }
  load_dependents(look);
  sv_models_forget(repository);
  return NULL;
}

sv_error *sv_models_refresh(sv_repository *repository) {
  survey look = {0};
  sv_error *error = begin_look(repository, &look);
  if (!error) {
    error = refresh(&look, !repository->met);
    repository->met = !error || repository->met;
  }
  end_look(&look);
  return error;
}

static sv_error *load_one(survey *look, const char *name, const char *config) {
  const sv_place *place = sv_is_model_name(sv_str_of(name)) ? find_place(look, name) : NULL;
  if (!place) {
    return sv_errorf(MILLRACE_NOT_FOUND, "model '%.255s' is not in the repository", name);
  }
  sv_repository *repository = look->repository;
  // Steps that nobody asked for are known by their places alone.
  for (size_t i = 0; i < look->count; i++) {
    if (!sv_models_find(repository, look->places[i].name)) {
      SV_TRY(meet(look, &look->places[i], false));
    }
  }
  sv_model *model = sv_models_find(repository, name);
  char *copy = config ? strdup(config) : NULL, *before = model->config;
  if (config && !copy) {
    return sv_no_memory();
  }
  bool wanted = model->wanted;
  model->config = copy;
  model->there = model->wanted = true;
  sv_error *error = read_found(look, model, place);
  error = error ? error : load_model(look, model, true, true);
  if (error) {  // as it was
    model->config = before;
    model->wanted = wanted;
    free(copy);
  } else {
    free(before);
  }
  load_dependents(look);
  sv_models_forget(repository);
  return error;
}

sv_error *sv_models_load(sv_repository *repository, const char *name, const char *config) {
  survey look = {0};
  sv_error *error = begin_look(repository, &look);
  if (!error) {
    error = load_one(&look, name, config);
  }
  end_look(&look);
  return error;
}

static bool is_step(const sv_model *model, const char *name) {
  const sv_config *config = model->wanted && model->found && !model->found->error ? model->found->config : NULL;
  for (uint32_t i = 0; config && i < config->num_steps; i++) {
    if (strcmp(config->steps[i].model_name, name) == 0) {
      return true;
    }
  }
  return false;
}

static bool is_used(const sv_repository *repository, const char *name) {
  for (size_t i = 0; i < repository->num_models; i++) {
    if (is_step(repository->models[i], name)) {
      return true;
    }
  }
  return false;
}

// A step that another ensemble needs stays.
static void unload_steps(sv_repository *repository, const sv_model *model, uint32_t depth) {
  const sv_config *config = model->found && !model->found->error ? model->found->config : NULL;
  for (uint32_t i = 0; config && depth < SV_MAX_LEVELS && i < config->num_steps; i++) {
    sv_model *step = sv_models_find(repository, config->steps[i].model_name);
    if (step && step->wanted && !is_used(repository, step->name)) {
      step->wanted = false;
      unload_steps(repository, step, depth + 1);
      sv_model_retire_all(repository, step, NULL);
    }
  }
}

sv_error *sv_models_unload(sv_repository *repository, const char *name, bool dependents) {
  sv_model *model = sv_models_find(repository, name);
  if (!model) {
    return NULL;
  }
  survey look = {.repository = repository};  // nothing is read
  for (size_t i = 0; i < repository->num_models; i++) {
    repository->models[i]->tried = repository->models[i]->changed = false;
  }
  model->wanted = false;
  free(model->config);
  model->config = NULL;
  if (dependents) {
    unload_steps(repository, model, 0);
  }
  sv_model_retire_all(repository, model, NULL);
  load_dependents(&look);
  return NULL;
}
