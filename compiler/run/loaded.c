// What devices that are not direct have made of a plan: its kernels, each loaded once for each of them when a step is submitted for the
// first time, and its constants, where their memory is not the host's. All of it stays as long as the executable.
//
// States of mr_executable.loaded:
//
//   NULL --> what a device has --> another device's, before the older ones: nothing is taken out before the end
//
//   who                    operation                      order, and with what it pairs                               at once
//   first run on a device  load; swap, list -> own, list  release of the struct; acquire, of those that came before:  everybody
//                                                         it may be among them
//   other runs             load                           acquire, of all in the list                                 everybody
//
// States of loaded_plan.kernels:
//
//   NULL --the first run that has it loaded--> kernel, until the end
//
//   who  operation                   order, and with what it pairs                         at once
//   run  load; swap, NULL -> kernel  release (acq_rel) of the kernel; acquire, of that of  everybody
//                                    another run, which is taken instead
//
// States of loaded_plan.constants, upload.retried, of the upload that is there:
//
//   NULL --the first run--> upload, false: under way, there, or failed --a run, when it has failed--> upload, true
//                              ^ ^--------- it could not even begin -----------------------------------+   |
//                              +------------------------------ it is in the place of the one before -------+
//
//   who                   operation                         order, and with what it pairs                              at once
//   first run             constants: swap, NULL -> upload   release (acq_rel) of it; acquire, of that of another run,  everybody
//                                                           which is taken instead
//   run that finds a      retried: exchange, false -> true  acq_rel: acquire, of what who tried before has done with   everybody
//   failure                                                 its memory
//   whose `false` it was  retried: store, true -> false     release of that                                            who finds a failure
//   whose `false` it was  constants: store, -> its own      release of it; nobody else replaces what is there          everybody
//   run                   constants: load                   acquire, of the upload                                     everybody
#include <assert.h>
#include <string.h>

#include "compiler/run/run.h"

// The constants on their way to a device, or there; or it failed, and one more goes to the same memory.
typedef struct upload {
  struct upload *before;  // owned: it failed, and runs that came after it may look at it yet
  mr_storage *storage;    // owned
  mr_future *done;        // owned; NULL: it was over at once
  _Atomic(bool) retried;  // somebody is at it
} upload;

typedef struct loaded_plan {
  plan_loaded base;
  mr_executable *executable;
  mr_device *device;                            // whose platform is retained
  _Atomic(upload *) constants[PLAN_CONSTANTS];  // owned; NULL: not yet
  uint32_t count;
  _Atomic(mr_device_kernel *) kernels[];  // by number of the step; NULL: not yet
} loaded_plan;

static void destroy(plan_loaded *loaded);

static loaded_plan *cast(plan_loaded *loaded) {
  assert(loaded->destroy == destroy);
  return (loaded_plan *)loaded;
}

static plan_loaded *find(plan_loaded *list, const mr_device *device) {
  while (list && cast(list)->device != device) {
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
  size_t bytes = sizeof(loaded_plan) + e->num_steps * sizeof(_Atomic(mr_device_kernel *));
  loaded_plan *loaded = mr_alloc_zeroed(1, bytes);
  if (!loaded) {
    return MR_NO_MEMORY();
  }
  loaded->base.destroy = destroy;
  loaded->executable = e;
  loaded->device = device;
  loaded->count = e->num_steps;
  do {
    *out_loaded = find(first, device);
    if (*out_loaded) {  // another run was faster
      mr_free(loaded);
      return MR_OK;
    }
    loaded->base.next = first;
  } while (!atomic_compare_exchange_weak_explicit(&e->loaded, &first, &loaded->base, memory_order_release,
                                                  memory_order_acquire));
  mr_platform_enter(device->platform);
  *out_loaded = &loaded->base;
  return MR_OK;
}

mr_status mr_loaded_kernel(plan_loaded *base, const plan_step *step, mr_device_kernel **out_kernel) {
  loaded_plan *loaded = cast(base);
  _Atomic(mr_device_kernel *) *slot = &loaded->kernels[step->number];
  // acquire, pairs with the release below.
  *out_kernel = atomic_load_explicit(slot, memory_order_acquire);
  if (MR_LIKELY(*out_kernel != NULL)) {
    return MR_OK;
  }
  const mr_kernel_code code = {.language = step->unit ? step->unit->language : MR_CODE_NATIVE,
                               .native = step->function,
                               .name = step->name,
                               .unit = step->unit,
                               .entry = step->entry,
                               .num_regions = step->num_buffers};
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

// ---- Constants ----------------------------------------------------------------------------------------------------------

static void release_upload(upload *u) {
  while (u) {
    upload *before = u->before;
    if (u->done) {
      mr_future_wait(u->done);  // the device reads the executable's constants until then
    }
    mr_future_release(u->done);
    mr_storage_release(u->storage);
    mr_free(u);
    u = before;
  }
}

// Into the memory of the one before, if there is one.
static mr_status begin_upload(mr_executable *e, plan_constants which, mr_device *device, const upload *before,
                              upload *u) {
  u->storage = before ? mr_storage_retain(before->storage) : NULL;
  if (!before) {
    MR_TRY(mr_storage_allocate(&device->memories[MR_MEMORY_DEVICE], e->constant_bytes[which], &u->storage));
  }
  const mr_device_work copy = {.kind = MR_WORK_COPY_IN,
                               .name = "constants",
                               .bytes = e->constant_bytes[which],
                               .to = {u->storage, 0},
                               .host_from = e->constants[which]};
  return mr_device_submit(device, &copy, NULL, 0, &u->done);
}

static mr_status upload_constants(mr_executable *e, plan_constants which, mr_device *device, const upload *before,
                                  upload **out_upload) {
  upload *u = *out_upload = mr_alloc_zeroed(1, sizeof *u);
  if (!u) {
    return MR_NO_MEMORY();
  }
  mr_status status = begin_upload(e, which, device, before, u);
  if (status) {
    release_upload(u);
    *out_upload = NULL;
  }
  return status;
}

static bool has_failed(const upload *u) {
  return u->done && mr_future_is_set(u->done) && mr_future_status(u->done) != MR_OK;
}

// In place of one that failed. One run at a time: who comes meanwhile gets the one that failed.
static mr_status upload_again(loaded_plan *loaded, plan_constants which, upload **inout_upload) {
  upload *failed = *inout_upload, *mine;
  // acq_rel: the memory is of whoever tries.
  if (atomic_exchange_explicit(&failed->retried, true, memory_order_acq_rel)) {
    return MR_OK;
  }
  mr_status status = upload_constants(loaded->executable, which, loaded->device, failed, &mine);
  if (status) {
    // release: nothing of it is going on, and the next run may try.
    atomic_store_explicit(&failed->retried, false, memory_order_release);
    return status;
  }
  mine->before = failed;
  // release, pairs with the acquire below. Nobody else replaces what is there.
  atomic_store_explicit(&loaded->constants[which], mine, memory_order_release);
  *inout_upload = mine;
  return MR_OK;
}

mr_status mr_loaded_constants(plan_loaded *base, plan_constants which, mr_storage **out_storage,
                              mr_future **out_ready) {
  loaded_plan *loaded = cast(base);
  // acquire, pairs with the release below.
  upload *u = atomic_load_explicit(&loaded->constants[which], memory_order_acquire);
  if (!u) {
    upload *mine;
    MR_TRY(upload_constants(loaded->executable, which, loaded->device, NULL, &mine));
    if (atomic_compare_exchange_strong_explicit(&loaded->constants[which], &u, mine, memory_order_acq_rel,
                                                memory_order_acquire)) {
      u = mine;
    } else {  // by another run
      release_upload(mine);
    }
  } else if (has_failed(u)) {  // not this run's own
    MR_TRY(upload_again(loaded, which, &u));
  }
  *out_storage = u->storage;
  *out_ready = u->done;
  return MR_OK;
}

// ---- The whole ----------------------------------------------------------------------------------------------------------

static void destroy(plan_loaded *base) {
  loaded_plan *loaded = cast(base);
  // relaxed, all of it: nobody else has the executable any more.
  for (uint32_t i = 0; i < loaded->count; i++) {
    mr_device_kernel_release(atomic_load_explicit(&loaded->kernels[i], memory_order_relaxed));
  }
  for (int k = 0; k < PLAN_CONSTANTS; k++) {
    release_upload(atomic_load_explicit(&loaded->constants[k], memory_order_relaxed));
  }
  mr_platform_leave(loaded->device->platform);
  mr_free(loaded);
}

static mr_status load_kernels(plan_loaded *loaded, const plan_sequence *sequence) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    const plan_step *step = &sequence->steps[i];
    mr_device_kernel *kernel;
    if (step->kind == STEP_KERNEL && step->unit) {
      MR_TRY(mr_status_note(mr_loaded_kernel(loaded, step, &kernel), "%s", step->name));
    }
    for (uint32_t r = 0; r < step->num_sequences; r++) {
      MR_TRY(load_kernels(loaded, &step->sequences[r]));
    }
  }
  return MR_OK;
}

static const char *language_name(const mr_target *target) {
  return target && target->language == MR_CODE_OPENCL_C ? "OpenCL C" : "native code";
}

mr_status mr_executable_check_device(const mr_executable *e, const mr_device *device) {
  const mr_target *made = e->for_target ? &e->target : NULL, *taken = mr_device_target(device);
  bool same = made && taken ? made->key.low == taken->key.low && made->key.high == taken->key.high : made == taken;
  if (same) {
    return MR_OK;
  }
  return mr_error(
      MR_INVALID_ARGUMENT,
      "program %.*s was compiled to %s (target %016llx), and device %d of kind %s takes %s (target %016llx)",
      MR_STR_ARG(e->name), language_name(made), made ? (unsigned long long)made->key.low : 0, device->id,
      device->ops->name, language_name(taken), taken ? (unsigned long long)taken->key.low : 0);
}

mr_status mr_executable_load(mr_executable *e, mr_device *device) {
  MR_TRY(mr_executable_check_device(e, device));
  if (!e->num_units) {
    return MR_OK;
  }
  plan_loaded *loaded;
  MR_TRY(mr_executable_loaded(e, device, &loaded));
  return load_kernels(loaded, &e->main);
}
