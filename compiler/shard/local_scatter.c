// A scatter into an array that is cut along the dimensions that places count in: each device does the updates whose places lie in
// its part, and the others fall outside of it, where a scatter does nothing. Updates that are cut along the list of
// places, and are folded by an op whose order does not matter: each device does its own into an array of its own, the first one into
// what was there, and the arrays are folded over the devices.
#include <string.h>

#include "compiler/shard/local_index.h"

typedef struct scatter {
  mr_op *op;
  uint32_t inputs;
  mr_ints windows, inserted, array_batch, index_batch;
  const mr_type *array, *indices, *updates;
  mr_local_places places;
  mr_tiling array_tiling, index_tiling, update_tiling;
  mr_op_kind fold;
  uint32_t cut;    // atoms that cut dimensions which places count in
  uint32_t apart;  // atoms that cut the list of places
  mr_dtype dtype;  // what the array is while it is folded
} scatter;

static void read_op(scatter *s, mr_op *op) {
  uint32_t n = op->num_results;
  *s = (scatter){.op = op,
                 .inputs = n,
                 .windows = mr_op_ints(op, MR_ATTR_update_window_dims),
                 .inserted = mr_op_ints(op, MR_ATTR_inserted_window_dims),
                 .array_batch = mr_op_ints(op, MR_ATTR_input_batching_dims),
                 .index_batch = mr_op_ints(op, MR_ATTR_scatter_indices_batching_dims),
                 .array = &mr_op_operand(op, 0)->type,
                 .indices = &mr_op_operand(op, n)->type,
                 .updates = &mr_op_operand(op, n + 1)->type,
                 .fold = n == 1 ? mr_block_fold_kind(op->regions[0]) : MR_OP_COUNT};
  s->places = (mr_local_places){.dims = mr_op_ints(op, MR_ATTR_scatter_dims_to_operand_dims),
                                .vector = mr_op_int(op, MR_ATTR_index_vector_dim, 0),
                                .array = s->array,
                                .tiling = &s->array_tiling};
}

// For each dimension of the updates the array's, where it is of the window, or the indices'; -1 else.
static void map_updates(const scatter *s, int64_t *out_array, int64_t *out_index) {
  int64_t window = 0, index = 0;
  for (uint32_t d = 0; d < s->updates->rank; d++) {
    out_array[d] = out_index[d] = -1;
    if (mr_ints_has(s->windows, d)) {
      while (mr_ints_has(s->inserted, window) || mr_ints_has(s->array_batch, window)) {
        window++;
      }
      out_array[d] = window++;
    } else {
      index += index == s->places.vector;
      out_index[d] = index++;
    }
  }
}

// How much of the dimension `d` of the array an update changes; -1: none of the window's dimensions runs along it.
static int64_t window_along(const scatter *s, const int64_t *in, uint32_t d) {
  for (uint32_t u = 0; u < s->updates->rank; u++) {
    if (in[u] == d) {
      return s->updates->dims[u];
    }
  }
  return -1;
}

// The array as its result is wanted, but for windows that may lie across a border.
static void tile_array(const mr_part *p, scatter *s, const int64_t *in) {
  mr_tiling wanted;
  if (!mr_part_wanted(p, &s->op->results[0], &wanted)) {
    wanted = mr_part_tiling(p, mr_op_operand(s->op, 0));
  }
  s->array_tiling = mr_tiling_replicated(s->array->rank);
  for (uint32_t d = 0; d < s->array->rank; d++) {
    int64_t window = window_along(s, in, d);
    bool keeps = mr_ints_has(s->array_batch, d) || window == s->array->dims[d];
    // One place lies in one part or outside of it, never across a border.
    bool counted = !keeps && (window == 1 || mr_ints_has(s->inserted, d)) && mr_ints_has(s->places.dims, d);
    if (counted || keeps) {
      s->array_tiling.dims[d] = wanted.dims[d];
    }
    if (counted && wanted.dims[d].count) {
      s->places.counts[d] = true;
      s->cut |= mr_atoms_mask(&wanted.dims[d]);
    }
  }
}

static bool may_fold_apart(const scatter *s) {
  switch (s->fold) {
  case MR_OP_add:
  case MR_OP_multiply:
  case MR_OP_maximum:
  case MR_OP_minimum:
  case MR_OP_and:
  case MR_OP_or: return true;
  default: return false;
  }
}

static void tile(const mr_part *p, scatter *s) {
  int64_t in[MR_MAX_RANK], at[MR_MAX_RANK];
  map_updates(s, in, at);
  tile_array(p, s, in);
  mr_tiling has = mr_part_tiling(p, mr_op_operand(s->op, s->inputs + 1));
  s->index_tiling = mr_tiling_replicated(s->indices->rank);
  s->update_tiling = mr_tiling_replicated(s->updates->rank);
  uint32_t used = mr_tiling_mask(&s->array_tiling);
  for (uint32_t d = 0; d < s->updates->rank; d++) {
    int64_t batch = at[d] < 0 ? -1 : mr_ints_find(s->index_batch, at[d]);
    if (at[d] < 0 || batch >= 0) {
      int64_t dim = at[d] < 0 ? in[d] : s->array_batch.data[batch];
      s->update_tiling.dims[d] = s->updates->dims[d] == s->array->dims[dim] ? s->array_tiling.dims[dim] : (mr_atoms){0};
    } else if (may_fold_apart(s) && !(used & mr_atoms_mask(&has.dims[d])) &&
               mr_part_is_even(p, s->updates->dims[d], &has.dims[d])) {
      s->update_tiling.dims[d] = has.dims[d];
      s->apart |= mr_atoms_mask(&has.dims[d]);
    }
    if (at[d] >= 0) {
      s->index_tiling.dims[at[d]] = s->update_tiling.dims[d];
    }
  }
}

static void bring_together(scatter *s) {
  for (uint32_t d = 0; s->apart && d < s->updates->rank; d++) {
    if (mr_atoms_mask(&s->update_tiling.dims[d]) & s->apart) {
      s->update_tiling.dims[d] = (mr_atoms){0};
    }
  }
  for (uint32_t d = 0; s->apart && d < s->indices->rank; d++) {
    if (mr_atoms_mask(&s->index_tiling.dims[d]) & s->apart) {
      s->index_tiling.dims[d] = (mr_atoms){0};
    }
  }
  s->apart = 0;
}

// Whether folding arrays over devices moves less than bringing the updates together.
static bool folding_pays(const mr_part *p, const scatter *s) {
  scatter together = *s;
  bring_together(&together);
  mr_tiling parts = s->array_tiling;
  parts.unreduced = s->apart;
  uint64_t fold = mr_reshard_cost(&p->spread, s->array, &parts, &s->array_tiling);
  return fold < mr_part_cost(p, mr_op_operand(s->op, s->inputs), &together.index_tiling) +
                    mr_part_cost(p, mr_op_operand(s->op, s->inputs + 1), &together.update_tiling);
}

// Parts of narrow floats that are each rounded would be further from the sum than what one device makes, and may be infinite where it is
// not. A sum that the program wants apart has the program's type.
static mr_dtype parts_dtype(const mr_part *p, const scatter *s) {
  mr_tiling wanted;
  bool narrow = s->array->dtype == MR_F16 || s->array->dtype == MR_BF16;
  bool rounds = s->fold == MR_OP_add || s->fold == MR_OP_multiply;
  bool same =
      mr_op_operand(s->op, 0)->type.dtype == s->updates->dtype && s->op->results[0].type.dtype == s->array->dtype;
  bool unreduced = mr_part_wanted(p, &s->op->results[0], &wanted) && wanted.unreduced & s->apart;
  return s->apart && narrow && rounds && same && !unreduced ? MR_F32 : s->array->dtype;
}

// The region of a copy folds what the copy has.
static void fold_in(mr_op *made, mr_dtype from, mr_dtype to) {
  mr_block *region = made->regions[0];
  for (uint32_t i = 0; i < region->num_args; i++) {
    region->args[i]->type = mr_type_with_dtype(&region->args[i]->type, to);
  }
  for (mr_op *op = region->first; op; op = op->next) {
    for (uint32_t i = 0; i < op->num_results; i++) {
      if (op->results[i].type.dtype == from) {
        op->results[i].type = mr_type_with_dtype(&op->results[i].type, to);
      }
    }
  }
}

// What the first device of those that fold apart begins with, and the others with what changes nothing.
static mr_value *begin(mr_part *p, const scatter *s, uint32_t i) {
  mr_tiling tiling = s->array_tiling;
  if (!s->apart || s->fold == MR_OP_add) {
    tiling.unreduced = s->apart;
    return mr_part_get(p, mr_op_operand(s->op, i), &tiling);
  }
  mr_value *x = mr_part_get(p, mr_op_operand(s->op, i), &tiling);
  mr_atoms apart = mr_atoms_in(p->grid, s->apart);
  mr_value *first = mr_spread_is_at(&p->spread, &p->b, &apart, 0);
  mr_value *neutral = mr_part_neutral(&p->b, s->fold, s->array->dtype);
  if (!x || !first || !neutral) {
    return NULL;
  }
  mr_type predicate = mr_type_with_dtype(&x->type, MR_PRED);
  return mr_build_select(&p->b, mr_build_spread(&p->b, first, &predicate), x,
                         mr_build_spread(&p->b, neutral, &x->type));
}

// Folded over the devices before it is rounded.
static mr_status join_wide(mr_part *p, const scatter *s, mr_value *y) {
  mr_tiling tiling = s->array_tiling, parts = tiling;
  mr_atoms apart = mr_atoms_in(p->grid, s->apart);
  mr_type wide = mr_type_with_dtype(s->array, s->dtype);
  parts.unreduced = s->apart;
  if (s->fold == MR_OP_add) {
    y = mr_reshard(&p->spread, &p->b, y, &wide, &parts, &tiling);
  } else if (!mr_spread_all_reduce(&p->spread, &p->b, &apart, 1, &y, s->fold, NULL, &y)) {
    return MR_NO_MEMORY();
  }
  mr_part_set(p, &s->op->results[0], y ? mr_build_convert(&p->b, y, s->array->dtype) : NULL, &tiling);
  return mr_module_memory(p->module);
}

static mr_status finish(mr_part *p, const scatter *s, mr_op *made) {
  for (uint32_t i = 0; i < s->inputs; i++) {
    mr_tiling tiling = s->array_tiling;
    mr_value *y = &made->results[i];
    if (s->dtype != s->array->dtype) {
      MR_TRY(join_wide(p, s, y));
      continue;
    }
    if (s->fold == MR_OP_add) {
      tiling.unreduced = s->apart;
    } else if (s->apart) {
      mr_atoms apart = mr_atoms_in(p->grid, s->apart);
      if (!mr_spread_all_reduce(&p->spread, &p->b, &apart, 1, &y, s->fold, NULL, &y)) {
        return MR_NO_MEMORY();
      }
    }
    mr_part_set(p, &s->op->results[i], y, &tiling);
  }
  return mr_module_memory(p->module);
}

mr_status mr_local_scatter(mr_part *p, mr_op *op, bool *out_done) {
  scatter s;
  read_op(&s, op);
  if (s.array->kind != MR_TYPE_TENSOR || s.array->quant || !mr_type_is_static(s.array) ||
      !mr_type_is_static(s.indices) || !mr_type_is_static(s.updates)) {
    return MR_OK;
  }
  tile(p, &s);
  if (s.apart && (mr_part_neutral(&p->b, s.fold, s.array->dtype) == NULL || !folding_pays(p, &s))) {
    bring_together(&s);
  }
  if (!s.cut && !s.apart) {
    return mr_module_memory(p->module);
  }
  mr_value **operands;
  mr_type *types;
  MR_TRY(mr_part_room(p, op, &operands, &types));
  s.dtype = parts_dtype(p, &s);
  for (uint32_t i = 0; i < s.inputs; i++) {
    operands[i] = begin(p, &s, i);
    operands[s.inputs + 1 + i] = mr_part_get(p, mr_op_operand(op, s.inputs + 1 + i), &s.update_tiling);
    types[i] = mr_part_local_type(p, s.array, &s.array_tiling);
    types[i].dtype = op->results[i].type.dtype;
  }
  MR_TRY(mr_module_memory(p->module));
  if (s.dtype != s.array->dtype) {
    operands[0] = mr_build_convert(&p->b, operands[0], s.dtype);
    operands[2] = mr_build_convert(&p->b, operands[2], s.dtype);
    types[0].dtype = s.dtype;
  }
  mr_value *indices = mr_part_get(p, mr_op_operand(op, s.inputs), &s.index_tiling);
  operands[s.inputs] =
      s.cut ? mr_local_relative(p, mr_local_coordinates(p, indices, &s.places, false), &s.places) : indices;
  MR_TRY(mr_module_memory(p->module));
  mr_op *made = mr_part_clone(p, op, operands, types);
  MR_TRY(mr_module_memory(p->module));
  if (s.dtype != s.array->dtype) {
    fold_in(made, s.array->dtype, s.dtype);
  }
  *out_done = true;
  return finish(p, &s, made);
}
