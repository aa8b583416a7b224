// gather and scatter in random programs: which dimensions are indexed, which are windows, which are batches.
#include <string.h>

#include "tests/random/random.h"

typedef struct plan {
  int64_t batch[4], map[8], narrow[8], sizes[8], offset[10], own[1], theirs[1], index_dims[5], out[10];
  uint32_t batches, mapped, narrowed, offsets, owned, index_rank, rank;
  int64_t vector_dim;
} plan;

static bool chosen(const int64_t *list, uint32_t n, int64_t d) {
  for (uint32_t i = 0; i < n; i++) {
    if (list[i] == d) {
      return true;
    }
  }
  return false;
}

// The index tensor: its batch dimensions, one of which may go along with a dimension of the operand.
static void plan_indices(generator *g, value x, plan *p) {
  p->batches = (uint32_t)rng_below(&g->random, 3);
  for (uint32_t i = 0; i < p->batches; i++) {
    p->batch[i] = rng_chance(&g->random, 4) ? 0 : rng_between(&g->random, 1, 5);
  }
  if (p->batches && x->type.rank > 1 && rng_chance(&g->random, 20)) {
    p->own[0] = rng_below(&g->random, x->type.rank);
    int64_t at = rng_below(&g->random, p->batches);
    p->batch[at] = x->type.dims[p->own[0]];
    p->theirs[0] = at;
    p->owned = 1;
  }
  for (uint32_t d = 0; d < x->type.rank; d++) {
    bool mine = chosen(p->own, p->owned, d);
    bool mapped = !mine && rng_chance(&g->random, 60);
    p->sizes[d] = mine ? 1 : x->type.dims[d];
    if (mapped) {
      p->map[p->mapped++] = d;
      p->sizes[d] = rng_chance(&g->random, 60) && x->type.dims[d] ? 1 : rng_between(&g->random, 0, x->type.dims[d]);
    }
    if (!mine && p->sizes[d] == 1 && rng_chance(&g->random, 70)) {
      p->narrow[p->narrowed++] = d;
    }
  }
  if (p->mapped > 1 && rng_chance(&g->random, 20)) {
    int64_t first = p->map[0];
    p->map[0] = p->map[1], p->map[1] = first;
  }
  bool implicit = p->mapped == 1 && rng_chance(&g->random, 30);
  p->vector_dim = implicit ? p->batches : rng_below(&g->random, p->batches + 1);
  for (uint32_t d = 0; d < p->batches + !implicit; d++) {
    bool vector = !implicit && d == p->vector_dim;
    p->index_dims[p->index_rank++] = vector ? p->mapped : p->batch[d - (!implicit && d > p->vector_dim)];
  }
  if (p->owned && !implicit && p->theirs[0] >= p->vector_dim) {
    p->theirs[0]++;
  }
}

// Which dimensions of the gathered tensor, or of the updates, run through the window.
static void plan_window(generator *g, value x, plan *p) {
  uint32_t windows = x->type.rank - p->narrowed - p->owned;
  p->rank = windows + p->batches;
  uint32_t left = windows;
  for (uint32_t d = 0; d < p->rank; d++) {
    if (left && rng_below(&g->random, p->rank - d) < left) {
      p->offset[p->offsets++] = d;
      left--;
    }
  }
  uint32_t batch = 0, window = 0;
  for (uint32_t d = 0; d < p->rank; d++) {
    if (!chosen(p->offset, p->offsets, d)) {
      p->out[d] = p->batch[batch++];
      continue;
    }
    while (chosen(p->narrow, p->narrowed, window) || chosen(p->own, p->owned, window)) {
      window++;
    }
    p->out[d] = p->sizes[window++];
  }
}

// Indices in and around the range, known or not when the program is compiled.
static value index_tensor(generator *g, value x, const plan *p) {
  static const mr_dtype dtypes[] = {MR_S32, MR_S32, MR_S32, MR_S64, MR_U32, MR_S8, MR_U8, MR_S16};
  mr_dtype dtype = dtypes[rng_below(&g->random, MR_ARRAY_SIZE(dtypes))];
  mr_type type = mr_type_tensor(g->module, dtype, p->index_rank, p->index_dims);
  if (rng_chance(&g->random, 40)) {
    return value_of_type(g, &type);
  }
  int64_t count = mr_type_count(&type), most = 1;
  size_t one = mr_dtype_bytes(dtype);
  uint8_t *data = mr_arena_alloc(&g->module->arena, (size_t)count * one + 16);
  for (uint32_t d = 0; d < x->type.rank; d++) {
    most = x->type.dims[d] > most ? x->type.dims[d] : most;
  }
  for (int64_t i = 0; data && i < count; i++) {
    int64_t n =
        rng_between(&g->random, rng_chance(&g->random, 10) ? -1 : 0, rng_chance(&g->random, 10) ? most : most - 1);
    memcpy(data + (size_t)i * one, &n, one);
  }
  mr_dense dense = mr_dense_make(g->module, &type, data);
  return data ? mr_build_constant(&g->at, &dense) : NULL;
}

static void set_places(generator *g, mr_op *op, const plan *p, bool gather) {
  set_ints(g, op, gather ? MR_ATTR_offset_dims : MR_ATTR_update_window_dims, p->offset, p->offsets);
  set_ints(g, op, gather ? MR_ATTR_collapsed_slice_dims : MR_ATTR_inserted_window_dims, p->narrow, p->narrowed);
  set_ints(g, op, gather ? MR_ATTR_operand_batching_dims : MR_ATTR_input_batching_dims, p->own, p->owned);
  set_ints(g, op, gather ? MR_ATTR_start_indices_batching_dims : MR_ATTR_scatter_indices_batching_dims, p->theirs,
           p->owned);
  set_ints(g, op, gather ? MR_ATTR_start_index_map : MR_ATTR_scatter_dims_to_operand_dims, p->map, p->mapped);
  set_int(g, op, MR_ATTR_index_vector_dim, p->vector_dim, MR_S64);
  set_int(g, op, MR_ATTR_indices_are_sorted, 0, MR_PRED);
}

static void fold_region(generator *g, mr_op *op, mr_dtype dtype) {
  mr_type scalar = mr_type_scalar(dtype);
  mr_block *block = op->regions[0];
  value args[2] = {mr_block_add_arg(g->module, block, &scalar), mr_block_add_arg(g->module, block, &scalar)};
  mr_builder at = {.module = g->module, .block = block};
  static const mr_op_kind kinds[] = {MR_OP_add, MR_OP_multiply, MR_OP_maximum, MR_OP_minimum};
  int64_t most = mr_dtype_is_complex(dtype) ? 2 : 4;
  bool replace = rng_chance(&g->random, 35);
  value result = replace ? args[1] : mr_build_binary(&at, kinds[rng_below(&g->random, most)], args[0], args[1]);
  end_block(g, block, 1, &result);
}

void generate_indexed(generator *g, value x, bool gather) {
  plan p = {0};
  if (x->type.rank == 0 || x->type.rank > 5) {
    return;
  }
  plan_indices(g, x, &p);
  plan_window(g, x, &p);
  mr_type window = mr_type_tensor(g->module, x->type.dtype, p.rank, p.out);
  if (mr_type_count(&window) > g->largest) {
    return;
  }
  value operands[3] = {x, index_tensor(g, x, &p)};
  if (!gather) {
    operands[2] = value_of_type(g, &window);
  }
  mr_op *op = start_op(g, gather ? MR_OP_gather : MR_OP_scatter, gather ? 2 : 3, operands, 1, !gather);
  set_places(g, op, &p, gather);
  if (gather) {
    set_ints(g, op, MR_ATTR_slice_sizes, p.sizes, x->type.rank);
  } else {
    set_int(g, op, MR_ATTR_unique_indices, 0, MR_PRED);
    fold_region(g, op, x->type.dtype);
  }
  if ((op = finish_op(g, op))) {
    keep_value(g, mr_op_result(op, 0));
  }
}
