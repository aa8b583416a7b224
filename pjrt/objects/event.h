// PJRT_Event is a counted mr_future by another name: handing out an event retains the future, Event_Destroy releases it.
//
// Threads: any. An event may be destroyed before it fires and from inside its own callback; whoever set out to set the
// future keeps it alive until then.
//
//   args->event = mr_pjrt_event_retain(mr_node_done(node));
//   args->done_with_host_buffer = mr_pjrt_event_ready();      // nothing to wait for: no allocation, no counting
#ifndef MR_PJRT_OBJECTS_EVENT_H
#define MR_PJRT_OBJECTS_EVENT_H

#include "futures/futures.h"
#include "pjrt/abi.h"

// An event that fired with OK long ago. Shared by everybody.
PJRT_Event *mr_pjrt_event_ready(void);
// An event on a counted future: the shared one when the future is already set to OK.
PJRT_Event *mr_pjrt_event_retain(mr_future *future);
// Takes over one reference of a counted future.
PJRT_Event *mr_pjrt_event_take(mr_future *take_future);
// Likewise, of something that is over when there is no future.
PJRT_Event *mr_pjrt_event_of_done(mr_future *take_done);
// An event that has fired with this error. When memory is short the event is OK-less all the same: the status is then
// RESOURCE_EXHAUSTED.
mr_status mr_pjrt_event_failed(mr_status take_status, PJRT_Event **out_event) MR_WARN_UNUSED;

#endif
