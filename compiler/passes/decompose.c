// Rare ops into common ones: the dispatch and the short rewrites.
#include "compiler/passes/decompose.h"

#include <math.h>

#include "compiler/passes/passes.h"

static mr_status done(mr_op *op, mr_value *value, bool *out_changed) {
  *out_changed = mr_replace(op, value);
  return *out_changed ? MR_OK : mr_module_memory(mr_op_module(op));
}

// case with index 0 for true: the branches keep their order.
mr_status mr_decompose_if(mr_op *op, bool *out_changed) {
  mr_builder b = mr_builder_before(op);
  mr_value *other = mr_build_unary(&b, MR_OP_not, mr_op_operand(op, 0));
  mr_value *index = mr_build_convert(&b, other, MR_S32);
  mr_type few[16], *types = few;
  if (op->num_results > MR_ARRAY_SIZE(few)) {
    types = mr_alloc(op->num_results * sizeof *types);
    if (!types) {
      return MR_NO_MEMORY();
    }
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    types[i] = op->results[i].type;
  }
  mr_op *choice = mr_build(&b, MR_OP_case, 1, &index, op->num_results, types, 2);
  if (types != few) {
    mr_free(types);
  }
  if (!choice) {
    return mr_module_memory(b.module);
  }
  mr_op_take_regions(choice, op);
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_value_replace_all_uses(&op->results[i], &choice->results[i]);
  }
  mr_op_erase(op);
  *out_changed = true;
  return MR_OK;
}

mr_status mr_decompose_broadcast(mr_op *op, bool *out_changed) {
  mr_builder b = mr_builder_before(op);
  const mr_type *type = &op->results[0].type;
  uint32_t rank = op->operands[0].value->type.rank, first = type->rank - rank;
  int64_t dims[MR_MAX_RANK];
  for (uint32_t i = 0; i < rank; i++) {
    dims[i] = first + i;
  }
  return done(op, mr_build_broadcast(&b, mr_op_operand(op, 0), type, (mr_ints){dims, rank}), out_changed);
}

mr_status mr_decompose_dot(mr_op *op, bool *out_changed) {
  mr_builder b = mr_builder_before(op);
  mr_value *operands[] = {mr_op_operand(op, 0), mr_op_operand(op, 1)};
  mr_op *general = mr_build(&b, MR_OP_dot_general, 2, operands, 1, &op->results[0].type, 0);
  if (!general) {
    return mr_module_memory(b.module);
  }
  mr_op_copy_attrs(b.module, general, op);
  int64_t left = operands[0]->type.rank - 1, right = 0;
  mr_op_set_ints(b.module, general, MR_ATTR_lhs_contracting_dimensions, (mr_ints){&left, 1});
  mr_op_set_ints(b.module, general, MR_ATTR_rhs_contracting_dimensions, (mr_ints){&right, 1});
  mr_op_set_ints(b.module, general, MR_ATTR_lhs_batching_dimensions, (mr_ints){0});
  mr_op_set_ints(b.module, general, MR_ATTR_rhs_batching_dimensions, (mr_ints){0});
  return done(op, &general->results[0], out_changed);
}

mr_status mr_decompose_is_inf(mr_op *op, bool *out_changed) {
  mr_builder b = mr_builder_before(op);
  mr_value *x = mr_op_operand(op, 0);
  mr_value *tested = op->kind == MR_OP_is_inf ? mr_build_unary(&b, MR_OP_abs, x) : x;
  mr_value *infinity = mr_build_splat(&b, &x->type, op->kind == MR_OP_is_neg_inf ? -INFINITY : INFINITY);
  return done(op, mr_build_compare(&b, MR_COMPARE_EQ, MR_COMPARE_FLOAT, tested, infinity), out_changed);
}

// real and conj of a real tensor are the tensor, imag is zero.
mr_status mr_decompose_parts_of_real(mr_op *op, bool *out_changed) {
  mr_value *x = mr_op_operand(op, 0);
  if (mr_dtype_is_complex(x->type.dtype)) {
    return MR_OK;
  }
  mr_builder b = mr_builder_before(op);
  return done(op, op->kind == MR_OP_imag ? mr_build_splat(&b, &x->type, 0) : x, out_changed);
}

mr_status mr_decompose_dimension_size(mr_op *op, bool *out_changed) {
  int64_t size = op->operands[0].value->type.dims[mr_op_int(op, MR_ATTR_dimension, 0)];
  if (size < 0) {
    return MR_OK;
  }
  if (size > INT32_MAX) {
    return mr_unimplemented(op, "a dimension of %lld does not fit i32", (long long)size);
  }
  mr_builder b = mr_builder_before(op);
  return done(op, mr_build_splat_int(&b, &op->results[0].type, size), out_changed);
}

mr_status mr_decompose_sort(mr_op *op, bool *out_changed) {
  (void)out_changed;
  int64_t dim = mr_op_int(op, MR_ATTR_dimension, -1);
  if (dim < 0) {
    mr_op_set_int(mr_op_module(op), op, MR_ATTR_dimension, dim + op->results[0].type.rank);
  }
  return MR_OK;
}

mr_status mr_decompose_torch_index_select(mr_op *op, bool *out_changed) {
  mr_builder b = mr_builder_before(op);
  mr_module *module = b.module;
  mr_value *x = mr_op_operand(op, 0), *index = mr_op_operand(op, 1);
  int64_t dim = mr_op_int(op, MR_ATTR_dim, 0), batch = mr_op_int(op, MR_ATTR_batch_dims, 0);
  const mr_type *type = &op->results[0].type;
  mr_op *gather = mr_build(&b, MR_OP_gather, 2, (mr_value *[]){x, index}, 1, type, 0);
  if (!gather) {
    return mr_module_memory(module);
  }
  // Result dims: x's before `dim`, the index's beyond the batch, x's after `dim`. Batch dims come from the indices.
  int64_t offset[MR_MAX_RANK], sizes[MR_MAX_RANK], batches[MR_MAX_RANK];
  size_t offsets = 0;
  for (int64_t d = 0; d < x->type.rank; d++) {
    sizes[d] = d == dim || d < batch ? 1 : x->type.dims[d];
    batches[d] = d;
    if (d >= batch && d < dim) {
      offset[offsets++] = d;
    } else if (d > dim) {
      offset[offsets++] = d - 1 + (index->type.rank - batch);
    }
  }
  mr_op_set_ints(module, gather, MR_ATTR_offset_dims, (mr_ints){offset, offsets});
  mr_op_set_ints(module, gather, MR_ATTR_collapsed_slice_dims, (mr_ints){&dim, 1});
  mr_op_set_ints(module, gather, MR_ATTR_operand_batching_dims, (mr_ints){batches, (size_t)batch});
  mr_op_set_ints(module, gather, MR_ATTR_start_indices_batching_dims, (mr_ints){batches, (size_t)batch});
  mr_op_set_ints(module, gather, MR_ATTR_start_index_map, (mr_ints){&dim, 1});
  mr_op_set_int(module, gather, MR_ATTR_index_vector_dim, index->type.rank);
  mr_op_set_ints(module, gather, MR_ATTR_slice_sizes, (mr_ints){sizes, x->type.rank});
  mr_op_set_int(module, gather, MR_ATTR_indices_are_sorted, 0);
  return done(op, &gather->results[0], out_changed);
}

// A region may accumulate in a wider type than the operands have: convert these, so that back ends see one type.
static void promote(mr_op *op, uint32_t operand, mr_dtype dtype) {
  mr_builder b = mr_builder_before(op);
  mr_op_set_operand(op, operand, mr_build_convert(&b, mr_op_operand(op, operand), dtype));
}

mr_status mr_decompose_promotion(mr_op *op, bool *out_changed) {
  (void)out_changed;
  uint32_t n = op->num_results;
  for (uint32_t i = 0; i < n; i++) {
    mr_dtype dtype = op->results[i].type.dtype;
    if (op->results[i].type.quant || op->operands[i].value->type.quant) {
      continue;
    }
    if (op->kind == MR_OP_select_and_scatter) {
      promote(op, 1, dtype);
      promote(op, 2, dtype);
    } else {
      promote(op, i, dtype);
      promote(op, op->kind == MR_OP_scatter ? n + 1 + i : n + i, dtype);
    }
  }
  return MR_OK;
}

// Factors and solutions of matrices of small floats: in f32, and rounded once.
mr_status mr_decompose_small_floats(mr_op *op, bool *out_changed) {
  mr_dtype dtype = op->results[0].type.dtype;
  if (!mr_dtype_is_float(dtype) || mr_dtype_bits(dtype) >= 32 || op->results[0].type.quant) {
    return MR_OK;
  }
  mr_builder b = mr_builder_before(op);
  mr_value *operands[2];
  for (uint32_t i = 0; i < op->num_operands; i++) {
    operands[i] = mr_build_convert(&b, mr_op_operand(op, i), MR_F32);
  }
  mr_type type = mr_type_with_dtype(&op->results[0].type, MR_F32);
  mr_value *wide = mr_build_like(&b, op, operands, &type);
  if (!wide) {
    return mr_module_memory(b.module);
  }
  return done(op, mr_build_convert(&b, wide, dtype), out_changed);
}

mr_status mr_decompose_square(mr_op *op, bool *out_changed) {
  if (mr_dtype_is_complex(op->results[0].type.dtype)) {
    return MR_OK;  // native: a product of equal numbers overflows later than one of any two
  }
  mr_builder b = mr_builder_before(op);
  mr_value *x = mr_op_operand(op, 0);
  return done(op, mr_build_binary(&b, MR_OP_multiply, x, x), out_changed);
}

#define mr_decompose_NONE NULL
static const mr_rewrite rules[MR_OP_COUNT] = {
#define OP(name, spelling, operands, results, class, rule, regions, types, cost, code, hlo, effect, fold, simplify, \
           rewrite, ...)                                                                                            \
  [MR_OP_##name] = mr_decompose_##rewrite,
#include "ops/ops.def"
};
#undef mr_decompose_NONE

mr_rewrite mr_decompose_rewrite_of(mr_op_kind kind) { return rules[kind]; }

static mr_status rewrite(mr_op *op, bool *out_changed) {
  return rules[op->kind] ? rules[op->kind](op, out_changed) : MR_OK;
}

mr_status mr_pass_decompose(mr_module *module) {
  mr_op_kind kinds[MR_OP_COUNT];
  size_t count = 0;
  for (mr_op_kind kind = 0; kind < MR_OP_COUNT; kind++) {
    if (rules[kind]) {
      kinds[count++] = kind;
    }
  }
  return mr_sweep_for(module, rewrite, kinds, count);
}
