// emit_frame: the loops and branches around the instruction that is being emitted. Private to compiler/codegen.
//
// Threads and errors: the emit's. Ownership: frames are an array of the emit, one for each open scope; what they point to is
// LLVM's.
#ifndef MR_COMPILER_CODEGEN_EMIT_FRAME_H
#define MR_COMPILER_CODEGEN_EMIT_FRAME_H

#include "compiler/codegen/emit.h"

typedef struct mr_emit_frame {
  mr_loop_code code;  // FOR, IF, ELSE, WHILE or DO
  const mr_loop_instr *in;
  LLVMBasicBlockRef body, after, header;
  LLVMBasicBlockRef outer;  // of a WHILE that stops: looks at the token
  LLVMValueRef rounds;      // likewise: until it does
  LLVMValueRef index, end;
  LLVMMetadataRef group;  // of an independent FOR
  // What the vectoriser is advised by, of a FOR's own instructions.
  uint32_t calls_before;  // element functions copied when it began
  bool has_inner, has_if, sets_variable, streams, irregular, has_f16;
  size_t narrowest;      // bytes of the smallest element read or written
  int64_t inner_rounds;  // of the FORs inside, all together
  bool inner_unknown;
} mr_emit_frame;

static inline void mr_emit_set_node(mr_emit *e, LLVMValueRef instr, unsigned kind, LLVMMetadataRef node) {
  LL(SetMetadata)(instr, kind, LL(MetadataAsValue)(e->engine->context, node));
}

// ---- Blocks, loops and branches (emit_loop.c) ------------------------------------------------------------------------------
LLVMBasicBlockRef mr_emit_new_block(mr_emit *e);
void mr_emit_go(mr_emit *e, LLVMBasicBlockRef block);  // what comes next is at its end
LLVMValueRef mr_emit_entry_alloca(mr_emit *e, LLVMTypeRef type, unsigned align);
// A loop that is made by hand: a frame, an access group or NULL, and what is around its body. The caller takes the frame off again.
mr_emit_frame *mr_emit_push(mr_emit *e, mr_loop_code code, const mr_loop_instr *in);
LLVMMetadataRef mr_emit_next_group(mr_emit *e);
LLVMValueRef mr_emit_begin_loop(mr_emit *e, mr_emit_frame *f, LLVMValueRef from, LLVMValueRef to);
void mr_emit_end_loop(mr_emit *e, mr_emit_frame *f, int64_t step, uint32_t flags);
// The instructions of that name.
void mr_emit_for(mr_emit *e, uint32_t number, const mr_loop_instr *in);
void mr_emit_if(mr_emit *e, const mr_loop_instr *in);
void mr_emit_else(mr_emit *e);
void mr_emit_while(mr_emit *e, const mr_loop_instr *in);
void mr_emit_do(mr_emit *e, const mr_loop_instr *in);
void mr_emit_end(mr_emit *e);
// The innermost FOR around; NULL: there is none.
mr_emit_frame *mr_emit_innermost_for(mr_emit *e);

// ---- Advice for the vectoriser (emit_advice.c) ----------------------------------------------------------------------------
// A load or store is noted in the innermost FOR.
void mr_emit_note_access(mr_emit *e, const mr_loop_instr *in);
// How often bodies run in a FOR and in the FORs inside of it; 0 when that is not known.
int64_t mr_emit_rounds_of(const mr_emit *e, const mr_emit_frame *f);
// All that was noted becomes the metadata of the loop's last branch; `flags` are those of the FOR.
void mr_emit_set_loop_metadata(mr_emit *e, LLVMValueRef branch, uint32_t flags, const mr_emit_frame *f);

#endif
