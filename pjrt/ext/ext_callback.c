// Extension Callback: what a host wants to hear about a client. Of the ABI's types one is not a chip's: before the process
// ends by an error (Prefatal). We announce that before an abort of ours (core/fatal.h), a host by invoke_callback before its own.
#include "pjrt/ext/extensions.h"
#include "pjrt/objects/ext_client.h"
#include "pjrt/objects/objects.h"

static mr_status check_type(PJRT_Callback_Type type) {
  if (type == PJRT_Callback_Type_Prefatal) {
    return MR_OK;
  }
  return mr_error(type == PJRT_Callback_Type_Tpu_SliceBuilder ? MR_UNIMPLEMENTED : MR_INVALID_ARGUMENT,
                  "callback type %d, wanted Prefatal (%d)", (int)type, PJRT_Callback_Type_Prefatal);
}

static mr_status add_callback(mr_pjrt_client_ext *ext, mr_pjrt_callback entry) {
  mr_pjrt_callback *callback = mr_alloc(sizeof *callback);
  if (callback == NULL) {
    return MR_NO_MEMORY();
  }
  *callback = entry;
  pthread_mutex_lock(&ext->lock);
  callback->next = ext->callbacks;
  ext->callbacks = callback;
  pthread_mutex_unlock(&ext->lock);
  return MR_OK;
}

static PJRT_Error *register_callback(PJRT_Callback_RegisterCallback_Args *args) {
  MR_PJRT_NEED(args, user_arg);
  MR_PJRT_NONNULL(args, client);
  MR_PJRT_NONNULL(args, callback);
  MR_PJRT_TRY(check_type(args->type));
  MR_PJRT_TRY(add_callback(args->client->ext, (mr_pjrt_callback){args->type, args->callback, args->user_arg, NULL}));
  return NULL;
}

static PJRT_Error *invoke_callback(PJRT_Callback_InvokeCallback_Args *args) {
  MR_PJRT_NEED(args, args);
  MR_PJRT_NONNULL(args, client);
  MR_PJRT_TRY(check_type(args->type));
  mr_pjrt_client_ext_announce(args->client->ext, args->type, args->args);
  return NULL;
}

PJRT_Callback_Extension mr_pjrt_ext_callback = {
    .base = {.struct_size = sizeof(PJRT_Callback_Extension),
             .type = PJRT_Extension_Type_Callback,
             .next = &mr_pjrt_ext_host_allocator.base},
    .register_callback = register_callback,
    .invoke_callback = invoke_callback,
};
