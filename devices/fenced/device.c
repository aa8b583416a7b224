// The fenced device. A block is one mapping without access, of which a part in the back may be used:
//
//   | what `data` is the address of | page | the block, up to the end of its last page | page |
#include <string.h>
#include <sys/mman.h>

#include "devices/fenced/fenced.h"
#include "devices/host/budget.h"
#include "devices/host/figures.h"
#include "devices/host/pool.h"
#include "devices/host/queue.h"
#include "devices/host/work.h"

#define PAGE ((size_t)4096)
enum { UNWRITTEN = 0xfb, UNWRITTEN_BYTES = 1 << 20, MOST_DELAY_US = 10000000 };

typedef struct fenced_device {
  mr_device base;
  mr_pool_account account;
  mr_late_queue *queue;
} fenced_device;

static const mr_device_ops fenced_ops;

static fenced_device *fenced_cast(mr_device *device) { return MR_CONTAINER_OF(device, fenced_device, base); }

static void fenced_destroy(mr_device *device) {
  mr_late_queue_destroy(fenced_cast(device)->queue);
  mr_free(fenced_cast(device));
}

static mr_status fenced_create(const mr_device_seed *seed, mr_device **out_device) {
  *out_device = NULL;
  MR_TRY(mr_budget_open());
  int64_t delay_us;
  MR_TRY(mr_env_int("FENCED_DELAY_US", 50, 0, MOST_DELAY_US, &delay_us));
  fenced_device *device = mr_alloc_zeroed(1, sizeof *device);
  if (!device) {
    return MR_NO_MEMORY();
  }
  mr_device_init(&device->base, &fenced_ops, seed);
  device->base.memories[MR_MEMORY_DEVICE].addressable = false;
  mr_device_add_attribute(&device->base, "delay_us", NULL, delay_us);
  mr_status status = mr_late_queue_create(0, (uint64_t)delay_us * 1000, &device->queue);
  if (status) {
    mr_free(device);
    return status;
  }
  *out_device = &device->base;
  return MR_OK;
}

// ---- Memory ---------------------------------------------------------------------------------------------------------

typedef struct block {
  mr_pool_account *account;
  char *mapping, *begin;
  size_t mapped, size;
} block;

static void block_release(mr_storage *storage) {
  block *b = storage->on_delete_arg;
  munmap(b->mapping, b->mapped);
  mr_pool_account_remove(b->account, b->size);
  mr_free(b);
  mr_pool_struct_return(storage);
}

// The end of the block is the end of its last page, as far as alignment lets it.
static bool map_block(block *b) {
  size_t used = MR_MAX((b->size + PAGE - 1) & ~(PAGE - 1), PAGE);
  b->mapped = 2 * used + 2 * PAGE;
  void *mapping = mmap(NULL, b->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) {
    return false;
  }
  b->mapping = mapping;
  char *pages = b->mapping + used + PAGE;
  if (mprotect(pages, used, PROT_READ | PROT_WRITE)) {
    munmap(mapping, b->mapped);
    return false;
  }
  b->begin = pages + used - ((b->size + 63) & ~(size_t)63);
  memset(b->begin, UNWRITTEN, MR_MIN(b->size, (size_t)UNWRITTEN_BYTES));
  return true;
}

static mr_status no_room(size_t size, const mr_pool_account *account) {
  mr_memory_stats stats = mr_pool_account_stats(account);
  return mr_error(MR_RESOURCE_EXHAUSTED,
                  "out of memory: a block of %zu bytes was asked for; %llu bytes are in use, and %llu are allowed",
                  size, (unsigned long long)stats.bytes_in_use, (unsigned long long)stats.bytes_limit);
}

static bool is_too_much(size_t size, const mr_pool_account *account) {
  mr_memory_stats stats = mr_pool_account_stats(account);
  return size > stats.bytes_limit || stats.bytes_in_use > stats.bytes_limit - size;
}

static mr_status fenced_allocate(mr_memory *memory, size_t size, mr_storage **out_storage) {
  mr_pool_account *account = &fenced_cast(memory->device)->account;
  if (memory->addressable) {
    return mr_pool_allocate(memory, size, account, out_storage);
  }
  *out_storage = NULL;
  if (is_too_much(size, account)) {
    return no_room(size, account);
  }
  mr_storage *storage = mr_pool_struct_take();
  block *b = storage ? mr_alloc(sizeof *b) : NULL;
  if (!b) {
    if (storage) {
      mr_pool_struct_return(storage);
    }
    return MR_NO_MEMORY();
  }
  *b = (block){.account = account, .size = size};
  if (!map_block(b)) {
    mr_free(b);
    mr_pool_struct_return(storage);
    return no_room(size, account);
  }
  *storage = (mr_storage){.data = b->mapping,
                          .size = size,
                          .memory = memory,
                          .generation = storage->generation + 1,
                          .release = block_release,
                          .on_delete_arg = b};
  atomic_store_explicit(&storage->refs, 1, memory_order_relaxed);  // relaxed: nobody else knows it yet
  mr_pool_account_add(account, size);
  *out_storage = storage;
  return MR_OK;
}

static mr_memory_stats fenced_stats(mr_device *device) { return mr_pool_account_stats(&fenced_cast(device)->account); }
static void fenced_clear_peaks(mr_device *device) { mr_pool_account_clear_peaks(&fenced_cast(device)->account); }

// ---- Work -----------------------------------------------------------------------------------------------------------

static void *address(const mr_region *region) {
  const mr_storage *storage = region->storage;
  if (!storage || storage->release != block_release) {
    return mr_host_address(region);
  }
  return ((const block *)storage->on_delete_arg)->begin + region->offset;
}

static mr_status fenced_run(mr_device *device, const mr_device_work *work) {
  return mr_host_work_run(address, device, work);
}

static mr_status fenced_submit(mr_device *device, const mr_device_work *work, mr_future *const *after, size_t num_after,
                               mr_future **out_done) {
  mr_executor *executor = mr_late_queue_executor(fenced_cast(device)->queue);
  return mr_host_submit_to(fenced_run, executor, device, work, after, num_after, out_done);
}

// All blocks of the kind are in one process.
static bool fenced_reaches(const mr_device *device, const mr_memory *memory) {
  (void)device;
  return memory->device->ops == &fenced_ops;
}

static const mr_device_ops fenced_ops = {
    .name = "fenced",
    .destroy = fenced_destroy,
    .allocate = fenced_allocate,
    .submit = fenced_submit,
    .load_kernel = mr_host_load_kernel,
    .release_kernel = mr_host_release_kernel,
    .stats = fenced_stats,
    .clear_peaks = fenced_clear_peaks,
    .reaches = fenced_reaches,
    .figures = mr_host_figures,
};

const mr_device_kind mr_fenced_kind = {.name = "fenced", .create = fenced_create};
