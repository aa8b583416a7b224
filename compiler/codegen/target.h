// target: which machine and which code generator made a kernel, found without loading LLVM. Private to compiler/codegen.
#ifndef MR_COMPILER_CODEGEN_TARGET_H
#define MR_COMPILER_CODEGEN_TARGET_H

#include "core/core.h"

// Seeds every kernel's key: the target string, MR_CODEGEN_VERSION and the content of the element functions.
mr_hash128 mr_target_seed(void);
// MILLRACE_CPU: an LLVM CPU name ("haswell") to generate for instead of this machine; NULL when unset.
const char *mr_target_cpu(void);

#endif
