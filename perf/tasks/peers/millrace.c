// millrace: plans for graphs, a scope for calls that end before it does, a node for what waits for a future.
#include <stdlib.h>

#include "futures/park.h"
#include "harness.h"
#include "scheduler/scheduler.h"
#include "scheduler/scope.h"

static mr_scheduler *scheduler;
static mr_executor *executor;

static void must(mr_status status) {
  if (status) {
    abort();
  }
}

// The calling thread is one of `threads`.
static bool start(int threads) {
  uint32_t workers = threads > 1 ? (uint32_t)threads - 1 : MR_SCHEDULER_NO_WORKERS;
  must(mr_scheduler_create(&(mr_scheduler_options){.workers = workers}, &scheduler));
  executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
  return mr_scheduler_enter(scheduler);
}

static void stop(void) {
  mr_scheduler_leave(scheduler);
  mr_scheduler_release(scheduler);
}

static void empty_call(void *unused) {
  (void)unused;
  empty_body();
}

static void independent(uint32_t count) {
  mr_scope scope;
  mr_scope_begin(&scope, scheduler);
  for (uint32_t i = 0; i < count; i++) {
    mr_scope_spawn(&scope, empty_call, NULL);
  }
  mr_scope_end(&scope);
}

typedef struct addition {
  int n;
  uint64_t sum;
} addition;

static uint64_t fork_join(int n);

static void add(void *argument) {
  addition *self = argument;
  self->sum = fork_join(self->n);
}

static uint64_t fork_join(int n) {
  if (n < 2) {
    return (uint64_t)n;
  }
  addition first = {.n = n - 1};
  mr_scope scope;
  mr_scope_begin(&scope, scheduler);
  mr_scope_spawn(&scope, add, &first);
  uint64_t second = fork_join(n - 2);
  mr_scope_end(&scope);
  return first.sum + second;
}

static mr_status run_node(mr_run *run, uint32_t node) {
  (void)run;
  graph_body(node);
  return MR_OK;
}

static bool run_graph(const graph *g) {
  const mr_plan_node node = {.run = run_node, .cost_ns = 50};
  mr_plan *plan;
  must(mr_plan_create_uniform(&node, g->count, g->input_offsets, g->inputs, &plan));
  mr_run *run;
  must(mr_run_create(plan, executor, NULL, &run));
  mr_run_start_here(run);
  mr_scheduler_wait(scheduler, mr_run_done(run));
  mr_run_release(run);
  mr_plan_release(plan);
  return true;
}

static void stamp_run(mr_node *node) {
  _Atomic(uint64_t) *stamp = *(_Atomic(uint64_t) **)mr_node_payload(node);
  atomic_store_explicit(stamp, now_ns(), memory_order_release);
  mr_node_finish(node, MR_OK);
}
static const mr_node_type stamp_type = {.name = "stamp", .kind = MR_NODE_CALLBACK, .run = stamp_run};

static void hand_over(int samples, int idle_us, uint64_t *out_ns) {
  mr_scheduler_leave(scheduler);  // this thread runs no tasks: the continuation is the worker's
  for (int i = 0; i < samples; i++) {
    _Atomic(uint64_t) stamp = 0;
    mr_future event;
    mr_future_init(&event);
    mr_node *node;
    must(mr_node_create(&stamp_type, sizeof(void *), executor, &node));
    *(_Atomic(uint64_t) **)mr_node_payload(node) = &stamp;
    must(mr_node_after(node, &event));
    mr_node_submit(node);
    if (idle_us) {
      spin_for_us(idle_us);
    }
    uint64_t begun = now_ns(), there;
    mr_future_set(&event, MR_OK);
    while (!(there = atomic_load_explicit(&stamp, memory_order_acquire))) {
      mr_pause();
    }
    out_ns[i] = there - begun;
    mr_future_deinit(&event);
  }
  if (!mr_scheduler_enter(scheduler)) {
    abort();
  }
}

const peer PEER = {.name = "millrace",
                   .start = start,
                   .stop = stop,
                   .independent = independent,
                   .run_graph = run_graph,
                   .fibonacci = fork_join,
                   .hand_over = hand_over};
