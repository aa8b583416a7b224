#include "compiler/ir/in_place.h"

#include "compiler/ir/scalar.h"

uint32_t mr_op_num_updated(const mr_op *op) {
  switch (op->kind) {
  case MR_OP_dynamic_update_slice: return 1;
  case MR_OP_scatter: return op->num_results;
  default: return 0;
  }
}

bool mr_module_may_update(const mr_module *module) {
  return module->made[MR_OP_dynamic_update_slice] || module->made[MR_OP_scatter];
}

bool mr_known_start(const mr_value *start, int64_t most, int64_t *out) {
  const mr_dense *known = mr_value_constant(start);
  if (!known) {
    return false;
  }
  int64_t place = mr_scalar_to_int(known->type.dtype, known->data);
  bool beyond = place < 0 && mr_dtype_is_unsigned(known->type.dtype);
  *out = beyond ? most : MR_MAX(0, MR_MIN(place, most));
  return true;
}

static bool begins_at(const mr_op *update, uint32_t dim, int64_t start) {
  int64_t most = mr_op_operand(update, 0)->type.dims[dim] - mr_op_operand(update, 1)->type.dims[dim], place = 0;
  return (most == 0 || mr_known_start(mr_op_operand(update, 2 + dim), most, &place)) && start == place;
}

bool mr_op_is_slice_written(const mr_op *reader, const mr_op *update) {
  const mr_type *type = &mr_op_operand(update, 1)->type;
  if ((reader->kind != MR_OP_dynamic_slice && reader->kind != MR_OP_slice) ||
      mr_op_operand(reader, 0) != mr_op_operand(update, 0) || !mr_type_is_static(&reader->results[0].type) ||
      !mr_type_same_dims(&reader->results[0].type, type)) {
    return false;
  }
  mr_ints starts = mr_op_ints(reader, MR_ATTR_start_indices), strides = mr_op_ints(reader, MR_ATTR_strides);
  for (uint32_t d = 0; d < type->rank; d++) {
    bool same = reader->kind == MR_OP_dynamic_slice
                    ? mr_op_operand(reader, 1 + d) == mr_op_operand(update, 2 + d)
                    : (type->dims[d] <= 1 || strides.data[d] == 1) && begins_at(update, d, starts.data[d]);
    if (!same) {
      return false;
    }
  }
  return true;
}
