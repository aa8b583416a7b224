// Slices at places that are known when the program runs, along dimensions that are cut: who has an element gives it, or takes it.
//
// A window of one element is at one device. A longer one may lie across two: the part is lengthened by a window on both sides, so
// that what the device does not have is read as zeros, or written where it is cut off.
#include <string.h>

#include "compiler/shard/partition.h"

typedef struct dynamic {
  mr_op *op;
  const mr_type *array, *window;
  uint32_t first_index;  // of the operands
  mr_tiling tiling;      // of the array
  uint64_t owned;        // dimensions that are cut and that a place counts in
  bool single;           // windows have one element along each of these
} dynamic;

static void lay(dynamic *s, const mr_tiling *tiling) {
  s->tiling = *tiling;
  s->single = true;
  for (uint32_t d = 0; d < s->array->rank; d++) {
    if (s->array->dims[d] != s->window->dims[d] && tiling->dims[d].count) {
      s->owned |= UINT64_C(1) << d;
      s->single = s->single && s->window->dims[d] == 1;
    }
  }
}

static bool is_plain(const mr_type *type) {
  return type->kind == MR_TYPE_TENSOR && mr_type_is_static(type) && !type->quant && mr_type_count(type) > 0;
}

// The window's tiling: whole along what places count in.
static mr_tiling window_tiling(const dynamic *s) {
  mr_tiling tiling = s->tiling;
  for (uint32_t d = 0; d < tiling.rank; d++) {
    if (s->owned >> d & 1) {
      tiling.dims[d] = (mr_atoms){0};
    }
  }
  return tiling;
}

static mr_value *number(mr_part *p, int64_t value) {
  mr_type scalar = mr_type_scalar(MR_S64);
  return mr_build_splat_int(&p->b, &scalar, value);
}

// Where the window begins in the whole dimension, s64, inside of it.
static mr_value *begin_of(mr_part *p, const dynamic *s, uint32_t d) {
  int64_t most = s->array->dims[d] - s->window->dims[d];
  mr_value *at = mr_part_get_replicated(p, mr_op_operand(s->op, s->first_index + d));
  if (at && at->type.dtype == MR_U64) {
    at = mr_build_binary(&p->b, MR_OP_minimum, at, mr_build_splat_int(&p->b, &at->type, most));
  }
  at = at ? mr_build_convert(&p->b, at, MR_S64) : NULL;
  at = mr_build_binary(&p->b, MR_OP_maximum, at, number(p, 0));
  return mr_build_binary(&p->b, MR_OP_minimum, at, number(p, most));
}

// The same counted from the beginning of the device's part.
static mr_value *relative(mr_part *p, const dynamic *s, uint32_t d, int64_t local) {
  mr_value *shard = mr_build_convert(&p->b, mr_spread_index(&p->spread, &s->tiling.dims[d]), MR_S64);
  mr_value *offset = mr_build_binary(&p->b, MR_OP_multiply, shard, number(p, local));
  return mr_build_binary(&p->b, MR_OP_subtract, begin_of(p, s, d), offset);
}

// Places for an op on the part, one for each dimension. *out_inside: whether the device has the element, when windows have one; else NULL.
static mr_status places(mr_part *p, const dynamic *s, const mr_type *local, mr_value **out, mr_value **out_inside) {
  enum { LT = 5, GE = 2, SIGNED = 3 };
  *out_inside = NULL;
  for (uint32_t d = 0; d < s->array->rank; d++) {
    bool cut = s->owned >> d & 1, whole = s->array->dims[d] == s->window->dims[d];
    out[d] = whole ? number(p, 0) : cut ? relative(p, s, d, local->dims[d]) : begin_of(p, s, d);
    if (cut && !s->single) {
      out[d] = mr_build_binary(&p->b, MR_OP_add, out[d], number(p, s->window->dims[d]));
    } else if (cut) {
      mr_value *low = mr_build_compare(&p->b, GE, SIGNED, out[d], number(p, 0));
      mr_value *high = mr_build_compare(&p->b, LT, SIGNED, out[d], number(p, local->dims[d]));
      mr_value *inside = mr_build_binary(&p->b, MR_OP_and, low, high);
      *out_inside = *out_inside ? mr_build_binary(&p->b, MR_OP_and, *out_inside, inside) : inside;
    }
  }
  return mr_module_memory(p->module);
}

// The part with a window's length of zeros on both sides of what places count in.
static mr_value *lengthened(mr_part *p, const dynamic *s, mr_value *part) {
  for (uint32_t d = 0; part && !s->single && d < s->array->rank; d++) {
    if (s->owned >> d & 1) {
      int64_t dims[MR_MAX_RANK];
      memcpy(dims, part->type.dims, part->type.rank * sizeof *dims);
      dims[d] = s->window->dims[d];
      mr_type type = mr_type_tensor(p->module, part->type.dtype, part->type.rank, dims);
      mr_value *zeros = mr_part_nothing(p, &type);
      part = zeros ? mr_build_concatenate(&p->b, 3, (mr_value *[]){zeros, part, zeros}, d) : NULL;
    }
  }
  return part;
}

static mr_value *shortened(mr_part *p, const dynamic *s, mr_value *part, const mr_type *local) {
  for (uint32_t d = 0; part && !s->single && d < s->array->rank; d++) {
    if (s->owned >> d & 1) {
      int64_t before = s->window->dims[d];
      part = mr_build_slice_dim(&p->b, part, d, before, before + local->dims[d]);
    }
  }
  return part;
}

static mr_value *where(mr_part *p, mr_value *inside, mr_value *x, mr_value *otherwise) {
  mr_type predicate = x ? mr_type_with_dtype(&x->type, MR_PRED) : (mr_type){0};
  return x && inside ? mr_build_select(&p->b, mr_build_spread(&p->b, inside, &predicate), x, otherwise) : x;
}

// ---- Slices -------------------------------------------------------------------------------------------------------------------

mr_status mr_local_dynamic_slice(mr_part *p, mr_op *op, bool *out_done) {
  dynamic s = {.op = op, .array = &mr_op_operand(op, 0)->type, .window = &op->results[0].type, .first_index = 1};
  if (!is_plain(s.array) || !is_plain(s.window)) {
    return MR_OK;
  }
  mr_tiling has = mr_part_tiling(p, mr_op_operand(op, 0)), wanted;
  bool summed = mr_part_wanted(p, &op->results[0], &wanted) && wanted.unreduced;
  lay(&s, &has);
  mr_tiling apart = window_tiling(&s), together = apart;
  apart.unreduced = mr_tiling_mask(&has) & ~mr_tiling_mask(&apart);
  if (!s.owned || has.unreduced || has.order || summed || mr_part_is_free(mr_op_operand(op, 0)) ||
      mr_part_cost(p, mr_op_operand(op, 0), &together) <= mr_reshard_cost(&p->spread, s.window, &apart, &together)) {
    return MR_OK;
  }
  mr_value *part = mr_part_get(p, mr_op_operand(op, 0), &s.tiling), *at[MR_MAX_RANK], *inside;
  MR_TRY(mr_module_memory(p->module));
  MR_TRY(places(p, &s, &part->type, at, &inside));
  mr_type type = mr_part_local_type(p, s.window, &together);
  mr_value *window = mr_build_dynamic_slice(&p->b, lengthened(p, &s, part), at, type.dims);
  window = where(p, inside, window, mr_part_nothing(p, &type));
  MR_TRY(mr_module_memory(p->module));
  mr_part_put_together(p, &op->results[0], window, &apart);
  *out_done = true;
  return mr_module_memory(p->module);
}

// ---- Updates ------------------------------------------------------------------------------------------------------------------

mr_status mr_local_dynamic_update_slice(mr_part *p, mr_op *op, bool *out_done) {
  dynamic s = {.op = op, .array = &op->results[0].type, .window = &mr_op_operand(op, 1)->type, .first_index = 2};
  if (!is_plain(s.array) || !is_plain(s.window)) {
    return MR_OK;
  }
  mr_tiling tiling;
  if (!mr_part_wanted(p, &op->results[0], &tiling)) {
    tiling = mr_part_tiling(p, mr_op_operand(op, 0));
  }
  lay(&s, &tiling);
  if (!s.owned || tiling.unreduced || tiling.order) {
    return MR_OK;
  }
  mr_tiling window = window_tiling(&s);
  mr_value *part = mr_part_get(p, mr_op_operand(op, 0), &tiling), *at[MR_MAX_RANK], *inside;
  mr_value *update = mr_part_get(p, mr_op_operand(op, 1), &window);
  MR_TRY(mr_module_memory(p->module));
  mr_type local = part->type;
  MR_TRY(places(p, &s, &local, at, &inside));
  update = where(p, inside, update, inside ? mr_build_dynamic_slice(&p->b, part, at, update->type.dims) : NULL);
  mr_value *made = mr_build_dynamic_update_slice(&p->b, lengthened(p, &s, part), update, at);
  mr_value *result = made ? shortened(p, &s, made, &local) : NULL;
  MR_TRY(mr_module_memory(p->module));
  mr_part_set(p, &op->results[0], result, &tiling);
  *out_done = true;
  return MR_OK;
}
