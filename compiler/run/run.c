// One execution of a plan: the call. A small one with ready arguments runs on the caller's thread; others are a node.
#include <string.h>

#include "compiler/run/run.h"
#include "futures/pool.h"

// ---- Traces -------------------------------------------------------------------------------------------------------------

// Which of the executions that the trace has seen this one is, from 1 on.
uint32_t mr_execution_count_traced(mr_executable *e) {
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

mr_stop_token mr_execution_token(const launch_state *s) {
  return (mr_stop_token){.run = s->stop ? s->stop : &mr_stop_nobody, .all = mr_platform_stop_word(s->device->platform)};
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
mr_status mr_execution_hold(launch_state *s, mr_buffer *const *arguments, const mr_execute_options *options) {
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
    mr_execution_give_back(s);
  }
  return status;
}

bool mr_execution_is_ready(const launch_state *s) {
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
  uint32_t number = mr_execution_count_traced(s->executable);
  s->close = is_looked_at_closely(number);
  bool thinned = number > MR_TRACE_CLOSE_LOOKS && is_brief(s->executable);
  if (thinned && number % MR_TRACE_THINNING) {
    return (glance){0};
  }
  return (glance){.start = mr_trace_now(), .count = thinned ? MR_TRACE_THINNING : 0};
}

static void end_glance(const launch_state *s, glance g) {
  mr_executable *e = s->executable;
  const mr_trace_label label = trace_label(s);
  const mr_trace_about about = {.kind = MR_NODE_EXECUTE, .cost_ns = node_cost(e), .count = g.count};
  if (!s->close && is_brief(e)) {
    // relaxed: a statistic.
    mr_trace_brief_node(&label, about, g.start, atomic_load_explicit(&e->traced_ticks, memory_order_relaxed));
    return;
  }
  uint64_t end = mr_trace_label_span(MR_TRACE_NODE, &label, about, g.start, 0);
  if (end) {
    atomic_store_explicit(&e->traced_ticks, end - g.start, memory_order_relaxed);  // likewise
  }
}

static mr_status run_inline(launch_state *s, mr_buffer **out_results) {
  s->buffers = out_results;
  glance g = begin_glance(s);
  mr_status status = mr_execution_run_now(s);
  if (MR_UNLIKELY(g.start != 0)) {
    end_glance(s, g);
  }
  mr_trace_device = -1;
  return status;
}

mr_status mr_execution_check(const mr_executable *e, mr_buffer *const *arguments, size_t num_arguments) {
  if (num_arguments != e->num_params) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu arguments were given to a program of %u parameters", num_arguments,
                    e->num_params);
  }
  for (uint32_t i = 0; i < e->num_params; i++) {
    MR_TRY(check_argument(e, i, arguments[i]));
  }
  return MR_OK;
}

// One row of a program over several devices runs alone where nobody would wait for it.
static mr_status check_number(const mr_executable *e, const mr_execute_options *options) {
  if (MR_UNLIKELY(e->num_places + e->num_channels)) {
    return mr_error(MR_INVALID_ARGUMENT, "one row of a program over %u replicas of %u partitions, which meet",
                    e->num_replicas, e->num_partitions);
  }
  if (MR_UNLIKELY(options && (options->replica >= e->num_replicas || options->partition >= e->num_partitions))) {
    return mr_error(MR_INVALID_ARGUMENT, "replica %u, partition %u of %u replicas of %u partitions", options->replica,
                    options->partition, e->num_replicas, e->num_partitions);
  }
  return MR_OK;
}

// What comes after the last call of the host's is worth a worker's wake-up: the thread that calls can be told before it. A worker does not
// wait for another.
static bool goes_on_without_host(const mr_executable *e) {
  return e->after_host && !e->main.graph && e->after_host_ns >= MR_EXECUTE_INLINE_WAKES * e->wake_ns &&
         !mr_scheduler_on_any_worker();
}

// A worker does not wait, as it may be in the middle of what it would wait for; it has begun with the call, and mostly ended it.
static void await_host(const launch_state *s, mr_status status, mr_future *done) {
  if (MR_UNLIKELY(s->here && !status && done && !mr_future_is_set(done) && !mr_scheduler_on_any_worker())) {
    mr_future_wait(done);
  }
}

mr_status mr_execute(mr_executable *executable, mr_device *device, const mr_execute_options *options,
                     mr_buffer *const *arguments, size_t num_arguments, mr_buffer **out_results, mr_future **out_done) {
  enum { ON_STACK = 64 };
  *out_done = NULL;
  uint32_t params = executable->num_params, results = executable->num_results;
  MR_TRY(mr_execution_check(executable, arguments, num_arguments));
  if (MR_UNLIKELY(!device->direct || executable->for_target)) {
    MR_TRY(mr_executable_check_device(executable, device));
  }
  MR_TRY(check_number(executable, options));
  size_t count = 2 * (size_t)params + results;
  void *small[ON_STACK];
  bool small_flags[ON_STACK];
  size_t bytes = count * sizeof(void *) + params;
  void **slots = count <= ON_STACK ? small : mr_struct_alloc(bytes);
  if (!slots) {
    return MR_NO_MEMORY();
  }
  launch_state s = {
      .executable = executable,
      .device = device,
      .context = options ? options->context : NULL,
      .run = mr_trace_new_run(),
      .here = options && options->here,
      .stop_source = options ? options->stop : NULL,
      .deadline_ns = options ? options->deadline_ns : 0,
      .priority = options ? options->priority : 0,
      .holds = (mr_hold **)slots,
      .params = (mr_storage **)slots + params,
      .results = (mr_storage **)slots + 2 * (size_t)params,
      .donates = slots == small ? small_flags : (bool *)(slots + count),
      .numbers = {[ROW_PARTITION] = options ? options->partition : 0, [ROW_REPLICA] = options ? options->replica : 0}};
  memset(slots, 0, count * sizeof(void *));
  memset(out_results, 0, results * sizeof *out_results);
  mr_status status = mr_execution_hold(&s, arguments, options);
  if (!status) {
    // relaxed: how it was last.
    bool slow = atomic_load_explicit(&executable->host_is_slow, memory_order_relaxed);
    uint64_t takes = executable->cost_ns - atomic_load_explicit(&executable->less_ns, memory_order_relaxed);
    bool brief = takes < MR_EXECUTE_INLINE_WAKES * executable->wake_ns && !slow;
    bool here = (brief || s.here) && mr_execution_is_ready(&s) && limit_allows_here(&s);
    if (MR_UNLIKELY(here && !brief && device->direct && goes_on_without_host(executable))) {
      status = mr_execution_past_host(&s, out_results, out_done);
    } else {
      status = here && device->direct && !executable->main.may_pend
                   ? run_inline(&s, out_results)
                   : mr_execution_later(&s, here, out_results, out_done);
      await_host(&s, status, *out_done);
    }
  }
  if (slots != small) {
    mr_struct_free(slots, bytes);
  }
  return status;
}
