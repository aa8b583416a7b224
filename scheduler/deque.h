// deque: a work-stealing queue of fixed size (Chase and Lev, 2005; orders after Le, Pop, Cohen and Zappa Nardelli, 2013,
// with the fences put on the accesses), in which a thief may take many items at once when there are many.
//
//             push    take    steal
//   owner      x       x        -       one thread at a time
//   others     -       -        x       any number, also while the owner is at it
//
// `bottom` is written by the owner alone, `top` only grows. Items are in [top, bottom).
//
// Many at once: a thief that reads top = t and then bottom >= t + 2 BATCH may claim [t, t + n), n <= BATCH, with one swap of
// top, although bottom may have come down since. So that what it claims is never what the owner takes without a swap:
//   - the owner takes item b without a swap only when b >= top + BATCH, or when no such claim can be on its way;
//   - when it comes down to less, it takes the oldest item by a swap of top, once, which makes all claims on their way fail.
// Claims that begin later see how little there is.
#ifndef MR_SCHEDULER_DEQUE_H
#define MR_SCHEDULER_DEQUE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "graph/graph.h"
#include "scheduler/tuning.h"

typedef struct mr_deque {
  _Alignas(MR_CACHE_LINE) _Atomic(int64_t) top;
  _Alignas(MR_CACHE_LINE) _Atomic(int64_t) bottom;
  // The owner's: a value that top had, so that pushing does not touch the thieves' line; and whether a claim of many may be
  // on its way.
  int64_t top_seen;
  bool many_claimable;
  _Alignas(MR_CACHE_LINE) _Atomic(mr_item) items[MR_DEQUE_CAPACITY];
} mr_deque;

typedef enum mr_pushed { MR_PUSH_FULL, MR_PUSH_FIRST, MR_PUSH_MORE } mr_pushed;
// FIRST: it is the only item; MORE: about. seq_cst inside: what was pushed is visible to everybody who announces sleep
// afterwards.
mr_pushed mr_deque_push(mr_deque *deque, mr_item item);
// The owner: whether it holds at least `count` items, looking at the thieves' line only when it seems so.
bool mr_deque_holds(mr_deque *deque, int64_t count);
// Puts several, the last on top; the deque has room for them.
void mr_deque_push_many(mr_deque *deque, const mr_item *items, uint32_t count);
// The newest item, or now and then the oldest; 0 when there is none.
mr_item mr_deque_take(mr_deque *deque);
// The oldest items, oldest first: one, or up to MR_DEQUE_BATCH of many. 0 when there is none or another thread was faster.
uint32_t mr_deque_steal_many(mr_deque *deque, mr_item *out_items);
// The oldest item; 0 as above.
mr_item mr_deque_steal(mr_deque *deque);
// A hint unless the caller is the owner, or has just announced something with seq_cst.
bool mr_deque_is_empty(const mr_deque *deque);

#endif
