// Extension FFI and execute contexts: keeps what a host registers.
#include "pjrt/ffi.h"

#include <pthread.h>
#include <string.h>

#include "pjrt/api.h"
#include "pjrt/extensions.h"

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
  XLA_FFI_Handler *handler;
  struct handler_entry *next;
} handler_entry;

static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;
static type_entry *types;         // under registry_lock
static int64_t next_type_id = 1;  // under registry_lock
static handler_entry *handlers;   // under registry_lock

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

mr_status mr_pjrt_ffi_add_handler(mr_str target, XLA_FFI_Handler *handler) {
  handler_entry *entry = mr_alloc(sizeof *entry + target.size);
  if (entry == NULL) {
    return MR_NO_MEMORY();
  }
  memcpy(entry + 1, target.data, target.size);
  *entry = (handler_entry){.target = {(char *)(entry + 1), target.size}, .handler = handler};
  pthread_mutex_lock(&registry_lock);
  entry->next = handlers;
  handlers = entry;  // a later registration of the same name is found first
  pthread_mutex_unlock(&registry_lock);
  return MR_OK;
}

XLA_FFI_Handler *mr_pjrt_ffi_find(mr_str target) {
  pthread_mutex_lock(&registry_lock);
  handler_entry *entry = handlers;
  while (entry && !mr_str_equal(entry->target, target)) {
    entry = entry->next;
  }
  XLA_FFI_Handler *handler = entry ? entry->handler : NULL;
  pthread_mutex_unlock(&registry_lock);
  return handler;
}

static PJRT_Error *type_register(PJRT_FFI_Type_Register_Args *args) {
  MR_PJRT_NEED(args, type_id);
  const PJRT_FFI_Type_Info *info = MR_PJRT_HAS(args, type_info) ? args->type_info : NULL;
  MR_PJRT_TRY(mr_pjrt_ffi_add_type((mr_str){args->type_name, args->type_name_size}, info ? info->deleter : NULL,
                                   &args->type_id));
  return NULL;
}

static PJRT_Error *register_handler(PJRT_FFI_Register_Handler_Args *args) {
  MR_PJRT_NEED(args, handler);
  MR_PJRT_NONNULL(args, handler);
  XLA_FFI_Handler *handler;
  memcpy(&handler, &args->handler, sizeof handler);  // the ABI passes the function as an object pointer
  MR_PJRT_TRY(mr_pjrt_ffi_add_handler((mr_str){args->target_name, args->target_name_size}, handler));
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

static PJRT_Error *user_data_add(PJRT_FFI_UserData_Add_Args *args) {
  MR_PJRT_NEED(args, user_data);
  MR_PJRT_NONNULL(args, context);
  mr_pjrt_ffi_user_data entry = {.type_id = args->user_data.type_id, .data = args->user_data.data};
  if (mr_pjrt_context_find(args->context, entry.type_id)) {
    return mr_pjrt_error(
        mr_error(MR_ALREADY_EXISTS, "user data of FFI type %lld was added before", (long long)entry.type_id));
  }
  pthread_mutex_lock(&registry_lock);
  type_entry *type = find_type((mr_str){0}, entry.type_id);
  entry.deleter = type ? type->deleter : NULL;
  pthread_mutex_unlock(&registry_lock);
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
  mr_free(context);
}

PJRT_Error *mr_pjrt_ExecuteContext_Create(PJRT_ExecuteContext_Create_Args *args) {
  MR_PJRT_NEED(args, context);
  args->context = mr_alloc_zeroed(1, sizeof *args->context);
  if (args->context == NULL) {
    return mr_pjrt_error(MR_NO_MEMORY());
  }
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
