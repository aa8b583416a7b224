// What a unit does without waiting in between becomes a strand.
//
// A lane is cut where something on another lane waits for what is done so far, and where it would wait itself. Then of an edge from one
// strand to another the first ends, as it was estimated, before the other begins: so there is no circle, whatever the times are when
// it runs. It is cut as well where what comes has nothing to do with a strand that is long enough: who has time takes it.
#include <stdlib.h>

#include "compiler/weave/weave.h"

// A stretch of a lane's clumps, to become a strand.
typedef struct stretch {
  uint64_t start, finish;
  uint32_t first;  // in the order of placing
  uint32_t lane, number;
} stretch;

typedef struct cutting {
  const plan_clumps *clumps;
  const plan_lanes *lanes;
  const plan_units *units;
  uint32_t *sorted;  // clumps by lane, as they were placed
  uint64_t *limit;   // by clump: when the first on another lane that comes after it begins
  uint32_t *of;      // by clump: its stretch
  stretch *stretches;
  uint32_t count;
  bool too_many;
} cutting;

static void sort_by_lane(cutting *c, uint32_t *ends) {
  uint32_t count = c->clumps->dag.count;
  for (uint32_t i = 0; i < count; i++) {
    ends[c->lanes->lane[i]]++;
  }
  for (uint32_t l = 1; l < c->units->count; l++) {
    ends[l] += ends[l - 1];
  }
  for (uint32_t i = count; i-- > 0;) {
    uint32_t clump = c->lanes->order[i];
    c->sorted[--ends[c->lanes->lane[clump]]] = clump;
  }
}

static void find_limits(cutting *c) {
  const plan_dag *dag = &c->clumps->dag;
  for (uint32_t i = 0; i < dag->count; i++) {
    c->limit[i] = UINT64_MAX;
  }
  for (uint32_t i = 0; i < dag->count; i++) {
    for (uint32_t e = dag->offsets[i]; e < dag->offsets[i + 1]; e++) {
      uint32_t input = dag->nodes[e];
      if (c->lanes->lane[input] != c->lanes->lane[i]) {
        c->limit[input] = MR_MIN(c->limit[input], c->lanes->start[i]);
      }
    }
  }
}

static void begin_stretch(cutting *c, uint32_t clump, uint32_t at) {
  if (c->count == MR_PLAN_STRANDS) {
    c->too_many = true;
    return;
  }
  c->stretches[c->count] =
      (stretch){.start = c->lanes->start[clump], .first = at, .lane = c->lanes->lane[clump], .number = c->count};
  c->count++;
}

static void extend_stretch(cutting *c, uint32_t clump) {
  c->stretches[c->count - 1].finish = c->lanes->finish[clump];
  c->of[clump] = c->count - 1;
}

static bool needs_current(const cutting *c, uint32_t clump) {
  const plan_dag *dag = &c->clumps->dag;
  for (uint32_t e = dag->offsets[clump]; e < dag->offsets[clump + 1]; e++) {
    uint32_t input = dag->nodes[e];
    if (c->lanes->lane[input] == c->lanes->lane[clump] && c->of[input] == c->count - 1) {
      return true;
    }
  }
  return false;
}

// First for the sake of those that wait for what a strand has done.
static void cut_after(cutting *c) {
  uint64_t limit = 0, cost = 0;
  for (uint32_t i = 0; i < c->clumps->dag.count && !c->too_many; i++) {
    uint32_t clump = c->sorted[i];
    uint64_t own = mr_work_ns(c->clumps->work[clump]);
    bool same = c->count && c->stretches[c->count - 1].lane == c->lanes->lane[clump];
    bool apart = same && cost >= c->units->quantum_ns && !needs_current(c, clump);
    if (!same || apart || c->lanes->finish[clump] > limit) {
      begin_stretch(c, clump, i);
      limit = UINT64_MAX;
      cost = 0;
    }
    if (!c->too_many) {
      extend_stretch(c, clump);
      limit = MR_MIN(limit, c->limit[clump]);
      cost += own;
    }
  }
}

// When all that a clump needs from other lanes is there, by the stretches that were cut first.
static uint64_t inputs_end(const cutting *c, const stretch *stretches, const uint32_t *of, uint32_t clump) {
  const plan_dag *dag = &c->clumps->dag;
  uint64_t end = 0;
  for (uint32_t e = dag->offsets[clump]; e < dag->offsets[clump + 1]; e++) {
    uint32_t input = dag->nodes[e];
    if (c->lanes->lane[input] != c->lanes->lane[clump]) {
      end = MR_MAX(end, stretches[of[input]].finish);
    }
  }
  return end;
}

// Then for the sake of what lies before something that has to wait.
static void cut_before(cutting *c, const stretch *stretches, const uint32_t *of) {
  c->count = 0;
  for (uint32_t i = 0; i < c->clumps->dag.count && !c->too_many; i++) {
    uint32_t clump = c->sorted[i];
    bool same = i > 0 && of[clump] == of[c->sorted[i - 1]];
    if (!same || inputs_end(c, stretches, of, clump) > c->stretches[c->count - 1].start) {
      begin_stretch(c, clump, i);
    }
    if (!c->too_many) {
      extend_stretch(c, clump);
    }
  }
}

static int by_time(const void *a, const void *b) {
  const stretch *x = a, *y = b;
  if (x->start != y->start) {
    return x->start < y->start ? -1 : 1;
  }
  if (x->finish != y->finish) {
    return x->finish < y->finish ? -1 : 1;
  }
  return x->first < y->first ? -1 : x->first > y->first;
}

static mr_status cut(mr_arena *arena, cutting *c) {
  uint32_t count = c->clumps->dag.count;
  uint32_t *ends = mr_arena_array(arena, uint32_t, c->units->count + 1);
  c->sorted = mr_arena_array(arena, uint32_t, count + 1);
  c->limit = mr_arena_array(arena, uint64_t, count + 1);
  uint32_t *first_of = mr_arena_array(arena, uint32_t, count + 1), *of = mr_arena_array(arena, uint32_t, count + 1);
  stretch *first = mr_arena_array(arena, stretch, MR_PLAN_STRANDS);
  stretch *second = mr_arena_array(arena, stretch, MR_PLAN_STRANDS);
  if (!ends || !c->sorted || !c->limit || !first_of || !of || !first || !second) {
    return MR_NO_MEMORY();
  }
  sort_by_lane(c, ends);
  find_limits(c);
  c->of = first_of;
  c->stretches = first;
  cut_after(c);
  c->of = of;
  c->stretches = second;
  cut_before(c, first, first_of);
  if (!c->too_many) {
    qsort(second, c->count, sizeof *second, by_time);
  }
  return MR_OK;
}

// ---- Edges ----------------------------------------------------------------------------------------------------------------

// Of all that a strand comes after keeps what does not follow from the rest, and finds what lies before it.
static mr_status reduce(mr_arena *arena, plan_weaving *w, const plan_set *after) {
  plan_graph *g = &w->graph;
  uint32_t edges = 0;
  uint32_t *kept = mr_arena_array(arena, uint32_t, g->num_strands *(size_t)g->num_strands / 2 + 1);
  g->input_offsets = mr_arena_array(arena, uint32_t, g->num_strands + 1);
  w->before = mr_arena_array(arena, plan_set, g->num_strands + 1);
  if (!kept || !g->input_offsets || !w->before) {
    return MR_NO_MEMORY();
  }
  for (uint32_t t = 0; t < g->num_strands; t++) {
    plan_set *before = &w->before[t];
    uint32_t first = edges;
    for (uint32_t s = t; s-- > 0;) {
      if (mr_set_has(&after[t], s) && !mr_set_has(before, s)) {
        kept[edges++] = s;
        mr_set_join(before, &w->before[s]);
        mr_set_add(before, s);
      }
    }
    for (uint32_t low = first, high = edges; low + 1 < high; low++) {  // ascending
      uint32_t swapped = kept[--high];
      kept[high] = kept[low];
      kept[low] = swapped;
    }
    g->input_offsets[t + 1] = edges;
  }
  g->inputs = mr_arena_copy(arena, kept, (edges + 1) * sizeof *kept);
  return g->inputs ? MR_OK : MR_NO_MEMORY();
}

static void rank(plan_graph *g) {
  g->critical_ns = 0;
  for (uint32_t i = 0; i < g->num_strands; i++) {
    g->strands[i].rank_ns = g->strands[i].cost_ns;
  }
  for (uint32_t i = g->num_strands; i-- > 0;) {
    g->critical_ns = MR_MAX(g->critical_ns, g->strands[i].rank_ns);
    for (uint32_t e = g->input_offsets[i]; e < g->input_offsets[i + 1]; e++) {
      plan_strand *input = &g->strands[g->inputs[e]];
      input->rank_ns = MR_MAX(input->rank_ns, input->cost_ns + g->strands[i].rank_ns);
    }
  }
}

static mr_status fill_edges(mr_arena *arena, plan_weaving *w, const plan_dag *steps) {
  plan_dag dag;
  MR_TRY(mr_weave_join(arena, steps, w->of_step, w->graph.num_strands, &dag));
  plan_set *after = mr_arena_array(arena, plan_set, w->graph.num_strands + 1);
  if (!after) {
    return MR_NO_MEMORY();
  }
  for (uint32_t t = 0; t < w->graph.num_strands; t++) {
    for (uint32_t e = dag.offsets[t]; e < dag.offsets[t + 1]; e++) {
      mr_set_add(&after[t], dag.nodes[e]);
    }
  }
  MR_TRY(reduce(arena, w, after));
  rank(&w->graph);
  return MR_OK;
}

mr_status mr_weave_strands(mr_arena *arena, const plan_clumps *clumps, const plan_lanes *lanes, const plan_dag *steps,
                           const plan_units *units, plan_weaving *out_weaving) {
  *out_weaving = (plan_weaving){0};
  cutting c = {.clumps = clumps, .lanes = lanes, .units = units};
  MR_TRY(cut(arena, &c));
  if (c.too_many) {
    return MR_OK;
  }
  plan_weaving *w = out_weaving;
  uint32_t *number = mr_arena_array(arena, uint32_t, c.count + 1);
  w->graph.strands = mr_arena_array(arena, plan_strand, c.count + 1);
  w->of_step = mr_arena_array(arena, uint32_t, steps->count + 1);
  w->work = mr_arena_array(arena, plan_work, c.count + 1);
  w->start = mr_arena_array(arena, uint64_t, c.count + 1);
  w->finish = mr_arena_array(arena, uint64_t, c.count + 1);
  if (!number || !w->graph.strands || !w->of_step || !w->work || !w->start || !w->finish) {
    return MR_NO_MEMORY();
  }
  w->graph.num_strands = c.count;
  for (uint32_t i = 0; i < c.count; i++) {
    number[c.stretches[i].number] = i;
    w->start[i] = c.stretches[i].start;
    w->finish[i] = c.stretches[i].finish;
  }
  for (uint32_t i = 0; i < clumps->dag.count; i++) {
    uint32_t strand = number[c.of[i]];
    w->work[strand] = mr_work_add(w->work[strand], clumps->work[i]);
    w->graph.strands[strand].cost_ns += mr_work_ns(clumps->work[i]);
  }
  for (uint32_t i = 0; i < steps->count; i++) {
    w->of_step[i] = number[c.of[clumps->of_step[i]]];
    w->graph.strands[w->of_step[i]].count++;
  }
  for (uint32_t i = 1; i < c.count; i++) {
    w->graph.strands[i].first = w->graph.strands[i - 1].first + w->graph.strands[i - 1].count;
  }
  return fill_edges(arena, w, steps);
}

mr_status mr_weave_tighten(mr_arena *arena, plan_weaving *w) {
  uint32_t count = w->graph.num_strands;
  plan_set *after = mr_arena_array(arena, plan_set, count + 1);
  if (!after) {
    return MR_NO_MEMORY();
  }
  for (uint32_t t = 0; t < count; t++) {
    after[t] = w->before[t];
    for (uint32_t s = 0; s < t; s++) {
      if (w->finish[s] <= w->start[t]) {
        mr_set_add(&after[t], s);
      }
    }
  }
  MR_TRY(reduce(arena, w, after));
  rank(&w->graph);
  return MR_OK;
}
