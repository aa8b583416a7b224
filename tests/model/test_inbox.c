// The inbox in every order of its operations: each task is had by exactly one thread, also when the inbox is as full as it may
// get, or the deque of who takes.
#include "tests/model/model.h"

// Small numbers make the corners reachable. Nothing outside of group.c and deque.c sees these workers.
#include "scheduler/tuning.h"
#define MR_DEQUE_CAPACITY 2
#define MR_DEQUE_BATCH 2
#define MR_INBOX_LIMIT 3

#include <string.h>

#include "scheduler/deque.c"
#include "scheduler/group.c"

enum { TASKS = 5 };
static mr_scheduler scheduler;
static mr_group group;
static mr_task tasks[TASKS];
static worker takers[2];
static int had[TASKS];
static _Atomic(int) refused;

static void have(mr_item item) {
  mr_task *task = (mr_task *)item;
  model_check(task >= tasks && task < tasks + TASKS, "a task that nobody put");
  model_check(had[task - tasks]++ == 0, "a task was had twice");
}

// `argument`: which tasks, as digits. Who finds the inbox full has the task.
static void put_some(void *argument) {
  for (const char *at = argument; *at; at++) {
    mr_task *task = &tasks[*at - '0'];
    if (put(&group, &group.normal, task)) {
      continue;
    }
    have((mr_item)task);
    atomic_fetch_add_explicit(&refused, 1, memory_order_relaxed);
  }
}

static void take_some(void *argument) {
  worker *w = argument;
  for (int i = 0; i < 2; i++) {
    mr_item item = mr_inbox_take(&group.normal, w);
    if (item) {
      have(item);
    }
  }
  while (mr_deque_holds(&w->deque, 1)) {
    have(mr_deque_take(&w->deque));
  }
}

static void begin(void) {
  memset(&scheduler, 0, sizeof scheduler);
  memset(&group, 0, sizeof(group));
  memset(takers, 0, sizeof takers);
  memset(had, 0, sizeof had);
  scheduler.state = SCHEDULER_RUNNING;
  group.scheduler = &scheduler;
  refused = 0;
}

static void end(void) {
  for (int i = 0; i < TASKS; i++) {
    take_some(&takers[0]);
  }
  for (int i = 0; i < TASKS; i++) {
    model_check(had[i] == 1, "a task is lost");
  }
  model_check(group.normal.count == 0, "the inbox counts tasks that are not there");
  model_check(scheduler.inside == 0, "somebody is still inside");
}

// Two that put, two that take.
static void two_and_two(void) {
  begin();
  model_thread(put_some, "01");
  model_thread(put_some, "23");
  model_thread(take_some, &takers[0]);
  model_thread(take_some, &takers[1]);
  put_some("4");
  model_join();
  end();
}

// More than a taker has room for: the rest stays, behind what comes meanwhile.
static void more_than_room(void) {
  begin();
  put_some("012");
  model_thread(put_some, "34");
  model_thread(take_some, &takers[0]);
  model_thread(take_some, &takers[1]);
  model_join();
  end();
}

static void cancel(void *argument) {
  (void)argument;
  mr_task *task;
  while ((task = take_all(&group.normal))) {
    for (mr_task *next; task; task = next) {
      next = task->next;
      atomic_fetch_sub_explicit(&group.normal.count, 1, memory_order_relaxed);
      have((mr_item)task);
    }
  }
}

// One that empties it for good beside those that put and take.
static void emptied(void) {
  begin();
  put_some("0");
  model_thread(put_some, "12");
  model_thread(put_some, "34");
  model_thread(cancel, NULL);
  model_thread(take_some, &takers[0]);
  model_join();
  end();
}

static void explore(void) {
  model_explore("two and two", two_and_two, 2);
  model_explore("more than room", more_than_room, MODEL_ALL);
  model_explore("emptied", emptied, 2);
}

static const model_mutant mutants[] = {
    {"put_chain", "swap &box->newest", memory_order_acquire, "two and two"},
    {"take_all", "exchange &box->newest", memory_order_relaxed, "two and two"},
};

int main(void) {
  if (MODEL_CANNOT_RUN) {
    return 0;
  }
  return model_main(explore, mutants, sizeof mutants / sizeof *mutants);
}
