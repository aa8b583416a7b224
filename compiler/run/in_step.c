// Rows of one program in step: every row's steps up to a meeting, then the meeting, and so on. Nobody waits for anybody.
//
// Without cores all is done on this thread, one row after the other. With cores the rows between two meetings are shared out, and so is the
// work of a meeting.
#include <string.h>

#include "compiler/run/context.h"
#include "compiler/run/run.h"
#include "compiler/run/subnormal.h"
#include "futures/pool.h"

typedef struct in_step {
  mr_executable *executable;
  launch_state *const *states;
  uint32_t count;
  mr_group *cores;
  frame *frames;        // by row
  mr_storage **temps;   // by row
  void ***arguments;    // of a step, by row
  void ***members;      // the same by member of the program
  void *const **ranks;  // room for a group's
  once_for_all once;    // `states` NULL: every row does everything
  mr_stop_token stop;
} in_step;

static mr_status open_all(in_step *x, void **pointers, mr_content *contents) {
  mr_executable *e = x->executable;
  size_t words = (size_t)e->num_buffers + e->max_step_buffers;
  for (uint32_t i = 0; i < x->count; i++, pointers += words) {
    launch_state *s = x->states[i];
    s->once = x->once.states ? &x->once : NULL;
    s->contents = e->wants_contents ? contents + (size_t)i * e->num_params : NULL;
    x->arguments[i] = pointers + e->num_buffers;
    x->members[member_of(s)] = x->arguments[i];
    x->frames[i] = (frame){e, pointers, s->contents, x->cores ? x->cores : s->device->group, false, s->run, &x->stop};
    mr_status status = mr_execution_open(s, pointers, &x->temps[i]);
    if (status) {
      return mr_rows_note(status, s);
    }
  }
  return MR_OK;
}

// ---- Between meetings ---------------------------------------------------------------------------------------------------------

typedef struct stretch {
  const in_step *x;
  uint32_t first, end;       // steps
  _Atomic(uintptr_t) error;  // an owned mr_status; whoever is first keeps it, and the loop's end publishes it
} stretch;

static mr_status run_row(const stretch *job, uint32_t row, const frame *f) {
  const in_step *x = job->x;
  const launch_state *s = x->states[row];
  uint64_t start = mr_trace_begin();
  int16_t device = (int16_t)mr_trace_device;
  mr_trace_device = s->device->id;
  mr_call_context *before = mr_call_context_enter(s->context);
  mr_status status = mr_machine_run(f, &x->executable->main, job->first, job->end, x->arguments[row]);
  mr_call_context_enter(before);
  mr_trace_op_span(MR_TRACE_NODE, x->executable->trace, s->run, start);
  mr_trace_device = device;
  return status ? mr_rows_note(status, s) : MR_OK;
}

static void run_some(void *context, int64_t begin, int64_t end) {
  stretch *job = context;
  for (int64_t row = begin; row < end; row++) {
    uintptr_t none = 0;
    mr_status status = run_row(job, (uint32_t)row, &job->x->frames[row]);
    // relaxed: see there.
    if (status && !atomic_compare_exchange_strong_explicit(&job->error, &none, (uintptr_t)status, memory_order_relaxed,
                                                           memory_order_relaxed)) {
      mr_status_free(status);
    }
  }
}

static mr_status run_between(const in_step *x, uint32_t first, uint32_t end) {
  uint64_t cost_ns = 0;
  for (uint32_t i = first; i < end; i++) {
    cost_ns += x->executable->main.steps[i].cost_ns * x->count;
  }
  stretch job = {.x = x, .first = first, .end = end};
  if (first < end) {
    mr_parallel_for(x->cores, x->count, run_some, &job, 1, cost_ns);
  }
  return (mr_status)atomic_load_explicit(&job.error, memory_order_relaxed);
}

// ---- Meetings -------------------------------------------------------------------------------------------------------------------

// What all did together is in each device's row of a viewer.
static void tell_meeting(const in_step *x, const plan_step *step, uint64_t start) {
  int16_t device = (int16_t)mr_trace_device;
  for (uint32_t i = 0; start && i < x->count; i++) {
    mr_trace_device = x->states[i]->device->id;
    mr_trace_op_span(MR_TRACE_STEP, step->trace, x->states[i]->run, start);
  }
  mr_trace_device = device;
}

static mr_status meet_all(const in_step *x, const plan_step *step) {
  uint64_t start = mr_trace_begin();
  for (uint32_t i = 0; i < x->count; i++) {
    mr_step_gather(&x->frames[i], step, x->arguments[i]);
  }
  mr_status status = mr_collective_run_all(step->library->meets, (void *const *const *)x->members, x->ranks, x->cores);
  tell_meeting(x, step, start);
  return status;
}

// Steps that are done once, with the first row's memory and all cores.
static mr_status run_once(const in_step *x, uint32_t first, uint32_t end) {
  stretch job = {.x = x, .first = first, .end = end};
  return run_row(&job, 0, &x->frames[0]);
}

static bool is_once(const in_step *x, uint32_t i) { return x->once.states && x->executable->main.steps[i].once; }

static mr_status run_steps(const in_step *x) {
  const plan_sequence *sequence = &x->executable->main;
  uint32_t first = 0;
  for (uint32_t i = 0; i < sequence->count; i++) {
    const plan_step *step = &sequence->steps[i];
    if (step->kind == STEP_LIBRARY && step->library->meets) {
      MR_TRY(run_between(x, first, i));
      MR_TRY(frame_is_stopped(&x->frames[0]));
      MR_TRY(meet_all(x, step));
      first = i + 1;
    } else if (is_once(x, i)) {
      uint32_t end = i;
      while (end < sequence->count && is_once(x, end)) {
        end++;
      }
      MR_TRY(run_between(x, first, i));
      MR_TRY(run_once(x, i, end));
      first = end;
      i = end - 1;
    }
  }
  return run_between(x, first, sequence->count);
}

// ---- The whole ------------------------------------------------------------------------------------------------------------------

static mr_status run_all(in_step *x, void **pointers, mr_content *contents) {
  const mr_executable *e = x->executable;
  unsigned mode = mr_subnormals_flush();
  mr_status status = MR_OK;
  if (e->num_once && mr_once_applies(e, x->states, x->count, x->cores)) {
    x->once = (once_for_all){.states = x->states, .count = x->count, .pointers = pointers};
    mr_memory *memory = &x->states[0]->device->memories[MR_MEMORY_DEVICE];
    size_t bytes = e->once_end - e->once_first;
    status = bytes ? mr_storage_allocate(memory, bytes, &x->once.temp) : MR_OK;
  }
  status = status ? status : open_all(x, pointers, contents);
  status = status ? status : run_steps(x);
  mr_subnormals_restore(mode);
  for (uint32_t i = 0; i < x->count; i++) {
    mr_storage_release(x->temps[i]);
    x->states[i]->once = NULL;
  }
  mr_storage_release(x->once.temp);
  return status;
}

static mr_status run_with_room(in_step *x) {
  const mr_executable *e = x->executable;
  size_t n = x->count, words = (size_t)e->num_buffers + e->max_step_buffers;
  size_t contents = e->wants_contents ? n * e->num_params * sizeof(mr_content) : 0;
  size_t frames = n * words * sizeof(void *) + 4 * n * sizeof(void *), end = frames + n * sizeof(frame) + contents;
  char *block = mr_struct_alloc(end);
  if (!block) {
    return MR_NO_MEMORY();
  }
  void **at = (void **)(void *)block + n * words;
  x->frames = (frame *)(void *)(block + frames);
  x->temps = (mr_storage **)at;
  x->arguments = (void ***)(at + n);
  x->members = (void ***)(at + 2 * n);
  x->ranks = (void *const **)(at + 3 * n);
  memset(x->temps, 0, n * sizeof *x->temps);
  mr_status status = run_all(x, (void **)(void *)block, (mr_content *)(void *)(x->frames + n));
  mr_struct_free(block, end);
  return status;
}

mr_status mr_rows_run_in_step(mr_executable *e, launch_state *const *states, uint32_t count, mr_group *cores) {
  in_step x = {.executable = e, .states = states, .count = count, .cores = cores};
  x.stop = mr_execution_token(states[0]);
  mr_status status = run_with_room(&x);
  for (uint32_t i = 0; i < count; i++) {
    mr_execution_close(states[i], status != MR_OK);
  }
  return status;
}
