// llvm_api: the LLVM-C functions we use, opened lazily. Nothing links against LLVM, and a process whose kernels are all
// in the cache never loads it.
//
// Threads: mr_llvm_open from any thread; afterwards mr_llvm is read-only. LLVM objects belong to one engine at a time.
//
//   MR_TRY(mr_llvm_open());
//   LLVMContextRef context = LL(ContextCreate)();
#ifndef MR_COMPILER_CODEGEN_LLVM_API_H
#define MR_COMPILER_CODEGEN_LLVM_API_H

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "core/core.h"

// FN(name without the LLVM prefix)
#define MR_LLVM_FUNCTIONS(FN)                                                                                          \
  /* targets */                                                                                                        \
  FN(InitializeX86TargetInfo)                                                                                          \
  FN(InitializeX86Target) FN(InitializeX86TargetMC) FN(InitializeX86AsmPrinter) FN(InitializeX86AsmParser)             \
      FN(ParseCommandLineOptions) FN(GetTargetFromTriple) FN(GetDefaultTargetTriple) FN(GetHostCPUName)                \
          FN(GetHostCPUFeatures) FN(CreateTargetMachine) FN(DisposeTargetMachine) FN(TargetMachineEmitToMemoryBuffer)  \
              FN(CreateTargetDataLayout) FN(CopyStringRepOfTargetData)                                                 \
                  FN(DisposeTargetData) /* messages and buffers */                                                     \
      FN(DisposeMessage) FN(GetErrorMessage) FN(DisposeErrorMessage) FN(CreateMemoryBufferWithMemoryRange)             \
          FN(GetBufferStart) FN(GetBufferSize) FN(DisposeMemoryBuffer) FN(ContextSetDiagnosticHandler)                 \
              FN(GetDiagInfoDescription) FN(GetDiagInfoSeverity) /* passes */                                          \
      FN(RunPasses) FN(CreatePassBuilderOptions) FN(DisposePassBuilderOptions) FN(PassBuilderOptionsSetVerifyEach)     \
          FN(PassBuilderOptionsSetLoopInterleaving) FN(PassBuilderOptionsSetLoopVectorization)                         \
              FN(PassBuilderOptionsSetLoopUnrolling) /* contexts and modules */                                        \
      FN(ContextCreate) FN(ContextDispose) FN(ModuleCreateWithNameInContext) FN(DisposeModule) FN(SetTarget)           \
          FN(SetDataLayout) FN(PrintModuleToString) FN(ParseBitcodeInContext2) FN(ParseIRInContext) FN(VerifyModule)   \
              FN(GetNamedFunction) FN(AddFunction) FN(GetNamedGlobal) FN(AddGlobal) FN(GetNamedMetadataOperands)       \
                  FN(GetNamedMetadataNumOperands) FN(ContextSetDiscardValueNames) /* types */                          \
      FN(Int1TypeInContext) FN(IntTypeInContext) FN(HalfTypeInContext) FN(FloatTypeInContext) FN(DoubleTypeInContext)  \
          FN(VoidTypeInContext) FN(PointerTypeInContext) FN(FunctionType) FN(ArrayType2) FN(TypeOf) FN(GetTypeKind)    \
              FN(GetReturnType) FN(GetElementType) FN(GetVectorSize) FN(GetIntTypeWidth) /* values */                  \
      FN(ConstInt) FN(ConstReal) FN(ConstNull) FN(ConstAllOnes) FN(GetUndef) FN(GetParam) FN(CountParams)              \
          FN(IsConstant) FN(GetValueName2) FN(SetValueName2) FN(GlobalGetValueType) FN(GetIntrinsicID)                 \
              FN(GetInitializer) FN(SetInitializer) FN(SetGlobalConstant) FN(IsGlobalConstant) FN(SetLinkage)          \
                  FN(GetAlignment) FN(SetAlignment) FN(SetUnnamedAddress) FN(IsAGlobalVariable) FN(IsAFunction)        \
                      FN(IsAInstruction) FN(IsAConstantExpr) FN(IsABasicBlock) FN(GetNumOperands) FN(GetOperand)       \
                          FN(SetOperand) FN(IsDeclaration) FN(ValueAsMetadata) /* instructions read and copied */      \
      FN(GetFirstBasicBlock) FN(GetNextBasicBlock) FN(CountBasicBlocks) FN(GetFirstInstruction) FN(GetNextInstruction) \
          FN(GetInstructionOpcode) FN(InstructionClone) FN(InsertIntoBuilder) FN(GetCalledValue) FN(GetNumArgOperands) \
              FN(CountIncoming) FN(GetIncomingValue) FN(GetIncomingBlock) FN(AddIncoming) FN(IsConditional)            \
                  FN(GetCondition) FN(GetSuccessor) FN(GetNumSuccessors) FN(GetSwitchDefaultDest)                      \
                      FN(ValueAsBasicBlock) FN(BasicBlockAsValue) FN(GetBasicBlockTerminator) FN(GetBasicBlockParent)  \
                          FN(GetInstructionParent) FN(GetAllocatedType) FN(GetCalledFunctionType) FN(GetMetadata)      \
                              FN(GetEntryBasicBlock) /* metadata and attributes */                                     \
      FN(GetMDKindIDInContext) FN(MDNodeInContext2) FN(MDStringInContext2) FN(MetadataAsValue) FN(SetMetadata)         \
          FN(GetMDNodeNumOperands) FN(GetMDNodeOperands) FN(TemporaryMDNode) FN(MetadataReplaceAllUsesWith)            \
              FN(GetEnumAttributeKindForName) FN(CreateEnumAttribute) FN(CreateStringAttribute)                        \
                  FN(AddAttributeAtIndex) /* building */                                                               \
      FN(CreateBuilderInContext) FN(DisposeBuilder) FN(PositionBuilderAtEnd) FN(PositionBuilderBefore)                 \
          FN(GetInsertBlock) FN(AppendBasicBlockInContext) FN(BuildRetVoid) FN(BuildBr) FN(BuildCondBr) FN(BuildPhi)   \
              FN(BuildAlloca) FN(BuildLoad2) FN(BuildStore) FN(BuildInBoundsGEP2) FN(BuildCall2) FN(BuildMemCpy)       \
                  FN(BuildMemSet) FN(SetFastMathFlags) FN(SetNSW) FN(SetNUW) FN(SetNNeg) FN(GetIntrinsicDeclaration)   \
                      FN(LookupIntrinsicID) FN(BuildAdd) FN(BuildSub) FN(BuildMul) FN(BuildUDiv) FN(BuildSDiv)         \
                          FN(BuildURem) FN(BuildSRem) FN(BuildAnd) FN(BuildOr) FN(BuildXor) FN(BuildNot) FN(BuildNeg)  \
                              FN(BuildShl) FN(BuildLShr) FN(BuildAShr) FN(BuildFAdd) FN(BuildFSub) FN(BuildFMul)       \
                                  FN(BuildFDiv) FN(BuildFNeg) FN(BuildICmp) FN(BuildFCmp) FN(BuildSelect)              \
                                      FN(BuildTrunc) FN(BuildZExt) FN(BuildSExt) FN(BuildFPTrunc) FN(BuildFPExt)       \
                                          FN(BuildSIToFP) FN(BuildUIToFP) FN(BuildFPToSI) FN(BuildFPToUI)              \
                                              FN(BuildBitCast) FN(BuildFreeze) FN(GetInlineAsm)                        \
                                                  FN(InstructionEraseFromParent)

typedef struct mr_llvm_table {
#define MR_LLVM_FIELD(name) __typeof__(&LLVM##name) name;
  MR_LLVM_FUNCTIONS(MR_LLVM_FIELD)
#undef MR_LLVM_FIELD
} mr_llvm_table;

extern mr_llvm_table mr_llvm;
#define LL(name) (*mr_llvm.name)

// Opens libLLVM 19 once per process. UNAVAILABLE when there is none, naming what was tried.
mr_status mr_llvm_open(void) MR_WARN_UNUSED;
bool mr_llvm_is_open(void);

#endif
