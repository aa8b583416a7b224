// How a nest is cut and shared out: which groups the parallel range has, and whether the last one goes in chunks or tiles.
#include "compiler/lower/nest.h"
#include "compiler/lower/tuning.h"

// ---- Looking at the record ------------------------------------------------------------------------------------------------

static uint64_t group_vars(const mr_nest *nest, uint32_t g) { return nest->groups[g].at->vars; }

// The level of a demand: it depends on loops of groups below it only; UINT32_MAX: on something else.
uint32_t mr_nest_level_of(const mr_nest *nest, uint64_t vars) {
  uint32_t level = 0;
  for (uint32_t g = 0; g < nest->num_groups; g++) {
    uint64_t mine = group_vars(nest, g);
    if (vars & mine) {
      level = g + 1;
    }
    vars &= ~mine;
  }
  return vars ? UINT32_MAX : level;
}

uint32_t mr_nest_prefix_level(const mr_nest *nest, const mr_output *out) {
  uint32_t level = 0;
  for (uint32_t g = 0; g < nest->num_groups; g++) {
    if (nest->dims[nest->groups[g].first].dim < out->prefix) {
      level = g + 1;
    }
  }
  return level;
}

// A reduction whose element differs along the innermost loop, and which reads memory contiguously along that loop rather
// than along its own: computed for a block of elements at once.
bool mr_nest_is_blocked(const mr_nest *nest, const mr_demand *demand) {
  const mr_group *inner = &nest->groups[nest->num_groups - 1];
  if (mr_nest_level_of(nest, demand->vars) != nest->num_groups || demand->along_row || demand->trips < 2) {
    return false;
  }
  const mr_ix *loop = inner->inner ? inner->inner : inner->outer;
  const mr_ix *linear = mr_lw_linear(nest->lw, &demand->value->type, demand->at);
  if (loop->num_terms && mr_ix_coef(linear, loop) == 1 && mr_ix_is_linear_in(linear, loop)) {
    return true;
  }
  uint32_t dims = 0;
  for (uint32_t d = 0; d < demand->at.n; d++) {
    const mr_ix *a = demand->at.at[d];
    if (!(a->vars & loop->vars)) {
      continue;
    }
    if (mr_ix_coef(a, loop) != 1 || !mr_ix_is_linear_in(a, loop)) {
      return false;
    }
    dims++;
  }
  return dims == 1;
}

static bool any_blocked(const mr_nest *nest) {
  for (uint32_t i = 0; i < nest->record.num_demands; i++) {
    if (mr_nest_is_blocked(nest, &nest->record.demands[i])) {
      return true;
    }
  }
  return false;
}

static bool any_hoisted(const mr_nest *nest) {
  for (uint32_t i = 0; i < nest->record.num_demands; i++) {
    if (mr_nest_level_of(nest, nest->record.demands[i].vars) < nest->num_groups) {
      return true;
    }
  }
  return false;
}

// The group that some source is contiguous in while it jumps along the innermost one; UINT32_MAX: none.
static uint32_t transposed_group(const mr_nest *nest) {
  uint32_t last = nest->num_groups - 1;
  for (uint32_t i = 0; i < nest->record.num_accesses; i++) {
    const mr_access *a = &nest->record.accesses[i];
    if (a->operand == MR_LW_NO_OPERAND) {
      continue;
    }
    int64_t jump = mr_ix_coef(a->at, nest->groups[last].outer);
    if (jump == 0 || jump == 1 || jump == -1) {
      continue;
    }
    for (uint32_t g = 0; g < last; g++) {
      int64_t coef = nest->groups[g].outer->num_terms ? mr_ix_coef(a->at, nest->groups[g].outer) : 0;
      if ((coef == 1 || coef == -1) && mr_group_extent(&nest->groups[g]) >= MR_LOWER_FEWEST_TILED) {
        return g;
      }
    }
  }
  return UINT32_MAX;
}

// ---- Loops of the groups ----------------------------------------------------------------------------------------------------

static void loop_for_group(mr_nest *nest, mr_group *g, int64_t step) {
  mr_lower *lw = nest->lw;
  g->inner = g->middle = NULL;
  g->outer = mr_lw_loop(lw, g->lo, g->hi - 1);
  if (step == 0) {
    return;
  }
  g->outer =
      mr_ix_loop(&lw->ix, lw->next_bit++, g->lo, MR_MAX(g->lo + 1, g->lo + (mr_group_extent(g) - 1) / step * step));
  g->inner = mr_ix_loop(&lw->ix, lw->next_bit++, 0, MR_MAX(1, MR_MIN(step, mr_group_extent(g)) - 1));
}

static void make_loops(mr_nest *nest, const mr_cut *p) {
  uint32_t last = nest->num_groups - 1;
  nest->lw->next_bit = nest->base_bit;
  for (uint32_t g = 0; g < nest->num_groups; g++) {
    bool chunked = p->mode == MR_CUT_CHUNKED && g == last;
    bool tiled = p->mode == MR_CUT_TILED && (g == last || g == p->tiled);
    loop_for_group(nest, &nest->groups[g], chunked || tiled ? p->chunk : 0);
    if (tiled && g == p->tiled) {
      nest->groups[g].middle = mr_ix_loop(&nest->lw->ix, nest->lw->next_bit++, 0, MR_TILES - 1);
    }
  }
  mr_nest_place(nest);
  mr_nest_dry(nest);
}

static int64_t block_size(const mr_nest *nest, const mr_group *g, bool alone, bool segment) {
  int64_t block = segment ? MR_LOWER_SEGMENT_BLOCK : MR_LOWER_BLOCK, accumulators = 0;
  for (uint32_t i = 0; i < nest->record.num_demands; i++) {
    if (mr_nest_is_blocked(nest, &nest->record.demands[i])) {
      accumulators += nest->record.demands[i].value->def->num_results;
    }
  }
  while (accumulators > 1 && block > MR_LOWER_SMALLEST_BLOCK) {
    block /= 2;
    accumulators /= 2;
  }
  // With nothing else to spread, blocks are what the cores share.
  while (alone && block > MR_LOWER_SMALLEST_SHARED_BLOCK && block * MR_LOWER_ENOUGH_BLOCKS > mr_group_extent(g)) {
    block /= 2;
  }
  return MR_MIN(block, mr_group_extent(g));
}

static double total_of(const mr_nest *nest) {
  double total = 1;
  for (uint32_t g = 0; g < nest->num_groups; g++) {
    total *= (double)mr_group_extent(&nest->groups[g]);
  }
  return total;
}

mr_cut mr_nest_choose_cut(mr_nest *nest, bool shared_range) {
  mr_cut p = {.shared_range = shared_range};
  make_loops(nest, &p);
  uint32_t n = nest->num_groups, last = n - 1;
  const mr_group *inner = &nest->groups[last];
  p.parallel = n > 1 ? n - 1 : 1;
  for (uint32_t i = 0; i < nest->record.num_demands; i++) {
    uint32_t level = mr_nest_level_of(nest, nest->record.demands[i].vars);
    if (level >= 1 && level < p.parallel) {
      p.parallel = level;
    }
  }
  for (uint32_t i = 0; i < nest->num_outputs; i++) {
    uint32_t level = mr_nest_prefix_level(nest, &nest->outputs[i]);
    if (nest->outputs[i].form == MR_OUTPUT_PREFIX && level < p.parallel) {
      p.parallel = MR_MAX(level, 1);
    }
  }
  if (shared_range) {
    p.parallel = 1;
  }
  bool blocked = mr_group_extent(inner) >= MR_LOWER_FEWEST_BLOCKED && any_blocked(nest);
  if (blocked && (n == 1 || p.parallel == n - 1) && !(shared_range && n == 1)) {
    p.mode = MR_CUT_CHUNKED;
    p.chunk =
        block_size(nest, inner, total_of(nest) / (double)mr_group_extent(inner) < MR_LOWER_ENOUGH_BLOCKS, shared_range);
    make_loops(nest, &p);
    return p;
  }
  if (n == 1 || shared_range) {
    return p;
  }
  uint32_t other = transposed_group(nest);
  if (other != UINT32_MAX && !any_hoisted(nest) && p.parallel == n - 1 &&
      mr_group_extent(inner) >= MR_LOWER_FEWEST_TILED) {
    p.mode = MR_CUT_TILED;
    p.chunk = MR_TILE;
    p.tiled = other;
    make_loops(nest, &p);
    return p;
  }
  double inside = (double)mr_group_extent(inner);
  while (p.parallel > 1 && inside < MR_LOWER_SHORT_INNER) {
    inside *= (double)mr_group_extent(&nest->groups[--p.parallel]);
  }
  double outside = total_of(nest) / inside;
  if (outside < MR_LOWER_FEW_SHARES && total_of(nest) >= MR_LOWER_MUCH && p.parallel == n - 1 && !any_hoisted(nest) &&
      mr_group_extent(inner) >= MR_LOWER_MUCH / MR_LOWER_FEW_SHARES) {
    p.mode = MR_CUT_CHUNKED;
    p.chunk = (mr_group_extent(inner) + MR_LOWER_MOST_CHUNKS - 1) / MR_LOWER_MOST_CHUNKS;
    p.chunk = (p.chunk + MR_LOWER_CHUNK_MULTIPLE - 1) / MR_LOWER_CHUNK_MULTIPLE * MR_LOWER_CHUNK_MULTIPLE;
    make_loops(nest, &p);
  }
  return p;
}
