// Platforms: the devices that one client sees, with their memories.
#include "devices/devices.h"

#include <assert.h>

#include "core/census.h"
#include "core/ref.h"
#include "devices/cpu/cpu.h"
#include "devices/tuning.h"

struct mr_platform {
  mr_ref refs;
  mr_scheduler *scheduler;  // retained
  _Atomic(int64_t) things;  // storages and buffers, where asserts are on
  size_t device_count;
  mr_device *devices[];  // owned
};

// More devices than this are a mistake in an option rather than a wish.
#define MAX_DEVICES 1024

#ifndef NDEBUG
void mr_platform_count(mr_platform *platform, int count) {
  // relaxed: whoever lets go of the platform is ordered after the things by its references.
  atomic_fetch_add_explicit(&platform->things, count, memory_order_relaxed);
}
#endif

static void destroy(mr_platform *platform) {
  // A buffer or a block that outlives its platform would go back to a device that is not there.
  assert(atomic_load_explicit(&platform->things, memory_order_relaxed) == 0);
  for (size_t i = 0; i < platform->device_count; i++) {
    if (platform->devices[i]) {
      platform->devices[i]->ops->destroy(platform->devices[i]);
    }
  }
  mr_scheduler_release(platform->scheduler);
  mr_census_add(MR_CENSUS_platforms, -1);
  mr_free(platform);
}

static void init_device(mr_platform *platform, mr_device *device, int id, size_t count) {
  device->platform = platform;
  device->id = id;
  device->group = mr_scheduler_group(platform->scheduler, (uint32_t)id, (uint32_t)count);
  device->executor = mr_group_executor(device->group);
  for (int kind = 0; kind < MR_MEMORY_KINDS; kind++) {
    device->memories[kind] =
        (mr_memory){.device = device, .kind = (mr_memory_kind)kind, .id = id * MR_MEMORY_KINDS + kind};
  }
}

static mr_status fill(mr_platform *platform, size_t count) {
  MR_TRY(mr_scheduler_acquire(&platform->scheduler));
  for (size_t i = 0; i < count; i++) {
    MR_TRY(mr_cpu_device_create(&platform->devices[i]));
    init_device(platform, platform->devices[i], (int)i, count);
  }
  return MR_OK;
}

mr_status mr_platform_create(const mr_platform_options *options, mr_platform **out_platform) {
  *out_platform = NULL;
  int64_t count = options ? options->num_devices : 0;
  if (count == 0) {
    MR_TRY(mr_env_int("NUM_DEVICES", 1, 1, MAX_DEVICES, &count));
  }
  if (count > MAX_DEVICES) {
    return mr_error(MR_INVALID_ARGUMENT, "num_devices is %lld, wanted 1 to %d", (long long)count, MAX_DEVICES);
  }
  mr_platform *platform = mr_alloc_zeroed(1, sizeof *platform + (size_t)count * sizeof(mr_device *));
  if (!platform) {
    return MR_NO_MEMORY();
  }
  mr_census_add(MR_CENSUS_platforms, 1);
  mr_ref_init(&platform->refs);
  platform->device_count = (size_t)count;
  mr_status status = fill(platform, (size_t)count);
  if (status) {
    destroy(platform);
    return status;
  }
  *out_platform = platform;
  return MR_OK;
}

mr_platform *mr_platform_retain(mr_platform *platform) {
  mr_ref_retain(&platform->refs);
  return platform;
}

void mr_platform_release(mr_platform *platform) {
  if (platform && mr_ref_release(&platform->refs)) {
    destroy(platform);
  }
}

size_t mr_platform_device_count(const mr_platform *platform) { return platform->device_count; }
mr_device *mr_platform_device(const mr_platform *platform, size_t index) { return platform->devices[index]; }
mr_scheduler *mr_platform_scheduler(const mr_platform *platform) { return platform->scheduler; }

static const char *const kind_names[MR_MEMORY_KINDS] = {[MR_MEMORY_DEVICE] = "device",
                                                        [MR_MEMORY_PINNED_HOST] = "pinned_host",
                                                        [MR_MEMORY_UNPINNED_HOST] = "unpinned_host"};

const char *mr_memory_kind_name(mr_memory_kind kind) { return kind_names[kind]; }

mr_status mr_memory_kind_parse(mr_str name, mr_memory_kind *out_kind) {
  for (int kind = 0; kind < MR_MEMORY_KINDS; kind++) {
    if (mr_str_is(name, kind_names[kind])) {
      *out_kind = (mr_memory_kind)kind;
      return MR_OK;
    }
  }
  return mr_error(MR_INVALID_ARGUMENT, "memory kind is '%.*s', wanted device, pinned_host or unpinned_host",
                  MR_STR_ARG(name));
}

mr_executor *mr_device_executor_near(const mr_device *device, const mr_storage *storage) {
  if (!storage || storage->size < MR_NEAR_BYTES || storage->place == MR_PLACE_UNKNOWN) {
    return device->executor;
  }
  return mr_group_executor_near(device->group, storage->place);
}

mr_memory_stats mr_device_stats(mr_device *device) { return device->ops->stats(device); }
void mr_device_clear_peaks(mr_device *device) { device->ops->clear_peaks(device); }
