// probe: measures what the cores do in a nanosecond, in some 40 ms of one core and a few of all.
//
// Threads: any; one at a time, or they measure each other.
#ifndef MR_DEVICES_HOST_PROBE_H
#define MR_DEVICES_HOST_PROBE_H

#include "devices/figures.h"
#include "scheduler/scheduler.h"

// Replaces the figures that can be measured; what could not be keeps its value. `figures` knows the caches and units already.
// False: `stop` said so, or there was no memory.
bool mr_probe_measure(mr_group *group, bool (*stop)(void *context), void *context, mr_figures *figures);

#endif
