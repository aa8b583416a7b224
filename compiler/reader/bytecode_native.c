// StableHLO's own encodings in bytecode, without VHLO's versions: what a host's partitioner answers. Struct attributes stand as one,
// as in text; an op that has an optional property flags whether it is there.
#include <inttypes.h>

#include "compiler/reader/bytecode.h"
#include "compiler/reader/text.h"

// ---- Ops -----------------------------------------------------------------------------------------------------------

// In stored order, alphabetical; ? marks the optional ones. An op that is not here stores none, or what each of a family does.
static const struct {
  const char *op, *names[10];
} properties[] = {
    {"func.func", {"?arg_attrs", "function_type", "?no_inline", "?res_attrs", "sym_name", "?sym_visibility"}},
    {"func.call", {"?arg_attrs", "callee", "?no_inline", "?res_attrs"}},
    {"stablehlo.all_gather", {"all_gather_dim", "?channel_handle", "replica_groups", "?use_global_device_ids"}},
    {"stablehlo.all_reduce", {"?channel_handle", "replica_groups", "?use_global_device_ids"}},
    {"stablehlo.all_to_all",
     {"?channel_handle", "concat_dimension", "replica_groups", "split_count", "split_dimension"}},
    {"stablehlo.batch_norm_grad", {"epsilon", "feature_index"}},
    {"stablehlo.batch_norm_inference", {"epsilon", "feature_index"}},
    {"stablehlo.batch_norm_training", {"epsilon", "feature_index"}},
    {"stablehlo.broadcast", {"broadcast_sizes"}},
    {"stablehlo.broadcast_in_dim", {"broadcast_dimensions"}},
    {"stablehlo.cholesky", {"?lower"}},
    {"stablehlo.collective_broadcast", {"?channel_handle", "?has_dynamic_root", "replica_groups"}},
    {"stablehlo.collective_permute", {"?channel_handle", "source_target_pairs"}},
    {"stablehlo.compare", {"?compare_type", "comparison_direction"}},
    {"stablehlo.composite", {"?composite_attributes", "decomposition", "name", "?version"}},
    {"stablehlo.concatenate", {"dimension"}},
    {"stablehlo.constant", {"value"}},
    {"stablehlo.convolution",
     {"batch_group_count", "dimension_numbers", "feature_group_count", "?lhs_dilation", "?padding", "?precision_config",
      "?rhs_dilation", "?window_reversal", "?window_strides"}},
    {"stablehlo.custom_call",
     {"?api_version", "?backend_config", "call_target_name", "?called_computations", "?has_side_effect",
      "?operand_layouts", "?output_operand_aliases", "?result_layouts", "?result_tilings"}},
    {"stablehlo.dot", {"?precision_config"}},
    {"stablehlo.dot_general", {"?algorithm", "dot_dimension_numbers", "?precision_config"}},
    {"stablehlo.dynamic_slice", {"slice_sizes"}},
    {"stablehlo.fft", {"fft_length", "fft_type"}},
    {"stablehlo.gather", {"dimension_numbers", "?indices_are_sorted", "slice_sizes"}},
    {"stablehlo.get_dimension_size", {"dimension"}},
    {"stablehlo.get_tuple_element", {"index"}},
    {"stablehlo.iota", {"iota_dimension"}},
    {"stablehlo.map", {"dimensions"}},
    {"stablehlo.pad", {"edge_padding_high", "edge_padding_low", "interior_padding"}},
    {"stablehlo.reduce", {"dimensions"}},
    {"stablehlo.reduce_precision", {"exponent_bits", "mantissa_bits"}},
    {"stablehlo.reduce_scatter", {"?channel_handle", "replica_groups", "scatter_dimension", "?use_global_device_ids"}},
    {"stablehlo.reduce_window",
     {"?base_dilations", "?padding", "?window_dilations", "window_dimensions", "?window_strides"}},
    {"stablehlo.reverse", {"dimensions"}},
    {"stablehlo.rng", {"rng_distribution"}},
    {"stablehlo.rng_bit_generator", {"rng_algorithm"}},
    {"stablehlo.scatter", {"?indices_are_sorted", "scatter_dimension_numbers", "?unique_indices"}},
    {"stablehlo.select_and_scatter", {"?padding", "?window_dimensions", "?window_strides"}},
    {"stablehlo.slice", {"limit_indices", "start_indices", "strides"}},
    {"stablehlo.sort", {"?dimension", "?is_stable"}},
    {"stablehlo.transpose", {"permutation"}},
    {"stablehlo.triangular_solve", {"left_side", "lower", "transpose_a", "unit_diagonal"}},
    {"chlo.top_k", {"k"}},
};

// Which of the functions of one number have an accuracy.
static bool has_accuracy(mr_op_kind kind) {
  const mr_props *stored = mr_props_newest(kind);
  return stored && stored->count == 1 && stored->props[0].key == MR_ATTR_result_accuracy;
}

const char *const *mr_native_properties(mr_str op, mr_op_kind kind) {
  static const char *const accuracy[] = {"?result_accuracy", NULL};
  for (size_t i = 0; i < MR_ARRAY_SIZE(properties); i++) {
    if (mr_str_is(op, properties[i].op)) {
      return properties[i].names;
    }
  }
  return has_accuracy(kind) ? accuracy : NULL;
}

mr_op_kind mr_native_kind(mr_str op) { return mr_parse_op_kind(op); }

// ---- Attributes ----------------------------------------------------------------------------------------------------

// What comes next in a struct: an integer, or, in brackets, a list of them.
static mr_status read_struct(mr_bytecode *b, mr_cursor *c, const char *const *names, size_t count, mr_attr_value *out) {
  mr_attr *items = mr_arena_array(b->arena, mr_attr, count);
  if (!items) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    if (names[i][0] == '[') {
      mr_ints ints;
      MR_TRY(mr_cursor_ints(b, c, &ints));
      items[i] = mr_read_attr_ints(ints, -1);
      items[i].name = mr_str_of(names[i] + 1);
    } else {
      int64_t value;
      MR_TRY(mr_cursor_svarint(c, &value));
      items[i] = mr_read_attr_int(value, MR_S64);
      items[i].name = mr_str_of(names[i]);
    }
  }
  out->attr = (mr_attr){.kind = MR_ATTR_DICT, .items = items, .count = count};
  return MR_OK;
}

mr_status mr_native_attr(mr_bytecode *b, mr_cursor *c, uint64_t code, mr_attr_value *out) {
  static const char *const channel[] = {"handle", "type"};
  static const char *const conv[] = {
      "input_batch_dimension",          "input_feature_dimension",         "[input_spatial_dimensions",
      "kernel_input_feature_dimension", "kernel_output_feature_dimension", "[kernel_spatial_dimensions",
      "output_batch_dimension",         "output_feature_dimension",        "[output_spatial_dimensions"};
  static const char *const dot[] = {"[lhs_batching_dimensions", "[rhs_batching_dimensions",
                                    "[lhs_contracting_dimensions", "[rhs_contracting_dimensions"};
  static const char *const gather[] = {"[offset_dims",           "[collapsed_slice_dims",
                                       "[operand_batching_dims", "[start_indices_batching_dims",
                                       "[start_index_map",       "index_vector_dim"};
  static const char *const scatter[] = {"[update_window_dims",           "[inserted_window_dims",
                                        "[input_batching_dims",          "[scatter_indices_batching_dims",
                                        "[scatter_dims_to_operand_dims", "index_vector_dim"};
  static const char *const alias[] = {"[output_tuple_indices", "operand_index", "[operand_tuple_indices"};
  uint64_t number;
  switch (code) {
  case 1: return read_struct(b, c, channel, MR_ARRAY_SIZE(channel), out);
  case 4: return read_struct(b, c, conv, MR_ARRAY_SIZE(conv), out);
  case 5: return read_struct(b, c, dot, MR_ARRAY_SIZE(dot), out);
  case 7: return read_struct(b, c, gather, MR_ARRAY_SIZE(gather), out);
  case 11: return read_struct(b, c, scatter, MR_ARRAY_SIZE(scatter), out);
  case 14: return read_struct(b, c, alias, MR_ARRAY_SIZE(alias), out);
  case 2:   // comparison direction, in VHLO's numbers as all of these
  case 3:   // comparison type
  case 6:   // fft type
  case 8:   // precision
  case 9:   // rng algorithm
  case 10:  // rng distribution
  case 12:  // transpose
  case 17:  // custom call api version
    MR_TRY(mr_cursor_varint(c, &number));
    if (number > 16) {
      return mr_bytecode_error(c, "enum value %" PRIu64 " is unknown", number);
    }
    out->attr = mr_read_attr_int((int64_t)number, MR_INVALID);
    return MR_OK;
  default: return mr_error(MR_UNIMPLEMENTED, "bytecode offset %zu: StableHLO attribute of code %" PRIu64, c->at, code);
  }
}
