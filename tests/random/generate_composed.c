// Operations that the compiler takes apart or gives to a library, in random programs: factors of matrices, batch norms,
// products of old programs, and the forms of movement whose sizes are operands.
#include <string.h>

#include "tests/random/random.h"

static void keep_results(generator *g, mr_op *op) {
  if ((op = finish_op(g, op))) {
    for (uint32_t i = 0; i < op->num_results; i++) {
      keep_value(g, mr_op_result(op, i));
    }
  }
}

static value made(generator *g, mr_op *op) {
  op = finish_op(g, op);
  return op ? mr_op_result(op, 0) : NULL;
}

static value binary(generator *g, mr_op_kind kind, value x, value y) {
  return x && y ? made(g, start_op(g, kind, 2, (value[]){x, y}, 1, 0)) : NULL;
}

// ---- Linear algebra -----------------------------------------------------------------------------------------------

// Matrices with elements between -2 and 2, and a number on the diagonal: what is far from singular.
static value tame_matrices(generator *g, const mr_type *type) {
  mr_type scalar = mr_type_scalar(type->dtype);
  value bounds[3] = {mr_build_splat(&g->at, &scalar, -2), value_of_type(g, type), mr_build_splat(&g->at, &scalar, 2)};
  return made(g, start_op(g, MR_OP_clamp, 3, bounds, 1, 0));
}

static value with_diagonal(generator *g, value x, double number) {
  const mr_type *type = &x->type;
  int64_t count = mr_type_count(type), n = type->dims[type->rank - 1];
  size_t one = mr_dtype_bytes(type->dtype);
  uint8_t *data = mr_arena_alloc(&g->module->arena, (size_t)count * one + 16);
  if (!data) {
    return NULL;
  }
  memset(data, 0, (size_t)count * one);
  for (int64_t i = 0; i < count; i++) {
    if (i / n % n == i % n) {
      float single = (float)number;
      memcpy(data + (size_t)i * one, one == 4 ? (void *)&single : (void *)&number, one);
    }
  }
  mr_dense dense = mr_dense_make(g->module, type, data);
  return binary(g, MR_OP_add, x, mr_build_constant(&g->at, &dense));
}

static mr_type matrices(generator *g, int64_t rows, int64_t columns, uint32_t rank, int64_t batch, mr_dtype dtype) {
  int64_t dims[3] = {batch, rows, columns};
  return mr_type_tensor(g->module, dtype, rank, dims + 3 - rank);
}

static void cholesky(generator *g) {
  mr_dtype dtype = rng_chance(&g->random, 30) ? MR_F64 : MR_F32;
  int64_t n = rng_between(&g->random, 1, rng_chance(&g->random, 15) ? 17 : 7);
  uint32_t rank = (uint32_t)rng_between(&g->random, 2, 3);
  mr_type type = matrices(g, n, n, rank, rng_between(&g->random, 1, 3), dtype);
  value x = mr_type_count(&type) <= g->largest ? tame_matrices(g, &type) : NULL;
  if (!x) {
    return;
  }
  int64_t batch = 0, contracted = rank - 1;
  mr_op *square = start_op(g, MR_OP_dot_general, 2, (value[]){x, x}, 1, 0);
  set_ints(g, square, MR_ATTR_lhs_batching_dimensions, &batch, rank - 2);
  set_ints(g, square, MR_ATTR_rhs_batching_dimensions, &batch, rank - 2);
  set_ints(g, square, MR_ATTR_lhs_contracting_dimensions, &contracted, 1);
  set_ints(g, square, MR_ATTR_rhs_contracting_dimensions, &contracted, 1);
  value a = made(g, square);
  if (!a || !(a = with_diagonal(g, a, 1))) {
    return;
  }
  mr_op *op = start_op(g, MR_OP_cholesky, 1, &a, 1, 0);
  set_int(g, op, MR_ATTR_lower, rng_chance(&g->random, 50), MR_PRED);
  keep_results(g, op);
}

static void triangular_solve(generator *g) {
  mr_dtype dtype = rng_chance(&g->random, 30) ? MR_F64 : MR_F32;
  int64_t n = rng_between(&g->random, 1, rng_chance(&g->random, 15) ? 19 : 7), others = rng_between(&g->random, 1, 5);
  uint32_t rank = (uint32_t)rng_between(&g->random, 2, 3);
  int64_t batch = rng_between(&g->random, 1, 3);
  bool left = rng_chance(&g->random, 50);
  mr_type a_type = matrices(g, n, n, rank, batch, dtype);
  mr_type b_type = matrices(g, left ? n : others, left ? others : n, rank, batch, dtype);
  if (mr_type_count(&a_type) > g->largest || mr_type_count(&b_type) > g->largest) {
    return;
  }
  value a = rng_chance(&g->random, 80) ? tame_matrices(g, &a_type) : value_of_type(g, &a_type);
  if (!a || !(a = with_diagonal(g, a, 4))) {
    return;
  }
  mr_op *op = start_op(g, MR_OP_triangular_solve, 2, (value[]){a, value_of_type(g, &b_type)}, 1, 0);
  set_int(g, op, MR_ATTR_left_side, left, MR_PRED);
  set_int(g, op, MR_ATTR_lower, rng_chance(&g->random, 50), MR_PRED);
  set_int(g, op, MR_ATTR_unit_diagonal, rng_chance(&g->random, 25), MR_PRED);
  set_int(g, op, MR_ATTR_transpose_a, rng_between(&g->random, 1, 3), MR_S64);
  keep_results(g, op);
}

// ---- Batch norms --------------------------------------------------------------------------------------------------

static void batch_norm(generator *g) {
  static const mr_op_kind kinds[] = {MR_OP_batch_norm_inference, MR_OP_batch_norm_training, MR_OP_batch_norm_grad};
  mr_op_kind kind = kinds[rng_below(&g->random, 3)];
  mr_type type = mr_type_tensor(g->module, rng_chance(&g->random, 25) ? MR_F64 : MR_F32, g->rank, g->dims);
  if (type.rank == 0) {
    return;
  }
  int64_t feature = rng_below(&g->random, type.rank), features = type.dims[feature];
  mr_type per_feature = mr_type_tensor(g->module, type.dtype, 1, &features);
  value operands[5] = {value_of_type(g, &type)};
  for (int i = 1; i < 5; i++) {
    operands[i] = value_of_type(g, kind == MR_OP_batch_norm_grad && i == 4 ? &type : &per_feature);
  }
  bool training = kind == MR_OP_batch_norm_training;
  mr_op *op = start_op(g, kind, training ? 3 : 5, operands, kind == MR_OP_batch_norm_inference ? 1 : 3, 0);
  set_int(g, op, MR_ATTR_feature_index, feature, MR_S64);
  if (op) {
    mr_attr epsilon = {.key = MR_ATTR_epsilon, .name = MR_STR("epsilon"), .kind = MR_ATTR_FLOAT, .dtype = MR_F32};
    epsilon.number = rng_chance(&g->random, 70) ? 0x1p-10 : 1;
    mr_op_set_attr(g->module, op, epsilon);
  }
  keep_results(g, op);
}

// ---- Sizes that are operands --------------------------------------------------------------------------------------

static value list_of(generator *g, const int64_t *list, uint32_t count) {
  int64_t size = count;
  int32_t narrow[MR_MAX_RANK];
  bool wide = rng_chance(&g->random, 50);
  for (uint32_t i = 0; i < count; i++) {
    narrow[i] = (int32_t)list[i];
  }
  mr_type type = mr_type_tensor(g->module, wide ? MR_S64 : MR_S32, 1, &size);
  mr_dense dense = mr_dense_make(
      g->module, &type,
      mr_arena_copy(&g->module->arena, wide ? (const void *)list : narrow, count * mr_dtype_bytes(type.dtype)));
  return mr_build_constant(&g->at, &dense);
}

static void keep_declared(generator *g, mr_op_kind kind, uint32_t count, value *operands, mr_type type,
                          const int64_t *map, size_t map_size) {
  if (mr_type_count(&type) > g->largest) {
    return;
  }
  mr_op *op = mr_build(&g->at, kind, count, operands, 1, &type, 0);
  if (kind == MR_OP_dynamic_broadcast_in_dim) {
    set_ints(g, op, MR_ATTR_broadcast_dimensions, map, map_size);
  } else if (kind == MR_OP_dynamic_iota) {
    set_int(g, op, MR_ATTR_iota_dimension, *map, MR_S64);
  }
  keep_results(g, op);
}

static void shaped_by_operand(generator *g, value x) {
  int64_t dims[MR_MAX_RANK], map[MR_MAX_RANK], count = mr_type_count(&x->type);
  uint32_t rank = x->type.rank;
  int64_t dice = rng_below(&g->random, 3);
  if (rank == 0 || rank > 5) {
    return;
  }
  if (dice == 0) {  // flat, and back
    mr_type flat = mr_type_tensor(g->module, x->type.dtype, 1, &count);
    value operands[2] = {x, list_of(g, &count, 1)};
    keep_declared(g, MR_OP_dynamic_reshape, 2, operands, flat, NULL, 0);
    return;
  }
  if (dice == 1) {
    mr_dtype dtype = x->type.dtype == MR_PRED ? MR_S32 : x->type.dtype;
    value sizes = list_of(g, x->type.dims, rank);
    int64_t along = rng_below(&g->random, rank);
    keep_declared(g, MR_OP_dynamic_iota, 1, &sizes, mr_type_with_dtype(&x->type, dtype), &along, 1);
    return;
  }
  dims[0] = rng_between(&g->random, 1, 4);
  for (uint32_t d = 0; d < rank; d++) {
    map[d] = d + 1;
    dims[d + 1] = x->type.dims[d] == 1 ? rng_between(&g->random, 1, 4) : x->type.dims[d];
  }
  value operands[2] = {x, list_of(g, dims, rank + 1)};
  keep_declared(g, MR_OP_dynamic_broadcast_in_dim, 2, operands,
                mr_type_tensor(g->module, x->type.dtype, rank + 1, dims), map, rank);
}

static void cut_or_padded(generator *g, value x) {
  int64_t dims[MR_MAX_RANK], lists[3][MR_MAX_RANK];
  bool pad = rng_chance(&g->random, 50);
  uint32_t rank = x->type.rank;
  for (uint32_t d = 0; d < rank; d++) {
    int64_t size = x->type.dims[d];
    if (pad) {  // low, high, interior
      int64_t inner = lists[2][d] = rng_chance(&g->random, 25);
      lists[0][d] = rng_between(&g->random, -1, 2), lists[1][d] = rng_between(&g->random, 0, 2);
      dims[d] = lists[0][d] + lists[1][d] + size + (size > 0 ? (size - 1) * inner : 0);
    } else {  // start, limit, stride
      lists[0][d] = rng_below(&g->random, size + 1);
      lists[1][d] = rng_between(&g->random, lists[0][d], size);
      lists[2][d] = rng_chance(&g->random, 70) ? 1 : rng_between(&g->random, 1, 3);
      dims[d] = (lists[1][d] - lists[0][d] + lists[2][d] - 1) / lists[2][d];
    }
    if (dims[d] < 0) {
      return;
    }
  }
  value operands[5] = {x};
  uint32_t count = 1;
  if (pad) {
    mr_type scalar = mr_type_scalar(x->type.dtype);
    operands[count++] = value_of_type(g, &scalar);
  }
  for (int i = 0; i < 3; i++) {
    operands[count++] = list_of(g, lists[i], rank);
  }
  mr_type type = mr_type_tensor(g->module, x->type.dtype, rank, dims);
  keep_declared(g, pad ? MR_OP_dynamic_pad : MR_OP_real_dynamic_slice, count, operands, type, NULL, 0);
}

// ---- Forms of old programs ----------------------------------------------------------------------------------------

static void dot(generator *g) {
  mr_dtype dtype = random_value_of(g, CLASS_ANY)->type.dtype;
  int64_t inner = rng_between(&g->random, 1, 8);
  int64_t left[2] = {rng_between(&g->random, 1, 5), inner}, right[2] = {inner, rng_between(&g->random, 1, 5)};
  uint32_t left_rank = (uint32_t)rng_between(&g->random, 1, 2), right_rank = (uint32_t)rng_between(&g->random, 1, 2);
  mr_type types[2] = {mr_type_tensor(g->module, dtype, left_rank, left + 2 - left_rank),
                      mr_type_tensor(g->module, dtype, right_rank, right)};
  value operands[2] = {value_of_type(g, &types[0]), value_of_type(g, &types[1])};
  mr_type type = mr_type_scalar(dtype);
  keep_results(g, mr_build(&g->at, MR_OP_dot, 2, operands, 1, &type, 0));
}

static void broadcast(generator *g, value x) {
  int64_t sizes[2] = {rng_between(&g->random, 1, 4), rng_between(&g->random, 1, 4)};
  if (x->type.rank <= 5) {
    mr_op *op = start_op(g, MR_OP_broadcast, 1, &x, 1, 0);
    set_ints(g, op, MR_ATTR_broadcast_sizes, sizes, (size_t)rng_below(&g->random, 3));
    keep_results(g, op);
  }
}

void generate_composed(generator *g) {
  int64_t dice = rng_below(&g->random, 100);
  if (dice < 20) {
    cholesky(g);
  } else if (dice < 45) {
    triangular_solve(g);
  } else if (dice < 65) {
    batch_norm(g);
  } else if (dice < 75) {
    dot(g);
  } else if (dice < 80) {
    broadcast(g, random_value(g));
  } else if (dice < 90) {
    shaped_by_operand(g, random_value(g));
  } else {
    cut_or_padded(g, random_value(g));
  }
}
