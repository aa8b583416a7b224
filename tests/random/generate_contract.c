// Contractions in random programs: dot_general in every form, convolutions, Fourier transforms.
#include <string.h>

#include "tests/random/random.h"

static void keep_result(generator *g, mr_op *op) {
  if ((op = finish_op(g, op))) {
    keep_value(g, mr_op_result(op, 0));
  }
}

static void shuffle(generator *g, int64_t *list, uint32_t n) {
  for (uint32_t i = 1; i < n; i++) {
    int64_t j = rng_below(&g->random, i + 1), kept = list[i];
    list[i] = list[j];
    list[j] = kept;
  }
}

static int64_t small_size(generator *g, int64_t most) {
  return rng_chance(&g->random, 2) ? 0 : rng_between(&g->random, 1, rng_chance(&g->random, 15) ? 4 * most : most);
}

static void precision(generator *g, mr_op *op) {
  int64_t config[2] = {rng_below(&g->random, 3), rng_below(&g->random, 3)};
  if (rng_chance(&g->random, 30)) {
    set_ints(g, op, MR_ATTR_precision_config, config, 2);
  }
}

// Results have the operands' type, or a wider one that sums are kept in.
static mr_op *start_sum(generator *g, mr_op_kind kind, value const *operands) {
  mr_dtype dtype = operands[0]->type.dtype;
  unsigned bits = mr_dtype_bits(dtype);
  if (rng_chance(&g->random, 30) && bits <= 16 && dtype != MR_PRED) {
    dtype = mr_dtype_is_float(dtype) ? MR_F32 : mr_dtype_is_signed(dtype) ? MR_S32 : MR_U32;
  }
  mr_type type = mr_type_scalar(dtype);
  return mr_build(&g->at, kind, 2, operands, 1, &type, 0);
}

// Sides of a product: which dimension is the k-th batch, contracted or free one.
static void dot_general(generator *g, mr_dtype dtype) {
  int64_t sizes[2][8], places[2][8], dims[2][8];
  uint32_t batches = (uint32_t)rng_below(&g->random, 3), contracted = (uint32_t)rng_below(&g->random, 3);
  uint32_t free[2] = {(uint32_t)rng_below(&g->random, 3), (uint32_t)rng_below(&g->random, 3)};
  value operands[2];
  if (rng_chance(&g->random, 50)) {
    batches = 0, contracted = 1;  // a plain product of matrices
  }
  for (uint32_t k = 0; k < batches + contracted; k++) {
    sizes[0][k] = sizes[1][k] = small_size(g, k < batches ? 3 : 8);
  }
  for (int side = 0; side < 2; side++) {
    uint32_t rank = batches + contracted + free[side];
    for (uint32_t k = 0; k < rank; k++) {
      places[side][k] = k;
      if (k >= batches + contracted) {
        sizes[side][k] = small_size(g, 5);
      }
    }
    if (rng_chance(&g->random, 60)) {
      shuffle(g, places[side], rank);
    }
    for (uint32_t k = 0; k < rank; k++) {
      dims[side][places[side][k]] = sizes[side][k];
    }
    mr_type type = mr_type_tensor(g->module, dtype, rank, dims[side]);
    if (mr_type_count(&type) > 2 * g->largest) {
      return;
    }
    operands[side] = value_of_type(g, &type);
  }
  mr_op *op = start_sum(g, MR_OP_dot_general, operands);
  set_ints(g, op, MR_ATTR_lhs_batching_dimensions, places[0], batches);
  set_ints(g, op, MR_ATTR_rhs_batching_dimensions, places[1], batches);
  set_ints(g, op, MR_ATTR_lhs_contracting_dimensions, places[0] + batches, contracted);
  set_ints(g, op, MR_ATTR_rhs_contracting_dimensions, places[1] + batches, contracted);
  precision(g, op);
  keep_result(g, op);
}

// ---- Convolution --------------------------------------------------------------------------------------------------

typedef struct conv {
  uint32_t space;
  int64_t x[5], w[5], x_at[5], w_at[5], out_at[5];  // sizes by role (batch, feature, space...), and each role's place
  int64_t strides[3], padding[6], lhs[3], rhs[3], reversal[3], groups, batch_groups;
} conv;

static void plan_conv(generator *g, conv *c) {
  c->space = (uint32_t)rng_below(&g->random, 4);
  c->groups = rng_chance(&g->random, 25) ? rng_between(&g->random, 2, 3) : 1;
  c->batch_groups = c->groups == 1 && rng_chance(&g->random, 15) ? 2 : 1;
  int64_t in = rng_between(&g->random, 1, 4);
  c->x[0] = rng_between(&g->random, 1, 3) * c->batch_groups;
  c->x[1] = in * c->groups;
  c->w[0] = in;
  c->w[1] = rng_between(&g->random, 1, 3) * c->groups * c->batch_groups;
  for (uint32_t d = 0; d < c->space; d++) {
    c->x[2 + d] = small_size(g, c->space > 2 ? 4 : 7);
    c->w[2 + d] = rng_between(&g->random, 1, 3);
    c->strides[d] = rng_chance(&g->random, 70) ? 1 : rng_between(&g->random, 1, 3);
    c->padding[2 * d] = rng_between(&g->random, rng_chance(&g->random, 10) ? -1 : 0, 2);
    c->padding[2 * d + 1] = rng_between(&g->random, rng_chance(&g->random, 10) ? -1 : 0, 2);
    c->lhs[d] = rng_chance(&g->random, 15) ? 2 : 1;
    c->rhs[d] = rng_chance(&g->random, 15) ? 2 : 1;
    c->reversal[d] = rng_chance(&g->random, 15);
  }
  bool plain = rng_chance(&g->random, 40);
  for (uint32_t k = 0; k < c->space + 2; k++) {
    c->x_at[k] = c->w_at[k] = c->out_at[k] = k;
  }
  if (!plain) {
    shuffle(g, c->x_at, c->space + 2);
    shuffle(g, c->w_at, c->space + 2);
    shuffle(g, c->out_at, c->space + 2);
  }
}

static value conv_operand(generator *g, mr_dtype dtype, uint32_t rank, const int64_t *sizes, const int64_t *at) {
  int64_t dims[5];
  for (uint32_t k = 0; k < rank; k++) {
    dims[at[k]] = sizes[k];
  }
  mr_type type = mr_type_tensor(g->module, dtype, rank, dims);
  return value_of_type(g, &type);
}

static void convolution(generator *g, mr_dtype dtype) {
  conv c;
  plan_conv(g, &c);
  uint32_t rank = c.space + 2;
  value operands[2] = {conv_operand(g, dtype, rank, c.x, c.x_at), conv_operand(g, dtype, rank, c.w, c.w_at)};
  mr_op *op = start_sum(g, MR_OP_convolution, operands);
  set_int(g, op, MR_ATTR_input_batch_dimension, c.x_at[0], MR_S64);
  set_int(g, op, MR_ATTR_input_feature_dimension, c.x_at[1], MR_S64);
  set_ints(g, op, MR_ATTR_input_spatial_dimensions, c.x_at + 2, c.space);
  set_int(g, op, MR_ATTR_kernel_input_feature_dimension, c.w_at[0], MR_S64);
  set_int(g, op, MR_ATTR_kernel_output_feature_dimension, c.w_at[1], MR_S64);
  set_ints(g, op, MR_ATTR_kernel_spatial_dimensions, c.w_at + 2, c.space);
  set_int(g, op, MR_ATTR_output_batch_dimension, c.out_at[0], MR_S64);
  set_int(g, op, MR_ATTR_output_feature_dimension, c.out_at[1], MR_S64);
  set_ints(g, op, MR_ATTR_output_spatial_dimensions, c.out_at + 2, c.space);
  set_ints(g, op, MR_ATTR_window_strides, c.strides, c.space);
  set_ints(g, op, MR_ATTR_padding, c.padding, 2 * (size_t)c.space);
  set_ints(g, op, MR_ATTR_lhs_dilation, c.lhs, c.space);
  set_ints(g, op, MR_ATTR_rhs_dilation, c.rhs, c.space);
  set_ints(g, op, MR_ATTR_window_reversal, c.reversal, c.space);
  set_int(g, op, MR_ATTR_feature_group_count, c.groups, MR_S64);
  set_int(g, op, MR_ATTR_batch_group_count, c.batch_groups, MR_S64);
  precision(g, op);
  keep_result(g, op);
}

static void fft(generator *g) {
  bool wide = rng_chance(&g->random, 30);
  int64_t kind = rng_below(&g->random, 4), n = rng_between(&g->random, 1, rng_chance(&g->random, 20) ? 100 : 17);
  mr_dtype dtype = kind == 2 ? (wide ? MR_F64 : MR_F32) : (wide ? MR_C128 : MR_C64);
  int64_t dims[2] = {rng_between(&g->random, 1, 3), kind == 3 ? n / 2 + 1 : n};
  uint32_t rank = (uint32_t)rng_between(&g->random, 1, 2);
  mr_type type = mr_type_tensor(g->module, dtype, rank, dims + 2 - rank);
  value x = value_of_type(g, &type);
  mr_op *op = start_op(g, MR_OP_fft, 1, &x, 1, 0);
  set_int(g, op, MR_ATTR_fft_type, kind, MR_S64);
  set_ints(g, op, MR_ATTR_fft_length, &n, 1);
  keep_result(g, op);
}

void generate_contract(generator *g) {
  int64_t dice = rng_below(&g->random, 100);
  value near = random_value_of(g, CLASS_ANY);
  mr_dtype dtype = near->type.dtype;
  if (dice < 15) {
    fft(g);
  } else if (dice < 70) {
    dot_general(g, dtype);
  } else if (dtype != MR_PRED) {
    convolution(g, dtype);
  }
}
