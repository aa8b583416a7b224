// Shape rules of contractions, linear algebra, normalisation and random numbers.
#include "compiler/ir/infer_internal.h"

#include <string.h>

// Operands of one class of numbers; the result's element type is the program's choice (a hint for accumulation).
static mr_status check_numbers(const mr_infer *in) {
  const mr_type *a = mr_infer_type(in, 0), *b = mr_infer_type(in, 1), *declared = mr_infer_had(in, 0);
  MR_TRY(mr_infer_tensor(in, 0));
  MR_TRY(mr_infer_tensor(in, 1));
  char text[128];
  if (declared->kind != MR_TYPE_TENSOR || declared->dtype == MR_INVALID) {
    return mr_op_error(in->op, "result is %s, wanted a tensor", mr_type_text(declared, text, sizeof text));
  }
  bool complex = mr_dtype_is_complex(a->dtype);
  if (complex != mr_dtype_is_complex(b->dtype) || complex != mr_dtype_is_complex(declared->dtype)) {
    return mr_op_error(in->op, "mixes %s, %s and %s", mr_dtype_name(a->dtype), mr_dtype_name(b->dtype),
                       mr_dtype_name(declared->dtype));
  }
  return MR_OK;
}

mr_status mr_rule_dot(const mr_infer *in) {
  MR_TRY(check_numbers(in));
  const mr_type *a = mr_infer_type(in, 0), *b = mr_infer_type(in, 1);
  if (a->rank < 1 || a->rank > 2 || b->rank < 1 || b->rank > 2 || !mr_dim_agrees(a->dims[a->rank - 1], b->dims[0])) {
    char first[128], second[128];
    return mr_op_error(in->op, "%s and %s cannot be multiplied", mr_type_text(a, first, sizeof first),
                       mr_type_text(b, second, sizeof second));
  }
  int64_t dims[2];
  uint32_t rank = 0;
  if (a->rank == 2) {
    dims[rank++] = a->dims[0];
  }
  if (b->rank == 2) {
    dims[rank++] = b->dims[1];
  }
  return mr_infer_result(in, 0, mr_infer_had(in, 0)->dtype, rank, dims);
}

mr_status mr_infer_pairs(const mr_infer *in, mr_ints lhs, mr_ints rhs, const char *what) {
  const mr_type *a = mr_infer_type(in, 0), *b = mr_infer_type(in, 1);
  for (size_t i = 0; i < lhs.size; i++) {
    if (!mr_dim_agrees(a->dims[lhs.data[i]], b->dims[rhs.data[i]])) {
      return mr_op_error(in->op, "%s dimensions %lld and %lld have sizes %lld and %lld", what, (long long)lhs.data[i],
                         (long long)rhs.data[i], (long long)a->dims[lhs.data[i]], (long long)b->dims[rhs.data[i]]);
    }
  }
  return MR_OK;
}

mr_status mr_infer_dot_dims(const mr_infer *in, const mr_type *a, const mr_type *b, const mr_infer_dot *dot,
                            int64_t *dims, uint32_t *rank) {
  for (size_t i = 0; i < dot->la.size; i++) {
    int64_t l = dot->la.data[i], r = dot->ra.data[i];
    if (mr_ints_has(dot->lc, l) || mr_ints_has(dot->rc, r)) {
      return mr_op_error(in->op, "dimensions %lld and %lld are both batching and contracting", (long long)l,
                         (long long)r);
    }
    dims[(*rank)++] = a->dims[l];
  }
  for (uint32_t d = 0; d < a->rank; d++) {
    if (!mr_ints_has(dot->la, d) && !mr_ints_has(dot->lc, d)) {
      dims[(*rank)++] = a->dims[d];
    }
  }
  for (uint32_t d = 0; d < b->rank; d++) {
    if (!mr_ints_has(dot->ra, d) && !mr_ints_has(dot->rc, d) && !mr_ints_has(dot->group, d)) {
      dims[(*rank)++] = b->dims[d];
    }
  }
  return MR_OK;
}

mr_status mr_rule_dot_general(const mr_infer *in) {
  MR_TRY(check_numbers(in));
  const mr_type *a = mr_infer_type(in, 0), *b = mr_infer_type(in, 1);
  mr_ints la, lc, ra, rc;
  MR_TRY(mr_infer_dims(in, MR_ATTR_lhs_batching_dimensions, MR_ANY_LENGTH, a->rank, &la));
  MR_TRY(mr_infer_dims(in, MR_ATTR_lhs_contracting_dimensions, MR_ANY_LENGTH, a->rank, &lc));
  MR_TRY(mr_infer_dims(in, MR_ATTR_rhs_batching_dimensions, la.size, b->rank, &ra));
  MR_TRY(mr_infer_dims(in, MR_ATTR_rhs_contracting_dimensions, lc.size, b->rank, &rc));
  MR_TRY(mr_infer_pairs(in, la, ra, "batching"));
  MR_TRY(mr_infer_pairs(in, lc, rc, "contracting"));
  int64_t dims[2 * MR_MAX_RANK];
  uint32_t rank = 0;
  const mr_infer_dot dot = {.la = la, .lc = lc, .ra = ra, .rc = rc};
  MR_TRY(mr_infer_dot_dims(in, a, b, &dot, dims, &rank));
  return mr_infer_result(in, 0, mr_infer_had(in, 0)->dtype, rank, dims);
}

// ---- Convolution ---------------------------------------------------------------------------------------------------

// Where batch, feature and spatial dimensions of one tensor are: each of [0, rank) exactly once.
typedef struct layout {
  int64_t batch, feature;
  mr_ints spatial;
} layout;

static mr_status read_layout(const mr_infer *in, mr_attr_key batch, mr_attr_key feature, mr_attr_key spatial,
                             uint32_t rank, layout *out) {
  MR_TRY(mr_infer_int(in, batch, 0, (int64_t)rank - 1, &out->batch));
  MR_TRY(mr_infer_int(in, feature, 0, (int64_t)rank - 1, &out->feature));
  MR_TRY(mr_infer_dims(in, spatial, rank - 2, rank, &out->spatial));
  if (out->batch == out->feature || mr_ints_has(out->spatial, out->batch) || mr_ints_has(out->spatial, out->feature)) {
    return mr_op_error(in->op, "%s, %s and %s overlap", mr_attr_key_name(batch), mr_attr_key_name(feature),
                       mr_attr_key_name(spatial));
  }
  return MR_OK;
}

static mr_status check_groups(const mr_infer *in, const layout *x, const layout *k, int64_t *out_batch_groups) {
  const mr_type *a = mr_infer_type(in, 0), *b = mr_infer_type(in, 1);
  int64_t groups, batch_groups;
  MR_TRY(mr_infer_int(in, MR_ATTR_feature_group_count, 1, INT64_MAX, &groups));
  MR_TRY(mr_infer_int(in, MR_ATTR_batch_group_count, 1, INT64_MAX, &batch_groups));
  int64_t batch = a->dims[x->batch], features = a->dims[x->feature];
  int64_t kernel_in = b->dims[k->batch], kernel_out = b->dims[k->feature];
  if (groups > 1 && batch_groups > 1) {
    return mr_op_error(in->op, "has both feature groups and batch groups");
  }
  if (features >= 0 && (features % groups || !mr_dim_agrees(features / groups, kernel_in))) {
    return mr_op_error(in->op, "%lld input features in %lld groups for a kernel of %lld", (long long)features,
                       (long long)groups, (long long)kernel_in);
  }
  if (kernel_out >= 0 && (kernel_out % groups || kernel_out % batch_groups)) {
    return mr_op_error(in->op, "%lld output features in %lld and %lld groups", (long long)kernel_out, (long long)groups,
                       (long long)batch_groups);
  }
  if (batch >= 0 && batch % batch_groups) {
    return mr_op_error(in->op, "a batch of %lld in %lld groups", (long long)batch, (long long)batch_groups);
  }
  *out_batch_groups = batch_groups;
  return MR_OK;
}

mr_status mr_rule_convolution(const mr_infer *in) {
  MR_TRY(check_numbers(in));
  const mr_type *a = mr_infer_type(in, 0), *b = mr_infer_type(in, 1), *declared = mr_infer_had(in, 0);
  bool dynamic = in->op->kind == MR_OP_dynamic_conv;
  if (a->rank < 2 || b->rank != a->rank || declared->rank != a->rank) {
    return mr_op_error(in->op, "operands and result have ranks %u, %u and %u", a->rank, b->rank, declared->rank);
  }
  if (a->dtype != b->dtype && !a->quant && !b->quant) {
    return mr_op_error(in->op, "operands have elements %s and %s", mr_dtype_name(a->dtype), mr_dtype_name(b->dtype));
  }
  layout x, k, y;
  MR_TRY(read_layout(in, MR_ATTR_input_batch_dimension, MR_ATTR_input_feature_dimension,
                     MR_ATTR_input_spatial_dimensions, a->rank, &x));
  MR_TRY(read_layout(in, MR_ATTR_kernel_input_feature_dimension, MR_ATTR_kernel_output_feature_dimension,
                     MR_ATTR_kernel_spatial_dimensions, a->rank, &k));
  MR_TRY(read_layout(in, MR_ATTR_output_batch_dimension, MR_ATTR_output_feature_dimension,
                     MR_ATTR_output_spatial_dimensions, a->rank, &y));
  int64_t batch_groups;
  MR_TRY(check_groups(in, &x, &k, &batch_groups));
  uint32_t spatial = a->rank - 2;
  mr_ints strides, padding = {0}, base, dilation, reversal;
  MR_TRY(mr_infer_ints(in, MR_ATTR_window_strides, spatial, &strides));
  MR_TRY(mr_infer_ints(in, MR_ATTR_lhs_dilation, spatial, &base));
  MR_TRY(mr_infer_ints(in, MR_ATTR_rhs_dilation, spatial, &dilation));
  MR_TRY(mr_infer_ints(in, MR_ATTR_window_reversal, spatial, &reversal));
  if (dynamic) {
    int64_t pairs[2] = {spatial, 2};
    mr_type wanted = {.kind = MR_TYPE_TENSOR, .dtype = mr_infer_type(in, 2)->dtype, .rank = 2, .dims = pairs};
    MR_TRY(mr_infer_integer(in, 2));
    MR_TRY(mr_infer_match(in, mr_infer_type(in, 2), &wanted, "padding and what it must be"));
  } else {
    MR_TRY(mr_infer_ints(in, MR_ATTR_padding, 2 * (size_t)spatial, &padding));
  }
  int64_t dims[MR_MAX_RANK];
  dims[y.batch] = a->dims[x.batch] < 0 ? MR_DYNAMIC : a->dims[x.batch] / batch_groups;
  dims[y.feature] = b->dims[k.feature];
  for (uint32_t i = 0; i < spatial; i++) {
    int64_t size = a->dims[x.spatial.data[i]], window = b->dims[k.spatial.data[i]], found = MR_DYNAMIC;
    bool known = size >= 0 && window >= 0 && !dynamic;
    // A kernel of size 0 has no window; it yields nothing to add up, one position after another.
    if (!mr_window_size(known ? size : 1, known && window ? window : 1, strides.data[i], base.data[i], dilation.data[i],
                        known ? padding.data[2 * (size_t)i] : 0, known ? padding.data[2 * i + 1] : 0, &found)) {
      return mr_op_error(in->op, "window of spatial dimension %u does not fit size %lld", i, (long long)size);
    }
    dims[y.spatial.data[i]] = known ? found : MR_DYNAMIC;
  }
  return mr_infer_result(in, 0, declared->dtype, a->rank, dims);
}

// ---- The rest ------------------------------------------------------------------------------------------------------

// The letters are read where the einsum is taken apart (compiler/passes/decompose_einsum.c); here only the element type.
mr_status mr_rule_einsum(const mr_infer *in) {
  MR_TRY(mr_infer_tensor(in, 0));
  if (mr_infer_had(in, 0)->kind != MR_TYPE_TENSOR) {
    char text[128];
    return mr_op_error(in->op, "result is %s, wanted a tensor", mr_type_text(mr_infer_had(in, 0), text, sizeof text));
  }
  if (mr_op_string(in->op, MR_ATTR_einsum_config).size == 0) {
    return mr_op_error(in->op, "einsum_config is missing");
  }
  mr_infer_keep(in);
  return MR_OK;
}

mr_status mr_rule_batch_norm(const mr_infer *in) {
  const mr_type *x = mr_infer_type(in, 0);
  MR_TRY(mr_infer_tensor(in, 0));
  int64_t dim;
  MR_TRY(mr_infer_int(in, MR_ATTR_feature_index, 0, (int64_t)x->rank - 1, &dim));
  if (!mr_dtype_is_float(x->dtype) && !x->quant) {
    return mr_op_error(in->op, "is defined on floats, not on %s", mr_dtype_name(x->dtype));
  }
  mr_type vector = {.kind = MR_TYPE_TENSOR, .dtype = x->dtype, .rank = 1, .dims = &x->dims[dim], .quant = x->quant};
  bool grad = in->op->kind == MR_OP_batch_norm_grad;
  for (uint32_t i = 1; i < in->op->num_operands; i++) {
    MR_TRY(mr_infer_match(in, mr_infer_type(in, i), grad && i == 4 ? x : &vector, "operand"));
  }
  in->out[0] = *x;
  for (uint32_t i = 1; i < in->op->num_results; i++) {
    in->out[i] = mr_type_copy(in->module, &vector);
  }
  return mr_module_memory(in->module);
}

mr_status mr_rule_triangular_solve(const mr_infer *in) {
  MR_TRY(mr_infer_tensor(in, 0));
  MR_TRY(mr_infer_tensor(in, 1));
  const mr_type *a = mr_infer_type(in, 0), *b = mr_infer_type(in, 1);
  char first[128], second[128];
  mr_type_text(a, first, sizeof first);
  mr_type_text(b, second, sizeof second);
  bool floats = mr_dtype_is_float(a->dtype) || mr_dtype_is_complex(a->dtype);
  if (a->rank < 2 || b->rank != a->rank || a->dtype != b->dtype || !floats) {
    return mr_op_error(in->op, "cannot solve %s for %s, wanted floats of one type and one rank of at least 2", first,
                       second);
  }
  int64_t left, word;
  MR_TRY(mr_infer_int(in, MR_ATTR_left_side, 0, 1, &left));
  MR_TRY(mr_infer_int(in, MR_ATTR_lower, 0, 1, &word));
  MR_TRY(mr_infer_int(in, MR_ATTR_unit_diagonal, 0, 1, &word));
  MR_TRY(mr_infer_int(in, MR_ATTR_transpose_a, 1, 3, &word));
  uint32_t rank = a->rank;
  bool fits = mr_dim_agrees(a->dims[rank - 1], a->dims[rank - 2]) &&
              mr_dim_agrees(a->dims[rank - 1], b->dims[left ? rank - 2 : rank - 1]);
  for (uint32_t d = 0; d + 2 < rank; d++) {
    fits = fits && mr_dim_agrees(a->dims[d], b->dims[d]);
  }
  if (!fits) {
    return mr_op_error(in->op, "cannot solve %s for %s, wanted square matrices, and others of as many %s", first,
                       second, left ? "rows" : "columns");
  }
  in->out[0] = *b;
  return MR_OK;
}

mr_status mr_rule_fft(const mr_infer *in) {
  enum { FFT, IFFT, RFFT, IRFFT };
  MR_TRY(mr_infer_tensor(in, 0));
  const mr_type *x = mr_infer_type(in, 0);
  int64_t type, dims[MR_MAX_RANK];
  mr_ints length;
  MR_TRY(mr_infer_int(in, MR_ATTR_fft_type, FFT, IRFFT, &type));
  MR_TRY(mr_infer_ints(in, MR_ATTR_fft_length, MR_ANY_LENGTH, &length));
  bool real = type == RFFT;
  bool fits =
      length.size <= x->rank && (real ? x->dtype == MR_F32 || x->dtype == MR_F64 : mr_dtype_is_complex(x->dtype));
  mr_copy_dims(dims, x->dims, x->rank);
  for (size_t i = 0; fits && i < length.size; i++) {
    int64_t *dim = &dims[x->rank - length.size + i], n = length.data[i];
    bool last = i + 1 == length.size;
    int64_t wanted = type == IRFFT && last ? n / 2 + 1 : n;
    fits = n >= 0 && (mr_dim_agrees(*dim, wanted) || (type == IRFFT && last && n == 0 && *dim == 0));
    if (last && type == RFFT) {
      *dim = n == 0 ? 0 : n / 2 + 1;
    } else if (last && type == IRFFT) {
      *dim = n;
    }
  }
  if (!fits) {
    char text[128];
    return mr_op_error(in->op, "type %s with %zu lengths, the last %lld, is not defined on %s",
                       (const char *[]){"FFT", "IFFT", "RFFT", "IRFFT"}[type], length.size,
                       (long long)(length.size ? length.data[length.size - 1] : 0), mr_type_text(x, text, sizeof text));
  }
  mr_dtype dtype = x->dtype;
  if (real) {
    dtype = x->dtype == MR_F64 ? MR_C128 : MR_C64;
  } else if (type == IRFFT) {
    dtype = mr_dtype_real(x->dtype);
  }
  return mr_infer_result(in, 0, dtype, x->rank, dims);
}

mr_status mr_rule_rng(const mr_infer *in) {
  MR_TRY(mr_infer_rank(in, 0, 0));
  MR_TRY(mr_infer_rank(in, 1, 0));
  MR_TRY(mr_infer_rank(in, 2, 1));
  MR_TRY(mr_infer_integer(in, 2));
  MR_TRY(mr_infer_match(in, mr_infer_type(in, 0), mr_infer_type(in, 1), "bounds"));
  int64_t distribution;
  MR_TRY(mr_infer_int(in, MR_ATTR_rng_distribution, 1, 2, &distribution));
  const mr_type *declared = mr_infer_had(in, 0);
  mr_dtype dtype = mr_infer_type(in, 0)->dtype;
  bool number = mr_dtype_is_float(dtype) || (distribution == 1 && (dtype == MR_PRED || mr_dtype_is_integer(dtype)));
  int64_t rank = mr_infer_type(in, 2)->dims[0];
  if (declared->kind != MR_TYPE_TENSOR || !mr_dim_agrees(rank, declared->rank) || !number) {
    char text[128];
    return mr_op_error(in->op, "%s numbers of type %s, rank %lld, for %s", distribution == 1 ? "uniform" : "normal",
                       mr_dtype_name(dtype), (long long)rank, mr_type_text(declared, text, sizeof text));
  }
  for (uint32_t d = 0; d < declared->rank; d++) {
    int64_t size;
    if (mr_infer_constant(in, 2, d, &size) && !mr_dim_agrees(size, declared->dims[d])) {
      return mr_op_error(in->op, "dimension %u is to be %lld, the result has %lld", d, (long long)size,
                         (long long)declared->dims[d]);
    }
  }
  mr_infer_keep(in);
  in->out[0].dtype = mr_infer_type(in, 0)->dtype;
  return MR_OK;
}

mr_status mr_rule_rng_bit_generator(const mr_infer *in) {
  MR_TRY(mr_infer_rank(in, 0, 1));
  const mr_type *state = mr_infer_type(in, 0), *declared = mr_infer_had(in, 1);
  int64_t algorithm;
  MR_TRY(mr_infer_int(in, MR_ATTR_rng_algorithm, 0, 2, &algorithm));
  int64_t words = state->dims[0];
  bool fits = state->dtype == MR_U64 && (words < 0 || words == 2 || (words == 3 && algorithm != 1));
  char text[128];
  if (declared->kind != MR_TYPE_TENSOR ||
      !(mr_dtype_is_integer(declared->dtype) || mr_dtype_is_float(declared->dtype))) {
    return mr_op_error(in->op, "makes %s, wanted integers or floats", mr_type_text(declared, text, sizeof text));
  }
  if (!fits) {
    return mr_op_error(in->op, "state is %s, wanted 2 (or 3 for PHILOX) ui64", mr_type_text(state, text, sizeof text));
  }
  in->out[0] = *state;
  in->out[1] = *declared;
  return MR_OK;
}
