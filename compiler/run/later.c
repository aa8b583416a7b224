// An execution as a node: after each argument that is not there yet, and not on the thread that calls.
//
// States of execution.stoppable:
//
//   0: nothing can be stopped
//   context --a thread cancels--> context + IS_LOOKED_AT --it has a reference--> context --the execution lets go of it--> 0
//
//   who             operation                       order, and with what it pairs                        at once
//   maker           init, 0 or context              before the node is submitted                         nobody
//   who cancels     sets IS_LOOKED_AT               acquire: the context is there while the bit is set   everybody
//   who cancels     clears it                       release of the reference it has taken                who ends it waits
//   who ends it     swap, context -> 0, when        acq_rel: who looks has its reference before the      who cancels
//                   nobody looks                    execution's goes
#include <string.h>

#include "compiler/run/context.h"
#include "compiler/run/run.h"
#include "futures/park.h"

// A result that is announced when the strands that touch it are over.
typedef struct early_result {
  mr_future *ready;           // owned; NULL: it has been announced, or is with the others
  _Atomic(uint32_t) strands;  // to be over before
  mr_task telling;
  mr_future *told;  // owned by that task, with
  mr_node *node;    // the execution's
} early_result;

typedef struct execution {
  launch_state state;
  mr_hold **outputs;  // per result; NULL: it has been announced
  // Owned; the results', where somebody may hear of them before the end, or of its having been stopped; NULL: the node's.
  mr_future *ready;
  run_limit *limit;           // owned, while the execution is not over; NULL: nothing ends it early
  early_result *early;        // per result
  uint32_t num_early;         // of results in `early`: all or none
  _Atomic(uint32_t) strands;  // of the main sequence, that are not over; counted where there are early results
  // The context while the execution has it and it is one that can be stopped, and IS_LOOKED_AT while a thread takes a reference.
  _Atomic(uintptr_t) stoppable;
  rows_run *rows;  // as the state's, for whoever cancels the node: retained as long as the node is there
} execution;

static const uintptr_t IS_LOOKED_AT = 1;

// Whoever stops the execution from here on finds nothing.
static void cannot_be_stopped(execution *x) {
  uintptr_t word = (uintptr_t)x->state.context;
  // relaxed: set before the node was submitted.
  if (!atomic_load_explicit(&x->stoppable, memory_order_relaxed)) {
    return;
  }
  // acq_rel, pairs with execution_cancelled(): who looks at it has its reference first.
  while (!atomic_compare_exchange_weak_explicit(&x->stoppable, &word, 0, memory_order_acq_rel, memory_order_relaxed)) {
    word = (uintptr_t)x->state.context;
    mr_yield();
  }
}

// What the run waits for is told. Another thread that is here at the same time does so for both.
static void execution_cancelled(mr_node *node) {
  execution *x = mr_node_payload(node);
  // acquire and release, pairs with cannot_be_stopped().
  uintptr_t word = atomic_fetch_or_explicit(&x->stoppable, IS_LOOKED_AT, memory_order_acquire);
  mr_call_context *context = word & IS_LOOKED_AT ? NULL : (mr_call_context *)word;
  if (context) {
    mr_ref_retain(&context->ref);
  }
  if (!(word & IS_LOOKED_AT)) {
    atomic_fetch_and_explicit(&x->stoppable, ~IS_LOOKED_AT, memory_order_release);
  }
  mr_status error = mr_node_error(node);
  if (execution_is_limited(&x->state)) {
    mr_future_try_set(x->ready, mr_status_retain(error));
  }
  if (context) {
    context->stop(context, error);
    mr_call_context_release(context);
  }
  if (x->rows && error) {
    mr_rows_cancel(x->rows, error);
  }
  mr_status_free(error);
}

static void execution_release(execution *x) {
  if (!x->state.executable) {
    return;
  }
  mr_execution_close(&x->state, true);
  for (uint32_t k = 0; k < x->state.executable->num_results; k++) {
    mr_hold_release(x->outputs[k]);
  }
  mr_rows_release(x->state.rows);
  x->state.rows = NULL;
  cannot_be_stopped(x);
  if (MR_UNLIKELY(x->limit != NULL)) {
    mr_limit_end(x->limit);
    x->limit = NULL;
  }
  mr_call_context_release(x->state.context);
  if (x->state.lengthy) {
    mr_scheduler_end_lengthy(x->state.lengthy);
    x->state.lengthy = NULL;
  }
  mr_admit_leave(&x->state);
  if (MR_UNLIKELY(x->state.told != NULL)) {
    if (!mr_future_is_set(x->state.told)) {
      mr_future_set(x->state.told,
                    mr_error(MR_CANCELLED, "the program ended before it called the host for the last time"));
    }
    mr_future_release(x->state.told);
    x->state.told = NULL;
  }
  mr_executable_release(x->state.executable);
  x->state.executable = NULL;
  mr_platform_leave(x->state.device->platform);
}

static void define_result(execution *x, uint32_t k) {
  if (x->outputs[k]) {
    mr_buffer_define((mr_buffer *)x->outputs[k], x->state.results[k]);
    x->state.results[k] = NULL;
  }
}

// What has a future of its own: the waiters are called.
static void announce_alone(execution *x, uint32_t k, mr_status status) {
  mr_future *ready = x->early[k].ready;
  if (ready) {
    x->early[k].ready = NULL;
    mr_future_set(ready, mr_status_retain(status));
    mr_future_release(ready);
  }
}

static void tell(mr_task *task) {
  early_result *early = MR_CONTAINER_OF(task, early_result, telling);
  mr_node *node = early->node;
  mr_future *told = early->told;
  mr_future_set(told, MR_OK);
  mr_future_release(told);
  mr_node_release(node);
}

// Waiters may take their time, and may wait for what else comes of the execution, which this thread is in the middle of: they are
// called by a task of their own.
static void announce_apart(execution *x, mr_node *node, uint32_t k) {
  early_result *early = &x->early[k];
  mr_future *ready = early->ready;
  early->ready = NULL;
  if (mr_future_set_unless_awaited(ready)) {
    mr_future_release(ready);
    return;
  }
  early->telling.run = tell;
  early->told = ready;
  early->node = mr_node_retain(node);
  node->executor->ready(node->executor, &early->telling, 1, false);
}

// After execution_release().
static void announce_rest(execution *x, mr_status status) {
  if (x->ready) {
    mr_future_try_set(x->ready, mr_status_retain(status));
  }
  for (uint32_t k = 0; k < x->num_early; k++) {
    announce_alone(x, k, status);
  }
}

// As at the end of the execution, for one result: everything that has its block is let go of.
static void hand_out_result(execution *x, uint32_t k) {
  const mr_executable *e = x->state.executable;
  const plan_buffer *buffer = &e->buffers[e->result_buffers[k]];
  define_result(x, k);
  if (buffer->place == PLACE_PARAM) {  // nothing touches it any more, and no other result is in it
    mr_admit_let_go(&x->state, buffer->index);
    mr_hold_release(x->state.holds[buffer->index]);
    x->state.holds[buffer->index] = NULL;
  }
  mr_hold_release(x->outputs[k]);
  x->outputs[k] = NULL;
}

static void announce_result(execution *x, mr_node *node, uint32_t k) {
  hand_out_result(x, k);
  announce_apart(x, node, k);
}

// The last step is over, and everything before it, as a device tells on a thread of its runtime's: who sleeps for the results need not
// wait until a worker is awake. Who has left a waiter is called by the worker, as at any end.
static void hear_last_step(void *node) {
  execution *x = mr_node_payload((mr_node *)node);
  for (uint32_t k = 0; k < x->state.executable->num_results; k++) {
    hand_out_result(x, k);
  }
  mr_future_set_for_sleepers(x->ready);
}

void mr_execution_hears(mr_node *node, mr_device_work *work) {
  const execution *x = mr_node_payload(node);
  work->hear = x->ready && !execution_is_limited(&x->state) ? hear_last_step : NULL;
  work->hear_argument = node;
}

void mr_execution_announce(mr_node *node, uint32_t strand) {
  execution *x = mr_node_payload(node);
  const plan_graph *graph = x->state.executable->main.graph;
  if (!x->num_early) {
    return;
  }
  // acq_rel: what this one has counted comes before what the last one does. With the last one the execution is over at once: what it
  // would announce comes with the end, when the run's memory is free for whoever is next.
  if (atomic_fetch_sub_explicit(&x->strands, 1, memory_order_acq_rel) == 1) {
    return;
  }
  for (uint32_t i = graph->announce_offsets[strand]; i < graph->announce_offsets[strand + 1]; i++) {
    uint32_t k = graph->announces[i];
    // acq_rel, pairs with itself: the last one has seen what all of them wrote.
    if (atomic_fetch_sub_explicit(&x->early[k].strands, 1, memory_order_acq_rel) == 1) {
      announce_result(x, node, k);
    }
  }
}

void mr_execution_over(mr_node *node, mr_status take_status) {
  execution *x = mr_node_payload(node);
  mr_status status = take_status ? take_status : mr_node_error(node);  // cancelled: its results count for nothing
  if (MR_LIKELY(!x->state.rows) || mr_rows_over(&x->state, node, &status)) {
    mr_execution_end(node, status);
  }
}

void mr_execution_end(mr_node *node, mr_status take_status) {
  execution *x = mr_node_payload(node);
  mr_status status = take_status;
  admitted_work work = mr_admit_take_work(&x->state);
  for (uint32_t k = 0; !status && k < x->state.executable->num_results; k++) {
    define_result(x, k);
  }
  // Everything is let go of before the results are announced: whoever runs next may find its donated blocks exclusive.
  execution_release(x);
  mr_node_is_over(node);
  // A callback on one result may wait for another.
  mr_future_begin_sets();
  announce_rest(x, status);
  mr_node_finish(node, status);
  mr_future_end_sets();
  mr_admit_end_work(work);
}

launch_state *mr_execution_state(mr_node *node) {
  execution *x = mr_node_payload(node);
  return &x->state;
}

static void execution_run(mr_node *node) {
  execution *x = mr_node_payload(node);
  if (x->state.executable->cost_ns >= MR_EXECUTE_LENGTHY_NS || x->state.executable->unbounded) {
    x->state.lengthy = mr_platform_scheduler(x->state.device->platform);
    mr_scheduler_begin_lengthy(x->state.lengthy);
  }
  x->state.close = mr_trace_is_on() && is_looked_at_closely(mr_execution_count_traced(x->state.executable));
  if (x->state.rows && mr_rows_are_in_step(x->state.rows)) {
    mr_rows_begin(&x->state, node);
  } else if (x->state.executable->main.may_pend || !x->state.device->direct) {
    mr_strands_begin(&x->state, node);
  } else {
    mr_execution_over(node, mr_execution_run_now(&x->state));
  }
}

static void execution_fail(mr_node *node, mr_status status) {
  execution *x = mr_node_payload(node);
  if (x->state.rows) {
    mr_rows_fail(&x->state, status);
  }
  admitted_work work = mr_admit_take_work(&x->state);
  execution_release(x);
  announce_rest(x, status);
  mr_admit_end_work(work);
}

static void execution_ready(mr_node *node) {
  execution *x = mr_node_payload(node);
  mr_admit_ready(&x->state);
}

static mr_trace_label execution_tag(const mr_node *node) {
  return trace_label(&((const execution *)(node + 1))->state);
}

static void execution_drop(mr_node *node) {
  execution *x = mr_node_payload(node);
  execution_release(x);
  mr_rows_release(x->rows);
  mr_future_release(x->ready);
  for (uint32_t k = 0; k < x->num_early; k++) {
    mr_future_release(x->early[k].ready);  // it was never submitted: nobody else has it
  }
}

static const mr_node_type execution_type = {.name = "execute",
                                            .kind = MR_NODE_EXECUTE,
                                            .run = execution_run,
                                            .fail = execution_fail,
                                            .drop = execution_drop,
                                            .cancelled = execution_cancelled,
                                            .ready = execution_ready,
                                            .tag = execution_tag};

// By result, after how many strands it is announced; NULL: with the others.
static const uint32_t *announced_after(const launch_state *s) {
  const plan_graph *graph = s->executable->main.graph;
  bool together = execution_is_limited(s) || (s->rows && mr_rows_end_together(s->rows));
  return graph && !together ? graph->announced_after : NULL;
}

static size_t payload_size(const launch_state *s) {
  const mr_executable *e = s->executable;
  return sizeof(execution) + e->num_params * (sizeof(mr_hold *) + sizeof(mr_storage *) + 2 * sizeof(bool)) +
         e->num_results * (sizeof(mr_storage *) + sizeof(mr_hold *) + (announced_after(s) ? sizeof(early_result) : 0));
}

// The arrays behind the struct, all empty but holds, donates and blocks that the host has given for results, which move in.
static void init_payload(execution *x, const mr_node *node, const launch_state *from) {
  const mr_executable *e = from->executable;
  char *at = (char *)(x + 1);
  memset(x, 0, payload_size(from));
  x->state = *from;
  x->state.holds = (mr_hold **)at;
  at += e->num_params * sizeof(mr_hold *);
  x->state.params = (mr_storage **)at;
  at += e->num_params * sizeof(mr_storage *);
  x->state.results = (mr_storage **)at;
  at += e->num_results * sizeof(mr_storage *);
  x->outputs = (mr_hold **)at;
  at += e->num_results * sizeof(mr_hold *);
  x->num_early = announced_after(from) ? e->num_results : 0;
  x->early = (early_result *)(void *)at;
  at += x->num_early * sizeof(early_result);
  x->state.donates = (bool *)at;
  if (e->num_params) {
    memcpy(x->state.holds, from->holds, e->num_params * sizeof(mr_hold *));
    memcpy(x->state.donates, from->donates, e->num_params * sizeof(bool));
  }
  for (uint32_t k = 0; k < e->num_results; k++) {
    x->state.results[k] = from->results[k];
    from->results[k] = NULL;
  }
  mr_executable_retain(x->state.executable);
  mr_platform_enter(x->state.device->platform);
  if (x->state.rows) {
    x->rows = mr_rows_retain(mr_rows_retain(x->state.rows));
  }
  x->state.stop = x->state.rows ? mr_rows_word(x->state.rows) : &node->error;
  mr_admit_enter(&x->state, x->state.donates + e->num_params);
  if (x->state.context) {
    mr_ref_retain(&x->state.context->ref);
    atomic_init(&x->stoppable, x->state.context->stop ? (uintptr_t)x->state.context : 0);
  }
}

static void release_buffers(mr_buffer **buffers, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    mr_buffer_release(buffers[k]);
    buffers[k] = NULL;
  }
}

// The largest argument that is there already, for where to run; one that is not there comes from where this becomes ready.
static const mr_storage *largest_ready(const launch_state *s) {
  const mr_storage *largest = NULL;
  for (uint32_t i = 0; i < s->executable->num_params; i++) {
    mr_future *ready = mr_hold_ready(s->holds[i]);
    if (ready && !mr_future_is_set(ready)) {
      continue;
    }
    const mr_storage *storage = mr_hold_storage(s->holds[i]);
    if (storage && (!largest || storage->size > largest->size)) {
      largest = storage;
    }
  }
  return largest;
}

// Whether results are worth being told of before the run's memory is free: where a wake-up is much of what an execution takes, and
// what it holds a little longer is not.
static bool is_heard(const launch_state *s) {
  const mr_executable *e = s->executable;
  return !s->device->direct && !s->rows && !e->main.graph && e->num_results && e->num_results <= MR_HEAR_RESULTS &&
         e->cost_ns <= MR_HEAR_NS && e->temp_bytes <= MR_HEAR_TEMP_BYTES;
}

// Buffers without content, and who announces it.
static mr_status make_results(execution *x, mr_node *node, mr_buffer **out_results) {
  const mr_executable *e = x->state.executable;
  const uint32_t *after = announced_after(&x->state);
  atomic_init(&x->strands, after ? e->main.graph->num_strands : 0);
  if (is_heard(&x->state) || execution_is_limited(&x->state)) {
    MR_TRY(mr_future_create(&x->ready));
  }
  if (execution_is_limited(&x->state)) {
    MR_TRY(mr_limit_create(&x->state, node, &x->limit));
  }
  for (uint32_t k = 0; k < e->num_results; k++) {
    mr_future *ready = x->ready ? x->ready : mr_node_done(node);
    if (after && after[k]) {
      MR_TRY(mr_future_create(&x->early[k].ready));
      atomic_init(&x->early[k].strands, after[k]);
      ready = x->early[k].ready;
    }
    MR_TRY(mr_execution_make_result(&x->state, k, NULL, mr_future_retain(ready), &out_results[k]));
    MR_TRY(mr_buffer_hold(out_results[k], false, &x->outputs[k]));
  }
  return MR_OK;
}

// What may go on for ever, or calls code that is not ours, is not brief.
static int8_t priority_of(const launch_state *s) {
  const mr_executable *e = s->executable;
  if (s->priority || s->deadline_ns) {
    return s->priority ? s->priority : 1;
  }
  uint64_t all_ns = e->cost_ns * (s->rows ? (uint64_t)e->num_replicas * e->num_partitions : 1);
  bool brief = all_ns <= MR_EXECUTE_BRIEF_NS && !e->unbounded && !mr_executable_calls_host(e);
  return brief ? MR_PRIORITY_BRIEF : 0;
}

mr_status mr_execution_make(launch_state *s, bool here, mr_buffer **out_results, mr_node **out_node) {
  const mr_executable *e = s->executable;
  mr_node *node = *out_node = NULL;
  mr_executor *executor = mr_device_executor_near(s->device, largest_ready(s));
  mr_status status = mr_node_create(&execution_type, payload_size(s), executor, &node);
  if (status) {
    mr_execution_give_back(s);
    return status;
  }
  execution *x = mr_node_payload(node);
  init_payload(x, node, s);
  status = make_results(x, node, out_results);
  if (status) {
    // The results so far may have the node through their future, and the node has them: its side goes here, as it never runs.
    mr_execution_give_back(&x->state);
    execution_release(x);
    mr_node_release(node);
    release_buffers(out_results, e->num_results);
    return status;
  }
  node->cost_ns = here && !e->main.graph ? MR_EXECUTE_HERE_NS : node_cost(e);
  // relaxed: how it was last. Cheap nodes run where they are submitted.
  bool slow = atomic_load_explicit(&e->host_is_slow, memory_order_relaxed) && !s->here;
  if (slow || s->elsewhere || execution_is_limited(s)) {
    node->cost_ns = MR_MAX(node->cost_ns, (uint32_t)MR_HOST_SLOW_NS);
  }
  node->device = (int16_t)s->device->id;
  node->priority = priority_of(s);
  for (uint32_t i = 0; i < e->num_params; i++) {
    mr_future *ready = mr_hold_ready(x->state.holds[i]);
    if (ready) {
      mr_status_free(mr_node_after(node, ready));  // on failure the node is poisoned with it
    }
  }
  *out_node = node;
  return MR_OK;
}

void mr_execution_undo(mr_node *take_node) {
  execution *x = mr_node_payload(take_node);
  mr_execution_give_back(&x->state);
  execution_release(x);
  mr_node_discard(take_node);
}

// On the calling thread, which belongs to the scheduler meanwhile where it is to see the end: others have what lies beside what it is at.
static void submit_here(const launch_state *s, mr_future **inout_done) {
  mr_scheduler *scheduler = mr_platform_scheduler(s->device->platform);
  bool entered = s->here && mr_scheduler_enter(scheduler);
  mr_execution_submit(inout_done);
  if (entered) {
    mr_scheduler_leave(scheduler);
  }
}

void mr_execution_submit(mr_future **inout_done) {
  mr_node *node = mr_node_of_done(*inout_done);
  execution *x = mr_node_payload(node);
  mr_future *done = execution_is_limited(&x->state) ? mr_future_retain(x->ready) : NULL;
  if (done) {
    mr_limit_begin(x->limit);
  }
  mr_node_submit(node);
  if (done) {
    mr_future_release(*inout_done);
    *inout_done = done;
  }
}

mr_status mr_execution_later(launch_state *s, bool here, mr_buffer **out_results, mr_future **out_done) {
  mr_node *node;
  MR_TRY(mr_execution_make(s, here, out_results, &node));
  *out_done = mr_future_retain(mr_node_done(node));
  if (here && !s->executable->main.graph) {
    submit_here(s, out_done);
  } else {
    mr_execution_submit(out_done);
  }
  mr_admit_wait(s);
  return MR_OK;
}

mr_status mr_execution_past_host(launch_state *s, mr_buffer **out_results, mr_future **out_done) {
  mr_node *node;
  mr_future *told;
  mr_status status = mr_future_create(&told);
  if (status) {
    mr_execution_give_back(s);
    return status;
  }
  status = mr_execution_make(s, false, out_results, &node);
  if (status) {
    mr_future_release(told);
    return status;
  }
  execution *x = mr_node_payload(node);
  x->state.told = mr_future_retain(told);
  *out_done = mr_future_retain(mr_node_done(node));
  mr_node_submit(node);
  mr_admit_wait(s);
  mr_future_wait(told);
  if (mr_future_status(told)) {
    mr_future_wait(*out_done);
  }
  mr_future_release(told);
  return MR_OK;
}
