// Storages: counted blocks, and memory of somebody else dressed as one.
#include "core/census.h"
#include "core/ending.h"
#include "devices/devices.h"
#include "devices/host/pool.h"

mr_status mr_storage_allocate(mr_memory *memory, size_t size, mr_storage **out_storage) {
  MR_TRY(memory->device->ops->allocate(memory, size, out_storage));
  mr_storage_note_place(*out_storage);
  mr_platform_count(memory->device->platform, 1);
  mr_census_add(MR_CENSUS_storages, 1);
  mr_census_add(MR_CENSUS_bytes, (int64_t)size);
  return MR_OK;
}

void mr_storage_note_place(mr_storage *storage) {
  storage->place = (uint16_t)mr_scheduler_place(mr_platform_scheduler(storage->memory->device->platform));
}

void mr_storage_touch(mr_storage *storage) {
  storage->generation++;
  atomic_store_explicit(&storage->twin, 0, memory_order_relaxed);
  mr_storage_note_place(storage);
}

bool mr_storage_are_twins(const mr_storage *a, const mr_storage *b) {
  uint64_t twin = atomic_load_explicit(&a->twin, memory_order_relaxed);
  bool shared =
      atomic_load_explicit(&a->shared, memory_order_relaxed) || atomic_load_explicit(&b->shared, memory_order_relaxed);
  return twin != 0 && !shared && atomic_load_explicit(&b->twin, memory_order_relaxed) == twin;
}

void mr_storage_make_twins(mr_storage *a, mr_storage *b) {
  static _Atomic(uint64_t) newest;
  uint64_t twin = atomic_load_explicit(&a->twin, memory_order_relaxed), none = 0;
  if (twin == 0) {
    // relaxed: numbers that nobody else has. Of two who give `a` one the first has it.
    twin = atomic_fetch_add_explicit(&newest, 1, memory_order_relaxed) + 1;
    if (!atomic_compare_exchange_strong_explicit(&a->twin, &none, twin, memory_order_relaxed, memory_order_relaxed)) {
      twin = none;
    }
  }
  atomic_store_explicit(&b->twin, twin, memory_order_relaxed);
}

// The deleter is the host's code, which may sleep or wait for other threads of the host's.
static void release_wrapped(mr_storage *storage) {
  if (storage->on_delete) {
    mr_ending_enter_anyway(MR_INSIDE_HOST);
    bool begun = mr_scheduler_begin_host_call();
    storage->on_delete(storage->data, storage->on_delete_arg);
    if (begun) {
      mr_scheduler_end_host_call();
    }
    mr_ending_leave(MR_INSIDE_HOST);
  }
  mr_pool_struct_return(storage);
}

mr_status mr_storage_wrap(mr_memory *memory, void *data, size_t size, bool immutable, void (*on_delete)(void *, void *),
                          void *arg, mr_storage **out_storage) {
  *out_storage = NULL;
  if (!memory->addressable) {
    return mr_error(MR_UNIMPLEMENTED, "memory of the host is no %s memory of device %d, which is of kind %s",
                    mr_memory_kind_name(memory->kind), memory->device->id, memory->device->ops->name);
  }
  mr_storage *storage = mr_pool_struct_take();
  if (!storage) {
    return MR_NO_MEMORY();
  }
  *storage = (mr_storage){.data = data,
                          .size = size,
                          .memory = memory,
                          .generation = storage->generation + 1,
                          .place = MR_PLACE_UNKNOWN,
                          .immutable = immutable,
                          .foreign = true,
                          .shared = !immutable,
                          .release = release_wrapped,
                          .on_delete = on_delete,
                          .on_delete_arg = arg};
  atomic_store_explicit(&storage->refs, 1, memory_order_relaxed);  // relaxed: nobody else knows it yet
  mr_platform_count(memory->device->platform, 1);
  mr_census_add(MR_CENSUS_storages, 1);
  *out_storage = storage;
  return MR_OK;
}

void mr_storage_release(mr_storage *storage) {
  // acq_rel: what every holder did to the block happens before it is handed on or unmapped.
  if (storage && atomic_fetch_sub_explicit(&storage->refs, 1, memory_order_acq_rel) == 1) {
    mr_platform_count(storage->memory->device->platform, -1);
    mr_census_add(MR_CENSUS_storages, -1);
    mr_census_add(MR_CENSUS_bytes, storage->foreign ? 0 : -(int64_t)storage->size);
    storage->release(storage);
  }
}

bool mr_storage_is_exclusive(const mr_storage *storage) {
  // acquire, pairs with the release in mr_storage_release(): former holders are done with the block.
  return !storage->immutable && atomic_load_explicit(&storage->refs, memory_order_acquire) == 1;
}
