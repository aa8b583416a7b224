// Workers' sleeping and waking in every order: the worker's own code (worker.c, group.c, deque.c, wake.c) with threads that submit.
// No task is left behind, and nobody sleeps for ever.
#include "tests/model/engine.h"

#include "scheduler/deque.c"
#include "scheduler/group.c"
#include "scheduler/wake.c"
#include "scheduler/worker.c"
#include "tests/model/tasks.h"

static _Atomic(uint32_t) done;

static void run_task(mr_task *task) {
  if (count_run(task) == TASKS) {
    tell_workers(&done);
  }
}

static void submit(void *argument) { submit_task(argument); }

static void work(void *argument) {
  self = argument;
  mr_worker_work_until(argument, &done);
  self = NULL;
}

static void reset(uint32_t workers) {
  reset_tasks(workers, run_task);
  done = 0;
}

static void two_submitters(void) {
  reset(1);
  model_thread(submit, &tasks[0]);
  model_thread(submit, &tasks[1]);
  model_thread(work, scheduler->workers[0]);
  model_join();
  check_each_ran_once();
}

// One that submits both, so that waking the second worker depends on what the first one sees.
static void two_workers(void) {
  reset(2);
  model_thread(submit_both, NULL);
  model_thread(work, scheduler->workers[0]);
  model_thread(work, scheduler->workers[1]);
  model_join();
  check_each_ran_once();
}

static void explore(void) {
  model_explore("two submitters, one worker", two_submitters, 3);
  model_explore("one submitter, two workers", two_workers, 2);
}

static const model_mutant mutants[] = {
    {"put_chain", "swap &box->newest", memory_order_acq_rel, "two submitters, one worker"},
    {"take_all", "exchange &box->newest", memory_order_relaxed, "two submitters, one worker"},
    {"mr_inbox_is_empty", "load &box->newest", memory_order_acquire, "two submitters, one worker"},
    {"mr_scheduler_wake_one", "load &scheduler->sleeper_count", memory_order_acquire, "two submitters, one worker"},
    {"mr_scheduler_wake_one", "load &scheduler->searching", memory_order_acquire, "two submitters, one worker"},
    {"wake_in_range", "load &scheduler->sleepers[at / 64]", memory_order_acquire, "two submitters, one worker"},
    {"mr_scheduler_wake", "load &scheduler->sleepers[index / 64]", memory_order_acquire, "one submitter, two workers"},
    {"sleep_once", "fetch_or &scheduler->sleepers[w->index / 64]", memory_order_acq_rel, "two submitters, one worker"},
    {"sleep_once", "fetch_add &scheduler->sleeper_count", memory_order_acq_rel, "two submitters, one worker"},
    {"find_or_sleep", "fetch_sub &scheduler->searching", memory_order_acq_rel, "two submitters, one worker"},
    {"is_done", "load done", memory_order_acquire, "one submitter, two workers"},
};

int main(void) {
  if (MODEL_CANNOT_RUN) {
    return 0;
  }
  model_local(&self, sizeof self);
  return model_main(explore, mutants, sizeof mutants / sizeof *mutants);
}
