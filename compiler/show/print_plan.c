// A plan as text.
#include "compiler/plan/plan.h"

static const char *const place_names[] = {[PLACE_TEMP] = "temp",
                                          [PLACE_PARAM] = "param",
                                          [PLACE_RESULT] = "result",
                                          [PLACE_CONST] = "const",
                                          [PLACE_ROW] = "row"};
static const char *const kind_names[] = {[STEP_KERNEL] = "kernel",
                                         [STEP_LIBRARY] = "library",
                                         [STEP_COPY] = "copy",
                                         [STEP_WHILE] = "while",
                                         [STEP_CASE] = "case"};

static void print_buffer(const mr_executable *e, uint32_t number, mr_text *text) {
  const plan_buffer *b = &e->buffers[number];
  mr_text_put(text, " %u:%s", number, place_names[b->place]);
  if (b->place == PLACE_PARAM || b->place == PLACE_RESULT) {
    mr_text_put(text, "%u", b->index);
  } else {
    mr_text_put(text, "+%zu", b->offset);
  }
}

static void print_list(mr_text *text, const uint32_t *numbers, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    mr_text_put(text, i > from ? ", %u" : " after %u", numbers[i]);
  }
}

// The line before step `i`, when a strand begins with it.
static void print_strand(const plan_graph *g, uint32_t i, int depth, mr_text *text) {
  for (uint32_t s = 0; g && s < g->num_strands; s++) {
    if (g->strands[s].first == i) {
      mr_text_put(text, "%*sstrand %u", 2 * depth, "", s);
      print_list(text, g->inputs, g->input_offsets[s], g->input_offsets[s + 1]);
      mr_text_put(text, "  # %llu ns, %llu to the end\n", (unsigned long long)g->strands[s].cost_ns,
                  (unsigned long long)g->strands[s].rank_ns);
    }
  }
}

static void print_graph(const mr_executable *e, const plan_graph *g, int depth, mr_text *text) {
  mr_text_put(text, "%*s%u strands  # %llu ns as they are, %llu as one straight call, %llu on the longest way\n",
              2 * depth, "", g->num_strands, (unsigned long long)g->wide_ns, (unsigned long long)g->straight_ns,
              (unsigned long long)g->critical_ns);
  for (uint32_t k = 0; g->result_offsets && k < e->num_results; k++) {
    mr_text_put(text, "%*sresult %u", 2 * depth, "", k);
    print_list(text, g->result_strands, g->result_offsets[k], g->result_offsets[k + 1]);
    mr_text_put(text, "\n");
  }
}

static void print_sequence(const mr_executable *e, const plan_sequence *sequence, int depth, mr_text *text) {
  if (sequence->graph) {
    print_graph(e, sequence->graph, depth, text);
  }
  for (uint32_t i = 0; i < sequence->count; i++) {
    const plan_step *step = &sequence->steps[i];
    print_strand(sequence->graph, i, depth, text);
    mr_text_put(text, "%*s%s %s", 2 * depth, "", kind_names[step->kind], step->name);
    for (uint32_t b = 0; b < step->num_buffers; b++) {
      print_buffer(e, step->buffers[b], text);
    }
    bool on_host = e->for_target && (step->kind == STEP_LIBRARY || (step->kind == STEP_KERNEL && !step->unit));
    mr_text_put(text, "  # %llu ns, %llu bytes%s%s\n", (unsigned long long)step->cost_ns,
                (unsigned long long)step->touched, step->kind == STEP_WHILE ? " a round" : "",
                on_host ? ", on the host" : "");
    for (uint32_t r = 0; r < step->num_sequences; r++) {
      mr_text_put(text, "%*sregion %u\n", 2 * depth, "", r);
      print_sequence(e, &step->sequences[r], depth + 1, text);
    }
  }
}

void mr_executable_print_plan(const mr_executable *e, mr_text *text) {
  mr_text_put(text, "plan %.*s: %u buffers, %zu temporary bytes\n", MR_STR_ARG(e->name), e->num_buffers, e->temp_bytes);
  print_sequence(e, &e->main, 1, text);
}

void mr_executable_print(const mr_executable *e, mr_text *text) {
  mr_text_append(text, (mr_str){e->text.data, e->text.size});
  mr_executable_print_plan(e, text);
}
