// census: how many objects of each kind are alive in this process, so that a test can say that nothing stays behind.
//
// Threads: any. Each counts for itself, in a line that no other thread writes; mr_census() adds them up. An object may end on
// another thread than it began on. While others work the sum is of no one moment; when nothing is under way it is exact.
//
//   thing *thing_create(void) { ...; mr_census_add(MR_CENSUS_things, 1); ... }
//   static void destroy(thing *t) { mr_census_add(MR_CENSUS_things, -1); mr_free(t); }
//
//   int64_t before[MR_CENSUS_KINDS], after[MR_CENSUS_KINDS];
//   mr_census(before);
//   ...
//   mr_census(after);       // the same, or something was left behind
#ifndef MR_CORE_CENSUS_H
#define MR_CORE_CENSUS_H

#include <stdatomic.h>

#include "core/core.h"

// ORDER census
typedef enum mr_census_kind {
#define COUNTED(name) MR_CENSUS_##name,
#include "core/census.def"
  MR_CENSUS_KINDS
} mr_census_kind;
const char *mr_census_name(mr_census_kind kind);

// All of them, now.
void mr_census(int64_t out_counts[MR_CENSUS_KINDS]);

// For core/tally.h: what was begun and ended, of each of so many owners.
enum { MR_TALLIES = 32 };
typedef struct mr_census_tally {
  _Atomic(uint64_t) begun, ended;
} mr_census_tally;

// One thread's share. Kept when the thread ends, for the next one.
//
// States of mr_census_share.taken:
//
//   true, as it is made --leave()--> false --take_left()--> true
//
//   who                 operation             order, and with what it pairs   at once
//   thread that ends    store, true -> false  release of what it has counted  threads that begin
//   thread that begins  swap, false -> true   acquire, of that                everybody
typedef struct mr_census_share mr_census_share;
struct mr_census_share {
  _Alignas(MR_CACHE_LINE) _Atomic(int64_t) counts[MR_CENSUS_KINDS];
  mr_census_tally tallies[MR_TALLIES];
  mr_census_share *next;
  atomic_bool taken;
};

extern _Thread_local mr_census_share *mr_census_mine __attribute__((tls_model("initial-exec")));
// Gives the thread a share, which it has from then on. False: there is none to be had.
bool mr_census_settle(void);
// All of them, which only become more.
mr_census_share *mr_census_shares(void);
// The first time on a thread.
void mr_census_add_slowly(mr_census_kind kind, int64_t count);

static inline void mr_census_add(mr_census_kind kind, int64_t count) {
  mr_census_share *mine = mr_census_mine;
  if (MR_UNLIKELY(!mine)) {
    mr_census_add_slowly(kind, count);
    return;
  }
  // relaxed: only this thread writes it, and readers want a number only.
  int64_t now = atomic_load_explicit(&mine->counts[kind], memory_order_relaxed);
  atomic_store_explicit(&mine->counts[kind], now + count, memory_order_relaxed);
}

// For what takes a few nanoseconds to make and may be made by the million: counted where asserts are on. `blocks` counts the
// memory of these in all builds, at no cost.
static inline void mr_census_note(mr_census_kind kind, int64_t count) {
#ifndef NDEBUG
  mr_census_add(kind, count);
#else
  (void)kind;
  (void)count;
#endif
}

// By a module that knows better than to count as it goes: mr_census() adds what `count` returns. From a constructor, once a kind.
void mr_census_ask(mr_census_kind kind, int64_t (*count)(void));

#endif
