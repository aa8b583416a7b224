// Reductions of columns: a block of neighbouring results at once, so that memory is read along its rows. Reductions over
// the same positions that do not need each other go through memory together.
#include <string.h>

#include "compiler/lower/nest.h"
#include "compiler/lower/tuning.h"

typedef struct block {
  const mr_demand *demand;
  mr_red_memory memory;  // accumulators
  mr_elem *acc, *terms;
} block;

typedef struct blocks {
  mr_lower *lw;
  const mr_group *group;
  mr_lv count;
  int64_t size;
  mr_red reds[MR_LOWER_MOST_TOGETHER];
  block list[MR_LOWER_MOST_TOGETHER], parts[MR_LOWER_MOST_TOGETHER];
  mr_index ats[MR_LOWER_MOST_TOGETHER];
  uint32_t n;
} blocks;

static mr_lbuf local_part(mr_lower *lw, mr_dtype dtype, bool imaginary, int64_t count) {
  if (imaginary && !mr_dtype_is_complex(dtype)) {
    return 0;
  }
  return mr_l_local(lw->p, mr_dtype_real(dtype), count);
}

static void start(blocks *s, uint32_t k) {
  mr_lower *lw = s->lw;
  const mr_red *red = &s->reds[k];
  block *b = &s->list[k];
  b->memory.re = mr_lw_alloc(lw, (red->n + 1) * sizeof *b->memory.re);
  b->memory.im = mr_lw_alloc(lw, (red->n + 1) * sizeof *b->memory.im);
  b->acc = mr_lw_alloc(lw, (red->n + 1) * sizeof *b->acc);
  b->terms = mr_lw_alloc(lw, (red->n + 1) * sizeof *b->terms);
  mr_red_initial(lw, red, b->acc);
  for (uint32_t i = 0; i < red->n; i++) {
    b->memory.re[i] = local_part(lw, red->acc[i], false, s->size);
    b->memory.im[i] = local_part(lw, red->acc[i], true, s->size);
    mr_l_fill(lw->p, b->memory.re[i], mr_l_index(lw->p, 0), s->count, b->acc[i].re);
    if (mr_dtype_is_complex(red->acc[i])) {
      mr_l_fill(lw->p, b->memory.im[i], mr_l_index(lw->p, 0), s->count, b->acc[i].im);
    }
  }
}

// One position's terms into the accumulators `re`, `im` of each reduction, along the block.
static void join_row(blocks *s, const mr_red_loops *loops, bool partial) {
  mr_lower *lw = s->lw;
  mr_lw_for(lw, s->group->inner, mr_l_index(lw->p, 0), s->count, 1, MR_L_INDEPENDENT, (double)s->size);
  mr_lv j = mr_lw_ix(lw, s->group->inner);
  for (uint32_t k = 0; k < s->n; k++) {
    const mr_red *red = &s->reds[k];
    block *b = partial ? &s->parts[k] : &s->list[k];
    mr_red_terms(lw, red, s->ats[k], loops->r, b->terms);
    for (uint32_t i = 0; i < red->n; i++) {
      b->acc[i] = mr_red_load(lw, red, &b->memory, i, j);
    }
    mr_red_join(lw, red, b->acc, b->terms, b->acc);
    for (uint32_t i = 0; i < red->n; i++) {
      mr_red_store(lw, red, &b->memory, i, j, b->acc[i]);
    }
  }
  mr_lw_end(lw);
}

// Long sums of floats are added up in stretches of rows: the error grows with the length of a stretch and their number
// rather than with the product.
static bool wants_stretches(const blocks *s, const mr_red_loops *loops) {
  if (loops->n == 0 || loops->count[loops->n - 1] < 4 * MR_LOWER_STRETCH) {
    return false;
  }
  for (uint32_t k = 0; k < s->n; k++) {
    const mr_red *red = &s->reds[k];
    if (red->simple != MR_OP_add || !mr_dtype_is_float(red->acc[0])) {
      return false;
    }
  }
  return true;
}

static void add_stretch(blocks *s) {
  mr_lower *lw = s->lw;
  mr_lw_for(lw, s->group->inner, mr_l_index(lw->p, 0), s->count, 1, MR_L_INDEPENDENT, (double)s->size);
  mr_lv j = mr_lw_ix(lw, s->group->inner);
  for (uint32_t k = 0; k < s->n; k++) {
    const mr_red *red = &s->reds[k];
    mr_elem sum = mr_red_load(lw, red, &s->list[k].memory, 0, j),
            part = mr_red_load(lw, red, &s->parts[k].memory, 0, j);
    mr_red_store(lw, red, &s->list[k].memory, 0, j, mr_lw_binary(lw, MR_OP_add, red->acc[0], sum, part, 0));
  }
  mr_lw_end(lw);
}

static void accumulate_stretches(blocks *s, const mr_red_loops *loops) {
  mr_lower *lw = s->lw;
  mr_loop_program *p = lw->p;
  uint32_t last = loops->n - 1;
  int64_t rows = loops->count[last];
  for (uint32_t k = 0; k < s->n; k++) {
    s->parts[k] = s->list[k];
    s->parts[k].memory.re = mr_lw_alloc(lw, sizeof *s->parts[k].memory.re);
    s->parts[k].memory.re[0] = local_part(lw, s->reds[k].acc[0], false, s->size);
  }
  const mr_ix *stretch = mr_ix_loop(&lw->ix, lw->next_bit++, 0, rows - 1);
  mr_lw_for(lw, stretch, mr_l_index(p, 0), mr_l_index(p, rows), MR_LOWER_STRETCH, 0, (double)rows / MR_LOWER_STRETCH);
  for (uint32_t k = 0; k < s->n; k++) {
    mr_l_fill(p, s->parts[k].memory.re[0], mr_l_index(p, 0), s->count, mr_l_float(p, s->reds[k].acc[0], 0));
  }
  mr_lv from = mr_lw_ix(lw, stretch);
  mr_lv to = mr_l_imin(p, mr_l_iadd(p, from, mr_l_index(p, MR_LOWER_STRETCH)), mr_l_index(p, rows));
  mr_lw_for(lw, loops->loop[last], from, to, 1, 0, MR_LOWER_STRETCH);
  join_row(s, loops, true);
  mr_lw_end(lw);
  add_stretch(s);
  mr_lw_end(lw);
}

static void accumulate(blocks *s) {
  mr_lower *lw = s->lw;
  mr_red_loops loops = {0};
  mr_red_plan(lw, s->reds, s->ats, s->n, &loops);
  bool stretches = wants_stretches(s, &loops);
  uint32_t opened = stretches ? loops.n - 1 : loops.n;
  for (uint32_t i = 0; i < opened; i++) {
    mr_lw_count(lw, loops.loop[i], loops.count[i], 0);
  }
  if (stretches) {
    accumulate_stretches(s, &loops);
  } else {
    join_row(s, &loops, false);
  }
  for (uint32_t i = 0; i < opened; i++) {
    mr_lw_end(lw);
  }
}

// Accumulators become results of their type, in place when that is the same.
static void finish(blocks *s, uint32_t k) {
  mr_lower *lw = s->lw;
  const mr_red *red = &s->reds[k];
  const block *b = &s->list[k];
  for (uint32_t i = 0; i < red->n; i++) {
    mr_dtype to = red->op->results[i].type.dtype;
    mr_kept kept = {.value = &red->op->results[i], .at = s->ats[k], .re = b->memory.re[i], .im = b->memory.im[i]};
    if (to != red->acc[i]) {
      kept.re = local_part(lw, to, false, s->size);
      kept.im = local_part(lw, to, true, s->size);
      mr_lw_for(lw, s->group->inner, mr_l_index(lw->p, 0), s->count, 1, MR_L_INDEPENDENT, (double)s->size);
      mr_lv j = mr_lw_ix(lw, s->group->inner);
      mr_elem e = mr_red_result(lw, red, i, mr_red_load(lw, red, &b->memory, i, j));
      mr_l_store(lw->p, kept.re, j, e.re);
      if (mr_dtype_is_complex(to)) {
        mr_l_store(lw->p, kept.im, j, e.im);
      }
      mr_lw_end(lw);
    }
    uint32_t dims = 0;
    for (uint32_t d = 0; d < kept.at.n; d++) {
      if (!(kept.at.at[d]->vars & s->group->inner->vars)) {
        continue;
      }
      kept.dim = d;
      dims++;
    }
    if (dims == 1 && mr_ix_coef(kept.at.at[kept.dim], s->group->inner) == 1 &&
        mr_ix_is_linear_in(kept.at.at[kept.dim], s->group->inner)) {
      kept.base = mr_ix_sub(&lw->ix, kept.at.at[kept.dim], s->group->inner);
    } else {
      kept.dim = MR_LW_NO_DIM;
      kept.base = s->group->inner;
    }
    mr_lw_keep(lw, kept);
  }
}

// Whether `op` needs a result of `other`; ops seen are noted so that each is looked at once.
static bool needs(mr_lower *lw, const mr_op *op, const mr_op *other, const mr_op **seen, uint32_t *num_seen) {
  if (op == other) {
    return true;
  }
  for (uint32_t i = 0; i < *num_seen; i++) {
    if (seen[i] == op) {
      return false;
    }
  }
  if (*num_seen == 256) {
    return true;
  }
  seen[(*num_seen)++] = op;
  for (uint32_t i = 0; i < op->num_operands; i++) {
    const mr_value *x = mr_op_operand(op, i);
    if (x->def && mr_lw_operand(lw, x) == MR_LW_NO_OPERAND && needs(lw, x->def, other, seen, num_seen)) {
      return true;
    }
  }
  return false;
}

static bool same_positions(const mr_red *a, const mr_red *b) {
  return a->op->kind == MR_OP_reduce && b->op->kind == MR_OP_reduce && a->rank == b->rank &&
         memcmp(a->size, b->size, a->rank * sizeof a->size[0]) == 0 &&
         memcmp(a->dim, b->dim, a->rank * sizeof a->dim[0]) == 0;
}

static bool may_join(blocks *s, const mr_red *red) {
  if (s->n == MR_LOWER_MOST_TOGETHER) {
    return false;
  }
  for (uint32_t k = 0; k < s->n; k++) {
    const mr_op *seen[256];
    uint32_t num_seen = 0;
    if (!same_positions(&s->reds[k], red) || needs(s->lw, red->op, s->reds[k].op, seen, &num_seen)) {
      return false;
    }
  }
  return true;
}

static void flush(blocks *s) {
  if (s->n == 0) {
    return;
  }
  uint32_t bits = s->lw->next_bit;
  for (uint32_t k = 0; k < s->n; k++) {
    start(s, k);
  }
  accumulate(s);
  for (uint32_t k = 0; k < s->n; k++) {
    finish(s, k);
  }
  s->lw->next_bit = bits;
  s->n = 0;
}

void mr_blocks_emit(mr_nest *nest, const mr_demand *const *demands, uint32_t n, mr_lv count, int64_t size) {
  blocks *s = mr_lw_alloc(nest->lw, sizeof *s);
  if (!mr_lw_ok(nest->lw)) {
    return;
  }
  memset(s, 0, sizeof *s);
  s->lw = nest->lw;
  s->group = &nest->groups[nest->num_groups - 1];
  s->count = count;
  s->size = size;
  for (uint32_t i = 0; i < n; i++) {
    mr_red red;
    bool again = false;  // asked for from several places
    for (uint32_t k = 0; k < i; k++) {
      again =
          again || (demands[k]->value == demands[i]->value && demands[k]->at.n == demands[i]->at.n &&
                    memcmp(demands[k]->at.at, demands[i]->at.at, demands[i]->at.n * sizeof demands[i]->at.at[0]) == 0);
    }
    if (again || !mr_red_describe(s->lw, demands[i]->value->def, &red)) {
      continue;
    }
    if (!may_join(s, &red)) {
      flush(s);
    }
    s->reds[s->n] = red;
    s->list[s->n].demand = demands[i];
    s->ats[s->n++] = demands[i]->at;
  }
  flush(s);
}
