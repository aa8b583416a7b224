// The kernels of a plan: compiled on all cores, and listed for whoever keeps executables in files.
#include <assert.h>
#include <string.h>

#include "compiler/plan/plan.h"
#include "compiler/plan/tuning.h"

typedef struct kernel_list {
  plan_step **steps;
  mr_status *status;
  uint32_t count;
  _Atomic(uint64_t) code_bytes;
  mr_compile_progress *progress;  // NULL: nobody asks
} kernel_list;

static void count_steps(const plan_sequence *sequence, mr_executable *e) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    const plan_step *step = &sequence->steps[i];
    e->stats.steps++;
    e->stats.kernels += step->kind == STEP_KERNEL;
    e->stats.library_calls += step->kind == STEP_LIBRARY;
    e->wants_contents |= step->kind == STEP_LIBRARY && step->library->run_identified;
    e->max_step_buffers = MR_MAX(e->max_step_buffers, step->num_buffers);
    for (uint32_t r = 0; r < step->num_sequences; r++) {
      count_steps(&step->sequences[r], e);
    }
  }
}

static void collect(const plan_sequence *sequence, kernel_list *list) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    plan_step *step = &sequence->steps[i];
    if (step->kind == STEP_KERNEL) {
      list->steps[list->count++] = step;
    }
    for (uint32_t r = 0; r < step->num_sequences; r++) {
      collect(&step->sequences[r], list);
    }
  }
}

static void compile_range(void *context, int64_t begin, int64_t end) {
  kernel_list *list = context;
  for (int64_t i = begin; i < end; i++) {
    plan_step *step = list->steps[i];
    uint64_t start = mr_trace_begin();
    list->status[i] = list->progress && list->progress->stop ? mr_stop_reason(list->progress->stop) : MR_OK;
    if (!list->status[i]) {
      list->status[i] = mr_kernel_compile(step->launch.program, &step->kernel);
    }
    mr_trace_end(MR_TRACE_COMPILE, step->name, start);
    if (list->status[i]) {
      continue;
    }
    step->function = mr_kernel_function(step->kernel);
    // relaxed: a sum that is read after the loop has ended.
    atomic_fetch_add_explicit(&list->code_bytes, mr_kernel_code_bytes(step->kernel), memory_order_relaxed);
    mr_loop_release(step->launch.program);
    step->launch.program = NULL;
    if (list->progress) {
      atomic_fetch_add_explicit(&list->progress->kernels, 1, memory_order_relaxed);
    }
  }
}

static mr_status shift_step(mr_executable *e, plan_step *step) {
  size_t *shifts = mr_alloc_zeroed(step->num_buffers + 1, sizeof *shifts);
  if (!shifts) {
    return MR_NO_MEMORY();
  }
  assert(step->launch.program->num_params == step->num_buffers);
  mr_loop_program *shifted;
  mr_status status = mr_loop_shift(step->launch.program, shifts, &shifted);
  if (!status && shifted) {
    mr_loop_release(step->launch.program);
    step->launch.program = shifted;
    size_t *kept = mr_arena_array(&e->arena, size_t, step->num_buffers);
    if (kept) {
      memcpy(kept, shifts, step->num_buffers * sizeof *kept);
    }
    step->shifts = kept;
    status = kept ? MR_OK : MR_NO_MEMORY();
  }
  mr_free(shifts);
  return status;
}

// Of many kernels a lot are equal but for constants in their indices. A few are not worth a look, and stay as they are.
static mr_status shift_steps(mr_executable *e, const kernel_list *list) {
  for (uint32_t i = 0; list->count >= MR_PLAN_SHIFT_KERNELS && i < list->count; i++) {
    if (!list->steps[i]->launch.program->failed) {
      MR_TRY(shift_step(e, list->steps[i]));
    }
  }
  return MR_OK;
}

// Those that have no entry in a unit.
static uint32_t keep_host_steps(plan_step **steps, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!steps[i]->unit) {
      steps[kept++] = steps[i];
    }
  }
  return kept;
}

mr_status mr_planner_kernels(mr_executable *e, mr_module *module) {
  count_steps(&e->main, e);
  kernel_list list = {.steps = mr_arena_array(&module->arena, plan_step *, e->stats.kernels + 1),
                      .status = mr_arena_array(&module->arena, mr_status, e->stats.kernels + 1),
                      .progress = module->progress};
  if (!list.steps || !list.status) {
    return MR_NO_MEMORY();
  }
  collect(&e->main, &list);
  if (e->for_target) {
    MR_TRY(mr_planner_units(e, module, list.steps, list.count));
    list.count = keep_host_steps(list.steps, list.count);
  } else {
    MR_TRY(shift_steps(e, &list));
  }
  if (list.progress) {
    atomic_store_explicit(&list.progress->all, list.count, memory_order_relaxed);
  }
  mr_scheduler *scheduler = NULL;
  MR_TRY(mr_scheduler_acquire(&scheduler));
  mr_parallel_for(mr_scheduler_group(scheduler, 0, 1), list.count, compile_range, &list, 1,
                  (uint64_t)list.count * MR_PLAN_KERNEL_COMPILE_NS);
  mr_scheduler_release(scheduler);
  mr_status status = MR_OK;
  for (uint32_t i = 0; i < list.count; i++) {
    status = mr_status_join(status, list.status[i]);
  }
  // relaxed: as above
  e->stats.code_bytes = mr_size_add(e->stats.code_bytes, atomic_load_explicit(&list.code_bytes, memory_order_relaxed));
  return status;
}

// ---- For files --------------------------------------------------------------------------------------------------------

typedef struct visitor {
  void (*visit)(void *context, mr_hash128 key, mr_span object);
  void *context;
} visitor;

static void visit_sequence(const plan_sequence *sequence, const visitor *v) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    const plan_step *step = &sequence->steps[i];
    if (step->kernel) {
      v->visit(v->context, mr_kernel_key(step->kernel), mr_kernel_object(step->kernel));
    }
    for (uint32_t r = 0; r < step->num_sequences; r++) {
      visit_sequence(&step->sequences[r], v);
    }
  }
}

void mr_executable_each_kernel(const mr_executable *e, void (*visit)(void *context, mr_hash128 key, mr_span object),
                               void *context) {
  visit_sequence(&e->main, &(visitor){visit, context});
}
