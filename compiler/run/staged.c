// Calls of the host's, on a device whose memory is not the host's: what the call reads is brought to host memory, and what it writes to the
// device's. The strand waits for each of the two, and between them for what the call may leave behind. Beside a meeting it may go on; then what
// that gives is brought before the step that needs it.
#include "compiler/run/strand.h"

static size_t room(const plan_buffer *buffer) { return mr_size_round(buffer->bytes, 64); }

// What the call reads is on its way to host memory.
static mr_status stage_inputs(strand *s, const plan_step *step) {
  const plan_buffer *buffers = s->owner->frame.executable->buffers;
  size_t size = step->scratch == NO_BUFFER ? 0 : room(&buffers[step->scratch]);
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    size = mr_size_add(size, room(&buffers[step->buffers[i]]));
  }
  MR_TRY(mr_size_check(size, "the buffers of a call on the host"));
  s->staged = mr_alloc_aligned(64, MR_MAX(size, (size_t)64));
  if (!s->staged) {
    return MR_NO_MEMORY();
  }
  char *at = s->staged;
  for (uint32_t i = 0; i < step->num_inputs; i++) {
    const plan_buffer *buffer = &buffers[step->buffers[i]];
    MR_TRY(mr_submission_read(&s->owner->submission, step->buffers[i], at, buffer->bytes, &s->last));
    at += room(buffer);
  }
  mr_strand_wait_for_last(s);
  return MR_OK;
}

static mr_status start_call(strand *s, const mr_library_call *call, void **arguments, char *scratch) {
  host_call host;
  MR_TRY(mr_step_call_begin(&host));
  mr_status status = call->start(call, arguments, scratch, s->owner->frame.group, &s->pending);
  mr_step_call_end(s->owner->frame.executable, host);
  return status;
}

static mr_status run_call(strand *s, mr_library_call *call, void **arguments, char *scratch) {
  host_call host = {0};
  MR_TRY(mr_step_library_begin(call, &host));
  mr_status status = call->run(call, arguments, scratch, s->owner->frame.group);
  mr_step_library_end(s->owner->frame.executable, call, host);
  return status;
}

static mr_status call_staged(strand *s, const plan_step *step, void **arguments) {
  const plan_buffer *buffers = s->owner->frame.executable->buffers;
  mr_library_call *call = step->library;
  char *at = s->staged;
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    arguments[i] = at;
    at += room(&buffers[step->buffers[i]]);
  }
  s->follows = false;
  if (step->due) {
    bool open;
    MR_TRY(mr_strand_leave_meeting(s, step, arguments, s->staged, &open));
    if (open) {
      s->staged = NULL;
      machine_step_is_over(&s->machine.levels[s->machine.depth - 1]);
    }
    return MR_OK;
  }
  if (call->meets) {
    return mr_strand_meet(s, step, arguments);
  }
  return call->start ? start_call(s, call, arguments, at) : run_call(s, call, arguments, at);
}

static mr_status bring_results(strand *s, const plan_step *step, const char *at) {
  const plan_buffer *buffers = s->owner->frame.executable->buffers;
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    const plan_buffer *buffer = &buffers[step->buffers[i]];
    if (i >= step->num_inputs) {
      MR_TRY(mr_submission_write(&s->owner->submission, step->buffers[i], at, buffer->bytes, &s->last));
    }
    at += room(buffer);
  }
  mr_strand_wait_for_last(s);
  return MR_OK;
}

mr_status mr_strand_go_on_staged(strand *s, machine_level *top, const plan_step *step, void **arguments) {
  switch (top->stage++) {
  case 0: return stage_inputs(s, step);
  case 1: return call_staged(s, step, arguments);
  case 2: return bring_results(s, step, s->staged);
  default: break;  // the results have been brought
  }
  mr_free(s->staged);
  s->staged = NULL;
  machine_step_is_over(top);
  return MR_OK;
}

mr_status mr_strand_close_staged(strand *s) {
  open_meeting *o = s->closing;
  if (!o->brought) {
    o->brought = true;
    return bring_results(s, o->step, o->staged);
  }
  s->closing = o->next;
  mr_free(o->staged);
  return MR_OK;
}
