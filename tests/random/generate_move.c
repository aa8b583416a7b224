// Movement in random programs.
#include <string.h>

#include "tests/random/random.h"

static void keep_result(generator *g, mr_op *op) {
  if ((op = finish_op(g, op))) {
    keep_value(g, mr_op_result(op, 0));
  }
}

static void random_permutation(generator *g, int64_t *out, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    int64_t j = rng_below(&g->random, i + 1);
    out[i] = out[j];
    out[j] = i;
  }
}

static void shape(generator *g, value x) {
  int64_t dims[8], count = mr_type_count(&x->type);
  uint32_t rank = 0;
  if (count == 0) {
    return;
  }
  while (rank < 6 && (count > 1 || rng_chance(&g->random, 20))) {
    int64_t n = rng_chance(&g->random, 15) ? 1 : rng_between(&g->random, 2, 9);
    if (count % n == 0) {
      dims[rank++] = n;
      count /= n;
    } else if (rng_chance(&g->random, 30)) {
      break;
    }
  }
  if (count > 1) {
    dims[rank++] = count;
  }
  keep_value(g, mr_build_reshape(&g->at, x, rank, dims));
}

static void broadcast(generator *g, value x) {
  int64_t dims[8], map[8];
  uint32_t rank = x->type.rank + (uint32_t)rng_below(&g->random, 3);
  if (rank > 7) {
    return;
  }
  random_permutation(g, map, rank);  // the first of them are distinct places
  for (uint32_t d = 0; d < rank; d++) {
    dims[d] = rng_between(&g->random, 1, 5);
  }
  for (uint32_t d = 0; d < x->type.rank; d++) {
    if (x->type.dims[d] != 1 || rng_chance(&g->random, 30)) {
      dims[map[d]] = x->type.dims[d];
    }
  }
  mr_type type = mr_type_tensor(g->module, x->type.dtype, rank, dims);
  if (mr_type_count(&type) <= g->largest) {
    mr_ints kept = {mr_arena_copy(&g->module->arena, map, sizeof map), x->type.rank};
    keep_value(g, mr_build_broadcast(&g->at, x, &type, kept));
  }
}

static void slice(generator *g, value x) {
  int64_t starts[8], limits[8], strides[8];
  for (uint32_t d = 0; d < x->type.rank; d++) {
    int64_t n = x->type.dims[d];
    starts[d] = rng_chance(&g->random, 40) ? 0 : rng_between(&g->random, 0, n);
    limits[d] = rng_chance(&g->random, 40) ? n : rng_between(&g->random, starts[d], n);
    strides[d] = rng_chance(&g->random, 60) ? 1 : rng_between(&g->random, 1, 4);
  }
  mr_op *op = start_op(g, MR_OP_slice, 1, &x, 1, 0);
  set_ints(g, op, MR_ATTR_start_indices, starts, x->type.rank);
  set_ints(g, op, MR_ATTR_limit_indices, limits, x->type.rank);
  set_ints(g, op, MR_ATTR_strides, strides, x->type.rank);
  keep_result(g, op);
}

static void pad(generator *g, value x) {
  mr_type scalar = mr_type_scalar(x->type.dtype);
  value operands[2] = {x, value_of_type(g, &scalar)};
  int64_t low[8], high[8], interior[8];
  for (uint32_t d = 0; d < x->type.rank; d++) {
    low[d] = rng_between(&g->random, -2, 3);
    high[d] = rng_between(&g->random, -2, 3);
    interior[d] = rng_chance(&g->random, 70) ? 0 : rng_between(&g->random, 1, 2);
  }
  mr_op *op = start_op(g, MR_OP_pad, 2, operands, 1, 0);
  set_ints(g, op, MR_ATTR_edge_padding_low, low, x->type.rank);
  set_ints(g, op, MR_ATTR_edge_padding_high, high, x->type.rank);
  set_ints(g, op, MR_ATTR_interior_padding, interior, x->type.rank);
  keep_result(g, op);
}

static void concatenate(generator *g, value x) {
  if (x->type.rank == 0) {
    return;
  }
  value operands[4] = {x};
  uint32_t n = (uint32_t)rng_between(&g->random, 1, 4);
  int64_t along = rng_below(&g->random, x->type.rank), dims[8];
  for (uint32_t i = 1; i < n; i++) {
    memcpy(dims, x->type.dims, sizeof *dims * x->type.rank);
    dims[along] = rng_chance(&g->random, 50) ? dims[along] : rng_between(&g->random, 0, 6);
    mr_type type = mr_type_tensor(g->module, x->type.dtype, x->type.rank, dims);
    operands[i] = value_of_type(g, &type);
  }
  mr_op *op = start_op(g, MR_OP_concatenate, n, operands, 1, 0);
  set_int(g, op, MR_ATTR_dimension, along, MR_S64);
  keep_result(g, op);
}

static void permute(generator *g, value x, mr_op_kind kind) {
  int64_t dims[8];
  uint32_t n = x->type.rank;
  random_permutation(g, dims, n);
  if (kind == MR_OP_reverse) {
    n = (uint32_t)rng_below(&g->random, n + 1);
  }
  mr_op *op = start_op(g, kind, 1, &x, 1, 0);
  set_ints(g, op, kind == MR_OP_reverse ? MR_ATTR_dimensions : MR_ATTR_permutation, dims, n);
  keep_result(g, op);
}

static void iota(generator *g) {
  mr_type type = random_type(g);
  if (type.rank == 0 || type.dtype == MR_PRED) {
    return;
  }
  mr_op *op = mr_build(&g->at, MR_OP_iota, 0, NULL, 1, &type, 0);
  set_int(g, op, MR_ATTR_iota_dimension, rng_below(&g->random, type.rank), MR_S64);
  keep_result(g, op);
}

static void random_bits(generator *g) {
  static const mr_dtype dtypes[] = {MR_U32, MR_U32, MR_U64, MR_U16, MR_U8, MR_S32, MR_S64, MR_S8};
  int64_t algorithm = rng_below(&g->random, 3), words = algorithm == 2 ? rng_between(&g->random, 2, 3) : 2;
  mr_type types[2] = {mr_type_tensor(g->module, MR_U64, 1, &words), random_type(g)};
  types[1].dtype = dtypes[rng_below(&g->random, MR_ARRAY_SIZE(dtypes))];
  value state = value_of_type(g, &types[0]);
  mr_op *op = mr_build(&g->at, MR_OP_rng_bit_generator, 1, &state, 2, types, 0);
  set_int(g, op, MR_ATTR_rng_algorithm, algorithm, MR_S64);
  if ((op = finish_op(g, op))) {
    keep_value(g, mr_op_result(op, 0));
    keep_value(g, mr_op_result(op, 1));
  }
}

static void bitcast(generator *g, value x) {
  static const mr_dtype targets[] = {MR_S8,  MR_U8,   MR_S16, MR_U16, MR_S32, MR_U32,    MR_S64,     MR_U64,
                                     MR_F16, MR_BF16, MR_F32, MR_F64, MR_C64, MR_F8E5M2, MR_F8E4M3FN};
  mr_dtype to = targets[rng_below(&g->random, MR_ARRAY_SIZE(targets))], from = x->type.dtype;
  if (mr_dtype_bits(from) < 8 || from == MR_PRED || mr_dtype_is_complex(from) != mr_dtype_is_complex(to)) {
    return;
  }
  size_t a = mr_dtype_bytes(from), b = mr_dtype_bytes(to);
  mr_type type = x->type;
  int64_t dims[9];
  for (uint32_t d = 0; d < type.rank; d++) {
    dims[d] = type.dims[d];
  }
  if (a > b) {
    dims[type.rank++] = (int64_t)(a / b);
  } else if (a < b) {
    if (type.rank == 0 || dims[--type.rank] != (int64_t)(b / a)) {
      return;
    }
  }
  type = mr_type_tensor(g->module, to, type.rank, dims);
  mr_op *op = mr_build(&g->at, MR_OP_bitcast_convert, 1, &x, 1, &type, 0);
  keep_result(g, op);
}

// An index scalar: of the program, or a constant in and around the range.
static value start_index(generator *g, mr_dtype dtype, int64_t size) {
  mr_type scalar = mr_type_scalar(dtype);
  if (rng_chance(&g->random, 60)) {
    return value_of_type(g, &scalar);
  }
  int64_t n = rng_between(&g->random, -1, size);
  return constant_int(g, dtype, n < 0 && mr_dtype_is_unsigned(dtype) ? 0 : n);
}

void generate_dynamic(generator *g, value x, bool update) {
  static const mr_dtype dtypes[] = {MR_S32, MR_S32, MR_S64, MR_U32, MR_S8, MR_U8};
  mr_dtype dtype = dtypes[rng_below(&g->random, MR_ARRAY_SIZE(dtypes))];
  value operands[10] = {x};
  int64_t sizes[8];
  uint32_t n = 1, rank = x->type.rank;
  for (uint32_t d = 0; d < rank; d++) {
    sizes[d] = rng_chance(&g->random, 40) ? x->type.dims[d] : rng_between(&g->random, 0, x->type.dims[d]);
  }
  if (update) {
    mr_type type = mr_type_tensor(g->module, x->type.dtype, rank, sizes);
    operands[n++] = value_of_type(g, &type);
  }
  for (uint32_t d = 0; d < rank; d++) {
    operands[n++] = start_index(g, dtype, x->type.dims[d]);
  }
  mr_op *op = start_op(g, update ? MR_OP_dynamic_update_slice : MR_OP_dynamic_slice, n, operands, 1, 0);
  if (!update) {
    set_ints(g, op, MR_ATTR_slice_sizes, sizes, rank);
  }
  keep_result(g, op);
}

void generate_move(generator *g) {
  value x = random_value(g);
  switch (rng_below(&g->random, 14)) {
  case 0: shape(g, x); break;
  case 1:
  case 2: broadcast(g, x); break;
  case 3:
  case 4: slice(g, x); break;
  case 5: pad(g, x); break;
  case 6: concatenate(g, x); break;
  case 7: permute(g, x, MR_OP_transpose); break;
  case 8: permute(g, x, MR_OP_reverse); break;
  case 9: rng_chance(&g->random, 60) ? iota(g) : random_bits(g); break;
  case 10: bitcast(g, x); break;
  case 11: generate_dynamic(g, x, false); break;
  case 12: generate_dynamic(g, x, true); break;
  case 13: generate_indexed(g, x, rng_chance(&g->random, 50)); break;
  }
}
