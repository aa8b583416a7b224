// Types, constants and intrinsics: how each element type is held in registers and in memory.
#include <string.h>

#include "compiler/codegen/emit.h"

LLVMTypeRef mr_emit_type(const mr_llvm_engine *engine, mr_dtype dtype) {
  switch (dtype) {
  case MR_PRED: return engine->i1;
  case MR_F16: return engine->f16;
  case MR_F32: return engine->f32;
  case MR_F64: return engine->f64;
  default: break;  // integers, and floats as their bits: by their size
  }
  switch (mr_dtype_bytes(dtype)) {
  case 2: return engine->i16;
  case 4: return engine->i32;
  case 8: return engine->i64;
  default: return engine->i8;
  }
}

LLVMTypeRef mr_emit_memory_type(const mr_llvm_engine *engine, mr_dtype dtype) {
  return dtype == MR_PRED ? engine->i8 : mr_emit_type(engine, dtype);
}

static LLVMTypeRef bits_type(const mr_llvm_engine *engine, mr_dtype dtype) {
  return mr_dtype_bytes(dtype) == 2 ? engine->i16 : mr_dtype_bytes(dtype) == 4 ? engine->i32 : engine->i64;
}

LLVMValueRef mr_emit_const(const mr_llvm_engine *engine, mr_dtype dtype, uint64_t bits) {
  LLVMTypeRef type = mr_emit_type(engine, dtype);
  unsigned width = mr_dtype_bits(dtype);
  if (dtype == MR_PRED) {
    return mr_emit_int(engine->i1, bits & 1);
  }
  if (dtype == MR_F16 || dtype == MR_F32 || dtype == MR_F64) {
    return LL(BuildBitCast)(engine->builder, mr_emit_int(bits_type(engine, dtype), bits), type, "");
  }
  if (width < 64) {
    bits &= ((uint64_t)1 << width) - 1;
  }
  if (width < 8 && mr_dtype_is_signed(dtype)) {
    bits = (uint64_t)((int64_t)(bits << (64 - width)) >> (64 - width));
  }
  return mr_emit_int(type, bits);
}

LLVMValueRef mr_emit_intrinsic(mr_emit *e, const char *name, LLVMTypeRef type, LLVMValueRef *args, unsigned count) {
  unsigned id = LL(LookupIntrinsicID)(name, strlen(name));
  LLVMValueRef declaration = LL(GetIntrinsicDeclaration)(e->module, id, &type, 1);
  return LL(BuildCall2)(e->b, LL(GlobalGetValueType)(declaration), declaration, args, count, "");
}

LLVMValueRef mr_emit_first(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v) {
  (void)e;
  (void)in;
  return v[0];
}

void mr_emit_set_nsw(LLVMValueRef v) {
  if (LL(IsAInstruction)(v)) {
    LL(SetNSW)(v, 1);
  }
}

LLVMValueRef mr_emit_coded(mr_emit *e, const mr_loop_instr *in, const mr_emit_code *code, LLVMValueRef *v) {
  if (code->by) {
    return code->by(e, in, v);
  }
  if (code->intrinsic) {
    unsigned count = (unsigned)mr_op_table[in->kind].operands;
    return mr_emit_intrinsic(e, code->intrinsic, LL(TypeOf)(v[0]), v, count);
  }
  if (code->one) {
    return (*code->one)(e->b, v[0], "");
  }
  LLVMValueRef result = code->two ? (*code->two)(e->b, v[0], v[1], "") : NULL;
  if (code->no_overflow) {
    mr_emit_set_nsw(result);
  }
  return result;
}

LLVMValueRef mr_emit_normalize(mr_emit *e, mr_dtype dtype, LLVMValueRef v) {
  unsigned width = mr_dtype_bits(dtype);
  if (width >= 8 || dtype == MR_PRED) {
    return v;
  }
  LLVMValueRef shift = mr_emit_int(e->engine->i8, 8 - width);
  LLVMValueRef up = LL(BuildShl)(e->b, v, shift, "");
  return mr_dtype_is_signed(dtype) ? LL(BuildAShr)(e->b, up, shift, "") : LL(BuildLShr)(e->b, up, shift, "");
}
