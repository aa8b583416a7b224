// Operations of the evaluator with windows: reduce_window, select_and_scatter, top_k.
#include <string.h>

#include "tests/random/fold.h"

typedef struct window {
  mr_ints sizes, strides, base, dilations, padding;
} window;

static int64_t entry(mr_ints list, uint32_t d, int64_t fallback) { return list.size ? list.data[d] : fallback; }

static window window_of(const mr_op *op) {
  return (window){mr_op_ints(op, MR_ATTR_window_dimensions), mr_op_ints(op, MR_ATTR_window_strides),
                  mr_op_ints(op, MR_ATTR_base_dilations), mr_op_ints(op, MR_ATTR_window_dilations),
                  mr_op_ints(op, MR_ATTR_padding)};
}

static int64_t window_count(const window *w) {
  int64_t count = 1;
  for (size_t d = 0; d < w->sizes.size; d++) {
    count *= w->sizes.data[d];
  }
  return count;
}

// Which element the window at `out` has at its position `flat`. False: padding, or between dilated elements.
static bool element_in_window(const window *w, const mr_type *type, const int64_t *out, int64_t flat, int64_t *out_in) {
  for (uint32_t d = type->rank; d-- > 0;) {
    int64_t k = flat % w->sizes.data[d], base = entry(w->base, d, 1);
    flat /= w->sizes.data[d];
    int64_t at = out[d] * entry(w->strides, d, 1) + k * entry(w->dilations, d, 1) - entry(w->padding, 2 * d, 0);
    if (at < 0 || at % base || at / base >= type->dims[d]) {
      return false;
    }
    out_in[d] = at / base;
  }
  return true;
}

static void reduce_window(evaluator *ev, const mr_op *op, tensor *const *results) {
  window w = window_of(op);
  uint32_t n = op->num_results;
  const mr_block *block = op->regions[0];
  const mr_type *type = &operand_of(ev, op, 0)->type;
  if (n > 16) {
    give_up(ev, "a wide window");
    return;
  }
  for (int64_t i = 0; i < results[0]->count && !ev->gave_up; i++) {
    int64_t out[MR_MAX_RANK], in[MR_MAX_RANK];
    tensor *accumulators[16], *elements[16];
    fold f;
    fold_begin(&f, block, n);
    index_of(&results[0]->type, i, out);
    for (uint32_t k = 0; k < n; k++) {
      accumulators[k] = scalar_of(ev, &block->args[k]->type, operand_of(ev, op, n + k), 0);
    }
    for (int64_t j = 0; j < window_count(&w) && !ev->gave_up; j++) {
      // Where the window lies over padding it folds the initial value again.
      bool inside = element_in_window(&w, type, out, j, in);
      for (uint32_t k = 0; k < n; k++) {
        elements[k] = inside ? scalar_of(ev, &block->args[n + k]->type, operand_of(ev, op, k), flat_of(type, in))
                             : scalar_of(ev, &block->args[n + k]->type, operand_of(ev, op, n + k), 0);
      }
      fold_step(ev, &f, accumulators, elements);
    }
    for (uint32_t k = 0; k < n && !ev->gave_up; k++) {
      fold_end(&f, accumulators[k]);
      memcpy(results[k]->cells + i * results[k]->parts, accumulators[k]->cells,
             sizeof(cell) * (size_t)results[k]->parts);
    }
  }
}

// The element that a window selects: the first one that the region prefers to all before it.
static int64_t selected(evaluator *ev, const mr_op *op, const window *w, const int64_t *out, bool *unsure) {
  const tensor *x = operand_of(ev, op, 0);
  const mr_block *select = op->regions[0];
  int64_t best = -1, in[MR_MAX_RANK];
  for (int64_t j = 0; j < window_count(w) && !ev->gave_up; j++) {
    if (!element_in_window(w, &x->type, out, j, in)) {
      continue;
    }
    int64_t at = flat_of(&x->type, in);
    if (best < 0) {
      best = at;
      continue;
    }
    tensor *args[2] = {scalar_of(ev, &select->args[0]->type, x, best), scalar_of(ev, &select->args[1]->type, x, at)},
           *keep;
    if (!evaluate_block(ev, select, args, &keep)) {
      break;
    }
    *unsure |= !cell_is_sure(keep->cells[0]) || isnan(args[0]->cells[0].v) || isnan(args[1]->cells[0].v);
    best = keep->cells[0].v != 0 ? best : at;
  }
  return best;
}

static void select_and_scatter(evaluator *ev, const mr_op *op, tensor *r) {
  const tensor *source = operand_of(ev, op, 1), *init = operand_of(ev, op, 2);
  window w = window_of(op);
  fold *folds = mr_arena_array(&ev->arena, fold, r->count + 1);
  tensor **sums = mr_arena_array(&ev->arena, tensor *, r->count + 1);
  const mr_block *scatter = op->regions[1];
  bool unsure = false;
  for (int64_t i = 0; folds && sums && i < r->count; i++) {
    fold_begin(&folds[i], scatter, 1);
    sums[i] = scalar_of(ev, &scatter->args[0]->type, init, 0);
  }
  for (int64_t i = 0; folds && sums && i < source->count && !ev->gave_up; i++) {
    int64_t out[MR_MAX_RANK];
    index_of(&source->type, i, out);
    int64_t at = selected(ev, op, &w, out, &unsure);
    if (at >= 0 && !ev->gave_up) {
      tensor *element = scalar_of(ev, &scatter->args[1]->type, source, i);
      fold_step(ev, &folds[at], &sums[at], &element);
    }
  }
  for (int64_t i = 0; i < r->count && !ev->gave_up; i++) {
    fold_end(&folds[i], sums[i]);
    memcpy(r->cells + i * r->parts, sums[i]->cells, sizeof(cell) * (size_t)r->parts);
  }
  if (unsure) {
    all_anything(r);
  }
}

// The k largest of the last dimension, the earlier of equal ones first.
static void top_k(evaluator *ev, const mr_op *op, tensor *const *results) {
  const tensor *x = operand_of(ev, op, 0);
  int64_t k = mr_op_int(op, MR_ATTR_k, 0), size = x->type.dims[x->type.rank - 1];
  for (int64_t row = 0; size && k && row < x->count / size && spend(ev, size * size); row++) {
    bool unsure = false;
    for (int64_t i = 0; i < size; i++) {
      cell c = cell_operand(x->type.dtype, x->cells[row * size + i]);
      unsure |= !cell_is_sure(c) || isnan(c.v) || (c.v == 0 && mr_dtype_is_float(x->type.dtype));
    }
    for (int64_t i = 0; i < size; i++) {
      int64_t rank = 0;
      real v = x->cells[row * size + i].v;
      for (int64_t j = 0; j < size; j++) {
        real other = x->cells[row * size + j].v;
        rank += other > v || (other == v && j < i);
      }
      if (unsure) {
        rank = i;
      }
      if (rank < k) {
        results[0]->cells[row * k + rank] = unsure ? cell_anything() : x->cells[row * size + i];
        results[1]->cells[row * k + rank] = unsure ? cell_anything() : cell_exact(i);
      }
    }
  }
}

bool evaluate_window_op(evaluator *ev, const mr_op *op, tensor *const *results) {
  switch ((int)op->kind) {
  case MR_OP_reduce_window: reduce_window(ev, op, results); return true;
  case MR_OP_select_and_scatter: select_and_scatter(ev, op, results[0]); return true;
  case MR_OP_top_k: top_k(ev, op, results); return true;
  default: return false;
  }
}
