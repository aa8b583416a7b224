// The frame of a kernel: entry, buffers, variables, loads and stores.
//
// Distinct buffers are told apart by scoped-noalias metadata.
#include "compiler/codegen/emit.h"

#include <stdio.h>
#include <string.h>

#include "compiler/codegen/emit_frame.h"
#include "compiler/codegen/tuning.h"

void mr_emit_fail(mr_emit *e, mr_status take_status) { e->status = mr_status_join(e->status, take_status); }

static LLVMValueRef as_value(mr_emit *e, LLVMMetadataRef node) { return LL(MetadataAsValue)(e->engine->context, node); }

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

// ---- Fill and copy ----------------------------------------------------------------------------------------------------

static LLVMValueRef bytes_of(mr_emit *e, mr_dtype dtype, LLVMValueRef elements) {
  LLVMValueRef size = mr_emit_int(e->engine->i64, mr_dtype_bytes(dtype));
  LLVMValueRef bytes = LL(BuildMul)(e->b, elements, size, "");
  mr_emit_set_nsw(bytes);
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
    mr_emit_set_nsw(count);
    LLVMValueRef where = address(e, in->buffer, from);
    LLVMValueRef set =
        LL(BuildMemSet)(e->b, where, byte, bytes_of(e, dtype, clamp_count(e, count)), (unsigned)mr_dtype_bytes(dtype));
    set_scopes(e, set, in->buffer);
    return;
  }
  mr_emit_frame *f = mr_emit_push(e, MR_L_FOR, in);
  f->group = mr_emit_next_group(e);
  f->narrowest = mr_dtype_bytes(dtype);
  LLVMValueRef i = mr_emit_begin_loop(e, f, from, to);
  store_value(e, in->buffer, i, value, in->flags);
  mr_emit_end_loop(e, f, 1, 0);
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

// check_index in compiler/loops/check_loops.c lets no other through.
static LLVMValueRef emit_index(mr_emit *e, const mr_loop_instr *in) {
  static const mr_emit_code codes[MR_OP_COUNT] = {
#define INDEX(op, llvm, clc, linear) [MR_OP_##op] = MR_EMIT_##llvm,
#include "ops/instructions.def"
  };
  LLVMValueRef ab[2] = {e->values[in->a], e->values[in->b]};
  return mr_emit_coded(e, in, &codes[in->kind], ab);
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
  e->values[number] = mr_emit_entry_alloca(e, variable_type(e, dtype), 0);
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
  case MR_L_FOR: mr_emit_for(e, number, in); break;
  case MR_L_IF: mr_emit_if(e, in); break;
  case MR_L_ELSE: mr_emit_else(e); break;
  case MR_L_WHILE: mr_emit_while(e, in); break;
  case MR_L_DO: mr_emit_do(e, in); break;
  case MR_L_END: mr_emit_end(e); break;
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
    e->bases[i] = mr_emit_entry_alloca(e, LL(ArrayType2)(element, (uint64_t)buffer->count), 64);
  }
}

static void make_scopeless(mr_emit *e) {
  for (uint32_t i = 1; i < e->p->num_instrs; i++) {
    const mr_loop_instr *in = &e->p->instrs[i];
    if (in->code == MR_L_CONST) {
      e->values[i] = mr_emit_const(e->engine, (mr_dtype)in->dtype, in->imm);
    } else if (in->code == MR_L_BEGIN || in->code == MR_L_FINISH) {
      e->values[i] = LL(GetParam)(e->function, in->code == MR_L_BEGIN ? 2 : 3);
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
  mr_emit_go(e, e->entry);
  make_scopes(e);
  make_bases(e);
  make_scopeless(e);
  LLVMBasicBlockRef first = mr_emit_new_block(e);
  LL(BuildBr)(e->b, first);
  mr_emit_go(e, first);
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
