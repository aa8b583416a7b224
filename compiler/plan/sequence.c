// Loops and branches whose rounds are cheap become one kernel: the kernels inside are inlined into a loop program with real
// control flow, so that a round costs nanoseconds instead of a walk over steps.
//
// Buffers inside such a kernel: small ones that nobody outside sees are its own variables; all others are parameters, and
// get distinct memory for the whole of the loop, because the generated code assumes that buffers do not overlap.
#include <string.h>

#include "compiler/plan/plan.h"
#include "compiler/plan/tuning.h"

typedef struct inliner {
  planner *p;
  mr_loop_program *program;
  int64_t start, finish;  // positions of the whole step
  uint32_t *order;        // plan buffers in order of first mention
  uint32_t count;
  mr_lbuf *mapped;               // by plan buffer number
  mr_dtype *dtypes;              // by plan buffer number: how the kernels see it
  bool *seen, *written, *local;  // by plan buffer number
  uint64_t instrs;
  uint64_t flops;
} inliner;

// ---- What is inside -----------------------------------------------------------------------------------------------------

static bool note(inliner *in, uint32_t buffer, mr_dtype dtype, bool written) {
  if (!in->seen[buffer]) {
    in->seen[buffer] = true;
    in->order[in->count++] = buffer;
    in->dtypes[buffer] = MR_INVALID;
  }
  in->written[buffer] |= written;
  if (dtype == MR_INVALID || in->dtypes[buffer] == dtype) {
    return true;
  }
  if (in->dtypes[buffer] != MR_INVALID) {
    return false;  // seen as two types (a bitcast): leave such a loop to the plan
  }
  in->dtypes[buffer] = dtype;
  return true;
}

static bool survey(inliner *in, const plan_sequence *sequence);

static bool survey_kernel(inliner *in, const plan_step *step) {
  const mr_loop_program *program = step->launch.program;
  if (!program || step->num_buffers != program->num_params) {
    return false;
  }
  in->instrs += program->num_instrs;
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    const mr_loop_buffer *buffer = &program->buffers[i];
    if (!note(in, step->buffers[i], (mr_dtype)buffer->dtype, buffer->flags & MR_L_WRITE)) {
      return false;
    }
    for (uint32_t j = 0; j < i; j++) {  // in place: one buffer under two names
      if (step->buffers[j] == step->buffers[i] && (program->buffers[j].flags | buffer->flags) & MR_L_WRITE &&
          mr_dtype_bytes((mr_dtype)program->buffers[j].dtype) != mr_dtype_bytes((mr_dtype)buffer->dtype)) {
        return false;
      }
    }
  }
  return true;
}

static bool survey_step(inliner *in, const plan_step *step) {
  switch (step->kind) {
  case STEP_KERNEL: return survey_kernel(in, step);
  case STEP_COPY: return note(in, step->buffers[0], MR_INVALID, true) && note(in, step->buffers[1], MR_INVALID, false);
  case STEP_WHILE:
    return note(in, step->buffers[0], MR_PRED, false) && survey(in, &step->sequences[0]) &&
           survey(in, &step->sequences[1]);
  case STEP_CASE:
    for (uint32_t r = 0; r < step->num_sequences; r++) {
      if (!survey(in, &step->sequences[r])) {
        return false;
      }
    }
    return note(in, step->buffers[0], step->selector, false);
  case STEP_LIBRARY: return false;
  }
  return false;
}

static bool survey(inliner *in, const plan_sequence *sequence) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    if (!survey_step(in, &sequence->steps[i])) {
      return false;
    }
  }
  return in->instrs <= MR_INLINE_CONTROL_INSTRS;
}

// ---- Buffers ------------------------------------------------------------------------------------------------------------

static size_t elements(const inliner *in, uint32_t buffer) {
  return in->p->buffers[buffer].bytes / mr_dtype_bytes(in->dtypes[buffer]);
}

// Copies give a type to buffers that only copies touch.
static void default_types(inliner *in) {
  for (uint32_t i = 0; i < in->count; i++) {
    uint32_t buffer = in->order[i];
    if (in->dtypes[buffer] == MR_INVALID) {
      in->dtypes[buffer] = in->p->buffers[buffer].bytes % 4 == 0 ? MR_U32 : MR_U8;
    }
  }
}

// A copy between types of one width moves bits. A pred has no other bits than its own two values.
static bool copies_bits(mr_dtype to, mr_dtype from) {
  return to == from || (to != MR_PRED && from != MR_PRED && mr_dtype_bits(to) == mr_dtype_bits(from));
}

static bool copies_agree(const inliner *in, const plan_sequence *sequence) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    const plan_step *step = &sequence->steps[i];
    if (step->kind == STEP_COPY && !copies_bits(in->dtypes[step->buffers[0]], in->dtypes[step->buffers[1]])) {
      return false;
    }
    for (uint32_t r = 0; r < step->num_sequences; r++) {
      if (!copies_agree(in, &step->sequences[r])) {
        return false;
      }
    }
  }
  return true;
}

// Untyped ends of copies take the type of the other end, as often as that tells something.
static void spread_types(inliner *in, const plan_sequence *sequence, bool *changed) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    const plan_step *step = &sequence->steps[i];
    if (step->kind == STEP_COPY) {
      mr_dtype *a = &in->dtypes[step->buffers[0]], *b = &in->dtypes[step->buffers[1]];
      if ((*a == MR_INVALID) != (*b == MR_INVALID)) {
        *a = *b = *a == MR_INVALID ? *b : *a;
        *changed = true;
      }
    }
    for (uint32_t r = 0; r < step->num_sequences; r++) {
      spread_types(in, &step->sequences[r], changed);
    }
  }
}

// Made and used up within the regions. What carries values in or out starts with the step itself or before it.
static bool is_inside(const inliner *in, const plan_buffer *buffer) {
  return buffer->place == PLACE_TEMP && buffer->start > in->start && buffer->end <= in->finish;
}

static void choose_locals(inliner *in) {
  size_t total = 0;
  for (uint32_t i = 0; i < in->count; i++) {
    const plan_buffer *buffer = &in->p->buffers[in->order[i]];
    bool inside = is_inside(in, buffer);
    // A small carried value is a variable too, loaded before and stored after.
    bool carried = buffer->place == PLACE_TEMP && buffer->bytes <= MR_INLINE_CARRY_BYTES && in->written[in->order[i]];
    if ((inside || carried) && buffer->bytes <= MR_INLINE_LOCAL_BYTES &&
        total + buffer->bytes <= MR_INLINE_LOCAL_TOTAL) {
      in->local[in->order[i]] = true;
      total += buffer->bytes;
    }
  }
}

// A local that must be loaded before and stored after: its memory is seen from outside.
static bool is_carried_local(const inliner *in, uint32_t buffer) {
  return in->local[buffer] && !is_inside(in, &in->p->buffers[buffer]);
}

// Declares parameters, then locals; fills `mapped`. Carried locals have both: outside[] gets their parameter.
static void declare(inliner *in, uint32_t *arguments, uint32_t *out_count, mr_lbuf *outside) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < in->count; i++) {
    uint32_t buffer = in->order[i];
    if (!in->local[buffer] || is_carried_local(in, buffer)) {
      uint32_t flags = MR_L_READ | (in->written[buffer] ? MR_L_WRITE : 0);
      outside[buffer] = in->mapped[buffer] = mr_l_buffer(in->program, in->dtypes[buffer], flags);
      arguments[count++] = buffer;
    }
  }
  for (uint32_t i = 0; i < in->count; i++) {
    uint32_t buffer = in->order[i];
    if (in->local[buffer]) {
      in->mapped[buffer] = mr_l_local(in->program, in->dtypes[buffer], (int64_t)MR_MAX(elements(in, buffer), 1u));
    }
  }
  *out_count = count;
}

static void emit_copy(inliner *in, mr_lbuf to, mr_lbuf from, size_t count) {
  mr_loop_program *q = in->program;
  mr_dtype type = (mr_dtype)q->buffers[to].dtype;
  if (count == 1) {
    mr_l_store(q, to, mr_l_index(q, 0), mr_l_bitcast(q, type, mr_l_load(q, from, mr_l_index(q, 0))));
    return;
  }
  mr_lv i = mr_l_for(q, mr_l_index(q, 0), mr_l_index(q, (int64_t)count), 1, MR_L_INDEPENDENT);
  mr_l_store(q, to, i, mr_l_bitcast(q, type, mr_l_load(q, from, i)));
  mr_l_end(q);
}

static void transfer_carried(inliner *in, const mr_lbuf *outside, bool in_or_out) {
  for (uint32_t i = 0; i < in->count; i++) {
    uint32_t buffer = in->order[i];
    if (is_carried_local(in, buffer)) {
      mr_lbuf to = in_or_out ? in->mapped[buffer] : outside[buffer];
      mr_lbuf from = in_or_out ? outside[buffer] : in->mapped[buffer];
      emit_copy(in, to, from, elements(in, buffer));
    }
  }
}

// ---- Code ---------------------------------------------------------------------------------------------------------------

static void emit(inliner *in, const plan_sequence *sequence);

static void emit_kernel(inliner *in, const plan_step *step) {
  mr_lbuf buffers[256];
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    buffers[i] = in->mapped[step->buffers[i]];
  }
  mr_loop_program *q = in->program;
  mr_l_inline(q, step->launch.program, buffers, mr_l_index(q, 0), mr_l_index(q, step->launch.range));
  in->flops += step->launch.flops;
}

static void emit_case(inliner *in, const plan_step *step) {
  mr_loop_program *q = in->program;
  mr_lv index = mr_l_load(q, in->mapped[step->buffers[0]], mr_l_index(q, 0));
  mr_dtype type = step->selector;
  uint32_t last = step->num_sequences - 1;
  for (uint32_t r = 0; r < last; r++) {
    mr_l_if(q, mr_l_compare(q, MR_L_EQ, MR_L_NOTYPE, type, index, mr_l_int(q, type, r)));
    emit(in, &step->sequences[r]);
    mr_l_else(q);
  }
  emit(in, &step->sequences[last]);
  for (uint32_t r = 0; r < last; r++) {
    mr_l_end(q);
  }
}

static void emit_while(inliner *in, const plan_step *step) {
  mr_loop_program *q = in->program;
  mr_l_while(q);
  emit(in, &step->sequences[0]);
  mr_l_do(q, mr_l_load(q, in->mapped[step->buffers[0]], mr_l_index(q, 0)));
  emit(in, &step->sequences[1]);
  mr_l_end(q);
}

static void emit_step(inliner *in, const plan_step *step) {
  switch (step->kind) {
  case STEP_KERNEL: emit_kernel(in, step); break;
  case STEP_COPY:
    emit_copy(in, in->mapped[step->buffers[0]], in->mapped[step->buffers[1]], elements(in, step->buffers[0]));
    break;
  case STEP_WHILE: emit_while(in, step); break;
  case STEP_CASE: emit_case(in, step); break;
  case STEP_LIBRARY: break;
  }
}

static void emit(inliner *in, const plan_sequence *sequence) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    emit_step(in, &sequence->steps[i]);
  }
}

// ---- The step -----------------------------------------------------------------------------------------------------------

static void release_inner(plan_sequence *sequence) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    plan_step *step = &sequence->steps[i];
    mr_launch_deinit(&step->launch);
    for (uint32_t r = 0; r < step->num_sequences; r++) {
      release_inner(&step->sequences[r]);
    }
  }
  sequence->count = 0;
}

static bool widest_step_fits(const plan_sequence *sequence) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    if (sequence->steps[i].num_buffers > 256) {
      return false;
    }
    for (uint32_t r = 0; r < sequence->steps[i].num_sequences; r++) {
      if (!widest_step_fits(&sequence->steps[i].sequences[r])) {
        return false;
      }
    }
  }
  return true;
}

static uint64_t round_cost(const plan_step *step) {
  uint64_t cost = 0;
  for (uint32_t r = 0; r < step->num_sequences; r++) {
    for (uint32_t i = 0; i < step->sequences[r].count; i++) {
      cost += step->sequences[r].steps[i].cost_ns;
    }
  }
  return cost;
}

static mr_status prepare(inliner *in) {
  mr_arena *arena = &in->p->module->arena;
  uint32_t total = in->p->num_buffers;
  in->order = mr_arena_array(arena, uint32_t, total + 1);
  in->mapped = mr_arena_array(arena, mr_lbuf, total + 1);
  in->dtypes = mr_arena_array(arena, mr_dtype, total + 1);
  in->seen = mr_arena_array(arena, bool, total + 1);
  in->written = mr_arena_array(arena, bool, total + 1);
  in->local = mr_arena_array(arena, bool, total + 1);
  return in->order && in->mapped && in->dtypes && in->seen && in->written && in->local ? MR_OK : MR_NO_MEMORY();
}

static bool inlinable(inliner *in, const plan_step *step) {
  plan_sequence whole = {.steps = (plan_step *)(uintptr_t)step, .count = 1, .capacity = 1};
  if (round_cost(step) > MR_INLINE_CONTROL_NS || !widest_step_fits(&whole) || !survey(in, &whole)) {
    return false;
  }
  for (bool changed = true; changed;) {
    changed = false;
    spread_types(in, &whole, &changed);
  }
  default_types(in);
  return copies_agree(in, &whole);
}

mr_status mr_plan_inline_control(planner *p, plan_step *step) {
  inliner in = {.p = p, .start = step->position, .finish = INT64_MAX};
  MR_TRY(prepare(&in));
  if (!inlinable(&in, step)) {
    return MR_OK;
  }
  in.finish = step->finish;
  uint32_t *arguments = mr_arena_array(p->arena, uint32_t, in.count + 1);
  mr_lbuf *outside = mr_arena_array(&p->module->arena, mr_lbuf, p->num_buffers + 1);
  if (!arguments || !outside) {
    return MR_NO_MEMORY();
  }
  MR_TRY(mr_loop_create(&in.program));
  choose_locals(&in);
  uint32_t count = 0;
  declare(&in, arguments, &count, outside);
  transfer_carried(&in, outside, true);
  emit_step(&in, step);
  transfer_carried(&in, outside, false);
  mr_status status = mr_loop_check(in.program);
  if (status) {
    mr_loop_release(in.program);
    return mr_status_note(status, "while inlining a loop");
  }
  for (uint32_t i = 0; i < in.count; i++) {
    plan_buffer *buffer = &p->buffers[in.order[i]];
    if (in.local[in.order[i]] && !is_carried_local(&in, in.order[i])) {
      buffer->bytes = 0;  // no memory of the plan's
    } else if (buffer->place == PLACE_TEMP) {
      buffer->start = MR_MIN(buffer->start, in.start);
      buffer->end = MR_MAX(buffer->end, in.finish);
    }
    if (buffer->place == PLACE_PARAM) {
      buffer->written |= in.written[in.order[i]];
    }
  }
  for (uint32_t r = 0; r < step->num_sequences; r++) {
    release_inner(&step->sequences[r]);
  }
  step->kind = STEP_KERNEL;
  step->buffers = arguments;
  step->num_buffers = count;
  step->num_sequences = 0;
  step->launch =
      (mr_launch){.program = in.program, .range = 1, .grain = 1, .cost_ns = step->cost_ns, .flops = in.flops};
  return MR_OK;
}
