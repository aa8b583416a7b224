// run: what the files of compiler/run know of each other.
//
//   run.c      the call: arguments checked and held, here and now or later
//   memory.c   what an execution owns, taken and let go of
//   steps.c    steps in order, with loops and branches, on the calling thread
//   later.c    an execution as a node
//   freeze.c   what a run has to know of a plan before the first one
//   submit.c   steps as work that is submitted to a device that takes its time
//   strand.c   steps that may end later, and stretches of steps beside each other: a run that holds no thread while it waits
#ifndef MR_COMPILER_RUN_RUN_H
#define MR_COMPILER_RUN_RUN_H

#include "compiler/plan/plan.h"
#include "compiler/run/tuning.h"

// ---- Steps (steps.c) ----------------------------------------------------------------------------------------------------

typedef struct frame {
  mr_executable *executable;
  void **pointers;           // by buffer number
  const mr_content *params;  // by parameter: what was passed
  mr_group *group;
  bool close;  // brief steps are traced as well
} frame;

// `arguments`: room for the most buffers that a step has.
mr_status mr_steps_run(const frame *f, const plan_sequence *sequence, void **arguments) MR_WARN_UNUSED;
// One step, with all that is in it.
mr_status mr_step_run(const frame *f, const plan_step *step, void **arguments) MR_WARN_UNUSED;
// A library call that may end later.
mr_status mr_step_start(const frame *f, const plan_step *step, void **arguments, mr_future **out_done) MR_WARN_UNUSED;
// Around a call into the host: whether it is long is remembered.
typedef struct host_call {
  uint64_t start;
  bool begun;
} host_call;
host_call mr_step_call_begin(void);
void mr_step_call_end(mr_executable *e, host_call call);
// What control flow reads: which branch of a case, and whether a loop has another round.
uint32_t mr_step_branch(const frame *f, const plan_step *step);
bool mr_step_goes_on(const frame *f, const plan_step *step);
// Where the content is known: of the index.
uint32_t mr_step_branch_of(const plan_step *step, const void *index);

// ---- One execution (memory.c) -------------------------------------------------------------------------------------------

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

// ---- Steps of a device that takes its time (submit.c) -----------------------------------------------------------------------

// What a run on a device that is not direct has instead of addresses.
typedef struct mr_submission {
  mr_device *device;
  const mr_executable *executable;
  mr_region *regions;          // by buffer
  mr_device_kernel **kernels;  // by number of the step; loaded when it is first submitted
  mr_storage *constants;
} mr_submission;

// In each of these `*inout_last`, a counted future or NULL, is what the work comes after, and then the work's own.
// The run's memory, and copies of arguments that need one.
mr_status mr_submission_open(mr_submission *s, launch_state *state, mr_storage **out_temp,
                             mr_future **inout_last) MR_WARN_UNUSED;
// When all that was submitted is over.
void mr_submission_close(mr_submission *s);
// A step without control flow.
mr_status mr_submission_step(const mr_submission *s, const plan_step *step, mr_future **inout_last) MR_WARN_UNUSED;
// A buffer's first bytes to the host, or from there.
mr_status mr_submission_read(const mr_submission *s, uint32_t buffer, void *to, size_t bytes,
                             mr_future **inout_last) MR_WARN_UNUSED;
mr_status mr_submission_write(const mr_submission *s, uint32_t buffer, const void *from, size_t bytes,
                              mr_future **inout_last) MR_WARN_UNUSED;

// ---- As a node (later.c) ------------------------------------------------------------------------------------------------

// `here`: it is short and can begin; then this thread does.
mr_status mr_execution_later(launch_state *s, bool here, mr_buffer **out_results, mr_future **out_done) MR_WARN_UNUSED;

// A strand of the main sequence is over, and went well; called where the graph has early results. Announces those that nothing touches
// any more, for whoever wants them while the execution goes on. Waiters are called.
void mr_execution_announce(mr_node *node, uint32_t strand);
// An execution's steps are over.
void mr_execution_over(mr_node *node, mr_status take_status);

// ---- Strands (strand.c, freeze.c) ---------------------------------------------------------------------------------------

// After planning: numbers and frozen plans for what mr_strands_begin() needs.
mr_status mr_strands_freeze(mr_executable *e) MR_WARN_UNUSED;
// What a node of a frozen graph does: strand `node` of the sequence that is the plan's argument.
mr_status mr_strand_node(mr_run *run, uint32_t node) MR_WARN_UNUSED;
// Runs the steps of an execution that is a node, here until one of them is waited for, and leads to mr_execution_over().
void mr_strands_begin(launch_state *s, mr_node *node);

// ---- Traces -------------------------------------------------------------------------------------------------------------

// Which of the executions that the trace has seen this one is, from 1 on (run.c).
uint32_t mr_execution_count_traced(mr_executable *e);
static inline bool is_looked_at_closely(uint32_t number) { return number == 1 || number % MR_TRACE_CLOSE_LOOKS == 0; }

static inline bool is_brief(const mr_executable *e) { return e->cost_ns < MR_TRACE_BRIEF_NS; }

static inline uint32_t node_cost(const mr_executable *e) {
  return (uint32_t)MR_MIN(e->cost_ns + 1, (uint64_t)UINT32_MAX);
}

static inline const char *trace_name(const mr_executable *e) { return e->name.size ? e->name.data : "execute"; }

#endif
