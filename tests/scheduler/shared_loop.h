// A scheduler, and a loop that counts how often each of its tiles ran: for the tests of the scheduler.
#ifndef MR_TESTS_SCHEDULER_SHARED_LOOP_H
#define MR_TESTS_SCHEDULER_SHARED_LOOP_H

#include "scheduler/scheduler.h"
#include "tests/cmocka.h"

static inline mr_scheduler *make(uint32_t workers) {
  mr_scheduler *scheduler;
  mr_status status = mr_scheduler_create(&(mr_scheduler_options){.workers = workers}, &scheduler);
  assert_null(status);
  return scheduler;
}

enum { TILES = 1000 };
typedef struct loop {
  mr_group *group;
  _Atomic(int) hits[TILES];
  _Atomic(int) inner;
} loop;

static inline void hit(void *context, int64_t begin, int64_t end) {
  loop *l = context;
  for (int64_t i = begin; i < end; i++) {
    atomic_fetch_add(&l->hits[i], 1);
  }
}

#endif
