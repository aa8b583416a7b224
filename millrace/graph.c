// Frozen graphs of the program's own nodes: a plan of graph/graph.h, and what each run of it has besides.
//
// A run's event is a future of its own and not the plan's: when it is set, everything that the run held is released.
#include <assert.h>
#include <string.h>

#include "compiler/compiler.h"
#include "futures/pool.h"
#include "millrace/internal.h"
#include "scheduler/loop.h"

// ---- What there is ----------------------------------------------------------------------------------------------------

typedef enum node_kind { NODE_OWN, NODE_DELAY, NODE_EXECUTE } node_kind;

typedef struct execution {
  millrace_program *program;  // retained
  millrace_device *device;    // its platform is retained
  uint32_t num_arguments, num_results;
  uint32_t slots[];  // of the arguments, then of the results
} execution;

typedef struct node {
  node_kind kind;
  const millrace_graph_work *work;  // NODE_OWN
  void *argument;
  uint64_t delay_ns;
  execution *execution;  // owned
  uint32_t wait;         // which of a run's waits is its; NO_WAIT for nodes without an event
} node;
enum { NO_WAIT = UINT32_MAX };

typedef struct edge {
  uint32_t node, input;
} edge;

struct millrace_graph {
  mr_ref ref;  // the owner's and one for each run
  millrace_engine *engine;
  node *nodes;
  edge *edges;
  uint32_t num_nodes, node_capacity, num_edges, edge_capacity, num_slots, num_waits;
  mr_plan *plan;  // NULL before the graph is frozen
  size_t run_size;
  mr_admission runs;  // that are under way
};

struct millrace_step {
  uint32_t node;  // steps of a run lie in one array, so a step knows its run
};

typedef struct graph_run {
  mr_future done;  // counted: its references are the run's
  mr_waiter over;
  millrace_graph *graph;
  mr_run *run;  // owned
  void *context;
  _Atomic(bool) failed;
  millrace_buffer **buffers;  // by slot; may be NULL
  // What nodes wait for, by node.wait; internal.h has its states.
  _Atomic(mr_future *) *waits;
  millrace_step steps[];
} graph_run;

static graph_run *run_of(const millrace_step *step) {
  return (graph_run *)(void *)((char *)(uintptr_t)(step - step->node) - offsetof(graph_run, steps));
}

static size_t offset_of_buffers(const millrace_graph *graph) {
  size_t end = sizeof(graph_run) + graph->num_nodes * sizeof(millrace_step);
  return (end + _Alignof(void *) - 1) & ~(_Alignof(void *) - 1);
}

// ---- Building ---------------------------------------------------------------------------------------------------------

millrace_error *millrace_graph_create(millrace_engine *engine, millrace_graph **out_graph) {
  millrace_graph *graph = *out_graph = mr_alloc_zeroed(1, sizeof *graph);
  if (!graph) {
    return MR_NO_MEMORY();
  }
  mr_ref_init(&graph->ref);
  mr_ref_retain(&engine->ref);
  graph->engine = engine;
  mr_admission_init(&graph->runs, MR_ADMISSION_ANY, MR_ADMISSION_ANY);
  return MR_OK;
}

static void execution_free(execution *x) {
  if (x) {
    mr_executable_release(x->program);
    mr_platform_leave(x->device->platform);
    mr_free(x);
  }
}

void millrace_graph_release(millrace_graph *graph) {
  if (!graph || !mr_ref_release(&graph->ref)) {
    return;
  }
  for (uint32_t i = 0; i < graph->num_nodes; i++) {
    execution_free(graph->nodes[i].execution);
  }
  mr_plan_release(graph->plan);
  mr_admission_deinit(&graph->runs);
  mr_free(graph->nodes);
  mr_free(graph->edges);
  mr_engine_unref(graph->engine);
  mr_free(graph);
}

// Room for `count` entries and one more: the array, which may lie elsewhere now; NULL without memory.
static void *grow(void *array, uint32_t *capacity, size_t count, size_t size) {
  if (array && count < *capacity) {
    return array;
  }
  size_t wanted = MR_MAX((size_t)*capacity * 2, MR_MAX(count + 1, (size_t)16));
  void *larger = wanted < UINT32_MAX ? mr_realloc(array, wanted * size) : NULL;
  *capacity = larger ? (uint32_t)wanted : *capacity;
  return larger;
}

static mr_status reserve_edges(millrace_graph *graph, size_t more) {
  edge *edges = grow(graph->edges, &graph->edge_capacity, graph->num_edges + more, sizeof *edges);
  graph->edges = edges ? edges : graph->edges;
  return edges ? MR_OK : MR_NO_MEMORY();
}

static mr_status check_open(const millrace_graph *graph) {
  return graph->plan ? mr_error(MR_FAILED_PRECONDITION, "the graph is frozen already") : MR_OK;
}

static mr_status check_input(const millrace_graph *graph, uint32_t input) {
  if (input < graph->num_nodes) {
    return MR_OK;
  }
  return mr_error(MR_INVALID_ARGUMENT, "node %u as an input, the graph has %u nodes", input, graph->num_nodes);
}

static mr_status add_node(millrace_graph *graph, const node *content, const uint32_t *inputs, size_t num_inputs,
                          uint32_t *out_node) {
  for (size_t i = 0; i < num_inputs; i++) {
    MR_TRY(check_input(graph, inputs[i]));
  }
  MR_TRY(reserve_edges(graph, num_inputs));
  node *nodes = grow(graph->nodes, &graph->node_capacity, graph->num_nodes, sizeof *nodes);
  if (!nodes) {
    return MR_NO_MEMORY();
  }
  graph->nodes = nodes;
  uint32_t number = graph->num_nodes++;
  graph->nodes[number] = *content;
  bool waits = content->kind != NODE_OWN || content->work->event;
  graph->nodes[number].wait = waits ? graph->num_waits++ : NO_WAIT;
  for (size_t i = 0; i < num_inputs; i++) {
    graph->edges[graph->num_edges++] = (edge){number, inputs[i]};
  }
  if (out_node) {
    *out_node = number;
  }
  return MR_OK;
}

millrace_error *millrace_graph_node(millrace_graph *graph, const millrace_graph_work *work, void *argument,
                                    const uint32_t *inputs, size_t num_inputs, uint32_t *out_node) {
  MR_TRY(check_open(graph));
  int functions = (work->run != NULL) + (work->start != NULL) + (work->event != NULL);
  if (functions != 1) {
    return mr_error(MR_INVALID_ARGUMENT, "the work %s has %d functions, wanted one of run, start and event",
                    work->name ? work->name : "without a name", functions);
  }
  return add_node(graph, &(node){.kind = NODE_OWN, .work = work, .argument = argument}, inputs, num_inputs, out_node);
}

millrace_error *millrace_graph_delay(millrace_graph *graph, uint64_t delay_ns, const uint32_t *inputs,
                                     size_t num_inputs, uint32_t *out_node) {
  MR_TRY(check_open(graph));
  return add_node(graph, &(node){.kind = NODE_DELAY, .delay_ns = delay_ns}, inputs, num_inputs, out_node);
}

millrace_error *millrace_graph_slot(millrace_graph *graph, uint32_t *out_slot) {
  MR_TRY(check_open(graph));
  *out_slot = graph->num_slots++;
  return MR_OK;
}

static mr_status check_slots(const millrace_graph *graph, const uint32_t *slots, size_t count, size_t wanted,
                             const char *what) {
  if (count != wanted) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu %s for a program that has %zu", count, what, wanted);
  }
  for (size_t i = 0; i < count; i++) {
    if (slots[i] >= graph->num_slots) {
      return mr_error(MR_INVALID_ARGUMENT, "slot %u, the graph has %u slots", slots[i], graph->num_slots);
    }
  }
  return MR_OK;
}

millrace_error *millrace_graph_execute(millrace_graph *graph, millrace_program *program, millrace_device *device,
                                       const uint32_t *argument_slots, size_t num_arguments,
                                       const uint32_t *result_slots, size_t num_results, const uint32_t *inputs,
                                       size_t num_inputs, uint32_t *out_node) {
  MR_TRY(check_open(graph));
  MR_TRY(check_slots(graph, argument_slots, num_arguments, mr_executable_param_count(program), "arguments"));
  MR_TRY(check_slots(graph, result_slots, num_results, mr_executable_result_count(program), "results"));
  execution *x = mr_alloc(sizeof *x + (num_arguments + num_results) * sizeof *x->slots);
  if (!x) {
    return MR_NO_MEMORY();
  }
  *x = (execution){.program = mr_executable_retain(program),
                   .device = device,
                   .num_arguments = (uint32_t)num_arguments,
                   .num_results = (uint32_t)num_results};
  mr_platform_enter(device->platform);
  for (size_t i = 0; i < num_arguments; i++) {
    x->slots[i] = argument_slots[i];
  }
  for (size_t i = 0; i < num_results; i++) {
    x->slots[num_arguments + i] = result_slots[i];
  }
  mr_status status = add_node(graph, &(node){.kind = NODE_EXECUTE, .execution = x}, inputs, num_inputs, out_node);
  if (status) {
    execution_free(x);
  }
  return status;
}

millrace_error *millrace_graph_after(millrace_graph *graph, uint32_t number, uint32_t input) {
  MR_TRY(check_open(graph));
  MR_TRY(check_input(graph, number));
  MR_TRY(check_input(graph, input));
  MR_TRY(reserve_edges(graph, 1));
  graph->edges[graph->num_edges++] = (edge){number, input};
  return MR_OK;
}

// ---- Running ----------------------------------------------------------------------------------------------------------

static mr_status enter(millrace_engine *engine) { return mr_engine_begin(engine) ? MR_OK : mr_engine_closed(); }

static void release_wait(mr_future *future) {
  if (future) {
    mr_future_release(future);
  }
}

// Delays need not be waited for any more.
static void end_delays(graph_run *run) {
  const millrace_graph *graph = run->graph;
  // seq_cst, against wait_for(): it puts its timer in, then looks at `failed`; we store that, then look for timers.
  atomic_store_explicit(&run->failed, true, memory_order_seq_cst);
  for (uint32_t i = 0; i < graph->num_nodes && graph->num_waits; i++) {
    if (graph->nodes[i].kind != NODE_DELAY) {
      continue;
    }
    mr_future *timer = atomic_exchange_explicit(&run->waits[graph->nodes[i].wait], NULL, memory_order_seq_cst);
    if (timer) {
      mr_reactor_cancel(timer);
      mr_future_release(timer);
    }
  }
}

// The run may be gone afterwards, unless the caller has a reference.
static void finish(graph_run *run, uint32_t number, mr_status take_status) {
  if (take_status) {
    mr_run_cancel(run->run, mr_status_retain(take_status));  // before delays end with an error of their own
    end_delays(run);
  }
  mr_run_node_finish(run->run, number, take_status);
}

static void wait_over(void *context, mr_status status) {
  millrace_step *step = context;
  graph_run *run = run_of(step);
  const node *n = &run->graph->nodes[step->node];
  // acquire, pairs with wait_for(): the event is this thread's to release.
  release_wait(atomic_exchange_explicit(&run->waits[n->wait], NULL, memory_order_acquire));
  finish(run, step->node, mr_status_retain(status));
}

// The node ends with the event. A failure is not yet the run's.
static mr_status wait_for(graph_run *run, uint32_t number, mr_future *take_event) {
  const node *n = &run->graph->nodes[number];
  if (!take_event) {
    finish(run, number, MR_OK);
    return MR_OK;
  }
  _Atomic(mr_future *) *wait = &run->waits[n->wait];
  // seq_cst on both, in this order, against end_delays().
  atomic_store_explicit(wait, mr_future_retain(take_event), memory_order_seq_cst);
  if (n->kind == NODE_DELAY && atomic_load_explicit(&run->failed, memory_order_seq_cst)) {
    mr_future *mine = atomic_exchange_explicit(wait, NULL, memory_order_seq_cst);
    if (mine) {
      mr_reactor_cancel(mine);
      mr_future_release(mine);
    }
  }
  mr_status status = mr_future_on_ready(take_event, wait_over, &run->steps[number]);  // the run may be gone
  if (status) {
    // acquire: as in wait_over(), which will not be called.
    release_wait(atomic_exchange_explicit(wait, NULL, memory_order_acquire));
  }
  mr_future_release(take_event);
  return status;
}

static void put_buffer(graph_run *run, uint32_t slot, mr_buffer *take_buffer) {
  mr_buffer_release(run->buffers[slot]);
  run->buffers[slot] = take_buffer;
}

static mr_status execute(graph_run *run, const execution *x, mr_buffer **arguments, mr_buffer **results,
                         mr_future **out_done) {
  for (uint32_t i = 0; i < x->num_arguments; i++) {
    arguments[i] = run->buffers[x->slots[i]];
    if (!arguments[i]) {
      return mr_error(MR_FAILED_PRECONDITION, "slot %u, argument %u of %.*s, is empty", x->slots[i], i,
                      MR_STR_ARG(mr_executable_name(x->program)));
    }
  }
  MR_TRY(mr_execute(x->program, x->device, NULL, arguments, x->num_arguments, results, out_done));
  for (uint32_t i = 0; i < x->num_results; i++) {
    put_buffer(run, x->slots[x->num_arguments + i], results[i]);
  }
  return MR_OK;
}

static mr_status begin_execution(graph_run *run, const execution *x, mr_future **out_done) {
  enum { ON_STACK = 64 };
  mr_buffer *small[ON_STACK];
  size_t count = (size_t)x->num_arguments + x->num_results;
  mr_buffer **all = count <= ON_STACK ? small : mr_alloc(count * sizeof(mr_buffer *));
  *out_done = NULL;
  if (!all) {
    return MR_NO_MEMORY();
  }
  mr_status status = execute(run, x, all, all + x->num_arguments, out_done);
  if (all != small) {
    mr_free(all);
  }
  return status;
}

// The event that a node waits for.
static mr_status make_event(graph_run *run, uint32_t number, mr_future **out_event) {
  const node *n = &run->graph->nodes[number];
  *out_event = NULL;
  switch (n->kind) {
  case NODE_OWN: return n->work->event(&run->steps[number], n->argument, out_event);
  case NODE_DELAY: return millrace_timer_create(n->delay_ns, out_event);
  case NODE_EXECUTE: return begin_execution(run, n->execution, out_event);
  }
  return MR_OK;
}

static mr_status run_waiting(mr_run *plan_run, uint32_t number) {
  graph_run *run = mr_run_context(plan_run);
  millrace_engine *engine = run->graph->engine;
  mr_future *event;
  mr_status status = enter(engine);
  if (!status) {
    status = make_event(run, number, &event);
    mr_engine_end(engine);
  }
  status = status ? status : wait_for(run, number, event);
  if (status) {
    finish(run, number, status);
  }
  return MR_OK;
}

static mr_status run_own(mr_run *plan_run, uint32_t number) {
  graph_run *run = mr_run_context(plan_run);
  const node *n = &run->graph->nodes[number];
  millrace_engine *engine = run->graph->engine;
  MR_TRY(enter(engine));
  mr_status status = n->work->run(&run->steps[number], n->argument);
  mr_engine_end(engine);
  if (MR_UNLIKELY(status != NULL)) {
    mr_run_cancel(plan_run, mr_status_retain(status));
    end_delays(run);
  }
  return status;
}

static mr_status run_started(mr_run *plan_run, uint32_t number) {
  graph_run *run = mr_run_context(plan_run);
  const node *n = &run->graph->nodes[number];
  mr_status status = enter(run->graph->engine);
  if (status) {
    finish(run, number, status);
  } else {
    n->work->start(&run->steps[number], n->argument);  // the run may be gone
  }
  return MR_OK;
}

// ---- Freezing ---------------------------------------------------------------------------------------------------------

static mr_plan_node plan_node_of(const node *n) {
  mr_str name;
  switch (n->kind) {
  case NODE_DELAY: return (mr_plan_node){.run = run_waiting, .name = "delay", .kind = MR_NODE_CUSTOM, .async = true};
  case NODE_EXECUTE:
    name = mr_executable_name(n->execution->program);
    return (mr_plan_node){
        .run = run_waiting, .name = name.size ? name.data : "execute", .kind = MR_NODE_EXECUTE, .async = true};
  case NODE_OWN: break;
  }
  return (mr_plan_node){.run = n->work->run ? run_own : (n->work->start ? run_started : run_waiting),
                        .name = n->work->name,
                        .cost_ns = n->work->cost_ns,
                        .kind = MR_NODE_CUSTOM,
                        .async = !n->work->run};
}

// Inputs by node: offsets has an entry more than there are nodes.
static void sort_edges(const millrace_graph *graph, uint32_t *offsets, uint32_t *inputs) {
  for (uint32_t e = 0; e < graph->num_edges; e++) {
    offsets[graph->edges[e].node + 1]++;
  }
  for (uint32_t i = 0; i < graph->num_nodes; i++) {
    offsets[i + 1] += offsets[i];
  }
  for (uint32_t e = graph->num_edges; e-- > 0;) {
    inputs[--offsets[graph->edges[e].node + 1]] = graph->edges[e].input;
  }
  // Entry i + 1 is where node i's inputs begin.
  for (uint32_t i = 0; i < graph->num_nodes; i++) {
    offsets[i] = offsets[i + 1];
  }
  offsets[graph->num_nodes] = graph->num_edges;
}

millrace_error *millrace_graph_freeze(millrace_graph *graph) {
  MR_TRY(check_open(graph));
  uint32_t n = graph->num_nodes;
  mr_plan_node *nodes = mr_alloc_zeroed((size_t)n + 1, sizeof *nodes);
  uint32_t *offsets = mr_alloc_zeroed((size_t)n + 1 + graph->num_edges, sizeof *offsets);
  mr_status status = nodes && offsets ? MR_OK : MR_NO_MEMORY();
  if (!status) {
    for (uint32_t i = 0; i < n; i++) {
      nodes[i] = plan_node_of(&graph->nodes[i]);
    }
    sort_edges(graph, offsets, offsets + n + 1);
    status = mr_plan_create(nodes, n, offsets, offsets + n + 1, &graph->plan);
  }
  mr_free(nodes);
  mr_free(offsets);
  graph->run_size = offset_of_buffers(graph) + ((size_t)graph->num_slots + graph->num_waits) * sizeof(void *);
  return status;
}

// ---- A run's life -----------------------------------------------------------------------------------------------------

static void run_destroy(mr_future *done) {
  graph_run *run = MR_CONTAINER_OF(done, graph_run, done);
  millrace_graph *graph = run->graph;
  mr_run_release(run->run);
  mr_struct_free(run, graph->run_size);
  millrace_graph_release(graph);
}

static void run_over(mr_waiter *waiter, mr_status status) {
  graph_run *run = MR_CONTAINER_OF(waiter, graph_run, over);
  for (uint32_t i = 0; i < run->graph->num_slots; i++) {
    mr_buffer_release(run->buffers[i]);
  }
  mr_admission_leave(&run->graph->runs);
  mr_future_set(&run->done, mr_status_retain(status));
  mr_future_release(&run->done);
}

static mr_status run_create(millrace_graph *graph, void *context, graph_run **out_run) {
  graph_run *run = *out_run = mr_struct_alloc(graph->run_size);
  if (!run) {
    return MR_NO_MEMORY();
  }
  mr_status status = mr_run_create(graph->plan, mr_group_executor(graph->engine->group), run, &run->run);
  if (status) {
    mr_struct_free(run, graph->run_size);
    return status;
  }
  mr_ref_retain(&graph->ref);
  mr_admission_enter(&graph->runs);
  run->graph = graph;
  run->context = context;
  run->over.run = run_over;
  atomic_init(&run->failed, false);
  mr_future_init_counted(&run->done, run_destroy);
  for (uint32_t i = 0; i < graph->num_nodes; i++) {
    run->steps[i].node = i;
  }
  run->buffers = (mr_buffer **)(void *)((char *)run + offset_of_buffers(graph));
  run->waits = (_Atomic(mr_future *) *)(void *)(run->buffers + graph->num_slots);
  memset(run->buffers, 0, graph->num_slots * sizeof(mr_buffer *));
  for (uint32_t i = 0; i < graph->num_waits; i++) {
    atomic_init(&run->waits[i], NULL);
  }
  return MR_OK;
}

millrace_error *millrace_graph_run(millrace_graph *graph, void *context, millrace_buffer *const *buffers,
                                   size_t num_buffers, millrace_event **out_event) {
  if (out_event) {
    *out_event = NULL;
  }
  if (!graph->plan) {
    return mr_error(MR_FAILED_PRECONDITION, "the graph is not frozen");
  }
  if (num_buffers > graph->num_slots) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu buffers for a graph of %u slots", num_buffers, graph->num_slots);
  }
  graph_run *run;
  MR_TRY(mr_admission_wait_for_room(&graph->runs, graph->engine->scheduler));
  MR_TRY(run_create(graph, context, &run));
  for (size_t i = 0; i < num_buffers; i++) {
    run->buffers[i] = buffers[i] ? mr_buffer_retain(buffers[i]) : NULL;
  }
  if (out_event) {
    *out_event = mr_future_retain(&run->done);
  }
  mr_future_then(mr_run_done(run->run), &run->over);
  mr_run_start(run->run);  // our struct may be gone
  return MR_OK;
}

void millrace_graph_limit(millrace_graph *graph, uint32_t runs) {
  graph->runs.max_calls = runs ? runs : MR_ADMISSION_ANY;
}

millrace_error *millrace_graph_room(millrace_graph *graph, millrace_event **out_event) {
  return mr_admission_room(&graph->runs, out_event);
}

void millrace_graph_cancel(millrace_event *event, millrace_error *take_error) {
  if (!event || !take_error) {
    mr_status_free(take_error);
    return;
  }
  assert(event->destroy == run_destroy);  // an event of millrace_graph_run()
  graph_run *run = MR_CONTAINER_OF(event, graph_run, done);
  mr_run_cancel(run->run, take_error);
  end_delays(run);
}

// ---- For nodes --------------------------------------------------------------------------------------------------------

void *millrace_step_context(const millrace_step *step) { return run_of(step)->context; }

bool millrace_step_is_cancelled(const millrace_step *step) {
  // relaxed: a hint; nothing is read because of it.
  return atomic_load_explicit(&run_of(step)->failed, memory_order_relaxed);
}

void millrace_step_finish(millrace_step *step, millrace_error *take_error) {
  graph_run *run = run_of(step);
  mr_engine_end(run->graph->engine);
  finish(run, step->node, take_error);
}

millrace_buffer *millrace_step_buffer(const millrace_step *step, uint32_t slot) {
  const graph_run *run = run_of(step);
  return slot < run->graph->num_slots ? run->buffers[slot] : NULL;
}

millrace_buffer *millrace_step_take(millrace_step *step, uint32_t slot) {
  graph_run *run = run_of(step);
  millrace_buffer *buffer = millrace_step_buffer(step, slot);
  if (buffer) {
    run->buffers[slot] = NULL;
  }
  return buffer;
}

millrace_error *millrace_step_put(millrace_step *step, uint32_t slot, millrace_buffer *take_buffer) {
  graph_run *run = run_of(step);
  if (slot < run->graph->num_slots) {
    put_buffer(run, slot, take_buffer);
    return MR_OK;
  }
  mr_buffer_release(take_buffer);
  return mr_error(MR_INVALID_ARGUMENT, "slot %u, the graph has %u slots", slot, run->graph->num_slots);
}
