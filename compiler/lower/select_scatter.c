// select_and_scatter: for each source element the winner of its window, then the source is combined into the winner's
// place. Coordinates with a window of one run in parallel; the windows of one share go in row-major order.
#include "compiler/lower/roots.h"

typedef struct select_scatter {
  mr_lower *lw;
  const mr_op *op;
  const mr_type *operand, *source;
  mr_dtype dtype;
  int64_t window[MR_MAX_RANK], stride[MR_MAX_RANK], low[MR_MAX_RANK];
  bool parallel[MR_MAX_RANK];
  const mr_ix *share[MR_MAX_RANK];  // coordinate of parallel dimensions, else NULL
} select_scatter;

static int64_t int_at(mr_ints list, size_t i, int64_t fallback) { return i < list.size ? list.data[i] : fallback; }

static void describe(select_scatter *s) {
  s->operand = &mr_op_operand(s->op, 0)->type;
  s->source = &mr_op_operand(s->op, 1)->type;
  s->dtype = s->op->results[0].type.dtype;
  for (uint32_t d = 0; d < s->operand->rank; d++) {
    s->window[d] = int_at(mr_op_ints(s->op, MR_ATTR_window_dimensions), d, 1);
    s->stride[d] = int_at(mr_op_ints(s->op, MR_ATTR_window_strides), d, 1);
    s->low[d] = int_at(mr_op_ints(s->op, MR_ATTR_padding), 2 * d, 0);
    s->parallel[d] = s->window[d] == 1 && s->stride[d] == 1 && s->low[d] == 0 && s->operand->dims[d] == s->source->dims[d];
  }
}

// Loops over what the share owns of the result.
static void fill(select_scatter *s, mr_lbuf result) {
  mr_lower *lw = s->lw;
  const mr_ix *at[MR_MAX_RANK];
  uint32_t opened = 0;
  mr_elem init = mr_lw_scalar(lw, mr_op_operand(s->op, 2));
  for (uint32_t d = 0; d < s->operand->rank; d++) {
    at[d] = s->share[d];
    if (at[d]) continue;
    mr_root_loops(lw, 1, &s->operand->dims[d], &at[d], 0);
    opened++;
  }
  mr_lw_store(lw, result, s->dtype, mr_lw_linear(lw, s->operand, mr_at(s->operand->rank, at)), init);
  while (opened--) mr_lw_end(lw);
}

static mr_lv number(mr_lower *lw, mr_lv v) { return mr_l_int(lw->p, MR_PRED, (int64_t)v); }

// One candidate: taken when nothing was found yet or the region prefers it to what was.
static void consider(select_scatter *s, mr_index at, mr_lv found, mr_lv where, mr_elem best) {
  mr_lower *lw = s->lw;
  mr_elem args[2] = {mr_lw_get(lw, best), mr_lw_element(lw, mr_op_operand(s->op, 0), at)}, keep;
  mr_lw_region(lw, s->op->regions[0], args, &keep);
  mr_lv was_found = mr_l_get(lw->p, found);
  mr_lv kept = mr_l_binary(lw->p, MR_OP_and, MR_PRED, was_found, keep.re);
  mr_lw_set(lw, best, mr_lw_select(lw, s->operand->dtype, kept, args[0], args[1]));
  mr_lv here = mr_lw_ix(lw, mr_lw_linear(lw, s->operand, at));
  mr_l_set(lw->p, where, mr_l_select(lw->p, MR_S64, kept, mr_l_get(lw->p, where), here));
  mr_l_set(lw->p, found, number(lw, 1));
}

static void find_winner(select_scatter *s, const mr_ix *const *position, mr_lv found, mr_lv where, mr_elem best) {
  mr_lower *lw = s->lw;
  const mr_ix *at[MR_MAX_RANK], *offset[MR_MAX_RANK];
  uint32_t opened = 0;
  mr_lv condition = 0;
  bool possible = true;
  for (uint32_t d = 0; d < s->operand->rank; d++) {
    mr_root_loops(lw, 1, &s->window[d], &offset[d], MR_L_NO_VECTOR);
    opened++;
    at[d] = mr_ix_add(&lw->ix, mr_ix_scale(&lw->ix, position[d], s->stride[d]), mr_ix_plus(&lw->ix, offset[d], -s->low[d]));
    mr_range_answer answer = mr_lw_range(lw, at[d], 0, s->operand->dims[d]);
    if (answer == MR_RANGE_NEVER) possible = false;
    if (answer == MR_RANGE_ASK)
      condition = mr_lw_and(lw, condition, mr_lw_in_range(lw, at[d], 0, s->operand->dims[d]));
  }
  if (possible) {
    if (condition) mr_lw_if(lw, condition);
    consider(s, mr_at(s->operand->rank, at), found, where, best);
    if (condition) mr_lw_end(lw);
  }
  while (opened--) mr_lw_end(lw);
}

static mr_elem at_result(select_scatter *s, mr_lbuf result, mr_lv where, mr_elem *store) {
  mr_lower *lw = s->lw;
  bool is_complex = mr_dtype_is_complex(s->dtype);
  mr_lv re = is_complex ? mr_l_imul(lw->p, where, mr_l_index(lw->p, 2)) : where;
  mr_lv im = is_complex ? mr_l_iadd(lw->p, re, mr_l_index(lw->p, 1)) : 0;
  if (!store) return (mr_elem){mr_l_load(lw->p, result, re), im ? mr_l_load(lw->p, result, im) : 0};
  mr_l_store(lw->p, result, re, store->re);
  if (im) mr_l_store(lw->p, result, im, store->im);
  return *store;
}

static void scatter_windows(select_scatter *s, mr_lbuf result) {
  mr_lower *lw = s->lw;
  const mr_ix *position[MR_MAX_RANK];
  uint32_t opened = 0;
  for (uint32_t d = 0; d < s->source->rank; d++) {
    position[d] = s->share[d];
    if (position[d]) continue;
    mr_root_loops(lw, 1, &s->source->dims[d], &position[d], MR_L_NO_VECTOR);
    opened++;
  }
  mr_lv found = mr_l_var(lw->p, number(lw, 0)), where = mr_l_var(lw->p, mr_l_index(lw->p, 0));
  mr_elem best = mr_lw_var(lw, mr_lw_constant(lw, s->operand->dtype, 0));
  find_winner(s, position, found, where, best);
  mr_lw_if(lw, mr_l_get(lw->p, found));
  mr_lv target = mr_l_get(lw->p, where);
  mr_elem args[2] = {at_result(s, result, target, NULL),
                     mr_lw_element(lw, mr_op_operand(s->op, 1), mr_at(s->source->rank, position))}, out;
  mr_lw_region(lw, s->op->regions[1], args, &out);
  at_result(s, result, target, &out);
  mr_lw_end(lw);
  while (opened--) mr_lw_end(lw);
}

bool mr_root_select_and_scatter(mr_lower *lw, mr_root *root) {
  select_scatter s = {.lw = lw, .op = root->op};
  describe(&s);
  root->range = 0;
  if (mr_type_count(s.operand) == 0) return true;
  int64_t sizes[MR_MAX_RANK];
  const mr_ix *shares[MR_MAX_RANK];
  uint32_t n = 0;
  for (uint32_t d = 0; d < s.operand->rank; d++)
    if (s.parallel[d]) sizes[n++] = s.operand->dims[d];
  mr_root_range(lw, n, sizes, shares, &root->range);
  n = 0;
  for (uint32_t d = 0; d < s.operand->rank; d++)
    if (s.parallel[d]) s.share[d] = shares[n++];
  mr_lbuf result = mr_lw_result_buffer(lw, root->first);
  fill(&s, result);
  if (mr_type_count(s.source) > 0) scatter_windows(&s, result);
  mr_lw_end(lw);
  return true;
}
