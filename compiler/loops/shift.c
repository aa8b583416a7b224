// Constants of indices that become part of a parameter's address, so that kernels that differ in nothing but where they read and
// write are equal.
#include <string.h>

#include "compiler/loops/builder.h"

// What a constant in the operands of an index operation is in its result: the column `linear` of ops/instructions.def.
typedef enum linear { LINEAR_NONE, LINEAR_SUM, LINEAR_DIFFERENCE, LINEAR_MULTIPLE } linear;

typedef struct shifter {
  const mr_loop_program *from;
  mr_loop_program *to;
  int64_t *constant;  // by value, of indices: the constant that is added in it
  int64_t *moved;     // by buffer: how many elements it begins further on
  bool *whole;        // by value: somebody needs it as it is
  bool *varying;      // by value, of indices: somebody needs it without its constant
  mr_lv *wholes, *varyings;
  mr_lbuf *buffers;
} shifter;

static linear linear_of(const mr_loop_instr *in) {
  static const uint8_t kinds[MR_OP_COUNT] = {
#define INDEX(op, llvm, clc, linear) [MR_OP_##op] = LINEAR_##linear,
#include "ops/instructions.def"
  };
  return in->code == MR_L_INDEX ? (linear)kinds[in->kind] : LINEAR_NONE;
}

static bool is_access(const mr_loop_instr *in) { return in->code == MR_L_LOAD || in->code == MR_L_STORE; }

// ---- What indices have in common --------------------------------------------------------------------------------------

// Wraps around where a sum of two would overflow, which no index does that is used.
static int64_t sum(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }
static int64_t product(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }

// The factor of a product with a constant, and which operand is multiplied by it.
static bool is_multiple(const mr_loop_program *p, const mr_loop_instr *in, int64_t *out_factor, mr_lv *out_of) {
  *out_of = in->a;
  if (mr_l_const_index(p, in->b, out_factor)) {
    return true;
  }
  *out_of = in->b;
  return mr_l_const_index(p, in->a, out_factor);
}

static int64_t constant_of(const shifter *s, const mr_loop_instr *in) {
  int64_t factor;
  mr_lv of;
  if (in->code == MR_L_CONST) {
    return in->dtype == MR_S64 ? (int64_t)in->imm : 0;
  }
  switch (linear_of(in)) {
  case LINEAR_NONE: return 0;
  case LINEAR_SUM: return sum(s->constant[in->a], s->constant[in->b]);
  case LINEAR_DIFFERENCE: return sum(s->constant[in->a], product(-1, s->constant[in->b]));
  case LINEAR_MULTIPLE: return is_multiple(s->from, in, &factor, &of) ? product(factor, s->constant[of]) : 0;
  }
  return 0;
}

static void find_constants(shifter *s) {
  for (uint32_t i = 1; i < s->from->num_instrs; i++) {
    s->constant[i] = constant_of(s, &s->from->instrs[i]);
  }
}

// How far each parameter may move. What is filled or copied stays where it is, and so do locals.
static bool find_moves(shifter *s, size_t *out_shifts) {
  const mr_loop_program *p = s->from;
  for (uint32_t b = 0; b < p->num_buffers; b++) {
    s->moved[b] = b < p->num_params ? INT64_MAX : 0;
  }
  for (uint32_t i = 1; i < p->num_instrs; i++) {
    const mr_loop_instr *in = &p->instrs[i];
    if (is_access(in)) {
      s->moved[in->buffer] = MR_MIN(s->moved[in->buffer], s->constant[in->a]);
    }
    if (in->code == MR_L_FILL || in->code == MR_L_COPY) {
      s->moved[in->buffer] = 0;
    }
    if (in->code == MR_L_COPY) {
      s->moved[in->buffer2] = 0;
    }
  }
  bool any = false;
  for (uint32_t b = 0; b < p->num_params; b++) {
    int64_t bytes = (int64_t)mr_dtype_bytes((mr_dtype)p->buffers[b].dtype), unit = MR_L_SHIFT_BYTES / bytes;
    bool moves = s->moved[b] >= unit && s->moved[b] != INT64_MAX;
    s->moved[b] = moves ? s->moved[b] - s->moved[b] % unit : 0;
    out_shifts[b] = (size_t)(s->moved[b] * bytes);
    any |= moves;
  }
  return any;
}

// ---- Who needs what -----------------------------------------------------------------------------------------------------

static void need_varying(shifter *s, const mr_loop_instr *in) {
  int64_t factor;
  mr_lv of;
  if (linear_of(in) == LINEAR_MULTIPLE) {
    s->varying[is_multiple(s->from, in, &factor, &of) ? of : 0] = true;
    return;
  }
  s->varying[in->a] = s->varying[in->b] = true;
}

// Whether an index without its constant is made of its operands without theirs.
static bool has_parts(const shifter *s, const mr_loop_instr *in) {
  int64_t factor;
  mr_lv of;
  switch (linear_of(in)) {
  case LINEAR_NONE: return false;
  case LINEAR_SUM:
  case LINEAR_DIFFERENCE: return true;
  case LINEAR_MULTIPLE: return is_multiple(s->from, in, &factor, &of);
  }
  return false;
}

// Users come after what they use.
static void find_needs(shifter *s) {
  for (uint32_t i = s->from->num_instrs; i-- > 1;) {
    const mr_loop_instr *in = &s->from->instrs[i];
    if (s->varying[i] && has_parts(s, in)) {
      need_varying(s, in);
    } else if (s->varying[i] && in->code != MR_L_CONST) {
      s->whole[i] = true;
    }
    if (in->code == MR_L_INDEX && !s->whole[i]) {
      continue;
    }
    bool moved = is_access(in) && s->moved[in->buffer];
    (moved ? s->varying : s->whole)[in->a] = true;
    s->whole[in->b] = s->whole[in->c] = true;
  }
}

// ---- The program without them ---------------------------------------------------------------------------------------------

static mr_lv make_varying(shifter *s, uint32_t number, const mr_loop_instr *in) {
  if (in->code == MR_L_CONST) {
    return mr_l_index(s->to, 0);
  }
  int64_t factor;
  mr_lv of;
  const linear how = has_parts(s, in) ? linear_of(in) : LINEAR_NONE;
  switch (how) {
  case LINEAR_NONE: break;
  case LINEAR_SUM: return mr_l_iadd(s->to, s->varyings[in->a], s->varyings[in->b]);
  case LINEAR_DIFFERENCE: return mr_l_isub(s->to, s->varyings[in->a], s->varyings[in->b]);
  case LINEAR_MULTIPLE:
    (void)is_multiple(s->from, in, &factor, &of);
    return mr_l_imul(s->to, s->varyings[of], mr_l_index(s->to, factor));
  }
  return s->wholes[number];
}

static mr_lv copy_access(shifter *s, const mr_loop_instr *in) {
  int64_t rest = sum(s->constant[in->a], -s->moved[in->buffer]);
  mr_lv at = mr_l_iadd(s->to, s->varyings[in->a], mr_l_index(s->to, rest));
  if (in->code == MR_L_LOAD) {
    return mr_l_load_flags(s->to, in->buffer, at, in->flags);
  }
  mr_l_store_flags(s->to, in->buffer, at, s->wholes[in->b], in->flags);
  return 0;
}

static void copy_buffers(shifter *s) {
  for (uint32_t b = 0; b < s->from->num_buffers; b++) {
    const mr_loop_buffer *buffer = &s->from->buffers[b];
    mr_dtype dtype = (mr_dtype)buffer->dtype;
    s->buffers[b] =
        b < s->from->num_params ? mr_l_buffer(s->to, dtype, buffer->flags) : mr_l_local(s->to, dtype, buffer->count);
  }
}

static void copy_instrs(shifter *s) {
  mr_lv begin = mr_l_begin(s->to), end = mr_l_end_of_range(s->to);
  for (uint32_t i = 1; i < s->from->num_instrs && !s->to->failed; i++) {
    const mr_loop_instr *in = &s->from->instrs[i];
    bool made_on_demand = in->code == MR_L_INDEX || in->code == MR_L_CONST;
    if (is_access(in) && s->moved[in->buffer]) {
      s->wholes[i] = copy_access(s, in);
    } else if (s->whole[i] || !made_on_demand) {
      s->wholes[i] = mr_loop_copy_instr(s->to, in, s->wholes, s->buffers, begin, end);
    }
    if (s->varying[i]) {
      s->varyings[i] = make_varying(s, i, in);
    }
  }
}

static mr_status shift(shifter *s, size_t *out_shifts, mr_loop_program **out_program) {
  find_constants(s);
  if (!find_moves(s, out_shifts)) {
    return MR_OK;
  }
  find_needs(s);
  MR_TRY(mr_loop_create(&s->to));
  copy_buffers(s);
  copy_instrs(s);
  mr_status status = s->to->failed ? mr_loop_check(s->to) : MR_OK;
  if (status) {
    mr_loop_release(s->to);
    return status;
  }
  *out_program = s->to;
  return MR_OK;
}

mr_status mr_loop_shift(const mr_loop_program *program, size_t *out_shifts, mr_loop_program **out_program) {
  *out_program = NULL;
  if (program->failed || program->depth) {
    return mr_loop_check(program);
  }
  shifter s = {.from = program};
  size_t values = program->num_instrs, buffers = program->num_buffers;
  s.constant = mr_alloc_zeroed(values + buffers, sizeof *s.constant);
  s.whole = mr_alloc_zeroed(2 * values, sizeof *s.whole);
  s.wholes = mr_alloc_zeroed(2 * values + buffers, sizeof *s.wholes);
  mr_status status;
  if (!s.constant || !s.whole || !s.wholes) {
    status = MR_NO_MEMORY();
  } else {
    s.moved = s.constant + values;
    s.varying = s.whole + values;
    s.varyings = s.wholes + values;
    s.buffers = s.varyings + values;
    status = shift(&s, out_shifts, out_program);
  }
  mr_free(s.constant);
  mr_free(s.whole);
  mr_free(s.wholes);
  return status;
}
