#include "scheduler/deque.h"

static _Atomic(mr_item) *slot(mr_deque *deque, int64_t index) {
  return &deque->items[(uint64_t)index % MR_DEQUE_CAPACITY];
}

mr_pushed mr_deque_push(mr_deque *deque, mr_item item) {
  int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);  // relaxed: ours
  // acquire, pairs with the swap in steal(): a slot is written again only after its thief has read it.
  int64_t top = atomic_load_explicit(&deque->top, memory_order_acquire);
  if (bottom - top >= MR_DEQUE_CAPACITY) return MR_PUSH_FULL;
  atomic_store_explicit(slot(deque, bottom), item, memory_order_relaxed);  // relaxed: published by bottom
  // seq_cst: release publishes the item to thieves. Beyond that, the caller goes on to look for sleepers, who announce
  // themselves and then look here: one of the two sees the other.
  atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_seq_cst);
  return bottom == top ? MR_PUSH_FIRST : MR_PUSH_MORE;
}

mr_item mr_deque_take(mr_deque *deque) {
  int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed) - 1;  // relaxed: ours
  // relaxed: top only grows, so what looks empty is empty, and the store below is saved.
  if (atomic_load_explicit(&deque->top, memory_order_relaxed) > bottom) return 0;
  // seq_cst, against bottom and top in steal(): either the thief sees that the item is claimed, or we see that it was taken.
  atomic_store_explicit(&deque->bottom, bottom, memory_order_seq_cst);
  int64_t top = atomic_load_explicit(&deque->top, memory_order_seq_cst);
  mr_item item = 0;
  if (top <= bottom) {
    item = atomic_load_explicit(slot(deque, bottom), memory_order_relaxed);  // relaxed: this thread wrote it
    if (top < bottom) return item;
    // The last one: whoever moves top has it. seq_cst as above.
    if (!atomic_compare_exchange_strong_explicit(&deque->top, &top, top + 1, memory_order_seq_cst,
                                                 memory_order_relaxed)) {
      item = 0;
    }
  }
  atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_release);  // nothing is added: pairs with nobody new
  return item;
}

mr_item mr_deque_steal(mr_deque *deque) {
  // seq_cst on both, in this order, against take().
  int64_t top = atomic_load_explicit(&deque->top, memory_order_seq_cst);
  int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_seq_cst);
  if (top >= bottom) return 0;
  mr_item item = atomic_load_explicit(slot(deque, top), memory_order_relaxed);  // relaxed: bottom was acquired
  if (!atomic_compare_exchange_strong_explicit(&deque->top, &top, top + 1, memory_order_seq_cst,
                                               memory_order_relaxed)) {
    return 0;
  }
  return item;
}

bool mr_deque_is_empty(const mr_deque *deque) {
  // seq_cst for a thread that has announced sleep and looks again; pairs with push().
  int64_t top = atomic_load_explicit(&deque->top, memory_order_seq_cst);
  return atomic_load_explicit(&deque->bottom, memory_order_seq_cst) <= top;
}
