// Elementwise operations on floats. What an instruction or an intrinsic does exactly is emitted; the rest is one of the
// element functions of ops/element, copied in.
#include "compiler/codegen/emit.h"

static LLVMValueRef real(LLVMValueRef like, double value) { return LL(ConstReal)(LL(TypeOf)(like), value); }

static LLVMValueRef intrinsic1(mr_emit *e, const char *name, LLVMValueRef a) {
  return mr_emit_intrinsic(e, name, LL(TypeOf)(a), &a, 1);
}

static LLVMValueRef intrinsic2(mr_emit *e, const char *name, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef args[2] = {a, b};
  return mr_emit_intrinsic(e, name, LL(TypeOf)(a), args, 2);
}

// -1, the zero itself, 1, or the NaN itself.
static LLVMValueRef sign_of(mr_emit *e, LLVMValueRef a) {
  LLVMValueRef unit = intrinsic2(e, "llvm.copysign", real(a, 1.0), a);
  LLVMValueRef ordinary = LL(BuildFCmp)(e->b, LLVMRealONE, a, real(a, 0.0), "");
  return LL(BuildSelect)(e->b, ordinary, unit, a, "");
}

// In a fold, whose order is free, LLVM may round a product together with the sum it goes into.
static LLVMValueRef contractable(const mr_loop_instr *in, LLVMValueRef v) {
  if (LL(IsAInstruction)(v)) {
    LL(SetFastMathFlags)(v, LLVMFastMathAllowContract | (in->flags & MR_L_REASSOC ? LLVMFastMathAllowReassoc : 0));
  }
  return v;
}

static LLVMValueRef signed_value(mr_emit *e, bool minus, LLVMValueRef v) {
  return minus ? LL(BuildFNeg)(e->b, v, "") : v;
}

// A sum that takes a product with it does so in each copy of it, wherever the product itself is computed. LLVM is not left to find
// such pairs: it looks into one block at a time, from which a product that does not change in a loop may have gone, and then two
// copies of a number would differ. XLA:CPU joins them as well: polynomials that JAX writes out (bessel_i1e, digamma) come to the
// same numbers on both.
static LLVMValueRef sum(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  mr_l_join join;
  if (mr_l_join_of(e->p, in, &join)) {
    LLVMValueRef first = signed_value(e, join.minus_product, e->values[join.factors[0]]);
    LLVMValueRef rest = signed_value(e, join.minus_rest, e->values[join.rest]);
    LLVMValueRef args[3] = {first, e->values[join.factors[1]], rest};
    return mr_emit_intrinsic(e, "llvm.fmuladd", LL(TypeOf)(rest), args, 3);
  }
  bool minus = in->kind == MR_OP_subtract;
  LLVMValueRef alone = minus ? LL(BuildFSub)(e->b, v[0], v[1], "") : LL(BuildFAdd)(e->b, v[0], v[1], "");
  return in->flags & MR_L_REASSOC ? contractable(in, alone) : alone;
}

static LLVMValueRef wide_op(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  switch ((mr_op_kind)in->kind) {
  case MR_OP_add:
  case MR_OP_subtract: return sum(e, in, v);
  case MR_OP_multiply: return contractable(in, LL(BuildFMul)(e->b, v[0], v[1], ""));
  case MR_OP_square: return contractable(in, LL(BuildFMul)(e->b, v[0], v[0], ""));
  case MR_OP_divide: return LL(BuildFDiv)(e->b, v[0], v[1], "");
  case MR_OP_maximum: return intrinsic2(e, "llvm.maximum", v[0], v[1]);
  case MR_OP_minimum: return intrinsic2(e, "llvm.minimum", v[0], v[1]);
  case MR_OP_clamp: return intrinsic2(e, "llvm.minimum", intrinsic2(e, "llvm.maximum", v[1], v[0]), v[2]);
  case MR_OP_sqrt: return intrinsic1(e, "llvm.sqrt", v[0]);
  case MR_OP_ceil: return intrinsic1(e, "llvm.ceil", v[0]);
  case MR_OP_floor: return intrinsic1(e, "llvm.floor", v[0]);
  case MR_OP_round_nearest_even: return intrinsic1(e, "llvm.roundeven", v[0]);
  case MR_OP_round_nearest_afz: return intrinsic1(e, "llvm.round", v[0]);
  case MR_OP_sign: return sign_of(e, v[0]);
  case MR_OP_imag: return real(v[0], 0.0);
  default:
    break;  // functions, which the column `code` names; without a name there is no code, and mr_emit_element says so
  }
  const char *name = mr_op_table[in->kind].code;
  if (!name) {
    return NULL;
  }
  unsigned count = (unsigned)mr_op_table[in->kind].operands;
  return mr_emit_call(e, name, in->dtype == MR_F64 ? "f64" : "f32", v, count);
}

// ---- On the bits themselves -------------------------------------------------------------------------------------------

static LLVMTypeRef bits_type(mr_emit *e, mr_dtype dtype) {
  return LL(IntTypeInContext)(e->engine->context, 8 * (unsigned)mr_dtype_bytes(dtype));
}

static LLVMValueRef as_bits(mr_emit *e, mr_dtype dtype, LLVMValueRef v) {
  return LL(BuildBitCast)(e->b, v, bits_type(e, dtype), "");
}

static LLVMValueRef from_bits(mr_emit *e, mr_dtype dtype, LLVMValueRef bits) {
  return LL(BuildBitCast)(e->b, bits, mr_emit_type(e->engine, dtype), "");
}

// Formats whose top bit is a sign and where flipping it is always negation.
static bool plain_sign(mr_dtype dtype) {
  return dtype != MR_F8E8M0FNU && dtype != MR_F8E4M3B11FNUZ && dtype != MR_F8E5M2FNUZ && dtype != MR_F8E4M3FNUZ;
}

static LLVMValueRef flip_sign(mr_emit *e, mr_dtype dtype, LLVMValueRef v) {
  if (dtype == MR_F32 || dtype == MR_F64 || dtype == MR_F16) {
    return LL(BuildFNeg)(e->b, v, "");
  }
  return LL(BuildXor)(e->b, v, mr_emit_int(LL(TypeOf)(v), (uint64_t)1 << (mr_dtype_bits(dtype) - 1)), "");
}

static LLVMValueRef clear_sign(mr_emit *e, mr_dtype dtype, LLVMValueRef v) {
  if (dtype == MR_F32 || dtype == MR_F64 || dtype == MR_F16) {
    return intrinsic1(e, "llvm.fabs", v);
  }
  return LL(BuildAnd)(e->b, v, mr_emit_int(LL(TypeOf)(v), ((uint64_t)1 << (mr_dtype_bits(dtype) - 1)) - 1), "");
}

// One step of the representation towards y; types with subnormals, infinities and a plain sign only.
static LLVMValueRef next_after(mr_emit *e, mr_dtype dtype, LLVMValueRef x, LLVMValueRef y) {
  if (dtype != MR_F16 && dtype != MR_BF16 && dtype != MR_F32 && dtype != MR_F64) {
    return NULL;
  }
  LLVMTypeRef ints = bits_type(e, dtype);
  LLVMValueRef wx = mr_emit_widen(e, dtype, x), wy = mr_emit_widen(e, dtype, y), zero = real(wx, 0.0);
  LLVMValueRef one = mr_emit_int(ints, 1), top = mr_emit_int(ints, (uint64_t)1 << (8 * mr_dtype_bytes(dtype) - 1));
  LLVMValueRef bits = as_bits(e, dtype, x);
  // Growing in magnitude is one up in the bits, shrinking one down.
  LLVMValueRef up = LL(BuildFCmp)(e->b, LLVMRealOGT, wy, wx, "");
  LLVMValueRef positive = LL(BuildFCmp)(e->b, LLVMRealOGT, wx, zero, "");
  LLVMValueRef grows = LL(BuildICmp)(e->b, LLVMIntEQ, up, positive, "");
  LLVMValueRef step = LL(BuildSelect)(e->b, grows, one, LL(ConstAllOnes)(ints), "");
  LLVMValueRef moved = LL(BuildAdd)(e->b, bits, step, "");
  LLVMValueRef smallest = LL(BuildSelect)(e->b, up, one, LL(BuildOr)(e->b, one, top, ""), "");
  LLVMValueRef from_zero = LL(BuildFCmp)(e->b, LLVMRealOEQ, wx, zero, "");
  moved = LL(BuildSelect)(e->b, from_zero, smallest, moved, "");
  LLVMValueRef equal = LL(BuildFCmp)(e->b, LLVMRealOEQ, wx, wy, "");
  LLVMValueRef next = LL(BuildSelect)(e->b, equal, y, from_bits(e, dtype, moved), "");
  LLVMValueRef nan = LL(BuildFCmp)(e->b, LLVMRealUNO, wx, wy, "");
  LLVMValueRef sum = mr_emit_narrow(e, dtype, LL(BuildFAdd)(e->b, wx, wy, ""));
  return LL(BuildSelect)(e->b, nan, sum, next, "");
}

static LLVMValueRef predicate(mr_emit *e, const mr_loop_instr *in, LLVMValueRef v) {
  LLVMValueRef x = mr_emit_widen(e, (mr_dtype)in->dtype, v);
  LLVMValueRef infinity = real(x, __builtin_inf()), magnitude = intrinsic1(e, "llvm.fabs", x);
  switch (in->kind) {
  case MR_OP_is_finite: return LL(BuildFCmp)(e->b, LLVMRealOLT, magnitude, infinity, "");
  case MR_OP_is_inf: return LL(BuildFCmp)(e->b, LLVMRealOEQ, magnitude, infinity, "");
  case MR_OP_is_pos_inf: return LL(BuildFCmp)(e->b, LLVMRealOEQ, x, infinity, "");
  case MR_OP_is_neg_inf: return LL(BuildFCmp)(e->b, LLVMRealOEQ, x, real(x, -__builtin_inf()), "");
  default: return NULL;  // mr_emit_float_op asks for these four
  }
}

// Operations that keep or change the bits of the operand itself, at no cost and exactly.
static LLVMValueRef bits_op(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *args) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  switch ((mr_op_kind)in->kind) {
  case MR_OP_real:
  case MR_OP_conj: return args[0];
  case MR_OP_negate: return plain_sign(dtype) ? flip_sign(e, dtype, args[0]) : NULL;
  case MR_OP_abs:
    if (dtype == MR_F8E8M0FNU) {
      return args[0];
    }
    return plain_sign(dtype) ? clear_sign(e, dtype, args[0]) : NULL;
  default: return NULL;  // arithmetic: computed_op
  }
}

// In the compute type.
static LLVMValueRef computed_op(mr_emit *e, const mr_loop_instr *in) {
  mr_lv operands[3] = {in->a, in->b, in->c};
  LLVMValueRef wide[3] = {0};
  for (int i = 0; i < mr_op_table[in->kind].operands && i < 3; i++) {
    wide[i] = mr_emit_widen_operand(e, (mr_dtype)in->dtype, operands[i]);
  }
  if (in->kind == MR_OP_negate) {
    return LL(BuildFNeg)(e->b, wide[0], "");
  }
  return in->kind == MR_OP_abs ? intrinsic1(e, "llvm.fabs", wide[0]) : wide_op(e, in, wide);
}

// Operations whose result is one of their operands, or its negative where every value has one: exact.
static bool picks_an_operand(mr_op_kind kind, mr_dtype dtype) {
  if (kind == MR_OP_negate || kind == MR_OP_abs) {
    return plain_sign(dtype);
  }
  return kind == MR_OP_maximum || kind == MR_OP_minimum || kind == MR_OP_clamp;
}

LLVMValueRef mr_emit_float_op(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *args) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  switch ((mr_op_kind)in->kind) {
  case MR_OP_is_finite:
  case MR_OP_is_inf:
  case MR_OP_is_pos_inf:
  case MR_OP_is_neg_inf: return predicate(e, in, args[0]);
  case MR_OP_reduce_precision: return mr_emit_reduce_precision(e, dtype, in->imm & 0xFF, in->imm >> 8 & 0xFF, args[0]);
  case MR_OP_next_after: return next_after(e, dtype, args[0], args[1]);
  default: break;  // all that gives a number of the type
  }
  LLVMValueRef result = e->wide[in->a] ? NULL : bits_op(e, in, args);
  if (result) {
    return result;
  }
  result = computed_op(e, in);
  return result ? mr_emit_result(e, in, result, picks_an_operand((mr_op_kind)in->kind, dtype)) : NULL;
}
