// The operands of contractions by kinds of dimension.
#include "compiler/ir/dot.h"

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
