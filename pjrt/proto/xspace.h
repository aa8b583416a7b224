// xspace: a recorded stretch of time as a serialized XSpace, what JAX's and TensorBoard's profilers read.
//
// One plane for each device with the executions and steps that ran for it, a line for each thread; and one for the rest of
// what host threads did (compiling, transfers, other nodes, shares of loops).
//
// Threads: a session that has stopped may be read from any thread. Ownership: the bytes are freed with mr_free.
//
//   mr_trace_session_stop(&session);
//   MR_TRY(mr_pjrt_xspace_serialize(&session, &(mr_pjrt_xspace_options){.devices = true, .host_level = 2}, &bytes, &size));
#ifndef MR_PJRT_PROTO_XSPACE_H
#define MR_PJRT_PROTO_XSPACE_H

#include "core/trace.h"

typedef struct mr_pjrt_xspace_options {
  bool devices;         // planes of devices
  uint32_t host_level;  // 0: no plane of host threads; from 3 on also when workers looked for work and slept
} mr_pjrt_xspace_options;

mr_status mr_pjrt_xspace_serialize(const mr_trace_session *session, const mr_pjrt_xspace_options *options,
                                   char **out_bytes, size_t *out_size) MR_WARN_UNUSED;

#endif
