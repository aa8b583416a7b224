// Cumulative reductions: a reduce_window whose window holds everything up to (or from) each element, as one pass.
#include <string.h>

#include "compiler/ir/scalar.h"
#include "compiler/lower/reduction.h"
#include "compiler/lower/roots.h"
#include "compiler/lower/tuning.h"

typedef struct scan {
  mr_lower *lw;
  mr_red red;
  const mr_type *type;
  uint32_t dim;
  bool backwards;
} scan;

static int64_t int_at(mr_ints list, size_t i, int64_t fallback) { return i < list.size ? list.data[i] : fallback; }

// Where a window lies over padding it folds the initial value once more; a scan does not, so that must change nothing: nor
// does it for what gives x again for x and x. Of regions that are more than one op it is taken for granted.
static bool padding_is_neutral(const mr_op *op) {
  mr_op_kind kind = op->num_results == 1 ? mr_block_fold_kind(op->regions[0]) : MR_OP_COUNT;
  if (kind != MR_OP_add && kind != MR_OP_multiply && kind != MR_OP_xor) {
    return true;
  }
  const mr_value *init = mr_op_operand(op, 1);
  uint8_t found[MR_SCALAR_BYTES] = {0}, wanted[MR_SCALAR_BYTES] = {0};
  mr_scalar_from_int(init->type.dtype, kind == MR_OP_multiply, wanted);
  return mr_value_splat(init, found) && memcmp(found, wanted, mr_dtype_bytes(init->type.dtype)) == 0;
}

static bool recognise(scan *s, const mr_op *op) {
  mr_ints window = mr_op_ints(op, MR_ATTR_window_dimensions), padding = mr_op_ints(op, MR_ATTR_padding);
  uint32_t found = 0;
  s->type = &mr_op_operand(op, 0)->type;
  for (uint32_t d = 0; d < s->type->rank; d++) {
    if (int_at(mr_op_ints(op, MR_ATTR_window_strides), d, 1) != 1) {
      return false;
    }
    if (int_at(mr_op_ints(op, MR_ATTR_base_dilations), d, 1) != 1) {
      return false;
    }
    if (int_at(mr_op_ints(op, MR_ATTR_window_dilations), d, 1) != 1) {
      return false;
    }
    int64_t low = int_at(padding, 2 * (size_t)d, 0), high = int_at(padding, 2 * d + 1, 0), n = s->type->dims[d];
    if (window.data[d] == 1 && low == 0 && high == 0) {
      continue;
    }
    if (window.data[d] != n || n < MR_LOWER_SHORTEST_SCAN ||
        !((low == n - 1 && high == 0) || (low == 0 && high == n - 1))) {
      return false;
    }
    s->dim = d;
    s->backwards = low == 0;
    found++;
  }
  return found == 1 && padding_is_neutral(op);
}

bool mr_lower_is_scan(const mr_op *op) {
  scan s = {0};
  return op->kind == MR_OP_reduce_window && recognise(&s, op);
}

// The element at step `step` of the scan, as terms.
static void terms_at(scan *s, const mr_ix **at, const mr_ix *step, mr_elem *terms) {
  mr_lower *lw = s->lw;
  at[s->dim] = step;
  if (s->backwards) {
    at[s->dim] = mr_ix_plus(&lw->ix, mr_ix_scale(&lw->ix, step, -1), s->type->dims[s->dim] - 1);
  }
  for (uint32_t i = 0; i < s->red.n; i++) {
    const mr_value *x = mr_op_operand(s->red.op, i);
    terms[i] = mr_lw_convert(lw, s->red.term[i], x->type.dtype, mr_lw_element(lw, x, mr_at(s->type->rank, at)));
  }
}

static void store_at(scan *s, const mr_root *root, const mr_ix **at, const mr_elem *acc) {
  mr_lower *lw = s->lw;
  const mr_ix *linear = mr_lw_linear(lw, s->type, mr_at(s->type->rank, at));
  for (uint32_t i = 0; i < s->red.n; i++) {
    mr_lw_store(lw, mr_lw_result_buffer(lw, root->first + i), s->red.op->results[i].type.dtype, linear,
                mr_red_result(lw, &s->red, i, acc[i]));
  }
}

// Along the last dimension, or few columns: accumulators in variables.
static void scan_rows(scan *s, mr_root *root) {
  mr_lower *lw = s->lw;
  int64_t sizes[MR_MAX_RANK], steps = s->type->dims[s->dim];
  uint32_t n = 0;
  const mr_ix *shares[MR_MAX_RANK], *at[MR_MAX_RANK], *step;
  for (uint32_t d = 0; d < s->type->rank; d++) {
    if (d != s->dim) {
      sizes[n++] = s->type->dims[d];
    }
  }
  mr_root_range(lw, n, sizes, shares, &root->range);
  n = 0;
  for (uint32_t d = 0; d < s->type->rank; d++) {
    if (d != s->dim) {
      at[d] = shares[n++];
    }
  }
  mr_elem *acc = mr_lw_alloc(lw, (s->red.n + 1) * sizeof *acc), *vars = mr_lw_alloc(lw, (s->red.n + 1) * sizeof *vars);
  mr_elem *terms = mr_lw_alloc(lw, (s->red.n + 1) * sizeof *terms);
  mr_red_initial(lw, &s->red, acc);
  for (uint32_t i = 0; i < s->red.n; i++) {
    vars[i] = mr_lw_var(lw, acc[i]);
  }
  mr_root_loops(lw, 1, &steps, &step, 0);
  terms_at(s, at, step, terms);
  for (uint32_t i = 0; i < s->red.n; i++) {
    acc[i] = mr_lw_get(lw, vars[i]);
  }
  mr_red_join(lw, &s->red, acc, terms, acc);
  lw->apart_ns += lw->trips * MR_LOWER_SCAN_NS;
  for (uint32_t i = 0; i < s->red.n; i++) {
    mr_lw_set(lw, vars[i], acc[i]);
  }
  store_at(s, root, at, acc);
  mr_lw_end(lw);
  mr_lw_end(lw);
}

// Blocks of neighbouring columns side by side in local memory.
static void scan_columns(scan *s, mr_root *root) {
  mr_lower *lw = s->lw;
  uint32_t last = s->type->rank - 1, n = 0;
  int64_t sizes[MR_MAX_RANK], steps = s->type->dims[s->dim], width = s->type->dims[last];
  const mr_ix *shares[MR_MAX_RANK], *at[MR_MAX_RANK], *step;
  for (uint32_t d = 0; d < last; d++) {
    if (d != s->dim) {
      sizes[n++] = s->type->dims[d];
    }
  }
  sizes[n] = (width + MR_LOWER_SCAN_BLOCK - 1) / MR_LOWER_SCAN_BLOCK;
  mr_root_range(lw, n + 1, sizes, shares, &root->range);
  const mr_ix *start = mr_ix_scale(&lw->ix, shares[n], MR_LOWER_SCAN_BLOCK);
  n = 0;
  for (uint32_t d = 0; d < last; d++) {
    if (d != s->dim) {
      at[d] = shares[n++];
    }
  }
  mr_lv rest = mr_l_isub(lw->p, mr_l_index(lw->p, width), mr_lw_ix(lw, start));
  mr_lv count = mr_l_imin(lw->p, rest, mr_l_index(lw->p, MR_LOWER_SCAN_BLOCK));
  mr_elem *acc = mr_lw_alloc(lw, (s->red.n + 1) * sizeof *acc),
          *terms = mr_lw_alloc(lw, (s->red.n + 1) * sizeof *terms);
  mr_lbuf *re = mr_lw_alloc(lw, (s->red.n + 1) * sizeof *re), *im = mr_lw_alloc(lw, (s->red.n + 1) * sizeof *im);
  mr_red_initial(lw, &s->red, acc);
  for (uint32_t i = 0; i < s->red.n; i++) {
    bool is_complex = mr_dtype_is_complex(s->red.acc[i]);
    re[i] = mr_l_local(lw->p, mr_dtype_real(s->red.acc[i]), MR_LOWER_SCAN_BLOCK);
    if (is_complex) {
      im[i] = mr_l_local(lw->p, mr_dtype_real(s->red.acc[i]), MR_LOWER_SCAN_BLOCK);
    }
    mr_l_fill(lw->p, re[i], mr_l_index(lw->p, 0), count, acc[i].re);
    if (is_complex) {
      mr_l_fill(lw->p, im[i], mr_l_index(lw->p, 0), count, acc[i].im);
    }
  }
  mr_root_loops(lw, 1, &steps, &step, 0);
  const mr_ix *column = mr_ix_loop(&lw->ix, lw->next_bit++, 0, MR_LOWER_SCAN_BLOCK - 1);
  mr_lw_for(lw, column, mr_l_index(lw->p, 0), count, 1, MR_L_INDEPENDENT, MR_LOWER_SCAN_BLOCK);
  at[last] = mr_ix_add(&lw->ix, start, column);
  terms_at(s, at, step, terms);
  mr_lv c = mr_lw_ix(lw, column);
  for (uint32_t i = 0; i < s->red.n; i++) {
    bool is_complex = mr_dtype_is_complex(s->red.acc[i]);
    acc[i] = (mr_elem){mr_l_load(lw->p, re[i], c), is_complex ? mr_l_load(lw->p, im[i], c) : 0};
  }
  mr_red_join(lw, &s->red, acc, terms, acc);
  for (uint32_t i = 0; i < s->red.n; i++) {
    mr_l_store(lw->p, re[i], c, acc[i].re);
    if (acc[i].im) {
      mr_l_store(lw->p, im[i], c, acc[i].im);
    }
  }
  store_at(s, root, at, acc);
  for (int i = 0; i < 3; i++) {
    mr_lw_end(lw);
  }
}

bool mr_root_scan(mr_lower *lw, mr_root *root) {
  scan s = {.lw = lw};
  if (!recognise(&s, root->op)) {
    return false;
  }
  root->range = 0;
  if (mr_type_count(s.type) == 0) {
    return true;
  }
  if (!mr_red_describe(lw, root->op, &s.red)) {
    return false;
  }
  if (s.dim + 1 < s.type->rank && s.type->dims[s.type->rank - 1] >= MR_LOWER_FEWEST_SCAN_COLUMNS) {
    scan_columns(&s, root);
  } else {
    scan_rows(&s, root);
  }
  return true;
}
