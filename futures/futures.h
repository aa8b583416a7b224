// futures: a value that is not there yet. One word of state, set exactly once, with any number of lock-free waiters.
//
// Threads: every operation may be called from any thread at once, except `_init`, `_deinit` and the last `_release`.
// A future is set by the code that promised it, exactly once. Poisoning and cancelling are setting with an error.
// Ownership: the future owns its status; waiters get it borrowed, for the length of the call.
// Storage: `mr_future_init` for a future that lives inside another struct (no allocation, nothing to undo but
// `mr_future_deinit`); `mr_future_create` for a counted future. The caller of a set keeps the future alive during the call only.
//
//   typedef struct copy { mr_waiter waiter; ... } copy;      // the waiter is part of what waits
//   static void copy_when_ready(mr_waiter *waiter, mr_status status) {
//     copy *self = MR_CONTAINER_OF(waiter, copy, waiter);
//     ...                                                    // runs once; may free self
//   }
//   self->waiter.run = copy_when_ready;
//   mr_future_then(future, &self->waiter);
#ifndef MR_FUTURES_FUTURES_H
#define MR_FUTURES_FUTURES_H

#include <stdatomic.h>

#include "core/core.h"

typedef struct mr_future mr_future;
typedef struct mr_waiter mr_waiter;
typedef bool (*mr_wait_fn)(mr_future *future, uint64_t deadline_ns);

// A place in a future's list, and all there is of a small waiter. The future's own: the next link's address and, in the low
// bits, this link's slot; 0 for a mr_waiter.
typedef struct mr_link {
  uintptr_t word;
} mr_link;
#define MR_LINK_SLOT ((uintptr_t)7)

// Waits for one future at a time; belongs to the future from mr_future_then() until run() is called, and is not
// touched afterwards. `status` is borrowed.
struct mr_waiter {
  mr_link link;
  void (*run)(mr_waiter *waiter, mr_status status);
};

struct mr_future {
  // Pending: a list of links, newest first, with MR_FUTURE_SLEEPERS when a thread sleeps on the low half.
  // Set: MR_FUTURE_SET and the owned status in the other bits. Nothing leaves the set state (future.c).
  _Atomic(uintptr_t) state;
  // Counted futures: what the last release calls. NULL: the storage belongs to another struct and nothing counts.
  void (*destroy)(mr_future *future);
  _Atomic(uint32_t) refs;
  uint32_t owner_bits;  // free for the struct around the future; futures never look at it
};

#define MR_FUTURE_SET ((uintptr_t)1)
#define MR_FUTURE_SLEEPERS ((uintptr_t)2)
#define MR_FUTURE_BITS ((uintptr_t)3)

// ---- Lifecycle ------------------------------------------------------------------------------------------------------

static inline void mr_future_init(mr_future *future) {
  // relaxed: only the maker knows the future; handing out its address publishes it.
  atomic_store_explicit(&future->state, 0, memory_order_relaxed);
  atomic_store_explicit(&future->refs, 0, memory_order_relaxed);
  future->destroy = NULL;
  future->owner_bits = 0;
}
// Counted storage other than the heap: `destroy` is called by the last release, with one reference to begin with.
static inline void mr_future_init_counted(mr_future *future, void (*destroy)(mr_future *future)) {
  atomic_store_explicit(&future->state, 0, memory_order_relaxed);  // relaxed: as above
  atomic_store_explicit(&future->refs, 1, memory_order_relaxed);
  future->destroy = destroy;
  future->owner_bits = 0;
}
// Frees the status. A future that was never set is set to ABORTED first, so its waiters hear of it.
void mr_future_deinit(mr_future *future);

mr_status mr_future_create(mr_future **out_future) MR_WARN_UNUSED;
// Counted futures only (mr_future_create, a node's).
mr_future *mr_future_retain(mr_future *future);
void mr_future_release(mr_future *future);  // NULL is fine; the last release does what mr_future_deinit does

// ---- Setting --------------------------------------------------------------------------------------------------------

// Sets the future, wakes sleepers and runs waiters, oldest first. Waiters run on this thread, usually before this returns;
// past a nesting of MR_FUTURE_MAX_DEPTH they run when the outer call on this thread gets back, so that a chain of any
// length needs a bounded stack. Setting twice is a broken invariant (assert).
void mr_future_set(mr_future *future, mr_status take_status);
// False, and frees the status, when another caller was faster. For futures that several parties may finish (any-of, cancel).
bool mr_future_try_set(mr_future *future, mr_status take_status);

// Around several futures that are set together: what wants to run last runs when all of them are set. They nest.
void mr_future_begin_sets(void);
void mr_future_end_sets(void);

// Sets the future with OK when nobody has asked to be told of it. False: somebody has, and it is as it was.
static inline bool mr_future_set_unless_awaited(mr_future *future) {
  uintptr_t nobody = 0;
  // release as in mr_future_set(); relaxed: nothing has been seen.
  return atomic_compare_exchange_strong_explicit(&future->state, &nobody, MR_FUTURE_SET, memory_order_release,
                                                 memory_order_relaxed);
}

// Likewise, but threads that sleep until it is set do not count: they wake up. For who must not run anybody's waiters.
bool mr_future_set_for_sleepers(mr_future *future);

// ---- Waiting --------------------------------------------------------------------------------------------------------

// Runs waiter->run once: here and now when the future is set, otherwise on the thread that sets it. Never under a lock.
void mr_future_then(mr_future *future, mr_waiter *waiter);
// From a waiter's run(), when what it does may block: run() is called again, with MR_OK, once this thread has done all else that it owes
// its futures, so that whatever it then waits for has been begun. In the order of these calls.
void mr_future_run_last(mr_waiter *waiter);
// True: the waiter waits. False: the future is set, and run() was not and will not be called.
bool mr_future_then_unless_set(mr_future *future, mr_waiter *waiter);
// The same for a waiter of one word. Instead of a function of its own it has a slot, 1 to 7, whose function runs it.
bool mr_future_link_unless_set(mr_future *future, mr_link *link, unsigned slot);
// By slot; set before the program begins (a constructor), by the one module that has such waiters, the graph. A function for each
// slot, and not one that is told the slot: where the waiter's owner lies is then known before the link has come from memory,
// which makes half of the time where a million of them wait for one future.
extern void (*mr_future_link_runs[MR_LINK_SLOT + 1])(mr_link *link, mr_status status);
// The convenience that allocates. When it fails, `fn` is not called.
mr_status mr_future_on_ready(mr_future *future, void (*fn)(void *context, mr_status status),
                             void *context) MR_WARN_UNUSED;

static inline bool mr_future_is_set(const mr_future *future) {
  // acquire, pairs with the release in mr_future_set(): what the setter wrote before is visible.
  return atomic_load_explicit(&future->state, memory_order_acquire) & MR_FUTURE_SET;
}
// Borrowed from the future; only when it is set.
static inline mr_status mr_future_status(const mr_future *future) {
  uintptr_t state = atomic_load_explicit(&future->state, memory_order_acquire);  // pairs as above
  return (mr_status)(state & ~MR_FUTURE_BITS);
}

// Returns when the future is set; its waiters may not have run by then, or be running: whoever owns one keeps it until its run().
// Blocks the thread: spins for a short while, then sleeps. Runs what this thread owes its own futures first. On a thread of a
// scheduler's, it works in the meantime, as mr_scheduler_wait().
void mr_future_wait(mr_future *future);
// What a thread calls before it sleeps in a wait, when set: a scheduler's threads work there until the future is set, or the
// deadline (0: none) has passed. False: go on and sleep.
extern _Atomic(mr_wait_fn) mr_future_wait_hook;
// Without the hook, for a caller whose work other threads do. `deadline_ns` 0: none.
bool mr_future_sleep_until(mr_future *future, uint64_t deadline_ns);
// Around work that a thread does while it waits: what it owes its own futures is done, and what is set in the meantime is
// announced to the end, however deep the thread is in callbacks. Returns what mr_future_end_wait() wants.
uint32_t mr_future_begin_wait(void);
void mr_future_end_wait(uint32_t depth);
// False when the deadline (of mr_now_ns) passed first; nothing is left behind in the future.
bool mr_future_wait_until(mr_future *future, uint64_t deadline_ns);

// ---- Joining --------------------------------------------------------------------------------------------------------

// A counted future that is set when all of `futures` are: OK, or the error of the first that failed (in time). Waits for
// all of them also when one fails. Nothing is retained: each must live until it is set.
mr_status mr_future_all(mr_future *const *futures, size_t count, mr_future **out_future) MR_WARN_UNUSED;
// Set as soon as one of `futures` is OK, or with the last one's error when all fail; `count` is at least 1.
mr_status mr_future_any(mr_future *const *futures, size_t count, mr_future **out_future) MR_WARN_UNUSED;

#endif
