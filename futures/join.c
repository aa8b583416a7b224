// Waiting for several futures at once: one block with a waiter for each.
#include <assert.h>

#include "core/census.h"
#include "futures/futures.h"
#include "futures/pool.h"

typedef struct join join;

typedef struct join_input {
  mr_waiter waiter;
  join *parent;
} join_input;

struct join {
  mr_future future;  // counted; one reference is the caller's, one belongs to the inputs that have not reported
  // Inputs that have not reported, plus one while they are being connected.
  _Atomic(size_t) remaining;
  // all: the first error, owned. any: unused.
  //
  // States of join.error:
  //
  //   0 --first input that fails--> status --last input--> 0; the status is the future's
  //
  //   who         operation           order, and with what it pairs                  at once
  //   input       swap, 0 -> status   relaxed: `remaining` hands it on (was_last())  other inputs
  //   last input  exchange, any -> 0  relaxed: likewise                              nobody
  _Atomic(uintptr_t) error;
  size_t size;
  join_input inputs[];
};

static void destroy(mr_future *future) {
  join *self = MR_CONTAINER_OF(future, join, future);
  // relaxed: the last reference is gone, nobody else is here.
  mr_status_free((mr_status)atomic_load_explicit(&self->error, memory_order_relaxed));
  mr_census_note(MR_CENSUS_futures, -1);
  mr_struct_free(self, self->size);
}

static join *create(size_t count) {
  if (count > (SIZE_MAX - sizeof(join)) / sizeof(join_input)) {
    return NULL;
  }
  size_t size = sizeof(join) + count * sizeof(join_input);
  join *self = mr_struct_alloc(size);
  if (!self) {
    return NULL;
  }
  mr_future_init_counted(&self->future, destroy);
  mr_census_note(MR_CENSUS_futures, 1);
  mr_future_retain(&self->future);
  // relaxed: published by the waiters that are connected afterwards.
  atomic_store_explicit(&self->remaining, count + 1, memory_order_relaxed);
  atomic_store_explicit(&self->error, 0, memory_order_relaxed);
  self->size = size;
  return self;
}

// True for the one call that was the last.
static bool was_last(join *self) {
  // acq_rel, pairs with itself: what each input's setter wrote is visible to whoever is last.
  return atomic_fetch_sub_explicit(&self->remaining, 1, memory_order_acq_rel) == 1;
}

static void connect(join *self, mr_future *const *futures, size_t count,
                    void (*run)(mr_waiter *waiter, mr_status status)) {
  for (size_t i = 0; i < count; i++) {
    self->inputs[i] = (join_input){.waiter.run = run, .parent = self};
    mr_future_then(futures[i], &self->inputs[i].waiter);
  }
}

// ---- All ------------------------------------------------------------------------------------------------------------

static void all_report(join *self) {
  if (!was_last(self)) {
    return;
  }
  // relaxed: was_last() acquired it.
  mr_status error = (mr_status)atomic_exchange_explicit(&self->error, 0, memory_order_relaxed);
  mr_future_set(&self->future, error);
  mr_future_release(&self->future);
}

static void all_input(mr_waiter *waiter, mr_status status) {
  join *self = MR_CONTAINER_OF(waiter, join_input, waiter)->parent;
  if (status) {
    mr_status ours = mr_status_retain(status);
    uintptr_t none = 0;
    // relaxed: was_last() hands it on; here it is only about being first.
    if (!atomic_compare_exchange_strong_explicit(&self->error, &none, (uintptr_t)ours, memory_order_relaxed,
                                                 memory_order_relaxed)) {
      mr_status_free(ours);
    }
  }
  all_report(self);
}

mr_status mr_future_all(mr_future *const *futures, size_t count, mr_future **out_future) {
  *out_future = NULL;
  join *self = create(count);
  if (!self) {
    return MR_NO_MEMORY();
  }
  *out_future = &self->future;
  connect(self, futures, count, all_input);
  all_report(self);
  return MR_OK;
}

// ---- Any ------------------------------------------------------------------------------------------------------------

static void any_input(mr_waiter *waiter, mr_status status) {
  join *self = MR_CONTAINER_OF(waiter, join_input, waiter)->parent;
  if (!status) {
    mr_future_try_set(&self->future, MR_OK);
  }
  if (!was_last(self)) {
    return;
  }
  if (status) {
    mr_future_try_set(&self->future, mr_status_retain(status));
  }
  mr_future_release(&self->future);
}

mr_status mr_future_any(mr_future *const *futures, size_t count, mr_future **out_future) {
  *out_future = NULL;
  assert(count > 0);
  join *self = create(count);
  if (!self) {
    return MR_NO_MEMORY();
  }
  // Connecting does not look at the block after the last input, so it needs no share of the count. relaxed: nothing is
  // connected yet.
  atomic_store_explicit(&self->remaining, count, memory_order_relaxed);
  *out_future = &self->future;
  connect(self, futures, count, any_input);
  return MR_OK;
}
