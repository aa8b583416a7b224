// What becomes of queued work when a process exits, each in a child of its own.
#include <stdatomic.h>

#include "core/ending.h"
#include "scheduler/scheduler.h"
#include "tests/endings.h"

enum { WORKERS = 2, QUEUED = 300, MOMENT_US = 5000 };

static mr_scheduler *scheduler;
static mr_future *first, *last;
static _Atomic(int) begun, cancelled;

// Each worker is in one of these until the process is ending, so that nothing else has begun then.
static void stay_run(mr_node *node) {
  atomic_fetch_add(&begun, 1);
  while (!mr_ending_has_begun()) {
    usleep(MOMENT_US / 10);
  }
  usleep(MOMENT_US);
  mr_node_finish(node, MR_OK);
}
static const mr_node_type stay_type = {.name = "stay", .kind = MR_NODE_CALLBACK, .run = stay_run};

static void nap_run(mr_node *node) {
  atomic_fetch_add(&begun, 1);
  mr_node_finish(node, MR_OK);
}
static void nap_fail(mr_node *node, mr_status status) {
  (void)node;
  if (mr_status_code(status) != MR_CANCELLED) {
    _exit(WRONG);
  }
  atomic_fetch_add(&cancelled, 1);
}
static const mr_node_type nap_type = {.name = "nap", .kind = MR_NODE_CALLBACK, .run = nap_run, .fail = nap_fail};

static mr_future *submit(const mr_node_type *type) {
  mr_node *node;
  if (mr_node_create(type, 0, mr_group_executor(mr_scheduler_group(scheduler, 0, 1)), &node) != MR_OK) {
    _exit(WRONG);
  }
  mr_future *done = mr_future_retain(mr_node_done(node));
  mr_node_submit(node);
  return done;
}

static void make_scheduler(void) {
  if (mr_scheduler_create(&(mr_scheduler_options){.workers = WORKERS}, &scheduler) != MR_OK) {
    _exit(WRONG);
  }
}

static void queue(void) {
  make_scheduler();
  for (int i = 0; i < WORKERS; i++) {
    mr_future_release(submit(&stay_type));
  }
  while (atomic_load(&begun) < WORKERS) {
    usleep(100);
  }
  first = submit(&nap_type);
  for (int i = 2; i < QUEUED; i++) {
    mr_future_release(submit(&nap_type));
  }
  last = submit(&nap_type);
}

static bool nothing_begins(void) {
  usleep(4 * MOMENT_US);
  return atomic_load(&begun) == WORKERS && atomic_load(&cancelled) == 0;
}
static bool all_are_cancelled(void) { return atomic_load(&begun) == WORKERS && atomic_load(&cancelled) == QUEUED; }

// What is queued does not begin, and nobody is told of that.
static void test_queued_work_does_not_begin(void **state) {
  (void)state;
  assert_int_equal(status_of(queue, nothing_begins), RIGHT);
}

static bool is_cancelled(mr_future *future) {
  return mr_future_is_set(future) && mr_status_code(mr_future_status(future)) == MR_CANCELLED;
}

static bool waiting_ends(void) {
  mr_scheduler_wait(scheduler, last);
  return is_cancelled(last);
}
static bool sleeping_ends(void) {
  mr_future_wait(last);
  return is_cancelled(last);
}

// Who waits in a destructor for what did not begin is told that it was cancelled, whether that thread works meanwhile or sleeps.
static void test_waiting_in_a_destructor(void **state) {
  (void)state;
  assert_int_equal(status_of(queue, waiting_ends), RIGHT);
  assert_int_equal(status_of(queue, sleeping_ends), RIGHT);
}

static pthread_t waiter;
static void *wait_for_last(void *argument) {
  mr_future_wait(last);
  return argument;
}
static void queue_and_wait_elsewhere(void) {
  queue();
  if (pthread_create(&waiter, NULL, wait_for_last, NULL) != 0) {
    _exit(WRONG);
  }
}
static bool joining_ends(void) { return pthread_join(waiter, NULL) == 0 && is_cancelled(last); }

// A thread that has waited since before the end is told as well.
static void test_joining_a_waiting_thread(void **state) {
  (void)state;
  assert_int_equal(status_of(queue_and_wait_elsewhere, joining_ends), RIGHT);
}

static bool releasing_ends(void) {
  mr_scheduler_release(scheduler);
  return is_cancelled(first) && is_cancelled(last) && all_are_cancelled();
}

// A scheduler that is released in a destructor ends in order.
static void test_release_in_a_destructor(void **state) {
  (void)state;
  assert_int_equal(status_of(queue, releasing_ends), RIGHT);
}

static void exit_run(mr_node *node) {
  (void)node;
  exit(WRONG);  // look() has the last word
}
static const mr_node_type exit_type = {.name = "exit", .kind = MR_NODE_CALLBACK, .run = exit_run};
static void queue_exit(void) {
  make_scheduler();
  mr_future_release(submit(&exit_type));
  for (int i = 0; i < QUEUED; i++) {
    mr_future_release(submit(&nap_type));
  }
  pause();
}
// A task may end the process.
static void test_exit_in_a_task(void **state) {
  (void)state;
  assert_int_equal(status_of(queue_exit, mr_ending_has_begun), RIGHT);
}

static void queue_and_fork(void) {
  queue();
  pid_t child = fork();
  if (child == 0) {
    exit(WRONG);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != RIGHT) {
    _exit(WRONG);
  }
}

// A forked child ends without the threads that it does not have, and its parent as it would without it.
static void test_forked_child(void **state) {
  (void)state;
  assert_int_equal(status_of(queue_and_fork, nothing_begins), RIGHT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_queued_work_does_not_begin),
      cmocka_unit_test(test_waiting_in_a_destructor),
      cmocka_unit_test(test_joining_a_waiting_thread),
      cmocka_unit_test(test_release_in_a_destructor),
      cmocka_unit_test(test_exit_in_a_task),
      cmocka_unit_test(test_forked_child),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
