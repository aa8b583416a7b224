// widen: arrays of bf16 and f16 to f32 and back (nearest even), over a group's cores. Private to ops/library.
#ifndef MR_OPS_LIBRARY_WIDEN_H
#define MR_OPS_LIBRARY_WIDEN_H

#include "scheduler/scheduler.h"

void mr_widen(mr_group *group, mr_dtype from, void *to, const void *source, size_t count);
void mr_narrow(mr_group *group, mr_dtype to, void *target, const void *source, size_t count);

#endif
