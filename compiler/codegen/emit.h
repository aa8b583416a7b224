// emit: a loop program as LLVM IR. Private to compiler/codegen.
//
// How values are held: PRED is i1 (one byte in memory); integers have their width, the ones narrower than a byte are i8
// and always sign- or zero-extended; f16 is half, f32 float, f64 double; bf16 and the 8, 6 and 4 bit floats are their
// bits in i16 or i8. Arithmetic on a float narrower than f32 happens in f32 and rounds after every operation.
//
// Threads: an emit belongs to one thread. Errors: the first one stays in `status` and is returned by mr_emit_program.
#ifndef MR_COMPILER_CODEGEN_EMIT_H
#define MR_COMPILER_CODEGEN_EMIT_H

#include "compiler/codegen/llvm_engine.h"
#include "compiler/loops/loops.h"

typedef struct mr_emit {
  const mr_loop_program *p;
  mr_llvm_engine *engine;
  LLVMModuleRef module;
  LLVMBuilderRef b;
  LLVMValueRef function;
  LLVMBasicBlockRef entry;  // allocas and everything without a scope; its branch to `first` comes last
  LLVMValueRef *values;     // by instruction
  LLVMValueRef *wide;       // by instruction, of a float narrower than f32: the same number in f32, where it is at hand
  LLVMValueRef *bases;      // by buffer
  LLVMValueRef *scope_lists;  // by buffer: the alias.scope node, NULL when there is none
  LLVMValueRef *noalias_lists;
  struct mr_emit_frame *frames;
  uint32_t depth, next_group;
  uint32_t calls;  // element functions copied so far
  bool has_while;  // the program has one
  mr_status status;
} mr_emit;

// Adds the function "kernel" that runs `program` to `module`, which is of the engine's context. Says how many element
// functions were copied into it.
mr_status mr_emit_program(mr_llvm_engine *engine, const mr_loop_program *program, LLVMModuleRef module,
                          uint32_t *out_calls) MR_WARN_UNUSED;

// After the passes: vector stores of MR_L_STREAM become non-temporal where their address is aligned (emit_stream.c).
void mr_emit_streams(mr_llvm_engine *engine, LLVMModuleRef module);
// Likewise: vector loads of MR_L_AHEAD ask for what comes after (emit_ahead.c).
void mr_emit_ahead(mr_llvm_engine *engine, LLVMModuleRef module);
bool mr_emit_is_in_group(mr_llvm_engine *engine, LLVMValueRef access, int group);
unsigned mr_emit_vector_bytes(LLVMTypeRef type);  // 0: no vector of numbers

// How an op becomes instructions, as the column `llvm` of ops/instructions.def has it, in these words; all zero: there is none.
typedef struct mr_emit_code {
  LLVMValueRef (*by)(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v);
  LLVMValueRef (**one)(LLVMBuilderRef, LLVMValueRef, const char *);
  LLVMValueRef (**two)(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *);
  const char *intrinsic;
  bool no_overflow;
} mr_emit_code;
#define MR_EMIT_ONE(f) {.one = &mr_llvm.Build##f}
#define MR_EMIT_TWO(f) {.two = &mr_llvm.Build##f}
#define MR_EMIT_NSW(f) {.two = &mr_llvm.Build##f, .no_overflow = true}
#define MR_EMIT_INTRINSIC(name) {.intrinsic = name}
#define MR_EMIT_FIRST {.by = mr_emit_first}
#define MR_EMIT_BY(f) {.by = f}

// Keeps the first error.
void mr_emit_fail(mr_emit *e, mr_status take_status);

// ---- Values (emit_value.c) ----------------------------------------------------------------------------------------------
LLVMTypeRef mr_emit_type(const mr_llvm_engine *engine, mr_dtype dtype);         // how a value is held
LLVMTypeRef mr_emit_memory_type(const mr_llvm_engine *engine, mr_dtype dtype);  // how an element lies in memory
LLVMValueRef mr_emit_const(const mr_llvm_engine *engine, mr_dtype dtype, uint64_t bits);
LLVMValueRef mr_emit_intrinsic(mr_emit *e, const char *name, LLVMTypeRef type, LLVMValueRef *args, unsigned count);
// NULL: there is no code.
LLVMValueRef mr_emit_coded(mr_emit *e, const mr_loop_instr *in, const mr_emit_code *code, LLVMValueRef *v);
void mr_emit_set_nsw(LLVMValueRef v);  // of index arithmetic: it does not overflow
LLVMValueRef mr_emit_first(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *v);  // v[0]
// After arithmetic in i8 on a type narrower than a byte: extended again. Others unchanged.
LLVMValueRef mr_emit_normalize(mr_emit *e, mr_dtype dtype, LLVMValueRef v);

// ---- Floats (emit_float.c) ----------------------------------------------------------------------------------------------
LLVMTypeRef mr_emit_compute_type(const mr_llvm_engine *engine, mr_dtype dtype);  // float or double
LLVMValueRef mr_emit_widen(mr_emit *e, mr_dtype dtype, LLVMValueRef v);          // to the compute type, exact
LLVMValueRef mr_emit_narrow(mr_emit *e, mr_dtype dtype, LLVMValueRef v);         // from f32 or f64, to nearest even
LLVMValueRef mr_emit_widen_operand(mr_emit *e, mr_dtype dtype, mr_lv operand);   // its wide form if it has one
// What `in` gives, a float narrower than f32, is the number `wide`: those who compute with it take that.
void mr_emit_keep_wide(mr_emit *e, const mr_loop_instr *in, LLVMValueRef wide);
// The result of `in`, rounded to its type; `exact`: it needs no rounding.
LLVMValueRef mr_emit_result(mr_emit *e, const mr_loop_instr *in, LLVMValueRef v, bool exact);
LLVMValueRef mr_emit_reduce_precision(mr_emit *e, mr_dtype dtype, unsigned exponent, unsigned mantissa, LLVMValueRef v);

// ---- Operations -----------------------------------------------------------------------------------------------------------
LLVMValueRef mr_emit_element(mr_emit *e, const mr_loop_instr *in);                       // emit_element.c
LLVMValueRef mr_emit_float_op(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *args);  // emit_float_op.c
LLVMValueRef mr_emit_int_op(mr_emit *e, const mr_loop_instr *in, LLVMValueRef *args);    // emit_int_op.c
LLVMValueRef mr_emit_convert(mr_emit *e, mr_dtype from, mr_dtype to, LLVMValueRef v);    // emit_convert.c
// Copies the element function mr_el_<name>_<suffix> here; NULL when there is none (not an error by itself).
LLVMValueRef mr_emit_call(mr_emit *e, const char *name, const char *suffix, LLVMValueRef *args, unsigned count);

// Shorthands.
static inline LLVMValueRef mr_emit_int(LLVMTypeRef type, uint64_t value) { return LL(ConstInt)(type, value, 0); }

#endif
