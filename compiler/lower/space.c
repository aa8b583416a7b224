// The iteration space of a nest: cutting and joining dimensions by what a dry run saw.
#include <string.h>

#include "compiler/lower/nest.h"
#include "compiler/lower/tuning.h"

// ---- Dry runs -------------------------------------------------------------------------------------------------------------

mr_index mr_nest_index(mr_nest *nest, const mr_output *output, const mr_ix **storage) {
  mr_ix_table *t = &nest->lw->ix;
  if (nest->num_groups == 1 && output->form <= MR_OUTPUT_FLAT && nest->type->rank > 0) {
    storage[0] = nest->groups[0].at;
    return (mr_index){true, 1, storage};
  }
  for (uint32_t d = 0; d < nest->type->rank; d++) {
    storage[d] = mr_ix_const(t, 0);
  }
  for (uint32_t k = 0; k < nest->num_dims; k++) {
    const mr_vdim *v = &nest->dims[k];
    storage[v->dim] = mr_ix_add(t, storage[v->dim], mr_ix_scale(t, v->at, v->stride));
  }
  if (output->form == MR_OUTPUT_SAME) {
    return mr_at(nest->type->rank, storage);
  }
  if (output->form == MR_OUTPUT_FLAT) {
    storage[0] = mr_lw_linear(nest->lw, nest->type, mr_at(nest->type->rank, storage));
    return (mr_index){true, 1, storage};
  }
  for (uint32_t d = output->prefix; d < output->value->type.rank; d++) {
    storage[d] = mr_ix_const(t, 0);
  }
  return mr_at(output->value->type.rank, storage);
}

const mr_ix *mr_nest_target(mr_nest *nest, const mr_output *output, mr_index at) {
  mr_lower *lw = nest->lw;
  const mr_type *type = &output->value->type;
  if (type->rank == 0) {
    return mr_ix_const(&lw->ix, 0);
  }
  if (!output->into) {
    return mr_lw_linear(lw, type, at);
  }
  const mr_ix *storage[MR_MAX_RANK], *target[MR_MAX_RANK];
  const mr_type *whole = &output->into->results[0].type;
  at = mr_lw_vector(lw, type, at, storage);
  for (uint32_t d = 0; d < type->rank; d++) {
    const mr_ix *start = mr_lw_start(lw, mr_op_operand(output->into, 2 + d), whole->dims[d] - type->dims[d]);
    target[d] = mr_ix_add(&lw->ix, at.at[d], start);
  }
  return mr_lw_linear(lw, whole, mr_at(type->rank, target));
}

void mr_nest_dry(mr_nest *nest) {
  const mr_ix *storage[MR_MAX_RANK];
  mr_dry dry = mr_lw_dry_begin(nest->lw, &nest->record);
  for (uint32_t i = 0; i < nest->num_outputs; i++) {
    const mr_output *out = &nest->outputs[i];
    mr_index at = mr_nest_index(nest, out, storage);
    mr_elem e = mr_lw_element(nest->lw, out->value, at);
    const mr_ix *target = mr_nest_target(nest, out, at);
    mr_lw_store(nest->lw, mr_lw_result_buffer(nest->lw, out->result), out->value->type.dtype, target, e);
  }
  mr_lw_dry_end(nest->lw, dry);
}

void mr_nest_probe(mr_nest *nest) {
  nest->lw->next_bit = nest->base_bit;
  nest->num_groups = 0;
  for (uint32_t k = 0; k < nest->num_dims; k++) {
    nest->dims[k].at = mr_lw_loop(nest->lw, nest->dims[k].lo, nest->dims[k].hi - 1);
  }
  mr_nest_dry(nest);
}

// ---- Finer --------------------------------------------------------------------------------------------------------------

// A quotient or remainder of exactly dimension k's variable by a divisor of its size; 0 when there is none.
static int64_t find_cut(const mr_ix *a, const mr_vdim *v) {
  for (uint32_t i = 0; i < a->num_terms; i++) {
    const mr_ix_atom *atom = a->terms[i].atom;
    if (atom->kind != MR_IX_DIV && atom->kind != MR_IX_MOD) {
      continue;
    }
    if (atom->x == v->at && atom->d > 1 && atom->d < v->size && v->size % atom->d == 0) {
      return atom->d;
    }
    int64_t d = find_cut(atom->x, v);
    if (d) {
      return d;
    }
  }
  return 0;
}

static void cut(mr_nest *nest, uint32_t k, int64_t d) {
  memmove(&nest->dims[k + 1], &nest->dims[k], (nest->num_dims - k) * sizeof nest->dims[0]);
  nest->num_dims++;
  mr_vdim *outer = &nest->dims[k], *inner = &nest->dims[k + 1];
  outer->size = outer->hi = outer->size / d;
  outer->stride *= d;
  inner->size = inner->hi = d;
}

bool mr_nest_split(mr_nest *nest) {
  bool changed = false;
  for (uint32_t k = nest->num_dims; k-- > 0;) {
    int64_t d = 0;
    if (!nest->dims[k].at->num_terms) {
      continue;
    }
    for (uint32_t i = 0; i < nest->record.num_accesses && !d; i++) {
      d = find_cut(nest->record.accesses[i].at, &nest->dims[k]);
    }
    if (!d || nest->num_dims + 1 >= MR_NEST_DIMS) {
      continue;
    }
    cut(nest, k, d);
    changed = true;
  }
  return changed;
}

// ---- Segments -------------------------------------------------------------------------------------------------------------

static int64_t floor_div(int64_t a, int64_t d) {
  int64_t q = a / d;
  return a % d < 0 ? q - 1 : q;
}

static int64_t ceil_div(int64_t a, int64_t d) { return -floor_div(-a, d); }

static void add_break(mr_breaks *breaks, const mr_vdim *v, uint32_t k, int64_t at) {
  if (at <= v->lo || at >= v->hi) {
    return;
  }
  uint32_t i = 0;
  while (i < breaks->n[k] && breaks->at[k][i] < at) {
    i++;
  }
  if (i < breaks->n[k] && breaks->at[k][i] == at) {
    return;
  }
  if (breaks->n[k] == MR_ARRAY_SIZE(breaks->at[k])) {
    return;
  }
  memmove(&breaks->at[k][i + 1], &breaks->at[k][i], (breaks->n[k] - i) * sizeof breaks->at[k][0]);
  breaks->at[k][i] = at;
  breaks->n[k]++;
}

// Where `a >= bound` changes, when that depends on one dimension alone: the largest step decides and the rest never does.
static void break_at(mr_nest *nest, mr_breaks *breaks, const mr_ix *a, int64_t bound) {
  int64_t best = 0;
  uint32_t which = 0;
  for (uint32_t k = 0; k < nest->num_dims; k++) {
    int64_t coef = nest->dims[k].at->num_terms ? mr_ix_coef(a, nest->dims[k].at) : 0;
    if ((coef < 0 ? -coef : coef) > best) {
      best = coef < 0 ? -coef : coef;
      which = k;
    }
  }
  if (best == 0) {
    return;
  }
  const mr_vdim *v = &nest->dims[which];
  int64_t coef = mr_ix_coef(a, v->at);
  const mr_ix *rest = mr_ix_sub(&nest->lw->ix, a, mr_ix_scale(&nest->lw->ix, v->at, coef));
  int64_t first, last;
  if (coef > 0) {
    first = ceil_div(bound - rest->hi, coef);
    last = ceil_div(bound - rest->lo, coef);
  } else {
    first = floor_div(rest->lo - bound, -coef) + 1;
    last = floor_div(rest->hi - bound, -coef) + 1;
  }
  if (first == last) {
    add_break(breaks, v, which, first);
  }
}

uint32_t mr_nest_breaks(mr_nest *nest, mr_breaks *breaks) {
  memset(breaks->n, 0, sizeof breaks->n);
  for (uint32_t i = 0; i < nest->record.num_guards; i++) {
    const mr_guard *g = &nest->record.guards[i];
    break_at(nest, breaks, g->at, g->lo);
    break_at(nest, breaks, g->at, g->hi);
  }
  uint64_t segments = 1;
  for (uint32_t k = 0; k < nest->num_dims; k++) {
    segments = MR_MIN(segments * (breaks->n[k] + 1), 1u << 20);
  }
  if (segments <= MR_LOWER_MOST_SEGMENTS && segments * nest->record.num_accesses <= MR_LOWER_MOST_SEGMENT_ACCESSES) {
    return (uint32_t)segments;
  }
  memset(breaks->n, 0, sizeof breaks->n);
  return 1;
}

// ---- Coarser --------------------------------------------------------------------------------------------------------------

static bool is_cut(const mr_vdim *v) { return v->lo > 0 || v->hi < v->size; }

void mr_nest_join(mr_nest *nest, uint32_t first_end) {
  nest->num_groups = 0;
  for (uint32_t k = 0; k < nest->num_dims; k++) {
    const mr_vdim *v = &nest->dims[k];
    bool join = k > 0 && !is_cut(v) && mr_lw_can_join(&nest->record, nest->dims[k - 1].at, v->at, v->size);
    if (first_end != UINT32_MAX && k > 0 && k <= first_end) {
      join = true;
    }
    if (first_end != UINT32_MAX && k == first_end + 1) {
      join = false;
    }
    if (join) {
      mr_group *g = &nest->groups[nest->num_groups - 1];
      g->last = k;
      g->lo *= v->size;
      g->hi *= v->size;
    } else {
      nest->groups[nest->num_groups++] = (mr_group){.first = k, .last = k, .lo = v->lo, .hi = v->hi};
    }
  }
}

void mr_nest_place(mr_nest *nest) {
  mr_ix_table *t = &nest->lw->ix;
  for (uint32_t g = 0; g < nest->num_groups; g++) {
    mr_group *group = &nest->groups[g];
    group->at = group->inner ? mr_ix_add(t, group->outer, group->inner) : group->outer;
    if (group->middle) {
      group->at = mr_ix_add(t, group->at, mr_ix_scale(t, group->middle, MR_TILE));
    }
    const mr_ix *rest = group->at;
    for (uint32_t k = group->last + 1; k-- > group->first;) {
      nest->dims[k].at = k == group->first ? rest : mr_ix_mod(t, rest, nest->dims[k].size);
      rest = mr_ix_div(t, rest, nest->dims[k].size);
    }
  }
}
