// Buffers: a typed tensor whose content is there, or will be.
//
// Two counts. `refs` keeps the struct: handles and holds have one each. `uses` keeps the storage: the buffer itself has one
// until it is deleted or donated, each hold has one; the last takes the storage along. The top bit of `uses` says
// "deleted", so that looking and taking are one exchange.
//
// States of mr_buffer.uses, with n holds:
//
//   alive: n + 1 --delete--> deleted: DELETED | n --the last use goes--> DELETED, no storage
//     |     ^                          ^
//   donate  | give back                +--------------- give back ---------------+
//     v     |                                                                    |
//   donated: DELETED | n + 1, the buffer's own use is the donor's --delete--> DELETED | UNWANTED | n + 1
//
//   who                    operation                     order, and with what it pairs                              at once
//   who deletes, who       swap, sets DELETED            relaxed: it has the buffer's own use then, and lets go of  everybody
//   donates                                              it as any other
//   who deletes            swap, DELETED, sets UNWANTED  relaxed: with it nothing is let go of                      everybody
//   donor that gives back  swap, clears DELETED          relaxed: its use becomes the buffer's, so the storage      everybody
//                                                        cannot have gone
//   who holds              swap, + 1, not DELETED        acquire, of what users before have done                    everybody
//   with a hold            + 1                           relaxed: the caller has a use                              everybody
//   with a use             - 1; the last lets go of the  acq_rel: release of what it did to the storage; acquire,   everybody
//                          storage                       by the last, of what all did
//   donor                  load; alone when there is 1   acquire, of what the others did; with DELETED no others    everybody
//                                                        come
//
// States of mr_buffer.storage:
//
//   NULL --by who makes it; the producer; who wants its address first--> block --part(), once--> own block
//                                                                          +---the donor takes it---> NULL
//
//   who               operation                order, and with what it pairs                              at once
//   who defines it    swap, NULL -> block      release of the struct, whose content `ready` orders;       everybody
//                                              acquire, of the block that was first
//   who is to write   swap, block -> own copy  release (acq_rel) of it; acquire, of the copy that was     everybody
//                                              first. The old one stays, as `parted`, for those who read
//                                              it
//   donor             store, -> NULL           relaxed: it has the last use                               nobody
//   with a use, or a  load                     acquire, of the struct                                     everybody
//   reference of the
//   host's
//
// A producer copies its content to a block whose address somebody has wanted first. A block is replaced when buffers of several devices
// have it in common and one is to be written from outside.
#include <assert.h>
#include <string.h>

#include "devices/devices.h"

#include "core/ref.h"
#include "core/tally.h"
#include "futures/pool.h"

#define DELETED ((uint32_t)1 << 31)
#define UNWANTED ((uint32_t)1 << 30)  // deleted after that: a donor's giving back does not bring it back
enum { INLINE_RANK = 6 };

struct mr_buffer {
  mr_ref refs;
  _Atomic(uint32_t) uses;
  mr_dtype dtype;
  mr_memory *memory;
  _Atomic(mr_storage *) storage;  // owned by `uses`; NULL: not known yet
  mr_storage *parted;             // owned by `uses` as well; written while somebody has one
  mr_future *ready;               // counted, NULL: ready from the start
  size_t bytes;
  size_t rank;
  int64_t *dims;  // own_dims or on the heap
  int64_t own_dims[INLINE_RANK];
};

// acquire, pairs with publish(): the struct behind the pointer is filled in. What it holds is ordered by `ready`.
static mr_storage *storage_of(const mr_buffer *buffer) {
  return atomic_load_explicit(&buffer->storage, memory_order_acquire);
}

// The buffer's storage from now on, which is `take_storage` unless there was one.
static mr_storage *publish(mr_buffer *buffer, mr_storage *take_storage) {
  mr_storage *known = NULL;
  // release, pairs with storage_of(); acquire on failure likewise.
  if (atomic_compare_exchange_strong_explicit(&buffer->storage, &known, take_storage, memory_order_release,
                                              memory_order_acquire)) {
    return take_storage;
  }
  mr_storage_release(take_storage);
  return known;
}

static void destroy(mr_buffer *buffer) {
  uint8_t tally = buffer->memory->tally;
  mr_future_release(buffer->ready);
  if (buffer->dims != buffer->own_dims) {
    mr_free(buffer->dims);
  }
  mr_struct_free(buffer, sizeof *buffer);
  mr_tally_end(tally);
}

// One use is left, and nobody gets another.
static bool is_last(uint32_t uses) { return (uses & ~UNWANTED) == (DELETED | 1); }

// One use less; the last one of a deleted buffer lets go of the storage.
static void drop_use(mr_buffer *buffer) {
  // acq_rel: what all uses did to the storage happens before it is released.
  if (is_last(atomic_fetch_sub_explicit(&buffer->uses, 1, memory_order_acq_rel))) {
    mr_storage_release(storage_of(buffer));  // NULL when a failed producer never defined it, or the donor took it
    mr_storage_release(buffer->parted);
    buffer->parted = NULL;
  }
}

// Sets the bit; false when it was set already.
static bool mark_deleted(mr_buffer *buffer) {
  uint32_t uses = atomic_load_explicit(&buffer->uses, memory_order_relaxed);  // relaxed: a guess for the exchange
  do {
    if (uses & DELETED) {
      return false;
    }
    // relaxed: whoever wins keeps the buffer's own use and releases it through drop_use(), which orders.
  } while (!atomic_compare_exchange_weak_explicit(&buffer->uses, &uses, uses | DELETED, memory_order_relaxed,
                                                  memory_order_relaxed));
  return true;
}

mr_status mr_buffer_create(mr_memory *memory, mr_dtype dtype, const int64_t *dims, size_t rank,
                           mr_storage *take_storage, mr_future *take_ready, mr_buffer **out_buffer) {
  *out_buffer = NULL;
  size_t bytes = 0;
  mr_status status = MR_OK;
  if (rank > MR_MAX_RANK) {
    status = mr_error(MR_INVALID_ARGUMENT, "buffer has %zu dimensions, wanted at most %d", rank, MR_MAX_RANK);
  }
  status = status ? status : mr_dims_bytes(dtype, dims, rank, &bytes);
  mr_buffer *buffer = status ? NULL : mr_struct_alloc(sizeof *buffer);
  if (buffer) {
    buffer->dims = rank <= INLINE_RANK ? buffer->own_dims : mr_alloc(rank * sizeof(int64_t));
  }
  if (!buffer || !buffer->dims) {
    mr_struct_free(buffer, sizeof *buffer);
    mr_storage_release(take_storage);
    mr_future_release(take_ready);
    return status ? status : MR_NO_MEMORY();
  }
  mr_tally_begin(memory->tally);
  mr_ref_init(&buffer->refs);
  atomic_init(&buffer->uses, 1);
  buffer->dtype = dtype;
  buffer->memory = memory;
  atomic_init(&buffer->storage, take_storage);
  buffer->parted = NULL;
  buffer->ready = take_ready;
  buffer->bytes = bytes;
  buffer->rank = rank;
  for (size_t i = 0; i < rank; i++) {  // memcpy becomes rep movs, which takes longer to begin than most ranks to copy
    buffer->dims[i] = dims[i];
  }
  *out_buffer = buffer;
  return MR_OK;
}

mr_buffer *mr_buffer_retain(mr_buffer *buffer) {
  mr_ref_retain(&buffer->refs);
  return buffer;
}

// The one way out, for handles and holds: whichever goes last takes the buffer's own use along, and with it the storage.
void mr_buffer_release(mr_buffer *buffer) {
  if (buffer && mr_ref_release(&buffer->refs)) {
    if (mark_deleted(buffer)) {
      drop_use(buffer);
    }
    destroy(buffer);
  }
}

mr_dtype mr_buffer_dtype(const mr_buffer *buffer) { return buffer->dtype; }
size_t mr_buffer_rank(const mr_buffer *buffer) { return buffer->rank; }
const int64_t *mr_buffer_dims(const mr_buffer *buffer) { return buffer->dims; }
size_t mr_buffer_bytes(const mr_buffer *buffer) { return buffer->bytes; }
mr_memory *mr_buffer_memory(const mr_buffer *buffer) { return buffer->memory; }
mr_future *mr_buffer_ready(const mr_buffer *buffer) { return buffer->ready; }

bool mr_buffer_is_ready_now(const mr_buffer *buffer) {
  return !buffer->ready || (mr_future_is_set(buffer->ready) && mr_future_status(buffer->ready) == MR_OK);
}

void mr_buffer_define(mr_buffer *buffer, mr_storage *take_storage) {
  if (take_storage == NULL) {
    return;  // a producer without content
  }
  // The producer has a hold, so the storage cannot be released by anybody before this returns.
  mr_storage *defined = mr_storage_retain(take_storage), *storage = publish(buffer, take_storage);
  if (storage != defined && buffer->bytes) {
    memcpy(storage->data, defined->data, buffer->bytes);  // its address was handed out before
  }
  mr_storage_release(defined);
}

// ---- Deletion, holds, donation --------------------------------------------------------------------------------------

bool mr_buffer_is_deleted(const mr_buffer *buffer) {
  return atomic_load_explicit(&buffer->uses, memory_order_relaxed) & DELETED;  // relaxed: an answer that may be old
}

void mr_buffer_delete(mr_buffer *buffer) {
  uint32_t uses = atomic_load_explicit(&buffer->uses, memory_order_relaxed);  // relaxed: a guess for the exchange
  do {
    if (uses & UNWANTED) {
      return;
    }
    // relaxed: as in mark_deleted().
  } while (!atomic_compare_exchange_weak_explicit(&buffer->uses, &uses, uses | (uses & DELETED ? UNWANTED : DELETED),
                                                  memory_order_relaxed, memory_order_relaxed));
  if (!(uses & DELETED)) {
    drop_use(buffer);
  }
}

static bool add_use(mr_buffer *buffer) {
  uint32_t uses = atomic_load_explicit(&buffer->uses, memory_order_relaxed);  // relaxed: a guess for the exchange
  do {
    if (uses & DELETED) {
      return false;
    }
    // acquire, pairs with drop_use() of users before: their writes are visible.
  } while (!atomic_compare_exchange_weak_explicit(&buffer->uses, &uses, uses + 1, memory_order_acquire,
                                                  memory_order_relaxed));
  return true;
}

static mr_status deleted_error(void) { return mr_error(MR_INVALID_ARGUMENT, "buffer has been deleted or donated"); }

mr_status mr_buffer_hold(mr_buffer *buffer, bool donate, mr_hold **out_hold) {
  *out_hold = NULL;
  if (donate ? !mark_deleted(buffer) : !add_use(buffer)) {
    return deleted_error();
  }
  mr_ref_retain(&buffer->refs);
  *out_hold = (mr_hold *)buffer;
  return MR_OK;
}

// A hold is the buffer seen by somebody who has one of its uses.
static mr_buffer *held(const mr_hold *hold) { return (mr_buffer *)(uintptr_t)hold; }

mr_hold *mr_hold_retain(mr_hold *hold) {
  mr_buffer *buffer = held(hold);
  mr_ref_retain(&buffer->refs);
  // relaxed: the caller has a use already.
  atomic_fetch_add_explicit(&buffer->uses, 1, memory_order_relaxed);
  return hold;
}

void mr_hold_release(mr_hold *hold) {
  if (hold) {
    drop_use(held(hold));
    mr_buffer_release(held(hold));
  }
}

void mr_hold_give_back(mr_hold *hold) {
  mr_buffer *buffer = held(hold);
  uint32_t uses = atomic_load_explicit(&buffer->uses, memory_order_relaxed);  // relaxed: a guess for the exchange
  do {
    if (uses & UNWANTED) {
      mr_hold_release(hold);
      return;
    }
    // relaxed: the donor has the buffer's own use, so the storage cannot have gone meanwhile.
  } while (!atomic_compare_exchange_weak_explicit(&buffer->uses, &uses, uses & ~DELETED, memory_order_relaxed,
                                                  memory_order_relaxed));
  mr_buffer_release(buffer);
}

mr_memory *mr_hold_memory(const mr_hold *hold) { return held(hold)->memory; }
mr_dtype mr_hold_dtype(const mr_hold *hold) { return held(hold)->dtype; }
mr_future *mr_hold_ready(const mr_hold *hold) { return held(hold)->ready; }
mr_storage *mr_hold_storage(const mr_hold *hold) { return storage_of(held(hold)); }

bool mr_hold_is_exclusive(const mr_hold *hold) {
  const mr_buffer *buffer = held(hold);
  // acquire, pairs with drop_use() of the other users. With the buffer deleted there can be no more of them.
  return is_last(atomic_load_explicit(&buffer->uses, memory_order_acquire)) &&
         mr_storage_is_exclusive(storage_of(buffer));
}

bool mr_hold_is_exclusive_among(const mr_hold *hold, uint32_t buffers) {
  const mr_buffer *buffer = held(hold);
  const mr_storage *storage = storage_of(buffer);
  // acquire, both: as above.
  return is_last(atomic_load_explicit(&buffer->uses, memory_order_acquire)) && !storage->immutable &&
         atomic_load_explicit(&storage->refs, memory_order_acquire) == buffers;
}

// Whoever comes second finds the first one's copy.
static mr_status part(mr_buffer *buffer) {
  mr_storage *storage = storage_of(buffer), *own;
  if (!storage->common || mr_storage_is_exclusive(storage)) {
    return MR_OK;
  }
  MR_TRY(mr_storage_allocate(buffer->memory, storage->size, &own));
  mr_copy_bytes(buffer->memory->device->group, own->data, storage->data, storage->size);
  // acq_rel, pairs with storage_of().
  if (atomic_compare_exchange_strong_explicit(&buffer->storage, &storage, own, memory_order_acq_rel,
                                              memory_order_acquire)) {
    buffer->parted = storage;
  } else {
    mr_storage_release(own);
  }
  return MR_OK;
}

mr_status mr_hold_part(mr_hold *hold) { return part(held(hold)); }

mr_storage *mr_hold_take_storage(mr_hold *hold) {
  mr_buffer *buffer = held(hold);
  mr_storage *storage = storage_of(buffer);
  if (!storage) {
    return NULL;
  }
  // acquire, pairs with drop_use() of the other users. When this is the only use the reference moves, so that the taker may
  // find the storage exclusive; otherwise others still read it and the taker has one reference among several.
  if (is_last(atomic_load_explicit(&buffer->uses, memory_order_acquire))) {
    atomic_store_explicit(&buffer->storage, NULL, memory_order_relaxed);  // relaxed: nobody else is left
    return storage;
  }
  return mr_storage_retain(storage);
}

mr_status mr_buffer_storage(mr_buffer *buffer, mr_storage **out_storage) {
  *out_storage = NULL;
  if (!add_use(buffer)) {
    return deleted_error();
  }
  mr_status status = buffer->ready ? mr_status_retain(mr_future_status(buffer->ready)) : MR_OK;
  if (!status && !storage_of(buffer)) {
    status = mr_error(MR_FAILED_PRECONDITION, "buffer has no content");
  }
  if (!status) {
    *out_storage = mr_storage_retain(storage_of(buffer));
  }
  drop_use(buffer);
  return status;
}

// ---- External references --------------------------------------------------------------------------------------------

bool mr_buffer_external_retain(mr_buffer *buffer) {
  // A use of its own keeps the storage; a deleted buffer has nothing to keep.
  if (!add_use(buffer)) {
    return false;
  }
  mr_ref_retain(&buffer->refs);
  return true;
}

void mr_buffer_external_release(mr_buffer *buffer) { mr_hold_release((mr_hold *)buffer); }

mr_status mr_buffer_data(mr_buffer *buffer, void **out_data) {
  *out_data = NULL;
  if (buffer->ready) {
    mr_scheduler_wait(mr_platform_scheduler(buffer->memory->device->platform), buffer->ready);
    if (mr_future_status(buffer->ready)) {
      return mr_status_retain(mr_future_status(buffer->ready));
    }
  }
  return mr_buffer_address(buffer, false, false, out_data);
}

// The block that the content of a pending buffer is going to be in.
static mr_status promise(mr_buffer *buffer, mr_storage **out_storage) {
  mr_storage *fresh;
  MR_TRY(mr_storage_allocate(buffer->memory, buffer->bytes, &fresh));
  *out_storage = publish(buffer, fresh);
  return MR_OK;
}

mr_status mr_buffer_address(mr_buffer *buffer, bool writable, bool held, void **out_data) {
  *out_data = NULL;
  bool pending = buffer->ready && !mr_future_is_set(buffer->ready);
  if (buffer->ready && !pending && mr_future_status(buffer->ready)) {
    return mr_status_retain(mr_future_status(buffer->ready));
  }
  // The storage stays through the caller's external reference, also when the buffer is deleted. Uses of one that is deleted
  // and has no such reference are those of executions and copies, which let go at any time.
  uint32_t uses = atomic_load_explicit(&buffer->uses, memory_order_acquire);  // acquire: see add_use()
  bool gone = (uses & DELETED) && !held;
  mr_storage *storage = storage_of(buffer);
  if (gone || (!storage && !pending)) {
    return deleted_error();
  }
  const mr_memory *memory = buffer->memory;
  if (!memory->addressable) {
    return mr_error(MR_UNIMPLEMENTED, "the host has no address for %s memory of device %d, which is of kind %s",
                    mr_memory_kind_name(memory->kind), memory->device->id, memory->device->ops->name);
  }
  if (!storage) {
    MR_TRY(promise(buffer, &storage));
  }
  if (writable) {
    MR_TRY(part(buffer));
    storage = storage_of(buffer);
    atomic_store_explicit(&storage->shared, true, memory_order_relaxed);
  }
  *out_data = storage->data;
  return MR_OK;
}
