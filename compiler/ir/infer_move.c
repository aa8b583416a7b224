// Shape rules of the ops that make or move elements.
#include "compiler/ir/infer_internal.h"

mr_status mr_rule_constant(const mr_infer *in) {
  const mr_attr *value = mr_op_attr(in->op, MR_ATTR_value);
  if (!value || value->kind != MR_ATTR_DENSE) {
    return mr_op_error(in->op, "has no dense value");
  }
  const mr_dense *dense = &value->dense;
  const mr_type *declared = mr_infer_had(in, 0);
  char text[128];
  size_t bytes;
  if (declared->kind != MR_TYPE_TENSOR || !mr_type_is_static(declared) || !mr_type_same_dims(declared, &dense->type) ||
      declared->dtype != dense->type.dtype) {
    return mr_op_error(in->op, "value and result differ: %s", mr_type_text(declared, text, sizeof text));
  }
  MR_TRY(mr_dims_bytes(declared->dtype, declared->dims, declared->rank, &bytes));
  size_t wanted = dense->splat ? mr_dtype_bytes(declared->dtype) : bytes;
  if (dense->size != wanted || (wanted && !dense->data)) {
    return mr_op_error(in->op, "value has %zu bytes, wanted %zu for %s", dense->size, wanted,
                       mr_type_text(declared, text, sizeof text));
  }
  mr_infer_keep(in);
  return MR_OK;
}

static mr_status keep_tensor(const mr_infer *in) {
  char text[128];
  const mr_type *declared = mr_infer_had(in, 0);
  if (declared->kind != MR_TYPE_TENSOR) {
    return mr_op_error(in->op, "result is %s, wanted a tensor", mr_type_text(declared, text, sizeof text));
  }
  mr_infer_keep(in);
  return MR_OK;
}

mr_status mr_rule_iota(const mr_infer *in) {
  MR_TRY(keep_tensor(in));
  int64_t dim;
  MR_TRY(mr_infer_int(in, MR_ATTR_iota_dimension, 0, (int64_t)in->out[0].rank - 1, &dim));
  if (in->out[0].dtype == MR_PRED) {
    return mr_op_error(in->op, "counts numbers, not i1");
  }
  return MR_OK;
}

// Operand i lists the result's dimensions: as many as there are, and those it has where they are constants.
static mr_status check_shape_operand(const mr_infer *in, uint32_t i) {
  const mr_type *shape = mr_infer_type(in, i), *declared = mr_infer_had(in, 0);
  MR_TRY(mr_infer_rank(in, i, 1));
  MR_TRY(mr_infer_integer(in, i));
  char text[128];
  if (shape->dims[0] < 0) {
    return mr_op_error(in->op, "operand %u is %s, wanted a list of known length", i,
                       mr_type_text(shape, text, sizeof text));
  }
  if (declared->kind != MR_TYPE_TENSOR || shape->dims[0] != declared->rank) {
    return mr_op_error(in->op, "operand %u has %lld sizes, wanted one for each dimension of %s", i,
                       (long long)shape->dims[0], mr_type_text(declared, text, sizeof text));
  }
  for (uint32_t d = 0; d < declared->rank; d++) {
    int64_t size;
    if (mr_infer_constant(in, i, d, &size) && size >= 0 && !mr_dim_agrees(size, declared->dims[d])) {
      return mr_op_error(in->op, "operand %u says %lld for dimension %u of %s", i, (long long)size, d,
                         mr_type_text(declared, text, sizeof text));
    }
  }
  return MR_OK;
}

mr_status mr_rule_dynamic_iota(const mr_infer *in) {
  MR_TRY(mr_rule_iota(in));
  return check_shape_operand(in, 0);
}

mr_status mr_rule_bitcast_convert(const mr_infer *in) {
  MR_TRY(mr_infer_tensor(in, 0));
  const mr_type *x = mr_infer_type(in, 0), *declared = mr_infer_had(in, 0);
  char text[128];
  unsigned from = mr_dtype_bits(x->dtype), to = declared->kind == MR_TYPE_TENSOR ? mr_dtype_bits(declared->dtype) : 0;
  if (!from || !to || mr_dtype_is_complex(x->dtype) != mr_dtype_is_complex(declared->dtype)) {
    char found[128];
    return mr_op_error(in->op, "cannot make %s of %s", mr_type_text(declared, text, sizeof text),
                       mr_type_text(x, found, sizeof found));
  }
  if (from == to) {
    return mr_infer_result(in, 0, declared->dtype, x->rank, x->dims);
  }
  int64_t dims[MR_MAX_RANK + 1];
  mr_copy_dims(dims, x->dims, x->rank);
  unsigned wide = MR_MAX(from, to), small = MR_MIN(from, to), ratio = wide / small;
  if (wide % small) {
    return mr_op_error(in->op, "%s does not divide into the width of the other type", mr_dtype_name(x->dtype));
  }
  if (from > to) {
    dims[x->rank] = ratio;
    return mr_infer_result(in, 0, declared->dtype, x->rank + 1, dims);
  }
  if (!x->rank || !mr_dim_agrees(x->dims[x->rank - 1], ratio)) {
    return mr_op_error(in->op, "operand is %s, wanted %u as its last dimension", mr_type_text(x, text, sizeof text),
                       ratio);
  }
  return mr_infer_result(in, 0, declared->dtype, x->rank - 1, dims);
}

mr_status mr_rule_broadcast(const mr_infer *in) {
  MR_TRY(mr_infer_tensor(in, 0));
  const mr_type *x = mr_infer_type(in, 0);
  mr_ints sizes;
  MR_TRY(mr_infer_ints(in, MR_ATTR_broadcast_sizes, MR_ANY_LENGTH, &sizes));
  if (sizes.size + x->rank > MR_MAX_RANK) {
    return mr_op_error(in->op, "result has rank %zu, at most %d are supported", sizes.size + x->rank, MR_MAX_RANK);
  }
  int64_t dims[MR_MAX_RANK];
  mr_copy_dims(dims, sizes.data, sizes.size);
  mr_copy_dims(dims + sizes.size, x->dims, x->rank);
  return mr_infer_result(in, 0, x->dtype, (uint32_t)sizes.size + x->rank, dims);
}

static mr_status check_broadcast(const mr_infer *in) {
  MR_TRY(mr_infer_tensor(in, 0));
  const mr_type *x = mr_infer_type(in, 0), *declared = mr_infer_had(in, 0);
  mr_ints map;
  MR_TRY(keep_tensor(in));
  MR_TRY(mr_infer_dims(in, MR_ATTR_broadcast_dimensions, x->rank, declared->rank, &map));
  for (uint32_t i = 0; i < x->rank; i++) {
    int64_t target = declared->dims[map.data[i]];
    if (x->dims[i] != 1 && !mr_dim_agrees(x->dims[i], target)) {
      return mr_op_error(in->op, "dimension %u of size %lld does not fit result dimension %lld of size %lld", i,
                         (long long)x->dims[i], (long long)map.data[i], (long long)target);
    }
  }
  if (!declared->quant) {
    in->out[0].dtype = x->dtype;
  }
  return MR_OK;
}

mr_status mr_rule_broadcast_in_dim(const mr_infer *in) { return check_broadcast(in); }

// Dimensions of the operand that are said to grow, or not to: each at most once.
static mr_status check_hints(const mr_infer *in) {
  static const mr_attr_key keys[2] = {MR_ATTR_known_expanding_dimensions, MR_ATTR_known_nonexpanding_dimensions};
  uint64_t seen = 0;
  for (int k = 0; k < 2; k++) {
    mr_ints hints = mr_op_ints(in->op, keys[k]);
    for (size_t i = 0; i < hints.size; i++) {
      int64_t dim = hints.data[i];
      if (dim < 0 || dim >= mr_infer_type(in, 0)->rank || (seen >> dim & 1)) {
        return mr_op_error(in->op, "%s has %lld, wanted dimensions of the operand, each once",
                           mr_attr_key_name(keys[k]), (long long)dim);
      }
      seen |= UINT64_C(1) << dim;
    }
  }
  return MR_OK;
}

mr_status mr_rule_dynamic_broadcast_in_dim(const mr_infer *in) {
  MR_TRY(check_broadcast(in));
  MR_TRY(check_shape_operand(in, 1));
  mr_ints map = mr_op_ints(in->op, MR_ATTR_broadcast_dimensions);
  const mr_type *x = mr_infer_type(in, 0);
  for (uint32_t i = 0; i < x->rank; i++) {
    int64_t size;
    if (x->dims[i] > 1 && mr_infer_constant(in, 1, (uint64_t)map.data[i], &size) && size != x->dims[i]) {
      return mr_op_error(in->op, "dimension %u of size %lld does not fit result dimension %lld of size %lld", i,
                         (long long)x->dims[i], (long long)map.data[i], (long long)size);
    }
  }
  return check_hints(in);
}

mr_status mr_rule_concatenate(const mr_infer *in) {
  if (in->op->num_operands == 0) {
    return mr_op_error(in->op, "has no operands, wanted one at least");
  }
  MR_TRY(mr_infer_tensor(in, 0));
  const mr_type *first = mr_infer_type(in, 0);
  int64_t dims[MR_MAX_RANK], dim;
  MR_TRY(mr_infer_int(in, MR_ATTR_dimension, 0, (int64_t)first->rank - 1, &dim));
  mr_copy_dims(dims, first->dims, first->rank);
  for (uint32_t i = 1; i < in->op->num_operands; i++) {
    const mr_type *type = mr_infer_type(in, i);
    MR_TRY(mr_infer_rank(in, i, first->rank));
    if (type->dtype != first->dtype) {
      return mr_op_error(in->op, "operand %u has elements %s, the first %s", i, mr_dtype_name(type->dtype),
                         mr_dtype_name(first->dtype));
    }
    for (uint32_t d = 0; d < first->rank; d++) {
      if (d == dim) {
        if (dims[d] >= 0 && type->dims[d] >= 0) {
          if (__builtin_add_overflow(dims[d], type->dims[d], &dims[d])) {
            return mr_op_error(in->op, "operand %u adds %lld to dimension %lld, wanted a sum below 2^63", i,
                               (long long)type->dims[d], (long long)dim);
          }
        } else {
          dims[d] = MR_DYNAMIC;
        }
      } else if (!mr_dim_agrees(dims[d], type->dims[d])) {
        return mr_op_error(in->op, "operand %u has size %lld in dimension %u, the first %lld", i,
                           (long long)type->dims[d], d, (long long)dims[d]);
      } else if (dims[d] < 0) {
        dims[d] = type->dims[d];
      }
    }
  }
  return mr_infer_result(in, 0, first->dtype, first->rank, dims);
}

// ---- Sizes, padding, slices ----------------------------------------------------------------------------------------

mr_status mr_rule_get_dimension_size(const mr_infer *in) {
  MR_TRY(mr_infer_tensor(in, 0));
  int64_t dim;
  MR_TRY(mr_infer_int(in, MR_ATTR_dimension, 0, (int64_t)mr_infer_type(in, 0)->rank - 1, &dim));
  return mr_infer_result(in, 0, MR_S32, 0, NULL);
}

mr_status mr_rule_set_dimension_size(const mr_infer *in) {
  MR_TRY(mr_infer_tensor(in, 0));
  MR_TRY(mr_infer_rank(in, 1, 0));
  MR_TRY(mr_infer_integer(in, 1));
  const mr_type *x = mr_infer_type(in, 0);
  int64_t dim, dims[MR_MAX_RANK];
  MR_TRY(mr_infer_int(in, MR_ATTR_dimension, 0, (int64_t)x->rank - 1, &dim));
  mr_copy_dims(dims, x->dims, x->rank);
  dims[dim] = MR_DYNAMIC;
  return mr_infer_result(in, 0, x->dtype, x->rank, dims);
}

static bool padded_size(int64_t size, int64_t low, int64_t high, int64_t interior, int64_t *out) {
  int64_t holes;
  return !(__builtin_mul_overflow(size ? size - 1 : 0, interior, &holes) || __builtin_add_overflow(size, holes, out) ||
           __builtin_add_overflow(*out, low, out) || __builtin_add_overflow(*out, high, out)) &&
         *out >= 0;
}

static mr_status check_pad_value(const mr_infer *in) {
  MR_TRY(mr_infer_tensor(in, 0));
  MR_TRY(mr_infer_rank(in, 1, 0));
  if (mr_infer_type(in, 0)->dtype != mr_infer_type(in, 1)->dtype) {
    return mr_op_error(in->op, "padding value is %s, wanted %s", mr_dtype_name(mr_infer_type(in, 1)->dtype),
                       mr_dtype_name(mr_infer_type(in, 0)->dtype));
  }
  return MR_OK;
}

mr_status mr_rule_pad(const mr_infer *in) {
  MR_TRY(check_pad_value(in));
  const mr_type *x = mr_infer_type(in, 0);
  mr_ints low, high, interior;
  MR_TRY(mr_infer_ints(in, MR_ATTR_edge_padding_low, x->rank, &low));
  MR_TRY(mr_infer_ints(in, MR_ATTR_edge_padding_high, x->rank, &high));
  MR_TRY(mr_infer_ints(in, MR_ATTR_interior_padding, x->rank, &interior));
  int64_t dims[MR_MAX_RANK];
  for (uint32_t d = 0; d < x->rank; d++) {
    dims[d] = MR_DYNAMIC;
    bool fits = x->dims[d] < 0 || padded_size(x->dims[d], low.data[d], high.data[d], interior.data[d], &dims[d]);
    if (interior.data[d] < 0 || !fits) {
      return mr_op_error(in->op, "padding %lld, %lld, interior %lld makes no size of dimension %u of size %lld",
                         (long long)low.data[d], (long long)high.data[d], (long long)interior.data[d], d,
                         (long long)x->dims[d]);
    }
  }
  return mr_infer_result(in, 0, x->dtype, x->rank, dims);
}

// Operands from `first` on are lists of x's rank.
static mr_status check_lists(const mr_infer *in, uint32_t first, uint32_t count) {
  const mr_type *x = mr_infer_type(in, 0);
  for (uint32_t i = first; i < first + count; i++) {
    MR_TRY(mr_infer_rank(in, i, 1));
    MR_TRY(mr_infer_integer(in, i));
    if (!mr_dim_agrees(mr_infer_type(in, i)->dims[0], x->rank)) {
      return mr_op_error(in->op, "operand %u has %lld entries, wanted %u", i, (long long)mr_infer_type(in, i)->dims[0],
                         x->rank);
    }
  }
  return MR_OK;
}

static mr_status keep_rank_and_dtype(const mr_infer *in) {
  const mr_type *x = mr_infer_type(in, 0);
  MR_TRY(keep_tensor(in));
  if (in->out[0].rank != x->rank) {
    return mr_op_error(in->op, "result has rank %u, wanted %u", in->out[0].rank, x->rank);
  }
  in->out[0].dtype = x->dtype;
  return MR_OK;
}

mr_status mr_rule_dynamic_pad(const mr_infer *in) {
  MR_TRY(check_pad_value(in));
  MR_TRY(check_lists(in, 2, 3));
  MR_TRY(keep_rank_and_dtype(in));
  const mr_type *x = mr_infer_type(in, 0);
  for (uint32_t d = 0; d < x->rank; d++) {
    int64_t low, high, interior, size;
    if (mr_infer_constant(in, 4, d, &interior) && interior < 0) {
      return mr_op_error(in->op, "interior padding %lld of dimension %u", (long long)interior, d);
    }
    if (x->dims[d] >= 0 && mr_infer_constant(in, 2, d, &low) && mr_infer_constant(in, 3, d, &high) &&
        mr_infer_constant(in, 4, d, &interior) && padded_size(x->dims[d], low, high, interior, &size) &&
        !mr_dim_agrees(size, in->out[0].dims[d])) {
      return mr_op_error(in->op, "dimension %u becomes %lld, the result has %lld", d, (long long)size,
                         (long long)in->out[0].dims[d]);
    }
  }
  return MR_OK;
}

mr_status mr_rule_real_dynamic_slice(const mr_infer *in) {
  MR_TRY(mr_infer_tensor(in, 0));
  MR_TRY(check_lists(in, 1, 3));
  return keep_rank_and_dtype(in);
}

static mr_status check_reshape(const mr_infer *in) {
  MR_TRY(mr_infer_tensor(in, 0));
  MR_TRY(keep_tensor(in));
  const mr_type *x = mr_infer_type(in, 0), *declared = mr_infer_had(in, 0);
  if (!declared->quant) {
    in->out[0].dtype = x->dtype;
  }
  if (mr_type_is_static(x) && mr_type_is_static(declared)) {
    int64_t from, to;
    if (!mr_dims_count(x->dims, x->rank, &from) || !mr_dims_count(declared->dims, declared->rank, &to) || from != to) {
      char first[128], second[128];
      return mr_op_error(in->op, "%s and %s have different numbers of elements", mr_type_text(x, first, sizeof first),
                         mr_type_text(declared, second, sizeof second));
    }
  }
  return MR_OK;
}

mr_status mr_rule_reshape(const mr_infer *in) { return check_reshape(in); }

mr_status mr_rule_dynamic_reshape(const mr_infer *in) {
  MR_TRY(check_reshape(in));
  return check_shape_operand(in, 1);
}

mr_status mr_rule_slice(const mr_infer *in) {
  MR_TRY(mr_infer_tensor(in, 0));
  const mr_type *x = mr_infer_type(in, 0);
  mr_ints start, limit, stride;
  MR_TRY(mr_infer_ints(in, MR_ATTR_start_indices, x->rank, &start));
  MR_TRY(mr_infer_ints(in, MR_ATTR_limit_indices, x->rank, &limit));
  MR_TRY(mr_infer_ints(in, MR_ATTR_strides, x->rank, &stride));
  int64_t dims[MR_MAX_RANK];
  for (uint32_t d = 0; d < x->rank; d++) {
    int64_t from = start.data[d], to = limit.data[d], step = stride.data[d];
    if (from < 0 || to < from || step < 1 || (x->dims[d] >= 0 && to > x->dims[d])) {
      return mr_op_error(in->op, "%lld:%lld:%lld is not a slice of dimension %u of size %lld", (long long)from,
                         (long long)to, (long long)step, d, (long long)x->dims[d]);
    }
    dims[d] = (to - from) / step + ((to - from) % step != 0);
  }
  return mr_infer_result(in, 0, x->dtype, x->rank, dims);
}

mr_status mr_rule_transpose(const mr_infer *in) {
  MR_TRY(mr_infer_tensor(in, 0));
  const mr_type *x = mr_infer_type(in, 0);
  mr_ints permutation;
  MR_TRY(mr_infer_dims(in, MR_ATTR_permutation, x->rank, x->rank, &permutation));
  int64_t dims[MR_MAX_RANK];
  for (uint32_t d = 0; d < x->rank; d++) {
    dims[d] = x->dims[permutation.data[d]];
  }
  return mr_infer_result(in, 0, x->dtype, x->rank, dims);
}

// ---- Tuples, tokens ------------------------------------------------------------------------------------------------

mr_status mr_rule_tuple(const mr_infer *in) {
  mr_type *elements = mr_arena_array(&in->module->arena, mr_type, in->op->num_operands + 1);
  if (!elements) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < in->op->num_operands; i++) {
    elements[i] = *mr_infer_type(in, i);
  }
  in->out[0] = (mr_type){.kind = MR_TYPE_TUPLE, .rank = in->op->num_operands, .elements = elements};
  return MR_OK;
}

mr_status mr_rule_get_tuple_element(const mr_infer *in) {
  const mr_type *tuple = mr_infer_type(in, 0);
  if (tuple->kind != MR_TYPE_TUPLE) {
    char text[128];
    return mr_op_error(in->op, "operand is %s, wanted a tuple", mr_type_text(tuple, text, sizeof text));
  }
  int64_t index;
  MR_TRY(mr_infer_int(in, MR_ATTR_index, 0, (int64_t)tuple->rank - 1, &index));
  in->out[0] = tuple->elements[index];
  return MR_OK;
}

mr_status mr_rule_same_each(const mr_infer *in) {
  if (in->op->num_results != in->op->num_operands) {
    return mr_op_error(in->op, "has %u results, wanted %u", in->op->num_results, in->op->num_operands);
  }
  for (uint32_t i = 0; i < in->op->num_operands; i++) {
    in->out[i] = *mr_infer_type(in, i);
  }
  return MR_OK;
}

mr_status mr_rule_token(const mr_infer *in) {
  for (uint32_t i = 0; i < in->op->num_operands; i++) {
    if (mr_infer_type(in, i)->kind != MR_TYPE_TOKEN) {
      char text[128];
      return mr_op_error(in->op, "operand %u is %s, wanted a token", i,
                         mr_type_text(mr_infer_type(in, i), text, sizeof text));
    }
  }
  in->out[0] = mr_type_token();
  return MR_OK;
}
