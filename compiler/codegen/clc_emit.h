// clc_emit: a loop program as text of OpenCL C. Private to compiler/codegen.
//
// A value is a variable of its own, vN for instruction N, declared where the instruction stands: C's scopes are the
// program's. How values are held is as in emit.h: PRED is bool (one byte in memory), integers narrower than a byte are char
// or uchar and always extended, narrow floats are their bits in ushort or uchar, and what is computed with them is a float
// wN beside vN, under the same rules about rounding.
//
// A product and the sum it goes into are one fma() where the program says so (mr_l_join_of), as in LLVM's. What is written depends on
// how often each value is used, so the text is made twice and the first time only counted.
//
// Threads: an emit belongs to one thread. Errors: the first one stays in `status`.
#ifndef MR_COMPILER_CODEGEN_CLC_EMIT_H
#define MR_COMPILER_CODEGEN_CLC_EMIT_H

#include "compiler/codegen/clc.h"

typedef struct mr_clc_value {
  bool wide;                 // of a narrow float: there is a wN, the same number, that those who compute with it take
  uint32_t bits_uses, uses;  // counted in this round: of a narrow float's bits, and of the number
  uint32_t known_uses;       // in the round before
  bool contracts;            // a product that may round together with the sum that takes it; kept from round to round
  bool spread;               // of a loop: the items of a group share its rounds
  uint32_t collected_in;     // of a variable: the loop that was last looked into for what it collects, or 0
  mr_op_kind collected_by;   // and by what operation
  bool begins;               // of a SET: no other of its loop comes before it for the variable
  bool is_set, folded;       // of a variable: written to somewhere; of an instruction: done by the SET that takes it
  mr_op_kind key;  // of a variable: it collects a maximum or minimum and holds a key; MR_OP_COUNT: it does not
} mr_clc_value;

typedef struct mr_clc_emit {
  const mr_loop_program *p;
  const mr_target *target;
  const char *entry;
  mr_text *text;
  mr_clc_value *values;  // by instruction
  bool *shared;          // by buffer: memory that is both loaded from and stored to, if only under two names
  const mr_loop_instr *scopes[MR_L_SCOPES + 2];
  uint32_t depth;
  uint32_t group;               // items that do a tile together; 0: one does it
  const mr_loop_instr *spread;  // the open loop that they share
  bool fenced;                  // nothing has been done since the last barrier
  mr_status status;
} mr_clc_emit;

// An operand in text.
typedef struct mr_clc_name {
  char text[72];
} mr_clc_name;

// What an instruction is written with.
typedef struct mr_clc_words {
  mr_clc_emit *e;
  const mr_loop_instr *in;
  mr_dtype dtype;
  mr_clc_name v[3];                           // operands
  const char *type, *unsigned_type, *suffix;  // $t, $u and $s of ops/instructions.def
} mr_clc_words;

// How an op is written, as the column `clc` of ops/instructions.def has it; all zero: there is no code.
typedef struct mr_clc_code {
  const char *text;
  void (*by)(const mr_clc_words *w);
} mr_clc_code;
#define MR_CLC_TEXT(words) {.text = words}
#define MR_CLC_BY(f) {.by = f}

void mr_clc_fail(mr_clc_emit *e, mr_status take_status);

// ---- Values (clc_value.c) -----------------------------------------------------------------------------------------------
const char *mr_clc_type(mr_dtype dtype);          // how a value is held
const char *mr_clc_suffix(mr_dtype dtype);        // of functions on the type that holds an integer: "i8"
const char *mr_clc_compute_type(mr_dtype dtype);  // float or double
const char *mr_clc_compute_suffix(mr_dtype dtype);
unsigned mr_clc_held_bits(mr_dtype dtype);
const char *mr_clc_memory_type(mr_dtype dtype);  // how an element lies in memory
bool mr_clc_is_narrow(mr_dtype dtype);           // a float that is computed with in f32
mr_clc_name mr_clc_real(mr_dtype compute_dtype, double value);
mr_clc_name mr_clc_value_of(mr_clc_emit *e, mr_lv v);  // as it is held
mr_clc_name mr_clc_wide(mr_clc_emit *e, mr_lv v);      // in the compute type: its wide form if it has one
// The expression of an op; false: there is no code.
bool mr_clc_put_coded(const mr_clc_code *code, const mr_clc_words *w);
// "type vN = " and "float wN = ".
void mr_clc_begin_value(mr_clc_emit *e, const mr_loop_instr *in);
void mr_clc_begin_wide(mr_clc_emit *e, const mr_loop_instr *in);
// Declares vN as the wN of its line before, rounded; which is of f64 when `from_f64`.
void mr_clc_narrow(mr_clc_emit *e, const mr_loop_instr *in, const char *what, bool from_f64);
uint32_t mr_clc_number(const mr_clc_emit *e, const mr_loop_instr *in);

// ---- Operations ---------------------------------------------------------------------------------------------------------
void mr_clc_element(mr_clc_emit *e, const mr_loop_instr *in);   // clc_element.c
bool mr_clc_float_op(mr_clc_emit *e, const mr_loop_instr *in);  // clc_float.c; false: there is no code
bool mr_clc_int_op(mr_clc_emit *e, const mr_loop_instr *in);    // clc_int.c
void mr_clc_convert(mr_clc_emit *e, const mr_loop_instr *in);   // clc_convert.c
void mr_clc_find_extremes(mr_clc_emit *e);                      // clc_extreme.c

// variable = op(variable, something), whose value before nobody else takes; *out_get is the instruction that reads it.
bool mr_clc_collects(const mr_clc_emit *e, const mr_loop_instr *set, mr_lv *out_get);

// ---- Groups (clc_group.c) -------------------------------------------------------------------------------------------------
// Sets `group`, and `spread` of loops.
void mr_clc_plan_group(mr_clc_emit *e);
// Around text that stores to the buffer; false: every item has its own to store, or there is but one.
bool mr_clc_begin_uniform(mr_clc_emit *e, mr_lbuf buffer);
void mr_clc_end_uniform(mr_clc_emit *e, mr_lbuf buffer);
// Around a loop that is spread.
void mr_clc_enter_spread(mr_clc_emit *e, const mr_loop_instr *loop);
void mr_clc_leave_spread(mr_clc_emit *e, const mr_loop_instr *loop);

// ---- The unit -----------------------------------------------------------------------------------------------------------
// Appends a kernel that is text already; it may call what the library has.
mr_status mr_clc_add_text(mr_clc_unit *unit, mr_str kernel) MR_WARN_UNUSED;
// Puts what the kernels call into `out` (clc_library.c).
mr_status mr_clc_library(mr_str kernels, mr_text *out, bool *out_uses_f64) MR_WARN_UNUSED;

#endif
