// What the verifier asks of single ops beyond their shapes: groups of devices, lists in order, quantised types.
#include "compiler/ir/infer_internal.h"

#include <math.h>

// ---- Groups of devices ---------------------------------------------------------------------------------------------

static bool pads_groups(mr_op_kind kind) { return kind == MR_OP_all_reduce || kind == MR_OP_all_gather; }

// What is asked of an op's groups has been asked of those of another one, which lie in the same place.
static bool has_groups_of(const mr_op *op, const mr_op *other) {
  const mr_attr *a = mr_op_attr(op, MR_ATTR_replica_groups), *b = mr_op_attr(other, MR_ATTR_replica_groups);
  return a->ints.data == b->ints.data && a->ints.size == b->ints.size && a->rows == b->rows &&
         pads_groups(op->kind) == pads_groups(other->kind) &&
         (op->kind == MR_OP_collective_broadcast) == (other->kind == MR_OP_collective_broadcast);
}

// Every device from 0 on in exactly one group; -1 fills short groups up where groups may be short. *inout_checked: an op of this walk
// whose groups were found good, or NULL; collectives over a thousand devices have mostly the same ones.
static mr_status check_groups(const mr_op *op, const mr_op **inout_checked) {
  const mr_attr *groups = mr_op_attr(op, MR_ATTR_replica_groups);
  if (!groups || groups->kind != MR_ATTR_INTS || groups->ints.size == 0 ||
      (*inout_checked && has_groups_of(op, *inout_checked))) {
    return MR_OK;
  }
  if (groups->rows < 0) {
    return mr_op_error(op, "replica_groups is a list, wanted groups of devices in two dimensions");
  }
  mr_ints ids = groups->ints;
  size_t members = 0;
  bool *seen = mr_alloc_zeroed(ids.size, sizeof *seen);
  if (!seen) {
    return MR_NO_MEMORY();
  }
  mr_status status = MR_OK;
  for (size_t i = 0; i < ids.size && !status; i++) {
    int64_t id = ids.data[i];
    if (id == -1 && pads_groups(op->kind)) {
      continue;
    }
    members++;
    if (id < 0) {
      status = mr_op_error(op, "replica_groups has %lld", (long long)id);
    } else if ((uint64_t)id < ids.size && seen[id]) {
      status = mr_op_error(op, "replica_groups has %lld twice", (long long)id);
    } else if ((uint64_t)id < ids.size) {
      seen[id] = true;
    }
  }
  // A broadcast may leave devices out.
  for (size_t id = 0; id < members && !status && op->kind != MR_OP_collective_broadcast; id++) {
    if (!seen[id]) {
      status = mr_op_error(op, "replica_groups has %zu devices, and not %zu", members, id);
    }
  }
  mr_free(seen);
  if (!status) {
    *inout_checked = op;
  }
  return status;
}

static mr_status check_channel(const mr_op *op) {
  const mr_attr *global = mr_op_attr(op, MR_ATTR_use_global_device_ids);
  if (global && global->kind == MR_ATTR_INT && global->integer && mr_op_int(op, MR_ATTR_channel_id, 0) <= 0) {
    return mr_op_error(op, "use_global_device_ids wants a positive channel_id, which is %lld",
                       (long long)mr_op_int(op, MR_ATTR_channel_id, 0));
  }
  return MR_OK;
}

static mr_status check_pairs(const mr_op *op) {
  const mr_attr *attr = mr_op_attr(op, MR_ATTR_source_target_pairs);
  if (!attr || attr->kind != MR_ATTR_INTS || (attr->ints.size == 0 && attr->rows >= 0)) {
    return MR_OK;
  }
  mr_ints pairs = attr->ints;
  if (attr->rows < 0 || (size_t)attr->rows * 2 != pairs.size) {
    return mr_op_error(op, "source_target_pairs wants two devices in each row");
  }
  // Ids may be any number, so each end is compared with all before it; lists are as long as there are devices.
  if (pairs.size > 1 << 14) {
    return mr_error(MR_UNIMPLEMENTED, "%s among %zu devices", mr_op_table[op->kind].name, pairs.size / 2);
  }
  for (size_t i = 0; i < pairs.size; i++) {
    if (pairs.data[i] < 0) {
      return mr_op_error(op, "source_target_pairs has %lld", (long long)pairs.data[i]);
    }
    for (size_t j = i & 1; j < i; j += 2) {
      if (pairs.data[j] == pairs.data[i]) {
        return mr_op_error(op, "source_target_pairs has %lld as a %s twice", (long long)pairs.data[i],
                           i & 1 ? "target" : "source");
      }
    }
  }
  return MR_OK;
}

static mr_status check_collective(const mr_op *op, const mr_op **inout_checked) {
  if (op->num_operands == 0 && mr_op_table[op->kind].operands < 0) {
    return mr_op_error(op, "has no operands, wanted one at least");
  }
  MR_TRY(check_groups(op, inout_checked));
  MR_TRY(check_channel(op));
  if (op->kind == MR_OP_all_to_all) {
    const mr_attr *groups = mr_op_attr(op, MR_ATTR_replica_groups);
    int64_t count = mr_op_int(op, MR_ATTR_split_count, 1);
    if (groups && groups->kind == MR_ATTR_INTS && groups->rows > 0 &&
        (int64_t)groups->ints.size != groups->rows * count) {
      return mr_op_error(op, "splits in %lld among groups of %lld", (long long)count,
                         (long long)groups->ints.size / groups->rows);
    }
  }
  return check_pairs(op);
}

// ---- Lists ---------------------------------------------------------------------------------------------------------

static mr_status check_sorted(const mr_op *op, mr_attr_key key) {
  mr_ints list = mr_op_ints(op, key);
  for (size_t i = 1; i < list.size; i++) {
    if (list.data[i - 1] >= list.data[i]) {
      return mr_op_error(op, "%s is not sorted: %lld before %lld", mr_attr_key_name(key), (long long)list.data[i - 1],
                         (long long)list.data[i]);
    }
  }
  return MR_OK;
}

static mr_status check_precision(const mr_op *op) {
  enum { HIGHEST = 2 };
  mr_ints list = mr_op_ints(op, MR_ATTR_precision_config);
  if (list.size > 2) {
    return mr_op_error(op, "precision_config has %zu entries, at most 2 are wanted", list.size);
  }
  for (size_t i = 0; i < list.size; i++) {
    if (list.data[i] < 0 || list.data[i] > HIGHEST) {
      return mr_op_error(op, "precision_config has %lld, wanted 0 to %d", (long long)list.data[i], HIGHEST);
    }
  }
  return MR_OK;
}

static mr_status check_lists(const mr_op *op) {
  switch (op->kind) {
  case MR_OP_gather:
  case MR_OP_dynamic_gather:
    MR_TRY(check_sorted(op, MR_ATTR_offset_dims));
    MR_TRY(check_sorted(op, MR_ATTR_collapsed_slice_dims));
    return check_sorted(op, MR_ATTR_operand_batching_dims);
  case MR_OP_scatter:
    MR_TRY(check_sorted(op, MR_ATTR_update_window_dims));
    return check_sorted(op, MR_ATTR_inserted_window_dims);
  case MR_OP_map: return check_sorted(op, MR_ATTR_dimensions);
  case MR_OP_dot:
  case MR_OP_dot_general:
  case MR_OP_convolution:
  case MR_OP_dynamic_conv: return check_precision(op);
  default: return MR_OK;  // what lists say of shapes the op's shape rule checks
  }
}

// ---- Quantised types -----------------------------------------------------------------------------------------------

static const mr_quant *quant_of(const mr_value *value) {
  return value->type.kind == MR_TYPE_TENSOR ? value->type.quant : NULL;
}

// Ops that take a scale for each place along an axis.
static bool takes_axis(mr_op_kind kind) {
  switch (kind) {
  case MR_OP_add:
  case MR_OP_uniform_quantize:
  case MR_OP_uniform_dequantize: return true;
  case MR_OP_cholesky:
  case MR_OP_collective_permute:
  case MR_OP_optimization_barrier: return false;
  default: return !mr_op_kind_is_elementwise(kind);  // each place of arithmetic would meet another one's scale
  }
}

static bool same_expressed_and_storage(const mr_value *a, const mr_value *b) {
  return a->type.quant->expressed == b->type.quant->expressed && a->type.dtype == b->type.dtype;
}

static mr_status check_quantised_add(const mr_op *op) {
  const mr_value *result = &op->results[0];
  for (uint32_t i = 0; i < op->num_operands; i++) {
    const mr_value *x = op->operands[i].value;
    if (!x->type.quant || !result->type.quant) {
      return mr_op_error(op, "mixes quantised tensors and others");
    }
    if (!same_expressed_and_storage(x, result)) {
      return mr_op_error(op, "operand %u and the result express or store different types", i);
    }
    if (x->type.quant->axis >= 0 && x->type.quant->axis != result->type.quant->axis) {
      return mr_op_error(op, "operand %u is quantised along axis %lld, the result along %lld", i,
                         (long long)x->type.quant->axis, (long long)result->type.quant->axis);
    }
  }
  return MR_OK;
}

// The axis of the operand among the result's dimensions; -1 when it is not there, -2 when that is not asked.
static int64_t moved_axis(const mr_op *op, int64_t axis) {
  mr_ints list;
  switch (op->kind) {
  case MR_OP_broadcast_in_dim:
  case MR_OP_dynamic_broadcast_in_dim:
    list = mr_op_ints(op, MR_ATTR_broadcast_dimensions);
    return (size_t)axis < list.size ? list.data[axis] : -1;
  case MR_OP_transpose:
    list = mr_op_ints(op, MR_ATTR_permutation);
    for (size_t i = 0; i < list.size; i++) {
      if (list.data[i] == axis) {
        return (int64_t)i;
      }
    }
    return -1;
  default: return -2;  // reshapes: keeps_axis
  }
}

// Whether the quantised axis of a reshape has as many places, behind as many elements, as it had.
static bool keeps_axis(const mr_type *from, const mr_type *to) {
  if (!mr_type_is_static(from) || !mr_type_is_static(to)) {
    return true;
  }
  int64_t before = 1, after = 1;
  return mr_dims_count(from->dims, (uint32_t)from->quant->axis, &before) &&
         mr_dims_count(to->dims, (uint32_t)to->quant->axis, &after) && before == after &&
         from->dims[from->quant->axis] == to->dims[to->quant->axis];
}

// What is moved keeps its scales and zero points; along an axis of one place these may repeat.
static mr_status check_quantised_move(const mr_op *op) {
  const mr_quant *a = quant_of(op->operands[0].value), *b = quant_of(&op->results[0]);
  if (!a || !b) {
    return mr_op_error(op, "mixes quantised tensors and others");
  }
  bool along = a->axis >= 0 && b->axis >= 0, repeats = a->count == 1 && op->kind != MR_OP_transpose;
  if (!same_expressed_and_storage(op->operands[0].value, &op->results[0]) || (a->axis >= 0) != (b->axis >= 0) ||
      (a->count != b->count && !(along && repeats))) {
    return mr_op_error(op, "operand and result are quantised differently");
  }
  for (size_t i = 0; i < b->count; i++) {
    size_t j = a->count == b->count ? i : 0;
    if (a->scales[j] != b->scales[i] || a->zero_points[j] != b->zero_points[i]) {
      return mr_op_error(op, "operand and result have different scales or zero points");
    }
  }
  bool reshapes = op->kind == MR_OP_reshape || op->kind == MR_OP_dynamic_reshape;
  if (along && reshapes && !keeps_axis(&op->operands[0].value->type, &op->results[0].type)) {
    return mr_op_error(op, "the axis along which it is quantised has another size or place in the result");
  }
  int64_t wanted = along ? moved_axis(op, a->axis) : -2;
  if (wanted != -2 && wanted != b->axis) {
    return mr_op_error(op, "the result is quantised along axis %lld, wanted %lld", (long long)b->axis,
                       (long long)wanted);
  }
  return MR_OK;
}

static mr_status check_quantised_product(const mr_op *op) {
  const mr_value *left = op->operands[0].value, *right = op->operands[1].value, *result = &op->results[0];
  const mr_quant *a = quant_of(left), *b = quant_of(right), *c = quant_of(result);
  if (!b || !a != !c) {
    return mr_op_error(op, "wants its right operand quantised, and the left one just when the result is");
  }
  for (size_t i = 0; i < b->count && op->kind == MR_OP_dot_general; i++) {
    if (b->zero_points[i] != 0) {
      return mr_op_error(op, "wants 0 as the right operand's zero point, not %lld", (long long)b->zero_points[i]);
    }
  }
  if (op->kind == MR_OP_dot_general && b->axis >= 0 &&
      mr_ints_has(mr_op_ints(op, MR_ATTR_rhs_contracting_dimensions), b->axis)) {
    return mr_op_error(op, "contracts the axis along which its right operand is quantised");
  }
  if (op->kind != MR_OP_dot_general &&
      ((b->axis >= 0 && b->axis != mr_op_int(op, MR_ATTR_kernel_output_feature_dimension, -1)) ||
       (c && c->axis >= 0 && c->axis != mr_op_int(op, MR_ATTR_output_feature_dimension, -1)))) {
    return mr_op_error(op, "is quantised along another axis than the output features");
  }
  if (!a) {
    return b->expressed == left->type.dtype && b->expressed == result->type.dtype
               ? MR_OK
               : mr_op_error(op, "expresses %s, wanted the type of its other operand", mr_dtype_name(b->expressed));
  }
  if (left->type.dtype != right->type.dtype || a->expressed != b->expressed || b->expressed != c->expressed) {
    return mr_op_error(op, "mixes quantised types that store or express different types");
  }
  return b->axis < 0 && c->axis >= 0 ? mr_op_error(op, "gives scales along an axis out of one scale") : MR_OK;
}

static mr_status check_quantised(const mr_op *op) {
  bool quantised = false, axis = false;
  for (uint32_t i = 0; i < op->num_operands + op->num_results; i++) {
    const mr_quant *quant = quant_of(i < op->num_operands ? op->operands[i].value : &op->results[i - op->num_operands]);
    quantised = quantised || quant;
    axis = axis || (quant && quant->axis >= 0);
  }
  if (!quantised) {
    return MR_OK;
  }
  if (axis && !takes_axis(op->kind)) {
    return mr_op_error(op, "takes one scale for a whole tensor only");
  }
  switch (op->kind) {
  case MR_OP_add: return check_quantised_add(op);
  case MR_OP_broadcast_in_dim:
  case MR_OP_dynamic_broadcast_in_dim:
  case MR_OP_transpose:
  case MR_OP_reshape:
  case MR_OP_dynamic_reshape: return check_quantised_move(op);
  case MR_OP_dot_general:
  case MR_OP_convolution:
  case MR_OP_dynamic_conv: return check_quantised_product(op);
  case MR_OP_uniform_quantize: {
    const mr_value *x = op->operands[0].value;
    mr_dtype expressed = x->type.quant ? x->type.quant->expressed : x->type.dtype;
    const mr_quant *to = quant_of(&op->results[0]);
    return !to || to->expressed == expressed
               ? MR_OK
               : mr_op_error(op, "expresses %s, wanted %s", mr_dtype_name(to->expressed), mr_dtype_name(expressed));
  }
  default: return MR_OK;  // the shape rule wants what it wants of the types that are expressed
  }
}

// The bounds of a quantised type fit its storage, zero points lie between them, scales are numbers of the expressed type.
mr_status mr_verify_quant(const mr_type *type) {
  const mr_quant *q = type->quant;
  static const struct {
    mr_dtype dtype;
    double least, largest;
  } ranges[] = {{MR_F16, 0x1p-24, 65504}, {MR_BF16, 0x1p-133, 0x1.fep127}, {MR_F32, 0x1p-149, 0x1.fffffep127}};
  if (!mr_dtype_is_integer(type->dtype) || !mr_dtype_is_float(q->expressed)) {
    return mr_error(MR_INVALID_ARGUMENT, "a quantised type that stores %s for %s", mr_dtype_name(type->dtype),
                    mr_dtype_name(q->expressed));
  }
  for (size_t i = 0; i < q->count; i++) {
    if (q->zero_points[i] < q->storage_min || q->zero_points[i] > q->storage_max) {
      return mr_error(MR_INVALID_ARGUMENT, "zero point %lld outside of %lld to %lld", (long long)q->zero_points[i],
                      (long long)q->storage_min, (long long)q->storage_max);
    }
    bool fits = isfinite(q->scales[i]) && q->scales[i] > 0;
    for (size_t r = 0; r < MR_ARRAY_SIZE(ranges); r++) {
      fits = fits && (q->expressed != ranges[r].dtype ||
                      (q->scales[i] >= ranges[r].least && q->scales[i] <= ranges[r].largest));
    }
    if (!fits) {
      return mr_error(MR_INVALID_ARGUMENT, "scale %g is no positive number of %s", q->scales[i],
                      mr_dtype_name(q->expressed));
    }
  }
  return MR_OK;
}

mr_status mr_verify_op(const mr_op *op, const mr_op **inout_checked) {
  if (mr_op_table[op->kind].op_class == MR_OPS_COLLECTIVE) {
    MR_TRY(check_collective(op, inout_checked));
  }
  if (op->kind == MR_OP_send || op->kind == MR_OP_recv) {
    MR_TRY(check_pairs(op));
  }
  MR_TRY(check_lists(op));
  MR_TRY(mr_verify_attrs(op));
  return check_quantised(op);
}
