// Nanoseconds a task: independent empty nodes, a chain, a plan, with 1 and with 2 threads (the caller is one of them).
//   perf_scheduler_tasks [count]
#include <stdio.h>
#include <stdlib.h>

#include "scheduler/scheduler.h"

enum { REPEATS = 7 };
static long sink;

static void empty_run(mr_node *node) {
  sink++;
  mr_node_finish(node, MR_OK);
}
static const mr_node_type empty_type = {.name = "empty", .kind = MR_NODE_CALLBACK, .run = empty_run};

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static mr_node *node_or_die(mr_executor *executor) {
  mr_node *node;
  if (mr_node_create(&empty_type, 0, executor, &node)) abort();
  return node;
}

static void join_of(mr_scheduler *scheduler, mr_executor *executor, long count, bool chained) {
  // The end is a node that comes after all: for a chain after the last, else after a counter of futures in batches.
  mr_future *last = NULL;
  enum { BATCH = 1000 };
  mr_future *batch[BATCH];
  long in_batch = 0;
  for (long i = 0; i < count; i++) {
    mr_node *node = node_or_die(executor);
    if (chained && last) mr_status_free(mr_node_after(node, last));
    if (chained) {
      mr_future_release(last);
      last = mr_future_retain(mr_node_done(node));
    } else if (i % 1000 == 0) {
      batch[in_batch++ % BATCH] = mr_future_retain(mr_node_done(node));
    }
    mr_node_submit(node);
  }
  if (last) mr_scheduler_wait(scheduler, last);
  mr_future_release(last);
  for (long i = 0; i < in_batch && i < BATCH; i++) {
    mr_scheduler_wait(scheduler, batch[i]);
    mr_future_release(batch[i]);
  }
}

static mr_status plan_step(mr_run *run, uint32_t node) {
  (void)run;
  (void)node;
  sink++;
  return MR_OK;
}

static mr_plan *make_plan(uint32_t count, int shape) {
  mr_plan_node *nodes = calloc(count, sizeof(*nodes));
  uint32_t *offsets = calloc(count + 1, sizeof(*offsets)), *inputs = calloc(count * 2, sizeof(*inputs)), edges = 0;
  uint32_t side = 1;
  while (side * side < count) side++;
  for (uint32_t i = 0; i < count; i++) {
    nodes[i] = (mr_plan_node){.run = plan_step, .cost_ns = 40};
    if (shape == 1 && i) inputs[edges++] = i - 1;         // chain
    if (shape == 2 && i % side) inputs[edges++] = i - 1;  // wavefront
    if (shape == 2 && i >= side) inputs[edges++] = i - side;
    offsets[i + 1] = edges;
  }
  mr_plan *plan;
  if (mr_plan_create(nodes, count, offsets, inputs, &plan)) abort();
  free(nodes);
  free(offsets);
  free(inputs);
  return plan;
}

static void measure(const char *name, mr_scheduler *scheduler, uint32_t threads, long count, int what) {
  mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
  mr_plan *plan = what >= 2 ? make_plan((uint32_t)count, what - 2) : NULL;
  double ns[REPEATS];
  for (int r = 0; r < REPEATS; r++) {
    uint64_t start = mr_now_ns();
    if (plan) {
      mr_run *run;
      if (mr_run_create(plan, executor, NULL, &run)) abort();
      mr_run_start_here(run);
      mr_scheduler_wait(scheduler, mr_run_done(run));
      mr_run_release(run);
    } else {
      join_of(scheduler, executor, count, what == 1);
    }
    ns[r] = (double)(mr_now_ns() - start) / (double)count;
  }
  mr_plan_release(plan);
  qsort(ns, REPEATS, sizeof(*ns), compare);
  printf("%-16s threads %u  %7.1f ns a task (best %.1f)\n", name, threads, ns[REPEATS / 2], ns[0]);
}

int main(int argc, char **argv) {
  long count = argc > 1 ? atol(argv[1]) : 200000;
  for (uint32_t threads = 1; threads <= 2; threads++) {
    mr_scheduler *scheduler;
    mr_scheduler_options options = {.workers = threads > 1 ? threads - 1 : MR_SCHEDULER_NO_WORKERS};
    if (mr_scheduler_create(&options, &scheduler)) abort();
    if (!mr_scheduler_enter(scheduler)) abort();
    measure("empty", scheduler, threads, count, 0);
    measure("chain", scheduler, threads, count, 1);
    measure("plan independent", scheduler, threads, count, 2);
    measure("plan chain", scheduler, threads, count, 3);
    measure("plan wavefront", scheduler, threads, count, 4);
    mr_scheduler_leave(scheduler);
    mr_scheduler_release(scheduler);
  }
  return 0;
}
