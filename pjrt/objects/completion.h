// completion: when calls are over, told in the order of the calls on a device.
//
// A host that waits for the last call's event on a device takes that to mean that what the calls before did in the host is done as
// well, as where a device runs one after the other; here they run side by side.
//
// Threads: any. Errors: none; without memory an event does not wait for those before it.
#ifndef MR_PJRT_OBJECTS_COMPLETION_H
#define MR_PJRT_OBJECTS_COMPLETION_H

#include "pjrt/objects/objects.h"

typedef struct mr_pjrt_completion mr_pjrt_completion;
// What is set when `take_done` (NULL: it is over) is, and all that were handed in before for this device; with the status of
// `take_done`. Counted, the caller's; NULL: all are over.
mr_future *mr_pjrt_completion_after(PJRT_Device *device, mr_future *take_done) MR_WARN_UNUSED;
// The device goes: what is not over does not know it any more.
void mr_pjrt_completion_end(PJRT_Device *device);

#endif
