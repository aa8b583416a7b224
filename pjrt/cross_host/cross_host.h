// cross_host: buffers from one process of this machine to another, over sockets of the local kind.
//
// A receive has a descriptor, a short text that names the receiving process's socket and a secret; whoever knows it may send
// one buffer there. How it gets to the sender is the caller's business: through the host, or through its key-value store.
//
// Threads: any. A transfer under way has a thread of its own, which ends with it: reading and writing sockets would block
// workers. Ownership: the transfers of a client end with it.
//
//   char descriptor[MR_PJRT_DESCRIPTOR_SIZE];
//   MR_TRY(mr_pjrt_transfers_receive(transfers, memory, &shape, descriptor, &buffer));   // there
//   MR_TRY(mr_pjrt_transfers_send(transfers, buffer, &source, done, context));           // here
#ifndef MR_PJRT_CROSS_HOST_CROSS_HOST_H
#define MR_PJRT_CROSS_HOST_CROSS_HOST_H

#include "devices/devices.h"
#include "pjrt/cross_host/cross_host_wire.h"
#include "pjrt/cross_host/key_value.h"

typedef struct mr_pjrt_transfers mr_pjrt_transfers;

// The transfers of one client.
mr_status mr_pjrt_transfers_create(mr_pjrt_transfers **out_transfers) MR_WARN_UNUSED;
// Receives that are pending fail with CANCELLED, sends too; returns when their threads have ended.
void mr_pjrt_transfers_destroy(mr_pjrt_transfers *transfers);

typedef struct mr_pjrt_receive_shape {
  mr_dtype dtype;
  const int64_t *dims;
  size_t rank;
} mr_pjrt_receive_shape;

// Where it is not known which process of the run is at the other end.
enum { MR_PJRT_ANY_PROCESS = -1 };

// A buffer that is ready when somebody has sent its content, and the descriptor, with its NUL, for the sender. `process`: of
// the run, whose loss ends the wait.
mr_status mr_pjrt_transfers_receive(mr_pjrt_transfers *transfers, mr_memory *memory, const mr_pjrt_receive_shape *shape,
                                    int process, char *out_descriptor, mr_buffer **out_buffer) MR_WARN_UNUSED;
// What waits for this process, and what will, fails with this status, until the process is there again. Fails for want of
// memory, and then nothing has changed.
mr_status mr_pjrt_transfers_lose(mr_pjrt_transfers *transfers, int process, mr_status why) MR_WARN_UNUSED;
void mr_pjrt_transfers_regain(mr_pjrt_transfers *transfers, int process);
// The receive with this descriptor, of any client of this process, fails with this status. NOT_FOUND when its content is
// on the way or there.
mr_status mr_pjrt_transfers_cancel(mr_str descriptor, mr_status take_status) MR_WARN_UNUSED;

// Where a send gets its descriptor, on its own thread: at most one of the three. All is owned by the send.
typedef struct mr_pjrt_send_target {
  int process;  // or MR_PJRT_ANY_PROCESS
  char *key;    // mr_alloc'ed; in the client's key-value store
  const mr_pjrt_key_value *store;
  mr_future *known;  // counted, NULL: now; when it is set the host has written the descriptor
  char **descriptor;
  size_t *descriptor_size;
} mr_pjrt_send_target;
void mr_pjrt_send_target_release(const mr_pjrt_send_target *target);

// `done(context, status, sent)` once, from any thread, when it is over; `sent`: the receiver has all of it. Not called when
// this fails; the target is taken over in any case.
mr_status mr_pjrt_transfers_send(mr_pjrt_transfers *transfers, mr_buffer *buffer, mr_pjrt_send_target take_target,
                                 void (*done)(void *context, mr_status status, bool sent),
                                 void *context) MR_WARN_UNUSED;

#endif
