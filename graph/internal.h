// What the files of graph/ know of each other.
#ifndef MR_GRAPH_INTERNAL_H
#define MR_GRAPH_INTERNAL_H

#include "core/ref.h"
#include "graph/graph.h"
#include "graph/tuning.h"

// One cell per node and run. While the node waits, `pending` counts its unfinished inputs. Once it is ready, the same word
// links it (index + 1, 0: end) into the stack of the thread that has the node. Its states are in run.c.
typedef struct run_cell {
  _Alignas(8) _Atomic(uint32_t) pending;  // its address has three bits to spare, in items
  uint32_t index;
} run_cell;

struct mr_plan {
  mr_ref ref;
  uint32_t node_count;
  uint32_t root_count;
  uint32_t node_mask;           // all ones, or 0 where all nodes are alike
  bool has_async;               // some node may finish on any thread
  bool is_brief;                // a trace has a record for each stretch of nodes that a thread runs, not for each node
  uint64_t cost_ns;             // 0: some node's is unknown
  run_cell *cells;              // as a run begins; all arrays lie in one block behind this struct
  mr_plan_node *nodes;          // node i is nodes[i & node_mask]
  uint32_t *successor_offsets;  // node i's: successors[successor_offsets[i] .. successor_offsets[i + 1])
  uint32_t *successors;
  uint32_t *roots;
  // Finished runs, kept for the next execution.
  //
  // States of mr_plan.cached_runs:
  //
  //   NULL --destroy() of run.c--> a finished run --take_cached()--> NULL
  //
  //   who               operation              order, and with what it pairs                              at once
  //   run that is over  swap, NULL -> run      release of what was done to it; it fails where it is full  everybody
  //   execution         exchange, any -> NULL  acquire, of that                                           everybody
  //   end of the plan   load                   relaxed: the count of references has acquired it           nobody
  _Atomic(mr_run *) cached_runs[MR_PLAN_CACHED_RUNS];
};

static inline const mr_plan_node *mr_plan_node_of(const mr_plan *plan, uint32_t node) {
  return &plan->nodes[node & plan->node_mask];
}

// A run item is a stack of ready cells. The two kinds of item that are a run's; mr_item_run() and mr_item_cancel() choose.
void mr_run_item(mr_item item);
void mr_run_cancel_item(mr_item item);
bool mr_run_cancel_task(mr_task *task);  // false: the task is no run's
void mr_run_free(mr_run *run);           // a cached run, by its plan

#endif
