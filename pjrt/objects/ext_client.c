// What a client keeps for its extensions.
#include "pjrt/objects/ext_client.h"

#include <string.h>

#include "pjrt/abi/api.h"

void mr_pjrt_client_ext_announce(mr_pjrt_client_ext *ext, PJRT_Callback_Type type, void *args) {
  pthread_mutex_lock(&ext->lock);
  mr_pjrt_callback *callback = ext->callbacks;
  pthread_mutex_unlock(&ext->lock);
  for (; callback; callback = callback->next) {
    if (callback->type == type) {
      callback->function(args, callback->user_arg);
    }
  }
}

static void hear_fatal(mr_fatal_listener *listener, const char *message) {
  mr_pjrt_client_ext *ext = MR_CONTAINER_OF(listener, mr_pjrt_client_ext, fatal);
  PJRT_Callback_PrefatalArgs args = {.struct_size = sizeof args,
                                     .error_code = PJRT_Error_Code_INTERNAL,
                                     .error_message = message,
                                     .error_message_size = strlen(message)};
  mr_pjrt_client_ext_announce(ext, PJRT_Callback_Type_Prefatal, &args);
}

static mr_status ext_init(mr_pjrt_client_ext *ext, size_t device_count) {
  pthread_mutex_init(&ext->lock, NULL);
  ext->fatal.hear = hear_fatal;
  mr_fatal_listen(&ext->fatal);
  ext->stream_count = device_count;
  ext->streams = mr_alloc_zeroed(MR_MAX(device_count, 1), sizeof(mr_future *));
  return ext->streams ? mr_pjrt_transfers_create(&ext->transfers) : MR_NO_MEMORY();
}

mr_status mr_pjrt_client_ext_create(size_t device_count, const mr_pjrt_key_value *store, mr_pjrt_client_ext **out_ext) {
  *out_ext = NULL;
  mr_pjrt_client_ext *ext = mr_alloc_zeroed(1, sizeof *ext);
  if (ext == NULL) {
    return MR_NO_MEMORY();
  }
  ext->store = *store;
  mr_status status = ext_init(ext, device_count);
  if (status) {
    mr_pjrt_client_ext_destroy(ext);
    return status;
  }
  *out_ext = ext;
  return MR_OK;
}

mr_status mr_pjrt_client_ext_call_in(mr_pjrt_client_ext *ext, mr_str targets) {
  ext->in_call = mr_alloc(targets.size + 1);
  if (ext->in_call == NULL) {
    return MR_NO_MEMORY();
  }
  memcpy(ext->in_call, targets.data, targets.size);
  ext->in_call[targets.size] = '\0';
  return MR_OK;
}

void mr_pjrt_client_ext_end(mr_pjrt_client_ext *ext) {
  if (ext == NULL || ext->ended) {
    return;
  }
  ext->ended = true;
  mr_fatal_unlisten(&ext->fatal);
  mr_pjrt_transfers_destroy(ext->transfers);
  ext->transfers = NULL;
}

void mr_pjrt_client_ext_destroy(mr_pjrt_client_ext *ext) {
  if (ext == NULL) {
    return;
  }
  mr_pjrt_client_ext_end(ext);
  for (size_t i = 0; ext->streams && i < ext->stream_count; i++) {
    mr_future_release(ext->streams[i]);
  }
  mr_free(ext->streams);
  while (ext->callbacks) {
    mr_pjrt_callback *next = ext->callbacks->next;
    mr_free(ext->callbacks);
    ext->callbacks = next;
  }
  pthread_mutex_destroy(&ext->lock);
  mr_free(ext->in_call);
  mr_free(ext);
}
