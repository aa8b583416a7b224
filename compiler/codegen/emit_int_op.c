// Elementwise operations on integers and PRED. They wrap; nothing traps: x / 0 is all ones, x % 0 is x, MIN / -1 is MIN,
// a shift by the width or more leaves zeros (or sign bits).
#include "compiler/codegen/emit.h"

#include <stdio.h>

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

static LLVMValueRef divide(mr_emit *e, const mr_loop_instr *in, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef q = quotient(e, in, a, safe_divisor(e, in, a, b));
  return choose(e, is_value(e, b, 0), LL(ConstAllOnes)(LL(TypeOf)(a)), q);
}

static LLVMValueRef remainder_of(mr_emit *e, const mr_loop_instr *in, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef safe = safe_divisor(e, in, a, b);
  LLVMValueRef product = LL(BuildMul)(e->b, quotient(e, in, a, safe), safe, "");
  LLVMValueRef r = LL(BuildSub)(e->b, a, product, "");
  return choose(e, is_value(e, b, 0), a, r);
}

// ---- Shifts -----------------------------------------------------------------------------------------------------------

static LLVMValueRef shift(mr_emit *e, const mr_loop_instr *in, LLVMValueRef a, LLVMValueRef b) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  unsigned width = mr_dtype_bits(dtype);
  LLVMValueRef inside = LL(BuildICmp)(e->b, LLVMIntULT, b, number(b, width), "");
  if (in->kind == MR_OP_shift_right_arithmetic) {
    // An unsigned type's top bit counts as the sign here.
    unsigned unused = 8 * (unsigned)mr_dtype_bytes(dtype) - width;
    LLVMValueRef amount = choose(e, inside, b, number(b, width - 1));
    LLVMValueRef high = unused ? LL(BuildShl)(e->b, a, number(a, unused), "") : a;
    high = unused ? LL(BuildAShr)(e->b, high, number(a, unused), "") : high;
    return LL(BuildAShr)(e->b, high, amount, "");
  }
  LLVMValueRef amount = choose(e, inside, b, number(b, 0));
  LLVMValueRef moved;
  if (in->kind == MR_OP_shift_left) {
    moved = LL(BuildShl)(e->b, a, amount, "");
  } else {
    LLVMValueRef low = width < 8 ? LL(BuildAnd)(e->b, a, number(a, (1u << width) - 1), "") : a;
    moved = LL(BuildLShr)(e->b, low, amount, "");
  }
  return choose(e, inside, moved, number(a, 0));
}

// ---- Others -----------------------------------------------------------------------------------------------------------

static LLVMValueRef mulhi(mr_emit *e, const mr_loop_instr *in, LLVMValueRef a, LLVMValueRef b) {
  unsigned width = mr_dtype_bits((mr_dtype)in->dtype), held = 8 * (unsigned)mr_dtype_bytes((mr_dtype)in->dtype);
  LLVMTypeRef wide = LL(IntTypeInContext)(e->engine->context, held * 2);
  LLVMValueRef x = is_signed(in) ? LL(BuildSExt)(e->b, a, wide, "") : LL(BuildZExt)(e->b, a, wide, "");
  LLVMValueRef y = is_signed(in) ? LL(BuildSExt)(e->b, b, wide, "") : LL(BuildZExt)(e->b, b, wide, "");
  LLVMValueRef product = LL(BuildMul)(e->b, x, y, "");
  return LL(BuildTrunc)(e->b, LL(BuildLShr)(e->b, product, mr_emit_int(wide, width), ""), LL(TypeOf)(a), "");
}

static LLVMValueRef extreme(mr_emit *e, const mr_loop_instr *in, bool maximum, LLVMValueRef a, LLVMValueRef b) {
  const char *name =
      maximum ? (is_signed(in) ? "llvm.smax" : "llvm.umax") : (is_signed(in) ? "llvm.smin" : "llvm.umin");
  LLVMValueRef args[2] = {a, b};
  return mr_emit_intrinsic(e, name, LL(TypeOf)(a), args, 2);
}

static LLVMValueRef sign_of(mr_emit *e, const mr_loop_instr *in, LLVMValueRef a) {
  LLVMValueRef nonzero = LL(BuildZExt)(e->b, LL(BuildICmp)(e->b, LLVMIntNE, a, number(a, 0), ""), LL(TypeOf)(a), "");
  if (!is_signed(in)) {
    return nonzero;
  }
  LLVMValueRef negative = LL(BuildICmp)(e->b, LLVMIntSLT, a, number(a, 0), "");
  return choose(e, negative, LL(ConstAllOnes)(LL(TypeOf)(a)), nonzero);
}

static LLVMValueRef absolute(mr_emit *e, const mr_loop_instr *in, LLVMValueRef a) {
  if (!is_signed(in)) {
    return a;
  }
  LLVMValueRef args[2] = {a, mr_emit_int(e->engine->i1, 0)};
  return mr_emit_intrinsic(e, "llvm.abs", LL(TypeOf)(a), args, 2);
}

// Counts look at the type's own width, not at the byte a narrow one lies in.
static LLVMValueRef count_bits(mr_emit *e, const mr_loop_instr *in, LLVMValueRef a) {
  unsigned width = mr_dtype_bits((mr_dtype)in->dtype);
  if (width < 8) {
    a = LL(BuildAnd)(e->b, a, number(a, (1u << width) - 1), "");
  }
  if (in->kind == MR_OP_popcnt) {
    return mr_emit_intrinsic(e, "llvm.ctpop", LL(TypeOf)(a), &a, 1);
  }
  LLVMValueRef args[2] = {a, mr_emit_int(e->engine->i1, 0)};
  LLVMValueRef zeros = mr_emit_intrinsic(e, "llvm.ctlz", LL(TypeOf)(a), args, 2);
  return width < 8 ? LL(BuildSub)(e->b, zeros, number(a, 8 - width), "") : zeros;
}

static LLVMValueRef power(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *args) {
  char suffix[8];
  snprintf(suffix, sizeof suffix, "%c%u", is_signed(in) ? 'i' : 'u', 8 * (unsigned)mr_dtype_bytes((mr_dtype)in->dtype));
  return mr_emit_call(e, "power", suffix, args, 2);
}

static LLVMValueRef int_op(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  switch ((mr_op_kind)in->kind) {
  case MR_OP_add: return LL(BuildAdd)(e->b, v[0], v[1], "");
  case MR_OP_subtract: return LL(BuildSub)(e->b, v[0], v[1], "");
  case MR_OP_multiply: return LL(BuildMul)(e->b, v[0], v[1], "");
  case MR_OP_square: return LL(BuildMul)(e->b, v[0], v[0], "");
  case MR_OP_divide: return divide(e, in, v[0], v[1]);
  case MR_OP_remainder: return remainder_of(e, in, v[0], v[1]);
  case MR_OP_maximum: return extreme(e, in, true, v[0], v[1]);
  case MR_OP_minimum: return extreme(e, in, false, v[0], v[1]);
  case MR_OP_clamp: return extreme(e, in, false, extreme(e, in, true, v[1], v[0]), v[2]);
  case MR_OP_and: return LL(BuildAnd)(e->b, v[0], v[1], "");
  case MR_OP_or: return LL(BuildOr)(e->b, v[0], v[1], "");
  case MR_OP_xor: return LL(BuildXor)(e->b, v[0], v[1], "");
  case MR_OP_not: return LL(BuildNot)(e->b, v[0], "");
  case MR_OP_negate: return LL(BuildNeg)(e->b, v[0], "");
  case MR_OP_shift_left:
  case MR_OP_shift_right_logical:
  case MR_OP_shift_right_arithmetic: return shift(e, in, v[0], v[1]);
  case MR_OP_power: return power(e, in, v);
  case MR_OP_mulhi: return mulhi(e, in, v[0], v[1]);
  case MR_OP_abs: return absolute(e, in, v[0]);
  case MR_OP_sign: return sign_of(e, in, v[0]);
  case MR_OP_popcnt:
  case MR_OP_count_leading_zeros: return count_bits(e, in, v[0]);
  case MR_OP_real:
  case MR_OP_conj: return v[0];
  case MR_OP_imag: return number(v[0], 0);
  default: return NULL;  // functions of floats: mr_emit_element says that there is no code
  }
}

// PRED as numbers of one bit.
static LLVMValueRef pred_op(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  switch ((mr_op_kind)in->kind) {
  case MR_OP_add:
  case MR_OP_maximum:
  case MR_OP_or: return LL(BuildOr)(e->b, v[0], v[1], "");
  case MR_OP_multiply:
  case MR_OP_minimum:
  case MR_OP_and: return LL(BuildAnd)(e->b, v[0], v[1], "");
  case MR_OP_subtract:
  case MR_OP_xor: return LL(BuildXor)(e->b, v[0], v[1], "");
  case MR_OP_divide:
  case MR_OP_power: return LL(BuildOr)(e->b, v[0], LL(BuildNot)(e->b, v[1], ""), "");
  case MR_OP_remainder: return LL(BuildAnd)(e->b, v[0], LL(BuildNot)(e->b, v[1], ""), "");
  case MR_OP_clamp: return LL(BuildAnd)(e->b, LL(BuildOr)(e->b, v[1], v[0], ""), v[2], "");
  case MR_OP_not: return LL(BuildNot)(e->b, v[0], "");
  case MR_OP_abs:
  case MR_OP_sign:
  case MR_OP_square:
  case MR_OP_negate:
  case MR_OP_popcnt:
  case MR_OP_real:
  case MR_OP_conj: return v[0];
  case MR_OP_count_leading_zeros: return LL(BuildNot)(e->b, v[0], "");
  case MR_OP_imag: return number(v[0], 0);
  default: return NULL;  // shifts and functions of floats: mr_emit_element says that there is no code
  }
}

LLVMValueRef mr_emit_int_op(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *args) {
  if (in->dtype == MR_PRED) {
    return pred_op(e, in, args);
  }
  LLVMValueRef v = int_op(e, in, args);
  return v ? mr_emit_normalize(e, (mr_dtype)in->dtype, v) : NULL;
}
