// Workers' sleeping and waking in every order: the worker's own code (worker.c, group.c, deque.c) with threads that submit.
// No task is left behind, and nobody sleeps for ever.
#include "tests/model/model.h"

#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "futures/park.h"

static uint32_t one_unit(void) { return 1; }
#define mr_park(word, expected, deadline) ((void)(deadline), model_park(word, expected))
#define mr_unpark(word, count) model_unpark(word)
#define mr_allowed_units one_unit  // so looking around ends after its first rounds
#define mr_yield() (void)0

#include "scheduler/deque.c"
#include "scheduler/group.c"
#include "scheduler/worker.c"

enum { TASKS = 2 };
static mr_scheduler *scheduler;
static mr_group *group;
static mr_task tasks[TASKS];
static int ran[TASKS], ran_in_all;
static _Atomic(uint32_t) done;

static void run_task(mr_task *task) {
  ran[task - tasks]++;
  if (++ran_in_all < TASKS) return;
  done = 1;
  for (uint32_t i = 0; i < scheduler->worker_count; i++) mr_scheduler_wake(scheduler, i);
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

// A scheduler that never starts its threads: the model's are they.
static void reset(uint32_t workers) {
  if (scheduler && scheduler->worker_count != workers) {
    scheduler->state = SCHEDULER_IDLE;
    mr_scheduler_release(scheduler);
    scheduler = NULL;
  }
  if (!scheduler) {
    mr_status status = mr_scheduler_create(&(mr_scheduler_options){.workers = workers}, &scheduler);
    model_check(!status, "no scheduler");
    group = mr_scheduler_group(scheduler, 0, 1);
  }
  scheduler->state = SCHEDULER_RUNNING;
  for (uint32_t i = 0; i < workers; i++) {
    model_check(scheduler->workers[i]->token == 0, "a wake-up was left over");
    scheduler->workers[i]->in_task = false;
  }
  model_check(scheduler->searching == 0 && scheduler->sleeper_count == 0, "a thread is still counted");
  memset(ran, 0, sizeof(ran));
  ran_in_all = 0;
  done = 0;
  for (int i = 0; i < TASKS; i++) tasks[i].run = run_task;
}

static void check(void) {
  for (int i = 0; i < TASKS; i++) model_check(ran[i] == 1, "a task did not run once");
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
  model_local(&self, sizeof(self));
  model_explore("two submitters, one worker", two_submitters, 1);
  model_explore("one submitter, two workers", two_workers, 1);
  return 0;
}
