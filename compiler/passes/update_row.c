// A choice by a mask of one row: where(arange(n) == i, row, x) changes row i of x, if there is one.
//
// So does x + where(arange(n) == i, row, 0). All of what is chosen is made anew for that row, the mask too: it says whether the row is the
// one that was meant, as a place that is outside is moved inside.
#include "compiler/ir/scalar.h"
#include "compiler/passes/simplify.h"
#include "compiler/passes/update.h"

// So deep a mask is looked into.
enum { MOST_DEPTH = 6 };

typedef struct row {
  mr_value *starts[MR_MAX_RANK];  // by dimension: where the mask may be true; NULL: anywhere
} row;

// The scalar that the value has everywhere; NULL: there is none.
static mr_value *scalar_of(mr_builder *b, mr_value *value) {
  const mr_op *op = value->def;
  const mr_dense *dense = mr_value_constant(value);
  if (value->type.rank && dense && dense->splat && mr_dtype_is_integer(dense->type.dtype)) {
    mr_type scalar = mr_type_scalar(dense->type.dtype);
    return mr_build_splat_int(b, &scalar, mr_scalar_to_int(dense->type.dtype, dense->data));
  }
  while (value->type.rank && op && op->kind == MR_OP_broadcast_in_dim) {
    value = mr_op_operand(op, 0);
    op = value->def;
  }
  return value->type.rank == 0 ? value : NULL;
}

// The dimension along which the value counts up; -1: it does not. It counts from the scalar `from`, which a device's part of a whole
// does, or from 0 where that is NULL.
static int64_t counted_along(mr_builder *b, mr_value *value, uint32_t depth, mr_value **from) {
  const mr_op *op = value->def;
  *from = NULL;
  if (!op || depth == 0) {
    return -1;
  }
  switch (op->kind) {
  case MR_OP_iota: return mr_op_int(op, MR_ATTR_iota_dimension, 0);
  case MR_OP_broadcast_in_dim: {
    const mr_value *x = mr_op_operand(op, 0);
    int64_t along = counted_along(b, mr_op_operand(op, 0), depth - 1, from);
    return along >= 0 && x->type.dims[along] > 1 ? mr_op_ints(op, MR_ATTR_broadcast_dimensions).data[along] : -1;
  }
  case MR_OP_add:
    for (uint32_t i = 0; i < 2; i++) {
      int64_t along = counted_along(b, mr_op_operand(op, i), depth - 1, from);
      mr_value *more = along >= 0 ? scalar_of(b, mr_op_operand(op, 1 - i)) : NULL;
      if (more) {
        *from = *from ? mr_build_binary(b, MR_OP_add, *from, more) : more;
        return along;
      }
    }
    return -1;
  default: return -1;
  }
}

// Whether numbers up to the size of the dimension have this type, so that none of them counts twice.
static bool counts_so_far(mr_dtype dtype, int64_t size) {
  uint32_t bits = mr_dtype_bits(dtype) - mr_dtype_is_signed(dtype);
  return mr_dtype_is_integer(dtype) && (bits >= 63 || size <= (INT64_C(1) << bits));
}

static void look(mr_builder *b, row *found, mr_value *mask, uint32_t depth) {
  const mr_op *op = mask->def;
  if (!op || depth == 0) {
    return;
  }
  if (op->kind == MR_OP_and) {
    look(b, found, mr_op_operand(op, 0), depth - 1);
    look(b, found, mr_op_operand(op, 1), depth - 1);
    return;
  }
  if (op->kind == MR_OP_broadcast_in_dim) {
    row inner = {{NULL}};
    look(b, &inner, mr_op_operand(op, 0), depth - 1);
    mr_ints to = mr_op_ints(op, MR_ATTR_broadcast_dimensions);
    for (size_t d = 0; d < to.size; d++) {
      bool same = mr_op_operand(op, 0)->type.dims[d] == mask->type.dims[to.data[d]];
      found->starts[to.data[d]] = same && inner.starts[d] ? inner.starts[d] : found->starts[to.data[d]];
    }
    return;
  }
  if (op->kind != MR_OP_compare || mr_op_int(op, MR_ATTR_comparison_direction, 0) != MR_COMPARE_EQ) {
    return;
  }
  for (uint32_t i = 0; i < 2; i++) {
    mr_value *from;
    int64_t along = counted_along(b, mr_op_operand(op, i), MOST_DEPTH, &from);
    mr_value *start = along >= 0 ? scalar_of(b, mr_op_operand(op, 1 - i)) : NULL;
    if (start && counts_so_far(start->type.dtype, mask->type.dims[along])) {
      // It may wrap, as counting does: the place where both are one is the same.
      found->starts[along] = from ? mr_build_binary(b, MR_OP_subtract, start, from) : start;
    }
  }
}

mr_value *mr_update_of_row(mr_op *user, mr_value *mask, mr_value *chosen, mr_value *x, mr_op_kind with) {
  row found = {{NULL}};
  if (mask->type.rank != x->type.rank || x->type.rank == 0) {
    return NULL;
  }
  mr_builder b = mr_builder_before(user);
  look(&b, &found, mask, MOST_DEPTH);
  int64_t dims[MR_MAX_RANK];
  mr_type index = mr_type_scalar(MR_S64);
  bool any = false;
  for (uint32_t d = 0; d < x->type.rank; d++) {
    any = any || (found.starts[d] && x->type.dims[d] > 1);
  }
  for (uint32_t d = 0; d < x->type.rank && any; d++) {
    dims[d] = found.starts[d] ? 1 : x->type.dims[d];
    // One type for all of them, which has every number that the comparison told apart.
    found.starts[d] =
        found.starts[d] ? mr_build_convert(&b, found.starts[d], MR_S64) : mr_build_splat_int(&b, &index, 0);
    any = found.starts[d] != NULL;
  }
  if (!any) {
    return NULL;
  }
  mr_update_part part = mr_update_part_window(&x->type, dims, found.starts);
  mr_value *is_meant = mr_update_part_of(&b, mask, &part);
  mr_value *written = is_meant ? mr_update_part_of(&b, chosen, &part) : NULL;
  mr_value *kept = written ? mr_build_dynamic_slice(&b, x, found.starts, dims) : NULL;
  written = kept && with != MR_OP_COUNT ? mr_build_binary(&b, with, kept, written) : written;
  mr_value *window = kept && written ? mr_build_select(&b, is_meant, written, kept) : NULL;
  return mr_build_dynamic_update_slice(&b, x, window, found.starts);
}
