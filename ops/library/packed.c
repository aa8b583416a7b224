// Slots for packed weights.
#include "ops/library/packed.h"

#include <pthread.h>

#include "core/fork.h"
#include "core/tidy.h"

MR_FORK_LOCK(lock);
static mr_packed_slot *slots;
static _Atomic(uint32_t) current_round;  // relaxed: a clock

static uint32_t now(void) { return atomic_load_explicit(&current_round, memory_order_relaxed); }

// Takes out of sight what nobody has asked for; NULL when there is none.
static mr_packed *take_idle(mr_packed_slot *slot, bool *out_left) {
  mr_packed *packed = atomic_load_explicit(&slot->packed, memory_order_acquire);
  if (!packed) {
    return NULL;
  }
  if (now() - atomic_load_explicit(&packed->used_in, memory_order_relaxed) < MR_TIDY_IDLE_ROUNDS) {
    *out_left = true;
    return NULL;
  }
  return atomic_exchange_explicit(&slot->packed, NULL, memory_order_acq_rel);
}

// Up to `most` of them. True: there may be more.
static bool take_all_idle(mr_packed **out_idle, size_t most, size_t *out_count, bool *out_left) {
  pthread_mutex_lock(&lock);
  mr_packed_slot *slot = slots;
  for (*out_count = 0; slot && *out_count < most; slot = slot->after) {
    out_idle[*out_count] = take_idle(slot, out_left);
    *out_count += out_idle[*out_count] != NULL;
  }
  pthread_mutex_unlock(&lock);
  return slot != NULL;
}

// On the thread of core/tidy.h.
static bool tidy_up(void) {
  enum { AT_ONCE = 64 };
  atomic_fetch_add_explicit(&current_round, 1, memory_order_relaxed);
  bool left, more;
  do {
    mr_packed *idle[AT_ONCE];
    size_t count;
    left = false;
    more = take_all_idle(idle, AT_ONCE, &count, &left);
    if (count) {
      mr_rcu_wait();  // for who has found one and not yet retained it
    }
    for (size_t i = 0; i < count; i++) {
      mr_packed_release(idle[i]);
    }
  } while (more);
  return left;
}

static mr_tidy tidy = {.run = tidy_up};

static void list_slot(mr_packed_slot *slot) {
  pthread_mutex_lock(&lock);
  if (!slot->listed) {
    slot->listed = true;
    slot->before = NULL;
    slot->after = slots;
    if (slots) {
      slots->before = slot;
    }
    slots = slot;
  }
  pthread_mutex_unlock(&lock);
}

static void unlist_slot(mr_packed_slot *slot) {
  pthread_mutex_lock(&lock);
  if (slot->listed) {
    if (slot->before) {
      slot->before->after = slot->after;
    }
    if (slot->after) {
      slot->after->before = slot->before;
    }
    if (slots == slot) {
      slots = slot->after;
    }
  }
  pthread_mutex_unlock(&lock);
}

void mr_packed_slot_init(mr_packed_slot *slot) {
  *slot = (mr_packed_slot){.listed = false};
  atomic_init(&slot->packed, NULL);
  atomic_init(&slot->offered, 0);
}

void mr_packed_slot_deinit(mr_packed_slot *slot) {
  unlist_slot(slot);
  mr_packed_release(atomic_load_explicit(&slot->packed, memory_order_acquire));
}

static bool same(mr_content a, mr_content b) { return a.storage == b.storage && a.generation == b.generation; }

void mr_packed_slot_format(mr_packed_slot *slot, const mr_span *parts, size_t num_parts) {
  mr_hash128 hash = {num_parts, 0};
  for (size_t i = 0; i < num_parts; i++) {
    hash = mr_hash128_of(parts[i].data, parts[i].size, hash);
  }
  slot->format = hash;
}

// The one in the slot, with one more reference, when it was packed from `content`.
static mr_packed *find_in(mr_packed_slot *slot, mr_content content) {
  mr_rcu_begin();
  mr_packed *found = atomic_load_explicit(&slot->packed, memory_order_acquire);
  if (found && same(found->content, content)) {
    mr_ref_retain(&found->ref);
    atomic_store_explicit(&found->used_in, now(), memory_order_relaxed);
  } else {
    found = NULL;
  }
  mr_rcu_end();
  return found;
}

static void leave(mr_packed_slot *slot, mr_packed *packed) {
  mr_ref_retain(&packed->ref);
  mr_packed *before = atomic_exchange_explicit(&slot->packed, packed, memory_order_acq_rel);
  if (before) {
    mr_rcu_wait();  // for who has found it and not yet retained it
  }
  mr_packed_release(before);
  list_slot(slot);
  mr_tidy_later(&tidy);
}

// Of another slot of the format. Looked for where a slot has not what is asked for: once for each, or when weights change.
static mr_packed *find_elsewhere(mr_packed_slot *slot, mr_content content) {
  mr_packed *found = NULL;
  if (!slot->format.low && !slot->format.high) {
    return NULL;
  }
  pthread_mutex_lock(&lock);
  for (mr_packed_slot *other = slots; other && !found; other = other->after) {
    if (other != slot && other->format.low == slot->format.low && other->format.high == slot->format.high) {
      found = find_in(other, content);
    }
  }
  pthread_mutex_unlock(&lock);
  return found;
}

mr_packed *mr_packed_find(mr_packed_slot *slot, mr_content content) {
  if (!content.storage) {
    return NULL;
  }
  mr_packed *found = find_in(slot, content);
  if (!found && (found = find_elsewhere(slot, content)) != NULL) {
    leave(slot, found);
  }
  return found;
}

mr_packed *mr_packed_create(mr_content content, size_t bytes) {
  mr_packed *packed = mr_alloc(sizeof *packed);
  void *data = packed ? mr_alloc_aligned(64, (bytes + 63) & ~(size_t)63) : NULL;
  if (!data) {
    mr_free(packed);
    return NULL;
  }
  mr_ref_init(&packed->ref);
  packed->content = content;
  packed->data = data;
  atomic_store_explicit(&packed->used_in, now(), memory_order_relaxed);
  return packed;
}

// Never zero; two contents with one mark cost memory for some seconds, no more.
static uint64_t mark_of(mr_content content) {
  return ((uint64_t)(uintptr_t)content.storage + (uint64_t)content.generation * UINT64_C(0x9E3779B97F4A7C15)) | 1;
}

void mr_packed_keep(mr_packed_slot *slot, mr_packed *packed) {
  if (!packed->content.storage) {
    return;
  }
  uint64_t mark = mark_of(packed->content);
  if (atomic_exchange_explicit(&slot->offered, mark, memory_order_relaxed) != mark) {  // relaxed: a hint
    return;
  }
  leave(slot, packed);
}

void mr_packed_release(mr_packed *packed) {
  if (packed && mr_ref_release(&packed->ref)) {
    mr_free(packed->data);
    mr_free(packed);
  }
}
