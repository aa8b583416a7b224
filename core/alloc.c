// The allocator in use, and the one that fails on the Nth call.
//
// Plain and aligned blocks both come from malloc's family, so that one mr_free serves both.
#include "core/core.h"

#include <stdatomic.h>
#include <stdlib.h>

// 0: allocations never fail and are not counted. Otherwise counting is on. All accesses are relaxed: the counters order
// nothing else, a test that sets them is the only thread that cares, or counts roughly.
static atomic_bool counting;
static _Atomic uint64_t made;     // allocations since counting began
static _Atomic uint64_t fail_at;  // the one that fails; 0: none

static bool may_allocate(void) {
  if (MR_LIKELY(!atomic_load_explicit(&counting, memory_order_relaxed))) return true;
  uint64_t number = atomic_fetch_add_explicit(&made, 1, memory_order_relaxed) + 1;
  return number != atomic_load_explicit(&fail_at, memory_order_relaxed);
}

void *mr_alloc(size_t size) { return may_allocate() ? malloc(size ? size : 1) : NULL; }

void *mr_alloc_zeroed(size_t count, size_t size) {
  if (!count || !size) count = size = 1;
  return may_allocate() ? calloc(count, size) : NULL;
}

void *mr_realloc(void *old, size_t size) { return may_allocate() ? realloc(old, size ? size : 1) : NULL; }

void *mr_alloc_aligned(size_t alignment, size_t size) {
  if (!may_allocate()) return NULL;
  void *memory = NULL;
  if (alignment < sizeof(void *)) alignment = sizeof(void *);
  return posix_memalign(&memory, alignment, size ? size : 1) == 0 ? memory : NULL;
}

void mr_free(void *memory) { free(memory); }

uint64_t mr_alloc_fail_nth(uint64_t nth) {
  atomic_store_explicit(&fail_at, nth, memory_order_relaxed);
  // Counting starts with the first call ever; a process that never asks pays one load per allocation.
  atomic_store_explicit(&counting, true, memory_order_relaxed);
  return atomic_exchange_explicit(&made, 0, memory_order_relaxed);
}
