// tally: whether anything is alive that belongs to an owner, where such things come and go by the million; and the end of an owner
// who lets go while something is.
//
// Each thread counts what it began and what it ended for itself, in its share of the census, so that a thing costs two
// additions. All shares are added up only when an owner wants to go.
//
//   mr_tally_open(&owner);                    // owner.gone = a function that takes it apart
//   uint8_t number = owner.number;
//   mr_tally_begin(number); ... mr_tally_end(number);   // around each thing's life; the second may be the end of the owner
//   mr_tally_close(&owner);                   // gone(&owner) once nothing is alive: here, or from the end of the last thing
//
// Threads: begin and end from any, on hot paths. Who begins a thing is the owner, before it closes, or has another one that is alive
// until that has happened. Then nothing can come once nothing is there. An owner opens and closes once, on any thread;
// gone() is called on any thread, under no lock.
#ifndef MR_CORE_TALLY_H
#define MR_CORE_TALLY_H

#include <stdatomic.h>

#include "core/census.h"

typedef struct mr_tally_owner {
  // Of more than MR_TALLIES owners some have the same, and those that have closed wait until nothing of any of these is alive.
  uint8_t number;
  void (*gone)(struct mr_tally_owner *owner);
  struct mr_tally_owner *next;  // of those that have closed and wait
} mr_tally_owner;

void mr_tally_open(mr_tally_owner *owner);
void mr_tally_close(mr_tally_owner *owner);

// Which numbers owners have that wait, a bit for each. Mostly 0, and mostly read: in a line of its own.
//
// States of mr_tally_bits.bits, a bit for each number:
//
//   0 --an owner closes while something is alive--> 1 --nothing is any more--> 0
//
//   who                     operation                        order, and with what it pairs                               at once
//   owner that closes, who  store, with the lock of tally.c  relaxed: after it a full barrier is put into every thread,  who ends things
//   looks                                                    see mr_tally_close()
//   who ends a thing        load, after it has counted that  relaxed: that barrier is between the two                    everybody
typedef struct mr_tally_bits {
  _Alignas(MR_CACHE_LINE) _Atomic(uint32_t) bits;
} mr_tally_bits;
extern mr_tally_bits mr_tally_awaited;
// The thread has no share yet, or none could be had.
void mr_tally_begin_slowly(uint8_t number);
void mr_tally_end_slowly(uint8_t number);
// Owners of whom nothing is alive go.
void mr_tally_look(void);
// Of all owners, for the census.
int64_t mr_tally_alive(void);

static inline void mr_tally_begin(uint8_t number) {
  mr_census_share *mine = mr_census_mine;
  if (MR_UNLIKELY(!mine)) {
    mr_tally_begin_slowly(number);
    return;
  }
  // relaxed: only this thread writes it; who must know of it does by what the thing's end is ordered after.
  _Atomic(uint64_t) *count = &mine->tallies[number].begun;
  atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + 1, memory_order_relaxed);
}

// The caller touches nothing of the owner's any more.
static inline void mr_tally_end(uint8_t number) {
  mr_census_share *mine = mr_census_mine;
  if (MR_UNLIKELY(!mine)) {
    mr_tally_end_slowly(number);
    return;
  }
  _Atomic(uint64_t) *count = &mine->tallies[number].ended;
  // release, pairs with the acquire in is_over(): who counts this end sees all that came before it, and may free what that used.
  atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + 1, memory_order_release);
  // relaxed: see mr_tally_close().
  if (MR_UNLIKELY(atomic_load_explicit(&mr_tally_awaited.bits, memory_order_relaxed) >> number & 1)) {
    mr_tally_look();
  }
}

#endif
