// run: what the files of compiler/run know of each other.
//
//   run.c      the call, for one device or several: arguments checked and held, here and now or later
//   stop.c     what ends an execution before it ends by itself
//   admit.c    what is queued counts for its device, and holds up who queues too much
//   memory.c   what an execution owns, taken and let go of
//   machine.c  steps in order, with loops and branches: the only interpreter of a plan
//   steps.c    one step on the calling thread
//   later.c    an execution as a node
//   freeze.c   what a run has to know of a plan before the first one
//   due.c      how far a row goes on beside a meeting that it has come to
//   rows.c     what the rows of one program over several devices have in common, and their ends
//   in_step.c  its rows by one thread, from meeting to meeting
//   once.c     what its rows have in common
//   submit.c   steps as work that is submitted to a device that takes its time
//   loaded.c   the kernels and constants that such a device has of a plan
//   strand.c   a machine that may wait, and stretches of steps beside each other: a run that holds no thread while it waits
//   staged.c   its calls of the host's, on a device whose memory is not the host's
#ifndef MR_COMPILER_RUN_RUN_H
#define MR_COMPILER_RUN_RUN_H

#include "compiler/plan/plan.h"
#include "compiler/run/tuning.h"

typedef struct launch_state launch_state;
typedef struct rows_run rows_run;
typedef struct once_for_all once_for_all;

// ---- Steps (steps.c) ----------------------------------------------------------------------------------------------------

typedef struct frame {
  mr_executable *executable;
  void **pointers;           // by buffer number
  const mr_content *params;  // by parameter: what was passed
  mr_group *group;
  bool close;           // brief steps are traced as well
  uint64_t run;         // in traces
  mr_stop_token *stop;  // the execution's, or of all rows together
} frame;

// What an execution looks at to see whether it is to end: its own word as of launch_state, and its platform's.
mr_stop_token mr_execution_token(const launch_state *s);
// Looked at between two steps: another row has failed, or the execution is to end.
static inline mr_status frame_is_stopped(const frame *f) {
  return MR_LIKELY(!mr_stop_is_asked(f->stop->run)) ? MR_OK : mr_stop_reason(f->stop->run);
}

// The addresses of a step's buffers, into `out`, which is returned.
void **mr_step_gather(const frame *f, const plan_step *step, void **out);
// A step that has no control flow. `arguments`: room for the most buffers that a step has.
mr_status mr_step_run(const frame *f, const plan_step *step, void **arguments) MR_WARN_UNUSED;
// Steps of a sequence of which nothing is waited for, those from `first` on, before `end`, with all that is in them (machine.c).
mr_status mr_machine_run(const frame *f, const plan_sequence *sequence, uint32_t first, uint32_t end,
                         void **arguments) MR_WARN_UNUSED;
// A library call that may end later.
mr_status mr_step_start(const frame *f, const plan_step *step, void **arguments, mr_future **out_done) MR_WARN_UNUSED;
// Around a call into the host: whether it is long is remembered. CANCELLED when the host or the process is ending; there is nothing to
// end then.
typedef struct host_call {
  uint64_t start;
  bool begun;
} host_call;
mr_status mr_step_call_begin(host_call *out_call) MR_WARN_UNUSED;
void mr_step_call_end(mr_executable *e, host_call call);
// Around a call's `run`, whoever it goes to: the host, as above, a library, or us. CANCELLED likewise.
mr_status mr_step_library_begin(const mr_library_call *call, host_call *out_call) MR_WARN_UNUSED;
void mr_step_library_end(mr_executable *e, mr_library_call *call, host_call host);
// What control flow reads: which branch of a case, and whether a loop has another round.
uint32_t mr_step_branch(const frame *f, const plan_step *step);
bool mr_step_goes_on(const frame *f, const plan_step *step);
// Where the content is known: of the index.
uint32_t mr_step_branch_of(const plan_step *step, const void *index);

// ---- One execution (memory.c) -------------------------------------------------------------------------------------------

// What a run owns. All arrays have the executable's counts.
struct launch_state {
  mr_executable *executable;
  mr_device *device;
  mr_hold **holds;           // per parameter; taken over
  bool *donates;             // per parameter: the hold came by donation
  mr_storage **params;       // per parameter: a copy that this run owns, else NULL
  mr_storage **results;      // per result, owned; before memory is taken those that the host has given
  mr_buffer **buffers;       // per result, to be made before the first step; NULL: a queued execution has them already
  mr_content *contents;      // per parameter, or NULL when no step asks
  mr_call_context *context;  // may be NULL; a queued execution has a reference
  uint64_t run;              // in traces, as of mr_trace_new_run(); the rows of a call have one
  bool here;                 // it is to begin on the calling thread, however long the host took last time
  // Owned; set when the host is called no more, with an error where the run's end has to tell. NULL: nobody asks.
  mr_future *told;
  bool close;                // the trace has even its brief steps
  bool begun;                // a step may have written to donated blocks
  uint32_t numbers[2];       // by plan_row_number: which device of the program's it is
  rows_run *rows;            // the run over several devices that it is a part of, retained; NULL: there is none
  uint32_t row;              // which of its rows
  const once_for_all *once;  // what it has in common with the others; NULL: nothing
  // What it counts for at its device while it is queued and runs (admit.c); one that runs on the calling thread does not.
  bool *counted;  // per parameter: its block does; NULL: none
  int64_t donated_bytes;
  bool admitted, at_work;
  const mr_stop_word *stop;  // of its node, or of its rows' party; NULL: nothing stops it
  // As mr_execute_options has them.
  mr_stopper *stop_source;
  uint64_t deadline_ns;
  int8_t priority;
  bool elsewhere, unheld;
  mr_scheduler *lengthy;  // where it is counted as what takes long; NULL: it is not
};
// Which member of a program over several devices it is.
static inline uint32_t member_of(const launch_state *s) {
  return s->numbers[ROW_REPLICA] * s->executable->num_partitions + s->numbers[ROW_PARTITION];
}
// It may be ended from outside, and who waits for it is told of that at once: so it is a node, and its results have a future of their own.
static inline bool execution_is_limited(const launch_state *s) { return s->stop_source || s->deadline_ns; }

// ---- What ends it early (stop.c) ------------------------------------------------------------------------------------------

typedef struct run_limit run_limit;
// Of an execution that is limited. Between the second, which may cancel the node at once, and the third the node is there.
mr_status mr_limit_create(const launch_state *s, mr_node *node, run_limit **out_limit) MR_WARN_UNUSED;
void mr_limit_begin(run_limit *l);
// Of a limited one: nobody needs to stop it, who might be this thread. It is over soon whatever anybody does, and is not to end yet.
bool mr_limit_ends_by_itself(const launch_state *s);
static inline bool limit_allows_here(const launch_state *s) {
  return MR_LIKELY(!execution_is_limited(s)) || mr_limit_ends_by_itself(s);
}
void mr_limit_end(run_limit *l);  // also of one that has not begun

// The memory that parameter i is read from, and written to when it is donated and the plan does so. When that is a copy,
// params[i], what is in the argument has yet to be brought there.
mr_status mr_execution_take_param(launch_state *s, uint32_t i, mr_storage **out_storage) MR_WARN_UNUSED;
// Then the results' memory.
mr_status mr_execution_take_results(launch_state *s) MR_WARN_UNUSED;
// All that a run needs of memory: from here on only its steps may fail. `pointers`: by buffer; `out_temp`: the run's block of
// temporaries, NULL when there are none, for the caller to release after the last step.
mr_status mr_execution_open(launch_state *s, void **pointers, mr_storage **out_temp) MR_WARN_UNUSED;
// Runs all steps on this thread, with what they need of memory.
mr_status mr_execution_run_now(launch_state *s) MR_WARN_UNUSED;
mr_status mr_execution_make_result(const launch_state *s, uint32_t k, mr_storage *take_storage, mr_future *take_ready,
                                   mr_buffer **out_buffer) MR_WARN_UNUSED;
// Of a call that fails: what was to be donated is the caller's again, unless it may have been written already.
void mr_execution_give_back(launch_state *s);
// Lets go of the arguments; on failure of the results as well, which may have arguments' blocks.
void mr_execution_close(launch_state *s, bool failed);

// ---- Admission (admit.c) ------------------------------------------------------------------------------------------------

// A node of the execution is queued. `counted`: room for a flag per parameter, of the execution's own.
void mr_admit_enter(launch_state *s, bool *counted);
// Before the hold of argument i is let go of.
void mr_admit_let_go(launch_state *s, uint32_t i);
void mr_admit_ready(launch_state *s);  // its inputs are there
void mr_admit_leave(launch_state *s);  // it is over; a second time it does nothing
// What an execution that is about to end has in the count of what is at work, for when its end has been told.
typedef struct admitted_work {
  bool at_work;
  mr_progress kind;
  rows_run *rows;  // retained; NULL: it was no row
} admitted_work;
admitted_work mr_admit_take_work(launch_state *s);
void mr_admit_end_work(admitted_work work);
// By the thread that has queued a call, when it is done with that: returns when the device has room for more.
void mr_admit_wait(const launch_state *s);

// ---- Steps of a device that takes its time (submit.c) -----------------------------------------------------------------------

// What a run on a device that is not direct has instead of addresses.
typedef struct mr_submission {
  mr_device *device;
  const mr_executable *executable;
  uint64_t run;  // in traces
  mr_stop_token *stop;
  mr_region *regions;  // by buffer
  plan_loaded *kernels;
  mr_storage *constants[PLAN_CONSTANTS];
} mr_submission;

// In each of these `*inout_last`, a counted future or NULL, is what the work comes after, and then the work's own.
// The run's memory, and copies of arguments that need one.
mr_status mr_submission_open(mr_submission *s, launch_state *state, mr_storage **out_temp,
                             mr_future **inout_last) MR_WARN_UNUSED;
// When all that was submitted is over.
void mr_submission_close(mr_submission *s);
// A step without control flow. `followed`: as mr_device_work has it; should nothing follow after all, mr_device_conclude() says so.
// `last_of`: the execution's node when it is the last step of all; NULL: it is not.
mr_status mr_submission_step(const mr_submission *s, const plan_step *step, bool followed, mr_node *last_of,
                             mr_future **inout_last) MR_WARN_UNUSED;
// Whether a strand that comes to the step submits work for it, before it does anything else.
bool mr_submission_has_work(const mr_submission *s, const plan_step *step);
// A buffer's first bytes to the host, or from there.
mr_status mr_submission_read(const mr_submission *s, uint32_t buffer, void *to, size_t bytes,
                             mr_future **inout_last) MR_WARN_UNUSED;
mr_status mr_submission_write(const mr_submission *s, uint32_t buffer, const void *from, size_t bytes,
                              mr_future **inout_last) MR_WARN_UNUSED;

// ---- What such a device has of a plan (loaded.c) ----------------------------------------------------------------------------

// What the device has of the executable's kernels: borrowed from that, which has the platform from here on.
mr_status mr_executable_loaded(mr_executable *executable, mr_device *device, plan_loaded **out_loaded) MR_WARN_UNUSED;
// Borrowed likewise; loads it when it is the first time.
mr_status mr_loaded_kernel(plan_loaded *loaded, const plan_step *step, mr_device_kernel **out_kernel) MR_WARN_UNUSED;
// A block of the executable's constants in the device's memory, borrowed likewise, once `*out_ready` is set; NULL: they are there.
mr_status mr_loaded_constants(plan_loaded *loaded, plan_constants which, mr_storage **out_storage,
                              mr_future **out_ready) MR_WARN_UNUSED;

// ---- As a node (later.c) ------------------------------------------------------------------------------------------------

// `here`: it is short and can begin; then this thread does.
mr_status mr_execution_later(launch_state *s, bool here, mr_buffer **out_results, mr_future **out_done) MR_WARN_UNUSED;
// The program calls the host no more, and may not have ended.
static inline void mr_execution_tell(const launch_state *s) {
  if (!mr_future_is_set(s->told)) {
    mr_future_set(s->told, MR_OK);
  }
}
// Likewise on a worker; returns when the program calls the host no more, or is over.
mr_status mr_execution_past_host(launch_state *s, mr_buffer **out_results, mr_future **out_done) MR_WARN_UNUSED;
// The node alone, to be submitted or discarded; and its results.
mr_status mr_execution_make(launch_state *s, bool here, mr_buffer **out_results, mr_node **out_node) MR_WARN_UNUSED;
// Submits a node that mr_execution_make() made. `*inout_done`, its future, is then the one that says when who waits is told.
void mr_execution_submit(mr_future **inout_done);
// What execution_over() leaves to be done when the end of a row is kept back until the others' is known.
void mr_execution_end(mr_node *node, mr_status take_status);
// For a node that mr_execution_make() made and that is not to run: what was to be donated is the caller's again.
void mr_execution_undo(mr_node *take_node);

// A strand of the main sequence is over, and went well; called where the graph has early results. Announces those that nothing touches
// any more, for whoever wants them while the execution goes on. Waiters are called.
void mr_execution_announce(mr_node *node, uint32_t strand);
// Work that is the last of an execution: whoever sleeps for the results may hear of its end before the execution is over.
void mr_execution_hears(mr_node *node, mr_device_work *work);
// An execution's steps are over.
void mr_execution_over(mr_node *node, mr_status take_status);

// ---- Strands (strand.c, freeze.c, due.c) --------------------------------------------------------------------------------

// After planning: numbers and frozen plans for what mr_strands_begin() needs.
mr_status mr_strands_freeze(mr_executable *e) MR_WARN_UNUSED;
// For each meeting, which step waits for it; when places and offsets are known.
void mr_strands_find_dues(mr_executable *e);
// What a node of a frozen graph does: strand `node` of the sequence that is the plan's argument.
mr_status mr_strand_node(mr_run *run, uint32_t node) MR_WARN_UNUSED;
// Runs the steps of an execution that is a node, here until one of them is waited for, and leads to mr_execution_over().
void mr_strands_begin(launch_state *s, mr_node *node);

// ---- Rows (rows.c) ------------------------------------------------------------------------------------------------------

// The run over several devices that an execution is a part of.
mr_status mr_rows_create(launch_state *const *states, uint32_t num_rows, rows_run **out_rows) MR_WARN_UNUSED;
// A step that meets: the addresses of its buffers. `stays` and *out_done as mr_party_meet() has them.
mr_status mr_rows_meet(const launch_state *s, const plan_step *step, void *const *buffers, bool stays,
                       mr_future **out_done) MR_WARN_UNUSED;
// The row, which went on, does nothing else from here on until this is set, which such a step has left.
void mr_rows_wait(const launch_state *s, mr_future *done);
// The row is about to fail with this, and what it has left at meetings holds it: all rows fail now. Waiters are called.
void mr_rows_give_up(const launch_state *s, mr_status status);
// Who helps with a row's loops: all cores, since those whose own rows are over have nothing else to do in the run; a device's own where a
// program has one row.
mr_group *mr_rows_cores(const launch_state *s);
// Whether results wait for the end of all rows.
bool mr_rows_end_together(const rows_run *rows);
// A row's steps are over: true when it is to end with *inout_status. False: it is kept, and ends with the others.
bool mr_rows_over(const launch_state *s, mr_node *node, mr_status *inout_status);
// A row failed before it began.
void mr_rows_fail(const launch_state *s, mr_status status);
// What has stopped them all (core/stop.h).
const mr_stop_word *mr_rows_word(const rows_run *rows);
// The error with which row it was.
mr_status mr_rows_note(mr_status take_status, const launch_state *s) MR_WARN_UNUSED;
// Whether the rows run in step: then this is all that an execution does that can begin, and it ends with the others.
bool mr_rows_are_in_step(const rows_run *rows);
void mr_rows_begin(const launch_state *s, mr_node *node);
// Runs all rows, on this thread and `cores`, with what they need of memory, and lets go of their arguments (in_step.c).
mr_status mr_rows_run_in_step(mr_executable *e, launch_state *const *states, uint32_t count,
                              mr_group *cores) MR_WARN_UNUSED;
// ---- Once for all rows (once.c) ---------------------------------------------------------------------------------------------

// Rows in step whose parameters are the same where that matters: what the plan has as shared lies where the first row has it.
struct once_for_all {
  launch_state *const *states;  // by row
  uint32_t count;
  void *const *pointers;  // the first row's, by buffer
  mr_storage *temp;       // what is shared of the temporary block; owned
};

// Whether the rows' parameters are the same on all. Their content is there.
bool mr_once_applies(const mr_executable *e, launch_state *const *states, uint32_t count, mr_group *cores);
// Whether row `s` has parameter i where the first row has it, and so takes none itself.
static inline bool mr_once_lends(const launch_state *s, uint32_t i) {
  const plan_buffer *b = &s->executable->buffers[s->executable->param_buffers[i]];
  return s->once && s != s->once->states[0] && s->executable->once_params[i] && (!b->written || b->shared);
}
// Whether all rows have given parameter i away, which only they had, and it is to be written in one place.
bool mr_once_owns(const once_for_all *once, uint32_t i);
// The storage that the first row has for result k, with one more reference; NULL: the row has one of its own.
mr_storage *mr_once_result(const launch_state *s, uint32_t k);

// Of a node that mr_execution_make() made (later.c).
launch_state *mr_execution_state(mr_node *node);
// Somebody cancels one of the rows; at any time, also when all are over.
void mr_rows_cancel(rows_run *rows, mr_status status);
// The inputs of one row are there; what comes after one row has heard of its end. Each once for each row.
void mr_rows_ready(rows_run *rows);
void mr_rows_told(rows_run *rows);
rows_run *mr_rows_retain(rows_run *rows);
void mr_rows_release(rows_run *rows);  // NULL is fine

// ---- Traces -------------------------------------------------------------------------------------------------------------

// Which of the executions that the trace has seen this one is, from 1 on (run.c).
uint32_t mr_execution_count_traced(mr_executable *e);
static inline bool is_looked_at_closely(uint32_t number) { return number == 1 || number % MR_TRACE_CLOSE_LOOKS == 0; }

static inline bool is_brief(const mr_executable *e) { return e->cost_ns < MR_TRACE_BRIEF_NS; }

static inline uint32_t node_cost(const mr_executable *e) {
  return (uint32_t)MR_MIN(e->cost_ns + 1, (uint64_t)UINT32_MAX);
}

static inline mr_trace_label trace_label(const launch_state *s) {
  return (mr_trace_label){.op = s->executable->trace, .run = s->run};
}

#endif
