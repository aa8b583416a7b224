// Every allocation fails once: what is tried runs again and again, with the first allocation failing, then the second, ...,
// until none is left; then so with that one and all after it. Each round ends with success (what could not be had was not
// needed) or with RESOURCE_EXHAUSTED, and afterwards as many blocks are in use as before.
//
//   static mr_status attempt(void *context) { ... }   // cleans up whatever it made, also when it fails
//   alloc_loop("compile a product", attempt, &context, 40000);
//   alloc_loops_ended_well();
//
// First each place in the source that asks, and has not failed in an earlier loop, fails once. Of the rounds after that some
// are left out when all would make many more allocations than `work`, under a sanitizer than a quarter of it; MILLRACE_TEST_SEED
// says which ones. MILLRACE_ALLOC_ALL=1 leaves none out (./dev alloc-fail). Threads: one loop at a time; allocations of
// other threads count too.
#ifndef MR_TESTS_ALLOC_LOOP_H
#define MR_TESTS_ALLOC_LOOP_H

#include "core/core.h"

typedef mr_status (*alloc_attempt)(void *context);

// Returns how many allocations the attempt makes when none fails. A round that does not end as above is told, and the loop
// goes on, so that one run shows all; alloc_loops_ended_well() then fails the running test.
uint64_t alloc_loop(const char *what, alloc_attempt attempt, void *context, uint64_t work);
void alloc_loops_ended_well(void);
// The first part alone, for what is made once in a process by whatever comes before its loop.
void alloc_each_place(const char *what, alloc_attempt attempt, void *context);

// What an attempt adds here it has put into a cache for good.
extern int64_t alloc_loop_kept;

// Whether no round is to be left out.
bool alloc_loop_is_whole(void);

#endif
