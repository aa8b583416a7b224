// Elementwise operations on integers and PRED, as ops/instructions.def has them: instructions, intrinsics, and the functions of this
// file. They wrap; nothing traps: x / 0 is all ones, x % 0 is x, MIN / -1 is MIN, a shift by the width or more leaves zeros (or sign bits).
#include "compiler/codegen/emit.h"

#include <stdio.h>

#include "ops/instructions.h"

static LLVMValueRef number(LLVMValueRef like, uint64_t value) { return LL(ConstInt)(LL(TypeOf)(like), value, 0); }

static bool is_signed(const mr_loop_instr *in) { return mr_dtype_is_signed((mr_dtype)in->dtype); }

static LLVMValueRef choose(mr_emit *e, LLVMValueRef c, LLVMValueRef t, LLVMValueRef f) {
  return LL(BuildSelect)(e->b, c, t, f, "");
}

static LLVMValueRef is_value(mr_emit *e, LLVMValueRef a, uint64_t value) {
  return LL(BuildICmp)(e->b, LLVMIntEQ, a, number(a, value), "");
}

// ---- Division ---------------------------------------------------------------------------------------------------------

static uint64_t lowest(mr_dtype dtype) { return (uint64_t)1 << (8 * mr_dtype_bytes(dtype) - 1); }

// Vector units divide floats, not integers. The quotient of two 32-bit (16-bit) integers, rounded to f64 (f32), truncates
// to the exact integer quotient: a non-integer quotient is at least 1/|b| away from the next integer, the rounding error
// is smaller. Constant divisors become multiplications instead, and 64 bits stay with the scalar divider.
static LLVMValueRef divide_as_float(mr_emit *e, bool sign, LLVMValueRef a, LLVMValueRef b, unsigned width) {
  LLVMTypeRef floats = width == 32 ? e->engine->f64 : e->engine->f32, ints = LL(TypeOf)(a);
  LLVMValueRef x, y;
  if (sign) {
    x = LL(BuildSIToFP)(e->b, a, floats, "");
    y = LL(BuildSIToFP)(e->b, b, floats, "");
    return LL(BuildFPToSI)(e->b, LL(BuildFDiv)(e->b, x, y, ""), ints, "");
  }
  x = LL(BuildUIToFP)(e->b, a, floats, "");
  y = LL(BuildUIToFP)(e->b, b, floats, "");
  return LL(BuildFPToUI)(e->b, LL(BuildFDiv)(e->b, x, y, ""), ints, "");
}

static bool is_harmless(const mr_emit *e, const mr_loop_instr *in) {
  const mr_loop_instr *divisor = &e->p->instrs[in->b];
  uint64_t ones = 2 * lowest((mr_dtype)in->dtype) - 1;
  return divisor->code == MR_L_CONST && (divisor->imm & ones) != 0 && (divisor->imm & ones) != ones;
}

// The divisor with everything replaced by 1 that would trap.
static LLVMValueRef safe_divisor(mr_emit *e, const mr_loop_instr *in, LLVMValueRef a, LLVMValueRef b) {
  if (is_harmless(e, in)) {
    return b;
  }
  LLVMValueRef bad = is_value(e, b, 0);
  if (is_signed(in)) {
    LLVMValueRef overflow = LL(BuildAnd)(e->b, is_value(e, a, lowest((mr_dtype)in->dtype)),
                                         LL(BuildICmp)(e->b, LLVMIntEQ, b, LL(ConstAllOnes)(LL(TypeOf)(b)), ""), "");
    bad = LL(BuildOr)(e->b, bad, overflow, "");
  }
  return choose(e, bad, number(b, 1), b);
}

static LLVMValueRef quotient(mr_emit *e, const mr_loop_instr *in, LLVMValueRef a, LLVMValueRef safe) {
  unsigned width = 8 * (unsigned)mr_dtype_bytes((mr_dtype)in->dtype);
  if (width <= 32 && !LL(IsConstant)(safe)) {
    return divide_as_float(e, is_signed(in), a, safe, width);
  }
  return is_signed(in) ? LL(BuildSDiv)(e->b, a, safe, "") : LL(BuildUDiv)(e->b, a, safe, "");
}

static LLVMValueRef divide(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  LLVMValueRef a = v[0], b = v[1];
  LLVMValueRef q = quotient(e, in, a, safe_divisor(e, in, a, b));
  return choose(e, is_value(e, b, 0), LL(ConstAllOnes)(LL(TypeOf)(a)), q);
}

static LLVMValueRef remainder_of(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  LLVMValueRef a = v[0], b = v[1], safe = safe_divisor(e, in, a, b);
  LLVMValueRef product = LL(BuildMul)(e->b, quotient(e, in, a, safe), safe, "");
  LLVMValueRef r = LL(BuildSub)(e->b, a, product, "");
  return choose(e, is_value(e, b, 0), a, r);
}

// ---- Shifts -----------------------------------------------------------------------------------------------------------

static LLVMValueRef is_inside(mr_emit *e, const mr_loop_instr *in, LLVMValueRef amount) {
  return LL(BuildICmp)(e->b, LLVMIntULT, amount, number(amount, mr_dtype_bits((mr_dtype)in->dtype)), "");
}

static LLVMValueRef shift_left(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  LLVMValueRef inside = is_inside(e, in, v[1]), amount = choose(e, inside, v[1], number(v[1], 0));
  LLVMValueRef moved = LL(BuildShl)(e->b, v[0], amount, "");
  return choose(e, inside, moved, number(v[0], 0));
}

static LLVMValueRef shift_right_logical(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  unsigned width = mr_dtype_bits((mr_dtype)in->dtype);
  LLVMValueRef inside = is_inside(e, in, v[1]), amount = choose(e, inside, v[1], number(v[1], 0));
  LLVMValueRef low = width < 8 ? LL(BuildAnd)(e->b, v[0], number(v[0], (1u << width) - 1), "") : v[0];
  LLVMValueRef moved = LL(BuildLShr)(e->b, low, amount, "");
  return choose(e, inside, moved, number(v[0], 0));
}

// An unsigned type's top bit counts as the sign here.
static LLVMValueRef shift_right_arithmetic(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  unsigned width = mr_dtype_bits(dtype), unused = 8 * (unsigned)mr_dtype_bytes(dtype) - width;
  LLVMValueRef amount = choose(e, is_inside(e, in, v[1]), v[1], number(v[1], width - 1));
  LLVMValueRef high = unused ? LL(BuildShl)(e->b, v[0], number(v[0], unused), "") : v[0];
  high = unused ? LL(BuildAShr)(e->b, high, number(v[0], unused), "") : high;
  return LL(BuildAShr)(e->b, high, amount, "");
}

// ---- Others -----------------------------------------------------------------------------------------------------------

static LLVMValueRef mulhi(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  unsigned width = mr_dtype_bits((mr_dtype)in->dtype), held = 8 * (unsigned)mr_dtype_bytes((mr_dtype)in->dtype);
  LLVMTypeRef wide = LL(IntTypeInContext)(e->engine->context, held * 2);
  LLVMValueRef x = is_signed(in) ? LL(BuildSExt)(e->b, v[0], wide, "") : LL(BuildZExt)(e->b, v[0], wide, "");
  LLVMValueRef y = is_signed(in) ? LL(BuildSExt)(e->b, v[1], wide, "") : LL(BuildZExt)(e->b, v[1], wide, "");
  LLVMValueRef product = LL(BuildMul)(e->b, x, y, "");
  return LL(BuildTrunc)(e->b, LL(BuildLShr)(e->b, product, mr_emit_int(wide, width), ""), LL(TypeOf)(v[0]), "");
}

static LLVMValueRef extreme(mr_emit *e, const char *name, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef args[2] = {a, b};
  return mr_emit_intrinsic(e, name, LL(TypeOf)(a), args, 2);
}

static LLVMValueRef clamp(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  LLVMValueRef above = extreme(e, is_signed(in) ? "llvm.smax" : "llvm.umax", v[1], v[0]);
  return extreme(e, is_signed(in) ? "llvm.smin" : "llvm.umin", above, v[2]);
}

static LLVMValueRef nonzero(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  (void)in;
  return LL(BuildZExt)(e->b, LL(BuildICmp)(e->b, LLVMIntNE, v[0], number(v[0], 0), ""), LL(TypeOf)(v[0]), "");
}

static LLVMValueRef sign_of(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  LLVMValueRef positive = nonzero(e, in, v);
  LLVMValueRef negative = LL(BuildICmp)(e->b, LLVMIntSLT, v[0], number(v[0], 0), "");
  return choose(e, negative, LL(ConstAllOnes)(LL(TypeOf)(v[0])), positive);
}

static LLVMValueRef absolute(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  (void)in;
  LLVMValueRef args[2] = {v[0], mr_emit_int(e->engine->i1, 0)};
  return mr_emit_intrinsic(e, "llvm.abs", LL(TypeOf)(v[0]), args, 2);
}

// Counts look at the type's own width, not at the byte a narrow one lies in.
static LLVMValueRef own_bits(mr_emit *e, const mr_loop_instr *in, LLVMValueRef a) {
  unsigned width = mr_dtype_bits((mr_dtype)in->dtype);
  return width < 8 ? LL(BuildAnd)(e->b, a, number(a, (1u << width) - 1), "") : a;
}

static LLVMValueRef popcnt(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  LLVMValueRef a = own_bits(e, in, v[0]);
  return mr_emit_intrinsic(e, "llvm.ctpop", LL(TypeOf)(a), &a, 1);
}

static LLVMValueRef leading_zeros(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  unsigned width = mr_dtype_bits((mr_dtype)in->dtype);
  LLVMValueRef args[2] = {own_bits(e, in, v[0]), mr_emit_int(e->engine->i1, 0)};
  LLVMValueRef zeros = mr_emit_intrinsic(e, "llvm.ctlz", LL(TypeOf)(v[0]), args, 2);
  return width < 8 ? LL(BuildSub)(e->b, zeros, number(v[0], 8 - width), "") : zeros;
}

static LLVMValueRef power(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  char suffix[8];
  snprintf(suffix, sizeof suffix, "%c%u", is_signed(in) ? 'i' : 'u', 8 * (unsigned)mr_dtype_bytes((mr_dtype)in->dtype));
  return mr_emit_call(e, "power", suffix, v, 2);
}

static LLVMValueRef square(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  (void)in;
  return LL(BuildMul)(e->b, v[0], v[0], "");
}

static LLVMValueRef zero(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  (void)e;
  (void)in;
  return number(v[0], 0);
}

// ---- PRED ---------------------------------------------------------------------------------------------------------------

static LLVMValueRef or_not(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  (void)in;
  return LL(BuildOr)(e->b, v[0], LL(BuildNot)(e->b, v[1], ""), "");
}

static LLVMValueRef and_not(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  (void)in;
  return LL(BuildAnd)(e->b, v[0], LL(BuildNot)(e->b, v[1], ""), "");
}

static LLVMValueRef clamped(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  (void)in;
  return LL(BuildAnd)(e->b, LL(BuildOr)(e->b, v[1], v[0], ""), v[2], "");
}

// ---- By the table -------------------------------------------------------------------------------------------------------

static const mr_emit_code on_signed[MR_OP_COUNT] = {
#define SIGNED(op, llvm, clc) [MR_OP_##op] = MR_EMIT_##llvm,
#include "ops/instructions.def"
};

static const mr_emit_code on_unsigned[MR_OP_COUNT] = {
#define UNSIGNED(op, llvm, clc) [MR_OP_##op] = MR_EMIT_##llvm,
#include "ops/instructions.def"
};

static const mr_emit_code on_pred[MR_OP_COUNT] = {
#define PRED(op, llvm, clc) [MR_OP_##op] = MR_EMIT_##llvm,
#include "ops/instructions.def"
};

LLVMValueRef mr_emit_int_op(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *args) {
  if (in->dtype == MR_PRED) {
    return mr_emit_coded(e, in, &on_pred[mr_op_on_pred((mr_op_kind)in->kind)], args);
  }
  LLVMValueRef v = mr_emit_coded(e, in, is_signed(in) ? &on_signed[in->kind] : &on_unsigned[in->kind], args);
  return v ? mr_emit_normalize(e, (mr_dtype)in->dtype, v) : NULL;
}
