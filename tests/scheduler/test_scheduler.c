// The scheduler: everything runs once, nobody sleeps through work, forks and shutdown come to an end.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "futures/park.h"
#include "scheduler/internal.h"
#include "tests/held_memory.h"
#include "tests/scheduler/shared_loop.h"

#if defined(__SANITIZE_THREAD__)
#define UNDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UNDER_TSAN 1
#endif
#endif
#ifndef UNDER_TSAN
#define UNDER_TSAN 0
#endif

typedef struct bump_args {
  _Atomic(int) *counter;
} bump_args;

static void bump_run(mr_node *node) {
  bump_args *args = mr_node_payload(node);
  atomic_fetch_add(args->counter, 1);
  mr_node_finish(node, MR_OK);
}
static void bump_fail(mr_node *node, mr_status status) {
  bump_args *args = mr_node_payload(node);
  assert_non_null(status);
  atomic_fetch_add(args->counter, 1000000);
}
static const mr_node_type bump_type = {.name = "bump", .kind = MR_NODE_CALLBACK, .run = bump_run, .fail = bump_fail};

static mr_node *bump(mr_executor *executor, _Atomic(int) *counter) {
  mr_node *node;
  assert_null(mr_node_create(&bump_type, sizeof(bump_args), executor, &node));
  *(bump_args *)mr_node_payload(node) = (bump_args){counter};
  return node;
}

// What a foreign thread submits runs on a worker while the thread sleeps.
static void test_foreign_submit(void **state) {
  (void)state;
  mr_scheduler *scheduler = make(2);
  mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
  _Atomic(int) counter = 0;
  for (int i = 0; i < 300; i++) {
    mr_node *node = bump(executor, &counter);
    mr_future *done = mr_future_retain(mr_node_done(node));
    mr_node_submit(node);
    mr_future_wait(done);
    mr_future_release(done);
    if (i % 100 == 50) {
      usleep(300);  // long enough for the workers to sleep
    }
  }
  assert_int_equal(counter, 300);
  mr_scheduler_release(scheduler);
}

// A node runs after its inputs, also when they finish on other threads; a long chain on two workers is complete.
static void test_chain_and_join(void **state) {
  (void)state;
  enum { LENGTH = 20000 };
  mr_scheduler *scheduler = make(2);
  mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
  _Atomic(int) counter = 0;
  mr_future *last = NULL;
  for (int i = 0; i < LENGTH; i++) {
    mr_node *node = bump(executor, &counter);
    if (last) {
      assert_null(mr_node_after(node, last));
    }
    mr_future_release(last);
    last = mr_future_retain(mr_node_done(node));
    mr_node_submit(node);
  }
  mr_scheduler_wait(scheduler, last);
  assert_int_equal(counter, LENGTH);
  mr_future_release(last);
  mr_scheduler_release(scheduler);
}

typedef struct tree_args {
  mr_scheduler *scheduler;
  mr_executor *executor;
  int n;
  long *result;
} tree_args;

static const mr_node_type fib_type;
static long fib(mr_scheduler *scheduler, mr_executor *executor, int n) {
  if (n < 2) {
    return n;
  }
  long a = 0;
  mr_node *node;
  assert_null(mr_node_create(&fib_type, sizeof(tree_args), executor, &node));
  *(tree_args *)mr_node_payload(node) = (tree_args){scheduler, executor, n - 1, &a};
  mr_future *done = mr_node_keep_done(node);
  mr_node_submit(node);
  long b = fib(scheduler, executor, n - 2);
  mr_scheduler_wait(scheduler, done);
  mr_future_release(done);
  return a + b;
}
static void fib_run(mr_node *node) {
  tree_args args = *(tree_args *)mr_node_payload(node);
  *args.result = fib(args.scheduler, args.executor, args.n);
  mr_node_finish(node, MR_OK);
}
static const mr_node_type fib_type = {.name = "fib", .kind = MR_NODE_CALLBACK, .run = fib_run};

// Waiting inside tasks works on other tasks: fork and join without cut-off, from a guest and with no workers at all.
static void test_fork_join(void **state) {
  (void)state;
  const uint32_t workers[] = {MR_SCHEDULER_NO_WORKERS, 1, 2, 4};
  for (size_t i = 0; i < MR_ARRAY_SIZE(workers); i++) {
    mr_scheduler *scheduler = make(workers[i]);
    mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
    assert_true(mr_scheduler_enter(scheduler));
    assert_int_equal(fib(scheduler, executor, 17), 1597);
    mr_scheduler_leave(scheduler);
    mr_scheduler_release(scheduler);
  }
}

// ---- Shutdown, fork, sharing -------------------------------------------------------------------------------------------

static void gate_run(mr_node *node) {
  _Atomic(int) *gate = *(_Atomic(int) **)mr_node_payload(node);
  atomic_store(gate, 1);
  while (atomic_load(gate) != 2) {
    usleep(100);
  }
  mr_node_finish(node, MR_OK);
}
static const mr_node_type gate_type = {.name = "gate", .kind = MR_NODE_CALLBACK, .run = gate_run};

typedef struct closing {
  _Atomic(int) *gate;
  const mr_scheduler *scheduler;
} closing;

// Once the scheduler is being shut down, which waits for the node behind the gate.
static void *open_gate_late(void *context) {
  const closing *c = context;
  while (atomic_load(&c->scheduler->state) != SCHEDULER_STOPPING) {
    usleep(100);
  }
  atomic_store(c->gate, 2);
  return NULL;
}

// Shutdown cancels what has not started, waits for what has, and every node finishes once.
static void test_shutdown_with_work(void **state) {
  (void)state;
  mr_scheduler *scheduler = make(1);
  mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
  _Atomic(int) gate = 0, counter = 0;
  mr_node *blocker;
  assert_null(mr_node_create(&gate_type, sizeof(void *), executor, &blocker));
  *(_Atomic(int) **)mr_node_payload(blocker) = &gate;
  mr_future *blocked = mr_future_retain(mr_node_done(blocker));
  mr_node_submit(blocker);
  while (atomic_load(&gate) != 1) {
    usleep(100);
  }
  mr_future *done[50];
  for (int i = 0; i < 50; i++) {
    mr_node *node = bump(executor, &counter);
    done[i] = mr_future_retain(mr_node_done(node));
    if (i % 2) {
      assert_null(mr_node_after(node, done[i - 1]));
    }
    mr_node_submit(node);
  }
  pthread_t opener;
  closing late = {&gate, scheduler};
  pthread_create(&opener, NULL, open_gate_late, &late);
  mr_scheduler_release(scheduler);
  pthread_join(opener, NULL);
  assert_null(mr_future_status(blocked));
  mr_future_release(blocked);
  for (int i = 0; i < 50; i++) {
    assert_true(mr_future_is_set(done[i]));
    assert_int_equal(mr_status_code(mr_future_status(done[i])), MR_CANCELLED);
    mr_future_release(done[i]);
  }
  assert_int_equal(counter, 50 * 1000000);
}

// The process has one scheduler; a client that comes after the last one has left gets a fresh one.
static void test_shared_by_clients(void **state) {
  (void)state;
  mr_scheduler *a, *b, *c;
  assert_null(mr_scheduler_acquire(&a));
  assert_null(mr_scheduler_acquire(&b));
  assert_ptr_equal(a, b);
  assert_true(mr_scheduler_worker_count(a) >= 1);
  mr_scheduler_release(a);
  mr_scheduler_release(b);
  assert_null(mr_scheduler_acquire(&c));
  _Atomic(int) counter = 0;
  mr_node *node = bump(mr_group_executor(mr_scheduler_group(c, 0, 1)), &counter);
  mr_future *done = mr_future_retain(mr_node_done(node));
  mr_node_submit(node);
  mr_future_wait(done);
  mr_future_release(done);
  assert_int_equal(counter, 1);
  mr_scheduler_release(c);
}

static int child_works(mr_scheduler *scheduler) {
  mr_group *group = mr_scheduler_group(scheduler, 0, 1);
  _Atomic(int) counter = 0;
  for (int i = 0; i < 100; i++) {
    mr_node *node = bump(mr_group_executor(group), &counter);
    mr_future *done = mr_future_retain(mr_node_done(node));
    mr_node_submit(node);
    mr_future_wait(done);
    mr_future_release(done);
  }
  loop l = {.group = group};
  mr_parallel_for(group, TILES, hit, &l, 1, 1000000);
  for (int i = 0; i < TILES; i++) {
    if (l.hits[i] != 1) {
      return 2;
    }
  }
  mr_scheduler_release(scheduler);
  return counter == 100 ? 0 : 1;
}

// A forked child has workers of its own and comes to an end.
static void test_fork(void **state) {
  (void)state;
  if (UNDER_TSAN) {
    skip();  // the sanitizer does not start threads in a child of a process that had several
  }
  mr_scheduler *scheduler = make(2);
  _Atomic(int) counter = 0;
  for (int round = 0; round < 10; round++) {
    mr_node *node = bump(mr_group_executor(mr_scheduler_group(scheduler, 0, 1)), &counter);
    mr_node_submit(node);
    pid_t child = fork();
    if (child == 0) {
      alarm(120);  // a busy machine
      _exit(child_works(scheduler));
    }
    int result = -1;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result));
    assert_int_equal(WEXITSTATUS(result), 0);
  }
  mr_scheduler_release(scheduler);
}

// What a child leaves for after main: released by a destructor that runs after the scheduler's own.
static mr_scheduler *left_over;
__attribute__((destructor(101))) static void release_left_over(void) { mr_scheduler_release(left_over); }

static void child_exits(mr_scheduler *scheduler) {
  mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
  static _Atomic(int) counter;
  for (int i = 0; i < 2000; i++) {
    mr_node_submit(bump(executor, &counter));
  }
  left_over = scheduler;
  exit(0);
}

// A process ends with work queued and workers awake or asleep, also when a client lets go after exit has begun.
static void test_exit_with_work(void **state) {
  (void)state;
  if (UNDER_TSAN) {
    skip();
  }
  for (int round = 0; round < 6; round++) {
    pid_t child = fork();
    if (child == 0) {
      alarm(120);  // a busy machine
      mr_scheduler *scheduler = make(2);
      if (round % 2) {
        usleep(1000);
      }
      child_exits(scheduler);
    }
    int result = -1;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result));
    assert_int_equal(WEXITSTATUS(result), 0);
  }
}

// The system's numbers of a group's units.
static uint32_t units_of(const mr_group *group, uint32_t *out) {
  const mr_topology *topology = group->scheduler->topology;
  uint32_t count = mr_group_concurrency(group);
  for (uint32_t i = 0; i < count; i++) {
    out[i] = topology->units[(group->first + i) % topology->unit_count].os_index;
  }
  return count;
}

// Devices get neighbouring workers, all are used, and more devices than workers share.
static void test_groups(void **state) {
  (void)state;
  mr_scheduler *scheduler;
  mr_scheduler_options options = {.workers = 8, .synthetic = "pack:2 l3:1 core:4 pu:1"};
  assert_null(mr_scheduler_create(&options, &scheduler));
  for (uint32_t devices = 1; devices <= 20; devices++) {
    uint32_t covered = 0, units[16];
    uint64_t seen = 0;
    for (uint32_t d = 0; d < devices; d++) {
      mr_group *group = mr_scheduler_group(scheduler, d, devices);
      assert_ptr_equal(group, mr_scheduler_group(scheduler, d, devices));
      uint32_t n = units_of(group, units);
      assert_int_equal(n, mr_group_concurrency(group));
      for (uint32_t i = 0; i < n; i++) {
        seen |= (uint64_t)1 << units[i];
      }
      covered += n;
    }
    assert_int_equal(seen, 0xff);
    assert_int_equal(covered, devices < 8 ? 8 : devices);
  }
  mr_scheduler_release(scheduler);
}

static void async_run(mr_node *node);
static const mr_node_type async_type = {.name = "async", .kind = MR_NODE_CALLBACK, .run = async_run};
static void *finish_later(void *node) {
  usleep(1000);
  mr_node_finish(node, MR_OK);
  return NULL;
}
static void async_run(mr_node *node) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, finish_later, node) != 0) {
    abort();
  }
  pthread_detach(thread);
}

// A node may finish later, on a thread the scheduler does not know; dependents still run on workers.
static void test_async_finish(void **state) {
  (void)state;
  mr_scheduler *scheduler = make(2);
  mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
  _Atomic(int) counter = 0;
  mr_node *node, *after = bump(executor, &counter);
  assert_null(mr_node_create(&async_type, 0, executor, &node));
  assert_null(mr_node_after(after, mr_node_done(node)));
  mr_future *done = mr_future_retain(mr_node_done(after));
  mr_node_submit(after);
  mr_node_submit(node);
  mr_scheduler_wait(scheduler, done);
  assert_int_equal(counter, 1);
  mr_future_release(done);
  mr_scheduler_release(scheduler);
}

// Urgent nodes are ahead of the others that wait.
static void test_priority(void **state) {
  (void)state;
  mr_scheduler *scheduler = make(1);
  mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
  _Atomic(int) gate = 0, normal = 0;
  mr_node *blocker;
  assert_null(mr_node_create(&gate_type, sizeof(void *), executor, &blocker));
  *(_Atomic(int) **)mr_node_payload(blocker) = &gate;
  mr_node_submit(blocker);
  while (atomic_load(&gate) != 1) {
    usleep(100);
  }
  mr_future *last = NULL;
  for (int i = 0; i < 100; i++) {
    mr_node *node = bump(executor, &normal);
    mr_future_release(last);
    last = mr_future_retain(mr_node_done(node));
    mr_node_submit(node);
  }
  _Atomic(int) gate2 = 0;
  mr_node *urgent;
  assert_null(mr_node_create(&gate_type, sizeof(void *), executor, &urgent));
  *(_Atomic(int) **)mr_node_payload(urgent) = &gate2;
  urgent->priority = 1;
  mr_node_submit(urgent);
  atomic_store(&gate, 2);
  while (atomic_load(&gate2) != 1) {
    usleep(100);
  }
  assert_int_equal(normal, 0);
  atomic_store(&gate2, 2);
  mr_future_wait(last);
  mr_future_release(last);
  mr_scheduler_release(scheduler);
}

typedef struct order_args {
  int *log, *length, id;
} order_args;
static void order_run(mr_node *node) {
  order_args *args = mr_node_payload(node);
  args->log[(*args->length)++] = args->id;
  mr_node_finish(node, MR_OK);
}
static const mr_node_type order_type = {.name = "order", .kind = MR_NODE_CALLBACK, .run = order_run};

// What a thread makes ready it runs newest first, or in order, as the policy says.
static void test_policy(void **state) {
  (void)state;
  for (int policy = MR_POLICY_LOCALITY; policy <= MR_POLICY_FIFO; policy++) {
    mr_scheduler *scheduler;
    mr_scheduler_options options = {.workers = MR_SCHEDULER_NO_WORKERS, .policy = (mr_policy_kind)policy};
    assert_null(mr_scheduler_create(&options, &scheduler));
    mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
    assert_true(mr_scheduler_enter(scheduler));
    int log[5], length = 0;
    mr_future *done[5];
    for (int i = 0; i < 5; i++) {
      mr_node *node;
      assert_null(mr_node_create(&order_type, sizeof(order_args), executor, &node));
      *(order_args *)mr_node_payload(node) = (order_args){log, &length, i};
      done[i] = mr_node_keep_done(node);
      mr_node_submit(node);
    }
    assert_int_equal(length, 0);
    for (int i = 0; i < 5; i++) {
      mr_scheduler_wait(scheduler, done[policy == MR_POLICY_FIFO ? 4 - i : i]);
    }
    for (int i = 0; i < 5; i++) {
      mr_future_release(done[i]);
      assert_int_equal(log[i], policy == MR_POLICY_FIFO ? i : 4 - i);
    }
    mr_scheduler_leave(scheduler);
    mr_scheduler_release(scheduler);
  }
}

// Making a scheduler fails cleanly at each allocation.
static void test_allocation_failure(void **state) {
  (void)state;
  for (uint64_t nth = 1;; nth++) {
    mr_alloc_fail_nth(nth);
    mr_scheduler *scheduler = NULL;
    mr_status status = mr_scheduler_create(&(mr_scheduler_options){.workers = 2}, &scheduler);
    mr_alloc_fail_nth(0);
    if (!status) {
      mr_scheduler_release(scheduler);
      break;
    }
    assert_null(scheduler);
    mr_status_free(status);
    assert_true(nth < 1000);
  }
}

static _Atomic(int) dependent_ran;
static mr_node *started_node;

static void start_run(mr_node *node) { started_node = node; }  // somebody else finishes it
static const mr_node_type start_type = {.name = "start", .kind = MR_NODE_CALLBACK, .run = start_run};

static void dependent_run(mr_node *node) {
  atomic_store(&dependent_ran, 1);
  mr_node_finish(node, MR_OK);
}
static const mr_node_type dependent_type = {.name = "dependent", .kind = MR_NODE_CALLBACK, .run = dependent_run};

// Finishes another node and does not return before what waited for that one has run.
static void finish_other_run(mr_node *node) {
  mr_node_finish(started_node, MR_OK);
  while (!atomic_load(&dependent_ran)) {
    mr_yield();
  }
  mr_node_finish(node, MR_OK);
}
static const mr_node_type finish_other_type = {
    .name = "finish other", .kind = MR_NODE_CALLBACK, .run = finish_other_run};

// What a task makes ready in its middle is for other threads: it does not wait for the task's end.
static void test_ready_in_the_middle(void **state) {
  (void)state;
  mr_scheduler *scheduler = make(2);
  mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
  for (int round = 0; round < 50; round++) {
    mr_node *started, *dependent, *finisher;
    atomic_store(&dependent_ran, 0);
    assert_null(mr_node_create(&start_type, 0, &mr_executor_inline, &started));
    assert_null(mr_node_create(&dependent_type, 0, executor, &dependent));
    assert_null(mr_node_create(&finish_other_type, 0, executor, &finisher));
    assert_null(mr_node_after(dependent, mr_node_done(started)));
    mr_node_submit(dependent);
    mr_node_submit(started);
    mr_future *done = mr_node_keep_done(finisher);
    mr_node_submit(finisher);
    mr_future_wait(done);
    mr_future_release(done);
  }
  mr_scheduler_release(scheduler);
}

static void fault_run(mr_node *node) {
  volatile const char *const *at = mr_node_payload(node);
  mr_node_finish(node, **at == 5 ? MR_OK : mr_error(MR_DATA_LOSS, "another byte"));
}

// A fault of code on a worker is for the program's handler, as on any other thread: it may be the host's function that is there.
static void test_faults_are_the_programs(void **state) {
  (void)state;
  static const mr_node_type type = {.name = "fault", .kind = MR_NODE_CALLBACK, .run = fault_run};
  char *bytes = held_memory_open(4096);
  mr_scheduler *scheduler = make(1);
  mr_node *node;
  bytes[0] = 5;
  held_memory_hold();
  assert_null(mr_node_create(&type, sizeof bytes, mr_group_executor(mr_scheduler_group(scheduler, 0, 1)), &node));
  *(const char **)mr_node_payload(node) = bytes;
  mr_future *done = mr_node_keep_done(node);
  mr_node_submit(node);
  held_memory_until_waited();
  held_memory_let_go();
  mr_future_wait(done);
  assert_null(mr_future_status(done));
  mr_future_release(done);
  mr_scheduler_release(scheduler);
  held_memory_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_faults_are_the_programs),
      cmocka_unit_test(test_foreign_submit),
      cmocka_unit_test(test_chain_and_join),
      cmocka_unit_test(test_fork_join),
      cmocka_unit_test(test_shutdown_with_work),
      cmocka_unit_test(test_shared_by_clients),
      cmocka_unit_test(test_fork),
      cmocka_unit_test(test_exit_with_work),
      cmocka_unit_test(test_groups),
      cmocka_unit_test(test_async_finish),
      cmocka_unit_test(test_priority),
      cmocka_unit_test(test_ready_in_the_middle),
      cmocka_unit_test(test_policy),
      cmocka_unit_test(test_allocation_failure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
