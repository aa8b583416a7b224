// elf_loader: places a relocatable ELF64 object in executable memory and resolves it. Objects come from LLVM and from
// disk, so every offset and size is checked against the object before it is used.
//
// Threads: any. Ownership: the code belongs to the caller (mr_code_free).
//
//   mr_code_block code;
//   void *entry;
//   MR_TRY(mr_elf_load(object, "kernel", &code, &entry));
#ifndef MR_COMPILER_CODEGEN_ELF_LOADER_H
#define MR_COMPILER_CODEGEN_ELF_LOADER_H

#include "compiler/codegen/code_pool.h"

mr_status mr_elf_load(mr_span object, const char *symbol, mr_code_block *out_code, void **out_entry) MR_WARN_UNUSED;

// Functions kernels may call by name; NULL when unknown.
void *mr_elf_external(const char *name);

#endif
