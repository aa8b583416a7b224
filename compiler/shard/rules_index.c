// Rules of gather and scatter. What runs over a window of the operand, over the list of places, or over the coordinates of a
// place are different factors.
#include "compiler/shard/rule_build.h"

// The dims of the list of places, which are those of the indices but for the one of coordinates.
typedef struct places {
  uint32_t indices;  // the operand that has them
  int64_t vector;    // the dim of coordinates
  mr_ints batch;     // those of the indices that go with the dims `operand_batch`
  mr_ints operand_batch;
} places;

// The operand's dim that goes with this dim of the indices; MR_NO_DIM: none.
static int64_t batch_dim(const places *p, int64_t dim) {
  int64_t i = mr_ints_find(p->batch, dim);
  return i == MR_NO_DIM ? MR_NO_DIM : p->operand_batch.data[i];
}

// Coordinates are only of use together.
static void coordinates(mr_rule_builder *b, const places *p) {
  const mr_type *indices = mr_factors_in(b, p->indices);
  if (p->vector < indices->rank) {
    mr_factors_operand(b, p->indices, p->vector,
                       mr_factors_add(b, MR_FACTOR_NEED_REPLICATION, indices->dims[p->vector]));
  }
}

// A dim of the result that is one of the window's, and the operand's that it reads.
static void gather_window(mr_rule_builder *b, int64_t in, int64_t out) {
  int64_t size = mr_factors_in(b, 0)->dims[in], window = mr_factors_out(b, 0)->dims[out];
  if (window == size) {
    mr_factors_pair(b, MR_FACTOR_PASS, in, out);
  } else if (window == 1) {
    mr_factors_pair(b, MR_FACTOR_REDUCTION, in, MR_NO_DIM);
    mr_factors_pair(b, MR_FACTOR_NEED_REPLICATION, MR_NO_DIM, out);
  } else {
    mr_factors_block(b, mr_factors_pair(b, MR_FACTOR_NEED_REPLICATION, in, out));
  }
}

void mr_factors_gather(mr_rule_builder *b) {
  const mr_op *op = b->op;
  mr_ints offset = mr_op_ints(op, MR_ATTR_offset_dims), collapsed = mr_op_ints(op, MR_ATTR_collapsed_slice_dims);
  places p = {.indices = 1,
              .vector = mr_op_int(op, MR_ATTR_index_vector_dim, 0),
              .batch = mr_op_ints(op, MR_ATTR_start_indices_batching_dims),
              .operand_batch = mr_op_ints(op, MR_ATTR_operand_batching_dims)};
  const mr_type *in = mr_factors_in(b, 0), *out = mr_factors_out(b, 0);
  int64_t window = 0, index = 0;
  for (uint32_t d = 0; d < out->rank; d++) {
    if (mr_ints_has(offset, d)) {
      while (mr_ints_has(collapsed, window) || mr_ints_has(p.operand_batch, window)) {
        window++;
      }
      gather_window(b, window++, d);
      continue;
    }
    index += index == p.vector;
    uint32_t factor = mr_factors_pair(b, MR_FACTOR_PASS, MR_NO_DIM, d);
    mr_factors_operand(b, 0, batch_dim(&p, index), factor);
    mr_factors_operand(b, 1, index++, factor);
  }
  for (size_t i = 0; i < collapsed.size; i++) {
    int64_t dim = collapsed.data[i];
    mr_factors_pair(b, in->dims[dim] == 1 ? MR_FACTOR_NEED_REPLICATION : MR_FACTOR_REDUCTION, dim, MR_NO_DIM);
  }
  coordinates(b, &p);
}

// ---- Scatter ------------------------------------------------------------------------------------------------------------

// Joins an element and an update by one op whose order does not matter, as Shardy knows them.
static bool is_reduction(const mr_block *region) {
  mr_op_kind kind = mr_block_fold_kind(region);
  return kind != MR_OP_COUNT && kind != MR_OP_xor;
}

// Inputs, indices, as many updates; the results are like the inputs.
static void map_inputs(mr_rule_builder *b, int64_t dim, uint32_t factor) {
  for (uint32_t i = 0; i < b->op->num_results; i++) {
    mr_factors_operand(b, i, dim, factor);
    mr_factors_result(b, i, dim, factor);
  }
}

static void map_updates(mr_rule_builder *b, int64_t dim, uint32_t factor) {
  for (uint32_t i = 0; i < b->op->num_results; i++) {
    mr_factors_operand(b, b->op->num_results + 1 + i, dim, factor);
  }
}

static void scatter_window(mr_rule_builder *b, int64_t in, int64_t update) {
  int64_t size = mr_factors_in(b, 0)->dims[in], window = mr_factors_in(b, b->op->num_results + 1)->dims[update];
  uint32_t factor = mr_factors_add(b, window == size ? MR_FACTOR_PASS : MR_FACTOR_NEED_REPLICATION, size);
  map_inputs(b, in, factor);
  map_updates(b, update, window == size ? factor : mr_factors_add(b, MR_FACTOR_NEED_REPLICATION, window));
}

void mr_factors_scatter(mr_rule_builder *b) {
  const mr_op *op = b->op;
  mr_ints windows = mr_op_ints(op, MR_ATTR_update_window_dims), inserted = mr_op_ints(op, MR_ATTR_inserted_window_dims);
  places p = {.indices = op->num_results,
              .vector = mr_op_int(op, MR_ATTR_index_vector_dim, 0),
              .batch = mr_op_ints(op, MR_ATTR_scatter_indices_batching_dims),
              .operand_batch = mr_op_ints(op, MR_ATTR_input_batching_dims)};
  const mr_type *in = mr_factors_in(b, 0), *update = mr_factors_in(b, op->num_results + 1);
  mr_factor_kind joined = is_reduction(op->regions[0]) ? MR_FACTOR_REDUCTION : MR_FACTOR_NEED_REPLICATION;
  int64_t window = 0, index = 0;
  for (uint32_t d = 0; d < update->rank; d++) {
    if (mr_ints_has(windows, d)) {
      while (mr_ints_has(inserted, window) || mr_ints_has(p.operand_batch, window)) {
        window++;
      }
      scatter_window(b, window++, d);
      continue;
    }
    index += index == p.vector;
    int64_t batch = batch_dim(&p, index);
    uint32_t factor = mr_factors_add(b, batch == MR_NO_DIM ? joined : MR_FACTOR_PASS, update->dims[d]);
    map_updates(b, d, factor);
    if (batch != MR_NO_DIM) {
      map_inputs(b, batch, factor);
    }
    mr_factors_operand(b, p.indices, index++, factor);
  }
  for (size_t i = 0; i < inserted.size; i++) {
    map_inputs(b, inserted.data[i], mr_factors_add(b, MR_FACTOR_PASS, in->dims[inserted.data[i]]));
  }
  coordinates(b, &p);
}
