// A function to a plan: its parameters' buffers, steps, results' places and constants.
#include <string.h>

#include "compiler/plan/plan.h"
#include "compiler/plan/tuning.h"

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

static mr_status keep_constants(planner *p) {
  mr_executable *e = p->executable;
  for (int k = 0; k < PLAN_CONSTANTS; k++) {
    e->constant_bytes[k] = p->constants[k].size;
    e->stats.constant_bytes = mr_size_add(e->stats.constant_bytes, p->constants[k].size);
  }
  const mr_text *own = &p->constants[CONSTANTS_OWN], *common = &p->constants[CONSTANTS_COMMON];
  if (own->size) {
    e->constants[CONSTANTS_OWN] = mr_alloc_aligned(64, (own->size + 63) & ~(size_t)63);
    if (!e->constants[CONSTANTS_OWN]) {
      return MR_NO_MEMORY();
    }
    memcpy(e->constants[CONSTANTS_OWN], own->data, own->size);
  }
  if (common->size) {
    MR_TRY(mr_planner_common_take((mr_span){common->data, common->size}, &e->common));
    e->constants[CONSTANTS_COMMON] = mr_planner_common_data(e->common);
  }
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
    cost += step->cost_ns + MR_PLAN_STEP_NS;
    for (uint32_t r = 0; r < step->num_sequences; r++) {
      (void)total_cost(&step->sequences[r]);
    }
  }
  sequence->brief = cost < (uint64_t)MR_TRACE_BRIEF_NS * sequence->count;
  return cost;
}

// Kernels that might be shared out or not, by what they take: the first executions find that out (compiler/run/steps.c).
static mr_status watch_kernels(planner *p, plan_sequence *sequence) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    plan_step *step = &sequence->steps[i];
    for (uint32_t r = 0; r < step->num_sequences; r++) {
      MR_TRY(watch_kernels(p, &step->sequences[r]));
    }
    if (step->kind != STEP_KERNEL || step->cost_ns < MR_PLAN_LEARN_LEAST_NS || step->cost_ns > MR_PLAN_LEARN_MOST_NS) {
      continue;
    }
    step->learned = mr_arena_new(p->arena, plan_learned);
    if (!step->learned) {
      return MR_NO_MEMORY();
    }
    step->learned->once = sequence == &p->executable->main;
  }
  return MR_OK;
}

static mr_status make_steps(planner *p) {
  MR_TRY(mr_lowering_create(&p->lowering));
  mr_status status = mr_planner_block(p, &p->function->body, &p->executable->main);
  mr_lowering_destroy(p->lowering);
  p->lowering = NULL;
  return status;
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
  MR_TRY(make_steps(p));
  MR_TRY(place_results(p));
  double wake_ns = p->module->figures->wake_ns;
  e->wake_ns = (uint64_t)MR_MIN(MR_MAX(wake_ns, MR_PLAN_LEAST_WAKE_NS), MR_PLAN_MOST_WAKE_NS);
  e->share_ns = (uint64_t)mr_lower_share_ns(p->module->figures);
  MR_TRY(watch_kernels(p, &e->main));
  MR_TRY(keep_constants(p));
  keep_buffers(p);
  e->cost_ns = e->stats.cost_ns = total_cost(&e->main);
  return MR_OK;
}

mr_status mr_planner_make(mr_executable *executable, mr_module *module, mr_function *function) {
  planner p = {.executable = executable, .arena = &executable->arena, .module = module, .function = function};
  mr_status status = make_plan(&p);
  for (int k = 0; k < PLAN_CONSTANTS; k++) {
    mr_text_deinit(&p.constants[k]);
  }
  executable->trips = NULL;
  executable->num_trips = 0;
  return status;
}
