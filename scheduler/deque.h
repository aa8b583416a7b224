// deque: a work-stealing queue of fixed size (Chase and Lev, 2005; orders after Le, Pop, Cohen and Zappa Nardelli, 2013,
// with the fences put on the accesses), in which a thief may take many items at once when there are many.
//
// States of mr_deque.top, mr_deque.bottom:
//
//         top                     bottom          `top` only grows, `bottom` is the owner's; items are in [top, bottom)
//   -------|--- oldest .. newest ---|-------      bottom = top: empty. bottom = top - 1: the owner is in mr_deque_take()
//          +--> steal      take <---+---> push
//
//   who                    operation                           order, and with what it pairs                              at once
//   owner                  push: bottom + 1                    seq_cst: release of the item; then it looks for sleepers:  thieves
//                                                              the protocol in worker.c
//   owner                  take: bottom - 1, then a load of    seq_cst both, in this order, against a thief's loads: one  thieves
//                          top; b > top: b is its own          of the two sees the other
//   owner                  swap, top + 1: of the last item,    seq_cst, against thieves' swaps                            thieves
//                          and of the oldest, see below
//   owner                  bottom + 1 after that               release: nothing is added                                  thieves
//   owner                  load of top, before a slot is       acquire of a thief's swap: it has read the slot            thieves
//                          written again
//   thief                  loads of top, bottom; items; swap,  seq_cst all, in this order; acquire of the items with      everybody
//                          top + n                             bottom, release of the slots with top
//   who is about to sleep  loads of top, bottom                seq_cst, after it has announced that                       everybody
//
// One thread at a time is the owner.
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
