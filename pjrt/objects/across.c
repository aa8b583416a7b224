// Copies of buffers into memories of another client of the process. The two share no platform, so that no device reaches both: the
// content is read into host memory, and what is to be there is written from that.
#include "pjrt/objects/across.h"

#include "core/census.h"
#include "futures/futures.h"

typedef struct crossing {
  mr_storage *staging, *target;  // host memory of the target's device; where it goes
  mr_platform *platform;         // the target's, which stays until this is over
  mr_future *ready;              // the copy's
  mr_future *last;               // what is waited for
  mr_waiter waiter;              // for `last`
} crossing;

static void drop(crossing *self) {
  mr_storage_release(self->staging);
  mr_storage_release(self->target);
  if (self->platform) {
    mr_platform_leave(self->platform);
  }
  mr_free(self);
  mr_census_add(MR_CENSUS_transfers, -1);
}

// The future last: who waits for it may destroy the client next.
static void finish(crossing *self, mr_status take_status) {
  mr_future *ready = self->ready;
  drop(self);
  mr_future_set(ready, take_status);
  mr_future_release(ready);
}

static void last_is_over(mr_waiter *waiter, mr_status status) {
  crossing *self = MR_CONTAINER_OF(waiter, crossing, waiter);
  mr_future *last = self->last;
  finish(self, mr_status_retain(status));
  mr_future_release(last);
}

static mr_status open(const mr_buffer *source, mr_memory *memory, crossing *self, mr_buffer **out_buffer) {
  size_t bytes = mr_buffer_bytes(source);
  MR_TRY(mr_storage_allocate(mr_memory_on_host(memory), bytes, &self->staging));
  MR_TRY(mr_storage_allocate(memory, bytes, &self->target));
  MR_TRY(mr_future_create(&self->ready));
  self->platform = mr_platform_enter(memory->device->platform);
  return mr_buffer_create(memory, mr_buffer_dtype(source), mr_buffer_dims(source), mr_buffer_rank(source),
                          mr_storage_retain(self->target), mr_future_retain(self->ready), out_buffer);
}

// Ends by itself when that is over.
static void wait_for(crossing *self, mr_future *take_last) {
  self->last = take_last;
  self->waiter.run = last_is_over;
  mr_future_then(take_last, &self->waiter);
}

// From the source to the staging memory, and on. Takes `take_self` over. When it fails that is still read into until the first half is
// over, and goes then.
static mr_status begin(mr_buffer *source, crossing *take_self) {
  size_t bytes = mr_buffer_bytes(source);
  mr_future *read = NULL, *written = NULL;
  mr_status status = mr_buffer_raw_to_host(source, take_self->staging->data, 0, bytes, &read);
  if (!status && bytes) {
    status = mr_storage_write(take_self->target, 0, bytes, take_self->staging->data, &read, read != NULL, &written);
  }
  if (written) {
    mr_future_release(read);
    wait_for(take_self, written);
  } else if (read) {
    wait_for(take_self, read);
  } else {
    finish(take_self, status ? mr_status_retain(status) : MR_OK);
  }
  return status;
}

mr_status mr_pjrt_copy_across(mr_buffer *source, mr_memory *memory, mr_buffer **out_buffer) {
  *out_buffer = NULL;
  crossing *self = mr_alloc_zeroed(1, sizeof *self);
  if (!self) {
    return MR_NO_MEMORY();
  }
  mr_census_add(MR_CENSUS_transfers, 1);
  mr_status status = open(source, memory, self, out_buffer);
  if (status) {
    mr_future_release(self->ready);
    drop(self);
    return status;
  }
  status = begin(source, self);
  if (status) {
    mr_buffer_release(*out_buffer);
    *out_buffer = NULL;
  }
  return status;
}
