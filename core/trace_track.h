// trace_track: tracks of a trace beside those of threads, for what is told of afterwards with times of its own: a device's queue.
//
// Threads: any.
#ifndef MR_CORE_TRACE_TRACK_H
#define MR_CORE_TRACE_TRACK_H

#include "core/trace.h"

typedef struct mr_trace_track mr_trace_track;
// The track of this name (15 characters), which stays as long as the process. NULL: there are too many, or no memory.
mr_trace_track *mr_trace_track_of(const char *name);
// In ticks of the trace's clock.
void mr_trace_track_span(mr_trace_track *track, mr_trace_category category, const mr_trace_label *label,
                         mr_trace_about about, int device, uint64_t start, uint64_t end);

#endif
