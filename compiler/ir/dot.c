// The operands of contractions by kinds of dimension.
#include "compiler/ir/dot.h"

#include "compiler/ir/cost.h"

static mr_dot_dims append(mr_dot_side *side, uint32_t first, const int64_t *dims, size_t count) {
  mr_dot_dims added = {first, (uint32_t)count, 1};
  for (size_t i = 0; i < count; i++) {
    side->dims[first + i] = dims[i];
    added.elements *= side->x->type.dims[dims[i]];
  }
  return added;
}

mr_dot_side mr_dot_side_of(const mr_op *op, uint32_t which) {
  mr_dot_side side = {.x = mr_op_operand(op, which)};
  mr_ints batch = mr_op_ints(op, which ? MR_ATTR_rhs_batching_dimensions : MR_ATTR_lhs_batching_dimensions);
  mr_ints contracted = mr_op_ints(op, which ? MR_ATTR_rhs_contracting_dimensions : MR_ATTR_lhs_contracting_dimensions);
  side.batch = append(&side, 0, batch.data, batch.size);
  side.contracted = append(&side, side.batch.count, contracted.data, contracted.size);
  int64_t rest[MR_MAX_RANK];
  uint32_t placed = side.batch.count + side.contracted.count, left = 0;
  for (int64_t d = 0; d < side.x->type.rank; d++) {
    bool is_rest = true;
    for (uint32_t i = 0; i < placed; i++) {
      is_rest = is_rest && side.dims[i] != d;
    }
    if (is_rest) {
      rest[left++] = d;
    }
  }
  side.free = append(&side, placed, rest, left);
  return side;
}

static bool is_only(mr_ints dims, int64_t dim) { return dims.size == 1 && dims.data[0] == dim; }

bool mr_dot_is_rows_by_group(const mr_op *op) {
  const mr_type *a = &mr_op_operand(op, 0)->type, *b = &mr_op_operand(op, 1)->type;
  const mr_type *sizes = &mr_op_operand(op, 2)->type, *c = &op->results[0].type;
  bool shaped = a->rank == 2 && b->rank == 3 && b->dims[0] > 1 && sizes->rank == 1 && sizes->dtype == MR_S32 &&
                is_only(mr_op_ints(op, MR_ATTR_lhs_contracting_dimensions), 1) &&
                is_only(mr_op_ints(op, MR_ATTR_rhs_contracting_dimensions), 1) &&
                is_only(mr_op_extra(op, "lhs_ragged_dimensions")->ints, 0) &&
                is_only(mr_op_extra(op, "rhs_group_dimensions")->ints, 0);
  bool floats = (a->dtype == MR_F32 || a->dtype == MR_F64 || a->dtype == MR_BF16 || a->dtype == MR_F16) &&
                b->dtype == a->dtype && c->dtype == a->dtype && !a->quant && !b->quant && !c->quant;
  return shaped && floats && (double)mr_type_count(c) * (double)a->dims[1] * (double)b->dims[0] >= MR_RAGGED_MULTIPLIES;
}
