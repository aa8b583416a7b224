// Workers inside calls of the host's that take their time, in every order with the thread that watches them and those that work in
// their place (substitute.c, worker.c, wake.c, group.c). What waits for something that only a substitute can do gets it, every task
// runs once, and in the end all threads have.
#include "tests/model/engine.h"

#include <pthread.h>
#include <signal.h>

// Threads that the engine makes: they are there from the beginning, and wait for what to run, one thing after another.
enum { MOST_SPARES = 3 };
enum { NOTHING, SOMETHING, END };
typedef struct spare {
  void *(*run)(void *argument);
  void *argument;
  _Atomic(uint32_t) told, over;
} spare;
static spare spares[MOST_SPARES];
static uint32_t num_spares;  // as few as a scenario needs
static bool none_can_be_made;

static int make_thread(pthread_t *out_thread, void *(*run)(void *argument), void *argument) {
  if (none_can_be_made) {
    return 1;
  }
  uint32_t number = 0, nothing = NOTHING;
  while (!atomic_compare_exchange_strong_explicit(&spares[number].told, &nothing, SOMETHING, memory_order_seq_cst,
                                                  memory_order_seq_cst)) {
    model_check(++number < num_spares, "more threads than there can be");
    nothing = NOTHING;
  }
  spare *s = &spares[number];
  s->run = run;
  s->argument = argument;
  model_hand_over(s);
  *out_thread = number;
  model_unpark(&s->told);
  return 0;
}

static void wait_for(_Atomic(uint32_t) *word) {
  while (!atomic_load_explicit(word, memory_order_seq_cst)) {
    model_park(word, 0, false);
  }
}

static void set_word(_Atomic(uint32_t) *word, uint32_t value) {
  atomic_store_explicit(word, value, memory_order_seq_cst);
  model_unpark(word);
}

static int join_thread(pthread_t thread) {
  wait_for(&spares[thread].over);
  return 0;
}

#define pthread_create(thread, attributes, run, argument) make_thread(thread, run, argument)
#define pthread_join(thread, result) join_thread(thread)
#define pthread_detach(thread) (void)(thread)
#define pthread_setname_np(thread, name) (void)(name)
#define pthread_sigmask(how, set, before) (void)(set), (void)(before)
#define pthread_getattr_np(thread, attributes) 1  // the stack's size is not known
#define MR_WATCH_QUIET_LOOKS 1                    // each is like the one before
#undef mr_yield
#define mr_yield() model_yield()

#include "scheduler/deque.c"
#include "scheduler/group.c"
#include "scheduler/wake.c"
#include "scheduler/worker.c"
#define start start_thread
#include "scheduler/substitute.c"
#undef start
#include "tests/model/tasks.h"

enum { SLOTS = 2 };
static int calls_made;  // by how many of the tasks
static bool long_task;  // the first waits for the second, which is urgent
// So many calls of the first task's, one after another, are over when the second task has run, which is submitted again for each.
static int waits;
static bool watched;  // somebody watches already
static _Atomic(uint32_t) helped[2], worker_is_over;

// Time passes, for a watcher that waits for that.
static void let_time_pass(void) { model_unpark(&scheduler->watch_ends); }

static void call_host(_Atomic(uint32_t) *until) {
  bool begun = mr_scheduler_begin_host_call();
  let_time_pass();
  if (until) {
    wait_for(until);
  }
  if (begun) {
    mr_scheduler_end_host_call();
  }
}

static int runs_wanted(void) { return TASKS + (waits == 2); }

static void run_task(mr_task *task) {
  long number = task - tasks;
  if (number < calls_made) {
    call_host(waits && number == 0 ? &helped[0] : NULL);
  }
  if (number == 0 && long_task) {
    mr_scheduler_begin_lengthy(scheduler);
    wait_for(&helped[0]);
    mr_scheduler_end_lengthy(scheduler);
  }
  if (number == 0 && waits == 2) {
    submit_task(&tasks[1]);
    call_host(&helped[1]);
  }
  int before = ran[number], all = count_run(task);
  if (number == 1) {
    set_word(&helped[before], 1);  // at which it may be submitted again
  }
  if (all == runs_wanted()) {
    tell_workers(&scheduler->stopping);
  }
}

static void work(void *argument) {
  worker *w = self = argument;
  mr_worker_comes_back(w);
  mr_worker_work_until(w, &scheduler->stopping);
  self = NULL;
  set_word(&worker_is_over, 1);
}

static void run_spare(void *argument) {
  spare *s = argument;
  for (;;) {
    wait_for(&s->told);
    if (atomic_load_explicit(&s->told, memory_order_seq_cst) == END) {
      return;
    }
    model_take_over(s);
    s->run(s->argument);
    set_word(&s->over, 1);
    uint32_t something = SOMETHING;
    atomic_compare_exchange_strong_explicit(&s->told, &something, NOTHING, memory_order_seq_cst, memory_order_seq_cst);
  }
}

// As shut_down() of scheduler.c.
static void end(void *argument) {
  (void)argument;
  wait_for(&worker_is_over);
  mr_substitutes_end(scheduler);
  for (uint32_t i = 0; i < num_spares; i++) {
    set_word(&spares[i].told, END);
  }
}

static void submit_all(void *argument) {
  if (long_task) {
    submit_task(&tasks[0]);
    group->executor.ready(&group->executor, &tasks[1], 1, false);
  } else {
    submit_both(argument);
  }
  let_time_pass();
  end(argument);
}

static worker *substitute_at(uint32_t k) { return scheduler->workers[first_slot(scheduler) + k]; }

static void reset_slots(void) {
  for (uint32_t k = 0; k <= SLOTS; k++) {
    k = k < SLOTS ? k : EXPRESS;
    worker **w = &scheduler->workers[first_slot(scheduler) + k];
    *w = *w ? *w : mr_worker_create(scheduler, first_slot(scheduler) + k);
    model_check(*w && (*w)->deque.top == (*w)->deque.bottom && !(*w)->token, "a substitute has something left");
    (*w)->deque.top = (*w)->deque.bottom = (*w)->deque.top_seen = 0;
    (*w)->host = (*w)->over = (*w)->assigned = 0;
    (*w)->has_thread = (*w)->in_task = false;
    (*w)->activity = ACTIVITY_NONE;
    (*w)->victim_count = 1;  // the worker
    mr_calls_init(&(*w)->calls);
  }
}

static void reset(void) {
  reset_tasks(1, run_task);
  reset_slots();
  memset(spares, 0, sizeof spares);
  helped[0] = helped[1] = worker_is_over = 0;
  scheduler->workers[0]->host = 0;
  scheduler->stopping = scheduler->watch = scheduler->watch_ends = 0;
  scheduler->has_watcher = false;
  if (watched) {
    scheduler->watch = 1;
    scheduler->has_watcher = start_thread(watcher_main, scheduler, &scheduler->watcher);
  }
}

static void run_all(void) {
  reset();
  model_thread(work, scheduler->workers[0]);
  model_thread(submit_all, NULL);
  for (uint32_t i = 0; i < num_spares; i++) {
    model_thread(run_spare, &spares[i]);
  }
  model_join();
  model_check(ran[0] == 1 && ran[1] == runs_wanted() - 1, "a task did not run as often as it was submitted");
  model_check(scheduler->workers[0]->host == 0, "a worker is still inside a call");
  model_check(scheduler->substitute_threads == 0, "a substitute has not ended");
  for (uint32_t k = 0; k < SLOTS; k++) {
    model_check(substitute_at(k)->host == 0, "a substitute is still inside a call");
  }
}

static void calls(int made, int wait_for_tasks, bool is_watched) {
  calls_made = made;
  waits = wait_for_tasks;
  num_spares = waits == 2 ? 3 : 2;  // a watcher, and substitutes
  watched = is_watched;
  run_all();
}
static void call_that_ends_by_itself(void) { calls(1, 0, false); }
static void call_that_waits(void) { calls(1, 1, false); }
static void call_while_the_watcher_goes(void) { calls(1, 1, true); }
static void two_calls(void) { calls(2, 0, false); }
static void two_calls_that_wait(void) { calls(1, 2, true); }
static void urgent_beside_long(void) {
  long_task = true;
  num_spares = 1;
  calls_made = waits = 0;
  watched = false;
  run_all();
  long_task = false;
}
// A worker that comes back from a call while no thread can be made for it, and another one's call right after, for which one can: what the
// first has to say of its end is not taken for the second's.
static void come_back(void *w) {
  self = w;
  mr_scheduler_end_host_call();
  self = NULL;
}

static void replace_both(void *unused) {
  (void)unused;
  none_can_be_made = true;
  replace(scheduler->workers[0]);
  none_can_be_made = false;
  replace(scheduler->workers[1]);
}

static void slot_of_a_thread_that_was_not_made(void) {
  num_spares = 1;
  reset_tasks(2, run_task);
  reset_slots();
  memset(spares, 0, sizeof spares);
  scheduler->workers[0]->host = scheduler->workers[1]->host = 1;
  model_thread(come_back, scheduler->workers[0]);
  model_thread(replace_both, NULL);
  model_join();
  model_check(scheduler->workers[0]->host == 0, "a worker is still inside a call");
  model_check(scheduler->workers[1]->host == 2 && substitute_at(0)->assigned == 1, "nobody works in a worker's place");
  model_check(substitute_at(0)->over == 0, "a substitute is told of the end of another call");
  scheduler->workers[1]->host = scheduler->substitute_threads = 0;
  scheduler->substitutes[0] = 0;
}

static void no_threads(void) {
  none_can_be_made = true;
  calls(1, 0, false);
  none_can_be_made = false;
}

static void explore(void) {
  model_explore("a call that ends by itself", call_that_ends_by_itself, 2);
  model_explore("a call that waits for a task", call_that_waits, 2);
  model_explore("a call while the watcher goes to sleep", call_while_the_watcher_goes, 1);
  model_explore("two calls", two_calls, 1);
  model_explore("two calls of one task that wait", two_calls_that_wait, 0);
  model_explore("what is urgent beside what is long", urgent_beside_long, 2);
  model_explore("no thread can be made", no_threads, 2);
  model_explore("the slot of a thread that was not made", slot_of_a_thread_that_was_not_made, MODEL_ALL);
}

static const model_mutant mutants[] = {
    {"mr_scheduler_begin_host_call", "store &w->host", memory_order_release, "a call while the watcher goes to sleep"},
    {"mr_scheduler_begin_host_call", "load &w->scheduler->watch", memory_order_acquire,
     "a call while the watcher goes to sleep"},
    {"watcher_main", "store &scheduler->watch", memory_order_release, "a call while the watcher goes to sleep"},
    {"look_at", "load &w->host", memory_order_acquire, "a call while the watcher goes to sleep"},
    {"is_held_up", "load &scheduler->lengthy", memory_order_relaxed, "what is urgent beside what is long"},
    {"mr_scheduler_begin_lengthy", "fetch_add &scheduler->lengthy", memory_order_relaxed,
     "what is urgent beside what is long"},
    {"mr_substitutes_end", "store &scheduler->watch_ends", memory_order_release, "a call that ends by itself"},
    {"watcher_main", "load &scheduler->watch_ends", memory_order_acquire, "a call that ends by itself"},
};

int main(void) {
  if (MODEL_CANNOT_RUN) {
    return 0;
  }
  model_local(&self, sizeof self);
  return model_main(explore, mutants, sizeof mutants / sizeof *mutants);
}
