// Elementwise operations on integers and PRED in OpenCL C, as ops/instructions.def has them. They wrap; nothing traps: x / 0 is all ones,
// x % 0 is x, MIN / -1 is MIN, a shift by the width or more leaves zeros (or sign bits).
#include "compiler/codegen/clc_emit.h"
#include "ops/instructions.h"

// By floats where that is exact, several at a time and not slower than by integers: on processors with vectors. A constant
// divisor becomes a multiplication.
static void put_division(const mr_clc_words *w, const char *name) {
  const mr_target *target = w->e->target;
  unsigned held = mr_clc_held_bits(w->dtype);
  bool exact = held == 32 ? target->has_f64 : held < 32 && target->has_correct_division;
  bool constant = w->e->p->instrs[w->in->b].code == MR_L_CONST;
  mr_text_put(w->e->text, "mr_clc_%s%s_%s(%s, %s)", name, exact && !constant && !target->items ? "_wide" : "",
              w->suffix, w->v[0].text, w->v[1].text);
}

static void divide(const mr_clc_words *w) { put_division(w, "divide"); }
static void remainder_of(const mr_clc_words *w) { put_division(w, "remainder"); }

static const mr_clc_code on_signed[MR_OP_COUNT] = {
#define SIGNED(op, llvm, clc) [MR_OP_##op] = MR_CLC_##clc,
#include "ops/instructions.def"
};

static const mr_clc_code on_unsigned[MR_OP_COUNT] = {
#define UNSIGNED(op, llvm, clc) [MR_OP_##op] = MR_CLC_##clc,
#include "ops/instructions.def"
};

static const mr_clc_code on_pred[MR_OP_COUNT] = {
#define PRED(op, llvm, clc) [MR_OP_##op] = MR_CLC_##clc,
#include "ops/instructions.def"
};

static const mr_clc_code *code_of(mr_op_kind kind, mr_dtype dtype) {
  if (dtype == MR_PRED) {
    return &on_pred[mr_op_on_pred(kind)];
  }
  return mr_dtype_is_signed(dtype) ? &on_signed[kind] : &on_unsigned[kind];
}

bool mr_clc_int_op(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  mr_lv operand[3] = {in->a, in->b, in->c};
  mr_clc_words w = {.e = e,
                    .in = in,
                    .dtype = dtype,
                    .type = mr_clc_type(dtype),
                    .unsigned_type = mr_clc_held_bits(dtype) == 64 ? "ulong" : "uint",
                    .suffix = mr_clc_suffix(dtype)};
  for (int i = 0; i < mr_op_table[in->kind].operands && i < 3; i++) {
    w.v[i] = mr_clc_value_of(e, operand[i]);
  }
  unsigned width = mr_dtype_bits(dtype);
  bool fits = dtype == MR_PRED || width >= 8;
  mr_clc_begin_value(e, in);
  if (!fits) {
    mr_text_put(e->text, "mr_clc_fit_%s(", w.suffix);
  }
  if (!mr_clc_put_coded(code_of((mr_op_kind)in->kind, dtype), &w)) {
    return false;
  }
  if (!fits) {
    mr_text_put(e->text, ", %u)", 8 - width);
  }
  mr_text_put(e->text, ";\n");
  return true;
}
