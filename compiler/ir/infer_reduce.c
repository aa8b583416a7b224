// Shape rules of the ops that fold elements with a region: reduce, windows, scatter, sort, map, top_k.
#include "compiler/ir/infer_internal.h"

#include <string.h>

// What a region on scalars may compute in: the element type itself, or a wider one of the same class (the accumulator).
// Quantised types may store more, but stand for the same numbers.
static bool is_promotable(const mr_type *from, const mr_type *to) {
  bool quantised = from->quant && to->quant;
  if (!from->quant != !to->quant || (quantised && from->quant->expressed != to->quant->expressed)) {
    return false;
  }
  return from->dtype == to->dtype || (mr_dtype_class_of(from->dtype) == mr_dtype_class_of(to->dtype) &&
                                      mr_dtype_bits(from->dtype) <= mr_dtype_bits(to->dtype));
}

// Operands i and j have the same dimensions.
static mr_status check_same_dims(const mr_infer *in, uint32_t i, uint32_t j, const char *what) {
  mr_dtype dtype = mr_infer_type(in, i)->dtype;
  mr_type one = mr_type_with_dtype(mr_infer_type(in, i), dtype),
          other = mr_type_with_dtype(mr_infer_type(in, j), dtype);
  return mr_infer_match(in, &one, &other, what);
}

// N inputs of one shape followed by N scalars, N results.
static mr_status check_inputs_and_inits(const mr_infer *in, uint32_t *out_count) {
  const mr_op *op = in->op;
  uint32_t n = op->num_operands / 2;
  if (op->num_operands % 2 || n == 0 || op->num_results != n) {
    return mr_op_error(op, "has %u operands and %u results, wanted 2 operands a result", op->num_operands,
                       op->num_results);
  }
  for (uint32_t i = 0; i < n; i++) {
    MR_TRY(mr_infer_rank(in, i, mr_infer_type(in, 0)->rank));
    MR_TRY(mr_infer_rank(in, n + i, 0));
    MR_TRY(check_same_dims(in, i, 0, "inputs"));
  }
  *out_count = n;
  return MR_OK;
}

// The folding region: 2n scalars in, n out, each pair and its value of one type. Writes these element types.
static mr_status check_fold(const mr_infer *in, uint32_t region, uint32_t n, mr_dtype *out_dtypes) {
  const mr_block *block = in->op->regions[region];
  const mr_op *terminator = mr_block_terminator(block);
  MR_TRY(mr_infer_region_counts(in, region, 2 * n, n));
  for (uint32_t i = 0; i < n; i++) {
    const mr_type *value = &terminator->operands[i].value->type;
    if (value->kind != MR_TYPE_TENSOR || value->rank != 0) {
      char text[128];
      return mr_op_error(in->op, "region %u returns %s, wanted a scalar", region,
                         mr_type_text(value, text, sizeof text));
    }
    MR_TRY(mr_infer_match(in, &block->args[i]->type, value, "argument and value of the region"));
    MR_TRY(mr_infer_match(in, &block->args[i + n]->type, value, "argument and value of the region"));
    out_dtypes[i] = value->dtype;
  }
  return MR_OK;
}

mr_status mr_infer_promotion(const mr_infer *in, uint32_t i, uint32_t region, uint32_t value) {
  const mr_type *type = mr_infer_type(in, i);
  const mr_type *to = &mr_block_terminator(in->op->regions[region])->operands[value].value->type;
  if (is_promotable(type, to)) {
    return MR_OK;
  }
  char from[128], computed[128];
  return mr_op_error(in->op, "operand %u is %s, the region computes in %s", i, mr_type_text(type, from, sizeof from),
                     mr_type_text(to, computed, sizeof computed));
}

// Enough for the element types of all inputs, wherever they fit.
static mr_dtype *take_dtypes(uint32_t n, mr_dtype *few, size_t num_few) {
  return n <= num_few ? few : mr_alloc(n * sizeof *few);
}

// The region that folds n operands with n others, from `others` on, may compute in wider types than either.
static mr_status check_fold_of(const mr_infer *in, uint32_t n, uint32_t others, mr_dtype *dtypes) {
  MR_TRY(check_fold(in, 0, n, dtypes));
  for (uint32_t i = 0; i < n; i++) {
    MR_TRY(mr_infer_promotion(in, i, 0, i));
    MR_TRY(mr_infer_promotion(in, others + i, 0, i));
  }
  return MR_OK;
}

typedef mr_status (*fold_shape)(const mr_infer *in, uint32_t n, const mr_dtype *dtypes);

// reduce and reduce_window differ in the shape only.
static mr_status fold(const mr_infer *in, fold_shape shape) {
  uint32_t n;
  mr_dtype few[16];
  MR_TRY(check_inputs_and_inits(in, &n));
  MR_TRY(mr_infer_regions(in, 1));
  mr_dtype *dtypes = take_dtypes(n, few, MR_ARRAY_SIZE(few));
  if (!dtypes) {
    return MR_NO_MEMORY();
  }
  mr_status status = check_fold_of(in, n, n, dtypes);
  if (!status) {
    status = shape(in, n, dtypes);
  }
  if (dtypes != few) {
    mr_free(dtypes);
  }
  return status;
}

static mr_status reduce_shape(const mr_infer *in, uint32_t n, const mr_dtype *dtypes) {
  const mr_type *x = mr_infer_type(in, 0);
  mr_ints reduced;
  MR_TRY(mr_infer_dims(in, MR_ATTR_dimensions, MR_ANY_LENGTH, x->rank, &reduced));
  int64_t dims[MR_MAX_RANK];
  uint32_t rank = 0;
  for (uint32_t d = 0; d < x->rank; d++) {
    if (!mr_ints_has(reduced, d)) {
      dims[rank++] = x->dims[d];
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    MR_TRY(mr_infer_result(in, i, dtypes[i], rank, dims));
  }
  return MR_OK;
}

mr_status mr_rule_reduce(const mr_infer *in) { return fold(in, reduce_shape); }

bool mr_window_size(int64_t size, int64_t window, int64_t stride, int64_t base_dilation, int64_t window_dilation,
                    int64_t low, int64_t high, int64_t *out_size) {
  if (window < 1 || stride < 1 || base_dilation < 1 || window_dilation < 1) {
    return false;
  }
  int64_t padded, span;
  if (__builtin_mul_overflow(size ? size - 1 : 0, base_dilation, &padded) ||
      __builtin_add_overflow(padded, size ? 1 : 0, &padded) || __builtin_add_overflow(padded, low, &padded) ||
      __builtin_add_overflow(padded, high, &padded) || __builtin_mul_overflow(window - 1, window_dilation, &span) ||
      __builtin_add_overflow(span, 1, &span)) {
    return false;
  }
  *out_size = padded < span ? 0 : (padded - span) / stride + 1;
  return true;
}

// The dims of a windowed op from the attributes; lists that an op does not have are all ones (padding: zeros).
static mr_status window_dims(const mr_infer *in, const mr_type *x, bool dilated, int64_t *dims) {
  mr_ints window, strides, base = {0}, window_dilations = {0}, padding;
  MR_TRY(mr_infer_ints(in, MR_ATTR_window_dimensions, x->rank, &window));
  MR_TRY(mr_infer_ints(in, MR_ATTR_window_strides, x->rank, &strides));
  MR_TRY(mr_infer_ints(in, MR_ATTR_padding, 2 * (size_t)x->rank, &padding));
  if (dilated) {
    MR_TRY(mr_infer_ints(in, MR_ATTR_base_dilations, x->rank, &base));
    MR_TRY(mr_infer_ints(in, MR_ATTR_window_dilations, x->rank, &window_dilations));
  }
  for (uint32_t d = 0; d < x->rank; d++) {
    dims[d] = MR_DYNAMIC;
    int64_t size = x->dims[d] < 0 ? 1 : x->dims[d], found;
    if (!mr_window_size(size, window.data[d], strides.data[d], dilated ? base.data[d] : 1,
                        dilated ? window_dilations.data[d] : 1, padding.data[2 * (size_t)d], padding.data[2 * d + 1],
                        &found)) {
      return mr_op_error(
          in->op,
          "window %lld, stride %lld, dilations %lld and %lld, padding %lld and %lld do not fit dimension "
          "%u of size %lld",
          (long long)window.data[d], (long long)strides.data[d], dilated ? (long long)base.data[d] : 1,
          dilated ? (long long)window_dilations.data[d] : 1, (long long)padding.data[2 * (size_t)d],
          (long long)padding.data[2 * d + 1], d, (long long)x->dims[d]);
    }
    if (x->dims[d] >= 0) {
      dims[d] = found;
    }
  }
  return MR_OK;
}

static mr_status window_shape(const mr_infer *in, uint32_t n, const mr_dtype *dtypes) {
  const mr_type *x = mr_infer_type(in, 0);
  int64_t dims[MR_MAX_RANK];
  MR_TRY(window_dims(in, x, true, dims));
  for (uint32_t i = 0; i < n; i++) {
    MR_TRY(mr_infer_result(in, i, dtypes[i], x->rank, dims));
  }
  return MR_OK;
}

mr_status mr_rule_reduce_window(const mr_infer *in) { return fold(in, window_shape); }

mr_status mr_rule_select_and_scatter(const mr_infer *in) {
  MR_TRY(mr_infer_tensor(in, 0));
  MR_TRY(mr_infer_tensor(in, 1));
  MR_TRY(mr_infer_rank(in, 2, 0));
  MR_TRY(mr_infer_regions(in, 2));
  const mr_type *x = mr_infer_type(in, 0), *source = mr_infer_type(in, 1);
  int64_t dims[MR_MAX_RANK];
  MR_TRY(window_dims(in, x, false, dims));
  mr_type wanted = {
      .kind = MR_TYPE_TENSOR, .dtype = source->dtype, .rank = x->rank, .dims = dims, .quant = source->quant};
  MR_TRY(mr_infer_match(in, source, &wanted, "source and windows of the operand"));
  mr_type element = mr_type_scalar(x->dtype), truth = mr_type_scalar(MR_PRED);
  element.quant = x->quant;
  MR_TRY(mr_infer_region(in, 0, 2, (mr_type[]){element, element}, 1, &truth));
  mr_dtype dtype;
  MR_TRY(check_fold(in, 1, 1, &dtype));
  MR_TRY(mr_infer_promotion(in, 1, 1, 0));
  MR_TRY(mr_infer_promotion(in, 2, 1, 0));
  return mr_infer_result(in, 0, dtype, x->rank, x->dims);
}

// ---- Scatter -------------------------------------------------------------------------------------------------------

typedef struct scatter_dims {
  mr_ints window, inserted, input_batching, indices_batching, to_operand;
  int64_t index_vector;
} scatter_dims;

static mr_status check_scatter_maps(const mr_infer *in, uint32_t n, scatter_dims *s) {
  const mr_type *x = mr_infer_type(in, 0), *indices = mr_infer_type(in, n), *update = mr_infer_type(in, n + 1);
  MR_TRY(mr_infer_int(in, MR_ATTR_index_vector_dim, 0, indices->rank, &s->index_vector));
  int64_t vector = s->index_vector < indices->rank ? indices->dims[s->index_vector] : 1;
  MR_TRY(mr_infer_dims(in, MR_ATTR_scatter_dims_to_operand_dims, MR_ANY_LENGTH, x->rank, &s->to_operand));
  MR_TRY(mr_infer_dims(in, MR_ATTR_inserted_window_dims, MR_ANY_LENGTH, x->rank, &s->inserted));
  MR_TRY(mr_infer_dims(in, MR_ATTR_input_batching_dims, MR_ANY_LENGTH, x->rank, &s->input_batching));
  MR_TRY(mr_infer_dims(in, MR_ATTR_scatter_indices_batching_dims, s->input_batching.size, indices->rank,
                       &s->indices_batching));
  MR_TRY(mr_infer_dims(in, MR_ATTR_update_window_dims, MR_ANY_LENGTH, update->rank, &s->window));
  if (!mr_dim_agrees(vector, (int64_t)s->to_operand.size)) {
    return mr_op_error(in->op, "scatter_dims_to_operand_dims has %zu entries, an index %lld", s->to_operand.size,
                       (long long)vector);
  }
  if (s->window.size + s->inserted.size + s->input_batching.size != x->rank) {
    return mr_op_error(in->op, "window, inserted and batching dimensions are %zu, %zu and %zu, the operand has %u",
                       s->window.size, s->inserted.size, s->input_batching.size, x->rank);
  }
  return mr_infer_index_batching(in, indices,
                                 &(mr_index_batching){.operand = s->input_batching,
                                                      .indices = s->indices_batching,
                                                      .dropped = s->inserted,
                                                      .mapped = s->to_operand,
                                                      .index_vector = s->index_vector});
}

static mr_status check_updates(const mr_infer *in, uint32_t n, const scatter_dims *s) {
  const mr_type *x = mr_infer_type(in, 0), *indices = mr_infer_type(in, n), *update = mr_infer_type(in, n + 1);
  uint32_t batch = indices->rank - (s->index_vector < indices->rank ? 1 : 0);
  if (update->rank != batch + s->window.size) {
    return mr_op_error(in->op, "updates have rank %u, wanted %zu", update->rank, batch + s->window.size);
  }
  uint32_t next_batch = 0, next_window = 0;
  for (uint32_t d = 0; d < update->rank; d++) {
    if (!mr_ints_has(s->window, d)) {
      next_batch += next_batch == s->index_vector;
      int64_t wanted = indices->dims[next_batch++];
      if (!mr_dim_agrees(update->dims[d], wanted)) {
        return mr_op_error(in->op, "dimension %u of the updates has size %lld, the indices %lld", d,
                           (long long)update->dims[d], (long long)wanted);
      }
      continue;
    }
    while (mr_ints_has(s->inserted, next_window) || mr_ints_has(s->input_batching, next_window)) {
      next_window++;
    }
    int64_t size = x->dims[next_window++];
    if (size >= 0 && update->dims[d] > size) {
      return mr_op_error(in->op, "the window is larger (%lld) than the operand (%lld)", (long long)update->dims[d],
                         (long long)size);
    }
  }
  return MR_OK;
}

mr_status mr_rule_scatter(const mr_infer *in) {
  const mr_op *op = in->op;
  uint32_t n = op->num_operands / 2;
  if (op->num_operands % 2 != 1 || n == 0 || op->num_results != n) {
    return mr_op_error(op, "has %u operands and %u results, wanted inputs, indices, as many updates and results",
                       op->num_operands, op->num_results);
  }
  MR_TRY(mr_infer_regions(in, 1));
  for (uint32_t i = 0; i < n; i++) {
    MR_TRY(mr_infer_tensor(in, i));
    MR_TRY(mr_infer_tensor(in, n + 1 + i));
    MR_TRY(check_same_dims(in, i, 0, "inputs"));
    MR_TRY(check_same_dims(in, n + 1 + i, n + 1, "updates"));
  }
  MR_TRY(mr_infer_integer(in, n));
  scatter_dims s;
  MR_TRY(check_scatter_maps(in, n, &s));
  MR_TRY(check_updates(in, n, &s));
  mr_dtype few[16];
  mr_dtype *dtypes = take_dtypes(n, few, MR_ARRAY_SIZE(few));
  if (!dtypes) {
    return MR_NO_MEMORY();
  }
  mr_status status = check_fold_of(in, n, n + 1, dtypes);
  for (uint32_t i = 0; !status && i < n; i++) {
    status = mr_infer_result(in, i, dtypes[i], mr_infer_type(in, i)->rank, mr_infer_type(in, i)->dims);
  }
  if (dtypes != few) {
    mr_free(dtypes);
  }
  return status;
}

// ---- Sort, map, top_k ----------------------------------------------------------------------------------------------

mr_status mr_rule_sort(const mr_infer *in) {
  const mr_op *op = in->op;
  if (op->num_operands == 0) {
    return mr_op_error(op, "has no operands, wanted one at least");
  }
  MR_TRY(mr_rule_same_each(in));
  MR_TRY(mr_infer_tensor(in, 0));
  MR_TRY(mr_infer_regions(in, 1));
  int64_t rank = mr_infer_type(in, 0)->rank, dim;
  MR_TRY(mr_infer_int(in, MR_ATTR_dimension, -rank, MR_MAX(rank - 1, 0), &dim));
  if (rank == 0) {
    return mr_op_error(op, "cannot sort a scalar");
  }
  const mr_block *block = op->regions[0];
  mr_type truth = mr_type_scalar(MR_PRED);
  const mr_op *terminator = mr_block_terminator(block);
  MR_TRY(mr_infer_region_counts(in, 0, 2 * op->num_operands, 1));
  MR_TRY(mr_infer_match(in, &terminator->operands[0].value->type, &truth, "value of the comparator"));
  for (uint32_t i = 0; i < op->num_operands; i++) {
    MR_TRY(mr_infer_tensor(in, i));
    MR_TRY(check_same_dims(in, i, 0, "operands"));
    mr_type element = mr_type_scalar(mr_infer_type(in, i)->dtype);
    element.quant = mr_infer_type(in, i)->quant;
    MR_TRY(mr_infer_match(in, &block->args[2 * (size_t)i]->type, &element, "argument of the comparator"));
    MR_TRY(mr_infer_match(in, &block->args[2 * i + 1]->type, &element, "argument of the comparator"));
  }
  return MR_OK;
}

mr_status mr_rule_map(const mr_infer *in) {
  const mr_op *op = in->op;
  if (op->num_operands == 0) {
    return mr_op_error(op, "has no operands, wanted one at least");
  }
  MR_TRY(mr_infer_tensor(in, 0));
  MR_TRY(mr_infer_regions(in, 1));
  const mr_type *x = mr_infer_type(in, 0);
  mr_ints dims;
  MR_TRY(mr_infer_dims(in, MR_ATTR_dimensions, x->rank, x->rank, &dims));
  const mr_block *block = op->regions[0];
  const mr_op *terminator = mr_block_terminator(block);
  MR_TRY(mr_infer_region_counts(in, 0, op->num_operands, 1));
  for (uint32_t i = 0; i < op->num_operands; i++) {
    MR_TRY(mr_infer_tensor(in, i));
    mr_type same = mr_type_with_dtype(mr_infer_type(in, i), x->dtype);
    mr_type first = mr_type_with_dtype(x, x->dtype);
    MR_TRY(mr_infer_match(in, &same, &first, "operands"));
    mr_type element = mr_type_scalar(mr_infer_type(in, i)->dtype);
    element.quant = mr_infer_type(in, i)->quant;
    MR_TRY(mr_infer_match(in, &block->args[i]->type, &element, "argument of the region"));
  }
  const mr_type *value = &terminator->operands[0].value->type;
  if (value->kind != MR_TYPE_TENSOR || value->rank != 0) {
    char text[128];
    return mr_op_error(op, "region 0 returns %s, wanted a scalar", mr_type_text(value, text, sizeof text));
  }
  return mr_infer_result(in, 0, value->dtype, x->rank, x->dims);
}

mr_status mr_rule_top_k(const mr_infer *in) {
  MR_TRY(mr_infer_tensor(in, 0));
  const mr_type *x = mr_infer_type(in, 0);
  if (x->rank == 0) {
    return mr_op_error(in->op, "cannot take the largest of a scalar");
  }
  int64_t last = x->dims[x->rank - 1], k, dims[MR_MAX_RANK];
  MR_TRY(mr_infer_int(in, MR_ATTR_k, 0, last < 0 ? INT64_MAX : last, &k));
  if (mr_dtype_is_complex(x->dtype)) {
    return mr_op_error(in->op, "complex numbers have no order");
  }
  mr_copy_dims(dims, x->dims, x->rank);
  dims[x->rank - 1] = k;
  MR_TRY(mr_infer_result(in, 0, x->dtype, x->rank, dims));
  return mr_infer_result(in, 1, MR_S32, x->rank, dims);
}
