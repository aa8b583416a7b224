// Operations of the evaluator that fold, order or map elements with a region: reduce, sort, map, top_k.
#include <string.h>

#include "tests/random/fold.h"
#include "tests/random/random.h"

static void set_scalar(tensor *t, const tensor *x, int64_t at) {
  memcpy(t->cells, x->cells + at * x->parts, sizeof(cell) * (size_t)t->parts);
}

tensor *scalar_of(evaluator *ev, const mr_type *type, const tensor *x, int64_t at) {
  tensor *t = tensor_create(ev, type);
  if (x->type.dtype == type->dtype) {
    set_scalar(t, x, at);
  } else {
    t->cells[0] = convert_cell(x->type.dtype, type->dtype, x->cells[at * x->parts]);
  }
  return t;
}

static mr_op_kind single_op(const mr_block *block) {
  const mr_op *op = block->first;
  bool single = op && op->next && op->next->kind == MR_OP_return && op->num_operands == 2 &&
                op->next->num_operands == 1 && op->next->operands[0].value == mr_op_result((mr_op *)op, 0);
  for (int i = 0; single && i < 2; i++) {
    single = mr_op_operand(op, (uint32_t)i)->block == block && !mr_op_operand(op, (uint32_t)i)->def;
  }
  return single ? op->kind : MR_OP_COUNT;
}

void fold_begin(fold *f, const mr_block *block, uint32_t n) {
  *f = (fold){.block = block, .n = n, .kind = n == 1 ? single_op(block) : MR_OP_COUNT};
}

void fold_note(fold *f, const tensor *x, int64_t at) {
  for (int p = 0; p < x->parts; p++) {
    cell c = x->cells[at * x->parts + p];
    f->odd |= !isfinite(c.v) || cell_is_anything(c);
    f->sizes[p] += isfinite(c.v) && !cell_is_anything(c) ? fabsl(c.v) + c.e : 0;
    f->logs += c.v != 0 && isfinite(c.v) ? fabsl(log2l(fabsl(c.v))) : 0;
    f->whole = (f->count == 0 || f->whole) && cell_is_sure(c) && c.v == floorl(c.v);
    f->nan |= isnan(c.v);
    f->infinite |= isinf(c.v);
    f->zero |= c.v == 0 && cell_is_sure(c);
  }
  f->count++;
}

void fold_step(evaluator *ev, fold *f, tensor **accumulators, tensor *const *elements) {
  tensor *args[32];
  for (uint32_t i = 0; i < f->n; i++) {
    args[i] = accumulators[i];
    args[f->n + i] = elements[i];
  }
  for (uint32_t i = 0; i < f->n; i++) {
    fold_note(f, elements[i], 0);
    if (f->count == 1) {
      fold_note(f, accumulators[i], 0);
    }
  }
  evaluate_block(ev, f->block, args, accumulators);
}

// What another order of the same elements might have given as well.
void fold_end(const fold *f, tensor *accumulator) {
  mr_dtype dtype = accumulator->type.dtype;
  if (mr_dtype_class_of(dtype) != MR_CLASS_FLOAT && mr_dtype_class_of(dtype) != MR_CLASS_COMPLEX) {
    return;
  }
  float_format format = format_of(dtype);
  bool sum = f->kind == MR_OP_add, product = f->kind == MR_OP_multiply;
  for (int p = 0; p < accumulator->parts && (sum || product); p++) {
    cell *c = &accumulator->cells[p];
    real size = product ? fabsl(c->v) : f->sizes[p];
    if (f->odd || f->count <= 2) {
      // One infinity or NaN decides the sum in every order; a sum of finite numbers may leave the type in another. A
      // product that is small on the way may be zero before it meets an infinity.
      bool leaves = f->odd && f->count > 2 && size > format.largest / 2;
      bool decided = !product || (isnan(c->v) && accumulator->parts == 1 && (f->nan || (f->zero && f->infinite)));
      if (leaves || (f->odd && !decided)) {
        *c = cell_anything();
      }
      continue;
    }
    if (!dtype_is_wide(dtype) || size > format.largest / 2 ||
        (product && (f->logs > format.max_exponent - 4 || accumulator->parts == 2))) {
      *c = cell_anything();
      continue;
    }
    bool exact = f->whole && size < ldexpl(1, format.mantissa);
    if (!exact && !cell_is_anything(*c)) {
      c->e += (double)(2 * f->count * format_ulp(&format, size)) + (double)ldexpl(f->count, format.min_exponent);
    }
    c->exact = false;
  }
}

// Where two orders differ there is no certain answer.
static void keep_common(cell *c, cell other) {
  if (!((c->v == other.v && c->e == other.e) || (isnan(c->v) && isnan(other.v)))) {
    *c = cell_anything();
  } else if (signbit(c->v) != signbit(other.v)) {
    c->exact = false;
  }
}

// The next order of 1 + count elements of n tensors each: the reverse first, then random ones.
static void reorder(rng *random, bool reverse, tensor **order, uint32_t n, int64_t count) {
  for (int64_t j = count; j > 0; j--) {
    int64_t other = reverse ? count - j : rng_below(random, j + 1);
    for (uint32_t k = 0; k < n && (!reverse || other < j); k++) {
      tensor *moved = order[j * n + k];
      order[j * n + k] = order[other * n + k];
      order[other * n + k] = moved;
    }
  }
}

// The element before the others is the initial value.
static void fold_orders(evaluator *ev, const fold *f, tensor **order, int64_t count, tensor *const *accumulators) {
  rng random = rng_of((uint64_t)count);
  int orders = f->odd || f->zero ? 12 : 2;  // what is no order among others is a NaN, and the signs of zeros
  for (int o = 0; o < orders && !ev->gave_up; o++) {
    tensor *got[16];
    fold again;
    reorder(&random, o == 0, order, f->n, count);
    fold_begin(&again, f->block, f->n);
    memcpy(got, order, f->n * sizeof got[0]);
    for (int64_t j = 1; j <= count && !ev->gave_up; j++) {
      fold_step(ev, &again, got, order + j * f->n);
    }
    for (uint32_t k = 0; k < f->n && !ev->gave_up; k++) {
      for (int p = 0; p < accumulators[k]->parts; p++) {
        keep_common(&accumulators[k]->cells[p], got[k]->cells[p]);
      }
    }
  }
}

void fold_all(evaluator *ev, fold *f, tensor **accumulators, tensor *const *elements, int64_t count) {
  uint32_t n = f->n;
  bool other_orders = f->kind == MR_OP_COUNT && count > 0;
  for (uint32_t k = 0; k < n; k++) {
    other_orders = other_orders && f->block->args[k]->type.dtype == f->block->args[n + k]->type.dtype;
  }
  tensor **order = other_orders ? mr_arena_array(&ev->arena, tensor *, (count + 1) * n) : NULL;
  if (order) {
    memcpy(order, accumulators, n * sizeof order[0]);
    memcpy(order + n, elements, (size_t)count * n * sizeof order[0]);
  }
  for (int64_t j = 0; j < count && !ev->gave_up; j++) {
    fold_step(ev, f, accumulators, elements + j * n);
  }
  for (uint32_t k = 0; k < n && order && !ev->gave_up; k++) {
    tensor *own = tensor_create(ev, &accumulators[k]->type);  // a region may give back one of the elements
    set_scalar(own, accumulators[k], 0);
    accumulators[k] = own;
  }
  if (order && !ev->gave_up) {
    fold_orders(ev, f, order, count, accumulators);
  }
}

static bool is_reduced(mr_ints dims, int64_t d) {
  for (size_t i = 0; i < dims.size; i++) {
    if (dims.data[i] == d) {
      return true;
    }
  }
  return false;
}

// Which result element takes the term at `flat`.
static int64_t taker_of(const mr_type *whole, mr_ints dims, const mr_type *result, int64_t flat) {
  int64_t index[MR_MAX_RANK], kept[MR_MAX_RANK];
  uint32_t rank = 0;
  index_of(whole, flat, index);
  for (uint32_t d = 0; d < whole->rank; d++) {
    if (!is_reduced(dims, d)) {
      kept[rank++] = index[d];
    }
  }
  return flat_of(result, kept);
}

static void reduce(evaluator *ev, const mr_op *op, tensor *const *results) {
  uint32_t n = op->num_results;
  mr_ints dims = mr_op_ints(op, MR_ATTR_dimensions);
  const mr_block *block = op->regions[0];
  const tensor *whole = operand_of(ev, op, 0);
  if (n > 16) {
    give_up(ev, "a wide reduction");
    return;
  }
  tensor **elements = mr_arena_array(&ev->arena, tensor *, whole->count * n + 1);
  for (int64_t i = 0; elements && i < results[0]->count && !ev->gave_up; i++) {
    tensor *accumulators[16];
    for (uint32_t k = 0; k < n; k++) {
      accumulators[k] = scalar_of(ev, &block->args[k]->type, operand_of(ev, op, n + k), 0);
    }
    int64_t count = 0;
    for (int64_t j = 0; j < whole->count && !ev->gave_up; j++) {
      if (taker_of(&whole->type, dims, &results[0]->type, j) == i) {
        for (uint32_t k = 0; k < n; k++) {
          elements[count * n + k] = scalar_of(ev, &block->args[n + k]->type, operand_of(ev, op, k), j);
        }
        count++;
      }
    }
    fold f;
    fold_begin(&f, block, n);
    fold_all(ev, &f, accumulators, elements, count);
    for (uint32_t k = 0; k < n && !ev->gave_up; k++) {
      fold_end(&f, accumulators[k]);
      memcpy(results[k]->cells + i * results[k]->parts, accumulators[k]->cells,
             sizeof(cell) * (size_t)results[k]->parts);
    }
  }
}

// ---- Sorting ---------------------------------------------------------------------------------------------------------

typedef struct lane {
  evaluator *ev;
  const mr_op *op;
  int64_t base, stride, size;
  bool unsure;
} lane;

static bool goes_before(lane *l, int64_t a, int64_t b) {
  tensor *args[32], *answer;
  const mr_block *block = l->op->regions[0];
  for (uint32_t i = 0; i < l->op->num_operands; i++) {
    const tensor *x = operand_of(l->ev, l->op, i);
    args[2 * i] = scalar_of(l->ev, &block->args[2 * i]->type, x, l->base + a * l->stride);
    args[2 * i + 1] = scalar_of(l->ev, &block->args[2 * i + 1]->type, x, l->base + b * l->stride);
  }
  if (!evaluate_block(l->ev, block, args, &answer)) {
    return false;
  }
  l->unsure |= !cell_is_sure(answer->cells[0]);
  return answer->cells[0].v != 0;
}

// Every pair is compared: an answer that is no order, or ties where they may be broken either way, leave it open.
static void order_lane(lane *l, int64_t *order) {
  bool stable = mr_op_int(l->op, MR_ATTR_is_stable, 0);
  for (int64_t i = 0; i < l->size; i++) {
    int64_t at = i;
    for (; at > 0 && goes_before(l, i, order[at - 1]); at--) {
      order[at] = order[at - 1];
    }
    order[at] = i;
  }
  int64_t class = 0, classes[64];
  for (int64_t i = 0; i < l->size && l->size <= 64; i++) {
    class += i > 0 && goes_before(l, order[i - 1], order[i]);
    classes[i] = class;
    for (int64_t j = 0; j < i; j++) {
      l->unsure |= goes_before(l, order[i], order[j]) || goes_before(l, order[j], order[i]) != (classes[j] != class);
      l->unsure |= !stable && classes[j] == class;
    }
  }
  l->unsure |= l->size > 64;
}

static void sort(evaluator *ev, const mr_op *op, tensor *const *results) {
  const mr_type *type = &results[0]->type;
  int64_t along = mr_op_int(op, MR_ATTR_dimension, 0), stride = 1, order[1024], index[MR_MAX_RANK];
  along = along < 0 ? along + type->rank : along;
  for (uint32_t d = (uint32_t)along + 1; d < type->rank; d++) {
    stride *= type->dims[d];
  }
  if (type->rank == 0 || type->dims[along] > 1024 || op->num_operands > 16) {
    give_up(ev, "a long sort");
    return;
  }
  for (int64_t i = 0; i < results[0]->count && !ev->gave_up; i++) {
    index_of(type, i, index);
    if (index[along] != 0) {
      continue;
    }
    lane l = {.ev = ev, .op = op, .base = i, .stride = stride, .size = type->dims[along]};
    order_lane(&l, order);
    for (uint32_t k = 0; k < op->num_results && !ev->gave_up; k++) {
      const tensor *x = operand_of(ev, op, k);
      for (int64_t j = 0; j < l.size; j++) {
        for (int p = 0; p < x->parts; p++) {
          cell c = x->cells[(i + order[j] * stride) * x->parts + p];
          results[k]->cells[(i + j * stride) * x->parts + p] = l.unsure ? cell_anything() : c;
        }
      }
    }
  }
}

static void map(evaluator *ev, const mr_op *op, tensor *const *results) {
  tensor *args[32], *got;
  for (int64_t i = 0; i < results[0]->count && op->num_operands <= 32; i++) {
    for (uint32_t k = 0; k < op->num_operands; k++) {
      args[k] = scalar_of(ev, &op->regions[0]->args[k]->type, operand_of(ev, op, k), i);
    }
    if (!evaluate_block(ev, op->regions[0], args, &got)) {
      return;
    }
    memcpy(results[0]->cells + i * results[0]->parts, got->cells, sizeof(cell) * (size_t)results[0]->parts);
  }
}

bool evaluate_fold_op(evaluator *ev, const mr_op *op, tensor *const *results) {
  switch ((int)op->kind) {
  case MR_OP_reduce: reduce(ev, op, results); return true;
  case MR_OP_sort: sort(ev, op, results); return true;
  case MR_OP_map: map(ev, op, results); return true;
  default: return false;
  }
}
