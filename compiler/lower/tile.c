// Transposing a tile in local memory. A square of 2^k by 2^k elements is transposed by rotating the bits of the element
// numbers by k; interleaving the quarters of an array rotates by two, and vectorises into shuffles.
#include "compiler/lower/nest.h"

static bool is_staged(const mr_nest *nest, const mr_access *a, uint32_t other) {
  const mr_group *last = &nest->groups[nest->num_groups - 1], *t = &nest->groups[other];
  if (a->operand >= nest->lw->op->num_operands) {
    return false;
  }
  if (mr_dtype_is_complex(mr_op_operand(nest->lw->op, a->operand)->type.dtype)) {
    return false;
  }
  uint64_t known = 0;
  for (uint32_t g = 0; g < nest->num_groups; g++) {
    known |= nest->groups[g].at->vars;
  }
  if (a->at->vars & ~known) {
    return false;  // inside of a reduction
  }
  for (uint32_t i = 0; i < a->at->num_terms; i++) {
    if (a->at->terms[i].atom->kind == MR_IX_DYN) {
      return false;
    }
  }
  int64_t along = mr_ix_coef(a->at, t->inner), across = mr_ix_coef(a->at, last->inner);
  return (along == 1 || along == -1) && across != 0 && across != 1 && across != -1 &&
         mr_ix_is_linear_in(a->at, t->inner) && mr_ix_is_linear_in(a->at, last->inner);
}

bool mr_tile_can_stage(const mr_nest *nest, uint32_t other) {
  for (uint32_t i = 0; i < nest->record.num_accesses; i++) {
    if (is_staged(nest, &nest->record.accesses[i], other)) {
      return true;
    }
  }
  return false;
}

// to[4i + k] = from[i + k * count / 4]
static void interleave(mr_lower *lw, mr_lbuf to, mr_lbuf from) {
  int64_t quarter = MR_TILE * MR_TILE / 4;
  mr_loop_program *p = lw->p;
  mr_lv i = mr_l_for(p, mr_l_index(p, 0), mr_l_index(p, quarter), 1, MR_L_INDEPENDENT);
  mr_lv base = mr_l_imul(p, i, mr_l_index(p, 4)), v[4];
  for (int k = 0; k < 4; k++) {
    v[k] = mr_l_load(p, from, mr_l_iadd(p, i, mr_l_index(p, k * quarter)));
  }
  for (int k = 0; k < 4; k++) {
    mr_l_store(p, to, mr_l_iadd(p, base, mr_l_index(p, k)), v[k]);
  }
  mr_l_end(p);
}

// The first pass straight from memory: rows 4k + q of the tile, for k = 0..3, are in the four quarters of the array.
static void load_quarters(mr_nest *nest, const mr_access *a, uint32_t other, mr_lbuf to) {
  mr_lower *lw = nest->lw;
  const mr_ix *row = nest->groups[nest->num_groups - 1].inner, *column = nest->groups[other].inner;
  mr_dtype dtype = mr_op_operand(lw->op, a->operand)->type.dtype;
  int64_t step = mr_ix_coef(a->at, row);
  const mr_ix *first = mr_ix_sub(&lw->ix, a->at, mr_ix_scale(&lw->ix, row, step));
  for (int q = 0; q < MR_TILE / 4; q++) {
    mr_lw_count(lw, column, MR_TILE, MR_L_INDEPENDENT);
    mr_lv base = mr_lw_ix(lw, mr_ix_plus(&lw->ix, mr_ix_scale(&lw->ix, column, 4), (int64_t)q * 4 * MR_TILE)), v[4];
    for (int k = 0; k < 4; k++) {
      v[k] = mr_lw_load(lw, a->operand, dtype, mr_ix_plus(&lw->ix, first, step * (MR_TILE / 4 * k + q))).re;
    }
    for (int k = 0; k < 4; k++) {
      mr_l_store(lw->p, to, mr_l_iadd(lw->p, base, mr_l_index(lw->p, k)), v[k]);
    }
    mr_lw_end(lw);
  }
}

// As it lies: rows that would fall on one set of the cache lie side by side, and are read across. For narrow elements,
// whose shuffles come out as single moves.
static mr_staged stage_copy(mr_nest *nest, const mr_access *a, uint32_t other) {
  mr_lower *lw = nest->lw;
  const mr_ix *row = nest->groups[nest->num_groups - 1].inner, *column = nest->groups[other].inner;
  mr_dtype dtype = mr_op_operand(lw->op, a->operand)->type.dtype;
  mr_lbuf held = mr_l_local(lw->p, dtype, MR_TILE * MR_TILE);
  const mr_ix *place = mr_ix_add(&lw->ix, mr_ix_scale(&lw->ix, row, MR_TILE), column);
  mr_lw_count(lw, row, MR_TILE, 0);
  mr_lw_count(lw, column, MR_TILE, MR_L_INDEPENDENT);
  mr_l_store(lw->p, held, mr_lw_ix(lw, place), mr_lw_load(lw, a->operand, dtype, a->at).re);
  mr_lw_end(lw);
  mr_lw_end(lw);
  return (mr_staged){a->operand, a->at, held, place};
}

static mr_staged stage_shuffled(mr_nest *nest, const mr_access *a, uint32_t other) {
  mr_lower *lw = nest->lw;
  const mr_ix *row = nest->groups[nest->num_groups - 1].inner, *column = nest->groups[other].inner;
  mr_dtype dtype = mr_op_operand(lw->op, a->operand)->type.dtype;
  mr_lbuf first = mr_l_local(lw->p, dtype, MR_TILE * MR_TILE), second = mr_l_local(lw->p, dtype, MR_TILE * MR_TILE);
  load_quarters(nest, a, other, second);
  interleave(lw, first, second);
  return (mr_staged){a->operand, a->at, first, mr_ix_add(&lw->ix, mr_ix_scale(&lw->ix, column, MR_TILE), row)};
}

void mr_tile_stage(mr_nest *nest, uint32_t other) {
  mr_lower *lw = nest->lw;
  double trips = lw->trips;
  for (uint32_t i = 0; i < nest->record.num_accesses && lw->num_staged < MR_LW_STAGED; i++) {
    const mr_access *a = &nest->record.accesses[i];
    if (!is_staged(nest, a, other)) {
      continue;
    }
    bool narrow = mr_dtype_bytes(mr_op_operand(lw->op, a->operand)->type.dtype) < 4;
    lw->trips = 0;  // the body counts the loads
    mr_staged staged = narrow ? stage_copy(nest, a, other) : stage_shuffled(nest, a, other);
    lw->staged[lw->num_staged++] = staged;
  }
  lw->trips = trips;
}
