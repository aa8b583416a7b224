// Updates in random programs: arrays that are changed in places, choices between what an array was and is, sums with little in zeros.
#include "tests/random/random.h"

static value kept(generator *g, mr_op *op) {
  op = finish_op(g, op);
  value result = op ? mr_op_result(op, 0) : NULL;
  keep_value(g, result);
  return result;
}

// x with a window of it written, or x itself where none fits.
static value updated(generator *g, value x) {
  uint32_t before = g->pool_size;
  if (rng_chance(&g->random, 50)) {
    generate_dynamic(g, x, true);
  } else {
    generate_indexed(g, x, false);
  }
  value last = g->pool_size > before ? g->pool[g->pool_size - 1] : x;
  return mr_type_equal(&last->type, &x->type) ? last : x;
}

static value updated_often(generator *g, value x) {
  for (int64_t n = rng_between(&g->random, 1, 3); n > 0; n--) {
    x = updated(g, x);
  }
  return x;
}

static value array(generator *g) {
  const mr_block *block = g->at.block;
  for (int tries = 0; tries < 8; tries++) {
    value x = block->num_args && rng_chance(&g->random, 50) ? block->args[rng_below(&g->random, block->num_args)]
                                                            : random_value(g);
    if (x->type.kind == MR_TYPE_TENSOR && x->type.rank) {
      return x;
    }
  }
  return NULL;
}

// A predicate for all of x, for what is along one of its dimensions, or for each element.
static value condition(generator *g, value x) {
  mr_type type = mr_type_scalar(MR_PRED);
  int64_t dice = rng_below(&g->random, 100), dim = rng_below(&g->random, x->type.rank);
  if (dice < 45) {
    return value_of_type(g, &type);
  }
  mr_type whole = mr_type_with_dtype(&x->type, MR_PRED);
  if (dice < 60) {
    return value_of_type(g, &whole);
  }
  bool number = rng_chance(&g->random, 50);  // what vmap makes of a branch
  type = mr_type_tensor(g->module, number ? MR_S32 : MR_PRED, 1, &x->type.dims[dim]);
  value along = mr_build_along(&g->at, value_of_type(g, &type), &whole, dim);
  if (!number || !along) {
    return along;
  }
  mr_type numbers = mr_type_with_dtype(&x->type, MR_S32);
  return mr_build_compare(&g->at, (int)rng_below(&g->random, 6), 3, along, mr_build_splat_int(&g->at, &numbers, 1));
}

static void choice(generator *g, value x) {
  value one = updated_often(g, x);
  value other = rng_chance(&g->random, 60) ? x : updated_often(g, rng_chance(&g->random, 80) ? x : one);
  value operands[3] = {condition(g, x), one, other};
  if (rng_chance(&g->random, 50)) {
    operands[1] = other, operands[2] = one;
  }
  if (operands[0]) {
    kept(g, start_op(g, MR_OP_select, 3, operands, 1, 0));
  }
}

// Little in zeros: a window, or a smaller array that zeros are put around.
static value mostly_zero(generator *g, value x, value zeros) {
  if (rng_chance(&g->random, 70)) {
    return updated(g, zeros);
  }
  int64_t dims[8], low[8], high[8], none[8] = {0};
  if (x->type.rank > 8) {
    return NULL;
  }
  for (uint32_t d = 0; d < x->type.rank; d++) {
    dims[d] = rng_between(&g->random, 0, x->type.dims[d]);
    low[d] = rng_between(&g->random, 0, x->type.dims[d] - dims[d]);
    high[d] = x->type.dims[d] - dims[d] - low[d];
  }
  mr_type type = mr_type_tensor(g->module, x->type.dtype, x->type.rank, dims), scalar = mr_type_scalar(x->type.dtype);
  value operands[2] = {value_of_type(g, &type), mr_build_splat(&g->at, &scalar, 0)};
  mr_op *op = start_op(g, MR_OP_pad, 2, operands, 1, 0);
  set_ints(g, op, MR_ATTR_edge_padding_low, low, x->type.rank);
  set_ints(g, op, MR_ATTR_edge_padding_high, high, x->type.rank);
  set_ints(g, op, MR_ATTR_interior_padding, none, x->type.rank);
  return kept(g, op);
}

static void sum(generator *g, value x) {
  value zeros = mr_build_splat(&g->at, &x->type, 0);
  value part = zeros ? mostly_zero(g, x, zeros) : NULL;
  if (!part || !dtype_in(x->type.dtype, CLASS_INT | CLASS_FLOAT | CLASS_COMPLEX)) {
    return;
  }
  value base = rng_chance(&g->random, 40) ? updated(g, zeros) : x;
  bool adds = rng_chance(&g->random, 75), first = adds && rng_chance(&g->random, 30);
  value operands[2] = {first ? part : base, first ? base : part};
  value result = kept(g, start_op(g, adds ? MR_OP_add : MR_OP_subtract, 2, operands, 1, 0));
  if (result && rng_chance(&g->random, 60)) {
    updated(g, result);
  }
}

void generate_update(generator *g) {
  value x = array(g);
  if (x && rng_chance(&g->random, 60)) {
    choice(g, x);
  } else if (x) {
    sum(g, x);
  }
}
