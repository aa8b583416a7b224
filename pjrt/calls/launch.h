// What one Execute call gives to its executions besides arguments: where it was called from, the callbacks for its sends
// and receives, its launch id.
//
// Threads: a launch is read-only once its execution starts. Ownership: counted through its context, which the execution
// retains; callbacks belong to the host and live until the execution is over, as the ABI says.
//
//   mr_pjrt_launch *launch;
//   MR_TRY(mr_pjrt_launch_create(options, row, device, &launch));   // NULL: the user's context, or none, will do
//   execute_options.context = launch ? &launch->context.base : ...;
#ifndef MR_PJRT_CALLS_LAUNCH_H
#define MR_PJRT_CALLS_LAUNCH_H

#include "pjrt/ffi/ffi.h"
#include "pjrt/objects/objects.h"

typedef struct mr_pjrt_launch {
  PJRT_ExecuteContext context;   // first: what FFI handlers look into; shows the parent's entries
  PJRT_ExecuteContext *parent;   // retained; NULL
  PJRT_SendCallbackInfo *sends;  // owned copies of the host's lists
  PJRT_RecvCallbackInfo *recvs;
  PJRT_HloOutputCallbackInfo *outputs;
  size_t num_sends, num_recvs, num_outputs;
  char *location;  // owned; NULL
} mr_pjrt_launch;

// Options may be NULL. `row`: which of the devices of the call, for the lists of callbacks.
mr_status mr_pjrt_launch_create(const PJRT_ExecuteOptions *options, size_t row,
                                mr_pjrt_launch **out_launch) MR_WARN_UNUSED;
void mr_pjrt_launch_release(mr_pjrt_launch *launch);
// The launch of the execution that this thread works on; NULL when it was given none.
const mr_pjrt_launch *mr_pjrt_launch_current(void);

struct mr_op;
struct mr_library_call;
// A call that shows its operands to the callback of the launch that has this tag, if there is one.
mr_status mr_pjrt_make_output_call(const struct mr_op *op, struct mr_library_call **out_call) MR_WARN_UNUSED;
// The maker of calls for the compiler: host transfers (send, recv), outputs of HLO, and custom calls by FFI.
mr_status mr_pjrt_make_call(const struct mr_op *op, struct mr_library_call **out_call) MR_WARN_UNUSED;

#endif
