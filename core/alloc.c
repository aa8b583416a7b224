// The allocator in use, and the one that fails on the Nth call.
//
// Plain and aligned blocks both come from malloc's family, so that one mr_free serves both.
#include "core/alloc_fail.h"
#include "core/core.h"

#include <execinfo.h>
#include <stdatomic.h>
#include <stdlib.h>

// 0: allocations never fail and are not counted. Otherwise counting is on. All accesses are relaxed: the counters order
// nothing else, a test that sets them is the only thread that cares, or counts roughly.
static atomic_bool counting;
static _Atomic uint64_t made;         // allocations since counting began
static _Atomic uint64_t fail_at;      // the one that fails; 0: none
static atomic_bool fail_all_after;    // and every later one
static atomic_bool fail_unseen;       // and the next one of a place that never failed
static _Atomic uint64_t failed_last;  // which one was the last that failed
static atomic_bool errors_succeed;    // allocations of statuses do not fail
static atomic_bool by_thread;         // those of threads that take no part are neither counted nor fail
static _Atomic int64_t live;          // blocks made and not freed since counting began; those freed may be older
static _Atomic uint64_t failed_ever;  // allocations that were made to fail

#ifndef NDEBUG

// Where allocations were made to fail: return addresses, each once, in a table with open addressing.
enum { PLACES = 1 << 13 };
static _Atomic(void *) places[PLACES];
// Who called for the first one since mr_alloc_fail_nth(), for the message of a test.
enum { FRAMES = 24, BEING_WRITTEN = -1 };
static void *frames[FRAMES];
// States of num_frames:
//
//   0: none --the first thread that is refused something--> BEING_WRITTEN --> how many --forget_callers()--> 0
//
//   who             operation                 order, and with what it pairs                             at once
//   who is refused  swap, 0 -> BEING_WRITTEN  acquire, of who has written and forgotten before          everybody
//   the same        store, -> how many        release of the frames                                     who reads
//   test            load                      acquire, of the frames                                    who is refused
//   test            swap, how many -> 0       acq_rel: acquire and release of the frames, for the next  who is refused
//                                             writer
static _Atomic int num_frames;

static size_t first_slot(const void *place) { return ((uintptr_t)place * 0x9E3779B97F4A7C15u) >> 51; }

static void note_place(void *place) {
  // acquire, pairs with forget_callers(): the frames are nobody else's any more.
  int none = 0;
  if (atomic_compare_exchange_strong_explicit(&num_frames, &none, BEING_WRITTEN, memory_order_acquire,
                                              memory_order_relaxed)) {
    // release, pairs with mr_alloc_failed_callers() and forget_callers(): the frames.
    atomic_store_explicit(&num_frames, backtrace(frames, FRAMES), memory_order_release);
  }
  size_t at = first_slot(place);
  for (size_t tries = 0; tries < PLACES; tries++, at = (at + 1) % PLACES) {
    void *there = NULL;
    if (atomic_compare_exchange_strong_explicit(&places[at], &there, place, memory_order_relaxed,
                                                memory_order_relaxed) ||
        there == place) {
      return;
    }
  }
}

static bool is_noted(const void *place) {
  size_t at = first_slot(place);
  for (size_t tries = 0; tries < PLACES; tries++, at = (at + 1) % PLACES) {
    const void *there = atomic_load_explicit(&places[at], memory_order_relaxed);
    if (there == place || there == NULL) {
      return there != NULL;
    }
  }
  return false;
}

size_t mr_alloc_failed_places(void **out_places, size_t room) {
  size_t count = 0;
  for (size_t i = 0; i < PLACES && count < room; i++) {
    void *place = atomic_load_explicit(&places[i], memory_order_relaxed);
    if (place) {
      out_places[count++] = place;
    }
  }
  return count;
}

size_t mr_alloc_failed_callers(void *const **out_frames) {
  *out_frames = frames;
  int count = atomic_load_explicit(&num_frames, memory_order_acquire);  // pairs with note_place()
  return count > 0 ? (size_t)count : 0;
}

// Not those that a thread is writing.
static void forget_callers(void) {
  int count = atomic_load_explicit(&num_frames, memory_order_relaxed);
  if (count > 0) {
    // acq_rel, pairs with note_place(): the next writer comes after the last one.
    (void)atomic_compare_exchange_strong_explicit(&num_frames, &count, 0, memory_order_acq_rel, memory_order_relaxed);
  }
}

#else

static bool is_noted(const void *place) { return (void)place, true; }
static void note_place(void *place) { (void)place; }

size_t mr_alloc_failed_places(void **out_places, size_t room) {
  (void)out_places, (void)room;
  return 0;
}

size_t mr_alloc_failed_callers(void *const **out_frames) {
  *out_frames = NULL;
  return 0;
}

static void forget_callers(void) {}

#endif

// Each thread's own, so that between looking at it and failing no other thread's turn can begin in which this one takes part.
static _Thread_local bool takes_part;

static bool counted_succeeds(void *place) {
  if (atomic_load_explicit(&by_thread, memory_order_relaxed) && !takes_part) {
    return true;
  }
  uint64_t number = atomic_fetch_add_explicit(&made, 1, memory_order_relaxed) + 1;
  uint64_t at = atomic_load_explicit(&fail_at, memory_order_relaxed);
  bool fails =
      at != 0 && (number == at || (number > at && atomic_load_explicit(&fail_all_after, memory_order_relaxed)));
  if (!fails && atomic_load_explicit(&fail_unseen, memory_order_relaxed) && !is_noted(place)) {
    fails =
        atomic_exchange_explicit(&fail_unseen, false, memory_order_relaxed);  // one of two threads that come at once
  }
  if (fails) {
    atomic_store_explicit(&failed_last, number, memory_order_relaxed);
    atomic_fetch_add_explicit(&failed_ever, 1, memory_order_relaxed);
    note_place(place);
  }
  return !fails;
}

static bool succeeds(void *place) {
  return MR_LIKELY(!atomic_load_explicit(&counting, memory_order_relaxed)) || counted_succeeds(place);
}

bool mr_alloc_part_succeeds(void *place) {
  return MR_LIKELY(atomic_load_explicit(&fail_at, memory_order_relaxed) == 0) || counted_succeeds(place);
}

// One block more when there is one.
static void *counted(void *block) {
  if (MR_UNLIKELY(atomic_load_explicit(&counting, memory_order_relaxed)) && block) {
    atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
  }
  return block;
}

void *mr_alloc(size_t size) { return succeeds(MR_CALLER()) ? counted(malloc(size ? size : 1)) : NULL; }

void *mr_alloc_error(size_t size) {
  bool spared = atomic_load_explicit(&errors_succeed, memory_order_relaxed);
  return spared || succeeds(MR_CALLER()) ? counted(malloc(size)) : NULL;
}

void *mr_alloc_zeroed(size_t count, size_t size) {
  if (!count || !size) {
    count = size = 1;
  }
  return succeeds(MR_CALLER()) ? counted(calloc(count, size)) : NULL;
}

void *mr_realloc(void *old, size_t size) {
  if (!succeeds(MR_CALLER())) {
    return NULL;
  }
  void *block = realloc(old, size ? size : 1);
  return old ? block : counted(block);
}

void *mr_alloc_aligned(size_t alignment, size_t size) {
  if (!succeeds(MR_CALLER())) {
    return NULL;
  }
  void *memory = NULL;
  if (alignment < sizeof(void *)) {
    alignment = sizeof(void *);
  }
  return posix_memalign(&memory, alignment, size ? size : 1) == 0 ? counted(memory) : NULL;
}

void mr_free(void *memory) {
  if (MR_UNLIKELY(atomic_load_explicit(&counting, memory_order_relaxed)) && memory) {
    atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
  }
  free(memory);
}

static uint64_t fail(uint64_t nth, bool all_after) {
  atomic_store_explicit(&fail_at, 0, memory_order_relaxed);  // no mixture of old and new fails anything
  atomic_store_explicit(&fail_all_after, all_after, memory_order_relaxed);
  atomic_store_explicit(&fail_unseen, false, memory_order_relaxed);
  uint64_t before = atomic_exchange_explicit(&made, 0, memory_order_relaxed);
  if (nth) {
    forget_callers();
  }
  atomic_store_explicit(&fail_at, nth, memory_order_relaxed);
  // Counting starts with the first call ever; a process that never asks pays one load per allocation.
  atomic_store_explicit(&counting, true, memory_order_relaxed);
  return before;
}

uint64_t mr_alloc_fail_nth(uint64_t nth) { return fail(nth, false); }
uint64_t mr_alloc_fail_from(uint64_t nth) { return fail(nth, true); }
void mr_alloc_fail_unseen(void) { atomic_store_explicit(&fail_unseen, true, memory_order_relaxed); }
void mr_alloc_spare_errors(bool spare) { atomic_store_explicit(&errors_succeed, spare, memory_order_relaxed); }
void mr_alloc_fail_by_thread(bool on) { atomic_store_explicit(&by_thread, on, memory_order_relaxed); }
void mr_alloc_fail_here(bool on) { takes_part = on; }
int64_t mr_alloc_live(void) { return atomic_load_explicit(&live, memory_order_relaxed); }
uint64_t mr_alloc_failed_last(void) { return atomic_load_explicit(&failed_last, memory_order_relaxed); }
uint64_t mr_alloc_failed(void) { return atomic_load_explicit(&failed_ever, memory_order_relaxed); }
