// object: a loop program to an ELF object in memory, through LLVM. Private to compiler/codegen.
//
// Threads: any; each call takes an engine of its own. Ownership: the object's data is the caller's, until mr_free. Errors: those of
// the engine, and UNIMPLEMENTED that names an operation without code.
#ifndef MR_COMPILER_CODEGEN_OBJECT_H
#define MR_COMPILER_CODEGEN_OBJECT_H

#include "compiler/loops/loops.h"

typedef struct mr_object {
  void *data;  // owned
  size_t size;
} mr_object;

// `name` is used for MILLRACE_DUMP's files.
mr_status mr_codegen_object(const mr_loop_program *program, const char *name, mr_object *out_object) MR_WARN_UNUSED;

#endif
