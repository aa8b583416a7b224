// Points: how an op's coordinates become those of its operands.
#include <string.h>

#include "compiler/fuse/fuse_internal.h"
#include "compiler/fuse/tuning.h"
#include "compiler/lower/lower.h"

fuse_point *mr_fuse_new_point(fuser *f, fuse_group *g) {
  fuse_point *points = mr_fuse_grow(f, g->points, g->num_points, &g->cap_points, sizeof *points);
  if (!points) {
    return NULL;
  }
  g->points = points;
  memset(&points[g->num_points], 0, sizeof *points);
  return &points[g->num_points++];
}

static void scalar_at(fuse_point *p) {
  p->rank = 0;
  p->flat = false;
}

static void unknown_at(fuse_point *p, const mr_type *type) {
  p->rank = type->rank;
  for (uint32_t d = 0; d < type->rank; d++) {
    p->at[d] = type->dims[d] == 1 ? FUSE_ONE : FUSE_OTHER;
  }
  p->flat = false;
}

// Dimensions of size one come and go; anything else is a new numbering.
static void reshape_at(fuse_point *p, const fuse_point *from, const mr_type *type, const mr_type *operand) {
  uint32_t d = 0;
  p->rank = operand->rank;
  p->flat = from->flat;
  for (uint32_t k = 0; k < operand->rank; k++) {
    p->at[k] = FUSE_ONE;
    if (operand->dims[k] == 1) {
      continue;
    }
    while (d < type->rank && type->dims[d] == 1) {
      d++;
    }
    if (d == type->rank || type->dims[d] != operand->dims[k]) {
      bool flat = from->flat;
      unknown_at(p, operand);
      p->flat = flat;
      return;
    }
    p->at[k] = from->at[d++];
  }
}

static void broadcast_at(fuse_point *p, const fuse_point *from, const mr_op *op, const mr_type *operand) {
  mr_ints dims = mr_op_ints(op, MR_ATTR_broadcast_dimensions);
  p->rank = operand->rank;
  p->flat = from->flat && mr_type_same_dims(operand, &op->results[0].type) && mr_ints_count_up(dims);
  for (uint32_t d = 0; d < operand->rank; d++) {
    p->at[d] = operand->dims[d] == 1 ? FUSE_ONE : from->at[dims.data[d]];
  }
}

static void transpose_at(fuse_point *p, const fuse_point *from, const mr_op *op, const mr_type *operand) {
  mr_ints permutation = mr_op_ints(op, MR_ATTR_permutation);
  p->rank = operand->rank;
  p->flat = false;
  for (uint32_t d = 0; d < operand->rank; d++) {
    p->at[permutation.data[d]] = from->at[d];
  }
}

// Dimensions that keep their size keep their coordinate.
static void window_at(fuse_point *p, const fuse_point *from, const mr_type *type, const mr_type *operand) {
  p->rank = operand->rank;
  p->flat = false;
  for (uint32_t d = 0; d < operand->rank; d++) {
    p->at[d] = operand->dims[d] == 1 ? FUSE_ONE : operand->dims[d] == type->dims[d] ? from->at[d] : FUSE_OTHER;
  }
}

static void reverse_at(fuse_point *p, const mr_op *op) {
  mr_ints dims = mr_op_ints(op, MR_ATTR_dimensions);
  p->flat = false;
  for (size_t i = 0; i < dims.size; i++) {
    if (p->at[dims.data[i]] != FUSE_ONE) {
      p->at[dims.data[i]] = FUSE_OTHER;
    }
  }
}

// The indices of a gather follow its batch coordinates.
static void gather_indices_at(fuse_point *p, const fuse_point *from, const mr_op *op, const mr_type *operand) {
  mr_ints offset = mr_op_ints(op, MR_ATTR_offset_dims);
  int64_t vector_dim = mr_op_int(op, MR_ATTR_index_vector_dim, 0);
  uint32_t d = 0;
  p->rank = operand->rank;
  p->flat = false;
  for (uint32_t k = 0; k < operand->rank; k++) {
    p->at[k] = operand->dims[k] == 1 ? FUSE_ONE : FUSE_OTHER;
    if (k == (uint32_t)vector_dim) {
      continue;
    }
    while (d < from->rank && mr_ints_has(offset, d)) {
      d++;
    }
    if (d < from->rank && operand->dims[k] != 1) {
      p->at[k] = from->at[d];
    }
    d++;
  }
}

static void reduce_at(fuse_group *g, fuse_point *p, const fuse_point *from, const mr_op *op, const mr_type *operand) {
  mr_ints dims = mr_op_ints(op, MR_ATTR_dimensions);
  uint32_t kept = 0;
  p->rank = operand->rank;
  p->flat = false;
  for (uint32_t d = 0; d < operand->rank; d++) {
    if (mr_ints_has(dims, d)) {
      p->at[d] = operand->dims[d] == 1 ? FUSE_ONE : (int16_t)(FUSE_REDUCED + g->num_loops++);
    } else {
      p->at[d] = operand->dims[d] == 1 ? FUSE_ONE : from->at[kept];
      kept++;
    }
  }
  p->count = from->count * mr_fuse_trips(op);
}

static void trailing_at(fuse_point *p, const fuse_point *from, const mr_type *type, const mr_type *operand) {
  p->rank = operand->rank;
  p->flat = false;
  for (uint32_t d = 0; d < operand->rank; d++) {
    p->at[d] = from->at[type->rank - operand->rank + d];
  }
}

// ---- The column of ops.def -----------------------------------------------------------------------------------------

// Fills `p`, which is as `from` but of no user yet, for operand `slot`. False: the operand must be in memory.
typedef bool (*rule)(fuse_group *g, fuse_point *p, const fuse_point *from, const mr_op *op, uint32_t slot);

// What an op reads and what it makes.
static const mr_type *operand_of(const mr_op *op, uint32_t slot) { return &mr_op_operand(op, slot)->type; }
static const mr_type *result_of(const mr_op *op) { return &op->results[0].type; }

#define RULE(name) \
  static bool places_##name(fuse_group *g, fuse_point *p, const fuse_point *from, const mr_op *op, uint32_t slot)
#define UNUSED() ((void)g, (void)p, (void)from, (void)op, (void)slot)

RULE(same) {
  UNUSED();
  return true;
}

RULE(broadcast_in_dim) {
  UNUSED();
  broadcast_at(p, from, op, operand_of(op, slot));
  return true;
}

RULE(broadcast) {
  UNUSED();
  trailing_at(p, from, result_of(op), operand_of(op, slot));
  return true;
}

RULE(reshape) {
  UNUSED();
  reshape_at(p, from, result_of(op), operand_of(op, slot));
  return true;
}

RULE(transpose) {
  UNUSED();
  transpose_at(p, from, op, operand_of(op, slot));
  return true;
}

RULE(slice) {
  UNUSED();
  window_at(p, from, result_of(op), operand_of(op, slot));
  return true;
}

// The operand is a part of the result.
RULE(part) {
  UNUSED();
  const mr_type *operand = operand_of(op, slot), *type = result_of(op);
  window_at(p, from, type, operand);
  p->count *= (double)mr_type_count(operand) / (double)mr_type_count(type);
  return true;
}

RULE(update) {
  if (slot == 0) {
    return false;
  }
  return !mr_fuse_updates_constant(op) || places_part(g, p, from, op, slot);
}

RULE(reverse) {
  UNUSED();
  reverse_at(p, op);
  return true;
}

RULE(gather) {
  UNUSED();
  if (slot == 0) {
    unknown_at(p, operand_of(op, slot));
  } else {
    gather_indices_at(p, from, op, operand_of(op, slot));
  }
  return true;
}

RULE(bitcast) {
  UNUSED();
  if (operand_of(op, slot)->rank != result_of(op)->rank) {
    unknown_at(p, operand_of(op, slot));
  }
  return true;
}

RULE(reduce) {
  UNUSED();
  reduce_at(g, p, from, op, operand_of(op, slot));
  return true;
}

// Many elements of the operand for one of the op's own.
RULE(many) {
  UNUSED();
  unknown_at(p, operand_of(op, slot));
  p->count = from->count * mr_fuse_trips(op);
  return true;
}

RULE(window) { return mr_lower_is_scan(op) || places_many(g, p, from, op, slot); }

RULE(select_and_scatter) { return slot == 1 || places_many(g, p, from, op, slot); }

RULE(scatter) {
  UNUSED();
  uint32_t inputs = op->num_results;
  if (slot == inputs) {
    unknown_at(p, operand_of(op, slot));
    p->count = MR_FUSE_SCATTER_SHARES * (double)mr_type_count(operand_of(op, slot));
  }
  return slot >= inputs;
}

#define places_NONE NULL
static const rule rules[MR_OP_COUNT] = {
#define OP(name, spelling, operands, results, class, rule, regions, types, cost, code, hlo, effect, fold, simplify, \
           rewrite, complex, element, root, fusion, library, places, ...)                                           \
  [MR_OP_##name] = places_##places,
#include "ops/ops.def"
};
#undef places_NONE
#undef RULE
#undef UNUSED

static bool derive(fuse_group *g, fuse_point *p, const fuse_point *from, const mr_op *op, uint32_t slot) {
  p->count = from->count;
  if (operand_of(op, slot)->rank == 0) {
    scalar_at(p);
    return !(op->kind == MR_OP_dynamic_update_slice && slot == 0);
  }
  p->rank = from->rank;
  p->flat = from->flat;
  memcpy(p->at, from->at, sizeof p->at);
  return !rules[op->kind] || rules[op->kind](g, p, from, op, slot);
}

static bool same_place(const fuse_point *a, const fuse_point *b) {
  return !a->opaque && !b->opaque && a->rank == b->rank && memcmp(a->at, b->at, a->rank * sizeof a->at[0]) == 0;
}

// Inside the group's own loops only: computed as often as the loops down to the innermost one that it depends on run.
static void count_plain(const fuse_group *g, fuse_point *p) {
  int32_t deepest = -1;
  for (uint32_t d = 0; d < p->rank; d++) {
    if (p->at[d] >= FUSE_REDUCED) {
      return;
    }
    deepest = MR_MAX(deepest, p->at[d]);
  }
  double count = 1;
  for (int32_t d = 0; d <= deepest; d++) {
    count *= (double)g->space->dims[d];
  }
  p->count = MR_MIN(p->count, count);
}

uint32_t mr_fuse_point_of(fuser *f, fuse_group *g, const mr_op *user, uint32_t slot, uint32_t point) {
  for (uint32_t i = 0; i < g->num_points; i++) {
    if (g->points[i].user == user && g->points[i].slot == slot && g->points[i].parent == point) {
      return i;
    }
  }
  fuse_point *p = mr_fuse_new_point(f, g);
  if (!p) {
    return UINT32_MAX;
  }
  fuse_point from = g->points[point];
  uint32_t loops = g->num_loops, index = g->num_points - 1;
  // All operands of a reduction are walked by the same loops.
  if (user->kind == MR_OP_reduce && slot > 0 && slot < user->num_results) {
    g->num_points--;
    return mr_fuse_point_of(f, g, user, 0, point);
  }
  if (!derive(g, p, &from, user, slot)) {
    g->num_points--;
    g->num_loops = loops;
    return UINT32_MAX;
  }
  p->user = user;
  p->slot = slot;
  p->parent = point;
  for (uint32_t d = 0; d < p->rank; d++) {
    p->opaque = p->opaque || p->at[d] == FUSE_OTHER;
  }
  if (!p->opaque) {
    count_plain(g, p);
  }
  for (uint32_t i = 0; i < index; i++) {
    if (!same_place(&g->points[i], p)) {
      continue;
    }
    g->num_points--;
    return i;
  }
  return index;
}

uint32_t mr_fuse_row_depth(const fuse_group *g, const fuse_point *p, bool *out_all) {
  uint32_t next = 0, depth = 0;
  *out_all = false;
  if (p->opaque) {
    return UINT32_MAX;
  }
  for (uint32_t d = 0; d < p->rank; d++) {
    if (p->at[d] == FUSE_ONE) {
      continue;
    }
    while (next < g->space->rank && g->space->dims[next] == 1) {
      next++;
    }
    if (next == g->space->rank || p->at[d] != (int16_t)next) {
      return UINT32_MAX;
    }
    next++;
    depth++;
  }
  while (next < g->space->rank && g->space->dims[next] == 1) {
    next++;
  }
  *out_all = next == g->space->rank;
  return depth;
}
