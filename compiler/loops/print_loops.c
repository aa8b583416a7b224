// Loop programs as text, one instruction a line, for people and for error messages.
#include "compiler/loops/loops.h"

static const char *const code_names[] = {
    [MR_L_NOP] = "nop",     [MR_L_CONST] = "const",     [MR_L_BEGIN] = "begin", [MR_L_FINISH] = "finish",
    [MR_L_INDEX] = "index", [MR_L_ELEMENT] = "element", [MR_L_LOAD] = "load",   [MR_L_STORE] = "store",
    [MR_L_FOR] = "for",     [MR_L_IF] = "if",           [MR_L_ELSE] = "else",   [MR_L_WHILE] = "while",
    [MR_L_DO] = "do",       [MR_L_END] = "end",         [MR_L_VAR] = "var",     [MR_L_GET] = "get",
    [MR_L_SET] = "set",     [MR_L_FILL] = "fill",       [MR_L_COPY] = "copy",
};

static void print_flags(mr_text *text, uint32_t flags) {
  static const char *const names[] = {"independent", "unroll", "reassoc",   "no_vector",
                                      "stream",      "likely", "join_left", "join_right"};
  for (size_t i = 0; i < MR_ARRAY_SIZE(names); i++) {
    if (flags >> i & 1) {
      mr_text_put(text, " %s", names[i]);
    }
  }
}

static void print_buffer(const mr_loop_program *p, uint32_t i, mr_text *text) {
  const mr_loop_buffer *b = &p->buffers[i];
  mr_text_put(text, "buffer b%u %s%s%s%s", i, mr_dtype_name((mr_dtype)b->dtype), b->flags & MR_L_READ ? " read" : "",
              b->flags & MR_L_WRITE ? " write" : "", b->flags & MR_L_MAY_ALIAS ? " may_alias" : "");
  if (b->flags & MR_L_LOCAL) {
    mr_text_put(text, " local %lld", (long long)b->count);
  }
  mr_text_put(text, "\n");
}

static const char *kind_name(uint16_t kind) { return kind < MR_OP_COUNT ? mr_op_table[kind].name : "?"; }

static void print_instr(const mr_loop_instr *in, uint32_t number, mr_text *text) {
  const char *type = in->dtype < MR_DTYPE_COUNT ? mr_dtype_name((mr_dtype)in->dtype) : "?";
  const char *name = in->code <= MR_L_COPY ? code_names[in->code] : "?";
  switch ((mr_loop_code)in->code) {
  case MR_L_CONST: mr_text_put(text, "%%%u = const %s 0x%llx", number, type, (unsigned long long)in->imm); break;
  case MR_L_BEGIN:
  case MR_L_FINISH: mr_text_put(text, "%%%u = %s", number, name); break;
  case MR_L_INDEX: mr_text_put(text, "%%%u = index %s %%%u %%%u", number, kind_name(in->kind), in->a, in->b); break;
  case MR_L_ELEMENT:
    mr_text_put(text, "%%%u = %s %s %%%u", number, kind_name(in->kind), type, in->a);
    if (in->b) {
      mr_text_put(text, " %%%u", in->b);
    }
    if (in->c) {
      mr_text_put(text, " %%%u", in->c);
    }
    if (in->imm) {
      mr_text_put(text, " imm 0x%llx", (unsigned long long)in->imm);
    }
    break;
  case MR_L_LOAD: mr_text_put(text, "%%%u = load %s b%u[%%%u]", number, type, in->buffer, in->a); break;
  case MR_L_STORE: mr_text_put(text, "store %s b%u[%%%u] = %%%u", type, in->buffer, in->a, in->b); break;
  case MR_L_FOR:
    mr_text_put(text, "%%%u = for %%%u to %%%u step %lld", number, in->a, in->b, (long long)in->imm);
    break;
  case MR_L_IF:
  case MR_L_DO: mr_text_put(text, "%s %%%u", name, in->a); break;
  case MR_L_VAR: mr_text_put(text, "%%%u = var %s %%%u", number, type, in->a); break;
  case MR_L_GET: mr_text_put(text, "%%%u = get %s %%%u", number, type, in->a); break;
  case MR_L_SET: mr_text_put(text, "set %%%u = %%%u", in->a, in->b); break;
  case MR_L_FILL: mr_text_put(text, "fill b%u[%%%u, %%%u) = %%%u", in->buffer, in->a, in->b, in->c); break;
  case MR_L_COPY:
    mr_text_put(text, "copy b%u[%%%u] = b%u[%%%u], %%%u", in->buffer, in->a, in->buffer2, in->b, in->c);
    break;
  case MR_L_NOP:
  case MR_L_ELSE:
  case MR_L_WHILE:
  case MR_L_END: mr_text_put(text, "%s", name); break;
  }
  print_flags(text, in->flags);
  mr_text_put(text, "\n");
}

void mr_loop_print(const mr_loop_program *program, mr_text *text) {
  for (uint32_t i = 0; i < program->num_buffers; i++) {
    print_buffer(program, i, text);
  }
  int depth = 0;
  for (uint32_t i = 1; i < program->num_instrs; i++) {
    const mr_loop_instr *in = &program->instrs[i];
    bool closes = in->code == MR_L_END || in->code == MR_L_ELSE || in->code == MR_L_DO;
    if (closes && depth) {
      depth--;
    }
    mr_text_put(text, "%*s", depth * 2, "");
    print_instr(in, i, text);
    if (in->code == MR_L_FOR || in->code == MR_L_IF || in->code == MR_L_ELSE || in->code == MR_L_WHILE ||
        in->code == MR_L_DO) {
      depth++;
    }
  }
}
