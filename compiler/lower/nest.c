#include "compiler/lower/nest.h"
#include "compiler/lower/tuning.h"

#include <string.h>

#define SHORT_INNER 64     // loops are nested inside the parallel one until the innermost ones have this many rounds
#define FULL_INNER 8       // rows that are as good as vectors
#define UNROLL_WORK 2      // operations on an element from which on a shorter row is unrolled
#define BLOCK 2048         // accumulators side by side, of all reductions together
#define SEGMENT_BLOCK 256  // the same when each of several segments has its own
#define FEWEST_BLOCKED 8
#define FEWEST_TILED 8
#define TILED_SPAN 1024  // of the last group that a share takes at a time
#define FEW_SHARES 16    // a shorter parallel range is cut finer when there is much to do
#define MUCH 65536
#define MOST_CHUNKS 64

typedef enum mode { PLAIN, CHUNKED, TILED } mode;

typedef struct plan {
  mode mode;
  int64_t chunk;      // CHUNKED: of the last group; TILED: tile side
  uint32_t tiled;     // TILED: the group that the source is contiguous in
  uint32_t parallel;  // groups in the parallel range
  bool shared_range;  // one of several segments: the range is that of the first group, uncut
} plan;

// ---- Looking at the record ------------------------------------------------------------------------------------------------

static uint64_t group_vars(const mr_nest *nest, uint32_t g) { return nest->groups[g].at->vars; }

// The level of a demand: it depends on loops of groups below it only; UINT32_MAX: on something else.
static uint32_t level_of(const mr_nest *nest, uint64_t vars) {
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

static uint32_t prefix_level(const mr_nest *nest, const mr_output *out) {
  uint32_t level = 0;
  for (uint32_t g = 0; g < nest->num_groups; g++) {
    if (nest->dims[nest->groups[g].first].dim < out->prefix) {
      level = g + 1;
    }
  }
  return level;
}

static int64_t extent(const mr_group *g) { return g->hi - g->lo; }

// A reduction whose element differs along the innermost loop, and which reads memory contiguously along that loop rather
// than along its own: computed for a block of elements at once.
static bool is_blocked(const mr_nest *nest, const mr_demand *demand) {
  const mr_group *inner = &nest->groups[nest->num_groups - 1];
  if (level_of(nest, demand->vars) != nest->num_groups || demand->along_row || demand->trips < 2) {
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
    if (is_blocked(nest, &nest->record.demands[i])) {
      return true;
    }
  }
  return false;
}

static bool any_hoisted(const mr_nest *nest) {
  for (uint32_t i = 0; i < nest->record.num_demands; i++) {
    if (level_of(nest, nest->record.demands[i].vars) < nest->num_groups) {
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
      if ((coef == 1 || coef == -1) && extent(&nest->groups[g]) >= FEWEST_TILED) {
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
  g->outer = mr_ix_loop(&lw->ix, lw->next_bit++, g->lo, MR_MAX(g->lo + 1, g->lo + (extent(g) - 1) / step * step));
  g->inner = mr_ix_loop(&lw->ix, lw->next_bit++, 0, MR_MAX(1, MR_MIN(step, extent(g)) - 1));
}

static void make_loops(mr_nest *nest, const plan *p) {
  uint32_t last = nest->num_groups - 1;
  nest->lw->next_bit = nest->base_bit;
  for (uint32_t g = 0; g < nest->num_groups; g++) {
    bool chunked = p->mode == CHUNKED && g == last;
    bool tiled = p->mode == TILED && (g == last || g == p->tiled);
    loop_for_group(nest, &nest->groups[g], chunked || tiled ? p->chunk : 0);
    if (tiled && g == p->tiled) {
      nest->groups[g].middle = mr_ix_loop(&nest->lw->ix, nest->lw->next_bit++, 0, MR_TILES - 1);
    }
  }
  mr_nest_place(nest);
  mr_nest_dry(nest);
}

static int64_t block_size(const mr_nest *nest, const mr_group *g, bool alone, bool segment) {
  int64_t block = segment ? SEGMENT_BLOCK : BLOCK, accumulators = 0;
  for (uint32_t i = 0; i < nest->record.num_demands; i++) {
    if (is_blocked(nest, &nest->record.demands[i])) {
      accumulators += nest->record.demands[i].value->def->num_results;
    }
  }
  while (accumulators > 1 && block > 256) {
    block /= 2;
    accumulators /= 2;
  }
  // With nothing else to spread, blocks are what the cores share.
  while (alone && block > 64 && block * 8 > extent(g)) {
    block /= 2;
  }
  return MR_MIN(block, extent(g));
}

static double total_of(const mr_nest *nest) {
  double total = 1;
  for (uint32_t g = 0; g < nest->num_groups; g++) {
    total *= (double)extent(&nest->groups[g]);
  }
  return total;
}

static plan choose(mr_nest *nest, bool shared_range) {
  plan p = {.shared_range = shared_range};
  make_loops(nest, &p);
  uint32_t n = nest->num_groups, last = n - 1;
  const mr_group *inner = &nest->groups[last];
  p.parallel = n > 1 ? n - 1 : 1;
  for (uint32_t i = 0; i < nest->record.num_demands; i++) {
    uint32_t level = level_of(nest, nest->record.demands[i].vars);
    if (level >= 1 && level < p.parallel) {
      p.parallel = level;
    }
  }
  for (uint32_t i = 0; i < nest->num_outputs; i++) {
    uint32_t level = prefix_level(nest, &nest->outputs[i]);
    if (nest->outputs[i].form == MR_OUTPUT_PREFIX && level < p.parallel) {
      p.parallel = MR_MAX(level, 1);
    }
  }
  if (shared_range) {
    p.parallel = 1;
  }
  bool blocked = extent(inner) >= FEWEST_BLOCKED && any_blocked(nest);
  if (blocked && (n == 1 || p.parallel == n - 1) && !(shared_range && n == 1)) {
    p.mode = CHUNKED;
    p.chunk = block_size(nest, inner, total_of(nest) / (double)extent(inner) < 8, shared_range);
    make_loops(nest, &p);
    return p;
  }
  if (n == 1 || shared_range) {
    return p;
  }
  uint32_t other = transposed_group(nest);
  if (other != UINT32_MAX && !any_hoisted(nest) && p.parallel == n - 1 && extent(inner) >= FEWEST_TILED) {
    p.mode = TILED;
    p.chunk = MR_TILE;
    p.tiled = other;
    make_loops(nest, &p);
    return p;
  }
  double inside = (double)extent(inner);
  while (p.parallel > 1 && inside < SHORT_INNER) {
    inside *= (double)extent(&nest->groups[--p.parallel]);
  }
  double outside = total_of(nest) / inside;
  if (outside < FEW_SHARES && total_of(nest) >= MUCH && p.parallel == n - 1 && !any_hoisted(nest) &&
      extent(inner) >= MUCH / FEW_SHARES) {
    p.mode = CHUNKED;
    p.chunk = (extent(inner) + MOST_CHUNKS - 1) / MOST_CHUNKS;
    p.chunk = (p.chunk + 63) / 64 * 64;
    make_loops(nest, &p);
  }
  return p;
}

// ---- Emission ---------------------------------------------------------------------------------------------------------------

static void bind(mr_lower *lw, const mr_ix *loop, mr_lv lv) {
  if (!loop->num_terms) {
    return;
  }
  loop->terms[0].atom->lv = lv;
  loop->terms[0].atom->scope = lw->scopes[lw->depth];
}

static void emit_prefix_outputs(mr_nest *nest, uint32_t from, uint32_t to) {
  const mr_ix *storage[MR_MAX_RANK];
  for (uint32_t i = 0; i < nest->num_outputs; i++) {
    const mr_output *out = &nest->outputs[i];
    if (out->form != MR_OUTPUT_PREFIX) {
      continue;
    }
    uint32_t level = prefix_level(nest, out);
    if (level < from || level >= to) {
      continue;
    }
    mr_index at = mr_nest_index(nest, out, storage);
    mr_elem e = mr_lw_element(nest->lw, out->value, at);
    mr_lw_store(nest->lw, mr_lw_result_buffer(nest->lw, out->result), out->value->type.dtype,
                mr_nest_target(nest, out, at), e);
  }
}

// What the levels [from, to) can compute ahead of the loops inside.
static void emit_hoisted(mr_nest *nest, uint32_t from, uint32_t to) {
  for (uint32_t i = 0; i < nest->record.num_demands; i++) {
    const mr_demand *demand = &nest->record.demands[i];
    uint32_t level = level_of(nest, demand->vars);
    if (level >= from && level < to && level < nest->num_groups) {
      mr_lw_element(nest->lw, demand->value, demand->at);
    }
  }
  emit_prefix_outputs(nest, from, to);
}

// Large results are written past the caches; those written in short pieces sooner.
static uint32_t store_flags(const mr_output *out, bool tiled) {
  size_t limit = tiled ? MR_LOWER_STREAM_TILED_BYTES : MR_LOWER_STREAM_BYTES;
  // A row of a tile must fill a cache line: parts of lines are written to memory one by one.
  bool lines = !tiled || mr_dtype_bytes(out->value->type.dtype) * MR_TILE >= MR_CACHE_LINE;
  return !out->into && lines && mr_type_bytes(&out->value->type) >= limit ? MR_L_STREAM : 0;
}

// All elements first, then the stores: a result may share memory with an operand.
static void emit_body(mr_nest *nest, bool tiled) {
  mr_lower *lw = nest->lw;
  const mr_ix *storage[MR_MAX_RANK];
  mr_elem *elems = mr_lw_alloc(lw, (nest->num_outputs + 1) * sizeof *elems);
  // Reductions in the order in which they need each other, so that none is computed inside of another's loop.
  for (uint32_t i = 0; i < nest->record.num_demands; i++) {
    const mr_demand *demand = &nest->record.demands[i];
    if (level_of(nest, demand->vars) == nest->num_groups) {
      mr_lw_element(lw, demand->value, demand->at);
    }
  }
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < nest->num_outputs; i++) {
      const mr_output *out = &nest->outputs[i];
      if (out->form == MR_OUTPUT_PREFIX) {
        continue;
      }
      mr_index at = mr_nest_index(nest, out, storage);
      if (pass == 0) {
        elems[i] = mr_lw_element(lw, out->value, at);
        continue;
      }
      lw->store_flags = store_flags(out, tiled);
      mr_lw_store(lw, mr_lw_result_buffer(lw, out->result), out->value->type.dtype, mr_nest_target(nest, out, at),
                  elems[i]);
      lw->store_flags = 0;
    }
  }
}

// Where a chunk or tile begins.
static mr_lv chunk_start(mr_lower *lw, const mr_group *g) {
  const mr_ix *start = g->outer;
  if (g->middle) {
    start = mr_ix_add(&lw->ix, start, mr_ix_scale(&lw->ix, g->middle, MR_TILE));
  }
  return mr_lw_ix(lw, start);
}

static mr_lv chunk_count(mr_lower *lw, const mr_group *g, int64_t chunk) {
  if (extent(g) % chunk == 0) {
    return mr_l_index(lw->p, chunk);
  }
  return mr_l_imin(lw->p, mr_l_index(lw->p, chunk), mr_l_isub(lw->p, mr_l_index(lw->p, g->hi), chunk_start(lw, g)));
}

static void emit_chunk(mr_nest *nest, const plan *p) {
  mr_lower *lw = nest->lw;
  const mr_group *g = &nest->groups[nest->num_groups - 1];
  mr_lv count = chunk_count(lw, g, p->chunk);
  uint32_t kept = lw->num_kept;
  const mr_demand **demands = mr_lw_alloc(lw, (nest->record.num_demands + 1) * sizeof *demands);
  uint32_t n = 0;
  for (uint32_t i = 0; i < nest->record.num_demands; i++) {
    if (is_blocked(nest, &nest->record.demands[i])) {
      demands[n++] = &nest->record.demands[i];
    }
  }
  mr_blocks_emit(nest, demands, n, count, p->chunk);
  mr_lw_for(lw, g->inner, mr_l_index(lw->p, 0), count, 1, MR_L_INDEPENDENT, (double)p->chunk);
  emit_body(nest, false);
  mr_lw_end(lw);
  lw->num_kept = kept;
}

static void emit_tile_body(mr_nest *nest, const plan *p, bool full) {
  mr_lower *lw = nest->lw;
  const mr_group *g = &nest->groups[nest->num_groups - 1], *t = &nest->groups[p->tiled];
  mr_lv side = mr_l_index(lw->p, p->chunk);
  uint32_t staged = lw->num_staged;
  if (full) {
    mr_tile_stage(nest, p->tiled);
  }
  mr_lw_for(lw, t->inner, mr_l_index(lw->p, 0), full ? side : chunk_count(lw, t, p->chunk), 1, 0, (double)p->chunk);
  mr_lw_for(lw, g->inner, mr_l_index(lw->p, 0), full ? side : chunk_count(lw, g, p->chunk), 1, MR_L_INDEPENDENT,
            (double)p->chunk);
  emit_body(nest, true);
  mr_lw_end(lw);
  mr_lw_end(lw);
  lw->num_staged = staged;
}

static mr_lv tile_is_full(mr_lower *lw, const mr_group *g, int64_t chunk) {
  if (extent(g) % chunk == 0) {
    return 0;
  }
  return mr_l_compare(lw->p, 4, 3, MR_S64, chunk_start(lw, g), mr_l_index(lw->p, g->hi - chunk));
}

static void emit_tiles(mr_nest *nest, const plan *p) {
  mr_lower *lw = nest->lw;
  const mr_group *g = &nest->groups[nest->num_groups - 1], *t = &nest->groups[p->tiled];
  mr_lv span_end = mr_l_iadd(lw->p, nest->tile_from, mr_l_index(lw->p, TILED_SPAN));
  mr_lw_for(lw, g->outer, nest->tile_from, mr_l_imin(lw->p, span_end, mr_l_index(lw->p, g->hi)), p->chunk, 0,
            (double)MR_MIN(extent(g), TILED_SPAN) / (double)p->chunk);
  mr_lv tiles = mr_l_index(lw->p, MR_TILES);
  if (extent(t) % (MR_TILES * MR_TILE)) {
    mr_lv rest = mr_l_isub(lw->p, mr_l_index(lw->p, t->hi + MR_TILE - 1), mr_lw_ix(lw, t->outer));
    tiles = mr_l_imin(lw->p, tiles, mr_l_idiv(lw->p, rest, mr_l_index(lw->p, MR_TILE)));
  }
  mr_lw_for(lw, t->middle, mr_l_index(lw->p, 0), tiles, 1, 0, MR_TILES);
  if (!mr_tile_can_stage(nest, p->tiled)) {
    emit_tile_body(nest, p, false);
  } else {
    double trips = lw->trips;
    mr_lv full = mr_lw_and(lw, tile_is_full(lw, g, p->chunk), tile_is_full(lw, t, p->chunk));
    if (full) {
      mr_lw_if(lw, full);
    }
    emit_tile_body(nest, p, true);
    if (full) {
      mr_lw_else(lw);
      lw->trips = 0;  // counted already
      emit_tile_body(nest, p, false);
      mr_lw_end(lw);
      lw->trips = trips;
    }
  }
  mr_lw_end(lw);
  mr_lw_end(lw);
}

// Reductions computed inside of the innermost loop.
static bool inline_demands(const mr_nest *nest) {
  for (uint32_t i = 0; i < nest->record.num_demands; i++) {
    if (level_of(nest, nest->record.demands[i].vars) == nest->num_groups) {
      return true;
    }
  }
  return false;
}

// The loop around a short one can be the one that becomes vectors, which moves elements one by one between memory and
// vectors and pays for more than a sum: exp of rows of four takes 0.23 ns an element so and 0.27 as one vector a row, a
// sum of rows 0.13 and 0.08, and sums in bf16, where this fails, 0.75 and 0.22. Rows of eight are as good as vectors.
static bool wants_unroll(const mr_nest *nest, const mr_group *group) {
  return extent(group) < FULL_INNER && nest->record.work > UNROLL_WORK;
}

static void emit_inner(mr_nest *nest, const plan *p) {
  mr_lower *lw = nest->lw;
  if (p->mode == CHUNKED) {
    const mr_group *g = &nest->groups[nest->num_groups - 1];
    if (p->shared_range) {
      mr_lw_for(lw, g->outer, mr_l_index(lw->p, g->lo), mr_l_index(lw->p, g->hi), p->chunk, 0,
                (double)extent(g) / (double)p->chunk);
    }
    emit_chunk(nest, p);
    if (p->shared_range) {
      mr_lw_end(lw);
    }
    return;
  }
  if (p->mode == TILED) {
    emit_tiles(nest, p);
    return;
  }
  for (uint32_t g = p->parallel; g < nest->num_groups; g++) {
    const mr_group *group = &nest->groups[g];
    bool last = g + 1 == nest->num_groups;
    uint32_t flags = last && !inline_demands(nest) ? MR_L_INDEPENDENT : 0;
    if (last && g > 0 && wants_unroll(nest, group)) {
      flags |= MR_L_UNROLL;
    }
    if (g + 2 == nest->num_groups && extent(&nest->groups[g + 1]) <= FULL_INNER && nest->record.num_demands == 0) {
      flags |= MR_L_INDEPENDENT;
    }
    mr_lw_for(lw, group->outer, mr_l_index(lw->p, group->lo), mr_l_index(lw->p, group->hi), 1, flags,
              (double)extent(group));
    emit_hoisted(nest, g + 1, g + 2);
  }
  emit_body(nest, false);
  for (uint32_t g = p->parallel; g < nest->num_groups; g++) {
    mr_lw_end(lw);
  }
}

// How many steps group g takes in the parallel range.
static int64_t steps_of(const mr_nest *nest, const plan *p, uint32_t g) {
  const mr_group *group = &nest->groups[g];
  if (p->mode == CHUNKED && g + 1 == nest->num_groups) {
    return (extent(group) + p->chunk - 1) / p->chunk;
  }
  if (p->mode == TILED && g + 1 == nest->num_groups) {
    return (extent(group) + TILED_SPAN - 1) / TILED_SPAN;
  }
  if (p->mode == TILED && g == p->tiled) {
    return (extent(group) + MR_TILES * p->chunk - 1) / (MR_TILES * p->chunk);
  }
  return extent(group);
}

static bool is_parallel(const mr_nest *nest, const plan *p, uint32_t g) {
  return g < p->parallel || (p->mode != PLAIN && g + 1 == nest->num_groups);
}

// The groups' variables from the number of the share's step.
static void bind_groups(mr_nest *nest, const plan *p, mr_lv step) {
  mr_lower *lw = nest->lw;
  mr_lv rest = step;
  uint32_t first = 0;
  while (first < nest->num_groups && !is_parallel(nest, p, first)) {
    first++;
  }
  for (uint32_t g = nest->num_groups; g-- > 0;) {
    if (!is_parallel(nest, p, g)) {
      continue;
    }
    const mr_group *group = &nest->groups[g];
    int64_t steps = steps_of(nest, p, g), scale = !group->inner ? 1 : group->middle ? MR_TILES * p->chunk : p->chunk;
    bool span = p->mode == TILED && g + 1 == nest->num_groups;
    if (span) {
      scale = TILED_SPAN;
    }
    mr_lv here = g == first ? rest : mr_l_irem(lw->p, rest, mr_l_index(lw->p, steps));
    if (g != first) {
      rest = mr_l_idiv(lw->p, rest, mr_l_index(lw->p, steps));
    }
    here = mr_l_iadd(lw->p, mr_l_imul(lw->p, here, mr_l_index(lw->p, scale)), mr_l_index(lw->p, group->lo));
    if (span) {
      nest->tile_from = here;
    } else {
      bind(lw, group->outer, here);
    }
  }
}

// Local memory, which reductions use, is shared by the iterations.
static uint32_t outer_flags(const mr_nest *nest, const plan *p) {
  bool short_rows = nest->num_groups == 2 && p->parallel == 1 && extent(&nest->groups[1]) <= FULL_INNER;
  bool flat = (nest->num_groups == 1 || short_rows) && p->mode == PLAIN && nest->record.num_demands == 0;
  return flat ? MR_L_INDEPENDENT : 0;
}

// A share of a segment whose range is shared with others: the first group's own coordinate, cut to the segment.
static void emit_shared(mr_nest *nest, const plan *p) {
  mr_lower *lw = nest->lw;
  const mr_group *g = &nest->groups[0];
  const mr_ix *loop = g->outer->num_terms ? g->outer : mr_ix_loop(&lw->ix, lw->next_bit++, g->lo, g->lo + 1);
  mr_lv from = mr_l_imax(lw->p, mr_l_begin(lw->p), mr_l_index(lw->p, g->lo));
  mr_lv to = mr_l_imin(lw->p, mr_l_end_of_range(lw->p), mr_l_index(lw->p, g->hi));
  mr_lw_for(lw, loop, from, to, 1, outer_flags(nest, p), (double)extent(g));
  emit_hoisted(nest, 1, 2);
  emit_inner(nest, p);
  mr_lw_end(lw);
}

static void emit_range(mr_nest *nest, const plan *p) {
  mr_lower *lw = nest->lw;
  int64_t range = 1;
  for (uint32_t g = 0; g < nest->num_groups; g++) {
    if (is_parallel(nest, p, g)) {
      range *= steps_of(nest, p, g);
    }
  }
  nest->range = range;
  bool direct = p->mode == PLAIN && p->parallel == 1 && nest->groups[0].lo == 0 && nest->groups[0].outer->num_terms;
  const mr_ix *loop = direct ? nest->groups[0].outer : mr_ix_loop(&lw->ix, lw->next_bit++, 0, MR_MAX(range, 2));
  mr_lw_for(lw, loop, mr_l_begin(lw->p), mr_l_end_of_range(lw->p), 1, outer_flags(nest, p), (double)range);
  if (!direct) {
    bind_groups(nest, p, mr_lw_ix(lw, loop));
  }
  emit_hoisted(nest, 1, p->parallel + 1);
  emit_inner(nest, p);
  mr_lw_end(lw);
}

// A result may take an operand's memory when each element of the operand is read where the result's same element is made.
static void note_reuse(mr_nest *nest) {
  mr_lower *lw = nest->lw;
  for (uint32_t i = 0; i < nest->num_outputs; i++) {
    const mr_output *out = &nest->outputs[i];
    const mr_ix *store = NULL;
    for (uint32_t k = 0; k < nest->record.num_accesses; k++) {
      if (nest->record.accesses[k].operand == mr_lw_result_buffer(lw, out->result)) {
        store = nest->record.accesses[k].at;
      }
    }
    for (uint32_t k = 0; k < nest->record.num_accesses; k++) {
      const mr_access *a = &nest->record.accesses[k];
      if (a->operand < 64 && (a->at != store || out->form == MR_OUTPUT_PREFIX)) {
        nest->reuse[out->result] &= ~(1ull << a->operand);
      }
    }
  }
}

static void emit_segment(mr_nest *nest, bool shared_range, uint32_t first_end) {
  mr_nest_join(nest, first_end);
  plan p = choose(nest, shared_range);
  note_reuse(nest);
  emit_hoisted(nest, 0, 1);
  if (shared_range) {
    emit_shared(nest, &p);
  } else {
    emit_range(nest, &p);
  }
}

static void emit_segments(mr_nest *nest, const mr_breaks *breaks, uint32_t segments) {
  mr_nest_join(nest, UINT32_MAX);
  uint32_t first_end = nest->groups[0].last;
  nest->range = extent(&nest->groups[0]);
  for (uint32_t s = 0; s < segments && mr_lw_ok(nest->lw); s++) {
    uint32_t rest = s;
    for (uint32_t k = nest->num_dims; k-- > 0;) {
      uint32_t i = rest % (breaks->n[k] + 1);
      rest /= breaks->n[k] + 1;
      nest->dims[k].lo = i == 0 ? 0 : breaks->at[k][i - 1];
      nest->dims[k].hi = i == breaks->n[k] ? nest->dims[k].size : breaks->at[k][i];
    }
    mr_nest_probe(nest);
    emit_segment(nest, true, first_end);
  }
}

// No dimensions: one element.
static void emit_single(mr_nest *nest) {
  mr_lower *lw = nest->lw;
  nest->range = 1;
  mr_nest_dry(nest);
  const mr_ix *loop = mr_ix_loop(&lw->ix, lw->next_bit++, 0, 2);
  mr_lw_for(lw, loop, mr_l_begin(lw->p), mr_l_end_of_range(lw->p), 1, 0, 1);
  emit_body(nest, false);
  mr_lw_end(lw);
}

static void emit_nest(mr_nest *nest) {
  for (uint32_t d = 0; d < nest->type->rank; d++) {
    int64_t size = nest->type->dims[d];
    if (size != 1) {
      nest->dims[nest->num_dims++] = (mr_vdim){.size = size, .hi = size, .dim = d, .stride = 1};
    }
  }
  if (nest->num_dims == 0) {
    emit_single(nest);
    return;
  }
  mr_nest_probe(nest);
  for (int round = 0; round < 6 && mr_nest_split(nest); round++) {
    mr_nest_probe(nest);
  }
  mr_breaks breaks;
  uint32_t segments = mr_nest_breaks(nest, &breaks);
  if (segments > 1) {
    emit_segments(nest, &breaks, segments);
  } else {
    emit_segment(nest, false, UINT32_MAX);
  }
}

static void classify(mr_output *out, const mr_type *type) {
  const mr_type *mine = &out->value->type;
  out->form = MR_OUTPUT_OTHER;
  if (mr_type_same_dims(mine, type)) {
    out->form = MR_OUTPUT_SAME;
  } else if (mr_type_count(mine) == mr_type_count(type)) {
    out->form = MR_OUTPUT_FLAT;
  } else {
    uint32_t d = 0;
    while (d < mine->rank && d < type->rank && mine->dims[d] == type->dims[d]) {
      d++;
    }
    out->prefix = d;
    while (d < mine->rank && mine->dims[d] == 1) {
      d++;
    }
    if (d == mine->rank && out->prefix > 0) {
      out->form = MR_OUTPUT_PREFIX;
    }
  }
}

// One nest for the outputs that fit the largest one's space. Returns how many are left, at the front.
static uint32_t lower_group(mr_lower *lw, mr_output *outputs, uint32_t n, int64_t *out_range, uint64_t *reuse) {
  mr_nest *nest = mr_lw_alloc(lw, sizeof *nest);
  if (!mr_lw_ok(lw)) {
    return 0;
  }
  memset(nest, 0, sizeof *nest);
  nest->lw = lw;
  nest->base_bit = lw->next_bit;
  nest->reuse = reuse;
  nest->outputs = mr_lw_alloc(lw, n * sizeof *outputs);
  uint32_t primary = 0, rest = 0;
  for (uint32_t i = 1; i < n; i++) {
    if (mr_type_count(&outputs[i].value->type) > mr_type_count(&outputs[primary].value->type)) {
      primary = i;
    }
  }
  nest->type = &outputs[primary].value->type;
  for (uint32_t i = 0; i < n; i++) {
    classify(&outputs[i], nest->type);
    if (outputs[i].form == MR_OUTPUT_OTHER) {
      outputs[rest++] = outputs[i];
    } else {
      nest->outputs[nest->num_outputs++] = outputs[i];
    }
  }
  if (mr_type_count(nest->type) > 0) {
    emit_nest(nest);
  }
  *out_range = nest->range;
  lw->next_bit = nest->base_bit;
  return rest;
}

void mr_lower_nest(mr_lower *lw, mr_output *outputs, uint32_t num_outputs, int64_t *out_range, uint64_t *reuse) {
  mr_output *list = mr_lw_alloc(lw, (num_outputs + 1) * sizeof *list);
  memcpy(list, outputs, num_outputs * sizeof *list);
  uint32_t rest = lower_group(lw, list, num_outputs, out_range, reuse);
  if (rest == 0 || !mr_lw_ok(lw)) {
    return;
  }
  mr_lw_fail(lw, mr_error(MR_UNIMPLEMENTED, "a fusion whose results have unrelated shapes"));
}
