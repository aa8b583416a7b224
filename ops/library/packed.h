// packed: weights in a library's own format, kept from one call to the next while the array they were made from is the same,
// and as long as calls come: what nobody has asked for in some seconds is freed. Private to ops/library.
//
// Threads: a slot may be asked by many threads at once. Whoever finds it empty or outdated packs for itself and leaves the
// result there; a user keeps what it got until it lets go, whatever happens to the slot.
#ifndef MR_OPS_LIBRARY_PACKED_H
#define MR_OPS_LIBRARY_PACKED_H

#include "core/rcu.h"
#include "core/ref.h"
#include "devices/devices.h"

typedef struct mr_packed {
  mr_ref ref;
  mr_content content;
  void *data;                 // 64-byte aligned, owned
  _Atomic(uint32_t) used_in;  // the round of core/tidy.h
} mr_packed;

// Lies where it was initialized.
typedef struct mr_packed_slot {
  mr_hash128 format;  // of what is left here: equal ones are made of equal arrays alike. Zeros: of no other slot's
  _Atomic(mr_packed *) packed;            // owned; NULL: nothing yet. Acquire and release; read as core/rcu.h says
  _Atomic(uint64_t) offered;              // what was packed last, for mr_packed_keep(); relaxed: a hint
  struct mr_packed_slot *before, *after;  // of all that something was ever left in; under the lock of packed.c
  bool listed;                            // likewise
} mr_packed_slot;

void mr_packed_slot_init(mr_packed_slot *slot);
// Before the slot is used: all that decides what becomes of an array, how it lies and how it is to lie, as bytes.
void mr_packed_slot_format(mr_packed_slot *slot, const mr_span *parts, size_t num_parts);
void mr_packed_slot_deinit(mr_packed_slot *slot);
// One more reference to what was packed from `content`; NULL when that is unknown, or neither here nor in a slot of the same format, as another
// size of the same model has it: from there it is left here as well.
mr_packed *mr_packed_find(mr_packed_slot *slot, mr_content content);
// An empty one of `bytes` for the caller to fill; NULL when memory is short.
mr_packed *mr_packed_create(mr_content content, size_t bytes);
// Leaves a filled one in the slot, unless its content is unknown or another one than what was packed here the last time: weights that are
// used once, op by op or in a step that changes them, are not kept twice. The caller keeps its reference.
void mr_packed_keep(mr_packed_slot *slot, mr_packed *packed);
void mr_packed_release(mr_packed *packed);

#endif
