// Slices, padding, reversal and joining along a dimension that is cut: elements come from neighbours.
#include <string.h>

#include "compiler/shard/local_window.h"

static uint64_t dims_that_differ(const mr_type *a, const mr_type *b) {
  uint64_t dims = 0;
  for (uint32_t d = 0; d < a->rank; d++) {
    dims |= (uint64_t)(a->dims[d] != b->dims[d]) << d;
  }
  return dims;
}

static mr_local_window window_of(const mr_part *p, const mr_type *from, const mr_type *to, const mr_tiling *tiling,
                                 uint32_t dim, int64_t first, int64_t stride) {
  int64_t local = mr_ceil_div(to->dims[dim], mr_atoms_shards(p->grid, &tiling->dims[dim]));
  return (mr_local_window){.dim = dim,
                           .size = from->dims[dim],
                           .atoms = &tiling->dims[dim],
                           .first = first,
                           .step = local * stride,
                           .count = (local - 1) * stride + 1};
}

// ---- Turning ------------------------------------------------------------------------------------------------------------

// Whether `value` is the elements [begin, end) of `of` along `dim`, whole otherwise.
static bool is_stretch(const mr_value *value, const mr_value *of, uint32_t dim, int64_t begin, int64_t end) {
  const mr_op *op = value->def;
  if (!op || op->kind != MR_OP_slice || mr_op_operand(op, 0) != of) {
    return false;
  }
  mr_ints start = mr_op_ints(op, MR_ATTR_start_indices), limit = mr_op_ints(op, MR_ATTR_limit_indices);
  mr_ints strides = mr_op_ints(op, MR_ATTR_strides);
  for (uint32_t d = 0; d < of->type.rank; d++) {
    int64_t first = d == dim ? begin : 0, last = d == dim ? end : of->type.dims[d];
    if (start.data[d] != first || limit.data[d] != last || strides.data[d] != 1) {
      return false;
    }
  }
  return true;
}

// The two halves of one value the other way round, as jnp.roll has it: each device's part comes of two others' at most. False: it is
// something else.
static bool is_turned(const mr_part *p, const mr_op *op, mr_tiling *out_tiling, int64_t *out_begin) {
  uint32_t dim = (uint32_t)mr_op_int(op, MR_ATTR_dimension, 0);
  const mr_op *first = op->num_operands == 2 ? mr_op_operand(op, 0)->def : NULL;
  if (!first || first->kind != MR_OP_slice ||
      !mr_local_window_wanted(p, &op->results[0], UINT64_C(1) << dim, out_tiling)) {
    return false;
  }
  const mr_value *of = mr_op_operand(first, 0);
  int64_t size = of->type.dims[dim], begin = *out_begin = mr_op_ints(first, MR_ATTR_start_indices).data[dim];
  return size % mr_atoms_shards(p->grid, &out_tiling->dims[dim]) == 0 &&
         is_stretch(mr_op_operand(op, 0), of, dim, begin, size) && is_stretch(mr_op_operand(op, 1), of, dim, 0, begin);
}

// A slice that nobody asks for: it is one of such halves, and they come of the whole.
static bool is_half(const mr_part *p, const mr_value *slice) {
  mr_tiling tiling;
  int64_t begin;
  const mr_op *user = mr_value_has_one_use(slice) ? slice->uses->user : NULL;
  return user && user->kind == MR_OP_concatenate && user->block == slice->block && is_turned(p, user, &tiling, &begin);
}

// ---- Slices -------------------------------------------------------------------------------------------------------------

// A slice that lies in one device's part of each dimension that is cut, which that device has.
typedef struct owned {
  mr_tiling has, apart, together;  // the operand's; the result's before it is put together, and then
  int64_t owner[MR_MAX_RANK];      // by dimension: which shard; -1: it is not cut, or not sliced
  int64_t first[MR_MAX_RANK], limit[MR_MAX_RANK];
} owned;

static bool is_owned(const mr_part *p, mr_op *op, owned *o) {
  const mr_type *x = &mr_op_operand(op, 0)->type, *y = &op->results[0].type;
  mr_ints start = mr_op_ints(op, MR_ATTR_start_indices), limit = mr_op_ints(op, MR_ATTR_limit_indices);
  bool some = false;
  o->has = o->apart = mr_part_tiling(p, mr_op_operand(op, 0));
  for (uint32_t d = 0; d < x->rank; d++) {
    bool cut = o->has.dims[d].count > 0, sliced = x->dims[d] != y->dims[d];
    int64_t local = mr_ceil_div(x->dims[d], mr_atoms_shards(p->grid, &o->has.dims[d]));
    o->owner[d] = cut && sliced ? start.data[d] / local : -1;
    o->first[d] = start.data[d] - (cut && sliced ? o->owner[d] * local : 0);
    o->limit[d] = cut && !sliced ? local : limit.data[d] - (cut && sliced ? o->owner[d] * local : 0);
    if (cut && sliced) {
      if (o->limit[d] > local) {
        return false;
      }
      o->apart.dims[d] = (mr_atoms){0};
      some = true;
    }
  }
  o->together = o->apart;
  o->apart.unreduced = mr_tiling_mask(&o->has) & ~mr_tiling_mask(&o->apart);
  return some && !o->has.unreduced && !o->has.order;
}

// Whether this device is the owner.
static mr_value *is_mine(mr_part *p, const owned *o) {
  enum { EQ = 0, SIGNED = 3 };
  mr_value *mine = NULL;
  for (uint32_t d = 0; d < o->has.rank; d++) {
    if (o->owner[d] >= 0) {
      mr_value *shard = mr_spread_index(&p->spread, &o->has.dims[d]);
      mr_value *wanted = shard ? mr_build_splat_int(&p->b, &shard->type, o->owner[d]) : NULL;
      mr_value *here = mr_build_compare(&p->b, EQ, SIGNED, shard, wanted);
      mine = mine ? mr_build_binary(&p->b, MR_OP_and, mine, here) : here;
    }
  }
  return mine;
}

static mr_status slice_of_owner(mr_part *p, mr_op *op, bool *out_done) {
  const mr_value *result = &op->results[0];
  mr_tiling wanted;
  owned o;
  if (result->type.kind != MR_TYPE_TENSOR || result->type.quant || !mr_type_is_static(&result->type) ||
      mr_type_count(&result->type) <= 0 || mr_part_is_free(mr_op_operand(op, 0)) ||
      (mr_part_wanted(p, result, &wanted) && wanted.unreduced) || !is_owned(p, op, &o) ||
      mr_part_cost(p, mr_op_operand(op, 0), &o.together) <=
          mr_reshard_cost(&p->spread, &result->type, &o.apart, &o.together)) {
    return MR_OK;
  }
  mr_type type = mr_part_local_type(p, &result->type, &o.together);
  mr_type predicate = mr_type_with_dtype(&type, MR_PRED);
  mr_value *part = mr_part_get(p, mr_op_operand(op, 0), &o.has);
  part = part ? mr_build_slice(&p->b, part, &type, o.first, o.limit, mr_op_ints(op, MR_ATTR_strides).data) : NULL;
  mr_value *mine = is_mine(p, &o);
  mine = mine ? mr_build_spread(&p->b, mine, &predicate) : NULL;
  part = mine ? mr_build_select(&p->b, mine, part, mr_part_nothing(p, &type)) : NULL;
  MR_TRY(mr_module_memory(p->module));
  mr_part_put_together(p, result, part, &o.apart);
  *out_done = true;
  return mr_module_memory(p->module);
}

// Bytes that a device gets from others when all have what they lack of dimensions that are cut.
static uint64_t bytes_of_windows(const mr_part *p, mr_op *op, const mr_tiling *tiling, uint64_t moved) {
  const mr_type *x = &mr_op_operand(op, 0)->type, *y = &op->results[0].type;
  mr_ints start = mr_op_ints(op, MR_ATTR_start_indices), strides = mr_op_ints(op, MR_ATTR_strides);
  mr_type scalar = mr_type_scalar(x->dtype);
  uint64_t all = mr_type_bytes(&scalar), bytes = 0;
  for (uint32_t d = 0; d < x->rank; d++) {
    all *= (uint64_t)mr_ceil_div(x->dims[d], mr_atoms_shards(p->grid, &tiling->dims[d]));
  }
  for (uint32_t d = 0; d < x->rank; d++) {
    mr_local_window window = window_of(p, x, y, tiling, d, start.data[d], strides.data[d]);
    if (moved >> d & 1 && tiling->dims[d].count) {
      uint64_t received = (uint64_t)MR_MAX(mr_local_window_received(p, &window), 0);
      bytes += all / (uint64_t)mr_ceil_div(x->dims[d], mr_atoms_shards(p->grid, &tiling->dims[d])) * received;
    }
  }
  return bytes;
}

// Bytes that a device gets when what cuts the sliced dimensions cuts others meanwhile, there and back: others like it of one value share
// the way there. UINT64_MAX: there is no other.
static uint64_t bytes_of_turning(const mr_part *p, mr_op *op, const mr_tiling *tiling, uint64_t moved) {
  mr_value *x = mr_op_operand(op, 0);
  mr_tiling turned = *tiling;
  for (uint32_t d = 0; d < tiling->rank; d++) {
    for (uint8_t i = 0; moved >> d & 1 && i < tiling->dims[d].count; i++) {
      uint8_t atom = tiling->dims[d].ids[i];
      uint32_t best = tiling->rank;
      int64_t most = 0;
      for (uint32_t e = 0; e < tiling->rank; e++) {
        int64_t shards = mr_atoms_shards(p->grid, &turned.dims[e]), size = x->type.dims[e];
        if (!(moved >> e & 1) && size % (shards * p->grid->size[atom]) == 0 && size / shards > most) {
          best = e;
          most = size / shards;
        }
      }
      if (best == tiling->rank) {
        return UINT64_MAX;
      }
      turned.dims[best].ids[turned.dims[best].count++] = atom;
    }
    turned.dims[d].count = moved >> d & 1 ? 0 : turned.dims[d].count;
  }
  return mr_part_cost(p, x, &turned) + mr_reshard_cost(&p->spread, &op->results[0].type, &turned, tiling);
}

mr_status mr_local_slice(mr_part *p, mr_op *op, bool *out_done) {
  const mr_type *x = &mr_op_operand(op, 0)->type, *y = &op->results[0].type;
  mr_ints start = mr_op_ints(op, MR_ATTR_start_indices), strides = mr_op_ints(op, MR_ATTR_strides);
  mr_tiling tiling;
  uint64_t moved = x->kind == MR_TYPE_TENSOR ? dims_that_differ(x, y) : 0;
  if (moved) {
    *out_done = is_half(p, &op->results[0]);
    MR_TRY(*out_done ? MR_OK : slice_of_owner(p, op, out_done));
  }
  if (*out_done || !moved || !mr_local_window_wanted(p, &op->results[0], moved, &tiling)) {
    return MR_OK;
  }
  for (uint32_t d = 0; d < x->rank; d++) {
    mr_local_window window = window_of(p, x, y, &tiling, d, start.data[d], strides.data[d]);
    if (moved >> d & 1 && tiling.dims[d].count && !mr_local_window_pays(p, &window)) {
      return MR_OK;
    }
  }
  if (bytes_of_turning(p, op, &tiling, moved) < bytes_of_windows(p, op, &tiling, moved)) {
    return MR_OK;
  }
  mr_value *part = mr_part_get(p, mr_op_operand(op, 0), &tiling);
  int64_t first[MR_MAX_RANK], limit[MR_MAX_RANK];
  for (uint32_t d = 0; part && d < x->rank; d++) {
    bool cut = moved >> d & 1 && tiling.dims[d].count;
    mr_local_window window = window_of(p, x, y, &tiling, d, start.data[d], strides.data[d]);
    part = cut ? mr_local_window_get(p, part, &window, NULL) : part;
    first[d] = moved >> d & 1 && !cut ? start.data[d] : 0;
    limit[d] = part ? moved >> d & 1 && !cut ? mr_op_ints(op, MR_ATTR_limit_indices).data[d] : part->type.dims[d] : 0;
  }
  mr_type type = mr_part_local_type(p, y, &tiling);
  part = part ? mr_build_slice(&p->b, part, &type, first, limit, strides.data) : NULL;
  MR_TRY(mr_module_memory(p->module));
  mr_part_set(p, &op->results[0], part, &tiling);
  *out_done = true;
  return MR_OK;
}

// ---- Padding ------------------------------------------------------------------------------------------------------------

static mr_value *pad_whole_dims(mr_part *p, const mr_op *op, mr_value *part, mr_value *fill, const mr_tiling *tiling,
                                uint64_t done) {
  int64_t low[MR_MAX_RANK], high[MR_MAX_RANK], interior[MR_MAX_RANK];
  mr_type type = mr_part_local_type(p, &op->results[0].type, tiling);
  bool any = false;
  for (uint32_t d = 0; d < type.rank; d++) {
    bool mine = !(done >> d & 1);
    low[d] = mine ? mr_op_ints(op, MR_ATTR_edge_padding_low).data[d] : 0;
    high[d] = mine ? mr_op_ints(op, MR_ATTR_edge_padding_high).data[d] : 0;
    interior[d] = mine ? mr_op_ints(op, MR_ATTR_interior_padding).data[d] : 0;
    any = any || low[d] || high[d] || interior[d];
  }
  if (!any || !part) {
    return part;
  }
  mr_op *pad = mr_build(&p->b, MR_OP_pad, 2, (mr_value *[]){part, fill}, 1, &type, 0);
  mr_op_set_ints(p->module, pad, MR_ATTR_edge_padding_low, (mr_ints){low, type.rank});
  mr_op_set_ints(p->module, pad, MR_ATTR_edge_padding_high, (mr_ints){high, type.rank});
  mr_op_set_ints(p->module, pad, MR_ATTR_interior_padding, (mr_ints){interior, type.rank});
  return pad ? &pad->results[0] : NULL;
}

mr_status mr_local_pad(mr_part *p, mr_op *op, bool *out_done) {
  const mr_type *x = &mr_op_operand(op, 0)->type, *y = &op->results[0].type;
  mr_ints low = mr_op_ints(op, MR_ATTR_edge_padding_low), high = mr_op_ints(op, MR_ATTR_edge_padding_high),
          interior = mr_op_ints(op, MR_ATTR_interior_padding);
  uint64_t moved = 0, done = 0;
  mr_tiling tiling;
  for (size_t d = 0; d < low.size; d++) {
    moved |= (uint64_t)(low.data[d] || high.data[d] || interior.data[d]) << d;
  }
  if (!moved || !mr_local_window_wanted(p, &op->results[0], moved, &tiling)) {
    return MR_OK;
  }
  for (uint32_t d = 0; d < x->rank; d++) {
    mr_local_window window = window_of(p, x, y, &tiling, d, -low.data[d], 1);
    if (moved >> d & 1 && tiling.dims[d].count) {
      if (x->dims[d] > 0 && low.data[d] == 0 && high.data[d] == interior.data[d] &&
          mr_part_is_even(p, x->dims[d], &tiling.dims[d])) {
        continue;  // as much behind each element as between two: each part is padded as the whole is
      }
      if (interior.data[d] || !mr_local_window_pays(p, &window)) {
        return MR_OK;
      }
      done |= UINT64_C(1) << d;
    }
  }
  mr_value *part = mr_part_get(p, mr_op_operand(op, 0), &tiling);
  mr_value *fill = mr_part_get_replicated(p, mr_op_operand(op, 1));
  for (uint32_t d = 0; part && fill && d < x->rank; d++) {
    if (done >> d & 1) {
      mr_local_window window = window_of(p, x, y, &tiling, d, -low.data[d], 1);
      part = mr_local_window_get(p, part, &window, fill);
    }
  }
  part = pad_whole_dims(p, op, part, fill, &tiling, done);
  MR_TRY(mr_module_memory(p->module));
  mr_part_set(p, &op->results[0], part, &tiling);
  *out_done = true;
  return MR_OK;
}

// ---- Reversal -----------------------------------------------------------------------------------------------------------

// Shard k of `atoms` to where shard n - 1 - k was.
static mr_value *mirror(mr_part *p, mr_value *x, const mr_atoms *atoms) {
  const mr_grid *grid = p->grid;
  int64_t *pairs = mr_alloc((size_t)grid->num_devices * 2 * sizeof *pairs);
  if (!pairs) {
    p->module->out_of_memory = true;
    return NULL;
  }
  for (int64_t device = 0; device < grid->num_devices; device++) {
    int64_t target = device;
    for (uint32_t i = 0; i < atoms->count; i++) {
      // n - 1 - k is each index counted from its end.
      int64_t size = grid->size[atoms->ids[i]], stride = grid->stride[atoms->ids[i]];
      target += (size - 1 - 2 * (device / stride % size)) * stride;
    }
    pairs[2 * device] = device;
    pairs[2 * device + 1] = target;
  }
  mr_value *y = mr_spread_permute(&p->spread, &p->b, x, pairs, (size_t)grid->num_devices);
  mr_free(pairs);
  return y;
}

mr_status mr_local_reverse(mr_part *p, mr_op *op, bool *out_done) {
  mr_ints dims = mr_op_ints(op, MR_ATTR_dimensions);
  uint64_t moved = 0;
  mr_tiling tiling;
  for (size_t i = 0; i < dims.size; i++) {
    moved |= UINT64_C(1) << dims.data[i];
  }
  if (!mr_local_window_wanted(p, &op->results[0], moved, &tiling)) {
    return MR_OK;
  }
  for (size_t i = 0; i < dims.size; i++) {
    if (!mr_part_is_even(p, op->results[0].type.dims[dims.data[i]], &tiling.dims[dims.data[i]])) {
      return MR_OK;
    }
  }
  mr_value *part = mr_part_get(p, mr_op_operand(op, 0), &tiling);
  for (size_t i = 0; part && i < dims.size; i++) {
    const mr_atoms *atoms = &tiling.dims[dims.data[i]];
    part = atoms->count ? mirror(p, part, atoms) : part;
  }
  MR_TRY(mr_module_memory(p->module));
  mr_op *made = mr_part_clone(p, op, &part, &part->type);
  MR_TRY(mr_module_memory(p->module));
  mr_part_set(p, &op->results[0], &made->results[0], &tiling);
  *out_done = true;
  return MR_OK;
}

// ---- Joining ------------------------------------------------------------------------------------------------------------

// Elements of `part`, whose first is number begin + k * step of the whole, from `from` on are those of `other`.
static mr_value *take_from(mr_part *p, mr_value *part, mr_value *other, const mr_local_window *window, int64_t from) {
  if (!part || !other) {
    return NULL;
  }
  mr_type places = mr_type_with_dtype(&part->type, MR_S32);
  mr_value *begin = mr_spread_offset(&p->spread, &p->b, window->atoms, window->step);
  mr_value *place = mr_build_binary(&p->b, MR_OP_add, mr_build_iota(&p->b, &places, window->dim),
                                    begin ? mr_build_spread(&p->b, begin, &places) : NULL);
  mr_value *is_other =
      mr_build_compare(&p->b, MR_COMPARE_GE, MR_COMPARE_SIGNED, place, mr_build_splat_int(&p->b, &places, from));
  return mr_build_select(&p->b, is_other, other, part);
}

static mr_value *turned(mr_part *p, mr_value *of, const mr_tiling *tiling, uint32_t dim, int64_t begin) {
  const mr_atoms *atoms = &tiling->dims[dim];
  mr_value *part = mr_part_get(p, of, tiling);
  if (!part) {
    return NULL;
  }
  int64_t local = part->type.dims[dim], distance = begin / local, rest = begin % local;
  mr_value *head = rest ? mr_build_slice_dim(&p->b, part, dim, rest, local) : part;
  head = head ? mr_spread_turn(&p->spread, &p->b, head, atoms, -distance) : NULL;
  mr_value *tail = rest ? mr_build_slice_dim(&p->b, part, dim, 0, rest) : NULL;
  tail = tail ? mr_spread_turn(&p->spread, &p->b, tail, atoms, -distance - 1) : NULL;
  return rest && head && tail ? mr_build_concatenate(&p->b, 2, (mr_value *[]){head, tail}, dim) : head;
}

mr_status mr_local_concatenate(mr_part *p, mr_op *op, bool *out_done) {
  uint32_t dim = (uint32_t)mr_op_int(op, MR_ATTR_dimension, 0);
  mr_tiling tiling;
  if (op->num_operands < 2 || !mr_local_window_wanted(p, &op->results[0], UINT64_C(1) << dim, &tiling)) {
    return MR_OK;
  }
  int64_t offset = 0, received = 0, begin;
  const mr_type *y = &op->results[0].type;
  if (is_turned(p, op, &tiling, &begin)) {
    mr_value *part = turned(p, mr_op_operand(mr_op_operand(op, 0)->def, 0), &tiling, dim, begin);
    MR_TRY(mr_module_memory(p->module));
    mr_part_set(p, &op->results[0], part, &tiling);
    *out_done = true;
    return MR_OK;
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    const mr_type *x = &mr_op_operand(op, i)->type;
    mr_local_window window = window_of(p, x, y, &tiling, dim, -offset, 1);
    if (x->dims[dim] == 0 || !mr_local_window_pays(p, &window)) {
      return MR_OK;
    }
    offset += x->dims[dim];
    received += window.count;
  }
  if (received >= y->dims[dim]) {  // as much as the whole of all
    return MR_OK;
  }
  mr_value *joined = NULL;
  offset = 0;
  for (uint32_t i = 0; i < op->num_operands; i++) {
    const mr_type *x = &mr_op_operand(op, i)->type;
    mr_local_window window = window_of(p, x, y, &tiling, dim, -offset, 1);
    mr_value *part = mr_local_window_get(p, mr_part_get(p, mr_op_operand(op, i), &tiling), &window, NULL);
    joined = i == 0 ? part : take_from(p, joined, part, &window, offset);
    offset += x->dims[dim];
  }
  MR_TRY(mr_module_memory(p->module));
  mr_part_set(p, &op->results[0], joined, &tiling);
  *out_done = true;
  return MR_OK;
}
