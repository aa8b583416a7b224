// The CPU device: memory from the process's pool, work at once on the caller's thread; its nodes run on a group of the
// scheduler's cores.
#include "devices/cpu/cpu.h"

#include "devices/host/budget.h"
#include "devices/host/figures.h"
#include "devices/host/pool.h"
#include "devices/host/work.h"

typedef struct cpu_device {
  mr_device base;
  mr_pool_account account;
} cpu_device;

static const mr_device_ops cpu_ops;

static cpu_device *cpu_cast(mr_device *device) { return MR_CONTAINER_OF(device, cpu_device, base); }

static mr_status cpu_create(const mr_device_seed *seed, mr_device **out_device) {
  *out_device = NULL;
  MR_TRY(mr_budget_open());
  cpu_device *device = mr_alloc_zeroed(1, sizeof *device);
  if (!device) {
    return MR_NO_MEMORY();
  }
  mr_device_init(&device->base, &cpu_ops, seed);
  device->base.direct = true;
  *out_device = &device->base;
  return MR_OK;
}

static void cpu_destroy(mr_device *device) { mr_free(cpu_cast(device)); }

static mr_status cpu_allocate(mr_memory *memory, size_t size, mr_storage **out_storage) {
  return mr_pool_allocate(memory, size, &cpu_cast(memory->device)->account, out_storage);
}

static mr_status cpu_run(mr_device *device, const mr_device_work *work) {
  return mr_host_work_run(mr_host_address, device, work);
}

static mr_status cpu_submit(mr_device *device, const mr_device_work *work, mr_future *const *after, size_t num_after,
                            mr_future **out_done) {
  return mr_host_submit(cpu_run, device, work, after, num_after, out_done);
}

static mr_memory_stats cpu_stats(mr_device *device) { return mr_pool_account_stats(&cpu_cast(device)->account); }
static void cpu_clear_peaks(mr_device *device) { mr_pool_account_clear_peaks(&cpu_cast(device)->account); }

static const mr_device_ops cpu_ops = {
    .name = "cpu",
    .destroy = cpu_destroy,
    .allocate = cpu_allocate,
    .submit = cpu_submit,
    .load_kernel = mr_host_load_kernel,
    .release_kernel = mr_host_release_kernel,
    .stats = cpu_stats,
    .clear_peaks = cpu_clear_peaks,
    .figures = mr_host_figures,
    .measure = mr_host_measure,
};

const mr_device_kind mr_cpu_kind = {.name = "cpu", .create = cpu_create};
