// trace_op: what a trace says of an op that ran beside its name: of which program it is, and where that program has it from.
//
// Threads: a description is made by one thread, and then read by any. Ownership: whoever made a program's description releases it.
// Records point at ops without a reference, so what is released while somebody may still read a trace stays until nobody does.
//
//   MR_TRY(mr_trace_program_create(MR_STR("jit_f"), &program));
//   const mr_trace_op *op = mr_trace_program_add(program, &(mr_trace_words){.name = "matmul", .number = 3, ...});
//   mr_trace_op_span(MR_TRACE_STEP, op, run, start);
//   mr_trace_program_release(program);
#ifndef MR_CORE_TRACE_OP_H
#define MR_CORE_TRACE_OP_H

#include "core/core.h"

typedef struct mr_trace_program {
  mr_arena arena;
  const char *module;
  uint64_t id;                    // no other program of the process has it
  struct mr_trace_program *next;  // of those that are released and stay
} mr_trace_program;

typedef struct mr_trace_op {
  const mr_trace_program *program;
  const char *name;  // what its records are called
  const char *op;    // which of the program's; NULL: all of it
  const char
      *path;  // what the program calls it: in JAX the function that was called and the scopes in it; NULL: not said
  const char *source;  // "file:line"; NULL: not said
} mr_trace_op;

// Of what an op is made; texts are copied.
typedef struct mr_trace_words {
  mr_str name;
  int64_t number;     // among the program's; -1: this is all of it
  mr_str path, file;  // empty: not said
  uint32_t line;
} mr_trace_words;

mr_status mr_trace_program_create(mr_str module, mr_trace_program **out_program) MR_WARN_UNUSED;
// NULL when memory is short.
const mr_trace_op *mr_trace_program_add(mr_trace_program *program, const mr_trace_words *words);
// NULL is fine.
void mr_trace_program_release(mr_trace_program *program);

#endif
