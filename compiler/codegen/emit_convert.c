// stablehlo.convert and bitcast_convert: floats to integers truncate and saturate (NaN gives 0), integers wrap, anything
// to PRED is "not zero".
#include "compiler/codegen/emit.h"

static bool is_signed(mr_dtype dtype) { return mr_dtype_is_signed(dtype); }

static LLVMValueRef to_pred(mr_emit *e, mr_dtype from, LLVMValueRef v) {
  if (!mr_dtype_is_float(from)) {
    return LL(BuildICmp)(e->b, LLVMIntNE, v, LL(ConstNull)(LL(TypeOf)(v)), "");
  }
  LLVMValueRef x = mr_emit_widen(e, from, v);
  return LL(BuildFCmp)(e->b, LLVMRealUNE, x, LL(ConstNull)(LL(TypeOf)(x)), "");
}

static LLVMValueRef int_to_int(mr_emit *e, mr_dtype from, mr_dtype to, LLVMValueRef v) {
  LLVMTypeRef type = mr_emit_type(e->engine, to);
  size_t from_bytes = from == MR_PRED ? 0 : mr_dtype_bytes(from), to_bytes = mr_dtype_bytes(to);
  if (to_bytes < from_bytes) {
    v = LL(BuildTrunc)(e->b, v, type, "");
  } else if (to_bytes > from_bytes) {
    v = is_signed(from) ? LL(BuildSExt)(e->b, v, type, "") : LL(BuildZExt)(e->b, v, type, "");
  }
  return mr_dtype_bits(to) < mr_dtype_bits(from) || is_signed(from) != is_signed(to) ? mr_emit_normalize(e, to, v) : v;
}

// Through f32 for every narrow type: below 2^24 that is exact, and above only bf16 can still tell a difference (XLA:CPU
// and numpy go the same way).
static LLVMValueRef int_to_float(mr_emit *e, mr_dtype from, mr_dtype to, LLVMValueRef v) {
  LLVMTypeRef type = mr_emit_compute_type(e->engine, to);
  // One operation under a mask, where the conversion of a mask is four.
  if (from == MR_PRED) {
    return mr_emit_narrow(e, to, LL(BuildSelect)(e->b, v, LL(ConstReal)(type, 1), LL(ConstReal)(type, 0), ""));
  }
  LLVMValueRef x = is_signed(from) ? LL(BuildSIToFP)(e->b, v, type, "") : LL(BuildUIToFP)(e->b, v, type, "");
  return mr_emit_narrow(e, to, x);
}

// Written out rather than llvm.fptosi.sat, so that it vectorises the same way for every width: what is out of range or
// NaN is replaced before the conversion, whose result would be poison.
static LLVMValueRef float_to_int(mr_emit *e, mr_dtype from, mr_dtype to, LLVMValueRef v) {
  unsigned width = mr_dtype_bits(to);
  bool sign = is_signed(to);
  LLVMValueRef x = mr_emit_widen(e, from, v);
  LLVMTypeRef floats = LL(TypeOf)(x), held = mr_emit_type(e->engine, to);
  LLVMTypeRef ints = width < 32 ? e->engine->i32 : held;
  double low = sign ? -__builtin_ldexp(1.0, (int)width - 1) : 0.0;
  double high = __builtin_ldexp(1.0, (int)width - (sign ? 1 : 0));
  uint64_t max = (width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1) >> (sign ? 1 : 0);
  LLVMValueRef over = LL(BuildFCmp)(e->b, LLVMRealOGE, x, LL(ConstReal)(floats, high), "");
  LLVMValueRef inside = LL(BuildFCmp)(e->b, LLVMRealOGT, x, LL(ConstReal)(floats, low), "");
  LLVMValueRef ordered = LL(BuildFCmp)(e->b, LLVMRealORD, x, x, "");
  // Below or at the low end the conversion of the low end itself is right; NaN and what is above get it for a moment.
  LLVMValueRef ok = LL(BuildAnd)(e->b, inside, LL(BuildNot)(e->b, over, ""), "");
  LLVMValueRef safe = LL(BuildSelect)(e->b, ok, x, LL(ConstReal)(floats, low), "");
  bool as_signed = sign || width < 32;
  LLVMValueRef i = as_signed ? LL(BuildFPToSI)(e->b, safe, ints, "") : LL(BuildFPToUI)(e->b, safe, ints, "");
  i = LL(BuildSelect)(e->b, over, mr_emit_int(ints, max), i, "");
  if (sign) {
    i = LL(BuildSelect)(e->b, ordered, i, mr_emit_int(ints, 0), "");
  }
  return ints == held ? i : LL(BuildTrunc)(e->b, i, held, "");
}

static LLVMValueRef float_to_float(mr_emit *e, mr_dtype from, mr_dtype to, LLVMValueRef v) {
  LLVMValueRef x = mr_emit_widen(e, from, v);
  return mr_emit_narrow(e, to, x);
}

LLVMValueRef mr_emit_convert(mr_emit *e, mr_dtype from, mr_dtype to, LLVMValueRef v) {
  if (from == to) {
    return v;
  }
  if (to == MR_PRED) {
    return to_pred(e, from, v);
  }
  bool from_float = mr_dtype_is_float(from), to_float = mr_dtype_is_float(to);
  if (from_float && to_float) {
    return float_to_float(e, from, to, v);
  }
  if (from_float) {
    return float_to_int(e, from, to, v);
  }
  return to_float ? int_to_float(e, from, to, v) : int_to_int(e, from, to, v);
}
