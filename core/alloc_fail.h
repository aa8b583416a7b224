// Which allocation fails by where it is asked for, beside the counts of core/core.h: for tests alone.
#ifndef MR_CORE_ALLOC_FAIL_H
#define MR_CORE_ALLOC_FAIL_H

#include "core/core.h"

// After mr_alloc_fail_nth() or mr_alloc_fail_from(): the first allocation that a place asks for which has not been refused
// before fails as well. None does in builds without asserts.
void mr_alloc_fail_unseen(void);
// Whether only allocations of threads that take part are counted and refused; said while no other thread allocates. A thread takes
// part while its allocations are to fail: where threads take turns, none is refused anything in another's.
void mr_alloc_fail_by_thread(bool on);
void mr_alloc_fail_here(bool on);
// The number of the last allocation that failed, as those two count.
uint64_t mr_alloc_failed_last(void);

#endif
