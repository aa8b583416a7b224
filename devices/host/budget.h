// budget: how much memory the pool may hold, and whether the machine has as much as it wants to take.
//
// Threads: any.
#ifndef MR_DEVICES_HOST_BUDGET_H
#define MR_DEVICES_HOST_BUDGET_H

#include "core/core.h"

// Reads MILLRACE_MEMORY_LIMIT_MB; an error when the variable is no such number.
mr_status mr_budget_open(void) MR_WARN_UNUSED;
// That many bytes at most: of the setting, the control groups and the machine the least.
uint64_t mr_budget_limit(void);
// Whether `bytes` more can be had at this moment without the system killing a process for them; what other processes use
// is considered.
// `untouched()`: bytes that have been taken and not been written yet, so that the system counts them as there; asked only when
// the figures are read, a few times a second at most. *out_left, when refused: how much there is.
bool mr_budget_allows(uint64_t bytes, uint64_t (*untouched)(void), uint64_t *out_left);
// Reads everything anew at the next question; for tests, and after memory went back.
void mr_budget_forget(void);

#endif
