// top_k: the k largest of each row by the total order, largest first, of equals the first. A sorted list of the best so
// far, or a heap of them; blocks of the row whose largest element does not get in are passed over.
#include "compiler/lower/top_k.h"
#include "compiler/lower/tuning.h"

static mr_lv element_at(mr_top_k *t, const mr_ix *i) {
  t->at[t->dim] = i;
  return mr_lw_element(t->lw, t->x, mr_at(t->x->type.rank, t->at)).re;
}

static mr_lv index_of(mr_top_k *t, int64_t value) { return mr_l_index(t->lw->p, value); }

// Whether a value gets into the list: there is room, or it beats the last one.
static mr_lv gets_in(mr_top_k *t, mr_lv value) {
  mr_loop_program *p = t->lw->p;
  mr_lv have = mr_l_get(p, t->count), one = index_of(t, 1);
  mr_lv room = mr_l_compare(p, MR_COMPARE_LT, MR_COMPARE_SIGNED, MR_S64, have, index_of(t, t->k));
  mr_lv last = mr_l_imax(p, mr_l_isub(p, have, one), index_of(t, 0));
  mr_lv worst = mr_l_load(p, t->best, t->heap ? t->base : mr_l_iadd(p, t->base, last));
  return mr_l_binary(p, MR_OP_or, MR_PRED, room, mr_l_compare(p, MR_COMPARE_GT, t->order, t->dtype, value, worst));
}

// Moves smaller values up, and the last one out when the list is full.
static void insert(mr_top_k *t, mr_lv value, mr_lv number) {
  mr_loop_program *p = t->lw->p;
  mr_lv have = mr_l_get(p, t->count), one = index_of(t, 1), zero = index_of(t, 0), full = index_of(t, t->k);
  mr_lv j = mr_l_var(p, mr_l_imin(p, have, mr_l_isub(p, full, one)));
  mr_l_while(p);
  mr_lv hole = mr_l_get(p, j), left = mr_l_imax(p, mr_l_isub(p, hole, one), zero);
  mr_lv more = mr_l_compare(p, MR_COMPARE_GT, MR_COMPARE_SIGNED, MR_S64, hole, zero);
  mr_lv smaller =
      mr_l_compare(p, MR_COMPARE_GT, t->order, t->dtype, value, mr_l_load(p, t->best, mr_l_iadd(p, t->base, left)));
  mr_l_do(p, mr_lw_and(t->lw, more, smaller));
  hole = mr_l_get(p, j);
  left = mr_l_isub(p, hole, one);
  mr_lv from = mr_l_iadd(p, t->base, left), to = mr_l_iadd(p, t->base, hole);
  mr_l_store(p, t->best, to, mr_l_load(p, t->best, from));
  mr_l_store(p, t->where, to, mr_l_load(p, t->where, from));
  mr_l_set(p, j, left);
  mr_l_end(p);
  to = mr_l_iadd(p, t->base, mr_l_get(p, j));
  mr_l_store(p, t->best, to, value);
  mr_l_store(p, t->where, to, mr_l_convert(p, t->number, number));
  mr_l_set(p, t->count, mr_l_imin(p, mr_l_iadd(p, have, one), full));
}

static void take_block(mr_top_k *t, const mr_ix *i, mr_lv from, mr_lv to) {
  mr_lower *lw = t->lw;
  mr_lw_for(lw, i, from, to, 1, MR_L_NO_VECTOR, MR_LOWER_TOP_K_BLOCK);
  mr_lv value = element_at(t, i);
  mr_lw_if(lw, gets_in(t, value));
  if (t->heap) {
    mr_top_k_heap_insert(t, value, mr_lw_ix(lw, i));
  } else {
    insert(t, value, mr_lw_ix(lw, i));
  }
  mr_lw_end(lw);
  mr_lw_end(lw);
}

// The largest of a block; NaN when there is one, whatever its sign.
static mr_lv block_maximum(mr_top_k *t, const mr_ix *block, const mr_ix *i, mr_lv from, mr_lv to) {
  mr_lower *lw = t->lw;
  mr_op_kind kind = t->dtype == MR_PRED ? MR_OP_or : MR_OP_maximum;
  mr_lv largest = mr_l_var(lw->p, element_at(t, block));
  mr_lw_for(lw, i, from, to, 1, MR_L_INDEPENDENT, MR_LOWER_TOP_K_BLOCK);
  mr_l_set(lw->p, largest, mr_l_binary(lw->p, kind, t->dtype, mr_l_get(lw->p, largest), element_at(t, i)));
  mr_lw_end(lw);
  return mr_l_get(lw->p, largest);
}

static void scan_row(mr_top_k *t) {
  mr_lower *lw = t->lw;
  mr_loop_program *p = lw->p;
  const mr_ix *i = mr_ix_loop(&lw->ix, lw->next_bit++, 0, MR_MAX(t->size - 1, 1));
  mr_lv size = index_of(t, t->size);
  const mr_ix *block = mr_ix_loop(&lw->ix, lw->next_bit++, 0, MR_MAX(t->size - 1, 1));
  mr_lw_for(lw, block, index_of(t, 0), size, MR_LOWER_TOP_K_BLOCK, MR_L_NO_VECTOR,
            (double)t->size / MR_LOWER_TOP_K_BLOCK);
  mr_lv from = mr_lw_ix(lw, block), to = mr_l_imin(p, mr_l_iadd(p, from, index_of(t, MR_LOWER_TOP_K_BLOCK)), size);
  mr_lv maximum = block_maximum(t, block, i, from, to);
  mr_lv wanted = gets_in(t, maximum);
  if (mr_dtype_is_float(t->dtype)) {
    wanted = mr_l_binary(p, MR_OP_or, MR_PRED, wanted, mr_l_compare(p, MR_COMPARE_NE, 1, t->dtype, maximum, maximum));
  }
  mr_lw_if(lw, wanted);
  take_block(t, i, from, to);
  mr_lw_end(lw);
  mr_lw_end(lw);
}

static void store_row(mr_top_k *t, const mr_root *root) {
  mr_lower *lw = t->lw;
  const mr_type *to = &root->op->results[0].type;
  mr_root_loops(lw, 1, &t->k, &t->at[t->dim], 0);
  const mr_ix *linear = mr_lw_linear(lw, to, mr_at(to->rank, t->at));
  mr_lv i = mr_l_iadd(lw->p, t->base, mr_lw_ix(lw, t->at[t->dim]));
  mr_elem value = {mr_l_load(lw->p, t->best, i), 0}, number = {mr_l_load(lw->p, t->where, i), 0};
  mr_lw_store(lw, mr_lw_result_buffer(lw, root->first), t->dtype, linear, value);
  mr_lw_store(lw, mr_lw_result_buffer(lw, root->first + 1), t->number, linear, number);
  mr_lw_end(lw);
}

bool mr_root_top_k(mr_lower *lw, mr_root *root) {
  const mr_value *x = mr_op_operand(root->op, 0);
  const mr_type *type = &x->type, *to = &root->op->results[0].type;
  if (type->rank == 0 || mr_dtype_is_complex(type->dtype)) {
    return false;
  }
  root->range = 0;
  if (mr_type_count(to) == 0) {
    return true;
  }
  const mr_ix *at[MR_MAX_RANK];
  uint32_t dim = type->rank - 1;
  mr_top_k t = {.lw = lw,
                .x = x,
                .at = at,
                .dim = dim,
                .k = to->dims[dim],
                .size = type->dims[dim],
                .dtype = type->dtype,
                .number = root->op->results[1].type.dtype,
                .order = mr_dtype_is_float(type->dtype) ? MR_COMPARE_TOTALORDER : 0,
                .heap = to->dims[dim] >= MR_LOWER_TOP_K_HEAP};
  int64_t rows = mr_type_count(type) / t.size;
  bool shared = t.k * MR_LOWER_TOP_K_BYTES > MR_SORT_LARGEST_LOCAL;
  t.best = shared ? mr_lw_scratch(lw, t.dtype, t.k * rows) : mr_l_local(lw->p, t.dtype, t.k);
  t.where = shared ? mr_lw_scratch(lw, t.number, t.k * rows) : mr_l_local(lw->p, t.number, t.k);
  const mr_ix *row = mr_sort_open_rows(lw, type, dim, at, &root->range);
  t.base = shared ? mr_lw_ix(lw, mr_ix_scale(&lw->ix, row, t.k)) : mr_l_index(lw->p, 0);
  t.count = mr_l_var(lw->p, mr_l_index(lw->p, 0));
  scan_row(&t);
  if (t.heap) {
    mr_top_k_heap_sort(&t);
  }
  store_row(&t, root);
  mr_lw_end(lw);
  double operations =
      MR_LOWER_TOP_K_SEEN_FLOPS * (double)mr_type_count(type) + MR_LOWER_TOP_K_KEPT_FLOPS * (double)mr_type_count(to);
  lw->flops += operations;
  lw->apart_ns += operations * (MR_LOWER_MERGE_NS - MR_LOWER_NS_PER_FLOP);
  return true;
}
