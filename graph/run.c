// One execution of a plan: a block with one cell per node, nothing allocated on the way.
//
// A thread that works on a run keeps the ready nodes it found on a stack of its own, linked through the cells, and runs the
// newest. What it has too much of it offers to the executor's other threads; what it may not keep (async nodes that
// finish on foreign threads) goes to the run's `handed_over` stack, which the run's one task empties.
//
// States of run_cell.pending:
//
//   waiting: inputs left --the last input--> ready: the cell below, 0 at the end --pop()--> started: nobody's
//             |      ^
//             +------+ another input
//
//   who                    operation                      order, and with what it pairs                            at once
//   input that ends        load of 1, or subtraction      acquire of what the other inputs wrote; release of what  other inputs
//                                                         this one did, for the last
//   input, as long as the  load, store of one less        relaxed: no other thread knows a cell of the run         nobody
//   run is one thread's
//   owner of a ready cell  load, store of the cell below  relaxed: the queue that it goes through publishes it     nobody
//
// States of mr_run.handed_over:
//
//   0 --hand_over(), which queues the task--> cells --hand_over()--> newer cells, over the older ones
//   ^-------------------------- run_task() -----------------------------+
//
//   who                  operation                  order, and with what it pairs                               at once
//   who finishes a node  swap, cells -> own, cells  acq_rel: release of the cells; acquire, where there were    everybody
//   elsewhere                                       none, of the task's last use
//   the task             exchange, cells -> 0       acq_rel: acquire of the cells; release, as the task may be  who hands over
//                                                   queued again from here on
//
// States of mr_run.error:
//
//   0 --first failure or cancellation--> status, until the run is over
//
//   who                     operation          order, and with what it pairs                 at once
//   who fails, who cancels  swap, 0 -> status  release (acq_rel) of the status               everybody
//   who begins a node, or   load               acquire, of that; who sees it skips the node  everybody
//   ends the run
//
// `remaining` counts unfinished nodes. A thread subtracts all it finished when it has nothing left, so the run outlives
// everybody who works on it.
#include <assert.h>
#include <string.h>

#include "core/census.h"
#include "core/trace.h"
#include "futures/pool.h"
#include "graph/internal.h"

struct mr_run {
  mr_task task;  // in the executor's queue while `handed_over` is not empty, and to start
  mr_plan *plan;
  mr_executor *executor;
  void *context;
  mr_future done;                 // counted: its references are the run's
  _Atomic(uintptr_t) error;       // an owned mr_status: the first error
  _Atomic(uint32_t) remaining;    // nodes that have not finished
  _Atomic(uint32_t) handed_over;  // a stack of cells, index + 1
  _Atomic(bool) shared;           // more than one thread may have cells; is_shared() says why relaxed is enough
  run_cell cells[];
};

static size_t run_size(const mr_plan *plan) { return sizeof(mr_run) + sizeof(run_cell) * plan->node_count; }

static mr_item item_of(run_cell *cell) { return (mr_item)cell | 1; }
static run_cell *cell_of(mr_item item) { return (run_cell *)(item & ~(mr_item)1); }
static mr_run *run_of(run_cell *cell) {
  return (mr_run *)(void *)((char *)(cell - cell->index) - offsetof(mr_run, cells));
}

// ---- Lifecycle ------------------------------------------------------------------------------------------------------

void mr_run_free(mr_run *run) {
  if (run) {
    mr_struct_free(run, run_size(run->plan));
  }
}

static void destroy(mr_future *done) {
  mr_run *run = MR_CONTAINER_OF(done, mr_run, done);
  mr_plan *plan = run->plan;
  // relaxed: the last reference is gone.
  mr_status_free((mr_status)atomic_load_explicit(&run->error, memory_order_relaxed));
  bool cached = false;
  for (size_t i = 0; i < MR_PLAN_CACHED_RUNS && !cached; i++) {
    mr_run *none = NULL;
    // release, pairs with the acquire in take_cached(): the next user sees this one's last writes done.
    cached = atomic_compare_exchange_strong_explicit(&plan->cached_runs[i], &none, run, memory_order_release,
                                                     memory_order_relaxed);
  }
  if (!cached) {
    mr_run_free(run);
  }
  mr_census_note(MR_CENSUS_runs, -1);
  mr_plan_release(plan);
}

static mr_run *take_cached(mr_plan *plan) {
  for (size_t i = 0; i < MR_PLAN_CACHED_RUNS; i++) {
    // relaxed: an empty place is passed over without writing to it.
    if (!atomic_load_explicit(&plan->cached_runs[i], memory_order_relaxed)) {
      continue;
    }
    // acquire, pairs with the release in destroy().
    mr_run *run = atomic_exchange_explicit(&plan->cached_runs[i], NULL, memory_order_acquire);
    if (run) {
      return run;
    }
  }
  return NULL;
}

mr_status mr_run_create(mr_plan *plan, mr_executor *executor, void *context, mr_run **out_run) {
  mr_run *run = take_cached(plan);
  if (!run) {
    run = mr_struct_alloc(run_size(plan));
  }
  *out_run = run;
  if (!run) {
    return MR_NO_MEMORY();
  }
  run->plan = mr_plan_retain(plan);
  run->executor = executor ? executor : &mr_executor_inline;
  run->context = context;
  mr_future_init_counted(&run->done, destroy);
  mr_census_note(MR_CENSUS_runs, 1);
  // relaxed: starting the run publishes all of this.
  atomic_store_explicit(&run->error, 0, memory_order_relaxed);
  atomic_store_explicit(&run->remaining, plan->node_count, memory_order_relaxed);
  atomic_store_explicit(&run->handed_over, 0, memory_order_relaxed);
  atomic_store_explicit(&run->shared, plan->has_async, memory_order_relaxed);
  memcpy(run->cells, plan->cells, sizeof(run_cell) * plan->node_count);
  return MR_OK;
}

void mr_run_release(mr_run *run) {
  if (run) {
    mr_future_release(&run->done);
  }
}
mr_future *mr_run_done(mr_run *run) { return &run->done; }
void *mr_run_context(const mr_run *run) { return run->context; }
const void *mr_run_argument(const mr_run *run, uint32_t node) { return mr_plan_node_of(run->plan, node)->argument; }

void mr_run_cancel(mr_run *run, mr_status take_status) {
  if (!take_status) {
    return;
  }
  uintptr_t none = 0;
  // acq_rel, pairs with the load in run_cell_now(): the status is written before it is seen.
  if (!atomic_compare_exchange_strong_explicit(&run->error, &none, (uintptr_t)take_status, memory_order_acq_rel,
                                               memory_order_relaxed)) {
    mr_status_free(take_status);
  }
}

// `count` nodes are through. The run may be gone afterwards.
static void count_finished(mr_run *run, uint32_t count) {
  // acq_rel, pairs with itself: whoever finishes the run has seen what all nodes wrote.
  if (!count || atomic_fetch_sub_explicit(&run->remaining, count, memory_order_acq_rel) != count) {
    return;
  }
  // acquire, pairs with mr_run_cancel() of a thread that is not one of the run's.
  mr_status error = (mr_status)atomic_load_explicit(&run->error, memory_order_acquire);
  mr_future_set(&run->done, mr_status_retain(error));
  mr_future_release(&run->done);
}

// ---- Working --------------------------------------------------------------------------------------------------------

// A thread's own ready cells.
typedef struct ready_stack {
  run_cell *top;
  uint32_t count;
} ready_stack;

// All accesses to a ready cell's link are relaxed: it has one owner, and queues publish it.
static void push(mr_run *run, ready_stack *stack, run_cell *cell) {
  uint32_t below = stack->top ? (uint32_t)(stack->top - run->cells) + 1 : 0;
  atomic_store_explicit(&cell->pending, below, memory_order_relaxed);
  stack->top = cell;
  stack->count++;
}

static run_cell *pop(mr_run *run, ready_stack *stack) {
  run_cell *cell = stack->top;
  if (!cell) {
    return NULL;
  }
  uint32_t below = atomic_load_explicit(&cell->pending, memory_order_relaxed);
  stack->top = below ? &run->cells[below - 1] : NULL;
  stack->count--;
  return cell;
}

// The stack that begins with this cell.
static ready_stack stack_of(mr_run *run, run_cell *top) {
  ready_stack stack = {top, 1};
  uint32_t below;
  for (run_cell *cell = top; (below = atomic_load_explicit(&cell->pending, memory_order_relaxed));) {
    cell = &run->cells[below - 1];
    stack.count++;
  }
  return stack;
}

static void run_task(mr_task *task);

// Gives a chain of ready cells, `first` to `last`, to the run's task.
static void hand_over(mr_run *run, run_cell *first, run_cell *last) {
  uint32_t head = atomic_load_explicit(&run->handed_over, memory_order_relaxed);  // relaxed: a guess for the swap
  do {
    atomic_store_explicit(&last->pending, head, memory_order_relaxed);
    // acq_rel, pairs with the exchange in run_task(): release publishes the cells and what made them ready. When the stack
    // was empty, acquire orders our use of the task after the one that emptied it.
  } while (!atomic_compare_exchange_weak_explicit(&run->handed_over, &head, (uint32_t)(first - run->cells) + 1,
                                                  memory_order_acq_rel, memory_order_relaxed));
  if (head) {
    return;  // the task is on its way already
  }
  run->task.run = run_task;
  run->executor->ready(run->executor, &run->task, 0, false);
}

const char mr_run_later;

void mr_run_expect_others(mr_run *run) {
  // relaxed: whoever finishes the node learns of it through something that this thread does afterwards.
  if (!atomic_load_explicit(&run->shared, memory_order_relaxed)) {
    atomic_store_explicit(&run->shared, true, memory_order_relaxed);
  }
}

// relaxed: whoever else works on the run got its cells through a queue, after this was stored.
static bool is_shared(const mr_run *run) { return atomic_load_explicit(&run->shared, memory_order_relaxed); }

static bool traces_nodes(const mr_plan *plan) { return !plan->is_brief && mr_trace_is_on(); }

// As finish_cell() while this thread is the only one that knows any of the run's cells: plain counting, which takes a third
// of the time.
static void finish_cell_alone(mr_run *run, const uint32_t *begin, const uint32_t *successor, ready_stack *stack) {
  while (successor != begin) {
    run_cell *cell = &run->cells[*--successor];
    uint32_t pending = atomic_load_explicit(&cell->pending, memory_order_relaxed);  // relaxed: see above
    if (pending != 1) {
      atomic_store_explicit(&cell->pending, pending - 1, memory_order_relaxed);
      continue;
    }
    push(run, stack, cell);
    if (traces_nodes(run->plan)) {
      mr_trace_flow_out((uintptr_t)cell, true);
    }
  }
}

// The node is finished: its successors count down, those that are ready go to `stack`, the first on top: program order, which
// memory likes (a wavefront of a million nodes takes half the time).
static void finish_cell(mr_run *run, const mr_plan *plan, uint32_t index, ready_stack *stack) {
  const uint32_t *begin = plan->successors + plan->successor_offsets[index];
  const uint32_t *successor = plan->successors + plan->successor_offsets[index + 1];
  if (!is_shared(run)) {
    finish_cell_alone(run, begin, successor, stack);
    return;
  }
  while (successor != begin) {
    run_cell *cell = &run->cells[*--successor];
    // acquire: one left means that all other inputs have counted down, and what they wrote is visible; pairs with the
    // release half of the subtraction, which is saved for the last input.
    if (atomic_load_explicit(&cell->pending, memory_order_acquire) == 1 ||
        atomic_fetch_sub_explicit(&cell->pending, 1, memory_order_acq_rel) == 1) {
      push(run, stack, cell);
      if (traces_nodes(plan)) {
        mr_trace_flow_out((uintptr_t)cell, true);
      }
    }
  }
}

static mr_status run_traced(mr_run *run, const mr_plan *plan, uint32_t index) {
  const mr_plan_node *node = mr_plan_node_of(plan, index);
  // A copy, as in node.c: a node that is finished elsewhere may be gone at the end, with run, plan and name.
  char copy[MR_TRACE_NAME + 1];
  const char *name = mr_trace_copy_name(copy, node->name);
  const mr_trace_about about = {.kind = node->kind, .cost_ns = node->cost_ns};
  // relaxed: the plan's cells never change.
  bool has_inputs = atomic_load_explicit(&plan->cells[index].pending, memory_order_relaxed) != 0;
  uint64_t flow = has_inputs ? (uintptr_t)&run->cells[index] : 0, start = mr_trace_now();
  mr_status status = node->run(run, index);
  mr_trace_node(MR_TRACE_NODE, name, about, start, flow);
  return status;
}

// Runs the node unless the run has failed. True: it is finished; false: mr_run_node_finish() will be called.
static bool run_cell_now(mr_run *run, const mr_plan *plan, uint32_t index) {
  // acquire, pairs with mr_run_cancel().
  if (MR_UNLIKELY(atomic_load_explicit(&run->error, memory_order_acquire) != 0)) {
    return true;
  }
  const mr_plan_node *node = mr_plan_node_of(plan, index);
  bool async = node->async;
  mr_status status = traces_nodes(plan) ? run_traced(run, plan, index) : node->run(run, index);
  if (MR_LIKELY(!status)) {
    return !async;
  }
  if (status == MR_RUN_LATER) {
    return false;
  }
  mr_run_cancel(run, status);
  return true;
}

// Offers the `count` newest cells as one item. False: nobody takes it.
static bool offer_piece(mr_run *run, ready_stack *stack, uint32_t count) {
  // relaxed: see is_shared().
  if (!is_shared(run)) {
    atomic_store_explicit(&run->shared, true, memory_order_relaxed);
  }
  ready_stack before = *stack;
  run_cell *last = NULL;
  for (uint32_t i = 0; i < count; i++) {
    last = pop(run, stack);
  }
  uint32_t below = atomic_load_explicit(&last->pending, memory_order_relaxed);  // relaxed: ours
  atomic_store_explicit(&last->pending, 0, memory_order_relaxed);
  if (run->executor->offer(run->executor, item_of(before.top))) {
    return true;
  }
  atomic_store_explicit(&last->pending, below, memory_order_relaxed);
  *stack = before;
  return false;
}

// Lets other threads have what this one does not get to soon. `kept_ns` is what it has run since it last gave something.
static void share(mr_run *run, const mr_plan *plan, ready_stack *stack, const run_cell *next, uint64_t *kept_ns) {
  mr_executor *executor = run->executor;
  if (!executor->offer) {
    return;
  }
  uint32_t cost_ns = mr_plan_node_of(plan, next->index)->cost_ns;
  *kept_ns += cost_ns;
  bool long_wait = cost_ns == 0 || cost_ns > MR_RUN_PRIVATE_NS;
  // relaxed: a hint; when it comes late, the next node's look finds it.
  bool wanted = atomic_load_explicit(executor->hungry, memory_order_relaxed) != 0;
  if (!long_wait && !wanted && *kept_ns < MR_RUN_SHARE_NS) {
    return;
  }
  *kept_ns = 0;
  // Long nodes one by one, short ones in pieces of some microseconds: up to a quarter of what there is.
  uint32_t piece = long_wait ? 1 : MR_MIN(stack->count / 4 + 1, MR_RUN_PIECE_NS / cost_ns);
  do {
    if (!offer_piece(run, stack, piece)) {
      return;
    }
  } while (long_wait && stack->top);
}

// Works on `stack` and what becomes ready through it until nothing is left on this thread.
static void work(mr_run *run, ready_stack *stack) {
  const mr_plan *plan = run->plan;
  uint32_t finished = 0;
  uint64_t kept_ns = 0, start = plan->is_brief ? mr_trace_begin() : 0;
  run_cell *cell;
  while ((cell = pop(run, stack))) {
    if (stack->top) {
      share(run, plan, stack, cell, &kept_ns);
    }
    uint32_t index = cell->index;
    if (!run_cell_now(run, plan, index)) {
      continue;
    }
    finished++;
    finish_cell(run, plan, index, stack);
  }
  // Where all nodes are finished elsewhere, run and plan may be gone already.
  if (MR_UNLIKELY(start != 0) && finished) {
    const mr_plan_node *any = mr_plan_node_of(plan, 0);
    const mr_trace_about about = {.kind = any->kind, .cost_ns = any->cost_ns, .count = finished};
    mr_trace_node(MR_TRACE_NODE, any->name, about, start, 0);
  }
  count_finished(run, finished);
}

void mr_run_item(mr_item item) {
  run_cell *cell = cell_of(item);
  mr_run *run = run_of(cell);
  ready_stack stack = stack_of(run, cell);
  work(run, &stack);
}

// Everything that was handed over.
static void run_task(mr_task *task) {
  mr_run *run = MR_CONTAINER_OF(task, mr_run, task);
  // acq_rel, pairs with hand_over(): acquire for the cells, release because from here on the task may be queued again.
  uint32_t head = atomic_exchange_explicit(&run->handed_over, 0, memory_order_acq_rel);
  assert(head);
  ready_stack stack = stack_of(run, &run->cells[head - 1]);
  work(run, &stack);
}

// ---- Starting -------------------------------------------------------------------------------------------------------

static void start_task(mr_task *task) {
  mr_run *run = MR_CONTAINER_OF(task, mr_run, task);
  const mr_plan *plan = run->plan;
  ready_stack stack = {NULL, 0};
  for (uint32_t i = plan->root_count; i-- > 0;) {
    push(run, &stack, &run->cells[plan->roots[i]]);
  }
  work(run, &stack);
}

// The run's own reference, and the case of nothing to do. False: it is over.
static bool begin(mr_run *run) {
  mr_future_retain(&run->done);
  if (run->plan->node_count) {
    return true;
  }
  // relaxed: nobody works on it.
  atomic_store_explicit(&run->remaining, 1, memory_order_relaxed);
  count_finished(run, 1);
  return false;
}

void mr_run_start_here(mr_run *run) {
  if (begin(run)) {
    start_task(&run->task);
  }
}

void mr_run_start(mr_run *run) {
  if (!begin(run)) {
    return;
  }
  if (run->plan->cost_ns && run->plan->cost_ns <= MR_NODE_INLINE_NS) {
    start_task(&run->task);
    return;
  }
  run->task.run = start_task;
  run->executor->ready(run->executor, &run->task, 0, false);
}

void mr_run_node_finish(mr_run *run, uint32_t node, mr_status take_status) {
  mr_run_cancel(run, take_status);
  ready_stack stack = {NULL, 0};
  finish_cell(run, run->plan, node, &stack);
  if (stack.top) {
    run_cell *last = stack.top;
    uint32_t below;
    // relaxed: the cells are this thread's.
    while ((below = atomic_load_explicit(&last->pending, memory_order_relaxed))) {
      last = &run->cells[below - 1];
    }
    hand_over(run, stack.top, last);
  }
  count_finished(run, 1);
}

void mr_run_cancel_item(mr_item item) {
  mr_run_cancel(run_of(cell_of(item)), mr_error(MR_CANCELLED, "the scheduler shut down"));
  mr_run_item(item);
}

bool mr_run_cancel_task(mr_task *task) {
  if (task->run != run_task && task->run != start_task) {
    return false;
  }
  mr_run_cancel(MR_CONTAINER_OF(task, mr_run, task), mr_error(MR_CANCELLED, "the scheduler shut down"));
  task->run(task);
  return true;
}
