// The CPU device: memory from the process's pool; its nodes run on a group of the scheduler's cores.
#include "devices/host/budget.h"
#include "devices/cpu/cpu.h"
#include "devices/host/pool.h"

typedef struct cpu_device {
  mr_device base;
  mr_pool_account account;
} cpu_device;

static const mr_device_ops cpu_ops;

static cpu_device *cpu_cast(mr_device *device) { return MR_CONTAINER_OF(device, cpu_device, base); }

mr_status mr_cpu_device_create(mr_device **out_device) {
  *out_device = NULL;
  MR_TRY(mr_budget_open());
  cpu_device *device = mr_alloc_zeroed(1, sizeof *device);
  if (!device) {
    return MR_NO_MEMORY();
  }
  device->base.ops = &cpu_ops;
  *out_device = &device->base;
  return MR_OK;
}

static void cpu_destroy(mr_device *device) { mr_free(cpu_cast(device)); }

static mr_status cpu_allocate(mr_memory *memory, size_t size, mr_storage **out_storage) {
  return mr_pool_allocate(memory, size, &cpu_cast(memory->device)->account, out_storage);
}

static mr_memory_stats cpu_stats(mr_device *device) {
  mr_pool_account *account = &cpu_cast(device)->account;
  // relaxed throughout: statistics.
  return (mr_memory_stats){
      .bytes_in_use = atomic_load_explicit(&account->bytes_in_use, memory_order_relaxed),
      .peak_bytes_in_use = atomic_load_explicit(&account->peak_bytes_in_use, memory_order_relaxed),
      .num_allocs = atomic_load_explicit(&account->num_allocs, memory_order_relaxed),
      .largest_alloc_size = atomic_load_explicit(&account->largest_alloc_size, memory_order_relaxed),
      .bytes_limit = mr_budget_limit(),
      .pool_bytes = mr_pool_system_bytes(),
      .peak_pool_bytes = mr_pool_peak_system_bytes(),
  };
}

static void cpu_clear_peaks(mr_device *device) {
  mr_pool_account *account = &cpu_cast(device)->account;
  uint64_t now = atomic_load_explicit(&account->bytes_in_use, memory_order_relaxed);  // relaxed: statistics
  atomic_store_explicit(&account->peak_bytes_in_use, now, memory_order_relaxed);
  atomic_store_explicit(&account->largest_alloc_size, 0, memory_order_relaxed);
}

static const mr_device_ops cpu_ops = {
    .name = "cpu",
    .destroy = cpu_destroy,
    .allocate = cpu_allocate,
    .stats = cpu_stats,
    .clear_peaks = cpu_clear_peaks,
};
