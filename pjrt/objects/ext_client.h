// What a client keeps for its extensions: callbacks, streams, transfers under way, the host's key-value store.
//
// Threads: any; each part has its own lock or is written before the client is handed out. Ownership: the client's.
//
//   mr_pjrt_client_ext *ext = client->ext;
#ifndef MR_PJRT_OBJECTS_EXT_CLIENT_H
#define MR_PJRT_OBJECTS_EXT_CLIENT_H

#include <pthread.h>

#include "core/core.h"
#include "core/fatal.h"
#include "futures/futures.h"
#include "pjrt/abi.h"
#include "pjrt/cross_host/cross_host.h"

typedef struct mr_pjrt_callback {
  PJRT_Callback_Type type;
  PJRT_Callback_Function function;
  void *user_arg;
  struct mr_pjrt_callback *next;
} mr_pjrt_callback;

typedef struct mr_pjrt_client_ext {
  pthread_mutex_t lock;
  mr_pjrt_callback *callbacks;  // under lock; newest first
  mr_fatal_listener fatal;      // announces an end by an error of ours to them
  mr_future **streams;          // under lock; by device: what the stream's next work comes after, NULL: nothing
  size_t stream_count;
  bool no_streams;  // written before the client is handed out
  bool waits;       // likewise: no call over one device returns before it is over
  char *in_call;    // likewise, owned; custom calls that have run when the call returns, with commas; NULL: none
  mr_pjrt_key_value store;       // written before the client is handed out
  mr_pjrt_transfers *transfers;  // has its own lock
  bool ended;
} mr_pjrt_client_ext;

// `device_count`: of this process's devices.
mr_status mr_pjrt_client_ext_create(size_t device_count, const mr_pjrt_key_value *store,
                                    mr_pjrt_client_ext **out_ext) MR_WARN_UNUSED;
// Calls the callbacks of this type on the calling thread, newest first, outside the lock: entries stay as long as the client.
void mr_pjrt_client_ext_announce(mr_pjrt_client_ext *ext, PJRT_Callback_Type type, void *args);
// `targets`: names of custom calls, with commas, that have run when a call over one device returns.
mr_status mr_pjrt_client_ext_call_in(mr_pjrt_client_ext *ext, mr_str targets) MR_WARN_UNUSED;
// Ends what is under way, once; NULL is fine. The rest stays.
void mr_pjrt_client_ext_end(mr_pjrt_client_ext *ext);
// After that, or in its place; NULL is fine.
void mr_pjrt_client_ext_destroy(mr_pjrt_client_ext *ext);

#endif
