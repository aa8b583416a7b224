// What strands take on the machine's units, and what one straight call takes.
//
// A step that is large enough spreads over the units that have nothing else to do, in a straight call as well as in a strand. So a
// strand goes faster while it is alone: how fast is found anew whenever one begins or ends.
#include "compiler/plan/tuning.h"
#include "compiler/weave/tuning.h"
#include "compiler/weave/weave.h"

static plan_work sequence_work(const plan_sequence *sequence) {
  plan_work work = {0};
  for (uint32_t i = 0; i < sequence->count; i++) {
    work = mr_work_add(work, mr_weave_step_work(&sequence->steps[i]));
  }
  return work;
}

// What is known of the parts of a loop or branch, for the whole of it.
static plan_work control_work(const plan_step *step) {
  plan_work all = {0};
  for (uint32_t r = 0; r < step->num_sequences; r++) {
    plan_work part = sequence_work(&step->sequences[r]);
    bool larger = mr_work_ns(part) > mr_work_ns(all);
    all = step->kind == STEP_WHILE ? mr_work_add(all, part) : larger ? part : all;
  }
  uint64_t rounds = step->kind == STEP_WHILE ? MR_PLAN_LOOP_ROUNDS : 1;
  return (plan_work){.alone_ns = rounds * (all.alone_ns + MR_PLAN_BRANCH_NS),
                     .spread_ns = rounds * all.spread_ns,
                     .spreads = (uint32_t)MR_MIN(rounds * all.spreads, (uint64_t)UINT32_MAX / 2)};
}

plan_work mr_weave_step_work(const plan_step *step) {
  uint64_t cost = step->cost_ns + MR_PLAN_STEP_NS;
  bool spreads = cost >= MR_WEAVE_SPREAD_NS;
  switch (step->kind) {
  case STEP_WHILE:
  case STEP_CASE: return control_work(step);
  case STEP_KERNEL: spreads = spreads && step->launch.range > step->launch.grain; break;
  case STEP_LIBRARY:
  case STEP_COPY: break;
  }
  return spreads ? (plan_work){.spread_ns = cost, .spreads = 1} : (plan_work){.alone_ns = cost};
}

uint64_t mr_weave_duration(plan_work work, uint32_t units, uint64_t wake_ns) {
  uint64_t late = (uint64_t)work.spreads * (units - 1) * wake_ns;
  return work.alone_ns + MR_MIN((work.spread_ns + late) / units, work.spread_ns);
}

// ---- Strands --------------------------------------------------------------------------------------------------------------

typedef struct running {
  uint32_t strand;
  double part;  // of it that is not done
  uint64_t late_ns;
} running;

typedef struct simulation {
  const plan_weaving *weaving;
  const plan_units *units;
  uint32_t *left, *ready;  // ready: in order of their numbers
  uint32_t num_ready;
  running *active;
  uint32_t num_active;
  double now;
} simulation;

static void add_ready(simulation *s, uint32_t strand) {
  uint32_t at = s->num_ready++;
  for (; at > 0 && s->ready[at - 1] > strand; at--) {
    s->ready[at] = s->ready[at - 1];
  }
  s->ready[at] = strand;
}

// `handed`: how many of those that begin have a unit that is awake.
static void begin_ready(simulation *s, uint32_t awake) {
  uint32_t begun = 0;
  for (; begun < s->num_ready && s->num_active < s->units->count; begun++) {
    uint64_t wake_ns = s->now > 0 ? s->units->wake_ns : s->units->begin_ns;
    uint64_t late = s->units->strand_ns + (begun < awake ? 0 : wake_ns);
    s->active[s->num_active++] = (running){s->ready[begun], 1, late};
  }
  s->num_ready -= begun;
  for (uint32_t i = 0; i < s->num_ready; i++) {
    s->ready[i] = s->ready[i + begun];
  }
}

static double whole(const simulation *s, const running *r) {
  uint32_t share = s->units->count / s->num_active;
  return (double)(r->late_ns + mr_weave_duration(s->weaving->work[r->strand], share, s->units->wake_ns));
}

// Until the next one ends, which is taken out.
static uint32_t advance(simulation *s) {
  uint32_t first = 0;
  double least = 0;
  for (uint32_t i = 0; i < s->num_active; i++) {
    double takes = s->active[i].part * whole(s, &s->active[i]);
    if (i == 0 || takes < least) {
      first = i;
      least = takes;
    }
  }
  for (uint32_t i = 0; i < s->num_active; i++) {
    double all = whole(s, &s->active[i]);
    s->active[i].part = all > 0 ? MR_MAX(s->active[i].part - least / all, 0.0) : 0;
  }
  s->now += least;
  uint32_t strand = s->active[first].strand;
  s->active[first] = s->active[--s->num_active];
  return strand;
}

mr_status mr_weave_simulate(mr_arena *arena, const plan_weaving *weaving, const plan_units *units, uint64_t *out_ns) {
  const plan_graph *g = &weaving->graph;
  simulation s = {.weaving = weaving, .units = units};
  s.left = mr_arena_array(arena, uint32_t, g->num_strands + 1);
  s.ready = mr_arena_array(arena, uint32_t, g->num_strands + 1);
  s.active = mr_arena_array(arena, running, units->count + 1);
  if (!s.left || !s.ready || !s.active) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < g->num_strands; i++) {
    s.left[i] = g->input_offsets[i + 1] - g->input_offsets[i];
    if (s.left[i] == 0) {
      add_ready(&s, i);
    }
  }
  begin_ready(&s, 1);
  while (s.num_active) {
    uint32_t ended = advance(&s);
    for (uint32_t i = ended + 1; i < g->num_strands; i++) {
      for (uint32_t e = g->input_offsets[i]; e < g->input_offsets[i + 1]; e++) {
        if (g->inputs[e] == ended && --s.left[i] == 0) {
          add_ready(&s, i);
        }
      }
    }
    begin_ready(&s, 1);
  }
  *out_ns = (uint64_t)s.now;
  return MR_OK;
}
