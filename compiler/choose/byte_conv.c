// Convolutions of bytes into integers, as convolutions in f32: the library has those, and the generated loop that is left
// otherwise takes 25 times as long as XLA:CPU (3x3, 64 features, 8 images of 28x28). Sums of products of bytes are exact in
// f32 up to 2^24, so a convolution of more taps is cut along its features and its parts are added up as integers.
#include "compiler/choose/linalg.h"

#define EXACT_SUM ((int64_t)1 << 24)

static bool is_byte(mr_dtype dtype) { return dtype == MR_S8 || dtype == MR_U8; }

static int64_t largest(mr_dtype dtype) { return dtype == MR_S8 ? 128 : 255; }

// Input features whose products add up exactly; 0 when not even one's do.
static int64_t exact_features(const mr_op *op) {
  const mr_type *lhs = &mr_op_operand(op, 0)->type, *rhs = &mr_op_operand(op, 1)->type;
  int64_t taps = 1;
  mr_ints spatial = mr_op_ints(op, MR_ATTR_kernel_spatial_dimensions);
  for (size_t i = 0; i < spatial.size; i++) {
    taps *= rhs->dims[spatial.data[i]];
  }
  return EXACT_SUM / (largest(lhs->dtype) * largest(rhs->dtype)) / taps;
}

// The products of the features [from, to), as f32.
static mr_value *part(mr_builder *b, const mr_op *op, int64_t from, int64_t to) {
  uint32_t dims[2] = {(uint32_t)mr_op_int(op, MR_ATTR_input_feature_dimension, 0),
                      (uint32_t)mr_op_int(op, MR_ATTR_kernel_input_feature_dimension, 0)};
  mr_value *operands[2];
  for (uint32_t i = 0; i < 2; i++) {
    mr_value *x = mr_op_operand(op, i);
    bool whole = to - from >= mr_op_operand(op, 1)->type.dims[dims[1]];
    if (x && !whole) {
      x = mr_build_slice_dim(b, x, dims[i], from, to);
    }
    operands[i] = x ? mr_build_convert(b, x, MR_F32) : NULL;
  }
  if (!operands[0] || !operands[1]) {
    return NULL;
  }
  mr_type type = op->results[0].type;
  type.dtype = MR_F32;
  mr_op *conv = mr_build(b, MR_OP_convolution, 2, operands, 1, &type, 0);
  if (!conv) {
    return NULL;
  }
  mr_op_copy_attrs(b->module, conv, op);
  int64_t highest[2] = {2, 2};  // by the definition: other algorithms round
  mr_op_set_ints(b->module, conv, MR_ATTR_precision_config, (mr_ints){highest, 2});
  return &conv->results[0];
}

bool mr_choose_is_byte_conv(const mr_op *op) {
  if (op->kind != MR_OP_convolution || !is_byte(mr_op_operand(op, 0)->type.dtype) ||
      !is_byte(mr_op_operand(op, 1)->type.dtype) || !mr_dtype_is_integer(op->results[0].type.dtype)) {
    return false;
  }
  int64_t features = mr_op_operand(op, 1)->type.dims[mr_op_int(op, MR_ATTR_kernel_input_feature_dimension, 0)];
  int64_t exact = exact_features(op);
  bool grouped = mr_op_int(op, MR_ATTR_feature_group_count, 1) > 1;
  return exact >= features || (exact > 0 && !grouped);
}

mr_status mr_choose_widen_byte_conv(mr_op *op) {
  mr_builder b = mr_builder_before(op);
  int64_t features = mr_op_operand(op, 1)->type.dims[mr_op_int(op, MR_ATTR_kernel_input_feature_dimension, 0)];
  int64_t exact = exact_features(op);
  mr_value *sum = NULL;
  for (int64_t from = 0; from < features; from += exact) {
    mr_value *f32 = part(&b, op, from, MR_MIN(from + exact, features));
    mr_value *whole = f32 ? mr_build_convert(&b, f32, MR_S32) : NULL;
    sum = whole && sum ? mr_build_binary(&b, MR_OP_add, sum, whole) : whole;
    if (!sum) {
      return MR_NO_MEMORY();
    }
  }
  mr_value *result = mr_build_convert(&b, sum, op->results[0].type.dtype);
  if (!result) {
    return MR_NO_MEMORY();
  }
  mr_value_replace_all_uses(&op->results[0], result);
  mr_op_erase(op);
  return MR_OK;
}
