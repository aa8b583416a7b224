// interpreter: the dialects of StableHLO's interpreter tests (`check.*`, `interpreter.*`), which the engine does not know. Programs are
// rewritten before the engine reads them: an op of these dialects becomes a custom call of its name, which the engine asks for.
// Private to tools/interpreter, which is linked with the engine's own libraries.
#ifndef MR_TOOLS_INTERPRETER_INTERPRETER_H
#define MR_TOOLS_INTERPRETER_INTERPRETER_H

#include "compiler/compiler.h"
#include "compiler/ir/ir.h"
#include "ops/library/library.h"

#define RUN_PARALLEL "interpreter.run_parallel"

// rewrite.c: MLIR text with custom calls in place of the dialects' ops, to be freed; line numbers stay. NULL: no memory. What is
// not understood stays as it is, for the reader to refuse.
char *interpreter_rewrite(const char *text, size_t size, size_t *out_size);

// checks.c: mr_custom_call_maker. FAILED_PRECONDITION names the first element that differs when the call runs.
mr_status interpreter_make_check(const struct mr_op *op, struct mr_library_call **out_call) MR_WARN_UNUSED;

// processes.c: mr_first_pass. The processes of interpreter.run_parallel in step, in one program.
mr_status interpreter_run_processes(struct mr_module *module) MR_WARN_UNUSED;

#endif
