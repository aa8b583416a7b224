// The frame of a kernel in OpenCL C: buffers, loops, branches, variables, loads and stores; and the unit that holds kernels.
//
// The work is in a function of its own, with `restrict` on the pointers that are distinct from everything: compilers believe
// it of parameters alone. The kernel makes a share of the range out of the item's number.
#include "compiler/codegen/clc_emit.h"

#include <stdio.h>

#include "compiler/codegen/dump.h"
#include "compiler/codegen/tuning.h"

void mr_clc_fail(mr_clc_emit *e, mr_status take_status) { e->status = mr_status_join(e->status, take_status); }

// ---- Memory -----------------------------------------------------------------------------------------------------------

static mr_dtype buffer_dtype(const mr_clc_emit *e, mr_lbuf buffer) { return (mr_dtype)e->p->buffers[buffer].dtype; }

static bool is_extended(mr_dtype dtype) { return mr_dtype_is_integer(dtype) && mr_dtype_bits(dtype) < 8; }

static void emit_load(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  mr_clc_name index = mr_clc_value_of(e, in->a);
  mr_clc_begin_value(e, in);
  if (is_extended(dtype)) {
    mr_text_put(e->text, "mr_clc_fit_%s(b%u[%s], %u);\n", mr_clc_suffix(dtype), in->buffer, index.text,
                8 - mr_dtype_bits(dtype));
    return;
  }
  mr_text_put(e->text, "b%u[%s]%s;\n", in->buffer, index.text, dtype == MR_PRED ? " != 0" : "");
}

static void store_value(mr_clc_emit *e, mr_lbuf buffer, const char *index, const char *value) {
  mr_dtype dtype = buffer_dtype(e, buffer);
  if (mr_dtype_is_narrow(dtype) && mr_dtype_is_signed(dtype)) {
    mr_text_put(e->text, "b%u[%s] = %s & %u;\n", buffer, index, value, (1u << mr_dtype_bits(dtype)) - 1);
    return;
  }
  mr_text_put(e->text, "b%u[%s] = %s%s;\n", buffer, index, dtype == MR_PRED ? "(uchar)" : "", value);
}

static void emit_store(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_clc_name index = mr_clc_value_of(e, in->a), value = mr_clc_value_of(e, in->b);
  bool by_one = mr_clc_begin_uniform(e, in->buffer);
  if (by_one) {
    mr_text_put(e->text, "if (item == 0) ");
  }
  store_value(e, in->buffer, index.text, value.text);
  if (by_one) {
    mr_clc_end_uniform(e, in->buffer);
  }
}

// A loop of its own over [from, to), which a group's items share.
static bool begin_moving(mr_clc_emit *e, const mr_loop_instr *in, const char *from, const char *to) {
  bool shared = mr_clc_begin_uniform(e, in->buffer);
  if (shared) {
    mr_text_put(e->text, "for (long i = %s + item; i < %s; i += %u) ", from, to, e->group);
  } else {
    mr_text_put(e->text, "for (long i = %s; i < %s; i++) ", from, to);
  }
  return shared;
}

// A range may be empty or, where a caller computed it so, negative: both write nothing.
static void emit_fill(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_clc_name from = mr_clc_value_of(e, in->a), to = mr_clc_value_of(e, in->b), value = mr_clc_value_of(e, in->c);
  bool shared = begin_moving(e, in, from.text, to.text);
  store_value(e, in->buffer, "i", value.text);
  if (shared) {
    mr_clc_end_uniform(e, in->buffer);
  }
}

static void emit_copy(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_clc_name to = mr_clc_value_of(e, in->a), from = mr_clc_value_of(e, in->b), count = mr_clc_value_of(e, in->c);
  bool shared = begin_moving(e, in, "0", count.text);
  mr_text_put(e->text, "b%u[%s + i] = b%u[%s + i];\n", in->buffer, to.text, in->buffer2, from.text);
  if (shared) {
    mr_clc_end_uniform(e, in->buffer);
  }
}

// ---- Scopes -----------------------------------------------------------------------------------------------------------

static void open_scope(mr_clc_emit *e, const mr_loop_instr *in) { e->scopes[e->depth++] = in; }

static bool is_loop(const mr_loop_instr *in) { return in->code == MR_L_FOR || in->code == MR_L_WHILE; }

static bool has_inner_loop(const mr_clc_emit *e, const mr_loop_instr *in) {
  uint32_t depth = 0;
  for (const mr_loop_instr *i = in + 1; i < e->p->instrs + e->p->num_instrs; i++) {
    if (is_loop(i) || i->code == MR_L_FILL || i->code == MR_L_COPY) {
      return true;
    }
    depth += i->code == MR_L_IF;
    if (i->code == MR_L_END && depth-- == 0) {
      return false;
    }
  }
  return false;
}

static void emit_for(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_clc_name from = mr_clc_value_of(e, in->a), to = mr_clc_value_of(e, in->b);
  uint32_t number = mr_clc_number(e, in);
  bool spread = e->group && e->values[number].spread;
  if (spread) {
    mr_clc_enter_spread(e, in);
  } else if (in->flags & MR_L_UNROLL) {
    mr_text_put(e->text, "#pragma unroll\n");
  } else if (in->flags & MR_L_INDEPENDENT && !has_inner_loop(e, in)) {
    mr_text_put(e->text, "#pragma clang loop vectorize(assume_safety)\n");
  }
  long long step = (long long)in->imm;
  if (spread) {
    mr_text_put(e->text, "for (long v%u = %s + %lldl * item; v%u < %s; v%u += %lldl) {\n", number, from.text, step,
                number, to.text, number, step * e->group);
  } else {
    mr_text_put(e->text, "for (long v%u = %s; v%u < %s; v%u += %lld) {\n", number, from.text, number, to.text, number,
                step);
  }
  open_scope(e, in);
}

static void emit_if(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_text_put(e->text, "if (%s) {\n", mr_clc_value_of(e, in->a).text);
  open_scope(e, in);
}

static void emit_end(mr_clc_emit *e) {
  const mr_loop_instr *in = e->scopes[--e->depth];
  mr_text_put(e->text, "}\n");
  if (in == e->spread) {
    mr_clc_leave_spread(e, in);
  }
}

// ---- Variables --------------------------------------------------------------------------------------------------------

// A narrow float lives in its variable as f32, exactly.
static mr_clc_name held_value(mr_clc_emit *e, mr_dtype dtype, mr_lv v) {
  return mr_clc_is_narrow(dtype) ? mr_clc_wide(e, v) : mr_clc_value_of(e, v);
}

static void emit_var(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  mr_clc_name initial = held_value(e, dtype, in->a);
  uint32_t number = mr_clc_number(e, in);
  if (e->values[number].key != MR_OP_COUNT) {
    mr_text_put(e->text, "%s x%u = mr_clc_%s_key_%s(%s);\n", dtype == MR_F64 ? "long" : "int", number,
                mr_op_table[e->values[number].key].name, mr_clc_compute_suffix(dtype), initial.text);
    return;
  }
  mr_text_put(e->text, "%s x%u = %s;\n", mr_clc_is_narrow(dtype) ? "float" : mr_clc_type(dtype), number, initial.text);
}

static void emit_get(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_clc_name variable;
  snprintf(variable.text, sizeof variable.text, "x%u", in->a);
  if (e->values[in->a].key != MR_OP_COUNT) {
    snprintf(variable.text, sizeof variable.text, "mr_clc_from_key_%s(x%u)", mr_clc_compute_suffix((mr_dtype)in->dtype),
             in->a);
  }
  if (mr_clc_is_narrow((mr_dtype)in->dtype)) {
    e->values[mr_clc_number(e, in)].wide = true;
    mr_clc_begin_wide(e, in);
    mr_text_put(e->text, "%s;\n", variable.text);
    mr_clc_narrow(e, in, variable.text, false);
    return;
  }
  mr_clc_begin_value(e, in);
  mr_text_put(e->text, "%s;\n", variable.text);
}

// The maximum of the variable and another value, as keys.
static void emit_extreme(mr_clc_emit *e, const mr_loop_instr *in) {
  const mr_loop_instr *extreme = &e->p->instrs[in->b];
  mr_dtype dtype = (mr_dtype)in->dtype;
  mr_clc_name other = held_value(e, dtype, e->values[extreme->a].folded ? extreme->b : extreme->a);
  bool maximum = extreme->kind == MR_OP_maximum;
  mr_text_put(e->text, "x%u = %s(x%u, mr_clc_%s_key_%s(%s));\n", in->a, maximum ? "max" : "min", in->a,
              mr_op_table[extreme->kind].name, mr_clc_compute_suffix(dtype), other.text);
}

static void emit_set(mr_clc_emit *e, const mr_loop_instr *in) {
  if (e->values[in->a].key != MR_OP_COUNT) {
    emit_extreme(e, in);
    return;
  }
  mr_clc_name value = held_value(e, (mr_dtype)in->dtype, in->b);
  mr_text_put(e->text, "x%u = %s;\n", in->a, value.text);
}

// ---- Instructions -----------------------------------------------------------------------------------------------------

// check_index in compiler/loops/check_loops.c lets no other through.
static void emit_index(mr_clc_emit *e, const mr_loop_instr *in) {
  static const mr_clc_code codes[MR_OP_COUNT] = {
#define INDEX(op, llvm, clc, linear) [MR_OP_##op] = MR_CLC_##clc,
#include "ops/instructions.def"
  };
  mr_clc_words w = {.e = e, .in = in, .v = {mr_clc_value_of(e, in->a), mr_clc_value_of(e, in->b)}};
  mr_clc_begin_value(e, in);
  (void)mr_clc_put_coded(&codes[in->kind], &w);
  mr_text_put(e->text, ";\n");
}

// Whether a barrier before the instruction is one before what follows it as well: it has no business with memory, and nobody comes to
// what follows by another way.
static bool stays_fenced(const mr_clc_emit *e, const mr_loop_instr *in) {
  switch ((mr_loop_code)in->code) {
  case MR_L_NOP:
  case MR_L_CONST:
  case MR_L_BEGIN:
  case MR_L_FINISH:
  case MR_L_INDEX:
  case MR_L_ELEMENT:
  case MR_L_VAR:
  case MR_L_GET:
  case MR_L_SET:
  case MR_L_IF: return true;
  case MR_L_FOR: return e->values[mr_clc_number(e, in)].spread;  // which has its own
  case MR_L_LOAD:
  case MR_L_STORE:
  case MR_L_ELSE:
  case MR_L_WHILE:
  case MR_L_DO:
  case MR_L_END:
  case MR_L_FILL:
  case MR_L_COPY: return false;
  }
  return false;
}

static void emit_instr(mr_clc_emit *e, const mr_loop_instr *in) {
  if (e->values[mr_clc_number(e, in)].folded) {
    return;
  }
  e->fenced = e->fenced && stays_fenced(e, in);
  switch ((mr_loop_code)in->code) {
  case MR_L_NOP:
  case MR_L_CONST:
  case MR_L_BEGIN:
  case MR_L_FINISH: break;  // written where they are used
  case MR_L_INDEX: emit_index(e, in); break;
  case MR_L_ELEMENT: mr_clc_element(e, in); break;
  case MR_L_LOAD: emit_load(e, in); break;
  case MR_L_STORE: emit_store(e, in); break;
  case MR_L_FOR: emit_for(e, in); break;
  case MR_L_IF: emit_if(e, in); break;
  case MR_L_ELSE: mr_text_put(e->text, "} else {\n"); break;
  case MR_L_WHILE:
    mr_text_put(e->text, "for (;;) {\n");
    open_scope(e, in);
    break;
  case MR_L_DO: mr_text_put(e->text, "if (!%s) break;\n", mr_clc_value_of(e, in->a).text); break;
  case MR_L_END: emit_end(e); break;
  case MR_L_VAR: emit_var(e, in); break;
  case MR_L_GET: emit_get(e, in); break;
  case MR_L_SET: emit_set(e, in); break;
  case MR_L_FILL: emit_fill(e, in); break;
  case MR_L_COPY: emit_copy(e, in); break;
  }
}

// ---- The function -----------------------------------------------------------------------------------------------------

static const char *buffer_const(const mr_loop_buffer *buffer) { return buffer->flags & MR_L_WRITE ? "" : "const "; }

static uint64_t most_local_bytes(const mr_clc_emit *e) {
  return e->group ? e->target->local_bytes : e->target->items ? MR_CLC_ITEM_BYTES : MR_LOCAL_MAX_BYTES;
}

static void check_locals(mr_clc_emit *e) {
  const uint64_t most = most_local_bytes(e);
  uint64_t bytes = 0;
  for (uint32_t i = e->p->num_params; i < e->p->num_buffers && !e->status; i++) {
    const mr_loop_buffer *buffer = &e->p->buffers[i];
    uint64_t count = (uint64_t)MR_MAX(buffer->count, 0);
    bytes += MR_MIN(count, most + 1) * mr_dtype_bytes((mr_dtype)buffer->dtype);
    if (bytes > most) {
      mr_clc_fail(e, mr_error(MR_RESOURCE_EXHAUSTED, "kernel locals take over %llu bytes", (unsigned long long)most));
    }
  }
}

// Of the item that runs the function; a group's are variables of the kernel.
static void put_locals(mr_clc_emit *e) {
  for (uint32_t i = e->p->num_params; i < e->p->num_buffers; i++) {
    const mr_loop_buffer *buffer = &e->p->buffers[i];
    mr_text_put(e->text, "%s%s b%u[%lld] __attribute__((aligned(64)));\n", e->group ? "local " : "",
                mr_clc_memory_type((mr_dtype)buffer->dtype), i, (long long)MR_MAX(buffer->count, 1));
  }
}

static void put_share(mr_clc_emit *e) {
  mr_text_put(e->text, "static void %s_share(", e->entry);
  for (uint32_t i = 0; i < e->p->num_params; i++) {
    const mr_loop_buffer *buffer = &e->p->buffers[i];
    mr_text_put(e->text, "global %s%s *%sb%u, ", buffer_const(buffer), mr_clc_memory_type((mr_dtype)buffer->dtype),
                buffer->flags & MR_L_MAY_ALIAS ? "" : "restrict ", i);
  }
  for (uint32_t i = e->p->num_params; e->group && i < e->p->num_buffers; i++) {
    mr_text_put(e->text, "local %s *restrict b%u, ", mr_clc_memory_type((mr_dtype)e->p->buffers[i].dtype), i);
  }
  mr_text_put(e->text, "%slong begin, long end) {\n", e->group ? "local ulong *tree, const uint item, " : "");
  if (!e->group) {
    put_locals(e);
  }
  for (uint32_t i = 1; i < e->p->num_instrs && !e->status; i++) {
    emit_instr(e, &e->p->instrs[i]);
  }
  mr_text_put(e->text, "}\n");
}

static void put_call(mr_clc_emit *e) {
  mr_text_put(e->text, "%s_share(", e->entry);
  for (uint32_t i = 0; i < e->p->num_params; i++) {
    const mr_loop_buffer *buffer = &e->p->buffers[i];
    mr_text_put(e->text, "(global %s%s *)(p%u + o%u), ", buffer_const(buffer),
                mr_clc_memory_type((mr_dtype)buffer->dtype), i, i);
  }
  for (uint32_t i = e->p->num_params; e->group && i < e->p->num_buffers; i++) {
    mr_text_put(e->text, "b%u, ", i);
  }
  mr_text_put(e->text, "%sbegin, end);\n}\n", e->group ? "tree, (uint)get_local_id(0), " : "");
}

static void put_kernel(mr_clc_emit *e) {
  mr_text_put(e->text, "kernel ");
  if (e->group) {
    mr_text_put(e->text, "__attribute__((reqd_work_group_size(%u, 1, 1))) ", e->group);
  }
  mr_text_put(e->text, "void %s(", e->entry);
  for (uint32_t i = 0; i < e->p->num_params; i++) {
    mr_text_put(e->text, "global uchar *p%u, ulong o%u, ", i, i);
  }
  mr_text_put(e->text, "long range, long share) {\n");
  if (e->group) {
    put_locals(e);
    mr_text_put(e->text, "local ulong tree[%u];\n", e->group);
  }
  mr_text_put(e->text,
              "long begin = (long)get_%s_id(0) * share, end = min(range, begin + share);\n"
              "if (begin < end) ",
              e->group ? "group" : "global");
  put_call(e);
}

// What the round before counted is known in this one. A narrow float's bits count as one use of the number they are made of.
static void begin_round(mr_clc_emit *e, bool first) {
  for (uint32_t i = 0; i < e->p->num_instrs; i++) {
    mr_clc_value *value = &e->values[i];
    uint32_t known = first ? UINT32_MAX : value->uses + (value->bits_uses ? 1 : 0);
    *value = (mr_clc_value){.known_uses = known, .contracts = value->contracts, .key = MR_OP_COUNT};
  }
  mr_clc_find_extremes(e);
  mr_clc_plan_group(e);
  e->depth = 0;
}

static mr_status check_target(const mr_clc_unit *unit, const mr_loop_program *p) {
  uint64_t bytes = 16 * (uint64_t)p->num_params + 16;
  if (bytes > unit->target->parameter_bytes) {
    return mr_error(MR_RESOURCE_EXHAUSTED, "a kernel of %u buffers has %llu bytes of parameters, the device takes %llu",
                    p->num_params, (unsigned long long)bytes, (unsigned long long)unit->target->parameter_bytes);
  }
  for (uint32_t i = 1; i < p->num_instrs && !unit->target->has_f64; i++) {
    if (p->instrs[i].dtype == MR_F64 && p->instrs[i].code != MR_L_NOP) {
      return mr_error(MR_UNIMPLEMENTED, "f64 on a device without it");
    }
  }
  return MR_OK;
}

static mr_status check_functions(const mr_clc_unit *unit, mr_str kernel) {
  if (unit->target->has_f64) {
    return MR_OK;
  }
  mr_text library = {0};
  bool uses_f64 = false;
  mr_status status = mr_clc_library(kernel, &library, &uses_f64);
  mr_text_deinit(&library);
  if (status || !uses_f64) {
    return status;
  }
  return mr_error(MR_UNIMPLEMENTED, "a function that is computed in f64, on a device without it");
}

mr_status mr_clc_add_text(mr_clc_unit *unit, mr_str kernel) {
  MR_TRY(check_functions(unit, kernel));
  mr_text_append(&unit->kernels, kernel);
  unit->num_kernels++;
  return unit->kernels.failed ? MR_NO_MEMORY() : MR_OK;
}

mr_status mr_clc_add(mr_clc_unit *unit, const mr_loop_program *program, const char *entry) {
  MR_TRY(mr_loop_check(program));
  MR_TRY(check_target(unit, program));
  mr_text text = {0};
  mr_clc_emit e = {.p = program, .target = unit->target, .entry = entry, .text = &text};
  e.values = mr_alloc_zeroed(program->num_instrs, sizeof *e.values);
  e.shared = mr_alloc_zeroed(program->num_buffers + 1, sizeof *e.shared);
  if (!e.values || !e.shared) {
    mr_free(e.values);
    mr_free(e.shared);
    return MR_NO_MEMORY();
  }
  for (int round = 0; round < 2 && !e.status; round++) {
    text.size = 0;
    begin_round(&e, round == 0);
    if (round == 1) {
      check_locals(&e);
    }
    put_share(&e);
  }
  put_kernel(&e);
  mr_free(e.values);
  mr_free(e.shared);
  if (!e.status && text.failed) {
    mr_clc_fail(&e, MR_NO_MEMORY());
  }
  mr_status status = e.status ? e.status : mr_clc_add_text(unit, (mr_str){text.data, text.size});
  mr_text_deinit(&text);
  return status;
}

mr_status mr_clc_finish(const mr_clc_unit *unit, mr_text *out_text) {
  bool uses_f64 = false;
  mr_str kernels = {unit->kernels.data, unit->kernels.size};
  if (unit->target->has_f64) {
    mr_text_put(out_text, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
  }
  mr_text_put(out_text,
              "#pragma OPENCL FP_CONTRACT OFF\n"
              "#ifndef MR_INLINE  // an option may say otherwise: Oclgrind does not know what inlining leaves behind\n"
              "#define MR_INLINE __attribute__((always_inline))\n#endif\n");
  MR_TRY(mr_clc_library(kernels, out_text, &uses_f64));
  mr_text_append(out_text, kernels);
  if (out_text->failed) {
    return MR_NO_MEMORY();
  }
  mr_hash128 hash = mr_hash128_of(out_text->data, out_text->size, (mr_hash128){0});
  char name[40];
  snprintf(name, sizeof name, "%016llx%016llx", (unsigned long long)hash.high, (unsigned long long)hash.low);
  mr_dump_text(name, ".cl", out_text->data, out_text->size);
  return MR_OK;
}

void mr_clc_unit_deinit(mr_clc_unit *unit) {
  mr_text_deinit(&unit->kernels);
  *unit = (mr_clc_unit){0};
}
