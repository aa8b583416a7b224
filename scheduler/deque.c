#include "scheduler/deque.h"

static _Atomic(mr_item) *slot(mr_deque *deque, int64_t index) {
  return &deque->items[(uint64_t)index % MR_DEQUE_CAPACITY];
}

// ---- The owner ------------------------------------------------------------------------------------------------------

mr_pushed mr_deque_push(mr_deque *deque, mr_item item) {
  int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);  // relaxed: ours
  if (MR_UNLIKELY(bottom - deque->top_seen >= MR_DEQUE_CAPACITY)) {
    // acquire, pairs with the swaps of top: a slot is written again only after its thief has read it. So it does for the
    // slots below, of which top_seen says that they were taken before.
    deque->top_seen = atomic_load_explicit(&deque->top, memory_order_acquire);
    if (bottom - deque->top_seen >= MR_DEQUE_CAPACITY) {
      return MR_PUSH_FULL;
    }
  }
  // Thieves that see the new bottom may claim many.
  if (bottom + 1 - deque->top_seen >= 2 * MR_DEQUE_BATCH) {
    deque->many_claimable = true;
  }
  atomic_store_explicit(slot(deque, bottom), item, memory_order_relaxed);  // relaxed: published by bottom
  // seq_cst: release publishes the item to thieves. Beyond that, the caller goes on to look for sleepers, who announce
  // themselves and then look here: one of the two sees the other.
  atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_seq_cst);
  return bottom == deque->top_seen ? MR_PUSH_FIRST : MR_PUSH_MORE;
}

bool mr_deque_holds(mr_deque *deque, int64_t count) {
  int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);  // relaxed: ours
  if (MR_LIKELY(bottom - deque->top_seen < count)) {
    return false;
  }
  deque->top_seen = atomic_load_explicit(&deque->top, memory_order_acquire);  // as in mr_deque_push()
  return bottom - deque->top_seen >= count;
}

void mr_deque_push_many(mr_deque *deque, const mr_item *items, uint32_t count) {
  int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);  // relaxed: ours
  deque->top_seen = atomic_load_explicit(&deque->top, memory_order_acquire);    // as in mr_deque_push()
  for (uint32_t i = 0; i < count; i++) {
    atomic_store_explicit(slot(deque, bottom + i), items[i], memory_order_relaxed);  // relaxed: published by bottom
  }
  if (bottom + count - deque->top_seen >= 2 * MR_DEQUE_BATCH) {
    deque->many_claimable = true;
  }
  atomic_store_explicit(&deque->bottom, bottom + count, memory_order_seq_cst);  // as in mr_deque_push()
}

// Moves top from *top by one; the items that the caller read before are its own then. seq_cst: the one order in which take
// and steal see top and bottom.
static bool move_top(mr_deque *deque, int64_t *top, int64_t by) {
  return atomic_compare_exchange_strong_explicit(&deque->top, top, *top + by, memory_order_seq_cst,
                                                 memory_order_seq_cst);
}

// The oldest item, by a swap that makes all claims on their way fail. `bottom` is one too low. 0: thieves took all.
static mr_item take_oldest(mr_deque *deque, int64_t top, int64_t bottom) {
  mr_item item = 0;
  while (top <= bottom) {
    item = atomic_load_explicit(slot(deque, top), memory_order_relaxed);  // relaxed: this thread wrote it
    if (move_top(deque, &top, 1)) {
      deque->top_seen = top + 1;
      deque->many_claimable = false;
      break;
    }
    item = 0;
  }
  atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_release);  // nothing is added: pairs with nobody new
  return item;
}

mr_item mr_deque_take(mr_deque *deque) {
  int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed) - 1;  // relaxed: ours
  // relaxed: top only grows, so what looks empty is empty, and the store below is saved.
  if (atomic_load_explicit(&deque->top, memory_order_relaxed) > bottom) {
    return 0;
  }
  // seq_cst, against top and bottom in a steal: either the thief sees that the item is claimed, or we see what was taken.
  atomic_store_explicit(&deque->bottom, bottom, memory_order_seq_cst);
  int64_t top = atomic_load_explicit(&deque->top, memory_order_seq_cst);
  deque->top_seen = top;
  if (MR_UNLIKELY(deque->many_claimable && bottom - top < MR_DEQUE_BATCH)) {
    return take_oldest(deque, top, bottom);
  }
  mr_item item = 0;
  if (top <= bottom) {
    item = atomic_load_explicit(slot(deque, bottom), memory_order_relaxed);  // relaxed: this thread wrote it
    if (top < bottom) {
      return item;
    }
    // The last one: whoever moves top has it.
    if (!move_top(deque, &top, 1)) {
      item = 0;
    }
    deque->top_seen = bottom + 1;  // either way
  }
  atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_release);  // nothing is added: pairs with nobody new
  return item;
}

// ---- Others ---------------------------------------------------------------------------------------------------------

uint32_t mr_deque_steal_many(mr_deque *deque, mr_item *out_items) {
  // seq_cst on both, in this order, against take().
  int64_t top = atomic_load_explicit(&deque->top, memory_order_seq_cst);
  int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_seq_cst);
  if (top >= bottom) {
    return 0;
  }
  uint32_t count = bottom - top >= 2 * MR_DEQUE_BATCH ? MR_DEQUE_BATCH : 1;
  for (uint32_t i = 0; i < count; i++) {
    // relaxed: bottom was acquired.
    out_items[i] = atomic_load_explicit(slot(deque, top + i), memory_order_relaxed);
  }
  return move_top(deque, &top, count) ? count : 0;
}

mr_item mr_deque_steal(mr_deque *deque) {
  // seq_cst on both, in this order, against take().
  int64_t top = atomic_load_explicit(&deque->top, memory_order_seq_cst);
  int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_seq_cst);
  if (top >= bottom) {
    return 0;
  }
  mr_item item = atomic_load_explicit(slot(deque, top), memory_order_relaxed);  // relaxed: bottom was acquired
  return move_top(deque, &top, 1) ? item : 0;
}

bool mr_deque_is_empty(const mr_deque *deque) {
  // seq_cst for a thread that has announced sleep and looks again; pairs with push().
  int64_t top = atomic_load_explicit(&deque->top, memory_order_seq_cst);
  return atomic_load_explicit(&deque->bottom, memory_order_seq_cst) <= top;
}
