// ref: the reference count embedded in every shared object.
//
// Threads: retain and release from any thread that holds a reference. The thread for which mr_ref_release returns true is
// alone with the object and destroys it.
//
//   void mr_thing_release(mr_thing *thing) {
//     if (thing && mr_ref_release(&thing->ref)) thing_destroy(thing);
//   }
#ifndef MR_CORE_REF_H
#define MR_CORE_REF_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct mr_ref {
  atomic_uint_least32_t count;
} mr_ref;

static inline void mr_ref_init(mr_ref *ref) { atomic_init(&ref->count, 1); }

static inline void mr_ref_retain(mr_ref *ref) {
  // relaxed: the caller already holds a reference, so nothing can be freed and nothing is read through the count.
  uint_least32_t before = atomic_fetch_add_explicit(&ref->count, 1, memory_order_relaxed);
  assert(before != 0);
  (void)before;
}

static inline bool mr_ref_release(mr_ref *ref) {
  // acq_rel, pairs with itself in the other releases: release hands our writes to the thread that destroys, acquire lets the
  // destroyer see everybody's.
  uint_least32_t before = atomic_fetch_sub_explicit(&ref->count, 1, memory_order_acq_rel);
  assert(before != 0);
  return before == 1;
}

// True when the caller's reference is the only one, so that it may change the object in place.
static inline bool mr_ref_is_unique(mr_ref *ref) {
  // acquire, pairs with the release half of mr_ref_release: the writes of owners that left are visible.
  return atomic_load_explicit(&ref->count, memory_order_acquire) == 1;
}

#endif
