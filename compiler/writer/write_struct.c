// Ops whose attributes go into messages of their own: windows, dimension numbers, slices.
#include <string.h>

#include "compiler/writer/hlo_put.h"

// ---- Windows -----------------------------------------------------------------------------------------------------------

typedef struct windows {
  Millrace__Hlo__Window window;
  Millrace__Hlo__WindowDimension dims[MR_MAX_RANK], *list[MR_MAX_RANK];
} windows;

typedef struct window_lists {
  mr_ints sizes, strides, padding, base_dilations, window_dilations, reversal;
} window_lists;

static int64_t at(mr_ints list, size_t i, int64_t fallback) { return i < list.size ? list.data[i] : fallback; }

static void set_window(hlo_put *p, const window_lists *l, windows *out) {
  size_t rank = MR_MIN(l->sizes.size, MR_MAX_RANK);
  out->window = (Millrace__Hlo__Window)MILLRACE__HLO__WINDOW__INIT;
  for (size_t i = 0; i < rank; i++) {
    Millrace__Hlo__WindowDimension *d = &out->dims[i];
    *d = (Millrace__Hlo__WindowDimension)MILLRACE__HLO__WINDOW_DIMENSION__INIT;
    d->size = l->sizes.data[i];
    d->stride = at(l->strides, i, 1);
    d->padding_low = at(l->padding, 2 * i, 0);
    d->padding_high = at(l->padding, 2 * i + 1, 0);
    d->base_dilation = at(l->base_dilations, i, 1);
    d->window_dilation = at(l->window_dilations, i, 1);
    d->window_reversal = at(l->reversal, i, 0) != 0;
    out->list[i] = d;
  }
  out->window.n_dimensions = rank;
  out->window.dimensions = out->list;
  p->proto.window = &out->window;
}

static mr_status with_window(hlo_put *p) {
  windows w;
  const window_lists lists = {.sizes = mr_op_ints(p->op, MR_ATTR_window_dimensions),
                              .strides = mr_op_ints(p->op, MR_ATTR_window_strides),
                              .padding = mr_op_ints(p->op, MR_ATTR_padding),
                              .base_dilations = mr_op_ints(p->op, MR_ATTR_base_dilations),
                              .window_dilations = mr_op_ints(p->op, MR_ATTR_window_dilations)};
  set_window(p, &lists, &w);
  return mr_put_with_regions(p);
}
mr_status mr_put_reduce_window(hlo_put *p) { return with_window(p); }
mr_status mr_put_select_and_scatter(hlo_put *p) { return with_window(p); }

// ---- Contractions ------------------------------------------------------------------------------------------------------

// XLA's name of what some hardware does is a number; a type that programs spell is a text.
static int32_t algorithm_of(const mr_op *op) {
  static const struct {
    const char *operands, *sums;
    int64_t products, imprecise;
    int32_t number;
  } known[] = {{"f8", "f32", 1, 0, 1},    {"f8", "f32", 1, 1, 2},    {"f16", "f16", 1, 0, 3},  {"f16", "f32", 1, 0, 4},
               {"bf16", "bf16", 1, 0, 5}, {"bf16", "f32", 1, 0, 6},  {"bf16", "f32", 3, 0, 7}, {"bf16", "f32", 6, 0, 8},
               {"tf32", "f32", 1, 0, 9},  {"tf32", "f32", 3, 0, 10}, {"f32", "f32", 1, 0, 11}, {"f64", "f64", 1, 0, 12},
               {"bf16", "f32", 9, 0, 13}};
  const mr_attr *in = mr_op_attr(op, MR_ATTR_lhs_precision_type), *sums = mr_op_attr(op, MR_ATTR_accumulation_type);
  if (!in || !sums || sums->kind != MR_ATTR_TYPE) {
    return 0;
  }
  bool eight = in->kind == MR_ATTR_TYPE && mr_dtype_bits(in->type.dtype) == 8;
  mr_str word = in->kind != MR_ATTR_TYPE ? in->string : mr_str_of(eight ? "f8" : mr_dtype_name(in->type.dtype));
  for (size_t i = 0; i < MR_ARRAY_SIZE(known); i++) {
    if (mr_str_is(word, known[i].operands) && mr_str_is(mr_str_of(mr_dtype_name(sums->type.dtype)), known[i].sums) &&
        mr_op_int(op, MR_ATTR_num_primitive_operations, 1) == known[i].products &&
        (mr_op_int(op, MR_ATTR_allow_imprecise_accumulation, 0) != 0) == known[i].imprecise) {
      return known[i].number;
    }
  }
  return 0;
}

typedef struct precision {
  Millrace__Hlo__Precision config;
  int32_t words[2];
} precision;

static void set_precision(hlo_put *p, precision *out) {
  mr_ints words = mr_op_ints(p->op, MR_ATTR_precision_config);
  out->config = (Millrace__Hlo__Precision)MILLRACE__HLO__PRECISION__INIT;
  out->words[0] = (int32_t)at(words, 0, 0);
  out->words[1] = (int32_t)at(words, 1, 0);
  out->config.n_operand_precision = 2;
  out->config.operand_precision = out->words;
  out->config.algorithm = algorithm_of(p->op);
  p->proto.precision_config = &out->config;
}

static void set_ints(mr_ints from, size_t *out_count, int64_t **out) {
  *out_count = from.size;
  *out = (int64_t *)from.data;
}
#define SET(message, field, key) set_ints(mr_op_ints(p->op, key), &(message).n_##field, &(message).field)

static void set_dot(const hlo_put *p, Millrace__Hlo__DotDimensions *d) {
  SET(*d, lhs_contracting_dimensions, MR_ATTR_lhs_contracting_dimensions);
  SET(*d, rhs_contracting_dimensions, MR_ATTR_rhs_contracting_dimensions);
  SET(*d, lhs_batch_dimensions, MR_ATTR_lhs_batching_dimensions);
  SET(*d, rhs_batch_dimensions, MR_ATTR_rhs_batching_dimensions);
}

mr_status mr_put_dot_general(hlo_put *p) {
  Millrace__Hlo__DotDimensions d = MILLRACE__HLO__DOT_DIMENSIONS__INIT;
  precision words;
  set_dot(p, &d);
  set_precision(p, &words);
  p->proto.dot_dimension_numbers = &d;
  return mr_put_finish(p);
}

// The last dimension of the one with the first of the other.
mr_status mr_put_dot(hlo_put *p) {
  Millrace__Hlo__DotDimensions d = MILLRACE__HLO__DOT_DIMENSIONS__INIT;
  int64_t last = (int64_t)mr_op_operand(p->op, 0)->type.rank - 1, first = 0;
  precision words;
  set_ints((mr_ints){&last, 1}, &d.n_lhs_contracting_dimensions, &d.lhs_contracting_dimensions);
  set_ints((mr_ints){&first, 1}, &d.n_rhs_contracting_dimensions, &d.rhs_contracting_dimensions);
  set_precision(p, &words);
  p->proto.dot_dimension_numbers = &d;
  return mr_put_finish(p);
}

mr_status mr_put_ragged_dot(hlo_put *p) {
  Millrace__Hlo__RaggedDotDimensions d = MILLRACE__HLO__RAGGED_DOT_DIMENSIONS__INIT;
  Millrace__Hlo__DotDimensions dot = MILLRACE__HLO__DOT_DIMENSIONS__INIT;
  precision words;
  set_dot(p, &dot);
  set_precision(p, &words);
  set_ints(mr_dict_ints(p->op->extra, "lhs_ragged_dimensions"), &d.n_lhs_ragged_dimensions, &d.lhs_ragged_dimensions);
  set_ints(mr_dict_ints(p->op->extra, "rhs_group_dimensions"), &d.n_rhs_group_dimensions, &d.rhs_group_dimensions);
  d.dot_dimension_numbers = &dot;
  p->proto.ragged_dot_dimension_numbers = &d;
  return mr_put_finish(p);
}

mr_status mr_put_convolution(hlo_put *p) {
  Millrace__Hlo__ConvolutionDimensions d = MILLRACE__HLO__CONVOLUTION_DIMENSIONS__INIT;
  const mr_op *op = p->op;
  const mr_type *kernel = &mr_op_operand(op, 1)->type;
  mr_ints spatial = mr_op_ints(op, MR_ATTR_kernel_spatial_dimensions);
  int64_t sizes[MR_MAX_RANK];
  windows w;
  precision words;
  for (size_t i = 0; i < spatial.size && i < MR_MAX_RANK; i++) {
    sizes[i] = kernel->dims[spatial.data[i]];
  }
  const window_lists lists = {.sizes = {sizes, spatial.size},
                              .strides = mr_op_ints(op, MR_ATTR_window_strides),
                              .padding = mr_op_ints(op, MR_ATTR_padding),
                              .base_dilations = mr_op_ints(op, MR_ATTR_lhs_dilation),
                              .window_dilations = mr_op_ints(op, MR_ATTR_rhs_dilation),
                              .reversal = mr_op_ints(op, MR_ATTR_window_reversal)};
  set_window(p, &lists, &w);
  set_precision(p, &words);
  d.input_batch_dimension = mr_op_int(op, MR_ATTR_input_batch_dimension, 0);
  d.input_feature_dimension = mr_op_int(op, MR_ATTR_input_feature_dimension, 0);
  d.kernel_input_feature_dimension = mr_op_int(op, MR_ATTR_kernel_input_feature_dimension, 0);
  d.kernel_output_feature_dimension = mr_op_int(op, MR_ATTR_kernel_output_feature_dimension, 0);
  d.output_batch_dimension = mr_op_int(op, MR_ATTR_output_batch_dimension, 0);
  d.output_feature_dimension = mr_op_int(op, MR_ATTR_output_feature_dimension, 0);
  SET(d, input_spatial_dimensions, MR_ATTR_input_spatial_dimensions);
  SET(d, kernel_spatial_dimensions, MR_ATTR_kernel_spatial_dimensions);
  SET(d, output_spatial_dimensions, MR_ATTR_output_spatial_dimensions);
  p->proto.convolution_dimension_numbers = &d;
  p->proto.feature_group_count = mr_op_int(op, MR_ATTR_feature_group_count, 1);
  p->proto.batch_group_count = mr_op_int(op, MR_ATTR_batch_group_count, 1);
  return mr_put_finish(p);
}

// ---- Gather and scatter --------------------------------------------------------------------------------------------------

mr_status mr_put_gather(hlo_put *p) {
  Millrace__Hlo__GatherDimensions d = MILLRACE__HLO__GATHER_DIMENSIONS__INIT;
  SET(d, offset_dims, MR_ATTR_offset_dims);
  SET(d, collapsed_slice_dims, MR_ATTR_collapsed_slice_dims);
  SET(d, start_index_map, MR_ATTR_start_index_map);
  SET(d, operand_batching_dims, MR_ATTR_operand_batching_dims);
  SET(d, start_indices_batching_dims, MR_ATTR_start_indices_batching_dims);
  d.index_vector_dim = mr_op_int(p->op, MR_ATTR_index_vector_dim, 0);
  SET(p->proto, gather_slice_sizes, MR_ATTR_slice_sizes);
  p->proto.gather_dimension_numbers = &d;
  p->proto.indices_are_sorted = mr_op_int(p->op, MR_ATTR_indices_are_sorted, 0) != 0;
  return mr_put_finish(p);
}

mr_status mr_put_scatter(hlo_put *p) {
  Millrace__Hlo__ScatterDimensions d = MILLRACE__HLO__SCATTER_DIMENSIONS__INIT;
  SET(d, update_window_dims, MR_ATTR_update_window_dims);
  SET(d, inserted_window_dims, MR_ATTR_inserted_window_dims);
  SET(d, scatter_dims_to_operand_dims, MR_ATTR_scatter_dims_to_operand_dims);
  SET(d, input_batching_dims, MR_ATTR_input_batching_dims);
  SET(d, scatter_indices_batching_dims, MR_ATTR_scatter_indices_batching_dims);
  d.index_vector_dim = mr_op_int(p->op, MR_ATTR_index_vector_dim, 0);
  p->proto.scatter_dimension_numbers = &d;
  p->proto.indices_are_sorted = mr_op_int(p->op, MR_ATTR_indices_are_sorted, 0) != 0;
  p->proto.unique_indices = mr_op_int(p->op, MR_ATTR_unique_indices, 0) != 0;
  return mr_put_with_regions(p);
}

// ---- Slices and padding --------------------------------------------------------------------------------------------------

mr_status mr_put_slice(hlo_put *p) {
  Millrace__Hlo__SliceDimensions dims[MR_MAX_RANK], *list[MR_MAX_RANK];
  mr_ints start = mr_op_ints(p->op, MR_ATTR_start_indices), limit = mr_op_ints(p->op, MR_ATTR_limit_indices);
  mr_ints strides = mr_op_ints(p->op, MR_ATTR_strides);
  size_t rank = mr_op_operand(p->op, 0)->type.rank;
  for (size_t i = 0; i < rank; i++) {
    dims[i] = (Millrace__Hlo__SliceDimensions)MILLRACE__HLO__SLICE_DIMENSIONS__INIT;
    dims[i].start = at(start, i, 0);
    dims[i].limit = at(limit, i, 0);
    dims[i].stride = at(strides, i, 1);
    list[i] = &dims[i];
  }
  p->proto.n_slice_dimensions = rank;
  p->proto.slice_dimensions = list;
  return mr_put_finish(p);
}

mr_status mr_put_pad(hlo_put *p) {
  Millrace__Hlo__PaddingDimension dims[MR_MAX_RANK], *list[MR_MAX_RANK];
  Millrace__Hlo__Padding padding = MILLRACE__HLO__PADDING__INIT;
  mr_ints low = mr_op_ints(p->op, MR_ATTR_edge_padding_low), high = mr_op_ints(p->op, MR_ATTR_edge_padding_high);
  mr_ints interior = mr_op_ints(p->op, MR_ATTR_interior_padding);
  size_t rank = mr_op_operand(p->op, 0)->type.rank;
  if (!rank) {
    return mr_put_results(p->writer, p->op, p->proto.operand_ids[0]);  // XLA's text has no word for it
  }
  for (size_t i = 0; i < rank; i++) {
    dims[i] = (Millrace__Hlo__PaddingDimension)MILLRACE__HLO__PADDING_DIMENSION__INIT;
    dims[i].edge_padding_low = at(low, i, 0);
    dims[i].edge_padding_high = at(high, i, 0);
    dims[i].interior_padding = at(interior, i, 0);
    list[i] = &dims[i];
  }
  padding.n_dimensions = rank;
  padding.dimensions = list;
  p->proto.padding_config = &padding;
  return mr_put_finish(p);
}

// One of a list of sizes, as a scalar.
static mr_status put_size(hlo_writer *w, int64_t list, mr_dtype dtype, int64_t index, int64_t *out_id) {
  hlo_instruction proto = MILLRACE__HLO__INSTRUCTION__INIT;
  Millrace__Hlo__SliceDimensions d = MILLRACE__HLO__SLICE_DIMENSIONS__INIT, *dims = &d;
  const int64_t one = 1;
  const mr_type vector = {.kind = MR_TYPE_TENSOR, .dtype = dtype, .rank = 1, .dims = &one};
  const mr_type scalar = mr_type_scalar(dtype);
  d.start = index;
  d.limit = index + 1;
  d.stride = 1;
  proto.opcode = "slice";
  proto.n_operand_ids = 1;
  proto.operand_ids = &list;
  proto.n_slice_dimensions = 1;
  proto.slice_dimensions = &dims;
  MR_TRY(mr_put_emit(w, &proto, &vector, out_id));
  return mr_put_plain(w, "reshape", &scalar, 1, out_id, out_id);
}

// HLO's sizes are scalars of 32 bits.
mr_status mr_put_dynamic_reshape(hlo_put *p) {
  const mr_value *sizes = mr_op_operand(p->op, 1);
  const mr_type scalar = mr_type_scalar(MR_S32);
  uint32_t rank = p->op->results[0].type.rank;
  int64_t ids[MR_MAX_RANK + 1] = {p->proto.operand_ids[0]}, list = p->proto.operand_ids[1];
  for (uint32_t i = 0; i < rank; i++) {
    MR_TRY(put_size(p->writer, list, sizes->type.dtype, i, &ids[i + 1]));
    if (sizes->type.dtype != MR_S32) {
      MR_TRY(mr_put_plain(p->writer, "convert", &scalar, 1, &ids[i + 1], &ids[i + 1]));
    }
  }
  p->proto.n_operand_ids = rank + 1;
  p->proto.operand_ids = ids;
  return mr_put_finish(p);
}
