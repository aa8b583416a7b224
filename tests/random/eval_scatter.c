// scatter in the evaluator: updates in order of their index, those outside left out.
#include <string.h>

#include "tests/random/fold.h"

typedef struct places {
  mr_ints window, inserted, own, theirs, map;
  int64_t vector_dim;
} places;

static bool has(mr_ints list, int64_t n) {
  for (size_t i = 0; i < list.size; i++) {
    if (list.data[i] == n) {
      return true;
    }
  }
  return false;
}

static places places_of(const mr_op *op) {
  return (places){
      mr_op_ints(op, MR_ATTR_update_window_dims),           mr_op_ints(op, MR_ATTR_inserted_window_dims),
      mr_op_ints(op, MR_ATTR_input_batching_dims),          mr_op_ints(op, MR_ATTR_scatter_indices_batching_dims),
      mr_op_ints(op, MR_ATTR_scatter_dims_to_operand_dims), mr_op_int(op, MR_ATTR_index_vector_dim, 0)};
}

static cell index_at(const places *p, const tensor *indices, const int64_t *scatter, int64_t k) {
  int64_t at[MR_MAX_RANK];
  uint32_t from = 0;
  for (uint32_t d = 0; d < indices->type.rank; d++) {
    at[d] = d == p->vector_dim ? k : scatter[from++];
  }
  return indices->cells[flat_of(&indices->type, at)];
}

// Where an update goes: 1, that it goes nowhere: 0, that nobody knows: -1. The whole window has to fit.
static int place_of(const places *p, const mr_type *type, const tensor *indices, const mr_type *updates,
                    const int64_t *at, int64_t *out_to) {
  int64_t scatter[MR_MAX_RANK], start[MR_MAX_RANK] = {0};
  uint32_t scatters = 0, next = 0;
  for (uint32_t d = 0; d < updates->rank; d++) {
    if (!has(p->window, d)) {
      scatter[scatters++] = at[d];
    }
  }
  for (size_t k = 0; k < p->map.size; k++) {
    cell c = index_at(p, indices, scatter, (int64_t)k);
    if (!cell_is_sure(c)) {
      return -1;
    }
    real most = 1e6;
    start[p->map.data[k]] = (int64_t)(c.v < -most ? -most : c.v > most ? most : c.v);
  }
  for (size_t k = 0; k < p->own.size; k++) {
    int64_t d = p->theirs.data[k];
    start[p->own.data[k]] = scatter[d - (d > p->vector_dim)];
  }
  for (uint32_t d = 0; d < type->rank; d++) {
    int64_t offset = 0, size = 1;
    if (!has(p->inserted, d) && !has(p->own, d)) {
      offset = at[p->window.data[next]], size = updates->dims[p->window.data[next]];
      next++;
    }
    if (start[d] < 0 || start[d] + size > type->dims[d]) {
      return 0;
    }
    out_to[d] = start[d] + offset;
  }
  return 1;
}

typedef struct target {
  fold f;
  int64_t hits;
} target;

static void scatter_one(evaluator *ev, const mr_op *op, tensor *const *results, target *targets, int64_t to,
                        int64_t from) {
  uint32_t n = op->num_results;
  const mr_block *block = op->regions[0];
  tensor *accumulators[8], *elements[8];
  for (uint32_t k = 0; k < n; k++) {
    accumulators[k] = scalar_of(ev, &block->args[k]->type, results[k], to);
    elements[k] = scalar_of(ev, &block->args[n + k]->type, operand_of(ev, op, n + 1 + k), from);
  }
  if (targets[to].hits++ == 0) {
    fold_begin(&targets[to].f, block, n);
  }
  fold_step(ev, &targets[to].f, accumulators, elements);
  for (uint32_t k = 0; k < n && !ev->gave_up; k++) {
    memcpy(results[k]->cells + to * results[k]->parts, accumulators[k]->cells,
           sizeof(cell) * (size_t)results[k]->parts);
  }
}

static void forget(const mr_op *op, tensor *const *results) {
  for (uint32_t k = 0; k < op->num_results; k++) {
    all_anything(results[k]);
  }
}

// With several updates of one element: any order, if the region says that it does not matter; else nobody knows.
static void settle(const mr_op *op, tensor *const *results, const target *targets) {
  for (int64_t i = 0; i < results[0]->count; i++) {
    if (targets[i].hits < 2) {
      continue;
    }
    for (uint32_t k = 0; k < op->num_results; k++) {
      tensor one = *results[k];
      one.cells += i * one.parts;
      bool unique = mr_op_int(op, MR_ATTR_unique_indices, 0) != 0;
      if (targets[i].f.kind == MR_OP_COUNT || unique) {
        one.count = 1;
        all_anything(&one);
      } else {
        fold_end(&targets[i].f, &one);
      }
    }
  }
}

// Over several devices an element without an update meets the neutral element of those that have other elements' updates: arithmetic,
// which does not keep the bits of a subnormal number (nor does XLA:CPU's there).
static void meet_neutral(evaluator *ev, const mr_op *op, tensor *const *results, const target *targets) {
  fold f;
  fold_begin(&f, op->regions[0], op->num_results);
  if (!ev->module->meshes || (f.kind != MR_OP_add && f.kind != MR_OP_multiply)) {
    return;
  }
  for (int64_t i = 0; i < results[0]->count; i++) {
    for (int p = 0; targets[i].hits == 0 && p < results[0]->parts; p++) {
      cell *c = &results[0]->cells[i * results[0]->parts + p];
      *c = cell_operand(results[0]->type.dtype, *c);
    }
  }
}

bool evaluate_scatter_op(evaluator *ev, const mr_op *op, tensor *const *results) {
  if (op->kind != MR_OP_scatter) {
    return false;
  }
  uint32_t n = op->num_results;
  places p = places_of(op);
  const tensor *indices = operand_of(ev, op, n), *updates = operand_of(ev, op, n + 1);
  target *targets = mr_arena_array(&ev->arena, target, results[0]->count + 1);
  if (n > 8 || !targets) {
    give_up(ev, "a wide scatter");
    return true;
  }
  memset(targets, 0, sizeof *targets * (size_t)(results[0]->count + 1));
  for (uint32_t k = 0; k < n; k++) {
    memcpy(results[k]->cells, operand_of(ev, op, k)->cells,
           sizeof(cell) * (size_t)(results[k]->count * results[k]->parts));
  }
  for (int64_t i = 0; i < updates->count && !ev->gave_up; i++) {
    int64_t at[MR_MAX_RANK], to[MR_MAX_RANK];
    index_of(&updates->type, i, at);
    int place = place_of(&p, &results[0]->type, indices, &updates->type, at, to);
    if (place < 0) {
      forget(op, results);
      return true;
    }
    if (place) {
      scatter_one(ev, op, results, targets, flat_of(&results[0]->type, to), i);
    }
  }
  if (!ev->gave_up) {
    settle(op, results, targets);
    meet_neutral(ev, op, results, targets);
  }
  return true;
}
