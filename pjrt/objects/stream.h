// stream: an order of work that a host and we agree on, a chain of futures for each device of a client.
//
// Threads: any; the chains are under the lock of the client's mr_pjrt_client_ext.
//
// Ownership: the client's; a tail that is handed out is counted.
#ifndef MR_PJRT_OBJECTS_STREAM_H
#define MR_PJRT_OBJECTS_STREAM_H

#include "pjrt/objects/objects.h"

// A device's own address is the number of its stream; 0 stays what the ABI says, no stream.
static inline intptr_t mr_pjrt_stream_of(const PJRT_Device *device) { return (intptr_t)device; }
// What comes after on the stream comes after the buffer's content. A client without streams takes any number: the content is
// there when this returns.
mr_status mr_pjrt_stream_put(intptr_t stream, PJRT_Buffer *buffer) MR_WARN_UNUSED;
// What comes after everything that was put on this stream, counted; NULL when nothing is pending. `stream` 0
// is no stream. INVALID_ARGUMENT for a number that none of the client's devices handed out.
mr_status mr_pjrt_stream_tail(PJRT_Client *client, intptr_t stream, mr_future **out_tail) MR_WARN_UNUSED;

#endif
