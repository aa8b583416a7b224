// Types, scopes and numbers of a loop program. Every code generator may rely on what passes here.
#include <string.h>

#include "compiler/loops/loops.h"

typedef struct checker {
  const mr_loop_program *p;
  uint32_t *scope;              // by instruction: the scope it was made in; 0 is the whole program
  bool *scope_closed;           // by the instruction that opened it
  uint32_t stack[MR_L_SCOPES];  // openers: FOR, IF, ELSE, WHILE, DO
  uint32_t depth;
} checker;

static mr_status wrong(const checker *c, uint32_t i, const char *what) {
  const mr_loop_instr *in = &c->p->instrs[i];
  mr_text text = {0};
  if (c->p->num_instrs <= 200) {
    mr_loop_print(c->p, &text);
  }
  mr_status status = mr_error(MR_INTERNAL, "loop program instruction %%%u (code %u kind %s %s): %s\n%.*s", i, in->code,
                              in->kind < MR_OP_COUNT ? mr_op_table[in->kind].name : "?",
                              in->dtype < MR_DTYPE_COUNT ? mr_dtype_name((mr_dtype)in->dtype) : "?", what,
                              (int)text.size, text.data ? text.data : "");
  mr_text_deinit(&text);
  return status;
}

static bool makes_value(const mr_loop_instr *in) {
  switch ((mr_loop_code)in->code) {
  case MR_L_CONST:
  case MR_L_BEGIN:
  case MR_L_FINISH:
  case MR_L_INDEX:
  case MR_L_ELEMENT:
  case MR_L_LOAD:
  case MR_L_FOR:
  case MR_L_GET: return true;
  case MR_L_NOP:
  case MR_L_STORE:
  case MR_L_IF:
  case MR_L_ELSE:
  case MR_L_WHILE:
  case MR_L_DO:
  case MR_L_END:
  case MR_L_VAR:
  case MR_L_SET:
  case MR_L_FILL:
  case MR_L_COPY: return false;
  }
  return false;
}

static bool scopeless(const mr_loop_instr *in) {
  return in->code == MR_L_CONST || in->code == MR_L_BEGIN || in->code == MR_L_FINISH;
}

static bool usable(const checker *c, uint32_t user, mr_lv v) {
  return v && v < user && makes_value(&c->p->instrs[v]) && !c->scope_closed[c->scope[v]];
}

static bool is_type(const checker *c, uint32_t user, mr_lv v, mr_dtype dtype) {
  return usable(c, user, v) && mr_l_dtype(c->p, v) == dtype;
}

static bool is_var(const checker *c, uint32_t user, mr_lv v) {
  return v && v < user && c->p->instrs[v].code == MR_L_VAR && !c->scope_closed[c->scope[v]];
}

static bool scalar_dtype(unsigned dtype) {
  return dtype < MR_DTYPE_COUNT && mr_dtype_class_of((mr_dtype)dtype) != MR_CLASS_NONE &&
         !mr_dtype_is_complex((mr_dtype)dtype);
}

static mr_status check_index(const checker *c, uint32_t i) {
  static const bool known[MR_OP_COUNT] = {
#define INDEX(op, llvm, clc, linear) [MR_OP_##op] = true,
#include "ops/instructions.def"
  };
  const mr_loop_instr *in = &c->p->instrs[i];
  if (in->kind >= MR_OP_COUNT || !known[in->kind]) {
    return wrong(c, i, "no such index operation");
  }
  if (!is_type(c, i, in->a, MR_S64) || !is_type(c, i, in->b, MR_S64)) {
    return wrong(c, i, "index operands are not S64");
  }
  return MR_OK;
}

static mr_status check_element(const checker *c, uint32_t i) {
  const mr_loop_instr *in = &c->p->instrs[i];
  mr_dtype dtype = (mr_dtype)in->dtype;
  if (in->kind >= MR_OP_COUNT || !scalar_dtype(in->dtype)) {
    return wrong(c, i, "unknown operation or type");
  }
  if (in->kind == MR_OP_convert || in->kind == MR_OP_bitcast_convert) {
    if (!usable(c, i, in->a)) {
      return wrong(c, i, "operand is not a usable value");
    }
    if (in->kind == MR_OP_bitcast_convert && mr_dtype_bits(mr_l_dtype(c->p, in->a)) != mr_dtype_bits(dtype)) {
      return wrong(c, i, "bitcast between widths");
    }
    return MR_OK;
  }
  if (!mr_op_kind_is_elementwise((mr_op_kind)in->kind)) {
    return wrong(c, i, "not an elementwise operation");
  }
  if (in->kind == MR_OP_select) {
    bool ok = is_type(c, i, in->a, MR_PRED) && is_type(c, i, in->b, dtype) && is_type(c, i, in->c, dtype);
    return ok ? MR_OK : wrong(c, i, "select wants PRED and two values of its type");
  }
  mr_lv operands[3] = {in->a, in->b, in->c};
  for (int k = 0; k < mr_op_table[in->kind].operands; k++) {
    if (!is_type(c, i, operands[k], dtype)) {
      return wrong(c, i, "operand is not a usable value of the operation's type");
    }
  }
  return MR_OK;
}

// What loads, stores, fills and copies have in common.
static mr_status check_memory(const checker *c, uint32_t i) {
  const mr_loop_instr *in = &c->p->instrs[i];
  if (in->buffer >= c->p->num_buffers) {
    return wrong(c, i, "no such buffer");
  }
  if (!is_type(c, i, in->a, MR_S64)) {
    return wrong(c, i, "index is not S64");
  }
  if (in->code != MR_L_LOAD && !(c->p->buffers[in->buffer].flags & MR_L_WRITE)) {
    return wrong(c, i, "writes a buffer that is not writable");
  }
  return MR_OK;
}

static mr_status check_load(const checker *c, uint32_t i) {
  const mr_loop_instr *in = &c->p->instrs[i];
  MR_TRY(check_memory(c, i));
  return in->dtype == c->p->buffers[in->buffer].dtype ? MR_OK : wrong(c, i, "load of another type");
}

static mr_status check_store(const checker *c, uint32_t i) {
  const mr_loop_instr *in = &c->p->instrs[i];
  MR_TRY(check_memory(c, i));
  bool ok = is_type(c, i, in->b, (mr_dtype)c->p->buffers[in->buffer].dtype);
  return ok ? MR_OK : wrong(c, i, "store of another type");
}

static mr_status check_fill(const checker *c, uint32_t i) {
  const mr_loop_instr *in = &c->p->instrs[i];
  MR_TRY(check_memory(c, i));
  bool ok = is_type(c, i, in->b, MR_S64) && is_type(c, i, in->c, (mr_dtype)c->p->buffers[in->buffer].dtype);
  return ok ? MR_OK : wrong(c, i, "fill wants two indices and a value of the buffer's type");
}

static mr_status check_copy(const checker *c, uint32_t i) {
  const mr_loop_instr *in = &c->p->instrs[i];
  MR_TRY(check_memory(c, i));
  if (in->buffer2 >= c->p->num_buffers || c->p->buffers[in->buffer2].dtype != c->p->buffers[in->buffer].dtype) {
    return wrong(c, i, "copy between different types");
  }
  return is_type(c, i, in->b, MR_S64) && is_type(c, i, in->c, MR_S64) ? MR_OK : wrong(c, i, "index is not S64");
}

static mr_status open_scope(checker *c, uint32_t i) {
  if (c->depth == MR_ARRAY_SIZE(c->stack)) {
    return wrong(c, i, "scopes nest too deeply");
  }
  c->stack[c->depth++] = i;
  return MR_OK;
}

static mr_status close_scope(checker *c, uint32_t i) {
  if (!c->depth) {
    return wrong(c, i, "closes a scope that is not open");
  }
  c->scope_closed[c->stack[--c->depth]] = true;
  return MR_OK;
}

static bool top_is(const checker *c, mr_loop_code code) {
  return c->depth && c->p->instrs[c->stack[c->depth - 1]].code == code;
}

static mr_status check_condition(const checker *c, uint32_t i) {
  return is_type(c, i, c->p->instrs[i].a, MR_PRED) ? MR_OK : wrong(c, i, "condition is not PRED");
}

static mr_status check_for(checker *c, uint32_t i) {
  const mr_loop_instr *in = &c->p->instrs[i];
  if (!is_type(c, i, in->a, MR_S64) || !is_type(c, i, in->b, MR_S64)) {
    return wrong(c, i, "bounds are not S64");
  }
  if ((int64_t)in->imm <= 0) {
    return wrong(c, i, "step is not positive");
  }
  return open_scope(c, i);
}

static mr_status check_if(checker *c, uint32_t i) {
  MR_TRY(check_condition(c, i));
  return open_scope(c, i);
}

static mr_status check_else(checker *c, uint32_t i) {
  if (!top_is(c, MR_L_IF)) {
    return wrong(c, i, "ELSE without IF");
  }
  MR_TRY(close_scope(c, i));
  return open_scope(c, i);
}

static mr_status check_do(checker *c, uint32_t i) {
  if (!top_is(c, MR_L_WHILE)) {
    return wrong(c, i, "DO without WHILE");
  }
  MR_TRY(check_condition(c, i));
  return open_scope(c, i);
}

static mr_status check_end(checker *c, uint32_t i) {
  if (top_is(c, MR_L_WHILE)) {
    return wrong(c, i, "WHILE without DO");
  }
  bool loop = top_is(c, MR_L_DO);
  MR_TRY(close_scope(c, i));
  return loop ? close_scope(c, i) : MR_OK;
}

static mr_status check_variable(const checker *c, uint32_t i) {
  const mr_loop_instr *in = &c->p->instrs[i];
  if (in->code == MR_L_VAR) {
    return is_type(c, i, in->a, (mr_dtype)in->dtype) ? MR_OK : wrong(c, i, "initial value of another type");
  }
  if (!is_var(c, i, in->a) || c->p->instrs[in->a].dtype != in->dtype) {
    return wrong(c, i, "not a usable variable");
  }
  if (in->code == MR_L_GET) {
    return MR_OK;
  }
  return is_type(c, i, in->b, (mr_dtype)in->dtype) ? MR_OK : wrong(c, i, "value of another type");
}

static mr_status check_instr(checker *c, uint32_t i) {
  const mr_loop_instr *in = &c->p->instrs[i];
  switch ((mr_loop_code)in->code) {
  case MR_L_NOP: return MR_OK;
  case MR_L_CONST: return scalar_dtype(in->dtype) ? MR_OK : wrong(c, i, "constant of a type that is no scalar");
  case MR_L_BEGIN:
  case MR_L_FINISH: return MR_OK;
  case MR_L_INDEX: return check_index(c, i);
  case MR_L_ELEMENT: return check_element(c, i);
  case MR_L_LOAD: return check_load(c, i);
  case MR_L_STORE: return check_store(c, i);
  case MR_L_FILL: return check_fill(c, i);
  case MR_L_COPY: return check_copy(c, i);
  case MR_L_FOR: return check_for(c, i);
  case MR_L_IF: return check_if(c, i);
  case MR_L_ELSE: return check_else(c, i);
  case MR_L_WHILE: return open_scope(c, i);
  case MR_L_DO: return check_do(c, i);
  case MR_L_END: return check_end(c, i);
  case MR_L_VAR:
  case MR_L_GET:
  case MR_L_SET: return check_variable(c, i);
  }
  return wrong(c, i, "unknown code");
}

static mr_status check_buffers(const mr_loop_program *p) {
  for (uint32_t i = 0; i < p->num_buffers; i++) {
    const mr_loop_buffer *b = &p->buffers[i];
    bool local = b->flags & MR_L_LOCAL;
    if (!scalar_dtype(b->dtype)) {
      return mr_error(MR_INTERNAL, "loop buffer b%u has no scalar type", i);
    }
    if (local != (i >= p->num_params)) {
      return mr_error(MR_INTERNAL, "loop buffer b%u: parameters come first", i);
    }
    if (local && b->count < 0) {
      return mr_error(MR_INTERNAL, "loop buffer b%u: negative count", i);
    }
  }
  return MR_OK;
}

static mr_status check_all(checker *c) {
  for (uint32_t i = 1; i < c->p->num_instrs; i++) {
    c->scope[i] = c->depth && !scopeless(&c->p->instrs[i]) ? c->stack[c->depth - 1] : 0;
    MR_TRY(check_instr(c, i));
    if (c->p->instrs[i].code == MR_L_FOR) {
      c->scope[i] = i;  // the index lives inside the loop
    }
  }
  if (c->depth) {
    return wrong(c, c->stack[c->depth - 1], "scope is never closed");
  }
  return MR_OK;
}

mr_status mr_loop_check(const mr_loop_program *program) {
  if (program->failed) {
    return mr_error(MR_RESOURCE_EXHAUSTED, "building a loop program failed (out of memory, or scopes nested wrongly)");
  }
  MR_TRY(check_buffers(program));
  checker c = {.p = program};
  c.scope = mr_alloc_zeroed(program->num_instrs, sizeof *c.scope);
  c.scope_closed = mr_alloc_zeroed(program->num_instrs, sizeof *c.scope_closed);
  mr_status status = c.scope && c.scope_closed ? check_all(&c) : MR_NO_MEMORY();
  mr_free(c.scope);
  mr_free(c.scope_closed);
  return status;
}
