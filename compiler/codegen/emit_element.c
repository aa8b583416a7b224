// One elementwise operation: comparison and selection here, arithmetic by the kind of type.
#include "compiler/codegen/emit.h"

static bool use_float_order(mr_dtype dtype) { return mr_dtype_is_float(dtype); }

static LLVMValueRef compare_ints(mr_emit *e, unsigned direction, bool sign, LLVMValueRef a, LLVMValueRef b) {
  static const LLVMIntPredicate predicates[2][6] = {
      {LLVMIntEQ, LLVMIntNE, LLVMIntUGE, LLVMIntUGT, LLVMIntULE, LLVMIntULT},
      {LLVMIntEQ, LLVMIntNE, LLVMIntSGE, LLVMIntSGT, LLVMIntSLE, LLVMIntSLT},
  };
  return LL(BuildICmp)(e->b, predicates[sign][direction], a, b, "");
}

// The bits as an integer that orders like the total order: negative values have their other bits flipped.
static LLVMValueRef total_order_key(mr_emit *e, mr_dtype dtype, LLVMValueRef v) {
  unsigned width = dtype == MR_F64 ? 64 : dtype == MR_F16 || dtype == MR_BF16 ? 16 : 32;
  LLVMTypeRef ints = LL(IntTypeInContext)(e->engine->context, width);
  LLVMValueRef x = width == 16 ? v : mr_emit_widen(e, dtype, v);
  LLVMValueRef bits = LL(BuildBitCast)(e->b, x, ints, "");
  LLVMValueRef sign = LL(BuildAShr)(e->b, bits, mr_emit_int(ints, width - 1), "");
  return LL(BuildXor)(e->b, bits, LL(BuildLShr)(e->b, sign, mr_emit_int(ints, 1), ""), "");
}

static LLVMValueRef compare(mr_emit *e, const mr_loop_instr *in, LLVMValueRef a, LLVMValueRef b) {
  static const LLVMRealPredicate predicates[6] = {LLVMRealOEQ, LLVMRealUNE, LLVMRealOGE,
                                                  LLVMRealOGT, LLVMRealOLE, LLVMRealOLT};
  mr_dtype dtype = (mr_dtype)in->dtype;
  unsigned direction = in->imm & 0xFF, type = in->imm >> 8 & 0xFF;
  if (direction > MR_L_LT) {
    mr_emit_fail(e, mr_error(MR_INTERNAL, "comparison direction %u", direction));
    return NULL;
  }
  if (!use_float_order(dtype)) {
    return compare_ints(e, direction, mr_dtype_is_signed(dtype), a, b);
  }
  if (type == MR_L_TOTALORDER) {
    return compare_ints(e, direction, true, total_order_key(e, dtype, a), total_order_key(e, dtype, b));
  }
  LLVMValueRef x = mr_emit_widen_operand(e, dtype, in->a), y = mr_emit_widen_operand(e, dtype, in->b);
  return LL(BuildFCmp)(e->b, predicates[direction], x, y, "");
}

static LLVMValueRef bitcast(mr_emit *e, const mr_loop_instr *in, LLVMValueRef v) {
  mr_dtype from = mr_l_dtype(e->p, in->a), to = (mr_dtype)in->dtype;
  if (mr_dtype_bits(from) < 8) {
    v = from == MR_PRED ? LL(BuildZExt)(e->b, v, e->engine->i8, "") : v;
    if (to == MR_PRED) {
      return LL(BuildTrunc)(e->b, v, e->engine->i1, "");
    }
    if (!mr_dtype_is_float(to)) {
      return mr_emit_normalize(e, to, v);
    }
    return LL(BuildAnd)(e->b, v, mr_emit_int(e->engine->i8, (1u << mr_dtype_bits(to)) - 1), "");
  }
  return LL(BuildBitCast)(e->b, v, mr_emit_type(e->engine, to), "");
}

// A choice between values of which one has a wide form: chosen in both.
static LLVMValueRef select_value(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *args) {
  if (e->wide[in->b] || e->wide[in->c]) {
    mr_dtype dtype = (mr_dtype)in->dtype;
    LLVMValueRef t = mr_emit_widen_operand(e, dtype, in->b), f = mr_emit_widen_operand(e, dtype, in->c);
    mr_emit_keep_wide(e, in, LL(BuildSelect)(e->b, args[0], t, f, ""));
  }
  return LL(BuildSelect)(e->b, args[0], args[1], args[2], "");
}

static LLVMValueRef convert(mr_emit *e, const mr_loop_instr *in, LLVMValueRef v) {
  mr_dtype from = mr_l_dtype(e->p, in->a), to = (mr_dtype)in->dtype;
  if (e->wide[in->a] && to == MR_F32) {
    return e->wide[in->a];
  }
  return from == MR_F32 && to == MR_BF16 ? mr_emit_result(e, in, v, false) : mr_emit_convert(e, from, to, v);
}

LLVMValueRef mr_emit_element(mr_emit *e, const mr_loop_instr *in) {
  LLVMValueRef args[3] = {e->values[in->a], e->values[in->b], e->values[in->c]}, v = NULL;
  switch ((mr_op_kind)in->kind) {
  case MR_OP_convert: return convert(e, in, args[0]);
  case MR_OP_bitcast_convert: return bitcast(e, in, args[0]);
  case MR_OP_compare: return compare(e, in, args[0], args[1]);
  case MR_OP_select: return select_value(e, in, args);
  default: break;  // operands and result have one type, or the result is PRED: by the type
  }
  v = mr_dtype_is_float((mr_dtype)in->dtype) ? mr_emit_float_op(e, in, args) : mr_emit_int_op(e, in, args);
  if (!v && !e->status) {
    mr_emit_fail(e, mr_error(MR_UNIMPLEMENTED, "no code for %s on %s", mr_op_table[in->kind].name,
                             mr_dtype_name((mr_dtype)in->dtype)));
  }
  return v ? v : LL(GetUndef)(mr_emit_type(e->engine, (mr_dtype)in->dtype));
}
