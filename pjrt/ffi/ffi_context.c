// Execute contexts: what a host gives to the handlers of one execution, by type.
#include "pjrt/ffi/ffi.h"

#include "core/census.h"
#include "pjrt/abi/api.h"

mr_status mr_pjrt_context_add(PJRT_ExecuteContext *context, mr_pjrt_ffi_user_data entry) {
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
