// calls: a thread's ring of calls that it has promised to make and that others may make instead. Private to the scheduler.
//
// States of mr_calls.top, mr_calls.split:
//
//        top           split        bottom
//   ------|--------------|------------|------     `top` only grows; `split` and `bottom` are the owner's
//    gone |    public    |   private  | unused
//         +--> steal  <--+--> publish +--> put
//                 reclaim     take <--+
//
//   who                    operation                           order, and with what it pairs                              at once
//   owner                  publish: raises split               release of the slots; seq_cst where it then looks for      thieves
//                                                              sleepers (mr_worker_share_calls)
//   owner                  reclaim: lowers split, then a load  seq_cst both, in this order, against a thief's loads: one  thieves
//                          of top                              of the two sees the other
//   owner                  reclaim: swap, top + 1              seq_cst, against thieves' swaps                            thieves
//   owner                  load of top, before slots are       acquire of a thief's swap: it has read them                thieves
//                          written again
//   thief                  loads of top, split; slots; swap,   seq_cst all, in this order; acquire of the slots with      everybody
//                          top + n                             split, release of them with top
//   who is about to sleep  loads of top, split                 seq_cst, after it has announced that                       everybody
//
// One thread at a time is the owner, and any number steals meanwhile.
//
// States of mr_calls.wanted:
//
//   true, at first --the owner has shared, and all are busy--> false --who finds nothing here--> true
//
//   who                operation                           order, and with what it pairs                              at once
//   owner              store, -> false, then a look for    seq_cst both, in this order: who becomes idle is counted,  who steals
//                      who is idle                         then looks here; one of the two sees the other
//   owner              store, -> true, when there is one;  relaxed: a hint to itself                                  who steals
//                      load
//   who finds nothing  load; store, -> true                seq_cst, after it has been counted; the store relaxed:     everybody
//                                                          another look of the owner's comes
//
// The newest calls are private: putting and taking them is plain memory, no fence and no atomic operation. Everything
// older is public, so that a thread that comes looking finds the oldest, which in a recursion are the largest. While a
// thread is idle (`wanted`), every call becomes public when it is put. `split` moves down when the owner has run out of
// private ones, and that is the only time when the owner and thieves have to agree. Calls lie in the ring by value.
#ifndef MR_SCHEDULER_CALLS_H
#define MR_SCHEDULER_CALLS_H

#include <stdatomic.h>

#include "core/core.h"
#include "scheduler/tuning.h"

struct mr_scope;

typedef struct mr_call {
  void (*run)(void *argument);
  void *argument;
  struct mr_scope *scope;
} mr_call;

// Atomic because a thief may read a slot that is being written again; it throws away what it read then. relaxed throughout:
// `split` publishes what the slots hold.
typedef struct mr_call_slot {
  _Atomic(uintptr_t) run;
  _Atomic(void *) argument;
  _Atomic(struct mr_scope *) scope;
} mr_call_slot;

typedef struct mr_calls {
  _Alignas(MR_CACHE_LINE) _Atomic(int64_t) top;
  _Alignas(MR_CACHE_LINE) _Atomic(int64_t) split;
  _Atomic(bool) wanted;  // a thief found nothing here; the owner clears it when nobody is idle
  // The owner's: how far `bottom` may go without a closer look; a value that top had; whether a claim of many may be on its
  // way.
  _Alignas(MR_CACHE_LINE) int64_t bottom;
  int64_t easy_end;
  int64_t top_seen;
  bool many_claimable;
  mr_call_slot slots[MR_CALLS_CAPACITY];
} mr_calls;

// ---- The slow half, calls.c -------------------------------------------------------------------------------------------

void mr_calls_init(mr_calls *calls);
// There is no easy room: publishes some, or looks what thieves have taken. False: enough is waiting.
bool mr_calls_make_room(mr_calls *calls);
// Nothing is private: makes some of what is public private again. False: thieves have all of it.
bool mr_calls_reclaim(mr_calls *calls);
// Makes the `count` oldest private calls public. seq_cst inside: whoever announces sleep afterwards sees them.
void mr_calls_publish(mr_calls *calls, int64_t count);
// Puts several at once, the last on top; the ring is empty.
void mr_calls_put_many(mr_calls *calls, const mr_call *all, uint32_t count);
// Others: the oldest public calls, oldest first: one, or up to `most` and MR_CALLS_BATCH of many. 0: there is none, which the
// owner is told, or another thread was faster.
uint32_t mr_calls_steal(mr_calls *calls, mr_call *out_calls, uint32_t most);
// Others: whether there is nothing to steal, which the owner is told. seq_cst, for a thread that has announced sleep.
bool mr_calls_have_nothing(mr_calls *calls);

// ---- The owner's quick half -------------------------------------------------------------------------------------------

static inline mr_call_slot *mr_calls_slot(mr_calls *calls, int64_t index) {
  return &calls->slots[(uint64_t)index % MR_CALLS_CAPACITY];
}

static inline void mr_calls_write(mr_calls *calls, int64_t index, const mr_call *call) {
  mr_call_slot *slot = mr_calls_slot(calls, index);
  atomic_store_explicit(&slot->run, (uintptr_t)call->run, memory_order_relaxed);
  atomic_store_explicit(&slot->argument, call->argument, memory_order_relaxed);
  atomic_store_explicit(&slot->scope, call->scope, memory_order_relaxed);
}

static inline mr_call mr_calls_read(mr_calls *calls, int64_t index) {
  mr_call_slot *slot = mr_calls_slot(calls, index);
  return (mr_call){.run = (void (*)(void *))atomic_load_explicit(&slot->run, memory_order_relaxed),
                   .argument = atomic_load_explicit(&slot->argument, memory_order_relaxed),
                   .scope = atomic_load_explicit(&slot->scope, memory_order_relaxed)};
}

// How many are private. relaxed: split is ours.
static inline int64_t mr_calls_private(const mr_calls *calls) {
  return calls->bottom - atomic_load_explicit(&calls->split, memory_order_relaxed);
}

static inline bool mr_calls_put(mr_calls *calls, const mr_call *call) {
  if (MR_UNLIKELY(calls->bottom >= calls->easy_end) && !mr_calls_make_room(calls)) {
    return false;
  }
  mr_calls_write(calls, calls->bottom, call);
  calls->bottom++;
  return true;
}

// The newest call. False: none is left here.
static inline bool mr_calls_take(mr_calls *calls, mr_call *out_call) {
  if (MR_UNLIKELY(mr_calls_private(calls) == 0) && !mr_calls_reclaim(calls)) {
    return false;
  }
  *out_call = mr_calls_read(calls, --calls->bottom);
  return true;
}

// Somebody waits for calls, and there are some to give. relaxed: a hint, and the next look comes soon.
static inline bool mr_calls_should_share(const mr_calls *calls) {
  return MR_UNLIKELY(atomic_load_explicit(&calls->wanted, memory_order_relaxed)) && mr_calls_private(calls) > 0;
}

#endif
