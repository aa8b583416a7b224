// strand: what a run that holds no thread is made of. Private to compiler/run.
//
//   strand.c  a machine that waits, and the whole
//   staged.c  calls of the host's, on a device whose memory is not the host's
//
// States of strand_run.error:
//
//   0 --the first strand that fails--> status, until the run is over
//
//   who              operation          order, and with what it pairs                                    at once
//   strand           swap, 0 -> status  release of the status; relaxed: a later one is dropped           strands
//   strand           load               acquire, of the status                                           strands
//   who ends the run load               relaxed: all strands are over, and have told this thread         nobody
#ifndef MR_COMPILER_RUN_STRAND_H
#define MR_COMPILER_RUN_STRAND_H

#include "compiler/run/machine.h"

// A meeting that the strand has come to and goes on beside.
typedef struct open_meeting {
  struct open_meeting *next;  // of the strand's
  mr_future *done;            // owned
  uint32_t depth, due;        // at which of its levels, and before which step there it is to be over
  const plan_step *step;
  char *staged;  // owned; on a device that is not direct: host memory with what the rows read and write
  bool brought;  // from there to the device's memory
} open_meeting;

typedef struct strand {
  mr_task task;           // in the queue
  mr_waiter waiter;       // in the list of `pending`
  mr_future *pending;     // owned; what the step that it is at waits for
  mr_future *last;        // owned; of the work that it has submitted, the last. Over before the strand is
  open_meeting *open;     // those that it goes on beside; all are over before it is
  open_meeting *closing;  // over, and what they gave is on its way to the device
  mr_status error;        // owned; it ends with this
  char *staged;           // owned; host memory with what a call of the host's works on
  int64_t selector;       // of control flow, from the device
  struct strand_run *owner;
  mr_run *run;  // borrowed, and which of its nodes this is; NULL: the whole program
  uint32_t node;
  bool follows;   // `pending` is set by a thread that is about to look for more
  bool gave_up;   // it fails with meetings open, and the other rows know
  bool followed;  // `last` was submitted as what more work follows, which does not yet
  machine machine;
} strand;

// The run's block, and behind it the arrays.
typedef struct strand_run {
  launch_state *state;  // of the node
  mr_node *node;
  mr_executor *executor;
  mr_storage *temp;
  frame frame;
  mr_stop_token stop;
  bool submits;              // to a device that is not direct, so that `frame` has no addresses but
  mr_submission submission;  // this has
  size_t bytes;
  uint64_t start;            // of the trace; 0: off
  _Atomic(uintptr_t) error;  // an owned mr_status: that of the strand that failed first
  strand *strands;
  machine_level *levels;
  open_meeting *meetings;  // by slot
  void *pointers[];        // by buffer, then contents
} strand_run;

// What the machine asks of the strand that has it (strand.c).
//
// The link to the first meeting that is to be over before the step that `top` is at; NULL: there is none.
static inline open_meeting **mr_strand_due_meeting(strand *s, const machine_level *top) {
  for (open_meeting **at = &s->open; *at; at = &(*at)->next) {
    if ((*at)->depth == s->machine.depth && (*at)->due <= top->next) {
      return at;
    }
  }
  return NULL;
}
// Something is to be waited for, or brought, before that step: then that is what comes next.
static inline bool mr_strand_is_held_up(strand *s, const machine_level *top) {
  return MR_UNLIKELY(s->closing || mr_strand_due_meeting(s, top));
}
mr_status mr_strand_go_on_held_up(strand *s, const machine_level *top) MR_WARN_UNUSED;
// Between two steps of the main sequence.
void mr_strand_tell_past_host(const strand *s, const machine_level *top);
// The step, which has no control flow and may end later than it is begun.
mr_status mr_strand_issue(strand *s, machine_level *top, const plan_step *step, void **arguments) MR_WARN_UNUSED;
// Nothing more until the device has done what it was given.
void mr_strand_wait_for_last(strand *s);
// A step in which rows meet: the strand waits for it.
mr_status mr_strand_meet(strand *s, const plan_step *step, void *const *buffers) MR_WARN_UNUSED;
// The same, and the strand goes on until the step's `due`, if the meeting is not over at once: *out_open. `staged` as in open_meeting, whose it
// is then.
mr_status mr_strand_leave_meeting(strand *s, const plan_step *step, void *const *buffers, char *staged,
                                  bool *out_open) MR_WARN_UNUSED;
// A call of the host's, of which the strand does another part each time that it comes here (staged.c).
mr_status mr_strand_go_on_staged(strand *s, machine_level *top, const plan_step *step, void **arguments) MR_WARN_UNUSED;
// What a meeting that is closing gave, likewise.
mr_status mr_strand_close_staged(strand *s) MR_WARN_UNUSED;

#endif
