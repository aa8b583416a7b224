#include "compiler/lower/nest.h"
#include "compiler/lower/tuning.h"

#include <string.h>

// ---- Emission ---------------------------------------------------------------------------------------------------------------

static void bind(mr_lower *lw, const mr_ix *loop, mr_lv lv) {
  if (!loop->num_terms) {
    return;
  }
  loop->terms[0].atom->lv = lv;
  loop->terms[0].atom->scope = lw->scopes[lw->depth];
}

// Whether this is the first of the places where a number of each row is computed, which several shares may come to: chunks and
// tiles of the row, or, where there is one number, all of them. 0: there is one place.
static mr_lv row_begins(mr_nest *nest, const mr_cut *p, uint32_t level) {
  mr_lower *lw = nest->lw;
  const mr_group *g = &nest->groups[nest->num_groups - 1];
  if (level == 0) {
    return mr_l_compare(lw->p, MR_L_EQ, MR_L_SIGNED, MR_S64, mr_l_begin(lw->p), mr_l_index(lw->p, 0));
  }
  if (p->mode == MR_CUT_PLAIN || p->shared_range) {
    return 0;
  }
  return mr_l_compare(lw->p, MR_L_EQ, MR_L_SIGNED, MR_S64, mr_lw_ix(lw, g->outer), mr_l_index(lw->p, g->lo));
}

static void emit_prefix_outputs(mr_nest *nest, const mr_cut *p, uint32_t from, uint32_t to) {
  mr_lower *lw = nest->lw;
  const mr_ix *storage[MR_MAX_RANK];
  for (uint32_t i = 0; i < nest->num_outputs; i++) {
    const mr_output *out = &nest->outputs[i];
    if (out->form != MR_OUTPUT_PREFIX) {
      continue;
    }
    uint32_t level = mr_nest_prefix_level(nest, out);
    if (level < from || level >= to) {
      continue;
    }
    mr_index at = mr_nest_index(nest, out, storage);
    mr_elem e = mr_lw_element(lw, out->value, at);  // everywhere: the row's elements may be computed from it
    mr_lv begins = row_begins(nest, p, level);
    if (begins) {
      mr_lw_if(lw, begins);
    }
    mr_lw_store(lw, mr_lw_result_buffer(lw, out->result), out->value->type.dtype, mr_nest_target(nest, out, at), e);
    if (begins) {
      mr_lw_end(lw);
    }
  }
}

// What the levels [from, to) can compute ahead of the loops inside.
static void emit_hoisted(mr_nest *nest, const mr_cut *p, uint32_t from, uint32_t to) {
  for (uint32_t i = 0; i < nest->record.num_demands; i++) {
    const mr_demand *demand = &nest->record.demands[i];
    uint32_t level = mr_nest_level_of(nest, demand->vars);
    if (level >= from && level < to && level < nest->num_groups) {
      mr_lw_element(nest->lw, demand->value, demand->at);
    }
  }
  emit_prefix_outputs(nest, p, from, to);
}

// Results that could not stay in a cache are written past them; those written in short pieces sooner.
static uint32_t store_flags(const mr_lower *lw, const mr_output *out, bool tiled) {
  double share = mr_figures_cache_share(mr_op_module(lw->op)->figures);
  double limit = tiled ? share / MR_LOWER_STREAM_TILED_PART : share;
  // A row of a tile must fill a cache line: parts of lines are written to memory one by one.
  bool lines = !tiled || mr_dtype_bytes(out->value->type.dtype) * MR_TILE >= MR_CACHE_LINE;
  return !out->into && lines && (double)mr_type_bytes(&out->value->type) >= limit ? MR_L_STREAM : 0;
}

// All elements first, then the stores: a result may share memory with an operand.
static void emit_body(mr_nest *nest, bool tiled) {
  mr_lower *lw = nest->lw;
  const mr_ix *storage[MR_MAX_RANK];
  mr_elem *elems = mr_lw_alloc(lw, (nest->num_outputs + 1) * sizeof *elems);
  // Reductions in the order in which they need each other, so that none is computed inside of another's loop.
  for (uint32_t i = 0; i < nest->record.num_demands; i++) {
    const mr_demand *demand = &nest->record.demands[i];
    if (mr_nest_level_of(nest, demand->vars) == nest->num_groups) {
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
      lw->store_flags = store_flags(lw, out, tiled);
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
  if (mr_group_extent(g) % chunk == 0) {
    return mr_l_index(lw->p, chunk);
  }
  return mr_l_imin(lw->p, mr_l_index(lw->p, chunk), mr_l_isub(lw->p, mr_l_index(lw->p, g->hi), chunk_start(lw, g)));
}

static void emit_chunk(mr_nest *nest, const mr_cut *p) {
  mr_lower *lw = nest->lw;
  const mr_group *g = &nest->groups[nest->num_groups - 1];
  mr_lv count = chunk_count(lw, g, p->chunk);
  uint32_t kept = lw->num_kept;
  const mr_demand **demands = mr_lw_alloc(lw, (nest->record.num_demands + 1) * sizeof *demands);
  uint32_t n = 0;
  for (uint32_t i = 0; i < nest->record.num_demands; i++) {
    if (mr_nest_is_blocked(nest, &nest->record.demands[i])) {
      demands[n++] = &nest->record.demands[i];
    }
  }
  mr_blocks_emit(nest, demands, n, count, p->chunk);
  mr_lw_for(lw, g->inner, mr_l_index(lw->p, 0), count, 1, MR_L_INDEPENDENT, (double)p->chunk);
  emit_body(nest, false);
  mr_lw_end(lw);
  lw->num_kept = kept;
}

static void emit_tile_body(mr_nest *nest, const mr_cut *p, bool full) {
  mr_lower *lw = nest->lw;
  const mr_group *g = &nest->groups[nest->num_groups - 1], *t = &nest->groups[p->tiled];
  mr_lv side = mr_l_index(lw->p, p->chunk);
  uint32_t staged = lw->num_staged;
  if (full) {
    mr_tile_stage(nest, p->tiled);
  }
  mr_lw_for(lw, t->inner, mr_l_index(lw->p, 0), full ? side : chunk_count(lw, t, p->chunk), 1, 0, (double)p->chunk);
  emit_prefix_outputs(nest, p, p->tiled + 1, nest->num_groups);
  mr_lw_for(lw, g->inner, mr_l_index(lw->p, 0), full ? side : chunk_count(lw, g, p->chunk), 1, MR_L_INDEPENDENT,
            (double)p->chunk);
  emit_body(nest, true);
  mr_lw_end(lw);
  mr_lw_end(lw);
  lw->num_staged = staged;
}

static mr_lv tile_is_full(mr_lower *lw, const mr_group *g, int64_t chunk) {
  if (mr_group_extent(g) % chunk == 0) {
    return 0;
  }
  return mr_l_compare(lw->p, 4, 3, MR_S64, chunk_start(lw, g), mr_l_index(lw->p, g->hi - chunk));
}

static void emit_tiles(mr_nest *nest, const mr_cut *p) {
  mr_lower *lw = nest->lw;
  const mr_group *g = &nest->groups[nest->num_groups - 1], *t = &nest->groups[p->tiled];
  mr_lv span_end = mr_l_iadd(lw->p, nest->tile_from, mr_l_index(lw->p, MR_LOWER_TILED_SPAN));
  mr_lw_for(lw, g->outer, nest->tile_from, mr_l_imin(lw->p, span_end, mr_l_index(lw->p, g->hi)), p->chunk, 0,
            (double)MR_MIN(mr_group_extent(g), MR_LOWER_TILED_SPAN) / (double)p->chunk);
  mr_lv tiles = mr_l_index(lw->p, MR_TILES);
  if (mr_group_extent(t) % (MR_TILES * MR_TILE)) {
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
    if (mr_nest_level_of(nest, nest->record.demands[i].vars) == nest->num_groups) {
      return true;
    }
  }
  return false;
}

// The loop around a short one can be the one that becomes vectors, which moves elements one by one between memory and
// vectors and pays for more than a sum: exp of rows of four takes 0.23 ns an element so and 0.27 as one vector a row, a
// sum of rows 0.13 and 0.08, and sums in bf16, where this fails, 0.75 and 0.22. Rows of eight are as good as vectors.
static bool wants_unroll(const mr_nest *nest, const mr_group *group) {
  return mr_group_extent(group) < MR_LOWER_FULL_INNER && nest->record.work > MR_LOWER_UNROLL_WORK;
}

static void emit_inner(mr_nest *nest, const mr_cut *p) {
  mr_lower *lw = nest->lw;
  if (p->mode == MR_CUT_CHUNKED) {
    const mr_group *g = &nest->groups[nest->num_groups - 1];
    if (p->shared_range) {
      mr_lw_for(lw, g->outer, mr_l_index(lw->p, g->lo), mr_l_index(lw->p, g->hi), p->chunk, 0,
                (double)mr_group_extent(g) / (double)p->chunk);
    }
    emit_chunk(nest, p);
    if (p->shared_range) {
      mr_lw_end(lw);
    }
    return;
  }
  if (p->mode == MR_CUT_TILED) {
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
    if (g + 2 == nest->num_groups && mr_group_extent(&nest->groups[g + 1]) <= MR_LOWER_FULL_INNER &&
        nest->record.num_demands == 0) {
      flags |= MR_L_INDEPENDENT;
    }
    mr_lw_for(lw, group->outer, mr_l_index(lw->p, group->lo), mr_l_index(lw->p, group->hi), 1, flags,
              (double)mr_group_extent(group));
    emit_hoisted(nest, p, g + 1, g + 2);
  }
  emit_body(nest, false);
  for (uint32_t g = p->parallel; g < nest->num_groups; g++) {
    mr_lw_end(lw);
  }
}

// How many steps group g takes in the parallel range.
static int64_t steps_of(const mr_nest *nest, const mr_cut *p, uint32_t g) {
  const mr_group *group = &nest->groups[g];
  if (p->mode == MR_CUT_CHUNKED && g + 1 == nest->num_groups) {
    return (mr_group_extent(group) + p->chunk - 1) / p->chunk;
  }
  if (p->mode == MR_CUT_TILED && g + 1 == nest->num_groups) {
    return (mr_group_extent(group) + MR_LOWER_TILED_SPAN - 1) / MR_LOWER_TILED_SPAN;
  }
  if (p->mode == MR_CUT_TILED && g == p->tiled) {
    return (mr_group_extent(group) + MR_TILES * p->chunk - 1) / (MR_TILES * p->chunk);
  }
  return mr_group_extent(group);
}

static bool is_parallel(const mr_nest *nest, const mr_cut *p, uint32_t g) {
  return g < p->parallel || (p->mode != MR_CUT_PLAIN && g + 1 == nest->num_groups);
}

// The groups' variables from the number of the share's step.
static void bind_groups(mr_nest *nest, const mr_cut *p, mr_lv step) {
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
    bool span = p->mode == MR_CUT_TILED && g + 1 == nest->num_groups;
    if (span) {
      scale = MR_LOWER_TILED_SPAN;
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
static uint32_t outer_flags(const mr_nest *nest, const mr_cut *p) {
  bool short_rows =
      nest->num_groups == 2 && p->parallel == 1 && mr_group_extent(&nest->groups[1]) <= MR_LOWER_FULL_INNER;
  bool flat = (nest->num_groups == 1 || short_rows) && p->mode == MR_CUT_PLAIN && nest->record.num_demands == 0;
  return flat ? MR_L_INDEPENDENT : 0;
}

// A share of a segment whose range is shared with others: the first group's own coordinate, cut to the segment.
static void emit_shared(mr_nest *nest, const mr_cut *p) {
  mr_lower *lw = nest->lw;
  const mr_group *g = &nest->groups[0];
  const mr_ix *loop = g->outer->num_terms ? g->outer : mr_ix_loop(&lw->ix, lw->next_bit++, g->lo, g->lo + 1);
  mr_lv from = mr_l_imax(lw->p, mr_l_begin(lw->p), mr_l_index(lw->p, g->lo));
  mr_lv to = mr_l_imin(lw->p, mr_l_end_of_range(lw->p), mr_l_index(lw->p, g->hi));
  mr_lw_for(lw, loop, from, to, 1, outer_flags(nest, p), (double)mr_group_extent(g));
  emit_hoisted(nest, p, 1, 2);
  emit_inner(nest, p);
  mr_lw_end(lw);
}

static void emit_range(mr_nest *nest, const mr_cut *p) {
  mr_lower *lw = nest->lw;
  int64_t range = 1;
  for (uint32_t g = 0; g < nest->num_groups; g++) {
    if (is_parallel(nest, p, g)) {
      range *= steps_of(nest, p, g);
    }
  }
  nest->range = range;
  bool direct =
      p->mode == MR_CUT_PLAIN && p->parallel == 1 && nest->groups[0].lo == 0 && nest->groups[0].outer->num_terms;
  const mr_ix *loop = direct ? nest->groups[0].outer : mr_ix_loop(&lw->ix, lw->next_bit++, 0, MR_MAX(range, 2));
  mr_lw_for(lw, loop, mr_l_begin(lw->p), mr_l_end_of_range(lw->p), 1, outer_flags(nest, p), (double)range);
  if (!direct) {
    bind_groups(nest, p, mr_lw_ix(lw, loop));
  }
  // A tile's group has its whole variable only inside of the tile.
  emit_hoisted(nest, p, 1, p->mode == MR_CUT_TILED ? p->tiled + 1 : p->parallel + 1);
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
  mr_cut p = mr_nest_choose_cut(nest, shared_range);
  note_reuse(nest);
  emit_hoisted(nest, &p, 0, 1);
  if (shared_range) {
    emit_shared(nest, &p);
  } else {
    emit_range(nest, &p);
  }
}

static void emit_segments(mr_nest *nest, const mr_breaks *breaks, uint32_t segments) {
  mr_nest_join(nest, UINT32_MAX);
  uint32_t first_end = nest->groups[0].last;
  nest->range = mr_group_extent(&nest->groups[0]);
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
  memset(nest, 0, offsetof(mr_nest, dims));
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
