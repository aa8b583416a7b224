// The loops around a reduction's terms when one result element is computed at a time.
#include <string.h>

#include "compiler/lower/reduction.h"
#include "compiler/lower/tuning.h"

static bool is_straight(const mr_ix *a, const mr_ix *loop) {
  const mr_ix_atom *atom = loop->terms[0].atom;
  for (uint32_t i = 0; i < a->num_terms; i++) {
    const mr_ix_atom *other = a->terms[i].atom;
    // What is read from a tensor is judged by the reads themselves, which the record has too.
    if (other != atom && other->kind != MR_IX_DYN && (other->vars & atom->vars)) {
      return false;
    }
  }
  return true;
}

bool mr_lw_can_join(const mr_record *record, const mr_ix *outer, const mr_ix *inner, int64_t inner_size) {
  if (!outer->num_terms || !inner->num_terms) {
    return true;
  }
  for (uint32_t i = 0; i < record->num_accesses; i++) {
    const mr_ix *a = record->accesses[i].at;
    if (!is_straight(a, outer) || !is_straight(a, inner)) {
      return false;
    }
    if (mr_ix_coef(a, outer) != mr_ix_coef(a, inner) * inner_size) {
      return false;
    }
  }
  return true;
}

// Whether memory is read contiguously along the loop: some access has stride one, none another.
static bool is_contiguous(const mr_record *record, uint32_t from, const mr_ix *loop) {
  bool some = false;
  if (!loop->num_terms) {
    return false;
  }
  for (uint32_t i = from; i < record->num_accesses; i++) {
    const mr_access *a = &record->accesses[i];
    if (a->operand == MR_LW_NO_OPERAND || !(a->at->vars & loop->vars)) {
      continue;
    }
    int64_t coef = mr_ix_coef(a->at, loop);
    if (!is_straight(a->at, loop) || (coef != 1 && coef != -1)) {
      return false;
    }
    some = true;
  }
  return some;
}

static void plan_groups(mr_lower *lw, const mr_red *red, const mr_record *record, const mr_ix *const *probe,
                        mr_red_loops *out) {
  uint32_t first[MR_RED_RANK + 1], n = 0;
  for (uint32_t i = 0; i < red->rank; i++) {
    bool joins = i > 0 && red->op->kind == MR_OP_reduce && mr_lw_can_join(record, probe[i - 1], probe[i], red->size[i]);
    if (!joins) {
      first[n++] = i;
    }
  }
  first[n] = red->rank;
  uint32_t last = n;
  for (uint32_t g = n; g-- > 0 && last == n;) {
    if (is_contiguous(record, 0, probe[first[g + 1] - 1])) {
      last = g;
    }
  }
  for (uint32_t k = 0; k < n; k++) {
    // Group `last` moves behind the others.
    uint32_t g = k < last ? k : k + 1 < n ? k + 1 : last == n ? k : last;
    int64_t count = 1;
    for (uint32_t i = first[g]; i < first[g + 1]; i++) {
      count *= red->size[i];
    }
    out->count[k] = count;
    out->loop[k] = mr_lw_loop(lw, 0, count - 1);
    const mr_ix *rest = out->loop[k];
    for (uint32_t i = first[g + 1]; i-- > first[g];) {
      out->r[i] = i == first[g] ? rest : mr_ix_mod(&lw->ix, rest, red->size[i]);
      rest = mr_ix_div(&lw->ix, rest, red->size[i]);
    }
  }
  out->n = n;
}

static bool is_used_again(const mr_value *value) { return value->uses && value->uses->next; }

// The slow values that the terms' dry run asked for, along the one loop that there is.
static void find_slow(mr_lower *lw, const mr_red *red, const mr_ix *const *probe, uint32_t first_memo,
                      mr_red_loops *out) {
  const mr_ix *loop = NULL;
  for (uint32_t i = 0; i < red->rank; i++) {
    if (!probe[i]->num_terms) {
      continue;
    }
    if (loop || red->size[i] > MR_LOWER_LONGEST_KEPT) {
      return;
    }
    loop = probe[i];
  }
  for (uint32_t i = first_memo; loop && i < lw->num_memo && out->num_slow < MR_RED_SLOW; i++) {
    const mr_memo *memo = &lw->memo[i];
    const mr_op *def = memo->value->def;
    if (!def || !mr_op_kind_is_slow(def->kind) || memo->at.flat || mr_dtype_is_complex(memo->value->type.dtype)) {
      continue;
    }
    if (!is_used_again(memo->value) && mr_red_count(red) % MR_LOWER_EVEN_ROW == 0) {
      continue;
    }
    mr_red_slow slow = {memo->value, memo->at, 0};
    uint32_t dims = 0;
    bool plain = true;
    for (uint32_t d = 0; d < memo->at.n; d++) {
      if (!(memo->at.at[d]->vars & loop->vars)) {
        continue;
      }
      plain = plain && memo->at.at[d] == loop;
      slow.dim = d;
      dims++;
    }
    if (dims == 1 && plain) {
      out->slow[out->num_slow++] = slow;
    }
  }
}

// The same values at the loop that is really made.
static void place_slow(mr_lower *lw, mr_red_loops *out) {
  if (out->n != 1) {
    out->num_slow = 0;
  }
  for (uint32_t i = 0; i < out->num_slow; i++) {
    mr_index *at = &out->slow[i].at;
    const mr_ix **copy = mr_lw_alloc(lw, at->n * sizeof *copy);
    memcpy(copy, at->at, at->n * sizeof *copy);
    copy[out->slow[i].dim] = out->loop[0];
    at->at = copy;
  }
}

void mr_red_plan(mr_lower *lw, const mr_red *reds, const mr_index *ats, uint32_t n, mr_red_loops *out) {
  const mr_ix *probe[MR_RED_RANK];
  const mr_red *red = &reds[0];
  for (uint32_t i = 0; i < red->rank; i++) {
    probe[i] = mr_lw_loop(lw, 0, red->size[i] - 1);
  }
  mr_record record;
  mr_dry dry = mr_lw_dry_begin(lw, &record);
  for (uint32_t k = 0; k < n; k++) {
    mr_elem *terms = mr_lw_alloc(lw, (reds[k].n + 1) * sizeof *terms);
    mr_red_terms(lw, &reds[k], ats[k], probe, terms);
  }
  find_slow(lw, red, probe, dry.num_memo, out);
  mr_lw_dry_end(lw, dry);
  plan_groups(lw, red, &record, probe, out);
  place_slow(lw, out);
}

// In a dry run: the terms once, in loops for each position, and the demand.
static void reduce_dry(mr_lower *lw, const mr_red *red, mr_index at, mr_elem *acc) {
  const mr_ix *r[MR_RED_RANK];
  uint32_t mark = lw->record->num_accesses;
  for (uint32_t i = 0; i < red->rank; i++) {
    r[i] = mr_lw_loop(lw, 0, red->size[i] - 1);
    mr_lw_count(lw, r[i], red->size[i], 0);
  }
  mr_elem *terms = mr_lw_alloc(lw, (red->n + 1) * sizeof *terms);
  mr_red_terms(lw, red, at, r, terms);
  mr_red_join(lw, red, acc, terms, acc);
  for (uint32_t i = 0; i < red->rank; i++) {
    mr_lw_end(lw);
  }
  bool along = false;
  for (uint32_t i = 0; i < red->rank; i++) {
    along = along || is_contiguous(lw->record, mark, r[i]);
  }
  uint64_t vars = 0;
  const mr_ix **copy = mr_lw_alloc(lw, at.n * sizeof *copy + 1);
  for (uint32_t i = 0; i < at.n; i++) {
    vars |= at.at[i]->vars;
  }
  if (at.n) {
    memcpy(copy, at.at, at.n * sizeof *copy);
  }
  mr_lw_demand(lw, (mr_demand){&red->op->results[0], {false, at.n, copy}, vars, (double)mr_red_count(red), along});
  for (uint32_t i = 0; i < red->n; i++) {
    acc[i] = mr_lw_constant(lw, red->acc[i], 0);
  }
}

static void reduce_unrolled(mr_lower *lw, const mr_red *red, mr_index at, mr_elem *acc) {
  int64_t count = mr_red_count(red);
  mr_elem *terms = mr_lw_alloc(lw, (red->n + 1) * sizeof *terms);
  const mr_ix *r[MR_RED_RANK];
  for (int64_t k = 0; k < count; k++) {
    int64_t rest = k;
    for (uint32_t i = red->rank; i-- > 0;) {
      r[i] = mr_ix_const(&lw->ix, rest % red->size[i]);
      rest /= red->size[i];
    }
    mr_red_terms(lw, red, at, r, terms);
    mr_red_join(lw, red, acc, terms, acc);
  }
}

// Slow values along the row are computed by a loop of their own into local memory, where others that go over the row
// find them again; a loop without an accumulator is also the easier one to vectorise to its end.
static void keep_rows(mr_lower *lw, const mr_red_loops *loops) {
  // All locals of a kernel together have a limit, which segments and several reductions come near.
  if (loops->num_slow == 0 ||
      mr_lw_local_bytes(lw) + (int64_t)loops->num_slow * loops->count[0] * 8 > MR_LOWER_MOST_LOCAL) {
    return;
  }
  mr_kept kept[MR_RED_SLOW];
  mr_lw_count(lw, loops->loop[0], loops->count[0], MR_L_INDEPENDENT);
  for (uint32_t i = 0; i < loops->num_slow; i++) {
    const mr_red_slow *slow = &loops->slow[i];
    mr_dtype dtype = slow->value->type.dtype;
    mr_elem e = mr_lw_element(lw, slow->value, slow->at);
    kept[i] = (mr_kept){.value = slow->value, .at = slow->at, .dim = slow->dim, .base = mr_ix_const(&lw->ix, 0)};
    kept[i].re = mr_l_local(lw->p, dtype, loops->count[0]);
    mr_l_store(lw->p, kept[i].re, mr_lw_ix(lw, loops->loop[0]), e.re);
  }
  mr_lw_end(lw);
  for (uint32_t i = 0; i < loops->num_slow; i++) {
    mr_lw_keep(lw, kept[i]);
  }
}

static void reduce_looped(mr_lower *lw, const mr_red *red, mr_index at, const mr_red_loops *loops, mr_elem *acc) {
  mr_elem *vars = mr_lw_alloc(lw, (red->n + 1) * sizeof *vars), *terms = mr_lw_alloc(lw, (red->n + 1) * sizeof *terms);
  keep_rows(lw, loops);
  for (uint32_t i = 0; i < red->n; i++) {
    vars[i] = mr_lw_var(lw, acc[i]);
  }
  for (uint32_t i = 0; i < loops->n; i++) {
    mr_lw_count(lw, loops->loop[i], loops->count[i], MR_L_INDEPENDENT);
  }
  mr_red_terms(lw, red, at, loops->r, terms);
  for (uint32_t i = 0; i < red->n; i++) {
    acc[i] = mr_lw_get(lw, vars[i]);
  }
  mr_red_join(lw, red, acc, terms, acc);
  for (uint32_t i = 0; i < red->n; i++) {
    mr_lw_set(lw, vars[i], acc[i]);
  }
  for (uint32_t i = 0; i < loops->n; i++) {
    mr_lw_end(lw);
  }
  for (uint32_t i = 0; i < red->n; i++) {
    acc[i] = mr_lw_get(lw, vars[i]);
  }
}

// What the parts of a reduction in lanes share.
typedef struct in_lanes {
  mr_lower *lw;
  const mr_red *red;
  mr_index at;
  const mr_ix *r[MR_RED_RANK];
  uint32_t k;  // the loop that the lanes lie along
  int64_t width, count, rounds;
  mr_red_memory memory;
  mr_elem *terms, *part, *vars;
} in_lanes;

static in_lanes make_lanes(mr_lower *lw, const mr_red *red, mr_index at, const mr_red_loops *loops) {
  in_lanes s = {.lw = lw, .red = red, .at = at, .k = red->rank - 1};
  while (red->size[s.k] == 1) {
    s.k--;
  }
  s.count = red->size[s.k];
  s.width = s.count >= MR_LOWER_LONG_ROW ? MR_LOWER_LANES : MR_LOWER_FEW_LANES;
  s.rounds = s.count / s.width;
  s.terms = mr_lw_alloc(lw, (red->n + 1) * sizeof *s.terms);
  s.part = mr_lw_alloc(lw, (red->n + 1) * sizeof *s.part);
  s.memory.re = mr_lw_alloc(lw, (red->n + 1) * sizeof *s.memory.re);
  s.memory.im = mr_lw_alloc(lw, (red->n + 1) * sizeof *s.memory.im);
  for (uint32_t i = 0; i < red->n; i++) {
    s.memory.re[i] = mr_l_local(lw->p, mr_dtype_real(red->acc[i]), s.width);
    if (mr_dtype_is_complex(red->acc[i])) {
      s.memory.im[i] = mr_l_local(lw->p, mr_dtype_real(red->acc[i]), s.width);
    }
  }
  memcpy(s.r, loops->r, sizeof s.r);
  return s;
}

static void load_lanes(in_lanes *s, const mr_ix *lane) {
  for (uint32_t i = 0; i < s->red->n; i++) {
    s->part[i] = mr_red_load(s->lw, s->red, &s->memory, i, mr_lw_ix(s->lw, lane));
  }
}

static void store_lanes(in_lanes *s, const mr_ix *lane, const mr_elem *from) {
  for (uint32_t i = 0; i < s->red->n; i++) {
    mr_red_store(s->lw, s->red, &s->memory, i, mr_lw_ix(s->lw, lane), from[i]);
  }
}

// Each lane starts with a term of its own and takes one more in each round.
static void fill_lanes(in_lanes *s, const mr_ix *lane) {
  mr_lower *lw = s->lw;
  const mr_ix *round = mr_lw_loop(lw, 1, MR_MAX(s->rounds - 1, 2));
  s->r[s->k] = lane;
  mr_lw_count(lw, lane, s->width, MR_L_INDEPENDENT);
  mr_red_terms(lw, s->red, s->at, s->r, s->terms);
  store_lanes(s, lane, s->terms);
  mr_lw_end(lw);
  s->r[s->k] = mr_ix_add(&lw->ix, mr_ix_scale(&lw->ix, round, s->width), lane);
  mr_lw_for(lw, round, mr_l_index(lw->p, 1), mr_l_index(lw->p, s->rounds), 1, 0, (double)s->rounds);
  mr_lw_count(lw, lane, s->width, MR_L_INDEPENDENT);
  mr_red_terms(lw, s->red, s->at, s->r, s->terms);
  load_lanes(s, lane);
  mr_red_join(lw, s->red, s->part, s->terms, s->part);
  store_lanes(s, lane, s->part);
  mr_lw_end(lw);
  mr_lw_end(lw);
}

static void get_vars(in_lanes *s, mr_elem *acc) {
  for (uint32_t i = 0; i < s->red->n; i++) {
    acc[i] = mr_lw_get(s->lw, s->vars[i]);
  }
}

static void set_vars(in_lanes *s, const mr_elem *acc) {
  for (uint32_t i = 0; i < s->red->n; i++) {
    mr_lw_set(s->lw, s->vars[i], acc[i]);
  }
}

// The positions that fill no round.
static void add_rest(in_lanes *s, mr_elem *acc) {
  mr_lower *lw = s->lw;
  int64_t done = s->rounds * s->width;
  const mr_ix *tail = mr_lw_loop(lw, done, MR_MAX(s->count - 1, done + 1));
  s->r[s->k] = tail;
  mr_lw_for(lw, tail, mr_l_index(lw->p, done), mr_l_index(lw->p, s->count), 1, 0, (double)(s->count % s->width));
  mr_red_terms(lw, s->red, s->at, s->r, s->terms);
  get_vars(s, acc);
  mr_red_join(lw, s->red, acc, s->terms, acc);
  set_vars(s, acc);
  mr_lw_end(lw);
}

// One loop over `count` positions in MR_LOWER_LANES accumulators side by side, each started with a term of its own, so that the
// initial value joins once; then the lanes one after the other.
static void reduce_lanes(mr_lower *lw, const mr_red *red, mr_index at, mr_red_loops *loops, mr_elem *acc) {
  in_lanes s = make_lanes(lw, red, at, loops);
  const mr_ix *lane = mr_lw_loop(lw, 0, s.width - 1);
  fill_lanes(&s, lane);
  s.vars = mr_lw_alloc(lw, (red->n + 1) * sizeof *s.vars);
  for (uint32_t i = 0; i < red->n; i++) {
    s.vars[i] = mr_lw_var(lw, acc[i]);
  }
  mr_lw_count(lw, lane, s.width, MR_L_NO_VECTOR);
  get_vars(&s, acc);
  load_lanes(&s, lane);
  mr_red_join(lw, red, acc, s.part, acc);
  set_vars(&s, acc);
  mr_lw_end(lw);
  add_rest(&s, acc);
  get_vars(&s, acc);
}

static bool wants_lanes(const mr_red *red) {
  if (red->op->kind != MR_OP_reduce || red->simple != MR_OP_COUNT) {
    return false;
  }
  uint32_t loops = 0;
  int64_t count = 1;
  for (uint32_t i = 0; i < red->rank; i++) {
    loops += red->size[i] != 1;
    count *= red->size[i];
  }
  for (uint32_t i = 0; i < red->n; i++) {
    if (red->term[i] != red->acc[i]) {
      return false;
    }
  }
  return loops == 1 && count >= MR_LOWER_FEWEST_LANE_ROUNDS * MR_LOWER_FEW_LANES;
}

mr_elem mr_lw_of_reduction(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  mr_red red;
  const mr_ix *storage[MR_MAX_RANK];
  if (!mr_red_describe(lw, op, &red)) {
    return mr_lw_constant(lw, op->results[0].type.dtype, 0);
  }
  at = mr_lw_vector(lw, &op->results[0].type, at, storage);
  if (op->results[0].type.rank == 0) {
    at = mr_at(0, NULL);
  }
  mr_elem known;
  if (mr_lw_find(lw, value, at, &known)) {  // asked for by its row-major number, known by its coordinates
    return known;
  }
  uint32_t bits = lw->next_bit;
  mr_elem *acc = mr_lw_alloc(lw, (red.n + 1) * sizeof *acc);
  mr_red_initial(lw, &red, acc);
  int64_t count = mr_red_count(&red);
  int64_t limit = op->kind == MR_OP_reduce_window ? MR_LOWER_UNROLLED_WINDOW
                  : op->kind == MR_OP_dot_general ? MR_LOWER_UNROLLED_DOT
                                                  : MR_LOWER_UNROLLED_REDUCE;
  mr_red_loops loops = {0};
  if (count <= limit) {
    reduce_unrolled(lw, &red, at, acc);
  } else if (lw->record) {
    reduce_dry(lw, &red, at, acc);
  } else {
    mr_red_plan(lw, &red, &at, 1, &loops);
    if (wants_lanes(&red)) {
      reduce_lanes(lw, &red, at, &loops, acc);
    } else {
      reduce_looped(lw, &red, at, &loops, acc);
    }
  }
  lw->next_bit = bits;
  for (uint32_t i = 0; i < red.n; i++) {
    mr_lw_remember(lw, &op->results[i], at, mr_red_result(lw, &red, i, acc[i]));
  }
  return lw->num_memo >= red.n ? lw->memo[lw->num_memo - red.n + value->index].elem : acc[0];
}
