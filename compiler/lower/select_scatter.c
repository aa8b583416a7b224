// select_and_scatter: for each source element the winner of its window, then the source is combined into the winner's
// place. Coordinates with a window of one run in parallel; the windows of one share go in row-major order.
#include "compiler/lower/roots.h"
#include "compiler/lower/tuning.h"

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
    s->low[d] = int_at(mr_op_ints(s->op, MR_ATTR_padding), 2 * (size_t)d, 0);
    s->parallel[d] =
        s->window[d] == 1 && s->stride[d] == 1 && s->low[d] == 0 && s->operand->dims[d] == s->source->dims[d];
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
    if (at[d]) {
      continue;
    }
    mr_root_loops(lw, 1, &s->operand->dims[d], &at[d], 0);
    opened++;
  }
  mr_lw_store(lw, result, s->dtype, mr_lw_linear(lw, s->operand, mr_at(s->operand->rank, at)), init);
  while (opened--) {
    mr_lw_end(lw);
  }
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

// Where dimension d of the operand is, at an offset in the window of a position; adds what must hold for it to be inside.
static const mr_ix *place_in(select_scatter *s, uint32_t d, const mr_ix *position, const mr_ix *offset,
                             mr_lv *condition, bool *possible) {
  mr_lower *lw = s->lw;
  const mr_ix *at =
      mr_ix_add(&lw->ix, mr_ix_scale(&lw->ix, position, s->stride[d]), mr_ix_plus(&lw->ix, offset, -s->low[d]));
  mr_range_answer answer = mr_lw_range(lw, at, 0, s->operand->dims[d]);
  if (answer == MR_RANGE_NEVER) {
    *possible = false;
  }
  if (answer == MR_RANGE_ASK) {
    *condition = mr_lw_and(lw, *condition, mr_lw_in_range(lw, at, 0, s->operand->dims[d]));
  }
  return at;
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
    at[d] = place_in(s, d, position[d], offset[d], &condition, &possible);
  }
  if (possible) {
    if (condition) {
      mr_lw_if(lw, condition);
    }
    consider(s, mr_at(s->operand->rank, at), found, where, best);
    if (condition) {
      mr_lw_end(lw);
    }
  }
  while (opened--) {
    mr_lw_end(lw);
  }
}

static mr_elem at_result(select_scatter *s, mr_lbuf result, mr_lv where, mr_elem *store) {
  mr_lower *lw = s->lw;
  bool is_complex = mr_dtype_is_complex(s->dtype);
  mr_lv re = is_complex ? mr_l_imul(lw->p, where, mr_l_index(lw->p, 2)) : where;
  mr_lv im = is_complex ? mr_l_iadd(lw->p, re, mr_l_index(lw->p, 1)) : 0;
  if (!store) {
    return (mr_elem){mr_l_load(lw->p, result, re), im ? mr_l_load(lw->p, result, im) : 0};
  }
  mr_l_store(lw->p, result, re, store->re);
  if (im) {
    mr_l_store(lw->p, result, im, store->im);
  }
  return *store;
}

static void scatter_windows(select_scatter *s, mr_lbuf result) {
  mr_lower *lw = s->lw;
  const mr_ix *position[MR_MAX_RANK];
  uint32_t opened = 0;
  for (uint32_t d = 0; d < s->source->rank; d++) {
    position[d] = s->share[d];
    if (position[d]) {
      continue;
    }
    mr_root_loops(lw, 1, &s->source->dims[d], &position[d], MR_L_NO_VECTOR);
    opened++;
  }
  mr_lv found = mr_l_var(lw->p, number(lw, 0)), where = mr_l_var(lw->p, mr_l_index(lw->p, 0));
  mr_elem best = mr_lw_var(lw, mr_lw_constant(lw, s->operand->dtype, 0));
  find_winner(s, position, found, where, best);
  mr_lw_if(lw, mr_l_get(lw->p, found));
  mr_lv target = mr_l_get(lw->p, where);
  mr_elem args[2] = {at_result(s, result, target, NULL),
                     mr_lw_element(lw, mr_op_operand(s->op, 1), mr_at(s->source->rank, position))},
          out;
  mr_lw_region(lw, s->op->regions[1], args, &out);
  at_result(s, result, target, &out);
  mr_lw_end(lw);
  while (opened--) {
    mr_lw_end(lw);
  }
}

// ---- Channels side by side ----------------------------------------------------------------------------------------------

// With the last dimension parallel, a block of it is handled at once: winners so far and their places in local memory.
typedef struct lanes {
  mr_lbuf best, best_im, where;
  mr_dtype number;  // of places; none found is -1
  const mr_ix *start, *lane;
  mr_lv count;
} lanes;

static void open_lanes(select_scatter *s, lanes *l, const mr_ix **at) {
  mr_lw_for(s->lw, l->lane, mr_l_index(s->lw->p, 0), l->count, 1, MR_L_INDEPENDENT, MR_LOWER_WINDOW_BLOCK);
  at[s->operand->rank - 1] = mr_ix_add(&s->lw->ix, l->start, l->lane);
}

static mr_elem lane_best(select_scatter *s, const lanes *l, mr_lv i) {
  mr_loop_program *p = s->lw->p;
  return (mr_elem){mr_l_load(p, l->best, i), l->best_im ? mr_l_load(p, l->best_im, i) : 0};
}

static void consider_lanes(select_scatter *s, lanes *l, const mr_ix **at) {
  mr_lower *lw = s->lw;
  open_lanes(s, l, at);
  mr_lv i = mr_lw_ix(lw, l->lane);
  mr_index index = mr_at(s->operand->rank, at);
  mr_elem args[2] = {lane_best(s, l, i), mr_lw_element(lw, mr_op_operand(s->op, 0), index)}, keep;
  mr_lw_region(lw, s->op->regions[0], args, &keep);
  mr_lv where = mr_l_load(lw->p, l->where, i);
  mr_lv found = mr_l_compare(lw->p, 2, 3, l->number, where, mr_l_int(lw->p, l->number, 0));
  mr_lv kept = mr_l_binary(lw->p, MR_OP_and, MR_PRED, found, keep.re);
  mr_elem best = mr_lw_select(lw, s->operand->dtype, kept, args[0], args[1]);
  mr_l_store(lw->p, l->best, i, best.re);
  if (l->best_im) {
    mr_l_store(lw->p, l->best_im, i, best.im);
  }
  mr_lv here = mr_l_convert(lw->p, l->number, mr_lw_ix(lw, mr_lw_linear(lw, s->operand, index)));
  mr_l_store(lw->p, l->where, i, mr_l_select(lw->p, l->number, kept, where, here));
  mr_lw_end(lw);
}

static void find_winners(select_scatter *s, lanes *l, const mr_ix *const *position) {
  mr_lower *lw = s->lw;
  uint32_t last = s->operand->rank - 1, opened = 0;
  const mr_ix *at[MR_MAX_RANK], *offset[MR_MAX_RANK];
  mr_lv zero = mr_l_index(lw->p, 0), condition = 0;
  bool possible = true;
  mr_l_fill(lw->p, l->best, zero, l->count, mr_l_bits(lw->p, mr_dtype_real(s->operand->dtype), 0));
  if (l->best_im) {
    mr_l_fill(lw->p, l->best_im, zero, l->count, mr_l_bits(lw->p, mr_dtype_real(s->operand->dtype), 0));
  }
  mr_l_fill(lw->p, l->where, zero, l->count, mr_l_int(lw->p, l->number, -1));
  for (uint32_t d = 0; d < last; d++) {
    mr_root_loops(lw, 1, &s->window[d], &offset[d], 0);
    opened++;
    at[d] = place_in(s, d, position[d], offset[d], &condition, &possible);
  }
  if (possible) {
    if (condition) {
      mr_lw_if(lw, condition);
    }
    consider_lanes(s, l, at);
    if (condition) {
      mr_lw_end(lw);
    }
  }
  while (opened--) {
    mr_lw_end(lw);
  }
}

static void scatter_lanes(select_scatter *s, lanes *l, mr_lbuf result) {
  mr_lower *lw = s->lw;
  uint32_t last = s->operand->rank - 1, opened = 0;
  const mr_ix *position[MR_MAX_RANK];
  for (uint32_t d = 0; d < last; d++) {
    position[d] = s->share[d];
    if (position[d]) {
      continue;
    }
    mr_root_loops(lw, 1, &s->source->dims[d], &position[d], MR_L_NO_VECTOR);
    opened++;
  }
  find_winners(s, l, position);
  open_lanes(s, l, position);
  mr_lv where = mr_l_load(lw->p, l->where, mr_lw_ix(lw, l->lane));
  mr_lw_if(lw, mr_l_compare(lw->p, 2, 3, l->number, where, mr_l_int(lw->p, l->number, 0)));
  mr_lv target = mr_l_convert(lw->p, MR_S64, where);
  mr_elem args[2] = {at_result(s, result, target, NULL),
                     mr_lw_element(lw, mr_op_operand(s->op, 1), mr_at(s->source->rank, position))},
          out;
  mr_lw_region(lw, s->op->regions[1], args, &out);
  at_result(s, result, target, &out);
  mr_lw_end(lw);
  mr_lw_end(lw);
  while (opened--) {
    mr_lw_end(lw);
  }
}

static void fill_lanes(select_scatter *s, lanes *l, mr_lbuf result) {
  mr_lower *lw = s->lw;
  const mr_ix *at[MR_MAX_RANK];
  uint32_t opened = 0;
  mr_elem init = mr_lw_scalar(lw, mr_op_operand(s->op, 2));
  for (uint32_t d = 0; d + 1 < s->operand->rank; d++) {
    at[d] = s->share[d];
    if (at[d]) {
      continue;
    }
    mr_root_loops(lw, 1, &s->operand->dims[d], &at[d], 0);
    opened++;
  }
  open_lanes(s, l, at);
  mr_lw_store(lw, result, s->dtype, mr_lw_linear(lw, s->operand, mr_at(s->operand->rank, at)), init);
  mr_lw_end(lw);
  while (opened--) {
    mr_lw_end(lw);
  }
}

static void emit_lanes(select_scatter *s, mr_root *root) {
  mr_lower *lw = s->lw;
  uint32_t last = s->operand->rank - 1, n = 0;
  int64_t sizes[MR_MAX_RANK + 1], width = s->operand->dims[last];
  const mr_ix *shares[MR_MAX_RANK + 1];
  for (uint32_t d = 0; d < last; d++) {
    if (s->parallel[d]) {
      sizes[n++] = s->operand->dims[d];
    }
  }
  int64_t block = MR_MIN(width, MR_LOWER_WINDOW_BLOCK);
  sizes[n] = (width + block - 1) / block;
  lanes l = {.number = mr_type_count(s->operand) <= INT32_MAX ? MR_S32 : MR_S64};
  mr_dtype real = mr_dtype_real(s->operand->dtype);
  l.best = mr_l_local(lw->p, real, block);
  if (mr_dtype_is_complex(s->operand->dtype)) {
    l.best_im = mr_l_local(lw->p, real, block);
  }
  l.where = mr_l_local(lw->p, l.number, block);
  mr_root_range(lw, n + 1, sizes, shares, &root->range);
  l.start = mr_ix_scale(&lw->ix, shares[n], block);
  l.lane = mr_ix_loop(&lw->ix, lw->next_bit++, 0, block - 1);
  mr_lv rest = mr_l_isub(lw->p, mr_l_index(lw->p, width), mr_lw_ix(lw, l.start));
  l.count = width % block ? mr_l_imin(lw->p, rest, mr_l_index(lw->p, block)) : mr_l_index(lw->p, block);
  n = 0;
  for (uint32_t d = 0; d < last; d++) {
    if (s->parallel[d]) {
      s->share[d] = shares[n++];
    }
  }
  mr_lbuf result = mr_lw_result_buffer(lw, root->first);
  fill_lanes(s, &l, result);
  if (mr_type_count(s->source) > 0) {
    scatter_lanes(s, &l, result);
  }
  mr_lw_end(lw);
}

bool mr_root_select_and_scatter(mr_lower *lw, mr_root *root) {
  select_scatter s = {.lw = lw, .op = root->op};
  describe(&s);
  root->range = 0;
  if (mr_type_count(s.operand) == 0) {
    return true;
  }
  uint32_t rank = s.operand->rank;
  if (rank > 0 && s.parallel[rank - 1] && s.operand->dims[rank - 1] >= MR_LOWER_FEWEST_WINDOWS) {
    emit_lanes(&s, root);
    return true;
  }
  int64_t sizes[MR_MAX_RANK];
  const mr_ix *shares[MR_MAX_RANK];
  uint32_t n = 0;
  for (uint32_t d = 0; d < s.operand->rank; d++) {
    if (s.parallel[d]) {
      sizes[n++] = s.operand->dims[d];
    }
  }
  mr_root_range(lw, n, sizes, shares, &root->range);
  n = 0;
  for (uint32_t d = 0; d < s.operand->rank; d++) {
    if (s.parallel[d]) {
      s.share[d] = shares[n++];
    }
  }
  mr_lbuf result = mr_lw_result_buffer(lw, root->first);
  fill(&s, result);
  if (mr_type_count(s.source) > 0) {
    scatter_windows(&s, result);
  }
  mr_lw_end(lw);
  return true;
}
