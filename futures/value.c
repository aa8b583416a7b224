// A future that carries an object.
#include "core/census.h"
#include "futures/futures.h"
#include "futures/pool.h"

static void destroy(mr_future *future) {
  mr_promise *self = MR_CONTAINER_OF(future, mr_promise, future);
  if (self->value && self->drop) self->drop(self->value);
  mr_census_note(MR_CENSUS_futures, -1);
  mr_pool_free(self, sizeof(*self));
}

mr_status mr_promise_create(void (*drop)(void *value), mr_promise **out_promise) {
  *out_promise = mr_pool_alloc(sizeof(mr_promise));
  if (!*out_promise) return MR_NO_MEMORY();
  mr_future_init_counted(&(*out_promise)->future, destroy);
  mr_census_note(MR_CENSUS_futures, 1);
  (*out_promise)->value = NULL;
  (*out_promise)->drop = drop;
  return MR_OK;
}

void mr_promise_set(mr_promise *promise, void *take_value) {
  promise->value = take_value;  // published by the set
  mr_future_set(&promise->future, MR_OK);
}

void mr_promise_fail(mr_promise *promise, mr_status take_status) { mr_future_set(&promise->future, take_status); }

void *mr_promise_value(const mr_promise *promise) { return mr_future_is_set(&promise->future) ? promise->value : NULL; }
