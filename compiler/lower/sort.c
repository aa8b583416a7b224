// Sort, a row at a time: by radix when there is a key, else insertion sort of short runs and merges that double them,
// back and forth between two sets of arrays. Stable. The program's own comparator is inlined when there is no key.
#include <string.h>

#include "compiler/lower/sort.h"
#include "compiler/lower/tuning.h"
#include "core/size.h"

static mr_lv index_of(mr_sorter *s, int64_t value) { return mr_l_index(s->lw->p, value); }

mr_elem mr_sort_load(mr_sorter *s, int set, uint32_t column, mr_lv at) {
  if (s->shared) {
    at = mr_l_iadd(s->lw->p, s->base, at);
  }
  mr_elem e = {mr_l_load(s->lw->p, s->re[set][column], at), 0};
  if (mr_dtype_is_complex(mr_sort_dtype(s, column))) {
    e.im = mr_l_load(s->lw->p, s->im[set][column], at);
  }
  return e;
}

void mr_sort_store(mr_sorter *s, int set, uint32_t column, mr_lv at, mr_elem e) {
  if (s->shared) {
    at = mr_l_iadd(s->lw->p, s->base, at);
  }
  mr_l_store(s->lw->p, s->re[set][column], at, e.re);
  if (e.im) {
    mr_l_store(s->lw->p, s->im[set][column], at, e.im);
  }
}

// Whether row elements a go before row elements b.
static mr_lv before(mr_sorter *s, const mr_elem *a, const mr_elem *b) {
  if (s->key != MR_INVALID) {
    return mr_l_compare(s->lw->p, 5, 4, s->key, a[s->inputs].re, b[s->inputs].re);
  }
  mr_elem *args = mr_lw_alloc(s->lw, 2 * (size_t)s->n * sizeof *args), out = {0};
  for (uint32_t i = 0; i < s->n; i++) {
    args[2 * (size_t)i] = a[i];
    args[2 * i + 1] = b[i];
  }
  mr_lw_region(s->lw, s->op->regions[0], args, &out);
  return out.re;
}

static mr_lv below(mr_sorter *s, mr_lv a, mr_lv b) { return mr_l_compare(s->lw->p, 5, 3, MR_S64, a, b); }

// Scopes of the program that the lowering's own records must follow.
static void open_while(mr_sorter *s) { mr_l_while(s->lw->p); }

static void insertion_runs(mr_sorter *s) {
  mr_lower *lw = s->lw;
  mr_loop_program *p = lw->p;
  mr_elem *x = mr_lw_alloc(lw, (s->n + 1) * sizeof *x), *y = mr_lw_alloc(lw, (s->n + 1) * sizeof *y);
  mr_lv lo = mr_l_for(p, index_of(s, 0), index_of(s, s->size), MR_LOWER_SORT_RUN, MR_L_NO_VECTOR);
  mr_lv hi = mr_l_imin(p, mr_l_iadd(p, lo, index_of(s, MR_LOWER_SORT_RUN)), index_of(s, s->size));
  mr_lv i = mr_l_for(p, mr_l_iadd(p, lo, index_of(s, 1)), hi, 1, MR_L_NO_VECTOR);
  for (uint32_t k = 0; k < s->n; k++) {
    x[k] = mr_sort_load(s, 0, k, i);
  }
  mr_lv j = mr_l_var(p, i);
  open_while(s);
  mr_lv at = mr_l_get(p, j);
  mr_lv left = mr_l_imax(p, mr_l_isub(p, at, index_of(s, 1)), lo);
  for (uint32_t k = 0; k < s->n; k++) {
    y[k] = mr_sort_load(s, 0, k, left);
  }
  mr_l_do(p, mr_lw_and(lw, below(s, lo, at), before(s, x, y)));
  mr_lv to = mr_l_get(p, j), from = mr_l_isub(p, to, index_of(s, 1));
  for (uint32_t k = 0; k < s->n; k++) {
    mr_sort_store(s, 0, k, to, mr_sort_load(s, 0, k, from));
  }
  mr_l_set(p, j, from);
  mr_l_end(p);
  mr_lv hole = mr_l_get(p, j);
  for (uint32_t k = 0; k < s->n; k++) {
    mr_sort_store(s, 0, k, hole, x[k]);
  }
  mr_l_end(p);
  mr_l_end(p);
}

// Merges neighbouring runs of `width` of set `from` into the other set. Branch-free: both heads are compared, one is
// taken; the right one only when it goes strictly before the left one.
static void merge_pass(mr_sorter *s, int from, mr_lv width) {
  mr_lower *lw = s->lw;
  mr_loop_program *p = lw->p;
  mr_elem *a = mr_lw_alloc(lw, (s->n + 1) * sizeof *a), *b = mr_lw_alloc(lw, (s->n + 1) * sizeof *b);
  mr_lv size = index_of(s, s->size), last = index_of(s, s->size - 1), pair = mr_l_imul(p, width, index_of(s, 2));
  mr_lv pairs = mr_l_idiv(p, mr_l_iadd(p, size, mr_l_isub(p, pair, index_of(s, 1))), pair);
  mr_lv number = mr_l_for(p, index_of(s, 0), pairs, 1, MR_L_NO_VECTOR);
  mr_lv lo = mr_l_imul(p, number, pair), mid = mr_l_imin(p, mr_l_iadd(p, lo, width), size);
  mr_lv hi = mr_l_imin(p, mr_l_iadd(p, lo, pair), size);
  mr_lv left = mr_l_var(p, lo), right = mr_l_var(p, mid);
  mr_lv k = mr_l_for(p, lo, hi, 1, MR_L_NO_VECTOR);
  mr_lv i = mr_l_get(p, left), j = mr_l_get(p, right);
  mr_lv safe_i = mr_l_imin(p, i, last), safe_j = mr_l_imin(p, j, last);
  for (uint32_t o = 0; o < s->n; o++) {
    a[o] = mr_sort_load(s, from, o, safe_i);
    b[o] = mr_sort_load(s, from, o, safe_j);
  }
  mr_lv left_done = mr_l_compare(p, 2, 3, MR_S64, i, mid);
  mr_lv prefer = mr_l_binary(p, MR_OP_or, MR_PRED, left_done, before(s, b, a));
  mr_lv take = mr_lw_and(lw, below(s, j, hi), prefer);
  for (uint32_t o = 0; o < s->n; o++) {
    mr_sort_store(s, 1 - from, o, k, mr_lw_select(lw, mr_sort_dtype(s, o), take, b[o], a[o]));
  }
  mr_lv one = mr_l_convert(p, MR_S64, take);
  mr_l_set(p, right, mr_l_iadd(p, j, one));
  mr_l_set(p, left, mr_l_iadd(p, i, mr_l_isub(p, index_of(s, 1), one)));
  mr_l_end(p);
  mr_l_end(p);
}

static void merge_runs(mr_sorter *s) {
  if (s->size <= MR_LOWER_SORT_RUN) {
    return;
  }
  mr_loop_program *p = s->lw->p;
  mr_lv width = mr_l_var(p, index_of(s, MR_LOWER_SORT_RUN));
  open_while(s);
  mr_lv w = mr_l_get(p, width);
  mr_l_do(p, below(s, w, index_of(s, s->size)));
  w = mr_l_get(p, width);
  merge_pass(s, 0, w);
  // Back again; when all is sorted already this copies.
  merge_pass(s, 1, mr_l_imul(p, w, index_of(s, 2)));
  mr_l_set(p, width, mr_l_imul(p, w, index_of(s, 4)));
  mr_l_end(p);
}

static mr_lbuf row_buffer(mr_sorter *s, mr_dtype dtype, int64_t rows) {
  return s->shared ? mr_lw_scratch(s->lw, dtype, rows * s->size) : mr_l_local(s->lw->p, dtype, s->size);
}

static void make_rows(mr_sorter *s, int64_t rows) {
  size_t bytes = 0;
  for (uint32_t i = 0; i < s->n; i++) {
    bytes = mr_size_add(bytes, mr_size_mul((size_t)s->size, 2 * mr_dtype_bytes(mr_sort_dtype(s, i))));
  }
  s->shared = bytes > MR_SORT_LARGEST_LOCAL;
  for (int set = 0; set < 2; set++) {
    s->re[set] = mr_lw_alloc(s->lw, (s->n + 1) * sizeof(mr_lbuf));
    s->im[set] = mr_lw_alloc(s->lw, (s->n + 1) * sizeof(mr_lbuf));
    for (uint32_t i = 0; i < s->n; i++) {
      mr_dtype dtype = mr_sort_dtype(s, i);
      if (set == 1 && s->size <= MR_LOWER_SORT_RUN) {
        continue;
      }
      s->re[set][i] = row_buffer(s, mr_dtype_real(dtype), rows);
      if (mr_dtype_is_complex(dtype)) {
        s->im[set][i] = row_buffer(s, mr_dtype_real(dtype), rows);
      }
    }
  }
}

const mr_ix *mr_sort_open_rows(mr_lower *lw, const mr_type *type, uint32_t dim, const mr_ix **at, int64_t *out_range) {
  int64_t sizes[MR_MAX_RANK];
  uint32_t n = 0;
  const mr_ix *shares[MR_MAX_RANK];
  for (uint32_t d = 0; d < type->rank; d++) {
    if (d != dim) {
      sizes[n++] = type->dims[d];
    }
  }
  mr_root_range(lw, n, sizes, shares, out_range);
  const mr_ix *row = mr_ix_const(&lw->ix, 0);
  for (uint32_t k = 0; k < n; k++) {
    row = mr_ix_add(&lw->ix, mr_ix_scale(&lw->ix, row, sizes[k]), shares[k]);
  }
  n = 0;
  for (uint32_t d = 0; d < type->rank; d++) {
    if (d != dim) {
      at[d] = shares[n++];
    }
  }
  return row;
}

// Sorts set 0 of a row; returns the set where the result is.
static int sort_row(mr_sorter *s, const mr_radix *radix) {
  if (radix->passes) {
    return mr_radix_sort(s, radix);
  }
  insertion_runs(s);
  merge_runs(s);
  double log = 2;
  for (int64_t n = s->size; n > MR_LOWER_SORT_RUN; n /= 2) {
    log += 1;
  }
  double operations = log * (s->key != MR_INVALID ? 100 : 250) * s->lw->trips * (double)s->size;
  s->lw->flops += operations;
  s->lw->apart_ns += operations * (MR_LOWER_MERGE_NS - MR_LOWER_NS_PER_FLOP);
  return 0;
}

static void load_row(mr_sorter *s, const mr_sort_key *key, const mr_ix **at, uint32_t dim) {
  mr_lower *lw = s->lw;
  uint32_t rank = s->op->results[0].type.rank;
  mr_elem *e = mr_lw_alloc(lw, (s->n + 1) * sizeof *e);
  mr_root_loops(lw, 1, &s->size, &at[dim], MR_L_INDEPENDENT);
  mr_lv i = mr_lw_ix(lw, at[dim]);
  for (uint32_t c = 0; c < s->inputs; c++) {
    e[c] = mr_lw_element(lw, mr_op_operand(s->op, c), mr_at(rank, at));
  }
  if (s->key != MR_INVALID) {
    e[s->inputs] = (mr_elem){mr_sort_key_of(lw, s->op, key, e), 0};
  }
  for (uint32_t c = 0; c < s->n; c++) {
    mr_sort_store(s, 0, c, i, e[c]);
  }
  mr_lw_end(lw);
}

bool mr_root_sort(mr_lower *lw, mr_root *root) {
  const mr_op *op = root->op;
  const mr_type *type = &op->results[0].type;
  int64_t dim = mr_op_int(op, MR_ATTR_dimension, -1);
  if (dim < 0) {
    dim += type->rank;
  }
  root->range = 0;
  if (mr_type_count(type) == 0) {
    return true;
  }
  if (type->rank == 0) {
    return false;
  }
  mr_sorter s = {.lw = lw, .op = op, .inputs = op->num_results, .n = op->num_results, .size = type->dims[dim]};
  mr_sort_key key;
  if (mr_sort_find_key(op, &key)) {
    s.key = mr_sort_key_bits(&key);
    s.n++;
  }
  const mr_ix *at[MR_MAX_RANK];
  make_rows(&s, mr_type_count(type) / s.size);
  mr_radix radix = {0};
  if (mr_radix_fits(&s)) {
    radix = mr_radix_make(&s);
  }
  const mr_ix *row = mr_sort_open_rows(lw, type, (uint32_t)dim, at, &root->range);
  s.base = mr_lw_ix(lw, mr_ix_scale(&lw->ix, row, s.size));
  load_row(&s, &key, at, (uint32_t)dim);
  int set = sort_row(&s, &radix);
  mr_root_loops(lw, 1, &s.size, &at[dim], MR_L_INDEPENDENT);
  const mr_ix *linear = mr_lw_linear(lw, type, mr_at(type->rank, at));
  for (uint32_t c = 0; c < s.inputs; c++) {
    mr_lw_store(lw, mr_lw_result_buffer(lw, root->first + c), mr_sort_dtype(&s, c), linear,
                mr_sort_load(&s, set, c, mr_lw_ix(lw, at[dim])));
  }
  mr_lw_end(lw);
  mr_lw_end(lw);
  return true;
}
