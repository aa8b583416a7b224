// Models in folders: which are there, which are served, and how they come and go.
//
//   ROOT/MODEL/1/model.mlirbc   ROOT/MODEL/config.json (or config.pbtxt)   ROOT/x.mlirbc: model "x", version 1
//
// One thread of the repository's own loads and unloads, one after the other; a version that is loaded beside an older one takes its place when it has
// been warmed up, and the older one ends when its requests are answered. A model that cannot be loaded leaves what is served as it is, and says why
// in the index. Any thread may call anything here.
#ifndef SV_REPOSITORY_H
#define SV_REPOSITORY_H

#include "serve/batch/request.h"

typedef struct sv_repository sv_repository;

typedef struct sv_repository_options {
  const char *const *roots;  // folders
  uint32_t num_roots;
  bool watch;  // inotify: changes are loaded by themselves
  // Only these are loaded at start; NULL: all there are. With names, or `none`, models come and go by request alone.
  const char *const *names;
  uint32_t num_names;
  bool none;
} sv_repository_options;

sv_error *sv_repository_create(sv_engine *engine, const sv_repository_options *options, sv_repository **out_repository);
// Starts to load what is there; returns at once. loaded(argument) comes once, from another thread, when all that was wanted at start is loaded or has
// failed.
void sv_repository_start(sv_repository *repository, void (*loaded)(void *argument), void *argument);
// All models wanted at start are ready.
bool sv_repository_is_ready(sv_repository *repository);
// Looks at the folders again (SIGHUP); returns at once.
void sv_repository_rescan(sv_repository *repository);

// A reference to a version that is served. `number` empty: the highest served. NOT_FOUND: "model 'x' is not there", "... has no version 3".
// UNAVAILABLE: "... is being loaded". The hot path: takes no lock that a load holds.
sv_error *sv_repository_find(sv_repository *repository, sv_str model, sv_str number, sv_version **out_version);

typedef enum sv_state {
  SV_STATE_UNKNOWN,
  SV_STATE_READY,
  SV_STATE_UNAVAILABLE,
  SV_STATE_LOADING,
  SV_STATE_UNLOADING
} sv_state;
const char *sv_state_name(sv_state state);  // "READY"

typedef struct sv_index_entry {
  char *name;
  uint64_t version;  // 0: the model has none
  sv_state state;
  char *reason;  // "" or why
} sv_index_entry;
// A copy of what there is, in order of names and versions; freed with sv_index_free().
sv_error *sv_repository_index(sv_repository *repository, sv_index_entry **out_entries, size_t *out_count);
void sv_index_free(sv_index_entry *entries, size_t count);
// References to all versions that are served, of one model (empty: of all), in order. Freed with sv_versions_free().
sv_error *sv_repository_versions(sv_repository *repository, sv_str model, sv_version ***out_versions,
                                 size_t *out_count);
void sv_versions_free(sv_version **versions, size_t count);

// done(argument, error) comes once, from another thread; the error is the receiver's. `config` is a configuration (JSON) in place of the folder's; empty: the
// folder's.
void sv_repository_load(sv_repository *repository, sv_str model, sv_str config,
                        void (*done)(void *argument, sv_error *take_error), void *argument);
// With `dependents`, the steps of an ensemble too.
void sv_repository_unload(sv_repository *repository, sv_str model, bool dependents,
                          void (*done)(void *argument, sv_error *take_error), void *argument);

// Stops loading (what is being compiled ends early), drains all versions and waits until they are gone. `deadline_ns`: then what is left is
// cancelled.
void sv_repository_release(sv_repository *repository, uint64_t deadline_ns);

#endif
