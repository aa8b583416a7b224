// Admission: how much may be under way, who is held up, and when nobody is.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "devices/devices.h"
#include "tests/cmocka.h"

static mr_scheduler *scheduler;

static int open_scheduler(void **state) {
  (void)state;
  assert_null(mr_scheduler_acquire(&scheduler));
  return 0;
}

static int close_scheduler(void **state) {
  (void)state;
  mr_scheduler_release(scheduler);
  return 0;
}

static void enter(mr_admission *a, uint32_t calls) {
  for (uint32_t i = 0; i < calls; i++) {
    mr_admission_enter(a);
  }
}

static void leave(mr_admission *a, uint32_t calls) {
  for (uint32_t i = 0; i < calls; i++) {
    mr_admission_leave(a);
  }
}

// A thread that queues too much.
typedef struct caller {
  pthread_t thread;
  mr_admission *admission;
  _Atomic(bool) ended;  // what it is to wait for has been done
  bool came_too_early;
} caller;

static void *wait_for_room(void *argument) {
  caller *c = argument;
  mr_admission_wait(c->admission, scheduler);
  c->came_too_early = !atomic_load_explicit(&c->ended, memory_order_seq_cst);
  return NULL;
}

static void begin(caller *c) { assert_int_equal(pthread_create(&c->thread, NULL, wait_for_room, c), 0); }

static void expect_waited(caller *c) {
  pthread_join(c->thread, NULL);
  assert_false(c->came_too_early);
}

// Until somebody waits there: nothing else tells of it.
static void until_awaited(mr_admission *a) {
  while (!atomic_load_explicit(&a->awaited, memory_order_seq_cst)) {
    usleep(100);
  }
}

// Who queues more calls than are allowed goes on when three quarters of that are left, not before.
static void test_calls_are_bounded(void **state) {
  (void)state;
  mr_admission a = {0};
  mr_admission_init(&a, 8, MR_ADMISSION_ANY);
  mr_progress_begin(MR_PROGRESS_OWN);
  enter(&a, 8);
  mr_admission_wait(&a, scheduler);  // these are allowed
  mr_admission_enter(&a);
  caller c = {.admission = &a};
  begin(&c);
  until_awaited(&a);
  leave(&a, 2);
  assert_true(atomic_load(&a.awaited));  // seven: it is woken for more than one call
  atomic_store_explicit(&c.ended, true, memory_order_seq_cst);
  leave(&a, 1);
  expect_waited(&c);
  leave(&a, 6);
  mr_progress_end(MR_PROGRESS_OWN);
  assert_int_equal(mr_admission_count(&a).calls, 0);
  assert_int_equal(mr_admission_count(&a).peak_calls, 9);
  mr_admission_deinit(&a);
}

// So are the bytes that they hold; a few calls may hold any number.
static void test_bytes_are_bounded(void **state) {
  (void)state;
  mr_admission a = {0};
  mr_admission_init(&a, MR_ADMISSION_ANY, 1);
  mr_progress_begin(MR_PROGRESS_OWN);
  mr_admission_add_bytes(&a, 100 << 20);
  enter(&a, 4);
  mr_admission_wait(&a, scheduler);
  enter(&a, 4);
  caller c = {.admission = &a};
  begin(&c);
  until_awaited(&a);
  leave(&a, 3);
  assert_true(atomic_load(&a.awaited));
  atomic_store_explicit(&c.ended, true, memory_order_seq_cst);
  mr_admission_add_bytes(&a, -(100 << 20));
  expect_waited(&c);
  leave(&a, 5);
  mr_progress_end(MR_PROGRESS_OWN);
  assert_int_equal(mr_admission_count(&a).bytes, 0);
  mr_admission_deinit(&a);
}

// Nobody waits for calls of which none is at work: only the host can make them go on.
static void test_nobody_waits_for_the_host(void **state) {
  (void)state;
  mr_admission a = {0};
  mr_admission_init(&a, 1, MR_ADMISSION_ANY);
  enter(&a, 2);
  for (int i = 0; i < 10000; i++) {  // one that waited would do so for milliseconds each time
    enter(&a, 1);
    mr_admission_wait(&a, scheduler);
  }
  assert_int_equal(mr_admission_count(&a).calls, 10002);
  leave(&a, 10002);
  mr_admission_deinit(&a);
}

// Nor for long where all that is at work is inside the host's code, which may wait for this thread.
static void test_nobody_waits_long_for_host_calls(void **state) {
  (void)state;
  mr_admission a = {0};
  mr_admission_init(&a, 1, MR_ADMISSION_ANY);
  mr_progress_begin(MR_PROGRESS_HOST);
  enter(&a, 2);
  mr_admission_wait(&a, scheduler);  // ends
  leave(&a, 2);
  mr_progress_end(MR_PROGRESS_HOST);
  mr_admission_deinit(&a);
}

static void wait_on_worker(mr_node *node) {
  mr_admission *a = *(mr_admission **)mr_node_payload(node);
  mr_admission_wait(a, scheduler);
  mr_node_finish(node, MR_OK);
}

static const mr_node_type on_worker = {.name = "on a worker", .kind = MR_NODE_CUSTOM, .run = wait_on_worker};

// A worker never waits, whatever is at work: it may be what that waits for.
static void test_a_worker_never_waits(void **state) {
  (void)state;
  mr_admission a = {0};
  mr_admission_init(&a, 1, MR_ADMISSION_ANY);
  mr_progress_begin(MR_PROGRESS_OWN);
  enter(&a, 3);
  mr_node *node;
  mr_group *group = mr_scheduler_group(scheduler, 0, 1);
  assert_null(mr_node_create(&on_worker, sizeof(mr_admission *), mr_group_executor(group), &node));
  *(mr_admission **)mr_node_payload(node) = &a;
  node->cost_ns = 1000000;  // not on the thread that submits it
  mr_future *done = mr_future_retain(mr_node_done(node));
  mr_node_submit(node);
  mr_future_wait(done);
  mr_future_release(done);
  leave(&a, 3);
  mr_progress_end(MR_PROGRESS_OWN);
  mr_admission_deinit(&a);
}

// Who does not want to be held up gets a future, which is set when there is room.
static void test_room_as_a_future(void **state) {
  (void)state;
  mr_admission a = {0};
  mr_future *room, *again;
  mr_admission_init(&a, 4, MR_ADMISSION_ANY);
  enter(&a, 3);
  assert_null(mr_admission_room(&a, &room));
  assert_null(room);
  enter(&a, 1);
  assert_null(mr_admission_room(&a, &room));
  assert_non_null(room);
  assert_false(mr_future_is_set(room));
  assert_null(mr_admission_room(&a, &again));
  assert_ptr_equal(room, again);
  leave(&a, 1);
  assert_true(mr_future_is_set(room));
  assert_null(mr_future_status(room));
  mr_future_release(again);
  mr_future_release(room);
  leave(&a, 3);
  mr_admission_deinit(&a);
}

// What a process that forks had at work may be lost to the child, which does not wait for it for ever.
static void test_a_child_does_not_wait_for_what_it_lost(void **state) {
  (void)state;
  mr_admission a = {0};
  mr_admission_init(&a, 1, MR_ADMISSION_ANY);
  mr_progress_begin(MR_PROGRESS_OWN);
  enter(&a, 2);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    mr_admission_wait(&a, scheduler);
    _exit(0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  leave(&a, 2);
  mr_progress_end(MR_PROGRESS_OWN);
  mr_admission_deinit(&a);
}

// Both limits are the platform's options', else the variables', where 0 is no limit; what is no number is refused by name.
static void test_limits(void **state) {
  (void)state;
  const struct {
    const char *calls, *mb;
    mr_platform_options options;
    uint32_t max_calls;
    int64_t max_bytes;
  } cases[] = {
      {NULL, NULL, {.num_devices = 1}, 32, (int64_t)1024 << 20},
      {"5", "7", {.num_devices = 1}, 5, 7 << 20},
      {"0", "0", {.num_devices = 1}, MR_ADMISSION_ANY, INT64_MAX},
      {"5", "7", {.num_devices = 2, .queue_calls = 9, .queue_mb = 3}, 9, 3 << 20},
      {"5",
       NULL,
       {.num_devices = 1, .queue_calls = MR_ADMISSION_ANY, .queue_mb = MR_ADMISSION_ANY},
       MR_ADMISSION_ANY,
       INT64_MAX},
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    mr_platform *platform;
    cases[i].calls ? setenv("MILLRACE_QUEUE_CALLS", cases[i].calls, 1) : unsetenv("MILLRACE_QUEUE_CALLS");
    cases[i].mb ? setenv("MILLRACE_QUEUE_MB", cases[i].mb, 1) : unsetenv("MILLRACE_QUEUE_MB");
    assert_null(mr_platform_create(&cases[i].options, &platform));
    for (size_t d = 0; d < mr_platform_device_count(platform); d++) {
      assert_true(mr_platform_device(platform, d)->admission.max_calls == cases[i].max_calls);
      assert_true(mr_platform_device(platform, d)->admission.max_bytes == cases[i].max_bytes);
    }
    mr_platform_release(platform);
  }
  mr_platform *platform;
  setenv("MILLRACE_QUEUE_MB", "many", 1);
  mr_status status = mr_platform_create(NULL, &platform);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  assert_non_null(strstr(mr_status_message(status), "MILLRACE_QUEUE_MB"));
  mr_status_free(status);
  unsetenv("MILLRACE_QUEUE_CALLS");
  unsetenv("MILLRACE_QUEUE_MB");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_calls_are_bounded),
      cmocka_unit_test(test_bytes_are_bounded),
      cmocka_unit_test(test_nobody_waits_for_the_host),
      cmocka_unit_test(test_nobody_waits_long_for_host_calls),
      cmocka_unit_test(test_a_worker_never_waits),
      cmocka_unit_test(test_room_as_a_future),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_a_child_does_not_wait_for_what_it_lost),
  };
  return cmocka_run_group_tests(tests, open_scheduler, close_scheduler);
}
