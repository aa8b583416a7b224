// Slots for packed weights.
#include "ops/library/packed.h"

void mr_packed_slot_init(mr_packed_slot *slot) {
  pthread_mutex_init(&slot->lock, NULL);
  slot->packed = NULL;
}

void mr_packed_slot_deinit(mr_packed_slot *slot) {
  mr_packed_release(slot->packed);
  pthread_mutex_destroy(&slot->lock);
}

static bool same(mr_content a, mr_content b) { return a.storage == b.storage && a.generation == b.generation; }

mr_packed *mr_packed_find(mr_packed_slot *slot, mr_content content) {
  mr_packed *found = NULL;
  pthread_mutex_lock(&slot->lock);
  if (content.storage && slot->packed && same(slot->packed->content, content)) {
    found = slot->packed;
    mr_ref_retain(&found->ref);
  }
  pthread_mutex_unlock(&slot->lock);
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
  pthread_mutex_lock(&slot->lock);
  mr_packed *before = slot->packed;
  slot->packed = packed;
  pthread_mutex_unlock(&slot->lock);
  mr_packed_release(before);
}

void mr_packed_release(mr_packed *packed) {
  if (packed && mr_ref_release(&packed->ref)) {
    mr_free(packed->data);
    mr_free(packed);
  }
}
