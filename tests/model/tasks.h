// Two tasks that the models of workers submit, and how often each ran. Included after the engine's sources.
#ifndef MR_TESTS_MODEL_TASKS_H
#define MR_TESTS_MODEL_TASKS_H

enum { TASKS = 2 };
static mr_scheduler *scheduler;
static mr_group *group;
static mr_task tasks[TASKS];
static int ran[TASKS];
static _Atomic(int) ran_in_all;

// Sets `over`, at which the workers stop, and wakes them.
static inline void tell_workers(_Atomic(uint32_t) *over) {
  atomic_store_explicit(over, 1, memory_order_seq_cst);
  for (uint32_t i = 0; i < scheduler->worker_count; i++) {
    mr_scheduler_wake(scheduler, i);
  }
}

// Counts one run. How many there have been by then.
static inline int count_run(const mr_task *task) {
  ran[task - tasks]++;
  return atomic_fetch_add_explicit(&ran_in_all, 1, memory_order_acq_rel) + 1;
}

static inline void submit_task(mr_task *task) { group->executor.ready(&group->executor, task, 0, false); }

static inline void submit_both(void *argument) {
  (void)argument;
  submit_task(&tasks[0]);
  submit_task(&tasks[1]);
}

static inline void reset_tasks(uint32_t workers, void (*run)(mr_task *)) {
  model_engine_reset(&scheduler, workers);
  group = mr_scheduler_group(scheduler, 0, 1);
  memset(ran, 0, sizeof ran);
  ran_in_all = 0;
  for (int i = 0; i < TASKS; i++) {
    tasks[i].run = run;
  }
}

static inline void check_each_ran_once(void) {
  for (int i = 0; i < TASKS; i++) {
    model_check(ran[i] == 1, "a task did not run once");
  }
}

#endif
