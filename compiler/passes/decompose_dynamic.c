// Ops that take their shape as operands become those that have it as attributes, once it is known.
#include "compiler/passes/decompose.h"

#include "compiler/ir/scalar.h"

// The entries of a constant list of integers, however it is said to lie over devices.
static bool constant_ints(const mr_value *value, uint32_t count, int64_t *out) {
  while (value->def && value->def->kind == MR_OP_sdy_sharding_constraint) {
    value = mr_op_operand(value->def, 0);
  }
  const mr_dense *dense = mr_value_constant(value);
  if (count == 0) {
    return true;
  }
  if (!dense || mr_type_count(&dense->type) != count) {
    return false;
  }
  size_t one = mr_dtype_bytes(dense->type.dtype);
  for (uint32_t i = 0; i < count; i++) {
    out[i] = mr_scalar_to_int(dense->type.dtype, (const char *)dense->data + (dense->splat ? 0 : i * one));
  }
  return true;
}

// The static op with the given operands and all attributes of the dynamic one.
static mr_op *restate(mr_op *op, mr_op_kind kind, uint32_t num_operands, const mr_type *type) {
  mr_builder b = mr_builder_before(op);
  mr_value *operands[2];
  for (uint32_t i = 0; i < num_operands; i++) {
    operands[i] = mr_op_operand(op, i);
  }
  mr_op *plain = mr_build(&b, kind, num_operands, operands, 1, type, 0);
  if (plain) {
    mr_op_copy_attrs(b.module, plain, op);
  }
  return plain;
}

// The result's type by the rule; the op goes when that is at least as good as what was declared.
static mr_status finish(mr_op *op, mr_op *plain, bool *out_changed) {
  mr_module *module = mr_op_module(op);
  if (!plain) {
    return mr_module_memory(module);
  }
  mr_type type;
  MR_TRY(mr_op_infer(module, plain, &type));
  if (!mr_type_compatible(&type, &op->results[0].type)) {
    return mr_op_check(module, plain);
  }
  plain->results[0].type = type;
  *out_changed = mr_replace(op, &plain->results[0]);
  return MR_OK;
}

// Of limits that are starts plus constants: those constants, as one steps by one they are how many elements there are.
static bool constant_sizes(const mr_op *op, uint32_t rank, int64_t *out_sizes) {
  const mr_value *start = mr_op_operand(op, 1);
  const mr_op *limit = mr_op_operand(op, 2)->def;
  int64_t strides[MR_MAX_RANK];
  if (!limit || limit->kind != MR_OP_add || !constant_ints(mr_op_operand(op, 3), rank, strides)) {
    return false;
  }
  for (uint32_t d = 0; d < rank; d++) {
    if (strides[d] != 1) {
      return false;
    }
  }
  for (uint32_t k = 0; k < 2; k++) {
    if (mr_op_operand(limit, k) == start && constant_ints(mr_op_operand(limit, 1 - k), rank, out_sizes)) {
      return true;
    }
  }
  return false;
}

static mr_status lower_dynamic_slice(mr_op *op, uint32_t rank, const int64_t *sizes, bool *out_changed) {
  mr_builder b = mr_builder_before(op);
  mr_value *x = mr_op_operand(op, 0), *list = mr_op_operand(op, 1), *starts[MR_MAX_RANK];
  if (!mr_type_is_static(&x->type)) {
    return MR_OK;
  }
  for (uint32_t d = 0; d < rank; d++) {
    if (sizes[d] < 0 || sizes[d] > x->type.dims[d]) {
      return mr_op_error(op, "%lld elements of dimension %u, which has %lld", (long long)sizes[d], d,
                         (long long)x->type.dims[d]);
    }
    starts[d] = mr_build_reshape(&b, mr_build_slice_dim(&b, list, 0, d, (int64_t)d + 1), 0, NULL);
  }
  mr_value *slice = mr_build_dynamic_slice(&b, x, starts, sizes);
  if (slice && !mr_type_compatible(&slice->type, &op->results[0].type)) {
    return mr_op_error(op, "the result has another shape than the sizes");
  }
  *out_changed = mr_replace(op, slice);
  return MR_OK;
}

static mr_status lower_slice(mr_op *op, bool *out_changed) {
  mr_module *module = mr_op_module(op);
  uint32_t rank = op->operands[0].value->type.rank;
  int64_t start[MR_MAX_RANK], limit[MR_MAX_RANK], strides[MR_MAX_RANK];
  if (constant_sizes(op, rank, limit) && !constant_ints(mr_op_operand(op, 1), rank, start)) {
    return lower_dynamic_slice(op, rank, limit, out_changed);
  }
  if (!constant_ints(mr_op_operand(op, 1), rank, start) || !constant_ints(mr_op_operand(op, 2), rank, limit) ||
      !constant_ints(mr_op_operand(op, 3), rank, strides)) {
    return MR_OK;
  }
  mr_op *plain = restate(op, MR_OP_slice, 1, &op->results[0].type);
  mr_op_set_ints(module, plain, MR_ATTR_start_indices, (mr_ints){start, rank});
  mr_op_set_ints(module, plain, MR_ATTR_limit_indices, (mr_ints){limit, rank});
  mr_op_set_ints(module, plain, MR_ATTR_strides, (mr_ints){strides, rank});
  return finish(op, plain, out_changed);
}

static mr_status lower_pad(mr_op *op, bool *out_changed) {
  mr_module *module = mr_op_module(op);
  uint32_t rank = op->operands[0].value->type.rank;
  int64_t low[MR_MAX_RANK], high[MR_MAX_RANK], interior[MR_MAX_RANK];
  if (!constant_ints(mr_op_operand(op, 2), rank, low) || !constant_ints(mr_op_operand(op, 3), rank, high) ||
      !constant_ints(mr_op_operand(op, 4), rank, interior)) {
    return MR_OK;
  }
  mr_op *plain = restate(op, MR_OP_pad, 2, &op->results[0].type);
  mr_op_set_ints(module, plain, MR_ATTR_edge_padding_low, (mr_ints){low, rank});
  mr_op_set_ints(module, plain, MR_ATTR_edge_padding_high, (mr_ints){high, rank});
  mr_op_set_ints(module, plain, MR_ATTR_interior_padding, (mr_ints){interior, rank});
  return finish(op, plain, out_changed);
}

static mr_status lower_gather(mr_op *op, bool *out_changed) {
  uint32_t rank = op->operands[0].value->type.rank;
  int64_t sizes[MR_MAX_RANK];
  if (!constant_ints(mr_op_operand(op, 2), rank, sizes)) {
    return MR_OK;
  }
  mr_op *plain = restate(op, MR_OP_gather, 2, &op->results[0].type);
  mr_op_set_ints(mr_op_module(op), plain, MR_ATTR_slice_sizes, (mr_ints){sizes, rank});
  return finish(op, plain, out_changed);
}

static mr_status lower_convolution(mr_op *op, bool *out_changed) {
  uint32_t spatial = op->operands[0].value->type.rank - 2;
  int64_t padding[2 * MR_MAX_RANK];
  if (!constant_ints(mr_op_operand(op, 2), 2 * spatial, padding)) {
    return MR_OK;
  }
  mr_op *plain = restate(op, MR_OP_convolution, 2, &op->results[0].type);
  mr_op_set_ints(mr_op_module(op), plain, MR_ATTR_padding, (mr_ints){padding, 2 * (size_t)spatial});
  return finish(op, plain, out_changed);
}

// The shape operand says what the result's type says already, or completes it. A constant shape of a dynamic result
// gives the type its sizes.
static mr_status lower_shaped(mr_op *op, mr_op_kind kind, uint32_t num_operands, bool *out_changed) {
  const mr_type *declared = &op->results[0].type;
  int64_t dims[MR_MAX_RANK];
  mr_type type = *declared;
  if (mr_type_is_static(declared) && constant_ints(mr_op_operand(op, num_operands), declared->rank, dims)) {
    for (uint32_t d = 0; d < declared->rank; d++) {
      if (dims[d] != declared->dims[d]) {
        return mr_op_error(op, "dimension %u is %lld, the result has %lld", d, (long long)dims[d],
                           (long long)declared->dims[d]);
      }
    }
  }
  if (!mr_type_is_static(declared)) {
    if (!constant_ints(mr_op_operand(op, num_operands), declared->rank, dims)) {
      return MR_OK;
    }
    type.dims = dims;
    type.bounds = NULL;
    for (uint32_t d = 0; d < type.rank; d++) {
      if (dims[d] < 0) {
        return mr_op_error(op, "dimension %u would be %lld", d, (long long)dims[d]);
      }
    }
  }
  mr_op *plain = restate(op, kind, num_operands, &type);
  if (!plain) {
    return mr_module_memory(mr_op_module(op));
  }
  return finish(op, plain, out_changed);
}

mr_status mr_decompose_dynamic(mr_op *op, bool *out_changed) {
  switch (op->kind) {
  case MR_OP_dynamic_broadcast_in_dim: return lower_shaped(op, MR_OP_broadcast_in_dim, 1, out_changed);
  case MR_OP_dynamic_reshape: return lower_shaped(op, MR_OP_reshape, 1, out_changed);
  case MR_OP_dynamic_iota: return lower_shaped(op, MR_OP_iota, 0, out_changed);
  case MR_OP_real_dynamic_slice: return lower_slice(op, out_changed);
  case MR_OP_dynamic_pad: return lower_pad(op, out_changed);
  case MR_OP_dynamic_gather: return lower_gather(op, out_changed);
  case MR_OP_dynamic_conv: return lower_convolution(op, out_changed);
  default: return mr_error(MR_INTERNAL, "no static form of %s", mr_op_table[op->kind].name);
  }
}
