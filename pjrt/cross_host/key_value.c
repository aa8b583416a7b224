#include "pjrt/cross_host/key_value.h"

#include <string.h>

#include "pjrt/abi/api.h"

mr_status mr_pjrt_key_value_of(const PJRT_Client_Create_Args *args, mr_pjrt_key_value *out_store) {
  *out_store = (mr_pjrt_key_value){.get = args->kv_get_callback,
                                   .get_arg = args->kv_get_user_arg,
                                   .put = args->kv_put_callback,
                                   .put_arg = args->kv_put_user_arg};
  return out_store->get && out_store->put
             ? MR_OK
             : mr_error(MR_INVALID_ARGUMENT, "option 'num_nodes' wants the callbacks of a key-value store");
}

// How a host's callback makes the error that it returns to us.
static PJRT_Error *make_error(PJRT_Error_Code code, const char *message, size_t message_size) {
  return mr_pjrt_error(mr_pjrt_status_of_code(code, message, message_size));
}

mr_status mr_pjrt_key_value_get(const mr_pjrt_key_value *store, const char *key, int timeout_ms, char **out_value,
                                size_t *out_size) {
  *out_value = NULL;
  *out_size = 0;
  PJRT_CallbackError callback_error = make_error;
  PJRT_KeyValueGetCallback_Args args = {.struct_size =
                                            PJRT_ABI_END(PJRT_KeyValueGetCallback_Args, value_deleter_callback),
                                        .key = key,
                                        .key_size = strlen(key),
                                        .timeout_in_ms = timeout_ms,
                                        .callback_error = &callback_error,
                                        .user_arg = store->get_arg};
  MR_TRY(mr_pjrt_status_of_foreign(store->get(&args)));
  char *copy = mr_alloc(args.value_size + 1);
  if (copy) {
    memcpy(copy, args.value, args.value_size);
    copy[args.value_size] = 0;
    *out_value = copy;
    *out_size = args.value_size;
  }
  if (args.value_deleter_callback) {
    args.value_deleter_callback(args.value);
  }
  return copy ? MR_OK : MR_NO_MEMORY();
}

mr_status mr_pjrt_key_value_put(const mr_pjrt_key_value *store, const char *key, mr_str value) {
  PJRT_CallbackError callback_error = make_error;
  PJRT_KeyValuePutCallback_Args args = {.struct_size = PJRT_ABI_END(PJRT_KeyValuePutCallback_Args, user_arg),
                                        .key = key,
                                        .key_size = strlen(key),
                                        .value = value.data,
                                        .value_size = value.size,
                                        .callback_error = &callback_error,
                                        .user_arg = store->put_arg};
  return mr_pjrt_status_of_foreign(store->put(&args));
}
