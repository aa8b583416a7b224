// key_value: the host's key-value store, through which the processes of a run tell each other what they must know.
//
// Threads: any; the callbacks are the host's. Ownership: the store is the host's, values are the caller's.
//
//   MR_TRY(mr_pjrt_key_value_put(&store, "millrace/node/0", text));
//   MR_TRY(mr_pjrt_key_value_get(&store, "millrace/node/1", timeout_ms, &value, &size));
#ifndef MR_PJRT_CROSS_HOST_KEY_VALUE_H
#define MR_PJRT_CROSS_HOST_KEY_VALUE_H

#include "core/core.h"
#include "pjrt/abi.h"

// The host's key-value store, which all processes of a run share. `get` NULL: the client is alone.
typedef struct mr_pjrt_key_value {
  PJRT_KeyValueGetCallback get;
  void *get_arg;
  PJRT_KeyValuePutCallback put;
  void *put_arg;
} mr_pjrt_key_value;

// From the arguments that make a client of several; INVALID_ARGUMENT when callbacks are missing.
mr_status mr_pjrt_key_value_of(const PJRT_Client_Create_Args *args, mr_pjrt_key_value *out_store) MR_WARN_UNUSED;
// A value of the store, in mr_alloc'ed memory; DEADLINE_EXCEEDED, or whatever the host answers, when it is not there in
// time.
mr_status mr_pjrt_key_value_get(const mr_pjrt_key_value *store, const char *key, int timeout_ms, char **out_value,
                                size_t *out_size) MR_WARN_UNUSED;
mr_status mr_pjrt_key_value_put(const mr_pjrt_key_value *store, const char *key, mr_str value) MR_WARN_UNUSED;

#endif
