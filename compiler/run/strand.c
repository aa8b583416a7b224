// A run that holds no thread while it waits.
//
// A strand is a stretch of steps: the whole program, or one of a sequence's (compiler/plan/graph.h). It keeps its place in loops and
// branches in frames of its own, in the run's block. A thread goes on with it until a step is waited for; the strand is then a
// waiter of that step's future, which puts it into the executor's queue again, and whichever thread finds it there goes on.
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
#include "compiler/run/run.h"
#include "compiler/run/subnormal.h"
#include "futures/pool.h"

// A place in a sequence.
typedef struct strand_frame {
  const plan_sequence *sequence;
  uint32_t next, end;  // steps
  bool again;          // the strand has been at step `next` before
} strand_frame;

typedef struct strand {
  mr_task task;        // in the queue
  mr_waiter waiter;    // in the list of `pending`
  mr_future *pending;  // owned; what the step that it is at waits for
  struct strand_run *owner;
  mr_run *run;  // borrowed, and which of its nodes this is; NULL: the whole program
  uint32_t node;
  uint32_t depth;  // frames in use
  bool follows;    // `pending` is set by a thread that is about to look for more
  strand_frame *frames;
} strand;

// The run's block, and behind it the arrays.
typedef struct strand_run {
  launch_state *state;  // of the node
  mr_node *node;
  mr_executor *executor;
  mr_storage *temp;
  frame frame;
  size_t bytes;
  uint64_t start;            // of the trace; 0: off
  _Atomic(uintptr_t) error;  // an owned mr_status: that of the strand that failed first
  strand *strands;
  strand_frame *frames;
  void *pointers[];  // by buffer, then contents
} strand_run;

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

static void leave(thread_state before) {
  mr_trace_device = before.device;
  mr_subnormals_restore(before.mode);
  mr_call_context_enter(before.context);
}

// ---- Steps ------------------------------------------------------------------------------------------------------------

static void push(strand *s, const plan_sequence *sequence, uint32_t first, uint32_t count) {
  s->frames[s->depth++] = (strand_frame){.sequence = sequence, .next = first, .end = first + count};
}

// This thread works on the graph; what others still have of it then is waited for.
static mr_status begin_graph(strand *s, const plan_sequence *sequence) {
  mr_run *run;
  MR_TRY(mr_run_create(sequence->graph->frozen, s->owner->executor, s->owner, &run));
  s->pending = mr_run_done(run);
  s->follows = true;
  mr_run_start_here(run);
  return MR_OK;
}

static mr_status begin_sequence(strand *s, const plan_sequence *sequence, void **arguments) {
  if (sequence->graph) {
    return begin_graph(s, sequence);
  }
  if (!sequence->may_pend) {
    return mr_steps_run(&s->owner->frame, sequence, arguments);
  }
  push(s, sequence, 0, sequence->count);
  return MR_OK;
}

static void step_is_over(strand_frame *top) {
  top->next++;
  top->again = false;
}

static mr_status go_on_while(strand *s, strand_frame *top, const plan_step *step, void **arguments) {
  if (!top->again) {
    top->again = true;
    return begin_sequence(s, &step->sequences[0], arguments);
  }
  if (!mr_step_goes_on(&s->owner->frame, step)) {
    step_is_over(top);
    return MR_OK;
  }
  top->again = false;
  return begin_sequence(s, &step->sequences[1], arguments);
}

static mr_status go_on_step(strand *s, strand_frame *top, void **arguments) {
  const frame *f = &s->owner->frame;
  const plan_step *step = &top->sequence->steps[top->next];
  if (!step->may_pend) {
    step_is_over(top);
    return mr_step_run(f, step, arguments);
  }
  if (step->kind == STEP_WHILE) {
    return go_on_while(s, top, step, arguments);
  }
  step_is_over(top);
  if (step->kind == STEP_CASE) {
    return begin_sequence(s, &step->sequences[mr_step_branch(f, step)], arguments);
  }
  s->follows = false;
  return mr_step_start(f, step, arguments, &s->pending);
}

// Until a step is waited for (`pending`), or the strand is at its end (no frames).
static mr_status go_on_steps(strand *s, void **arguments) {
  while (s->depth && !s->pending) {
    strand_frame *top = &s->frames[s->depth - 1];
    if (top->next == top->end) {
      s->depth--;
    } else {
      MR_TRY(go_on_step(s, top, arguments));
    }
  }
  return MR_OK;
}

// ---- Going on -----------------------------------------------------------------------------------------------------------

// What `pending` came to, which is set.
static mr_status take_pending(strand *s) {
  mr_future *pending = s->pending;
  s->pending = NULL;
  mr_status status = mr_status_retain(mr_future_status(pending));
  mr_future_release(pending);
  if (status) {
    return status;
  }
  // acquire, pairs with note_error().
  mr_status error = (mr_status)atomic_load_explicit(&s->owner->error, memory_order_acquire);
  return error ? mr_status_retain(error) : mr_node_error(s->owner->node);
}

// True: the strand waits, and is not this thread's any more. False: it is over, with the status.
static bool go_on_with(strand *s, void **arguments, mr_status *out_status) {
  thread_state before = enter(s->owner);
  mr_status status = MR_OK;
  do {
    if (s->pending) {
      if (mr_future_then_unless_set(s->pending, &s->waiter)) {
        leave(before);
        return true;
      }
      status = take_pending(s);
    }
    status = status ? status : go_on_steps(s, arguments);
  } while (!status && s->pending);
  leave(before);
  *out_status = status;
  return false;
}

static bool go_on(strand *s, mr_status *out_status) {
  enum { ON_STACK = 1024 };
  uint32_t most = s->owner->state->executable->max_step_buffers;
  void **arguments = most <= ON_STACK ? alloca((most + 1) * sizeof *arguments) : mr_alloc(most * sizeof *arguments);
  if (!arguments) {
    mr_future_release(s->pending);
    *out_status = MR_NO_MEMORY();
    return false;
  }
  bool waits = go_on_with(s, arguments, out_status);
  if (most > ON_STACK) {
    mr_free(arguments);
  }
  return waits;
}

static void run_is_over(strand_run *r, mr_status take_status);

// The others end with the same where they go on next.
static void note_error(strand_run *r, mr_status status) {
  uintptr_t none = 0;
  mr_status kept = mr_status_retain(status);
  // release, pairs with the load in take_pending(): the status is there for whoever sees it. relaxed: a later one is dropped.
  if (kept && !atomic_compare_exchange_strong_explicit(&r->error, &none, (uintptr_t)kept, memory_order_release,
                                                       memory_order_relaxed)) {
    mr_status_free(kept);
  }
}

static void strand_is_over(strand *s, mr_status take_status) {
  if (!s->run) {
    run_is_over(s->owner, take_status);
    return;
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

static strand *init_strand(strand_run *r, uint32_t number, uint32_t first_frame) {
  strand *s = &r->strands[number];
  *s = (strand){.task.run = strand_task, .waiter.run = strand_wakes, .owner = r, .frames = &r->frames[first_frame]};
  return s;
}

mr_status mr_strand_node(mr_run *run, uint32_t node) {
  strand_run *r = mr_run_context(run);
  const plan_sequence *sequence = mr_run_argument(run, node);
  const plan_graph *graph = sequence->graph;
  strand *s = init_strand(r, graph->first_strand + node, graph->first_frame + node * graph->depth);
  s->run = run;
  s->node = node;
  push(s, sequence, graph->strands[node].first, graph->strands[node].count);
  // Before anybody else can have the strand.
  mr_run_expect_others(run);
  mr_status status;
  if (go_on(s, &status)) {
    return MR_RUN_LATER;
  }
  note_error(r, status);
  return status;
}

// ---- The whole ----------------------------------------------------------------------------------------------------------

static size_t run_bytes(const mr_executable *e, size_t *out_strands, size_t *out_frames) {
  size_t size = sizeof(strand_run) + e->num_buffers * sizeof(void *);
  size += e->wants_contents ? e->num_params * sizeof(mr_content) : 0;
  *out_strands = size;
  size += e->num_strands * sizeof(strand);
  *out_frames = size;
  return size + e->num_frames * sizeof(strand_frame);
}

static mr_status create(launch_state *s, mr_node *node, strand_run **out_run) {
  const mr_executable *e = s->executable;
  size_t strands, frames, bytes = run_bytes(e, &strands, &frames);
  strand_run *r = *out_run = mr_struct_alloc(bytes);
  if (!r) {
    return MR_NO_MEMORY();
  }
  *r = (strand_run){.state = s, .node = node, .executor = node->executor, .bytes = bytes};
  r->strands = (strand *)(void *)((char *)r + strands);
  r->frames = (strand_frame *)(void *)((char *)r + frames);
  s->contents = e->wants_contents ? (mr_content *)(void *)(r->pointers + e->num_buffers) : NULL;
  r->start = s->context && s->context->location ? mr_trace_begin() : 0;
  r->frame = (frame){e, r->pointers, s->contents, s->device->group, s->close};
  return MR_OK;
}

static void run_is_over(strand_run *r, mr_status take_status) {
  launch_state *s = r->state;
  mr_node *node = r->node;
  mr_status status = take_status;
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
  status = mr_execution_open(s, r->pointers, &r->temp);
  strand *first = init_strand(r, 0, s->executable->first_frame);
  if (!status) {
    thread_state before = enter(r);
    status = begin_sequence(first, &s->executable->main, NULL);
    leave(before);
  }
  if (status || !go_on(first, &status)) {
    run_is_over(r, status);
  }
}
