// What a client keeps for its extensions: callbacks, streams, transfers under way, the host's key-value store.
//
// Threads: any; each part has its own lock or is written before the client is handed out. Ownership: the client's.
//
//   mr_pjrt_client_ext *ext = client->ext;
#ifndef MR_PJRT_OBJECTS_EXT_CLIENT_H
#define MR_PJRT_OBJECTS_EXT_CLIENT_H

#include <pthread.h>

#include "core/core.h"
#include "futures/futures.h"
#include "pjrt/abi.h"

typedef struct mr_pjrt_callback {
  PJRT_Callback_Type type;
  PJRT_Callback_Function function;
  void *user_arg;
  struct mr_pjrt_callback *next;
} mr_pjrt_callback;

// The host's key-value store, which all processes of a run share. `get` NULL: the client is alone.
typedef struct mr_pjrt_key_value {
  PJRT_KeyValueGetCallback get;
  void *get_arg;
  PJRT_KeyValuePutCallback put;
  void *put_arg;
} mr_pjrt_key_value;

struct mr_pjrt_transfers;  // ext_cross_host.c

typedef struct mr_pjrt_client_ext {
  pthread_mutex_t lock;
  mr_pjrt_callback *callbacks;  // under lock; newest first
  mr_future **streams;          // under lock; by device: what the stream's next work comes after, NULL: nothing
  size_t stream_count;
  bool no_streams;                      // written before the client is handed out
  mr_pjrt_key_value store;              // written before the client is handed out
  struct mr_pjrt_transfers *transfers;  // made and ended with the rest; has its own lock
} mr_pjrt_client_ext;

// `device_count`: of this process's devices.
mr_status mr_pjrt_client_ext_create(size_t device_count, const mr_pjrt_key_value *store,
                                    mr_pjrt_client_ext **out_ext) MR_WARN_UNUSED;
// Ends what is under way; NULL is fine.
void mr_pjrt_client_ext_destroy(mr_pjrt_client_ext *ext);

// From the arguments that make a client of several; INVALID_ARGUMENT when callbacks are missing.
mr_status mr_pjrt_key_value_of(const PJRT_Client_Create_Args *args, mr_pjrt_key_value *out_store) MR_WARN_UNUSED;
// A value of the store, in mr_alloc'ed memory; DEADLINE_EXCEEDED, or whatever the host answers, when it is not there in
// time.
mr_status mr_pjrt_key_value_get(const mr_pjrt_key_value *store, const char *key, int timeout_ms, char **out_value,
                                size_t *out_size) MR_WARN_UNUSED;
mr_status mr_pjrt_key_value_put(const mr_pjrt_key_value *store, const char *key, mr_str value) MR_WARN_UNUSED;

// ext_stream.c: what comes after everything that was put on this stream, counted; NULL when nothing is pending. `stream` 0
// is no stream. INVALID_ARGUMENT for a number that none of the client's devices handed out.
mr_status mr_pjrt_stream_tail(PJRT_Client *client, intptr_t stream, mr_future **out_tail) MR_WARN_UNUSED;

// ext_cross_host.c
mr_status mr_pjrt_transfers_create(struct mr_pjrt_transfers **out_transfers) MR_WARN_UNUSED;
// Receives that are pending fail with CANCELLED, sends too; returns when their threads have ended.
void mr_pjrt_transfers_destroy(struct mr_pjrt_transfers *transfers);

#endif
