// A run that holds no thread while it waits.
//
// A strand is a machine for a stretch of steps: the whole program, or one of a sequence's (compiler/plan/graph.h). A thread goes on with it
// until a step is waited for; the strand is then a waiter of that step's future, which puts it into the executor's queue again, and
// whichever thread finds it there goes on.
//
//   runs      one thread has it: whoever began it, or took it from the queue
//   waits     nobody has it: it lies in the future's list. The thread that put it there does not touch it any more, since another
//             one may have it already
//   queued    its task lies in the executor's queue
//   over      its node of the graph is finished, or the execution is
//
// A sequence with a graph is a run of its frozen plan, and a step that is waited for as any other; each of its nodes is a strand.
// One sequence is run by one strand at a time, so its strands have their places in the block from the beginning.
// A strand that fails lets the others end where they go on next. The execution is over when the first strand is, which waits for all.
#include <alloca.h>
#include <string.h>

#include "compiler/run/context.h"
#include "compiler/run/strand.h"
#include "compiler/run/subnormal.h"
#include "futures/pool.h"

// ---- A thread's state -------------------------------------------------------------------------------------------------

// What the steps expect of the thread that they run on, and what it was before.
typedef struct thread_state {
  mr_call_context *context;
  unsigned mode;
  int16_t device;
} thread_state;

static thread_state enter(const strand_run *r) {
  thread_state before = {mr_call_context_enter(r->state->context), mr_subnormals_flush(), (int16_t)mr_trace_device};
  mr_trace_device = r->state->device->id;
  return before;
}

// The thread as others expect it.
static thread_state step_out(void) {
  thread_state before = {mr_call_context_enter(NULL), mr_subnormals_honour(), (int16_t)mr_trace_device};
  mr_trace_device = -1;
  return before;
}

static void leave(thread_state before) {
  mr_trace_device = before.device;
  mr_subnormals_restore(before.mode);
  mr_call_context_enter(before.context);
}

// ---- What it has submitted ------------------------------------------------------------------------------------------------

// What was to follow does not yet.
static void conclude_followed(strand *s) {
  if (s->followed) {
    s->followed = false;
    mr_device_conclude(s->owner->submission.device, &s->last, 1);
  }
}

void mr_strand_wait_for_last(strand *s) {
  conclude_followed(s);
  s->pending = s->last;
  s->last = NULL;
  s->follows = false;
}

// ---- Meetings -----------------------------------------------------------------------------------------------------------

mr_status mr_strand_meet(strand *s, const plan_step *step, void *const *buffers) {
  s->follows = false;
  return mr_rows_meet(s->owner->state, step, buffers, true, &s->pending);
}

mr_status mr_strand_leave_meeting(strand *s, const plan_step *step, void *const *buffers, char *staged,
                                  bool *out_open) {
  mr_future *done;
  *out_open = false;
  MR_TRY(mr_rows_meet(s->owner->state, step, buffers, false, &done));
  if (done) {
    open_meeting *o = &s->owner->meetings[step->slot];
    *o = (open_meeting){.next = s->open, .done = done, .depth = s->machine.depth, .due = step->due, .step = step};
    o->staged = staged;
    s->open = o;
    *out_open = true;
  }
  return MR_OK;
}

// The strand goes on where the next step does not need what comes of it.
static mr_status begin_meeting(strand *s, const plan_step *step, void *const *buffers) {
  bool open;
  return step->due ? mr_strand_leave_meeting(s, step, buffers, NULL, &open) : mr_strand_meet(s, step, buffers);
}

static void wait_for_open(strand *s, open_meeting **at) {
  open_meeting *o = *at;
  *at = o->next;
  if (o->staged) {
    o->next = s->closing;
    s->closing = o;
  }
  conclude_followed(s);
  mr_rows_wait(s->owner->state, o->done);
  s->follows = false;
  s->pending = o->done;
}

static void free_closing(strand *s) {
  for (; s->closing; s->closing = s->closing->next) {
    mr_free(s->closing->staged);
  }
}

// What gave room to a meeting that is over comes first, then the meeting that the step that `top` is at needs.
mr_status mr_strand_go_on_held_up(strand *s, const machine_level *top) {
  if (s->closing) {
    return mr_strand_close_staged(s);
  }
  wait_for_open(s, mr_strand_due_meeting(s, top));
  return MR_OK;
}

// ---- Steps ----------------------------------------------------------------------------------------------------------------

mr_status mr_strand_issue(strand *s, machine_level *top, const plan_step *step, void **arguments) {
  strand_run *r = s->owner;
  const mr_library_call *call = step->kind == STEP_LIBRARY ? step->library : NULL;
  if (r->submits && call && (call->start || call->meets || call->calls_host)) {
    return mr_strand_go_on_staged(s, top, step, arguments);
  }
  if (r->submits) {
    bool followed = mr_machine_goes_on_submitting(s, top);
    machine_step_is_over(top);
    bool last = !s->run && s->machine.depth == 1 && top->next == top->end;
    mr_status status = mr_submission_step(&r->submission, step, followed, last ? r->node : NULL, &s->last);
    s->followed = status ? s->followed : followed && s->last;
    return status;
  }
  machine_step_is_over(top);
  s->follows = false;
  if (call->meets) {
    return begin_meeting(s, step, mr_step_gather(&r->frame, step, arguments));
  }
  return mr_step_start(&r->frame, step, arguments, &s->pending);
}

void mr_strand_tell_past_host(const strand *s, const machine_level *top) {
  const launch_state *state = s->owner->state;
  if (MR_UNLIKELY(state->told != NULL) && !s->run && s->machine.depth == 1 &&
      top->next >= state->executable->after_host) {
    thread_state before = step_out();
    mr_execution_tell(state);
    leave(before);
  }
}

// ---- Going on -----------------------------------------------------------------------------------------------------------

// What the execution ends with whatever this strand comes to.
static mr_status error_of_others(const strand *s) {
  const strand_run *r = s->owner;
  // acquire, pairs with note_error().
  mr_status error = (mr_status)atomic_load_explicit(&r->error, memory_order_acquire);
  error = error ? mr_status_retain(error) : mr_node_error(r->node);
  return error || !mr_stop_token_is_cut(&r->stop) ? error : mr_stop_token_reason(&r->stop);
}

// What `pending` came to, which is set.
static mr_status take_pending(strand *s) {
  mr_future *pending = s->pending;
  s->pending = NULL;
  mr_status status = mr_status_retain(mr_future_status(pending));
  mr_future_release(pending);
  return status ? status : error_of_others(s);
}

// All rows fail now: what they have left at meetings is held by that until others come, or until it fails.
static void give_up(const strand_run *r, mr_status error) {
  if (r->state->rows) {
    thread_state before = step_out();
    mr_rows_give_up(r->state, error);
    leave(before);
  }
}

// The strand ends with the first error, and what it has submitted is over before, and so are meetings that it has come to: others may read
// and write its memory in these.
static void keep_error(strand *s, mr_status take_status) {
  if (s->error) {
    mr_status_free(take_status);
  } else if (take_status) {
    s->error = take_status;
    s->machine.depth = 0;
  }
  if (s->error && s->open && !s->gave_up) {
    s->gave_up = true;
    give_up(s->owner, s->error);
  }
}

// True: the strand waits, and is not this thread's any more. False: it is over, with its error.
static bool go_on_with(strand *s, void **arguments) {
  thread_state before = enter(s->owner);
  do {
    if (s->pending) {
      if (mr_future_then_unless_set(s->pending, &s->waiter)) {
        leave(before);
        return true;
      }
      keep_error(s, take_pending(s));
    }
    if (!s->error) {
      keep_error(s, mr_machine_go_on(s, arguments));
    }
    if (!s->pending && s->open) {
      wait_for_open(s, &s->open);
    } else if (!s->pending) {
      mr_strand_wait_for_last(s);
    }
  } while (s->pending || s->machine.depth);
  leave(before);
  mr_free(s->staged);
  free_closing(s);
  return false;
}

static bool go_on(strand *s, mr_status *out_status) {
  enum { ON_STACK = 1024 };
  uint32_t most = s->owner->state->executable->max_step_buffers;
  void **arguments = most <= ON_STACK ? alloca((most + 1) * sizeof *arguments) : mr_alloc(most * sizeof *arguments);
  void *none[1];
  if (!arguments) {
    keep_error(s, MR_NO_MEMORY());
  }
  bool waits = go_on_with(s, arguments ? arguments : none);
  if (!waits) {
    *out_status = s->error;
  }
  if (most > ON_STACK) {
    mr_free(arguments);
  }
  return waits;
}

static void run_is_over(strand_run *r, mr_status take_status);

// The others end with the same where they go on next, and what they wait for hears of it.
static void note_error(strand_run *r, mr_status status) {
  uintptr_t none = 0;
  mr_status kept = mr_status_retain(status);
  // release, pairs with the load in error_of_others(): the status is there for whoever sees it. relaxed: a later one is dropped.
  if (kept && !atomic_compare_exchange_strong_explicit(&r->error, &none, (uintptr_t)kept, memory_order_release,
                                                       memory_order_relaxed)) {
    mr_status_free(kept);
    return;
  }
  if (kept && r->state->context && r->state->context->stop) {
    r->state->context->stop(r->state->context, kept);
  }
  if (kept) {
    give_up(r, kept);  // other strands of the row may wait in meetings
  }
}

// What is announced meets nothing of the run's on this thread, which may be in the middle of a strand that began the graph.
static void announce_results(const strand *s) {
  strand_run *r = s->owner;
  const plan_graph *graph = r->frame.executable->main.graph;
  const plan_sequence *sequence = mr_run_argument(s->run, s->node);
  if (sequence->graph != graph || !graph->announced_after) {
    return;
  }
  thread_state before = step_out();
  mr_execution_announce(r->node, s->node);
  leave(before);
}

static void strand_is_over(strand *s, mr_status take_status) {
  if (!s->run) {
    run_is_over(s->owner, take_status);
    return;
  }
  if (!take_status) {
    announce_results(s);
  }
  note_error(s->owner, take_status);
  mr_run_node_finish(s->run, s->node, take_status);
}

static void strand_task(mr_task *task) {
  strand *s = MR_CONTAINER_OF(task, strand, task);
  mr_status status;
  if (!go_on(s, &status)) {
    strand_is_over(s, status);
  }
}

static void strand_wakes(mr_waiter *waiter, mr_status status) {
  (void)status;  // read from the future when the strand goes on
  strand *s = MR_CONTAINER_OF(waiter, strand, waiter);
  mr_executor *executor = s->owner->executor;
  executor->ready(executor, &s->task, 0, s->follows);
}

// Field by field, here and where a run is made: of a whole struct GCC makes rep stos, which takes some 30 ns to begin.
static strand *init_strand(strand_run *r, uint32_t number, uint32_t first_level) {
  strand *s = &r->strands[number];
  s->task = (mr_task){.run = strand_task};
  s->waiter = (mr_waiter){.run = strand_wakes};
  s->pending = NULL;
  s->last = NULL;
  s->open = NULL;
  s->closing = NULL;
  s->error = MR_OK;
  s->staged = NULL;
  s->selector = 0;
  s->owner = r;
  s->run = NULL;
  s->node = 0;
  s->follows = false;
  s->followed = false;
  s->gave_up = false;
  s->machine.frame = &r->frame;
  s->machine.levels = &r->levels[first_level];
  s->machine.depth = 0;
  return s;
}

mr_status mr_strand_node(mr_run *run, uint32_t node) {
  strand_run *r = mr_run_context(run);
  const plan_sequence *sequence = mr_run_argument(run, node);
  const plan_graph *graph = sequence->graph;
  strand *s = init_strand(r, graph->first_strand + node, graph->first_level + node * graph->depth);
  s->run = run;
  s->node = node;
  machine_push(&s->machine, sequence, graph->strands[node].first,
               graph->strands[node].first + graph->strands[node].count);
  // Before anybody else can have the strand.
  mr_run_expect_others(run);
  keep_error(s, error_of_others(s));
  mr_status status;
  if (go_on(s, &status)) {
    return MR_RUN_LATER;
  }
  if (!status) {
    announce_results(s);
  }
  note_error(r, status);
  return status;
}

// ---- The whole ----------------------------------------------------------------------------------------------------------

// Where the arrays are in the block.
typedef struct places {
  size_t strands, levels, meetings, regions, end;
} places;

static places places_of(const mr_executable *e, bool submits) {
  places at = {.strands = sizeof(strand_run) + e->num_buffers * sizeof(void *)};
  at.strands += e->wants_contents ? e->num_params * sizeof(mr_content) : 0;
  at.levels = at.strands + e->num_strands * sizeof(strand);
  at.meetings = at.levels + e->num_levels * sizeof(machine_level);
  at.regions = at.meetings + e->num_open * sizeof(open_meeting);
  at.end = at.regions + (submits ? e->num_buffers * sizeof(mr_region) : 0);
  return at;
}

static mr_status create(launch_state *s, mr_node *node, strand_run **out_run) {
  const mr_executable *e = s->executable;
  places at = places_of(e, !s->device->direct);
  char *block = mr_struct_alloc(at.end);
  strand_run *r = *out_run = (strand_run *)(void *)block;
  if (!r) {
    return MR_NO_MEMORY();
  }
  r->state = s;
  r->node = node;
  r->executor = node->executor;
  r->temp = NULL;
  r->submits = false;
  r->submission.device = NULL;  // the rest when there is one
  r->bytes = at.end;
  atomic_init(&r->error, 0);
  r->strands = (strand *)(void *)(block + at.strands);
  r->levels = (machine_level *)(void *)(block + at.levels);
  r->meetings = (open_meeting *)(void *)(block + at.meetings);
  s->contents = e->wants_contents ? (mr_content *)(void *)(r->pointers + e->num_buffers) : NULL;
  r->start = s->context && s->context->location ? mr_trace_begin() : 0;
  r->stop = mr_execution_token(s);
  r->frame = (frame){s->executable, r->pointers, s->contents, mr_rows_cores(s), s->close, s->run, &r->stop};
  if (!s->device->direct) {
    r->submits = true;
    r->submission = (mr_submission){.device = s->device, .executable = e, .run = s->run, .stop = &r->stop};
    r->submission.regions = (mr_region *)(void *)(block + at.regions);
    memset(block + at.regions, 0, at.end - at.regions);
  }
  return MR_OK;
}

static void run_is_over(strand_run *r, mr_status take_status) {
  launch_state *s = r->state;
  mr_node *node = r->node;
  mr_status status = take_status;
  mr_submission_close(&r->submission);
  mr_storage_release(r->temp);
  // relaxed: all strands are over, and the last of them has told this thread.
  mr_status_free((mr_status)atomic_load_explicit(&r->error, memory_order_relaxed));
  uint64_t start = r->start;
  mr_struct_free(r, r->bytes);
  mr_execution_close(s, status != MR_OK);
  if (s->context && s->context->location) {
    mr_trace_end(MR_TRACE_NODE, s->context->location, start);
    status = mr_status_note(status, "called from %s", s->context->location);
  }
  mr_execution_over(node, status);
}

void mr_strands_begin(launch_state *s, mr_node *node) {
  strand_run *r;
  mr_status status = create(s, node, &r);
  if (status) {
    mr_execution_close(s, true);
    mr_execution_over(node, status);
    return;
  }
  strand *first = init_strand(r, 0, s->executable->first_level);
  keep_error(first, r->submits ? mr_submission_open(&r->submission, s, &r->temp, &first->last)
                               : mr_execution_open(s, r->pointers, &r->temp));
  if (!first->error) {
    keep_error(first, mr_machine_enter(first, &s->executable->main, NULL));
  }
  if (!go_on(first, &status)) {
    run_is_over(r, status);
  }
}
