// The kernels of a plan, for whoever keeps executables in files.
#include "compiler/plan/plan.h"

typedef struct visitor {
  void (*visit)(void *context, mr_hash128 key, mr_span object);
  void *context;
} visitor;

static void visit_sequence(const plan_sequence *sequence, const visitor *v) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    const plan_step *step = &sequence->steps[i];
    if (step->kernel) {
      v->visit(v->context, mr_kernel_key(step->kernel), mr_kernel_object(step->kernel));
    }
    for (uint32_t r = 0; r < step->num_sequences; r++) {
      visit_sequence(&step->sequences[r], v);
    }
  }
}

void mr_executable_each_kernel(const mr_executable *e, void (*visit)(void *context, mr_hash128 key, mr_span object),
                               void *context) {
  visit_sequence(&e->main, &(visitor){visit, context});
}
