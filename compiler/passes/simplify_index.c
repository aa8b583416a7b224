// Gathers, scatters and dynamic slices that are something simpler: one window, or a place known at compile time.
#include <string.h>

#include "compiler/ir/in_place.h"
#include "compiler/passes/simplify.h"

static mr_value *build_window(mr_op *op, mr_value *x, const int64_t *start, const int64_t *sizes) {
  int64_t limit[MR_MAX_RANK], strides[MR_MAX_RANK];
  for (uint32_t d = 0; d < x->type.rank; d++) {
    limit[d] = start[d] + sizes[d];
    strides[d] = 1;
  }
  mr_type type = {.kind = MR_TYPE_TENSOR, .dtype = x->type.dtype, .rank = x->type.rank, .dims = sizes};
  if (mr_type_same_dims(&type, &x->type)) {
    return x;
  }
  mr_builder b = mr_builder_before(op);
  return mr_build_slice(&b, x, &type, start, limit, strides);
}

// Start indices clamped as the op does; false when one is not a constant and matters.
static bool constant_starts(const mr_op *op, uint32_t first, const mr_type *x, const int64_t *sizes, int64_t *out) {
  for (uint32_t d = 0; d < x->rank; d++) {
    int64_t most = x->dims[d] - sizes[d];
    out[d] = 0;
    if (most != 0 && !mr_known_start(mr_op_operand(op, first + d), most, &out[d])) {
      return false;
    }
  }
  return true;
}

mr_value *mr_simplify_dynamic_slice(mr_op *op) {
  mr_value *x = mr_op_operand(op, 0);
  const int64_t *sizes = mr_op_ints(op, MR_ATTR_slice_sizes).data;
  int64_t start[MR_MAX_RANK];
  if (!mr_type_is_static(&x->type) || !constant_starts(op, 1, &x->type, sizes, start)) {
    return NULL;
  }
  return build_window(op, x, start, sizes);
}

mr_value *mr_simplify_update_slice(mr_op *op) {
  mr_value *x = mr_op_operand(op, 0), *update = mr_op_operand(op, 1);
  if (mr_type_is_static(&x->type) && mr_type_same_dims(&x->type, &update->type)) {
    return update;
  }
  return mr_type_is_static(&update->type) && mr_type_count(&update->type) == 0 ? x : NULL;
}

int64_t mr_count_windows(const mr_type *indices, int64_t vector_dim) {
  int64_t count = 1;
  for (uint32_t d = 0; d < indices->rank; d++) {
    if (d != vector_dim && __builtin_mul_overflow(count, indices->dims[d], &count)) {
      return 0;
    }
  }
  return count;
}

void mr_starts_of_window(mr_builder *b, mr_value *indices, mr_ints map, uint32_t rank, mr_value **out_starts) {
  int64_t count = (int64_t)map.size;
  mr_type scalar = mr_type_scalar(indices->type.dtype);
  mr_value *vector = mr_build_reshape(b, indices, 1, &count), *zero = mr_build_splat_int(b, &scalar, 0);
  for (uint32_t d = 0; d < rank; d++) {
    out_starts[d] = zero;
  }
  for (int64_t i = 0; i < count; i++) {
    out_starts[map.data[i]] = mr_build_reshape(b, mr_build_slice_dim(b, vector, 0, i, i + 1), 0, NULL);
  }
}

// One window: a dynamic slice clamps the start as gather does. Dims of the result that are not the window's are ones,
// dims of the window that the result lacks are ones, so a reshape does the rest.
mr_value *mr_simplify_gather(mr_op *op) {
  mr_value *x = mr_op_operand(op, 0), *indices = mr_op_operand(op, 1);
  mr_ints sizes = mr_op_ints(op, MR_ATTR_slice_sizes), map = mr_op_ints(op, MR_ATTR_start_index_map);
  mr_ints collapsed = mr_op_ints(op, MR_ATTR_collapsed_slice_dims);
  int64_t vector_dim = mr_op_int(op, MR_ATTR_index_vector_dim, 0);
  const mr_type *type = &op->results[0].type;
  if (!mr_type_is_static(&x->type) || !mr_type_is_static(&indices->type) ||
      mr_count_windows(&indices->type, vector_dim) != 1 || mr_type_count(type) == 0) {
    return NULL;
  }
  for (size_t i = 0; i < collapsed.size; i++) {
    if (sizes.data[collapsed.data[i]] != 1) {
      return NULL;
    }
  }
  mr_builder b = mr_builder_before(op);
  mr_value *starts[MR_MAX_RANK];
  mr_starts_of_window(&b, indices, map, x->type.rank, starts);
  mr_value *slice = mr_build_dynamic_slice(&b, x, starts, sizes.data);
  return slice ? mr_build_reshape(&b, slice, type->rank, type->dims) : NULL;
}

bool mr_scatter_stores(const mr_op *op) {
  const mr_block *block = op->regions[0];
  return op->num_operands == 3 && block->first->kind == MR_OP_return &&
         mr_op_operand(block->first, 0) == block->args[1];
}

static bool holds(mr_ints list, uint32_t dim) {
  bool found = false;
  for (size_t i = 0; i < list.size && !found; i++) {
    found = list.data[i] == dim;
  }
  return found;
}

bool mr_scatter_window(const mr_op *op, int64_t *out_sizes) {
  const mr_type *x = &mr_op_operand(op, 0)->type, *indices = &mr_op_operand(op, 1)->type;
  const mr_type *update = &mr_op_operand(op, 2)->type;
  mr_ints window = mr_op_ints(op, MR_ATTR_update_window_dims), inserted = mr_op_ints(op, MR_ATTR_inserted_window_dims);
  mr_ints batching = mr_op_ints(op, MR_ATTR_input_batching_dims);
  if (op->num_operands != 3 || !mr_type_is_static(x) || !mr_type_is_static(indices) || !mr_type_is_static(update) ||
      x->dtype != update->dtype || mr_type_count(update) == 0 ||
      mr_count_windows(indices, mr_op_int(op, MR_ATTR_index_vector_dim, 0)) != 1) {
    return false;
  }
  size_t next = 0;
  for (uint32_t d = 0; d < x->rank; d++) {
    out_sizes[d] = holds(inserted, d) || holds(batching, d) ? 1 : update->dims[window.data[next++]];
  }
  return true;
}

// (In half precision that sum is rounded from an update that was rounded before, which an op beside the update's own ops is not
// certain to be.)
mr_op_kind mr_scatter_combines_by(const mr_op *op) {
  if (op->num_operands != 3) {
    return MR_OP_COUNT;
  }
  const mr_type *type = &op->results[0].type;
  bool rounds_twice = mr_dtype_is_float(type->dtype) && mr_dtype_bits(type->dtype) < 32;
  return rounds_twice ? MR_OP_COUNT : mr_block_fold_kind(op->regions[0]);
}

// Storing one window at a place known to be inside, or adding it to what is there, is an update slice. (A dynamic place will not do:
// scatter skips a window that does not fit, an update slice moves it.)
mr_value *mr_simplify_scatter(mr_op *op) {
  bool stores = mr_scatter_stores(op);
  mr_op_kind kind = stores ? MR_OP_COUNT : mr_scatter_combines_by(op);
  if (!stores && kind == MR_OP_COUNT) {
    return NULL;
  }
  mr_value *x = mr_op_operand(op, 0), *indices = mr_op_operand(op, 1), *update = mr_op_operand(op, 2);
  mr_ints map = mr_op_ints(op, MR_ATTR_scatter_dims_to_operand_dims);
  int64_t places[MR_MAX_RANK], start[MR_MAX_RANK] = {0}, sizes[MR_MAX_RANK];
  if (!mr_scatter_window(op, sizes) || !mr_constant_ints(indices, map.size, places)) {
    return NULL;
  }
  for (size_t i = 0; i < map.size; i++) {
    start[map.data[i]] = places[i];
  }
  mr_builder b = mr_builder_before(op);
  mr_type index = mr_type_scalar(MR_S64);
  mr_value *starts[MR_MAX_RANK];
  for (uint32_t d = 0; d < x->type.rank; d++) {
    if (start[d] < 0 || start[d] > x->type.dims[d] - sizes[d]) {
      return NULL;
    }
  }
  for (uint32_t d = 0; d < x->type.rank; d++) {
    starts[d] = mr_build_splat_int(&b, &index, start[d]);
  }
  mr_value *window = mr_build_reshape(&b, update, x->type.rank, sizes);
  if (!stores) {
    window = mr_build_binary(&b, kind, mr_build_dynamic_slice(&b, x, starts, sizes), window);
  }
  return mr_build_dynamic_update_slice(&b, x, window, starts);
}
