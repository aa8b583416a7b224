// On which unit each clump would run best, and when.
//
// Clumps are placed one after the other, each where it ends first, by what its inputs and what was placed before allow; what it needs
// from another unit is there a while later. After a clump comes one that it made ready, on the longest way to the end first, so that a
// branch is placed whole and stays on one unit; then the first of the program that is ready.
#include "compiler/weave/weave.h"

typedef struct placing {
  const plan_clumps *clumps;
  const plan_units *units;
  plan_dag after;
  uint64_t *rank;     // the longest way to the end
  uint32_t *left;     // inputs that are not placed
  uint32_t *heap;     // clumps that are ready, the smallest first
  uint32_t waiting;   // in the heap
  uint64_t *free_at;  // by lane
  uint32_t num_lanes;
  plan_lanes *out;
} placing;

// ---- What is ready ------------------------------------------------------------------------------------------------------

static void put_ready(placing *s, uint32_t clump) {
  uint32_t at = s->waiting++;
  for (; at > 0 && s->heap[(at - 1) / 2] > clump; at = (at - 1) / 2) {
    s->heap[at] = s->heap[(at - 1) / 2];
  }
  s->heap[at] = clump;
}

static uint32_t take_ready(placing *s) {
  uint32_t first = s->heap[0], last = s->heap[--s->waiting], at = 0;
  for (uint32_t child = 1; child < s->waiting; child = 2 * at + 1) {
    child += child + 1 < s->waiting && s->heap[child + 1] < s->heap[child];
    if (s->heap[child] >= last) {
      break;
    }
    s->heap[at] = s->heap[child];
    at = child;
  }
  s->heap[at] = last;
  return first;
}

// What comes after `clump`: returns one that is ready by it, the others join those that are. NO_BUFFER: none.
static uint32_t release_next(placing *s, uint32_t clump) {
  uint32_t best = NO_BUFFER;
  for (uint32_t e = s->after.offsets[clump]; e < s->after.offsets[clump + 1]; e++) {
    uint32_t next = s->after.nodes[e];
    if (--s->left[next] > 0) {
      continue;
    }
    if (best == NO_BUFFER) {
      best = next;
    } else if (s->rank[next] > s->rank[best]) {
      put_ready(s, best);
      best = next;
    } else {
      put_ready(s, next);
    }
  }
  return best;
}

// ---- Where ----------------------------------------------------------------------------------------------------------------

static uint32_t first_free_lane(const placing *s) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < s->num_lanes; i++) {
    best = s->free_at[i] < s->free_at[best] ? i : best;
  }
  return best;
}

static void place_clump(placing *s, uint32_t clump) {
  const plan_dag *dag = &s->clumps->dag;
  // When its inputs end: the last, and 1 + the last on other lanes than that one's.
  uint64_t last = 0, last_elsewhere = 0;
  uint32_t home = NO_BUFFER;
  for (uint32_t e = dag->offsets[clump]; e < dag->offsets[clump + 1]; e++) {
    uint32_t input = dag->nodes[e], lane = s->out->lane[input];
    uint64_t finish = s->out->finish[input];
    if (home == NO_BUFFER || finish > last) {
      last_elsewhere = home == NO_BUFFER || home == lane ? last_elsewhere : last + 1;
      last = finish;
      home = lane;
    } else if (lane != home) {
      last_elsewhere = MR_MAX(last_elsewhere, finish + 1);
    }
  }
  uint64_t wake = s->units->wake_ns;
  uint32_t lane = first_free_lane(s);
  uint64_t start = MR_MAX(s->free_at[lane], home == NO_BUFFER ? 0 : last + wake);
  if (home != NO_BUFFER) {
    uint64_t at_home = MR_MAX(s->free_at[home], MR_MAX(last, last_elsewhere ? last_elsewhere - 1 + wake : 0));
    if (lane == home || at_home <= start) {
      lane = home;
      start = at_home;
    }
  }
  s->out->lane[clump] = lane;
  s->out->start[clump] = start;
  s->out->finish[clump] = s->free_at[lane] = start + mr_work_ns(s->clumps->work[clump]);
}

static mr_status begin(mr_arena *arena, placing *s) {
  const plan_clumps *clumps = s->clumps;
  uint32_t count = clumps->dag.count;
  MR_TRY(mr_weave_turn(arena, &clumps->dag, &s->after));
  s->rank = mr_arena_array(arena, uint64_t, count + 1);
  s->left = mr_arena_array(arena, uint32_t, count + 1);
  s->heap = mr_arena_array(arena, uint32_t, count + 1);
  s->free_at = mr_arena_array(arena, uint64_t, s->num_lanes);
  s->out->lane = mr_arena_array(arena, uint32_t, count + 1);
  s->out->order = mr_arena_array(arena, uint32_t, count + 1);
  s->out->start = mr_arena_array(arena, uint64_t, count + 1);
  s->out->finish = mr_arena_array(arena, uint64_t, count + 1);
  if (!s->rank || !s->left || !s->heap || !s->free_at || !s->out->lane || !s->out->order || !s->out->start ||
      !s->out->finish) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = count; i-- > 0;) {
    for (uint32_t e = s->after.offsets[i]; e < s->after.offsets[i + 1]; e++) {
      s->rank[i] = MR_MAX(s->rank[i], s->rank[s->after.nodes[e]]);
    }
    s->rank[i] += mr_work_ns(clumps->work[i]);
  }
  for (uint32_t i = 0; i < count; i++) {
    s->left[i] = clumps->dag.offsets[i + 1] - clumps->dag.offsets[i];
    if (s->left[i] == 0) {
      put_ready(s, i);
    }
  }
  for (uint32_t i = 1; i < s->num_lanes; i++) {
    s->free_at[i] = s->units->wake_ns;
  }
  return MR_OK;
}

mr_status mr_weave_lanes(mr_arena *arena, const plan_clumps *clumps, const plan_units *units, plan_lanes *out_lanes) {
  placing s = {.clumps = clumps, .units = units, .num_lanes = units->count, .out = out_lanes};
  MR_TRY(begin(arena, &s));
  uint32_t clump = NO_BUFFER;
  for (uint32_t i = 0; i < clumps->dag.count; i++) {
    clump = clump == NO_BUFFER ? take_ready(&s) : clump;
    place_clump(&s, clump);
    out_lanes->order[i] = clump;
    clump = release_next(&s, clump);
  }
  return MR_OK;
}
