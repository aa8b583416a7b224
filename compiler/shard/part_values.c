// Versions of values: the tilings under which local parts of them are there.
#include <string.h>

#include "compiler/shard/partition.h"

mr_type mr_part_local_type(const mr_part *p, const mr_type *type, const mr_tiling *tiling) {
  return type->kind == MR_TYPE_TENSOR ? mr_tiling_local(p->module, p->grid, type, tiling) : *type;
}

static void drop_atoms(mr_tiling *tiling, uint32_t mask) {
  for (uint32_t d = 0; d < tiling->rank; d++) {
    mr_atoms *atoms = &tiling->dims[d];
    uint8_t kept = 0;
    for (uint8_t i = 0; i < atoms->count; i++) {
      if (!(mask >> atoms->ids[i] & 1)) {
        atoms->ids[kept++] = atoms->ids[i];
      }
    }
    atoms->count = kept;
  }
  tiling->unreduced &= ~mask;
}

bool mr_part_wanted(const mr_part *p, const mr_value *value, mr_tiling *out) {
  uint32_t rank = value->type.kind == MR_TYPE_TENSOR ? value->type.rank : 0;
  const mr_sharding *sharding = value->sharding;
  mr_status status = sharding && sharding->rank == rank ? mr_tiling_of(p->grid, sharding, rank, out) : MR_OK;
  if (!sharding || sharding->rank != rank || status) {
    mr_status_free(status);  // what no atoms can say is made whole
    *out = mr_tiling_replicated(rank);
    return false;
  }
  drop_atoms(out, p->spread.manual);
  out->order = NULL;
  return true;
}

// ---- Values that cost nothing -----------------------------------------------------------------------------------------------

bool mr_part_is_free(const mr_value *value) {
  const mr_op *op = value->def;
  uint8_t element[16];
  if (!op || value->type.kind != MR_TYPE_TENSOR) {
    return false;
  }
  switch (op->kind) {
  case MR_OP_constant: return mr_type_count(&value->type) <= 1 || mr_value_splat(value, element);
  case MR_OP_iota: return true;
  case MR_OP_broadcast_in_dim: return mr_op_operand(op, 0)->type.rank == 0;
  default: return false;
  }
}

static mr_value *make_iota(mr_part *p, const mr_op *op, const mr_type *local, const mr_tiling *tiling) {
  int64_t dim = mr_op_int(op, MR_ATTR_iota_dimension, 0);
  const mr_atoms *atoms = &tiling->dims[dim];
  if (!atoms->count) {
    return mr_build_iota(&p->b, local, dim);
  }
  // Numbers are made as integers: a narrow float does not count far enough, but rounds each number as it should.
  bool wide = op->results[0].type.dims[dim] > INT32_MAX;
  mr_type counted = mr_type_with_dtype(local, wide ? MR_S64 : MR_S32);
  mr_value *offset = mr_spread_offset(&p->spread, &p->b, atoms, wide ? 1 : local->dims[dim]);
  offset = mr_build_convert(&p->b, offset, counted.dtype);
  if (wide) {
    mr_type scalar = mr_type_scalar(MR_S64);
    offset = mr_build_binary(&p->b, MR_OP_multiply, offset, mr_build_splat_int(&p->b, &scalar, local->dims[dim]));
  }
  mr_value *count =
      mr_build_binary(&p->b, MR_OP_add, mr_build_iota(&p->b, &counted, dim), mr_build_spread(&p->b, offset, &counted));
  return mr_build_convert(&p->b, count, local->dtype);
}

static mr_value *make_free(mr_part *p, const mr_value *value, const mr_tiling *tiling) {
  const mr_op *op = value->def;
  mr_type local = mr_part_local_type(p, &value->type, tiling);
  if (op->kind == MR_OP_iota) {
    return make_iota(p, op, &local, tiling);
  }
  if (op->kind == MR_OP_broadcast_in_dim) {
    return mr_build_spread(&p->b, mr_part_get_replicated(p, mr_op_operand(op, 0)), &local);
  }
  mr_dense dense = *mr_value_constant(value);
  dense.type = local;
  dense.splat = mr_type_count(&local) > 1;
  dense.size = mr_type_count(&local) ? mr_dtype_bytes(local.dtype) : 0;
  return mr_build_constant(&p->b, &dense);
}

// ---- Versions -----------------------------------------------------------------------------------------------------------------

const mr_tiling *mr_part_keep_tiling(mr_part *p, const mr_tiling *tiling) {
  for (mr_part_tiling_entry *at = p->tilings; at; at = at->next) {
    if (mr_tiling_equal(&at->tiling, tiling)) {
      return &at->tiling;
    }
  }
  mr_part_tiling_entry *entry = mr_arena_new(&p->module->arena, mr_part_tiling_entry);
  if (!entry) {
    p->module->out_of_memory = true;
    return tiling;
  }
  *entry = (mr_part_tiling_entry){p->tilings, *tiling};
  p->tilings = entry;
  return &entry->tiling;
}

static bool is_usable(const mr_part *p, const mr_part_version *version) {
  return version->block == p->b.block || mr_block_is_inside(p->b.block, version->block);
}

static void add_version(mr_part *p, const mr_value *value, mr_value *local, const mr_tiling *tiling, mr_block *block) {
  mr_part_version *version = mr_arena_new(&p->module->arena, mr_part_version);
  if (!version) {
    p->module->out_of_memory = true;
    return;
  }
  *version = (mr_part_version){.local = local, .tiling = mr_part_keep_tiling(p, tiling), .block = block};
  mr_part_version **end = &p->versions[value->id];
  while (*end) {
    end = &(*end)->next;
  }
  *end = version;
}

void mr_part_set(mr_part *p, const mr_value *value, mr_value *local, const mr_tiling *tiling) {
  add_version(p, value, local, tiling, p->b.block);
}

// What is there of a value is there of one that is equal to it.
void mr_part_share(mr_part *p, const mr_value *from, const mr_value *to) {
  for (const mr_part_version *v = p->versions[from->id]; v; v = v->next) {
    add_version(p, to, v->local, v->tiling, v->block);
  }
}

mr_tiling mr_part_tiling(const mr_part *p, const mr_value *value) {
  for (const mr_part_version *v = p->versions[value->id]; v; v = v->next) {
    if (is_usable(p, v)) {
      return *v->tiling;
    }
  }
  mr_tiling wanted;
  mr_part_wanted(p, value, &wanted);
  return wanted;
}

static const mr_part_version *nearest(const mr_part *p, const mr_value *value, const mr_tiling *tiling,
                                      uint64_t *out_cost) {
  const mr_part_version *best = NULL;
  for (const mr_part_version *v = p->versions[value->id]; v; v = v->next) {
    if (!is_usable(p, v)) {
      continue;
    }
    uint64_t cost =
        mr_tiling_equal(v->tiling, tiling) ? 0 : 1 + mr_reshard_cost(&p->spread, &value->type, v->tiling, tiling);
    if (!best || cost < *out_cost) {
      best = v;
      *out_cost = cost;
    }
  }
  return best;
}

uint64_t mr_part_cost(const mr_part *p, const mr_value *value, const mr_tiling *tiling) {
  uint64_t cost = 0;
  if (value->type.kind == MR_TYPE_TENSOR && !mr_part_is_free(value)) {
    (void)nearest(p, value, tiling, &cost);
  }
  return cost;
}

// Where a version is turned into another one: in front of the loops that it comes from outside of. A branch that is not taken
// shall cost nothing, so it does not leave those.
static mr_builder place_of(const mr_part *p, const mr_part_version *version) {
  mr_builder b = p->b;
  while (b.block != version->block && b.block->parent && b.block->parent->kind == MR_OP_while) {
    b = mr_builder_before(b.block->parent);
  }
  return b;
}

// Versions that were made in blocks which are behind: of a constant that every loop of a program uses each body has one of its own. What a
// value began with stays.
static void forget_others(mr_part *p, const mr_value *value) {
  mr_part_version **at = &p->versions[value->id];
  if (*at && !mr_part_is_free(value)) {
    at = &(*at)->next;
  }
  while (*at) {
    if (is_usable(p, *at)) {
      at = &(*at)->next;
    } else {
      *at = (*at)->next;
    }
  }
}

mr_value *mr_part_get(mr_part *p, mr_value *value, const mr_tiling *tiling) {
  if (p->module->out_of_memory) {
    return NULL;  // what there is may have no type, and nothing more is built
  }
  forget_others(p, value);
  uint64_t cost = 0;
  const mr_part_version *from = nearest(p, value, tiling, &cost);
  if (from && (value->type.kind != MR_TYPE_TENSOR || mr_tiling_equal(from->tiling, tiling))) {
    return from->local;
  }
  if (mr_part_is_free(value)) {
    mr_tiling plain = *tiling;
    plain.unreduced = 0;
    if (!tiling->unreduced || !(from = nearest(p, value, &plain, &cost)) || !mr_tiling_equal(from->tiling, &plain)) {
      mr_part_set(p, value, make_free(p, value, &plain), &plain);
      return mr_part_get(p, value, tiling);
    }
  }
  if (!from) {
    // A value that was not translated: an error came before it, or memory is short.
    p->module->out_of_memory |= true;
    return NULL;
  }
  // A sum over devices is done once, the way that the value is wanted, for all who ask for it.
  mr_tiling wanted;
  if (from->tiling->unreduced & ~tiling->unreduced && mr_part_wanted(p, value, &wanted) &&
      !(from->tiling->unreduced & wanted.unreduced) && !mr_tiling_equal(&wanted, tiling)) {
    (void)mr_part_get(p, value, &wanted);
    from = nearest(p, value, tiling, &cost);
  }
  mr_builder b = place_of(p, from);
  mr_value *local = mr_reshard(&p->spread, &b, from->local, &value->type, from->tiling, tiling);
  add_version(p, value, local, tiling, b.block);
  return local;
}

mr_value *mr_part_get_replicated(mr_part *p, mr_value *value) {
  mr_tiling whole = mr_tiling_replicated(value->type.kind == MR_TYPE_TENSOR ? value->type.rank : 0);
  return mr_part_get(p, value, &whole);
}

// ---- Shards with less in them -------------------------------------------------------------------------------------------------

bool mr_part_is_even(const mr_part *p, int64_t size, const mr_atoms *atoms) {
  return size % mr_atoms_shards(p->grid, atoms) == 0;
}

mr_value *mr_part_mask(mr_part *p, mr_value *x, uint32_t dim, int64_t size, const mr_atoms *atoms, mr_value *fill) {
  if (!x || !fill) {
    return NULL;
  }
  mr_type counted = mr_type_with_dtype(&x->type, MR_S64), scalar = mr_type_scalar(MR_S64);
  mr_value *offset = mr_build_convert(&p->b, mr_spread_index(&p->spread, atoms), MR_S64);
  offset = mr_build_binary(&p->b, MR_OP_multiply, offset, mr_build_splat_int(&p->b, &scalar, x->type.dims[dim]));
  mr_value *left = mr_build_binary(&p->b, MR_OP_subtract, mr_build_splat_int(&p->b, &scalar, size), offset);
  mr_value *inside = mr_build_compare(&p->b, MR_COMPARE_LT, MR_COMPARE_SIGNED, mr_build_iota(&p->b, &counted, dim),
                                      mr_build_spread(&p->b, left, &counted));
  return mr_build_select(&p->b, inside, x, mr_build_spread(&p->b, fill, &x->type));
}
