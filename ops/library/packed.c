// Slots for packed weights.
#include "ops/library/packed.h"

void mr_packed_slot_init(mr_packed_slot *slot) { atomic_init(&slot->packed, NULL); }

void mr_packed_slot_deinit(mr_packed_slot *slot) {
  mr_packed_release(atomic_load_explicit(&slot->packed, memory_order_acquire));
}

static bool same(mr_content a, mr_content b) { return a.storage == b.storage && a.generation == b.generation; }

mr_packed *mr_packed_find(mr_packed_slot *slot, mr_content content) {
  if (!content.storage) {
    return NULL;
  }
  mr_rcu_begin();
  mr_packed *found = atomic_load_explicit(&slot->packed, memory_order_acquire);
  if (found && same(found->content, content)) {
    mr_ref_retain(&found->ref);
  } else {
    found = NULL;
  }
  mr_rcu_end();
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
  return packed;
}

void mr_packed_keep(mr_packed_slot *slot, mr_packed *packed) {
  if (!packed->content.storage) {
    return;
  }
  mr_ref_retain(&packed->ref);
  mr_packed *before = atomic_exchange_explicit(&slot->packed, packed, memory_order_acq_rel);
  if (before) {
    mr_rcu_wait();  // for who has found it and not yet retained it
  }
  mr_packed_release(before);
}

void mr_packed_release(mr_packed *packed) {
  if (packed && mr_ref_release(&packed->ref)) {
    mr_free(packed->data);
    mr_free(packed);
  }
}
