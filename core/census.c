// Shares of threads in one list, which only grows. A thread that ends leaves its share, with what it counted, to the next one
// that begins.
#include "core/census.h"

#include <pthread.h>

_Thread_local mr_census_share *mr_census_mine __attribute__((tls_model("initial-exec")));

// States of shares:
//
//   NULL --add--> share --add--> newer share, over the older ones: nothing is taken out
//
//   who                 operation                order, and with what it pairs                at once
//   thread that begins  swap, list -> own, list  release (acq_rel) of the share and its link  everybody
//   who walks it        load                     acquire, of all in the list                  everybody
static _Atomic(mr_census_share *) shares;
// For threads that could get no share of their own.
static _Atomic(int64_t) homeless[MR_CENSUS_KINDS];
// Set by constructors.
static int64_t (*asked[MR_CENSUS_KINDS])(void);
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool key_ok;

const char *mr_census_name(mr_census_kind kind) {
  static const char *const names[MR_CENSUS_KINDS] = {
#define COUNTED(name) [MR_CENSUS_##name] = #name,
#include "core/census.def"
  };
  return (unsigned)kind < MR_CENSUS_KINDS ? names[kind] : "unknown";
}

static void leave(void *share) {
  mr_census_mine = NULL;
  // release, pairs with the acquire in take_left(): the next thread goes on from what this one counted.
  atomic_store_explicit(&((mr_census_share *)share)->taken, false, memory_order_release);
}

static void make_key(void) { key_ok = pthread_key_create(&key, leave) == 0; }

static mr_census_share *take_left(void) {
  for (mr_census_share *share = mr_census_shares(); share; share = share->next) {
    bool taken = false;
    // acquire, pairs with the release in leave().
    if (atomic_compare_exchange_strong_explicit(&share->taken, &taken, true, memory_order_acquire,
                                                memory_order_relaxed)) {
      return share;
    }
  }
  return NULL;
}

static mr_census_share *add_share(void) {
  mr_census_share *share = mr_alloc_aligned(MR_CACHE_LINE, sizeof *share);
  if (!share) {
    return NULL;
  }
  for (int kind = 0; kind < MR_CENSUS_KINDS; kind++) {
    atomic_init(&share->counts[kind], 0);
  }
  for (int i = 0; i < MR_TALLIES; i++) {
    atomic_init(&share->tallies[i].begun, 0);
    atomic_init(&share->tallies[i].ended, 0);
  }
  atomic_init(&share->taken, true);
  share->next = atomic_load_explicit(&shares, memory_order_relaxed);  // relaxed: a guess for the swap below
  // release, pairs with the acquire of who walks the list; the shares behind were released by those who put them there.
  while (!atomic_compare_exchange_weak_explicit(&shares, &share->next, share, memory_order_acq_rel,
                                                memory_order_relaxed)) {
  }
  return share;
}

bool mr_census_settle(void) {
  if (mr_census_mine) {
    return true;
  }
  pthread_once(&key_once, make_key);
  mr_census_share *share = key_ok ? take_left() : NULL;
  if (key_ok && !share) {
    share = add_share();
  }
  if (share && pthread_setspecific(key, share) != 0) {
    leave(share);
    share = NULL;
  }
  mr_census_mine = share;
  return share != NULL;
}

// acquire, pairs with the release in add_share(): the shares are filled in.
mr_census_share *mr_census_shares(void) { return atomic_load_explicit(&shares, memory_order_acquire); }

void mr_census_add_slowly(mr_census_kind kind, int64_t count) {
  if (mr_census_settle()) {
    mr_census_add(kind, count);
  } else {
    atomic_fetch_add_explicit(&homeless[kind], count, memory_order_relaxed);  // relaxed: a number only
  }
}

void mr_census_ask(mr_census_kind kind, int64_t (*count)(void)) { asked[kind] = count; }

void mr_census(int64_t out_counts[MR_CENSUS_KINDS]) {
  // relaxed, all counts: numbers only.
  for (int kind = 0; kind < MR_CENSUS_KINDS; kind++) {
    out_counts[kind] = atomic_load_explicit(&homeless[kind], memory_order_relaxed) + (asked[kind] ? asked[kind]() : 0);
  }
  for (mr_census_share *share = mr_census_shares(); share; share = share->next) {
    for (int kind = 0; kind < MR_CENSUS_KINDS; kind++) {
      out_counts[kind] += atomic_load_explicit(&share->counts[kind], memory_order_relaxed);
    }
  }
}
