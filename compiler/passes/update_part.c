// What an expression over a large array is for a part of it.
#include "compiler/passes/simplify.h"
#include "compiler/passes/update.h"

// So many ops are made anew at the most.
enum { MOST_OPS = 24 };

typedef struct walk {
  mr_builder *b;
  const mr_update_part *part;
  uint32_t ops;
} walk;

static mr_type type_of_part(const walk *w, mr_dtype dtype) {
  return (mr_type){.kind = MR_TYPE_TENSOR, .dtype = dtype, .rank = w->part->rank, .dims = w->part->dims};
}

static mr_value *window(const walk *w, mr_value *value) {
  return w->part->starts ? mr_build_dynamic_slice(w->b, value, w->part->starts, w->part->dims) : NULL;
}

static mr_value *splat_of(const walk *w, const mr_dense *constant) {
  mr_type type = type_of_part(w, constant->type.dtype);
  mr_dense dense = *constant;
  dense.type = mr_type_copy(w->b->module, &type);
  return mr_build_constant(w->b, &dense);
}

static mr_value *part_of(walk *w, mr_value *value);

// What is spread, for the window alone: the window of what is spread, then spread as before.
static mr_value *spread_window(walk *w, mr_value *value) {
  mr_value *x = mr_op_operand(value->def, 0), *starts[MR_MAX_RANK];
  mr_ints to = mr_op_ints(value->def, MR_ATTR_broadcast_dimensions);
  if (!w->part->starts || x->type.rank == 0) {
    return NULL;
  }
  int64_t dims[MR_MAX_RANK];
  for (uint32_t d = 0; d < x->type.rank; d++) {
    bool one = x->type.dims[d] == 1;
    mr_type scalar = mr_type_scalar(w->part->starts[to.data[d]]->type.dtype);
    dims[d] = one ? 1 : w->part->dims[to.data[d]];
    starts[d] = one ? mr_build_splat_int(w->b, &scalar, 0) : w->part->starts[to.data[d]];
  }
  mr_update_part part = mr_update_part_window(&x->type, dims, starts);
  walk inner = {w->b, &part, w->ops};
  mr_value *narrow = part_of(&inner, x);
  w->ops = inner.ops;
  mr_type type = type_of_part(w, x->type.dtype);
  return narrow ? mr_build_broadcast(w->b, narrow, &type, to) : NULL;
}

// What is spread along the dimensions that the part lacks; NULL when it varies along one of them.
static mr_value *spread_of(const walk *w, mr_value *value) {
  mr_value *x = mr_op_operand(value->def, 0);
  mr_ints to = mr_op_ints(value->def, MR_ATTR_broadcast_dimensions);
  int64_t dims[MR_MAX_RANK], places[MR_MAX_RANK];
  uint32_t rank = 0;
  for (uint32_t d = 0; d < x->type.rank; d++) {
    if (x->type.dims[d] == 1) {
      continue;
    }
    if (w->part->place[to.data[d]] < 0) {
      return NULL;
    }
    dims[rank] = x->type.dims[d];
    places[rank++] = w->part->place[to.data[d]];
  }
  mr_type type = type_of_part(w, x->type.dtype);
  mr_value *dense = mr_build_reshape(w->b, x, rank, dims);
  return mr_build_broadcast(w->b, dense, &type, (mr_ints){places, rank});
}

// The operands of an elementwise op come first, so the recursion ends with the budget.
static mr_value *part_of(walk *w, mr_value *value) {
  const mr_dense *constant = mr_value_constant(value);
  const mr_op *op = value->def;
  if (value->type.rank == 0) {
    return value;
  }
  if (constant && constant->splat) {
    return splat_of(w, constant);
  }
  if (op && op->kind == MR_OP_broadcast_in_dim) {
    mr_value *spread = spread_of(w, value);
    spread = spread ? spread : spread_window(w, value);
    return spread ? spread : window(w, value);
  }
  if (!op || !mr_op_kind_is_elementwise(op->kind) || op->num_operands > 3 || w->ops >= MOST_OPS) {
    return window(w, value);
  }
  w->ops++;
  mr_value *operands[3];
  for (uint32_t i = 0; i < op->num_operands; i++) {
    operands[i] = part_of(w, mr_op_operand(op, i));
    if (!operands[i]) {
      return NULL;
    }
  }
  mr_type type = type_of_part(w, value->type.dtype);
  return mr_build_like(w->b, op, operands, &type);
}

mr_update_part mr_update_part_window(const mr_type *whole, const int64_t *dims, mr_value *const *starts) {
  mr_update_part part = {.rank = whole->rank, .dims = dims, .starts = starts};
  for (uint32_t d = 0; d < whole->rank; d++) {
    part.place[d] = dims[d] == whole->dims[d] ? (int64_t)d : -1;
  }
  return part;
}

mr_value *mr_update_part_of(mr_builder *b, mr_value *value, const mr_update_part *part) {
  walk w = {.b = b, .part = part};
  return part_of(&w, value);
}
