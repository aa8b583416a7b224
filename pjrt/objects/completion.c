#include "pjrt/objects/completion.h"

#include <pthread.h>
#include <stddef.h>

#include "core/fork.h"

struct mr_pjrt_completion {
  mr_future future;
  mr_waiter waiter;  // of what came before, then of `done`
  mr_future *before, *done;
  PJRT_Device *device;  // under lock; whose last one it is, NULL: it is not the last any more
};

MR_FORK_LOCK(lock);  // of all devices' lists

static void completion_destroy(mr_future *future) { mr_free(future); }

static mr_pjrt_completion *of_waiter(mr_waiter *waiter) {
  return (mr_pjrt_completion *)((char *)waiter - offsetof(mr_pjrt_completion, waiter));
}

// Nothing comes after it: then the next one has nothing to wait for.
static void forget(mr_pjrt_completion *self) {
  pthread_mutex_lock(&lock);
  if (self->device) {
    self->device->completion = NULL;
    self->device = NULL;
  }
  pthread_mutex_unlock(&lock);
}

static void done_over(mr_waiter *waiter, mr_status status) {
  mr_pjrt_completion *self = of_waiter(waiter);
  mr_future *done = self->done;
  forget(self);
  mr_future_set(&self->future, mr_status_retain(status));
  mr_future_release(done);
  mr_future_release(&self->future);
}

static void before_over(mr_waiter *waiter, mr_status status) {
  (void)status;  // theirs
  mr_pjrt_completion *self = of_waiter(waiter);
  mr_future_release(self->before);
  waiter->run = done_over;
  if (self->done) {
    mr_future_then(self->done, waiter);
  } else {
    done_over(waiter, MR_OK);
  }
}

// Puts `self` behind the device's last one.
static void put(PJRT_Device *device, mr_pjrt_completion *self) {
  pthread_mutex_lock(&lock);
  if (device->completion) {
    self->before = mr_future_retain(&device->completion->future);
    device->completion->device = NULL;
  }
  self->device = device;
  device->completion = self;
  pthread_mutex_unlock(&lock);
}

static bool is_last(PJRT_Device *device) {
  pthread_mutex_lock(&lock);
  bool last = device->completion == NULL;
  pthread_mutex_unlock(&lock);
  return last;
}

mr_future *mr_pjrt_completion_after(PJRT_Device *device, mr_future *take_done) {
  mr_pjrt_completion *self = take_done == NULL && is_last(device) ? NULL : mr_alloc(sizeof *self);
  if (self == NULL) {
    return take_done;
  }
  *self = (mr_pjrt_completion){.waiter.run = before_over, .done = take_done};
  mr_future_init_counted(&self->future, completion_destroy);
  (void)mr_future_retain(&self->future);  // the waiter's
  put(device, self);
  if (self->before) {
    mr_future_then(self->before, &self->waiter);
  } else {
    before_over(&self->waiter, MR_OK);
  }
  return &self->future;
}

void mr_pjrt_completion_end(PJRT_Device *device) {
  pthread_mutex_lock(&lock);
  if (device->completion) {
    device->completion->device = NULL;
    device->completion = NULL;
  }
  pthread_mutex_unlock(&lock);
}
