// A plan as a picture in the DOT language: a box for each step, an arrow from the step that wrote a buffer to those that
// read it, with the type of what is in it, a frame around each strand and around the regions of loops and branches. The steps of
// the critical path, the longest way through the main sequence by the estimates, and the arrows between them are red.
#include <string.h>

#include "compiler/plan/graph.h"
#include "compiler/plan/plan.h"

// What a box has in the end, known before anything is drawn: everything is gone through twice.
typedef struct box {
  double way_ns;       // the longest way to its end
  uint32_t before;     // the box before it on that way; 0: none
  uint32_t outermost;  // the box of the main sequence that it is or lies in
  bool critical;
} box;

typedef struct drawing {
  const mr_executable *executable;
  mr_text *text;     // NULL: going through for the first time
  uint32_t *writer;  // by buffer: the number of the box that wrote it last; 0: none yet
  box *boxes;        // from 1 on
  uint32_t num_boxes, frames, outermost;
} drawing;

#define PUT(d, ...) ((d)->text ? mr_text_put((d)->text, __VA_ARGS__) : (void)0)

static void put_name(drawing *d, const char *name) {
  for (; name && *name; name++) {
    if (*name == '"' || *name == '\\') {
      PUT(d, "\\");
    }
    PUT(d, "%c", *name);
  }
}

// The contents of a fusion, in lines.
static void put_contents(drawing *d, const char *contents) {
  enum { LINE = 40 };
  size_t used = 0;
  for (const char *at = contents; at && *at; at++) {
    used++;
    if (*at == ' ' && used > LINE) {
      PUT(d, "\\n");
      used = 0;
    } else {
      PUT(d, "%c", *at);
    }
  }
  if (used) {
    PUT(d, "\\n");
  }
}

// "256x784xf32", or how many bytes where no step says what is in it.
static void put_type(drawing *d, const plan_buffer *b) {
  char text[256];
  if (b->dtype == MR_INVALID) {
    PUT(d, "%zu B", b->bytes);
  } else {
    PUT(d, "%s", mr_dims_text(b->dtype, b->dims, b->rank, text, sizeof text));
  }
}

static bool writes(const plan_step *step, uint32_t i) {
  if (step->kind == STEP_COPY) {
    return i == 0;
  }
  return step->kind != STEP_WHILE && step->kind != STEP_CASE && (step->access[i] & MR_L_WRITE);
}

static bool reads(const plan_step *step, uint32_t i) {
  return step->kind == STEP_COPY ? i != 0 : !writes(step, i) || (step->access[i] & MR_L_READ);
}

static uint32_t add_box(drawing *d, double cost_ns) {
  uint32_t number = ++d->num_boxes;
  if (!d->text) {
    d->boxes[number].outermost = d->outermost ? d->outermost : number;
    d->boxes[number].way_ns = cost_ns;
  }
  return number;
}

static void put_port(drawing *d, const plan_buffer *b, uint32_t number) {
  if (d->writer[number]) {
    return;
  }
  uint32_t port = d->writer[number] = add_box(d, 0);
  if (b->place == PLACE_PARAM) {
    PUT(d, "  n%u [label=\"parameter %u\\n", port, b->index);
  } else {
    PUT(d, "  n%u [label=\"constant\\n", port);
  }
  put_type(d, b);
  PUT(d, "\\n%zu B\", shape=ellipse%s];\n", b->bytes, b->place == PLACE_PARAM ? "" : ", style=dashed");
}

// An arrow, and in the first round what it says of the longest way.
static void put_edge(drawing *d, uint32_t from, uint32_t to, double cost_ns, const plan_buffer *b) {
  box *outer_from = &d->boxes[d->boxes[from].outermost], *outer_to = &d->boxes[d->boxes[to].outermost];
  if (!d->text) {
    double way_ns = outer_from->way_ns + cost_ns;
    bool first = !outer_to->before && way_ns >= outer_to->way_ns;
    if (outer_from != outer_to && (first || way_ns > outer_to->way_ns)) {
      outer_to->way_ns = way_ns;
      outer_to->before = d->boxes[from].outermost;
    }
    return;
  }
  bool critical = outer_to->critical && outer_from->critical && outer_to->before == d->boxes[from].outermost;
  PUT(d, "  n%u -> n%u [label=\"", from, to);
  put_type(d, b);
  PUT(d, "\"%s];\n", critical ? ", style=bold, color=\"#cc0000\"" : "");
}

static void draw_sequence(drawing *d, const plan_sequence *sequence);

static void draw_regions(drawing *d, const plan_step *step, uint32_t number) {
  uint32_t outer = d->outermost;
  d->outermost = d->boxes[number].outermost;
  for (uint32_t r = 0; r < step->num_sequences; r++) {
    PUT(d, "  subgraph cluster_%u {\n  label=\"", d->frames++);
    put_name(d, step->name);
    PUT(d, step->kind == STEP_CASE ? " branch %u\";\n" : (r ? " body\";\n" : " condition\";\n"), r);
    uint32_t first = d->num_boxes + 1;
    draw_sequence(d, &step->sequences[r]);
    PUT(d, "  }\n");
    if (d->num_boxes >= first) {
      PUT(d, "  n%u -> n%u [style=dotted];\n", number, first);
    }
  }
  d->outermost = outer;
}

// What a device has of the others when its step is over.
static void put_meeting(drawing *d, const plan_step *step) {
  size_t bytes = 0;
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    bytes = mr_size_add(bytes, writes(step, i) ? d->executable->buffers[step->buffers[i]].bytes : 0);
  }
  PUT(d, "%zu B from all\\n", bytes);
}

static void draw_step(drawing *d, const plan_step *step) {
  static const char *const colours[] = {[STEP_KERNEL] = "#dbe9f6",
                                        [STEP_LIBRARY] = "#fde3c8",
                                        [STEP_COPY] = "#eeeeee",
                                        [STEP_WHILE] = "#e2f0d9",
                                        [STEP_CASE] = "#f3e0f0"};
  uint32_t number = add_box(d, (double)step->cost_ns);
  PUT(d, "  n%u [label=\"", number);
  put_name(d, step->name);
  PUT(d, "\\n");
  put_contents(d, step->contents);
  if (step->kind == STEP_LIBRARY && step->library->meets) {
    put_meeting(d, step);
  }
  if (step->kind == STEP_WHILE) {
    PUT(d, "%llu B a round\\n", (unsigned long long)step->touched);
  }
  PUT(d, "%.1f us\", fillcolor=\"%s\"%s];\n", (double)step->cost_ns / 1e3, colours[step->kind],
      d->boxes[number].critical ? ", color=\"#cc0000\", penwidth=2" : "");
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    uint32_t from = d->writer[step->buffers[i]];
    // A step that has a buffer twice reads it once.
    if (from && from != number && reads(step, i)) {
      put_edge(d, from, number, (double)step->cost_ns, &d->executable->buffers[step->buffers[i]]);
    }
    if (writes(step, i)) {
      d->writer[step->buffers[i]] = number;
    }
  }
  draw_regions(d, step, number);
}

static void draw_sequence(drawing *d, const plan_sequence *sequence) {
  uint32_t strand = 0;
  const plan_graph *graph = sequence->graph;
  for (uint32_t i = 0; i < sequence->count; i++) {
    if (graph && i == graph->strands[strand].first) {
      PUT(d, "  subgraph cluster_%u {\n  label=\"strand %u, %.1f us", d->frames++, strand,
          (double)graph->strands[strand].cost_ns / 1e3);
      for (uint32_t e = graph->input_offsets[strand]; e < graph->input_offsets[strand + 1]; e++) {
        PUT(d, "%s%u", e == graph->input_offsets[strand] ? ", after " : ", ", graph->inputs[e]);
      }
      PUT(d, "\";\n");
    }
    draw_step(d, &sequence->steps[i]);
    if (graph && i + 1 == graph->strands[strand].first + graph->strands[strand].count) {
      PUT(d, "  }\n");
      strand += strand + 1 < graph->num_strands;
    }
  }
}

static void draw_all(drawing *d) {
  const mr_executable *e = d->executable;
  d->num_boxes = d->frames = d->outermost = 0;
  memset(d->writer, 0, (size_t)e->num_buffers * sizeof *d->writer);
  for (uint32_t b = 0; b < e->num_buffers; b++) {
    if (e->buffers[b].place == PLACE_PARAM || e->buffers[b].place == PLACE_CONST) {
      put_port(d, &e->buffers[b], b);
    }
  }
  draw_sequence(d, &e->main);
  for (uint32_t k = 0; k < e->num_results; k++) {
    const plan_buffer *b = &e->buffers[e->result_buffers[k]];
    PUT(d, "  r%u [label=\"result %u\\n", k, k);
    put_type(d, b);
    PUT(d, "\\n%zu B\", shape=ellipse];\n", e->results[k].bytes);
    if (d->writer[e->result_buffers[k]]) {
      PUT(d, "  n%u -> r%u;\n", d->writer[e->result_buffers[k]], k);
    }
  }
}

// Marks the longest way; returns how long it is.
static double mark_critical(drawing *d) {
  uint32_t last = 0;
  for (uint32_t i = 1; i <= d->num_boxes; i++) {
    if (d->boxes[i].outermost == i && d->boxes[i].way_ns > d->boxes[last].way_ns) {
      last = i;
    }
  }
  for (uint32_t i = last; i; i = d->boxes[i].before) {
    d->boxes[i].critical = true;
  }
  return d->boxes[last].way_ns;
}

static uint32_t count_steps(const plan_sequence *sequence) {
  uint32_t count = sequence->count;
  for (uint32_t i = 0; i < sequence->count; i++) {
    for (uint32_t r = 0; r < sequence->steps[i].num_sequences; r++) {
      count += count_steps(&sequence->steps[i].sequences[r]);
    }
  }
  return count;
}

void mr_executable_draw(const mr_executable *e, mr_text *text) {
  drawing d = {.executable = e};
  d.writer = mr_alloc_zeroed((size_t)e->num_buffers + 1, sizeof *d.writer);
  d.boxes = mr_alloc_zeroed((size_t)e->num_buffers + count_steps(&e->main) + 1, sizeof *d.boxes);
  if (d.writer && d.boxes) {
    draw_all(&d);
    double critical_ns = mark_critical(&d);
    d.text = text;
    mr_text_put(text, "digraph \"%.*s\" {\n  node [shape=box, style=filled, fillcolor=white, fontname=Helvetica];\n",
                MR_STR_ARG(e->name));
    uint32_t rows = mr_executable_row_count(e);
    mr_text_put(text, "  label=\"critical path %.1f us of %.1f us on one core", critical_ns / 1e3,
                (double)e->cost_ns / 1e3);
    if (rows > 1) {
      mr_text_put(text, ", on each of %u devices", rows);
    }
    mr_text_put(text, "\";\n");
    draw_all(&d);
    mr_text_put(text, "}\n");
  } else {
    text->failed = true;
  }
  mr_free(d.writer);
  mr_free(d.boxes);
}
