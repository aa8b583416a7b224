// What a run has to know of a plan before the first one: how deep its loops and branches lie in each other, where in the run's
// block each strand and its levels are, which stretches can end on the thread that begins them, the frozen plans of its graphs,
// and which of their strands announce results.
#include <string.h>

#include "compiler/run/run.h"

static mr_status survey_sequence(mr_executable *e, plan_sequence *sequence);

// A step that may be waited for without a thread: what it begins may end later.
static mr_status survey_step(mr_executable *e, plan_step *step, uint32_t *depth) {
  step->number = e->num_steps++;
  step->may_pend = step->kind == STEP_LIBRARY && (step->library->start || step->library->meets);
  step->calls_host = step->kind == STEP_LIBRARY && step->library->calls_host;
  const mr_collective *call = step->kind == STEP_LIBRARY ? step->library->meets : NULL;
  mr_collective_kind kind = call ? mr_collective_kind_of(call) : MR_COLLECTIVE_ALL_REDUCE;
  step->mail = kind == MR_COLLECTIVE_SEND ? PLAN_SENDS : kind == MR_COLLECTIVE_RECEIVE ? PLAN_RECEIVES : PLAN_MEETS;
  if (step->mail) {
    e->num_channels++;  // at most
  } else if (call) {
    step->meets_at = e->num_places;
    e->num_places += mr_collective_groups(call)->num_groups;
  }
  for (uint32_t r = 0; r < step->num_sequences; r++) {
    MR_TRY(survey_sequence(e, &step->sequences[r]));
    step->may_pend |= step->sequences[r].may_pend;
    step->calls_host |= step->sequences[r].calls_host;
    *depth = MR_MAX(*depth, step->sequences[r].depth);
  }
  return MR_OK;
}

// The same steps as nodes of graph/, which tells them apart by their number.
static mr_status freeze(mr_executable *e, plan_sequence *sequence, uint32_t depth) {
  plan_graph *graph = sequence->graph;
  mr_plan_node *nodes = mr_alloc_zeroed(graph->num_strands, sizeof *nodes);
  if (!nodes) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < graph->num_strands; i++) {
    const plan_strand *strand = &graph->strands[i];
    nodes[i] = (mr_plan_node){.run = mr_strand_node,
                              .argument = sequence,
                              .name = strand->count ? sequence->steps[strand->first].name : "strand",
                              .cost_ns = (uint32_t)MR_MIN(strand->cost_ns + 1, (uint64_t)UINT32_MAX),
                              .kind = MR_NODE_KERNEL};
  }
  graph->first_strand = e->num_strands;
  graph->first_level = e->num_levels;
  graph->depth = depth;
  e->num_strands += graph->num_strands;
  e->num_levels += graph->num_strands * depth;
  mr_plan_release(graph->frozen);
  mr_status status = mr_plan_create(nodes, graph->num_strands, graph->input_offsets, graph->inputs, &graph->frozen);
  mr_free(nodes);
  return status;
}

static mr_status survey_sequence(mr_executable *e, plan_sequence *sequence) {
  uint32_t depth = 0;
  for (uint32_t i = 0; i < sequence->count; i++) {
    MR_TRY(survey_step(e, &sequence->steps[i], &depth));
    sequence->may_pend |= sequence->steps[i].may_pend;
    sequence->calls_host |= sequence->steps[i].calls_host;
  }
  sequence->depth = depth + 1;
  if (!sequence->graph) {
    return MR_OK;
  }
  sequence->may_pend = true;
  MR_TRY(freeze(e, sequence, sequence->depth));
  sequence->depth = 1;
  return MR_OK;
}

// ---- Announcements ------------------------------------------------------------------------------------------------------

// Whether something is left to do when the result is there: strands that are none of those it comes after. `seen`: room for all.
static bool is_there_early(const plan_graph *graph, uint32_t result, bool *seen) {
  uint32_t first = graph->result_offsets[result], end = graph->result_offsets[result + 1], before = 0;
  memset(seen, 0, graph->num_strands * sizeof *seen);
  for (uint32_t i = first; i < end; i++) {
    seen[graph->result_strands[i]] = true;
  }
  for (uint32_t s = graph->num_strands; s-- > 0;) {
    before += seen[s];
    for (uint32_t i = graph->input_offsets[s]; seen[s] && i < graph->input_offsets[s + 1]; i++) {
      seen[graph->inputs[i]] = true;
    }
  }
  return first != end && before != graph->num_strands;
}

// Which strands announce which results, from which results come after which strands.
static void list_by_strand(plan_graph *graph, uint32_t num_results) {
  uint32_t *offsets = graph->announce_offsets;
  for (int filling = 0; filling < 2; filling++) {
    for (uint32_t k = 0; k < num_results; k++) {
      uint32_t first = graph->result_offsets[k];
      for (uint32_t i = 0; i < graph->announced_after[k]; i++) {
        uint32_t strand = graph->result_strands[first + i];
        if (filling) {
          graph->announces[--offsets[strand]] = k;
        } else {
          offsets[strand]++;
        }
      }
    }
    // First to where each strand's end, from where they are filled downwards to where they begin.
    for (uint32_t s = 0; !filling && s < graph->num_strands; s++) {
      offsets[s + 1] += offsets[s];
    }
  }
}

static mr_status plan_announcements(mr_executable *e, plan_graph *graph) {
  bool *seen = mr_arena_array(&e->arena, bool, graph->num_strands);
  uint32_t *after = mr_arena_array(&e->arena, uint32_t, e->num_results + 1), count = 0;
  if (!seen || !after) {
    return MR_NO_MEMORY();
  }
  for (uint32_t k = 0; k < e->num_results; k++) {
    after[k] = is_there_early(graph, k, seen) ? graph->result_offsets[k + 1] - graph->result_offsets[k] : 0;
    count += after[k];
  }
  if (!count) {
    return MR_OK;
  }
  graph->announce_offsets = mr_arena_array(&e->arena, uint32_t, graph->num_strands + 1);
  graph->announces = mr_arena_array(&e->arena, uint32_t, count);
  if (!graph->announce_offsets || !graph->announces) {
    return MR_NO_MEMORY();
  }
  graph->announced_after = after;
  list_by_strand(graph, e->num_results);
  return MR_OK;
}

// ---- Meetings -----------------------------------------------------------------------------------------------------------

// A channel's number by its id, plus one; 0: a free place. Of twice as many places as there are channels, or more.
typedef struct channel_table {
  uint32_t *numbers;
  uint32_t mask;
} channel_table;

// The channel of a step that sends or receives; its ends say the same.
static mr_status find_channel(mr_executable *e, const channel_table *table, plan_step *step) {
  const mr_collective *call = step->library->meets;
  int64_t id = mr_collective_channel(call);
  uint32_t at = (uint32_t)mr_hash64(&id, sizeof id, 0) & table->mask;
  for (; table->numbers[at]; at = (at + 1) & table->mask) {
    const mr_collective *known = e->channels[table->numbers[at] - 1];
    if (mr_collective_channel(known) == id) {
      step->meets_at = table->numbers[at] - 1;
      return mr_collective_check_mail(known, call);
    }
  }
  step->meets_at = e->num_channels;
  e->channels[e->num_channels++] = call;
  table->numbers[at] = e->num_channels;
  return MR_OK;
}

static mr_status list_places(mr_executable *e, const channel_table *table, const plan_sequence *sequence) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    plan_step *step = &sequence->steps[i];
    const mr_collective *call = step->kind == STEP_LIBRARY ? step->library->meets : NULL;
    if (step->mail) {
      MR_TRY(find_channel(e, table, step));
      continue;
    }
    for (uint32_t g = 0; call && g < mr_collective_groups(call)->num_groups; g++) {
      e->places[step->meets_at + g] = (mr_meeting_place){call, g};
    }
    for (uint32_t r = 0; r < step->num_sequences; r++) {
      MR_TRY(list_places(e, table, &step->sequences[r]));
    }
  }
  return MR_OK;
}

static bool is_in_step(const plan_sequence *sequence) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    const plan_step *step = &sequence->steps[i];
    if (step->mail || (step->may_pend && !(step->kind == STEP_LIBRARY && step->library->meets))) {
      return false;
    }
  }
  return true;
}

// All steps up to the last that calls the host, or has one in it that does, and what comes after that.
static void find_last_host_call(mr_executable *e) {
  e->after_host = 0;
  for (uint32_t i = 0; i < e->main.count; i++) {
    e->after_host = e->main.steps[i].calls_host ? i + 1 : e->after_host;
  }
  e->after_host_ns = 0;
  for (uint32_t i = e->after_host; i < e->main.count; i++) {
    e->after_host_ns += e->main.steps[i].cost_ns;
  }
}

static mr_status plan_meetings(mr_executable *e) {
  e->places = mr_arena_array(&e->arena, mr_meeting_place, e->num_places + 1);
  e->channels = mr_arena_array(&e->arena, const mr_collective *, e->num_channels + 1);
  if (!e->places || !e->channels) {
    return MR_NO_MEMORY();
  }
  channel_table table = {NULL, 1};
  while (table.mask < 2 * (uint64_t)e->num_channels) {
    table.mask = 2 * table.mask + 1;
  }
  if (e->num_channels && !(table.numbers = mr_alloc_zeroed((size_t)table.mask + 1, sizeof *table.numbers))) {
    return MR_NO_MEMORY();
  }
  e->num_channels = 0;
  mr_status status = list_places(e, &table, &e->main);
  mr_free(table.numbers);
  e->in_step = is_in_step(&e->main);
  return status;
}

mr_status mr_strands_freeze(mr_executable *e) {
  // The first strand is the whole program's.
  e->num_strands = 1;
  e->num_levels = e->num_steps = e->num_places = e->num_channels = 0;
  MR_TRY(survey_sequence(e, &e->main));
  find_last_host_call(e);
  e->first_level = e->num_levels;
  e->num_levels += e->main.depth;
  MR_TRY(plan_meetings(e));
  mr_strands_find_dues(e);
  return e->main.graph && e->main.graph->result_offsets ? plan_announcements(e, e->main.graph) : MR_OK;
}
