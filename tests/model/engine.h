// For models of the workers' own code: the engine's sources are included after this, with the explorer's futex, and with what
// only repeats itself made short. Schedulers never start their threads: the model's are they.
#ifndef MR_TESTS_MODEL_ENGINE_H
#define MR_TESTS_MODEL_ENGINE_H

#include "tests/model/model.h"

#include <pthread.h>
#include <string.h>

#include "core/core.h"
#include "futures/park.h"
#include "scheduler/internal.h"

static inline uint32_t model_one_unit(void) { return 1; }
#define mr_park(word, expected, deadline) (model_park(word, expected, (deadline) != 0))
#define mr_unpark(word, count) model_unpark(word)
#define mr_allowed_units model_one_unit  // so nobody spins: looking around ends after its first rounds
#define MR_WORKER_ROUNDS 1               // each is like the one before
#define mr_yield() (void)0
#define mr_now_ns() model_clock()
#define mr_trace_now() model_clock()
#define pthread_mutex_lock(lock) model_lock(lock)
#define pthread_mutex_trylock(lock) (!model_try_lock(lock))
#define pthread_mutex_unlock(lock) model_unlock(lock)

// `*scheduler` with so many workers: made when there is none, or one of another size, and as new in any case. Guests are no
// victims, as there are none.
static inline void model_engine_reset(mr_scheduler **scheduler, uint32_t workers) {
  if (*scheduler && (*scheduler)->worker_count != workers) {
    (*scheduler)->state = SCHEDULER_IDLE;
    mr_scheduler_release(*scheduler);
    *scheduler = NULL;
  }
  if (!*scheduler) {
    mr_status status = mr_scheduler_create(&(mr_scheduler_options){.workers = workers}, scheduler);
    model_check(!status, "no scheduler");
  }
  mr_scheduler *s = *scheduler;
  s->state = SCHEDULER_RUNNING;
  for (uint32_t i = 0; i < workers; i++) {
    worker *w = s->workers[i];
    model_check(w->token == 0, "a wake-up was left over");
    w->victim_count = workers - 1;
    w->in_task = false;
    w->activity = ACTIVITY_NONE;
    mr_calls_init(&w->calls);
    model_check(w->deque.top == w->deque.bottom, "an item was left over");
    w->deque.top = w->deque.bottom = w->deque.top_seen = 0;
    w->deque.many_claimable = false;
  }
  model_check(s->searching == 0 && s->sleeper_count == 0, "a thread is still counted");
}

#endif
