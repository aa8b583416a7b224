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
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "core/core.h"

typedef struct mr_llvm_table {
#define FN(name) __typeof__(&LLVM##name) name;
#include "compiler/codegen/llvm_functions.def"
} mr_llvm_table;

extern mr_llvm_table mr_llvm;
#define LL(name) (*mr_llvm.name)

// Opens libLLVM 19 once per process. UNAVAILABLE when there is none, naming what was tried.
mr_status mr_llvm_open(void) MR_WARN_UNUSED;
bool mr_llvm_is_open(void);

#endif
