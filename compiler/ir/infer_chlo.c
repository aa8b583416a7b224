// Shape rules of CHLO ops that have a region or dimension numbers of their own.
#include "compiler/ir/infer_internal.h"
#include "compiler/ir/scalar.h"

// ---- scan ----------------------------------------------------------------------------------------------------------

// array<i64: ..>, or array<i32: ..> as data.
static bool two_ints(const mr_attr *attr, int64_t *out) {
  if (attr && attr->kind == MR_ATTR_INTS && attr->ints.size == 2) {
    out[0] = attr->ints.data[0];
    out[1] = attr->ints.data[1];
    return true;
  }
  if (!attr || attr->kind != MR_ATTR_DENSE || mr_type_count(&attr->dense.type) != 2) {
    return false;
  }
  size_t one = attr->dense.splat ? 0 : mr_dtype_bytes(attr->dense.type.dtype);
  for (size_t i = 0; i < 2; i++) {
    out[i] = mr_scalar_to_int(attr->dense.type.dtype, (const char *)attr->dense.data + i * one);
  }
  return true;
}

bool mr_scan_segments(const mr_op *op, uint32_t *out_inputs, uint32_t *out_carries) {
  int64_t segments[2];
  if (!two_ints(mr_op_extra(op, "operandSegmentSizes"), segments)) {
    return false;
  }
  int64_t inputs = segments[0], carries = segments[1];
  if (inputs < 0 || carries < 0 || inputs > op->num_operands || inputs + carries != op->num_operands ||
      carries > op->num_results) {
    return false;
  }
  *out_inputs = (uint32_t)inputs;
  *out_carries = (uint32_t)carries;
  return true;
}

// The type of one step's share: without the scanned dimension.
static mr_status step_type(const mr_infer *in, const mr_type *whole, int64_t dim, int64_t *size, mr_type *out) {
  int64_t dims[MR_MAX_RANK];
  uint32_t rank = 0;
  if (whole->kind != MR_TYPE_TENSOR || dim >= (int64_t)whole->rank || !mr_dim_agrees(whole->dims[dim], *size)) {
    char text[128];
    return mr_op_error(in->op, "%s has no dimension %lld of the scanned size", mr_type_text(whole, text, sizeof text),
                       (long long)dim);
  }
  *size = *size < 0 ? whole->dims[dim] : *size;
  for (uint32_t d = 0; d < whole->rank; d++) {
    if (d != dim) {
      dims[rank++] = whole->dims[d];
    }
  }
  *out = mr_type_tensor(in->module, whole->dtype, rank, dims);
  return mr_module_memory(in->module);
}

mr_status mr_rule_scan(const mr_infer *in) {
  const mr_op *op = in->op;
  uint32_t inputs, carries;
  int64_t dim, size = MR_DYNAMIC;
  MR_TRY(mr_infer_regions(in, 1));
  MR_TRY(mr_infer_int(in, MR_ATTR_dimension, 0, MR_MAX_RANK - 1, &dim));
  if (!mr_scan_segments(op, &inputs, &carries)) {
    return mr_op_error(op, "does not say how many of its operands are inputs");
  }
  if (inputs == 0 && op->num_results == carries) {
    return mr_op_error(op, "has neither inputs nor outputs");
  }
  const mr_attr *given = mr_op_extra(op, "scan_dim_size");
  if (given && given->kind == MR_ATTR_INT && given->integer >= 0) {
    size = given->integer;
  }
  mr_type *args = mr_arena_array(&in->module->arena, mr_type, op->num_operands + 1);
  mr_type *returned = mr_arena_array(&in->module->arena, mr_type, op->num_results + 1);
  if (!args || !returned) {
    return MR_NO_MEMORY();
  }
  uint32_t outputs = op->num_results - carries;
  for (uint32_t i = 0; i < op->num_operands; i++) {
    MR_TRY(mr_infer_tensor(in, i));
    args[i] = *mr_infer_type(in, i);
    if (i < inputs) {
      MR_TRY(step_type(in, mr_infer_type(in, i), dim, &size, &args[i]));
    }
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    returned[i] = *mr_infer_had(in, i);
    if (i < outputs) {
      MR_TRY(step_type(in, mr_infer_had(in, i), dim, &size, &returned[i]));
    } else {
      MR_TRY(mr_infer_match(in, &returned[i], &args[inputs + i - outputs], "a carry and its initial value"));
    }
  }
  mr_infer_keep(in);
  return mr_infer_region(in, 0, op->num_operands, args, op->num_results, returned);
}

// ---- ragged_dot ----------------------------------------------------------------------------------------------------

static mr_status extra_dims(const mr_infer *in, const char *name, uint32_t rank, size_t most, mr_ints *out) {
  const mr_attr *attr = mr_op_extra(in->op, name);
  *out = attr && attr->kind == MR_ATTR_INTS ? attr->ints : (mr_ints){0};
  if (out->size > most) {
    return mr_op_error(in->op, "%s has %zu entries, at most %zu are wanted", name, out->size, most);
  }
  for (size_t i = 0; i < out->size; i++) {
    if (out->data[i] < 0 || out->data[i] >= (int64_t)rank) {
      return mr_op_error(in->op, "%s has %lld, wanted a dimension of rank %u", name, (long long)out->data[i], rank);
    }
  }
  return MR_OK;
}

uint32_t mr_ragged_prefix(const mr_op *op, int64_t ragged, int64_t *out_dims) {
  mr_ints batching = mr_op_ints(op, MR_ATTR_lhs_batching_dimensions);
  mr_ints contracting = mr_op_ints(op, MR_ATTR_lhs_contracting_dimensions);
  uint32_t count = 0;
  for (size_t i = 0; i < batching.size && batching.data[i] != ragged; i++) {
    out_dims[count++] = batching.data[i];
  }
  if (mr_ints_has(batching, ragged)) {
    return count;
  }
  if (mr_ints_has(contracting, ragged)) {
    for (size_t i = 0; i < contracting.size && contracting.data[i] != ragged; i++) {
      out_dims[count++] = contracting.data[i];
    }
    return count;
  }
  for (int64_t d = 0; d < ragged; d++) {
    if (!mr_ints_has(batching, d) && !mr_ints_has(contracting, d)) {
      out_dims[count++] = d;
    }
  }
  return count;
}

static mr_status check_group_sizes(const mr_infer *in, int64_t ragged) {
  const mr_type *a = mr_infer_type(in, 0), *sizes = mr_infer_type(in, 2);
  MR_TRY(mr_infer_integer(in, 2));
  int64_t prefix[2 * MR_MAX_RANK];
  uint32_t count = mr_ragged_prefix(in->op, ragged, prefix);
  if (sizes->rank == 1) {
    return MR_OK;
  }
  if (sizes->rank != count + 1) {
    return mr_op_error(in->op, "group sizes have rank %u, wanted 1 or %u", sizes->rank, count + 1);
  }
  for (uint32_t i = 0; i < count; i++) {
    if (!mr_dim_agrees(sizes->dims[i], a->dims[prefix[i]])) {
      return mr_op_error(in->op, "dimension %u of the group sizes is %lld, wanted %lld", i, (long long)sizes->dims[i],
                         (long long)a->dims[prefix[i]]);
    }
  }
  return MR_OK;
}

mr_status mr_rule_ragged_dot(const mr_infer *in) {
  mr_ints ragged, group, la, lc, ra, rc;
  MR_TRY(mr_infer_tensor(in, 0));
  MR_TRY(mr_infer_tensor(in, 1));
  const mr_type *a = mr_infer_type(in, 0), *b = mr_infer_type(in, 1), *sizes = mr_infer_type(in, 2);
  MR_TRY(extra_dims(in, "lhs_ragged_dimensions", a->rank, 1, &ragged));
  MR_TRY(extra_dims(in, "rhs_group_dimensions", b->rank, 1, &group));
  if (ragged.size != 1) {
    return mr_op_error(in->op, "has %zu ragged dimensions, wanted 1", ragged.size);
  }
  MR_TRY(mr_infer_dims(in, MR_ATTR_lhs_batching_dimensions, MR_ANY_LENGTH, a->rank, &la));
  MR_TRY(mr_infer_dims(in, MR_ATTR_lhs_contracting_dimensions, MR_ANY_LENGTH, a->rank, &lc));
  MR_TRY(mr_infer_dims(in, MR_ATTR_rhs_batching_dimensions, la.size, b->rank, &ra));
  MR_TRY(mr_infer_dims(in, MR_ATTR_rhs_contracting_dimensions, lc.size, b->rank, &rc));
  MR_TRY(check_group_sizes(in, ragged.data[0]));
  MR_TRY(mr_infer_pairs(in, la, ra, "batching"));
  MR_TRY(mr_infer_pairs(in, lc, rc, "contracting"));
  bool free_mode = !mr_ints_has(la, ragged.data[0]) && !mr_ints_has(lc, ragged.data[0]);
  int64_t groups = sizes->dims[sizes->rank - 1];
  if (group.size != (free_mode ? 1 : 0)) {
    return mr_op_error(in->op, "has %zu group dimensions, wanted %d", group.size, free_mode ? 1 : 0);
  }
  if (free_mode && (!mr_dim_agrees(b->dims[group.data[0]], groups) || mr_ints_has(ra, group.data[0]) ||
                    mr_ints_has(rc, group.data[0]))) {
    return mr_op_error(in->op, "the group dimension is not one of %lld groups alone", (long long)groups);
  }
  int64_t dims[2 * MR_MAX_RANK + 1];
  uint32_t rank = 0;
  if (mr_ints_has(lc, ragged.data[0])) {
    dims[rank++] = groups;
  }
  const mr_infer_dot dot = {la, lc, ra, rc, group};
  MR_TRY(mr_infer_dot_dims(in, a, b, &dot, dims, &rank));
  return mr_infer_result(in, 0, mr_infer_had(in, 0)->dtype, rank, dims);
}
