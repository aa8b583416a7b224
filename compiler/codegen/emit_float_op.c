// Elementwise operations on floats, as ops/instructions.def has them: instructions, intrinsics, and the functions of this file. What has
// no row there is one of the element functions of ops/element, copied in.
#include "compiler/codegen/emit.h"
#include "ops/instructions.h"

static LLVMValueRef real(LLVMValueRef like, double value) { return LL(ConstReal)(LL(TypeOf)(like), value); }

static LLVMValueRef intrinsic1(mr_emit *e, const char *name, LLVMValueRef a) {
  return mr_emit_intrinsic(e, name, LL(TypeOf)(a), &a, 1);
}

static LLVMValueRef intrinsic2(mr_emit *e, const char *name, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef args[2] = {a, b};
  return mr_emit_intrinsic(e, name, LL(TypeOf)(a), args, 2);
}

// ---- In the compute type ------------------------------------------------------------------------------------------------

// -1, the zero itself, 1, or the NaN itself.
static LLVMValueRef sign_of(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  (void)in;
  LLVMValueRef a = v[0], unit = intrinsic2(e, "llvm.copysign", real(a, 1.0), a);
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

static LLVMValueRef product(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  return contractable(in, LL(BuildFMul)(e->b, v[0], v[1], ""));
}

static LLVMValueRef square(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  return contractable(in, LL(BuildFMul)(e->b, v[0], v[0], ""));
}

static LLVMValueRef clamp(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  (void)in;
  return intrinsic2(e, "llvm.minimum", intrinsic2(e, "llvm.maximum", v[1], v[0]), v[2]);
}

static LLVMValueRef zero(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  (void)e;
  (void)in;
  return real(v[0], 0.0);
}

static LLVMValueRef has_size(mr_emit *e, LLVMRealPredicate is, LLVMValueRef x) {
  LLVMValueRef infinity = real(x, __builtin_inf()), magnitude = intrinsic1(e, "llvm.fabs", x);
  return LL(BuildFCmp)(e->b, is, magnitude, infinity, "");
}

static LLVMValueRef is_finite(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  (void)in;
  return has_size(e, LLVMRealOLT, v[0]);
}

static LLVMValueRef is_inf(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  (void)in;
  return has_size(e, LLVMRealOEQ, v[0]);
}

static LLVMValueRef is_pos_inf(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  (void)in;
  return LL(BuildFCmp)(e->b, LLVMRealOEQ, v[0], real(v[0], __builtin_inf()), "");
}

static LLVMValueRef is_neg_inf(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  (void)in;
  return LL(BuildFCmp)(e->b, LLVMRealOEQ, v[0], real(v[0], -__builtin_inf()), "");
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
static LLVMValueRef whole_next_after(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  LLVMValueRef x = v[0], y = v[1];
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

static LLVMValueRef whole_reduce_precision(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  return mr_emit_reduce_precision(e, (mr_dtype)in->dtype, in->imm & 0xFF, in->imm >> 8 & 0xFF, v[0]);
}

// What keeps or changes the bits of the operand itself, at no cost and exactly. NULL: arithmetic.
static LLVMValueRef on_bits(mr_emit *e, const mr_loop_instr *in, LLVMValueRef v) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  switch (mr_op_outcome_on_bits((mr_op_kind)in->kind, dtype)) {
  case MR_OUTCOME_ROUNDED:
  case MR_OUTCOME_ARITHMETIC:
  case MR_OUTCOME_PICKED: return NULL;
  case MR_OUTCOME_KEEPS: return v;
  case MR_OUTCOME_FLIPS: return flip_sign(e, dtype, v);
  case MR_OUTCOME_CLEARS: return clear_sign(e, dtype, v);
  }
  return NULL;
}

// ---- By the table -------------------------------------------------------------------------------------------------------

static LLVMValueRef (*const wholes[MR_OP_COUNT])(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) = {
#define FLOAT_WHOLE(op, function) [MR_OP_##op] = whole_##function,
#include "ops/instructions.def"
};

static const mr_emit_code tests[MR_OP_COUNT] = {
#define FLOAT_TEST(op, llvm, clc) [MR_OP_##op] = MR_EMIT_##llvm,
#include "ops/instructions.def"
};

static const mr_emit_code codes[MR_OP_COUNT] = {
#define FLOAT(op, outcome, llvm, clc) [MR_OP_##op] = MR_EMIT_##llvm,
#include "ops/instructions.def"
};

// In the compute type; by the function that the column `code` of ops.def names where there is no row. NULL: there is neither, and
// mr_emit_element says so.
static LLVMValueRef computed(mr_emit *e, const mr_loop_instr *in) {
  const mr_op_info *info = &mr_op_table[in->kind];
  mr_lv operands[3] = {in->a, in->b, in->c};
  LLVMValueRef wide[3] = {0};
  for (int i = 0; i < info->operands && i < 3; i++) {
    wide[i] = mr_emit_widen_operand(e, (mr_dtype)in->dtype, operands[i]);
  }
  LLVMValueRef v = mr_emit_coded(e, in, &codes[in->kind], wide);
  if (v || !info->code) {
    return v;
  }
  return mr_emit_call(e, info->code, in->dtype == MR_F64 ? "f64" : "f32", wide, (unsigned)info->operands);
}

LLVMValueRef mr_emit_float_op(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *args) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  if (wholes[in->kind]) {
    return wholes[in->kind](e, in, args);
  }
  if (mr_op_is_test((mr_op_kind)in->kind)) {
    LLVMValueRef x = mr_emit_widen(e, dtype, args[0]);
    return mr_emit_coded(e, in, &tests[in->kind], &x);
  }
  LLVMValueRef result = e->wide[in->a] ? NULL : on_bits(e, in, args[0]);
  if (result) {
    return result;
  }
  result = computed(e, in);
  return result ? mr_emit_result(e, in, result, mr_op_is_exact((mr_op_kind)in->kind, dtype)) : NULL;
}
