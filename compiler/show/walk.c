// What a plan's steps and strands are, for tools that draw, count and predict.
#include "compiler/plan/graph.h"
#include "compiler/plan/plan.h"

static const char *const kind_names[] = {[STEP_KERNEL] = "kernel",
                                         [STEP_LIBRARY] = "library",
                                         [STEP_COPY] = "copy",
                                         [STEP_WHILE] = "while",
                                         [STEP_CASE] = "case"};

static mr_step_info info_of(const mr_executable *e, const plan_step *step) {
  mr_step_info info = {.name = step->name, .kind = kind_names[step->kind], .cost_ns = step->cost_ns, .pieces = 1};
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    info.bytes = mr_size_add(info.bytes, e->buffers[step->buffers[i]].bytes);
  }
  if (step->kind == STEP_KERNEL) {
    info.flops = step->launch.flops;
    info.pieces = (uint64_t)((step->launch.range - 1) / MR_MAX(step->launch.grain, 1) + 1);
  } else if (step->kind == STEP_LIBRARY) {
    info.flops = step->library->flops;
  }
  return info;
}

void mr_executable_each_step(const mr_executable *e,
                             void (*visit)(void *context, uint32_t step, const mr_step_info *info), void *context) {
  for (uint32_t i = 0; i < e->main.count; i++) {
    const mr_step_info info = info_of(e, &e->main.steps[i]);
    visit(context, i, &info);
  }
}

void mr_executable_each_strand(const mr_executable *e,
                               void (*visit)(void *context, uint32_t strand, const mr_strand_info *info),
                               void *context) {
  const plan_graph *graph = e->main.graph;
  if (!graph) {
    visit(context, 0, &(mr_strand_info){.count = e->main.count, .cost_ns = e->cost_ns, .rank_ns = e->cost_ns});
    return;
  }
  for (uint32_t i = 0; i < graph->num_strands; i++) {
    const plan_strand *strand = &graph->strands[i];
    const uint32_t first = graph->input_offsets[i];
    visit(context, i,
          &(mr_strand_info){.first = strand->first,
                            .count = strand->count,
                            .cost_ns = strand->cost_ns,
                            .rank_ns = strand->rank_ns,
                            .inputs = graph->inputs + first,
                            .num_inputs = graph->input_offsets[i + 1] - first});
  }
}
