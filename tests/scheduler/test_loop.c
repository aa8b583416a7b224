// Futures and event loops: each side can wait for the other, from one thread or from many.
#include "tests/cmocka.h"

#include <event2/event.h>
#include <poll.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scheduler/loop.h"
#include "scheduler/loop_internal.h"
#include "scheduler/scheduler.h"

typedef struct told {
  int calls;
  mr_code code;
  pthread_t thread;
} told;

static void tell(void *context, mr_status status) {
  told *self = context;
  self->calls++;
  self->code = status ? mr_status_code(status) : 0;
  self->thread = pthread_self();
}

static void *set_later(void *future) {
  usleep(2000);
  mr_future_set(future, MR_OK);
  return NULL;
}

// A future that another thread sets calls back on the loop's thread, and the loop ends when nothing is watched.
static void test_loop_hears_of_a_future(void **state) {
  (void)state;
  struct event_base *base = event_base_new();
  mr_event_loop *loop;
  assert_null(mr_event_loop_create(base, &loop));
  mr_future future;
  mr_future_init(&future);
  told t = {0};
  assert_null(mr_event_loop_then(loop, &future, tell, &t));
  pthread_t thread;
  pthread_create(&thread, NULL, set_later, &future);
  event_base_dispatch(base);
  assert_int_equal(t.calls, 1);
  assert_true(pthread_equal(t.thread, pthread_self()));
  pthread_join(thread, NULL);
  mr_event_loop_release(loop);
  event_base_free(base);
  mr_future_deinit(&future);
}

// A future that is set already, with an error, is reported by the loop and not before.
static void test_loop_is_never_early(void **state) {
  (void)state;
  struct event_base *base = event_base_new();
  mr_event_loop *loop;
  assert_null(mr_event_loop_create(base, &loop));
  mr_future future;
  mr_future_init(&future);
  mr_future_set(&future, mr_error(MR_NOT_FOUND, "no such thing"));
  told t = {0};
  assert_null(mr_event_loop_then(loop, &future, tell, &t));
  assert_int_equal(t.calls, 0);
  event_base_dispatch(base);
  assert_int_equal(t.calls, 1);
  assert_int_equal(t.code, MR_NOT_FOUND);
  mr_event_loop_release(loop);
  event_base_free(base);
  mr_future_deinit(&future);
}

// Releasing a loop cancels what it watches; the future may be set afterwards.
static void test_loop_release_cancels(void **state) {
  (void)state;
  struct event_base *base = event_base_new();
  mr_event_loop *loop;
  assert_null(mr_event_loop_create(base, &loop));
  mr_future future;
  mr_future_init(&future);
  told t = {0};
  assert_null(mr_event_loop_then(loop, &future, tell, &t));
  mr_event_loop_release(loop);
  assert_int_equal(t.calls, 1);
  assert_int_equal(t.code, MR_CANCELLED);
  event_base_free(base);
  mr_future_set(&future, MR_OK);
  assert_int_equal(t.calls, 1);
  mr_future_deinit(&future);
}

static void run_nothing(mr_node *node) { mr_node_finish(node, MR_OK); }
static const mr_node_type nothing = {.name = "nothing", .kind = MR_NODE_CALLBACK, .run = run_nothing};

// Thousands of nodes that finish on workers while the loop watches: each is reported once.
static void test_loop_watches_many(void **state) {
  (void)state;
  enum { COUNT = 5000 };
  struct event_base *base = event_base_new();
  mr_event_loop *loop;
  assert_null(mr_event_loop_create(base, &loop));
  mr_scheduler *scheduler;
  assert_null(mr_scheduler_create(&(mr_scheduler_options){.workers = 2}, &scheduler));
  mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
  static told all[COUNT];
  static mr_future *done[COUNT];
  for (int i = 0; i < COUNT; i++) {
    mr_node *node;
    assert_null(mr_node_create(&nothing, 0, executor, &node));
    done[i] = mr_node_keep_done(node);
    assert_null(mr_event_loop_then(loop, done[i], tell, &all[i]));
    mr_node_submit(node);
    if (i % 64 == 0) {
      event_base_loop(base, EVLOOP_NONBLOCK);
    }
  }
  event_base_dispatch(base);
  for (int i = 0; i < COUNT; i++) {
    assert_int_equal(all[i].calls, 1);
    mr_future_release(done[i]);
  }
  mr_event_loop_release(loop);
  event_base_free(base);
  mr_scheduler_release(scheduler);
}

// What the reactor does on its thread, on a loop of the test's.
static mr_future *watch(struct event_base *base, int fd, unsigned events, uint64_t deadline_ns) {
  mr_event_future *event;
  assert_null(mr_event_future_create(fd, events, deadline_ns, &event));
  assert_true(mr_event_future_arm(event, base));
  return &event->future;
}

// An event of a loop completes a future: a descriptor that is ready, or the deadline.
static void test_loop_sets_futures(void **state) {
  (void)state;
  struct event_base *base = event_base_new();
  int pipes[2];
  assert_int_equal(pipe(pipes), 0);
  mr_future *late = watch(base, pipes[0], MR_EVENT_READ, mr_now_ns() + 2000000);
  event_base_dispatch(base);
  assert_int_equal(mr_status_code(mr_future_status(late)), MR_DEADLINE_EXCEEDED);
  mr_future *readable = watch(base, pipes[0], MR_EVENT_READ, 0);
  assert_int_equal(write(pipes[1], "x", 1), 1);
  event_base_dispatch(base);
  assert_true(mr_future_is_set(readable));
  assert_null(mr_future_status(readable));
  mr_future_release(readable);
  mr_future_release(late);
  close(pipes[0]);
  close(pipes[1]);
  event_base_free(base);
}

typedef struct late_timer {
  struct event_base *base;
  mr_future *timer;
  uint64_t deadline;
} late_timer;

static void set_a_timer_late(evutil_socket_t fd, short what, void *context) {
  (void)fd;
  (void)what;
  late_timer *late = context;
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  late->deadline = mr_now_ns() + 10000000;
  late->timer = watch(late->base, -1, 0, late->deadline);
}

// A timer that is set long after the loop has woken counts from when it is set.
static void test_timers_are_not_early(void **state) {
  (void)state;
  struct event_base *base = event_base_new();
  late_timer late = {.base = base};
  assert_int_equal(event_base_once(base, -1, EV_TIMEOUT, set_a_timer_late, &late, &(struct timeval){0}), 0);
  while (!late.timer || !mr_future_is_set(late.timer)) {
    event_base_loop(base, EVLOOP_ONCE);
  }
  assert_true(mr_now_ns() >= late.deadline);
  mr_future_release(late.timer);
  event_base_free(base);
}

// Timers of the reactor are set in order and not early; a cancelled one is CANCELLED at once.
static void test_reactor_timers(void **state) {
  (void)state;
  uint64_t now = mr_now_ns();
  mr_future *soon, *later, *never;
  assert_null(mr_reactor_timer(now + 3000000, &later));
  assert_null(mr_reactor_timer(now + 1000000, &soon));
  assert_null(mr_reactor_timer(now + 3600000000000u, &never));
  mr_reactor_cancel(never);
  assert_int_equal(mr_status_code(mr_future_status(never)), MR_CANCELLED);
  mr_future_wait(soon);
  assert_true(mr_now_ns() >= now + 1000000);
  mr_future_wait(later);
  assert_true(mr_now_ns() >= now + 3000000);
  assert_null(mr_future_status(later));
  mr_future_release(soon);
  mr_future_release(later);
  mr_future_release(never);
}

// A descriptor completes a future through the reactor; what cannot be watched is an error and not a hang.
static void test_reactor_descriptors(void **state) {
  (void)state;
  int pipes[2];
  assert_int_equal(pipe(pipes), 0);
  mr_future *readable, *refused;
  assert_null(mr_reactor_when(pipes[0], MR_EVENT_READ, 0, &readable));
  assert_false(mr_future_is_set(readable));
  assert_int_equal(write(pipes[1], "x", 1), 1);
  mr_future_wait(readable);
  assert_null(mr_future_status(readable));
  close(pipes[0]);
  close(pipes[1]);
  assert_null(mr_reactor_when(pipes[0], MR_EVENT_READ, 0, &refused));
  mr_future_wait(refused);
  assert_int_equal(mr_status_code(mr_future_status(refused)), MR_INVALID_ARGUMENT);
  mr_future_release(readable);
  mr_future_release(refused);
  mr_status status = mr_reactor_when(-1, 0, 0, &refused);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  mr_status_free(status);
}

static void *cancel(void *future) {
  mr_reactor_cancel(future);
  return NULL;
}

// A timer that fires while it is cancelled is one or the other.
static void test_reactor_cancel_races_with_the_timer(void **state) {
  (void)state;
  for (int i = 0; i < 300; i++) {
    mr_future *timer;
    assert_null(mr_reactor_timer(mr_now_ns() + 50000, &timer));
    pthread_t thread;
    pthread_create(&thread, NULL, cancel, timer);
    mr_future_wait(timer);
    mr_status status = mr_future_status(timer);
    assert_true(status == MR_OK || mr_status_code(status) == MR_CANCELLED);
    pthread_join(thread, NULL);
    mr_future_release(timer);
  }
}

// The descriptor of a future is readable when it is set, whoever closes what in which order.
static void test_future_descriptor(void **state) {
  (void)state;
  mr_future future, other;
  mr_future_init(&future);
  mr_future_init(&other);
  int fd, closed_early;
  assert_null(mr_reactor_future_fd(&future, &fd));
  assert_null(mr_reactor_future_fd(&other, &closed_early));
  close(closed_early);
  mr_future_set(&other, MR_OK);
  struct pollfd poller = {.fd = fd, .events = POLLIN};
  assert_int_equal(poll(&poller, 1, 0), 0);
  pthread_t thread;
  pthread_create(&thread, NULL, set_later, &future);
  assert_int_equal(poll(&poller, 1, 10000), 1);
  pthread_join(thread, NULL);
  close(fd);
  mr_future_deinit(&future);
  mr_future_deinit(&other);
}

// A forked child has a reactor of its own.
static void test_reactor_after_fork(void **state) {
  (void)state;
#if defined(__SANITIZE_THREAD__)
  skip();
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
  skip();  // TSan starts no threads in a child of a process with threads
#endif
#endif
  mr_future *timer;
  assert_null(mr_reactor_timer(mr_now_ns() + 1000, &timer));
  mr_future_wait(timer);
  mr_future_release(timer);
  pid_t child = fork();
  if (child == 0) {
    if (mr_reactor_timer(mr_now_ns() + 1000, &timer)) {
      _exit(1);
    }
    mr_future_wait(timer);
    _exit(0);
  }
  int exit_status = -1;
  waitpid(child, &exit_status, 0);
  assert_int_equal(exit_status, 0);
}

static void assert_no_event(int fd, unsigned events, const char *says) {
  mr_event_future *event;
  mr_status status = mr_event_future_create(fd, events, 0, &event);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  assert_string_equal(mr_status_message(status), says);
  assert_null(event);
  mr_status_free(status);
}

static void test_events_of_nothing(void **state) {
  (void)state;
  assert_no_event(0, 0, "an event without anything to wait for, wanted a descriptor or a deadline");
  assert_no_event(-1, 1, "descriptor -1, wanted an open one");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_events_of_nothing),    cmocka_unit_test(test_loop_hears_of_a_future),
      cmocka_unit_test(test_loop_is_never_early),  cmocka_unit_test(test_loop_release_cancels),
      cmocka_unit_test(test_loop_watches_many),    cmocka_unit_test(test_loop_sets_futures),
      cmocka_unit_test(test_timers_are_not_early), cmocka_unit_test(test_reactor_timers),
      cmocka_unit_test(test_reactor_descriptors),  cmocka_unit_test(test_reactor_cancel_races_with_the_timer),
      cmocka_unit_test(test_future_descriptor),    cmocka_unit_test(test_reactor_after_fork),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
