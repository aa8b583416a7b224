// Loops and branches whose rounds are cheap become one kernel: the kernels inside are inlined into a loop program with real
// control flow, so that a round costs nanoseconds instead of a walk over steps.
//
// Buffers inside such a kernel: small ones that nobody outside sees are its own variables; all others are parameters, and
// get distinct memory for the whole of the loop, because the generated code assumes that buffers do not overlap.
#include <string.h>

#include "compiler/plan/plan.h"
#include "compiler/plan/tuning.h"

// What is known of a plan buffer while one step is looked at.
typedef struct mention {
  bool seen, written, local;
  mr_dtype dtype;           // how the kernels see it
  mr_lbuf mapped, outside;  // in the loop program; outside: the parameter that a carried local is loaded from
} mention;

// One for the whole plan: a step clears what it mentioned, so that each costs what is in it and not what is in the plan.
struct plan_mentions {
  mention *of;      // by plan buffer number
  uint32_t *order;  // plan buffers in order of first mention
  uint32_t room;
};

typedef struct inliner {
  planner *p;
  mr_loop_program *program;
  int64_t start, finish;  // positions of the whole step
  mention *of;            // the plan's
  uint32_t *order;
  uint32_t count;
  uint64_t instrs;
  uint32_t depth;  // of the scopes around what is surveyed
  uint64_t flops;
} inliner;

// ---- What is inside -----------------------------------------------------------------------------------------------------

static bool note(inliner *in, uint32_t buffer, mr_dtype dtype, bool written) {
  mention *m = &in->of[buffer];
  if (!m->seen) {
    in->order[in->count++] = buffer;
    m->dtype = MR_INVALID;
    m->seen = true;
  }
  m->written |= written;
  if (dtype == MR_INVALID || m->dtype == dtype) {
    return true;
  }
  if (m->dtype != MR_INVALID) {
    return false;  // seen as two types (a bitcast): leave such a loop to the plan
  }
  m->dtype = dtype;
  return true;
}

static bool survey(inliner *in, const plan_sequence *sequence);

static uint32_t scopes_in(const mr_loop_program *program) {
  uint32_t depth = 0, deepest = 0;
  for (uint32_t i = 0; i < program->num_instrs; i++) {
    uint8_t code = program->instrs[i].code;
    depth += code == MR_L_FOR || code == MR_L_IF || code == MR_L_WHILE;
    depth -= code == MR_L_END;
    deepest = MR_MAX(deepest, depth);
  }
  return deepest;
}

static bool survey_kernel(inliner *in, const plan_step *step) {
  const mr_loop_program *program = step->launch.program;
  if (!program || step->num_buffers != program->num_params) {
    return false;
  }
  in->instrs += program->num_instrs;
  if (in->instrs > MR_INLINE_CONTROL_INSTRS || in->depth + scopes_in(program) >= MR_L_SCOPES) {
    return false;
  }
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

// How many conditions tell one of `count` branches from the others.
static uint32_t halvings(uint32_t count) {
  uint32_t depth = 0;
  while (count > 1) {
    count = (count + 1) / 2;
    depth++;
  }
  return depth;
}

static bool survey_control(inliner *in, const plan_step *step) {
  // Around the body of a loop and around a copy of several elements there is a scope more.
  uint32_t depth = step->kind == STEP_WHILE ? 1 : halvings(step->num_sequences);
  in->depth += depth;
  bool fine = in->depth + 1 < MR_L_SCOPES;
  for (uint32_t r = 0; fine && r < step->num_sequences; r++) {
    fine = survey(in, &step->sequences[r]);
  }
  in->depth -= depth;
  return fine && note(in, step->buffers[0], step->kind == STEP_WHILE ? MR_PRED : step->selector, false);
}

static bool survey_step(inliner *in, const plan_step *step) {
  switch (step->kind) {
  case STEP_KERNEL: return survey_kernel(in, step);
  case STEP_COPY: return note(in, step->buffers[0], MR_INVALID, true) && note(in, step->buffers[1], MR_INVALID, false);
  case STEP_WHILE:
  case STEP_CASE: return survey_control(in, step);
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
  return in->p->buffers[buffer].bytes / mr_dtype_bytes(in->of[buffer].dtype);
}

// Copies give a type to buffers that only copies touch.
static void default_types(inliner *in) {
  for (uint32_t i = 0; i < in->count; i++) {
    uint32_t buffer = in->order[i];
    if (in->of[buffer].dtype == MR_INVALID) {
      in->of[buffer].dtype = in->p->buffers[buffer].bytes % 4 == 0 ? MR_U32 : MR_U8;
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
    if (step->kind == STEP_COPY && !copies_bits(in->of[step->buffers[0]].dtype, in->of[step->buffers[1]].dtype)) {
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
      mr_dtype *a = &in->of[step->buffers[0]].dtype, *b = &in->of[step->buffers[1]].dtype;
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
    bool carried =
        buffer->place == PLACE_TEMP && buffer->bytes <= MR_INLINE_CARRY_BYTES && in->of[in->order[i]].written;
    if ((inside || carried) && buffer->bytes <= MR_INLINE_LOCAL_BYTES &&
        mr_size_add(total, buffer->bytes) <= MR_INLINE_LOCAL_TOTAL) {
      in->of[in->order[i]].local = true;
      total = mr_size_add(total, buffer->bytes);
    }
  }
}

// A local that must be loaded before and stored after: its memory is seen from outside.
static bool is_carried_local(const inliner *in, uint32_t buffer) {
  return in->of[buffer].local && !is_inside(in, &in->p->buffers[buffer]);
}

// Declares parameters, then locals; fills `mapped`. Carried locals have both: `outside` gets their parameter.
static void declare(inliner *in, uint32_t *arguments, uint32_t *out_count) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < in->count; i++) {
    uint32_t buffer = in->order[i];
    if (!in->of[buffer].local || is_carried_local(in, buffer)) {
      uint32_t flags = MR_L_READ | (in->of[buffer].written ? MR_L_WRITE : 0);
      in->of[buffer].outside = in->of[buffer].mapped = mr_l_buffer(in->program, in->of[buffer].dtype, flags);
      arguments[count++] = buffer;
    }
  }
  for (uint32_t i = 0; i < in->count; i++) {
    uint32_t buffer = in->order[i];
    if (in->of[buffer].local) {
      in->of[buffer].mapped = mr_l_local(in->program, in->of[buffer].dtype, (int64_t)MR_MAX(elements(in, buffer), 1u));
    }
  }
  *out_count = count;
}

static void emit_copy(inliner *in, mr_lbuf to, mr_lbuf from, size_t count) {
  mr_loop_program *q = in->program;
  if (q->failed) {
    return;  // there may be no such buffer; the check at the end says so
  }
  mr_dtype type = (mr_dtype)q->buffers[to].dtype;
  if (count == 1) {
    mr_l_store(q, to, mr_l_index(q, 0), mr_l_bitcast(q, type, mr_l_load(q, from, mr_l_index(q, 0))));
    return;
  }
  mr_lv i = mr_l_for(q, mr_l_index(q, 0), mr_l_index(q, (int64_t)count), 1, MR_L_INDEPENDENT);
  mr_l_store(q, to, i, mr_l_bitcast(q, type, mr_l_load(q, from, i)));
  mr_l_end(q);
}

static void transfer_carried(inliner *in, bool in_or_out) {
  for (uint32_t i = 0; i < in->count; i++) {
    uint32_t buffer = in->order[i];
    if (is_carried_local(in, buffer)) {
      mr_lbuf to = in_or_out ? in->of[buffer].mapped : in->of[buffer].outside;
      mr_lbuf from = in_or_out ? in->of[buffer].outside : in->of[buffer].mapped;
      emit_copy(in, to, from, elements(in, buffer));
    }
  }
}

// ---- Code ---------------------------------------------------------------------------------------------------------------

static void emit(inliner *in, const plan_sequence *sequence);

static void emit_kernel(inliner *in, const plan_step *step) {
  mr_lbuf buffers[256];
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    buffers[i] = in->of[step->buffers[i]].mapped;
  }
  mr_loop_program *q = in->program;
  mr_l_inline(q, step->launch.program, buffers, mr_l_index(q, 0), mr_l_index(q, step->launch.range));
  in->flops += step->launch.flops;
}

// Branches `first` to `last`, halved until one is left. What is no branch's number is the last one's: of three or more, numbers
// are compared without a sign, so that negative ones are greater than all.
static void emit_choice(inliner *in, const plan_step *step, mr_lv index, uint32_t first, uint32_t last) {
  if (first == last) {
    emit(in, &step->sequences[first]);
    return;
  }
  mr_loop_program *q = in->program;
  mr_dtype type = step->selector;
  uint32_t middle = first + (last - first + 1) / 2;
  bool two = step->num_sequences == 2;
  mr_l_if(q, two ? mr_l_compare(q, MR_L_EQ, MR_L_NOTYPE, type, index, mr_l_int(q, type, 0))
                 : mr_l_compare(q, MR_L_LT, MR_L_UNSIGNED, MR_U32, index, mr_l_int(q, MR_U32, middle)));
  emit_choice(in, step, index, first, middle - 1);
  mr_l_else(q);
  emit_choice(in, step, index, middle, last);
  mr_l_end(q);
}

static void emit_case(inliner *in, const plan_step *step) {
  mr_loop_program *q = in->program;
  mr_lv index = mr_l_load(q, in->of[step->buffers[0]].mapped, mr_l_index(q, 0));
  if (step->num_sequences > 2) {
    index = mr_l_bitcast(q, MR_U32, index);
  }
  emit_choice(in, step, index, 0, step->num_sequences - 1);
}

bool mr_planner_may_take_long(const plan_step *loop) {
  return loop->rounds < 0 ||
         (double)loop->rounds * (double)loop->cost_ns > (double)MR_PLAN_LOOP_ROUNDS * MR_PLAN_SOON_NS;
}

static void emit_while(inliner *in, const plan_step *step) {
  mr_loop_program *q = in->program;
  mr_l_while_flags(q, mr_planner_may_take_long(step) ? MR_L_STOPS : 0);
  emit(in, &step->sequences[0]);
  mr_l_do(q, mr_l_load(q, in->of[step->buffers[0]].mapped, mr_l_index(q, 0)));
  emit(in, &step->sequences[1]);
  mr_l_end(q);
}

static void emit_step(inliner *in, const plan_step *step) {
  switch (step->kind) {
  case STEP_KERNEL: emit_kernel(in, step); break;
  case STEP_COPY:
    emit_copy(in, in->of[step->buffers[0]].mapped, in->of[step->buffers[1]].mapped, elements(in, step->buffers[0]));
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
    if (sequence->steps[i].num_buffers > MR_INLINE_STEP_BUFFERS) {
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

// By the shapes: what is one kernel may round otherwise than what is several.
static uint64_t round_cost(const plan_step *step) {
  uint64_t cost = 0;
  for (uint32_t r = 0; r < step->num_sequences; r++) {
    for (uint32_t i = 0; i < step->sequences[r].count; i++) {
      cost += step->sequences[r].steps[i].shape_ns;
    }
  }
  return cost;
}

// Room to mention every buffer that the plan has.
static mr_status prepare(planner *p) {
  struct plan_mentions *m = p->mentions;
  mr_arena *arena = &p->module->arena;
  if (!m) {
    m = p->mentions = mr_arena_new(arena, struct plan_mentions);
  }
  if (m && m->room < p->num_buffers) {
    m->room = 0;
    m->of = mr_arena_array(arena, mention, p->buffer_capacity);
    m->order = mr_arena_array(arena, uint32_t, p->buffer_capacity);
    m->room = m->of && m->order ? p->buffer_capacity : 0;
  }
  return m && m->room ? MR_OK : MR_NO_MEMORY();
}

static void forget(inliner *in) {
  for (uint32_t i = 0; i < in->count; i++) {
    in->of[in->order[i]] = (mention){0};
  }
}

// The buffers of a step that has become a kernel: some are variables of it, the others are needed for all of its time.
static void settle_buffers(inliner *in) {
  for (uint32_t i = 0; i < in->count; i++) {
    const mention *m = &in->of[in->order[i]];
    plan_buffer *buffer = &in->p->buffers[in->order[i]];
    if (m->local && !is_carried_local(in, in->order[i])) {
      buffer->bytes = 0;  // no memory of the plan's
    } else if (buffer->place == PLACE_TEMP) {
      buffer->start = MR_MIN(buffer->start, in->start);
      buffer->end = MR_MAX(buffer->end, in->finish);
    }
    if (buffer->place == PLACE_PARAM) {
      buffer->written |= m->written;
    }
  }
}

static bool inlinable(inliner *in, const plan_step *step) {
  plan_sequence whole = {.steps = (plan_step *)(uintptr_t)step, .count = 1, .capacity = 1};
  if (!survey(in, &whole)) {
    return false;
  }
  for (bool changed = true; changed;) {
    changed = false;
    spread_types(in, &whole, &changed);
  }
  default_types(in);
  return copies_agree(in, &whole);
}

static mr_status inline_step(inliner *in, plan_step *step) {
  planner *p = in->p;
  in->finish = step->finish;
  uint32_t *arguments = mr_arena_alloc(p->arena, (in->count + 1) * (sizeof(uint32_t) + sizeof(uint8_t)));
  if (!arguments) {
    return MR_NO_MEMORY();
  }
  MR_TRY(mr_loop_create(&in->program));
  choose_locals(in);
  uint32_t count = 0;
  declare(in, arguments, &count);
  transfer_carried(in, true);
  emit_step(in, step);
  transfer_carried(in, false);
  mr_status status = mr_loop_check(in->program);
  if (status) {
    mr_loop_release(in->program);
    return mr_status_note(status, "while inlining a loop");
  }
  settle_buffers(in);
  for (uint32_t r = 0; r < step->num_sequences; r++) {
    release_inner(&step->sequences[r]);
  }
  step->touched = mr_planner_touched(step);
  step->kind = STEP_KERNEL;
  step->buffers = arguments;
  step->access = (uint8_t *)(arguments + in->count + 1);
  for (uint32_t i = 0; i < count; i++) {
    step->access[i] = in->program->buffers[i].flags & (MR_L_READ | MR_L_WRITE);
  }
  step->num_buffers = count;
  step->num_sequences = 0;
  step->launch = (mr_launch){.program = in->program,
                             .range = 1,
                             .grain = 1,
                             .cost_ns = step->cost_ns,
                             .shape_ns = step->shape_ns,
                             .flops = in->flops};
  return MR_OK;
}

static uint64_t most_inline(const mr_executable *e) {
  uint64_t far = e->target.items ? MR_INLINE_CONTROL_ITEMS_NS : MR_INLINE_CONTROL_FAR_NS;
  return e->for_target ? far : MR_INLINE_CONTROL_NS;
}

mr_status mr_planner_inline_control(planner *p, plan_step *step) {
  plan_sequence whole = {.steps = step, .count = 1, .capacity = 1};
  if (round_cost(step) > most_inline(p->executable) || !widest_step_fits(&whole)) {
    return MR_OK;
  }
  MR_TRY(prepare(p));
  inliner in = {
      .p = p, .start = step->position, .finish = INT64_MAX, .of = p->mentions->of, .order = p->mentions->order};
  mr_status status = inlinable(&in, step) ? inline_step(&in, step) : MR_OK;
  forget(&in);
  return status;
}
