// How far a row goes on when it has come to a meeting: until the step that needs what the meeting gives, or touches what it reads or writes.
//
// Who comes to a meeting leaves behind where its buffers are, and others read and write them until the meeting is over. So the first step
// behind it that writes what it reads, or touches what it writes, waits for it, and so does the end of the stretch of steps that one
// strand runs. What counts is where buffers lie: temporaries that share memory are one to this. Looked for by the plan's bytes alone,
// so that nothing that was decided about lives before can make it wrong.
#include "compiler/run/run.h"

typedef struct looking {
  const mr_executable *executable;
  const plan_step *meeting;
  uint64_t looks;
} looking;

static bool share_memory(const mr_executable *e, uint32_t a, uint32_t b) {
  const plan_buffer *x = &e->buffers[a], *y = &e->buffers[b];
  if (a == b || x->place != PLACE_TEMP || y->place != PLACE_TEMP) {
    return a == b;
  }
  return x->offset < mr_size_add(y->offset, y->bytes) && y->offset < mr_size_add(x->offset, x->bytes);
}

static bool touches_buffer(looking *l, uint32_t buffer, bool writes) {
  const plan_step *m = l->meeting;
  l->looks += m->num_buffers;
  for (uint32_t i = 0; i < m->num_buffers; i++) {
    if ((writes || m->access[i] & MR_L_WRITE) && share_memory(l->executable, m->buffers[i], buffer)) {
      return true;
    }
  }
  return false;
}

// What is received is there before anything that acts, but a meeting of all: a row receives from a channel once at a time, and a token
// that says what comes after what is no memory.
static bool comes_after_mail(const looking *l, const plan_step *step) {
  bool meets = step->kind == STEP_LIBRARY && step->library->meets && !step->mail;
  return l->meeting->mail && step->acts && !meets;
}

static bool waits_for_meeting(looking *l, const plan_step *step) {
  if (comes_after_mail(l, step) || l->looks > MR_MEETING_LOOKS ||
      (step->scratch != NO_BUFFER && touches_buffer(l, step->scratch, true))) {
    return true;
  }
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    if (touches_buffer(l, step->buffers[i], step->access[i] & MR_L_WRITE)) {
      return true;
    }
  }
  for (uint32_t r = 0; r < step->num_sequences; r++) {
    for (uint32_t i = 0; i < step->sequences[r].count; i++) {
      if (waits_for_meeting(l, &step->sequences[r].steps[i])) {
        return true;
      }
    }
  }
  return false;
}

// What is waited for, and the host, may take any time.
static uint64_t time_of(const plan_step *step) {
  bool calls = step->kind == STEP_LIBRARY && step->library->calls_host;
  uint64_t ns = step->may_pend || calls ? MR_MEETING_BESIDE_NS : step->cost_ns;
  for (uint32_t r = 0; r < step->num_sequences; r++) {
    for (uint32_t i = 0; i < step->sequences[r].count; i++) {
      ns += time_of(&step->sequences[r].steps[i]);
    }
  }
  return ns;
}

static void find_dues(mr_executable *e, plan_sequence *sequence);

// Of the steps that one strand runs one after the other.
static void find_dues_between(mr_executable *e, plan_sequence *sequence, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; i++) {
    plan_step *step = &sequence->steps[i];
    for (uint32_t r = 0; r < step->num_sequences; r++) {
      find_dues(e, &step->sequences[r]);
    }
    if (step->kind != STEP_LIBRARY || !step->library->meets) {
      continue;
    }
    looking l = {e, step, 0};
    uint32_t due = i + 1;
    uint64_t work_ns = 0;
    for (; due < end && !waits_for_meeting(&l, &sequence->steps[due]); due++) {
      work_ns += time_of(&sequence->steps[due]);
    }
    bool pays = work_ns >= MR_MEETING_BESIDE_NS;
    step->due = pays ? due : 0;
    step->slot = pays ? e->num_open++ : 0;
  }
}

static void find_dues(mr_executable *e, plan_sequence *sequence) {
  const plan_graph *graph = sequence->graph;
  if (!graph) {
    find_dues_between(e, sequence, 0, sequence->count);
    return;
  }
  for (uint32_t i = 0; i < graph->num_strands; i++) {
    find_dues_between(e, sequence, graph->strands[i].first, graph->strands[i].first + graph->strands[i].count);
  }
}

void mr_strands_find_dues(mr_executable *e) {
  e->num_open = 0;
  find_dues(e, &e->main);
}
