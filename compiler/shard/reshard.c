// From one tiling to another: the cheapest way through slices, gathers, exchanges and permutations, by the bytes that a device
// receives. A list of atoms grows at its minor end without communication, and shrinks there with a plain gather; so the ways are
// few, and the cheapest is found by trying them in the order of their cost (Dijkstra's algorithm).
//
// Parts of uneven shards do not nest: where ceil(size / shards) is not a multiple of what the finer cut has, a dimension is
// gathered whole before it is cut anew.
#include <string.h>

#include "compiler/shard/reshard.h"

enum {
  MAX_NODES = 192,
  // What a collective costs beside its bytes: so many more bytes would take as long.
  COLLECTIVE_BYTES = 4096,
  // A byte that is copied on the device, against one received: eight to one.
  LOCAL_SHARE = 8
};

typedef enum move_kind { MOVE_SLICE, MOVE_GATHER, MOVE_EXCHANGE, MOVE_PERMUTE } move_kind;

typedef struct node {
  mr_tiling tiling;
  uint64_t cost;
  int32_t from;
  move_kind kind;
  uint8_t dim, to_dim, count;  // atoms at the minor end of `dim`
  bool closed;
} node;

typedef struct search {
  const mr_grid *grid;
  const mr_type *type;
  const mr_tiling *goal;
  node *nodes;
  uint32_t count;
} search;

// ---- Sizes ------------------------------------------------------------------------------------------------------------

static int64_t local_dim(const search *s, const mr_tiling *t, uint32_t d) {
  return mr_ceil_div(s->type->dims[d], mr_atoms_shards(s->grid, &t->dims[d]));
}

static uint64_t local_bytes(const search *s, const mr_tiling *t) {
  mr_type scalar = mr_type_scalar(s->type->dtype);
  uint64_t bytes = mr_type_bytes(&scalar);
  for (uint32_t d = 0; d < t->rank; d++) {
    bytes *= (uint64_t)local_dim(s, t, d);
  }
  return bytes;
}

static mr_atoms tail(const mr_atoms *atoms, uint32_t count) {
  mr_atoms out = {.count = (uint8_t)count};
  memcpy(out.ids, atoms->ids + atoms->count - count, count);
  return out;
}

static uint32_t common(const mr_atoms *a, const mr_atoms *b) {
  uint32_t n = 0;
  while (n < a->count && n < b->count && a->ids[n] == b->ids[n]) {
    n++;
  }
  return n;
}

// Whether the shards of `fine` lie in those of `coarse`, which is its beginning. A whole dimension is filled up before it is cut,
// and what was filled up is cut away after it was joined.
static bool nests(const search *s, uint32_t d, const mr_atoms *coarse, const mr_atoms *fine) {
  int64_t size = s->type->dims[d], shards = mr_atoms_shards(s->grid, coarse), more = mr_atoms_shards(s->grid, fine);
  return coarse->count == 0 || mr_ceil_div(size, shards) == more / shards * mr_ceil_div(size, more);
}

// ---- The search -------------------------------------------------------------------------------------------------------

static void reach(search *s, int32_t from, const mr_tiling *tiling, uint64_t cost, node how) {
  cost += s->nodes[from].cost;
  for (uint32_t i = 0; i < s->count; i++) {
    node *n = &s->nodes[i];
    if (mr_tiling_equal(&n->tiling, tiling)) {
      if (!n->closed && cost < n->cost) {
        how.tiling = *tiling;
        how.cost = cost;
        how.from = from;
        *n = how;
      }
      return;
    }
  }
  if (s->count < MAX_NODES) {
    how.tiling = *tiling;
    how.cost = cost;
    how.from = from;
    s->nodes[s->count++] = how;
  }
}

// The next atoms of the goal that nothing is cut by.
static void try_slice(search *s, int32_t at, uint32_t d) {
  const mr_tiling *now = &s->nodes[at].tiling;
  const mr_atoms *have = &now->dims[d], *want = &s->goal->dims[d];
  if (common(have, want) != have->count) {
    return;
  }
  uint32_t used = mr_tiling_mask(now);
  mr_tiling next = *now;
  mr_atoms *list = &next.dims[d];
  while (list->count < want->count && !(used >> want->ids[list->count] & 1)) {
    list->ids[list->count] = want->ids[list->count];
    list->count++;
  }
  if (list->count > have->count && nests(s, d, have, list)) {
    reach(s, at, &next, local_bytes(s, &next) / LOCAL_SHARE,
          (node){.kind = MOVE_SLICE, .dim = (uint8_t)d, .count = (uint8_t)(list->count - have->count)});
  }
}

static void try_gather(search *s, int32_t at, uint32_t d) {
  const mr_tiling *now = &s->nodes[at].tiling;
  const mr_atoms *have = &now->dims[d];
  uint32_t keep = common(have, &s->goal->dims[d]);
  for (uint32_t count = 1; count <= have->count; count++) {
    if (count > have->count - keep && count < have->count) {
      continue;  // what is wanted stays, unless nothing does
    }
    mr_tiling next = *now;
    next.dims[d].count = (uint8_t)(have->count - count);
    if (nests(s, d, &next.dims[d], have)) {
      uint64_t before = local_bytes(s, now), after = local_bytes(s, &next);
      reach(s, at, &next, after - MR_MIN(before, after) + after / LOCAL_SHARE + COLLECTIVE_BYTES,
            (node){.kind = MOVE_GATHER, .dim = (uint8_t)d, .count = (uint8_t)count});
    }
  }
}

// The minor atoms of one dimension become those of another that wants them next.
static void try_exchange(search *s, int32_t at, uint32_t d, uint32_t e) {
  const mr_tiling *now = &s->nodes[at].tiling;
  const mr_atoms *have = &now->dims[d], *other = &now->dims[e], *want = &s->goal->dims[e];
  uint32_t keep = common(have, &s->goal->dims[d]);
  if (d == e || common(other, want) != other->count) {
    return;
  }
  for (uint32_t count = 1; count <= have->count - keep && other->count + count <= want->count; count++) {
    const uint8_t *moved = have->ids + have->count - count;
    if (memcmp(moved, want->ids + other->count, count) != 0) {
      continue;
    }
    mr_tiling next = *now;
    next.dims[d].count = (uint8_t)(have->count - count);
    memcpy(next.dims[e].ids + other->count, moved, count);
    next.dims[e].count = (uint8_t)(other->count + count);
    if (nests(s, d, &next.dims[d], have) && nests(s, e, other, &next.dims[e])) {
      uint64_t bytes = local_bytes(s, &next);
      reach(s, at, &next, bytes + bytes / LOCAL_SHARE + COLLECTIVE_BYTES,
            (node){.kind = MOVE_EXCHANGE, .dim = (uint8_t)d, .to_dim = (uint8_t)e, .count = (uint8_t)count});
    }
  }
}

// The goal's atoms as far as the number of shards of each dimension allows, which stays; then what is over.
static bool rearrange(const search *s, const mr_tiling *now, mr_tiling *out) {
  const mr_grid *grid = s->grid;
  uint32_t used = 0;
  uint8_t left[MR_MAX_RANK][MR_MAX_ATOMS], num_left[MR_MAX_RANK];
  *out = mr_tiling_replicated(now->rank);
  for (uint32_t d = 0; d < now->rank; d++) {
    num_left[d] = now->dims[d].count;
    memcpy(left[d], now->dims[d].ids, num_left[d]);
    for (uint32_t i = 0; i < s->goal->dims[d].count; i++) {
      uint8_t wanted = s->goal->dims[d].ids[i];
      uint32_t k = 0;
      while (k < num_left[d] && grid->size[left[d][k]] != grid->size[wanted]) {
        k++;
      }
      if (k == num_left[d]) {
        break;
      }
      left[d][k] = left[d][--num_left[d]];
      out->dims[d].ids[out->dims[d].count++] = wanted;
      used |= UINT32_C(1) << wanted;
    }
  }
  // Those that are over, of the same sizes: of the dimension's own first, then any.
  for (uint32_t d = 0; d < now->rank; d++) {
    for (uint32_t k = 0; k < num_left[d]; k++) {
      int64_t size = grid->size[left[d][k]];
      uint32_t found = grid->num_atoms;
      for (uint32_t i = 0; i < now->dims[d].count && found == grid->num_atoms; i++) {
        uint8_t id = now->dims[d].ids[i];
        found = grid->size[id] == size && !(used >> id & 1) ? id : found;
      }
      for (uint32_t id = 0; id < grid->num_atoms && found == grid->num_atoms; id++) {
        found = grid->size[id] == size && !(used >> id & 1) && (mr_tiling_mask(now) >> id & 1) ? id : found;
      }
      if (found == grid->num_atoms) {
        return false;
      }
      out->dims[d].ids[out->dims[d].count++] = (uint8_t)found;
      used |= UINT32_C(1) << found;
    }
  }
  return true;
}

static void try_permute(search *s, int32_t at) {
  mr_tiling next;
  const mr_tiling *now = &s->nodes[at].tiling;
  if (rearrange(s, now, &next) && !mr_tiling_equal(&next, now)) {
    reach(s, at, &next, local_bytes(s, &next) + COLLECTIVE_BYTES, (node){.kind = MOVE_PERMUTE});
  }
}

static int32_t cheapest_open(const search *s) {
  int32_t best = -1;
  for (uint32_t i = 0; i < s->count; i++) {
    if (!s->nodes[i].closed && (best < 0 || s->nodes[i].cost < s->nodes[best].cost)) {
      best = (int32_t)i;
    }
  }
  return best;
}

// The node of the goal; -1 when it was not reached.
static int32_t find_way(search *s, const mr_tiling *from) {
  s->nodes[0] = (node){.tiling = *from, .from = -1};
  s->nodes[0].tiling.unreduced = 0;
  s->count = 1;
  for (int32_t at; (at = cheapest_open(s)) >= 0;) {
    s->nodes[at].closed = true;
    if (mr_tiling_equal(&s->nodes[at].tiling, s->goal)) {
      return at;
    }
    for (uint32_t d = 0; d < from->rank; d++) {
      try_slice(s, at, d);
      try_gather(s, at, d);
      for (uint32_t e = 0; e < from->rank && s->nodes[at].tiling.dims[d].count; e++) {
        try_exchange(s, at, d, e);
      }
    }
    try_permute(s, at);
  }
  return -1;
}

// ---- The ops ----------------------------------------------------------------------------------------------------------

typedef struct emitter {
  mr_spread *spread;
  mr_builder *b;
  const mr_type *global;
  uint32_t fixed;  // mask of atoms along which nothing moves: manual ones, and those whose devices have parts of a sum
} emitter;

static mr_value *fill_up(const emitter *e, mr_value *x, uint32_t dim, int64_t size) {
  int64_t low[MR_MAX_RANK] = {0}, high[MR_MAX_RANK] = {0}, dims[MR_MAX_RANK];
  if (!x || x->type.dims[dim] >= size) {
    return x;
  }
  memcpy(dims, x->type.dims, x->type.rank * sizeof *dims);
  high[dim] = size - dims[dim];
  dims[dim] = size;
  mr_module *module = e->spread->module;
  mr_type scalar = mr_type_scalar(x->type.dtype), type = mr_type_tensor(module, x->type.dtype, x->type.rank, dims);
  mr_value *zero = mr_build_splat_int(e->b, &scalar, 0);
  mr_op *pad = zero ? mr_build(e->b, MR_OP_pad, 2, (mr_value *[]){x, zero}, 1, &type, 0) : NULL;
  if (!pad) {
    return NULL;
  }
  mr_op_set_ints(module, pad, MR_ATTR_edge_padding_low, (mr_ints){low, type.rank});
  mr_op_set_ints(module, pad, MR_ATTR_edge_padding_high, (mr_ints){high, type.rank});
  mr_op_set_ints(module, pad, MR_ATTR_interior_padding, (mr_ints){low, type.rank});
  return &pad->results[0];
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
  mr_value *operands[2 + MR_MAX_RANK] = {mr_build_splat_int(e->b, &type, 0), x};
  mr_value *zero = mr_build_splat_int(e->b, &index, 0);
  for (uint32_t d = 0; d < type.rank; d++) {
    operands[2 + d] = d == dim ? mr_spread_offset(e->spread, e->b, atoms, x->type.dims[d]) : zero;
  }
  mr_op *update = e->spread->module->out_of_memory
                      ? NULL
                      : mr_build(e->b, MR_OP_dynamic_update_slice, 2 + type.rank, operands, 1, &type, 0);
  return update ? &update->results[0] : NULL;
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

static mr_value *emit_move(const emitter *e, const mr_grid *grid, mr_value *x, const node *before, const node *move) {
  uint32_t d = move->dim;
  const mr_tiling *from = &before->tiling, *to = &move->tiling;
  int64_t members, size;
  mr_atoms atoms;
  switch (move->kind) {
  case MOVE_SLICE:
    atoms = tail(&to->dims[d], move->count);
    size = mr_ceil_div(e->global->dims[d], mr_atoms_shards(grid, &to->dims[d]));
    return cut(e, fill_up(e, x, d, size * mr_atoms_shards(grid, &atoms)), d, &atoms, size);
  case MOVE_GATHER:
    atoms = tail(&from->dims[d], move->count);
    x = mr_spread_all_gather(e->spread, e->b, x, d, &atoms);
    return keep_first(e, x, d, mr_ceil_div(e->global->dims[d], mr_atoms_shards(grid, &to->dims[d])));
  case MOVE_EXCHANGE:
    atoms = tail(&from->dims[d], move->count);
    members = mr_atoms_shards(grid, &atoms);
    size = mr_ceil_div(e->global->dims[move->to_dim], mr_atoms_shards(grid, &to->dims[move->to_dim]));
    x = fill_up(e, x, move->to_dim, size * members);
    x = mr_spread_all_to_all(e->spread, e->b, x, move->to_dim, d, &atoms);
    return keep_first(e, x, d, mr_ceil_div(e->global->dims[d], mr_atoms_shards(grid, &to->dims[d])));
  case MOVE_PERMUTE: return permute(e, x, from, to);
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
    if (common(have, want) != have->count) {
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

static mr_value *emit_way(const emitter *e, const search *s, mr_value *x, int32_t goal) {
  int32_t way[MAX_NODES];
  uint32_t steps = 0;
  bool whole = false;
  for (int32_t at = goal; at > 0; at = s->nodes[at].from) {
    way[steps++] = at;
  }
  while (steps-- > 0) {
    const node *move = &s->nodes[way[steps]];
    x = emit_move(e, s->grid, x, &s->nodes[move->from], move);
    whole |= move->kind == MOVE_GATHER && mr_tiling_mask(&move->tiling) == 0 && steps > 0;
  }
  e->spread->regathers += whole;
  return x;
}

// Neither is of sums.
static mr_value *redistribute(const emitter *e, mr_value *x, const mr_tiling *from, const mr_tiling *to) {
  if (!x || mr_tiling_equal(from, to)) {
    return x;
  }
  search s = {.grid = e->spread->grid, .type = e->global, .goal = to, .nodes = mr_alloc(MAX_NODES * sizeof(node))};
  if (!s.nodes) {
    e->spread->module->out_of_memory = true;
    return NULL;
  }
  int32_t way = find_way(&s, from);
  x = way < 0 ? x : emit_way(e, &s, x, way);
  mr_free(s.nodes);
  if (way < 0) {  // too many ways to try: through the whole value, which leaves few
    const mr_tiling whole = mr_tiling_replicated(from->rank);
    x = redistribute(e, x, from, &whole);
    x = redistribute(e, x, &whole, to);
  }
  return x;
}

// Along atoms that cut a dimension, and are to have parts of a sum: each device's part among zeros, at its place.
static mr_value *part_cuts(const emitter *e, mr_value *x, mr_tiling *now, uint32_t wanted) {
  search s = {.grid = e->spread->grid, .type = e->global};
  for (uint32_t d = 0; x && d < now->rank; d++) {
    uint32_t count = 0;
    while (count < now->dims[d].count && wanted >> now->dims[d].ids[now->dims[d].count - 1 - count] & 1) {
      count++;
    }
    mr_atoms cutting = tail(&now->dims[d], count), coarse = now->dims[d];
    coarse.count = (uint8_t)(coarse.count - count);
    if (count == 0 || !nests(&s, d, &coarse, &now->dims[d])) {
      continue;
    }
    x = place_among_zeros(e, x, d, &cutting);
    now->dims[d] = coarse;
    x = keep_first(e, x, d, local_dim(&s, now, d));
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

uint64_t mr_reshard_cost(const mr_grid *grid, const mr_type *global, const mr_tiling *from, const mr_tiling *to) {
  if (global->kind != MR_TYPE_TENSOR || mr_tiling_equal(from, to) || is_empty(global)) {
    return 0;
  }
  mr_tiling now = *from, goal = *to;
  now.unreduced = goal.unreduced = 0;
  now.order = goal.order = NULL;
  search s = {.grid = grid, .type = global, .goal = &goal, .nodes = mr_alloc(MAX_NODES * sizeof(node))};
  uint64_t sums = from->unreduced & ~to->unreduced ? COLLECTIVE_BYTES + local_bytes(&s, &now) : 0;
  sums += from->order != to->order ? COLLECTIVE_BYTES + local_bytes(&s, &now) : 0;
  if (!s.nodes || mr_tiling_equal(&now, &goal)) {
    mr_free(s.nodes);
    return sums;
  }
  int32_t way = find_way(&s, &now);
  uint64_t cost = way < 0 ? UINT64_MAX / 2 : s.nodes[way].cost;
  mr_free(s.nodes);
  return cost + sums;
}
