// What one Execute call gives to its executions besides arguments: where it was called from, the callbacks for its sends
// and receives, its launch id.
//
// Threads: a launch is read-only once its execution starts, but for what is to be stopped with it. Ownership: counted through its context, which the execution
// retains; callbacks belong to the host and live until the execution is over, as the ABI says.
//
//   mr_pjrt_launch *launch;
//   MR_TRY(mr_pjrt_launch_create(options, row, device, &launch));   // NULL: the user's context, or none, will do
//   execute_options.context = launch ? &launch->context.base : ...;
#ifndef MR_PJRT_CALLS_LAUNCH_H
#define MR_PJRT_CALLS_LAUNCH_H

#include "pjrt/ffi/ffi.h"
#include "pjrt/objects/objects.h"

// What is to end when the execution is not wanted any more, because it has failed or was cancelled.
typedef struct mr_pjrt_stop {
  struct mr_pjrt_stop *next, *previous;
  // Once, on any thread, under no lock; `status` is borrowed.
  void (*run)(struct mr_pjrt_stop *stop, mr_status status);
} mr_pjrt_stop;

typedef struct mr_pjrt_launch {
  PJRT_ExecuteContext context;   // first: what FFI handlers look into; shows the parent's entries
  PJRT_ExecuteContext *parent;   // retained; NULL
  PJRT_SendCallbackInfo *sends;  // owned copies of the host's lists
  PJRT_RecvCallbackInfo *recvs;
  PJRT_HloOutputCallbackInfo *outputs;
  size_t num_sends, num_recvs, num_outputs;
  mr_device *device;       // borrowed: the execution keeps it
  char *location;          // owned; NULL
  pthread_mutex_t lock;    // for what follows
  mr_pjrt_stop *stops;     // what goes on after its call returned
  mr_status stopped_with;  // owned; the execution is not wanted any more
} mr_pjrt_launch;

// Options may be NULL. `row`: which of the devices of the call, for the lists of callbacks.
mr_status mr_pjrt_launch_create(const PJRT_ExecuteOptions *options, size_t row, mr_device *device,
                                mr_pjrt_launch **out_launch) MR_WARN_UNUSED;
void mr_pjrt_launch_release(mr_pjrt_launch *launch);
// The launch of the execution that this thread works on; NULL when it was given none.
mr_pjrt_launch *mr_pjrt_launch_current(void);
// Runs the stop when the execution is not wanted any more, until it is forgotten. An error, for the caller: it is not wanted now.
mr_status mr_pjrt_launch_watch(mr_pjrt_launch *launch, mr_pjrt_stop *stop) MR_WARN_UNUSED;
// False: it has run, or is about to. What was refused must not be forgotten.
bool mr_pjrt_launch_forget(mr_pjrt_launch *launch, mr_pjrt_stop *stop);

struct mr_op;
struct mr_library_call;
// A call that shows its operands to the callback of the launch that has this tag, if there is one.
mr_status mr_pjrt_make_output_call(const struct mr_op *op, struct mr_library_call **out_call) MR_WARN_UNUSED;
// The maker of calls for the compiler: host transfers (send, recv), outputs of HLO, and custom calls by FFI.
mr_status mr_pjrt_make_call(const struct mr_op *op, struct mr_library_call **out_call) MR_WARN_UNUSED;

#endif
