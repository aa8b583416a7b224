// One program over several devices as one run: a row for each.
//
// A short one whose arguments are there runs on the calling thread: every row's steps up to a meeting, one row after the other, then
// the meeting, and so on; nobody waits for anybody, and nothing is made to wait in. Else each row is a node of its own device, and those
// that come to a meeting leave their future there (collective/places.c).
//
// States of shared_row.kept:
//
//   NULL --the row is over and went well, or is to begin in step--> node --whoever takes it out ends it--> NULL
//
//   who                         operation              order, and with what it pairs                          at once
//   row                         store, NULL -> node    seq_cst, then it looks at `failed`                     who fails them
//   who fails them, last row    exchange, any -> NULL  seq_cst, after `failed`: one of the two sees the       row
//                                                      other; acquire of the node
//
// What fails one row fails the party, with which device it was, and so all that wait in meetings and all that come to one later. Where
// calls may fail at any time the ends of all rows are kept back until the last one is over, so that they fail together.
#include <pthread.h>
#include <string.h>

#include "compiler/run/context.h"
#include "compiler/run/run.h"
#include "futures/pool.h"

// Of one row. `kept`: its node when it is over, went well, and is to end with the others, or is to begin with them in step: whoever takes
// it out ends it. seq_cst with
// `failed`: who keeps a row does so and then looks whether all have failed, who fails them says so and then looks for what is kept, so
// that one of them sees the other.
typedef struct shared_row {
  _Atomic(mr_node *) kept;
  mr_call_context *context;  // with a reference while some row is not over, where it can be stopped
} shared_row;

struct rows_run {
  _Atomic(uint32_t) refs;
  uint32_t num_rows;
  bool together, in_step, calls_host;
  mr_group *cores;
  mr_party *party;            // owned
  mr_executable *executable;  // borrowed: the rows have it
  _Atomic(bool) failed;
  _Atomic(uint32_t) begun;  // in step: rows that could begin; acq_rel as the next
  // Rows that are not over; acq_rel: the last one sees what all have kept.
  _Atomic(uint32_t) left;
  // Rows whose inputs are not there, and rows that have not been told of as over: the run is at work from the end of the one to the end of
  // the other. acq_rel: who ends the second has seen the first.
  _Atomic(uint32_t) unready, untold;
  pthread_mutex_t lock;  // over what whoever stops the rows finds: the contexts, and this
  bool over;
  shared_row rows[];
};

mr_status mr_rows_note(mr_status take_status, const launch_state *s) {
  return s->executable->num_replicas > 1
             ? mr_status_note(take_status, "on device %d, replica %u, partition %u", s->device->id,
                              s->numbers[ROW_REPLICA], s->numbers[ROW_PARTITION])
             : mr_status_note(take_status, "on device %d, partition %u", s->device->id, s->numbers[ROW_PARTITION]);
}

// ---- What rows share --------------------------------------------------------------------------------------------------------

static size_t run_bytes(uint32_t num_rows) { return sizeof(rows_run) + num_rows * sizeof(shared_row); }

// Rows that meet and have nothing else to wait for are run in step by the last of them to begin, on one worker and whoever helps it: that
// wakes nobody for each row and meeting.
static bool run_in_step(const mr_executable *e, const rows_run *rows) {
  return e->in_step && (e->num_places || e->num_once) && !e->main.graph && !rows->together && mr_party_is_one_place();
}

mr_status mr_rows_create(launch_state *const *states, uint32_t num_rows, rows_run **out_rows) {
  mr_executable *e = states[0]->executable;
  rows_run *rows = *out_rows = mr_struct_alloc(run_bytes(num_rows));
  if (!rows) {
    return MR_NO_MEMORY();
  }
  memset(rows, 0, run_bytes(num_rows));
  atomic_init(&rows->refs, 1);
  atomic_init(&rows->left, num_rows);
  atomic_init(&rows->unready, num_rows);
  atomic_init(&rows->untold, num_rows);
  rows->num_rows = num_rows;
  rows->executable = e;
  rows->together = rows->calls_host = mr_executable_calls_host(e);
  pthread_mutex_init(&rows->lock, NULL);
  for (uint32_t i = 0; i < num_rows; i++) {
    mr_call_context *context = states[i]->context;
    if (context && context->stop) {
      mr_ref_retain(&context->ref);
      rows->rows[i].context = context;
    }
    rows->together |= !states[i]->device->direct;
  }
  rows->in_step = run_in_step(e, rows);
  rows->cores = mr_scheduler_group(mr_platform_scheduler(states[0]->device->platform), 0, 1);
  const mr_meeting_plan plan = {e->places, e->channels, e->num_places, e->num_channels};
  // A run of one strand waits in one place.
  mr_status status = mr_party_create(num_rows, e->num_strands == 1, rows->cores, &plan, &rows->party);
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

static mr_progress progress_of(const rows_run *rows) { return rows->calls_host ? MR_PROGRESS_HOST : MR_PROGRESS_OWN; }

void mr_rows_ready(rows_run *rows) {
  if (atomic_fetch_sub_explicit(&rows->unready, 1, memory_order_acq_rel) == 1) {
    mr_progress_begin(progress_of(rows));
  }
}

void mr_rows_told(rows_run *rows) {
  // Each row was ready before, so all of them were.
  if (atomic_fetch_sub_explicit(&rows->untold, 1, memory_order_acq_rel) == 1) {
    mr_progress_end(progress_of(rows));
  }
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

static mr_status error_of(const rows_run *rows) { return mr_party_error(rows->party); }

const mr_stop_word *mr_rows_word(const rows_run *rows) { return mr_party_word(rows->party); }

mr_group *mr_rows_cores(const launch_state *s) { return s->rows ? s->rows->cores : s->device->group; }

bool mr_rows_end_together(const rows_run *rows) { return rows->together; }

mr_status mr_rows_meet(const launch_state *s, const plan_step *step, void *const *buffers, bool stays,
                       mr_future **out_done) {
  uint64_t start = mr_trace_begin();
  mr_party *party = s->rows->party;
  mr_status status;
  *out_done = NULL;
  switch (step->mail) {
  case PLAN_SENDS: status = mr_party_send(party, step->meets_at, member_of(s), buffers); break;
  // The first is the token that it comes after.
  case PLAN_RECEIVES:
    status = mr_party_receive(party, step->meets_at, member_of(s), buffers + 1, stays, out_done);
    break;
  default: status = mr_party_meet(party, step->meets_at, member_of(s), buffers, stays, out_done); break;
  }
  mr_trace_op_span(MR_TRACE_STEP, step->trace, s->run, start);
  return status;
}

void mr_rows_wait(const launch_state *s, mr_future *done) { mr_party_wait(s->rows->party, done); }

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

// A row is over: true of the last one.
static bool count_off(rows_run *rows) {
  if (atomic_fetch_sub_explicit(&rows->left, 1, memory_order_acq_rel) != 1) {
    return false;
  }
  forget_contexts(rows);
  return true;
}

static mr_node *take_kept(rows_run *rows, uint32_t row) {
  return atomic_exchange_explicit(&rows->rows[row].kept, NULL, memory_order_seq_cst);
}

// A callback on one row's result may wait for another's.
static void end_kept(rows_run *rows) {
  mr_future_begin_sets();
  for (uint32_t i = 0; i < rows->num_rows; i++) {
    mr_node *node = take_kept(rows, i);
    if (node) {
      if (rows->in_step) {
        (void)count_off(rows);
      }
      mr_execution_end(node, error_of(rows));
    }
  }
  mr_future_end_sets();
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

void mr_rows_give_up(const launch_state *s, mr_status status) {
  mr_status known = error_of(s->rows);
  if (known) {
    mr_status_free(known);
  } else {
    const char *location = s->context ? s->context->location : NULL;
    mr_status noted = mr_status_retain(status);
    noted = location ? mr_status_note(noted, "called from %s", location) : noted;
    fail(s->rows, mr_rows_note(noted, s));
  }
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

// A row that went well ends with the others. True: with this one they all are over, or have failed, and it ends now.
static bool keep(rows_run *rows, uint32_t row, mr_node *node) {
  atomic_store_explicit(&rows->rows[row].kept, node, memory_order_seq_cst);
  bool last = count_off(rows);
  if (last) {
    mr_party_end(rows->party);  // who cancels one of them from here on comes too late for all
  }
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
      known = mr_rows_note(*inout_status, s);
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
  fail(rows, mr_rows_note(mr_status_retain(status), s));
  (void)count_off(rows);
}

// ---- In step ----------------------------------------------------------------------------------------------------------------

// All have begun: the nodes, taken out. False when some have ended, since the rows have failed.
static bool take_all(rows_run *rows, mr_node **nodes) {
  bool all = true;
  for (uint32_t i = 0; i < rows->num_rows; i++) {
    nodes[i] = take_kept(rows, i);
    all &= nodes[i] != NULL;
  }
  return all;
}

static void run_all_in_step(rows_run *rows) {
  enum { ON_STACK = 64 };
  uint32_t n = rows->num_rows;
  void *few[2 * ON_STACK], **room = n <= ON_STACK ? few : mr_struct_alloc(2 * (size_t)n * sizeof *room);
  if (!room) {
    fail(rows, MR_NO_MEMORY());
    return;
  }
  mr_node **nodes = (mr_node **)room;
  launch_state **states = (launch_state **)(room + n);
  if (take_all(rows, nodes)) {
    for (uint32_t i = 0; i < n; i++) {
      states[i] = mr_execution_state(nodes[i]);
    }
    mr_status status = mr_rows_run_in_step(rows->executable, states, n, rows->cores);
    if (status) {
      fail(rows, status);
    } else {
      mr_party_end(rows->party);
    }
  }
  mr_future_begin_sets();
  for (uint32_t i = 0; i < n; i++) {
    if (nodes[i]) {
      (void)count_off(rows);
      mr_execution_end(nodes[i], error_of(rows));
    }
  }
  mr_future_end_sets();
  if (room != few) {
    mr_struct_free(room, 2 * (size_t)n * sizeof *room);
  }
}

bool mr_rows_are_in_step(const rows_run *rows) { return rows->in_step; }

void mr_rows_begin(const launch_state *s, mr_node *node) {
  rows_run *rows = mr_rows_retain(s->rows);
  // From here on others may end the node.
  atomic_store_explicit(&rows->rows[s->row].kept, node, memory_order_seq_cst);
  if (atomic_fetch_add_explicit(&rows->begun, 1, memory_order_acq_rel) + 1 == rows->num_rows) {
    run_all_in_step(rows);
  } else if (atomic_load_explicit(&rows->failed, memory_order_seq_cst)) {
    end_kept(rows);
  }
  mr_rows_release(rows);
}
