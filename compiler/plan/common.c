// Large constants that several executables have: one block in the process, of which each has a reference. Where they are from does not matter, a
// model's sizes, two versions of it or a program that was compiled twice: equal bytes are one block.
//
// What is looked for first is a size and a hash of some of the bytes; whether it is found is said by all of them.
#include <pthread.h>
#include <string.h>

#include "compiler/plan/plan.h"
#include "core/fork.h"
#include "core/ref.h"

struct plan_common {
  plan_common *next;
  mr_hash128 sample;
  size_t bytes;
  uint32_t users;  // with the lock
  char *data;      // owned
};

MR_FORK_LOCK(lock);  // over the list, and held while bytes are compared: by who compiles
static plan_common *list;

// Of the size and of 64 pieces all over.
static mr_hash128 sample_of(mr_span bytes) {
  enum { PIECES = 64, PIECE = 64 };
  mr_hash128 hash = {bytes.size, 0};
  for (size_t i = 0; i < PIECES; i++) {
    size_t at = bytes.size / PIECES * i;
    hash = mr_hash128_of((const char *)bytes.data + at, MR_MIN((size_t)PIECE, bytes.size - at), hash);
  }
  return hash;
}

// One more user of a block that holds them. With the lock.
static plan_common *find(mr_span bytes, mr_hash128 sample) {
  for (plan_common *common = list; common; common = common->next) {
    if (common->bytes == bytes.size && common->sample.low == sample.low && common->sample.high == sample.high &&
        memcmp(common->data, bytes.data, bytes.size) == 0) {
      common->users++;
      return common;
    }
  }
  return NULL;
}

static mr_status create(mr_span bytes, mr_hash128 sample, plan_common **out_common) {
  plan_common *common = mr_alloc_zeroed(1, sizeof *common);
  char *data = common ? mr_alloc_aligned(64, (bytes.size + 63) & ~(size_t)63) : NULL;
  if (!data) {
    mr_free(common);
    return MR_NO_MEMORY();
  }
  memcpy(data, bytes.data, bytes.size);
  *common = (plan_common){.sample = sample, .bytes = bytes.size, .users = 1, .data = data};
  *out_common = common;
  return MR_OK;
}

mr_status mr_planner_common_take(mr_span bytes, plan_common **out_common) {
  const mr_hash128 sample = sample_of(bytes);
  pthread_mutex_lock(&lock);
  plan_common *found = *out_common = find(bytes, sample);
  pthread_mutex_unlock(&lock);
  if (found) {
    return MR_OK;
  }
  // Another thread may make an equal one meanwhile: then there are two, for as long as both are used.
  MR_TRY(create(bytes, sample, out_common));
  pthread_mutex_lock(&lock);
  (*out_common)->next = list;
  list = *out_common;
  pthread_mutex_unlock(&lock);
  return MR_OK;
}

char *mr_planner_common_data(const plan_common *common) { return common->data; }

void mr_planner_common_release(plan_common *common) {
  if (!common) {
    return;
  }
  pthread_mutex_lock(&lock);
  bool last = --common->users == 0;
  for (plan_common **at = &list; last && *at; at = &(*at)->next) {
    if (*at == common) {
      *at = common->next;
      break;
    }
  }
  pthread_mutex_unlock(&lock);
  if (last) {
    mr_free(common->data);
    mr_free(common);
  }
}
