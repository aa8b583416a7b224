// The frame of a kernel: entry, buffers, loops, branches, variables, loads and stores.
//
// Loops come out rotated, with a preheader and an exit of their own, so that few passes have anything to tidy up. A loop
// marked independent gets an access group: the vectoriser then needs no run-time checks and may assume that iterations
// do not meet in memory. Distinct buffers are told apart by scoped-noalias metadata.
#include "compiler/codegen/emit.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "compiler/codegen/emit_frame.h"
#include "compiler/codegen/tuning.h"
#include "core/stop.h"

void mr_emit_fail(mr_emit *e, mr_status take_status) { e->status = mr_status_join(e->status, take_status); }

static LLVMBasicBlockRef new_block(mr_emit *e) {
  return LL(AppendBasicBlockInContext)(e->engine->context, e->function, "");
}

static void go(mr_emit *e, LLVMBasicBlockRef block) { LL(PositionBuilderAtEnd)(e->b, block); }

static LLVMValueRef as_value(mr_emit *e, LLVMMetadataRef node) { return LL(MetadataAsValue)(e->engine->context, node); }

static void set_nsw(LLVMValueRef v) {
  if (LL(IsAInstruction)(v)) {
    LL(SetNSW)(v, 1);
  }
}

// ---- Memory accesses --------------------------------------------------------------------------------------------------

// Every access lies in the groups of all the independent loops around it; one with a mark (0: none) in one more, which is how
// it is known again after vectorising.
static void set_groups(mr_emit *e, LLVMValueRef instr, int mark) {
  LLVMMetadataRef groups[65];
  size_t count = 0;
  if (mark) {
    groups[count++] = e->engine->groups[mark];
  }
  for (uint32_t i = 0; i < e->depth; i++) {
    if (e->frames[i].group) {
      groups[count++] = e->frames[i].group;
    }
  }
  if (count == 1) {
    mr_emit_set_node(e, instr, e->engine->md_access_group, groups[0]);
  }
  if (count > 1) {
    mr_emit_set_node(e, instr, e->engine->md_access_group, mr_llvm_engine_md_node(e->engine, groups, count));
  }
}

static void set_scopes(mr_emit *e, LLVMValueRef instr, mr_lbuf buffer) {
  if (e->scope_lists[buffer]) {
    LL(SetMetadata)(instr, e->engine->md_alias_scope, e->scope_lists[buffer]);
  }
  if (e->noalias_lists[buffer]) {
    LL(SetMetadata)(instr, e->engine->md_noalias, e->noalias_lists[buffer]);
  }
}

static LLVMValueRef address(mr_emit *e, mr_lbuf buffer, LLVMValueRef index) {
  LLVMTypeRef type = mr_emit_memory_type(e->engine, (mr_dtype)e->p->buffers[buffer].dtype);
  return LL(BuildInBoundsGEP2)(e->b, type, e->bases[buffer], &index, 1, "");
}

static bool read_only(const mr_loop_buffer *buffer) {
  return !(buffer->flags & (MR_L_WRITE | MR_L_MAY_ALIAS | MR_L_LOCAL));
}

static LLVMValueRef emit_load(mr_emit *e, const mr_loop_instr *in) {
  mr_emit_note_access(e, in);
  mr_dtype dtype = (mr_dtype)in->dtype;
  LLVMValueRef where = address(e, in->buffer, e->values[in->a]);
  LLVMValueRef v = LL(BuildLoad2)(e->b, mr_emit_memory_type(e->engine, dtype), where, "");
  set_scopes(e, v, in->buffer);
  set_groups(e, v, in->flags & MR_L_AHEAD ? MR_LLVM_ENGINE_AHEAD_GROUP : 0);
  if (read_only(&e->p->buffers[in->buffer])) {
    mr_emit_set_node(e, v, e->engine->md_invariant_load, mr_llvm_engine_md_node(e->engine, NULL, 0));
  }
  if (dtype == MR_PRED) {
    return LL(BuildICmp)(e->b, LLVMIntNE, v, mr_emit_int(e->engine->i8, 0), "");
  }
  return mr_emit_normalize(e, dtype, v);
}

static LLVMValueRef memory_value(mr_emit *e, mr_dtype dtype, LLVMValueRef v) {
  if (mr_dtype_is_narrow(dtype) && mr_dtype_is_signed(dtype)) {
    return LL(BuildAnd)(e->b, v, mr_emit_int(e->engine->i8, (UINT64_C(1) << mr_dtype_bits(dtype)) - 1), "");
  }
  return dtype == MR_PRED ? LL(BuildZExt)(e->b, v, e->engine->i8, "") : v;
}

static void store_value(mr_emit *e, mr_lbuf buffer, LLVMValueRef index, LLVMValueRef value, uint32_t flags) {
  mr_dtype dtype = (mr_dtype)e->p->buffers[buffer].dtype;
  LLVMValueRef held = memory_value(e, dtype, value);
  LLVMValueRef store = LL(BuildStore)(e->b, held, address(e, buffer, index));
  set_scopes(e, store, buffer);
  set_groups(e, store, flags & MR_L_STREAM ? MR_LLVM_ENGINE_STREAM_GROUP : 0);
}

// Allocas belong in the entry block, where SROA looks for them.
static LLVMValueRef entry_alloca(mr_emit *e, LLVMTypeRef type, unsigned align) {
  LLVMBasicBlockRef here = LL(GetInsertBlock)(e->b);
  LLVMValueRef first = LL(GetFirstInstruction)(e->entry);
  if (first) {
    LL(PositionBuilderBefore)(e->b, first);
  } else {
    go(e, e->entry);
  }
  LLVMValueRef slot = LL(BuildAlloca)(e->b, type, "");
  if (align) {
    LL(SetAlignment)(slot, align);
  }
  go(e, here);
  return slot;
}

// ---- Loops ------------------------------------------------------------------------------------------------------------

static LLVMMetadataRef next_group(mr_emit *e) {
  return e->next_group < MR_LLVM_ENGINE_MARKS ? e->engine->groups[e->next_group++] : NULL;
}

static void set_likely(mr_emit *e, LLVMValueRef branch) {
  LLVMMetadataRef items[3] = {mr_llvm_engine_md_string(e->engine, "branch_weights"),
                              mr_llvm_engine_md_int(e->engine, e->engine->i32, 2000),
                              mr_llvm_engine_md_int(e->engine, e->engine->i32, 1)};
  mr_emit_set_node(e, branch, e->engine->md_prof, mr_llvm_engine_md_node(e->engine, items, 3));
}

static mr_emit_frame *push(mr_emit *e, mr_loop_code code, const mr_loop_instr *in) {
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

static LLVMValueRef begin_loop(mr_emit *e, mr_emit_frame *f, LLVMValueRef from, LLVMValueRef to) {
  LLVMBasicBlockRef preheader = new_block(e);
  f->body = new_block(e);
  f->after = new_block(e);
  f->end = to;
  LLVMValueRef enters = LL(BuildICmp)(e->b, LLVMIntSLT, from, to, "");
  LL(BuildCondBr)(e->b, enters, preheader, f->after);
  go(e, preheader);
  LL(BuildBr)(e->b, f->body);
  go(e, f->body);
  f->index = LL(BuildPhi)(e->b, e->engine->i64, "");
  LL(AddIncoming)(f->index, &from, &preheader, 1);
  return f->index;
}

static void end_loop(mr_emit *e, mr_emit_frame *f, int64_t step, uint32_t flags) {
  LLVMBasicBlockRef latch = LL(GetInsertBlock)(e->b), exit = new_block(e);
  LLVMValueRef next = LL(BuildAdd)(e->b, f->index, mr_emit_int(e->engine->i64, (uint64_t)step), "");
  set_nsw(next);
  LL(AddIncoming)(f->index, &next, &latch, 1);
  LLVMValueRef again = LL(BuildICmp)(e->b, LLVMIntSLT, next, f->end, "");
  LLVMValueRef branch = LL(BuildCondBr)(e->b, again, f->body, exit);
  mr_emit_set_loop_metadata(e, branch, flags, f);
  go(e, exit);
  LL(BuildBr)(e->b, f->after);
  go(e, f->after);
}

static void emit_for(mr_emit *e, uint32_t number, const mr_loop_instr *in) {
  mr_emit_frame *f = push(e, MR_L_FOR, in);
  if (in->flags & MR_L_INDEPENDENT) {
    f->group = next_group(e);
  }
  e->values[number] = begin_loop(e, f, e->values[in->a], e->values[in->b]);
}

static void emit_if(mr_emit *e, const mr_loop_instr *in) {
  mr_emit_frame *f = push(e, MR_L_IF, in);
  f->body = new_block(e);
  f->header = new_block(e);  // the other side; falls through to `after` when there is no ELSE
  f->after = new_block(e);
  LLVMValueRef branch = LL(BuildCondBr)(e->b, e->values[in->a], f->body, f->header);
  if (in->flags & MR_L_LIKELY) {
    set_likely(e, branch);
  }
  go(e, f->body);
}

static void emit_else(mr_emit *e) {
  mr_emit_frame *f = &e->frames[e->depth - 1];
  LL(BuildBr)(e->b, f->after);
  f->code = MR_L_ELSE;
  go(e, f->header);
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
static void emit_while(mr_emit *e, const mr_loop_instr *in) {
  mr_emit_frame *f = push(e, MR_L_WHILE, in);
  f->header = new_block(e);
  if (!(in->flags & MR_L_STOPS)) {
    LL(BuildBr)(e->b, f->header);
    go(e, f->header);
    return;
  }
  f->outer = new_block(e);
  f->rounds = entry_alloca(e, e->engine->i32, 0);
  LL(BuildBr)(e->b, f->outer);
  go(e, f->outer);
  uint64_t rounds =
      (uint64_t)MR_MIN(MR_EMIT_WORK_UNLOOKED / work_of_round(e->p, in) + 1, (double)MR_EMIT_ROUNDS_UNLOOKED);
  LL(BuildStore)(e->b, mr_emit_int(e->engine->i32, rounds), f->rounds);
  LL(BuildBr)(e->b, f->header);
  go(e, f->header);
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
    go(e, f->after);
    return;
  }
  LLVMBasicBlockRef look = new_block(e), cut = new_block(e);
  LLVMValueRef left = LL(BuildLoad2)(e->b, e->engine->i32, f->rounds, "");
  left = LL(BuildSub)(e->b, left, mr_emit_int(e->engine->i32, 1), "");
  LL(BuildStore)(e->b, left, f->rounds);
  LLVMValueRef more = LL(BuildICmp)(e->b, LLVMIntNE, left, mr_emit_int(e->engine->i32, 0), "");
  set_likely(e, LL(BuildCondBr)(e->b, more, f->header, look));
  go(e, look);
  LLVMValueRef run = word_is_asked(e, offsetof(mr_stop_token, run)),
               all = word_is_asked(e, offsetof(mr_stop_token, all));
  LLVMValueRef goes_on = LL(BuildNot)(e->b, LL(BuildOr)(e->b, run, all, ""), "");
  set_likely(e, LL(BuildCondBr)(e->b, goes_on, f->outer, cut));
  go(e, cut);
  LLVMValueRef said =
      LL(BuildStore)(e->b, mr_emit_int(e->engine->i32, 1), token_field(e, offsetof(mr_stop_token, cut)));
  LL(SetVolatile)(said, 1);
  LL(BuildBr)(e->b, f->after);
  go(e, f->after);
}

static void emit_do(mr_emit *e, const mr_loop_instr *in) {
  mr_emit_frame *f = &e->frames[e->depth - 1];
  f->code = MR_L_DO;
  f->body = new_block(e);
  f->after = new_block(e);
  LL(BuildCondBr)(e->b, e->values[in->a], f->body, f->after);
  go(e, f->body);
}

static void end_for(mr_emit *e, mr_emit_frame *f) {
  end_loop(e, f, (int64_t)f->in->imm, f->in->flags);
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

static void emit_end(mr_emit *e) {
  mr_emit_frame *f = &e->frames[e->depth - 1];
  switch (f->code) {
  case MR_L_FOR: end_for(e, f); break;
  case MR_L_DO: end_while(e, f); break;
  case MR_L_IF:
    LL(BuildBr)(e->b, f->after);
    go(e, f->header);
    LL(BuildBr)(e->b, f->after);
    go(e, f->after);
    break;
  default:  // ELSE: WHILE ends in DO
    LL(BuildBr)(e->b, f->after);
    go(e, f->after);
    break;
  }
  e->depth--;
}

// ---- Fill and copy ----------------------------------------------------------------------------------------------------

static LLVMValueRef bytes_of(mr_emit *e, mr_dtype dtype, LLVMValueRef elements) {
  LLVMValueRef size = mr_emit_int(e->engine->i64, mr_dtype_bytes(dtype));
  LLVMValueRef bytes = LL(BuildMul)(e->b, elements, size, "");
  set_nsw(bytes);
  return bytes;
}

static bool const_is_zero(const mr_loop_program *p, mr_lv v) {
  return p->instrs[v].code == MR_L_CONST && p->instrs[v].imm == 0;
}

// The range may be empty or, where a caller computed it so, negative: both write nothing.
static LLVMValueRef clamp_count(mr_emit *e, LLVMValueRef count) {
  LLVMValueRef args[2] = {count, mr_emit_int(e->engine->i64, 0)};
  return mr_emit_intrinsic(e, "llvm.smax", e->engine->i64, args, 2);
}

static void emit_fill(mr_emit *e, const mr_loop_instr *in) {
  mr_dtype dtype = (mr_dtype)e->p->buffers[in->buffer].dtype;
  LLVMValueRef from = e->values[in->a], to = e->values[in->b], value = e->values[in->c];
  if (mr_dtype_bytes(dtype) == 1 || const_is_zero(e->p, in->c)) {
    LLVMValueRef byte = mr_dtype_bytes(dtype) == 1 ? memory_value(e, dtype, value) : mr_emit_int(e->engine->i8, 0);
    LLVMValueRef count = LL(BuildSub)(e->b, to, from, "");
    set_nsw(count);
    LLVMValueRef where = address(e, in->buffer, from);
    LLVMValueRef set =
        LL(BuildMemSet)(e->b, where, byte, bytes_of(e, dtype, clamp_count(e, count)), (unsigned)mr_dtype_bytes(dtype));
    set_scopes(e, set, in->buffer);
    return;
  }
  mr_emit_frame *f = push(e, MR_L_FOR, in);
  f->group = next_group(e);
  f->narrowest = mr_dtype_bytes(dtype);
  LLVMValueRef i = begin_loop(e, f, from, to);
  store_value(e, in->buffer, i, value, in->flags);
  end_loop(e, f, 1, 0);
  e->depth--;
}

static void emit_copy(mr_emit *e, const mr_loop_instr *in) {
  mr_dtype dtype = (mr_dtype)e->p->buffers[in->buffer].dtype;
  unsigned align = (unsigned)mr_dtype_bytes(dtype);
  LLVMValueRef to = address(e, in->buffer, e->values[in->a]);
  LLVMValueRef from = address(e, in->buffer2, e->values[in->b]);
  LLVMValueRef bytes = bytes_of(e, dtype, clamp_count(e, e->values[in->c]));
  LL(BuildMemCpy)(e->b, to, align, from, align, bytes);
}

// ---- Instructions -----------------------------------------------------------------------------------------------------

static LLVMValueRef emit_index(mr_emit *e, const mr_loop_instr *in) {
  LLVMValueRef ab[2] = {e->values[in->a], e->values[in->b]}, v = NULL;
  switch (in->kind) {
  case MR_OP_add: v = LL(BuildAdd)(e->b, ab[0], ab[1], ""); break;
  case MR_OP_subtract: v = LL(BuildSub)(e->b, ab[0], ab[1], ""); break;
  case MR_OP_multiply: v = LL(BuildMul)(e->b, ab[0], ab[1], ""); break;
  case MR_OP_divide: return LL(BuildUDiv)(e->b, ab[0], ab[1], "");
  case MR_OP_remainder: return LL(BuildURem)(e->b, ab[0], ab[1], "");
  case MR_OP_minimum: return mr_emit_intrinsic(e, "llvm.smin", e->engine->i64, ab, 2);
  // The seventh: check_index in compiler/loops/check_loops.c lets no other through.
  default: assert(in->kind == MR_OP_maximum); return mr_emit_intrinsic(e, "llvm.smax", e->engine->i64, ab, 2);
  }
  set_nsw(v);
  return v;
}

// A narrow float lives in its variable as f32, exactly: then a maximum over a loop is one the vectoriser knows.
static bool held_wide(mr_dtype dtype) { return mr_dtype_is_float(dtype) && mr_dtype_bits(dtype) < 32; }

static LLVMTypeRef variable_type(mr_emit *e, mr_dtype dtype) {
  return held_wide(dtype) ? e->engine->f32 : mr_emit_type(e->engine, dtype);
}

static LLVMValueRef held_value(mr_emit *e, mr_dtype dtype, mr_lv v) {
  return held_wide(dtype) ? mr_emit_widen_operand(e, dtype, v) : e->values[v];
}

static void emit_var(mr_emit *e, uint32_t number, const mr_loop_instr *in) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  e->values[number] = entry_alloca(e, variable_type(e, dtype), 0);
  LL(BuildStore)(e->b, held_value(e, dtype, in->a), e->values[number]);
}

static void emit_get(mr_emit *e, uint32_t number, const mr_loop_instr *in) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  LLVMValueRef held = LL(BuildLoad2)(e->b, variable_type(e, dtype), e->values[in->a], "");
  e->values[number] = held_wide(dtype) ? mr_emit_narrow(e, dtype, held) : held;
  e->wide[number] = held_wide(dtype) ? held : NULL;
}

static void emit_set(mr_emit *e, const mr_loop_instr *in) {
  mr_emit_frame *f = mr_emit_innermost_for(e);
  // A variable made inside the loop is a temporary of one iteration.
  if (f && in->a < (uint32_t)(f->in - e->p->instrs)) {
    f->sets_variable = true;
  }
  LL(BuildStore)(e->b, held_value(e, (mr_dtype)in->dtype, in->b), e->values[in->a]);
}

static void emit_instr(mr_emit *e, uint32_t number, const mr_loop_instr *in) {
  switch ((mr_loop_code)in->code) {
  case MR_L_NOP:
  case MR_L_CONST:
  case MR_L_BEGIN:
  case MR_L_FINISH: break;  // made in the entry
  case MR_L_INDEX: e->values[number] = emit_index(e, in); break;
  case MR_L_ELEMENT: e->values[number] = mr_emit_element(e, in); break;
  case MR_L_LOAD: e->values[number] = emit_load(e, in); break;
  case MR_L_STORE:
    mr_emit_note_access(e, in);
    store_value(e, in->buffer, e->values[in->a], e->values[in->b], in->flags);
    break;
  case MR_L_FOR: emit_for(e, number, in); break;
  case MR_L_IF: emit_if(e, in); break;
  case MR_L_ELSE: emit_else(e); break;
  case MR_L_WHILE: emit_while(e, in); break;
  case MR_L_DO: emit_do(e, in); break;
  case MR_L_END: emit_end(e); break;
  case MR_L_VAR: emit_var(e, number, in); break;
  case MR_L_GET: emit_get(e, number, in); break;
  case MR_L_SET: emit_set(e, in); break;
  case MR_L_FILL: emit_fill(e, in); break;
  case MR_L_COPY: emit_copy(e, in); break;
  }
}

// ---- The function -----------------------------------------------------------------------------------------------------

static LLVMMetadataRef buffer_scope(mr_emit *e, uint32_t i, LLVMMetadataRef domain) {
  char name[24];
  snprintf(name, sizeof name, e->p->buffers[i].flags & MR_L_MAY_ALIAS ? "shared" : "b%u", i);
  LLVMMetadataRef pair[2] = {mr_llvm_engine_md_string(e->engine, name), domain};
  return mr_llvm_engine_md_node(e->engine, pair, 2);
}

// Each buffer is a scope of its own; those that may alias share one. `noalias` lists every scope but one's own.
static void make_scopes(mr_emit *e) {
  uint32_t count = e->p->num_buffers;
  LLVMMetadataRef *scopes = mr_alloc_zeroed(count + 1, sizeof *scopes);
  LLVMMetadataRef *others = mr_alloc_zeroed(count + 1, sizeof *others);
  if (scopes && others) {
    LLVMMetadataRef name = mr_llvm_engine_md_string(e->engine, "kernel"),
                    domain = mr_llvm_engine_md_node(e->engine, &name, 1);
    for (uint32_t i = 0; i < count; i++) {
      scopes[i] = buffer_scope(e, i, domain);
    }
    for (uint32_t i = 0; i < count; i++) {
      size_t used = 0;
      for (uint32_t j = 0; j < count; j++) {
        if (scopes[j] != scopes[i]) {
          others[used++] = scopes[j];
        }
      }
      e->scope_lists[i] = as_value(e, mr_llvm_engine_md_node(e->engine, &scopes[i], 1));
      if (used) {
        e->noalias_lists[i] = as_value(e, mr_llvm_engine_md_node(e->engine, others, used));
      }
    }
  } else {
    mr_emit_fail(e, MR_NO_MEMORY());
  }
  mr_free(scopes);
  mr_free(others);
}

static LLVMValueRef load_base(mr_emit *e, uint32_t i) {
  LLVMValueRef number = mr_emit_int(e->engine->i64, i);
  LLVMValueRef slot = LL(BuildInBoundsGEP2)(e->b, e->engine->ptr, LL(GetParam)(e->function, 0), &number, 1, "");
  LLVMValueRef base = LL(BuildLoad2)(e->b, e->engine->ptr, slot, "");
  mr_emit_set_node(e, base, e->engine->md_invariant_load, mr_llvm_engine_md_node(e->engine, NULL, 0));
  return base;
}

static void make_bases(mr_emit *e) {
  uint64_t local_bytes = 0;
  for (uint32_t i = 0; i < e->p->num_buffers; i++) {
    const mr_loop_buffer *buffer = &e->p->buffers[i];
    if (i < e->p->num_params) {
      e->bases[i] = load_base(e, i);
      continue;
    }
    local_bytes += (uint64_t)buffer->count * mr_dtype_bytes((mr_dtype)buffer->dtype);
    if (buffer->count > MR_LOCAL_MAX_BYTES || local_bytes > MR_LOCAL_MAX_BYTES) {
      mr_emit_fail(e, mr_error(MR_RESOURCE_EXHAUSTED, "kernel locals take over %d bytes", MR_LOCAL_MAX_BYTES));
      return;
    }
    LLVMTypeRef element = mr_emit_memory_type(e->engine, (mr_dtype)buffer->dtype);
    e->bases[i] = entry_alloca(e, LL(ArrayType2)(element, (uint64_t)buffer->count), 64);
  }
}

static void make_scopeless(mr_emit *e) {
  for (uint32_t i = 1; i < e->p->num_instrs; i++) {
    const mr_loop_instr *in = &e->p->instrs[i];
    switch ((mr_loop_code)in->code) {
    case MR_L_CONST: e->values[i] = mr_emit_const(e->engine, (mr_dtype)in->dtype, in->imm); break;
    case MR_L_BEGIN: e->values[i] = LL(GetParam)(e->function, 2); break;
    case MR_L_FINISH: e->values[i] = LL(GetParam)(e->function, 3); break;
    default: break;
    }
  }
}

static void add_attribute(mr_emit *e, LLVMAttributeIndex where, const char *name) {
  unsigned kind = LL(GetEnumAttributeKindForName)(name, strlen(name));
  LL(AddAttributeAtIndex)(e->function, where, LL(CreateEnumAttribute)(e->engine->context, kind, 0));
}

static void add_string_attribute(mr_emit *e, const char *name, const char *value) {
  LLVMAttributeRef attribute =
      LL(CreateStringAttribute)(e->engine->context, name, (unsigned)strlen(name), value, (unsigned)strlen(value));
  LL(AddAttributeAtIndex)(e->function, LLVMAttributeFunctionIndex, attribute);
}

static void create_function(mr_emit *e) {
  LLVMTypeRef params[4] = {e->engine->ptr, e->engine->ptr, e->engine->i64, e->engine->i64};
  e->function = LL(AddFunction)(e->module, "kernel", LL(FunctionType)(e->engine->none, params, 4, 0));
  add_attribute(e, LLVMAttributeFunctionIndex, "nounwind");
  add_string_attribute(e, "prefer-vector-width", "512");
  add_string_attribute(e, "no-trapping-math", "true");
  add_string_attribute(e, "probe-stack", "inline-asm");
  add_attribute(e, 1, "noalias");
  add_attribute(e, 1, "readonly");
  e->entry = LL(AppendBasicBlockInContext)(e->engine->context, e->function, "");
}

static void look_ahead(mr_emit *e) {
  for (uint32_t i = 1; i < e->p->num_instrs; i++) {
    if (e->p->instrs[i].code == MR_L_WHILE) {
      e->has_while = true;
    }
  }
}

static void emit_body(mr_emit *e) {
  look_ahead(e);
  create_function(e);
  go(e, e->entry);
  make_scopes(e);
  make_bases(e);
  make_scopeless(e);
  LLVMBasicBlockRef first = new_block(e);
  LL(BuildBr)(e->b, first);
  go(e, first);
  for (uint32_t i = 1; i < e->p->num_instrs && !e->status; i++) {
    emit_instr(e, i, &e->p->instrs[i]);
  }
  if (!e->status) {
    LL(BuildRetVoid)(e->b);
  }
}

mr_status mr_emit_program(mr_llvm_engine *engine, const mr_loop_program *program, LLVMModuleRef module,
                          uint32_t *out_calls) {
  mr_emit e = {.p = program, .engine = engine, .module = module, .b = engine->builder};
  size_t buffers = program->num_buffers + 1;
  LLVMValueRef *values = mr_alloc_zeroed(2 * (size_t)program->num_instrs + 3 * buffers, sizeof *values);
  e.frames = mr_alloc_zeroed(64 + 2, sizeof *e.frames);
  if (values && e.frames) {
    e.values = values;
    e.wide = values + program->num_instrs;
    e.bases = e.wide + program->num_instrs;
    e.scope_lists = e.bases + buffers;
    e.noalias_lists = e.scope_lists + buffers;
    emit_body(&e);
  } else {
    mr_emit_fail(&e, MR_NO_MEMORY());
  }
  mr_free(values);
  mr_free(e.frames);
  *out_calls = e.calls;
  return e.status;
}
