// Sums over devices come as late as they may, where they are less, or what needs them is done better on what each device has: a part of
// a sum is the sum of parts, a sum of sums one sum, and the transpose of a product is another product.
#include "compiler/shard/partition.h"

// One value of everybody's becomes everybody's, all at once or each device's part of it.
static bool is_sum(const mr_op *op) {
  return op && (op->kind == MR_OP_all_reduce || op->kind == MR_OP_reduce_scatter) && op->num_operands == 1 &&
         op->num_results == 1;
}

// The sum that is there for `user` alone.
static mr_op *sum_of(const mr_op *user, uint32_t operand) {
  const mr_value *x = mr_op_operand(user, operand);
  return is_sum(x->def) && x->def->block == user->block && mr_value_has_one_use(x) ? x->def : NULL;
}

// A product, turned or not, that is there for its sum alone.
static bool is_product(const mr_value *x) {
  while (x->def && x->def->kind == MR_OP_transpose && mr_value_has_one_use(x)) {
    x = mr_op_operand(x->def, 0);
  }
  return x->def && (x->def->kind == MR_OP_dot_general || x->def->kind == MR_OP_dot) && mr_value_has_one_use(x);
}

// `op`, which takes what the sum gives, is done before it. What is cut in the sum keeps its dimension, which may have another number then.
static void put_behind(mr_op *sum, mr_op *op) {
  mr_value_replace_all_uses(&op->results[0], &sum->results[0]);
  mr_op_move_before(op, sum);
  mr_op_set_operand(op, 0, mr_op_operand(sum, 0));
  mr_op_set_operand(sum, 0, &op->results[0]);
  sum->results[0].type = op->results[0].type;
}

// Of a device's part of a sum the transpose is a part of the sum of transposes.
static bool turn_scatter(mr_module *module, mr_op *sum, mr_op *transpose) {
  const mr_type part = transpose->results[0].type, *whole = &mr_op_operand(sum, 0)->type;
  mr_ints permutation = mr_op_ints(transpose, MR_ATTR_permutation);
  int64_t dim = mr_ints_find(permutation, mr_op_int(sum, MR_ATTR_scatter_dimension, 0)), dims[MR_MAX_RANK];
  for (size_t d = 0; d < permutation.size; d++) {
    dims[d] = whole->dims[permutation.data[d]];
  }
  mr_type type = mr_type_tensor(module, part.dtype, part.rank, dims);
  if (module->out_of_memory) {
    return false;
  }
  mr_op_set_int(module, sum, MR_ATTR_scatter_dimension, dim);
  transpose->results[0].type = type;
  put_behind(sum, transpose);
  sum->results[0].type = part;
  return true;
}

// True: it stands before its sum.
static bool move_before_sum(mr_module *module, mr_op *op) {
  mr_op *sum = sum_of(op, 0);
  bool all = sum && sum->kind == MR_OP_all_reduce;
  switch (op->kind) {
  case MR_OP_transpose:
    if (!sum || !is_product(mr_op_operand(sum, 0))) {
      return false;
    }
    if (!all) {
      return turn_scatter(module, sum, op);
    }
    break;
  case MR_OP_reshape:
  case MR_OP_slice:
    if (!all) {
      return false;
    }
    break;
  default: return false;
  }
  put_behind(sum, op);
  return true;
}

// Whether parts that are put together on each device are rounded there, where the sum over devices is not or later (see part_reduce.c).
static bool rounds_early(const mr_op *op) {
  mr_dtype dtype = op->results[0].type.dtype;
  return (dtype == MR_F16 || dtype == MR_BF16) && (op->kind == MR_OP_add || op->kind == MR_OP_multiply);
}

// Two sums of which nothing but their sum is used: of the products, the lesser ones, and so on likewise.
static void join_pair(mr_op *op) {
  mr_op *a = sum_of(op, 0), *b = op->num_operands == 2 ? sum_of(op, 1) : NULL;
  if (!a || !b || a == b || a->kind != MR_OP_all_reduce || b->kind != MR_OP_all_reduce || !mr_part_may_join(a, b) ||
      mr_block_fold_kind(a->regions[0]) != op->kind || rounds_early(op)) {
    return;
  }
  mr_op *first = a->order < b->order ? a : b, *last = first == a ? b : a;
  mr_value_replace_all_uses(&op->results[0], &last->results[0]);
  mr_op_move_before(op, last);
  mr_op_set_operand(op, 0, mr_op_operand(a, 0));
  mr_op_set_operand(op, 1, mr_op_operand(b, 0));
  mr_op_set_operand(last, 0, &op->results[0]);
  mr_op_erase(first);
}

static mr_status put_off(mr_module *module, mr_block *block) {
  mr_block_number(block);
  for (mr_op *op = block->first, *next; op; op = next) {
    next = op->next;
    if (op->num_operands && op->num_results == 1 && !move_before_sum(module, op)) {
      join_pair(op);
    }
  }
  return mr_module_memory(module);
}

mr_status mr_part_put_off(mr_function *function) {
  mr_module *module = function->module;
  if (!module->made[MR_OP_all_reduce] && !module->made[MR_OP_reduce_scatter]) {
    return MR_OK;
  }
  MR_TRY(put_off(module, &function->body));
  for (mr_op *op = mr_walk_first(&function->body); op; op = mr_walk_next(op, &function->body)) {
    for (uint32_t r = 0; r < op->num_regions; r++) {
      MR_TRY(put_off(module, op->regions[r]));
    }
  }
  return MR_OK;
}
