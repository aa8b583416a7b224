// Instructions of HLO whose attributes come in messages of their own: windows, dimension numbers, slices, device groups.
#include <string.h>

#include "compiler/reader/hlo.h"

// ---- Windows -----------------------------------------------------------------------------------------------------------

typedef struct window_lists {
  int64_t sizes[MR_MAX_RANK], strides[MR_MAX_RANK], padding[2 * MR_MAX_RANK];
  int64_t base_dilations[MR_MAX_RANK], window_dilations[MR_MAX_RANK], reversal[MR_MAX_RANK];
  size_t rank;
} window_lists;

// A stride or dilation that is not written is one.
static int64_t or_one(int64_t value) { return value == 0 ? 1 : value; }

static mr_status read_window(const hlo_context *c, window_lists *out) {
  const Millrace__Hlo__Window *window = c->proto->window;
  out->rank = window ? window->n_dimensions : 0;
  if (out->rank > MR_MAX_RANK) {
    return mr_error(MR_INVALID_ARGUMENT, "window of %zu dimensions, at most %d are supported", out->rank, MR_MAX_RANK);
  }
  for (size_t i = 0; i < out->rank; i++) {
    const Millrace__Hlo__WindowDimension *d = window->dimensions[i];
    out->sizes[i] = d->size;
    out->strides[i] = or_one(d->stride);
    out->padding[2 * i] = d->padding_low;
    out->padding[2 * i + 1] = d->padding_high;
    out->base_dilations[i] = or_one(d->base_dilation);
    out->window_dilations[i] = or_one(d->window_dilation);
    out->reversal[i] = d->window_reversal != 0;
  }
  return MR_OK;
}

mr_status mr_hlo_window_attrs(hlo_context *c, mr_draft *draft, bool with_dilations) {
  window_lists w;
  MR_TRY(read_window(c, &w));
  MR_TRY(mr_hlo_ints(c, draft, MR_ATTR_window_dimensions, w.sizes, w.rank, -1));
  MR_TRY(mr_hlo_ints(c, draft, MR_ATTR_window_strides, w.strides, w.rank, -1));
  MR_TRY(mr_hlo_ints(c, draft, MR_ATTR_padding, w.padding, 2 * w.rank, (int64_t)w.rank));
  if (!with_dilations) {
    return MR_OK;
  }
  MR_TRY(mr_hlo_ints(c, draft, MR_ATTR_base_dilations, w.base_dilations, w.rank, -1));
  return mr_hlo_ints(c, draft, MR_ATTR_window_dilations, w.window_dilations, w.rank, -1);
}

// ---- Contractions ------------------------------------------------------------------------------------------------------

// Two words, or nothing.
static mr_status precision(hlo_context *c, mr_draft *draft) {
  const Millrace__Hlo__Precision *p = c->proto->precision_config;
  if (p == NULL || p->n_operand_precision != 2) {
    return MR_OK;
  }
  const int64_t words[2] = {p->operand_precision[0], p->operand_precision[1]};
  return mr_hlo_ints(c, draft, MR_ATTR_precision_config, words, 2, -1);
}

static mr_status dot_dimensions(hlo_context *c, const Millrace__Hlo__DotDimensions *d, mr_draft *draft) {
  static const Millrace__Hlo__DotDimensions none = MILLRACE__HLO__DOT_DIMENSIONS__INIT;
  d = d ? d : &none;
  MR_TRY(mr_hlo_ints(c, draft, MR_ATTR_lhs_contracting_dimensions, d->lhs_contracting_dimensions,
                     d->n_lhs_contracting_dimensions, -1));
  MR_TRY(mr_hlo_ints(c, draft, MR_ATTR_rhs_contracting_dimensions, d->rhs_contracting_dimensions,
                     d->n_rhs_contracting_dimensions, -1));
  MR_TRY(
      mr_hlo_ints(c, draft, MR_ATTR_lhs_batching_dimensions, d->lhs_batch_dimensions, d->n_lhs_batch_dimensions, -1));
  MR_TRY(
      mr_hlo_ints(c, draft, MR_ATTR_rhs_batching_dimensions, d->rhs_batch_dimensions, d->n_rhs_batch_dimensions, -1));
  return precision(c, draft);
}

mr_status mr_hlo_dot(hlo_context *c) {
  mr_draft draft;
  MR_TRY(mr_hlo_draft(c, MR_OP_dot_general, &draft));
  MR_TRY(dot_dimensions(c, c->proto->dot_dimension_numbers, &draft));
  return mr_hlo_finish(c, &draft);
}

// A list under a name that has no key.
static mr_status named_ints(hlo_context *c, mr_draft *draft, const char *name, const int64_t *values, size_t count) {
  int64_t *copy = mr_arena_array(c->reader->arena, int64_t, count + 1);
  if (!copy) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    copy[i] = values[i];
  }
  const mr_attr list = {.kind = MR_ATTR_INTS, .ints = {copy, count}, .rows = -1};
  mr_draft_attr(draft, mr_str_of(name), &list);
  return MR_OK;
}

mr_status mr_hlo_ragged_dot(hlo_context *c) {
  static const Millrace__Hlo__RaggedDotDimensions none = MILLRACE__HLO__RAGGED_DOT_DIMENSIONS__INIT;
  const Millrace__Hlo__RaggedDotDimensions *d = c->proto->ragged_dot_dimension_numbers;
  mr_draft draft;
  d = d ? d : &none;
  MR_TRY(mr_hlo_draft(c, MR_OP_ragged_dot, &draft));
  MR_TRY(dot_dimensions(c, d->dot_dimension_numbers, &draft));
  MR_TRY(named_ints(c, &draft, "lhs_ragged_dimensions", d->lhs_ragged_dimensions, d->n_lhs_ragged_dimensions));
  MR_TRY(named_ints(c, &draft, "rhs_group_dimensions", d->rhs_group_dimensions, d->n_rhs_group_dimensions));
  return mr_hlo_finish(c, &draft);
}

static mr_status convolution_numbers(hlo_context *c, const Millrace__Hlo__ConvolutionDimensions *d, mr_draft *draft) {
  const struct {
    mr_attr_key key;
    int64_t value;
  } numbers[] = {
      {MR_ATTR_input_batch_dimension, d->input_batch_dimension},
      {MR_ATTR_input_feature_dimension, d->input_feature_dimension},
      {MR_ATTR_kernel_input_feature_dimension, d->kernel_input_feature_dimension},
      {MR_ATTR_kernel_output_feature_dimension, d->kernel_output_feature_dimension},
      {MR_ATTR_output_batch_dimension, d->output_batch_dimension},
      {MR_ATTR_output_feature_dimension, d->output_feature_dimension},
      {MR_ATTR_feature_group_count, or_one(c->proto->feature_group_count)},
      {MR_ATTR_batch_group_count, or_one(c->proto->batch_group_count)},
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(numbers); i++) {
    mr_draft_int(draft, numbers[i].key, numbers[i].value);
  }
  MR_TRY(mr_hlo_ints(c, draft, MR_ATTR_input_spatial_dimensions, d->input_spatial_dimensions,
                     d->n_input_spatial_dimensions, -1));
  MR_TRY(mr_hlo_ints(c, draft, MR_ATTR_kernel_spatial_dimensions, d->kernel_spatial_dimensions,
                     d->n_kernel_spatial_dimensions, -1));
  return mr_hlo_ints(c, draft, MR_ATTR_output_spatial_dimensions, d->output_spatial_dimensions,
                     d->n_output_spatial_dimensions, -1);
}

mr_status mr_hlo_convolution(hlo_context *c) {
  window_lists w;
  mr_draft draft;
  if (c->proto->convolution_dimension_numbers == NULL) {
    return mr_error(MR_INVALID_ARGUMENT, "no dimension numbers");
  }
  MR_TRY(read_window(c, &w));
  MR_TRY(mr_hlo_draft(c, MR_OP_convolution, &draft));
  MR_TRY(convolution_numbers(c, c->proto->convolution_dimension_numbers, &draft));
  MR_TRY(mr_hlo_ints(c, &draft, MR_ATTR_window_strides, w.strides, w.rank, -1));
  MR_TRY(mr_hlo_ints(c, &draft, MR_ATTR_padding, w.padding, 2 * w.rank, (int64_t)w.rank));
  MR_TRY(mr_hlo_ints(c, &draft, MR_ATTR_lhs_dilation, w.base_dilations, w.rank, -1));
  MR_TRY(mr_hlo_ints(c, &draft, MR_ATTR_rhs_dilation, w.window_dilations, w.rank, -1));
  MR_TRY(mr_hlo_ints(c, &draft, MR_ATTR_window_reversal, w.reversal, w.rank, -1));
  MR_TRY(precision(c, &draft));
  return mr_hlo_finish(c, &draft);
}

// ---- Gather and scatter --------------------------------------------------------------------------------------------------

mr_status mr_hlo_gather(hlo_context *c) {
  const Millrace__Hlo__GatherDimensions *d = c->proto->gather_dimension_numbers;
  mr_draft draft;
  if (d == NULL) {
    return mr_error(MR_INVALID_ARGUMENT, "no dimension numbers");
  }
  MR_TRY(mr_hlo_draft(c, MR_OP_gather, &draft));
  MR_TRY(mr_hlo_ints(c, &draft, MR_ATTR_offset_dims, d->offset_dims, d->n_offset_dims, -1));
  MR_TRY(mr_hlo_ints(c, &draft, MR_ATTR_collapsed_slice_dims, d->collapsed_slice_dims, d->n_collapsed_slice_dims, -1));
  MR_TRY(mr_hlo_ints(c, &draft, MR_ATTR_start_index_map, d->start_index_map, d->n_start_index_map, -1));
  MR_TRY(
      mr_hlo_ints(c, &draft, MR_ATTR_operand_batching_dims, d->operand_batching_dims, d->n_operand_batching_dims, -1));
  MR_TRY(mr_hlo_ints(c, &draft, MR_ATTR_start_indices_batching_dims, d->start_indices_batching_dims,
                     d->n_start_indices_batching_dims, -1));
  mr_draft_int(&draft, MR_ATTR_index_vector_dim, d->index_vector_dim);
  MR_TRY(mr_hlo_ints(c, &draft, MR_ATTR_slice_sizes, c->proto->gather_slice_sizes, c->proto->n_gather_slice_sizes, -1));
  mr_draft_int(&draft, MR_ATTR_indices_are_sorted, c->proto->indices_are_sorted);
  return mr_hlo_finish(c, &draft);
}

mr_status mr_hlo_scatter_attrs(hlo_context *c, mr_draft *draft) {
  const Millrace__Hlo__ScatterDimensions *d = c->proto->scatter_dimension_numbers;
  if (d == NULL) {
    return mr_error(MR_INVALID_ARGUMENT, "no dimension numbers");
  }
  MR_TRY(mr_hlo_ints(c, draft, MR_ATTR_update_window_dims, d->update_window_dims, d->n_update_window_dims, -1));
  MR_TRY(mr_hlo_ints(c, draft, MR_ATTR_inserted_window_dims, d->inserted_window_dims, d->n_inserted_window_dims, -1));
  MR_TRY(mr_hlo_ints(c, draft, MR_ATTR_scatter_dims_to_operand_dims, d->scatter_dims_to_operand_dims,
                     d->n_scatter_dims_to_operand_dims, -1));
  MR_TRY(mr_hlo_ints(c, draft, MR_ATTR_input_batching_dims, d->input_batching_dims, d->n_input_batching_dims, -1));
  MR_TRY(mr_hlo_ints(c, draft, MR_ATTR_scatter_indices_batching_dims, d->scatter_indices_batching_dims,
                     d->n_scatter_indices_batching_dims, -1));
  mr_draft_int(draft, MR_ATTR_index_vector_dim, d->index_vector_dim);
  mr_draft_int(draft, MR_ATTR_indices_are_sorted, c->proto->indices_are_sorted);
  mr_draft_int(draft, MR_ATTR_unique_indices, c->proto->unique_indices);
  return MR_OK;
}

// ---- Slices and padding --------------------------------------------------------------------------------------------------

static mr_status check_rank(size_t rank) {
  return rank <= MR_MAX_RANK
             ? MR_OK
             : mr_error(MR_INVALID_ARGUMENT, "%zu dimensions, at most %d are supported", rank, MR_MAX_RANK);
}

mr_status mr_hlo_slice(hlo_context *c) {
  int64_t start[MR_MAX_RANK], limit[MR_MAX_RANK], stride[MR_MAX_RANK];
  size_t rank = c->proto->n_slice_dimensions;
  mr_draft draft;
  MR_TRY(check_rank(rank));
  for (size_t i = 0; i < rank; i++) {
    start[i] = c->proto->slice_dimensions[i]->start;
    limit[i] = c->proto->slice_dimensions[i]->limit;
    stride[i] = or_one(c->proto->slice_dimensions[i]->stride);
  }
  MR_TRY(mr_hlo_draft(c, MR_OP_slice, &draft));
  MR_TRY(mr_hlo_ints(c, &draft, MR_ATTR_start_indices, start, rank, -1));
  MR_TRY(mr_hlo_ints(c, &draft, MR_ATTR_limit_indices, limit, rank, -1));
  MR_TRY(mr_hlo_ints(c, &draft, MR_ATTR_strides, stride, rank, -1));
  return mr_hlo_finish(c, &draft);
}

mr_status mr_hlo_pad(hlo_context *c) {
  int64_t low[MR_MAX_RANK], high[MR_MAX_RANK], interior[MR_MAX_RANK];
  const Millrace__Hlo__Padding *padding = c->proto->padding_config;
  size_t rank = padding ? padding->n_dimensions : 0;
  mr_draft draft;
  MR_TRY(check_rank(rank));
  for (size_t i = 0; i < rank; i++) {
    low[i] = padding->dimensions[i]->edge_padding_low;
    high[i] = padding->dimensions[i]->edge_padding_high;
    interior[i] = padding->dimensions[i]->interior_padding;
  }
  MR_TRY(mr_hlo_draft(c, MR_OP_pad, &draft));
  MR_TRY(mr_hlo_ints(c, &draft, MR_ATTR_edge_padding_low, low, rank, -1));
  MR_TRY(mr_hlo_ints(c, &draft, MR_ATTR_edge_padding_high, high, rank, -1));
  MR_TRY(mr_hlo_ints(c, &draft, MR_ATTR_interior_padding, interior, rank, -1));
  return mr_hlo_finish(c, &draft);
}

// Old programs give all start indices in one list: it is taken apart into scalars.
static mr_status start_indices(hlo_context *c, uint32_t first, mr_draft *draft) {
  if (c->num_operands <= first) {
    return MR_OK;
  }
  mr_value *list = c->operands[first]->leaves[0];
  if (c->num_operands != first + 1 || list->type.rank != 1) {
    return mr_hlo_operands(c, first, c->num_operands - first, draft);
  }
  hlo_reader *r = c->reader;
  int64_t count = list->type.dims[0];
  if (count < 0 || count > MR_MAX_RANK) {
    return mr_error(MR_INVALID_ARGUMENT, "%lld start indices, at most %d are supported", (long long)count, MR_MAX_RANK);
  }
  mr_value **operands = mr_arena_array(&r->locals, mr_value *, draft->num_operands + MR_MAX_RANK);
  if (!operands) {
    return MR_NO_MEMORY();
  }
  memcpy(operands, draft->operands, draft->num_operands * sizeof(mr_value *));
  draft->operands = operands;
  mr_builder b = mr_hlo_builder(c);
  const int64_t one = 1;
  const mr_type type = mr_type_tensor(r->module, list->type.dtype, 1, &one);
  for (int64_t i = 0; i < count; i++) {
    mr_op *op = mr_build(&b, MR_OP_slice, 1, &list, 1, &type, 0);
    MR_TRY(mr_module_memory(r->module));
    mr_op_set_ints(r->module, op, MR_ATTR_start_indices, (mr_ints){&i, 1});
    mr_op_set_ints(r->module, op, MR_ATTR_limit_indices, (mr_ints){(int64_t[]){i + 1}, 1});
    mr_op_set_ints(r->module, op, MR_ATTR_strides, (mr_ints){&one, 1});
    operands[draft->num_operands++] = mr_build_reshape(&b, mr_op_result(op, 0), 0, NULL);
  }
  return mr_module_memory(r->module);
}

static mr_status moving_draft(hlo_context *c, mr_op_kind kind, uint32_t first, mr_draft *out) {
  uint32_t all = c->num_operands;
  if (all < first) {
    return mr_error(MR_INVALID_ARGUMENT, "%u operands, wanted at least %u", all, first);
  }
  c->num_operands = first;  // the start indices are added apart
  mr_status status = mr_hlo_draft(c, kind, out);
  c->num_operands = all;
  return status ? status : start_indices(c, first, out);
}

mr_status mr_hlo_dynamic_slice(hlo_context *c) {
  mr_draft draft;
  MR_TRY(moving_draft(c, MR_OP_dynamic_slice, 1, &draft));
  MR_TRY(
      mr_hlo_ints(c, &draft, MR_ATTR_slice_sizes, c->proto->dynamic_slice_sizes, c->proto->n_dynamic_slice_sizes, -1));
  return mr_hlo_finish(c, &draft);
}

mr_status mr_hlo_dynamic_update_slice(hlo_context *c) {
  mr_draft draft;
  MR_TRY(moving_draft(c, MR_OP_dynamic_update_slice, 2, &draft));
  return mr_hlo_finish(c, &draft);
}

// ---- Bitcast ---------------------------------------------------------------------------------------------------------------

// The order of dimensions from outermost to innermost in memory, and what undoes it.
static void memory_order(mr_ints layout, uint32_t rank, int64_t *out_order, int64_t *out_inverse) {
  for (uint32_t i = 0; i < rank; i++) {
    out_order[i] = layout.size ? layout.data[rank - 1 - i] : (int64_t)i;
    out_inverse[out_order[i]] = i;
  }
}

// The elements of a list as those of another type: each becomes several, or several become one.
static mr_value *recast(mr_builder *b, mr_value *value, mr_dtype dtype) {
  mr_dtype from = value->type.dtype;
  int64_t count = mr_type_count(&value->type), wide = mr_dtype_bits(from), narrow = mr_dtype_bits(dtype);
  int64_t dims[2] = {count, wide / narrow};
  uint32_t rank = wide > narrow ? 2 : 1;
  if (wide < narrow) {
    dims[0] = count / (narrow / wide);
    value = mr_build_reshape(b, value, 2, (int64_t[]){dims[0], narrow / wide});
  }
  mr_type type = mr_type_tensor(b->module, dtype, rank, dims);
  mr_op *op = value ? mr_build(b, MR_OP_bitcast_convert, 1, &value, 1, &type, 0) : NULL;
  return op ? mr_op_result(op, 0) : NULL;
}

static bool same_bytes(const mr_type *a, const mr_type *b) {
  if (a->kind != MR_TYPE_TENSOR || b->kind != MR_TYPE_TENSOR || !mr_type_is_static(a) || !mr_type_is_static(b) ||
      mr_type_bytes(a) != mr_type_bytes(b)) {
    return false;
  }
  unsigned x = mr_dtype_bits(a->dtype), y = mr_dtype_bits(b->dtype);
  return x == y || (x >= 8 && y >= 8 && !mr_dtype_is_complex(a->dtype) && !mr_dtype_is_complex(b->dtype));
}

// The same bytes read as another shape: to the operand's memory order, another shape there, and back from the result's.
mr_status mr_hlo_bitcast(hlo_context *c) {
  if (c->num_operands != 1 || !same_bytes(&c->operands[0]->type, &c->type)) {
    return mr_error(MR_INVALID_ARGUMENT, "wanted one array of as many bytes, of real elements of whole bytes");
  }
  const hlo_value *operand = c->operands[0];
  mr_builder b = mr_hlo_builder(c);
  int64_t order[MR_MAX_RANK], inverse[MR_MAX_RANK], dims[MR_MAX_RANK];
  mr_value *value = operand->leaves[0];
  if (!mr_hlo_is_row_major(operand->layout)) {
    memory_order(operand->layout, operand->type.rank, order, inverse);
    value = mr_build_transpose(&b, value, order);
  }
  if (c->type.dtype != operand->type.dtype) {
    value = mr_build_reshape(&b, value, 1, (int64_t[]){mr_type_count(&operand->type)});
    value = value ? recast(&b, value, c->type.dtype) : NULL;
  }
  memory_order(c->layout, c->type.rank, order, inverse);
  for (uint32_t i = 0; i < c->type.rank; i++) {
    dims[i] = c->type.dims[order[i]];
  }
  value = mr_build_reshape(&b, value, c->type.rank, dims);
  if (!mr_hlo_is_row_major(c->layout)) {
    value = mr_build_transpose(&b, value, inverse);
  }
  return mr_hlo_single(c, value);
}

// ---- Collectives -------------------------------------------------------------------------------------------------------------

typedef struct groups {
  const int64_t *ids;
  size_t rows, columns;
} groups;

// iota over a shape, transposed, cut into groups.
static mr_status iota_groups(hlo_context *c, const Millrace__Hlo__IotaReplicaGroups *list, groups *out) {
  int64_t rows = list->num_replica_groups, columns = list->num_devices_per_group, total = 1;
  size_t rank = list->n_iota_reshape_dims;
  bool fits = rows > 0 && columns > 0 && rows <= MR_READ_INTS && columns <= MR_READ_INTS / rows && rank > 0 &&
              rank <= MR_MAX_RANK && (list->n_iota_transpose_perm == rank || list->n_iota_transpose_perm == 0);
  bool seen[MR_MAX_RANK] = {false};
  int64_t strides[MR_MAX_RANK], sizes[MR_MAX_RANK], moved[MR_MAX_RANK], index[MR_MAX_RANK] = {0};
  for (size_t i = rank; fits && i-- > 0;) {
    strides[i] = total;
    fits = list->iota_reshape_dims[i] > 0 && list->iota_reshape_dims[i] <= MR_READ_INTS / total;
    total *= fits ? list->iota_reshape_dims[i] : 1;
  }
  for (size_t i = 0; fits && i < rank; i++) {
    int64_t from = list->n_iota_transpose_perm ? list->iota_transpose_perm[i] : (int64_t)i;
    fits = from >= 0 && (size_t)from < rank && !seen[from];
    if (fits) {
      seen[from] = true;
      sizes[i] = list->iota_reshape_dims[from];
      moved[i] = strides[from];
    }
  }
  if (!fits || total != rows * columns) {
    return mr_error(MR_INVALID_ARGUMENT, "device groups %lld by %lld do not fit their iota", (long long)rows,
                    (long long)columns);
  }
  int64_t *ids = mr_arena_array(c->reader->arena, int64_t, total);
  if (!ids) {
    return MR_NO_MEMORY();
  }
  int64_t at = 0;
  for (int64_t i = 0; i < total; i++) {
    ids[i] = at;
    for (size_t d = rank; d-- > 0;) {
      at += moved[d];
      if (++index[d] < sizes[d]) {
        break;
      }
      at -= moved[d] * sizes[d];
      index[d] = 0;
    }
  }
  *out = (groups){ids, (size_t)rows, (size_t)columns};
  return MR_OK;
}

static mr_status listed_groups(hlo_context *c, Millrace__Hlo__ReplicaGroup **list, size_t count, groups *out) {
  *out = (groups){.rows = count};
  for (size_t i = 0; i < count; i++) {
    out->columns = MR_MAX(out->columns, list[i]->n_replica_ids);
  }
  if (count && out->columns > MR_READ_INTS / count) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu device groups of up to %zu", count, out->columns);
  }
  int64_t *ids = mr_arena_array(c->reader->arena, int64_t, count * out->columns + 1);
  if (!ids) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count * out->columns; i++) {
    size_t row = i / out->columns, column = i % out->columns;
    ids[i] = column < list[row]->n_replica_ids ? list[row]->replica_ids[column] : -1;
  }
  out->ids = ids;
  return MR_OK;
}

static mr_status read_groups(hlo_context *c, groups *out) {
  const Millrace__Hlo__CollectiveDevices *devices = c->proto->collective_device_list;
  if (devices && devices->iota_replica_group_list) {
    return iota_groups(c, devices->iota_replica_group_list, out);
  }
  return devices && devices->n_replica_groups
             ? listed_groups(c, devices->replica_groups, devices->n_replica_groups, out)
             : listed_groups(c, c->proto->replica_groups, c->proto->n_replica_groups, out);
}

static mr_status permute_pairs(hlo_context *c, mr_draft *draft) {
  size_t count = c->proto->n_source_target_pairs;
  int64_t *pairs = mr_arena_array(&c->reader->locals, int64_t, 2 * count + 1);
  if (!pairs) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    pairs[2 * i] = c->proto->source_target_pairs[i]->source;
    pairs[2 * i + 1] = c->proto->source_target_pairs[i]->target;
  }
  return mr_hlo_ints(c, draft, MR_ATTR_source_target_pairs, pairs, 2 * count, (int64_t)count);
}

// The dimension by each op's own name; tuple forms have none.
static mr_status collective_dimension(hlo_context *c, const groups *g, mr_draft *draft) {
  if (draft->kind != MR_OP_all_gather && draft->kind != MR_OP_all_to_all && draft->kind != MR_OP_reduce_scatter) {
    return MR_OK;
  }
  if (c->proto->n_dimensions != 1) {
    return mr_error(MR_UNIMPLEMENTED, "%zu dimensions, wanted one", c->proto->n_dimensions);
  }
  int64_t dimension = c->proto->dimensions[0];
  if (draft->kind == MR_OP_all_to_all) {
    mr_draft_int(draft, MR_ATTR_split_dimension, dimension);
    mr_draft_int(draft, MR_ATTR_concat_dimension, dimension);
    mr_draft_int(draft, MR_ATTR_split_count, g->columns ? (int64_t)g->columns : 1);
    return MR_OK;
  }
  mr_draft_int(draft, draft->kind == MR_OP_all_gather ? MR_ATTR_all_gather_dim : MR_ATTR_scatter_dimension, dimension);
  return MR_OK;
}

mr_status mr_hlo_collective(hlo_context *c, mr_op_kind kind) {
  mr_draft draft;
  groups g = {0};
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  if (c->proto->channel_id > 0) {
    mr_draft_int(&draft, MR_ATTR_channel_id, c->proto->channel_id);
  }
  if (kind == MR_OP_collective_permute) {
    MR_TRY(permute_pairs(c, &draft));
    return mr_hlo_finish(c, &draft);
  }
  MR_TRY(read_groups(c, &g));
  MR_TRY(mr_hlo_ints(c, &draft, MR_ATTR_replica_groups, g.ids, g.rows * g.columns, (int64_t)g.rows));
  MR_TRY(collective_dimension(c, &g, &draft));
  if (kind == MR_OP_all_reduce || kind == MR_OP_reduce_scatter || kind == MR_OP_all_gather) {
    mr_draft_int(&draft, MR_ATTR_use_global_device_ids, c->proto->use_global_device_ids);
  }
  return kind == MR_OP_all_reduce || kind == MR_OP_reduce_scatter ? mr_hlo_with_regions(c, &draft, 1)
                                                                  : mr_hlo_finish(c, &draft);
}
