// How an owner knows that it is alone.
//
// Ends are counted first, beginnings after that, both of all threads. Each thing whose end was counted has its beginning counted, as
// that came before. So equal sums mean that the ends of all things were counted whose beginnings were. A thing that was not
// counted at all was begun by the owner, which is over, or by who had another thing meanwhile. That one's end, had it been
// counted, came after the beginning in question, which would have been counted then; so it was not counted at all either,
// and so on back to one that the owner began before it closed: there is none. What is added up need not be of one moment.
#include "core/tally.h"

#include <assert.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/fork.h"

mr_tally_bits mr_tally_awaited;
static_assert(MR_TALLIES <= 32, "a bit of mr_tally_awaited for each");

MR_FORK_LOCK(lock);                 // of the three
static uint32_t users[MR_TALLIES];  // owners that have the number
static mr_tally_owner *waiting;

// Of threads that could get no share of their own.
static mr_census_tally homeless[MR_TALLIES];

// ---- Counting -----------------------------------------------------------------------------------------------------------

void mr_tally_begin_slowly(uint8_t number) {
  if (mr_census_settle()) {
    mr_tally_begin(number);
  } else {
    // relaxed: as in mr_tally_begin().
    atomic_fetch_add_explicit(&homeless[number].begun, 1, memory_order_relaxed);
  }
}

void mr_tally_end_slowly(uint8_t number) {
  if (mr_census_settle()) {
    mr_tally_end(number);
    return;
  }
  atomic_fetch_add_explicit(&homeless[number].ended, 1, memory_order_release);  // release: as in mr_tally_end()
  if (atomic_load_explicit(&mr_tally_awaited.bits, memory_order_relaxed)) {     // relaxed: see mr_tally_close()
    mr_tally_look();
  }
}

static bool is_over(uint8_t number) {
  // acquire, pairs with the release of each end.
  uint64_t ended = atomic_load_explicit(&homeless[number].ended, memory_order_acquire);
  for (mr_census_share *share = mr_census_shares(); share; share = share->next) {
    ended += atomic_load_explicit(&share->tallies[number].ended, memory_order_acquire);
  }
  // relaxed: beginnings that matter came before ends that were read.
  uint64_t begun = atomic_load_explicit(&homeless[number].begun, memory_order_relaxed);
  for (mr_census_share *share = mr_census_shares(); share; share = share->next) {
    begun += atomic_load_explicit(&share->tallies[number].begun, memory_order_relaxed);
  }
  return begun == ended;
}

int64_t mr_tally_alive(void) {
  uint64_t alive = 0;  // relaxed, all: a number only
  for (int i = 0; i < MR_TALLIES; i++) {
    alive += atomic_load_explicit(&homeless[i].begun, memory_order_relaxed);
    alive -= atomic_load_explicit(&homeless[i].ended, memory_order_relaxed);
  }
  for (mr_census_share *share = mr_census_shares(); share; share = share->next) {
    for (int i = 0; i < MR_TALLIES; i++) {
      alive += atomic_load_explicit(&share->tallies[i].begun, memory_order_relaxed);
      alive -= atomic_load_explicit(&share->tallies[i].ended, memory_order_relaxed);
    }
  }
  return (int64_t)alive;
}

// ---- Owners -------------------------------------------------------------------------------------------------------------

void mr_tally_open(mr_tally_owner *owner) {
  int least = 0;
  pthread_mutex_lock(&lock);
  for (int number = 1; number < MR_TALLIES; number++) {
    least = users[number] < users[least] ? number : least;
  }
  users[least]++;
  pthread_mutex_unlock(&lock);
  owner->number = (uint8_t)least;
}

// Under the lock.
static void say_awaited(void) {
  uint32_t awaited = 0;
  for (const mr_tally_owner *owner = waiting; owner; owner = owner->next) {
    awaited |= (uint32_t)1 << owner->number;
  }
  // relaxed: see mr_tally_close().
  atomic_store_explicit(&mr_tally_awaited.bits, awaited, memory_order_relaxed);
}

void mr_tally_look(void) {
  mr_tally_owner *gone = NULL;
  pthread_mutex_lock(&lock);
  for (mr_tally_owner **at = &waiting; *at;) {
    mr_tally_owner *owner = *at;
    if (is_over(owner->number)) {
      *at = owner->next;
      owner->next = gone;
      gone = owner;
      users[owner->number]--;
    } else {
      at = &owner->next;
    }
  }
  say_awaited();
  pthread_mutex_unlock(&lock);
  while (gone) {
    mr_tally_owner *next = gone->next;  // read first: gone() frees the owner
    gone->gone(gone);
    gone = next;
  }
}

// Every thread of the process goes through a full barrier. A system without the call gets the time in which a store becomes visible
// anyhow.
static void pass_all_threads(void) {
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0 ||
      syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
}

// A thread that ends a thing counts and then looks whether somebody waits; this says that somebody waits and then counts. One of
// the two must see the other, for which a full barrier has to be in between on both sides. Threads that end things have
// none, so they get one from here.
void mr_tally_close(mr_tally_owner *owner) {
  pthread_mutex_lock(&lock);
  bool over = is_over(owner->number);
  if (over) {
    users[owner->number]--;
  } else {
    owner->next = waiting;
    waiting = owner;
    say_awaited();
  }
  pthread_mutex_unlock(&lock);
  if (over) {
    owner->gone(owner);
    return;
  }
  pass_all_threads();
  mr_tally_look();
}
