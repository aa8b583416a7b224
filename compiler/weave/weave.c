// Whether strands pay, for the main sequence and for the bodies and branches in it, and what memory that takes.
//
// First all weavings that win enough are made beside the sequences. Then the temporaries are packed as one straight call and as strands
// would have them; if that takes too much memory, strands wait for one another more, and if it still does, there are none.
#include <stdlib.h>
#include <string.h>

#include "compiler/weave/tuning.h"
#include "compiler/weave/weave.h"

// ---- The machine ----------------------------------------------------------------------------------------------------------

static mr_status count_units(uint32_t *out_count) {
  mr_scheduler *scheduler = NULL;
  MR_TRY(mr_scheduler_acquire(&scheduler));
  *out_count = mr_group_concurrency(mr_scheduler_group(scheduler, 0, 1));
  mr_scheduler_release(scheduler);
  return MR_OK;
}

// One unit, unless something is `worth` looking at or strands are asked for. MILLRACE_PLAN_UNITS: as many as said, not as there are,
// for who wants to know how a larger machine's plan looks.
// All rows of a program run at once: each has its part of them.
static mr_status find_units(const mr_executable *e, bool worth, plan_units *out_units) {
  uint32_t count = 1;
  int64_t asked = -1, pretended = 0;
  MR_TRY(mr_env_int("STRANDS", -1, -1, MR_PLAN_STRANDS, &asked));
  MR_TRY(mr_env_int("PLAN_UNITS", 0, 0, INT32_MAX, &pretended));
  if (worth && asked < 0 && pretended) {
    count = (uint32_t)pretended;
  } else if (worth && asked < 0) {
    MR_TRY(count_units(&count));
  }
  uint64_t rows = (uint64_t)e->num_replicas * e->num_partitions;
  count = (uint32_t)MR_MAX(count / MR_MAX(rows, 1), 1);
  *out_units = (plan_units){.count = MR_MIN(count, (uint32_t)MR_PLAN_STRANDS),
                            .begin_ns = e->wake_ns,
                            .wake_ns = MR_MIN(e->wake_ns, (uint64_t)MR_WEAVE_HANDOVER_NS),
                            .strand_ns = MR_WEAVE_STRAND_NS,
                            .quantum_ns = MR_WEAVE_QUANTUM_NS};
  if (asked >= 0) {
    *out_units = (plan_units){.count = (uint32_t)asked, .begin_ns = 1, .wake_ns = 1, .forced = true};
  }
  return MR_OK;
}

// ---- One sequence -----------------------------------------------------------------------------------------------------------

static uint64_t straight_ns(const plan_sequence *sequence, const plan_units *units, uint64_t *out_cost) {
  uint64_t takes = 0;
  for (uint32_t i = 0; i < sequence->count; i++) {
    plan_work work = mr_weave_step_work(&sequence->steps[i]);
    takes += mr_weave_duration(work, units->count, units->wake_ns);
    *out_cost += mr_work_ns(work);
  }
  return takes;
}

// A round of a loop that is strands pays each time for beginning with them.
static bool wins(const plan_graph *graph, const plan_units *units, bool is_main) {
  uint64_t least = MR_MAX(graph->straight_ns * MR_WEAVE_WIN_PERCENT / 100,
                          (uint64_t)(is_main ? MR_WEAVE_WIN_NS : MR_WEAVE_WIN_ROUND_NS));
  return units->forced || graph->wide_ns + least <= graph->straight_ns;
}

// With parts that are worth more as long as there are too many.
static mr_status cut_sequence(weaver *w, const plan_sequence *sequence, const plan_dag *steps, plan_units units,
                              plan_weaving *out_weaving) {
  for (int turn = 0; turn < MR_WEAVE_TURNS; turn++) {
    plan_clumps clumps;
    plan_lanes lanes;
    MR_TRY(mr_weave_clump(w->arena, sequence, steps, &units, &clumps));
    MR_TRY(mr_weave_lanes(w->arena, &clumps, &units, &lanes));
    MR_TRY(mr_weave_strands(w->arena, &clumps, &lanes, steps, &units, out_weaving));
    if (out_weaving->graph.num_strands) {
      return MR_OK;
    }
    units.wake_ns = 2 * MR_MAX(units.wake_ns, (uint64_t)MR_WEAVE_STRAND_NS);
    units.quantum_ns = 2 * MR_MAX(units.quantum_ns, (uint64_t)MR_WEAVE_STRAND_NS);
    units.forced = false;
  }
  return MR_OK;
}

// Gives the sequence a weaving when that wins.
static mr_status weave_sequence(weaver *w, plan_sequence *sequence) {
  plan_units units = w->units;
  bool is_main = sequence == &w->executable->main;
  uint64_t cost = 0;
  uint64_t straight = straight_ns(sequence, &units, &cost);
  if (sequence->count < 2 || (!units.forced && straight < (is_main ? MR_WEAVE_LEAST_NS : MR_WEAVE_LEAST_ROUND_NS))) {
    return MR_OK;
  }
  units.quantum_ns = MR_MAX(units.quantum_ns, units.forced ? 0 : cost / units.count / MR_WEAVE_QUANTUM_PARTS);
  plan_dag steps;
  MR_TRY(mr_weave_depend(w, sequence, &steps));
  plan_weaving *weaving = mr_arena_new(w->arena, plan_weaving);
  if (!weaving) {
    return MR_NO_MEMORY();
  }
  MR_TRY(cut_sequence(w, sequence, &steps, units, weaving));
  if (weaving->graph.num_strands < 2) {
    return MR_OK;
  }
  weaving->graph.straight_ns = straight;
  MR_TRY(mr_weave_simulate(w->arena, weaving, &units, &weaving->graph.wide_ns));
  if (wins(&weaving->graph, &units, is_main)) {
    sequence->weaving = weaving;
    w->woven++;
  }
  return MR_OK;
}

static bool is_full(const weaver *w, const plan_sequence *sequence) {
  uint64_t cost = 0;
  (void)straight_ns(sequence, &w->units, &cost);
  const plan_graph *graph = &sequence->weaving->graph;
  return !w->units.forced && cost * 100 >= graph->wide_ns * w->units.count * MR_WEAVE_FULL_PERCENT;
}

static mr_status weave_all(weaver *w, plan_sequence *sequence) {
  MR_TRY(weave_sequence(w, sequence));
  if (sequence->weaving && is_full(w, sequence)) {
    return MR_OK;
  }
  for (uint32_t i = 0; i < sequence->count; i++) {
    plan_step *step = &sequence->steps[i];
    // What lies in it takes no longer, so that of what is short nothing is looked at again on the way in.
    bool looked_at = w->units.forced || step->cost_ns >= MR_WEAVE_LEAST_ROUND_NS;
    for (uint32_t r = 0; looked_at && r < step->num_sequences; r++) {
      MR_TRY(weave_all(w, &step->sequences[r]));
    }
  }
  return MR_OK;
}

// ---- Memory -----------------------------------------------------------------------------------------------------------------

// Calls visit for each sequence that has a weaving, inner ones first.
static mr_status each_woven(weaver *w, plan_sequence *sequence,
                            mr_status (*visit)(weaver *w, plan_sequence *sequence)) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    for (uint32_t r = 0; r < sequence->steps[i].num_sequences; r++) {
      MR_TRY(each_woven(w, &sequence->steps[i].sequences[r], visit));
    }
  }
  return sequence->weaving ? visit(w, sequence) : MR_OK;
}

static mr_status drop_one(weaver *w, plan_sequence *sequence) {
  sequence->weaving = NULL;
  w->woven--;
  return MR_OK;
}

static mr_status tighten_one(weaver *w, plan_sequence *sequence) {
  plan_weaving *weaving = sequence->weaving;
  MR_TRY(mr_weave_tighten(w->arena, weaving));
  MR_TRY(mr_weave_simulate(w->arena, weaving, &w->units, &weaving->graph.wide_ns));
  return wins(&weaving->graph, &w->units, sequence == &w->executable->main) ? MR_OK : drop_one(w, sequence);
}

static mr_status pack_woven(weaver *w, size_t *out_bytes) {
  plan_order *order = NULL;
  MR_TRY(mr_order_create(w->arena, w->executable, &order));
  return mr_weave_pack(w->arena, w->executable, order, out_bytes);
}

static size_t most_bytes(const weaver *w, size_t straight) {
  const mr_executable *e = w->executable;
  size_t ports = mr_size_add(e->stats.argument_bytes, e->stats.result_bytes);
  size_t all = mr_size_add(ports, mr_size_add(e->stats.constant_bytes, straight));
  size_t more = (size_t)MR_WEAVE_MORE_BYTES * (w->units.count - 1);
  return w->units.forced ? SIZE_MAX : mr_size_add(straight, MR_MAX(all / 100 * MR_WEAVE_MORE_PERCENT, more));
}

static mr_status pack(weaver *w, size_t *out_bytes) {
  plan_sequence *main = &w->executable->main;
  MR_TRY(mr_weave_pack(w->arena, w->executable, NULL, out_bytes));
  size_t most = most_bytes(w, *out_bytes);
  for (int turn = 0; w->woven && turn < 2; turn++) {
    MR_TRY(pack_woven(w, out_bytes));
    if (*out_bytes <= most) {
      return MR_OK;
    }
    MR_TRY(each_woven(w, main, turn == 0 ? tighten_one : drop_one));
  }
  return w->woven ? MR_OK : mr_weave_pack(w->arena, w->executable, NULL, out_bytes);
}

// ---- The graphs ---------------------------------------------------------------------------------------------------------------

static void *keep(weaver *w, const void *data, size_t count, size_t size) {
  return mr_arena_copy(&w->executable->arena, data, MR_MAX(count, (size_t)1) * size);
}

// The steps in the order of their strands, and the graph in the executable's memory.
static mr_status settle_one(weaver *w, plan_sequence *sequence) {
  const plan_weaving *weaving = sequence->weaving;
  plan_graph *g = keep(w, &weaving->graph, 1, sizeof *g);
  plan_step *steps = mr_arena_array(&w->executable->arena, plan_step, sequence->count);
  uint32_t *next = mr_arena_array(w->arena, uint32_t, weaving->graph.num_strands);
  if (!g || !steps || !next) {
    return MR_NO_MEMORY();
  }
  uint32_t edges = g->input_offsets[g->num_strands];
  g->strands = keep(w, g->strands, g->num_strands, sizeof *g->strands);
  g->input_offsets = keep(w, g->input_offsets, g->num_strands + 1, sizeof *g->input_offsets);
  g->inputs = keep(w, g->inputs, edges, sizeof *g->inputs);
  if (!g->strands || !g->input_offsets || !g->inputs) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < g->num_strands; i++) {
    next[i] = g->strands[i].first;
  }
  for (uint32_t i = 0; i < sequence->count; i++) {
    steps[next[weaving->of_step[i]]++] = sequence->steps[i];
  }
  sequence->steps = steps;
  sequence->capacity = sequence->count;
  sequence->graph = g;
  return MR_OK;
}

static void note_touched(const mr_executable *e, const plan_step *step, uint32_t strand, const uint32_t *result_of,
                         plan_set *touching) {
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    uint32_t result = result_of[step->buffers[i]];
    if (result) {
      mr_set_add(&touching[result - 1], strand);
    }
  }
  for (uint32_t r = 0; r < step->num_sequences; r++) {
    for (uint32_t i = 0; i < step->sequences[r].count; i++) {
      note_touched(e, &step->sequences[r].steps[i], strand, result_of, touching);
    }
  }
}

// After which strands a result's buffer is left alone: the last of those that touch it.
static mr_status find_result_strands(weaver *w) {
  const mr_executable *e = w->executable;
  const plan_weaving *weaving = e->main.weaving;
  plan_graph *g = e->main.graph;
  uint32_t *result_of = mr_arena_array(w->arena, uint32_t, e->num_buffers + 1);
  plan_set *touching = mr_arena_array(w->arena, plan_set, e->num_results + 1);
  g->result_offsets = mr_arena_array(&w->executable->arena, uint32_t, e->num_results + 1);
  uint32_t *strands = mr_arena_array(w->arena, uint32_t, e->num_results *(size_t)g->num_strands + 1);
  if (!result_of || !touching || !g->result_offsets || !strands) {
    return MR_NO_MEMORY();
  }
  for (uint32_t k = 0; k < e->num_results; k++) {
    result_of[e->result_buffers[k]] = k + 1;
  }
  for (uint32_t s = 0; s < g->num_strands; s++) {
    for (uint32_t i = 0; i < g->strands[s].count; i++) {
      note_touched(e, &e->main.steps[g->strands[s].first + i], s, result_of, touching);
    }
  }
  uint32_t count = 0;
  for (uint32_t k = 0; k < e->num_results; k++) {
    plan_set followed = {0};  // by another one that touches it
    for (uint32_t s = 0; s < g->num_strands; s++) {
      if (mr_set_has(&touching[k], s)) {
        mr_set_join(&followed, &weaving->before[s]);
      }
    }
    for (uint32_t s = 0; s < g->num_strands; s++) {
      if (mr_set_has(&touching[k], s) && !mr_set_has(&followed, s)) {
        strands[count++] = s;
      }
    }
    g->result_offsets[k + 1] = count;
  }
  g->result_strands = keep(w, strands, count, sizeof *strands);
  return g->result_strands ? MR_OK : MR_NO_MEMORY();
}

// All of it, with the temporary buffers' offsets.
static mr_status weave(weaver *w) {
  mr_executable *e = w->executable;
  uint64_t cost = 0;
  (void)straight_ns(&e->main, &(plan_units){.count = 1}, &cost);
  MR_TRY(find_units(e, cost >= MR_WEAVE_LEAST_NS, &w->units));
  // A queue in order gains nothing by strands, and each costs a look from the host.
  if (w->units.count > 1 && !e->for_target) {
    MR_TRY(weave_all(w, &e->main));
  }
  MR_TRY(w->woven ? pack(w, &e->temp_bytes) : mr_weave_pack(w->arena, e, NULL, &e->temp_bytes));
  if (!w->woven) {
    return MR_OK;
  }
  MR_TRY(each_woven(w, &e->main, settle_one));
  MR_TRY(e->main.graph ? find_result_strands(w) : MR_OK);
  MR_TRY(each_woven(w, &e->main, drop_one));
#ifndef NDEBUG
  MR_TRY(mr_weave_verify(e));
#endif
  return MR_OK;
}

// What is only known here takes several times as much memory as what it leaves in the plan, so it goes before kernels are compiled.
mr_status mr_weave_plan(mr_executable *e, size_t limit) {
  mr_arena arena;
  mr_arena_init(&arena, limit);
  mr_status status = weave(&(weaver){.executable = e, .arena = &arena});
  e->stats.temp_bytes = e->temp_bytes;
  mr_arena_deinit(&arena);
  return status;
}
