// graph: nodes that run when what they wait for is done. Dynamic nodes are one call each; a plan is a frozen graph that
// many runs share.
//
// Threads: a node under construction belongs to its maker; after mr_node_submit() everything here may be called from any
// thread. A node runs once and finishes once. `run` never executes under a lock.
// Failure: when an input fails, `run` is not called; `fail` is, and the node finishes with that same status.
//
//   static void copy_run(mr_node *node) {
//     copy_args *args = mr_node_payload(node);
//     memcpy(args->to, args->from, args->size);
//     mr_node_finish(node, MR_OK);                 // or later, from any thread
//   }
//   static const mr_node_type copy_type = {.name = "copy", .kind = MR_NODE_COPY, .run = copy_run};
//
//   mr_node *node;
//   MR_TRY(mr_node_create(&copy_type, sizeof copy_args, executor, &node));
//   *(copy_args *)mr_node_payload(node) = (copy_args){...};
//   mr_node_after(node, &input->done);             // as many as there are inputs
//   mr_future *done = mr_node_keep_done(node);     // only when the caller wants to know; release it later
//   mr_node_submit(node);                          // takes the reference; `node` may be gone when this returns
#ifndef MR_GRAPH_GRAPH_H
#define MR_GRAPH_GRAPH_H

#include "core/stop.h"
#include "core/trace.h"
#include "futures/futures.h"

typedef struct mr_task mr_task;
typedef struct mr_node mr_node;
typedef struct mr_executor mr_executor;
typedef struct mr_plan mr_plan;
typedef struct mr_run mr_run;

typedef enum mr_node_kind {
#define KIND(name, spelling) MR_NODE_##name,
#include "core/kinds.def"
  MR_NODE_KIND_COUNT
} mr_node_kind;

// ---- What a scheduler gives and gets ----------------------------------------------------------------------------------

// Something that can be run once, linked into whatever queue holds it.
struct mr_task {
  void (*run)(mr_task *task);
  mr_task *next;  // the queue's
};

// A pointer-sized thing to run: a mr_task, or (low bit set) a cell of a run. Opaque to the scheduler, which calls
// mr_item_run() exactly once, or mr_item_cancel() instead when it shuts down.
typedef uintptr_t mr_item;
void mr_item_run(mr_item item);
void mr_item_cancel(mr_item item);

enum { MR_PRIORITY_BRIEF = 101 };

// Where ready nodes go; the scheduler fills an executor in for each group. Lives as long as any node that names it.
struct mr_executor {
  const char *name;
  // Takes over `task` and runs it once, on whatever thread; positive priorities are sooner, and MR_PRIORITY_BRIEF where everybody is at what
  // takes long. `follows`: the calling thread is
  // about to come back from a task of its own and can go on with this one. Any thread may call; cannot fail.
  void (*ready)(mr_executor *executor, mr_task *task, int priority, bool follows);
  // Optional. Takes `item` when this thread is one of the executor's and has room; false: keep it and run it yourself.
  bool (*offer)(mr_executor *executor, mr_item item);
  // Optional, with offer. How many threads look for work right now. Read relaxed: a hint.
  const _Atomic(uint32_t) *hungry;
};
// Runs everything at once on the calling thread, in a fixed order: for debugging and replay.
extern mr_executor mr_executor_inline;

// ---- Nodes ----------------------------------------------------------------------------------------------------------

typedef struct mr_node_type {
  const char *name;  // for traces; static storage
  mr_node_kind kind;
  // Does the work and leads to mr_node_finish(), before it returns or later.
  void (*run)(mr_node *node);
  // Optional. Called instead of run when an input failed or the node was cancelled: release what the node holds,
  // poison what it promised besides `done`. The node finishes with `status` (borrowed) right after.
  void (*fail)(mr_node *node, mr_status status);
  // Optional. The payload's destructor, when the last reference goes.
  void (*drop)(mr_node *node);
  // Optional. Called by mr_node_cancel(), after it: a node that has begun ends soon. Any thread, any number of times, whether it
  // has begun or is over.
  void (*cancelled)(mr_node *node);
  // Optional. The node's inputs are there, or one has failed: called once, before run, fail or the executor.
  void (*ready)(mr_node *node);
  // Optional. What this node is called in traces instead of `name`: which program, which buffer. Asked before run; a text is copied.
  mr_trace_label (*tag)(const mr_node *node);
} mr_node_type;

enum { MR_NODE_INLINE_EDGES = 4 };

struct mr_node {
  // First, so that an edge finds it in its own cache line.
  _Atomic(uint32_t) pending;  // edges that have not reported; node.c has its states, and those of `error`
  uint32_t cost_ns;           // estimate; 0: unknown. Cheap nodes with ready inputs run inside mr_node_submit()
  union {
    mr_task task;                         // once it is ready
    mr_link edges[MR_NODE_INLINE_EDGES];  // while it waits; more come from the pool
  };
  const mr_node_type *type;
  mr_executor *executor;  // while it waits with more edges: where they are, which then know it
  mr_stop_word error;     // a retained mr_status: the first input error or cancellation
  uint32_t size;          // of the block, for the pool
  int16_t device;         // for traces; -1: none
  int8_t priority;        // positive is sooner, up to 100; or MR_PRIORITY_BRIEF
  mr_future done;         // counted: its references are the node's. owner_bits: the edges made, before submit
};

// A node with `payload_size` bytes (16-byte aligned, not zeroed). `executor` NULL: mr_executor_inline.
mr_status mr_node_create(const mr_node_type *type, size_t payload_size, mr_executor *executor,
                         mr_node **out_node) MR_WARN_UNUSED;
static inline void *mr_node_payload(mr_node *node) { return node + 1; }
// Set when the node has finished. Retaining the future retains the node's memory.
static inline mr_future *mr_node_done(mr_node *node) { return &node->done; }
static inline mr_node *mr_node_of_done(mr_future *done) { return MR_CONTAINER_OF(done, mr_node, done); }
// Before submit, while only the maker has the node: `done` with one more reference, without the atomic addition.
static inline mr_future *mr_node_keep_done(mr_node *node) {
  // relaxed: only the maker knows the node; its first edge or submit publishes it.
  uint32_t refs = atomic_load_explicit(&node->done.refs, memory_order_relaxed);
  atomic_store_explicit(&node->done.refs, refs + 1, memory_order_relaxed);
  return &node->done;
}
static inline mr_node *mr_node_retain(mr_node *node) {
  mr_future_retain(&node->done);
  return node;
}
// For a reference made by mr_node_retain(); NULL is fine.
static inline void mr_node_release(mr_node *node) {
  if (node) {
    mr_future_release(&node->done);
  }
}
// For a node that will not be submitted after all: it fails with ABORTED, and dependents hear of it.
void mr_node_discard(mr_node *take_node);

// Before submit: run after `future`, which must live until it is set. Only an edge after the fourth one can fail (memory);
// the node is then poisoned with the same error, so the result may be ignored when the node is submitted anyway.
mr_status mr_node_after(mr_node *node, mr_future *future);
// No more inputs. Runs the node here when it is ready and cheap, else hands it to its executor when it is ready.
void mr_node_submit(mr_node *take_node);
// Exactly once, by run or what run started; any thread. The last thing `run` does with the node: dependents may start on
// this thread when run returns.
void mr_node_finish(mr_node *node, mr_status take_status);
// The trace has what a node that this thread runs has done, before anybody learns that it is done: to be called before something of the
// node's is announced other than by mr_node_finish(), which does so itself.
void mr_node_is_over(const mr_node *node);
// The node fails with this status instead of running; one that has started ends as soon as it can. Only while a reference is held.
void mr_node_cancel(mr_node *node, mr_status take_status);

// What a node that runs was cancelled with meanwhile, MR_OK when it was not: for nodes that then want to fail all the same.
mr_status mr_node_error(const mr_node *node) MR_WARN_UNUSED;

// ---- Plans ----------------------------------------------------------------------------------------------------------

typedef struct mr_plan_node {
  // Does the node's work. Synchronous: the status is the node's. With `async`, MR_OK means that mr_run_node_finish() will
  // be called for it, exactly once; without, MR_RUN_LATER means that.
  mr_status (*run)(mr_run *run, uint32_t node);
  const void *argument;  // borrowed; see mr_run_argument()
  const char *name;      // for traces; borrowed
  uint32_t cost_ns;      // estimate; 0: unknown
  uint8_t kind;          // mr_node_kind
  bool async;
} mr_plan_node;

// What a node that is not always asynchronous says when it is this time. It has called mr_run_expect_others() before anybody else
// could finish it.
#define MR_RUN_LATER ((mr_status)(uintptr_t)&mr_run_later)
extern const char mr_run_later;

// Freezes `node_count` nodes, where node i comes after inputs[input_offsets[i] .. input_offsets[i + 1]). Everything is
// copied. INVALID_ARGUMENT for an edge to a node that is not there, and for a cycle.
mr_status mr_plan_create(const mr_plan_node *nodes, uint32_t node_count, const uint32_t *input_offsets,
                         const uint32_t *inputs, mr_plan **out_plan) MR_WARN_UNUSED;
// The same where all nodes are alike; `run` tells them apart by their number.
mr_status mr_plan_create_uniform(const mr_plan_node *node, uint32_t node_count, const uint32_t *input_offsets,
                                 const uint32_t *inputs, mr_plan **out_plan) MR_WARN_UNUSED;
mr_plan *mr_plan_retain(mr_plan *plan);
void mr_plan_release(mr_plan *plan);
uint32_t mr_plan_node_count(const mr_plan *plan);

// One execution of a plan: one block, taken from a small cache in the plan. `context` is for the nodes.
mr_status mr_run_create(mr_plan *plan, mr_executor *executor, void *context, mr_run **out_run) MR_WARN_UNUSED;
void mr_run_release(mr_run *run);
// Set when every node has finished, with the first error. Retaining it retains the run.
mr_future *mr_run_done(mr_run *run);
void *mr_run_context(const mr_run *run);
const void *mr_run_argument(const mr_run *run, uint32_t node);
// Starts the run, once: through the executor, or with mr_run_start_here() on this thread, which then works on the run (and
// shares what it has too much of) until no node is ready here.
void mr_run_start(mr_run *run);
void mr_run_start_here(mr_run *run);
// By a node that runs: others may finish nodes of the run without having got them through its executor.
void mr_run_expect_others(mr_run *run);
// For async nodes; any thread.
void mr_run_node_finish(mr_run *run, uint32_t node, mr_status take_status);
// A run fails as a whole: after this, or after a node failed, nodes that have not started are skipped, and the run finishes
// with the first error once those that have are done. Only while a reference is held.
void mr_run_cancel(mr_run *run, mr_status take_status);

#endif
