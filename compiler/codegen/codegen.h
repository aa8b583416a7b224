// codegen: loop programs to machine code, and the kernel cache.
//
// Threads: mr_kernel_compile may be called from many threads at once; equal programs compile once.
// Ownership: a kernel is counted; its code lives as long as it does.
#ifndef MR_COMPILER_CODEGEN_CODEGEN_H
#define MR_COMPILER_CODEGEN_CODEGEN_H

#include "compiler/loops/loops.h"
#include "core/stop.h"

typedef void (*mr_kernel_fn)(void *const *buffers, mr_stop_token *stop, int64_t begin, int64_t end);

typedef struct mr_kernel mr_kernel;

// Environment: MILLRACE_CACHE_DIR, MILLRACE_CACHE_LIMIT_MB (512), and MILLRACE_DUMP=folder, which writes each compiled
// kernel's loops, LLVM IR before and after the passes, and assembly. MILLRACE_CPU generates for another CPU by its name, which
// FAILED_PRECONDITION refuses where this machine lacks its instructions.

// From memory, from disk (MILLRACE_CACHE_DIR, default $XDG_CACHE_HOME/millrace or ~/.cache/millrace; empty: none), or by
// LLVM. INTERNAL with the program's text when code generation fails, UNAVAILABLE when libLLVM cannot be opened.
mr_status mr_kernel_compile(const mr_loop_program *program, mr_kernel **out_kernel) MR_WARN_UNUSED;
void mr_kernel_release(mr_kernel *kernel);
mr_kernel_fn mr_kernel_function(const mr_kernel *kernel);
size_t mr_kernel_code_bytes(const mr_kernel *kernel);
// What it is known by in the cache, and the object file it was loaded from (borrowed): what a serialized executable keeps.
mr_hash128 mr_kernel_key(const mr_kernel *kernel);
mr_span mr_kernel_object(const mr_kernel *kernel);
// Puts a kernel that was made elsewhere into the cache in memory, where compiling its program finds it; gives the one that
// is there already if there is one. The caller sees to it that it was made by this build for this machine,
// and that it is trusted: it is code.
mr_status mr_kernel_preload(mr_hash128 key, mr_span object, mr_kernel **out_kernel) MR_WARN_UNUSED;
// Equal for a library of the same build on the same kind of machine: seeds every kernel's key.
mr_hash128 mr_codegen_identity(void);
// "AVX-512 znver5, LLVM 19.1.7": part of cache keys and shown to people.
const char *mr_codegen_target(void);

// Lets go of every kernel that nobody uses. Until then they are kept for who compiles the same program again, as long as there
// is not too much code in all.
void mr_kernels_trim(void);
// After a program was compiled or freed: some seconds after the last one, what is kept of it goes back to the system.
void mr_codegen_tidy_later(void);

typedef struct mr_codegen_stats {
  uint64_t memory_hits, disk_hits, compiled, compile_ns;
  uint64_t looked_at;        // kernels in memory, to see whether they are in use
  uint64_t files_looked_at;  // on disk, to see how much they take
} mr_codegen_stats;
mr_codegen_stats mr_codegen_stats_now(void);

#endif
