// The cheapest way from one tiling to another, by the bytes that a device receives. A list of atoms grows at its minor end without
// communication, and shrinks there with a plain gather; so the ways are few, and the cheapest is found by trying them in the order
// of their cost (Dijkstra's algorithm). A program asks for the same few ways again and again, and how many there are to try grows with
// the atoms, which more devices have more of: what was found is kept.
#include <string.h>

#include "compiler/shard/reshard_way.h"

enum {
  MAX_NODES = 192,
  WAYS = 64,  // kept at once
  // A byte that is copied on the device, against one received: eight to one.
  LOCAL_SHARE = 8
};

typedef struct search {
  const mr_grid *grid;
  const mr_type *type;
  const mr_tiling *goal;
  mr_way_node *nodes;
  uint32_t count;
} search;

// One that was looked for.
typedef struct known_way {
  uint64_t hash;
  int64_t dims[MR_MAX_RANK];
  mr_dtype dtype;
  mr_tiling from, to;
  mr_way way;
  uint32_t room;  // nodes that way.nodes has room for
} known_way;

struct mr_ways {
  mr_module *module;
  const mr_grid *grid;
  known_way *known[WAYS];  // each where its hash says
};

// ---- Sizes ------------------------------------------------------------------------------------------------------------

uint64_t mr_way_bytes(const mr_grid *grid, const mr_type *type, const mr_tiling *t) {
  mr_type scalar = mr_type_scalar(type->dtype);
  uint64_t bytes = mr_type_bytes(&scalar);
  for (uint32_t d = 0; d < t->rank; d++) {
    bytes *= (uint64_t)mr_ceil_div(type->dims[d], mr_atoms_shards(grid, &t->dims[d]));
  }
  return bytes;
}

static uint64_t local_bytes(const search *s, const mr_tiling *t) { return mr_way_bytes(s->grid, s->type, t); }

uint32_t mr_atoms_common(const mr_atoms *a, const mr_atoms *b) {
  uint32_t n = 0;
  while (n < a->count && n < b->count && a->ids[n] == b->ids[n]) {
    n++;
  }
  return n;
}

bool mr_way_nests(const mr_grid *grid, int64_t size, const mr_atoms *coarse, const mr_atoms *fine) {
  int64_t shards = mr_atoms_shards(grid, coarse), more = mr_atoms_shards(grid, fine);
  return coarse->count == 0 || mr_ceil_div(size, shards) == more / shards * mr_ceil_div(size, more);
}

static bool nests(const search *s, uint32_t d, const mr_atoms *coarse, const mr_atoms *fine) {
  return mr_way_nests(s->grid, s->type->dims[d], coarse, fine);
}

// ---- The search -------------------------------------------------------------------------------------------------------

static void reach(search *s, int32_t from, const mr_tiling *tiling, uint64_t cost, mr_way_node how) {
  cost += s->nodes[from].cost;
  for (uint32_t i = 0; i < s->count; i++) {
    mr_way_node *n = &s->nodes[i];
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
  if (mr_atoms_common(have, want) != have->count) {
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
          (mr_way_node){.kind = MR_MOVE_SLICE, .dim = (uint8_t)d, .count = (uint8_t)(list->count - have->count)});
  }
}

static void try_gather(search *s, int32_t at, uint32_t d) {
  const mr_tiling *now = &s->nodes[at].tiling;
  const mr_atoms *have = &now->dims[d];
  uint32_t keep = mr_atoms_common(have, &s->goal->dims[d]);
  for (uint32_t count = 1; count <= have->count; count++) {
    if (count > have->count - keep && count < have->count) {
      continue;  // what is wanted stays, unless nothing does
    }
    mr_tiling next = *now;
    next.dims[d].count = (uint8_t)(have->count - count);
    if (nests(s, d, &next.dims[d], have)) {
      uint64_t before = local_bytes(s, now), after = local_bytes(s, &next);
      reach(s, at, &next, after - MR_MIN(before, after) + after / LOCAL_SHARE + MR_COLLECTIVE_BYTES,
            (mr_way_node){.kind = MR_MOVE_GATHER, .dim = (uint8_t)d, .count = (uint8_t)count});
    }
  }
}

// The minor atoms of one dimension become those of another that wants them next.
static void try_exchange(search *s, int32_t at, uint32_t d, uint32_t e) {
  const mr_tiling *now = &s->nodes[at].tiling;
  const mr_atoms *have = &now->dims[d], *other = &now->dims[e], *want = &s->goal->dims[e];
  uint32_t keep = mr_atoms_common(have, &s->goal->dims[d]);
  if (d == e || mr_atoms_common(other, want) != other->count) {
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
      reach(s, at, &next, bytes + bytes / LOCAL_SHARE + MR_COLLECTIVE_BYTES,
            (mr_way_node){.kind = MR_MOVE_EXCHANGE, .dim = (uint8_t)d, .to_dim = (uint8_t)e, .count = (uint8_t)count});
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
    reach(s, at, &next, local_bytes(s, &next) + MR_COLLECTIVE_BYTES, (mr_way_node){.kind = MR_MOVE_PERMUTE});
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
  s->nodes[0] = (mr_way_node){.tiling = *from, .from = -1};
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

// ---- What is known ----------------------------------------------------------------------------------------------------

void mr_ways_init(mr_spread *spread) {
  spread->ways = mr_arena_new(&spread->module->arena, mr_ways);
  spread->module->out_of_memory |= spread->ways == NULL;
  if (spread->ways) {
    *spread->ways = (mr_ways){.module = spread->module, .grid = spread->grid};
  }
}

static uint64_t hash_tiling(const mr_tiling *tiling, uint64_t hash) {
  for (uint32_t d = 0; d < tiling->rank; d++) {
    hash = mr_hash64(tiling->dims[d].ids, tiling->dims[d].count, hash + tiling->dims[d].count);
  }
  return hash;
}

static bool is_way(const known_way *k, uint64_t hash, const mr_type *type, const mr_tiling *from, const mr_tiling *to) {
  return k && k->hash == hash && k->dtype == type->dtype && mr_tiling_equal(&k->from, from) &&
         mr_tiling_equal(&k->to, to) && memcmp(k->dims, type->dims, type->rank * sizeof *k->dims) == 0;
}

// From the first tiling to the goal, of the nodes that the search leaves; these are gone then.
static bool keep_way(mr_ways *ways, known_way *known, const search *s, int32_t goal) {
  uint32_t steps = 0;
  for (int32_t at = goal; at > 0; at = s->nodes[at].from) {
    steps++;
  }
  if (known->room < steps + 1) {
    known->way.nodes = mr_arena_array(&ways->module->arena, mr_way_node, steps + 1);
    known->room = known->way.nodes ? steps + 1 : 0;
    if (!known->room) {
      return false;
    }
  }
  known->way.found = goal >= 0;
  known->way.cost = goal < 0 ? UINT64_MAX / 2 : s->nodes[goal].cost;
  known->way.steps = steps;
  known->way.nodes[0] = s->nodes[0];
  for (int32_t at = goal; at > 0; at = s->nodes[at].from) {
    known->way.nodes[steps--] = s->nodes[at];
  }
  return true;
}

static bool look_for(mr_ways *ways, known_way *known, const mr_type *type) {
  search s = {.grid = ways->grid, .type = type, .goal = &known->to, .nodes = mr_alloc(MAX_NODES * sizeof *s.nodes)};
  bool kept = s.nodes && keep_way(ways, known, &s, find_way(&s, &known->from));
  mr_free(s.nodes);
  return kept;
}

const mr_way *mr_ways_find(mr_ways *ways, const mr_type *type, const mr_tiling *from, const mr_tiling *to) {
  if (!ways) {
    return NULL;  // memory was short before
  }
  uint64_t hash = hash_tiling(to, hash_tiling(from, type->dtype));
  hash = mr_hash64(type->dims, type->rank * sizeof *type->dims, hash);
  known_way **place = &ways->known[hash % WAYS];
  if (is_way(*place, hash, type, from, to)) {
    return &(*place)->way;
  }
  *place = *place ? *place : mr_arena_new(&ways->module->arena, known_way);
  known_way *known = *place;
  if (known) {
    known->hash = hash;
    known->dtype = type->dtype;
    known->from = *from;
    known->to = *to;
    memcpy(known->dims, type->dims, type->rank * sizeof *type->dims);
  }
  if (!known || !look_for(ways, known, type)) {
    *place = NULL;  // not to be taken for a way
    ways->module->out_of_memory = true;
    return NULL;
  }
  return &known->way;
}
