#include "compiler/run/machine.h"

#include <alloca.h>

#include "compiler/run/strand.h"

// Looked at in each round of a loop.
static inline mr_status may_go_on(const frame *f) {
  return MR_LIKELY(!mr_stop_token_is_asked(f->stop)) ? MR_OK : mr_stop_token_reason(f->stop);
}

// ---- What is waited for -----------------------------------------------------------------------------------------------------
// Below, `s` is the strand that has the machine; NULL: nothing is waited for.

// What control flow goes by is on its way to the host.
static mr_status read_selector(strand *s, const plan_step *step, size_t bytes) {
  MR_TRY(mr_submission_read(&s->owner->submission, step->buffers[0], &s->selector, bytes, &s->last));
  s->followed = false;
  mr_strand_wait_for_last(s);
  return MR_OK;
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

// ---- Calls ------------------------------------------------------------------------------------------------------------------

static inline void end_step(const machine *m, const strand *s, machine_level *top) {
  if (MR_UNLIKELY(top->start != 0)) {
    const plan_step *step = &top->sequence->steps[top->next];
    uint64_t end = mr_trace_op_span(MR_TRACE_STEP, step->trace, m->frame->run, top->start);
    top->start = s ? 0 : end;
  }
  machine_step_is_over(top);
}

static inline bool is_control(const plan_step *step) { return step->kind == STEP_WHILE || step->kind == STEP_CASE; }

// Steps of which nothing is waited for and that have no control flow, as many as follow one another.
static inline mr_status run_calls(const machine *m, machine_level *top, void **arguments) {
  const plan_step *step = &top->sequence->steps[top->next];
  for (;;) {
    MR_TRY(mr_step_run(m->frame, step, arguments));
    end_step(m, NULL, top);
    if (top->next == top->end || is_control(++step)) {
      return MR_OK;
    }
    MR_TRY(frame_is_stopped(m->frame));
  }
}

// A sequence of which nothing is waited for, when the steps before its first control flow are over.
static inline mr_status begin_straight(const machine *m, const plan_sequence *sequence, uint32_t first, uint32_t end,
                                       void **arguments, machine_level *out_level) {
  bool recorded = !sequence->brief || m->frame->close;
  *out_level =
      (machine_level){.sequence = sequence, .next = first, .end = end, .start = recorded ? mr_trace_begin() : 0};
  if (first == end || is_control(&sequence->steps[first])) {
    return MR_OK;
  }
  MR_TRY(frame_is_stopped(m->frame));
  return run_calls(m, out_level, arguments);
}

// ---- Loops and branches -----------------------------------------------------------------------------------------------------

static mr_status walk_straight(machine *m, uint32_t base, void **arguments);

// Nothing of the sequence is waited for.
static inline bool is_straight(const strand *s, const plan_sequence *sequence) {
  return !s || (!sequence->may_pend && !s->owner->submits);
}

static inline mr_status enter_sequence(machine *m, strand *s, const plan_sequence *sequence, void **arguments) {
  if (s && sequence->graph) {
    machine_push(m, sequence, 0, 0);
    m->levels[m->depth - 1].graph = true;
    mr_strand_wait_for_last(s);  // of its strands none comes after that
    return MR_OK;
  }
  if (!is_straight(s, sequence)) {
    machine_push(m, sequence, 0, sequence->count);
    return MR_OK;
  }
  machine_level level;
  MR_TRY(begin_straight(m, sequence, 0, sequence->count, arguments, &level));
  if (level.next == level.end) {
    return MR_OK;
  }
  m->levels[m->depth++] = level;
  return s ? walk_straight(m, m->depth - 1, arguments) : MR_OK;
}

mr_status mr_machine_enter(strand *s, const plan_sequence *sequence, void **arguments) {
  return enter_sequence(&s->machine, s, sequence, arguments);
}

// After how many rounds of a loop that counts a strand waits for the device.
static uint32_t rounds_ahead(const plan_step *loop) {
  return MR_MAX(MR_SUBMIT_AHEAD / MR_MAX(loop->sequences[1].count, 1u), 1u);
}

// Stages of a loop whose condition is looked at; of one that counts, the stage is how many rounds it has made.
enum { ROUND_CONDITION, ROUND_READ, ROUND_LOOK };

static inline mr_status go_on_while(machine *m, strand *s, machine_level *top, const plan_step *loop,
                                    void **arguments) {
  const bool submits = s && s->owner->submits, counts = submits && loop->trips >= 0;
  if (!counts && top->stage == ROUND_CONDITION) {
    top->stage = submits ? ROUND_READ : ROUND_LOOK;
    return enter_sequence(m, s, &loop->sequences[0], arguments);
  }
  if (submits && !counts && top->stage == ROUND_READ) {
    top->stage = ROUND_LOOK;
    return read_selector(s, loop, 1);
  }
  bool over = counts    ? top->stage == loop->trips
              : submits ? *(const uint8_t *)&s->selector == 0
                        : !mr_step_goes_on(m->frame, loop);
  if (over) {
    end_step(m, s, top);
    return MR_OK;
  }
  if (counts && top->stage && top->stage % rounds_ahead(loop) == 0 && s->last) {
    mr_strand_wait_for_last(s);
    return MR_OK;
  }
  MR_TRY(may_go_on(m->frame));
  top->stage = counts ? top->stage + 1 : ROUND_CONDITION;
  return enter_sequence(m, s, &loop->sequences[1], arguments);
}

// Stages of a branch. One in which something is waited for is over for its level when its sequence begins.
enum { CASE_READ, CASE_LOOK, CASE_OVER };

static inline mr_status go_on_case(machine *m, strand *s, machine_level *top, const plan_step *step, void **arguments) {
  const bool submits = s && s->owner->submits;
  if (submits && top->stage == CASE_READ) {
    top->stage = CASE_LOOK;
    return read_selector(s, step, mr_dtype_bytes(step->selector));
  }
  if (top->stage == CASE_OVER) {
    end_step(m, s, top);
    return MR_OK;
  }
  uint32_t branch = submits ? mr_step_branch_of(step, &s->selector) : mr_step_branch(m->frame, step);
  if (s && (step->may_pend || submits)) {
    end_step(m, s, top);
  } else {
    top->stage = CASE_OVER;
  }
  return enter_sequence(m, s, &step->sequences[branch], arguments);
}

// ---- Any step ---------------------------------------------------------------------------------------------------------------

// One call that a strand comes to and need not wait for.
static inline mr_status run_one(strand *s, machine_level *top, const plan_step *step, void **arguments) {
  MR_TRY(mr_step_run(s->machine.frame, step, arguments));
  end_step(&s->machine, s, top);
  return MR_OK;
}

static inline mr_status go_on_step(machine *m, strand *s, machine_level *top, void **arguments) {
  const plan_step *step = &top->sequence->steps[top->next];
  const bool waits = s && (step->may_pend || s->owner->submits);
  if (s && !waits && !top->start) {
    top->start = mr_trace_begin();
  }
  if (is_control(step)) {
    return step->kind == STEP_WHILE ? go_on_while(m, s, top, step, arguments) : go_on_case(m, s, top, step, arguments);
  }
  return waits ? mr_strand_issue(s, top, step, arguments)
         : s   ? run_one(s, top, step, arguments)
               : run_calls(m, top, arguments);
}

// Until something is waited for, or no more levels than `base` are left. It is compiled twice: for a strand, and with `s` NULL, as it is
// for what is called and nothing else.
static inline mr_status walk(machine *m, strand *s, uint32_t base, void **arguments) {
  while (m->depth > base && !(s && s->pending)) {
    machine_level *top = &m->levels[m->depth - 1];
    if (s && mr_strand_is_held_up(s, top)) {
      MR_TRY(mr_strand_go_on_held_up(s, top));
    } else if (top->next != top->end) {
      MR_TRY(frame_is_stopped(m->frame));
      if (s) {
        mr_strand_tell_past_host(s, top);
      }
      MR_TRY(go_on_step(m, s, top, arguments));
    } else {
      m->depth--;
      MR_TRY(s && top->graph ? begin_graph(s, top->sequence) : MR_OK);
    }
  }
  return MR_OK;
}

static mr_status walk_straight(machine *m, uint32_t base, void **arguments) { return walk(m, NULL, base, arguments); }

mr_status mr_machine_go_on(strand *s, void **arguments) { return walk(&s->machine, s, 0, arguments); }

// In a function of its own: with levels on the stack the frame has no known size, which costs every call of a few steps.
static __attribute__((noinline)) mr_status walk_from(machine *m, const machine_level *level, void **arguments) {
  m->levels = alloca(level->sequence->depth * sizeof *m->levels);
  m->levels[m->depth++] = *level;
  return walk_straight(m, 0, arguments);
}

mr_status mr_machine_run(const frame *f, const plan_sequence *sequence, uint32_t first, uint32_t end,
                         void **arguments) {
  machine m = {.frame = f};
  machine_level level;
  MR_TRY(begin_straight(&m, sequence, first, end, arguments, &level));
  return level.next == level.end ? MR_OK : walk_from(&m, &level, arguments);
}

bool mr_machine_goes_on_submitting(const strand *s, const machine_level *top) {
  const mr_submission *submission = &s->owner->submission;
  if (top->next + 1 != top->end) {
    return mr_submission_has_work(submission, &top->sequence->steps[top->next + 1]);
  }
  const machine_level *outer = s->machine.depth > 1 ? top - 1 : NULL;
  const plan_step *loop = outer ? &outer->sequence->steps[outer->next] : NULL;
  if (!loop || outer->graph || outer->next == outer->end || loop->kind != STEP_WHILE) {
    return false;
  }
  if (loop->trips >= 0) {
    const plan_sequence *body = &loop->sequences[1];
    return outer->stage != loop->trips && outer->stage % rounds_ahead(loop) && !body->graph && body->count &&
           mr_submission_has_work(submission, &body->steps[0]);
  }
  if (outer->stage == ROUND_READ) {  // what the condition comes to is read
    return submission->regions[loop->buffers[0]].storage != NULL;
  }
  const plan_sequence *condition = &loop->sequences[0];
  return !condition->graph && condition->count && mr_submission_has_work(submission, &condition->steps[0]);
}
