// What hosts register for FFI calls: types, and handlers by target name.
// Process-wide, as hosts register before and without a client. Entries are never removed.
#include "pjrt/ffi/ffi.h"

#include <pthread.h>
#include <string.h>

#include "core/fork.h"

typedef struct type_entry {
  char *name;
  int64_t id;
  void (*deleter)(void *object);
  struct type_entry *next;
} type_entry;

typedef struct handler_entry {
  mr_str target;
  mr_pjrt_ffi_handlers handlers;
  mr_pjrt_ffi_untyped *untyped;  // an entry has this or handlers
  struct handler_entry *next;
} handler_entry;

MR_FORK_LOCK(registry_lock);
static type_entry *types;  // under registry_lock
// Hosts bring ids of their own, small numbers or hashes: ours start where they are not. Under registry_lock.
static int64_t next_type_id = (int64_t)1 << 40;
static handler_entry *handlers;  // under registry_lock

static type_entry *find_type(mr_str name, int64_t id) {
  type_entry *entry = types;
  while (entry && !(name.size ? mr_str_is(name, entry->name) : entry->id == id)) {
    entry = entry->next;
  }
  return entry;
}

// With the lock held.
static mr_status add_type_locked(mr_str name, void (*deleter)(void *object), int64_t *inout_id) {
  type_entry *known = find_type(name, *inout_id);
  if (known) {
    if (*inout_id != 0 && *inout_id != known->id) {
      return mr_error(MR_ALREADY_EXISTS, "FFI type '%.*s' has id %lld, wanted %lld", MR_STR_ARG(name),
                      (long long)known->id, (long long)*inout_id);
    }
    *inout_id = known->id;
    return MR_OK;
  }
  type_entry *entry = mr_alloc(sizeof *entry + name.size + 1);
  if (entry == NULL) {
    return MR_NO_MEMORY();
  }
  *entry = (type_entry){
      .name = (char *)(entry + 1), .id = *inout_id ? *inout_id : next_type_id++, .deleter = deleter, .next = types};
  memcpy(entry->name, name.data, name.size);
  entry->name[name.size] = 0;
  types = entry;
  *inout_id = entry->id;
  return MR_OK;
}

mr_status mr_pjrt_ffi_add_type(mr_str name, void (*deleter)(void *object), int64_t *inout_id) {
  pthread_mutex_lock(&registry_lock);
  mr_status status = add_type_locked(name, deleter, inout_id);
  pthread_mutex_unlock(&registry_lock);
  return status;
}

void (*mr_pjrt_ffi_deleter_of(int64_t type_id))(void *object) {
  pthread_mutex_lock(&registry_lock);
  type_entry *entry = find_type((mr_str){0}, type_id);
  void (*deleter)(void *object) = entry ? entry->deleter : NULL;
  pthread_mutex_unlock(&registry_lock);
  return deleter;
}

// With the lock held.
static handler_entry *find_handlers(mr_str target, bool untyped) {
  handler_entry *entry = handlers;
  while (entry && (untyped != (entry->untyped != NULL) || !mr_str_equal(entry->target, target))) {
    entry = entry->next;
  }
  return entry;
}

// With the lock held.
static handler_entry *add_entry(mr_str target) {
  handler_entry *entry = mr_alloc_zeroed(1, sizeof *entry + target.size);
  if (entry) {
    memcpy(entry + 1, target.data, target.size);
    entry->target = (mr_str){(char *)(entry + 1), target.size};
    entry->next = handlers;
    handlers = entry;  // found before older ones of the same name
  }
  return entry;
}

// A target that has its execute stage and gets another one starts anew, without the stages of before.
mr_status mr_pjrt_ffi_add_handler(mr_str target, XLA_FFI_Stage stage, XLA_FFI_Handler *handler) {
  const XLA_FFI_Api *api;
  mr_status status = mr_pjrt_ffi_api_for(handler, &api);
  if (status) {
    return mr_status_note(status, "FFI handler '%.*s'", MR_STR_ARG(target));
  }
  pthread_mutex_lock(&registry_lock);
  handler_entry *entry = find_handlers(target, false);
  if (!entry || (stage == XLA_FFI_STAGE_EXECUTE && entry->handlers.stages[stage])) {
    entry = add_entry(target);
  }
  if (entry) {
    entry->handlers.stages[stage] = handler;
    entry->handlers.apis[stage] = api;
  }
  pthread_mutex_unlock(&registry_lock);
  return entry ? MR_OK : MR_NO_MEMORY();
}

bool mr_pjrt_ffi_find(mr_str target, mr_pjrt_ffi_handlers *out_handlers) {
  pthread_mutex_lock(&registry_lock);
  handler_entry *entry = find_handlers(target, false);
  *out_handlers = entry ? entry->handlers : (mr_pjrt_ffi_handlers){0};
  pthread_mutex_unlock(&registry_lock);
  return out_handlers->stages[XLA_FFI_STAGE_EXECUTE] != NULL;
}

mr_status mr_pjrt_ffi_add_untyped(mr_str target, mr_pjrt_ffi_untyped *function) {
  pthread_mutex_lock(&registry_lock);
  handler_entry *entry = find_handlers(target, true);
  entry = entry ? entry : add_entry(target);
  if (entry) {
    entry->untyped = function;
  }
  pthread_mutex_unlock(&registry_lock);
  return entry ? MR_OK : MR_NO_MEMORY();
}

mr_pjrt_ffi_untyped *mr_pjrt_ffi_find_untyped(mr_str target) {
  pthread_mutex_lock(&registry_lock);
  handler_entry *entry = find_handlers(target, true);
  mr_pjrt_ffi_untyped *function = entry ? entry->untyped : NULL;
  pthread_mutex_unlock(&registry_lock);
  return function;
}
