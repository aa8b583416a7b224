// The call: one execution of a plan, on one device or a row on each of several. Small ones whose arguments are there run on the caller's thread;
// others are nodes.
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

// ---- Arguments ------------------------------------------------------------------------------------------------------------

static inline __attribute__((always_inline)) mr_status check_argument(const mr_executable *e, uint32_t i,
                                                                      const mr_buffer *buffer) {
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

static inline __attribute__((always_inline)) mr_status check_arguments(const mr_executable *e,
                                                                       mr_buffer *const *arguments,
                                                                       size_t num_arguments) {
  if (num_arguments != e->num_params) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu arguments were given to a program of %u parameters", num_arguments,
                    e->num_params);
  }
  for (uint32_t i = 0; i < e->num_params; i++) {
    MR_TRY(check_argument(e, i, arguments[i]));
  }
  return MR_OK;
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
    mr_execution_give_back(s);
  }
  return status;
}

static bool is_ready(const launch_state *s) {
  for (uint32_t i = 0; i < s->executable->num_params; i++) {
    mr_future *ready = mr_hold_ready(s->holds[i]);
    if (ready && !(mr_future_is_set(ready) && mr_future_status(ready) == MR_OK)) {
      return false;
    }
  }
  return true;
}

// ---- One row ----------------------------------------------------------------------------------------------------------------

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

static inline mr_status launch_one(launch_state *s, mr_row *row) {
  mr_executable *e = s->executable;
  // relaxed: how it was last.
  bool slow = atomic_load_explicit(&e->host_is_slow, memory_order_relaxed), direct = s->device->direct;
  uint64_t takes = e->cost_ns - atomic_load_explicit(&e->less_ns, memory_order_relaxed);
  bool brief = takes < MR_EXECUTE_INLINE_WAKES * e->wake_ns && !slow;
  bool here = (brief || s->here) && !s->elsewhere && is_ready(s) && limit_allows_here(s);
  if (MR_UNLIKELY(here && !brief && direct && goes_on_without_host(e))) {
    return mr_execution_past_host(s, row->results, &row->done);
  }
  mr_status status = here && direct && !e->main.may_pend ? run_inline(s, row->results)
                                                         : mr_execution_later(s, here, row->results, &row->done);
  await_host(s, status, row->done);
  return status;
}

// ---- Several ----------------------------------------------------------------------------------------------------------------

// The rows of one call, which hold their arguments. A call for one device is one of one row.
typedef struct launch {
  mr_executable *executable;
  mr_row *rows;
  launch_state **states;  // by row
  uint32_t count;
} launch;

static void give_back(const launch *l, uint32_t first) {
  for (uint32_t i = first; i < l->count; i++) {
    mr_execution_give_back(l->states[i]);
  }
}

static void undo_nodes(const launch *l, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    mr_execution_undo(mr_node_of_done(l->rows[i].done));
    mr_future_release(l->rows[i].done);
    l->rows[i].done = NULL;
    for (uint32_t k = 0; k < l->executable->num_results; k++) {
      mr_buffer_release(l->rows[i].results[k]);
      l->rows[i].results[k] = NULL;
    }
  }
}

static mr_status launch_later(const launch *l) {
  rows_run *rows;
  mr_status status = mr_rows_create(l->states, l->count, &rows);
  if (status) {
    give_back(l, 0);
    return status;
  }
  for (uint32_t i = 0; i < l->count; i++) {
    mr_node *node;
    // Those that only say that they could begin do so where they are submitted.
    bool here = mr_rows_are_in_step(rows) && i + 1 < l->count;
    l->states[i]->rows = rows;
    status = mr_execution_make(l->states[i], here, l->rows[i].results, &node);
    if (status) {
      undo_nodes(l, i);
      give_back(l, i + 1);
      mr_rows_release(rows);
      return mr_status_note(status, "row %u", i);
    }
    l->rows[i].done = mr_future_retain(mr_node_done(node));
  }
  for (uint32_t i = 0; i < l->count; i++) {
    mr_execution_submit(&l->rows[i].done);
  }
  mr_rows_release(rows);
  for (uint32_t i = 0; i < l->count; i++) {
    mr_admit_wait(l->states[i]);
  }
  return MR_OK;
}

static bool runs_here(const launch *l) {
  const mr_executable *e = l->executable;
  // relaxed: how it was last.
  bool slow = atomic_load_explicit(&e->host_is_slow, memory_order_relaxed);
  bool here =
      e->in_step && !slow && e->cost_ns * l->count < MR_EXECUTE_INLINE_WAKES * e->wake_ns && mr_party_is_one_place();
  for (uint32_t i = 0; here && i < l->count; i++) {
    here = l->states[i]->device->direct && !l->states[i]->elsewhere && is_ready(l->states[i]) &&
           limit_allows_here(l->states[i]);
  }
  return here;
}

static mr_status launch_several(const launch *l) {
  if (!runs_here(l)) {
    return launch_later(l);
  }
  for (uint32_t i = 0; i < l->count; i++) {
    l->states[i]->buffers = l->rows[i].results;
  }
  return mr_rows_run_in_step(l->executable, l->states, l->count, NULL);
}

// ---- The call ---------------------------------------------------------------------------------------------------------------

static inline mr_status check_number(const mr_executable *e, const mr_row *row) {
  return MR_LIKELY(row->replica < e->num_replicas && row->partition < e->num_partitions)
             ? MR_OK
             : mr_error(MR_INVALID_ARGUMENT, "replica %u, partition %u of %u replicas of %u partitions", row->replica,
                        row->partition, e->num_replicas, e->num_partitions);
}

static inline mr_status check_row(const mr_executable *e, const mr_row *row, size_t num_arguments) {
  MR_TRY(check_number(e, row));
  if (MR_UNLIKELY(!row->device->direct || e->for_target)) {
    MR_TRY(mr_executable_check_device(e, row->device));
  }
  return check_arguments(e, row->arguments, num_arguments);
}

// What a row's arrays take.
static inline size_t words_of(const mr_executable *e) {
  return 2 * (size_t)e->num_params + e->num_results + (e->num_params + sizeof(void *) - 1) / sizeof(void *);
}

// `arrays`: zeros, words_of().
static inline void init_state(launch_state *s, mr_executable *e, mr_row *row, uint32_t i, uint64_t run, void **arrays) {
  const mr_execute_options *options = row->options;
  memset(s, 0, sizeof *s);
  s->executable = e;
  s->device = row->device;
  s->run = run;
  s->row = i;
  s->holds = (mr_hold **)arrays;
  s->params = (mr_storage **)arrays + e->num_params;
  s->results = (mr_storage **)arrays + 2 * (size_t)e->num_params;
  s->donates = (bool *)(arrays + 2 * (size_t)e->num_params + e->num_results);
  s->numbers[ROW_PARTITION] = row->partition;
  s->numbers[ROW_REPLICA] = row->replica;
  if (options) {
    s->context = options->context;
    s->here = options->here;
    s->stop_source = options->stop;
    s->deadline_ns = options->deadline_ns;
    s->priority = options->priority;
    s->elsewhere = options->elsewhere;
    s->unheld = options->unheld;
  }
  row->done = NULL;
  memset(row->results, 0, e->num_results * sizeof *row->results);
}

// Each device of the program's has one row. `seen`: zeros, one for each.
static mr_status check_numbers(const launch *l, bool *seen) {
  for (uint32_t i = 0; i < l->count; i++) {
    bool *mine = &seen[member_of(l->states[i])];
    if (*mine) {
      return mr_error(MR_INVALID_ARGUMENT, "two rows are replica %u, partition %u", l->rows[i].replica,
                      l->rows[i].partition);
    }
    *mine = true;
  }
  return MR_OK;
}

static mr_status hold_all(const launch *l) {
  for (uint32_t i = 0; i < l->count; i++) {
    mr_status status = hold_arguments(l->states[i], l->rows[i].arguments, l->rows[i].options);
    if (status) {
      for (uint32_t k = 0; k < i; k++) {
        mr_execution_give_back(l->states[k]);
      }
      return mr_status_note(status, "row %u", i);
    }
  }
  return MR_OK;
}

// Blocks of the host's for results.
static void take_places(launch_state *s, const mr_execute_options *options) {
  for (uint32_t k = 0; options && options->places && k < s->executable->num_results; k++) {
    s->results[k] = options->places[k] ? mr_storage_retain(options->places[k]) : NULL;
  }
}

static void drop_places(launch_state *s) {
  for (uint32_t k = 0; k < s->executable->num_results; k++) {
    mr_storage_release(s->results[k]);
  }
}

static mr_status execute_one(mr_executable *e, mr_row *row, size_t num_arguments) {
  enum { ON_STACK = 72 };
  MR_TRY(check_row(e, row, num_arguments));
  const size_t words = words_of(e);
  void *small[ON_STACK], **arrays = words <= ON_STACK ? small : mr_struct_alloc(words * sizeof *arrays);
  if (!arrays) {
    return MR_NO_MEMORY();
  }
  launch_state s;
  memset(arrays, 0, words * sizeof *arrays);
  init_state(&s, e, row, 0, mr_trace_new_run(), arrays);
  mr_status status = hold_arguments(&s, row->arguments, row->options);
  if (MR_LIKELY(!status)) {
    take_places(&s, row->options);
    status = launch_one(&s, row);
  }
  if (MR_UNLIKELY(status != MR_OK)) {
    drop_places(&s);
  }
  if (arrays != small) {
    mr_struct_free(arrays, words * sizeof *arrays);
  }
  return status;
}

static mr_status execute_several(mr_executable *e, mr_row *rows, uint32_t count, size_t num_arguments) {
  for (uint32_t i = 0; i < count; i++) {
    mr_status status = check_row(e, &rows[i], num_arguments);
    if (status) {
      return mr_status_note(status, "row %u", i);
    }
  }
  const size_t words = words_of(e);
  const size_t each = sizeof(launch_state) + (words + 1) * sizeof(void *) + sizeof(bool);
  launch_state *states = mr_struct_alloc(count * each);
  if (!states) {
    return MR_NO_MEMORY();
  }
  launch l = {.executable = e, .rows = rows, .states = (launch_state **)(void *)(states + count), .count = count};
  void **arrays = (void **)l.states + count;
  memset(arrays, 0, count * (words * sizeof *arrays + sizeof(bool)));
  const uint64_t run = mr_trace_new_run();
  for (uint32_t i = 0; i < count; i++) {
    l.states[i] = &states[i];
    init_state(&states[i], e, &rows[i], i, run, arrays + i * words);
  }
  mr_status status = check_numbers(&l, (bool *)(arrays + count * words));
  status = status ? status : hold_all(&l);
  status = status ? status : launch_several(&l);
  mr_struct_free(states, count * each);
  return status;
}

mr_status mr_execute(mr_executable *executable, mr_device *device, const mr_execute_options *options,
                     mr_buffer *const *arguments, size_t num_arguments, mr_buffer **out_results, mr_future **out_done) {
  *out_done = NULL;
  if (MR_UNLIKELY(executable->num_places + executable->num_channels)) {  // nobody would wait for it
    return mr_error(MR_INVALID_ARGUMENT, "one row of a program over %u replicas of %u partitions, which meet",
                    executable->num_replicas, executable->num_partitions);
  }
  mr_row row = {.device = device,
                .replica = options ? options->replica : 0,
                .partition = options ? options->partition : 0,
                .options = options,
                .arguments = arguments,
                .results = out_results};
  mr_status status = execute_one(executable, &row, num_arguments);
  *out_done = row.done;
  return status;
}

mr_status mr_execute_rows(mr_executable *executable, mr_row *rows, size_t num_rows, size_t num_arguments) {
  const mr_executable *e = executable;
  if (num_rows != (size_t)e->num_replicas * e->num_partitions) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu rows for a program over %u replicas of %u partitions", num_rows,
                    e->num_replicas, e->num_partitions);
  }
  MR_TRY(check_number(e, rows));
  return num_rows > 1 ? execute_several(executable, rows, (uint32_t)num_rows, num_arguments)
                      : mr_execute(executable, rows->device, rows->options, rows->arguments, num_arguments,
                                   rows->results, &rows->done);
}
