// One execution of a plan.
//
// Storages are taken when the execution runs, not when it is queued: a queue of steps does not hold memory that only the
// first of them needs, and whether a donated block is free to be written is known for sure then (its producer and all readers
// before have let go). A small execution with ready arguments runs on the caller's thread; others are a node.
#include <alloca.h>
#include <string.h>

#include "compiler/plan/plan.h"
#include "compiler/run/context.h"
#include "compiler/run/subnormal.h"
#include "compiler/run/tuning.h"

typedef struct frame {
  const mr_executable *executable;
  void **pointers;           // by buffer number
  const mr_content *params;  // by parameter: what was passed
  mr_group *group;
  bool close;  // brief steps are traced as well
} frame;

// ---- Steps ------------------------------------------------------------------------------------------------------------

typedef struct kernel_job {
  mr_kernel_fn function;
  void *const *buffers;
} kernel_job;

static void kernel_tiles(void *context, int64_t begin, int64_t end) {
  const kernel_job *job = context;
  job->function(job->buffers, NULL, begin, end);
}

static void **gather(const frame *f, const plan_step *step, void **out) {
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    out[i] = f->pointers[step->buffers[i]];
  }
  return out;
}

static void run_kernel(const frame *f, const plan_step *step, void **arguments) {
  kernel_job job = {step->function, gather(f, step, arguments)};
  if (step->cost_ns < MR_KERNEL_PARALLEL_NS) {
    job.function(job.buffers, NULL, 0, step->launch.range);
  } else {
    mr_parallel_for(f->group, step->launch.range, kernel_tiles, &job, step->launch.grain, step->cost_ns);
  }
}

static mr_status run_library(const frame *f, const plan_step *step, void **arguments) {
  const mr_library_call *call = step->library;
  void *scratch = step->scratch == NO_BUFFER ? NULL : f->pointers[step->scratch];
  gather(f, step, arguments);
  if (!call->run_identified) {
    return call->run(call, arguments, scratch, f->group);
  }
  mr_content *contents = alloca(step->num_buffers * sizeof *contents);
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    const plan_buffer *buffer = &f->executable->buffers[step->buffers[i]];
    bool known = buffer->place == PLACE_PARAM && !buffer->written;
    contents[i] = known ? f->params[buffer->index] : (mr_content){NULL, 0};
  }
  return call->run_identified(call, arguments, contents, scratch, f->group);
}

static int64_t read_selector(const void *data, mr_dtype dtype) {
  switch (dtype) {
  case MR_S64: return *(const int64_t *)data;
  case MR_PRED: return *(const uint8_t *)data;
  default: return *(const int32_t *)data;
  }
}

static mr_status run_sequence(const frame *f, const plan_sequence *sequence, void **arguments);

static mr_status run_while(const frame *f, const plan_step *step, void **arguments) {
  const volatile uint8_t *predicate = f->pointers[step->buffers[0]];
  for (;;) {
    MR_TRY(run_sequence(f, &step->sequences[0], arguments));
    if (!*predicate) {
      return MR_OK;
    }
    MR_TRY(run_sequence(f, &step->sequences[1], arguments));
  }
}

static mr_status run_case(const frame *f, const plan_step *step, void **arguments) {
  int64_t index = read_selector(f->pointers[step->buffers[0]], step->selector);
  if (index < 0 || index >= step->num_sequences) {
    index = step->num_sequences - 1;  // StableHLO: out of bounds runs the last branch
  }
  return run_sequence(f, &step->sequences[index], arguments);
}

static mr_status run_sequence(const frame *f, const plan_sequence *sequence, void **arguments) {
  uint64_t start = sequence->brief && !f->close ? 0 : mr_trace_begin();
  for (uint32_t i = 0; i < sequence->count; i++) {
    const plan_step *step = &sequence->steps[i];
    switch (step->kind) {
    case STEP_KERNEL: run_kernel(f, step, arguments); break;
    case STEP_LIBRARY: MR_TRY(run_library(f, step, arguments)); break;
    case STEP_COPY:
      mr_copy_bytes(f->group, f->pointers[step->buffers[0]], f->pointers[step->buffers[1]], step->bytes);
      break;
    case STEP_WHILE: MR_TRY(run_while(f, step, arguments)); break;
    case STEP_CASE: MR_TRY(run_case(f, step, arguments)); break;
    }
    if (MR_UNLIKELY(start != 0)) {
      start = mr_trace_span(MR_TRACE_STEP, step->name, start, 0);
    }
  }
  return MR_OK;
}

// ---- One run ----------------------------------------------------------------------------------------------------------

// What a run owns. All arrays have the executable's counts.
typedef struct launch_state {
  mr_executable *executable;
  mr_device *device;
  mr_hold **holds;           // per parameter; taken over
  bool *donates;             // per parameter: the hold came by donation
  mr_storage **params;       // per parameter: a copy that this run owns, else NULL
  mr_storage **results;      // per result, owned
  mr_buffer **buffers;       // per result, to be made before the first step; NULL: a queued execution has them already
  mr_content *contents;      // per parameter, or NULL when no step asks
  mr_call_context *context;  // may be NULL; a queued execution has a reference
  bool close;                // the trace has even its brief steps
  bool begun;                // a step may have written to donated blocks
} launch_state;

static bool is_aligned(const void *data) { return ((uintptr_t)data & 63) == 0; }

// The memory that parameter i is read from, and written to when it is donated and the plan does so.
static mr_status open_param(launch_state *s, uint32_t i, void **out_data) {
  const plan_buffer *buffer = &s->executable->buffers[s->executable->param_buffers[i]];
  mr_storage *storage = mr_hold_storage(s->holds[i]);
  if (!storage) {
    return mr_error(MR_FAILED_PRECONDITION, "argument %u has no content", i);
  }
  bool mine = s->donates[i] && mr_hold_is_exclusive(s->holds[i]);
  if (mine && buffer->written) {
    mr_storage_touch(storage);  // alone with it: the content is about to be another one
  }
  if (s->contents) {
    s->contents[i] = mr_storage_content(storage);
  }
  if ((buffer->written && !mine) || !is_aligned(storage->data)) {
    mr_storage *copy = NULL;
    MR_TRY(mr_storage_allocate(&s->device->memories[MR_MEMORY_DEVICE], buffer->bytes, &copy));
    mr_copy_bytes(s->device->group, copy->data, storage->data, buffer->bytes);
    storage = s->params[i] = copy;
  }
  *out_data = storage->data;
  return MR_OK;
}

static mr_status open_results(launch_state *s, void **pointers) {
  const mr_executable *e = s->executable;
  for (uint32_t k = 0; k < e->num_results; k++) {
    const plan_buffer *buffer = &e->buffers[e->result_buffers[k]];
    if (buffer->place == PLACE_PARAM) {  // the parameter's block becomes the result's
      mr_storage *copy = s->params[buffer->index];
      s->params[buffer->index] = NULL;
      s->results[k] = copy ? copy : mr_storage_retain(mr_hold_storage(s->holds[buffer->index]));
      continue;
    }
    MR_TRY(mr_storage_allocate(&s->device->memories[e->results[k].memory], buffer->bytes, &s->results[k]));
    pointers[e->result_buffers[k]] = s->results[k]->data;
  }
  return MR_OK;
}

static mr_status make_result(const launch_state *s, uint32_t k, mr_storage *take_storage, mr_future *take_ready,
                             mr_buffer **out_buffer) {
  const mr_port *port = &s->executable->results[k];
  return mr_buffer_create(&s->device->memories[port->memory], port->dtype, port->dims, port->rank, take_storage,
                          take_ready, out_buffer);
}

static mr_status make_buffers(launch_state *s) {
  for (uint32_t k = 0; s->buffers && k < s->executable->num_results; k++) {
    mr_storage *storage = s->results[k];
    s->results[k] = NULL;
    MR_TRY(make_result(s, k, storage, NULL, &s->buffers[k]));
  }
  return MR_OK;
}

// All that a run needs of memory for itself: from here on only its steps may fail.
static mr_status open_run(launch_state *s, void **pointers, mr_storage **out_temp) {
  const mr_executable *e = s->executable;
  *out_temp = NULL;
  for (uint32_t i = 0; i < e->num_params; i++) {
    MR_TRY(open_param(s, i, &pointers[e->param_buffers[i]]));
  }
  MR_TRY(open_results(s, pointers));
  MR_TRY(make_buffers(s));
  return e->temp_bytes ? mr_storage_allocate(&s->device->memories[MR_MEMORY_DEVICE], e->temp_bytes, out_temp) : MR_OK;
}

static mr_status run_with_memory(launch_state *s, void **pointers, void **arguments) {
  const mr_executable *e = s->executable;
  mr_storage *temp;
  MR_TRY(open_run(s, pointers, &temp));
  for (uint32_t b = 0; b < e->num_buffers; b++) {
    const plan_buffer *buffer = &e->buffers[b];
    if (buffer->place == PLACE_TEMP) {
      pointers[b] = temp ? (char *)temp->data + buffer->offset : NULL;
    } else if (buffer->place == PLACE_CONST) {
      pointers[b] = e->constants ? e->constants + buffer->offset : NULL;  // NULL: all of them are empty
    }
  }
  frame f = {e, pointers, s->contents, s->device->group, s->close};
  s->begun = true;
  mr_call_context *before = mr_call_context_enter(s->context);
  mr_status status = run_sequence(&f, &e->main, arguments);
  mr_call_context_enter(before);
  mr_storage_release(temp);
  return status;
}

// Of a call that fails: what was to be donated is the caller's again, unless it may have been written already.
static void give_back(launch_state *s) {
  for (uint32_t i = 0; i < s->executable->num_params; i++) {
    bool used_up = s->begun && s->executable->buffers[s->executable->param_buffers[i]].written;
    if (s->holds[i] && s->donates[i] && !used_up) {
      mr_hold_give_back(s->holds[i]);
    } else {
      mr_hold_release(s->holds[i]);
    }
    s->holds[i] = NULL;
  }
}

// Lets go of the arguments; on failure of the results as well, which may have arguments' blocks.
static void close_run(launch_state *s, bool failed) {
  for (uint32_t k = 0; failed && k < s->executable->num_results; k++) {
    mr_storage_release(s->results[k]);
    s->results[k] = NULL;
    if (s->buffers) {
      mr_buffer_release(s->buffers[k]);
      s->buffers[k] = NULL;
    }
  }
  if (failed && s->buffers) {
    give_back(s);
  }
  for (uint32_t i = 0; i < s->executable->num_params; i++) {
    mr_storage_release(s->params[i]);
    mr_hold_release(s->holds[i]);
    s->params[i] = NULL;
    s->holds[i] = NULL;
  }
}

static mr_status run_now(launch_state *s) {
  enum { ON_STACK = 512 };
  const mr_executable *e = s->executable;
  static_assert(sizeof(mr_content) % sizeof(void *) == 0, "contents lie behind pointers");
  size_t words = e->wants_contents ? e->num_params * sizeof(mr_content) / sizeof(void *) : 0;
  size_t used = (size_t)e->num_buffers + e->max_step_buffers, slots = used + words;
  void *small[ON_STACK];
  void **pointers = slots <= ON_STACK ? small : mr_alloc(slots * sizeof *pointers);
  const char *location = s->context ? s->context->location : NULL;
  uint64_t start = location ? mr_trace_begin() : 0;
  s->contents = e->wants_contents && pointers ? (mr_content *)(void *)(pointers + used) : NULL;
  mr_trace_device = s->device->id;
  unsigned mode = mr_subnormals_flush();
  mr_status status = pointers ? run_with_memory(s, pointers, pointers + e->num_buffers) : MR_NO_MEMORY();
  mr_subnormals_restore(mode);
  if (pointers != small) {
    mr_free(pointers);
  }
  close_run(s, status != MR_OK);
  if (location) {
    mr_trace_end(MR_TRACE_NODE, location, start);
    status = mr_status_note(status, "called from %s", location);
  }
  return status;
}

// Which of the executions that the trace has seen this one is, from 1 on.
static uint32_t count_traced(mr_executable *e) {
  uint64_t trace = (uint64_t)mr_trace_number() << 32;
  // relaxed, all of it: statistics.
  uint64_t runs = atomic_load_explicit(&e->traced_runs, memory_order_relaxed);
  while (MR_UNLIKELY(runs >> 32 != trace >> 32)) {
    if (atomic_compare_exchange_weak_explicit(&e->traced_runs, &runs, trace + 1, memory_order_relaxed,
                                              memory_order_relaxed)) {
      return 1;
    }
  }
  return (uint32_t)atomic_fetch_add_explicit(&e->traced_runs, 1, memory_order_relaxed) + 1;
}

static bool is_looked_at_closely(uint32_t number) { return number == 1 || number % MR_TRACE_CLOSE_LOOKS == 0; }

static bool is_brief(const mr_executable *e) { return e->cost_ns < MR_TRACE_BRIEF_NS; }

static uint32_t node_cost(const mr_executable *e) { return (uint32_t)MR_MIN(e->cost_ns + 1, (uint64_t)UINT32_MAX); }

static const char *trace_name(const mr_executable *e) { return e->name.size ? e->name.data : "execute"; }

// ---- As a node --------------------------------------------------------------------------------------------------------

typedef struct execution {
  launch_state state;
  mr_hold **outputs;  // per result
} execution;

static void execution_release(execution *x) {
  if (!x->state.executable) {
    return;
  }
  close_run(&x->state, true);
  for (uint32_t k = 0; k < x->state.executable->num_results; k++) {
    mr_hold_release(x->outputs[k]);
  }
  mr_call_context *context = x->state.context;
  if (context && mr_ref_release(&context->ref)) {
    context->destroy(context);
  }
  mr_executable_release(x->state.executable);
  x->state.executable = NULL;
  mr_platform_release(x->state.device->platform);
}

static void execution_run(mr_node *node) {
  execution *x = mr_node_payload(node);
  x->state.close = mr_trace_is_on() && is_looked_at_closely(count_traced(x->state.executable));
  mr_status status = run_now(&x->state);
  status = status ? status : mr_node_error(node);  // cancelled while it ran: its results count for nothing
  for (uint32_t k = 0; !status && k < x->state.executable->num_results; k++) {
    mr_buffer_define((mr_buffer *)x->outputs[k], x->state.results[k]);
    x->state.results[k] = NULL;
  }
  // Everything is let go of before the results are announced: whoever runs next may find its donated blocks exclusive.
  execution_release(x);
  mr_node_finish(node, status);
}

static void execution_fail(mr_node *node, mr_status status) {
  (void)status;
  execution_release(mr_node_payload(node));
}

static const char *execution_tag(const mr_node *node) {
  return trace_name(((const execution *)(node + 1))->state.executable);
}

static void execution_drop(mr_node *node) { execution_release(mr_node_payload(node)); }

static const mr_node_type execution_type = {.name = "execute",
                                            .kind = MR_NODE_EXECUTE,
                                            .run = execution_run,
                                            .fail = execution_fail,
                                            .drop = execution_drop,
                                            .tag = execution_tag};

static size_t payload_size(const mr_executable *e) {
  return sizeof(execution) + e->num_params * (sizeof(mr_hold *) + sizeof(mr_storage *) + sizeof(bool)) +
         e->num_results * (sizeof(mr_storage *) + sizeof(mr_hold *));
}

// The arrays behind the struct, all empty but holds and donates.
static void init_payload(execution *x, const launch_state *from) {
  const mr_executable *e = from->executable;
  char *at = (char *)(x + 1);
  memset(x, 0, payload_size(e));
  x->state = *from;
  x->state.holds = (mr_hold **)at;
  at += e->num_params * sizeof(mr_hold *);
  x->state.params = (mr_storage **)at;
  at += e->num_params * sizeof(mr_storage *);
  x->state.results = (mr_storage **)at;
  at += e->num_results * sizeof(mr_storage *);
  x->outputs = (mr_hold **)at;
  at += e->num_results * sizeof(mr_hold *);
  x->state.donates = (bool *)at;
  if (e->num_params) {
    memcpy(x->state.holds, from->holds, e->num_params * sizeof(mr_hold *));
    memcpy(x->state.donates, from->donates, e->num_params * sizeof(bool));
  }
  mr_executable_retain(x->state.executable);
  mr_platform_retain(x->state.device->platform);
  if (x->state.context) {
    mr_ref_retain(&x->state.context->ref);
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

static mr_status run_later(launch_state *s, mr_buffer **out_results, mr_future **out_done) {
  const mr_executable *e = s->executable;
  mr_node *node = NULL;
  mr_executor *executor = mr_device_executor_near(s->device, largest_ready(s));
  mr_status status = mr_node_create(&execution_type, payload_size(e), executor, &node);
  if (status) {
    give_back(s);
    return status;
  }
  execution *x = mr_node_payload(node);
  init_payload(x, s);
  for (uint32_t k = 0; !status && k < e->num_results; k++) {
    status = make_result(s, k, NULL, mr_future_retain(mr_node_done(node)), &out_results[k]);
    status = status ? status : mr_buffer_hold(out_results[k], false, &x->outputs[k]);
  }
  if (status) {
    // The results so far have the node through their future, and the node has them: its side goes here, as it never runs.
    give_back(&x->state);
    execution_release(x);
    mr_node_release(node);
    release_buffers(out_results, e->num_results);
    return status;
  }
  node->cost_ns = node_cost(e);
  node->device = (int16_t)s->device->id;
  for (uint32_t i = 0; i < e->num_params; i++) {
    mr_future *ready = mr_hold_ready(x->state.holds[i]);
    if (ready) {
      mr_status_free(mr_node_after(node, ready));  // on failure the node is poisoned with it
    }
  }
  *out_done = mr_future_retain(mr_node_done(node));
  mr_node_submit(node);
  return MR_OK;
}

// ---- The call ---------------------------------------------------------------------------------------------------------

static mr_status check_argument(const mr_executable *e, uint32_t i, const mr_buffer *buffer) {
  const mr_port *port = &e->params[i];
  char got[256], wanted[256];
  if (!buffer) {
    return mr_error(MR_INVALID_ARGUMENT, "argument %u is null", i);
  }
  if (port->is_token) {
    return MR_OK;
  }
  if (mr_buffer_dtype(buffer) == port->dtype && mr_buffer_rank(buffer) == port->rank &&
      (port->rank == 0 || memcmp(mr_buffer_dims(buffer), port->dims, port->rank * sizeof(int64_t)) == 0)) {
    return MR_OK;
  }
  return mr_error(
      MR_INVALID_ARGUMENT, "argument %u is %s, wanted %s", i,
      mr_dims_text(mr_buffer_dtype(buffer), mr_buffer_dims(buffer), mr_buffer_rank(buffer), got, sizeof got),
      mr_dims_text(port->dtype, port->dims, port->rank, wanted, sizeof wanted));
}

// Two rounds, so that a buffer that is also an ordinary argument is held before it is donated.
static mr_status hold_arguments(launch_state *s, mr_buffer *const *arguments, const mr_execute_options *options) {
  const mr_executable *e = s->executable;
  const bool *donates = options && options->donates ? options->donates : e->donates;
  mr_status status = MR_OK;
  for (uint32_t i = 0; i < e->num_params; i++) {
    s->holds[i] = NULL;
    s->donates[i] = donates[i];
  }
  for (int donating = 0; donating < 2; donating++) {
    for (uint32_t i = 0; !status && i < e->num_params; i++) {
      if (s->donates[i] == (donating == 1)) {
        status = mr_buffer_hold(arguments[i], donating, &s->holds[i]);
        status = status ? mr_status_note(status, "argument %u", i) : status;
      }
    }
  }
  if (status) {
    give_back(s);
  }
  return status;
}

static bool all_ready(const launch_state *s) {
  for (uint32_t i = 0; i < s->executable->num_params; i++) {
    mr_future *ready = mr_hold_ready(s->holds[i]);
    if (ready && !(mr_future_is_set(ready) && mr_future_status(ready) == MR_OK)) {
      return false;
    }
  }
  return true;
}

// What the trace shows of an execution on the calling thread.
typedef struct glance {
  uint64_t start;  // 0: nothing
  uint32_t count;  // how many executions the record stands for; 0: one
} glance;

static glance begin_glance(launch_state *s) {
  if (MR_LIKELY(!mr_trace_is_on())) {
    return (glance){0};
  }
  uint32_t number = count_traced(s->executable);
  s->close = is_looked_at_closely(number);
  bool thinned = number > MR_TRACE_CLOSE_LOOKS && is_brief(s->executable);
  if (thinned && number % MR_TRACE_THINNING) {
    return (glance){0};
  }
  return (glance){.start = mr_trace_now(), .count = thinned ? MR_TRACE_THINNING : 0};
}

static void end_glance(const launch_state *s, glance g) {
  mr_executable *e = s->executable;
  const mr_trace_about about = {.kind = MR_NODE_EXECUTE, .cost_ns = node_cost(e), .count = g.count};
  if (!s->close && is_brief(e)) {
    // relaxed: a statistic.
    mr_trace_brief_node(&e->trace_name, about, g.start, atomic_load_explicit(&e->traced_ticks, memory_order_relaxed));
    return;
  }
  uint64_t end = mr_trace_node(MR_TRACE_NODE, trace_name(e), about, g.start, 0);
  if (end) {
    atomic_store_explicit(&e->traced_ticks, end - g.start, memory_order_relaxed);  // likewise
  }
}

static mr_status run_inline(launch_state *s, mr_buffer **out_results) {
  s->buffers = out_results;
  glance g = begin_glance(s);
  mr_status status = run_now(s);
  if (MR_UNLIKELY(g.start != 0)) {
    end_glance(s, g);
  }
  mr_trace_device = -1;
  return status;
}

mr_status mr_execute(mr_executable *executable, mr_device *device, const mr_execute_options *options,
                     mr_buffer *const *arguments, size_t num_arguments, mr_buffer **out_results, mr_future **out_done) {
  enum { ON_STACK = 64 };
  *out_done = NULL;
  uint32_t params = executable->num_params, results = executable->num_results;
  if (num_arguments != params) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu arguments were given to a program of %u parameters", num_arguments,
                    params);
  }
  for (uint32_t i = 0; i < params; i++) {
    MR_TRY(check_argument(executable, i, arguments[i]));
  }
  size_t count = 2 * (size_t)params + results;
  void *small[ON_STACK];
  bool small_flags[ON_STACK];
  void **slots = count <= ON_STACK ? small : mr_alloc(count * sizeof(void *) + params);
  if (!slots) {
    return MR_NO_MEMORY();
  }
  launch_state s = {.executable = executable,
                    .device = device,
                    .context = options ? options->context : NULL,
                    .holds = (mr_hold **)slots,
                    .params = (mr_storage **)slots + params,
                    .results = (mr_storage **)slots + 2 * (size_t)params,
                    .donates = slots == small ? small_flags : (bool *)(slots + count)};
  memset(slots, 0, count * sizeof(void *));
  memset(out_results, 0, results * sizeof *out_results);
  mr_status status = hold_arguments(&s, arguments, options);
  if (!status) {
    status = executable->cost_ns < MR_EXECUTE_INLINE_NS && all_ready(&s) ? run_inline(&s, out_results)
                                                                         : run_later(&s, out_results, out_done);
  }
  if (slots != small) {
    mr_free(slots);
  }
  return status;
}
