// What the rows of a run in step have in common: parameters that are the same, and what steps that are done once write.
//
// Hosts give each device a buffer of its own also where a parameter is not cut. That they hold the same is seen by the address, or by what was
// found before (the storages' twin number), or else by comparing them. What was computed once is one storage for the buffers of all rows, and so is
// the same by its address when it comes back.
#include <string.h>

#include "compiler/run/run.h"

// ---- The same -----------------------------------------------------------------------------------------------------------------

typedef struct comparison {
  const char *a, *b;
  size_t bytes;
  _Atomic(bool) differs;  // relaxed: the loop's end publishes it
} comparison;

static void compare_tiles(void *context, int64_t begin, int64_t end) {
  comparison *c = context;
  size_t at = (size_t)begin * MR_ONCE_COMPARE_BYTES, until = MR_MIN((size_t)end * MR_ONCE_COMPARE_BYTES, c->bytes);
  if (!atomic_load_explicit(&c->differs, memory_order_relaxed) && memcmp(c->a + at, c->b + at, until - at) != 0) {
    atomic_store_explicit(&c->differs, true, memory_order_relaxed);
  }
}

static bool hold_the_same(const mr_storage *a, const mr_storage *b, size_t bytes, mr_group *cores) {
  comparison c = {.a = a->data, .b = b->data, .bytes = bytes};
  int64_t tiles = (int64_t)mr_size_parts(bytes, MR_ONCE_COMPARE_BYTES);
  mr_parallel_for(cores, tiles, compare_tiles, &c, 1, bytes / MR_ONCE_COMPARE_BYTES_PER_NS);
  return !atomic_load_explicit(&c.differs, memory_order_relaxed);
}

static mr_storage *argument(const launch_state *s, uint32_t i) { return mr_hold_storage(s->holds[i]); }

static bool is_same(const mr_executable *e, launch_state *const *states, uint32_t count, uint32_t i, mr_group *cores) {
  mr_storage *first = argument(states[0], i);
  size_t bytes = e->buffers[e->param_buffers[i]].bytes;
  bool compared = false;
  for (uint32_t row = 1; row < count; row++) {
    mr_storage *other = argument(states[row], i);
    if (!first || !other) {
      return false;  // which is an error, and said when it is opened
    }
    if (first->data == other->data || mr_storage_are_twins(first, other)) {
      continue;
    }
    if (!hold_the_same(first, other, bytes, cores)) {
      return false;
    }
    compared = true;
  }
  for (uint32_t row = 1; compared && row < count; row++) {
    mr_storage_make_twins(first, argument(states[row], i));
  }
  return true;
}

bool mr_once_applies(const mr_executable *e, launch_state *const *states, uint32_t count, mr_group *cores) {
  for (uint32_t i = 0; i < e->num_params; i++) {
    if (e->once_params[i] && !is_same(e, states, count, i, cores)) {
      return false;
    }
  }
  return e->num_once > 0;
}

// ---- In one place -------------------------------------------------------------------------------------------------------------

bool mr_once_owns(const once_for_all *once, uint32_t i) {
  const launch_state *first = once->states[0];
  const mr_executable *e = first->executable;
  if (!e->buffers[e->param_buffers[i]].shared) {
    return false;
  }
  for (uint32_t row = 0; row < once->count; row++) {
    const launch_state *s = once->states[row];
    if (!s->donates[i] || argument(s, i) != argument(first, i) ||
        !mr_hold_is_exclusive_among(s->holds[i], once->count)) {
      return false;
    }
  }
  return true;
}

mr_storage *mr_once_result(const launch_state *s, uint32_t k) {
  const mr_executable *e = s->executable;
  launch_state *first = s->once->states[0];
  if (s == first || !e->buffers[e->result_buffers[k]].shared) {
    return NULL;
  }
  mr_storage *storage = NULL;
  if (first->results[k]) {
    storage = mr_storage_retain(first->results[k]);
  } else {
    mr_status_free(mr_buffer_storage(first->buffers[k], &storage));  // which was made a moment ago
  }
  storage->common = true;
  return storage;
}
