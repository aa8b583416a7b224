// Streaming stores. A result that does not fit the caches is written past them: without non-temporal stores each line is
// first read from memory (x + 1 on 16M f32: 0.58 ns an element, 0.40 with them).
//
// They need aligned addresses, which are known only when the kernel runs, and LLVM's vectoriser refuses them for
// unaligned ones. So after vectorising each marked vector store becomes inline assembly with both forms and a test in
// front, always taken the same way. Non-temporal stores are ordered with nothing: a fence ends the kernel.
#include <stdio.h>
#include <string.h>

#include "compiler/codegen/emit.h"
#include "core/processor/processor.h"

bool mr_emit_is_in_group(mr_llvm_engine *e, LLVMValueRef access, int group) {
  LLVMValueRef node = LL(GetMetadata)(access, e->md_access_group), items[66];
  if (!node) {
    return false;
  }
  unsigned count = LL(GetMDNodeNumOperands)(node);
  if (!count) {
    return LL(ValueAsMetadata)(node) == e->groups[group];
  }
  if (count > MR_ARRAY_SIZE(items)) {
    return false;
  }
  LL(GetMDNodeOperands)(node, items);
  for (unsigned i = 0; i < count; i++) {
    if (LL(ValueAsMetadata)(items[i]) == e->groups[group]) {
      return true;
    }
  }
  return false;
}

unsigned mr_emit_vector_bytes(LLVMTypeRef type) {
  if (LL(GetTypeKind)(type) != LLVMVectorTypeKind) {
    return 0;
  }
  LLVMTypeRef element = LL(GetElementType)(type);
  unsigned bytes = 0;
  switch (LL(GetTypeKind)(element)) {
  case LLVMIntegerTypeKind: bytes = LL(GetIntTypeWidth)(element) / 8; break;
  case LLVMHalfTypeKind: bytes = 2; break;
  case LLVMFloatTypeKind: bytes = 4; break;
  case LLVMDoubleTypeKind: bytes = 8; break;
  default: break;
  }
  return bytes * LL(GetVectorSize)(type);
}

static void replace(mr_llvm_engine *e, LLVMValueRef store, unsigned bytes) {
  LLVMValueRef value = LL(GetOperand)(store, 0), where = LL(GetOperand)(store, 1), args[2] = {where, value};
  LLVMTypeRef params[2] = {e->ptr, LL(TypeOf)(value)};
  LLVMTypeRef type = LL(FunctionType)(e->none, params, 2, 0);
  char text[160], constraints[] = "r,v,~{memory},~{flags},~{dirflag},~{fpsr}";
  snprintf(text, sizeof text, MR_PROCESSOR_LLVM_STREAM_STORE, bytes - 1);
  LLVMValueRef code =
      LL(GetInlineAsm)(type, text, strlen(text), constraints, strlen(constraints), 1, 0, LLVMInlineAsmDialectATT, 0);
  LL(PositionBuilderBefore)(e->builder, store);
  LL(BuildCall2)(e->builder, type, code, args, 2, "");
  LL(InstructionEraseFromParent)(store);
}

static void add_fence(mr_llvm_engine *e, LLVMModuleRef module, LLVMValueRef ret) {
  LLVMTypeRef type = LL(FunctionType)(e->none, NULL, 0, 0);
  LLVMValueRef fence = LL(GetNamedFunction)(module, MR_PROCESSOR_LLVM_STREAM_FENCE);
  if (!fence) {
    fence = LL(AddFunction)(module, MR_PROCESSOR_LLVM_STREAM_FENCE, type);
  }
  LL(PositionBuilderBefore)(e->builder, ret);
  LL(BuildCall2)(e->builder, type, fence, NULL, 0, "");
}

static bool replace_in(mr_llvm_engine *e, LLVMBasicBlockRef block) {
  bool any = false;
  for (LLVMValueRef in = LL(GetFirstInstruction)(block), next; in; in = next) {
    next = LL(GetNextInstruction)(in);
    if (LL(GetInstructionOpcode)(in) != LLVMStore) {
      continue;
    }
    unsigned bytes = mr_emit_vector_bytes(LL(TypeOf)(LL(GetOperand)(in, 0)));
    if ((bytes != 16 && bytes != 32 && bytes != 64) || !mr_emit_is_in_group(e, in, MR_LLVM_ENGINE_STREAM_GROUP)) {
      continue;
    }
    replace(e, in, bytes);
    any = true;
  }
  return any;
}

void mr_emit_streams(mr_llvm_engine *engine, LLVMModuleRef module) {
  LLVMValueRef function = LL(GetNamedFunction)(module, "kernel");
  bool any = false;
  for (LLVMBasicBlockRef b = LL(GetFirstBasicBlock)(function); b; b = LL(GetNextBasicBlock)(b)) {
    any = replace_in(engine, b) || any;
  }
  for (LLVMBasicBlockRef b = LL(GetFirstBasicBlock)(function); b && any; b = LL(GetNextBasicBlock)(b)) {
    LLVMValueRef end = LL(GetBasicBlockTerminator)(b);
    if (LL(GetInstructionOpcode)(end) == LLVMRet) {
      add_fence(engine, module, end);
    }
  }
}
