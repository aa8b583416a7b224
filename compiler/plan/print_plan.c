// A plan as text.
#include "compiler/plan/plan.h"

static const char *const place_names[] = {
    [PLACE_TEMP] = "temp", [PLACE_PARAM] = "param", [PLACE_RESULT] = "result", [PLACE_CONST] = "const"};
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

static void print_sequence(const mr_executable *e, const plan_sequence *sequence, int depth, mr_text *text) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    const plan_step *step = &sequence->steps[i];
    mr_text_put(text, "%*s%s %s", 2 * depth, "", kind_names[step->kind], step->name);
    for (uint32_t b = 0; b < step->num_buffers; b++) {
      print_buffer(e, step->buffers[b], text);
    }
    mr_text_put(text, "  # %llu ns\n", (unsigned long long)step->cost_ns);
    for (uint32_t r = 0; r < step->num_sequences; r++) {
      mr_text_put(text, "%*sregion %u\n", 2 * depth, "", r);
      print_sequence(e, &step->sequences[r], depth + 1, text);
    }
  }
}

void mr_executable_print(const mr_executable *e, mr_text *text) {
  mr_text_append(text, (mr_str){e->text.data, e->text.size});
  mr_text_put(text, "plan %.*s: %u buffers, %zu temporary bytes\n", MR_STR_ARG(e->name), e->num_buffers, e->temp_bytes);
  print_sequence(e, &e->main, 1, text);
}
