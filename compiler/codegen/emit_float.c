// Floats narrower than f32, by integer arithmetic on their bits: every conversion is exact or rounds once, to nearest
// even, and vectorises. Hardware is used for f16 alone: vcvtneps2bf16 flushes subnormals.
#include "compiler/codegen/emit.h"

#include <assert.h>
#include <string.h>

#include "ops/instructions.h"

// The narrow formats that share one encoder. Codes are without the sign bit.
typedef struct narrow_format {
  unsigned exponent_bits, mantissa_bits, bias;
  unsigned max_code, overflow_code, nan_code;
  bool fnuz;     // no -0, no infinity, the sign bit alone is NaN
  bool has_inf;  // overflow_code is the infinity
  bool has_nan;  // false: finite numbers only
} narrow_format;

static const narrow_format formats[MR_DTYPE_COUNT] = {
    [MR_F8E5M2] = {5, 2, 15, 0x7B, 0x7C, 0x7E, false, true, true},
    [MR_F8E4M3FN] = {4, 3, 7, 0x7E, 0x7F, 0x7F, false, false, true},
    [MR_F8E4M3B11FNUZ] = {4, 3, 11, 0x7F, 0x80, 0x80, true, false, true},
    [MR_F8E5M2FNUZ] = {5, 2, 16, 0x7F, 0x80, 0x80, true, false, true},
    [MR_F8E4M3FNUZ] = {4, 3, 8, 0x7F, 0x80, 0x80, true, false, true},
    [MR_F8E4M3] = {4, 3, 7, 0x77, 0x78, 0x7C, false, true, true},
    [MR_F8E3M4] = {3, 4, 3, 0x6F, 0x70, 0x78, false, true, true},
    [MR_F4E2M1FN] = {2, 1, 1, 0x7, 0x7, 0x8, false, false, false},
    [MR_F6E2M3FN] = {2, 3, 1, 0x1F, 0x1F, 0x20, false, false, false},
    [MR_F6E3M2FN] = {3, 2, 3, 0x1F, 0x1F, 0x20, false, false, false},
};

static LLVMValueRef i32(mr_emit *e, uint32_t value) { return mr_emit_int(e->engine->i32, value); }

static LLVMValueRef to_bits(mr_emit *e, LLVMValueRef f) { return LL(BuildBitCast)(e->b, f, e->engine->i32, ""); }
static LLVMValueRef from_bits(mr_emit *e, LLVMValueRef bits) {
  return LL(BuildBitCast)(e->b, bits, e->engine->f32, "");
}

static LLVMValueRef choose(mr_emit *e, LLVMValueRef c, LLVMValueRef t, LLVMValueRef f) {
  return LL(BuildSelect)(e->b, c, t, f, "");
}

static LLVMValueRef above(mr_emit *e, LLVMValueRef a, uint32_t limit) {
  return LL(BuildICmp)(e->b, LLVMIntUGT, a, i32(e, limit), "");
}

static LLVMValueRef equals(mr_emit *e, LLVMValueRef a, uint32_t value) {
  return LL(BuildICmp)(e->b, LLVMIntEQ, a, i32(e, value), "");
}

LLVMTypeRef mr_emit_compute_type(const mr_llvm_engine *engine, mr_dtype dtype) {
  return dtype == MR_F64 ? engine->f64 : engine->f32;
}

// ---- Narrow to f32 ----------------------------------------------------------------------------------------------------

static LLVMValueRef widen_bf16(mr_emit *e, LLVMValueRef v) {
  LLVMValueRef wide = LL(BuildZExt)(e->b, v, e->engine->i32, "");
  return from_bits(e, LL(BuildShl)(e->b, wide, i32(e, 16), ""));
}

// 2^(code - 127); code 0 is subnormal in f32.
static LLVMValueRef widen_e8m0(mr_emit *e, LLVMValueRef v) {
  LLVMValueRef code = LL(BuildZExt)(e->b, v, e->engine->i32, "");
  LLVMValueRef bits = LL(BuildShl)(e->b, code, i32(e, 23), "");
  bits = choose(e, equals(e, code, 0), i32(e, 0x00400000), bits);
  return from_bits(e, choose(e, equals(e, code, 0xFF), i32(e, 0x7FC00000), bits));
}

static double power_of_two(int exponent) { return __builtin_ldexp(1.0, exponent); }

static LLVMValueRef widen_format(mr_emit *e, const narrow_format *f, LLVMValueRef v) {
  assert(f->exponent_bits);  // `formats` has all types that the callers name no other way for
  unsigned width = f->exponent_bits + f->mantissa_bits, shift = 23 - f->mantissa_bits;
  LLVMValueRef code = LL(BuildZExt)(e->b, v, e->engine->i32, "");
  LLVMValueRef magnitude = LL(BuildAnd)(e->b, code, i32(e, (1u << width) - 1), "");
  LLVMValueRef normal =
      LL(BuildAdd)(e->b, LL(BuildShl)(e->b, magnitude, i32(e, shift), ""), i32(e, (127 - f->bias) << 23), "");
  // A subnormal is a small integer times a power of two: exact.
  LLVMValueRef scale = LL(ConstReal)(e->engine->f32, power_of_two(1 - (int)f->bias - (int)f->mantissa_bits));
  LLVMValueRef count = LL(BuildSIToFP)(e->b, magnitude, e->engine->f32, "");
  LLVMValueRef small = to_bits(e, LL(BuildFMul)(e->b, count, scale, ""));
  LLVMValueRef bits = choose(e, above(e, magnitude, (1u << f->mantissa_bits) - 1), normal, small);
  if (f->has_nan && !f->fnuz) {
    bits = choose(e, above(e, magnitude, f->max_code), i32(e, 0x7FC00000), bits);
    if (f->has_inf) {
      bits = choose(e, equals(e, magnitude, f->overflow_code), i32(e, 0x7F800000), bits);
    }
  }
  LLVMValueRef sign = LL(BuildShl)(e->b, LL(BuildAnd)(e->b, code, i32(e, 1u << width), ""), i32(e, 31 - width), "");
  bits = LL(BuildOr)(e->b, bits, sign, "");
  if (f->fnuz) {
    bits = choose(e, equals(e, code, 0x80), i32(e, 0x7FC00000), bits);
  }
  return from_bits(e, bits);
}

LLVMValueRef mr_emit_widen(mr_emit *e, mr_dtype dtype, LLVMValueRef v) {
  switch (dtype) {
  case MR_F32:
  case MR_F64: return v;
  case MR_F16: return LL(BuildFPExt)(e->b, v, e->engine->f32, "");
  case MR_BF16: return widen_bf16(e, v);
  case MR_F8E8M0FNU: return widen_e8m0(e, v);
  default: return widen_format(e, &formats[dtype], v);
  }
}

LLVMValueRef mr_emit_widen_operand(mr_emit *e, mr_dtype dtype, mr_lv operand) {
  return e->wide[operand] ? e->wide[operand] : mr_emit_widen(e, dtype, e->values[operand]);
}

void mr_emit_keep_wide(mr_emit *e, const mr_loop_instr *in, LLVMValueRef wide) {
  if (mr_dtype_is_float((mr_dtype)in->dtype) && mr_dtype_bits((mr_dtype)in->dtype) < 32) {
    e->wide[in - e->p->instrs] = wide;
  }
}

// ---- f32 to narrow ----------------------------------------------------------------------------------------------------

// a plus half of the last kept place, or just under half when that place is even: truncating then rounds to even.
static LLVMValueRef add_half_even(mr_emit *e, LLVMValueRef a, unsigned drop) {
  LLVMValueRef last = LL(BuildAnd)(e->b, LL(BuildLShr)(e->b, a, i32(e, drop), ""), i32(e, 1), "");
  LLVMValueRef sum = LL(BuildAdd)(e->b, a, i32(e, (1u << (drop - 1)) - 1), "");
  return LL(BuildAdd)(e->b, sum, last, "");
}

static LLVMValueRef high_half(mr_emit *e, LLVMValueRef bits) {
  return LL(BuildTrunc)(e->b, LL(BuildLShr)(e->b, bits, i32(e, 16), ""), e->engine->i16, "");
}

// The number's bits in the upper half.
static LLVMValueRef round_bf16(mr_emit *e, LLVMValueRef v) {
  LLVMValueRef bits = to_bits(e, v), nan = LL(BuildFCmp)(e->b, LLVMRealUNO, v, v, "");
  return choose(e, nan, LL(BuildOr)(e->b, bits, i32(e, 0x400000), ""), add_half_even(e, bits, 16));
}

static LLVMValueRef narrow_bf16(mr_emit *e, LLVMValueRef v) { return high_half(e, round_bf16(e, v)); }

// Of a NaN that is an operand or the processor's own the lower half is zero, and adding half a unit leaves it a NaN.
static bool keeps_nan(mr_op_kind kind) { return mr_op_outcome_of(kind) == MR_OUTCOME_ARITHMETIC; }

LLVMValueRef mr_emit_result(mr_emit *e, const mr_loop_instr *in, LLVMValueRef v, bool exact) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  if (exact) {
    mr_emit_keep_wide(e, in, v);
  }
  if (dtype != MR_BF16) {
    return mr_emit_narrow(e, dtype, v);
  }
  LLVMValueRef bits = to_bits(e, v);
  if (!exact) {
    bits = keeps_nan((mr_op_kind)in->kind) ? add_half_even(e, bits, 16) : round_bf16(e, v);
    mr_emit_keep_wide(e, in, from_bits(e, LL(BuildAnd)(e->b, bits, i32(e, 0xFFFF0000), "")));
  }
  return high_half(e, bits);
}

// Powers of two alone; halves round up; zero, negative, infinite and NaN have no code but NaN's.
static LLVMValueRef narrow_e8m0(mr_emit *e, LLVMValueRef v) {
  LLVMValueRef bits = to_bits(e, v);
  LLVMValueRef code = LL(BuildLShr)(e->b, LL(BuildAdd)(e->b, bits, i32(e, 0x400000), ""), i32(e, 23), "");
  LLVMValueRef tiny = LL(BuildZExt)(e->b, above(e, bits, 0x5FFFFF), e->engine->i32, "");
  code = choose(e, above(e, bits, 0x7FFFFF), code, tiny);
  LLVMValueRef outside = LL(BuildOr)(e->b, above(e, bits, 0x7F7FFFFF), equals(e, bits, 0), "");
  return LL(BuildTrunc)(e->b, choose(e, outside, i32(e, 0xFF), code), e->engine->i8, "");
}

static LLVMValueRef narrow_format_code(mr_emit *e, const narrow_format *f, LLVMValueRef magnitude) {
  unsigned drop = 23 - f->mantissa_bits;
  LLVMValueRef normal = LL(BuildLShr)(e->b, add_half_even(e, magnitude, drop), i32(e, drop), "");
  normal = LL(BuildSub)(e->b, normal, i32(e, (127 - f->bias) << f->mantissa_bits), "");
  // Below the smallest normal: count subnormal steps; adding 2^23 rounds to an integer and leaves it in the low bits.
  LLVMValueRef scale = LL(ConstReal)(e->engine->f32, power_of_two((int)f->bias - 1 + (int)f->mantissa_bits));
  LLVMValueRef steps = LL(BuildFMul)(e->b, from_bits(e, magnitude), scale, "");
  LLVMValueRef sum = LL(BuildFAdd)(e->b, steps, LL(ConstReal)(e->engine->f32, 8388608.0), "");
  LLVMValueRef small = LL(BuildSub)(e->b, to_bits(e, sum), i32(e, 0x4B000000), "");
  LLVMValueRef code = choose(e, above(e, magnitude, ((128 - f->bias) << 23) - 1), normal, small);
  return choose(e, above(e, code, f->max_code), i32(e, f->overflow_code), code);
}

static LLVMValueRef narrow_to_format(mr_emit *e, const narrow_format *f, LLVMValueRef v) {
  assert(f->exponent_bits);  // as in widen_format
  unsigned width = f->exponent_bits + f->mantissa_bits;
  LLVMValueRef bits = to_bits(e, v);
  LLVMValueRef magnitude = LL(BuildAnd)(e->b, bits, i32(e, 0x7FFFFFFF), "");
  LLVMValueRef code = narrow_format_code(e, f, magnitude);
  LLVMValueRef nan = above(e, magnitude, 0x7F800000);
  LLVMValueRef sign = LL(BuildAnd)(e->b, LL(BuildLShr)(e->b, bits, i32(e, 31 - width), ""), i32(e, 1u << width), "");
  if (f->fnuz) {
    LLVMValueRef plain = LL(BuildOr)(e->b, equals(e, code, 0), equals(e, code, 0x80), "");
    code = choose(e, plain, code, LL(BuildOr)(e->b, code, sign, ""));
    code = choose(e, nan, i32(e, 0x80), code);
  } else {
    code = choose(e, nan, i32(e, f->nan_code), code);
    code = LL(BuildOr)(e->b, code, sign, "");
  }
  return LL(BuildTrunc)(e->b, code, e->engine->i8, "");
}

// f64 to f32 with rounding to odd: when inexact the last bit is set, so that rounding again, to something at least two
// bits narrower, rounds as if it were the first time.
static LLVMValueRef round_to_odd(mr_emit *e, LLVMValueRef v) {
  LLVMValueRef narrow = LL(BuildFPTrunc)(e->b, v, e->engine->f32, "");
  LLVMValueRef back = LL(BuildFPExt)(e->b, narrow, e->engine->f64, "");
  LLVMValueRef bits = to_bits(e, narrow);
  LLVMValueRef exact = LL(BuildFCmp)(e->b, LLVMRealUEQ, back, v, "");  // NaN counts as exact
  LLVMValueRef odd = LL(BuildTrunc)(e->b, bits, e->engine->i1, "");
  LLVMValueRef abs_back = mr_emit_intrinsic(e, "llvm.fabs", e->engine->f64, &back, 1);
  LLVMValueRef abs_v = mr_emit_intrinsic(e, "llvm.fabs", e->engine->f64, &v, 1);
  LLVMValueRef less = LL(BuildFCmp)(e->b, LLVMRealOLT, abs_back, abs_v, "");
  LLVMValueRef step = choose(e, less, i32(e, 1), i32(e, UINT32_MAX));
  LLVMValueRef keep = LL(BuildOr)(e->b, exact, odd, "");
  LLVMValueRef moved = LL(BuildAdd)(e->b, bits, step, "");
  return from_bits(e, choose(e, keep, bits, moved));
}

LLVMValueRef mr_emit_narrow(mr_emit *e, mr_dtype dtype, LLVMValueRef v) {
  bool wide = LL(TypeOf)(v) == e->engine->f64;
  if (dtype == MR_F64) {
    return wide ? v : LL(BuildFPExt)(e->b, v, e->engine->f64, "");
  }
  if (dtype == MR_F32) {
    return wide ? LL(BuildFPTrunc)(e->b, v, e->engine->f32, "") : v;
  }
  if (wide) {
    v = round_to_odd(e, v);
  }
  switch (dtype) {
  case MR_F16: return LL(BuildFPTrunc)(e->b, v, e->engine->f16, "");
  case MR_BF16: return narrow_bf16(e, v);
  case MR_F8E8M0FNU: return narrow_e8m0(e, v);
  default: return narrow_to_format(e, &formats[dtype], v);
  }
}

// ---- reduce_precision -------------------------------------------------------------------------------------------------

typedef struct wide_format {
  LLVMTypeRef ints, floats;
  unsigned mantissa, exponent;
} wide_format;

static LLVMValueRef drop_mantissa(mr_emit *e, const wide_format *w, unsigned mantissa, LLVMValueRef bits) {
  if (mantissa >= w->mantissa) {
    return bits;
  }
  unsigned drop = w->mantissa - mantissa;
  LLVMValueRef last = LL(BuildLShr)(e->b, bits, mr_emit_int(w->ints, drop), "");
  last = LL(BuildAnd)(e->b, last, mr_emit_int(w->ints, 1), "");
  LLVMValueRef sum = LL(BuildAdd)(e->b, bits, mr_emit_int(w->ints, ((uint64_t)1 << (drop - 1)) - 1), "");
  sum = LL(BuildAdd)(e->b, sum, last, "");
  return LL(BuildAnd)(e->b, sum, mr_emit_int(w->ints, ~(((uint64_t)1 << drop) - 1)), "");
}

// Exponents above the narrow range become infinity, below it a zero of the same sign.
static LLVMValueRef limit_exponent(mr_emit *e, const wide_format *w, unsigned exponent, LLVMValueRef bits) {
  if (exponent >= w->exponent) {
    return bits;
  }
  uint64_t sign_bit = (uint64_t)1 << (w->mantissa + w->exponent);
  uint64_t bias = ((uint64_t)1 << (w->exponent - 1)) - 1, narrow_bias = ((uint64_t)1 << (exponent - 1)) - 1;
  uint64_t infinity = (((uint64_t)1 << w->exponent) - 1) << w->mantissa;
  LLVMValueRef magnitude = LL(BuildAnd)(e->b, bits, mr_emit_int(w->ints, sign_bit - 1), "");
  LLVMValueRef sign = LL(BuildAnd)(e->b, bits, mr_emit_int(w->ints, sign_bit), "");
  LLVMValueRef first_inf = mr_emit_int(w->ints, (bias + narrow_bias + 1) << w->mantissa);
  LLVMValueRef first_normal = mr_emit_int(w->ints, (bias - narrow_bias + 1) << w->mantissa);
  LLVMValueRef over = LL(BuildICmp)(e->b, LLVMIntUGE, magnitude, first_inf, "");
  LLVMValueRef under = LL(BuildICmp)(e->b, LLVMIntULT, magnitude, first_normal, "");
  bits = choose(e, over, LL(BuildOr)(e->b, sign, mr_emit_int(w->ints, infinity), ""), bits);
  return choose(e, under, sign, bits);
}

LLVMValueRef mr_emit_reduce_precision(mr_emit *e, mr_dtype dtype, unsigned exponent, unsigned mantissa,
                                      LLVMValueRef v) {
  bool wide = dtype == MR_F64;
  wide_format w = {wide ? e->engine->i64 : e->engine->i32, wide ? e->engine->f64 : e->engine->f32, wide ? 52 : 23,
                   wide ? 11 : 8};
  if (exponent == 0 || exponent > 11 || mantissa > 52) {
    mr_emit_fail(e, mr_error(MR_INVALID_ARGUMENT, "reduce_precision to e%um%u", exponent, mantissa));
    return v;
  }
  LLVMValueRef x = mr_emit_widen(e, dtype, v);
  LLVMValueRef bits = LL(BuildBitCast)(e->b, x, w.ints, "");
  bits = limit_exponent(e, &w, exponent, drop_mantissa(e, &w, mantissa, bits));
  LLVMValueRef reduced = LL(BuildBitCast)(e->b, bits, w.floats, "");
  LLVMValueRef nan = LL(BuildFCmp)(e->b, LLVMRealUNO, x, x, "");
  return mr_emit_narrow(e, dtype, choose(e, nan, x, reduced));
}
