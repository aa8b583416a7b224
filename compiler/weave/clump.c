// Steps that are never worth parting become one clump.
//
// What is small goes to the one clump that needs it, or to the one that it needs, as long as little comes together there: a clump
// begins when all its inputs are there and tells of its end once, so what is added to it holds others up. A chain, each link of
// which only the next one needs and which needs only the one before, is one clump of any size.
//
// Two things joined can only come in a circle when a way leads from one to the other over a third. None does when all that comes
// after a node is of the one clump it joins, or all that comes before it.
#include "compiler/weave/weave.h"

// `all` nodes of a list are of one group, which it returns; else, or when there are none, NO_GROUP.
#define NO_GROUP UINT32_MAX

static uint32_t only_group(const plan_dag *dag, uint32_t node, const uint32_t *of) {
  uint32_t first = dag->offsets[node], end = dag->offsets[node + 1];
  uint32_t group = first < end ? of[dag->nodes[first]] : NO_GROUP;
  for (uint32_t e = first; e < end; e++) {
    if (of[dag->nodes[e]] != group) {
      return NO_GROUP;
    }
  }
  return group;
}

static bool is_small(uint64_t cost_ns, const plan_units *units) { return cost_ns <= units->wake_ns / 2; }

// Groups that are named by one of their nodes get numbers in its order; returns how many there are.
static uint32_t number_groups(uint32_t *of, uint32_t count, uint32_t *numbers) {
  uint32_t groups = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (of[i] == i) {
      numbers[i] = groups++;
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    of[i] = numbers[of[i]];
  }
  return groups;
}

// The end of a chain, of which another one waits besides other things: it goes with what is before it, where it does not hold up the
// others, rather than with what comes after, where nothing else runs meanwhile.
static bool ends_chain(const plan_dag *steps, const plan_dag *after, uint32_t i) {
  if (steps->offsets[i + 1] - steps->offsets[i] != 1 || after->offsets[i + 1] - after->offsets[i] != 1) {
    return false;
  }
  uint32_t before = steps->nodes[steps->offsets[i]], next = after->nodes[after->offsets[i]];
  return after->offsets[before + 1] - after->offsets[before] == 1 &&
         steps->offsets[next + 1] - steps->offsets[next] > 1;
}

// Small steps go with what comes after them. A group is named by its last step, the only one that others come after.
static mr_status join_later(mr_arena *arena, const plan_work *work, const plan_dag *steps, const plan_units *units,
                            uint32_t *of) {
  plan_dag after;
  MR_TRY(mr_weave_turn(arena, steps, &after));
  uint64_t *taken = mr_arena_array(arena, uint64_t, steps->count + 1);
  if (!taken) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = steps->count; i-- > 0;) {
    uint64_t cost = mr_work_ns(work[i]);
    uint32_t group = is_small(cost, units) ? only_group(&after, i, of) : NO_GROUP;
    bool joins = group != NO_GROUP && taken[group] + cost <= units->wake_ns && !ends_chain(steps, &after, i);
    of[i] = joins ? group : i;
    taken[of[i]] += joins ? cost : 0;
  }
  return MR_OK;
}

// Small groups and links of a chain go with what comes before them. A clump is named by its first group, the only one that comes after
// others.
static mr_status join_earlier(mr_arena *arena, const plan_work *work, const plan_dag *groups, const plan_units *units,
                              uint32_t *of) {
  uint32_t *open = mr_arena_array(arena, uint32_t, groups->count + 1);  // edges that leave it
  uint32_t *leave = mr_arena_array(arena, uint32_t, groups->count + 1);
  uint64_t *taken = mr_arena_array(arena, uint64_t, groups->count + 1);
  if (!open || !leave || !taken) {
    return MR_NO_MEMORY();
  }
  for (uint32_t e = 0; e < groups->offsets[groups->count]; e++) {
    leave[groups->nodes[e]]++;
  }
  for (uint32_t i = 0; i < groups->count; i++) {
    uint32_t inputs = groups->offsets[i + 1] - groups->offsets[i];
    uint64_t cost = mr_work_ns(work[i]);
    uint32_t clump = only_group(groups, i, of);
    bool chain = clump != NO_GROUP && open[clump] == inputs && !units->forced;
    bool small = clump != NO_GROUP && is_small(cost, units) && taken[clump] + cost <= units->wake_ns;
    of[i] = chain || small ? clump : i;
    open[of[i]] += leave[i] - (of[i] == i ? 0 : inputs);
    taken[of[i]] += of[i] != i && !chain ? cost : 0;
  }
  return MR_OK;
}

static plan_work *sum_works(mr_arena *arena, const plan_work *work, const uint32_t *of, uint32_t count,
                            uint32_t groups) {
  plan_work *sums = mr_arena_array(arena, plan_work, groups + 1);
  for (uint32_t i = 0; sums && i < count; i++) {
    sums[of[i]] = mr_work_add(sums[of[i]], work[i]);
  }
  return sums;
}

mr_status mr_weave_clump(mr_arena *arena, const plan_sequence *sequence, const plan_dag *steps, const plan_units *units,
                         plan_clumps *out_clumps) {
  uint32_t count = steps->count;
  plan_work *work = mr_arena_array(arena, plan_work, count + 1);
  uint32_t *group_of = mr_arena_array(arena, uint32_t, count + 1),
           *numbers = mr_arena_array(arena, uint32_t, count + 1);
  uint32_t *clump_of = mr_arena_array(arena, uint32_t, count + 1);
  if (!work || !group_of || !numbers || !clump_of) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < count; i++) {
    work[i] = mr_weave_step_work(&sequence->steps[i]);
  }
  MR_TRY(join_later(arena, work, steps, units, group_of));
  uint32_t num_groups = number_groups(group_of, count, numbers);
  plan_dag groups;
  MR_TRY(mr_weave_join(arena, steps, group_of, num_groups, &groups));
  plan_work *group_work = sum_works(arena, work, group_of, count, num_groups);
  if (!group_work) {
    return MR_NO_MEMORY();
  }
  MR_TRY(join_earlier(arena, group_work, &groups, units, clump_of));
  uint32_t num_clumps = number_groups(clump_of, num_groups, numbers);
  for (uint32_t i = 0; i < count; i++) {
    group_of[i] = clump_of[group_of[i]];
  }
  out_clumps->of_step = group_of;
  out_clumps->work = sum_works(arena, work, group_of, count, num_clumps);
  return out_clumps->work ? mr_weave_join(arena, steps, group_of, num_clumps, &out_clumps->dag) : MR_NO_MEMORY();
}
