// A dynamic node.
//
// States of mr_node.pending:
//
//   building: BUILDING less --submit--> waiting: edges that --the last edge, or submit--> ready: nobody counts any more, and
//   edges that reported                 have not reported                                  who was last hands the node on
//       |     ^                             |     ^
//       +-----+ edge                        +-----+ edge
//
//   who     operation                          order, and with what it pairs                               at once
//   maker   none: it counts the edges that it  relaxed as it is made: an edge or submit publishes the      edges
//           makes in `done`                    node
//   submit  subtracts BUILDING less the edges  acq_rel: release of the node, for edges that report later;  edges
//           made; nothing without edges        acquire of what those before brought
//   edge    load of 1, or subtraction          acquire of what the others brought; release of what this    edges, submit
//                                              one did, for the last. With 1 it is submitted and no other
//                                              is left
//
// The memory of a node that has run lives on while `done` has references.
//
// States of mr_node.error:
//
//   0 --first input that fails, or cancellation--> status, as long as the node
//
//   who                  operation          order, and with what it pairs                              at once
//   edge, who cancels    swap, 0 -> status  release (acq_rel) of the status                            everybody
//   ready()              load               relaxed: `pending` has brought what inputs had to say; of  who cancels
//                                           a cancellation that comes later execute() hears
//   execute(), who asks  load               acquire, of the status                                     who cancels
//
// An edge is a link in the input's list, one word. The first four lie in the node itself, in the same bytes that link the node
// into a queue later: when it is ready, all its edges have reported. Two and two more are in blocks of half a cache line.
#include "graph/graph.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/census.h"
#include "core/trace.h"
#include "futures/pool.h"
#include "graph/internal.h"

static_assert(sizeof(mr_node) % 16 == 0, "payloads are 16-byte aligned");
static_assert(sizeof(mr_node) <= 96, "a pending node with 32 bytes of payload fits in 128 bytes");

// More than a node can have edges. Until submit, reporting edges count down from here and never reach zero.
static const uint32_t BUILDING = 1u << 31;

// How deep this thread is in nodes that run inside mr_node_submit(). What those make ready does not follow the task that
// submitted them.
static _Thread_local uint32_t inside_submit __attribute__((tls_model("initial-exec")));
// The node that this thread is running, the innermost of several.
static _Thread_local const mr_node *running __attribute__((tls_model("initial-exec")));
// True while mr_node_finish() of that node tells the dependents: they follow a task that is about to return.
static _Thread_local bool finishing __attribute__((tls_model("initial-exec")));

// ---- Lifecycle ------------------------------------------------------------------------------------------------------

static void destroy(mr_future *done) {
  mr_node *node = mr_node_of_done(done);
  if (node->type->drop) {
    node->type->drop(node);
  }
  // relaxed: the last reference is gone, nobody else is here.
  mr_status error = (mr_status)atomic_load_explicit(&node->error, memory_order_relaxed);
  if (MR_UNLIKELY(error != MR_OK)) {
    mr_status_free(error);
  }
  mr_census_note(MR_CENSUS_nodes, -1);
  mr_struct_free(node, node->size);
}

mr_status mr_node_create(const mr_node_type *type, size_t payload_size, mr_executor *executor, mr_node **out_node) {
  *out_node = NULL;
  if (payload_size > UINT32_MAX - sizeof(mr_node)) {
    return MR_NO_MEMORY();
  }
  size_t size = sizeof(mr_node) + payload_size;
  mr_node *node = mr_struct_alloc(size);
  if (!node) {
    return MR_NO_MEMORY();
  }
  node->type = type;
  node->executor = executor ? executor : &mr_executor_inline;
  // relaxed: published by the first edge or by submit.
  atomic_store_explicit(&node->error, 0, memory_order_relaxed);
  atomic_store_explicit(&node->pending, BUILDING, memory_order_relaxed);
  node->cost_ns = 0;
  node->device = -1;
  node->priority = 0;
  node->size = (uint32_t)size;
  mr_future_init_counted(&node->done, destroy);
  mr_census_note(MR_CENSUS_nodes, 1);
  *out_node = node;
  return MR_OK;
}

// The first error stays.
static void poison(mr_node *node, mr_status take_status) {
  uintptr_t none = 0;
  // acq_rel/acquire, pairs with the load in execute().
  if (!atomic_compare_exchange_strong_explicit(&node->error, &none, (uintptr_t)take_status, memory_order_acq_rel,
                                               memory_order_acquire)) {
    mr_status_free(take_status);
  }
}

mr_status mr_node_error(const mr_node *node) {
  // acquire, pairs with poison(): the status was made by another thread.
  return mr_status_retain((mr_status)atomic_load_explicit(&node->error, memory_order_acquire));
}

void mr_node_cancel(mr_node *node, mr_status take_status) {
  if (!take_status) {
    return;
  }
  poison(node, take_status);
  if (node->type->cancelled) {
    node->type->cancelled(node);
  }
}

void mr_node_discard(mr_node *take_node) {
  if (!take_node) {
    return;
  }
  poison(take_node, mr_error(MR_ABORTED, "%s was discarded before it was submitted", take_node->type->name));
  mr_node_submit(take_node);
}

// ---- Running --------------------------------------------------------------------------------------------------------

static void fail(mr_node *node, mr_status error) {
  mr_future_begin_sets();  // the type's may be others than the node's own
  if (node->type->fail) {
    node->type->fail(node, error);
  }
  mr_node_finish(node, mr_status_retain(error));
  mr_future_end_sets();
}

// In done.owner_bits of a node that is submitted: the trace has its input's end.
static const uint32_t TRACED_FLOW = UINT32_MAX;

// A span of the trace that is begun: what it says is copied, since the node may be gone at the end, and with it its tag.
typedef struct span {
  const mr_node *node;   // NULL: it is recorded
  mr_trace_label label;  // its text is `tag`, or static
  char tag[MR_TRACE_NAME + 1];
  mr_trace_about about;
  uint64_t start, flow;
  struct span *outer;  // that this one lies in; NULL: none
} span;

// Of the node that this thread runs, when it is traced.
static _Thread_local span *current_span __attribute__((tls_model("initial-exec")));

// This thread is in it, or in none.
static void open_span(const span *s) {
  if (s && s->node) {
    mr_trace_open(&s->label, s->about, s->start, s->flow);
  } else {
    mr_trace_open(&(mr_trace_label){0}, (mr_trace_about){0}, 0, 0);
  }
}

static void record(span *s) {
  mr_trace_label_span(MR_TRACE_NODE, &s->label, s->about, s->start, s->flow);
  s->node = NULL;
  open_span(s->outer);
}

void mr_node_is_over(const mr_node *node) {
  if (MR_UNLIKELY(current_span != NULL) && current_span->node == node) {
    record(current_span);
  }
}

static void run_traced(mr_node *node) {
  span s;
  s.node = node;
  s.about = (mr_trace_about){.kind = (uint8_t)node->type->kind, .cost_ns = node->cost_ns, .priority = node->priority};
  s.flow = node->done.owner_bits == TRACED_FLOW ? (uintptr_t)node : 0;
  s.label = (mr_trace_label){.text = node->type->name};
  if (node->type->tag) {
    s.label = node->type->tag(node);
    s.label.text = s.label.op ? NULL : mr_trace_copy_name(s.tag, s.label.text);
  }
  s.outer = current_span;
  current_span = &s;
  s.start = mr_trace_now();
  mr_trace_device = node->device;
  open_span(&s);
  node->type->run(node);  // may say that it is for another device; the node may be gone
  if (s.node) {
    record(&s);  // it goes on without this thread
  }
  current_span = s.outer;
}

static void execute(mr_task *task) {
  mr_node *node = MR_CONTAINER_OF(task, mr_node, task);
  // acquire, pairs with poison().
  mr_status error = (mr_status)atomic_load_explicit(&node->error, memory_order_acquire);
  const mr_node *outer = running;
  running = node;
  if (MR_UNLIKELY(error != MR_OK)) {
    fail(node, error);
  } else if (mr_trace_is_on()) {
    run_traced(node);
  } else {
    node->type->run(node);
  }
  running = outer;
}

void mr_node_finish(mr_node *node, mr_status take_status) {
  mr_node_is_over(node);
  // With the one reference that is ours and no waiter, nobody can learn the result any more: a waiter needs a reference or
  // must have come before. acquire on the count, as in mr_future_release(): it comes first, and while it is one the state
  // does not change, so relaxed does for that.
  if (atomic_load_explicit(&node->done.refs, memory_order_acquire) == 1 &&
      atomic_load_explicit(&node->done.state, memory_order_relaxed) == 0) {
    mr_status_free(take_status);
    destroy(&node->done);
    return;
  }
  bool outer = finishing;
  finishing = inside_submit == 0 && running == node;
  mr_future_set(&node->done, take_status);
  finishing = outer;
  mr_future_release(&node->done);
}

// `pending` is zero and this thread took it there.
static void ready(mr_node *node) {
  node->task.run = execute;
  if (MR_UNLIKELY(node->type->ready != NULL)) {
    node->type->ready(node);
  }
  // relaxed: whoever poisoned before the last count is ordered by the count; a later cancel is seen in execute().
  if (MR_UNLIKELY(atomic_load_explicit(&node->error, memory_order_relaxed) != 0)) {
    execute(&node->task);  // failing is cheap, and the news should travel
    return;
  }
  node->executor->ready(node->executor, &node->task, node->priority, finishing);
}

// ---- Edges ----------------------------------------------------------------------------------------------------------
// Edge number n is node->edges[n] and has slot n + 1; from MR_NODE_INLINE_EDGES on they lie in blocks, in the two slots after
// those. The node has the newest block in place of its executor, told from it by the low bit; blocks have what was there
// before.

enum { MORE_EDGES = 2 };

typedef struct more_edges {
  mr_executor *under;
  mr_node *node;
  mr_link edges[MORE_EDGES];
} more_edges;
static_assert(sizeof(more_edges) <= MR_CACHE_LINE / 2, "the smallest block of the pool");

static more_edges *more_edges_of(const mr_node *node) {
  uintptr_t word = (uintptr_t)node->executor;
  return word & 1 ? (more_edges *)(word & ~(uintptr_t)1) : NULL;
}

static void free_newest(mr_node *node, more_edges *block) {
  node->executor = block->under;
  mr_struct_free(block, sizeof(*block));
}

// All edges have reported.
static void free_more_edges(mr_node *node) {
  for (more_edges *block; MR_UNLIKELY((block = more_edges_of(node)) != NULL);) {
    free_newest(node, block);
  }
}

// A place for the next edge; it is taken by being counted.
static mr_link *take_edge(mr_node *node, unsigned *out_slot) {
  uint32_t number = node->done.owner_bits;
  if (MR_LIKELY(number < MR_NODE_INLINE_EDGES)) {
    *out_slot = number + 1;
    return &node->edges[number];
  }
  uint32_t in_block = (number - MR_NODE_INLINE_EDGES) % MORE_EDGES;
  more_edges *block = more_edges_of(node);
  if (in_block == 0) {
    block = mr_struct_alloc(sizeof(*block));
    if (!block) {
      return NULL;
    }
    block->under = node->executor;
    block->node = node;
    node->executor = (mr_executor *)((uintptr_t)block | 1);
  }
  *out_slot = MR_NODE_INLINE_EDGES + in_block + 1;
  return &block->edges[in_block];
}

// The place was not taken after all.
static void give_edge_back(mr_node *node) {
  uint32_t number = node->done.owner_bits;
  if (number >= MR_NODE_INLINE_EDGES && (number - MR_NODE_INLINE_EDGES) % MORE_EDGES == 0) {
    free_newest(node, more_edges_of(node));
  }
}

static void edge_reports(mr_node *node, mr_status status) {
  if (MR_UNLIKELY(status != MR_OK)) {
    poison(node, mr_status_retain(status));
  }
  // acquire: a count of one means that the node is submitted, all others have reported, and what they wrote is visible; pairs
  // with the release below. It saves the subtraction for the last one.
  if (atomic_load_explicit(&node->pending, memory_order_acquire) == 1 ||
      // acq_rel, pairs with itself: release hands on what this input wrote, acquire shows the last one everything.
      atomic_fetch_sub_explicit(&node->pending, 1, memory_order_acq_rel) == 1) {
    if (mr_trace_is_on()) {
      node->done.owner_bits = TRACED_FLOW;
      // The span of what has made it ready is recorded by now, when that was a node of this thread.
      mr_trace_flow_out((uintptr_t)node, current_span && !current_span->node);
    }
    free_more_edges(node);
    ready(node);
  }
}

#define RUN_INLINE_EDGE(number)                                          \
  static void run_edge_##number(mr_link *edge, mr_status status) {       \
    edge_reports(MR_CONTAINER_OF(edge, mr_node, edges[number]), status); \
  }
#define RUN_ONE_OF_MORE(number)                                                   \
  static void run_one_of_more_##number(mr_link *edge, mr_status status) {         \
    edge_reports(MR_CONTAINER_OF(edge, more_edges, edges[number])->node, status); \
  }
RUN_INLINE_EDGE(0)
RUN_INLINE_EDGE(1)
RUN_INLINE_EDGE(2)
RUN_INLINE_EDGE(3)
RUN_ONE_OF_MORE(0)
RUN_ONE_OF_MORE(1)

__attribute__((constructor)) static void introduce_edges(void) {
  static void (*const runs[MR_NODE_INLINE_EDGES + MORE_EDGES])(mr_link *edge, mr_status status) = {
      run_edge_0, run_edge_1, run_edge_2, run_edge_3, run_one_of_more_0, run_one_of_more_1};
  static_assert(MR_ARRAY_SIZE(runs) < MR_ARRAY_SIZE(mr_future_link_runs), "slots");
  memcpy(mr_future_link_runs + 1, runs, sizeof runs);
}

void mr_node_submit(mr_node *take_node) {
  mr_node *node = take_node;
  // Without edges nobody else knows the node. Otherwise acq_rel, pairs with edge_reports(): release publishes the node to
  // the edges that report later, acquire shows what the earlier ones brought.
  uint32_t share = BUILDING - node->done.owner_bits;
  if (node->done.owner_bits) {
    if (atomic_fetch_sub_explicit(&node->pending, share, memory_order_acq_rel) != share) {
      return;
    }
    free_more_edges(node);
  }
  if (node->cost_ns && node->cost_ns <= MR_NODE_INLINE_NS) {
    inside_submit++;
    if (node->type->ready) {
      node->type->ready(node);
    }
    execute(&node->task);
    inside_submit--;
  } else {
    ready(node);
  }
}

mr_status mr_node_after(mr_node *node, mr_future *future) {
  if (mr_future_is_set(future)) {
    mr_status status = mr_future_status(future);
    if (MR_UNLIKELY(status != MR_OK)) {
      poison(node, mr_status_retain(status));
    }
    return MR_OK;
  }
  unsigned slot;
  mr_link *edge = take_edge(node, &slot);
  if (!edge) {
    mr_status status = MR_NO_MEMORY();
    poison(node, mr_status_retain(status));
    return status;
  }
  if (mr_future_link_unless_set(future, edge, slot)) {
    node->done.owner_bits++;
    return MR_OK;
  }
  give_edge_back(node);
  mr_status status = mr_future_status(future);
  if (MR_UNLIKELY(status != MR_OK)) {
    poison(node, mr_status_retain(status));
  }
  return MR_OK;
}

// ---- Items and the inline executor --------------------------------------------------------------------------------

void mr_item_run(mr_item item) {
  if (item & 1) {
    mr_run_item(item);
  } else {
    mr_task *task = (mr_task *)item;
    task->run(task);
  }
}

void mr_item_cancel(mr_item item) {
  if (item & 1) {
    mr_run_cancel_item(item);
    return;
  }
  mr_task *task = (mr_task *)item;
  if (task->run == execute) {
    poison(MR_CONTAINER_OF(task, mr_node, task), mr_error(MR_CANCELLED, "the scheduler shut down"));
    task->run(task);
  } else if (!mr_run_cancel_task(task)) {
    task->run(task);
  }
}

static void inline_ready(mr_executor *executor, mr_task *task, int priority, bool follows) {
  (void)executor;
  (void)priority;
  (void)follows;
  task->run(task);
}

mr_executor mr_executor_inline = {.name = "inline", .ready = inline_ready};
