// The OpenCL device: a context of its own, so that what breaks one leaves the others alone, and three queues in order.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/trace.h"
#include "devices/devices.h"
#include "devices/host/budget.h"
#include "devices/host/figures.h"
#include "devices/opencl/ocl.h"
#include "devices/opencl/opencl.h"
#include "devices/opencl/tuning.h"

static const mr_device_ops ocl_ops;

// ---- Life -----------------------------------------------------------------------------------------------------------

static void close_queues(mr_ocl_device *device) {
  // acquire, as in mr_ocl_check(). Of a lost device nothing is waited for.
  bool lost = atomic_load_explicit(&device->lost, memory_order_acquire);
  for (size_t i = 0; i < MR_OCL_QUEUES; i++) {
    if (device->queues[i] && !lost) {
      CL(Finish)(device->queues[i]);
    }
    if (device->queues[i]) {
      CL(ReleaseCommandQueue)(device->queues[i]);
    }
  }
}

static void ocl_destroy(mr_device *base) {
  mr_ocl_device *device = mr_ocl_cast(base);
  mr_ocl_remove_device(device);
  mr_ocl_trim(device, 0);
  if (!mr_ocl_is_over()) {
    close_queues(device);
    if (device->context) {
      CL(ReleaseContext)(device->context);
    }
  }
  mr_status_free(device->why);
  mr_free(device);
}

static mr_status refused(const mr_ocl_info *info, const char *function, cl_int rc) {
  return mr_error(MR_UNAVAILABLE, "%s of %s cannot be used: %s says %s (%d)", info->name, info->platform_name, function,
                  mr_ocl_error_name(rc), (int)rc);
}

static mr_status open_queues(mr_ocl_device *device) {
  const mr_ocl_info *info = device->info;
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)info->platform, 0};
  const cl_command_queue_properties properties_of_queues = mr_trace_is_on() ? CL_QUEUE_PROFILING_ENABLE : 0;
  cl_int rc = CL_SUCCESS;
  device->context = CL(CreateContext)(properties, 1, &info->device, NULL, NULL, &rc);
  if (!device->context) {
    return refused(info, "clCreateContext", rc);
  }
  for (size_t i = 0; i < MR_OCL_QUEUES; i++) {
    device->queues[i] = CL(CreateCommandQueue)(device->context, info->device, properties_of_queues, &rc);
    if (!device->queues[i]) {
      return refused(info, "clCreateCommandQueue", rc);
    }
  }
  if (properties_of_queues) {
    mr_ocl_times_open(device);
  }
  return MR_OK;
}

// ---- What it is like ------------------------------------------------------------------------------------------------

static mr_status read_settings(mr_ocl_device *device) {
  const char *memory = getenv("MILLRACE_OPENCL_MEMORY");
  if (memory && *memory && strcmp(memory, "shared") != 0 && strcmp(memory, "buffers") != 0) {
    return mr_error(MR_INVALID_ARGUMENT, "MILLRACE_OPENCL_MEMORY is \"%s\", wanted shared or buffers", memory);
  }
  device->shared = device->info->fine_grain && !(memory && strcmp(memory, "buffers") == 0);
  if (!device->shared && memory && strcmp(memory, "shared") == 0) {
    return mr_error(MR_FAILED_PRECONDITION, "MILLRACE_OPENCL_MEMORY is shared, and %s has no fine-grain shared memory",
                    device->info->name);
  }
  const char *form = getenv("MILLRACE_OPENCL_FORM");
  if (form && *form && strcmp(form, "items") != 0 && strcmp(form, "shares") != 0) {
    return mr_error(MR_INVALID_ARGUMENT, "MILLRACE_OPENCL_FORM is \"%s\", wanted items or shares", form);
  }
  device->items = form && *form ? *form == 'i' : !(device->info->type & CL_DEVICE_TYPE_CPU);
  const char *options = getenv("MILLRACE_OPENCL_OPTIONS");
  if (options && strlen(options) > sizeof device->options / 2) {
    return mr_error(MR_INVALID_ARGUMENT, "MILLRACE_OPENCL_OPTIONS has %zu characters, at most %zu", strlen(options),
                    sizeof device->options / 2);
  }
  int64_t milliseconds;
  MR_TRY(mr_env_int("OPENCL_PATIENCE_MS", 10000, 1, 1000000, &milliseconds));
  device->patience_ns = (uint64_t)milliseconds * 1000000;
  return MR_OK;
}

static void set_limit(mr_ocl_device *device) {
  uint64_t all = device->info->global_bytes;
  device->limit = all - all / MR_OCL_RESERVE_PART;
  if (device->info->shares_memory) {
    device->limit = MR_MIN(device->limit, mr_budget_limit());
  }
}

static void set_target(mr_ocl_device *device) {
  const mr_ocl_info *info = device->info;
  const char *subnormals = getenv("MILLRACE_SUBNORMALS");
  bool keeps = subnormals && strcmp(subnormals, "keep") == 0;
  const char *more = getenv("MILLRACE_OPENCL_OPTIONS");
  snprintf(device->options, sizeof device->options, "-cl-std=CL1.2 -w%s%s%s%s", keeps ? "" : " -cl-denorms-are-zero",
           info->has_correct_division ? " -cl-fp32-correctly-rounded-divide-sqrt" : "", more ? " " : "",
           more ? more : "");
  mr_target *target = &device->target;
  // Padding is part of the key.
  memset(target, 0, sizeof *target);
  target->language = MR_CODE_OPENCL_C;
  target->items = device->items;
  target->has_f64 = info->has_f64;
  target->has_correct_division = info->has_correct_division;
  target->has_subnormals = info->has_subnormals;
  target->has_long_atomics = info->has_long_atomics;
  target->largest_block_bytes = info->largest_block_bytes;
  target->parameter_bytes = info->parameter_bytes;
  if (target->items) {
    target->group_items = (uint32_t)MR_MIN(info->group_size, (size_t)MR_OCL_GROUP);
    target->local_bytes = MR_MIN(info->local_bytes, (uint64_t)MR_OCL_LOCAL_BYTES);
  }
  const char *steps = getenv("MILLRACE_OPENCL_HOST_STEPS");
  target->host_steps = !(steps && strcmp(steps, "0") == 0);
  // Not how large blocks may be, which is another number in each process.
  mr_target key = *target;
  key.largest_block_bytes = 0;
  target->key = mr_hash128_of(&key, sizeof key, (mr_hash128){0});
}

static void set_figures(mr_ocl_device *device) {
  device->figures = mr_figures_default;
  device->figures.units = device->info->units;
  device->figures.largest_block_bytes = (double)device->info->largest_block_bytes;
}

static void set_attributes(mr_ocl_device *device) {
  device->base.attributes[1].number = device->info->units;
  mr_device_add_attribute(&device->base, "name", device->info->name, 0);
  mr_device_add_attribute(&device->base, "platform", device->info->platform_name, 0);
  mr_device_add_attribute(&device->base, "driver", device->info->driver, 0);
}

// ---- Making one -----------------------------------------------------------------------------------------------------

// How many of the platform's devices have been meant by the same words before this one.
static size_t count_before(const mr_device_seed *seed) {
  size_t count = 0;
  for (int i = 0; i < seed->id; i++) {
    const mr_device *other = mr_platform_device(seed->platform, (size_t)i);
    count += other && other->ops == &ocl_ops;
  }
  return count;
}

static mr_status open_device(mr_ocl_device *device, const mr_device_seed *seed) {
  MR_TRY(read_settings(device));
  mr_device_init(&device->base, &ocl_ops, seed);
  device->base.memories[MR_MEMORY_DEVICE].addressable = device->shared;
  set_limit(device);
  set_target(device);
  set_figures(device);
  set_attributes(device);
  return open_queues(device);
}

static mr_status ocl_create(const mr_device_seed *seed, mr_device **out_device) {
  *out_device = NULL;
  MR_TRY(mr_budget_open());
  const mr_ocl_info *info;
  MR_TRY(mr_ocl_choose(seed->inner, count_before(seed), &info));
  if (mr_ocl_is_over()) {
    return mr_error(MR_UNAVAILABLE, "OpenCL cannot be used in the child of a process that has used it");
  }
  mr_ocl_device *device = mr_alloc_zeroed(1, sizeof *device);
  if (!device) {
    return MR_NO_MEMORY();
  }
  device->info = info;
  mr_ocl_add_device(device);
  mr_status status = open_device(device, seed);
  if (status) {
    ocl_destroy(&device->base);
    return status;
  }
  *out_device = &device->base;
  return MR_OK;
}

// ---- The rest -------------------------------------------------------------------------------------------------------

static mr_memory_stats ocl_stats(mr_device *base) {
  const mr_ocl_device *device = mr_ocl_cast(base);
  mr_memory_stats stats = mr_pool_account_stats(&device->account);
  stats.bytes_limit = device->limit;
  stats.limit_is_shared = device->info->shares_memory;
  // relaxed: counts.
  stats.pool_bytes = atomic_load_explicit(&device->held, memory_order_relaxed);
  stats.peak_pool_bytes = atomic_load_explicit(&device->peak_held, memory_order_relaxed);
  return stats;
}

static void ocl_clear_peaks(mr_device *base) { mr_pool_account_clear_peaks(&mr_ocl_cast(base)->account); }

static const mr_figures *ocl_figures(mr_device *base) {
  const mr_ocl_device *device = mr_ocl_cast(base);
  return device->info->type & CL_DEVICE_TYPE_CPU ? mr_host_figures(base) : &device->figures;
}

static const mr_target *ocl_target(const mr_device *base) { return &mr_ocl_cast(base)->target; }

static void ocl_give_up(mr_device *base) {
  mr_ocl_device *device = mr_ocl_cast(base);
  mr_ocl_lock();
  device->given_up_ns = mr_now_ns();
  mr_ocl_unlock();
  mr_ocl_collect(device);
  mr_ocl_watch_later();
}

static const mr_device_ops ocl_ops = {
    .name = "opencl",
    .destroy = ocl_destroy,
    .allocate = mr_ocl_allocate,
    .submit = mr_ocl_submit,
    .conclude = mr_ocl_conclude,
    .load_kernel = mr_ocl_load_kernel,
    .release_kernel = mr_ocl_release_kernel,
    .stats = ocl_stats,
    .clear_peaks = ocl_clear_peaks,
    .figures = ocl_figures,
    .target = ocl_target,
    .give_up = ocl_give_up,
};

const mr_device_kind mr_opencl_kind = {
    .name = "opencl", .chooses = true, .create = ocl_create, .describe = mr_ocl_describe};
