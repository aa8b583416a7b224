// Large constants of one repeated element. Kept as data they would cost memory, in the executable, that a program of a
// hundred bytes can make arbitrarily large; a kernel fills their buffer instead when the program runs.
#include "compiler/plan/plan.h"
#include "compiler/plan/tuning.h"

static mr_status spread(mr_op *op) {
  mr_builder b = mr_builder_before(op);
  mr_dense one = mr_op_attr(op, MR_ATTR_value)->dense;
  one.type = mr_type_scalar(one.type.dtype);
  one.splat = false;
  mr_value *scalar = mr_build_constant(&b, &one);
  mr_value *whole = scalar ? mr_build_broadcast(&b, scalar, &op->results[0].type, (mr_ints){0}) : NULL;
  if (!whole) {
    return mr_module_memory(b.module);
  }
  mr_value_replace_all_uses(&op->results[0], whole);
  mr_op_erase(op);
  return mr_module_memory(b.module);
}

mr_status mr_planner_spread_splats(mr_function *function) {
  size_t kept = 0;
  for (mr_op *op = mr_walk_first(&function->body), *next; op; op = next) {
    if (op->kind == MR_OP_fusion) {  // its constants are in the code
      next = mr_walk_skip(op, &function->body);
      continue;
    }
    next = mr_walk_next(op, &function->body);
    const mr_attr *value = op->kind == MR_OP_constant ? mr_op_attr(op, MR_ATTR_value) : NULL;
    size_t bytes = value ? mr_type_bytes(&op->results[0].type) : 0;
    if (!value || value->kind != MR_ATTR_DENSE || !value->dense.splat || bytes == 0) {
      continue;
    }
    if (bytes > MR_PLAN_SPLAT_BYTES || mr_size_add(kept, bytes) > MR_PLAN_SPLATS_BYTES) {
      MR_TRY(spread(op));
    } else {
      kept = mr_size_add(kept, bytes);
    }
  }
  return MR_OK;
}
