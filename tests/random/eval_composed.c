// Operations of the evaluator that are sequences of others: linear algebra by its textbook recurrences, whose bounds grow as
// the condition of the matrix wants, batch norms, and movement whose sizes are operands.
#include <string.h>

#include "tests/random/random.h"

static cell binary(mr_op_kind kind, mr_dtype dtype, cell x, cell y) {
  const mr_op op = {.kind = kind};
  cell out;
  return element_binary(&op, dtype, &x, &y, &out) ? out : cell_anything();
}

static cell add(mr_dtype dtype, cell x, cell y) { return binary(MR_OP_add, dtype, x, y); }
static cell subtract(mr_dtype dtype, cell x, cell y) { return binary(MR_OP_subtract, dtype, x, y); }
static cell multiply(mr_dtype dtype, cell x, cell y) { return binary(MR_OP_multiply, dtype, x, y); }
static cell divide(mr_dtype dtype, cell x, cell y) { return binary(MR_OP_divide, dtype, x, y); }

static cell root(mr_dtype dtype, cell x) {
  const mr_op op = {.kind = MR_OP_sqrt};
  cell out;
  return element_unary(&op, dtype, dtype, &x, &out) ? out : cell_anything();
}

// A sum in any order, of terms each of which may be rounded or fused into the sum.
typedef struct total {
  real v, size;
  double e;
  int64_t count;
  bool anything;
} total;

static void total_add(total *t, cell x) {
  t->anything = t->anything || cell_is_anything(x) || !isfinite(x.v);
  t->v += x.v;
  t->size += fabsl(x.v);
  t->e += x.e;
  t->count++;
}

static cell total_end(const total *t, mr_dtype dtype) {
  float_format f = format_of(dtype);
  real size = t->size + t->e;
  if (t->anything || !(size < f.largest / 4)) {
    return cell_anything();
  }
  double rounding = t->count > 1 ? (double)(2 * (t->count + 2) * format_ulp(&f, size)) : 0;
  return cell_round(dtype, cell_near(t->v, t->e + rounding + (double)ldexpl(t->count, f.min_exponent)), 1);
}

// ---- Linear algebra -----------------------------------------------------------------------------------------------

// Square matrices of one operand, and where a cell of one is when rows and columns may change places.
typedef struct square {
  const tensor *t;
  int64_t n, first;
  bool turned;
} square;

static cell at(const square *s, int64_t i, int64_t k) {
  return s->t->cells[s->first + (s->turned ? k * s->n + i : i * s->n + k)];
}

// The other triangle of the result is anybody's.
static void cholesky(const mr_op *op, const tensor *a, tensor *r) {
  mr_dtype dtype = r->type.dtype;
  int64_t n = a->type.dims[a->type.rank - 1];
  bool lower = mr_op_int(op, MR_ATTR_lower, 0) != 0;
  all_anything(r);
  for (int64_t first = 0; first + n * n <= r->count && n > 0; first += n * n) {
    square from = {a, n, first, !lower}, to = {r, n, first, !lower};
    bool definite = true;
    for (int64_t j = 0; j < n && definite; j++) {
      for (int64_t i = j; i < n && definite; i++) {
        total t = {0};
        total_add(&t, at(&from, i, j));
        for (int64_t k = 0; k < j; k++) {
          cell p = multiply(dtype, at(&to, i, k), at(&to, j, k));
          total_add(&t, (cell){-p.v, p.e, false});
        }
        cell c = total_end(&t, dtype);
        definite = i > j || (!cell_is_anything(c) && c.v - c.e > 0);
        r->cells[first + (lower ? i * n + j : j * n + i)] = !definite ? cell_anything()
                                                            : i == j  ? root(dtype, c)
                                                                      : divide(dtype, c, at(&to, j, j));
      }
    }
    for (int64_t i = 0; i < n * n && !definite; i++) {
      r->cells[first + i] = cell_anything();
    }
  }
}

static void triangular_solve(const mr_op *op, const tensor *a, const tensor *b, tensor *r) {
  mr_dtype dtype = r->type.dtype;
  bool left = mr_op_int(op, MR_ATTR_left_side, 0) != 0, unit = mr_op_int(op, MR_ATTR_unit_diagonal, 0) != 0;
  bool transposed = mr_op_int(op, MR_ATTR_transpose_a, 1) != 1;
  // X A = B is the system of the transposed matrices.
  bool turned = transposed != !left, lower = (mr_op_int(op, MR_ATTR_lower, 0) != 0) != turned;
  int64_t n = a->type.dims[a->type.rank - 1], rows = b->type.dims[b->type.rank - 2],
          columns = b->type.dims[b->type.rank - 1], others = left ? columns : rows;
  int64_t batches = n ? a->count / (n * n) : 0;
  for (int64_t q = 0; q < batches; q++) {
    square m = {a, n, q * n * n, turned};
    for (int64_t c = 0; c < others; c++) {
      for (int64_t step = 0; step < n; step++) {
        int64_t i = lower ? step : n - 1 - step, to = q * rows * columns + (left ? i * columns + c : c * columns + i);
        total t = {0};
        total_add(&t, b->cells[to]);
        for (int64_t k = lower ? 0 : i + 1; k < (lower ? i : n); k++) {
          int64_t from = q * rows * columns + (left ? k * columns + c : c * columns + k);
          cell p = multiply(dtype, at(&m, i, k), r->cells[from]);
          total_add(&t, (cell){-p.v, p.e, false});
        }
        cell sum = total_end(&t, dtype);
        // A library may multiply with the diagonal's inverse.
        cell x = unit ? sum : divide(dtype, sum, at(&m, i, i));
        r->cells[to] =
            unit || cell_is_anything(x) || !isfinite(x.v)
                ? x
                : cell_near(x.v, x.e + (double)format_ulp(&(float_format){.mantissa = format_of(dtype).mantissa,
                                                                          .min_exponent = -16000},
                                                          x.v));
        if (!isfinite(x.v)) {
          r->cells[to] = cell_anything();
        }
      }
    }
  }
}

// ---- Batch norms --------------------------------------------------------------------------------------------------

typedef struct norm {
  mr_dtype dtype;
  const tensor *x;
  int64_t features, inner, count;  // elements after the feature's dimension; elements of a feature
  cell epsilon;
} norm;

static int64_t feature_of(const norm *n, int64_t i) { return i / n->inner % n->features; }

static cell mean_of(const norm *n, const total *t) {
  return divide(n->dtype, total_end(t, n->dtype), cell_exact(n->count));
}

static cell normal(const norm *n, cell x, cell mean, cell variance) {
  cell deviation = root(n->dtype, add(n->dtype, variance, n->epsilon));
  return divide(n->dtype, subtract(n->dtype, x, mean), deviation);
}

static void norm_apply(const norm *n, const tensor *scale, const tensor *offset, const cell *means,
                       const cell *variances, tensor *r) {
  for (int64_t i = 0; i < r->count; i++) {
    int64_t f = feature_of(n, i);
    cell y = normal(n, n->x->cells[i], means[f], variances[f]);
    r->cells[i] = add(n->dtype, multiply(n->dtype, y, scale->cells[f]), offset->cells[f]);
  }
}

static void norm_training(const norm *n, const mr_op *op, evaluator *ev, tensor *const *r) {
  for (int64_t f = 0; f < n->features; f++) {
    total sum = {0}, squares = {0};
    for (int64_t i = 0; i < n->x->count; i++) {
      if (feature_of(n, i) == f) {
        total_add(&sum, n->x->cells[i]);
      }
    }
    r[1]->cells[f] = mean_of(n, &sum);
    for (int64_t i = 0; i < n->x->count; i++) {
      if (feature_of(n, i) == f) {
        cell centred = subtract(n->dtype, n->x->cells[i], r[1]->cells[f]);
        total_add(&squares, multiply(n->dtype, centred, centred));
      }
    }
    r[2]->cells[f] = mean_of(n, &squares);
  }
  norm_apply(n, operand_of(ev, op, 1), operand_of(ev, op, 2), r[1]->cells, r[2]->cells, r[0]);
}

// Of y = scale (x - mean) / sqrt(variance + epsilon) + offset, where mean and variance depend on x as well.
static void norm_grad(const norm *n, const mr_op *op, evaluator *ev, tensor *const *r) {
  const tensor *scale = operand_of(ev, op, 1), *mean = operand_of(ev, op, 2), *variance = operand_of(ev, op, 3),
               *dy = operand_of(ev, op, 4);
  mr_dtype dtype = n->dtype;
  for (int64_t f = 0; f < n->features; f++) {
    total sum = {0}, projection = {0}, slope = {0};
    for (int64_t i = 0; i < n->x->count; i++) {
      if (feature_of(n, i) == f) {
        total_add(&sum, dy->cells[i]);
        total_add(&projection, multiply(dtype, dy->cells[i], subtract(dtype, n->x->cells[i], mean->cells[f])));
        total_add(&slope, multiply(dtype, dy->cells[i], normal(n, n->x->cells[i], mean->cells[f], variance->cells[f])));
      }
    }
    r[1]->cells[f] = total_end(&slope, dtype);
    r[2]->cells[f] = total_end(&sum, dtype);
    cell shifted = add(dtype, variance->cells[f], n->epsilon), along = total_end(&projection, dtype);
    cell factor = divide(dtype, divide(dtype, scale->cells[f], root(dtype, shifted)), cell_exact(n->count));
    for (int64_t i = 0; i < n->x->count; i++) {
      if (feature_of(n, i) == f) {
        cell centred = subtract(dtype, n->x->cells[i], mean->cells[f]);
        cell part = divide(dtype, multiply(dtype, along, centred), shifted);
        cell rest = subtract(dtype, multiply(dtype, dy->cells[i], cell_exact(n->count)), r[2]->cells[f]);
        r[0]->cells[i] = multiply(dtype, factor, subtract(dtype, rest, part));
      }
    }
  }
}

static void batch_norm(evaluator *ev, const mr_op *op, tensor *const *r) {
  const tensor *x = operand_of(ev, op, 0);
  int64_t feature = mr_op_int(op, MR_ATTR_feature_index, 0);
  norm n = {.dtype = x->type.dtype, .x = x, .features = x->type.dims[feature], .inner = 1};
  n.epsilon = cell_exact((real)(float)mr_op_attr(op, MR_ATTR_epsilon)->number);
  for (uint32_t d = (uint32_t)feature + 1; d < x->type.rank; d++) {
    n.inner *= x->type.dims[d];
  }
  n.count = n.features ? x->count / n.features : 0;
  if (!spend(ev, 8 * x->count * (n.features + 1))) {
    return;
  }
  if (x->count == 0 || !(x->type.dtype == MR_F32 || x->type.dtype == MR_F64)) {
    for (uint32_t i = 0; i < op->num_results; i++) {
      all_anything(r[i]);
    }
  } else if (op->kind == MR_OP_batch_norm_inference) {
    norm_apply(&n, operand_of(ev, op, 1), operand_of(ev, op, 2), operand_of(ev, op, 3)->cells,
               operand_of(ev, op, 4)->cells, r[0]);
  } else if (op->kind == MR_OP_batch_norm_training) {
    norm_training(&n, op, ev, r);
  } else {
    norm_grad(&n, op, ev, r);
  }
}

// ---- Sizes that are operands --------------------------------------------------------------------------------------

static int64_t listed(evaluator *ev, const mr_op *op, uint32_t operand, uint32_t d) {
  return (int64_t)operand_of(ev, op, operand)->cells[d].v;
}

static void put(tensor *r, int64_t to, const tensor *x, int64_t from) {
  memcpy(r->cells + to * r->parts, x->cells + from * x->parts, sizeof(cell) * (size_t)r->parts);
}

static void dynamic_pad(evaluator *ev, const mr_op *op, const tensor *x, tensor *r) {
  int64_t index[MR_MAX_RANK];
  for (int64_t i = 0; i < r->count; i++) {
    put(r, i, operand_of(ev, op, 1), 0);
  }
  for (int64_t i = 0; i < x->count; i++) {
    index_of(&x->type, i, index);
    bool inside = true;
    for (uint32_t d = 0; d < x->type.rank; d++) {
      index[d] = listed(ev, op, 2, d) + index[d] * (listed(ev, op, 4, d) + 1);
      inside = inside && index[d] >= 0 && index[d] < r->type.dims[d];
    }
    if (inside) {
      put(r, flat_of(&r->type, index), x, i);
    }
  }
}

static void real_dynamic_slice(evaluator *ev, const mr_op *op, const tensor *x, tensor *r) {
  int64_t index[MR_MAX_RANK];
  for (int64_t i = 0; i < r->count; i++) {
    index_of(&r->type, i, index);
    for (uint32_t d = 0; d < x->type.rank; d++) {
      index[d] = listed(ev, op, 1, d) + index[d] * listed(ev, op, 3, d);
    }
    put(r, i, x, flat_of(&x->type, index));
  }
}

bool evaluate_composed_op(evaluator *ev, const mr_op *op, tensor *const *results) {
  tensor *r = results[0], *x = op->num_operands ? operand_of(ev, op, 0) : NULL;
  switch ((int)op->kind) {
  case MR_OP_cholesky: cholesky(op, x, r); return true;
  case MR_OP_triangular_solve: triangular_solve(op, x, operand_of(ev, op, 1), r); return true;
  case MR_OP_batch_norm_grad:
  case MR_OP_batch_norm_inference:
  case MR_OP_batch_norm_training: batch_norm(ev, op, results); return true;
  case MR_OP_dynamic_pad: dynamic_pad(ev, op, x, r); return true;
  case MR_OP_real_dynamic_slice: real_dynamic_slice(ev, op, x, r); return true;
  default: return false;
  }
}
