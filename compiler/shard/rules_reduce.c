// Rules of reductions, windows, sorting, contractions and linear algebra.
#include "compiler/ir/dot.h"
#include "compiler/shard/rule_build.h"

// As many inits as inputs, which are scalars.
void mr_factors_reduce(mr_rule_builder *b) {
  mr_ints dims = mr_op_ints(b->op, MR_ATTR_dimensions);
  const mr_type *in = mr_factors_in(b, 0);
  uint32_t inputs = b->op->num_operands / 2, kept = 0;
  for (uint32_t d = 0; d < in->rank; d++) {
    bool reduced = mr_ints_has(dims, d);
    uint32_t factor = mr_factors_add(b, reduced ? MR_FACTOR_REDUCTION : MR_FACTOR_PASS, in->dims[d]);
    for (uint32_t i = 0; i < inputs; i++) {
      mr_factors_operand(b, i, d, factor);
    }
    for (uint32_t i = 0; !reduced && i < b->op->num_results; i++) {
      mr_factors_result(b, i, kept, factor);
    }
    kept += !reduced;
  }
}

static int64_t int_at(const mr_op *op, mr_attr_key key, size_t i, int64_t fallback) {
  mr_ints ints = mr_op_ints(op, key);
  return i < ints.size ? ints.data[i] : fallback;
}

// A window that does nothing in this dim.
static bool is_trivial_window(const mr_op *op, uint32_t d) {
  return int_at(op, MR_ATTR_window_dimensions, d, 1) == 1 && int_at(op, MR_ATTR_window_strides, d, 1) == 1 &&
         int_at(op, MR_ATTR_padding, 2 * (size_t)d, 0) == 0 && int_at(op, MR_ATTR_padding, 2 * (size_t)d + 1, 0) == 0 &&
         int_at(op, MR_ATTR_base_dilations, d, 1) == 1;
}

void mr_factors_reduce_window(mr_rule_builder *b) {
  const mr_type *out = mr_factors_out(b, 0);
  for (uint32_t d = 0; d < out->rank; d++) {
    mr_factors_along(b, is_trivial_window(b->op, d) ? MR_FACTOR_PASS : MR_FACTOR_PERMUTATION, d,
                     b->op->num_operands / 2, out->dims[d]);
  }
}

// Input, source, init.
void mr_factors_select_and_scatter(mr_rule_builder *b) {
  for (uint32_t d = 0; d < mr_factors_in(b, 0)->rank; d++) {
    bool trivial = is_trivial_window(b->op, d);
    uint32_t factor = mr_factors_pair(b, trivial ? MR_FACTOR_PASS : MR_FACTOR_PERMUTATION, d, d);
    mr_factors_operand(b, 1, d,
                       trivial ? factor : mr_factors_add(b, MR_FACTOR_NEED_REPLICATION, mr_factors_in(b, 1)->dims[d]));
  }
}

// Along a dim that holds everything a sharding would only have to go again.
void mr_factors_sort(mr_rule_builder *b) {
  const mr_type *in = mr_factors_in(b, 0);
  int64_t dim = mr_op_int(b->op, MR_ATTR_dimension, 0);
  bool alone = true;
  for (uint32_t d = 0; d < in->rank; d++) {
    alone &= d == dim || in->dims[d] == 1;
  }
  for (uint32_t d = 0; d < in->rank; d++) {
    uint32_t factor = mr_factors_along(b, d == dim ? MR_FACTOR_NEED_REPLICATION : MR_FACTOR_PASS, d,
                                       b->op->num_operands, in->dims[d]);
    if (d == dim && alone) {
      mr_factors_block(b, factor);
    }
  }
}

void mr_factors_top_k(mr_rule_builder *b) {
  const mr_type *in = mr_factors_in(b, 0);
  for (uint32_t d = 0; d < in->rank; d++) {
    bool last = d + 1 == in->rank;
    uint32_t factor = mr_factors_along(b, last ? MR_FACTOR_NEED_REPLICATION : MR_FACTOR_PASS, d, 1, in->dims[d]);
    if (last && in->dims[d] != mr_factors_out(b, 0)->dims[d]) {
      mr_factors_block(b, factor);
    }
  }
}

// ---- Contractions -------------------------------------------------------------------------------------------------------

void mr_factors_dot(mr_rule_builder *b) {
  const mr_type *lhs = mr_factors_in(b, 0), *rhs = mr_factors_in(b, 1);
  uint32_t out = 0;
  if (lhs->rank == 2) {
    mr_factors_pair(b, MR_FACTOR_PASS, 0, out++);
  }
  if (rhs->rank == 2) {
    uint32_t factor = mr_factors_add(b, MR_FACTOR_PASS, rhs->dims[1]);
    mr_factors_operand(b, 1, 1, factor);
    mr_factors_result(b, 0, out, factor);
  }
  mr_factors_operand(b, 1, 0, mr_factors_pair(b, MR_FACTOR_REDUCTION, lhs->rank - 1, MR_NO_DIM));
}

void mr_factors_dot_general(mr_rule_builder *b) {
  mr_dot_side lhs = mr_dot_side_of(b->op, 0), rhs = mr_dot_side_of(b->op, 1);
  uint32_t out = 0;
  for (uint32_t i = 0; i < lhs.batch.count; i++) {
    uint32_t factor = mr_factors_pair(b, MR_FACTOR_PASS, lhs.dims[lhs.batch.first + i], out++);
    mr_factors_operand(b, 1, rhs.dims[rhs.batch.first + i], factor);
  }
  for (uint32_t i = 0; i < lhs.free.count; i++) {
    mr_factors_pair(b, MR_FACTOR_PASS, lhs.dims[lhs.free.first + i], out++);
  }
  for (uint32_t i = 0; i < rhs.free.count; i++) {
    int64_t dim = rhs.dims[rhs.free.first + i];
    uint32_t factor = mr_factors_add(b, MR_FACTOR_PASS, rhs.x->type.dims[dim]);
    mr_factors_operand(b, 1, dim, factor);
    mr_factors_result(b, 0, out++, factor);
  }
  for (uint32_t i = 0; i < lhs.contracted.count; i++) {
    uint32_t factor = mr_factors_pair(b, MR_FACTOR_REDUCTION, lhs.dims[lhs.contracted.first + i], MR_NO_DIM);
    mr_factors_operand(b, 1, rhs.dims[rhs.contracted.first + i], factor);
  }
}

// The image's dim runs over windows and over places in a window, the larger of the two in front.
static void convolve_spatial(mr_rule_builder *b, int64_t image, int64_t kernel, int64_t out) {
  int64_t windows = mr_factors_out(b, 0)->dims[out], places = mr_factors_in(b, 1)->dims[kernel];
  uint32_t window = mr_factors_add(b, MR_FACTOR_PERMUTATION, windows);
  uint32_t place = mr_factors_add(b, MR_FACTOR_REDUCTION, places);
  mr_factors_operand(b, 0, image, windows >= places ? window : place);
  mr_factors_operand(b, 0, image, windows >= places ? place : window);
  mr_factors_operand(b, 1, kernel, place);
  mr_factors_result(b, 0, out, window);
}

// Groups of batches or of features: the major part of the dim `in` of the image, of the kernel's and the result's features.
static void convolve_groups(mr_rule_builder *b, int64_t groups, int64_t in, int64_t kernel, int64_t out) {
  if (groups > 1) {
    uint32_t factor = mr_factors_add(b, MR_FACTOR_PASS, groups);
    mr_factors_operand(b, 0, in, factor);
    mr_factors_operand(b, 1, kernel, factor);
    mr_factors_result(b, 0, out, factor);
  }
}

void mr_factors_convolution(mr_rule_builder *b) {
  const mr_op *op = b->op;
  int64_t batch = mr_op_int(op, MR_ATTR_input_batch_dimension, 0);
  int64_t feature = mr_op_int(op, MR_ATTR_input_feature_dimension, 0);
  int64_t kernel_in = mr_op_int(op, MR_ATTR_kernel_input_feature_dimension, 0);
  int64_t kernel_out = mr_op_int(op, MR_ATTR_kernel_output_feature_dimension, 0);
  int64_t out_batch = mr_op_int(op, MR_ATTR_output_batch_dimension, 0);
  int64_t out_feature = mr_op_int(op, MR_ATTR_output_feature_dimension, 0);
  int64_t batch_groups = mr_op_int(op, MR_ATTR_batch_group_count, 1);
  int64_t feature_groups = mr_op_int(op, MR_ATTR_feature_group_count, 1);
  mr_ints image = mr_op_ints(op, MR_ATTR_input_spatial_dimensions);
  mr_ints kernel = mr_op_ints(op, MR_ATTR_kernel_spatial_dimensions);
  mr_ints out = mr_op_ints(op, MR_ATTR_output_spatial_dimensions);
  convolve_groups(b, batch_groups, batch, kernel_out, out_feature);
  convolve_groups(b, feature_groups, feature, kernel_out, out_feature);
  uint32_t factor = mr_factors_add(b, MR_FACTOR_PASS, mr_factors_in(b, 0)->dims[batch] / batch_groups);
  mr_factors_operand(b, 0, batch, factor);
  mr_factors_result(b, 0, out_batch, factor);
  factor = mr_factors_add(b, MR_FACTOR_REDUCTION, mr_factors_in(b, 1)->dims[kernel_in]);
  mr_factors_operand(b, 0, feature, factor);
  mr_factors_operand(b, 1, kernel_in, factor);
  factor = mr_factors_add(b, MR_FACTOR_PASS, mr_factors_out(b, 0)->dims[out_feature] / (batch_groups * feature_groups));
  mr_factors_operand(b, 1, kernel_out, factor);
  mr_factors_result(b, 0, out_feature, factor);
  for (size_t i = 0; i < image.size; i++) {
    convolve_spatial(b, image.data[i], kernel.data[i], out.data[i]);
  }
}

// ---- Linear algebra -----------------------------------------------------------------------------------------------------

void mr_factors_cholesky(mr_rule_builder *b) {
  uint32_t rank = mr_factors_in(b, 0)->rank;
  for (uint32_t d = 0; d < rank; d++) {
    mr_factors_pair(b, d + 2 < rank ? MR_FACTOR_PASS : MR_FACTOR_NEED_REPLICATION, d, d);
  }
}

// a x = b, or x a = b: a's dims are those of b and of x that they are multiplied with.
void mr_factors_triangular_solve(mr_rule_builder *b) {
  uint32_t rank = mr_factors_in(b, 0)->rank;
  bool left = mr_op_int(b->op, MR_ATTR_left_side, 1);
  for (uint32_t d = 0; d + 2 < rank; d++) {
    mr_factors_operand(b, 1, d, mr_factors_pair(b, MR_FACTOR_PASS, d, d));
  }
  enum { NO_TRANSPOSE = 1 };
  bool turned = mr_op_int(b->op, MR_ATTR_transpose_a, NO_TRANSPOSE) != NO_TRANSPOSE;
  int64_t rows = rank - 2, columns = rank - 1, shared = left ? rows : columns, other = left ? columns : rows;
  int64_t with_b = turned ? other : shared, with_x = turned ? shared : other;
  mr_factors_operand(b, 1, shared, mr_factors_pair(b, MR_FACTOR_NEED_REPLICATION, with_b, MR_NO_DIM));
  mr_factors_pair(b, MR_FACTOR_NEED_REPLICATION, with_x, shared);
  uint32_t factor = mr_factors_add(b, MR_FACTOR_NEED_REPLICATION, mr_factors_in(b, 1)->dims[other]);
  mr_factors_operand(b, 1, other, factor);
  mr_factors_result(b, 0, other, factor);
}

// The last of the transformed dims is halved or doubled by transforms of real numbers.
void mr_factors_fft(mr_rule_builder *b) {
  const mr_type *in = mr_factors_in(b, 0), *out = mr_factors_out(b, 0);
  size_t transformed = mr_op_ints(b->op, MR_ATTR_fft_length).size;
  for (uint32_t d = 0; d < in->rank; d++) {
    uint32_t factor =
        mr_factors_pair(b, d + transformed < in->rank ? MR_FACTOR_PASS : MR_FACTOR_NEED_REPLICATION, d, d);
    if (in->dims[d] != out->dims[d]) {
      mr_factors_block(b, factor);
    }
  }
}

// The state stays whole, and numbers are made where they are wanted.
void mr_factors_rng_bit_generator(mr_rule_builder *b) {
  for (uint32_t d = 0; d < mr_factors_in(b, 0)->rank; d++) {
    mr_factors_block(b, mr_factors_pair(b, MR_FACTOR_NEED_REPLICATION, d, d));
  }
}

// Whatever has one dim runs over features; where means are taken as well the other dims are to be whole.
void mr_factors_batch_norm(mr_rule_builder *b) {
  const mr_type *in = mr_factors_in(b, 0);
  int64_t feature = mr_op_int(b->op, MR_ATTR_feature_index, 0);
  mr_factor_kind other = b->op->kind == MR_OP_batch_norm_inference ? MR_FACTOR_PASS : MR_FACTOR_NEED_REPLICATION;
  for (uint32_t d = 0; d < in->rank; d++) {
    uint32_t factor = mr_factors_add(b, d == feature ? MR_FACTOR_PASS : other, in->dims[d]);
    for (uint32_t i = 0; i < b->op->num_operands; i++) {
      bool vector = mr_factors_in(b, i)->rank != in->rank || i == 1 || i == 2 || i == 3;
      mr_factors_operand(b, i, !vector ? (int64_t)d : d == feature ? 0 : MR_NO_DIM, factor);
    }
    for (uint32_t i = 0; i < b->op->num_results; i++) {
      mr_factors_result(b, i, i == 0 ? (int64_t)d : d == feature ? 0 : MR_NO_DIM, factor);
    }
  }
}
