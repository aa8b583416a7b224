// What traces say of an executable's steps. It outlives the executable where somebody may still read a trace (core/trace_op.h).
#include "compiler/plan/plan.h"

static mr_status describe_sequence(mr_executable *e, plan_sequence *sequence) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    plan_step *step = &sequence->steps[i];
    mr_trace_words words = {.name = mr_str_of(step->name), .number = step->number};
    if (step->origin) {
      words.path = step->origin->path;
      words.file = step->origin->file;
      words.line = step->origin->line;
      step->origin = NULL;  // it goes with the module
    }
    step->trace = mr_trace_program_add(e->described, &words);
    if (!step->trace) {
      return MR_NO_MEMORY();
    }
    for (uint32_t k = 0; k < step->num_sequences; k++) {
      MR_TRY(describe_sequence(e, &step->sequences[k]));
    }
  }
  return MR_OK;
}

mr_status mr_planner_describe(mr_executable *e) {
  const mr_str name = e->name.size ? e->name : MR_STR("execute");
  MR_TRY(mr_trace_program_create(name, &e->described));
  e->trace = mr_trace_program_add(e->described, &(mr_trace_words){.name = name, .number = -1});
  return e->trace ? describe_sequence(e, &e->main) : MR_NO_MEMORY();
}
