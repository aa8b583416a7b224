// The list of passes.
#include <stdatomic.h>

#include "compiler/compiler.h"
#include "compiler/passes/passes.h"

typedef struct pass {
  const char *name;
  mr_status (*run)(mr_module *module);
} pass;

static const pass pipeline[] = {
    {"inline", mr_pass_inline},
    {"excess", mr_pass_excess},
    {"order", mr_pass_order},
    {"forward", mr_pass_forward},
    {"dce", mr_pass_dce},
    {"quantize", mr_pass_quantize},
    {"decompose", mr_pass_decompose},
    {"complex", mr_pass_complex},
    {"simplify", mr_pass_simplify},
    {"cse", mr_pass_cse},
    // What became equal or constant in the first round lets more be seen.
    {"simplify", mr_pass_simplify},
    {"alike", mr_pass_alike},
    {"dce", mr_pass_dce},
    {"update", mr_pass_update},
    {"rounds", mr_pass_rounds},
    {"hoist", mr_pass_hoist},
    {"cse", mr_pass_cse},
    {"dce", mr_pass_dce},
};

// relaxed on both sides: set once before anything is compiled; a function needs no publishing.
static _Atomic(mr_first_pass) first_pass;

void mr_passes_set_first(mr_first_pass first) { atomic_store_explicit(&first_pass, first, memory_order_relaxed); }

mr_status mr_passes_run(mr_module *module) {
  mr_first_pass first = atomic_load_explicit(&first_pass, memory_order_relaxed);
  if (first) {
    MR_TRY(mr_module_end(module, first(module)));
  }
  for (size_t i = 0; i < MR_ARRAY_SIZE(pipeline); i++) {
    mr_status status = mr_module_end(module, pipeline[i].run(module));
#ifndef NDEBUG
    if (!status) {
      status = mr_module_verify(module);
    }
#endif
    if (status) {
      return mr_status_note(status, "in pass %s", pipeline[i].name);
    }
  }
  // Whatever a pass did to a strange program, back ends may trust what they get.
  return mr_status_note(mr_module_verify(module), "after the passes");
}
