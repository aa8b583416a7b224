// across: a buffer's content in a memory of another client of the process.
//
// Threads: any. Ownership: the fresh buffer is the caller's; it is ready, or fails, when the copy is over.
#ifndef MR_PJRT_OBJECTS_ACROSS_H
#define MR_PJRT_OBJECTS_ACROSS_H

#include "devices/devices.h"

mr_status mr_pjrt_copy_across(mr_buffer *source, mr_memory *memory, mr_buffer **out_buffer) MR_WARN_UNUSED;

#endif
