// Owner and thieves agree as in Chase and Lev's deque, with `split` in the place of its bottom and a stretch of calls in the
// place of one: the owner lowers split, then reads top; a thief reads top, then split, then swaps top; all seq_cst. A thief
// that claims call t has read top = t. If the owner reads top = t after it lowered split to s, then
//
//   t <  s    nobody who reads top > t can still see the old split: calls from s on are the owner's
//   t >= s    the same holds from t + 1 on; call t itself may be claimed: it stays public, or is the last one, and then whoever
//             swaps top has it
//
// A thief that sees at least 2 BATCH public calls claims up to BATCH of them with one swap. So that this never reaches what
// the owner takes back, the owner swaps top itself, once, before it takes back what such a claim could cover: that makes
// all claims on their way fail. What it gets by the swap it puts on top.
#include "scheduler/calls.h"

// ---- The owner ------------------------------------------------------------------------------------------------------

static void set_easy_end(mr_calls *calls, int64_t split) {
  int64_t by_privacy = split + MR_CALLS_PRIVATE, by_room = calls->top_seen + MR_CALLS_ENOUGH;
  calls->easy_end = MR_MIN(by_privacy, by_room);
}

void mr_calls_init(mr_calls *calls) {
  // relaxed: nobody else knows the ring yet. wanted: the first call put here wakes or starts threads.
  atomic_store_explicit(&calls->top, 0, memory_order_relaxed);
  atomic_store_explicit(&calls->split, 0, memory_order_relaxed);
  atomic_store_explicit(&calls->wanted, true, memory_order_relaxed);
  calls->bottom = calls->top_seen = 0;
  calls->many_claimable = false;
  set_easy_end(calls, 0);
}

static void raise_split(mr_calls *calls, int64_t split, memory_order order) {
  if (split - calls->top_seen >= 2 * MR_CALLS_BATCH) {
    calls->many_claimable = true;
  }
  if (order == memory_order_seq_cst) {
    // seq_cst: release publishes the slots. Beyond that, the caller goes on to look for sleepers, who announce themselves and
    // then look here: one of the two sees the other.
    atomic_store_explicit(&calls->split, split, memory_order_seq_cst);
  } else {
    // release, pairs with steal(): the slots. Nobody is woken for these: who finds nothing sets `wanted` before it sleeps.
    atomic_store_explicit(&calls->split, split, memory_order_release);
  }
  set_easy_end(calls, split);
}

void mr_calls_publish(mr_calls *calls, int64_t count) {
  // relaxed: split is ours.
  raise_split(calls, atomic_load_explicit(&calls->split, memory_order_relaxed) + count, memory_order_seq_cst);
}

bool mr_calls_make_room(mr_calls *calls) {
  if (calls->bottom - calls->top_seen >= MR_CALLS_ENOUGH) {
    // acquire, pairs with the swaps of top: a slot is written again only after its thief has read it.
    calls->top_seen = atomic_load_explicit(&calls->top, memory_order_acquire);
    if (calls->bottom - calls->top_seen >= MR_CALLS_ENOUGH) {
      return false;
    }
  }
  int64_t split = atomic_load_explicit(&calls->split, memory_order_relaxed);  // relaxed: ours
  if (calls->bottom - split >= MR_CALLS_PRIVATE) {
    raise_split(calls, calls->bottom - MR_CALLS_PRIVATE / 2, memory_order_release);
  } else {
    set_easy_end(calls, split);
  }
  return true;
}

void mr_calls_put_many(mr_calls *calls, const mr_call *all, uint32_t count) {
  calls->top_seen = atomic_load_explicit(&calls->top, memory_order_acquire);  // as in mr_calls_make_room()
  for (uint32_t i = 0; i < count; i++) {
    mr_calls_write(calls, calls->bottom + i, &all[i]);
  }
  calls->bottom += count;
  if (count > MR_CALLS_PRIVATE / 2) {
    raise_split(calls, calls->bottom - MR_CALLS_PRIVATE / 2, memory_order_release);
  } else {
    set_easy_end(calls, atomic_load_explicit(&calls->split, memory_order_relaxed));  // relaxed: ours
  }
}

// Takes call `top` out by a swap and puts it on top of the others, whose end is `end`. False: a thief was faster.
static bool move_oldest_up(mr_calls *calls, int64_t top, int64_t end) {
  mr_call oldest = mr_calls_read(calls, top);  // this thread wrote it
  // seq_cst: the one order in which owner and thieves see top and split.
  if (!atomic_compare_exchange_strong_explicit(&calls->top, &top, top + 1, memory_order_seq_cst,
                                               memory_order_seq_cst)) {
    return false;
  }
  mr_calls_write(calls, end, &oldest);
  return true;
}

// What is public again is [top, split), what is private [split, bottom).
static void settle(mr_calls *calls, int64_t top, int64_t split, int64_t bottom) {
  calls->top_seen = top;
  calls->bottom = bottom;
  // release: nothing is added that thieves have not seen.
  atomic_store_explicit(&calls->split, split, memory_order_release);
  set_easy_end(calls, split);
}

bool mr_calls_reclaim(mr_calls *calls) {
  int64_t end = calls->bottom;
  // relaxed: top only grows, so what looks empty is empty.
  int64_t top = atomic_load_explicit(&calls->top, memory_order_relaxed);
  while (top < end) {
    int64_t some = MR_MIN((end - top + 1) / 2, MR_CALLS_PRIVATE / 2);
    int64_t split = end - some;
    // seq_cst on both, in this order: the table above.
    atomic_store_explicit(&calls->split, split, memory_order_seq_cst);
    top = atomic_load_explicit(&calls->top, memory_order_seq_cst);
    if (top >= end) {
      break;
    }
    if (calls->many_claimable && split - top < MR_CALLS_BATCH) {
      if (!move_oldest_up(calls, top, end)) {
        continue;
      }
      calls->many_claimable = false;
      settle(calls, top + 1, MR_MAX(split, top + 1), end + 1);
      return true;
    }
    if (top < split) {
      settle(calls, top, split, end);
      return true;
    }
    if (top + 1 < end) {
      settle(calls, top, top + 1, end);
      return true;
    }
    if (!move_oldest_up(calls, top, end)) {
      break;
    }
    settle(calls, top + 1, end, end + 1);
    return true;
  }
  settle(calls, end, end, end);
  return false;
}

// ---- Others ---------------------------------------------------------------------------------------------------------

static void want(mr_calls *calls) {
  // seq_cst for a thread that has been counted as idle before; pairs with mr_worker_share_calls(). Looking first keeps the
  // line shared while the owner has nothing to give.
  if (!atomic_load_explicit(&calls->wanted, memory_order_seq_cst)) {
    atomic_store_explicit(&calls->wanted, true,
                          memory_order_relaxed);  // relaxed: a hint; another look of its owner comes
  }
}

uint32_t mr_calls_steal(mr_calls *calls, mr_call *out_calls, uint32_t most) {
  // seq_cst on both, in this order, against reclaim().
  int64_t top = atomic_load_explicit(&calls->top, memory_order_seq_cst);
  int64_t split = atomic_load_explicit(&calls->split, memory_order_seq_cst);
  if (top >= split) {
    want(calls);
    return 0;
  }
  int64_t count = split - top >= 2 * MR_CALLS_BATCH ? MR_MIN(most, MR_CALLS_BATCH) : 1;
  for (int64_t i = 0; i < count; i++) {
    out_calls[i] = mr_calls_read(calls, top + i);
  }
  // seq_cst as above.
  if (!atomic_compare_exchange_strong_explicit(&calls->top, &top, top + count, memory_order_seq_cst,
                                               memory_order_seq_cst)) {
    return 0;
  }
  if (top + count >= split) {
    want(calls);  // the next one that comes should find something
  }
  return (uint32_t)count;
}

bool mr_calls_have_nothing(mr_calls *calls) {
  int64_t top = atomic_load_explicit(&calls->top, memory_order_seq_cst);
  if (atomic_load_explicit(&calls->split, memory_order_seq_cst) > top) {
    return false;
  }
  want(calls);
  return true;
}
