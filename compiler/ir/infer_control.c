// Shape rules of control flow, calls, collectives and what only carries values along.
#include "compiler/ir/infer_internal.h"

#include <string.h>

mr_status mr_rule_declared(const mr_infer *in) {
  mr_infer_keep(in);
  return MR_OK;
}

// The return of a region is checked by the op that has the region, of a function by the verifier.
mr_status mr_rule_return(const mr_infer *in) {
  (void)in;
  return MR_OK;
}

// The operand types as one array, for comparing with a region's. Freed by the caller unless it is `few`.
static mr_type *operand_types(const mr_infer *in, mr_type *few, size_t num_few) {
  uint32_t n = in->op->num_operands;
  mr_type *types = n <= num_few ? few : mr_alloc(n * sizeof *types);
  for (uint32_t i = 0; types && i < n; i++) {
    types[i] = *mr_infer_type(in, i);
  }
  return types;
}

mr_status mr_rule_while(const mr_infer *in) {
  MR_TRY(mr_rule_same_each(in));
  MR_TRY(mr_infer_regions(in, 2));
  mr_type few[16], truth = mr_type_scalar(MR_PRED);
  mr_type *types = operand_types(in, few, MR_ARRAY_SIZE(few));
  if (!types) {
    return MR_NO_MEMORY();
  }
  uint32_t n = in->op->num_operands;
  mr_status status = mr_infer_region(in, 0, n, types, 1, &truth);
  if (!status) {
    status = mr_infer_region(in, 1, n, types, n, types);
  }
  if (types != few) {
    mr_free(types);
  }
  return status;
}

// All regions return the result types and take nothing.
static mr_status check_branches(const mr_infer *in) {
  mr_infer_keep(in);
  for (uint32_t r = 0; r < in->op->num_regions; r++) {
    MR_TRY(mr_infer_region(in, r, 0, NULL, in->op->num_results, in->out));
  }
  return MR_OK;
}

static mr_status check_scalar(const mr_infer *in, mr_dtype dtype) {
  mr_type wanted = mr_type_scalar(dtype);
  return mr_infer_match(in, mr_infer_type(in, 0), &wanted, "which branch, and what it must be");
}

mr_status mr_rule_case(const mr_infer *in) {
  MR_TRY(check_scalar(in, MR_S32));
  if (in->op->num_regions == 0) {
    return mr_op_error(in->op, "has no branches");
  }
  return check_branches(in);
}

mr_status mr_rule_if(const mr_infer *in) {
  MR_TRY(check_scalar(in, MR_PRED));
  MR_TRY(mr_infer_regions(in, 2));
  return check_branches(in);
}

static mr_status check_call(const mr_infer *in, mr_attr_key key) {
  const mr_op *op = in->op;
  mr_str name = mr_op_string(op, key);
  const mr_function *callee = mr_module_find(in->module, name);
  if (!callee) {
    return mr_op_error(op, "there is no function @%.*s", MR_STR_ARG(name));
  }
  if (callee->body.num_args != op->num_operands || callee->num_results != op->num_results) {
    return mr_op_error(op, "@%.*s takes %u values and returns %u, not %u and %u", MR_STR_ARG(name),
                       callee->body.num_args, callee->num_results, op->num_operands, op->num_results);
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    MR_TRY(mr_infer_match(in, mr_infer_type(in, i), &callee->body.args[i]->type, "operand and parameter"));
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    in->out[i] = callee->result_types[i];
  }
  return MR_OK;
}

mr_status mr_rule_call(const mr_infer *in) {
  return check_call(in, in->op->kind == MR_OP_composite ? MR_ATTR_decomposition : MR_ATTR_callee);
}

// One region that takes the operands and returns the results.
mr_status mr_rule_inner_region(const mr_infer *in) {
  MR_TRY(mr_infer_regions(in, 1));
  mr_infer_keep(in);
  mr_type few[16];
  mr_type *types = operand_types(in, few, MR_ARRAY_SIZE(few));
  if (!types) {
    return MR_NO_MEMORY();
  }
  mr_status status = mr_infer_region(in, 0, in->op->num_operands, types, in->op->num_results, in->out);
  if (types != few) {
    mr_free(types);
  }
  return status;
}

// What may go on beside the program, as StableHLO lists it: fewer than the ops of any class.
static bool runs_aside(mr_op_kind kind) {
  switch (kind) {
  case MR_OP_all_gather:
  case MR_OP_all_reduce:
  case MR_OP_all_to_all:
  case MR_OP_collective_broadcast:
  case MR_OP_collective_permute:
  case MR_OP_collective_reduce:
  case MR_OP_reduce_scatter:
  case MR_OP_dynamic_slice:
  case MR_OP_dynamic_update_slice:
  case MR_OP_slice: return true;
  default: return false;
  }
}

static mr_status check_future(const mr_infer *in, const mr_type *type) {
  char text[128];
  return type->kind == MR_TYPE_FUTURE
             ? MR_OK
             : mr_op_error(in->op, "%s, wanted a future", mr_type_text(type, text, sizeof text));
}

// One collective or slice in its region, whose results the future stands for.
mr_status mr_rule_async_start(const mr_infer *in) {
  MR_TRY(mr_infer_regions(in, 1));
  const mr_op *first = in->op->regions[0]->first;
  if (!first || !runs_aside(first->kind) || !first->next || first->next->kind != MR_OP_return) {
    return mr_op_error(in->op, "its region wants one collective or slice and a return");
  }
  mr_infer_keep(in);
  MR_TRY(check_future(in, &in->out[0]));
  mr_type few[16];
  mr_type *types = operand_types(in, few, MR_ARRAY_SIZE(few));
  if (!types) {
    return MR_NO_MEMORY();
  }
  mr_status status = mr_infer_region(in, 0, in->op->num_operands, types, in->out[0].rank, in->out[0].elements);
  if (types != few) {
    mr_free(types);
  }
  return status;
}

mr_status mr_rule_async_done(const mr_infer *in) {
  const mr_type *future = mr_infer_type(in, 0);
  MR_TRY(check_future(in, future));
  if (future->rank != in->op->num_results) {
    return mr_op_error(in->op, "has %u results, its future stands for %u", in->op->num_results, future->rank);
  }
  for (uint32_t i = 0; i < future->rank; i++) {
    in->out[i] = future->elements[i];
  }
  return MR_OK;
}

// Inside, shapes are local: only counts, ranks and element types can be compared without the mesh.
mr_status mr_rule_manual_computation(const mr_infer *in) {
  const mr_op *op = in->op;
  MR_TRY(mr_infer_regions(in, 1));
  mr_infer_keep(in);
  const mr_block *block = op->regions[0];
  const mr_op *terminator = mr_block_terminator(block);
  MR_TRY(mr_infer_region_counts(in, 0, op->num_operands, op->num_results));
  for (uint32_t i = 0; i < op->num_operands + op->num_results; i++) {
    bool argument = i < op->num_operands;
    const mr_type *inner = argument ? &block->args[i]->type : &terminator->operands[i - op->num_operands].value->type;
    const mr_type *outer = argument ? mr_infer_type(in, i) : mr_infer_had(in, i - op->num_operands);
    if (inner->kind != outer->kind || inner->dtype != outer->dtype || inner->rank != outer->rank) {
      char inside[128], outside[128];
      return mr_op_error(op, "%s inside for %s outside, wanted the same ranks and elements",
                         mr_type_text(inner, inside, sizeof inside), mr_type_text(outer, outside, sizeof outside));
    }
  }
  return MR_OK;
}

// ---- Collectives ---------------------------------------------------------------------------------------------------

mr_status mr_rule_device_id(const mr_infer *in) { return mr_infer_result(in, 0, MR_U32, 0, NULL); }

// The devices in one group; 0 when the attribute does not say (mesh axes, one group of all, or groups of replicas over all
// partitions, however many these are).
static int64_t group_size(const mr_op *op) {
  const mr_attr *groups = mr_op_attr(op, MR_ATTR_replica_groups),
                *global = mr_op_attr(op, MR_ATTR_use_global_device_ids);
  bool flat = global && global->kind == MR_ATTR_INT && global->integer;
  if (op->kind != MR_OP_all_to_all && mr_op_int(op, MR_ATTR_channel_id, 0) > 0 && !flat) {
    return 0;
  }
  if (!groups || groups->kind != MR_ATTR_INTS || groups->ints.size == 0) {
    return 0;
  }
  return groups->rows > 0 ? (int64_t)groups->ints.size / groups->rows : (int64_t)groups->ints.size;
}

static mr_status same_number(const mr_infer *in) {
  if (in->op->num_results != in->op->num_operands) {
    return mr_op_error(in->op, "has %u results, wanted %u", in->op->num_results, in->op->num_operands);
  }
  return MR_OK;
}

// Result i is operand i with dimension `dim` multiplied by `times` (0: not known) and divided by `parts`.
static mr_status scale_dim(const mr_infer *in, uint32_t i, int64_t dim, int64_t times, int64_t parts) {
  MR_TRY(mr_infer_tensor(in, i));
  const mr_type *x = mr_infer_type(in, i), *declared = mr_infer_had(in, i);
  if (dim < 0 || dim >= x->rank || declared->kind != MR_TYPE_TENSOR || declared->rank != x->rank) {
    char text[128];
    return mr_op_error(in->op, "dimension %lld of rank %u, for %s", (long long)dim, x->rank,
                       mr_type_text(declared, text, sizeof text));
  }
  int64_t dims[MR_MAX_RANK];
  mr_copy_dims(dims, x->dims, x->rank);
  if (times == 0 || parts == 0 || dims[dim] < 0) {
    dims[dim] = declared->dims[dim];
  } else if (__builtin_mul_overflow(dims[dim], times, &dims[dim]) || dims[dim] % parts) {
    return mr_op_error(in->op, "dimension %lld of size %lld cannot be had %lld times and shared by %lld",
                       (long long)dim, (long long)x->dims[dim], (long long)times, (long long)parts);
  } else {
    dims[dim] /= parts;
  }
  return mr_infer_result(in, i, x->dtype, x->rank, dims);
}

mr_status mr_rule_all_gather(const mr_infer *in) {
  MR_TRY(same_number(in));
  int64_t dim;
  MR_TRY(mr_infer_int(in, MR_ATTR_all_gather_dim, 0, MR_MAX_RANK, &dim));
  for (uint32_t i = 0; i < in->op->num_operands; i++) {
    MR_TRY(scale_dim(in, i, dim, group_size(in->op), 1));
    int64_t before = mr_infer_type(in, i)->dims[dim], after = in->out[i].dims[dim];
    if (before == 0 || (before > 0 && after % before != 0 && after >= 0)) {
      return mr_op_error(in->op, "gathers dimension %lld of size %lld into %lld", (long long)dim, (long long)before,
                         (long long)after);
    }
  }
  return MR_OK;
}

static mr_status check_scalar_fold(const mr_infer *in) {
  MR_TRY(mr_infer_regions(in, 1));
  const mr_block *block = in->op->regions[0];
  const mr_op *terminator = mr_block_terminator(block);
  MR_TRY(mr_infer_region_counts(in, 0, 2, 1));
  const mr_type *value = &terminator->operands[0].value->type;
  mr_type scalar = mr_type_scalar(value->dtype);
  scalar.quant = value->quant;
  MR_TRY(mr_infer_match(in, value, &scalar, "value of the region"));
  MR_TRY(mr_infer_match(in, &block->args[0]->type, &scalar, "argument of the region"));
  return mr_infer_match(in, &block->args[1]->type, &scalar, "argument of the region");
}

// One result for each operand, but for the last one when that names the roots.
static mr_status same_but_roots(const mr_infer *in) {
  uint32_t data = in->op->num_operands;
  if (mr_op_int(in->op, MR_ATTR_has_dynamic_root, 0) && data) {
    MR_TRY(mr_infer_rank(in, --data, 1));
    MR_TRY(mr_infer_integer(in, data));
    if (!mr_dim_agrees(mr_infer_type(in, data)->dims[0], data)) {
      return mr_op_error(in->op, "has %u operands and roots for %lld", data,
                         (long long)mr_infer_type(in, data)->dims[0]);
    }
  }
  if (in->op->num_results != data) {
    return mr_op_error(in->op, "has %u results, wanted %u", in->op->num_results, data);
  }
  for (uint32_t i = 0; i < data; i++) {
    MR_TRY(mr_infer_tensor(in, i));
    in->out[i] = *mr_infer_type(in, i);
  }
  return MR_OK;
}

mr_status mr_rule_collective_permute(const mr_infer *in) {
  for (uint32_t i = 0; i < in->op->num_operands; i++) {
    MR_TRY(mr_infer_tensor(in, i));
  }
  return mr_rule_same_each(in);
}

mr_status mr_rule_collective_broadcast(const mr_infer *in) { return same_but_roots(in); }

// The region may fold in a wider type than the operands have.
static mr_status promote_to_region(const mr_infer *in) {
  const mr_type *folded = &mr_block_terminator(in->op->regions[0])->operands[0].value->type;
  for (uint32_t i = 0; i < in->op->num_results; i++) {
    MR_TRY(mr_infer_promotion(in, i, 0, 0));
    in->out[i].dtype = folded->dtype;
    in->out[i].quant = folded->quant;
  }
  return MR_OK;
}

mr_status mr_rule_all_reduce(const mr_infer *in) {
  MR_TRY(check_scalar_fold(in));
  MR_TRY(same_but_roots(in));
  return promote_to_region(in);
}

mr_status mr_rule_reduce_scatter(const mr_infer *in) {
  MR_TRY(check_scalar_fold(in));
  int64_t dim;
  MR_TRY(mr_infer_int(in, MR_ATTR_scatter_dimension, 0, MR_MAX_RANK, &dim));
  MR_TRY(scale_dim(in, 0, dim, 1, group_size(in->op)));
  return promote_to_region(in);
}

mr_status mr_rule_all_to_all(const mr_infer *in) {
  MR_TRY(same_number(in));
  int64_t split, concat, count;
  MR_TRY(mr_infer_int(in, MR_ATTR_split_dimension, 0, MR_MAX_RANK, &split));
  MR_TRY(mr_infer_int(in, MR_ATTR_concat_dimension, 0, MR_MAX_RANK, &concat));
  MR_TRY(mr_infer_int(in, MR_ATTR_split_count, 1, INT64_MAX, &count));
  for (uint32_t i = 0; i < in->op->num_operands; i++) {
    MR_TRY(scale_dim(in, i, split, 1, count));
    mr_type halfway = in->out[i];
    if (concat >= halfway.rank) {
      return mr_op_error(in->op, "dimension %lld of rank %u", (long long)concat, halfway.rank);
    }
    int64_t *dims = (int64_t *)halfway.dims;  // made by scale_dim for this result alone
    int64_t before = dims[concat];
    if (before >= 0 && __builtin_mul_overflow(before, count, &dims[concat])) {
      return mr_op_error(in->op, "dimension %lld of size %lld cannot be had %lld times", (long long)concat,
                         (long long)before, (long long)count);
    }
  }
  return MR_OK;
}
