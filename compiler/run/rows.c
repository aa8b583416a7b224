// One program over several devices as one run: a row for each.
//
// A short one whose arguments are there runs on the calling thread: every row's steps up to a meeting, one row after the other, then
// the meeting, and so on; nobody waits for anybody, and nothing is made to wait in. Else each row is a node of its own device, and those
// that come to a meeting leave their future there (collective/party.c).
//
// What fails one row fails the party, with which device it was, and so all that wait in meetings and all that come to one later. Where
// calls may fail at any time the ends of all rows are kept back until the last one is over, so that they fail together.
#include <pthread.h>
#include <string.h>

#include "compiler/run/context.h"
#include "compiler/run/run.h"
#include "compiler/run/subnormal.h"
#include "futures/pool.h"

// Of one row. `kept`: its node when it is over, went well, and is to end with the others: whoever takes it out ends it. seq_cst with
// `failed`: who keeps a row does so and then looks whether all have failed, who fails them says so and then looks for what is kept, so
// that one of them sees the other.
typedef struct shared_row {
  _Atomic(mr_node *) kept;
  mr_call_context *context;  // with a reference while some row is not over, where it can be stopped
} shared_row;

struct rows_run {
  _Atomic(uint32_t) refs;
  uint32_t num_rows;
  bool together;
  mr_party *party;            // owned
  mr_executable *executable;  // borrowed: the rows have it
  _Atomic(bool) failed;
  // Rows that are not over; acq_rel: the last one sees what all have kept.
  _Atomic(uint32_t) left;
  pthread_mutex_t lock;  // over what whoever stops the rows finds: the contexts, and this
  bool over;
  shared_row rows[];
};

static uint32_t member_of(const launch_state *s) {
  return s->numbers[ROW_REPLICA] * s->executable->num_partitions + s->numbers[ROW_PARTITION];
}

static mr_status note_row(mr_status take_status, const launch_state *s) {
  return s->executable->num_replicas > 1
             ? mr_status_note(take_status, "on device %d, replica %u, partition %u", s->device->id,
                              s->numbers[ROW_REPLICA], s->numbers[ROW_PARTITION])
             : mr_status_note(take_status, "on device %d, partition %u", s->device->id, s->numbers[ROW_PARTITION]);
}

// ---- What rows share --------------------------------------------------------------------------------------------------------

static size_t run_bytes(uint32_t num_rows) { return sizeof(rows_run) + num_rows * sizeof(shared_row); }

static bool calls_host(const plan_sequence *sequence) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    const plan_step *step = &sequence->steps[i];
    if (step->kind == STEP_LIBRARY && step->library->calls_host) {
      return true;
    }
    for (uint32_t r = 0; r < step->num_sequences; r++) {
      if (calls_host(&step->sequences[r])) {
        return true;
      }
    }
  }
  return false;
}

static mr_status create_run(const launch_state *states, uint32_t num_rows, rows_run **out_rows) {
  mr_executable *e = states[0].executable;
  rows_run *rows = *out_rows = mr_struct_alloc(run_bytes(num_rows));
  if (!rows) {
    return MR_NO_MEMORY();
  }
  memset(rows, 0, run_bytes(num_rows));
  atomic_init(&rows->refs, 1);
  atomic_init(&rows->left, num_rows);
  rows->num_rows = num_rows;
  rows->executable = e;
  rows->together = calls_host(&e->main);
  pthread_mutex_init(&rows->lock, NULL);
  for (uint32_t i = 0; i < num_rows; i++) {
    mr_call_context *context = states[i].context;
    if (context && context->stop) {
      mr_ref_retain(&context->ref);
      rows->rows[i].context = context;
    }
    rows->together |= !states[i].device->direct;
  }
  mr_group *cores = mr_scheduler_group(mr_platform_scheduler(states[0].device->platform), 0, 1);
  mr_status status = mr_party_create(num_rows, cores, e->places, e->num_places, &rows->party);
  if (status) {
    mr_rows_release(rows);
    *out_rows = NULL;
  }
  return status;
}

rows_run *mr_rows_retain(rows_run *rows) {
  // relaxed: the caller has a reference already.
  atomic_fetch_add_explicit(&rows->refs, 1, memory_order_relaxed);
  return rows;
}

// Nothing is to be stopped any more.
static void forget_contexts(rows_run *rows) {
  pthread_mutex_lock(&rows->lock);
  rows->over = true;
  pthread_mutex_unlock(&rows->lock);
  for (uint32_t i = 0; i < rows->num_rows; i++) {
    mr_call_context_release(rows->rows[i].context);
    rows->rows[i].context = NULL;
  }
}

void mr_rows_release(rows_run *rows) {
  // acq_rel: what others did with it comes before it is freed.
  if (rows && atomic_fetch_sub_explicit(&rows->refs, 1, memory_order_acq_rel) == 1) {
    forget_contexts(rows);
    mr_party_release(rows->party);
    pthread_mutex_destroy(&rows->lock);
    mr_struct_free(rows, run_bytes(rows->num_rows));
  }
}

// The first error of all rows, with one more reference.
static mr_status error_of(const rows_run *rows) { return mr_party_error(rows->party); }

bool mr_rows_end_together(const rows_run *rows) { return rows->together; }

mr_status mr_rows_meet(const launch_state *s, const plan_step *step, void *const *buffers, mr_future **out_done) {
  uint64_t start = mr_trace_begin();
  mr_status status = mr_party_meet(s->rows->party, step->meets_at, member_of(s), buffers, out_done);
  mr_trace_end(MR_TRACE_STEP, step->name, start);
  return status;
}

// ---- Ends -------------------------------------------------------------------------------------------------------------------

// What calls of the host's the rows wait for hear of it.
static void stop(rows_run *rows, mr_status status) {
  for (uint32_t i = 0; i < rows->num_rows; i++) {
    pthread_mutex_lock(&rows->lock);
    mr_call_context *context = rows->over ? NULL : rows->rows[i].context;
    if (context) {
      mr_ref_retain(&context->ref);
    }
    pthread_mutex_unlock(&rows->lock);
    if (context) {
      context->stop(context, status);
      mr_call_context_release(context);
    }
  }
}

static mr_node *take_kept(rows_run *rows, uint32_t row) {
  return atomic_exchange_explicit(&rows->rows[row].kept, NULL, memory_order_seq_cst);
}

static void end_kept(rows_run *rows) {
  for (uint32_t i = 0; i < rows->num_rows; i++) {
    mr_node *node = take_kept(rows, i);
    if (node) {
      mr_execution_end(node, error_of(rows));
    }
  }
}

// The caller has the run, and so its references stay.
static void fail(rows_run *rows, mr_status take_status) {
  mr_status status = mr_status_retain(take_status);
  mr_party_fail(rows->party, take_status);
  atomic_store_explicit(&rows->failed, true, memory_order_seq_cst);
  stop(rows, status);
  end_kept(rows);
  mr_status_free(status);
}

void mr_rows_cancel(rows_run *rows, mr_status status) {
  pthread_mutex_lock(&rows->lock);
  mr_executable *e = rows->over ? NULL : mr_executable_retain(rows->executable);
  pthread_mutex_unlock(&rows->lock);
  if (e) {
    fail(rows, mr_status_retain(status));
    mr_executable_release(e);
  }
}

// A row is over: true of the last one.
static bool count_off(rows_run *rows) {
  if (atomic_fetch_sub_explicit(&rows->left, 1, memory_order_acq_rel) != 1) {
    return false;
  }
  forget_contexts(rows);
  return true;
}

// A row that went well ends with the others. True: with this one they all are over, or have failed, and it ends now.
static bool keep(rows_run *rows, uint32_t row, mr_node *node) {
  atomic_store_explicit(&rows->rows[row].kept, node, memory_order_seq_cst);
  bool last = count_off(rows);
  if (!last && !atomic_load_explicit(&rows->failed, memory_order_seq_cst)) {
    return false;
  }
  bool mine = take_kept(rows, row) != NULL;
  if (last) {
    end_kept(rows);
  }
  return mine;
}

bool mr_rows_over(const launch_state *s, mr_node *node, mr_status *inout_status) {
  rows_run *rows = s->rows;
  bool failed = *inout_status != MR_OK, ends = true;
  if (failed) {
    mr_status known = error_of(rows);
    if (known) {
      mr_status_free(*inout_status);
    } else {
      known = note_row(*inout_status, s);
    }
    fail(rows, known);
  } else {
    mr_party_leave(rows->party, member_of(s));
  }
  // Others may end this one as soon as it is kept.
  mr_rows_retain(rows);
  if (failed || !rows->together) {
    (void)count_off(rows);
  } else {
    ends = keep(rows, s->row, node);
  }
  *inout_status = ends ? error_of(rows) : MR_OK;
  mr_rows_release(rows);
  return ends;
}

void mr_rows_fail(const launch_state *s, mr_status status) {
  rows_run *rows = s->rows;
  fail(rows, note_row(mr_status_retain(status), s));
  (void)count_off(rows);
}

// ---- The call ---------------------------------------------------------------------------------------------------------------

// All rows of one call.
typedef struct rows_call {
  mr_executable *executable;
  mr_row *rows;
  launch_state *states;
  uint32_t count;
} rows_call;

static mr_status check_rows(const mr_executable *e, const mr_row *rows, size_t num_rows, size_t num_arguments) {
  if (num_rows != (size_t)e->num_replicas * e->num_partitions) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu rows for a program over %u replicas of %u partitions", num_rows,
                    e->num_replicas, e->num_partitions);
  }
  for (size_t i = 0; i < num_rows; i++) {
    if (rows[i].replica >= e->num_replicas || rows[i].partition >= e->num_partitions) {
      return mr_error(MR_INVALID_ARGUMENT, "row %zu is replica %u, partition %u of %u replicas of %u partitions", i,
                      rows[i].replica, rows[i].partition, e->num_replicas, e->num_partitions);
    }
    mr_status status = mr_execution_check(e, rows[i].arguments, num_arguments);
    if (status) {
      return mr_status_note(status, "row %zu", i);
    }
  }
  return MR_OK;
}

// Each device of the program's has one row. `seen`: zeros, one for each.
static mr_status check_numbers(const rows_call *call, bool *seen) {
  for (uint32_t i = 0; i < call->count; i++) {
    bool *mine = &seen[member_of(&call->states[i])];
    if (*mine) {
      return mr_error(MR_INVALID_ARGUMENT, "two rows are replica %u, partition %u", call->rows[i].replica,
                      call->rows[i].partition);
    }
    *mine = true;
  }
  return MR_OK;
}

static void give_back(const rows_call *call, uint32_t first) {
  for (uint32_t i = first; i < call->count; i++) {
    mr_execution_give_back(&call->states[i]);
  }
}

static mr_status hold_all(const rows_call *call) {
  for (uint32_t i = 0; i < call->count; i++) {
    mr_status status = mr_execution_hold(&call->states[i], call->rows[i].arguments, call->rows[i].options);
    if (status) {
      for (uint32_t k = 0; k < i; k++) {
        mr_execution_give_back(&call->states[k]);
      }
      return mr_status_note(status, "row %u", i);
    }
  }
  return MR_OK;
}

// ---- As nodes -----------------------------------------------------------------------------------------------------------------

static void undo_nodes(const rows_call *call, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    mr_execution_undo(mr_node_of_done(call->rows[i].done));
    mr_future_release(call->rows[i].done);
    call->rows[i].done = NULL;
    for (uint32_t k = 0; k < call->executable->num_results; k++) {
      mr_buffer_release(call->rows[i].results[k]);
      call->rows[i].results[k] = NULL;
    }
  }
}

static mr_status run_later(const rows_call *call, bool here) {
  rows_run *rows;
  mr_status status = create_run(call->states, call->count, &rows);
  if (status) {
    give_back(call, 0);
    return status;
  }
  for (uint32_t i = 0; i < call->count; i++) {
    mr_node *node;
    call->states[i].rows = rows;
    status = mr_execution_make(&call->states[i], here, call->rows[i].results, &node);
    if (status) {
      undo_nodes(call, i);
      give_back(call, i + 1);
      mr_rows_release(rows);
      return mr_status_note(status, "row %u", i);
    }
    call->rows[i].done = mr_future_retain(mr_node_done(node));
  }
  for (uint32_t i = 0; i < call->count; i++) {
    mr_node_submit(mr_node_of_done(call->rows[i].done));
  }
  mr_rows_release(rows);
  return MR_OK;
}

// ---- On this thread -----------------------------------------------------------------------------------------------------------

// Rows that run in step. By row: addresses of its buffers, of a step's, and its temporaries.
typedef struct in_step {
  const rows_call *call;
  frame *frames;
  mr_storage **temps;
  void ***arguments;    // of a step, by row
  void ***members;      // arguments by member of the program
  void *const **ranks;  // room for a group's
  uint32_t opened;      // rows that have their memory
} in_step;

static mr_status open_all(in_step *x, void **pointers, mr_content *contents) {
  mr_executable *e = x->call->executable;
  size_t words = (size_t)e->num_buffers + e->max_step_buffers;
  for (uint32_t i = 0; i < x->call->count; i++, pointers += words) {
    launch_state *s = &x->call->states[i];
    s->contents = e->wants_contents ? contents + (size_t)i * e->num_params : NULL;
    s->buffers = x->call->rows[i].results;
    x->arguments[i] = pointers + e->num_buffers;
    x->members[member_of(s)] = x->arguments[i];
    x->frames[i] = (frame){e, pointers, s->contents, s->device->group, false};
    x->opened = i + 1;
    mr_status status = mr_execution_open(s, pointers, &x->temps[i]);
    if (status) {
      return note_row(status, s);
    }
  }
  return MR_OK;
}

static mr_status run_between(const in_step *x, uint32_t first, uint32_t end) {
  for (uint32_t i = 0; first < end && i < x->call->count; i++) {
    const launch_state *s = &x->call->states[i];
    uint64_t start = mr_trace_begin();
    mr_trace_device = s->device->id;
    mr_call_context *before = mr_call_context_enter(s->context);
    mr_status status = mr_steps_run_some(&x->frames[i], &x->call->executable->main, first, end, x->arguments[i]);
    mr_call_context_enter(before);
    mr_trace_end(MR_TRACE_NODE, trace_name(x->call->executable), start);
    if (status) {
      return note_row(status, s);
    }
  }
  return MR_OK;
}

static mr_status meet_all(const in_step *x, const plan_step *step) {
  const mr_collective *call = step->library->meets;
  const mr_groups *groups = mr_collective_groups(call);
  uint64_t start = mr_trace_begin();
  for (uint32_t i = 0; i < x->call->count; i++) {
    mr_step_gather(&x->frames[i], step, x->arguments[i]);
    uint32_t member = member_of(&x->call->states[i]);
    if (groups->group_of[member] == MR_NO_GROUP) {
      mr_collective_run_alone(call, x->members[member]);
    }
  }
  mr_status status = MR_OK;
  for (uint32_t g = 0; g < groups->num_groups && !status; g++) {
    for (uint32_t i = groups->offsets[g]; i < groups->offsets[g + 1]; i++) {
      x->ranks[i - groups->offsets[g]] = x->members[groups->members[i]];
    }
    status = mr_collective_run(call, g, x->ranks, NULL);
  }
  mr_trace_end(MR_TRACE_STEP, step->name, start);
  return status;
}

static mr_status run_steps(const in_step *x) {
  const plan_sequence *sequence = &x->call->executable->main;
  uint32_t first = 0;
  for (uint32_t i = 0; i < sequence->count; i++) {
    const plan_step *step = &sequence->steps[i];
    if (step->kind == STEP_LIBRARY && step->library->meets) {
      MR_TRY(run_between(x, first, i));
      MR_TRY(meet_all(x, step));
      first = i + 1;
    }
  }
  return run_between(x, first, sequence->count);
}

static mr_status run_all(in_step *x, void **pointers, mr_content *contents) {
  unsigned mode = mr_subnormals_flush();
  int16_t device = (int16_t)mr_trace_device;
  mr_status status = open_all(x, pointers, contents);
  status = status ? status : run_steps(x);
  mr_trace_device = device;
  mr_subnormals_restore(mode);
  for (uint32_t i = 0; i < x->opened; i++) {
    mr_storage_release(x->temps[i]);
    mr_execution_close(&x->call->states[i], status != MR_OK);
  }
  give_back(x->call, x->opened);
  return status;
}

// Without meetings each row is a short execution of its own; with some they run in step.
static mr_status run_here(const rows_call *call) {
  const mr_executable *e = call->executable;
  size_t n = call->count, words = (size_t)e->num_buffers + e->max_step_buffers;
  size_t contents = e->wants_contents ? n * e->num_params * sizeof(mr_content) : 0;
  size_t frames = n * words * sizeof(void *) + 4 * n * sizeof(void *), end = frames + n * sizeof(frame) + contents;
  char *block = mr_struct_alloc(end);
  if (!block) {
    give_back(call, 0);
    return MR_NO_MEMORY();
  }
  void **at = (void **)(void *)block + n * words;
  in_step x = {.call = call, .frames = (frame *)(void *)(block + frames)};
  x.temps = (mr_storage **)at;
  x.arguments = (void ***)(at + n);
  x.members = (void ***)(at + 2 * n);
  x.ranks = (void *const **)(at + 3 * n);
  memset(x.temps, 0, n * sizeof *x.temps);
  mr_status status = run_all(&x, (void **)(void *)block, (mr_content *)(void *)(x.frames + n));
  mr_struct_free(block, end);
  return status;
}

static bool runs_here(const rows_call *call) {
  const mr_executable *e = call->executable;
  // relaxed: how it was last.
  bool slow = atomic_load_explicit(&e->host_is_slow, memory_order_relaxed);
  bool here = e->in_step && !slow && e->cost_ns * call->count < MR_EXECUTE_INLINE_WAKES * e->wake_ns;
  for (uint32_t i = 0; here && i < call->count; i++) {
    here = call->states[i].device->direct && mr_execution_is_ready(&call->states[i]);
  }
  return here;
}

// ---- Entering -----------------------------------------------------------------------------------------------------------------

static size_t row_bytes(const mr_executable *e) {
  size_t bytes = sizeof(launch_state) + (2 * (size_t)e->num_params + e->num_results) * sizeof(void *) + e->num_params;
  return (bytes + sizeof(void *)) & ~(sizeof(void *) - 1);
}

// `block`: zeros, row_bytes() for each row, and a flag for each.
static void init_states(const rows_call *call, char *block) {
  const mr_executable *e = call->executable;
  char *at = block + call->count * sizeof(launch_state);
  for (uint32_t i = 0; i < call->count; i++) {
    const mr_row *row = &call->rows[i];
    launch_state *s = &call->states[i];
    *s = (launch_state){.executable = call->executable,
                        .device = row->device,
                        .context = row->options ? row->options->context : NULL,
                        .numbers = {[ROW_PARTITION] = row->partition, [ROW_REPLICA] = row->replica},
                        .row = i};
    s->holds = (mr_hold **)(void *)at;
    s->params = (mr_storage **)(void *)(s->holds + e->num_params);
    s->results = s->params + e->num_params;
    s->donates = (bool *)(s->results + e->num_results);
    at += row_bytes(e) - sizeof(launch_state);
    call->rows[i].done = NULL;
    memset(row->results, 0, e->num_results * sizeof *row->results);
  }
}

mr_status mr_execute_rows(mr_executable *executable, mr_row *rows, size_t num_rows, size_t num_arguments) {
  MR_TRY(check_rows(executable, rows, num_rows, num_arguments));
  if (num_rows == 1) {
    return mr_execute(executable, rows->device, rows->options, rows->arguments, num_arguments, rows->results,
                      &rows->done);
  }
  size_t bytes = num_rows * row_bytes(executable), all = bytes + num_rows * sizeof(bool);
  char *block = mr_struct_alloc(all);
  if (!block) {
    return MR_NO_MEMORY();
  }
  memset(block, 0, all);
  rows_call call = {executable, rows, (launch_state *)(void *)block, (uint32_t)num_rows};
  init_states(&call, block);
  mr_status status = check_numbers(&call, (bool *)(block + bytes));
  status = status ? status : hold_all(&call);
  if (!status) {
    status = runs_here(&call) ? run_here(&call) : run_later(&call, false);
  }
  mr_struct_free(block, all);
  return status;
}
