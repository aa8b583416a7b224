// One elementwise operation: what takes or gives several types here (WHOLE in ops/instructions.def), arithmetic by the kind of type.
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

static LLVMValueRef whole_compare(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *args) {
  static const LLVMRealPredicate predicates[6] = {LLVMRealOEQ, LLVMRealUNE, LLVMRealOGE,
                                                  LLVMRealOGT, LLVMRealOLE, LLVMRealOLT};
  mr_dtype dtype = (mr_dtype)in->dtype;
  unsigned direction = in->imm & 0xFF, type = in->imm >> 8 & 0xFF;
  if (direction > MR_L_LT) {
    mr_emit_fail(e, mr_error(MR_INTERNAL, "comparison direction %u", direction));
    return NULL;
  }
  if (!use_float_order(dtype)) {
    return compare_ints(e, direction, mr_dtype_is_signed(dtype), args[0], args[1]);
  }
  if (type == MR_L_TOTALORDER) {
    return compare_ints(e, direction, true, total_order_key(e, dtype, args[0]), total_order_key(e, dtype, args[1]));
  }
  LLVMValueRef x = mr_emit_widen_operand(e, dtype, in->a), y = mr_emit_widen_operand(e, dtype, in->b);
  return LL(BuildFCmp)(e->b, predicates[direction], x, y, "");
}

static LLVMValueRef whole_bitcast(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *args) {
  mr_dtype from = mr_l_dtype(e->p, in->a), to = (mr_dtype)in->dtype;
  LLVMValueRef v = args[0];
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
static LLVMValueRef whole_select(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *args) {
  if (e->wide[in->b] || e->wide[in->c]) {
    mr_dtype dtype = (mr_dtype)in->dtype;
    LLVMValueRef t = mr_emit_widen_operand(e, dtype, in->b), f = mr_emit_widen_operand(e, dtype, in->c);
    mr_emit_keep_wide(e, in, LL(BuildSelect)(e->b, args[0], t, f, ""));
  }
  return LL(BuildSelect)(e->b, args[0], args[1], args[2], "");
}

static LLVMValueRef whole_convert(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *args) {
  mr_dtype from = mr_l_dtype(e->p, in->a), to = (mr_dtype)in->dtype;
  if (e->wide[in->a] && to == MR_F32) {
    return e->wide[in->a];
  }
  return from == MR_F32 && to == MR_BF16 ? mr_emit_result(e, in, args[0], false)
                                         : mr_emit_convert(e, from, to, args[0]);
}

static LLVMValueRef (*const wholes[MR_OP_COUNT])(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *args) = {
#define WHOLE(op, function) [MR_OP_##op] = whole_##function,
#include "ops/instructions.def"
};

LLVMValueRef mr_emit_element(mr_emit *e, const mr_loop_instr *in) {
  LLVMValueRef args[3] = {e->values[in->a], e->values[in->b], e->values[in->c]}, v = NULL;
  if (wholes[in->kind]) {
    return wholes[in->kind](e, in, args);
  }
  v = mr_dtype_is_float((mr_dtype)in->dtype) ? mr_emit_float_op(e, in, args) : mr_emit_int_op(e, in, args);
  if (!v && !e->status) {
    mr_emit_fail(e, mr_error(MR_UNIMPLEMENTED, "no code for %s on %s", mr_op_table[in->kind].name,
                             mr_dtype_name((mr_dtype)in->dtype)));
  }
  return v ? v : LL(GetUndef)(mr_emit_type(e->engine, (mr_dtype)in->dtype));
}
