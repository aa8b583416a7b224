// Shape rules: the dispatch, what they share, and the elementwise ones.
#include "compiler/ir/infer_internal.h"
#include "compiler/ir/scalar.h"

#include <string.h>

// ---- Checks that every rule uses ------------------------------------------------------------------------

mr_status mr_infer_tensor(const mr_infer *in, uint32_t i) {
  const mr_type *type = mr_infer_type(in, i);
  if (type->kind == MR_TYPE_TENSOR) {
    return MR_OK;
  }
  char text[128];
  return mr_op_error(in->op, "operand %u is %s, wanted a tensor", i, mr_type_text(type, text, sizeof text));
}

mr_status mr_infer_rank(const mr_infer *in, uint32_t i, uint32_t rank) {
  MR_TRY(mr_infer_tensor(in, i));
  const mr_type *type = mr_infer_type(in, i);
  if (type->rank == rank) {
    return MR_OK;
  }
  char text[128];
  return mr_op_error(in->op, "operand %u is %s, wanted rank %u", i, mr_type_text(type, text, sizeof text), rank);
}

mr_status mr_infer_integer(const mr_infer *in, uint32_t i) {
  MR_TRY(mr_infer_tensor(in, i));
  const mr_type *type = mr_infer_type(in, i);
  if (mr_dtype_is_integer(type->dtype) && !type->quant) {
    return MR_OK;
  }
  char text[128];
  return mr_op_error(in->op, "operand %u is %s, wanted integers", i, mr_type_text(type, text, sizeof text));
}

mr_status mr_infer_ints(const mr_infer *in, mr_attr_key key, size_t count, mr_ints *out_ints) {
  *out_ints = mr_op_ints(in->op, key);
  if (count == MR_ANY_LENGTH || out_ints->size == count) {
    return MR_OK;
  }
  return mr_op_error(in->op, "%s has %zu entries, wanted %zu", mr_attr_key_name(key), out_ints->size, count);
}

int64_t mr_ints_find(mr_ints ints, int64_t value) {
  for (size_t i = 0; i < ints.size; i++) {
    if (ints.data[i] == value) {
      return (int64_t)i;
    }
  }
  return -1;
}

bool mr_ints_count_up(mr_ints ints) {
  bool counts = true;
  for (size_t i = 0; i < ints.size; i++) {
    counts = counts && ints.data[i] == (int64_t)i;
  }
  return counts;
}

bool mr_ints_has(mr_ints ints, int64_t value) { return mr_ints_find(ints, value) >= 0; }

mr_status mr_infer_dims(const mr_infer *in, mr_attr_key key, size_t count, uint32_t rank, mr_ints *out_ints) {
  MR_TRY(mr_infer_ints(in, key, count, out_ints));
  bool seen[MR_MAX_RANK] = {false};
  for (size_t i = 0; i < out_ints->size; i++) {
    int64_t dim = out_ints->data[i];
    if (dim < 0 || dim >= (int64_t)rank) {
      return mr_op_error(in->op, "%s has %lld, wanted a dimension of rank %u", mr_attr_key_name(key), (long long)dim,
                         rank);
    }
    if (seen[dim]) {
      return mr_op_error(in->op, "%s has %lld twice", mr_attr_key_name(key), (long long)dim);
    }
    seen[dim] = true;
  }
  return MR_OK;
}

mr_status mr_infer_int(const mr_infer *in, mr_attr_key key, int64_t low, int64_t high, int64_t *out) {
  const mr_attr *attr = mr_op_attr(in->op, key);
  if (!attr || attr->kind != MR_ATTR_INT) {
    return mr_op_error(in->op, "attribute %s is missing", mr_attr_key_name(key));
  }
  *out = attr->integer;
  if (*out < low || *out > high) {
    return mr_op_error(in->op, "%s is %lld, wanted %lld to %lld", mr_attr_key_name(key), (long long)*out,
                       (long long)low, (long long)high);
  }
  return MR_OK;
}

mr_status mr_infer_result(const mr_infer *in, uint32_t i, mr_dtype dtype, uint32_t rank, const int64_t *dims) {
  if (rank > MR_MAX_RANK) {
    return mr_op_error(in->op, "result has rank %u, at most %d are supported", rank, MR_MAX_RANK);
  }
  for (uint32_t d = 0; d < rank; d++) {
    if (dims[d] < 0 && dims[d] != MR_DYNAMIC) {
      return mr_op_error(in->op, "dimension %u of the result would be %lld", d, (long long)dims[d]);
    }
  }
  in->out[i] = mr_type_tensor(in->module, dtype, rank, dims);
  in->out[i].quant = mr_infer_had(in, i)->quant;
  return mr_module_memory(in->module);
}

void mr_infer_keep(const mr_infer *in) {
  for (uint32_t i = 0; i < in->op->num_results; i++) {
    in->out[i] = *mr_infer_had(in, i);
  }
}

mr_status mr_infer_match(const mr_infer *in, const mr_type *a, const mr_type *b, const char *what) {
  if (mr_type_compatible(a, b)) {
    return MR_OK;
  }
  char first[192], second[192];
  return mr_op_error(in->op, "%s: %s and %s do not agree", what, mr_type_text(a, first, sizeof first),
                     mr_type_text(b, second, sizeof second));
}

mr_status mr_infer_regions(const mr_infer *in, uint32_t count) {
  if (in->op->num_regions == count) {
    return MR_OK;
  }
  return mr_op_error(in->op, "has %u regions, wanted %u", in->op->num_regions, count);
}

mr_status mr_infer_index_batching(const mr_infer *in, const mr_type *indices, const mr_index_batching *b) {
  const mr_type *x = mr_infer_type(in, 0);
  for (size_t i = 0; i < b->operand.size; i++) {
    int64_t d = b->operand.data[i], e = b->indices.data[i];
    if (mr_ints_has(b->dropped, d) || mr_ints_has(b->mapped, d) || e == b->index_vector) {
      return mr_op_error(in->op, "batching dimension %lld is used for something else, too", (long long)d);
    }
    if (!mr_dim_agrees(x->dims[d], indices->dims[e])) {
      return mr_op_error(in->op, "batching dimensions %lld and %lld have sizes %lld and %lld", (long long)d,
                         (long long)e, (long long)x->dims[d], (long long)indices->dims[e]);
    }
  }
  return MR_OK;
}

bool mr_infer_constant(const mr_infer *in, uint32_t i, uint64_t at, int64_t *out_value) {
  const mr_dense *dense = mr_value_constant(in->op->operands[i].value);
  size_t size = dense ? mr_dtype_bytes(dense->type.dtype) : 0;
  if (!dense || !mr_dtype_is_integer(dense->type.dtype) || at >= (uint64_t)mr_type_count(&dense->type)) {
    return false;
  }
  *out_value = mr_scalar_to_int(dense->type.dtype, (const char *)dense->data + (dense->splat ? 0 : at * size));
  return true;
}

mr_status mr_infer_region_counts(const mr_infer *in, uint32_t region, uint32_t num_args, uint32_t num_results) {
  const mr_block *block = in->op->regions[region];
  const mr_op *terminator = mr_block_terminator(block);
  if (!terminator) {
    return mr_op_error(in->op, "region %u does not end with a return", region);
  }
  if (block->num_args != num_args || terminator->num_operands != num_results) {
    return mr_op_error(in->op, "region %u has %u arguments and returns %u values, wanted %u and %u", region,
                       block->num_args, terminator->num_operands, num_args, num_results);
  }
  return MR_OK;
}

mr_status mr_infer_region(const mr_infer *in, uint32_t region, uint32_t num_args, const mr_type *args,
                          uint32_t num_results, const mr_type *results) {
  const mr_block *block = in->op->regions[region];
  const mr_op *terminator = mr_block_terminator(block);
  MR_TRY(mr_infer_region_counts(in, region, num_args, num_results));
  for (uint32_t i = 0; i < num_args; i++) {
    MR_TRY(mr_infer_match(in, &block->args[i]->type, &args[i], "argument of the region"));
  }
  for (uint32_t i = 0; i < num_results; i++) {
    MR_TRY(mr_infer_match(in, &terminator->operands[i].value->type, &results[i], "value returned by the region"));
  }
  return MR_OK;
}

// ---- Elementwise ---------------------------------------------------------------------------------------------------

static mr_status check_class(const mr_infer *in, const mr_type *type) {
  // A quantised tensor stands for its expressed, float values.
  unsigned found = type->quant ? MR_TYPES_FLOATS : 1u << mr_dtype_class_of(type->dtype);
  if (mr_op_table[in->op->kind].types & found) {
    return MR_OK;
  }
  char text[128];
  return mr_op_error(in->op, "is not defined on %s", mr_type_text(type, text, sizeof text));
}

// All operands agree; writes the one type they have, with every dimension any of them knows.
static mr_status join_operands(const mr_infer *in, mr_type *out_type) {
  const mr_type *first = mr_infer_type(in, 0);
  int64_t dims[MR_MAX_RANK];
  MR_TRY(mr_infer_tensor(in, 0));
  MR_TRY(check_class(in, first));
  *out_type = *first;
  bool joined = false;
  for (uint32_t i = 1; i < in->op->num_operands; i++) {
    const mr_type *type = mr_infer_type(in, i);
    mr_type unquantised = *type, reference = *first;
    if (type->quant || first->quant) {  // only the parameters, or one side, may be quantised
      unquantised.quant = reference.quant = NULL;
      unquantised.dtype = reference.dtype;
    }
    MR_TRY(mr_infer_match(in, &reference, &unquantised, "operands"));
    for (uint32_t d = 0; d < first->rank; d++) {
      if (out_type->dims[d] < 0 && type->dims[d] >= 0) {
        if (!joined) {
          mr_copy_dims(dims, first->dims, first->rank);
          *out_type = mr_type_tensor(in->module, first->dtype, first->rank, dims);
          out_type->quant = first->quant;
          joined = true;
        }
        ((int64_t *)out_type->dims)[d] = type->dims[d];
      }
    }
  }
  return MR_OK;
}

mr_status mr_rule_same(const mr_infer *in) {
  MR_TRY(join_operands(in, &in->out[0]));
  const mr_type *declared = mr_infer_had(in, 0);
  if (in->out[0].quant || declared->quant) {
    in->out[0].quant = declared->quant;
    in->out[0].dtype = declared->dtype;
  }
  if (in->op->kind == MR_OP_reduce_precision) {
    int64_t bits;
    MR_TRY(mr_infer_int(in, MR_ATTR_exponent_bits, 1, 64, &bits));
    MR_TRY(mr_infer_int(in, MR_ATTR_mantissa_bits, 0, 64, &bits));
  }
  if (in->op->kind == MR_OP_cholesky) {
    const mr_type *a = mr_infer_type(in, 0);
    if (a->rank < 2 || !mr_dim_agrees(a->dims[a->rank - 1], a->dims[a->rank - 2])) {
      char text[128];
      return mr_op_error(in->op, "operand is %s, wanted square matrices", mr_type_text(a, text, sizeof text));
    }
  }
  return MR_OK;
}

mr_status mr_rule_reverse(const mr_infer *in) {
  MR_TRY(mr_rule_same(in));
  mr_ints dims;
  return mr_infer_dims(in, MR_ATTR_dimensions, MR_ANY_LENGTH, in->out[0].rank, &dims);
}

static mr_status with_dtype(const mr_infer *in, mr_dtype dtype) {
  mr_type type;
  MR_TRY(join_operands(in, &type));
  in->out[0] = mr_type_with_dtype(&type, dtype);
  return MR_OK;
}

mr_status mr_rule_abs(const mr_infer *in) {
  const mr_type *x = mr_infer_type(in, 0);
  if (x->kind == MR_TYPE_TENSOR && mr_dtype_is_complex(x->dtype)) {
    return with_dtype(in, mr_dtype_real(x->dtype));
  }
  return mr_rule_same(in);
}

mr_status mr_rule_real_part(const mr_infer *in) {
  MR_TRY(mr_infer_tensor(in, 0));
  return with_dtype(in, mr_dtype_real(mr_infer_type(in, 0)->dtype));
}

mr_status mr_rule_convert(const mr_infer *in) {
  const mr_type *declared = mr_infer_had(in, 0);
  if (declared->kind != MR_TYPE_TENSOR) {
    char text[128];
    return mr_op_error(in->op, "result is %s, wanted a tensor", mr_type_text(declared, text, sizeof text));
  }
  return with_dtype(in, declared->dtype);
}

mr_status mr_rule_predicate(const mr_infer *in) {
  MR_TRY(with_dtype(in, MR_PRED));
  if (in->op->kind == MR_OP_compare) {
    int64_t word;
    MR_TRY(mr_infer_int(in, MR_ATTR_comparison_direction, 0, 5, &word));
    if (mr_dtype_is_complex(mr_infer_type(in, 0)->dtype) && word > 1) {
      return mr_op_error(in->op, "complex numbers have no order");
    }
    if (mr_op_attr(in->op, MR_ATTR_compare_type)) {
      MR_TRY(mr_infer_int(in, MR_ATTR_compare_type, 0, 4, &word));
    }
  }
  return MR_OK;
}

mr_status mr_rule_complex_of(const mr_infer *in) {
  MR_TRY(mr_infer_tensor(in, 0));
  mr_dtype dtype = mr_infer_type(in, 0)->dtype;
  if (dtype != MR_F32 && dtype != MR_F64) {
    return mr_op_error(in->op, "makes complex numbers of f32 or f64, not of %s", mr_dtype_name(dtype));
  }
  return with_dtype(in, dtype == MR_F64 ? MR_C128 : MR_C64);
}

// A scalar of the other operand's element type, or all of its type.
static mr_status check_scalar_or_full(const mr_infer *in, uint32_t i, const mr_type *full) {
  MR_TRY(mr_infer_tensor(in, i));
  const mr_type *type = mr_infer_type(in, i);
  if (type->rank == 0 && (type->dtype == full->dtype || type->quant)) {
    return MR_OK;
  }
  return mr_infer_match(in, type, full, "operands");
}

mr_status mr_rule_clamp(const mr_infer *in) {
  const mr_type *x = mr_infer_type(in, 1);
  MR_TRY(mr_infer_tensor(in, 1));
  MR_TRY(check_scalar_or_full(in, 0, x));
  MR_TRY(check_scalar_or_full(in, 2, x));
  in->out[0] = *x;
  return MR_OK;
}

mr_status mr_rule_select(const mr_infer *in) {
  MR_TRY(mr_infer_tensor(in, 0));
  MR_TRY(mr_infer_tensor(in, 1));
  const mr_type *t = mr_infer_type(in, 1);
  mr_type mask = mr_type_with_dtype(t, MR_PRED);
  MR_TRY(check_scalar_or_full(in, 0, &mask));
  MR_TRY(mr_infer_match(in, t, mr_infer_type(in, 2), "operands"));
  in->out[0] = *t;
  return MR_OK;
}

mr_status mr_rule_quantize(const mr_infer *in) {
  MR_TRY(mr_infer_tensor(in, 0));
  const mr_type *x = mr_infer_type(in, 0), *declared = mr_infer_had(in, 0);
  if (declared->kind != MR_TYPE_TENSOR || !x->quant == !declared->quant || x->rank != declared->rank) {
    if (!(x->quant && declared->quant && x->rank == declared->rank)) {
      char from[128], to[128];
      return mr_op_error(in->op, "from %s to %s, wanted a float tensor and a quantised one of the same dimensions",
                         mr_type_text(x, from, sizeof from), mr_type_text(declared, to, sizeof to));
    }
  }
  in->out[0] = *x;
  in->out[0].dtype = declared->dtype;
  in->out[0].quant = declared->quant;
  return MR_OK;
}

// ---- Dispatch ------------------------------------------------------------------------------------------------------

static const mr_infer_rule rules[MR_OP_COUNT] = {
#define OP(name, spelling, operands, results, class, rule, ...) [MR_OP_##name] = mr_rule_##rule,
#include "ops/ops.def"
};

static mr_status check_count(const mr_op *op, const char *what, uint32_t found, int wanted) {
  if (wanted < 0 || found == (uint32_t)wanted) {
    return MR_OK;
  }
  return mr_op_error(op, "has %u %s, wanted %d", found, what, wanted);
}

mr_status mr_op_infer(mr_module *module, const mr_op *op, mr_type *out_types) {
  MR_TRY(check_count(op, "operands", op->num_operands, mr_op_table[op->kind].operands));
  MR_TRY(check_count(op, "results", op->num_results, mr_op_table[op->kind].results));
  mr_infer in = {module, op, out_types};
  return rules[op->kind](&in);
}

mr_status mr_op_check(mr_module *module, const mr_op *op) {
  mr_type few[8];
  mr_type *types = few;
  if (op->num_results > MR_ARRAY_SIZE(few)) {
    types = mr_alloc(op->num_results * sizeof *types);
    if (!types) {
      return MR_NO_MEMORY();
    }
  }
  mr_status status = mr_op_infer(module, op, types);
  for (uint32_t i = 0; !status && i < op->num_results; i++) {
    mr_infer in = {module, op, types};
    status = mr_infer_match(&in, &types[i], &op->results[i].type, "the result's type by the rule and as written");
  }
  if (types != few) {
    mr_free(types);
  }
  return status;
}
