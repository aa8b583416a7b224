// Workers' sleeping and waking in every order: the worker's own code (worker.c, group.c, deque.c, wake.c) with threads that submit.
// No task is left behind, and nobody sleeps for ever.
#include "tests/model/engine.h"

#include "scheduler/deque.c"
#include "scheduler/group.c"
#include "scheduler/wake.c"
#include "scheduler/worker.c"

enum { TASKS = 2 };
static mr_scheduler *scheduler;
static mr_group *group;
static mr_task tasks[TASKS];
static int ran[TASKS];
static _Atomic(int) ran_in_all;
static _Atomic(uint32_t) done;

static void run_task(mr_task *task) {
  ran[task - tasks]++;
  if (atomic_fetch_add_explicit(&ran_in_all, 1, memory_order_acq_rel) + 1 < TASKS) {
    return;
  }
  atomic_store_explicit(&done, 1, memory_order_seq_cst);
  for (uint32_t i = 0; i < scheduler->worker_count; i++) {
    mr_scheduler_wake(scheduler, i);
  }
}

static void submit(void *argument) {
  mr_task *task = argument;
  group->executor.ready(&group->executor, task, 0, false);
}

static void work(void *argument) {
  self = argument;
  mr_worker_work_until(argument, &done);
  self = NULL;
}

static void reset(uint32_t workers) {
  model_engine_reset(&scheduler, workers);
  group = mr_scheduler_group(scheduler, 0, 1);
  memset(ran, 0, sizeof ran);
  ran_in_all = 0;
  done = 0;
  for (int i = 0; i < TASKS; i++) {
    tasks[i].run = run_task;
  }
}

static void check(void) {
  for (int i = 0; i < TASKS; i++) {
    model_check(ran[i] == 1, "a task did not run once");
  }
}

static void two_submitters(void) {
  reset(1);
  model_thread(submit, &tasks[0]);
  model_thread(submit, &tasks[1]);
  model_thread(work, scheduler->workers[0]);
  model_join();
  check();
}

// One that submits both, so that waking the second worker depends on what the first one sees.
static void submit_both(void *argument) {
  (void)argument;
  submit(&tasks[0]);
  submit(&tasks[1]);
}

static void two_workers(void) {
  reset(2);
  model_thread(submit_both, NULL);
  model_thread(work, scheduler->workers[0]);
  model_thread(work, scheduler->workers[1]);
  model_join();
  check();
}

int main(void) {
  if (MODEL_CANNOT_RUN) {
    return 0;
  }
  model_local(&self, sizeof self);
  model_explore("two submitters, one worker", two_submitters, 3);
  model_explore("one submitter, two workers", two_workers, 2);
  return 0;
}
