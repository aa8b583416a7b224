// Waiting inside nodes: the thread works meanwhile, so that waiting nodes do not use up the workers.
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "tests/cmocka.h"

#include "scheduler/scheduler.h"

static mr_scheduler *make(uint32_t workers) {
  mr_scheduler *scheduler;
  assert_null(mr_scheduler_create(&(mr_scheduler_options){.workers = workers}, &scheduler));
  return scheduler;
}

typedef enum wait_kind { PLAINLY, WITH_DEADLINE, THROUGH_SCHEDULER } wait_kind;

// A node that submits the next one and waits for it.
typedef struct link {
  mr_scheduler *scheduler;
  uint32_t left;
  wait_kind how;
  _Atomic(uint32_t) *ended;
} link_args;

static void link_run(mr_node *node);
static const mr_node_type link_type = {.name = "link", .kind = MR_NODE_CALLBACK, .run = link_run};

static mr_future *start_link(link_args args) {
  mr_node *node;
  assert_null(
      mr_node_create(&link_type, sizeof args, mr_group_executor(mr_scheduler_group(args.scheduler, 0, 1)), &node));
  *(link_args *)mr_node_payload(node) = args;
  mr_future *done = mr_node_keep_done(node);
  mr_node_submit(node);
  return done;
}

static _Atomic(bool) no_threads;  // pthread_create() makes none for a while
// How far down the stack the links have come meanwhile, and from where. Of one thread.
static uintptr_t deepest, highest;

static void note_stack(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  deepest = here < deepest ? here : deepest;
  highest = here > highest ? here : highest;
}

static void link_run(mr_node *node) {
  link_args args = *(link_args *)mr_node_payload(node);
  if (no_threads) {
    note_stack();
  }
  if (args.left) {
    link_args next = args;
    next.left--;
    mr_future *done = start_link(next);
    switch (args.how) {
    case PLAINLY: mr_future_wait(done); break;
    case WITH_DEADLINE: mr_future_wait_until(done, mr_now_ns() + 60000000000u); break;
    case THROUGH_SCHEDULER: mr_scheduler_wait(args.scheduler, done); break;
    }
    assert_true(mr_future_is_set(done));
    mr_future_release(done);
  }
  atomic_fetch_add(args.ended, 1);
  mr_node_finish(node, MR_OK);
}

static void check_chain(uint32_t workers, uint32_t length, wait_kind how) {
  mr_scheduler *scheduler = make(workers);
  _Atomic(uint32_t) ended = 0;
  mr_future *done = start_link((link_args){scheduler, length - 1, how, &ended});
  assert_true(mr_future_wait_until(done, mr_now_ns() + 60000000000u));
  assert_int_equal(ended, length);
  mr_future_release(done);
  mr_scheduler_release(scheduler);
}

// More nodes than workers wait inside for further ones, in every way there is: all come to an end.
static void test_waits_inside(void **state) {
  (void)state;
  for (uint32_t workers = 1; workers <= 2; workers++) {
    check_chain(workers, 20, PLAINLY);
    check_chain(workers, 20, WITH_DEADLINE);
    check_chain(workers, 20, THROUGH_SCHEDULER);
  }
}

// So many that one stack does not hold them: other threads take over, and the recursion on each is bounded.
static void test_deep(void **state) {
  (void)state;
  check_chain(1, MR_TEST_SANITIZED ? 5000 : 30000, PLAINLY);
}

#if !MR_TEST_SANITIZED  // whose own functions stand where this one goes
// In place of the C library's.
int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*start)(void *),
                   void *restrict argument) {
  int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
  return no_threads ? EAGAIN : real(thread, attributes, start, argument);
}

// Of the only worker.
static size_t stack_size;
static void measure_stack(mr_node *node) {
  pthread_attr_t attributes;
  void *lowest;
  assert_int_equal(pthread_getattr_np(pthread_self(), &attributes), 0);
  assert_int_equal(pthread_attr_getstack(&attributes, &lowest, &stack_size), 0);
  pthread_attr_destroy(&attributes);
  no_threads = true;  // the scheduler's own one is there
  mr_node_finish(node, MR_OK);
}

// Where no thread can be made, the only one there is goes on when half of its stack is in use.
static void test_deep_without_threads(void **state) {
  (void)state;
  static const mr_node_type type = {.name = "measure", .kind = MR_NODE_CALLBACK, .run = measure_stack};
  mr_scheduler *scheduler = make(1);
  mr_node *node;
  assert_null(mr_node_create(&type, 0, mr_group_executor(mr_scheduler_group(scheduler, 0, 1)), &node));
  mr_future *measured = mr_node_keep_done(node);
  mr_node_submit(node);
  assert_true(mr_future_wait_until(measured, mr_now_ns() + 60000000000u));
  mr_future_release(measured);

  _Atomic(uint32_t) ended = 0;
  deepest = UINTPTR_MAX;
  highest = 0;
  mr_future *done = start_link((link_args){scheduler, 99, PLAINLY, &ended});
  mr_future_wait_until(done, mr_now_ns() + 60000000000u);
  mr_future_release(done);
  uint32_t length = (uint32_t)(stack_size / 8 * 5 / ((highest - deepest) / 99));
  ended = 0;
  done = start_link((link_args){scheduler, length - 1, PLAINLY, &ended});
  bool in_time = mr_future_wait_until(done, mr_now_ns() + 60000000000u);
  no_threads = false;
  assert_true(in_time);
  assert_true(highest - deepest > stack_size / 2);
  assert_int_equal(ended, length);
  mr_future_release(done);
  mr_scheduler_release(scheduler);
}
#endif

// A wait inside a node that is in vain ends at its deadline, and other nodes have run on its only thread meanwhile.
static mr_future *never;
static _Atomic(uint32_t) others;

static void wait_in_vain(mr_node *node) {
  mr_scheduler *scheduler = *(mr_scheduler **)mr_node_payload(node);
  mr_future *done[8];
  _Atomic(uint32_t) *count = &others;
  for (int i = 0; i < 8; i++) {
    done[i] = start_link((link_args){scheduler, 0, PLAINLY, count});
  }
  uint64_t start = mr_now_ns(), until = start;
  do {  // once, where the machine has time for eight nodes within a wait
    until = mr_now_ns() + 300000000;
    assert_false(mr_future_wait_until(never, until));
    assert_true(mr_now_ns() >= until);
  } while (others < 8 && until - start < 60000000000u);
  assert_int_equal(others, 8);
  for (int i = 0; i < 8; i++) {
    mr_future_release(done[i]);
  }
  mr_node_finish(node, MR_OK);
}

static void test_deadline_inside(void **state) {
  (void)state;
  static const mr_node_type type = {.name = "in vain", .kind = MR_NODE_CALLBACK, .run = wait_in_vain};
  mr_scheduler *scheduler = make(1);
  assert_null(mr_future_create(&never));
  mr_node *node;
  assert_null(mr_node_create(&type, sizeof(void *), mr_group_executor(mr_scheduler_group(scheduler, 0, 1)), &node));
  *(mr_scheduler **)mr_node_payload(node) = scheduler;
  mr_future *done = mr_node_keep_done(node);
  mr_node_submit(node);
  mr_future_wait(done);
  mr_future_release(done);
  mr_future_release(never);
  mr_scheduler_release(scheduler);
}

// A waiter that is put off because callbacks are nested deep runs before a node on the same thread waits for what it sets.
typedef struct setter {
  mr_waiter waiter;
  mr_future *next;
} setter;

static void set_next(mr_waiter *waiter, mr_status status) {
  (void)status;
  mr_future_set(MR_CONTAINER_OF(waiter, setter, waiter)->next, MR_OK);
}

typedef struct deep {
  mr_waiter waiter;
  mr_scheduler *scheduler;
  mr_future *first, *last;
} deep;

static void set_and_wait(mr_waiter *waiter, mr_status status) {
  (void)status;
  deep *d = MR_CONTAINER_OF(waiter, deep, waiter);
  mr_future_set(d->first, MR_OK);
  mr_scheduler_wait(d->scheduler, d->last);
}

static void test_wait_deep_in_callbacks(void **state) {
  (void)state;
  enum { OUTER = 40, INNER = 40 };
  mr_scheduler *scheduler = make(MR_SCHEDULER_NO_WORKERS);
  mr_future *outer[OUTER], *inner[INNER];
  setter outer_links[OUTER], inner_links[INNER];
  for (int i = 0; i < OUTER; i++) {
    assert_null(mr_future_create(&outer[i]));
  }
  for (int i = 0; i < INNER; i++) {
    assert_null(mr_future_create(&inner[i]));
  }
  for (int i = 0; i + 1 < OUTER; i++) {
    outer_links[i] = (setter){.waiter.run = set_next, .next = outer[i + 1]};
    mr_future_then(outer[i], &outer_links[i].waiter);
  }
  for (int i = 0; i + 1 < INNER; i++) {
    inner_links[i] = (setter){.waiter.run = set_next, .next = inner[i + 1]};
    mr_future_then(inner[i], &inner_links[i].waiter);
  }
  deep d = {.waiter.run = set_and_wait, .scheduler = scheduler, .first = inner[0], .last = inner[INNER - 1]};
  mr_future_then(outer[20], &d.waiter);
  mr_future_set(outer[0], MR_OK);
  assert_true(mr_future_is_set(outer[OUTER - 1]));
  assert_true(mr_future_is_set(inner[INNER - 1]));
  for (int i = 0; i < OUTER; i++) {
    mr_future_release(outer[i]);
  }
  for (int i = 0; i < INNER; i++) {
    mr_future_release(inner[i]);
  }
  mr_scheduler_release(scheduler);
}

int main(void) {
  alarm(250);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_waits_inside),         cmocka_unit_test(test_deep),
#if !MR_TEST_SANITIZED  // whose own functions stand where this one goes
      cmocka_unit_test(test_deep_without_threads),
#endif
      cmocka_unit_test(test_deadline_inside),      cmocka_unit_test(test_wait_deep_in_callbacks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
