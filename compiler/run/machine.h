// machine: the only interpreter of a plan's steps (machine.c). Private to compiler/run.
//
// A machine goes through sequences of steps and keeps its place in loops and branches in levels of its own, so that it can stop between any
// two steps and go on on another thread. What a step begins is there when the step returns, or is a future, for which a strand waits
// (strand.c). A sequence of which nothing is waited for goes through the same code with everything about waiting left out by the compiler.
#ifndef MR_COMPILER_RUN_MACHINE_H
#define MR_COMPILER_RUN_MACHINE_H

#include "compiler/run/run.h"

// A place in a sequence.
typedef struct machine_level {
  const plan_sequence *sequence;
  uint32_t next, end;  // steps
  uint32_t stage;      // how often the machine has been at step `next` before, for steps that take several times
  bool graph;          // the whole sequence as a graph, in place of steps
  uint64_t start;      // of step `next`, in traces, which is where the one before it has ended; 0: it is not recorded
} machine_level;

typedef struct machine {
  const frame *frame;
  machine_level *levels;  // of the longest way down
  uint32_t depth;         // levels in use
} machine;

static inline void machine_push(machine *m, const plan_sequence *sequence, uint32_t first, uint32_t end) {
  m->levels[m->depth++] = (machine_level){.sequence = sequence, .next = first, .end = end};
}

static inline void machine_step_is_over(machine_level *top) {
  top->next++;
  top->stage = 0;
}

struct strand;
// Until a step is waited for (the strand's `pending`), or the strand's machine is at its end (no levels). `arguments`: room for the most
// buffers that a step has.
mr_status mr_machine_go_on(struct strand *s, void **arguments) MR_WARN_UNUSED;
// The sequence comes next.
mr_status mr_machine_enter(struct strand *s, const plan_sequence *sequence, void **arguments) MR_WARN_UNUSED;
// Whether a strand that submits work is going to submit more before it looks at anything, when the step that `top` is at has been.
bool mr_machine_goes_on_submitting(const struct strand *s, const machine_level *top);

#endif
