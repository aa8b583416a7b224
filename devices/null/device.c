// The null device.
#include <string.h>

#include "devices/host/budget.h"
#include "devices/host/pool.h"
#include "devices/host/work.h"
#include "devices/null/null.h"

typedef struct null_device {
  mr_device base;
  mr_pool_account account;
} null_device;

static const mr_device_ops null_ops;

static null_device *null_cast(mr_device *device) { return MR_CONTAINER_OF(device, null_device, base); }

static mr_status null_create(const mr_device_seed *seed, mr_device **out_device) {
  *out_device = NULL;
  MR_TRY(mr_budget_open());
  null_device *device = mr_alloc_zeroed(1, sizeof *device);
  if (!device) {
    return MR_NO_MEMORY();
  }
  mr_device_init(&device->base, &null_ops, seed);
  device->base.memories[MR_MEMORY_DEVICE].addressable = false;
  *out_device = &device->base;
  return MR_OK;
}

static void null_destroy(mr_device *device) { mr_free(null_cast(device)); }

// ---- Memory ---------------------------------------------------------------------------------------------------------

static void release_nothing(mr_storage *storage) {
  mr_pool_account_remove(storage->on_delete_arg, storage->size);
  mr_pool_struct_return(storage);
}

static mr_status null_allocate(mr_memory *memory, size_t size, mr_storage **out_storage) {
  mr_pool_account *account = &null_cast(memory->device)->account;
  if (memory->addressable) {
    return mr_pool_allocate(memory, size, account, out_storage);
  }
  *out_storage = NULL;
  if (size > (size_t)1 << 46) {  // as of the host's
    return mr_error(MR_RESOURCE_EXHAUSTED, "a block of %zu bytes is more than any device has", size);
  }
  mr_storage *storage = mr_pool_struct_take();
  if (!storage) {
    return MR_NO_MEMORY();
  }
  *storage = (mr_storage){.size = size,
                          .memory = memory,
                          .generation = storage->generation + 1,
                          .release = release_nothing,
                          .on_delete_arg = account};
  atomic_store_explicit(&storage->refs, 1, memory_order_relaxed);  // relaxed: nobody else knows it yet
  mr_pool_account_add(account, size);
  *out_storage = storage;
  return MR_OK;
}

static mr_memory_stats null_stats(mr_device *device) { return mr_pool_account_stats(&null_cast(device)->account); }
static void null_clear_peaks(mr_device *device) { mr_pool_account_clear_peaks(&null_cast(device)->account); }

// ---- Work -----------------------------------------------------------------------------------------------------------

// Nothing, but that no host sees memory that nobody has written.
static mr_status null_run(mr_device *device, const mr_device_work *work) {
  (void)device;
  if (work->kind == MR_WORK_COPY_OUT && work->bytes) {
    memset(work->host_to, 0, work->bytes);
  }
  if (work->kind == MR_WORK_COPY && work->to.storage->memory->addressable) {
    memset(mr_host_address(&work->to), 0, work->bytes);
  }
  return MR_OK;
}

static mr_status null_submit(mr_device *device, const mr_device_work *work, mr_future *const *after, size_t num_after,
                             mr_future **out_done) {
  return mr_host_submit(null_run, device, work, after, num_after, out_done);
}

static const mr_device_ops null_ops = {
    .name = "null",
    .destroy = null_destroy,
    .allocate = null_allocate,
    .submit = null_submit,
    .load_kernel = mr_host_load_kernel,
    .release_kernel = mr_host_release_kernel,
    .stats = null_stats,
    .clear_peaks = null_clear_peaks,
};

const mr_device_kind mr_null_kind = {.name = "null", .create = null_create};
