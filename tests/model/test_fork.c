// Forking beside workers and submitters, in every order, with the code of all (fork.c, worker.c, wake.c, group.c). When the forking
// thread goes on, no worker has anything in hand; then the parent, and in other scenarios the child, runs every task once.
#include "tests/model/engine.h"

#include <time.h>

#define nanosleep(time, rest) ((void)(time), model_yield())

#include "scheduler/deque.c"
#include "scheduler/fork.c"
#include "scheduler/group.c"
#include "scheduler/wake.c"
#include "scheduler/worker.c"
#include "tests/model/tasks.h"

static int wanted;
static MODEL_COUNTS bool submitted[TASKS];
static bool in_child;
static _Atomic(uint32_t) done;

static void run_task(mr_task *task) {
  if (count_run(task) == wanted) {
    tell_workers(&done);
  }
}

static void submit(void *argument) {
  mr_task *task = argument;
  submit_task(task);
  submitted[task - tasks] = true;
}

static void work(void *argument) {
  worker *w = self = argument;
  mr_worker_comes_back(w);
  mr_worker_work_until(w, &done);
  atomic_store_explicit(&w->activity, ACTIVITY_NONE, memory_order_release);
  self = NULL;
}

// How often a task is in a queue. Plain looks: nobody changes queues now.
static MODEL_UNSEEN int count_queued(const mr_task *task) {
  int count = 0;
  for (const mr_task *t = group->normal.newest; t; t = t->next) {
    count += t == task;
  }
  for (uint32_t i = 0; i < scheduler->worker_count; i++) {
    const mr_deque *deque = &scheduler->workers[i]->deque;
    for (int64_t k = deque->top; k < deque->bottom; k++) {
      count += deque->items[k % MR_DEQUE_CAPACITY] == (mr_item)task;
    }
  }
  return count;
}

static MODEL_UNSEEN void check_nothing_in_hand(void) {
  for (uint32_t i = 0; i < scheduler->worker_count; i++) {
    const worker *w = scheduler->workers[i];
    model_check(!w->in_task && !w->next_item, "a worker is inside a task during a fork");
  }
  for (int i = 0; i < TASKS; i++) {
    if (submitted[i]) {
      model_check(ran[i] + count_queued(&tasks[i]) == 1, "a task is in nobody's hands during a fork");
    }
  }
}

// As core/fork.c does for all.
static void begin_fork(void) {
  before_fork();
  pthread_mutex_lock(&mr_schedulers_lock);
  pthread_mutex_lock(&scheduler->lock);
  check_nothing_in_hand();
}
static void give_locks_back(void) {
  pthread_mutex_unlock(&scheduler->lock);
  pthread_mutex_unlock(&mr_schedulers_lock);
}

static void fork_in_parent(void *argument) {
  (void)argument;
  begin_fork();
  give_locks_back();
  after_fork_in_parent();
}

// The other threads are not there any more; this one, in the place of a new worker, does what was queued.
static void fork_in_child(void *argument) {
  (void)argument;
  begin_fork();
  model_end_others();
  give_locks_back();
  after_fork_in_child();
  in_child = true;
  mr_scheduler_forked = 0;
  scheduler->state = SCHEDULER_RUNNING;
  wanted = 0;
  for (int i = 0; i < TASKS; i++) {
    wanted += ran[i] + count_queued(&tasks[i]) > 0;
  }
  if (ran_in_all < wanted) {
    work(scheduler->workers[0]);
  }
}

static void submit_and_fork(void *argument) {
  submit(&tasks[0]);
  submit(&tasks[1]);
  if (argument) {
    fork_in_child(NULL);
  } else {
    fork_in_parent(NULL);
  }
}

static void reset(uint32_t workers) {
  reset_tasks(workers, run_task);
  group->normal.newest = NULL;  // a child may have lost one
  group->normal.count = 0;
  scheduler->inside = 0;
  memset(submitted, 0, sizeof submitted);
  in_child = false;
  wanted = TASKS;
  done = 0;
  mr_fork_wait_ns = UINT64_MAX / 2;  // as long as it takes
}

static void check(void) {
  for (int i = 0; i < TASKS; i++) {
    model_check(ran[i] == 1 || (in_child && !submitted[i] && ran[i] == 0), "a task did not run once");
  }
  model_check((mr_scheduler_hold & HOLD_FORKS) == 0, "workers are still held");
}

static void beside_a_submitter(void (*forking)(void *)) {
  reset(1);
  model_thread(submit, &tasks[0]);
  model_thread(forking, NULL);
  model_thread(work, scheduler->workers[0]);
  submit(&tasks[1]);
  model_join();
  check();
}
static void parent_beside_a_submitter(void) { beside_a_submitter(fork_in_parent); }
static void child_beside_a_submitter(void) { beside_a_submitter(fork_in_child); }

static void beside_two_workers(void *child) {
  reset(2);
  model_thread(submit_and_fork, child);
  model_thread(work, scheduler->workers[0]);
  model_thread(work, scheduler->workers[1]);
  model_join();
  check();
}
static void parent_beside_two_workers(void) { beside_two_workers(NULL); }
static void child_beside_two_workers(void) { beside_two_workers(&in_child); }

static void two_forks(void) {
  reset(1);
  model_thread(fork_in_parent, NULL);
  model_thread(fork_in_parent, NULL);
  model_thread(work, scheduler->workers[0]);
  for (int i = 0; i < TASKS; i++) {
    submit(&tasks[i]);
  }
  model_join();
  check();
}

static void explore(void) {
  model_explore("parent, a submitter", parent_beside_a_submitter, 3);
  model_explore("child, a submitter", child_beside_a_submitter, 2);
  model_explore("parent, two workers", parent_beside_two_workers, 2);
  model_explore("child, two workers", child_beside_two_workers, 2);
  model_explore("two forks", two_forks, 2);
}

static const model_mutant mutants[] = {
    {"before_fork", "fetch_add &mr_scheduler_hold", memory_order_acq_rel, "parent, a submitter"},
    {"somebody_works", "load &s->workers[i]->activity", memory_order_acquire, "parent, a submitter"},
    {"mr_worker_comes_back", "store &w->activity", memory_order_release, "parent, a submitter"},
    {"mr_worker_comes_back", "load &mr_scheduler_hold", memory_order_acquire, "child, two workers"},
    {"mr_deque_steal_many", "load &deque->bottom", memory_order_relaxed, "parent, two workers"},
    {"mr_deque_push", "store &deque->bottom", memory_order_relaxed, "parent, two workers"},
    {"take_all", "exchange &box->newest", memory_order_relaxed, "parent, a submitter"},
};

int main(void) {
  if (MODEL_CANNOT_RUN) {
    return 0;
  }
  model_local(&self, sizeof self);
  return model_main(explore, mutants, sizeof mutants / sizeof *mutants);
}
