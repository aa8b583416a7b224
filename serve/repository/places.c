// Where models are: folders and programs in the roots.
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve/repository/internal.h"

bool sv_is_model_name(sv_str name) {
  if (name.size == 0 || name.size > 255 || name.data[0] == '.') {
    return false;
  }
  for (size_t i = 0; i < name.size; i++) {
    char c = name.data[i];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
          c == '-')) {
      return false;
    }
  }
  return true;
}

bool sv_is_version_name(const char *name, uint64_t *out_number) {
  return name[0] != '0' && sv_str_number(sv_str_of(name), INT64_MAX, out_number);
}

// In order of preference.
static const char *const endings[] = {".mlirbc", ".mlir", ".stablehlo", ".millrace"};
enum { NUM_ENDINGS = sizeof endings / sizeof endings[0] };

static int ending_number(const char *name) {
  size_t size = strlen(name);
  for (int i = 0; i < NUM_ENDINGS; i++) {
    size_t end = strlen(endings[i]);
    if (size > end && strcmp(name + size - end, endings[i]) == 0) {
      return i;
    }
  }
  return NUM_ENDINGS;
}

const char *sv_program_ending(const char *name) {
  int number = ending_number(name);
  return number == NUM_ENDINGS ? NULL : name + strlen(name) - strlen(endings[number]);
}

static const char *find_name(char **names, size_t count, const char *wanted) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(names[i], wanted) == 0) {
      return names[i];
    }
  }
  return NULL;
}

sv_error *sv_program_find(char **names, size_t count, const char *wanted, bool lone, const char *folder,
                          const char **out_name) {
  *out_name = wanted ? find_name(names, count, wanted) : NULL;
  for (int i = 0; !wanted && !*out_name && i < NUM_ENDINGS; i++) {
    char name[32] = "model";
    *out_name = find_name(names, count, strcat(name, endings[i]));
  }
  size_t programs = 0;
  for (size_t i = 0; lone && !wanted && !*out_name && i < count; i++) {
    programs += sv_program_ending(names[i]) != NULL;
  }
  for (size_t i = 0; programs == 1 && !*out_name; i++) {
    *out_name = sv_program_ending(names[i]) ? names[i] : NULL;
  }
  if (*out_name) {
    return NULL;
  }
  return wanted ? sv_errorf(MILLRACE_NOT_FOUND, "%s has no %s", folder, wanted)
                : sv_errorf(MILLRACE_NOT_FOUND,
                            "%s has no program: wanted model.mlirbc, model.mlir, model.stablehlo or model.millrace",
                            folder);
}

// ---- A list of places -----------------------------------------------------------------------------------------------

typedef struct places {
  sv_place *places;
  size_t count, room;
} places;

void sv_places_free(sv_place *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(list[i].name);
    free(list[i].path);
    sv_error_free(list[i].error);
  }
  free(list);
}

static sv_error *add(places *list, sv_str name, const sv_root *root, sv_place_kind kind, const char *path,
                     sv_error *take_error) {
  if (list->count == list->room) {
    size_t room = list->room ? 2 * list->room : 16;
    sv_place *more = reallocarray(list->places, room, sizeof *more);
    if (!more) {
      sv_error_free(take_error);
      return sv_no_memory();
    }
    list->places = more;
    list->room = room;
  }
  sv_place *place = &list->places[list->count++];
  *place = (sv_place){.name = sv_str_copy(name), .root = root, .kind = kind, .path = strdup(path), .error = take_error};
  return place->name && place->path ? NULL : sv_no_memory();
}

// ---- Is the root itself a model? ------------------------------------------------------------------------------------

static bool has_program(const sv_root *root, const char *folder) {
  char **names;
  size_t count;
  const char *program;
  sv_error *error = sv_beneath_list(root->fd, folder, &names, &count);
  if (!error) {
    error = sv_program_find(names, count, NULL, true, folder, &program);
    sv_names_free(names, count);
  }
  sv_error_free(error);
  return !error;
}

static bool is_folder(const sv_root *root, const char *path) {
  struct stat status;
  int fd;
  sv_error *error = sv_beneath_open(root->fd, path, O_DIRECTORY, &fd, &status);
  if (!error) {
    close(fd);
  }
  sv_error_free(error);
  return !error;
}

// With a configuration: folders of versions, or one program. Without one: a folder of a version that has a program and no versions.
static bool is_model(const sv_root *root, char **names, size_t count) {
  bool config = find_name(names, count, "config.json") || find_name(names, count, "config.pbtxt");
  size_t programs = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t number;
    programs += sv_program_ending(names[i]) != NULL;
    if (sv_is_version_name(names[i], &number) && (config ? is_folder(root, names[i]) : has_program(root, names[i]))) {
      return true;
    }
  }
  return config && programs == 1;
}

// The name that the configuration says; else that of the only program beside it, unless it is called "model"; else the folder's.
static sv_error *root_name(const sv_root *root, char **names, size_t count, sv_text *out) {
  sv_config *config;
  SV_TRY(sv_config_create(&config));
  sv_text text = {0};
  struct stat status;
  bool json = find_name(names, count, "config.json") != NULL;
  const char *file = json ? "config.json" : "config.pbtxt";
  sv_error *error = sv_beneath_read(root->fd, file, SIZE_MAX, &text, &status);
  if (!error) {
    error = json ? sv_config_read_json(config, sv_text_str(&text), file)
                 : sv_config_read_pbtxt(config, sv_text_str(&text), file);
  }
  sv_error_free(error);  // told when the model is read
  sv_text_free(&text);
  if (config->name) {
    sv_text_puts(out, config->name);
  }
  sv_config_release(config);
  for (size_t i = 0; !out->size && i < count; i++) {
    const char *ending = sv_program_ending(names[i]);
    if (ending && strncmp(names[i], "model.", 6) != 0) {
      sv_text_add(out, names[i], (size_t)(ending - names[i]));
    }
  }
  char *path = out->size ? NULL : realpath(root->path, NULL);
  if (path) {
    sv_text_puts(out, basename(path));
    free(path);
  }
  return out->failed ? sv_no_memory() : NULL;
}

static sv_error *add_root(const sv_root *root, char **names, size_t count, places *list) {
  sv_text name = {0};
  sv_error *error = root_name(root, names, count, &name);
  if (!error) {
    sv_str text = sv_text_str(&name);
    bool good = sv_is_model_name(text);
    error = add(list, good ? text : SV_STR("model"), root, SV_PLACE_ROOT, ".", NULL);
  }
  sv_text_free(&name);
  return error;
}

// ---- The entries of a root ------------------------------------------------------------------------------------------

// A better spelling of the same program is there: x.mlirbc goes before x.mlir.
static bool is_second(char **names, size_t count, const char *name) {
  size_t stem = (size_t)(sv_program_ending(name) - name);
  for (size_t i = 0; i < count; i++) {
    const char *ending = sv_program_ending(names[i]);
    if (ending && (size_t)(ending - names[i]) == stem && memcmp(names[i], name, stem) == 0 &&
        ending_number(names[i]) < ending_number(name)) {
      return true;
    }
  }
  return false;
}

// A folder that has nothing of a model is none.
static bool looks_like_model(const sv_root *root, const char *folder) {
  char **names;
  size_t count;
  sv_error *error = sv_beneath_list(root->fd, folder, &names, &count);
  if (error) {
    sv_error_free(error);
    return true;  // told when the model is read
  }
  bool model = false;
  uint64_t number;
  for (size_t i = 0; i < count && !model; i++) {
    model = strcmp(names[i], "config.json") == 0 || strcmp(names[i], "config.pbtxt") == 0 ||
            sv_program_ending(names[i]) || sv_is_version_name(names[i], &number);
  }
  sv_names_free(names, count);
  return model;
}

static sv_error *add_entry(const sv_root *root, char **names, size_t count, const char *name, sv_watcher *watcher,
                           places *list) {
  struct stat status;
  const char *ending = sv_program_ending(name);
  sv_str stem = {name, ending ? (size_t)(ending - name) : strlen(name)};
  if (!sv_is_model_name(stem) || (ending && is_second(names, count, name))) {
    return NULL;
  }
  int fd;
  sv_error *error = sv_beneath_open(root->fd, name, 0, &fd, &status);
  if (error) {
    if (sv_error_code(error) == MILLRACE_NOT_FOUND) {  // gone meanwhile, or a link to nowhere
      sv_error_free(error);
      return NULL;
    }
    // A link that leads out, or a file that may not be read, matters if it would be a model.
    if (!ending && fstatat(root->fd, name, &status, 0) == 0 && !S_ISDIR(status.st_mode)) {
      sv_error_free(error);
      return NULL;
    }
    return add(list, stem, root, ending ? SV_PLACE_FILE : SV_PLACE_FOLDER, name, error);
  }
  close(fd);
  if (S_ISDIR(status.st_mode)) {
    sv_watcher_add(watcher, root->path, name);
    sv_str whole = sv_str_of(name);
    return sv_is_model_name(whole) && looks_like_model(root, name) ? add(list, whole, root, SV_PLACE_FOLDER, name, NULL)
                                                                   : NULL;
  }
  return ending && S_ISREG(status.st_mode) ? add(list, stem, root, SV_PLACE_FILE, name, NULL) : NULL;
}

static sv_error *add_all(const sv_root *root, sv_watcher *watcher, places *list) {
  char **names;
  size_t count;
  sv_watcher_add(watcher, root->path, "");
  SV_TRY(sv_beneath_list(root->fd, ".", &names, &count));
  sv_error *error = NULL;
  if (is_model(root, names, count)) {
    error = add_root(root, names, count, list);
  } else {
    for (size_t i = 0; i < count && !error; i++) {
      error = add_entry(root, names, count, names[i], watcher, list);
    }
  }
  sv_names_free(names, count);
  return error;
}

static int by_name(const void *a, const void *b) {
  const sv_place *left = a, *right = b;
  int order = strcmp(left->name, right->name);
  return order ? order : left->root < right->root ? -1 : left->root > right->root;
}

// Sorted; of those with the same name one is left, with an error.
static sv_error *join(places *list) {
  if (list->count) {
    qsort(list->places, list->count, sizeof *list->places, by_name);
  }
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++) {
    sv_place *place = &list->places[i], *before = kept ? &list->places[kept - 1] : NULL;
    if (!before || strcmp(before->name, place->name) != 0) {
      sv_place moved = *place;
      *place = (sv_place){0};
      list->places[kept++] = moved;
      continue;
    }
    if (!before->error || sv_error_code(before->error) != MILLRACE_ALREADY_EXISTS) {
      sv_error_free(before->error);
      before->error = sv_errorf(MILLRACE_ALREADY_EXISTS, "model '%s' is there twice: %s/%s and %s/%s", place->name,
                                before->root->path, before->path, place->root->path, place->path);
    }
    free(place->name);
    free(place->path);
    sv_error_free(place->error);
    *place = (sv_place){0};
  }
  list->count = kept;
  return NULL;
}

sv_error *sv_places_list(sv_root *roots, uint32_t num_roots, sv_watcher *watcher, sv_place **out_places,
                         size_t *out_count) {
  places list = {0};
  sv_error *error = NULL;
  for (uint32_t i = 0; i < num_roots && !error; i++) {
    error = add_all(&roots[i], watcher, &list);
  }
  error = error ? error : join(&list);
  if (error) {
    sv_places_free(list.places, list.count);
    list = (places){0};
  }
  *out_places = list.places;
  *out_count = list.count;
  return error;
}
