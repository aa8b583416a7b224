// Elementwise operations on floats in OpenCL C. What an operator or a built-in function does exactly is written as that; the
// rest is a function of the library.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compiler/codegen/clc_emit.h"

typedef struct operands {
  mr_clc_name v[3];
} operands;

// ---- Sums ---------------------------------------------------------------------------------------------------------------

// A sum whose order is free: the compiler of the text may split it and round products with it, where it is told so.
static bool is_free(const mr_loop_instr *in) { return in->flags & MR_L_REASSOC; }

// a + b or a - b, with the product that is rounded together with it.
static void put_sum(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_l_join join;
  if (is_free(in)) {
    e->values[in->a].contracts = e->values[in->b].contracts = true;
  } else if (mr_l_join_of(e->p, in, &join)) {
    mr_clc_name a = mr_clc_wide(e, join.factors[0]), b = mr_clc_wide(e, join.factors[1]);
    mr_clc_name rest = mr_clc_wide(e, join.rest);
    mr_text_put(e->text, "fma(%s%s, %s, %s%s)", join.minus_product ? "- " : "", a.text, b.text,
                join.minus_rest ? "- " : "", rest.text);
    return;
  }
  mr_clc_name a = mr_clc_wide(e, in->a), b = mr_clc_wide(e, in->b);
  mr_text_put(e->text, "%s %c %s", a.text, in->kind == MR_OP_subtract ? '-' : '+', b.text);
}

// ---- In the compute type ----------------------------------------------------------------------------------------------

static bool put_call(mr_clc_emit *e, const mr_loop_instr *in, const operands *o) {
  const mr_op_info *info = &mr_op_table[in->kind];
  if (!info->code) {
    return false;
  }
  mr_text_put(e->text, "mr_el_%s_%s(%s", info->code, mr_clc_compute_suffix((mr_dtype)in->dtype), o->v[0].text);
  for (int i = 1; i < info->operands; i++) {
    mr_text_put(e->text, ", %s", o->v[i].text);
  }
  mr_text_put(e->text, ")");
  return true;
}

// An expression of the compute type.
static bool put_computed(mr_clc_emit *e, const mr_loop_instr *in, const operands *o) {
  const char *a = o->v[0].text, *b = o->v[1].text, *s = mr_clc_compute_suffix((mr_dtype)in->dtype);
  switch ((mr_op_kind)in->kind) {
  case MR_OP_multiply: mr_text_put(e->text, "%s * %s", a, b); return true;
  case MR_OP_square: mr_text_put(e->text, "%s * %s", a, a); return true;
  case MR_OP_divide: mr_text_put(e->text, "%s / %s", a, b); return true;
  case MR_OP_maximum: mr_text_put(e->text, "mr_clc_maximum_%s(%s, %s)", s, a, b); return true;
  case MR_OP_minimum: mr_text_put(e->text, "mr_clc_minimum_%s(%s, %s)", s, a, b); return true;
  case MR_OP_clamp:
    mr_text_put(e->text, "mr_clc_minimum_%s(mr_clc_maximum_%s(%s, %s), %s)", s, s, b, a, o->v[2].text);
    return true;
  case MR_OP_sqrt: mr_text_put(e->text, "sqrt(%s)", a); return true;
  case MR_OP_ceil: mr_text_put(e->text, "ceil(%s)", a); return true;
  case MR_OP_floor: mr_text_put(e->text, "floor(%s)", a); return true;
  case MR_OP_round_nearest_even: mr_text_put(e->text, "rint(%s)", a); return true;
  case MR_OP_round_nearest_afz: mr_text_put(e->text, "mr_el_round_nearest_afz_%s(%s)", s, a); return true;
  case MR_OP_sign: mr_text_put(e->text, "mr_clc_sign_%s(%s)", s, a); return true;
  case MR_OP_negate: mr_text_put(e->text, "-%s", a); return true;
  case MR_OP_abs: mr_text_put(e->text, "fabs(%s)", a); return true;
  case MR_OP_real:
  case MR_OP_conj: mr_text_put(e->text, "%s", a); return true;
  case MR_OP_imag: mr_text_put(e->text, "%s", mr_clc_real((mr_dtype)in->dtype, 0.0).text); return true;
  default: return put_call(e, in, o);
  }
}

// Formats whose top bit is a sign and where flipping it is always negation.
static bool plain_sign(mr_dtype dtype) {
  return dtype != MR_F8E8M0FNU && dtype != MR_F8E4M3B11FNUZ && dtype != MR_F8E5M2FNUZ && dtype != MR_F8E4M3FNUZ;
}

// Operations whose result is one of their operands, or its negative where every value has one: exact when those are.
static bool picks_an_operand(mr_op_kind kind, mr_dtype dtype) {
  if (kind == MR_OP_negate || kind == MR_OP_abs) {
    return plain_sign(dtype);
  }
  return kind == MR_OP_maximum || kind == MR_OP_minimum || kind == MR_OP_clamp;
}

// Declares the result up to its value; true: in a block that says what is allowed, which compilers not based on clang pass over.
static bool begin_result(mr_clc_emit *e, const mr_loop_instr *in, bool narrow) {
  uint32_t number = mr_clc_number(e, in);
  bool product = in->kind == MR_OP_multiply || in->kind == MR_OP_square;
  bool sum = in->kind == MR_OP_add || in->kind == MR_OP_subtract, contracts = product && e->values[number].contracts;
  if (contracts || ((sum || product) && is_free(in))) {
    char letter = narrow ? 'w' : 'v';
    mr_text_put(e->text,
                "%s %c%u;\n{\n#pragma clang fp %scontract(fast)\n%c%u = ", mr_clc_compute_type((mr_dtype)in->dtype),
                letter, number, is_free(in) ? "reassociate(on) " : "", letter, number);
    return true;
  }
  if (narrow) {
    mr_clc_begin_wide(e, in);
  } else {
    mr_clc_begin_value(e, in);
  }
  return false;
}

static bool computed_op(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_lv operand[3] = {in->a, in->b, in->c};
  operands o;
  bool is_sum = in->kind == MR_OP_add || in->kind == MR_OP_subtract, narrow = mr_clc_is_narrow((mr_dtype)in->dtype);
  for (int i = 0; i < mr_op_table[in->kind].operands && i < 3 && !is_sum; i++) {
    o.v[i] = mr_clc_wide(e, operand[i]);
  }
  bool is_block = begin_result(e, in, narrow);
  if (is_sum) {
    put_sum(e, in);
  } else if (!put_computed(e, in, &o)) {
    return false;
  }
  mr_text_put(e->text, is_block ? ";\n}\n" : ";\n");
  if (narrow) {
    e->values[mr_clc_number(e, in)].wide = picks_an_operand((mr_op_kind)in->kind, (mr_dtype)in->dtype);
    mr_clc_name wide;
    snprintf(wide.text, sizeof wide.text, "w%u", mr_clc_number(e, in));
    mr_clc_narrow(e, in, wide.text, false);
  }
  return true;
}

// ---- On the bits themselves -------------------------------------------------------------------------------------------

// Operations that keep or change the bits of the operand itself, exactly. False: it is none.
static bool bits_op(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  if (!mr_clc_is_narrow(dtype) || e->values[in->a].wide) {
    return false;
  }
  unsigned sign = 1u << (mr_dtype_bits(dtype) - 1);
  bool keeps = in->kind == MR_OP_real || in->kind == MR_OP_conj || (in->kind == MR_OP_abs && dtype == MR_F8E8M0FNU);
  bool flips = in->kind == MR_OP_negate && plain_sign(dtype), clears = in->kind == MR_OP_abs && plain_sign(dtype);
  if (!keeps && !flips && !clears) {
    return false;
  }
  mr_clc_name a = mr_clc_value_of(e, in->a);
  mr_clc_begin_value(e, in);
  if (keeps) {
    mr_text_put(e->text, "%s;\n", a.text);
  } else if (flips) {
    mr_text_put(e->text, "(%s)(%s ^ %u);\n", mr_clc_type(dtype), a.text, sign);
  } else {
    mr_text_put(e->text, "(%s)(%s & %u);\n", mr_clc_type(dtype), a.text, sign - 1);
  }
  return true;
}

static void predicate(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  mr_clc_name x = mr_clc_wide(e, in->a), infinity = mr_clc_real(dtype, INFINITY);
  mr_clc_begin_value(e, in);
  switch (in->kind) {
  case MR_OP_is_finite: mr_text_put(e->text, "fabs(%s) < %s;\n", x.text, infinity.text); break;
  case MR_OP_is_inf: mr_text_put(e->text, "fabs(%s) == %s;\n", x.text, infinity.text); break;
  case MR_OP_is_pos_inf: mr_text_put(e->text, "%s == %s;\n", x.text, infinity.text); break;
  default: mr_text_put(e->text, "%s == %s;\n", x.text, mr_clc_real(dtype, -INFINITY).text); break;
  }
}

static bool next_after(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  if (dtype != MR_F16 && dtype != MR_BF16 && dtype != MR_F32 && dtype != MR_F64) {
    return false;
  }
  mr_clc_name a = mr_clc_value_of(e, in->a), b = mr_clc_value_of(e, in->b);
  mr_clc_begin_value(e, in);
  mr_text_put(e->text, "mr_clc_next_after_%s(%s, %s);\n", mr_dtype_name(dtype), a.text, b.text);
  return true;
}

static void reduce_precision(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  unsigned exponent = in->imm & 0xFF, mantissa = in->imm >> 8 & 0xFF;
  if (exponent == 0 || exponent > 11 || mantissa > 52) {
    mr_clc_fail(e, mr_error(MR_INVALID_ARGUMENT, "reduce_precision to e%um%u", exponent, mantissa));
    return;
  }
  mr_clc_name x = mr_clc_wide(e, in->a);
  char call[sizeof x.text + 64];
  snprintf(call, sizeof call, "mr_clc_reduce_%s(%s, %u, %u)", mr_clc_compute_suffix(dtype), x.text, exponent, mantissa);
  if (mr_clc_is_narrow(dtype)) {
    mr_clc_narrow(e, in, call, false);
    return;
  }
  mr_clc_begin_value(e, in);
  mr_text_put(e->text, "%s;\n", call);
}

bool mr_clc_float_op(mr_clc_emit *e, const mr_loop_instr *in) {
  switch ((mr_op_kind)in->kind) {
  case MR_OP_is_finite:
  case MR_OP_is_inf:
  case MR_OP_is_pos_inf:
  case MR_OP_is_neg_inf: predicate(e, in); return true;
  case MR_OP_reduce_precision: reduce_precision(e, in); return true;
  case MR_OP_next_after: return next_after(e, in);
  default: return bits_op(e, in) || computed_op(e, in);
  }
}
