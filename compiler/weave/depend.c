// Which step of a sequence comes after which, from what they do with buffers.
//
// For each buffer the last step that wrote it and those that have read it since are known. A reader is taken off the list by the
// next writer, so that the whole takes as long as there are mentions of buffers.
#include <string.h>

#include "compiler/weave/weave.h"

typedef struct reader {
  uint32_t step, next;  // next: 1 + its number; 0: no more
} reader;

// What happened to a buffer so far. Numbers are 1 + the step's or reader's; 0: none.
typedef struct history {
  uint32_t writer, readers;
} history;

// One for the whole plan: a sequence clears what it touched, so that each costs what is in it and not what is in the plan.
struct plan_histories {
  history *of;        // by buffer; the last one stands for what acts
  uint32_t *touched;  // as many
  uint32_t count;
};

typedef struct depending {
  struct plan_histories *histories;
  mr_arena *arena;
  plan_dag *dag;
  uint32_t *seen;  // by step: 1 + the last that was said to come after it
  uint32_t step, edges, edge_room;
  reader *readers;
  uint32_t num_readers, reader_room, free_reader;
  uint32_t acting;  // the buffer that is none
  bool failed;      // no memory
} depending;

// `room` of `old` grown to twice as many.
static void *grown(depending *d, const void *old, uint32_t *room, size_t size) {
  uint32_t wanted = MR_MAX(2 * *room, 64u);
  void *fresh = mr_arena_alloc(d->arena, wanted * size);
  if (!fresh) {
    d->failed = true;
    return NULL;
  }
  if (*room) {
    memcpy(fresh, old, *room * size);
  }
  *room = wanted;
  return fresh;
}

static void come_after(depending *d, uint32_t step) {
  if (step == d->step || d->seen[step] == d->step + 1 || d->failed) {
    return;
  }
  if (d->edges == d->edge_room) {
    uint32_t *nodes = grown(d, d->dag->nodes, &d->edge_room, sizeof *nodes);
    if (!nodes) {
      return;
    }
    d->dag->nodes = nodes;
  }
  d->seen[step] = d->step + 1;
  d->dag->nodes[d->edges++] = step;
}

static history *touch(depending *d, uint32_t buffer) {
  history *h = &d->histories->of[buffer];
  if (!h->writer && !h->readers) {
    d->histories->touched[d->histories->count++] = buffer;
  }
  return h;
}

static uint32_t new_reader(depending *d) {
  uint32_t number = d->free_reader;
  if (number) {
    d->free_reader = d->readers[number - 1].next;
    return number;
  }
  if (d->num_readers == d->reader_room) {
    reader *readers = grown(d, d->readers, &d->reader_room, sizeof *readers);
    if (!readers) {
      return 0;
    }
    d->readers = readers;
  }
  return ++d->num_readers;
}

static void note_read(depending *d, uint32_t buffer) {
  history *h = touch(d, buffer);
  if (h->writer) {
    come_after(d, h->writer - 1);
  }
  if (h->readers && d->readers[h->readers - 1].step == d->step) {
    return;
  }
  uint32_t number = new_reader(d);
  if (number) {
    d->readers[number - 1] = (reader){d->step, h->readers};
    h->readers = number;
  }
}

static void note_write(depending *d, uint32_t buffer) {
  history *h = touch(d, buffer);
  if (h->writer) {
    come_after(d, h->writer - 1);
  }
  while (h->readers) {
    uint32_t number = h->readers;
    reader *r = &d->readers[number - 1];
    come_after(d, r->step);
    h->readers = r->next;
    r->next = d->free_reader;
    d->free_reader = number;
  }
  h->writer = d->step + 1;
}

static void note_step(depending *d, const plan_step *step) {
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    if (step->access[i] & MR_L_READ) {
      note_read(d, step->buffers[i]);
    }
  }
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    if (step->access[i] & MR_L_WRITE) {
      note_write(d, step->buffers[i]);
    }
  }
  if (step->scratch != NO_BUFFER) {
    note_write(d, step->scratch);
  }
  if (step->acts) {
    note_write(d, d->acting);
  }
  for (uint32_t r = 0; r < step->num_sequences; r++) {
    for (uint32_t i = 0; i < step->sequences[r].count; i++) {
      note_step(d, &step->sequences[r].steps[i]);
    }
  }
}

static mr_status prepare(weaver *w) {
  if (w->histories) {
    return MR_OK;
  }
  uint32_t buffers = w->executable->num_buffers;
  struct plan_histories *h = mr_arena_new(w->arena, struct plan_histories);
  if (!h) {
    return MR_NO_MEMORY();
  }
  h->of = mr_arena_array(w->arena, history, buffers + 1);
  h->touched = mr_arena_array(w->arena, uint32_t, buffers + 1);
  if (!h->of || !h->touched) {
    return MR_NO_MEMORY();
  }
  w->histories = h;
  return MR_OK;
}

mr_status mr_weave_depend(weaver *w, const plan_sequence *sequence, plan_dag *out_dag) {
  MR_TRY(prepare(w));
  mr_arena *arena = w->arena;
  depending d = {.histories = w->histories, .arena = arena, .dag = out_dag, .acting = w->executable->num_buffers};
  *out_dag = (plan_dag){.count = sequence->count};
  out_dag->offsets = mr_arena_array(arena, uint32_t, sequence->count + 1);
  d.seen = mr_arena_array(arena, uint32_t, sequence->count + 1);
  if (!out_dag->offsets || !d.seen) {
    return MR_NO_MEMORY();
  }
  for (d.step = 0; d.step < sequence->count; d.step++) {
    note_step(&d, &sequence->steps[d.step]);
    out_dag->offsets[d.step + 1] = d.edges;
  }
  for (uint32_t i = 0; i < d.histories->count; i++) {
    d.histories->of[d.histories->touched[i]] = (history){0};
  }
  d.histories->count = 0;
  return d.failed ? MR_NO_MEMORY() : MR_OK;
}

mr_status mr_weave_turn(mr_arena *arena, const plan_dag *dag, plan_dag *out_turned) {
  uint32_t edges = dag->count ? dag->offsets[dag->count] : 0;
  *out_turned = (plan_dag){.count = dag->count};
  uint32_t *next = out_turned->offsets = mr_arena_array(arena, uint32_t, dag->count + 2);
  out_turned->nodes = mr_arena_array(arena, uint32_t, edges + 1);
  if (!next || !out_turned->nodes) {
    return MR_NO_MEMORY();
  }
  // While counting, entry i + 2 is how many come after node i; then entry i + 1 is where its list begins, and after filling where it ends.
  for (uint32_t e = 0; e < edges; e++) {
    next[dag->nodes[e] + 2]++;
  }
  for (uint32_t i = 1; i <= dag->count; i++) {
    next[i + 1] += next[i];
  }
  for (uint32_t i = 0; i < dag->count; i++) {
    for (uint32_t e = dag->offsets[i]; e < dag->offsets[i + 1]; e++) {
      out_turned->nodes[next[dag->nodes[e] + 1]++] = i;
    }
  }
  return MR_OK;
}

mr_status mr_weave_join(mr_arena *arena, const plan_dag *dag, const uint32_t *of, uint32_t count,
                        plan_dag *out_joined) {
  *out_joined = (plan_dag){.count = count};
  uint32_t *ends = mr_arena_array(arena, uint32_t, count + 2),
           *members = mr_arena_array(arena, uint32_t, dag->count + 1);
  uint32_t *seen = mr_arena_array(arena, uint32_t, count + 1);
  out_joined->offsets = mr_arena_array(arena, uint32_t, count + 1);
  out_joined->nodes = mr_arena_array(arena, uint32_t, (dag->count ? dag->offsets[dag->count] : 0) + 1);
  if (!ends || !members || !seen || !out_joined->offsets || !out_joined->nodes) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < dag->count; i++) {
    ends[of[i] + 1]++;
  }
  for (uint32_t g = 0; g < count; g++) {
    ends[g + 1] += ends[g];
  }
  for (uint32_t i = dag->count; i-- > 0;) {  // from the end, so that ends become beginnings
    members[--ends[of[i] + 1]] = i;
  }
  uint32_t edges = 0;
  for (uint32_t g = 0; g < count; g++) {
    uint32_t end = g + 1 < count ? ends[g + 2] : dag->count;
    for (uint32_t m = ends[g + 1]; m < end; m++) {
      for (uint32_t e = dag->offsets[members[m]]; e < dag->offsets[members[m] + 1]; e++) {
        uint32_t other = of[dag->nodes[e]];
        if (other != g && seen[other] != g + 1) {
          seen[other] = g + 1;
          out_joined->nodes[edges++] = other;
        }
      }
    }
    out_joined->offsets[g + 1] = edges;
  }
  return MR_OK;
}
