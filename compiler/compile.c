// mr_compile: reader, passes, fusion, plan, code. And the executable's accessors.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/choose/choose.h"
#include "compiler/fuse/fuse.h"
#include "compiler/passes/passes.h"
#include "compiler/plan/plan.h"
#include "compiler/plan/ports.h"
#include "compiler/reader/reader.h"
#include "compiler/run/subnormal.h"
#include "core/census.h"

// ---- Results of the entry function --------------------------------------------------------------------------------------

// The result takes the buffer its value lies in, when that is a temporary or a donated parameter that nobody else returns;
// what is a parameter's, a constant's or returned twice gets a copy.
static mr_status place_result(planner *p, uint32_t k, const mr_value *value, int64_t at, bool *moved) {
  mr_executable *e = p->executable;
  uint32_t buffer = p->buffer_of[value->id];
  plan_buffer *b = &p->buffers[buffer];
  if (b->place == PLACE_TEMP && b->bytes == e->results[k].bytes) {
    b->place = PLACE_RESULT;
    b->index = k;
  } else if (b->place == PLACE_PARAM && e->params[b->index].donated && !moved[b->index] &&
             b->bytes == e->results[k].bytes) {
    b->written = moved[b->index] = true;
  } else {
    uint32_t fresh = mr_planner_new_buffer(p, e->results[k].bytes, at, at);
    if (fresh == NO_BUFFER) {
      return MR_NO_MEMORY();
    }
    p->buffers[fresh].place = PLACE_RESULT;
    p->buffers[fresh].index = k;
    MR_TRY(mr_planner_copy(p, &e->main, fresh, buffer, at));
    buffer = fresh;
  }
  e->result_buffers[k] = buffer;
  return MR_OK;
}

static mr_status place_results(planner *p) {
  const mr_op *terminator = mr_block_terminator(&p->function->body);
  bool *moved = mr_arena_array(&p->module->arena, bool, p->executable->num_params + 1);
  if (!moved) {
    return MR_NO_MEMORY();
  }
  for (uint32_t k = 0; k < p->executable->num_results; k++) {
    MR_TRY(place_result(p, k, mr_op_operand(terminator, k), mr_planner_start(terminator), moved));
  }
  return MR_OK;
}

static mr_status place_params(planner *p) {
  mr_executable *e = p->executable;
  for (uint32_t i = 0; i < e->num_params; i++) {
    const mr_value *value = p->function->body.args[i];
    uint32_t buffer = mr_planner_new_buffer(p, e->params[i].bytes, 0, MR_MAX(p->last_use[value->id], (int64_t)0));
    if (buffer == NO_BUFFER) {
      return MR_NO_MEMORY();
    }
    p->buffers[buffer].place = PLACE_PARAM;
    p->buffers[buffer].index = i;
    p->buffer_of[value->id] = e->param_buffers[i] = buffer;
  }
  return MR_OK;
}

// A result that aliases a parameter should be computed in the parameter's place.
static void want_aliases(planner *p) {
  const mr_executable *e = p->executable;
  const mr_op *terminator = mr_block_terminator(&p->function->body);
  for (uint32_t k = 0; k < e->num_results; k++) {
    const mr_value *value = mr_op_operand(terminator, k);
    if (e->results[k].alias >= 0 && value->def && value->block == &p->function->body) {
      mr_planner_want(p, value, e->param_buffers[e->results[k].alias]);
    }
  }
}

// ---- Kernels ------------------------------------------------------------------------------------------------------------

typedef struct kernel_list {
  plan_step **steps;
  mr_status *status;
  uint32_t count;
  _Atomic(uint64_t) code_bytes;
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
    list->status[i] = mr_kernel_compile(step->launch.program, &step->kernel);
    mr_trace_end(MR_TRACE_COMPILE, step->name, start);
    if (list->status[i]) {
      continue;
    }
    step->function = mr_kernel_function(step->kernel);
    // relaxed: a sum that is read after the loop has ended.
    atomic_fetch_add_explicit(&list->code_bytes, mr_kernel_code_bytes(step->kernel), memory_order_relaxed);
    mr_loop_release(step->launch.program);
    step->launch.program = NULL;
  }
}

static mr_status compile_kernels(planner *p) {
  mr_executable *e = p->executable;
  count_steps(&e->main, e);
  kernel_list list = {.steps = mr_arena_array(&p->module->arena, plan_step *, e->stats.kernels + 1),
                      .status = mr_arena_array(&p->module->arena, mr_status, e->stats.kernels + 1)};
  if (!list.steps || !list.status) {
    return MR_NO_MEMORY();
  }
  collect(&e->main, &list);
  mr_scheduler *scheduler = NULL;
  MR_TRY(mr_scheduler_acquire(&scheduler));
  // About 3 ms a kernel that is not in the cache.
  mr_parallel_for(mr_scheduler_group(scheduler, 0, 1), list.count, compile_range, &list, 1,
                  (uint64_t)list.count * 3000000);
  mr_scheduler_release(scheduler);
  mr_status status = MR_OK;
  for (uint32_t i = 0; i < list.count; i++) {
    status = mr_status_join(status, list.status[i]);
  }
  e->stats.code_bytes = atomic_load_explicit(&list.code_bytes, memory_order_relaxed);  // relaxed: as above
  return status;
}

// ---- The whole ------------------------------------------------------------------------------------------------------------

static mr_status keep_constants(planner *p) {
  mr_executable *e = p->executable;
  if (p->constants.size == 0) {
    return MR_OK;
  }
  e->constant_bytes = e->stats.constant_bytes = p->constants.size;
  e->constants = mr_alloc_aligned(64, (p->constants.size + 63) & ~(size_t)63);
  if (!e->constants) {
    return MR_NO_MEMORY();
  }
  memcpy(e->constants, p->constants.data, p->constants.size);
  return MR_OK;
}

static void keep_buffers(planner *p) {
  p->executable->buffers = p->buffers;
  p->executable->num_buffers = p->num_buffers;
}

// Also says of it, and of the sequences in it, whether its steps are brief.
static uint64_t total_cost(plan_sequence *sequence) {
  uint64_t cost = 0;
  for (uint32_t i = 0; i < sequence->count; i++) {
    const plan_step *step = &sequence->steps[i];
    cost += step->cost_ns + 30;
    for (uint32_t r = 0; r < step->num_sequences; r++) {
      (void)total_cost(&step->sequences[r]);
    }
  }
  sequence->brief = cost < (uint64_t)MR_TRACE_BRIEF_NS * sequence->count;
  return cost;
}

static mr_status make_plan(planner *p) {
  mr_executable *e = p->executable;
  mr_function_number(p->function);
  e->param_buffers = mr_arena_array(p->arena, uint32_t, e->num_params + 1);
  e->result_buffers = mr_arena_array(p->arena, uint32_t, e->num_results + 1);
  if (!e->param_buffers || !e->result_buffers) {
    return MR_NO_MEMORY();
  }
  MR_TRY(mr_planner_lives(p));
  MR_TRY(place_params(p));
  want_aliases(p);
  MR_TRY(mr_planner_block(p, &p->function->body, &e->main));
  MR_TRY(place_results(p));
  MR_TRY(mr_planner_pack(p, &e->temp_bytes));
  MR_TRY(keep_constants(p));
  keep_buffers(p);
  e->cost_ns = total_cost(&e->main);
  e->stats.temp_bytes = e->temp_bytes;
  return compile_kernels(p);
}

// A step of compiling that changed the IR. Builds with asserts look at it after each; others at the end of the passes.
static mr_status checked(const mr_module *module, mr_status status, const char *step) {
#ifndef NDEBUG
  return status ? status : mr_status_note(mr_module_verify(module), "after %s", step);
#else
  (void)module, (void)step;
  return status;
#endif
}

static mr_status compile_module(mr_module *module, mr_executable *e) {
  MR_TRY(mr_module_verify(module));
  const mr_function *before = mr_module_entry(module);
  if (!before || before->is_declaration) {
    return mr_error(MR_INVALID_ARGUMENT, "program has no entry function with a body; wanted a public function @main");
  }
  e->name = mr_arena_str(&e->arena, module->name.size ? module->name : before->name);
  if (!e->name.data) {
    return MR_NO_MEMORY();
  }
  e->trace_name = mr_trace_name_of(e->name.size ? e->name.data : "execute");
  uint64_t start = mr_trace_begin();
  MR_TRY(mr_passes_run(module));
  mr_trace_end(MR_TRACE_COMPILE, "passes", start);
  mr_function *function = mr_module_entry(module);
  MR_TRY(mr_planner_ports(e, function));
  MR_TRY(checked(module, mr_choose_contractions(function), "choosing contractions"));
  start = mr_trace_begin();
  MR_TRY(checked(module, mr_fuse(function), "fusion"));
  MR_TRY(checked(module, mr_planner_spread_splats(function), "spreading splats"));
  mr_trace_end(MR_TRACE_COMPILE, "fuse", start);
  if (getenv("MILLRACE_DUMP")) {
    mr_module_print(module, &e->text);  // costs as much as a small program's whole plan
  }
  planner p = {.executable = e, .arena = &e->arena, .module = module, .function = function};
  start = mr_trace_begin();
  mr_status status = make_plan(&p);
  mr_trace_end(MR_TRACE_COMPILE, "plan and code", start);
  mr_text_deinit(&p.constants);
  return status;
}

static mr_status check_options(const mr_compile_options *options) {
  if (options && options->num_replicas > 1) {
    return mr_error(MR_UNIMPLEMENTED, "a program over %u replicas", options->num_replicas);
  }
  if (options && options->num_partitions > 1) {
    return mr_error(MR_UNIMPLEMENTED, "SPMD partitioning over %u devices", options->num_partitions);
  }
  return MR_OK;
}

static mr_status compile(mr_span program, const mr_compile_options *options, mr_executable **out_executable) {
  uint64_t begin = mr_now_ns(), start = mr_trace_begin();
  MR_TRY(check_options(options));
  mr_module *module = NULL;
  MR_TRY(mr_read_program(program, &module));
  mr_trace_end(MR_TRACE_COMPILE, "read", start);
  mr_executable *e = mr_alloc_zeroed(1, sizeof *e);
  if (!e) {
    mr_module_release(module);
    return MR_NO_MEMORY();
  }
  mr_census_add(MR_CENSUS_executables, 1);
  atomic_init(&e->refs, 1);
  mr_arena_init(&e->arena, 0);
  module->round_steps = options && options->round_steps;
  mr_hash128 hash = mr_hash128_of(program.data, program.size, (mr_hash128){module->round_steps, 0});
  snprintf(e->fingerprint, sizeof e->fingerprint, "%016llx%016llx", (unsigned long long)hash.high,
           (unsigned long long)hash.low);
  mr_status status = mr_module_end(module, compile_module(module, e));
  e->stats.compile_bytes = module->arena.used + e->arena.used;
  mr_module_release(module);
  if (status) {
    mr_executable_release(e);
    return status;
  }
  e->stats.compile_ns = mr_now_ns() - begin;
  mr_trace_end_call(MR_TRACE_COMPILE, "compile", MR_NODE_COMPILE, -1, start);
  *out_executable = e;
  return MR_OK;
}

mr_status mr_compile(mr_span program, const mr_compile_options *options, mr_executable **out_executable) {
  *out_executable = NULL;
  unsigned mode = mr_subnormals_honour();
  mr_status status = compile(program, options, out_executable);
  mr_subnormals_restore(mode);
  mr_codegen_tidy_later();
  return status;
}

mr_executable *mr_executable_retain(mr_executable *e) {
  // relaxed: the caller has a reference.
  atomic_fetch_add_explicit(&e->refs, 1, memory_order_relaxed);
  return e;
}

static void release_sequence(plan_sequence *sequence) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    plan_step *step = &sequence->steps[i];
    mr_launch_deinit(&step->launch);
    mr_kernel_release(step->kernel);
    mr_library_call_destroy(step->library);
    for (uint32_t r = 0; r < step->num_sequences; r++) {
      release_sequence(&step->sequences[r]);
    }
  }
}

void mr_executable_release(mr_executable *e) {
  // acq_rel: the last user's work happens before everything goes.
  if (!e || atomic_fetch_sub_explicit(&e->refs, 1, memory_order_acq_rel) != 1) {
    return;
  }
  mr_census_add(MR_CENSUS_executables, -1);
  release_sequence(&e->main);
  mr_free(e->constants);
  mr_text_deinit(&e->text);
  mr_arena_deinit(&e->arena);
  mr_free(e);
  mr_codegen_tidy_later();
}

mr_str mr_executable_name(const mr_executable *e) { return e->name; }
size_t mr_executable_param_count(const mr_executable *e) { return e->num_params; }
const mr_port *mr_executable_param(const mr_executable *e, size_t i) { return &e->params[i]; }
size_t mr_executable_result_count(const mr_executable *e) { return e->num_results; }
const mr_port *mr_executable_result(const mr_executable *e, size_t i) { return &e->results[i]; }
const char *mr_executable_fingerprint(const mr_executable *e) { return e->fingerprint; }
mr_executable_stats mr_executable_stats_of(const mr_executable *e) { return e->stats; }
