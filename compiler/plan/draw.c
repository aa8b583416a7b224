// A plan as a picture in the DOT language: a box for each step, an arrow from the step that wrote a buffer to those that
// read it, a frame around the regions of loops and branches.
#include "compiler/plan/plan.h"

typedef struct drawing {
  const mr_executable *executable;
  mr_text *text;
  uint32_t *writer;  // by buffer: 1 + number of the box that wrote it last; 0: none yet
  uint32_t boxes, frames;
} drawing;

static void put_name(mr_text *text, const char *name) {
  for (; name && *name; name++) {
    if (*name == '"' || *name == '\\') {
      mr_text_put(text, "\\");
    }
    mr_text_put(text, "%c", *name);
  }
}

// A step's arguments are operands, then results. Who has a buffer first has written it, and so has who has it last among
// its arguments, in place; a copy writes its first.
static bool writes(const drawing *d, const plan_step *step, uint32_t i) {
  if (step->kind == STEP_COPY) {
    return i == 0;
  }
  if (step->kind == STEP_WHILE || step->kind == STEP_CASE) {
    return false;
  }
  return !d->writer[step->buffers[i]] || i + 1 == step->num_buffers;
}

static void put_port(drawing *d, const plan_buffer *b, uint32_t number) {
  if (d->writer[number]) {
    return;
  }
  d->writer[number] = ++d->boxes;
  if (b->place == PLACE_PARAM) {
    mr_text_put(d->text, "  n%u [label=\"parameter %u\\n%zu B\", shape=ellipse];\n", d->boxes, b->index, b->bytes);
  } else {
    mr_text_put(d->text, "  n%u [label=\"constant\\n%zu B\", shape=ellipse, style=dashed];\n", d->boxes, b->bytes);
  }
}

static void draw_sequence(drawing *d, const plan_sequence *sequence);

static void draw_step(drawing *d, const plan_step *step) {
  static const char *const colours[] = {[STEP_KERNEL] = "#dbe9f6",
                                        [STEP_LIBRARY] = "#fde3c8",
                                        [STEP_COPY] = "#eeeeee",
                                        [STEP_WHILE] = "#e2f0d9",
                                        [STEP_CASE] = "#f3e0f0"};
  uint32_t box = ++d->boxes;
  mr_text_put(d->text, "  n%u [label=\"", box);
  put_name(d->text, step->name);
  mr_text_put(d->text, "\\n%.1f us\", fillcolor=\"%s\"];\n", (double)step->cost_ns / 1e3, colours[step->kind]);
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    uint32_t from = d->writer[step->buffers[i]];
    // A step that has a buffer twice reads it once.
    if (from && from != box) {
      mr_text_put(d->text, "  n%u -> n%u;\n", from, box);
    }
    if (writes(d, step, i)) {
      d->writer[step->buffers[i]] = box;
    }
  }
  for (uint32_t r = 0; r < step->num_sequences; r++) {
    mr_text_put(d->text, "  subgraph cluster_%u {\n  label=\"", d->frames++);
    put_name(d->text, step->name);
    mr_text_put(d->text, step->kind == STEP_CASE ? " branch %u\";\n" : (r ? " body\";\n" : " condition\";\n"), r);
    uint32_t first = d->boxes + 1;
    draw_sequence(d, &step->sequences[r]);
    mr_text_put(d->text, "  }\n");
    if (d->boxes >= first) {
      mr_text_put(d->text, "  n%u -> n%u [style=dotted];\n", box, first);
    }
  }
}

static void draw_sequence(drawing *d, const plan_sequence *sequence) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    draw_step(d, &sequence->steps[i]);
  }
}

void mr_executable_draw(const mr_executable *e, mr_text *text) {
  drawing d = {.executable = e, .text = text, .writer = mr_alloc_zeroed((size_t)e->num_buffers + 1, sizeof(uint32_t))};
  if (!d.writer) {
    text->failed = true;
    return;
  }
  mr_text_put(text, "digraph \"%.*s\" {\n  node [shape=box, style=filled, fillcolor=white, fontname=Helvetica];\n",
              MR_STR_ARG(e->name));
  for (uint32_t b = 0; b < e->num_buffers; b++) {
    if (e->buffers[b].place == PLACE_PARAM || e->buffers[b].place == PLACE_CONST) {
      put_port(&d, &e->buffers[b], b);
    }
  }
  draw_sequence(&d, &e->main);
  for (uint32_t k = 0; k < e->num_results; k++) {
    mr_text_put(text, "  r%u [label=\"result %u\\n%zu B\", shape=ellipse];\n", k, k, e->results[k].bytes);
    uint32_t from = d.writer[e->result_buffers[k]];
    if (from) {
      mr_text_put(text, "  n%u -> r%u;\n", from, k);
    }
  }
  mr_text_put(text, "}\n");
  mr_free(d.writer);
}
