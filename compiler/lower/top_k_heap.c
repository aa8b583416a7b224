// The best so far as a heap whose root is the worst of them: for a k where moving half of a sorted list would cost more.
//
// a is worse than b when it is smaller by the total order, or equal with a larger index. At the end the worst one is
// taken out again and again, which leaves the list sorted from the best on.
#include "compiler/lower/top_k.h"

typedef struct entry {
  mr_lv value, number;
} entry;

static mr_lv index_of(mr_top_k *t, int64_t value) { return mr_l_index(t->lw->p, value); }

static mr_lv compare(mr_top_k *t, int direction, mr_lv a, mr_lv b) {
  return mr_l_compare(t->lw->p, direction, MR_COMPARE_SIGNED, MR_S64, a, b);
}

static entry load(mr_top_k *t, mr_lv at) {
  mr_loop_program *p = t->lw->p;
  mr_lv i = mr_l_iadd(p, t->base, at);
  return (entry){mr_l_load(p, t->best, i), mr_l_load(p, t->where, i)};
}

static void store(mr_top_k *t, mr_lv at, entry e) {
  mr_loop_program *p = t->lw->p;
  mr_lv i = mr_l_iadd(p, t->base, at);
  mr_l_store(p, t->best, i, e.value);
  mr_l_store(p, t->where, i, e.number);
}

static mr_lv is_worse(mr_top_k *t, entry a, entry b) {
  mr_loop_program *p = t->lw->p;
  mr_lv less = mr_l_compare(p, MR_COMPARE_LT, t->order, t->dtype, a.value, b.value);
  mr_lv more = mr_l_compare(p, MR_COMPARE_GT, t->order, t->dtype, a.value, b.value);
  mr_lv later = mr_l_compare(p, MR_COMPARE_GT, MR_COMPARE_SIGNED, t->number, a.number, b.number);
  return mr_l_select(p, MR_PRED, less, less, mr_l_select(p, MR_PRED, more, less, later));
}

// Puts e into a heap of `size` whose place `hole` is free, with smaller holes below it.
static void sift_down(mr_top_k *t, mr_lv start, mr_lv size, entry e) {
  mr_loop_program *p = t->lw->p;
  mr_lv one = index_of(t, 1), last = mr_l_imax(p, mr_l_isub(p, size, one), index_of(t, 0));
  mr_lv hole = mr_l_var(p, start), child = mr_l_var(p, start);
  mr_l_while(p);
  mr_lv left = mr_l_iadd(p, mr_l_imul(p, mr_l_get(p, hole), index_of(t, 2)), one);
  mr_lv near = mr_l_imin(p, left, last), far = mr_l_imin(p, mr_l_iadd(p, left, one), last);
  entry a = load(t, near), b = load(t, far);
  mr_lv take = is_worse(t, b, a);
  mr_l_set(p, child, mr_l_select(p, MR_S64, take, far, near));
  entry worst = {mr_l_select(p, t->dtype, take, b.value, a.value), mr_l_select(p, t->number, take, b.number, a.number)};
  mr_l_do(p, mr_lw_and(t->lw, compare(t, MR_COMPARE_LT, left, size), is_worse(t, worst, e)));
  mr_lv from = mr_l_get(p, child);
  store(t, mr_l_get(p, hole), load(t, from));
  mr_l_set(p, hole, from);
  mr_l_end(p);
  store(t, mr_l_get(p, hole), e);
}

// Puts e behind a heap of `size`, and up to where it belongs.
static void sift_up(mr_top_k *t, mr_lv size, entry e) {
  mr_loop_program *p = t->lw->p;
  mr_lv zero = index_of(t, 0), hole = mr_l_var(p, size), parent = mr_l_var(p, size);
  mr_l_while(p);
  mr_lv at = mr_l_get(p, hole), above = mr_l_imax(p, mr_l_isub(p, at, index_of(t, 1)), zero);
  mr_l_set(p, parent, mr_l_idiv(p, above, index_of(t, 2)));
  mr_l_do(p, mr_lw_and(t->lw, compare(t, MR_COMPARE_GT, at, zero), is_worse(t, e, load(t, mr_l_get(p, parent)))));
  mr_lv from = mr_l_get(p, parent);
  store(t, mr_l_get(p, hole), load(t, from));
  mr_l_set(p, hole, from);
  mr_l_end(p);
  store(t, mr_l_get(p, hole), e);
}

void mr_top_k_heap_insert(mr_top_k *t, mr_lv value, mr_lv number) {
  mr_loop_program *p = t->lw->p;
  mr_lv have = mr_l_get(p, t->count), full = index_of(t, t->k);
  entry e = {value, mr_l_convert(p, t->number, number)};
  mr_l_if(p, compare(t, MR_COMPARE_LT, have, full));
  sift_up(t, have, e);
  mr_l_set(p, t->count, mr_l_iadd(p, have, index_of(t, 1)));
  mr_l_else(p);
  sift_down(t, index_of(t, 0), full, e);
  mr_l_end(p);
}

void mr_top_k_heap_sort(mr_top_k *t) {
  mr_loop_program *p = t->lw->p;
  mr_lv one = index_of(t, 1), zero = index_of(t, 0), size = mr_l_var(p, index_of(t, t->k - 1));
  mr_l_while(p);
  mr_l_do(p, compare(t, MR_COMPARE_GT, mr_l_get(p, size), zero));
  mr_lv end = mr_l_get(p, size);
  entry worst = load(t, zero), moved = load(t, end);
  sift_down(t, zero, end, moved);
  store(t, end, worst);
  mr_l_set(p, size, mr_l_isub(p, end, one));
  mr_l_end(p);
}
