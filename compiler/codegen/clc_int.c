// Elementwise operations on integers and PRED in OpenCL C. They wrap; nothing traps: x / 0 is all ones, x % 0 is x, MIN / -1 is
// MIN, a shift by the width or more leaves zeros (or sign bits).
#include <stdio.h>

#include "compiler/codegen/clc_emit.h"

typedef struct int_op {
  mr_clc_emit *e;
  const mr_loop_instr *in;
  mr_clc_name v[3];
  const char *type, *unsigned_type, *suffix;
  unsigned width;
} int_op;

// Arithmetic without a sign, which wraps; narrow types in 32 bits, as C would make them an int that can overflow.
static void put_wrapping(const int_op *o, char operator, const char * b) {
  mr_text_put(o->e->text, "(%s)((%s)%s %c (%s)%s)", o->type, o->unsigned_type, o->v[0].text, operator, o->unsigned_type,
              b);
}

static void put_extreme(const int_op *o, bool maximum, const char *a, const char *b) {
  mr_text_put(o->e->text, "%s(%s, %s)", maximum ? "max" : "min", a, b);
}

static void put_clamp(const int_op *o) {
  mr_text_put(o->e->text, "min(max(%s, %s), %s)", o->v[1].text, o->v[0].text, o->v[2].text);
}

// By floats where that is exact, several at a time and not slower than by integers: on processors with vectors. A constant
// divisor becomes a multiplication.
static void put_division(const int_op *o, const char *name) {
  const mr_target *target = o->e->target;
  unsigned held = mr_clc_held_bits((mr_dtype)o->in->dtype);
  bool exact = held == 32 ? target->has_f64 : held < 32 && target->has_correct_division;
  bool constant = o->e->p->instrs[o->in->b].code == MR_L_CONST;
  mr_text_put(o->e->text, "mr_clc_%s%s_%s(%s, %s)", name, exact && !constant && !target->items ? "_wide" : "",
              o->suffix, o->v[0].text, o->v[1].text);
}

static void put_sized(const int_op *o, const char *name, int operands) {
  mr_text_put(o->e->text, "mr_clc_%s_%s(%s", name, o->suffix, o->v[0].text);
  if (operands == 2) {
    mr_text_put(o->e->text, ", %s", o->v[1].text);
  }
  mr_text_put(o->e->text, ", %u)", o->width);
}

static void put_sign(const int_op *o) {
  if (mr_dtype_is_signed((mr_dtype)o->in->dtype)) {
    mr_text_put(o->e->text, "mr_clc_sign_%s(%s)", o->suffix, o->v[0].text);
  } else {
    mr_text_put(o->e->text, "(%s)(%s != 0)", o->type, o->v[0].text);
  }
}

// abs() gives a number without a sign: of the lowest one its own bits.
static bool put_int(const int_op *o) {
  mr_text *text = o->e->text;
  const char *a = o->v[0].text, *b = o->v[1].text;
  switch ((mr_op_kind)o->in->kind) {
  case MR_OP_add: put_wrapping(o, '+', b); return true;
  case MR_OP_subtract: put_wrapping(o, '-', b); return true;
  case MR_OP_multiply: put_wrapping(o, '*', b); return true;
  case MR_OP_square: put_wrapping(o, '*', a); return true;
  case MR_OP_divide: put_division(o, "divide"); return true;
  case MR_OP_remainder: put_division(o, "remainder"); return true;
  case MR_OP_maximum: put_extreme(o, true, a, b); return true;
  case MR_OP_minimum: put_extreme(o, false, a, b); return true;
  case MR_OP_clamp: put_clamp(o); return true;
  case MR_OP_and: mr_text_put(text, "(%s)(%s & %s)", o->type, a, b); return true;
  case MR_OP_or: mr_text_put(text, "(%s)(%s | %s)", o->type, a, b); return true;
  case MR_OP_xor: mr_text_put(text, "(%s)(%s ^ %s)", o->type, a, b); return true;
  case MR_OP_not: mr_text_put(text, "(%s)~%s", o->type, a); return true;
  case MR_OP_negate: mr_text_put(text, "(%s)(0 - (%s)%s)", o->type, o->unsigned_type, a); return true;
  case MR_OP_shift_left: put_sized(o, "shift_left", 2); return true;
  case MR_OP_shift_right_logical: put_sized(o, "shift_right_logical", 2); return true;
  case MR_OP_shift_right_arithmetic: put_sized(o, "shift_right_arithmetic", 2); return true;
  case MR_OP_power: mr_text_put(text, "mr_el_power_%s(%s, %s)", o->suffix, a, b); return true;
  case MR_OP_mulhi: put_sized(o, "mulhi", 2); return true;
  case MR_OP_abs: mr_text_put(text, "(%s)abs(%s)", o->type, a); return true;
  case MR_OP_sign: put_sign(o); return true;
  case MR_OP_popcnt: put_sized(o, "popcnt", 1); return true;
  case MR_OP_count_leading_zeros: put_sized(o, "count_leading_zeros", 1); return true;
  case MR_OP_real:
  case MR_OP_conj: mr_text_put(text, "%s", a); return true;
  case MR_OP_imag: mr_text_put(text, "(%s)0", o->type); return true;
  default: return false;  // functions of floats: mr_clc_element says that there is no code
  }
}

// PRED as numbers of one bit.
static bool put_pred(const int_op *o) {
  mr_text *text = o->e->text;
  const char *a = o->v[0].text, *b = o->v[1].text;
  switch ((mr_op_kind)o->in->kind) {
  case MR_OP_add:
  case MR_OP_maximum:
  case MR_OP_or: mr_text_put(text, "%s | %s", a, b); return true;
  case MR_OP_multiply:
  case MR_OP_minimum:
  case MR_OP_and: mr_text_put(text, "%s & %s", a, b); return true;
  case MR_OP_subtract:
  case MR_OP_xor: mr_text_put(text, "%s ^ %s", a, b); return true;
  case MR_OP_divide:
  case MR_OP_power: mr_text_put(text, "%s | !%s", a, b); return true;
  case MR_OP_remainder: mr_text_put(text, "%s & !%s", a, b); return true;
  case MR_OP_clamp: mr_text_put(text, "(%s | %s) & %s", b, a, o->v[2].text); return true;
  case MR_OP_not:
  case MR_OP_count_leading_zeros: mr_text_put(text, "!%s", a); return true;
  case MR_OP_abs:
  case MR_OP_sign:
  case MR_OP_square:
  case MR_OP_negate:
  case MR_OP_popcnt:
  case MR_OP_real:
  case MR_OP_conj: mr_text_put(text, "%s", a); return true;
  case MR_OP_imag: mr_text_put(text, "(bool)0"); return true;
  default: return false;  // shifts and functions of floats: mr_clc_element says that there is no code
  }
}

bool mr_clc_int_op(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  mr_lv operand[3] = {in->a, in->b, in->c};
  int_op o = {.e = e,
              .in = in,
              .type = mr_clc_type(dtype),
              .unsigned_type = mr_clc_held_bits(dtype) == 64 ? "ulong" : "uint",
              .suffix = mr_clc_suffix(dtype),
              .width = mr_dtype_bits(dtype)};
  for (int i = 0; i < mr_op_table[in->kind].operands && i < 3; i++) {
    o.v[i] = mr_clc_value_of(e, operand[i]);
  }
  bool fits = dtype == MR_PRED || o.width >= 8;
  mr_clc_begin_value(e, in);
  if (!fits) {
    mr_text_put(e->text, "mr_clc_fit_%s(", o.suffix);
  }
  if (dtype == MR_PRED ? !put_pred(&o) : !put_int(&o)) {
    return false;
  }
  if (!fits) {
    mr_text_put(e->text, ", %u)", 8 - o.width);
  }
  mr_text_put(e->text, ";\n");
  return true;
}
