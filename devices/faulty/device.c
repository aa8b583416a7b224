// The faulty device. Work whose fate is ordinary goes to the device inside as it is. All other is a node that waits for the inputs
// and then meets its fate.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "devices/devices.h"
#include "devices/faulty/faulty.h"
#include "devices/faulty/orders.h"
#include "devices/host/queue.h"

typedef struct doomed doomed;

typedef struct faulty_device {
  mr_device base;
  mr_device *inner;      // owned
  mr_late_queue *queue;  // where late work waits
  mr_faulty_orders orders;
  _Atomic(bool) lost;
  pthread_mutex_t lock;  // for what follows
  bool given_up;
  doomed *never;  // what is not going to end
} faulty_device;

struct doomed {
  faulty_device *device;
  mr_faulty_fate fate;
  mr_status verdict;  // owned
  doomed *next;       // in the list `never`
  mr_device_work work;
  mr_waiter waiter;
  mr_future *pending;  // of the device inside
  mr_task telling;
  mr_region regions[];
};

static const mr_device_ops faulty_ops;

static faulty_device *faulty_cast(mr_device *device) { return MR_CONTAINER_OF(device, faulty_device, base); }

static mr_node *node_of(doomed *d) { return (mr_node *)(void *)d - 1; }

// ---- Fates ----------------------------------------------------------------------------------------------------------

// What becomes of the next operation of this kind, and the status it fails with if it does.
static mr_faulty_fate decide(faulty_device *device, int operation, mr_status *out_verdict) {
  *out_verdict = MR_OK;
  const char *name = mr_faulty_operation_name(operation);
  uint64_t number;
  mr_faulty_fate fate = mr_faulty_orders_next(&device->orders, operation, &number);
  // acquire and release: who sees that the device is lost comes after what lost it.
  if (atomic_load_explicit(&device->lost, memory_order_acquire)) {
    *out_verdict = mr_error(MR_UNAVAILABLE, "device %d is lost", device->base.id);
    return MR_FATE_REFUSE;
  }
  if (fate == MR_FATE_LOST) {
    atomic_store_explicit(&device->lost, true, memory_order_release);
    *out_verdict = mr_error(MR_UNAVAILABLE, "device %d is lost: %s number %llu lost it, as was asked", device->base.id,
                            name, (unsigned long long)number);
  } else if (fate == MR_FATE_NEVER) {
    *out_verdict = mr_error(MR_UNAVAILABLE, "device %d was given up during %s number %llu", device->base.id, name,
                            (unsigned long long)number);
  } else if (fate == MR_FATE_FAIL || fate == MR_FATE_REFUSE) {
    *out_verdict = mr_error(MR_INTERNAL, "%s number %llu of device %d failed, as was asked", name,
                            (unsigned long long)number, device->base.id);
  }
  return fate;
}

// Of an operation that is over when its call returns.
static mr_status happen_at_once(faulty_device *device, int operation) {
  mr_status verdict;
  if (decide(device, operation, &verdict) == MR_FATE_LATE) {
    const struct timespec pause = {0, (long)MR_FAULTY_LATE_NS};
    nanosleep(&pause, NULL);
  }
  return verdict;
}

// ---- Work that something happens to ---------------------------------------------------------------------------------

static void tell(mr_task *task) {
  doomed *d = MR_CONTAINER_OF(task, doomed, telling);
  mr_status verdict = d->verdict;
  d->verdict = MR_OK;
  mr_node_finish(node_of(d), verdict);
}

// Who waits is told on a worker.
static void end(doomed *d) {
  d->telling.run = tell;
  mr_executor *workers = d->device->base.executor;
  workers->ready(workers, &d->telling, 0, false);
}

static void inner_is_over(mr_waiter *waiter, mr_status status) {
  doomed *d = MR_CONTAINER_OF(waiter, doomed, waiter);
  mr_future *pending = d->pending;
  d->verdict = mr_status_retain(status);
  end(d);
  mr_future_release(pending);
}

static void begin_late(doomed *d) {
  mr_device *inner = d->device->inner;
  d->verdict = inner->ops->submit(inner, &d->work, NULL, 0, &d->pending);
  if (d->verdict || !d->pending) {
    end(d);
    return;
  }
  d->waiter.run = inner_is_over;
  mr_future_then(d->pending, &d->waiter);
}

// Into the list of what is not going to end; false: the device has been given up already.
static bool never_end(doomed *d) {
  faulty_device *device = d->device;
  pthread_mutex_lock(&device->lock);
  bool waits = !device->given_up;
  if (waits) {
    d->next = device->never;
    device->never = d;
  }
  pthread_mutex_unlock(&device->lock);
  return waits;
}

static void doomed_run(mr_node *node) {
  doomed *d = mr_node_payload(node);
  if (d->fate == MR_FATE_LATE) {
    begin_late(d);
  } else if (d->fate != MR_FATE_NEVER || !never_end(d)) {
    end(d);
  }
}

static void doomed_drop(mr_node *node) {
  doomed *d = mr_node_payload(node);
  mr_status_free(d->verdict);
  d->verdict = MR_OK;
}

static const mr_node_type doomed_type = {
    .name = "faulty work", .kind = MR_NODE_CUSTOM, .run = doomed_run, .drop = doomed_drop};

static mr_status submit_doomed(faulty_device *device, const mr_device_work *work, mr_faulty_fate fate,
                               mr_status take_verdict, mr_future *const *after, size_t num_after,
                               mr_future **out_done) {
  mr_node *node;
  mr_executor *executor = fate == MR_FATE_LATE ? mr_late_queue_executor(device->queue) : device->base.executor;
  mr_status status =
      mr_node_create(&doomed_type, sizeof(doomed) + work->num_regions * sizeof(mr_region), executor, &node);
  if (status) {
    mr_status_free(take_verdict);
    return status;
  }
  doomed *d = mr_node_payload(node);
  *d = (doomed){.device = device, .fate = fate, .verdict = take_verdict, .work = *work};
  if (work->num_regions) {
    memcpy(d->regions, work->regions, work->num_regions * sizeof(mr_region));
  }
  d->work.regions = d->regions;
  node->device = (int16_t)device->base.id;
  *out_done = mr_node_keep_done(node);
  for (size_t i = 0; i < num_after; i++) {
    mr_status_free(mr_node_after(node, after[i]));  // on failure the node is poisoned with it
  }
  mr_node_submit(node);
  return MR_OK;
}

static mr_status faulty_submit(mr_device *device, const mr_device_work *work, mr_future *const *after, size_t num_after,
                               mr_future **out_done) {
  faulty_device *self = faulty_cast(device);
  mr_status verdict;
  mr_faulty_fate fate = decide(self, (int)work->kind, &verdict);
  *out_done = NULL;
  if (fate == MR_FATE_NONE) {
    return self->inner->ops->submit(self->inner, work, after, num_after, out_done);
  }
  mr_device_conclude(self->inner, after, num_after);  // the device inside does not see what was to follow
  return fate == MR_FATE_REFUSE ? verdict : submit_doomed(self, work, fate, verdict, after, num_after, out_done);
}

static void faulty_conclude(mr_device *device, mr_future *const *futures, size_t num_futures) {
  mr_device_conclude(faulty_cast(device)->inner, futures, num_futures);
}

static void faulty_give_up(mr_device *device) {
  faulty_device *self = faulty_cast(device);
  pthread_mutex_lock(&self->lock);
  self->given_up = true;
  doomed *never = self->never;
  self->never = NULL;
  pthread_mutex_unlock(&self->lock);
  while (never) {
    doomed *next = never->next;  // read first: the work may be gone afterwards
    end(never);
    never = next;
  }
  if (self->inner->ops->give_up) {
    self->inner->ops->give_up(self->inner);
  }
}

// ---- The rest -------------------------------------------------------------------------------------------------------

static mr_status faulty_allocate(mr_memory *memory, size_t size, mr_storage **out_storage) {
  faulty_device *self = faulty_cast(memory->device);
  *out_storage = NULL;
  MR_TRY(happen_at_once(self, MR_FAULTY_ALLOCATE));
  MR_TRY(self->inner->ops->allocate(&self->inner->memories[memory->kind], size, out_storage));
  (*out_storage)->memory = memory;
  return MR_OK;
}

// The kernel is the inner device's, and goes back there.
static mr_status faulty_load_kernel(mr_device *device, const mr_kernel_code *code, mr_device_kernel **out_kernel) {
  faulty_device *self = faulty_cast(device);
  *out_kernel = NULL;
  MR_TRY(happen_at_once(self, MR_FAULTY_LOAD));
  return self->inner->ops->load_kernel(self->inner, code, out_kernel);
}

static void faulty_release_kernel(mr_device_kernel *take_kernel) { mr_device_kernel_release(take_kernel); }

static mr_memory_stats faulty_stats(mr_device *device) { return mr_device_stats(faulty_cast(device)->inner); }
static void faulty_clear_peaks(mr_device *device) { mr_device_clear_peaks(faulty_cast(device)->inner); }

static const mr_target *faulty_target(const mr_device *device) {
  return mr_device_target(MR_CONTAINER_OF(device, const faulty_device, base)->inner);
}
static const mr_figures *faulty_figures(mr_device *device) { return mr_device_figures(faulty_cast(device)->inner); }

mr_status mr_faulty_set(mr_device *device, mr_str list) {
  faulty_device *self = faulty_cast(device);
  atomic_store_explicit(&self->lost, false, memory_order_release);  // as in decide()
  return mr_faulty_orders_parse(list, &self->orders);
}

uint64_t mr_faulty_count(mr_device *device, const char *operation) {
  int number = mr_faulty_operation_parse(mr_str_of(operation));
  // relaxed: a number.
  return number < 0 ? 0 : atomic_load_explicit(&faulty_cast(device)->orders.counts[number], memory_order_relaxed);
}

static void faulty_destroy(mr_device *device) {
  faulty_device *self = faulty_cast(device);
  mr_late_queue_destroy(self->queue);
  if (self->inner) {
    self->inner->ops->destroy(self->inner);
  }
  pthread_mutex_destroy(&self->lock);
  mr_free(self);
}

static mr_status open_device(faulty_device *self, const mr_device_seed *seed) {
  const char *list = getenv("MILLRACE_FAULTY");
  MR_TRY(mr_faulty_orders_parse(mr_str_of(list ? list : ""), &self->orders));
  MR_TRY(mr_late_queue_create(MR_FAULTY_LATE_NS, MR_FAULTY_LATE_NS, &self->queue));
  return mr_device_create(seed->inner, seed, &self->inner);
}

static mr_status faulty_create(const mr_device_seed *seed, mr_device **out_device) {
  *out_device = NULL;
  faulty_device *self = mr_alloc_zeroed(1, sizeof *self);
  if (!self) {
    return MR_NO_MEMORY();
  }
  pthread_mutex_init(&self->lock, NULL);
  mr_device_init(&self->base, &faulty_ops, seed);
  self->base.memories[MR_MEMORY_DEVICE].addressable = false;
  mr_status status = open_device(self, seed);
  if (status) {
    faulty_destroy(&self->base);
    return status;
  }
  mr_device_add_attribute(&self->base, "inside", self->inner->ops->name, 0);
  *out_device = &self->base;
  return MR_OK;
}

static const mr_device_ops faulty_ops = {
    .name = "faulty",
    .destroy = faulty_destroy,
    .allocate = faulty_allocate,
    .submit = faulty_submit,
    .conclude = faulty_conclude,
    .load_kernel = faulty_load_kernel,
    .release_kernel = faulty_release_kernel,
    .stats = faulty_stats,
    .clear_peaks = faulty_clear_peaks,
    .give_up = faulty_give_up,
    .figures = faulty_figures,
    .target = faulty_target,
};

const mr_device_kind mr_faulty_kind = {.name = "faulty", .wraps = true, .create = faulty_create};
