// Inside repository/: what lies in the folders (beneath.c, places.c, found.c), what is served (table.c), and the thread that makes the second
// follow the first (models.c, load.c, drains.c, watch.c, repository.c).
#ifndef SV_REPOSITORY_INTERNAL_H
#define SV_REPOSITORY_INTERNAL_H

#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>

#include "serve/repository/repository.h"

// ---- Files beneath a root (beneath.c) -------------------------------------------------------------------------------

// Opens for reading what lies beneath the folder `root`, never waiting for a pipe; a link is followed as long as it stays beneath, where the
// kernel can say so, and refused where it cannot. The error names `path`.
sv_error *sv_beneath_open(int root, const char *path, int flags, int *out_fd, struct stat *out_stat);
// The same of a regular file. NOT_FOUND where nothing is.
sv_error *sv_beneath_stat_file(int root, const char *path, struct stat *out_stat);
// The whole of a file of at most `most` bytes, added to the text.
sv_error *sv_beneath_read(int root, const char *path, size_t most, sv_text *out, struct stat *out_stat);
// Names in a folder, sorted, without hidden ones and those of unfinished copies.
sv_error *sv_beneath_list(int root, const char *path, char ***out_names, size_t *out_count);
void sv_names_free(char **names, size_t count);
bool sv_is_temporary(const char *name);  // hidden, or what editors and copying programs call unfinished files
// A number that another file, or another state of it, is very unlikely to have.
uint64_t sv_stamp(uint64_t stamp, const char *path, const struct stat *status);
uint64_t sv_stamp_bytes(uint64_t stamp, const void *bytes, size_t size);
#define SV_STAMP_BEGIN UINT64_C(0xcbf29ce484222325)
// "a/b", or "b" where a is empty or ".". NULL without memory.
char *sv_path_join(const char *folder, const char *name);

// ---- Where models are (places.c) ------------------------------------------------------------------------------------

typedef struct sv_root {
  const char *path;  // borrowed
  int fd;            // of one look at the folders; -1
} sv_root;

typedef enum sv_place_kind {
  SV_PLACE_FOLDER,  // ROOT/NAME/
  SV_PLACE_FILE,    // ROOT/NAME.mlirbc
  SV_PLACE_ROOT     // the root is the model's folder
} sv_place_kind;

typedef struct sv_place {
  char *name;  // the model's
  const sv_root *root;
  sv_place_kind kind;
  char *path;       // beneath the root: the folder, or the program
  sv_error *error;  // why it cannot be a model; NULL
} sv_place;

// Called for each folder before it is read, so that no change falls between.
typedef struct sv_watcher sv_watcher;

// All models in the roots, by name; a name that is there twice has an error.
sv_error *sv_places_list(sv_root *roots, uint32_t num_roots, sv_watcher *watcher, sv_place **out_places,
                         size_t *out_count);
void sv_places_free(sv_place *places, size_t count);
bool sv_is_model_name(sv_str name);
bool sv_is_version_name(const char *name, uint64_t *out_number);
// Where the name's ending begins, for a name of a program; NULL for another.
const char *sv_program_ending(const char *name);
// The program in the folder: `wanted`, or model.mlirbc, model.mlir, model.stablehlo or model.millrace; with `lone`, also the only program that
// is there, whatever its name. NOT_FOUND names what was looked for.
sv_error *sv_program_find(char **names, size_t count, const char *wanted, bool lone, const char *folder,
                          const char **out_name);

// ---- One model as it lies there (found.c) ---------------------------------------------------------------------------

typedef struct sv_found_version {
  uint64_t number;
  char *program;   // the path to open; NULL: an ensemble, or an error
  char *weights;   // NULL: not said
  uint64_t stamp;  // of all that loading it reads
  bool wanted;     // by the version policy
  sv_error *error;
} sv_found_version;

typedef struct sv_found {
  sv_text config_text;
  bool has_config, is_pbtxt;
  char *what;         // the configuration's name in errors
  sv_config *config;  // NULL with an error
  sv_text *labels;    // by output; texts
  uint32_t num_labels;
  sv_found_version *versions;  // ascending
  uint32_t num_versions;
  sv_error *error;  // of the whole model
} sv_found;

// `config`: JSON in place of the folder's; NULL: the folder's. Never NULL but without memory.
sv_found *sv_found_read(const sv_place *place, const char *config, sv_watcher *watcher);
void sv_found_free(sv_found *found);
// Another copy of the configuration.
sv_error *sv_found_config(const sv_found *found, sv_config **out_config);

// ---- What is served (table.c) ---------------------------------------------------------------------------------------

typedef struct sv_view_version {
  uint64_t number;
  sv_state state;
  char *reason;
  sv_version *version;  // retained; NULL: not served
} sv_view_version;

// What everybody sees of a model. Never changed once it is in a table.
typedef struct sv_view {
  _Atomic(uint32_t) references;
  char *name;
  sv_state state;  // where it has no versions
  char *reason;
  uint32_t num_versions;
  sv_view_version versions[];  // ascending
} sv_view;

sv_view *sv_view_create(const char *name, uint32_t num_versions);  // to be filled in; NULL without memory
sv_view *sv_view_retain(sv_view *view);
void sv_view_release(sv_view *view);

typedef struct sv_table {
  _Atomic(uint32_t) references;
  size_t count;
  sv_view *views[];  // retained, by name
} sv_table;

sv_table *sv_table_create(size_t count);  // to be filled in; NULL without memory
void sv_table_release(sv_table *table);

// ---- Models (models.c) ----------------------------------------------------------------------------------------------

// Of the repository's thread alone, all of it.
typedef struct sv_model_version {
  uint64_t number;
  sv_state state;
  char *reason;         // NULL: none
  sv_version *version;  // served; NULL
  uint64_t stamp;       // of the files that were tried last; 0: none
  uint32_t level;
  bool retiring;  // is served until those that depend on it are gone
} sv_model_version;

typedef struct sv_model {
  char *name;
  sv_found *found;  // NULL: not there
  char *config;     // from the request that loaded it; NULL: the folder's
  char *reason;     // while it has no versions
  sv_state state;   // likewise
  bool there;       // in the folders, as of the last look
  bool wanted;      // is to be served
  bool at_start;    // was to be served when the server started
  bool tried;       // in this round
  bool changed;     // in this round, its served versions have
  bool visiting;
  uint32_t level;              // 0: a program; an ensemble is above all of its steps
  sv_model_version *versions;  // ascending
  uint32_t num_versions;
  sv_view *view;
} sv_model;

typedef struct sv_drain {
  struct sv_drain *next;
  sv_repository *repository;  // retained once it is under way
  sv_version *version;        // retained
  char *model;
  uint64_t number;
  uint32_t level;  // below SV_MAX_LEVELS
  bool retire;     // is still in the table
} sv_drain;

// Programs are at level 0, an ensemble is above all of its steps; whatever is higher yet counts as the highest.
#define SV_MAX_LEVELS 16

typedef struct sv_command sv_command;

struct sv_repository {
  _Atomic(uint32_t) references;  // the owner, drains under way
  sv_engine *engine;             // borrowed
  char **root_paths;
  sv_root *roots;
  uint32_t num_roots;
  char **names;
  uint32_t num_names;
  bool by_request;  // models come and go by request alone
  pthread_t thread;

  // What find() reads. The lock is held while a pointer is read and a reference is taken, or while a pointer is put in its place; never while
  // anything is loaded, allocated, freed or drained. Writers first: readers come all the time.
  pthread_rwlock_t table_lock;
  sv_table *table;
  _Atomic(bool) ready;  // relaxed: a hint that stands alone
  _Atomic(bool)
      beginning;       // started, and the folders have not been read yet; relaxed: whoever asks too early asks again
  _Atomic(bool) stop;  // relaxed: seen soon is enough

  // To the thread.
  pthread_mutex_t lock;
  int wake;  // eventfd
  sv_command *commands, **last_command;
  sv_drain *drained;
  bool closed;  // no more commands are taken
  uint64_t deadline_ns;

  // The thread's own.
  sv_model **models;  // by name
  size_t num_models, room_models;
  sv_drain *drains;                  // those that wait for their turn
  uint32_t draining[SV_MAX_LEVELS];  // those under way
  sv_watcher *watcher;
  bool started;  // sv_repository_start() was called
  bool met;      // the folders have been read once: what was to be served at start is known
};

sv_model *sv_models_find(sv_repository *repository, const char *name);
sv_model *sv_models_add(sv_repository *repository, const char *name);  // or the one that is there; NULL without memory
sv_model_version *sv_model_find_version(sv_model *model, uint64_t number);
sv_model_version *sv_model_add_version(sv_model *model, uint64_t number);  // likewise; moves the others
bool sv_model_is_served(const sv_model *model);
bool sv_model_is_found(const sv_model *model, uint64_t number);  // lay in the folder at the last look
void sv_model_say(char **reason, const char *text);              // NULL: nothing
// Makes what has changed visible: this model, and then the table.
void sv_model_show(sv_repository *repository, sv_model *model);
void sv_models_publish(sv_repository *repository);
// Ends a version when its turn comes; says why ("unloaded" for NULL). To be shown by the caller.
void sv_model_retire(sv_repository *repository, sv_model *model, sv_model_version *version, const char *reason);
void sv_model_retire_all(sv_repository *repository, sv_model *model, const char *reason);  // shows
void sv_models_retire_all(sv_repository *repository);
void sv_models_forget(sv_repository *repository);  // those that are not there and have nothing left
void sv_models_free(sv_repository *repository);

// ---- Loading (load.c) -----------------------------------------------------------------------------------------------

// Looks at the folders, and loads and retires what has changed.
sv_error *sv_models_refresh(sv_repository *repository);
// Looks at the folders, and loads this model, even if nothing has changed.
sv_error *sv_models_load(sv_repository *repository, const char *name, const char *config);
sv_error *sv_models_unload(sv_repository *repository, const char *name, bool dependents);

// ---- Ends of versions (drains.c) ------------------------------------------------------------------------------------

// Takes the reference. With `retire` the version is in the table until its turn comes.
void sv_drain_add(sv_repository *repository, sv_model *model, uint64_t number, sv_version *take_version, uint32_t level,
                  bool retire);
void sv_drains_start(sv_repository *repository, bool all);  // those whose turn it is
void sv_drains_end(sv_repository *repository);              // those that are over
bool sv_drains_are_over(const sv_repository *repository);
void sv_drains_free(sv_repository *repository);
void sv_repository_release_reference(sv_repository *repository);

// ---- Changes in folders (watch.c) -----------------------------------------------------------------------------------

sv_watcher *sv_watcher_create(void);  // NULL: the system has no more of these; or without memory
void sv_watcher_free(sv_watcher *watcher);
int sv_watcher_fd(const sv_watcher *watcher);
void sv_watcher_add(sv_watcher *watcher, const char *root, const char *path);  // watcher may be NULL
void sv_watcher_read(sv_watcher *watcher);                                     // what has come
// When to look at the folders, on sv_now_ns()'s clock; UINT64_MAX: nothing has changed.
uint64_t sv_watcher_due_ns(const sv_watcher *watcher);
void sv_watcher_clear(sv_watcher *watcher);  // before a look

#endif
