// What all devices have in common: the calls through their tables.
#include "devices/devices.h"

#include <assert.h>

#include "devices/tuning.h"

static const char *const memory_names[MR_MEMORY_KINDS] = {[MR_MEMORY_DEVICE] = "device",
                                                          [MR_MEMORY_PINNED_HOST] = "pinned_host",
                                                          [MR_MEMORY_UNPINNED_HOST] = "unpinned_host"};

const char *mr_memory_kind_name(mr_memory_kind kind) { return memory_names[kind]; }

mr_status mr_memory_kind_parse(mr_str name, mr_memory_kind *out_kind) {
  for (int kind = 0; kind < MR_MEMORY_KINDS; kind++) {
    if (mr_str_is(name, memory_names[kind])) {
      *out_kind = (mr_memory_kind)kind;
      return MR_OK;
    }
  }
  return mr_error(MR_INVALID_ARGUMENT, "memory kind is '%.*s', wanted device, pinned_host or unpinned_host",
                  MR_STR_ARG(name));
}

// ---- Work -----------------------------------------------------------------------------------------------------------

bool mr_device_reaches(const mr_device *device, const mr_memory *memory) {
  return memory->addressable || memory->device == device ||
         (device->ops->reaches && device->ops->reaches(device, memory));
}

#ifndef NDEBUG
static bool is_within(const mr_device *device, const mr_region *region, size_t bytes) {
  const mr_storage *storage = region->storage;
  return storage && mr_device_reaches(device, storage->memory) && region->offset <= storage->size &&
         bytes <= storage->size - region->offset;
}

static bool is_sound(const mr_device *device, const mr_device_work *work) {
  switch (work->kind) {
  case MR_WORK_COPY_IN: return is_within(device, &work->to, work->bytes) && (work->host_from || !work->bytes);
  case MR_WORK_COPY_OUT: return is_within(device, &work->from, work->bytes) && (work->host_to || !work->bytes);
  case MR_WORK_COPY: return is_within(device, &work->to, work->bytes) && is_within(device, &work->from, work->bytes);
  case MR_WORK_FILL:
    return is_within(device, &work->to, work->bytes) && work->pattern_bytes &&
           work->pattern_bytes <= MR_PATTERN_BYTES && work->bytes % work->pattern_bytes == 0;
  case MR_WORK_LAUNCH:
  case MR_WORK_CALL:
    for (uint32_t i = 0; i < work->num_regions; i++) {
      if (work->regions[i].storage && !is_within(device, &work->regions[i], 0)) {
        return false;
      }
    }
    return work->kind == MR_WORK_CALL ? work->call != NULL : work->kernel && work->kernel->device->id == device->id;
  case MR_WORK_KINDS: break;
  }
  return false;
}
#endif

mr_status mr_device_submit(mr_device *device, const mr_device_work *work, mr_future *const *after, size_t num_after,
                           mr_future **out_done) {
  assert(is_sound(device, work));
  mr_future *done = NULL;  // `after` may be *out_done
  mr_status status = device->ops->submit(device, work, after, num_after, &done);
  if (status) {
    mr_device_conclude(device, after, num_after);
  }
  *out_done = done;
  return status;
}

void mr_device_conclude(mr_device *device, mr_future *const *futures, size_t num_futures) {
  if (device->ops->conclude) {
    device->ops->conclude(device, futures, num_futures);
  }
}

// ---- Kernels --------------------------------------------------------------------------------------------------------

mr_status mr_device_load_kernel(mr_device *device, const mr_kernel_code *code, mr_device_kernel **out_kernel) {
  return device->ops->load_kernel(device, code, out_kernel);
}

void mr_device_kernel_release(mr_device_kernel *take_kernel) {
  if (take_kernel) {
    take_kernel->device->ops->release_kernel(take_kernel);
  }
}

// ---- Devices --------------------------------------------------------------------------------------------------------

mr_executor *mr_device_executor_near(const mr_device *device, const mr_storage *storage) {
  if (!storage || storage->size < MR_NEAR_BYTES || storage->place == MR_PLACE_UNKNOWN) {
    return device->executor;
  }
  return mr_group_executor_near(device->group, storage->place);
}

const mr_target *mr_device_target(const mr_device *device) {
  return device->ops->target ? device->ops->target(device) : NULL;
}

mr_memory_stats mr_device_stats(mr_device *device) { return device->ops->stats(device); }
void mr_device_clear_peaks(mr_device *device) { device->ops->clear_peaks(device); }
