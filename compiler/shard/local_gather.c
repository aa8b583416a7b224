// A gather from an array that is cut along the dimensions that places count in: each device takes what it has, and zeros for the rest,
// and the sum over the devices is the result. Without it the whole array would be gathered first, which for a table of
// embeddings is what one cut it to avoid.
#include <string.h>

#include "compiler/shard/local_index.h"

typedef struct gather {
  mr_op *op;
  mr_ints offset, collapsed, array_batch, index_batch;
  const mr_type *array, *indices, *result;
  mr_local_places places;
  mr_tiling array_tiling, index_tiling, result_tiling;
  uint32_t cut;  // atoms that cut dimensions which places count in
} gather;

static bool is_whole(const gather *g, int64_t dim) { return g->places.windows[dim] == g->array->dims[dim]; }

// The dims of the array that stay in the result, in order, and those of the indices' batch.
static void map_result(const gather *g, int64_t *out_array, int64_t *out_index) {
  int64_t window = 0, index = 0;
  for (uint32_t d = 0; d < g->result->rank; d++) {
    out_array[d] = out_index[d] = -1;
    if (mr_ints_has(g->offset, d)) {
      while (mr_ints_has(g->collapsed, window) || mr_ints_has(g->array_batch, window)) {
        window++;
      }
      out_array[d] = window++;
    } else {
      index += index == g->places.vector;
      out_index[d] = index++;
    }
  }
}

// Of an array's dimension: whether parts of it can be told from places alone.
static bool counts_places(const gather *g, int64_t dim) {
  return g->places.windows[dim] == 1 && g->array->dims[dim] > 1 && mr_ints_has(g->places.dims, dim);
}

static void tile(const mr_part *p, gather *g) {
  mr_tiling has = mr_part_tiling(p, mr_op_operand(g->op, 0)), index = mr_part_tiling(p, mr_op_operand(g->op, 1));
  int64_t in[MR_MAX_RANK], at[MR_MAX_RANK];
  g->array_tiling = mr_tiling_replicated(g->array->rank);
  g->index_tiling = mr_tiling_replicated(g->indices->rank);
  g->result_tiling = mr_tiling_replicated(g->result->rank);
  for (uint32_t d = 0; d < g->array->rank; d++) {
    if (counts_places(g, d) || (is_whole(g, d) && !mr_ints_has(g->collapsed, d)) || mr_ints_has(g->array_batch, d)) {
      g->array_tiling.dims[d] = has.dims[d];
    }
    if (counts_places(g, d) && has.dims[d].count) {
      g->places.counts[d] = true;
      g->cut |= mr_atoms_mask(&has.dims[d]);
    }
  }
  uint32_t used = mr_tiling_mask(&g->array_tiling);
  map_result(g, in, at);
  for (uint32_t d = 0; d < g->result->rank; d++) {
    int64_t batch = at[d] < 0 ? -1 : mr_ints_find(g->index_batch, at[d]);
    if (batch >= 0) {
      g->index_tiling.dims[at[d]] = g->array_tiling.dims[g->array_batch.data[batch]];
    } else if (at[d] >= 0 && !(used & mr_atoms_mask(&index.dims[at[d]]))) {
      g->index_tiling.dims[at[d]] = index.dims[at[d]];
      used |= mr_atoms_mask(&index.dims[at[d]]);
    }
    // A dimension of one element that places count in is whole in the result.
    g->result_tiling.dims[d] = at[d] >= 0                ? g->index_tiling.dims[at[d]]
                               : counts_places(g, in[d]) ? (mr_atoms){0}
                                                         : g->array_tiling.dims[in[d]];
  }
  g->result_tiling.unreduced = g->cut;
}

static void read_op(gather *g, mr_op *op) {
  *g = (gather){.op = op,
                .offset = mr_op_ints(op, MR_ATTR_offset_dims),
                .collapsed = mr_op_ints(op, MR_ATTR_collapsed_slice_dims),
                .array_batch = mr_op_ints(op, MR_ATTR_operand_batching_dims),
                .index_batch = mr_op_ints(op, MR_ATTR_start_indices_batching_dims),
                .array = &mr_op_operand(op, 0)->type,
                .indices = &mr_op_operand(op, 1)->type,
                .result = &op->results[0].type};
  g->places = (mr_local_places){.dims = mr_op_ints(op, MR_ATTR_start_index_map),
                                .vector = mr_op_int(op, MR_ATTR_index_vector_dim, 0),
                                .array = g->array,
                                .tiling = &g->array_tiling,
                                .windows = mr_op_ints(op, MR_ATTR_slice_sizes).data};
}

// Whether it is better than having the array whole.
static bool pays(const mr_part *p, const gather *g) {
  mr_tiling whole = g->array_tiling, sum = g->result_tiling;
  for (uint32_t d = 0; d < whole.rank; d++) {
    if (counts_places(g, d)) {
      whole.dims[d] = (mr_atoms){0};
    }
  }
  sum.unreduced = 0;
  uint64_t bytes = mr_part_cost(p, mr_op_operand(g->op, 0), &whole);
  return bytes > mr_reshard_cost(&p->spread, g->result, &g->result_tiling, &sum);
}

static mr_value *take(mr_part *p, const gather *g, mr_value *array, mr_value *relative) {
  int64_t windows[MR_MAX_RANK];
  for (uint32_t d = 0; d < g->array->rank; d++) {
    windows[d] = is_whole(g, d) ? array->type.dims[d] : g->places.windows[d];
  }
  mr_type type = mr_part_local_type(p, g->result, &g->result_tiling);
  mr_op *taken = mr_part_clone(p, g->op, (mr_value *[]){array, relative}, &type);
  if (!taken) {
    return NULL;
  }
  mr_op_set_ints(p->module, taken, MR_ATTR_slice_sizes, (mr_ints){windows, g->array->rank});
  return &taken->results[0];
}

// `inside` has the dims of the indices' batch, in the order of the result's.
static mr_value *spread_inside(mr_part *p, const gather *g, mr_value *inside, const mr_type *type) {
  int64_t dims[MR_MAX_RANK];
  size_t count = 0;
  mr_type predicate = mr_type_with_dtype(type, MR_PRED);
  for (uint32_t d = 0; d < type->rank; d++) {
    if (!mr_ints_has(g->offset, d)) {
      dims[count++] = d;
    }
  }
  return inside ? mr_build_broadcast(&p->b, inside, &predicate, (mr_ints){dims, count}) : NULL;
}

mr_status mr_local_gather(mr_part *p, mr_op *op, bool *out_done) {
  gather g;
  read_op(&g, op);
  if (g.array->kind != MR_TYPE_TENSOR || mr_part_is_free(mr_op_operand(op, 0)) || g.array->quant ||
      !mr_type_is_static(g.array) || !mr_type_is_static(g.indices)) {
    return MR_OK;
  }
  tile(p, &g);
  if (!g.cut || !pays(p, &g)) {
    return MR_OK;
  }
  mr_value *array = mr_part_get(p, mr_op_operand(op, 0), &g.array_tiling);
  mr_value *indices = mr_part_get(p, mr_op_operand(op, 1), &g.index_tiling);
  mr_value *relative = mr_local_relative(p, mr_local_coordinates(p, indices, &g.places, true), &g.places);
  mr_value *inside = mr_local_is_inside(p, relative, &g.places);
  mr_value *taken = array && relative ? take(p, &g, array, relative) : NULL;  // clamps what is not here
  MR_TRY(mr_module_memory(p->module));
  mr_value *zero = mr_part_nothing(p, &taken->type);
  mr_value *part = mr_build_select(&p->b, spread_inside(p, &g, inside, &taken->type), taken, zero);
  MR_TRY(mr_module_memory(p->module));
  mr_part_put_together(p, &op->results[0], part, &g.result_tiling);
  MR_TRY(mr_module_memory(p->module));
  *out_done = true;
  return MR_OK;
}
