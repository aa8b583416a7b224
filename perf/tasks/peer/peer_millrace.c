// millrace as one peer of the task-runtime comparison, whose bench.h and main.c say what a peer is.
//   cc -O3 -DNDEBUG -I. -I<folder of bench.h> perf/tasks/peer/peer_millrace.c <main.o of the comparison> \
//      <static libraries> -lhwloc -levent_core -lpthread -lm
#include "bench.h"

#include <stdlib.h>

#include "futures/park.h"
#include "scheduler/scheduler.h"

static mr_scheduler *scheduler;
static mr_group *group;
static mr_executor *executor;

// The calling thread is one of `threads`.
static int init(int threads) {
  mr_scheduler_options options = {.workers = threads > 1 ? (uint32_t)threads - 1 : MR_SCHEDULER_NO_WORKERS};
  mr_status status = mr_scheduler_create(&options, &scheduler);
  if (status) return 1;
  group = mr_scheduler_group(scheduler, 0, 1);
  executor = mr_group_executor(group);
  return mr_scheduler_enter(scheduler) ? 0 : 1;
}

static void fini(void) {
  mr_scheduler_leave(scheduler);
  mr_scheduler_release(scheduler);
}

// ---- Independent nodes --------------------------------------------------------------------------------------------------

typedef struct batch {
  _Atomic(uint64_t) left;
  mr_future done;
} batch;

static void empty_run(mr_node *node) {
  batch *b = *(batch **)mr_node_payload(node);
  empty_body();
  mr_node_finish(node, MR_OK);
  if (atomic_fetch_sub_explicit(&b->left, 1, memory_order_acq_rel) == 1) mr_future_set(&b->done, MR_OK);
}
static const mr_node_type empty_type = {.name = "empty", .kind = MR_NODE_CALLBACK, .run = empty_run};

static void empty(uint64_t n) {
  batch b = {.left = n};
  mr_future_init(&b.done);
  for (uint64_t i = 0; i < n; i++) {
    mr_node *node;
    if (mr_node_create(&empty_type, sizeof(batch *), executor, &node)) abort();
    *(batch **)mr_node_payload(node) = &b;
    mr_node_submit(node);
  }
  mr_scheduler_wait(scheduler, &b.done);
  mr_future_deinit(&b.done);
}

// ---- Graphs -------------------------------------------------------------------------------------------------------------

static mr_status step(mr_run *run, uint32_t node) {
  (void)run;
  task_body(node);
  return MR_OK;
}

static int dag(const struct dag *d, uint64_t *build_ns, uint64_t *run_ns) {
  uint64_t start = now_ns();
  const mr_plan_node node = {.run = step, .cost_ns = 50};
  mr_plan *plan;
  if (mr_plan_create_uniform(&node, d->n, d->po, d->p, &plan)) abort();
  *build_ns = now_ns() - start;
  start = now_ns();
  mr_run *run;
  if (mr_run_create(plan, executor, NULL, &run)) abort();
  mr_run_start_here(run);
  mr_scheduler_wait(scheduler, mr_run_done(run));
  mr_run_release(run);
  *run_ns = now_ns() - start;
  start = now_ns();
  mr_plan_release(plan);
  *build_ns += now_ns() - start;
  return 1;
}

// ---- Fork and join ------------------------------------------------------------------------------------------------------

typedef struct fib_args {
  int n;
  uint64_t *result;
} fib_args;
static const mr_node_type fib_type;

static uint64_t fib(int n) {
  if (n < 2) return (uint64_t)n;
  uint64_t a = 0;
  mr_node *node;
  if (mr_node_create(&fib_type, sizeof(fib_args), executor, &node)) abort();
  *(fib_args *)mr_node_payload(node) = (fib_args){n - 1, &a};
  mr_future *done = mr_node_keep_done(node);
  mr_node_submit(node);
  uint64_t b = fib(n - 2);
  mr_scheduler_wait(scheduler, done);
  mr_future_release(done);
  return a + b;
}
static void fib_run(mr_node *node) {
  fib_args args = *(fib_args *)mr_node_payload(node);
  *args.result = fib(args.n);
  mr_node_finish(node, MR_OK);
}
static const mr_node_type fib_type = {.name = "fib", .kind = MR_NODE_CALLBACK, .run = fib_run};

// ---- Hand-over ----------------------------------------------------------------------------------------------------------

static void stamp_run(mr_node *node) {
  _Atomic(uint64_t) *stamp = *(_Atomic(uint64_t) **)mr_node_payload(node);
  atomic_store_explicit(stamp, now_ns(), memory_order_release);
  mr_node_finish(node, MR_OK);
}
static const mr_node_type stamp_type = {.name = "stamp", .kind = MR_NODE_CALLBACK, .run = stamp_run};

static void latency(int samples, int idle_us, uint64_t *ns) {
  mr_scheduler_leave(scheduler);  // a thread that does not run tasks: the continuation is the worker's
  for (int i = 0; i < samples; i++) {
    _Atomic(uint64_t) stamp = 0;
    mr_future event;
    mr_future_init(&event);
    mr_node *node;
    if (mr_node_create(&stamp_type, sizeof(void *), executor, &node)) abort();
    *(_Atomic(uint64_t) **)mr_node_payload(node) = &stamp;
    if (mr_node_after(node, &event)) abort();
    mr_node_submit(node);
    if (idle_us) spin_us(idle_us);
    uint64_t t0 = now_ns(), t1;
    mr_future_set(&event, MR_OK);
    while (!(t1 = atomic_load_explicit(&stamp, memory_order_acquire))) mr_pause();
    ns[i] = t1 - t0;
    mr_future_deinit(&event);
  }
  if (!mr_scheduler_enter(scheduler)) abort();
}

const struct peer PEER = {"millrace", init, fini, empty, dag, fib, latency};
