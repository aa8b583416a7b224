// One step on the calling thread.
#include <alloca.h>

#include "compiler/run/run.h"
#include "core/ending.h"

void **mr_step_gather(const frame *f, const plan_step *step, void **out) {
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    out[i] = f->pointers[step->buffers[i]];
  }
  return out;
}

// How much less the caller is held up than the plan reckoned with; never more: what was begun on the caller's thread by its estimate
// stays there.
static void settle(const frame *f, const plan_step *step, uint32_t least_ns) {
  bool shared = least_ns >= MR_KERNEL_PARALLEL_NS(f->executable->wake_ns) && step->launch.range > 1;
  uint64_t held_ns = least_ns / (shared ? mr_group_concurrency(f->group) : 1);
  if (held_ns < step->cost_ns) {
    // relaxed: a hint.
    atomic_fetch_add_explicit(&f->executable->less_ns, step->cost_ns - held_ns, memory_order_relaxed);
  }
}

// Runs the kernel on one core and keeps how long that took. All relaxed: two executions at once may lose a look.
static void look_at_kernel(const frame *f, const plan_step *step, const mr_native_job *job) {
  plan_learned *l = step->learned;
  uint64_t start = mr_now_ns();
  job->function(job->buffers, job->stop, 0, step->launch.range);
  uint64_t took = MR_MIN(MR_MAX(mr_now_ns() - start, 1), (uint64_t)UINT32_MAX);
  bool enough = took > MR_LEARN_ENOUGH_NS;
  uint32_t least = atomic_load_explicit(&l->least_ns, memory_order_relaxed);
  uint32_t look = atomic_fetch_add_explicit(&l->looks, enough ? MR_LEARN_LOOKS : 1, memory_order_relaxed);
  if ((look || enough) && (!least || took < least)) {
    least = (uint32_t)took;
    atomic_store_explicit(&l->least_ns, least, memory_order_relaxed);
  }
  if (l->once && look < MR_LEARN_LOOKS && (enough || look + 1 == MR_LEARN_LOOKS)) {
    settle(f, step, least);
  }
}

// A kernel that is shared out if it takes as long as that wants, and not if its estimate does: two shares, where a worker looks for
// work; whether one does the loop knows.
static void run_watched(const frame *f, const plan_step *step, mr_native_job *job) {
  const plan_learned *l = step->learned;
  const mr_executable *e = f->executable;
  // relaxed: see above.
  uint64_t takes = atomic_load_explicit(&l->least_ns, memory_order_relaxed);
  if (atomic_load_explicit(&l->looks, memory_order_relaxed) < MR_LEARN_LOOKS || !takes) {
    look_at_kernel(f, step, job);
  } else if (takes < 2 * e->share_ns) {
    job->function(job->buffers, job->stop, 0, step->launch.range);
  } else {
    int64_t grain = (int64_t)((double)step->launch.range * (double)e->share_ns / (double)takes);
    mr_parallel_for(f->group, step->launch.range, mr_native_job_tiles, job, grain, takes);
  }
}

static void shift(const plan_step *step, void **arguments) {
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    if (step->shifts[i]) {  // what is empty has no address
      arguments[i] = (char *)arguments[i] + step->shifts[i];
    }
  }
}

static void run_kernel(const frame *f, const plan_step *step, void **arguments) {
  mr_native_job job = {step->function, mr_step_gather(f, step, arguments), f->stop};
  if (MR_UNLIKELY(step->shifts != NULL)) {
    shift(step, arguments);
  }
  if (MR_UNLIKELY(step->learned != NULL)) {
    run_watched(f, step, &job);
    return;
  }
  if (step->cost_ns < MR_KERNEL_PARALLEL_NS(f->executable->wake_ns)) {
    job.function(job.buffers, job.stop, 0, step->launch.range);
  } else {
    mr_parallel_for(f->group, step->launch.range, mr_native_job_tiles, &job, step->launch.grain, step->cost_ns);
  }
}

mr_status mr_step_call_begin(host_call *out_call) {
  MR_TRY(mr_ending_enter(MR_INSIDE_HOST));
  *out_call = (host_call){.begun = mr_scheduler_begin_host_call(), .start = mr_now_ns()};
  return MR_OK;
}

void mr_step_call_end(mr_executable *e, host_call call) {
  if (call.begun) {
    mr_scheduler_end_host_call();
  }
  mr_ending_leave(MR_INSIDE_HOST);
  // relaxed, also where it is read: how it was last.
  bool slow = mr_now_ns() - call.start > MR_HOST_SLOW_NS;
  if (slow != atomic_load_explicit(&e->host_is_slow, memory_order_relaxed)) {
    atomic_store_explicit(&e->host_is_slow, slow, memory_order_relaxed);
  }
}

mr_status mr_step_library_begin(const mr_library_call *call, host_call *out_call) {
  if (call->calls_host) {
    return mr_step_call_begin(out_call);
  }
  return call->foreign ? mr_ending_enter(MR_INSIDE_LIBRARY) : MR_OK;
}

// What a library has made in a call's first run is taken apart after the work has stopped.
static void leave_library(mr_library_call *call) {
  // relaxed: a hint.
  if (MR_UNLIKELY(!atomic_load_explicit(&call->ran, memory_order_relaxed))) {
    atomic_store_explicit(&call->ran, true, memory_order_relaxed);
    mr_ending_cover();
  }
  mr_ending_leave(MR_INSIDE_LIBRARY);
}

void mr_step_library_end(mr_executable *e, mr_library_call *call, host_call host) {
  if (call->calls_host) {
    mr_step_call_end(e, host);
  } else if (call->foreign) {
    leave_library(call);
  }
}

static mr_status call_library(const frame *f, const plan_step *step, void **arguments) {
  const mr_library_call *call = step->library;
  void *scratch = step->scratch == NO_BUFFER ? NULL : f->pointers[step->scratch];
  mr_step_gather(f, step, arguments);
  if (!call->run_identified) {
    return call->run(call, arguments, scratch, f->group);
  }
  mr_content *contents = alloca(step->num_buffers * sizeof *contents);
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    const plan_buffer *buffer = &f->executable->buffers[step->buffers[i]];
    bool known = buffer->place == PLACE_PARAM && !buffer->written;
    contents[i] = known ? f->params[buffer->index] : (mr_content){NULL, 0};
  }
  return call->run_identified(call, arguments, contents, scratch, f->group);
}

static mr_status run_library(const frame *f, const plan_step *step, void **arguments) {
  host_call host = {0};
  MR_TRY(mr_step_library_begin(step->library, &host));
  mr_status status = call_library(f, step, arguments);
  mr_step_library_end(f->executable, step->library, host);
  return status;
}

static int64_t read_selector(const void *data, mr_dtype dtype) {
  switch (dtype) {
  case MR_S64: return *(const int64_t *)data;
  case MR_PRED: return *(const uint8_t *)data;
  default: return *(const int32_t *)data;
  }
}

mr_status mr_step_run(const frame *f, const plan_step *step, void **arguments) {
  switch (step->kind) {
  case STEP_KERNEL:
    run_kernel(f, step, arguments);
    return MR_LIKELY(!mr_stop_token_is_cut(f->stop)) ? MR_OK : mr_stop_token_reason(f->stop);
  case STEP_LIBRARY: return run_library(f, step, arguments);
  case STEP_COPY:
    mr_copy_bytes(f->group, f->pointers[step->buffers[0]], f->pointers[step->buffers[1]], step->bytes);
    break;
  case STEP_WHILE:
  case STEP_CASE: break;  // the machine's
  }
  return MR_OK;
}

mr_status mr_step_start(const frame *f, const plan_step *step, void **arguments, mr_future **out_done) {
  const mr_library_call *call = step->library;
  void *scratch = step->scratch == NO_BUFFER ? NULL : f->pointers[step->scratch];
  uint64_t start = mr_trace_begin();
  host_call host;
  MR_TRY(mr_step_call_begin(&host));
  mr_status status = call->start(call, mr_step_gather(f, step, arguments), scratch, f->group, out_done);
  mr_step_call_end(f->executable, host);
  mr_trace_op_span(MR_TRACE_STEP, step->trace, f->run, start);
  return status;
}

uint32_t mr_step_branch_of(const plan_step *step, const void *data) {
  int64_t index = read_selector(data, step->selector);
  // StableHLO: out of bounds runs the last branch.
  return index < 0 || index >= step->num_sequences ? step->num_sequences - 1 : (uint32_t)index;
}

uint32_t mr_step_branch(const frame *f, const plan_step *step) {
  return mr_step_branch_of(step, f->pointers[step->buffers[0]]);
}

bool mr_step_goes_on(const frame *f, const plan_step *step) {
  const volatile uint8_t *predicate = f->pointers[step->buffers[0]];
  return *predicate;
}
