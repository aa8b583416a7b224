// Processing units that become fewer and more again, in every order with submitters and workers (units.c, fork.c, worker.c, wake.c).
// What a worker has when it stands aside is run by another, and every task runs once.
#include "tests/model/engine.h"

#include <sched.h>

#include "scheduler/quota.h"

static _Atomic(uint32_t) allowed;

static int get_affinity(size_t size, cpu_set_t *set) {
  memset(set, 0, size);
  uint32_t count = atomic_load_explicit(&allowed, memory_order_relaxed);
  for (uint32_t i = 0; i < count; i++) {
    CPU_SET(i, set);
  }
  return 0;
}
#define sched_getaffinity(id, size, set) ((void)(id), get_affinity(size, set))
#define mr_quota_units() 0
#define mr_note_allowed_units(count) (void)(count)

#include "scheduler/deque.c"
#include "scheduler/fork.c"
#include "scheduler/group.c"
#include "scheduler/units.c"
#include "scheduler/wake.c"
#include "scheduler/worker.c"
#include "tests/model/tasks.h"

// The scheduler stops as it ends, also while a worker stands aside.
static void run_task(mr_task *task) {
  if (count_run(task) == TASKS) {
    tell_workers(&scheduler->stopping);
  }
}

// `argument`: how many there are to be, one after another, as digits.
static void change_units(void *argument) {
  for (const char *at = argument; *at; at++) {
    atomic_store_explicit(&allowed, (uint32_t)(*at - '0'), memory_order_relaxed);
    mr_scheduler_look_at_units(scheduler);
  }
}

static void work(void *argument) {
  worker *w = self = argument;
  mr_worker_comes_back(w);
  mr_worker_work_until(w, &scheduler->stopping);
  atomic_store_explicit(&w->activity, ACTIVITY_NONE, memory_order_release);
  self = NULL;
}

static void fewer(char *counts) {
  reset_tasks(2, run_task);
  scheduler->topology->unit_count = scheduler->topology->parallelism = 2;  // whatever machine this is
  for (uint32_t i = 0; i < 2; i++) {
    scheduler->workers[i]->thread_id = (int32_t)i + 1;
  }
  set_active(scheduler, 2);
  scheduler->next_look = 0;
  allowed = 2;
  scheduler->stopping = 0;
  model_thread(submit_both, NULL);
  model_thread(change_units, counts);
  model_thread(work, scheduler->workers[0]);
  model_thread(work, scheduler->workers[1]);
  model_join();
  check_each_ran_once();
}
static void shrink(void) { fewer("1"); }
static void shrink_and_grow(void) { fewer("12"); }

static void explore(void) {
  model_explore("fewer", shrink, 2);
  model_explore("fewer, then more", shrink_and_grow, 1);
}

static const model_mutant mutants[] = {
    {"put_chain", "swap &box->newest", memory_order_acquire, "fewer"},
    {"take_all", "exchange &box->newest", memory_order_relaxed, "fewer"},
    {"mr_inbox_is_empty", "load &box->newest", memory_order_acquire, "fewer"},
    {"mr_scheduler_wake_one", "load &scheduler->sleeper_count", memory_order_acquire, "fewer"},
    {"mr_scheduler_wake_one", "load &scheduler->searching", memory_order_acquire, "fewer"},
    {"find_or_sleep", "fetch_sub &scheduler->searching", memory_order_acq_rel, "fewer"},
    {"is_done", "load done", memory_order_acquire, "fewer"},
};

int main(void) {
  if (MODEL_CANNOT_RUN) {
    return 0;
  }
  model_local(&self, sizeof self);
  return model_main(explore, mutants, sizeof mutants / sizeof *mutants);
}
