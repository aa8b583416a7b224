// Scopes: every call is made once and has returned when the scope ends, whoever makes it.
#include "tests/cmocka.h"
#include <pthread.h>
#include <string.h>

#include "futures/park.h"
#include "scheduler/internal.h"
#include "scheduler/scheduler.h"
#include "scheduler/scope.h"

static mr_scheduler *scheduler;

static void make(uint32_t workers) {
  mr_status status = mr_scheduler_create(&(mr_scheduler_options){.workers = workers}, &scheduler);
  assert_null(status);
}

// ---- Recursion --------------------------------------------------------------------------------------------------------

typedef struct addition {
  int n;
  uint64_t sum;
} addition;

static uint64_t fibonacci(int n);
static void add(void *argument) {
  addition *self = argument;
  self->sum = fibonacci(self->n);
}
static uint64_t fibonacci(int n) {
  if (n < 2) {
    return (uint64_t)n;
  }
  addition first = {.n = n - 1};
  mr_scope scope;
  mr_scope_begin(&scope, scheduler);
  mr_scope_spawn(&scope, add, &first);
  uint64_t second = fibonacci(n - 2);
  mr_scope_end(&scope);
  return first.sum + second;
}

// The sum is right with no workers, one and several, on a thread of the program, again and again.
static void test_recursion(void **state) {
  (void)state;
  const uint32_t workers[] = {MR_SCHEDULER_NO_WORKERS, 1, 3};
  for (size_t i = 0; i < MR_ARRAY_SIZE(workers); i++) {
    make(workers[i]);
    for (int round = 0; round < 20; round++) {
      assert_int_equal(fibonacci(16), 987);
    }
    mr_scheduler_release(scheduler);
  }
}

static void *fibonacci_thread(void *unused) {
  (void)unused;
  for (int round = 0; round < 10; round++) {
    if (fibonacci(14) != 377) {
      return (void *)1;
    }
  }
  return NULL;
}

// More threads than there may be guests: those left over make their calls themselves.
static void test_many_threads(void **state) {
  (void)state;
  enum { THREADS = 20 };
  make(2);
  pthread_t threads[THREADS];
  for (size_t i = 0; i < THREADS; i++) {
    pthread_create(&threads[i], NULL, fibonacci_thread, NULL);
  }
  for (size_t i = 0; i < THREADS; i++) {
    void *wrong;
    pthread_join(threads[i], &wrong);
    assert_null(wrong);
  }
  mr_scheduler_release(scheduler);
}

// ---- Independent calls --------------------------------------------------------------------------------------------------

enum { CALLS = 5000 };
static _Atomic(uint32_t) made[CALLS];

static void mark(void *argument) {
  // relaxed: the scope's end orders it.
  atomic_fetch_add_explicit((_Atomic(uint32_t) *)argument, 1, memory_order_relaxed);
}

// Each call is made once, in scopes of all sizes, more than a thread's ring holds.
static void test_each_call_once(void **state) {
  (void)state;
  make(3);
  for (size_t count = 0; count <= CALLS; count = count * 2 + 1) {
    memset(made, 0, sizeof made);
    mr_scope scope;
    mr_scope_begin(&scope, scheduler);
    for (size_t i = 0; i < count; i++) {
      mr_scope_spawn(&scope, mark, &made[i]);
    }
    mr_scope_end(&scope);
    for (size_t i = 0; i < CALLS; i++) {
      assert_int_equal(atomic_load(&made[i]), i < count);
    }
  }
  mr_scheduler_release(scheduler);
}

static void mark_many(void *argument) {
  mr_scope scope;
  mr_scope_begin(&scope, scheduler);
  for (size_t i = 0; i < 300; i++) {
    mr_scope_spawn(&scope, mark, argument);
  }
  mr_scope_end(&scope);
}

// Two scopes of one thread, filled in turn; the calls begin scopes of their own.
static void test_scopes_side_by_side(void **state) {
  (void)state;
  make(2);
  for (int round = 0; round < 20; round++) {
    memset(made, 0, sizeof made);
    mr_scope outer, inner;
    mr_scope_begin(&outer, scheduler);
    mr_scope_begin(&inner, scheduler);
    for (size_t i = 0; i < 20; i++) {
      mr_scope_spawn(&inner, mark_many, &made[0]);
      mr_scope_spawn(&outer, mark_many, &made[1]);
    }
    mr_scope_end(&inner);
    assert_int_equal(atomic_load(&made[0]), 20 * 300);
    mr_scope_end(&outer);
    assert_int_equal(atomic_load(&made[1]), 20 * 300);
  }
  mr_scheduler_release(scheduler);
}

// ---- Together with the rest -----------------------------------------------------------------------------------------

static _Atomic(uint32_t) others_made;

static void wait_for_two(void *unused) {
  (void)unused;
  atomic_fetch_add(&others_made, 1);
  while (atomic_load(&others_made) < 2) {
    mr_yield();
  }
}

// While a worker is idle, a call is made although the thread that spawned it has not come to the scope's end.
static void test_idle_worker_takes_call(void **state) {
  (void)state;
  make(1);
  for (int round = 0; round < 50; round++) {
    atomic_store(&others_made, 0);
    mr_scope scope;
    mr_scope_begin(&scope, scheduler);
    // The worker is back from the round before, and has said so to this thread's ring.
    while (!atomic_load(&mr_worker_self()->calls.wanted)) {
      mr_yield();
    }
    mr_scope_spawn(&scope, wait_for_two, NULL);
    wait_for_two(NULL);
    mr_scope_end(&scope);
  }
  mr_scheduler_release(scheduler);
}

static void finish_run(mr_node *node) { mr_node_finish(node, MR_OK); }
static const mr_node_type finish_type = {.name = "finish", .kind = MR_NODE_CALLBACK, .run = finish_run};

static void wait_for_node(void *argument) {
  mr_node *node;
  mr_status status = mr_node_create(&finish_type, 0, mr_group_executor(mr_scheduler_group(scheduler, 0, 1)), &node);
  if (status) {
    return;
  }
  mr_future *done = mr_node_keep_done(node);
  mr_node_submit(node);
  mr_future_wait(done);
  mr_future_release(done);
  mark(argument);
}

// Calls submit nodes and wait for them.
static void test_calls_wait_for_nodes(void **state) {
  (void)state;
  make(2);
  memset(made, 0, sizeof made);
  mr_scope scope;
  mr_scope_begin(&scope, scheduler);
  for (size_t i = 0; i < 1000; i++) {
    mr_scope_spawn(&scope, wait_for_node, &made[i]);
  }
  mr_scope_end(&scope);
  for (size_t i = 0; i < 1000; i++) {
    assert_int_equal(atomic_load(&made[i]), 1);
  }
  mr_scheduler_release(scheduler);
}

static void scope_run(mr_node *node) {
  mark_many(*(void **)mr_node_payload(node));
  mr_node_finish(node, MR_OK);
}
static const mr_node_type scope_type = {.name = "scope", .kind = MR_NODE_CALLBACK, .run = scope_run};

// A scheduler that shuts down waits for the scopes of nodes that run; no call is lost.
static void test_shutdown(void **state) {
  (void)state;
  for (int round = 0; round < 50; round++) {
    memset(made, 0, sizeof made);
    make(2);
    mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
    for (size_t i = 0; i < 8; i++) {
      mr_node *node;
      mr_status status = mr_node_create(&scope_type, sizeof(void *), executor, &node);
      assert_null(status);
      *(void **)mr_node_payload(node) = &made[i];
      mr_node_submit(node);
    }
    mr_scheduler_release(scheduler);
    for (size_t i = 0; i < 8; i++) {
      uint32_t times = atomic_load(&made[i]);
      assert_true(times == 0 || times == 300);  // cancelled before it began, or through
    }
  }
}

static void recurse(void *argument) {
  uint32_t depth = *(uint32_t *)argument;
  if (!depth) {
    return;
  }
  uint32_t next = depth - 1, none = 0;
  mr_scope scope;
  mr_scope_begin(&scope, scheduler);
  mr_scope_spawn(&scope, recurse, &none);
  mr_scope_spawn(&scope, recurse, &next);
  mr_scope_end(&scope);
}

// A recursion a thousand deep, deeper than the ring; where the stack gets short, waiting threads take nothing more.
static void test_deep(void **state) {
  (void)state;
  make(3);
  for (int round = 0; round < 5; round++) {
    uint32_t depth = 1000;
    recurse(&depth);
  }
  mr_scheduler_release(scheduler);
}

// A scope allocates nothing.
static void test_allocates_nothing(void **state) {
  (void)state;
  make(1);
  assert_int_equal(fibonacci(10), 55);
  mr_alloc_fail_nth(0);
  for (int round = 0; round < 10; round++) {
    assert_int_equal(fibonacci(14), 377);
    mark_many(&made[0]);
  }
  assert_int_equal(mr_alloc_fail_nth(0), 0);
  mr_scheduler_release(scheduler);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_recursion),
      cmocka_unit_test(test_many_threads),
      cmocka_unit_test(test_each_call_once),
      cmocka_unit_test(test_scopes_side_by_side),
      cmocka_unit_test(test_idle_worker_takes_call),
      cmocka_unit_test(test_calls_wait_for_nodes),
      cmocka_unit_test(test_shutdown),
      cmocka_unit_test(test_deep),
      cmocka_unit_test(test_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
