// What is served, as everybody sees it: tables that never change, one in the place of the other.
#include <stdlib.h>
#include <string.h>

#include "serve/repository/internal.h"

sv_view *sv_view_create(const char *name, uint32_t num_versions) {
  sv_view *view = calloc(1, sizeof *view + num_versions * sizeof view->versions[0]);
  if (!view) {
    return NULL;
  }
  atomic_init(&view->references, 1);
  view->num_versions = num_versions;
  view->name = strdup(name);
  if (!view->name) {
    sv_view_release(view);
    return NULL;
  }
  return view;
}

sv_view *sv_view_retain(sv_view *view) {
  atomic_fetch_add_explicit(&view->references, 1, memory_order_relaxed);  // whoever retains has one
  return view;
}

void sv_view_release(sv_view *view) {
  // acq_rel: what the others read is over before the last one frees it.
  if (!view || atomic_fetch_sub_explicit(&view->references, 1, memory_order_acq_rel) != 1) {
    return;
  }
  for (uint32_t i = 0; i < view->num_versions; i++) {
    sv_version_release(view->versions[i].version);
    free(view->versions[i].reason);
  }
  free(view->name);
  free(view->reason);
  free(view);
}

sv_table *sv_table_create(size_t count) {
  sv_table *table = calloc(1, sizeof *table + count * sizeof table->views[0]);
  if (table) {
    atomic_init(&table->references, 1);
    table->count = count;
  }
  return table;
}

void sv_table_release(sv_table *table) {
  // acq_rel: as above.
  if (!table || atomic_fetch_sub_explicit(&table->references, 1, memory_order_acq_rel) != 1) {
    return;
  }
  for (size_t i = 0; i < table->count; i++) {
    sv_view_release(table->views[i]);
  }
  free(table);
}

// The table as it is now, retained.
static sv_table *take(sv_repository *repository) {
  pthread_rwlock_rdlock(&repository->table_lock);
  sv_table *table = repository->table;
  atomic_fetch_add_explicit(&table->references, 1, memory_order_relaxed);  // the repository has one, under the lock
  pthread_rwlock_unlock(&repository->table_lock);
  return table;
}

static const sv_view *find_view(const sv_table *table, sv_str name) {
  size_t low = 0, high = table->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const sv_view *view = table->views[middle];
    size_t size = strlen(view->name);
    int order = memcmp(view->name, name.data, size < name.size ? size : name.size);
    order = order ? order : size < name.size ? -1 : size > name.size;
    if (order == 0) {
      return view;
    }
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return NULL;
}

// The version of this number, or with 0 the highest that is served.
static const sv_view_version *find_version(const sv_view *view, uint64_t number) {
  for (uint32_t i = view->num_versions; i-- > 0;) {
    if (number ? view->versions[i].number == number : view->versions[i].version != NULL) {
      return &view->versions[i];
    }
  }
  return NULL;
}

static sv_error *not_served(const char *subject, sv_state state, const char *reason) {
  if (state == SV_STATE_LOADING) {
    return sv_errorf(MILLRACE_UNAVAILABLE, "%s is being loaded", subject);  // so that clients try again
  }
  if (state == SV_STATE_UNKNOWN) {
    return sv_errorf(MILLRACE_NOT_FOUND, "%s has not been loaded", subject);
  }
  return sv_errorf(MILLRACE_NOT_FOUND, "%s is not served%s%s", subject, reason && reason[0] ? ": " : "",
                   reason ? reason : "");
}

// Why it was not found. Outside of the lock.
static sv_error *explain(sv_repository *repository, sv_str model, uint64_t number) {
  if (model.size > 255) {
    model.size = 255;
  }
  sv_table *table = take(repository);
  const sv_view *view = model.size ? find_view(table, model) : NULL;
  const sv_view_version *version = view ? find_version(view, number) : NULL;
  sv_error *error;
  char subject[320];
  snprintf(subject, sizeof subject, number ? "model '%.*s' version %llu" : "model '%.*s'", SV_FMT(model),
           (unsigned long long)number);
  if (!view && atomic_load_explicit(&repository->beginning, memory_order_relaxed)) {
    error =
        sv_errorf(MILLRACE_UNAVAILABLE,
                  "the server has just started, and does not know yet whether there is a model '%.*s'", SV_FMT(model));
  } else if (!view) {
    error = sv_errorf(MILLRACE_NOT_FOUND, "model '%.*s' is not there", SV_FMT(model));
  } else if (number && !version && view->num_versions) {
    error = sv_errorf(MILLRACE_NOT_FOUND, "model '%s' has no version %llu", view->name, (unsigned long long)number);
  } else if (version) {
    error = not_served(subject, version->state, version->reason);
  } else if (view->num_versions) {
    // Of several versions none is served: one that is being loaded says more than those that failed.
    const sv_view_version *last = &view->versions[view->num_versions - 1];
    for (uint32_t i = 0; i < view->num_versions; i++) {
      last = view->versions[i].state == SV_STATE_LOADING ? &view->versions[i] : last;
    }
    error = not_served(subject, last->state, last->reason);
  } else {
    error = not_served(subject, view->state, view->reason);
  }
  sv_table_release(table);
  return error;
}

// Readers share the lock for some tens of nanoseconds, a search among names and one count; a writer has it for the exchange of a pointer alone. A
// table that was taken out is not read by anybody when the lock is free again, but by those who have retained it.
sv_error *sv_repository_find(sv_repository *repository, sv_str model, sv_str number, sv_version **out_version) {
  *out_version = NULL;
  uint64_t wanted = 0;
  if (sv_str_is(number, "0")) {
    return sv_errorf(MILLRACE_NOT_FOUND, "model '%.*s' has no version 0", (int)(model.size < 256 ? model.size : 256),
                     model.data);
  }
  if (number.size && (number.data[0] == '0' || !sv_str_number(number, INT64_MAX, &wanted))) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "version '%.*s': wanted a number from 1",
                     (int)(number.size < 64 ? number.size : 64), number.data);
  }
  if (model.size) {
    pthread_rwlock_rdlock(&repository->table_lock);
    const sv_view *view = find_view(repository->table, model);
    const sv_view_version *version = view ? find_version(view, wanted) : NULL;
    *out_version = version && version->version ? sv_version_retain(version->version) : NULL;
    pthread_rwlock_unlock(&repository->table_lock);
  }
  return *out_version ? NULL : explain(repository, model, wanted);
}

const char *sv_state_name(sv_state state) {
  static const char *const names[] = {"UNKNOWN", "READY", "UNAVAILABLE", "LOADING", "UNLOADING"};
  return (unsigned)state < sizeof names / sizeof names[0] ? names[state] : names[0];
}

// ---- Lists ----------------------------------------------------------------------------------------------------------

void sv_index_free(sv_index_entry *entries, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(entries[i].name);
    free(entries[i].reason);
  }
  free(entries);
}

static bool put_entry(sv_index_entry *entry, const sv_view *view, const sv_view_version *version) {
  const char *reason = version ? version->reason : view->reason;
  *entry = (sv_index_entry){.name = strdup(view->name),
                            .version = version ? version->number : 0,
                            .state = version ? version->state : view->state,
                            .reason = strdup(reason ? reason : "")};
  return entry->name && entry->reason;
}

static size_t count_entries(const sv_table *table) {
  size_t count = 0;
  for (size_t i = 0; i < table->count; i++) {
    count += table->views[i]->num_versions ? table->views[i]->num_versions : 1;
  }
  return count;
}

sv_error *sv_repository_index(sv_repository *repository, sv_index_entry **out_entries, size_t *out_count) {
  *out_entries = NULL;
  *out_count = 0;
  sv_table *table = take(repository);
  size_t room = count_entries(table), count = 0;
  sv_index_entry *entries = calloc(room + 1, sizeof *entries);
  bool good = entries != NULL;
  for (size_t i = 0; good && i < table->count; i++) {
    const sv_view *view = table->views[i];
    if (!view->num_versions) {
      good = put_entry(&entries[count++], view, NULL);
    }
    for (uint32_t k = 0; good && k < view->num_versions; k++) {
      good = put_entry(&entries[count++], view, &view->versions[k]);
    }
  }
  sv_table_release(table);
  if (!good) {
    sv_index_free(entries, count);
    return sv_no_memory();
  }
  *out_entries = entries;
  *out_count = count;
  return NULL;
}

void sv_versions_free(sv_version **versions, size_t count) {
  for (size_t i = 0; i < count; i++) {
    sv_version_release(versions[i]);
  }
  free(versions);
}

sv_error *sv_repository_versions(sv_repository *repository, sv_str model, sv_version ***out_versions,
                                 size_t *out_count) {
  *out_versions = NULL;
  *out_count = 0;
  sv_table *table = take(repository);
  sv_version **versions = calloc(count_entries(table) + 1, sizeof(sv_version *));
  size_t count = 0;
  for (size_t i = 0; versions && i < table->count; i++) {
    const sv_view *view = table->views[i];
    for (uint32_t k = 0; k < view->num_versions; k++) {
      if (view->versions[k].version && (!model.size || sv_str_is(model, view->name))) {
        versions[count++] = sv_version_retain(view->versions[k].version);
      }
    }
  }
  sv_table_release(table);
  if (!versions) {
    return sv_no_memory();
  }
  if (model.size && !count) {
    free(versions);
    return explain(repository, model, 0);
  }
  *out_versions = versions;
  *out_count = count;
  return NULL;
}
