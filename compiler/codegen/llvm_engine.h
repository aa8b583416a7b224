// llvm_engine: what LLVM needs over and over: a context, a target machine, the parsed element functions. One compile borrows
// one engine; as many exist as compiles ever ran at once. Private to compiler/codegen.
//
//   mr_llvm_engine *engine;
//   MR_TRY(mr_llvm_engine_take(&engine));
//   ...
//   mr_llvm_engine_put(engine);
//
// Threads: take and put from any thread; in between an engine is its taker's alone. Ownership: put takes it back, also after a
// failure. Errors: UNAVAILABLE without LLVM, INTERNAL where it does not know the machine, CANCELLED when the process ends.
#ifndef MR_COMPILER_CODEGEN_LLVM_ENGINE_H
#define MR_COMPILER_CODEGEN_LLVM_ENGINE_H

#include "compiler/codegen/llvm_api.h"

#define MR_LLVM_ENGINE_GROUPS 64
#define MR_LLVM_ENGINE_STREAM_GROUP (MR_LLVM_ENGINE_GROUPS - 1)  // marks streaming stores, see emit_stream.c
#define MR_LLVM_ENGINE_AHEAD_GROUP (MR_LLVM_ENGINE_GROUPS - 2)   // and loads that go on, see emit_ahead.c
#define MR_LLVM_ENGINE_MARKS MR_LLVM_ENGINE_AHEAD_GROUP          // the first of them

typedef struct mr_llvm_engine mr_llvm_engine;
struct mr_llvm_engine {
  mr_llvm_engine *next;  // in the pool
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMTargetMachineRef machine;        // code generation at the default level
  LLVMTargetMachineRef quick_machine;  // at level none: a third of the time, see mr_codegen_object
  LLVMPassBuilderOptionsRef options;
  char *layout, *triple;
  bool has_streams;       // stores can go past the caches
  bool has_masks;         // the machine can mask any vector access
  LLVMModuleRef element;  // parsed when a kernel first calls an element function
  LLVMTypeRef i1, i8, i16, i32, i64, f16, f32, f64, ptr, none;
  unsigned md_alias_scope, md_noalias, md_access_group, md_loop, md_invariant_load, md_align, md_nontemporal, md_prof,
      md_nonnull;
  LLVMMetadataRef groups[MR_LLVM_ENGINE_GROUPS];  // distinct access groups, used over again by every kernel
  uint32_t uses;  // a context keeps every constant and type it made, so an engine retires after some kernels
};

mr_status mr_llvm_engine_take(mr_llvm_engine **out_engine) MR_WARN_UNUSED;
void mr_llvm_engine_put(mr_llvm_engine *take_engine);
// The element functions' module, or an error when the bitcode cannot be parsed.
mr_status mr_llvm_engine_element(mr_llvm_engine *engine) MR_WARN_UNUSED;

LLVMMetadataRef mr_llvm_engine_md_string(mr_llvm_engine *engine, const char *text);
LLVMMetadataRef mr_llvm_engine_md_node(mr_llvm_engine *engine, LLVMMetadataRef *items, size_t count);
LLVMMetadataRef mr_llvm_engine_md_int(mr_llvm_engine *engine, LLVMTypeRef type, uint64_t value);

// ops/element/*.c as bitcode, embedded by the build.
extern const unsigned char mr_element_bitcode[];
extern const uint64_t mr_element_bitcode_size;

#endif
