// Control flow in random programs: loops that count to a small bound, branches, calls, composites, barriers.
#include "tests/random/random.h"

static void keep_results(generator *g, mr_op *op) {
  if ((op = finish_op(g, op))) {
    for (uint32_t i = 0; i < op->num_results; i++) {
      keep_value(g, mr_op_result(op, i));
    }
  }
}

// Generates into a region, which sees everything around it, and ends it with values of the types.
static void fill_region(generator *g, mr_block *block, int ops, uint32_t count, const mr_type *types, value first) {
  mr_builder at = g->at;
  uint32_t pool = g->pool_size;
  value returned[8];
  g->at = (mr_builder){.module = g->module, .block = block};
  g->depth++;
  for (uint32_t i = 0; i < block->num_args; i++) {
    keep_value(g, block->args[i]);
  }
  generate_ops(g, ops);
  for (uint32_t i = 0; i < count; i++) {
    returned[i] = i == 0 && first ? first : value_of_type(g, &types[i]);
  }
  end_block(g, block, count, returned);
  g->depth--;
  g->pool_size = pool;
  g->at = at;
}

static void loop(generator *g) {
  static const mr_dtype dtypes[] = {MR_S32, MR_S32, MR_S64, MR_U32, MR_S8};
  mr_type types[6] = {mr_type_scalar(dtypes[rng_below(&g->random, MR_ARRAY_SIZE(dtypes))])};
  value operands[6] = {constant_int(g, types[0].dtype, rng_below(&g->random, 3))};
  uint32_t n = (uint32_t)rng_between(&g->random, 2, 5);
  for (uint32_t i = 1; i < n; i++) {
    operands[i] = random_value(g);
    types[i] = operands[i]->type;
  }
  mr_op *op = start_op(g, MR_OP_while, n, operands, n, 2);
  for (uint32_t i = 0; op && i < 2 * n; i++) {
    mr_block_add_arg(g->module, op->regions[i / n], &types[i % n]);
  }
  if (!op) {
    return;
  }
  mr_builder condition = {.module = g->module, .block = op->regions[0]};
  value bound = mr_build_splat_int(&condition, &types[0], rng_below(&g->random, 7));
  int kind = mr_dtype_is_signed(types[0].dtype) ? 3 : 4;
  value go_on = mr_build_compare(&condition, 5, kind, op->regions[0]->args[0], bound);
  if (rng_chance(&g->random, 15)) {  // and something that the body may change
    for (uint32_t i = 1; i < n; i++) {
      if (types[i].dtype == MR_PRED && types[i].rank == 0) {
        go_on = mr_build_binary(&condition, MR_OP_and, go_on, op->regions[0]->args[i]);
      }
    }
  }
  end_block(g, op->regions[0], 1, &go_on);
  mr_builder body = {.module = g->module, .block = op->regions[1]};
  value step = mr_build_splat_int(&body, &types[0], rng_chance(&g->random, g->half ? 100 : 85) ? 1 : 2);
  value next = mr_build_binary(&body, MR_OP_add, op->regions[1]->args[0], step);
  fill_region(g, op->regions[1], (int)rng_between(&g->random, 1, 4), n, types, next);
  keep_results(g, op);
}

static void branch(generator *g) {
  bool two = rng_chance(&g->random, 50);
  mr_type chooser = mr_type_scalar(two ? MR_PRED : MR_S32), types[3];
  value operand = value_of_type(g, &chooser);
  uint32_t n = (uint32_t)rng_between(&g->random, 1, 3), regions = two ? 2 : (uint32_t)rng_between(&g->random, 1, 4);
  for (uint32_t i = 0; i < n; i++) {
    types[i] = rng_chance(&g->random, 60) ? random_value(g)->type : random_type(g);
  }
  mr_op *op = start_op(g, two ? MR_OP_if : MR_OP_case, 1, &operand, n, regions);
  for (uint32_t i = 0; op && i < regions; i++) {
    fill_region(g, op->regions[i], (int)rng_between(&g->random, 0, 3), n, types, NULL);
  }
  keep_results(g, op);
}

static void call(generator *g) {
  mr_function *f = mr_module_find(g->module, rng_chance(&g->random, 60) ? MR_STR("first") : MR_STR("second"));
  if (!f || f == g->at.block->function || g->at.block->function->name.size != 4 /* only main calls */) {
    return;
  }
  value operands[4];
  for (uint32_t i = 0; i < f->body.num_args; i++) {
    operands[i] = value_of_type(g, &f->body.args[i]->type);
  }
  bool composite = rng_chance(&g->random, 35);
  mr_op *op = mr_build(&g->at, composite ? MR_OP_composite : MR_OP_call, f->body.num_args, operands, f->num_results,
                       f->result_types, 0);
  if (!op) {
    return;
  }
  if (composite) {
    mr_op_set_string(g->module, op, MR_ATTR_name, MR_STR("random.composite"));
    mr_op_set_string(g->module, op, MR_ATTR_decomposition, f->name);
    set_int(g, op, MR_ATTR_version, 1, MR_S32);
  } else {
    mr_op_set_string(g->module, op, MR_ATTR_callee, f->name);
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    keep_value(g, mr_op_result(op, i));
  }
}

static void barrier(generator *g) {
  value operands[3];
  uint32_t n = (uint32_t)rng_between(&g->random, 1, 3);
  for (uint32_t i = 0; i < n; i++) {
    operands[i] = random_value(g);
  }
  keep_results(g, start_op(g, MR_OP_optimization_barrier, n, operands, n, 0));
}

void generate_control(generator *g) {
  int64_t dice = rng_below(&g->random, 100);
  if (dice < 20) {
    call(g);
  } else if (dice < 27 || g->depth > 2) {
    barrier(g);
  } else if (dice < 62) {
    loop(g);
  } else {
    branch(g);
  }
}
