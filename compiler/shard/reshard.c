// From one tiling to another: the ops of the cheapest way (reshard_way.c), sums that are settled on it, and values that become sums.
//
// Parts of uneven shards do not nest: where ceil(size / shards) is not a multiple of what the finer cut has, a dimension is
// gathered whole before it is cut anew.
#include <string.h>

#include "compiler/shard/reshard_way.h"

static mr_atoms tail(const mr_atoms *atoms, uint32_t count) {
  mr_atoms out = {.count = (uint8_t)count};
  memcpy(out.ids, atoms->ids + atoms->count - count, count);
  return out;
}

// ---- The ops ----------------------------------------------------------------------------------------------------------

typedef struct emitter {
  mr_spread *spread;
  mr_builder *b;
  const mr_type *global;
  uint32_t fixed;  // mask of atoms along which nothing moves: manual ones, and those whose devices have parts of a sum
} emitter;

static mr_value *fill_up(const emitter *e, mr_value *x, uint32_t dim, int64_t size) {
  if (!x || x->type.dims[dim] >= size) {
    return x;
  }
  mr_type scalar = mr_type_scalar(x->type.dtype);
  return mr_build_pad_dim(e->b, x, dim, 0, size - x->type.dims[dim], mr_build_splat_int(e->b, &scalar, 0));
}

// Of dimension `dim` the `size` elements from the device's place among `atoms` times `size` on.
static mr_value *cut(const emitter *e, mr_value *x, uint32_t dim, const mr_atoms *atoms, int64_t size) {
  return mr_build_dynamic_slice_dim(e->b, x, dim, mr_spread_offset(e->spread, e->b, atoms, size), size);
}

static mr_value *keep_first(const emitter *e, mr_value *x, uint32_t dim, int64_t size) {
  return x && x->type.dims[dim] > size ? mr_build_slice_dim(e->b, x, dim, 0, size) : x;
}

static mr_value *place_among_zeros(const emitter *e, mr_value *x, uint32_t dim, const mr_atoms *atoms) {
  int64_t dims[MR_MAX_RANK];
  memcpy(dims, x->type.dims, x->type.rank * sizeof *dims);
  dims[dim] *= mr_atoms_shards(e->spread->grid, atoms);
  mr_type type = mr_type_tensor(e->spread->module, x->type.dtype, x->type.rank, dims);
  mr_type index = mr_type_scalar(MR_S32);
  mr_value *starts[MR_MAX_RANK], *zero = mr_build_splat_int(e->b, &index, 0);
  for (uint32_t d = 0; d < type.rank; d++) {
    starts[d] = d == dim ? mr_spread_offset(e->spread, e->b, atoms, x->type.dims[d]) : zero;
  }
  return mr_build_dynamic_update_slice(e->b, mr_build_splat_int(e->b, &type, 0), x, starts);
}

// Replicas of a tile under the old tiling are numbered as those under the new one.
static int64_t source_of(const emitter *e, const mr_tiling *from, const mr_tiling *to, int64_t target) {
  const mr_grid *grid = e->spread->grid;
  uint32_t old_used = mr_tiling_mask(from) | e->fixed, new_used = mr_tiling_mask(to) | e->fixed;
  int64_t source = 0, replica = 0;
  for (uint32_t a = 0; a < grid->num_atoms; a++) {
    int64_t index = target / grid->stride[a] % grid->size[a];
    if (e->fixed >> a & 1) {
      source += index * grid->stride[a];
    } else if (!(new_used >> a & 1)) {
      replica = replica * grid->size[a] + index;
    }
  }
  for (uint32_t a = grid->num_atoms; a-- > 0;) {
    if (!(old_used >> a & 1)) {
      source += replica % grid->size[a] * grid->stride[a];
      replica /= grid->size[a];
    }
  }
  for (uint32_t d = 0; d < from->rank; d++) {
    int64_t shard = 0;
    for (uint32_t i = 0; i < to->dims[d].count; i++) {
      uint8_t a = to->dims[d].ids[i];
      shard = shard * grid->size[a] + target / grid->stride[a] % grid->size[a];
    }
    for (uint32_t i = from->dims[d].count; i-- > 0;) {
      uint8_t a = from->dims[d].ids[i];
      source += shard % grid->size[a] * grid->stride[a];
      shard /= grid->size[a];
    }
  }
  return source;
}

static mr_value *permute(const emitter *e, mr_value *x, const mr_tiling *from, const mr_tiling *to) {
  int64_t devices = e->spread->grid->num_devices;
  int64_t *pairs = mr_alloc((size_t)devices * 2 * sizeof *pairs);
  if (!pairs) {
    e->spread->module->out_of_memory = true;
    return NULL;
  }
  for (int64_t target = 0; target < devices; target++) {
    pairs[2 * target] = source_of(e, from, to, target);
    pairs[2 * target + 1] = target;
  }
  mr_value *y = mr_spread_permute(e->spread, e->b, x, pairs, (size_t)devices);
  mr_free(pairs);
  return y;
}

static mr_value *emit_move(const emitter *e, const mr_grid *grid, mr_value *x, const mr_way_node *before,
                           const mr_way_node *move) {
  uint32_t d = move->dim;
  const mr_tiling *from = &before->tiling, *to = &move->tiling;
  int64_t members, size;
  mr_atoms atoms;
  switch (move->kind) {
  case MR_MOVE_SLICE:
    atoms = tail(&to->dims[d], move->count);
    size = mr_ceil_div(e->global->dims[d], mr_atoms_shards(grid, &to->dims[d]));
    return cut(e, fill_up(e, x, d, size * mr_atoms_shards(grid, &atoms)), d, &atoms, size);
  case MR_MOVE_GATHER:
    atoms = tail(&from->dims[d], move->count);
    x = mr_spread_all_gather(e->spread, e->b, x, d, &atoms);
    return keep_first(e, x, d, mr_ceil_div(e->global->dims[d], mr_atoms_shards(grid, &to->dims[d])));
  case MR_MOVE_EXCHANGE:
    atoms = tail(&from->dims[d], move->count);
    members = mr_atoms_shards(grid, &atoms);
    size = mr_ceil_div(e->global->dims[move->to_dim], mr_atoms_shards(grid, &to->dims[move->to_dim]));
    x = fill_up(e, x, move->to_dim, size * members);
    x = mr_spread_all_to_all(e->spread, e->b, x, move->to_dim, d, &atoms);
    return keep_first(e, x, d, mr_ceil_div(e->global->dims[d], mr_atoms_shards(grid, &to->dims[d])));
  case MR_MOVE_PERMUTE: return permute(e, x, from, to);
  }
  return NULL;
}

// ---- Sums -------------------------------------------------------------------------------------------------------------

// Where the sum over some atoms is at once cut by them, each device needs its own part only.
static mr_value *sum_scattered(const emitter *e, mr_value *x, mr_tiling *now, const mr_tiling *to) {
  const mr_grid *grid = e->spread->grid;
  uint32_t open = now->unreduced & ~to->unreduced;
  for (uint32_t d = 0; x && d < now->rank; d++) {
    const mr_atoms *have = &now->dims[d], *want = &to->dims[d];
    mr_atoms run = *have;
    if (mr_atoms_common(have, want) != have->count) {
      continue;
    }
    while (run.count < want->count && open >> want->ids[run.count] & 1) {
      run.ids[run.count] = want->ids[run.count];
      run.count++;
    }
    if (run.count > have->count && e->global->dims[d] % mr_atoms_shards(grid, &run) == 0) {
      mr_atoms added = tail(&run, run.count - have->count);
      x = mr_spread_reduce_scatter(e->spread, e->b, x, d, &added, MR_OP_add);
      open &= ~mr_atoms_mask(&added);
      now->unreduced &= ~mr_atoms_mask(&added);
      now->dims[d] = run;
    }
  }
  return x;
}

// What is to be a sum becomes one.
static mr_value *settle_sums(const emitter *e, mr_value *x, mr_tiling *now, const mr_tiling *to) {
  x = sum_scattered(e, x, now, to);
  mr_atoms sum = mr_atoms_in(e->spread->grid, now->unreduced & ~to->unreduced);
  if (!x || !mr_spread_all_reduce(e->spread, e->b, &sum, 1, &x, MR_OP_add, NULL, &x)) {
    return NULL;
  }
  now->unreduced &= to->unreduced;
  return x;
}

// What is to be parts of a sum: the first device along these atoms has the value, the others nothing.
static mr_value *part_sums(const emitter *e, mr_value *x, uint32_t mask) {
  mr_atoms parts = mr_atoms_in(e->spread->grid, mask);
  if (!x || parts.count == 0) {
    return x;
  }
  mr_type predicate = mr_type_with_dtype(&x->type, MR_PRED);
  mr_value *first = mr_spread_is_at(e->spread, e->b, &parts, 0);
  first = first ? mr_build_spread(e->b, first, &predicate) : NULL;
  return mr_build_select(e->b, first, x, mr_build_splat_int(e->b, &x->type, 0));
}

// ---- The call ---------------------------------------------------------------------------------------------------------

static mr_value *emit_way(const emitter *e, const mr_way *way, mr_value *x) {
  bool whole = false;
  for (uint32_t i = 1; i <= way->steps; i++) {
    const mr_way_node *move = &way->nodes[i];
    x = emit_move(e, e->spread->grid, x, &way->nodes[i - 1], move);
    whole |= move->kind == MR_MOVE_GATHER && mr_tiling_mask(&move->tiling) == 0 && i < way->steps;
  }
  e->spread->regathers += whole;
  return x;
}

// Neither is of sums.
static mr_value *redistribute(const emitter *e, mr_value *x, const mr_tiling *from, const mr_tiling *to) {
  if (!x || mr_tiling_equal(from, to)) {
    return x;
  }
  const mr_way *way = mr_ways_find(e->spread->ways, e->global, from, to);
  if (!way) {
    return NULL;
  }
  if (way->found) {
    return emit_way(e, way, x);
  }
  // Too many ways to try: through the whole value, which leaves few.
  const mr_tiling whole = mr_tiling_replicated(from->rank);
  return redistribute(e, redistribute(e, x, from, &whole), &whole, to);
}

// Along atoms that cut a dimension, and are to have parts of a sum: each device's part among zeros, at its place.
static mr_value *part_cuts(const emitter *e, mr_value *x, mr_tiling *now, uint32_t wanted) {
  const mr_grid *grid = e->spread->grid;
  for (uint32_t d = 0; x && d < now->rank; d++) {
    int64_t size = e->global->dims[d];
    uint32_t count = 0;
    while (count < now->dims[d].count && wanted >> now->dims[d].ids[now->dims[d].count - 1 - count] & 1) {
      count++;
    }
    mr_atoms cutting = tail(&now->dims[d], count), coarse = now->dims[d];
    coarse.count = (uint8_t)(coarse.count - count);
    if (count == 0 || !mr_way_nests(grid, size, &coarse, &now->dims[d])) {
      continue;
    }
    x = place_among_zeros(e, x, d, &cutting);
    now->dims[d] = coarse;
    x = keep_first(e, x, d, mr_ceil_div(size, mr_atoms_shards(grid, &coarse)));
    now->unreduced |= mr_atoms_mask(&cutting);
  }
  return x;
}

// From where devices are counted in an order of their own to where they are not, or back.
static mr_value *reorder(const emitter *e, mr_value *x, const int64_t *order, bool back) {
  int64_t devices = e->spread->grid->num_devices;
  int64_t *pairs = mr_alloc((size_t)devices * 2 * sizeof *pairs);
  if (!pairs || !x) {
    e->spread->module->out_of_memory |= pairs == NULL;
    mr_free(pairs);
    return NULL;
  }
  for (int64_t i = 0; i < devices; i++) {
    pairs[2 * i] = back ? order[i] : i;
    pairs[2 * i + 1] = back ? i : order[i];
  }
  x = mr_spread_permute(e->spread, e->b, x, pairs, (size_t)devices);
  mr_free(pairs);
  return x;
}

static bool is_empty(const mr_type *type) {
  for (uint32_t d = 0; d < type->rank; d++) {
    if (type->dims[d] == 0) {
      return true;
    }
  }
  return false;
}

mr_value *mr_reshard(mr_spread *spread, mr_builder *b, mr_value *x, const mr_type *global, const mr_tiling *from,
                     const mr_tiling *to) {
  if (!x || global->kind != MR_TYPE_TENSOR || mr_tiling_equal(from, to)) {
    return x;
  }
  if (is_empty(global)) {
    mr_type local = mr_tiling_local(spread->module, spread->grid, global, to);
    return mr_build_splat_int(b, &local, 0);
  }
  emitter e = {.spread = spread, .b = b, .global = global};
  mr_tiling now = *from, goal = *to;
  now.order = goal.order = NULL;
  x = from->order ? reorder(&e, x, from->order, true) : x;
  x = settle_sums(&e, x, &now, to);
  x = part_cuts(&e, x, &now, to->unreduced);
  e.fixed = spread->manual | now.unreduced;
  uint32_t parts = to->unreduced & ~now.unreduced;
  now.unreduced = goal.unreduced = 0;
  x = redistribute(&e, x, &now, &goal);
  x = part_sums(&e, x, parts);
  return to->order ? reorder(&e, x, to->order, false) : x;
}

uint64_t mr_reshard_cost(const mr_spread *spread, const mr_type *global, const mr_tiling *from, const mr_tiling *to) {
  if (global->kind != MR_TYPE_TENSOR || mr_tiling_equal(from, to) || is_empty(global)) {
    return 0;
  }
  mr_tiling now = *from, goal = *to;
  now.unreduced = goal.unreduced = 0;
  now.order = goal.order = NULL;
  uint64_t meeting = MR_COLLECTIVE_BYTES + mr_way_bytes(spread->grid, global, &now);
  uint64_t sums = (from->unreduced & ~to->unreduced ? meeting : 0) + (from->order != to->order ? meeting : 0);
  const mr_way *way = mr_tiling_equal(&now, &goal) ? NULL : mr_ways_find(spread->ways, global, &now, &goal);
  return sums + (way ? way->cost : 0);
}
