// What devices that are not direct have made of a plan's kernels: each is loaded once for each of them, when a step is submitted
// for the first time, and stays as long as the executable.
#include <string.h>

#include "compiler/plan/plan.h"

struct plan_loaded {
  struct plan_loaded *next;
  mr_device *device;  // whose platform is retained
  uint32_t count;
  _Atomic(mr_device_kernel *) kernels[];  // by number of the step; NULL: not yet
};

static plan_loaded *find(plan_loaded *list, const mr_device *device) {
  while (list && list->device != device) {
    list = list->next;
  }
  return list;
}

mr_status mr_executable_loaded(mr_executable *e, mr_device *device, plan_loaded **out_loaded) {
  // acquire, pairs with the release below: the struct is complete.
  plan_loaded *first = atomic_load_explicit(&e->loaded, memory_order_acquire);
  *out_loaded = find(first, device);
  if (*out_loaded) {
    return MR_OK;
  }
  size_t bytes = sizeof(plan_loaded) + e->num_steps * sizeof(_Atomic(mr_device_kernel *));
  plan_loaded *loaded = mr_alloc_zeroed(1, bytes);
  if (!loaded) {
    return MR_NO_MEMORY();
  }
  loaded->device = device;
  loaded->count = e->num_steps;
  do {
    *out_loaded = find(first, device);
    if (*out_loaded) {  // another run was faster
      mr_free(loaded);
      return MR_OK;
    }
    loaded->next = first;
  } while (
      !atomic_compare_exchange_weak_explicit(&e->loaded, &first, loaded, memory_order_release, memory_order_acquire));
  mr_platform_retain(device->platform);
  *out_loaded = loaded;
  return MR_OK;
}

mr_status mr_loaded_kernel(plan_loaded *loaded, const plan_step *step, mr_device_kernel **out_kernel) {
  _Atomic(mr_device_kernel *) *slot = &loaded->kernels[step->number];
  // acquire, pairs with the release below.
  *out_kernel = atomic_load_explicit(slot, memory_order_acquire);
  if (MR_LIKELY(*out_kernel != NULL)) {
    return MR_OK;
  }
  const mr_kernel_code code = {.language = MR_CODE_NATIVE, .native = step->function, .name = step->name};
  mr_device_kernel *kernel, *there = NULL;
  MR_TRY(mr_device_load_kernel(loaded->device, &code, &kernel));
  if (atomic_compare_exchange_strong_explicit(slot, &there, kernel, memory_order_acq_rel, memory_order_acquire)) {
    *out_kernel = kernel;
  } else {  // by another run
    mr_device_kernel_release(kernel);
    *out_kernel = there;
  }
  return MR_OK;
}

void mr_loaded_release(mr_executable *e) {
  // relaxed, all of it: nobody else has the executable any more.
  plan_loaded *next, *loaded = atomic_load_explicit(&e->loaded, memory_order_relaxed);
  for (; loaded; loaded = next) {
    next = loaded->next;
    for (uint32_t i = 0; i < loaded->count; i++) {
      mr_device_kernel_release(atomic_load_explicit(&loaded->kernels[i], memory_order_relaxed));
    }
    mr_platform_release(loaded->device->platform);
    mr_free(loaded);
  }
}
