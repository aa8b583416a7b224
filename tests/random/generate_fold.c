// Operations of random programs that have a region on scalars. What folds is associative, as the operations ask for.
#include <string.h>

#include "tests/random/random.h"

static void keep_results(generator *g, mr_op *op) {
  if ((op = finish_op(g, op))) {
    for (uint32_t i = 0; i < op->num_results; i++) {
      keep_value(g, mr_op_result(op, i));
    }
  }
}

static mr_op_kind fold_kind(generator *g, mr_dtype dtype) {
  static const mr_op_kind kinds[] = {MR_OP_add, MR_OP_multiply, MR_OP_maximum, MR_OP_minimum,
                                     MR_OP_and, MR_OP_or,       MR_OP_xor};
  int64_t most = mr_dtype_is_complex(dtype) ? 2 : mr_dtype_is_float(dtype) ? 4 : 7;
  return rng_chance(&g->random, 40) ? MR_OP_add : kinds[rng_below(&g->random, most)];
}

// What leaves every element as it is; a type that has none gets its smallest or largest number from special values.
static value identity(generator *g, mr_op_kind kind, mr_dtype dtype) {
  mr_type scalar = mr_type_scalar(dtype);
  unsigned bits = mr_dtype_bits(dtype);
  bool most = kind == MR_OP_minimum, is_float = mr_dtype_is_float(dtype);
  if (rng_chance(&g->random, 20)) {
    return random_constant(g, &scalar);
  }
  if (kind == MR_OP_maximum || most) {
    if (is_float) {
      return mr_build_splat(&g->at, &scalar, most ? INFINITY : -INFINITY);
    }
    int64_t top = bits == 64 ? INT64_MAX : (INT64_C(1) << (mr_dtype_is_signed(dtype) ? bits - 1 : bits)) - 1;
    return constant_int(g, dtype, most ? top : mr_dtype_is_signed(dtype) ? -top - 1 : 0);
  }
  if (kind == MR_OP_and) {
    return constant_int(g, dtype,
                        mr_dtype_is_signed(dtype) ? -1
                        : dtype == MR_PRED        ? 1
                        : bits == 64              ? -1
                                                  : (INT64_C(1) << bits) - 1);
  }
  return mr_build_splat(&g->at, &scalar, kind == MR_OP_multiply);
}

// A region that folds scalars with one operation.
static void simple_region(generator *g, mr_op *op, uint32_t region, mr_op_kind kind, mr_dtype dtype) {
  mr_type scalar = mr_type_scalar(dtype);
  mr_block *block = op->regions[region];
  value args[2] = {mr_block_add_arg(g->module, block, &scalar), mr_block_add_arg(g->module, block, &scalar)};
  mr_builder at = {.module = g->module, .block = block};
  value folded = mr_build_binary(&at, kind, args[0], args[1]);
  end_block(g, block, 1, &folded);
}

static value compared(mr_builder *at, int direction, value a, value b) {
  mr_dtype dtype = a->type.dtype;
  int kind = mr_dtype_is_float(dtype) ? 1 : mr_dtype_is_signed(dtype) ? 3 : 4;
  return mr_build_compare(at, direction, kind, a, b);
}

// The larger value, and of equal ones the smaller index: (v, i, w, j) -> (v', i').
static void largest_region(generator *g, mr_op *op, mr_dtype dtype) {
  mr_type v = mr_type_scalar(dtype), i = mr_type_scalar(MR_S32);
  mr_block *block = op->regions[0];
  value a[4];
  for (int k = 0; k < 4; k++) {
    a[k] = mr_block_add_arg(g->module, block, k & 1 ? &i : &v);
  }
  mr_builder at = {.module = g->module, .block = block};
  value wins = compared(&at, 3, a[0], a[2]), ties = compared(&at, 0, a[0], a[2]), first = compared(&at, 5, a[1], a[3]);
  value keeps = mr_build_binary(&at, MR_OP_or, wins, mr_build_binary(&at, MR_OP_and, ties, first));
  value results[2] = {mr_build_select(&at, keeps, a[0], a[2]), mr_build_select(&at, keeps, a[1], a[3])};
  end_block(g, block, 2, results);
}

static uint32_t some_dims(generator *g, uint32_t rank, int64_t *out) {
  uint32_t n = 0;
  for (uint32_t d = 0; d < rank; d++) {
    if (rng_chance(&g->random, 55)) {
      out[n++] = d;
    }
  }
  return n;
}

static void reduce(generator *g) {
  int64_t dims[8];
  if (rng_chance(&g->random, 15)) {
    value x = random_value_of(g, CLASS_INT | CLASS_FLOAT);
    mr_type indices = mr_type_with_dtype(&x->type, MR_S32), scalar = mr_type_scalar(x->type.dtype);
    value operands[4] = {x, value_of_type(g, &indices), random_constant(g, &scalar), constant_int(g, MR_S32, 0)};
    mr_op *op = start_op(g, MR_OP_reduce, 4, operands, 2, 1);
    set_ints(g, op, MR_ATTR_dimensions, dims, some_dims(g, x->type.rank, dims));
    largest_region(g, op, x->type.dtype);
    keep_results(g, op);
    return;
  }
  value x = random_value_of(g, CLASS_ANY);
  mr_op_kind kind = fold_kind(g, x->type.dtype);
  value operands[2] = {x, identity(g, kind, x->type.dtype)};
  mr_op *op = start_op(g, MR_OP_reduce, 2, operands, 1, 1);
  set_ints(g, op, MR_ATTR_dimensions, dims, some_dims(g, x->type.rank, dims));
  simple_region(g, op, 0, kind, x->type.dtype);
  keep_results(g, op);
}

typedef struct lists {
  int64_t sizes[8], strides[8], base[8], dilations[8], padding[16];
} lists;

static void random_window(generator *g, const mr_type *type, bool dilated, lists *w) {
  for (uint32_t d = 0; d < type->rank; d++) {
    w->sizes[d] = rng_chance(&g->random, 40) ? 1 : rng_between(&g->random, 1, 4);
    w->strides[d] = rng_chance(&g->random, 60) ? 1 : rng_between(&g->random, 1, 3);
    w->base[d] = dilated && rng_chance(&g->random, 10) ? 2 : 1;
    w->dilations[d] = dilated && rng_chance(&g->random, 15) ? 2 : 1;
    w->padding[2 * d] = rng_chance(&g->random, 70) ? 0 : rng_between(&g->random, 0, 2);
    w->padding[2 * d + 1] = rng_chance(&g->random, 70) ? 0 : rng_between(&g->random, 0, 2);
    if (rng_chance(&g->random, 10)) {  // a cumulative operation
      w->sizes[d] = type->dims[d] ? type->dims[d] : 1;
      w->padding[2 * d] = w->sizes[d] - 1, w->padding[2 * d + 1] = 0;
    }
  }
}

static void reduce_window(generator *g) {
  value x = random_value_of(g, CLASS_ANY);
  uint32_t rank = x->type.rank;
  lists w;
  mr_op_kind kind = fold_kind(g, x->type.dtype);
  random_window(g, &x->type, true, &w);
  value operands[2] = {x, identity(g, kind, x->type.dtype)};
  mr_op *op = start_op(g, MR_OP_reduce_window, 2, operands, 1, 1);
  set_ints(g, op, MR_ATTR_window_dimensions, w.sizes, rank);
  set_ints(g, op, MR_ATTR_window_strides, w.strides, rank);
  set_ints(g, op, MR_ATTR_base_dilations, w.base, rank);
  set_ints(g, op, MR_ATTR_window_dilations, w.dilations, rank);
  set_ints(g, op, MR_ATTR_padding, w.padding, 2 * (size_t)rank);
  simple_region(g, op, 0, kind, x->type.dtype);
  keep_results(g, op);
}

static void select_and_scatter(generator *g) {
  value x = random_value_of(g, CLASS_INT | CLASS_WIDE);
  uint32_t rank = x->type.rank;
  lists w;
  int64_t out[8];
  random_window(g, &x->type, false, &w);
  for (uint32_t d = 0; d < rank; d++) {
    int64_t padded = x->type.dims[d] + w.padding[2 * d] + w.padding[2 * d + 1];
    out[d] = padded < w.sizes[d] ? 0 : (padded - w.sizes[d]) / w.strides[d] + 1;
  }
  mr_type source = mr_type_tensor(g->module, x->type.dtype, rank, out), scalar = mr_type_scalar(x->type.dtype);
  if (mr_type_count(&source) > g->largest) {
    return;
  }
  value operands[3] = {x, value_of_type(g, &source), mr_build_splat(&g->at, &scalar, 0)};
  mr_op *op = start_op(g, MR_OP_select_and_scatter, 3, operands, 1, 2);
  set_ints(g, op, MR_ATTR_window_dimensions, w.sizes, rank);
  set_ints(g, op, MR_ATTR_window_strides, w.strides, rank);
  set_ints(g, op, MR_ATTR_padding, w.padding, 2 * (size_t)rank);
  mr_block *block = op->regions[0];
  value args[2] = {mr_block_add_arg(g->module, block, &scalar), mr_block_add_arg(g->module, block, &scalar)};
  mr_builder at = {.module = g->module, .block = block};
  value keep = compared(&at, rng_chance(&g->random, 70) ? 2 : 4, args[0], args[1]);
  end_block(g, block, 1, &keep);
  simple_region(g, op, 1, MR_OP_add, x->type.dtype);
  keep_results(g, op);
}

static void sort(generator *g) {
  value operands[3] = {random_value_of(g, CLASS_INT | CLASS_FLOAT | CLASS_BOOL)};
  uint32_t n = (uint32_t)rng_between(&g->random, 1, 3);
  mr_type type = operands[0]->type;
  if (type.rank == 0) {
    return;
  }
  for (uint32_t i = 1; i < n; i++) {
    mr_type other = mr_type_with_dtype(&type, random_dtype(g));
    operands[i] = value_of_type(g, &other);
  }
  mr_op *op = start_op(g, MR_OP_sort, n, operands, n, 1);
  set_int(g, op, MR_ATTR_dimension, rng_below(&g->random, type.rank), MR_S64);
  set_int(g, op, MR_ATTR_is_stable, rng_chance(&g->random, 85), MR_PRED);
  mr_block *block = op->regions[0];
  for (uint32_t i = 0; i < 2 * n; i++) {
    mr_type scalar = mr_type_scalar(operands[i / 2]->type.dtype);
    mr_block_add_arg(g->module, block, &scalar);
  }
  mr_builder at = {.module = g->module, .block = block};
  int kind = mr_dtype_is_float(type.dtype)    ? (rng_chance(&g->random, 70) ? 2 : 1)
             : mr_dtype_is_signed(type.dtype) ? 3
                                              : 4;
  value before = mr_build_compare(&at, rng_chance(&g->random, 65) ? 5 : 3, kind, block->args[0], block->args[1]);
  end_block(g, block, 1, &before);
  keep_results(g, op);
}

// A region with a chain of elementwise operations on its scalars.
static void map(generator *g) {
  value operands[2] = {random_value_of(g, CLASS_ANY)};
  operands[1] = value_of_type(g, &operands[0]->type);
  uint32_t n = (uint32_t)rng_between(&g->random, 1, 2);
  int64_t dims[8];
  mr_op *op = start_op(g, MR_OP_map, n, operands, 1, 1);
  for (uint32_t d = 0; d < operands[0]->type.rank; d++) {
    dims[d] = d;
  }
  set_ints(g, op, MR_ATTR_dimensions, dims, operands[0]->type.rank);
  generator inner = *g;
  inner.pool_size = 0;
  inner.at = (mr_builder){.module = g->module, .block = op->regions[0]};
  inner.rank = 0;
  inner.depth++;
  mr_type scalar = mr_type_scalar(operands[0]->type.dtype);
  for (uint32_t i = 0; i < n; i++) {
    keep_value(&inner, mr_block_add_arg(g->module, op->regions[0], &scalar));
  }
  value v = inner.pool[0];
  mr_builder *at = &inner.at;
  for (int i = (int)rng_between(&g->random, 1, 3); i-- > 0;) {
    value other = inner.pool[rng_below(&g->random, inner.pool_size)];
    v = mr_build_binary(at, fold_kind(g, scalar.dtype), v, other);
  }
  end_block(g, op->regions[0], 1, &v);
  keep_results(g, op);
}

static void top_k(generator *g) {
  value x = random_value_of(g, CLASS_INT | CLASS_WIDE);
  if (x->type.rank == 0) {
    return;
  }
  mr_op *op = start_op(g, MR_OP_top_k, 1, &x, 2, 0);
  set_int(g, op, MR_ATTR_k, rng_between(&g->random, 0, x->type.dims[x->type.rank - 1]), MR_S64);
  keep_results(g, op);
}

void generate_fold(generator *g) {
  int64_t dice = rng_below(&g->random, 100);
  if (dice < 45) {
    reduce(g);
  } else if (dice < 62) {
    reduce_window(g);
  } else if (dice < 80) {
    sort(g);
  } else if (dice < 86) {
    map(g);
  } else if (dice < 92) {
    select_and_scatter(g);
  } else {
    top_k(g);
  }
}
