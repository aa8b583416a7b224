// Elementwise operations on floats in OpenCL C, as ops/instructions.def has them: operators, built-in functions, and the functions of
// this file. What has no row there is a function of the library.
#include <stdio.h>

#include "compiler/codegen/clc_emit.h"
#include "ops/instructions.h"

// ---- Sums ---------------------------------------------------------------------------------------------------------------

// A sum whose order is free: the compiler of the text may split it and round products with it, where it is told so.
static bool is_free(const mr_loop_instr *in) { return in->flags & MR_L_REASSOC; }

// a + b or a - b, with the product that is rounded together with it. It asks for its operands itself.
static void sum(const mr_clc_words *w) {
  mr_clc_emit *e = w->e;
  const mr_loop_instr *in = w->in;
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

static void zero(const mr_clc_words *w) { mr_text_put(w->e->text, "%s", mr_clc_real(w->dtype, 0.0).text); }

static const mr_clc_code codes[MR_OP_COUNT] = {
#define FLOAT(op, outcome, llvm, clc) [MR_OP_##op] = MR_CLC_##clc,
#include "ops/instructions.def"
};

// By the function that the column `code` of ops.def names. False: there is none.
static bool put_call(const mr_clc_words *w) {
  const mr_op_info *info = &mr_op_table[w->in->kind];
  if (!info->code) {
    return false;
  }
  mr_text_put(w->e->text, "mr_el_%s_%s(%s", info->code, w->suffix, w->v[0].text);
  for (int i = 1; i < info->operands; i++) {
    mr_text_put(w->e->text, ", %s", w->v[i].text);
  }
  mr_text_put(w->e->text, ")");
  return true;
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
  mr_dtype dtype = (mr_dtype)in->dtype;
  mr_lv operand[3] = {in->a, in->b, in->c};
  mr_clc_words w = {.e = e, .in = in, .dtype = dtype, .suffix = mr_clc_compute_suffix(dtype)};
  bool is_sum = in->kind == MR_OP_add || in->kind == MR_OP_subtract, narrow = mr_clc_is_narrow(dtype);
  for (int i = 0; i < mr_op_table[in->kind].operands && i < 3 && !is_sum; i++) {
    w.v[i] = mr_clc_wide(e, operand[i]);
  }
  bool is_block = begin_result(e, in, narrow);
  if (!mr_clc_put_coded(&codes[in->kind], &w) && !put_call(&w)) {
    return false;
  }
  mr_text_put(e->text, is_block ? ";\n}\n" : ";\n");
  if (narrow) {
    e->values[mr_clc_number(e, in)].wide = mr_op_is_exact((mr_op_kind)in->kind, dtype);
    mr_clc_name wide;
    snprintf(wide.text, sizeof wide.text, "w%u", mr_clc_number(e, in));
    mr_clc_narrow(e, in, wide.text, false);
  }
  return true;
}

// ---- On the bits themselves -------------------------------------------------------------------------------------------

static unsigned sign_bit(mr_dtype dtype) { return 1u << (mr_dtype_bits(dtype) - 1); }

static void flip_sign(const mr_clc_words *w) {
  mr_text_put(w->e->text, "(%s)(%s ^ %u)", w->type, w->v[0].text, sign_bit(w->dtype));
}

static void clear_sign(const mr_clc_words *w) {
  mr_text_put(w->e->text, "(%s)(%s & %u)", w->type, w->v[0].text, sign_bit(w->dtype) - 1);
}

static const mr_clc_code bit_codes[] = {
    [MR_OUTCOME_KEEPS] = MR_CLC_TEXT("$a"),
    [MR_OUTCOME_FLIPS] = MR_CLC_BY(flip_sign),
    [MR_OUTCOME_CLEARS] = MR_CLC_BY(clear_sign),
};

// What keeps or changes the bits of the operand itself, exactly. False: it is arithmetic.
static bool bits_op(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  mr_op_outcome outcome = mr_op_outcome_on_bits((mr_op_kind)in->kind, dtype);
  bool is_arithmetic =
      outcome == MR_OUTCOME_ROUNDED || outcome == MR_OUTCOME_ARITHMETIC || outcome == MR_OUTCOME_PICKED;
  if (!mr_clc_is_narrow(dtype) || e->values[in->a].wide || is_arithmetic) {
    return false;
  }
  mr_clc_words w = {.e = e, .in = in, .dtype = dtype, .v[0] = mr_clc_value_of(e, in->a), .type = mr_clc_type(dtype)};
  mr_clc_begin_value(e, in);
  (void)mr_clc_put_coded(&bit_codes[outcome], &w);
  mr_text_put(e->text, ";\n");
  return true;
}

static bool whole_next_after(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  if (dtype != MR_F16 && dtype != MR_BF16 && dtype != MR_F32 && dtype != MR_F64) {
    return false;
  }
  mr_clc_name a = mr_clc_value_of(e, in->a), b = mr_clc_value_of(e, in->b);
  mr_clc_begin_value(e, in);
  mr_text_put(e->text, "mr_clc_next_after_%s(%s, %s);\n", mr_dtype_name(dtype), a.text, b.text);
  return true;
}

static bool whole_reduce_precision(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  unsigned exponent = in->imm & 0xFF, mantissa = in->imm >> 8 & 0xFF;
  if (exponent == 0 || exponent > 11 || mantissa > 52) {
    mr_clc_fail(e, mr_error(MR_INVALID_ARGUMENT, "reduce_precision to e%um%u", exponent, mantissa));
    return true;
  }
  mr_clc_name x = mr_clc_wide(e, in->a);
  char call[sizeof x.text + 64];
  snprintf(call, sizeof call, "mr_clc_reduce_%s(%s, %u, %u)", mr_clc_compute_suffix(dtype), x.text, exponent, mantissa);
  if (mr_clc_is_narrow(dtype)) {
    mr_clc_narrow(e, in, call, false);
    return true;
  }
  mr_clc_begin_value(e, in);
  mr_text_put(e->text, "%s;\n", call);
  return true;
}

// ---- By the table -------------------------------------------------------------------------------------------------------

static bool (*const wholes[MR_OP_COUNT])(mr_clc_emit *e, const mr_loop_instr *in) = {
#define FLOAT_WHOLE(op, function) [MR_OP_##op] = whole_##function,
#include "ops/instructions.def"
};

static void test_op(mr_clc_emit *e, const mr_loop_instr *in) {
  static const mr_clc_code tests[MR_OP_COUNT] = {
#define FLOAT_TEST(op, llvm, clc) [MR_OP_##op] = MR_CLC_##clc,
#include "ops/instructions.def"
  };
  mr_clc_words w = {.e = e, .in = in, .dtype = (mr_dtype)in->dtype, .v[0] = mr_clc_wide(e, in->a)};
  mr_clc_begin_value(e, in);
  (void)mr_clc_put_coded(&tests[in->kind], &w);
  mr_text_put(e->text, ";\n");
}

bool mr_clc_float_op(mr_clc_emit *e, const mr_loop_instr *in) {
  if (wholes[in->kind]) {
    return wholes[in->kind](e, in);
  }
  if (mr_op_is_test((mr_op_kind)in->kind)) {
    test_op(e, in);
    return true;
  }
  return bits_op(e, in) || computed_op(e, in);
}
