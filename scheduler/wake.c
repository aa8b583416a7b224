// Waking workers that sleep: the first side of the protocol at the top of worker.c, which has the second.
#include "futures/park.h"
#include "scheduler/internal.h"

bool mr_scheduler_take_sleeper(mr_scheduler *scheduler, uint32_t index) {
  uint64_t bit = (uint64_t)1 << (index % 64);
  // seq_cst: the protocol of worker.c.
  uint64_t before = atomic_fetch_and_explicit(&scheduler->sleepers[index / 64], ~bit, memory_order_seq_cst);
  if (!(before & bit)) {
    return false;
  }
  atomic_fetch_sub_explicit(&scheduler->sleeper_count, 1, memory_order_seq_cst);
  return true;
}

static void give_token(worker *w) {
  // release, pairs with the acquire in sleep_on_token() of worker.c.
  atomic_store_explicit(&w->token, 1, memory_order_release);
  mr_unpark(&w->token, 1);
}

void mr_scheduler_wake(mr_scheduler *scheduler, uint32_t index) {
  // seq_cst, as in the protocol: the caller has stored what the sleeper looks at after it set its bit.
  uint64_t word = atomic_load_explicit(&scheduler->sleepers[index / 64], memory_order_seq_cst);
  if (!(word >> (index % 64) & 1) || !mr_scheduler_take_sleeper(scheduler, index)) {
    return;
  }
  atomic_fetch_add_explicit(&scheduler->searching, 1, memory_order_seq_cst);
  give_token(scheduler->workers[index]);
}

// Takes the lowest bit in [first, end) and wakes its worker. False: nobody sleeps there.
static bool wake_in_range(mr_scheduler *scheduler, uint32_t first, uint32_t end) {
  for (uint32_t at = first; at < end;) {
    uint64_t word = atomic_load_explicit(&scheduler->sleepers[at / 64], memory_order_seq_cst);
    word &= ~(uint64_t)0 << (at % 64);
    uint32_t base = at / 64 * 64;
    if (!word) {
      at = base + 64;
      continue;
    }
    uint32_t index = base + (uint32_t)__builtin_ctzll(word);
    if (index >= end) {
      return false;
    }
    // Counted before the bit goes: a submitter must never see neither.
    atomic_fetch_add_explicit(&scheduler->searching, 1, memory_order_seq_cst);
    if (mr_scheduler_take_sleeper(scheduler, index)) {
      give_token(scheduler->workers[index]);
      return true;
    }
    atomic_fetch_sub_explicit(&scheduler->searching, 1, memory_order_seq_cst);
    at = index;
  }
  return false;
}

void mr_scheduler_wake_one(mr_scheduler *scheduler, uint32_t first, uint32_t count) {
  if (atomic_load_explicit(&scheduler->searching, memory_order_seq_cst) != 0) {
    return;
  }
  if (atomic_load_explicit(&scheduler->sleeper_count, memory_order_seq_cst) == 0) {
    return;
  }
  if (wake_in_range(scheduler, first, first + count)) {
    return;
  }
  // Nobody near: anybody, guests and substitutes included.
  wake_in_range(scheduler, 0, scheduler->worker_count + MR_SCHEDULER_GUESTS + MR_SCHEDULER_SUBSTITUTES);
}

void mr_scheduler_wake_helper(mr_scheduler *scheduler, uint32_t first, uint32_t count) {
  if (count == scheduler->worker_count) {
    mr_scheduler_wake_one(scheduler, first, count);
  } else if (atomic_load_explicit(&scheduler->sleeper_count, memory_order_seq_cst)) {
    wake_in_range(scheduler, first, first + count);
  }
}
