// Extension FFI and execute contexts: keeps what a host registers.
#include "pjrt/ffi/ffi.h"

#include <pthread.h>
#include <string.h>

#include "core/census.h"
#include "pjrt/abi/api.h"
#include "pjrt/ext/extensions.h"

// ---- Registry -------------------------------------------------------------------------------------------------------------
// Process-wide, as hosts register before and without a client. Entries are never removed.

typedef struct type_entry {
  char *name;
  int64_t id;
  void (*deleter)(void *object);
  struct type_entry *next;
} type_entry;

typedef struct handler_entry {
  mr_str target;
  mr_pjrt_ffi_handlers handlers;
  struct handler_entry *next;
} handler_entry;

static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;
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
static handler_entry *find_handlers(mr_str target) {
  handler_entry *entry = handlers;
  while (entry && !mr_str_equal(entry->target, target)) {
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
  handler_entry *entry = find_handlers(target);
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
  handler_entry *entry = find_handlers(target);
  *out_handlers = entry ? entry->handlers : (mr_pjrt_ffi_handlers){0};
  pthread_mutex_unlock(&registry_lock);
  return out_handlers->stages[XLA_FFI_STAGE_EXECUTE] != NULL;
}

static PJRT_Error *type_register(PJRT_FFI_Type_Register_Args *args) {
  MR_PJRT_NEED(args, type_id);
  MR_PJRT_NONNULL(args, type_name);
  const PJRT_FFI_Type_Info *info = MR_PJRT_HAS(args, type_info) ? args->type_info : NULL;
  MR_PJRT_TRY(mr_pjrt_ffi_add_type((mr_str){args->type_name, args->type_name_size}, info ? info->deleter : NULL,
                                   &args->type_id));
  return NULL;
}

// The ABI has no field for the stage, so the platform's name may end in one: "Host:instantiate". The name itself does not
// count, there is one platform.
static mr_status stage_of_platform(mr_str platform, XLA_FFI_Stage *out_stage) {
  static const char *const names[] = {"instantiate", "prepare", "initialize", "execute"};
  const char *colon = platform.size ? memchr(platform.data, ':', platform.size) : NULL;
  *out_stage = XLA_FFI_STAGE_EXECUTE;
  if (colon == NULL) {
    return MR_OK;
  }
  mr_str name = {colon + 1, platform.size - (size_t)(colon + 1 - platform.data)};
  for (int i = 0; i < XLA_FFI_STAGES; i++) {
    if (mr_str_is(name, names[i])) {
      *out_stage = (XLA_FFI_Stage)i;
      return MR_OK;
    }
  }
  return mr_error(MR_INVALID_ARGUMENT, "FFI stage '%.*s', wanted instantiate, prepare, initialize or execute",
                  MR_STR_ARG(name));
}

static PJRT_Error *register_handler(PJRT_FFI_Register_Handler_Args *args) {
  MR_PJRT_NEED(args, handler);
  MR_PJRT_NONNULL(args, target_name);
  MR_PJRT_NONNULL(args, handler);
  XLA_FFI_Handler *handler;
  memcpy(&handler, &args->handler, sizeof handler);  // the ABI passes the function as an object pointer
  XLA_FFI_Stage stage = XLA_FFI_STAGE_EXECUTE;
  if (MR_PJRT_HAS(args, platform_name_size) && args->platform_name) {
    MR_PJRT_TRY(stage_of_platform((mr_str){args->platform_name, args->platform_name_size}, &stage));
  }
  MR_PJRT_TRY(mr_pjrt_ffi_add_handler((mr_str){args->target_name, args->target_name_size}, stage, handler));
  return NULL;
}

// ---- Execute contexts -------------------------------------------------------------------------------------------------------

static mr_status context_add(PJRT_ExecuteContext *context, mr_pjrt_ffi_user_data entry) {
  if (context->count == context->capacity) {
    size_t capacity = context->capacity ? 2 * context->capacity : 4;
    mr_pjrt_ffi_user_data *entries = mr_realloc(context->entries, capacity * sizeof *entries);
    if (entries == NULL) {
      return MR_NO_MEMORY();
    }
    context->entries = entries;
    context->capacity = capacity;
  }
  context->entries[context->count++] = entry;
  return MR_OK;
}

// What deletes user data: its type, or in arguments of an older host the data itself. What a newer host may have behind the
// data is none.
static void (*user_data_deleter(const PJRT_FFI_UserData_Add_Args *args))(void *data) {
  if (args->struct_size == sizeof(PJRT_FFI_UserData_Add_Args_WithDeleter)) {
    void (*own)(void *data) = ((const PJRT_FFI_UserData_Add_Args_WithDeleter *)(const void *)args)->user_data.deleter;
    if (own) {
      return own;
    }
  }
  return mr_pjrt_ffi_deleter_of(args->user_data.type_id);
}

static PJRT_Error *user_data_add(PJRT_FFI_UserData_Add_Args *args) {
  MR_PJRT_NEED(args, user_data);
  MR_PJRT_NONNULL(args, context);
  mr_pjrt_ffi_user_data entry = {.type_id = args->user_data.type_id, .data = args->user_data.data};
  if (mr_pjrt_context_find(args->context, entry.type_id)) {
    return mr_pjrt_error(
        mr_error(MR_ALREADY_EXISTS, "user data of FFI type %lld was added before", (long long)entry.type_id));
  }
  entry.deleter = user_data_deleter(args);
  MR_PJRT_TRY(context_add(args->context, entry));
  return NULL;
}

void *mr_pjrt_context_find(const PJRT_ExecuteContext *context, int64_t type_id) {
  for (size_t i = 0; i < context->count; i++) {
    if (context->entries[i].type_id == type_id) {
      return context->entries[i].data;
    }
  }
  return NULL;
}

static void context_destroy(mr_call_context *base) {
  PJRT_ExecuteContext *context = (PJRT_ExecuteContext *)base;
  for (size_t i = 0; i < context->count; i++) {
    if (context->entries[i].deleter) {
      context->entries[i].deleter(context->entries[i].data);
    }
  }
  mr_free(context->entries);
  mr_census_add(MR_CENSUS_contexts, -1);
  mr_free(context);
}

PJRT_Error *mr_pjrt_ExecuteContext_Create(PJRT_ExecuteContext_Create_Args *args) {
  MR_PJRT_NEED(args, context);
  args->context = mr_alloc_zeroed(1, sizeof *args->context);
  if (args->context == NULL) {
    return mr_pjrt_error(MR_NO_MEMORY());
  }
  mr_census_add(MR_CENSUS_contexts, 1);
  mr_ref_init(&args->context->base.ref);
  args->context->base.destroy = context_destroy;
  return NULL;
}

PJRT_Error *mr_pjrt_ExecuteContext_Destroy(PJRT_ExecuteContext_Destroy_Args *args) {
  MR_PJRT_NEED(args, context);
  if (args->context && mr_ref_release(&args->context->base.ref)) {
    context_destroy(&args->context->base);
  }
  return NULL;
}

PJRT_FFI_Extension mr_pjrt_ext_ffi = {
    .base = {.struct_size = sizeof(PJRT_FFI_Extension),
             .type = PJRT_Extension_Type_FFI,
             .next = &mr_pjrt_ext_raw_buffer.base},
    .type_register = type_register,
    .user_data_add = user_data_add,
    .register_handler = register_handler,
};
