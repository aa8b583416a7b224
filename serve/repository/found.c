// One model as it lies in its folder: its configuration, labels, versions, and stamps by which a change is seen.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve/repository/internal.h"

static const size_t MOST_LABEL_BYTES = (size_t)16 << 20;
static const size_t MOST_CONFIG_BYTES = (size_t)1 << 20;

// ---- Configuration and labels ---------------------------------------------------------------------------------------

sv_error *sv_found_config(const sv_found *found, sv_config **out_config) {
  SV_TRY(sv_config_create(out_config));
  sv_str text = sv_text_str(&found->config_text);
  sv_error *error = NULL;
  if (found->has_config) {
    error = found->is_pbtxt ? sv_config_read_pbtxt(*out_config, text, found->what)
                            : sv_config_read_json(*out_config, text, found->what);
  }
  error = error ? error : sv_config_check(*out_config, found->what);
  if (error) {
    sv_config_release(*out_config);
    *out_config = NULL;
  }
  return error;
}

// config.json, else config.pbtxt, else nothing. What stands beside a single program in the root belongs to no model.
static sv_error *read_config(const sv_place *place, const char *config, sv_found *found, uint64_t *stamp) {
  static const char *const files[] = {"config.json", "config.pbtxt"};
  if (config) {
    sv_text_puts(&found->config_text, config);
    found->has_config = true;
    *stamp = sv_stamp_bytes(*stamp, config, strlen(config));
    found->what = strdup("the request's configuration");
    return found->what && !found->config_text.failed ? NULL : sv_no_memory();
  }
  for (int i = 0; i < 2 && place->kind != SV_PLACE_FILE; i++) {
    free(found->what);
    found->what = sv_path_join(place->path, files[i]);
    if (!found->what) {
      return sv_no_memory();
    }
    struct stat status;
    sv_error *error = sv_beneath_read(place->root->fd, found->what, MOST_CONFIG_BYTES, &found->config_text, &status);
    if (!error) {
      found->has_config = true;
      found->is_pbtxt = i == 1;
      *stamp = sv_stamp(*stamp, found->what, &status);
      return NULL;
    }
    if (sv_error_code(error) != MILLRACE_NOT_FOUND) {
      return error;
    }
    sv_error_free(error);
  }
  free(found->what);
  found->what = strdup(place->name);
  return found->what ? NULL : sv_no_memory();
}

static sv_error *read_labels(const sv_place *place, sv_found *found, uint64_t *stamp) {
  const sv_config *config = found->config;
  found->labels = calloc(config->num_outputs + 1, sizeof *found->labels);
  if (!found->labels) {
    return sv_no_memory();
  }
  found->num_labels = config->num_outputs;
  for (uint32_t i = 0; i < config->num_outputs; i++) {
    const char *file = config->outputs[i].label_filename;
    if (!file) {
      continue;
    }
    const char *folder = place->kind == SV_PLACE_FILE ? "." : place->path;
    char *path = sv_path_join(folder, file);
    if (!path) {
      return sv_no_memory();
    }
    struct stat status;
    sv_error *error = sv_beneath_read(place->root->fd, path, MOST_LABEL_BYTES, &found->labels[i], &status);
    *stamp = error ? *stamp : sv_stamp(*stamp, path, &status);
    free(path);
    SV_TRY(error);
  }
  return NULL;
}

// ---- Versions -------------------------------------------------------------------------------------------------------

static sv_found_version *add_version(sv_found *found, uint64_t number) {
  sv_found_version *more = reallocarray(found->versions, found->num_versions + 1, sizeof *more);
  if (!more) {
    return NULL;
  }
  found->versions = more;
  more[found->num_versions] = (sv_found_version){.number = number};
  return &more[found->num_versions++];
}

// Adds the file to the version's stamp; one that is not there is fine where it is not needed.
static sv_error *stamp_file(const sv_place *place, const char *path, bool needed, sv_found_version *version) {
  struct stat status;
  sv_error *error = sv_beneath_stat_file(place->root->fd, path, &status);
  if (!error) {
    version->stamp = sv_stamp(version->stamp, path, &status);
  } else if (sv_error_code(error) == MILLRACE_NOT_FOUND && !needed) {
    sv_error_free(error);
    error = NULL;
  }
  return error;
}

// The engine binds PROGRAM.safetensors or PROGRAM.npz beside the program by itself.
static sv_error *stamp_weights(const sv_place *place, const char *program, sv_found_version *version) {
  static const char *const endings[] = {".safetensors", ".npz"};
  size_t stem =
      (size_t)(sv_program_ending(program) ? sv_program_ending(program) - program : (ptrdiff_t)strlen(program));
  for (int i = 0; i < 2; i++) {
    char *path;
    if (asprintf(&path, "%.*s%s", (int)stem, program, endings[i]) < 0) {
      return sv_no_memory();
    }
    sv_error *error = stamp_file(place, path, false, version);
    free(path);
    SV_TRY(error);
  }
  return NULL;
}

// The files of one version, whose program lies at `program` beneath the root.
static sv_error *read_files(const sv_place *place, const sv_found *found, const char *folder, const char *program,
                            sv_found_version *version) {
  SV_TRY(stamp_file(place, program, true, version));
  SV_TRY(stamp_weights(place, program, version));
  version->program = sv_path_join(place->root->path, program);
  if (!version->program) {
    return sv_no_memory();
  }
  if (!found->config->weights) {
    return NULL;
  }
  char *weights = sv_path_join(folder, found->config->weights);
  if (!weights) {
    return sv_no_memory();
  }
  sv_error *error = stamp_file(place, weights, true, version);
  version->weights = sv_path_join(place->root->path, weights);
  free(weights);
  return error ? error : version->weights ? NULL : sv_no_memory();
}

static sv_error *read_version(const sv_place *place, const sv_found *found, const char *folder, bool lone,
                              sv_found_version *version) {
  char **names;
  size_t count;
  SV_TRY(sv_beneath_list(place->root->fd, folder, &names, &count));
  const char *name;
  sv_error *error = sv_program_find(names, count, found->config->filename, lone,
                                    strcmp(folder, ".") == 0 ? place->name : folder, &name);
  char *program = error ? NULL : sv_path_join(folder, name);
  sv_names_free(names, count);
  if (program) {
    error = read_files(place, found, folder, program, version);
    free(program);
  } else if (!error) {
    error = sv_no_memory();
  }
  return error;
}

static int by_number(const void *a, const void *b) {
  const sv_found_version *left = a, *right = b;
  return left->number < right->number ? -1 : left->number > right->number;
}

// Folders of versions; what is in them is read later, of those that are wanted.
static sv_error *list_versions(const sv_place *place, sv_found *found) {
  char **names;
  size_t count;
  SV_TRY(sv_beneath_list(place->root->fd, place->path, &names, &count));
  sv_error *error = NULL;
  for (size_t i = 0; i < count && !error; i++) {
    uint64_t number;
    if (!sv_is_version_name(names[i], &number)) {
      continue;
    }
    char *path = sv_path_join(place->path, names[i]);
    struct stat status;
    int fd;
    sv_error *wrong = path ? sv_beneath_open(place->root->fd, path, O_DIRECTORY, &fd, &status) : sv_no_memory();
    free(path);
    if (!wrong) {
      close(fd);
    } else if (sv_error_code(wrong) == MILLRACE_NOT_FOUND) {  // a file, or gone
      sv_error_free(wrong);
      continue;
    }
    sv_found_version *version = add_version(found, number);
    if (version) {
      version->error = wrong;
    } else {
      sv_error_free(wrong);
      error = sv_no_memory();
    }
  }
  sv_names_free(names, count);
  if (found->num_versions) {
    qsort(found->versions, found->num_versions, sizeof *found->versions, by_number);
  }
  return error;
}

static sv_found_version *find_version(sv_found *found, uint64_t number) {
  for (uint32_t i = 0; i < found->num_versions; i++) {
    if (found->versions[i].number == number) {
      return &found->versions[i];
    }
  }
  return NULL;
}

// Which ones the policy wants. A version that it names and that is not there has an error.
static sv_error *apply_policy(const sv_place *place, sv_found *found) {
  const sv_config *config = found->config;
  for (uint32_t i = 0; i < found->num_versions; i++) {
    found->versions[i].wanted = config->versions == SV_VERSIONS_ALL ||
                                (config->versions == SV_VERSIONS_LATEST && found->num_versions - i <= config->latest);
  }
  for (uint32_t i = 0; config->versions == SV_VERSIONS_SPECIFIC && i < config->num_specific; i++) {
    sv_found_version *version = find_version(found, config->specific[i]);
    if (!version) {
      version = add_version(found, config->specific[i]);
      if (!version) {
        return sv_no_memory();
      }
      version->error = sv_errorf(MILLRACE_NOT_FOUND, "%s/%llu is not there, and the version_policy wants it",
                                 place->name, (unsigned long long)version->number);
    }
    version->wanted = true;
  }
  qsort(found->versions, found->num_versions, sizeof *found->versions, by_number);
  return NULL;
}

static void read_versions(const sv_place *place, sv_found *found, uint64_t stamp, sv_watcher *watcher) {
  for (uint32_t i = 0; i < found->num_versions; i++) {
    sv_found_version *version = &found->versions[i];
    version->stamp = stamp;
    if (version->error || found->config->num_steps) {
      continue;
    }
    char number[24];
    snprintf(number, sizeof number, "%llu", (unsigned long long)version->number);
    char *folder = sv_path_join(place->path, number);
    if (folder) {
      sv_watcher_add(watcher, place->root->path, folder);
      version->error = read_version(place, found, folder, false, version);
    } else {
      version->error = sv_no_memory();
    }
    free(folder);
  }
}

// A model without folders of versions has one version: the program beside its configuration, or an ensemble.
static sv_error *read_only_version(const sv_place *place, sv_found *found, uint64_t stamp) {
  sv_found_version *version = add_version(found, 1);
  if (!version) {
    return sv_no_memory();
  }
  version->stamp = stamp;
  if (found->config->num_steps) {
    return NULL;
  }
  version->error = place->kind == SV_PLACE_FILE ? read_files(place, found, ".", place->path, version)
                                                : read_version(place, found, place->path, true, version);
  return NULL;
}

static sv_error *read_model(const sv_place *place, const char *config, sv_watcher *watcher, sv_found *found) {
  if (place->error) {
    return sv_error_copy(place->error);
  }
  uint64_t stamp = SV_STAMP_BEGIN;
  SV_TRY(read_config(place, config, found, &stamp));
  SV_TRY(sv_found_config(found, &found->config));
  if (found->config->name && found->config->name[0] && strcmp(found->config->name, place->name) != 0) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "%s: the name '%s': wanted the folder's, which is '%s'", found->what,
                     found->config->name, place->name);
  }
  SV_TRY(read_labels(place, found, &stamp));
  if (place->kind != SV_PLACE_FILE) {
    SV_TRY(list_versions(place, found));
  }
  if (found->num_versions) {
    read_versions(place, found, stamp, watcher);
  } else {
    SV_TRY(read_only_version(place, found, stamp));
  }
  return apply_policy(place, found);
}

sv_found *sv_found_read(const sv_place *place, const char *config, sv_watcher *watcher) {
  sv_found *found = calloc(1, sizeof *found);
  if (found) {
    found->error = read_model(place, config, watcher, found);
  }
  return found;
}

void sv_found_free(sv_found *found) {
  if (!found) {
    return;
  }
  sv_text_free(&found->config_text);
  free(found->what);
  sv_config_release(found->config);
  for (uint32_t i = 0; i < found->num_labels; i++) {
    sv_text_free(&found->labels[i]);
  }
  free(found->labels);
  for (uint32_t i = 0; i < found->num_versions; i++) {
    free(found->versions[i].program);
    free(found->versions[i].weights);
    sv_error_free(found->versions[i].error);
  }
  free(found->versions);
  sv_error_free(found->error);
  free(found);
}
