// The loops and branches of a kernel.
//
// Loops come out rotated, with a preheader and an exit of their own, so that few passes have anything to tidy up. A loop
// marked independent gets an access group: the vectoriser then needs no run-time checks and may assume that iterations
// do not meet in memory.
#include "compiler/codegen/emit.h"
#include "compiler/codegen/emit_frame.h"
#include "compiler/codegen/tuning.h"
#include "core/stop.h"

// ---- Blocks -----------------------------------------------------------------------------------------------------------

LLVMBasicBlockRef mr_emit_new_block(mr_emit *e) {
  return LL(AppendBasicBlockInContext)(e->engine->context, e->function, "");
}

void mr_emit_go(mr_emit *e, LLVMBasicBlockRef block) { LL(PositionBuilderAtEnd)(e->b, block); }

// Allocas belong in the entry block, where SROA looks for them.
LLVMValueRef mr_emit_entry_alloca(mr_emit *e, LLVMTypeRef type, unsigned align) {
  LLVMBasicBlockRef here = LL(GetInsertBlock)(e->b);
  LLVMValueRef first = LL(GetFirstInstruction)(e->entry);
  if (first) {
    LL(PositionBuilderBefore)(e->b, first);
  } else {
    mr_emit_go(e, e->entry);
  }
  LLVMValueRef slot = LL(BuildAlloca)(e->b, type, "");
  if (align) {
    LL(SetAlignment)(slot, align);
  }
  mr_emit_go(e, here);
  return slot;
}

// ---- Loops and branches -----------------------------------------------------------------------------------------------

LLVMMetadataRef mr_emit_next_group(mr_emit *e) {
  return e->next_group < MR_LLVM_ENGINE_MARKS ? e->engine->groups[e->next_group++] : NULL;
}

static void set_likely(mr_emit *e, LLVMValueRef branch) {
  LLVMMetadataRef items[3] = {mr_llvm_engine_md_string(e->engine, "branch_weights"),
                              mr_llvm_engine_md_int(e->engine, e->engine->i32, 2000),
                              mr_llvm_engine_md_int(e->engine, e->engine->i32, 1)};
  mr_emit_set_node(e, branch, e->engine->md_prof, mr_llvm_engine_md_node(e->engine, items, 3));
}

mr_emit_frame *mr_emit_push(mr_emit *e, mr_loop_code code, const mr_loop_instr *in) {
  mr_emit_frame *outer = mr_emit_innermost_for(e), *f = &e->frames[e->depth++];
  if (outer && (code == MR_L_FOR || code == MR_L_WHILE)) {
    outer->has_inner = true;
  }
  if (outer && code == MR_L_IF) {
    outer->has_if = true;
  }
  if (outer && code == MR_L_WHILE) {
    outer->inner_unknown = true;
  }
  *f = (mr_emit_frame){.code = code, .in = in, .calls_before = e->calls};
  return f;
}

LLVMValueRef mr_emit_begin_loop(mr_emit *e, mr_emit_frame *f, LLVMValueRef from, LLVMValueRef to) {
  LLVMBasicBlockRef preheader = mr_emit_new_block(e);
  f->body = mr_emit_new_block(e);
  f->after = mr_emit_new_block(e);
  f->end = to;
  LLVMValueRef enters = LL(BuildICmp)(e->b, LLVMIntSLT, from, to, "");
  LL(BuildCondBr)(e->b, enters, preheader, f->after);
  mr_emit_go(e, preheader);
  LL(BuildBr)(e->b, f->body);
  mr_emit_go(e, f->body);
  f->index = LL(BuildPhi)(e->b, e->engine->i64, "");
  LL(AddIncoming)(f->index, &from, &preheader, 1);
  return f->index;
}

void mr_emit_end_loop(mr_emit *e, mr_emit_frame *f, int64_t step, uint32_t flags) {
  LLVMBasicBlockRef latch = LL(GetInsertBlock)(e->b), exit = mr_emit_new_block(e);
  LLVMValueRef next = LL(BuildAdd)(e->b, f->index, mr_emit_int(e->engine->i64, (uint64_t)step), "");
  mr_emit_set_nsw(next);
  LL(AddIncoming)(f->index, &next, &latch, 1);
  LLVMValueRef again = LL(BuildICmp)(e->b, LLVMIntSLT, next, f->end, "");
  LLVMValueRef branch = LL(BuildCondBr)(e->b, again, f->body, exit);
  mr_emit_set_loop_metadata(e, branch, flags, f);
  mr_emit_go(e, exit);
  LL(BuildBr)(e->b, f->after);
  mr_emit_go(e, f->after);
}

void mr_emit_for(mr_emit *e, uint32_t number, const mr_loop_instr *in) {
  mr_emit_frame *f = mr_emit_push(e, MR_L_FOR, in);
  if (in->flags & MR_L_INDEPENDENT) {
    f->group = mr_emit_next_group(e);
  }
  e->values[number] = mr_emit_begin_loop(e, f, e->values[in->a], e->values[in->b]);
}

void mr_emit_if(mr_emit *e, const mr_loop_instr *in) {
  mr_emit_frame *f = mr_emit_push(e, MR_L_IF, in);
  f->body = mr_emit_new_block(e);
  f->header = mr_emit_new_block(e);  // the other side; falls through to `after` when there is no ELSE
  f->after = mr_emit_new_block(e);
  LLVMValueRef branch = LL(BuildCondBr)(e->b, e->values[in->a], f->body, f->header);
  if (in->flags & MR_L_LIKELY) {
    set_likely(e, branch);
  }
  mr_emit_go(e, f->body);
}

void mr_emit_else(mr_emit *e) {
  mr_emit_frame *f = &e->frames[e->depth - 1];
  LL(BuildBr)(e->b, f->after);
  f->code = MR_L_ELSE;
  mr_emit_go(e, f->header);
}

// How often a loop's body runs each time that the loop is reached; a guess where the bounds are no constants.
static double rounds_of(const mr_loop_program *p, const mr_loop_instr *loop) {
  const mr_loop_instr *from = &p->instrs[loop->a], *to = &p->instrs[loop->b];
  bool known = loop->code == MR_L_FOR && from->code == MR_L_CONST && to->code == MR_L_CONST;
  return known ? MR_MAX((double)((int64_t)to->imm - (int64_t)from->imm) / (double)(int64_t)loop->imm, 1.0)
               : MR_EMIT_UNKNOWN_ROUNDS;
}

// Instructions of one round, those of inner loops as often as these run.
static double work_of_round(const mr_loop_program *p, const mr_loop_instr *loop) {
  double often[MR_L_SCOPES + 1] = {1}, work = 0;
  uint32_t depth = 0;
  for (const mr_loop_instr *in = loop + 1; in < p->instrs + p->num_instrs; in++) {
    work += often[depth];
    if (in->code == MR_L_FOR || in->code == MR_L_WHILE || in->code == MR_L_IF) {
      often[depth + 1] = often[depth] * (in->code == MR_L_IF ? 1 : rounds_of(p, in));
      depth++;
    } else if (in->code == MR_L_END && depth-- == 0) {
      break;
    }
  }
  return work;
}

// One that stops is two loops, one in the other, so that what looks at the stop token is not in the way of what is kept in registers over many
// rounds: the outer one looks, the inner one makes so many rounds between two looks.
void mr_emit_while(mr_emit *e, const mr_loop_instr *in) {
  mr_emit_frame *f = mr_emit_push(e, MR_L_WHILE, in);
  f->header = mr_emit_new_block(e);
  if (!(in->flags & MR_L_STOPS)) {
    LL(BuildBr)(e->b, f->header);
    mr_emit_go(e, f->header);
    return;
  }
  f->outer = mr_emit_new_block(e);
  f->rounds = mr_emit_entry_alloca(e, e->engine->i32, 0);
  LL(BuildBr)(e->b, f->outer);
  mr_emit_go(e, f->outer);
  uint64_t rounds =
      (uint64_t)MR_MIN(MR_EMIT_WORK_UNLOOKED / work_of_round(e->p, in) + 1, (double)MR_EMIT_ROUNDS_UNLOOKED);
  LL(BuildStore)(e->b, mr_emit_int(e->engine->i32, rounds), f->rounds);
  LL(BuildBr)(e->b, f->header);
  mr_emit_go(e, f->header);
}

static LLVMValueRef token_field(mr_emit *e, size_t offset) {
  LLVMValueRef at = mr_emit_int(e->engine->i64, offset);
  return LL(BuildInBoundsGEP2)(e->b, e->engine->i8, LL(GetParam)(e->function, 1), &at, 1, "");
}

// volatile: other threads write it, and it is to be read each time.
static LLVMValueRef word_is_asked(mr_emit *e, size_t offset) {
  LLVMValueRef word = LL(BuildLoad2)(e->b, e->engine->ptr, token_field(e, offset), "");
  LLVMValueRef reason = LL(BuildLoad2)(e->b, e->engine->i64, word, "");
  LL(SetVolatile)(reason, 1);
  return LL(BuildICmp)(e->b, LLVMIntUGT, reason, mr_emit_int(e->engine->i64, MR_STOP_NEVER), "");
}

// At the end of a round.
static void end_while(mr_emit *e, const mr_emit_frame *f) {
  if (!f->outer) {
    LL(BuildBr)(e->b, f->header);
    mr_emit_go(e, f->after);
    return;
  }
  LLVMBasicBlockRef look = mr_emit_new_block(e), cut = mr_emit_new_block(e);
  LLVMValueRef left = LL(BuildLoad2)(e->b, e->engine->i32, f->rounds, "");
  left = LL(BuildSub)(e->b, left, mr_emit_int(e->engine->i32, 1), "");
  LL(BuildStore)(e->b, left, f->rounds);
  LLVMValueRef more = LL(BuildICmp)(e->b, LLVMIntNE, left, mr_emit_int(e->engine->i32, 0), "");
  set_likely(e, LL(BuildCondBr)(e->b, more, f->header, look));
  mr_emit_go(e, look);
  LLVMValueRef run = word_is_asked(e, offsetof(mr_stop_token, run)),
               all = word_is_asked(e, offsetof(mr_stop_token, all));
  LLVMValueRef goes_on = LL(BuildNot)(e->b, LL(BuildOr)(e->b, run, all, ""), "");
  set_likely(e, LL(BuildCondBr)(e->b, goes_on, f->outer, cut));
  mr_emit_go(e, cut);
  LLVMValueRef said =
      LL(BuildStore)(e->b, mr_emit_int(e->engine->i32, 1), token_field(e, offsetof(mr_stop_token, cut)));
  LL(SetVolatile)(said, 1);
  LL(BuildBr)(e->b, f->after);
  mr_emit_go(e, f->after);
}

void mr_emit_do(mr_emit *e, const mr_loop_instr *in) {
  mr_emit_frame *f = &e->frames[e->depth - 1];
  f->code = MR_L_DO;
  f->body = mr_emit_new_block(e);
  f->after = mr_emit_new_block(e);
  LL(BuildCondBr)(e->b, e->values[in->a], f->body, f->after);
  mr_emit_go(e, f->body);
}

static void end_for(mr_emit *e, mr_emit_frame *f) {
  mr_emit_end_loop(e, f, (int64_t)f->in->imm, f->in->flags);
  int64_t rounds = mr_emit_rounds_of(e, f);
  e->depth--;
  mr_emit_frame *outer = mr_emit_innermost_for(e);
  e->depth++;
  if (!outer) {
    return;
  }
  outer->inner_rounds += rounds;
  outer->inner_unknown = outer->inner_unknown || !rounds;
}

static void end_if(mr_emit *e, const mr_emit_frame *f) {
  if (f->code == MR_L_IF) {  // without ELSE
    LL(BuildBr)(e->b, f->after);
    mr_emit_go(e, f->header);
  }
  LL(BuildBr)(e->b, f->after);
  mr_emit_go(e, f->after);
}

// A WHILE is a DO by now.
void mr_emit_end(mr_emit *e) {
  mr_emit_frame *f = &e->frames[e->depth - 1];
  if (f->code == MR_L_FOR) {
    end_for(e, f);
  } else if (f->code == MR_L_DO) {
    end_while(e, f);
  } else {
    end_if(e, f);
  }
  e->depth--;
}
