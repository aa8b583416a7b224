// target: which machine and which code generator made a kernel, found without loading LLVM. Private to compiler/codegen.
//
// Threads: any; found once, on the first call.
#ifndef MR_COMPILER_CODEGEN_TARGET_H
#define MR_COMPILER_CODEGEN_TARGET_H

#include "core/core.h"

// Seeds every kernel's key: the target string, MR_CODEGEN_VERSION, the content of the element functions, and the build,
// because a program's hash is made of numbers (of ops, of instructions) that mean something else in another build.
mr_hash128 mr_target_seed(void);
// The linker's build ID of this library, borrowed for ever; empty when it was linked without.
mr_span mr_codegen_build_id(void);
// MILLRACE_CPU: an LLVM CPU name ("haswell") to generate for instead of this machine; NULL when unset.
const char *mr_target_cpu(void);
// FAILED_PRECONDITION when that one has instructions that this machine lacks, which are named; INVALID_ARGUMENT when LLVM knows
// none of that name. `host_features`: what LLVM says of this machine.
struct mr_llvm_engine;
mr_status mr_target_check(struct mr_llvm_engine *engine, const char *host_features) MR_WARN_UNUSED;
// Whether that was the answer; false before it was asked.
bool mr_target_is_refused(void);

#endif
