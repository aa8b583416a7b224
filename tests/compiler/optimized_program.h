// optimized_program: what the passes leave of a program, as StableHLO text, appended to `text`, and as a serialized HloProto, appended to `hlo`.
// Either may be NULL, and so may the options.
//
//   expect_ok(optimized_program(program, NULL, &text, &hlo));
#ifndef MR_TESTS_COMPILER_OPTIMIZED_PROGRAM_H
#define MR_TESTS_COMPILER_OPTIMIZED_PROGRAM_H

#include "compiler/compiler.h"
#include "compiler/ir/ir.h"
#include "compiler/writer/writer.h"

typedef struct optimized_forms {
  mr_text *text, *hlo;
} optimized_forms;

static inline mr_status optimized_show(void *context, const mr_module *module,
                                       const struct mr_shard_boundary *boundary) {
  const mr_hlo_form form = {.outer = MR_HLO_PROGRAM, .is_local = true};
  const optimized_forms *to = context;
  (void)boundary;
  if (to->text) {
    mr_module_print(module, to->text);
  }
  MR_TRY(to->hlo ? mr_write_hlo(module, &form, to->hlo) : MR_OK);
  return to->text && to->text->failed ? MR_NO_MEMORY() : MR_OK;
}

static inline mr_status optimized_program(mr_span program, const mr_compile_options *options, mr_text *text,
                                          mr_text *hlo) {
  optimized_forms to = {text, hlo};
  const mr_compile_watcher watcher = {.context = &to, .optimized = optimized_show};
  mr_compile_options watched = options ? *options : (mr_compile_options){0};
  watched.watcher = &watcher;
  return mr_optimize(program, &watched);
}

#endif
