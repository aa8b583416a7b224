// Which allocation fails by where it is asked for, beside the counts of core/core.h: for tests alone.
#ifndef MR_CORE_ALLOC_FAIL_H
#define MR_CORE_ALLOC_FAIL_H

#include "core/core.h"

// After mr_alloc_fail_nth() or mr_alloc_fail_from(): the first allocation that a place asks for which has not been refused
// before fails as well. None does in builds without asserts.
void mr_alloc_fail_unseen(void);
// Whether allocations of other threads than the calling one are neither counted nor refused from now on.
void mr_alloc_fail_only_here(bool only);
// The number of the last allocation that failed, as those two count.
uint64_t mr_alloc_failed_last(void);

#endif
