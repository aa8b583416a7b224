// Blocks come in classes, eight to each doubling of the size, and go back to a list of their class: creating one costs an allocation
// and its page faults, or a round trip to the driver. What nobody has used for some seconds is freed.
#include <stdlib.h>

#include "core/tidy.h"
#include "devices/host/budget.h"
#include "devices/opencl/ocl.h"

enum { SMALLEST_LOG2 = 8, LARGEST_LOG2 = SMALLEST_LOG2 + MR_OCL_CLASSES / 8 - 1, ALIGNMENT = 64 };

// ---- Classes --------------------------------------------------------------------------------------------------------

static void find_class(size_t size, uint64_t *out_bytes, uint32_t *out_number) {
  uint64_t wanted = MR_MAX((uint64_t)size, (uint64_t)1 << SMALLEST_LOG2);
  unsigned log2 = 63 - (unsigned)__builtin_clzll(wanted);
  uint64_t step = (uint64_t)1 << (log2 - 3), steps = (wanted + step - 1) >> (log2 - 3);  // 8 to 16
  *out_bytes = steps * step;
  *out_number = (log2 - SMALLEST_LOG2) * 8 + (uint32_t)(steps - 8);
}

static mr_ocl_block *take_kept(mr_ocl_device *device, uint32_t number) {
  mr_ocl_lock();
  mr_ocl_block *block = device->kept[number];
  if (block) {
    device->kept[number] = block->next;
    device->kept_bytes -= block->bytes;
  }
  mr_ocl_unlock();
  return block;
}

// ---- One block ------------------------------------------------------------------------------------------------------

static void free_block(mr_ocl_block *block) {
  mr_ocl_device *device = block->device;
  if (!mr_ocl_is_over()) {
    if (block->data) {
      CL(SVMFree)(device->context, block->data);
    } else if (block->memory) {
      CL(ReleaseMemObject)(block->memory);
    }
  }
  // relaxed: a count.
  atomic_fetch_sub_explicit(&device->held, block->bytes, memory_order_relaxed);
  mr_free(block);
}

bool mr_ocl_trim(mr_ocl_device *device, uint32_t at_least_age) {
  mr_ocl_block *old = NULL;
  mr_ocl_lock();
  for (size_t i = 0; i < MR_OCL_CLASSES; i++) {
    for (mr_ocl_block **link = &device->kept[i]; *link;) {
      mr_ocl_block *block = *link;
      if (block->age++ < at_least_age) {
        link = &block->next;
        continue;
      }
      *link = block->next;
      device->kept_bytes -= block->bytes;
      block->next = old;
      old = block;
    }
  }
  mr_ocl_unlock();
  bool any = old != NULL;
  while (old) {
    mr_ocl_block *next = old->next;
    free_block(old);
    old = next;
  }
  return any;
}

static void release_block(mr_storage *storage) {
  mr_ocl_block *block = storage->on_delete_arg;
  mr_ocl_device *device = block->device;
  mr_pool_account_remove(&device->account, block->asked);
  mr_pool_struct_return(storage);
  block->age = 0;
  mr_ocl_lock();
  block->next = device->kept[block->number];
  device->kept[block->number] = block;
  device->kept_bytes += block->bytes;
  mr_ocl_unlock();
  mr_ocl_watch_later();
}

mr_ocl_block *mr_ocl_block_of(const mr_ocl_device *device, const mr_storage *storage) {
  if (!storage || storage->release != release_block) {
    return NULL;
  }
  mr_ocl_block *block = storage->on_delete_arg;
  return block->device == device ? block : NULL;
}

// ---- Allocating -----------------------------------------------------------------------------------------------------

static uint64_t nothing_untouched(void) { return 0; }

// Whether the device may take so much more; counts it as taken.
static bool reserve(mr_ocl_device *device, uint64_t bytes) {
  uint64_t left;
  // relaxed: a count.
  uint64_t now = atomic_fetch_add_explicit(&device->held, bytes, memory_order_relaxed) + bytes;
  bool allowed =
      now <= device->limit && (!device->info->shares_memory || mr_budget_allows(bytes, nothing_untouched, &left));
  if (!allowed) {
    atomic_fetch_sub_explicit(&device->held, bytes, memory_order_relaxed);
    return false;
  }
  mr_pool_raise(&device->peak_held, now);
  return true;
}

static cl_int create(mr_ocl_device *device, mr_ocl_block *block) {
  cl_int rc = CL_SUCCESS;
  if (device->shared) {
    block->data =
        CL(SVMAlloc)(device->context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, block->bytes, ALIGNMENT);
    return block->data ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE;
  }
  block->memory = CL(CreateBuffer)(device->context, CL_MEM_READ_WRITE, block->bytes, NULL, &rc);
  return block->memory ? CL_SUCCESS : rc ? rc : CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

static mr_status no_room(const mr_ocl_device *device, size_t size, cl_int rc) {
  if (size > device->info->largest_block_bytes) {
    return mr_error(MR_RESOURCE_EXHAUSTED,
                    "a block of %zu bytes was asked for, and the largest that %s gives is of %llu bytes", size,
                    device->info->name, (unsigned long long)device->info->largest_block_bytes);
  }
  mr_memory_stats stats = mr_pool_account_stats(&device->account);
  return mr_error(
      MR_RESOURCE_EXHAUSTED,
      "out of memory: a block of %zu bytes was asked for; %llu bytes are in use on %s, and %llu are allowed%s%s", size,
      (unsigned long long)stats.bytes_in_use, device->info->name, (unsigned long long)device->limit,
      rc ? "; the runtime says " : "", rc ? mr_ocl_error_name(rc) : "");
}

// Twice: the second time without the blocks that nobody uses.
static mr_status make_block(mr_ocl_device *device, size_t size, mr_ocl_block *block) {
  for (int tries = 0;; tries++) {
    cl_int rc = CL_SUCCESS;
    if (reserve(device, block->bytes)) {
      rc = create(device, block);
      if (rc == CL_SUCCESS) {
        return MR_OK;
      }
      atomic_fetch_sub_explicit(&device->held, block->bytes, memory_order_relaxed);  // relaxed: a count
    }
    if (tries || !mr_ocl_trim(device, 0)) {
      return no_room(device, size, rc);
    }
  }
}

static mr_status find_block(mr_ocl_device *device, size_t size, mr_ocl_block **out_block) {
  uint64_t bytes;
  uint32_t number;
  *out_block = NULL;
  if (size >> LARGEST_LOG2) {
    return no_room(device, size, CL_SUCCESS);
  }
  find_class(size, &bytes, &number);
  if (bytes > device->info->largest_block_bytes && size <= device->info->largest_block_bytes) {
    bytes = size;  // the last class is cut short
  }
  mr_ocl_block *block = take_kept(device, number);
  if (!block) {
    block = mr_alloc_zeroed(1, sizeof *block);
    if (!block) {
      return MR_NO_MEMORY();
    }
    block->device = device;
    block->bytes = bytes;
    block->number = number;
    mr_status status = make_block(device, size, block);
    if (status) {
      mr_free(block);
      return status;
    }
  } else if (block->bytes < size) {  // one that was cut shorter
    free_block(block);
    return find_block(device, size, out_block);
  }
  block->asked = size;
  *out_block = block;
  return MR_OK;
}

mr_status mr_ocl_allocate(mr_memory *memory, size_t size, mr_storage **out_storage) {
  mr_ocl_device *device = mr_ocl_cast(memory->device);
  if (memory->kind != MR_MEMORY_DEVICE) {
    return mr_pool_allocate(memory, size, &device->account, out_storage);
  }
  *out_storage = NULL;
  MR_TRY(mr_ocl_check(device));
  mr_storage *storage = mr_pool_struct_take();
  if (!storage) {
    return MR_NO_MEMORY();
  }
  mr_ocl_block *block;
  mr_status status = find_block(device, size, &block);
  if (status) {
    mr_pool_struct_return(storage);
    return status;
  }
  *storage = (mr_storage){.data = block->data,
                          .size = size,
                          .memory = memory,
                          .generation = storage->generation + 1,
                          .release = release_block,
                          .on_delete_arg = block};
  atomic_store_explicit(&storage->refs, 1, memory_order_relaxed);  // relaxed: nobody else knows it yet
  mr_pool_account_add(&device->account, size);
  *out_storage = storage;
  return MR_OK;
}
