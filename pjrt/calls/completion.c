#include "pjrt/calls/completion.h"

#include "pjrt/objects/ext_client.h"

typedef struct completion {
  mr_future future;
  mr_waiter waiter;  // of what came before, then of `done`
  mr_future *before, *done;
} completion;

static void completion_destroy(mr_future *future) { mr_free(future); }

static void done_over(mr_waiter *waiter, mr_status status) {
  completion *self = (completion *)((char *)waiter - offsetof(completion, waiter));
  mr_future *done = self->done;
  mr_future_set(&self->future, mr_status_retain(status));
  mr_future_release(done);
  mr_future_release(&self->future);
}

static void before_over(mr_waiter *waiter, mr_status status) {
  (void)status;  // theirs
  completion *self = (completion *)((char *)waiter - offsetof(completion, waiter));
  mr_future_release(self->before);
  waiter->run = done_over;
  if (self->done) {
    mr_future_then(self->done, waiter);
  } else {
    done_over(waiter, MR_OK);
  }
}

mr_future *mr_pjrt_completion_after(PJRT_Device *device, mr_future *take_done) {
  pthread_mutex_t *lock = &device->client->ext->lock;
  pthread_mutex_lock(lock);
  mr_future *before = device->completed;
  bool alone = before == NULL || mr_future_is_set(before);
  completion *self = alone ? NULL : mr_alloc(sizeof *self);
  if (self == NULL && !alone) {
    pthread_mutex_unlock(lock);
    return take_done;
  }
  if (self) {
    mr_future_init_counted(&self->future, completion_destroy);
    self->waiter.run = before_over;
    self->before = before;
    self->done = take_done;
    (void)mr_future_retain(&self->future);  // the waiter's
    device->completed = mr_future_retain(&self->future);
  } else {
    device->completed = take_done ? mr_future_retain(take_done) : NULL;
  }
  pthread_mutex_unlock(lock);
  if (self == NULL) {
    mr_future_release(before);
    return take_done;
  }
  mr_future_then(self->before, &self->waiter);
  return &self->future;
}
