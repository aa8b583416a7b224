// Workers inside calls of the host's that take their time: others work in their place, as many as there are calls, and go away.
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scheduler/scheduler.h"
#include "scheduler/tuning.h"
#include "tests/cmocka.h"
#include "tests/meeting.h"

enum { CALLS = 64 };

static void call_run(mr_node *node) {
  meeting *m = *(meeting **)mr_node_payload(node);
  bool begun = mr_scheduler_begin_host_call();
  assert_true(begun);
  meet(m);
  mr_scheduler_end_host_call();
  mr_node_finish(node, MR_OK);
}

static const mr_node_type call_type = {.name = "call", .run = call_run};

static void meet_all(mr_group *group, int count) {
  meeting m = MEETING_OF(count);
  mr_future *done[CALLS];
  for (int i = 0; i < count; i++) {
    mr_node *node;
    assert_null(mr_node_create(&call_type, sizeof(meeting *), mr_group_executor(group), &node));
    *(meeting **)mr_node_payload(node) = &m;
    done[i] = mr_node_keep_done(node);
    mr_node_submit(node);
  }
  for (int i = 0; i < count; i++) {
    mr_future_wait(done[i]);
    mr_future_release(done[i]);
  }
  assert_false(m.missed);
}

// Two workers are inside 64 calls at once, of which none ends before the others have begun, again and again.
static void test_calls_that_wait_for_one_another(void **state) {
  (void)state;
  mr_scheduler *scheduler;
  assert_null(mr_scheduler_create(&(mr_scheduler_options){.workers = 2}, &scheduler));
  for (int round = 0; round < 5; round++) {
    meet_all(mr_scheduler_group(scheduler, 0, 1), round % 2 ? 3 : CALLS);
  }
  mr_scheduler_release(scheduler);
}

// A call inside a call is part of it, and a thread that is not the scheduler's is in nobody's way.
static void nested_run(mr_node *node) {
  assert_true(mr_scheduler_begin_host_call());
  assert_false(mr_scheduler_begin_host_call());
  mr_scheduler_end_host_call();
  assert_true(mr_scheduler_begin_host_call());
  mr_scheduler_end_host_call();
  mr_node_finish(node, MR_OK);
}

static const mr_node_type nested_type = {.name = "nested", .run = nested_run};

static void test_calls_nest(void **state) {
  (void)state;
  mr_scheduler *scheduler;
  assert_null(mr_scheduler_create(&(mr_scheduler_options){.workers = 1}, &scheduler));
  assert_false(mr_scheduler_begin_host_call());
  mr_node *node;
  assert_null(mr_node_create(&nested_type, 0, mr_group_executor(mr_scheduler_group(scheduler, 0, 1)), &node));
  mr_future *done = mr_node_keep_done(node);
  mr_node_submit(node);
  mr_future_wait(done);
  mr_future_release(done);
  mr_scheduler_release(scheduler);
}

// A thread that has entered is one of the program's while it is inside a call: it takes no tasks there, may enter once more, and comes back
// to what it had.
static void test_a_call_of_a_thread_that_has_entered(void **state) {
  (void)state;
  mr_scheduler *scheduler;
  assert_null(mr_scheduler_create(&(mr_scheduler_options){.workers = 1}, &scheduler));
  assert_true(mr_scheduler_enter(scheduler));
  for (int round = 0; round < 40; round++) {  // more often than there are places
    assert_true(mr_scheduler_begin_host_call());
    assert_false(mr_scheduler_on_any_worker());
    assert_false(mr_scheduler_begin_host_call());
    assert_true(mr_scheduler_enter(scheduler));
    assert_true(mr_scheduler_begin_host_call());
    assert_false(mr_scheduler_on_any_worker());
    mr_scheduler_end_host_call();
    assert_true(mr_scheduler_on_worker(scheduler));
    mr_scheduler_leave(scheduler);
    mr_scheduler_end_host_call();
    assert_true(mr_scheduler_on_worker(scheduler));
  }
  mr_scheduler_leave(scheduler);
  assert_false(mr_scheduler_on_any_worker());
  mr_scheduler_release(scheduler);
}

// The number that a line of /proc/self/task/TASK/status has; -1: there is no such task, or its name is not the one asked for.
static long status_of(const char *task, const char *name, const char *key) {
  char path[64], line[256];
  bool named = false;
  long value = -1;
  snprintf(path, sizeof path, "/proc/self/task/%.16s/status", task);
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = '\0';
    named = named || (strncmp(line, "Name:\t", 6) == 0 && strcmp(line + 6, name) == 0);
    if (named && strncmp(line, key, strlen(key)) == 0) {
      value = strtol(line + strlen(key), NULL, 10);
    }
  }
  if (file) {
    fclose(file);
  }
  return value;
}

// How often the thread that watches has gone to sleep.
static long watchers_sleeps(void) {
  DIR *tasks = opendir("/proc/self/task");
  long sleeps = -1;
  for (const struct dirent *entry; tasks && sleeps < 0 && (entry = readdir(tasks));) {
    sleeps = status_of(entry->d_name, "millrace-watch", "voluntary_ctxt_switches:");
  }
  if (tasks) {
    closedir(tasks);
  }
  return sleeps;
}

// While calls follow one another that are over at once, who watches them looks seldom, and is not woken for each.
static void test_brief_calls_are_seldom_looked_at(void **state) {
  (void)state;
  enum { BRIEF = 200, GROWING = 32 };
  mr_scheduler *scheduler;
  assert_null(mr_scheduler_create(&(mr_scheduler_options){.workers = 1}, &scheduler));
  uint64_t start = mr_now_ns();
  for (int i = 0; i < BRIEF; i++) {
    mr_node *node;
    assert_null(mr_node_create(&nested_type, 0, mr_group_executor(mr_scheduler_group(scheduler, 0, 1)), &node));
    mr_future *done = mr_node_keep_done(node);
    mr_node_submit(node);
    mr_future_wait(done);
    mr_future_release(done);
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  }
  long sleeps = watchers_sleeps();
  assert_in_range(sleeps, 1, (mr_now_ns() - start) / MR_WATCH_SELDOM_NS + GROWING);
  mr_scheduler_release(scheduler);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_calls_that_wait_for_one_another),
                                     cmocka_unit_test(test_calls_nest),
                                     cmocka_unit_test(test_a_call_of_a_thread_that_has_entered),
                                     cmocka_unit_test(test_brief_calls_are_seldom_looked_at)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
